"""Makes the stored sample of set-ups among which ``simulate`` finds the place of one.

    python tests/bench/reference.py [SETUPS] [GAMES] [WORKERS]

Random set-ups for two players, by turns of the base set, of Wrath and of both, each played between two planners; the
seed of a set-up is its number. It writes ``reference.py`` into the package, the same whoever works; takes some ten
minutes on two cores. ``thunderref simulate --code CODE --seed NUMBER --games GAMES`` plays the games of a line again.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from textwrap import fill

from thunderref.statistics import mean, round_off
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate import reference as stored
from thunderref.thunderstone.simulate.bot_games import FIGURES, Chunk, play_chunk
from thunderref.thunderstone.simulate.simulation import NOTHING, Reference, SampledSetup
from thunderref.thunderstone.table.runner import PlayedGame
from thunderref.workers import hire

HEAD = '''"""The sample of set-ups that ``simulate`` compares one with; ``tests/bench/reference.py`` makes it."""

TABLE = {'''
WIDTH = 119
BOTS = ("planner", "planner")
BOXES = (("base",), ("wrath",), ("base", "wrath"))
SETUPS, GAMES = 300, 15


def tasks(setups: int, games: int) -> list[Chunk]:
    """All games of each set-up at a time."""
    codes = [generate_setup(seed=n, sets=[*BOXES[n % len(BOXES)]], players=len(BOTS)).code for n in range(setups)]
    return [Chunk(code, BOTS, n, 0, games) for n, code in enumerate(codes)]


def values_of(name: str, games: list[PlayedGame]) -> list[float]:
    """The figure of this name of each game that has it."""
    return [value for game in games if (value := FIGURES[name](game)) is not None]


def row(code: str, games: list[PlayedGame]) -> SampledSetup:
    """The means of the games that ended."""
    ended = [game for game in games if not game.called_off]
    values = {name: values_of(name, ended) for name in FIGURES}
    return SampledSetup(
        code, len(ended), {name: round_off(mean(each)) if each else None for name, each in values.items()}
    )


def format_reference(reference: Reference) -> str:
    """The module with the sample, sorted by code, in columns."""
    rows = sorted(reference.rows)
    means = {
        name: [NOTHING if (value := row.means[name]) is None else f"{value:g}" for row in rows] for name in FIGURES
    }
    columns = {
        "games": [str(reference.games)], "seed": [str(reference.seed)], "bots": [*reference.bots],
        "code": [row.code for row in rows], "ended": [str(row.ended) for row in rows], **means,
    }  # fmt: skip
    lines = ['    "{}": """\n{}\n""",'.format(name, fill(" ".join(column), WIDTH)) for name, column in columns.items()]
    return "\n".join([HEAD, *lines, "}\n"])


def main(setups: int = SETUPS, games: int = GAMES, workers: int | None = None) -> None:
    start, rows = time.time(), list[SampledSetup]()
    every = tasks(setups, games)
    with hire(workers=workers) as crew:
        for task, played in zip(every, crew.in_order(play_chunk, every), strict=True):
            rows.append(row(task.code, played))
            print(f"{len(rows)} of {setups} set-ups, {time.time() - start:.0f} s", end="\r", file=sys.stderr)
    path = Path(stored.__file__)
    path.write_text(format_reference(Reference(games, 0, BOTS, tuple(sorted(rows)))), "utf-8")
    print(f"{path}: {setups} set-ups, {sum(each.ended for each in rows)} of {setups * games} games ended")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]])
