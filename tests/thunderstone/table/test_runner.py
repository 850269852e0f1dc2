"""Whole games between bots: to the end, the same for the same seed, called off where nobody ends them."""

from __future__ import annotations

import pytest

from support.random_games import STORE
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.bots.registry import BOTS
from thunderref.thunderstone.rules.choices import REST, Choice
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table import runner
from thunderref.thunderstone.table.record import deal, open_game
from thunderref.thunderstone.table.runner import play_game


def setup(players: int = 2, **options: object) -> Setup:
    return generate_setup(database=STORE, seed=11, players=players, **options)


def resting(view: object, choices: list[Choice]) -> Choice:
    return REST if REST in choices else choices[0]


@pytest.mark.parametrize("name", BOTS)
def test_a_game_goes_to_its_end_and_is_the_same_again(name: str) -> None:
    bots = [BOTS[name]] * 2
    played = play_game(setup(), bots, 5)
    assert not played.called_off
    assert played == play_game(setup(), bots, 5)
    assert played != play_game(setup(), bots, 6)
    assert sum(seat.share for seat in played.seats) == pytest.approx(1)
    assert (played.rounds - 1) * 2 < played.turns <= played.rounds * 2
    assert played.victories == sum(seat.victories for seat in played.seats)
    assert (played.first_victory is None) == (played.victories == 0)


def test_a_dealt_position_is_played_like_its_setup() -> None:
    bots = [BOTS["random"], BOTS["greedy"]]
    dealt = open_game(setup(), deal(setup(), 5))
    assert play_game(dealt, bots, 5) == play_game(setup(), bots, 5)


@pytest.mark.parametrize("variant", ["epic", "solo", "marauding"])
def test_variants_are_played_too(variant: str) -> None:
    players = 1 if variant == "solo" else 2
    played = play_game(setup(players, variant=variant), [BOTS["random"]] * players, 3)
    assert not played.called_off
    assert sum(seat.share for seat in played.seats) in (0, 1)


def test_what_was_taken_from_the_village_was_on_offer() -> None:
    made = setup()
    offered = {card for stack in made.table.stacks for card, _ in stack.cards}
    for seat in play_game(made, [BOTS["dearest"]] * 2, 5).seats:
        assert seat.took
        assert {*seat.took} < offered
        assert [*seat.took] == sorted({*seat.took})


def test_a_game_in_which_nobody_does_anything_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "PATIENCE", 4)
    played = play_game(setup(), [resting] * 2, 5)
    assert played.called_off == "standstill"
    assert played.rounds == 5
    assert [seat.share for seat in played.seats] == [0, 0]


def test_a_game_of_too_many_rounds_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "ROUNDS", 2)
    played = play_game(setup(), [BOTS["random"]] * 2, 5)
    assert played.called_off == "rounds"


def test_a_turn_without_end_is_the_bots_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "CHOICES", 1)
    with pytest.raises(NoAnswerError) as caught:
        play_game(setup(), [BOTS["random"]] * 2, 5)
    assert caught.value.code == "bot-endless"


def test_as_many_bots_as_players() -> None:
    with pytest.raises(ValueError, match="as many"):
        play_game(setup(3), [BOTS["random"]] * 2, 5)
