"""Watches long work: reports its progress, and stops it when its time is up."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thunderref.cli.render import Status
    from thunderref.text.language import Language

PATIENCE = 1.0
"""Seconds before anything is said."""
EVERY = 0.25
WEIGHING = 0.5
"""The part of the budget for weighing odds before they are sampled."""
TELLING = 0.05
"""Seconds kept back for printing the answer, a quarter of the budget at most."""


class Watch(AbstractContextManager["Watch"]):
    """Follows the work and reports on standard error, in a terminal only."""

    def __init__(self, words: Language, budget: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.words = words
        self.budget = budget
        self.clock = clock
        self.start: float | None = None
        self._next = PATIENCE
        self._status: Status | None = None

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.end()

    def searching(self, states: int) -> None:
        self._tell("resolve.progress", n=states)

    def weighing(self, positions: int) -> bool:
        """False once the part of the budget for weighing is spent."""
        return self._goes_on("odds.weighing", WEIGHING, n=positions)

    def sampling(self, samples: int, most: int) -> bool:
        """False once the budget is spent."""
        return self._goes_on("odds.sampling", 1.0, n=samples, most=most)

    def _goes_on(self, key: str, part: float, **params: int) -> bool:
        self._tell(key, **params)
        if self.budget is None:
            return True
        kept = min(TELLING, self.budget / 4)
        return self._elapsed() < (self.budget - kept) * part

    def _tell(self, key: str, **params: int) -> None:
        elapsed = self._elapsed()
        if elapsed >= self._next and sys.stderr.isatty():
            from thunderref.cli.render import Status

            self._next = elapsed + EVERY
            self._status = self._status or Status()
            self._status.say(self.words.say(key, **params))

    def _elapsed(self) -> float:
        now = self.clock()
        if self.start is None:
            self.start = now
        return now - self.start
