"""``thunderref odds``: what it prints in three languages, in a pipe and on narrow terminals, and what it refuses."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from support.terminal import on_a_terminal, plain
from thunderref.thunderstone.resolve import odds as chances

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
NEXT = [
    "odds", "militia, fireball, disease", "--deck-list", "3 torch, elf wizard", "--discard", "2 militia, 2 dagger",
    "--next-hand", "--hall", "blink dog, griknack goblin",
]  # fmt: skip
FIRST = ["odds", "--first-battle", "--deck-list", "6 militia, 2 dagger, 2 torch, 2 iron rations", "--hall", "blink dog"]
MANY = (
    "4 militia, 2 dagger, 2 torch, 2 iron rations, regian priest, thyrian squire, short sword, fireball, elf wizard, \
disease, banish, lightstone gem"
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_next_hand(cli: Run, snapshot: Callable[[str, str], None], lang: str) -> None:
    answer = cli(*NEXT, "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    snapshot(f"odds.next.{lang}", answer.out)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_samples_are_said_aloud(
    cli: Run, snapshot: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setattr(chances, "WEIGHED", 20)
    answer = cli(*FIRST, "--samples", "200", "--seed", "7", "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    snapshot(f"odds.sampled.{lang}", answer.out)


def test_the_shape_of_the_json(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (exact,) = cli(*FIRST, "--json").json["targets"]
    assert exact["win"] == {"fraction": "85/462", "percent": 18.4}
    assert (exact["exact"], exact["interval"], exact["rank"], exact["monster"]) == (True, None, 1, "blink-dog")
    monkeypatch.setattr(chances, "WEIGHED", 20)
    answer = cli(*FIRST, "--samples", "100", "--seed", "3", "--json")
    (sampled,) = answer.json["targets"]
    assert (sampled["exact"], sampled["samples"], answer.json["seed"]) == (False, 100, 3)
    assert len(sampled["interval"]) == 2
    hand = cli(*NEXT, "--json").json["hand"]
    assert {"size", "certain", "reshuffled", "cards", "kinds"} <= set(hand)


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Blink Dog, rank 2: barred. No draw lets you attack."),
        ("pl", "Migopies, szereg 2: atak niemożliwy, cokolwiek pociągniesz."),
        ("ru", "Мерцающий пёс, ряд 2: атаковать нельзя, какие бы карты вы ни взяли."),
    ],
)
def test_no_chance_at_all_is_barred(cli: Run, lang: str, told: str) -> None:
    """Blink Dog cannot be attacked with a light penalty (R5.1). Griffon can, though there is no hope of victory."""
    words = ["odds", "militia", "--deck-list", "2 militia, 2 dagger", "--hall", "griffon, blink dog"]
    griffon, dog = cli(*words, "--json").json["targets"]
    assert (griffon["win"]["fraction"], griffon["expected_total"], griffon["barred"]) == ("0/1", 0, False)
    assert (dog["win"]["fraction"], dog["expected_total"], dog["barred"]) == ("0/1", 0, True)
    assert told in cli(*words, "--lang", lang).out.splitlines()


def test_a_draw_that_lets_one_attack_is_no_bar(cli: Run) -> None:
    """Regian Priest draws one of three cards: Lightstone Gem makes the attack possible, not the victory."""
    words = [
        "odds",
        "regian priest",
        "--deck-list",
        "2 disease, lightstone gem",
        "--hall",
        "blink dog",
        "--rank",
        "1",
        "--json",
    ]
    (dog,) = cli(*words).json["targets"]
    assert (dog["win"]["percent"], dog["barred"], dog["expected_total"] is None) == (0, False, False)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forty_columns(lang: str) -> None:
    status, shown = on_a_terminal(40, ["thunderref", *NEXT, "--lang", lang])
    assert status == 0
    assert all(len(line) <= 40 for line in plain(shown).splitlines())


def test_a_budget_is_kept(cli: Run) -> None:
    """A tenth more at most, and a little for the machine; of processor time, whoever else is at work."""
    start = time.process_time()
    answer = cli("odds", "--first-battle", "--deck-list", MANY, "--hall", "kingdom, griffon", "--budget", "1", "--json")
    assert time.process_time() - start < 1.6
    assert [target["exact"] for target in answer.json["targets"]] == [False, False]


def test_progress_on_a_terminal_leaves_no_trace() -> None:
    words = ["odds", "--first-battle", "--deck-list", MANY, "--hall", "kingdom", "--budget", "2", "--lang", "en"]
    status, shown = on_a_terminal(80, ["thunderref", *words])
    assert status == 0
    assert "weighed …" in shown or "dealt …" in shown
    assert "…" not in shown.rpartition("\x1b[2K")[2], "the line is taken away"


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["militia", "--hall", "griffon"], 2, "no-deck-list"),
        (["--deck-list", "torch", "--hall", "griffon"], 2, "empty-hand"),
        (["militia", "--deck-list", "torch"], 2, "empty-hall"),
        (["--deck-list", "", "--next-hand"], 2, "empty-hand"),
        (["--deck-list", "6 torch", "--next-hand", "--first-battle"], 2, "two-questions"),
        (["--deck-list", "5 torch", "--first-battle", "--hall", "griffon"], 2, "first-battle-hand"),
        (["--deck-list", "9 fireball", "--next-hand"], 1, "too-many-copies"),
        (["--deck-list", "zxqwv", "--next-hand"], 1, "unknown-card"),
        (["--deck-list", "6 torch", "--next-hand", "--hall", "griffon", "--rank", "2"], 1, "no-target"),
        (["--deck-list", "6 torch", "--next-hand", "--budget", "-1"], 2, "bad-budget"),
        (["--deck-list", "6 torch", "--next-hand", "--samples", "0"], 2, "bad-value"),
        (["--deck-list", "6 torch", "--next-hand", "--seed", "x"], 2, "bad-number"),
    ],
)
def test_bad_questions(cli: Run, words: list[str], status: int, code: str) -> None:
    answer = cli("odds", *words, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (status, code)


def test_an_open_question_answered_the_other_way(cli: Run) -> None:
    """Goodberries turn a Warrior's 3 with his Short Sword's 4 into Magic Attack, 7 against 6; or his own 3 alone."""
    hand = "outlands warrior, short sword, goodberries, torch"
    words = ["odds", hand, "--deck-list", "6 militia", "--hall", "smoke torment", "--json"]
    assert cli(*words).json["targets"][0]["win"]["fraction"] == "1/1"
    assert cli(*words, "--reading", "R5.8=apart").json["targets"][0]["win"]["fraction"] == "0/1"
    wrong = cli(*words, "--reading", "R5.8=sideways")
    assert wrong.status == 2
    assert wrong.json["error"]["candidates"] == ["included", "apart"]


def test_an_option_of_two_words_asks_for_both(cli: Run) -> None:
    answer = cli("resolve", "militia", "--hall", "griffon", "--explain", "why-not")
    assert answer.status == 2
    assert "--explain needs 2 words" in answer.err
