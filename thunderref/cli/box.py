"""``thunderref box``: boxes of a user's own, written, checked, switched on and off."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import print_lines
from thunderref.cli.session import Session, session
from thunderref.database import own_boxes, read
from thunderref.errors import InputError
from thunderref.files import make_folder, write_text
from thunderref.thunderstone.setup.memory import COLLECTION, Collection

app = CommandApp()

Ident = Annotated[str, typer.Argument(metavar="ID")]
Place = Annotated[str, typer.Argument(metavar="ID|FOLDER|FILE")]
BOX = """# What is printed on the box, and the families of its cards.
format = 1
name = "{name}"
# year = 2024

# The printed numbers of cards by kind; "box check" compares them with the cards.
[contents]
hero = 6
village = 8
monster = 10

# Each class of monsters, each family of heroes: kind is hero, monster, trap or treasure.
[[family]]
id = "marsh-folk"
kind = "hero"

[[family]]
id = "marsh"
kind = "monster"
"""
CARDS = """# What is printed on the cards; leave out what a card does not have. attested: printed, two or one.
# kind: hero, village (weapons, spells, items and villagers, told apart by types), monster, guardian, trap, treasure,
# thunderstone or disease. Each card has types, which may be empty: types = [].
attested = "printed"

[[card]]
id = "reed-cutter"
kind = "hero"
family = "marsh-folk"
level = 1
count = 6
types = ["fighter"]
cost = 5
strength = 4
attack = 1

# What a card does is a list of operations, as in the program's own files. A card without any is not judged:
# it is found, drawn and laid out. With "judged = true" it is judged by its figures alone.
[[card.effects]]
id = "dungeon"
timing = "dungeon"
do = [{ op = "bonus", stat = "attack", amount = 1, to = "self" }]

[[card]]
id = "reed-spear"
kind = "village"
count = 8
types = ["weapon", "edged"]
cost = 4
gold = 2
weight = 3
attack = 2
judged = true

[[card]]
id = "bog-imp"
kind = "monster"
family = "marsh"
count = 10
types = ["marsh"]
gold = 1
vp = 1
health = 4
xp = 1
"""
ENGLISH = """# Names, and texts in your own words; pl.toml and ru.toml say the same in other languages.
[cards]
reed-cutter = "Reed Cutter"
reed-spear = "Reed Spear"
bog-imp = "Bog Imp"

[families]
marsh-folk = "Marsh Folk"
marsh = "Marsh"

[texts]
"reed-cutter.dungeon" = "Attack +1."
"bog-imp.battle" = "You gain 1 Disease."
"""
TEMPLATE = {"box.toml": BOX, "cards.toml": CARDS, "en.toml": ENGLISH}
"""The files of a new box: a hero that is judged, a weapon judged by its figures, a monster that is not judged."""


@app.callback()
def box_command() -> None:
    """Boxes of a user's own."""


@app.command("new")
def new_command(ident: Ident) -> None:
    from thunderref.database.own_box import box_id_of

    run, place = session(), own_boxes.folder() / ident
    box = box_id_of(Path(ident))
    if (box,) in read.INSTALLATION.package().query("SELECT id FROM sets"):
        raise InputError("package-box-id", own_box=box)
    if there := own_boxes.all_boxes().get(box):
        raise InputError("file-exists", file=str(there))
    name = box.replace("-", " ").title()
    for file, text in TEMPLATE.items():
        make_folder(place / file)
        write_text(place / file, text.replace("{name}", name))
    line = run.words.say("box.made", own_box=box, folder=str(place))
    run.answer({"box": box, "folder": str(place), "files": [*TEMPLATE]}, [(0, line)])


@app.command("check")
def check_command(place: Place) -> None:
    from thunderref.database.own_box import read_own_box

    run = session()
    path = Path(place)
    path = path if path.exists() or "/" in place or path.suffix else own_boxes.place_of(place)
    box = read_own_box(path, read.INSTALLATION.package())
    say = run.words.say
    remarks = [run.words.error(remark) for remark in box.remarks]
    document: dict[str, Any] = {"box": box.id, "place": str(path), "remarks": remarks}
    if box.sources is None:
        told = [run.words.error(problem) for problem in box.problems]
        rows = [
            {key: error.params.get(key) for key in ("file", "line", "key", "problem")} | {"message": text}
            for error, text in zip(box.problems, told, strict=True)
        ]
        if len(told) > 1 and not run.json:
            print_lines([(0, line) for line in told])
        error = InputError("box-mistakes", own_box=box.id, n=len(told)) if len(told) > 1 else box.problems[0]
        run.fail(error, **document, sound=False, problems=rows)
    cards, record = box.sources.cards, box.sources.boxes[0]
    counts = Counter[str]()
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


@app.command("list")
def list_command() -> None:
    run = session()
    say, on, there = run.words.say, own_boxes.switched_on(), own_boxes.all_boxes()
    broken = {box: run.words.error(error) for box, error in run.database.broken}
    rows, lines = [], [(0, say("box.in", folder=str(own_boxes.folder())))]
    for box in sorted({*there, *on}):
        state = "gone" if box not in there else "broken" if box in broken else "on" if box in on else "off"
        rows.append({"id": box, "state": state, "place": str(there.get(box, "")), "message": broken.get(box)})
        lines.append((2, say(f"box.is.{state}", own_box=box, message=broken.get(box, ""))))
    run.answer({"folder": str(own_boxes.folder()), "boxes": rows}, lines)


@app.command("on")
def on_command(ident: Ident) -> None:
    from thunderref.database.own_box import read_own_box

    run = session()
    box = read_own_box(own_boxes.place_of(ident), read.INSTALLATION.package())
    if box.sources is None:
        raise box.problems[0]
    changed = own_boxes.switch(box.id, on=True)
    line = run.words.say("box.on", own_box=box.id, name=_name(run, box.id, box.sources.boxes[0].name))
    run.answer({"box": box.id, "on": True, "changed": changed}, [(0, line)])


@app.command("off")
def off_command(ident: Ident) -> None:
    run = session()
    if ident not in own_boxes.switched_on():
        own_boxes.place_of(ident)
    changed, used = own_boxes.switch(ident, on=False), _users(run, ident)
    told = [run.words.say(key, own_box=ident) for key in ("box.off", *(f"box.used.{user}" for user in used))]
    document = {"box": ident, "on": False, "changed": changed, "used_by": used}
    run.answer(document, [(0, line) for line in told])


def _users(run: Session, box: str) -> list[str]:
    """What is remembered and needs a box: ``tonight``, ``evening``, ``collection``."""
    from thunderref.thunderstone.setup.codes import boxes_named
    from thunderref.thunderstone.table.evening import latest_evening

    evening, owned = latest_evening(), Collection()
    with suppress(InputError):  # what cannot be read needs nothing
        owned = COLLECTION.read() or owned
    codes = {"tonight": run.tonight, "evening": None if evening is None or evening.over else evening}
    users = {name: boxes_named(user.code) for name, user in codes.items() if user is not None}
    return [name for name, boxes in (users | {"collection": owned.boxes}).items() if box in boxes]


def _name(run: Session, box: str, name: str) -> str:
    shown = run.words.set_name(box)
    return name if shown == box and name else shown
