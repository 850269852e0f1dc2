"""What the cards of a set-up need from each other, derived from figures and effect records, never from card names.

The basic stacks settle some needs fully (food, light items to burn), but a Torch is not yet *a light source* and a
Dagger not yet *a weapon*: these two needs ask for something better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.operations import Destroy, HeroesCannotAttack, Operation, Select
from thunderref.database.read import Database
from thunderref.thunderstone.setup.catalogue import BASIC, MILITIA, Catalogue

RATIONS_STRENGTH = 2
"""Strength that Iron Rations lend a hero, enough for what a golem demands."""

Names = Iterable[str]
Test = Callable[[Card, list[Operation]], object]
"""Of a card and what its effects do: True if it raises, or settles, a need."""


class Need(NamedTuple):
    """One requirement: ``kind`` names it (light, weapon, edged, ...), ``bit`` is its own.

    ``raised_by``: classes or families; empty if every game has it. ``village`` and ``heroes`` settle it, ``basic`` too
    where there are any (then it is never open).
    """

    kind: str
    bit: int
    raised_by: frozenset[str]
    village: frozenset[str]
    heroes: frozenset[str]
    basic: tuple[str, ...] = ()


class Finding(NamedTuple):
    """A need in a set-up; ``because`` raised it, ``by`` settles it, if anything does."""

    kind: str
    because: tuple[str, ...]
    by: tuple[str, ...]


class Needs:
    """The needs of all cards of a catalogue and, as bits, which cards raise or settle each.

    ``lifts`` are the weapons that the level 1 hero of a family can hold.
    """

    def __init__(self, database: Database) -> None:
        self.cat = database.derived(Catalogue)
        self._types = {card.id: card.types for card in database.cards.values()}
        self._effects = database.all_effects
        pool = self.cat.pool
        weapons = [card for card in pool.village if "weapon" in self._types.get(card, ())]
        weight = {card: self.cat.cards[card].weight or 0 for card in weapons}
        strength = {h: next(c.strength or 0 for c in self.cat.families[h] if c.level == 1) for h in pool.heroes}
        self.lifts = {h: frozenset(w for w in weapons if weight[w] <= strength[h]) for h in pool.heroes}
        self.needs: list[Need] = []
        self._add("light", (), *self._by(_has("light")))
        for group in sorted(set(self.lifts.values()), key=len):
            stronger = [h for h in pool.heroes if len(self.lifts[h]) > len(group)]
            self._add("weapon", [h for h in pool.heroes if self.lifts[h] == group], group, stronger)
        for kind, who in self._by_kind(self._wielded):
            weakest = min(strength[h] for h in who)
            self._add(kind, who, [w for w in weapons if kind in self._types[w] and weight[w] <= weakest])
        tests = _does("needs-magic", "only-magic"), _does("halve", unless="magic-attack")
        giving = self._by(_has("magic_attack"), _does("convert"), _does("bonus", stat="magic_attack"))
        self._add("magic", self._families(pool.classes, *tests), *giving)
        resisting = self._families(pool.classes, _does("immune", to="magic-attack"))
        self._add("attack", resisting, *self._by(_has("attack"), _does("bonus", stat="attack")))
        gain = _does("gain", "gain-unless-shown", card="disease")
        infecting = self._families((*pool.classes, *pool.features), gain)
        self._add("disease", infecting, *self._by(self._loses_disease))
        demand = {
            c: max((op.strength_below or 0 for op in self._all(c) if isinstance(op, HeroesCannotAttack)), default=0)
            for c in pool.classes
        }
        least = max(demand.values()) - RATIONS_STRENGTH
        lending, _ = self._by(_does("bonus", stat="strength"))
        strong = self._families(pool.heroes, lambda card, _: (card.strength or 0) >= least)
        self._add("strength", [c for c in demand if demand[c]], lending, strong)
        for kind, who in self._by_kind(self._eaten):
            name = f"{kind}-item" if any(need.kind == kind for need in self.needs) else kind
            basic = tuple(card for card in BASIC if kind in self._types[card])
            self._add(name, who, [v for v in pool.village if kind in self._types.get(v, ())], basic=basic)
        self.always = self.needs[0].bit
        self.dungeon = {c: self._bits("raised_by", c) for c in (*pool.classes, *pool.features)}
        self.hero_wants = {h: self._bits("raised_by", h) for h in pool.heroes}
        self.hero_meets = {h: self._bits("heroes", h) for h in pool.heroes}
        self.village = {v: self._bits("village", v) for v in pool.village}

    def find(self, classes: Names, heroes: Names, village: Names) -> list[Finding]:
        classes, heroes, village = tuple(classes), tuple(heroes), tuple(village)
        found: list[Finding] = []
        for need in self.needs:
            because = tuple(card for card in (*classes, *heroes) if card in need.raised_by)
            if need.kind == "weapon" or (need.raised_by and not because):
                continue
            by = (*(h for h in heroes if h in need.heroes), *(v for v in village if v in need.village), *need.basic)
            found.append(Finding(need.kind, because, by))
        strongest = max((self.lifts[h] for h in heroes), key=len, default=frozenset())
        liftable = tuple(card for card in village if card in strongest)
        lifters = tuple(h for h in heroes if self.lifts[h] == strongest)
        found.insert(1, Finding("weapon", lifters, liftable))
        return found

    def _add(self, kind: str, raised_by: Names, village: Names, heroes: Names = (), basic: Names = ()) -> None:
        bit = 0 if basic else 1 << len(self.needs)
        self.needs.append(Need(kind, bit, frozenset(raised_by), frozenset(village), frozenset(heroes), tuple(basic)))

    def _bits(self, side: str, card: str) -> int:
        return sum(need.bit for need in self.needs if card in getattr(need, side))

    def _operations(self, card: str) -> list[Operation]:
        return [operation for effect in self._effects.get(card, ()) for operation in effect.do]

    def _destroyed(self, card: str) -> list[Select]:
        """What the costs of a card's effects destroy."""
        costs = (cost for effect in self._effects.get(card, ()) for cost in effect.cost)
        return [cost.select for cost in costs if isinstance(cost, Destroy)]

    def _all(self, family: str) -> list[Operation]:
        return [operation for card in self.cat.families[family] for operation in self._operations(card.id)]

    def _by(self, *tests: Test) -> tuple[list[str], list[str]]:
        cards = [self.cat.cards[v] for v in self.cat.pool.village]
        village = [card.id for card in cards if any(test(card, self._operations(card.id)) for test in tests)]
        return village, self._families(self.cat.pool.heroes, *tests)

    def _families(self, families: Names, *tests: Test) -> list[str]:
        return [
            f for f in families if any(test(c, self._operations(c.id)) for c in self.cat.families[f] for test in tests)
        ]

    def _by_kind(self, kinds_of: Callable[[str], set[str]]) -> list[tuple[str, list[str]]]:
        kinds = {h: kinds_of(h) for h in self.cat.pool.heroes}
        return [(kind, [h for h in kinds if kind in kinds[h]]) for kind in sorted(set().union(*kinds.values()))]

    def _wielded(self, family: str) -> set[str]:
        conditions = (getattr(operation, "when", None) for operation in self._all(family))
        return {kind for condition in conditions if (kind := getattr(condition, "wields", None))}

    def _eaten(self, family: str) -> set[str]:
        stocked = {kind for card in BASIC for kind in self._types[card]} - {MILITIA}
        return {
            select.type for c in self.cat.families[family] for select in self._destroyed(c.id) if select.type in stocked
        }

    def _loses_disease(self, card: Card, operations: list[Operation]) -> bool:
        destroyed = [*self._destroyed(card.id), *(op.select for op in operations if isinstance(op, Destroy))]
        return any(select.kind == "disease" or select == Select() for select in destroyed)


def _has(figure: str) -> Test:
    return lambda card, _: getattr(card, figure)


def _does(*names: str, **params: str) -> Test:
    return lambda _, operations: any(
        op.op in names and all(getattr(op, name) == value for name, value in params.items()) for op in operations
    )
