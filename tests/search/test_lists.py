"""Questions that ask for cards are read as queries, in three languages; others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

import thunderref
from support.asking import is_found
from support.measures import LANGUAGES, Rows, check_floors, read_measure
from thunderref.database.read import Language, open_database
from thunderref.search.filters import NUMBERS, filter_cards
from thunderref.search.lexicon import LISTED
from thunderref.search.lists import read_list
from thunderref.text.folding import word_values

PARTS = read_measure(Path(__file__).with_name("lists.toml"))
LEAST = {"en": (0.90, 1.0), "pl": (0.77, 1.0), "ru": (0.95, 1.0)}
"""Language -> the least share of lists whose cards are all found and no others, and of other questions left alone."""
LISTS = ("list", "superlative")


@pytest.mark.parametrize(
    ("question", "lang", "query", "cards"),
    [
        ("which monsters kill wizards", "en", "kind:monster does:destroy-wizard", ["archduke-of-pain"]),
        ("cheapest light", "en", "type:light not cost:none", ["torch"]),
        (
            "cheapest weapon in the village",
            "en",
            "type:weapon (kind:village or kind:basic or kind:hero level=1) not cost:none",
            ["dagger"],
        ),
        ("cheapest of the village cards that give light", "en", "kind:village gives:light not cost:none", ["lantern"]),
        (
            "co w wiosce daje światło najtaniej",
            "pl",
            "(kind:village or kind:basic or kind:hero level=1) gives:light not cost:none",
            ["torch"],
        ),
        (
            "second cheapest weapon",
            "en",
            "type:weapon not cost:none cost=4",
            ["hatchet", "spear", "warhammer", "magi-staff"],
        ),
        ("third level hero that is the cheapest", "en", "level=3 kind:hero not cost:none", ["redblade-assassin"]),
        (
            "trzecia najlżejsza broń",
            "pl",
            "type:weapon not weight:none weight=4",
            ["short-sword", "spear", "short-bow"],
        ),
        ("второй самый дорогой герой", "ru", "kind:hero not cost:none cost=12", 6),
        ("food cards", "en", "type:food", ["iron-rations", "feast", "goodberries", "ambrosia"]),
        ("кто может взять топор", "ru", "holds:hatchet", 55),
        ("elf wizard level 3", "en", "level=3 family:elf", ["elf-archmage"]),
        ("level 2 of the elf wizard", "en", "level=2 family:elf", ["elf-sorcerer"]),
        ("najtańsza broń", "pl", "type:weapon not cost:none", ["dagger"]),
        ("co zwiększa siłę bohaterom", "pl", "gives:strength", 9),
        ("karty wioski za 4 z gniewu żywiołów", "pl", "kind:village cost<=4 set:wrath", 5),
        ("wojownicy z siłą 8 albo wyżej", "pl", "type:fighter strength>=8", 8),
        (
            "który żywiołak wart jest najwięcej punktów",
            "pl",
            "type:elemental not vp:none",
            ["blood-torment", "thunder-wrath"],
        ),
        (
            "którzy bohaterowie mają efekt w wiosce",
            "pl",
            "kind:hero (timing:village or timing:village-or-dungeon)",
            ["divine-healer", "divine-chaplain", "divine-prophet", "gangland-thug", "gangland-heavy"],
        ),
        ("all cards that are not heroes", "en", "not (kind:hero or type:hero)", 113),
        (
            "какое есть не режущее оружие",
            "ru",
            "not type:edged type:weapon",
            ["warhammer", "cursed-mace", "magi-staff", "short-bow"],
        ),
        ("кто уничтожает болезни", "ru", "does:destroy-disease", 7),
        ("which weapons can Elf Wizard hold", "en", "held-by:elf-wizard", 4),
        ("spells under 5 gold", "en", "type:spell cost<5", 5),
        ("the one that doubles magic attack", "en", "does:double", 2),
        ("what can I buy with 6 gold", "en", "cost<=6 (kind:village or kind:basic or kind:hero level=1)", 44),
        ("how many heroes are clerics", "en", "kind:hero type:cleric", 12),
        ("monsters with 6 or more vp", "en", "kind:monster vp>=6", 14),
        ("monsters with breach", "en", "(kind:monster or kind:guardian) timing:breach", 8),
        ("strongest monster", "en", "(kind:monster or kind:guardian) health>0", ["dark-champion", "horde-12"]),
        ("list all thieves please", "en", "type:thief", 12),
        ("strongest hero", "en", "kind:hero not strength:none", ["thyrian-lord", "toryn-gladiator"]),
    ],
)
def test_a_question_for_cards_is_a_query(question: str, lang: str, query: str, cards: list[str] | int) -> None:
    words = Language(open_database(), lang)
    found = read_list(words, question)
    assert found is not None
    assert found.query == query
    met = [card.id for card in found.cards(words)]
    assert sorted(met) == sorted(cards) if isinstance(cards, list) else len(met) == cards


@pytest.mark.parametrize(
    ("lang", "questions"),
    [
        (
            "en",
            [
                "what is a guardian", "how does light work", "which monsters kill me without magic",
                "can militia hold polearm", "how much gold does a torch give", "who gets the thunderstone",
                "when does the game end", "torch", "can I buy a level 3 hero with gold", "how many cards can I buy",
                "what is XP for", "what is light for", "how many spells can i play",
                "which base weapons work against Noxious Slag", "what can kill noxious slag",
            ],
        ),
        ("pl", ["ile kart mogę kupić", "po co są PD", "z ilu kart jest talia na start", "ile zaklęć mogę zagrać"]),
        ("ru", ["сколько карт можно купить", "зачем нужен опыт", "можно купить героя 3 уровня за золото"]),
        ("en", ["what do i spend xp on", "how many monsters in a class"]),
        ("pl", ["ile klas potworów w podstawce"]),
        ("ru", ["клеймор: кому минус здоровье", "у кого имунитет к магической атаке"]),
    ],
)  # fmt: skip
def test_another_question_is_none(lang: str, questions: list[str]) -> None:
    words = Language(open_database(), lang)
    assert not [question for question in questions if read_list(words, question)]


def test_ask_answers_with_the_names_and_the_query() -> None:
    found = thunderref.ask("cheapest light").answer
    assert (found["kind"], found["text"]["pl"], found["query"]) == ("list", "Pochodnia.", "type:light not cost:none")
    counted = thunderref.ask("how many heroes are clerics").answer
    assert counted["kind"] == "count"
    assert counted["text"]["en"].startswith("12 cards, 48 copies in all: ")


def test_families_and_classes_are_counted() -> None:
    assert thunderref.ask("how many races are in wrath").answer["text"]["en"].startswith("7: Blind, ")
    assert thunderref.ask("сколько классов героев", "ru").answer["text"]["ru"].startswith("5: Воин, ")


def test_every_phrase_says_what_there_is() -> None:
    database = open_database()
    said = database.query("SELECT DISTINCT topic, value FROM phrases")
    conditions = [value for topic, value in said if topic == "condition"]
    assert len(conditions) > 50
    assert all(filter_cards(database, condition) for condition in conditions)
    figures = {value for topic, value in said if topic == "figure"}
    assert figures <= {*NUMBERS}
    assert {"wins", "holds", "needs"} <= {value for topic, value in said if topic == "pair"}


@pytest.mark.parametrize(
    ("question", "lang", "query"),
    [
        ("which cutpurses are there", "en", None),  # said by nobody here
        ("which grub is there", "en", "type:food"),
        ("monsters beaten only by magic", "en", "kind:monster does:only-magic"),
        ("which are beaten by magic", "en", None),
        ("which items don't give light", "en", "type:item not gives:light"),
        ("Что из деревни даёт добор карт?", "ru", "kind:village does:draw"),
        ("карты деревни которые стоят ровно 6 золотых", "ru", "kind:village cost=6"),
        ("weapons that aren't edged", "en", "type:weapon not type:edged"),
        ("какое оружие не режущее", "ru", "type:weapon not type:edged"),
        ("эльфы и дварфы второго уровня кто", "ru", "(family:elf or family:dwarf) level=2"),
        ("за каких монстров дают 3 опыта (только база)", "ru", "kind:monster xp=3 set:base"),
        ("ile ras bohaterow w podstawce", "pl", "kind:hero set:base"),
        ("how many hero families in the base box", "en", "kind:hero set:base"),
        ("who lowers my heroes' strength", "en", "does:weaken"),
        (
            "monsters that cut your total in half if you bring no magic",
            "en",
            "kind:monster does:halve-without-magic-attack",
        ),
        ("who gives me a disease if i fight them", "en", "does:gain-disease-in-battle"),
        ("I've got 4 gold and want a weapon", "en", "cost<=4 type:weapon"),
        ("heroes for 5 gold or less", "en", "(kind:hero or type:hero) cost<=5"),
        ("list all the theives", "en", "type:thief"),
        ("which monsters can only be hurt by magic", "en", "kind:monster does:only-magic"),
        ("are there any monsters with no text", "en", "kind:monster timing:none"),
        ("who holds the power", "en", None),
        ("how many trap cards in a set", "en", None),
        ("how many militia do i start with", "en", None),
        ("what does spoils mean on a monster", "en", None),
        ("kto w bitwie zabija ochotnika", "pl", "does:destroy-militia-in-battle"),
        ("mam 6 złota, jaką broń mogę kupić?", "pl", "cost<=6 type:weapon"),
        ("jakie przedmioty dodają siły bohaterom?", "pl", "type:item gives:strength"),
        ("bohaterowie o sile co najmniej 8", "pl", "kind:hero strength>=8"),
        ("кого не завалить совсем без магической атаки", "ru", "(does:needs-magic or does:only-magic)"),
        ("против кого атака режется пополам если нет магии", "ru", "does:halve-without-magic-attack"),
        ("герои со светом дешевле 8", "ru", "kind:hero cost<8 light>0"),
        ("клирик лечит болезнь", "ru", None),
        ("which heroes can't militia hold", "en", None),
    ],
)
def test_a_phrase_is_one_condition(question: str, lang: str, query: str | None) -> None:
    found = read_list(Language(open_database(), lang), question)
    assert (found and found.query) == query


@pytest.mark.parametrize(
    ("lang", "question", "query"),
    [
        # What is bought is told by a price or a question word, not by a wish to buy.
        ("en", "can i buy a level 2 hero", None),
        ("en", "which level 2 heroes can i buy", "level=2 kind:hero"),
        ("pl", "kupić bohatera 2 poziomu", None),
        ("pl", "jakich bohaterów 2 poziomu kupię", "kind:hero level=2"),
        ("ru", "купить героя 2 уровня", None),
        # A gain for a deed is no deed of a card.
        ("en", "what do i get for defeating a monster", None),
        ("en", "which monsters give disease", "kind:monster does:gain-disease"),
        ("pl", "co dostanę za pokonanie potwora", None),
        ("ru", "что дают за победу над монстром", None),
        # Best of what is not said.
        ("en", "which weapon is the best", None),
        ("en", "which weapon has the most attack", "type:weapon not attack:none"),
        ("pl", "która broń jest najlepsza", None),
        ("ru", "какое оружие самое лучшее", None),
        # A statement about one card of a type.
        ("ru", "клирик уничтожает болезнь", None),
        ("ru", "кто уничтожает болезнь", "does:destroy-disease"),
        # A thing that is missing is a situation.
        ("en", "weapon without a hero", None),
        ("pl", "zaklęcie bez bohatera", None),
        ("ru", "заклинание без героя", None),
        ("en", "heroes that are not fighters", "(kind:hero or type:hero) not type:fighter"),
        ("pl", "którzy bohaterowie nie są wojownikami", "(kind:hero or type:hero) not type:fighter"),
        ("ru", "какие герои не воины", "(kind:hero or type:hero) not type:fighter"),
        ("ru", "оружие кроме режущего", "type:weapon not type:edged"),
        # A word is to be explained, wherever the question stands in the line.
        ("pl", "łupy, po co to", None),
        ("ru", "трофей это что", None),
        # An immunity to nothing.
        ("en", "which monsters are resistant", None),
        ("en", "which monsters are resistant to magic", "kind:monster immune:magic"),
        ("pl", "które potwory są niewrażliwe", None),
        # A word that nobody knows.
        ("en", "which village cards are shiny", None),
        ("pl", "które karty wioski są fajne", None),
        ("ru", "какие карты деревни блестящие", None),
    ],
)  # fmt: skip
def test_a_list_is_understood_whole(lang: str, question: str, query: str | None) -> None:
    found = read_list(Language(open_database(), lang), question)
    assert (found and found.query) == query


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_that_players_asked_for(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = Language(open_database(), lang)

    def shares(rows: Rows) -> dict[str, float]:
        lists = [is_found(words, question, cards) for question, sort, cards in rows[lang] if sort in LISTS]
        others = [read_list(words, row[0]) is None for row in rows[lang] if row[1] not in (*LISTS, "count")]
        return {"lists": sum(lists) / len(lists), "others left": sum(others) / len(others)}

    check_floors(capsys, f"lists {lang}", PARTS, shares, LEAST[lang])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_word_of_a_topic_has_one_meaning(lang: str) -> None:
    messages = open_database().messages(lang)
    for topic in LISTED:
        pairs = {*word_values([messages[f"list.words.{topic}"]])}
        words = [word for word, _ in pairs]
        assert [word for word in words if words.count(word) > 1] == [], topic


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("how many monsters in the dungeon", "en"), ("how many heroes in the village", "en"),
        ("ile kart w wiosce", "pl"), ("ile potworów w lochu", "pl"), ("сколько драконов в подземелье", "ru"),
    ],
)  # fmt: skip
def test_what_lies_in_a_place_is_no_list_of_all_cards(line: str, lang: str) -> None:
    assert read_list(Language(open_database(), lang), line) is None


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("which cards have a village effect", "en"), ("how many cards have a village effect", "en"),
        ("które karty mają efekt wioski", "pl"), ("какие карты имеют эффект деревни", "ru"),
    ],
)  # fmt: skip
def test_a_village_effect_is_no_village_card(line: str, lang: str) -> None:
    words = Language(open_database(), lang)
    found = read_list(words, line)
    assert found
    assert {card.id for card in found.cards(words)} >= {"barkeep", "divine-healer"}
    assert "fireball" not in {card.id for card in found.cards(words)}


@pytest.mark.parametrize(
    ("line", "lang", "query"),
    [
        ("cards worth 3 vp", "en", "vp=3"), ("cards with gold 4", "en", "gold=4"),
        ("weapons lighter than 3", "en", "type:weapon weight<3"), ("broń lżejsza niż 3", "pl", "type:weapon weight<3"),
        ("оружие тяжелее 4", "ru", "type:weapon weight>4"), ("weapons under 4 gold", "en", "type:weapon cost<4"),
    ],
)  # fmt: skip
def test_a_figure_and_a_number_are_a_condition(line: str, lang: str, query: str) -> None:
    found = read_list(Language(open_database(), lang), line)
    assert found
    assert found.query == query
