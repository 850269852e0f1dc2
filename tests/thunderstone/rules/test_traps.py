"""Traps that turn up while the hall is refilled (R6.6)."""

from __future__ import annotations

import pytest

from support.turns import attack, choose, do, finish, forgo, in_hand, names, turn, use
from thunderref.thunderstone.rules.legal import legal_actions

HALL = ["nixie", "griffon", "sphinx"]
ARCHMAGE = use("elf-archmage")


def sprung(hand: list[str], trap: str, **more: object) -> tuple:
    """A turn in which the Archmage has just turned the trap up."""
    game, state = turn(["elf-archmage", *hand], list(HALL), dungeon=[trap, "pegasus"], **more)
    return game, do(game, state, ARCHMAGE, choose("bottom", 1))


def test_a_trap_is_replaced_by_the_next_card() -> None:
    _, state = sprung([], "delirium-poison")
    assert names(state) == ["griffon", "sphinx", "pegasus"]
    assert not state.todo


def test_pit_trap_the_player_shows_a_hero_who_dies_unless_a_thief() -> None:
    game, state = sprung(["militia", "lorigg-thief"], "pit-trap")
    shown = {action.value for action in legal_actions(game, state)}
    assert shown == {("elf-archmage", 1), ("militia", 1), ("lorigg-thief", 1)}
    assert do(game, state, choose("show", ("militia", 1))).destroyed == (("militia", 1),)
    assert do(game, state, choose("show", ("lorigg-thief", 1))).destroyed == ()


def test_pit_trap_finds_no_hero() -> None:
    game, state = turn(["fireball", "fireball"], list(HALL), dungeon=["pit-trap", "pegasus"])
    state = finish(game, do(game, state, attack(1)))
    assert state.destroyed == ()
    assert names(state) == ["griffon", "sphinx", "pegasus"]


@pytest.mark.parametrize(("hero", "gained"), [("militia", ("disease",)), ("regian-cleric", ()), ("lorigg-thief", ())])
def test_poison_gas_spares_a_hand_with_cleric_or_thief(hero: str, gained: tuple[str, ...]) -> None:
    game, state = sprung([hero], "poison-gas-trap")
    if not gained:
        ill = do(game, state, choose("decline"))
        assert ill.gained == ("disease",), "nobody must show the hero"
        state = do(game, state, choose("show", (hero, 1)))
    assert state.gained == gained
    assert "disease" not in in_hand(state)


def test_the_cage_takes_a_hero_out_of_the_hand() -> None:
    game, state = sprung(["militia"], "the-cage")
    state = do(game, state, choose("show", ("militia", 1)))
    assert state.caged == (("militia", 1),)
    assert in_hand(state) == ["elf-archmage"]
    assert state.destroyed == ()


@pytest.mark.parametrize("trap", ["rolling-boulder", "delirium-poison"])
def test_traps_for_others_leave_the_own_hand_alone(trap: str) -> None:
    _, state = sprung(["fireball", "militia"], trap)
    assert in_hand(state) == ["elf-archmage", "fireball", "militia"]


def test_blade_trap_takes_the_weakest_hero() -> None:
    game, state = sprung(["militia", "thyrian-knight"], "blade-trap")
    assert legal_actions(game, state) == (choose("show", ("militia", 1)),)


def test_blade_trap_reads_the_strength_of_the_moment() -> None:
    hand = ["elf-archmage", "militia", "iron-rations", "iron-rations"]
    game, state = turn(hand, list(HALL), dungeon=["blade-trap", "pegasus"])
    for copy in (1, 2):
        state = do(game, state, use("iron-rations", copy=copy), choose("on", ("militia", 1)))
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert legal_actions(game, state) == (choose("show", ("elf-archmage", 1)),)


@pytest.mark.parametrize("trap", ["pit-trap", "the-cage", "poison-gas-trap", "blade-trap"])
def test_an_elixir_in_hand_spares_its_owner(trap: str) -> None:
    game, state = sprung(["militia", "foresight-elixir"], trap)
    declined = do(game, state, choose("decline"))
    assert declined.todo[:1] != state.todo[:1], "then the trap works"
    state = do(game, state, choose("show", ("foresight-elixir", 1)))
    assert not state.todo
    assert (state.destroyed, state.caged, state.gained) == ((), (), ())
    assert "foresight-elixir" in in_hand(state)


def test_two_traps_in_a_row() -> None:
    dungeon = ["poison-gas-trap", "poison-gas-trap", "pegasus"]
    game, state = turn(["elf-archmage"], list(HALL), dungeon=dungeon)
    state = do(game, state, ARCHMAGE, choose("bottom", 2))
    assert state.gained == ("disease", "disease")
    assert names(state) == ["nixie", "sphinx", "pegasus"]


def test_a_trap_comes_before_the_breach() -> None:
    hall = ["nixie", "tyxr-the-old", "griffon"]
    hand = ["elf-archmage", "militia", "torch", "torch"]
    game, state = turn(hand, hall, dungeon=["the-cage", "pegasus"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert {action.key for action in legal_actions(game, state)} == {"show"}
    state = do(game, state, choose("show", ("militia", 1)))
    assert {action.key for action in legal_actions(game, state)} == {"discard"}


def test_a_trap_after_the_battle_still_takes_a_card() -> None:
    game, state = turn(["outlands-khan", "torch"], list(HALL), dungeon=["pit-trap", "pegasus"])
    state = finish(game, do(game, state, attack(1)))
    assert state.victory
    assert state.destroyed == (("outlands-khan", 1),)


@pytest.mark.parametrize(("rank", "freed"), [(1, True), (2, False)])
def test_the_hero_in_the_cage_comes_back_with_a_victory_of_the_same_turn(rank: int, freed: bool) -> None:
    """R6.10: the Nixie at rank 1 is beaten, the Sphinx at rank 2 is not."""
    game, state = turn(
        ["elf-archmage", "fireball", "militia"], ["griffon", "nixie", "sphinx"], dungeon=["the-cage", "pegasus"]
    )
    state = do(game, state, ARCHMAGE, choose("bottom", 1), choose("show", ("militia", 1)))
    state = finish(game, do(game, state, attack(rank)))
    assert state.victory is freed
    assert (("militia", 1) in state.discarded) is freed
    assert (state.caged == ()) is freed


def test_a_forgone_elixir_spares_nobody() -> None:
    """R5.1: no benefit of it is taken this turn."""
    game, state = turn(["elf-archmage", "militia", "foresight-elixir"], list(HALL), dungeon=["pit-trap", "pegasus"])
    state = do(game, state, forgo("foresight-elixir"), ARCHMAGE, choose("bottom", 1))
    state = do(game, state, choose("show", ("militia", 1)))
    assert state.destroyed == (("militia", 1),)


@pytest.mark.parametrize(("trap", "barred"), [("pit-trap", True), ("delirium-poison", False)])
def test_an_elixir_that_spared_its_owner_was_a_benefit_of_a_spell(trap: str, barred: bool) -> None:
    """R5.1: Air Wrath may not be attacked then. Delirium Poison passes the active player by without it."""
    hall = ["nixie", "air-wrath", "sphinx"]
    game, state = turn(["elf-archmage", "foresight-elixir"], hall, dungeon=[trap, "pegasus"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    if barred:
        state = do(game, state, choose("show", ("foresight-elixir", 1)))
    assert names(state) == ["air-wrath", "sphinx", "pegasus"]
    assert (attack(1) not in legal_actions(game, state)) == barred
