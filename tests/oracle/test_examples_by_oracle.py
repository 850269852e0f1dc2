"""The oracle itself is checked: it must agree with every hand-worked example of the cards it covers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from support import check_each, examples_by_file
from support.oracle import Battle, NotCoveredError, judge
from support.replay import RefusedError, follow

FILES = examples_by_file("cards/*.toml", "rul*.toml", having="scenario")
NOT_COVERED = {"read the other way the trap still takes a hero"}
"""Names of the examples that the oracle cannot judge: it knows one reading of every rule."""
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


@pytest.mark.parametrize("file", FILES)
def test_the_oracle_agrees_with_every_example(file: str) -> None:
    check_each((each for each in FILES[file] if each[0] not in NOT_COVERED), check_example)


def test_what_is_not_covered_is_known() -> None:
    named = [example for examples in FILES.values() for name, example in examples if name in NOT_COVERED]
    assert len(named) == len(NOT_COVERED)
    for example in named:
        with pytest.raises(NotCoveredError):
            check_example(example)


def check_example(example: dict[str, Any]) -> None:
    scenario = example["scenario"]
    if "error" in example:
        with pytest.raises(RefusedError):
            follow(scenario)
        return
    ways, expect = best(scenario, example["expect"]), example["expect"]
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
