"""Which open questions a result leans on: rules whose printed sources allow another reading."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.engine.party import Party
from thunderref.engine.state import THROWN, State, Table
from thunderref.explain.terms import Event, Totals


def readings_of(table: Table, state: State, outcome: Totals, events: Iterable[Event]) -> list[str]:
    """The ids of the readings at work in a battle, in order of the rules.

    A reading counts as soon as its situation arises, whether or not the other reading would change the outcome.
    """
    keys = {event.key for event in events}
    terms = {term.key for term in (*outcome.terms, *outcome.reductions)}
    found: set[str] = set()
    if "thrown" in keys or any(slot.flags & THROWN for slot in state.hand):
        found.add("R5.3")
    if "stopped" in keys or "idle.stopped" in terms:
        found.add("R5.4")
    if keys & {"disease.attack", "disease.magic_attack", "disease-void"} and table.ruleset == "print":
        if terms & {"double", "halve-magic", "only-magic", "immune.magic", "immune.edged", "immune.spells", "convert"}:
            found.add("R5.6")
        if keys & {"weaken", "stopped"} or any(key.startswith("loses.") for key in keys):
            found.add("R5.6")
    if any(key.startswith("loses.") for key in keys):
        found.add("R5.7")
    if "convert" in terms:
        found.add("R5.8")
    if "count-magic" in terms:
        found.add("R5.8b")
    if outcome.magic < 0 and any(
        op.op == "double" for hero in Party(table, state).heroes for op in table.book[hero.face].passive
    ):
        found.add("R5.9")
    if any(term.key.startswith("halve.") for term in outcome.reductions) and outcome.light_penalty:
        found.add("R5.13")
    return sorted(found, key=_order)


def _order(rule: str) -> tuple[int, int, str]:
    section, _, rest = rule.removeprefix("R").partition(".")
    digits = "".join(c for c in rest if c.isdigit())
    return int(section), int(digits or 0), rest
