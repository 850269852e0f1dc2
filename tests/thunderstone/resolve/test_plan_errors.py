"""A plan that goes wrong at step 7 names step 7 and the rule, in the dungeon and in the village."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.visit import visit

BATTLE: dict[str, Any] = {
    "hand": ["disease", "banish", "regian-priest", "iron-rations", "thyrian-squire", "polearm"],
    "hall": ["blink-dog", "suffering", "uyril-unending"],
    "deck": ["militia", "disease", "short-sword", "battle-fury"],
    "dungeon": ["kingdom"],
}
PLAN: list[dict[str, Any]] = [
    {"use": "regian-priest"},
    {"use": "regian-priest", "effect": 2, "destroy": "disease"},
    {"use": "regian-priest", "effect": 2, "destroy": "disease"},
    {"use": "banish", "bottom": "blink-dog", "destroy": "militia"},
    {"use": "battle-fury"},
    {"use": "iron-rations", "on": "regian-priest"},
    {"equip": "short-sword", "to": "regian-priest"},
    {"equip": "polearm", "to": "thyrian-squire"},
    {"attack": 1},
]
"""The rulebook's battle: nine steps, the seventh of them a sword."""

VISIT: dict[str, Any] = {
    "hand": ["barkeep", "town-guard", "lorigg-thief", "the-unchained", "militia", "battle-fury"],
    "deck": ["disease", "outlands-slayer", "trainer", "torch", "dagger"],
    "xp": 3,
    "stacks": ["short-sword", "banish", "lorigg-rogue", "outlands-khan"],
}
VISIT_PLAN: list[dict[str, Any]] = [
    {"use": "town-guard"},
    {"use": "town-guard", "effect": 2},
    {"use": "barkeep"},
    {"use": "trainer", "destroy": "militia"},
    {"use": "trainer", "effect": 2},
    {"use": "barkeep", "effect": 2},
    {"buy": "short-sword"},
    {"buy": "banish"},
    {"level_up": "lorigg-thief", "to": "lorigg-rogue"},
    {"level_up": "outlands-slayer", "to": "outlands-khan"},
]
"""The rulebook's visit: ten steps, the seventh of them the first purchase."""


def with_step(plan: list[dict[str, Any]], number: int, step: dict[str, Any]) -> list[dict[str, Any]]:
    return [*plan[: number - 1], step, *plan[number:]]


def test_both_plans_are_legal() -> None:
    assert resolve({**BATTLE, "plan": PLAN}).targets[0].outcome == "victory"
    assert visit({**VISIT, "plan": VISIT_PLAN}).gold == 10


@pytest.mark.parametrize("number", range(1, len(PLAN) + 1))
def test_every_step_of_a_battle_is_named(number: int) -> None:
    """A card that is not in the hand, in the place of each step."""
    with pytest.raises(IllegalStepError) as refusal:
        resolve({**BATTLE, "plan": with_step(PLAN, number, {"use": "fireball"})})
    if number == len(PLAN):  # without an attack the step stands in preparation all the same
        assert refusal.value.params["step"] == number
        return
    assert (refusal.value.params["step"], refusal.value.rule) == (number, "R4.1")


@pytest.mark.parametrize("number", range(1, len(VISIT_PLAN) + 1))
def test_every_step_of_a_visit_is_named(number: int) -> None:
    with pytest.raises(IllegalStepError) as refusal:
        visit({**VISIT, "plan": with_step(VISIT_PLAN, number, {"use": "feast"})})
    assert refusal.value.params["step"] == number
    assert refusal.value.rule.startswith("R3.")


@pytest.mark.parametrize(
    ("number", "step", "rule"),
    [
        (7, {"equip": "short-sword", "to": "banish"}, "R4.3"),
        (7, {"equip": "short-sword", "to": "militia"}, "R4.2"),
        (7, {"use": "regian-priest"}, "R2.4"),
        (7, {"use": "regian-priest", "effect": 2, "destroy": "disease"}, "R4.2"),
        (7, {"use": "iron-rations", "on": "thyrian-squire"}, "R2.4"),
        (7, {"disease": "attack"}, "R5.6"),
        (7, {"battle": "destroy", "pick": "militia"}, "R5.2"),
        (7, {"buy": "short-sword"}, "R6.4"),
        (4, {"use": "banish", "bottom": "kingdom", "destroy": "militia"}, "R4.6"),
        (4, {"use": "banish", "bottom": "blink-dog", "destroy": "regian-priest"}, "R4.2"),
        (8, {"equip": "polearm", "to": "regian-priest"}, "R4.3"),
        (9, {"attack": 0}, "R5.1"),
    ],
)
def test_the_rule_against_a_step_of_a_battle(number: int, step: dict[str, Any], rule: str) -> None:
    with pytest.raises(IllegalStepError) as refusal:
        resolve({**BATTLE, "plan": with_step(PLAN, number, step)})
    assert (refusal.value.params["step"], refusal.value.rule) == (number, rule)


@pytest.mark.parametrize(
    ("number", "step", "rule"),
    [
        (7, {"buy": "fireball"}, "R3.3"),
        (7, {"use": "barkeep"}, "R3.1"),
        (7, {"use": "trainer", "effect": 2}, "R3.1"),
        (8, {"buy": "lorigg-rogue"}, "R3.3"),
        (9, {"use": "battle-fury"}, "R3.2"),
        (9, {"level_up": "lorigg-thief", "to": "outlands-khan"}, "R3.5"),
        (10, {"buy": "banish"}, "R3.4"),
        (10, {"level_up": "lorigg-thief", "to": "lorigg-rogue"}, "R3.5"),
    ],
)
def test_the_rule_against_a_step_of_a_visit(number: int, step: dict[str, Any], rule: str) -> None:
    with pytest.raises(IllegalStepError) as refusal:
        visit({**VISIT, "plan": with_step(VISIT_PLAN, number, step)})
    assert (refusal.value.params["step"], refusal.value.rule) == (number, rule)


@pytest.mark.parametrize("number", [1, 7, 9])
@pytest.mark.parametrize("step", [{"dance": "polearm"}, {}, "attack 1", 7, None, ["attack", 1]])
def test_what_is_no_step_is_named_too(number: int, step: Any) -> None:
    for solve, document, plan in ((resolve, BATTLE, PLAN), (visit, VISIT, VISIT_PLAN)):
        with pytest.raises(InputError) as refusal:
            solve({**document, "plan": with_step(plan, number, step)})
        assert (refusal.value.code, refusal.value.params["step"]) == ("bad-step", number)


def test_a_disease_that_nobody_holds_in_a_plan_without_attack() -> None:
    with pytest.raises(IllegalStepError) as refusal:
        resolve({**BATTLE, "plan": with_step(PLAN, 9, {"disease": "attack"})})
    assert (refusal.value.params["step"], refusal.value.rule) == (9, "R5.6")


def test_nobody_who_has_to_show_a_hero_shows_none() -> None:
    """R6.6: null declines what may be declined; a Pit Trap asks for a hero of those in hand."""
    plan = [{"use": "elf-archmage", "bottom": 1, "show": None}, {"attack": 1}]
    with pytest.raises(IllegalStepError) as refusal:
        resolve({"hand": ["elf-archmage"], "hall": ["nixie", "griffon"], "dungeon": ["pit-trap"], "plan": plan})
    assert (refusal.value.code, refusal.value.params["step"], refusal.value.rule) == ("illegal-choice", 1, "R6.6")


def test_an_order_that_may_not_be_is_answered_with_names() -> None:
    """R5.5: no spell moves Fire Wrath; the orders left are told as a player says them."""
    plan = [{"use": "banish", "order": ["griffon", "fire-wrath", "nixie"]}, {"attack": 1}]
    scenario = {"hand": ["banish", "militia"], "hall": ["fire-wrath", "griffon", "nixie"], "plan": plan}
    with pytest.raises(IllegalStepError) as refusal:
        resolve(scenario)
    told = Language(open_database(), "en").error(refusal.value)
    assert "choose one of Fire Wrath – Griffon – Nixie, Fire Wrath – Nixie – Griffon" in told


def test_a_hunt_that_may_not_be_is_answered_with_names() -> None:
    """R6.5: the Pegasus was the second player's, not the third's."""
    hand, others = ["gohlen-hunter", "short-sword", "torch"], [["pegasus"], ["torch"]]
    plan = [{"equip": "short-sword", "to": "gohlen-hunter"}, {"use": "gohlen-hunter"}, {"attack": 1}]
    hunt = {"use": "gohlen-hunter", "hunt": [3, "pegasus"]}
    with pytest.raises(IllegalStepError) as refusal:
        resolve({"hand": hand, "hall": ["griffon"], "others": others, "plan": [*plan, hunt]})
    told = Language(open_database(), "en").error(refusal.value)
    assert told.endswith("“Pegasus (Player 3)” is not possible here (R6.5): choose Pegasus (Player 2).")
