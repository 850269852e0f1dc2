"""From a scenario document to the state the engine starts from."""

from __future__ import annotations

import re
from typing import Any

from thunderref.engine.aftermath import STACKED
from thunderref.engine.hall import NOBODY, RANKS
from thunderref.engine.state import Foe, Slot, State, Table
from thunderref.engine.world import Seat, World, tops
from thunderref.errors import InputError, NoAnswerError
from thunderref.lookup.search import find_card
from thunderref.lookup.switches import other_readings
from thunderref.model.scenario import Scenario
from thunderref.solve.documents import read_document
from thunderref.solve.notation import STEP_KEYS
from thunderref.store.catalog import load_book
from thunderref.store.read import Store

MOST_OTHERS = 4
MOST_CARDS = 24
MOST_COPIES = 999
"""A revealed hand is six cards and what was drawn; more than this is a slip of the pen."""

HALL_KINDS = frozenset({"monster", "guardian", "thunderstone"})
DUNGEON_KINDS = HALL_KINDS | {"trap"}
HAND_KINDS = frozenset({"hero", "village", "basic", "monster", "guardian", "disease", "thunderstone"})

_COUNTED = re.compile(r"^\s*(\d{1,9})\s*[x×х*]?\s+(?=\D)(.+)$|^\s*(.+?)\s*[x×х*]\s*(\d{1,9})\s*$", re.IGNORECASE)


def read_scenario(document: Any) -> Scenario:
    """Validates a scenario document; raises :class:`InputError` naming the key that is wrong."""
    return read_document(Scenario, document, STEP_KEYS)


class Finder:
    """Finds cards by name for one scenario; remembers what it found."""

    def __init__(self, store: Store, lang: str | None) -> None:
        self.store = store
        self.lang = lang
        self._known: dict[tuple[str, frozenset[str] | None], str] = {}

    def __call__(self, text: str, kinds: frozenset[str] | None = None) -> str:
        """The id of the card; raises NoAnswerError for an unknown or ambiguous name."""
        if text in self.store.cards and (kinds is None or self.store.cards[text].kind in kinds):
            return self.store.cards[text].reprint_of or text
        key = (text, kinds)
        if key not in self._known:
            found = self._found(text, kinds)
            self._known[key] = self.store.cards[found].reprint_of or found
        return self._known[key]

    def _found(self, text: str, kinds: frozenset[str] | None) -> str:
        try:
            return find_card(self.store, text, kinds, lang=self.lang)
        except NoAnswerError as error:
            if kinds is None or error.code != "unknown-card":
                raise
            try:  # there may be such a card, only not of a kind that can lie there
                elsewhere = find_card(self.store, text, None, lang=self.lang)
            except NoAnswerError:
                raise error from None
            raise NoAnswerError("wrong-kind", card=elsewhere, candidates=error.candidates) from None


def cards_of(entries: list[str], find: Finder, kinds: frozenset[str]) -> list[str]:
    """The card ids of entries such as ``2 militia``, ``torch``, ``militia#2``, copies repeated."""
    found: list[str] = []
    for entry in entries:
        count, name = counted(entry)
        name, mark, copy = name.partition("#")
        if mark and not (copy.strip().isdecimal() and int(copy)):
            raise InputError("bad-copy", name=entry.strip())
        card = find(name.strip(), kinds)
        found += [card] * count
    return found


def counted(entry: str) -> tuple[int, str]:
    """Splits ``2 militia``, ``2x militia`` or ``militia x2`` into number and name."""
    match = _COUNTED.match(entry)
    if match is None:
        return 1, entry.strip()
    number, name = (match[1], match[2]) if match[1] else (match[4], match[3])
    if int(number) == 0:
        raise InputError("zero-copies", name=entry.strip())
    if int(number) > MOST_COPIES:
        raise InputError("too-many-cards", n=int(number), most=MOST_CARDS)
    return int(number), name.strip()


def split_list(text: str) -> list[str]:
    """The entries of quick syntax, separated by commas or semicolons; a dash stands for an empty rank."""
    return [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]


def split_hall(text: str) -> list[str]:
    """The ranks of quick syntax, rank 1 first; an entry left empty is an empty rank, those at the end are dropped."""
    ranks = [part.strip() for part in re.split(r"[,;\n]", text)]
    while ranks and not ranks[-1]:
        ranks.pop()
    return ranks


def position(scenario: Scenario, store: Store, find: Finder) -> tuple[Table, State]:
    """The table and the opening state of a scenario.

    Raises :class:`InputError` for an empty hand or hall, too many cards, more than three ranks.
    """
    book = load_book(store)
    hand = cards_of(scenario.hand, find, HAND_KINDS)
    if not hand:
        raise InputError("empty-hand")
    if len(hand) > MOST_CARDS:
        raise InputError("too-many-cards", n=len(hand), most=MOST_CARDS)
    if len(scenario.hall) > RANKS:
        raise InputError("too-many-ranks", n=len(scenario.hall))
    hall = [NOBODY if _is_blank(name) else Foe(find(str(name), HALL_KINDS)) for name in scenario.hall]
    rank0 = tuple(Foe(find(name, frozenset({"guardian"}))) for name in scenario.rank0)
    if not rank0 and all(not foe.card for foe in hall):
        raise InputError("empty-hall")
    hall += [NOBODY] * (RANKS - len(hall))
    village = None
    if scenario.village is not None:
        listed = cards_of(scenario.village, find, STACKED)
        village = tops(book, tuple((card, 1) for card in listed))  # of a family only the lowest level can be had (R3.3)
    readings = other_readings(store, scenario.readings)
    cards_of(scenario.discard, find, HAND_KINDS)  # nothing hangs on it here, but no name is let pass unread
    others = [tuple(cards_of(hand, find, HAND_KINDS)) for hand in scenario.others]
    if len(others) > MOST_OTHERS:
        raise InputError("too-many-others", n=len(others), most=MOST_OTHERS)
    players = max(scenario.players, 1 + len(others))
    table = Table(book, scenario.ruleset, village, players, readings=readings)
    copies: dict[str, int] = {}
    slots = []
    for card in hand:
        copies[card] = copies.get(card, 0) + 1
        slots.append(Slot(card, copies[card]))
    state = State(
        phase="prepare",
        hand=tuple(slots),
        hall=tuple(hall),
        rank0=rank0,
        deck=tuple(cards_of(scenario.deck or [], find, HAND_KINDS)),
        dungeon=tuple(cards_of(scenario.dungeon or [], find, DUNGEON_KINDS)),
        world=World(0, (Seat(), *(Seat(hand) for hand in others)), described=True) if others else None,
    )
    return table, state


def _is_blank(name: str | None) -> bool:
    return name is None or name.strip() in ("", "-", "–", "—", "null")
