"""A second adjudicator of the dungeon turn, slow and plain, to check the first one with.

It shares nothing with the package but the printed figures in db/cards. Every order of every choice is played out by
recursion; the only economy is that a position reached twice in exactly the same shape is looked at once, and
``every_order=True`` switches even that off.

What it cannot judge raises ``NotCoveredError``. Cards of other players are unknown, as everywhere.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

DB = Path(__file__).parents[2] / "db" / "cards"
CARDS: dict[str, dict[str, Any]] = {
    card["id"]: {**card, "set": path.stem}
    for path in sorted(DB.glob("*.toml"))
    for card in tomllib.loads(path.read_text("utf-8"))["card"]
}

# What a monster card in the revealed hand gives: Attack, Magic Attack, Light.
TROPHIES = {
    "the-unchained": (0, 1, 0),
    "uyril-unending": (0, 1, 0),
    "tyxr-the-old": (0, 2, 0),
    "ebon-fume": (3, 0, 0),
    "pegasus": (1, 0, 0),
    "griffon": (0, 1, 0),
    "sphinx": (0, 2, 0),
    "red-jelly": (0, 0, 1),
    "fire-wrath": (0, 0, 1),
    "steam-torment": (1, 0, 0),
}
LIGHT_PENALTY = {"lord-mortis": 1, "darkness": 1, "knightmare": 2, "blink-dog": 1}
WEAKENS = {"suffering": 2, "judgement": 2, "the-prince": 2, "ghost": 2, "revenant": 4}
TORMENTS = ("smoke-torment", "lava-torment", "shadow-torment", "blood-torment")
INFECTS = {"the-unchained": 1, "deadbone-troll": 1, "famine": 1, "kingdom": 1, "suffering": 1, "lord-of-death": 2}
GOLEMS = {"bronze-golem": 4, "clay-golem": 5, "stone-golem": 6, "iron-golem": 7, "colossus": 8}
MAGIC_IMMUNE = ("ebon-fume", "colossus")
MAGIC_ONLY = ("sphinx", "smoke-torment", "shadow-torment")
MAGIC_HALVED = ("noxious-slag", "iron-golem")
MAGIC_NEEDED = ("archduke-of-pain", "revenant", "earth-wrath")
HALVED_WITHOUT_MAGIC = ("succubus", "uyril-unending", "ghost")

# Heroes with one plain number.
FROM_AFAR = {"amazon-archer": 2, "amazon-huntress": 3, "amazon-queen": 4}
EDGED_BONUS = {"dwarf-guardian": 3, "dwarf-janissary": 4, "dwarf-sentinel": 5}
ONE_MEAL = {"outlands-warrior": 3, "thyrian-squire": 2, "thyrian-knight": 2}
BURNS_LIGHT = {"blind-neophyte": 3, "blind-monk": 4}
CURES = {  # which of the dungeon effects turns a Disease into cards: number, cards drawn, may be repeated
    "chalice-quester": (1, 1, True),
    "chalice-defender": (3, 1, True),
    "regian-cleric": (1, 1, True),
    "regian-priest": (2, 1, True),
    "regian-bishop": (2, 1, True),
    "divine-healer": (1, 1, False),
    "divine-prophet": (1, 2, False),
}
DRAWS = {  # number of the effect, cards drawn
    "chalice-defender": (2, 1),
    "chalice-paladin": (1, 1),
    "regian-priest": (1, 1),
    "regian-bishop": (1, 2),
    "divine-chaplain": (2, 1),
    "runespawn-siren": (2, 1),
}
COUNTS_AT_BATTLE = (  # effect 1 is a promise that is read when the battle begins
    "chalice-defender",
    "outlands-slayer",
    "outlands-khan",
    "divine-chaplain",
    "gangland-crook",
    "gohlen-trapper",
    "gohlen-tracker",
    "clan-sergeant",
    "clan-commander",
    "clan-champion",
)
ONLY_OTHERS = {  # effects that do nothing to the owner or to what he knows: their number
    "lorigg-rogue": 1,
    "lorigg-outlaw": 1,
    "redblade-poisoner": 1,
    "redblade-assassin": 1,
    "gangland-heavy": 1,
    "runespawn-witch": 2,
}
STRENGTHENS_OTHERS = {"runespawn-adept": 2, "runespawn-siren": 3, "runespawn-witch": 4}
CLAN = {"clan-sergeant": 1, "clan-commander": 2, "clan-champion": 3}
NOT_COVERED = ("horde-placeholder",)

Key = tuple[str, int]


class NotCoveredError(Exception):
    """The oracle does not know this card or situation."""


@dataclass(frozen=True)
class Position:
    """The table between two steps of preparation. Cards are numbers; ``names`` says what they are."""

    names: tuple[str, ...]
    hand: frozenset[int]
    deck: tuple[str, ...]
    hall: tuple[tuple[str, int, int] | None, ...]  # name ("?" unknown), Health lost, a number of its own
    rank0: tuple[tuple[str, int, int], ...]
    dungeon: tuple[str, ...]
    entered: int
    unknown: int = 0
    destroyed: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    gained: tuple[str, ...] = ()
    used: frozenset[tuple[int, int]] = frozenset()
    holds: frozenset[tuple[int, int]] = frozenset()  # weapon, hero
    spent: frozenset[int] = frozenset()  # weapons whose hero is gone: a weapon is equipped once (R4.3)
    thrown: frozenset[int] = frozenset()
    stronger: tuple[tuple[int, int], ...] = ()  # hero, Strength
    all_stronger: tuple[tuple[int, int], ...] = ()  # Strength, hero left out (-1: nobody)
    attack: tuple[tuple[int, int], ...] = ()  # hero, Attack
    magic: tuple[tuple[int, int], ...] = ()  # hero, Magic Attack
    all_attack: int = 0
    berries: frozenset[int] = frozenset()
    arcane: bool = False
    aura: bool = False
    ambrosia: bool = False
    forgone: frozenset[int] = frozenset()
    borrowed: frozenset[int] = frozenset()
    passing: frozenset[int] = frozenset()  # out of the village for this battle only
    village: tuple[str, ...] | None = None
    copied: tuple[tuple[int, str], ...] = ()  # a Militia and what it counts as
    shuffled: tuple[str, ...] | None = None  # the deck where only its cards are known, not their order
    pending: int = 0  # draws from it that are still to come
    shown: bool = False  # an Elixir kept a trap away, a benefit of a spell (R5.1)
    over: bool = False

    def name(self, card: int) -> str:
        """What the card counts as."""
        return dict(self.copied).get(card, self.names[card]) if self.copied else self.names[card]

    def types(self, card: int) -> list[str]:
        return CARDS[self.name(card)].get("types", [])

    def figure(self, card: int, key: str) -> int:
        return CARDS[self.name(card)].get(key) or 0

    def heroes(self) -> list[int]:
        return [c for c in sorted(self.hand) if is_hero(self.names[c])]

    def monsters(self) -> list[int]:
        return [c for c in sorted(self.hand) if CARDS[self.names[c]]["kind"] in ("monster", "guardian")]

    def shields(self) -> list[int]:
        """Each Foresight Elixir in hand keeps traps away, unless its benefit is forgone."""
        return [c for c in sorted(self.hand) if self.names[c] == "foresight-elixir" and c not in self.forgone]

    def weapons_of(self, hero: int) -> list[int]:
        return sorted(w for w, h in self.holds if h == hero)

    def strength(self, hero: int) -> int:
        own = self.figure(hero, "strength") + sum(n for h, n in self.stronger if h == hero)
        return own + sum(n for n, but in self.all_stronger if but != hero)


def is_hero(name: str) -> bool:
    return CARDS[name]["kind"] == "hero" or "hero" in CARDS[name].get("types", [])


# --- moving cards ---


def draw(p: Position, count: int) -> Position:
    if p.shuffled is not None:
        return replace(p, pending=p.pending + count)
    for _ in range(count):
        if p.deck:
            names = (*p.names, p.deck[0])
            p = replace(p, names=names, hand=p.hand | {len(names) - 1}, deck=p.deck[1:])
        else:
            p = replace(p, unknown=p.unknown + 1)
    return p


def take_from_hand(p: Position, card: int) -> Position:
    """The card leaves; a weapon it held falls from its hands for good."""
    return replace(
        p,
        hand=p.hand - {card},
        spent=p.spent | set(p.weapons_of(card)),
        holds=frozenset((w, h) for w, h in p.holds if card not in (w, h)),
    )


def destroy(p: Position, card: int) -> Position:
    return replace(take_from_hand(p, card), destroyed=tuple(sorted((*p.destroyed, p.names[card]))))


def discard(p: Position, card: int) -> Position:
    return replace(take_from_hand(p, card), discarded=tuple(sorted((*p.discarded, p.names[card]))))


def untouched(p: Position, card: int) -> bool:
    """R4.2: no dungeon effect of its own has been used."""
    return all(c != card for c, _ in p.used)


def mark(p: Position, card: int, effect: int) -> Position:
    return replace(p, used=p.used | {(card, effect)})


# --- the hall ---


def may_be_moved(p: Position, slot: tuple[str, int, int] | None) -> bool:
    if slot is None or slot[0] == "?" or CARDS[slot[0]]["kind"] != "monster":
        return False
    return not holds_everyone(p)


def held(p: Position, slot: tuple[str, int, int]) -> bool:
    """A monster that no spell may move (R6.8, R5.5); a stone and an unknown card are none."""
    if slot[0] == "?" or CARDS[slot[0]]["kind"] not in ("monster", "guardian"):
        return False
    return slot[0] == "fire-wrath" or not may_be_moved(p, slot)


def holds_everyone(p: Position) -> bool:
    return any(slot and slot[0] == "steam-torment" for slot in (*p.hall, *p.rank0))


def refill(p: Position, first: int) -> Iterator[Position]:
    """Before any refill a held Claymore may take a monster, once each (R6.5); then new cards, then a breach.

    ``first``: number of the monster that stood at rank 1.
    """
    yield from turn_up(p, first)
    for weapon, _ in sorted(p.holds):
        if p.name(weapon) == "claymore" and (weapon, 1) not in p.used:
            for index, slot in enumerate(p.hall):
                if slot and may_be_moved(p, slot) and CARDS[slot[0]].get("vp") in (1, 2):
                    hall = tuple(None if n == index else s for n, s in enumerate(p.hall))
                    q = replace(mark(p, weapon, 1), hall=hall, gained=(*p.gained, slot[0]))
                    yield from refill(q, first)


def turn_up(p: Position, first: int) -> Iterator[Position]:
    """Close the gaps and fill the hall up, spring the traps on the way, then breach."""
    hall = [slot for slot in p.hall if slot]
    traps = []
    while len(hall) < 3:
        if not p.dungeon:
            hall.append(("?", 0, p.entered))
            p = replace(p, entered=p.entered + 1)
            continue
        card = p.dungeon[0]
        p = replace(p, dungeon=p.dungeon[1:], entered=p.entered + 1)
        if card == "horde-placeholder":
            hall.append(("?", 0, p.entered))
        elif CARDS[card]["kind"] == "trap":
            traps.append(card)
        else:
            hall.append((card, 0, p.entered))
    p = replace(p, hall=tuple(hall))
    for after in sprung(p, traps):
        yield from breach(after, first)


def sprung(p: Position, traps: list[str]) -> Iterator[Position]:
    if not traps:
        yield p
        return
    for after in trap(p, traps[0]):
        yield from sprung(after, traps[1:])


def trap(p: Position, name: str) -> Iterator[Position]:
    heroes = [h for h in p.heroes() if h not in p.borrowed | p.passing]
    shields = p.shields() if name != "delirium-poison" else []  # it passes the active player by
    if shields:
        yield replace(p, shown=True)
        bars = any(slot and slot[0] in ("air-wrath", "thunder-wrath") for slot in p.hall)
        bars = bars or any(card in ("air-wrath", "thunder-wrath") for card in p.dungeon)
        if bars and all(untouched(p, card) for card in shields):  # forgone before, so that no spell is used
            yield from trap(replace(p, forgone=p.forgone | set(shields)), name)
    elif name in ("rolling-boulder", "delirium-poison"):
        yield p
    elif name == "poison-gas-trap":
        safe = any("cleric" in p.types(h) or "thief" in p.types(h) for h in heroes)
        yield p if safe else replace(p, gained=(*p.gained, "disease"))
    elif not heroes:
        yield p
    elif name == "the-cage":
        for hero in heroes:
            yield take_from_hand(p, hero)
    elif name == "pit-trap":
        for hero in heroes:
            yield p if "thief" in p.types(hero) else destroy(p, hero)
    elif name == "blade-trap":
        weakest = min(p.strength(h) for h in heroes)
        for hero in heroes:
            if p.strength(hero) == weakest:
                yield destroy(p, hero)
    else:
        raise NotCoveredError(name)


def breach(p: Position, first: int) -> Iterator[Position]:
    slot = p.hall[0]
    if slot is None or slot[2] == first or slot[0] == "?":
        yield p
        return
    name = slot[0]
    if CARDS[name]["kind"] == "thunderstone":
        yield replace(p, over=True)
    elif CARDS[name]["kind"] == "guardian":
        yield from refill(replace(p, hall=(None, *p.hall[1:]), rank0=(*p.rank0, slot)), slot[2])
    elif name == "tyxr-the-old":
        own = sorted(p.hand - p.borrowed - p.passing)
        for pair in combinations(own, min(2, len(own))):
            q = p
            for card in pair:
                q = discard(q, card)
            yield q
    elif name in TORMENTS:
        yield from torment(p, name)
    else:
        yield p


def torment(p: Position, name: str) -> Iterator[Position]:
    shown, deck = p.deck[:5], p.deck[5:]
    victims = [card for card in shown if suits_torment(name, card)]
    if not victims:
        yield replace(p, deck=deck, discarded=(*p.discarded, *shown))
    for victim in sorted(set(victims)):
        rest = list(shown)
        rest.remove(victim)
        yield replace(p, deck=deck, discarded=(*p.discarded, *rest), destroyed=(*p.destroyed, victim))


def suits_torment(name: str, card: str) -> bool:
    fact = CARDS[card]
    return {
        "smoke-torment": "militia" in fact.get("types", []),
        "lava-torment": fact["kind"] == "hero" and fact.get("level") == 1,
        "shadow-torment": fact["kind"] == "hero" and fact.get("level") == 2,
        "blood-torment": bool(fact.get("vp")),
    }[name]


def send_under(p: Position, index: int) -> Iterator[Position]:
    first = p.hall[0][2] if p.hall[0] else -1
    hall = list(p.hall)
    hall[index] = None
    yield from refill(replace(p, hall=tuple(hall)), first)


# --- preparation: every single step that is legal now, with its name ---


def steps(p: Position) -> Iterator[tuple[dict[str, Any], Position]]:
    for card in sorted(p.hand - p.forgone):
        yield from equipping(p, card)
        yield from using(p, card)


def equipping(p: Position, weapon: int) -> Iterator[tuple[dict[str, Any], Position]]:
    if "weapon" not in p.types(weapon) or weapon in p.spent or any(w == weapon for w, _ in p.holds):
        return
    for hero in p.heroes():
        if p.weapons_of(hero) and not p.name(hero).startswith("toryn-"):
            continue
        if not p.aura and p.figure(weapon, "weight") > p.strength(hero):
            continue
        q = replace(p, holds=p.holds | {(weapon, hero)})
        if p.name(weapon) == "cursed-mace":
            q = replace(q, gained=(*q.gained, "disease"))
        yield {"equip": weapon, "to": hero}, q


def using(p: Position, card: int) -> Iterator[tuple[dict[str, Any], Position]]:
    name = p.name(card)

    def label(effect: int = 1, **more: Any) -> dict[str, Any]:
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
        yield label(ONLY_OTHERS[name]), mark(p, card, ONLY_OTHERS[name])
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
            for index, slot in enumerate(p.hall):
                if may_be_moved(p, slot) and slot and CARDS[slot[0]].get("vp") in (1, 2):
                    q = destroy(mark(p, card, 1), victim)
                    q = replace(q, gained=(*q.gained, slot[0]))
                    for r in send_under(q, index):
                        yield label(destroy=victim, take=slot[0]), r
    if name == "elf-archmage" and fresh():
        for index, slot in enumerate(p.hall):
            if may_be_moved(p, slot) and slot:
                for q in send_under(mark(p, card, 1), index):
                    yield label(bottom=slot[0]), q
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
        yield label(), replace(q, all_attack=q.all_attack + 1)
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
        q = replace(q, hand=q.hand - {card}, thrown=q.thrown | {card}, destroyed=tuple(sorted((*q.destroyed, "spear"))))
        yield label(), q
    if name == "short-bow" and held_by and fresh() and "archer" in p.types(held_by[0]):
        yield label(), mark(p, card, 1)
    if name == "magi-staff" and held_by:
        for index, slot in enumerate(p.hall):
            if may_be_moved(p, slot) and slot:
                for q in send_under(destroy(p, card), index):
                    yield label(bottom=slot[0]), draw(q, 1)
        if not any(may_be_moved(p, slot) for slot in p.hall):  # nothing may be moved: the rest is carried out
            yield label(), draw(destroy(p, card), 1)
    yield from rarely_used(p, card)


def rarely_used(p: Position, card: int) -> Iterator[tuple[dict[str, Any], Position]]:
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
        q = mark(p, card, 1)
        for monster in p.monsters():
            yield {"use": card, "effect": 1, "discard": monster}, discard(q, monster)
        if not p.monsters():
            yield {"use": card, "effect": 1}, q
    if name == "diin-beguiler" and fresh:
        q = mark(p, card, 1)
        for militia in (h for h in p.heroes() if "militia" in p.types(h)):
            for model in (h for h in p.heroes() if h != militia and p.name(h) != "diin-beguiler"):
                copied = tuple(sorted((*q.copied, (militia, p.name(model)))))
                yield {"use": card, "effect": 1, "militia": militia, "copy": model}, replace(q, copied=copied)
    if name in ("selurin-theurge", "toryn-gladiator") and fresh:
        yield from lend(mark(p, card, 1), card)
    if name == "diin-enchanter" and fresh and p.village is not None:
        for militia in sorted(p.hand):
            if "militia" in p.types(militia):
                q = discard(mark(p, card, 1), militia)
                offered = sorted(set(p.village))
                heroes = [hero for hero in offered if "militia" in CARDS[hero]["types"] or on_top(hero, offered)]
                for hero in heroes:
                    yield {"use": card, "effect": 1, "discard": militia, "recruit": hero}, fetch(q, hero)
    if name == "illusory-blade" and fresh and p.village is not None:
        for weapon in sorted(set(p.village)):
            if "weapon" in CARDS[weapon].get("types", []):
                q = fetch(mark(p, card, 1), weapon)
                for label, r in equipping(q, len(q.names) - 1):
                    yield {"use": card, "effect": 1, "draw": weapon, "to": label["to"]}, r


def fetch(p: Position, name: str) -> Position:
    """A card out of the village, for this battle."""
    names = (*p.names, name)
    new = len(names) - 1
    return replace(p, names=names, hand=p.hand | {new}, passing=p.passing | {new})


def lend(p: Position, card: int) -> Iterator[tuple[dict[str, Any], Position]]:
    """Every player discards a hero or a weapon; of these only the own one is known, and it may be borrowed back."""
    weapons = p.name(card) == "toryn-gladiator"
    kept = p.borrowed | p.passing
    fitting = [c for c in sorted(p.hand - kept) if ("weapon" in p.types(c) if weapons else is_hero(p.name(c)))]
    if not fitting:
        yield {"use": card, "effect": 1}, p
    for given in fitting:
        q = discard(p, given)
        yield {"use": card, "effect": 1, "discard": given}, q
        left = list(q.discarded)
        left.remove(p.names[given])
        back = replace(q, hand=q.hand | {given}, borrowed=q.borrowed | {given}, discarded=tuple(left))
        if not weapons:
            yield {"use": card, "effect": 1, "discard": given, "borrow": given}, back
        elif card in q.hand and (q.aura or q.figure(given, "weight") <= q.strength(card)):
            held = replace(back, holds=back.holds | {(given, card)})
            yield {"use": card, "effect": 1, "discard": given, "borrow": given}, held


def banish(p: Position, card: int) -> Iterator[tuple[dict[str, Any], Position]]:
    q = mark(p, card, 1)
    halls: list[tuple[dict[str, Any], Position]] = []
    for index, slot in enumerate(p.hall):
        if may_be_moved(p, slot) and slot and not held(p, slot):
            halls.extend(({"bottom": slot[0]}, r) for r in send_under(q, index))
    there = [slot for slot in p.hall if slot]
    first = there[0][2] if there else -1
    for order in permutations(there):
        if any(old != new and (held(p, old) or held(p, new)) for old, new in zip(there, order, strict=True)):
            continue
        new_hall = (*order, *(None for _ in range(3 - len(order))))
        halls.extend(({"order": [s[0] for s in order]}, r) for r in breach(replace(q, hall=new_hall), first))
    for label, r in halls:
        if r.over:
            continue
        victims = [v for v in sorted(r.hand) if v == card or untouched(r, v)]
        for victim in victims:
            yield {"use": card, "effect": 1, **label, "destroy": victim}, draw(destroy(r, victim), 1)
        if not victims:
            yield {"use": card, "effect": 1, **label}, draw(r, 1)


def creep(p: Position) -> Iterator[Position]:
    def hurt(slot: tuple[str, int, int] | None) -> tuple[str, int, int] | None:
        if slot is None or slot[0] in ("?", "fire-wrath") or CARDS[slot[0]]["kind"] == "thunderstone":
            return slot
        return (slot[0], slot[1] + 2, slot[2])

    first = p.hall[0][2] if p.hall[0] else -1
    hall = [hurt(slot) for slot in p.hall]
    rank0 = [slot for slot in map(hurt, p.rank0) if slot]
    q = replace(p, hall=tuple(hall), rank0=tuple(rank0))
    gone = False
    for index, slot in enumerate(hall):
        if slot and may_be_moved(q, slot) and health(q, slot) <= 0:
            hall[index] = None
            q = replace(q, gained=(*q.gained, slot[0]))
            gone = True
    q = replace(q, hall=tuple(hall))
    if gone:
        yield from refill(q, first)
    else:
        yield q


# --- the battle ---


def health(p: Position, foe: tuple[str, int, int]) -> int:
    sentinels = sum(1 for slot in p.rank0 if slot[0] == "death-sentinel" and slot[2] != foe[2])
    return int(CARDS[foe[0]]["health"]) - foe[1] + sentinels


@dataclass
class Battle:
    """One way the battle can go, with the numbers of R5."""

    monster: str
    rank: int
    health: int
    attack: int
    magic_attack: int
    light: int
    light_penalty: int
    total: int
    victory: bool
    destroyed: list[str]
    discarded: list[str]
    gained: list[str]
    choices: dict[str, Any] = field(default_factory=dict)
    attackers: list[int] = field(default_factory=list)
    leaving: frozenset[int] = frozenset()

    @property
    def margin(self) -> int:
        return self.total - self.health

    @property
    def outcome(self) -> str:
        return "victory" if self.victory else "defeat"

    def worth(self, goal: str) -> tuple[int, ...]:
        vp = sum(CARDS[name].get("vp") or 0 for name in self.destroyed)
        cost = sum(CARDS[name].get("cost") or 0 for name in self.destroyed)
        return (self.total, *self._win(vp, cost)) if goal == "max" else self._win(vp, cost)

    def _win(self, vp: int, cost: int) -> tuple[int, ...]:
        return (int(self.victory), -vp, -cost, self.margin)


class Fight:
    """All that is fixed once a target is declared in a position."""

    def __init__(self, p: Position, foe: tuple[str, int, int], rank: int, ruleset: str, *, forgo: bool = True) -> None:
        self.p = p
        self.foe = foe[0]
        self.slot = foe
        self.rank = rank
        self.ruleset = ruleset
        self.heroes = p.heroes()
        self.armed = {h for _, h in p.holds}
        # Against Air and Thunder Wrath every spell not used is forgone (``forgo``): else they could not be attacked.
        self.forgone = set(p.forgone)
        if forgo and self.foe in ("air-wrath", "thunder-wrath"):
            self.forgone |= {c for c in p.hand if "spell" in p.types(c)}
        self.able = [h for h in self.heroes if self.can_attack(h)]

    def can_attack(self, hero: int) -> bool:
        p = self.p
        if p.name(hero).startswith("feayn-") and self.rank == 1:
            return False
        if self.foe == "darkness" and hero not in self.armed:
            return False
        return not (self.foe in GOLEMS and p.strength(hero) < GOLEMS[self.foe])

    # one hero: his own Attack and Magic Attack with all that is given to him, no weapon

    def own(self, hero: int, attackers: list[int], immunities: bool) -> tuple[int, int]:
        p, name = self.p, self.p.name(hero)
        if immunities and self.foe == "fire-wrath" and hero not in self.armed:
            return 0, 0
        used = (hero, 1) in p.used
        attack = p.figure(hero, "attack") + sum(n for h, n in p.attack if h == hero) + p.all_attack
        magic = p.figure(hero, "magic_attack") + sum(n for h, n in p.magic if h == hero)
        if name in FROM_AFAR and self.rank in (2, 3):
            attack += FROM_AFAR[name]
        if name in EDGED_BONUS and any("edged" in p.types(w) for w in p.weapons_of(hero)):
            attack += EDGED_BONUS[name]
        if name == "chalice-defender" and used:
            attack += sum(1 for c in p.hand if "item" in p.types(c) and p.figure(c, "light"))
        if name == "outlands-slayer" and used:
            attack += len(p.monsters())
        if name == "outlands-khan" and used:
            attack += 2 * len(p.monsters())
        if name == "divine-chaplain" and used:
            attack += len(p.monsters()) + self.diseases()
        if name == "gangland-crook" and used and sum(p.figure(c, "gold") for c in p.hand) >= 5:
            attack += 4
        if name == "gohlen-trapper" and used and p.monsters():
            attack += 2
        if name == "gohlen-tracker" and used and p.monsters():
            attack += 3
        if name == "blind-grandmaster" and not any({"item", "light"} <= set(p.types(c)) for c in p.hand):
            magic += 3
        if name == "selurin-magician":
            magic += sum(1 for c in p.hand if "item" in p.types(c))
            magic += sum(1 for c in p.hand if "spell" in p.types(c) and self.spell(c, immunities) > 0)
        if name.startswith("militia"):
            attack += sum(1 for h in attackers if p.name(h) == "thyrian-knight")
        if "fighter" not in p.types(hero):
            attack += 2 * sum(1 for h in attackers if p.name(h) == "thyrian-lord")
        if hero in self.armed:
            attack += sum(CLAN[p.name(h)] for h in self.heroes if p.name(h) in CLAN and (h, 1) in p.used and h != hero)
        return attack, magic

    def weapon(self, weapon: int, hero: int, strength: int, immunities: bool) -> tuple[int, int]:
        p, name = self.p, self.p.name(weapon)
        if immunities and self.foe == "noxious-slag" and "edged" in p.types(weapon):
            return 0, 0
        attack, magic = p.figure(weapon, "attack"), p.figure(weapon, "magic_attack")
        if name == "polearm" and strength >= 8:
            attack = 6
        foe_types = CARDS[self.foe]["types"]
        if name == "warhammer" and "cleric" in p.types(hero) and ("undead" in foe_types or "doomknight" in foe_types):
            attack += 3
        if name == "spear" and weapon in p.thrown:
            attack += 3
        if name == "short-bow" and self.rank in (2, 3):
            attack += 5 if (weapon, 1) in p.used and "archer" in p.types(hero) else 3
        return attack, magic

    def keeps(self, weapon: int, strength: int) -> bool:
        return weapon in self.p.thrown or self.p.aura or self.p.figure(weapon, "weight") <= strength

    def spell(self, card: int, immunities: bool) -> int:
        """Magic Attack of a spell in this battle."""
        if card in self.forgone or (immunities and self.foe == "fire-wrath"):
            return 0
        if self.p.name(card) == "magic-missile":
            return 4 if self.rank == 1 else 0
        return self.p.figure(card, "magic_attack")

    def converted(self, hero: int) -> bool:
        return hero in self.p.berries or (self.p.arcane and hero in self.armed)

    def sums(self, attackers: list[int], weaker: int, battle: bool, losses: dict[int, str]) -> tuple[int, int]:
        """Attack and Magic Attack of the party. ``battle``: with the target's immunities and battle effects."""
        p = self.p
        attack = magic = 0
        for hero in attackers:
            a, m = self.own(hero, attackers, battle)
            if battle and self.foe == "grayskin-lizard" and hero in self.armed:
                a += 1
            if losses.get(hero) == "attack":
                a -= 1
            if losses.get(hero) == "magic_attack":
                m -= 1
            for weapon in p.weapons_of(hero):
                strength = p.strength(hero) - weaker
                if self.keeps(weapon, strength):
                    more = self.weapon(weapon, hero, strength, battle)
                    a, m = a + more[0], m + more[1]
            if self.converted(hero):
                a, m = 0, m + a
            attack, magic = attack + a, magic + m
        for card in p.hand:
            if "spell" in p.types(card):
                magic += self.spell(card, battle)
            trophy = TROPHIES.get(p.name(card), (0, 0, 0))
            attack, magic = attack + trophy[0], magic + trophy[1]
        return attack, magic

    def light(self, attackers: list[int], weaker: int) -> int:
        p = self.p
        light = 0
        for hero in attackers:
            light += p.figure(hero, "light")
            for weapon in p.weapons_of(hero):
                if self.keeps(weapon, p.strength(hero) - weaker):
                    light += p.figure(weapon, "light")
        for card in p.hand:
            if card not in self.forgone and ("item" in p.types(card) or "spell" in p.types(card)):
                light += p.figure(card, "light")
            light += TROPHIES.get(p.name(card), (0, 0, 0))[2]
        return light

    def penalty(self, attackers: list[int], light: int) -> int:
        if self.rank == 0 or any(self.p.name(h) == "blind-grandmaster" for h in attackers):
            return 0
        dark = self.rank + LIGHT_PENALTY.get(self.foe, 0)
        return dark if self.foe == "water-wrath" else max(0, dark - light)

    def diseases(self) -> int:
        return sum(1 for c in self.p.hand if self.p.name(c).startswith("disease"))

    def barred(self) -> bool:
        if self.foe == "blink-dog":
            return self.penalty(self.able, self.light(self.able, 0)) > 0
        if self.foe in ("air-wrath", "thunder-wrath"):
            if self.p.shown or any("spell" in self.p.types(c) for c, _ in self.p.used):
                return True
            spells = [c for c in self.p.hand if "spell" in self.p.types(c) and c not in self.forgone]
            if any(self.spell(c, False) or self.p.figure(c, "light") for c in spells):
                return True
        return self.foe == "thunder-wrath" and bool(self.p.holds)

    def disease_choices(self) -> list[tuple[str, ...]]:
        attack, magic = self.sums(self.able, 0, False, {})
        ways: list[tuple[str, ...]] = []

        def place(left: int, a: int, m: int, so_far: tuple[str, ...]) -> None:
            if not left:
                ways.append(so_far)
                return
            always = self.ruleset == "yucata"
            if a >= 1 or always:
                place(left - 1, a - 1, m, (*so_far, "attack"))
            if m >= 1 or always:
                place(left - 1, a, m - 1, (*so_far, "magic_attack"))
            if a < 1 and m < 1 and not always:
                ways.append(so_far)

        place(self.diseases(), attack, magic, ())
        return ways

    def judgement_choices(self, attackers: list[int]) -> list[dict[int, str]]:
        if self.foe != "judgement":
            return [{}]
        per_hero: list[list[tuple[int, str]]] = []
        for hero in attackers:
            a, m = self.own(hero, attackers, True)
            options = [(hero, "attack")] * (a >= 1) + [(hero, "magic_attack")] * (m >= 1)
            if options:
                per_hero.append(options)
        return [dict(choice) for choice in product(*per_hero)]

    def victims(self, attackers: list[int], weaker: int) -> list[tuple[frozenset[int], int | None]]:
        """Every possible set of cards that the battle destroys, and which of them was picked."""
        p = self.p

        def one(fits: Callable[[int], bool]) -> list[tuple[frozenset[int], int | None]]:
            found = [c for c in sorted(p.hand) if fits(c)]
            return [(frozenset({c}), c) for c in found] or [(frozenset(), None)]

        def every(fits: Callable[[int], bool]) -> list[tuple[frozenset[int], int | None]]:
            return [(frozenset(c for c in p.hand if fits(c)), None)]

        def of(kind: str) -> Callable[[int], bool]:
            return lambda c: kind in p.types(c)

        def hero(c: int) -> bool:
            return is_hero(p.name(c))

        foe = self.foe
        nobody: list[tuple[frozenset[int], int | None]] = [(frozenset(), None)]
        if foe == "tormentor":
            ways = one(of("cleric"))
        elif foe == "archduke-of-pain":
            ways = every(lambda c: "cleric" in p.types(c) or "wizard" in p.types(c))
        elif foe in ("the-prince", "knightmare"):
            ways = one(of("fighter"))
        elif foe in ("skaladak", "red-jelly"):
            ways = one(of("weapon"))
        elif foe in ("mythlurian", "tyxr-the-old"):
            ways = one(hero)
        elif foe in ("uyril-unending", "black-slime", "spectre", "wraith"):
            ways = one(of("militia"))
        elif foe == "ebon-fume":
            strongest = max((p.strength(h) for h in self.heroes), default=0)
            ways = one(lambda c: hero(c) and p.strength(c) == strongest)
        elif foe == "green-blob":
            ways = one(of("food"))
        elif foe == "gray-ooze":
            ways = nobody if p.holds else one(hero)
        elif foe == "harbinger":
            ways = one(of("spell"))
        elif foe == "blood-torment":
            ways = one(lambda c: c in p.monsters())
        elif foe == "revenant":
            ways = every(lambda c: hero(c) and p.strength(c) - weaker <= 0)
        elif foe == "water-wrath":
            ways = every(lambda c: hero(c) and c not in self.armed and not self.magical(c, attackers))
        else:
            ways = nobody
        if self.ruleset == "yucata":
            faint = frozenset(h for h in self.heroes if p.strength(h) - weaker <= 0)
            ways = [(way | faint, pick) for way, pick in ways]
        return ways

    def magical(self, hero: int, attackers: list[int]) -> bool:
        a, m = self.own(hero, attackers, True)
        return (m + a if self.converted(hero) else m) >= 1

    def ways(self) -> Iterator[Battle]:
        """Every way the player can lead this battle."""
        p = self.p
        weaker = WEAKENS.get(self.foe, 0)
        haunted: list[int | None] = list(self.able) if self.foe == "haunt" and self.able else [None]
        for picked in haunted:
            attackers = [h for h in self.able if h != picked]
            for losses in self.judgement_choices(attackers):
                for disease in self.disease_choices():
                    figures = self.figures(attackers, weaker, losses, disease)
                    for dead, choice in self.victims(attackers, weaker):
                        safe = {c for c in dead if p.ambrosia and is_hero(p.name(c))}
                        gone = (dead - safe) | (p.passing & p.hand)
                        yield replace(
                            figures,
                            destroyed=[*p.destroyed, *(p.names[c] for c in gone)],
                            discarded=[*p.discarded, *(p.names[c] for c in safe - p.borrowed - p.passing)],
                            choices={"disease": disease, "haunt": picked, "destroy": choice, "losses": losses},
                            attackers=attackers,
                            leaving=frozenset(gone | safe | (p.borrowed & p.hand)),
                        )

    def figures(self, attackers: list[int], weaker: int, losses: dict[int, str], disease: tuple[str, ...]) -> Battle:
        attack, magic = self.sums(attackers, weaker, True, losses)
        attack -= disease.count("attack")
        magic -= disease.count("magic_attack")
        if self.foe in MAGIC_IMMUNE:
            magic = 0
        for hero in attackers:
            if self.p.name(hero) in ("selurin-warlock", "selurin-theurge") and magic > 0:
                magic *= 2
        if self.foe in MAGIC_HALVED and magic > 0:
            magic //= 2
        if self.foe in MAGIC_ONLY:
            attack = 0
        light = self.light(attackers, weaker)
        penalty = self.penalty(attackers, light)
        total = max(0, attack + magic - 2 * penalty)
        elemental = any("elemental" in self.p.types(c) for c in self.p.monsters())
        if (
            (self.foe in HALVED_WITHOUT_MAGIC and magic < 1)
            or (self.foe == "tormentor" and not self.p.holds)
            or (self.foe == "earth-wrath" and not elemental)
        ):
            total //= 2
        need = health(self.p, self.slot)
        victory = total >= need and not (self.foe in MAGIC_NEEDED and magic < 1)
        gained = [*self.p.gained, *["disease"] * INFECTS.get(self.foe, 0), *[self.foe] * victory]
        return Battle(self.foe, self.rank, need, attack, magic, light, penalty, total, victory, [], [], gained)


def aftermaths(p: Position, fight: Fight, battle: Battle) -> Iterator[Position]:
    """What the refill after the battle may still cost: looked at only where a breach or a trap could cost a card."""
    cards = [slot[0] for slot in p.hall if slot and slot[0] != "?"] + list(p.dungeon)
    if not any(card in TORMENTS or CARDS[card]["kind"] == "trap" for card in cards):
        yield p
        return
    guardian = CARDS[fight.foe]["kind"] == "guardian"
    sorcerers = [h for h in battle.attackers if p.name(h) == "elf-sorcerer"] if battle.victory else []
    for card in battle.leaving:
        p = take_from_hand(p, card)
    first = p.hall[0][2] if p.hall[0] else -1
    if battle.victory or not (guardian or holds_everyone(p)):
        hall = tuple(None if slot and slot[2] == fight.slot[2] else slot for slot in p.hall)
        rank0 = tuple(slot for slot in p.rank0 if slot[2] != fight.slot[2])
        p = replace(p, hall=hall, rank0=rank0)
    for after in sorcery(p, len(sorcerers)):
        if all(after.hall):
            yield after
        else:
            yield from refill(after, first)


def sorcery(p: Position, times: int) -> Iterator[Position]:
    """Each Sorcerer may put a monster under the deck before the hall is refilled."""
    if not times:
        yield p
        return
    yield from sorcery(p, times - 1)
    for index, slot in enumerate(p.hall):
        if may_be_moved(p, slot):
            hall = tuple(None if n == index else s for n, s in enumerate(p.hall))
            yield from sorcery(replace(p, hall=hall), times - 1)


# --- the turn ---


def on_top(card: str, offered: list[str]) -> bool:
    """A hero of a level that no lower one of the same family lies on."""
    fact = CARDS[card]
    below = [
        CARDS[other]["level"]
        for other in offered
        if CARDS[other].get("family") == fact.get("family") and "level" in CARDS[other]
    ]
    return fact["kind"] == "hero" and fact["level"] == min(below)


def begin(scenario: dict[str, Any]) -> Position:
    """The position of a scenario document whose names are card ids, one copy each."""
    hall = [*scenario["hall"], None, None, None][:3]
    rank0 = scenario.get("rank0", [])
    for name in scenario["hand"]:
        if name in NOT_COVERED:
            raise NotCoveredError(name)
    return Position(
        names=tuple(scenario["hand"]),
        hand=frozenset(range(len(scenario["hand"]))),
        deck=tuple(scenario.get("deck") or ()),
        hall=tuple((name, 0, n) if name else None for n, name in enumerate(hall)),
        rank0=tuple((name, 0, 10 + n) for n, name in enumerate(rank0)),
        dungeon=tuple(scenario.get("dungeon") or ()),
        entered=20,
        village=None if scenario.get("village") is None else tuple(scenario["village"]),
    )


def owed(p: Position) -> list[int]:
    """Clay Golems whose Strength is not given to a hero yet."""
    return [c for c in sorted(p.hand) if p.name(c) == "clay-golem" and (c, 0) not in p.used and p.heroes()]


def fights(p: Position, ruleset: str, *, forgo: bool = True) -> Iterator[Fight]:
    if owed(p):
        return  # the trophy is mandatory: it has to be given first
    for rank, slot in [*((n + 1, s) for n, s in enumerate(p.hall)), *((0, s) for s in p.rank0)]:
        if slot and slot[0] != "?" and CARDS[slot[0]]["kind"] != "thunderstone":
            if slot[0] in NOT_COVERED:
                raise NotCoveredError(slot[0])
            yield Fight(p, slot, rank, ruleset, forgo=forgo)


def endings(p: Position, fight: Fight) -> Iterator[Battle]:
    """Every way the battle and what comes after it can go."""
    for battle in fight.ways():
        fate = random_fate(p, battle) if fight.foe == "thunder-wrath" else None
        rest = p if fate is None else destroy(p, fate)
        for after in aftermaths(rest, fight, battle):
            more = Counter(after.destroyed) - Counter(p.destroyed)
            gained = [*battle.gained, *after.gained[len(p.gained) :]]
            yield replace(battle, destroyed=[*battle.destroyed, *more.elements()], gained=gained)


def random_fate(p: Position, battle: Battle) -> int | None:
    """Thunder Wrath destroys a card at random: certain only where every card of the hand is the same."""
    left = p.hand - battle.leaving
    names = {p.names[c] for c in left}
    if len(names) != 1:
        return None
    (name,) = names
    spared = name.startswith("disease") or "elemental" in CARDS[name].get("types", [])
    return None if spared else min(left)


@dataclass
class Verdict:
    """What the oracle says: the best battle against each target, and the targets that can never be attacked."""

    best: dict[Key, Battle]
    barred: set[Key]
    positions: int


def judge(scenario: dict[str, Any], *, every_order: bool = False, limit: int | None = None) -> Verdict:
    """Play out everything. ``limit``: give up with NotCoveredError beyond so many positions."""
    ruleset, goal = scenario.get("ruleset", "print"), scenario.get("goal", "win")
    best: dict[Key, Battle] = {}
    met: set[Key] = set()
    seen: set[Position] = set()
    positions = 0

    def look(p: Position) -> None:
        nonlocal positions
        if p.over or (p in seen and not every_order):
            return
        seen.add(p)
        positions += 1
        if limit and positions > limit:
            raise NotCoveredError("too large")
        for fight in fights(p, ruleset):
            key = (fight.foe, fight.rank)
            met.add(key)
            if fight.barred():
                continue
            for battle in endings(p, fight):
                if key not in best or battle.worth(goal) > best[key].worth(goal):
                    best[key] = battle
        for _, after in steps(p):
            look(after)

    look(begin(scenario))
    return Verdict(best, met - set(best), positions)


# --- the odds, where the cards of the deck are known and their order is not ---


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
