"""Turns in the dungeon that end before a battle, each with its source: tests/examples/turns.toml."""

from __future__ import annotations

from typing import Any

import pytest

from support import examples_of
from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve

EXAMPLES = [pytest.param(example, id=example["name"]) for _, example in examples_of("turns.toml")]
TURN = (
    "game_ends", "destroyed", "gained", "discarded", "line", "steps", "readings", "unknown_draws", "hall_after",
    "rank0_after", "caged", "unknown",
)  # fmt: skip
"""What is said of the turn itself where there is no battle."""


def with_nulls(value: Any) -> Any:
    """The value as JSON would have it: TOML has no null."""
    if isinstance(value, list):
        return [with_nulls(one) for one in value]
    if isinstance(value, dict):
        return {key: with_nulls(one) for key, one in value.items()}
    return None if value == "null" else value


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    scenario = {key: with_nulls(value) for key, value in example["scenario"].items()}
    if "error" in example:
        with pytest.raises(IllegalStepError) as refusal:
            resolve(scenario)
        assert (refusal.value.rule, refusal.value.code) == (example["error"]["rule"], example["error"]["code"])
        return
    result = resolve(scenario).model_dump()
    for key, wanted in example.get("expect", {}).items():
        assert result[key] == with_nulls(wanted), (key, example["why"])
    for key, wanted in example.get("target", {}).items():
        assert result["targets"][0][key] == with_nulls(wanted), (key, example["why"])
    assert {result[key] is not None for key in TURN} == {result["no_battle"]}
    if result["no_battle"]:
        assert example.get("says", "") in " ".join(step["text"] for step in result["steps"])
        again = resolve({**scenario, "plan": result["line"]}).model_dump()
        assert {key: again[key] for key in TURN} == {key: result[key] for key in TURN}


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_every_end_is_told_in_every_language(lang: str) -> None:
    words = Language(open_database(), lang)
    for example in EXAMPLES:
        value: Any = example.values[0]
        if value.get("expect", {}).get("no_battle"):
            scenario = {key: with_nulls(one) for key, one in value["scenario"].items()}
            assert all(step.text for step in resolve(scenario, words=words).steps or ())


def test_without_a_plan_the_targets_that_are_barred_are_told_too() -> None:
    result = resolve({"hand": ["militia"], "hall": ["blink-dog"]})
    assert [target.outcome for target in result.targets] == ["barred"]
    assert (result.no_battle, result.game_ends, result.hall_after) == (True, False, ["blink-dog", None, None])


def test_a_plan_that_leaves_the_hall_open_is_judged_over_every_hall() -> None:
    """R4.6: Banish may order the two monsters or put one below them, whereupon the Ghost comes to rank 2."""
    scenario = {
        "hand": ["banish", "fireball"],
        "hall": ["kingdom", "red-jelly"],
        "deck": ["torch"],
        "dungeon": ["ghost"],
    }
    result = resolve({**scenario, "plan": [{"use": "banish", "destroy": "banish"}]})
    met = {(target.monster, target.rank) for target in result.targets}
    assert met == {(card, rank) for card in ("kingdom", "red-jelly") for rank in (1, 2)} | {("ghost", 2)}
    for target in result.targets:
        again = resolve({**scenario, "plan": [*target.line]}).targets[0]
        assert (again.monster, again.rank, again.total) == (target.monster, target.rank, target.total)
