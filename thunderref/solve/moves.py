"""Which moves the search for the best line needs to try.

Four things keep the number of states small, and each is checked against a brute force that knows none of them:

- of several equal copies in the same situation only the first is tried;
- effects that last wait until nothing that happens at once is left to be used (:mod:`thunderref.solve.late`);
- what can only help and costs nothing (Battle Fury, Feast, a count of monsters) is used without branching, after
  everything that takes cards from the hand, so that it never keeps a card from being destroyed for something better
  (R4.2);
- weapons without an effect of their own are handed out last (:mod:`thunderref.solve.arming`).

What this uses too much of is taken out of the finished line again (:mod:`thunderref.solve.best`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.engine.book import Ability, Spec
from thunderref.engine.hand import find, slots
from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, Slot, State, Table
from thunderref.solve.surroundings import Surroundings, is_plain

Line = tuple[Action, ...]


def alike(state: State) -> dict[Any, Any]:
    """Every copy by what it has in common with equal copies in the same situation."""
    found: dict[Any, Any] = {}
    for slot, holder in slots(state):
        found[slot.ref] = (_blind(slot), None if holder is None else _blind(holder))
    return found


def _blind(slot: Slot) -> tuple[Any, ...]:
    weapons = tuple(sorted(_blind(w) for w in slot.weapons)) if slot.weapons else ()
    return (slot.card, slot.used, slot.marks, weapons, slot.flags, slot.form, slot.fixed)


def distinct_choices(state: State, options: tuple[Action, ...]) -> list[Action]:
    """The choices without those that only mean another of several equal cards."""
    if len(options) == 1:
        return list(options)
    like = alike(state)
    seen: set[Any] = set()
    found = []
    for action in options:
        key = (action.kind, action.a, like.get(action.b, action.b) if isinstance(action.b, tuple) else action.b)
        if key not in seen:
            seen.add(key)
            found.append(action)
    return found


def branching_moves(table: Table, state: State, around: Surroundings, *, informs: bool = True) -> Iterator[Action]:
    """The actions to be tried one by one; with ``informs`` False none that does something at once."""
    options = legal_actions(table, state)
    if state.todo:
        task = state.todo[0]
        if task.name == "borrow-back" and not around.spills and not table.book[task.data.card].is_weapon:
            options = options[:1]  # to lend a hero and take the same one back is not to lend at all, made longer
        yield from distinct_choices(state, options)
        return
    like = alike(state)
    seen: set[Any] = set()
    for action in options:
        kind = action.kind
        if kind in ("attack", "leave"):
            continue
        slot, _ = find(state, action.a)
        spec = table.book[slot.form or slot.card]
        if kind == "use":
            if action.b and not _worth_trying(state, spec, spec.dungeon[action.b - 1], around, informs=informs):
                continue
            if not action.b and around.late_apart:
                continue
        elif around.late_apart or (kind == "forgo" and not (around.spell_bar and spec.is_spell)):
            continue
        if kind == "equip" and is_plain(spec) and not around.order_matters:
            continue
        key = (kind, like[action.a], like[action.b] if kind == "equip" else action.b)
        if key not in seen:
            seen.add(key)
            yield action


def _worth_trying(state: State, spec: Spec, ability: Ability, around: Surroundings, *, informs: bool) -> bool:
    if (ability.instant and not informs) or around.asks_village(ability):
        return False
    if around.is_free(spec, ability) or around.is_late(spec, ability):
        return False
    return around.use_protects or not around.is_idle(ability, state)
