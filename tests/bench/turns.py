"""How good the advice of ``turn`` is, on positions of simulated games.

    python tests/bench/turns.py [POSITIONS] [GAMES]     200 positions, 4 games from each choice, if not given

Two planners play random set-ups of both boxes; from each game one beginning of a turn is taken. What its player sees is
handed to ``turn`` as a document, and its advice compared with what the planner did there: they may differ, because a
document says nothing of the decks of the others. Then the position is played on by planners, once with the advised kind
of turn and once with the planner's own if that was another, else with the one it thinks second best: same cards, same
seeds. A shared victory is half a one. Intervals are of 95 %: Wilson's for the agreement, for the others from the
spread of the positions' means. What comes out is true of these bots.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

from bots import SETUPS, setups

import thunderref
from thunderref.budget import Budget
from thunderref.rng import SplitMix64
from thunderref.statistics import Z, wilson
from thunderref.thunderstone.bots.bot import Bot
from thunderref.thunderstone.bots.planner import planner
from thunderref.thunderstone.bots.turn import TURNS, weigh_turn
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import VILLAGE, Choice
from thunderref.thunderstone.rules.position import replace, table_of
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.record import Opening, deal, open_game
from thunderref.thunderstone.table.runner import Run, play_game

POSITIONS, GAMES, SECONDS = 200, 4, 4.0
Moment = tuple[Opening, View, Choice]
"""A beginning of a turn, what its player sees, and what the planner did there."""


class Watched(Run):
    """A game that keeps one of the beginnings of its turns, each as likely as the others."""

    def __init__(self, setup: Setup, seed: int) -> None:
        super().__init__(open_game(setup, deal(setup, seed)), [planner, planner], seed)
        self.dice, self.seen = SplitMix64(seed), 0
        self.kept: Moment | None = None

    def ask_bot(self, options: Sequence[Choice]) -> Choice:
        choice = super().ask_bot(options)
        if VILLAGE in options and choice in TURNS:
            self.seen += 1
            if self.dice.below(self.seen) == 0:
                view = View(self.game, self.position, lambda: SplitMix64(0), self._still())
                table = table_of(self.position)  # a run counts the rounds in which nothing changed from the first turn
                anew = replace(self.position, table=replace(table, turn=1 + table.active))
                self.kept = Opening(self.game, anew), view, choice
        return choice


class Begins:
    """The planner, which begins its first turn as told."""

    name = "planner"

    def __init__(self, choice: Choice) -> None:
        self.choice: Choice | None = choice

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        choice, self.choice = self.choice, None
        return choice if choice in choices and choice is not None else planner(view, choices)


def document_of(view: View) -> dict[str, Any]:
    """What the player may tell of the position."""
    return {
        "hand": list(view.hand), "deck_list": list(view.deck), "discard": list(view.discard), "xp": view.xp,
        "hall": [foe.card or None for foe in view.hall], "rank0": [foe.card for foe in view.rank0],
        "stacks": [f"{left} {card}" for card, left in view.stacks if left], "dungeon_size": view.dungeon_size,
        "players": len(view.others) + 1,
    }  # fmt: skip


def share_of(opening: Opening, view: View, choice: Choice, games: int) -> float:
    """How often the player wins who begins with this choice."""
    won = 0.0
    for seed in range(games):
        bots: list[Bot] = [planner, planner]
        bots[view.seat] = Begins(choice)
        won += play_game(opening, bots, 1000 + seed).seats[view.seat].share
    return won / games


def spread(values: Sequence[float]) -> str:
    half = Z * stdev(values) / len(values) ** 0.5
    return f"{fmean(values):+.1%} (± {half:.1%})"


def main() -> None:
    given = [int(word) for word in sys.argv[1:3]]
    count, games = [*given, *(POSITIONS, GAMES)[len(given) :]]
    drawn, began = setups(["base", "wrath"]), time.perf_counter()
    moments = list[Moment]()
    for seed in range(count):
        game = Watched(drawn[seed % SETUPS], seed)
        game.play()
        assert game.kept is not None
        moments.append(game.kept)
    kinds, same, slowest = Counter[str](), 0, 0.0
    rows = list[tuple[bool, bool, float, float]]()
    for opening, view, done in moments:
        before = time.perf_counter()
        advice = thunderref.turn(document_of(view), budget=Budget(SECONDS)).advice
        slowest = max(slowest, time.perf_counter() - before)
        kinds[advice] += 1
        advised = next(choice for choice, name in TURNS.items() if name == advice)
        weighed = sorted(weigh_turn(view).values(), key=lambda verdict: -verdict.value)
        others = [verdict.choice for verdict in weighed if verdict.choice != advised]
        other = done if done != advised else others[0]
        shares = [share_of(opening, view, choice, games) for choice in (advised, other)]
        same += done == advised
        rows.append((done == advised, TURNS[other] == "rest", *shares))
    low, high = wilson(same / count, count)
    print(f"{count} positions, one of a game each; advice: {dict(kinds)}; slowest {slowest:.2f} s")
    print(f"agrees with the planner: {same} of {count}, {same / count:.1%} ({low:.1%} to {high:.1%})")
    print(f"played on {games} times with either choice ({time.perf_counter() - began:.0f} s in all):")
    for name, chosen in (
        ("all", rows),
        ("agreeing, against the second best", [row for row in rows if row[0]]),
        ("differing, against the planner's", [row for row in rows if not row[0]]),
        ("against a rest", [row for row in rows if row[1]]),
        ("against battle or village", [row for row in rows if not row[1]]),
    ):
        if len(chosen) > 1:
            advised, other = (fmean(row[place] for row in chosen) for place in (2, 3))
            apart = spread([row[2] - row[3] for row in chosen])
            print(f"  {name}: {len(chosen)} positions, advised wins {advised:.1%}, the other {other:.1%}: {apart}")


if __name__ == "__main__":
    main()
