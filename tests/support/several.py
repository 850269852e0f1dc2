"""How much is tried: less in the quick run, more in the slow one, and as much as somebody asks for."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

Value = TypeVar("Value")

ASKED = os.environ.get("THUNDERREF_EXAMPLES")
"""So many of whatever is drawn at random, and other ones every time; without it always the same."""
SLOW = "THUNDERREF_SLOW"
"""Set by tests/conftest.py in the slow run."""


def several(quick: int, full: int) -> int:
    """``quick`` or, in the slow run, ``full``; a test that asks has the mark ``thorough`` and belongs to both runs."""
    return int(ASKED or (full if SLOW in os.environ else quick))


def first(values: Sequence[Value], quick: int = 1) -> Sequence[Value]:
    """Return the first ``quick`` values or, in the slow run, all: for what a test with the mark ``thorough`` tries."""
    return values if ASKED or SLOW in os.environ else values[:quick]
