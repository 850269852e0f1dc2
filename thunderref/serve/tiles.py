"""The set-up on the table: its cards in the groups in which they are tapped."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import InputError
from thunderref.thunderstone.setup.catalogue import BASIC, DISEASE
from thunderref.thunderstone.setup.memory import TONIGHT, Tonight
from thunderref.thunderstone.setup.setup import Setup, generate_setup

IN_A_HAND = ("hero", "village", "basic", "disease")
WON = ("monster", "guardian", "thunderstone")
"""Kinds of cards that come into a hand from the hall."""
EMPTY_RANK, HOLE = "-", "_"
"""Signs in the hall of an address: a rank without a card, and one whose card was taken out or is not named yet."""
_ORDER = ("weapon", "item", "spell", "villager")
_SHOWN = ("weight", "cost", "health", "vp")
"""Figures that a tile shows, of those that its card has; the price is that of the village."""
_IN_BATTLE = ("attack", "magic_attack", "light", "strength", "weight")
"""Figures that a tile shows where a hand is tapped in for a battle."""
_SIZES = {12: "longest", 10: "longer", 8: "long"}
"""Letters of a word above which a name is written smaller, with the class of its size."""


class TileGroup(NamedTuple):
    """Cards that are tapped side by side; ``closed`` until somebody opens it."""

    title: str
    cards: tuple[str, ...]
    closed: bool = False


@dataclass
class SharedSetup:
    """The set-up on the table, shared by all phones: the one ``pinned`` for this run, else the one remembered.

    With ``remembers`` False nothing is read from this machine's memory, and nothing written; with ``keeps`` the evening
    under way is, and can be added to.
    """

    pinned: Tonight | None = None
    remembers: bool = True
    keeps: bool = False

    def now(self) -> Tonight | None:
        """The set-up on the table, None for nothing, or for what cannot be read."""
        if self.pinned is not None or not self.remembers:
            return self.pinned
        try:
            tonight = TONIGHT.read()
        except InputError:
            return None
        return tonight if tonight is not None and not tonight.lacking(open_database()) else None

    def put(self, code: str | None) -> None:
        """Puts a set-up on the table, None clears it; raises :class:`NoAnswerError` for a code that is none."""
        drawn = None if code is None else generate_setup(code=code, database=open_database())
        self.pinned = None if drawn is None else drawn.tonight
        if self.remembers:
            with suppress(InputError):  # of what cannot be written this run still knows
                if drawn is None:
                    TONIGHT.clear()
                else:
                    TONIGHT.remember(lambda: drawn.tonight)
                    self.pinned = None


def make_setup(database: Database, code: str) -> Setup:
    return generate_setup(code=code, database=database)


def in_hand(words: Language, setup: Setup | None) -> list[TileGroup]:
    """The cards that a hand may hold: those of the set-up, or all in closed groups."""
    database = words.database
    if setup is None:
        originals = [card for card in database.cards.values() if card.reprint_of is None]
        heroes, village = ([card for card in originals if card.kind == kind] for kind in ("hero", "village"))
        met = tuple(card.id for card in originals if card.kind in WON and _may_be_met(database, card))
    else:
        stacks = (stack.cards for stack in setup.table.stacks if stack.kind == "hero")
        heroes = [database.cards[card] for cards in stacks for card, _ in cards]
        village = [database.cards[card] for card in setup.content.village]
        met = tuple(card for group in in_hall(words, setup) for card in group.cards)
    families = [card.family for card in heroes]
    heroes = sorted(heroes, key=lambda card: (families.index(card.family), card.level or 0))
    places = {card.id: [_ORDER.index(card_type) for card_type in card.types if card_type in _ORDER] for card in village}
    village = sorted(village, key=lambda card: min(places[card.id], default=len(_ORDER)))
    return [
        TileGroup(words.say("serve.group.start"), (*BASIC, DISEASE)),
        TileGroup(words.say("serve.group.heroes"), tuple(card.id for card in heroes), setup is None),
        TileGroup(words.say("serve.group.village"), tuple(card.id for card in village), setup is None),
        TileGroup(words.say("serve.group.won"), met, True),
    ]


def in_hall(words: Language, setup: Setup | None) -> list[TileGroup]:
    """The cards that the hall may have, a class a group, what else is in the dungeon last."""
    database = words.database
    met = [card for card in database.cards.values() if card.kind in WON and _may_be_met(database, card)]
    classes = dict.fromkeys(card.family or "" for card in met if card.kind == "monster")
    if setup is not None:
        content = setup.content
        classes = dict.fromkeys(content.classes)
        met = [card for card in met if card.set_id in content.sets or card.id in content.stones]
        met = [card for card in met if card.kind != "thunderstone" or card.id in content.stones]
        guardians = set(content.features.guardians)
        met = [card for card in met if card.kind != "guardian" or card.id in guardians]
    groups = [
        TileGroup(words.family(family), tuple(card.id for card in met if card.family == family), setup is None)
        for family in classes
    ]
    remaining = tuple(card.id for card in met if card.kind != "monster")
    return [*groups, TileGroup(words.say("serve.group.others"), remaining, setup is None)]


def with_points(words: Language, setup: Setup | None) -> list[TileGroup]:
    """The cards of a deck that are worth victory points at the end."""
    cards, effects = words.database.cards, words.database.all_effects

    def counts(card: str) -> bool:
        return bool(cards[card].vp) or any(effect.timing == "end-of-game" for effect in effects.get(card, ()))

    groups = [*in_hall(words, setup), *in_hand(words, setup)[:3]]
    filtered = [group._replace(cards=tuple(filter(counts, group.cards))) for group in groups]
    return [group for group in filtered if group.cards]


class Signs(NamedTuple):
    """The signs on a tile beside the name: the kind and level, also in words (``label``), and its figures."""

    kind: str
    label: str
    level: int
    figures: tuple[tuple[str, int], ...]


def signs_of(words: Language, card_id: str, in_battle: bool = False) -> Signs:
    """Return the signs of a card; ``in_battle`` it shows what it is worth in a hand, unless it is won there."""
    card = words.database.cards[card_id]
    is_typed = card.kind in ("village", "basic")
    kind = next(card_type for card_type in ("hero", *_ORDER) if card_type in card.types) if is_typed else card.kind
    parts = [words.say(f"card.{'type' if is_typed else 'kind'}.{kind}")]
    parts += [words.say("card.level", level=card.level)] if card.level else []
    names = [figure for figure in _SHOWN if figure != "cost" or card.kind in ("hero", "village")]
    names = [*_IN_BATTLE] if in_battle and card.kind not in WON else names
    figures = tuple((figure, value) for figure in names if (value := getattr(card, figure)))
    return Signs(kind, ", ".join(parts), card.level or 0, figures)


def size_of(name: str) -> str:
    """The class of a tile: a long word needs smaller letters, for browsers break Polish and Russian words badly."""
    longest = max((len(word) for word in name.replace("-", " ").split()), default=0)
    return next((size for letters, size in _SIZES.items() if longest > letters), "")


def _may_be_met(database: Database, card: Card) -> bool:
    # a placeholder of the Horde is replaced when it is revealed (R1.3)
    return all(effect.timing != "reveal" for effect in database.all_effects.get(card.id, ()))
