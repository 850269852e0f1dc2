"""The whole table beyond one player's turn: seats, stacks, what left the game (R1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from thunderref.engine.book import Book
from thunderref.engine.values import replace

Stacks = tuple[tuple[str, int], ...]
"""Cards on offer with the copies left; of a hero stack the lowest level left lies on top (R1.6)."""
Card = TypeVar("Card")
DISEASE = "disease"
"""Without limit (R1.6, R0.3)."""


Will = tuple[int, str, str]
"""A seat, the card it likes best to give or show, and the card whose effect asks; "" where that is an assumption."""


class Seat(Struct, frozen=True, gc=False):
    """A player: his cards (deck top first, discard pile first discarded first), XP, penalty cards (R9.6).

    While a player is active his cards are those of the turn, and his seat holds only XP and penalty cards.
    """

    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    xp: int = 0
    penalties: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card of his, wherever it lies."""
        return (*self.hand, *self.deck, *self.discard)


class Shuffle(Struct, frozen=True, gc=False):
    """Cards that somebody has to shuffle now: the discard pile of ``seat`` (``deck``) or his hand (``hand``)."""

    seat: int
    cards: tuple[str, ...]
    what: str = "deck"


class For(NamedTuple):
    """The data of a task that the player at ``seat`` decides, or whose cards it is about."""

    seat: int
    data: Any = None


class World(Struct, frozen=True, gc=False):
    """Everything on the table that is not the active player's own and not the dungeon."""

    active: int
    seats: tuple[Seat, ...]
    stacks: Stacks = ()
    horde: tuple[str, ...] = ()
    """The Horde deck, the next card first (R1.3)."""
    removed: tuple[str, ...] = ()
    """Cards out of the game for good (R0.3)."""
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
    """What the other players of a described scenario like best to give or show."""
    lent: tuple[tuple[tuple[str, int], int], ...] = ()
    """Borrowed cards: (the copy in the active hand, whose it is)."""
    hunted: tuple[tuple[tuple[str, int], int, str], ...] = ()
    """Monsters discarded to a hero who may take one of them after a victory: (his copy, seat, card)."""

    def others(self) -> tuple[int, ...]:
        """The other players in turn order, from the left of the active one."""
        n = len(self.seats)
        return tuple((self.active + step) % n for step in range(1, n))

    def with_seat(self, seat: int, **changes: object) -> World:
        """The table with some fields of a seat changed."""
        new = replace(self.seats[seat], **changes)  # type: ignore[arg-type]
        return replace(self, seats=(*self.seats[:seat], new, *self.seats[seat + 1 :]))

    def without(self, cards: Iterable[str]) -> World:
        """The table with these cards out of the game; Disease goes back to its stack (R0.3)."""
        gone = tuple(card for card in cards if card != DISEASE)
        return replace(self, removed=(*self.removed, *gone)) if gone else self


def taken(stacks: Stacks, card: str) -> Stacks:
    """The stacks without one copy of the card; an unknown number (less than 0) stays unknown."""
    return tuple([(other, left - 1 if other == card and left > 0 else left) for other, left in stacks])


def tops(book: Book, stacks: Stacks) -> tuple[str, ...]:
    """The cards that lie on top of a stack."""
    specs = book.specs
    lowest: dict[str, int] = {}
    for card, left in stacks:
        level = specs[card].level
        if left and level and lowest.get(specs[card].family, 9) > level:
            lowest[specs[card].family] = level
    return tuple(
        card
        for card, left in stacks
        if left and (not specs[card].level or lowest[specs[card].family] == specs[card].level)
    )


def less(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards (or copies, or whatever names them) without the first ``card``; ValueError if it is not there."""
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])
