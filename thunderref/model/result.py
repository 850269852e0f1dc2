"""The result document of ``resolve``."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from thunderref.model.base import Record


class ResultStep(Record):
    """One line of the explanation: what it adds to Attack, Magic Attack, Light, and to the total after R5.12.

    ``part`` says when it happens: in preparation, in the battle, in the sum, or after the outcome.
    """

    text: str
    part: Literal["prepare", "battle", "sum", "after"] = "sum"
    rules: list[str] = Field(default_factory=list)
    card: str | None = None
    attack: int = 0
    magic_attack: int = 0
    light: int = 0
    total: int = 0


class Purchase(Record):
    """A right to buy one card after the victory (R6.4): whose, of which kinds, for how much gold, and what there is."""

    card: str
    buys: list[str]
    gold: int
    options: list[str]


class Missing(Record):
    """Why a target cannot be beaten: the highest total there is, how many points that falls short, what would help.

    ``cards`` lists the cards of which one more in the hand would win; ``best_total`` is None for a barred target.
    """

    best_total: int | None
    short: int | None
    cards: list[str]


class TargetResult(Record):
    """The battle against one target; None for a barred target's figures.

    ``attack`` and ``magic_attack`` enter R5.12, ``total`` is compared with ``health``, ``margin`` is their difference.
    ``line`` is in plan notation, ``proven`` is False if the search was cut short.
    """

    rank: int
    monster: str
    can_attack: bool
    reason: str | None = None
    health: int
    attack: int | None = None
    magic_attack: int | None = None
    light: int | None = None
    light_penalty: int
    total: int | None = None
    margin: int | None = None
    outcome: Literal["victory", "defeat", "barred"]
    destroyed: list[str] = Field(default_factory=list)
    gained: list[str] = Field(default_factory=list)
    discarded: list[str] = Field(default_factory=list)
    xp: int = 0
    vp: int = 0
    spoils: list[Purchase] = Field(default_factory=list)
    line: list[dict[str, Any]] = Field(default_factory=list)
    steps: list[ResultStep] = Field(default_factory=list)
    readings: list[str] = Field(default_factory=list)
    unknown_draws: int = 0
    hall_after: list[str | None] = Field(default_factory=list)
    game_ends: bool = False
    missing: Missing | None = None
    proven: bool = True


class Resolution(Record):
    """The answer to a scenario: every target judged; ``best`` is the rank of the best one, None if all are barred."""

    ruleset: str
    goal: str
    targets: list[TargetResult]
    best: int | None
