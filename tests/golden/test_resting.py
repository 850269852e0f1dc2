"""The rulebook's example of a rest (base rulebook, Resting Example; R2.3)."""

from __future__ import annotations

import pytest

from thunderref.engine.game import begin, child, legal_actions
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Table
from thunderref.store.catalog import load_book
from thunderref.store.read import open_store

HAND = ("disease", "militia", "militia", "dagger", "trainer", "sphinx")
NEXT = ("torch",) * 6


def at_rest() -> tuple[Table, Game]:
    table = Table(load_book(open_store()))
    game = begin(table, ("griffon",) * 6, [(*HAND, *NEXT), (*NEXT, *NEXT)], ())
    return table, child(table, game, Action("rest"))[0]


def test_any_one_card_or_none_may_be_destroyed_and_nothing_else_done() -> None:
    table, game = at_rest()
    offered = [(action.kind, action.a, action.b and action.b[0]) for action in legal_actions(table, game)]
    destroyed = sorted(card for kind, what, card in offered if (kind, what) == ("choose", "destroy"))
    assert set(destroyed) == set(HAND)
    assert [entry for entry in offered if entry[1] != "destroy"] == [("choose", "decline", None)]


@pytest.mark.parametrize("card", ["disease", "militia", "dagger", "trainer", "sphinx"])
def test_the_rest_is_discarded_and_a_new_hand_is_drawn(card: str) -> None:
    table, game = at_rest()
    game, _ = child(table, game, Action("choose", "destroy", (card, 1)))
    left = list(HAND)
    left.remove(card)
    assert sorted(game.seat(0).discard) == sorted(left)
    assert game.seat(0).hand == NEXT
    assert game.active == 1
    assert game.world.removed == ((card,) if card != "disease" else ())
