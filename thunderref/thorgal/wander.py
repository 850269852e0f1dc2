"""Play on a wander card: wandering (T5), checked tile by tile; gathering (T6).

Each wander action lays one tile of the kinds on offer. It touches an earlier one by an edge (T5.2), in the farthest
covered column or right of it (T5.4): with all its fields (T5.5), or with ``column="any"`` with some. A tile in a column
with a rhombus adds the next card on the right at once (T5.6), so that later tiles may lie there. If a tile has no
room, wandering ends. The very first tile may go anywhere (T5.13).

All legal ways are listed, best first; where they are too many, the best ones are found exactly: what the rest of a way
can bring depends only on the last few columns covered, on the cards added and on the tiles left to lay, which is
known of every such state before a way is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import accumulate, count, islice
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.thorgal import laying
from thunderref.thorgal.grid import BENEFITS, COVERED, GATHERED, PENALTIES, TORCH, Cell, Grid, bits
from thunderref.thorgal.laying import Tile, masks, orientations

GOALS = {"benefits": (0, 1, 2), "far": (2, 0, 1), "safe": (1, 0, 2)}
"""What comes first of the benefits (0), the penalties not taken (1) and the farthest column (2)."""
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
        values = self.benefits, -self.penalties, self.farthest
        return tuple(values[place] for place in GOALS[goal])

    def document(self, words: Language) -> dict[str, Any]:
        return {
            "picture": laying.drawing(self.grid, self.pieces),
            "tiles": [piece.document(self.grid) for piece in self.pieces],
            "farthest": self.farthest + 1, "rhombus": [column + 1 for column in self.rhombus],
            "benefits": self.benefits, "penalties": self.penalties, "stopped": self.stopped,
            "unknown_cards": self.unknown, "effects": [effect.document(words) for effect in self.effects],
        }  # fmt: skip


class Place(NamedTuple):
    """A tile where it may lie: its fields, its columns (a bit for each), the first and the last, what it brings."""

    tile: Tile
    mask: int
    columns: int
    near: int
    far: int
    gains: int
    harms: int


class Trail(NamedTuple):
    """A beginning of a way; ``covered`` are the fields under tiles, those of earlier turns included."""

    covered: int
    laid: tuple[Place, ...]
    rhombus: tuple[int, ...]

    @property
    def key(self) -> tuple[frozenset[int], tuple[int, ...]]:
        """Equal for two equal ways: the fields of each tile, and the rhombus columns reached."""
        return frozenset(place.mask for place in self.laid), tuple(sorted(self.rhombus))


class Road:
    """The card with the known further ones on its right, the tiles on offer, and the rules for the next one.

    ``mirror``: tiles may be flipped over; ``column``: which fields keep to the column rule. ``tried`` counts places.
    """

    def __init__(
        self, card: Grid, tiles: Sequence[Tile] | None, *, upcoming: Sequence[Grid] = (), mirror: bool, column: str
    ) -> None:
        self.card, self.tiles, self.mirror, self.column = card, tiles, mirror, column
        self.grid = reduce(Grid.beside, upcoming, card)
        self.widths = [*accumulate((further.width for further in upcoming), initial=card.width)]
        self.rhombus = sum(1 << column for column in self.grid.rhombus)
        self.start = Trail(self.grid.mask_of(COVERED) & self.grid.left_of(card.width), (), ())
        self.tried = 0
        self._counted = [laying.counted_fields(self.grid, kinds) for kinds in (BENEFITS, PENALTIES)]
        self._near: dict[tuple[int, int], list[Place]] = {}

    def check(self, actions: int) -> None:
        laying.check_number("--actions", actions, 1, MOST_ACTIONS)
        if self.column not in COLUMN_RULES:
            raise InputError("thorgal-column-rule", column=self.column[:20], candidates=COLUMN_RULES)
        if not self.card.open:
            raise NoAnswerError("thorgal-no-room")

    def columns(self, mask: int) -> int:
        union = 0
        while mask:
            union |= mask & ((1 << self.grid.stride) - 1)
            mask >>= self.grid.stride
        return union

    def width(self, cards: int) -> int:
        return self.widths[min(cards, len(self.widths) - 1)]

    def farthest(self, mask: int) -> int:
        return self.columns(mask).bit_length() - 1

    def place(self, tile: Tile, mask: int) -> Place:
        columns = self.columns(mask)
        near, far = (columns & -columns).bit_length() - 1, columns.bit_length() - 1
        gains, harms = (sum((mask & fields).bit_count() for fields in layers) for layers in self._counted)
        return Place(tile, mask, columns, near, far, gains, harms)

    @cached_property
    def places(self) -> list[Place]:
        places: dict[int, Place] = {}
        for tile in self.tiles or ():
            every = (self.place(tile, mask) for mask in masks(self.grid, orientations(tile.shape, self.mirror)))
            for place in sorted(every, key=lambda place: place.near):
                places.setdefault(place.mask, place)
        return list(places.values())

    def ahead(self, covered: int, cards: int) -> list[Place]:
        """The places for the next tile; ``cards`` were added."""
        far, edge = self.farthest(covered), self.grid.neighbours(covered) if covered else self.grid.everything
        if (far, cards) not in self._near:
            there = [place for place in self.places if place.far < self.width(cards)]
            if far >= 0:
                every = self.column == "all"
                there = [p for p in there if (p.near if every else p.far) >= far and p.near <= far + 1]
            self._near[far, cards] = there
        near = self._near[far, cards]
        self.tried += len(near)
        return [place for place in near if not place.mask & covered and place.mask & edge]

    def laid(self, trail: Trail, place: Place) -> Trail:
        """The trail after a tile: a rhombus reached for the first time adds the next card."""
        new = bits(place.columns & self.rhombus & ~self.columns(trail.covered))
        reached = (one.bit_length() - 1 for one in new)
        return Trail(trail.covered | place.mask, (*trail.laid, place), (*trail.rhombus, *reached))

    def next(self, trail: Trail) -> list[Trail]:
        return [self.laid(trail, place) for place in self.ahead(trail.covered, len(trail.rhombus))]

    def way(self, trail: Trail, stopped: bool) -> Way:
        gains, harms = (sum(p.gains for p in trail.laid) + len(trail.rhombus), sum(p.harms for p in trail.laid))
        before = trail.covered if stopped or not trail.laid else trail.covered & ~trail.laid[-1].mask
        columns = self.columns(before) & ~self.columns(self.start.covered)
        unknown = max(sum(columns >> column & 1 for column in trail.rhombus) - len(self.widths) + 1, 0)
        laid, width = tuple(p[:2] for p in trail.laid), self.width(len(trail.rhombus))
        far, stopped = self.farthest(trail.covered), stopped and not unknown
        return Way(self.grid, width, laid, trail.rhombus, far, gains, harms, stopped, unknown)


def judge_way(road: Road, drawing: str, actions: int | None, *, may_leave: bool = False) -> Way:
    """The outcome of tiles drawn over the card, laid in the order of their letters; raises for the first fault.

    A road without tiles takes the shapes as drawn.
    """
    if actions is not None:
        road.check(actions)
    offer = None if road.tiles is None else [tile for tile in road.tiles for _ in laying.PIECE_LETTERS]
    pieces = sorted(laying.read_pieces(road.grid, drawing, offer, road.mirror, "T5.1"))
    if actions is not None and len(pieces) > actions:
        raise IllegalStepError("thorgal-more-actions", rule="T5.1", n=len(pieces), actions=actions)
    trail = road.start
    for letter, tile, mask in pieces:
        place, far, width = road.place(tile, mask), road.farthest(trail.covered), road.width(len(trail.rhombus))
        if beyond := [cell.column for cell in road.grid.cells(mask) if cell.column >= width]:
            raise IllegalStepError("thorgal-card-not-there", rule="T5.6", letter=letter, column=beyond[0] + 1)
        if trail.covered and not mask & road.grid.neighbours(trail.covered):
            raise IllegalStepError("thorgal-wander-touch", rule="T5.2", letter=letter)
        if (place.near if road.column == "all" else place.far) < far:
            raise IllegalStepError("thorgal-wander-column", rule="T5.4", letter=letter, column=far + 1)
        trail = road.laid(trail, place)
    room = road.ahead(trail.covered, len(trail.rhombus))
    if actions is not None and len(pieces) < actions and room and not may_leave:
        raise IllegalStepError("thorgal-fewer-actions", rule="T5.1", n=len(pieces), actions=actions)
    return road.way(trail, offer is not None and not room)


class Gathering(NamedTuple):
    """A field for the token: its resource (``torch``: that of the area), once for each action, its penalties (T6.2)."""

    cell: Cell
    resource: str
    amount: int
    penalties: tuple[str, ...]


def gatherings(grid: Grid, actions: int, target: str | None = None) -> list[Gathering]:
    """Every uncovered torch or resource field, those without a penalty first, then row by row.

    ``target`` is a kind of field; a diamond counts for every resource. Raises :class:`NoAnswerError` if none fits.
    """
    laying.check_number("--actions", actions, 1, MOST_GATHERINGS)
    kinds = GATHERED if target is None else GATHERED & {target, "diamond" if target != TORCH else TORCH}
    fields = []
    for cell in grid.cells(grid.open):
        there = grid.field(cell).kinds
        penalties = tuple(kind for kind in there if kind in PENALTIES)
        fields += [Gathering(cell, kind, actions, penalties) for kind in there if kind in kinds]
    if not fields:
        raise NoAnswerError("thorgal-nothing-to-gather")
    return sorted(fields, key=lambda gathering: (len(gathering.penalties), gathering.cell))


MOST_WAYS = 100_000  # listed; beyond that only the best ones are
BEST_LISTED = 100  # of these
TRAIL_BUDGET = 8_000_000  # tiles tried for the best ones; beyond that they are only the best found
BEAM_WIDTH = 100  # beginnings kept then
_DIGITS = 12  # bits for the number of anything on a card
_State = tuple[int, int]  # the fields covered that still matter, and how many known cards are added


class Ways(NamedTuple):
    """Ways to wander, best first: all if ``complete``, else the best ones; without ``proven`` there may be better."""

    ways: tuple[Way, ...]
    complete: bool
    proven: bool


class _TooManyError(Exception):
    pass


def ways(
    road: Road, actions: int, *, goal: str, may_leave: bool = False, limit: int = MOST_WAYS, budget: int = TRAIL_BUDGET
) -> Ways:
    """Every legal way to lay a tile for each wander action, best first by ``goal``; the best ones if there are many.

    The tiles on offer may each be laid as often as wanted. Equal tiles on the same fields in another order count once,
    unless they reach other cards. Raises :class:`NoAnswerError` if no tile has room.
    """
    if not road.tiles:
        raise InputError("thorgal-no-tiles")
    if goal not in GOALS:
        raise InputError("thorgal-goal", goal=goal[:20], candidates=tuple(GOALS))
    road.check(actions)
    with suppress(_TooManyError):
        return Ways(_all_ways(road, actions, goal, may_leave, limit), True, True)
    with suppress(_TooManyError):
        return Ways(tuple(islice(_Outlook(road, goal, may_leave, budget).best(actions), BEST_LISTED)), False, True)
    return Ways(_all_ways(road, actions, goal, may_leave, None)[:BEST_LISTED], False, False)


def _all_ways(road: Road, actions: int, goal: str, may_leave: bool, limit: int | None) -> tuple[Way, ...]:
    """All ways, best first, if there are not more than ``limit``; without it those that go on from the best ones."""
    best: dict[Any, Way] = {}
    edge = [road.start]
    for number in range(actions):
        wider: dict[Any, Trail] = {}
        for trail in edge:
            ahead = road.next(trail)
            for longer in ahead:
                wider.setdefault(longer.key, longer)
            if number and (may_leave or not ahead):
                best.setdefault(trail.key, road.way(trail, not may_leave))
            if limit is not None and len(best) + len(wider) > limit:
                raise _TooManyError
        edge = list(wider.values())
        if limit is None and len(wider) > BEAM_WIDTH:
            edge = sorted(edge, key=lambda trail: road.way(trail, False).rank(goal), reverse=True)[:BEAM_WIDTH]
    for trail in edge:
        best.setdefault(trail.key, road.way(trail, False))
    if not best:
        raise NoAnswerError("thorgal-no-room")
    return tuple(sorted(best.values(), key=lambda way: way.rank(goal), reverse=True))


class _Outlook:
    """The most that a way can still bring, for every state on the road."""

    def __init__(self, road: Road, goal: str, may_leave: bool, budget: int) -> None:
        self._road, self._may_leave, self._most = road, may_leave, road.tried + budget
        self._gain, self._loss, self._column = (1 << _DIGITS * (2 - GOALS[goal].index(value)) for value in range(3))
        wide = max((place.far - place.near for place in road.places), default=0) if road.column == "any" else 0
        self._behind = [road.grid.left_of(max(column - wide - 1, 0)) for column in range(road.grid.width)]
        self._values: dict[tuple[_State, int], int] = {}

    def _ahead(self, state: _State) -> Iterator[tuple[Place, int, _State]]:
        """Every place for the next tile, with what it brings and the state it leads to."""
        (covered, cards), road = state, self._road
        far, columns = road.farthest(covered), road.columns(covered)
        for place in road.ahead(covered, cards):
            new = (place.columns & road.rhombus & ~columns).bit_count()
            after = (covered | place.mask) & ~self._behind[max(far, place.far)]
            worth = (place.gains + new) * self._gain - place.harms * self._loss
            yield place, worth, (after, min(cards + new, len(road.widths) - 1))

    def _value(self, state: _State, remaining: int) -> int:
        """The most that up to ``remaining`` tiles and the farthest column of the end can bring from here."""
        if not remaining:
            return self._road.farthest(state[0]) * self._column
        if (state, remaining) not in self._values:
            if self._road.tried > self._most:
                raise _TooManyError
            values = [worth + self._value(reached, remaining - 1) for _, worth, reached in self._ahead(state)]
            if not values or self._may_leave:
                values.append(self._value(state, 0))
            self._values[state, remaining] = max(values)
        return self._values[state, remaining]

    def best(self, actions: int) -> Iterator[Way]:
        """The ways in order, best first; of equal ones those with the most tiles first."""
        road, number = self._road, count()
        start = (road.start.covered & ~self._behind[max(road.farthest(road.start.covered), 0)], 0)
        seen = {road.start.key}
        ahead = [(-self._value(start, actions), actions, next(number), 0, road.start, start, False)]
        while ahead:
            _, remaining, _, worth, trail, state, ended = heappop(ahead)
            further = list(self._ahead(state)) if remaining and not ended else []
            for place, more, reached in further:
                longer = road.laid(trail, place)
                if longer.key not in seen:
                    seen.add(longer.key)
                    rank = -(worth + more + self._value(reached, remaining - 1))
                    heappush(ahead, (rank, remaining - 1, next(number), worth + more, longer, reached, False))
            if not further:
                yield road.way(trail, remaining > 0 and not ended)
            elif self._may_leave and trail.laid:
                rank = -(worth + self._value(state, 0))
                heappush(ahead, (rank, remaining, next(number), worth, trail, state, True))
