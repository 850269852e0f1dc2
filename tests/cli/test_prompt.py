"""``thunderref`` alone at a terminal: a prompt that stays open, in a real pseudo-terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.terminal import on_a_terminal, plain

if TYPE_CHECKING:
    from support.command import Run

READY = "\x1b[?2004h"
"""What the terminal is sent when a line may be typed."""


def typed(tmp_path: Path, *lines: str, columns: int = 80, words: tuple[str, ...] = (), **env: str) -> str:
    """What the screen shows when these lines are typed, one after the other, and then Ctrl-D."""
    replies = [*((READY, f"{line}\r") for line in lines), (READY, "\x04")]
    told = {"PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path), **env}
    status, shown = on_a_terminal(columns, ["thunderref", *words], replies=replies, **told)
    assert status == 0, shown
    assert "Traceback" not in shown
    return plain(shown)


def test_it_answers_line_after_line(tmp_path: Path) -> None:
    shown = typed(tmp_path, "fireball", "2 militia dagger torch vs goblin", "when does the game end")
    assert "Magic Attack" in shown
    assert "Griknack Goblin" in shown
    assert "The game ends" in shown


def test_numbers_choose_what_is_unclear(tmp_path: Path) -> None:
    shown = typed(tmp_path, "sword, militia vs griffon", "2")
    assert "  1  Flaming Sword" in shown
    assert "  2  Short Sword" in shown
    assert "Griffon, rank 1" in shown.partition("  2  Short Sword")[2]


def test_numbers_choose_the_question_that_was_meant(tmp_path: Path) -> None:
    shown = typed(tmp_path, "torch on the table", "2")
    offered = shown.partition("  2: ")[2].partition(" – ")[0]
    assert "Did you mean" in shown
    assert f"Answer to: {offered}" in " ".join(shown.split())


def test_more_undo_and_another_language(tmp_path: Path) -> None:
    shown = typed(tmp_path, "militia, torch vs nixie", "more", "lang pl", "fireball", "undo")
    assert "Light penalty: Light 1 covers rank 1" in shown
    assert "Rusałka" in shown
    assert "Ognista kula" in shown
    assert "Rusałka" in shown.partition("Ognista kula")[2]


def test_commands_work_as_ever_and_a_slip_is_one_sentence(tmp_path: Path) -> None:
    shown = typed(tmp_path, 'resolve "2 militia" --hall nixie', "resolv --hall nixie", 'card "fireball', "help", "exit")
    assert "Nixie, rank 1" in shown
    assert "perhaps you mean: resolve" in " ".join(shown.split())
    assert "Ctrl-D closes" in shown


def test_lines_are_remembered_between_runs(tmp_path: Path) -> None:
    typed(tmp_path, "fireball")
    shown = typed(tmp_path, "\x1b[A")  # the arrow up
    assert "Magic Attack" in shown


def test_ctrl_c_empties_the_line_and_does_not_close(tmp_path: Path) -> None:
    replies = [(READY, "sphi\x03"), (READY, "fireball\r"), (READY, "\x04")]
    env = {"PROMPT_TOOLKIT_NO_CPR": "1", "XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    status, shown = on_a_terminal(80, ["thunderref"], replies=replies, **env)
    assert status == 0
    assert "Magic Attack" in plain(shown)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_it_fits_forty_columns_and_needs_no_colour(tmp_path: Path, lang: str) -> None:
    line = {"en": "2 militia vs nixie", "pl": "2 ochotnik na rusałka", "ru": "2 ополченец против никса"}[lang]
    shown = typed(tmp_path, line, "help", columns=40, words=("--lang", lang), NO_COLOR="1")
    assert max(len(row.rstrip()) for row in shown.splitlines()) <= 40


def test_elsewhere_thunderref_alone_is_the_help_page(cli: Run) -> None:
    assert cli().out == cli("--help").out
