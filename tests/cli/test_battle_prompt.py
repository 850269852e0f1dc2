"""``resolve`` alone at a terminal asks for the battle; elsewhere it says what is missing."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from support.terminal import on_a_terminal, plain
from thunderref.cli.prompt import NameCompleter
from thunderref.database.read import open_database
from thunderref.search.query import card_names

if TYPE_CHECKING:
    from support.command import Run

HAND = {"en": "Cards in your hand:", "pl": "Karty na ręce:", "ru": "Карты на руке:"}
HALL = {"en": "Hall, rank 1 first:", "pl": "Hala, od szeregu 1:", "ru": "Коридор, начиная с ряда 1:"}


def asked(*replies: tuple[str, str], words: tuple[str, ...] = (), columns: int = 100) -> tuple[int, str]:
    """Exit status and what the screen shows when each of these is typed after its text has come."""
    command, env = ["thunderref", "resolve", *words], {"PROMPT_TOOLKIT_NO_CPR": "1"}
    status, shown = on_a_terminal(columns, command, replies=replies or [("\0", "")], **env)
    assert "Traceback" not in shown
    return status, plain(shown)


@pytest.mark.parametrize(
    ("lang", "hand", "understood", "hall", "ranks"),
    [
        ("en", "2 milit, elf wiz", "2× Militia, Elf Wizard", "blink, -, suff", "rank 1 Blink Dog, rank 3 Suffering"),
        ("pl", "2 ochotnik, elf czarodz", "2× Ochotnik, Elf Czarodziej", "migopies", "szereg 1 – Migopies"),
        ("ru", "2 ополченец, факел", "2× Ополченец, Факел", "мерц", "ряд 1 — Мерцающий пёс"),
    ],
)  # fmt: skip
def test_hand_and_hall_are_asked_for(lang: str, hand: str, understood: str, hall: str, ranks: str) -> None:
    status, shown = asked((HAND[lang], f"{hand}\r"), (HALL[lang], f"{hall}\r"), words=("--lang", lang))
    assert status == 0, shown
    assert HAND[lang] in shown
    assert f"\n  {understood}\n" in shown
    assert HALL[lang] in shown
    assert f"\n  {ranks}\n" in shown


def test_what_is_wrong_is_said_at_once_and_can_be_mended() -> None:
    hand, hall, none = HAND["en"], HALL["en"], "\x15\r"  # Ctrl-U empties the line
    status, shown = asked(
        (hand, "2 milita, elf\r"), ("Elf Wizard, Elf Sorcerer", ""), (hand, none), ("hand is empty", ""),
        (hand, "2 militia\r"), ("2× Militia", ""), (hall, "blink, blink, blink, blink\r"), ("three ranks", ""),
        (hall, none), ("name at least", ""), (hall, "blink\r"), ("rank 1 Blink Dog", ""),
    )  # fmt: skip
    assert status == 0, shown


def test_a_hall_typed_with_the_hand_is_only_confirmed() -> None:
    status, shown = asked((HAND["en"], "2 militia and torch vs blink dog\r"), ("Torch", ""), (HALL["en"], "\r"))
    assert status == 0, shown
    assert "2× Militia, Torch\n" in shown
    assert "rank 1 Blink Dog\n" in shown


@pytest.mark.parametrize(("keys", "status"), [("\x03", 130), ("\x04", 1)])
@pytest.mark.parametrize("before", [[], [(HAND["en"], "2 militia\r")]], ids=["hand", "hall"])
def test_who_leaves_leaves_cleanly(keys: str, status: int, before: list[tuple[str, str]]) -> None:
    left, shown = asked(*before, (HALL["en"] if before else HAND["en"], keys))
    assert left == status
    assert "thunderref:" not in shown


def test_control_characters_are_shown() -> None:
    status, shown = asked((HAND["en"], "mil\x16\x1b]0;x\x16\x07\r"), ("No card is called", ""), (HAND["en"], "\x03"))
    assert status == 130
    assert "\x1b]0" not in shown


def test_without_a_terminal_it_stays_an_error(cli: Run) -> None:
    answer = cli("resolve", stdin="2 militia\nblink dog\n")
    assert answer.status == 2
    assert "The hand is empty" in answer.err
    assert cli("resolve", "--json").json["error"]["code"] == "empty-hand"
    status, shown = asked(words=("--json",))
    assert (status, "empty-hand" in shown) == (2, True)
    status, shown = asked(words=("--hall", "blink dog"))
    assert (status, "The hand is empty" in shown) == (2, True)


def test_only_asking_loads_what_asks() -> None:
    code = (
        "import sys\n"
        "from thunderref.cli.app import main\n"
        "try: main(['resolve', 'torch', '--hall', 'blink dog'])\n"
        "except SystemExit: pass\n"
        "print('loaded', *sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert "prompt_toolkit" not in run.stdout.partition("loaded ")[2]


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("2 militia, elf w", ["2 militia, Elf Wizard"]),
        ("mil", ["Militia"]),
        ("elf wizard,fireb", ["elf wizard,Fireball"]),
        ("sword", ["Flaming Sword", "Short Sword"]),
        ("", []),
        ("xyzzy", []),
    ],
)
def test_names_complete_while_they_are_typed(typed: str, lines: list[str]) -> None:
    database = open_database()
    names = NameCompleter(card_names(database, "en", {"hero", "village", "basic"}))
    found = list(names.get_completions(Document(typed), CompleteEvent(text_inserted=True)))
    assert [typed[: len(typed) + each.start_position] + each.text for each in found] == lines
