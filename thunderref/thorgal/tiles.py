"""Tiles: polyominoes by name (``L4``, ``2 I3``), by a common word, or drawn (``##/#.``).

The letter of a name is the one the tile looks like, the digit its number of fields; ``J4``, ``Z4`` and names with ``m``
are the mirrored ones. On a die ``*`` draws a black field, which counts only with a critical effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.lookup.normalise import fold
from thunderref.thorgal.grid import Cell, Grid

Shape = tuple[Cell, ...]
"""Fields of a tile, moved to the top left corner and sorted."""
LARGEST_TILE = 9
MOST_TILES = 12
"""More than any dial or effect of the aid gives; guards against a slip of the keyboard."""

DRAWINGS: dict[str, str] = {
    "I1": "#", "I2": "##", "I3": "###", "L3": "#./##", "I4": "####", "O4": "##/##", "T4": "###/.#.",
    "S4": ".##/##.", "Z4": "##./.##", "L4": "#./#./##", "J4": ".#/.#/##", "F5": ".##/##./.#.", "F5m": "##./.##/.#.",
    "I5": "#####", "L5": "#./#./#./##", "J5": ".#/.#/.#/##", "N5": ".#/.#/##/#.", "N5m": "#./#./##/.#",
    "P5": "##/##/#.", "Q5": "##/##/.#", "T5": "###/.#./.#.", "U5": "#.#/###", "V5": "#../#../###",
    "W5": "#../##./.##", "X5": ".#./###/.#.", "Y5": ".#/##/.#/.#", "Y5m": "#./##/#./#.", "Z5": "##./.#./.##",
    "S5": ".##/.#./##.",
}  # fmt: skip
"""Name -> drawing of every tile with a name."""
OTHER_NAMES: dict[str, str] = {
    "v3": "L3", "l4m": "J4", "s4m": "Z4", "l5m": "J5", "p5m": "Q5", "z5m": "S5", "o1": "I1", "1": "I1", "2": "I2",
    "domino": "I2", "домино": "I2", "square": "O4", "kwadrat": "O4", "квадрат": "O4", "corner": "L3", "rog": "L3",
    "naroznik": "L3", "уголок": "L3", "cross": "X5", "krzyz": "X5", "крест": "X5",
}  # fmt: skip
_LINE = re.compile(r"^(?:line|linia|линия)([1-5])$")
_ALIKE = str.maketrans("тохугзсфвшімц", "toxylzsfvwims")
"""Cyrillic letters that look or sound like the letter of a tile; Г looks like an L."""
_DRAWN = re.compile(r"^[#xXхХ._*/]+$")
_COUNT = re.compile(r"^(\d+)\s*[xX×хХ*]?$")


class Tile(NamedTuple):
    """One tile: its name (its drawing for one without) and its fields."""

    name: str
    shape: Shape

    @property
    def size(self) -> int:
        """Number of fields."""
        return len(self.shape)


def normal(cells: Iterable[Cell]) -> Shape:
    """The same shape in the top left corner."""
    listed = list(cells)
    top = min(cell.row for cell in listed)
    left = min(cell.column for cell in listed)
    return tuple(sorted(Cell(row - top, column - left) for row, column in listed))


@cache
def orientations(shape: Shape, mirror: bool) -> tuple[Shape, ...]:
    """Every way a tile can be turned, in a fixed order; with ``mirror`` turned over too."""
    found: list[Shape] = []
    for start in (shape, normal(Cell(row, -column) for row, column in shape)) if mirror else (shape,):
        turned = start
        for _ in range(4):
            found.append(turned)
            turned = normal(Cell(column, -row) for row, column in turned)
    return tuple(dict.fromkeys(found))


def is_connected(cells: Iterable[Cell]) -> bool:
    """True if the fields hang together by edges; False for no field."""
    left = set(cells)
    edge = [left.pop()] if left else []
    if not edge:
        return False
    while edge:
        row, column = edge.pop()
        for near in (Cell(row + 1, column), Cell(row - 1, column), Cell(row, column + 1), Cell(row, column - 1)):
            if near in left:
                left.remove(near)
                edge.append(near)
    return not left


def masks(grid: Grid, shape: Shape, mirror: bool) -> list[int]:
    """All places of a tile on the open fields of a grid, as masks in a fixed order."""
    return [mask for form in orientations(shape, mirror) for mask in upright(grid, form)]


def upright(grid: Grid, form: Shape) -> list[int]:
    """The places of a tile on the open fields of a grid, turned as it is."""
    base = sum(grid.bit(row, column) for row, column in form)
    high = max(row for row, _ in form)
    wide = max(column for _, column in form)
    shifts = (row * grid.stride + column for row in range(grid.height - high) for column in range(grid.width - wide))
    return [base << shift for shift in shifts if base << shift & grid.open == base << shift]


def drawn_shape(text: str, *, black: bool = False) -> Shape | None:
    """The shape of a drawing, with or without its black fields (``*``); None if there is no field at all."""
    signs = "#xXхХ*" if black else "#xXхХ"
    rows = enumerate(text.split("/"))
    cells = [Cell(row, column) for row, line in rows for column, sign in enumerate(line) if sign in signs]
    return normal(cells) if cells else None


@cache
def _names() -> dict[Shape, str]:
    """Every orientation of the named tiles, not turned over."""
    named: dict[Shape, str] = {}
    for name, drawing in DRAWINGS.items():
        shape = drawn_shape(drawing)
        assert shape is not None
        named |= dict.fromkeys(orientations(shape, mirror=False), name)
    return named


def tile_of(shape: Shape) -> Tile:
    """The tile of a shape, with its name; a tile without one is called by its drawing.

    Raises :class:`InputError` if the fields do not hang together or are too many.
    """
    if not is_connected(shape):
        raise InputError("thorgal-tile-apart", tile=draw(shape))
    if len(shape) > LARGEST_TILE:
        raise InputError("thorgal-tile-large", tile=draw(shape), n=len(shape), most=LARGEST_TILE)
    name = _names().get(shape)
    return Tile(draw(shape), shape) if name is None else Tile(name, _named(name))


@cache
def _named(name: str) -> Shape:
    shape = drawn_shape(DRAWINGS[name])
    assert shape is not None
    return shape


def draw(shape: Shape) -> str:
    """A shape as it is typed: ``##/#.``."""
    wide = max(cell.column for cell in shape) + 1
    high = max(cell.row for cell in shape) + 1
    return "/".join("".join("#" if Cell(r, c) in shape else "." for c in range(wide)) for r in range(high))


def is_drawing(word: str) -> bool:
    """True for a drawn tile."""
    return bool(_DRAWN.match(word)) and not word.strip("/").isdigit() and any(sign in word for sign in "#/*.")


def read_tile(word: str) -> Tile:
    """The tile a word names or draws; raises :class:`InputError` for one that nobody knows, with the nearest names."""
    if is_drawing(word):
        shape = drawn_shape(word)
        if shape is None:
            raise InputError("thorgal-tile-empty", tile=word[:20])
        return tile_of(shape)
    folded = fold(word).replace(" ", "")
    line = _LINE.match(folded)
    folded = f"I{line[1]}" if line else OTHER_NAMES.get(folded, folded).translate(_ALIKE)
    name = _by_folded().get(OTHER_NAMES.get(folded, folded).lower())
    if name is not None:
        return Tile(name, _named(name))
    if folded.isdigit() and 0 < int(folded) <= 5:
        raise InputError("thorgal-tile-size", size=int(folded), candidates=of_size(int(folded)))
    from difflib import get_close_matches

    near = get_close_matches(folded, list(_by_folded()), 3, 0.5)
    raise InputError(
        "thorgal-tile-unknown", name=word[:20], candidates=[_by_folded()[n] for n in near] or ["I2", "L3", "T4"]
    )


@cache
def _by_folded() -> dict[str, str]:
    return {name.lower(): name for name in DRAWINGS}


def of_size(size: int) -> list[str]:
    """The names of the tiles with so many fields."""
    return [name for name in DRAWINGS if name[1] == str(size)]


def split_words(text: str) -> list[str]:
    """The entries of a list: separated by commas, semicolons or blanks."""
    return re.sub(r"[,;]", " ", text).split()


def counted(words: Sequence[str]) -> list[tuple[int, str]]:
    """Entries with how often they occur: ``2 I3`` and ``2xI3`` are two of them; a number alone is an entry."""
    found: list[tuple[int, str]] = []
    count: str | None = None
    for word in words:
        together = re.match(r"^(\d+)[x×хХX](.+)$", word)
        number = _COUNT.match(word)
        if count is None and together:
            found.append((int(together[1]), together[2]))
        elif count is None and number:
            count = number[1]
        elif count is not None and number and word.isdigit():
            found.append((1, count))
            count = word
        else:
            found.append((int(count or 1), word))
            count = None
    if count is not None:
        found.append((1, count))
    return found


def read_tiles(text: str) -> list[Tile]:
    """The tiles of a list such as ``2 I3, L4, ##/#.``; raises :class:`InputError` for what is no tile or too many."""
    tiles: list[Tile] = []
    for count, word in counted(split_words(text)):
        if word in ("-", "–", "—"):  # a blank face gives no tile
            continue
        tile = read_tile(word)
        if len(tiles) + count > MOST_TILES:
            raise InputError("thorgal-tiles-many", n=len(tiles) + count, most=MOST_TILES)
        tiles += [tile] * count
    return tiles


@cache
def every_shape(size: int) -> tuple[Shape, ...]:
    """Every tile of so many fields in every orientation, turned over too."""
    shapes: set[Shape] = {(Cell(0, 0),)}
    for _ in range(size - 1):
        shapes = {normal((*shape, near)) for shape in shapes for near in _around(shape)}
    return tuple(sorted(shapes))


def _around(shape: Shape) -> set[Cell]:
    near = {Cell(r + dr, c + dc) for r, c in shape for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return near - set(shape)
