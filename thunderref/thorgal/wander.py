"""Play on a wander card: wandering (T5), checked tile by tile; gathering (T6).

Each wander action lays one tile of the kinds on offer. It touches an earlier one by an edge (T5.2), in the farthest
covered column or right of it (T5.4): with all its fields (T5.5), or with ``column="any"`` with some. A tile in a column
with a rhombus adds the next card on the right at once (T5.6), so that later tiles may go on there. If a tile has no
room, wandering ends. The very first tile may go anywhere (T5.13).

All legal ways are listed, best first; where they are too many, the best ones are found exactly: what the rest of a way
can bring depends only on the last few columns covered, on the cards added and on the tiles left to lay, and so much is
known of every such state before a way is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
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
        return laying.letter_pieces(self.laid)

    @property
    def effects(self) -> tuple[laying.FieldEffect, ...]:
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


MOST_WAYS = 100_000  # listed; beyond that only the best ones are
BEST_LISTED = 100  # of these
BUDGET = 8_000_000  # tiles tried for the best ones; beyond that they are only the best found
KEPT = 100  # beginnings kept then
_FAR = 1 << 12  # more than any card has of anything
_WEIGHTS = {"benefits": (_FAR**2, _FAR, 1), "far": (_FAR, 1, _FAR**2), "safe": (_FAR, _FAR**2, 1)}
"""Goal -> the worth of a benefit, of a penalty not taken, of a column: ordered like :meth:`Way.rank`."""
_Key = tuple[frozenset[int], tuple[int, ...]]
"""Equal for two equal ways: the fields of each tile, and the rhombus columns reached."""
_State = tuple[int, int]
"""The fields covered that still matter, and how many known cards are added."""


class Ways(NamedTuple):
    """Ways to wander, best first: all of them if ``complete``, else the best ones.

    Without ``proven`` there may be better ones.
    """

    ways: tuple[Way, ...]
    complete: bool
    proven: bool


class _TooManyError(Exception):
    pass


def ways(
    road: Road,
    tiles: Sequence[Tile],
    actions: int,
    *,
    goal: str = "benefits",
    may_leave: bool = False,
    most: int = MOST_WAYS,
    budget: int = BUDGET,
) -> Ways:
    """Every legal way to lay a tile for each wander action, best first by ``goal``; the best ones if there are many.

    ``tiles``: the kinds on offer, each as often as wanted. Equal tiles on the same fields in another order count once,
    unless they reach other cards. Raises :class:`NoAnswerError` if no tile has room.
    """
    if not tiles:
        raise InputError("thorgal-no-tiles")
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=GOALS)
    road.check(actions)
    kinds = list({tile.shape: tile for tile in tiles}.values())

    try:
        return Ways(_listed(road, kinds, actions, goal, may_leave, most), True, True)
    except _TooManyError:
        pass
    try:
        return Ways(tuple(_Outlook(road, kinds, goal, may_leave, budget).best(actions, BEST_LISTED)), False, True)
    except _TooManyError:
        return Ways(_listed(road, kinds, actions, goal, may_leave, None)[:BEST_LISTED], False, False)


def _listed(
    road: Road, kinds: Sequence[Tile], actions: int, goal: str, may_leave: bool, most: int | None
) -> tuple[Way, ...]:
    """All ways, best first, if there are not more than ``most``; without it those that go on from the best ones."""
    found: dict[_Key, Way] = {}
    edge: dict[_Key, Trail] = {(frozenset(), ()): road.start}
    for number in range(actions):
        wider: dict[_Key, Trail] = {}
        for key, trail in edge.items():
            if may_leave and number:
                found.setdefault(key, road.way(trail, False))
            ahead = list(road.next(trail, kinds))
            for longer in ahead:
                wider.setdefault(_longer(key, longer), longer)
            if number and not ahead:
                found.setdefault(key, road.way(trail, True))
            if most is not None and len(found) + len(wider) > most:
                raise _TooManyError
        edge = wider
        if most is None and len(wider) > KEPT:
            best = sorted(wider.items(), key=lambda item: road.way(item[1], False).rank(goal), reverse=True)
            edge = dict(best[:KEPT])
    for key, trail in edge.items():
        found.setdefault(key, road.way(trail, False))
    if not found:
        raise NoAnswerError("thorgal-no-room")
    return tuple(sorted(found.values(), key=lambda way: way.rank(goal), reverse=True))


def _longer(key: _Key, trail: Trail) -> _Key:
    return key[0] | {trail.laid[-1][1]}, tuple(sorted(trail.rhombus))


class _Place(NamedTuple):
    """Where a tile may lie: its fields, its first and last column, the rhombus columns it is in, what it brings."""

    mask: int
    tile: Tile
    near: int
    far: int
    rhombus: int
    worth: int


class _Outlook:
    """The most that a way can still bring, for every state on the road."""

    def __init__(self, road: Road, kinds: Sequence[Tile], goal: str, may_leave: bool, budget: int) -> None:
        self._road, self._may_leave, self._left = road, may_leave, budget
        self._gain, self._loss, self._column = _WEIGHTS[goal]
        self._rhombus = sum(1 << column for column in road.grid.rhombus)
        found: dict[int, _Place] = {}
        for tile in kinds:
            for mask in masks(road.grid, orientations(tile.shape, road.mirror)):
                found.setdefault(mask, self._place(mask, tile))
        self._places = list(found.values())
        wide = max((place.far - place.near for place in self._places), default=0) if road.column == "any" else 0
        self._behind = [road.grid.left_of(max(column - wide - 1, 0)) for column in range(road.grid.width)]
        self._near: dict[tuple[int, int], list[_Place]] = {}
        self._values: dict[tuple[_State, int], int] = {}

    def _place(self, mask: int, tile: Tile) -> _Place:
        road = self._road
        gains = sum((mask & fields).bit_count() for fields in road.gains)
        harms = sum((mask & fields).bit_count() for fields in road.harms)
        worth = self._gain * gains - self._loss * harms
        return _Place(mask, tile, road.nearest(mask), road.farthest(mask), road.columns(mask) & self._rhombus, worth)

    def _in_reach(self, far: int, cards: int) -> list[_Place]:
        if (far, cards) not in self._near:
            width = self._road.card.width + sum(self._road.widths[:cards])
            there = (place for place in self._places if place.far < width)
            if far >= 0:
                every = self._road.column == "all"
                there = (p for p in there if (p.near if every else p.far) >= far and p.near <= far + 1)
            self._near[far, cards] = list(there)
        return self._near[far, cards]

    def _ahead(self, state: _State) -> Iterator[tuple[_Place, int, _State]]:
        """Every place for the next tile, with what it brings and the state it leads to."""
        (covered, cards), grid = state, self._road.grid
        far, columns = self._road.farthest(covered), self._road.columns(covered)
        edge = grid.neighbours(covered) if covered else grid.everything
        for place in self._in_reach(far, cards):
            self._left -= 1
            if not place.mask & covered and place.mask & edge:
                new = (place.rhombus & ~columns).bit_count()
                behind = self._behind[max(far, place.far)]
                after = (covered | place.mask) & ~behind
                yield place, place.worth + new * self._gain, (after, min(cards + new, len(self._road.widths)))

    def _value(self, state: _State, left: int) -> int:
        """The most that up to ``left`` tiles and the farthest column of the end can bring from here."""
        if not left:
            return self._road.farthest(state[0]) * self._column
        if (state, left) not in self._values:
            if self._left < 0:
                raise _TooManyError
            after: dict[_State, int] = {}
            for _, worth, reached in self._ahead(state):
                after[reached] = max(worth, after.get(reached, worth))
            values = [worth + self._value(reached, left - 1) for reached, worth in after.items()]
            if not values or self._may_leave:
                values.append(self._value(state, 0))
            self._values[state, left] = max(values)
        return self._values[state, left]

    def best(self, actions: int, most: int) -> Iterator[Way]:
        """The best ways in order, up to ``most`` of them; of equal ones those with the most tiles first."""
        road, number = self._road, 0
        start = (road.start.covered & ~self._behind[max(road.farthest(road.start.covered), 0)], 0)
        first: _Key = (frozenset(), ())
        seen = {first}
        ahead = [(-self._value(start, actions), actions, number, 0, first, road.start, start, False)]
        found = 0
        while ahead and found < most:
            _, left, _, worth, key, trail, state, ended = heappop(ahead)
            stuck = not ended and left > 0
            for place, more, reached in self._ahead(state) if stuck else ():
                stuck = False
                longer = road.laid(trail, place.tile, place.mask)
                after = _longer(key, longer)
                if after not in seen:
                    seen.add(after)
                    number += 1
                    rank = -(worth + more + self._value(reached, left - 1))
                    heappush(ahead, (rank, left - 1, number, worth + more, after, longer, reached, False))
            if self._may_leave and left and not ended and not stuck and trail.laid:
                number += 1
                rank = -(worth + self._value(state, 0))
                heappush(ahead, (rank, left, number, worth, key, trail, state, True))
            elif stuck or ended or not left:
                found += 1
                yield road.way(trail, stuck)
