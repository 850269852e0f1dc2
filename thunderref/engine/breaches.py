"""Monsters that reach rank 1: what their breach does to everybody (R6.6)."""

from __future__ import annotations

from thunderref.engine import hall
from thunderref.engine.hand import next_copy
from thunderref.engine.others import turned, world_of
from thunderref.engine.state import State, Table, Task
from thunderref.engine.tasks import Choice, each_other, handler
from thunderref.engine.values import replace
from thunderref.engine.world import less
from thunderref.explain.terms import Event
from thunderref.model.effect import EveryoneDiscards, RazeHeroStacks, RevealTop, Select


@handler("arrive")
def _arrive(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return hall.arrive(table, state, events)


@handler("breach")
def _breach(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    card, index = task.source
    operation = table.book[card].breach[index]
    if isinstance(operation, EveryoneDiscards):
        own = tuple(Task("discard-any", (card, 1)) for _ in range(operation.amount))
        others = each_other(state, "other-discards", (card, 1), (Select(), operation.amount, None))
        return replace(state, todo=(*own, *others, *state.todo))
    if isinstance(operation, RevealTop) and state.in_game:
        events.append(Event("breach.everyone-reveals", card, ("R6.6",)))
        world = world_of(state)
        seats = (world.active, *world.others())
        return turned(state, (card, 1), operation.amount, "revealed-fate", operation.select, seats)
    events.append(Event(f"breach.{operation.op}", card, ("R6.6",)))
    if isinstance(operation, RevealTop):
        return _reveal(table, state, task, operation)
    if isinstance(operation, RazeHeroStacks) and state.in_game:
        return _raze(table, state, operation.amount)
    return state


def _raze(table: Table, state: State, amount: int) -> State:
    """The top cards of every hero stack and of the Militia are destroyed, the lowest levels first (R1.6)."""
    world = world_of(state)
    left = {table.book[card].family: amount for card, _ in world.stacks if table.book[card].is_hero}
    gone: list[str] = []
    stacks = dict(world.stacks)
    for card in sorted(stacks, key=lambda card: table.book[card].level):
        spec = table.book[card]
        n = min(left.get(spec.family, 0), stacks[card]) if spec.is_hero else 0
        if n > 0:
            left[spec.family] -= n
            stacks[card] -= n
            gone += [card] * n
    return replace(state, world=replace(world, stacks=tuple(stacks.items())).without(gone))


def _reveal(table: Table, state: State, task: Task, operation: RevealTop) -> State:
    """The known cards off the own deck are discarded; one of them that matches is destroyed."""
    top, deck = state.deck[: operation.amount], state.deck[operation.amount :]
    for card in top:
        state = replace(state, discarded=(*state.discarded, (card, next_copy(state, card))))
    doomed = tuple(card for card in top if table.book[card].matches(operation.select))
    return replace(state, deck=deck, todo=(Task("reveal-destroy", task.source, doomed), *state.todo))


def _reveal_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    return tuple(("destroy", card) for card in dict.fromkeys(task.data)) or None


@handler("reveal-destroy", _reveal_options)
def _reveal_destroy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    events.append(Event("destroyed", choice[1], ("R6.6",), (("by_card", task.source[0]),)))
    gone = next(ref for ref in reversed(state.discarded) if ref[0] == choice[1])
    return replace(state, discarded=less(state.discarded, gone), destroyed=(*state.destroyed, gone))
