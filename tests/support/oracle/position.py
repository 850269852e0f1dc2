"""The table in the middle of a turn, and how cards leave it and come to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .changes import replace
from .facts import CARDS, is_hero, is_monster

PLENTY = -1
Key = tuple[str, int]
Slot = tuple[str, int, int]
"""What stands at a rank: name ("?" unknown), Health lost, a number of its own."""
Stock = tuple[tuple[str, int], ...]
"""What the village offers: a card and how many are left of it, ``PLENTY`` where nobody counts."""
Wish = tuple[int, str, str]
"""What another player likes to part with: seat, the card that asks, the card he gives up."""
Said = tuple[str, str, tuple[object, ...], bool]
"""A choice within a step: whose effect asks, the key of the plan, what a plan may write for it, may it be declined."""


@dataclass(frozen=True)
class Position:
    """The table between two steps of preparation. Cards are numbers; ``names`` says what they are."""

    names: tuple[str, ...]
    hand: frozenset[int]
    deck: tuple[str, ...]
    hall: tuple[Slot | None, ...]
    rank0: tuple[Slot, ...]
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
    fury: int = 0  # Attack of all heroes by spells
    berries: frozenset[int] = frozenset()
    arcane: bool = False
    aura: bool = False
    ambrosia: bool = False
    forgone: frozenset[int] = frozenset()
    borrowed: frozenset[int] = frozenset()
    passing: frozenset[int] = frozenset()  # out of the village for this battle only
    village: Stock | None = None
    copied: tuple[tuple[int, str], ...] = ()  # a Militia and what it counts as
    bag: tuple[str, ...] = ()  # cards of the deck below the known ones, in no known order
    hidden: int = 0  # so many of them have been drawn
    unseen: int | None = None  # cards of the deck whose names nobody knows; None: there is no end to them
    pile: tuple[str, ...] = ()  # the discard pile when the turn began
    reshuffled: tuple[str, ...] = ()  # what has become a new deck since (R2.2)
    aside: tuple[int, ...] = ()  # cards of the hand that lie on the discard pile now, the last one first
    within: tuple[int, ...] = ()  # those of them in the new deck (R2.4)
    unsure: frozenset[tuple[int, int]] = frozenset()  # what a card used, or another that was drawn in its place
    below: tuple[str, ...] = ()  # what was put under the dungeon deck
    deep: int | None = None  # cards of that deck, below the known ones, that nobody knows; None: no end to them
    shuffled: tuple[str, ...] | None = None  # the deck where only its cards are known, not their order
    pending: int = 0  # draws from it that are still to come
    shown: bool = False  # an Elixir kept a trap away, a benefit of a spell (R5.1)
    armed: bool = False  # a weapon was equipped, gone since or not (R5.1)
    over: bool = False
    caged: tuple[str, ...] = ()
    players: int = 2
    others: tuple[tuple[str, ...], ...] = ()  # the hands of the other players, from the left, where they are known
    wishes: tuple[Wish, ...] = ()
    given: tuple[tuple[int, str], ...] = ()  # what the others discarded to the last effect that asked: seat, card
    hunted: tuple[tuple[int, int, str], ...] = ()  # hunter, seat, card
    theirs: frozenset[int] = frozenset()  # borrowed cards that go back to another player
    foreign: tuple[str, ...] = ()  # of what was destroyed: never the player's
    epic: bool = False  # two Thunderstones are in the game (R9.1)
    variant: str = "normal"
    bound: bool = False  # all marauding tokens lie on what stood at rank 1 when the turn began
    freed: tuple[str, ...] = ()  # heroes in the Cage since an earlier turn
    beat_first: bool = False  # a monster at rank 1 was defeated in it
    fought: bool = False  # the battle is over
    won_first: bool = False  # a monster at rank 1 was defeated in it, and nothing else brings a stone there (R7.1)
    said: tuple[Said, ...] = ()  # what was chosen within the step that is being taken

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
        return [c for c in sorted(self.hand) if is_monster(self.names[c])]

    def shields(self) -> list[int]:
        """Each Foresight Elixir in hand keeps traps away, unless its benefit is forgone."""
        return [c for c in sorted(self.hand) if self.names[c] == "foresight-elixir" and c not in self.forgone]

    def weapons_of(self, hero: int) -> list[int]:
        return sorted(w for w, h in self.holds if h == hero)

    def strength(self, hero: int) -> int:
        own = self.figure(hero, "strength") + sum(n for h, n in self.stronger if h == hero)
        return own + sum(n for n, but in self.all_stronger if but != hero)


# --- moving cards ---


def draw(p: Position, count: int) -> Position:
    if p.shuffled is not None:
        return replace(p, pending=p.pending + count)
    for _ in range(count):
        p = draw_one(p)
    return p


def draw_one(p: Position) -> Position:
    """Once the deck is empty the discard pile is shuffled (R2.2); what must be among the cards drawn is known."""
    if p.unseen == 0 and not p.deck and not p.bag:
        pile = Counter((*p.pile, *p.discarded, *p.gained)) - Counter(p.reshuffled)
        cards = tuple(sorted(pile.elements()))
        p = replace(p, bag=cards, reshuffled=(*p.reshuffled, *cards), within=(*p.aside, *p.within), aside=())
    if p.deck:
        return into_hand(replace(p, deck=p.deck[1:]), p.deck[:1])
    if p.bag:
        before = certain(p.bag, p.hidden)
        new = sorted((certain(p.bag, p.hidden + 1) - before).elements())
        q = replace(p, hidden=p.hidden + 1, unknown=p.unknown + 1 - len(new))
        for place, card in enumerate(new):
            q = drawn_again(q, card, p.bag.count(card) - before[card] - new[:place].count(card))
        return replace(q, bag=(), hidden=0) if q.hidden == len(q.bag) else q
    if p.unseen == 0:
        return p
    return replace(p, unseen=p.unseen and p.unseen - 1, unknown=p.unknown + 1)


def certain(bag: tuple[str, ...], drawn: int) -> Counter[str]:
    """What must be among so many cards drawn from the bag."""
    return Counter({card: max(0, copies - len(bag) + drawn) for card, copies in Counter(bag).items()})


def drawn_again(p: Position, name: str, copies: int) -> Position:
    """One of so many copies of the deck: a card that was in hand is still as it was (R2.4).

    Where nobody knows which one it is, it is the used one, and has nothing of what was given to that one alone.
    """
    again = [c for c in p.within if p.names[c] == name]
    sure = len({as_it_is(p, c) for c in again}) == 1 and len(again) >= copies
    fit = again if sure else [c for c in again if is_spent(p, c) or as_it_is(p, c) == AS_NEW]
    if not fit:
        return into_hand(p, (name,))
    card = max(fit, key=lambda c: (is_spent(p, c), sum(used == c for used, _ in p.used)))
    q = replace(p, hand=p.hand | {card}, within=tuple(c for c in p.within if c != card))
    if sure or not is_spent(p, card):
        return q

    def others(given: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple(entry for entry in given if entry[0] != card)

    q = replace(q, stronger=others(q.stronger), attack=others(q.attack), magic=others(q.magic))
    before = {(c, effect) for c, effect in q.used if c == card}
    return replace(q, berries=q.berries - {card}, unsure=q.unsure | before)


AS_NEW = ((), (), (), (), "", False, False)


def as_it_is(p: Position, card: int) -> tuple[object, ...]:
    """What a card has done or got in this turn."""
    used = tuple(sorted(effect for c, effect in p.used if c == card))
    given = (tuple(n for c, n in gift if c == card) for gift in (p.stronger, p.attack, p.magic))
    return (used, *given, dict(p.copied).get(card, ""), is_spent(p, card) and not used, card in p.berries)


def is_spent(p: Position, card: int) -> bool:
    """It may do less than a new one; who is a copy of another hero never counts so."""
    if card in dict(p.copied):
        return False
    return card in p.spent | p.forgone or any(used == card for used, _ in p.used)


def into_hand(p: Position, cards: tuple[str, ...]) -> Position:
    first = len(p.names)
    return replace(p, names=(*p.names, *cards), hand=p.hand | set(range(first, first + len(cards))))


def take_from_hand(p: Position, card: int) -> Position:
    """The card leaves; a weapon it held falls from its hands for good."""
    return replace(
        p,
        hand=p.hand - {card},
        spent=p.spent | {w for w, h in p.holds if card in (w, h)},
        holds=frozenset((w, h) for w, h in p.holds if card not in (w, h)),
    )


def destroy(p: Position, card: int) -> Position:
    if card in p.passing | p.theirs:
        p = replace(p, foreign=(*p.foreign, p.names[card]))
    return replace(take_from_hand(p, card), destroyed=tuple(sorted((*p.destroyed, p.names[card]))))


def discard(p: Position, card: int) -> Position:
    discarded = tuple(sorted((*p.discarded, p.names[card])))
    return replace(take_from_hand(p, card), discarded=discarded, aside=(card, *p.aside))


def untouched(p: Position, card: int) -> bool:
    """R4.2: no dungeon effect of its own has been used."""
    return all(c != card for c, _ in p.used)


def mark(p: Position, card: int, effect: int) -> Position:
    return replace(p, used=p.used | {(card, effect)})


# --- what a plan may call it ---


def called(p: Position, card: int) -> tuple[str, ...]:
    """``militia#2``, and ``militia`` if it is the first copy still in play."""
    same = [other for other, name in enumerate(p.names) if name == p.names[card]]
    numbered = f"{p.names[card]}#{same.index(card) + 1}"
    first = min(other for other in same if other in p.hand)
    return (numbered, p.names[card]) if card == first else (numbered,)


def stands(p: Position, rank: int) -> tuple[object, ...]:
    """A card of the hall: its rank, ``nixie#2``, ``nixie`` if it is the first of that name; None if it is unknown."""
    slot = p.hall[rank - 1]
    if slot is None or slot[0] == "?":
        return (rank, None)
    same = [n for n, other in enumerate(p.hall, 1) if other and other[0] == slot[0]]
    numbered = f"{slot[0]}#{same.index(rank) + 1}"
    return (rank, numbered, slot[0]) if rank == same[0] else (rank, numbered)


def say(p: Position, by: str, key: str, names: tuple[object, ...], *, optional: bool = False) -> Position:
    return replace(p, said=(*p.said, (by, key, names, optional)))
