"""What a handler of tasks is: the two functions that say what there is to choose, and carry it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thunderref.thunderstone.rules.choices import Answer, Decline
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.position import Position, Task

if TYPE_CHECKING:
    from thunderref.thunderstone.rules.game import Game

Events = list[Event]
Answers = tuple[Answer, ...]
Options = Callable[["Game", Position, Task[Any]], Answers | None]
"""The choices of a task; None or () if it happens by itself."""
Apply = Callable[["Game", Position, Task[Any], Any, Events], Position]
"""Carries a task out that has been taken off the stack; the answer is None if there was nothing to choose (R2.4)."""
Handlers = dict[str, tuple[Options | None, Apply]]


def unchanged(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
    return state


def nothing(rule: str = "", key: str = "void") -> Apply:
    """Says that nothing happens, because there is nothing to choose: by default as effects say it (R2.4, R3.1)."""

    def void(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
        events.append(Event(key, task.source[0], (rule or ("R2.4" if state.visit is None else "R3.1"),)))
        return state

    return void


def chosen(apply: Apply, otherwise: Apply = unchanged) -> Apply:
    """Carries out what was chosen; ``otherwise`` happens if there was nothing to choose, or the player declined."""

    def carried_out(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
        done = otherwise if choice is None or isinstance(choice, Decline) else apply
        return done(game, state, task, choice, events)

    return carried_out
