"""What is remembered between runs: the set-up on the table, the latest set-ups, the boxes somebody owns."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar
from zlib import crc32

import msgspec

from thunderref.errors import InputError
from thunderref.files import (
    data_file,
    make_folder,
    only_writer,
    parse_json,
    read_text,
    remove_file,
    state_file,
    write_text,
)

if TYPE_CHECKING:
    from thunderref.database.read import Database
    from thunderref.thunderstone.setup.codes import Content

Record = TypeVar("Record", bound=msgspec.Struct)
KEPT, RECENT = 10, 3
"""Set-ups kept in the history, and those whose cards the next draw avoids."""


class Memory(Generic[Record]):
    """A small record in a file of the program's own; ``refusal`` is the error's code if it cannot be read."""

    def __init__(self, kind: type[Record], name: str, refusal: str, folder: Callable[[str], Path] = state_file) -> None:
        self.kind, self.name, self.refusal, self.folder = kind, name, refusal, folder

    @property
    def path(self) -> Path:
        return self.folder(self.name)

    def read(self) -> Record | None:
        """What is remembered, None for nothing; :class:`InputError` if it cannot be read."""
        path = self.path
        if not os.path.exists(path):
            return None
        try:
            return msgspec.convert(parse_json(read_text(path), path), self.kind)
        except (InputError, msgspec.ValidationError):
            raise self.unfit() from None

    def unfit(self) -> InputError:
        return InputError(self.refusal, file=str(self.path))

    def remember(self, make: Callable[[], Record]) -> Record:
        """Remembers what is made, while no other run writes, instead of what was; :class:`InputError` if that fails."""
        path = self.path
        make_folder(path)
        with only_writer(path):
            record = make()
            write_text(path, json.dumps(msgspec.to_builtins(record), indent=1) + "\n", replace=True)
        return record

    def clear(self) -> bool:
        """Forgets it; False if there was none. Raises :class:`InputError` if the file cannot be removed."""
        return remove_file(self.path)


class Tonight(msgspec.Struct, frozen=True):
    """The set-up on the table, so that short names mean its cards and the village knows its stacks.

    ``cards`` are the ids of all its cards, a reprint as its base card; ``stacks`` those on offer. They lie beside the
    code because working them out would cost a look-up half its time; ``sum`` tells what was changed by hand, or by
    another version.
    """

    code: str
    cards: tuple[str, ...]
    stacks: tuple[str, ...]
    sum: int

    def __post_init__(self) -> None:
        if self.sum != check_sum(self.code, self.cards, self.stacks):
            raise ValueError("changed")

    def fits(self, database: Database) -> bool:
        """True if the database has all these cards; it may be of an earlier version than the set-up."""
        marks = ", ".join("?" * len(self.cards))
        found = database.query(f"SELECT count(*) FROM cards WHERE id IN ({marks})", *self.cards)
        return bool(found == [(len(self.cards),)])


TONIGHT = Memory(Tonight, "tonight.json", "bad-tonight")


def check_sum(code: str, cards: Iterable[str], stacks: Iterable[str]) -> int:
    return crc32(json.dumps([code, [*cards], [*stacks]]).encode())


class Collection(msgspec.Struct, frozen=True):
    """The boxes somebody owns (``sets``) and what they leave out: ids of cards, families and classes, or filters."""

    sets: tuple[Literal["base", "wrath", "promo"], ...] = ()
    exclude: tuple[str, ...] = ()


COLLECTION = Memory(Collection, "collection.json", "bad-collection")


class PastSetup(msgspec.Struct, frozen=True):
    code: str
    cards: tuple[str, ...]


class History(msgspec.Struct, frozen=True):
    """The latest set-ups, the last one first, so that the next game can bring other cards."""

    setups: tuple[PastSetup, ...] = ()

    @property
    def recent_cards(self) -> list[str]:
        return list(dict.fromkeys(card for past in self.setups[:RECENT] for card in past.cards))


HISTORY = Memory(History, "history.json", "bad-history", data_file)


def read_history() -> History:
    """The history; empty if there is none or it cannot be read."""
    try:
        return HISTORY.read() or History()
    except InputError:
        return History()


def add_to_history(code: str, content: Content) -> None:
    """Adds a set-up; raises :class:`InputError` if it cannot be written."""
    now = PastSetup(code, (*content.classes, *content.heroes, *content.village))
    HISTORY.remember(lambda: History((now, *(past for past in read_history().setups if past.code != now.code))[:KEPT]))
