"""Whatever is asked, no tile reported overlaps another, leaves the card or fails to touch."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.brute import near
from support.several import several
from thunderref.errors import NoAnswerError
from thunderref.thorgal.fight import GOALS, best_fight, judge_fight
from thunderref.thorgal.grid import Cell, Grid, read_grid
from thunderref.thorgal.laying import DRAWINGS, Piece, Places, best_arrangement, drawing, orientations, read_tile
from thunderref.thorgal.wander import Road, judge_way, ways
from thunderref.thorgal.wounds import read_board, read_wounds, take

SIGNS = "....HH1ytX#*+?"
TILES = st.lists(st.sampled_from(sorted(DRAWINGS)), min_size=1, max_size=4).map(" ".join)

pytestmark = pytest.mark.thorough


@st.composite
def cards(draw: st.DrawFn, signs: str = SIGNS) -> str:
    wide, high = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    row = st.text(st.sampled_from(signs), min_size=wide, max_size=wide)
    return "/".join(draw(st.lists(row, min_size=high, max_size=high)))


def fields(grid: Grid, piece: Piece) -> frozenset[Cell]:
    return frozenset(grid.cells(piece.mask))


def check(grid: Grid, pieces: tuple[Piece, ...], mirror: bool) -> list[frozenset[Cell]]:
    """The fields of each piece, after the checks that hold for every tile laid anywhere."""
    covered: set[Cell] = set()
    each = [fields(grid, piece) for piece in pieces]
    for piece, cells in zip(pieces, each, strict=True):
        assert cells
        assert not cells & covered
        assert all(0 <= r < grid.height and 0 <= c < grid.width and grid.rows[r][c].open for r, c in cells)
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        moved = tuple(sorted(Cell(r - top, c - left) for r, c in cells))
        assert moved in orientations(piece.tile.shape, mirror)
        covered |= cells
    return each


@settings(max_examples=several(30, 600), deadline=None)
@given(cards(), TILES, st.booleans(), st.booleans(), st.sampled_from(GOALS))
def test_a_fight(card: str, names: str, mirror: bool, may_leave: bool, goal: str) -> None:
    assume("H" in card)
    tiles = [read_tile(name) for name in names.split()]
    fight = best_fight([read_grid(card)], tiles, mirror=mirror, may_leave=may_leave, goal=goal, budget=20_000)
    each = check(fight.grid, fight.pieces, mirror)
    together, apart = each[:1], each[1:]
    while apart:
        touching = [cells for cells in apart if any(near(cells, other) for other in together)]
        assert touching
        together += touching
        apart = [cells for cells in apart if cells not in touching]
    assert len(fight.pieces) + len(fight.left_out) == len(tiles)
    assert fight.won == (not fight.uncovered)
    if fight.pieces:
        again = judge_fight(
            [fight.grid],
            drawing(fight.grid, fight.pieces),
            tiles,
            mirror=mirror,
            may_leave=may_leave or not fight.proven,
        )
        assert (again.uncovered, sorted(e[1:3] for e in again.effects)) == (
            fight.uncovered,
            sorted(e[1:3] for e in fight.effects),
        )


@settings(max_examples=several(16, 320), deadline=None)
@given(cards("....1ytX#"), TILES, st.integers(1, 2), st.booleans(), st.sampled_from(("all", "any")))
def test_wandering(card: str, names: str, actions: int, mirror: bool, column: str) -> None:
    tiles = [read_tile(name) for name in names.split()]
    start = read_grid(card)
    try:
        found = ways(Road(start, tiles, mirror=mirror, column=column), actions, goal="benefits", limit=500)
    except NoAnswerError:
        return
    for way in found.ways[:50]:
        each = check(way.grid, way.pieces, mirror)
        there = frozenset(Cell(r, c) for r, row in enumerate(card.split("/")) for c, s in enumerate(row) if s == "X")
        for cells in each:
            if there:
                assert near(cells, there)
                columns = [c for _, c in cells]
                assert (min(columns) if column == "all" else max(columns)) >= max(c for _, c in there)
            there |= cells
        lay = drawing(way.grid, way.pieces)
        assert judge_way(Road(start, tiles, mirror=mirror, column=column), lay, len(each)).benefits == way.benefits


@settings(max_examples=several(16, 320), deadline=None)
@given(cards("......*#"), st.lists(st.sampled_from(["I1", "I2", "L3", "2", "3", "T4"]), min_size=1, max_size=3))
def test_wounds(text: str, names: list[str]) -> None:
    board = read_board(text)
    wounds = read_wounds(" ".join(names), False)
    taken = take(board, wounds)
    assert len(taken) <= len(wounds)
    there = frozenset(Cell(r, c) for r, row in enumerate(text.split("/")) for c, s in enumerate(row) if s == "*")
    for cells, wound in zip(check(board.grid, taken, False), wounds, strict=False):
        assert len(cells) == wound.size
        assert not there or near(cells, there)
        there |= cells


@given(cards(SIGNS + "27@"))
def test_a_grid_is_read_as_it_is_written(card: str) -> None:
    assert read_grid(read_grid(card).text).text == read_grid(card).text


@settings(max_examples=several(15, 240), deadline=None)
@given(cards("..H1y#"), TILES)
def test_more_time_never_finds_less(card: str, names: str) -> None:
    from thunderref.thorgal.fight import layers

    grid = read_grid(card)
    shapes = [read_tile(name).shape for name in names.split()]
    places = Places(grid, shapes, layers(grid))
    short = best_arrangement(places, shapes, budget=8)
    long = best_arrangement(places, shapes)
    assert long.proven
    assert short.places is None or short.worth <= long.worth
