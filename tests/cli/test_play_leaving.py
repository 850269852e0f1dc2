"""Leaving a game at a terminal: it is not lost without a question, and what is typed wrong is told."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.terminal import on_a_terminal

if TYPE_CHECKING:
    from support.command import Run

TWO = ("play", "--players", "Ann, Bob", "--first-game", "base", "--seed", "5")
BEGUN = "1\n5\n"
"""Ann visits the village and buys; her turn is over."""
ASKED = {
    "en": "File to save the game in (Enter: leave without saving): ",
    "pl": "Plik, w którym zapisać grę (Enter: wyjść bez zapisywania): ",
    "ru": "Файл для записи партии (Enter — выйти без записи): ",
}
LOST = {"en": "The game was not saved", "pl": "Gra nie została zapisana", "ru": "Партия не записана"}


def at(folder: Path, *typed: str, words: tuple[str, ...] = TWO, columns: int = 100, **more: str) -> str:
    """What the screen shows when this is typed; every ending but Ctrl-C has status 0."""
    env = {"HOME": str(folder), **more}
    status, shown = on_a_terminal(columns, ["thunderref", *words], folder=folder, typed="".join(typed), **env)
    assert "Traceback" not in shown
    assert status == (130 if "interrupt_after" in more else 0), shown[-400:]
    return shown


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_who_leaves_is_asked_for_a_file(tmp_path: Path, lang: str) -> None:
    shown = at(tmp_path, BEGUN, "\nq\n", "my game.json\n", words=(*TWO, "--lang", lang))
    assert shown.count(ASKED[lang]) == 1
    assert LOST[lang] not in shown
    assert json.loads((tmp_path / "my game.json").read_text("utf-8"))["steps"][0] == {"turn": "village"}


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("answer", ["\n", "q\n", "\x04"])
def test_who_gives_none_leaves_without_saving(tmp_path: Path, lang: str, answer: str) -> None:
    shown = at(tmp_path, BEGUN, "\nq\n", answer, words=(*TWO, "--lang", lang), columns=40)
    assert shown.count(LOST[lang]) == 1
    assert not [*tmp_path.iterdir()]
    question = textwrap.fill(ASKED[lang], 40, subsequent_indent="  ", break_on_hyphens=False)
    assert shown.count(question) == 1, "broken where the terminal ends"


def test_the_home_folder_is_known_and_a_name_that_cannot_be_written_is_asked_for_again(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("old", "utf-8")
    wrong = ["precious", "nowhere/game.json", ".", "x" * 300, "a\x1b[Ab"]
    shown = at(tmp_path, BEGUN, "\nq\n", "".join(f"{name}\n" for name in wrong), "s ~/game.json\n", columns=400)
    assert shown.count(ASKED["en"]) == len(wrong) + 1
    for told in (
        "precious already exists",
        "folder of nowhere",
        ". is not a regular",
        "File name too long",
        "cannot be shown",
    ):
        assert shown.count(told) == 1, told
    assert f"Saved: {tmp_path}/game.json." in shown
    assert (tmp_path / "precious").read_text("utf-8") == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "precious"]


def test_nobody_is_asked_who_has_nothing_to_lose(tmp_path: Path, cli: Run) -> None:
    assert ASKED["en"] not in at(tmp_path, "q\n"), "nothing was done yet"
    shown = at(tmp_path, BEGUN, "\ns game.json\nq\n")
    assert ASKED["en"] not in shown
    assert shown.count("Saved: game.json.") == 2, "on the word, and on the way out"
    file = str(tmp_path / "game.json")
    looked = at(tmp_path, "q\n", words=("play", "--resume", file, "--to", "1"))
    assert ASKED["en"] not in looked
    assert LOST["en"] not in looked, "it is still in its file"
    again = at(tmp_path, "5\n\nq\n\n", words=("play", "--resume", file, "--to", "1"))
    assert ASKED["en"] in again, "another line of play was begun"
    assert "not saved" in cli(*TWO, stdin="1\nq\n").out, "in a pipe nobody can be asked"


def no_room_beside(folder: Path) -> str:
    """The name of a file that may be there, in a folder so deep that no longer name fits beside it."""
    deep = folder.resolve()
    while len(str(deep)) < 4080:
        deep = deep / ("d" * min(200, 4079 - len(str(deep))))
        deep.mkdir()
    return str(deep / "game.json")


def test_a_file_that_can_no_longer_be_written_is_told_and_another_asked_for(tmp_path: Path) -> None:
    words = (*TWO, "--save", no_room_beside(tmp_path))
    shown = at(tmp_path, BEGUN, "\nq\n", "game.json\n", words=words, columns=200)
    assert shown.count("cannot be written (File name too long)") == 2, "once in mid-game, once on the way out"
    assert shown.count(ASKED["en"]) == 1
    assert (tmp_path / "game.json").is_file()


def test_in_a_pipe_a_file_that_can_no_longer_be_written_ends_with_one_sentence(cli: Run, tmp_path: Path) -> None:
    file = no_room_beside(tmp_path)
    answer = cli(*TWO, "--save", file, stdin="1\n5\n1\nq\n")
    assert (answer.status, answer.err.count("\n")) == (2, 1)
    assert "Bob, turn 2" in answer.out, "the game went on"
    over = cli("play", "--players", "random, random", *TWO[3:], "--save", file, stdin="")
    assert over.status == 2
    assert "The game is over after" in over.out, "the score is told"


def test_the_end_of_input_ends_its_line(tmp_path: Path) -> None:
    shown = at(tmp_path, BEGUN, "\n\x04", "\x04")
    assert "Bob > \n" in shown
    assert f"{ASKED['en']}\n" in shown


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize(("more", "after"), [("", "Bob > "), ("q\n", ASKED["en"][:12])])
def test_who_interrupts_is_told_how_a_game_is_kept(tmp_path: Path, lang: str, more: str, after: str) -> None:
    after = after if not more else ASKED[lang][:10]
    shown = at(tmp_path, BEGUN, "\n", more, words=(*TWO, "--lang", lang), interrupt_after=after)
    assert shown.count(LOST[lang]) == 1
    assert "--save" in shown.splitlines()[-1]
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_what_cannot_be_shown_is_shown_as_a_terminal_echoes_it(cli: Run, lang: str) -> None:
    typed = ["\x1b[A", "a\x07\x1b[31mb", "i \x1b[2Jelf", "\u202eevil", "s \x1b]0;x\x07", "q"]
    answer = cli(*TWO, "--lang", lang, stdin="".join(f"{line}\n" for line in typed))
    assert not [letter for letter in answer.out if not letter.isprintable() and letter != "\n"]
    for told in ("^[[A", "a^G^[[31mb", "^[[2Jelf", "\N{REPLACEMENT CHARACTER}evil"):
        assert answer.out.count(told) == 2, (told, "as it was typed, and in the answer to it")
    assert answer.status == 0
    assert not [name for name in os.listdir() if "\x1b" in name]
