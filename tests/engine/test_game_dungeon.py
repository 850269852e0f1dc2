"""The hall over a whole game: the Horde deck, guardians, the Thunderstone, and what the variants change there."""

from __future__ import annotations

import pytest
from seats import DUNGEON, REST, VILLAGE, asked, at_table, attack, choose, do, passed_on, split, told, use

from thunderref.engine.game import child, legal_actions, shuffle_wanted, shuffled
from thunderref.engine.hand import dealt
from thunderref.engine.moment import Game
from thunderref.engine.places import lost_points, result
from thunderref.engine.state import Action, Table
from thunderref.engine.values import replace
from thunderref.errors import IllegalStepError
from thunderref.play.notation import step_of

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern, lantern, lantern"
"""Beats what has Health 5 in any rank."""
PENALTY = Action("penalty")


def hall_of(game: Game) -> list[str]:
    return [foe.card for foe in game.state.hall]


# stacks and decks


def test_a_defeated_monster_is_the_player_s_and_a_beaten_player_s_goes_under_the_deck() -> None:
    table, game = at_table(STRONG, "militia", dungeon="ghost, spectre")
    won = do(table, game, DUNGEON, attack(1))
    assert won.seat(0).discard.count("nixie") == 1
    assert hall_of(won) == ["griffon", "sphinx", "ghost"]
    lost = do(table, won, DUNGEON, attack(2))
    assert hall_of(lost) == ["griffon", "ghost", "spectre"]
    assert lost.state.dungeon == ("sphinx",)


def test_an_empty_dungeon_leaves_ranks_empty() -> None:
    table, game = at_table(STRONG, "militia", dungeon="")
    game = do(table, game, DUNGEON, attack(1))
    assert hall_of(game) == ["griffon", "sphinx", ""]
    game = do(table, game, DUNGEON, attack(1))
    assert hall_of(game) == ["sphinx", "griffon", ""], "the victor over the party goes under the empty deck and is back"


def test_a_stack_runs_out_and_the_next_level_is_on_top() -> None:
    gold = "lightstone-gem, lightstone-gem, lightstone-gem, lightstone-gem"
    table, game = at_table(gold, "militia", stacks=(("elf-wizard", 1), ("elf-sorcerer", 2)))
    before = do(table, game, VILLAGE, Action("count"))
    assert Action("buy", "elf-sorcerer", 0) not in legal_actions(table, before)
    after = do(table, before, Action("buy", "elf-wizard", 0), Action("end"))
    assert dict(after.stacks) == {"elf-wizard": 0, "elf-sorcerer": 2}
    assert "elf-wizard" in after.seat(0).discard


def test_a_level_up_takes_the_last_card_and_then_there_is_none() -> None:
    table, game = at_table("elf-wizard, elf-wizard", "militia", stacks=(("elf-sorcerer", 1),))
    world = game.world.with_seat(0, xp=9)
    game = replace(game, turn=replace(game.state, world=world))
    game = do(table, game, VILLAGE, Action("count"), Action("level_up", ("elf-wizard", 1), "elf-sorcerer"))
    assert game.seat(0).xp == 7
    with pytest.raises(IllegalStepError) as refusal:
        child(table, game, Action("level_up", ("elf-wizard", 2), "elf-sorcerer"))
    assert refusal.value.rule == "R3.5"


def test_an_enchanter_takes_the_top_hero_of_a_stack_who_dies_after_the_battle() -> None:
    table, game = at_table("diin-enchanter, militia", "torch", stacks=(("elf-wizard", 1), ("elf-sorcerer", 1)))
    game = do(table, game, DUNGEON, use("diin-enchanter"), choose("discard", ("militia", 1)))
    assert asked(table, game)[1] == [("recruit", "elf-wizard")]
    game = do(table, game, choose("recruit", "elf-wizard"))
    assert dict(game.stacks)["elf-wizard"] == 0
    game = do(table, game, attack(1))
    assert "elf-wizard" in game.world.removed


def test_the_sphinx_lets_its_victor_sort_six_cards_of_his_deck() -> None:
    """An empty deck is shuffled anew in between (R2.2); with the offer declined nothing is revealed."""
    hand = "selurin-warlock, selurin-warlock, elf-wizard, lantern, lantern, fireball / militia, militia, dagger"
    table, game = at_table(hand, "militia", hall=("sphinx",), dungeon=GHOSTS)
    world = game.world
    game = replace(game, turn=replace(game.state, pile=("torch", "torch", "torch", "torch"), world=world))
    game = do(table, game, DUNGEON, attack(1))
    assert asked(table, game)[1] == [("decline", None), ("reveal", None)]
    assert step_of(game, legal_actions(table, game)[1])["reveal"] is True
    kept = do(table, game, choose("decline"))
    assert "militia" not in kept.seat(0).discard
    game = do(table, game, choose("reveal"))
    wanted = shuffle_wanted(game)
    assert wanted is not None
    assert "militia" not in wanted.cards, "what lies open is not shuffled in"
    others = [card for card in wanted.cards if card != "torch"]
    game, _ = shuffled(table, game, (*["torch"] * wanted.cards.count("torch"), *others))
    assert ("destroy", ("militia", "militia")) in asked(table, game)[1]
    game, events = told(table, game, choose("destroy", ("militia", "militia")))
    assert game.world.removed == ("militia", "militia")
    assert [event.rules for event in events if event.card == "militia"] == [("R6.4",), ("R6.4",)], "spoils, no breach"


# the Horde (R1.3)


def test_a_placeholder_gives_way_to_the_top_horde_card() -> None:
    table, game = at_table(STRONG, "militia", dungeon="horde-placeholder, ghost", horde="horde-3, horde-4")
    game = do(table, game, DUNGEON, attack(1))
    assert hall_of(game) == ["griffon", "sphinx", "horde-3"]
    assert game.world.horde == ("horde-4",)
    assert game.world.removed == ("horde-placeholder",)


def test_in_the_first_hall_too() -> None:
    _, game = at_table("militia", "militia", hall=("horde-placeholder", "nixie", "griffon"), horde="horde-3, horde-4")
    assert hall_of(game) == ["horde-3", "nixie", "griffon"]


def test_a_horde_card_is_worth_as_many_points_as_there_are() -> None:
    table, game = at_table("horde-3, horde-4", "horde-3, horde-4, horde-5, horde-6, horde-7, horde-8")
    (mine, theirs), best = result(table, game)
    assert (mine.vp, theirs.vp, best) == (2 * 2, 6 * 5, (1,))


# guardians (R6.7, R6.8)


def test_a_guardian_at_rank_1_steps_out_to_rank_0_and_the_hall_is_refilled() -> None:
    table, game = at_table(STRONG, "militia", hall=("nixie", "dark-champion", "griffon"), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, attack(1))
    assert [foe.card for foe in game.state.rank0] == ["dark-champion"]
    assert hall_of(game) == ["griffon", "ghost", "ghost"]


def test_the_dark_champion_takes_a_card_of_each_new_hand() -> None:
    table, game = at_table(STRONG, "torch", hall=("nixie", "dark-champion", "griffon"), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, attack(1))
    assert asked(table, game) == (0, [("destroy", ("dagger", 1))])
    game = do(table, game, choose("destroy", ("dagger", 1)))
    assert (game.active, len(game.seat(0).hand)) == (1, 5)
    game = passed_on(table, do(table, game, REST))
    assert (game.active, len(game.seat(1).hand)) == (0, 5)


def test_a_sentinel_in_rank_0_takes_no_cards() -> None:
    table, game = at_table(STRONG, "torch", hall=("nixie", "death-sentinel", "griffon"), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, attack(1))
    assert (game.active, len(game.seat(0).hand)) == (1, 6)


def test_thunder_wrath_destroys_the_card_that_comes_up() -> None:
    table, game = at_table("militia", "torch", hall=("thunder-wrath",), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, attack(1))
    wanted = shuffle_wanted(game)
    assert wanted is not None
    assert (wanted.what, wanted.cards) == ("hand", ("militia", "torch", "torch", "torch", "torch", "torch"))
    gone, _ = shuffled(table, game, ("torch", "militia", "torch", "torch", "torch", "torch"))
    assert "torch" in gone.world.removed
    with pytest.raises(ValueError, match="not the cards"):
        shuffled(table, game, ("torch",))


@pytest.mark.parametrize(("used", "where"), [(True, "discard"), (False, "removed")])
def test_ambrosia_spares_a_hero_whom_thunder_wrath_would_destroy(used: bool, where: str) -> None:
    """R6.3: what is destroyed by a battle effect is discarded instead, if it is a hero."""
    table, game = at_table("militia, ambrosia", "torch", hall=("thunder-wrath",), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, *([use("ambrosia")] if used else []), attack(1))
    order = ("militia", "ambrosia", "torch", "torch", "torch", "torch")
    after, _ = shuffled(table, game, order)
    assert ("militia" in after.world.removed) == (where == "removed")
    assert ("militia" in after.seat(0).discard) == (where == "discard")
    item, _ = shuffled(table, game, ("torch", "ambrosia", "militia", "torch", "torch", "torch"))
    assert "torch" in item.world.removed


# the end (R7.1)


def stone_next(*hands: str, **more: object) -> tuple[Table, Game]:
    return at_table(*hands, hall=("nixie", "stone-of-mystery", "griffon"), dungeon=GHOSTS, **more)


def test_who_defeats_the_monster_before_the_stone_takes_it() -> None:
    table, game = stone_next(STRONG, "militia")
    game = do(table, game, DUNGEON, attack(1))
    assert game.phase == "over"
    assert "stone-of-mystery" in game.seat(0).discard
    assert legal_actions(table, game) == ()
    assert result(table, game)[0][0].stone


def test_after_a_defeat_nobody_takes_the_stone() -> None:
    table, game = stone_next("militia", "militia")
    game = do(table, game, DUNGEON, attack(1))
    assert game.phase == "over"
    assert game.world.removed == ("stone-of-mystery",)
    assert not any(standing.stone for standing in result(table, game)[0])


def test_of_two_stones_the_first_does_not_end_the_game() -> None:
    table, game = at_table(
        STRONG, STRONG, hall=("nixie", "stone-of-mystery", "griffon"), dungeon="ghost, stone-of-agony, ghost"
    )
    game = do(table, game, DUNGEON, attack(1))
    assert (game.phase, game.active) == ("choose", 1)
    assert "stone-of-mystery" in game.seat(0).discard
    assert hall_of(game) == ["griffon", "ghost", "stone-of-agony"]
    table, game = at_table("militia", hall=("nixie", "stone-of-mystery", "griffon"), dungeon="stone-of-agony, ghost")
    game, events = told(table, game, DUNGEON, attack(1))
    assert game.world.removed == ("stone-of-mystery",)
    assert game.phase != "over"
    assert {event.rules for event in events if event.card == "stone-of-mystery"} == {("R9.1",)}


# solo (R9.5)


def solo(hand: str, dungeon: str, level: str = "normal") -> tuple[Table, Game]:
    return at_table(hand, hall=(), dungeon=dungeon, variant="solo", level=level)


def test_a_monster_comes_each_turn_and_the_fourth_pushes_the_first_out() -> None:
    table, game = solo("militia", "nixie, griffon, sphinx, ghost, spectre")
    halls = []
    for _ in range(4):
        game = passed_on(table, do(table, game, REST))
        halls.append(hall_of(game))
    assert halls[:3] == [["", "", "nixie"], ["", "nixie", "griffon"], ["nixie", "griffon", "sphinx"]]
    assert halls[3] == ["griffon", "sphinx", "ghost"]
    assert game.world.lost == ("nixie",)
    assert lost_points(table, game) == table.book["nixie"].vp
    assert result(table, game)[1] == (), "no more points than the monsters: lost"


@pytest.mark.parametrize(("level", "rests"), [("normal", True), ("fighter", False), ("nightmare", False)])
def test_a_victory_over_a_small_monster_keeps_the_next_one_away(level: str, rests: bool) -> None:
    """The Nixie gives 1 XP: too little for a fighter."""
    table, game = solo(STRONG, "nixie, griffon, sphinx, ghost, spectre", level)
    for _ in range(2):
        game = passed_on(table, do(table, game, REST))
    hand = dealt(tuple(split(STRONG)))
    strong = replace(game, turn=replace(game.state, hand=hand, pile=(), deck=("dagger",) * 12))
    won, events = told(table, strong, DUNGEON, attack(2))
    assert "victory" in {event.key for event in events}
    assert won.world.lost == ()
    before = hall_of(won)
    after = passed_on(table, do(table, won, REST))
    assert (hall_of(after) == before) == rests


def test_a_lost_battle_gives_the_monster_to_the_village_s_enemies() -> None:
    table, game = solo("militia", "sphinx, griffon, ghost, spectre")
    game = passed_on(table, do(table, game, REST))
    game = do(table, game, DUNGEON, attack(3))
    assert game.world.lost == ("sphinx",)
    assert "sphinx" not in game.state.dungeon


def test_a_trap_on_the_march_works_before_the_next_card_is_turned_up() -> None:
    """The one who was pushed to rank 1 arrives when all is done (R6.6)."""
    table, game = solo("militia, elf-wizard", "nixie, tyxr-the-old, sphinx, pit-trap, pit-trap, ghost")
    for _ in range(3):
        game = passed_on(table, do(table, game, REST))
    game = do(table, game, VILLAGE, Action("count"), Action("end"))
    assert asked(table, game)[1] == [("show", ("elf-wizard", 1)), ("show", ("militia", 1))]
    assert hall_of(game) == ["tyxr-the-old", "sphinx", ""]
    game = do(table, game, choose("show", ("militia", 1)))
    assert hall_of(game) == ["tyxr-the-old", "sphinx", ""], "the second trap"
    game, events = told(table, game, choose("show", ("elf-wizard", 1)))
    assert hall_of(game) == ["tyxr-the-old", "sphinx", "ghost"]
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
    table, game = solo("militia", "dark-champion, griffon, sphinx, ghost, spectre, nixie", level)
    for _ in range(4):
        game = passed_on(table, do(table, game, REST))
    assert ([foe.card for foe in game.state.rank0], hall_of(game)) == (
        ["dark-champion"],
        ["sphinx", "ghost", "spectre"],
    )
    game = passed_on(table, do(table, game, DUNGEON, attack(rank)))
    assert [foe.card for foe in game.state.rank0] == ["dark-champion"]
    assert (game.world.lost, hall_of(game)) == (lost, hall)


# marauding monsters (R9.6)


def test_a_monster_that_waited_for_everybody_must_be_attacked_or_taken_as_a_penalty() -> None:
    table, game = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    game = passed_on(table, do(table, game, REST))
    assert game.state.hall[0].tokens == 1
    game = passed_on(table, do(table, game, REST))
    assert legal_actions(table, game) == (DUNGEON, PENALTY)
    taken = do(table, game, PENALTY)
    assert taken.seat(0).penalties == ("nixie",)
    assert hall_of(taken) == ["griffon", "sphinx", "ghost"]
    assert legal_actions(table, taken) == (VILLAGE, DUNGEON, REST)
    assert result(table, taken)[0][0].vp == -1
    fights = do(table, game, DUNGEON)
    assert {action.a for action in legal_actions(table, fights) if action.kind == "attack"} == {1}


def test_an_attack_or_another_monster_starts_the_clock_anew() -> None:
    table, game = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    game = passed_on(table, do(table, game, REST))
    game = do(table, game, DUNGEON, attack(2))
    assert game.state.hall[0].tokens == 1, "an attack on another rank gives no token"
    game = do(table, game, DUNGEON, attack(1))
    assert [foe.tokens for foe in game.state.hall] == [0, 0, 0]


def test_the_clock_of_the_next_monster_starts_in_the_turn_after_a_penalty() -> None:
    """Wrath: after a penalty card the clock of the new monster at rank 1 runs from the next turn on."""
    table, game = at_table("militia", "militia", dungeon=GHOSTS, variant="marauding")
    for _ in range(2):
        game = passed_on(table, do(table, game, REST))
    game = passed_on(table, do(table, game, PENALTY, REST))
    assert [foe.tokens for foe in game.state.hall] == [0, 0, 0]
    game = passed_on(table, do(table, game, REST))
    assert [foe.tokens for foe in game.state.hall] == [1, 0, 0]


def test_a_penalty_that_brings_the_stone_to_rank_1_ends_the_game() -> None:
    table, game = stone_next("militia", "militia", variant="marauding")
    for _ in range(2):
        game = passed_on(table, do(table, game, REST))
    game = do(table, game, PENALTY)
    assert game.phase == "over"
    assert game.world.removed == ("stone-of-mystery",)
    assert [standing.vp for standing in result(table, game)[0]] == [-1, 0]


def test_a_monster_that_was_moved_off_rank_1_has_lost_its_tokens_for_good() -> None:
    """The Nixie is put behind the Griffon and is back at rank 1 when he has been beaten (R9.6)."""
    hand = "banish, outlands-khan, outlands-khan, lantern"
    table, game = at_table(hand, "militia", dungeon=GHOSTS, variant="marauding")
    state = game.state
    game = replace(game, turn=replace(state, hall=(replace(state.hall[0], tokens=1), *state.hall[1:])))
    kept = do(table, game, DUNGEON, use("banish"), choose("order", (0, 2, 1)))
    assert [foe.tokens for foe in kept.state.hall] == [1, 0, 0]
    game = do(
        table, game, DUNGEON, use("banish"), choose("order", (1, 0, 2)), choose("destroy", ("torch", 1)), attack(1)
    )
    assert (hall_of(game)[0], game.state.hall[0].tokens) == ("nixie", 0)
