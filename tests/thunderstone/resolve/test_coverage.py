"""Every rule has an example; every effect of every card has one that shows it work and one that shows it fail to."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from support import coverage
from thunderref.database.read import open_database
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve

ONLINE = ("R5.6y", "R6.9y")
"""Rules of the online game only."""

UNPLAYED = {f"R{number}": "the heading of a chapter" for number in range(10)}
"""Rules that no example can show, and why."""

UNSHOWN = {
    "looking-at-piles": "about what players look at",
    "no-trading": "there is no such choice to refuse",
    "starting-player": "before the first turn",
    "no-player-fights": "a battle names a monster and nothing else",
    "nobody-drops-out": "there is no such event to rule out",
    "open-hand": "about what players look at",
    "box-contents": "about the box",
    "playing-time": "about the table",
}
"""Rulings on no card that no example can show, and why."""

KINDS = {"scenario", "document", "setup", "game"}
"""What an example is about; for each kind there is a test that plays it."""

EXAMPLES = coverage.EXAMPLES


def shown() -> dict[tuple[str, str], set[bool]]:
    found: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for _, example in EXAMPLES:
        if "card" in example:
            found[example["card"], example["effect"]].add(example["positive"])
    return found


def test_every_effect_has_a_positive_and_a_negative_example() -> None:
    found, effects = shown(), open_database().all_effects
    every = [(card, effect.id) for card in effects for effect in effects[card]]
    assert not [effect for effect in every if found[effect] != {True, False}]


def test_every_example_is_of_a_card_and_an_effect_that_exist() -> None:
    known = {(card, effect.id) for card, effects in open_database().all_effects.items() for effect in effects}
    known |= {(card, "") for card in open_database().cards}
    strange = [(name, e["name"]) for name, e in EXAMPLES if "card" in e and (e["card"], e["effect"]) not in known]
    assert not strange


def test_every_ruling_has_examples() -> None:
    """Two at least: one that shows it, and its other side or a second case."""
    listed, shown = coverage.entries("clarifications", "clarification"), coverage.named("ruling")
    assert not sorted(ruling for ruling in listed.keys() - UNSHOWN.keys() if shown[ruling] < 2)
    assert not sorted(shown.keys() - listed.keys())
    assert not sorted(shown.keys() & UNSHOWN.keys())
    assert not sorted(ruling for ruling in UNSHOWN if listed[ruling].get("cards"))


def test_every_rule_has_an_example_or_a_reason_for_having_none() -> None:
    rules, named = set(coverage.entries("rules", "rule")), coverage.named("rule").keys()
    assert not named - rules, "no such rule"
    assert named | UNPLAYED.keys() == rules
    assert not named & UNPLAYED.keys()


def test_every_example_says_where_it_comes_from_and_why() -> None:
    assert not [(name, e["name"]) for name, e in EXAMPLES if not e.get("source") or not e.get("why")]
    assert not [(name, e["name"]) for name, e in EXAMPLES if len(e.keys() & KINDS) != 1]


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
