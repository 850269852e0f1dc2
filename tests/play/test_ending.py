"""Games that can never end are known as such, and no other game is."""

from __future__ import annotations

from typing import Any

import pytest
from random_games import STORE

from thunderref.engine.closing import opened
from thunderref.engine.moment import Game
from thunderref.engine.state import Foe, State, Table
from thunderref.engine.values import replace
from thunderref.engine.world import Seat, World
from thunderref.play.course import begun
from thunderref.play.ending import Solo, solo_result, stuck
from thunderref.store.catalog import load_book

TABLE = Table(load_book(STORE))
NOBODY = Foe("")
POOR = Seat()
CHAMPION = ("dark-champion",)
BELOW = ("griffon", "famine", "pegasus")
"""Famine brings Disease to whoever attacks him."""


def position(
    hall: list[str],
    *seats: Seat,
    rank0: tuple[str, ...] = (),
    below: tuple[str, ...] = BELOW,
    **stacks: int,
) -> Game:
    """The beginning of a turn of the first player."""
    offer = tuple((card.replace("_", "-"), n) for card, n in stacks.items())
    world = World(0, seats or (POOR, POOR), offer)
    ranks = (*(Foe(card) for card in hall), *[NOBODY] * (3 - len(hall)))
    state = State("choose", (), ranks, tuple(Foe(card) for card in rank0), (), below, world=world)
    return Game("choose", opened(state, 0))


@pytest.mark.parametrize(
    ("hall", "more", "endless"),
    [
        # Blink Dog is never attacked without Light (R5.1), so the stone behind him stays where it is
        (["blink-dog", "stone-of-mystery", "griffon"], {"rank0": CHAMPION}, True),
        (["blink-dog", "stone-of-mystery", "griffon"], {}, True),
        (["blink-dog", "stone-of-mystery", "griffon"], {"below": ()}, True),
        # who attacks Griffon lets him go, and the stone is at rank 1 (R6.1, R7.1)
        (["griffon", "stone-of-mystery", "blink-dog"], {"rank0": CHAMPION}, False),
        (["blink-dog", "griffon", "stone-of-mystery"], {}, True),
        (["blink-dog", "blink-dog", "stone-of-mystery"], {}, True),
        # Steam Torment keeps everybody in the hall (R6.8)
        (["griffon", "stone-of-mystery", "steam-torment"], {}, True),
        (["griffon", "pegasus", "nixie"], {"below": ("stone-of-mystery",)}, False),
        # Militia cost nothing: there is a way back
        (["griffon", "stone-of-mystery", "steam-torment"], {"militia": 1}, False),
        (["griffon", "stone-of-mystery", "steam-torment"], {"dagger": 8, "militia": 0}, True),
    ],
)
def test_players_without_cards(hall: list[str], more: dict[str, Any], endless: bool) -> None:
    assert stuck(TABLE, position(hall, **more)) is endless


@pytest.mark.parametrize(
    ("seat", "endless"),
    [
        (Seat(hand=("disease",) * 6, deck=("disease",) * 3, discard=("disease",) * 20), True),
        (Seat(xp=9), True),
        (Seat(discard=("torch",)), False),
        (Seat(deck=("disease", "militia")), False),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_disease_is_no_way_back_and_any_other_card_may_be(seat: Seat, endless: bool, place: int) -> None:
    seats = [POOR, POOR, POOR]
    seats[place] = seat
    hall = ["blink-dog", "stone-of-mystery", "suffering"]
    assert stuck(TABLE, position(hall, *seats, rank0=CHAMPION, dagger=8)) is endless


def test_only_the_beginning_of_a_turn_is_judged() -> None:
    game = position(["blink-dog", "stone-of-mystery", "griffon"])
    assert stuck(TABLE, game)
    assert not stuck(TABLE, replace(game, phase="rest"))
    assert not stuck(TABLE, replace(game, phase="over"))


def test_horde_cards_of_the_monsters_pile_are_worth_their_number() -> None:
    """R7.2, R9.5: alone against three Horde cards and a Griffon (4): 3 x 3 + 4."""
    course = begun(STORE, None, seed=1, variant="solo")
    pile = ("horde-3", "horde-4", "griffon", "horde-5")
    state = replace(course.game.state, world=replace(course.game.world, lost=pile))
    course.game = replace(course.game, turn=state)
    assert solo_result(course) == Solo(0, 13, False)
