"""Where cards are when an effect or a turn is over: turned up, borrowed, conjured, at tables of one to five."""

from __future__ import annotations

import pytest

from support.invariants import places, problems
from support.seats import DUNGEON, REST, VILLAGE, at_table, choose, do, passed_on, use
from support.turns import attack, turn
from support.turns import do as done
from thunderref.thunderstone.rules import choices
from thunderref.thunderstone.rules.choices import LEAVE, Choice
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.position import Position, table_of

TOP = ["militia", "disease", "dagger", "militia", "torch", "torch"]
DARK = ("blink-dog", "blink-dog", "blink-dog")
"""Monsters that only a party with Light may attack: without it a turn in the dungeon ends without a battle (R4.8)."""


@pytest.mark.parametrize("doomed", [(), ("disease",), ("disease", "militia"), tuple(sorted(TOP))])
def test_of_the_six_cards_a_sphinx_turns_up_the_chosen_ones_are_destroyed_and_the_others_discarded(
    doomed: tuple[str, ...],
) -> None:
    """R6.4: and the seventh card stays on the deck."""
    game, state = turn(["elf-archmage", "fireball", "elf-sorcerer"], ["sphinx"], deck=[*TOP, "spear"])
    state = done(game, state, attack(1))
    state = done(game, state, choices.Several("destroy", doomed))
    assert sorted(card for card, _ in state.destroyed) == sorted(doomed)
    kept = list(TOP)
    for card in doomed:
        kept.remove(card)
    assert sorted(card for card, _ in state.discarded) == sorted(kept)
    assert state.deck == ("spear",)


@pytest.mark.parametrize(("players", "certain"), [(1, 3), (2, 1), (3, 1), (4, 0), (5, 0)])
def test_what_a_rolling_boulder_surely_takes_of_the_own_deck(players: int, certain: int) -> None:
    """R6.6: three heroes die; with others at the table they may turn up the first ones, as far as there are three."""
    deck = ["militia", "militia", "militia", "militia"]
    dungeon = ["rolling-boulder", "pegasus"]
    game, state = turn(["elf-archmage"], ["nixie", "griffon"], dungeon=dungeon, deck=deck, players=players)
    state = done(game, state, use("elf-archmage"), choose("bottom", 1))
    assert [card for card, _ in state.destroyed] == ["militia"] * certain


def left(*hands: str, answers: tuple[Choice, ...]) -> Position:
    """The next turn, after one in the dungeon with these choices and no battle; the hands are filled with Daggers."""
    full = [f"{hand}, {5 - hand.count(',')} dagger" for hand in hands]
    game, position = at_table(*full, hall=DARK, stacks=(("spear", 1), ("militia", 9), ("elf-wizard", 6)))
    return do(game, position, DUNGEON, *answers, LEAVE)


def test_a_conjured_weapon_is_gone_after_a_turn_without_a_battle() -> None:
    conjured = (use("illusory-blade"), choose("draw", "spear"), choose("to", ("thyrian-knight", 1)))
    position = left("illusory-blade, thyrian-knight", "militia", answers=conjured)
    assert table_of(position).removed == ("spear",)
    assert "spear" not in seat_of(position, 0).cards


def test_a_recruited_hero_is_gone_after_a_turn_without_a_battle() -> None:
    recruited = (use("diin-enchanter"), choose("discard", ("militia", 1)), choose("recruit", "elf-wizard"))
    position = left("diin-enchanter, militia", "militia", answers=recruited)
    assert table_of(position).removed == ("elf-wizard",)
    assert "elf-wizard" not in seat_of(position, 0).cards
    assert "militia" in seat_of(position, 0).discard


def test_a_borrowed_card_is_its_owner_s_again_after_a_turn_without_a_battle() -> None:
    borrowed = (
        use("toryn-gladiator"), choose("discard", ("dagger", 1)), choose("discard", "warhammer"),
        choose("borrow-from", (1, "warhammer")),
    )  # fmt: skip
    position = left("toryn-gladiator", "warhammer", answers=borrowed)
    assert table_of(position).lent == ()
    assert "warhammer" not in seat_of(position, 0).cards
    assert seat_of(position, 1).discard == ("warhammer",)


@pytest.mark.parametrize("kind", [DUNGEON, VILLAGE, REST])
@pytest.mark.parametrize("players", range(1, 6))
def test_no_turn_loses_or_doubles_a_card(players: int, kind: Choice) -> None:
    """With or without a battle: the six cards of the hand are on the discard pile, and six others in hand (R2.1)."""
    game, position = at_table(*["militia, torch, 4 dagger / 7 torch"] * players, dungeon="ghost, ghost", stacks=())
    before, began = position, places(position)
    position = passed_on(game, do(game, position, kind))
    assert problems(game, position, began) == []
    assert sum(places(position).values()) == sum(began.values())
    mine = [*seat_of(position, 0).cards, *(card for card, _ in position.destroyed), *table_of(position).removed]
    assert sorted(mine) == sorted(seat_of(before, 0).cards)
    assert (seat_of(position, 0).hand, seat_of(position, 0).deck) == (("torch",) * 6, ("torch",))
