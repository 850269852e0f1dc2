"""A small history of set-ups, so that the next game can bring other cards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from thunderref.setup.codes import Content

KEPT = 10
"""Set-ups the history holds."""
RECENT = 3
"""Set-ups whose cards the next draw avoids."""


class Entry(NamedTuple):
    """One set-up of the history."""

    code: str
    cards: tuple[str, ...]


def read(path: Path) -> list[Entry]:
    """The set-ups of the history, the latest first; empty if there is none or it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return [Entry(str(e["code"]), tuple(str(card) for card in e["cards"])) for e in found["setups"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def recent_cards(path: Path) -> list[str]:
    """Classes, families and village cards of the latest set-ups, the most recent first."""
    return list(dict.fromkeys(card for entry in read(path)[:RECENT] for card in entry.cards))


def remember(path: Path, code: str, content: Content) -> None:
    """Adds a set-up; raises :class:`OSError` where nothing can be written."""
    cards = (*content.classes, *content.heroes, *content.village)
    _write(path, [Entry(code, cards), *(entry for entry in read(path) if entry.code != code)])


def clear(path: Path) -> None:
    """Forgets everything."""
    path.unlink(missing_ok=True)


def _write(path: Path, entries: Sequence[Entry]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"code": entry.code, "cards": list(entry.cards)} for entry in entries[:KEPT]]
    partial = path.with_suffix(".new")
    partial.write_text(json.dumps({"setups": rows}, indent=1), encoding="utf-8")
    partial.replace(path)
