"""Games being simulated: progress on the terminal, and the two lines they add to the sheet of a set-up."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thunderref.text.language import Language
from thunderref.thunderstone.setup.finished import Setup
from thunderref.thunderstone.setup.steps import Note
from thunderref.thunderstone.simulate.run import Progress, simulate_setup
from thunderref.thunderstone.simulate.sentences import Labels
from thunderref.workers import AUTO

PATIENCE, EVERY = 1.0, 0.25
"""Seconds before progress is shown, and between two times."""


@contextmanager
def progress(words: Language, clock: Callable[[], float] = time.monotonic) -> Iterator[Progress]:
    """What :func:`simulate` calls with the games played; shown on standard error if it is a terminal."""
    start = clock()
    status, due = None, PATIENCE

    def tell(played: int, most: int) -> None:
        nonlocal status, due
        elapsed = clock() - start
        if elapsed < due or played >= most or not sys.stderr.isatty():
            return
        from thunderref.cli.render import Status

        due, status = elapsed + EVERY, status or Status()
        left = round(elapsed / played * (most - played))
        status.say(words.say("simulate.progress", n=played, most=most, seconds=left))

    try:
        yield tell
    finally:
        if status is not None:
            status.end()


def sheet_notes(made: Setup, words: Language) -> tuple[Note, ...]:
    """The two lines for the sheet of a set-up: how long and how rich its games are between bots."""
    with progress(words) as tell:
        found = simulate_setup(made, seed=made.content.seed, workers=AUTO, progress=tell)
    return Labels(found, words).notes()
