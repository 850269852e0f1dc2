"""A game in which nothing changes any more: noticed, offered to people, taken by random players, told as what it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.random_games import STORE
from support.terminal import on_a_terminal
from thunderref.thunderstone.rules.choices import kind_of
from thunderref.thunderstone.table.ending import ASKED, PATIENCE, at_a_standstill
from thunderref.thunderstone.table.record import GameRecord, SavedPlayer, begin_game, text_of

if TYPE_CHECKING:
    from support.command import Run

PLAYERS = 2
OFF = {"en": "the game is called off", "pl": "Gra przerwana po", "ru": "Партия прервана"}
OFFERED = {"en": "Nothing has changed for 5 rounds", "pl": "Od 5 rund nic", "ru": "Уже 5 кругов"}


def start(*, drawn: bool = False) -> GameRecord:
    return begin_game(
        STORE, [SavedPlayer(name=name, random=drawn) for name in ("Ann", "Bob")], seed=5, first_game="base"
    )


def idle(record: GameRecord, turns: int) -> GameRecord:
    """So many turns in the village without buying anything."""
    for _ in range(turns):
        for kind in ("village", "count", "end"):
            take(record, kind)
    return record


def take(record: GameRecord, kind: str, key: str | None = None) -> None:
    """The first action of this kind, and of this choice if it is one, and the shuffles that follow."""
    record.take(
        next(
            action
            for action in record.options()
            if kind_of(action) == kind and key in (None, getattr(action, "key", ""))
        )
    )
    for _ in record.settle():
        pass


def test_nothing_has_changed_until_a_card_changes_its_place() -> None:
    record = start()
    assert record.still == 0
    idle(record, 3)
    assert record.still == 3
    take(record, "rest")
    take(record, "choose", "decline")
    assert record.still == 4, "who rests and keeps his cards changes nothing"
    take(record, "rest")
    take(record, "choose", "destroy")
    assert record.still == 0
    idle(record, 2)
    assert record.still == 2
    for kind in ("village", "count", "buy", "end"):
        take(record, kind)
    assert record.still == 0
    idle(record, 1)
    turn = record.turn
    take(record, "dungeon")
    while record.turn == turn:
        take(record, kind_of(record.options()[-1]))
    assert record.still == 0, "the attacked monster has left the hall"


def test_what_is_taken_back_has_not_been_still() -> None:
    record = idle(start(), 4)
    record.back_to(next(n for n, move in enumerate(record.moves) if move.before.table.turn == 4) + 1)
    assert record.still == 3
    for kind in ("count", "end"):
        take(record, kind)
    assert record.still == 4


@pytest.mark.parametrize("rounds", [ASKED, PATIENCE])
def test_a_standstill_takes_whole_rounds_and_the_beginning_of_a_turn(rounds: int) -> None:
    record = idle(start(), rounds * PLAYERS - 1)
    assert not at_a_standstill(record, rounds)
    idle(record, 1)
    assert at_a_standstill(record, rounds)
    take(record, "village")
    assert not at_a_standstill(record, rounds)


@pytest.fixture
def still(tmp_path: Path) -> str:
    """A saved game of two people in which nothing has changed for five rounds."""
    file = tmp_path / "still.json"
    file.write_text(text_of(idle(start(), ASKED * PLAYERS).saved("test")), "utf-8")
    return str(file)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_people_call_it_off_and_count(cli: Run, still: str, lang: str) -> None:
    answer = cli("play", "--resume", still, "--lang", lang, stdin="x\n1\n")
    assert answer.status == 0
    assert OFFERED[lang] in answer.out
    assert OFF[lang] in answer.out
    assert "R7.3" in answer.out, "the score is counted"
    narrow = cli("play", "--resume", still, "--lang", lang, stdin="1\n", env={"COLUMNS": "40"})
    assert not [line for line in narrow.out.splitlines() if len(line) > 40 and still not in line]


def test_people_may_play_on_and_are_asked_again_rounds_later(cli: Run, still: str) -> None:
    record, lines = idle(start(), ASKED * PLAYERS), ["2"]
    for _ in range(ASKED * PLAYERS):
        lines.append("1")
        take(record, "village")
        take(record, "count")
        if len(record.options()) > 1:  # otherwise nobody is asked
            lines.append(str(len(record.options())))
        take(record, "end")
    answer = cli("play", "--resume", still, stdin="".join(f"{line}\n" for line in [*lines, "q"]))
    assert "Nothing has changed for 5 rounds" in answer.out
    assert "Nothing has changed for 10 rounds" in answer.out
    assert answer.out.count("Nothing has changed") == 2
    assert "Stopped after" in answer.out


def test_the_answer_is_kept_with_the_game(cli: Run, still: str) -> None:
    """Who plays on is not asked again when the game is taken up; whoever takes his turns back is."""
    assert "played_on" not in Path(still).read_text("utf-8"), "nobody has answered yet"
    first = cli("play", "--resume", still, stdin="2\nq\n")
    assert first.out.count("Nothing has changed") == 1
    assert json.loads(Path(still).read_text("utf-8"))["played_on"] == ASKED * PLAYERS + 1
    assert "Nothing has changed" not in cli("play", "--resume", still, stdin="q\n").out
    record = idle(start(), ASKED * PLAYERS)
    record.undo()
    end = len(record.options())
    taken_back = cli("play", "--resume", still, stdin=f"u\n{end}\nq\n").out
    assert taken_back.count("Nothing has changed") == 1


def test_an_answer_given_in_a_turn_that_was_never_played_is_refused(cli: Run, still: str) -> None:
    cli("play", "--resume", still, stdin="2\nq\n")
    kept = Path(still).read_text("utf-8")
    for wrong, code in ((ASKED * PLAYERS + 2, "bad-value"), (-1, "bad-value"), ('"two"', "bad-value")):
        changed = kept.replace(f'"played_on": {ASKED * PLAYERS + 1}', f'"played_on": {wrong}')
        assert changed != kept
        Path(still).write_text(changed, "utf-8")
        answer = cli("play", "--resume", still, "--json", stdin="q\n")
        assert (answer.status, answer.json["error"]["code"]) == (2, code)
        assert "played_on" in answer.json["error"]["message"]
        assert Path(still).read_text("utf-8") == changed


@pytest.mark.parametrize(("answer", "kept"), [("mine.json", True), ("", False)])
def test_a_finished_game_that_is_in_no_file_may_still_be_kept(
    still: str, tmp_path: Path, answer: str, kept: bool
) -> None:
    record = idle(start(), ASKED * PLAYERS)
    last = len(record.moves)
    record.back_to(last - 1)
    typed = f"{len(record.options())}\n1\n{answer}\n"
    command = ["thunderref", "play", "--resume", still, "--to", str(last - 1)]
    status, shown = on_a_terminal(100, command, folder=tmp_path, typed=typed)
    assert status == 0
    score, _, asked = shown.partition("File to save the game in")
    assert "R7.3" in score, "the score comes first"
    assert ("Saved: mine.json." in asked) is kept
    assert (tmp_path / "mine.json").is_file() is kept


def test_at_that_question_commands_work_as_everywhere(cli: Run, still: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    answer = cli("play", "--resume", still, stdin=f"?\nt\nv\ni sphinx\ns {copy}\n2\nq\n").out
    _, _, rest = answer.partition("Nothing has changed for 5 rounds")
    assert "is not a choice" not in rest
    for told in ("take back your last choice", "Rank 1: ", "Militia × ", "Health: 8", f"Saved: {copy}."):
        assert told in rest
    assert rest.count("1) visit the village") == 1, "only once the question is answered"
    assert copy.is_file()


def test_at_that_question_a_choice_can_be_taken_back(cli: Run, still: str) -> None:
    record = idle(start(), ASKED * PLAYERS)
    record.undo()
    answer = cli("play", "--resume", still, stdin=f"u\n{len(record.options())}\nq\n").out
    assert answer.count("Nothing has changed") == 2
    assert answer.count("Taken back: step ") == 1
    assert "Bob > " in answer, "he ends his turn anew"


def test_who_stops_there_is_not_asked_for_his_turn(cli: Run, still: str) -> None:
    assert cli("play", "--resume", still, stdin="q\n").out.count("1) ") == 1, "who stops is not asked for his turn"


def test_a_game_called_off_is_no_game_that_is_over(cli: Run, still: str) -> None:
    document = cli("play", "--resume", still, "--json", stdin="1\n").json
    assert (document["over"], document["called_off"]) == (False, "standstill")
    assert [player["name"] for player in document["score"]["players"]] == ["Ann", "Bob"]
    played_on = cli("play", "--resume", still, "--json", stdin="2\nq\n").json
    assert (played_on["over"], played_on["called_off"], played_on["score"]) == (False, None, None)


def test_random_players_stop(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "random.json"
    file.write_text(text_of(idle(start(drawn=True), PATIENCE * PLAYERS).saved("test")), "utf-8")
    document = cli("play", "--resume", str(file), "--json").json
    assert document["called_off"] == "standstill"
    assert document["turns"] == PATIENCE * PLAYERS + 1
    assert json.loads(file.read_text("utf-8"))["steps"] == document["steps"]
