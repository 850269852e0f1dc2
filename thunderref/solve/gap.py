"""Why a target cannot be beaten: how much is missing at best, and which one card more would do.

Nothing is a canned phrase: the position is solved again for the highest total, and once more with each card added.
"""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.engine.hand import with_card
from thunderref.engine.state import State, Table
from thunderref.solve.best import Search

MOST_STATES = 1_500
"""With a card more this many states are searched; a win found later than that is not told."""


def shortfall(table: Table, state: State, monster: str) -> tuple[int, int] | None:
    """The highest total against a monster and its Health at that moment; None if it cannot be attacked or is beaten."""
    search = Search(table, "max")
    search.run(state, only=monster)
    if not search.found or any(found.worth[1] for found in search.found.values()):
        return None
    best = max(search.found.values(), key=lambda found: found.worth)
    return best.worth[0], best.worth[0] - best.worth[-1]


def cards_that_would_win(table: Table, state: State, monster: str, cards: Iterable[str]) -> list[str]:
    """Those of ``cards`` of which one more in the hand beats the monster."""
    found = []
    for card in dict.fromkeys(cards):
        search = Search(table, "win", budget=MOST_STATES)
        search.run(with_card(state, card), only=monster)
        if any(line.worth[0] for line in search.found.values()):
            found.append(card)
    return found
