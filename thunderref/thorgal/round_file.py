"""The file that keeps a game of Thorgal: its steps as JSON, checked when read, written by way of a copy."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from thunderref.errors import IllegalStepError, InputError, NoAnswerError, unreadable
from thunderref.thorgal.round import Step, Table, played, replayed
from thunderref.thorgal.seats import MOST_PLAYERS

FORMAT = "thunderref-thorgal-round"
VERSION = 1
MOST_STEPS = 5000
LONGEST_TEXT = 200
MOST_NUMBER = 99


def _number(least: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= MOST_NUMBER


def _text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable()


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _list(of: Callable[[Any], bool], least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(of, value))


_SEAT = _number(0)
FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "start": {
        "names": _list(_text, 2, MOST_PLAYERS), "solo": _flag, "adventure": _text, "length": _number(0),
        "row": _list(_number(1), 0, MOST_NUMBER), "first": _SEAT,
    },
    "act": {"seat": _SEAT, "card": _number(1), "from": _number(0), "free": _flag},
    "threat": {"seat": _SEAT, "by": _number(-MOST_NUMBER)},
    "wound": {"seat": _SEAT, "tile": _text},
    "heal": {"seat": _SEAT, "tile": _text},
    "upgrade": {"old": _number(1), "new": _number(1)},
    "events": {},
    "won": {},
    "lost": {"seat": lambda value: value is None or _SEAT(value), "note": _text},
}  # fmt: skip
"""Step -> its fields and what each may hold."""


def read_steps(path: Path) -> tuple[list[Step], Table]:
    """The steps of the game in the file, and the table they lead to.

    Raises :class:`NoAnswerError` (``thorgal-no-game``) if there is no file and :class:`InputError` for one that cannot
    be read (``unreadable-file``), is something else (``thorgal-file``) or of another version (``thorgal-version``), or
    has a step that does not fit (``thorgal-file-step``).
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise NoAnswerError("thorgal-no-game", file=str(path)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(str(path), error) from None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("thorgal-file", file=str(path), key="-") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError("thorgal-file", file=str(path), key="format")
    if document.get("version") != VERSION:
        raise InputError("thorgal-version", file=str(path), version=str(document.get("version"))[:20], known=VERSION)
    steps = document.get("steps")
    if not isinstance(steps, list) or not 1 <= len(steps) <= MOST_STEPS:
        raise InputError("thorgal-file", file=str(path), key="steps")
    strangers = sorted(set(document) - {"format", "version", "steps"})
    if strangers:
        raise InputError("thorgal-file", file=str(path), key=strangers[0][:40])
    return steps, _checked(path, steps)


def _checked(path: Path, steps: list[Step]) -> Table:
    """The table after the steps; raises :class:`InputError` naming the first that does not fit, and the key."""
    table: Table | None = None
    for number, step in enumerate(steps, start=1):
        key = _wrong_key(step, len(table.seats) if table else 0)
        if key is not None:
            raise InputError("thorgal-file-step", file=str(path), number=number, key=key)
        try:
            table = replayed([step]) if table is None else played(table, step)
        except IllegalStepError as error:
            raise InputError("thorgal-file-rule", file=str(path), number=number, rule=error.rule) from None
    assert table is not None, "there is at least one step"
    return table


def _wrong_key(step: Any, seats: int) -> str | None:
    """The key of a step that is missing, unknown or holds something it may not; None if all is well.

    ``seats`` is 0 for the first step, which has to be the start.
    """
    do = step.get("do") if isinstance(step, dict) else None
    if not isinstance(do, str) or do not in FIELDS or (do == "start") != (seats == 0):
        return "do"
    fields = FIELDS[do]
    strange = [str(key)[:40] for key in step if key != "do" and key not in fields]
    wrong = [key for key, fits in fields.items() if key not in step or not fits(step[key])]
    if not wrong and do == "start":
        wrong = ["first"] if step["first"] >= len(step["names"]) else []
    elif not wrong and step.get("seat") is not None and step["seat"] >= seats:
        wrong = ["seat"]
    return next(iter(strange + wrong), None)


def write_steps(path: Path, steps: list[Step], *, make_folder: bool) -> None:
    """Writes the game to a copy beside the file and puts that in its place; the file is never half written.

    ``make_folder``: the folder is made if there is none. Raises :class:`InputError` (``cannot-write``).
    """
    rows = ",\n  ".join(json.dumps(step, ensure_ascii=False) for step in steps)
    text = f'{{"format": "{FORMAT}", "version": {VERSION}, "steps": [\n  {rows}\n]}}\n'
    partial = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            partial.write_text(text, encoding="utf-8")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError:
        raise InputError("cannot-write", file=str(path)) from None
