"""The scenario document of ``resolve``: a hand, a hall and what else is known."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from thunderref.model.base import Record, Whole

Ruleset = Literal["print", "yucata"]
Goal = Literal["win", "max"]


class Scenario(Record):
    """What is on the table; names are in any language, with how many copies (``2 militia``) or which (``militia#2``).

    ``hall`` is rank 1 first, None for an empty rank; ``deck`` and ``dungeon`` are the known cards on top, the next
    one first, None if nothing is known. ``others`` are the hands of the other players from the left, where they
    are known. ``target`` is a rank, None to judge every target. ``plan`` lists the player's
    exact choices, None to find the best line for ``goal``. ``readings`` answers open questions of the rules: the
    name of the question or its rule with a value, or a list of ``name=value``. ``why_not`` lists other choices to
    weigh: a few words (``short sword on thief``) or a plan step.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    ruleset: Ruleset = "print"
    goal: Goal = "win"
    hand: list[str]
    hall: list[str | None] = Field(default_factory=list)
    rank0: list[str] = Field(default_factory=list)
    target: Whole | None = Field(default=None, ge=0, le=3)
    deck: list[str] | None = None
    dungeon: list[str] | None = None
    discard: list[str] = Field(default_factory=list)
    village: list[str] | None = None
    players: Whole = Field(default=2, ge=1, le=5)
    xp: Whole = Field(default=0, ge=0)
    others: list[list[str]] = Field(default_factory=list)
    plan: list[dict[str, Any]] | None = None
    why_not: list[str | dict[str, Any]] = Field(default_factory=list)
    readings: dict[str, str] | list[str] = Field(default_factory=dict)
