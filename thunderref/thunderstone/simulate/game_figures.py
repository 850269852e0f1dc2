"""The figures of games: what each is, and how it is read off a game."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.thunderstone.simulate.chunks import GameOutcome
from thunderref.thunderstone.simulate.statistics import mean

FIGURES = ("rounds", "vp", "victories_per_round", "first_victory")


def values_of(name: str, games: Sequence[GameOutcome]) -> list[float]:
    """The figure of this name of each game that has it.

    ``vp`` is the mean of the game's players, ``victories_per_round`` counts the monsters that all have defeated.
    """
    match name:
        case "rounds":
            return [game.rounds for game in games]
        case "vp":
            return [mean([player.vp for player in game.players]) for game in games]
        case "victories_per_round":
            return [game.victories / game.rounds for game in games]
        case "first_victory":
            return [game.first_victory for game in games if game.first_victory is not None]
    raise KeyError(name)
