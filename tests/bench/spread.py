"""How much figures of games differ between set-ups and within one, and how many games a report needs.

    python tests/bench/spread.py [SETUPS] [GAMES] [WORKERS]

The standard deviation within is that of the games of a set-up (pooled), that between is what the means of set-ups
differ beyond it (a one-way analysis of variance). The games needed give a mean within 10 % of the true one in 95 of
100 reports.
"""

from __future__ import annotations

import sys
from math import ceil, sqrt
from statistics import stdev

from reference import tasks, values_of

from thunderref.statistics import Z, mean, tenths
from thunderref.thunderstone.simulate.run import play_chunk
from thunderref.thunderstone.simulate.simulation import MEASURES
from thunderref.thunderstone.table.runner import PlayedGame
from thunderref.workers import hire

SETUPS, GAMES = 60, 30
NEAR = 0.1


def spread(name: str, setups: list[list[PlayedGame]]) -> str:
    """The line of a figure in the table."""
    groups = [values for games in setups if len(values := values_of(name, games)) > 1]
    means = [mean(values) for values in groups]
    within = sqrt(mean([stdev(values) ** 2 for values in groups]))
    noise = mean([stdev(values) ** 2 / len(values) for values in groups])
    between = sqrt(max(stdev(means) ** 2 - noise, 0.0))
    needed = sorted((Z * stdev(values) / mean(values) / NEAR) ** 2 for values in groups)
    half, most = map(ceil, tenths(needed)[4::4])
    return f"{name:20} {mean(means):8.2f} {between:8.2f} {within:8.2f} {half:12} {most:12}"


def main(setups: int = SETUPS, games: int = GAMES, workers: int | None = None) -> None:
    every = tasks(setups, games)
    with hire(workers=workers) as crew:
        found = list(crew.in_order(play_chunk, every))
    ended = [[game for game in each if not game.called_off] for each in found]
    print(f"{setups} set-ups x {games} games between planners, {sum(map(len, ended))} of them ended")
    print(f"{'figure':20} {'mean':>8} {'between':>8} {'within':>8} {'games: half':>12} {'9 in 10':>12}")
    for name in MEASURES:
        print(spread(name, ended))


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]])
