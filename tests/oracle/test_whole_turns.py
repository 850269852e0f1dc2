"""Whole turns of both boxes, from the hand to the hall that is left, against the oracle; and plans, legal or not.

THUNDERREF_EXAMPLES and THUNDERREF_ORACLE_SEED as in test_oracle.py; 2,000 turns take about an hour.
"""

from __future__ import annotations

import os
import random

import pytest
from msgspec.structs import replace

from support import oracle
from support.compare import answer, differences, doubtful_lines, plan_differences
from support.plans import random_plan
from support.scenarios import whole_turn
from support.several import ASKED, several
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import Resolution

FIRST = int(os.environ.get("THUNDERREF_ORACLE_SEED", "1"))
TURNS = several(12, 160)
PLANS = 2
"""So many of each turn."""
CHUNK = 100
LIMIT = 400 if ASKED else 100
"""Positions of one turn that a run is ready to visit."""
pytestmark = pytest.mark.thorough


def chunks() -> list[range]:
    return [range(first, min(first + CHUNK, FIRST + TURNS)) for first in range(FIRST, FIRST + TURNS, CHUNK)]


@pytest.mark.parametrize("seeds", chunks(), ids=str)
def test_the_best_lines_and_all_their_figures(seeds: range) -> None:
    """The worth of the best line against each target, and what the oracle makes of that line."""
    judged, played, found = 0, 0, []
    for seed in seeds:
        document = whole_turn(seed)
        results = resolve(document).targets
        lines, differing = doubtful_lines(document, results)
        played += lines
        try:
            differing += differences(document, LIMIT, results)
            judged += 1
        except oracle.NotCoveredError:
            pass
        found += [f"seed {seed}: {line}: {document}" for line in differing]
    assert not found
    assert judged >= len(seeds) // 2
    assert played >= len(seeds)


@pytest.mark.parametrize("seed", [82, 103, 500])
def test_what_is_taken_after_the_battle_is_compared(seed: int) -> None:
    """R6.5: Claymore takes a monster worth 1 or 2 VP before the refill, Gohlen Hunter one that others discarded."""
    document = whole_turn(seed)
    results = resolve(document).targets
    assert not differences(document, results=results)
    poorer = [replace(target, gained=[card for card in target.gained if card == target.monster]) for target in results]
    assert differences(document, results=poorer)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(500130, id="the gap at rank 3 lets a trap in before the battle or after it: one Disease anyway"),
        pytest.param(
            500361, id="the food that pays Thyrian Lord for a monster would be destroyed in the battle anyway"
        ),
        pytest.param(
            500652, id="the first of two stones leaves at the shift: no further refill, and no Claymore in it"
        ),
    ],
)
def test_what_is_lost_and_taken_is_compared(seed: int) -> None:
    assert not differences(whole_turn(seed))


def test_another_player_loses_a_hero_to_the_pit_trap() -> None:
    """Whose hand is known, and from whom another hero is borrowed then: which one he shows the oracle cannot tell."""
    assert doubtful_lines(whole_turn(501162)) == (0, [])


def test_a_plan_may_say_that_nothing_is_shown_to_a_trap() -> None:
    """Which is not to leave it open."""
    document = whole_turn(500712)
    plan = random_plan(random.Random("plan 500712 1"), document)
    assert {"use": "elf-archmage", "bottom": "horde-10", "show": None} in plan
    assert not plan_differences({**document, "plan": plan})


@pytest.mark.parametrize("seeds", chunks(), ids=str)
def test_plans(seeds: range) -> None:
    """Accepted by both or refused by both; what is accepted comes to the same."""
    accepted, refused, found = 0, 0, []
    for seed in seeds:
        document = whole_turn(seed)
        for number in range(PLANS):
            try:
                planned = {**document, "plan": random_plan(random.Random(f"plan {seed} {number}"), document)}
                differing = plan_differences(planned)
            except oracle.NotCoveredError:
                continue
            found += [f"seed {seed}: {line}: {planned}" for line in differing]
            legal = isinstance(answer(planned), Resolution)
            accepted, refused = accepted + legal, refused + (not legal)
    assert not found
    assert accepted >= len(seeds) * PLANS // 3
    assert refused >= len(seeds) * PLANS // 4
