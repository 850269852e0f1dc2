"""Makes the stored sample of set-ups among which ``simulate`` finds the place of one.

    python tests/bench/reference.py [SETUPS] [GAMES] [WORKERS]

Random set-ups for two players, by turns of the base set, of Wrath and of both, each played between two planners; the
seed of a set-up is its number. It writes ``db/reference.toml``, the same whoever works; takes some ten minutes on two
cores. ``thunderref simulate --code CODE --seed NUMBER --games GAMES`` plays the games of a line again.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from thunderref.database.records import Reference, SampledSetup
from thunderref.statistics import mean, round_off
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate.run import Chunk, play_chunk
from thunderref.thunderstone.simulate.simulation import MEASURES
from thunderref.thunderstone.table.runner import PlayedGame
from thunderref.workers import hire

HEAD = """\
# Random set-ups for two players, each played between two bots: ``simulate`` says where among them a set-up lies.
# ``tests/bench/reference.py`` makes this file.

[[reference]]
games = {games}
bots = {bots}

# Code, games that ended, and their means: rounds, VP of a player, victories a round, round of the first victory.
setups = [
"""
FILE = Path(__file__).parents[2] / "db" / "reference.toml"
BOTS = ("planner", "planner")
BOXES = (("base",), ("wrath",), ("base", "wrath"))
SETUPS, GAMES = 300, 15


def tasks(setups: int, games: int) -> list[Chunk]:
    """All games of each set-up at a time."""
    codes = [generate_setup(seed=n, sets=[*BOXES[n % len(BOXES)]], players=len(BOTS)).code for n in range(setups)]
    return [Chunk(code, BOTS, n, 0, games) for n, code in enumerate(codes)]


def values_of(name: str, games: list[PlayedGame]) -> list[float]:
    """The figure of this name of each game that has it."""
    return [value for game in games if (value := MEASURES[name](game)) is not None]


def row(code: str, games: list[PlayedGame]) -> SampledSetup | None:
    """Return the means of the games that ended; None if a figure has none."""
    ended = [game for game in games if not game.called_off]
    values = [values_of(name, ended) for name in MEASURES]
    return SampledSetup(code, len(ended), *(round_off(mean(each)) for each in values)) if all(values) else None


def format_reference(reference: Reference) -> str:
    """Return the file with the sample, sorted by code."""
    rows = (", ".join([f'"{code}"', *(f"{number:g}" for number in more)]) for code, *more in sorted(reference.setups))
    head = HEAD.format(games=reference.games, bots=json.dumps(reference.bots))
    return "\n".join([head + "\n".join(f"    [{row}]," for row in rows), "]", ""])


def main(setups: int = SETUPS, games: int = GAMES, workers: int | None = None) -> None:
    start, rows = time.time(), list[SampledSetup | None]()
    every = tasks(setups, games)
    with hire(workers=workers) as crew:
        for task, played in zip(every, crew.in_order(play_chunk, every), strict=True):
            rows.append(row(task.code, played))
            print(f"{len(rows)} of {setups} set-ups, {time.time() - start:.0f} s", end="\r", file=sys.stderr)
    sample = Reference(games=games, bots=BOTS, setups=tuple(filter(None, rows)))
    FILE.write_text(format_reference(sample), "utf-8", newline="\n")
    print(f"{FILE}: {len(sample.setups)} of {setups} set-ups")
    print(f"{sum(setup.ended for setup in sample.setups)} of {setups * games} games ended")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]])
