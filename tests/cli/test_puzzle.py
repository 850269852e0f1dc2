"""``thunderref puzzle`` as users and scripts see it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from support import ROOT, read_toml
from support.command import Run
from support.files import copy_sources, texts
from support.terminal import on_a_terminal, plain
from thunderref.database.load import check_sources, load_sources
from thunderref.database.paths import PUZZLES as PUZZLES_FILE
from thunderref.database.paths import signature
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import InputError

PUZZLES: Sequence[dict[str, Any]] = read_toml(ROOT / PUZZLES_FILE)["puzzle"]
LANGUAGES = ("en", "pl", "ru")
SHOWN = {"goal", "hand", "hall", "rank0", "target", "deck", "dungeon", "village"}
"""What of a scenario the question tells."""


def test_the_database_has_every_puzzle() -> None:
    stored = open_database().puzzles
    assert [puzzle.id for puzzle in stored] == [puzzle["id"] for puzzle in PUZZLES]
    for row, puzzle in zip(stored, PUZZLES, strict=True):
        assert (row.rules, row.scenario, row.solution) == (puzzle["rules"], puzzle["scenario"], puzzle["solution"])
        assert puzzle["scenario"].keys() <= SHOWN, "the page would keep something back"


def solved(number: int) -> dict[str, Any]:
    """The scenario of a puzzle with its solution as plan."""
    scenario = {key: value for key, value in PUZZLES[number]["scenario"].items() if key != "target"}
    return scenario | {"plan": PUZZLES[number]["solution"]}


def copied(target: Path, *folders: str) -> Path:
    for folder in folders:
        shutil.copytree(ROOT / folder, target / folder)
    return target


def test_a_copy_without_the_tests_has_none(cli: Run, built_checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = built_checkout / "thunderref.sqlite"
    monkeypatch.setattr("thunderref.cli.session.open_database", lambda: Database(built))
    answer = cli("puzzle", "1")
    assert (answer.status, answer.out) == (2, "")
    assert PUZZLES_FILE in answer.err


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("glossary/pl.toml", '"puzzle.feast-is-for-all"', '"puzzle.feast"', "texts.puzzle.feast-is-for-all"),
        (PUZZLES_FILE, 'rules = ["R6.6"]', 'rules = ["R66"]', "puzzle[breach-left-asleep].rules"),
        (PUZZLES_FILE, 'id = "feast-is-for-all"', 'id = "diseases-are-cards"', "defined twice"),
        (PUZZLES_FILE, "why = ", "because = ", ".why"),
    ],
)
def test_what_does_not_fit_is_told_by_its_place(tmp_path: Path, file: str, old: str, new: str, told: str) -> None:
    copy_sources(tmp_path)
    path = copied(tmp_path, "tests/examples") / file
    path.write_text(path.read_text("utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        check_sources(load_sources(tmp_path))
    assert file in str(error.value)
    assert told in str(error.value)


def test_the_database_is_stale_once_a_puzzle_has_changed(tmp_path: Path) -> None:
    before = signature(copied(tmp_path, "db", "glossary", "tests/examples"))
    path = tmp_path / PUZZLES_FILE
    path.write_text(path.read_text("utf-8") + "\n", encoding="utf-8")
    assert signature(tmp_path) != before


def test_the_question_keeps_the_answer_back(cli: Run) -> None:
    assert set(cli("puzzle", "1", "--json").json) == {"number", "id", "scenario", "rules", "tonight"}
    answer = cli("puzzle", "1")
    assert answer.status == 0
    for shown in ("Puzzle 1", "Rank 1: Griffon, Health 7", "Hand: Thyrian Squire, Polearm, Iron Rations and Torch"):
        assert shown in answer.out
    assert "puzzle 1 --answer" in answer.out
    assert "R4.3" not in answer.out


def test_the_answer_as_a_document(cli: Run) -> None:
    puzzle = PUZZLES[0]
    document = cli("puzzle", "1", "--answer", "--json").json
    assert list(document) == ["number", "id", "scenario", "rules", "solution", "result", "text", "tonight"]
    assert document["solution"] == puzzle["solution"]
    assert {key: document["result"][key] for key in puzzle["expect"]} == puzzle["expect"]
    assert document["text"] == {lang: texts(lang)[f"puzzle.{puzzle['id']}"] for lang in LANGUAGES}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_shows_what_there_is(cli: Run, lang: str) -> None:
    words = Language(open_database(), lang)
    for number, puzzle in enumerate(PUZZLES, 1):
        page, scenario = cli("puzzle", str(number), "--lang", lang).out, puzzle["scenario"]
        for card in (*scenario["hall"], *scenario.get("rank0", ())):
            assert words.card(card) in page, (puzzle["id"], card)
        for key in ("hand", "village"):
            assert words.listed(scenario.get(key, ())) in page, (puzzle["id"], key)
        for key in ("deck", "dungeon"):  # these lie in an order
            runs = [words.listed([*run]) for _, run in groupby(scenario.get(key, ()))]
            assert ", ".join(runs) in page, (puzzle["id"], key)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_is_told_as_a_battle_is(cli: Run, lang: str) -> None:
    """Word for word what ``resolve`` says of the same plan, then the three sentences."""
    for number in (1, 22, 58):
        puzzle = PUZZLES[number - 1]
        stdin = json.dumps(solved(number - 1))
        [told] = cli("resolve", "--file", "-", "--json", "--lang", lang, stdin=stdin).json["targets"]
        whole = cli("puzzle", str(number), "--answer", "--more", "--lang", lang).out
        for step in told["steps"]:
            assert step["text"] in whole
        page = cli("puzzle", str(number), "--answer", "--lang", lang).out
        assert texts(lang)[f"puzzle.{puzzle['id']}"] in page
        assert len(page) < len(whole)
        battle, _, _ = cli("resolve", "--file", "-", "--lang", lang, stdin=stdin).out.partition("\n\n")
        for line in battle.splitlines():
            assert line.strip().split("  R")[0] in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_verdict_stands_above_what_to_do(cli: Run, lang: str) -> None:
    page, words = cli("puzzle", "1", "--answer", "--lang", lang).out, Language(open_database(), lang)
    verdict = cli("resolve", "--file", "-", "--lang", lang, stdin=json.dumps(solved(0))).out.splitlines()[0]
    assert page.index(verdict) < page.index(words.say("resolve.do")) < page.index(words.say("resolve.reckon"))


def test_one_is_drawn(cli: Run) -> None:
    drawn = {cli("puzzle", "--json").json["number"] for _ in range(30)}
    assert len(drawn) > 5
    assert drawn <= set(range(1, 61))
    assert cli("puzzle").out.startswith("Puzzle ")


@pytest.mark.parametrize("number", ["0", "61", "1000000000000"])
def test_a_number_that_no_puzzle_has(cli: Run, number: str) -> None:
    answer = cli("puzzle", number)
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert "from 1 to 60" in answer.err
    assert cli("puzzle", number, "--json").json["error"]["code"] == "puzzle-number"


def test_a_play_is_judged_on_a_terminal_until_it_is_right() -> None:
    lines = "polearm -> squire, 1\nbanana\niron rations on squire, polearm -> squire, 1\n"
    status, shown = on_a_terminal(80, ["thunderref", "puzzle", "1"], typed=lines)
    page = " ".join(plain(shown).split())
    assert status == 0
    assert (
        page.index("another play is better")
        < page.index("No card is called")
        < page.index("Solved: no play is better.")
    )


def test_enter_shows_the_answer_on_a_terminal() -> None:
    status, shown = on_a_terminal(80, ["thunderref", "puzzle", "1"], typed="\n")
    assert status == 0
    page = plain(shown)
    assert page.index("Hand:") < page.index("or Enter for the answer") < page.index("8 against Health 7")
    status, shown = on_a_terminal(80, ["thunderref", "puzzle", "1", "--more"], typed="\n")
    assert status == 0
    assert "total 8 against Health 7" in plain(shown)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_narrow_page(cli: Run, lang: str) -> None:
    for number in ("12", "60"):
        page = cli("puzzle", number, "--answer", "--lang", lang, env={"COLUMNS": "40"}).out
        assert all(len(line) <= 40 for line in page.splitlines())


def test_a_question_loads_nothing_heavy() -> None:
    code = "import sys; from thunderref.cli.app import main\ntry: main(['puzzle', '3', '--json'])\nexcept SystemExit: "
    code += "print(*sys.modules, file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True, env=dict(os.environ)
    )
    loaded = set(run.stderr.split())
    assert not loaded & {"pydantic", "sqlite_utils", "rich", "thunderref.thunderstone.rules.position"}


def typed(step: dict[str, Any]) -> str:
    """A step as somebody types it."""
    said = ((key, " / ".join(value) if isinstance(value, list) else value) for key, value in step.items())
    return " ".join(f"{key} {value}" for key, value in said)


@pytest.mark.parametrize("number", range(1, len(PUZZLES) + 1))
def test_a_typed_solution_is_judged(cli: Run, number: int) -> None:
    play = ", ".join(map(typed, PUZZLES[number - 1]["solution"]))
    found = cli("puzzle", str(number), *play.split(), "--json").json["play"]
    assert found["solved"], found["plan"]


@pytest.mark.parametrize(
    ("lang", "play", "told"),
    [
        ("en", "iron rations on squire, equip polearm to squire, attack 1", "Solved: no play is better."),
        ("en", "iron rations -> squire; polearm -> squire; attack griffon", "Solved: no play is better."),
        ("pl", "żelazne racje na giermek, daj halabarda dla giermek, atakuj 1", "Rozwiązane: lepszego zagrania nie ma."),  # noqa: E501
        ("ru", "припасы на оруженосец, дать алебарда для оруженосец, атака 1", "Решено: лучшего розыгрыша нет."),
        ("en", "polearm -> squire, 1", "Not solved yet: another play is better."),
    ],
)  # fmt: skip
def test_a_play_is_read_in_the_words_of_players(cli: Run, lang: str, play: str, told: str) -> None:
    answer = cli("puzzle", "1", play, "--lang", lang)
    assert (answer.status, answer.out.splitlines()[-1]) == (0, told)


@pytest.mark.parametrize(
    ("play", "status"),
    [("banana", 1), ("equip polearm to polearm, 1", 1), (",", 2), ("!!!", 2), ("use", 2), ("equip, 1", 2)],
)
def test_a_play_that_is_none_is_refused_in_a_sentence(cli: Run, play: str, status: int) -> None:
    answer = cli("puzzle", "1", play)
    assert answer.status == status
    assert answer.err.startswith("thunderref: ")
    assert len(answer.err.splitlines()) == 1
