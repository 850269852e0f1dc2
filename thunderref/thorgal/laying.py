"""Tiles laid on a card: read from a drawing, checked up to the first fault, and the effects of the covered fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError
from thunderref.thorgal.grid import EFFECT_RULES, HEAL, HOLE, SIGNS, Cell, Grid, split_cells, split_rows
from thunderref.thorgal.tiles import Tile, is_connected, normal, orientations, tile_of

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Piece(NamedTuple):
    """A tile on a card: its letter in the picture, the tile and the fields it covers."""

    letter: str
    tile: Tile
    mask: int

    def document(self, grid: Grid) -> dict[str, Any]:
        fields = [[row + 1, column + 1] for row, column in grid.cells(self.mask)]
        return {"letter": self.letter, "tile": self.tile.name, "fields": fields}


class FieldEffect(NamedTuple):
    """The effect of a covered field: the letter of the tile on it, the field, its kind.

    ``size`` is the largest wound a red heart takes off; None for any, and for every other kind.
    """

    letter: str
    cell: Cell
    kind: str
    size: int | None

    @property
    def rule(self) -> str:
        return EFFECT_RULES[self.kind]

    def text(self, words: Language) -> str:
        return words.say(f"thorgal.effect.{self.kind if self.size is None else 'heal-size'}", n=self.size)

    def document(self, words: Language) -> dict[str, Any]:
        what = {"kind": self.kind, "size": self.size, "text": self.text(words), "rules": [self.rule]}
        return {"tile": self.letter, **self.cell.place, **what}


def effects_of(grid: Grid, pieces: Iterable[Piece]) -> tuple[FieldEffect, ...]:
    fields = ((piece.letter, cell, grid.field(cell)) for piece in pieces for cell in grid.cells(piece.mask))
    return tuple(
        FieldEffect(letter, cell, kind, field.heal if kind == HEAL else None)
        for letter, cell, field in fields
        for kind in field.kinds
        if kind in EFFECT_RULES
    )


def counted_fields(grid: Grid, kinds: frozenset[str]) -> list[int]:
    """The open fields with at least one of these kinds, those with at least two, …"""
    amounts = {cell: len(kinds & set(grid.field(cell).kinds)) for cell in grid.cells(grid.open)}
    levels = range(1, max(amounts.values(), default=0) + 1)
    return [grid.mask(cell for cell, amount in amounts.items() if amount >= least) for least in levels]


def _read_letters(grid: Grid, text: str) -> dict[str, list[Cell]]:
    # Only letters cover, except the letter a field is shown with (H on a heart). Fields outside the card are a fault
    # of the arrangement.
    found: dict[str, list[Cell]] = {}
    for row, line in enumerate(split_rows(text)):
        for column, signs in enumerate(split_cells(line)):
            inside = row < grid.height and column < grid.width
            own = [SIGNS[kind][0] for kind in grid.rows[row][column].kinds] if inside else []
            for sign in signs.upper():
                if sign.isalpha() and sign not in own:
                    found.setdefault(sign, []).append(Cell(row, column))
    if not found:
        raise InputError("thorgal-nothing-drawn")
    return found


def read_pieces(grid: Grid, text: str, tiles: Sequence[Tile] | None, mirror: bool, rule: str) -> list[Piece]:
    """The pieces of a drawing, each on open fields of the card, none overlapping, in the shapes of ``tiles``.

    Raises :class:`IllegalStepError` with ``rule`` for the first fault. ``tiles`` None takes the shapes as drawn.
    """
    pieces: list[Piece] = []
    left = list(tiles or ())
    owners: dict[Cell, str] = {}
    for letter, cells in _read_letters(grid, text).items():
        about: dict[str, Any] = {"rule": rule, "letter": letter}
        for cell in cells:
            where = about | cell.place
            if cell.row >= grid.height or cell.column >= grid.width:
                raise IllegalStepError("thorgal-outside", **where, rows=grid.height, columns=grid.width)
            if HOLE in grid.field(cell).kinds:
                raise IllegalStepError("thorgal-on-hole", **where)
            if not grid.field(cell).open:
                raise IllegalStepError("thorgal-on-covered", **where)
            if cell in owners:
                raise IllegalStepError("thorgal-overlap", **where, other=owners[cell])
            owners[cell] = letter
        shape = normal(cells)
        if not is_connected(shape):
            raise IllegalStepError("thorgal-letter-apart", **about)
        tile = tile_of(shape)
        if tiles is not None:
            fitting = [other for other in left if shape in orientations(other.shape, mirror)]
            if not fitting:
                if not left:
                    raise IllegalStepError("thorgal-more-tiles", **about, n=len(tiles))
                if not mirror and any(shape in orientations(other.shape, True) for other in left):
                    raise IllegalStepError("thorgal-mirrored", **about, tile=tile.name)
                names = list(dict.fromkeys(other.name for other in left))
                raise IllegalStepError("thorgal-wrong-shape", **about, tile=tile.name, candidates=names)
            tile = fitting[0]
            left.remove(tile)
        pieces.append(Piece(letter, tile, grid.mask(cells)))
    return pieces


def letter_pieces(laid: Iterable[tuple[Tile, int]], used: Sequence[str] = ()) -> tuple[Piece, ...]:
    """Tiles and the fields they cover, with letters from A that are not ``used`` yet."""
    letters = (letter for letter in LETTERS if letter not in used)
    return tuple(Piece(letter, tile, mask) for letter, (tile, mask) in zip(letters, laid, strict=False))


def drawing(grid: Grid, pieces: Iterable[Piece]) -> str:
    owners = {cell: piece.letter for piece in pieces for cell in grid.cells(piece.mask)}
    rows = ("".join(owners.get(Cell(r, c), ".") for c in range(grid.width)) for r in range(grid.height))
    return "/".join(rows)


def check_number(option: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise InputError("thorgal-number", name=option, n=number, least=least, most=most)
