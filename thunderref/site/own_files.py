"""Boxes of a user's own in a browser: taken from files that somebody chose, kept as one text, switched on and off.

The first pages need this module, so it loads what checks a box only for a box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from thunderref.database import own_boxes
from thunderref.database.read import INSTALLATION, Language, open_database
from thunderref.errors import InputError
from thunderref.files import make_folder, parse_toml

_COPY = re.compile(r"\s*\(\d+\)(?=\.\w+$)")
"""What a browser adds to the name of a file that it downloads again."""


class OwnBoxState(NamedTuple):
    """A box on this phone: what it is called, whether it is on, whether its files were loaded here."""

    ident: str
    title: str
    is_on: bool
    is_loaded: bool


def states(words: Language) -> list[OwnBoxState]:
    """The boxes that there are: those of the program, and those that were loaded."""
    return [
        OwnBoxState(
            box, words.set_name(box) if box in own_boxes.switched_on() else own_boxes.title_of(box),
            box in own_boxes.switched_on(), place.parent != own_boxes.SHIPPED,
        )
        for box, place in own_boxes.all_boxes().items()
    ]  # fmt: skip


def pack() -> str:
    """The files of the boxes that were loaded, and which boxes are on, as one text; "" if there are none."""
    loaded = {box: place for box, place in own_boxes.all_boxes().items() if place.parent != own_boxes.SHIPPED}
    boxes = {box: {path.name: path.read_text("utf-8") for path in place.iterdir()} for box, place in loaded.items()}
    on = own_boxes.switched_on()
    return json.dumps({"boxes": boxes, "on": on}, ensure_ascii=False) if boxes or on else ""


def unpack(text: str) -> None:
    """Puts what :func:`pack` gave in its place, and makes the database with it."""
    document = json.loads(text)
    for box, files in document["boxes"].items():
        _write(own_boxes.folder() / box, files)
    for box in document["on"]:
        own_boxes.switch(box, on=True)
    open_database()


def change(box: str, what: str) -> None:
    """Switches a box ``on`` or ``off``, or takes its files away."""
    if what == "remove":
        own_boxes.switch(box, on=False)
        _remove(own_boxes.folder() / box)
        return
    own_boxes.switch(box, on=what == "on")
    for broken in open_database().broken:
        if broken.name == box:
            own_boxes.switch(box, on=False)
            raise broken.error


def take(files: dict[str, str]) -> None:
    """Takes the files of a box in and switches it on; raises :class:`InputError` with its first mistake."""
    from tempfile import TemporaryDirectory

    from thunderref.database.own_box import read_own_box

    box, files = _box_of({_COPY.sub("", name): text for name, text in files.items()})
    with TemporaryDirectory() as folder:
        place = Path(folder) / box
        _write(place, files)
        read = read_own_box(place, INSTALLATION.package())
        for error in read.problems[:1]:
            error.params |= {"file": Path(str(error.params.get("file", ""))).name}
            raise error
    _remove(own_boxes.folder() / box)
    _write(own_boxes.folder() / box, files)
    change(box, "on")


def _box_of(files: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The id of a box and its files; of what ``box export`` wrote, those that are in it."""
    name, text = next(iter(files.items()))
    if len(files) == 1 and name.endswith(".json"):
        return own_boxes.unpacked(text, name)
    if len(files) == 1 and name.lower().endswith(".csv"):
        return _id(name[:-4]), {"cards.csv": text}
    title = parse_toml(files.get("box.toml", ""), "box.toml").get("name")
    if not isinstance(title, str):
        raise InputError("not-a-box", file=name)
    return _id(title), files


def _id(name: str) -> str:
    from thunderref.database.box_table import slug
    from thunderref.database.own_box import box_id_of

    return box_id_of(Path(slug(name)[:20].strip("-")))


def _remove(place: Path) -> None:
    for path in place.iterdir() if place.is_dir() else ():
        path.unlink()
    if place.is_dir():
        place.rmdir()


def _write(place: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        make_folder(place / name)
        (place / name).write_text(text, "utf-8", newline="")
