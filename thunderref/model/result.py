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


class GoldFrom(Record):
    """A revealed card and its gold."""

    card: str
    gold: int


class Purchase(Record):
    """A right to buy one card after the victory (R6.4): whose, of which kinds, for how much gold, and what there is.

    ``gold_from`` says where the gold comes from.
    """

    card: str
    buys: list[str]
    gold: int
    gold_from: list[GoldFrom]
    options: list[str]


class More(Record):
    """One thing more that would win: ``n`` points of ``what``, for a ``hero`` and perhaps his ``weapon``.

    Or a Disease less, or the monster at ``rank``. ``text`` says it in words.
    """

    what: Literal["light", "strength", "attack", "magic_attack", "disease", "rank"]
    n: int
    hero: str | None = None
    weapon: str | None = None
    rank: int | None = None
    text: str


class Missing(Record):
    """Why a target cannot be beaten: the highest total there is, how many points that falls short, what would help.

    ``cards`` lists the cards of which one more in the hand would win, ``helps`` what else would, the least first;
    ``best_total`` is None for a barred target.
    """

    best_total: int | None
    short: int | None
    cards: list[str]
    helps: list[More] = Field(default_factory=list)


class OtherReading(Record):
    """What would change if an open question of the rules were answered with ``value``.

    ``total``, ``margin`` and ``outcome`` are those of the same line, None and ``illegal`` if it would not be allowed;
    ``best_total`` and ``best_outcome`` those of the line that would then be best, None where none was searched.
    """

    reading: str
    rule: str
    value: str
    legal: bool
    total: int | None
    margin: int | None
    outcome: Literal["victory", "defeat", "illegal", "no-entry", "no-battle"]
    best_total: int | None = None
    best_outcome: Literal["victory", "defeat"] | None = None
    text: str


class TargetResult(Record):
    """The battle against one target; None for a barred target's figures.

    ``attack`` and ``magic_attack`` enter R5.12, ``total`` is compared with ``health``, ``margin`` is their difference.
    ``line`` is in plan notation, ``proven`` is False if the search was cut short, after ``searched`` positions.
    ``hall_after`` and ``rank0_after`` are what stands there when the turn ends (None: unknown or empty), ``caged`` the
    own heroes left in a Cage, ``unknown`` the cards whose effects hang on cards of other players that nobody knows
    (R4.11).
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
    other_readings: list[OtherReading] = Field(default_factory=list)
    unknown_draws: int = 0
    hall_after: list[str | None] = Field(default_factory=list)
    rank0_after: list[str] = Field(default_factory=list)
    caged: list[str] = Field(default_factory=list)
    unknown: list[str] = Field(default_factory=list)
    game_ends: bool = False
    missing: Missing | None = None
    proven: bool = True
    searched: int | None = None


class Figures(Record):
    """The figures of one battle that are set side by side; None for a target that cannot be attacked."""

    monster: str
    outcome: Literal["victory", "defeat", "barred"]
    attack: int | None
    magic_attack: int | None
    light_penalty: int
    total: int | None
    health: int
    destroyed: list[str]


class Comparison(Record):
    """A line with another choice beside the best one, against one target.

    ``decided_by`` is what tells them apart (victory, vp or cost of what is destroyed, margin, total), ``by`` how much.
    ``lost`` are the steps only the best line has, ``instead`` those only the other has, ``line`` the other in plan
    notation. Of another target ``best_rank`` is where the best target stands.
    """

    rank: int
    monster: str
    verdict: Literal["better", "equal", "worse", "barred"]
    decided_by: str | None = None
    by: int = 0
    best: Figures
    best_rank: int | None = None
    choice: Figures
    reason: str | None = None
    line: list[dict[str, Any]] = Field(default_factory=list)
    lost: list[ResultStep] = Field(default_factory=list)
    instead: list[ResultStep] = Field(default_factory=list)


class WhyNot(Record):
    """What another choice would have given; ``asked`` as it was asked, ``step`` as a plan writes it, ``text`` in words.

    An illegal choice has a ``reason`` (a sentence), its ``rule`` and ``code``. ``plan`` is True if it was put into the
    given plan; with a ``reason`` it does not go with the rest of the plan, and the targets, if any, are those of the
    best line that holds it. ``proven`` is False if the search for that line was cut short (``searched`` positions).
    """

    asked: str | dict[str, Any]
    step: dict[str, Any]
    text: str
    verdict: Literal["illegal", "better", "equal", "worse", "barred"]
    reason: str | None = None
    rule: str | None = None
    code: str | None = None
    plan: bool = False
    targets: list[Comparison] = Field(default_factory=list)
    proven: bool = True
    searched: int | None = None


class Resolution(Record):
    """The answer to a scenario: every target judged; ``best`` is the rank of the best one, None if all are barred.

    ``best_monster`` is what is attacked there (where monsters move, several may be judged at one rank). ``no_battle``
    is True if every monster was judged and none can be attacked (R4.8). ``readings_chosen`` are the open questions
    answered another way than by default, ``other_readings`` what the other reading of a rule would change of
    the whole turn.
    """

    ruleset: str
    goal: str
    targets: list[TargetResult]
    best: int | None
    best_monster: str | None = None
    no_battle: bool = False
    why_not: list[WhyNot] = Field(default_factory=list)
    readings_chosen: dict[str, str] = Field(default_factory=dict)
    other_readings: list[OtherReading] = Field(default_factory=list)
