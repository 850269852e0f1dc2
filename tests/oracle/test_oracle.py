"""The engine's best line against a brute force that shares no code with it, on random small scenarios.

THUNDERREF_EXAMPLES=5000 compares so many of each kind; THUNDERREF_ORACLE_SEED moves the window of seeds.
"""

from __future__ import annotations

import os

import pytest

from support import oracle
from support.compare import differences, doubtful_lines
from support.scenarios import scenario
from support.several import ASKED, several

FIRST = int(os.environ.get("THUNDERREF_ORACLE_SEED", "1"))
BASE = several(20, 300)
WRATH = several(12, 200)
CHUNK = 50
LIMIT = None if ASKED else 4_000
"""Positions of one scenario that a run is ready to visit, unless it was asked for more."""
pytestmark = pytest.mark.thorough


def chunks(count: int) -> list[range]:
    return [range(first, min(first + CHUNK, FIRST + count)) for first in range(FIRST, FIRST + count, CHUNK)]


def compare_all(seeds: range, *, wrath: bool) -> tuple[int, list[str]]:
    compared, found = 0, []
    for seed in seeds:
        document = scenario(seed, wrath=wrath)
        try:
            differing = differences(document, LIMIT)
        except oracle.NotCoveredError:
            continue
        compared += 1
        found += [f"seed {seed}: {line}: {document}" for line in differing]
    return compared, found


@pytest.mark.parametrize("seeds", chunks(BASE), ids=str)
def test_base_set(seeds: range) -> None:
    compared, found = compare_all(seeds, wrath=False)
    assert not found
    assert compared >= len(seeds) * 9 // 10


@pytest.mark.parametrize("seeds", chunks(WRATH), ids=str)
def test_with_wrath(seeds: range) -> None:
    compared, found = compare_all(seeds, wrath=True)
    assert not found
    assert compared >= len(seeds) * 8 // 10


@pytest.mark.parametrize("wrath", [False, True], ids=["base", "wrath"])
def test_every_figure_of_a_best_line(wrath: bool) -> None:
    """Attack, Magic Attack, Light, penalty and the cards lost and won: the oracle plays the line and gets the same."""
    count = several(8, 150)
    played, found = 0, []
    for seed in range(FIRST + 100_000, FIRST + 100_000 + count):
        document = scenario(seed, wrath=wrath)
        lines, doubts = doubtful_lines(document)
        played += lines
        found += [f"seed {seed}: {line}: {document}" for line in doubts]
    assert not found
    assert played >= count


@pytest.mark.parametrize("wrath", [False, True])
def test_the_oracle_loses_nothing_by_looking_once_at_a_position(wrath: bool) -> None:
    """Its only economy: with every order played out in full the verdict is the same."""
    tried = 0
    count = several(2, 40)
    for seed in range(count):
        document = scenario(seed, wrath=wrath, size=(2, 4))
        try:
            full = oracle.judge(document, every_order=True, limit=4_000)
        except oracle.NotCoveredError:
            continue
        tried += 1
        quick = oracle.judge(document)
        goal = document["goal"]
        assert {key: battle.worth(goal) for key, battle in full.best.items()} == {
            key: battle.worth(goal) for key, battle in quick.best.items()
        }
        assert full.barred == quick.barred
    assert tried >= count // 2


@pytest.mark.slow
@pytest.mark.parametrize("wrath", [False, True], ids=["base", "wrath"])
def test_larger_hands(wrath: bool) -> None:
    """Seven to nine cards: what such hands come to is played out in full where that takes few positions."""
    count = several(120, 120)
    compared, found = 0, []
    for seed in range(FIRST + 50_000, FIRST + 50_000 + count):
        document = scenario(seed, wrath=wrath, size=(7, 9))
        try:
            differing = differences(document, LIMIT and LIMIT // 12)
        except oracle.NotCoveredError:
            continue
        compared += 1
        found += [f"seed {seed}: {line}: {document}" for line in differing]
    assert not found
    assert compared >= count // 2


@pytest.mark.slow
def test_a_hero_turned_already_holds_many_weapons() -> None:
    """All of them count as Magic Attack, also those beyond the first (R5.8, R4.3)."""
    assert not differences(scenario(50_083, wrath=True, size=(7, 9)))


@pytest.mark.parametrize(("seed", "wrath"), [(401, True), (436, True), (1281, False), (1941, True), (7005, True)])
def test_scenarios_on_which_a_shortcut_once_went_too_far(seed: int, wrath: bool) -> None:
    """Diseases still in the deck, a Spear thrown before it can drop, a hero lent to save him from a trap to come."""
    assert not differences(scenario(seed, wrath=wrath))


def test_food_the_battle_would_destroy_is_better_destroyed_for_an_effect() -> None:
    """The Green Blob takes the Iron Rations in any case, so they make the Outlands Warrior stronger at no more cost."""
    hand = ["creeping-death", "iron-rations", "outlands-warrior", "spear", "toryn-duelist", "divine-prophet"]
    assert not differences({"ruleset": "print", "goal": "win", "hand": hand, "hall": ["green-blob"]})
