"""What the player who decides may see: everything but the order of decks and the hands of others.

Every card goes into a deck, and out of the game, before everybody's eyes: who owns which cards is known, in what order
they lie is not. So it is with the dungeon: everybody saw its cards when it was made, and what left it or went under it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from msgspec import Struct

from thunderref.rng import SplitMix64
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position, Seat, Table, decider, replace, table_of


class Owner(Struct, frozen=True):
    """What everybody knows of a player: the cards they own (sorted, wherever they lie), sizes, XP, penalty cards."""

    seat: int
    cards: tuple[str, ...]
    hand_size: int
    deck_size: int
    discard_size: int
    xp: int
    penalties: tuple[str, ...] = ()


class View:
    """A moment of a game as the player at ``seat`` (from 0) sees it.

    ``position`` is the turn under way as a described scenario: the revealed cards of the player at ``active``, hall and
    rank 0, the visit, what waits (``position.todo``). Its decks are empty and its ``table`` is None: what would be
    drawn from them is unknown. :func:`legal_actions`, :func:`party_of` and :func:`play` of the rules go on from it in
    the game ``trial``, which has the same rules but for the variant: that needs the table.

    ``hand``, ``deck`` and ``discard`` are the player's own cards, sorted. ``others`` are in turn order from the left.
    ``dungeon_size`` and ``horde_size`` count cards nobody has seen, ``stones`` the Thunderstones that have not reached
    rank 1 (R9.1). ``removed`` is out of the game for good. ``due`` is True while the player must attack rank 1 (R9.6).
    ``turn`` counts turns from 1, ``round`` rounds; ``still`` the rounds since any card last changed its place.
    ``knows_others`` is False where a description of the turn leaves out what the others own.

    ``memory`` is the player's own for the whole game, or empty: what is kept there may save time, and must not be
    needed.
    """

    def __init__(
        self, game: Game, position: Position, random: Callable[[], SplitMix64], still: int = 0,
        memory: dict[str, Any] | None = None, *, knows_others: bool = True,
    ) -> None:  # fmt: skip
        self.game = game
        self.knows_others = knows_others
        self.seat = decider(position)
        self.position = replace(position, deck=(), dungeon=(), pool=None, stacks=None, table=None)
        self.still = still
        self.memory: dict[str, Any] = {} if memory is None else memory
        self._whole, self._random = position, random
        self._table = table = table_of(position)
        self.active, self.due, self.lost, self.removed = table.active, table.due, table.lost, table.removed
        self.turn, self.round = table.turn, (table.turn - 1) // len(table.seats) + 1
        self.stacks = position.stacks or ()
        self.dungeon_size, self.horde_size = len(position.dungeon), len(table.horde)
        self.cards, self.phase = game.cards, position.phase
        self.hall, self.rank0 = position.hall, position.rank0
        """Rank 1 first, always three; guardians."""
        self.waiting = position.todo[0].name if position.todo else ""
        """What asks for the choice: the name of a task (``destroy``, ``rest``), "" if the player begins something."""
        self.asking = position.todo[0].source[0] if position.todo else ""
        """The card whose effect asks, "" for none."""

    @cached_property
    def _mine(self) -> Seat:
        return seat_of(self._whole, self.seat)

    @cached_property
    def hand(self) -> tuple[str, ...]:
        return tuple(sorted(self._mine.hand))

    @cached_property
    def deck(self) -> tuple[str, ...]:
        return tuple(sorted(self._mine.deck))

    @cached_property
    def discard(self) -> tuple[str, ...]:
        return tuple(sorted(self._mine.discard))

    @property
    def xp(self) -> int:
        return self._mine.xp

    @property
    def penalties(self) -> tuple[str, ...]:
        return self._mine.penalties

    @cached_property
    def others(self) -> tuple[Owner, ...]:
        n = len(self._table.seats)
        return tuple([_owner(self._whole, (self.seat + step) % n) for step in range(1, n)])

    @cached_property
    def stones(self) -> int:
        whole, cards = self._whole, self.game.cards
        ahead = (*[foe.card for foe in whole.hall], *whole.dungeon)
        return sum([card in cards and cards[card].kind == "thunderstone" for card in ahead])

    @property
    def owned(self) -> tuple[str, ...]:
        """All the player's own cards."""
        return (*self.hand, *self.deck, *self.discard)

    @cached_property
    def dungeon(self) -> tuple[str, ...]:
        """The cards of the dungeon deck, sorted."""
        return tuple(sorted(self._whole.dungeon))

    @cached_property
    def table(self) -> Table:
        """What lies open beside the decks: Horde, cages, cards out of the game; of each seat XP and penalty cards."""
        table = table_of(self._whole)
        return replace(table, seats=tuple([Seat(xp=seat.xp, penalties=seat.penalties) for seat in table.seats]))

    @cached_property
    def trial(self) -> Game:
        """The game in which ``position`` may be played on."""
        return self.game if self.game.variant.name == "normal" else self.game.changed(variant=None)

    @cached_property
    def random(self) -> SplitMix64:
        """A source of chance for this one choice: the same game, seed and choice always draw the same."""
        return self._random()


def _owner(position: Position, number: int) -> Owner:
    seat = seat_of(position, number)
    sizes = len(seat.hand), len(seat.deck), len(seat.discard)
    return Owner(number, tuple(sorted(seat.cards)), *sizes, seat.xp, seat.penalties)
