"""What the cards of a set-up need of each other, derived from figures and effect records, never from card names.

The basic stacks (Torch, Dagger, Iron Rations) are always there; they settle what they settle fully (food, light items
to burn), but a Torch is not yet *a light source* and a Dagger not yet *a weapon*: these two ask for something better.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from thunderref.setup.pools import BASIC, MILITIA, Catalogue
from thunderref.store.read import CardRow, Store

RATIONS_STRENGTH = 2
"""Strength that Iron Rations lend a hero: a golem's demand may be met with one of them."""


@dataclass(frozen=True)
class Need:
    """One requirement: ``kind`` names it (light, weapon, edged, ...), ``bit`` is its own.

    ``raised_by``: classes or families; empty if every game has it. ``village`` and ``heroes`` settle it, ``basic`` too
    where it is not empty (then it is never open).
    """

    kind: str
    bit: int
    raised_by: frozenset[str]
    village: frozenset[str]
    heroes: frozenset[str]
    basic: tuple[str, ...] = ()


@dataclass(frozen=True)
class Needs:
    """All needs of a catalogue as bits; see :class:`Need`."""

    needs: tuple[Need, ...]
    always: int
    classes: dict[str, int]
    features: dict[str, int]
    hero_wants: dict[str, int]
    hero_meets: dict[str, int]
    village: dict[str, int]
    lifts: dict[str, frozenset[str]]
    """Family -> weapons its level 1 hero can hold."""


@dataclass(frozen=True)
class Finding:
    """How a need stands in a set-up; ``because`` raised it, ``by`` settles it."""

    kind: str
    satisfied: bool
    because: tuple[str, ...]
    by: tuple[str, ...]


def needs_of(store: Store, cat: Catalogue) -> Needs:
    """The needs of all cards of the catalogue, derived once."""
    if "needs" not in cat.extra:
        cat.extra["needs"] = _derive(store, cat)
    needs: Needs = cat.extra["needs"]
    return needs


def find(needs: Needs, classes: Iterable[str], heroes: Iterable[str], village: Iterable[str]) -> list[Finding]:
    """How every need that these cards raise stands, the general ones first."""
    classes, heroes, village = tuple(classes), tuple(heroes), tuple(village)
    found: list[Finding] = []
    strongest = max((needs.lifts[h] for h in heroes), key=len, default=frozenset())
    lifters = tuple(h for h in heroes if needs.lifts[h] == strongest)
    liftable = tuple(card for card in village if card in strongest)
    for need in needs.needs:
        if need.kind == "weapon":
            continue
        because = tuple(card for card in (*classes, *heroes) if card in need.raised_by)
        if need.raised_by and not because:
            continue
        by = (*(h for h in heroes if h in need.heroes), *(v for v in village if v in need.village), *need.basic)
        found.append(Finding(need.kind, bool(by), because, by))
    weapon = Finding("weapon", bool(liftable), lifters, liftable)
    return [found[0], weapon, *found[1:]]


def _derive(store: Store, cat: Catalogue) -> Needs:
    pool = cat.pool
    view = _View(store, cat)
    lifts = {h: frozenset(w for w in view.weapons if view.weight(w) <= view.first_strength(h)) for h in pool.heroes}
    thresholds = sorted({lifts[h] for h in pool.heroes}, key=len)
    rows: list[tuple[str, set[str], set[str], set[str], tuple[str, ...]]] = [
        ("light", set(), view.village(_gives_light), view.heroes(_gives_light), ())
    ]
    rows += [
        ("weapon", {h for h in pool.heroes if lifts[h] == group}, set(group),
         {h for h in pool.heroes if len(lifts[h]) > len(group)}, ())
        for group in thresholds
    ]  # fmt: skip
    for kind in view.wielded():
        who = {h for h in pool.heroes if kind in view.wields(h)}
        weakest = min(view.first_strength(h) for h in who)
        good = {w for w in view.weapons if kind in view.types(w) and view.weight(w) <= weakest}
        rows.append((kind, who, good, set(), ()))
    rows.append(("magic", view.classes(_needs_magic), view.village(_gives_magic), view.heroes(_gives_magic), ()))
    attackers = view.village(_gives_attack), view.heroes(_gives_attack)
    rows.append(("attack", view.classes(_resists_magic), *attackers, ()))
    cures = view.village(_loses_disease), view.heroes(_loses_disease)
    rows.append(("disease", view.classes(_gives_disease), *cures, ()))
    demand = view.strength_demand()
    rows.append(("strength", set(demand), view.village(_lends_strength), view.strong(demand), ()))
    for kind in view.eaten():
        basic = tuple(card for card in BASIC if kind in view.types(card))
        eaters = {h for h in pool.heroes if kind in view.eats(h)}
        name = kind if all(row[0] != kind for row in rows) else f"{kind}-item"
        rows.append((name, eaters, {v for v in pool.village if kind in view.types(v)}, set(), basic))
    needs = tuple(
        Need(kind, 0 if basic else 1 << i, frozenset(raised), frozenset(village), frozenset(heroes), basic)
        for i, (kind, raised, village, heroes, basic) in enumerate(rows)
    )
    return Needs(
        needs=needs,
        always=needs[0].bit,
        classes={c: _bits(needs, "raised_by", c) for c in pool.classes},
        features={},
        hero_wants={h: _bits(needs, "raised_by", h) for h in pool.heroes},
        hero_meets={h: _bits(needs, "heroes", h) for h in pool.heroes},
        village={v: _bits(needs, "village", v) for v in pool.village},
        lifts=lifts,
    )


def _bits(needs: Iterable[Need], side: str, card: str) -> int:
    joined = 0
    for need in needs:
        if card in getattr(need, side):
            joined |= need.bit
    return joined


class _View:
    """Cards with the operations of their effect records, as the derivation asks for them."""

    def __init__(self, store: Store, cat: Catalogue) -> None:
        self.cat = cat
        self._types = store.all_types
        self._effects = store.all_effects
        self.weapons = [v for v in cat.pool.village if "weapon" in self.types(v)]

    def types(self, card: str) -> tuple[str, ...]:
        return self._types.get(card, ())

    def weight(self, weapon: str) -> int:
        return self.cat.cards[weapon].weight or 0

    def family(self, name: str) -> tuple[CardRow, ...]:
        return self.cat.families[name]

    def first_strength(self, family: str) -> int:
        return next(card.strength or 0 for card in self.family(family) if card.level == 1)

    def operations(self, card: str, part: str) -> Iterator[dict[str, Any]]:
        for effect in self._effects.get(card, ()):
            yield from effect.record.get(part, ())

    def of_class(self, name: str) -> Iterator[dict[str, Any]]:
        for card in self.family(name):
            yield from self.operations(card.id, "do")

    def village(self, test: Any) -> set[str]:
        return {v for v in self.cat.pool.village if test(self, self.cat.cards[v])}

    def heroes(self, test: Any) -> set[str]:
        return {h for h in self.cat.pool.heroes if any(test(self, card) for card in self.family(h))}

    def classes(self, test: Any) -> set[str]:
        return {c for c in self.cat.pool.classes if any(test(self, card) for card in self.family(c))}

    def wields(self, family: str) -> set[str]:
        conditions = (op.get("when") or {} for card in self.family(family) for op in self.operations(card.id, "do"))
        return {kind for when in conditions if (kind := when.get("wields"))}

    def wielded(self) -> list[str]:
        return sorted({kind for h in self.cat.pool.heroes for kind in self.wields(h)})

    def eats(self, family: str) -> set[str]:
        costs = (op for card in self.family(family) for op in self.operations(card.id, "cost") if op["op"] == "destroy")
        kinds = {op["select"].get("type") for op in costs}
        stocked = {kind for card in BASIC for kind in self.types(card)} - {MILITIA}
        return {kind for kind in kinds if kind in stocked}

    def eaten(self) -> list[str]:
        return sorted({kind for h in self.cat.pool.heroes for kind in self.eats(h)})

    def strength_demand(self) -> dict[str, int]:
        """Class -> Strength that a hero needs against its most demanding monster."""
        demands = {
            c: max((op.get("strength_below") or 0 for op in self.of_class(c)), default=0) for c in self.cat.pool.classes
        }
        return {c: strength for c, strength in demands.items() if strength}

    def strong(self, demand: dict[str, int]) -> set[str]:
        """Families with a hero who can stand up to the highest demand with Iron Rations."""
        least = max(demand.values(), default=0) - RATIONS_STRENGTH
        return {h for h in self.cat.pool.heroes if any((card.strength or 0) >= least for card in self.family(h))}


def _gives_light(view: _View, card: CardRow) -> bool:
    return bool(card.light)


def _gives_magic(view: _View, card: CardRow) -> bool:
    if card.magic_attack:
        return True
    for op in view.operations(card.id, "do"):
        if op["op"] == "convert" or (op["op"] == "bonus" and op["stat"] == "magic_attack"):
            return True
    return False


def _gives_attack(view: _View, card: CardRow) -> bool:
    operations = view.operations(card.id, "do")
    return bool(card.attack) or any(op["op"] == "bonus" and op["stat"] == "attack" for op in operations)


def _resists_magic(view: _View, card: CardRow) -> bool:
    return any(op["op"] == "immune" and op["to"] == "magic-attack" for op in view.operations(card.id, "do"))


def _needs_magic(view: _View, card: CardRow) -> bool:
    return any(
        op["op"] in ("needs-magic", "only-magic") or (op["op"] == "halve" and op.get("unless") == "magic-attack")
        for op in view.operations(card.id, "do")
    )


def _gives_disease(view: _View, card: CardRow) -> bool:
    return any(op["op"] == "gain" and op["card"] == "disease" for op in view.operations(card.id, "do"))


def _loses_disease(view: _View, card: CardRow) -> bool:
    destroyed = [
        op["select"]
        for part in ("cost", "do")
        for op in view.operations(card.id, part)
        if op["op"] == "destroy"
    ]  # fmt: skip
    return any(select.get("kind") == "disease" or not select for select in destroyed)


def _lends_strength(view: _View, card: CardRow) -> bool:
    return any(op["op"] == "bonus" and op["stat"] == "strength" for op in view.operations(card.id, "do"))
