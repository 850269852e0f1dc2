"""The documents of ``village`` and ``score``, and their results."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from thunderref.model.base import Record, Whole
from thunderref.model.scenario import Ruleset

VisitGoal = Literal["gold", "buy", "vp", "xp"]
"""What the best use of village effects is; see :mod:`thunderref.solve.visit_search`."""


class Opponents(Record):
    """What is known of the other players: gold they discard to a Tax Collector, the hero of a Tavern Brawl."""

    discarded_gold: Whole | None = Field(default=None, ge=0, le=99)
    brawl_hero: str | None = None


class VisitDocument(Record):
    """A visit to the village; names are in any language, with how many copies (``2 militia``).

    ``deck`` is the known cards on top, the next one first. ``stacks`` are the cards on offer, None for everything: an
    entry without a number says that a card is left, one with a number (or repeated) how many. ``plan`` lists the
    player's exact choices, None to find the best use of village effects for ``goal``.
    """

    ruleset: Ruleset = "print"
    goal: VisitGoal = "gold"
    hand: list[str]
    deck: list[str] | None = None
    xp: Whole = Field(default=0, ge=0, le=999)
    players: Whole = Field(default=2, ge=1, le=5)
    stacks: list[str] | None = None
    opponents: Opponents = Opponents()
    plan: list[dict[str, Any]] | None = None


class VisitStep(Record):
    """One line of the explanation: what it adds to the gold and the XP, and what it costs.

    The ``gold`` of all steps is the ``gold`` of the result, likewise ``xp``.
    """

    text: str
    part: Literal["effects", "gold", "buy", "level"] = "effects"
    rules: list[str] = Field(default_factory=list)
    card: str | None = None
    gold: int = 0
    xp: int = 0
    gold_paid: int = 0
    xp_paid: int = 0


class BuyOption(Record):
    """Cards that can be bought together, what they cost and what is left of the gold."""

    buy: list[str]
    cost: int
    left: int
    vp: int = 0


class LevelUp(Record):
    """A hero who can be levelled up for the XP there is; ``available`` is False if no such card is left.

    Where nobody said what is on offer everything is.
    """

    hero: str
    to: str
    cost: int
    available: bool


class VisitResult(Record):
    """The answer to a visit.

    ``gold`` and ``xp`` are what there is before buying and levelling up, ``gold_left`` and ``xp_left`` what remains;
    ``buys`` the purchases allowed, ``buys_after`` the types of which one must be bought first for one more each.
    ``options`` are what the gold can buy, best first, ``options_complete`` False if only the best of them are listed.
    ``stacks_known`` is False if nobody said what is on offer. ``unknown`` are the cards whose effects hang on cards of
    other players (R4.11).
    """

    goal: str
    gold: int
    gold_left: int
    buys: int
    buys_after: list[str] = Field(default_factory=list)
    xp: int
    xp_left: int
    drawn: list[str] = Field(default_factory=list)
    destroyed: list[str] = Field(default_factory=list)
    discarded: list[str] = Field(default_factory=list)
    gained: list[str] = Field(default_factory=list)
    on_deck: list[str] = Field(default_factory=list)
    line: list[dict[str, Any]] = Field(default_factory=list)
    steps: list[VisitStep] = Field(default_factory=list)
    options: list[BuyOption] = Field(default_factory=list)
    options_complete: bool = True
    level_ups: list[LevelUp] = Field(default_factory=list)
    stacks_known: bool = True
    unknown_draws: int = 0
    unknown: list[str] = Field(default_factory=list)
    proven: bool = True


class ScoreDocument(Record):
    """The decks at the end of a game: the cards of each player, and how many penalty cards he took (R9.6)."""

    players: dict[str, list[str]]
    penalties: dict[str, int] = Field(default_factory=dict)


class ScoredCard(Record):
    """Equal cards of a deck and what they are worth together."""

    id: str
    count: int
    vp: int


class PlayerScore(Record):
    """A player's victory points: those of the ``cards`` less the ``penalties``."""

    name: str
    vp: int
    cards: list[ScoredCard]
    penalties: int = 0
    thunderstones: list[str] = Field(default_factory=list)


class ScoreResult(Record):
    """Who wins: players in the order given; ``tie_break`` says how a tie was settled, None if there was none."""

    players: list[PlayerScore]
    winners: list[str]
    tie_break: str | None = None
