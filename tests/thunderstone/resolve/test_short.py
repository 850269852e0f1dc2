"""The short text of each choice: one for each step of the line, in the words that ``play`` uses."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.pages.puzzle_page import solve
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import TargetResult

LANGUAGES = ("en", "pl", "ru")


def shorts(target: TargetResult) -> list[str]:
    return [step.short for step in target.steps if step.short is not None]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_choice_of_every_puzzle_has_one(lang: str) -> None:
    words = Language(open_database(), lang)
    for puzzle in words.database.puzzles:
        target = solve(puzzle, words)
        assert len(shorts(target)) == len(target.line), puzzle.id
        for step in target.steps:
            assert step.short is None or (step.part != "sum" and 0 < len(step.short) < 100 and step.rules)
            assert "→" not in (step.short or "")


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["Iron Rations -> Militia", "Short Sword -> Militia", "Attack: Griffon, rank 1"]),
        ("pl", ["Żelazne racje -> Ochotnik", "Krótki miecz -> Ochotnik", "Cel ataku: Gryf, szereg 1"]),
        ("ru", ["Припасы -> Ополченец", "Короткий меч -> Ополченец", "Цель атаки: Грифон, ряд 1"]),
    ],
)
def test_a_card_goes_to_a_hero(lang: str, told: list[str]) -> None:
    hand = ["militia", "militia", "elf-wizard", "short-sword", "torch", "iron-rations"]
    (target,) = resolve({"hand": hand, "hall": ["griffon"]}, lang).targets
    assert shorts(target) == told
    assert [step.short for step in target.steps if step.part in ("sum", "after")] == [None] * (len(target.steps) - 4)


@pytest.mark.parametrize(
    ("hand", "hall", "step", "told"),
    [
        ("militia, militia", "griffon", {"equip": "dagger", "to": "militia#2"}, "Dagger -> the second Militia"),
        ("banish, militia", "griffon, nixie, haunt", {"use": "banish", "bottom": "nixie", "destroy": "militia"},
         "Banish, under the dungeon deck: Nixie, destroy Militia"),
        ("regian-priest, disease", "griffon", {"use": "regian-priest", "effect": 2, "destroy": "disease"},
         "Regian Priest, effect 2, destroy Disease"),
        ("diin-beguiler, militia, elf-wizard", "griffon",
         {"use": "diin-beguiler", "militia": "militia", "copy": "elf-wizard"},
         "Diin Beguiler -> Militia, a copy of Elf Wizard"),
        ("fireball", "griffon", {"forgo": "fireball"}, "Go without: Fireball: no benefit this turn"),
    ],
)  # fmt: skip
def test_what_a_choice_says(hand: str, hall: str, step: dict[str, Any], told: str) -> None:
    scenario: dict[str, Any] = {"hand": [*hand.split(", "), "dagger", "torch"], "hall": hall.split(", ")}
    (target,) = resolve(scenario | {"plan": [step, {"attack": 1}]}).targets
    assert shorts(target)[0] == told


@pytest.mark.parametrize(
    ("hand", "hall", "told"),
    [
        ("militia, militia, elf-wizard, disease", "nixie", "Disease takes 1 from Attack"),
        ("thyrian-knight, elf-wizard, torch", "haunt", "Haunt: Elf Wizard cannot attack"),
        ("thyrian-knight, elf-wizard, militia", "wraith", "Wraith: destroy Militia"),
    ],
)
def test_a_choice_in_the_battle(hand: str, hall: str, told: str) -> None:
    """The card that asks comes first; a Disease says so itself."""
    (target,) = resolve({"hand": hand.split(", "), "hall": [hall]}).targets
    assert told in shorts(target)


def test_a_turn_without_a_battle_has_them_too() -> None:
    """The game ends (R4.6) before Banish destroys a card."""
    plan = [{"use": "banish", "order": ["stone-of-mystery", "griffon", "nixie"], "destroy": "banish"}]
    hall = ["griffon", "nixie", "stone-of-mystery"]
    found = resolve({"hand": ["banish", "militia"], "hall": hall, "plan": plan})
    assert found.targets == []
    told = [step.short for step in found.steps or () if step.short]
    assert told == ["Banish, new order: Stone of Mystery, Griffon, Nixie"]
