"""Counted copies on offer, decks that come to their end, variants: turns in the dungeon and visits, beside the oracle.

THUNDERREF_EXAMPLES and THUNDERREF_ORACLE_SEED as in test_oracle.py.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from support import oracle, visits
from support.compare import answer, differences, doubtful_lines, plan_differences
from support.plans import random_plan
from support.scenarios import errand, stocked, varied
from support.several import ASKED, several
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Resolution

FIRST = int(os.environ.get("THUNDERREF_ORACLE_SEED", "1"))
TURNS = several(5, 240)
VISITS = several(10, 1000)
PLANS = 2
LIMIT = 400 if ASKED else 60
pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("kind", [stocked, varied], ids=["stocks", "variants"])
def test_turns(kind: Callable[[int], dict[str, Any]]) -> None:
    """The best line against each target, all its figures and offers; and plans, legal or not."""
    judged, accepted, found = 0, 0, []
    for seed in range(FIRST, FIRST + TURNS):
        document = kind(seed)
        results = resolve(document).targets
        _, differing = doubtful_lines(document, results)
        try:
            differing += differences(document, LIMIT, results)
            judged += 1
        except oracle.NotCoveredError:
            pass
        for number in range(PLANS):
            try:
                plan = random_plan(random.Random(f"plan {seed} {number}"), document)
                differing += plan_differences({**document, "plan": plan})
            except oracle.NotCoveredError:
                continue
            accepted += isinstance(answer({**document, "plan": plan}), Resolution)
        found += [f"seed {seed}: {line}: {document}" for line in differing]
    assert not found
    assert judged >= TURNS // 2
    assert accepted >= TURNS * PLANS // 3


def test_visits() -> None:
    """The best use of effects by every goal, random plans, all purchases and levels."""
    accepted, found = 0, []
    for seed in range(FIRST, FIRST + VISITS):
        document = errand(seed)
        differing = visits.best_differences(document)
        for number in range(PLANS):
            planned = {**document, "plan": visits.random_errand(random.Random(f"{seed} {number}"), document)}
            differing += visits.plan_differences(planned)
            accepted += isinstance(visits.told(planned), dict)
        found += [f"seed {seed}: {line}: {document}" for line in differing]
    assert not found
    assert accepted >= VISITS
