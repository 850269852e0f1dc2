"""Every example of a visit to the village: with its source, its sums, and the line that plays again."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache, partial
from typing import Any

import pytest

from support import check_each, examples_of
from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.result import VisitResult
from thunderref.thunderstone.resolve.visit import visit

MULTISETS = ("destroyed", "gained", "discarded", "drawn", "unknown", "on_deck")
IN_VILLAGE = {"village", "repeat-village", "village-or-dungeon"}


@cache
def words(lang: str) -> Language:
    return Language(open_database(), lang)


EXAMPLES = [
    (f"{file}: {example['name']}", example)
    for file, example in examples_of("village/effects.toml", "village/rules.toml", "rul*.toml")
    if "hand" in example.get("document", {})
]
SOLVED = [(name, example) for name, example in EXAMPLES if "expect" in example]


@cache
def solved(document: str, lang: str = "en") -> VisitResult:
    """Return the visit that a document, as JSON, comes to."""
    return visit(json.loads(document), lang)


def result_of(example: dict[str, Any], lang: str = "en") -> VisitResult:
    return solved(json.dumps(example["document"]), lang)


def test_every_example_comes_to_what_was_worked_out() -> None:
    check_each(EXAMPLES, check_result)


def check_result(example: dict[str, Any]) -> None:
    if "error" in example:
        with pytest.raises(IllegalStepError) as refusal:
            visit(example["document"])
        assert refusal.value.rule == example["error"], example["why"]
        assert refusal.value.params["step"] == len(example["document"]["plan"])
        return
    result = result_of(example)
    found = result.model_dump()
    for key, wanted in example["expect"].items():
        if key in MULTISETS:
            assert Counter(found[key]) == Counter(wanted), (key, example["why"])
        else:
            assert found[key] == wanted, (key, example["why"])
    if "first_option" in example:
        assert result.options[0].buy == example["first_option"]


def test_the_sums_are_the_folds_of_the_steps() -> None:
    check_each(SOLVED, check_sums)


def check_sums(example: dict[str, Any]) -> None:
    result = result_of(example)
    assert sum(step.gold for step in result.steps) == result.gold
    assert sum(step.xp for step in result.steps) == result.xp
    assert result.gold - sum(step.gold_paid for step in result.steps) == result.gold_left
    assert result.xp - sum(step.xp_paid for step in result.steps) == result.xp_left


def test_the_line_of_an_example_can_be_played_again() -> None:
    check_each(SOLVED, check_replay)


def check_replay(example: dict[str, Any]) -> None:
    result = result_of(example)
    again = visit({**example["document"], "plan": result.line})
    assert again.line == result.line
    assert again.model_dump(exclude={"proven", "spending", "sparing"}) == result.model_dump(
        exclude={"proven", "spending", "sparing"}
    )


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_every_step_has_its_words_and_its_rule(lang: str) -> None:
    check_each(SOLVED, partial(check_words, lang=lang))


def check_words(example: dict[str, Any], lang: str) -> None:
    for step in result_of(example, lang).steps:
        assert step.text
        assert "{" not in step.text
        assert step.rules
        assert all(words(lang).text(f"rule.{rule}") for rule in step.rules)


def test_every_option_can_be_bought() -> None:
    """What is listed is legal, once each, and never dearer than what stands before it."""
    check_each(SOLVED, check_options)


def check_options(example: dict[str, Any]) -> None:
    result = result_of(example)
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
    shown = {(e["card"], e["effect"], e["positive"]) for _, e in EXAMPLES if "card" in e}
    wanted = {
        (card, effect.id, positive)
        for card, effects in database.all_effects.items()
        for effect in effects
        if effect.timing in IN_VILLAGE
        for positive in (True, False)
    }
    assert not wanted - shown
    assert not {(card, effect) for card, effect, _ in shown} - {(card, effect) for card, effect, _ in wanted}
