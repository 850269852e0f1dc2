"""The stored sample of random set-ups, among which a set-up has its place.

``tests/bench/reference.py`` makes it: every line of ``reference.csv`` is a set-up with the means of its games.
"""

from __future__ import annotations

import csv
import json
from importlib.resources import files
from typing import NamedTuple

from thunderref.thunderstone.simulate.game_figures import FIGURES

COLUMNS = ("code", "ended", *FIGURES)
FILE = "reference.csv"


class Row(NamedTuple):
    """A set-up: its code, how many of its games ended, and the means of the figures (None if there are none)."""

    code: str
    ended: int
    means: dict[str, float | None]


class Reference(NamedTuple):
    """Set-ups, each played ``games`` times between these bots."""

    games: int
    seed: int
    bots: tuple[str, ...]
    rows: tuple[Row, ...]

    def ordered(self, name: str) -> list[float]:
        """The means of a figure, the least first."""
        return sorted(value for row in self.rows if (value := row.means[name]) is not None)


def read_reference() -> Reference:
    """The sample that comes with the program."""
    return parse(files(__package__).joinpath(FILE).read_text("utf-8"))


def parse(text: str) -> Reference:
    """A sample as :func:`written`: a JSON head after ``#``, the names of the columns, a line a set-up."""
    first, rest = text.split("\n", 1)
    head = json.loads(first.removeprefix("#"))
    rows = tuple(
        Row(row["code"], int(row["ended"]), {name: float(row[name]) if row[name] else None for name in FIGURES})
        for row in csv.DictReader(rest.splitlines())
    )
    return Reference(head["games"], head["seed"], tuple(head["bots"]), rows)


def written(reference: Reference) -> str:
    """The sample as it is stored, sorted by code."""
    head = {"bots": [*reference.bots], "games": reference.games, "seed": reference.seed}
    lines = [f"# {json.dumps(head)}", ",".join(COLUMNS)]
    for row in sorted(reference.rows):
        means = ("" if (value := row.means[name]) is None else f"{value:g}" for name in FIGURES)
        lines.append(",".join((row.code, str(row.ended), *means)))
    return "\n".join(lines) + "\n"
