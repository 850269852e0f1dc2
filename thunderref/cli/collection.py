"""``thunderref collection``: the boxes and bans that ``setup`` takes by default."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.setup import collection
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.collection import Collection
from thunderref.thunderstone.setup.steps import Naming, localise

app = CommandApp()


@app.command("collection")
def collection_command(
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="SET")] = None,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="CARD|FILTER")] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
) -> None:
    run = session()
    cleared = False
    try:
        before = Collection() if clear else collection.read()
        now = collection.checked(before, sets, exclude, run.database.derived(Catalogue))
    except ThunderrefError as error:
        localise(error, run.words)
        raise
    if clear:
        cleared = collection.clear()
    if sets or exclude:
        collection.remember(now)
    naming, say = Naming(run.words), run.words.say
    if now.sets:
        lines = [say("collection.sets", sets=" + ".join(map(run.words.set_name, now.sets)))]
    else:
        lines = [say("collection.no-sets")] if now.exclude else []
    lines += [say("collection.exclude", cards=collection.banned_names(now, naming))] if now.exclude else []
    if not lines:
        lines = [say("collection.cleared" if cleared else "collection.nothing")]
    document = {"cleared": cleared} if clear else {}
    run.answer({**now._asdict(), **document}, [(0, line) for line in lines])
