"""Shares work among processes of this machine or of a Dask cluster, behind the Executor of ``concurrent.futures``.

Results come in the order of their tasks, so that nobody can tell who worked. What a lost worker did is done again.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from thunderref.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")

PROCESSES = "processes"
"""The scheduler that needs no cluster."""
AUTO: Literal["auto"] = "auto"
MOST_WORKERS = 1024
MOST_PROCESSES_OF_WINDOWS = 61
"""It waits for no more at once."""
AHEAD = 4
"""Tasks handed to each worker before the result of the first is taken."""
TRIES = 3
"""How often workers may be lost over the same task before it counts as the one that ends them."""
SECONDS_TO_END = 2.0
SECONDS_TO_JOIN = 10.0
"""How long a cluster may take to answer."""


@contextmanager
def interrupted_later() -> Iterator[None]:
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


class Here(Executor):
    """Does each task at once, in this thread."""

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        future: Future[R] = Future()
        with interrupted_later():
            try:
                future.set_result(fn(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)
        return future


class Workers:
    """``count`` workers behind an executor; ``hire`` makes it, and makes it anew if it breaks with a lost worker."""

    def __init__(self, count: int, hire: Callable[[], Executor], ahead: int = AHEAD) -> None:
        self.count = count
        self.most = count * ahead if count > 1 else 1
        self._hire = hire
        self._executor = hire()

    def in_order(self, function: Callable[[T], R], tasks: Iterable[T]) -> Generator[R, None, None]:
        """The results of the tasks in their order; tasks are taken only as workers come to need them.

        ``function`` is one of a module, and tasks and results can be pickled. What it raises is raised here; raises
        :class:`InputError` (``workers-lost``) if workers are lost over the same task again and again.
        """
        waiting: deque[tuple[T, Future[R]]] = deque()
        for task in tasks:
            waiting.append((task, self._submit(function, task)))
            if len(waiting) >= self.most:
                yield self._first(function, waiting)
        while waiting:
            yield self._first(function, waiting)

    def end(self) -> None:
        """Lets the workers go when they have done what they are doing."""
        self._executor.shutdown()

    def stop(self) -> None:
        """Ends the work at once."""
        stop(self._executor)

    def _submit(self, function: Callable[[T], R], task: T) -> Future[R]:
        try:
            return self._executor.submit(function, task)
        except BrokenExecutor as error:  # found broken while it is given more
            future: Future[R] = Future()
            future.set_exception(error)
            return future

    def _first(self, function: Callable[[T], R], waiting: deque[tuple[T, Future[R]]]) -> R:
        for _ in range(TRIES):
            try:
                return _taken(waiting)
            except _lost() as error:
                if isinstance(error, BrokenExecutor):  # not one task is lost, but all processes
                    stop(self._executor)
                    self._executor = self._hire()
            for place, (task, future) in enumerate(waiting):
                if not _has_a_result(future):
                    waiting[place] = task, self._submit(function, task)
        try:
            return _taken(waiting)
        except _lost():
            raise InputError("workers-lost") from None


def _taken(waiting: deque[tuple[T, Future[R]]]) -> R:
    """The result of the first task, which then waits no longer."""
    try:
        found = waiting[0][1].result()
    except CancelledError:
        raise InputError("scheduler-lost") from None
    waiting.popleft()
    return found


def _has_a_result(future: Future[Any]) -> bool:
    """True unless its worker was lost: there is a result, an error of its own, or somebody still works on it."""
    if not future.done():
        return True
    return not isinstance(future.exception(), _lost())


def _lost() -> tuple[type[Exception], ...]:
    """The errors of lost workers: of processes here, and of a cluster if one is used."""
    distributed = sys.modules.get("distributed")
    return (BrokenExecutor,) if distributed is None else (BrokenExecutor, distributed.KilledWorker)


def number_of_workers(asked: str | int | None) -> int | None:
    """How many workers are asked for, None for ``auto`` or nothing; :class:`InputError` for no number of them."""
    if asked is None or asked == AUTO:
        return None
    with suppress(ValueError):
        if 1 <= int(asked) <= MOST_WORKERS:
            return int(asked)
    raise InputError("bad-jobs", jobs=str(asked)[:40], most=MOST_WORKERS)


def cores() -> int:
    """How many cores this process may use."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return found or 1


def check_scheduler(scheduler: str) -> None:
    """Raises :class:`InputError` for what is neither ``processes`` nor the address of a cluster."""
    kind, _, rest = scheduler.partition("://")
    if scheduler != PROCESSES and (kind not in ("tcp", "tls", "ws", "wss") or not rest):
        raise InputError("bad-scheduler", scheduler=scheduler[:80])


@contextmanager
def hired(scheduler: str = PROCESSES, workers: int | None = None) -> Iterator[Workers]:
    """Workers for what is done meanwhile: processes of this machine, or those of the cluster at ``scheduler``.

    ``workers`` is their number, None for one a core, or for all of a cluster; a single one is this process itself.
    Raises :class:`InputError`: ``bad-scheduler``, ``dask-missing``, ``scheduler-silent``, ``scheduler-idle``.
    """
    check_scheduler(scheduler)
    if scheduler != PROCESSES:
        with _cluster(scheduler, workers) as found:
            yield found
        return
    count = min(workers or cores(), MOST_PROCESSES_OF_WINDOWS if sys.platform == "win32" else MOST_WORKERS)
    found = Workers(1, Here) if count == 1 else Workers(count, lambda: _processes(count))
    try:
        yield found
    except BaseException:  # the rest is not wanted: an interrupt, an error, or a closed output
        found.stop()
        raise
    found.end()


def _processes(count: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(count, initializer=_begin)


def _begin() -> None:
    """Readies a process for its work."""
    # an interrupt from the keyboard is for the process that prints, which ends the others
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.enable()  # a process that is not forked imports the program anew, which loads without


def stop(executor: Executor) -> None:
    """Ends the work at once: kills the processes, and waits a moment for the thread that watches them.

    On exit the interpreter would wake that thread through a pipe that the thread itself may be closing.
    """
    processes = list((getattr(executor, "_processes", None) or {}).values())
    watching: Any = getattr(executor, "_executor_manager_thread", None)
    results: Any = getattr(executor, "_result_queue", None)
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    if results is not None:
        results._writer.close()  # or the thread would wait for the rest of what a killed process was sending
    if watching is not None:
        watching.join(SECONDS_TO_END)


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
        yield Workers(max(2, workers or threads), lambda: client.get_executor(pure=False))
    finally:
        client.close(timeout=SECONDS_TO_END)
