"""What the village gives in a turn in the dungeon: a hero, a weapon, and what spoils buy (R6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from .changes import replace
from .facts import CARDS, is_hero
from .position import Position, Stock
from .weapons import equipping

STACKED = ("hero", "village", "basic")


def offered(p: Position) -> list[str]:
    """The cards on top of the stacks (R3.3): of a family of heroes only the lowest level."""
    assert p.village is not None
    return on_top(p.village)


def on_top(stock: Stock) -> list[str]:
    there = [card for card, left in stock if left]
    return [card for card in there if not CARDS[card].get("level") or CARDS[card]["level"] == lowest(card, there)]


def lowest(card: str, there: list[str]) -> int:
    family = [CARDS[other] for other in there if CARDS[other].get("family") == CARDS[card].get("family")]
    return min(int(fact["level"]) for fact in family if fact.get("level"))


def fetched(p: Position, name: str) -> Position:
    """A card out of the village, for this battle."""
    names = (*p.names, name)
    new = len(names) - 1
    stock = sold(p.village or (), name)
    return replace(p, names=names, hand=p.hand | {new}, passing=p.passing | {new}, village=stock)


def recruited(p: Position) -> Iterator[tuple[dict[str, Any], Position]]:
    """Diin Enchanter's hero; without one on offer nothing more happens."""
    heroes = [card for card in offered(p) if is_hero(card)]
    yield from (({"recruit": hero}, fetched(p, hero)) for hero in heroes)
    if not heroes:
        yield {}, p


def conjured(p: Position) -> Iterator[tuple[dict[str, Any], Position]]:
    """Illusory Blade's weapon in the hand of a hero who may hold it; without one nothing happens."""
    found = False
    for weapon in offered(p):
        if "weapon" in CARDS[weapon].get("types", []):
            for label, q in equipping(fetched(p, weapon), len(p.names)):
                found = True
                yield {"draw": weapon, "to": label["to"]}, q
    if not found:
        yield {}, p


def sold(stock: Stock, card: str) -> Stock:
    """One copy is gone, if anybody counts them (R6.4)."""
    return tuple((name, left - (name == card and left > 0)) for name, left in stock)


def razed(p: Position) -> Position:
    """The Archduke's breach: the top two cards of every stack of heroes are destroyed, those of the Militia too."""
    stock = p.village or ()
    for _ in range(2):
        for hero in filter(is_hero, on_top(stock)):
            stock = sold(stock, hero)
    return p if p.village is None else replace(p, village=stock)


# --- spoils ---


@dataclass(frozen=True)
class Right:
    """One purchase after the victory: by whose spoils, of which type ("" any), with how much gold."""

    card: str
    kind: str
    gold: int
    stock: Stock | None = None

    def buys(self, card: str) -> bool:
        fact = CARDS[card]
        fits = self.kind in fact.get("types", []) if self.kind else fact["kind"] in STACKED
        return fits and fact["cost"] <= self.gold

    def options(self) -> list[str]:
        return [card for card in on_top(self.stock or ()) if self.buys(card)]


def may_buy(p: Position, rights: list[Right], bought: list[str]) -> bool:
    """R6.4: there is some way to give each purchase a right of its own."""
    if len(bought) > len(rights) or any(CARDS[card]["kind"] not in STACKED for card in bought):
        return False
    stock = p.village
    for card in bought if stock is not None else ():
        if card not in on_top(stock or ()):
            return False
        stock = sold(stock or (), card)
    return any(
        all(right.buys(card) for right, card in zip(way, bought, strict=True))
        for way in permutations(rights, len(bought))
    )
