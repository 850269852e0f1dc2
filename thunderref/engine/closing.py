"""What follows a turn: everything is discarded, six cards are drawn, the next player begins (R2.1)."""

from __future__ import annotations

from thunderref.engine.aftermath import NOBODY
from thunderref.engine.hand import find, in_play, removed, returned, slots
from thunderref.engine.others import world_of
from thunderref.engine.state import BORROWED, FLEETING, Slot, State, Table, Task
from thunderref.engine.tasks import DRAW_ONE, Choice, destroy, handler
from thunderref.engine.variants import after_turn, calmed
from thunderref.engine.world import Seat, less
from thunderref.explain.terms import Event
from thunderref.model.effect import Toll

HAND = 6
"""Cards drawn at the end of a turn (R2.1)."""


def opened(state: State, seat: int) -> State:
    """The state with the cards of ``seat`` as those of the active player, ready for his turn."""
    world = world_of(state)
    player = world.seats[seat]
    world = world.with_seat(seat, hand=(), deck=(), discard=())._replace(
        active=seat, due=False, shown=(), lent=(), hunted=()
    )
    hand, pile = dealt(player.hand), player.discard
    return State("choose", hand, state.hall, state.rank0, player.deck, state.dungeon, pile=pile, world=world)


def dealt(cards: tuple[str, ...]) -> tuple[Slot, ...]:
    """The cards as a hand, copies numbered from 1."""
    copies: dict[str, int] = {}
    found = []
    for card in cards:
        copies[card] = copies.get(card, 0) + 1
        found.append(Slot(card, copies[card]))
    return tuple(found)


def seat_of(state: State, seat: int) -> Seat:
    """What a player owns at this moment, whether he is active or not; borrowed and conjured cards left out."""
    world = world_of(state)
    if seat != world.active:
        return world.seats[seat]
    hand = tuple(slot.card for slot, _ in slots(state) if in_play(slot) and not slot.flags & FLEETING)
    for (card, _), _owner in world.lent:
        hand = less(hand, card)
    return world.seats[seat]._replace(hand=hand, deck=state.deck, discard=_discard_pile(state))


def _discard_pile(state: State) -> tuple[str, ...]:
    return (*state.pile, *(card for card, _ in state.discarded), *state.gained)


def given_back(state: State) -> State:
    """The state without cards that were only lent: conjured ones are destroyed, borrowed ones go to their owners."""
    for slot, _ in tuple(slots(state)):
        if slot.flags & FLEETING and in_play(slot):
            state = removed(state, slot.ref)._replace(destroyed=(*state.destroyed, slot.ref))
        elif slot.flags & BORROWED:
            state = returned(state, slot)
    return state


def closing(table: Table, state: State, *, entered: bool) -> State:
    """The state in which the turn is over and its end is to be carried out; ``entered`` the dungeon, or not."""
    todo = (*after_turn(table, state, entered=entered), Task("tidy", NOBODY))
    return state._replace(phase="close", todo=todo)


@handler("tidy")
def _tidy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Everything to the discard pile, six cards up, then whatever acts on the new hand, then the next player."""
    state = given_back(state)
    world = world_of(state).without(card for card, _ in (*state.destroyed, *state.caged))
    left = tuple(slot.card for slot, _ in slots(state) if in_play(slot))
    pile = (*_discard_pile(state), *left)
    drawn = state.deck[:HAND]
    todo = [Task(DRAW_ONE, NOBODY)] * (HAND - len(drawn))
    for foe in state.rank0:
        for operation in table.book[foe.card].breach:
            if isinstance(operation, Toll):
                todo += [Task("toll", (foe.card, 1))] * operation.amount
    todo.append(Task("next-player", NOBODY))
    events.append(Event("turn-ends", "", ("R2.1",), (("seat", world.active),)))
    return State(
        "close",
        dealt(drawn),
        calmed(state.hall),
        calmed(state.rank0),
        state.deck[HAND:],
        state.dungeon,
        todo=tuple(todo),
        pile=pile,
        world=world,
    )


@handler("next-player")
def _next(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    world = world_of(state)
    mine = seat_of(state, world.active)
    world = world.with_seat(world.active, hand=mine.hand, deck=mine.deck, discard=mine.discard)
    world = world.without(card for card, _ in state.destroyed)
    following = (world.active + 1) % len(world.seats)
    return opened(state._replace(world=world), following)


def _toll_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return distinct(state, "destroy")


@handler("toll", _toll_options)
def _toll(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The new hand loses a card to a guardian in rank 0 (R6.7)."""
    return state if choice is None else destroy(table, state, choice[1], events, task.source[0], ("R6.7",))


# what rests destroys (R2.3)


def distinct(state: State, key: str) -> tuple[Choice, ...]:
    """One choice for every different card of the hand."""
    found = {slot.card: (key, slot.ref) for slot in reversed(state.hand)}
    return tuple(found[card] for card in sorted(found))


def _rest_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return (("decline", None), *distinct(state, "destroy"))


@handler("rest", _rest_options)
def _rest(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    state = state._replace(phase="end")
    if choice is None or choice[0] == "decline":
        return state
    slot, _ = find(state, choice[1])
    events.append(Event("rested", slot.card, ("R2.3",)))
    return removed(state, slot.ref)._replace(destroyed=(*state.destroyed, slot.ref))
