"""``thunderref tonight`` and ``thunderref collection``: what is remembered, and need not be typed again."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, Force
from thunderref.cli.session import session
from thunderref.cli.setup import require_room, saved_code
from thunderref.errors import InputError, NoAnswerError
from thunderref.pages.setup_page import heading
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.memory import COLLECTION, TONIGHT, Collection
from thunderref.thunderstone.setup.request import Naming, banned_names, change_collection, read_collection
from thunderref.thunderstone.setup.setup import generate_setup

app = CommandApp()


@app.command("tonight")
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


@app.command("collection")
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
