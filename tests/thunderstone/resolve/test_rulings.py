"""Examples of rulings that one battle or visit cannot show: whole tables played move by move.

``table``: the arguments of :func:`support.seats.at_table`; ``moves``: steps as a saved game writes them. ``error``: the
rule with which the last move is refused.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from support import examples_of
from support.invariants import places, problems
from support.seats import at_table
from thunderref.errors import ThunderrefError
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.legal import child
from thunderref.thunderstone.rules.notation import choice_of
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.turns import shuffled, stacks_of

PILES = ("hand", "deck", "discard")
EXAMPLES = [example for _, example in examples_of("rul*.toml")]


def played(example: dict[str, Any]) -> Position:
    """The game after the moves; a pile that is shuffled stays in its order unless the moves say otherwise."""
    seats = example["table"]["seats"]
    game, position = at_table(*seats, **{key: value for key, value in example["table"].items() if key != "seats"})
    for step in [*example["moves"], {}]:
        while (wanted := shuffle_of(position)) is not None and "shuffle" not in step:
            position, _ = shuffled(game, position, wanted.cards)
        if "shuffle" in step:
            position, _ = shuffled(game, position, tuple(step["order"]))
        elif step:
            before = places(position)
            position, _ = child(game, position, choice_of(game, position, step))
            assert not problems(game, position, before)
    return position


@pytest.mark.parametrize("example", [pytest.param(e, id=e["name"]) for e in EXAMPLES if "table" in e])
def test_a_table(example: dict[str, Any]) -> None:
    if "error" in example:
        with pytest.raises(ThunderrefError) as refusal:
            played(example)
        assert example["error"] in ("any", getattr(refusal.value, "rule", None)), example["why"]
        return
    position = played(example)
    table = position.table
    assert table is not None
    for key, wanted in example["expect"].items():
        if key in PILES:
            found = [list(getattr(seat_of(position, seat), key)) for seat in range(len(wanted))]
            assert [Counter(pile) for pile in found] == [Counter(pile) for pile in wanted], (key, example["why"])
        elif key == "removed":
            gone = [*table.removed, *(card for card, _ in position.destroyed)]
            assert Counter(gone) == Counter(wanted), example["why"]
        elif key == "stacks":
            assert {card: dict(stacks_of(position))[card] for card in wanted} == wanted, example["why"]
        elif key == "hall":
            assert [foe.card for foe in position.hall] == wanted, example["why"]
        elif key == "lost":
            assert list(table.lost) == wanted, example["why"]
        else:
            assert (position.phase == "over") == {"over": wanted}[key], example["why"]
