"""The best way to lay tiles on a card, proven: depth-first over bit masks, each arrangement met once.

Every place of every tile is one bit of a large number, the worth more the lower the bit, so that the best place left of
a tile is the lowest bit of an intersection. A step branches where there is least to choose from: the places that touch
one group of tiles laid so far (one of them must be taken, or no tile has room), or those that cover one field worth
covering (or none of them is). A place tried is not tried again beside the same tiles, which makes permutations vanish.
A branch ends when even the best places left, or all the fields left to cover, do not reach the best found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thunderref.thorgal.grid import Grid
from thunderref.thorgal.tiles import Shape, masks

BUDGET = 300_000
"""Steps after which a search ends with the best so far, unproven."""


class Layer(NamedTuple):
    """Fields worth the same: a mask of fields and what covering one of them is worth (negative for a penalty)."""

    fields: int
    worth: int


class Found(NamedTuple):
    """The best arrangement: which tile (its number in the list) lies where (mask), and whether that is proven.

    ``places`` is None if there is none of the worth wanted, or if the budget ended before the first.
    """

    places: tuple[tuple[int, int], ...] | None
    worth: int
    proven: bool
    steps: int


@dataclass
class Places:
    """Every place of every different tile on a grid, best first, with what excludes and what touches what."""

    shapes: list[Shape]
    tile: list[int] = field(default_factory=list)
    """Which of the different tiles."""
    mask: list[int] = field(default_factory=list)
    worth: list[int] = field(default_factory=list)
    apart: list[int] = field(default_factory=list)
    """Places that share no field with this one, as bits."""
    touch: list[int] = field(default_factory=list)
    """Places apart from this one that touch it, as bits."""
    of_tile: list[int] = field(default_factory=list)
    """Places of each different tile, as bits."""
    cover: dict[int, int] = field(default_factory=dict)
    """One-field mask -> places that cover it, as bits."""


def worth_of(mask: int, layers: Sequence[Layer]) -> int:
    """What covering these fields is worth."""
    return sum(layer.worth * (mask & layer.fields).bit_count() for layer in layers)


def places_of(grid: Grid, shapes: Sequence[Shape], layers: Sequence[Layer], mirror: bool) -> Places:
    """All places of these different tiles on a grid."""
    every = [(mask, t) for t, shape in enumerate(shapes) for mask in masks(grid, shape, mirror)]
    every.sort(key=lambda place: -worth_of(place[0], layers))
    made = Places(list(shapes), of_tile=[0] * len(shapes))
    for i, (mask, t) in enumerate(every):
        made.tile.append(t)
        made.mask.append(mask)
        made.worth.append(worth_of(mask, layers))
        made.of_tile[t] |= 1 << i
        for one in _bits(mask):
            made.cover[one] = made.cover.get(one, 0) | 1 << i
    whole = (1 << len(every)) - 1
    for mask in made.mask:
        overlap = near = 0
        for one in _bits(mask):
            overlap |= made.cover[one]
        for one in _bits(grid.neighbours(mask)):
            near |= made.cover.get(one, 0)
        made.apart.append(whole & ~overlap)
        made.touch.append(near & ~overlap)
    return made


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low)
        mask ^= low
    return found


def best_arrangement(
    grid: Grid,
    tiles: Sequence[Shape],
    layers: Sequence[Layer],
    *,
    mirror: bool = False,
    may_leave: bool = False,
    budget: int = BUDGET,
    wanted: int | None = None,
    places: Places | None = None,
) -> Found:
    """The arrangement of most worth: tiles touching by edges, none overlapping, all within the open fields.

    A tile stays off only if no room is left for it where it touches the others; with ``may_leave`` any tile may.
    With ``wanted`` the first arrangement worth that much is taken, and there may be none. ``places`` of these tiles,
    and of others, spare the work of finding them.
    """
    if places is None:
        places = places_of(grid, list(dict.fromkeys(tiles)), layers, mirror)
    different = places.shapes
    search = _Search(places, layers, may_leave, budget, wanted)
    search.run([tiles.count(shape) for shape in different], sum(len(shape) for shape in tiles))
    if search.best is None:
        return Found(None, search.worth, search.steps < budget, search.steps)
    numbers = {shape: [i for i, other in enumerate(tiles) if other == shape] for shape in different}
    laid = tuple((numbers[different[places.tile[p]]].pop(0), places.mask[p]) for p in search.best)
    return Found(tuple(sorted(laid)), search.worth, search.done or search.steps < budget, search.steps)


class _Search:
    def __init__(
        self, places: Places, layers: Sequence[Layer], may_leave: bool, budget: int, wanted: int | None
    ) -> None:
        self.places = places
        self.may_leave = may_leave
        self.budget = budget
        self.wanted = wanted
        self.gains = [layer for layer in layers if layer.worth > 0]
        self.best: tuple[int, ...] | None = None
        self.worth = 0 if wanted is None else wanted - 1
        self.found = wanted is not None
        """Whether there is a worth to surpass."""
        self.steps = 0
        self.done = False

    def run(self, left: list[int], area: int) -> None:
        """Searches with so many tiles of each kind, of so many fields in all."""
        whole = 0
        for tile, count in enumerate(left):
            if count:
                whole |= self.places.of_tile[tile]
        goals = 0
        for layer in self.gains:
            goals |= layer.fields
        self._record(*self._greedy(whole, list(left)))
        self._step(whole, whole, left, area, 0, goals, [], ())

    def _greedy(self, room: int, left: list[int]) -> tuple[tuple[int, ...], int]:
        """An arrangement to begin with: the best place, then again and again the best one that touches."""
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
        return laid, worth

    def _record(self, laid: tuple[int, ...], worth: int) -> None:
        if not self.found or worth > self.worth:
            self.best, self.worth, self.found = laid, worth, True
            self.done = self.wanted is not None and worth >= self.wanted

    def _step(
        self,
        free: int,
        room: int,
        left: list[int],
        area: int,
        worth: int,
        goals: int,
        groups: list[int],
        laid: tuple[int, ...],
    ) -> None:
        """One step. ``free``: places that may be taken; ``room``: those without the ones tried before.

        ``groups``: for each group of touching tiles the places that touch it; ``goals``: fields worth covering, still
        to be decided on.
        """
        if self.done or self.steps >= self.budget:
            return
        self.steps += 1
        at = self.places
        values = at.worth
        if len(groups) == 1:
            if self.may_leave:
                self._record(laid, worth)
            elif not room & groups[0]:
                self._record(laid, worth)
                return
        tops = []
        hope = worth
        for tile, count in enumerate(left):
            top = 0
            if count:
                here = free & at.of_tile[tile]
                if here:
                    top = values[(here & -here).bit_length() - 1]
                    if top > 0:
                        hope += count * top
            tops.append(top)
        if self.found and hope <= self.worth:
            return
        # where there is least to choose from
        choice = free
        least = 1 << 30
        for group in groups:
            touching = free & group
            size = touching.bit_count()
            if size < least:
                least, choice = size, touching
        if not least:
            return
        limit = worth
        taken = 0
        for layer in self.gains:
            limit += layer.worth * min((layer.fields & goals).bit_count(), area)
        if self.found and limit <= self.worth:
            return
        goal = 0
        rest = goals
        while rest:
            one = rest & -rest
            rest ^= one
            covering = free & at.cover.get(one, 0)
            if not covering:
                goals ^= one
                for layer in self.gains:
                    if layer.fields & one:
                        taken += layer.worth
                continue
            size = covering.bit_count()
            if size < least:
                least, choice, goal = size, covering, one
        if taken:
            limit = worth
            for layer in self.gains:
                limit += layer.worth * min((layer.fields & goals).bit_count(), area)
            if self.found and limit <= self.worth:
                return
        total = sum(left)
        if total == 1:
            touching = free
            for group in groups:
                touching &= group
            if touching:
                p = (touching & -touching).bit_length() - 1
                if not self.found or worth + values[p] > self.worth:
                    self._record((*laid, p), worth + values[p])
            return
        while choice:
            low = choice & -choice
            choice ^= low
            p = low.bit_length() - 1
            tile = at.tile[p]
            value = values[p]
            if not self.found or hope - max(tops[tile], 0) + value > self.worth:
                left[tile] -= 1
                apart = at.apart[p]
                if not left[tile]:
                    apart &= ~at.of_tile[tile]
                touch = at.touch[p]
                joined = []
                for group in groups:
                    if group & low:
                        touch |= group
                    else:
                        joined.append(group)
                joined.append(touch)
                mask = at.mask[p]
                self._step(
                    free & apart, room & apart, left, area - mask.bit_count(), worth + value, goals & ~mask, joined,
                    (*laid, p),
                )  # fmt: skip
                left[tile] += 1
            free ^= low
        if goal:
            self._step(free, room, left, area, worth, goals ^ goal, groups, laid)
