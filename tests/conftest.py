"""One database for all workers, a plain environment, and a way to run commands in this process."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

SPEAKING = ("THUNDERREF_LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
"""What of the environment changes the output."""


def pytest_configure(config: pytest.Config) -> None:
    """Builds the database before any worker starts, so that none finds it half old, half new."""
    for name in SPEAKING:
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    if not hasattr(config, "workerinput"):
        from thunderref.store.read import database_path

        database_path()


class Answer(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it has to be."""
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``thunderref WORDS…`` in this process; ``stdin`` is what it reads, ``env`` what is set for it."""
    from thunderref.cli.app import main

    def run(*words: str, stdin: str | None = None, env: dict[str, str] | None = None) -> Answer:
        with monkeypatch.context() as patch:
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            if stdin is not None:
                patch.setattr(sys, "stdin", io.StringIO(stdin))
            capsys.readouterr()
            with pytest.raises(SystemExit) as end:
                main(words)
        printed = capsys.readouterr()
        code = end.value.code
        return Answer(code if isinstance(code, int) else int(code is not None), printed.out, printed.err)

    return run
