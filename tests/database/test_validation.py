"""What does not fit a record is told alike with pydantic, and without it as in a browser; then only the first fault."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from thunderref.database.records import CardFile, GlossaryFile
from thunderref.database.validation import Fault, MisfitError, Place, Record, validated

CARD = {"id": "bog-imp", "kind": "monster", "count": 3, "types": ["imp"], "effects": []}
ATTESTED = "'printed', 'two', 'one'"
FAULTS: dict[str, tuple[dict[str, Any], Place, str, Any, str]] = {
    "unknown key": ({"cots": 1}, ("cots",), "unknown-key", 1, ""),
    "number as text": ({"cost": "4"}, ("cost",), "whole-number", "4", ""),
    "too small": ({"cost": -1}, ("cost",), "least", -1, "0"),
    "too large": ({"cost": 21}, ("cost",), "most", 21, "20"),
    "none of the choices": ({"attested": "three"}, ("attested",), "choice", "three", ATTESTED),
    "no list": ({"types": "imp"}, ("types",), "list", "imp", ""),
    "entry of a list": ({"types": ["imp", 4]}, ("types", 1), "in-quotes", 4, ""),
    "neither true nor false": ({"judged": [1]}, ("judged",), "true-or-false", [1], ""),
}
"""Fault -> the card with it, and how it is told: place, kind, value, what is allowed."""


@pytest.fixture(params=["pydantic", "browser"])
def is_browser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param == "browser":
        monkeypatch.setitem(sys.modules, "pydantic", None)
    return bool(request.param == "browser")


def faults_of(record: type[Record], raw: object) -> list[Fault]:
    with pytest.raises(MisfitError) as refusal:
        validated(record, raw)
    return [*refusal.value.faults]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_place_kind_and_remedy(is_browser: bool, fault: str) -> None:
    change, place, kind, value, allowed = FAULTS[fault]
    [found] = faults_of(CardFile, {"attested": "one", "card": [CARD, CARD | change]})
    assert (found.place, found.kind, found.value, found.allowed) == (("card", 1, *place), kind, value, allowed)
    assert found.problem


def test_a_missing_key_is_told_with_its_table(is_browser: bool) -> None:
    without = {key: value for key, value in CARD.items() if key != "count"}
    [found] = faults_of(CardFile, {"attested": "one", "card": [without]})
    assert (found.place, found.kind, found.value) == (("card", 0, "count"), "missing-key", without)
    [found] = faults_of(CardFile, {"attested": "one"})
    assert (found.place, found.kind) == (("card",), "missing-key")


def test_the_entry_of_a_table_is_named(is_browser: bool) -> None:
    names = {"torch": {"name": "Fackel"}, "spear": {"name": ""}}
    [found] = faults_of(GlossaryFile, {"lang": "de", "cards": names})
    assert (found.place, found.kind, found.value) == (("cards", "spear", "name"), "empty", "")
    found = faults_of(GlossaryFile, {"lang": "de", "texts": {"a.b": "c", "rule.R1": {"text": "Ja", "off": "x"}}})[-1]
    assert (found.place, found.kind) == (("texts", "rule.R1", "off"), "unknown-key")


def test_all_faults_are_told_but_in_a_browser_the_first(is_browser: bool) -> None:
    raw = {"attested": "one", "card": [CARD | {"cost": 21}, CARD | {"gold": "1"}]}
    places = [fault.place for fault in faults_of(CardFile, raw)]
    assert places == [("card", 0, "cost"), ("card", 1, "gold")][: 1 if is_browser else 2]
