"""What the variants change in the hall: monsters that march on the village (R9.5), monsters that maraud (R9.6)."""

from __future__ import annotations

from thunderref.engine import hall
from thunderref.engine.hall import NOBODY
from thunderref.engine.others import world_of
from thunderref.engine.state import Foe, State, Table, Task
from thunderref.engine.tasks import Choice, handler
from thunderref.engine.values import replace
from thunderref.explain.terms import Event

WORTHY_XP = 2
"""XP of a monster whose defeat earns a rest at the level of a fighter (R9.5)."""

# solo (R9.5)


def is_solo(table: Table, state: State) -> bool:
    """True in a solo game."""
    return state.world is not None and table.variant == "solo"


def lost_to_the_village(state: State, card: str, events: list[Event]) -> State:
    """A monster joins the pile that the player has to beat."""
    world = world_of(state)
    events.append(Event("monster-escapes", card, ("R9.5",)))
    return replace(state, world=replace(world, lost=(*world.lost, card)))


def earned_rest(table: Table, state: State) -> bool:
    """True if the battle just fought keeps the next monster away for a turn (R9.5)."""
    if state.battle is None or not state.victory or table.level == "nightmare":
        return False
    return table.level != "fighter" or table.book[state.battle.foe.card].xp >= WORTHY_XP


def _thinned(table: Table, state: State) -> bool:
    """True if the battle of this turn took a monster away; a guardian who was not defeated stays (R6.8)."""
    battle = state.battle
    return battle is not None and (state.victory or not hall.must_be_defeated(table, battle.foe))


def after_turn(table: Table, state: State, *, entered: bool) -> tuple[Task, ...]:
    """What a variant does at the end of a turn, before the hand is discarded."""
    world = world_of(state)
    if table.variant == "solo":
        quiet = world.respite or _thinned(table, state)
        return (Task("rest-earned", ("", 0)),) if quiet else (Task("march", ("", 0)), Task("rest-earned", ("", 0)))
    if table.variant == "marauding":
        if is_due(table, state):
            return (Task("penalty", ("", 0)),) if world.due else ()
        return () if entered or world.fined else (Task("token", ("", 0)),)
    return ()


@handler("rest-earned")
def _rest_earned(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The rest that a victory of this turn earned lasts through the next turn, and no longer."""
    return replace(state, world=replace(world_of(state), respite=earned_rest(table, state)))


@handler("march")
def _march(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The next monster stands at rank 3 and pushes the others on; out of a full hall the first escapes.

    Reading: when the dungeon deck is used up the others go on all the same.
    """
    first, *behind = state.hall
    gap = next((place for place in (2, 1, 0) if not state.hall[place].card), None)
    if gap is None:
        state = lost_to_the_village(state, first.card, events)
        ranks = [*behind, NOBODY]
    else:
        ranks = [*state.hall[:gap], *state.hall[gap + 1 :], NOBODY]
    arriving = bool(ranks[0].card) and ranks[0] is not first
    return _marched(table, replace(state, hall=tuple(ranks)), arriving, events)


def _marched(table: Table, state: State, arriving: bool, events: list[Event]) -> State:
    """The next card stands at rank 3; a trap resolves before it is replaced (R6.6)."""
    if state.dungeon and table.book[state.dungeon[0]].kind == "trap":
        state, trap = hall.sprung(state, events)
        return replace(state, todo=(trap, Task("march-on", ("", 0), arriving), *state.todo))
    state, tasks = hall.next_at(table, state, hall.RANKS, events)
    if arriving:
        tasks = (*tasks, Task("arrive", ("", 0)))
    return replace(state, todo=(*tasks, *state.todo))


@handler("march-on")
def _march_on(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return _marched(table, state, task.data, events)


# marauding monsters (R9.6)


def is_due(table: Table, state: State) -> bool:
    """True if the monster at rank 1 has a token for every player."""
    foe = state.hall[0]
    return table.variant == "marauding" and bool(foe.card) and foe.tokens >= table.players


@handler("token")
def _token(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Nobody entered the dungeon: the monster at rank 1 gets a token."""
    foe = state.hall[0]
    if not hall.is_monster(table, foe):
        return state
    events.append(Event("token", foe.card, ("R9.6",), (("n", foe.tokens + 1),)))
    return replace(state, hall=(replace(foe, tokens=foe.tokens + 1), *state.hall[1:]))


@handler("penalty")
def penalty(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The active player takes the monster at rank 1 as a penalty card; the hall is refilled."""
    world, foe = world_of(state), state.hall[0]
    events.append(Event("penalty", foe.card, ("R9.6",), (("seat", world.active),)))
    taken = (*world.seats[world.active].penalties, foe.card)
    world = replace(world.with_seat(world.active, penalties=taken), due=False, fined=True)
    state = replace(hall.take_out(state, 1), world=world)
    return hall.turn_up(table, state, events)


def calmed(foes: tuple[Foe, ...]) -> tuple[Foe, ...]:
    """The hall at the end of a turn: wounds heal, and only the monster at rank 1 keeps its tokens."""
    for foe in foes:
        if foe.wounds or foe.tokens:
            return tuple(Foe(other.card, 0, 0 if place else other.tokens) for place, other in enumerate(foes))
    return foes
