"""An evening at the real table: a file of events, and the table that follows from them.

Each event says what was done and what came of it by the rules, so that to fold them is to add and take away. Whoever
writes holds the file alone; every face (commands, prompt, phones) reads the same.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Literal

from thunderref import files
from thunderref.database.card_records import RANKS
from thunderref.database.read import Language
from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.resolve.start import Finder, cards_of
from thunderref.thunderstone.rules.end_of_turn import HAND
from thunderref.thunderstone.setup.memory import Tonight

FILE = "evening.jsonl"
OWNED = frozenset(("hero", "basic", "village", "monster", "disease", "thunderstone", "guardian", "trap"))


class EveningEvent(Record, kw_only=True, omit_defaults=True):
    """What happened. ``ends``: the turn ended with it.

    ``start``: the ``code`` of the set-up, its ``stacks``, the ``players`` with the ``decks`` they begin with. Else the
    ``player`` who did it; the cards their deck ``gained`` and those ``destroyed`` of it, the ``xp`` won or paid, the
    ``hall`` and ``rank0`` as they are afterwards (None: as before). ``hand`` are the cards discarded with the turn,
    None if nobody said them; later ``stacks`` put right the first. A battle has its ``rank``, ``monster``, ``line`` and
    sum: ``total`` against ``health``.
    """

    do: Literal["start", "hall", "battle", "visit", "level", "rest", "correct", "next", "end"]
    code: str = ""
    players: tuple[str, ...] = ()
    decks: tuple[dict[str, int], ...] = ()
    stacks: dict[str, int] = {}
    player: str = ""
    hand: tuple[str, ...] | None = None
    rank: int = 0
    monster: str = ""
    won: bool = False
    total: int | None = None
    health: int = 0
    line: list[dict[str, Any]] = []
    hall: tuple[str | None, ...] | None = None
    rank0: tuple[str, ...] | None = None
    gained: tuple[str, ...] = ()
    destroyed: tuple[str, ...] = ()
    xp: int = 0
    ends: bool = False


class EveningPlayer:
    """A player's cards and XP; ``discard`` is None while nobody knows what lies in the discard pile."""

    def __init__(self, name: str, deck: Mapping[str, int]) -> None:
        self.name = name
        self.deck = Counter(deck)
        self.discard: Counter[str] | None = Counter()
        self.xp = 0
        self.battles: list[EveningEvent] = []

    def take(self, event: EveningEvent) -> None:
        self.deck += Counter(event.gained)
        self.deck -= Counter(event.destroyed)
        self.xp = max(0, self.xp + event.xp)
        if event.do == "battle":
            self.battles.append(event)
        if event.do == "correct" and (event.gained or event.destroyed):
            self.discard = None

    def end_turn(self, told: Sequence[EveningEvent]) -> None:
        """Discards what the turn brought and draws six cards (R2.1); an empty deck is shuffled anew (R2.2)."""
        hands = [event.hand for event in told if event.hand is not None]
        if self.discard is None or len(hands) != 1:
            self.discard = None
            return
        self.discard += Counter(hands[0])
        for event in told:
            self.discard += Counter(event.gained)
            self.discard -= Counter(event.destroyed)
        if self.deck.total() - self.discard.total() < HAND:
            self.discard = Counter()

    def drawn_from(self, hand: Iterable[str]) -> list[str] | None:
        """What may still be drawn beside this hand, None if nobody knows."""
        if self.discard is None:
            return None
        return sorted((self.deck - self.discard - Counter(hand)).elements())


class Evening:
    """The table as the events left it; raises :class:`InputError` (``evening-damaged``) if they cannot be."""

    def __init__(self, events: Sequence[EveningEvent]) -> None:
        starts = [n for n, event in enumerate(events) if event.do == "start"]
        if not starts or len(events[starts[-1]].players) != len(events[starts[-1]].decks):
            raise damaged()
        self.events = events[starts[-1] :]
        first = self.events[0]
        self.code = first.code
        self.players = [EveningPlayer(name, deck) for name, deck in zip(first.players, first.decks, strict=True)]
        self.stacks = dict(first.stacks)
        self.hall: tuple[str | None, ...] = (None,) * RANKS
        self.rank0: tuple[str, ...] = ()
        self.turn, self.over = 1, False
        self._of_turn: list[EveningEvent] = []
        for event in self.events[1:]:
            self._take(event)

    def _take(self, event: EveningEvent) -> None:
        if event.player:
            player = self.player(event.player)
            shown = Counter(event.hand or ()) - player.deck  # a hand shows what a deck has
            player.deck += shown
            if event.do != "correct":
                for card in (*shown.elements(), *event.gained):
                    if card in self.stacks:
                        self.stacks[card] = max(0, self.stacks[card] - 1)
            player.take(event)
        self.stacks |= event.stacks
        self.hall = self.hall if event.hall is None else (*event.hall, *[None] * RANKS)[:RANKS]
        self.rank0 = self.rank0 if event.rank0 is None else event.rank0
        self.over = event.do == "end"
        self._of_turn.append(event)
        if event.ends:
            self.active.end_turn([each for each in self._of_turn if each.player == self.active.name])
            self.turn, self._of_turn = self.turn + 1, []

    @property
    def active(self) -> EveningPlayer:
        """Whose turn it is."""
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
        return {each.name: sorted(each.deck.elements()) for each in self.players}

    def known(self, hand: Sequence[str], name: str | None = None) -> dict[str, Any]:
        """What a document may say of the table, for that player with this hand (ids)."""
        player = self.player(name)
        place = self.players.index(player)
        decks = [sorted(each.deck.elements()) for each in (*self.players[place:], *self.players[:place])]
        shown = Counter(hand) - player.deck  # bought, though nobody said so
        offer = [f"{left} {card}" for card, n in self.stacks.items() if (left := n - shown[card]) > 0]
        found: dict[str, Any] = {"xp": player.xp, "stacks": offer, "players": len(self.players), "code": self.code}
        found |= {"decks": decks, "discard": None if player.discard is None else sorted(player.discard.elements())}
        if any(self.hall) or self.rank0:
            found |= {"hall": [*self.hall], "rank0": [*self.rank0]}
        return found | ({"deck_list": player.drawn_from(hand)} if hand else {})


def fill(
    evening: Evening | None, tonight: Tonight | None, words: Language, document: dict[str, Any], keys: Iterable[str],
    player: str | None = None,
) -> None:  # fmt: skip
    """Adds to a document those of its ``keys`` that nobody gave: what the evening knows, else the stacks on the table.

    A hand that names no cards is left to whoever judges the document.
    """
    known: dict[str, Any] = {}
    if evening is not None:
        hand: list[str] = []
        with suppress(ThunderrefError):
            hand = cards_of(document.get("hand") or [], Finder(words.database, words.lang), OWNED)
        known = evening.known(hand, player)
    elif tonight is not None:
        known = {"stacks": [*tonight.stacks], "code": tonight.code}
    given = {"hall", "rank0"} if document.get("hall") is not None or document.get("rank0") is not None else set()
    given |= {"deck_list"} if document.get("deck") is not None else set()
    given |= {"discard"} if document.get("deck_list") is not None else set()
    for key in keys:
        if key not in given and document.get(key) is None and known.get(key) is not None:
            document[key] = known[key]


def damaged() -> InputError:
    return InputError("evening-damaged", file=str(files.state_file(FILE)))


def read_events() -> list[EveningEvent]:
    """The events kept, none if there is no file; raises :class:`InputError` (``evening-damaged``)."""
    import msgspec

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


def evening_with(code: str, *, over: bool = False) -> Evening | None:
    """The evening under way (or ``over``) with that set-up; None if there is none, or one that cannot be read."""
    found = _read_once(mark) if (mark := version()) else None
    return found if found is not None and found.code == code and (over or not found.over) else None


@lru_cache(1)
def _read_once(_: str) -> Evening | None:
    with suppress(InputError):
        return read_evening()
    return None


def require_evening(evening: Evening | None) -> Evening:
    """The evening; raises :class:`NoAnswerError` (``no-evening``) without one."""
    if evening is None:
        raise NoAnswerError("no-evening")
    return evening


def keep(make: Callable[[Evening], EveningEvent]) -> Evening:
    """Adds the event that is made of the evening as it is, while nobody else writes; gives the evening after it.

    Raises :class:`NoAnswerError` without an evening, what ``make`` raises, and :class:`InputError` if the file cannot
    be written.
    """

    def grown(events: list[EveningEvent]) -> list[EveningEvent]:
        return [*events, make(require_evening(Evening(events) if events else None))]

    return Evening(_rewrite(grown))


def begin(event: EveningEvent) -> Evening:
    """Begins an evening; the one before is kept beside it until the next, so that this can be taken back."""

    def grown(events: list[EveningEvent]) -> list[EveningEvent]:
        return [*(Evening(events).events if events else ()), event]

    return Evening(_rewrite(grown))


def take_back() -> tuple[EveningEvent, Evening | None]:
    """Takes the last event back: it, and the evening without it; raises :class:`NoAnswerError` if there is none."""
    taken: list[EveningEvent] = []

    def shorter(events: list[EveningEvent]) -> list[EveningEvent]:
        if not events:
            raise NoAnswerError("no-evening")
        taken.append(events[-1])
        return events[:-1]

    left = _rewrite(shorter)
    return taken[0], Evening(left) if left else None


def _rewrite(change: Callable[[list[EveningEvent]], list[EveningEvent]]) -> list[EveningEvent]:
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
        found = os.stat(files.state_file(FILE))
    except OSError:
        return ""
    return f"{found.st_mtime_ns:x}-{found.st_size:x}"
