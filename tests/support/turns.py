"""Short ways to set up and play a turn on the engine itself."""

from __future__ import annotations

from typing import Any

from support.seats import child
from thunderref.database.read import open_database
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules.choices import Attack, Choice, Forgo, Use
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import slots
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Position

from .choices import choose as choose

STORE = open_database()
FIND = Finder(STORE, None)


def turn(hand: list[str], hall: list[str | None], **more: Any) -> tuple[Game, Position]:
    """The table and the opening state."""
    return position(read_document(Scenario, {"hand": hand, "hall": hall, **more}), STORE, FIND)


def do(game: Game, state: Position, *actions: Choice) -> Position:
    """The state after the actions."""
    for action in actions:
        state, _ = child(game, state, action)
    return state


def events_of(game: Game, state: Position, *actions: Choice) -> list[Event]:
    """Everything that the actions cause."""
    found: list[Event] = []
    for action in actions:
        state, events = child(game, state, action)
        found += events
    return found


def use(card: str, number: int = 1, copy: int = 1) -> Choice:
    return Use((card, copy), number)


def forgo(card: str, copy: int = 1) -> Choice:
    return Forgo((card, copy))


def attack(rank: int) -> Choice:
    return Attack(rank, 0)


def finish(game: Game, state: Position) -> Position:
    """Plays on to the end of the turn; whatever is asked gets its first answer."""
    while legal_actions(game, state):
        state = do(game, state, legal_actions(game, state)[0])
    return state


def names(state: Position) -> list[str]:
    """The hall, rank 1 first."""
    return [foe.card for foe in state.hall]


def in_hand(state: Position) -> list[str]:
    return sorted(slot.card for slot, _ in slots(state))
