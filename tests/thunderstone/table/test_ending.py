"""Games that can never end are known as such, and no other game is."""

from __future__ import annotations

from typing import Any

import pytest

from support.random_games import STORE
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.end_of_turn import open_turn
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Table, replace
from thunderref.thunderstone.table.ending import SoloResult, is_stuck, solo_result
from thunderref.thunderstone.table.record import begin_game

TABLE = Game(load_cards(STORE))
NOBODY = Foe("")
POOR = Seat()
CHAMPION = ("dark-champion",)
BELOW = ("griffon", "famine", "pegasus")
"""Famine brings Disease to whoever attacks him."""


def beginning(
    hall: list[str],
    *seats: Seat,
    rank0: tuple[str, ...] = (),
    below: tuple[str, ...] = BELOW,
    **stacks: int,
) -> Position:
    """The beginning of a turn of the first player."""
    offer = tuple((card.replace("_", "-"), n) for card, n in stacks.items())
    table = Table(0, seats or (POOR, POOR))
    ranks = (*(Foe(card) for card in hall), *[NOBODY] * (3 - len(hall)))
    state = Position("choose", (), ranks, tuple(Foe(card) for card in rank0), (), below, stacks=offer, table=table)
    return open_turn(state, table, table.seats, 0, 1)


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
    assert is_stuck(TABLE, beginning(hall, **more)) is endless


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
    assert is_stuck(TABLE, beginning(hall, *seats, rank0=CHAMPION, dagger=8)) is endless


def test_only_the_beginning_of_a_turn_is_judged() -> None:
    position = beginning(["blink-dog", "stone-of-mystery", "griffon"])
    assert is_stuck(TABLE, position)
    assert not is_stuck(TABLE, replace(position, phase="rest"))
    assert not is_stuck(TABLE, replace(position, phase="over"))


def test_horde_cards_of_the_monsters_pile_are_worth_their_number() -> None:
    """R7.2, R9.5: alone against three Horde cards and a Griffon (4): 3 x 3 + 4."""
    record = begin_game(STORE, None, seed=1, variant="solo")
    pile = ("horde-3", "horde-4", "griffon", "horde-5")
    record.position = replace(record.position, table=replace(record.position.table, lost=pile))
    assert solo_result(record) == SoloResult(0, 13, False)
