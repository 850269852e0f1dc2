"""Keeps an eye on long work: tells how far it is, and stops it when its time is up."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thunderref.cli.render import Status
    from thunderref.cli.session import Session

PATIENCE = 1.0
"""Seconds before anything is said."""
EVERY = 0.25
OVERHEAD = 0.2
"""Seconds that starting and telling the answer take: the work ends so much earlier, half-way of a budget at most."""
WEIGHING = 0.5
"""The part of the budget that odds may be weighed for before they are sampled."""
FIRST = 0.6
"""The part of the budget that the best line may take where other choices are to be weighed too."""


class Watch:
    """Called by the search with the number of states; speaks on standard error, in a terminal only."""

    def __init__(self, run: Session, budget: float | None) -> None:
        self.words = run.words
        self.budget = budget
        self.start = run.started
        self._next = PATIENCE
        self._status: Status | None = None

    def __call__(self, states: int) -> bool:
        """False once the budget of seconds is spent."""
        return self._goes_on("resolve.progress", 1.0, n=states)

    def first(self, states: int) -> bool:
        """False once the part of the budget for the best line is spent, other choices being still to be weighed."""
        return self._goes_on("resolve.progress", FIRST, n=states)

    def weighing(self, positions: int) -> bool:
        """False once the part of the budget for weighing is spent."""
        return self._goes_on("odds.weighing", WEIGHING, n=positions)

    def sampling(self, samples: int, most: int) -> bool:
        """False once the budget is spent."""
        return self._goes_on("odds.sampling", 1.0, n=samples, most=most)

    def _goes_on(self, key: str, part: float, **params: int) -> bool:
        elapsed = time.monotonic() - self.start
        if self.budget is not None and elapsed >= max(self.budget - OVERHEAD, self.budget / 2) * part:
            return False
        if elapsed >= self._next and sys.stderr.isatty():
            self._next = elapsed + EVERY
            self._say(self.words.say(key, **params))
        return True

    def _say(self, text: str) -> None:
        if self._status is None:
            from thunderref.cli.render import Status

            self._status = Status()
        self._status.say(text)

    def done(self) -> None:
        """Takes the message away."""
        if self._status is not None:
            self._status.end()
            self._status = None
