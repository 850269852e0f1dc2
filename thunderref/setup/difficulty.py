"""Difficulty at a glance: totals of the chosen monster classes against the average of all possible draws."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from thunderref.setup.codes import Content
from thunderref.setup.pools import Catalogue
from thunderref.store.read import Store

MEASURES = ("health", "vp", "xp", "diseases", "breaches", "light_penalties")


@dataclass(frozen=True)
class Measure:
    """One total: ``average``, ``least`` and ``most`` over all draws of as many classes from the same sets."""

    name: str
    total: int
    average: Fraction
    least: int
    most: int


@dataclass(frozen=True)
class Difficulty:
    """All measures. A Horde card counts 0 victory points: its worth depends on how many one owns (R7.2)."""

    measures: tuple[Measure, ...]

    def dump(self) -> dict[str, Any]:
        """Plain values."""
        return {
            m.name: {"total": m.total, "average": round(float(m.average), 1), "least": m.least, "most": m.most}
            for m in self.measures
        }


def class_totals(store: Store, cat: Catalogue) -> dict[str, dict[str, int]]:
    """Class -> measure -> total over its cards; of the Horde the ten numbered cards count (R1.3)."""
    if "totals" not in cat.extra:
        cat.extra["totals"] = {name: _totals(name, store, cat) for name in cat.pool.classes}
    totals: dict[str, dict[str, int]] = cat.extra["totals"]
    return totals


def _totals(name: str, store: Store, cat: Catalogue) -> dict[str, int]:
    found = dict.fromkeys(MEASURES, 0)
    for card in cat.numbered.get(name) or cat.families[name]:
        effects = store.all_effects.get(card.id, [])
        gained = sum(
            op.get("amount", 1)
            for effect in effects
            for op in effect.record.get("do", ())
            if op["op"] == "gain" and op["card"] == "disease"
        )
        figures = {
            "health": card.health or 0,
            "vp": card.vp or 0,
            "xp": card.xp or 0,
            "diseases": gained,
            "breaches": sum(effect.timing == "breach" for effect in effects),
            "light_penalties": card.light_penalty or 0,
        }
        for measure, value in figures.items():
            found[measure] += value * card.count
    return found


def difficulty(content: Content, store: Store, cat: Catalogue) -> Difficulty:
    """The measures of a set-up; all draws of as many classes are equally likely, so their average is the classes'."""
    totals = class_totals(store, cat)
    pool = [c for c in cat.pool.classes if cat.set_of[c] in content.sets]
    n = len(content.classes)
    measures = []
    for name in MEASURES:
        values = sorted(totals[c][name] for c in pool)
        measures.append(
            Measure(
                name,
                sum(totals[c][name] for c in content.classes),
                Fraction(n * sum(values), len(values)),
                sum(values[:n]),
                sum(values[-n:]),
            )
        )
    return Difficulty(tuple(measures))
