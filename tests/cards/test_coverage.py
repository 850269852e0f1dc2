"""Every effect of every card, whenever it works, has an example that shows it work and one that shows it fail to."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from thunderref.errors import IllegalStepError
from thunderref.solve.api import resolve
from thunderref.store.read import EffectRow, open_store

TESTS = Path(__file__).resolve().parents[1]
TABLES = [
    *sorted((TESTS / "cards").glob("*.toml")),
    TESTS / "golden" / "rulebook.toml",
    TESTS / "village" / "effects.toml",
    TESTS / "village" / "rules.toml",
    TESTS / "village" / "score.toml",
]
ONLINE = ("R5.6y", "R6.9y")
"""Rules of the online game only."""


def tables() -> list[tuple[str, dict[str, Any]]]:
    return [
        (path.name, example)
        for path in TABLES
        for example in tomllib.loads(path.read_text(encoding="utf-8"))["example"]
    ]


EXAMPLES = tables()
EFFECTS = [
    pytest.param(effect, id=f"{effect.card}: {effect.id}")
    for effects in open_store().all_effects.values()
    for effect in effects
]


def shown() -> dict[tuple[str, str], set[bool]]:
    found: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for _, example in EXAMPLES:
        if "card" in example:
            found[example["card"], example["effect"]].add(example["positive"])
    return found


SHOWN = shown()


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_has_a_positive_and_a_negative_example(effect: EffectRow) -> None:
    assert SHOWN[effect.card, effect.id] == {True, False}


def test_every_example_is_of_a_card_and_an_effect_that_exist() -> None:
    known = {(effect.card, effect.id) for effects in open_store().all_effects.values() for effect in effects}
    known |= {(card, "") for card in open_store().cards}
    strange = [(name, e["name"]) for name, e in EXAMPLES if "card" in e and (e["card"], e["effect"]) not in known]
    assert not strange


def test_every_example_says_where_it_comes_from_and_why() -> None:
    assert not [(name, e["name"]) for name, e in EXAMPLES if not e.get("source") or not e.get("why")]


def test_no_two_examples_of_a_table_have_the_same_name() -> None:
    names = [(name, e["name"]) for name, e in EXAMPLES]
    assert not [name for name in names if names.count(name) > 1]


def outcome(scenario: dict[str, Any], ruleset: str) -> Any:
    """The total and the losses of the first target, or the rule that refuses the plan."""
    try:
        result = resolve({**scenario, "ruleset": ruleset}).targets[0]
    except IllegalStepError as refusal:
        return refusal.rule
    return result.total, sorted(result.destroyed)


@pytest.mark.parametrize("rule", ONLINE)
def test_the_rules_of_the_online_game_have_examples_too(rule: str) -> None:
    """Each is seen to change a battle of the printed rules, and not to change another."""
    about = [e["scenario"] for _, e in EXAMPLES if rule in e["source"] and "scenario" in e]
    changed = {outcome(scenario, "print") != outcome(scenario, "yucata") for scenario in about}
    assert len(about) >= 4
    assert changed == {True, False}
