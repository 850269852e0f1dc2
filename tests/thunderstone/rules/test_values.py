"""Values are copied in a way of their own, and some answers are kept: neither may ever show."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.turns import STORE, turn
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import Foe, Position, Slot, replace

HAND = ["fireball", "torch", "dagger", "militia", "iron-rations", "disease"]
HALL: list[str | None] = ["griknack-goblin", "griffon", "earth-wrath"]


def test_a_copy_differs_in_the_given_fields_only() -> None:
    slot = Slot("torch", 2, (1,), flags=1)
    copy = replace(slot, flags=8, used=())
    assert type(copy) is Slot
    assert copy == Slot("torch", 2, (), flags=8)
    assert slot == Slot("torch", 2, (1,), flags=1)
    assert replace(slot) == slot


def test_a_field_that_is_not_there_is_refused() -> None:
    changes: dict[str, Any] = {"flag": 1}
    with pytest.raises(TypeError, match="flag"):
        replace(Slot("torch"), **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"hand": (Slot("torch"),)},
        {"gone": (("iron-rations", (1,)),)},
        {"rank0": (Foe("griffon"),)},
        {"benefits": 1},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_party_is_read_again_when_what_it_is_read_from_has_changed(changes: dict[str, Any]) -> None:
    game, state = turn(HAND, HALL)
    party = party_of(game, state)
    assert party_of(game, replace(state, **changes)) is not party


def test_a_party_is_read_once_while_only_the_rest_changes() -> None:
    game, state = turn(HAND, HALL)
    party = party_of(game, state)
    assert party_of(game, replace(state, deck=("torch",), xp=3)) is party
    assert party_of(game.changed(readings=frozenset({"lost-weapon"})), state) is not party


def told_anew(game: Game, state: Position) -> Position:
    """The same state, of which nothing that was kept knows anything."""
    party_of(game, turn(["torch"], ["griffon"])[1])
    return replace(state, hand=(*state.hand,), todo=(*state.todo,))


def test_kept_answers_are_those_of_a_state_that_nobody_asked_about_before() -> None:
    rng = random.Random(7)
    cards = [c.id for c in STORE.cards.values() if c.kind in ("hero", "village", "basic", "disease")]
    monsters = [c.id for c in STORE.cards.values() if c.kind == "monster" and c.health]
    battles = 0
    for _ in range(60):
        game, state = turn(rng.choices(cards, k=6), rng.sample(monsters, 3))
        while options := legal_actions(game, state):
            assert legal_actions(game, told_anew(game, state)) == options
            action = rng.choice(options)
            after: tuple[Position, tuple[Event, ...]] = play(game, state, action)
            assert play(game, told_anew(game, state), action) == after
            state = after[0]
        battles += state.outcome is not None
    assert battles > 30
