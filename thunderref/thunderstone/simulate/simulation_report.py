"""The report of simulated games: its sentences, for the terminal and the sheet of a set-up, and a printable page.

The page is HTML with pictures in SVG that loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thunderref.database.read import Language
from thunderref.thunderstone.setup.layout import Note
from thunderref.thunderstone.simulate.bot_games import FIGURES
from thunderref.thunderstone.simulate.simulation import Bar, Figure, Interval, Simulation
from thunderref.thunderstone.table.ending import PATIENCE
from thunderref.thunderstone.table.runner import ROUNDS

FINE = 2
"""Numbers below it are shown with a decimal more."""


class Rate(NamedTuple):
    """A win rate: its interval and place from 0 to 1, in words too; ``n`` are the cases.

    ``kind``: surely ``more`` or ``less`` than that of equals, or else ``even``.
    """

    name: str
    n: int
    rate: float
    low: float
    high: float
    percent: str
    span: str
    kind: str


class ReportText:
    """``even`` is the win rate of players who are equals."""

    def __init__(self, found: Simulation, words: Language) -> None:
        self.found = found
        self.words = words
        self.even = 1 / found.players

    def about(self) -> list[str]:
        """Who played, what was called off, whether it is all."""
        found, say = self.found, self.words.say
        lines = [say("simulate.bots", n=found.games, bots=", ".join(found.bots), seed=found.seed)]
        if found.called_off:
            rounds = {"endless": 0, "standstill": PATIENCE, "rounds": ROUNDS}
            off = ((name, getattr(found.called_off_why, name)) for name in rounds)
            why = [say(f"simulate.off.{name}", n=n, rounds=rounds[name]) for name, n in off if n]
            lines.append(say("simulate.called-off", n=found.called_off, why="; ".join(why)))
        if found.interrupted:
            lines.append(say("simulate.interrupted"))
        if not found.ended:
            lines.append(say("simulate.none-ended"))
        return lines

    def remarks(self) -> list[str]:
        """What all the values are, and among which setups they have a place."""
        found, say = self.found, self.words.say
        reference = found.reference
        known = {"n": reference.setups, "games": reference.games, "bots": ", ".join(reference.bots)}
        compared = any(getattr(found.figures, name).percentile is not None for name in FIGURES)
        lines = [say("simulate.reference" if compared else "simulate.no-reference", **known)] if found.ended else []
        return [*lines, say("simulate.only-bots", bots=", ".join(dict.fromkeys(found.bots)))]

    def figure(self, name: str) -> str:
        """The mean, its interval and spread, and its place among the set-ups of the reference."""
        figure: Figure = getattr(self.found.figures, name)
        if figure.mean is None:
            return self.words.say("simulate.nothing")
        params = self._say_figure(figure, 2 if figure.mean < FINE else 1)
        return self.words.say(f"simulate.figure{'' if figure.interval else '.one'}", **params) + params["place"]

    def stone(self) -> str:
        taken = self.found.thunderstone_taken
        if taken.share is None or taken.interval is None:
            return self.words.say("simulate.nothing")
        return self.words.say("simulate.taken", percent=self.percent(taken.share), span=self.span(taken.interval))

    def seats(self) -> list[Rate]:
        """The bots, and whoever begins."""
        found = self.found
        rates = [(f"{seat.seat}. {seat.bot}", seat.win_rate, seat.interval) for seat in found.seats]
        rates.append((self.words.say("simulate.begins"), found.begins.win_rate, found.begins.interval))
        return self._rates((found.ended, *rate) for rate in rates)

    def cards(self) -> list[Rate]:
        """The cards that somebody took."""
        cards, name = self.found.cards, self.words.card
        return self._rates((card.games, name(card.id), card.win_rate, card.interval) for card in cards)

    def _rates(self, rates: Iterable[tuple[int, str, float | None, Interval]]) -> list[Rate]:
        found = []
        for n, name, rate, interval in rates:
            if rate is not None and interval is not None:
                low, high = interval
                kind = "more" if low > self.even else "less" if high < self.even else "even"
                found.append(Rate(name, n, rate, low, high, self.percent(rate), self.span(interval), kind))
        return found

    def untaken(self) -> list[str]:
        """The line about the cards that nobody took, if any."""
        cards = [self.words.card(card.id) for card in self.found.cards if not card.games]
        return [self.words.say("simulate.untaken", cards=", ".join(cards))] if cards else []

    def notes(self) -> tuple[Note, ...]:
        """How long and how rich the games are, as remarks of a set-up."""
        found = self.found
        if not found.ended:
            return (("simulated.never", {"n": found.games, "bots": ", ".join(found.bots), "seed": found.seed}),)
        figures = found.figures
        params = {"n": found.games, "bots": ", ".join(found.bots), "seed": found.seed, "off": found.called_off}
        length, wealth = self._say_figure(figures.rounds, 0), self._say_figure(figures.vp, 0)
        return (
            ("simulated.length", params | length | {"rounds": length["mean"]}),
            ("simulated.wealth", wealth | {"vp": wealth["mean"], "first": self.number(figures.first_victory.mean, 0)}),
        )

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
        place = figure.percentile
        said = "" if place is None else self.words.say("simulate.place", percent=self.number(place, 0))
        return {key: self.number(value, places) for key, value in values.items()} | {"place": said}


def page(found: Simulation, words: Language) -> str:
    """The report as HTML."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    loader = PackageLoader(__package__)
    templates = Environment(loader=loader, autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True)
    figures = [(name, figure) for name in FIGURES if (figure := getattr(found.figures, name)).games]
    text = ReportText(found, words)
    return templates.get_template("report.html").render(words=words, text=text, found=found, figures=figures)
