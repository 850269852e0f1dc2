"""Dungeon features and their exact chances (R1.2): every question mark passed turns one card of the feature pile.

Choose Two stands for two more features: the players choose, the generator draws (a reading of R1.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from typing import NamedTuple

from thunderref.rng import open_stream
from thunderref.thunderstone.setup.catalogue import GUARDIAN, PICK_TWO


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


Weighted = Sequence[tuple[Features, int]]
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


def draw_features(outcomes: Weighted, seed: int) -> Features:
    return outcomes[open_stream(seed, "features").weighted([weight for _, weight in outcomes])][0]


def feature_chances(outcomes: Weighted) -> dict[str, Fraction]:
    weights: Counter[str] = Counter()
    for outcome, weight in outcomes:
        weights.update(dict.fromkeys(outcome.cards, weight))
    return shares(weights, weights, sum(weight for _, weight in outcomes))


def shares(weights: Mapping[str, int], cards: Iterable[str], whole: int) -> dict[str, Fraction]:
    return {card: Fraction(weights.get(card, 0), whole) for card in cards}
