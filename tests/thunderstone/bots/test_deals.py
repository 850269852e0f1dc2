"""What is dealt from a view: any order that may be, and nothing of the order that is."""

from __future__ import annotations

import pytest

from support.random_games import STORE, moves, start
from thunderref.rng import SplitMix64
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position, replace, table_of
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate.advice import PILE, sample_deal
from thunderref.thunderstone.table.record import deal, open_game

SEEN = (
    "position", "hand", "deck", "discard", "xp", "others", "dungeon", "table", "stacks", "stones", "removed",
)  # fmt: skip
CARDS = load_cards(STORE)


def seen(game: Game, position: Position) -> View:
    return View(game, position, lambda: SplitMix64(1))


def depths(position: Position) -> list[int]:
    """How many cards lie below each Thunderstone of the dungeon deck, without those that went under it."""
    upwards = position.dungeon[::-1]
    return [n - table_of(position).under for n, card in enumerate(upwards) if CARDS[card].kind == "thunderstone"]


@pytest.mark.parametrize("number", range(6))
def test_a_deal_looks_like_the_game_to_the_player(number: int) -> None:
    record = start(number)
    for place, move in enumerate(moves(record)):
        if move.seat < 0 or place % 7:
            continue
        view = seen(record.game, record.position)
        other = seen(record.game, sample_deal(view, SplitMix64(place)))
        assert [getattr(view, name) for name in SEEN] == [getattr(other, name) for name in SEEN]


@pytest.mark.parametrize("number", range(6))
def test_what_is_hidden_plays_no_part(number: int) -> None:
    record = start(number)
    for move in moves(record):
        before = record.position
        if move.seat < 0 or before.todo or before.phase != "choose":
            continue
        table, other = table_of(before), replace(before, deck=before.deck[::-1], dungeon=before.dungeon[::-1])
        seats = tuple(
            replace(seat, hand=cards[: len(seat.hand)], deck=cards[len(seat.hand) : len(cards) - len(seat.discard)],
                    discard=cards[len(cards) - len(seat.discard) :])
            for seat in table.seats for cards in [seat.cards[::-1]]
        )  # fmt: skip
        other = replace(other, table=replace(table, seats=seats))
        views = [seen(record.game, each) for each in (before, other)]
        assert len({sample_deal(view, SplitMix64(1)) for view in views}) == 1


def test_the_stone_lies_where_it_may() -> None:
    """It was shuffled into the lowest ten cards (R1.4), and what went under the deck lies below them."""
    setup = generate_setup(database=STORE, seed=3, players=2, sets=["base"], stone="random")
    opening = open_game(setup, deal(setup, 1))
    random, view = SplitMix64(1), seen(*opening)
    found = [depths(sample_deal(view, random)) for _ in range(400)]
    assert {depth for (depth,) in found} == {*range(PILE + 1)}
    under = replace(opening.position, dungeon=(*opening.position.dungeon, "griffon", "griffon"))
    under = replace(under, table=replace(table_of(under), under=2))
    found = [depths(sample_deal(seen(opening.game, under), random)) for _ in range(400)]
    assert {depth for (depth,) in found} == {*range(PILE + 1)}


@pytest.mark.parametrize("number", range(8))
def test_the_true_stone_lies_where_a_deal_may_have_it(number: int) -> None:
    record = start(number)
    before = -1
    for _ in moves(record):
        found, under = depths(record.position), table_of(record.position).under
        if record.setup.variant.dungeon != "epic" and len(record.setup.content.stones) == 1:
            assert all(0 <= depth <= PILE for depth in found)
        assert under >= before
        before = under
