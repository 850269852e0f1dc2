"""The rules of laying tiles a second time, as simply as can be: sets of fields, no masks, no bounds, no shared code."""

from __future__ import annotations

import itertools
import random
from functools import cache

Field = tuple[int, int]
Worth = tuple[int, int, int]
"""Hearts covered, benefits, minus penalties."""


def turned(drawing: str, mirror: bool) -> list[frozenset[Field]]:
    cells = [(r, c) for r, row in enumerate(drawing.split("/")) for c, sign in enumerate(row) if sign == "#"]
    found = set()
    for flip, quarter in itertools.product((1, -1) if mirror else (1,), range(4)):
        now = [(r, c * flip) for r, c in cells]
        for _ in range(quarter):
            now = [(c, -r) for r, c in now]
        top, left = min(r for r, _ in now), min(c for _, c in now)
        found.add(frozenset((r - top, c - left) for r, c in now))
    return sorted(found, key=sorted)


def fits(rows: list[str], drawing: str, mirror: bool) -> list[frozenset[Field]]:
    found = []
    for form in turned(drawing, mirror):
        for r, c in itertools.product(range(len(rows)), range(len(rows[0]))):
            cells = frozenset((r + dr, c + dc) for dr, dc in form)
            if all(y < len(rows) and x < len(rows[0]) and rows[y][x] != "#" for y, x in cells):
                found.append(cells)
    return found


def near(a: frozenset[Field], b: frozenset[Field]) -> bool:
    return any(abs(r - y) + abs(c - x) == 1 for r, c in a for y, x in b)


def worth(rows: list[str], cells: frozenset[Field], goal: str = "benefits") -> Worth:
    signs = [rows[r][c] for r, c in cells]
    hearts, help_, harm = signs.count("H"), sum(s in "1T*+?" for s in signs), sum(s in "yr" for s in signs)
    return (hearts, help_, -harm) if goal == "benefits" else (hearts, -harm, help_)


def arrangements(rows: list[str], tiles: list[str], mirror: bool, may_leave: bool) -> set[frozenset[Field]]:
    """The covered fields of every final arrangement, by laying tile after tile in every order."""
    places = {tile: fits(rows, tile, mirror) for tile in set(tiles)}
    final: set[frozenset[Field]] = set()
    seen = set()

    def lay(covered: frozenset[Field], left: tuple[str, ...]) -> None:
        if (covered, left) in seen:
            return
        seen.add((covered, left))
        stuck = True
        for tile in set(left):
            rest = list(left)
            rest.remove(tile)
            for cells in places[tile]:
                if not cells & covered and (not covered or near(cells, covered)):
                    stuck = False
                    lay(covered | cells, tuple(rest))
        if stuck or may_leave:
            final.add(covered)

    lay(frozenset(), tuple(sorted(tiles)))
    return final


TILES = ["#", "##", "###", "#./##", "##/##", "###/.#.", ".##/##.", "#./#./##", "####", "##/##/#.", "#.#/###"]


def random_case(seed: int) -> tuple[list[str], list[str], bool, bool]:
    """A small card, two or three tiles, whether tiles may be turned over, whether they may be left off."""
    dice = random.Random(seed)
    high, wide = dice.choice([(2, 3), (3, 3), (3, 4), (4, 3), (4, 4), (2, 5)])
    weights = dice.choice([(3, 2, 2, 1, 6), (5, 1, 3, 0, 3), (2, 3, 4, 2, 3), (1, 2, 1, 0, 8)])
    rows = ["".join(dice.choices("H1y#.", weights)[0] for _ in range(wide)) for _ in range(high)]
    tiles = dice.choices(TILES, k=dice.choice([1, 2, 2, 3]))
    return rows, tiles, dice.random() < 0.3, dice.random() < 0.25


class Journey:
    """Wandering by trying every tile in every place: what the best way brings, by goal.

    ``cards``: rows of each card from left to right, all but the first added by a rhombus; ``marks``: the columns of the
    whole that have one.
    """

    def __init__(self, cards: list[list[str]], marks: set[int], mirror: bool, column: str, may_leave: bool) -> None:
        self.rows = ["".join(parts) for parts in zip(*cards, strict=True)]
        self.ends = [sum(len(card[0]) for card in cards[: n + 1]) for n in range(len(cards))]
        self.marks, self.mirror, self.column, self.may_leave = marks, mirror, column, may_leave
        first = self.ends[0]
        self.start = frozenset((r, c) for r, row in enumerate(self.rows) for c in range(first) if row[c] == "X")
        self.free = ["".join("#" if sign in "X#" else sign for sign in row) for row in self.rows]

    def best(self, drawings: list[str], actions: int, goal: str) -> tuple[int, ...] | None:
        """Benefits, minus penalties, farthest column in the order of the goal; None if no tile has room."""
        order = {"benefits": (0, 1, 2), "far": (2, 0, 1), "safe": (1, 0, 2)}[goal]
        places = sorted({cells for d in drawings for cells in fits(self.free, d, self.mirror)}, key=sorted)

        def ranked(brought: tuple[int, int, int]) -> tuple[int, ...]:
            return tuple(brought[i] for i in order)

        @cache
        def rest(there: frozenset[Field], added: int, left: int) -> tuple[int, int, int]:
            far = max((c for _, c in there), default=-1)
            every = []
            for cells in places if left else ():
                edge = (min if self.column == "all" else max)(c for _, c in cells)
                if cells & there or edge < far or max(c for _, c in cells) >= self.ends[min(added, len(self.ends) - 1)]:
                    continue
                if there and not near(cells, there):
                    continue
                reached = ({c for _, c in cells} - {c for _, c in there}) & self.marks
                after = rest(there | cells, added + len(reached), left - 1)
                signs = [self.rows[r][c] for r, c in cells]
                gain = sum(s in "1t*g+?" for s in signs) + len(reached)
                every.append((after[0] + gain, after[1] - sum(s in "yr" for s in signs), after[2]))
            if not every or (self.may_leave and left < actions):
                every.append((0, 0, far))
            return max(every, key=ranked)

        if not any(self._opens(cells) for cells in places):
            return None
        return ranked(rest(self.start, 0, actions))

    def _opens(self, cells: frozenset[Field]) -> bool:
        far = max((c for _, c in self.start), default=-1)
        edge = (min if self.column == "all" else max)(c for _, c in cells)
        inside = max(c for _, c in cells) < self.ends[0]
        return inside and edge >= far and not cells & self.start and (not self.start or near(cells, self.start))
