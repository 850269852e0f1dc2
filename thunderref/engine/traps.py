"""Traps turned up while the hall is refilled, and breaches that reveal decks (R6.6)."""

from __future__ import annotations

from thunderref.engine.hand import find, in_play, removed, slots
from thunderref.engine.party import Party
from thunderref.engine.state import BORROWED, FLEETING, Slot, State, Table, Task
from thunderref.engine.tasks import Choice, destroy, handler
from thunderref.explain.terms import Event


def _spared(table: Table, state: State) -> bool:
    """A Foresight Elixir shown from the hand spares its owner; it stays in hand."""
    return any(
        getattr(op, "name", "") == "spared-by-traps" for slot, _ in slots(state) for op in table.book[slot.card].reveal
    )


def _own_heroes(table: Table, state: State) -> list[Slot]:
    return [
        slot
        for slot in state.hand
        if in_play(slot) and table.book[slot.face].is_hero and not slot.flags & (BORROWED | FLEETING)
    ]


def _trap_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    name = task.source[0]
    heroes = _own_heroes(table, state)
    if _spared(table, state) or name not in ("pit-trap", "the-cage", "blade-trap"):
        return None
    if name == "blade-trap":
        party = Party(table, state)
        least = min((party.strength(hero) for hero in heroes), default=0)
        heroes = [hero for hero in heroes if party.strength(hero) == least]
    return tuple(("show", hero.ref) for hero in heroes)


@handler("trap", _trap_options)
def _trap(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    name = task.source[0]
    if _spared(table, state):
        events.append(Event("trap-spared", name, ("R6.6",)))
        return state
    if choice is not None:
        hero, _ = find(state, choice[1])
        if name == "the-cage":
            events.append(Event("caged", hero.card, ("R6.10",)))
            return removed(state, hero.ref)._replace(caged=(*state.caged, hero.ref))
        if name == "pit-trap" and "thief" in table.book[hero.face].types:
            events.append(Event("trap-escaped", hero.card, ("R6.6",), (("by_card", name),)))
            return state
        return destroy(table, state, hero.ref, events, name, ("R6.6",))
    if name == "poison-gas-trap":
        safe = [h for h in _own_heroes(table, state) if table.book[h.face].types & {"cleric", "thief"}]
        if safe:
            events.append(Event("trap-escaped", safe[0].card, ("R6.6",), (("by_card", name),)))
            return state
        events.append(Event("gained", "disease", ("R6.6",), (("by_card", name), ("n", 1))))
        return state._replace(gained=(*state.gained, "disease"))
    events.append(Event("trap-others", name, ("R6.6", "R4.11")))
    return state


def _reveal_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    return tuple(("destroy", card) for card in dict.fromkeys(task.data)) or None


@handler("reveal-destroy", _reveal_options)
def _reveal_destroy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    events.append(Event("destroyed", choice[1], ("R6.6",), (("by_card", task.source[0]),)))
    gone = next(ref for ref in reversed(state.discarded) if ref[0] == choice[1])
    left = list(state.discarded)
    left.remove(gone)
    return state._replace(discarded=tuple(left), destroyed=(*state.destroyed, gone))
