"""Preparation: every single step that is legal now, with its name (R4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from .changes import replace
from .facts import (
    BURNS_LIGHT,
    CARDS,
    COUNTS_AT_BATTLE,
    CURES,
    DRAWS,
    NOT_COVERED,
    ONE_MEAL,
    ONLY_OTHERS,
    RANKS,
    STRENGTHENS_OTHERS,
    NotCoveredError,
    is_hero,
    is_monster,
)
from .figures import health
from .hall import breach, first_of, held, may_be_moved, refill, send_under, without
from .opponents import borrowed_from, give_up, of_type, only_others
from .position import Position, Slot, called, destroy, discard, draw, mark, say, stands, untouched
from .village import conjured, recruited
from .weapons import equipping

Step = dict[str, Any]
Steps = Iterator[tuple[Step, Position]]


def steps(p: Position) -> Steps:
    """Each with its name: numbers for cards; under ``said`` what was chosen on the way, in the order of asking."""
    if p.over:
        return
    for card in sorted(p.hand - p.forgone):
        for label, q in (*equipping(p, card), *using(p, card)):
            yield {**label, "said": list(q.said)}, replace(q, said=())


def using(p: Position, card: int) -> Steps:
    name = p.name(card)

    def label(effect: int = 1, **more: Any) -> Step:
        return {"use": card, "effect": effect, **more}

    def fresh(effect: int = 1) -> bool:
        return (card, effect) not in p.used

    def food(victim: int) -> bool:
        return victim in p.hand and "food" in p.types(victim) and untouched(p, victim)

    if name in CURES:
        effect, cards, again = CURES[name]
        if again or fresh(effect):
            for victim in sorted(p.hand):
                if p.name(victim).startswith("disease"):
                    yield label(effect, destroy=victim), draw(destroy(mark(p, card, effect), victim), cards)
    if name in DRAWS and fresh(DRAWS[name][0]):
        effect, cards = DRAWS[name]
        yield label(effect), draw(mark(p, card, effect), cards)
    if name == "divine-prophet" and fresh(2):
        yield label(2), draw(mark(p, card, 2), 2 * len(p.monsters()))
    if name in COUNTS_AT_BATTLE and fresh():
        yield label(), mark(p, card, 1)
    if name in ONLY_OTHERS and fresh(ONLY_OTHERS[name]):
        yield label(ONLY_OTHERS[name]), only_others(mark(p, card, ONLY_OTHERS[name]), card)
    if name in ONE_MEAL and fresh():
        for victim in filter(food, sorted(p.hand)):
            q = destroy(mark(p, card, 1), victim)
            yield label(destroy=victim), replace(q, attack=tuple(sorted((*q.attack, (card, ONE_MEAL[name])))))
    if name == "outlands-slayer":
        for victim in filter(food, sorted(p.hand)):
            q = destroy(mark(p, card, 2), victim)
            yield label(2, destroy=victim), replace(q, attack=tuple(sorted((*q.attack, (card, 3)))))
    if name in BURNS_LIGHT:
        for victim in sorted(p.hand):
            if {"item", "light"} <= set(p.types(victim)) and untouched(p, victim):
                q = destroy(mark(p, card, 1), victim)
                yield label(destroy=victim), replace(q, magic=tuple(sorted((*q.magic, (card, BURNS_LIGHT[name])))))
    if name in STRENGTHENS_OTHERS and fresh():
        q = mark(p, card, 1)
        yield label(), replace(q, all_stronger=tuple(sorted((*q.all_stronger, (STRENGTHENS_OTHERS[name], card)))))
    if name == "thyrian-lord" and fresh():
        for victim in filter(food, sorted(p.hand)):
            q = destroy(mark(say(p, p.names[card], "destroy", called(p, victim)), card, 1), victim)
            taken = [n for n, slot in enumerate(q.hall) if may_be_moved(q, slot) and vp_of(slot) in (1, 2)]
            for index in taken:
                slot = q.hall[index]
                assert slot is not None
                r = replace(say(q, p.names[card], "take", stands(q, index + 1)), gained=(*q.gained, slot[0]))
                for after in send_under(r, index):
                    yield label(destroy=victim, take=slot[0]), after
            if not taken:
                yield label(destroy=victim), q
    if name == "elf-archmage" and fresh():
        yield from (({**label(), **sent}, q) for sent, q in sent_under(mark(p, card, 1), p.names[card]))
    if name in ("iron-rations", "goodberries") and fresh():
        for hero in p.heroes():
            q = mark(p, card, 1)
            if name == "iron-rations":
                yield label(on=hero), replace(q, stronger=tuple(sorted((*q.stronger, (hero, 2)))))
            else:
                q = replace(q, berries=q.berries | {hero})
                yield label(on=hero), replace(q, stronger=tuple(sorted((*q.stronger, (hero, 3)))))
    if name == "feast" and fresh():
        q = mark(p, card, 1)
        yield label(), replace(q, all_stronger=tuple(sorted((*q.all_stronger, (3, -1)))), all_attack=q.all_attack + 1)
    if name == "ambrosia" and fresh():
        q = mark(p, card, 1)
        q = replace(q, all_stronger=tuple(sorted((*q.all_stronger, (2, -1)))), all_attack=q.all_attack + 1)
        yield label(), replace(q, ambrosia=True)
    if name == "amulet-of-power" and fresh():
        q = mark(p, card, 1)
        yield label(), replace(q, all_stronger=tuple(sorted((*q.all_stronger, (3, -1)))))
    if name == "battle-fury" and fresh():
        q = mark(p, card, 1)
        yield label(), replace(q, fury=q.fury + 1)
    if name == "arcane-energies" and fresh():
        yield label(), draw(replace(mark(p, card, 1), arcane=True), 1)
    if name == "magical-aura" and fresh():
        yield label(), draw(replace(mark(p, card, 1), aura=True), 1)
    if name == "banish" and fresh():
        yield from banish(p, card)
    if name == "creeping-death" and fresh():
        for q in creep(mark(p, card, 1)):
            yield label(), q
    held_by = [h for w, h in p.holds if w == card]
    if name == "spear" and held_by and fresh():
        q = mark(p, card, 1)
        foreign = ("spear",) if card in q.passing | q.theirs else ()
        q = replace(q, hand=q.hand - {card}, thrown=q.thrown | {card}, foreign=(*q.foreign, *foreign))
        yield label(), replace(q, destroyed=tuple(sorted((*q.destroyed, "spear"))))
    if name == "short-bow" and held_by and fresh() and "archer" in p.types(held_by[0]):
        yield label(), mark(p, card, 1)
    if name == "magi-staff" and held_by:
        for sent, q in sent_under(destroy(p, card), name):
            yield {**label(), **sent}, draw(q, 1)
    yield from rarely_used(p, card)


def vp_of(slot: Slot | None) -> int | None:
    return CARDS[slot[0]].get("vp") if slot else None


def sent_under(p: Position, by: str) -> Steps:
    """A monster goes under the deck; where none may be moved nothing happens, and the rest is carried out."""
    movable = [index for index, slot in enumerate(p.hall) if may_be_moved(p, slot)]
    for index in movable:
        slot = p.hall[index]
        assert slot is not None
        yield from (({"bottom": slot[0]}, q) for q in send_under(say(p, by, "bottom", stands(p, index + 1)), index))
    if not movable:
        yield {}, p


def rarely_used(p: Position, card: int) -> Steps:
    name = p.name(card)
    fresh = (card, 1) not in p.used
    if name in NOT_COVERED:
        raise NotCoveredError(name)
    if name == "foresight-elixir" and fresh:
        q = mark(p, card, 1)
        for order in sorted(set(permutations(p.dungeon[:3]))):
            foreseen = replace(q, dungeon=(*order, *p.dungeon[3:]))
            yield {"use": card, "effect": 1, "top": list(order)}, draw(foreseen, 2)
    if name == "clay-golem" and (card, 0) not in p.used:
        for hero in p.heroes():
            q = mark(p, card, 0)
            yield {"use": card, "effect": 0, "on": hero}, replace(q, stronger=tuple(sorted((*q.stronger, (hero, 2)))))
    if name == "gohlen-hunter" and fresh:
        q = give_up(mark(p, card, 1), p.names[card], is_monster)
        q = replace(q, hunted=(*q.hunted, *((card, seat, monster) for seat, monster in q.given)))
        for monster in p.monsters():
            yield {"use": card, "effect": 1, "discard": monster}, discard(q, monster)
        if not p.monsters():
            yield {"use": card, "effect": 1}, q
    if name == "diin-beguiler" and fresh:
        yield from beguile(mark(p, card, 1), card)
    if name in ("selurin-theurge", "toryn-gladiator") and fresh:
        yield from lend(mark(p, card, 1), card)
    if name == "diin-enchanter" and fresh and p.village is not None:
        for militia in sorted(p.hand - p.borrowed):
            if "militia" in p.types(militia):
                q = discard(mark(p, card, 1), militia)
                for hero, r in recruited(q):
                    yield {"use": card, "effect": 1, "discard": militia, **hero}, r
    if name == "illusory-blade" and fresh and p.village is not None:
        for weapon, q in conjured(mark(p, card, 1)):
            yield {"use": card, "effect": 1, **weapon}, q


def beguile(p: Position, card: int) -> Steps:
    """A Militia becomes a copy of another hero (R4.10); without one, or without another hero, nothing happens."""
    militia = [h for h in p.heroes() if "militia" in p.types(h)]
    for copy in militia:
        models = [h for h in p.heroes() if h != copy and p.name(h) != "diin-beguiler"]
        for model in models:
            copied = tuple(sorted((*p.copied, (copy, p.name(model)))))
            yield {"use": card, "effect": 1, "militia": copy, "copy": model}, replace(p, copied=copied)
        if not models:
            yield {"use": card, "effect": 1, "militia": copy}, p
    if not militia:
        yield {"use": card, "effect": 1}, p


def lend(p: Position, card: int) -> Steps:
    """Every player discards a hero or a weapon; one of them may be borrowed, one's own too."""
    weapons = p.name(card) == "toryn-gladiator"
    kept = p.borrowed | p.passing
    label: Step = {"use": card, "effect": 1}
    fits = of_type("weapon") if weapons else is_hero
    fitting = [c for c in sorted(p.hand - kept) if ("weapon" in p.types(c) if weapons else is_hero(p.name(c)))]
    if not fitting:
        q = give_up(p, p.names[card], fits)
        yield label, q
        yield from (({**label, "borrow-from": whose}, r) for whose, r in borrowed_from(q, card, weapons=weapons))
    for given in fitting:
        q = give_up(discard(p, given), p.names[card], fits)
        yield {**label, "discard": given}, q
        others = borrowed_from(q, card, weapons=weapons)
        yield from (({**label, "discard": given, "borrow-from": whose}, r) for whose, r in others)
        left = list(q.discarded)
        left.remove(p.names[given])
        back = replace(q, hand=q.hand | {given}, borrowed=q.borrowed | {given}, discarded=tuple(left), aside=p.aside)
        if not weapons:
            yield {**label, "discard": given, "borrow": given}, back
        elif card in q.hand and (q.aura or q.figure(given, "weight") <= q.strength(card)):
            held = replace(back, holds=back.holds | {(given, card)}, armed=True)
            if p.names[given] == "cursed-mace":
                held = replace(held, gained=(*held.gained, "disease"))
            yield {**label, "discard": given, "borrow": given}, held


def banish(p: Position, card: int) -> Steps:
    """A monster under the deck or the hall in another order, then a card of the hand is destroyed and one drawn."""
    q, name = mark(p, card, 1), "banish"
    halls: list[tuple[Step, Position]] = []
    for index, slot in enumerate(p.hall):
        if may_be_moved(p, slot) and slot and not held(p, slot):
            sent = send_under(say(q, name, "bottom", stands(p, index + 1)), index)
            halls.extend(({"bottom": slot[0]}, r) for r in sent)
    for places in permutations(range(RANKS)):
        order = [p.hall[place] for place in places]
        if any(old != new and stays(p, old, new) for old, new in zip(p.hall, order, strict=True)):
            continue
        standing = [(*stands(p, place + 1), slot and slot[0]) for place, slot in zip(places, order, strict=True)]
        ordered = replace(say(q, name, "order", tuple(standing)), hall=tuple(order))
        halls.extend(({"order": [slot and slot[0] for slot in order]}, r) for r in breach(ordered, first_of(p)))
    for label, r in halls:
        if r.over:  # the game ends at once (R4.6)
            yield {"use": card, "effect": 1, **label}, r
            continue
        victims = [v for v in sorted(r.hand) if v == card or untouched(r, v)]
        for victim in victims:
            after = draw(destroy(say(r, name, "destroy", called(r, victim)), victim), 1)
            yield {"use": card, "effect": 1, **label, "destroy": victim}, after
        if not victims:
            yield {"use": card, "effect": 1, **label}, draw(r, 1)


def stays(p: Position, old: Slot | None, new: Slot | None) -> bool:
    """Would this order move an empty rank, or a monster that no spell may move?"""
    return old is None or new is None or held(p, old) or held(p, new)


def creep(p: Position) -> Iterator[Position]:
    """Creeping Death: every monster loses 2 Health, those at 0 or less come to the discard pile without XP."""

    def hurt(slot: Slot | None) -> Slot | None:
        if slot is None or not is_monster(slot[0]) or slot[0] == "fire-wrath":
            return slot
        return (slot[0], slot[1] + 2, slot[2])

    rank0 = [slot for slot in map(hurt, p.rank0) if slot]
    q = replace(p, hall=tuple(map(hurt, p.hall)), rank0=tuple(rank0))
    gone = [n for n, slot in enumerate(q.hall) if slot and may_be_moved(q, slot) and health(q, slot) <= 0]
    for index in gone:
        slot = q.hall[index]
        assert slot is not None
        q = replace(without(q, index), gained=(*q.gained, slot[0]))
    if all(q.hall):
        yield q
    else:
        yield from refill(q, first_of(p))
