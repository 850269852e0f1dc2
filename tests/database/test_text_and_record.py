"""The text of each ability says what its record does, and no more, in three languages; so does its printed keyword."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from support import EXAMPLES
from support.changed_records import changed
from support.plain_form import DATA, MEANS, faults, heard, meaning, plain
from thunderref.database.card_records import Card
from thunderref.database.operations import Effect
from thunderref.database.read import open_database

LANGUAGES = ("en", "pl", "ru")
EXCEPT = {
    "disease.trophy": "the rules themselves say what a Disease does (R0.5, R5.6): its record is empty",
    "short-bow.dungeon": "5 in all: what the bow gives without this, too",
    "spear.dungeon": "5 in all: what the Spear gives without this, too",
}
"""Texts that say what their records do not, and why."""
CAUGHT = 0.95
"""The share of changed records that has to be noticed."""
database = open_database()


def abilities(lang: str) -> Iterator[tuple[str, Card, Effect, str]]:
    """Each ability with its name and its text in a language; a reprint has the text of its original."""
    for card, effects in database.all_effects.items():
        of = database.cards[card].reprint_of or card
        for effect in effects:
            yield f"{of}.{effect.id}", database.cards[card], effect, database.texts(f"card.{of}.{effect.id}")[lang]


def printed() -> dict[str, list[tuple[str, bool]]]:
    """Card -> (keyword, is it mandatory) of each ability in its order, from a list of their own."""
    found: dict[str, list[tuple[str, bool]]] = {}
    with (EXAMPLES / "printed_abilities.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["card"], []).append((row["timing"], row["mandatory"] == "yes"))
    return found


def keywords(effects: Sequence[Effect]) -> list[tuple[str, bool]]:
    return [(effect.timing, effect.is_mandatory) for effect in effects]


def test_every_ability_has_its_printed_keyword() -> None:
    assert {card: keywords(effects) for card, effects in database.all_effects.items() if effects} == printed()
    assert sum(map(len, printed().values())) == 221


@pytest.mark.parametrize("lang", LANGUAGES)
def test_text_and_record_agree(lang: str) -> None:
    """Every number, name, condition and limit of a text is in its record, and the reverse."""
    found = {name: wrong for name, card, effect, text in abilities(lang) if (wrong := faults(effect, card, text, lang))}
    assert found.keys() == EXCEPT.keys(), {name: wrong for name, wrong in found.items() if name not in EXCEPT}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_changed_record_is_noticed(lang: str) -> None:
    """Of each ability, with every part changed in turn, its keyword included."""
    types = sorted({each for card in database.cards.values() for each in card.types})
    noticed, missed = 0, Counter[str]()
    for _, card, effect, text in abilities(lang):
        before = faults(effect, card, text, lang)
        for what, other in changed(effect, types):
            if keywords([other]) != keywords([effect]) or faults(other, card, text, lang) != before:
                noticed += 1
            else:
                missed[what] += 1
    assert noticed + missed.total() > 1500
    assert noticed >= CAUGHT * (noticed + missed.total()), missed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_term_is_said_by_a_text(lang: str) -> None:
    """A pattern that finds nothing would let everything pass."""
    said = {term for _, _, _, text in abilities(lang) for term in heard(text, lang)}
    unheard = DATA[lang].keys() - said
    assert not unheard


def test_every_part_of_a_record_has_a_meaning() -> None:
    for name, card, effect, _ in abilities("en"):
        assert "?" not in meaning(effect, card).needed, name
        assert plain(effect, card, "pl").startswith(f"{effect.timing}: "), name
    terms = {term for says in MEANS.values() for term in says.replace("|", " ").split() if "." not in term}
    unsaid = {term for term in terms if not term.isdecimal()} - DATA["en"].keys()
    assert not unsaid
    assert all(DATA[lang].keys() == DATA["en"].keys() for lang in LANGUAGES)
