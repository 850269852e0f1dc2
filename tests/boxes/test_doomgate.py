"""Doomgate Legion, a box in the format of users' boxes: its counts, its figures and its names in three languages."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from thunderref.database.paths import PACKAGE

BOX = PACKAGE / "boxes" / "doomgate"
PRINTED = {"hero": 84, "village": 104, "monster": 60, "treasure": 12, "disease": 25, "guardian": 1, "thunderstone": 1}
"""Printed on the box: 317 cards with the 30 randomizers."""
UNPRINTED = ("pl", "ru")
"""Languages in which the box never appeared."""


def read(name: str) -> dict[str, Any]:
    return tomllib.loads((BOX / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cards() -> dict[str, dict[str, Any]]:
    return {card["id"]: card for card in read("cards.toml")["card"]}


def test_the_counts_add_up_to_what_is_printed_on_the_box(cards: dict[str, dict[str, Any]]) -> None:
    counts = Counter[str]()
    for card in cards.values():
        counts[card["kind"]] += card["count"]
    assert counts == PRINTED == read("box.toml")["contents"]
    assert counts.total() + 30 == 317
    assert len(cards) == 79


def test_each_part_has_the_cards_that_its_randomizer_brings(cards: dict[str, dict[str, Any]]) -> None:
    copies = Counter[str]()
    for card in cards.values():
        copies[card.get("family", card["kind"])] += card["count"]
    heroes = dict.fromkeys(("deep", "drunari", "sidhe", "slynn", "tempest", "tholis", "verdan"), 12)
    classes = ("abyssal-thunderspawn", "cultist-humanoid", "evil-druid-humanoid", "undead-stormwraith")
    others = {"swarm": 20, "amulets": 6, "ulbrick": 6, "village": 104, "disease": 25, "guardian": 1, "thunderstone": 1}
    assert copies == heroes | dict.fromkeys(classes, 10) | others
    families = {family["id"]: family["kind"] for family in read("box.toml")["family"]}
    assert Counter(families.values()) == {"hero": 7, "monster": 5, "treasure": 2}
    levels = {(card["level"], card["count"]) for card in cards.values() if card["kind"] == "hero"}
    assert levels == {(1, 6), (2, 4), (3, 2)}


def test_thirty_randomizers_make_the_feature_deck(cards: dict[str, dict[str, Any]]) -> None:
    box = read("box.toml")
    drawn = sum(card["kind"] == "village" for card in cards.values())
    drawn += sum(family["kind"] in ("hero", "monster") for family in box["family"])
    deck = box["feature_deck"]
    assert drawn + deck["question_marks"] + len(deck["pile"]) == 30


def test_the_special_diseases_take_the_place_of_the_disease_stack(cards: dict[str, dict[str, Any]]) -> None:
    (deck,) = read("box.toml")["beside"]
    assert deck["cards"] == {card["id"]: card["count"] for card in cards.values() if card["kind"] == "disease"}
    assert sum(deck["cards"].values()) == 25
    assert deck["cards"]["plain-disease"] == 10
    assert cards["plain-disease"]["reprint_of"] == deck["replaces"] == "disease"
    assert deck["needed_by"] == ["sidhe", "evil-druid-humanoid", "swarm"]


def test_the_swarm_has_a_card_for_each_health_from_4_to_13(cards: dict[str, dict[str, Any]]) -> None:
    swarm = [card for card in cards.values() if card.get("family") == "swarm"]
    placeholder, *numbered = swarm
    assert (placeholder["count"], placeholder["effects"][0]["timing"]) == (10, "reveal")
    assert [(card["count"], card["health"], card["gold"], card["xp"]) for card in numbered] == [
        (1, health, 2, 1) for health in range(4, 14)
    ]


def test_figures_are_those_of_the_listings_and_say_how_many_there_are(cards: dict[str, dict[str, Any]]) -> None:
    listed = {
        "cost": 253,
        "gold": 82,
        "light": 10,
        "vp": 105,
        "strength": 112,
        "health": 226,
        "xp": 48,
        "level_cost": 35,
    }
    assert {figure: sum(card.get(figure, 0) for card in cards.values()) for figure in listed} == listed
    two = {card["id"] for card in cards.values() if card.get("attested") == "two"}
    assert len(two) == 27
    assert "regicide" not in two
    assert cards["blessed-hammer"]["weight"] == 4
    assert cards["unholy-guardian"]["health"] == 14


def test_no_card_is_judged(cards: dict[str, dict[str, Any]]) -> None:
    assert {card["id"] for card in cards.values() if card.get("judged") or card.get("effects")} == {"swarm-placeholder"}
    assert cards["swarm-placeholder"]["judged"] is False


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_every_name_is_there_once_and_declined(lang: str, cards: dict[str, dict[str, Any]]) -> None:
    words, box = read(f"{lang}.toml"), read("box.toml")
    assert words["cards"].keys() == cards.keys()
    assert words["families"].keys() == {family["id"] for family in box["family"]}
    assert words["beside"].keys() == {"special-diseases"}
    names = [name["name"] for name in words["cards"].values()]
    assert len(set(names)) == len(names)
    cases = {"en": 1, "pl": 6, "ru": 6}[lang]
    assert {len(name["forms"]) for name in words["cards"].values()} == {cases}
    if lang in UNPRINTED:
        entries = [*words["cards"].items(), *words["families"].items(), *words["beside"].items()]
        assert [key for key, name in entries if name.get("official", True)] == ["plain-disease"]
        assert all(name["gender"] in "mfnip" for name in words["cards"].values())
