"""Choices that are not legal at a table, and the words for the kinds of choices."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from support.seats import DUNGEON, REST, VILLAGE, at_table, attack, choose, do, use
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.rules.choices import (
    CHOICE_KINDS,
    COUNT,
    END,
    LEAVE,
    Answer,
    Buy,
    Choice,
    Equip,
    Forgo,
    LevelUp,
    Turn,
    kind_of,
)
from thunderref.thunderstone.rules.legal import why_illegal
from thunderref.thunderstone.rules.notation import refusal

MILITIA = ("militia", 1)


@pytest.mark.parametrize(
    ("before", "choice", "code", "rule"),
    [
        ([], attack(1), "illegal-action", "R2.1"),
        ([DUNGEON], DUNGEON, "illegal-action", "R2.1"),
        ([DUNGEON], LEAVE, "must-attack", "R4.8"),
        ([DUNGEON], use("fireball"), "not-in-play", "R4.1"),
        ([DUNGEON], choose("discard", MILITIA), "illegal-action", "R4.1"),
        ([VILLAGE], Buy("torch"), "gold-not-counted", "R3.2"),
        ([VILLAGE], END, "gold-not-counted", "R3.2"),
        ([VILLAGE, COUNT], COUNT, "gold-counted", "R3.2"),
        ([VILLAGE, COUNT], Buy("banish"), "not-on-offer", "R3.3"),
        ([VILLAGE, COUNT], Buy("elf-sorcerer"), "not-on-top", "R3.3"),
        ([VILLAGE, COUNT], LevelUp(("elf-wizard", 1), "elf-sorcerer"), "not-in-play", "R3.1"),
        ([REST], attack(1), "illegal-choice", "R4.1"),
    ],
)
def test_why_a_choice_is_not_legal(before: list[Choice], choice: Choice, code: str, rule: str) -> None:
    game, position = at_table("militia", "militia")
    position = do(game, position, *before)
    problem = why_illegal(game, position, choice)
    assert problem is not None
    assert (problem.code, problem.params["rule"]) == (code, rule)


@pytest.mark.parametrize(
    ("step", "code", "rule"),
    [
        ({"dance": "torch"}, "bad-step", None),
        ({"attack": 0}, "no-target", "R5.1"),
        ({"use": "fireball"}, "not-in-play", "R4.1"),
        ({"use": "no such card"}, "play-illegal", "R4.1"),
        ({"use": 7}, "play-illegal", "R4.1"),
        ({"use": "militia", "effect": "x"}, "play-illegal", "R2.1"),
        ({"attack": None}, "bad-rank", None),
        ({"equip": "torch"}, "play-illegal", "R2.1"),
        ({"destroy": "militia"}, "play-illegal", "R4.1"),
        ({"shuffle": "deck"}, "play-illegal", "R4.1"),
        ({"leave": True}, "must-attack", "R4.8"),
    ],
)
def test_why_a_written_step_is_not_legal(step: dict[str, Any], code: str, rule: str | None) -> None:
    game, position = at_table("militia", "militia")
    error = refusal(game, do(game, position, DUNGEON), step)
    assert (error.code, error.params.get("rule")) == (code, rule)
    assert type(error) is (InputError if rule is None else IllegalStepError)


def test_every_kind_of_choice_has_a_word_of_its_own() -> None:
    """A turn bears its own; every answer is ``choose``."""
    kinds = {*get_args(Choice)} - {Turn, Answer, *get_args(Answer)}
    simple = {kind for kind in CHOICE_KINDS if not issubclass(kind, Answer)}
    assert simple == {kind for kind in kinds if not issubclass(kind, Answer)}
    assert len({*CHOICE_KINDS.values(), "choose"}) == len(CHOICE_KINDS) + 1
    said = [kind_of(one) for one in (use("torch"), Equip(MILITIA, MILITIA), Forgo(MILITIA), attack(1), LEAVE, COUNT)]
    assert said == ["use", "equip", "forgo", "attack", "leave", "count"]
    said = [kind_of(one) for one in (Buy("torch"), LevelUp(MILITIA, "elf-wizard"), END, REST, choose("decline"))]
    assert said == ["buy", "level_up", "end", "rest", "choose"]
