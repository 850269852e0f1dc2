"""Open questions of the rules at the command line: listed, chosen, and what they change."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from thunderref.database.read import open_database

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
QUESTION = re.compile(r"R5\.8 [^.]*\(")
SPHINX = ["resolve", "thyrian squire, short sword, goodberries", "--hall", "sphinx"]


def test_every_question_is_listed_with_both_answers(cli: Run) -> None:
    answer = cli("rule", "readings", "--json")
    switches = {s["name"]: (match["id"], s) for match in json.loads(answer.out)["matches"] for s in match["switches"]}
    assert list(switches) == list(open_database().switches)
    for name, (rule, record) in switches.items():
        switch = open_database().switches[name]
        assert (rule, record["default"], record["other"]) == (switch.rule, switch.default, switch.other)
        assert set(record["meaning"]) == {switch.default, switch.other}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_list_names_them_for_the_option(cli: Run, lang: str) -> None:
    text = cli("rule", "readings", "--lang", lang).out
    for switch in open_database().switches.values():
        assert f"{switch.name}={switch.default}" in text
        assert f"{switch.name}={switch.other}" in text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_result_that_would_change_says_so(cli: Run, lang: str) -> None:
    told = next(line for line in cli(*SPHINX, "--more", "--lang", lang).out.splitlines() if QUESTION.search(line))
    assert "0" in told
    assert "8" in told
    plain = cli("resolve", "thyrian squire, torch", "--hall", "griffon", "--more", "--lang", lang).out
    assert "R5.8" not in plain


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_player_is_told_only_where_the_battle_would_end_otherwise(cli: Run, lang: str) -> None:
    """8 against 8 with the Polearm's 6 turned into Magic Attack, else 2; without it 4 or 0, a defeat either way."""
    assert "R5.8" not in cli(*SPHINX, "--lang", lang).out
    page = cli("resolve", "thyrian squire, polearm, goodberries, torch", "--hall", "sphinx", "--lang", lang)
    told = [line for line in page.out.splitlines() if QUESTION.search(line)]
    assert (page.status, len(told)) == (0, 1)
    assert "2" in told[0].partition("R5.8")[2]
    assert "8" in told[0].partition("R5.8")[2]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("asked", ["converted-weapon=apart", "R5.8", "r5.8=apart"])
def test_a_question_can_be_answered_the_other_way(cli: Run, lang: str, asked: str) -> None:
    answer = cli(*SPHINX, "--reading", asked, "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    assert "converted-weapon=apart" in answer.out
    document = json.loads(cli(*SPHINX, "--reading", asked, "--json").out)
    assert document["readings_chosen"] == {"converted-weapon": "apart"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("asked", ["spear", "R5.4", "R5.8=maybe", "="])
def test_a_question_that_there_is_not(cli: Run, lang: str, asked: str) -> None:
    answer = cli(*SPHINX, "--reading", asked, "--lang", lang)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    code = json.loads(cli(*SPHINX, "--reading", asked, "--json").out)["error"]["code"]
    assert code in ("unknown-reading", "unknown-reading-value")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_rule_that_leaves_two_questions_open_asks_which(cli: Run, lang: str) -> None:
    answer = cli(*SPHINX, "--reading", "R5.4", "--lang", lang)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    error = json.loads(cli(*SPHINX, "--reading", "R5.4", "--json").out)["error"]
    assert (error["code"], error["candidates"]) == (
        "unknown-reading",
        ["idle-weapons=count", "idle-weapon-equipped=no"],
    )
    for choice in error["candidates"]:
        assert choice in answer.err
        assert cli(*SPHINX, "--reading", choice).status == 0


def test_how_the_hall_is_dealt(cli: Run) -> None:
    steps = {
        asked: cli("setup", "--seed", "3", "--more", *asked).out for asked in ((), ("--reading", "first-card=rank-3"))
    }
    assert "the first goes to rank 1, the last to rank 3" in steps[()]
    assert "the first goes to rank 3 next to the deck, the last to rank 1" in steps["--reading", "first-card=rank-3"]
    assert cli("setup", "--seed", "3", "--reading", "hall").status == 2


def test_pick_two_may_be_drawn_for_good(cli: Run) -> None:
    """A set-up in which Pick Two came up notes that the players may choose, unless they are to draw."""
    for seed in range(60):
        command = ("setup", "--set", "wrath", "--set", "base", "--seed", str(seed), "--more")
        if "any two features" in cli(*command).out:
            assert "any two features" not in cli(*command, "--reading", "pick-two=random").out
            return
    raise AssertionError("no seed turned up Pick Two")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_hands_of_other_players(cli: Run, lang: str) -> None:
    command = ("resolve", "runespawn witch, torch", "--hall", "griffon", "--goal", "max", "--lang", lang, "--json")
    known = json.loads(cli(*command, "--other", "militia", "--other", "torch, dagger").out)["targets"][0]
    assert (known["total"], known["line"][0]["others"]) == (5, [None, "dagger"])
    assert json.loads(cli(*command, "--other", "fireball").out)["targets"][0]["total"] == 3
    assert cli(*command[:-1], "--other", "zxqwv").status == 1
