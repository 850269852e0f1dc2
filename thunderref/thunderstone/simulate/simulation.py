"""The figures of simulated games: ``model_dump()`` is the JSON of ``simulate``.

A set-up has its place in a stored sample of random set-ups with the means of their games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import floor, fsum, inf, isclose
from typing import Literal

from msgspec.json import decode

from thunderref.database.card_records import STACKED
from thunderref.database.read import Database
from thunderref.database.records import Reference
from thunderref.database.validation import Record
from thunderref.statistics import mean, mean_interval, percentile, round_off, tenths, wilson
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.runner import PlayedGame

MEASURES: dict[str, Callable[[PlayedGame], float | None]] = {
    "rounds": lambda game: game.rounds,
    "vp": lambda game: mean([seat.vp for seat in game.seats]),
    "victories_per_round": lambda game: game.victories / game.rounds,
    "first_victory": lambda game: game.first_victory,
}
"""``vp`` is the mean of the game's players, ``victories_per_round`` counts the monsters that all have defeated."""
BINS = 16
"""Bars of a histogram at most."""
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)

ALIKE = 1e-9
"""Means of deals that differ by less are the same."""

Interval = tuple[float, float] | None
"""The 95 % interval, None if there is too little for one."""
ValueKey = tuple[str, str | int]
"""What values are of: their name, and the place of the bot or the card that they belong to."""


class Bar(Record, kw_only=True):
    """The number of games from ``low`` up to, not including, ``high``."""

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
    """The result of one bot of the list, ``seat`` is its place there; a shared victory counts as its share."""

    seat: int
    bot: str
    win_rate: float | None
    interval: Interval
    vp: MeanVP


class CardResult(Record, kw_only=True):
    """The win rate of those who took the card from the village at least once: ``games`` counts players' games.

    ``added`` is the win rate that it adds: by how much those who took it did better than those who did not, on average
    over the ``compared`` games in which there were both; its interval is Student's. Bots that differ bring their own
    strength into it.
    """

    id: str
    games: int
    win_rate: float | None
    interval: Interval
    added: float | None
    added_interval: Interval
    compared: int


class ReferenceResult(Record, kw_only=True):
    """The stored sample of set-ups, each played ``games`` times between these bots."""

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

    Those of means are Student's; those of win rates and other shares are Wilson's. In ``paired`` games, where bots that
    differ play each of the ``deals`` in all seats, both are Student's for the means of deals. A deal that lacks a game
    (called off, interrupted, not asked for) counts by the games it has, so that the middle is the mean of all games.
    Where shares do not differ at all, Student knows no doubt; as many deals may be otherwise as Wilson allows there.
    """

    code: str
    games: int
    seed: int
    bots: tuple[str, ...]
    players: int
    paired: bool
    deals: int
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


def read_reference(database: Database) -> Reference:
    """Return the sample of set-ups that every set-up is compared with."""
    ((record,),) = database.query("SELECT record FROM reference")
    return decode(record, type=Reference)


def games_a_deal(bots: Sequence[str]) -> int:
    """The number of games in a row with one deal: one for each player, or a single one if all bots are the same."""
    return len(bots) if len({*bots}) > 1 else 1


class Sample:
    """The values of one kind: how often the values of each deal came, so that it grows only with what is new."""

    def __init__(self, paired: bool) -> None:
        self.paired = paired
        self.deals = Counter[tuple[float, ...]]()

    def values(self) -> list[float]:
        """All of them, the least first."""
        return sorted(value for deal in self.deals.elements() for value in deal)

    def mean(self) -> float | None:
        return round_off(mean(self.values())) if self.deals else None

    def interval(self) -> Interval:
        """Student's of the mean."""
        return _rounded(mean_interval(self._cases()))

    def share_interval(self, minimum: float = 0.0) -> Interval:
        """Between ``minimum`` and 1: Wilson's of single shares, Student's of deals and differences.

        Where these are all alike, as many of them may be otherwise as Wilson's interval allows.
        """
        if not (cases := self._cases()):
            return None
        middle = mean(cases)
        if not self.paired and not minimum:
            return _rounded(wilson(middle, len(cases)))
        interval = mean_interval(cases)
        if interval is None or isclose(*interval, abs_tol=ALIKE):
            doubt = 1 - wilson(1, len(cases))[0]
            interval = middle - doubt * (middle - minimum), middle + doubt * (1 - middle)
        return _rounded(interval, minimum, 1)

    def _cases(self) -> list[float]:
        """The values; of deals their means, moved where a game lacks so that the mean of all is that of the games."""
        values = self.values()
        if not self.paired or not values:
            return values
        middle, weight = mean(values), self.deals.total() / len(values)
        return [middle + weight * fsum(value - middle for value in deal) for deal in self.deals.elements()]


class Tally:
    """The sums of the games between these bots, which are added in their order and then forgotten."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self.games_a_deal = games_a_deal(bots)
        self.off = Counter[str]()
        self.samples = defaultdict[ValueKey, Sample](lambda: Sample(self.paired))

    @property
    def paired(self) -> bool:
        return self.games_a_deal > 1

    @property
    def games(self) -> int:
        return self.off.total()

    def add(self, games: Sequence[PlayedGame]) -> None:
        """Adds whole deals; only the last of all may lack games."""
        for first in range(0, len(games), self.games_a_deal):
            values_of = defaultdict[ValueKey, list[float]](list)
            for game in games[first : first + self.games_a_deal]:
                self.off[game.called_off] += 1
                for kind, value in () if game.called_off else _values(game):
                    values_of[kind].append(value)
            for kind, values in values_of.items():
                self.samples[kind].deals[tuple(sorted(values))] += 1


def _values(game: PlayedGame) -> Iterator[tuple[ValueKey, float]]:
    for name, figure in MEASURES.items():
        if (value := figure(game)) is not None:
            yield (name, ""), value
    yield ("begins", ""), game.seats[game.first].share
    yield ("stone", ""), float(any(seat.stone for seat in game.seats))
    for number, seat in enumerate(game.seats):
        yield ("share", number), seat.share
        yield ("points", number), float(seat.vp)
    for card in {card for seat in game.seats for card in seat.took}:
        shares = [seat.share for seat in game.seats if card in seat.took]
        other_shares = [seat.share for seat in game.seats if card not in seat.took]
        for share in shares:
            yield ("card", card), share
        if other_shares:
            yield ("added", card), mean(shares) - mean(other_shares)


def add_up(setup: Setup, seed: int, tally: Tally, reference: Reference, interrupted: bool) -> Simulation:
    """The document of the games."""
    off, samples, bots = tally.off, tally.samples, tally.bots
    comparable = reference if bots == reference.bots else None
    begins, stone = samples["begins", ""], samples["stone", ""]
    return Simulation(
        code=setup.code, games=tally.games, seed=seed, bots=bots, players=len(bots), paired=tally.paired,
        deals=-(-tally.games // tally.games_a_deal), ended=off[""], called_off=tally.games - off[""],
        called_off_why=CalledOffWhy(endless=off["endless"], standstill=off["standstill"], rounds=off["rounds"]),
        figures=GameFigures(**{name: _figure(name, samples[name, ""], comparable) for name in MEASURES}),
        seats=tuple(_seat(number, bot, tally) for number, bot in enumerate(bots)),
        begins=WinRate(win_rate=begins.mean(), interval=begins.share_interval()),
        thunderstone_taken=Share(share=stone.mean(), interval=stone.share_interval()),
        cards=_cards(setup, tally),
        reference=ReferenceResult(setups=len(reference.setups), games=reference.games, bots=reference.bots),
        interrupted=interrupted,
    )  # fmt: skip


def _figure(name: str, sample: Sample, reference: Reference | None) -> Figure:
    if not (values := sample.values()):
        return Figure()
    place = None if reference is None else percentile(mean(values), reference.ordered(name))
    p10, p50, p90 = (round_off(value) for value in tenths(values)[::4])
    return Figure(
        games=len(values), mean=sample.mean(), interval=sample.interval(), p10=p10, p50=p50, p90=p90,
        percentile=None if place is None else round(place, 1), histogram=histogram(values),
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


def _seat(number: int, bot: str, tally: Tally) -> SeatResult:
    shares, points = tally.samples["share", number], tally.samples["points", number]
    vp = MeanVP(mean=points.mean(), interval=points.interval())
    return SeatResult(seat=number + 1, bot=bot, win_rate=shares.mean(), interval=shares.share_interval(), vp=vp)


def _cards(setup: Setup, tally: Tally) -> tuple[CardResult, ...]:
    """All cards on offer: those surest to win first (by the lower end of the interval), those nobody took last."""
    sold = {card for stack in setup.table.stacks if stack.kind in STACKED for card, _ in stack.cards}
    bought = {str(of) for kind, of in tally.samples if kind == "card"}
    results = []
    for card in sold | bought:
        shares, added = tally.samples["card", card], tally.samples["added", card]
        rate = CardResult(
            id=card, games=len(shares.values()), win_rate=shares.mean(), interval=shares.share_interval(),
            added=added.mean(), added_interval=added.share_interval(-1), compared=len(added.values()),
        )  # fmt: skip
        results.append(rate)
    return tuple(sorted(results, key=lambda card: (-card.interval[0] if card.interval else 1, -card.games, card.id)))


def _rounded(interval: Interval, low: float = -inf, high: float = inf) -> Interval:
    return None if interval is None else (round_off(max(low, interval[0])), round_off(min(high, interval[1])))
