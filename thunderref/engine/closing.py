"""What follows a turn: everything is discarded, six cards are drawn, the next player begins (R2.1)."""

from __future__ import annotations

from thunderref.engine.aftermath import NOBODY
from thunderref.engine.hand import dealt, find, in_play, removed, returned, revealed
from thunderref.engine.others import world_of
from thunderref.engine.state import BORROWED, FLEETING, THROWN, Foe, State, Table, Task
from thunderref.engine.tasks import DRAW_ON, DRAW_UP, Choice, destroy, handler
from thunderref.engine.values import replace
from thunderref.engine.variants import after_turn, calmed
from thunderref.engine.world import Seat, World, less
from thunderref.explain.terms import Event
from thunderref.model.effect import Toll

HAND = 6
"""Cards drawn at the end of a turn (R2.1)."""


def opened(state: State, seat: int) -> State:
    """The state with the cards of ``seat`` as those of the active player, ready for his turn."""
    world = world_of(state)
    return _opened(state.hall, state.rank0, state.dungeon, world, [*world.seats], seat)


def _opened(
    hall: tuple[Foe, ...],
    rank0: tuple[Foe, ...],
    dungeon: tuple[str, ...],
    world: World,
    seats: list[Seat],
    active: int,
) -> State:
    """The turn of the player at ``active``; ``seats`` is what everybody owns."""
    player = seats[active]
    seats[active] = Seat(xp=player.xp, penalties=player.penalties)
    world = replace(world, active=active, seats=tuple(seats), due=False, fined=False, shown=(), lent=(), hunted=())
    return State("choose", dealt(player.hand), hall, rank0, player.deck, dungeon, pile=player.discard, world=world)


def seat_of(state: State, seat: int) -> Seat:
    """What a player owns at this moment, whether he is active or not; borrowed and conjured cards left out."""
    world = world_of(state)
    if seat != world.active:
        return world.seats[seat]
    hand = tuple([slot.card for slot in revealed(state) if not slot.flags & (THROWN | FLEETING)])
    for (card, _), _owner in world.lent:
        hand = less(hand, card)
    mine = world.seats[seat]
    return Seat(hand, state.deck, _discard_pile(state), mine.xp, mine.penalties)


def _discard_pile(state: State) -> tuple[str, ...]:
    return (*state.pile, *[card for card, _ in state.discarded], *state.gained)


def given_back(state: State) -> State:
    """The state without cards that were only lent: conjured ones are destroyed, borrowed ones go to their owners."""
    for slot in revealed(state):
        if not slot.flags or not slot.flags & (FLEETING | BORROWED) or not in_play(slot):
            continue
        if slot.flags & FLEETING:
            state = replace(removed(state, slot.ref), destroyed=(*state.destroyed, slot.ref))
        else:
            state = returned(state, slot)
    return state


def closing(table: Table, state: State, events: list[Event], *, entered: bool) -> State:
    """The state in which the turn is over and its end is to be carried out; ``entered`` the dungeon, or not."""
    before = after_turn(table, state, entered=entered)
    if before:
        return replace(state, phase="close", todo=(*before, Task("tidy", NOBODY)))
    return _tidied(table, state, events)


@handler("tidy")
def _tidy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return _tidied(table, state, events)


def _tidied(table: Table, state: State, events: list[Event]) -> State:
    """Everything to the discard pile, six cards up, then whatever acts on the new hand, then the next player."""
    state = given_back(state)
    world = world_of(state)
    if state.destroyed:
        world = world.without([card for card, _ in state.destroyed])
    pile = (*_discard_pile(state), *[slot.card for slot in revealed(state) if not slot.flags & THROWN])
    drawn, deck = state.deck[:HAND], state.deck[HAND:]
    lacking = HAND - len(drawn)
    n = HAND - max(0, lacking - len(pile))
    events.append(
        Event("turn-ends", "", ("R2.1",) if n == HAND else ("R2.1", "R2.2"), (("n", n), ("seat", world.active)))
    )
    rank0 = calmed(state.rank0)
    tolls = [Task("toll", (foe.card, 1)) for foe in rank0 for _ in range(_toll_of(table, foe))]
    if not lacking and not tolls:
        return _passed_on(calmed(state.hall), rank0, state.dungeon, world, drawn, deck, pile)
    if tolls:
        draws = (Task(DRAW_UP, NOBODY, lacking),) if lacking else ()
        todo = (*draws, *tolls, Task("next-player", NOBODY))
    else:
        todo = (Task(DRAW_ON, NOBODY, lacking),)
    return State(
        "close", dealt(drawn), calmed(state.hall), rank0, deck, state.dungeon, todo=todo, pile=pile, world=world
    )


def _toll_of(table: Table, foe: Foe) -> int:
    """How many cards of each new hand a guardian in rank 0 destroys (R6.7)."""
    return sum(operation.amount for operation in table.book[foe.card].breach if isinstance(operation, Toll))


@handler("next-player")
def _next(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    mine = seat_of(state, world_of(state).active)
    world = world_of(state).without([card for card, _ in state.destroyed])
    return _passed_on(state.hall, state.rank0, state.dungeon, world, mine.hand, mine.deck, mine.discard)


@handler(DRAW_ON)
def _draw_on(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Reached with a deck that is not empty, or with nothing left to shuffle (R2.2)."""
    hand, deck, lacking = [slot.card for slot in state.hand], state.deck, task.data
    more = (*hand, *deck[:lacking])
    return _passed_on(state.hall, state.rank0, state.dungeon, world_of(state), more, deck[lacking:], state.pile)


def _passed_on(
    hall: tuple[Foe, ...],
    rank0: tuple[Foe, ...],
    dungeon: tuple[str, ...],
    world: World,
    hand: tuple[str, ...],
    deck: tuple[str, ...],
    discard: tuple[str, ...],
) -> State:
    """The turn of the player to the left; ``hand``, ``deck`` and ``discard`` is what the one before him has now."""
    seats = [*world.seats]
    mine = seats[world.active]
    seats[world.active] = Seat(hand, deck, discard, mine.xp, mine.penalties)
    return _opened(hall, rank0, dungeon, world, seats, (world.active + 1) % len(seats))


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
    state = replace(state, phase="end")
    if choice is None or choice[0] == "decline":
        return state
    slot, _ = find(state, choice[1])
    events.append(Event("rested", slot.card, ("R2.3",)))
    return replace(removed(state, slot.ref), destroyed=(*state.destroyed, slot.ref))
