"""Keeps an eye on a long search: tells how far it is, and stops it when its time is up."""

from __future__ import annotations

import sys
import time

from thunderref.words.words import Words

PATIENCE = 1.0
"""Seconds before anything is said."""
EVERY = 0.5


class Watch:
    """Called by the search with the number of states; speaks on standard error, in a terminal only."""

    def __init__(self, words: Words, budget: float | None) -> None:
        self.words = words
        self.budget = budget
        self.start = time.monotonic()
        self._next = PATIENCE
        self._spoke = False

    def __call__(self, states: int) -> bool:
        """False once the budget of seconds is spent."""
        elapsed = time.monotonic() - self.start
        if self.budget is not None and elapsed >= self.budget:
            return False
        if elapsed >= self._next and sys.stderr.isatty():
            self._next = elapsed + EVERY
            self._spoke = True
            print(f"\r\x1b[K{self.words.say('resolve.progress', n=states)}", end="", file=sys.stderr, flush=True)
        return True

    def done(self) -> None:
        """Takes the message away."""
        if self._spoke:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
