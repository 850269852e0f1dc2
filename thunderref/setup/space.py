"""The space of all set-ups that fit what was asked for: is it empty, draw from it, and how likely is each card.

Without ``balanced`` the kinds of cards are drawn apart, by the printed procedure. With it every set-up that meets the
requirements is equally likely as before and the others are ruled out; that is counted, not tried, so the draw always
ends and its chances are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb

from thunderref.setup.balance import Needs
from thunderref.setup.features import Features, Weighted
from thunderref.setup.generator import Generator


@dataclass(frozen=True)
class Slots:
    """Cards of one kind: how many to draw from ``pool`` (in its order), which are given and which are out."""

    count: int
    pool: tuple[str, ...]
    given: frozenset[str] = frozenset()

    @property
    def open(self) -> tuple[str, ...]:
        """The cards the draw is about."""
        return tuple(card for card in self.pool if card not in self.given)

    @property
    def possible(self) -> bool:
        """True if the given cards exist and fit, and there are enough others."""
        return self.given <= set(self.pool) and len(self.given) <= self.count <= len(self.pool)

    def draw(self, generator: Generator) -> tuple[str, ...]:
        """Draws the open places; the result is in the order of the pool."""
        drawn = {*self.given, *generator.sample(self.open, self.count - len(self.given))}
        return tuple(card for card in self.pool if card in drawn)

    def chances(self) -> dict[str, Fraction]:
        """Chance of each card of the pool."""
        cards = self.open
        chance = Fraction(self.count - len(self.given), len(cards)) if cards else Fraction(0)
        return {card: Fraction(1) if card in self.given else chance for card in self.pool}

    def hands(self) -> Iterable[tuple[str, ...]]:
        """Every selection, each in the order of drawing: the given cards first."""
        given = tuple(card for card in self.pool if card in self.given)
        return (given + rest for rest in combinations(self.open, self.count - len(given)))


@dataclass(frozen=True)
class Drawn:
    """The cards of one set-up, each kind in the order of its pool."""

    classes: tuple[str, ...]
    features: Features
    heroes: tuple[str, ...]
    village: tuple[str, ...]


Chances = dict[str, dict[str, Fraction]]
"""Kind (``classes``, ``features``, ``heroes``, ``village``) -> card -> chance of being in the set-up."""


@dataclass(frozen=True)
class Space:
    """All set-ups that fit; ``features`` are the outcomes that fit, ``needs`` is None without ``balanced``."""

    classes: Slots
    features: Weighted
    heroes: Slots
    village: Slots
    needs: Needs | None = None

    @property
    def possible(self) -> bool:
        """True if there is at least one set-up."""
        slots = self.classes.possible and self.heroes.possible and self.village.possible
        if not slots or not self.features:
            return False
        return self.needs is None or self.counted.total > 0

    def draw(self, seed: int) -> Drawn:
        """The set-up of a seed; ValueError if the space is empty."""
        if self.needs is not None:
            return self.counted.draw(seed)
        features = self.features[Generator(seed, "features").weighted([w for _, w in self.features])][0]
        return Drawn(
            classes=self.classes.draw(Generator(seed, "classes")),
            features=features,
            heroes=self.heroes.draw(Generator(seed, "heroes")),
            village=self.village.draw(Generator(seed, "village")),
        )

    def chances(self) -> Chances:
        """The exact chance of every card."""
        if self.needs is not None:
            return self.counted.chances()
        return {
            "classes": self.classes.chances(),
            "features": feature_chances(self.features),
            "heroes": self.heroes.chances(),
            "village": self.village.chances(),
        }

    @cached_property
    def counted(self) -> Counted:
        """The space counted through, for a balanced draw."""
        if self.needs is None:
            raise ValueError("only a balanced space is counted")
        return Counted(self, self.needs)


def feature_chances(outcomes: Iterable[tuple[Features, int]]) -> dict[str, Fraction]:
    """Chance of each trap class and guardian."""
    weights: dict[str, int] = {}
    total = 0
    for outcome, weight in outcomes:
        total += weight
        for card in (*outcome.traps, *outcome.guardians):
            weights[card] = weights.get(card, 0) + weight
    return {card: Fraction(weight, total) for card, weight in weights.items()}


@dataclass
class Village:
    """Counts the selections of village cards that meet a set of needs (bits), by cards decided one after another."""

    slots: Slots
    gives: dict[str, int]
    _memo: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cards = self.slots.open
        self.bits = [self.gives[card] for card in self.cards]
        self.free = self.slots.count - len(self.slots.given)
        self.had = 0
        for card in self.slots.given:
            self.had |= self.gives[card]

    def count(self, unmet: int) -> int:
        """Selections that meet all bits of ``unmet``."""
        return self.ways(0, self.free, unmet & ~self.had)

    def ways(self, i: int, free: int, unmet: int) -> int:
        """Selections of ``free`` cards from the i-th on that meet ``unmet``."""
        left = len(self.bits) - i
        if free > left or free < 0:
            return 0
        if not unmet:
            return comb(left, free)
        if not free:
            return 0
        key = (i, free, unmet)
        known = self._memo.get(key)
        if known is None:
            known = self.ways(i + 1, free - 1, unmet & ~self.bits[i]) + self.ways(i + 1, free, unmet)
            self._memo[key] = known
        return known

    def draw(self, unmet: int, generator: Generator) -> tuple[str, ...]:
        """One of these selections, all equally likely."""
        unmet &= ~self.had
        free, taken = self.free, set(self.slots.given)
        for i, card in enumerate(self.cards):
            with_it = self.ways(i + 1, free - 1, unmet & ~self.bits[i])
            if with_it and generator.below(with_it + self.ways(i + 1, free, unmet)) < with_it:
                taken.add(card)
                free -= 1
                unmet &= ~self.bits[i]
        return tuple(card for card in self.slots.pool if card in taken)

    def weights(self, start: dict[int, int]) -> dict[str, int]:
        """Number of selections with each card, over all ``unmet`` -> weight of ``start``."""
        states: dict[tuple[int, int], int] = {}
        for unmet, weight in start.items():
            key = (self.free, unmet & ~self.had)
            states[key] = states.get(key, 0) + weight
        found = dict.fromkeys(self.slots.given, sum(w * self.ways(0, *key) for key, w in states.items()))
        for i, card in enumerate(self.cards):
            after: dict[tuple[int, int], int] = {}
            total = 0
            for (free, unmet), weight in states.items():
                taken = (free - 1, unmet & ~self.bits[i])
                total += weight * self.ways(i + 1, *taken)
                for key in (taken, (free, unmet)):
                    if key[0] >= 0:
                        after[key] = after.get(key, 0) + weight
            found[card] = total
            states = after
        return found


class Counted:
    """A balanced space: everything with the same needs is counted together.

    Classes, features and heroes only matter through bits: ``wants`` they raise and, for heroes, ``meets`` they settle.
    """

    def __init__(self, space: Space, needs: Needs) -> None:
        self.space = space
        self.needs = needs
        self.village = Village(space.village, needs.village)
        self.class_hands: dict[int, list[tuple[str, ...]]] = {}
        for hand in space.classes.hands():
            self.class_hands.setdefault(_join(needs.classes, hand), []).append(hand)
        self.outcomes: dict[int, list[tuple[Features, int]]] = {}
        for outcome, weight in space.features:
            wants = _join(needs.features, (*outcome.traps, *outcome.guardians))
            self.outcomes.setdefault(wants, []).append((outcome, weight))
        self.hero_hands: dict[tuple[int, int], list[tuple[str, ...]]] = {}
        for hand in space.heroes.hands():
            key = (_join(needs.hero_wants, hand), _join(needs.hero_meets, hand))
            self.hero_hands.setdefault(key, []).append(hand)
        self.dungeons = {
            (c, f): len(hands) * sum(w for _, w in outcomes)
            for c, hands in self.class_hands.items()
            for f, outcomes in self.outcomes.items()
        }
        self.rows = {
            key: {d: weight * self.village.count(self.unmet(key, d)) for d, weight in self.dungeons.items()}
            for key in self.hero_hands
        }
        self.sums = {key: sum(row.values()) for key, row in self.rows.items()}
        self.total = sum(len(hands) * self.sums[key] for key, hands in self.hero_hands.items())

    def unmet(self, heroes: tuple[int, int], dungeon: tuple[int, int]) -> int:
        """The needs that are left to the village."""
        wants, meets = heroes
        return (self.needs.always | wants | dungeon[0] | dungeon[1]) & ~meets

    def draw(self, seed: int) -> Drawn:
        """Heroes first, then the dungeon that fits them, then the village that fits both."""
        generator = Generator(seed, "heroes")
        keys = list(self.hero_hands)
        key = keys[generator.weighted([len(self.hero_hands[k]) * self.sums[k] for k in keys])]
        heroes = self.hero_hands[key][generator.below(len(self.hero_hands[key]))]
        generator = Generator(seed, "classes")
        row = self.rows[key]
        dungeon = list(row)[generator.weighted(list(row.values()))]
        hands = self.class_hands[dungeon[0]]
        classes = hands[generator.below(len(hands))]
        outcomes = self.outcomes[dungeon[1]]
        features = outcomes[Generator(seed, "features").weighted([w for _, w in outcomes])][0]
        return Drawn(
            classes=_ordered(self.space.classes.pool, classes),
            features=features,
            heroes=_ordered(self.space.heroes.pool, heroes),
            village=self.village.draw(self.unmet(key, dungeon), Generator(seed, "village")),
        )

    def chances(self) -> Chances:
        """The exact chance of every card."""
        columns = dict.fromkeys(self.dungeons, 0)
        start: dict[int, int] = {}
        heroes: dict[str, int] = {}
        for key, hands in self.hero_hands.items():
            for hand in hands:
                for card in hand:
                    heroes[card] = heroes.get(card, 0) + self.sums[key]
            for d, weight in self.rows[key].items():
                columns[d] += len(hands) * weight
                unmet = self.unmet(key, d)
                start[unmet] = start.get(unmet, 0) + len(hands) * self.dungeons[d]
        classes: dict[str, Fraction] = {}
        outcomes: list[tuple[Features, Fraction]] = []
        for (c, f), weight in columns.items():
            hands = self.class_hands[c]
            for hand in hands:
                for card in hand:
                    classes[card] = classes.get(card, Fraction(0)) + Fraction(weight, len(hands))
            whole = sum(w for _, w in self.outcomes[f])
            outcomes += [(outcome, Fraction(weight * w, whole)) for outcome, w in self.outcomes[f]]
        features: dict[str, Fraction] = {}
        for outcome, part in outcomes:
            for card in (*outcome.traps, *outcome.guardians):
                features[card] = features.get(card, Fraction(0)) + part
        village = self.village.weights(start)
        return {
            "classes": {card: classes.get(card, Fraction(0)) / self.total for card in self.space.classes.pool},
            "features": {card: part / self.total for card, part in features.items()},
            "heroes": {card: Fraction(heroes.get(card, 0), self.total) for card in self.space.heroes.pool},
            "village": {card: Fraction(village.get(card, 0), self.total) for card in self.space.village.pool},
        }


def _join(bits: dict[str, int], cards: Iterable[str]) -> int:
    joined = 0
    for card in cards:
        joined |= bits.get(card, 0)
    return joined


def _ordered(pool: tuple[str, ...], cards: Iterable[str]) -> tuple[str, ...]:
    chosen = set(cards)
    return tuple(card for card in pool if card in chosen)
