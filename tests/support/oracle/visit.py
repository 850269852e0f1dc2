"""A second adjudicator of the village, as plain as that of the dungeon: every order of effects is played out (R3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .changes import replace
from .facts import CARDS, is_hero
from .position import Position, called, destroy, discard, draw, mark
from .turn import counted, first_print, under
from .village import STACKED, on_top, sold

GOES = {"barkeep": 2, "pawnbroker": 2, "trainer": 2, "blacksmith": 2}
"""Villagers whose second effect destroys themselves for so much gold."""
FOR_DISEASE = {"divine-healer": 1, "divine-prophet": 2}
LEVEL_1 = 3
"""XP for which a Militia becomes a hero of level 1 (R3.5)."""


@dataclass(frozen=True)
class Visit:
    """The village between two steps of one turn."""

    p: Position
    xp: int
    players: int
    opponents: tuple[str | None, int | None]  # the hero that Tavern Brawl turns up, the gold that Tax Collector takes
    made: int = 0  # gold of effects
    extra: int = 0
    smiths: int = 0  # purchases that a weapon opens
    on_deck: tuple[int, ...] = ()
    drawn: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()
    phase: str = "use"
    gold: int = 0  # R3.2, from the first purchase on
    bought: tuple[str, ...] = ()

    def worth(self) -> int:
        return self.made + sum(self.p.figure(card, "gold") for card in self.p.hand)

    def buys(self) -> int:
        return 1 + self.extra + (self.smiths if any(map(is_weapon, self.bought)) else 0)


Steps = Iterator[tuple[dict[str, Any], Visit]]


def is_weapon(card: str) -> bool:
    return "weapon" in CARDS[card].get("types", [])


def everything() -> list[str]:
    return [card for card, fact in CARDS.items() if fact["kind"] in STACKED and not card.endswith("-wrath")]


def arrive(document: dict[str, Any]) -> Visit:
    offers = document.get("stacks")
    stock = tuple(sorted((name, left) for left, name in map(counted, everything() if offers is None else offers)))
    hand = tuple(map(first_print, document["hand"]))
    deck = tuple(map(first_print, document.get("deck") or ()))
    known = document.get("opponents") or {}
    position = Position(
        hand, frozenset(range(len(hand))), deck, (None,) * 3, (), (), 20, village=stock, **under(document)
    )
    opponents = (known.get("brawl_hero"), known.get("discarded_gold"))
    return Visit(position, document.get("xp") or 0, document.get("players") or 2, opponents)


# --- effects (R3.1) ---


def uses(v: Visit) -> Steps:
    if v.phase != "use":
        return
    for card in sorted(v.p.hand):
        name = v.p.names[card]
        for effect in (1, 2):
            if (card, effect) not in v.p.used:
                start = replace(v, p=mark(v.p, card, effect))
                yield from (
                    (({"use": card, "effect": effect, **said}, w)) for said, w in used(start, card, name, effect)
                )


def used(v: Visit, card: int, name: str, effect: int) -> Steps:
    p = v.p

    def goes(**more: Any) -> Visit:
        return replace(v, p=destroy(p, card), **more)

    def each(fits: Callable[[int], bool]) -> list[int]:
        return [c for c in sorted(p.hand) if fits(c)]

    def hero(c: int) -> bool:
        return is_hero(p.names[c])

    what = (name, effect)
    if what == ("barkeep", 1):
        yield {}, replace(v, extra=v.extra + 1)
    elif effect == 2 and name == "blacksmith":
        w = goes(made=v.made + 2)
        for c in each(hero):
            yield {"hero": c}, topped(w, c)
        if not each(hero):
            yield {}, w
    elif effect == 2 and name in GOES:
        yield {}, goes(made=v.made + GOES[name])
    elif what == ("pawnbroker", 1):
        for c in each(lambda c: CARDS[p.names[c]].get("gold") is not None):
            yield {"destroy": c}, replace(v, p=destroy(p, c), made=v.made + 3 + p.figure(c, "gold"))
    elif what == ("town-guard", 1):
        yield {}, drawn(v, 2)
    elif what == ("town-guard", 2):
        yield {}, drawn(goes(), 3)
    elif what == ("trainer", 1):
        for c in each(lambda c: "militia" in p.types(c)):
            yield {"destroy": c}, replace(v, p=destroy(p, c), xp=v.xp + 2)
    elif what == ("blacksmith", 1):
        yield {}, drawn(replace(v, smiths=v.smiths + 1), 1)
    elif what == ("sage", 1):
        for c in each(lambda c: True):
            yield {"destroy": c}, replace(v, p=destroy(p, c), xp=v.xp + (not hero(c)))
    elif what == ("sage", 2):
        yield {}, goes(made=v.made + len(each(hero)))
    elif what == ("tavern-brawl", 1):
        other = v.opponents[0]
        for c in each(hero):
            won = other is not None and p.strength(c) > (CARDS[other].get("strength") or 0)
            w = replace(v, xp=v.xp + won, opponents=(None, v.opponents[1]))  # the next one nobody knows
            yield {"discard": c}, replace(w, p=discard(p, c), unknown=v.unknown | ({name} if other is None else set()))
    elif what == ("tavern-brawl", 2):
        for c in each(hero):
            w = goes()
            yield {"destroy": c}, replace(w, p=destroy(w.p, c))
    elif what == ("tax-collector", 1):
        yield {}, replace(v, made=v.made + v.players)
    elif what == ("tax-collector", 2):  # what the others give up to another one nobody knows
        taken = v.opponents[1]
        open_ = v.unknown | ({name} if taken is None else set())
        yield {}, goes(made=v.made + (taken or 0), unknown=open_, opponents=(v.opponents[0], None))
    elif effect == 1 and name in FOR_DISEASE:
        for c in each(lambda c: p.names[c] == "disease"):
            yield {"destroy": c}, drawn(replace(v, p=destroy(p, c)), FOR_DISEASE[name])
    elif what == ("divine-chaplain", 1):
        yield {}, drawn(v, 1)
    elif what == ("divine-prophet", 2):
        yield {}, drawn(v, 2 * len(p.monsters()))
    elif effect == 1 and name in ("gangland-thug", "gangland-heavy"):
        yield {}, replace(v, made=v.made + len(each(hero)) - 1)


def drawn(v: Visit, count: int) -> Visit:
    """Who was put on the deck comes back first, and is the card he was (R2.4)."""
    again = v.on_deck[:count]
    p = replace(v.p, hand=v.p.hand | set(again), deck=v.p.deck[len(again) :])
    q = draw(p, count - len(again))
    new = [q.names[card] for card in (*again, *sorted(q.hand - p.hand))]
    return replace(v, p=q, on_deck=v.on_deck[len(again) :], drawn=(*v.drawn, *new))


def topped(v: Visit, card: int) -> Visit:
    """The Blacksmith's hero lies on the deck."""
    p = replace(v.p, hand=v.p.hand - {card}, deck=(v.p.names[card], *v.p.deck))
    return replace(v, p=p, on_deck=(card, *v.on_deck))


# --- purchases and levels (R3.2 to R3.5) ---


def purchases(v: Visit) -> Steps:
    if v.phase in ("use", "buy"):
        w = v if v.phase == "buy" else replace(v, phase="buy", gold=v.worth())
        for card in on_top(w.p.village or ()):
            price = CARDS[card].get("cost") or 0
            if len(w.bought) < w.buys() and price <= w.gold:
                p = replace(w.p, village=sold(w.p.village or (), card), gained=(*w.p.gained, card))
                yield {"buy": card}, replace(w, p=p, gold=w.gold - price, bought=(*w.bought, card))


def rises(v: Visit) -> Steps:
    w = replace(v, phase="level", gold=v.worth() if v.phase == "use" else v.gold)
    stock = w.p.village or ()
    for card in sorted(v.p.hand):
        name = v.p.names[card]
        for to, left in stock:
            if left and is_hero(name) and follows(name, to) and price_of(name) <= v.xp:
                p = replace(destroy(w.p, card), village=sold(stock, to))
                p = replace(p, gained=(*p.gained, to))
                yield {"level_up": card, "to": to}, replace(w, p=p, xp=v.xp - price_of(name))


def price_of(name: str) -> int:
    return LEVEL_1 if name == "militia" else CARDS[name].get("level_cost") or 99


def follows(name: str, to: str) -> bool:
    """Is ``to`` the next level of this hero? For a Militia any hero of level 1 is."""
    now, then = CARDS[name], CARDS[to]
    if name == "militia":
        return then["kind"] == "hero" and then.get("level") == 1
    return bool(now.get("family")) and now.get("family") == then.get("family") and then["level"] == now["level"] + 1


def baskets(v: Visit) -> dict[tuple[str, ...], int]:
    """Everything that can be bought together, in whatever order, and what it costs."""
    found: dict[tuple[str, ...], int] = {}
    seen = set()
    waiting = [replace(v, phase="buy", gold=v.worth()) if v.phase == "use" else v]
    while waiting:
        w = waiting.pop()
        key = (tuple(sorted(w.bought)), w.buys())
        if key in seen:
            continue
        seen.add(key)
        if w.bought:
            found[key[0]] = sum(CARDS[card].get("cost") or 0 for card in w.bought)
        waiting += [after for _, after in purchases(w)]
    return found


def ends(v: Visit) -> list[Visit]:
    """Every way in which effects can be used, whatever the order."""
    seen, waiting = {v}, [v]
    while waiting:
        for _, w in uses(waiting.pop()):
            if w not in seen:
                seen.add(w)
                waiting.append(w)
    return list(seen)


# --- plans ---


def words(v: Visit, key: str, value: Any) -> tuple[Any, ...]:
    """What a plan may write there: a copy by its number, or the first one left by its name."""
    return (value,) if key in ("effect", "buy", "to") else called(v.p, value)


def taken(v: Visit, step: dict[str, Any]) -> list[Visit]:
    """The visit after one step of a plan in every way that it leaves open; none if the step is not legal."""
    kinds = uses(v) if "use" in step else purchases(v) if "buy" in step else rises(v)
    wanted = {"effect": 1, **step} if "use" in step else step
    return [
        w
        for label, w in kinds
        if all(key in label and value in words(v, key, label[key]) for key, value in wanted.items())
    ]
