"""The exact search against a second implementation that shares nothing with it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.brute import arrangements, random_case, worth
from thunderref.thorgal.fight import GOALS, best_fight, layers
from thunderref.thorgal.grid import BENEFITS, HEART, PENALTIES, Grid, read_grid
from thunderref.thorgal.laying import DRAWINGS, Places, Tile, best_arrangement, drawn_shape, read_tile, tile_of


def tile(drawing: str) -> Tile:
    shape = drawn_shape(drawing)
    assert shape is not None
    return tile_of(shape)


def read_counts(grid: Grid, covered: int) -> tuple[int, int, int]:
    fields = [grid.field(cell) for cell in grid.cells(covered)]
    hearts = sum(HEART in field.kinds for field in fields)
    helps, harms = (sum(len(kinds & set(field.kinds)) for field in fields) for kinds in (BENEFITS, PENALTIES))
    return hearts, helps, -harms


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_the_best_arrangement_is_that_of_brute_force(start: int, goal: str) -> None:
    for seed in range(start, start + 50):
        rows, drawings, mirror, may_leave = random_case(seed)
        every = arrangements(rows, drawings, mirror, may_leave)
        grid = read_grid("/".join(rows))
        shapes = [tile(d).shape for d in drawings]
        found = best_arrangement(Places(grid, shapes, layers(grid, goal), mirror), shapes, may_leave=may_leave)
        assert found.proven
        assert found.places is not None
        covered = sum(mask for _, mask in found.places)
        hearts, helps, harms = read_counts(grid, covered)
        got = (hearts, helps, harms) if goal == "benefits" else (hearts, harms, helps)
        assert got == max(worth(rows, cells, goal) for cells in every), (seed, rows, drawings, mirror, may_leave)
        assert frozenset(grid.cells(covered)) in every


def random_card(dice: random.Random, high: int, wide: int) -> str:
    weights = (dice.choice((5, 10, 15)), dice.choice((3, 6, 10)), dice.choice((2, 4, 8)), dice.choice((0, 0, 2)), 20)
    return "/".join("".join(dice.choices("H1y#.", weights)[0] for _ in range(wide)) for _ in range(high))


@pytest.mark.parametrize("sizes", ["23", "34", "45", "2345"])
def test_six_by_six_with_five_tiles_is_proven_in_few_steps(sizes: str) -> None:
    """A step takes some six millionths of a second, so this many are well below a second."""
    names = [name for name in DRAWINGS if name[1] in sizes]
    dice = random.Random(6 * 6 * 5)
    for _ in range(25):
        card = read_grid(random_card(dice, 6, 6) + "/")
        if not card.mask_of(HEART):
            continue
        fight = best_fight([card], [read_tile(dice.choice(names)) for _ in range(5)])
        assert fight.proven
        assert fight.steps < 60_000


def test_a_search_without_time_says_so() -> None:
    card = read_grid("H..H../..1.../.H..1./1...H./..H.../H..1.H")
    fight = best_fight([card], [read_tile(name) for name in ("L4", "T4", "S4", "I3", "L3")], budget=12)
    assert not fight.proven
    assert fight.steps == 12


def test_goals_differ() -> None:
    """One tile of two fields, one heart: beside it a resource on a yellow field, or a plain field."""
    card = read_grid(".H[y1]")
    greedy, careful = (best_fight([card], [read_tile("I2")], goal=goal) for goal in GOALS)
    assert [effect.kind for effect in greedy.effects] == ["yellow", "wood"]
    assert careful.effects == ()
    assert greedy.won
    assert careful.won


def test_fields_worth_more_count_more() -> None:
    card: Any = read_grid("1H[1T2]")
    assert {effect.kind for effect in best_fight([card], [read_tile("I2")]).effects} == {"wood", "torch", "ore"}
    assert not BENEFITS & PENALTIES
