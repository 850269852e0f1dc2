"""Draws from a deck whose cards are known and whose order is not (R2.2): outcomes with exact probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from thunderref.engine.hand import in_play, revealed
from thunderref.engine.state import State
from thunderref.engine.tasks import DRAW_ON, DRAW_ONE, DRAW_UP
from thunderref.engine.values import replace
from thunderref.engine.world import Shuffle

DRAWS = frozenset((DRAW_ONE, DRAW_UP, DRAW_ON))
TURN_UP = "turn-up"
"""A task that turns up the top card of somebody's deck: its data is a :class:`For`."""
REVEAL_AT_RANDOM = "reveal-at-random"
"""A task that shuffles the active player's hand and reveals the first card."""
BY_CHANCE = frozenset((*DRAWS, TURN_UP, REVEAL_AT_RANDOM))
"""The tasks that may have to wait for chance; no other does."""


def waits_for_chance(state: State) -> bool:
    """True if the next thing is a draw, or a shuffle, that only chance can decide."""
    if not state.todo or state.todo[0].name not in BY_CHANCE:
        return False
    if state.in_game:
        return not (state.deck and state.todo[0].name in DRAWS) and shuffle_of(state) is not None
    if state.todo[0].name != DRAW_ONE or state.deck or state.pool is None:
        return False
    return bool(state.pool or _reshuffled(state))


def _reshuffled(state: State) -> tuple[str, ...]:
    """The own discard pile, gained cards included, as a new deck."""
    return tuple(sorted((*state.pile, *[card for card, _ in state.discarded], *state.gained)))


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
        state = replace(state, pool=_reshuffled(state), pile=(), discarded=(), gained=())
    pool = list(state.pool or ())
    pool.remove(card)
    return replace(state, pool=tuple(pool)), card


# in a game


def shuffle_of(state: State) -> Shuffle | None:
    """What has to be shuffled before the next task of a game: a discard pile once the deck is empty (R2.2), a hand."""
    if not state.todo or state.todo[0].name not in BY_CHANCE or not state.in_game:
        return None
    last = _LAST[0]
    if last[0] is not state:  # who sees that something waits asks next what it is
        last = _LAST[0] = (state, _shuffle_of(state))
    return last[1]


_LAST: list[tuple[State | None, Shuffle | None]] = [(None, None)]
"""The last answer: it hangs on nothing but the state it was asked for, so it is never out of date."""


def _shuffle_of(state: State) -> Shuffle | None:
    task, world = state.todo[0], state.world
    if world is None:
        return None
    if task.name in DRAWS or (task.name == TURN_UP and task.data.seat == world.active):
        if state.deck:
            return None
        cards = _reshuffled(state)
        return Shuffle(world.active, cards) if cards else None
    if task.name == TURN_UP:
        seat = world.seats[task.data.seat]
        return Shuffle(task.data.seat, tuple(sorted(seat.discard))) if seat.discard and not seat.deck else None
    if task.name == REVEAL_AT_RANDOM:
        cards = tuple(sorted(slot.card for slot in revealed(state) if in_play(slot)))
        return Shuffle(world.active, cards, "hand") if cards else None
    return None


def shuffled(state: State, wanted: Shuffle, order: tuple[str, ...]) -> State:
    """The state after the shuffle that :func:`shuffle_of` wants; ValueError if these are not exactly the cards."""
    world = state.world
    if world is None or tuple(sorted(order)) != wanted.cards:
        raise ValueError("these are not the cards to be shuffled")
    if wanted.what == "hand":
        task = state.todo[0]
        return replace(state, todo=(replace(task, name="revealed", data=(order[0], task.data)), *state.todo[1:]))
    if wanted.seat == world.active:
        return replace(state, deck=order, pile=(), discarded=(), gained=())
    return replace(state, world=world.with_seat(wanted.seat, deck=order, discard=()))
