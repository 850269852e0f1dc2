"""Threads for the searches; a look-up takes a millisecond, less than the way to another thread and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, TypeVar

from thunderref.thunderstone.resolve.budget import Budget

T = TypeVar("T")
SECONDS = 2.0
"""The time of a search if the command line says nothing else."""
LONGEST = 20.0
"""The most seconds that an address may ask for."""
SEARCHES = 2
"""Searches at once, and as many longer than usual beside them."""
WAITING = 24
"""Searches that may wait for a thread."""
PATIENCE = 3.0
"""Seconds that a search waits for a thread."""
WEIGHING = 0.5
"""The part of the time for weighing odds before they are sampled."""


class BusyError(Exception):
    """All threads for searches are taken, and too many wait."""


class Watch:
    """Follows the search for odds, and ends it when its time is up."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._start = monotonic()

    def weighing(self, positions: int) -> bool:
        """False once the part of the time for weighing is spent."""
        return self._goes_on(WEIGHING)

    def sampling(self, samples: int, most: int) -> bool:
        """False once the time is spent."""
        return self._goes_on(1.0)

    def _goes_on(self, part: float) -> bool:
        return self.seconds is None or monotonic() - self._start < self.seconds * part


class Workers:
    """Runs searches in a few threads; ``seconds`` is the usual time of a search (None: no end)."""

    def __init__(self, seconds: float | None = SECONDS) -> None:
        self.seconds = seconds
        self._searches = ThreadPoolExecutor(2 * SEARCHES, "search")
        self._free = {long: asyncio.Semaphore(SEARCHES) for long in (False, True)}
        self._waiting = 0

    async def search(self, answer: Callable[..., T], *args: Any, long: bool = False) -> T:
        """The answer of a search; raises :class:`BusyError` if no thread is free in time."""
        if self._waiting >= WAITING:
            raise BusyError
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free[long].acquire()
        except TimeoutError:
            raise BusyError from None
        finally:
            self._waiting -= 1
        work = asyncio.get_running_loop().run_in_executor(self._searches, answer, *args)
        work.add_done_callback(lambda _: self._free[long].release())  # even if nobody waits for the answer any more
        return await work

    def seconds_of(self, asked: float | None) -> float | None:
        """The time for a search that asks for so many seconds, no more than :data:`LONGEST` or the usual time."""
        most = None if self.seconds is None else max(self.seconds, LONGEST)
        if asked is None:
            return self.seconds
        return asked if most is None else min(asked, most)

    def is_long(self, asked: float | None) -> bool:
        return asked is not None and self.seconds is not None and asked > self.seconds

    def budget(self, asked: float | None = None) -> Budget:
        return Budget(self.seconds_of(asked))

    def watch(self, asked: float | None = None) -> Watch:
        return Watch(self.seconds_of(asked))

    def close(self) -> None:
        self._searches.shutdown(wait=False, cancel_futures=True)
