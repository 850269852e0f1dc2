"""Saved games as files: read with one clear error for what is wrong, written beside and renamed."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from thunderref.errors import InputError, NoAnswerError, unreadable
from thunderref.model.saved import FORMAT, SavedGame
from thunderref.solve.documents import read_document

BIGGEST = 20_000_000
"""Bytes of a file that is read at all; the longest games come to well under one million."""


def read(name: str) -> SavedGame:
    """The saved game in a file; what it says is not checked yet (:func:`thunderref.play.course.resumed` does).

    Raises :class:`InputError` for a file that is missing, cannot be read, is cut short or no JSON, lacks a key or has
    one too many, and :class:`NoAnswerError` for one of a later version.
    """
    try:
        path = Path(name)
        if path.is_file() and path.stat().st_size > BIGGEST:
            raise InputError("play-no-save", file=name)
        document: Any = json.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, RecursionError):
        raise InputError("play-no-save", file=name) from None
    except json.JSONDecodeError as error:
        raise InputError("play-cut", file=name, line=error.lineno, column=error.colno) from None
    except ValueError:  # a number of thousands of digits
        raise InputError("play-no-save", file=name) from None
    except OSError as error:
        raise unreadable(name, error) from None
    if not isinstance(document, dict) or "format" not in document or "steps" not in document:
        raise InputError("play-no-save", file=name)
    if document["format"] != FORMAT:
        version = document["format"]
        if type(version) is not int or version < 1:  # true is no number here
            raise InputError("play-no-save", file=name)
        code = "play-newer-save" if version > FORMAT else "play-older-save"
        raise NoAnswerError(code, file=name, version=version, known=FORMAT)
    return read_document(SavedGame, document)


def write(name: str, saved: SavedGame) -> None:
    """Writes a saved game: the whole new file beside the old one, which is then replaced in one move.

    Raises :class:`InputError` if that cannot be done; what was there before is then still there.
    """
    path = Path(os.path.realpath(name))
    beside = path.with_name(path.name + ".new")
    try:
        if path.exists() and not path.is_file():
            raise InputError("play-no-place", file=name)
        with beside.open("w", encoding="utf-8") as stream:
            stream.write(text_of(saved))
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise _unwritable(name, error) from None


def check_new(name: str) -> None:
    """Raises :class:`InputError` if a new game cannot be saved there: the file exists, its folder does not."""
    path = Path(os.path.realpath(name))
    try:
        if path.exists():
            raise InputError("play-exists" if path.is_file() else "play-no-place", file=name)
        if not path.parent.is_dir():
            raise InputError("play-no-folder", file=name)
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise _unwritable(name, error) from None


def _unwritable(name: str, error: OSError) -> InputError:
    return InputError("play-not-saved", file=name, problem=error.strerror or str(error))


def text_of(saved: SavedGame) -> str:
    """The document with a step a line, so that people can read it."""
    parts = []
    for key, value in saved.model_dump(exclude=None if saved.played_on else {"played_on"}).items():
        if key == "steps" and value:
            steps = ",\n".join(f"  {json.dumps(step, ensure_ascii=False)}" for step in value)
            parts.append(f' "steps": [\n{steps}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"
