"""What random players do: anything legal, nothing that needs hidden cards, and mostly what a beginner would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from random_games import STORE, moves, start

from thunderref.chance import Source
from thunderref.engine.closing import opened
from thunderref.engine.game import child, legal_actions
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Foe, State, Table
from thunderref.engine.values import replace
from thunderref.engine.world import Seat, World
from thunderref.model.saved import SavedPlayer
from thunderref.play import random_player
from thunderref.play.course import begun
from thunderref.play.random_player import drawn, weighted
from thunderref.store.catalog import load_book

TABLE = Table(load_book(STORE))
DRAWS = 600
HALL = ("griffon", "pegasus", "griffon")
"""Health 7, 6 and 7."""
STRONG = ("outlands-warrior", "thyrian-squire", "fireball", "militia", "militia", "dagger")
"""Attack 7 with the dagger, Magic Attack 3, Light 1: 8 at rank 2."""
WEAK = ("militia", "militia", "torch", "torch", "torch", "iron-rations")
"""Attack 2, gold 8."""
EMPTY = ("militia",) * 6


def position(hand: Sequence[str], hall: Sequence[str], **stacks: int) -> Game:
    """The beginning of a turn of the first of two players."""
    offer = tuple((card.replace("_", "-"), n) for card, n in stacks.items())
    world = World(0, (Seat(tuple(hand), ("militia",) * 6), Seat()), offer)
    foes = tuple(Foe(card) for card in hall)
    return Game("choose", opened(State("choose", (), foes, (), (), ("griffon",) * 9, world=world), 0))


def draws(game: Game) -> Counter[Action]:
    """How often each action is drawn."""
    random, options = Source(1).fraction, legal_actions(TABLE, game)
    return Counter(drawn(TABLE, game, options, random) for _ in range(DRAWS))


def ways(hand: Sequence[str], hall: Sequence[str] = HALL) -> Counter[str]:
    """How often each kind of turn is drawn."""
    return Counter({action.kind: n for action, n in draws(position(hand, hall)).items()})


COMPILED = not str(random_player.__file__).endswith(".py")


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Every weight that something was drawn by."""
    found: list[int] = []

    def noted(weights: Sequence[int], random: Callable[[], float]) -> int:
        found.extend(weights)
        return weighted(weights, random)

    monkeypatch.setattr(random_player, "weighted", noted)
    return found


@pytest.mark.skipif(COMPILED, reason="nothing can be put in the place of a compiled function")
@pytest.mark.parametrize("number", range(9))
def test_every_legal_action_may_be_drawn(number: int, given: list[int]) -> None:
    random, course = Source(number).fraction, start(number)
    for _ in moves(course):
        options = course.options()
        if options:
            assert drawn(course.table, course.game, options, random) in options
    assert 0 < min(given) < 10


@pytest.mark.parametrize("number", range(9))
def test_what_is_hidden_plays_no_part(number: int) -> None:
    course = start(number)
    for _ in moves(course):
        game, options = course.game, course.options()
        if not options or game.phase != "choose" or game.state.todo:
            continue
        state = game.state
        seats = tuple(
            seat if place == game.active else replace(seat, hand=seat.hand[::-1], deck=seat.deck[::-1])
            for place, seat in enumerate(game.world.seats)
        )
        world = replace(game.world, seats=seats)
        turn = replace(state, deck=state.deck[::-1], dungeon=state.dungeon[::-1], world=world)
        other = replace(game, turn=turn)
        for seed in range(3):
            sources = Source(seed).fraction, Source(seed).fraction
            assert len({drawn(course.table, g, options, r) for g, r in zip((game, other), sources, strict=True)}) == 1


def test_weights_are_proportions() -> None:
    random = Source(5).fraction
    found = Counter(weighted([0, 1, 0, 3], random) for _ in range(4000))
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
    rest, _ = child(TABLE, position(ill, HALL), Action("rest"))
    lost = Counter({action.b and action.b[0]: n for action, n in draws(rest).items()})
    assert lost["disease"] > 0.6 * DRAWS
    assert lost["militia"] > 0


def test_he_attacks_whom_he_beats() -> None:
    dungeon, _ = child(TABLE, position(STRONG, ("griffon", "nixie", "ebon-wind")), Action("dungeon"))
    found = draws(dungeon)
    assert found[Action("attack", 2, 0)] > 4 * found[Action("attack", 3, 0)]
    equips = sum(n for action, n in found.items() if action.kind == "equip")
    assert equips > 3 * sum(n for action, n in found.items() if action.kind == "attack")


def test_he_buys_something_and_rather_a_dear_hero() -> None:
    village = position(WEAK, HALL, torch=5, outlands_warrior=6, dagger=8)
    for way in ("village", "count"):
        village, _ = child(TABLE, village, Action(way))
    found = draws(village)
    assert found[Action("end")] < 0.1 * DRAWS
    assert found[Action("buy", "outlands-warrior", 0)] > 0.7 * DRAWS
    assert found[Action("buy", "torch", 0)] > 0


def test_a_game_of_them_lasts_about_as_long_as_one_of_people() -> None:
    seats = [SavedPlayer(name=name, random=True) for name in "AB"]
    turns = []
    for seed in range(20):
        course = begun(STORE, seats, seed=seed)
        while not course.over:
            for _ in course.settle():
                pass
            if not course.over:
                course.take(course.draw())
        turns.append(course.game.number / len(seats))
    assert 15 < sum(turns) / len(turns) < 25, turns
