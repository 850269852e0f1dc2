"""The bot that buys the dearest card it can, and fights wherever its hand seems to win."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.thunderstone.bots.greedy import greedy
from thunderref.thunderstone.bots.random_player import beaten
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import DUNGEON, VILLAGE, Attack, Buy, Choice

PATIENCE = 6
"""Rounds in which nothing changes, after which a lost battle is better than none: it moves the monsters (R6.1)."""


def dearest(view: View, choices: Sequence[Choice]) -> Choice:
    """The dungeon if the hand seems to beat a monster there, else the village, and there the dearest card."""
    cards = view.cards
    if VILLAGE in choices:
        fights = view.still >= PATIENCE or any(beaten(cards, view.position))
        return DUNGEON if fights and DUNGEON in choices else VILLAGE
    offered = [choice for choice in choices if isinstance(choice, Buy)]
    if offered:
        return max(offered, key=lambda choice: cards[choice.card].cost)
    attacks = [choice for choice in choices if isinstance(choice, Attack)]
    if attacks and attacks == [*choices]:
        won = {(rank, place): view.cards[foe.card].vp or 0 for rank, place, foe in beaten(cards, view.position)}
        return max(attacks, key=lambda attack: won.get((attack.rank, attack.place), -1))
    return greedy(view, choices)
