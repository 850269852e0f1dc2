"""How hard the dungeon of a set-up is, beside all that might have been drawn from the same boxes (R1.1, R1.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.database.operations import Gain, GainUnlessShown
from thunderref.database.read import Database
from thunderref.thunderstone.setup.catalogue import Catalogue
from thunderref.thunderstone.setup.choose import space_of
from thunderref.thunderstone.setup.codes import Content
from thunderref.thunderstone.setup.request import request_of

MEASURES = ("health", "vp", "xp", "diseases", "breaches", "light_penalties")
INFECTING = (Gain, GainUnlessShown)
"""What monsters and traps do with a Disease."""


class Measure(NamedTuple):
    """A total of the dungeon: ``average``, ``least``, ``most`` over all draws of as many classes from the boxes."""

    name: str
    total: int
    average: Fraction
    least: int
    most: int

    def dump(self) -> dict[str, Any]:
        average = round(float(self.average), 1)
        return {"total": self.total, "average": average, "least": self.least, "most": self.most}


def figures_of_cards(database: Database) -> dict[str, tuple[int, ...]]:
    """Card -> what it adds to each of ``MEASURES``; the Horde's VP depend on how many a player owns: 0 (R7.2)."""
    found = {}
    for card in database.cards.values():
        effects = database.all_effects.get(card.id, ())
        operations = (operation for effect in effects for operation in effect.do if isinstance(operation, INFECTING))
        gained = (getattr(operation, "amount", 1) for operation in operations if operation.card == "disease")
        breaches = sum(effect.timing == "breach" for effect in effects)
        each = (card.health, card.vp, card.xp, sum(gained), breaches, card.light_penalty)
        found[card.id] = tuple(figure or 0 for figure in each)
    return found


def totals_of(cat: Catalogue, name: str, sets: tuple[str, ...]) -> tuple[int, ...]:
    """What a class of monsters or traps, or a guardian, adds to each of ``MEASURES``; the Horde by its numbers."""
    figures = cat.database.derived(figures_of_cards)
    rows = [(card.id, card.count) for card in cat.numbered.get(name, ())]
    rows = rows or ([(name, 1)] if name in cat.cards else cat.cards_of(name, sets))
    return tuple(sum(n * figures[card][i] for card, n in rows) for i in range(len(MEASURES)))


def measures_of(content: Content, cat: Catalogue) -> list[Measure]:
    """The measures of a dungeon: its classes, traps and guardians.

    All draws of as many classes are equally likely, and the features do not depend on which ones they are.
    """
    sets, chosen = content.sets, content.classes
    outcomes = space_of(request_of(content, (), cat), cat).features or ((content.features, 1),)
    classes = [totals_of(cat, name, sets) for name in cat.owned(cat.pool.classes, sets)]
    known = {name: totals_of(cat, name, sets) for name in (*chosen, *content.features.cards)}
    joined = [(weight, [totals_of(cat, name, sets) for name in outcome.cards]) for outcome, weight in outcomes]
    weights, n, found = sum(weight for weight, _ in joined), len(chosen), []
    for i, name in enumerate(MEASURES):
        values = sorted(totals[i] for totals in classes)
        more = [(weight, sum(totals[i] for totals in each)) for weight, each in joined]
        average = Fraction(n * sum(values), len(values)) + Fraction(sum(w * value for w, value in more), weights)
        least, most = min(value for _, value in more), max(value for _, value in more)
        total = sum(totals[i] for totals in known.values())
        found.append(Measure(name, total, average, sum(values[:n]) + least, sum(values[-n:]) + most))
    return found
