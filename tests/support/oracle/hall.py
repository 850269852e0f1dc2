"""The dungeon hall: who may be moved, what a refill turns up, traps and breaches (R6.5 to R6.8, R7.1)."""

from __future__ import annotations

from collections.abc import Iterator

from .changes import replace
from .facts import CARDS, RANKS, STONES, TORMENTS, NotCoveredError, is_hero, is_monster
from .opponents import anything, give_up, lose, poisoned
from .position import Position, Slot, called, destroy, discard, say, stands, take_from_hand
from .village import razed


def may_be_moved(p: Position, slot: Slot | None) -> bool:
    if slot is None or slot[0] == "?" or CARDS[slot[0]]["kind"] != "monster":
        return False
    return not holds_everyone(p)


def held(p: Position, slot: Slot) -> bool:
    """A monster that no order may move (R6.8, R5.5); a stone and an unknown card are none."""
    return is_monster(slot[0]) and (slot[0] == "fire-wrath" or CARDS[slot[0]]["kind"] == "guardian")


def holds_everyone(p: Position) -> bool:
    return p.variant != "solo" and any(slot and slot[0] == "steam-torment" for slot in (*p.hall, *p.rank0))


def first_of(p: Position) -> int:
    """The number of what stands at rank 1; a new number there is an arrival."""
    return p.hall[0][2] if p.hall[0] else -1


def without(p: Position, index: int) -> Position:
    return replace(p, hall=tuple(None if n == index else slot for n, slot in enumerate(p.hall)))


# --- the refill ---


def refill(p: Position, first: int) -> Iterator[Position]:
    """Before any refill a held Claymore may take a monster, once each (R6.5); then new cards, then a breach.

    ``first``: number of the monster that stood at rank 1.
    """
    yield from turn_up(p, first)
    for weapon, _ in sorted(p.holds):
        if p.name(weapon) == "claymore" and (weapon, 1) not in p.used:
            for rank, slot in enumerate(p.hall, 1):
                if slot and may_be_moved(p, slot) and CARDS[slot[0]].get("vp") in (1, 2):
                    q = say(p, "claymore", "take", stands(p, rank), optional=True)
                    q = replace(without(q, rank - 1), used=q.used | {(weapon, 1)}, gained=(*q.gained, slot[0]))
                    yield from refill(q, first)


def turn_up(p: Position, first: int) -> Iterator[Position]:
    """Close the gaps, then turn up card after card: a trap works before the next one (R6.6). In the end the breach."""
    standing = [slot for slot in p.hall if slot]
    p = replace(p, hall=(*standing, *[None] * (RANKS - len(standing))))
    stone = bool(standing) and standing[0][0] in STONES and standing[0][2] != first
    if all(p.hall) or stone:  # the shift comes before a card is turned up (R7.1)
        yield from breach(p, first)
        return
    if not p.dungeon and p.deep == 0:
        if not p.below:  # nothing is left: the ranks stay empty
            yield from breach(p, first)
            return
        p = replace(p, dungeon=p.below, below=())
    card, dungeon = (p.dungeon[0], p.dungeon[1:]) if p.dungeon else ("?", ())
    deep = p.deep if p.dungeon else p.deep and p.deep - 1
    p = replace(p, dungeon=dungeon, entered=p.entered + 1, deep=deep)
    if card != "?" and CARDS[card]["kind"] == "trap":
        for after in trap(p, card):
            yield from turn_up(after, first)
        return
    known = "?" if card == "horde-placeholder" else card  # nobody knows the Horde deck
    hall = (*standing, (known, 0, p.entered), *[None] * (RANKS - len(standing) - 1))
    yield from turn_up(replace(p, hall=hall), first)


def send_under(p: Position, index: int, first: int | None = None) -> Iterator[Position]:
    slot = p.hall[index]
    q = replace(without(p, index), below=(*p.below, slot[0] if slot else "?"))
    yield from refill(q, first_of(p) if first is None else first)


# --- traps ---


def trap(p: Position, name: str) -> Iterator[Position]:
    """What a trap does to the active player; who can be spared by a card is."""
    heroes = [h for h in p.heroes() if h not in p.borrowed | p.passing]
    if name == "delirium-poison":  # it passes the active player by
        yield poisoned(p)
        return
    if name == "pit-trap":
        p = shown_to_pit(p)
    shields = p.shields()
    if shields:
        yield spared(replace(p, shown=True), name, shields[:1])
        p = declined(p, name)
    if name == "rolling-boulder":
        yield rolled(p)
    elif name == "poison-gas-trap":
        safe = [h for h in heroes if "cleric" in p.types(h) or "thief" in p.types(h)]
        if safe:
            yield spared(p, name, safe)
            p = declined(p, name)
        yield replace(p, gained=(*p.gained, "disease"))
    elif not heroes:
        yield p
    elif name == "the-cage":
        for hero in heroes:
            q = take_from_hand(shows(p, name, hero), hero)
            yield replace(q, caged=(*q.caged, p.names[hero]))
    elif name == "pit-trap":
        for hero in heroes:
            q = shows(p, name, hero)
            yield q if "thief" in p.types(hero) else destroy(q, hero)
    elif name == "blade-trap":
        weakest = min(p.strength(h) for h in heroes)
        for hero in heroes:
            if p.strength(hero) == weakest:
                yield destroy(shows(p, name, hero), hero)
    else:
        raise NotCoveredError(name)


def shown_to_pit(p: Position) -> Position:
    """The others show a hero, too: who has several chooses, which no wish tells."""
    for seat, hand in enumerate(p.others):
        heroes = {card for card in hand if is_hero(card)}
        if len(heroes) > 1:
            raise NotCoveredError("which hero another player shows")
        for card in heroes:
            p = p if "thief" in CARDS[card].get("types", []) else lose(p, seat, card)
    return p


def shows(p: Position, name: str, hero: int) -> Position:
    return say(p, name, "show", called(p, hero))


def spared(p: Position, name: str, cards: list[int]) -> Position:
    return say(p, name, "show", tuple(one for card in cards for one in called(p, card)))


def declined(p: Position, name: str) -> Position:
    """Nobody must show a card that would spare him; what a plan leaves out is shown."""
    return say(p, name, "show", (None,), optional=True)


def rolled(p: Position) -> Position:
    """Rolling Boulder goes round from the left neighbour until 3 heroes showed: every P-th card is one's own (R6.6).

    Beyond the cards that go in any case nobody knows how many went, so the deck is unknown from then on. Alone, every
    card is one's own, and known.
    """
    if p.shuffled is not None or p.unseen is not None:
        raise NotCoveredError("rolling-boulder and a shuffled deck")
    gone: list[str] = []
    if p.players == 1:
        while len(gone) < len(p.deck) and sum(map(is_hero, gone)) < 3:
            gone.append(p.deck[len(gone)])
        left = p.deck[len(gone) :]
    else:
        gone, left = list(p.deck[: 3 // p.players]), ()
    heroes = [card for card in gone if is_hero(card)]
    others = [card for card in gone if not is_hero(card)]
    p = replace(p, names=(*p.names, *gone))
    return replace(p, deck=left, destroyed=(*p.destroyed, *heroes), discarded=(*p.discarded, *others))


# --- breaches ---


def breach(p: Position, first: int) -> Iterator[Position]:
    """What has come to rank 1 breaches; a guardian steps on to rank 0, a Thunderstone ends the game."""
    slot = p.hall[0]
    if slot is None or slot[2] == first or slot[0] == "?":
        yield p
        return
    name = slot[0]
    if name in STONES:
        left = without(p, 0)
        if another_stone(left):  # R9.1
            taken = p.beat_first and not p.rank0
            left = replace(left, variant="normal")  # the next one is the last
            again = refill if all(p.hall) else turn_up  # at a shift the same refill goes on
            yield from again(replace(left, gained=(*p.gained, name) if taken else p.gained), slot[2])
        else:
            yield replace(p, over=True)
    elif CARDS[name]["kind"] == "guardian":
        yield from refill(replace(without(p, 0), rank0=(*p.rank0, slot)), slot[2])
    elif name == "tyxr-the-old":
        yield from (give_up(q, name, anything, 2) for q in discards(p, 2))
    elif name == "archduke-of-pain":
        yield razed(p)
    elif name in TORMENTS:
        yield from torment(p, name)
    else:
        yield p


def another_stone(p: Position) -> bool:
    """Is the game to go on after the stone that has come up? In an epic game the other one may lie anywhere."""
    there = any(card in STONES for card in (*(slot[0] for slot in p.hall if slot), *p.dungeon))
    return p.variant == "epic" or (p.epic and there)


def discards(p: Position, left: int) -> Iterator[Position]:
    """Tyxr's breach: cards of one's own choice, one after the other."""
    own = sorted(p.hand - p.borrowed - p.passing)
    if not left or not own:
        yield p
        return
    for card in own:
        yield from discards(discard(say(p, "tyxr-the-old", "discard", called(p, card)), card), left - 1)


def torment(p: Position, name: str) -> Iterator[Position]:
    if p.unseen is not None and len(p.deck) < 5:
        raise NotCoveredError("a breach on the deck below its known cards")
    shown, deck = p.deck[:5], p.deck[5:]
    p = replace(p, names=(*p.names, *shown))  # seen, so that a later copy is another one
    victims = [card for card in shown if suits_torment(name, card)]
    if not victims:
        yield replace(p, deck=deck, discarded=(*p.discarded, *shown))
    for victim in sorted(set(victims)):
        rest = list(shown)
        rest.remove(victim)
        q = say(p, name, "destroy", (victim,))
        yield replace(q, deck=deck, discarded=(*q.discarded, *rest), destroyed=(*q.destroyed, victim))


def suits_torment(name: str, card: str) -> bool:
    fact = CARDS[card]
    return {
        "smoke-torment": "militia" in fact.get("types", []),
        "lava-torment": fact["kind"] == "hero" and fact.get("level") == 1,
        "shadow-torment": fact["kind"] == "hero" and fact.get("level") == 2,
        "blood-torment": bool(fact.get("vp")),
    }[name]
