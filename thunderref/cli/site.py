"""``thunderref site``: the referee as a folder of static files, for phones without laptop, server or network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.session import session
from thunderref.errors import InputError

app = CommandApp()
MOST_NAMED = 5


@app.command("site")
def site_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    check: Annotated[bool, typer.Option("--check")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> None:
    run = session()
    try:
        from thunderref.site import gather
    except ImportError:
        raise InputError("site-node") from None
    say = run.words.say
    if check:
        if changed := gather.check(folder):
            names = ", ".join(changed[:MOST_NAMED])
            raise InputError("site-changed", n=len(changed), names=names)
        listed = gather.names_in(folder)
        whole = say("offline.whole", folder=folder, n=len(listed))
        run.answer({"folder": str(folder), "files": len(listed)}, [(0, whole)])
        return
    if folder.exists() and not (force and gather.is_ours(folder)):
        raise InputError("site-folder", folder=str(folder))

    def tell(part: gather.Pinned) -> None:
        print(say("offline.fetches", name=part.name, version=part.version), file=sys.stderr, flush=True)

    sizes = gather.gather(folder, run.database, tell)
    size = sum(sizes.values())
    done = say("offline.made", folder=folder, n=len(sizes), size=run.words.number(size / 1e6, ".1f"))
    run.answer({"folder": str(folder), "files": len(sizes), "bytes": size}, [(0, done)])
