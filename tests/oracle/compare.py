"""Puts one scenario to both adjudicators and says where they differ."""

from __future__ import annotations

from collections import Counter
from typing import Any

import oracle
from replay import RefusedError, replay

from thunderref.model.result import TargetResult
from thunderref.solve.api import resolve

BARRED = "barred"


def worth(result: TargetResult, goal: str) -> tuple[int, ...]:
    """The worth of a result, from its public figures only."""
    vp = sum(oracle.CARDS[name].get("vp") or 0 for name in result.destroyed)
    cost = sum(oracle.CARDS[name].get("cost") or 0 for name in result.destroyed)
    assert result.total is not None
    assert result.margin is not None
    win = (int(result.outcome == "victory"), -vp, -cost, result.margin)
    return (result.total, *win) if goal == "max" else win


def differences(scenario: dict[str, Any], limit: int | None = None) -> list[str]:
    """One line for each target on which the two do not agree; raises oracle.NotCoveredError."""
    goal = scenario["goal"]
    verdict = oracle.judge(scenario, limit=limit)
    found = []
    results = resolve(scenario).targets
    for result in results:
        mine = {key: battle.worth(goal) for key, battle in verdict.best.items() if key[0] == result.monster}
        twins = sum(other.monster == result.monster for other in results) > 1
        if twins:
            mine = {key: value for key, value in mine.items() if key[1] == result.rank}
        best = max(mine.values(), default=None)
        said = None if result.outcome == BARRED else worth(result, goal)
        name = f"{result.monster} at rank {result.rank}"
        if said != best:
            found.append(f"{name}: engine {said}, oracle {best}")
        elif said is not None and mine.get((result.monster, result.rank)) != said:
            found.append(f"{name}: engine {said}, oracle at this rank {mine.get((result.monster, result.rank))}")
    judged = {result.monster for result in results}
    met = {monster for monster, _ in (*verdict.best, *verdict.barred)}
    if met - judged:
        attackable = Counter(monster for monster, _ in verdict.best)
        missing = [monster for monster in met - judged if monster in attackable]
        found += [f"{monster}: not judged by the engine" for monster in missing]
    return found


FIGURES = ("health", "attack", "magic_attack", "light", "light_penalty", "total", "margin", "outcome")
CARDS_MOVED = ("destroyed", "gained")


def doubtful_lines(scenario: dict[str, Any]) -> tuple[int, list[str]]:
    """Plays the engine's lines through the oracle: how many could be, and where a figure of the result differs."""
    played, found = 0, []
    for result in resolve(scenario).targets:
        if result.outcome == BARRED:
            continue
        name = f"{result.monster} at rank {result.rank}"
        try:
            battle = replay({**scenario, "plan": result.line})
        except oracle.NotCoveredError:
            continue
        except RefusedError as refusal:
            found.append(f"{name}: {result.line} is refused: {refusal}")
            continue
        played += 1
        for key in FIGURES:
            if getattr(result, key) != getattr(battle, key):
                found.append(f"{name}: {key} engine {getattr(result, key)}, oracle {getattr(battle, key)}")
        for key in CARDS_MOVED:
            if Counter(getattr(result, key)) != Counter(getattr(battle, key)):
                found.append(f"{name}: {key} engine {getattr(result, key)}, oracle {getattr(battle, key)}")
    return played, found
