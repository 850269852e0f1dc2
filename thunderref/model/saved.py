"""The saved game: one document that holds how a game began and every step since."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from thunderref.model.base import Record

FORMAT = 2
"""The form of a saved game; any other is refused. The second says what game a campaign goes on from."""


class SavedPlayer(Record):
    """A player: ``random`` for one whose choices the program draws."""

    name: str = Field(min_length=1, max_length=40)
    random: bool = False


class SavedStart(Record):
    """The cards before the first turn, every deck top first; ``decks`` in the order of the players."""

    dungeon: list[str]
    horde: list[str]
    decks: list[list[str]]


class SavedBefore(Record):
    """What a later game of a campaign has of the one before (R9.2 to R9.4).

    ``remains`` are the cards left of its dungeon, ``heroes`` those each player takes along, ``scores`` the victory
    points by player.
    """

    remains: list[str] = Field(default_factory=list)
    heroes: list[list[str]] = Field(default_factory=list)
    scores: list[int] = Field(default_factory=list)


class SavedGame(Record):
    """A game as it is kept in a file.

    ``code`` is the set-up's; ``seed`` says how decks were and will be shuffled; ``readings`` are the open questions of
    the rules answered the other way than by default. ``steps`` are in plan notation, each
    shuffle included. ``turns`` are digests of the game at the beginning of each turn, ``end`` the one of its end:
    each is made of the one before, the steps since and the position, so that a change made by hand is noticed, and in
    which turn. ``played_on`` is the turn in which the people last said that they play on though nothing changes any
    more; 0, and no key in the file, for never.
    """

    format: Literal[2]
    program: str
    code: str
    seed: int = Field(ge=0, lt=10**9)
    ruleset: Literal["print", "yucata"] = "print"
    readings: dict[str, str] = Field(default_factory=dict)
    players: list[SavedPlayer] = Field(min_length=1, max_length=5)
    before: SavedBefore | None = None
    start: SavedStart
    steps: list[dict[str, Any]]
    turns: list[str]
    end: str
    played_on: int = Field(default=0, ge=0)
