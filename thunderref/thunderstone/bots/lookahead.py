"""The strongest player: the planner's plans, weighed by what thousands of games taught."""

from __future__ import annotations

from typing import ClassVar

from thunderref.thunderstone.bots.learnt import LEARNT
from thunderref.thunderstone.bots.planner import Planner
from thunderref.thunderstone.bots.valuation import Valuation
from thunderref.thunderstone.bots.view import View


class Lookahead(Planner):
    name: ClassVar[str] = "lookahead"

    def value(self, view: View) -> Valuation:
        return Valuation(view, LEARNT)


lookahead = Lookahead()
