"""The hall over a whole game: the Horde deck, guardians, the Thunderstone, and what the variants change there."""

from __future__ import annotations

import pytest

from support.seats import (
    DUNGEON,
    REST,
    VILLAGE,
    asked,
    at_table,
    attack,
    child,
    choose,
    do,
    passed_on,
    split,
    told,
    use,
)
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.rules.choices import COUNT, END, Attack, Buy, LevelUp, Turn
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import to_slots
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.notation import step_of
from thunderref.thunderstone.rules.position import Position, replace
from thunderref.thunderstone.rules.turns import lost_points, result, shuffle

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern, lantern, lantern"
"""Beats what has Health 5 in any rank."""
PENALTY = Turn("penalty")


def hall_of(position: Position) -> list[str]:
    return [foe.card for foe in position.hall]


# stacks and decks


def test_a_defeated_monster_is_the_player_s_and_a_beaten_player_s_goes_under_the_deck() -> None:
    game, position = at_table(STRONG, "militia", dungeon="ghost, spectre")
    won = do(game, position, DUNGEON, attack(1))
    assert seat_of(won, 0).discard.count("nixie") == 1
    assert hall_of(won) == ["griffon", "sphinx", "ghost"]
    lost = do(game, won, DUNGEON, attack(2))
    assert hall_of(lost) == ["griffon", "ghost", "spectre"]
    assert lost.dungeon == ("sphinx",)


def test_an_empty_dungeon_leaves_ranks_empty() -> None:
    game, position = at_table(STRONG, "militia", dungeon="")
    position = do(game, position, DUNGEON, attack(1))
    assert hall_of(position) == ["griffon", "sphinx", ""]
    position = do(game, position, DUNGEON, attack(1))
    assert hall_of(position) == ["sphinx", "griffon", ""], (
        "the victor over the party goes under the empty deck and is back"
    )


def test_a_stack_runs_out_and_the_next_level_is_on_top() -> None:
    gold = "lightstone-gem, lightstone-gem, lightstone-gem, lightstone-gem"
    game, position = at_table(gold, "militia", stacks=(("elf-wizard", 1), ("elf-sorcerer", 2)))
    before = do(game, position, VILLAGE, COUNT)
    assert Buy("elf-sorcerer") not in legal_actions(game, before)
    after = do(game, before, Buy("elf-wizard"), END)
    assert dict(after.stacks or ()) == {"elf-wizard": 0, "elf-sorcerer": 2}
    assert "elf-wizard" in seat_of(after, 0).discard


def test_a_level_up_takes_the_last_card_and_then_there_is_none() -> None:
    game, position = at_table("elf-wizard, elf-wizard", "militia", stacks=(("elf-sorcerer", 1),))
    table = position.table.with_seat(0, xp=9)
    position = replace(position, table=table)
    position = do(game, position, VILLAGE, COUNT, LevelUp(("elf-wizard", 1), "elf-sorcerer"))
    assert seat_of(position, 0).xp == 7
    with pytest.raises(IllegalStepError) as refusal:
        child(game, position, LevelUp(("elf-wizard", 2), "elf-sorcerer"))
    assert refusal.value.rule == "R3.5"


def test_an_enchanter_takes_the_top_hero_of_a_stack_who_dies_after_the_battle() -> None:
    game, position = at_table("diin-enchanter, militia", "torch", stacks=(("elf-wizard", 1), ("elf-sorcerer", 1)))
    position = do(game, position, DUNGEON, use("diin-enchanter"), choose("discard", ("militia", 1)))
    assert asked(game, position)[1] == [("recruit", "elf-wizard")]
    position = do(game, position, choose("recruit", "elf-wizard"))
    assert dict(position.stacks or ())["elf-wizard"] == 0
    position = do(game, position, attack(1))
    assert "elf-wizard" in position.table.removed


def test_the_sphinx_lets_its_victor_sort_six_cards_of_his_deck() -> None:
    """An empty deck is shuffled anew in between (R2.2); with the offer declined nothing is revealed."""
    hand = "selurin-warlock, selurin-warlock, elf-wizard, lantern, lantern, fireball / militia, militia, dagger"
    game, position = at_table(hand, "militia", hall=("sphinx",), dungeon=GHOSTS)
    table = position.table
    position = replace(position, pile=("torch", "torch", "torch", "torch"), table=table)
    position = do(game, position, DUNGEON, attack(1))
    assert asked(game, position)[1] == [("decline", None), ("reveal", None)]
    assert step_of(position, legal_actions(game, position)[1])["reveal"] is True
    kept = do(game, position, choose("decline"))
    assert "militia" not in seat_of(kept, 0).discard
    position = do(game, position, choose("reveal"))
    wanted = shuffle_of(position)
    assert wanted is not None
    assert "militia" not in wanted.cards, "what lies open is not shuffled in"
    others = [card for card in wanted.cards if card != "torch"]
    position, _ = shuffle(game, position, (*["torch"] * wanted.cards.count("torch"), *others))
    assert ("destroy", ("militia", "militia")) in asked(game, position)[1]
    position, events = told(game, position, choose("destroy", ("militia", "militia")))
    assert position.table.removed == ("militia", "militia")
    assert [event.rules for event in events if event.card == "militia"] == [("R6.4",), ("R6.4",)], "spoils, no breach"


# the Horde (R1.3)


def test_a_placeholder_gives_way_to_the_top_horde_card() -> None:
    game, position = at_table(STRONG, "militia", dungeon="horde-placeholder, ghost", horde="horde-3, horde-4")
    position = do(game, position, DUNGEON, attack(1))
    assert hall_of(position) == ["griffon", "sphinx", "horde-3"]
    assert position.table.horde == ("horde-4",)
    assert position.table.removed == ("horde-placeholder",)


def test_in_the_first_hall_too() -> None:
    _, position = at_table(
        "militia", "militia", hall=("horde-placeholder", "nixie", "griffon"), horde="horde-3, horde-4"
    )
    assert hall_of(position) == ["horde-3", "nixie", "griffon"]


def test_a_horde_card_is_worth_as_many_points_as_there_are() -> None:
    game, position = at_table("horde-3, horde-4", "horde-3, horde-4, horde-5, horde-6, horde-7, horde-8")
    (mine, theirs), best = result(game, position)
    assert (mine.vp, theirs.vp, best) == (2 * 2, 6 * 5, (1,))


# guardians (R6.7, R6.8)


def test_a_guardian_at_rank_1_steps_out_to_rank_0_and_the_hall_is_refilled() -> None:
    game, position = at_table(STRONG, "militia", hall=("nixie", "dark-champion", "griffon"), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, attack(1))
    assert [foe.card for foe in position.rank0] == ["dark-champion"]
    assert hall_of(position) == ["griffon", "ghost", "ghost"]


def test_the_dark_champion_takes_a_card_of_each_new_hand() -> None:
    game, position = at_table(STRONG, "torch", hall=("nixie", "dark-champion", "griffon"), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, attack(1))
    assert asked(game, position) == (0, [("destroy", ("dagger", 1))])
    position = do(game, position, choose("destroy", ("dagger", 1)))
    assert (position.table.active, len(seat_of(position, 0).hand)) == (1, 5)
    position = passed_on(game, do(game, position, REST))
    assert (position.table.active, len(seat_of(position, 1).hand)) == (0, 5)


def test_a_sentinel_in_rank_0_takes_no_cards() -> None:
    game, position = at_table(STRONG, "torch", hall=("nixie", "death-sentinel", "griffon"), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, attack(1))
    assert (position.table.active, len(seat_of(position, 0).hand)) == (1, 6)


def test_thunder_wrath_destroys_the_card_that_comes_up() -> None:
    game, position = at_table("militia", "torch", hall=("thunder-wrath",), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, attack(1))
    wanted = shuffle_of(position)
    assert wanted is not None
    assert (wanted.pile, wanted.cards) == ("hand", ("militia", "torch", "torch", "torch", "torch", "torch"))
    gone, _ = shuffle(game, position, ("torch", "militia", "torch", "torch", "torch", "torch"))
    assert "torch" in gone.table.removed
    with pytest.raises(ValueError, match="not the cards"):
        shuffle(game, position, ("torch",))


@pytest.mark.parametrize(("used", "where"), [(True, "discard"), (False, "removed")])
def test_ambrosia_spares_a_hero_whom_thunder_wrath_would_destroy(used: bool, where: str) -> None:
    """R6.3: what is destroyed by a battle effect is discarded instead, if it is a hero."""
    game, position = at_table("militia, ambrosia", "torch", hall=("thunder-wrath",), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, *([use("ambrosia")] if used else []), attack(1))
    order = ("militia", "ambrosia", "torch", "torch", "torch", "torch")
    after, _ = shuffle(game, position, order)
    assert ("militia" in after.table.removed) == (where == "removed")
    assert ("militia" in seat_of(after, 0).discard) == (where == "discard")
    item, _ = shuffle(game, position, ("torch", "ambrosia", "militia", "torch", "torch", "torch"))
    assert "torch" in item.table.removed


# the end (R7.1)


def stone_next(*hands: str, **more: object) -> tuple[Game, Position]:
    return at_table(*hands, hall=("nixie", "stone-of-mystery", "griffon"), dungeon=GHOSTS, **more)


def test_who_defeats_the_monster_before_the_stone_takes_it() -> None:
    game, position = stone_next(STRONG, "militia")
    position = do(game, position, DUNGEON, attack(1))
    assert position.phase == "over"
    assert "stone-of-mystery" in seat_of(position, 0).discard
    assert legal_actions(game, position) == ()
    assert result(game, position)[0][0].stone


def test_after_a_defeat_nobody_takes_the_stone() -> None:
    game, position = stone_next("militia", "militia")
    position = do(game, position, DUNGEON, attack(1))
    assert position.phase == "over"
    assert position.table.removed == ("stone-of-mystery",)
    assert not any(standing.stone for standing in result(game, position)[0])


@pytest.mark.parametrize("variant", ["normal", "epic"])
def test_of_two_stones_the_first_does_not_end_the_game(variant: str) -> None:
    """R9.1; so two stones without the variant (Wrath rules, "Kamień agonii")."""
    game, position = at_table(
        STRONG,
        STRONG,
        hall=("nixie", "stone-of-mystery", "griffon"),
        dungeon="ghost, stone-of-agony, ghost",
        variant=variant,
    )
    position = do(game, position, DUNGEON, attack(1))
    assert (position.phase, position.table.active) == ("choose", 1)
    assert "stone-of-mystery" in seat_of(position, 0).discard
    assert hall_of(position) == ["griffon", "ghost", "stone-of-agony"]
    game, position = at_table(
        "militia", hall=("nixie", "stone-of-mystery", "griffon"), dungeon="stone-of-agony, ghost", variant=variant
    )
    position, events = told(game, position, DUNGEON, attack(1))
    assert position.table.removed == ("stone-of-mystery",)
    assert position.phase != "over"
    assert {event.rules for event in events if event.card == "stone-of-mystery"} == {("R9.1",)}


# solo (R9.5)


def solo(hand: str, dungeon: str, level: str = "normal") -> tuple[Game, Position]:
    return at_table(hand, hall=(), dungeon=dungeon, variant="solo", level=level)


def test_a_monster_comes_each_turn_and_the_fourth_pushes_the_first_out() -> None:
    game, position = solo("militia", "nixie, griffon, sphinx, ghost, spectre")
    halls = []
    for _ in range(4):
        position = passed_on(game, do(game, position, REST))
        halls.append(hall_of(position))
    assert halls[:3] == [["", "", "nixie"], ["", "nixie", "griffon"], ["nixie", "griffon", "sphinx"]]
    assert halls[3] == ["griffon", "sphinx", "ghost"]
    assert position.table.lost == ("nixie",)
    assert lost_points(game, position) == game.cards["nixie"].vp
    assert result(game, position)[1] == (), "no more points than the monsters: lost"


@pytest.mark.parametrize(("level", "rests"), [("normal", True), ("fighter", False), ("nightmare", False)])
def test_a_victory_over_a_small_monster_keeps_the_next_one_away(level: str, rests: bool) -> None:
    """The Nixie gives 1 XP: too little for a fighter."""
    game, position = solo(STRONG, "nixie, griffon, sphinx, ghost, spectre", level)
    for _ in range(2):
        position = passed_on(game, do(game, position, REST))
    hand = to_slots(tuple(split(STRONG)))
    strong = replace(position, hand=hand, pile=(), deck=("dagger",) * 12)
    won, events = told(game, strong, DUNGEON, attack(2))
    assert "victory" in {event.key for event in events}
    assert won.table.lost == ()
    before = hall_of(won)
    after = passed_on(game, do(game, won, REST))
    assert (hall_of(after) == before) == rests


def test_a_lost_battle_gives_the_monster_to_the_village_s_enemies() -> None:
    game, position = solo("militia", "sphinx, griffon, ghost, spectre")
    position = passed_on(game, do(game, position, REST))
    position = do(game, position, DUNGEON, attack(3))
    assert position.table.lost == ("sphinx",)
    assert "sphinx" not in position.dungeon


def test_a_trap_on_the_march_works_before_the_next_card_is_turned_up() -> None:
    """The one who was pushed to rank 1 arrives when all is done (R6.6)."""
    game, position = solo("militia, elf-wizard", "nixie, tyxr-the-old, sphinx, pit-trap, pit-trap, ghost")
    for _ in range(3):
        position = passed_on(game, do(game, position, REST))
    position = do(game, position, VILLAGE, COUNT, END)
    assert asked(game, position)[1] == [("show", ("elf-wizard", 1)), ("show", ("militia", 1))]
    assert hall_of(position) == ["tyxr-the-old", "sphinx", ""]
    position = do(game, position, choose("show", ("militia", 1)))
    assert hall_of(position) == ["tyxr-the-old", "sphinx", ""], "the second trap"
    position, events = told(game, position, choose("show", ("elf-wizard", 1)))
    assert hall_of(position) == ["tyxr-the-old", "sphinx", "ghost"]
    assert [event.key for event in events] == ["destroyed", "turned-up", "breach"]


@pytest.mark.parametrize(
    ("level", "rank", "lost", "hall"),
    [
        ("normal", 0, ("griffon", "sphinx"), ["ghost", "spectre", "nixie"]),
        ("nightmare", 0, ("griffon", "sphinx"), ["ghost", "spectre", "nixie"]),
        ("normal", 2, ("griffon", "ghost"), ["sphinx", "spectre", "nixie"]),
    ],
)
def test_a_lost_battle_against_a_guardian_holds_nobody_up(
    level: str, rank: int, lost: tuple[str, ...], hall: list[str]
) -> None:
    """Nobody is pushed where the monster attacked has left; a guardian who was not defeated stays (R6.8)."""
    game, position = solo("militia", "dark-champion, griffon, sphinx, ghost, spectre, nixie", level)
    for _ in range(4):
        position = passed_on(game, do(game, position, REST))
    assert ([foe.card for foe in position.rank0], hall_of(position)) == (
        ["dark-champion"],
        ["sphinx", "ghost", "spectre"],
    )
    position = passed_on(game, do(game, position, DUNGEON, attack(rank)))
    assert [foe.card for foe in position.rank0] == ["dark-champion"]
    assert (position.table.lost, hall_of(position)) == (lost, hall)


# marauding monsters (R9.6)


def test_a_monster_that_waited_for_everybody_must_be_attacked_or_taken_as_a_penalty() -> None:
    game, position = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    position = passed_on(game, do(game, position, REST))
    assert position.hall[0].tokens == 1
    position = passed_on(game, do(game, position, REST))
    assert legal_actions(game, position) == (DUNGEON, PENALTY)
    taken = do(game, position, PENALTY)
    assert seat_of(taken, 0).penalties == ("nixie",)
    assert hall_of(taken) == ["griffon", "sphinx", "ghost"]
    assert legal_actions(game, taken) == (VILLAGE, DUNGEON, REST)
    assert result(game, taken)[0][0].vp == -1
    fights = do(game, position, DUNGEON)
    assert {choice.rank for choice in legal_actions(game, fights) if isinstance(choice, Attack)} == {1}


def test_an_attack_or_another_monster_starts_the_clock_anew() -> None:
    game, position = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    position = passed_on(game, do(game, position, REST))
    position = do(game, position, DUNGEON, attack(2))
    assert position.hall[0].tokens == 1, "an attack on another rank gives no token"
    position = do(game, position, DUNGEON, attack(1))
    assert [foe.tokens for foe in position.hall] == [0, 0, 0]


def test_the_clock_of_the_next_monster_starts_in_the_turn_after_a_penalty() -> None:
    """Wrath: after a penalty card the clock of the new monster at rank 1 runs from the next turn on."""
    game, position = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    for _ in range(2):
        position = passed_on(game, do(game, position, REST))
    position = passed_on(game, do(game, position, PENALTY, REST))
    assert [foe.tokens for foe in position.hall] == [0, 0, 0]
    position = passed_on(game, do(game, position, REST))
    assert [foe.tokens for foe in position.hall] == [1, 0, 0]


def test_a_penalty_that_brings_the_stone_to_rank_1_ends_the_game() -> None:
    game, position = stone_next("militia", "militia", variant="marauding")
    for _ in range(2):
        position = passed_on(game, do(game, position, REST))
    position = do(game, position, PENALTY)
    assert position.phase == "over"
    assert position.table.removed == ("stone-of-mystery",)
    assert [standing.vp for standing in result(game, position)[0]] == [-1, 0]


def test_a_monster_that_was_moved_off_rank_1_has_lost_its_tokens_for_good() -> None:
    """The Nixie is put behind the Griffon and is back at rank 1 when he has been beaten (R9.6)."""
    hand = "banish, outlands-khan, outlands-khan, lantern"
    game, position = at_table(hand, "militia", dungeon=GHOSTS, variant="marauding")
    state = position
    position = replace(position, hall=(replace(state.hall[0], tokens=1), *state.hall[1:]))
    kept = do(game, position, DUNGEON, use("banish"), choose("order", (0, 2, 1)))
    assert [foe.tokens for foe in kept.hall] == [1, 0, 0]
    position = do(
        game, position, DUNGEON, use("banish"), choose("order", (1, 0, 2)), choose("destroy", ("torch", 1)), attack(1)
    )
    assert (hall_of(position)[0], position.hall[0].tokens) == ("nixie", 0)
