"""The documents that people hand in: a scenario, a visit to the village, decks to score, a question about odds.

:func:`read_document` reads each, with one clear error for what does not fit. Names are in any language, with a number
of copies (``2 militia``) or the copy (``militia#2``).
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Meta
from msgspec.structs import fields

from thunderref.database.validation import Fault, MisfitError, Record, validated
from thunderref.errors import InputError

if TYPE_CHECKING:
    from thunderref.database.read import Language

T = TypeVar("T", bound=Record)
Ruleset = Literal["print", "yucata"]
GameVariant = Literal["normal", "epic", "solo", "marauding"]
USUAL_PLAYERS = 2
"""Number of players where none is told."""
Size = Annotated[int, Meta(ge=0, le=999)]
"""Number of cards in a deck, those known on top included."""

STEP_KEYS = {
    "equip": {"equip", "to"},
    "use": {"use", "effect", "destroy", "on", "bottom", "order", "take", "discard", "borrow", "draw", "to", "militia",
            "copy", "recruit", "top", "show", "others", "borrow-from", "hunt"},
    "forgo": {"forgo"}, "disease": {"disease"}, "attack": {"attack", "monster"},
    "battle": {"battle", "pick", "hero", "from"}, "buy": {"buy"}, "discard": {"discard"}, "show": {"show"},
    "breach": {"breach", "destroy"}, "rest": {"rest"},
}  # fmt: skip
"""The first key of a step, which says what it is -> the keys that it may have."""
VISIT_KEYS = {"use": {"use", "effect", "destroy", "discard", "hero"}, "buy": {"buy"}, "level_up": {"level_up", "to"}}
"""The same for the steps of a visit to the village."""

CODES = {"unknown-key": "unknown-key", "missing-key": "missing-key", "choice": "not-one-of", "list": "no-list"}
"""Kind of mistake -> code of the error; every other kind is a ``bad-value``."""

NO_TEXTS = ("whole-number", "number", "true-or-false")
"""Kinds of mistakes whose value is shown with its quotes if it is a text: the number 3 would be right."""


class Scenario(Record, kw_only=True):
    """What is on the table of a battle.

    ``hall`` is rank 1 first, None for an empty rank; ``deck`` and ``dungeon`` are the known cards on top, the next one
    first; ``deck_list`` is the rest of the own deck, its order unknown, or ``deck_size`` how many cards it has (R2.2).
    ``village`` are the cards on offer, as the ``stacks`` of a visit. ``others`` are the hands of the other players from
    the left, where they are known. ``target`` is a rank, None to judge every target. ``plan`` lists the player's exact
    choices, None to find the best line for ``goal``. ``readings`` answers open questions of the rules: the name of the
    question or its rule with a value, or a list of ``name=value``; likewise how one's own card is printed
    (``lizard=weapons``, R0.1). ``variant`` is one that changes play, at a ``level`` (R9.5), with the ``tokens`` on the
    rank 1 monster (R9.6). ``caged`` are heroes in the Cage since before this turn (R6.10), ``toll`` the cards of the
    new hand that guardians in rank 0 take (R6.7), ``hordes`` how many Horde cards the player owns, named or not (R7.2).
    ``why_not`` lists other choices to weigh: a few words (``short sword on thief``) or a plan step.
    """

    STEPS: ClassVar[Mapping[str, set[str]]] = STEP_KEYS

    ruleset: Ruleset = "print"
    goal: Literal["win", "max"] = "win"
    hand: list[str]
    hall: list[str | None] = []
    rank0: list[str] = []
    target: Annotated[int, Meta(ge=0, le=3)] | None = None
    deck: list[str] | None = None
    deck_list: list[str] | None = None
    deck_size: Size | None = None
    discard: list[str] = []
    dungeon: list[str] | None = None
    dungeon_size: Size | None = None
    village: list[str] | None = None
    players: Annotated[int, Meta(ge=1, le=5)] = USUAL_PLAYERS
    xp: Annotated[int, Meta(ge=0)] = 0
    variant: GameVariant = "normal"
    level: Literal["normal", "fighter", "nightmare"] = "normal"
    tokens: Annotated[int, Meta(ge=0, le=5)] = 0
    caged: list[str] = []
    toll: list[str] = []
    hordes: Annotated[int, Meta(ge=0, le=10)] = 0
    others: list[list[str]] = []
    plan: list[dict[str, Any]] | None = None
    why_not: list[str | dict[str, Any]] = []
    readings: dict[str, str] | list[str] = {}


class Opponents(Record):
    """Known facts about the other players: gold they discard to a Tax Collector, the hero of a Tavern Brawl."""

    discarded_gold: Annotated[int, Meta(ge=0, le=99)] | None = None
    brawl_hero: str | None = None


class VisitDocument(Record, kw_only=True):
    """A visit to the village; decks, discard pile and ``plan`` are as in a scenario, the goals those of :mod:`visit`.

    ``stacks`` are the cards on offer, None for all: a number (or a repeated entry) says how many, none at least one.
    ``wanted`` are cards that the player would like to buy together; ``readings`` are as in a scenario.
    """

    STEPS: ClassVar[Mapping[str, set[str]]] = VISIT_KEYS

    ruleset: Ruleset = "print"
    goal: Literal["buy", "gold", "vp", "xp"] = "buy"
    hand: list[str]
    deck: list[str] | None = None
    deck_list: list[str] | None = None
    deck_size: Size | None = None
    discard: list[str] = []
    xp: Annotated[int, Meta(ge=0, le=999)] = 0
    players: Annotated[int, Meta(ge=1, le=5)] = USUAL_PLAYERS
    stacks: list[str] | None = None
    wanted: list[str] = []
    readings: dict[str, str] | list[str] = {}
    opponents: Opponents = Opponents()
    plan: list[dict[str, Any]] | None = None


class TurnDocument(Record, kw_only=True):
    """The beginning of a turn: keys of a scenario (the variant's too) and of a visit.

    ``decks`` are all cards of each player, wherever they lie, those of the player first, then in turn order; ``code``
    is the set-up's.
    """

    ruleset: Ruleset = "print"
    readings: dict[str, str] | list[str] = {}
    hand: list[str]
    hall: list[str | None] = []
    rank0: list[str] = []
    target: Annotated[int, Meta(ge=0, le=3)] | None = None
    deck_list: list[str] | None = None
    discard: list[str] = []
    dungeon: list[str] | None = None
    dungeon_size: Size | None = None
    stacks: list[str] | None = None
    players: Annotated[int, Meta(ge=1, le=5)] = USUAL_PLAYERS
    xp: Annotated[int, Meta(ge=0, le=999)] = 0
    variant: GameVariant = "normal"
    level: Literal["normal", "fighter", "nightmare"] = "normal"
    tokens: Annotated[int, Meta(ge=0, le=5)] = 0
    caged: list[str] = []
    decks: list[list[str]] | None = None
    code: str | None = None


class ScoreDocument(Record):
    """The decks at the end of a game: the cards of each player, and how many penalty cards they took (R9.6).

    ``variant`` is the campaign it belongs to; ``earlier`` are the game points of the games before (R9.4), in the other
    campaigns the games won in a row (R9.2).
    """

    players: dict[str, list[str]]
    penalties: dict[str, int] = {}
    variant: Literal["normal", "crossing", "pursuit", "odyssey"] = "normal"
    earlier: dict[str, int] = {}


class OddsQuestion(Record, kw_only=True):
    """A hand (empty with ``first_battle``), the own deck in unknown order, the discard pile and the hall.

    With ``next_hand`` the question is about the six cards drawn once the hand is discarded; the hall may then be empty.
    ``readings`` are as in a scenario. ``exact`` refuses rather than deals ``samples`` with ``seed``.
    """

    ruleset: Ruleset = "print"
    readings: dict[str, str] | list[str] = {}
    hand: list[str] = []
    deck_list: list[str]
    discard: list[str] = []
    hall: list[str | None] = []
    rank0: list[str] = []
    target: Annotated[int, Meta(ge=0, le=3)] | None = None
    dungeon: list[str] | None = None
    variant: GameVariant = "normal"
    tokens: Annotated[int, Meta(ge=0, le=5)] = 0
    first_battle: bool = False
    next_hand: bool = False
    exact: bool = False
    samples: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    seed: Annotated[int, Meta(ge=0)] = 0


def read_document(record: type[T], document: Any) -> T:
    """The document as a record; raises :class:`InputError` naming the key that is wrong."""
    if isinstance(document, record):
        return document
    if not isinstance(document, Mapping):
        raise InputError("document-not-an-object")
    try:
        return validated(record, _drop_nulls(record, document))
    except MisfitError as error:
        raise misfit(record, error.faults[0]) from None


def split_texts(record: type[Record], document: Any, words: "Language") -> Any:
    """The document with lists of cards where it has them as one text each: ``"2 militia, torch"``.

    Scores have their lists one level down, by player. What is no text is left as it is, for :func:`read_document`.
    """
    if not isinstance(document, Mapping):
        return document
    from thunderref.search.understand import split_hall, split_list  # a document that has its lists needs no reader

    lists = {field.name for field in fields(record) if str(field.type).startswith(("list[str]", "list[str | None]"))}
    whole = dict(document)
    for key, value in document.items():
        if isinstance(value, str) and key in lists:
            whole[key] = (split_hall if key == "hall" else split_list)(value, words)
        elif key == "players" and isinstance(value, Mapping):
            whole[key] = {
                name: split_list(cards, words) if isinstance(cards, str) else cards for name, cards in value.items()
            }
    return whole


def require_hand(document: Mapping[str, Any]) -> None:
    """Raises :class:`InputError` (``empty-hand``) for a document without a hand."""
    if "hand" not in document:
        raise InputError("empty-hand")


def is_rest(plan: Any) -> bool:
    """True for a plan with a step that rests, alone or (against R2.1) among others."""
    return isinstance(plan, list) and any(isinstance(step, Mapping) and "rest" in step for step in plan)


def require_battle(document: dict[str, Any]) -> None:
    """Raises :class:`InputError` for a battle without a hand or a foe; a hall that is not named is empty."""
    require_hand(document)
    if "hall" not in document and not document.get("rank0") and not is_rest(document.get("plan")):
        raise InputError("empty-hall")
    document.setdefault("hall", [])


def require_odds(document: Mapping[str, Any]) -> None:
    """Raises :class:`InputError` for a question about odds that lacks the deck, the hand or the hall it needs."""
    if "deck_list" not in document:
        raise InputError("no-deck-list")
    if not document.get("first_battle") and not document.get("next_hand"):
        require_hand(document)
    if not document.get("next_hand") and "hall" not in document and "rank0" not in document:
        raise InputError("empty-hall")


def check_fields(record: type[Record], document: Mapping[str, Any]) -> None:
    """Check the keys that a document has, as :func:`read_document` does, while others are still to come."""
    try:
        validated(record, _drop_nulls(record, document))
    except MisfitError as error:
        for fault in error.faults:
            if fault.kind != "missing-key" or len(fault.place) > 1:
                raise misfit(record, fault) from None


def _drop_nulls(record: type[Record], document: Mapping[str, Any]) -> dict[str, Any]:
    # a key that may be left out may be null too
    optional = _optional_keys(record)
    return {key: value for key, value in document.items() if value is not None or key not in optional}


@cache
def _optional_keys(record: type[Record]) -> frozenset[str]:
    return frozenset(field.name for field in fields(record) if not field.required)


def misfit(record: type[Record], fault: Fault) -> InputError:
    """The error that names the key of a document at fault and what it takes."""
    place, value = fault.place, fault.value
    if not isinstance(value, str) or fault.kind in NO_TEXTS:
        try:
            value = json.dumps(value, ensure_ascii=False, default=str)
        except (TypeError, ValueError, RecursionError):  # keys that are no texts, a table inside itself
            value = type(value).__name__
    if place[0] == "plan" and len(place) > 1:
        return InputError(
            "bad-step", step=int(place[1]) + 1, found=value[:40], known=", ".join(getattr(record, "STEPS", ()))
        )
    code = CODES.get(fault.kind, "bad-value")
    told: dict[str, Any] = {"key": ".".join(map(str, place)) or "-", "known": ", ".join(record.__struct_fields__)}
    if code == "bad-value" and place[0] == "readings":
        told |= {"why": "readings", "example": "used-cards=food-only"}
    elif fault.kind == "in-quotes" and len(place) > 1 and isinstance(place[1], int):
        told |= {"why": "text", "key": place[0], "n": place[1] + 1}
    elif fault.kind in (*NO_TEXTS, "in-quotes", "table"):
        told["why"] = fault.kind
    if code == "bad-value" and len(place) == 1:  # the numbers that the key takes
        hint = get_type_hints(record, include_extras=True).get(str(place[0]))
        for each in [each for each in (hint, *get_args(hint)) if get_origin(each) is Annotated][:1]:
            number, meta = get_args(each)
            why = "number" if number is float else "least" if meta.le is None else "between"
            told |= {"why": why, "least": meta.ge, "most": meta.le}
    return InputError(code, value=value[:40], allowed=fault.allowed.replace("'", ""), **told)
