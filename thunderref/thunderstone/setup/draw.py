"""The space of all set-ups that fit a request: whether it is empty, draws from it, and how likely each card is.

Without ``balanced`` the kinds of cards are drawn apart, by the printed procedure. With it every set-up that meets the
requirements stays as likely as the others: counted, not tried, so that the draw always ends and its chances are exact.
So are those of the dungeon features (R1.2): every question mark passed turns one card of the feature pile. Choose Two
stands for two more features: the players choose, the generator draws (a reading of R1.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from itertools import combinations
from math import comb, lcm
from operator import or_
from typing import NamedTuple

from thunderref.rng import SplitMix64, open_stream
from thunderref.thunderstone.setup.balance import Needs
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO

DRAWN_APART = ("classes", "heroes", "village")
"""The kinds that are drawn apart, each from the stream of its name."""


def in_order(cards: Iterable[str], pool: tuple[str, ...]) -> tuple[str, ...]:
    chosen = set(cards)
    return tuple(card for card in pool if card in chosen)


class Features(NamedTuple):
    """What joins the monsters: trap classes, guardian cards.

    ``pick_two``: Choose Two came up. ``short``: a guardian came up without a card left for it.
    """

    traps: tuple[str, ...] = ()
    guardians: tuple[str, ...] = ()
    pick_two: bool = False
    short: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.traps, *self.guardians)

    @property
    def names(self) -> set[str]:
        return {*self.cards, *((GUARDIAN,) if self.guardians else ()), *((PICK_TWO,) if self.pick_two else ())}


Weighted = tuple[tuple[Features, int], ...]
"""Outcomes with whole-number weights."""


def question_mark_chances(wanted: int, classes: int, marks: int) -> list[Fraction]:
    """Chance of passing 0, 1, ... question marks before ``wanted`` of ``classes`` class randomizers are out (R1.1)."""
    whole = comb(classes + marks, marks)
    ways = (comb(wanted - 1 + k, k) * comb(classes - wanted + marks - k, marks - k) for k in range(marks + 1))
    return [Fraction(n, whole) for n in ways]


def feature_outcomes(
    chances: list[Fraction], pile: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> Weighted:
    """All outcomes for the feature pile, its trap classes and the guardian cards."""
    found: dict[Features, Fraction] = {}
    for marks, chance in enumerate(chances):
        hands = list(combinations(pile, min(marks, len(pile))))
        for hand in hands:
            for outcome, part in _settle(hand, traps, guardians):
                found[outcome] = found.get(outcome, Fraction(0)) + chance * part / len(hands)
    scale = lcm(*(f.denominator for f in found.values()))
    return tuple((outcome, int(f * scale)) for outcome, f in found.items() if f)


def _settle(
    hand: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> Iterator[tuple[Features, Fraction]]:
    wanted = hand.count(GUARDIAN)
    picks: list[tuple[str, ...]] = [()]
    if PICK_TWO in hand:
        left = [card for card in traps if card not in hand]
        left += [GUARDIAN] if len(guardians) > wanted else []
        picks = list(combinations(left, min(2, len(left))))
    for pick in picks:
        turned = tuple(card for card in traps if card in hand or card in pick)
        count = wanted + pick.count(GUARDIAN)
        drawn = list(combinations(guardians, min(count, len(guardians))))
        for cards in drawn:
            outcome = Features(turned, cards, PICK_TWO in hand, count > len(guardians))
            yield outcome, Fraction(1, len(drawn) * len(picks))


@dataclass(frozen=True)
class Slots:
    """Cards of one kind: how many to draw from ``pool`` (in its order), the ``given`` ones included."""

    count: int
    pool: tuple[str, ...]
    given: frozenset[str] = frozenset()

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(card for card in self.pool if card not in self.given)

    @property
    def possible(self) -> bool:
        return self.given <= set(self.pool) and len(self.given) <= self.count <= len(self.pool)

    def draw(self, random: SplitMix64) -> tuple[str, ...]:
        return in_order({*self.given, *random.sample(self.open, self.count - len(self.given))}, self.pool)

    def chances(self) -> dict[str, Fraction]:
        cards = self.open
        chance = Fraction(self.count - len(self.given), len(cards)) if cards else Fraction(0)
        return {card: Fraction(1) if card in self.given else chance for card in self.pool}

    def hands(self) -> Iterator[tuple[str, ...]]:
        """Every selection, each in the order of drawing: the given cards first."""
        given = in_order(self.given, self.pool)
        return (given + rest for rest in combinations(self.open, self.count - len(given)))


class Drawn(NamedTuple):
    """The cards of one set-up, each kind in the order of its pool."""

    classes: tuple[str, ...]
    features: Features
    heroes: tuple[str, ...]
    village: tuple[str, ...]


Chances = dict[str, dict[str, Fraction]]
"""Kind (``classes``, ``features``, ``heroes``, ``village``) -> card -> chance of being in the set-up."""


@dataclass(frozen=True)
class Space:
    """All fitting set-ups; ``features`` are the fitting outcomes, ``needs`` is None without ``balanced``."""

    classes: Slots
    features: Weighted
    heroes: Slots
    village: Slots
    needs: Needs | None = None

    @property
    def drawn_apart(self) -> dict[str, Slots]:
        return {kind: getattr(self, kind) for kind in DRAWN_APART}

    @property
    def possible(self) -> bool:
        slots = all(slots.possible for slots in self.drawn_apart.values())
        return slots and bool(self.features) and (self.counted is None or self.counted.total > 0)

    def draw(self, seed: int) -> Drawn:
        """The set-up of a seed; ValueError if the space is empty."""
        if self.counted is not None:
            return self.counted.draw(seed)
        cards = {kind: slots.draw(open_stream(seed, kind)) for kind, slots in self.drawn_apart.items()}
        return Drawn(features=draw_features(self.features, seed), **cards)

    def chances(self) -> Chances:
        if self.counted is not None:
            return self.counted.chances()
        chances = {kind: slots.chances() for kind, slots in self.drawn_apart.items()}
        return chances | {"features": feature_chances(self.features)}

    @cached_property
    def counted(self) -> Counted | None:
        return Counted(self, self.needs) if self.needs else None


class VillageCount:
    """Counts the selections of village cards that meet a set of needs (bits), by cards decided one after another."""

    def __init__(self, slots: Slots, gives: dict[str, int]) -> None:
        self.slots = slots
        self.cards = slots.open
        self.bits = [gives[card] for card in self.cards]
        self.free = slots.count - len(slots.given)
        self.had = _join(gives, slots.given)
        self.ways = cache(self._ways)

    def _ways(self, i: int, free: int, unmet: int) -> int:
        left = len(self.bits) - i
        if free > left or free < 0:
            return 0
        if not unmet:
            return comb(left, free)
        if not free:
            return 0
        return self.ways(i + 1, free - 1, unmet & ~self.bits[i]) + self.ways(i + 1, free, unmet)

    def draw(self, unmet: int, random: SplitMix64) -> tuple[str, ...]:
        free, taken = self.free, set(self.slots.given)
        for i, card in enumerate(self.cards):
            with_it = self.ways(i + 1, free - 1, unmet & ~self.bits[i])
            if with_it and random.below(with_it + self.ways(i + 1, free, unmet)) < with_it:
                taken.add(card)
                free -= 1
                unmet &= ~self.bits[i]
        return in_order(taken, self.slots.pool)

    def weights(self, start: Mapping[int, int]) -> dict[str, int]:
        """Number of selections with each card, over all ``unmet`` -> weight of ``start``."""
        states: Counter[tuple[int, int]] = Counter()
        for unmet, weight in start.items():
            states[self.free, unmet] += weight
        found = dict.fromkeys(self.slots.given, sum(w * self.ways(0, *key) for key, w in states.items()))
        for i, card in enumerate(self.cards):
            after: Counter[tuple[int, int]] = Counter()
            found[card] = 0
            for (free, unmet), weight in states.items():
                taken = (free - 1, unmet & ~self.bits[i])
                found[card] += weight * self.ways(i + 1, *taken)
                if free:
                    after[taken] += weight
                after[free, unmet] += weight
            states = after
        return found


class Counted:
    """A balanced space: classes and heroes matter only through the bits of the needs they raise and settle."""

    def __init__(self, space: Space, needs: Needs) -> None:
        self.space = space
        self.needs = needs
        self.village = VillageCount(space.village, needs.village)
        self.class_hands: dict[int, list[tuple[str, ...]]] = {}
        for hand in space.classes.hands():
            self.class_hands.setdefault(_join(needs.classes, hand), []).append(hand)
        self.hero_hands: dict[tuple[int, int], list[tuple[str, ...]]] = {}
        for hand in space.heroes.hands():
            key = (_join(needs.hero_wants, hand), _join(needs.hero_meets, hand))
            self.hero_hands.setdefault(key, []).append(hand)
        features = sum(weight for _, weight in space.features)  # they need nothing
        self.dungeons = {wants: len(hands) * features for wants, hands in self.class_hands.items()}
        ways, free = self.village.ways, self.village.free
        self.rows = {
            key: {wants: weight * ways(0, free, self.unmet(key, wants)) for wants, weight in self.dungeons.items()}
            for key in self.hero_hands
        }
        self.sums = {key: sum(row.values()) for key, row in self.rows.items()}
        self.total = sum(len(hands) * self.sums[key] for key, hands in self.hero_hands.items())

    def unmet(self, heroes: tuple[int, int], classes: int) -> int:
        wants, meets = heroes
        return (self.needs.always | wants | classes) & ~meets & ~self.village.had

    def draw(self, seed: int) -> Drawn:
        random = open_stream(seed, "heroes")
        keys = list(self.hero_hands)
        key = keys[random.weighted([len(self.hero_hands[k]) * self.sums[k] for k in keys])]
        heroes = self.hero_hands[key][random.below(len(self.hero_hands[key]))]
        random = open_stream(seed, "classes")
        row = self.rows[key]
        wants = list(row)[random.weighted(list(row.values()))]
        classes = self.class_hands[wants][random.below(len(self.class_hands[wants]))]
        return Drawn(
            classes=in_order(classes, self.space.classes.pool),
            features=draw_features(self.space.features, seed),
            heroes=in_order(heroes, self.space.heroes.pool),
            village=self.village.draw(self.unmet(key, wants), open_stream(seed, "village")),
        )

    def chances(self) -> Chances:
        classes: Counter[str] = Counter()
        heroes: Counter[str] = Counter()
        start: Counter[int] = Counter()
        with_each: Counter[int] = Counter()
        for key, hands in self.hero_hands.items():
            for hand in hands:
                heroes.update(dict.fromkeys(hand, self.sums[key]))
            for wants, weight in self.rows[key].items():
                start[self.unmet(key, wants)] += len(hands) * self.dungeons[wants]
                with_each[wants] += len(hands) * weight // len(self.class_hands[wants])
        for wants, hands in self.class_hands.items():
            for hand in hands:
                classes.update(dict.fromkeys(hand, with_each[wants]))
        return {
            "classes": _shares(classes, self.space.classes.pool, self.total),
            "features": feature_chances(self.space.features),
            "heroes": _shares(heroes, self.space.heroes.pool, self.total),
            "village": _shares(self.village.weights(start), self.space.village.pool, self.total),
        }


def draw_features(outcomes: Weighted, seed: int) -> Features:
    return outcomes[open_stream(seed, "features").weighted([weight for _, weight in outcomes])][0]


def feature_chances(outcomes: Weighted) -> dict[str, Fraction]:
    weights: Counter[str] = Counter()
    for outcome, weight in outcomes:
        weights.update(dict.fromkeys(outcome.cards, weight))
    return _shares(weights, weights, sum(weight for _, weight in outcomes))


def _shares(weights: Mapping[str, int], cards: Iterable[str], whole: int) -> dict[str, Fraction]:
    return {card: Fraction(weights.get(card, 0), whole) for card in cards}


def _join(bits: dict[str, int], cards: Iterable[str]) -> int:
    return reduce(or_, (bits[card] for card in cards), 0)
