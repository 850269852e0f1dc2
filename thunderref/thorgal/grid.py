"""A card as a grid of fields: read from text, joined side by side, and as bit masks for the searches.

A grid is typed row by row, rows separated by ``/`` or line breaks, one sign a field (:mod:`thunderref.thorgal.fields`);
``[y3]`` is one field with two things on it. A row of ``-`` and ``^`` below the card marks the columns with a rhombus.
Rows and columns are counted from 1 towards the user and from 0 within.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.thorgal.fields import Field, field_of

MOST_FIELDS = 240
"""No card of the game comes near; more would only be a slip of the keyboard."""
RHOMBUS_ROW = re.compile(r"^[-–—^♦◆]+$")
_ROWS = re.compile(r"[/\n]")
_CELL = re.compile(r"\[([^\]\[]*)\]|(.)", re.DOTALL)


class Cell(NamedTuple):
    """The place of a field: row and column from 0."""

    row: int
    column: int


class Grid:
    """The fields of one card, or of cards laid side by side.

    Masks have bit ``row * (columns + 1) + column`` set for a field: the empty last column keeps shifts apart.
    """

    def __init__(self, rows: tuple[tuple[Field, ...], ...], rhombus: frozenset[int] = frozenset()) -> None:
        self.rows = rows
        self.rhombus = rhombus
        """Columns (from 0) with a rhombus."""
        self.height = len(rows)
        self.width = len(rows[0]) if rows else 0
        self.stride = self.width + 1

    def bit(self, row: int, column: int) -> int:
        """The mask of one field."""
        return 1 << (row * self.stride + column)

    def field(self, cell: Cell) -> Field:
        """What is on a field."""
        return self.rows[cell.row][cell.column]

    def cells(self, mask: int) -> Iterator[Cell]:
        """The fields of a mask, row by row."""
        while mask:
            low = mask & -mask
            yield Cell(*divmod(low.bit_length() - 1, self.stride))
            mask ^= low

    def mask_of(self, *kinds: str) -> int:
        """The fields that carry one of these kinds."""
        return sum(
            self.bit(r, c)
            for r, row in enumerate(self.rows)
            for c, field in enumerate(row)
            if {*kinds} & {*field.kinds}
        )

    @cached_property
    def open(self) -> int:
        """The fields that can still be covered."""
        return sum(self.bit(r, c) for r, row in enumerate(self.rows) for c, field in enumerate(row) if field.open)

    def column(self, column: int) -> int:
        """All fields of a column."""
        return sum(self.bit(row, column) for row in range(self.height))

    def neighbours(self, mask: int) -> int:
        """The fields outside a mask that share an edge with it, holes included."""
        return (mask << 1 | mask >> 1 | mask << self.stride | mask >> self.stride) & ~mask & self.everything

    @cached_property
    def everything(self) -> int:
        """All fields of the grid, holes included."""
        return sum(((1 << self.width) - 1) << (row * self.stride) for row in range(self.height))

    def beside(self, right: Grid) -> Grid:
        """This card with another one on its right; raises :class:`InputError` if their heights differ."""
        if self.height != right.height:
            raise InputError("thorgal-heights", left=self.height, right=right.height)
        rows = tuple(a + b for a, b in zip(self.rows, right.rows, strict=True))
        return Grid(rows, self.rhombus | {column + self.width for column in right.rhombus})

    @property
    def text(self) -> str:
        """The grid as it is typed."""
        rows = ["".join(field.sign for field in row) for row in self.rows]
        if self.rhombus:
            rows.append("".join("^" if column in self.rhombus else "-" for column in range(self.width)))
        return "/".join(rows)


def split_rows(text: str) -> list[str]:
    """The rows of a drawing; blanks around rows and empty rows do not count."""
    return [row for row in ("".join(part.split()) for part in _ROWS.split(text)) if row]


def split_cells(row: str) -> list[str]:
    """The fields of a row, what is in brackets as one."""
    return [single or bracket for bracket, single in _CELL.findall(row)]


def read_grid(text: str) -> Grid:
    """The grid typed as ``text``.

    Raises :class:`InputError` for an empty, ragged or enormous grid and for an unknown sign, with row and column.
    """
    drawn = split_rows(text)
    rhombus: frozenset[int] = frozenset()
    marks = ""
    if len(drawn) > 1 and RHOMBUS_ROW.match(drawn[-1]):
        marks = drawn.pop()
        rhombus = frozenset(column for column, sign in enumerate(marks) if sign in "^♦◆")
    rows: list[tuple[Field, ...]] = []
    for number, row in enumerate(drawn, 1):
        fields = []
        for column, signs in enumerate(split_cells(row), 1):
            field = field_of(signs) if signs else None
            if field is None:
                raise InputError("thorgal-sign", sign=signs[:12] or "[]", row=number, column=column)
            fields.append(field)
        rows.append(tuple(fields))
    if not rows:
        raise InputError("thorgal-empty-grid")
    width = len(rows[0])
    for number, fields_of_row in enumerate(rows, 1):
        if len(fields_of_row) != width:
            raise InputError("thorgal-ragged", row=number, has=len(fields_of_row), first=width)
    if len(marks) > width:
        raise InputError("thorgal-rhombus", column=len(marks), columns=width)
    if width * len(rows) > MOST_FIELDS:
        raise InputError("thorgal-too-large", n=width * len(rows), most=MOST_FIELDS)
    return Grid(tuple(rows), rhombus)
