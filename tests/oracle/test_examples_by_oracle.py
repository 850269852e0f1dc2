"""The oracle itself is checked: it must agree with every hand-worked example of the cards it covers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from support import examples_of
from support.oracle import Battle, NotCoveredError, judge
from support.replay import RefusedError, follow

EXAMPLES = [
    pytest.param(example, id=f"{file}: {example['name']}")
    for file, example in examples_of("cards/*.toml", "rul*.toml")
    if "scenario" in example
]
FIGURES = ("health", "attack", "magic_attack", "light", "light_penalty", "total", "margin", "outcome")
AFTERWARDS = ("xp", "vp", "hall_after", "rank0_after", "unknown_draws", "game_ends")
CARDS_MOVED = ("destroyed", "gained", "discarded", "caged")
"""Of these any way will do that is worth the same: no goal decides who is discarded, or goes into the Cage."""


def best(scenario: dict[str, Any], expect: dict[str, Any]) -> list[Battle]:
    """What a plan comes to, or the best that can be done: all ways that are worth the same, best first, or none."""
    goal = scenario.get("goal", "win")
    if "plan" in scenario:
        ways = [battle for found in follow(scenario).battles.values() for battle in found]
    else:
        ways = list(judge(scenario, limit=30_000).best.values())
    fitting = [
        battle
        for battle in ways
        if expect.get("monster", battle.monster) == battle.monster and expect.get("rank", battle.rank) == battle.rank
    ]
    worths = [(battle.worth(goal), -battle.rank) for battle in fitting]
    return [battle for battle, worth in zip(fitting, worths, strict=True) if worth == max(worths)]


def moved(battle: Battle) -> dict[str, Counter[str]]:
    """The cards that have left or come, whatever their order."""
    return {key: Counter(getattr(battle, key)) for key in CARDS_MOVED}


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: dict[str, Any]) -> None:
    scenario = example["scenario"]
    try:
        if "error" in example:
            with pytest.raises(RefusedError):
                follow(scenario)
            return
        ways = best(scenario, example["expect"])
    except NotCoveredError as reason:
        pytest.skip(f"not covered: {reason}")
    expect = example["expect"]
    if expect.get("outcome") == "barred":
        assert not ways
        return
    assert ways
    told = [key for key in (*FIGURES, *(AFTERWARDS if "plan" in scenario else ())) if key in expect]
    cards = {key: Counter(expect[key]) for key in CARDS_MOVED if key in expect}
    for key in told:
        assert expect[key] in [getattr(battle, key) for battle in ways], (key, example["why"], ways[0])
    ways = [battle for battle in ways if all(getattr(battle, key) == expect[key] for key in told)]
    assert any(cards.items() <= moved(battle).items() for battle in ways), (example["why"], ways)
    if "spoils" in expect:
        assert list(ways[0].rights) == expect["spoils"], example["why"]
    if expect.get("has_spoils"):
        assert ways[0].rights, example["why"]
