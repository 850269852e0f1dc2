"""How long a search may take, and where it runs: here, one after another, or beside the look-ups."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.exceptions import HTTPException

from thunderref.budget import Budget

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
SECONDS = 2.0
"""The time of a search if the command line says nothing else."""
LONGEST = 20.0
"""The most seconds that an address may ask for."""
PATIENT = 15
"""Niceness of a process that searches: everything else on the laptop goes before it."""
AT_ONCE = 2
"""Searches at once, and as many longer than usual beside them."""
WAITING = 24
"""Searches that may wait for their turn."""
PATIENCE = 3.0
"""Seconds that a search waits for its turn."""


class Searches:
    """Searches that run here, one after another; ``seconds`` is the usual time of one (None: no end)."""

    apart = False

    def __init__(self, seconds: float | None = SECONDS) -> None:
        self.seconds = seconds

    async def search(self, answer: Callable[..., T], *args: Any, long: bool = False) -> T:
        """The answer of a search, ``long`` if it may take longer than usual."""
        return answer(*args)

    def seconds_of(self, asked: float | None) -> float | None:
        """Return the seconds that a search gets of those it wants: no more than :data:`LONGEST` or the usual time."""
        most = None if self.seconds is None else max(self.seconds, LONGEST)
        if asked is None:
            return self.seconds
        return asked if most is None else min(asked, most)

    def is_long(self, asked: str | None) -> bool:
        """True if an address asks for more than the usual time."""
        with suppress(ValueError):
            return bool(asked) and self.seconds is not None and float(asked or 0) > self.seconds
        return False

    def budget(self, asked: float | None = None) -> Budget:
        return Budget(self.seconds_of(asked))

    def close(self) -> None:
        """Ends what searches."""


class SearchesApart(Searches):
    """Searches in processes of their own, for beside two of them in threads a look-up takes most of a second.

    A look-up needs none: it takes a millisecond, less than the way there and back.
    """

    apart = True

    def __init__(self, seconds: float | None = SECONDS) -> None:
        super().__init__(seconds)
        self._pool = _begin()
        self._free = {long: asyncio.Semaphore(AT_ONCE) for long in (False, True)}
        self._waiting = 0

    async def search(self, answer: Callable[..., T], *args: Any, long: bool = False) -> T:
        """The answer of a search; raises :class:`HTTPException` (503) if no process is free in time."""
        from concurrent.futures import BrokenExecutor

        if self._waiting >= WAITING:
            raise HTTPException(503)
        self._waiting += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await self._free[long].acquire()
        except TimeoutError:
            raise HTTPException(503) from None
        finally:
            self._waiting -= 1
        work = asyncio.get_running_loop().run_in_executor(self._pool, answer, *args)
        work.add_done_callback(lambda _: self._free[long].release())  # even if nobody waits for the answer any more
        try:
            return await work
        except BrokenExecutor:  # the system has ended a process
            self._pool = _begin()
            raise HTTPException(503) from None

    def close(self) -> None:
        import multiprocessing

        for process in multiprocessing.active_children():
            process.terminate()
        self._pool.shutdown(cancel_futures=True)
        del self._pool  # with what it holds of the system


def _begin() -> ProcessPoolExecutor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    ways = multiprocessing.get_all_start_methods()
    way = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
    way.set_forkserver_preload(["thunderref.serve.app"])
    pool = ProcessPoolExecutor(2 * AT_ONCE, way, _stand_back)
    pool.submit(int)  # the first is there when it is wanted
    return pool


def _stand_back() -> None:
    """Makes a process that searches give way to look-ups and end with its server, to which it leaves Ctrl-C."""
    import os
    import signal
    import threading

    threading.Thread(target=_end_with_server, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(PATIENT)


def _end_with_server() -> None:
    """Waits for the server that was killed, and could end nobody."""
    import signal
    from multiprocessing import parent_process

    if (server := parent_process()) is not None:
        server.join()
        signal.raise_signal(signal.SIGTERM)
