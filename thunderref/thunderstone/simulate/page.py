"""The report of simulated games as a page: HTML with pictures in SVG, printable, that loads nothing."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.text.language import Language
from thunderref.thunderstone.simulate.game_figures import FIGURES
from thunderref.thunderstone.simulate.sentences import Labels
from thunderref.thunderstone.simulate.simulation import Figure, Interval, Simulation

WIDTH, HEIGHT = 320, 110
"""Of a histogram, in the units of its SVG."""
GAP = 1.0
PLACES = {"rounds": 0, "vp": 0, "victories_per_round": 2, "first_victory": 0}


class Column(NamedTuple):
    """A bar of a histogram where it is drawn; ``title`` says what it counts."""

    x: float
    y: float
    width: float
    height: float
    title: str


class Histogram(NamedTuple):
    """``mean`` is the place of its mark; ``low`` and ``high`` stand under its ends."""

    name: str
    text: str
    columns: tuple[Column, ...]
    mean: float
    low: str
    high: str


class Rate(NamedTuple):
    """A win rate as percent from the left: its interval and its place; ``n`` are the cases."""

    name: str
    n: int
    low: float
    high: float
    rate: float
    percent: str
    span: str
    kind: str


def page(found: Simulation, words: Language) -> str:
    """The report as HTML."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    labels, loader = Labels(found, words), PackageLoader(__package__)
    templates = Environment(loader=loader, autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True)
    seats = [(labels.seat(seat), found.ended, seat.win_rate, seat.interval) for seat in found.seats]
    seats.append((words.say("simulate.begins"), found.ended, found.begins.win_rate, found.begins.interval))
    cards = [(words.card(card.id), card.games, card.win_rate, card.interval) for card in found.cards]
    return templates.get_template("report.html").render(
        lang=words.lang, say=words.say, labels=labels, found=found, width=WIDTH, height=HEIGHT,
        histograms=[_histogram(name, labels) for name in FIGURES if getattr(found.figures, name).games],
        seats=_rates(seats, labels), cards=_rates(cards, labels), even=f"{100 * labels.even:.2f}",
    )  # fmt: skip


def _histogram(name: str, labels: Labels) -> Histogram:
    figure: Figure = getattr(labels.found.figures, name)
    bars = figure.histogram
    most, each = max(bar.games for bar in bars), WIDTH / len(bars)
    columns = tuple(
        Column(
            round(number * each + GAP / 2, 2), round(HEIGHT - HEIGHT * bar.games / most, 2), round(each - GAP, 2),
            round(HEIGHT * bar.games / most, 2), f"{labels.span_of(bar, PLACES[name])}: {bar.games}",
        )
        for number, bar in enumerate(bars)
    )  # fmt: skip
    low, high = bars[0].low, bars[-1].high
    mean = round(((figure.mean or low) - low) / (high - low) * WIDTH, 2)
    ends = (labels.number(value, PLACES[name]) for value in (low, high))
    return Histogram(labels.words.say(f"simulate.{name}"), labels.figure(name), columns, mean, *ends)


def _rates(rows: list[tuple[str, int, float | None, Interval]], labels: Labels) -> list[Rate]:
    found = []
    for name, n, rate, interval in rows:
        if rate is None or interval is None:
            continue
        low, high = interval
        kind = "more" if low > labels.even else "less" if high < labels.even else "even"
        left, right, place = (round(100 * value, 2) for value in (low, high, rate))
        found.append(Rate(name, n, left, right, place, labels.percent(rate), labels.span(interval), kind))
    return found
