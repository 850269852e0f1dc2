"""The time that an answer may take, shared among its parts.

Every part is told when its share of the time is over, counted from the beginning of the whole; what a part leaves over
is there for those after it. A little is kept back for putting the answer into words.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

Tick = Callable[[int], bool]
"""Called with the number of states searched so far; False stops the search."""
Clock = Callable[[], float]
TELLING = 0.04
"""Seconds kept back for what follows the last search: its line shortened and told."""
MOST_KEPT = 0.25
"""The part of a short budget that is kept back at most."""
TIDYING = 0.5
"""The part of what is kept back in which lines are shortened."""


class Budget:
    """``seconds`` from its beginning, None for as many as it takes; ``clock`` tells the time.

    ``told`` is called with the number of states whenever a search asks whether it may go on. ``interrupted``: no part
    may go on, because the player has interrupted it.
    """

    def __init__(
        self, seconds: float | None = None, clock: Clock = monotonic, told: Callable[[int], None] | None = None
    ) -> None:
        self.seconds = seconds
        self._clock = clock
        self._told = told
        self._began = clock()
        self.interrupted = False

    def begin(self) -> None:
        self._began = self._clock()

    def searching(self, share: float = 1.0) -> Tick:
        """False once so much of the time is over, what is kept back apart."""
        return self._until(share, 0.0)

    def tidying(self, share: float = 1.0) -> Tick:
        """The same for what follows a search with this share: part of what is kept back may be used too."""
        return self._until(share, TIDYING)

    def _until(self, share: float, used: float) -> Tick:
        told = None if used else self._told
        last = None
        if self.seconds is not None:
            kept = min(TELLING, self.seconds * MOST_KEPT)
            last = self._began + (self.seconds - kept) * share + kept * used

        def goes_on(states: int) -> bool:
            if told is not None:
                told(states)
            return not self.interrupted and (last is None or self._clock() < last)

        return goes_on
