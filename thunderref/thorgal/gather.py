"""Gathering (T6): which fields of a wander card may take the token, and what each gives and costs."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.errors import InputError, NoAnswerError
from thunderref.thorgal.fields import GATHERED, PENALTIES, TORCH
from thunderref.thorgal.grid import Cell, Grid

MOST_ACTIONS = 20


class Gathering(NamedTuple):
    """One field for the token: a resource (``torch``: that of the character's area), as often as there are actions."""

    cell: Cell
    resource: str
    amount: int
    penalties: tuple[str, ...]
    """``yellow`` or ``red``: the effects at the foot of the card that follow (T6.2)."""


def gatherings(grid: Grid, actions: int, wanted: str | None = None) -> list[Gathering]:
    """Every uncovered torch or resource field, those without a penalty first, then row by row.

    ``wanted`` is a kind of field; a diamond counts for every resource. Raises :class:`NoAnswerError` if no field will
    do and :class:`InputError` for a number of actions that is none.
    """
    if not 1 <= actions <= MOST_ACTIONS:
        raise InputError("thorgal-number", name="--actions", n=actions, most=MOST_ACTIONS)
    found = []
    for cell in grid.cells(grid.open):
        kinds = grid.field(cell).kinds
        for kind in kinds:
            if kind in GATHERED and (wanted is None or kind == wanted or (kind == "diamond" and wanted != TORCH)):
                found.append(Gathering(cell, kind, actions, tuple(k for k in kinds if k in PENALTIES)))
    if not found:
        raise NoAnswerError("thorgal-nothing-to-gather")
    return sorted(found, key=lambda g: (len(g.penalties), g.cell))
