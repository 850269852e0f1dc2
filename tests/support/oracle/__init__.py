"""A second adjudicator of the dungeon turn, slow and plain, to check the first one with.

It shares nothing with the package but the printed figures in db/boxes. Every order of every choice is played out by
recursion; the only economy is that a position reached twice in exactly the same shape is looked at once, and
``every_order=True`` switches even that off.

What it cannot judge raises ``NotCoveredError``. Cards of other players are unknown unless a scenario
names them.
"""

from .afterwards import endings
from .battle import Battle, Fight
from .facts import CARDS, NOT_COVERED, RANKS, NotCoveredError, is_hero, is_monster
from .hall import may_be_moved
from .odds import chances
from .opponents import worlds
from .position import Position, Said, Wish, called, stands
from .preparation import steps
from .turn import Verdict, begin, fights, first_print, judge, owed
from .village import Right, may_buy, offered

__all__ = [
    "CARDS",
    "NOT_COVERED",
    "RANKS",
    "Battle",
    "Fight",
    "NotCoveredError",
    "Position",
    "Right",
    "Said",
    "Verdict",
    "Wish",
    "begin",
    "called",
    "chances",
    "endings",
    "fights",
    "first_print",
    "is_hero",
    "is_monster",
    "judge",
    "may_be_moved",
    "may_buy",
    "offered",
    "owed",
    "stands",
    "steps",
    "worlds",
]
