"""The hall: shifting, refilling, breaches, guardians, monsters that stay, and the Thunderstone (R6.6 to R6.8, R7.1)."""

from __future__ import annotations

import pytest

from support.turns import attack, choose, do, events_of, finish, in_hand, names, turn, use
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.rules.choices import LEAVE
from thunderref.thunderstone.rules.hall import movable_ranks, refill, removable_ranks, take_out
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Foe

ARCHMAGE = use("elf-archmage")


@pytest.mark.parametrize(
    ("rank", "after"),
    [
        (1, ["griffon", "sphinx", "nixie"]),
        (2, ["pegasus", "sphinx", "nixie"]),
        (3, ["pegasus", "griffon", "nixie"]),
    ],
)
def test_the_ranks_behind_move_up_and_a_known_card_fills_rank_3(rank: int, after: list[str]) -> None:
    game, state = turn(["militia"], ["pegasus", "griffon", "sphinx"], dungeon=["nixie", "ghost"])
    filled = refill(game, take_out(state, rank), [])
    assert names(filled) == after
    assert filled.dungeon == ("ghost",)


def test_beyond_the_known_cards_a_rank_is_unknown() -> None:
    game, state = turn(["militia"], ["pegasus", "griffon", "sphinx"])
    assert names(refill(game, take_out(state, 2), [])) == ["pegasus", "sphinx", "?"]


def test_an_unknown_card_cannot_be_attacked_or_moved() -> None:
    game, state = turn(["elf-archmage", "elf-archmage", "lantern"], ["pegasus", "griffon", "sphinx"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert names(state) == ["griffon", "sphinx", "?"]
    assert movable_ranks(game, state) == (1, 2)
    assert attack(3) not in legal_actions(game, state)


def test_a_horde_placeholder_gives_its_place_to_a_card_not_known() -> None:
    game, state = turn(["elf-archmage"], ["pegasus", "griffon", "sphinx"], dungeon=["horde-placeholder", "nixie"])
    state = do(game, state, ARCHMAGE, choose("bottom", 3))
    assert names(state) == ["pegasus", "griffon", "?"]
    assert state.dungeon == ("nixie",)


def test_a_lost_battle_sends_the_monster_under_the_deck() -> None:
    game, state = turn(["militia"], ["pegasus", "griffon", "sphinx"], dungeon=["nixie"])
    state = finish(game, do(game, state, attack(1)))
    assert names(state) == ["griffon", "sphinx", "nixie"]
    assert state.gained == ()


def test_a_breach_comes_with_the_move_to_rank_1() -> None:
    game, state = turn(["elf-archmage", "militia", "torch"], ["nixie", "tyxr-the-old", "griffon"], dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert {action.key for action in legal_actions(game, state)} == {"discard"}
    state = do(game, state, choose("discard", ("militia", 1)), choose("discard", ("torch", 1)))
    assert in_hand(state) == ["elf-archmage"]
    assert sorted(state.discarded) == [("militia", 1), ("torch", 1)]


@pytest.mark.parametrize(
    ("hall", "rank"),
    [
        (["tyxr-the-old", "nixie", "griffon"], 2),  # he stood at rank 1 before
        (["nixie", "griffon", "tyxr-the-old"], 1),  # he only comes to rank 2
        (["nixie", "tyxr-the-old", "griffon"], 2),  # he leaves
    ],
)
def test_no_breach_without_an_arrival_at_rank_1(hall: list[str | None], rank: int) -> None:
    game, state = turn(["elf-archmage", "militia", "torch"], hall, dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", rank))
    assert state.discarded == ()
    assert not state.todo


def test_a_hall_put_in_another_order_breaches_too() -> None:
    game, state = turn(["banish", "militia", "torch"], ["nixie", "griffon", "archduke-of-pain"])
    moved = events_of(game, state, use("banish"), choose("order", (2, 0, 1)))
    assert [event.card for event in moved if event.key == "breach"] == ["archduke-of-pain"]
    stayed = events_of(game, state, use("banish"), choose("order", (0, 2, 1)))
    assert not [event for event in stayed if event.key == "breach"]


def test_a_breach_after_the_battle_comes_before_the_hand_is_discarded() -> None:
    game, state = turn(["outlands-khan", "militia", "torch"], ["nixie", "tyxr-the-old"], dungeon=["ghost", "griffon"])
    state = do(game, state, attack(1))
    assert state.phase == "after"
    state = finish(game, state)
    assert len(state.discarded) == 2
    assert names(state) == ["tyxr-the-old", "ghost", "griffon"]


@pytest.mark.parametrize(
    ("torment", "deck", "victim"),
    [
        ("smoke-torment", ["torch", "militia", "elf-wizard"], "militia"),
        ("lava-torment", ["militia", "elf-wizard", "elf-sorcerer"], "elf-wizard"),
        ("shadow-torment", ["elf-wizard", "elf-sorcerer", "elf-archmage"], "elf-sorcerer"),
        ("blood-torment", ["elf-wizard", "elf-archmage", "torch"], "elf-archmage"),
    ],
)
def test_a_torment_reveals_the_top_five_cards(torment: str, deck: list[str], victim: str) -> None:
    deck = [*deck, "dagger", "dagger", "disease"]
    game, state = turn(["elf-archmage"], ["nixie", torment, "griffon"], deck=deck, dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert legal_actions(game, state) == (choose("destroy", victim),)
    state = do(game, state, choose("destroy", victim))
    assert [card for card, _ in state.destroyed] == [victim]
    assert len(state.discarded) == 4
    assert state.deck == ("disease",)


def test_a_torment_that_finds_nothing_destroys_nothing() -> None:
    game, state = turn(["elf-archmage"], ["nixie", "smoke-torment", "griffon"], deck=["torch"], dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert state.destroyed == ()
    assert [card for card, _ in state.discarded] == ["torch"]


def test_a_guardian_steps_into_rank_0_and_the_hall_fills_up_behind_him() -> None:
    hall = ["nixie", "dark-champion", "griffon"]
    game, state = turn(["elf-archmage"], hall, rank0=["death-sentinel"], dungeon=["ghost", "sphinx"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert [foe.card for foe in state.rank0] == ["death-sentinel", "dark-champion"]
    assert names(state) == ["griffon", "ghost", "sphinx"]


def test_whoever_follows_a_guardian_to_rank_1_breaches_as_well() -> None:
    hall = ["nixie", "dark-champion", "tyxr-the-old"]
    game, state = turn(["elf-archmage", "militia", "torch"], hall, dungeon=["ghost", "sphinx"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert names(state) == ["tyxr-the-old", "ghost", "sphinx"]
    assert {action.key for action in legal_actions(game, state)} == {"discard"}


def test_guardians_cannot_be_moved_and_stay_after_a_lost_battle() -> None:
    game, state = turn(["elf-archmage"], ["nixie", "dark-champion", "griffon"], dungeon=["ghost"])
    assert movable_ranks(game, state) == removable_ranks(game, state) == (1, 3)
    lost = finish(game, do(game, state, attack(2)))
    assert names(lost) == ["nixie", "dark-champion", "griffon"]


def test_death_sentinel_makes_the_others_healthier() -> None:
    game, state = turn(["outlands-khan", "torch"], ["griffon"], rank0=["death-sentinel"])
    state = do(game, state, attack(1))
    assert state.outcome is not None
    assert (state.outcome.health, state.outcome.victory) == (8, False)
    game, state = turn(["outlands-khan"], ["griffon"], rank0=["death-sentinel"])
    state = do(game, state, attack(0))
    assert state.outcome is not None
    assert (state.outcome.health, state.outcome.light_penalty) == (10, 0)


def test_steam_torment_keeps_everyone_in_the_hall() -> None:
    game, state = turn(["elf-archmage"], ["nixie", "steam-torment", "griffon"], dungeon=["ghost"])
    assert (movable_ranks(game, state), removable_ranks(game, state)) == ((1, 2, 3), ())
    lost = finish(game, do(game, state, attack(1)))
    assert names(lost) == ["nixie", "steam-torment", "griffon"]


def test_creeping_death_takes_the_dead_and_leaves_the_rest_wounded() -> None:
    hall = ["nixie", "harbinger", "griffon"]
    game, state = turn(["creeping-death", "creeping-death"], hall, dungeon=["grudgebeast"])
    state = do(game, state, use("creeping-death"))
    assert state.hall == (Foe("nixie", 2), Foe("harbinger", 2), Foe("griffon", 2))
    state = do(game, state, use("creeping-death", copy=2))
    assert state.hall == (Foe("nixie", 4), Foe("griffon", 4), Foe("grudgebeast", 0))
    assert state.gained == ("harbinger",)
    assert state.xp == 0


def test_the_stone_at_rank_1_ends_the_game_at_once() -> None:
    game, state = turn(["elf-archmage", "militia"], ["nixie", "stone-of-mystery", "griffon"], dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    assert state.ended
    assert state.phase == "end"
    assert legal_actions(game, state) == ()
    assert "stone-of-mystery" not in state.gained


def test_after_the_end_nothing_is_legal() -> None:
    game, state = turn(["elf-archmage", "militia"], ["nixie", "stone-of-mystery", "griffon"], dungeon=["ghost"])
    state = do(game, state, ARCHMAGE, choose("bottom", 1))
    with pytest.raises(IllegalStepError):
        do(game, state, LEAVE)


def test_the_winner_of_rank_1_takes_the_stone_he_brought_there() -> None:
    game, state = turn(["outlands-khan", "torch"], ["nixie", "stone-of-mystery", "griffon"], dungeon=["ghost"])
    state = finish(game, do(game, state, attack(1)))
    assert state.ended
    assert sorted(state.gained) == ["nixie", "stone-of-mystery"]


@pytest.mark.parametrize(
    ("hand", "rank0"),
    [(["militia", "torch"], []), (["outlands-khan", "torch"], ["dark-champion"])],
    ids=["lost battle", "guardian in rank 0"],
)
def test_else_nobody_takes_the_stone(hand: list[str], rank0: list[str]) -> None:
    game, state = turn(hand, ["nixie", "stone-of-mystery", "griffon"], rank0=rank0, dungeon=["ghost"])
    state = finish(game, do(game, state, attack(1)))
    assert state.ended
    assert "stone-of-mystery" not in state.gained


def test_a_victory_at_rank_2_brings_no_stone_to_rank_1() -> None:
    hall = ["nixie", "griffon", "stone-of-mystery"]
    game, state = turn(["outlands-khan", "lantern"], hall, dungeon=["ghost"])
    state = finish(game, do(game, state, attack(2)))
    assert not state.ended
    assert names(state) == ["nixie", "stone-of-mystery", "ghost"]


def test_whoever_may_attack_must_attack() -> None:
    game, state = turn(["militia"], ["nixie"])
    with pytest.raises(IllegalStepError) as refusal:
        do(game, state, LEAVE)
    assert refusal.value.rule == "R4.8"
    game, state = turn(["militia"], ["blink-dog"])
    assert legal_actions(game, state) == (LEAVE,)
    assert do(game, state, LEAVE).phase == "end"


def test_a_thunderstone_that_arrives_before_unknown_cards_ends_the_game() -> None:
    """R4.6: what stands behind it need not be known, nor the other players' hands, to see that the game is over."""
    scenario = {"hand": ["banish", "outlands-khan"], "hall": ["nixie", "stone-of-mystery", "griffon"]}
    for others in ([], [["torch"]]):
        with pytest.raises(IllegalStepError) as refusal:
            resolve(
                {**scenario, "others": others, "plan": [{"use": "banish", "bottom": "nixie"}, {"attack": 1}]},
            )
        assert refusal.value.rule == "R4.6"
