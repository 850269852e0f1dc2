"""How the command line reads and shows set-ups, and their errors with the names of the output language."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.setup import history
from thunderref.setup.codes import LENGTH
from thunderref.setup.pools import catalogue
from thunderref.setup.result import Setup
from thunderref.setup.steps import Naming
from thunderref.store.read import Store
from thunderref.words.words import Words

FORMATS = ("text", "markdown", "html")
NARROWEST = 30
"""Columns below which lines are no longer folded."""


def check_format(form: str | None) -> None:
    """Raises :class:`InputError` for a format there is not."""
    if form not in (None, *FORMATS):
        raise InputError("setup-unknown-format", asked=form, candidates=FORMATS)


def show(made: Setup, form: str | None) -> None:
    """Prints the set-up: as text by default, else as the asked sheet."""
    from thunderref.setup import sheet

    if form == "html":
        from thunderref.setup.page import html

        print(html(made))
    elif form == "markdown":
        print(sheet.markdown(made))
    else:
        print(sheet.folded(sheet.text(made, boxes=form == "text"), _columns()))


def _columns() -> int | None:
    """Width to fold text to; None where nobody reads a terminal (a pipe without COLUMNS)."""
    if "COLUMNS" not in os.environ and not sys.stdout.isatty():
        return None
    return max(NARROWEST, shutil.get_terminal_size().columns)


def localised(error: ThunderrefError, words: Words) -> ThunderrefError:
    """The same error with names in place of ids."""
    naming = Naming(words, catalogue(words.store))
    params: dict[str, Any] = {}
    for key, value in error.params.items():
        if key == "wishes":
            params[key] = "; ".join(_wish(w, naming) for w in value)
        elif key in ("card", "layout", "variant"):
            params[key] = _named(key, value, naming)
        elif key in ("cards", "slots"):
            params["query" if key == "slots" else key] = naming.names(value)
        elif key == "box":
            params[key] = words.set_name(value)
        else:
            params[key] = value
    same = type(error).__new__(type(error))
    ThunderrefError.__init__(same, error.code, candidates=error.candidates, **params)
    return same


def _named(key: str, value: str, naming: Naming) -> str:
    if key == "card":
        return naming.name(value)
    if key == "variant":
        term = naming.cat.variants[value].term
        return naming.name(term) if term else value
    layout = naming.cat.themes.get(value)
    return naming.name(layout.term) if layout and layout.term else naming.say("setup.first-game")


def _wish(wish: Any, naming: Naming) -> str:
    if wish.kind == "monsters":
        return naming.say("setup.wish.monsters", n=int(wish.card))
    if wish.kind == "stone":
        return naming.say("setup.wish.stone", asked=wish.card)
    if wish.kind == "balanced":
        return naming.say("setup.wish.balanced")
    return naming.say(f"setup.wish.{wish.kind}", card=naming.name(wish.card))


def listed(cards: Iterable[str], words: Words) -> str:
    """Names of cards, families and classes."""
    return Naming(words, catalogue(words.store)).names(cards)


# what is read and written


def saved_code(text: str) -> str:
    """The code itself, or the code in a file written by ``--save``; :class:`InputError` for an unreadable file."""
    path = Path(text)
    if len(text) <= LENGTH + 8 and not path.is_file() and path.suffix != ".json":
        return text
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["code"])
    except FileNotFoundError:
        raise InputError("missing-file", file=text) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError("setup-bad-save", file=text) from None


def write_json(made: Setup, file: str) -> None:
    """Writes the JSON document; :class:`InputError` where that is not possible."""
    try:
        Path(file).write_text(json.dumps(made.model_dump(), ensure_ascii=False, indent=2), encoding="utf-8")
    except OSError:
        raise InputError("setup-cannot-write", file=file) from None


def numbers(text: str) -> tuple[int, ...]:
    """Whole numbers separated by commas; :class:`InputError` otherwise."""
    try:
        return tuple(int(part) for part in text.replace(";", ",").split(","))
    except ValueError:
        raise InputError("setup-bad-scores", asked=text) from None


def cards_left(text: str, store: Store) -> int | tuple[tuple[str, int], ...]:
    """What was left of a dungeon: a number of cards, or "2 blink dog, sphinx" as (card id, copies)."""
    if text.strip().isdigit():
        return int(text)
    from thunderref.lookup.search import find_card

    found: dict[str, int] = {}
    for part in text.split(","):
        head, _, rest = part.strip().partition(" ")
        count, name = (int(head), rest) if head.isdigit() else (1, part.strip())
        if not name:
            raise NoAnswerError("setup-bad-left", asked=text)
        card = name if name in store.cards else find_card(store, name)
        found[card] = found.get(card, 0) + count
    return tuple(found.items())


def history_path(environment: Mapping[str, str]) -> Path:
    """Where the history is kept, by the habits of the system."""
    if environment.get("XDG_DATA_HOME"):
        folder = Path(environment["XDG_DATA_HOME"])
    elif sys.platform == "win32":
        folder = Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path.home() / ".local" / "share"
    return folder / "thunderref" / "history.json"


def remembered(made: Setup, path: Path) -> Setup:
    """Adds the set-up to the history; where that fails, the set-up says so."""
    try:
        history.remember(path, made.code, made.content)
    except OSError:
        return replace(made, notes=(*made.notes, ("warn.history", {"path": str(path)})))
    return made


def forget(path: Path) -> None:
    """Empties the history; :class:`InputError` where that is not possible."""
    try:
        history.clear(path)
    except OSError:
        raise InputError("setup-cannot-write", file=str(path)) from None
