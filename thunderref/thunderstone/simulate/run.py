"""``simulate``, for the command line and for Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thunderref.errors import InputError, NoAnswerError
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.setup.setup import Setup, choose_seed, generate_setup
from thunderref.thunderstone.simulate.bot_games import chunks, play_chunk
from thunderref.thunderstone.simulate.simulation import Simulation, Tally, add_up, read_reference
from thunderref.workers import AUTO, PROCESSES, delay_interrupts, hire, number_of_workers

GAMES = 100
MOST_GAMES = 100_000
BOT = "planner"
"""Who plays if nobody is named."""

Progress = Callable[[int, int], None]
"""Is called with the games played and all games."""


def simulate(
    *,
    games: int = GAMES,
    bots: str | Sequence[str] | None = None,
    seed: int | None = None,
    workers: int | str = 1,
    scheduler: str = PROCESSES,
    progress: Progress | None = None,
    **setup: Any,
) -> Simulation:
    """Plays ``games`` games of a set-up between bots; ``setup`` are the options of :func:`generate_setup`.

    Without ``code`` the seed draws the set-up, too. ``bots`` are names, separated by commas or in a list: one a
    player, or one for all; those that differ play every deal in all seats. Whoever works, the same seed gives the same
    result; an interrupt from the keyboard ends it with the games there are. Raises :class:`NoAnswerError` and
    :class:`InputError` as ``generate_setup``, for a bot that fails, and for numbers, bots, workers and schedulers that
    do not exist.
    """
    seed = choose_seed(seed)
    names = read_bots(bots)
    if setup.get("code") is None:
        setup["seed"] = seed
        if setup.get("players") is None and len(names) > 1 and setup.get("variant") != "solo":
            setup["players"] = len(names)
    made = generate_setup(**setup)
    return simulate_setup(made, names, seed, games, workers, scheduler, progress)


def simulate_setup(
    made: Setup,
    bots: Sequence[str],
    seed: int,
    games: int = GAMES,
    workers: int | str = AUTO,
    scheduler: str = PROCESSES,
    progress: Progress | None = None,
) -> Simulation:
    """Plays games of a set-up that is made already; see :func:`simulate`."""
    if not 1 <= games <= MOST_GAMES:
        raise InputError("bad-games", games=games, most=MOST_GAMES)
    names, count = seat_bots(bots, made.content.players), number_of_workers(workers)
    tally, interrupted = Tally(names), False
    try:
        with hire(scheduler, count) as crew:
            tasks = chunks(made.code, names, seed, games)
            for chunk in crew.in_order(play_chunk, tasks):
                with delay_interrupts():  # what is half added would not add up
                    tally.add(chunk)
                if progress is not None:
                    progress(tally.games, games)
    except KeyboardInterrupt:
        interrupted = True
    return add_up(made, seed, tally, made.database.derived(read_reference), interrupted=interrupted)


def read_bots(bots: str | Sequence[str] | None) -> list[str]:
    """The names of the bots; :class:`InputError` for one that does not exist."""
    names = bots.split(",") if isinstance(bots, str) else bots or ()
    names = [name.strip() for name in names if name.strip()]
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
