"""The report of simulated games: its sentences, for the terminal and the sheet of a set-up, and a printable page.

The page is HTML with pictures in SVG that loads nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from thunderref.database.read import Language
from thunderref.statistics import widened
from thunderref.thunderstone.setup.layout import Note
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.simulate.simulation import MEASURES, Bar, CardResult, Figure, Interval, Simulation
from thunderref.thunderstone.table.ending import PATIENCE
from thunderref.thunderstone.table.runner import ROUNDS

FINE = 2
"""Numbers below it are shown with two decimals."""
NOTABLE = 0.1
"""Part of the games called off above which the report begins with it."""
NAMED = 3
"""Cards that a finding names at most on each side."""
FIFTH = 20
"""Width in percent of the five parts of the reference: a set-up in the lowest is very short or very poor."""


class Rate(NamedTuple):
    """A rate with its interval, in words, and where they and ``even`` lie on a line from 0 to 1; ``n`` are the cases.

    ``even`` is the rate of equals; ``kind``: surely ``more`` or ``less`` than that, or else ``even``.
    """

    name: str
    n: int
    rate: float
    low: float
    high: float
    even: float
    percent: str
    span: str
    kind: str


class ReportText:
    def __init__(self, result: Simulation, words: Language) -> None:
        self.result = result
        self.words = words

    def finding(self) -> str:
        """The answer, which stands before all figures: what games of the set-up are like, in players' words."""
        result, say = self.result, self.words.say
        if not result.ended:
            return say("simulate.none-ended")
        rounds, vp = result.figures.rounds, result.figures.vp
        params: dict[str, Any] = {"rounds": round(rounds.mean or 0), "vp": round(vp.mean or 0)}
        ranked = rounds.percentile is not None and vp.percentile is not None
        if ranked:
            params |= {"length": self._fifth("rounds"), "wealth": self._fifth("vp")}
        sentences = [say("simulate.like.ranked" if ranked else "simulate.like", **params)]
        if result.paired:
            sentences.insert(0, self._stronger())
        if result.called_off > (NOTABLE * result.games if ranked else 0):
            sentences.insert(0, say("simulate.many-called-off", n=result.called_off, games=result.games))
        share = result.thunderstone_taken.share or 0
        how_often = "never" if share == 0 else "always" if share == 1 else "often"
        sentences.append(say(f"simulate.stone.{how_often}", n=min(9, max(1, round(10 * share)))))
        return " ".join([*sentences, self._difference()])

    def _fifth(self, name: str) -> str:
        place: float = getattr(self.result.figures, name).percentile
        return self.words.say(f"simulate.{name}.{min(4, int(place // FIFTH))}")

    def _stronger(self) -> str:
        """Which bot wins most often, by the worst of its seats, and whether that is sure."""
        result = self.result
        ordered = sorted(result.seats, key=lambda seat: -(seat.win_rate or 0))
        best = max({seat.bot: seat for seat in ordered}.values(), key=lambda seat: seat.win_rate or 0)
        low, high = (round(100 * end) for end in best.interval or (0, 1))
        key = "simulate.stronger.surely" if low > 100 / result.players else "simulate.stronger.unclear"
        rivals = ", ".join(dict.fromkeys(bot for bot in result.bots if bot != best.bot))
        return self.words.say(key, bot=best.bot, others=rivals, n=result.ended, low=low, high=high)

    def _difference(self) -> str:
        """The cards whose takers surely won more often, and less often, however many are compared (Bonferroni)."""
        compared = self._compared()
        share = 1 - 1 / widened(max(1, len(compared)))  # of what a card adds, between nothing and its interval
        more = [card.id for card, (low, _) in compared if low > share * (card.added or 0)][:NAMED]
        less = [card.id for card, (_, high) in reversed(compared) if high < share * (card.added or 0)][:NAMED]
        key = ("both" if less else "more") if more else "less" if less else "none"
        lists = {"more": self.words.listed(more, "or"), "less": self.words.listed(less, "or")}
        return self.words.say(f"simulate.difference.{key}", **lists)

    def _compared(self) -> list[tuple[CardResult, tuple[float, float]]]:
        """The cards that somebody took and somebody did not, the best first, with the interval of what they add."""
        cards = [(card, card.added_interval) for card in self.result.cards if card.added_interval is not None]
        return sorted(cards, key=lambda pair: -(pair[0].added or 0))

    def about(self) -> list[str]:
        """Who played, of whom all is true, what was called off, and whether it is all."""
        result, say = self.result, self.words.say
        lines = [say("simulate.bots", n=result.games, bots=", ".join(result.bots), seed=result.seed)]
        if result.called_off:
            rounds = {"endless": 0, "standstill": PATIENCE, "rounds": ROUNDS}
            off = ((name, getattr(result.called_off_why, name)) for name in rounds)
            why = [say(f"simulate.off.{name}", n=n, rounds=rounds[name]) for name, n in off if n]
            lines.append(say("simulate.called-off", n=result.called_off, why="; ".join(why)))
        if result.interrupted:
            lines.append(say("simulate.interrupted"))
        if result.paired:
            lines.append(say("simulate.paired", n=result.deals))
        return lines

    def remarks(self) -> list[str]:
        """Among which set-ups the values have a place, and what the intervals are."""
        result, say = self.result, self.words.say
        reference = result.reference
        params = {"n": reference.setups, "games": reference.games, "bots": ", ".join(reference.bots)}
        compared = any(getattr(result.figures, name).percentile is not None for name in MEASURES)
        lines = [say("simulate.reference" if compared else "simulate.no-reference", **params)] if result.ended else []
        return [*lines, say("simulate.intervals")]

    def figure(self, name: str) -> str:
        """The mean, and where 8 of 10 games lie."""
        figure: Figure = getattr(self.result.figures, name)
        if figure.mean is None:
            return self.words.say("simulate.nothing")
        params = self._say_figure(figure, 2 if figure.mean < FINE else 0)
        return self.words.say(f"simulate.figure{'' if figure.interval else '.one'}", **params)

    def exact_figure(self, name: str) -> str:
        """The interval of the mean, the median, and the place among the set-ups of the reference; "" for one game."""
        figure: Figure = getattr(self.result.figures, name)
        if figure.mean is None or figure.interval is None:
            return ""
        params = self._say_figure(figure, 2 if figure.mean < FINE else 1)
        place = figure.percentile
        place_text = "" if place is None else self.words.say("simulate.place", percent=self.number(place, 0))
        return self.words.say("simulate.figure.exact", **params) + place_text

    def share(self, share: float | None, interval: Interval) -> str:
        """Return in words in how many of the games something happened."""
        if share is None or interval is None:
            return self.words.say("simulate.nothing")
        return self.words.say("simulate.share", percent=self.percent(share), span=self.span(interval))

    def shares(self) -> list[tuple[str, str]]:
        """The rates at which a player takes the Thunderstone, and the one who begins wins."""
        stone, begins, say = self.result.thunderstone_taken, self.result.begins, self.words.say
        return [
            (say("simulate.stone"), self.share(stone.share, stone.interval)),
            (say("simulate.begins"), self.share(begins.win_rate, begins.interval)),
        ]

    def seats(self) -> list[Rate]:
        """The bots."""
        result, even, rates = self.result, 1 / self.result.players, list[Rate]()
        for seat in result.seats:
            if seat.win_rate is not None and seat.interval is not None:
                low, high = seat.interval
                kind = _kind(seat.interval, even)
                name, percent, span = f"{seat.seat}. {seat.bot}", self.percent(seat.win_rate), self.span(seat.interval)
                rates.append(Rate(name, result.ended, seat.win_rate, low, high, even, percent, span, kind))
        return rates

    def cards(self) -> list[Rate]:
        """The amounts that cards add to the win rate, the best first; a line is as long as the widest interval."""
        compared, rates = self._compared(), list[Rate]()
        widest = min(1, max((abs(end) for _, interval in compared for end in interval), default=1)) or 1
        for card, (low, high) in compared:
            kind = _kind((low, high), 0)
            values = card.added or 0, max(-1, low), min(1, high)  # of few games the interval goes beyond what can be
            added, lowest, highest = (round(100 * value) for value in values)
            rate, start, end = ((value / widest + 1) / 2 for value in values)
            percent = self.words.say("simulate.added", n=added)
            span = self.words.say("simulate.added.span", low=lowest, high=highest)
            rates.append(Rate(self.words.card(card.id), card.games, rate, start, end, 0.5, percent, span, kind))
        return rates

    def other_cards(self) -> list[str]:
        """The lines about the cards that nobody took, and those taken alike, if any."""
        alike = [card.id for card in self.result.cards if card.games and card.added_interval is None]
        untaken = [card.id for card in self.result.cards if not card.games]
        lists = {"alike": alike, "untaken": untaken}
        return [
            self.words.say(f"simulate.{key}", cards=", ".join(map(self.words.card, cards)))
            for key, cards in lists.items()
            if cards
        ]

    def notes(self) -> tuple[Note, ...]:
        """The finding and a line of figures, as remarks of a set-up."""
        result = self.result
        params = {"n": result.games, "bots": ", ".join(result.bots), "seed": result.seed, "off": result.called_off}
        if not result.ended:
            return (("simulated.never", params),)
        figures = result.figures
        length, wealth = self._say_figure(figures.rounds, 0), self._say_figure(figures.vp, 0)
        params |= length | {"poor": wealth["p10"], "rich": wealth["p90"]}
        params |= {"rounds": round(figures.rounds.mean or 0), "vp": round(figures.vp.mean or 0)}
        params["first"] = self.number(figures.first_victory.mean, 0)
        return ("simulated.finding", {"finding": self.finding()}), ("simulated.figures", params)

    def percent(self, share: float) -> str:
        return self.words.say("simulate.percent", n=self.number(100 * share, 0))

    def span(self, interval: tuple[float, float]) -> str:
        """An interval of shares in percent."""
        return "–".join(self.number(100 * value, 0) for value in interval)

    def span_of(self, bar: Bar, places: int = 0) -> str:
        """The values of a bar of a histogram."""
        whole = bar.low == int(bar.low) and bar.high == int(bar.high)
        high = bar.high - 1 if whole else bar.high
        if high == bar.low:
            return self.number(bar.low, 0)
        return f"{self.number(bar.low, places)}–{self.number(high, places)}"

    def number(self, value: float | None, places: int) -> str:
        return "–" if value is None else self.words.number(value, f".{places}f")

    def _say_figure(self, figure: Figure, places: int) -> dict[str, str]:
        values = {key: getattr(figure, key) for key in ("mean", "p10", "p50", "p90")}
        values["low"], values["high"] = figure.interval or (None, None)
        return {key: self.number(value, places) for key, value in values.items()}


def _kind(interval: tuple[float, float], even: float) -> str:
    low, high = interval
    return "more" if low > even else "less" if high < even else "even"


def with_finding(setup: Setup, simulation: Simulation) -> Setup:
    """The set-up with what games of it found before its other remarks."""
    return replace(setup, notes=(*ReportText(simulation, setup.naming.words).notes(), *setup.notes))


def page(simulation: Simulation, words: Language) -> str:
    """The report as HTML."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    loader = PackageLoader(__package__)
    templates = Environment(loader=loader, autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True)
    figures = [(name, figure) for name in MEASURES if (figure := getattr(simulation.figures, name)).games]
    text = ReportText(simulation, words)
    return templates.get_template("report.html").render(words=words, text=text, simulation=simulation, figures=figures)
