"""The search for the best line without its shortcuts, to show that these lose nothing."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from thunderref.thunderstone.resolve import search
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.position import Position


class Unhurried(Surroundings):
    """Surroundings in which no effect and no weapon waits for its place, and any card may still come."""

    in_order = property(lambda _: True, lambda *_: None)
    brings = property(lambda _: True, lambda *_: None)


class FullSearch(Search):
    """The search in which effects are used in any order and no bound cuts anything off."""

    def _look_around(self, start: Position, informs: bool, *, begun: bool) -> None:
        with patch.object(search, "Surroundings", Unhurried):
            super()._look_around(start, informs, begun=begun)
        assert isinstance(self._around, Unhurried)
        assert not self._prunes

    def _is_better(self, *_: Any) -> bool:
        return True


def best_of_each(start: Position, found: Search) -> dict[str, Any]:
    """The best worth by monster; of twins by rank."""
    twins = {foe.card for foe in start.hall if [other.card for other in start.hall].count(foe.card) > 1}
    best: dict[str, Any] = {}
    for (card, rank), line in found.found.items():
        name = f"{card} at {rank}" if card in twins else card
        best[name] = max(best.get(name, line.worth), line.worth)
    return best
