"""Laying out a game of Thorgal: the checklist and what each character starts with, as rule ids."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.thorgal.round import ACTIONS

TABLE_RULES = ("T1.1", "T1.2", "T1.3", "T1.4", "T1.5", "T1.6", "T1.7", "T1.8", "T1.9", "T1.10")
"""What is done once for the whole table, in order."""
START_RULES = ("T1.11", "T1.12", "T1.13")
"""What is done for each character, in order."""


class Start(NamedTuple):
    """A character to prepare: the player's name ("" for none given), number from 1, and what is done for it."""

    name: str
    number: int
    rules: tuple[str, ...]


class Setup(NamedTuple):
    """A game to lay out: the steps for the table, then those for each character, and who acts in the first round.

    ``turns`` are the numbers of the characters for the four action tokens, if the first player is number 1.
    """

    players: int
    solo: bool
    adventure: str
    table: tuple[str, ...]
    starts: tuple[Start, ...]
    turns: tuple[int, ...]


def lay_out(seats: tuple[str, ...], solo: bool, adventure: str = "") -> Setup:
    """The set-up for these characters (see :func:`thunderref.thorgal.seats.seats_of`)."""
    starts = tuple(Start(name, number, START_RULES) for number, name in enumerate(seats, start=1))
    turns = tuple(turn % len(seats) + 1 for turn in range(ACTIONS))
    return Setup(1 if solo else len(seats), solo, adventure, TABLE_RULES, starts, turns)
