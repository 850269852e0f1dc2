"""What a text refers to can be looked up by typing it: rule ids, and names in quotation marks."""

from __future__ import annotations

import re

import pytest

from thunderref.lookup.normalise import fold, join_words, sort_words
from thunderref.lookup.question import read_question
from thunderref.lookup.rules import find_rules
from thunderref.lookup.search import search_cards
from thunderref.lookup.stems import name_stems, query_stems
from thunderref.model.games import GAMES
from thunderref.store.read import open_store

RULE = re.compile(r"\b[RРTТ]\d{1,2}(?:[.,]\d{1,2}[a-z]?)?\b")
QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|„([^„”]+)”")
LANGUAGES = ("en", "pl", "ru")


def texts(lang: str) -> list[tuple[str, str]]:
    return open_store().query("SELECT key, text FROM texts WHERE lang = ?", lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rule_ids_lead_somewhere(lang: str) -> None:
    rules = {row[0] for row in open_store().query("SELECT id FROM rules")}
    lost = [(key, rule) for key, text in texts(lang) for rule in RULE.findall(text) if rule not in rules]
    assert lost == []


def test_every_rule_can_be_typed() -> None:
    store = open_store()
    for (rule,) in store.query("SELECT id FROM rules"):
        assert find_rules(store, rule)[0].id == rule


def is_known(name: str) -> bool:
    """True if the name, in any case or number, is that of a card, family, term or box."""
    store = open_store()
    form = fold(name)
    if any(store.search_exact(form, sort_words(form), join_words(form), game) for game in GAMES):
        return True
    for box, lang in store.query("SELECT name, lang FROM set_names"):
        words = fold(box).split()
        if len(words) == len(form.split()) and all(
            name_stems(word, lang) & query_stems(typed, lang) for word, typed in zip(words, form.split(), strict=True)
        ):
            return True
    if any(unit.how == "name" for unit in read_question(store, name).units):
        return True
    return bool(search_cards(store, name).hits)  # a part of a name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_quoted_names_lead_somewhere(lang: str) -> None:
    lost = []
    for key, text in texts(lang):
        if key.startswith("conflict."):
            continue  # they quote misprints and wordings of the booklets
        lost += [(key, name) for found in QUOTED.findall(text) for name in found if name and not is_known(name)]
    assert lost == []
