"""``thunderref score`` as users and scripts see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command import Run
from thunderref.database.read import Language, open_database

ANN = "Ann: griffon, 7 horde, 2 torch"
BOB = "Bob: uyril unending, disease"


def test_the_keys_of_the_outside_contract(cli: Any) -> None:
    answer = cli("score", "--deck", ANN, "--deck", BOB, "--json")
    assert answer.status == 0
    result = answer.json
    assert [player["name"] for player in result["players"]] == ["Ann", "Bob"]
    assert [player["vp"] for player in result["players"]] == [39, 5]
    assert {"id": "griffon", "count": 1, "vp": 4} in result["players"][0]["cards"]
    assert {"id": "torch", "count": 2, "vp": 0} in result["players"][0]["cards"]
    assert result["winners"] == ["Ann"]
    assert result["tie_break"] is None


@pytest.mark.parametrize(("variant", "rule"), [("crossing", "R9.2"), ("pursuit", "R9.3"), ("odyssey", "R9.4")])
def test_a_campaign_is_won_by_its_own_rule(cli: Any, variant: str, rule: str) -> None:
    answer = cli("score", "--deck", ANN, "--deck", BOB, "--variant", variant, "--earlier", "Ann: 1", "--any")
    won = answer.out.splitlines()[-1]
    assert (answer.status, won) == (0, f"The campaign is won by Ann ({rule}).")


@pytest.mark.parametrize("ending", ["json", "toml"])
def test_a_file_with_decks_and_penalties(cli: Any, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"decks.{ending}"
    if ending == "json":
        path.write_text(json.dumps({"players": {"Ann": ["griffon"], "Bob": ["griffon"]}, "penalties": {"Ann": 1}}))
    else:
        path.write_text('[players]\nAnn = ["griffon"]\nBob = ["griffon"]\n[penalties]\nAnn = 1\n')
    result = cli("score", "--file", str(path), "--json").json
    assert [player["vp"] for player in result["players"]] == [3, 4]
    assert result["winners"] == ["Bob"]


def test_decks_of_the_command_line_join_those_of_the_file(cli: Any) -> None:
    stdin = json.dumps({"players": {"Ann": ["griffon"]}})
    words = ("score", "--file", "-", "--deck", BOB, "--penalty", "Bob: 2", "--json")
    result = cli(*words, stdin=stdin).json
    assert [(player["name"], player["vp"], player["penalties"]) for player in result["players"]] == [
        ("Ann", 4, 0),
        ("Bob", 3, 2),
    ]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", ["Ann: 39 VP", "35  Horde × 7", "Winner: Ann, 39 VP (R7.3)."]),
        ("pl", ["Ann: 39 PZ", "35  Horda × 7", "Ann, 39 PZ (R7.3)."]),
        ("ru", ["Ann: 39 победных очков", "35  Орда × 7", "Ann, 39 победных очков (R7.3)."]),
    ],
)
def test_the_table_follows_the_language(cli: Any, lang: str, expected: list[str]) -> None:
    answer = cli("score", "--deck", ANN, "--deck", BOB, "--lang", lang)
    assert answer.status == 0
    for text in (*expected, Language(open_database(), lang).say("score.winner", names="Ann", vp=39)):
        assert text in answer.out


def test_a_tie_is_said_and_settled(cli: Any) -> None:
    out = cli("score", "--deck", "Ann: the unchained", "--deck", "Bob: stone of mystery").out
    assert "the Thunderstone decides in favour of Bob" in out
    assert "Winner: Bob, 3 VP" in out
    shared = cli("score", "--deck", "Ann: griffon", "--deck", "Bob: griffon").out
    assert "Tie at 4 VP (Ann, Bob): none of them holds a Thunderstone, so they share the victory (R7.3)." in shared
    assert shared.count("4 VP (Ann, Bob)") == shared.count("victory") == 1


BAD: list[tuple[tuple[str, ...], int, str]] = [
    (("score",), 2, "score-no-decks"),
    (("score", "--deck", "griffon, torch"), 2, "score-no-name"),
    (("score", "--deck", " : griffon"), 2, "score-empty-name"),
    (("score", "--deck", ANN, "--deck", ANN), 2, "score-twice"),
    (("score", "--deck", ANN, "--deck", "ann: torch"), 2, "score-twice"),
    (("score", "--deck", ANN, "--penalty", "Cyd: 1"), 2, "score-no-such-player"),
    (("score", "--deck", ANN, "--penalty", "Ann: -1"), 2, "score-bad-penalty"),
    (("score", "--deck", ANN, "--penalty", "Ann: x"), 2, "score-bad-penalty"),
    (("score", "--deck", "Ann: no such card"), 1, "unknown-card"),
    (("score", "--deck", "Ann: elf"), 1, "ambiguous-card"),
    (("score", "--deck", "Ann: 0 torch"), 2, "zero-copies"),
    (("score", "--file", "nowhere.json"), 2, "no-file"),
    (("score", "griffon"), 2, "score-no-name"),
]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize(("words", "status", "code"), BAD, ids=[" ".join(bad[0][1:]) or "nothing" for bad in BAD])
def test_bad_input_gets_one_sentence(cli: Any, words: tuple[str, ...], status: int, code: str, lang: str) -> None:
    answer = cli(*words, "--json", "--lang", lang)
    assert answer.status == status
    assert answer.json["error"]["code"] == code
    plain = cli(*words, "--lang", lang)
    assert plain.status == status
    assert plain.out == ""
    assert plain.err.startswith("thunderref: ")
    assert plain.err.count("\n") == 1


BROKEN = ["[]", "{}", '{"players": []}', '{"players": {"Ann": [1]}}', '{"players": {"A": []}, "penalties": 3}']


@pytest.mark.parametrize("document", BROKEN)
def test_a_broken_document_gets_one_sentence(cli: Any, document: str) -> None:
    answer = cli("score", "--file", "-", stdin=document)
    assert answer.status == 2
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_help_page_is_there(cli: Any, lang: str) -> None:
    answer = cli("score", "--help", "--lang", lang)
    assert answer.status == 0
    assert "--penalty" in answer.out


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"players": 5}, "bad-value"),
        ({"players": {"Bob": 5}}, "no-list"),
        ({"players": ["Bob"]}, "bad-value"),
        ({"penalties": ["Ann"]}, "bad-value"),
        ({"penalties": {"Ann": "one"}}, "bad-value"),
    ],
)
def test_a_file_is_checked_before_decks_are_joined_to_it(
    cli: Any, tmp_path: Path, document: dict[str, Any], code: str
) -> None:
    (tmp_path / "decks.json").write_text(json.dumps(document), encoding="utf-8")
    words = ["score", "--file", str(tmp_path / "decks.json"), "--deck", ANN, "--penalty", "Ann: 1"]
    assert cli(*words).status == 2
    assert cli(*words, "--json").json["error"]["code"] == code


@pytest.mark.parametrize("typed", ["ann 34, bob 34", "ann 34; bob 22 with stone", "ania 34, bartek 34 z kamieniem"])
@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_points_are_answered_as_without_the_command(cli: Run, typed: str, lang: str) -> None:
    assert cli("score", typed, "--lang", lang) == cli(typed, "--lang", lang)
    assert "R7.3" in cli("score", typed, "--lang", lang).out


def test_decks_are_parted_by_names_too(cli: Run) -> None:
    typed = "ann: 2 griffon, sphinx, bob: 3 pegasus"
    decks = [(player["name"], player["vp"]) for player in cli("score", typed, "--json").json["players"]]
    assert decks == [("ann", 15), ("bob", 6)]
    assert cli("score", "ann griffon, sphinx, bob 3 pegasus", "--json").json["winners"] == ["ann"]
    assert cli("score", "ann 34", "--json").json["error"]["code"] == "score-no-name"
    assert cli("score", "2 griffon, sphinx").out.startswith("15 VP\n")
