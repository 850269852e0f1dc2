"""Games in chunks: what a worker is given, what it gives back, and the figures of it.

A game is known by the seed and its number alone, never by who plays it or when. Bots that differ play each deal once
for every player, with the seats changed, so that nobody owes a victory to the cards; equals have a deal for each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from thunderref.database.read import open_database
from thunderref.rng import open_stream
from thunderref.statistics import mean
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.setup.codes import SEEDS
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.runner import PlayedGame, play_game

T = TypeVar("T")

CHUNK = 5
"""Games that a worker is given at a time, or as many more as make the last deal whole."""


class Chunk(NamedTuple):
    """``size`` games of the set-up ``code`` from number ``first`` (from 0) on, between the bots of these names."""

    code: str
    bots: tuple[str, ...]
    seed: int
    first: int
    size: int


def games_a_deal(bots: Sequence[str]) -> int:
    """How many games in a row are of one deal: one for each player, or a single one if all bots are the same."""
    return len(bots) if len({*bots}) > 1 else 1


def seed_of(seed: int, number: int) -> int:
    """The seed of a deal: another one for each number up to :data:`SEEDS`, and fit for ``play --seed``."""
    return (open_stream(seed, "games").below(SEEDS) + number) % SEEDS


def chunks(code: str, bots: Sequence[str], seed: int, games: int) -> Iterator[Chunk]:
    """All games in their order, some at a time."""
    deal = games_a_deal(bots)
    size = -(-CHUNK // deal) * deal
    for first in range(0, games, size):
        yield Chunk(code, tuple(bots), seed, first, min(size, games - first))


def play_chunk(chunk: Chunk) -> list[PlayedGame]:
    """Plays the games, whose seats come in the order of the bots; raises :class:`NoAnswerError` for one that fails."""
    setup = generate_setup(code=chunk.code, database=open_database())
    bots, deal = [find_bot(name) for name in chunk.bots], games_a_deal(chunk.bots)
    numbers = range(chunk.first, chunk.first + chunk.size)
    games = ((play_game(setup, turn_seats(bots, n), seed_of(chunk.seed, n // deal)), n % len(bots)) for n in numbers)
    return [game._replace(seats=tuple(turn_seats(game.seats, -first)), first=first) for game, first in games]


def turn_seats(seats: Sequence[T], number: int) -> list[T]:
    """The bots by their seats: one seat further in every game, so that each begins equally often."""
    first = number % len(seats)
    return [*seats[first:], *seats[:first]]


FIGURES: dict[str, Callable[[PlayedGame], float | None]] = {
    "rounds": lambda game: game.rounds,
    "vp": lambda game: mean([seat.vp for seat in game.seats]),
    "victories_per_round": lambda game: game.victories / game.rounds,
    "first_victory": lambda game: game.first_victory,
}
"""``vp`` is the mean of the game's players, ``victories_per_round`` counts the monsters that all have defeated."""
