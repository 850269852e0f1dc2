"""The document and the result of ``odds``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from thunderref.model.base import Record


class OddsQuestion(Record):
    """A hand (empty with ``first_battle``), the own deck in unknown order, the discard pile and the hall."""

    ruleset: Literal["print", "yucata"] = "print"
    hand: list[str] = Field(default_factory=list)
    deck_list: list[str]
    discard: list[str] = Field(default_factory=list)
    hall: list[str | None]
    rank0: list[str] = Field(default_factory=list)
    target: int | None = Field(default=None, ge=0, le=3)
    dungeon: list[str] | None = None
    first_battle: bool = False


class Chance(Record):
    """An exact probability, and the same in percent rounded to one decimal."""

    fraction: str
    percent: float


class TargetOdds(Record):
    """The odds against one target: with best play, through every draw."""

    rank: int
    monster: str
    win: Chance
    exact: bool = True
    interval: list[float] | None = None
    expected_total: float


class OddsResult(Record):
    """The odds against every target asked for."""

    targets: list[TargetOdds]
