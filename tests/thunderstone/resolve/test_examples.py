"""Every example of a battle in tests/examples, each with its source and its sum."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from support import check_each, examples_by_file
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import TargetResult

MULTISETS = ("destroyed", "gained", "discarded")

FILES = examples_by_file("cards/*.toml", "rul*.toml", having="scenario")


def check_file(file: str, check: Callable[[dict[str, Any]], None]) -> None:
    """Check the examples of a file that have a result, not those that are refused."""
    check_each(((name, example) for name, example in FILES[file] if "expect" in example), check)


@cache
def solved(scenario: str) -> list[TargetResult]:
    return resolve(json.loads(scenario)).targets


def result_of(example: dict[str, Any]) -> TargetResult:
    """The target of which the example speaks."""
    targets, expect = solved(json.dumps(example["scenario"])), example["expect"]
    if len(targets) == 1:
        return targets[0]
    fitting = [
        t for t in targets if expect.get("rank", t.rank) == t.rank and expect.get("monster", t.monster) == t.monster
    ]
    assert fitting, f"no such target among {[(t.rank, t.monster) for t in targets]}"
    return fitting[0]


@pytest.mark.parametrize("file", FILES)
def test_every_example_comes_to_what_was_worked_out(file: str) -> None:
    check_each(FILES[file], check_result)


def check_result(example: dict[str, Any]) -> None:
    if "error" in example:
        with pytest.raises(IllegalStepError) as refusal:
            resolve(example["scenario"])
        assert refusal.value.rule == example["error"], example["why"]
        return
    result = result_of(example)
    found = result.model_dump()
    for key, wanted in example["expect"].items():
        if key == "has_spoils":
            assert bool(result.spoils) == wanted, example["why"]
        elif key in MULTISETS:
            assert Counter(found[key]) == Counter(wanted), example["why"]
        else:
            assert found[key] == wanted, (key, example["why"])
    for step in example.get("line_has", []):
        assert step in result.line
    told = " ".join(step.text for step in result.steps)
    assert example.get("says", "") in told
    assert "says_not" not in example or example["says_not"] not in told


@pytest.mark.parametrize("file", FILES)
def test_the_line_of_an_example_can_be_played_again(file: str) -> None:
    """Text -> action -> text: the returned line is itself a plan, and gives the same result."""
    check_file(file, check_replay)


def check_replay(example: dict[str, Any]) -> None:
    scenario = example["scenario"]
    result = result_of(example)
    if not result.can_attack:
        return
    again = resolve({**scenario, "plan": result.line}).targets[0]
    for name in ("rank", "monster", "attack", "magic_attack", "light", "light_penalty", "total", "outcome", "line"):
        assert getattr(again, name) == getattr(result, name), name
    for name in MULTISETS:
        assert Counter(getattr(again, name)) == Counter(getattr(result, name)), name


@pytest.mark.parametrize("file", FILES)
def test_the_sums_are_the_folds_of_the_steps(file: str) -> None:
    """No number without its reasons: what the steps add is what the result says."""
    check_file(file, check_sums)


def check_sums(example: dict[str, Any]) -> None:
    result = result_of(example)
    if not result.can_attack:
        return
    assert sum(step.attack for step in result.steps) == result.attack
    assert sum(step.magic_attack for step in result.steps) == result.magic_attack
    assert sum(step.light for step in result.steps) == result.light
    assert result.attack + result.magic_attack + sum(step.total for step in result.steps) == result.total


def equations(text: str) -> list[tuple[list[int], int]]:
    """The sums a text shows: what is added up, and what it is said to make. Names of Horde cards have a number."""
    found = []
    for left, right in re.findall(r"([^:,=]*) = (−?\d+)", re.sub(r" \(\D*\)|Horde \d+", "", text)):
        numbers = [
            -int(n) if sign == "−" else int(n) for sign, n in re.findall(r"([+−]?) ?(?:\b[^\W\d]+ )*(\d+)", left)
        ]
        found.append((numbers, int(right.replace("−", "-"))))
    return found


@pytest.mark.parametrize("file", FILES)
def test_every_sum_on_screen_adds_up(file: str) -> None:
    """What is read aloud is true as it stands: every ``a + b − c = d`` of the texts."""
    check_file(file, check_equations)


def check_equations(example: dict[str, Any]) -> None:
    result = result_of(example)
    for step in result.steps:
        for numbers, total in equations(step.text):
            assert sum(numbers) == total, step.text


def test_a_sum_that_does_not_add_up_is_seen() -> None:
    assert equations("Light penalty: rank 1 + 1 (Blink Dog) − Light 5 = 0, doubled: 0.") == [([1, 1, -5], 0)]
    assert equations("Polearm, held by Squire (Strength 6 + 2 Iron Rations = 8): Attack +6.") == [([6, 2], 8)]
