"""``thunderref play``: people, random players, pipes, files, languages; never a traceback, never a lost game."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.systems import needs_posix
from support.terminal import let_it_listen, on_a_terminal, plain

if TYPE_CHECKING:
    from support.command import Run

FIRST = ("--first-game", "base", "--seed", "5")
TWO = ("play", "--players", "Ann, Bob", *FIRST)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_random_game_tells_what_happens_and_who_wins(cli: Run) -> None:
    answer = cli("play", "--players", "random, random", *FIRST)
    assert answer.status == 0
    assert "Bot 1, turn 1" in answer.out
    assert "[R5.12 R5.14]" in answer.out, "a battle with its sum and its rules"
    assert "The game is over after" in answer.out
    assert "Winner" in answer.out or "share" in answer.out
    assert answer.out == cli("play", "--players", "random, random", *FIRST).out


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_random_game_fits_into_forty_columns(cli: Run, lang: str) -> None:
    answer = cli("play", "--players", "random, random", *FIRST, "--lang", lang, env={"COLUMNS": "40"})
    assert answer.status == 0
    assert not [line for line in answer.out.splitlines() if len(line) > 40]
    assert "\x1b" not in answer.out


@pytest.mark.parametrize(
    ("lang", "orders"),
    [
        ("en", ("Buy ", "Use ", "Equip ", "Level up ", "Draw ", "Destroy ", "Discard ", "Gain ")),
        ("pl", ("Kup ", "Użyj ", "Przydziel ", "Zaatakuj", "Podnieś ", "Pociągnij ", "Usuń ", "Odrzuć ", "twoj")),
        ("ru", ("Купить", "Применить", "Дать", "Снарядить", "Атаковать", "Улучшить", "Взять", "Уничтожить", "вашей")),
    ],
)
def test_a_log_tells_what_was_done_and_gives_no_orders(cli: Run, lang: str, orders: tuple[str, ...]) -> None:
    told = []
    for seed in ("5", "6"):
        command = ("play", "--players", "random, random, random", "--set", "base", "--set", "wrath", "--seed", seed)
        lines = cli(*command, "--watch", "--lang", lang).out.splitlines()
        told += [line.strip() for line in lines if line.startswith("    ")]
    assert len(told) > 300
    for line in told:
        text = line.partition(". ")[0]  # what a card says of itself may be an order
        assert not [order for order in orders if text.startswith(order)], line


def test_json_is_one_document(cli: Run) -> None:
    document = cli("play", "--players", "random, random", *FIRST, "--json").json
    assert document["over"]
    assert document["position"]["phase"] == "over"
    assert [player["name"] for player in document["score"]["players"]] == ["Bot 1", "Bot 2"]
    assert document["steps"][0] in ({"turn": "village"}, {"turn": "dungeon"}, {"turn": "rest"})
    stopped = cli(*TWO, "--json", stdin=typed("1", "nonsense", "q"))
    assert not stopped.json["over"]
    assert stopped.json["score"] is None
    assert [*stopped.json["steps"][0]] == ["turn"]
    assert "nonsense" in stopped.err


def test_choices_are_numbered_and_wrong_ones_asked_again(cli: Run) -> None:
    answer = cli(*TWO, stdin=typed("0", "-1", "4", "1e9", "9" * 50, "²", "", "dance", "1", "q"))
    assert answer.status == 0
    assert answer.out.count("is not a choice: type a number from 1 to 3") == 7
    assert answer.out.count("Type a number from 1 to 3") == 1, "an empty line"
    assert "1) visit the village" in answer.out
    assert "Together" in answer.out
    assert "Stopped after step 2." in answer.out
    assert not answer.err


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_what_people_do_is_told_with_its_rules(cli: Run, lang: str) -> None:
    answer = cli(*TWO, "--lang", lang, stdin=typed("2", "2", "q"))
    for rules in ("R5.1", "R5.7", "R5.11 R5.12", "R5.12 R5.14", "R6.1", "R6.6", "R2.1"):
        assert f"[{rules}]" in answer.out


def test_the_end_of_the_input_is_a_stop(cli: Run) -> None:
    answer = cli(*TWO, stdin="")
    assert answer.status == 0
    assert "The game was not saved" in answer.out


def test_who_watches_sees_each_turn_begin_once(cli: Run) -> None:
    answer = cli("play", "--players", "Ann, random", *FIRST, "--watch", stdin=typed("3", "1", "3", "1", "q"))
    assert [line for line in answer.out.splitlines() if ", turn " in line] == [
        "Ann, turn 1", "Bot 1, turn 2", "Ann, turn 3", "Bot 1, turn 4", "Ann, turn 5",
    ]  # fmt: skip


def test_others_hands_stay_hidden(cli: Run) -> None:
    answer = cli(*TWO, stdin=typed("q"))
    assert answer.out.count("Hand:") == 1
    assert "Bob: hand 6, deck 6, discard pile 0, XP 0" in answer.out


def test_a_choice_is_taken_back(cli: Run) -> None:
    answer = cli(*TWO, stdin=typed("u", "2", "u", "1", "u", "3", "q"))
    assert "There is no choice to take back." in answer.out
    assert answer.out.count("Taken back: step 1.") == 2
    assert "destroy" in answer.out.split("Taken back")[-1], "the rest was chosen after all"


@pytest.mark.parametrize(
    ("lang", "back", "out"), [("pl", "cofnij", "koniec"), ("ru", "отмена", "выход"), ("ru", "u", "q")]
)
def test_commands_are_in_the_language_and_in_english(cli: Run, lang: str, back: str, out: str) -> None:
    answer = cli(*TWO, "--lang", lang, stdin=typed("1", back, out))
    assert answer.status == 0
    assert not answer.err
    assert answer.out.count(" 3) ") == 3, "the three ways of a turn, the stacks, and the three ways again"


def test_commands_show_the_village_and_cards(cli: Run) -> None:
    answer = cli(*TWO, stdin=typed("v", "i elf wiz", "i zxqwv", "?", "t", "s", "q"))
    assert "Elf Wizard × 6, cost" in answer.out
    assert "Elf Sorcerer × 4, below" in answer.out
    assert "take back your last choice" in answer.out
    assert "Name a file" in answer.out
    assert answer.status == 0


def test_a_game_is_kept_and_taken_up(cli: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    first = cli(*TWO, "--save", file, stdin=typed("1", "1", "1", "q"))
    assert f"Saved: {file}." in first.out
    steps = json.loads(Path(file).read_text("utf-8"))["steps"]
    assert steps[0] == {"turn": "village"}
    again = cli("play", "--resume", file, stdin=typed("3", "1", "q"))
    assert "Bob, turn 2" in again.out
    more = json.loads(Path(file).read_text("utf-8"))["steps"]
    assert more[: len(steps)] == steps
    assert len(more) > len(steps)
    shown = cli("play", "--resume", file, "--turn", "1")
    assert "1. Ann: visit the village" in shown.out
    table, _, steps_told = shown.out.partition("1. Ann")
    assert "Rank 1: Pegasus, Health 6" in table
    assert "Hand: Torch, Militia × 4, Iron Rations" in table, "as it was when the turn began"
    assert "Buy: Militia" in steps_told
    assert "[R3.2 R3.3]" in shown.out
    document = cli("play", "--resume", file, "--turn", "1", "--json").json
    assert document["player"] == "Ann"
    assert document["steps"][0]["plan"] == {"turn": "village"}
    assert len(document["position"]["players"][0]["hand"]) == 6
    current = cli("play", "--resume", file, "--turn", "2")
    assert current.out.startswith("Bob, turn 2"), "a turn in which nothing was done yet is shown as well"
    assert cli("play", "--resume", file, "--turn", "2", "--json").json["player"] == "Bob"
    back = cli("play", "--resume", file, "--to", "1", stdin=typed("q"))
    assert "1. Ann: visit the village" in back.out
    assert json.loads(Path(file).read_text("utf-8"))["steps"] == more, "looking back changes nothing"


def test_a_finished_game_can_be_looked_at(cli: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    played = cli("play", "--players", "random, random", *FIRST, "--save", file)
    again = cli("play", "--resume", file)
    assert again.status == 0
    assert played.out.split("The game is over")[1] == again.out.split("The game is over")[1]


def test_a_file_is_not_written_anew_where_nothing_has_happened(cli: Run, tmp_path: Path) -> None:
    """Who only looks leaves it byte by byte as it was, whatever version wrote it; whoever plays on does not."""
    file = tmp_path / "game.json"
    cli(*TWO, "--save", str(file), stdin=typed("1", "q"))
    document = json.loads(file.read_text("utf-8"))
    document["program"] = "0.0.1"
    file.write_text(json.dumps(document), "utf-8")
    before = file.read_bytes()
    for words in (("q",), ("t", "q"), ("s", "q")):
        assert "Saved" in cli("play", "--resume", str(file), stdin=typed(*words)).out
        assert file.read_bytes() == before
    if os.name == "posix":  # Windows takes it for a wish
        file.chmod(0o444)
    cli("play", "--resume", str(file), stdin=typed("5", "q"))
    assert json.loads(file.read_text("utf-8"))["steps"] != document["steps"]
    file.unlink()
    cli(*TWO, "--save", str(file), stdin=typed("q"))
    assert file.is_file(), "a game that has just begun is kept too"


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Ann: end the turn (there is no other choice)"),
        ("pl", "Ann: koniec tury (innego wyboru nie ma)"),
        ("ru", "Ann: конец хода (другого выбора нет)"),
    ],
)
def test_the_only_choice_is_carried_out_told_and_taken_back_with_the_one_before(cli: Run, lang: str, told: str) -> None:
    answer = cli(*TWO, "--lang", lang, stdin=typed("1", "5", "u", "q"))
    assert answer.out.count(told) == 1, "after the purchase there is nothing left but to end the turn"
    back = answer.out.split(told)[1].split("Bob >")[1]
    assert "(3)" in back, "the purchase is to be chosen again"
    assert "Ann > " in back


def test_a_turn_is_shown_and_nothing_else_done(cli: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    cli(*TWO, "--save", file, stdin=typed("1", "q"))
    for more in (("--to", "0"), ("--save", file), ("--watch",), ("--to", "1", "--watch")):
        error = cli("play", "--resume", file, "--turn", "1", *more, "--json").json["error"]
        assert error["code"] == "play-turn-options"
        assert f"leave out {', '.join(word for word in more if word.startswith('--'))}, or --turn" in error["message"]


@pytest.mark.parametrize(
    ("lang", "what", "rules"),
    [
        ("en", "Facing the Darkness Alone (warrior) · 1 player · Thunderstone", "Rules: those of the online site"),
        (
            "pl",
            "Samotnie stawiając czoła Ciemności (Wojownik) · 1 gracz · Kamień Gromu",
            "Zasady: takie jak w serwisie",
        ),
        ("ru", "Один на один с тьмой (воин) · 1 игрок · Громовой камень", "Правила: как на сайте"),
    ],
)
def test_what_is_played_is_said_first(cli: Run, tmp_path: Path, lang: str, what: str, rules: str) -> None:
    file = str(tmp_path / "game.json")
    solo = ("play", "--variant", "solo", "--level", "fighter", "--seed", "4", "--lang", lang)
    told = cli(*solo, "--ruleset", "yucata", "--save", file, stdin=typed("q")).out
    assert told.startswith(f"{what}\n")
    assert rules in told
    again = cli("play", "--resume", file, "--lang", lang, stdin=typed("q")).out
    assert again.startswith(f"{what}\n"), "in the language of whoever takes it up"
    assert rules in again
    assert rules not in cli(*solo, stdin=typed("q")).out, "the printed rules go without saying"


def test_a_full_house_of_players(cli: Run) -> None:
    answer = cli("play", "--players", "Ann, random, random, random, random", "--seed", "3", stdin=typed("3", "1", "q"))
    assert "Bot 4: " in answer.out
    solo = cli("play", "--variant", "solo", "--level", "fighter", "--seed", "4", stdin=typed("q"))
    assert "Rank 1: empty" in solo.out
    assert "Player 1 > " in solo.out


def test_alone_one_wins_against_the_monsters_or_not_at_all(cli: Run) -> None:
    """R9.5: there is nobody else to beat, so a lost game names no winner."""
    words = ("play", "--players", "random", "--variant", "solo", "--seed", "3")
    document = cli(*words, "--json").json
    assert document["solo"]["won"] is False
    assert document["score"]["winners"] == []
    shown = cli(*words, "--watch").out
    assert "Winner" not in shown
    assert "the village is lost" in shown


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("--players", "Ann, , Bob"), 2, "play-no-name"),
        (("--players", "Ann, ann"), 2, "play-name-twice"),
        (("--players", "a,b,c,d,e,f"), 2, "play-players"),
        (("--players", "7"), 2, "play-players"),
        (("--players", "0"), 2, "play-players"),
        (("--players", "x" * 41 + ", Bob"), 2, "play-bad-name"),
        (("--players", "Ann"), 1, "setup-players"),
        (("--players", "Ann, Bob", "--code", "377SEP24U9LZG2GXAZD"), 2, "play-number"),
        (("--code", "nonsense"), 1, "bad-code"),
        (("--code", "377SEP24U9LZG2GXAZD", "--theme", "holy-war"), 1, "play-code-options"),
        (("--code", "377SEP24U9LZG2GXAZD", "--first-game", "base"), 1, "play-code-options"),
        (("--seed", "-1"), 2, "setup-bad-seed"),
        (("--ruleset", "house"), 2, "not-one-of"),
        (("--to", "3"), 2, "play-needs-resume"),
        (("--turn", "3"), 2, "play-needs-resume"),
        (("--resume", "nowhere.json"), 2, "no-file"),
        (("--resume", "nowhere.json", "--seed", "3", "--set", "base"), 2, "play-resume-options"),
        (("--save", "nowhere/game.json"), 2, "no-folder"),
        (("--save", os.devnull), 2, "no-place"),
        (("--save", "."), 2, "no-place"),
        (("--save", ""), 2, "missing-value"),
        (("--resume", " "), 2, "missing-value"),
    ],
)
@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_bad_options_get_one_sentence(cli: Run, words: tuple[str, ...], status: int, code: str, lang: str) -> None:
    answer = cli("play", *words, "--lang", lang, "--json", stdin="")
    assert (answer.status, answer.json["error"]["code"]) == (status, code)
    assert cli("play", *words, "--lang", lang, stdin="").err.count("\n") == 1


def test_a_file_that_is_there_is_not_overwritten(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("precious", "utf-8")
    assert cli(*TWO, "--save", str(file), stdin=typed("q")).status == 2
    assert "already exists" in cli(*TWO, stdin=typed(f"s {file}", "q")).out
    assert cli("play", "--resume", str(file), stdin=typed("q")).status == 2
    assert file.read_text("utf-8") == "precious"


def test_a_changed_file_is_refused_with_its_name_the_step_and_the_rule(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    cli("play", "--players", "random, random", *FIRST, "--save", str(file))
    document = json.loads(file.read_text("utf-8"))
    at = next(n for n, step in enumerate(document["steps"]) if "attack" in step)
    document["steps"][at]["attack"] = 0
    file.write_text(json.dumps(document), "utf-8")
    before = file.read_bytes()
    answer = cli("play", "--resume", str(file))
    assert answer.status == 1
    assert f"{Path(file).name}: Step {at + 1}: " in answer.err
    assert "(R5.1)" in answer.err
    error = cli("play", "--resume", str(file), "--json").json["error"]
    assert (error["step"], error["rule"]) == (at + 1, "R5.1")
    file.write_bytes(before[:-100])
    answer = cli("play", "--resume", str(file))
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert file.read_bytes() == before[:-100]


def test_steps_and_turns_that_are_not_there(cli: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    cli(*TWO, "--save", file, stdin=typed("1", "q"))
    assert cli("play", "--resume", file, "--to", "99", "--json").json["error"]["code"] == "play-too-far"
    assert cli("play", "--resume", file, "--turn", "0", "--json").json["error"]["code"] == "play-no-turn"


@needs_posix
def test_interrupted_the_game_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    command = [sys.executable, "-m", "thunderref", *TWO, "--save", str(file)]
    heeding = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell has what it runs behind ignore it
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        preexec_fn=heeding,
    ) as run:  # fmt: skip
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write("1\n")
        run.stdin.flush()
        while "end the turn" not in run.stdout.readline():
            pass
        let_it_listen(run.pid)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert json.loads(file.read_text("utf-8"))["steps"][0] == {"turn": "village"}


def test_on_a_narrow_terminal_without_colour(tmp_path: Path) -> None:
    command = ["thunderref", "play", "--players", "Ann, Bob", *FIRST, "--lang", "pl"]
    status, shown = on_a_terminal(40, command, folder=tmp_path, NO_COLOR="1")
    assert status == 0
    assert "\x1b" not in shown
    assert max(len(line) for line in plain(shown).splitlines()) <= 40


@pytest.mark.parametrize(("lang", "back", "out"), [("en", "u", "q"), ("pl", "cofnij", "koniec"), ("ru", "отмена", "q")])
def test_before_the_screen_is_passed_on_a_choice_can_be_taken_back(
    tmp_path: Path, lang: str, back: str, out: str
) -> None:
    command = ["thunderref", *TWO, "--lang", lang]
    status, shown = on_a_terminal(40, command, folder=tmp_path, typed=typed("1", "5", back, "5", "", back, "", out, ""))
    assert status == 0
    assert "Traceback" not in shown
    hands = [name for line in shown.splitlines() for name in ("Ann >", "Bob >") if line.startswith(name)]
    assert hands == ["Ann >", "Ann >", "Ann >", "Bob >", "Ann >"], "Ann again; Bob; Ann, who was passed it back"
