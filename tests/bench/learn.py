"""Learns the weights of the bot ``lookahead``: a step up the slope of its chance to beat the planner.

    python tests/bench/learn.py GAMES [WORKERS] > learnt.py

In every game all weights, and the worth of every card on offer, are a little off by chance; how far each is off and how
the game ends are compared over many games. The table with the next step is printed, the slopes on standard error.
Steps are small where the slope is not sure: a few runs of 4000 games, each from the table of the last, do it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from functools import partial
from math import exp
from textwrap import fill
from typing import NamedTuple

from thunderref.database.card_records import STACKED
from thunderref.database.read import open_database
from thunderref.statistics import mean
from thunderref.thunderstone.bots.learnt import LEARNT
from thunderref.thunderstone.bots.planner import Planner, planner
from thunderref.thunderstone.bots.valuation import Valuation, Weights
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.runner import play_game
from thunderref.workers import hire

FIRST_SEED = 30_000
BOXES = (["base"], ["base", "wrath"], ["base", "wrath"])
POINTS = ("copies", "balance")
NUMBERS = tuple(name for name in Weights._fields if name not in ("cards", *POINTS))
SPREAD = dict.fromkeys((*NUMBERS, *POINTS), 0.3)
"""How far a weight is off: a factor's logarithm, but for :data:`POINTS` and cards, which are points of Attack."""
CARD = 1.0
STEP, STEP_OF_CARD = 1.5, 12.0
"""What a slope of 1 moves, if it is sure."""
HEAD = '''"""What the bot ``lookahead`` learnt from games; ``tests/bench/learn.py`` makes it."""

from types import MappingProxyType

from thunderref.thunderstone.bots.valuation import Weights

LEARNT = Weights('''
LEAD = 0.01
"""Part of a victory that a VP of lead stands for: it tells more than who won."""


class Learner(Planner):
    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def value(self, view: View) -> Valuation:
        return Valuation(view, self.weights)


class Tried(NamedTuple):
    """How far what was off, and how well the game went."""

    off: dict[str, float]
    result: float


def moved(weights: Weights, off: dict[str, float]) -> Weights:
    """The weights changed by this."""
    numbers = {name: getattr(weights, name) * exp(off.get(name, 0)) for name in NUMBERS}
    names = {*weights.cards, *off} - {*SPREAD}
    cards = {name: weights.cards.get(name, 0) + off.get(name, 0) for name in names}
    points = {name: getattr(weights, name) + off.get(name, 0) for name in POINTS}
    return Weights(**numbers, **points, cards=cards)


def play(weights: Weights, number: int) -> Tried:
    chance, seat = random.Random(number), number % 2
    setup = generate_setup(database=open_database(), seed=FIRST_SEED + number, players=2, sets=BOXES[number % 3])
    sold = [card for stack in setup.table.stacks if stack.kind in STACKED for card, _ in stack.cards]
    off = {name: chance.gauss(0, spread) for name, spread in (SPREAD | dict.fromkeys(sold, CARD)).items()}
    bots = [Learner(moved(weights, off)), planner]
    seats = play_game(setup, bots[::-1] if seat else bots, number).seats
    return Tried(off, seats[seat].share + LEAD * (seats[seat].vp - seats[1 - seat].vp))


def main(games: int = 4000, workers: int | None = None) -> None:
    with hire(workers=workers) as crew:
        tried = list(crew.in_order(partial(play, LEARNT), range(games)))
    middle, step = mean([each.result for each in tried]), dict[str, float]()
    for name in sorted({name for each in tried for name in each.off}):
        pairs = [(each.off[name], each.result - middle) for each in tried if name in each.off]
        square = sum(off * off for off, _ in pairs)
        slope = sum(off * result for off, result in pairs) / square
        error = (sum((result - slope * off) ** 2 for off, result in pairs) / len(pairs) / square) ** 0.5
        sure = max(0.0, 1 - (error / slope) ** 2) if slope else 0.0
        step[name] = (STEP if name in SPREAD else STEP_OF_CARD) * slope * sure
        print(f"{name:24} slope {slope:+.3f}, error {error:.3f}, step {step[name]:+.2f}", file=sys.stderr)
    found = moved(LEARNT, step)
    print(HEAD)
    numbers = (f"{name}={float(f'{getattr(found, name):.3g}')}," for name in SPREAD)
    cards = (f'"{card}":~{round(value, 2)},' for card, value in sorted(found.cards.items()) if abs(value) >= 0.05)
    print(written(numbers, 4), "    cards=MappingProxyType({", written(cards, 8), "    }),\n)  # fmt: skip", sep="\n")


def written(entries: Iterable[str], indent: int) -> str:
    """The entries in lines that are full; ``~`` stands for a space within one."""
    room = " " * indent
    text = fill(" ".join(entries), 120, initial_indent=room, subsequent_indent=room, break_on_hyphens=False)
    return text.replace("~", " ")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]])
