"""What a text refers to can be looked up by typing it: rule ids, and names in quotation marks."""

from __future__ import annotations

import re
from functools import cache

import pytest

from thunderref.database.paths import GAMES
from thunderref.database.read import open_database
from thunderref.search.ask import read_question
from thunderref.search.names import search_cards
from thunderref.search.rules import find_rules
from thunderref.text.folding import fold, join_words, sort_words
from thunderref.text.stems import name_stems, query_stems

RULE = re.compile(r"\b[RРTТ]\d{1,2}(?:[.,]\d{1,2}[a-z]?)?\b")
QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|„([^„”]+)”")
LANGUAGES = ("en", "pl", "ru")


def texts(lang: str) -> list[tuple[str, str]]:
    return open_database().query("SELECT key, text FROM texts WHERE lang = ?", lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rule_ids_lead_somewhere(lang: str) -> None:
    rules = {row[0] for row in open_database().query("SELECT id FROM rules")}
    lost = [(key, rule) for key, text in texts(lang) for rule in RULE.findall(text) if rule not in rules]
    assert lost == []


def test_every_rule_can_be_typed() -> None:
    database = open_database()
    for (rule,) in database.query("SELECT id FROM rules"):
        assert find_rules(database, rule)[0].id == rule


@cache
def is_known(name: str) -> bool:
    """True if the name, in any case or number, is that of a card, family, term or box."""
    database = open_database()
    form = fold(name)
    if any(database.search_exact(form, sort_words(form), join_words(form), game) for game in GAMES):
        return True
    for box, lang in database.query("SELECT name, lang FROM names WHERE kind = 'set'"):
        words = fold(box).split()
        if len(words) == len(form.split()) and all(
            name_stems(word, lang) & query_stems(typed, lang) for word, typed in zip(words, form.split(), strict=True)
        ):
            return True
    if read_question(database, name).mentions:
        return True
    return bool(search_cards(database, name).hits)  # a part of a name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quoted_names_lead_somewhere(lang: str) -> None:
    lost = []
    for key, text in texts(lang):
        if key.startswith("conflict."):
            continue  # they quote misprints and wordings of the booklets
        quoted = [name for found in QUOTED.findall(text) for name in found if not name.startswith("thunderref ")]
        lost += [(key, name) for name in quoted if name and not is_known(name)]
    assert lost == []
