"""The end of the game: what decks are worth, and who wins (R7.2, R7.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thunderref.database.operations import VpPerCopy
from thunderref.thunderstone.rules.cards import Cards

PENALTY_VP = 1  # VP that a penalty card costs (R9.6)


class Holding(NamedTuple):
    """Equal cards of a deck and what they are worth together."""

    card: str
    copies: int
    vp: int


class Standing(NamedTuple):
    """A player at the end: victory points, and whether they hold a Thunderstone."""

    vp: int
    stone: bool


def is_horde(cards: Cards, card: str) -> bool:
    """True for a card worth as many VP as there are cards like it; not for a placeholder (R1.3)."""
    return any(isinstance(op, VpPerCopy) for op in cards[card].end_of_game)


def holdings(cards: Cards, deck: Iterable[str]) -> tuple[Holding, ...]:
    """The cards of a deck, hand and discard pile included, with their VP; in the order of first appearance."""
    counts, families = Counter(deck), Counter[str]()
    for card, n in counts.items():
        if is_horde(cards, card):
            families[cards[card].family] += n
    rows = []
    for card, n in counts.items():
        spec = cards[card]
        alike = [min(op.most, families[spec.family]) for op in spec.end_of_game if isinstance(op, VpPerCopy)]
        rows.append(Holding(card, n, n * (alike[0] if alike else spec.vp or 0)))
    return tuple(rows)


def worth(cards: Cards, card: str, owned: Iterable[str]) -> int:
    """The VP that one more copy of the card counts beside those owned: of a Horde card, how many there then are."""
    return next(holding.vp // holding.copies for holding in holdings(cards, (*owned, card)) if holding.card == card)


def points(owned: Iterable[Holding], penalties: int = 0) -> int:
    """The score of a deck less its penalty cards; it may be negative."""
    return sum(holding.vp for holding in owned) - PENALTY_VP * penalties


def winners(standings: Sequence[Standing]) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Who wins, who was tied for it, and how a tie was settled: places in ``standings``, and a word.

    "" if nobody was tied, ``stone`` if one of them holds a Thunderstone, ``stones`` if several share, else ``shared``.
    """
    top_vp = max(standing.vp for standing in standings)
    tied = tuple(place for place, standing in enumerate(standings) if standing.vp == top_vp)
    if len(tied) == 1:
        return tied, tied, ""
    holders = tuple(place for place in tied if standings[place].stone)
    if not holders:
        return tied, tied, "shared"
    return holders, tied, "stone" if len(holders) == 1 else "stones"


def game_points(scores: Sequence[int], winner: int) -> list[int]:
    """Game points by player (R9.4): one for every player beaten or tied with, one more for ``winner`` (from 1)."""
    return [sum(other <= score for other in scores) - 1 + (i == winner) for i, score in enumerate(scores, start=1)]


def champions(total: Sequence[int], stones: Sequence[int]) -> tuple[int, ...]:
    """Who wins an odyssey, by the game points of all games; a tie goes to the ``stones``, each one's dearest (R9.4)."""
    results = [*zip(total, stones, strict=True)]
    return tuple(place for place, mine in enumerate(results) if mine == max(results))
