"""A card as a grid of fields: what a field may hold, how it is typed, and bit masks for the searches.

A grid is typed row by row, rows separated by ``/`` or line breaks, one sign a field; ``[y3]`` is one field with two
things on it. A row of ``-`` and ``^`` below the card marks the columns with a rhombus. Where Latin and Cyrillic letters
look alike they mean the same; letters that differ between the languages are not used: resources are digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from thunderref.errors import InputError

HEART, YELLOW, RED = "heart", "yellow", "red"
TORCH, HEAL, FIND, HOLE, COVERED, TOKEN = "torch", "heal", "find", "hole", "covered", "token"
RESOURCES = ("wood", "ore", "parchment", "fire", "lightning", "trident", "diamond")
STARS = ("red-star", "green-star")
BENEFITS = frozenset((TORCH, *RESOURCES, *STARS, HEAL, FIND))
PENALTIES = frozenset((YELLOW, RED))
GATHERED = frozenset((TORCH, *RESOURCES))
EFFECT_RULES: dict[str, str] = {
    **dict.fromkeys(PENALTIES, "T5.8"), **dict.fromkeys(GATHERED, "T5.9"), **dict.fromkeys(STARS, "T5.10"),
    HEAL: "T5.11", FIND: "T5.12",
}  # fmt: skip
"""Kind -> the rule for covering a field of this kind."""
PLAIN_SIGNS = "._·"
SIGNS: dict[str, str] = {
    HEART: "HНС♥", YELLOW: "YУЖŻ", RED: "RКK", TORCH: "TТ",
    "wood": "1WД", "ore": "2U", "parchment": "3PП", "fire": "4F", "lightning": "5", "trident": "6Ш",
    "diamond": "7DA\N{CYRILLIC CAPITAL LETTER A}", "red-star": "*", "green-star": "GГ", HEAL: "+", FIND: "?",
    HOLE: "#", COVERED: "X\N{CYRILLIC CAPITAL LETTER HA}", TOKEN: "@",
}  # fmt: skip
"""Kind -> the signs it may be typed with, in either case; the first one is shown."""
KIND_OF_SIGN = {sign: kind for kind, signs in SIGNS.items() for sign in signs}
MOST_FIELDS = 240
_CELL = re.compile(r"\[([^\]\[]*)\]|(.)", re.DOTALL)
_BRACKETS = re.compile(r"\[[^\]\[/\n]*\]")
_HEAL_SIZE = re.compile(r"(?<=\+)[1-9]")


class Cell(NamedTuple):
    """The place of a field: row and column from 0."""

    row: int
    column: int

    @property
    def place(self) -> dict[str, Any]:
        """Row and column from 1, for messages and documents."""
        return {"row": self.row + 1, "column": self.column + 1}


class Field(NamedTuple):
    """One field: what it holds (kinds in the order of :data:`SIGNS`) and the size of wound its heal names."""

    kinds: tuple[str, ...] = ()
    heal: int | None = None

    @property
    def open(self) -> bool:
        """True if a tile or token may be put here: neither outside the card nor covered."""
        return not {HOLE, COVERED, TOKEN} & set(self.kinds)

    @property
    def sign(self) -> str:
        """The field as it is typed: one sign, or several in brackets."""
        signs = "".join(SIGNS[kind][0] + (str(self.heal or "") if kind == HEAL else "") for kind in self.kinds)
        return f"[{signs}]" if len(signs) > 1 else signs or PLAIN_SIGNS[0]


class Grid:
    """The fields of one card, or of cards laid side by side; ``rhombus`` are the columns (from 0) that have one.

    Masks have bit ``row * (columns + 1) + column`` set for a field: the empty last column keeps shifts apart.
    ``everything`` are all fields, holes included, ``open`` those that can still be covered.
    """

    def __init__(self, rows: tuple[tuple[Field, ...], ...], rhombus: frozenset[int] = frozenset()) -> None:
        self.rows = rows
        self.rhombus = rhombus
        self.height = len(rows)
        self.width = len(rows[0])
        self.stride = self.width + 1
        self.everything = self.left_of(self.width)
        self.open = self.mask(cell for cell in self.cells(self.everything) if self.field(cell).open)

    def field(self, cell: Cell) -> Field:
        return self.rows[cell.row][cell.column]

    def mask(self, cells: Iterable[Cell]) -> int:
        return sum(1 << (row * self.stride + column) for row, column in cells)

    def cells(self, mask: int) -> Iterator[Cell]:
        return (Cell(*divmod(one.bit_length() - 1, self.stride)) for one in bits(mask))

    def mask_of(self, kind: str) -> int:
        return self.mask(cell for cell in self.cells(self.everything) if kind in self.field(cell).kinds)

    def left_of(self, column: int) -> int:
        return sum(((1 << column) - 1) << (row * self.stride) for row in range(self.height))

    def neighbours(self, mask: int) -> int:
        """The fields outside a mask that share an edge with it, holes included."""
        return (mask << 1 | mask >> 1 | mask << self.stride | mask >> self.stride) & ~mask & self.everything

    def fitting(self, places: Iterable[int], covered: int) -> list[int]:
        """Those of the places of a tile that are free and touch the fields ``covered``; all if nothing is covered."""
        edge = self.neighbours(covered) if covered else self.everything
        return [mask for mask in places if not mask & covered and mask & edge]

    def with_kind(self, cell: Cell, kind: str) -> Grid:
        """The card with this on a field, or without it if it was there; a plain field and a hole hold nothing else."""
        kinds = set(self.field(cell).kinds) ^ {kind} if kind else set()
        kinds = {HOLE} if kind == HOLE and kinds else kinds - {HOLE}
        rows = [list(row) for row in self.rows]
        rows[cell.row][cell.column] = Field(tuple(sign for sign in SIGNS if sign in kinds))
        return Grid(tuple(map(tuple, rows)), self.rhombus)

    def sized(self, height: int, width: int) -> Grid:
        """The card cut, or filled with plain fields; at least one field is left, and at most :data:`MOST_FIELDS`."""
        height, width = max(height, 1), max(width, 1)
        if height * width > MOST_FIELDS:
            raise InputError("thorgal-too-large", n=height * width, most=MOST_FIELDS)
        rows = [(*row, *[Field()] * width)[:width] for row in self.rows]
        rhombus = frozenset(column for column in self.rhombus if column < width)
        return Grid((*rows, *[(Field(),) * width] * height)[:height], rhombus)

    def beside(self, right: Grid) -> Grid:
        """This card with another one on its right; raises :class:`InputError` if their heights differ."""
        if self.height != right.height:
            raise InputError("thorgal-heights", left=self.height, right=right.height)
        rows = tuple(a + b for a, b in zip(self.rows, right.rows, strict=True))
        return Grid(rows, self.rhombus | {column + self.width for column in right.rhombus})

    @property
    def text(self) -> str:
        rows = ["".join(field.sign for field in row) for row in self.rows]
        if self.rhombus:
            rows.append("".join("^" if column in self.rhombus else "-" for column in range(self.width)))
        return "/".join(rows)

    def document(self) -> dict[str, Any]:
        return {"text": self.text, "rows": self.height, "columns": self.width}


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def split_rows(text: str) -> list[str]:
    """The rows of a drawing, without the blanks in them; :class:`InputError` if blanks leave open which rows there are.

    Rows may end with ``/`` or line breaks, or be parted by blanks alone. In a row all fields are parted by blanks, or
    none. Line breaks may follow one another, an empty row between two ``/`` is a fault.
    """
    text = _BRACKETS.sub(lambda field: "".join(field[0].split()), text)
    lines = [row.split("\n") for row in text.split("/")]
    rows = [[words for words in map(str.split, group) if words] for group in lines]
    while rows and not rows[-1]:
        rows.pop()
    if not all(rows):
        raise InputError("thorgal-empty-row", row=1 + sum(map(len, rows[: rows.index([])])))
    every = [words for group in rows for words in group]
    if len(every) == 1 and all(len(split_cells(word)) > 1 for word in every[0]):
        return every[0]
    for number, words in enumerate(every, 1):
        if len(words) > 1 and (len(every) == 1 or any(len(split_cells(word)) > 1 for word in words)):
            raise InputError("thorgal-row-blanks", row=number)
    return ["".join(words) for words in every]


def split_cells(row: str) -> list[str]:
    """The fields of a row; signs in brackets are one field."""
    return [single or bracket for bracket, single in _CELL.findall(row)]


def read_grid(text: str) -> Grid:
    """The grid typed as ``text``; :class:`InputError` for an unknown sign or if it is empty, ragged or too large."""
    drawn = split_rows(text)
    marks = drawn.pop() if len(drawn) > 1 and not set(drawn[-1]) - set("-–—^♦◆") else ""
    rows = [[_read_field(s, row, n) for n, s in enumerate(split_cells(line), 1)] for row, line in enumerate(drawn, 1)]
    if not rows:
        raise InputError("thorgal-empty-grid")
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InputError("thorgal-ragged", row=number, has=len(row), first=width)
    if len(marks) > width:
        raise InputError("thorgal-rhombus", column=len(marks), columns=width)
    if width * len(rows) > MOST_FIELDS:
        raise InputError("thorgal-too-large", n=width * len(rows), most=MOST_FIELDS)
    return Grid(tuple(map(tuple, rows)), frozenset(column for column, sign in enumerate(marks) if sign in "^♦◆"))


def _read_field(signs: str, row: int, column: int) -> Field:
    sizes = _HEAL_SIZE.findall(signs)
    kinds = {KIND_OF_SIGN.get(sign.upper()) for sign in _HEAL_SIZE.sub("", signs) if sign not in PLAIN_SIGNS}
    if not signs or None in kinds:
        raise InputError("thorgal-sign", sign=signs[:12] or "[]", row=row, column=column)
    return Field(tuple(kind for kind in SIGNS if kind in kinds), int(sizes[-1]) if sizes else None)


def read_cards(texts: Iterable[str]) -> list[Grid]:
    """The cards typed as ``texts``, ``|`` between two in one; :class:`InputError` for none or a bad one."""
    cards = [read_grid(card) for text in texts for card in text.split("|")]
    if not cards:
        raise InputError("thorgal-card-missing")
    return cards
