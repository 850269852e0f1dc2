"""``resolve --batch``: one scenario a line in, one result a line out, in the same order."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from thunderref.cli.inputs import read_text
from thunderref.cli.session import Session
from thunderref.errors import InputError, ThunderrefError
from thunderref.store.read import open_store
from thunderref.words.words import Words

FEW = 32
"""Up to this many lines a second process costs more than it saves."""


def run_batch(run: Session, name: str, jobs: int | None) -> None:
    """Resolves every line of a file; a bad line gives an error object on its line and the rest go on."""
    if jobs is not None and jobs < 1:
        raise InputError("bad-jobs", jobs=jobs)
    lines = [line for line in read_text(name).splitlines() if line.strip()]
    lang = run.words.lang
    for result in _results(lines, lang, jobs or os.cpu_count() or 1):
        print(result)


def _results(lines: list[str], lang: str, jobs: int) -> Iterator[str]:
    if jobs == 1 or len(lines) <= FEW:
        for line in lines:
            yield resolve_line((line, lang))
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(resolve_line, [(line, lang) for line in lines], chunksize=8)


def resolve_line(task: tuple[str, str]) -> str:
    """The result of one line as JSON on one line: a resolution, or ``{"error": …}``."""
    line, lang = task
    from thunderref.solve.api import resolve

    words = Words(open_store(), lang)
    try:
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError("malformed-line", problem=str(error)) from None
        result = resolve(document, words=words).model_dump()
    except ThunderrefError as error:
        result = {"error": error.document(words.error(error))}
    return json.dumps(result, ensure_ascii=False)
