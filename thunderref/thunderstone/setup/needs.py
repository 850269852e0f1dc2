"""What the cards of a set-up need from each other and which go together, derived from figures, types and effects.

The basic stacks settle some needs fully (food, light items to burn), but a Torch is not yet *a light source* and a
Dagger not yet *a weapon*: these two needs ask for something better. A need that one card raises and another settles
makes them partners; so do a weapon and who can hold it, light and the monsters it is lost against, a type that an
effect counts on and the cards of it, and spells and who casts with Magic Attack too. No card is known by its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.operations import Destroy, Operation, Select
from thunderref.database.read import Database
from thunderref.database.validation import Record
from thunderref.thunderstone.setup.catalogue import BASIC, MILITIA, Catalogue

RATIONS_STRENGTH = 2
"""Strength that Iron Rations lend a hero, enough for what a golem demands."""

BYTE = 8
"""Bits that each need takes, so that open ones can be counted as cards are (see :class:`Lanes`)."""
Names = Collection[str]
Test = Callable[[Card, list[Operation]], object]
"""Predicate of a card and what its effects do: True if it raises, or settles, a need."""


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


class Requirement(NamedTuple):
    """A need in a set-up; ``because`` raised it, ``by`` settles it, if anything does."""

    kind: str
    because: tuple[str, ...]
    by: tuple[str, ...]


class Needs:
    """The needs of all cards of a catalogue and, as bits, which of them each card ``raises`` and ``settles``.

    ``lifts`` are the weapons that the level 1 hero of a family can hold.
    """

    def __init__(self, database: Database) -> None:
        self.cat, self._effects = database.derived(Catalogue), database.all_effects
        cards, families, pool = self.cat.cards, self.cat.families, self.cat.pool
        weapons = [card for card in pool.village if "weapon" in cards[card].types]
        weight = {card: cards[card].weight or 0 for card in weapons}
        strength = {h: next(c.strength or 0 for c in families[h] if c.level == 1) for h in pool.heroes}
        self.lifts = {h: frozenset(w for w in weapons if weight[w] <= strength[h]) for h in pool.heroes}
        self.needs: list[Need] = []
        self._add("light", (), *self._settling(_has_figure("light")))
        for group in sorted(set(self.lifts.values()), key=len):
            stronger = [h for h in pool.heroes if len(self.lifts[h]) > len(group)]
            self._add("weapon", [h for h in pool.heroes if self.lifts[h] == group], group, stronger)
        deeds = {who: [op for card in families[who] for op in self._do(card)] for who in (*pool.heroes, *pool.classes)}
        wields = {h: {getattr(getattr(op, "when", None), "wields", None) or "" for op in deeds[h]} for h in pool.heroes}
        for kind, who in _by_kind(wields):
            weakest = min(strength[h] for h in who)
            self._add(kind, who, [w for w in weapons if kind in cards[w].types and weight[w] <= weakest])
        tests = _has_op("needs-magic", "only-magic"), _has_op("halve", unless="magic-attack")
        giving = self._settling(_has_figure("magic_attack"), _has_op("convert"), _has_op("bonus", stat="magic_attack"))
        self._add("magic", self._which(pool.classes, *tests), *giving)
        resisting = self._which(pool.classes, _has_op("immune", to="magic-attack"))
        self._add("attack", resisting, *self._settling(_has_figure("attack"), _has_op("bonus", stat="attack")))
        gain = _has_op("gain", "gain-unless-shown", card="disease")
        infecting = self._which((*pool.classes, *pool.features), gain)
        self._add("disease", infecting, *self._settling(self._loses_disease))
        demands = {c: [getattr(op, "strength_below", None) or 0 for op in deeds[c]] for c in pool.classes}
        demand = {c: max(limits, default=0) for c, limits in demands.items()}
        min_strength = max(demand.values()) - RATIONS_STRENGTH
        strong = self._which(pool.heroes, lambda card, _: (card.strength or 0) >= min_strength)
        lending = self._which(pool.village, _has_op("bonus", stat="strength"))
        self._add("strength", [c for c in demand if demand[c]], lending, strong)
        stocked = {kind for card in BASIC for kind in cards[card].types} - {MILITIA}
        eaten = {h: {s.type or "" for c in families[h] for s in self._destroyed(c)} & stocked for h in pool.heroes}
        for kind, who in _by_kind(eaten):
            name = f"{kind}-item" if any(need.kind == kind for need in self.needs) else kind
            basic = tuple(card for card in BASIC if kind in cards[card].types)
            self._add(name, who, [v for v in pool.village if kind in cards[v].types], basic=basic)
        self.always = self.needs[0].bit
        self.raises = self._bits(lambda need: need.raised_by)
        self.settles = self._bits(lambda need: need.heroes | need.village)

    def find(self, classes: Names, heroes: Names, village: Names) -> list[Requirement]:
        requirements: list[Requirement] = []
        for need in self.needs:
            because = tuple(card for card in (*classes, *heroes) if card in need.raised_by)
            if need.kind == "weapon" or (need.raised_by and not because):
                continue
            by = (*(h for h in heroes if h in need.heroes), *(v for v in village if v in need.village), *need.basic)
            requirements.append(Requirement(need.kind, because, by))
        strongest = max((self.lifts[h] for h in heroes), key=len, default=frozenset())
        liftable = tuple(card for card in village if card in strongest)
        lifters = tuple(h for h in heroes if self.lifts[h] == strongest)
        requirements.insert(1, Requirement("weapon", lifters, liftable))
        return requirements

    def _add(self, kind: str, raised_by: Names, village: Names, heroes: Names = (), basic: Names = ()) -> None:
        bit = 0 if basic else 1 << BYTE * len(self.needs)
        self.needs.append(Need(kind, bit, frozenset(raised_by), frozenset(village), frozenset(heroes), tuple(basic)))

    def _bits(self, side: Callable[[Need], frozenset[str]]) -> Counter[str]:
        bits = Counter[str]()
        for need in self.needs:
            bits.update(dict.fromkeys(side(need), need.bit))
        return bits

    def _do(self, card: Card) -> list[Operation]:
        return [operation for effect in self._effects.get(card.id, ()) for operation in effect.do]

    def _destroyed(self, card: Card) -> list[Select]:
        costs = (cost for effect in self._effects.get(card.id, ()) for cost in effect.cost)
        return [cost.select for cost in costs if isinstance(cost, Destroy)]

    def _settling(self, *tests: Test) -> tuple[list[str], list[str]]:
        return self._which(self.cat.pool.village, *tests), self._which(self.cat.pool.heroes, *tests)

    def _which(self, names: Names, *tests: Test) -> list[str]:
        """The names of classes, families and cards of which a card meets one of the tests."""
        return [n for n in names if any(test(card, self._do(card)) for card in self.cat.members(n) for test in tests)]

    def _loses_disease(self, card: Card, operations: list[Operation]) -> bool:
        destroyed = [*self._destroyed(card), *(op.select for op in operations if isinstance(op, Destroy))]
        return any(select.kind == "disease" or select == Select() for select in destroyed)


def _by_kind(kinds: dict[str, set[str]]) -> list[tuple[str, list[str]]]:
    """Kind -> who has it, in the order of the kinds' names."""
    return [(kind, [h for h in kinds if kind in kinds[h]]) for kind in sorted(set().union(*kinds.values()) - {""})]


def _has_figure(figure: str) -> Test:
    return lambda card, _: getattr(card, figure)


def _has_op(*names: str, **params: str) -> Test:
    return lambda _, operations: any(
        op.op in names and all(getattr(op, name) == value for name, value in params.items()) for op in operations
    )


AROUND = 4
"""The least number of partners in a set-up around a favourite, if there are as many."""
_EVERY_GAME = frozenset({"hero", "militia", "disease"})
"""Types that every game has; who counts on them needs no partner."""
_COUNTED_ON = ("type", "kind", "holder", "wields", "target", "buys", "after")
"""Fields of an operation whose value is a type that the effect counts on."""
_AGAINST = ("unless", "no_hand", "not_type", "unless_hand", "unless_destroyed", "safe", "instead")
"""Fields of an operation below which a type stands for what must not be there."""


class Link(NamedTuple):
    """Why two cards go together: ``giver`` has what ``taker`` wants; ``detail`` is a need or a type, if any."""

    kind: str
    giver: str
    taker: str
    detail: str = ""


class Partners:
    """All links between the classes, families and village cards of a catalogue."""

    def __init__(self, database: Database) -> None:
        self.cat, self.needs, self.effects = database.derived(Catalogue), database.derived(Needs), database.all_effects
        self.pool = self.cat.pool
        self.all = (*self.pool.classes, *self.pool.heroes, *self.pool.village)
        self.types = {name: {kind for row in self.cat.members(name) for kind in row.types} for name in self.all}
        self.links = tuple(dict.fromkeys(self._links()))

    def of(self, card: str) -> dict[str, list[Link]]:
        """Partner -> why it goes with the card, in the order of the pool."""
        links: dict[str, list[Link]] = {}
        for link in self.links:
            if card in (link.giver, link.taker):
                links.setdefault(link.taker if card == link.giver else link.giver, []).append(link)
        return links

    def _links(self) -> Iterator[Link]:
        pool, needs = self.pool, self.needs
        common = frozenset.intersection(*needs.lifts.values())  # what everybody can hold says nothing
        for hero in pool.heroes:
            yield from (Link("holds", weapon, hero) for weapon in sorted(needs.lifts[hero] - common))
        for need in needs.needs:
            if need.kind != "weapon":
                for taker in sorted(need.raised_by):
                    yield from (Link("need", giver, taker, need.kind) for giver in sorted(need.village | need.heroes))
        bright = [name for name in (*pool.heroes, *pool.village) if self._has(name, "light")]
        for dark in (name for name in pool.classes if self._has(name, "light_penalty")):
            yield from (Link("light", giver, dark) for giver in bright)
        of_monsters = {kind for name in pool.classes for kind in self.types[name]}
        for taker in (*pool.heroes, *pool.village):
            effects = (effect for row in self.cat.members(taker) for effect in self.effects.get(row.id, ()))
            operations = (operation for effect in effects for operation in (*effect.cost, *effect.do))
            for kind in sorted({kind for operation in operations for kind in _types_counted_on(operation)}):
                for giver in (name for name in self.all if name != taker and kind in self.types[name]):
                    # monsters serve only those who fight them, other cards only those who hold them
                    if (kind in of_monsters) == (giver in pool.classes):
                        yield Link("type", giver, taker, kind)
        for spell in (name for name in pool.village if "spell" in self.types[name] and self._has(name, "magic_attack")):
            yield from (Link("magic", spell, hero) for hero in pool.heroes if self._has(hero, "magic_attack"))

    def _has(self, name: str, figure: str) -> bool:
        return any((getattr(row, figure) or 0) > 0 for row in self.cat.members(name))


def _types_counted_on(record: Record) -> Iterator[str]:
    """The types that an operation, or a part of one, counts on."""
    for key in record.__struct_fields__:
        value = getattr(record, key)
        words = value if isinstance(value, tuple) else (value,)
        if key in _COUNTED_ON:
            yield from (word for word in words if isinstance(word, str) and word not in _EVERY_GAME)
        if key not in _AGAINST and isinstance(value, Record):
            yield from _types_counted_on(value)
