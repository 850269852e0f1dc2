"""How long a search may take, and where it runs: here, one after another, or beside the look-ups."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from starlette.exceptions import HTTPException

from thunderref.budget import Budget

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
SECONDS = 2.0
"""The time of a search if the command line says nothing else."""
MOST_SECONDS = 20.0
"""The most seconds that an address may ask for."""
PATIENT = 15
"""Niceness of a process that searches: everything else on the laptop goes before it."""
AT_ONCE = 2
"""Searches at once, and as many longer than usual beside them."""
WAITING = 40
"""Searches of one length that may wait; with those of the other, fewer than the requests that are answered at once."""
QUEUE_SECONDS = 2.0
"""Seconds until a page that waits for its turn is told its place and asks again."""
GRACE = 0.5
"""Seconds that a search runs after its phone has left; a new process costs more than most searches."""


class QueuedError(Exception):
    """A search still waits for its turn; ``before`` is the number of searches that go first."""

    def __init__(self, before: int) -> None:
        super().__init__(before)
        self.before = before


class Searches:
    """Searches that run here, one after another; ``seconds`` is the usual time of one (None: no end)."""

    apart = False

    def __init__(self, seconds: float | None = SECONDS) -> None:
        self.seconds = seconds

    async def search(
        self, answer: Callable[..., T], *args: Any, long: bool = False, phone: str = "", asks_again: str = ""
    ) -> T:
        """Return the answer of a search, ``long`` if it may take longer than usual.

        Searches of one ``phone`` (its address in the network) let those of others go between them. Raises
        :class:`QueuedError` if its turn is long in coming and it is one that ``asks_again``, by this name.
        """
        return answer(*args)

    def seconds_of(self, requested: float | None) -> float | None:
        """Return the seconds that a search gets of those requested: at most :data:`MOST_SECONDS` or the usual time."""
        limit = None if self.seconds is None else max(self.seconds, MOST_SECONDS)
        if requested is None:
            return self.seconds
        return requested if limit is None else min(requested, limit)

    def is_long(self, text: str | None) -> bool:
        """True if an address asks for more than the usual time."""
        with suppress(ValueError):
            return bool(text) and self.seconds is not None and float(text or 0) > self.seconds
        return False

    def budget(self, requested: float | None = None) -> Budget:
        return Budget(self.seconds_of(requested))

    def close(self) -> None:
        """Ends what searches."""


class SearchesApart(Searches):
    """Searches in processes of their own, for beside two of them in threads a look-up takes most of a second.

    A look-up needs none: it takes a millisecond, less than the way there and back.
    """

    apart = True

    def __init__(self, seconds: float | None = SECONDS) -> None:
        super().__init__(seconds)
        self._queues = {long: _Queue() for long in (False, True)}
        self._queues[False].free[-1].begin()  # the first is there when it is wanted

    async def search(
        self, answer: Callable[..., T], *args: Any, long: bool = False, phone: str = "", asks_again: str = ""
    ) -> T:
        """Return the answer of a search; one that is cancelled ends, with its process if it takes long.

        Raises :class:`HTTPException` (503) if too many wait, or if the system has ended the process.
        """
        from concurrent.futures import BrokenExecutor

        queue = self._queues[long]
        process = await queue.take_turn(phone, asks_again)
        work = asyncio.wrap_future(process.submit(answer, *args))

        def give_back(_: object) -> None:  # even if nobody waits for the answer any more
            if not self._queues:  # all has been closed
                return
            if isinstance(work.exception(), BrokenExecutor):
                process.renew()
            queue.give_back(process)

        work.add_done_callback(give_back)
        try:
            return await asyncio.shield(work)
        except BrokenExecutor:
            raise HTTPException(503) from None
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(GRACE, process.end, work)
            raise

    def close(self) -> None:
        import multiprocessing

        for child in multiprocessing.active_children():
            child.terminate()
        for queue in self._queues.values():
            for process in queue.processes:
                process.pool.shutdown(cancel_futures=True)
        self._queues.clear()  # with what they hold of the system


class _Process:
    """One process that searches; a single search is in it at a time."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Let another process come with the next search."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        ways = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in ways else "spawn")
        context.set_forkserver_preload(["thunderref.serve.app"])
        self.pool = ProcessPoolExecutor(1, context, _stand_back)
        self._id: Future[int] | None = None

    def begin(self) -> None:
        """Start the process, unless it is there."""
        self._id = self._id or self.pool.submit(os.getpid)

    def submit(self, answer: Callable[..., T], *args: Any) -> Future[T]:
        """Begin a search; in a new process, if this one has ended since the last search."""
        from concurrent.futures import BrokenExecutor

        with suppress(BrokenExecutor):
            self.begin()
            return self.pool.submit(answer, *args)
        self.renew()
        return self.submit(answer, *args)

    def end(self, work: asyncio.Future[Any]) -> None:
        """End the process if it is still at this work."""
        import multiprocessing

        for child in multiprocessing.active_children():
            if not work.done() and self._id is not None and self._id.done() and child.pid == self._id.result():
                child.terminate()


class _Place(NamedTuple):
    """A place in a queue: the searches of the same phone that were there first, then the order of coming."""

    round: int
    number: int
    phone: str


class _Queue:
    """Searches of one length: those that have a process, and those that wait for one."""

    def __init__(self) -> None:
        self.processes = [_Process() for _ in range(AT_ONCE)]
        self.free = [*self.processes]
        self._waiting: dict[_Place, asyncio.Future[_Process]] = {}
        self._kept: dict[str, _Place] = {}
        self._numbers = count()

    async def take_turn(self, phone: str, asks_again: str) -> _Process:
        """Return a process once it is this search's turn; who ``asks_again`` keeps the place it had."""
        before = sum(place.phone == phone for place in self._waiting)
        place = self._kept.pop(asks_again, None) or _Place(before, next(self._numbers), phone)
        if self.free and not self._waiting:
            return self.free.pop()
        if len(self._waiting) >= WAITING:
            raise HTTPException(503)
        turn: asyncio.Future[_Process] = asyncio.get_running_loop().create_future()
        self._waiting[place] = turn
        try:
            await asyncio.wait((turn,), timeout=QUEUE_SECONDS if asks_again else None)
            if turn.done():
                return turn.result()
            self._kept[asks_again] = place
            while len(self._kept) > WAITING:
                del self._kept[next(iter(self._kept))]
            raise QueuedError(sum(other < place for other in self._waiting))
        except asyncio.CancelledError:
            if turn.done():
                self.give_back(turn.result())
            raise
        finally:
            self._waiting.pop(place, None)

    def give_back(self, process: _Process) -> None:
        """Hand a process that is free to the first who waits."""
        if self._waiting:
            self._waiting.pop(min(self._waiting)).set_result(process)
        else:
            self.free.append(process)


def _stand_back() -> None:
    """Makes a process that searches give way to look-ups and end with its server, to which it leaves Ctrl-C."""
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
