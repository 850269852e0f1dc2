"""The set-up on the table: remembered, so that short names mean its cards and the village knows its stacks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from thunderref.errors import InputError
from thunderref.files import keep_text, parse_json, read_text, remove_file, state_file

if TYPE_CHECKING:
    from thunderref.database.read import Database
    from thunderref.thunderstone.setup.finished import Setup

ON_OFFER = ("basic", "hero", "village")
"""Kinds of stacks that the village sells."""


class Tonight(NamedTuple):
    """``cards`` are the ids of all cards of the set-up, a reprint as its base card; ``stacks`` those on offer."""

    code: str
    cards: tuple[str, ...]
    stacks: tuple[str, ...]

    def fits(self, database: Database) -> bool:
        """True if the database has all these cards; it may be of an earlier version than the set-up."""
        marks = ", ".join("?" * len(self.cards))
        found = database.query(f"SELECT count(*) FROM cards WHERE id IN ({marks})", *self.cards)
        return bool(found == [(len(self.cards),)])


def place() -> Path:
    """The file of the program's own that remembers it."""
    return state_file("tonight.json")


def read(path: Path | None = None) -> Tonight | None:
    """What is remembered, None for nothing; :class:`InputError` (``bad-tonight``) if it cannot be read.

    The file holds the cards beside the code, because working them out would cost a look-up half its time.
    """
    path = path or place()
    if not os.path.exists(path):
        return None
    try:
        found = parse_json(read_text(path), path)
        now = Tonight(found["code"], tuple(found["cards"]), tuple(found["stacks"]))
        if found["sum"] != _sum(now):  # changed by hand, or by another version
            raise KeyError
    except (InputError, KeyError, TypeError):
        raise unfit(path) from None
    return now


def _sum(now: Tonight) -> int:
    return crc32(json.dumps(now).encode())


def unfit(path: Path) -> InputError:
    return InputError("bad-tonight", file=str(path))


def of_setup(made: Setup) -> Tonight:
    """What there is to remember of a set-up."""
    laid = made.table
    stacks = [card for stack in laid.stacks if stack.kind in ON_OFFER for card, copies in stack.cards if copies]
    counted = (*(p.cards for p in laid.layers), *(p.cards for p in laid.stacks), *(p.cards for p in laid.decks))
    cards = [*(card for each in counted for card, _ in each), *(card for each in laid.layers for card in each.joined)]
    base = {card: made.cat.cards[card].reprint_of or card for card in cards}
    return Tonight(made.code, tuple(dict.fromkeys(base.values())), tuple(dict.fromkeys(base[card] for card in stacks)))


def remember(made: Setup, path: Path | None = None) -> Tonight:
    """Remembers a set-up instead of what was remembered before; raises :class:`InputError` if that fails."""
    now = of_setup(made)
    keep_text(path or place(), json.dumps(now._asdict() | {"sum": _sum(now)}, indent=1) + "\n")
    return now


def clear(path: Path | None = None) -> bool:
    """Forgets the set-up; False if there was none. Raises :class:`InputError` if the file cannot be removed."""
    return remove_file(path or place())
