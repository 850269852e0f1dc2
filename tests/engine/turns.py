"""Short ways to set up and play a turn on the engine itself."""

from __future__ import annotations

from typing import Any

from thunderref.engine.hand import slots
from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, State, Table
from thunderref.engine.transition import child
from thunderref.explain.terms import Event
from thunderref.solve.position import Finder, position, read_scenario
from thunderref.store.read import open_store

STORE = open_store()
FIND = Finder(STORE, None)


def turn(hand: list[str], hall: list[str | None], **more: Any) -> tuple[Table, State]:
    """The table and the opening state."""
    return position(read_scenario({"hand": hand, "hall": hall, **more}), STORE, FIND)


def do(table: Table, state: State, *actions: Action) -> State:
    """The state after the actions."""
    for action in actions:
        state, _ = child(table, state, action)
    return state


def events_of(table: Table, state: State, *actions: Action) -> list[Event]:
    """Everything that the actions cause."""
    found: list[Event] = []
    for action in actions:
        state, events = child(table, state, action)
        found += events
    return found


def use(card: str, number: int = 1, copy: int = 1) -> Action:
    return Action("use", (card, copy), number)


def choose(key: str, value: Any) -> Action:
    return Action("choose", key, value)


def forgo(card: str, copy: int = 1) -> Action:
    return Action("forgo", (card, copy), 0)


def attack(rank: int) -> Action:
    return Action("attack", rank, 0)


def finish(table: Table, state: State) -> State:
    """Plays on to the end of the turn; whatever is asked gets its first answer."""
    while legal_actions(table, state):
        state = do(table, state, legal_actions(table, state)[0])
    return state


def names(state: State) -> list[str]:
    """The hall, rank 1 first."""
    return [foe.card for foe in state.hall]


def in_hand(state: State) -> list[str]:
    return sorted(slot.card for slot, _ in slots(state))
