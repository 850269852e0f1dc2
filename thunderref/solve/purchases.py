"""What gold can buy: every affordable combination of purchases, and the best that a sum of gold is worth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from thunderref.engine.state import Table
from thunderref.engine.visit import UNCOUNTED, Visit
from thunderref.engine.world import tops

MOST_OPTIONS = 5000
"""More combinations than this are not listed: the best ones are."""


class Option(NamedTuple):
    """Cards that may be bought together, in the order of buying."""

    cards: tuple[str, ...]
    cost: int
    vp: int


class Market:
    """The stacks of a visit, as they stand before anything is bought."""

    def __init__(self, table: Table, visit: Visit) -> None:
        self.table = table
        self.left = {card: left for card, left in visit.offer if left}
        by_cost = sorted(self.left, key=lambda card: (-table.book[card].cost, card))
        on_top = tops(table.book, visit.offer)
        self.on_top = [card for card in by_cost if card in on_top]
        self.above = {card: self._above(card) for card in by_cost}
        self.cards = [card for card in by_cost if all(left != UNCOUNTED for _, left in self.above[card])]
        """What can be bought at all: on top, or under stacks that can be bought up."""
        self._known: dict[tuple[str, int, int], list[int | None]] = {}

    def options(self, gold: int, buys: int, after: tuple[str, ...]) -> Iterator[Option]:
        """Every combination that ``gold`` pays for, the dearest first, then the one worth more VP, then the shorter.

        Of one sum no more than :data:`MOST_OPTIONS` and one are given, which is enough to see that there are too many.
        ``after`` are further purchases that open once a card of that type is bought (R3.3).
        """
        for total in range(gold, -1, -1):
            found = (self._option(cards, buys, after) for cards in self._costing(total, 0, buys + len(after)))
            listed = islice((option for option in found if option is not None), MOST_OPTIONS + 1)
            yield from sorted(
                listed,
                key=lambda option: (-option.vp, len(option.cards), option.cards),
            )

    def _costing(self, total: int, start: int, most: int) -> Iterator[tuple[str, ...]]:
        """The multisets of at most ``most`` cards from ``start`` on that cost exactly ``total``."""
        if most < 1:
            return
        for place in range(start, len(self.cards)):
            card = self.cards[place]
            cost = self.table.book[card].cost
            if cost > total:
                continue
            if cost * most < total:  # cards are sorted by cost: what follows is cheaper still
                return
            copies = self.left[card] if self.left[card] != UNCOUNTED else most
            for n in range(1, min(copies, most) + 1):
                rest = total - n * cost
                if rest < 0:
                    break
                if rest == 0:
                    yield (card,) * n
                for others in self._costing(rest, place + 1, most - n):
                    yield (*(card,) * n, *others)

    def _option(self, cards: tuple[str, ...], buys: int, after: tuple[str, ...]) -> Option | None:
        book = self.table.book
        if not all(self._uncovered(card, cards) for card in set(cards)):
            return None
        opening = [card for card in cards if book[card].types & set(after)]
        if len(cards) > buys:
            opened = sum(any(kind in book[card].types for card in cards) for kind in after)
            if len(cards) > buys + opened:
                return None
            rest = list(cards)
            for card in opening:
                rest.remove(card)
            cards = (*opening, *rest)
        if not all(card in self.on_top for card in cards):
            cards = tuple(sorted(cards, key=lambda card: book[card].level))
        return Option(cards, sum(book[card].cost for card in cards), sum(book[card].vp or 0 for card in cards))

    def _above(self, card: str) -> list[tuple[str, int]]:
        """The lower levels of the family that lie on the card, with how many are left."""
        book, spec = self.table.book, self.table.book[card]
        return [
            (other, left)
            for other, left in self.left.items()
            if book[other].family == spec.family and 0 < book[other].level < spec.level
        ]

    def _uncovered(self, card: str, cards: tuple[str, ...]) -> bool:
        """True if the card is on top, or gets there by buying what lies on it."""
        return all(cards.count(other) == left for other, left in self.above[card])

    def best(self, gold: int, buys: int, after: tuple[str, ...]) -> tuple[int, int]:
        """The highest cost and, apart from it, the most VP that ``gold`` buys from the tops of the stacks."""
        dearest = richest = 0
        for kind, most in (("", buys), *((kind, buys + after.count(kind)) for kind in set(after))):
            reach = self._reach(kind, most, gold)
            for cost, vp in enumerate(reach):
                if vp is not None:
                    dearest, richest = max(dearest, cost), max(richest, vp)
        return dearest, richest

    def _reach(self, kind: str, most: int, gold: int) -> list[int | None]:
        """By cost, the most VP of at most ``most`` cards that cost just that; with ``kind`` one of them is of it."""
        key = (kind, most, gold)
        if key not in self._known:
            # by (number of cards, a card of the kind is there): cost -> VP
            table: dict[tuple[int, bool, int], int] = {(0, not kind, 0): 0}
            for card in self.on_top:
                spec = self.table.book[card]
                copies = self.left[card] if self.left[card] != UNCOUNTED else most
                for (n, has, cost), vp in list(table.items()):
                    for k in range(1, min(copies, most - n) + 1):
                        if cost + k * spec.cost > gold:
                            break
                        place = (n + k, has or kind in spec.types, cost + k * spec.cost)
                        worth = vp + k * (spec.vp or 0)
                        if worth > table.get(place, -1):
                            table[place] = worth
            reach: list[int | None] = [None] * (gold + 1)
            for (_, has, cost), vp in table.items():
                known = reach[cost]
                if has and (known is None or vp > known):
                    reach[cost] = vp
            self._known[key] = reach
        return self._known[key]
