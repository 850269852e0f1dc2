"""``thunderref box``: boxes of a user's own, written, checked, switched on and off."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Force
from thunderref.cli.render import print_lines
from thunderref.cli.session import Session, session
from thunderref.database import own_boxes, read
from thunderref.errors import InputError
from thunderref.files import make_folder, write_text

app = CommandApp()

Ident = Annotated[str, typer.Argument(metavar="ID")]
Place = Annotated[str, typer.Argument(metavar="ID|FOLDER|FILE")]
Output = Annotated[Path | None, typer.Option("--output", metavar="FILE")]
TEMPLATE = Path(__file__).parent / "templates" / "box"
"""The files of a new box: a hero that is judged, a weapon judged by its figures, a monster that is not judged."""


@app.callback()
def box_command() -> None:
    """Boxes of a user's own."""


@app.command("new")
def new_command(ident: Ident) -> None:
    from thunderref.database.own_sources import box_id_of

    run, place = session(), own_boxes.folder() / ident
    box = box_id_of(Path(ident))
    if (box,) in read.INSTALLATION.package().query("SELECT id FROM sets"):
        raise InputError("package-box-id", own_box=box)
    if there := own_boxes.all_boxes().get(box):
        raise InputError("file-exists", file=str(there))
    for file in (files := sorted(path.name for path in TEMPLATE.iterdir())):
        make_folder(place / file)
        text = (TEMPLATE / file).read_text(encoding="utf-8")
        write_text(place / file, text.replace("{name}", box.replace("-", " ").title()))
    line = run.words.say("box.made", own_box=box, folder=str(place))
    run.answer({"box": box, "folder": str(place), "files": files}, [(0, line)])


@app.command("check")
def check_command(place: Place) -> None:
    from thunderref.database.own_sources import read_own_box

    run = session()
    path = Path(place)
    path = path if path.exists() or "/" in place or path.suffix else own_boxes.place_of(place)
    box = read_own_box(path, read.INSTALLATION.package())
    say = run.words.say
    remarks = [run.words.error(remark) for remark in box.remarks]
    document: dict[str, Any] = {"box": box.id, "place": str(path), "remarks": remarks}
    if box.sources is None:
        rows = [_row(run, problem) for problem in box.problems]
        if len(rows) > 1 and not run.json:
            print_lines([(0, row["message"]) for row in rows])
        error = InputError("box-mistakes", own_box=box.id, n=len(rows)) if len(rows) > 1 else box.problems[0]
        run.fail(error, **document, sound=False, problems=rows)
    cards, record, counts = box.sources.cards, box.sources.boxes[0], Counter[str]()
    for card in cards:
        counts[card.kind] += card.count
    lines = [(0, say("box.sound", name=_name(run, box.id, record.name), n=len(cards)))]
    for kind, n in counts.items():
        key = "box.counts-printed" if kind in record.contents else "box.counts"
        lines.append((2, say(key, kind=say(f"kind.{kind}"), n=n)))
    unjudged = [card.id.partition(":")[2] for card in cards if not card.judged]
    if unjudged:
        lines.append((0, say("box.not-judged", n=len(unjudged), cards=", ".join(unjudged))))
    lines += [(0, remark) for remark in remarks]
    run.answer(document | {"sound": True, "counts": counts, "not_judged": unjudged, "problems": []}, lines)


def _row(run: Session, error: InputError) -> dict[str, Any]:
    """A mistake: where it is, the problem alone if it is one of a key, and the whole sentence."""
    place = {name: error.params.get(name) for name in ("file", "line", "key")}
    alone = InputError(error.code, **{name: value for name, value in error.params.items() if name not in place})
    problem = run.words.error(alone).rstrip(".") if error.code == "bad-box" else None
    return place | {"problem": problem, "message": run.words.error(error)}


@app.command("export")
def export_command(ident: Ident, output: Output = None, force: Force = False) -> None:
    run, target = session(), output or Path(f"{ident}.json")
    write_text(target, own_boxes.packed(ident), replace=force)
    line = run.words.say("box.exported", own_box=ident, file=str(target))
    run.answer({"box": ident, "file": str(target)}, [(0, line)])


@app.command("list")
def list_command() -> None:
    run = session()
    say, on, there = run.words.say, own_boxes.switched_on(), own_boxes.all_boxes()
    broken = {skip.name: run.words.error(skip.error) for skip in run.database.broken if skip.kind == "box"}
    rows, lines = [], [(0, say("box.in", folder=str(own_boxes.folder())))]
    for box in sorted({*there, *on}):
        state = "gone" if box not in there else "broken" if box in broken else "on" if box in on else "off"
        rows.append({"id": box, "state": state, "place": str(there.get(box, "")), "message": broken.get(box)})
        lines.append((2, say(f"box.is.{state}", own_box=box, message=broken.get(box, ""))))
    run.answer({"folder": str(own_boxes.folder()), "boxes": rows}, lines)


@app.command("on")
def on_command(ident: Ident) -> None:
    from thunderref.database.own_sources import read_own_box

    run = session()
    box = read_own_box(own_boxes.place_of(ident), read.INSTALLATION.package())
    if box.sources is None:
        raise box.problems[0]
    changed = own_boxes.switch(box.id, on=True)
    line = run.words.say("box.on", own_box=box.id, name=_name(run, box.id, box.sources.boxes[0].name))
    run.answer({"box": box.id, "on": True, "changed": changed}, [(0, line)])


@app.command("off")
def off_command(ident: Ident) -> None:
    from thunderref.thunderstone.table.evening import users_of

    run = session()
    if ident not in own_boxes.switched_on():
        own_boxes.place_of(ident)
    changed, used = own_boxes.switch(ident, on=False), users_of(ident)
    told = [run.words.say(key, own_box=ident) for key in ("box.off", *(f"box.used.{user}" for user in used))]
    document = {"box": ident, "on": False, "changed": changed, "used_by": used}
    run.answer(document, [(0, line) for line in told])


def _name(run: Session, box: str, name: str) -> str:
    shown = run.words.set_name(box)
    return name if shown == box and name else shown
