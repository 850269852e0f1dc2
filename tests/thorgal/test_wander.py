"""Wandering and gathering as the player aid tells them, and against a second way of counting."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from support.brute import fits, near
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.thorgal.grid import read_grid
from thunderref.thorgal.laying import draw, drawing, read_tiles
from thunderref.thorgal.wander import GOALS, Road, Ways, gatherings, judge_way, ways


def road_of(card: str, tiles: str, *, upcoming: Sequence[str] = (), mirror: bool = False, column: str = "all") -> Road:
    further = [read_grid(text) for text in upcoming]
    return Road(read_grid(card), read_tiles(tiles), upcoming=further, mirror=mirror, column=column)


def listed(card: str, tiles: str, actions: int, **options: Any) -> Ways:
    terms = {name: options.pop(name) for name in ("mirror", "column", "upcoming") if name in options}
    return ways(road_of(card, tiles, **terms), actions, **{"goal": "benefits"} | options)


def pictures(found: Ways) -> set[str]:
    return {drawing(way.grid, way.pieces) for way in found.ways}


# aid, wander: a tile touches an existing one, turned any way round, in the column of the farthest field or right of it
@pytest.mark.parametrize(
    ("card", "lay", "code", "rule"),
    [
        ("X.../X...", ".AA./....", None, ""),
        ("X.../X...", ".A../.A..", None, ""),
        ("X.../X...", "..AA/....", "thorgal-wander-touch", "T5.2"),
        ("X../X../...", ".../.../AA.", None, ""),
        (".X./.../...", ".../.A./.A.", None, ""),
        (".X./.../...", ".../AA./...", "thorgal-wander-column", "T5.4"),
        (".X./.../...", "..A/..A", None, ""),
        ("..X/.../...", ".../.AA/...", "thorgal-wander-column", "T5.4"),
        ("X.../X...", ".AAB/...B", None, ""),
        ("X.../X...", ".A../.ABB", None, ""),
        ("X.../X...", ".BAA/.B..", "thorgal-wander-touch", "T5.2"),
        ("X.../....", ".AAB/...B/", None, ""),
        ("X.../....", ".AA./BB..", "thorgal-wander-column", "T5.4"),
        ("X.../....", "..../.AA.", "thorgal-wander-touch", "T5.2"),
        ("X.../X...", "AA..", "thorgal-on-covered", "T5.1"),
        ("X@../X...", ".A../.A..", "thorgal-on-covered", "T5.1"),
        ("X.../X...", ".AAA", "thorgal-wrong-shape", "T5.1"),
        ("X.../X...", ".AA./.BBC/...C", "thorgal-outside", "T5.1"),
        ("X.../X...", ".AAC/.BBC", "thorgal-more-actions", "T5.1"),
        ("X.../X...", ".AA.", None, ""),
    ],
)
def test_a_given_way(card: str, lay: str, code: str | None, rule: str) -> None:
    actions = len(set(lay) & set("AB"))
    if code is None:
        way = judge_way(road_of(card, "I2"), lay, actions)
        assert len(way.pieces) == actions
        assert drawing(way.grid, way.pieces) in pictures(listed(card, "I2", actions))
        return
    with pytest.raises(ThunderrefError) as fault:
        judge_way(road_of(card, "I2"), lay, actions)
    assert (fault.value.code, fault.value.params["rule"]) == (code, rule)


def test_the_other_reading_of_the_column() -> None:
    """With one field of the tile in the farthest column the others may lie behind it."""
    assert ".../.AA/..." not in pictures(listed("..X/.../...", "I2", 1))
    assert ".../.AA/..." in pictures(listed("..X/.../...", "I2", 1, column="any"))
    assert ".A./.A./..." not in pictures(listed("..X/.../...", "I2", 1, column="any"))


# aid, wander: as many tiles as wander actions
def test_one_tile_for_every_action() -> None:
    assert {len(way.pieces) for way in listed("X..../X....", "I2", 2).ways} == {2}
    short = listed("X.../####", "I2", 2).ways
    assert [(len(way.pieces), way.stopped) for way in short] == [(1, True)]
    with pytest.raises(ThunderrefError) as fault:
        judge_way(road_of("X..../X....", "I2"), ".AA", 2)
    assert fault.value.code == "thorgal-fewer-actions"
    assert judge_way(road_of("X..../X....", "I2"), ".AA", 2, may_leave=True)
    assert {len(way.pieces) for way in listed("X..../X....", "I2", 2, may_leave=True).ways} == {1, 2}


# aid, wander: a tile in a column with a rhombus adds the next card, and brings the bonus
def test_a_rhombus_adds_the_next_card() -> None:
    found = listed("X../--^", "I2", 2, upcoming=["1./^-"])
    assert pictures(found) == {".AABB"}
    (way,) = found.ways
    assert (way.rhombus, way.columns, way.benefits) == ((2, 3), 5, 3)
    alone = listed("X../--^", "I2", 2)
    assert [(way.columns, way.stopped, way.unknown) for way in alone.ways] == [(3, False, 1)]
    assert [(way.stopped, way.unknown) for way in found.ways] == [(False, 0)]
    known = listed("X../--^", "I2", 9, upcoming=["1./--"])
    assert [(len(way.pieces), way.stopped, way.unknown) for way in known.ways] == [(2, True, 0)]


def test_a_card_not_yet_added_is_out_of_reach() -> None:
    with pytest.raises(ThunderrefError) as fault:
        judge_way(road_of("X../---", "I2", upcoming=[".."]), "..." + "AA", 1)
    assert (fault.value.code, fault.value.params["rule"]) == ("thorgal-card-not-there", "T5.6")


def test_a_rhombus_counts_once() -> None:
    assert listed("X/./^", "I1", 1).ways[0].rhombus == ()
    assert listed("./^", "I1", 1).ways[0].rhombus == (0,)


def test_goals() -> None:
    card = "X.../X.1y"
    best = {goal: listed(card, "I2, I3", 1, goal=goal).ways[0] for goal in GOALS}
    assert (best["benefits"].benefits, best["benefits"].penalties) == (1, 0)
    assert (best["far"].farthest, best["far"].benefits, best["far"].penalties) == (3, 1, 1)
    assert best["safe"].penalties == 0
    card = "X1y/X.."
    best = {goal: listed(card, "I2", 1, goal=goal).ways[0] for goal in GOALS}
    assert best["far"].farthest == 2
    assert (best["benefits"].benefits, best["benefits"].penalties) == (1, 0)


# aid, wander: every covered symbol has its effect
def test_the_effects_come_tile_by_tile() -> None:
    way = judge_way(road_of("X1y[*t]/X.g?", "I2"), ".AAB/...B", 2)
    assert [(e.letter, e.kind) for e in way.effects] == [
        ("A", "wood"), ("A", "yellow"), ("B", "torch"), ("B", "red-star"), ("B", "find"),
    ]  # fmt: skip


def plain_ways(rows: list[str], drawings: list[str], actions: int) -> set[frozenset[frozenset[tuple[int, int]]]]:
    """Every way by laying tile after tile, with sets of fields only."""
    holes = ["".join("#" if sign in "X#" else sign for sign in row) for row in rows]
    start = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "X")
    final = set()

    def lay(laid: tuple[frozenset[tuple[int, int]], ...]) -> None:
        there = start.union(*laid)
        far = max((c for _, c in there), default=-1)
        room = False
        for tile in drawings:
            for cells in fits(holes, tile, False):
                if cells & there or (there and (not near(cells, there) or min(c for _, c in cells) < far)):
                    continue
                room = True
                if len(laid) < actions:
                    lay((*laid, cells))
        if laid and (len(laid) == actions or not room):
            final.add(frozenset(laid))

    lay(())
    return final


@pytest.mark.parametrize("seed", range(60))
def test_all_ways_are_listed(seed: int) -> None:
    dice = random.Random(seed)
    rows = ["".join(dice.choices("X.#1y", (1, 6, 1, 2, 1))[0] for _ in range(5)) for _ in range(3)]
    tiles = dice.sample(["I1", "I2", "I3", "L3", "S4"], 2)
    actions = dice.choice((1, 2))
    wanted = plain_ways(rows, [draw(tile.shape) for tile in read_tiles(" ".join(tiles))], actions)
    if not wanted:
        with pytest.raises(NoAnswerError):
            listed("/".join(rows), " ".join(tiles), actions)
        return
    found = listed("/".join(rows), " ".join(tiles), actions)
    assert found.complete
    got = {frozenset(frozenset(way.grid.cells(piece.mask)) for piece in way.pieces) for way in found.ways}
    assert got == wanted
    assert len(found.ways) == len(got)


def test_a_list_too_long_says_so() -> None:
    found = listed("X......./X......./X.......", "I2 I3 L3", 3, limit=200)
    assert not found.complete
    assert len(found.ways) <= 260


LATE = "X...t.1./X.y.#.../X.2.*.r./X...+..?/X1...y../X..t...1"
FIVE = "I2, I3, L3, T4, S4"


@pytest.mark.parametrize("goal", GOALS)
def test_late_wandering_is_found_exactly(goal: str) -> None:
    """Too many ways to list, and still nothing better passes: neither short of time nor laid by chance."""
    road, dice = road_of(LATE, FIVE), random.Random(5)
    exact = ways(road, 5, goal=goal, limit=1000)
    assert (exact.complete, exact.proven, len(exact.ways)) == (False, True, 100)
    best = exact.ways[0].rank(goal)
    some = ways(road, 5, goal=goal, limit=1000, budget=10)
    assert not some.proven
    assert some.ways[0].rank(goal) <= best
    for _ in range(200):
        trail = road.start
        for _ in range(5):
            trail = dice.choice([*road.next(trail)] or [trail])
        assert road.way(trail, False).rank(goal) <= best
    way = exact.ways[0]
    assert judge_way(road, drawing(way.grid, way.pieces), 5).rank(goal) == best


# aid, gather: the token on any torch or resource field, as many as there are actions; a penalty is set off
def test_gathering() -> None:
    assert [g.cell for g in gatherings(read_grid("[X1][@1]1"), 1)] == [(0, 2)]  # neither covered nor gathered before
    found = gatherings(read_grid("X1y/t[y2]@/[r7]?*"), 3)
    assert [(g.cell, g.resource, g.amount, g.penalties) for g in found] == [
        ((0, 1), "wood", 3, ()),
        ((1, 0), "torch", 3, ()),
        ((1, 1), "ore", 3, ("yellow",)),
        ((2, 0), "diamond", 3, ("red",)),
    ]


@pytest.mark.parametrize(
    ("want", "kinds"), [("wood", ["wood", "diamond"]), ("torch", ["torch"]), ("fire", ["diamond"])]
)
def test_gathering_one_resource(want: str, kinds: list[str]) -> None:
    assert [g.resource for g in gatherings(read_grid("1t7"), 1, want)] == kinds


def test_a_number_out_of_range_is_refused_with_its_bounds() -> None:
    with pytest.raises(ThunderrefError) as fault:
        gatherings(read_grid("1"), 0)
    assert fault.value.params == {"name": "--actions", "n": 0, "least": 1, "most": 20}


@pytest.mark.parametrize(
    ("card", "actions", "code"), [("..y?", 1, "thorgal-nothing-to-gather"), ("1", 0, "thorgal-number")]
)
def test_nothing_to_gather(card: str, actions: int, code: str) -> None:
    with pytest.raises(ThunderrefError) as fault:
        gatherings(read_grid(card), actions)
    assert fault.value.code == code


@pytest.mark.parametrize(
    ("card", "tiles", "options", "code"),
    [
        ("X..", "I2", {"goal": "fast"}, "thorgal-goal"), ("X..", "I2", {"column": "none"}, "thorgal-column-rule"),
        ("X..", "", {}, "thorgal-no-tiles"), ("X##", "I2", {}, "thorgal-no-room"), ("X.#", "I2", {}, "thorgal-no-room"),
        ("X..", "I2", {"actions": 0}, "thorgal-number"), ("X..", "I2", {"upcoming": ["./."]}, "thorgal-heights"),
    ],
)  # fmt: skip
def test_what_has_no_answer(card: str, tiles: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(ThunderrefError) as fault:
        listed(card, tiles, options.pop("actions", 1), **options)
    assert fault.value.code == code
    assert isinstance(fault.value, InputError) == (code != "thorgal-no-room")
