"""The rules of laying tiles a second time, as simply as can be: sets of fields, no masks, no bounds, no shared code."""

from __future__ import annotations

import itertools
import random

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
