"""What rules, rulings and cards rest on, held against the books and the facts where the checkout has them beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import read_toml
from support.books import FILES, SHARED, has_books, holds, named, sections
from support.files import sources, texts
from thunderref.database.paths import FIGURES
from thunderref.database.read import Language, open_database
from thunderref.database.records import BOOKS

CITED = read_toml(Path(__file__).with_name("citations.toml"))
"""Rule, ruling or conflict -> place -> words that stand there in this order, and on which the claim rests."""
ALONE = 2
"""Sections that hold what is in one: itself, and the chapter it belongs to."""
with_books = pytest.mark.skipif(not has_books(), reason="the rulebooks are not beside the checkout")
with_facts = pytest.mark.skipif(not (SHARED / "facts").is_dir(), reason="the card facts are not beside the checkout")
FIRST_PRINTING = {
    "timing of the rank 2 or 3 bonus": "first-printing-bonuses",
    "timing of Militia's Attack +1": "first-printing-bonuses",
    "timing of the +2 for heroes who are no fighters": "first-printing-bonuses",
    "which monster may be taken": "first-printing-lord",
    "the six revealed cards": "first-printing-sphinx",
    "who gets Attack +1": "first-printing-lizard",
    "timing of spoils": "first-printing-spoils",
    "timing of traits": "first-printing-traits",
    "order of the abilities": "first-printing-order",
    "which items": "first-printing-magician",
    "what is doubled": "first-printing-total",
    "whether the second bonus comes on top": "first-printing-on-top",
    "type line": "militia-type",
    "what is lowered; type line": "first-printing-losses",
    "what is lowered besides strength": "first-printing-losses",
    "which weapon saves the heroes": "gray-ooze-weapon",
    "timing": "first-printing-keyword",
    "timing of XP +1": "first-printing-after",
}
"""Point of a doubt in the facts -> the conflict that tells a player of it."""


def facts(name: str) -> Any:
    return json.loads((SHARED / "facts" / name).read_text(encoding="utf-8"))


def readings() -> set[str]:
    return {rule.id for rule in sources().rules if rule.status == "reading"} | sources().argued


def test_every_rule_and_ruling_has_a_source_or_is_a_reading() -> None:
    printed = sources().places
    assert len(printed) == len(sources().rules) + len(sources().clarifications)
    assert {subject for subject, places in printed.items() if not places} <= readings()


def test_a_rule_of_a_ruleset_of_its_own_names_where_that_stands() -> None:
    online = [rule for rule in sources().rules if rule.status == "online"]
    assert online
    assert all(any(place.startswith("base.en-yucata: ") for place in rule.sources) for rule in online)


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_reading_says_what_speaks_for_it_and_against(lang: str) -> None:
    wanted = {f"reading.{subject}.{side}" for subject in readings() for side in ("for", "against")}
    assert wanted == {key for key in texts(lang) if key.startswith("reading.")}


def test_every_citation_has_a_fingerprint() -> None:
    cited = {subject: {" ".join(each.split()) for each in places if not each.startswith("card: ")}
             for subject, places in sources().places.items()}  # fmt: skip
    inherited = {rule.id for rule in sources().rules if not rule.sources}
    wanted = {subject: places for subject, places in cited.items() if places and subject not in inherited}
    assert {subject: set(places) for subject, places in CITED["citations"].items()} == wanted
    books = {conflict.id: set(conflict.sources) & {*FILES} for conflict in sources().conflicts}
    found = {conflict: {each.partition(": ")[0] for each in places} for conflict, places in CITED["conflicts"].items()}
    assert found.keys() <= books.keys()


@with_books
@pytest.mark.parametrize("kind", ["citations", "conflicts"])
def test_every_cited_section_holds_what_it_is_cited_for(kind: str) -> None:
    assert set(FILES) == {*BOOKS} - {"card"}
    missing = [
        (subject, place)
        for subject, places in CITED[kind].items()
        for place, words in places.items()
        if not any(holds(text, words) for text in named(*place.split(": ", 1)))
    ]
    assert not missing


@with_books
@pytest.mark.parametrize("book", FILES)
def test_a_fingerprint_is_of_its_section(book: str) -> None:
    """Nearly all stand in no other section of the book but the chapter around theirs: so a wrong place is seen."""
    said = sections(book)
    cited = [(place, words) for kind in CITED.values() for places in kind.values() for place, words in places.items()]
    found = [
        sum(holds(text, words) for text in said.values()) for place, words in cited if place.startswith(f"{book}: ")
    ]
    assert min(found) > 0
    assert sum(n <= ALONE for n in found) >= 0.85 * len(found)


@with_books
@pytest.mark.parametrize(("book", "lang"), [("base.pl", "pl"), ("wrath.pl", "pl"), ("base.ru", "ru")])
def test_a_card_cites_its_own_entry_where_a_book_has_one(book: str, lang: str) -> None:
    cited = {(card.id, " ".join(place.split())) for card in sources().cards for place in card.sources}
    there = {f"{book}: {heading}" for heading in sections(book)}
    unknown = {place for _, place in cited if place.startswith(f"{book}: ")} - there
    assert not unknown
    names = Language(open_database(), lang)
    own = {(card, f"{book}: {names.card(card)}") for card, spec in names.database.cards.items() if not spec.reprint_of}
    assert {entry for entry in own if entry[1] in there} <= cited
    assert len({card for card, place in cited if place.startswith(f"{book}: ")}) > 60


@with_facts
def test_a_card_named_as_a_source_has_that_name_in_print() -> None:
    printed = {card["name"] for card in facts("cards.json")["cards"]}
    named = {place.removeprefix("card: ") for places in sources().places.values() for place in places}
    assert not {name for name in named if ": " not in name} - printed


@with_facts
def test_every_figure_is_the_one_of_the_facts() -> None:
    """A light penalty, a trophy and a loss of Disease stand in the facts a second time, as abilities."""
    ours = {card.id: card for card in sources().cards}
    wanted = {card["id"]: card for card in facts("cards.json")["cards"]}
    assert ours.keys() == wanted.keys()
    for name, row in wanted.items():
        card = ours[name]
        assert card.set_id == row["set"]
        assert list(card.types) == row["types"], name
        found = {key: getattr(card, key) for key in ("kind", "level", "count", "reprint_of", *FIGURES)}
        assert found == {key: row[key] for key in found} | {"light_penalty": row["light_penalty"] or None}, name
        family = (card.family or name).removeprefix("trap-")
        assert set(family.split("-")) <= set(_words(row["family"]) | _words(row["id"])), name
        trophy = [effect for effect in card.effects if effect.timing == "trophy"]
        gains = {op.stat: op.amount for effect in trophy for op in effect.do if op.op == "bonus"}
        if row["trophy"] and row["kind"] != "disease":
            assert {stat: n for stat, n in row["trophy"].items() if n} == gains, name
        else:
            assert gains.keys() <= {"strength"}, name


def _words(text: str) -> set[str]:
    return set("".join(c.lower() if c.isalnum() else " " for c in text).split())


@with_facts
def test_what_printings_say_otherwise_is_shown_with_the_card() -> None:
    shown = {conflict.id: set(conflict.cards) for conflict in sources().conflicts}
    for doubt in facts("corrections.json")["doubts"]:
        key = "first-printing-after" if doubt["ids"] == ["elf-sorcerer"] else FIRST_PRINTING[doubt["point"]]
        assert set(doubt["ids"]) <= shown[key], doubt["point"]
    for correction in facts("corrections.json")["corrections"]:
        assert any(correction["id"] in cards for cards in shown.values()), correction["id"]


def test_how_well_the_facts_of_a_card_are_attested() -> None:
    """Every printed card of the first box was seen; of the others all village cards are in two listings."""
    by_kind = {(card.set_id, card.kind, card.attested) for card in sources().cards}
    assert {attested for set_id, _, attested in by_kind if set_id == "base"} == {"printed"}
    assert {attested for set_id, kind, attested in by_kind if (set_id, kind) == ("wrath", "village")} == {"two"}
    assert {attested for set_id, kind, attested in by_kind if (set_id, kind) == ("wrath", "trap")} == {"one"}
    assert sum(card.attested == "printed" for card in sources().cards) == 98


@with_facts
def test_a_second_listing_is_taken_over() -> None:
    """Each card it has is in two listings, with the figures it agrees on; where it differs a conflict says so."""
    ours = {card.id: card for card in sources().cards}
    rows = {card["id"]: card for card in facts("cards.json")["cards"]}
    listed = facts("second-listing.json")["cards"]
    assert len(listed) == 39
    for row in listed:
        card = ours[row["id"]]
        assert card.attested == "two", row["id"]
        for field in row["agree"]:
            assert getattr(card, field) == rows[row["id"]][field], (row["id"], field)
        for field in row["differ"]:
            assert getattr(card, field["field"]) == field["ours"] != field["theirs"]
            assert f"{row['id']}-{field['field']}" in {conflict.id for conflict in sources().conflicts}
    assert [row["id"] for row in listed if row["differ"]] == ["divine-healer"]
    alone = {card.id for card in ours.values() if card.attested == "one"}
    assert {card.set_id for card in ours.values() if card.id in alone} == {"wrath", "promo"}
    assert not alone & {row["id"] for row in listed}
