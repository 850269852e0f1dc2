"""Games in chunks: what a worker is given, the plain record of each game that it gives back, and the figures of it.

A game is known by the seed and its number alone, never by who plays it or when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from thunderref.database.read import open_database
from thunderref.rng import open_stream
from thunderref.statistics import mean
from thunderref.thunderstone.bots.bot import Bot
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.setup.codes import SEEDS
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.runner import CalledOff, PlayedGame, play_game

CHUNK = 5
"""Games that a worker is given at a time."""


class Chunk(NamedTuple):
    """``size`` games of the set-up ``code`` from number ``first`` (from 0) on, between the bots of these names."""

    code: str
    bots: tuple[str, ...]
    seed: int
    first: int
    size: int


class PlayerOutcome(NamedTuple):
    """What came of one player: victory points, the share of the victory, and the cards taken from the village."""

    vp: int
    share: float
    took: tuple[str, ...]


class GameOutcome(NamedTuple):
    """What came of a game; ``players`` are in the order of the bots, whatever their seats.

    ``first`` is the number of the bot that began. ``first_victory`` is a round, None if no monster was defeated.
    """

    called_off: CalledOff
    rounds: int
    victories: int
    first_victory: int | None
    stone: bool
    first: int
    players: tuple[PlayerOutcome, ...]


def seed_of(seed: int, number: int) -> int:
    """The seed of a game: another one for each number up to :data:`SEEDS`, and fit for ``play --seed``."""
    return (open_stream(seed, "games").below(SEEDS) + number) % SEEDS


def chunks(code: str, bots: Sequence[str], seed: int, games: int) -> Iterator[Chunk]:
    """All games in their order, some at a time."""
    for first in range(0, games, CHUNK):
        yield Chunk(code, tuple(bots), seed, first, min(CHUNK, games - first))


def play_chunk(chunk: Chunk) -> list[GameOutcome]:
    """Plays the games; raises :class:`NoAnswerError` for a bot that fails."""
    setup = generate_setup(code=chunk.code, database=open_database())
    bots = [find_bot(name) for name in chunk.bots]
    numbers = range(chunk.first, chunk.first + chunk.size)
    return [record_game(play_game(setup, turn_seats(bots, n), seed_of(chunk.seed, n)), n) for n in numbers]


def turn_seats(bots: Sequence[Bot], number: int) -> list[Bot]:
    """The bots by their seats: one seat further in every game, so that each begins equally often."""
    turn = number % len(bots)
    return [*bots[turn:], *bots[:turn]]


def record_game(played: PlayedGame, number: int) -> GameOutcome:
    """The record of the game of this number, its players put back into the order of the bots."""
    n = len(played.seats)
    seats = [played.seats[(bot - number) % n] for bot in range(n)]
    players = tuple(
        PlayerOutcome(seat.vp, seat.share, tuple(sorted({card for card, _ in (*seat.bought, *seat.levelled)})))
        for seat in seats
    )
    return GameOutcome(
        played.called_off, played.rounds, played.victories, played.first_victory,
        any(seat.stone for seat in seats), number % n, players,
    )  # fmt: skip


FIGURES: dict[str, Callable[[GameOutcome], float | None]] = {
    "rounds": lambda game: game.rounds,
    "vp": lambda game: mean([player.vp for player in game.players]),
    "victories_per_round": lambda game: game.victories / game.rounds,
    "first_victory": lambda game: game.first_victory,
}
"""``vp`` is the mean of the game's players, ``victories_per_round`` counts the monsters that all have defeated."""


def values_of(name: str, games: Sequence[GameOutcome]) -> list[float]:
    """The figure of this name of each game that has it."""
    return [value for game in games if (value := FIGURES[name](game)) is not None]
