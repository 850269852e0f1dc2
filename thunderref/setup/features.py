"""Which dungeon features come up (R1.2), counted exactly instead of tried out.

Turning monster randomizers until enough classes are out passes some question marks on the way; which classes come is
independent of how many. Every question mark then turns one card of the feature pile, and Choose Two stands for two
more features: the players choose, the generator draws (a reading of R1.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

from thunderref.setup.pools import GUARDIAN, PICK_TWO


@dataclass(frozen=True)
class Features:
    """What joins the monsters. ``traps`` are trap classes, ``guardians`` cards.

    ``pick_two``: Choose Two came up. ``short``: a guardian came up for which there is no card.
    """

    traps: tuple[str, ...] = ()
    guardians: tuple[str, ...] = ()
    pick_two: bool = False
    short: bool = False


Weighted = tuple[tuple[Features, int], ...]
"""Outcomes with whole-number weights."""


def question_mark_chances(wanted: int, classes: int, marks: int) -> list[Fraction]:
    """Chance of passing 0, 1, ... question marks before ``wanted`` of ``classes`` class randomizers are out."""
    whole = comb(classes + marks, marks)

    def ways(k: int) -> int:
        return comb(wanted - 1 + k, k) * comb(classes - wanted + marks - k, marks - k)

    return [Fraction(ways(k), whole) for k in range(marks + 1)]


def feature_outcomes(
    chances: list[Fraction], pile: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> Weighted:
    """All outcomes of the procedure.

    ``pile`` is the feature pile, ``traps`` the trap classes in it and ``guardians`` the guardian cards there are, each
    in the order of the pool.
    """
    found: dict[Features, Fraction] = {}
    for marks, chance in enumerate(chances):
        turned = min(marks, len(pile))
        hands = list(combinations(pile, turned))
        for hand in hands:
            for outcome, part in _settle(hand, traps, guardians):
                found[outcome] = found.get(outcome, Fraction(0)) + chance * part / len(hands)
    scale = lcm(*(f.denominator for f in found.values()))
    return tuple((outcome, int(f * scale)) for outcome, f in found.items() if f)


def _settle(
    hand: tuple[str, ...], traps: tuple[str, ...], guardians: tuple[str, ...]
) -> list[tuple[Features, Fraction]]:
    """What the turned feature cards come to; Choose Two after all others."""
    sets = [card for card in traps if card in hand]
    wanted = hand.count(GUARDIAN)
    if PICK_TWO not in hand:
        return _guarded(sets, wanted, traps, guardians, pick_two=False)
    left = [card for card in traps if card not in sets]
    left += [GUARDIAN] if len(guardians) > wanted else []
    picks = list(combinations(left, min(2, len(left))))
    return [
        (outcome, part / len(picks))
        for pick in picks
        for outcome, part in _guarded([*sets, *pick], wanted + pick.count(GUARDIAN), traps, guardians, pick_two=True)
    ]


def _guarded(
    sets: list[str], wanted: int, traps: tuple[str, ...], guardians: tuple[str, ...], *, pick_two: bool
) -> list[tuple[Features, Fraction]]:
    """The same with the guardian cards drawn."""
    ordered = tuple(card for card in traps if card in sets)
    hands = list(combinations(guardians, min(wanted, len(guardians))))
    short = wanted > len(guardians)
    return [(Features(ordered, hand, pick_two, short), Fraction(1, len(hands))) for hand in hands]
