"""Boxes and languages of a user's own in a browser: taken from files, kept as one text, switched off or removed.

The first pages need this module, so it loads what checks a box only for a box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from thunderref.database import own_boxes, read
from thunderref.database.paths import language_files, own_glossary
from thunderref.database.read import Language, open_database
from thunderref.errors import InputError, ThunderrefError
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


def languages() -> list[tuple[str, str]]:
    """The languages that were loaded: the code of each, and what it calls itself."""
    called, loaded = open_database().query("SELECT lang, language FROM languages"), language_files(own_glossary())
    return [(lang, name or lang) for lang, name in called if lang in loaded]


def pack() -> str:
    """All files that were loaded, and which boxes are on, as one text; "" if there is nothing of the kind."""
    loaded = {box: place for box, place in own_boxes.all_boxes().items() if place.parent != own_boxes.SHIPPED}
    boxes, on = {box: _texts(place) for box, place in loaded.items()}, own_boxes.switched_on()
    glossary = _texts(own_glossary())
    document = {"boxes": boxes, "on": on, "glossary": glossary}
    return json.dumps(document, ensure_ascii=False) if any(document.values()) else ""


def unpack(text: str, merged: Path | None = None) -> None:
    """Puts what :func:`pack` gave in its place, and the database ``merged`` from it before; or makes that."""
    document = json.loads(text)
    for box, texts in document["boxes"].items():
        _write(own_boxes.folder() / box, texts)
    _write(own_glossary(), document["glossary"])
    for box in document["on"]:
        own_boxes.switch(box, on=True)
    if merged is not None:
        target = own_boxes.merged_file(read.INSTALLATION.package())
        make_folder(target)
        merged.replace(target)
    open_database()


def to_save() -> dict[str, str]:
    """The boxes that are on: each as :func:`own_boxes.packed` gives it, or "" if it comes with the program."""
    places = own_boxes.all_boxes()
    loaded = {box for box, place in places.items() if place.parent != own_boxes.SHIPPED}
    return {box: own_boxes.packed(box) if box in loaded else "" for box in own_boxes.switched_on()}


def change(name: str, what: str) -> None:
    """Switches a box ``on`` or ``off``, or takes the files of a box (``remove``) or of a language (``forget``) away."""
    if what == "forget":
        _remove(own_glossary(), language_files(own_glossary()).get(name, ()))
        return
    own_boxes.switch(name, on=what == "on")
    if what == "remove":
        _remove(own_boxes.folder() / name)
    for broken in open_database().broken:
        if broken.name == name:
            own_boxes.switch(name, on=False)
            raise broken.error


def take(files: dict[str, str]) -> None:
    """Takes in the files of a language, or those of a box, which is switched on.

    Raises :class:`InputError` with the first mistake in them; everything then stays as it was.
    """
    files = {_COPY.sub("", name): text for name, text in files.items()}
    if codes := {name.partition(".")[0] for name, text in files.items() if _is_language(name, text)}:
        _take_language(min(codes), files)
        return
    from tempfile import TemporaryDirectory

    from thunderref.database.own_sources import read_own_box

    (file, *_), (box, files) = files, _box_of(files)
    with TemporaryDirectory() as folder:
        _write(Path(folder) / box, files)
        for error in read_own_box(Path(folder) / box, read.INSTALLATION.package()).problems[:1]:
            raise _by_name(error, file if file.endswith(".csv") else "")
    _remove(own_boxes.folder() / box)
    _write(own_boxes.folder() / box, files)
    change(box, "on")


def _is_language(name: str, text: str) -> bool:
    head = text.partition("\n[")[0]
    return name.endswith(".toml") and bool(re.search(r"^lang\s*=", head, re.MULTILINE))


def _take_language(lang: str, files: dict[str, str]) -> None:
    before = _texts(own_glossary())
    _write(own_glossary(), files)
    for broken in open_database().broken:
        if broken.kind == "language":
            _remove(own_glossary())
            _write(own_glossary(), before)
            raise _by_name(broken.error)
    if lang not in open_database().languages:
        _remove(own_glossary(), [own_glossary() / name for name in files])
        raise InputError("not-a-box", file=min(files))


def _by_name(error: ThunderrefError, chosen: str = "") -> ThunderrefError:
    """The error with the name of its file as it was chosen, and not where it lies here."""
    if "file" in error.params:
        error.params["file"] = chosen or Path(str(error.params["file"])).name
    return error


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
    from thunderref.database.own_sources import box_id_of, slug

    return box_id_of(Path(slug(name)[:20].strip("-")))


def _texts(place: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(place.iterdir())} if place.is_dir() else {}


def _remove(place: Path, paths: Sequence[Path] | None = None) -> None:
    """Takes these files of a folder away, or all; the folder as well if none is left."""
    there = [*place.iterdir()] if place.is_dir() else []
    for path in there if paths is None else paths:
        path.unlink(missing_ok=True)
    if there and not any(place.iterdir()):
        place.rmdir()


def _write(place: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        make_folder(place / name)
        (place / name).write_text(text, "utf-8", newline="")
