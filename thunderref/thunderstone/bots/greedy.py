"""The greedy bot: at every step what a random player would do likeliest, so what is worth most at a glance."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.thunderstone.bots.random_player import chosen
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import Choice


def greedy(view: View, choices: Sequence[Choice]) -> Choice:
    return chosen(view.game, view.position, choices, lambda weights: weights.index(max(weights)))
