"""The time that an answer may take, shared among its parts.

The share of a part ends at a fixed time after the beginning of the whole; what a part does not use is there for those
after it. A little is kept back for putting the answer into words.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Protocol

Tick = Callable[[int], bool]
"""Called with the number of states searched so far; False stops the search."""


class Tell(Protocol):
    """Hears how far the work is: the message that says so, and its numbers."""

    def __call__(self, message: str, n: int, most: int | None = None) -> None: ...


TELLING = 0.04
"""Seconds kept back for what follows the last search: its line is shortened and reported."""
MOST_KEPT = 0.25
"""The largest part of a short budget that is kept back."""
TIDYING = 0.5
"""The part of what is kept back in which lines are shortened."""


class Budget:
    """``seconds`` from its beginning, None for no limit.

    ``tell`` is called whenever a search asks whether it may go on. ``interrupted``: the player has interrupted the
    work, so no part may go on.
    """

    def __init__(self, seconds: float | None = None, tell: Tell | None = None) -> None:
        self.seconds = seconds
        self._tell = tell
        self._began = monotonic()
        self.interrupted = False

    def begin(self) -> None:
        self._began = monotonic()

    def searching(self, share: float = 1.0, message: str = "resolve.progress", most: int | None = None) -> Tick:
        """Return a :data:`Tick` that is False once this share of the time is over, not counting what is kept back."""
        return self._until(share, 0.0, message, most)

    def tidying(self, share: float = 1.0) -> Tick:
        """Return the :data:`Tick` of what follows a search: it may also use part of the time that is kept back."""
        return self._until(share, TIDYING)

    def _until(self, share: float, used: float, message: str | None = None, most: int | None = None) -> Tick:
        last = None
        if self.seconds is not None:
            reserve = min(TELLING, self.seconds * MOST_KEPT)
            last = self._began + (self.seconds - reserve) * share + reserve * used

        def goes_on(states: int) -> bool:
            if self._tell is not None and message is not None:
                self._tell(message, states, most)
            return not self.interrupted and (last is None or monotonic() < last)

        return goes_on
