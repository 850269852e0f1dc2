"""``thunderref play`` with the bots of the program: they are named, say why, and are written down."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.command import Run

FIRST = ("--first-game", "base", "--seed", "5")


def test_a_person_plays_the_planner_and_sees_why(cli: Run) -> None:
    answer = cli("play", "--players", "Ann, Planner", *FIRST, stdin="3\n1\nq\n")
    assert answer.status == 0
    assert "Bot 1 (planner): " in answer.out
    assert "  Why: " in answer.out


@pytest.mark.parametrize(("lang", "why"), [("en", "Why: "), ("pl", "Dlaczego: "), ("ru", "Почему: ")])
def test_every_reason_has_its_words(cli: Run, lang: str, why: str) -> None:
    answer = cli("play", "--players", "planner, dearest, random", "--seed", "5", "--watch", "--lang", lang)
    assert answer.status == 0
    reasons = [line for line in answer.out.splitlines() if line.startswith(f"    {why}")]
    assert len(set(reasons)) > 20
    assert not [line for line in reasons if "{" in line or "bot.why" in line]


def test_a_reason_is_not_said_twice_in_a_turn(cli: Run) -> None:
    told = cli("play", "--players", "planner, planner", *FIRST, "--watch").out.split("\n\n")
    for turn in told:
        reasons = [line for line in turn.splitlines() if line.startswith("    Why: ")]
        assert not [line for line, after in pairwise(reasons) if line == after]


def test_who_plays_is_written_down(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = cli("play", "--players", "planner, random", *FIRST, "--save", str(file))
    players = json.loads(file.read_text("utf-8"))["players"]
    assert players == [
        {"name": "Bot 1 (planner)", "random": True, "bot": "planner"},
        {"name": "Bot 2", "random": True},
    ]
    again = cli("play", "--resume", str(file))
    assert again.status == 0
    assert again.out.split("The game is over")[1] == first.out.split("The game is over")[1]


def test_a_saved_game_names_no_bot_of_its_own(cli: Run, tmp_path: Path) -> None:
    """A file from elsewhere must not make Python import what it names."""
    file = tmp_path / "game.json"
    cli("play", "--players", "planner, random", *FIRST, "--save", str(file))
    document = json.loads(file.read_text("utf-8"))
    document["players"][0]["bot"] = "os:getcwd"
    file.write_text(json.dumps(document), "utf-8")
    answer = cli("play", "--resume", str(file))
    assert answer.status == 2
    assert "Traceback" not in answer.err
