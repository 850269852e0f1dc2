"""What scripts and narrow terminals rely on: input as it comes from other programs, closed pipes, pages that fit."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import unicodedata
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.systems import needs_posix
from support.terminal import on_a_terminal, plain

if TYPE_CHECKING:
    from support.command import Run

BATTLE = '{"hand": ["militia", "torch"], "hall": ["blink-dog"]}'


def test_a_key_that_stands_twice_is_refused_and_not_overwritten(cli: Run, tmp_path: Path) -> None:
    decks = tmp_path / "decks.json"
    decks.write_text('{"players": {"Ann": ["griffon"], "Ann": ["torch"]}}')
    battle = tmp_path / "battle.json"
    battle.write_text('{"hand": ["militia"], "hand": ["torch"], "hall": ["griffon"]}')
    lines = tmp_path / "lines.jsonl"
    lines.write_text(battle.read_text())
    assert cli("score", "--file", str(decks), "--json").json["error"]["code"] == "double-key"
    assert cli("resolve", "--file", str(battle), "--json").json["error"]["code"] == "double-key"
    assert json.loads(cli("resolve", "--batch", str(lines)).out)["error"]["code"] == "double-key"


def test_a_document_may_begin_with_a_byte_order_mark_and_toml_may_be_written_large(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "battle.json").write_text(BATTLE, encoding="utf-8-sig")
    (tmp_path / "lines.jsonl").write_text(f"{BATTLE}\n\ufeff{BATTLE}\n", encoding="utf-8-sig")
    (tmp_path / "BATTLE.TOML").write_text('hand = ["militia", "torch"]\nhall = ["blink dog"]\n')
    assert cli("resolve", "--file", str(tmp_path / "battle.json"), "--json").status == 0
    assert cli("resolve", "--file", str(tmp_path / "BATTLE.TOML"), "--json").status == 0
    found = [json.loads(line) for line in cli("resolve", "--batch", str(tmp_path / "lines.jsonl")).out.splitlines()]
    assert ["targets" in result for result in found] == [True, True]


def test_a_byte_that_is_no_utf8_spoils_its_line_only(cli: Run, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes(BATTLE.encode() + b"\n" + BATTLE.replace("torch", "t\xf3rch").encode("latin-1") + b"\n")
    lines.write_bytes(lines.read_bytes() + b"\xff\xfe\n" + BATTLE.encode() + b"\n")
    found = [json.loads(line) for line in cli("resolve", "--batch", str(lines)).out.splitlines()]
    assert len(found) == 4
    assert "targets" in found[0]
    assert "targets" in found[3]
    assert found[2]["error"]["code"] == "malformed-line"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_place_of_a_mistake_is_told_in_the_language_of_the_run(cli: Run, tmp_path: Path, lang: str) -> None:
    for name, text in (("a.json", '{"hand":\n ["militia",,]}'), ("a.toml", 'hall = ["griffon"]\nhand = [,]')):
        (tmp_path / name).write_text(text)
        said = cli("resolve", "--file", str(tmp_path / name), "--lang", lang)
        assert said.status == 2
        assert "2" in said.err
        assert "Expecting" not in said.err
        assert "Invalid" not in said.err


VALUES = {
    "true for a rank": ('"target": true', "true"),
    "a rank in quotes": ('"target": "1"', '"1"'),
    "half an XP": ('"xp": 1.0', "1.0"),
    "true for a ruleset": ('"ruleset": true', "true"),
    "a list for a goal": ('"goal": ["win"]', '["win"]'),
    "a discard pile of an unknown card": ('"discard": ["zxqwv"]', "zxqwv"),
}


@pytest.mark.parametrize(("text", "shown"), VALUES.values(), ids=VALUES)
def test_a_wrong_value_is_shown_as_it_was_written(cli: Run, tmp_path: Path, text: str, shown: str) -> None:
    file = tmp_path / "battle.json"
    file.write_text(f"{{{text}, {BATTLE[1:]}")
    said = cli("resolve", "--file", str(file))
    assert said.status in (1, 2)
    assert f"“{shown}”" in said.err


def test_null_is_as_good_as_a_key_left_out(cli: Run, tmp_path: Path) -> None:
    keys = ("rank0", "target", "deck", "dungeon", "discard", "village", "plan", "xp", "players", "goal")
    file = tmp_path / "battle.json"
    file.write_text(json.dumps(json.loads(BATTLE) | dict.fromkeys(keys)))
    (tmp_path / "plain.json").write_text(BATTLE)
    with_nulls = cli("resolve", "--file", str(file), "--json")
    assert with_nulls.json == cli("resolve", "--file", str(tmp_path / "plain.json"), "--json").json


@pytest.mark.parametrize("extra", [["militia"], ["--goal", "max"], ["--ruleset", "yucata"], ["--hall", "griffon"]])
def test_a_batch_takes_nothing_from_the_command_line(cli: Run, tmp_path: Path, extra: list[str]) -> None:
    (tmp_path / "lines.jsonl").write_text(BATTLE)
    said = cli("resolve", "--batch", str(tmp_path / "lines.jsonl"), *extra, "--json")
    assert (said.status, said.json["error"]["code"]) == (2, "batch-alone")


def test_json_is_one_document_for_help_and_version_too(cli: Run) -> None:
    assert set(cli("--version", "--json").json) == {"version", "python", "database", "tonight"}
    for words in (["--json"], ["--help", "--json"], ["card", "--help", "--json"]):
        assert "thunderref" in cli(*words).json["help"]


def test_nobody_is_blamed_for_a_pipe_that_closes() -> None:
    for words, status in (
        (["cards"], 0),
        (["glossary", "export", "--format", "markdown"], 0),
        (["card", "fireball", "--json"], 0),
        (["db", "export"], 0),
        (["db", "export", "--format", "csv"], 0),
        (["card", "qqqqqqqq", "--json"], 1),
    ):
        with subprocess.Popen(
            [sys.executable, "-m", "thunderref", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as run:
            assert run.stdout is not None
            assert run.stderr is not None
            run.stdout.close()
            said = run.stderr.read()
        assert (run.returncode, said) == (status, b"")


@needs_posix
def test_an_interrupt_while_loading_is_no_traceback() -> None:
    program = "import signal, os; import thunderref.__main__; os.kill(os.getpid(), signal.SIGINT)"
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell has what it runs behind ignore it
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, preexec_fn=heeding)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(letter) else 1 for letter in text)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize(
    "words", [["--help"], ["setup", "--help"], ["thorgal", "--help"], ["rule", "light", "penalty"]], ids=" ".join
)
def test_pages_fit_narrow_terminals(words: list[str], lang: str) -> None:
    for columns in (40, 80):
        status, shown = on_a_terminal(columns, ["thunderref", *words, "--lang", lang])
        assert status == 0
        for line in plain(shown).splitlines():
            assert _width(line.rstrip()) <= columns or "thunderref " in line, line


PAGES = (
    "card",
    "cards",
    "rule",
    "ask",
    "setup",
    "resolve",
    "odds",
    "village",
    "turn",
    "score",
    "puzzle",
    "report",
    "evening level",
    "site",
    "play",
    "simulate",
    "glossary export",
)
THORGAL_PAGES = (
    "fight",
    "wander",
    "gather",
    "wounds",
    "setup",
    "rule",
    "ask",
    "round start",
    "round act",
    "round wound",
)


def test_help_names_values_as_players_do(cli: Run) -> None:
    for command in ("resolve", "odds", "setup", "village", "turn", "score", "play"):
        page = cli(command, "--help").out
        assert "<" not in page
        for number in ("--seed", "--players", "--monsters", "--rank", "--xp", "--samples", "--jobs", "--winner"):
            assert f"{number} NAME " not in page
    assert "--seed N " in cli("setup", "--help").out


@pytest.mark.parametrize("command", [*PAGES, *(f"thorgal {page}" for page in THORGAL_PAGES)])
def test_help_names_values_in_the_readers_language(cli: Run, command: str) -> None:
    """In Russian no word in capitals is left in Latin letters but the name of a format, and N."""
    page = cli(*command.split(), "--help", "--lang", "ru").out
    drawings = re.compile(r"\".*?\"|«.*?»|[A-Z]\d|\bX\b")
    assert set(re.findall(r"[A-Z]{2,}", drawings.sub("", page))) <= {"JSON", "TOML"}
    assert "\ue000" not in page


def test_what_is_to_be_typed_is_not_broken_at_a_hyphen(cli: Run) -> None:
    for lang in ("en", "pl", "ru"):
        for command in ("setup", "play", "resolve", "odds"):
            page = cli(command, "--help", "--lang", lang).out
            assert not re.search(r"[\w-]-$", page, re.MULTILINE), page


def test_an_unknown_command_points_to_the_page_that_lists_its_neighbours(cli: Run) -> None:
    assert "“thunderref thorgal round --help”" in cli("thorgal", "round", "foo").err
    assert "“thunderref db --help”" in cli("db", "foo").err
    assert "“thunderref thorgal --help”" in cli("thorgal", "foo").err
    assert "“thunderref --help”" in cli("foo").err


def test_a_number_out_of_range_is_told_with_the_range(cli: Run) -> None:
    assert "from 0 to 999" in cli("village", "torch", "--xp", "-1").err
    assert "from 1 to 1000000" in cli("odds", "--deck-list", "6 torch", "--next-hand", "--samples", "0").err
    told = cli("resolve", "--file", "-", stdin='{"hand": ["militia"], "hall": ["griffon"], "xp": -1}').err
    assert "0 or more" in told


def test_a_long_wrong_code_is_not_repeated_in_full(cli: Run) -> None:
    assert len(cli("setup", "--code", "X" * 500).err) < 200


def test_a_copy_is_named_only_where_there_are_several(cli: Run) -> None:
    battle = '{"hand": ["militia", "torch"], "hall": ["griffon"], "plan": [{"use": "%s"}]}'
    assert "Fireball is not in play (R4.1)" in cli("resolve", "--file", "-", stdin=battle % "fireball").err
    assert "the second Militia is not in play (R4.1)" in cli("resolve", "--file", "-", stdin=battle % "militia#2").err


READY = (
    "card",
    "cards",
    "ask",
    "resolve",
    "odds",
    "village",
    "turn",
    "score",
    "puzzle",
    "setup",
    "thorgal rule",
    "thorgal setup",
)
"""Help pages whose examples answer by themselves; those that read or write a file, or hold a code, are left out."""


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("command", READY)
def test_the_examples_of_a_help_page_work(cli: Run, command: str, lang: str) -> None:
    page = cli(*command.split(), "--help", "--lang", lang).out
    examples = re.findall(rf"^    thunderref ({command} .*)$", page, re.MULTILINE)
    ready = [line for line in examples if not re.search(r"--file|--code|>", line)]
    assert ready or not examples
    for line in ready:
        answer = cli(*shlex.split(line.replace("--games 400", "--games 4")))
        assert answer.status == 0, (line, answer.err)


def test_no_name_is_broken_at_its_hyphen(cli: Run) -> None:
    """Russian names are full of hyphens; a name in one piece is found by a search."""
    hand = "тириец-оруженосец, слепец-гроссмейстер, чашник-паладин, диин-обольститель, алебарда"
    for width in ("40", "60", "80"):
        for words in (["resolve", hand, "--hall", "griffon"], ["rule", "R5.11"], ["card", "diin beguiler"]):
            shown = cli(*words, "--lang", "ru", env={"COLUMNS": width}).out
            assert not re.search(r"\w-$", shown, re.MULTILINE), (width, words)
