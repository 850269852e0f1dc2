"""Tiles laid on a card: read from a drawing, checked to the first fault, and what the covered fields bring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal.fields import BENEFITS, HEAL, HOLE, PENALTIES, SIGNS
from thunderref.thorgal.grid import Cell, Grid, split_cells, split_rows
from thunderref.thorgal.rules import effect_rule
from thunderref.thorgal.tiles import Shape, Tile, draw, is_connected, normal, orientations, tile_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Piece(NamedTuple):
    """A tile that lies on a card: its letter in the picture, the tile and the fields it covers."""

    letter: str
    tile: Tile
    mask: int

    def document(self, grid: Grid) -> dict[str, Any]:
        """The piece for JSON, fields as [row, column] from 1."""
        fields = [[row + 1, column + 1] for row, column in grid.cells(self.mask)]
        return {"letter": self.letter, "tile": self.tile.name, "fields": fields}


class Effect(NamedTuple):
    """What a covered field brings: the letter of the tile on it ("" for a token), the field, its kind."""

    letter: str
    cell: Cell
    kind: str
    size: int | None
    """The largest wound a red heart takes off; None for any, and for every other kind."""

    @property
    def rule(self) -> str:
        """The id of its rule."""
        return effect_rule(self.kind)

    @property
    def helps(self) -> bool:
        """True for a gain, False for a penalty."""
        return self.kind in BENEFITS

    def document(self, text: str) -> dict[str, Any]:
        """The effect for JSON; ``text`` is its sentence."""
        return {
            "tile": self.letter, "row": self.cell.row + 1, "column": self.cell.column + 1, "kind": self.kind,
            "size": self.size, "text": text, "rules": [self.rule],
        }  # fmt: skip


def effects_of(grid: Grid, pieces: Iterable[Piece]) -> list[Effect]:
    """The effects of the covered fields: tile by tile, row by row."""
    found = []
    for piece in pieces:
        for cell in grid.cells(piece.mask):
            field = grid.field(cell)
            found += [
                Effect(piece.letter, cell, kind, field.heal if kind == HEAL else None)
                for kind in field.kinds
                if kind in BENEFITS or kind in PENALTIES
            ]
    return found


def counted_fields(grid: Grid, kinds: frozenset[str]) -> list[int]:
    """The open fields with at least one of these kinds, those with at least two, …"""
    amounts = {cell: len(kinds & set(grid.field(cell).kinds)) for cell in grid.cells(grid.open)}
    most = max(amounts.values(), default=0)
    return [sum(grid.bit(*cell) for cell, amount in amounts.items() if amount >= least) for least in range(1, most + 1)]


def read_drawing(grid: Grid, text: str) -> dict[str, list[Cell]]:
    """The fields of each letter drawn over a card, letters in the order in which they are met.

    Whatever is not a letter covers nothing, nor does the letter the field is shown with (``H`` on a heart).
    ``[AB]`` puts two tiles on one field. Fields outside the card are kept: they are a fault of the arrangement.
    """
    found: dict[str, list[Cell]] = {}
    for row, line in enumerate(split_rows(text)):
        for column, signs in enumerate(split_cells(line)):
            inside = row < grid.height and column < grid.width
            own = grid.rows[row][column].kinds if inside else ()
            for sign in signs.upper():
                if sign.isalpha() and not any(sign == SIGNS[kind][0] for kind in own):
                    found.setdefault(sign, []).append(Cell(row, column))
    if not found:
        raise InputError("thorgal-nothing-drawn")
    return found


def read_pieces(grid: Grid, text: str, tiles: Sequence[Tile] | None, mirror: bool, rule: str) -> list[Piece]:
    """The pieces of a drawing, each on open fields of the card, none overlapping, in the shapes of ``tiles``.

    Raises :class:`IllegalStepError` with ``rule`` for the first fault. ``tiles`` None takes the shapes as drawn.
    """
    pieces: list[Piece] = []
    left = None if tiles is None else list(tiles)
    covered: dict[Cell, str] = {}
    for letter, cells in read_drawing(grid, text).items():
        for cell in cells:
            where: dict[str, Any] = {"letter": letter, "row": cell.row + 1, "column": cell.column + 1}
            if cell.row >= grid.height or cell.column >= grid.width:
                raise IllegalStepError("thorgal-outside", rule=rule, **where, rows=grid.height, columns=grid.width)
            if HOLE in grid.field(cell).kinds:
                raise IllegalStepError("thorgal-on-hole", rule=rule, **where)
            if not grid.field(cell).open:
                raise IllegalStepError("thorgal-on-covered", rule=rule, **where)
            if cell in covered:
                raise IllegalStepError("thorgal-overlap", rule=rule, **where, other=covered[cell])
            covered[cell] = letter
        shape = normal(cells)
        if not is_connected(shape):
            raise IllegalStepError("thorgal-letter-apart", rule=rule, letter=letter)
        tile = tile_of(shape) if left is None else _taken(left, shape, letter, mirror, rule, tiles or ())
        pieces.append(Piece(letter, tile, sum(grid.bit(*cell) for cell in cells)))
    return pieces


def _taken(left: list[Tile], shape: Shape, letter: str, mirror: bool, rule: str, rolled: Sequence[Tile]) -> Tile:
    """The tile of that shape, taken out of those left."""
    for tile in left:
        if shape in orientations(tile.shape, mirror):
            left.remove(tile)
            return tile
    names = list(dict.fromkeys(tile.name for tile in left))
    drawn = tile_of(shape).name
    if not left:
        raise IllegalStepError("thorgal-more-tiles", rule=rule, letter=letter, n=len(rolled))
    if not mirror and any(shape in orientations(tile.shape, True) for tile in left):
        raise IllegalStepError("thorgal-mirrored", rule=rule, letter=letter, tile=drawn)
    raise IllegalStepError("thorgal-wrong-shape", rule=rule, letter=letter, tile=drawn, candidates=names)


def lettered(tiles: Sequence[Tile], places: Iterable[tuple[int, int]]) -> list[Piece]:
    """Pieces with letters from A; ``places``: number of the tile and its fields."""
    return [Piece(LETTERS[n], tiles[number], mask) for n, (number, mask) in enumerate(places)]


def left_out(tiles: Sequence[Tile], pieces: Iterable[Piece]) -> list[Tile]:
    """The tiles that were not laid."""
    rest = list(tiles)
    for piece in pieces:
        rest.remove(piece.tile)
    return rest


def drawing(grid: Grid, pieces: Iterable[Piece]) -> str:
    """The pieces drawn over the card as they are typed."""
    owner = {cell: piece.letter for piece in pieces for cell in grid.cells(piece.mask)}
    rows = ("".join(owner.get(Cell(r, c), ".") for c in range(grid.width)) for r in range(grid.height))
    return "/".join(rows)


def outline(tile: Tile) -> str:
    """Name and drawing of a tile; the drawing alone if that is its name."""
    drawn = draw(tile.shape)
    return drawn if tile.name == drawn else f"{tile.name} {drawn}"
