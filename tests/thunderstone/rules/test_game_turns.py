"""What a turn takes from the table and gives back: stacks, decks, the end in preparation (R4 to R7)."""

from __future__ import annotations

import pytest

from support.seats import DUNGEON, VILLAGE, asked, at_table, attack, choose, do, told, use
from thunderref.thunderstone.rules.choices import COUNT, END, LEAVE, Turn, Use
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.turns import result, shuffle

GHOSTS = "ghost, ghost, ghost, ghost"
STRONG = "outlands-khan, outlands-khan, outlands-khan, lantern, lantern, lantern"


def test_a_conjured_weapon_leaves_its_stack_and_the_game() -> None:
    game, position = at_table("illusory-blade, thyrian-squire", "torch", dungeon=GHOSTS)
    position = do(game, position, DUNGEON, use("illusory-blade"))
    assert asked(game, position)[1] == [("draw", "short-sword")]
    position = do(game, position, choose("draw", "short-sword"), choose("to", ("thyrian-squire", 1)))
    assert dict(position.stacks or ())["short-sword"] == 7
    position = do(game, position, attack(1))
    assert "short-sword" in position.table.removed


def test_an_empty_stack_has_nothing_to_conjure() -> None:
    game, position = at_table("illusory-blade, thyrian-squire", "torch", stacks=(("short-sword", 0),))
    position = do(game, position, DUNGEON, use("illusory-blade"))
    assert not position.todo
    assert len(position.hand[1].weapons) == 0


def test_spoils_come_off_a_stack() -> None:
    """A Dwarf Janissary who attacked may have a weapon for the gold of his party; an empty stack offers none."""
    hand = "dwarf-janissary, outlands-khan, outlands-khan, lantern, lantern, claymore"
    game, position = at_table(hand, "torch", dungeon=GHOSTS, stacks=(("short-sword", 1), ("spear", 0), ("fireball", 8)))
    position = do(game, position, DUNGEON, attack(1))
    assert asked(game, position)[1] == [("decline", None), ("buy", "short-sword")]
    bought = do(game, position, choose("buy", "short-sword"))
    assert dict(bought.stacks or ())["short-sword"] == 0
    assert "short-sword" in seat_of(bought, 0).discard
    assert dict(do(game, position, choose("decline")).stacks or ())["short-sword"] == 1


def test_the_archmage_may_end_the_game_and_nobody_takes_the_stone() -> None:
    game, position = at_table("elf-archmage", "torch", hall=("nixie", "stone-of-mystery", "griffon"), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, use("elf-archmage"), choose("bottom", 1))
    assert position.phase == "over"
    assert position.table.removed == ("stone-of-mystery",)
    assert position.dungeon[-1] == "nixie"


def test_nobody_takes_a_stone_while_a_guardian_stands_in_rank_0() -> None:
    hall = ("death-sentinel", "stone-of-mystery", "griffon")
    game, position = at_table(STRONG, STRONG, hall=("nixie", *hall[:2]), dungeon=f"stone-of-agony, {GHOSTS}")
    position = do(game, position, DUNGEON, attack(1))
    assert [foe.card for foe in position.rank0] == ["death-sentinel"]
    assert "stone-of-mystery" not in seat_of(position, 0).discard
    assert "stone-of-mystery" in position.table.removed


def test_creeping_death_buries_the_weak_without_xp() -> None:
    """Two of them take Health 4 from everybody, which the Horde card of Health 3 does not survive; wounds heal."""
    hand = "creeping-death, creeping-death"
    game, position = at_table(hand, "torch", hall=("horde-3", "griffon", "sphinx"), dungeon=GHOSTS)
    position = do(game, position, DUNGEON, use("creeping-death"))
    assert [foe.wounds for foe in position.hall] == [2, 2, 2]
    position = do(game, position, use("creeping-death", copy=2))
    assert [(foe.card, foe.wounds) for foe in position.hall] == [("griffon", 4), ("sphinx", 4), ("ghost", 0)]
    position = do(game, position, attack(2))
    assert (position.table.active, seat_of(position, 0).xp) == (1, 0)
    assert "horde-3" in seat_of(position, 0).discard
    assert not any(foe.wounds for foe in position.hall)


def test_a_hero_put_on_the_deck_and_drawn_again_has_used_what_he_used() -> None:
    """R2.4: once a turn, wherever the card was meanwhile; another Thug drawn has used nothing."""
    game, position = at_table("blacksmith, gangland-thug, town-guard, militia / gangland-thug, dagger", "torch")
    position = do(
        game, position, VILLAGE, use("gangland-thug"), use("blacksmith", 2), choose("hero", ("gangland-thug", 1))
    )
    position = do(game, position, use("town-guard"))
    thugs = [slot.ref for slot in position.hand if slot.card == "gangland-thug"]
    uses = {action.card for action in legal_actions(game, position) if isinstance(action, Use)}
    assert len(thugs) == 2
    assert len(uses & set(thugs)) == 1


def test_who_may_attack_nothing_leaves() -> None:
    """The Blink Dog may not be attacked without the Light for its rank; a Lantern gives it."""
    game, position = at_table(
        "militia, dagger, dagger, dagger, dagger, dagger", "torch", hall=("blink-dog",), dungeon=""
    )
    position = do(game, position, DUNGEON)
    assert LEAVE in legal_actions(game, position)
    assert do(game, position, LEAVE).table.active == 1
    game, position = at_table("militia, lantern, lantern", "torch", hall=("blink-dog",), dungeon="")
    position = do(game, position, DUNGEON)
    assert LEAVE not in legal_actions(game, position)
    assert attack(1) in legal_actions(game, position)


def test_the_elixir_sorts_the_next_three_cards_of_the_dungeon() -> None:
    game, position = at_table("foresight-elixir", "torch", dungeon="ghost, nixie, sphinx, griffon")
    position = do(game, position, DUNGEON, use("foresight-elixir"), choose("top", ("sphinx", "nixie", "ghost")))
    assert position.dungeon == ("sphinx", "nixie", "ghost", "griffon")
    assert len(position.hand) == 8


def test_a_destroyed_disease_goes_back_to_its_endless_stack() -> None:
    game, position = at_table("divine-healer, disease", "torch")
    position = do(game, position, VILLAGE, use("divine-healer"), choose("destroy", ("disease", 1)))
    position = do(game, position, COUNT, END)
    assert position.table.removed == ()
    assert "disease" not in seat_of(position, 0).discard


@pytest.mark.parametrize(("theirs", "best"), [("torch", (0,)), ("sphinx", (1,))])
def test_most_points_win(theirs: str, best: tuple[int, ...]) -> None:
    """A deck may begin with a Thunderstone (R9.2): 13 cards, and its points count."""
    game, position = at_table("stone-of-mystery", theirs)
    standings, winners = result(game, position)
    assert standings[0].vp == game.cards["stone-of-mystery"].vp
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
    game, position = at_table(hand, "torch")
    answers = {"destroy": choose("destroy", ("torch", 1)), "decline": choose("decline"), "count": COUNT, "end": END}
    position, events = told(game, position, *(answers.get(way, Turn(way)) for way in ways))
    (ended,) = (event for event in events if event.key == "turn-ends")
    assert ended.params == (("n", n), ("seat", 0))
    assert ended.rules == (("R2.1",) if n == 6 else ("R2.1", "R2.2"))
    wanted = shuffle_of(position)
    if wanted is not None:
        position, _ = shuffle(game, position, wanted.cards)
    assert len(seat_of(position, 0).hand) == n
