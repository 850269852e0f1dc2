"""``thunderref simulate``: whole games of a set-up between bots: how long they are, how rich, and what wins."""

from __future__ import annotations

import sys
from functools import partial
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Force, Scheduler, check_workers, share_options
from thunderref.cli.render import columns, draws, show
from thunderref.cli.session import json_text, session
from thunderref.cli.setup import setup_options
from thunderref.database.read import Language
from thunderref.errors import InputError
from thunderref.files import check_place, write_text
from thunderref.pages.page import Block, Line, Page, Patch, Picture
from thunderref.thunderstone.simulate.run import GAMES, simulate
from thunderref.thunderstone.simulate.simulation import MEASURES, Simulation
from thunderref.thunderstone.simulate.simulation_report import Rate, ReportText, page
from thunderref.workers import AUTO, PROCESSES

app = CommandApp()

REPORT_FORMATS = ("text", "html")
WIDTH = 80
"""Columns of a picture in a pipe."""
WIDEST_BAR = 40
COLOURS = {"more": "green", "less": "red", "even": "dim"}
WIDE = 60
"""Columns from which on numbers stand beside the bars."""


@app.command("simulate")
@share_options(setup=setup_options("lock", "reroll"))
def simulate_command(
    setup: dict[str, Any],
    games: Annotated[int, typer.Option("--games")] = GAMES,
    bots: Annotated[str | None, typer.Option("--bots", metavar="NAMES")] = None,
    workers: Annotated[str | None, typer.Option("--workers", metavar="auto|N", callback=check_workers)] = None,
    scheduler: Scheduler = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    force: Force = False,
    form: Annotated[str | None, typer.Option("--format", metavar="text|html")] = None,
) -> None:
    run = session()
    if form not in (None, *REPORT_FORMATS):
        raise InputError("setup-unknown-format", asked=form, candidates=REPORT_FORMATS)
    if save is not None:
        check_place(save, replace=force)
    if bots is not None and ":" in bots:
        sys.path.insert(0, "")  # a bot of one's own may lie in this folder
    with run.progress() as tell:
        simulation = simulate(
            games=games, bots=bots, workers=workers or AUTO, scheduler=scheduler or PROCESSES,
            progress=partial(tell, "simulate.progress"), lang=run.words.lang, database=run.database, **setup,
        )  # fmt: skip
    document = simulation.model_dump()
    if save is not None:
        write_text(save, json_text(document) + "\n", replace=force)
    if run.json:
        run.print_json(document)
    elif form == "html":
        print(page(simulation, run.words))
    else:
        report = report_page(simulation, run.words)
        more = [] if run.more or not simulation.ended else [Block([Line(run.words.say("simulate.rest"))])]
        show(report._replace(blocks=[*report.blocks, *more]), cut=run.words.say("page.more"))


def report_page(simulation: Simulation, words: Language) -> Page:
    """The report as a page: the finding, the cards and bots that differ, the figures; the rest is for scholars."""
    text = ReportText(simulation, words)
    width = (columns() or WIDTH) - (5 if draws() else 2)
    blocks = [Block([*map(Line, text.about())])]
    if simulation.ended:
        cards = text.cards()
        clear, unclear = ([card for card in cards if (card.kind == "even") is even] for even in (False, True))
        bots = _rates(text.seats(), words, width) if simulation.paired else []
        figures = [
            Line(text.figure(name), words.say(f"simulate.{name}"), small=(*filter(None, [text.exact_figure(name)]),))
            for name in MEASURES
        ]
        figures += (Line(text_line, label) for label, text_line in text.shares())
        other = [*map(Line, text.other_cards())]
        blocks += [
            Block([], words.say("simulate.cards"), picture=_rates(clear, words, width)),
            Block([], words.say("simulate.seats"), picture=bots),
            Block(figures, words.say("simulate.figures")),
            Block(other, words.say("simulate.cards.unclear"), picture=_rates(unclear, words, width), more=True),
            Block([], words.say("simulate.histogram"), picture=_histogram(simulation, text, width), more=True),
        ]
    blocks.append(Block([*map(Line, text.remarks())], words.say("setup.section.remarks"), more=True))
    return Page(words.say("simulate.title", code=simulation.code), [], blocks, text.finding())


def _rates(rates: list[Rate], words: Language, width: int) -> Picture:
    """A line for each: the rate as ``o`` in its interval of ``=``, ``|`` at that of equals, and the numbers."""
    longest = max((len(rate.name) for rate in rates), default=0)
    first = min(longest, max(width // 3, 12))
    beside = width >= WIDE
    bar = min(WIDEST_BAR, width - first - (29 if beside else 8))
    heads = [words.say(f"simulate.column.{name}") for name in ("interval", "games")]
    picture = [[Patch(f"{'':{first + bar + 8}}  {heads[0]:>12} {heads[1]:>6}", "dim")]] if beside and rates else []
    for rate in rates:
        marks = ["."] * bar
        low, high, middle, spot = (min(bar - 1, int(end * bar)) for end in (rate.low, rate.high, rate.even, rate.rate))
        marks[low : high + 1] = "=" * (high + 1 - low)
        marks[middle] = "|"
        marks[spot] = "o"
        numbers = f" {rate.percent:>6}" + (f"  {rate.span:>12} {rate.n:>6}" if beside else "")
        label = rate.name if len(rate.name) <= first else f"{rate.name[: first - 1]}…"
        picture.append([Patch(f"{label:{first}} "), Patch("".join(marks), COLOURS[rate.kind]), Patch(numbers)])
    return picture


def _histogram(simulation: Simulation, text: ReportText, width: int) -> Picture:
    bars = simulation.figures.rounds.histogram
    names = [text.span_of(bar) for bar in bars]
    first, tallest = max(map(len, names), default=0), max((bar.games for bar in bars), default=0)
    widest = min(WIDEST_BAR, width - first - 8)
    return [
        [Patch(f"{name:>{first}} "), Patch("#" * -(-bar.games * widest // tallest), "green"), Patch(f" {bar.games}")]
        for name, bar in zip(names, bars, strict=True)
    ]
