"""A small history of set-ups, so that the next game can bring other cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from thunderref.thunderstone.setup.codes import Content

KEPT, RECENT = 10, 3
"""Set-ups that the history holds, and whose cards the next draw avoids."""


class PastSetup(NamedTuple):
    code: str
    cards: tuple[str, ...]


def read(path: Path) -> list[PastSetup]:
    """The set-ups of the history, the latest first; empty if there is none or it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [PastSetup(str(past["code"]), tuple(map(str, past["cards"]))) for past in found["setups"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def recent_cards(path: Path) -> list[str]:
    return list(dict.fromkeys(card for past in read(path)[:RECENT] for card in past.cards))


def remember(path: Path, code: str, content: Content) -> None:
    """Adds a set-up; raises :class:`OSError` where nothing can be written."""
    now = PastSetup(code, (*content.classes, *content.heroes, *content.village))
    setups = [now, *(past for past in read(path) if past.code != code)][:KEPT]
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".new")
    partial.write_text(json.dumps({"setups": [past._asdict() for past in setups]}, indent=1), encoding="utf-8")
    partial.replace(path)


def clear(path: Path) -> None:
    path.unlink(missing_ok=True)
