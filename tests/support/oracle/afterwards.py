"""What follows the outcome: who leaves, what a victory allows, the refilled hall, the end of the game (R6, R7.1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .battle import Battle, Fight
from .changes import replace
from .facts import CARDS, INFECTS, SPOILS, STONES, TORMENTS, NotCoveredError, is_hero, is_monster
from .hall import first_of, holds_everyone, may_be_moved, refill, send_under
from .opponents import hunted
from .position import Position, destroy, discard, say, stands, take_from_hand
from .village import Right

TOP_SIX = 6


def endings(p: Position, fight: Fight, *, whole: bool = False) -> Iterator[Battle]:
    """Every way the battle and what comes after it can go.

    What follows the outcome is looked at only where it could cost or bring a card, unless the ``whole`` turn is asked
    for.
    """
    for battle in fight.ways():
        after = settled(p, fight, battle)
        if whole or may_still_cost(after) or may_still_bring(after):
            rights = rights_of(after, battle)
            for end in afterwards(after, battle):
                yield told(end, battle, rights)
        else:
            yield told(after, battle, ())


def may_still_cost(p: Position) -> bool:
    cards = [slot[0] for slot in p.hall if slot and slot[0] != "?"] + list(p.dungeon)
    return any(card in TORMENTS or CARDS[card]["kind"] == "trap" for card in cards)


def may_still_bring(p: Position) -> bool:
    return bool(p.hunted) or any(p.name(weapon) == "claymore" for weapon, _ in p.holds)


def told(p: Position, battle: Battle, rights: tuple[Right, ...]) -> Battle:
    """The figures of a turn that is over."""
    foe, sniper = CARDS[battle.monster], [h for h in battle.attackers if p.name(h) == "feayn-sniper"]
    stone = p.over and p.won_first and not p.rank0
    taken = sum(CARDS[name].get("vp") or 0 for name in p.gained if is_monster(name))
    gained = [*p.gained, *(slot[0] for slot in p.hall[:1] if slot and stone)]
    hall = (None, *p.hall[1:]) if stone else p.hall  # who takes the stone takes it out of the hall
    return replace(
        battle,
        destroyed=list(p.destroyed),
        discarded=list(p.discarded),
        gained=gained,
        prey=taken - (foe.get("vp") or 0) * battle.victory,
        conjured=p.foreign,
        xp=(foe.get("xp") or 0) + len(sniper) * (battle.rank == 3) if battle.victory else 0,
        vp=(foe.get("vp") or battle.monster.startswith("horde-"))
        * battle.victory,  # R7.2: each Horde is worth 1 at least
        rights=rights,
        hall_after=[slot[0] if slot and slot[0] != "?" else None for slot in hall],
        rank0_after=[slot[0] for slot in p.rank0],
        caged=[*p.freed, *p.caged],
        unknown_draws=p.unknown,
        game_ends=p.over,
        said=p.said,
    )


# --- at the end of the battle ---


def settled(p: Position, fight: Fight, battle: Battle) -> Position:
    """The monster and the cards that the battle destroys have left (R6.1 to R6.3), the gaps are still open."""
    usable = {
        (weapon, hero)
        for weapon, hero in p.holds
        if hero in battle.attackers and fight.keeps(weapon, p.strength(hero) - fight.weaker)
    }
    gained = [*["disease"] * INFECTS.get(battle.monster, 0), *[battle.monster] * battle.victory]
    won_first = battle.victory and battle.rank == 1
    q = replace(
        p, holds=frozenset(usable), gained=(*p.gained, *gained), fought=True, won_first=won_first, beat_first=won_first
    )
    if battle.victory:  # R6.10
        q = replace(q, caged=(), freed=(), discarded=(*q.discarded, *q.caged), gained=(*q.gained, *q.freed))
    for card in sorted(q.hand):
        spared = q.ambrosia and is_hero(q.name(card))
        if card in q.passing or (card in battle.dead and not spared):
            q = destroy(q, card)
        elif card in q.theirs:  # goes back to its owner
            q = take_from_hand(q, card)
        elif card in battle.dead or card in q.borrowed:
            q = discard(q, card)
    fate = random_fate(q) if battle.monster == "thunder-wrath" else None
    if fate is not None:
        q = discard(q, fate) if q.ambrosia and is_hero(q.name(fate)) else destroy(q, fate)
    if p.variant == "solo" and not battle.victory and CARDS[battle.monster]["kind"] == "guardian":
        raise NotCoveredError("a guardian not defeated")  # he stays, and a card enters (R9.5)
    if battle.victory or not (CARDS[battle.monster]["kind"] == "guardian" or holds_everyone(p)):
        hall = tuple(None if slot and slot[2] == fight.slot[2] else slot for slot in q.hall)
        q = replace(q, hall=hall, rank0=tuple(slot for slot in q.rank0 if slot[2] != fight.slot[2]))
        if not battle.victory and p.variant != "solo":
            q = replace(q, below=(*q.below, battle.monster))  # R6.1
    return q


def random_fate(p: Position) -> int | None:
    """Thunder Wrath destroys a card at random: certain only where every card of the hand is the same."""
    names = {p.names[c] for c in p.hand}
    if len(names) != 1:
        return None
    (name,) = names
    spared = name.startswith("disease") or "elemental" in CARDS[name].get("types", [])
    return None if spared else min(p.hand)


# --- what a victory allows ---


def rights_of(p: Position, battle: Battle) -> tuple[Right, ...]:
    """The purchases of R6.4: of every living hero that attacked and of the monster; each with all gold that is left."""
    if not battle.victory:
        return ()
    gold = sum(p.figure(card, "gold") for card in p.hand)
    there = alive(p, battle)
    heroes = [Right(p.names[h], SPOILS[p.name(h)], gold, p.village) for h in there if p.name(h) in SPOILS]
    monsters = [Right(battle.monster, SPOILS[battle.monster], gold, p.village)] if battle.monster in SPOILS else []
    return (*heroes, *monsters)


def alive(p: Position, battle: Battle) -> list[int]:
    """Who attacked and does something after a victory: nobody whom the battle destroyed (R6.3)."""
    return [h for h in battle.attackers if battle.victory and (h not in battle.dead or p.ambrosia)]


def afterwards(p: Position, battle: Battle) -> Iterator[Position]:
    """Spoils but for purchases, which change nothing here; then Sorcerers, and the refill with all it brings."""
    first = first_of(p)
    sorcerers = [p.names[h] for h in alive(p, battle) if p.name(h) == "elf-sorcerer"]
    hunters = [h for h in alive(p, battle) if p.name(h) == "gohlen-hunter"] if p.hunted else []
    for q in purged(p) if battle.victory and battle.monster == "sphinx" else (p,):
        hunts = hunted(q, hunters, CARDS[battle.monster]["types"])
        for after in (s for r in hunts for s in sorcery(r, sorcerers, first)):
            if after.over or all(after.hall):
                yield after
            else:
                yield from refill(after, first)


def purged(p: Position) -> Iterator[Position]:
    """Sphinx: of the top six cards of the own deck any number is destroyed, the others are discarded."""
    yield p
    if p.unseen is not None and len(p.deck) < TOP_SIX:
        raise NotCoveredError("Sphinx and a short deck")
    top = p.deck[:TOP_SIX]
    q = replace(p, deck=p.deck[TOP_SIX:], unknown=p.unknown + TOP_SIX - len(top))
    for number in range(len(top) + 1):
        for gone in sorted(set(combinations(sorted(top), number))):
            left = list(top)
            for card in gone:
                left.remove(card)
            r = say(q, "sphinx", "destroy", gone, optional=True)
            yield replace(r, destroyed=(*r.destroyed, *gone), discarded=(*r.discarded, *left))


def sorcery(p: Position, sorcerers: list[str], first: int) -> Iterator[Position]:
    """Each Sorcerer in turn may put a monster under the deck, and the hall is refilled at once (R6.5).

    Nobody takes a Thunderstone that comes to rank 1 because a monster before it was put under the deck.
    """
    if not sorcerers or p.over:
        yield p
        return
    by, *others = sorcerers
    yield from sorcery(p, others, first)
    for rank, slot in enumerate(p.hall, 1):
        if may_be_moved(p, slot):
            q = say(p, by, "bottom", stands(p, rank), optional=True)
            if not any(before and before[0] in STONES for before in p.hall[: rank - 1]):
                q = replace(q, won_first=False)
            for r in send_under(q, rank - 1, first):
                yield from sorcery(r, others, first_of(r))
