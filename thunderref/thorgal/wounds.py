"""A character's wound board (T14): does a wound still fit, how many more can be taken, which may be healed.

The board is typed like a card: ``.`` free, ``#`` outside, and a letter for each wound tile that lies there (the same
letter on all its fields); ``*`` is a field under some wound or other. A new wound must touch an earlier one (T14.2);
wounds are never moved, so what was laid badly stays so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.thorgal.fields import COVERED, HOLE, PLAIN_SIGNS, Field
from thunderref.thorgal.grid import MOST_FIELDS, Cell, Grid, split_rows
from thunderref.thorgal.laying import Piece
from thunderref.thorgal.tiles import (
    Shape,
    Tile,
    counted,
    every_shape,
    is_connected,
    normal,
    orientations,
    read_tile,
    split_words,
    tile_of,
    upright,
)

LARGEST = 6
"""Fields of the largest wound that may be given by its size alone."""
MOST_WOUNDS = 12
BUDGET = 100_000
"""Different boards looked at for one number."""


class Board(NamedTuple):
    """A wound board: its fields, and the wounds on it by their letters."""

    grid: Grid
    wounds: tuple[Piece, ...]

    @property
    def covered(self) -> int:
        """The fields under wounds."""
        return self.grid.mask_of(COVERED)


class Wound(NamedTuple):
    """A wound to come: as the event names it, and every form it may have on the board."""

    name: str
    shapes: tuple[Shape, ...]
    by_size: bool
    """True if only the number of fields is given, so that any tile of that size will do."""

    @property
    def size(self) -> int:
        """Number of fields."""
        return len(self.shapes[0])


class Capacity(NamedTuple):
    """How many more wounds of one kind fit.

    ``most``: laid as well as can be, with the shapes one would choose. ``surely``: however badly they are laid and
    whatever shapes come. ``most_proven`` False: at least so many; ``surely_proven`` False: at least so many for sure.
    """

    wound: Wound
    most: int
    most_proven: bool
    surely: int
    surely_proven: bool
    first: int
    """Where the first of them lies in the best way (mask); 0 for none."""


class Taken(NamedTuple):
    """Wounds laid one after another; ``dies`` is the number of the first (from 0) for which no room can be kept."""

    laid: tuple[Piece, ...]
    dies: int | None


class Heal(NamedTuple):
    """One wound that may be taken off."""

    letter: str
    tile: Tile
    exact: bool
    """True if it is as large as the heal allows."""


def read_board(text: str) -> Board:
    """The board typed as ``text``; raises :class:`InputError` for a ragged one, an unknown sign, a wound in pieces."""
    rows: list[tuple[Field, ...]] = []
    wounds: dict[str, list[Cell]] = {}
    for number, line in enumerate(split_rows(text)):
        row: list[Field] = []
        for column, sign in enumerate(line):
            if sign in PLAIN_SIGNS:
                row.append(Field())
            elif sign == "#":
                row.append(Field((HOLE,)))
            elif sign.isalpha() or sign == "*":
                row.append(Field((COVERED,)))
                if sign != "*":
                    wounds.setdefault(sign.upper(), []).append(Cell(number, column))
            else:
                raise InputError("thorgal-board-sign", sign=sign, row=number + 1, column=column + 1)
        if rows and len(row) != len(rows[0]):
            raise InputError("thorgal-ragged", row=number + 1, has=len(row), first=len(rows[0]))
        rows.append(tuple(row))
    if not rows:
        raise InputError("thorgal-empty-grid")
    grid = Grid(tuple(rows))
    if grid.width * grid.height > MOST_FIELDS:
        raise InputError("thorgal-too-large", n=grid.width * grid.height, most=MOST_FIELDS)
    pieces = []
    for letter, cells in wounds.items():
        if not is_connected(cells):
            raise InputError("thorgal-wound-apart", letter=letter)
        pieces.append(Piece(letter, tile_of(normal(cells)), sum(grid.bit(*cell) for cell in cells)))
    return Board(grid, tuple(pieces))


def read_wounds(text: str, mirror: bool) -> list[Wound]:
    """The wounds of a list: shapes (``L3``) and sizes (``3``), each with its count if any (``2 L3``, ``2x3``)."""
    found: list[Wound] = []
    for count, word in counted(split_words(text.replace("(", " ").replace(")", " "))):
        if word.isdigit():
            found += [of_size(int(word))] * min(count, MOST_WOUNDS + 1)
        else:
            tile = read_tile(word)
            found += [Wound(tile.name, orientations(tile.shape, mirror), False)] * min(count, MOST_WOUNDS + 1)
        if len(found) > MOST_WOUNDS:
            raise InputError("thorgal-tiles-many", n=len(found), most=MOST_WOUNDS)
    if not found:
        raise InputError("thorgal-no-tiles")
    return found


def of_size(size: int) -> Wound:
    """A wound of which only the number of fields is known; raises :class:`InputError` for one too large."""
    if not 1 <= size <= LARGEST:
        raise InputError("thorgal-wound-size", n=size, most=LARGEST)
    return Wound(str(size), every_shape(size), True)


def places(board: Board, wound: Wound) -> list[int]:
    """Every place of a wound on free fields, whether it touches or not."""
    found: dict[int, None] = {}
    for shape in wound.shapes:
        found |= dict.fromkeys(upright(board.grid, shape))
    return list(found)


def may_lie(board: Board, covered: int, all_places: Sequence[int]) -> list[int]:
    """The places free of ``covered`` that touch it; all free ones if nothing is covered."""
    if not covered:
        return list(all_places)
    edge = board.grid.neighbours(covered)
    return [mask for mask in all_places if not mask & covered and mask & edge]


def take(board: Board, wounds: Sequence[Wound]) -> Taken:
    """Lays the wounds one after another so that as many of them as possible find room; exact within the budget.

    Raises :class:`NoAnswerError` if the budget ends before that is known.
    """
    options = [places(board, wound) for wound in wounds]
    best: list[int] = []
    dead: set[tuple[int, int]] = set()

    def lay(number: int, covered: int, laid: list[int]) -> bool:
        nonlocal best
        if len(laid) > len(best):
            best = list(laid)
        if number == len(wounds):
            return True
        if (number, covered) in dead:
            return False
        if len(dead) > BUDGET:
            raise NoAnswerError("thorgal-wounds-many", n=BUDGET)
        for mask in may_lie(board, covered, options[number]):
            if lay(number + 1, covered | mask, [*laid, mask]):
                return True
        dead.add((number, covered))
        return False

    if len(wounds) == 1:  # where it leaves the most room for another of its kind
        first = capacity(board, wounds[0]).first
        best = [first] if first else []
    else:
        lay(0, board.covered, [])
    used = {piece.letter for piece in board.wounds}
    letters = iter(letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" if letter not in used)
    laid = tuple(Piece(next(letters), tile_of(normal(board.grid.cells(mask))), mask) for mask in best)
    return Taken(laid, None if len(best) == len(wounds) else len(best))


def capacity(board: Board, wound: Wound) -> Capacity:
    """How many more wounds of this kind can be taken before death: the most, and what surely fits."""
    all_places = places(board, wound)
    if wound.size == 1:
        return _singles(board, wound, all_places)
    most, first, proven = _most(board, wound, all_places)
    surely, sure = _surely(board, all_places, most)
    return Capacity(wound, most, proven, surely, sure, first)


def _regions(board: Board, covered: int) -> list[int]:
    """The free regions that touch what is covered; all of them if nothing is."""
    free = board.grid.open & ~covered
    edge = board.grid.neighbours(covered) if covered else free
    found = []
    left = free
    while left:
        region = left & -left
        while True:
            wider = region | board.grid.neighbours(region) & free
            if wider == region:
                break
            region = wider
        left &= ~region
        if region & edge:
            found.append(region)
    return found


def _singles(board: Board, wound: Wound, all_places: Sequence[int]) -> Capacity:
    """One-field wounds fill every region they can reach, in any order; an empty board only the region of the first."""
    regions = [region.bit_count() for region in _regions(board, board.covered)]
    most = sum(regions) if board.covered else max(regions, default=0)
    surely = sum(regions) if board.covered else min(regions, default=0)
    here = may_lie(board, board.covered, all_places)
    if not board.covered:
        here = [mask for mask in here if any(mask & r and r.bit_count() == most for r in _regions(board, 0))]
    return Capacity(wound, most, True, surely, True, here[0] if here else 0)


def _bound(board: Board, covered: int, size: int, black: int) -> int:
    """At most so many more wounds: each takes its size out of one region, a wound of two fields one of each colour."""
    regions = _regions(board, covered)
    if size == 2:
        counts = [min((r & black).bit_count(), (r & ~black).bit_count()) for r in regions]
    else:
        counts = [r.bit_count() // size for r in regions]
    return sum(counts) if covered else max(counts, default=0)


def _most(board: Board, wound: Wound, all_places: Sequence[int]) -> tuple[int, int, bool]:
    """The most wounds, where the first of them lies, whether that is proven."""
    grid = board.grid
    black = sum(
        grid.bit(row, column) for row in range(grid.height) for column in range(grid.width) if (row + column) % 2
    )
    best: tuple[int, ...] = ()
    goal = _bound(board, board.covered, wound.size, black)
    seen: set[int] = set()

    def lay(covered: int, laid: tuple[int, ...]) -> bool:
        """True when there is nothing more to look for."""
        nonlocal best
        if len(laid) > len(best):
            best = laid
        if len(best) == goal or len(seen) > BUDGET:
            return True
        if covered in seen or len(laid) + _bound(board, covered, wound.size, black) <= len(best):
            return False
        seen.add(covered)
        near = may_lie(board, covered, all_places)
        edge = grid.open & ~covered
        near.sort(key=lambda mask: (grid.neighbours(mask) & edge).bit_count())  # into corners first
        return any(lay(covered | mask, (*laid, mask)) for mask in near)

    lay(board.covered, ())
    return len(best), best[0] if best else 0, len(best) == goal or len(seen) <= BUDGET


def _surely(board: Board, all_places: Sequence[int], most: int) -> tuple[int, bool]:
    """How many fit however badly they are laid: the shortest way to a board without room, level by level."""
    level = {board.covered}
    seen = 0
    for number in range(most + 1):
        wider: set[int] = set()
        for covered in level:
            near = may_lie(board, covered, all_places)
            if not near:
                return number, True
            wider.update(covered | mask for mask in near)
            if seen + len(wider) > BUDGET:
                return number, False
        seen += len(wider)
        level = wider
    return most, True


def heals(board: Board, size: int | None) -> list[Heal]:
    """The wounds that a heal may take off, one of them, the largest first; ``size`` None heals any (T14.3).

    Raises :class:`NoAnswerError` if there is none.
    """
    if size is not None and size < 1:
        raise InputError("thorgal-heal-size", n=size)
    if not board.wounds:
        raise NoAnswerError("thorgal-unwounded")
    found = [
        Heal(wound.letter, wound.tile, wound.tile.size == size)
        for wound in board.wounds
        if size is None or wound.tile.size <= size
    ]
    if not found:
        least = min(wound.tile.size for wound in board.wounds)
        raise NoAnswerError("thorgal-no-heal", size=size, least=least)
    return sorted(found, key=lambda heal: (-heal.tile.size, heal.letter))
