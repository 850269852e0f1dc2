"""``thunderref db``: the card database itself."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, Force
from thunderref.cli.session import json_text, session
from thunderref.cli.streams import escape_for_json
from thunderref.database import paths, read
from thunderref.database.paths import metadata_path
from thunderref.errors import InputError, NoAnswerError
from thunderref.files import write_text

app = CommandApp()


@app.callback()
def db_command() -> None:
    """The card database itself."""


@app.command("path")
def path_command(metadata: Annotated[bool, typer.Option("--metadata")] = False) -> None:
    run = session()
    path = run.database.path
    if metadata and not (path := metadata_path(path)).is_file():
        raise InputError("no-database", path=str(path))
    run.print_json({"path": str(path)}) if run.json else print(path)


@app.command("export")
def export_command(
    form: Annotated[str, typer.Option("--format", metavar="json|csv")] = "json",
    out: Annotated[str, typer.Option("--out", "--output", metavar="FILE")] = "-",
    schema: Annotated[bool, typer.Option("--schema")] = False,
    force: Force = False,
) -> None:
    """Writes the export; ``--json`` prints the JSON document, or where the file is."""
    from thunderref.search.export import FORMATS, csv_text, export, export_schema

    run = session()
    if form not in FORMATS:
        raise InputError("unknown-format", name=form[:40], candidates=FORMATS)
    is_table = form == "csv" and not schema and not (run.json and out == "-")
    document = {} if is_table else export_schema() if schema else export(run.database).model_dump()
    text = csv_text(run.database, run.words.lang) if is_table else f"{json_text(document)}\n"
    if out != "-":
        write_text(out, f"\ufeff{text}" if is_table else text, replace=force)  # Excel looks for that mark
        sentence = run.words.say("glossary.written", file=out, size=len(text.encode()) // 1024)
        run.answer({"path": out}, [(0, sentence)])
    elif run.json:
        run.print_json(document)
    else:
        if not is_table:
            escape_for_json(sys.stdout)
        sys.stdout.write(text)


@app.command("info")
def info_command() -> None:
    run = session()
    database = run.database
    conditions = {"names": " WHERE kind = 'card' AND lang != ''"}
    counts = {
        table: database.query(f"SELECT count(*) FROM {table}{conditions.get(table, '')}")[0][0]
        for table in ("cards", "effects", "names", "terms", "rules", "texts", "clarifications", "conflicts", "messages")
    }
    boxes = {
        set_id: dict(database.query("SELECT kind, sum(count) FROM cards WHERE set_id = ? GROUP BY kind", set_id))
        for (set_id,) in database.query("SELECT id FROM sets ORDER BY position")
    }
    stale = dict(database.query("SELECT lang, count(*) FROM texts WHERE stale GROUP BY lang ORDER BY lang"))
    words, size = run.words, database.path.stat().st_size
    about = {"path": str(database.path), "schema": int(database.meta["schema"]), "contents": database.meta["contents"]}
    lines = [(0, words.say("db.info", **about, size=size // 1024))]
    lines.append((0, words.say("db.languages", languages=", ".join(database.languages))))
    lines += [(0, words.say("db.stale", code=code, n=n)) for code, n in stale.items()]
    lines += [(2, f"{table:15} {n:6}") for table, n in counts.items()]
    for set_id, kinds in boxes.items():
        listed = ", ".join(f"{words.say(f'kind.{kind}')} {n}" for kind, n in kinds.items())
        lines.append((2, f"{words.set_name(set_id)}: {listed}"))
    about |= {"bytes": size, "languages": list(database.languages), "rows": counts}
    run.answer({**about, "copies": boxes, "stale": stale}, lines)


@app.command("build")
def build_command() -> None:
    run = session()
    root = paths.source_root()
    if root is None:
        raise InputError("no-sources")
    vars(run).pop("database", None)  # Windows replaces no file that is open
    path = read.INSTALLATION.rebuild(root).path
    run.answer({"path": str(path)}, [(0, run.words.say("db.built", path=str(path)))])


@app.command("format")
def format_command(
    check: Annotated[bool, typer.Option("--check")] = False, stamp: Annotated[bool, typer.Option("--stamp")] = False
) -> None:
    from thunderref.database import format as canonical

    run = session()
    root = paths.source_root()
    if root is None:
        raise InputError("no-sources")
    if stamp and not check:
        canonical.stamp(root)
    changed = [path.relative_to(root).as_posix() for path in canonical.format_files(root, write=not check)]
    if check and changed:
        raise NoAnswerError("not-canonical", candidates=changed)
    sentence = run.words.say("db.formatted", n=len(changed), files=", ".join(changed) or "–")
    run.answer({"changed": changed}, [(0, sentence)])
