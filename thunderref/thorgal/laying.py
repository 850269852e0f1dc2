"""Tiles: polyominoes by name (``L4``, ``2 I3``), by a common word, or drawn (``##/#.``); how to lay them on a card.

A name is the letter the tile looks like and its number of fields; ``J4``, ``Z4`` and names with ``m`` are mirrored.
On a die ``*`` draws a black field, which counts only with a critical effect.

In a list of tiles, faces, dice or wounds commas, semicolons, line breaks and blanks part the entries. A number is
written ``2 L3``, ``2L3``, ``2x L3`` or ``L3 x2``; one before a comma, another number or the end is an entry of its own,
as is one in brackets.

The best way to lay tiles is proven: depth-first over bit masks, each arrangement met once. Every place of every tile is
one bit of a large number; lower bits are worth more. A step branches on the smallest choice: the places that touch one
group of tiles laid so far, or those that cover one field worth covering (or none of them). A place tried is not tried
again beside the same tiles, which removes permutations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, reduce
from operator import and_, mul, or_
from typing import Any, NamedTuple, TypeVar

from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError, InputError
from thunderref.text.folding import fold
from thunderref.thorgal.grid import EFFECT_RULES, HEAL, HOLE, SIGNS, Cell, Grid, bits, split_cells, split_rows

T = TypeVar("T")
LONGEST_NUMBER = 9  # digits; a longer one is too large anyway
_BRACKETS = re.compile(r"\(\s*(\d+)\s*\)")
_FORMS: dict[str, tuple[str, ...]] = {
    r"(\d+)": ("number",), r"([xX×хХ*])": ("times",), r"([xXхХ]5)": ("name",),  # a cross
    r"([xX×хХ*])(\d+)": ("times-before", "number"), r"(\d+)([xX×хХ*])": ("number", "times"),
    r"(\d+[xXхХ]5)": ("unclear",),  # two crosses, or two of five fields
    r"(\d+)([xX×хХ])(\d+)": ("number", "times", "number"),
    r"(\d+[xX×хХ][xXхХ./_]+)": ("unclear",),  # “2xx/x.”: is the first x a field?
    r"(\d+)[xX×хХ]?(\D.*)": ("number", "name"),
    r"(.*[^\W_][XХ]5|.*[#.)-][XХ]5)": ("unclear",), r"(.*[^\W_]|.*[#.)-])([xX×хХ])(\d+)": ("name", "times", "number"),
    r"(.+)": ("name",),
}  # fmt: skip
"""What a word may look like, tried in this order -> the kinds of its parts."""


def read_counts(text: str) -> list[tuple[int, str]]:
    """The entries of a list with their numbers; raises :class:`InputError` for what could be read in two ways."""
    return [entry for item in re.split("[,;\n]", text) for entry in _entries(item.strip())]


def read_list(text: str, read: Callable[[str], T], limit: int) -> list[T]:
    return [entry for count, word in read_counts(text) for entry in [read(word)] * min(count, limit)]


def _entries(text: str) -> Iterator[tuple[int, str]]:
    signs = list(_signs(text))
    while signs:
        match signs:
            case (
                [("number", digits), ("times", _), ("number" | "name", name), *remaining]
                | [("number", digits), ("name", name), *remaining]
                | [("name", name), ("times" | "times-before", _), ("number", digits), *remaining]
            ):
                count = number_of(digits)
            case [("number" | "name", name), *remaining]:
                count = 1
            case _:
                count = 0
        if not count:
            raise InputError("thorgal-list-unclear", text=text[:40])
        yield count, name
        signs = remaining


def _signs(text: str) -> Iterator[tuple[str, str]]:
    """Numbers, names and signs for “times”, in order, out of words such as ``2xL3``."""
    for place, word in enumerate(_BRACKETS.sub(r"(\1)", text).split()):
        kinds, match = next((kinds, match) for form, kinds in _FORMS.items() if (match := re.fullmatch(form, word)))
        if place and word in ("x5", "х5"):  # “L3 x5”: five, or a cross as well
            kinds = ("unclear",)
        yield from zip(kinds, match.groups(), strict=True)


def read_word(word: str, topic: str, code: str, min_letters: int = 2) -> str:
    """What a word in any language means: it begins one of ``thorgal.words``, with at least ``min_letters`` letters."""
    form, stems = fold(word), open_database().words(f"thorgal.words.{topic}")
    for stem, name in stems.items():
        if form.startswith(stem) or (len(form) >= min_letters and stem.startswith(form)):
            return name
    raise InputError(code, name=word[:40], candidates=tuple(dict.fromkeys(stems.values())))


def number_of(digits: str) -> int:
    """The number of these digits, whatever the alphabet; a very long one is only very large."""
    return int(digits if len(digits) <= LONGEST_NUMBER else "9" * LONGEST_NUMBER)


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
}  # fmt: skip
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
    leftmost = min((column for _, column in listed), default=0)
    return tuple(sorted(Cell(row - top, column - leftmost) for row, column in listed))


@cache
def orientations(shape: Shape, mirror: bool) -> tuple[Shape, ...]:
    """Every way a tile can be turned, in a fixed order; with ``mirror`` flipped over too."""
    shapes: list[Shape] = []
    for turned in (shape, normal((row, -column) for row, column in shape)) if mirror else (shape,):
        for _ in range(4):
            shapes.append(turned)
            turned = normal((column, -row) for row, column in turned)
    return tuple(dict.fromkeys(shapes))


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
    shifted: list[int] = []
    for form in forms:
        first, wide = grid.mask(form), max(column for _, column in form)
        rows, columns = range(grid.height - form[-1].row), range(grid.width - wide)
        shifted += (first << (row * grid.stride + column) for row in rows for column in columns)
    return [mask for mask in shifted if mask & grid.open == mask]


def drawn_shape(text: str, *, black: bool = False) -> Shape:
    """The shape of a drawing, with or without its black fields (``*``); () if there is no field at all."""
    signs = "#xXхХ*" if black else "#xXхХ"
    rows = enumerate(text.split("/"))
    return normal((row, column) for row, line in rows for column, sign in enumerate(line) if sign in signs)


def draw(shape: Shape) -> str:
    """A shape as it is typed: ``##/#.``."""
    wide, high = max(cell.column for cell in shape) + 1, shape[-1].row + 1
    return "/".join("".join("#" if (r, c) in shape else "." for c in range(wide)) for r in range(high))


_TILES = {name.lower(): Tile(name, drawn_shape(drawn)) for name, drawn in DRAWINGS.items()}
_TILE_OF = {form: tile for tile in _TILES.values() for form in orientations(tile.shape, mirror=False)}


def tile_of(shape: Shape) -> Tile:
    """The tile of a shape, with its name or its drawing; :class:`InputError` if it is in pieces or too large."""
    if not is_connected(shape):
        raise InputError("thorgal-tile-apart", tile=draw(shape))
    if len(shape) > LARGEST_TILE:
        raise InputError("thorgal-tile-large", tile=draw(shape), n=len(shape), most=LARGEST_TILE)
    return _TILE_OF.get(shape) or Tile(draw(shape), shape)


def read_tile(word: str, *, black: bool = False) -> Tile:
    """The tile a word names or draws, with ``black`` fields or without; else :class:`InputError`, with near names."""
    if _DRAWN.match(word) and any(sign in word for sign in "#/*."):
        shape = drawn_shape(word, black=black)
        if not shape:
            raise InputError("thorgal-tile-empty", tile=word[:20])
        return tile_of(shape)
    folded = fold(word).replace(" ", "")
    stem = folded.rstrip("12345")  # a line has its size behind its word
    folded = open_database().words("thorgal.words.tiles").get(stem, stem) + folded[len(stem) :]
    folded = OTHER_NAMES.get(folded, folded).translate(_ALIKE)
    if tile := _TILES.get(OTHER_NAMES.get(folded, folded).lower()):
        return tile
    size = number_of(folded) if folded.isdecimal() else 0
    if 0 < size <= 5:
        sized = [name for name in DRAWINGS if name[1] == str(size)]
        raise InputError("thorgal-tile-size", size=size, candidates=sized)
    near = [_TILES[name].name for name in get_close_matches(folded, _TILES, 3, 0.5)]
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


PIECE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


class Piece(NamedTuple):
    """A tile on a card: its letter in the picture, the tile and the fields it covers."""

    letter: str
    tile: Tile
    mask: int

    def document(self, grid: Grid) -> dict[str, Any]:
        fields = [[row + 1, column + 1] for row, column in grid.cells(self.mask)]
        return {"letter": self.letter, "tile": self.tile.name, "fields": fields}


class FieldEffect(NamedTuple):
    """The effect of a field under a tile; ``size``: the largest wound that a red heart takes off, None for any."""

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
        details = {"kind": self.kind, "size": self.size, "text": self.text(words), "rules": [self.rule]}
        return {"tile": self.letter, **self.cell.place, **details}


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
    return [grid.mask(cell for cell, amount in amounts.items() if amount >= level) for level in levels]


def _read_letters(grid: Grid, text: str) -> dict[str, list[Cell]]:
    # Only letters cover, except the letter a field is shown with (H on a heart). Fields outside the card are a fault
    # of the arrangement.
    cells: dict[str, list[Cell]] = {}
    for row, line in enumerate(split_rows(text)):
        for column, signs in enumerate(split_cells(line)):
            inside = row < grid.height and column < grid.width
            printed = [SIGNS[kind][0] for kind in grid.rows[row][column].kinds] if inside else []
            for sign in signs.upper():
                if sign.isalpha() and sign not in printed:
                    cells.setdefault(sign, []).append(Cell(row, column))
    if not cells:
        raise InputError("thorgal-nothing-drawn")
    return cells


def read_pieces(grid: Grid, text: str, tiles: Sequence[Tile] | None, mirror: bool, rule: str) -> list[Piece]:
    """The pieces of a drawing, each on open fields of the card, none overlapping, in the shapes of ``tiles``.

    Raises :class:`IllegalStepError` with ``rule`` for the first fault. ``tiles`` None takes the shapes as drawn.
    """
    pieces: list[Piece] = []
    unused = list(tiles or ())
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
            fitting = [other for other in unused if shape in orientations(other.shape, mirror)]
            if not fitting:
                if not unused:
                    raise IllegalStepError("thorgal-more-tiles", **about, n=len(tiles))
                if not mirror and any(shape in orientations(other.shape, True) for other in unused):
                    raise IllegalStepError("thorgal-mirrored", **about, tile=tile.name)
                names = list(dict.fromkeys(other.name for other in unused))
                raise IllegalStepError("thorgal-wrong-shape", **about, tile=tile.name, candidates=names)
            tile = fitting[0]
            unused.remove(tile)
        pieces.append(Piece(letter, tile, grid.mask(cells)))
    return pieces


def letter_pieces(laid: Iterable[tuple[Tile, int]], used: Sequence[str] = ()) -> tuple[Piece, ...]:
    """Tiles and the fields they cover, with letters from A that are not ``used`` yet."""
    letters = (letter for letter in PIECE_LETTERS if letter not in used)
    return tuple(Piece(letter, tile, mask) for letter, (tile, mask) in zip(letters, laid, strict=False))


def drawing(grid: Grid, pieces: Iterable[Piece]) -> str:
    owners = {cell: piece.letter for piece in pieces for cell in grid.cells(piece.mask)}
    rows = ("".join(owners.get(Cell(r, c), ".") for c in range(grid.width)) for r in range(grid.height))
    return "/".join(rows)


def check_number(option: str, number: int, minimum: int, maximum: int) -> None:
    if not minimum <= number <= maximum:
        raise InputError("thorgal-number", name=option, n=number, least=minimum, most=maximum)


BUDGET = 300_000  # steps; then a search ends with the best so far, unproven


class WorthLayer(NamedTuple):
    """Fields worth the same: their mask and the worth of covering one of them (negative for a penalty)."""

    fields: int
    worth: int


class Arrangement(NamedTuple):
    """The best arrangement: each tile (its number in the list) with its place (mask); None if none was found."""

    places: tuple[tuple[int, int], ...] | None
    worth: int
    proven: bool
    steps: int


class Places:
    """Every place of every different tile on a grid, best first; sets of places are numbers, a bit for each.

    ``gains``: the layers worth covering. ``cover``: one-field mask -> the places that cover it. For each place ``tile``
    is its tile, ``apart`` the places that share no field with it, ``touch`` those that touch it.
    """

    def __init__(self, grid: Grid, tiles: Sequence[Shape], layers: Sequence[WorthLayer], mirror: bool = False) -> None:
        self.shapes = list(dict.fromkeys(tiles))
        self.gains = [layer for layer in layers if layer.worth > 0]
        every = [
            (sum(layer.worth * (mask & layer.fields).bit_count() for layer in layers), mask, tile)
            for tile, shape in enumerate(self.shapes)
            for mask in masks(grid, orientations(shape, mirror))
        ]
        every.sort(key=lambda place: -place[0])
        self.sizes = [len(shape) for shape in self.shapes]
        self.worth = [worth for worth, _, _ in every]
        self.mask = [mask for _, mask, _ in every]
        self.tile = [tile for _, _, tile in every]
        self.of_tile = [sum(1 << i for i, tile in enumerate(self.tile) if tile == n) for n in range(len(self.shapes))]
        self.cover: dict[int, int] = {}
        for i, mask in enumerate(self.mask):
            for one in bits(mask):
                self.cover[one] = self.cover.get(one, 0) | 1 << i

        def covering(mask: int) -> int:
            return reduce(or_, (self.cover.get(one, 0) for one in bits(mask)), 0)

        self.apart = [(1 << len(every)) - 1 & ~covering(mask) for mask in self.mask]
        near = (covering(grid.neighbours(mask)) for mask in self.mask)
        self.touch = [edge & apart for edge, apart in zip(near, self.apart, strict=True)]


def best_arrangement(
    places: Places, tiles: Sequence[Shape], *, may_leave: bool = False, budget: int = BUDGET, enough: int | None = None
) -> Arrangement:
    """The arrangement of highest worth: tiles touching by edges, none overlapping, all within the open fields.

    ``places`` are those of these tiles, or of more. A tile stays off only if no room is left for it where it touches
    the others; with ``may_leave`` any tile may. With ``enough`` the first arrangement worth that much is taken.
    """
    search = _Search(places, may_leave, budget, enough is not None, -(1 << 60) if enough is None else enough - 1)
    counts = [tiles.count(shape) for shape in places.shapes]
    room = sum(every for every, count in zip(places.of_tile, counts, strict=True) if count)
    search.record_greedy(room, list(counts))
    search.step(room, room, counts, 0, reduce(or_, (layer.fields for layer in places.gains), 0), [], ())
    laid = None
    if search.best is not None:
        numbers = {shape: [i for i, other in enumerate(tiles) if other == shape] for shape in places.shapes}
        laid = tuple(sorted((numbers[places.shapes[places.tile[p]]].pop(0), places.mask[p]) for p in search.best))
    return Arrangement(laid, search.worth, search.finished or search.steps < budget, search.steps)


@dataclass
class _Search:
    places: Places
    may_leave: bool
    budget: int
    first: bool  # is enough
    worth: int  # to surpass
    best: tuple[int, ...] | None = None
    steps: int = 0
    finished: bool = False

    def record_greedy(self, room: int, counts: list[int]) -> None:
        """A first arrangement: the best place, then again and again the best one that touches."""
        places = self.places
        laid: tuple[int, ...] = ()
        worth = near = 0
        while room & near or (room and not laid):
            here = room & near or room
            p = (here & -here).bit_length() - 1
            if self.may_leave and places.worth[p] <= 0:
                break
            laid, worth = (*laid, p), worth + places.worth[p]
            near |= places.touch[p]
            counts[places.tile[p]] -= 1
            room &= places.apart[p]
            if not counts[places.tile[p]]:
                room &= ~places.of_tile[places.tile[p]]
        self._record(laid, worth)

    def _record(self, laid: tuple[int, ...], worth: int) -> None:
        if worth > self.worth:
            self.best, self.worth, self.finished = laid, worth, self.first

    def _is_hopeless(self, worth: int, goals: int, area: int) -> bool:
        for layer in self.places.gains:
            worth += layer.worth * min((layer.fields & goals).bit_count(), area)
        return worth <= self.worth

    def step(
        self, free: int, room: int, counts: list[int], worth: int, goals: int, groups: list[int], laid: tuple[int, ...]
    ) -> None:
        # free: places that may be taken; room: those without the ones tried before; goals: fields worth covering,
        # still to be decided on; groups: for each group of touching tiles the places that touch it
        if self.finished or self.steps >= self.budget:
            return
        self.steps += 1
        places = self.places
        values = places.worth
        if len(groups) == 1:
            stuck = not room & groups[0]
            if stuck or self.may_leave:
                self._record(laid, worth)
            if stuck:
                return
        heres = [free & of_tile if count else 0 for of_tile, count in zip(places.of_tile, counts, strict=True)]
        tops = [max(values[(here & -here).bit_length() - 1], 0) if here else 0 for here in heres]
        hope, area = worth + sum(map(mul, counts, tops)), sum(map(mul, counts, places.sizes))
        if hope <= self.worth:
            return
        choice = min((free & group for group in groups), key=int.bit_count, default=free)
        fewest = choice.bit_count() if groups else 1 << 30
        if not fewest or self._is_hopeless(worth, goals, area):
            return
        goal, before = 0, goals
        for one in bits(goals):
            covering = free & places.cover.get(one, 0)
            size = covering.bit_count()
            if not size:
                goals ^= one
            elif size < fewest:
                fewest, choice, goal = size, covering, one
        if goals != before and self._is_hopeless(worth, goals, area):
            return
        if sum(counts) == 1:
            if touching := reduce(and_, groups, free):
                p = (touching & -touching).bit_length() - 1
                self._record((*laid, p), worth + values[p])
            return
        for low in bits(choice):
            p = low.bit_length() - 1
            tile, value, apart = places.tile[p], values[p], places.apart[p]
            if hope - tops[tile] + value > self.worth:
                counts[tile] -= 1
                if not counts[tile]:
                    apart &= ~places.of_tile[tile]
                still, after = goals & ~places.mask[p], worth + value
                touch = reduce(or_, (group for group in groups if group & low), places.touch[p])
                joined = [*(group for group in groups if not group & low), touch]
                self.step(free & apart, room & apart, counts, after, still, joined, (*laid, p))
                counts[tile] += 1
            free ^= low
        if goal:
            self.step(free, room, counts, worth, goals ^ goal, groups, laid)
