"""Tiles: polyominoes by name (``L4``, ``2 I3``), by a common word, or drawn (``##/#.``).

A name is the letter the tile looks like and its number of fields; ``J4``, ``Z4`` and names with ``m`` are mirrored.
On a die ``*`` draws a black field, which counts only with a critical effect.

In a list of tiles, faces, dice or wounds commas, semicolons, line breaks and blanks part the entries. A number is
written ``2 L3``, ``2L3``, ``2x L3`` or ``L3 x2``; one before a comma, another number or the end is an entry of its own,
as is one in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeVar

from thunderref.errors import InputError
from thunderref.text.folding import fold
from thunderref.thorgal.grid import Cell, Grid

T = TypeVar("T")
LONGEST_NUMBER = 9  # digits; a longer one is too large anyway
_BRACKETS = re.compile(r"\(\s*(\d+)\s*\)")
_BEHIND = re.compile(r"([xX×хХ*])(\d+)")
_BEFORE = re.compile(r"(\d+)([xX×хХ*])")
_OF_SIZE = re.compile(r"(\d+)([xX×хХ])(\d+)")
_AND_NAME = re.compile(r"(\d+)([xX×хХ]?)(\D.*)")
_NAME_AND = re.compile(r"(.*[^\W_]|.*[#.)-])([xX×хХ])(\d+)")
_LETTERS = "xXхХ"  # signs for “times” that may also be the letter of the tile X5, or a drawn field


def read_counts(text: str) -> list[tuple[int, str]]:
    """The entries of a list with their numbers; raises :class:`InputError` for what could be read in two ways."""
    return [entry for part in re.split("[,;\n]", text) for entry in _entries(part.strip())]


def read_list(text: str, read: Callable[[str], T], most: int) -> list[T]:
    return [entry for count, word in read_counts(text) for entry in [read(word)] * min(count, most)]


def _entries(part: str) -> Iterator[tuple[int, str]]:
    signs = list(_signs(part))
    while signs:
        count, used = 1, 1
        match [kind for kind, _ in signs[:3]]:
            case ["number", "times", ("number" | "name")]:
                count, name, used = number_of(signs[0][1]), signs[2][1], 3
            case ["number", "name", *_]:
                count, name, used = number_of(signs[0][1]), signs[1][1], 2
            case ["name", ("times" | "times-before"), "number"]:
                count, name, used = number_of(signs[2][1]), signs[0][1], 3
            case [("number" | "name"), *_]:
                name = signs[0][1]
            case _:
                raise _unclear(part)
        if not count:
            raise _unclear(part)
        yield count, name
        del signs[:used]


def _signs(part: str) -> Iterator[tuple[str, str]]:
    """Numbers, names and signs for “times”, in order, out of words such as ``2xL3``."""
    for number, word in enumerate(_BRACKETS.sub(r"(\1)", part).split()):
        if word.isdecimal():
            yield "number", word
        elif word in (*_LETTERS, "×", "*"):
            yield "times", word
        elif found := _BEHIND.fullmatch(word):
            cross = found[1] in _LETTERS and found[2] == "5"
            if cross and found[1].islower() and number:  # “L3 x5”: five, or a cross as well
                raise _unclear(part)
            yield from [("name", word)] if cross else [("times-before", found[1]), ("number", found[2])]
        elif found := _BEFORE.fullmatch(word):
            yield from [("number", found[1]), ("times", found[2])]
        elif found := _OF_SIZE.fullmatch(word):
            if found[2] in _LETTERS and found[3] == "5":  # two crosses, or two of five fields
                raise _unclear(part)
            yield from [("number", found[1]), ("times", found[2]), ("number", found[3])]
        elif found := _AND_NAME.fullmatch(word):
            if found[2] and not set(found[3]) - set(f"{_LETTERS}./_"):  # “2xx/x.”: is the first x a field?
                raise _unclear(part)
            yield from [("number", found[1]), ("name", found[3])]
        elif found := _NAME_AND.fullmatch(word):
            if found[2] in "XХ" and found[3] == "5":
                raise _unclear(part)
            yield from [("name", found[1]), ("times", found[2]), ("number", found[3])]
        else:
            yield "name", word


def read_word(word: str, known: Mapping[str, Iterable[str]], code: str, least: int = 2) -> str:
    """What a word in any of the three languages means, by how such words begin; at least ``least`` letters of it."""
    form = fold(word)
    for name, stems in known.items():
        if any(form.startswith(stem) or (len(form) >= least and stem.startswith(form)) for stem in stems):
            return name
    raise InputError(code, name=word[:40], candidates=tuple(known))


def number_of(digits: str) -> int:
    """The number of these digits, whatever the alphabet; a very long one is only very large."""
    return int(digits if len(digits) <= LONGEST_NUMBER else "9" * LONGEST_NUMBER)


def _unclear(part: str) -> InputError:
    return InputError("thorgal-list-unclear", text=part[:40])


Shape = tuple[Cell, ...]  # fields of a tile, moved to the top left corner and sorted
LARGEST_TILE = 9
MOST_TILES = 12
BLANKS = ("-", "–", "—")  # signs of a blank face, which gives no tile
DRAWINGS: dict[str, str] = {
    "I1": "#", "I2": "##", "I3": "###", "L3": "#./##", "I4": "####", "O4": "##/##", "T4": "###/.#.",
    "S4": ".##/##.", "Z4": "##./.##", "L4": "#./#./##", "J4": ".#/.#/##", "F5": ".##/##./.#.", "F5m": "##./.##/.#.",
    "I5": "#####", "L5": "#./#./#./##", "J5": ".#/.#/.#/##", "N5": ".#/.#/##/#.", "N5m": "#./#./##/.#",
    "P5": "##/##/#.", "Q5": "##/##/.#", "T5": "###/.#./.#.", "U5": "#.#/###", "V5": "#../#../###",
    "W5": "#../##./.##", "X5": ".#./###/.#.", "Y5": ".#/##/.#/.#", "Y5m": "#./##/#./#.", "Z5": "##./.#./.##",
    "S5": ".##/.#./##.",
}  # fmt: skip
OTHER_NAMES: dict[str, str] = {
    "v3": "L3", "l4m": "J4", "s4m": "Z4", "l5m": "J5", "p5m": "Q5", "z5m": "S5", "o1": "I1", "1": "I1", "2": "I2",
    "domino": "I2", "домино": "I2", "square": "O4", "kwadrat": "O4", "квадрат": "O4", "corner": "L3", "rog": "L3",
    "naroznik": "L3", "уголок": "L3", "cross": "X5", "krzyz": "X5", "крест": "X5",
    **{f"{line}{size}": f"I{size}" for line in ("line", "linia", "линия") for size in range(1, 6)},
}  # fmt: skip
_FOLDED = {name.lower(): name for name in DRAWINGS}
_ALIKE = str.maketrans("тохугзсфвшімц", "toxylzsfvwims")  # look or sound like the letter; Г looks like an L
_DRAWN = re.compile(r"^[#xXхХ._*/]+$")


class Tile(NamedTuple):
    """One tile: its name (its drawing for one without) and its fields."""

    name: str
    shape: Shape

    @property
    def size(self) -> int:
        return len(self.shape)

    @property
    def outline(self) -> str:
        return " ".join(dict.fromkeys((self.name, draw(self.shape))))


def normal(cells: Iterable[tuple[int, int]]) -> Shape:
    listed = list(cells)
    top = min((row for row, _ in listed), default=0)
    left = min((column for _, column in listed), default=0)
    return tuple(sorted(Cell(row - top, column - left) for row, column in listed))


@cache
def orientations(shape: Shape, mirror: bool) -> tuple[Shape, ...]:
    """Every way a tile can be turned, in a fixed order; with ``mirror`` flipped over too."""
    found: list[Shape] = []
    for turned in (shape, normal((row, -column) for row, column in shape)) if mirror else (shape,):
        for _ in range(4):
            found.append(turned)
            turned = normal((column, -row) for row, column in turned)
    return tuple(dict.fromkeys(found))


@cache
def every_shape(size: int) -> tuple[Shape, ...]:
    """Every tile of ``size`` fields in every orientation, flipped over too."""
    shapes: set[Shape] = {(Cell(0, 0),)}
    for _ in range(size - 1):
        shapes = {normal((*shape, near)) for shape in shapes for near in _around(set(shape))}
    return tuple(sorted(shapes))


def _around(cells: set[Cell]) -> set[Cell]:
    return {Cell(r + dr, c + dc) for r, c in cells for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))} - cells


def is_connected(cells: Iterable[Cell]) -> bool:
    """True if the fields are joined by edges; False for no field."""
    every = set(cells)
    joined = set(list(every)[:1])
    while near := _around(joined) & every:
        joined |= near
    return bool(every) and joined == every


def masks(grid: Grid, forms: Iterable[Shape]) -> list[int]:
    found: list[int] = []
    for form in forms:
        first, wide = grid.mask(form), max(column for _, column in form)
        rows, columns = range(grid.height - form[-1].row), range(grid.width - wide)
        found += (first << (row * grid.stride + column) for row in rows for column in columns)
    return [mask for mask in found if mask & grid.open == mask]


def drawn_shape(text: str, *, black: bool = False) -> Shape:
    """The shape of a drawing, with or without its black fields (``*``); () if there is no field at all."""
    signs = "#xXхХ*" if black else "#xXхХ"
    rows = enumerate(text.split("/"))
    return normal((row, column) for row, line in rows for column, sign in enumerate(line) if sign in signs)


def draw(shape: Shape) -> str:
    """A shape as it is typed: ``##/#.``."""
    wide, high = max(cell.column for cell in shape) + 1, shape[-1].row + 1
    return "/".join("".join("#" if (r, c) in shape else "." for c in range(wide)) for r in range(high))


_NAMES = {form: name for name, drawn in DRAWINGS.items() for form in orientations(drawn_shape(drawn), mirror=False)}


def tile_of(shape: Shape) -> Tile:
    """The tile of a shape, with its name or its drawing; :class:`InputError` if it is in pieces or too large."""
    if not is_connected(shape):
        raise InputError("thorgal-tile-apart", tile=draw(shape))
    if len(shape) > LARGEST_TILE:
        raise InputError("thorgal-tile-large", tile=draw(shape), n=len(shape), most=LARGEST_TILE)
    name = _NAMES.get(shape)
    return Tile(draw(shape), shape) if name is None else Tile(name, drawn_shape(DRAWINGS[name]))


def read_tile(word: str, *, black: bool = False) -> Tile:
    """The tile a word names or draws, with ``black`` fields or without; else :class:`InputError`, with near names."""
    if _DRAWN.match(word) and any(sign in word for sign in "#/*."):
        shape = drawn_shape(word, black=black)
        if not shape:
            raise InputError("thorgal-tile-empty", tile=word[:20])
        return tile_of(shape)
    folded = fold(word).replace(" ", "")
    folded = OTHER_NAMES.get(folded, folded).translate(_ALIKE)
    name = _FOLDED.get(OTHER_NAMES.get(folded, folded).lower())
    if name is not None:
        return Tile(name, drawn_shape(DRAWINGS[name]))
    size = number_of(folded) if folded.isdecimal() else 0
    if 0 < size <= 5:
        sized = [name for name in DRAWINGS if name[1] == str(size)]
        raise InputError("thorgal-tile-size", size=size, candidates=sized)
    from difflib import get_close_matches

    near = [_FOLDED[name] for name in get_close_matches(folded, _FOLDED, 3, 0.5)]
    raise InputError("thorgal-tile-unknown", name=word[:20], candidates=near or ["I2", "L3", "T4"])


def read_tiles(text: str) -> list[Tile]:
    """The tiles of a list such as ``2 I3, L4, ##/#.``; raises :class:`InputError` for a bad tile or too many."""
    tiles: list[Tile] = []
    for count, word in read_counts(text):
        if word not in BLANKS:
            tile = read_tile(word)
            if len(tiles) + count > MOST_TILES:
                raise InputError("thorgal-tiles-many", n=len(tiles) + count, most=MOST_TILES)
            tiles += [tile] * count
    return tiles
