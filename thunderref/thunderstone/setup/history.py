"""A small history of set-ups, so that the next game can bring other cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.files import make_folder, only_writer, parse_json, read_text, remove_file, write_text
from thunderref.thunderstone.setup.codes import Content

KEPT, RECENT = 10, 3
"""Set-ups kept in the history, and those whose cards the next draw avoids."""


class PastSetup(NamedTuple):
    code: str
    cards: tuple[str, ...]


def read(path: Path) -> list[PastSetup]:
    """The set-ups of the history, the latest first; empty if there is none or it cannot be read."""
    try:
        found = parse_json(read_text(path), path)
        return [PastSetup(str(past["code"]), tuple(map(str, past["cards"]))) for past in found["setups"]]
    except (InputError, KeyError, TypeError):
        return []


def recent_cards(path: Path) -> list[str]:
    return list(dict.fromkeys(card for past in read(path)[:RECENT] for card in past.cards))


def remember(path: Path, code: str, content: Content) -> None:
    """Adds a set-up; raises :class:`InputError` if it cannot be written."""
    now = PastSetup(code, (*content.classes, *content.heroes, *content.village))
    make_folder(path)
    with only_writer(path):
        setups = [now, *(past for past in read(path) if past.code != code)][:KEPT]
        write_text(path, json.dumps({"setups": [past._asdict() for past in setups]}, indent=1), replace=True)


def clear(path: Path) -> None:
    """Forgets all set-ups; raises :class:`InputError` if the file cannot be removed."""
    remove_file(path)
