"""What finished lines are worth, to compare them (contract: goals ``win`` and ``max``)."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.thunderstone.rules.effects.battle import decided
from thunderref.thunderstone.rules.explanation import Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position

Score = tuple[int, ...]
Loss = tuple[int, int, int]
"""What is destroyed of the player's own: victory points, purchase cost, number of cards."""
NOTHING: Loss = (0, 0, 0)


def losses(game: Game, destroyed: Iterable[str]) -> Loss:
    specs = [game.cards[card] for card in destroyed]
    return sum(spec.vp or 0 for spec in specs), sum(spec.cost for spec in specs), len(specs)


def own_losses(game: Game, state: Position, since: Position | None = None) -> Loss:
    """What the player lost this turn, or since that position; only cards of their own count."""
    gone = state.destroyed if since is None else state.destroyed[len(since.destroyed) :]
    return losses(game, [ref[0] for ref in gone if ref not in state.foreign]) if gone else NOTHING


def added(one: Loss, other: Loss) -> Loss:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def rated(total: int, victory: bool, lost: Loss, margin: int, goal: str) -> Score:
    """The worth of these figures.

    ``win``: victory, then the least lost (VP, then cost, then number), then the larger margin. ``max``: the highest
    total, then victory, then as for ``win``.
    """
    won = (int(victory), -lost[0], -lost[1], -lost[2], margin)
    return (total, *won) if goal == "max" else won


def score(game: Game, state: Position, goal: str) -> Score:
    """The worth of a turn whose battle is over; ValueError if there was none."""
    if state.outcome is None:
        raise ValueError("no battle was fought")
    return _worth(state.outcome, own_losses(game, state), goal)


def foreseen(game: Game, state: Position, goal: str) -> Score:
    """The worth of a battle in which only the outcome is left."""
    outcome, lost = decided(game, state)
    return _worth(outcome, added(own_losses(game, state), losses(game, [card for card, _ in lost])), goal)


def _worth(outcome: Totals, lost: Loss, goal: str) -> Score:
    return rated(outcome.total, outcome.victory, lost, outcome.total - outcome.health, goal)
