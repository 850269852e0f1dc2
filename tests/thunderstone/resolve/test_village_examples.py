"""Every example of a visit to the village: with its source, its sums, and the line that plays again."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from support import examples_of
from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.visit import visit

MULTISETS = ("destroyed", "gained", "discarded", "drawn", "unknown", "on_deck")
IN_VILLAGE = {"village", "repeat-village", "village-or-dungeon"}


@cache
def words(lang: str) -> Language:
    return Language(open_database(), lang)


EXAMPLES = [
    pytest.param(example, id=f"{file}: {example['name']}")
    for file, example in examples_of("village/effects.toml", "village/rules.toml", "rul*.toml")
    if "hand" in example.get("document", {})
]
SOLVED = [example for example in EXAMPLES if "expect" in example.values[0]]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    if "error" in example:
        with pytest.raises(IllegalStepError) as refusal:
            visit(example["document"])
        assert refusal.value.rule == example["error"], example["why"]
        assert refusal.value.params["step"] == len(example["document"]["plan"])
        return
    result = visit(example["document"])
    found = result.model_dump()
    for key, wanted in example["expect"].items():
        if key in MULTISETS:
            assert Counter(found[key]) == Counter(wanted), (key, example["why"])
        else:
            assert found[key] == wanted, (key, example["why"])
    if "first_option" in example:
        assert result.options[0].buy == example["first_option"]


@pytest.mark.parametrize("example", SOLVED)
def test_the_sums_are_the_folds_of_the_steps(example: dict[str, Any]) -> None:
    result = visit(example["document"])
    assert sum(step.gold for step in result.steps) == result.gold
    assert sum(step.xp for step in result.steps) == result.xp
    assert result.gold - sum(step.gold_paid for step in result.steps) == result.gold_left
    assert result.xp - sum(step.xp_paid for step in result.steps) == result.xp_left


@pytest.mark.parametrize("example", SOLVED)
def test_the_line_of_an_example_can_be_played_again(example: dict[str, Any]) -> None:
    result = visit(example["document"])
    again = visit({**example["document"], "plan": result.line})
    assert again.line == result.line
    assert again.model_dump(exclude={"proven", "spending", "sparing"}) == result.model_dump(
        exclude={"proven", "spending", "sparing"}
    )


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("example", SOLVED)
def test_every_step_has_its_words_and_its_rule(example: dict[str, Any], lang: str) -> None:
    for step in visit(example["document"], lang).steps:
        assert step.text
        assert "{" not in step.text
        assert step.rules
        assert all(words(lang).text(f"rule.{rule}") for rule in step.rules)


@pytest.mark.parametrize("example", SOLVED)
def test_every_option_can_be_bought(example: dict[str, Any]) -> None:
    """What is listed is legal, once each, and never dearer than what stands before it."""
    result = visit(example["document"])
    uses = [step for step in result.line if "use" in step]
    assert len({tuple(sorted(option.buy)) for option in result.options}) == len(result.options)
    if example["document"].get("goal") != "vp":
        costs = [option.cost for option in result.options]
        assert costs == sorted(costs, reverse=True)
    for option in result.options[:: max(1, len(result.options) // 12)]:
        plan = [*uses, *({"buy": card} for card in option.buy)]
        bought = visit({**example["document"], "plan": plan})
        assert bought.gained == option.buy
        assert bought.gold_left == option.left


def test_every_village_effect_has_a_positive_and_a_negative_example() -> None:
    database = open_database()
    shown = {
        (e.values[0]["card"], e.values[0]["effect"], e.values[0]["positive"]) for e in EXAMPLES if "card" in e.values[0]
    }
    wanted = {
        (card, effect.id, positive)
        for card, effects in database.all_effects.items()
        for effect in effects
        if effect.timing in IN_VILLAGE
        for positive in (True, False)
    }
    assert not wanted - shown
    assert not {(card, effect) for card, effect, _ in shown} - {(card, effect) for card, effect, _ in wanted}
