"""``thunderref rule``: ids, sections, terms, words of the texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from thunderref.cli.app import main
from thunderref.database.read import Language, open_database

Find = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def find(capsys: pytest.CaptureFixture[str]) -> Find:
    def run(*words: str) -> list[dict[str, Any]]:
        with pytest.raises(SystemExit) as stop:
            main(["rule", *words, "--json"])
        document = json.loads(capsys.readouterr().out)
        assert (stop.value.code == 0) == ("matches" in document)
        return list(document.get("matches", []))

    return run


@pytest.mark.parametrize("query", ["R5.11", "r5.11", "5.11", "R5,11", " r 5.11 "])
def test_by_id(find: Find, query: str) -> None:
    best = find(query)[0]
    assert (best["id"], best["kind"], best["score"]) == ("R5.11", "rule", 100)
    assert set(best) >= {"id", "kind", "score", "name", "text", "status", "rules", "cards", "conflicts", "see"}
    assert set(best["text"]) == {"en", "pl", "ru"}
    assert "lord-mortis" in best["cards"]


def test_a_section_brings_its_rules(find: Find) -> None:
    ids = [match["id"] for match in find("R2")]
    assert ids == ["R2", "R2.1", "R2.2", "R2.3", "R2.4"]


def test_where_editions_differ_the_cards_are_named(cli: Callable[..., Any]) -> None:
    answer = cli("rule", "R0.1", "--more", "--lang", "pl").out
    assert "  Lord Mortis: Przy Lordzie Mortisie" in answer
    assert "  Selurin Czarownik, Selurin Teurg: " in answer
    assert "Lord Mortis: Przy" not in cli("card", "lord mortis", "--more", "--lang", "pl").out
    assert "Mortis" not in cli("rule", "R0.1", "--lang", "pl").out
    conflict = cli("rule", "R0.1", "--json").json["matches"][0]["conflicts"][0]
    assert conflict["cards"] == ["lord-mortis"]


def test_online_rules_stand_beside_the_printed(find: Find) -> None:
    assert [match["id"] for match in find("5.6")] == ["R5.6", "R5.6y"]
    assert find("R5.6y")[0]["status"] == "online"


@pytest.mark.parametrize(
    ("query", "term", "rule"),
    [
        (["light", "penalty"], "light-penalty", "R5.11"), (["прорыв"], "breach", "R6.6"), (["łupy"], "spoils", "R6.4"),
        (["lupy"], "spoils", "R6.4"), (["level", "up"], "level-up", "R3.5"), (["spoils"], "spoils", "R6.4"),
        (["штраф", "освещённости"], "light-penalty", "R5.11"), (["трофеи"], "trophy", ""),
        (["kara", "za", "brak", "światła"], "light-penalty", "R5.11"),
        (["Magic", "Attack", "Only"], "magic-attack-only", "R5.10"), (["light", "penlty"], "light-penalty", "R5.11"),
        (["wtargnięcia"], "breach", "R6.6"), (["breech"], "breach", "R6.6"),
    ],
)  # fmt: skip
def test_terms(find: Find, query: list[str], term: str, rule: str) -> None:
    found = find(*query)
    assert found[0]["id"] == term
    assert rule == "" or rule in [match["id"] for match in found]


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("half rounded down", "R0.2"), ("shuffle discard pile deck is too short", "R2.2"),
        ("оружие стало слишком тяжёлым", "R5.3"), ("ile kart można zakupić", "R3.3"),
    ],
)  # fmt: skip
def test_words_of_the_texts(find: Find, query: str, rule: str) -> None:
    assert rule in [match["id"] for match in find(*query.split())][:6]


def test_readings(find: Find) -> None:
    found = find("readings")
    assert {match["status"] for match in found} == {"reading"}
    assert "R4.8" in {match["id"] for match in found}


@pytest.mark.parametrize(
    "query", ["zxqwv", 'foo" OR bar*', "R77", "R5.99", "NEAR(a b)", "*", "pikachu charizard", "-- '"]
)
def test_nothing_or_one_sentence(find: Find, query: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert find(query) == []


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("query", ["R5", "R5.6", "breach", "readings", "trophy"])
def test_pages(query: str, lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for more in ([], ["--more"]):
        with pytest.raises(SystemExit) as stop:
            main(["rule", query, *more, "--lang", lang])
        out = capsys.readouterr().out
        assert stop.value.code == 0
        assert max(map(len, out.splitlines())) <= 40


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize("rule", ["R5.11", "R0.1", "R9.4", "T10.9"])
def test_a_rule_has_a_title_in_words_and_its_id_behind_the_text(cli: Callable[..., Any], rule: str, lang: str) -> None:
    page = cli("rule", rule, "--lang", lang).out
    words = Language(open_database(), lang)
    title = words.text(f"title.{rule}") or ""
    lines = page.splitlines()
    assert lines[0] == title[:1].upper() + title[1:] != ""
    assert rule not in lines[0]
    assert f"{words.text(f'rule.{rule}')} [{rule}]" in page
    assert page.count(rule) == 1


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_term_that_no_rule_explains_has_its_page(cli: Callable[..., Any], lang: str) -> None:
    """A heading of the books, for one."""
    answer = cli("rule", "base", "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    assert cli("rule", "base", "--json").json["matches"][0]["rules"] == []


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_ruling_on_no_card_is_shown_with_its_rules(cli: Any, lang: str) -> None:
    """On the page of each rule it rests on, as an answer of its own, and in the exported glossary."""
    (match,) = cli("rule", "R6.1", "--json").json["matches"]
    said = {each["id"]: each["text"] for each in match["clarifications"] if each["lang"] == lang}
    assert set(said) == {"lost-battle", "no-damage-kept"}
    assert all(text in cli("rule", "R6.1", "--lang", lang).out for text in said.values())
    assert said["lost-battle"] in cli("glossary", "--format", "markdown", "--lang", lang).out
    question = {
        "en": "do I lose cards after a defeat",
        "pl": "kara za przegraną walkę",
        "ru": "чего стоит проигранная битва",
    }
    answer = cli("ask", question[lang], "--json").json["matches"][0]
    assert (answer["kind"], answer["id"]) == ("clarification", "lost-battle")
    assert answer["cards"] == []


def test_alone_it_lists_the_rules_by_title(cli: Callable[..., Any]) -> None:
    answer = cli("rule")
    assert answer.status == 0
    assert "  R4.3: " in answer.out
    rules = open_database().query("SELECT id FROM rules WHERE game = 'thunderstone' AND id LIKE '%.%'")
    assert all(f"  {rule}: " in answer.out for (rule,) in rules)
    assert cli("rule", "--json").json["error"]["code"] == "empty-query"
