"""What is laid out, variant by variant and theme by theme, layer by layer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from thunderref.database.read import Database
from thunderref.errors import NoAnswerError
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.setup import generate_setup

BOTH = ["base", "wrath"]


def laid(**options: Any) -> dict[str, Any]:
    return generate_setup(**({"seed": 1} | options)).model_dump()


def shape(document: dict[str, Any]) -> list[tuple[int, list[str]]]:
    return [(layer["size"], layer["with"]) for layer in document["dungeon"]["layers"]]


def stack(document: dict[str, Any], name: str) -> list[tuple[str, int]]:
    found = next(s for s in document["stacks"] if s["id"] == name)
    return [(card["id"], card["count"]) for card in found["cards"]]


def shuffled(document: dict[str, Any], layer: int = 0) -> dict[str, int]:
    return {card["id"]: card["count"] for card in document["dungeon"]["layers"][layer]["cards"]}


def test_base_game() -> None:
    document = laid(players=3)
    assert document["sets"] == ["base"]
    assert shape(document) == [(20, []), (11, ["stone-of-mystery"])]
    assert document["dungeon"]["size"] == 31
    assert sum(shuffled(document).values()) == 30
    assert document["basic"] == ["militia", "torch", "iron-rations", "dagger"]
    assert document["player_deck"] == [
        {"id": "militia", "count": 6}, {"id": "dagger", "count": 2}, {"id": "iron-rations", "count": 2},
        {"id": "torch", "count": 2},
    ]  # fmt: skip
    assert stack(document, "militia") == [("militia", 12)]
    assert stack(document, "dagger") == [("dagger", 9)]
    assert stack(document, "disease") == [("disease", 15)]
    assert (len(document["heroes"]), len(document["village"]), len(document["monsters"])) == (4, 8, 3)
    for family in document["heroes"]:
        assert [n for _, n in stack(document, family)] == [6, 4, 2]
    for card in document["village"]:
        assert stack(document, card) == [(card, 8)]


def test_no_card_is_used_more_often_than_it_exists(cat: Catalogue) -> None:
    for seed in range(40):
        for options in (
            {"sets": [*BOTH, "promo"], "players": 5, "monsters": 3 + seed % 6},
            {"variant": "epic", "players": 4},
            {"variant": "marauding", "sets": BOTH},
        ):
            document = laid(seed=seed, **options)
            used: Counter[str] = Counter()
            for layer in document["dungeon"]["layers"]:
                used.update({card["id"]: card["count"] for card in layer["cards"]})
                used.update(layer["with"])
            for pile in document["stacks"]:
                used.update({card["id"]: card["count"] for card in pile["cards"] if pile["kind"] != "disease"})
            for card in document["player_deck"]:
                used[card["id"]] += card["count"] * document["players"]
            assert all(0 <= n <= cat.cards[card].count for card, n in used.items()), document["code"]
            deck = document["dungeon"]
            cards = sum(c["count"] for layer in deck["layers"] for c in layer["cards"])
            assert deck["size"] == cards + sum(len(layer["with"]) for layer in deck["layers"])
            assert all(layer["size"] == layer["drawn"] + len(layer["with"]) for layer in deck["layers"])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_thirty_militia_are_used(players: int) -> None:
    document = laid(players=players, sets=BOTH)
    assert stack(document, "militia") == [("militia", 30 - 6 * players)]
    assert any("Militia" in line for line in document["warnings"]) == (players == 5)


def test_first_game_of_the_base_set() -> None:
    document = laid(first_game="base")
    assert document["monsters"] == ["enchanted", "ooze", "undead-doom"]
    assert document["heroes"] == ["elf", "lorigg", "regian", "thyrian"]
    assert document["village"] == [
        "battle-fury", "fireball", "flaming-sword", "lightstone-gem", "magical-aura", "short-sword", "spear",
        "town-guard",
    ]  # fmt: skip
    assert document["thunderstones"] == ["stone-of-mystery"]
    assert document["features"] == []


def test_first_game_of_wrath() -> None:
    document = laid(first_game="wrath")
    assert document["sets"] == BOTH
    assert document["monsters"] == ["undead-doom", "elemental-nature", "horde"]
    assert document["features"] == ["trap-dire", "guardian"]
    assert document["guardians"] == ["dark-champion"]
    assert set(document["heroes"]) == {"chalice", "feayn", "diin", "toryn"}
    assert set(document["village"]) == {
        "cursed-mace", "foresight-elixir", "lantern", "magi-staff", "magic-missile", "sage", "short-bow", "town-guard",
    }  # fmt: skip
    assert shape(document) == [(16, []), (11, ["dark-champion"]), (11, ["stone-of-agony"])]
    assert shuffled(document)["horde-placeholder"] == 10
    assert stack(document, "horde-deck") == [(f"horde-{health}", 1) for health in range(3, 13)]


THEMES = {
    "high-fantasy": (
        "dragon horde undead-spirit", "trap-death", "", "divine dwarf elf lorigg",
        "magic-missile fireball lantern goodberries barkeep blacksmith short-sword polearm",
    ),
    "holy-war": (
        "doomknight-humanoid undead-doom undead-spirit", "", "dark-champion", "divine chalice regian blind",
        "lightstone-gem ambrosia sage cursed-mace amulet-of-power warhammer banish magi-staff",
    ),
    "elemental-fury": (
        "elemental-nature elemental-pain golem", "trap-dire", "", "outlands selurin toryn diin",
        "magic-missile fireball creeping-death illusory-blade feast spear hatchet amulet-of-power",
    ),
    "tough-guys": (
        "elemental-pain abyssal dragon", "trap-dire trap-death", "dark-champion", "lorigg redblade runespawn gangland",
        "creeping-death foresight-elixir tax-collector tavern-brawl short-sword spear arcane-energies barkeep",
    ),
}  # fmt: skip
"""Read off the list of Wrath of the Elements anew, card by card."""


@pytest.mark.parametrize("theme", THEMES)
def test_themes_card_by_card(theme: str) -> None:
    classes, traps, guardians, heroes, village = (set(part.split()) for part in THEMES[theme])
    document = laid(theme=theme)
    assert set(document["monsters"]) == classes
    assert set(document["features"]) == traps | ({"guardian"} if guardians else set())
    assert set(document["guardians"]) == guardians
    assert set(document["heroes"]) == heroes
    assert set(document["village"]) == village
    cards = 30 + 6 * len(traps)
    layers = [(cards - 10 * (1 + len(guardians)), [])]
    layers += [(11, [guardian]) for guardian in guardians]
    layers += [(11, document["thunderstones"])]
    assert shape(document) == layers


@pytest.mark.parametrize("name", ["Święta Wojna", "swieta wojna", "HOLY WAR", "Священная война", "holy-war"])
def test_themes_by_name_in_any_language(name: str) -> None:
    assert laid(theme=name)["theme"] == "holy-war"
    assert laid(variant="Epicka Kampania")["variant"] == "epic"


def test_a_theme_says_what_is_not_owned() -> None:
    with pytest.raises(NoAnswerError) as caught:
        laid(theme="high-fantasy", sets=["base"])
    assert caught.value.code == "setup-needs-cards"
    assert set(caught.value.params["cards"]) == {"horde", "trap-death", "divine", "blacksmith", "magic-missile"}


def test_the_first_box_is_added_to_a_fixed_layout() -> None:
    document = laid(first_game="wrath", sets=["wrath"])
    assert document["sets"] == BOTH
    assert any("Lantern" in line for line in document["warnings"])


def test_features_fill_the_deck_as_printed() -> None:
    wanted = ["trap-death", "trap-dire", "dark-champion"]
    document = laid(sets=BOTH, require=wanted, exclude=["horde"])
    assert document["features"] == ["trap-death", "trap-dire", "guardian"]
    assert sum(shuffled(document).values()) == 42
    assert shape(document)[:2] == [(22, []), (11, ["dark-champion"])]
    assert document["dungeon"]["size"] == 44


def test_two_guardians_lie_above_the_stone() -> None:
    document = laid(
        sets=[*BOTH, "promo"], require=["dark-champion", "death-sentinel"], exclude=["trap-death", "trap-dire"]
    )
    assert shape(document)[:2] == [(11, ["dark-champion"]), (11, ["death-sentinel"])]
    assert [size for size, _ in shape(document)] == [11, 11, 11]


def test_the_second_guardian_may_be_missing() -> None:
    found = [laid(seed=seed, sets=BOTH, require=["guardian"], stone="mystery") for seed in range(300)]
    short = [d for d in found if any("there are no more of them" in line for line in d["warnings"])]
    assert short
    assert all(d["guardians"] == ["dark-champion"] for d in short)


def test_the_promotional_trap_joins_the_death_traps() -> None:
    document = laid(sets=[*BOTH, "promo"], require=["trap-death"])
    assert (
        sum(n for card, n in shuffled(document).items() if card in ("pit-trap", "rolling-boulder", "blade-trap")) == 7
    )
    assert any("seven" in line for line in document["warnings"])


def test_both_stones_in_one_dungeon() -> None:
    document = laid(sets=BOTH, stone="both")
    assert document["thunderstones"] == ["stone-of-mystery", "stone-of-agony"]
    assert shape(document)[-1] == (12, ["stone-of-mystery", "stone-of-agony"])
    assert any("only when the second one" in step for step in document["steps"])


def test_the_deck_is_said_from_top_to_bottom() -> None:
    steps = laid(first_game="wrath")["steps"]
    assert any("16, 10 + Dark Champion, 10 + Stone of Agony" in step for step in steps)


@pytest.mark.parametrize("stone", ["mystery", "agony"])
def test_one_stone_of_choice(stone: str) -> None:
    assert laid(sets=BOTH, stone=stone)["thunderstones"] == [f"stone-of-{stone}"]


def test_random_stones_are_both_seen() -> None:
    assert {laid(seed=seed, sets=BOTH)["thunderstones"][0] for seed in range(20)} == {
        "stone-of-mystery",
        "stone-of-agony",
    }


def test_epic_campaign() -> None:
    seen = set()
    for seed in range(12):
        document = laid(seed=seed, variant="epic")
        assert document["sets"] == BOTH
        assert len(document["monsters"]) == 5
        assert document["features"] == ["guardian"]
        (top, high, stone, deep) = shape(document)
        assert (top, high) == ((10, []), (11, ["dark-champion"]))
        assert (stone[0], deep[0]) == (11, 21)
        assert {*stone[1], *deep[1]} == {"stone-of-mystery", "stone-of-agony"}
        assert document["dungeon"]["size"] == 53
        seen.add(deep[1][0])
    assert len(seen) == 2


@pytest.mark.parametrize("variant", ["crossing", "pursuit", "odyssey"])
def test_campaigns_keep_one_stone_for_the_next_game(variant: str) -> None:
    document = laid(variant=variant, players=3)
    assert len(document["thunderstones"]) == 1
    assert {*document["thunderstones"], *document["aside"]} == {"stone-of-mystery", "stone-of-agony"}
    assert shape(document)[-1] == (11, document["thunderstones"])
    assert sum(c["count"] for c in document["player_deck"]) == 12
    assert document["player_decks"] == []


@pytest.mark.parametrize(("level", "heroes", "village"), [
    ("normal", [6, 4, 2], 8), ("fighter", [3, 2, 1], 4), ("nightmare", [3, 2, 1], 4),
])  # fmt: skip
def test_solo(level: str, heroes: list[int], village: int) -> None:
    document = laid(variant="solo", level=level, sets=BOTH, require=["dwarf", "lantern"])
    assert document["players"] == 1
    assert document["hall"] == 0
    assert [n for _, n in stack(document, "dwarf")] == heroes
    assert stack(document, "lantern") == [("lantern", village)]
    assert stack(document, "militia") == [("militia", 24)]


def test_solo_leaves_out_what_moves_monsters(database: Database, cat: Catalogue) -> None:
    moves = {"move-monster", "take-monster", "take-before-refill", "bottom-after-victory", "wound-hall"}
    movers = {
        card for card, effects in database.all_effects.items() for e in effects for op in e.do
        if op.op in moves
    }  # fmt: skip
    assert set(cat.variants["solo"].without) == movers
    for seed in range(60):
        document = laid(seed=seed, variant="solo", sets=BOTH, require=["elf", "thyrian"])
        assert not movers & {card["id"] for pile in document["stacks"] for card in pile["cards"]}
        assert stack(document, "elf") == [("elf-wizard", 6)]
        assert [card for card, _ in stack(document, "thyrian")] == ["thyrian-squire", "thyrian-knight"]


def test_marauding_monsters() -> None:
    document = laid(variant="marauding", sets=BOTH, players=4)
    assert len(document["monsters"]) == 4
    assert document["tokens"] == 4
    assert sum(n for card, n in shuffled(document).items() if not card.endswith("trap")) >= 40


def test_wrath_alone_says_what_it_lacks() -> None:
    document = laid(sets=["wrath"])
    assert document["thunderstones"] == ["stone-of-agony"]
    assert stack(document, "disease") == [("disease", 12)]
    assert any("Torch" in line for line in document["warnings"])


def test_every_class_count_from_three_to_eight() -> None:
    for n in range(3, 9):
        document = laid(monsters=n)
        assert len(document["monsters"]) == n
        assert shape(document) == [(10 * n - 10, []), (11, ["stone-of-mystery"])]
