"""Whatever is typed, the answer is a page, a document or one sentence: never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from thunderref.cli.app import COMMANDS
from thunderref.cli.thorgal.commands import COMMANDS as THORGAL

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
GROUPS = {"db": ("path", "info", "build", "format"), "thorgal": tuple(THORGAL)}
PAGES = [[command] for command in COMMANDS] + [[g, c] for g, commands in GROUPS.items() for c in commands]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_every_command_has_a_help_page(cli: Run, words: list[str], lang: str) -> None:
    answer = cli(*words, "--help", "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    assert words[-1] in answer.out
    assert "--lang" in answer.out
    assert len(answer.out.splitlines()) >= 5


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_overview_lists_every_command_with_a_word_about_it(cli: Run, lang: str) -> None:
    for words in ([], ["--help"]):
        answer = cli(*words, "--lang", lang)
        assert (answer.status, answer.err) == (0, "")
        for command in COMMANDS:
            said = next(line for line in answer.out.splitlines() if line.split()[:1] == [command])
            assert len(said.split()) > 2, command


def test_the_version(cli: Run) -> None:
    answer = cli("--version")
    assert answer.status == 0
    assert any(letter.isdigit() for letter in answer.out)


BAD = (
    ["crad", "fireball"],
    ["--loud"],
    ["card"],
    ["card", ""],
    ["card", "   "],
    ["card", "--limit"],
    ["card", "--limit", "many", "fireball"],
    ["card", "--limit", "0", "fireball"],
    ["card", "--colour", "fireball"],
    ["card", "zxqwv"],
    ["card", "pikachu"],
    ["card", "x" * 5000],
    ["card", "\udcff"],
    ["card", "🂡"],
    ["cards", "cost<=many"],
    ["cards", "beauty<=3"],
    ["cards", "cost!3"],
    ["cards", "kind:wizard"],
    ["cards", "cost>99"],
    ["cards", "--sort", "beauty"],
    ["rule", "zxqwv"],
    ["rule", "R99.99"],
    ["rule"],
    ["setup", "--players", "0"],
    ["setup", "--players", "many"],
    ["setup", "--code", "nonsense"],
    ["setup", "--theme", "nonsense"],
    ["setup", "--variant", "nonsense"],
    ["setup", "--require", "zxqwv"],
    ["setup", "--monsters", "99"],
    ["setup", "--seed", "-1"],
    ["resolve"],
    ["thorgal"],
    ["thorgal", "dance"],
    ["thorgal", "rule", "T99"],
    ["thorgal", "rule", "x" * 5000],
    ["thorgal", "ask"],
    ["thorgal", "ask", "zxqwv"],
    ["thorgal", "setup", "--players", "5"],
    ["thorgal", "round", "act"],
    ["thorgal", "round", "--loud"],
    ["resolve", "zxqwv", "--hall", "griffon"],
    ["db"],
    ["db", "nonsense"],
    ["db", "path", "extra"],
    ["card", "fireball", "--lang", "klingon"],
    ["card", "fireball", "--lang"],
)


@pytest.mark.parametrize("words", BAD, ids=lambda words: ascii(" ".join(words))[:40])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_bad_usage_is_one_sentence(cli: Run, words: list[str], lang: str) -> None:
    if "--lang" not in words:
        words = ["--lang", lang, *words] if words[0] not in ("db",) else [*words, "--lang", lang]
    answer = cli(*words)
    assert answer.status in (1, 2), answer
    assert answer.out == ""
    assert answer.err.startswith("thunderref: ")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    assert len(answer.err) < 1500
    found = cli(*words, "--json")
    if "--lang" in words[-1:]:
        return
    assert found.status == answer.status
    assert found.err == ""
    assert set(json.loads(found.out)["error"]) == {"code", "message", "candidates"}


@pytest.mark.parametrize("words", [["card", "fireball"], ["cards", "kind:hero"], ["rule", "R5"], ["setup"]])
def test_a_reader_that_goes_away_is_no_error(words: list[str]) -> None:
    """As in ``thunderref cards | head -1``."""
    command = [sys.executable, "-m", "thunderref", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        said = run.stderr.read()
    assert said == b""


def test_an_output_that_cannot_write_every_letter_is_no_error() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "thunderref", "card", "fireball", "--lang", "ru"],
        capture_output=True, env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"}, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
