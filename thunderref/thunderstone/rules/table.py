"""The whole table beyond one player's turn: seats, stacks, what left the game (R1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.values import replace

Stacks = tuple[tuple[str, int], ...]
"""Cards on offer with the copies left; of a hero stack the lowest level left lies on top (R1.6)."""
Card = TypeVar("Card")
Data = TypeVar("Data")
DISEASE = "disease"
"""Without limit (R1.6, R0.3)."""
Will = tuple[int, str, str]
"""A seat, the card it likes best to give or show, and the card whose effect asks; "" where that is an assumption."""


class Seat(Struct, frozen=True, gc=False):
    """A player: their cards (deck top first, discard pile first discarded first), XP, penalty cards (R9.6).

    The cards of the active player are those of the turn; their seat holds only XP and penalty cards.
    """

    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    xp: int = 0
    penalties: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.hand, *self.deck, *self.discard)


class Shuffle(Struct, frozen=True, gc=False):
    """Cards to shuffle now: the discard pile of ``seat`` (``deck``) or the player's hand (``hand``)."""

    seat: int
    cards: tuple[str, ...]
    what: str = "deck"


class For(NamedTuple, Generic[Data]):
    """The data of a task that the player at ``seat`` decides, or whose cards it is about."""

    seat: int
    data: Data = None  # type: ignore[assignment]


class Table(Struct, frozen=True, gc=False):
    """Everything on the table that is not the active player's own and not the dungeon; ``turn`` counts from 1.

    ``horde`` is the Horde deck, the next card first (R1.3); ``removed`` is out of the game for good (R0.3).
    """

    active: int
    seats: tuple[Seat, ...]
    stacks: Stacks = ()
    horde: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    cages: tuple[tuple[str, str], ...] = ()
    """Cages in play: (the trap, the hero in it) (R6.10)."""
    lost: tuple[str, ...] = ()
    """Monsters that reached the village in the solo game (R9.5)."""
    due: bool = False
    """True while the active player must attack the monster at rank 1 (R9.6)."""
    fined: bool = False
    """True for the rest of a turn that began with a penalty card: the next clock starts in the next turn (R9.6)."""
    respite: bool = False
    """True if no monster comes at the end of this turn (R9.5)."""
    open: tuple[tuple[int, str], ...] = ()
    """Cards turned up off decks, not yet discarded or destroyed: (seat, card)."""
    shown: tuple[tuple[int, str], ...] = ()
    """What the other players discarded to the effect under way: (seat, card)."""
    described: bool = False
    """True where only the hands of the other players are known: a described scenario, no game."""
    wills: tuple[Will, ...] = ()
    lent: tuple[tuple[tuple[str, int], int], ...] = ()
    """Borrowed cards: (the copy in the active hand, whose it is)."""
    turn: int = 1
    hunted: tuple[tuple[tuple[str, int], int, str], ...] = ()
    """Monsters discarded to a hero who may take one of them after a victory: (the hero's copy, seat, card)."""

    def others(self) -> tuple[int, ...]:
        """The other players in turn order, from the left of the active one."""
        n = len(self.seats)
        return tuple((self.active + step) % n for step in range(1, n))

    def with_seat(self, seat: int, **changes: object) -> Table:
        new = replace(self.seats[seat], **changes)  # type: ignore[arg-type]
        return replace(self, seats=(*self.seats[:seat], new, *self.seats[seat + 1 :]))

    def without(self, cards: Iterable[str]) -> Table:
        """The table with these cards out of the game; Disease goes back to its stack (R0.3)."""
        gone = tuple(card for card in cards if card != DISEASE)
        return replace(self, removed=(*self.removed, *gone)) if gone else self


def take_from_stack(stacks: Stacks, card: str) -> Stacks:
    """The stacks without one copy of the card; an unknown number (less than 0) stays unknown."""
    return tuple([(card, stack[1] - 1) if stack[0] == card and stack[1] > 0 else stack for stack in stacks])


def tops(cards: Cards, stacks: Stacks) -> tuple[str, ...]:
    """The cards that lie on top of a stack."""
    there = [cards[card] for card, left in stacks if left]
    lowest: dict[str, int] = {}
    for spec in there:
        if spec.level and lowest.get(spec.family, 9) > spec.level:
            lowest[spec.family] = spec.level
    return tuple(spec.id for spec in there if not spec.level or lowest[spec.family] == spec.level)


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards (or copies, or whatever names them) without the first ``card``; ValueError if it is not there."""
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])
