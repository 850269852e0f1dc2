"""Which boxes of a user's own are switched on, and the database with them beside the package's.

A box is in the user's data folder, ``boxes/<id>/`` or ``boxes/<id>.csv``, or comes with the program. The boxes
switched on are merged into a copy of the package's database. Its name tells of the package's contents and of the sizes
and times of the boxes' files, so that it is made anew when either changes, and nothing is read before.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import adler32, crc32

from thunderref import files
from thunderref.database import paths
from thunderref.errors import InputError, ThunderrefError
from thunderref.text.folding import fold_query

if TYPE_CHECKING:
    from thunderref.database.own_box import Package

FOLDER = "boxes"
SHIPPED = paths.PACKAGE / "boxes"
"""Boxes that come with the program, off like those of users until they are switched on."""
_MERGED = "boxes-"
"""Beginning of the name of a merged database."""


Broken = tuple[str, ThunderrefError]
"""A box that is switched on and skipped, with its first mistake."""


def folder() -> Path:
    return files.data_file(FOLDER)


def place_of(box: str) -> Path:
    """Where a box lies: its folder, or its CSV; raises :class:`InputError` (``no-own-box``) if nothing is there."""
    if place := all_boxes().get(box):
        return place
    raise InputError("no-own-box", own_box=box[:40], file=str(folder()), candidates=[*all_boxes()])


def all_boxes() -> dict[str, Path]:
    """All boxes by id, with their places; one in the data folder stands for one of the same id that is shipped."""
    found: dict[str, Path] = {}
    for parent in (SHIPPED, folder()):
        with suppress(OSError):
            for place in sorted(parent.iterdir(), reverse=True):  # a folder after a CSV of its name, and instead of it
                if not place.name.startswith(".") and (place.is_dir() or place.suffix == ".csv"):
                    found[place.name.removesuffix(".csv")] = place
    return dict(sorted(found.items()))


def refuse_off(name: str) -> None:
    """Raises :class:`InputError` (``box-off``) for a box that there is, though a set-up or a list cannot use it."""
    if box := titles().get(fold_query(name)):
        raise InputError("box-off", own_box=box)


def titles() -> dict[str, str]:
    """The boxes that there are, by their ids and by the titles in their files, folded."""
    there = all_boxes().items()
    return {title: box for box, place in there for title in _titles(box, place, _digest([box]))}


@lru_cache(64)
def _titles(box: str, place: Path, _: str) -> frozenset[str]:
    found = {box}
    for path in sorted(place.glob("*.toml")):
        with suppress(InputError):
            head, _, _ = files.read_text(path).partition("\n[")  # a title stands before the first table
            title = files.parse_toml(head, path).get("name")
            found |= {title} if isinstance(title, str) else set()
    return frozenset(map(fold_query, found))


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
    """Where the database with the boxes that are switched on is, made if need be, and the boxes that are skipped.

    None for the package's own database: no box is switched on, or nothing can be written.
    """
    try:
        boxes = switched_on()
    except InputError as error:
        return None, ((paths.SWITCHES, error),)
    if not boxes:
        return None, ()
    made_of = f"{package.meta['contents']}+{_digest(boxes)}"
    name = f"{_MERGED}{made_of.replace('+', '-')}.sqlite"
    problem: ThunderrefError = InputError("no-place", file=name)
    for target in _places(name):
        try:
            if (broken := _broken_in(target)) is None:
                _merge(package, boxes, made_of, target)
                broken = _broken_in(target)
        except (InputError, OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or str(error)
            problem = InputError("cannot-write", file=str(target), problem=str(why))
            continue
        if broken is not None:
            return target, broken
    return None, tuple((box, problem) for box in boxes)


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


def _merge(package: Package, boxes: Iterable[str], made_of: str, target: Path) -> None:
    from thunderref.database.build import merge
    from thunderref.database.own_box import read_own_box

    sound, broken = [], []
    for box in boxes:
        try:
            read = read_own_box(place_of(box), package)
        except InputError as error:
            broken.append(_written(box, error))
            continue
        if read.sources is None:
            broken.append(_written(box, read.problems[0]))
        else:
            sound.append((read.sources, read.digest))
    files.make_folder(target)
    merge(package.path, sound, {"contents": made_of, "broken": json.dumps(broken)}, target)
    for stale in target.parent.glob(f"{_MERGED}*.sqlite"):
        if stale != target:
            with suppress(OSError):
                stale.unlink()


def _written(box: str, error: ThunderrefError) -> dict[str, Any]:
    return {"box": box, "code": error.code, "params": error.params, "candidates": [*error.candidates]}


def _told(broken: Iterable[dict[str, Any]]) -> Iterator[Broken]:
    for entry in broken:
        yield entry["box"], InputError(entry["code"], candidates=entry["candidates"], **entry["params"])


def _digest(boxes: Iterable[str]) -> str:
    """Sixteen hexadecimal digits that change with any file of these boxes, by its place, size and times of change."""
    signs, there = [str(paths.SCHEMA_VERSION)], all_boxes()
    for box in boxes:
        place = there.get(box, folder() / box)
        for path in sorted(place.glob("*")) if place.is_dir() else [place]:
            with suppress(OSError):
                stat = path.stat()
                signs.append(f"{path}:{stat.st_size}:{stat.st_mtime_ns}:{stat.st_ctime_ns}")
    whole = "\n".join(signs).encode(errors="replace")
    return f"{crc32(whole):08x}{adler32(whole):08x}"
