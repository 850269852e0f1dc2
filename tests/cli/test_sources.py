"""The printed places that rules and rulings rest on, as pages and documents show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
LIGHT = {
    "en": "Sources: base rulebook (Polish), “Światło i ciemność”; base rules on yucata.de, “Light and Darkness”; ",
    "pl": "Źródła: instrukcja podstawowa (polska), „Światło i ciemność”; zasady podstawowe na yucata.de, „Light and",
    "ru": "Источники: базовые правила (польские), «Światło i ciemność»; базовые правила на сайте yucata, «Light and",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_rule_names_its_places_in_the_language_of_the_reader(cli: Run, lang: str) -> None:
    """A no-break space of the book is an ordinary one on the page, a heading in capitals an ordinary heading."""
    page = cli("rule", "R5.11", "--more", "--lang", lang).out
    assert LIGHT[lang] in page
    assert "Karty strażników" in page
    assert "\N{NO-BREAK SPACE}" not in page


def test_rules_and_rulings_carry_their_places(cli: Run) -> None:
    def sound(record: dict[str, Any]) -> bool:
        places = record["sources"]
        assert all(set(place) == {"book", "section"} for place in places)
        assert isinstance(record["reading"], bool)
        return bool(places) or record["reading"] is True

    for number in range(10):
        found = cli("rule", f"R{number}", "--json").json["matches"]
        assert all(sound(match) for match in found), number
    for card in cli("cards", "--json").json["matches"]:
        assert all(sound(ruling) for ruling in card["clarifications"]), card["id"]
    (light,) = cli("rule", "R5.11", "--json").json["matches"]
    assert light["sources"][0] == {"book": "base.pl", "section": "Światło i\N{NO-BREAK SPACE}ciemność"}
    assert light["reading"] is False


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reading_is_argued(cli: Run, lang: str) -> None:
    match = cli("rule", "R4.11", "--json").json["matches"][0]
    assert (match["sources"], match["reading"]) == ([], True)
    page = cli("rule", "R4.11", "--more", "--lang", lang).out
    assert match["for"][lang] in page
    assert match["against"][lang] in page
    shown = cli("rule", "R4.11", "--lang", lang).out
    assert match["text"][lang] in shown
    assert match["for"][lang] not in shown
    assert match["against"][lang] not in shown
    assert cli("rule", "R5.11", "--json").json["matches"][0]["for"] == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_shows_the_places_of_each_ruling(cli: Run, lang: str) -> None:
    page = cli("card", "magical aura", "--more", "--lang", lang).out
    said = {"en": "Sources: ", "pl": "Źródła: ", "ru": "Источники: "}[lang]
    document = cli("card", "magical aura", "--json").json["matches"][0]
    rulings = [each for each in document["clarifications"] if each["lang"] == lang and each["sources"]]
    assert page.count(said) == len(rulings) + bool(document["sources"])  # the card's own entry, too
    name = {"en": "; card, “Militia”", "pl": "; karta, „Ochotnik”", "ru": "; карта, «Ополченец»"}
    assert name[lang] in cli("card", "militia", "--more", "--lang", lang).out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_printed_name_that_cards_share_is_that_of_their_family(cli: Run, lang: str) -> None:
    name = {"en": "; card, “Horde”", "pl": "; karta, „Horda”", "ru": "; карта, «Орда»"}
    assert name[lang] in cli("rule", "R1.3", "--more", "--lang", lang).out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_shows_them_in_one_line(cli: Run, lang: str) -> None:
    question = ("ask", "can", "militia", "use", "battle", "fury")
    for match in cli(*question, "--json").json["matches"]:
        passages = match["passages"]
        assert match["kind"] in ("term", "conflict") or [
            place for place in match["sources"] if any(place in each["sources"] for each in passages)
        ]
        for passage in passages:
            if passage["kind"] in ("rule", "clarify"):
                assert passage["sources"] or passage["reading"]
    said = {"en": "Sources: ", "pl": "Źródła: ", "ru": "Источники: "}[lang]
    assert said in cli(*question, "--more", "--lang", lang).out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    [
        ("rule", "R5.11"), ("rule", "R4.11"), ("rule", "R5"), ("rule", "light penalty"), ("rule", "readings"),
        ("rule", "T10.9"), ("card", "magical aura"), ("card", "militia"), ("card", "colossus"),
        ("ask", "can militia use battle fury"),
    ],
)  # fmt: skip
def test_the_players_page_names_no_place(cli: Run, words: tuple[str, ...], lang: str) -> None:
    page = cli(*words, "--lang", lang).out
    for said in ("Sources", "Źródła", "Источники", "yucata", "compared:", "porówna", "сравнен", "id:"):
        assert said not in page, said


def test_a_term_shows_those_of_its_rules(cli: Run) -> None:
    assert "Sources: base rulebook (Polish), “Światło i ciemność”" in cli("rule", "light penalty", "--more").out


def test_thorgal_rests_on_its_player_aid(cli: Run) -> None:
    (match,) = cli("rule", "T10.9", "--json").json["matches"]
    assert match["sources"] == [{"book": "thorgal.pl", "section": "Walka"}]
    assert "Sources: Thorgal player aid (Polish), “Walka”" in cli("rule", "T10.9", "--more").out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_facts_from_one_listing_are_called_so(cli: Run, lang: str) -> None:
    said = {"en": "a single listing", "pl": "tylko z jednego spisu", "ru": "только из одного списка"}[lang]
    for card, attested in (("torch", "printed"), ("short-bow", "two"), ("blood-torment", "two"), ("colossus", "one")):
        assert cli("card", card, "--json").json["matches"][0]["attested"] == attested
        assert (said in cli("card", card, "--more", "--lang", lang).out) == (attested == "one")
        assert said not in cli("card", card, "--lang", lang).out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("words", [("card", "thunder wrath"), ("rule", "R5.4"), ("ask", "can militia use battle fury")])
def test_narrow_pages(cli: Run, words: tuple[str, ...], lang: str) -> None:
    for env in ({"COLUMNS": "40"}, {"COLUMNS": "40", "FORCE_COLOR": "1", "NO_COLOR": "1"}):
        for more in ((), ("--more",)):
            assert max(map(len, cli(*words, *more, "--lang", lang, env=env).out.splitlines())) <= 40
