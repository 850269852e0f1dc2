"""``thunderref setup``: a set-up for the table; ``tonight`` and ``collection``: what is remembered of set-ups."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from thunderref.cli.command import CommandApp, Force, Readings, entries_of, reader_of, share_options
from thunderref.cli.render import print_lines
from thunderref.cli.session import json_text, session
from thunderref.database.read import Database
from thunderref.errors import InputError, NoAnswerError
from thunderref.files import parse_json, read_text, write_text
from thunderref.pages.page import Page
from thunderref.pages.setup_page import folded, heading, picture, printed_sheet, sheet_page, table_page
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.memory import COLLECTION, HISTORY, TONIGHT, Collection, add_to_history, read_history
from thunderref.thunderstone.setup.request import (
    OPTIONS,
    Naming,
    SetupOptions,
    banned_names,
    change_collection,
    flag_of,
    read_collection,
)
from thunderref.thunderstone.setup.setup import Setup, generate_setup

app = CommandApp(invoke_without_command=True)
memory = CommandApp()

SHEET_FORMATS = ("text", "markdown", "html", "table")
NARROWEST = 30
LONGEST_TYPED = 250
"""The most characters of what may be a code, and no name of a file."""


def declared(name: str) -> Any:
    """The option of this name, as its record has it."""
    short = [f"-{name[0]}"] if name == "players" else []
    return typer.Option(flag_of(name), *short, metavar=OPTIONS[name].metadata.get("metavar"))


def setup_options(*apart: str) -> Callable[..., dict[str, Any]]:
    """The options of a set-up, except those ``apart``, for :func:`.share_options`."""
    hints = get_type_hints(SetupOptions)
    names = [name for name, spec in OPTIONS.items() if name not in apart and not spec.metadata.get("apart")]
    return reader_of({name: (Annotated[hints[name], declared(name)], OPTIONS[name].default) for name in names})


@app.callback()
@share_options(draw=setup_options())
def setup_command(
    ctx: typer.Context,
    draw: dict[str, Any],
    after: Annotated[str | None, declared("after")] = None,
    winner: Annotated[int | None, declared("winner")] = None,
    scores: Annotated[str | None, declared("scores")] = None,
    left: Annotated[str | None, declared("left")] = None,
    readings: Readings = None,
    save: Annotated[str | None, typer.Option("--save", metavar="FILE")] = None,
    force: Force = False,
    avoid_recent: Annotated[bool, typer.Option("--avoid-recent")] = False,
    keep: Annotated[bool, typer.Option("--tonight")] = False,
    why: Annotated[bool, declared("why")] = False,
    form: Annotated[str | None, typer.Option("--format", metavar="text|markdown|html|table")] = None,
    detailed: Annotated[bool, typer.Option("--details")] = False,
    simulated: Annotated[bool, typer.Option("--simulate")] = False,
) -> None:
    if ctx.invoked_subcommand is not None:
        return
    run = session()
    if form not in (None, *SHEET_FORMATS):
        raise InputError("setup-unknown-format", asked=form, candidates=SHEET_FORMATS)
    if left is not None and after is None:
        raise NoAnswerError("setup-needs-after")
    owned, boxes = _collection(draw, after, run.database, any_card=run.any_card)
    recent = read_history().recent_cards if avoid_recent else ()
    known = run.database.derived(Catalogue).places  # a box of the history may be off by now
    setup = generate_setup(
        **draw | {"sets": draw["sets"] or list(owned.sets)}, banned=owned.exclude,
        after=None if after is None else saved_code(after), winner=winner, scores=numbers(scores),
        left=cards_left(left, run.database), avoid=[*filter(known.__contains__, recent)],
        why=why, lang=run.words.lang, database=run.database,
    )  # fmt: skip
    if readings:
        from thunderref.thunderstone.rules.readings import other_readings

        setup = replace(setup, readings=other_readings(run.database, readings))
    if owned.sets or owned.exclude:
        params = {"sets": " + ".join(map(run.words.set_name, owned.sets)), "bans": banned_names(owned, setup.naming)}
        key = "both" if owned.sets and owned.exclude else "sets" if owned.sets else "exclude"
        setup = replace(setup, notes=((f"warn.collection-{key}", params), *setup.notes))
    if boxes and (beyond := [box for box in setup.content.sets if box not in boxes]):
        params = {
            "sets": " + ".join(map(run.words.set_name, boxes)),
            "more": " + ".join(map(run.words.set_name, beyond)),
        }
        setup = replace(setup, notes=(("warn.collection-beyond", params), *setup.notes))
    if simulated:
        from thunderref.thunderstone.simulate.run import simulate_setup
        from thunderref.thunderstone.simulate.simulation_report import with_finding

        with run.progress() as tell:
            progress = partial(tell, "simulate.progress")
            simulation = simulate_setup(setup, (), setup.content.seed, progress=progress)
        setup = with_finding(setup, simulation)
    if avoid_recent or not draw["code"]:
        try:
            add_to_history(setup.code, setup.content)
        except InputError:
            unkept = [("warn.history", {"path": str(HISTORY.path)})] if avoid_recent else []
            setup = replace(setup, notes=(*setup.notes, *unkept))
    document = setup.model_dump() | ({"collection": owned._asdict()} if owned != Collection() else {})
    if save is not None:
        write_text(save, json_text(document) + "\n", replace=force)
    if keep:
        require_room(force=force)
        try:
            run.tonight = TONIGHT.remember(lambda: setup.tonight)
        except InputError as error:
            if not run.json:
                _show(setup, form, detailed)
            run.fail(error, **document)
    if run.json:
        run.print_json(document)
    else:
        _show(setup, form, detailed)


def _collection(
    draw: dict[str, Any], after: str | None, database: Database, *, any_card: bool
) -> tuple[Collection, tuple[str, ...]]:
    """The part of the remembered collection that applies to a draw, nothing that its options settle; and its boxes."""
    if any_card or (draw["code"] and not (draw["lock"] or draw["reroll"])):
        return Collection(), ()
    owned = read_collection(database.derived(Catalogue))
    boxes = owned.sets
    if draw["sets"] or draw["mix"] or draw["code"] or after:
        owned = owned._replace(sets=())
    return owned._replace(exclude=()) if draw["theme"] or draw["first_game"] else owned, boxes


@app.command("history", hidden=True)
def history_command(clear: Annotated[bool, typer.Option("--clear")] = False) -> None:
    run, path = session(), str(HISTORY.path)
    if clear:
        HISTORY.clear()
    setups, naming = read_history().setups, Naming(run.words)
    lines = [(2, f"{past['code']}  {naming.names(past['cards'])}") for past in setups]
    title = run.words.say("setup.history", n=len(setups), path=path)
    run.answer({"path": path, "setups": [*setups]}, [(0, title), *lines])


def _show(setup: Setup, form: str | None, detailed: bool) -> None:
    if form in ("html", "markdown"):
        print(printed_sheet(setup, form, detailed=detailed))
        return
    read = "COLUMNS" in os.environ or sys.stdout.isatty()
    columns = max(NARROWEST, shutil.get_terminal_size().columns)
    if form == "table":
        print(picture(setup, columns))
    else:
        whole = form is not None or detailed or session().more
        page = sheet_page(setup, detailed=detailed) if whole else table_page(setup)
        text = page_text(page, boxes=form == "text")
        text += "" if whole else f"\n\n{setup.naming.say('setup.lay-out')}"
        print(folded(text, columns if read else None))


def page_text(page: Page, *, boxes: bool = False) -> str:
    """The page of a set-up as text, if wanted with boxes to tick."""
    box, text = "[ ] " if boxes else "", [page.title, *page.subtitle]
    for block in page.blocks:
        rows = [f"  {patch.text}" for row in block.picture or () for patch in row]
        for line in block.lines:
            if line.label.isdecimal():
                rows.append(f"{box}{line.label:>3}. {line.text}")
                rows += ["       " + ("" if text_line.startswith(" ") else box) + text_line for text_line in line.small]
            else:
                mark = f"{line.label}: " if line.label else "- " if block is page.blocks[-1] else ""
                rows.append(f"  {mark}{line.text}")
        text += ["", *filter(None, [block.heading]), *rows] if rows else []
    return "\n".join(text)


def saved_code(text: str) -> str:
    """The code itself, or the code in a file written by ``--save``; :class:`InputError` for an unreadable file."""
    path = Path(text)
    if len(text) <= LONGEST_TYPED and not path.is_file() and path.suffix != ".json":
        return text
    unfit = InputError("setup-bad-save", file=text)
    try:
        code = parse_json(read_text(text), text, lambda *_: unfit)["code"]
    except (KeyError, TypeError):
        raise unfit from None
    if not isinstance(code, str):
        raise unfit
    return code


def numbers(text: str | None) -> tuple[int, ...]:
    """Whole numbers separated by commas, none for None; :class:`InputError` otherwise."""
    try:
        return () if text is None else tuple(int(number) for number in text.replace(";", ",").split(","))
    except ValueError:
        raise InputError("setup-bad-scores", asked=text) from None


def cards_left(text: str | None, database: Database) -> int | tuple[tuple[str, int], ...]:
    """The cards left of a dungeon: a number, or "2 blink dog, sphinx" as (card id, copies)."""
    if text is None or text.strip().isdecimal():
        return int(text or 0)
    from thunderref.search.counts import read_count, write_plainly
    from thunderref.search.names import find_card

    counts: dict[str, int] = {}
    for entry in write_plainly(text).split(","):
        if not entry.strip():
            raise NoAnswerError("setup-bad-left", asked=text)
        count, name = read_count(database, entry)
        card = name if name in database.cards else find_card(database, name)
        counts[card] = counts.get(card, 0) + (count or 1)
    return tuple(counts.items())


def answer_to(error: NoAnswerError) -> dict[str, Any] | None:
    """Return the options that a person at the terminal confirms the error with; None without a person or a yes."""
    run, asks = session(), {"evening-unseen": "evening.sure", "evening-toll": "evening.toll-ask"}
    if error.code not in (*asks, "evening-running") or not run.has_a_person:
        return None
    say = run.words.say
    print_lines([(0, run.words.error(error))])
    try:
        reply = input(f"{say(asks.get(error.code, 'evening.sure'))} ").strip().casefold()
    except EOFError:
        return None
    if error.code == "evening-toll":
        return {"toll": entries_of(reply) or []}
    return {"unseen": True} if reply in (say("evening.sure.yes"), "y") else None


def require_room(*, force: bool) -> None:
    """Raises :class:`NoAnswerError` (``evening-running``) if an evening is under way, unless forced or confirmed."""
    from thunderref.thunderstone.table.evening import require_no_evening

    try:
        require_no_evening(None if force else session().tonight)
    except NoAnswerError as error:
        if answer_to(error) is None:
            raise


@memory.command("tonight")
def tonight_command(
    code: Annotated[list[str] | None, typer.Argument(metavar="CODE|FILE")] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
    force: Force = False,
) -> None:
    run, text = session(), " ".join(code or [])
    if text or clear:
        require_room(force=force)
    if clear:
        if text:
            raise InputError("extra-argument", name=text[:60])
        cleared, run.tonight = TONIGHT.clear(), None
        run.answer({"cleared": cleared}, [(0, run.words.say("tonight.cleared" if cleared else "tonight.nothing"))])
        return
    now = None if text else TONIGHT.read()
    if not text and now is None:
        raise NoAnswerError("no-tonight")
    try:
        setup = generate_setup(code=now.code if now else saved_code(text), lang=run.words.lang, database=run.database)
    except NoAnswerError as error:
        if now is None:
            raise
        why = {"code-box-missing": "box", "code-box-changed": "changed"}.get(error.code)
        raise TONIGHT.unfit(**{"why": why, **error.params} if why else {}) from None
    run.tonight = now or TONIGHT.remember(lambda: setup.tonight)
    content, naming = setup.content, setup.naming
    dungeon = (*content.classes, *content.features.cards, *content.stones)
    rows = {"dungeon": dungeon, "village": (*content.heroes, *content.village)}
    cards = [(2, f"{naming.say(f'setup.section.{section}')}: {naming.names(rows[section])}") for section in rows]
    run.answer(setup.model_dump(), [(0, heading(setup)), (0, f"{naming.say('setup.code')}: {setup.code}"), *cards])


@memory.command("collection")
def collection_command(
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="SET")] = None,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="CARD|FILTER")] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
) -> None:
    run = session()
    cat = run.database.derived(Catalogue)
    now = change_collection(Collection() if clear else read_collection(cat), sets, exclude, cat)
    cleared = clear and COLLECTION.clear()
    if sets or exclude:
        COLLECTION.remember(lambda: now)
    say, lines = run.words.say, []
    if now.sets:
        lines.append(say("collection.sets", sets=" + ".join(map(run.words.set_name, now.sets))))
    elif now.exclude:
        lines.append(say("collection.no-sets"))
    if now.exclude:
        lines.append(say("collection.exclude", cards=banned_names(now, Naming(run.words))))
    lines = lines or [say("collection.cleared" if cleared else "collection.nothing")]
    run.answer(now._asdict() | ({"cleared": cleared} if clear else {}), [(0, line) for line in lines])
