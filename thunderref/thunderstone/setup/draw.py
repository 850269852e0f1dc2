"""The space of all set-ups that fit a request: whether it is empty, draws from it, and how likely each card is.

Without wishes that join several cards the kinds of cards are drawn apart, by the printed procedure. With them the
set-ups are counted, not tried: each that meets them stays as likely as the others, a draw always ends and its chances
are exact. Classes, heroes and features then matter only through the needs they raise and settle (bits) and the quotas
they help to fill; the village is counted card by card.

Features (R1.2): every question mark passed turns one card of the feature pile. Choose Two stands for two more: the
players choose, the generator draws (a reading of R1.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate, combinations, product
from math import comb, lcm
from typing import NamedTuple

from thunderref.rng import SplitMix64, open_stream
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO, in_order
from thunderref.thunderstone.setup.codes import Features
from thunderref.thunderstone.setup.needs import BYTE, Needs

Weighted = Sequence[tuple[Features, int]]
"""Outcomes with whole-number weights."""


MOST_GUARDIANS = 2
"""Ten cards of the dungeon deck are counted off for each guardian, and ten for the Thunderstone (R1.4)."""


def question_mark_chances(needed: int, classes: int, marks: int) -> list[Fraction]:
    """Chance of passing 0, 1, ... question marks before ``needed`` of ``classes`` class randomizers are out (R1.1)."""
    whole = comb(classes + marks, marks)
    ways = (comb(needed - 1 + k, k) * comb(classes - needed + marks - k, marks - k) for k in range(marks + 1))
    return [Fraction(n, whole) for n in ways]


def feature_outcomes(
    chances: list[Fraction], pile: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> Weighted:
    """All outcomes for the feature pile, its trap classes and the guardian cards."""
    probabilities: dict[Features, Fraction] = {}
    for marks, chance in enumerate(chances):
        hands = list(combinations(pile, min(marks, len(pile))))
        for hand in hands:
            for outcome, share in _settle(hand, traps, guardians):
                probabilities[outcome] = probabilities.get(outcome, Fraction(0)) + chance * share / len(hands)
    scale = lcm(*(f.denominator for f in probabilities.values()))
    return tuple((outcome, int(f * scale)) for outcome, f in probabilities.items() if f)


def _settle(
    hand: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> Iterator[tuple[Features, Fraction]]:
    guardian_marks = hand.count(GUARDIAN)
    picks: list[tuple[str, ...]] = [()]
    if PICK_TWO in hand:
        choices = [card for card in traps if card not in hand]
        choices += [GUARDIAN] if len(guardians) > guardian_marks else []
        picks = list(combinations(choices, min(2, len(choices))))
    for pick in picks:
        turned = tuple(card for card in traps if card in hand or card in pick)
        count = guardian_marks + pick.count(GUARDIAN)
        drawn = list(combinations(guardians, min(count, len(guardians), MOST_GUARDIANS)))
        for cards in drawn:
            outcome = Features(turned, cards, PICK_TWO in hand, count > len(guardians))
            yield outcome, Fraction(1, len(drawn) * len(picks))


def draw_features(outcomes: Weighted, seed: int) -> Features:
    return outcomes[open_stream(seed, "features").weighted([weight for _, weight in outcomes])][0]


def feature_chances(outcomes: Weighted) -> dict[str, Fraction]:
    weights = Counter[str]()
    for outcome, weight in outcomes:
        weights.update(dict.fromkeys(outcome.cards, weight))
    return shares(weights, weights, sum(weight for _, weight in outcomes))


def shares(weights: Mapping[str, int], cards: Iterable[str], whole: int) -> dict[str, Fraction]:
    return {card: Fraction(weights.get(card, 0), whole) for card in cards}


MOST = 127
"""The largest number in a byte of lanes: its highest bit is kept free. No game has that many cards to draw from."""
Lanes = int
"""A number for each need and each quota, a byte each, so that all are compared at once."""
Hands = list[tuple[str, ...]]
Chances = dict[str, dict[str, Fraction]]
"""Kind (``classes``, ``features``, ``heroes``, ``village``) -> card -> chance of being in the set-up."""


class Quota(NamedTuple):
    """Demand that ``minimum`` of ``cards`` are in: classes, trap classes, guardians, families, village cards."""

    minimum: int
    cards: frozenset[str]


class Drawn(NamedTuple):
    """The cards of one set-up, each kind in the order of its pool."""

    classes: tuple[str, ...]
    features: Features
    heroes: tuple[str, ...]
    village: tuple[str, ...]


class Counted:
    """All set-ups of these cards that meet the needs, if any, and the quotas.

    Lanes are what cards add up to: 1 for each need they raise, and how far they fill each quota. The cards of the
    village are decided one after another.
    """

    def __init__(self, kinds: Mapping[str, Slots], features: Weighted, needs: Needs | None, quotas: tuple[Quota, ...]):
        self.kinds, self.village = kinds, kinds["village"]
        settles, raises = (needs.settles, needs.raises) if needs else (Counter[str](), Counter[str]())
        units = [1 << BYTE * k for k in range((len(needs.needs) if needs else 0) + len(quotas))]
        of_quotas, fills = units[len(units) - len(quotas) :], Counter[str]()
        for unit, quota in zip(of_quotas, quotas, strict=True):
            fills.update(dict.fromkeys(quota.cards, unit))
        self.always = needs.always if needs else 0
        self.needs = sum(units) - sum(of_quotas)
        self.quota_lanes = sum(unit * min(MOST, quota.minimum) for unit, quota in zip(of_quotas, quotas, strict=True))
        self.guard = sum(units) * (MOST + 1)
        quotas_of = {card: [k for k, quota in enumerate(quotas) if card in quota.cards] for card in self.village.pool}
        self.cards = sorted(self.village.open, key=lambda card: (not quotas_of[card], quotas_of[card]))
        self.free = self.village.count - len(self.village.required)
        gives, worth = settles + fills, raises + fills
        self.gives = [gives[card] for card in self.cards]
        self.ahead = [*accumulate(reversed(self.gives), initial=0)][::-1]
        """What the cards from each place on can still give."""
        self.village_ways = cache(self._count_villages)
        self._capped = cache(self._cap)
        self.had = self._sum_lanes(gives, self.village.required)
        self.class_hands: dict[Lanes, Hands] = {}
        for hand in kinds["classes"].hands():
            self.class_hands.setdefault(self._sum_lanes(worth, hand), []).append(hand)
        self.hero_hands: dict[tuple[Lanes, Lanes], Hands] = {}
        for hand in kinds["heroes"].hands():
            self.hero_hands.setdefault((self._sum_lanes(worth, hand), self._sum_lanes(settles, hand)), []).append(hand)
        self.features: dict[Lanes, list[tuple[Features, int]]] = {}
        for outcome, weight in features:
            self.features.setdefault(self._sum_lanes(worth, outcome.cards), []).append((outcome, weight))
        self.feature_weights = {lanes: sum(w for _, w in outcomes) for lanes, outcomes in self.features.items()}
        self.dungeons = Counter[Lanes]()
        for classes, hands in self.class_hands.items():
            for feature_lanes, weight in self.feature_weights.items():
                self.dungeons[self._capped(classes + feature_lanes)] += len(hands) * weight
        self.sums = {
            heroes: sum(weight * self.ways(heroes, dungeon) for dungeon, weight in self.dungeons.items())
            for heroes in self.hero_hands
        }
        self.total = sum(len(hands) * self.sums[heroes] for heroes, hands in self.hero_hands.items())

    def _cap(self, lanes: Lanes) -> Lanes:
        """The same, but a need is raised once only, and a quota not filled beyond what it asks for."""
        return lanes - self.less(lanes, self.needs + self.quota_lanes)

    def _sum_lanes(self, worth: Mapping[str, Lanes], cards: Iterable[str]) -> Lanes:
        return self._capped(sum([worth[card] for card in cards if card in worth]))

    def lack(self, heroes: tuple[Lanes, Lanes], dungeon: Lanes) -> Lanes:
        """The needs and the quotas that are left to the village."""
        (party, meets), less = heroes, self.less
        both = self._capped(party + dungeon)
        lack = ((self.always | both) & self.needs) + less(self.quota_lanes, both & ~self.needs)
        return less(less(lack, meets), self.had)

    def ways(self, heroes: tuple[Lanes, Lanes], dungeon: Lanes) -> int:
        """The number of villages that fit these heroes and this dungeon."""
        return self.village_ways(0, self.free, self.lack(heroes, dungeon))

    def _count_villages(self, i: int, free: int, lack: Lanes) -> int:
        """The selections of ``free`` village cards, from place ``i`` on, that make up for a lack."""
        remaining = len(self.cards) - i
        if free > remaining or free < 0:
            return 0
        if not lack:
            return comb(remaining, free)
        if not free or self.less(lack, self.ahead[i]) or self.less(lack, (self.guard >> 7) * free):
            return 0
        return self.village_ways(i + 1, free - 1, self.less(lack, self.gives[i])) + self.village_ways(i + 1, free, lack)

    def less(self, some: Lanes, amounts: Lanes) -> Lanes:
        """Each number of ``some`` less that of ``amounts``, at least 0."""
        names = (some | self.guard) - amounts
        fits = names & self.guard
        return names & (fits - (fits >> 7))

    def _draw_village(self, lack: Lanes, random: SplitMix64) -> tuple[str, ...]:
        free, cards = self.free, set(self.village.required)
        for i, card in enumerate(self.cards):
            after = free - 1, self.less(lack, self.gives[i])
            with_it = self.village_ways(i + 1, *after)
            if with_it and random.below(with_it + self.village_ways(i + 1, free, lack)) < with_it:
                cards.add(card)
                free, lack = after
        return in_order(cards, self.village.pool)

    def _weigh_villages(self, start: Mapping[Lanes, int]) -> Counter[str]:
        """Number of selections with each card, over all lack -> weight of ``start``."""
        states = Counter({(self.free, lack): weight for lack, weight in start.items()})
        whole = sum(weight * self.village_ways(0, *key) for key, weight in states.items())
        counts = Counter(dict.fromkeys(self.village.required, whole))
        for i, card in enumerate(self.cards):
            after = Counter[tuple[int, Lanes]]()
            for (free, lack), weight in states.items():
                rest_ways = free - 1, self.less(lack, self.gives[i])
                if ways := self.village_ways(i + 1, *rest_ways):
                    counts[card] += weight * ways
                    after[rest_ways] += weight
                if self.village_ways(i + 1, free, lack):
                    after[free, lack] += weight
            states = after
        return counts

    def draw(self, seed: int) -> Drawn:
        random = open_stream(seed, "heroes")
        keys = list(self.hero_hands)
        key = keys[random.weighted([len(self.hero_hands[k]) * self.sums[k] for k in keys])]
        heroes = self.hero_hands[key][random.below(len(self.hero_hands[key]))]
        random = open_stream(seed, "classes")
        row = [
            len(hands)
            * sum(
                w * self.ways(key, self._capped(class_lanes + feature_lanes))
                for feature_lanes, w in self.feature_weights.items()
            )
            for class_lanes, hands in self.class_hands.items()
        ]
        class_lanes = [*self.class_hands][random.weighted(row)]
        classes = self.class_hands[class_lanes][random.below(len(self.class_hands[class_lanes]))]
        counts = {
            feature_lanes: self.ways(key, self._capped(class_lanes + feature_lanes)) for feature_lanes in self.features
        }
        counts = counts if len(counts) > 1 else dict.fromkeys(counts, 1)
        fitting = [
            (o, weight * counts[feature_lanes])
            for feature_lanes, outcomes in self.features.items()
            for o, weight in outcomes
        ]
        features = draw_features(fitting, seed)
        joined = next(feature_lanes for feature_lanes, outcomes in self.features.items() if features in dict(outcomes))
        lack = self.lack(key, self._capped(class_lanes + joined))
        village = self._draw_village(lack, open_stream(seed, "village"))
        classes, heroes = in_order(classes, self.kinds["classes"].pool), in_order(heroes, self.kinds["heroes"].pool)
        return Drawn(classes=classes, features=features, heroes=heroes, village=village)

    def chances(self) -> Chances:
        """A group of hands, or of features, has the weight of all set-ups with it, shared by its members."""
        start, whole = Counter[Lanes](), Counter[tuple[str, object]]()
        for (key, hands), class_lanes, feature_lanes in product(
            self.hero_hands.items(), self.class_hands, self.features
        ):
            lack = self.lack(key, self._capped(class_lanes + feature_lanes))
            dungeons = len(hands) * len(self.class_hands[class_lanes]) * self.feature_weights[feature_lanes]
            setups = dungeons * self.village_ways(0, self.free, lack)
            start[lack] += dungeons
            drawn_groups = ("heroes", key), ("classes", class_lanes), ("features", feature_lanes)
            whole.update(dict.fromkeys(drawn_groups, setups))
        weights = {"classes": Counter[str](), "heroes": Counter[str](), "village": self._weigh_villages(start)}
        for kind, groups in (("classes", self.class_hands.items()), ("heroes", self.hero_hands.items())):
            for group, hands in groups:
                for hand in hands:
                    weights[kind].update(dict.fromkeys(hand, whole[kind, group] // len(hands)))
        likely = [
            (outcome, whole["features", feature_lanes] * weight // self.feature_weights[feature_lanes])
            for feature_lanes, outcomes in self.features.items() for outcome, weight in outcomes
        ]  # fmt: skip
        chances = {kind: shares(weights[kind], slots.pool, self.total) for kind, slots in self.kinds.items()}
        return chances | {"features": feature_chances(likely)}


DRAWN_APART = ("classes", "heroes", "village")
"""The kinds that are drawn apart, each from the stream of its name."""


@dataclass(frozen=True)
class Slots:
    """Cards of one kind: how many to draw from ``pool`` (in its order), the ``required`` ones included."""

    count: int
    pool: tuple[str, ...]
    required: frozenset[str] = frozenset()

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(card for card in self.pool if card not in self.required)

    @property
    def possible(self) -> bool:
        return self.required <= set(self.pool) and len(self.required) <= self.count <= len(self.pool)

    def draw(self, random: SplitMix64) -> tuple[str, ...]:
        return in_order({*self.required, *random.sample(self.open, self.count - len(self.required))}, self.pool)

    def chances(self) -> dict[str, Fraction]:
        cards = self.open
        chance = Fraction(self.count - len(self.required), len(cards)) if cards else Fraction(0)
        return {card: Fraction(1) if card in self.required else chance for card in self.pool}

    def hands(self) -> Iterator[tuple[str, ...]]:
        """Every selection, each in the order of drawing: the required cards first."""
        required = in_order(self.required, self.pool)
        return (required + selection for selection in combinations(self.open, self.count - len(required)))


@dataclass(frozen=True)
class Space:
    """All fitting set-ups: slots of the ``kinds`` drawn apart, fitting ``features``, ``needs`` if ``balanced``."""

    kinds: Mapping[str, Slots]
    features: Weighted
    needs: Needs | None = None
    quotas: tuple[Quota, ...] = ()

    @property
    def possible(self) -> bool:
        slots = all(slots.possible for slots in self.kinds.values())
        return slots and bool(self.features) and (self.counted is None or self.counted.total > 0)

    def draw(self, seed: int) -> Drawn:
        """The set-up of a seed; ValueError if the space is empty."""
        if self.counted is not None:
            return self.counted.draw(seed)
        cards = {kind: slots.draw(open_stream(seed, kind)) for kind, slots in self.kinds.items()}
        return Drawn(features=draw_features(self.features, seed), **cards)

    def chances(self) -> Chances:
        if self.counted is not None:
            return self.counted.chances()
        chances = {kind: slots.chances() for kind, slots in self.kinds.items()}
        return chances | {"features": feature_chances(self.features)}

    @cached_property
    def counted(self) -> Counted | None:
        is_bound = self.needs is not None or self.quotas
        return Counted(self.kinds, self.features, self.needs, self.quotas) if is_bound else None
