"""Which open questions a result leans on: rules whose printed sources allow another reading."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.engine.book import Spec
from thunderref.engine.state import THROWN, State, Table
from thunderref.explain.terms import Event, Totals
from thunderref.model.effect import Halve

BEFORE_AND_AFTER = frozenset(
    {"double", "halve-magic", "only-magic", "immune.magic", "immune.edged", "immune.spells", "immune.unequipped",
     "convert"}
)  # fmt: skip
"""Terms before and after which the sums differ that a Disease is put on (R5.6)."""


def readings_of(table: Table, state: State, outcome: Totals, events: Iterable[Event]) -> list[str]:
    """The ids of the readings at work in a battle, in order of the rules.

    A reading counts as soon as its situation arises, whether or not the other reading would change the outcome.
    """
    events = list(events)
    keys = {event.key for event in events}
    terms = {term.key for term in (*outcome.terms, *outcome.reductions)}
    found: set[str] = set()
    if "thrown" in keys or any(slot.flags & THROWN for slot in state.hand):
        found.add("R5.3")
    armed = {
        dict(e.params).get("hero_card" if e.key != "borrowed" else "by_card")
        for e in events
        if e.key in ("equipped", "conjured", "borrowed")
    }
    if any(term.key.startswith("idle.") and term.card in armed for term in outcome.terms):
        found.add("R5.4")
    if keys & {"disease.attack", "disease.magic_attack", "disease-void"} and table.ruleset == "print":
        if terms & BEFORE_AND_AFTER:
            found.add("R5.6")
        if keys & {"weaken", "stopped"} or any(key.startswith("loses.") for key in keys):
            found.add("R5.6")
    foe = None if state.battle is None else table.book[state.battle.foe.card]
    if armed and foe is not None and any(op.op == "lose-attack" for op in foe.battle):
        found.add("R5.7")
    if "convert" in terms:
        found.add("R5.8")
    if "count-magic" in terms:
        found.add("R5.8b")
    if outcome.magic < 0 and (_doubles(table, state) or (foe is not None and _halves_magic(foe))):
        found.add("R5.9")
    if any(term.key.startswith("halve.") for term in outcome.reductions) and outcome.light_penalty:
        found.add("R5.13")
    return sorted(found, key=_order)


def _doubles(table: Table, state: State) -> bool:
    """True if a hero who doubles Magic Attack took part."""
    cards = {*(slot.face for slot in state.hand), *(card for card, _ in (*state.destroyed, *state.discarded))}
    return any(op.op == "double" for card in cards for op in table.book[card].passive)


def _halves_magic(foe: Spec) -> bool:
    return any(isinstance(trait, Halve) and trait.what == "magic_attack" for trait in foe.traits)


def _order(rule: str) -> tuple[int, int, str]:
    section, _, rest = rule.removeprefix("R").partition(".")
    digits = "".join(c for c in rest if c.isdigit())
    return int(section), int(digits or 0), rest
