"""The best way to lay tiles on a card, proven: depth-first over bit masks, each arrangement met once.

Every place of every tile is one bit of a large number; lower bits are worth more. A step branches on the smallest
choice: the places that touch one group of tiles laid so far, or those that cover one field worth covering (or none of
them). A place tried is not tried again beside the same tiles, which removes permutations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from thunderref.thorgal.grid import Grid, bits
from thunderref.thorgal.laying import Shape, masks, orientations

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
    places: Places, tiles: Sequence[Shape], *, may_leave: bool = False, budget: int = BUDGET, wanted: int | None = None
) -> Arrangement:
    """The arrangement of highest worth: tiles touching by edges, none overlapping, all within the open fields.

    ``places`` are those of these tiles, or of more. A tile stays off only if no room is left for it where it touches
    the others; with ``may_leave`` any tile may. With ``wanted`` the first arrangement worth that much is taken.
    """
    search = _Search(places, may_leave, budget, wanted is not None, -(1 << 60) if wanted is None else wanted - 1)
    left = [tiles.count(shape) for shape in places.shapes]
    room = sum(every for every, count in zip(places.of_tile, left, strict=True) if count)
    search.record_greedy(room, list(left))
    search.step(room, room, left, 0, reduce(or_, (layer.fields for layer in places.gains), 0), [], ())
    laid = None
    if search.best is not None:
        numbers = {shape: [i for i, other in enumerate(tiles) if other == shape] for shape in places.shapes}
        laid = tuple(sorted((numbers[places.shapes[places.tile[p]]].pop(0), places.mask[p]) for p in search.best))
    return Arrangement(laid, search.worth, search.done or search.steps < budget, search.steps)


@dataclass
class _Search:
    places: Places
    may_leave: bool
    budget: int
    first: bool  # is enough
    worth: int  # to surpass
    best: tuple[int, ...] | None = None
    steps: int = 0
    done: bool = False

    def record_greedy(self, room: int, left: list[int]) -> None:
        """A first arrangement: the best place, then again and again the best one that touches."""
        at = self.places
        laid: tuple[int, ...] = ()
        worth = near = 0
        while room & near or (room and not laid):
            here = room & near or room
            p = (here & -here).bit_length() - 1
            if self.may_leave and at.worth[p] <= 0:
                break
            laid, worth = (*laid, p), worth + at.worth[p]
            near |= at.touch[p]
            left[at.tile[p]] -= 1
            room &= at.apart[p]
            if not left[at.tile[p]]:
                room &= ~at.of_tile[at.tile[p]]
        self._record(laid, worth)

    def _record(self, laid: tuple[int, ...], worth: int) -> None:
        if worth > self.worth:
            self.best, self.worth, self.done = laid, worth, self.first

    def _is_hopeless(self, worth: int, goals: int, area: int) -> bool:
        for layer in self.places.gains:
            worth += layer.worth * min((layer.fields & goals).bit_count(), area)
        return worth <= self.worth

    def step(
        self, free: int, room: int, left: list[int], worth: int, goals: int, groups: list[int], laid: tuple[int, ...]
    ) -> None:
        # free: places that may be taken; room: those without the ones tried before; goals: fields worth covering,
        # still to be decided on; groups: for each group of touching tiles the places that touch it
        if self.done or self.steps >= self.budget:
            return
        self.steps += 1
        at = self.places
        values = at.worth
        if len(groups) == 1:
            stuck = not room & groups[0]
            if stuck or self.may_leave:
                self._record(laid, worth)
            if stuck:
                return
        tops, hope, area = [], worth, 0
        for tile, count in enumerate(left):
            top = 0
            if count:
                area += count * at.sizes[tile]
                if here := free & at.of_tile[tile]:
                    top = max(values[(here & -here).bit_length() - 1], 0)
                    hope += count * top
            tops.append(top)
        if hope <= self.worth:
            return
        choice = min((free & group for group in groups), key=int.bit_count, default=free)
        least = choice.bit_count() if groups else 1 << 30
        if not least or self._is_hopeless(worth, goals, area):
            return
        goal, before = 0, goals
        for one in bits(goals):
            covering = free & at.cover.get(one, 0)
            size = covering.bit_count()
            if not size:
                goals ^= one
            elif size < least:
                least, choice, goal = size, covering, one
        if goals != before and self._is_hopeless(worth, goals, area):
            return
        if sum(left) == 1:
            if touching := reduce(and_, groups, free):
                p = (touching & -touching).bit_length() - 1
                self._record((*laid, p), worth + values[p])
            return
        for low in bits(choice):
            p = low.bit_length() - 1
            tile, value, apart = at.tile[p], values[p], at.apart[p]
            if hope - tops[tile] + value > self.worth:
                left[tile] -= 1
                if not left[tile]:
                    apart &= ~at.of_tile[tile]
                touch, still, after = at.touch[p], goals & ~at.mask[p], worth + value
                joined = []
                for group in groups:
                    if group & low:
                        touch |= group
                    else:
                        joined.append(group)
                joined.append(touch)
                self.step(free & apart, room & apart, left, after, still, joined, (*laid, p))
                left[tile] += 1
            free ^= low
        if goal:
            self.step(free, room, left, worth, goals ^ goal, groups, laid)
