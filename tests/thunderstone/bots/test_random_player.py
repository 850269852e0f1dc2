"""What random players do: anything legal, nothing that needs hidden cards, and mostly what a beginner would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from support.random_games import STORE, moves, start
from support.seats import child
from thunderref.rng import SplitMix64
from thunderref.thunderstone.bots import beginners
from thunderref.thunderstone.bots.beginners import draw_choice, draw_place
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import COUNT, END, Attack, Buy, Choice, Turn, kind_of
from thunderref.thunderstone.rules.end_of_turn import open_turn
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Table, replace
from thunderref.thunderstone.table.record import SavedPlayer, begin_game

TABLE = Game(load_cards(STORE))
DRAWS = 600
HALL = ("griffon", "pegasus", "griffon")
"""Health 7, 6 and 7."""
STRONG = ("outlands-warrior", "thyrian-squire", "fireball", "militia", "militia", "dagger")
"""Attack 7 with the dagger, Magic Attack 3, Light 1: 8 at rank 2."""
WEAK = ("militia", "militia", "torch", "torch", "torch", "iron-rations")
"""Attack 2, gold 8."""
EMPTY = ("militia",) * 6


def position(hand: Sequence[str], hall: Sequence[str], **stacks: int) -> Position:
    """The beginning of a turn of the first of two players."""
    offer = tuple((card.replace("_", "-"), n) for card, n in stacks.items())
    table = Table(0, (Seat(tuple(hand), ("militia",) * 6), Seat()))
    foes = tuple(Foe(card) for card in hall)
    start = Position("choose", (), foes, (), (), ("griffon",) * 9, stacks=offer, table=table)
    return open_turn(start, table, table.seats, 0, 1)


def draws(position: Position) -> Counter[Choice]:
    """How often each action is draw_choice."""
    random, options = SplitMix64(1).fraction, legal_actions(TABLE, position)
    return Counter(draw_choice(TABLE, position, options, random) for _ in range(DRAWS))


def ways(hand: Sequence[str], hall: Sequence[str] = HALL) -> Counter[str]:
    """How often each kind of turn is draw_choice."""
    return Counter({kind_of(action): n for action, n in draws(position(hand, hall)).items()})


COMPILED = not str(beginners.__file__).endswith(".py")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every weight that something was draw_choice by."""
    found: list[int] = []

    def noted(weights: Sequence[int], random: Callable[[], float]) -> int:
        found.extend(weights)
        return draw_place(weights, random)

    monkeypatch.setattr(beginners, "draw_place", noted)
    return found


@pytest.mark.skipif(COMPILED, reason="nothing can be put in the place of a compiled function")
@pytest.mark.parametrize("number", range(9))
def test_every_legal_action_may_be_drawn(number: int, given: list[int]) -> None:
    random, record = SplitMix64(number).fraction, start(number)
    for _ in moves(record):
        options = record.options()
        if options:
            assert draw_choice(record.game, record.position, options, random) in options
    assert 0 < min(given) < 10


@pytest.mark.parametrize("number", range(9))
def test_what_is_hidden_plays_no_part(number: int) -> None:
    record = start(number)
    for _ in moves(record):
        position, options = record.position, record.options()
        if not options or position.phase != "choose" or position.todo:
            continue
        seats = tuple(
            seat if place == position.table.active else replace(seat, hand=seat.hand[::-1], deck=seat.deck[::-1])
            for place, seat in enumerate(position.table.seats)
        )
        table = replace(position.table, seats=seats)
        other = replace(position, deck=position.deck[::-1], dungeon=position.dungeon[::-1], table=table)
        for seed in range(3):
            sources = SplitMix64(seed).fraction, SplitMix64(seed).fraction
            assert (
                len({draw_choice(record.game, g, options, r) for g, r in zip((position, other), sources, strict=True)})
                == 1
            )


def test_weights_are_proportions() -> None:
    random = SplitMix64(5).fraction
    found = Counter(draw_place([0, 1, 0, 3], random) for _ in range(4000))
    assert set(found) == {1, 3}
    assert 0.22 < found[1] / 4000 < 0.28


def test_a_hand_that_beats_somebody_goes_to_the_dungeon_and_gold_to_the_village() -> None:
    assert ways(STRONG)["dungeon"] > 0.9 * DRAWS
    assert ways(WEAK)["village"] > 0.5 * DRAWS
    assert ways(WEAK)["dungeon"] > 0
    assert ways(EMPTY)["dungeon"] > 0.9 * DRAWS, "six Militia beat nobody, and there is nothing to spend"
    assert ways(STRONG, ("lava-torment", "griffon", "griffon"))["dungeon"] > 0.9 * DRAWS
    between = (STRONG[0], *WEAK[:5])
    assert ways(between)["village"] > 2 * ways(between, ("nixie", *HALL[1:]))["village"]


def test_he_rests_to_be_rid_of_disease_and_hardly_ever_otherwise() -> None:
    ill = ("disease", "disease", *EMPTY[:4])
    assert ways(ill)["rest"] > 0.1 * DRAWS
    assert ways(EMPTY)["rest"] < 0.05 * DRAWS
    rest, _ = child(TABLE, position(ill, HALL), Turn("rest"))
    lost = Counter({action.value and action.value[0]: n for action, n in draws(rest).items()})
    assert lost["disease"] > 0.6 * DRAWS
    assert lost["militia"] > 0


def test_he_attacks_whom_he_beats() -> None:
    dungeon, _ = child(TABLE, position(STRONG, ("griffon", "nixie", "ebon-wind")), Turn("dungeon"))
    found = draws(dungeon)
    assert found[Attack(2, 0)] > 4 * found[Attack(3, 0)]
    equips = sum(n for action, n in found.items() if kind_of(action) == "equip")
    assert equips > 3 * sum(n for action, n in found.items() if kind_of(action) == "attack")


def test_he_buys_something_and_rather_a_dear_hero() -> None:
    village = position(WEAK, HALL, torch=5, outlands_warrior=6, dagger=8)
    for way in (Turn("village"), COUNT):
        village, _ = child(TABLE, village, way)
    found = draws(village)
    assert found[END] < 0.1 * DRAWS
    assert found[Buy("outlands-warrior")] > 0.7 * DRAWS
    assert found[Buy("torch")] > 0


def test_a_game_of_them_lasts_about_as_long_as_one_of_people() -> None:
    seats = [SavedPlayer(name=name, random=True) for name in "AB"]
    turns = []
    for seed in range(20):
        record = begin_game(STORE, seats, seed=seed)
        while not record.over:
            for _ in record.settle():
                pass
            if not record.over:
                record.take(record.draw()[0])
        turns.append(record.turn / len(seats))
    assert 15 < sum(turns) / len(turns) < 25, turns
