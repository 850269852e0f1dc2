"""The setup on the table: remembered, shown, forgotten, and what names and the village make of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import thunderref
from support.command import Answer, Run
from support.systems import keep_in, own_folders

CODE = "399ZJVSMPJTK392SEDT"
"""Dragons, humanoids, spirits; elves, Redblade, Regian, Thyrian; Barkeep, Fireball, Flaming Sword, Lantern, …"""
OTHER = thunderref.generate_setup(players=2, seed=8).code
HAND = "2 militia, torch"
BY_NAME = [
    ("card", "fireball"),
    ("resolve", HAND, "--hall", "ghost"),
    ("odds", HAND, "--hall", "ghost", "--deck-list", "6 militia"),
    ("village", HAND),
    ("score", "--deck", "Ann: ghost"),
]
"""A command for each that takes cards by their names."""


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path / "state")
    return tmp_path / "state" / "thunderref" / "tonight.json"


@pytest.fixture
def tonight(cli: Run, state: Path) -> Run:
    """``cli`` with :data:`CODE` on the table."""
    assert cli("tonight", CODE).status == 0
    return cli


def found(answer: Answer) -> list[str]:
    return [match["id"] for match in answer.json["matches"]] if answer.status == 0 else []


def refused(answer: Answer) -> str:
    """The code of the one clear error."""
    assert "Traceback" not in answer.out + answer.err
    code: str = answer.json["error"]["code"]
    return code


# remembering


def test_a_code_is_remembered_shown_and_forgotten(cli: Run, state: Path) -> None:
    assert refused(cli("tonight", "--json")) == "no-tonight"
    assert cli("tonight", CODE).status == 0
    shown = cli("tonight")
    assert (shown.status, shown.err) == (0, "")
    assert CODE in shown.out
    assert "Flaming Sword" in shown.out
    document = cli("tonight", "--json").json
    assert (document["code"], document["tonight"]) == (CODE, CODE)
    assert cli("tonight", "--clear", "--json").json == {"cleared": True, "tonight": None}
    assert not state.exists()
    assert cli("tonight", "--clear", "--json").json == {"cleared": False, "tonight": None}
    assert cli("tonight").status == 1


def test_a_drawn_set_up_is_remembered_on_request_only(cli: Run, state: Path) -> None:
    cli("setup", "--seed", "7", "--players", "3")
    assert not state.exists()
    assert cli("setup", "--seed", "7", "--players", "3", "--tonight", "--json").json["tonight"] == CODE
    assert cli("tonight", "--json").json["code"] == CODE
    cli("setup", "--seed", "8")
    assert cli("tonight", "--json").json["code"] == CODE
    cli("setup", "--seed", "8", "--players", "2", "--tonight")
    assert cli("tonight", "--json").json["code"] == OTHER


def test_a_saved_set_up_is_taken_too(cli: Run, state: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    cli("setup", "--code", CODE, "--save", str(file))
    assert cli("tonight", str(file), "--json").json["tonight"] == CODE


@pytest.mark.parametrize("wrong", [CODE[:-1] + "2", "nonsense", CODE + " --clear"])
def test_a_mistyped_code_changes_nothing(tonight: Run, state: Path, wrong: str) -> None:
    before = state.read_bytes()
    assert refused(tonight("tonight", *wrong.split(), "--json")) in ("bad-code", "extra-argument")
    assert state.read_bytes() == before


# names


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("fs", "flaming-sword"), ("fl", "flaming-sword"), ("fla", "flaming-sword"), ("fl sw", "flaming-sword"),
        ("sword", "flaming-sword"), ("pm", "flaming-sword"), ("ош", "fireball"),
        ("som", "stone-of-mystery"), ("sm", "stone-of-mystery"), ("disease", "disease"), ("mil", "militia"),
    ],
)  # fmt: skip
def test_short_and_ambiguous_names_mean_the_cards_on_the_table(tonight: Run, typed: str, card: str) -> None:
    assert found(tonight("card", typed, "--json")) == [card]


@pytest.mark.parametrize("typed", ["fs", "sword", "ош"])
def test_without_a_table_they_are_never_guessed(cli: Run, state: Path, typed: str) -> None:
    assert refused(cli("card", typed, "--json")) in ("unknown-card", "ambiguous-card")
    assert cli("tonight", CODE).status == 0
    assert refused(cli("card", typed, "--any", "--json")) in ("unknown-card", "ambiguous-card")


def test_what_is_ambiguous_at_the_table_stops_with_its_cards_only(tonight: Run) -> None:
    answer = tonight("card", "re", "--json")
    assert refused(answer) == "ambiguous-card"
    families = ("Redblade", "Regian", "Revenant")
    assert answer.json["error"]["candidates"]
    assert all(name.startswith(families) for name in answer.json["error"]["candidates"])
    assert found(tonight("card", "elf", "--json")) == ["elf-wizard", "elf-sorcerer", "elf-archmage"]


@pytest.mark.parametrize("typed", ["griffon", "short sword", "krótki miecz", "blink-dog", "grifon"])
def test_a_clear_name_means_its_card_wherever_it_is(tonight: Run, cli: Run, typed: str) -> None:
    assert found(tonight("card", typed, "--json")) == found(cli("card", typed, "--any", "--json")) != []


@pytest.mark.parametrize("typed", ["f", "zq", "qqqqqqq"])
def test_what_fits_no_card_is_not_made_to(tonight: Run, typed: str) -> None:
    assert refused(tonight("card", typed, "--json")) == "unknown-card"


def test_every_command_that_takes_names_takes_short_ones(tonight: Run) -> None:
    battle = tonight("resolve", "3 mil, fs", "--hall", "gho", "--json").json
    assert [target["monster"] for target in battle["targets"]] == ["ghost"]
    odds = tonight("odds", "3 mil, fs", "--hall", "gho", "--deck-list", "6 mil", "--json").json
    assert [target["monster"] for target in odds["targets"]] == ["ghost"]
    assert tonight("score", "--deck", "Ann: gho", "--json").json["players"][0]["cards"][0]["id"] == "ghost"


def test_a_choice_means_what_is_in_play_before_what_is_on_the_table(tonight: Run) -> None:
    words = ("2 thyrian squire, short sword", "--hall", "ghost", "--explain", "why-not", "sword on squire", "--json")
    assert tonight("resolve", *words).json["why_not"][0]["reason"] is None


# the village


def test_the_village_knows_its_stacks(tonight: Run) -> None:
    words = ("village", "6 torch, 6 lantern", "--json")
    here = {card for option in tonight(*words).json["options"] for card in option["buy"]}
    anywhere = {card for option in tonight(*words, "--any").json["options"] for card in option["buy"]}
    on_offer = set(json.loads(json.dumps(thunderref.generate_setup(code=CODE).model_dump()))["village"])
    assert here
    assert here <= on_offer | {"militia", "torch", "dagger", "iron-rations"} | {"elf-wizard", "redblade-killer"} | {
        "regian-cleric", "thyrian-squire",
    }  # fmt: skip
    assert anywhere - here
    stated = tonight(*words, "--stacks", "banish").json["options"]
    assert {card for option in stated for card in option["buy"]} == {"banish"}


# what results say


@pytest.mark.parametrize("words", BY_NAME, ids=lambda words: words[0])
def test_results_say_which_set_up_they_go_by(cli: Run, state: Path, words: tuple[str, ...]) -> None:
    assert "--any" not in cli(*words).out
    assert cli(*words, "--json").json["tonight"] is None
    assert cli("tonight", CODE).status == 0
    said = cli(*words).out.splitlines()
    assert sum(CODE in line for line in said) == 1
    assert CODE in said[0], "what is important is last"
    assert cli(*words, "--json").json["tonight"] == CODE
    assert CODE not in cli(*words, "--any").out
    assert cli(*words, "--json", "--any").json["tonight"] is None


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_batch_goes_by_it_too(tonight: Run, tmp_path: Path, jobs: str) -> None:
    file = tmp_path / "battles.jsonl"
    file.write_text('{"hand": ["militia", "fs"], "hall": ["ghost"]}\n' * 40, "utf-8")
    for more, told in ((["--any"], None), ([], CODE)):
        lines = [
            json.loads(line)
            for line in tonight("resolve", "--batch", str(file), "--jobs", jobs, *more).out.splitlines()
        ]
        assert len(lines) == 40
        assert {line["tonight"] for line in lines} == {told}
        assert all(("error" in line) == (told is None) for line in lines)


def test_python_knows_nothing_of_it(tonight: Run) -> None:
    assert tonight("card", "fs", "--json").status == 0
    with pytest.raises(thunderref.errors.NoAnswerError):
        thunderref.lookup("fs")
    with pytest.raises(thunderref.errors.NoAnswerError):
        thunderref.odds({"hand": ["fs"], "hall": ["ghost"], "deck_list": ["militia"]})


# what cannot be read or written

Spoil = Callable[[Path], object]


def _turned(path: Path, **changed: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changed), "utf-8")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILT: dict[str, Spoil] = {
    "empty": lambda path: path.write_text("", "utf-8"),
    "half": lambda path: path.write_text(path.read_text("utf-8")[:40], "utf-8"),
    "a list": lambda path: path.write_text("[]", "utf-8"),
    "bytes": lambda path: path.write_bytes(b"\xff\xfe"),
    "another code": lambda path: _turned(path, code="ZZZZZZ"),
    "other cards": lambda path: _turned(path, cards=["nobody"]),
    "numbers": lambda path: _turned(path, cards=7),
    "a folder": _folder,
}  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=list(SPOILT))
def test_what_cannot_be_read_gets_one_sentence_with_the_remedy(tonight: Run, state: Path, spoil: Spoil) -> None:
    spoil(state)
    for words in (("card", "fireball"), ("village", HAND), ("tonight",)):
        answer = tonight(*words)
        assert (answer.status, answer.out) == (2, "")
        assert len(answer.err.splitlines()) == 1
        assert "tonight --clear" in answer.err
        assert refused(tonight(*words, "--json")) == "bad-tonight"
    assert tonight("card", "fireball", "--any").status == 0
    for apart in (("rule", "R5.11"), ("cards", "kind:hero", "--json"), ("card", "--help")):
        assert tonight(*apart).status == 0
    if not state.is_dir():
        assert tonight("tonight", "--clear").status == 0
        assert tonight("card", "fireball").status == 0


def test_cards_that_this_version_does_not_have_are_not_read(tonight: Run, state: Path) -> None:
    from thunderref.thunderstone.setup.memory import TONIGHT, check_sum

    now = TONIGHT.read()
    assert now is not None
    later = {"code": now.code, "cards": [*now.cards, "card-of-a-later-version"], "stacks": [*now.stacks]}
    state.write_text(json.dumps(later | {"sum": check_sum(*later.values())}), "utf-8")
    assert refused(tonight("card", "fireball", "--json")) == "bad-tonight"


def test_a_folder_that_cannot_be_written_gets_one_sentence(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", "utf-8")
    env = own_folders(file)
    answer = cli("tonight", CODE, env=env)
    assert (answer.status, answer.out, len(answer.err.splitlines())) == (2, "", 1)
    assert cli("card", "fireball", env=env).status == 0
    assert cli("tonight", "--clear", env=env).status == 0
    drawn = cli("setup", "--seed", "7", "--tonight", env=env)
    assert drawn.status == 2
    assert "Monsters: " in drawn.out, "what was drawn is not lost"
    assert len(drawn.err.splitlines()) == 1
    document = cli("setup", "--seed", "7", "--tonight", "--json", env=env).json
    assert document["error"]["code"] == "cannot-write"
    assert (len(document["code"]), document["tonight"]) == (len(CODE), None)
    assert document["code"] in drawn.out
    assert "Dungeon" in cli("setup", "--seed", "7", "--tonight", "--more", env=env).out


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_it_speaks_all_languages(tonight: Run, state: Path, lang: str) -> None:
    assert CODE in tonight("card", "fireball", "--lang", lang).out.splitlines()[0]
    assert "--any" in tonight("tonight", "--help", "--lang", lang).out
    state.write_text("", "utf-8")
    assert "thunderref tonight --clear" in tonight("card", "fireball", "--lang", lang).err


# a game that is played


def test_a_game_that_is_played_has_a_table_of_its_own(cli: Run, state: Path) -> None:
    assert cli("tonight", OTHER).status == 0
    words = ("play", "--players", "Ann, Bob, Cy", "--code", CODE, "--seed", "1")
    asked = cli(*words, stdin="i fs\nquit\n")
    assert "Płomienny Miecz" in asked.out
    assert OTHER not in asked.out
    assert "Płomienny Miecz" not in cli(*words, "--any", stdin="i fs\nquit\n").out
