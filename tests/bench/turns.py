"""How far apart the estimates of ``turn`` must be to mean anything: compared with games, on positions of games.

    python tests/bench/turns.py [POSITIONS] [GAMES]     60 positions, 24 games from each choice, if not given

Bots play random set-ups of both boxes for two or three players up to one of several rounds. There each kind of turn is
begun as ``lookahead`` would, and played on from the same deals. For pairs of turns, by how many points of Attack their
estimates differ: how many more games the higher one wins (with 95 % of the pairs' spread), and how often it wins more.
"""

from __future__ import annotations

import sys
from itertools import combinations, pairwise
from statistics import fmean, stdev

from advice import ReachedError, UpTo

from thunderref.database.read import open_database
from thunderref.rng import SplitMix64
from thunderref.statistics import Z
from thunderref.thunderstone.bots.planner import lookahead
from thunderref.thunderstone.bots.turn import weigh_turn
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate.advice import BOT, deals_of, first_turns, play_deals
from thunderref.thunderstone.table.record import deal, open_game

FIRST_SEED = 50_000
ROUNDS = (1, 2, 3, 5, 8, 12)
LIMITS = (0.0, 1.0, 2.5, 4.0, 1000.0)


def pairs(seed: int, games: int) -> list[tuple[float, float]]:
    """Of each two kinds of turn, how much higher the first estimate is, and how many more games it wins."""
    players, sets = 2 + seed % 2, ["base", "wrath"] if seed % 3 else ["base"]
    setup = generate_setup(database=open_database(), seed=FIRST_SEED + seed, players=players, sets=sets)
    run = UpTo(open_game(setup, deal(setup, seed)), [lookahead] * players, seed)
    run.until = ROUNDS[seed % len(ROUNDS)]
    try:
        run.play()
    except ReachedError:
        view = View(run.game, run.position, lambda: SplitMix64(0))
        estimates = {kind: verdict.value / lookahead.value(view).point for kind, verdict in weigh_turn(view).items()}
        lines = {turn.summary["turn"]: turn.line for turn in reversed(first_turns(view))}
        lines = {kind: line for kind, line in lines.items() if kind in estimates}
        rows = play_deals(deals_of(view, BOT)._replace(lines=(*lines.values(),), size=games))
        won = dict(zip(lines, map(fmean, zip(*rows, strict=True)), strict=True))
        return [(estimates[one] - estimates[two], won[one] - won[two]) for one, two in combinations(won, 2)]
    return []


def main(positions: int = 60, games: int = 24) -> None:
    found = [pair for seed in range(positions) for pair in pairs(seed, games)]
    for low, high in pairwise(LIMITS):
        more = [won if apart > 0 else -won for apart, won in found if low <= abs(apart) < high]
        if len(more) > 1:
            half, right = Z * stdev(more) / len(more) ** 0.5, fmean([won > 0 for won in more])
            print(f"{low} to {high}: {len(more)} pairs, {fmean(more):+.1%} ± {half:.1%}, more in {right:.0%}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
