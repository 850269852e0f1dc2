"""The saved game: how a game began and every step since, as a document and as a file."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError
from thunderref.files import parse_json, read_text
from thunderref.thunderstone.resolve.documents import read_document
from thunderref.thunderstone.table.deal import DealtCards

FORMAT: Final = 2
"""The form of a saved game; any other is refused. The second says what game a campaign goes on from."""


class SavedPlayer(Record):
    """A player: ``random`` for one whom the program plays, with ``bot`` by that bot, without at random.

    A ``bot`` that is not there is no key in the file, as before there were any.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    random: bool = False
    bot: Literal["", "greedy", "dearest", "planner"] = ""

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        """The record as plain values."""
        return super().model_dump(exclude=exclude if self.bot else (*exclude, "bot"))


class SavedBefore(Record):
    """What a later game of a campaign takes from the one before (R9.2 to R9.4).

    ``remains`` are the cards left of its dungeon, ``heroes`` those each player takes along, ``scores`` the VP by
    player.
    """

    remains: list[str] = []
    heroes: list[list[str]] = []
    scores: list[int] = []


class SavedGame(Record, kw_only=True):
    """A saved game.

    ``code`` is the set-up's; ``seed`` says how decks were and will be shuffled; ``readings`` are the open questions of
    the rules answered the other way than by default. ``steps`` are in plan notation, each shuffle included. ``turns``
    are digests of the game at the beginning of each turn, ``end`` that of its end: each is made of the one before, the
    steps since and the position, so that a change by hand is noticed, with its turn. ``played_on`` is the turn in which
    the people last chose to play on though nothing changes; 0, and no key in the file, for never.
    """

    format: Literal[2]
    program: str
    code: str
    seed: Annotated[int, Meta(ge=0, lt=10**9)]
    ruleset: Literal["print", "yucata"] = "print"
    readings: dict[str, str] = {}
    players: Annotated[list[SavedPlayer], Meta(min_length=1, max_length=5)]
    before: SavedBefore | None = None
    start: DealtCards
    steps: list[dict[str, Any]]
    turns: list[str]
    end: str
    played_on: Annotated[int, Meta(ge=0)] = 0

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        """The record as plain values, its players as they are written."""
        values = super().model_dump(exclude=exclude)
        return {k: [p.model_dump() for p in self.players] if k == "players" else v for k, v in values.items()}


def read(name: str) -> SavedGame:
    """The saved game in a file, its content unchecked (:func:`resumed` checks it).

    Raises :class:`InputError` for a file that cannot be read, is cut short, lacks a key or has an unknown one, and
    :class:`NoAnswerError` for one of a later version.
    """
    text = read_text(name)
    document = parse_json(text, name, lambda line, at: InputError("play-cut", file=name, line=line, column=at))
    version = document.get("format") if isinstance(document, dict) and "steps" in document else None
    if version != FORMAT:
        if type(version) is not int or version < 1:  # true is no number here
            raise InputError("play-no-save", file=name)
        code = "play-newer-save" if version > FORMAT else "play-older-save"
        raise NoAnswerError(code, file=name, version=version, known=FORMAT)
    return read_document(SavedGame, document)


def text_of(saved: SavedGame) -> str:
    parts = []
    for key, value in saved.model_dump(exclude=() if saved.played_on else ("played_on",)).items():
        if key == "steps" and value:
            steps = ",\n".join(f"  {json.dumps(step, ensure_ascii=False)}" for step in value)
            parts.append(f' "steps": [\n{steps}\n ]')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"
