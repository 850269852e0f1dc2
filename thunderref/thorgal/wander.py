"""Wandering (T5): tile after tile to the right on the wander card, checked, or all ways listed best first.

Each wander action lays one tile of the kinds on offer. It touches an earlier one by an edge (T5.2), and lies in the
column of the farthest covered field or right of it: all of it (T5.5), or with ``column="any"`` some of it. A tile in a
column with a rhombus adds the next card on the right at once (T5.6), so that later tiles may go on there. If a tile has
no room, wandering ends. With nothing laid yet the first tile may lie anywhere (T5.13).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.thorgal.fields import BENEFITS, COVERED, PENALTIES
from thunderref.thorgal.grid import Grid
from thunderref.thorgal.laying import LETTERS, Effect, Piece, counted_fields, effects_of, read_pieces
from thunderref.thorgal.rules import (
    RHOMBUS,
    WANDER_COLUMN,
    WANDER_EDGE,
    WANDER_START,
    WANDER_TILES,
    WANDER_TOUCH,
    WANDER_WHOLE,
)
from thunderref.thorgal.tiles import Shape, Tile, masks

_Key = tuple[frozenset[int], tuple[int, ...]]
"""What makes two ways the same: the fields of each tile, and the rhombus columns reached."""
GOALS = ("benefits", "far", "safe")
"""What comes first: what the fields give; the farthest column; the fewest penalties."""
COLUMN_RULES = ("all", "any")
MOST_ACTIONS = 12
MOST_WAYS = 100_000
"""Arrangements listed at most; beyond that the list is not complete, and says so."""
KEPT = 500
"""Beginnings gone on from once there are too many."""


class Way(NamedTuple):
    """One way to wander: the tiles in the order laid, and what they bring."""

    grid: Grid
    """The card with the known further ones on its right, whether added yet or not."""
    columns: int
    """Columns of the cards that lie on the table in the end."""
    pieces: tuple[Piece, ...]
    rhombus: tuple[int, ...]
    """Columns (from 0) whose rhombus was reached, each a card to add and a bonus to take."""
    farthest: int
    """The farthest covered column, from 0."""
    benefits: int
    """What the covered fields give, bonuses of rhombus columns included."""
    penalties: int
    """Penalties set off."""
    stopped: bool
    """True if a further tile has no room."""
    unknown: int
    """Cards not given that a rhombus had added while tiles were left to lay: how to go on there is open."""

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of the covered fields, tile by tile."""
        return tuple(effects_of(self.grid, self.pieces))

    def rank(self, goal: str) -> tuple[int, ...]:
        """What ways are compared by, the best the greatest."""
        gain, harm, far = self.benefits, -self.penalties, self.farthest
        return {"benefits": (gain, harm, far), "far": (far, gain, harm), "safe": (harm, gain, far)}[goal]


class Ways(NamedTuple):
    """All ways to wander, best first; ``complete`` is False if there are more than could be looked at."""

    ways: tuple[Way, ...]
    complete: bool


class _Trail(NamedTuple):
    """Where wandering has come to; masks are those of the card with all known further ones."""

    covered: int
    """Fields under tiles, those of earlier turns included."""
    laid: tuple[tuple[Tile, int], ...]
    rhombus: tuple[int, ...]
    columns: int
    cards_left: int


class _Road:
    """The card with the known further ones on its right, and the rules of where the next tile may lie."""

    def __init__(self, card: Grid, upcoming: Sequence[Grid], mirror: bool, column: str) -> None:
        self.grid = card
        for further in upcoming:
            self.grid = self.grid.beside(further)
        self.widths = [further.width for further in upcoming]
        self.start = _Trail(self.grid.mask_of(COVERED) & self._left_of(card.width), (), (), card.width, len(upcoming))
        self.mirror = mirror
        self.whole = column == "all"
        self._places: dict[Shape, dict[int, list[int]]] = {}
        """Places of each tile by their first column."""
        self._gains = counted_fields(self.grid, BENEFITS)
        self._harms = counted_fields(self.grid, PENALTIES)

    def _left_of(self, column: int) -> int:
        """All fields left of a column."""
        return sum(self.grid.column(number) for number in range(column))

    def _columns(self, mask: int) -> int:
        """Which columns a mask has fields in: bit = column."""
        row = (1 << self.grid.stride) - 1
        found = 0
        while mask:
            found |= mask & row
            mask >>= self.grid.stride
        return found

    def farthest(self, mask: int) -> int:
        """The farthest column of a mask, -1 for no field."""
        return self._columns(mask).bit_length() - 1

    def broken(self, trail: _Trail, mask: int) -> str | None:
        """The rule that a tile on these uncovered fields breaks, None for none."""
        if not trail.covered:
            return None
        if not mask & self.grid.neighbours(trail.covered):
            return WANDER_TOUCH
        columns = self._columns(mask)
        near = (columns & -columns).bit_length() - 1 if self.whole else columns.bit_length() - 1
        return WANDER_COLUMN if near < self.farthest(trail.covered) else None

    def laid(self, trail: _Trail, tile: Tile, mask: int) -> _Trail:
        """The trail after a tile: a rhombus reached for the first time adds the next card."""
        new = self._columns(mask) & ~self._columns(trail.covered)
        reached = [column for column in sorted(self.grid.rhombus) if new >> column & 1]
        columns, left = trail.columns, trail.cards_left
        for _ in reached:
            if left:
                columns += self.widths[-left]
                left -= 1
        return _Trail(trail.covered | mask, (*trail.laid, (tile, mask)), (*trail.rhombus, *reached), columns, left)

    def next(self, trail: _Trail, tiles: Sequence[Tile]) -> Iterator[_Trail]:
        """Every trail that one more tile makes, each set of fields once."""
        seen: set[int] = set()
        there = self._left_of(trail.columns)
        edge = self.grid.neighbours(trail.covered) if trail.covered else there
        far = self.farthest(trail.covered)
        ahead = there & ~self._left_of(max(far, 0))
        if not trail.covered:
            first = range(trail.columns)
        else:
            first = range(far if self.whole else 0, min(far + 2, trail.columns))
        for tile in tiles:
            by_column = self._by_column(tile.shape)
            for mask in (mask for column in first for mask in by_column.get(column, ())):
                if not (mask & trail.covered or not mask & edge or mask & ~there or not mask & ahead or mask in seen):
                    seen.add(mask)
                    yield self.laid(trail, tile, mask)

    def _by_column(self, shape: Shape) -> dict[int, list[int]]:
        if shape not in self._places:
            made: dict[int, list[int]] = {}
            for mask in masks(self.grid, shape, self.mirror):
                columns = self._columns(mask)
                made.setdefault((columns & -columns).bit_length() - 1, []).append(mask)
            self._places[shape] = made
        return self._places[shape]

    def way(self, trail: _Trail, stopped: bool) -> Way:
        """The trail as an answer."""
        pieces = tuple(Piece(LETTERS[n], tile, mask) for n, (tile, mask) in enumerate(trail.laid))
        new = sum(mask for _, mask in trail.laid)
        gains = sum((new & fields).bit_count() for fields in self._gains) + len(trail.rhombus)
        harms = sum((new & fields).bit_count() for fields in self._harms)
        far = self.farthest(trail.covered)
        before = trail.covered if stopped or not trail.laid else trail.covered & ~trail.laid[-1][1]
        columns = self._columns(before) & ~self._columns(self.start.covered)
        unknown = max(sum(columns >> column & 1 for column in trail.rhombus) - len(self.widths), 0)
        return Way(self.grid, trail.columns, pieces, trail.rhombus, far, gains, harms, stopped and not unknown, unknown)


def ways(
    card: Grid,
    tiles: Sequence[Tile],
    actions: int,
    *,
    upcoming: Sequence[Grid] = (),
    goal: str = "benefits",
    mirror: bool = False,
    column: str = "all",
    may_leave: bool = False,
    most: int = MOST_WAYS,
) -> Ways:
    """Every legal way to lay a tile for each wander action, best first by ``goal``.

    ``tiles``: the kinds on offer, each as often as wanted; ``upcoming``: the cards to be added, if known. The same
    fields covered by the same tiles in another order count once, unless other cards are reached. Raises
    :class:`NoAnswerError` if no tile has room and :class:`InputError` for an unknown goal and the like.
    """
    _check(card, tiles, actions, goal, column)
    kinds = list({tile.shape: tile for tile in tiles}.values())
    road = _Road(card, upcoming, mirror, column)
    found: dict[_Key, Way] = {}
    edge: dict[_Key, _Trail] = {(frozenset(), ()): road.start}
    complete = True
    for number in range(actions + 1):
        wider: dict[_Key, _Trail] = {}
        for key, trail in edge.items():
            if number == actions or (may_leave and number):
                found.setdefault(key, road.way(trail, False))
            if number == actions:
                continue
            stuck = True
            for longer in road.next(trail, kinds):
                stuck = False
                wider.setdefault((key[0] | {longer.laid[-1][1]}, tuple(sorted(longer.rhombus))), longer)
            if stuck and number:
                found.setdefault(key, road.way(trail, True))
            if len(found) + len(wider) >= most:
                complete = False
                break
        edge = wider
        if not complete:  # go on from the best of those seen
            best_first = sorted(wider.items(), key=lambda item: road.way(item[1], False).rank(goal), reverse=True)
            edge = dict(best_first[:KEPT])
    if not found:
        raise NoAnswerError("thorgal-no-room")
    best = sorted(found.values(), key=lambda way: way.rank(goal), reverse=True)
    return Ways(tuple(best), complete)


def judge_way(
    card: Grid,
    drawing: str,
    tiles: Sequence[Tile] | None,
    actions: int | None,
    *,
    upcoming: Sequence[Grid] = (),
    mirror: bool = False,
    column: str = "all",
    may_leave: bool = False,
) -> Way:
    """The outcome of tiles drawn over the card, laid in the order of their letters.

    Raises :class:`IllegalStepError` for the first fault: outside, covered, overlapping, no such tile, not touching,
    behind the farthest column, more or fewer tiles than actions.
    """
    if actions is not None:
        _check(card, tiles or [Tile("", ())], actions, GOALS[0], column)
    road = _Road(card, upcoming, mirror, column)
    offer = None if tiles is None else [tile for tile in tiles for _ in range(len(LETTERS))]
    pieces = sorted(read_pieces(road.grid, drawing, offer, mirror, WANDER_TILES))
    if actions is not None and len(pieces) > actions:
        raise IllegalStepError("thorgal-more-actions", rule=WANDER_TILES, n=len(pieces), actions=actions)
    trail = road.start
    for letter, tile, mask in pieces:
        beyond = [cell for cell in road.grid.cells(mask) if cell.column >= trail.columns]
        if beyond:
            raise IllegalStepError("thorgal-card-not-there", rule=RHOMBUS, letter=letter, column=beyond[0].column + 1)
        broken = road.broken(trail, mask)
        if broken == WANDER_TOUCH:
            raise IllegalStepError("thorgal-wander-touch", rule=broken, letter=letter)
        if broken is not None:
            column_ = road.farthest(trail.covered) + 1
            raise IllegalStepError("thorgal-wander-column", rule=broken, letter=letter, column=column_)
        trail = road.laid(trail, tile, mask)
    room = tiles is not None and any(True for _ in road.next(trail, tiles))
    if actions is not None and len(pieces) < actions and room and not may_leave:
        raise IllegalStepError("thorgal-fewer-actions", rule=WANDER_TILES, n=len(pieces), actions=actions)
    return road.way(trail, tiles is not None and not room)


def readings_of(column: str) -> tuple[str, ...]:
    """The open questions that wandering leans on."""
    return (WANDER_EDGE, WANDER_WHOLE, WANDER_START) if column == "all" else (WANDER_EDGE, WANDER_START)


def _check(card: Grid, tiles: Sequence[Tile], actions: int, goal: str, column: str) -> None:
    if not tiles:
        raise InputError("thorgal-no-tiles")
    if not 1 <= actions <= MOST_ACTIONS:
        raise InputError("thorgal-number", name="--actions", n=actions, most=MOST_ACTIONS)
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=GOALS)
    if column not in COLUMN_RULES:
        raise InputError("thorgal-column-rule", column=column[:20], candidates=COLUMN_RULES)
    if not card.open:
        raise NoAnswerError("thorgal-no-room")
