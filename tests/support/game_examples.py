"""Examples of whole games: a moment at the table, what is chosen, and how things lie then.

``game``: the ``hands``, and what else :func:`support.seats.at_table` takes; ``steps``: as a saved game writes them, the
last of them refused by the rule ``error`` unless something is to ``expect``; ``may`` and ``may_not``: steps then.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from support.invariants import places, problems
from support.seats import at_table, split
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.notation import choice_of, step_of
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.turns import result, shuffle

HEAPS = ("hand", "discard", "removed")
"""Where cards lie in no order; elsewhere the top card, or rank 1, is the first."""


def beginning(example: dict[str, Any]) -> tuple[Game, Position]:
    layout = dict(example["game"])
    hands, hall = layout.pop("hands"), split(layout.pop("hall", "nixie, griffon, sphinx"))
    stacks = {"stacks": tuple(layout.pop("stacks").items())} if "stacks" in layout else {}
    return at_table(*hands, hall=hall, **stacks, **layout)


def settled(game: Game, position: Position) -> Position:
    """What has to be shuffled stays as it lies where no step says otherwise."""
    while (wanted := shuffle_of(position)) is not None:
        position, _ = shuffle(game, position, wanted.cards)
    return position


def after(game: Game, position: Position, step: dict[str, Any]) -> Position:
    if "shuffle" in step:
        wanted = shuffle_of(position)
        assert wanted is not None, "nothing is to be shuffled"
        assert (wanted.pile, wanted.seat + 1) == (step["shuffle"], step["player"])
        return shuffle(game, position, split(step["order"]))[0]
    position = settled(game, position)
    return play(game, position, choice_of(game, position, step))[0]


def seat_figures(position: Position, number: int) -> dict[str, Any]:
    seat = seat_of(position, number)
    return {"hand": seat.hand, "deck": seat.deck, "discard": seat.discard, "xp": seat.xp, "penalties": seat.penalties}


def figures(game: Game, position: Position) -> dict[str, Any]:
    """What an example may expect of a position; players count from 1, what lies somewhere is a tuple of cards."""
    table = position.table
    assert table is not None
    standings, winners = result(game, position)
    return {
        "over": position.phase == "over",
        "player": table.active + 1,
        "hall": tuple(foe.card or "-" for foe in position.hall),
        "rank0": tuple(foe.card for foe in position.rank0),
        "tokens": position.hall[0].tokens,
        "dungeon": position.dungeon,
        "horde": table.horde,
        "removed": (*table.removed, *(card for card, _ in position.destroyed)),
        "caged": tuple(hero for _, hero in table.cages),
        "lost": table.lost,
        "stacks": dict(position.stacks or ()),
        "vp": [standing.vp for standing in standings],
        "winners": [seat + 1 for seat in winners],
        "seats": [seat_figures(position, number) for number in range(len(table.seats))],
    }


def compare(found: dict[str, Any], wanted: dict[str, Any], why: str) -> None:
    for key, value in wanted.items():
        if key == "seats":
            for mine, theirs in zip(found["seats"], value, strict=True):
                compare(mine, theirs, why)
        elif key == "stacks":
            assert {card: found["stacks"][card] for card in value} == value, why
        elif key in HEAPS:
            assert Counter(found[key]) == Counter(split(value)), (key, why)
        elif isinstance(value, str):
            assert list(found[key]) == split(value), (key, why)
        else:
            assert found[key] == value, (key, why)


def check_game(example: dict[str, Any]) -> None:
    """Plays an example of a game and compares how things lie with what it expects."""
    game, position = beginning(example)
    start, steps = places(position), example.get("steps", [])
    *steps, last = (*steps, None) if "expect" in example else steps
    for step in steps:
        position = after(game, position, step)
        assert not problems(game, position, start)
    if last is not None:
        with pytest.raises(IllegalStepError) as refusal:
            after(game, position, last)
        assert refusal.value.rule == example["error"], example["why"]
        return
    position = settled(game, position)
    compare(figures(game, position), example["expect"], example["why"])
    options = [step_of(position, action) for action in legal_actions(game, position)]
    assert not [step for step in example.get("may", []) if step not in options], (options, example["why"])
    assert not [step for step in example.get("may_not", []) if step in options], example["why"]
