"""``simulate``, for the command line and for Python: games in chunks, which workers play.

A game is known by the seed and its number alone, never by who plays it or when. Bots that differ play each deal once
for every player, with the seats changed, so that nobody owes a victory to the cards; equals have a deal for each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar, Unpack

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import open_stream
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.resolve.start import require_judged
from thunderref.thunderstone.setup.codes import SEEDS
from thunderref.thunderstone.setup.request import DrawKeywords, SetupKeywords
from thunderref.thunderstone.setup.setup import Setup, choose_seed, generate_setup
from thunderref.thunderstone.simulate.simulation import Simulation, Tally, add_up, games_a_deal, read_reference
from thunderref.thunderstone.table.runner import PlayedGame, play_game
from thunderref.workers import AUTO, PROCESSES, delay_interrupts, hire, number_of_workers

GAMES = 100
MOST_GAMES = 100_000
BOT = "planner"
"""Who plays if nobody is named."""

Progress = Callable[[int, int], None]
"""Is called with the games played and all games."""


def simulate(
    *, games: int = GAMES, bots: str | Sequence[str] | None = None, seed: int | None = None, workers: int | str = 1,
    scheduler: str = PROCESSES, progress: Progress | None = None, lang: str | None = None,
    database: Database | None = None, **setup: Unpack[DrawKeywords],
) -> Simulation:  # fmt: skip
    """Plays ``games`` games of a set-up between bots; ``setup`` are the options of :func:`generate_setup`.

    Without ``code`` the seed draws the set-up, too. ``bots`` are names, separated by commas or in a list: one a
    player, or one for all; those that differ play every deal in all seats. The same seed gives the same result with any
    workers; an interrupt from the keyboard ends it with the games there are. Raises :class:`NoAnswerError` and
    :class:`InputError` as ``generate_setup``, for a bot that fails, and for numbers, bots, workers and schedulers that
    do not exist.
    """
    seed = choose_seed(seed)
    names = read_bots(bots)
    drawn: SetupKeywords = {**setup, "seed": None}
    if drawn.get("code") is None:
        drawn["seed"] = seed
        if drawn.get("players") is None and len(names) > 1 and drawn.get("variant") != "solo":
            drawn["players"] = len(names)
    return simulate_setup(
        generate_setup(lang=lang, database=database, **drawn), names, seed, games, workers, scheduler, progress
    )


def simulate_setup(
    setup: Setup, bots: Sequence[str], seed: int, games: int = GAMES, workers: int | str = AUTO,
    scheduler: str = PROCESSES, progress: Progress | None = None,
) -> Simulation:  # fmt: skip
    """Plays games of a set-up that is made already; see :func:`simulate`."""
    if not 1 <= games <= MOST_GAMES:
        raise InputError("bad-games", games=games, most=MOST_GAMES)
    require_judged(setup.database, setup.tonight.cards)
    names, count = seat_bots(bots, setup.content.players), number_of_workers(workers)
    tally, interrupted = Tally(names), False
    try:
        with hire(scheduler, count) as crew:
            tasks = chunks(setup.code, names, seed, games)
            for chunk in crew.in_order(play_chunk, tasks):
                with delay_interrupts():  # what is half added would not add up
                    tally.add(chunk)
                if progress is not None:
                    progress(tally.games, games)
    except KeyboardInterrupt:
        interrupted = True
    return add_up(setup, seed, tally, setup.database.derived(read_reference), interrupted=interrupted)


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


def read_bots(bots: str | Sequence[str] | None) -> list[str]:
    """The names of the bots; :class:`InputError` for one that does not exist."""
    names = bots.split(",") if isinstance(bots, str) else bots or ()
    names = [name.strip() for name in names]
    for name in names:
        find_bot(name)
    return [name if ":" in name else name.casefold() for name in names]


def seat_bots(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """A bot for every player; :class:`NoAnswerError` if there are neither as many nor one for all."""
    names = (*bots,) or (BOT,)
    if len(names) == 1:
        names *= players
    if len(names) != players:
        raise NoAnswerError("simulate-bots", bots=len(names), players=players)
    return names
