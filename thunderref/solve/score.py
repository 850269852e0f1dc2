"""Which of two finished lines is better (contract: goals ``win`` and ``max``)."""

from __future__ import annotations

from thunderref.engine.state import State, Table

Score = tuple[int, ...]


def losses(table: Table, state: State) -> tuple[int, int]:
    """What was destroyed of the player's own: victory points and purchase cost."""
    specs = [table.book[card] for card, _ in state.destroyed]
    return sum(spec.vp or 0 for spec in specs), sum(spec.cost for spec in specs)


def score(table: Table, state: State, goal: str) -> Score:
    """The worth of a fought battle, the larger the better; lines of equal worth are told apart by their order.

    ``win``: victory, then the least lost (VP, then cost), then the larger margin. ``max``: the highest total, then
    victory, then as for ``win``.
    """
    outcome = state.outcome
    if outcome is None:
        raise ValueError("no battle was fought")
    vp, cost = losses(table, state)
    margin = outcome.total - outcome.health
    if goal == "max":
        return (outcome.total, int(outcome.victory), -vp, -cost, margin)
    return (int(outcome.victory), -vp, -cost, margin)
