"""Traps on everybody at the table (R6.6), the Cage (R6.10), breaches on everybody: each with somebody it spares."""

from __future__ import annotations

import pytest
from seats import DUNGEON, asked, at_table, attack, choose, do, told, use

from thunderref.engine.moment import Game
from thunderref.engine.state import Table

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern"
"""Beats the Nixie at rank 1."""


def sprung(trap: str, *hands: str, **more: object) -> tuple[Table, Game]:
    """An Archmage has just turned the trap up."""
    first, *others = hands
    table, game = at_table(f"elf-archmage, {first}", *others, dungeon=f"{trap}, {GHOSTS}", **more)
    return table, do(table, game, DUNGEON, use("elf-archmage"), choose("bottom", 1))


def test_pit_trap_everybody_shows_a_hero_who_dies_unless_a_thief() -> None:
    table, game = sprung("pit-trap", "militia", "militia, lorigg-thief", "fireball")
    assert asked(table, game) == (0, [("show", ("elf-archmage", 1)), ("show", ("militia", 1))])
    game = do(table, game, choose("show", ("militia", 1)))
    assert asked(table, game) == (1, [("show", "lorigg-thief"), ("show", "militia")])
    safe, events = told(table, game, choose("show", "lorigg-thief"))
    assert [event.key for event in events] == ["other-escapes", "other-has-none", "turned-up"]
    assert "lorigg-thief" in safe.seat(1).hand
    dead = do(table, game, choose("show", "militia"))
    assert dead.seat(1).hand.count("militia") == 0
    assert not dead.state.todo


def test_poison_gas_everybody_gains_a_disease_or_shows_a_cleric_or_thief() -> None:
    """Nobody has to show one; who has none is not asked."""
    table, game = sprung("poison-gas-trap", "torch", "regian-cleric", "militia")
    assert game.seat(0).discard == ("disease",)
    assert asked(table, game) == (1, [("show", "regian-cleric"), ("decline", None)])
    shown = do(table, game, choose("show", "regian-cleric"))
    assert (shown.seat(1).discard, shown.seat(2).discard) == ((), ("disease",))
    assert "regian-cleric" in shown.seat(1).hand
    assert do(table, game, choose("decline")).seat(1).discard == ("disease",)
    table, game = sprung("poison-gas-trap", "lorigg-thief", "torch")
    assert asked(table, game) == (0, [("show", ("lorigg-thief", 1)), ("decline", None)])
    assert do(table, game, choose("show", ("lorigg-thief", 1))).seat(0).discard == ()


def test_delirium_poison_takes_the_spells_of_the_others() -> None:
    _, game = sprung("delirium-poison", "fireball", "fireball, banish, dagger", "torch")
    assert "fireball" in game.seat(0).hand
    assert game.seat(1).hand == ("dagger", "torch", "torch", "torch")
    assert sorted(game.world.removed) == ["banish", "delirium-poison", "fireball"]
    assert len(game.seat(2).hand) == 6


def test_rolling_boulder_goes_round_from_the_left_until_three_heroes_are_out() -> None:
    _, game = sprung("rolling-boulder", "/ militia, dagger", "/ torch, elf-wizard, dagger", "/ militia, dagger")
    assert game.seat(1).discard == ("torch",)
    assert game.seat(1).deck == ("dagger",)
    assert game.seat(2).deck == ("dagger",)
    assert game.seat(0).deck == ("dagger",)
    assert sorted(game.world.removed) == ["elf-wizard", "militia", "militia", "rolling-boulder"]


def test_rolling_boulder_stops_when_nobody_has_a_hero_left() -> None:
    _, game = sprung("rolling-boulder", "/ dagger", "/ militia, dagger")
    assert game.world.removed == ("rolling-boulder", "militia")
    assert not game.state.todo


def test_blade_trap_the_strongest_hero_turned_up_lives_and_so_do_ties() -> None:
    table, game = sprung("blade-trap", "militia", "/ thyrian-knight, militia, dagger", "/ torch, thyrian-knight")
    game = do(table, game, choose("show", ("militia", 1)))
    assert game.seat(1).deck == ("thyrian-knight", "dagger")
    assert game.seat(2).deck == ("torch", "thyrian-knight")
    assert sorted(game.world.removed) == ["blade-trap", "militia"]


@pytest.mark.parametrize("trap", ["pit-trap", "poison-gas-trap", "delirium-poison", "rolling-boulder", "blade-trap"])
def test_an_elixir_in_hand_spares_its_owner(trap: str) -> None:
    mine = "militia, foresight-elixir / militia, militia"
    table, game = sprung(trap, mine, "militia, fireball, foresight-elixir / militia, militia, militia")
    if trap != "delirium-poison":  # it does not act on the active player
        assert asked(table, game) == (0, [("show", ("foresight-elixir", 1)), ("decline", None)])
        game = do(table, game, choose("show", ("foresight-elixir", 1)))
    assert asked(table, game) == (1, [("show", "foresight-elixir"), ("decline", None)])
    game = do(table, game, choose("show", "foresight-elixir"))
    assert not game.state.todo
    assert (game.seat(1).discard, len(game.seat(1).hand), len(game.seat(1).deck)) == ((), 6, 3)
    assert game.world.removed == (trap,)
    assert game.seat(0).discard == ()


def test_nobody_has_to_show_an_elixir() -> None:
    """Wrath, Foresight Elixir: it may be shown. A player may wish to be rid of a Militia."""
    table, game = sprung("pit-trap", "militia, foresight-elixir", "militia, foresight-elixir")
    game = do(table, game, choose("decline"))
    assert asked(table, game) == (1, [("show", "foresight-elixir"), ("decline", None)])
    game = do(table, game, choose("decline"))
    assert asked(table, game)[1] == [("show", ("elf-archmage", 1)), ("show", ("militia", 1))]
    game = do(table, game, choose("show", ("militia", 1)), choose("show", "militia"))
    assert sorted(game.world.removed) == ["militia", "pit-trap"]
    assert game.state.destroyed == (("militia", 1),)


def test_rolling_boulder_passes_only_those_by_who_show_an_elixir() -> None:
    mine, left = "foresight-elixir / militia, dagger", "foresight-elixir / militia, dagger"
    table, game = sprung("rolling-boulder", mine, left)
    game = do(table, game, choose("decline"), choose("show", "foresight-elixir"))
    assert game.seat(0).deck == ("dagger",)
    assert game.seat(1).deck == ("militia", "dagger")


def test_who_next_defeats_a_monster_frees_the_hero_of_the_cage_for_himself() -> None:
    table, game = sprung("the-cage", "militia, fireball", STRONG, hall=("nixie", "nixie", "sphinx"))
    game = do(table, game, choose("show", ("militia", 1)))
    assert game.world.cages == (("the-cage", "militia"),)
    lost, events = told(table, game, attack(2))
    assert "defeat" in {event.key for event in events}
    assert lost.world.cages, "a defeat frees nobody"
    won, events = told(table, lost, DUNGEON, attack(1))
    assert "released" in {event.key for event in events}
    assert won.world.cages == ()
    assert won.world.removed == ("the-cage",)
    assert "militia" in won.seat(1).discard


def test_a_cage_without_a_hero_to_hold_is_gone() -> None:
    table, game = at_table(
        "fireball, fireball, fireball", "militia", hall=("nixie", "griffon", "sphinx"), dungeon=f"the-cage, {GHOSTS}"
    )
    game = do(table, game, DUNGEON, attack(1))
    assert game.world.cages == ()
    assert "the-cage" in game.world.removed


# breaches


def breached(monster: str, *hands: str, **more: object) -> tuple[Table, Game]:
    """The monster has just reached rank 1 because an Archmage put the first one away."""
    first, *others = hands
    hall = ("nixie", monster, "griffon")
    table, game = at_table(f"elf-archmage, {first}", *others, hall=hall, dungeon=GHOSTS, **more)
    return table, do(table, game, DUNGEON, use("elf-archmage"), choose("bottom", 1))


def test_tyxr_everybody_discards_two() -> None:
    table, game = breached("tyxr-the-old", "militia", "dagger", "militia")
    for _ in range(6):
        _, options = asked(table, game)
        game = do(table, game, choose("discard", options[0][1]))
    assert [len(game.seat(seat).hand) for seat in range(3)] == [4, 4, 4]
    assert not game.state.todo


def test_smoke_torment_everybody_loses_five_cards_and_a_militia() -> None:
    table, game = breached(
        "smoke-torment", "/ militia, dagger, torch, torch, torch, fireball", "/ dagger, dagger, dagger, dagger, dagger"
    )
    assert asked(table, game) == (0, [("destroy", "militia")])
    game = do(table, game, choose("destroy", "militia"))
    assert game.seat(0).deck == ("fireball",)
    assert sorted(game.seat(0).discard) == ["dagger", "torch", "torch", "torch"]
    assert game.seat(1).discard == ("dagger",) * 5
    assert game.world.removed == ("militia",)


def test_the_archduke_razes_the_hero_stacks_from_the_top() -> None:
    """Two cards off each: the last level 1 card and a level 2 card, two Militia; other stacks stand."""
    stacks = (("militia", 5), ("elf-wizard", 1), ("elf-sorcerer", 4), ("fireball", 8))
    _, game = breached("archduke-of-pain", "militia", "militia", stacks=stacks)
    assert dict(game.stacks) == {"militia": 3, "elf-wizard": 0, "elf-sorcerer": 3, "fireball": 8}
    assert sorted(game.world.removed) == ["elf-sorcerer", "elf-wizard", "militia", "militia"]
