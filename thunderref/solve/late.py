"""Effects that last, weapons with an effect and forgone cards: the second half of preparation.

What is used here changes neither the hall nor which cards are drawn, moved or discarded, and nothing that does asks for
it (:class:`thunderref.solve.surroundings.Surroundings`), so it all comes after the rest and in one order: first what
destroys other cards of the hand, then what can only help, then gifts, then weapons that have an effect, then those
effects. Within a step the order of use makes no difference, so it is tried in one order only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from thunderref.engine.hand import revealed, slots
from thunderref.engine.legal import equips, is_usable, legal_actions, may_choose_for_trophy, may_forgo
from thunderref.engine.party import party_of
from thunderref.engine.state import FORGONE, Action, State, Table, key_of
from thunderref.engine.transition import play
from thunderref.solve.moves import Line, alike, distinct_choices
from thunderref.solve.surroundings import Surroundings, is_plain

COSTS, GIFTS, EQUIPS, THROWS = range(4)
Order = tuple[int, str, int]
"""Where a move stands in the one order that is tried: step, card, number of its effect."""


def late_lines(
    table: Table, state: State, around: Surroundings, hopeful: Callable[[State], bool]
) -> Iterator[tuple[State, Line]]:
    """Every state that the second half of preparation can end in, plain weapons left out, and the way there.

    A state of which ``hopeful`` says False is left out with all that come after it.
    """
    seen: set[int] = set()
    stack: list[tuple[State, Line, Order, bool]] = [(state, (), (COSTS, "", 0), True)]
    while stack:
        node, line, last, helped = stack.pop()
        if not hopeful(node):
            continue
        if helped:
            ready, uses = free_moves(table, node, around)
            ready_line = (*line, *uses)
        else:
            ready, ready_line = node, line
        yield ready, ready_line
        if not around.late_apart:
            return
        following: list[tuple[State, Line, Order, bool]] = []
        if helped:
            following += _steps(table, node, line, last, around, (COSTS,), seen)
            last = (GIFTS, "", 0)
        following += _steps(table, ready, ready_line, last, around, (GIFTS, EQUIPS, THROWS), seen)
        stack.extend(reversed(following))


def _steps(
    table: Table, state: State, line: Line, last: Order, around: Surroundings, wanted: tuple[int, ...], seen: set[int]
) -> list[tuple[State, Line, Order, bool]]:
    found = []
    for order, action in _moves(table, state, last, around, wanted):
        for after, way in _carried_out(table, state, action):
            key = hash(key_of(after))
            if key not in seen:
                seen.add(key)
                found.append((after, (*line, *way), order, order[0] == COSTS))
    return found


def _carried_out(table: Table, state: State, action: Action) -> Iterator[tuple[State, Line]]:
    """The states after the action and every choice it asks for."""
    stack: list[tuple[State, Line]] = [(play(table, state, action)[0], (action,))]
    while stack:
        node, line = stack.pop()
        if not node.todo:
            yield node, line
            continue
        for choice in reversed(distinct_choices(node, legal_actions(table, node))):
            stack.append((play(table, node, choice)[0], (*line, choice)))


def _moves(
    table: Table, state: State, last: Order, around: Surroundings, wanted: tuple[int, ...]
) -> Iterator[tuple[Order, Action]]:
    """The moves of the steps wanted that come no earlier in the order than the last one."""
    like = alike(state)
    seen: set[Any] = set()
    for order, action in _all_moves(table, state, around):
        if order[0] not in wanted or order < last:
            continue
        key = (action.kind, like[action.a], like[action.b] if action.kind == "equip" else action.b)
        if key not in seen:
            seen.add(key)
            yield order, action


def _all_moves(table: Table, state: State, around: Surroundings) -> Iterator[tuple[Order, Action]]:
    special = False
    for slot, holder in slots(state):
        spec = table.book[slot.face]
        for ability in spec.dungeon:
            if not around.is_late(spec, ability) or (not spec.is_weapon and around.is_free(spec, ability)):
                continue
            if around.is_idle(ability, state) or not is_usable(table, state, slot, holder, ability):
                continue
            step = THROWS if spec.is_weapon else COSTS if ability.cost else GIFTS
            yield (step, slot.face, ability.number), Action("use", slot.ref, ability.number)
        if may_choose_for_trophy(table, state, slot, spec):
            yield (GIFTS, slot.face, 0), Action("use", slot.ref, 0)
        if around.spell_bar and spec.is_spell and may_forgo(spec, slot):
            yield (COSTS, slot.face, 0), Action("forgo", slot.ref, 0)
        special = special or (holder is None and spec.is_weapon and not is_plain(spec))
    if special:
        party = party_of(table, state)
        for action in equips(state, party):
            if not is_plain(table.book[action.a[0]]):
                yield (EQUIPS, action.a[0], 0), action


def free_moves(table: Table, state: State, around: Surroundings) -> tuple[State, Line]:
    """The state with everything used that can only help, and these uses."""
    line: list[Action] = []
    for slot in revealed(state):
        if slot.flags & FORGONE:
            continue
        spec = table.book[slot.face]
        for ability in spec.dungeon:
            if ability.number not in slot.used and around.is_free(spec, ability):
                action = Action("use", slot.ref, ability.number)
                state, _ = play(table, state, action)
                line.append(action)
    return state, tuple(line)
