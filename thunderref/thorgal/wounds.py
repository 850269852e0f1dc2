"""A character's wound board (T14): whether a wound still fits, how many more can be taken, which may be healed.

The board is typed like a card: ``.`` free, ``#`` outside, a letter for each wound tile, ``*`` a field under any wound.
A new wound must touch an earlier one (T14.2); wounds are never moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.thorgal import laying
from thunderref.thorgal.grid import COVERED, PLAIN_SIGNS, Cell, Grid, read_grid, split_rows
from thunderref.thorgal.laying import Piece, letter_pieces, number_of, read_counts

LARGEST = 6  # fields of a wound given by its size alone
MOST_WOUNDS = 12
BOARD_BUDGET = 100_000  # different boards tried for one number


class Board(NamedTuple):
    """A wound board: its fields, and the wounds on it by their letters."""

    grid: Grid
    wounds: tuple[Piece, ...]

    @property
    def covered(self) -> int:
        return self.grid.mask_of(COVERED)


class Wound(NamedTuple):
    """A wound to come: as the event names it, by its tile or size, and every shape it may have on the board."""

    name: str
    shapes: tuple[laying.Shape, ...]

    @property
    def size(self) -> int:
        return len(self.shapes[0])


class Capacity(NamedTuple):
    """How many more wounds fit, laid in the best and in the worst way; an unproven number is a lower bound."""

    wound: Wound
    most: int
    most_proven: bool
    surely: int
    surely_proven: bool


def read_board(text: str) -> Board:
    """The board typed as ``text``; :class:`InputError` for a ragged one, an unknown sign, a wound in pieces."""
    wounds: dict[str, list[Cell]] = {}
    rows = split_rows(text)
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign.isalpha():
                wounds.setdefault(sign.upper(), []).append(Cell(row, column))
            elif sign not in f"{PLAIN_SIGNS}#*":
                raise InputError("thorgal-board-sign", sign=sign, row=row + 1, column=column + 1)
    grid = read_grid("".join("X" if sign.isalpha() or sign == "*" else sign for sign in "/".join(rows)))
    pieces = []
    for letter, cells in wounds.items():
        if not laying.is_connected(cells):
            raise InputError("thorgal-wound-apart", letter=letter)
        pieces.append(Piece(letter, laying.tile_of(laying.normal(cells)), grid.mask(cells)))
    return Board(grid, tuple(pieces))


def read_wounds(text: str, mirror: bool) -> list[Wound]:
    """The wounds of a list: shapes (``L3``) and sizes (``3``), each with its number if any."""
    wounds: list[Wound] = []
    for count, word in read_counts(text):
        if word.strip("()").isdecimal():
            size = number_of(word.strip("()"))
            if not 1 <= size <= LARGEST:
                raise InputError("thorgal-wound-size", n=size, most=LARGEST)
            wound = Wound(str(size), laying.every_shape(size))
        else:
            tile = laying.read_tile(word)
            wound = Wound(tile.name, laying.orientations(tile.shape, mirror))
        wounds += [wound] * min(count, MOST_WOUNDS + 1)
        if len(wounds) > MOST_WOUNDS:
            raise InputError("thorgal-tiles-many", n=len(wounds), most=MOST_WOUNDS)
    if not wounds:
        raise InputError("thorgal-no-tiles")
    return wounds


def take(board: Board, wounds: Sequence[Wound]) -> tuple[Piece, ...]:
    """The wounds laid one after another so that as many as possible find room; the first without room kills.

    Exact within the budget; :class:`NoAnswerError` if that runs out. A single wound leaves the most room for another of
    its kind.
    """
    places = [laying.masks(board.grid, wound.shapes) for wound in wounds]
    best: list[int] = []
    dead: set[tuple[int, int]] = set()

    def lay(covered: int, laid: list[int]) -> bool:
        nonlocal best
        number = len(laid)
        best = max(best, laid, key=len)
        if number == len(wounds):
            return True
        if (number, covered) in dead:
            return False
        if len(dead) > BOARD_BUDGET:
            raise NoAnswerError("thorgal-wounds-many", n=BOARD_BUDGET)
        dead.add((number, covered))
        return any(lay(covered | mask, [*laid, mask]) for mask in board.grid.fitting(places[number], covered))

    if len(wounds) == 1:
        best = [*_most_wounds(board, wounds[0], places[0])[0][:1]]
    else:
        lay(board.covered, [])
    laid = ((laying.tile_of(laying.normal(board.grid.cells(mask))), mask) for mask in best)
    return letter_pieces(laid, [piece.letter for piece in board.wounds])


def capacity(board: Board, wound: Wound) -> Capacity:
    """The number of further wounds of this kind before death: at most, and for sure."""
    places = laying.masks(board.grid, wound.shapes)
    best, proven = _most_wounds(board, wound, places)
    return Capacity(wound, len(best), proven, *_surely(board, wound, places))


def _regions(board: Board, covered: int) -> list[int]:
    free = board.grid.open & ~covered
    edge = board.grid.neighbours(covered) if covered else free
    layings = []
    while free:
        region = free & -free
        while wider := board.grid.neighbours(region) & free:
            region |= wider
        free &= ~region
        if region & edge:
            layings.append(region)
    return layings


def _most_wounds(board: Board, wound: Wound, places: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    grid = board.grid
    black = grid.mask(cell for cell in grid.cells(grid.everything) if sum(cell) % 2)
    best: tuple[int, ...] = ()
    seen: set[int] = set()

    def limit(covered: int) -> int:
        """An upper bound: each wound takes its size from one region, one of two fields takes one of each colour."""
        regions = _regions(board, covered)
        if wound.size == 2:
            counts = [min((region & black).bit_count(), (region & ~black).bit_count()) for region in regions]
        else:
            counts = [region.bit_count() // wound.size for region in regions]
        return sum(counts) if covered else max(counts, default=0)

    def lay(covered: int, laid: tuple[int, ...]) -> bool:
        nonlocal best
        best = max(best, laid, key=len)
        if len(best) == goal or len(seen) > BOARD_BUDGET:
            return True
        if covered in seen or len(laid) + limit(covered) <= len(best):
            return False
        seen.add(covered)
        near = grid.fitting(places, covered)
        edge = grid.open & ~covered
        near.sort(key=lambda mask: (grid.neighbours(mask) & edge).bit_count())  # into corners first
        return any(lay(covered | mask, (*laid, mask)) for mask in near)

    goal = limit(board.covered)
    lay(board.covered, ())
    return best, len(best) == goal or len(seen) <= BOARD_BUDGET


def _surely(board: Board, wound: Wound, places: Sequence[int]) -> tuple[int, bool]:
    """How many fit in the worst case: the shortest way to a board without room, level by level."""
    if wound.size == 1:  # these fill every region they can reach, on an empty board that of the first
        sizes = [region.bit_count() for region in _regions(board, board.covered)]
        return sum(sizes) if board.covered else min(sizes, default=0), True
    level, seen, number = {board.covered}, 0, 0
    while True:  # every wound takes fields, so that a board without room comes
        wider: set[int] = set()
        for covered in level:
            near = board.grid.fitting(places, covered)
            if not near:
                return number, True
            wider.update(covered | mask for mask in near)
            if seen + len(wider) > BOARD_BUDGET:
                return number, False
        level, seen, number = wider, seen + len(wider), number + 1


def heals(board: Board, size: int | None) -> list[Piece]:
    """The wounds that a heal may take off (T14.3, one of them), the largest first; ``size`` None heals any."""
    if size is not None and size < 1:
        raise InputError("thorgal-heal-size", n=size)
    if not board.wounds:
        raise NoAnswerError("thorgal-unwounded")
    wounds = [wound for wound in board.wounds if size is None or wound.tile.size <= size]
    if not wounds:
        raise NoAnswerError("thorgal-no-heal", size=size, least=min(wound.tile.size for wound in board.wounds))
    return sorted(wounds, key=lambda wound: (-wound.tile.size, wound.letter))
