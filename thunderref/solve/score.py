"""Which of two finished lines is better (contract: goals ``win`` and ``max``)."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.engine.battle import decided
from thunderref.engine.state import Ref, State, Table
from thunderref.explain.terms import Totals

Score = tuple[int, ...]


def losses(table: Table, destroyed: Iterable[str]) -> tuple[int, int]:
    """What was destroyed of the player's own: victory points and purchase cost."""
    specs = [table.book[card] for card in destroyed]
    return sum(spec.vp or 0 for spec in specs), sum(spec.cost for spec in specs)


def worth(table: Table, outcome: Totals, destroyed: Iterable[str], goal: str) -> Score:
    """The worth of a battle, the larger the better; lines of equal worth are told apart by their order.

    ``win``: victory, then the least lost (VP, then cost), then the larger margin. ``max``: the highest total, then
    victory, then as for ``win``.
    """
    vp, cost = losses(table, destroyed)
    margin = outcome.total - outcome.health
    if goal == "max":
        return (outcome.total, int(outcome.victory), -vp, -cost, margin)
    return (int(outcome.victory), -vp, -cost, margin)


def score(table: Table, state: State, goal: str) -> Score:
    """The worth of a turn whose battle is over; ValueError if there was none."""
    if state.outcome is None:
        raise ValueError("no battle was fought")
    return worth(table, state.outcome, _cards(state.destroyed), goal)


def foreseen(table: Table, state: State, goal: str) -> Score:
    """The worth of a battle in which only the outcome is left to be told."""
    outcome, lost = decided(table, state)
    return worth(table, outcome, _cards((*state.destroyed, *lost)), goal)


def _cards(refs: Iterable[Ref]) -> list[str]:
    return [card for card, _ in refs]
