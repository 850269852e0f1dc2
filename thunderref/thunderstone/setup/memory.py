"""What is remembered between runs: the set-up on the table, the latest set-ups, the boxes somebody owns."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypedDict, TypeVar
from zlib import crc32

from thunderref import files
from thunderref.errors import InputError

if TYPE_CHECKING:
    from thunderref.database.read import Database
    from thunderref.thunderstone.setup.codes import Content

Record = TypeVar("Record", bound=NamedTuple)
HISTORY_LENGTH, RECENT = 10, 3
"""Set-ups kept in the history, and those whose cards the next draw avoids."""


class Memory(Generic[Record]):
    """A small record in a file of our own; ``refusal`` is the error's code if it cannot be read, or is not sound."""

    def __init__(
        self, kind: type[Record], name: str, refusal: str, folder: Callable[[str], Path] = files.state_file,
        is_sound: Callable[[Any], bool] = lambda _: True,
    ) -> None:  # fmt: skip
        self.kind, self.name, self.refusal, self.folder, self.is_sound = kind, name, refusal, folder, is_sound

    @property
    def path(self) -> Path:
        return self.folder(self.name)

    def read(self) -> Record | None:
        """Return the remembered value, None for nothing; :class:`InputError` if it cannot be read."""
        path = self.path
        if not os.path.exists(path):
            return None
        import msgspec  # a look-up without a table has no use for it

        try:
            document = files.parse_json(files.read_text(path), path)
            record = msgspec.convert([document[name] for name in self.kind._fields], self.kind)
            if self.is_sound(record):
                return record
        except (InputError, KeyError, TypeError, msgspec.ValidationError):
            pass
        raise self.unfit()

    def unfit(self, **why: str) -> InputError:
        return InputError(self.refusal, file=str(self.path), **why)

    def remember(self, make: Callable[[], Record]) -> Record:
        """Remembers what is made, while no other run writes, instead of what was; :class:`InputError` if that fails."""
        path = self.path
        files.make_folder(path)
        with files.only_writer(path):
            record = make()
            files.write_text(path, json.dumps(record._asdict(), indent=1) + "\n", replace=True)
        return record

    def clear(self) -> bool:
        """Forgets it; False if there was none. Raises :class:`InputError` if the file cannot be removed."""
        return files.remove_file(self.path)


class Tonight(NamedTuple):
    """The set-up on the table, so that short names mean its cards and the village knows its stacks.

    ``cards`` are the ids of all its cards, a reprint as its base card; ``stacks`` those on offer. They lie beside the
    code because working them out would cost a look-up half its time.
    """

    code: str
    cards: tuple[str, ...]
    stacks: tuple[str, ...]
    sum: int

    def lacking(self, database: Database) -> list[str]:
        """The cards that the database lacks: it is of an earlier version than the set-up, or a box is off."""
        marks = ", ".join("?" * len(self.cards))
        there = {card for (card,) in database.query(f"SELECT id FROM cards WHERE id IN ({marks})", *self.cards)}
        return [card for card in self.cards if card not in there]


TONIGHT = Memory(Tonight, "tonight.json", "bad-tonight", is_sound=lambda now: now.sum == check_sum(*now[:3]))


def check_sum(code: str, cards: Iterable[str], stacks: Iterable[str]) -> int:
    return crc32(json.dumps([code, [*cards], [*stacks]]).encode())


class Collection(NamedTuple):
    """The boxes somebody owns (``sets``) and what they leave out: ids of cards, families and classes, or filters."""

    sets: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def boxes(self) -> list[str]:
        """The boxes named, those of cards left out among them; the field of a filter looks like one."""
        heads = (re.match(r"([a-z][a-z0-9-]*):", ban) for ban in self.exclude)
        return [*self.sets, *(head[1] for head in heads if head)]


COLLECTION = Memory(Collection, "collection.json", "bad-collection")


class PastSetup(TypedDict):
    code: str
    cards: tuple[str, ...]


class History(NamedTuple):
    """The latest set-ups, the last one first, so that the next game can bring other cards."""

    setups: tuple[PastSetup, ...] = ()

    @property
    def recent_cards(self) -> list[str]:
        return list(dict.fromkeys(card for past in self.setups[:RECENT] for card in past["cards"]))


HISTORY = Memory(History, "history.json", "bad-history", files.data_file)


def read_history() -> History:
    """The history; empty if there is none or it cannot be read."""
    try:
        return HISTORY.read() or History()
    except InputError:
        return History()


def add_to_history(code: str, content: Content) -> None:
    """Adds a set-up; raises :class:`InputError` if it cannot be written."""
    now = PastSetup(code=code, cards=(*content.classes, *content.heroes, *content.village))
    HISTORY.remember(
        lambda: History((now, *(past for past in read_history().setups if past["code"] != code))[:HISTORY_LENGTH])
    )
