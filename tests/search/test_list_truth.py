"""Lists typed in words, compared with what the files of the database say: a condition is never misread or dropped.

The truth is read from ``db/boxes``, not from the code that answers. A line may be no list; it is never a false one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from support import ROOT, read_toml
from thunderref.database.read import Language, open_database
from thunderref.errors import NoAnswerError
from thunderref.search.lists import read_list
from thunderref.search.understand import reader, understand

LANGUAGES = ("en", "pl", "ru")
Meets = Callable[[Any], bool]


class Printed:
    """A card as the files have it; a value that it lacks meets no comparison."""

    def __init__(self, record: dict[str, Any], box: str) -> None:
        self.record, self.id, self.box = record, str(record["id"]), box
        self.kind, self.types = record["kind"], record.get("types", ())
        self.is_hero = self.kind == "hero" or "hero" in self.types
        self.is_monster = self.kind in ("monster", "guardian")
        self.times = {effect["timing"] for effect in record.get("effects", ())}

    def __getattr__(self, figure: str) -> Any:
        return self.record.get(figure, float("nan"))

    def has(self, kind: str) -> bool:
        return kind in self.types

    def does(self, op: str, *times: str) -> bool:
        ops = (
            (effect["timing"], each["op"]) for effect in self.record.get("effects", ()) for each in effect.get("do", ())
        )
        return any(each == op and (not times or time in times) for time, each in ops)


@cache
def cards() -> list[Printed]:
    """The printed cards, reprints left out."""
    files = ((box, read_toml(ROOT / "db" / "boxes" / box / "cards.toml")) for box in ("base", "wrath", "promo"))
    return [Printed(card, box) for box, file in files for card in file["card"] if "reprint_of" not in card]


def most(meets: Meets, value: str, n: int = 1, *, least: bool = False) -> set[str]:
    """The first ``n`` of the cards by a value, and those that are equal to the last of them."""
    values = sorted(
        (getattr(card, value) for card in cards() if meets(card) and value in card.record), reverse=not least
    )
    return {card.id for card in cards() if meets(card) and getattr(card, value) in values[:n]}


def listed(line: str, lang: str) -> set[str] | None:
    found = read_list(words := Language(open_database(), lang), line)
    reprints = words.database.reprints
    return None if found is None else {card.id for card in found.cards(words) if card.id not in reprints}


def is_weapon(card: Printed) -> bool:
    return card.has("weapon")


TRUE: list[tuple[str, str, str, Meets]] = [
    # A second comparison has its own sign, whether it names its value or not.
    (
        "monsters worth more than 5 vp with less than 8 hp", "potwory powyżej 5 pz, poniżej 8 zdrowia",
        "монстры больше 5 очков и меньше 8 здоровья", lambda c: c.is_monster and c.vp > 5 and c.health < 8,
    ),
    (
        "weapons weight over 2 and less than 5", "bronie o ciężarze powyżej 2 i mniej niż 5",
        "оружие весом больше 2 и меньше 5", lambda c: is_weapon(c) and 2 < c.weight < 5,
    ),
    (
        "heroes over 7 gold and under 10", "bohaterowie drożsi niż 7 i tańsi niż 10", "герои дороже 7 и дешевле 10",
        lambda c: c.is_hero and 7 < c.cost < 10,
    ),
    (
        "monsters with more than 5 but less than 8 health", "potwory z więcej niż 5 ale mniej niż 8 zdrowia",
        "монстры больше 5 но меньше 8 здоровья", lambda c: c.is_monster and 5 < c.health < 8,
    ),
    (
        "monsters with more than 5 vp and less than 7 health", "potwory powyżej 5 pz i poniżej 7 zdrowia",
        "монстры больше 5 очков и меньше 7 здоровья", lambda c: c.is_monster and c.vp > 5 and c.health < 7,
    ),
    # Ranges, alternatives, signs.
    (
        "weapons from 4 to 6 gold", "broń od 4 do 6 złota", "оружие от 4 до 6 золота",
        lambda c: is_weapon(c) and 4 <= c.cost <= 6,
    ),
    (
        "heroes between 5 and 7 gold", "bohaterowie między 5 a 7 złota", "герои между 5 и 7 золота",
        lambda c: c.is_hero and 5 <= c.cost <= 7,
    ),
    (
        "weapons weight 3-5", "bronie o ciężarze 3-5", "оружие весом 3-5",
        lambda c: is_weapon(c) and 3 <= c.weight <= 5,
    ),
    (
        "heroes with strength between 4 and 6", "bohaterowie z siłą od 4 do 6", "герои с силой от 4 до 6",
        lambda c: c.is_hero and 4 <= c.strength <= 6,
    ),
    (
        "monsters with 10+ health", "potwory zdrowie 10+", "монстры со здоровьем 10+",
        lambda c: c.is_monster and c.health >= 10,
    ),
    ("weapons < 5 gold", "bronie < 5 złota", "оружие < 5 золота", lambda c: is_weapon(c) and c.cost < 5),
    (
        "monsters worth 5 or 6 vp", "potwory warte 5 lub 6 pz", "монстры за 5 или 6 очков",
        lambda c: c.is_monster and c.vp in (5, 6),
    ),
    (
        "weapons of weight 2 or 3", "bronie o ciężarze 2 lub 3", "оружие весом 2 или 3",
        lambda c: is_weapon(c) and c.weight in (2, 3),
    ),
    (
        "level 2 or 3 heroes with strength 8", "bohaterowie 2 lub 3 poziomu z siłą 8", "герои 2 или 3 уровня с силой 8",
        lambda c: c.level in (2, 3) and c.strength == 8,
    ),
    (
        "heroes under 6 or over 12 gold", "bohaterowie poniżej 6 lub powyżej 12 złota", "герои дешевле 6 или дороже 12",
        lambda c: c.is_hero and (c.cost < 6 or c.cost > 12),
    ),
    (
        "heroes with strength over 6", "bohaterowie z siłą większą niż sześć", "герои с силой больше шести",
        lambda c: c.is_hero and c.strength > 6,
    ),
    # Gold is the value beside "with", and the price elsewhere.
    ("cards with 0 gold", "karty z 0 złota", "карты с 0 золота", lambda c: c.gold == 0),
    ("items 2 gold", "przedmioty za 2 złota", "предметы за 2 золота", lambda c: c.has("item") and c.cost == 2),
    ("which monsters give xp 3", "które potwory dają pd 3", "какие монстры дают опыт 3", lambda c: c.xp == 3),
    # Kinds and doings, together and either.
    (
        "spells and weapons under 5", "czary i bronie poniżej 5", "заклинания и оружие дешевле 5",
        lambda c: (c.has("spell") or is_weapon(c)) and c.cost < 5,
    ),
    (
        "cards that draw in village", "karty które dobierają w wiosce", "карты которые добирают в деревне",
        lambda c: c.does("draw", "village", "village-or-dungeon"),
    ),
    (
        "cards that draw in the dungeon", "karty które dobierają w lochu", "карты которые добирают в подземелье",
        lambda c: c.does("draw", "dungeon", "repeat-dungeon", "village-or-dungeon"),
    ),
    (
        "spells that give light", "czary które dają światło", "заклинания со светом",
        lambda c: c.has("spell") and c.light > 0,
    ),
    (
        "cards under 5 that aren't heroes", "karty poniżej 5 które nie są bohaterami", "карты дешевле 5 кроме героев",
        lambda c: c.cost < 5 and not c.is_hero,
    ),
    (
        "heroes with 2 gold and strength 5", "bohaterowie z 2 złota i siłą 5", "герои с 2 золота и силой 5",
        lambda c: c.is_hero and c.gold == 2 and c.strength == 5,
    ),
    (
        "heroes not costing 5 with strength 5", "bohaterowie od 6 złota z siłą 5", "герои от 6 золота с силой 5",
        lambda c: c.is_hero and c.cost != 5 and c.strength == 5,
    ),
    (
        "thieves from wrath", "złodzieje z gniewu", "воры из гнева стихий",
        lambda c: c.has("thief") and c.box == "wrath",
    ),
    # What a hero is strong enough for.
    (
        "which heroes can hold claymore with rations", "którzy bohaterowie utrzymają miecz dwuręczny z racjami",
        "какие герои удержат клеймор с припасами", lambda c: c.is_hero and c.strength >= 6,
    ),
    (
        "which level 2 heroes can hold claymore", "którzy bohaterowie 2 poziomu utrzymają claymore",
        "какие герои 2 уровня удержат клеймор", lambda c: c.level == 2 and c.strength >= 8,
    ),
    (
        "which weapons can militia hold with feast", "jakie bronie dla siły 5", "оружие для силы 5",
        lambda c: is_weapon(c) and c.weight <= 5,
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", TRUE, ids=[row[0] for row in TRUE])
def test_a_list_has_the_cards_that_meet_its_words(row: tuple[str, str, str, Meets]) -> None:
    *lines, meets = row
    true = {card.id for card in cards() if meets(card)}
    found = {line: listed(line, lang) for line, lang in zip(lines, LANGUAGES, strict=True)}
    assert {line: cards for line, cards in found.items() if cards != true} == {}


@pytest.mark.parametrize(
    ("lines", "meets", "value", "n", "least"),
    [
        (
            ("cheapest hero with magic attack", "najtańszy bohater z atakiem magicznym",
             "самый дешевый герой с магической атакой"),
            lambda c: c.is_hero and c.magic_attack > 0, "cost", 1, True,
        ),
        (
            ("heaviest weapon with magic attack", "najcięższa broń z atakiem magicznym",
             "самое тяжелое оружие с магической атакой"),
            lambda c: is_weapon(c) and c.magic_attack > 0, "weight", 1, False,
        ),
        (
            ("3 most expensive weapons", "3 najdroższe bronie", "3 самых дорогих оружия"),
            is_weapon, "cost", 3, False,
        ),
        (
            ("2 cheapest spells", "2 najtańsze zaklęcia", "2 самых дешевых заклинания"),
            lambda c: c.has("spell"), "cost", 2, True,
        ),
        (
            ("most expensive weapon under 7 gold", "najdroższa broń poniżej 7 złota", "самое дорогое оружие дешевле 7"),
            lambda c: is_weapon(c) and c.cost < 7, "cost", 1, False,
        ),
        (("weakest hero", "najsłabszy bohater", "самый слабый герой"), lambda c: c.is_hero, "strength", 1, True),
    ],
)  # fmt: skip
def test_a_superlative_is_of_its_own_value(
    lines: tuple[str, str, str], meets: Meets, value: str, n: int, least: bool
) -> None:
    found = {line: listed(line, lang) for line, lang in zip(lines, LANGUAGES, strict=True)}
    true = most(meets, value, n, least=least)
    assert {line: cards for line, cards in found.items() if cards != true} == {}


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "cheapest and lightest weapon"), ("en", "weapons with weight more than attack"),
        ("en", "monsters with strength 5 light"), ("en", "weapons under 5 and spells"),
        ("en", "heroes who are fighters and clerics"), ("en", "heroes left out of wrath"),
        ("en", "which heroes have an effect"), ("en", "which heroes can hold claymore with torch"),
        ("en", "heroes with light or magic attack"), ("pl", "bohaterowie ze światłem lub atakiem magicznym"),
        ("ru", "герои со светом или магической атакой"), ("en", "cards that draw two cards"),
        ("en", "heroes over 6 and 5 strength"), ("en", "monsters under 5 gold"),
    ],
)  # fmt: skip
def test_what_is_not_understood_whole_is_no_list(lang: str, line: str) -> None:
    assert listed(line, lang) is None


@pytest.mark.parametrize(
    ("lang", "line", "box"),
    [
        ("en", "all cards in wrath", "wrath"), ("en", "all wrath cards", "wrath"), ("en", "wrath cards", "wrath"),
        ("pl", "wszystkie karty gniewu", "wrath"), ("pl", "karty z gniewu żywiołów", "wrath"),
        ("ru", "все карты гнева", "wrath"), ("ru", "все карты гнева стихий", "wrath"), ("en", "base cards", "base"),
    ],
)  # fmt: skip
def test_the_cards_of_a_box_are_its_list(lang: str, line: str, box: str) -> None:
    found = understand(Language(open_database(), lang), line)
    assert (found.kind, found.document["filters"]) == ("query", f"set:{box}")


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "5 heroes"), ("en", "7 monsters"), ("en", "10 weapons"), ("en", "best hero"), ("en", "worst card"),
        ("pl", "5 bohaterów"), ("pl", "najlepszy bohater"), ("pl", "najgorsza karta"),
        ("ru", "5 героев"), ("ru", "лучший герой"), ("ru", "худшая карта"),
    ],
)  # fmt: skip
def test_a_number_or_best_beside_a_kind_names_no_card(lang: str, line: str) -> None:
    with pytest.raises(NoAnswerError) as refusal:
        understand(Language(open_database(), lang), line)
    assert refusal.value.code == "unknown-command"


@pytest.mark.parametrize(
    ("lang", "line"), [("en", "how many dragons"), ("pl", "ile smoków"), ("ru", "сколько драконов")]
)
def test_a_count_is_answered_with_cards_and_copies(lang: str, line: str) -> None:
    words = Language(open_database(), lang)
    assert understand(words, line).kind == "question"
    assert (found := reader(words).parse(line).listed) is not None
    assert found.counts
