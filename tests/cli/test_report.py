"""``thunderref report``: a question, its answer and what they rest on in one file, and such files repeated."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.command import Run
from support.scenarios import whole_turn
from support.several import several
from thunderref.cli.report import check, differences
from thunderref.errors import InputError
from thunderref.files import kept_in

BATTLE = ("elf", "archmage,", "torch", "vs", "griffon")
MANY = several(5, 40)


def reported(cli: Run, tmp_path: Path, *words: str) -> Path:
    place = tmp_path / "report.json"
    answer = cli("report", *words)
    assert answer.status == 0, answer.err
    place.write_text(answer.out, encoding="utf-8")
    return place


def test_a_report_has_all_that_the_answer_rests_on(cli: Run) -> None:
    made = cli("report", *BATTLE, "--right", "total=4", "--because", "archmages have 4").json
    assert made["question"] == {"line": [*BATTLE], "lang": "en", "files": {}, "table": {}}
    assert made["answer"]["targets"][0]["monster"] == "griffon"
    assert made["right"] == {"total": 4}
    assert made["because"] == "archmages have 4"
    assert made["version"].startswith("thunderref")
    assert len(made["database"]["contents"]) == 12


@pytest.fixture(autouse=True)
def apart(tmp_path: Path) -> Iterator[None]:
    """Nothing of another test is remembered."""
    with kept_in(tmp_path / "state"):
        yield


def test_without_a_question_it_is_the_last_one(cli: Run, tmp_path: Path) -> None:
    assert cli("report").status == 1
    cli("can", "militia", "hold", "polearm", "--lang", "pl")
    cli("--help")
    cli("tonight")
    made = cli("report", "--lang", "pl").json
    assert made["question"]["line"] == ["can", "militia", "hold", "polearm"]
    assert made["answer"]["answer"]["verdict"] == "yes"


def test_a_scenario_is_kept_with_its_contents(cli: Run, tmp_path: Path) -> None:
    scenario = tmp_path / "battle.json"
    scenario.write_text('{"hand": ["elf-archmage", "torch"], "hall": ["griffon"]}', encoding="utf-8")
    place = reported(cli, tmp_path, "--file", str(scenario), "--right", "total=4")
    scenario.unlink()
    found = check(str(place))
    assert (found["differs"], found["agrees"]) == ([], True)


def test_a_file_to_write_is_not_replaced(cli: Run, tmp_path: Path) -> None:
    place = tmp_path / "new.json"
    assert cli("report", *BATTLE, "--file", str(place), "--json").status == 0
    assert not place.exists(), "the document is printed"
    place.write_text("mine", encoding="utf-8")
    refused = cli("report", "check", str(place), "--json")
    assert (refused.status, refused.json["error"]["code"]) == (2, "malformed-file")


def test_what_differs_is_told_and_ends_with_1(cli: Run, tmp_path: Path) -> None:
    place = reported(cli, tmp_path, *BATTLE, "--right", "total=9")
    document = json.loads(place.read_text(encoding="utf-8"))
    document["answer"]["targets"][0]["total"] = 7
    place.write_text(json.dumps(document), encoding="utf-8")
    answer = cli("report", "check", str(place))
    assert answer.status == 1
    assert "targets.0.total: 7 → 4" in answer.out
    assert "total: you hold 9 to be right, the answer is 4." in answer.out
    found = cli("report", "check", str(place), "--json").json["reports"][0]
    assert found["differs"] == [{"path": "targets.0.total", "was": 7, "now": 4}]
    assert found["against"] == {"total": {"right": 9, "answer": 4}}


def test_a_refusal_is_an_answer_too(cli: Run, tmp_path: Path) -> None:
    place = reported(cli, tmp_path, "card", "zzzzqqqq", "--right", "error.code=unknown-card")
    found = check(str(place))
    assert (found["differs"], found["agrees"]) == ([], True)


def test_the_table_belongs_to_the_question(cli: Run, tmp_path: Path) -> None:
    """Short names are those of the set-up on the table, there and where the report is read."""
    code = cli("setup", "--first-game", "base", "--json").json["code"]
    cli("tonight", code)
    place = reported(cli, tmp_path, *BATTLE)
    cli("tonight", "--clear")
    document = json.loads(place.read_text(encoding="utf-8"))
    assert document["answer"]["tonight"] == code
    assert check(str(place))["differs"] == []
    assert cli("tonight").status == 1, "nothing of it is left behind"


@pytest.mark.parametrize(
    "line",
    [["serve"], ["site", "x"], ["report"], ["help"], ["-h"], [], ["resolve", "--batch", "/x"],
     ["resolve", "--file=/etc/passwd"], ["resolve", "--file", "/etc/passwd"], ["db", "build"]],
)  # fmt: skip
def test_a_report_runs_nothing_but_questions(line: list[str], cli: Run, tmp_path: Path) -> None:
    place = reported(cli, tmp_path, *BATTLE)
    document: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    document["question"]["line"] = line
    place.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError) as refusal:
        check(str(place))
    assert refusal.value.code == "bad-report"


@pytest.mark.parametrize(
    ("words", "code"),
    [(("simulate",), "no-report"), ((*BATTLE, "--right", "total"), "bad-right"),
     ((*BATTLE, "--right", "nothing=1"), "no-value"), (("check", "missing.json"), "no-file")],
)  # fmt: skip
def test_what_cannot_be_reported_is_one_sentence(words: tuple[str, ...], code: str, cli: Run) -> None:
    answer = cli("report", *words, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, code)


@pytest.mark.thorough
def test_random_verdicts_are_the_same_again(cli: Run, tmp_path: Path) -> None:
    """As many in each of three languages."""
    for seed in range(MANY):
        scenario = tmp_path / "battle.json"
        scenario.write_text(json.dumps(whole_turn(seed)), encoding="utf-8")
        lang = random.Random(seed).choice(("en", "pl", "ru"))
        place = reported(cli, tmp_path, "--file", str(scenario), "--lang", lang)
        assert check(str(place))["differs"] == [], seed


def test_differences_are_paths() -> None:
    assert [*differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": 0})] == [
        {"path": "a.1.b", "was": 2, "now": 3},
        {"path": "c", "was": None, "now": 0},
    ]
