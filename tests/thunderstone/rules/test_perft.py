"""The number of legal lines from fixed positions stays what it was; see perft.py for how it was counted."""

from __future__ import annotations

from typing import Any

import pytest

from support.perft import added, positions, reached, walked
from thunderref.thunderstone.rules.turns import kind_of_turn

AFFORDABLE = 3000
"""Lines that are walked in the test; ``python -m tests.play.perft`` walks them all."""


@pytest.mark.parametrize("position", positions(), ids=lambda position: position["name"])
def test_legal_lines(position: dict[str, Any]) -> None:
    record = reached(position)
    for depth, lines in enumerate(position["lines"], 1):
        if lines <= AFFORDABLE:
            assert walked(record, depth) == lines, depth
            assert added(record, depth) == lines, depth


def test_there_are_a_dozen_positions_of_every_kind() -> None:
    found = positions()
    assert len(found) >= 12
    phases = {kind_of_turn(reached(position).position) for position in found}
    assert {"choose", "dungeon", "village", "rest"} <= phases
