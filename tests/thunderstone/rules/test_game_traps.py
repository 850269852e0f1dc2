"""Traps on everybody at the table (R6.6), the Cage (R6.10), breaches on everybody: each with somebody it spares."""

from __future__ import annotations

import pytest

from support.seats import DUNGEON, asked, at_table, attack, choose, do, told, use
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern"
"""Beats the Nixie at rank 1."""


def sprung(trap: str, *hands: str, **more: object) -> tuple[Game, Position]:
    """An Archmage has just turned the trap up."""
    first, *others = hands
    game, position = at_table(f"elf-archmage, {first}", *others, dungeon=f"{trap}, {GHOSTS}", **more)
    return game, do(game, position, DUNGEON, use("elf-archmage"), choose("bottom", 1))


def test_pit_trap_everybody_shows_a_hero_who_dies_unless_a_thief() -> None:
    game, position = sprung("pit-trap", "militia", "militia, lorigg-thief", "fireball")
    assert asked(game, position) == (0, [("show", ("elf-archmage", 1)), ("show", ("militia", 1))])
    position = do(game, position, choose("show", ("militia", 1)))
    assert asked(game, position) == (1, [("show", "lorigg-thief"), ("show", "militia")])
    safe, events = told(game, position, choose("show", "lorigg-thief"))
    assert [event.key for event in events] == ["other-escapes", "other-has-none", "turned-up"]
    assert "lorigg-thief" in seat_of(safe, 1).hand
    dead = do(game, position, choose("show", "militia"))
    assert seat_of(dead, 1).hand.count("militia") == 0
    assert not dead.todo


def test_poison_gas_everybody_gains_a_disease_or_shows_a_cleric_or_thief() -> None:
    """Nobody has to show one; who has none is not asked."""
    game, position = sprung("poison-gas-trap", "torch", "regian-cleric", "militia")
    assert seat_of(position, 0).discard == ("disease",)
    assert asked(game, position) == (1, [("show", "regian-cleric"), ("decline", None)])
    shown = do(game, position, choose("show", "regian-cleric"))
    assert (seat_of(shown, 1).discard, seat_of(shown, 2).discard) == ((), ("disease",))
    assert "regian-cleric" in seat_of(shown, 1).hand
    assert seat_of(do(game, position, choose("decline")), 1).discard == ("disease",)
    game, position = sprung("poison-gas-trap", "lorigg-thief", "torch")
    assert asked(game, position) == (0, [("show", ("lorigg-thief", 1)), ("decline", None)])
    assert seat_of(do(game, position, choose("show", ("lorigg-thief", 1))), 0).discard == ()


def test_delirium_poison_takes_the_spells_of_the_others() -> None:
    _, position = sprung("delirium-poison", "fireball", "fireball, banish, dagger", "torch")
    assert "fireball" in seat_of(position, 0).hand
    assert seat_of(position, 1).hand == ("dagger", "torch", "torch", "torch")
    assert sorted(position.table.removed) == ["banish", "delirium-poison", "fireball"]
    assert len(seat_of(position, 2).hand) == 6


def test_rolling_boulder_goes_round_from_the_left_until_three_heroes_are_out() -> None:
    _, position = sprung("rolling-boulder", "/ militia, dagger", "/ torch, elf-wizard, dagger", "/ militia, dagger")
    assert seat_of(position, 1).discard == ("torch",)
    assert seat_of(position, 1).deck == ("dagger",)
    assert seat_of(position, 2).deck == ("dagger",)
    assert seat_of(position, 0).deck == ("dagger",)
    assert sorted(position.table.removed) == ["elf-wizard", "militia", "militia", "rolling-boulder"]


def test_rolling_boulder_stops_when_nobody_has_a_hero_left() -> None:
    _, position = sprung("rolling-boulder", "/ dagger", "/ militia, dagger")
    assert position.table.removed == ("rolling-boulder", "militia")
    assert not position.todo


def test_blade_trap_the_strongest_hero_turned_up_lives_and_so_do_ties() -> None:
    game, position = sprung("blade-trap", "militia", "/ thyrian-knight, militia, dagger", "/ torch, thyrian-knight")
    position = do(game, position, choose("show", ("militia", 1)))
    assert seat_of(position, 1).deck == ("thyrian-knight", "dagger")
    assert seat_of(position, 2).deck == ("torch", "thyrian-knight")
    assert sorted(position.table.removed) == ["blade-trap", "militia"]


@pytest.mark.parametrize("trap", ["pit-trap", "poison-gas-trap", "delirium-poison", "rolling-boulder", "blade-trap"])
def test_an_elixir_in_hand_spares_its_owner(trap: str) -> None:
    mine = "militia, foresight-elixir / militia, militia"
    game, position = sprung(trap, mine, "militia, fireball, foresight-elixir / militia, militia, militia")
    if trap != "delirium-poison":  # it does not act on the active player
        assert asked(game, position) == (0, [("show", ("foresight-elixir", 1)), ("decline", None)])
        position = do(game, position, choose("show", ("foresight-elixir", 1)))
    assert asked(game, position) == (1, [("show", "foresight-elixir"), ("decline", None)])
    position = do(game, position, choose("show", "foresight-elixir"))
    assert not position.todo
    assert (seat_of(position, 1).discard, len(seat_of(position, 1).hand), len(seat_of(position, 1).deck)) == ((), 6, 3)
    assert position.table.removed == (trap,)
    assert seat_of(position, 0).discard == ()


def test_nobody_has_to_show_an_elixir() -> None:
    """Wrath, Foresight Elixir: it may be shown. A player may wish to be rid of a Militia."""
    game, position = sprung("pit-trap", "militia, foresight-elixir", "militia, foresight-elixir")
    position = do(game, position, choose("decline"))
    assert asked(game, position) == (1, [("show", "foresight-elixir"), ("decline", None)])
    position = do(game, position, choose("decline"))
    assert asked(game, position)[1] == [("show", ("elf-archmage", 1)), ("show", ("militia", 1))]
    position = do(game, position, choose("show", ("militia", 1)), choose("show", "militia"))
    assert sorted(position.table.removed) == ["militia", "pit-trap"]
    assert position.destroyed == (("militia", 1),)


def test_rolling_boulder_passes_only_those_by_who_show_an_elixir() -> None:
    mine, left = "foresight-elixir / militia, dagger", "foresight-elixir / militia, dagger"
    game, position = sprung("rolling-boulder", mine, left)
    position = do(game, position, choose("decline"), choose("show", "foresight-elixir"))
    assert seat_of(position, 0).deck == ("dagger",)
    assert seat_of(position, 1).deck == ("militia", "dagger")


def test_who_next_defeats_a_monster_frees_the_hero_of_the_cage_for_himself() -> None:
    game, position = sprung("the-cage", "militia, fireball", STRONG, hall=("nixie", "nixie", "sphinx"))
    position = do(game, position, choose("show", ("militia", 1)))
    assert position.table.cages == (("the-cage", "militia"),)
    lost, events = told(game, position, attack(2))
    assert "defeat" in {event.key for event in events}
    assert lost.table.cages, "a defeat frees nobody"
    won, events = told(game, lost, DUNGEON, attack(1))
    assert "released" in {event.key for event in events}
    assert won.table.cages == ()
    assert won.table.removed == ("the-cage",)
    assert "militia" in seat_of(won, 1).discard


def test_a_cage_without_a_hero_to_hold_is_gone() -> None:
    game, position = at_table(
        "fireball, fireball, fireball", "militia", hall=("nixie", "griffon", "sphinx"), dungeon=f"the-cage, {GHOSTS}"
    )
    position = do(game, position, DUNGEON, attack(1))
    assert position.table.cages == ()
    assert "the-cage" in position.table.removed


# breaches


def breached(monster: str, *hands: str, **more: object) -> tuple[Game, Position]:
    """The monster has just reached rank 1 because an Archmage put the first one away."""
    first, *others = hands
    hall = ("nixie", monster, "griffon")
    game, position = at_table(f"elf-archmage, {first}", *others, hall=hall, dungeon=GHOSTS, **more)
    return game, do(game, position, DUNGEON, use("elf-archmage"), choose("bottom", 1))


def test_tyxr_everybody_discards_two() -> None:
    game, position = breached("tyxr-the-old", "militia", "dagger", "militia")
    for _ in range(6):
        _, options = asked(game, position)
        position = do(game, position, choose("discard", options[0][1]))
    assert [len(seat_of(position, seat).hand) for seat in range(3)] == [4, 4, 4]
    assert not position.todo


def test_smoke_torment_everybody_loses_five_cards_and_a_militia() -> None:
    game, position = breached(
        "smoke-torment", "/ militia, dagger, torch, torch, torch, fireball", "/ dagger, dagger, dagger, dagger, dagger"
    )
    assert asked(game, position) == (0, [("destroy", "militia")])
    position = do(game, position, choose("destroy", "militia"))
    assert seat_of(position, 0).deck == ("fireball",)
    assert sorted(seat_of(position, 0).discard) == ["dagger", "torch", "torch", "torch"]
    assert seat_of(position, 1).discard == ("dagger",) * 5
    assert position.table.removed == ("militia",)


def test_the_archduke_razes_the_hero_stacks_from_the_top() -> None:
    """Two cards off each: the last level 1 card and a level 2 card, two Militia; other stacks stand."""
    stacks = (("militia", 5), ("elf-wizard", 1), ("elf-sorcerer", 4), ("fireball", 8))
    _, position = breached("archduke-of-pain", "militia", "militia", stacks=stacks)
    assert dict(position.stacks or ()) == {"militia": 3, "elf-wizard": 0, "elf-sorcerer": 3, "fireball": 8}
    assert sorted(position.table.removed) == ["elf-sorcerer", "elf-wizard", "militia", "militia"]
