"""One door: what is typed is read as what it is, whoever types it, and what is unclear is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import thunderref
from support.asking import is_read, is_refused
from support.measures import LANGUAGES, Rows, check_floors, read_measure
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import InputError, NoAnswerError, ThunderrefError
from thunderref.pages.computed_page import answer_question, computed_page
from thunderref.pages.page import table_line
from thunderref.search import lists, parsed_line, situations
from thunderref.search.understand import ANSWERED_BY, Understood, reader, split_list, understand

PARTS = read_measure(Path(__file__).with_name("typed.toml"))
LEAST = {"en": (0.945, 0.98), "pl": (0.925, 0.98), "ru": (0.95, 0.98)}
"""Language -> the least share of lines read as their kind with hand and hall, and of those not answered as another."""


def read(text: str, lang: str = "en") -> Understood:
    return understand(Language(open_database(), lang), text)


@pytest.mark.parametrize(
    ("line", "hand", "hall", "more"),
    [
        ("3 militia 2 dagger torch vs goblin", ["3 militia", "2 dagger", "torch"], ["griknack-goblin"], {}),
        ("militia x2, 2x torch vs griffon rank 2", ["2 militia", "2 torch"], [None, "griffon"], {"target": 2}),
        ("torch 2 militia 3 vs - nixie", ["2 torch", "3 militia"], [None, "nixie"], {}),
        ("militia with dagger against suffering, griffon", ["militia", "dagger"], ["suffering", "griffon"], {}),
        ("elf lvl 3, torch vs ghost", ["elf-archmage", "torch"], ["ghost"], {}),
        ("beat griffon with fireball, 2 militia", ["fireball", "2 militia"], ["griffon"], {}),
        ("2 torch vs horde 5 deck: fireball, torch", ["2 torch"], ["horde-5"], {"deck": ["fireball", "torch"]}),
        ("dvarf s toporom protiv grifona", ["dwarf-guardian", "hatchet"], ["griffon"], {}),
        ("ochotnik, dwa sztylety na gryfa", ["militia", "2 dagger"], ["griffon"], {}),
        ("дварф с топором против грифона", ["dwarf-guardian", "hatchet"], ["griffon"], {}),
        (
            "2 militia, 3torch, dagger, griffon - pegasus",
            ["2 militia", "3 torch", "dagger"],
            ["griffon", "pegasus"],
            {},
        ),
        ("i have 2 militia battle fury can i beat ghost", ["2 militia", "battle-fury"], ["ghost"], {}),
        ("hall: griffon famine hand: squire, 2 torch", ["thyrian-squire", "2 torch"], ["griffon", "famine"], {}),
        ("griffon vs militia with torch", ["militia", "torch"], ["griffon"], {}),
        ("pole, flam and 2 mili vs griff", ["polearm", "flaming-sword", "2 militia"], ["griffon"], {}),
    ],
)
def test_a_hand_against_a_hall_is_a_battle(
    line: str, hand: list[str], hall: list[str | None], more: dict[str, Any]
) -> None:
    found = read(line)
    assert found.kind == "battle"
    assert found.document == {"hand": hand, "hall": hall, **more}


def test_a_family_alone_is_its_first_hero_and_a_name_in_full_is_itself() -> None:
    assert read("elf, torch vs griffon").taken == ("elf-wizard",)
    named = read("elf archmage, torch vs griffon")
    assert (named.document["hand"], named.taken) == (["elf-archmage", "torch"], ())


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        ("buy with 3 torch and 2 militia", ["3 torch", "2 militia"]),
        ("what can I buy with 2 torch, militia", ["2 torch", "militia"]),
        ("kupuję za 2 pochodnie, ochotnik", ["2 torch", "militia"]),
        ("факел, 2 ополченца, что купить?", ["torch", "2 militia"]),
        ("torch torch militia rations", ["torch", "torch", "militia", "iron-rations"]),
    ],
)
def test_a_purchase_or_a_hand_alone_is_a_visit(line: str, hand: list[str]) -> None:
    found = read(line)
    assert (found.kind, found.document) == ("visit", {"hand": hand})


@pytest.mark.parametrize(
    ("line", "lang", "hand", "wanted"),
    [
        ("buy fireball with torch, militia, dagger", "en", ["torch", "militia", "dagger"], ["fireball"]),
        ("barkeep feast torch buy dagger and torch", "en", ["barkeep", "feast", "torch"], ["dagger", "torch"]),
        ("with dagger, torch buy a lantern", "en", ["dagger", "torch"], ["lantern"]),
        ("kup kulę ognia z 3 pochodnie, ochotnik", "pl", ["3 torch", "militia"], ["fireball"]),
        ("kupuję pochodnię za 2 sztylety i racje", "pl", ["2 dagger", "iron-rations"], ["torch"]),
        ("купить огненный шар с 3 факела, ополченец", "ru", ["3 torch", "militia"], ["fireball"]),
        ("купить короткий меч на 2 ополченца факел", "ru", ["2 militia", "torch"], ["short-sword"]),
        ("village militia 2 torch dagger, buy lantern", "en", ["militia", "2 torch", "dagger"], ["lantern"]),
        ("wioska: ochotnik, 2 pochodnie, kupuję latarnię", "pl", ["militia", "2 torch"], ["lantern"]),
        ("деревня: ополченец, 2 факела, куплю фонарь", "ru", ["militia", "2 torch"], ["lantern"]),
        ("покупаю фонарь, рука трактирщик факел", "ru", ["barkeep", "torch"], ["lantern"]),
        ("деревня трактирщик 3 факела: топор", "ru", ["barkeep", "3 torch"], ["hatchet"]),
    ],
)  # fmt: skip
def test_what_is_to_be_bought_is_no_part_of_the_hand(line: str, lang: str, hand: list[str], wanted: list[str]) -> None:
    found = read(line, lang)
    assert (found.kind, found.document) == ("visit", {"hand": hand, "wanted": wanted})


@pytest.mark.parametrize(
    ("line", "lang", "target"),
    [
        ("elf sorcerer fireball vs spectre r2", "en", 2), ("elf sorcerer fireball vs spectre", "en", None),
        ("chan z rubieży, latarnia vs osąd sz 1", "pl", 1), ("elf czarodziej, ognista kula na rusałkę w 2", "pl", 2),
        ("маг элурин, огненный шар против призрака р3", "ru", 3), ("elf czarodziej x2 kontra gryf sz.2", "pl", 2),
        ("chan, pochodnia vs kolos sz3", "pl", 3), ("ополченец, факел против призрака ранг 1", "ru", 1),
        ("militia, torch vs griffon 2", "en", 2), ("ochotnik, pochodnia vs sukkub 2", "pl", 2),
        ("ополченец, факел -> грифон 3", "ru", 3), ("региец-жрец 1, ополченец 3 / голод / 1", "ru", 1),
        ("militia, torch vs horde 3", "en", None),
        ("2 outlands slayer, feast vs dark champion", "en", 0), ("dark champion: 2 outlands slayer, feast", "en", 0),
        ("militia, torch vs griffon x2", "en", None),
    ],
)  # fmt: skip
def test_a_rank_in_short_is_no_count(line: str, lang: str, target: int | None) -> None:
    found = read(line, lang)
    assert (found.kind, found.document.get("target")) == ("battle", target)


def test_a_count_before_a_place_is_no_rank() -> None:
    found = read("militia x2, in my hand, vs griffon", "en")
    assert (found.document["hand"], found.document.get("target")) == (["2 militia"], None)
    with pytest.raises(ThunderrefError) as raised:
        read("militia 2 in hand vs griffon", "en")
    assert (raised.value.code, raised.value.params["name"]) == ("unclear", "2")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("fireball", "card"), ("flam sw", "card"), ("dwarf", "card"), ("horde", "card"), ("Elemental • Pain", "card"),
        ("R5.11", "rule"), ("light penalty", "rule"), ("прорыв", "rule"),
        ("weapons", "query"), ("promo cards", "query"), ("type:weapon cost<=5", "query"),
        ("when does the game end", "question"), ("why would anyone buy a barkeep", "question"),
        ("banish and steam torment", "question"), ("can militia hold a sword", "question"),
    ],
)  # fmt: skip
def test_the_kind_of_a_line(line: str, kind: str) -> None:
    assert read(line).kind == kind


def test_words_of_talk_are_no_cards() -> None:
    assert read("blacksmith spear 2 torch milita any good buys").document == {
        "hand": ["blacksmith", "spear", "2 torch", "militia"]
    }
    assert read("trainer 3 militia torch feast whats best").document["hand"][-1] == "feast"
    assert read("i have six hordes how many points").kind == "question"
    assert read("halabarda kiedy +6", "pl").kind == "question"
    assert read("battle fury against fire wrath").kind == "question"


@pytest.mark.parametrize(
    ("line", "lang", "kind"),
    [
        ("can militia hold dagger against griffon", "en", "question"),
        ("czy ochotnik uniesie sztylet na gryfa", "pl", "question"),
        ("может ли ополченец держать кинжал против грифона", "ru", "question"),
        ("can militia with dagger beat griffon", "en", "battle"),
        ("хватит ли 3 ополченцев на грифона", "ru", "battle"),
        ("two barkeeps how many cards can I buy", "en", "question"),
        ("dwóch karczmarzy ile kart mogę kupić", "pl", "question"),
        ("два трактирщика сколько карт можно купить", "ru", "question"),
        ("two barkeeps and a torch what can I buy", "en", "visit"),
        ("dwóch karczmarzy i pochodnia co mogę kupić", "pl", "visit"),
        ("два трактирщика и факел что купить", "ru", "visit"),
        ("griffon or sphinx, which is stronger", "en", "question"), ("gryf czy nixie", "pl", "question"),
        ("грифон или никси", "ru", "question"), ("fireball vs magic missile", "en", "question"),
        ("militia without torch vs griffon", "en", "question"), ("spells under 5", "en", "query"),
    ],
)  # fmt: skip
def test_a_question_about_cards_is_no_battle_and_no_visit(line: str, lang: str, kind: str) -> None:
    assert read(line, lang).kind == kind


@pytest.mark.parametrize(
    ("line", "lang", "named"),
    [
        ("big militia, torch", "en", "big"), ("duży ochotnik, pochodnia", "pl", "duży"),
        ("большой ополченец, факел", "ru", "большой"), ("militia, shiny dagger, torch", "en", "shiny"),
        ("militia, torch vs big griffon", "en", "big"), ("ochotnik, pochodnia na dużego gryfa", "pl", "dużego"),
        ("ополченец, факел против большого грифона", "ru", "большого"),
        ("many militia, torch vs griffon", "en", "many"), ("kilka pochodni, ochotnik", "pl", "kilka"),
        ("militia, torch, not dagger", "en", "not dagger"), ("ополченец не факел против грифона", "ru", "не факел"),
        ("militia, torch, -1 attack", "en", "-1"), ("ochotnik, pochodnia, -1 atak", "pl", "-1"),
        ("ополченец, факел, -1 атака", "ru", "-1"), ("militia, torch, -1 light", "en", "-1"),
        ("ochotnik, pochodnia, -1 światło", "pl", "-1"), ("ополченец, факел, -1 свет", "ru", "-1"),
        ("militia, torch -1 light vs griffon", "en", "-1"), ("militia, torch, 2 gold", "en", "2 gold"),
    ],
)  # fmt: skip
def test_what_is_left_over_in_a_hand_is_refused_by_name(line: str, lang: str, named: str) -> None:
    with pytest.raises(ThunderrefError) as raised:
        read(line, lang)
    assert (raised.value.code, raised.value.params["name"]) == ("unclear", named)


@pytest.mark.parametrize(
    ("line", "lang", "hand"),
    [
        ("my militia, the torch, please", "en", ["militia", "torch"]),
        ("moja ręka: ochotnik, pochodnia", "pl", ["militia", "torch"]),
        ("у меня ополченец, факел", "ru", ["militia", "torch"]),
        ("-2 militia, -1 torch", "en", ["2 militia", "torch"]),
        ("militia, torch, griffon trophy", "en", ["militia", "torch", "griffon"]),
        ("buy with militia and dagger, torch", "en", ["militia", "dagger", "torch"]),
    ],
)  # fmt: skip
def test_words_around_a_hand_that_say_nothing(line: str, lang: str, hand: list[str]) -> None:
    found = read(line, lang)
    assert (found.kind, found.document) == ("visit", {"hand": hand})


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("torch vs griffon with militia", "en"), ("against griffon: torch, militia", "en"),
        ("pochodnia na gryfa z ochotnikiem", "pl"), ("na gryfa: pochodnia, ochotnik", "pl"),
        ("na gryfa pochodnia, ochotnik", "pl"), ("на грифона факел, ополченец", "ru"),
        ("факел против грифона с ополченцем", "ru"), ("против грифона: факел, ополченец", "ru"),
    ],
)  # fmt: skip
def test_a_hand_may_follow_the_hall(line: str, lang: str) -> None:
    assert read(line, lang).document == {"hand": ["torch", "militia"], "hall": ["griffon"]}


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("militia, torch vs griffon in the second rank", "en"), ("militia, torch vs griffon, 2nd rank", "en"),
        ("ochotnik, pochodnia na gryfa, drugi szereg", "pl"), ("ополченец, факел против грифона, второй ряд", "ru"),
        ("ополченец, факел против грифона 2й ряд", "ru"), ("griffon rank 2: militia, torch", "en"),
        ("gryf szereg 2 - ochotnik, pochodnia", "pl"), ("грифон ряд 2, ополченец, факел", "ru"),
        ("грифон р2 / ополченец, факел", "ru"),
    ],
)  # fmt: skip
def test_a_rank_is_told_by_an_ordinal_too(line: str, lang: str) -> None:
    assert read(line, lang).document == {"hand": ["militia", "torch"], "hall": [None, "griffon"], "target": 2}


@pytest.mark.parametrize("line", ["hall griffon, nixie, ghost", "monsters griffon, nixie"])
def test_a_hall_without_a_hand_is_no_visit(line: str) -> None:
    with pytest.raises(ThunderrefError) as raised:
        read(line)
    assert raised.value.code == "empty-hand"


@pytest.mark.parametrize(
    ("line", "lang", "kind", "query"),
    [
        ("breach rules", "en", "rule", "breach"), ("level rules", "en", "rule", "level"),
        ("rules for spoils", "en", "rule", "spoils"), ("breach clarification", "en", "rule", "breach"),
        ("breach card", "en", "rule", "breach"), ("zasady światła", "pl", "rule", "światła"),
        ("zasady łupów", "pl", "rule", "łupów"), ("правила прорыва", "ru", "rule", "прорыва"),
        ("правила отдыха", "ru", "rule", "отдыха"), ("disease rules", "en", "card", "disease"),
        ("dwarf rules", "en", "card", "dwarf"), ("setup rules", "en", "rule", "setup"),
        ("how do the rules of light work", "en", "question", "how do the rules of light work"),
    ],
)  # fmt: skip
def test_a_term_with_a_word_for_rules_is_the_term(line: str, lang: str, kind: str, query: str) -> None:
    found = read(line, lang)
    assert (found.kind, found.document) == (kind, {"query": query})


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("5 players setup", "en"), ("set up for 5", "en"), ("5 graczy rozstawienie", "pl"),
        ("rozstawienie dla 5 graczy", "pl"), ("5 игроков расклад", "ru"), ("расклад на 5 игроков", "ru"),
    ],
)  # fmt: skip
def test_the_players_of_a_set_up_stand_on_either_side(line: str, lang: str) -> None:
    found = read(line, lang)
    assert (found.kind, found.document) == ("command", {"players": 5})


def test_the_beginning_of_a_name_counts_in_the_language_of_the_answer() -> None:
    assert read("pole").kind == "card"
    with pytest.raises(NoAnswerError):
        read("pole", "pl")  # a field of the other game, which nobody named
    assert thunderref.lookup("pole", "en").matches[0].id == "polearm"


def test_what_is_unclear_is_asked_for_and_the_rest_stays() -> None:
    with pytest.raises(ThunderrefError) as raised:
        read("sword, militia vs griffon")
    assert raised.value.code == "unclear"
    assert raised.value.params["name"] == "sword"
    assert [each.id for each in raised.value.candidates] == ["flaming-sword", "short-sword"]
    assert raised.value.params["rest"] == {"hand": ["militia"], "hall": ["griffon"]}
    assert read("short sword, militia vs griffon").kind == "battle"


@pytest.mark.parametrize(
    ("line", "why"),
    [("sword, militia vs griffon", "several"), ("NaN, militia vs griffon", "near"), ("zombork", "name")],
)
def test_near_names_are_not_told_as_those_that_fit(line: str, why: str) -> None:
    with pytest.raises(ThunderrefError) as raised:
        read(line)
    assert raised.value.params["why"] == why


def test_a_monster_that_no_card_is_called_like_is_named() -> None:
    with pytest.raises(ThunderrefError) as raised:
        read("fireball, torch vs zombork")
    assert (raised.value.code, raised.value.params["name"]) == ("unclear", "zombork")


@pytest.mark.parametrize("line", ["", "  ", "zzqxw", "pizza", "12345", "x" * 700])
def test_what_is_nothing_is_refused(line: str) -> None:
    with pytest.raises(ThunderrefError):
        read(line)


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("can militia hold a dagger", "en"), ("griffon health", "en"), ("torch card", "en"), ("cheapest weapon", "en"),
        ("when does the game end", "en"), ("2 militia, torch vs griffon", "en"), ("militia, torch", "en"),
        ("czy ochotnik uniesie sztylet", "pl"), ("najtańsza broń", "pl"), ("сколько здоровья у грифона", "ru"),
    ],
)  # fmt: skip
def test_a_line_is_parsed_once(line: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Counter[str]()

    def counted(name: str, parse: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return parse(*arguments)

        return call

    for module, name in ((lists, "read_list"), (situations, "read_situation"), (parsed_line, "name_alone")):
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    names = reader(Language(Database(open_database().path), lang))  # nothing of it is cached
    if names.read(line).kind == "question":
        assert answer_question(names.parse(line)).answer
        for tongue in LANGUAGES:
            computed_page(Language(names.database, tongue), names.parse(line))
    assert set(calls.values()) == {1}


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_players_typed_is_read_as_they_meant_it(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shares(rows: Rows) -> dict[str, float]:
        right = wrong = 0
        for row in rows[lang]:
            try:
                found = read(row[0], lang)
            except ThunderrefError:
                right += is_refused(row)
                continue
            fits = is_read(row, found)
            right += fits
            wrong += not fits and found.kind != "question"
        return {"right": right / len(rows[lang]), "not answered as another kind": 1 - wrong / len(rows[lang])}

    check_floors(capsys, f"typed {lang}", PARTS, shares, LEAST[lang])


def test_in_python() -> None:
    found = thunderref.understand("ochotnik z pochodnią na gryfa", "pl")
    assert found.model_dump(exclude={"sure", "taken", "named"}) == {
        "kind": "battle", "document": {"hand": ["militia", "torch"], "hall": ["griffon"]},
    }  # fmt: skip
    with pytest.raises(ThunderrefError) as raised:
        thunderref.understand("zzqxw", "ru")
    assert "«zzqxw»" in str(raised.value)


@pytest.mark.parametrize(
    ("line", "lang", "command", "document"),
    [
        ("odds 2 militia, banish vs griffon", "en", "odds", {"hand": ["2 militia", "banish"], "hall": ["griffon"]}),
        ("szanse 2 ochotnik kontra gryf", "pl", "odds", {"hand": ["2 militia"], "hall": ["griffon"]}),
        ("ход: 2 ополченца против грифона", "ru", "turn", {"hand": ["2 militia"], "hall": ["griffon"]}),
        ("resolve 2 militia vs griffon", "en", "resolve", {"hand": ["2 militia"], "hall": ["griffon"]}),
        ("score Ann: 2 griffon; Bob: militia", "en", "score", {"players": {"Ann": ["2 griffon"], "Bob": ["militia"]}}),
        ("счёт Анна: кинжал", "ru", "score", {"players": {"Анна": ["кинжал"]}}),
        (
            "wynik ania gryf 2 sfinks, tomek kolos",
            "pl",
            "score",
            {"players": {"ania": ["gryf", "2 sfinks"], "tomek": ["kolos"]}},
        ),
        (
            "ann: griffon, nixie; bob: 3 horde",
            "en",
            "score",
            {"players": {"ann": ["griffon", "nixie"], "bob": ["3 horde"]}},
        ),
        (
            "саша сфинкс грифон, оля суккуб никса",
            "ru",
            "score",
            {"players": {"саша": ["сфинкс", "грифон"], "оля": ["суккуб", "никса"]}},
        ),
        ("score: khan sphinx", "en", "score", {"players": {"1": ["khan", "sphinx"]}}),
    ],
)
def test_a_line_may_begin_with_its_command(line: str, lang: str, command: str, document: dict[str, Any]) -> None:
    read = thunderref.understand(line, lang)
    assert (read.command, read.document) == (command, document)


@pytest.mark.parametrize(
    ("line", "lang", "rank"),
    [
        ("chan + halabarda + latarnia skaladak 3", "pl", 3), ("амазонка лучница короткий лук пегас 2", "ru", 2),
        ("militia sphinx 2", "en", 2),
    ],
)  # fmt: skip
def test_a_bare_number_behind_the_last_monster_is_its_rank(line: str, lang: str, rank: int) -> None:
    assert read(line, lang).document["target"] == rank


def test_a_bare_number_behind_a_comma_or_a_monster_alone_is_a_count() -> None:
    assert read("2 militia, torch, griffon 2").document["hand"] == ["2 militia", "torch", "2 griffon"]
    assert read("griffon 2 militia 2").document["hand"] == ["2 griffon", "2 militia"]


def test_the_deck_of_odds_has_no_order() -> None:
    read_as = read("odds regian priest, militia vs griffon deck: 6 militia, 2 dagger")
    assert (read_as.command, read_as.document["deck_list"]) == ("odds", ["6 militia", "2 dagger"])


def test_a_command_before_words_that_name_no_battle_is_none_of_a_line() -> None:
    assert thunderref.understand("turn order", "en").kind == "question"
    assert thunderref.understand("score of griffon", "en").kind == "question"
    assert thunderref.understand("punkty za smoki", "pl").kind == "question"
    assert thunderref.understand("hall: griffon; hand: 2 militia", "en").kind == "battle"
    with pytest.raises(ThunderrefError, match="zzqx"):
        thunderref.understand("score Ann: 2 zzqx", "en")


def test_every_kind_has_a_command() -> None:
    from thunderref.cli.app import COMMANDS

    assert set(ANSWERED_BY.values()) <= set(COMMANDS)


@pytest.mark.parametrize(
    ("line", "hand"),
    [
        ("lorigg thief, town guard, 2 militia, torch", ["lorigg-thief", "town-guard", "2 militia", "torch"]),
        ("militia torch town guard dagger", ["militia", "torch", "town-guard", "dagger"]),
        ("buy fireball with town guard and 2 torches", ["town-guard", "2 torch"]),
    ],
)
def test_a_word_of_a_name_steers_nothing(line: str, hand: list[str]) -> None:
    """A card whose name has a word for the village is a card, and nobody before it is dropped."""
    assert understand(Language(open_database(), "en"), line).document["hand"] == hand


def test_a_mistyped_name_of_several_words_is_one_card() -> None:
    assert understand(Language(open_database(), "en"), "tyrx the old").kind == "card"
    assert understand(Language(open_database(), "en"), "torch torch militia").document["hand"] == [
        "torch",
        "torch",
        "militia",
    ]


@pytest.mark.parametrize(
    ("line", "lang", "document"),
    [
        ("random setup 4 players both boxes", "en", {"players": 4, "sets": ["all"]}),
        ("setup base only", "en", {"sets": ["base"]}), ("rozłożenie na 3 graczy", "pl", {"players": 3}),
        ("подготовка на 4 игрока", "ru", {"players": 4}),
        ("new game for three with golem and dragon", "en",
         {"players": 3, "sets": ["all"], "require": ["golem", "dragon"]}),
        ("random table for 2 without lorigg", "en", {"players": 2, "exclude": ["lorigg"]}),
        ("rozkładka na 4 graczy ze smokiem i śluzem", "pl", {"players": 4, "require": ["smokiem", "śluzem"]}),
        ("solo koszmar, śluz", "pl", {"variant": "solo", "level": "nightmare", "require": ["śluz"]}),
        ("соло на кошмаре разложи", "ru", {"variant": "solo", "level": "nightmare"}),
        ("losuj zestaw dla 2 graczy bez pułapek", "pl", {"players": 2, "exclude": ["kind:trap"]}),
        ("gra na 4 osoby z dodatkiem", "pl", {"players": 4, "sets": ["all"]}),
        ("4p", "en", {"players": 4}), ("setup 4p epic", "en", {"players": 4, "variant": "epic"}),
        ("setup with 2 dragons for 3 players", "en", {"players": 3, "require": ["2 dragons"]}),
        ("rozstaw grę dla 3 osób", "pl", {"players": 3}), ("первая партия, втроём", "ru",
         {"players": 3, "first_game": "base"}),
        ("хочу партию вдвоем: эльф дварф", "ru", {"players": 2, "require": ["эльф", "дварф"]}),
        ("расклад на троих с драконами но без жижи", "ru",
         {"players": 3, "require": ["драконами"], "exclude": ["жижи"]}),
    ],
)  # fmt: skip
def test_a_set_up_in_words_names_its_boxes(line: str, lang: str, document: dict[str, Any]) -> None:
    found = understand(Language(open_database(), lang), line)
    assert (found.kind, found.document) == ("command", document)


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("tax collector, militia, 4 players, what can I buy", "en"),
        ("tax collector, militia, torch, 4p", "en"),
        ("4 graczy, wioska, poborca podatkowy, racje", "pl"),
        ("зайти в деревню с tax collector, пир, играем вчетвером", "ru"),
    ],
)
def test_the_players_of_a_visit_are_told(line: str, lang: str) -> None:
    """Tax Collector gives gold for each of them (R3.2)."""
    found = read(line, lang)
    assert (found.kind, found.document["players"]) == ("visit", 4)
    assert "tax-collector" in found.document["hand"]
    assert table_line(Language(open_database(), lang), thunderref.village(found.document, lang).table).endswith(" 4.")


@pytest.mark.parametrize(
    ("line", "lang", "wishes"),
    [("zestaw ze smokami i lichwiarzem", "pl", ["smokami", "lichwiarzem"]), ("a game with dragons", "en", ["dragons"])],
)
def test_a_game_with_cards_is_a_set_up(line: str, lang: str, wishes: list[str]) -> None:
    assert read(line, lang).document == {"require": wishes}
    assert read("zestaw podstawowy", "pl").kind == "question"


@pytest.mark.parametrize(("line", "lang"), [("first game wrath", "en"), ("pierwsza gra gniew żywiołów", "pl")])
def test_a_first_game_is_laid_out(line: str, lang: str) -> None:
    assert read(line, lang).document == {"first_game": "wrath"}
    assert read("first player of the base game").kind == "question"


@pytest.mark.parametrize(
    ("line", "lang", "document"),
    [
        ("setup with 5 monsters", "en", {"monsters": 5}), ("rozstawienie z 4 potworami", "pl", {"monsters": 4}),
        ("setup for 3 players with 4 monsters", "en", {"players": 3, "monsters": 4}),
        ("setup 4", "en", {"players": 4}),
        ("5 player setup with a guardian", "en", {"players": 5, "sets": ["all"], "require": ["kind:guardian"]}),
    ],
)  # fmt: skip
def test_a_number_of_monsters_is_none_of_players(line: str, lang: str, document: dict[str, Any]) -> None:
    assert read(line, lang).document == document


@pytest.mark.parametrize(
    ("line", "code"),
    [("0 militia vs griffon", "zero-copies"), ("0 torch", "zero-copies"), ("3 3 3", "unknown-command")],
)
def test_numbers_that_count_nothing_are_refused(line: str, code: str) -> None:
    with pytest.raises(ThunderrefError) as refused:
        read(line)
    assert refused.value.code == code


@pytest.mark.parametrize("line", ["2 militia, trch, dagger", "dwarf guardian, xyzzy, torch"])
def test_a_word_in_a_list_of_cards_is_no_player(line: str) -> None:
    with pytest.raises(ThunderrefError) as refused:
        read(line)
    assert refused.value.code == "unclear"


def test_two_heroes_of_a_family_are_not_the_family_alone() -> None:
    """A squire and a knight may both be meant; only the bare family stands for its level 1 hero."""
    with pytest.raises(NoAnswerError) as raised:
        read("rycerz thyrian vs gryf", "pl")
    assert (raised.value.params["name"], len(raised.value.candidates)) == ("rycerz thyrian", 2)
    assert read("thyrian vs griffon").taken == ("thyrian-squire",)


def test_what_nobody_sells_is_no_visit() -> None:
    with pytest.raises(ThunderrefError):
        read("buy griffon with 4 torch")
    assert read("buy fireball with 4 torch").document["wanted"] == ["fireball"]


def test_a_player_may_be_called_like_a_card() -> None:
    decks = read("score tom: pegasus, griffon; ann: sphinx").document["players"]
    assert decks == {"tom": ["pegasus", "griffon"], "ann": ["sphinx"]}
    assert read("score ann griffon, tom colossus").document["players"] == {"ann": ["griffon"], "tom": ["colossus"]}


def test_an_empty_rank_is_no_wish_for_a_set_up() -> None:
    found = read("redblade with flaming sword, militia, torch vs blink dog, -, succubus", "en")
    assert (found.kind, found.document["hall"]) == ("battle", ["blink-dog", None, "succubus"])
    assert read("ochotnik, pochodnia vs -, -, upior", "pl").document["hall"] == [None, None, "haunt"]


def test_strokes_between_monsters_part_ranks() -> None:
    hall = read("hall blink dog / suffering / griffon. hand: militia militia dagger torch", "en").document["hall"]
    assert hall == ["blink-dog", "suffering", "griffon"]


@pytest.mark.parametrize(
    ("line", "lang"),
    [
        ("number of monster groups in setup for 2", "en"),
        ("co daje rozstawienie dla 2", "pl"),
        ("explain setup for 2", "en"),
        ("is there a game for 7 players", "en"),
    ],
)
def test_a_question_about_a_set_up_draws_none(line: str, lang: str) -> None:
    assert understand(Language(open_database(), lang), line).kind == "question"


@pytest.mark.parametrize(
    ("line", "lang", "kind"),
    [("wounds", "en", "question"), ("thorgal wounds", "en", "question"), ("T20.1", "en", "rule")],
)
def test_another_game_answers_only_where_it_is_named(line: str, lang: str, kind: str) -> None:
    assert read(line, lang).kind == kind


@pytest.mark.parametrize(
    ("line", "lang", "word"),
    [
        ("some militia, torch vs nixie", "en", "some"), ("kilku ochotników i pochodnia vs gryf", "pl", "kilku"),
        ("все ополченцы против никсы", "ru", "все"),
    ],
)  # fmt: skip
def test_a_count_that_says_no_number_is_asked_for(line: str, lang: str, word: str) -> None:
    with pytest.raises(InputError) as raised:
        read(line, lang)
    assert (raised.value.params["name"], raised.value.params["why"]) == (word, "vague")


def test_the_cards_of_an_opponent_are_none_of_the_hand() -> None:
    assert read("opponent has 3 militia vs nixie").kind == "question"


@pytest.mark.parametrize("hand", ["barkeep buy two hatchets", "3 militia or 2 torch", "pawnbroker destroy torch"])
def test_a_word_that_says_what_to_do_stands_in_no_list(hand: str) -> None:
    with pytest.raises(NoAnswerError):
        split_list(hand, Language(open_database(), "en"))


def test_hand_and_hall_may_have_their_names_before_them() -> None:
    words = reader(Language(open_database(), "en"))
    assert words.split_battle("hand: 3 militia; hall: nixie, griffon")[:2] == ("3 militia ,", "nixie , griffon")
    assert words.split_battle("hand: 3 militia; torch vs nixie")[:2] == ("3 militia , torch", "nixie")


@pytest.mark.parametrize(
    ("line", "lang", "hand", "hall"),
    [
        ("militia:3, dagger:2 vs nixie", "en", ["3 militia", "2 dagger"], ["nixie"]),
        ("militia=3 torch=1 vs nixie", "en", ["3 militia", "torch"], ["nixie"]),
        ("3 militia, torch vs empty, nixie", "en", ["3 militia", "torch"], [None, "nixie"]),
        ("эльф 2 уровня и факел на грифона", "ru", ["elf-sorcerer", "torch"], ["griffon"]),
        ("elf 3 poziomu i pochodnia na gryfa", "pl", ["elf-archmage", "torch"], ["griffon"]),
        ("3 ополченца на орду 3", "ru", ["3 militia"], ["horde-3"]),
        ("chan, krótki miecz vs mroczny rycerz 0", "pl", ["outlands-khan", "short-sword"], ["dark-champion"]),
    ],
)  # fmt: skip
def test_notations_of_counts_levels_and_empty_ranks(line: str, lang: str, hand: list[str], hall: list[str]) -> None:
    document = read(line, lang).document
    assert (document["hand"], document["hall"]) == (hand, hall)


@pytest.mark.parametrize(
    ("line", "lang", "sets"),
    [
        ("setup 2 players without wrath", "en", ["base"]), ("random setup 2 players no expansion", "en", ["base"]),
        ("losuj setup 2 graczy bez gniewu", "pl", ["base"]), ("расклад на двоих без гнева стихий", "ru", ["base"]),
        ("setup 3 players without base", "en", ["wrath"]),
    ],
)  # fmt: skip
def test_a_box_that_is_left_out_is_not_drawn_from(line: str, lang: str, sets: list[str]) -> None:
    assert read(line, lang).document["sets"] == sets


@pytest.mark.parametrize(
    ("line", "lang", "document"),
    [
        ("setup for two with at least two spells", "en", {"players": 2, "require": ["two spells"]}),
        ("rozkład dla dwóch z co najmniej dwoma czarami", "pl", {"players": 2, "require": ["dwoma czarami"]}),
        ("расклад на двоих, хотя бы два заклинания", "ru", {"players": 2, "require": ["два заклинания"]}),
        ("rozkład na pięcioro z samym gniewem żywiołów", "pl", {"players": 5, "sets": ["wrath"]}),
    ],
)
def test_a_wish_for_a_number_at_least_is_one_for_that_number(line: str, lang: str, document: dict[str, Any]) -> None:
    assert read(line, lang).document == document


@pytest.mark.parametrize(
    ("line", "lang", "said"),
    [
        ("ann 34 bob 22", "en", "Winner: Ann, 34 VP."),
        ("ann 34 with stone, bob 34", "en", "the Thunderstone decides in favour of Ann"),
        ("ann has 30 points and bob has 31 points", "en", "Winner: Bob, 31 VP."),
        ("ann 30 bob 30", "en", "whoever of them holds a Thunderstone wins"),
        ("ania 34 bartek 22", "pl", "Wygrywa Ania, 34 PZ."),
        ("катя 24 вася 24 камень у кати", "ru", "Победа: Катя."),
    ],
)
def test_scores_that_are_told_say_who_wins(line: str, lang: str, said: str) -> None:
    """R7.3: the most VP, then the Thunderstone, else shared."""
    words = Language(open_database(), lang)
    page = computed_page(words, reader(words).parse(line))
    assert understand(words, line).kind == "question"
    assert page is not None
    assert said in page.blocks[0].lines[0].text
    assert answer_question(reader(words).parse(line)).answer["rules"] == ["R7.3"]


@pytest.mark.parametrize("line", ["hand 6 deck 12", "deck has 2 left need 6", "militia 3 torch 2", "ann 34", "1 2 3 4"])
def test_other_numbers_are_no_scores(line: str) -> None:
    assert reader(Language(open_database(), "en")).parse(line).scores is None


@pytest.mark.parametrize(
    ("line", "lang"),
    [("4 horde stone of mystery 1 grudgebeast", "en"), ("kamien tajemnic gryf 3 hordy rusalka jagody", "pl")],
)
def test_cards_with_a_thunderstone_are_a_deck_to_score(line: str, lang: str) -> None:
    assert read(line, lang).command == "score"


@pytest.mark.parametrize(
    ("line", "lang", "hand", "hall"),
    [
        ("squire eats ration, short sword, dark champion rank 0", "en", 3, ["dark-champion"]),
        ("militia holds dagger vs griffon", "en", 2, ["griffon"]),
        ("2 ochotnikow, gniew ziemi s2", "pl", 1, [None, "earth-wrath"]),
        ("ochotnik trzyma sztylet na gryfa", "pl", 2, ["griffon"]),
        ("оруженосец ест припасы против сфинкса", "ru", 2, ["sphinx"]),
        ("2 jgjkxtywf ghjnbd uhbajyf", "ru", 1, ["griffon"]),
    ],
)
def test_what_heroes_do_with_their_cards_is_left_to_the_search(
    line: str, lang: str, hand: int, hall: list[str]
) -> None:
    understood = read(line, lang)
    assert (len(understood.document["hand"]), understood.document["hall"]) == (hand, hall)


@pytest.mark.parametrize(
    ("line", "lang", "query"),
    [
        ("all level 1 wizards", "en", "level=1 type:wizard"),
        ("village 7 gold", "en", "cost<=7 (kind:village or kind:basic or kind:hero level=1)"),
        ("mam 6 zlota", "pl", "cost<=6 (kind:village or kind:basic or kind:hero level=1)"),
        ("в деревне 9 золотых", "ru", "cost<=9 (kind:village or kind:basic or kind:hero level=1)"),
        ("karty za 6 zlota", "pl", "cost=6"),
    ],
)
def test_all_of_a_kind_and_what_some_gold_buys_are_lists(line: str, lang: str, query: str) -> None:
    assert read(line, lang).document["filters"] == query


@pytest.mark.parametrize(
    ("text", "typed"),
    [("crjkmrj cnjbn afrtk", "сколько стоит факел"), ("qwerty asdfgh", ""), ("does fireball give light", "")],
)
def test_a_question_on_the_other_keyboard_is_read(text: str, typed: str) -> None:
    assert reader(Language(open_database(), "ru")).parse(text).text == (typed or text)


@pytest.mark.parametrize(
    ("question", "lang", "word"),
    [("how much mana does fireball cost", "en", "mana"), ("ile pancerza ma ork", "pl", "pancerza"),
     ("сколько брони у гриба", "ru", "брони")],
)  # fmt: skip
def test_what_other_games_have_is_denied(question: str, lang: str, word: str) -> None:
    with pytest.raises(NoAnswerError) as raised:
        answer_question(reader(Language(open_database(), lang)).parse(question))
    assert (raised.value.params["why"], raised.value.params["name"]) == ("absent", word)


@pytest.mark.parametrize(
    ("line", "lang", "name"),
    [
        ("3 militia, torch vs ?, orc, cyclops", "en", "?"), ("3 militia, ?, torch vs goblin", "en", "?"),
        ("3 militia, torch vs ..., orc", "en", "..."), ("3 ochotników, _, pochodnia na goblin", "pl", "_"),
        ("3 militia minus one, torch vs goblin", "en", "minus one"),
        ("3 ochotników oprócz jednego, pochodnia vs goblin", "pl", "oprócz jednego"),
        ("3 ополченца минус один, факел против гоблина", "ru", "минус один"),
    ],
)  # fmt: skip
def test_what_stands_for_no_card_is_refused_by_name(line: str, lang: str, name: str) -> None:
    with pytest.raises(ThunderrefError) as raised:
        read(line, lang)
    assert (raised.value.code, raised.value.params["name"]) == ("unclear", name)


@pytest.mark.parametrize(
    ("line", "lang"),
    [("goblin in rank 1 and orc in rank 2, hand 3 militia", "en"),
     ("goblin w szeregu 1, ork w szeregu 2, 3 ochotników", "pl"),
     ("гоблин в ряду 1, орк в ряду 2, рука 3 ополченца", "ru")],
)  # fmt: skip
def test_ranks_told_one_by_one_are_asked_for_in_their_order(line: str, lang: str) -> None:
    with pytest.raises(InputError) as raised:
        read(line, lang)
    assert raised.value.code == "hall-order"


@pytest.mark.parametrize(
    ("line", "lang", "document"),
    [
        ("fireball vs rank two harbinger", "en", {"hand": ["fireball"], "hall": [None, "harbinger"], "target": 2}),
        ("fireball in the dark vs harbinger", "en", {"hand": ["fireball"], "hall": ["harbinger"]}),
        ("militia, dagger vs griffon 1 without light", "en",
         {"hand": ["militia", "dagger"], "hall": ["griffon"], "target": 1}),
        ("amazonka lucznik pochodnia vs rusałka 2", "pl",
         {"hand": ["amazon-archer", "torch"], "hall": [None, "nixie"], "target": 2}),
        ("in the hall are goblin and orc, I hold 3 militia", "en",
         {"hand": ["3 militia"], "hall": ["griknack-goblin", "bloodskull-orc"]}),
        ("go to the village with 2 militia, torch and buy a fireball", "en",
         {"hand": ["2 militia", "torch"], "wanted": ["fireball"]}),
        ("buy spear, hand: 2 torch", "en", {"hand": ["2 torch"], "wanted": ["spear"]}),
        ("kupuję dwa krótkie miecze: karczmarz, 4 klejnoty", "pl",
         {"hand": ["barkeep", "4 lightstone-gem"], "wanted": ["2 short-sword"]}),
    ],
)  # fmt: skip
def test_where_hand_hall_and_purchase_stand(line: str, lang: str, document: dict[str, Any]) -> None:
    assert read(line, lang).document == document


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("2x militia, torch - village, fireball and spear on sale", "on"),
        ("village: 2 militia, 3 torch, lantern for sale", "sale"),
        ("village: 2 militia, 3 torch, lantern sold out", "sold"),
    ],
)
def test_a_visit_passes_nothing_over(line: str, word: str) -> None:
    with pytest.raises(NoAnswerError) as raised:
        read(line)
    assert raised.value.params["name"] == word


def test_two_monsters_are_compared() -> None:
    assert read("griffon vs sphinx").kind == "question"
    assert read("griffon vs sphinx rank 2").kind == "battle"


def test_a_hand_with_light_that_is_said_to_have_none_is_not_fought() -> None:
    assert read("2 militia, torch vs griffon 1 without light").kind == "question"


@pytest.mark.parametrize("line", ["attack of 3 militia and dagger", "strength of dwarf guardian and 2 rations"])
def test_a_value_of_cards_is_asked_for_no_visit(line: str) -> None:
    assert read(line).kind == "question"
