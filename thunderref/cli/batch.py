"""``resolve --batch``: one scenario a line in, one result a line out, in the same order."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from thunderref.cli.inputs import lines_of
from thunderref.cli.session import Session, json_text, marked, unforeseen
from thunderref.database.read import open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import parse_json
from thunderref.text.language import Language
from thunderref.thunderstone.card_store import load_cards
from thunderref.thunderstone.resolve import judge
from thunderref.thunderstone.resolve.budget import Budget
from thunderref.thunderstone.setup.tonight import Tonight

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

FEW = 32
"""Up to this many lines a second process costs more than it saves."""
SECONDS_TO_END = 2.0
CHUNK = 8
"""Lines given to a process at a time."""
AHEAD = 4
"""Chunks handed to each process before the first of them is printed."""


def run_batch(run: Session, name: str, jobs: int | None, budget: float | None = None) -> None:
    """Resolves every line of a file, shared by ``jobs`` processes (None: one a core), each within ``budget``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    jobs = jobs or cores or 1
    lines = (line for line in lines_of(name) if line.strip())
    load_cards(run.database)  # before the processes part, so that they share it
    gc.freeze()
    first = [] if jobs == 1 else list(islice(lines, FEW + 1))
    every = chain(first, lines)
    alone = len(first) <= FEW
    here = (resolve_line(line, run.words, budget, marked(run.tonight)) for line in every)
    with closing(here if alone else _shared(every, run, budget, jobs)) as results:
        for result in results:
            print(result, flush=alone)


def _shared(lines: Iterator[str], run: Session, budget: float | None, jobs: int) -> Generator[str, None, None]:
    """The results in their order, worked out by several processes, never far ahead of what is printed."""
    from concurrent.futures import ProcessPoolExecutor

    # an interrupt from the keyboard is for the process that prints, which ends the others
    pool = ProcessPoolExecutor(jobs, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    waiting: deque[Future[list[str]]] = deque()
    try:
        for chunk in iter(lambda: list(islice(lines, CHUNK)), []):
            waiting.append(pool.submit(resolve_lines, chunk, run.language, budget, run.tonight))
            if len(waiting) >= jobs * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException:  # the rest is not wanted: an interrupt, or a closed output
        _end(pool)
        raise
    pool.shutdown()


def _end(pool: ProcessPoolExecutor) -> None:
    """Kills the processes, and waits a moment for the thread that watches them.

    On exit the interpreter would wake that thread through a pipe that the thread itself may be closing.
    """
    processes = list((pool._processes or {}).values())
    watching: Any = pool._executor_manager_thread  # a thread, whatever the type stubs say
    results: Any = pool._result_queue
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    results._writer.close()  # or the thread would wait for the rest of what a killed process was sending
    if watching is not None:
        watching.join(SECONDS_TO_END)


def resolve_lines(lines: list[str], lang: str, budget: float | None, now: Tonight | None) -> list[str]:
    database = open_database()
    words = Language(database if now is None else database.at_table(now.cards), lang)
    return [resolve_line(line, words, budget, marked(now)) for line in lines]


def resolve_line(line: str, words: Language, budget: float | None, marks: dict[str, Any]) -> str:
    """The result of one line as JSON on one line: a resolution, or ``{"error": …}``; with the ``marks`` of all."""
    try:
        document = parse_json(line, "-", lambda _, column: InputError("malformed-line", column=column))
        limit = Budget(budget)
        result = judge.resolve(document, words=words, budget=limit).model_dump()
        if limit.interrupted:  # that ended a search only
            raise KeyboardInterrupt
    except Exception as error:  # the rest of the batch goes on
        told = error if isinstance(error, ThunderrefError) else unforeseen(error)
        result = {"error": told.document(words.error(told))}
    return json_text(result | marks, None)
