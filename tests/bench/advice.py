"""How soon ``turn --games`` knows what is best, on positions in the middle of games, and whether many games agree.

    python tests/bench/advice.py [POSITIONS] [SECONDS] [GAMES] [ROUND]    5 positions, 60 s, 2000 games, round 8

Greedy bots play random set-ups up to that round, of games that end (of many games of theirs nothing comes). There the
adviser has its time on all cores; then each of its choices is played so many times from other deals. The intervals of
the differences to the best are of 95 %: of games with the same deals, and as if each choice had deals of its own.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from statistics import fmean, variance

from bots import setups

from thunderref.budget import Budget
from thunderref.rng import SplitMix64
from thunderref.statistics import Z
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import VILLAGE, Choice
from thunderref.thunderstone.simulate.advice import BOT, DEALS, FirstTurn, compare, deals_of, first_turns, play_deals
from thunderref.thunderstone.table.record import deal, open_game
from thunderref.thunderstone.table.runner import Run, play_game
from thunderref.workers import AUTO, hire

Shares = list[list[float]]


class ReachedError(Exception):
    """The round has come."""


class UpTo(Run):
    """A game that is left at the beginning of a round."""

    until = 0

    def ask_bot(self, options: Sequence[Choice]) -> Choice:
        if self.round >= self.until and VILLAGE in options:
            raise ReachedError
        return super().ask_bot(options)


def half(values: Sequence[float]) -> float:
    return Z * (variance(values) / len(values)) ** 0.5


def report(turns: Sequence[FirstTurn], found: Shares) -> None:
    """A line for each choice: its games, its wins, and how far it is from the best, paired and unpaired."""
    best = found[best_of(found)]
    for turn, mine in zip(turns, found, strict=True):
        apart = [a - b for a, b in zip(mine, best, strict=False)]
        unpaired = (half(mine) ** 2 + half(best[: len(mine)]) ** 2) ** 0.5
        words = " ".join(str(value) for value in turn.summary.values())
        print(f"    {words:50} {len(mine):5} games {fmean(mine):6.1%} {fmean(apart):+6.1%}", end=" ")
        print("" if mine is best else f"± {half(apart):.1%} (unpaired ± {unpaired:.1%})")


def best_of(found: Shares) -> int:
    return max(range(len(found)), key=lambda n: (len(found[n]), fmean(found[n])))


def play_all(view: View, turns: Sequence[FirstTurn], games: int) -> Shares:
    """So many games for each choice, other deals than the adviser's."""
    task = deals_of(view, BOT)._replace(lines=tuple(turn.line for turn in turns))
    found: Shares = [[] for _ in turns]
    with hire() as crew:
        tasks = (task._replace(first=10**6 + n, size=DEALS) for n in range(0, games, DEALS))
        for rows in crew.in_order(play_deals, tasks):
            for shares, won in zip(found, zip(*rows, strict=True), strict=True):
                shares += won
    return found


def main() -> None:
    given = [int(word) for word in sys.argv[1:5]]
    count, seconds, games, until = [*given, *(5, 60, 2000, 8)[len(given) :]]
    drawn, seed, same = setups(["base", "wrath"]), 0, 0
    for number in range(count):
        while True:
            seed += 1
            setup = drawn[seed % len(drawn)]
            if play_game(setup, [find_bot(BOT)] * setup.content.players, seed).called_off:
                continue
            run = UpTo(open_game(setup, deal(setup, seed)), [find_bot(BOT)] * setup.content.players, seed)
            run.until = until
            try:
                run.play()
            except ReachedError:
                break
        view = View(run.game, run.position, lambda: SplitMix64(0))
        turns, began = first_turns(view), time.perf_counter()
        quick, stopped = compare(view, [turn.line for turn in turns], 100_000, BOT, Budget(seconds), AUTO)
        took, played, load = time.perf_counter() - began, sum(map(len, quick)), os.getloadavg()[0]
        print(f"{number + 1}. seed {seed}, round {until}, {len(view.dungeon)} cards in the dungeon, load {load:.1f}:")
        print(f"  {stopped} after {took:.1f} s, {played} games, {1000 * took / played:.1f} ms a game")
        report(turns, quick)
        if games:
            print(f"  {games} games each:")
            full = play_all(view, turns, games)
            report(turns, full)
            same += best_of(quick) == best_of(full)
    if games:
        print(f"the same choice is best: {same} of {count}")


if __name__ == "__main__":
    main()
