"""Records of the set-up files: pools of a code version, feature deck, variants, first games and themed dungeons."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from thunderref.model.base import Record
from thunderref.model.card import Id


class PoolRecord(Record):
    """The cards a set-up code of this version can name, in the order in which the code counts them.

    A published pool is never changed: new cards make a new version, so that old codes keep their meaning.
    """

    version: int = Field(ge=1, le=31)
    classes: list[Id]
    heroes: list[Id]
    village: list[Id]
    features: list[Id]
    guardians: list[Id]
    stones: list[Id]


class FeatureDeckRecord(Record):
    """The dungeon-feature randomizers of one set (R1.2): question marks among the monsters, and the pile they turn."""

    set: Id
    question_marks: int = Field(ge=0, le=10)
    pile: list[Id]


class VariantRecord(Record):
    """A way to play (R9). ``without`` lists cards that may not be used at all."""

    id: Id
    term: Id | None = None
    rules: list[Id] = Field(default_factory=list)
    players: tuple[int, int] = (2, 5)
    classes: tuple[int, int] = (3, 8)
    dungeon: Literal["ordinary", "epic"] = "ordinary"
    stones: Literal[1, 2] = 1
    campaign: bool = False
    levels: list[Id] = Field(default_factory=list)
    without: list[Id] = Field(default_factory=list)


class LayoutRecord(Record):
    """A fixed choice of cards: a first game (R1.8) or a themed dungeon (R9.7).

    ``readings`` are messages ``setup.reading.<id>`` on what the source leaves open.
    """

    id: Id
    term: Id | None = None
    rules: list[Id] = Field(default_factory=list)
    sets: list[Id]
    classes: list[Id]
    features: list[Id] = Field(default_factory=list)
    guardians: list[Id] = Field(default_factory=list)
    stone: Id | None = None
    heroes: list[Id] = Field(min_length=4, max_length=4)
    village: list[Id] = Field(min_length=8, max_length=8)
    readings: list[Id] = Field(default_factory=list)


class SetupsFile(Record):
    """``db/setups.toml``."""

    pool: list[PoolRecord]
    feature_deck: list[FeatureDeckRecord]
    variant: list[VariantRecord]


class ThemesFile(Record):
    """``db/themes.toml``."""

    first_game: list[LayoutRecord]
    theme: list[LayoutRecord]
