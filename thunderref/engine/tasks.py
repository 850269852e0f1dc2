"""Instant operations in preparation: each task either waits for a choice or happens by itself.

A handler is a pair of functions. ``options(table, state, task)`` gives the choices as (key, value) pairs, or None if
the task needs none; ``apply(table, state, task, choice, events)`` carries it out on a state from which the task has
been taken off the stack. A choice among no options at all is void (the card says nothing else, R2.4).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

from thunderref.engine import hall
from thunderref.engine.hand import drawn, find, in_play, next_copy, removed, replaced, revealed, unlent
from thunderref.engine.state import (
    BORROWED,
    FLEETING,
    THROWN,
    Ref,
    Slot,
    State,
    Table,
    Task,
)
from thunderref.engine.values import replace
from thunderref.engine.world import For, taken, tops
from thunderref.explain.terms import Event
from thunderref.model.effect import Select

Choice = tuple[str, Any]
Options = Callable[[Table, State, Task], tuple[Choice, ...] | None]
Apply = Callable[[Table, State, Task, Choice | None, list[Event]], State]

ORDERS = tuple(permutations(range(hall.RANKS)))
HANDLERS: dict[str, tuple[Options, Apply]] = {}


def automatic(table: Table, state: State, task: Task) -> None:
    """The options of a task that needs no choice."""
    return


def choices(table: Table, state: State) -> tuple[Choice, ...] | None:
    """How the task that comes next may be decided; None or nothing if it happens by itself."""
    last = _LAST[0]
    if last[1] is state and last[0] is table:  # who stops at a task mostly asks next what there is to choose
        return last[2]
    options = HANDLERS[state.todo[0].name][0]
    found = None if options is automatic else options(table, state, state.todo[0])
    _LAST[0] = (table, state, found)
    return found


_LAST: list[tuple[Table | None, State | None, tuple[Choice, ...] | None]] = [(None, None, None)]
"""The last answer: it hangs on nothing but the two values it was asked for, so it is never out of date."""


def handler(name: str, options: Options = automatic) -> Callable[[Apply], Apply]:
    """Registers the function as what happens for tasks called ``name``."""

    def register(apply: Apply) -> Apply:
        HANDLERS[name] = (options, apply)
        return apply

    return register


def candidates(table: Table, state: State, select: Select, source: Ref | None, *, used_too: bool = False) -> list[Slot]:
    """Revealed cards that match and may be destroyed by an effect of ``source`` (R4.2)."""
    return [
        slot
        for slot in revealed(state)
        if in_play(slot)
        and table.book[slot.form or slot.card].matches(select)
        and (used_too or not slot.used or slot.ref == source)
    ]


def destroy(table: Table, state: State, ref: Ref, events: list[Event], by: str, rules: tuple[str, ...]) -> State:
    """Takes a card out of the game for good, Disease back to its stack (R0.3)."""
    events.append(Event("destroyed", ref[0], rules, (("by_card", by), ("copy", ref[1]))))
    return replace(removed(state, ref), destroyed=(*state.destroyed, ref))


def on_offer(table: Table, state: State) -> tuple[str, ...] | None:
    """The cards on top of the village's stacks; None if nobody knows them."""
    world = state.world
    return tops(table.book, world.stacks) if world is not None and state.in_game else table.village


def off_the_stack(state: State, card: str) -> State:
    """The state after a card was taken from its stack."""
    world = state.world
    if world is None or world.described:
        return state
    return replace(state, world=replace(world, stacks=taken(world.stacks, card)))


def _destroy_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("destroy", slot.ref) for slot in candidates(table, state, task.data.select, task.source))


@handler("destroy", _destroy_options)
def _destroy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    return destroy(table, state, choice[1], events, task.source[0], ("R4.2",))


@handler("destroy-self")
def _destroy_self(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if not task.data.stays:
        return destroy(table, state, task.source, events, task.source[0], ("R4.2",))
    slot, holder = find(state, task.source)
    events.append(Event("thrown", slot.card, ("R5.3",), (("hero_card", holder.card if holder else ""),)))
    state = replaced(state, task.source, replace(slot, flags=slot.flags | THROWN))
    return replace(unlent(state, task.source), destroyed=(*state.destroyed, task.source))


def discards(table: Table, state: State, select: Select, kept: int) -> tuple[Choice, ...]:
    """Every revealed card that matches and may be discarded; cards with a flag of ``kept`` may not."""
    return tuple(
        ("discard", slot.ref)
        for slot in revealed(state)
        if in_play(slot) and not slot.flags & kept and table.book[slot.face].matches(select)
    )


def _discard_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return discards(table, state, task.data.select, BORROWED)


@handler("discard", _discard_options)
def _discard(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    return discard(state, choice[1], events)


def discard(state: State, ref: Ref, events: list[Event], rule: str = "R0.3") -> State:
    """Puts a revealed card on the own discard pile."""
    events.append(Event("discarded", ref[0], (rule,), (("copy", ref[1]),)))
    return replace(removed(state, ref), discarded=(*state.discarded, ref))


@handler("draw")
def _draw(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    amount = task.data.amount
    if task.data.per is not None:
        amount *= len(candidates(table, state, task.data.per, None, used_too=True))
    if state.pool is not None or state.in_game:
        return replace(state, todo=(*(Task(DRAW_ONE, task.source) for _ in range(amount)), *state.todo))
    return draw(state, amount, events, task.source[0])


DRAW_ONE = "draw-one"
"""A task that waits for chance while the own deck is known, its order not (:mod:`thunderref.engine.chance`)."""


@handler(DRAW_ONE)
def _draw_one(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """One card: a known one off the top, else the one that chance gave; nothing if deck and discard pile are empty."""
    if choice is not None:
        events.append(Event("drawn", choice[1], ("R2.2",), (("by_card", task.source[0]),)))
        return replace(state, hand=(*state.hand, Slot(choice[1], next_copy(state, choice[1]))))
    return draw(state, 1, events, task.source[0]) if state.deck else state


DRAW_UP = "draw-up"
"""A task that draws as many cards as its data says, all those that are left off a deck at once."""

DRAW_ON = "draw-on"
"""The same at the end of a turn if nothing acts on the new hand: then it is the next player's turn."""


@handler(DRAW_UP)
def _draw_up(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Reached with a deck that is not empty, or with nothing left to shuffle (R2.2)."""
    cards = state.deck[: task.data]
    lacking = task.data - len(cards)
    todo = (replace(task, data=lacking), *state.todo) if lacking and cards else state.todo
    return replace(state, hand=(*state.hand, *drawn(state, cards)), deck=state.deck[task.data :], todo=todo)


def draw(state: State, amount: int, events: list[Event], by: str) -> State:
    """Draws known cards off the deck; beyond them a draw is unknown and gives nothing (R2.2)."""
    for _ in range(amount):
        if state.deck:
            card = state.deck[0]
            events.append(Event("drawn", card, ("R2.2",), (("by_card", by),)))
            copy = next_copy(state, card)
            state = replace(state, deck=state.deck[1:], hand=(*state.hand, Slot(card, copy)))
        else:
            events.append(Event("drawn-unknown", by, ("R2.2",)))
            state = replace(state, unknown_draws=state.unknown_draws + 1)
    return state


def hero_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    """The heroes an effect may be given to."""
    return tuple(("on", slot.ref) for slot in state.hand if table.book[slot.form or slot.card].is_hero)


@handler("on", hero_options)
def _on(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    hero, _ = find(state, choice[1])
    source, _ = find(state, task.source)
    marks = tuple(sorted((*hero.marks, (source.face, task.data))))
    events.append(Event("given", task.source[0], ("R4.1",), (("hero_card", hero.card), ("hero_copy", hero.copy))))
    return replaced(state, hero.ref, replace(hero, marks=marks))


def _move_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    movable = hall.movable_ranks(table, state, task.source[0])
    options: list[Choice] = []
    if "bottom" in task.data.ways:
        options += [("bottom", rank) for rank in movable]
    if "order" in task.data.ways:
        stuck = _stuck(table, state, movable)
        seen = set()
        for order in ORDERS:
            if any(order[place] != place for place in stuck):
                continue
            cards = tuple(state.hall[rank] for rank in order)
            if cards not in seen:
                seen.add(cards)
                options.append(("order", order))
    return tuple(options)


def _stuck(table: Table, state: State, movable: tuple[int, ...]) -> list[int]:
    """Places of the hall (rank less 1) that nothing moves out of: empty ones, monsters that may not be moved."""
    return [
        place
        for place, foe in enumerate(state.hall)
        if not foe.card or (place + 1 not in movable and hall.is_monster(table, foe))
    ]


@handler("move-monster", _move_options)
def _move(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R6.8",)))
        return state
    how, value = choice
    if how == "bottom":
        foe = state.hall[value - 1]
        events.append(Event("to-bottom", foe.card, ("R4.6",), (("by_card", task.source[0]), ("rank", value))))
        state = hall.under_the_deck(hall.take_out(state, value), foe.card)
        return hall.refill(table, state, events)
    before = state.hall
    first, *behind = (before[rank] for rank in value)
    calm = (replace(foe, tokens=0) if foe.tokens else foe for foe in behind)  # a clock stops if it is moved (R9.6)
    state = replace(state, hall=(first, *calm))
    events.append(
        Event("reordered", task.source[0], ("R4.6",), tuple(zip("abc", (f.card for f in state.hall), strict=True)))
    )
    if value[0] != 0:
        return replace(state, todo=(Task("arrive", ("", 0)), *state.todo))
    return state


def _take_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(
        ("take", rank)
        for rank in hall.movable_ranks(table, state)
        if table.book[state.hall[rank - 1].card].vp in task.data.vp
    )


@handler("take-monster", _take_options)
def _take(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    foe = state.hall[choice[1] - 1]
    events.append(Event("taken", foe.card, ("R4.6",), (("by_card", task.source[0]), ("rank", choice[1]))))
    state = replace(hall.take_out(state, choice[1]), gained=(*state.gained, foe.card))
    return hall.refill(table, state, events)


def _discard_any_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return discards(table, state, Select(), BORROWED | FLEETING)


@handler("discard-any", _discard_any_options)
def _discard_any(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """A breach asks everybody for cards, the active player too (R6.6)."""
    return state if choice is None else discard(state, choice[1], events, "R6.6")


def each_other(state: State, name: str, source: Ref, data: Any) -> tuple[Task, ...]:
    """One task for each other player, in turn order; none in a described scenario."""
    if state.world is None:
        return ()
    return tuple(Task(name, source, For(seat, data)) for seat in state.world.others())


@handler("opponents-discard")
def _opponents_discard(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    events.append(Event("opponents-discard", task.source[0], ("R4.7",)))
    operation = task.data
    asked = (operation.select or Select(), operation.amount, operation.instead)
    return others_discard(state, task.source, asked)


def others_discard(state: State, source: Ref, asked: tuple[Select, int, Select | None]) -> State:
    """Puts on the stack that every other player discards: (which cards, how many, or one of which instead)."""
    if state.world is None:
        return state
    state = replace(state, world=replace(state.world, shown=()))
    return replace(state, todo=(*each_other(state, "other-discards", source, asked), *state.todo))


@handler("gain")
def _gain(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    operation = task.data
    if operation.who == "opponents":
        events.append(Event("opponents-gain", task.source[0], ("R4.7",), (("gained_card", operation.card),)))
        world = state.world
        if world is None:
            return state
        for seat in world.others():
            pile = (*world.seats[seat].discard, *(operation.card for _ in range(operation.amount)))
            world = world.with_seat(seat, discard=pile)
        return replace(state, world=world)
    events.append(Event("gained", operation.card, ("R0.3",), (("by_card", task.source[0]), ("n", operation.amount))))
    return replace(state, gained=(*state.gained, *(operation.card for _ in range(operation.amount))))
