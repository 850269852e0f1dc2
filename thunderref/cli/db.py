"""``thunderref db``: the card database itself."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.app import Lang, command_app
from thunderref.cli.session import session
from thunderref.errors import InputError, NoAnswerError
from thunderref.store.location import SHIPPED, fallback_path, source_root

app = command_app()
group = typer.Typer()
app.add_typer(group, name="db")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@group.callback()
def db_command(as_json: Json = False, lang: Lang = None) -> None:
    """The card database itself."""


@group.command("path")
def path_command(as_json: Json = False, lang: Lang = None) -> None:
    """Print where the database is."""
    run = session()
    path = str(run.store.path)
    if run.json:
        run.print_json({"path": path})
    else:
        print(path)


@group.command("info")
def info_command(as_json: Json = False, lang: Lang = None) -> None:
    """Print what the database holds."""
    run = session()
    store = run.store
    counts = {
        table: store.query(f"SELECT count(*) FROM {table}")[0][0]
        for table in ("cards", "effects", "names", "terms", "rules", "texts", "clarifications", "conflicts", "messages")
    }
    boxes = {
        set_id: dict(store.query("SELECT kind, sum(count) FROM cards WHERE set_id = ? GROUP BY kind", set_id))
        for (set_id,) in store.query("SELECT id FROM sets ORDER BY position")
    }
    stale = dict(store.query("SELECT lang, count(*) FROM texts WHERE stale GROUP BY lang ORDER BY lang"))
    document: dict[str, Any] = {
        "path": str(store.path),
        "schema": int(store.meta()["schema"]),
        "bytes": store.path.stat().st_size,
        "languages": list(store.languages),
        "rows": counts,
        "copies": boxes,
        "stale": stale,
    }
    if run.json:
        run.print_json(document)
        return
    from thunderref.cli.resolve_view import wrapped

    words = run.words
    size = document["bytes"] // 1024
    print(wrapped(0, words.say("db.info", path=document["path"], schema=document["schema"], size=size)))
    print(wrapped(0, words.say("db.languages", languages=", ".join(store.languages))))
    for code, n in stale.items():
        print(wrapped(0, words.say("db.stale", code=code, n=n)))
    for table, n in counts.items():
        print(f"  {table:15} {n:6}")
    for set_id, kinds in boxes.items():
        listed = ", ".join(f"{words.say(f'kind.{kind}')} {n}" for kind, n in kinds.items())
        print(wrapped(2, f"{words.set_name(set_id)}: {listed}"))


@group.command("build")
def build_command(as_json: Json = False, lang: Lang = None) -> None:
    """Build the database anew from db/ and glossary/ (in a checkout)."""
    from thunderref.store.build import build

    run = session()
    root = source_root()
    if root is None:
        raise InputError("no-sources")
    for path in (SHIPPED, fallback_path()):
        try:
            build(root, path)
        except OSError:
            continue
        break
    if run.json:
        run.print_json({"path": str(path)})
    else:
        print(run.words.say("db.built", path=str(path)))


@group.command("format")
def format_command(
    check: Annotated[bool, typer.Option("--check", help="Change nothing, only say what would change.")] = False,
    stamp: Annotated[bool, typer.Option("--stamp", help="Mark all translations as up to date.")] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Write the files of db/ and glossary/ in their one canonical form (in a checkout)."""
    from thunderref.store import format as canonical

    run = session()
    root = source_root()
    if root is None:
        raise InputError("no-sources")
    if stamp and not check:
        canonical.stamp(root)
    changed = [path.relative_to(root).as_posix() for path in canonical.format_files(root, write=not check)]
    if check and changed:
        raise NoAnswerError("not-canonical", candidates=changed)
    if run.json:
        run.print_json({"changed": changed})
    else:
        print(run.words.say("db.formatted", n=len(changed), files=", ".join(changed) or "–"))
