"""Effects on the other players, in a game that knows their cards (R4.7, R5.2): each with and without its condition."""

from __future__ import annotations

import pytest

from support.seats import DUNGEON, VILLAGE, asked, at_table, attack, choose, do, told, use
from thunderref.database.read import Language, open_database
from thunderref.thunderstone.resolve.report import ChoiceTexts
from thunderref.thunderstone.rules.choices import COUNT
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.figures import sums
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.notation import choice_of, step_of
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import Target

KHANS = "outlands-khan, outlands-khan"
"""Beat the Nixie at rank 1."""


def test_every_other_player_discards_a_card_of_his_choice() -> None:
    """Lorigg Rogue; the player to the left is asked first."""
    game, position = at_table("lorigg-rogue", "fireball, militia", "dagger")
    position = do(game, position, DUNGEON, use("lorigg-rogue"))
    assert asked(game, position) == (1, [("discard", "fireball"), ("discard", "militia"), ("discard", "torch")])
    position = do(game, position, choose("discard", "fireball"))
    assert seat_of(position, 1).discard == ("fireball",)
    assert len(seat_of(position, 1).hand) == 5
    assert asked(game, position)[0] == 2
    position = do(game, position, choose("discard", "torch"))
    assert not position.todo


def test_who_has_no_such_card_shows_his_hand() -> None:
    """Gangland Heavy asks for a card with a gold value; a Militia has one (0), a Fireball has none."""
    game, position = at_table("gangland-heavy", "fireball, fireball, fireball, fireball, fireball, fireball", "militia")
    position, events = told(game, position, DUNGEON, use("gangland-heavy"))
    assert [event.key for event in events][-1] == "other-has-none"
    assert asked(game, position) == (2, [("discard", "militia"), ("discard", "torch")])


def test_a_hero_instead_of_two_cards() -> None:
    """Redblade Assassin: the opponent picks."""
    game, position = at_table("redblade-assassin", "militia")
    before = do(game, position, DUNGEON, use("redblade-assassin"))
    assert asked(game, before)[1] == [("alone", "militia"), ("discard", "militia"), ("discard", "torch")]
    alone = do(game, before, choose("alone", "militia"))
    assert seat_of(alone, 1).discard == ("militia",)
    assert not alone.todo
    two = do(game, before, choose("discard", "torch"), choose("discard", "torch"))
    assert seat_of(two, 1).discard == ("torch", "torch")


def test_an_illusionist_comes_back_to_the_hand_unless_a_monster_asked() -> None:
    game, position = at_table("lorigg-rogue", "diin-illusionist")
    position, events = told(game, position, DUNGEON, use("lorigg-rogue"), choose("discard", "diin-illusionist"))
    assert "diin-illusionist" in seat_of(position, 1).hand
    assert events[-1].key == "other-keeps"
    game, position = at_table("elf-archmage", "diin-illusionist", hall=["nixie", "tyxr-the-old", "griffon"])
    position = do(game, position, DUNGEON, use("elf-archmage"), choose("bottom", 1))
    position = do(game, position, choose("discard", ("torch", 1)), choose("discard", ("torch", 2)))
    assert asked(game, position)[0] == 1
    position = do(game, position, choose("discard", "diin-illusionist"), choose("discard", "torch"))
    assert "diin-illusionist" in seat_of(position, 1).discard


@pytest.mark.parametrize(("card", "magic"), [("torch", 5), ("fireball", 3)])
def test_the_witch_gains_magic_unless_a_spell_is_discarded(card: str, magic: int) -> None:
    """Magic Attack 3, +2 for the effect."""
    game, position = at_table("runespawn-witch", "fireball")
    position = do(game, position, DUNGEON, use("runespawn-witch", 2), choose("discard", card))
    party = Party(game, position)
    assert fold(sums(party, Target(game.cards[position.hall[0].card], 1, None)))[1] == magic


def test_creeping_death_gives_every_other_player_a_disease() -> None:
    game, position = at_table("creeping-death", "torch", "torch", dungeon="ghost, ghost, ghost")
    position = do(game, position, DUNGEON, use("creeping-death"))
    assert (seat_of(position, 1).discard, seat_of(position, 2).discard) == (("disease",), ("disease",))
    assert "disease" not in seat_of(position, 0).discard


def test_the_theurge_borrows_a_hero_of_another_player_who_goes_back() -> None:
    game, position = at_table("selurin-theurge", "elf-wizard", "fireball")
    position = do(game, position, DUNGEON, use("selurin-theurge"))
    assert asked(game, position) == (0, [("discard", ("selurin-theurge", 1))])
    game, position = at_table("selurin-theurge, militia", "elf-wizard", "fireball")
    position = do(game, position, DUNGEON, use("selurin-theurge"), choose("discard", ("militia", 1)))
    assert asked(game, position) == (1, [("discard", "elf-wizard")])
    position = do(game, position, choose("discard", "elf-wizard"))
    assert asked(game, position)[1] == [
        ("decline", None),
        ("borrow", ("militia", 1)),
        ("borrow-from", (1, "elf-wizard")),
    ]
    position = do(game, position, choose("borrow-from", (1, "elf-wizard")))
    assert any(slot.card == "elf-wizard" for slot in position.hand)
    assert "elf-wizard" not in seat_of(position, 0).hand, "a borrowed card is not owned"
    position = do(game, position, attack(1))
    while position.table.active == 0:
        position = do(game, position, legal_actions(game, position)[0])
    assert seat_of(position, 1).discard == ("elf-wizard",)


def test_a_borrowed_hero_who_is_destroyed_is_lost() -> None:
    """Tyxr destroys a hero of the player's choice."""
    game, position = at_table("selurin-theurge", "elf-wizard", hall=["tyxr-the-old", "griffon", "sphinx"])
    position = do(game, position, DUNGEON, use("selurin-theurge"), choose("discard", ("selurin-theurge", 1)))
    position = do(game, position, choose("discard", "elf-wizard"), choose("borrow-from", (1, "elf-wizard")))
    position = do(game, position, attack(1))
    assert asked(game, position)[1] == [("pick", ("elf-wizard", 1))]
    position = do(game, position, choose("pick", ("elf-wizard", 1)))
    assert "elf-wizard" in position.table.removed
    assert "elf-wizard" not in seat_of(position, 1).discard


def test_the_gladiator_borrows_only_a_weapon_he_can_hold() -> None:
    game, position = at_table("toryn-gladiator", "claymore", "warhammer")
    position = do(game, position, DUNGEON, use("toryn-gladiator"))
    position = do(game, position, choose("discard", "claymore"), choose("discard", "warhammer"))
    assert asked(game, position)[1][1:] == [("borrow-from", (1, "claymore")), ("borrow-from", (2, "warhammer"))]
    position = do(game, position, choose("borrow-from", (1, "claymore")))
    (gladiator,) = [slot for slot in position.hand if slot.card == "toryn-gladiator"]
    assert [weapon.card for weapon in gladiator.weapons] == ["claymore"]


def test_a_borrowed_spear_that_is_thrown_is_lost() -> None:
    game, position = at_table("toryn-gladiator", "spear", hall=("griffon",), dungeon="ghost")
    position = do(game, position, DUNGEON, use("toryn-gladiator"), choose("discard", "spear"))
    position = do(game, position, choose("borrow-from", (1, "spear")), use("spear"))
    assert "spear" in [card for card, _ in position.destroyed]
    position = do(game, position, attack(1))
    assert position.table.removed == ("spear",)
    assert seat_of(position, 1).discard == ()


def test_the_hunter_takes_a_monster_of_the_same_type_worth_five_at_most() -> None:
    """He hunts an Enchanted monster: the Nixie is one, the Ghost is not, the Sphinx is worth too much."""
    strong = "gohlen-hunter, gohlen-hunter, gohlen-hunter, lantern"
    game, position = at_table(
        strong,
        "nixie",
        "ghost",
        "sphinx",
        hall=["griffon", "ooze-nothing", "sphinx"][:1],
        dungeon="ghost, ghost, ghost",
    )
    position = do(game, position, DUNGEON, use("gohlen-hunter"))
    position = do(
        game, position, choose("discard", "nixie"), choose("discard", "ghost"), choose("discard", "sphinx"), attack(1)
    )
    assert asked(game, position)[1] == [("decline", None), ("hunt", (1, "nixie"))]
    position = do(game, position, choose("hunt", (1, "nixie")))
    assert seat_of(position, 1).discard == ()
    assert "nixie" in (*seat_of(position, 0).discard, *seat_of(position, 0).hand)


def test_without_the_effect_nothing_is_hunted() -> None:
    strong = "gohlen-hunter, gohlen-hunter, gohlen-hunter, lantern"
    game, position = at_table(strong, "nixie", hall=["griffon"], dungeon="ghost, ghost, ghost")
    position, events = told(game, position, DUNGEON, attack(1))
    assert "victory" in {event.key for event in events}
    assert position.table.active == 1


def test_everybody_destroys_a_monster_against_blood_torment() -> None:
    game, position = at_table("griffon", "nixie", "torch", hall=["blood-torment", "ghost", "ghost"])
    position = do(game, position, DUNGEON, attack(1), choose("pick", ("griffon", 1)))
    assert asked(game, position) == (1, [("destroy", "nixie")])
    position = do(game, position, choose("destroy", "nixie"))
    assert {"griffon", "nixie"} <= set(position.table.removed)
    assert position.table.active == 1


def test_tavern_brawl_fights_the_first_hero_off_a_deck() -> None:
    """Strength 6 against 2 destroys him for 1 XP; against an equal hero nothing happens."""
    for theirs, xp in (("militia", 1), ("thyrian-squire", 0)):
        game, position = at_table("tavern-brawl, thyrian-squire", f"/ torch, {theirs}, dagger")
        position = do(game, position, VILLAGE, use("tavern-brawl"), choose("discard", ("thyrian-squire", 1)))
        assert asked(game, position) == (0, [("player", 1)])
        position = do(game, position, choose("player", 1))
        assert seat_of(position, 0).xp == xp
        assert seat_of(position, 1).deck == ("dagger",)
        assert (theirs in seat_of(position, 1).discard) == (not xp)
        assert (theirs in position.table.removed) == bool(xp)


def test_a_deck_without_heroes_gives_nobody_to_brawl_with() -> None:
    game, position = at_table("tavern-brawl, militia", "/ torch, dagger")
    position = do(game, position, VILLAGE, use("tavern-brawl"), choose("discard", ("militia", 1)), choose("player", 1))
    assert seat_of(position, 0).xp == 0
    assert seat_of(position, 1).discard == ("torch", "dagger")


def test_tavern_brawl_at_its_own_cost_takes_two_cards_of_each() -> None:
    game, position = at_table("tavern-brawl, militia", "dagger")
    position = do(game, position, VILLAGE, use("tavern-brawl", 2), choose("destroy", ("militia", 1)))
    position = do(game, position, choose("discard", "dagger"), choose("discard", "torch"))
    assert seat_of(position, 1).discard == ("dagger", "torch")
    assert COUNT in legal_actions(game, position)


def test_the_tax_is_what_the_others_discard() -> None:
    """A Claymore is worth 3 gold, a Fireball has no gold value."""
    none = ", ".join(["fireball"] * 6)
    game, position = at_table("tax-collector", "claymore", none)
    position = do(game, position, VILLAGE, use("tax-collector", 2), choose("discard", "claymore"))
    assert position.visit.gold == 3
    game, position = at_table("tax-collector", none)
    assert do(game, position, VILLAGE, use("tax-collector", 2)).visit.gold == 0


def test_whose_card_is_borrowed_can_be_said_and_written() -> None:
    game, position = at_table("toryn-gladiator", "claymore", "claymore")
    position = do(game, position, DUNGEON, use("toryn-gladiator"))
    position = do(game, position, choose("discard", "claymore"), choose("discard", "claymore"))
    actions = legal_actions(game, position)
    steps = [step_of(position, action) for action in actions]
    assert steps[1:] == [{"borrow": "claymore", "seat": seat, "for": "toryn-gladiator"} for seat in (2, 3)]
    assert [choice_of(game, position, step) for step in steps] == list(actions)
    labels = [
        option.label
        for option in ChoiceTexts(Language(open_database(), "en"), game, position, ["Ann", "Ben", "Cid"]).options(
            actions
        )
    ]
    assert labels == ["no", "borrow Claymore from Ben", "borrow Claymore from Cid"]


def test_a_brawl_breaks_no_hall_open() -> None:
    """What a player's own card does to others rests on R4.7, not on the rule of traps and breaches (R6.6)."""
    for theirs in ("militia", "thyrian-lord"):
        game, position = at_table("tavern-brawl, thyrian-squire", f"/ torch, {theirs}, dagger")
        position = do(game, position, VILLAGE, use("tavern-brawl"), choose("discard", ("thyrian-squire", 1)))
        _, events = told(game, position, choose("player", 1))
        assert [event.card for event in events if event.key == "turned-off-deck"] == ["torch", theirs]
        assert "R6.6" not in {rule for event in events for rule in event.rules}


def test_an_illusionist_turned_up_in_a_brawl_comes_back_to_hand() -> None:
    """R4.7: Strength 6 beats 3 for 1 XP, 2 does not; either way the Illusionist is neither destroyed nor discarded."""
    for mine, xp, key in (("thyrian-squire", 1, "brawl-won.kept"), ("militia", 0, "brawl-lost")):
        game, position = at_table(f"tavern-brawl, {mine}", "/ torch, diin-illusionist, dagger")
        position = do(game, position, VILLAGE, use("tavern-brawl"), choose("discard", (mine, 1)))
        position, events = told(game, position, choose("player", 1))
        assert next(event.key for event in events if event.card == "tavern-brawl") == key
        other = seat_of(position, 1)
        assert (seat_of(position, 0).xp, other.hand[-1], other.deck) == (xp, "diin-illusionist", ("dagger",))
        assert "diin-illusionist" not in (*other.discard, *position.table.removed)


def test_an_illusionist_is_only_one_of_two_discarded_cards() -> None:
    """He comes back when both are discarded, so he cannot be the second card as well (R4.7)."""
    game, position = at_table("redblade-assassin", "diin-illusionist", "torch")
    position = do(game, position, DUNGEON, use("redblade-assassin"), choose("discard", "diin-illusionist"))
    assert asked(game, position) == (1, [("discard", "torch")])
    position = do(game, position, choose("discard", "torch"))
    assert seat_of(position, 1).discard == ("torch",)
    assert "diin-illusionist" in seat_of(position, 1).hand
    assert asked(game, position)[0] == 2


@pytest.mark.parametrize(("hand", "hall", "rule"), [("lorigg-rogue", "nixie", "R4.7"), (KHANS, "tyxr-the-old", "R6.6")])
def test_a_discard_names_the_rule_that_asks_for_it(hand: str, hall: str, rule: str) -> None:
    """A player's own card (R4.7), a breach (R6.6)."""
    game, position = at_table(hand, "torch", hall=("nixie", hall, "griffon"), dungeon="ghost, ghost")
    position = do(game, position, DUNGEON)
    if hand == KHANS:
        position, own = told(
            game, position, attack(1), choose("discard", ("torch", 1)), choose("discard", ("torch", 2))
        )
        assert {event.rules for event in own if event.key == "discarded"} == {(rule,)}
    else:
        position = do(game, position, use(hand))
    _, events = told(game, position, choose("discard", "torch"))
    assert [event.rules for event in events if event.key == "other-discards"] == [(rule,)]
