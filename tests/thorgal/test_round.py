"""The round tracker: the rules it keeps, its file, undo, and what it prints."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.several import several
from support.systems import needs_posix, own_folders
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.thorgal.game_file import FIELDS, VERSION, read_steps, write_steps
from thunderref.thorgal.round import (
    ACTIONS,
    MOST_THREAT,
    GameStep,
    GameTable,
    card_tokens,
    play_step,
    replay_steps,
    seats_of,
)

LANGUAGES = ("en", "pl", "ru")
Play = Callable[..., Any]


def start(players: int = 3, *, length: int = 0, row: tuple[int, ...] = (), first: int = 0) -> GameStep:
    names = ["Anna", "Bartek", "Celina", "Darek"][:players]
    return {"do": "start", "names": names, "solo": False, "adventure": "", "length": length, "row": list(row),
            "first": first}  # fmt: skip


def act(seat: int, card: int, source: int = 0, *, free: bool = False) -> GameStep:
    return {"do": "act", "seat": seat, "card": card, "from": source, "free": free}


def threat(seat: int, by: int) -> GameStep:
    return {"do": "threat", "seat": seat, "by": by}


def refusal(steps: list[GameStep]) -> tuple[str, str]:
    table = replay_steps(steps[:-1])
    with pytest.raises(IllegalStepError) as refused:
        play_step(table, steps[-1])
    return refused.value.code, refused.value.rule


ROUND = [act(0, 3), act(1, 3), act(2, 1), act(0, 5)]


def test_a_round_has_four_actions_in_turn() -> None:
    """T2.2, T2.4, T2.6: with three players the first acts twice; used tokens are grey."""
    table = replay_steps([start()])
    assert table.order == (0, 1, 2, 0)
    table = replay_steps([start(), *ROUND])
    assert (table.left, table.turn) == (0, 1)
    assert refusal([start(), *ROUND, act(1, 5)]) == ("thorgal-no-token", "T2.2")
    assert refusal([start(), act(1, 3)]) == ("thorgal-not-your-turn", "T2.2")
    assert refusal([start(), act(0, 3), act(0, 4)]) == ("thorgal-not-your-turn", "T2.2")
    assert refusal([start(), act(0, 3), act(1, 4, 3)]) == ("thorgal-no-active-token", "T2.3")
    lost: GameStep = {"do": "lost", "seat": 1, "note": ""}
    assert refusal([start(), lost, act(0, 3)]) == ("thorgal-over", "T12.2")
    assert replay_steps([start(), act(1, 3, free=True)]).turn == 0


def test_tokens_lie_as_bonus_actions_are_read() -> None:
    """T3.3, T3.4: alone or several, here or to the left; every token counts."""
    found = {
        card.card: (card.tokens, card.to_the_left, card.alone) for card in card_tokens(replay_steps([start(), *ROUND]))
    }
    assert found == {1: (1, 0, True), 3: (2, 1, False), 5: (1, 3, True)}


def test_a_token_goes_to_another_card() -> None:
    """T2.3."""
    second = [start(), *ROUND, {"do": "events"}]
    assert refusal([*second, act(1, 3, 3)]) == ("thorgal-same-card", "T2.3")
    assert refusal([*second, act(1, 3, 4)]) == ("thorgal-no-active-token", "T2.3")
    moved = replay_steps([*second, act(1, 3, 1)])
    assert {card.card: card.tokens for card in card_tokens(moved)} == {3: 3, 5: 1}
    assert [card.active for card in card_tokens(moved)] == [2, 1]


def test_the_event_phase_makes_everything_ready() -> None:
    """T11.1, T11.2, T11.6: marker, tokens, first player; the tokens stay where they are."""
    assert refusal([start(), *ROUND[:3], {"do": "events"}]) == ("thorgal-tokens-left", "T2.2")
    table = replay_steps([start(), *ROUND, {"do": "events"}])
    assert (table.round, table.first, table.turn, table.left) == (2, 1, 1, ACTIONS)
    assert sorted(token.card for token in table.tokens) == [1, 3, 3, 5]


def test_time_runs_out() -> None:
    """T12.3: on the last field the marker cannot move."""
    steps = [start(length=2), *ROUND, {"do": "events"}, act(1, 1, 5), act(2, 5, 3), act(0, 5, 3), act(1, 5, 1)]
    table = replay_steps(steps)
    assert (table.round, table.outcome) == (2, "")
    table = play_step(table, {"do": "events"})
    assert (table.outcome, table.rule, table.round) == ("lost", "T12.3", 2)
    assert refusal([*steps, {"do": "events"}, threat(0, 1)]) == ("thorgal-over", "T12.3")


@pytest.mark.parametrize(
    ("before", "by", "after", "wounds"),
    [(0, 5, 5, 0), (3, 2, 5, 0), (3, 3, 5, 1), (5, 1, 5, 1), (5, 4, 5, 1), (4, -4, 0, 0), (2, -1, 1, 0)],
)
def test_threat(before: int, by: int, after: int, wounds: int) -> None:
    """T15.1, T15.2, T16.1, T16.3: at most five; one wound of size 2 however many find no room."""
    table = replay_steps([start(), *([threat(1, before)] if before else []), threat(1, by)])
    assert (table.seats[1].threat, table.seats[1].wounds) == (after, ("2",) * wounds)
    assert table.seats[0].threat == 0


def test_no_more_threat_is_given_back_than_there_is() -> None:
    assert refusal([start(), threat(0, 2), threat(0, -3)]) == ("thorgal-too-little-threat", "T15.1")


def test_wounds_are_noted_and_struck_out() -> None:
    wound, heal = ({"do": do, "seat": 0, "tile": "3"} for do in ("wound", "heal"))
    assert replay_steps([start(), wound, wound, heal]).seats[0].wounds == ("3",)
    assert refusal([start(), heal]) == ("thorgal-no-wound", "T14.3")


def test_improving_a_card_keeps_the_places_of_the_tokens() -> None:
    """T3.5: 1 3 5 with tokens on 3 and 5 becomes 1 5 8 when 3 makes room for 8; the tokens stay second and third."""
    table = replay_steps([start(row=(5, 1, 3)), act(0, 3), act(1, 5), {"do": "upgrade", "old": 3, "new": 8}])
    assert table.row == (1, 5, 8)
    assert {card.card: card.tokens for card in card_tokens(table)} == {5: 1, 8: 1}
    assert refusal([start(row=(1, 3)), {"do": "upgrade", "old": 4, "new": 8}]) == ("thorgal-no-card", "T3.5")
    assert refusal([start(row=(1, 3)), {"do": "upgrade", "old": 3, "new": 1}]) == ("thorgal-card-twice", "T3.5")
    assert refusal([start(), {"do": "upgrade", "old": 3, "new": 1}]) == ("thorgal-no-row", "T3.5")
    assert refusal([start(row=(1, 3)), act(0, 4)]) == ("thorgal-no-card", "T1.7")


def test_the_end() -> None:
    """T12.1, T12.2, T12.4."""
    won = replay_steps([start(), {"do": "won"}])
    assert (won.outcome, won.rule) == ("won", "T12.1")
    dead = replay_steps([start(), {"do": "lost", "seat": 1, "note": ""}])
    assert (dead.outcome, dead.rule, dead.dead) == ("lost", "T12.2", 1)
    other = replay_steps([start(), {"do": "lost", "seat": None, "note": "the village burns"}])
    assert (other.rule, other.note) == ("T12.4", "the village burns")


steps_to_try = st.lists(
    st.one_of(
        st.builds(act, st.integers(0, 3), st.integers(1, 4), st.integers(0, 4), free=st.booleans()),
        st.builds(threat, st.integers(0, 3), st.integers(-3, 4)),
        st.just({"do": "events"}),
    ),
    max_size=40,
)


@given(st.integers(2, 4), steps_to_try)
@pytest.mark.thorough
@settings(max_examples=several(20, 300), deadline=None)
def test_whatever_is_tried_the_table_stays_sound(players: int, tries: list[GameStep]) -> None:
    """Four tokens, threat from 0 to 5, as many grey tokens as actions taken; a refused step changes nothing."""
    done = [start(players)]
    table = replay_steps(done)
    for step in tries:
        if step.get("seat", 0) >= players:
            continue
        try:
            after = play_step(table, step)
        except IllegalStepError:
            assert replay_steps(done) == table
            continue
        assert after.left == (ACTIONS if step["do"] == "events" else table.left - (step["do"] == "act"))
        assert len(after.tokens) == ACTIONS
        assert all(0 <= seat.threat <= MOST_THREAT for seat in after.seats)
        assert sum(card.tokens for card in card_tokens(after)) + sum(t.card == 0 for t in after.tokens) == ACTIONS
        done.append(step)
        table = after
    assert replay_steps(done) == table


@pytest.fixture
def play(cli: Any, tmp_path: Path) -> Play:
    def run(*words: str, lang: str = "en") -> Any:
        file = ["--file", str(tmp_path / "game.json")] if words else []
        return cli("thorgal", "round", *words, *file, "--lang", lang, env=own_folders(tmp_path))

    return run


def begun(play: Play) -> None:
    assert play("start", "--names", "Anna, Bartek, Celina", "--length", "7", "--adventure", "Wyspa").status == 0


def test_an_evening(play: Play, tmp_path: Path) -> None:
    begun(play)
    assert "Anna, card 4: alone" in play("act", "4").out
    assert "2 tokens here" in play("act", "bar", "4").out
    assert "Celina, card 6: alone, 2 tokens to the left" in play("act", "3", "6").out
    document = play("threat", "celina", "+6", "--json").json
    assert document["players"][2].items() >= {"name": "Celina", "number": 3, "threat": 5, "wounds": ["2"]}.items()
    assert document["file"] == str(tmp_path / "game.json")
    assert "Taken back: threat tokens" in play("undo").out
    assert play("show", "--json").json["players"][2]["threat"] == 0


def test_undo_goes_back_to_the_start_and_no_further(play: Play, tmp_path: Path) -> None:
    begun(play)
    file = tmp_path / "game.json"
    seen = [file.read_bytes()]
    for words in (["act", "4"], ["threat", "anna", "2"], ["wound", "anna", "L3"], ["heal", "anna", "L3"], ["won"]):
        assert play(*words).status == 0
        seen.append(file.read_bytes())
    for before in reversed(seen[:-1]):
        assert play("undo").status == 0
        assert file.read_bytes() == before
    answer = play("undo", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "thorgal-nothing-to-undo")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_without_a_file_the_game_is_in_the_state_folder(cli: Any, tmp_path: Path) -> None:
    env = own_folders(tmp_path / "state")
    assert cli("thorgal", "round", "--json", env=env).json["error"]["code"] == "thorgal-no-game"
    assert not (tmp_path / "state").exists()
    assert cli("thorgal", "round", "start", "--players", "2", env=env).status == 0
    assert (tmp_path / "state" / "thunderref" / "thorgal-round.json").is_file()
    assert "Player 1 acts" in cli("thorgal", "round", "--lang", "en", env=env).out
    assert cli("thorgal", "round", "won", env=env).status == 0
    assert cli("thorgal", "round", "start", "--players", "3", env=env).status == 0, "what has ended makes room there"


@needs_posix
def test_the_state_folder_is_in_the_home_folder(cli: Any, tmp_path: Path) -> None:
    home = {"XDG_STATE_HOME": "", "HOME": str(tmp_path)}
    assert cli("thorgal", "round", "start", "--players", "1", "--json", env=home).json["file"].startswith(str(tmp_path))


def test_a_game_under_way_is_not_lost(play: Play, tmp_path: Path) -> None:
    begun(play)
    old = (tmp_path / "game.json").read_bytes()
    assert play("start", "--players", "2", "--json").json["error"]["code"] == "thorgal-under-way"
    assert (tmp_path / "game.json").read_bytes() == old
    assert play("start", "--players", "2", "--replace").status == 0
    play("won")
    ended = (tmp_path / "game.json").read_bytes()
    assert play("start", "--players", "2", "--json").json["error"]["code"] == "file-exists"
    assert (tmp_path / "game.json").read_bytes() == ended
    assert play("start", "--players", "2", "--force").status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_refused_step_leaves_the_file_alone(play: Play, tmp_path: Path) -> None:
    begun(play)
    before = (tmp_path / "game.json").read_bytes()
    for words, status in (
        (["act", "bartek", "4"], 1), (["act", "nobody", "4"], 1), (["act", "four"], 2), (["act", "0"], 2), (["act"], 2),
        (["act", "100"], 2), (["threat", "anna"], 2), (["threat", "anna", "0"], 2), (["threat", "+1"], 2),
        (["threat", "anna", "-1"], 1), (["wound", "anna"], 2), (["heal", "anna", "2"], 1), (["events"], 1),
        (["upgrade", "1", "2"], 1), (["upgrade", "1"], 2), (["start", "--players", "5"], 2), (["dance"], 2),
        (["act", "4", "--from", "9"], 1), (["start", "--players", "2", "--length", "0", "--replace"], 2),
        (["start", "--players", "2", "--first", "zed", "--replace"], 1),
        (["start", "--players", "2", "--cards", "1 1", "--replace"], 1),
    ):  # fmt: skip
        for lang in LANGUAGES:
            answer = play(*words, lang=lang)
            assert (answer.status, answer.out, answer.err.count("\n")) == (status, "", 1), words
    assert (tmp_path / "game.json").read_bytes() == before


GOOD = [start(length=7), act(0, 3), threat(1, 2), {"do": "wound", "seat": 0, "tile": "L"}]


def edited(change: Callable[[dict[str, Any]], Any]) -> str:
    document = json.loads(json.dumps({"format": "thunderref-thorgal-round", "version": VERSION, "steps": GOOD}))
    change(document)
    return json.dumps(document)


EDITED: dict[str, tuple[str, str, str]] = {
    "not JSON": ("{", "thorgal-file", "-"),
    "a list": ("[]", "thorgal-file", "format"),
    "another program's": ('{"setups": []}', "thorgal-file", "format"),
    "deep": ("[" * 100_000, "too-deep", ""),
    "version": (edited(lambda d: d.update(version=VERSION + 1)), "thorgal-version", ""),
    "no version": (edited(lambda d: d.pop("version")), "thorgal-version", ""),
    "no steps": (edited(lambda d: d.update(steps=[])), "thorgal-file", "steps"),
    "an extra key": (edited(lambda d: d.update(cheat=1)), "thorgal-file", "cheat"),
    "no start": (edited(lambda d: d["steps"].pop(0)), "thorgal-file-step", "do"),
    "two starts": (edited(lambda d: d["steps"].append(d["steps"][0])), "thorgal-file-step", "do"),
    "unknown step": (edited(lambda d: d["steps"][1].update(do="dance")), "thorgal-file-step", "do"),
    "a step that is none": (edited(lambda d: d["steps"].append(7)), "thorgal-file-step", "do"),
    "extra in a step": (edited(lambda d: d["steps"][1].update(gold=9)), "thorgal-file-step", "gold"),
    "missing in a step": (edited(lambda d: d["steps"][1].pop("card")), "thorgal-file-step", "card"),
    "text for a number": (edited(lambda d: d["steps"][1].update(card="3")), "thorgal-file-step", "card"),
    "true for a number": (edited(lambda d: d["steps"][2].update(by=True)), "thorgal-file-step", "by"),
    "no such seat": (edited(lambda d: d["steps"][2].update(seat=3)), "thorgal-file-step", "seat"),
    "one player": (edited(lambda d: d["steps"][0].update(names=["Anna"])), "thorgal-file-step", "names"),
    "first is nobody": (edited(lambda d: d["steps"][0].update(first=3)), "thorgal-file-step", "first"),
    "a control character": (edited(lambda d: d["steps"][3].update(tile="\x1b[2J")), "thorgal-file-step", "tile"),
    "out of turn": (edited(lambda d: d["steps"][1].update(seat=2)), "thorgal-file-rule", ""),
    "too much given back": (edited(lambda d: d["steps"][2].update(by=-1)), "thorgal-file-rule", ""),
}


@pytest.mark.parametrize(("text", "code", "key"), EDITED.values(), ids=EDITED.keys())
def test_a_file_edited_by_hand_is_refused(text: str, code: str, key: str, play: Play, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_steps(file)
    assert refused.value.code == code
    assert refused.value.params.get("key", "") == key
    for lang in LANGUAGES:
        answer = play("act", "4", lang=lang)
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert "game.json" in answer.err
    assert file.read_text("utf-8") == text
    assert play("start", "--players", "2").status == 2
    assert play("start", "--players", "2", "--replace").status == 0


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_steps(file, GOOD)
    steps, table = read_steps(file)
    assert steps == GOOD
    assert table == replay_steps(GOOD)
    assert isinstance(table, GameTable)
    assert {step["do"] for step in GOOD} <= set(FIELDS)


@pytest.mark.thorough
def test_whatever_the_commands_write_can_be_read(play: Play, tmp_path: Path) -> None:
    """Words at random, sensible and not: the file is refused by nobody afterwards."""
    rng = random.Random(14)
    words = ("1", "2", "anna", "bartek", "3", "0", "99", "100", "000000001999", "+2", "-1", "+99", "−3", "L3", "9",
             "²", "--out-of-turn", "--from", "Łucja\u0301", "x" * 300, "--length", "--cards", "1 2 3",
             "--first", "....", "AA", "green", "2 green", "green: I2", "fight", "alone+1", ".H", "wolf", "wood", "2/5",
             "--back")  # fmt: skip
    for _ in range(several(8, 80)):
        play("start", "--force", *rng.choice((("--players", rng.choice("01234")), ("--names", rng.choice(NAMED)))))
        for _ in range(12):
            do = rng.choice((*(set(FIELDS) - {"start"}), "undo"))
            play(do, *rng.choices(words, k=rng.randint(0, 4)))
            if (tmp_path / "game.json").exists():
                read_steps(tmp_path / "game.json")


NAMED = ("Anna, Bartek", "a" * 40 + ", b", "\u202eAnna, \x1b[2J", "Anna,Anna", "1, 2", "Ż\u0308, 🐉", "")


def test_a_file_that_cannot_be_written_is_one_sentence(cli: Any, tmp_path: Path) -> None:
    answer = cli("thorgal", "round", "start", "--players", "2", "--file", str(tmp_path / "no" / "where" / "x.json"))
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert not (tmp_path / "no").exists()
    with pytest.raises(NoAnswerError):
        read_steps(tmp_path / "nothing.json")


@pytest.mark.parametrize(
    ("typed", "seat"),
    [("anna", 0), ("ANNA", 0), ("1", 0), ("ann", 0), ("b", 1), ("bartk", 1), ("łucja", 3), ("lucja", 3), ("lucjs", 3),
     ("an", None), ("5", None), ("0", None), ("", None), ("zed", None), ("anita", 2)],
)  # fmt: skip
def test_players_are_found_by_what_is_quickest_to_type(typed: str, seat: int | None) -> None:
    from thunderref.thorgal.round import named_seat

    assert named_seat(["Anna", "Bartek", "Anita", "Łucja"], typed) == seat


@pytest.mark.parametrize(
    ("typed", "seat"),
    [("Łukasz", 0), ("łukasz", 0), ("ŁUKASZ", 0), ("Lukasz", 1), ("lukasz", 1), ("LUKASZ", 1),
     ("łuk", 0), ("luk", None), ("lükasz", None), ("lukaszz", None), ("Zażółć", 2), ("zazolc", 2), ("1", 0), ("2", 1),
     ("0000000002", None), ("0002", 1), ("100", None), ("łukasz 2", None), ("zazolc anna", None), ("zazolc 2", None),
     ("\u202eŁukasz", 0), ("-", None), ("🐉", None)],
)  # fmt: skip
def test_names_that_differ_in_diacritics_are_told_apart(typed: str, seat: int | None) -> None:
    from thunderref.thorgal.round import named_seat

    assert named_seat(["Łukasz", "Lukasz", "Zażółć"], typed) == seat


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("Anna, anna", "thorgal-same-name"), ("Ł\u00f3dź, Ło\u0301dź", "thorgal-same-name"),
        ("Anna,  Anna", "thorgal-same-name"), ("🐉, Anna", "thorgal-empty-name"), ("Anna, 2.", "thorgal-empty-name"),
        ("Anna, ²", "thorgal-empty-name"), ("--, Anna", "thorgal-empty-name"), ("-Anna, Anna", "thorgal-same-name"),
    ],
)  # fmt: skip
def test_names_that_no_command_could_take_are_refused(names: str, code: str) -> None:
    with pytest.raises(InputError) as refused:
        seats_of(None, names)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "names",
    [
        "Łukasz, Lukasz, Lukáš",
        "Anna, Anna Maria, Ann",
        "R2 4, R2, 4x",
        "-Jan, Jana",
        "x" * 40 + ", y",
        "Ё, Е",
        "ß, ss!",
    ],
)
def test_every_name_is_read_back(play: Play, names: str) -> None:
    """Who is at the table can be told by the name that was given, and by the name that is shown."""
    assert play("start", "--names", names).status == 0
    shown = [player["name"] for player in play("show", "--json").json["players"]]
    for seat, pair in enumerate(zip(shown, names.split(","), strict=True)):
        for name in pair:
            document = play("threat", name.strip(" -"), "+1", "--json").json
            assert [player["threat"] > 0 for player in document["players"]] == [n == seat for n in range(len(shown))]
            play("undo")


def test_a_seat_and_more_is_not_a_seat(play: Play, tmp_path: Path) -> None:
    begun(play)
    before = (tmp_path / "game.json").read_bytes()
    for words in (["act", "anna", "2", "4"], ["act", "anna", "bartek", "4"], ["wound", "anna", "2", "L3"]):
        assert play(*words, "--json").json["error"]["code"] == "thorgal-no-player", words
    assert (tmp_path / "game.json").read_bytes() == before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages(cli: Any, snapshot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    monkeypatch.chdir(tmp_path)
    file = ["--file", "game.json", "--lang", lang]

    def run(*words: str) -> str:
        answer = cli("thorgal", "round", *words, *file, env={"COLUMNS": "40"})
        assert answer.status == 0
        assert max(map(len, answer.out.splitlines())) <= 40
        return str(answer.out)

    pages = [run("start", "--players", "3", "--length", "2", "--cards", "1 3 4 6", "--adventure", "X")]
    pages += [run("act", "3"), run("act", "3"), run("act", "6"), run("threat", "2", "+6"), run("act", "1")]
    pages += [run("events"), run("upgrade", "3", "8"), run("wound", "3", "L4"), run("act", "6", "--from", "1")]
    pages += [run("undo"), run("lost", "2"), run("undo"), run("won")]
    snapshot(f"thorgal.round.{lang}", "\n".join(pages))
