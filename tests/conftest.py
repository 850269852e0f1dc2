"""One database for all workers, a plain environment, and a way to run commands in this process."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support import SNAPSHOTS
from support.command import Answer, Run
from support.several import SLOW
from support.systems import NOWHERE, own_folders

SPEAKING = ("THUNDERREF_LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
"""What of the environment changes the output."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update`` writes what is printed now as what is to be printed from now on: read the diff before a commit."""
    parser.addoption("--update", action="store_true", help="rewrite the snapshots and the README's transcripts")


def pytest_configure(config: pytest.Config) -> None:
    """Builds the database before any worker starts, so that none finds it half old, half new."""
    for name in SPEAKING:
        os.environ.pop(name, None)
    os.environ["LANG"] = "C.UTF-8"
    # Else every worker, and every program a test starts, compiles all modules again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ.update(own_folders(NOWHERE))  # no set-up of the developer's is on the table
    os.environ.pop(SLOW, None)
    if config.option.markexpr == "slow":
        os.environ[SLOW] = "1"
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as a shell starts what runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # else no program that a test starts can be stopped
    if not hasattr(config, "workerinput"):
        from thunderref.database.read import open_database

        open_database()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is thorough belongs to the slow run too."""
    for item in items:
        if SLOW in os.environ and item.get_closest_marker("thorough"):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def built_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small copy of the hand-edited files with ``thunderref.sqlite`` built from them: to be copied, not changed."""
    from support.files import copy_sources
    from thunderref.database.build import build

    root = tmp_path_factory.mktemp("checkout")
    copy_sources(root)
    build(root, root / "thunderref.sqlite")
    return root


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``thunderref WORDS…`` in this process; ``stdin`` is what it reads, ``env`` what is set for it.

    ``budget`` are the seconds of a search of which the words say nothing; None, for tests must not hang on the clock.
    """
    from thunderref.cli import command
    from thunderref.cli.app import main

    def run(
        *words: str, stdin: str | None = None, env: dict[str, str] | None = None, budget: float | None = None
    ) -> Answer:
        with monkeypatch.context() as patch:
            patch.setattr(command, "SEARCH_SECONDS", budget)
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


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """``snapshot(name, text)``: the text is the one in tests/snapshots; ``--update`` rewrites it."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / f"{name}.txt"
        if request.config.getoption("--update"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        wanted = path.read_text(encoding="utf-8") if path.exists() else ""
        assert text == wanted, f"{path.name} differs; if that is meant, run pytest --update and read the diff"

    return compare
