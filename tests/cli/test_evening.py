"""``thunderref evening``: the contract's commands, and what other commands take from an evening."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command import Answer, Run
from support.systems import keep_in

CODE = "37MFZLY8JVG3GH7"
HAND = "2 militia, torch, elf wizard, short sword, iron rations"


@pytest.fixture
def evening(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``cli`` with an evening of four under way, and three monsters in the hall."""
    keep_in(monkeypatch, tmp_path / "state")
    assert cli("evening", "start", CODE, "--players", "Ann, Bob, Cy, Di").status == 0
    assert cli("evening", "hall", "griffon, blink dog, suffering").status == 0
    return cli


def refused(answer: Answer) -> str:
    code: str = answer.json["error"]["code"]
    return code


def test_the_document_is_that_of_the_contract(evening: Run) -> None:
    found = evening("evening", "--json").json
    assert (found["code"], found["active"], found["turn"], found["events"]) == (CODE, "Ann", 1, 2)
    assert (found["hall"], found["rank0"]) == (["griffon", "blink-dog", "suffering"], [])
    ann = found["players"][0]
    assert (ann["name"], ann["xp"], ann["vp"]) == ("Ann", 0, 0)
    assert {"id": "militia", "count": 6} in ann["deck"]
    assert {"id": "elf-wizard", "count": 6} in found["stacks"]
    assert found["tonight"] == CODE


def test_a_turn_is_kept_and_passed_on(evening: Run) -> None:
    won = evening("evening", "battle", HAND, "--unseen", "--rank", "1", "--json").json
    assert won["hall"] == ["blink-dog", "suffering", None]
    assert (won["active"], won["players"][0]["xp"], won["players"][0]["vp"]) == ("Ann", 2, 4)
    after = evening("evening", "next", "--json").json
    assert (after["active"], after["turn"]) == ("Bob", 2)
    bought = evening("evening", "buy", "short sword", "--json").json
    assert {"id": "short-sword", "count": 1} in bought["players"][1]["deck"]
    rested = evening("evening", "rest", "militia", "--player", "cy", "--json").json
    assert {"id": "militia", "count": 5} in rested["players"][2]["deck"]
    back = evening("evening", "undo", "--json").json
    assert {"id": "militia", "count": 6} in back["players"][2]["deck"]
    assert [event["do"] for event in evening("evening", "log", "--json").json["log"]] == [
        "start", "hall", "battle", "next", "visit",
    ]  # fmt: skip


def test_a_battle_lost_is_kept_as_lost(evening: Run) -> None:
    lost = evening("evening", "battle", HAND, "--unseen", "--rank", "1", "--lost", "--json").json
    assert (lost["hall"], lost["players"][0]["xp"]) == (["blink-dog", "suffering", None], 0)


def test_commands_take_what_is_known(evening: Run) -> None:
    assert [target["monster"] for target in evening("resolve", HAND, "--json").json["targets"]] == [
        "griffon", "blink-dog", "suffering",
    ]  # fmt: skip
    assert [target["monster"] for target in evening("resolve", HAND, "--hall", "nixie", "--json").json["targets"]] == [
        "nixie"
    ]
    evening("evening", "correct", "--xp", "7")
    assert evening("village", "2 militia", "--json").json["xp"] == 7
    assert refused(evening("resolve", HAND, "--any", "--json")) == "empty-hall"
    odds = evening("odds", "2 militia, torch, dagger, 2 iron rations", "--json").json
    assert [target["monster"] for target in odds["targets"]] == ["griffon", "blink-dog", "suffering"]
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    assert [player["vp"] for player in evening("score", "--json").json["players"]] == [4, 0, 0, 0]


def test_the_end_has_the_score_and_the_best_battle(evening: Run) -> None:
    evening("evening", "battle", HAND, "--unseen", "--rank", "1")
    told = evening("evening", "end").out
    assert "Winner: Ann, 4 VP" in told
    assert "Best battle: Ann beats Griffon: 8 against 7." in told
    assert refused(evening("resolve", HAND, "--json")) == "empty-hall"
    assert evening("evening", "undo").status == 0
    assert evening("resolve", HAND, "--json").status == 0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("battle",), "empty-hand"),
        (("battle", HAND, "--unseen", "--player", "Zed"), "evening-player"),
        (("buy", "elf archmage"), "evening-sold-out"),
        (("level", "militia"), "evening-level"),
        (("rest", "fireball"), "evening-not-owned"),
        (("hall", "griffon, griffon, griffon, griffon"), "evening-ranks"),
        (("correct",), "missing-value"),
        (("correct", "--xp", "-3"), "bad-value"),
        (("start", "--players", "Ann, Ann"), "play-name-twice"),
        (("dance",), "unknown-command"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(evening: Run, words: tuple[str, ...], code: str) -> None:
    before = evening("evening", "--json").json
    assert refused(evening("evening", *words, "--json")) == code
    assert evening("evening", "--json").json == before


def test_without_an_evening_it_says_how_to_begin(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path / "state")
    answer = cli("evening", "--json")
    assert (answer.status, refused(answer)) == (1, "no-evening")


@pytest.mark.parametrize(("lang", "said"), [("en", "Ann, turn 1"), ("pl", "Ann, tura 1"), ("ru", "Ann, ход 1")])
def test_it_speaks_three_languages(evening: Run, lang: str, said: str) -> None:
    assert said in evening("evening", "--lang", lang).out


def test_an_evening_moves_as_a_file(evening: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, file = evening("evening", "--json").json, tmp_path / "evening.json"
    assert evening("evening", "save", str(file)).status == 0
    assert refused(evening("evening", "save", str(file), "--json")) == "file-exists"
    keep_in(monkeypatch, tmp_path / "another laptop")
    assert refused(evening("evening", "--json")) == "no-evening"
    assert evening("evening", "load", str(file)).status == 0
    assert evening("evening", "--json").json == before


@pytest.mark.parametrize(
    "text", ["[]", '{"evening.jsonl": ""}', '{"thunderref": {"tonight.json": 1}}', '{"thunderref": []}']
)
def test_another_file_is_no_evening(evening: Run, tmp_path: Path, text: str) -> None:
    before = evening("evening", "--json").json
    (tmp_path / "other.json").write_text(text, "utf-8")
    assert refused(evening("evening", "load", str(tmp_path / "other.json"), "--json")) == "kept-other"
    assert evening("evening", "--json").json == before
