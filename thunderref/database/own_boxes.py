"""Which boxes of a user's own are switched on, and the database with them beside the package's.

A box is in the user's data folder, ``boxes/<id>/`` or ``boxes/<id>.csv``, or comes with the program. The boxes
switched on are merged into a copy of the package's database. Its name tells of the package's contents and of the sizes
and times of the boxes' files, so that it is made anew when either changes, and nothing is read before.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import adler32, crc32

from thunderref import files
from thunderref.database import paths
from thunderref.errors import InputError, ThunderrefError
from thunderref.text.folding import fold_query

if TYPE_CHECKING:
    from thunderref.database.own_sources import Package

FOLDER = "boxes"
SHIPPED = paths.PACKAGE / "boxes"
"""Boxes that come with the program, off like those of users until they are switched on."""
_FILE = re.compile(r"[a-z][a-z0-9-]{0,19}\.(toml|csv)")
"""The name of a file of a box, or of a box that is one."""
_MERGED = "boxes-"
"""Beginning of the name of a merged database."""


class Broken(NamedTuple):
    """A box that is switched on, or a language, that is skipped, with its first mistake."""

    name: str
    error: ThunderrefError
    kind: str = "box"


def folder() -> Path:
    return files.data_file(FOLDER)


def place_of(box: str) -> Path:
    """Where a box lies: its folder, or its CSV; raises :class:`InputError` (``no-own-box``) if nothing is there."""
    if place := all_boxes().get(box):
        return place
    raise InputError("no-own-box", own_box=box[:40], file=str(folder()), candidates=[*all_boxes()])


def all_boxes() -> dict[str, Path]:
    """All boxes by id, with their places; one in the data folder stands for one of the same id that is shipped."""
    folders: dict[str, Path] = {}
    for parent in (SHIPPED, folder()):
        with suppress(OSError):
            for place in sorted(parent.iterdir(), reverse=True):  # a folder after a CSV of its name, and instead of it
                if not place.name.startswith(".") and (place.is_dir() or place.suffix == ".csv"):
                    folders[place.name.removesuffix(".csv")] = place
    return dict(sorted(folders.items()))


def refuse_off(name: str) -> None:
    """Raises :class:`InputError` (``box-off``) for a box that there is, though a set-up or a list cannot use it."""
    if box := titles().get(fold_query(name)):
        raise InputError("box-off", own_box=box)


def titles() -> dict[str, str]:
    """The boxes that there are, by their ids and by the titles in their files, folded."""
    there = all_boxes().items()
    return {fold_query(title): box for box, place in there for title in _titles(box, place, _digest(_files([box])))}


def title_of(box: str) -> str:
    """What a box is called in its files, in the language of its author; its id if nothing there says it."""
    return _titles(box, place_of(box), _digest(_files([box])))[0]


@lru_cache(64)
def _titles(box: str, place: Path, _: str) -> list[str]:
    boxes = []
    for path in sorted(place.glob("*.toml")):  # box.toml is the first of them
        with suppress(InputError):
            head, _, _ = files.read_text(path).partition("\n[")  # a title stands before the first table
            boxes.append(files.parse_toml(head, path).get("name"))
    return [*(title for title in boxes if isinstance(title, str)), box]


def packed(box: str) -> str:
    """The files of a box as one text, for another machine or a phone; raises as :func:`place_of`."""
    place = place_of(box)
    parts = {path.name: path for path in place.iterdir()} if place.is_dir() else {"cards.csv": place}
    texts = {name: files.read_text(path) for name, path in sorted(parts.items()) if _FILE.fullmatch(name)}
    return json.dumps({"format": 1, "box": box, "files": texts}, ensure_ascii=False, indent=1) + "\n"


def unpacked(text: str, name: str) -> tuple[str, dict[str, str]]:
    """The box and its files in what :func:`packed` gave; raises :class:`InputError` (``not-a-box``) for other texts."""
    match files.parse_json(text, name):
        case {"format": 1, "box": str(box), "files": dict(texts)}:
            are_texts = texts and all(isinstance(text, str) for text in texts.values())
            if are_texts and all(map(_FILE.fullmatch, (f"{box}.csv", *texts))):
                return box, texts
    raise InputError("not-a-box", file=name)


def switched_on() -> tuple[str, ...]:
    """The ids of the boxes that are switched on; :class:`InputError` (``bad-switches``) if that cannot be read."""
    path = files.data_file(paths.SWITCHES)
    if not os.path.exists(path):
        return ()
    with suppress(InputError, KeyError, TypeError):
        boxes = files.parse_json(files.read_text(path), path)["on"]
        if isinstance(boxes, list) and all(isinstance(box, str) for box in boxes):
            return tuple(sorted(set(boxes)))
    raise InputError("bad-switches", file=str(path))


def switch(box: str, *, on: bool) -> bool:
    """Switches a box on or off; False if it was so before. Raises :class:`InputError` if that cannot be written."""
    path = files.data_file(paths.SWITCHES)
    files.make_folder(path)
    with files.only_writer(path):
        before = switched_on()
        now = sorted({*before, box} if on else {*before} - {box})
        files.write_text(path, json.dumps({"on": now}) + "\n", replace=True)
    return (box in before) != on


def merged_database(package: Package) -> tuple[Path | None, tuple[Broken, ...]]:
    """Where the database with the user's languages, and the boxes that are switched on, is, and what is skipped.

    It is made if need be. None for the package's own database: there is nothing to add, or nothing can be written.
    """
    languages = paths.language_files(paths.own_glossary())
    boxes, skipped = tuple[str, ...](), list[Broken]()
    try:
        boxes = switched_on()
    except InputError as error:
        skipped.append(Broken(paths.SWITCHES, error))
    if not boxes and not languages:
        return None, tuple(skipped)
    made_of = _made_of(package, languages, boxes)
    name = _name_of(made_of)
    problem: ThunderrefError = InputError("no-place", file=name)
    for target in _places(name):
        try:
            if (broken := _broken_in(target)) is None:
                _merge(package, [*languages], boxes, made_of, target)
                broken = _broken_in(target)
        except (InputError, OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or str(error)
            problem = InputError("cannot-write", file=str(target), problem=str(why))
            continue
        if broken is not None:
            return target, (*skipped, *broken)
    return None, (*skipped, *(Broken(path, problem) for path in (*boxes, *languages)))


def merged_file(package: Package) -> Path:
    """Return where the merged database of the languages and boxes as they are now is kept, once it is made."""
    return files.state_file(_name_of(_made_of(package, paths.language_files(paths.own_glossary()), switched_on())))


def _made_of(package: Package, languages: Mapping[str, Iterable[Path]], boxes: Iterable[str]) -> str:
    """Return what a merged database says it was made of."""
    own_paths = [*chain.from_iterable(languages.values()), *_files(boxes)]
    return f"{package.meta['contents']}+{_digest(own_paths)}"


def _name_of(made_of: str) -> str:
    return f"{_MERGED}{made_of.replace('+', '-')}.sqlite"


def _places(name: str) -> Iterator[Path]:
    yield files.state_file(name)
    yield paths.fallback_path().with_name(name)


def _broken_in(target: Path) -> tuple[Broken, ...] | None:
    """The boxes that were skipped when a database was made; None if there is none, or none that can be read."""
    with suppress(sqlite3.Error, LookupError):
        return _read_broken(target) if target.is_file() else None
    return None


@lru_cache(8)
def _read_broken(target: Path) -> tuple[Broken, ...]:
    """Read what a database says of boxes that were skipped: once, for its name changes with them."""
    with closing(sqlite3.connect(paths.read_only_uri(target.absolute()), uri=True)) as db:
        rows = db.execute("SELECT value FROM meta WHERE key = 'broken'").fetchall()
    return tuple(_told(json.loads(rows[0][0])))


def _merge(package: Package, languages: Iterable[str], boxes: Iterable[str], made_of: str, target: Path) -> None:
    from thunderref.database.build import merging
    from thunderref.database.own_sources import read_language, read_own_box

    broken = []
    files.make_folder(target)
    with merging(package, target) as merger:
        for lang in languages:
            try:
                merger.add_language(read_language(lang, package))
            except InputError as error:
                broken.append(_written(lang, error, "language"))
        for box in boxes:
            try:
                read = read_own_box(place_of(box), merger)
                if read.sources is None:
                    raise read.problems[0]
                merger.add_box(read.sources, read.digest)
            except InputError as error:
                broken.append(_written(box, error, "box"))
        merger.note({"contents": made_of, "broken": json.dumps(broken)})
    for stale in target.parent.glob(f"{_MERGED}*.sqlite"):
        if stale not in (target, paths.more_path(target)):
            with suppress(OSError):
                stale.unlink()


def _written(name: str, error: ThunderrefError, kind: str) -> dict[str, Any]:
    return {"name": name, "kind": kind, "code": error.code, "params": error.params, "candidates": [*error.candidates]}


def _told(broken: Iterable[dict[str, Any]]) -> Iterator[Broken]:
    for entry in broken:
        error = InputError(entry["code"], candidates=entry["candidates"], **entry["params"])
        yield Broken(entry["name"], error, entry["kind"])


def _files(boxes: Iterable[str]) -> Iterator[Path]:
    """The files of boxes; where one should be, if there is none."""
    there = all_boxes()
    for box in boxes:
        place = there.get(box, folder() / box)
        yield from sorted(place.glob("*")) if place.is_dir() else [place]


def _digest(own: Iterable[Path]) -> str:
    """Sixteen hexadecimal digits that change with any of these files, by its place, size and times of change."""
    signs = [str(paths.SCHEMA_VERSION)]
    for path in own:
        with suppress(OSError):
            stat = path.stat()
            signs.append(f"{path}:{stat.st_size}:{stat.st_mtime_ns}:{stat.st_ctime_ns}")
    whole = "\n".join(signs).encode(errors="replace")
    return f"{crc32(whole):08x}{adler32(whole):08x}"
