"""What simulated games come to: ``model_dump()`` is the JSON of ``simulate``.

A set-up has its place in a stored sample of random set-ups, which ``tests/bench/reference.py`` makes: every line of
``reference.csv`` is one of them with the means of its games.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from math import floor
from typing import Literal, NamedTuple

from thunderref.database.validation import Record
from thunderref.statistics import mean, mean_interval, percentile, round_off, tenths, wilson
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.simulate.bot_games import FIGURES, values_of
from thunderref.thunderstone.table.runner import PlayedGame

SOLD = ("basic", "hero", "village")
BINS = 16
"""Bars of a histogram at most."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)

FILE = "reference.csv"

Interval = tuple[float, float] | None
"""The 95 % interval, None if there is too little for one."""


class Bar(Record, kw_only=True):
    """How many games lie from ``low`` up to, not including, ``high``."""

    low: float
    high: float
    games: int


class Figure(Record, kw_only=True):
    """A figure over the games that ended and have it: its mean, where tenths and half of the games lie.

    ``percentile`` says what part of the set-ups of the reference have a smaller mean, in percent; None if the bots of
    the reference were others.
    """

    games: int = 0
    mean: float | None = None
    interval: Interval = None
    p10: float | None = None
    p50: float | None = None
    p90: float | None = None
    percentile: float | None = None
    histogram: tuple[Bar, ...] = ()


class GameFigures(Record, kw_only=True):
    """Rounds; VP a player (the mean of a game's players); monsters that all defeat a round; round of the first one."""

    rounds: Figure
    vp: Figure
    victories_per_round: Figure
    first_victory: Figure


class MeanVP(Record, kw_only=True):
    mean: float | None
    interval: Interval


class Share(Record, kw_only=True):
    share: float | None
    interval: Interval


class WinRate(Record, kw_only=True):
    win_rate: float | None
    interval: Interval


class SeatResult(Record, kw_only=True):
    """What came of one bot of the list, ``seat`` is its place there; a shared victory counts as its share."""

    seat: int
    bot: str
    win_rate: float | None
    interval: Interval
    vp: MeanVP


class CardResult(Record, kw_only=True):
    """How often those won who took the card from the village at least once: ``games`` counts players' games."""

    id: str
    games: int
    win_rate: float | None
    interval: Interval


class ReferenceResult(Record, kw_only=True):
    """The stored sample of set-ups, each played so many times between these bots."""

    setups: int
    games: int
    bots: tuple[str, ...]


class CalledOffWhy(Record, kw_only=True):
    """Games that provably never end, in which nothing changed any more, or that took too many rounds."""

    endless: int
    standstill: int
    rounds: int


class Simulation(Record, kw_only=True):
    """Simulated games; all but ``called_off`` counts the games that ended. Intervals are 95 %.

    Those of means are Student's; those of win rates and other shares are Wilson's.
    """

    code: str
    games: int
    seed: int
    bots: tuple[str, ...]
    players: int
    ended: int
    called_off: int
    called_off_why: CalledOffWhy
    figures: GameFigures
    seats: tuple[SeatResult, ...]
    begins: WinRate
    thunderstone_taken: Share
    cards: tuple[CardResult, ...]
    reference: ReferenceResult
    intervals: Literal["95 %"] = "95 %"
    interrupted: bool = False


class SampledSetup(NamedTuple):
    """A set-up: its code, how many of its games ended, and the means of the figures (None if there are none)."""

    code: str
    ended: int
    means: dict[str, float | None]


class Reference(NamedTuple):
    """Set-ups, each played ``games`` times between these bots."""

    games: int
    seed: int
    bots: tuple[str, ...]
    rows: tuple[SampledSetup, ...]

    def ordered(self, name: str) -> list[float]:
        """The means of a figure, the least first."""
        return sorted(value for row in self.rows if (value := row.means[name]) is not None)


def read_reference(text: str = "") -> Reference:
    """A sample, that of the program if none is given: a JSON head after ``#``, names of columns, a line a set-up."""
    text = text or files(__package__).joinpath(FILE).read_text("utf-8")
    first, rest = text.split("\n", 1)
    head = json.loads(first.removeprefix("#"))
    rows = []
    for row in csv.DictReader(rest.splitlines()):
        means = {name: float(row[name]) if row[name] else None for name in FIGURES}
        rows.append(SampledSetup(row["code"], int(row["ended"]), means))
    return Reference(head["games"], head["seed"], tuple(head["bots"]), tuple(rows))


def add_up(
    setup: Setup, bots: Sequence[str], seed: int, games: Sequence[PlayedGame], reference: Reference, interrupted: bool
) -> Simulation:
    """Adds up the games, which come in their order."""
    ended = [game for game in games if not game.called_off]
    why = Counter(game.called_off for game in games)
    known = reference if tuple(bots) == reference.bots else None
    wins = [game.seats[game.first].share for game in ended]
    taken = [float(any(seat.stone for seat in game.seats)) for game in ended]
    return Simulation(
        code=setup.code, games=len(games), seed=seed, bots=tuple(bots), players=len(bots), ended=len(ended),
        called_off=len(games) - len(ended),
        called_off_why=CalledOffWhy(endless=why["endless"], standstill=why["standstill"], rounds=why["rounds"]),
        figures=GameFigures(**{name: _figure(name, ended, known) for name in FIGURES}),
        seats=tuple(_seat(number, bot, ended) for number, bot in enumerate(bots)),
        begins=WinRate(win_rate=_mean(wins), interval=_share_interval(wins)),
        thunderstone_taken=Share(share=_mean(taken), interval=_share_interval(taken)),
        cards=_cards(setup, ended),
        reference=ReferenceResult(setups=len(reference.rows), games=reference.games, bots=reference.bots),
        interrupted=interrupted,
    )  # fmt: skip


def _figure(name: str, games: Sequence[PlayedGame], reference: Reference | None) -> Figure:
    values = sorted(values_of(name, games))
    if not values:
        return Figure()
    middle = mean(values)
    place = None if reference is None else percentile(middle, reference.ordered(name))
    p10, p50, p90 = (round_off(value) for value in tenths(values)[::4])
    return Figure(
        games=len(values), mean=round_off(middle), interval=_round_interval(mean_interval(values)),
        p10=p10, p50=p50, p90=p90, percentile=None if place is None else round(place, 1),
        histogram=histogram(values),
    )  # fmt: skip


def histogram(ordered: Sequence[float]) -> tuple[Bar, ...]:
    """The values in bars of one width, a round number; empty ones between them too."""
    low, high = ordered[0], ordered[-1]
    whole = all(value == int(value) for value in ordered)
    step = next((s for s in STEPS if (high - low) / s < BINS and (s >= 1 or not whole)), (high - low) / BINS + 1)
    start = floor(low / step)
    counts = Counter(floor(value / step + 1e-9) for value in ordered)
    return tuple(
        Bar(low=round_off(n * step), high=round_off((n + 1) * step), games=counts[n])
        for n in range(min(start, *counts), max(counts) + 1)
    )


def _seat(number: int, bot: str, games: Sequence[PlayedGame]) -> SeatResult:
    shares = [game.seats[number].share for game in games]
    points = [float(game.seats[number].vp) for game in games]
    vp = MeanVP(mean=_mean(points), interval=_round_interval(mean_interval(points)))
    return SeatResult(seat=number + 1, bot=bot, win_rate=_mean(shares), interval=_share_interval(shares), vp=vp)


def _cards(setup: Setup, games: Sequence[PlayedGame]) -> tuple[CardResult, ...]:
    """All cards on offer: those surest to win first (by the lower end of the interval), those nobody took last."""
    sold = [card for stack in setup.table.stacks if stack.kind in SOLD for card, _ in stack.cards]
    shares: dict[str, list[float]] = {card: [] for card in sold}
    for game in games:
        for seat in game.seats:
            for card in seat.took:
                shares.setdefault(card, []).append(seat.share)
    found = [
        CardResult(id=card, games=len(each), win_rate=_mean(each), interval=_share_interval(each))
        for card, each in shares.items()
    ]
    return tuple(sorted(found, key=lambda card: (-card.interval[0] if card.interval else 1, -card.games, card.id)))


def _mean(values: Sequence[float]) -> float | None:
    return round_off(mean(values)) if values else None


def _share_interval(shares: Sequence[float]) -> Interval:
    return _round_interval(wilson(mean(shares), len(shares))) if shares else None


def _round_interval(interval: Interval) -> Interval:
    return None if interval is None else (round_off(interval[0]), round_off(interval[1]))
