"""The rules of Thorgal that the grids cite, by their ids in the rule texts."""

from __future__ import annotations

from thunderref.thorgal.fields import FIND, HEAL, PENALTIES, STARS

WANDER_TILES, WANDER_TOUCH, WANDER_EDGE, WANDER_COLUMN, WANDER_WHOLE, RHOMBUS = (
    "T5.1", "T5.2", "T5.3", "T5.4", "T5.5", "T5.6",
)  # fmt: skip
WANDER_START = "T5.13"
PENALTY, RESOURCE, STAR, RED_HEART, FIND_CARD = "T5.8", "T5.9", "T5.10", "T5.11", "T5.12"
GATHER, GATHER_PENALTY, GATHER_OPEN = "T6.1", "T6.2", "T6.3"
REROLL, UPGRADE, CRITICAL, JOINED = "T10.4", "T10.5", "T10.6", "T10.7"
ROLL, LAY, COVERED_EFFECTS, WON, LOST, EFFECTS_ANYWAY, LAY_READING = (
    "T10.8", "T10.9", "T10.10", "T10.11", "T10.12", "T10.13", "T10.14",
)  # fmt: skip
DEATH, WOUND_SIZE, WOUND_TOUCH, WOUND_HEAL, NO_ROOM, WOUND_READING = (
    "T12.2", "T14.1", "T14.2", "T14.3", "T14.4", "T14.5",
)  # fmt: skip
MOST_THREAT, FURTHER_THREAT, UNMET, UNMET_ONCE = "T15.1", "T15.2", "T16.1", "T16.3"


def effect_rule(kind: str) -> str:
    """The rule of what covering a field of this kind does."""
    if kind in PENALTIES:
        return PENALTY
    if kind in STARS:
        return STAR
    return {HEAL: RED_HEART, FIND: FIND_CARD}.get(kind, RESOURCE)
