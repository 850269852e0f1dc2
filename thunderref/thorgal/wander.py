"""Play on a wander card: wandering (T5), checked tile by tile; gathering (T6).

Each wander action lays one tile of the kinds on offer. It touches an earlier one by an edge (T5.2), in the farthest
covered column or right of it (T5.4): with all its fields (T5.5), or with ``column="any"`` with some. A tile in a column
with a rhombus adds the next card on the right at once (T5.6), so that later tiles may go on there. If a tile has no
room, wandering ends. The very first tile may go anywhere (T5.13).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.text.language import Language
from thunderref.thorgal import laying
from thunderref.thorgal.grid import BENEFITS, COVERED, GATHERED, PENALTIES, TORCH, Cell, Grid, bits
from thunderref.thorgal.tiles import Shape, Tile, masks, orientations

GOALS = ("benefits", "far", "safe")
"""What comes first: what the fields give; the farthest column; the fewest penalties."""
COLUMN_RULES = ("all", "any")
MOST_ACTIONS = 12
MOST_GATHERINGS = 20


class Way(NamedTuple):
    """One way to wander: the tiles in the order laid, and what they bring.

    ``grid`` is the card with the known further ones on its right; ``columns`` of them are on the table in the end.
    ``rhombus``: the columns (from 0) reached, each a card to add and a bonus to take; the bonuses count among the
    ``benefits``. ``farthest`` is a column from 0. ``stopped``: a further tile has no room. ``unknown``: cards not given
    that a rhombus added while tiles were left to lay, so that the way on is unknown.
    """

    grid: Grid
    columns: int
    laid: tuple[tuple[Tile, int], ...]
    rhombus: tuple[int, ...]
    farthest: int
    benefits: int
    penalties: int
    stopped: bool
    unknown: int

    @property
    def pieces(self) -> tuple[laying.Piece, ...]:
        return laying.lettered(self.laid)

    @property
    def effects(self) -> tuple[laying.Effect, ...]:
        return laying.effects_of(self.grid, self.pieces)

    def rank(self, goal: str) -> tuple[int, ...]:
        gain, harm, far = self.benefits, -self.penalties, self.farthest
        return {"benefits": (gain, harm, far), "far": (far, gain, harm), "safe": (harm, gain, far)}[goal]

    def document(self, words: Language) -> dict[str, Any]:
        return {
            "picture": laying.drawing(self.grid, self.pieces),
            "tiles": [piece.document(self.grid) for piece in self.pieces],
            "farthest": self.farthest + 1,
            "rhombus": [column + 1 for column in self.rhombus],
            "benefits": self.benefits,
            "penalties": self.penalties,
            "stopped": self.stopped,
            "unknown_cards": self.unknown,
            "effects": [effect.document(words) for effect in self.effects],
        }


class Trail(NamedTuple):
    """A beginning of a way; ``covered`` are the fields under tiles, those of earlier turns included."""

    covered: int
    laid: tuple[tuple[Tile, int], ...]
    rhombus: tuple[int, ...]


class Road:
    """The card with the known further ones on its right, and the rules for the next tile.

    ``mirror``: tiles may be flipped over; ``column``: which fields keep to the column rule.
    """

    def __init__(self, card: Grid, *, upcoming: Sequence[Grid] = (), mirror: bool = False, column: str = "all") -> None:
        self.card = self.grid = card
        for further in upcoming:
            self.grid = self.grid.beside(further)
        self.widths = [further.width for further in upcoming]
        self.start = Trail(self.grid.mask_of(COVERED) & self.grid.left_of(card.width), (), ())
        self.mirror = mirror
        self.column = column
        self._places: dict[Shape, list[int]] = {}
        self.gains = laying.counted_fields(self.grid, BENEFITS)
        self.harms = laying.counted_fields(self.grid, PENALTIES)

    def check(self, actions: int) -> None:
        laying.check_number("--actions", actions, 1, MOST_ACTIONS)
        if self.column not in COLUMN_RULES:
            raise InputError("thorgal-column-rule", column=self.column[:20], candidates=COLUMN_RULES)
        if not self.card.open:
            raise NoAnswerError("thorgal-no-room")

    def columns(self, mask: int) -> int:
        found = 0
        while mask:
            found |= mask & ((1 << self.grid.stride) - 1)
            mask >>= self.grid.stride
        return found

    def width(self, trail: Trail) -> int:
        return self.card.width + sum(self.widths[: len(trail.rhombus)])

    def farthest(self, mask: int) -> int:
        return self.columns(mask).bit_length() - 1

    def nearest(self, mask: int) -> int:
        return next(bits(self.columns(mask))).bit_length() - 1

    def check_place(self, trail: Trail, letter: str, mask: int) -> None:
        beyond = [cell.column for cell in self.grid.cells(mask) if cell.column >= self.width(trail)]
        if beyond:
            raise IllegalStepError("thorgal-card-not-there", rule="T5.6", letter=letter, column=beyond[0] + 1)
        if trail.covered and not mask & self.grid.neighbours(trail.covered):
            raise IllegalStepError("thorgal-wander-touch", rule="T5.2", letter=letter)
        far = self.farthest(trail.covered)
        if (self.nearest(mask) if self.column == "all" else self.farthest(mask)) < far:
            raise IllegalStepError("thorgal-wander-column", rule="T5.4", letter=letter, column=far + 1)

    def laid(self, trail: Trail, tile: Tile, mask: int) -> Trail:
        """The trail after a tile: a rhombus reached for the first time adds the next card."""
        new = self.columns(mask) & ~self.columns(trail.covered)
        reached = (column for column in sorted(self.grid.rhombus) if new >> column & 1)
        return Trail(trail.covered | mask, (*trail.laid, (tile, mask)), (*trail.rhombus, *reached))

    def next(self, trail: Trail, tiles: Sequence[Tile]) -> Iterator[Trail]:
        seen: set[int] = set()
        there = self.grid.left_of(self.width(trail))
        behind = self.grid.left_of(max(self.farthest(trail.covered), 0))
        edge = self.grid.neighbours(trail.covered) if trail.covered else there
        closed = trail.covered | ~there | (behind if self.column == "all" else 0)
        ahead = there & ~behind
        for tile in tiles:
            if tile.shape not in self._places:
                every = masks(self.grid, orientations(tile.shape, self.mirror))
                self._places[tile.shape] = sorted(every, key=self.nearest)
            for mask in self._places[tile.shape]:
                if not mask & closed and mask & edge and mask & ahead and mask not in seen:
                    seen.add(mask)
                    yield self.laid(trail, tile, mask)

    def way(self, trail: Trail, stopped: bool) -> Way:
        new = sum(mask for _, mask in trail.laid)
        gains = sum((new & fields).bit_count() for fields in self.gains) + len(trail.rhombus)
        harms = sum((new & fields).bit_count() for fields in self.harms)
        before = trail.covered if stopped or not trail.laid else trail.covered & ~trail.laid[-1][1]
        columns = self.columns(before) & ~self.columns(self.start.covered)
        unknown = max(sum(columns >> column & 1 for column in trail.rhombus) - len(self.widths), 0)
        far, stopped = self.farthest(trail.covered), stopped and not unknown
        return Way(self.grid, self.width(trail), trail.laid, trail.rhombus, far, gains, harms, stopped, unknown)


def judge_way(
    road: Road, drawing: str, tiles: Sequence[Tile] | None, actions: int | None, *, may_leave: bool = False
) -> Way:
    """The outcome of tiles drawn over the card, laid in the order of their letters; raises for the first fault."""
    if actions is not None:
        road.check(actions)
    offer = None if tiles is None else [tile for tile in tiles for _ in laying.LETTERS]
    pieces = sorted(laying.read_pieces(road.grid, drawing, offer, road.mirror, "T5.1"))
    if actions is not None and len(pieces) > actions:
        raise IllegalStepError("thorgal-more-actions", rule="T5.1", n=len(pieces), actions=actions)
    trail = road.start
    for letter, tile, mask in pieces:
        road.check_place(trail, letter, mask)
        trail = road.laid(trail, tile, mask)
    room = tiles is not None and any(True for _ in road.next(trail, tiles))
    if actions is not None and len(pieces) < actions and room and not may_leave:
        raise IllegalStepError("thorgal-fewer-actions", rule="T5.1", n=len(pieces), actions=actions)
    return road.way(trail, tiles is not None and not room)


class Gathering(NamedTuple):
    """One field for the token: a resource (``torch``: that of the character's area), once for each action.

    ``penalties`` are ``yellow`` or ``red``: the effects at the bottom of the card (T6.2).
    """

    cell: Cell
    resource: str
    amount: int
    penalties: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        what = {"resource": self.resource, "amount": self.amount, "penalties": list(self.penalties)}
        return {**self.cell.place, **what}


def gatherings(grid: Grid, actions: int, wanted: str | None = None) -> list[Gathering]:
    """Every uncovered torch or resource field, those without a penalty first, then row by row.

    ``wanted`` is a kind of field; a diamond counts for every resource. Raises :class:`NoAnswerError` if none fits.
    """
    laying.check_number("--actions", actions, 1, MOST_GATHERINGS)
    kinds = GATHERED if wanted is None else GATHERED & {wanted, "diamond" if wanted != TORCH else TORCH}
    found = []
    for cell in grid.cells(grid.open):
        there = grid.field(cell).kinds
        penalties = tuple(kind for kind in there if kind in PENALTIES)
        found += [Gathering(cell, kind, actions, penalties) for kind in there if kind in kinds]
    if not found:
        raise NoAnswerError("thorgal-nothing-to-gather")
    return sorted(found, key=lambda gathering: (len(gathering.penalties), gathering.cell))
