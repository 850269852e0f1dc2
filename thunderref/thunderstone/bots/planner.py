"""The planner: open information only, the value of cards, fights and purchases weighed against each other."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.thunderstone.bots.dearest import dearest
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Choice


def planner(view: View, choices: Sequence[Choice]) -> Choice:
    return dearest(view, choices)
