"""``thunderref evening``: what happens at the real table, kept for every face."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.budget import Budget
from thunderref.cli import command
from thunderref.cli import setup as setups
from thunderref.cli.command import CommandApp, document_of, entries_of, given_options, takes
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.errors import InputError
from thunderref.files import read_text, write_text
from thunderref.pages.evening_page import evening_page, log_page, sheet_pages, told
from thunderref.search.understand import split_hall
from thunderref.thunderstone.resolve.documents import Scenario, require_hand
from thunderref.thunderstone.setup.memory import TONIGHT
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table import evening_file
from thunderref.thunderstone.table.evening import (
    Evening,
    EveningEvent,
    begin,
    keep,
    read_evening,
    require_evening,
    take_back,
)

app = CommandApp(invoke_without_command=True)
Cards = Annotated[list[str], typer.Argument(metavar="CARDS…")]
Player = Annotated[str | None, typer.Option("--player", metavar="NAME")]


@app.callback()
def evening_command(ctx: typer.Context) -> None:
    if ctx.invoked_subcommand is None:
        _show(require_evening(read_evening()))


def _show(now: Evening, done: str = "") -> None:
    run = session()
    lines = [(0, done)] if done else []
    run.answer(events.document(now, run.words), [*lines, *outline(evening_page(now, run.words))])


def _kept(now: Evening) -> None:
    _show(now, told(now.events[-1], session().words))


@app.command("start")
@takes(setup=setups.setup_options("players", "lock", "reroll", "code"))
def start_command(
    ctx: typer.Context,
    setup: dict[str, Any],
    code: Annotated[list[str] | None, typer.Argument(metavar="CODE|FILE")] = None,
    players: Annotated[str | None, typer.Option("--players", metavar="NAMES")] = None,
) -> None:
    run = session()
    words, given = run.words, given_options(ctx) - {"--players"}
    seats = events.seats(players, words)
    if code:
        setup["code"] = setups.saved_code(" ".join(code))
    elif not given and run.tonight is not None:
        setup["code"] = run.tonight.code
    if setup.get("code") is None:
        setup["players"] = None if seats is None else len(seats)
    made = generate_setup(**setup, lang=words.lang, database=run.database)
    now = begin(events.start(made, seats, words))
    run.tonight = TONIGHT.remember(lambda: made.tonight)
    _kept(now)


@app.command("save")
def save_command(
    file: Annotated[Path, typer.Argument(metavar="FILE")], force: Annotated[bool, typer.Option("--force")] = False
) -> None:
    run = session()
    write_text(file, json.dumps(evening_file.pack(), ensure_ascii=False) + "\n", replace=force)
    run.answer({"file": str(file)}, [(0, run.words.say("evening.saved", file=file))])


@app.command("load")
def load_command(file: Annotated[Path, typer.Argument(metavar="FILE")]) -> None:
    run = session()
    evening_file.unpack(read_text(file))
    run.answer({"file": str(file)}, [(0, run.words.say("evening.loaded", file=file))])


@app.command("log")
def log_command() -> None:
    run, now = session(), require_evening(read_evening())
    run.answer({"log": [event.model_dump() for event in now.events]}, outline(log_page(now, run.words)))


@app.command("undo")
def undo_command() -> None:
    run, (event, left) = session(), take_back()
    done = run.words.say("evening.taken-back", what=told(event, run.words))
    if left is not None:
        _show(left, done)
    else:
        run.answer({"undone": event.model_dump(), "events": 0}, [(0, done)])


@app.command("end")
def end_command() -> None:
    run = session()
    now = keep(lambda _: EveningEvent(do="end"))
    run.answer(events.document(now, run.words), outline(*sheet_pages(now, run.words)))


@app.command("hall")
def hall_command(cards: Cards) -> None:
    words = session().words
    ranks = split_hall(" ".join(cards), words)
    _kept(keep(lambda _: events.hall(words, ranks)))


@app.command("battle")
@takes(battle=command.read_battle)
def battle_command(
    *,
    battle: dict[str, Any],
    lost: Annotated[bool, typer.Option("--lost")] = False,
    player: Player = None,
    budget: command.Seconds = None,
) -> None:
    words, document = session().words, document_of(Scenario, None, **battle)
    require_hand(document)
    _kept(keep(lambda now: events.battle(now, words, document, player=player, lost=lost, budget=Budget(budget))))


@app.command("buy")
def buy_command(cards: Cards, player: Player = None) -> None:
    words, entries = session().words, entries_of(" ".join(cards)) or []
    _kept(keep(lambda now: events.purchase(now, words, entries, player)))


@app.command("level")
def level_command(
    hero: Annotated[list[str], typer.Argument(metavar="HERO")],
    to: Annotated[str | None, typer.Option("--to", metavar="HERO")] = None,
    player: Player = None,
) -> None:
    words = session().words
    _kept(keep(lambda now: events.level_up(now, words, " ".join(hero), to, player)))


@app.command("rest")
def rest_command(
    card: Annotated[list[str] | None, typer.Argument(metavar="CARD")] = None, player: Player = None
) -> None:
    words = session().words
    _kept(keep(lambda now: events.rest(now, words, " ".join(card or []) or None, player=player)))


@app.command("next")
def next_command() -> None:
    _show(keep(lambda _: EveningEvent(do="next", ends=True)))


@app.command("correct")
def correct_command(
    xp: Annotated[int | None, typer.Option("--xp")] = None,
    deck: Annotated[str | None, typer.Option("--deck", metavar="CARDS")] = None,
    stacks: Annotated[str | None, typer.Option("--stacks", metavar="CARDS")] = None,
    player: Player = None,
) -> None:
    words = session().words
    if xp is None and deck is None and stacks is None:
        raise InputError("missing-value", name="--xp, --deck, --stacks")
    if xp is not None and not 0 <= xp <= 999:
        raise InputError("bad-value", key="xp", value=str(xp)[:40])
    given: dict[str, Any] = {"xp": xp, "deck": entries_of(deck), "stacks": entries_of(stacks), "player": player}
    _kept(keep(lambda now: events.correct(now, words, **given)))
