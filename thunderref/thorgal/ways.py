"""All legal ways to wander, best first; where they are too many, the best ones, found exactly.

What the rest of a way can bring depends only on the last few columns covered, on the cards added and on the tiles left
to lay: so much is known of every such state before a way is followed, and the best ways are met first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.thorgal.tiles import Tile, masks, orientations
from thunderref.thorgal.wander import GOALS, Road, Trail, Way

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
