"""Threads for the answers: one for look-ups, some for searches; searches give way to look-ups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
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
GIVING_WAY = 0.05
"""Seconds that a search waits at most, each time it looks, for the look-ups under way."""
WEIGHING = 0.5
"""The part of the time for weighing odds before they are sampled."""


class BusyError(Exception):
    """All threads for searches are taken, and too many wait."""


class Watch:
    """Follows the search for odds: ends it when its time is up, and lets it give way to look-ups."""

    def __init__(self, seconds: float | None, give_way: Callable[[int], None]) -> None:
        self.seconds = seconds
        self._give_way = give_way
        self._start = monotonic()

    def weighing(self, positions: int) -> bool:
        """False once the part of the time for weighing is spent."""
        return self._goes_on(positions, WEIGHING)

    def sampling(self, samples: int, most: int) -> bool:
        """False once the time is spent."""
        return self._goes_on(samples, 1.0)

    def _goes_on(self, n: int, part: float) -> bool:
        self._give_way(n)
        return self.seconds is None or monotonic() - self._start < self.seconds * part


class Workers:
    """Runs look-ups in one thread, searches in a few; ``seconds`` is the usual time of a search (None: no end)."""

    def __init__(self, seconds: float | None = SECONDS) -> None:
        self.seconds = seconds
        self._look_ups = ThreadPoolExecutor(1, "look-up")
        self._searches = ThreadPoolExecutor(2 * SEARCHES, "search")
        self._free = {long: asyncio.Semaphore(SEARCHES) for long in (False, True)}
        self._waiting = 0
        self._looking = 0
        self._quiet = Event()
        self._quiet.set()

    async def look_up(self, answer: Callable[..., T], *args: Any) -> T:
        self._looking += 1
        self._quiet.clear()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._look_ups, answer, *args)
        finally:
            self._looking -= 1
            if not self._looking:
                self._quiet.set()

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
        return Budget(self.seconds_of(asked), told=self.give_way)

    def watch(self, asked: float | None = None) -> Watch:
        return Watch(self.seconds_of(asked), self.give_way)

    def give_way(self, _: int) -> None:
        self._quiet.wait(GIVING_WAY)

    def close(self) -> None:
        for pool in (self._look_ups, self._searches):
            pool.shutdown(wait=False, cancel_futures=True)
