"""Effects on the other players, in a game that knows their cards (R4.7, R5.2): each with and without its condition."""

from __future__ import annotations

import pytest
from seats import DUNGEON, VILLAGE, asked, at_table, attack, choose, do, told, use

from thunderref.engine.game import legal_actions
from thunderref.engine.party import Party
from thunderref.engine.state import Action
from thunderref.engine.totals import target_of
from thunderref.engine.worth import sums
from thunderref.explain.terms import fold
from thunderref.play.notation import action_of, step_of
from thunderref.play.say import options_of
from thunderref.store.read import open_store
from thunderref.words.words import Words

KHANS = "outlands-khan, outlands-khan"
"""Beat the Nixie at rank 1."""


def test_every_other_player_discards_a_card_of_his_choice() -> None:
    """Lorigg Rogue; the player to the left is asked first."""
    table, game = at_table("lorigg-rogue", "fireball, militia", "dagger")
    game = do(table, game, DUNGEON, use("lorigg-rogue"))
    assert asked(table, game) == (1, [("discard", "fireball"), ("discard", "militia"), ("discard", "torch")])
    game = do(table, game, choose("discard", "fireball"))
    assert game.seat(1).discard == ("fireball",)
    assert len(game.seat(1).hand) == 5
    assert asked(table, game)[0] == 2
    game = do(table, game, choose("discard", "torch"))
    assert not game.state.todo


def test_who_has_no_such_card_shows_his_hand() -> None:
    """Gangland Heavy asks for a card with a gold value; a Militia has one (0), a Fireball has none."""
    table, game = at_table("gangland-heavy", "fireball, fireball, fireball, fireball, fireball, fireball", "militia")
    game, events = told(table, game, DUNGEON, use("gangland-heavy"))
    assert [event.key for event in events][-1] == "other-has-none"
    assert asked(table, game) == (2, [("discard", "militia"), ("discard", "torch")])


def test_a_hero_instead_of_two_cards() -> None:
    """Redblade Assassin: the opponent picks."""
    table, game = at_table("redblade-assassin", "militia")
    before = do(table, game, DUNGEON, use("redblade-assassin"))
    assert asked(table, before)[1] == [("alone", "militia"), ("discard", "militia"), ("discard", "torch")]
    alone = do(table, before, choose("alone", "militia"))
    assert alone.seat(1).discard == ("militia",)
    assert not alone.state.todo
    two = do(table, before, choose("discard", "torch"), choose("discard", "torch"))
    assert two.seat(1).discard == ("torch", "torch")


def test_an_illusionist_comes_back_to_the_hand_unless_a_monster_asked() -> None:
    table, game = at_table("lorigg-rogue", "diin-illusionist")
    game, events = told(table, game, DUNGEON, use("lorigg-rogue"), choose("discard", "diin-illusionist"))
    assert "diin-illusionist" in game.seat(1).hand
    assert events[-1].key == "other-keeps"
    table, game = at_table("elf-archmage", "diin-illusionist", hall=["nixie", "tyxr-the-old", "griffon"])
    game = do(table, game, DUNGEON, use("elf-archmage"), choose("bottom", 1))
    game = do(table, game, choose("discard", ("torch", 1)), choose("discard", ("torch", 2)))
    assert asked(table, game)[0] == 1
    game = do(table, game, choose("discard", "diin-illusionist"), choose("discard", "torch"))
    assert "diin-illusionist" in game.seat(1).discard


@pytest.mark.parametrize(("card", "magic"), [("torch", 5), ("fireball", 3)])
def test_the_witch_gains_magic_unless_a_spell_is_discarded(card: str, magic: int) -> None:
    """Magic Attack 3, +2 for the effect."""
    table, game = at_table("runespawn-witch", "fireball")
    game = do(table, game, DUNGEON, use("runespawn-witch", 2), choose("discard", card))
    party = Party(table, game.state)
    assert fold(sums(party, target_of(table, game.state.hall[0], 1)))[1] == magic


def test_creeping_death_gives_every_other_player_a_disease() -> None:
    table, game = at_table("creeping-death", "torch", "torch", dungeon="ghost, ghost, ghost")
    game = do(table, game, DUNGEON, use("creeping-death"))
    assert (game.seat(1).discard, game.seat(2).discard) == (("disease",), ("disease",))
    assert "disease" not in game.seat(0).discard


def test_the_theurge_borrows_a_hero_of_another_player_who_goes_back() -> None:
    table, game = at_table("selurin-theurge", "elf-wizard", "fireball")
    game = do(table, game, DUNGEON, use("selurin-theurge"))
    assert asked(table, game) == (0, [("discard", ("selurin-theurge", 1))])
    table, game = at_table("selurin-theurge, militia", "elf-wizard", "fireball")
    game = do(table, game, DUNGEON, use("selurin-theurge"), choose("discard", ("militia", 1)))
    assert asked(table, game) == (1, [("discard", "elf-wizard")])
    game = do(table, game, choose("discard", "elf-wizard"))
    assert asked(table, game)[1] == [("decline", None), ("borrow", ("militia", 1)), ("borrow-from", (1, "elf-wizard"))]
    game = do(table, game, choose("borrow-from", (1, "elf-wizard")))
    assert any(slot.card == "elf-wizard" for slot in game.state.hand)
    assert "elf-wizard" not in game.seat(0).hand, "a borrowed card is not owned"
    game = do(table, game, attack(1))
    while game.active == 0:
        game = do(table, game, legal_actions(table, game)[0])
    assert game.seat(1).discard == ("elf-wizard",)


def test_a_borrowed_hero_who_is_destroyed_is_lost() -> None:
    """Tyxr destroys a hero of the player's choice."""
    table, game = at_table("selurin-theurge", "elf-wizard", hall=["tyxr-the-old", "griffon", "sphinx"])
    game = do(table, game, DUNGEON, use("selurin-theurge"), choose("discard", ("selurin-theurge", 1)))
    game = do(table, game, choose("discard", "elf-wizard"), choose("borrow-from", (1, "elf-wizard")))
    game = do(table, game, attack(1))
    assert asked(table, game)[1] == [("pick", ("elf-wizard", 1))]
    game = do(table, game, choose("pick", ("elf-wizard", 1)))
    assert "elf-wizard" in game.world.removed
    assert "elf-wizard" not in game.seat(1).discard


def test_the_gladiator_borrows_only_a_weapon_he_can_hold() -> None:
    table, game = at_table("toryn-gladiator", "claymore", "warhammer")
    game = do(table, game, DUNGEON, use("toryn-gladiator"))
    game = do(table, game, choose("discard", "claymore"), choose("discard", "warhammer"))
    assert asked(table, game)[1][1:] == [("borrow-from", (1, "claymore")), ("borrow-from", (2, "warhammer"))]
    game = do(table, game, choose("borrow-from", (1, "claymore")))
    (gladiator,) = [slot for slot in game.state.hand if slot.card == "toryn-gladiator"]
    assert [weapon.card for weapon in gladiator.weapons] == ["claymore"]


def test_a_borrowed_spear_that_is_thrown_is_lost() -> None:
    table, game = at_table("toryn-gladiator", "spear", hall=("griffon",), dungeon="ghost")
    game = do(table, game, DUNGEON, use("toryn-gladiator"), choose("discard", "spear"))
    game = do(table, game, choose("borrow-from", (1, "spear")), use("spear"))
    assert "spear" in [card for card, _ in game.state.destroyed]
    game = do(table, game, attack(1))
    assert game.world.removed == ("spear",)
    assert game.seat(1).discard == ()


def test_the_hunter_takes_a_monster_of_the_same_type_worth_five_at_most() -> None:
    """He hunts an Enchanted monster: the Nixie is one, the Ghost is not, the Sphinx is worth too much."""
    strong = "gohlen-hunter, gohlen-hunter, gohlen-hunter, lantern"
    table, game = at_table(
        strong,
        "nixie",
        "ghost",
        "sphinx",
        hall=["griffon", "ooze-nothing", "sphinx"][:1],
        dungeon="ghost, ghost, ghost",
    )
    game = do(table, game, DUNGEON, use("gohlen-hunter"))
    game = do(
        table, game, choose("discard", "nixie"), choose("discard", "ghost"), choose("discard", "sphinx"), attack(1)
    )
    assert asked(table, game)[1] == [("decline", None), ("hunt", (1, "nixie"))]
    game = do(table, game, choose("hunt", (1, "nixie")))
    assert game.seat(1).discard == ()
    assert "nixie" in (*game.seat(0).discard, *game.seat(0).hand)


def test_without_the_effect_nothing_is_hunted() -> None:
    strong = "gohlen-hunter, gohlen-hunter, gohlen-hunter, lantern"
    table, game = at_table(strong, "nixie", hall=["griffon"], dungeon="ghost, ghost, ghost")
    game, events = told(table, game, DUNGEON, attack(1))
    assert "victory" in {event.key for event in events}
    assert game.active == 1


def test_everybody_destroys_a_monster_against_blood_torment() -> None:
    table, game = at_table("griffon", "nixie", "torch", hall=["blood-torment", "ghost", "ghost"])
    game = do(table, game, DUNGEON, attack(1), choose("pick", ("griffon", 1)))
    assert asked(table, game) == (1, [("destroy", "nixie")])
    game = do(table, game, choose("destroy", "nixie"))
    assert {"griffon", "nixie"} <= set(game.world.removed)
    assert game.active == 1


def test_tavern_brawl_fights_the_first_hero_off_a_deck() -> None:
    """Strength 6 against 2 destroys him for 1 XP; against an equal hero nothing happens."""
    for theirs, xp in (("militia", 1), ("thyrian-squire", 0)):
        table, game = at_table("tavern-brawl, thyrian-squire", f"/ torch, {theirs}, dagger")
        game = do(table, game, VILLAGE, use("tavern-brawl"), choose("discard", ("thyrian-squire", 1)))
        assert asked(table, game) == (0, [("player", 1)])
        game = do(table, game, choose("player", 1))
        assert game.seat(0).xp == xp
        assert game.seat(1).deck == ("dagger",)
        assert (theirs in game.seat(1).discard) == (not xp)
        assert (theirs in game.world.removed) == bool(xp)


def test_a_deck_without_heroes_gives_nobody_to_brawl_with() -> None:
    table, game = at_table("tavern-brawl, militia", "/ torch, dagger")
    game = do(table, game, VILLAGE, use("tavern-brawl"), choose("discard", ("militia", 1)), choose("player", 1))
    assert game.seat(0).xp == 0
    assert game.seat(1).discard == ("torch", "dagger")


def test_tavern_brawl_at_its_own_cost_takes_two_cards_of_each() -> None:
    table, game = at_table("tavern-brawl, militia", "dagger")
    game = do(table, game, VILLAGE, use("tavern-brawl", 2), choose("destroy", ("militia", 1)))
    game = do(table, game, choose("discard", "dagger"), choose("discard", "torch"))
    assert game.seat(1).discard == ("dagger", "torch")
    assert Action("count") in legal_actions(table, game)


def test_the_tax_is_what_the_others_discard() -> None:
    """A Claymore is worth 3 gold, a Fireball has no gold value."""
    none = ", ".join(["fireball"] * 6)
    table, game = at_table("tax-collector", "claymore", none)
    game = do(table, game, VILLAGE, use("tax-collector", 2), choose("discard", "claymore"))
    assert game.turn.gold == 3
    table, game = at_table("tax-collector", none)
    assert do(table, game, VILLAGE, use("tax-collector", 2)).turn.gold == 0


def test_whose_card_is_borrowed_can_be_said_and_written() -> None:
    table, game = at_table("toryn-gladiator", "claymore", "claymore")
    game = do(table, game, DUNGEON, use("toryn-gladiator"))
    game = do(table, game, choose("discard", "claymore"), choose("discard", "claymore"))
    actions = legal_actions(table, game)
    steps = [step_of(game, action) for action in actions]
    assert steps[1:] == [{"borrow": "claymore", "seat": seat, "for": "toryn-gladiator"} for seat in (2, 3)]
    assert [action_of(table, game, step) for step in steps] == list(actions)
    labels = [
        option.label for option in options_of(Words(open_store(), "en"), table, game, actions, ["Ann", "Ben", "Cid"])
    ]
    assert labels == ["no", "borrow Claymore from Ben", "borrow Claymore from Cid"]


def test_a_brawl_breaks_no_hall_open() -> None:
    """What a player's own card does to others rests on R4.7, not on the rule of traps and breaches (R6.6)."""
    for theirs in ("militia", "thyrian-lord"):
        table, game = at_table("tavern-brawl, thyrian-squire", f"/ torch, {theirs}, dagger")
        game = do(table, game, VILLAGE, use("tavern-brawl"), choose("discard", ("thyrian-squire", 1)))
        _, events = told(table, game, choose("player", 1))
        assert [event.card for event in events if event.key == "turned-off-deck"] == ["torch", theirs]
        assert "R6.6" not in {rule for event in events for rule in event.rules}


def test_an_illusionist_is_only_one_of_two_discarded_cards() -> None:
    """He comes back when both are discarded, so he cannot be the second card as well (R4.7)."""
    table, game = at_table("redblade-assassin", "diin-illusionist", "torch")
    game = do(table, game, DUNGEON, use("redblade-assassin"), choose("discard", "diin-illusionist"))
    assert asked(table, game) == (1, [("discard", "torch")])
    game = do(table, game, choose("discard", "torch"))
    assert game.seat(1).discard == ("torch",)
    assert "diin-illusionist" in game.seat(1).hand
    assert asked(table, game)[0] == 2


@pytest.mark.parametrize(("hand", "hall", "rule"), [("lorigg-rogue", "nixie", "R4.7"), (KHANS, "tyxr-the-old", "R6.6")])
def test_a_discard_names_the_rule_that_asks_for_it(hand: str, hall: str, rule: str) -> None:
    """A player's own card (R4.7), a breach (R6.6)."""
    table, game = at_table(hand, "torch", hall=("nixie", hall, "griffon"), dungeon="ghost, ghost")
    game = do(table, game, DUNGEON)
    if hand == KHANS:
        game, own = told(table, game, attack(1), choose("discard", ("torch", 1)), choose("discard", ("torch", 2)))
        assert {event.rules for event in own if event.key == "discarded"} == {(rule,)}
    else:
        game = do(table, game, use(hand))
    _, events = told(table, game, choose("discard", "torch"))
    assert [event.rules for event in events if event.key == "other-discards"] == [(rule,)]
