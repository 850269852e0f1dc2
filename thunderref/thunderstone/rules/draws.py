"""Draws from a deck whose cards are known and whose order is not (R2.2): outcomes with exact probabilities."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events
from thunderref.thunderstone.rules.hand import all_slots, in_play, new_deck
from thunderref.thunderstone.rules.position import Position, Shuffle, replace

DRAW_ONE = "draw-one"  # a task that waits for chance while the own deck is known, its order not
DRAW_UP = "draw-up"
"""A task that draws the number of cards in its data; the last cards of a deck come all at once."""
DRAWS = frozenset((DRAW_ONE, DRAW_UP))
TURN_UP = "turn-up"  # a task that turns up the top card of somebody's deck: its data is a :class:`For`
REVEAL_AT_RANDOM = "reveal-at-random"
"""A task that shuffles the active player's hand and reveals the first card."""
BY_CHANCE = frozenset((*DRAWS, TURN_UP, REVEAL_AT_RANDOM))
"""The tasks that may have to wait for chance; no other does."""


def waits_for_chance(state: Position) -> bool:
    """True if the next thing is a draw, or a shuffle, that only chance can decide."""
    if not state.todo or state.todo[0].name not in BY_CHANCE:
        return False
    name, in_game = state.todo[0].name, state.in_game
    if in_game and name not in DRAWS:
        return shuffle_of(state) is not None
    if state.deck or not (in_game or (name == DRAW_ONE and state.pool is not None)):
        return False
    return bool(state.pool or state.discard_pile)


def chance_outcomes(state: Position) -> tuple[tuple[str, Fraction], ...]:
    """Every card the waiting draw may bring, with its probability; an empty deck is made anew (R2.2). () if none is."""
    pool = (state.pool or state.discard_pile) if waits_for_chance(state) else ()
    return tuple((card, Fraction(n, len(pool))) for card, n in sorted(Counter(pool).items()))


def take_from_pool(state: Position, card: str) -> Position:
    """The state with ``card`` taken out of the pool, its draw still to be done; ValueError if it is not there."""
    if not state.pool:
        state = new_deck(state, pool=tuple(sorted(state.discard_pile)))
    pool = list(state.pool or ())
    pool.remove(card)
    return replace(state, pool=tuple(pool))


Certain = tuple[str, int]
"""A card that must have come, and how many of its name were in the deck, itself included."""


def turn_unseen(state: Position, n: int, by: str, events: Events) -> tuple[Position, tuple[Certain, ...], int]:
    """Takes ``n`` cards below the known ones off the own deck of a described turn, made anew when it is empty (R2.2).

    Gives what is among them for certain, and how many are unknown: fewer by those that were so far, and are certain by
    now.
    """
    certain, unknown = list[Certain](), n
    while n and state.left is not None:
        if not state.left:
            pile = tuple(sorted(state.discard_pile))
            if not pile:
                events.append(Event("nothing-to-draw", by, ("R2.2",), (("n", n),)))
                return state, tuple(certain), unknown - n
            events.append(Event("new-deck", "", ("R2.2",), (("n", len(pile)),)))
            state = new_deck(state, pool=pile, left=len(pile))
        was, remaining = state.left or 0, max(0, (state.left or 0) - n)
        newly_certain = [] if state.pool is None else _certain(state.pool, remaining, was)
        n -= was - remaining
        unknown -= len(newly_certain)
        certain += newly_certain
        state = replace(state, left=remaining, pool=state.pool if remaining else ())
    return state, tuple(certain), unknown


def _certain(pool: tuple[str, ...], remaining: int, was: int) -> list[Certain]:
    """The cards that must have come with ``remaining`` of the pool to come, but not yet with ``was`` to come."""
    copies = sorted(Counter(pool).items())
    return [(card, n - came) for card, n in copies for came in range(max(0, n - was), max(0, n - remaining))]


def show_top(state: Position, n: int, by: str, events: Events) -> tuple[Position, int]:
    """The state with what is certain of the top ``n`` cards of the own deck known, and how many of these are not.

    If any is unknown, so is the deck below, since it is unknown what is on the discard pile.
    """
    lacking = max(0, n - len(state.deck))
    if not lacking or state.left is None:
        return state, lacking
    drawn = state.pool is not None and state.left < len(state.pool)  # unseen: these and those on top may be either
    state, certain, unknown = turn_unseen(state, lacking, by, events)
    if drawn and certain:
        certain, unknown = (), lacking
    state = replace(state, deck=(*state.deck, *(card for card, _ in certain)))
    return (replace(state, pool=None, left=None) if unknown else state), unknown


def shuffle_of(state: Position) -> Shuffle | None:
    """The cards to shuffle before the next task of a game: a discard pile once the deck is empty (R2.2), a hand."""
    table = state.table
    if not state.todo or state.todo[0].name not in BY_CHANCE or table is None or table.described:
        return None
    task = state.todo[0]
    if task.name == REVEAL_AT_RANDOM:
        cards = tuple(sorted(slot.card for slot in all_slots(state) if in_play(slot)))
        return Shuffle(table.active, cards, "hand") if cards else None
    number = task.data.seat if task.name == TURN_UP else table.active
    seat = table.seats[number]
    if state.deck if number == table.active else seat.deck:
        return None
    cards = tuple(sorted(state.discard_pile if number == table.active else seat.discard))
    return Shuffle(number, cards) if cards else None


def with_shuffled(state: Position, shuffle: Shuffle, order: tuple[str, ...]) -> Position:
    """The state after the shuffle that :func:`shuffle_of` wants; ValueError if these are not exactly the cards."""
    table = state.table
    if table is None or tuple(sorted(order)) != shuffle.cards:
        raise ValueError("these are not the cards to be shuffled")
    if shuffle.pile == "hand":
        task = state.todo[0]
        return replace(state, todo=(replace(task, name="revealed", data=(order[0], task.data)), *state.todo[1:]))
    if shuffle.seat == table.active:
        return new_deck(state, deck=order)
    return replace(state, table=table.with_seat(shuffle.seat, deck=order, discard=()))
