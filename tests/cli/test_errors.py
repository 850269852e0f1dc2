"""Whatever is typed, the answer is a page, a document or one sentence: never a traceback."""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from support import ROOT
from support.systems import needs_posix
from thunderref.cli.app import COMMANDS
from thunderref.cli.thorgal import THORGAL_COMMANDS as THORGAL
from thunderref.database.paths import SCHEMA_VERSION
from thunderref.database.read import open_database

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


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_version_of_program_database_and_python(cli: Run, lang: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    contents = open_database().meta["contents"]
    answer = cli("--version", "--lang", lang)
    assert (answer.status, answer.out.count("\n")) == (0, 1)
    assert answer.out.startswith(f"thunderref {project['version']} (")
    assert contents in answer.out
    assert platform.python_version() in answer.out
    document = cli("--version", "--json").json
    assert document["version"] == f"thunderref {project['version']}"
    assert document["database"] == {"schema": SCHEMA_VERSION, "contents": contents}
    assert document["python"] == platform.python_version()


BAD = (
    ["crad", "fireball"],
    ["--loud"],
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
    ["resolve", "-3 militia", "--hall", "griffon"],
    ["village", "### deck ###\n3 militia"],
    ["village", "--- deck ---\n3 militia"],
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


@pytest.mark.parametrize(("lang", "remarks"), [("ru", 1), ("pl", 0)])
def test_an_output_that_cannot_write_every_letter_is_no_error(lang: str, remarks: int) -> None:
    """Cyrillic becomes question marks and a remark says so; Polish letters only lose their marks."""
    run = subprocess.run(
        [sys.executable, "-m", "thunderref", "card", "fireball", "--lang", lang],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False,
    )  # fmt: skip
    assert (run.returncode, len(run.stderr.splitlines()), b"?" in run.stdout) == (0, remarks, bool(remarks))


STEERING = "\x1b]0;title\x07", "\x9b2J", "a\u2028b", "\u202ecard", "a\x85b", "a\rb", "a\nb"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("typed", STEERING)
def test_nothing_typed_steers_the_terminal(cli: Run, typed: str, lang: str) -> None:
    """On a page, in an error and in JSON alike; an error is one line whatever ends one, JSON says what was typed."""
    for words in (("card", f"fireball {typed}"), ("rule", f"{typed} zzqq"), ("setup", "--code", typed), (typed,)):
        answer = cli(*words, "--lang", lang)
        assert not set(answer.out + answer.err) & set("\x1b\x07\x9b\x85\r\u2028\u202e")
        assert len(answer.err.splitlines()) == (answer.status != 0)
    found = cli("card", "fire\x1bb\x85a\u202ell", "--json")
    assert not set(found.out) & set("\x1b\x07\x9b\x85\r\u2028\u202e")
    assert found.json["query"] == "fire\x1bb\x85a\u202ell"


def test_drawn_pages_keep_their_colours_and_nothing_else(cli: Run) -> None:
    drawn = cli("card", "fire\x1bball", env={"FORCE_COLOR": "1", "TERM": "xterm"}).out
    assert "\x1b[" in drawn
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", drawn)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_error_repeats_sixty_characters_at_most(cli: Run, lang: str) -> None:
    for words in (
        ("card", "zq" * 2000),
        ("resolve", "zq" * 2000, "--hall", "griffon"),
        ("setup", "--code", "zq" * 2000),
    ):
        answer = cli(*words, "--lang", lang)
        assert answer.status in (1, 2)
        assert "zq" * 31 not in answer.err
        assert len(answer.err) < 400


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_before_its_command_is_the_help_of_the_command(cli: Run, lang: str) -> None:
    after = cli("thorgal", "round", "--help", "--lang", lang).out
    assert cli("--help", "thorgal", "round", "--lang", lang).out == after
    assert cli("--help", "card", "--json", "--lang", lang).json["help"] in cli("card", "--help", "--lang", lang).out


@pytest.mark.parametrize("asked", ["de", "xx_YY", "german"])
def test_a_language_that_the_environment_asks_for_in_vain_is_told(cli: Run, asked: str) -> None:
    answer = cli("card", "fireball", env={"THUNDERREF_LANG": asked})
    assert (answer.status, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert "THUNDERREF_LANG" in answer.err
    assert cli("card", "fireball", "--lang", "pl", env={"THUNDERREF_LANG": asked}).status == 0, (
        "what is typed goes first"
    )
    assert cli("card", "fireball", env={"THUNDERREF_LANG": "", "LC_ALL": "de_DE"}).status == 0, "a locale asks nothing"


@pytest.mark.parametrize("words", [["card", "zqxj"], ["card"], ["nonsense"]])
@needs_posix
def test_a_closed_standard_error_changes_no_exit_status(words: list[str]) -> None:
    line = shlex.join([sys.executable, "-m", "thunderref", *words])
    told = subprocess.run(line, shell=True, capture_output=True, encoding="utf-8")
    closed = subprocess.run(f"{line} 2>&-", shell=True, capture_output=True, encoding="utf-8")
    assert (closed.returncode, closed.stdout) == (told.returncode, told.stdout)
