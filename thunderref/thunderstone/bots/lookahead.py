"""The strongest player: the planner's plans, weighed by what thousands of games taught.

``learnt.csv`` has the weights, and what single cards are worth besides; ``tests/bench/learn.py`` makes it.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from typing import ClassVar

from thunderref.thunderstone.bots.planner import Planner
from thunderref.thunderstone.bots.valuation import Valuation, Weights
from thunderref.thunderstone.bots.view import View

FILE = "learnt.csv"


@lru_cache(maxsize=1)
def learnt() -> Weights:
    """The weights of the table; a name that is none of theirs is a card's."""
    rows = csv.reader(files(__package__).joinpath(FILE).read_text("utf-8").splitlines())
    values = {name: float(value) for name, value in rows}
    own = {name: values.pop(name) for name in Weights._fields if name in values}
    return Weights(**own, cards=values)


class Lookahead(Planner):
    name: ClassVar[str] = "lookahead"

    def value(self, view: View) -> Valuation:
        return Valuation(view, learnt())


lookahead = Lookahead()
