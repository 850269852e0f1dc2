"""Strength, weights and the light penalty, number by number (R4.3, R4.4, R5.3, R5.11, R5.12)."""

from __future__ import annotations

import pytest

from support.turns import attack, choose, do, turn, use
from thunderref.thunderstone.rules.choices import Choice, Equip
from thunderref.thunderstone.rules.figures import light_penalty
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import find
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import Position, Target

GOBLIN: list[str | None] = ["griknack-goblin"]


def strength(game: Game, state: Position, hero: str, copy: int = 1, weaken: int = 0) -> int:
    slot, _ = find(state, (hero, copy))
    return Party(game, state).strength(slot, weaken)


def equip(weapon: str, hero: str) -> Choice:
    return Equip((weapon, 1), (hero, 1))


# Strength


def test_rations_strengthen_one_hero_and_add_up() -> None:
    game, state = turn(["militia", "militia", "iron-rations", "iron-rations"], GOBLIN)
    for copy in (1, 2):
        state = do(game, state, use("iron-rations", copy=copy), choose("on", ("militia", 1)))
    assert strength(game, state, "militia") == 6
    assert strength(game, state, "militia", 2) == 2


@pytest.mark.parametrize(
    ("card", "more"), [("feast", 3), ("ambrosia", 2), ("amulet-of-power", 3), ("goodberries", 3), ("iron-rations", 2)]
)
def test_what_each_food_and_the_amulet_give(card: str, more: int) -> None:
    game, state = turn(["militia", card], GOBLIN)
    state = do(game, state, use(card))
    if state.todo:
        state = do(game, state, choose("on", ("militia", 1)))
    assert strength(game, state, "militia") == 2 + more


@pytest.mark.parametrize(("rune", "more"), [("runespawn-adept", 2), ("runespawn-siren", 3), ("runespawn-witch", 4)])
def test_a_runespawn_strengthens_the_others_only(rune: str, more: int) -> None:
    game, state = turn([rune, "militia"], GOBLIN)
    own = strength(game, state, rune)
    state = do(game, state, use(rune))
    assert strength(game, state, "militia") == 2 + more
    assert strength(game, state, rune) == own


def test_strength_for_all_reaches_heroes_drawn_later() -> None:
    game, state = turn(["feast", "regian-priest"], GOBLIN, deck=["militia"])
    state = do(game, state, use("feast"), use("regian-priest"))
    assert strength(game, state, "militia") == 5


def test_strength_may_fall_below_zero() -> None:
    game, state = turn(["militia"], ["revenant"])
    assert strength(game, state, "militia", weaken=4) == -2


# weights


@pytest.mark.parametrize(
    ("weapon", "weight"),
    [
        ("dagger", 2), ("polearm", 2), ("hatchet", 3), ("magi-staff", 3), ("short-sword", 4), ("spear", 4),
        ("short-bow", 4), ("flaming-sword", 5), ("warhammer", 5), ("cursed-mace", 5), ("claymore", 8),
    ],
)  # fmt: skip
def test_each_weapon_needs_its_weight_in_strength(weapon: str, weight: int) -> None:
    heroes = {"militia": 2, "elf-wizard": 3, "regian-cleric": 4, "dwarf-guardian": 5, "thyrian-knight": 8}
    for hero, own in heroes.items():
        game, state = turn([hero, weapon], GOBLIN)
        assert (equip(weapon, hero) in legal_actions(game, state)) == (own >= weight)


def test_under_magical_aura_every_weapon_weighs_nothing() -> None:
    game, state = turn(["magical-aura", "militia", "claymore"], GOBLIN)
    assert equip("claymore", "militia") not in legal_actions(game, state)
    state = do(game, state, use("magical-aura"))
    assert equip("claymore", "militia") in legal_actions(game, state)


@pytest.mark.parametrize(
    ("monster", "weaken", "attack_with_sword"),
    [("griknack-goblin", 0, 6), ("suffering", 2, 6), ("the-prince", 2, 6), ("revenant", 4, 2)],
)
def test_a_sword_drops_below_its_weight(monster: str, weaken: int, attack_with_sword: int) -> None:
    game, state = turn(["thyrian-squire", "short-sword", "torch"], [monster])
    state = do(game, state, equip("short-sword", "thyrian-squire"), attack(1))
    assert state.battle is not None
    assert state.battle.weaken == weaken
    while state.outcome is None:
        state = do(game, state, legal_actions(game, state)[0])
    assert state.outcome.attack == attack_with_sword


# the light penalty; the table of the base rulebook's example


@pytest.mark.parametrize(
    ("rank", "monster", "dark", "lit"),
    [(1, "knightmare", 3, 1), (2, "griffon", 2, 0), (3, "blink-dog", 4, 2)],
)
def test_the_rulebooks_light_table(rank: int, monster: str, dark: int, lit: int) -> None:
    hall: list[str | None] = ["knightmare", "griffon", "blink-dog"]
    for hand, penalty in ((["militia"], dark), (["fireball", "torch"], lit)):
        game, state = turn(hand, hall)
        assert (
            light_penalty(Party(game, state), Target(game.cards[state.hall[rank - 1].card], rank, None))[0] == penalty
        )


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize(
    ("monster", "own"), [("griffon", 0), ("lord-mortis", 1), ("darkness", 1), ("blink-dog", 1), ("knightmare", 2)]
)
@pytest.mark.parametrize("torches", range(7))
def test_the_penalty_is_rank_and_own_darkness_less_light(rank: int, monster: str, own: int, torches: int) -> None:
    hall: list[str | None] = ["nixie", "nixie", "pegasus"]
    hall[rank - 1] = monster
    game, state = turn(["militia", *["torch"] * torches], hall)
    penalty, _ = light_penalty(Party(game, state), Target(game.cards[state.hall[rank - 1].card], rank, None))
    assert penalty == max(0, rank + own - torches)


def test_each_point_of_penalty_costs_two() -> None:
    for rank, total in ((1, 5), (2, 3), (3, 1)):
        game, state = turn(["outlands-khan"], ["pegasus", "pegasus", "pegasus"])
        state = do(game, state, attack(rank))
        assert state.outcome is not None
        assert (state.outcome.light_penalty, state.outcome.total) == (rank, total)


def test_the_total_is_never_below_zero() -> None:
    game, state = turn(["militia"], ["griffon", "pegasus", "nixie"])
    state = do(game, state, attack(3))
    assert state.outcome is not None
    assert state.outcome.total == 0


@pytest.mark.parametrize(
    ("card", "light"),
    [
        ("torch", 1), ("lantern", 2), ("lightstone-gem", 3), ("amulet-of-power", 2), ("fireball", 1), ("red-jelly", 1),
        ("fire-wrath", 1), ("elf-wizard", 1), ("elf-sorcerer", 2), ("lorigg-thief", 1), ("flaming-sword", 0),
    ],
)  # fmt: skip
def test_the_light_of_each_card(card: str, light: int) -> None:
    game, state = turn([card], ["nixie", "nixie", "griffon"])
    assert light_penalty(Party(game, state), Target(game.cards[state.hall[2].card], 3, None))[0] == 3 - light


def test_a_flaming_sword_shines_in_a_hand_that_holds_it() -> None:
    game, state = turn(["thyrian-knight", "flaming-sword"], ["nixie"])
    state = do(game, state, equip("flaming-sword", "thyrian-knight"))
    assert light_penalty(Party(game, state), Target(game.cards[state.hall[0].card], 1, None))[0] == 0


def test_light_means_nothing_to_water_wrath_but_the_grandmaster_ignores_it() -> None:
    game, state = turn(["lightstone-gem", "lantern"], ["nixie", "water-wrath"])
    assert light_penalty(Party(game, state), Target(game.cards[state.hall[1].card], 2, None))[0] == 2
    game, state = turn(["blind-grandmaster"], ["nixie", "water-wrath"])
    assert light_penalty(Party(game, state), Target(game.cards[state.hall[1].card], 2, None))[0] == 0
