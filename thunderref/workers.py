"""Shares work among processes of this machine or of a Dask cluster, behind the Executor of ``concurrent.futures``.

Results come in the order of their tasks, so that nobody can tell who worked.
"""

from __future__ import annotations

import gc
import os
import pickle
import platform
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import FrameType
from typing import Any, Literal, NamedTuple, TypeVar

from thunderref.errors import InputError

T = TypeVar("T")
R = TypeVar("R")

PROCESSES = "processes"
"""The scheduler that needs no cluster."""
AUTO: Literal["auto"] = "auto"
MOST_WORKERS = 1024
MOST_PROCESSES_OF_WINDOWS = 61
"""It waits for no more at once."""
AHEAD = 4
"""Tasks handed to each worker before the result of the first is taken."""
SECONDS_TO_END = 2.0
SECONDS_TO_JOIN = 10.0
"""How long a cluster may take to answer."""


@contextmanager
def delay_interrupts() -> Iterator[None]:
    """Keeps an interrupt from the keyboard until the end; a second one comes at once.

    What is done meanwhile may take the interrupt for its own: a search that is interrupted answers with what it has.
    """
    waiting = []

    def keep(number: int, frame: FrameType | None) -> None:
        waiting.append(number)
        if len(waiting) > 1 and callable(before):
            before(number, frame)

    try:
        before = signal.signal(signal.SIGINT, keep)
    except ValueError:  # not the main thread, which alone is interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        signal.raise_signal(signal.SIGINT)


@dataclass
class Workers:
    """``count`` workers behind an executor; without one, each task is done at once in this thread.

    ``edition`` is that of this program where workers may be of another one, see :func:`edition`.
    """

    count: int
    executor: Executor | None
    edition: str | None = None

    def in_order(self, function: Callable[[T], R], tasks: Iterable[T]) -> Generator[R, None, None]:
        """The results of the tasks in their order; tasks are taken only as workers need them.

        ``function`` is one of a module, and tasks and results can be pickled. What it raises is raised here; raises
        :class:`InputError` (``workers-lost``) for a process that ends, or if a cluster gives a task up after losing
        workers over it again and again; ``workers-differ`` if a worker has another thunderref, or none.
        """
        if self.executor is None:
            for task in tasks:
                with delay_interrupts():
                    result = function(task)
                yield result
            return
        waiting: deque[Future[R]] = deque()
        try:
            for task in tasks:
                if self.edition is None:
                    waiting.append(self.executor.submit(_work, function, task))
                else:
                    packed = pickle.dumps(_Packed(self.edition, pickle.dumps((function, task))))
                    waiting.append(self.executor.submit(pickle.loads, packed))
                if len(waiting) >= self.count * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except CancelledError:
            raise InputError("scheduler-lost") from None
        except ImportError:
            if self.edition is None:
                raise
            raise InputError("workers-differ", why="none") from None
        except (BrokenExecutor, getattr(sys.modules.get("distributed"), "KilledWorker", BrokenExecutor)):
            raise InputError("workers-lost") from None


class _Interrupts:
    """What a process was interrupted by; an interrupt is raised only while a task is done, or else it would be told."""

    seen = works = False

    def note(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if self.works:
            signal.default_int_handler(number, frame)


_INTERRUPTS = _Interrupts()


def _work(function: Callable[[T], R], task: T) -> R:
    """Do a task, wherever it is sent; one that is interrupted has no result, even if it was finished."""
    try:
        _INTERRUPTS.works = True
        if not _INTERRUPTS.seen:
            result = function(task)
    finally:
        _INTERRUPTS.works = False
    if _INTERRUPTS.seen:
        signal.default_int_handler(signal.SIGINT, None)
    return result


@cache
def edition() -> str:
    """The version of the program and the contents of its card database, which answers depend on.

    It stays what it was at first: a process that runs on while another one is installed still is the old program.
    """
    from importlib import metadata

    from thunderref.database.read import open_database

    version = ""
    with suppress(metadata.PackageNotFoundError):
        version = metadata.version("thunderref")
    return f"{version} ({open_database().meta['contents']})"


class _Packed(NamedTuple):
    """A task that is done where it is unpickled, and a function with it.

    So a cluster is sent nothing but a call of :func:`pickle.loads`: what a worker cannot import, it would never answer.
    """

    edition: str
    task: bytes

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, bytes]]:
        return _work_alike, (*self,)


def _work_alike(ours: str, task: bytes) -> Any:
    """Does a task if this worker's thunderref is the one asked for; another one could not even read every task."""
    if (theirs := edition()) != ours:
        raise InputError("workers-differ", machine=platform.node(), theirs=theirs, ours=ours)
    return _work(*pickle.loads(task))


def number_of_workers(value: str | int | None) -> int | None:
    """Return the number of workers, None for ``auto`` or nothing; :class:`InputError` for no number of them."""
    if value is None or value == AUTO:
        return None
    with suppress(ValueError):
        if 1 <= int(value) <= MOST_WORKERS:
            return int(value)
    raise InputError("bad-jobs", jobs=str(value)[:40], most=MOST_WORKERS)


def cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_scheduler(scheduler: str) -> None:
    """Raises :class:`InputError` for what is neither ``processes`` nor the address of a cluster."""
    kind, _, address = scheduler.partition("://")
    if scheduler != PROCESSES and (kind not in ("tcp", "tls", "ws", "wss") or not address):
        raise InputError("bad-scheduler", scheduler=scheduler[:80])


@contextmanager
def hire(scheduler: str = PROCESSES, workers: int | None = None) -> Iterator[Workers]:
    """Workers for what is done meanwhile: processes of this machine, or those of the cluster at ``scheduler``.

    ``workers`` is their number, None for one a core, or for all of a cluster; a single one is this process itself.
    Raises :class:`InputError`: ``bad-scheduler``, ``dask-missing``, ``scheduler-silent``, ``scheduler-idle``.
    """
    check_scheduler(scheduler)
    if scheduler != PROCESSES:
        with _cluster(scheduler, workers) as cluster:
            yield cluster
        return
    count = min(workers or cores(), MOST_PROCESSES_OF_WINDOWS if sys.platform == "win32" else MOST_WORKERS)
    if count == 1:
        yield Workers(count, None)
        return
    from concurrent.futures import ProcessPoolExecutor

    executor = ProcessPoolExecutor(count, initializer=_begin)
    try:
        yield Workers(count, executor)
    finally:  # after an interrupt, an error or a closed output the rest is not wanted
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """Readies a process for its work."""
    signal.signal(signal.SIGINT, _INTERRUPTS.note)
    gc.enable()  # a process that is not forked imports the program anew, which loads without


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[Workers]:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise InputError("dask-missing") from None
    import logging

    for name in logging.root.manager.loggerDict:
        if name.partition(".")[0] == "distributed":  # what goes wrong is said in one sentence
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = distributed.Client(address, timeout=SECONDS_TO_JOIN, set_as_default=False)
    except (OSError, ValueError, TypeError):  # a timeout is an OSError, too
        raise InputError("scheduler-silent", scheduler=address[:80]) from None
    try:
        with suppress(TimeoutError):
            client.wait_for_workers(1, timeout=SECONDS_TO_JOIN)
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError("scheduler-idle", scheduler=address[:80])
        yield Workers(max(2, workers or threads), client.get_executor(pure=False), edition())
    finally:
        client.close(timeout=SECONDS_TO_END)
