"""Whole games: the turn, the stacks, the shuffles, the end, and that no card is ever lost (R1, R2, R7)."""

from __future__ import annotations

import random

import pytest
from playing import laid_out, places, played, step, total

from thunderref.engine.game import child, decider, legal_actions, shuffle_wanted
from thunderref.engine.places import result
from thunderref.engine.state import Action
from thunderref.errors import IllegalStepError


@pytest.mark.parametrize("seed", range(12))
def test_random_games_keep_every_card_in_one_place(seed: int) -> None:
    rng = random.Random(seed)
    table, game = laid_out(rng, sets=["base", "wrath", "promo"], players=2 + seed % 4)
    before = total(places(game))
    end = played(table, game, rng)
    assert total(places(end)) == before
    assert end.phase != "over" or not legal_actions(table, end)
    standings, best = result(table, end)
    assert len(standings) == 2 + seed % 4
    assert all(standings[seat].vp == max(s.vp for s in standings) for seat in best)


def test_the_same_seed_gives_the_same_game() -> None:
    ends = []
    for _ in range(2):
        rng = random.Random(77)
        table, game = laid_out(rng, sets=["base"], players=3)
        ends.append(played(table, game, rng, checked=False))
    assert ends[0] == ends[1]
    assert hash(ends[0]) == hash(ends[1])


def test_a_turn_begins_with_the_choice_of_what_it_is() -> None:
    table, game = laid_out(random.Random(1), sets=["base"], players=2)
    assert [action.kind for action in legal_actions(table, game)] == ["village", "dungeon", "rest"]
    assert decider(game) == 0
    with pytest.raises(IllegalStepError) as refusal:
        child(table, game, Action("count"))
    assert refusal.value.rule == "R2.1"


def test_after_a_rest_the_hand_is_new_and_the_next_player_begins() -> None:
    table, game = laid_out(random.Random(2), sets=["base"], players=2)
    first = game.seat(0)
    gone = first.hand[0]
    game, _ = child(table, game, Action("rest"))
    game, _ = child(table, game, Action("choose", "destroy", (gone, 1)))
    assert (game.active, game.number, game.phase) == (1, 2, "choose")
    assert sorted(game.seat(0).discard) == sorted(first.hand[1:])
    assert game.seat(0).hand == first.deck[:6]
    assert game.world.removed == (gone,)


def test_a_deck_is_shuffled_when_it_is_empty_and_not_before() -> None:
    table, game = laid_out(random.Random(3), sets=["base"], players=2)
    rng = random.Random(3)
    for _ in range(40):
        wanted = shuffle_wanted(game)
        if wanted is not None:
            assert not game.seat(wanted.seat).deck
            assert not legal_actions(table, game)
        game = step(table, game, rng)
