"""Every kind of search against trying everything, on random small cards: equal, or said to be unproven."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from functools import cache

import pytest

from support.brute import TILES, Journey, arrangements, fits, near, random_case, worth
from support.several import several
from thunderref.errors import NoAnswerError, ThunderrefError
from thunderref.thorgal.fight import GOALS as FIGHT_GOALS
from thunderref.thorgal.fight import best_chance, best_fight, judge_fight, read_die
from thunderref.thorgal.grid import RESOURCES, read_grid
from thunderref.thorgal.laying import drawing, read_tiles
from thunderref.thorgal.wander import GOALS, Road, Ways, gatherings, judge_way, ways
from thunderref.thorgal.wounds import capacity, read_board, read_wounds, take

pytestmark = pytest.mark.thorough
PARTS = pytest.mark.parametrize("part", range(4))
Fields = frozenset[tuple[int, int]]


def seeds(part: int, full: int = 400) -> range:
    """A quarter of the cases; THUNDERREF_EXAMPLES=2000 tries so many of every kind."""
    return range(part, several(16, full), 4)


def late(seed: int) -> tuple[list[list[str]], set[int], list[str], int, bool, str, bool]:
    """Cards, their rhombus columns, tiles, four or five actions, flipping, the column rule, leaving tiles off."""
    dice = random.Random(seed)
    column = dice.choice(("all", "all", "any"))
    high, wide = dice.choice([(2, 5), (3, 4), (3, 5)] if column == "any" else [(2, 6), (3, 5), (3, 6), (4, 5)])
    weights = dice.choice([(2, 6, 1, 2, 2, 1), (1, 8, 0, 1, 1, 1), (2, 3, 2, 3, 4, 2), (0, 4, 1, 3, 2, 2)])
    cards, marks, left = [], set(), 0
    for _ in range(dice.choice((1, 1, 2))):
        cards.append(["".join(dice.choices("X.#1yt", weights)[0] for _ in range(wide)) for _ in range(high)])
        weights = (0, *weights[1:])
        marks |= {left + c for c in range(wide) if dice.random() < 0.2}
        left, wide = left + wide, 2
    drawings = dice.sample(TILES, dice.choice((2, 3, 5)))
    return cards, marks, drawings, dice.choice((4, 5)), dice.random() < 0.2, column, dice.random() < 0.2


def roads(cards: list[list[str]], marks: set[int], drawings: list[str], mirror: bool, column: str) -> Road:
    grids, left = [], 0
    for card in cards:
        wide = len(card[0])
        row = "".join("^" if left + c in marks else "-" for c in range(wide))
        grids.append(read_grid("\n".join([*card, row])))
        left += wide
    return Road(grids[0], read_tiles(", ".join(drawings)), upcoming=grids[1:], mirror=mirror, column=column)


@PARTS
def test_late_wandering(part: int) -> None:
    """Four or five actions: the best way of the list, of the exact search and what is only the best so far."""
    for seed in seeds(part, full=120):
        cards, marks, drawings, actions, mirror, column, may_leave = late(seed)
        goal = [*GOALS][seed // 4 % 3]
        best = Journey(cards, marks, mirror, column, may_leave).best(drawings, actions, goal)
        road = roads(cards, marks, drawings, mirror, column)

        def found(road: Road = road, limit: int = 0, budget: int = 10**9) -> Ways:
            return ways(road, actions, goal=goal, may_leave=may_leave, limit=limit, budget=budget)  # noqa: B023

        if best is None:
            with pytest.raises(NoAnswerError):
                found()
            continue
        exact, full, some = found(), found(limit=3000), found(budget=0)
        assert exact.proven
        assert not some.proven
        assert exact.ways[0].rank(goal) == best, (seed, cards, marks, drawings)
        assert some.ways[0].rank(goal) <= best
        ranks = [way.rank(goal) for way in exact.ways]
        assert ranks == sorted(ranks, reverse=True)
        assert len(
            {(frozenset(mask for _, mask in way.laid), tuple(sorted(way.rhombus))) for way in exact.ways}
        ) == len(ranks)
        if full.complete:
            assert [way.rank(goal) for way in full.ways[:100]] == ranks
            assert len(ranks) == min(len(full.ways), 100)
        for way in (exact.ways[0], exact.ways[-1], some.ways[0]):
            lay = drawing(way.grid, way.pieces)
            again = judge_way(road, lay, actions, may_leave=may_leave)
            assert again.rank(goal) == way.rank(goal) <= best


@PARTS
def test_nothing_accepted_is_better(part: int) -> None:
    """Ways laid at random, legal or not: none that passes brings more than what is called best."""
    for seed in seeds(part):
        cards, marks, drawings, actions, mirror, column, may_leave = late(seed)
        goal, dice = [*GOALS][seed // 4 % 3], random.Random(seed)
        road = roads(cards, marks, drawings, mirror, column)
        try:
            best = ways(road, actions, goal=goal, may_leave=may_leave, limit=0).ways[0].rank(goal)
        except NoAnswerError:
            continue
        for _ in range(10):
            trail = road.start
            for _ in range(dice.choice((actions, actions, actions - 1))):
                trail = dice.choice([*road.next(trail)] or [trail])
            way = road.way(trail, False)
            if not way.laid:
                continue
            try:
                judged = judge_way(road, drawing(way.grid, way.pieces), actions, may_leave=may_leave)
            except ThunderrefError:
                continue
            assert judged.rank(goal) <= best


@PARTS
def test_fights(part: int) -> None:
    """One card, two joined ones or three, every tile laid or not; what is best is accepted as drawn."""
    for seed in seeds(part):
        rows, drawings, mirror, may_leave = random_case(10_000 + seed)
        rows[0] = "H" + rows[0][1:]
        cards = [rows]
        if seed % 3 == 0:
            cards.append([row[:2][::-1] for row in rows])
        goal = FIGHT_GOALS[seed // 4 % 2]
        if seed % 9 == 0:
            cards.append([row[-1] for row in rows])
        every = [["".join(parts) for parts in zip(*order, strict=True)] for order in itertools.permutations(cards)]
        best = max(
            worth(whole, cells, goal) for whole in every for cells in arrangements(whole, drawings, mirror, may_leave)
        )
        tiles = read_tiles(", ".join(drawings))
        options = {"mirror": mirror, "may_leave": may_leave}
        for budget in (10**6, 5):
            fight = best_fight(
                [read_grid("\n".join(card)) for card in cards], tiles, goal=goal, budget=budget, **options
            )
            whole = fight.grid.text.replace("Y", "y").split("/")
            covered = frozenset(fight.grid.cells(sum(piece.mask for piece in fight.pieces)))
            got = worth(whole, covered, goal)
            assert got == best if fight.proven else got <= best, (seed, rows, drawings, options)
            if fight.pieces and fight.proven:
                lay = drawing(fight.grid, fight.pieces)
                again = judge_fight([fight.grid], lay, tiles, **options)
                assert again.uncovered == fight.uncovered


SHAPES = {1: ["#"], 2: ["##"], 3: ["###", "#./##"], 4: ["####", "##/##", "###/.#.", ".##/##.", "#./#./##"]}


def board(seed: int) -> tuple[random.Random, list[str], list[str], Fields]:
    dice = random.Random(seed)
    high, wide = dice.choice([(2, 4), (3, 3), (3, 4), (2, 6)])
    rows = ["".join(dice.choices(".*#", (6, 1, 1))[0] for _ in range(wide)) for _ in range(high)]
    there = frozenset((r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "*")
    return dice, rows, ["".join("." if sign == "." else "#" for sign in row) for row in rows], there


@PARTS
def test_wounds_to_come(part: int) -> None:
    for seed in seeds(part):
        dice, rows, free, there = board(seed)
        mirror = dice.random() < 0.5
        sizes = {str(size): drawings for size, drawings in SHAPES.items()}
        named = {name: [name] for name in TILES}
        names = dice.choices([*sizes, *named], k=dice.choice((1, 2, 3, 4)))
        taken = take(read_board("\n".join(rows)), read_wounds(", ".join(names), mirror))
        shapes = [(sizes | named)[name] for name in names]
        flipped = [mirror or name in sizes for name in names]
        lacks = [fits_any(free, drawings, flip) for drawings, flip in zip(shapes, flipped, strict=True)]
        assert (len(taken) if len(taken) < len(names) else None) == lack(there, lacks), (seed, rows, names)


def fits_any(rows: list[str], drawings: list[str], mirror: bool) -> list[Fields]:
    return [cells for one in drawings for cells in fits(rows, one, mirror)]


def lack(start: Fields, places: list[list[Fields]]) -> int | None:
    @cache
    def most(there: Fields, number: int) -> int:
        if number == len(places):
            return number
        free = [p for p in places[number] if not p & there and (not there or near(p, there))]
        return max((most(there | p, number + 1) for p in free), default=number)

    reached = most(start, 0)
    return None if reached == len(places) else reached


@PARTS
def test_how_many_wounds(part: int) -> None:
    for seed in seeds(part):
        dice, rows, free, there = board(seed)
        size = dice.choice((1, 2, 3, 4))
        name, mirror = dice.choice(((str(size), True), (dice.choice(TILES), dice.random() < 0.5)))
        places = fits_any(free, SHAPES[int(name)] if name.isdecimal() else [name], mirror)

        @cache
        def count(there: Fields, places: tuple[Fields, ...] = tuple(places)) -> tuple[int, int]:
            after = [count(there | p) for p in places if not p & there and (not there or near(p, there))]
            return (1 + max(a for a, _ in after), 1 + min(b for _, b in after)) if after else (0, 0)

        (wound,) = read_wounds(name, mirror)
        found = capacity(read_board("\n".join(rows)), wound)
        most, least = count(there)
        assert found.most == most if found.most_proven else found.most <= most, (seed, rows, name)
        assert found.surely == least if found.surely_proven else found.surely <= least, (seed, rows, name)


@PARTS
def test_chances(part: int) -> None:
    """The chance of a roll with upgrades and re-rolls, from every roll and every choice."""
    faces = ["-", "I1", "I2", "I2", "L3", "I3", "I2+I1", "O4"]
    for seed in seeds(part):
        dice = random.Random(seed)
        high, wide = dice.choice([(1, 3), (2, 2), (2, 3), (3, 3)])
        rows = ["".join(dice.choices("H.#", (3, 3, 1))[0] for _ in range(wide)) for _ in range(high)]
        rows[0] = "H" + rows[0][1:]
        known = {c: dice.choices(faces, k=dice.choice((3, 6))) for c in ("green", "yellow", "orange")}
        colours = tuple(sorted(dice.choices(("green", "yellow"), k=dice.choice((1, 1, 2)))))
        rerolls, upgrades = dice.choice((0, 0, 1)), dice.choice((0, 0, 1))
        mirror = dice.random() < 0.3
        hearts = {(r, c) for r, row in enumerate(rows) for c, sign in enumerate(row) if sign == "H"}

        @cache
        def wins(tiles: tuple[str, ...], rows: tuple[str, ...] = tuple(rows)) -> bool:
            every = arrangements(list(rows), list(tiles), mirror, True)  # noqa: B023
            return any(hearts <= covered for covered in every)  # noqa: B023

        def value(rolled: tuple[str, ...], shown: tuple[str, ...], left: int) -> Fraction:
            drawn = {"I1": "#", "I2": "##", "L3": "#./##", "I3": "###", "O4": "##/##"}
            tiles = tuple(sorted(drawn[name] for face in shown if face != "-" for name in face.split("+")))
            best = Fraction(int(wins(tiles)))
            for n, colour in enumerate(rolled if left and not best else ()):
                die = known[colour]  # noqa: B023
                after = [value(rolled, (*shown[:n], face, *shown[n + 1 :]), left - 1) for face in die]
                best = max(best, sum(after, Fraction(0)) / len(die))
            return best

        def mean(rolled: tuple[str, ...]) -> Fraction:
            every = list(itertools.product(*(known[colour] for colour in rolled)))  # noqa: B023
            return sum((value(rolled, shown, rerolls) for shown in every), Fraction(0)) / len(every)  # noqa: B023

        better = {"green": "yellow", "yellow": "orange"}
        choices = [colours] + [(*colours[:n], better[c], *colours[n + 1 :]) for n, c in enumerate(colours)] * upgrades
        given = dict(read_die(f"{colour}: {', '.join(known[colour])}", False) for colour in known)
        chance = best_chance(
            [read_grid("\n".join(rows))], given, colours, upgrades=upgrades, rerolls=rerolls, mirror=mirror
        )
        assert chance.win == max(map(mean, choices)), (seed, rows, known, colours)


@PARTS
def test_gathering(part: int) -> None:
    for seed in seeds(part):
        dice = random.Random(seed)
        rows = ["".join(dice.choices("X.#1234567yt@", k=5)) for _ in range(3)]
        signs = dict(zip("1234567t", (*RESOURCES, "torch"), strict=True))
        wanted = dice.choice((None, *signs.values()))
        kinds = {wanted} | ({"diamond"} if wanted != "torch" else set()) if wanted else set(signs.values())
        plain = [
            (r, c, signs[s])
            for r, row in enumerate(rows)
            for c, s in enumerate(row)
            if s in signs and signs[s] in kinds
        ]
        if not plain:
            with pytest.raises(NoAnswerError):
                gatherings(read_grid("\n".join(rows)), 1, wanted)
            continue
        found = gatherings(read_grid("\n".join(rows)), 3, wanted)
        assert [(*one.cell, one.resource) for one in found] == plain
        assert {(one.amount, one.penalties) for one in found} == {(3, ())}
