"""The rulebook's example of a rest (base rulebook, Resting Example; R2.3)."""

from __future__ import annotations

import pytest

from support.choices import choose
from support.seats import child
from thunderref.database.read import open_database
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Turn, kind_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.turns import begin

HAND = ("disease", "militia", "militia", "dagger", "trainer", "sphinx")
NEXT = ("torch",) * 6


def at_rest() -> tuple[Game, Position]:
    game = Game(load_cards(open_database()))
    position = begin(game, ("griffon",) * 6, [(*HAND, *NEXT), (*NEXT, *NEXT)], ())
    return game, child(game, position, Turn("rest"))[0]


def test_any_one_card_or_none_may_be_destroyed_and_nothing_else_done() -> None:
    game, position = at_rest()
    offered = [
        (kind_of(action), action.key, action.value and action.value[0]) for action in legal_actions(game, position)
    ]
    destroyed = sorted(card for kind, what, card in offered if (kind, what) == ("choose", "destroy"))
    assert set(destroyed) == set(HAND)
    assert [entry for entry in offered if entry[1] != "destroy"] == [("choose", "decline", None)]


@pytest.mark.parametrize("card", ["disease", "militia", "dagger", "trainer", "sphinx"])
def test_the_rest_is_discarded_and_a_new_hand_is_drawn(card: str) -> None:
    game, position = at_rest()
    position, _ = child(game, position, choose("destroy", (card, 1)))
    left = list(HAND)
    left.remove(card)
    assert sorted(seat_of(position, 0).discard) == sorted(left)
    assert seat_of(position, 0).hand == NEXT
    assert position.table.active == 1
    assert position.table.removed == ((card,) if card != "disease" else ())
