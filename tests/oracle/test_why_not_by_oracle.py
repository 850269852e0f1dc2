"""What another choice would have given, against a brute force over every line that holds it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support import oracle
from support.compare import worth
from support.oracle.battle import Worth
from support.scenarios import scenario
from support.several import several
from thunderref.thunderstone.resolve.judge import resolve

COUNT = several(6, 60)
LIMIT = 1_500
EACH = 3
"""Choices weighed in one scenario."""
TELLABLE = {"equip", "to", "use", "effect", "on", "destroy", "bottom", "take", "discard", "borrow"}

Choice = tuple[tuple[str, Any], ...]


def named(p: oracle.Position, step: dict[str, Any]) -> Choice:
    """A step of the oracle with names for its numbers of cards."""
    return tuple(
        (key, p.name(value) if isinstance(value, int) and key != "effect" else value)
        for key, value in step.items()
        if not isinstance(value, list)  # an order of the hall: any
    )


def walk(document: dict[str, Any], choice: Choice | None) -> tuple[set[Choice], dict[str, Worth]]:
    """Every choice there is, and by monster the best worth over the lines that hold ``choice`` (None: all lines)."""
    ruleset, goal = document["ruleset"], document["goal"]
    found: set[Choice] = set()
    best: dict[str, Worth] = {}
    seen: set[tuple[oracle.Position, bool]] = set()
    waiting = [(oracle.begin(document), choice is None)]
    while waiting:
        p, done = waiting.pop()
        if p.over or (p, done) in seen:
            continue
        seen.add((p, done))
        if len(seen) > LIMIT:
            raise oracle.NotCoveredError("too large")
        for fight in oracle.fights(p, ruleset, forgo=True) if done else ():
            for battle in () if fight.barred() else oracle.endings(p, fight):
                value = battle.worth(goal)
                best[fight.foe] = max(value, best.get(fight.foe, value))
        for step, after in oracle.steps(p):
            told = named(p, step)
            found.add(told)
            waiting.append((after, done or (choice is not None and set(choice) <= set(told))))
    return found, best


def weighed(seed: int, document: dict[str, Any]) -> tuple[int, list[str]]:
    """Some of the choices of one scenario weighed by both: how many figures, and where they differ."""
    compared, wrong, goal = 0, [], document["goal"]
    choices, _ = walk(document, None)
    told = sorted(c for c in choices if {key for key, _ in c} <= TELLABLE and dict(c).get("effect") != 0)
    for choice in random.Random(seed).sample(told, min(EACH, len(told))):
        (answer,) = resolve({**document, "why_not": [dict(choice)]}).why_not
        _, expected = walk(document, choice)
        for monster in expected.keys() | {c.monster for c in answer.targets}:
            there = next((c for c in answer.targets if c.monster == monster), None)
            said = None
            if there is not None and there.choice.outcome != "barred":
                said = worth(there.choice, goal, there.line)
            if said != expected.get(monster):
                wrong.append(
                    f"seed {seed}: {dict(choice)}: {monster}: {said}, oracle {expected.get(monster)}: {document}"
                )
        compared += len(expected)
    return compared, wrong


@pytest.mark.thorough
@pytest.mark.parametrize("lender", ["", "selurin-theurge", "toryn-gladiator"])
@pytest.mark.parametrize("wrath", [False, True], ids=["base", "wrath"])
def test_a_forced_choice(wrath: bool, lender: str) -> None:
    """With a hero who has cards lent too: a weapon may fall out of the hands of one who comes back (R4.3)."""
    compared, wrong = 0, []
    for seed in range(1, (COUNT // 3 if lender else COUNT) + 1):
        document = scenario(seed, wrath=wrath, size=(2, 5))
        if lender:
            document["hand"] = [lender, *document["hand"][1:-1], "dagger"]
        try:
            figures, differing = weighed(seed, document)
        except oracle.NotCoveredError:
            continue
        compared += figures
        wrong += differing
    assert not wrong
    assert compared > COUNT // 2


@pytest.mark.parametrize(("seed", "wrath"), [(21, True), (19, False)])
def test_a_step_that_something_must_come_before(seed: int, wrath: bool) -> None:
    """A village that nobody knows keeps no effect back that brings nothing out of it."""
    figures, differing = weighed(seed, scenario(seed, wrath=wrath, size=(2, 5)))
    assert not differing
    assert figures
