"""What gold can buy: every affordable combination of purchases, and the best that a sum of gold is worth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from thunderref.thunderstone.resolve.result import BuyOption
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Visit, tops
from thunderref.thunderstone.rules.village import UNCOUNTED

MOST_OPTIONS = 5000
"""Combinations listed at most, the best first."""


class Market:
    """The stacks of a visit, as they stand before anything is bought."""

    def __init__(self, game: Game, visit: Visit) -> None:
        self.game = game
        self.left = {card: left for card, left in visit.offer if left}
        by_cost = sorted(self.left, key=lambda card: (-game.cards[card].cost, card))
        on_top = tops(game.cards, visit.offer)
        self.on_top = [card for card in by_cost if card in on_top]
        specs = {card: game.cards[card] for card in by_cost}
        self.above = {
            card: [
                (other, left)
                for other, left in self.left.items()
                if specs[other].family == spec.family and 0 < specs[other].level < spec.level
            ]
            for card, spec in specs.items()
        }
        self.cards = [card for card in by_cost if all(left != UNCOUNTED for _, left in self.above[card])]
        """Cards that can be bought at all: on top, or under cards that can be bought first."""
        self._known: dict[tuple[str, int, int], dict[int, int]] = {}

    def options(self, gold: int, buys: int, after: tuple[str, ...]) -> Iterator[BuyOption]:
        """Every combination that ``gold`` pays for, the dearest first, then the one worth more VP, then the shorter.

        At most :data:`MOST_OPTIONS` and one of each sum, enough to see that there are too many. ``after`` are further
        purchases that open once a card of that type is bought (R3.3).
        """
        for total in range(gold, -1, -1):
            found = (self._option(cards, gold, buys, after) for cards in self._costing(total, 0, buys + len(after)))
            listed = islice((option for option in found if option is not None), MOST_OPTIONS + 1)
            yield from sorted(listed, key=lambda option: (-option.vp, len(option.buy), option.buy))

    def _costing(self, total: int, start: int, most: int) -> Iterator[tuple[str, ...]]:
        # the multisets of at most ``most`` cards from ``start`` on that cost exactly ``total``
        if most < 1:
            return
        for place in range(start, len(self.cards)):
            card = self.cards[place]
            cost = self.game.cards[card].cost
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

    def _option(self, cards: tuple[str, ...], gold: int, buys: int, after: tuple[str, ...]) -> BuyOption | None:
        specs = self.game.cards
        if any(cards.count(other) != left for card in set(cards) for other, left in self.above[card]):
            return None  # not on top, and not all cards on it are bought
        if len(cards) > buys:
            opened = sum(any(kind in specs[card].types for card in cards) for kind in after)
            if len(cards) > buys + opened:
                return None
            cards = tuple(sorted(cards, key=lambda card: not specs[card].types & set(after)))
        if not all(card in self.on_top for card in cards):
            cards = tuple(sorted(cards, key=lambda card: specs[card].level))
        cost, vp = sum(specs[card].cost for card in cards), sum(specs[card].vp or 0 for card in cards)
        return BuyOption(buy=list(cards), cost=cost, left=gold - cost, vp=vp)

    def best(self, gold: int, buys: int, after: tuple[str, ...]) -> tuple[int, int]:
        """The highest cost and, apart from it, the most VP that ``gold`` buys from the tops of the stacks."""
        dearest = richest = 0
        for kind, most in (("", buys), *((kind, buys + after.count(kind)) for kind in set(after))):
            for cost, vp in self._reach(kind, most, gold).items():
                dearest, richest = max(dearest, cost), max(richest, vp)
        return dearest, richest

    def _reach(self, kind: str, most: int, gold: int) -> dict[int, int]:
        """Cost -> the most VP of at most ``most`` cards that cost exactly that, one of them of ``kind`` if given."""
        key = (kind, most, gold)
        if key not in self._known:
            # by (number of cards, a card of the kind is there): cost -> VP
            table: dict[tuple[int, bool, int], int] = {(0, not kind, 0): 0}
            for card in self.on_top:
                spec = self.game.cards[card]
                copies = self.left[card] if self.left[card] != UNCOUNTED else most
                for (n, has, cost), vp in list(table.items()):
                    for k in range(1, min(copies, most - n) + 1):
                        if cost + k * spec.cost > gold:
                            break
                        place = (n + k, has or kind in spec.types, cost + k * spec.cost)
                        worth = vp + k * (spec.vp or 0)
                        if worth > table.get(place, -1):
                            table[place] = worth
            reach = self._known[key] = {}
            for (_, has, cost), vp in table.items():
                if has:
                    reach[cost] = max(vp, reach.get(cost, vp))
        return self._known[key]
