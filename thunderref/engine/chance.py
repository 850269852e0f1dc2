"""Draws from a deck whose cards are known and whose order is not (R2.2): outcomes with exact probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from thunderref.engine.state import State
from thunderref.engine.tasks import DRAW_ONE


def waits_for_chance(state: State) -> bool:
    """True if the next thing is a draw that only chance can decide."""
    if not state.todo or state.todo[0].name != DRAW_ONE or state.deck or state.pool is None:
        return False
    return bool(state.pool or _reshuffled(state))


def _reshuffled(state: State) -> tuple[str, ...]:
    """The own discard pile, gained cards included, as a new deck."""
    return tuple(sorted((*state.pile, *(card for card, _ in state.discarded), *state.gained)))


def chance_outcomes(state: State) -> tuple[tuple[str, Fraction], ...]:
    """Every card the waiting draw may bring with its probability; () if the state does not wait for chance.

    An empty deck is made anew from the discard pile first, and never before it is empty (R2.2).
    """
    if not waits_for_chance(state):
        return ()
    pool = state.pool or _reshuffled(state)
    return tuple((card, Fraction(n, len(pool))) for card, n in sorted(Counter(pool).items()))


def drawn(state: State, card: str) -> tuple[State, str]:
    """The state from which ``card`` has been taken, its draw still to be carried out; ValueError if it is not there."""
    if not state.pool:
        state = state._replace(pool=_reshuffled(state), pile=(), discarded=(), gained=())
    pool = list(state.pool or ())
    pool.remove(card)
    return state._replace(pool=tuple(pool)), card
