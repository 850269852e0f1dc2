"""The odds, where the cards of the deck are known and their order is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .battle import Battle
from .changes import replace
from .facts import NotCoveredError
from .position import Position
from .preparation import steps
from .turn import begin, fights


def chances(scenario: dict[str, Any], deck: list[str]) -> dict[str, tuple[Fraction, Fraction]]:
    """By monster of the hall: the chance to beat it, and the highest total to be expected, with best play.

    After every draw the player sees the card and decides anew.
    """
    start = replace(begin(scenario), shuffled=tuple(sorted(deck)))
    ruleset = scenario.get("ruleset", "print")
    found = {}
    for name in (slot[0] for slot in start.hall if slot):
        wins = expectation(start, lambda p, foe=name: Fraction(wins_now(p, foe, ruleset)))
        totals = expectation(start, lambda p, foe=name: Fraction(total_now(p, foe, ruleset)))
        found[name] = (wins, totals)
    return found


def expectation(start: Position, now: Callable[[Position], Fraction]) -> Fraction:
    known: dict[Position, Fraction] = {}

    def value(p: Position) -> Fraction:
        if p.over:
            return Fraction(0)
        if p not in known:
            known[p] = by_chance(p) if p.pending else max((now(p), *(value(after) for _, after in steps(p))))
        return known[p]

    def by_chance(p: Position) -> Fraction:
        if not p.shuffled:
            raise NotCoveredError("the deck is empty")
        total = Fraction(0)
        for card, copies in Counter(p.shuffled).items():
            left = list(p.shuffled)
            left.remove(card)
            names = (*p.names, card)
            hand = p.hand | {len(names) - 1}
            after = replace(p, names=names, hand=hand, shuffled=tuple(left), pending=p.pending - 1)
            total += Fraction(copies, len(p.shuffled)) * value(after)
        return total

    return value(start)


def against(p: Position, monster: str, ruleset: str) -> Iterator[Battle]:
    for fight in fights(p, ruleset):
        if fight.foe == monster and not fight.barred():
            yield from fight.ways()


def wins_now(p: Position, monster: str, ruleset: str) -> bool:
    return any(battle.victory for battle in against(p, monster, ruleset))


def total_now(p: Position, monster: str, ruleset: str) -> int:
    return max((battle.total for battle in against(p, monster, ruleset)), default=0)
