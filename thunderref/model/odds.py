"""The document and the result of ``odds``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from thunderref.model.base import Record, Whole


class OddsQuestion(Record):
    """A hand (empty with ``first_battle``), the own deck in unknown order, the discard pile and the hall.

    With ``next_hand`` the hand is about to be discarded, and the question is about the six cards drawn after it; the
    hall may then be empty. ``readings`` are as in a scenario. ``exact`` refuses rather than samples; ``samples`` are
    dealt with ``seed`` otherwise.
    """

    ruleset: Literal["print", "yucata"] = "print"
    readings: dict[str, str] | list[str] = Field(default_factory=dict)
    hand: list[str] = Field(default_factory=list)
    deck_list: list[str]
    discard: list[str] = Field(default_factory=list)
    hall: list[str | None] = Field(default_factory=list)
    rank0: list[str] = Field(default_factory=list)
    target: Whole | None = Field(default=None, ge=0, le=3)
    dungeon: list[str] | None = None
    first_battle: bool = False
    next_hand: bool = False
    exact: bool = False
    samples: Whole = Field(default=500, ge=1, le=1_000_000)
    seed: Whole = Field(default=0, ge=0)


class Chance(Record):
    """A probability: the exact fraction, or wins of samples; the same in percent rounded to one decimal."""

    fraction: str
    percent: float


class TargetOdds(Record):
    """The odds against one target: with best play, through every draw.

    ``exact`` is False for odds that were sampled or cut short; then the true chance in percent lies in ``interval``,
    with ``confidence`` 0.95 if there are ``samples``, else 1: what was weighed leaves nothing else.
    """

    rank: int
    monster: str
    win: Chance
    exact: bool = True
    interval: list[float] | None = None
    confidence: float | None = None
    samples: int | None = None
    expected_total: float | None


class CardChance(Record):
    """How likely at least one of a card, or of a kind of cards, is in the hand, and how many on average."""

    id: str
    copies: int
    chance: Chance
    expected: float


class NextHand(Record):
    """The hand to come: what is in it for certain (the deck runs out, R2.2), and the chances of every card and kind."""

    size: int
    reshuffled: bool
    certain: list[str]
    cards: list[CardChance]
    kinds: list[CardChance]


class OddsResult(Record):
    """The odds against every target asked for; ``hand`` if the hand to come was asked about.

    ``weighed`` is the number of positions after which odds are sampled.
    """

    targets: list[TargetOdds]
    hand: NextHand | None = None
    seed: int = 0
    weighed: int
