"""``resolve --batch``: one scenario a line in, one result a line out, in the same order."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from thunderref.cli.gate import escape_for_json
from thunderref.cli.inputs import lines_of
from thunderref.cli.session import Session, json_text, marked, unforeseen
from thunderref.database.read import open_database
from thunderref.errors import InputError, ThunderrefError
from thunderref.files import parse_json
from thunderref.text.language import Language
from thunderref.thunderstone.card_store import load_cards
from thunderref.thunderstone.resolve import judge
from thunderref.thunderstone.resolve.budget import Budget
from thunderref.thunderstone.setup.memory import Tonight
from thunderref.workers import PROCESSES, cores, hire

FEW = 32
"""Up to this many lines a second process costs more than it saves."""
CHUNK = 8
"""Lines given to a worker at a time."""


class Lines(NamedTuple):
    """Some lines of a batch, with all that is needed to resolve them elsewhere."""

    lines: list[str]
    lang: str
    budget: float | None
    now: Tonight | None


def run_batch(run: Session, name: str, workers: int | None, scheduler: str, budget: float | None = None) -> None:
    """Resolves every line of a file, shared by ``workers`` (None: one a core), each within ``budget``."""
    alone = scheduler == PROCESSES and (workers or cores()) == 1
    lines = (line for line in lines_of(name) if line.strip())
    load_cards(run.database)  # before the processes part, so that they share it
    gc.freeze()
    escape_for_json(sys.stdout)
    first = [] if alone else list(islice(lines, FEW + 1))
    every = chain(first, lines)
    if alone or (scheduler == PROCESSES and len(first) <= FEW):
        for line in every:
            print(resolve_line(line, run.words, budget, marked(run.tonight)), flush=True)
        return
    with hire(scheduler, workers) as crew, closing(crew.in_order(resolve_lines, _shares(every, run, budget))) as found:
        for results in found:
            for result in results:
                print(result)


def _shares(lines: Iterator[str], run: Session, budget: float | None) -> Iterator[Lines]:
    for some in iter(lambda: list(islice(lines, CHUNK)), []):
        yield Lines(some, run.language, budget, run.tonight)


def resolve_lines(share: Lines) -> list[str]:
    """The results of some lines, on whichever worker."""
    database, now = open_database(), share.now
    words = Language(database if now is None else database.at_table(now.cards), share.lang)
    return [resolve_line(line, words, share.budget, marked(now)) for line in share.lines]


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
