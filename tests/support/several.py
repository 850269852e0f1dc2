"""How much is tried: less in the quick run, more in the slow one, and as much as somebody asks for."""

from __future__ import annotations

import os

ASKED = os.environ.get("THUNDERREF_EXAMPLES")
"""So many of whatever is drawn at random, and other ones every time; without it always the same."""
SLOW = "THUNDERREF_SLOW"
"""Set by tests/conftest.py in the slow run."""


def several(quick: int, full: int) -> int:
    """``quick`` or, in the slow run, ``full``; a test that asks has the mark ``thorough`` and belongs to both runs."""
    return int(ASKED or (full if SLOW in os.environ else quick))
