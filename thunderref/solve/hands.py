"""Hands off a shuffled deck: how many there are, each with its probability, and what to expect of the next one (R2.1).

A deck that runs out in the middle of a draw is made anew from the discard pile, the cards of the turn that ends among
it, and the draw goes on (R2.2): what was left of the deck is then in the hand for certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

HAND = 6


class Deal(NamedTuple):
    """A hand to be drawn: the cards that come for certain, ``drawn`` more out of ``pool``, and the rest.

    ``pile`` is the discard pile once the hand is drawn; what is left of ``pool`` is the deck.
    """

    certain: tuple[str, ...]
    pool: tuple[str, ...]
    drawn: int
    pile: tuple[str, ...]
    reshuffled: bool = False


def next_deal(deck: Sequence[str], pile: Sequence[str], hand: Sequence[str], size: int = HAND) -> Deal:
    """The draw at the end of a turn: off the deck, then off the discard pile and the hand shuffled together."""
    spent = (*pile, *hand)
    if len(deck) >= size:
        return Deal((), tuple(sorted(deck)), size, tuple(sorted(spent)))
    count = min(size - len(deck), len(spent))
    return Deal(tuple(sorted(deck)), tuple(sorted(spent)), count, (), reshuffled=bool(spent))


def hands_of(deal: Deal) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every different hand with its probability."""
    counts = sorted(Counter(deal.pool).items())
    total = comb(len(deal.pool), deal.drawn)

    def pick(
        place: int, left: int, room: int, ways: int, taken: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], int]]:
        if left == 0:
            yield taken, ways
            return
        card, copies = counts[place]
        room -= copies
        for k in range(max(0, left - room), min(copies, left) + 1):
            yield from pick(place + 1, left - k, room, ways * comb(copies, k), (*taken, *[card] * k))

    for taken, ways in pick(0, deal.drawn, len(deal.pool), 1, ()):
        yield tuple(sorted((*deal.certain, *taken))), Fraction(ways, total)


def number_of_hands(deal: Deal) -> int:
    """How many different hands there are."""
    ways = [1] + [0] * deal.drawn
    for copies in Counter(deal.pool).values():
        ways = [sum(ways[size - k] for k in range(min(copies, size) + 1)) for size in range(deal.drawn + 1)]
    return ways[deal.drawn]


def left_in(deal: Deal, hand: Iterable[str]) -> tuple[str, ...]:
    """The deck once ``hand`` was drawn."""
    left = Counter(deal.pool) + Counter(deal.certain)
    left.subtract(hand)
    return tuple(sorted(left.elements()))


def at_least_one(deal: Deal, cards: Iterable[str]) -> Fraction:
    """The chance to draw at least one of these cards."""
    wanted = set(cards)
    if wanted & set(deal.certain):
        return Fraction(1)
    others = sum(card not in wanted for card in deal.pool)
    return 1 - Fraction(comb(others, deal.drawn), comb(len(deal.pool), deal.drawn))


def expected(deal: Deal, cards: Iterable[str]) -> Fraction:
    """How many of these cards the hand holds on average."""
    wanted = set(cards)
    sure = sum(card in wanted for card in deal.certain)
    if not deal.pool:
        return Fraction(sure)
    return sure + Fraction(deal.drawn * sum(card in wanted for card in deal.pool), len(deal.pool))
