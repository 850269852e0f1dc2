"""The sums of the boxes, and abilities that the program really carries out."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from typing import Any, get_args

import pytest
from msgspec.json import decode

from support import ROOT
from support.files import sources
from thunderref.database import operations as records
from thunderref.database.operations import Effect, Timing
from thunderref.database.read import open_database
from thunderref.database.records import CardWithEffects, Printing
from thunderref.thunderstone.rules.cards import IN_DUNGEON, LASTING
from thunderref.thunderstone.rules.legal import HANDLERS

DISTINCT = {"base": 84, "wrath": 77, "promo": 12}


def cards(set_id: str | None = None) -> list[CardWithEffects]:
    return [card for card in sources().cards if set_id in (None, card.set_id)]


def effects() -> list[tuple[CardWithEffects, Effect]]:
    return [(card, effect) for card in cards() for effect in card.effects]


def operations(effect: Effect) -> list[Any]:
    return [*effect.cost, *effect.do]


@pytest.mark.parametrize(
    ("set_id", "wanted"),
    [
        ("base", {"hero": 132, "village": 152, "monster": 80, "basic+disease": 90, "thunderstone": 1}),
        (
            "wrath",
            {"hero": 84, "village": 112, "monster+guardian": 51, "trap": 12, "basic+disease": 42, "thunderstone": 1},
        ),
    ],
)
def test_the_boxes_hold_what_is_printed_on_them(set_id: str, wanted: dict[str, int]) -> None:
    copies: Counter[str] = Counter()
    for card in cards(set_id):
        copies[card.kind] += card.count
    for kinds, total in wanted.items():
        assert sum(copies.pop(kind, 0) for kind in kinds.split("+")) == total, kinds
    assert not copies


def test_wrath_has_one_guardian() -> None:
    assert [(card.id, card.count) for card in cards("wrath") if card.kind == "guardian"] == [("dark-champion", 1)]


def test_the_number_of_distinct_cards_and_abilities() -> None:
    assert len(cards()) == 173
    assert len(effects()) == 221


def test_heroes_come_in_threes() -> None:
    """Six copies of level 1, four of level 2, two of level 3: the stack of twelve that a game begins with."""
    by_family: dict[str, list[CardWithEffects]] = {}
    for card in cards():
        if card.kind == "hero" and card.family is not None and card.reprint_of is None:
            by_family.setdefault(card.family, []).append(card)
    odd = {
        family: [(card.level, card.count) for card in heroes]
        for family, heroes in by_family.items()
        if sorted(card.level or 0 for card in heroes) != [1, 2, 3] or sum(card.count for card in heroes) != 12
    }
    assert not odd


def known_operations() -> set[str]:
    return {kind.op for kind in get_args(records.Operation)}


def test_every_operation_is_used_by_a_card() -> None:
    used = {operation.op for _, effect in effects() for operation in operations(effect)}
    printed = [decode(row.record, type=Printing) for row in open_database().printings.values()]
    used |= {operation.op for one in printed for effect in one.effects for operation in operations(effect)}
    assert known_operations() - used == set()


def test_every_timing_is_used_by_a_card() -> None:
    """Repeat Village is a printed keyword (R2.4) that no card of these sets bears."""
    assert {effect.timing for _, effect in effects()} == set(get_args(Timing)) - {"repeat-village"}


VILLAGE = {"gold", "gold-per-player", "extra-buy", "gain-xp", "top-deck"}
"""What counts on a visit to the village only."""
ADDED_UP = {"bonus", "halve"}
"""Battle effects that are read when the sum is made, not carried out."""


def code() -> str:
    return "".join(
        path.read_text(encoding="utf-8")
        for package in ("rules", "resolve")
        for path in (ROOT / "thunderref" / "thunderstone" / package).rglob("*.py")
    )


def test_every_operation_used_in_the_dungeon_or_in_battle_has_a_handler() -> None:
    """An operation nobody interprets would silently never work."""
    for module in (ROOT / "thunderref" / "thunderstone" / "rules" / "effects").glob("[a-z]*.py"):
        import_module(f"thunderref.thunderstone.rules.effects.{module.stem}")
    unknown = []
    for card, effect in effects():
        for operation in operations(effect):
            if effect.timing in IN_DUNGEON and operation.op not in LASTING | VILLAGE:
                handler = operation.op
            elif effect.timing == "battle" and operation.op not in ADDED_UP:
                handler = f"battle:{operation.op}"
            else:
                continue
            if handler not in HANDLERS:
                unknown.append((card.id, effect.id, handler))
    assert not unknown


def test_every_operation_is_known_to_the_engine_by_name() -> None:
    """Operations that are no tasks (lasting ones, traits, custom ones) are named in the code that reads them."""
    text = code()
    kinds = {kind.op: kind.__name__ for kind in get_args(records.Operation)}
    names = {operation.op: kinds[operation.op] for _, effect in effects() for operation in operations(effect)}
    names |= {op.name: op.name for _, effect in effects() for op in effect.do if op.op == "custom"}
    unknown = {
        op
        for op, kind in names.items()
        if op not in VILLAGE | {"custom"} and not re.search(rf'"(battle:)?{op}"|\b{kind}\b', text)
    }
    assert not unknown


def test_at_most_one_card_in_twenty_needs_a_handler_of_its_own() -> None:
    """What two cards need becomes an operation."""
    custom = [(card, operation) for card, effect in effects() for operation in effect.do if operation.op == "custom"]
    assert all(operation.reason for _, operation in custom)
    assert len({card.id for card, _ in custom}) * 20 <= len(cards())
