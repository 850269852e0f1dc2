"""A moment of the whole game, as a hashable value."""

from __future__ import annotations

from msgspec import Struct

from thunderref.engine.closing import seat_of
from thunderref.engine.others import world_of
from thunderref.engine.state import State
from thunderref.engine.values import replace
from thunderref.engine.visit import Visit
from thunderref.engine.world import Seat, Stacks, World


class Game(Struct, frozen=True, gc=False):
    """A moment of a game. ``turn`` holds everything: the active player's turn and, in its ``world``, the whole table.

    ``phase`` is ``choose`` (what kind of turn), ``dungeon``, ``village``, ``rest``, ``close`` (the end of a turn, as
    far as somebody decides or shuffles there) or ``over``. ``number`` counts the turns from 1.
    """

    phase: str
    turn: State | Visit
    number: int = 1

    @property
    def state(self) -> State:
        """The active player's cards, the hall and the table, in the village as in the dungeon."""
        return self.turn.turn if isinstance(self.turn, Visit) else self.turn

    @property
    def world(self) -> World:
        """What lies on the table besides."""
        return world_of(self.state)

    @property
    def active(self) -> int:
        """The seat of the player whose turn it is, from 0."""
        return self.world.active

    @property
    def stacks(self) -> Stacks:
        """The cards on offer with the copies left."""
        return self.turn.offer if isinstance(self.turn, Visit) else self.world.stacks

    def seat(self, number: int) -> Seat:
        """What a player owns now."""
        seat = seat_of(self.state, number)
        if isinstance(self.turn, Visit) and number == self.active:
            return replace(seat, xp=self.state.xp)
        return seat
