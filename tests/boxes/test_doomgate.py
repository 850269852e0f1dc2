"""Doomgate Legion, a box in the format of users' boxes: its counts, its figures and its names in three languages."""

import shutil
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.command import Run
from support.systems import keep_in
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


def test_no_card_says_what_it_does_but_the_plain_disease(cards: dict[str, dict[str, Any]]) -> None:
    says = {card["id"]: card.get("judged") for card in cards.values() if "effects" in card or "judged" in card}
    assert says == {"swarm-placeholder": False, "plain-disease": None}


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


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path)
    return tmp_path


@pytest.fixture
def switched_on(home: Path, cli: Run) -> None:
    assert cli("box", "on", "doomgate").status == 0


def test_the_box_has_no_mistakes(home: Path, cli: Run) -> None:
    checked = cli("box", "check", "doomgate", "--json").json
    assert (checked["sound"], checked["counts"], checked["remarks"]) == (True, PRINTED, [])
    assert len(checked["not_judged"]) == 78
    assert "plain-disease" not in checked["not_judged"]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_card_of_the_box_names_the_remedy_until_it_is_switched_on(home: Path, cli: Run, lang: str) -> None:
    assert [box["state"] for box in cli("box", "list", "--json").json["boxes"]] == ["off"]
    error = cli("card", "pious chaplain", "--lang", lang, "--json").json["error"]
    assert error["code"] == "other-box"
    assert "thunderref box on doomgate" in error["message"]
    assert "Doomgate Legion" in cli("box", "on", "doomgate", "--lang", lang).out
    card = cli("card", "pious chaplain", "--lang", lang, "--json").json["matches"][0]
    assert (card["id"], card["judged"]) == ("doomgate:pious-chaplain", False)


@pytest.mark.parametrize(
    ("lang", "name", "types"),
    [
        ("en", "Pious Chaplain", "Villager • Mercenary"), ("pl", "Pobożny Kapelan", "Wieśniak • Najemnik"),
        ("ru", "Благочестивый капеллан", "Селянин • Наёмник"),
    ],
)  # fmt: skip
def test_names_and_types_are_in_three_languages(switched_on: None, cli: Run, lang: str, name: str, types: str) -> None:
    page = cli("card", "doomgate:pious-chaplain", "--lang", lang).out
    assert name in page
    assert types in page
    mercenaries = cli("cards", f"set:doomgate type:{types.split()[-1]}", "--lang", lang, "--json").json["matches"]
    assert len(mercenaries) == 5


def test_the_special_diseases_lie_there_only_with_those_who_need_them(switched_on: None, cli: Run) -> None:
    def stacks(*wishes: str) -> dict[str, Any]:
        made = cli("setup", "--set", "base", "--set", "doomgate", "--seed", "1", "--json", *wishes).json
        return {stack["id"]: stack["cards"] for stack in made["stacks"]}

    without = stacks("--exclude", "sidhe, evil druid, the swarm")
    assert without["disease"] == [{"id": "disease", "count": 15}]
    assert "doomgate:special-diseases" not in without
    for family in ("sidhe", "evil druid", "the swarm"):
        laid = stacks("--require", family)
        assert sum(card["count"] for card in laid["doomgate:special-diseases"]) == 25
        assert "disease" not in laid


def test_the_box_alone_lacks_all_basic_cards(switched_on: None, cli: Run) -> None:
    made = cli("setup", "--set", "doomgate", "--seed", "1", "--json").json
    assert any("Militia, Torch, Iron Rations, Dagger" in warning for warning in made["warnings"])


def test_the_swarm_is_no_horde(home: Path, cli: Run) -> None:
    assert cli("card", "swarm", "--json").json["error"]["code"] == "other-box"
    cli("box", "on", "doomgate")
    assert {card["family"] for card in cli("card", "swarm", "--json").json["matches"]} == {"doomgate:swarm"}


def test_points_that_a_card_costs_are_below_zero(switched_on: None, cli: Run) -> None:
    assert cli("card", "thunder's curse", "--json").json["matches"][0]["vp"] == -2


def test_a_copy_of_ones_own_stands_for_the_box(home: Path, cli: Run) -> None:
    place = home / "thunderref" / "boxes" / "doomgate"
    shutil.copytree(BOX, place)
    names = (place / "en.toml").read_text("utf-8").replace("Pious Chaplain", "Devout Chaplain")
    (place / "en.toml").write_text(names, "utf-8")
    cli("box", "on", "doomgate")
    assert cli("card", "devout chaplain", "--json").json["matches"][0]["id"] == "doomgate:pious-chaplain"
    assert cli("box", "list", "--json").json["boxes"][0]["place"] == str(place)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_nothing_is_said_of_abilities_that_are_not_known(switched_on: None, cli: Run, lang: str) -> None:
    words = ("--set", "base", "--set", "doomgate", "--require", "evil druid, the swarm", "--seed", "1", "--lang", lang)
    made = cli("setup", *words, "--json").json
    assert made["difficulty"].keys() == {"health", "vp", "xp"}
    name = {"en": "The Swarm", "pl": "Rój", "ru": "Рой"}[lang]
    assert any(name in step and "4" in step and "13" in step for step in made["steps"])
    horde = {"en": "Horde", "pl": "Hord", "ru": "орд"}[lang]
    assert not [step for step in made["steps"] if horde in step]


def test_a_family_without_figures_lists_bare_names(switched_on: None, cli: Run) -> None:
    lines = [line.strip() for line in cli("card", "ulbrick").out.splitlines()]
    assert {"Ulbrick's Armor", "Ulbrick's Gauntlets", "Ulbrick's Helmet"} <= {*lines}
