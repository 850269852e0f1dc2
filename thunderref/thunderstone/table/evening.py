"""An evening at the real table: a file of events, and the table that follows from them.

Each event says what was done and what came of it by the rules, so that to fold them is to add and take away. One
process writes at a time; every face (commands, prompt, phones) reads the same. With what else a table remembers it
moves as one text between a laptop and a phone, or from phone to phone.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

import msgspec

from thunderref import files
from thunderref.database.card_records import RANKS
from thunderref.database.read import Language, open_database
from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.resolve.start import Finder, cards_of
from thunderref.thunderstone.rules.end_of_turn import HAND
from thunderref.thunderstone.setup.codes import boxes_named, require_boxes
from thunderref.thunderstone.setup.memory import COLLECTION, TONIGHT, Tonight

FILE = "evening.jsonl"
OWNED = frozenset(("hero", "basic", "village", "monster", "disease", "thunderstone", "guardian", "trap"))
ACTIONS = ("battle", "visit", "rest")
"""What a player does in a turn, one of them (R2.1)."""
PLACED = ("hall", "correct")
"""Events that name the cards of the hall, and move nothing there."""
TOGETHER = (("hall", "rank0", "tokens"), ("deck", "deck_list", "discard", "deck_size"), ("stacks", "village"))
"""Keys of which none is filled in where somebody gave one."""


class EveningEvent(Record, kw_only=True, omit_defaults=True):
    """An event of an evening, and what came of it by the rules. ``ends``: the turn ended with it.

    ``start``: the ``code`` of the set-up, its ``stacks``, ``variant`` and ``level``, the ``players`` with the ``decks``
    they begin with. Else the ``player`` who did it; the cards their deck ``gained`` and those ``destroyed`` of it, the
    ``xp`` won or paid, the ``hall`` and ``rank0`` as they are afterwards (None: as before). ``hand`` are the cards that
    are in the discard pile after the turn, None if nobody said them, and ``kept`` those of them put on the deck;
    ``untold``: cards that nobody named left the deck too. ``stacks`` are those that changed, as they are afterwards.
    A battle has its ``rank``, ``monster``, sum (``total`` against ``health``), and if the players saw another result
    than the rules give, ``seen``. ``line`` is the play that was shown.

    ``unseen`` are cards of the hand that nobody had named before. ``toll`` is what a guardian took of the next hand
    (R6.7), ``tokens`` and ``penalty`` are those of R9.6, ``caged`` the heroes held (R6.10), ``lost`` the monsters that
    escaped and ``quiet`` an earned rest (R9.5), ``stone`` the first of two that came to rank 1 (R9.1), ``breach`` one
    there whose breach did what nobody has told (R6.6). In a correction ``lost`` and ``penalties`` are all that there
    are. ``over``: the game ended with it (R7.1). ``loaded`` is on the last event of a file: how many came in it.
    """

    do: Literal["start", "hall", "battle", "visit", "level", "rest", "penalty", "correct", "next", "end"]
    code: str = ""
    variant: str = ""
    level: str = ""
    players: tuple[str, ...] = ()
    decks: tuple[dict[str, int], ...] = ()
    stacks: dict[str, int] = {}
    player: str = ""
    hand: tuple[str, ...] | None = None
    kept: tuple[str, ...] = ()
    untold: bool = False
    unseen: tuple[str, ...] = ()
    rank: int = 0
    monster: str = ""
    won: bool = False
    seen: bool = False
    total: int | None = None
    health: int = 0
    line: list[dict[str, Any]] = []
    hall: tuple[str | None, ...] | None = None
    rank0: tuple[str, ...] | None = None
    gained: tuple[str, ...] = ()
    destroyed: tuple[str, ...] = ()
    xp: int = 0
    toll: tuple[str, ...] = ()
    tokens: int | None = None
    penalty: str = ""
    penalties: tuple[str, ...] | None = None
    caged: tuple[str, ...] | None = None
    lost: tuple[str, ...] | None = None
    quiet: bool = False
    stone: str = ""
    breach: str = ""
    over: bool = False
    ends: bool = False
    loaded: int = 0


class EveningPlayer:
    """A player's cards, XP and penalty cards; ``discard`` is None while nobody knows the discard pile."""

    def __init__(self, name: str, deck: Mapping[str, int]) -> None:
        self.name = name
        self.deck = Counter(deck)
        self.discard: Counter[str] | None = Counter()
        self.xp = 0
        self.penalties: list[str] = []
        self.battles: list[EveningEvent] = []

    def take(self, event: EveningEvent) -> None:
        self.deck += Counter(event.gained)
        self.deck -= Counter((*event.destroyed, *event.toll))
        self.xp = max(0, self.xp + event.xp)
        self.penalties = self.penalties if event.penalties is None else [*event.penalties]
        if event.penalty:
            self.penalties.append(event.penalty)
        if event.monster:
            self.battles.append(event)
        if event.do == "correct" and (event.gained or event.destroyed):
            self.discard = None

    def end_turn(self, events: Sequence[EveningEvent]) -> None:
        """Discards what the turn brought and draws six cards (R2.1); an empty deck is shuffled anew (R2.2)."""
        hands = [event.hand for event in events if event.hand is not None]
        if self.discard is None or len(hands) != 1 or any(event.untold for event in events):
            self.discard = None
            return
        self.discard += Counter(hands[0])
        for event in events:
            self.discard += Counter(event.gained)
            self.discard -= Counter((*event.destroyed, *event.kept))
        if self.deck.total() - self.discard.total() < HAND:
            self.discard = Counter()

    def lacks(self, cards: Iterable[str]) -> list[str]:
        """Return the cards among these that are not in the deck, as far as it is known."""
        return sorted((Counter(cards) - self.deck).elements())

    def drawn_from(self, hand: Iterable[str]) -> list[str] | None:
        """What may still be drawn beside this hand, None if nobody knows, or the hand shows that it is not so."""
        if self.discard is None or Counter(hand) - Counter(self.lacks(hand)) - (self.deck - self.discard):
            return None
        return sorted((self.deck - self.discard - Counter(hand)).elements())


class Evening:
    """The table as the events left it; raises :class:`InputError` (``evening-damaged``) if they cannot be.

    In the ``hall`` None is a card that nobody has named, "" an empty rank; ``came_unnamed``: one at rank 1 came there
    in a turn. ``ending``: the event with which the game ended, though the evening may go on with corrections.
    """

    def __init__(self, events: Sequence[EveningEvent]) -> None:
        starts = [n for n, event in enumerate(events) if event.do == "start"]
        if not starts or len(events[starts[-1]].players) != len(events[starts[-1]].decks):
            raise damaged()
        self.events = events[starts[-1] :]
        first = self.events[0]
        self.code, self.variant, self.level = first.code, first.variant or "normal", first.level or "normal"
        self.players = [EveningPlayer(name, deck) for name, deck in zip(first.players, first.decks, strict=True)]
        self.stacks = dict(first.stacks)
        self.hall: tuple[str | None, ...] = (None if first.hall is None else "",) * RANKS
        self.rank0: tuple[str, ...] = ()
        self.caged: tuple[str, ...] = ()
        self.lost: tuple[str, ...] = ()
        self.tokens, self.quiet, self.first_stone = 0, False, ""
        self.turn, self.over = 1, False
        self.ending: EveningEvent | None = None
        self.came_unnamed = False
        self.of_turn: list[EveningEvent] = []
        for event in self.events[1:]:
            self._take(event)

    def _take(self, event: EveningEvent) -> None:
        if event.do == "hall" and self.ending is not None and self.ending.do == "hall":  # no Thunderstone was there
            self.player(self.ending.player or None).deck -= Counter(self.ending.gained)
            self.ending = None
        if event.player:
            player = self.player(event.player)
            unseen = Counter(player.lacks(event.hand or ()))  # a hand shows what a deck has
            player.deck += unseen
            if event.do != "correct":
                for card in (*unseen.elements(), *event.gained):
                    if card in self.stacks:
                        self.stacks[card] = max(0, self.stacks[card] - 1)
            player.take(event)
        for player in self.players if event.breach else ():
            player.discard = None
        self.stacks |= event.stacks
        if event.hall is not None:
            moved = self.hall[0] is not None or self.variant in ("solo", "marauding") or event.rank == 1
            self.came_unnamed = event.hall[0] is None and (self.came_unnamed or (moved and event.do not in PLACED))
        self.hall = self.hall if event.hall is None else (*event.hall, *[None] * RANKS)[:RANKS]
        self.rank0 = self.rank0 if event.rank0 is None else event.rank0
        self.caged = self.caged if event.caged is None else event.caged
        self.tokens = self.tokens if event.tokens is None else event.tokens
        self.quiet = event.quiet if event.do in ACTIONS else self.quiet
        self.first_stone = self.first_stone or event.stone
        self.lost = self.lost if event.lost is None else (*(() if event.do == "correct" else self.lost), *event.lost)
        self.over = event.do == "end" or (self.over and event.do == "correct")
        self.ending = event if event.over else self.ending
        self.of_turn.append(event)
        if event.ends:
            self.active.end_turn([event for event in self.of_turn if event.player == self.active.name])
            self.turn, self.of_turn = self.turn + 1, []

    @property
    def finished(self) -> bool:
        """True once the game has ended (R7.1)."""
        return self.ending is not None

    @property
    def has_winner(self) -> bool:
        """True once the decks decide who won: at the end, before it only if nobody plays alone."""
        return self.finished or (self.over and self.variant != "solo")

    @property
    def active(self) -> EveningPlayer:
        """The player whose turn it is."""
        return self.players[(self.turn - 1) % len(self.players)]

    def player(self, name: str | None) -> EveningPlayer:
        """The player of that name, None for whose turn it is; raises :class:`InputError` (``evening-player``)."""
        if name is None:
            return self.active
        for player in self.players:
            if player.name.casefold() == name.strip().casefold():
                return player
        raise InputError("evening-player", name=name[:40], candidates=[player.name for player in self.players])

    @property
    def decks(self) -> dict[str, list[str]]:
        """All cards of each player, as a document of the score has them."""
        return {player.name: sorted(player.deck.elements()) for player in self.players}

    @property
    def penalty_due(self) -> bool:
        """True if the monster at rank 1 has waited long enough to be a penalty card (R9.6)."""
        return self.variant == "marauding" and self.tokens >= len(self.players)

    @property
    def penalties(self) -> dict[str, int]:
        return {player.name: len(player.penalties) for player in self.players if player.penalties}

    def document_fields(self, hand: Sequence[str], name: str | None = None) -> dict[str, Any]:
        """All that a document may say of the table, for that player with this hand (ids)."""
        player = self.player(name)
        place = self.players.index(player)
        decks = [sorted(seat.deck.elements()) for seat in (*self.players[place:], *self.players[:place])]
        bought = Counter(player.lacks(hand))  # though nobody said so
        offer = [f"{n - bought[card]} {card}" for card, n in self.stacks.items() if n > bought[card]]
        variant = "normal" if self.first_stone and self.variant == "epic" else self.variant  # the second ends it
        fields: dict[str, Any] = {"xp": player.xp, "stacks": offer, "village": offer, "players": len(self.players)}
        fields |= {"code": self.code, "decks": decks, "deck_list": player.drawn_from(hand)}
        if player.discard is not None and fields["deck_list"] is not None:
            fields |= {"discard": sorted(player.discard.elements())}
        if any(self.hall) or self.rank0:
            fields |= {"hall": [card or None for card in self.hall], "rank0": [*self.rank0]}
            fields |= {"tokens": self.tokens if self.hall[0] else 0}
        return fields | {"variant": variant, "level": self.level, "caged": [*self.caged]}


def find_cards(words: Language, entries: Iterable[str], kinds: frozenset[str] = OWNED) -> list[str]:
    """The ids of the cards that entries such as ``2 militia`` name; raises the errors of :class:`Finder`."""
    return cards_of([*entries], Finder(words.database, words.lang, for_record=True), kinds)


def fill(
    evening: Evening | None, tonight: Tonight | None, words: Language, document: dict[str, Any], record: type[Record],
    player: str | None = None,
) -> None:  # fmt: skip
    """Adds to a document of that kind what nobody gave: what the evening knows, else the stacks on the table.

    A hand that names no cards is refused later, when the document is judged.
    """
    fields: dict[str, Any] = {}
    if evening is not None:
        hand: list[str] = []
        with suppress(ThunderrefError):
            hand = find_cards(words, document.get("hand") or [])
        fields = evening.document_fields(hand, player)
    elif tonight is not None:
        fields = {"stacks": [*tonight.stacks], "code": tonight.code}
    filled = {name for names in TOGETHER for name in names if any(document.get(key) is not None for key in names)}
    if [*(document.get("hall") or []), *[None] * RANKS][:RANKS] == fields.get("hall"):  # the evening's own
        filled.difference_update(TOGETHER[0])
    for key in record.__struct_fields__:
        if key not in filled and document.get(key) is None and fields.get(key) is not None:
            document[key] = fields[key]


def damaged() -> InputError:
    return InputError("evening-damaged", file=str(files.state_file(FILE)))


def read_events() -> list[EveningEvent]:
    """The events kept, none if there is no file; raises :class:`InputError` (``evening-damaged``)."""
    path = files.state_file(FILE)
    if not os.path.exists(path):
        return []
    try:
        lines = files.read_text(path).splitlines()
        return [msgspec.convert(files.parse_json(line, path), EveningEvent) for line in lines]
    except (InputError, msgspec.ValidationError):
        raise damaged() from None


def read_evening() -> Evening | None:
    events = read_events()
    return Evening(events) if events else None


def latest_evening() -> Evening | None:
    """The latest evening kept; None if there is none, or one that cannot be read."""
    with suppress(InputError):
        return read_evening()
    return None


@lru_cache(1)
def _evening_at(_: str) -> Evening | None:
    return latest_evening()


def evening_with(code: str, *, over: bool = False) -> Evening | None:
    """The evening under way (or ``over``) with that set-up; None if there is none, or one that cannot be read."""
    now = _evening_at(mark) if (mark := version()) else None
    return now if now is not None and now.code == code and (over or not now.over) else None


def require_no_evening(tonight: Tonight | None) -> None:
    """Raises :class:`NoAnswerError` (``evening-running``) if the evening with the set-up on the table has begun.

    One without any event can be replaced by another without a question.
    """
    now = None if tonight is None else evening_with(tonight.code)
    if now is not None and len(now.events) > 1:
        raise NoAnswerError("evening-running", names=", ".join(player.name for player in now.players), n=now.turn)


def require_evening(evening: Evening | None) -> Evening:
    """The evening; raises :class:`NoAnswerError` without one (``no-evening``), or without a box that it needs."""
    if evening is None:
        raise NoAnswerError("no-evening")
    require_boxes(evening.code, open_database())
    return evening


def keep(make: Callable[[Evening], EveningEvent]) -> Evening:
    """Adds the event that is made of the evening as it is, while nobody else writes; gives the evening after it.

    Raises :class:`NoAnswerError` without an evening, what ``make`` raises, and :class:`InputError` if the file cannot
    be written.
    """
    return Evening(rewrite(lambda events: [*events, make(require_evening(Evening(events) if events else None))]))


def begin(*events: EveningEvent) -> Evening:
    """Begins an evening; the one before is kept beside it until the next, so that this can be taken back."""
    return Evening(rewrite(lambda before: [*(Evening(before).events if before else ()), *events]))


def take_back() -> tuple[EveningEvent, Evening | None]:
    """Takes the last event back, or all of a file loaded: it, and the evening without it.

    Raises as :func:`require_evening`, with everything as it was.
    """
    undone: list[EveningEvent] = []

    def shorter(events: list[EveningEvent]) -> list[EveningEvent]:
        require_evening(Evening(events) if events else None)
        undone.append(events[-1])
        return events[: -max(1, events[-1].loaded)]

    events = rewrite(shorter)
    return undone[0], Evening(events) if events else None


def rewrite(change: Callable[[list[EveningEvent]], list[EveningEvent]]) -> list[EveningEvent]:
    """Puts what ``change`` makes of the events that are kept in their place, while nobody else writes."""
    path = files.state_file(FILE)
    files.make_folder(path)
    with files.only_writer(path):
        events = change(read_events())
        lines = (json.dumps(event.model_dump(), ensure_ascii=False) + "\n" for event in events)
        files.write_text(path, "".join(lines), replace=True)
    return events


def version() -> str:
    """A mark of the file as it is now: another one if anything changed."""
    try:
        status = os.stat(files.state_file(FILE))
    except OSError:
        return ""
    return f"{status.st_mtime_ns:x}-{status.st_size:x}"


FILES = (TONIGHT.name, COLLECTION.name, FILE)
"""Those of the program's own folder that make an evening."""


def pack(*more: str) -> dict[str, Any]:
    """The text of each file that there is, by its name: of an evening, and ``more`` of the program's own."""
    paths = {name: files.state_file(name) for name in (*FILES, *more)}
    return {"thunderref": {name: files.read_text(path) for name, path in paths.items() if os.path.exists(path)}}


def users_of(box: str) -> list[str]:
    """The names of remembered files that need a user's box; a file that cannot be read needs none."""
    needs: dict[str, Collection[str]] = {}
    with suppress(InputError):
        needs["tonight"] = boxes_named(tonight.code) if (tonight := TONIGHT.read()) else ()
    if (now := latest_evening()) is not None and not now.over:
        needs["evening"] = boxes_named(now.code)
    with suppress(InputError):
        needs["collection"] = owned.boxes if (owned := COLLECTION.read()) else ()
    return [name for name, boxes in needs.items() if box in boxes]


def read_packed(text: str, name: str = "-") -> dict[str, Any]:
    """The document of such a text, of the file ``name``; :class:`InputError` (``kept-other``) for another one."""
    document = files.parse_json(text, name, lambda *_: InputError("kept-other"))
    texts = document.get("thunderref") if isinstance(document, dict) else None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise InputError("kept-other")
    return dict(document)


def load(text: str, *more: str) -> dict[str, Any]:
    """Unpack a text; an evening that was there is kept before the one that comes, so that it can be taken back."""
    before, document = latest_evening(), unpack(text, *more)
    if before and (new := latest_evening()) and new.events != before.events:
        *earlier, last = new.events
        events = [*before.events, *earlier, msgspec.structs.replace(last, loaded=len(new.events))]
        rewrite(lambda _: events)
    return document


def unpack(text: str, *more: str) -> dict[str, Any]:
    """Put the files of such a text in the place of those there are, and return what the text says besides.

    Raises :class:`InputError` (``kept-other``) for another text, and if they cannot be written.
    """
    document = read_packed(text)
    texts, there = document["thunderref"], dict[str, str]()
    with suppress(InputError):  # what cannot be read is no loss
        there = pack(*more)["thunderref"]
    _put(texts, (*FILES, *more))
    try:
        TONIGHT.read(), COLLECTION.read(), read_events()
    except InputError:
        _put(there, (*FILES, *more))
        raise InputError("kept-other") from None
    return {key: value for key, value in document.items() if key != "thunderref"}


def _put(texts: Mapping[str, str], names: Iterable[str]) -> None:
    """Write the files of these names that have a text, and remove the others."""
    for name in names:
        path = files.state_file(name)
        files.make_folder(path)
        if name in texts:
            files.write_text(path, texts[name], replace=True)
        else:
            files.remove_file(path)
