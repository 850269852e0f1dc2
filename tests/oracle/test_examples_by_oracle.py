"""The oracle itself is checked: it must agree with every hand-worked example of the cards it covers."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from oracle import Battle, NotCoveredError, judge
from replay import RefusedError, replay

TESTS = Path(__file__).parents[1]
FILES = [*sorted((TESTS / "cards").glob("*.toml")), TESTS / "golden" / "rulebook.toml"]
EXAMPLES = [
    pytest.param(example, id=f"{path.stem}: {example['name']}")
    for path in FILES
    for example in tomllib.loads(path.read_text(encoding="utf-8"))["example"]
    if "scenario" in example
]
FIGURES = ("health", "attack", "magic_attack", "light", "light_penalty", "total", "margin", "outcome")


def best(scenario: dict[str, Any], expect: dict[str, Any]) -> Battle | None:
    verdict = judge(scenario, limit=30_000)
    fitting = [
        battle
        for (monster, rank), battle in verdict.best.items()
        if expect.get("monster", monster) == monster and expect.get("rank", rank) == rank
    ]
    if not fitting:
        return None
    return max(fitting, key=lambda battle: (battle.worth(scenario.get("goal", "win")), -battle.rank))


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    scenario = example["scenario"]
    if "others" in scenario:
        pytest.skip("not covered: the hands of other players")
    try:
        if "error" in example:
            with pytest.raises(RefusedError):
                replay(scenario)
            return
        battle = replay(scenario) if "plan" in scenario else best(scenario, example["expect"])
    except NotCoveredError as reason:
        pytest.skip(f"not covered: {reason}")
    expect = example["expect"]
    if expect.get("outcome") == "barred":
        assert battle is None
        return
    assert battle is not None
    for key in FIGURES:
        if key in expect:
            assert getattr(battle, key) == expect[key], (key, example["why"], battle)
    if "destroyed" in expect:
        assert Counter(battle.destroyed) == Counter(expect["destroyed"]), example["why"]
    if "gained" in expect:
        assert Counter(battle.gained) == Counter(expect["gained"]), example["why"]
