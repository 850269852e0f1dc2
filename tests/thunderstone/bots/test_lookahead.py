"""The learnt table and the player who goes by it: stronger than the planner, and never at the cost of sense."""

from __future__ import annotations

import pytest

from support.random_games import STORE
from thunderref.statistics import mean_interval
from thunderref.thunderstone.bots.bot import BotReason
from thunderref.thunderstone.bots.learnt import LEARNT
from thunderref.thunderstone.bots.planner import lookahead, planner
from thunderref.thunderstone.bots.registry import find_bot
from thunderref.thunderstone.bots.valuation import Weights
from thunderref.thunderstone.rules.choices import DUNGEON, REST, Pick
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table.runner import play_game

from .test_planner import GAME, POOR, STRONG, position, seen, turn


def test_every_line_of_the_table_is_a_weight_or_a_card() -> None:
    assert find_bot("lookahead") is lookahead
    assert Weights() != LEARNT
    assert {*LEARNT.cards} <= {*STORE.cards}
    assert all(abs(value) < 3 for value in LEARNT.cards.values())


def test_one_more_of_a_card_is_worth_less_than_the_first() -> None:
    few, many = (lookahead.value(seen(position(hand))) for hand in (("torch", *STRONG[1:]), ("dagger",) * 6))
    assert few.worth("dagger") > many.worth("dagger")
    alike = [planner.value(seen(position(hand))) for hand in (("torch", *STRONG[1:]), ("torch", "dagger", *STRONG[2:]))]
    assert alike[0].use("torch") == alike[1].use("torch")


def test_a_weapon_is_worth_more_to_heroes_without_any() -> None:
    heroes = lookahead.value(seen(position(("thyrian-lord",) * 6)))
    weapons = lookahead.value(seen(position(("spear",) * 6)))
    assert heroes.heroes > 0 > weapons.heroes


def test_nothing_is_better_lost_than_disease() -> None:
    """Of six Militia one more is worth least, but Disease never becomes worth anything."""
    valuation = lookahead.value(seen(position(POOR)))
    assert valuation.loss(["disease"]) <= valuation.loss(["militia"])
    here = position(POOR)
    assert lookahead(seen(here), legal_actions(GAME, here)) == REST
    here, _ = play(GAME, here, REST)
    assert lookahead(seen(here), legal_actions(GAME, here)) == Pick("destroy", ("disease", 1))


def test_it_says_why_in_the_planners_words() -> None:
    here = position(STRONG)
    view, choices = seen(here), legal_actions(GAME, here)
    assert lookahead(view, choices) == DUNGEON
    why = lookahead.why(view, choices, DUNGEON)
    assert isinstance(why, BotReason)
    assert why.key in ("fight", "attack")
    assert turn(here)[0] == DUNGEON, "the planner, too"


@pytest.mark.slow
def test_it_beats_the_planner_by_far() -> None:
    """60 deals with changed seats; 1,000 deals elsewhere gave 64 of 100 (tests/bench/bots.py)."""
    shares = []
    for seed in range(50_000, 50_060):
        setup = generate_setup(seed=seed, players=2)
        first = play_game(setup, [lookahead, planner], seed).seats[0].share
        shares.append((first + play_game(setup, [planner, lookahead], seed).seats[1].share) / 2)
    interval = mean_interval(shares)
    assert interval is not None
    assert interval[1] > 0.6
    assert sum(shares) / len(shares) > 0.53
