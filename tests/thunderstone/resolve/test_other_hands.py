"""The hands of other players in a scenario: how they are given, and what a plan may say of them."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.thunderstone.resolve.judge import resolve

WITCH: dict[str, Any] = {"hand": ["runespawn-witch", "torch"], "hall": ["griffon"], "goal": "max"}
SPELL_OR_NOT = [["fireball", "militia"], ["2 torch"]]


def total(**more: Any) -> int | None:
    return resolve({**WITCH, **more}).targets[0].total


def test_without_hands_all_stays_unknown() -> None:
    used = [{"use": "runespawn-witch", "effect": 2}, {"attack": 1}]
    result = resolve({**WITCH, "plan": used}).targets[0]
    assert result.total == 3
    assert any("R4.11" in step.rules for step in result.steps)


def test_the_worst_choice_is_told_and_the_line_names_it() -> None:
    assert total(others=[["militia", "dagger"], ["torch"]]) == 5
    assert total(others=SPELL_OR_NOT) == 3
    used = [{"use": "runespawn-witch", "effect": 2}, {"attack": 1}]
    result = resolve({**WITCH, "others": SPELL_OR_NOT, "plan": used}).targets[0]
    assert result.line[0]["others"] == ["fireball", None]
    assert resolve({**WITCH, "others": SPELL_OR_NOT, "plan": result.line}).targets[0].line == result.line


def test_what_another_player_can_keep_out_of_the_hall_is_no_target() -> None:
    """Elf Archmage would bring Wraith into the hall, but the other player may part with Outlands Slayer instead."""
    hall = ["blink-dog", "griffon", "gray-ooze"]
    scenario = {"hand": ["elf-wizard", "lightstone-gem", "selurin-theurge"], "hall": hall, "dungeon": ["wraith"]}
    standing = {"blink-dog", "griffon", "gray-ooze"}
    alone, either = [["elf-archmage"]], [["elf-archmage", "outlands-slayer"]]
    assert {result.monster for result in resolve({**scenario, "others": alone}).targets} == {*standing, "wraith"}
    assert {result.monster for result in resolve({**scenario, "others": either}).targets} == standing


def test_the_number_of_players_follows_from_the_hands() -> None:
    assert total(others=[["torch"]] * 4) == 5
    with pytest.raises(InputError) as refusal:
        resolve({**WITCH, "others": [["torch"]] * 5})
    assert refusal.value.code == "too-many-others"


@pytest.mark.parametrize(
    ("others", "code"), [([["no such card at all"]], "unknown-card"), ([["dungeon"]], None), ("fireball", "no-list")]
)
def test_hands_that_cannot_be_read(others: Any, code: str | None) -> None:
    with pytest.raises((InputError, NoAnswerError)) as refusal:
        resolve({**WITCH, "others": others})
    assert code is None or refusal.value.code == code


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ({"others": ["dagger"]}, IllegalStepError),
        ({"others": ["fireball", "torch", "torch"]}, InputError),
        ({"others": "fireball"}, InputError),
    ],
)
def test_what_a_plan_may_not_say_of_others(step: dict[str, Any], error: type[Exception]) -> None:
    plan = [{"use": "runespawn-witch", "effect": 2, **step}, {"attack": 1}]
    with pytest.raises(error) as refusal:
        resolve({**WITCH, "others": SPELL_OR_NOT, "plan": plan})
    assert refusal.value.params["step"] == 1  # type: ignore[attr-defined]


def test_a_plan_that_speaks_of_others_needs_their_hands() -> None:
    with pytest.raises(InputError):
        resolve({**WITCH, "plan": [{"use": "runespawn-witch", "effect": 2, "others": ["fireball"]}, {"attack": 1}]})


def test_more_ways_than_are_tried_are_not_called_proven() -> None:
    asked = {"hand": ["selurin-theurge", "militia", "torch"], "hall": ["suffering"]}
    heroes = [["elf-wizard", "regian-priest"], ["thyrian-squire", "lorigg-thief"]]
    assert resolve({**asked, "others": heroes}).targets[0].proven
    many = [["elf-wizard", "regian-priest", "thyrian-squire"]] * 3 + [["elf-wizard", "lorigg-thief"]]
    assert not resolve({**asked, "others": many}).targets[0].proven


def test_a_village_nobody_described_lends_at_least_a_dagger() -> None:
    """R4.11: the basic stacks are in every game (R1.6); hands that are known say nothing more of the village."""
    blade = {"hand": ["illusory-blade", "thyrian-lord"], "hall": ["griffon"], "goal": "max", "others": [["torch"]]}
    (unknown,) = resolve(blade).targets
    (known,) = resolve({**blade, "village": ["warhammer"]}).targets
    assert unknown.total == resolve({**blade, "hand": ["thyrian-lord", "dagger"]}).targets[0].total
    assert unknown.line[0] == {"use": "illusory-blade", "draw": "dagger", "to": "thyrian-lord"}
    assert (known.total or 0) > (unknown.total or 0)
