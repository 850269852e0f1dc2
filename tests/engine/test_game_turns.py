"""What a turn takes from the table and gives back: stacks, decks, the end in preparation (R4 to R7)."""

from __future__ import annotations

import pytest
from seats import DUNGEON, VILLAGE, asked, at_table, attack, choose, do, told, use

from thunderref.engine.game import legal_actions, shuffle_wanted, shuffled
from thunderref.engine.places import result
from thunderref.engine.state import Action

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern, lantern, lantern"


def test_a_conjured_weapon_leaves_its_stack_and_the_game() -> None:
    table, game = at_table("illusory-blade, thyrian-squire", "torch", dungeon=GHOSTS)
    game = do(table, game, DUNGEON, use("illusory-blade"))
    assert asked(table, game)[1] == [("draw", "short-sword")]
    game = do(table, game, choose("draw", "short-sword"), choose("to", ("thyrian-squire", 1)))
    assert dict(game.stacks)["short-sword"] == 7
    game = do(table, game, attack(1))
    assert "short-sword" in game.world.removed


def test_an_empty_stack_has_nothing_to_conjure() -> None:
    table, game = at_table("illusory-blade, thyrian-squire", "torch", stacks=(("short-sword", 0),))
    game = do(table, game, DUNGEON, use("illusory-blade"))
    assert not game.state.todo
    assert len(game.state.hand[1].weapons) == 0


def test_spoils_come_off_a_stack() -> None:
    """A Dwarf Janissary who attacked may have a weapon for the gold of his party; an empty stack offers none."""
    hand = "dwarf-janissary, outlands-khan, outlands-khan, lantern, lantern, claymore"
    table, game = at_table(hand, "torch", dungeon=GHOSTS, stacks=(("short-sword", 1), ("spear", 0), ("fireball", 8)))
    game = do(table, game, DUNGEON, attack(1))
    assert asked(table, game)[1] == [("decline", None), ("buy", "short-sword")]
    bought = do(table, game, choose("buy", "short-sword"))
    assert dict(bought.stacks)["short-sword"] == 0
    assert "short-sword" in bought.seat(0).discard
    assert dict(do(table, game, choose("decline")).stacks)["short-sword"] == 1


def test_the_archmage_may_end_the_game_and_nobody_takes_the_stone() -> None:
    table, game = at_table("elf-archmage", "torch", hall=("nixie", "stone-of-mystery", "griffon"), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, use("elf-archmage"), choose("bottom", 1))
    assert game.phase == "over"
    assert game.world.removed == ("stone-of-mystery",)
    assert game.state.dungeon[-1] == "nixie"


def test_nobody_takes_a_stone_while_a_guardian_stands_in_rank_0() -> None:
    hall = ("death-sentinel", "stone-of-mystery", "griffon")
    table, game = at_table(STRONG, STRONG, hall=("nixie", *hall[:2]), dungeon=f"stone-of-agony, {GHOSTS}")
    game = do(table, game, DUNGEON, attack(1))
    assert [foe.card for foe in game.state.rank0] == ["death-sentinel"]
    assert "stone-of-mystery" not in game.seat(0).discard
    assert "stone-of-mystery" in game.world.removed


def test_creeping_death_buries_the_weak_without_xp() -> None:
    """Two of them take Health 4 from everybody, which the Horde card of Health 3 does not survive; wounds heal."""
    hand = "creeping-death, creeping-death"
    table, game = at_table(hand, "torch", hall=("horde-3", "griffon", "sphinx"), dungeon=GHOSTS)
    game = do(table, game, DUNGEON, use("creeping-death"))
    assert [foe.wounds for foe in game.state.hall] == [2, 2, 2]
    game = do(table, game, use("creeping-death", copy=2))
    assert [(foe.card, foe.wounds) for foe in game.state.hall] == [("griffon", 4), ("sphinx", 4), ("ghost", 0)]
    game = do(table, game, attack(2))
    assert (game.active, game.seat(0).xp) == (1, 0)
    assert "horde-3" in game.seat(0).discard
    assert not any(foe.wounds for foe in game.state.hall)


def test_a_hero_put_on_the_deck_and_drawn_again_has_used_what_he_used() -> None:
    """R2.4: once a turn, wherever the card was meanwhile; another Thug drawn has used nothing."""
    table, game = at_table("blacksmith, gangland-thug, town-guard, militia / gangland-thug, dagger", "torch")
    game = do(table, game, VILLAGE, use("gangland-thug"), use("blacksmith", 2), choose("hero", ("gangland-thug", 1)))
    game = do(table, game, use("town-guard"))
    thugs = [slot.ref for slot in game.state.hand if slot.card == "gangland-thug"]
    uses = {action.a for action in legal_actions(table, game) if action.kind == "use"}
    assert len(thugs) == 2
    assert len(uses & set(thugs)) == 1


def test_who_may_attack_nothing_leaves() -> None:
    """The Blink Dog may not be attacked without the Light for its rank; a Lantern gives it."""
    table, game = at_table("militia, dagger, dagger, dagger, dagger, dagger", "torch", hall=("blink-dog",), dungeon="")
    game = do(table, game, DUNGEON)
    assert Action("leave") in legal_actions(table, game)
    assert do(table, game, Action("leave")).active == 1
    table, game = at_table("militia, lantern, lantern", "torch", hall=("blink-dog",), dungeon="")
    game = do(table, game, DUNGEON)
    assert Action("leave") not in legal_actions(table, game)
    assert attack(1) in legal_actions(table, game)


def test_the_elixir_sorts_the_next_three_cards_of_the_dungeon() -> None:
    table, game = at_table("foresight-elixir", "torch", dungeon="ghost, nixie, sphinx, griffon")
    game = do(table, game, DUNGEON, use("foresight-elixir"), choose("top", ("sphinx", "nixie", "ghost")))
    assert game.state.dungeon == ("sphinx", "nixie", "ghost", "griffon")
    assert len(game.state.hand) == 8


def test_a_destroyed_disease_goes_back_to_its_endless_stack() -> None:
    table, game = at_table("divine-healer, disease", "torch")
    game = do(table, game, VILLAGE, use("divine-healer"), choose("destroy", ("disease", 1)))
    game = do(table, game, Action("count"), Action("end"))
    assert game.world.removed == ()
    assert "disease" not in game.seat(0).discard


@pytest.mark.parametrize(("theirs", "best"), [("torch", (0,)), ("sphinx", (1,))])
def test_most_points_win(theirs: str, best: tuple[int, ...]) -> None:
    """A deck may begin with a Thunderstone (R9.2): 13 cards, and its points count."""
    table, game = at_table("stone-of-mystery", theirs)
    standings, winners = result(table, game)
    assert standings[0].vp == table.book["stone-of-mystery"].vp
    assert winners == best


@pytest.mark.parametrize(
    ("hand", "ways", "n"),
    [
        ("torch", ("village", "count", "end"), 6),  # six cards lie below
        ("torch/", ("village", "count", "end"), 6),  # what was discarded is shuffled
        ("torch/dagger", ("rest", "destroy"), 6),
        ("torch/", ("rest", "destroy"), 5),
        ("torch/", ("rest", "decline"), 6),
    ],
)
def test_the_end_of_a_turn_tells_how_many_cards_are_drawn(hand: str, ways: tuple[str, ...], n: int) -> None:
    """Six are drawn, or as many as there are, the discard pile included (R2.1, R2.2)."""
    table, game = at_table(hand, "torch")
    answers = {"destroy": choose("destroy", ("torch", 1)), "decline": choose("decline")}
    game, events = told(table, game, *(answers.get(way, Action(way)) for way in ways))
    (ended,) = (event for event in events if event.key == "turn-ends")
    assert ended.params == (("n", n), ("seat", 0))
    assert ended.rules == (("R2.1",) if n == 6 else ("R2.1", "R2.2"))
    wanted = shuffle_wanted(game)
    if wanted is not None:
        game, _ = shuffled(table, game, wanted.cards)
    assert len(game.seat(0).hand) == n
