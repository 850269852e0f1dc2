"""Wounds and healing as the player aid tells them, and against plain counting."""

from __future__ import annotations

import random
from functools import cache

import pytest

from support.brute import fits, near
from thunderref.errors import ThunderrefError
from thunderref.thorgal.laying import drawing
from thunderref.thorgal.wounds import capacity, heals, read_board, read_wounds, take

Cells = frozenset[tuple[int, int]]


# aid, wounds: a new one touches an earlier one
@pytest.mark.parametrize(
    ("board", "wounds", "dies"),
    [
        ("A../...", "I3", None),
        ("A#./.#.", "I2", 0),  # room, but nowhere beside the first
        ("A#./#..", "I2", 0),  # a corner is no side
        ("A..#/##..", "Z4", None),
        ("A..#/##..", "S4", 0),  # as it is printed, never turned over
        ("A#./.#.", "I1", None),
        ("A#./.#.", "2 I1", 1),
        ("...", "I3", None),  # the first one may lie anywhere
        ("..#..", "I2, I2", 1),  # the second would not touch the first
        ("....", "I2, I2", None),
        ("....", "2, 3", 1),
        ("AA./...", "L3", None),  # turned, it touches
        ("AA./..#", "L3", 0),
        ("AA./..#", "2x1", None),
        ("**../....", "(4)", None),
    ],
)
def test_does_it_fit(board: str, wounds: str, dies: int | None) -> None:
    coming = read_wounds(wounds, False)
    laid = len(take(read_board(board), coming))
    assert (laid if laid < len(coming) else None) == dies


def test_wounds_to_come_are_laid_with_foresight() -> None:
    """The first in the middle would leave no room for the second, and wounds are never moved."""
    taken = take(read_board("A..../#####"), read_wounds("I1, I3", False))
    assert len(taken) == 2
    taken = take(read_board("A.../#.##/#.##"), read_wounds("I2, I3", False))
    board = read_board("A.../#.##/#.##").grid
    assert len(taken) == 1
    assert drawing(board, taken).count("B") == 2


# aid, wounds: a heal takes off one wound, not larger than named
@pytest.mark.parametrize(("size", "letters"), [(None, "BCA"), (5, "BCA"), (4, "BCA"), (3, "CA"), (2, "A"), (1, None)])
def test_healing(size: int | None, letters: str | None) -> None:
    board = read_board("AABB/CCBB/C.../....")
    if letters is None:
        with pytest.raises(ThunderrefError) as fault:
            heals(board, size)
        assert fault.value.code == "thorgal-no-heal"
        assert fault.value.params["least"] == 2
        return
    found = heals(board, size)
    assert "".join(heal.letter for heal in found) == letters


def plain_capacity(rows: list[str], drawings: list[str]) -> tuple[int, int]:
    """Most and least wounds until none fits, by trying every order and place."""
    holes = ["".join("." if sign == "." else "#" for sign in row) for row in rows]
    start = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "A")
    places = [cells for tile in drawings for cells in fits(holes, tile, True)]

    @cache
    def count(there: Cells) -> tuple[int, int]:
        after = [count(there | p) for p in places if not p & there and (not there or near(p, there))]
        return (1 + max(a for a, _ in after), 1 + min(b for _, b in after)) if after else (0, 0)

    return count(start)


SHAPES = {1: ["#"], 2: ["##"], 3: ["###", "#./##"], 4: ["####", "##/##", "###/.#.", ".##/##.", "#./#./##"]}


@pytest.mark.parametrize("seed", range(60))
def test_how_many_more_fit(seed: int) -> None:
    dice = random.Random(seed)
    rows = ["".join(dice.choices(".A#", (6, 1, 1))[0] for _ in range(4)) for _ in range(3)]
    board = read_board("/".join(row.replace("A", "*") for row in rows))
    for size, drawings in SHAPES.items():
        found = capacity(board, *read_wounds(str(size), mirror=True))
        assert (found.most, found.surely) == plain_capacity(rows, drawings), (rows, size)
        assert found.most_proven
        assert found.surely_proven
    (wound,) = read_wounds("L3", True)
    found = capacity(board, wound)
    assert (found.most, found.surely) == plain_capacity(rows, ["#./##"])


def test_most_and_surely_differ() -> None:
    """Three wounds of two fields fit a row of six, but badly laid only two."""
    found = capacity(read_board("......"), *read_wounds("2", mirror=True))
    assert (found.most, found.surely) == (3, 2)
    found = capacity(read_board("A..../#####"), *read_wounds("2", mirror=True))
    assert (found.most, found.surely) == (2, 2)


def test_a_large_board_gets_at_least_what_is_known() -> None:
    found = capacity(read_board("/".join(["........"] * 8)), *read_wounds("2", mirror=True))
    assert (found.most, found.most_proven) == (32, True)
    assert not found.surely_proven
    assert found.surely >= 2


@pytest.mark.parametrize(
    ("board", "code"),
    [
        ("A.A", "thorgal-wound-apart"), ("A./...", "thorgal-ragged"), ("A1", "thorgal-board-sign"),
        ("", "thorgal-empty-grid"), ("/".join(["." * 30] * 9), "thorgal-too-large"),
    ],
)  # fmt: skip
def test_a_board_that_cannot_be_read(board: str, code: str) -> None:
    with pytest.raises(ThunderrefError) as fault:
        read_board(board)
    assert (fault.value.code, fault.value.status) == (code, 2)


@pytest.mark.parametrize(
    ("wounds", "code"),
    [
        ("7", "thorgal-wound-size"), ("0", "thorgal-wound-size"), ("Q9", "thorgal-tile-unknown"),
        ("99 I2", "thorgal-tiles-many"), ("", "thorgal-no-tiles"), ("9999999 I2", "thorgal-tiles-many"),
    ],
)  # fmt: skip
def test_a_wound_that_cannot_be_read(wounds: str, code: str) -> None:
    with pytest.raises(ThunderrefError) as fault:
        read_wounds(wounds, False)
    assert fault.value.code == code
