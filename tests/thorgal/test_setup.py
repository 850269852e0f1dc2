"""``thunderref thorgal setup``: the checklist."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import open_database
from thunderref.search.rules import all_rules

LANGUAGES = ("en", "pl", "ru")


@pytest.mark.parametrize(
    ("players", "characters", "turns"),
    [(1, 2, [1, 2, 1, 2]), (2, 2, [1, 2, 1, 2]), (3, 3, [1, 2, 3, 1]), (4, 4, [1, 2, 3, 4])],
)
def test_each_character_is_prepared(cli: Any, players: int, characters: int, turns: list[int]) -> None:
    document = cli("thorgal", "setup", "--players", str(players), "--json").json
    assert (document["game"], document["players"], document["characters"]) == ("thorgal", players, characters)
    assert [start["number"] for start in document["starts"]] == list(range(1, characters + 1))
    assert document["first_round"] == turns
    assert (["T20.1"] in [note["rules"] for note in document["notes"]]) == (players == 1)


def test_the_checklist_is_all_of_section_one(cli: Any) -> None:
    document = cli("thorgal", "setup", "--players", "2", "--json").json
    rules = [rule for step in document["steps"] for rule in step["rules"]]
    for start in document["starts"]:
        own = [rule for step in start["steps"] for rule in step["rules"]]
        section = [hit.id for hit in all_rules(open_database(), "thorgal") if hit.id.startswith("T1.")]
        assert rules + own == section


def test_names_and_adventure_are_shown(cli: Any) -> None:
    answer = cli("thorgal", "setup", "--names", "Anna, Bartek", "--adventure", "Wyspa", "--lang", "pl")
    assert answer.status == 0
    assert "Przygoda: Wyspa" in answer.out
    assert "\nAnna:\n" in answer.out
    assert "\nBartek:\n" in answer.out
    document = cli("thorgal", "setup", "--names", "Anna", "--json").json
    assert [start["player"] for start in document["starts"]] == ["Anna 1", "Anna 2"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--players", "0"], "thorgal-players"),
        (["--players", "5"], "thorgal-players"),
        (["--players", "-1"], "thorgal-players"),
        (["--players", "three"], "bad-number"),
        ([], "thorgal-no-players"),
        (["--names", "A,B,C,D,E"], "thorgal-players"),
        (["--names", "Anna, Bartek", "--players", "3"], "thorgal-names"),
        (["--names", "Anna, anna"], "thorgal-same-name"),
        (["--names", "Anna,,Bartek"], "thorgal-empty-name"),
        (["--names", ""], "thorgal-empty-name"),
        (["--names", "1,2"], "thorgal-empty-name"),
    ],
)
def test_bad_input_is_one_sentence(cli: Any, words: list[str], code: str, lang: str) -> None:
    answer = cli("thorgal", "setup", *words, "--lang", lang)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert cli("thorgal", "setup", *words, "--lang", lang, "--json").json["error"]["code"] == code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages(cli: Any, snapshot: Any, lang: str) -> None:
    answer = cli("thorgal", "setup", "--players", "3", "--adventure", "X", "--lang", lang, env={"COLUMNS": "40"})
    assert max(map(len, answer.out.splitlines())) <= 40
    snapshot(f"thorgal.setup.{lang}", answer.out)
