"""What finished lines are worth, to compare them (contract: goals ``win`` and ``max``)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thunderref.thunderstone.rules.effects.battle import decide_battle
from thunderref.thunderstone.rules.explanation import Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position


class Loss(NamedTuple):
    """What is destroyed of the player's own: victory points, purchase cost, number of cards."""

    vp: int
    cost: int
    number: int


NOTHING = Loss(0, 0, 0)


class Score(NamedTuple):
    """The worth of a line, the most important first, the larger the better.

    ``win``: victory, then the least lost (VP, then cost, then number), then the larger margin. ``max``: the highest
    total, then victory, then as for ``win``.
    """

    total: int
    """0 under ``win``, which does not compare it."""
    victory: bool
    vp: int
    """Minus the victory points lost, as all losses here."""
    cost: int
    number: int
    margin: int


def losses(game: Game, destroyed: Iterable[str]) -> Loss:
    specs = [game.cards[card] for card in destroyed]
    return Loss(sum(spec.vp or 0 for spec in specs), sum(spec.cost for spec in specs), len(specs))


def own_losses(game: Game, state: Position, since: Position | None = None) -> Loss:
    """What the player lost this turn, or since that position; only cards of their own count."""
    gone = state.destroyed if since is None else state.destroyed[len(since.destroyed) :]
    return losses(game, [ref[0] for ref in gone if ref not in state.foreign]) if gone else NOTHING


def add(one: Loss, other: Loss) -> Loss:
    return Loss(one.vp + other.vp, one.cost + other.cost, one.number + other.number)


def rate(total: int, victory: bool, lost: Loss, margin: int, goal: str) -> Score:
    """The worth of these figures."""
    return Score(total if goal == "max" else 0, victory, -lost.vp, -lost.cost, -lost.number, margin)


def score(game: Game, state: Position, goal: str) -> Score:
    """The worth of a turn whose battle is over; ValueError if there was none."""
    if state.outcome is None:
        raise ValueError("no battle was fought")
    return _rate_outcome(state.outcome, own_losses(game, state), goal)


def foresee(game: Game, state: Position, goal: str) -> Score:
    """The worth of a battle in which only the outcome is left."""
    outcome, lost = decide_battle(game, state)
    return _rate_outcome(outcome, add(own_losses(game, state), losses(game, [card for card, _ in lost])), goal)


def _rate_outcome(outcome: Totals, lost: Loss, goal: str) -> Score:
    return rate(outcome.total, outcome.victory, lost, outcome.total - outcome.health, goal)
