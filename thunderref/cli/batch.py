"""``resolve --batch``: one scenario a line in, one result a line out, in the same order."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.cli.app import DEBUG_VARIABLE
from thunderref.cli.inputs import lines_of, object_of
from thunderref.cli.session import Session
from thunderref.errors import InputError, ThunderrefError
from thunderref.store.read import open_store
from thunderref.words.words import Words

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

FEW = 32
"""Up to this many lines a second process costs more than it saves."""
SECONDS_TO_END = 2.0
CHUNK = 8
"""Lines that a process is given at a time."""
AHEAD = 4
"""Chunks a process that are handed out before the first of them is printed."""


class Task(NamedTuple):
    """One line to be resolved: its text, the language of texts and errors, and the seconds its search may take."""

    line: str
    lang: str
    budget: float | None


def run_batch(run: Session, name: str, jobs: int | None, budget: float | None = None) -> None:
    """Resolves every line of a file; a bad line gives an error object on its line and the rest go on.

    ``jobs`` processes share the work, None for as many as there are cores; ``budget`` is the time of each line.
    """
    if jobs is not None and jobs < 1:
        raise InputError("bad-jobs", jobs=jobs)
    lang = run.words.lang
    tasks = (Task(line, lang, budget) for line in lines_of(name) if line.strip())
    with closing(_results(tasks, jobs or _cores())) as results:
        for result in results:
            print(result)


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _results(tasks: Iterator[Task], jobs: int) -> Generator[str, None, None]:
    _warm()
    first = [] if jobs == 1 else list(islice(tasks, FEW + 1))
    if len(first) <= FEW:
        yield from _alone(chain(first, tasks))
    else:
        yield from _shared(chain(first, tasks), jobs)


def _alone(tasks: Iterator[Task]) -> Generator[str, None, None]:
    """The results of all tasks, worked out here; an interrupt, which ends only a search otherwise, ends all."""
    import signal

    interrupts: list[int] = []

    def interrupted(number: int, _: object) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is threading.main_thread() and before is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupted)
    try:
        for task in tasks:
            result = resolve_line(task)
            if interrupts:
                raise KeyboardInterrupt
            yield result
            sys.stdout.flush()
    finally:
        if interrupted is signal.getsignal(signal.SIGINT):
            signal.signal(signal.SIGINT, before)


def _shared(tasks: Iterator[Task], jobs: int) -> Generator[str, None, None]:
    """The results of all tasks in their order, worked out by several processes, never far ahead of what is printed."""
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, initializer=_ignore_interrupts)
    waiting: deque[Future[list[str]]] = deque()
    try:
        chunks = iter(lambda: list(islice(tasks, CHUNK)), [])
        for chunk in chunks:
            waiting.append(pool.submit(resolve_lines, chunk))
            if len(waiting) >= jobs * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException:  # nobody waits for the rest: an interrupt, or an output that is closed
        _end(pool)
        raise
    pool.shutdown()


def _warm() -> None:
    """Loads what every line needs: processes are born with it, and nobody looks through it for what may be freed."""
    import gc

    import thunderref.solve.api as needed  # noqa: F401
    from thunderref.store.catalog import load_book

    load_book(open_store())
    gc.freeze()


def _end(pool: ProcessPoolExecutor) -> None:
    """Ends the processes where they are, and waits a moment for the thread that watches them.

    The interpreter, on its way out, would wake that thread through a pipe which the thread itself may be closing.
    """
    processes = list((pool._processes or {}).values())
    watching: Any = pool._executor_manager_thread  # a thread, whatever the type stubs say
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    if watching is not None:
        watching.join(SECONDS_TO_END)


def _ignore_interrupts() -> None:
    """An interrupt from the keyboard is for the process that prints, which ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def resolve_lines(tasks: Iterable[Task]) -> list[str]:
    """The results of several lines."""
    return [resolve_line(task) for task in tasks]


_words: dict[str, Words] = {}


def resolve_line(task: Task) -> str:
    """The result of one line as JSON on one line: a resolution, or ``{"error": …}``."""
    from thunderref.solve.api import resolve
    from thunderref.solve.budget import Budget

    words = _words.get(task.lang) or _words.setdefault(task.lang, Words(open_store(), task.lang))
    try:
        try:
            document = json.loads(task.line.removeprefix("\ufeff"), object_pairs_hook=object_of)
        except json.JSONDecodeError as error:
            raise InputError("malformed-line", column=error.colno) from None
        except (ValueError, RecursionError):
            raise InputError("malformed-line", column=1) from None
        result = resolve(document, words=words, budget=Budget(task.budget, time.monotonic)).model_dump()
    except ThunderrefError as error:
        result = {"error": error.document(words.error(error))}
    except Exception as unforeseen:  # the rest of the batch goes on
        if DEBUG_VARIABLE in os.environ:
            raise
        problem = f"{type(unforeseen).__name__}: {unforeseen}"[:120]
        internal = InputError("internal", problem=problem, variable=DEBUG_VARIABLE)
        result = {"error": internal.document(words.error(internal))}
    return json.dumps(result, ensure_ascii=False)
