"""``thunderref collection``: the boxes and bans that ``setup`` takes by default."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.memory import COLLECTION, Collection
from thunderref.thunderstone.setup.naming import Naming
from thunderref.thunderstone.setup.wishes import banned_names, change_collection

app = CommandApp()


@app.command("collection")
def collection_command(
    sets: Annotated[list[str] | None, typer.Option("--set", metavar="SET")] = None,
    exclude: Annotated[list[str] | None, typer.Option("--exclude", metavar="CARD|FILTER")] = None,
    clear: Annotated[bool, typer.Option("--clear")] = False,
) -> None:
    run = session()
    before = Collection() if clear else COLLECTION.read() or Collection()
    now = change_collection(before, sets, exclude, run.database.derived(Catalogue))
    cleared = clear and COLLECTION.clear()
    if sets or exclude:
        COLLECTION.remember(lambda: now)
    naming, say = Naming(run.words), run.words.say
    if now.sets:
        lines = [say("collection.sets", sets=" + ".join(map(run.words.set_name, now.sets)))]
    else:
        lines = [say("collection.no-sets")] if now.exclude else []
    lines += [say("collection.exclude", cards=banned_names(now, naming))] if now.exclude else []
    if not lines:
        lines = [say("collection.cleared" if cleared else "collection.nothing")]
    document = {"cleared": cleared} if clear else {}
    run.answer({**now._asdict(), **document}, [(0, line) for line in lines])
