"""Whole games: the turn, the stacks, the shuffles, the end, and that no card is ever lost (R1, R2, R7)."""

from __future__ import annotations

import random

import pytest

from support.choices import choose
from support.playing import laid_out, places, played, step, total
from support.seats import child
from support.several import several
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.rules.choices import COUNT, Turn, kind_of
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import decider
from thunderref.thunderstone.rules.turns import result


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(several(2, 12)))
def test_random_games_keep_every_card_in_one_place(seed: int) -> None:
    rng = random.Random(seed)
    game, position = laid_out(rng, sets=["base", "wrath", "promo"], players=2 + seed % 4)
    before = total(places(position))
    end = played(game, position, rng)
    assert total(places(end)) == before
    assert end.phase != "over" or not legal_actions(game, end)
    standings, best = result(game, end)
    assert len(standings) == 2 + seed % 4
    assert all(standings[seat].vp == max(s.vp for s in standings) for seat in best)


def test_the_same_seed_gives_the_same_game() -> None:
    ends = []
    for _ in range(2):
        rng = random.Random(77)
        game, position = laid_out(rng, sets=["base"], players=3)
        ends.append(played(game, position, rng, checked=False))
    assert ends[0] == ends[1]
    assert hash(ends[0]) == hash(ends[1])


def test_a_turn_begins_with_the_choice_of_what_it_is() -> None:
    game, position = laid_out(random.Random(1), sets=["base"], players=2)
    assert [kind_of(action) for action in legal_actions(game, position)] == ["village", "dungeon", "rest"]
    assert decider(position) == 0
    with pytest.raises(IllegalStepError) as refusal:
        child(game, position, COUNT)
    assert refusal.value.rule == "R2.1"


def test_after_a_rest_the_hand_is_new_and_the_next_player_begins() -> None:
    game, position = laid_out(random.Random(2), sets=["base"], players=2)
    first = seat_of(position, 0)
    gone = first.hand[0]
    position, _ = child(game, position, Turn("rest"))
    position, _ = child(game, position, choose("destroy", (gone, 1)))
    assert (position.table.active, position.table.turn, position.phase) == (1, 2, "choose")
    assert sorted(seat_of(position, 0).discard) == sorted(first.hand[1:])
    assert seat_of(position, 0).hand == first.deck[:6]
    assert position.table.removed == (gone,)


def test_a_deck_is_shuffled_when_it_is_empty_and_not_before() -> None:
    game, position = laid_out(random.Random(3), sets=["base"], players=2)
    rng = random.Random(3)
    for _ in range(40):
        wanted = shuffle_of(position)
        if wanted is not None:
            assert not seat_of(position, wanted.seat).deck
            assert not legal_actions(game, position)
        position = step(game, position, rng)
