"""The other players where their hands are known: what they give up, and what is borrowed or hunted of it (R4.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from math import prod

from .changes import replace
from .facts import CARDS, ONLY_OTHERS, NotCoveredError, is_hero, is_monster
from .position import Position, Wish, say

MOST_WORLDS = 200
ASKERS = (
    *ONLY_OTHERS, "gohlen-hunter", "selurin-theurge", "toryn-gladiator", "tyxr-the-old", "militia"
)  # fmt: skip
"""Who makes the others discard; a Militia may be a copy of such a hero."""
MOST_HUNTED = 5
"""Victory points of a monster that a Hunter may take."""

Fits = Callable[[str], bool]


def of_type(kind: str) -> Fits:
    return lambda card: kind in CARDS[card].get("types", [])


def anything(card: str) -> bool:
    return True


def has_gold(card: str) -> bool:
    return CARDS[card].get("gold") is not None


def worlds(p: Position, named: tuple[Wish, ...]) -> Iterator[Position]:
    """One position for every way the others may like to part with their cards, what is ``named`` first.

    To each card that asks them each has an order of his own, whatever he gave up to another.
    """
    there = {*p.names, *p.deck, *(slot[0] for slot in p.hall if slot), *p.dungeon}
    copies = "diin-beguiler" in there
    asking = sorted(card for card in there if card in ASKERS and (copies or card != "militia"))
    orders = [
        [[(seat, by, card) for card in order] for order in permutations(sorted(set(hand)))]
        for seat, hand in enumerate(p.others)
        for by in asking
    ]
    if prod(map(len, orders)) > MOST_WORLDS:
        raise NotCoveredError("too many ways of the others")
    for way in product(*orders):
        yield replace(p, wishes=(*named, *(wish for order in way for wish in order)))


def pick(p: Position, seat: int, source: str, fits: Fits) -> str | None:
    """The card that a player likes best to part with, None if none fits."""
    there = {card for card in p.others[seat] if fits(card)}
    wishes = [card for who, by, card in p.wishes if who == seat and by == source and card in there]
    return wishes[0] if wishes else min(there, default=None)


def lose(p: Position, seat: int, card: str) -> Position:
    hand = list(p.others[seat])
    hand.remove(card)
    return replace(p, others=(*p.others[:seat], tuple(hand), *p.others[seat + 1 :]))


def give_up(p: Position, source: str, fits: Fits, amount: int = 1, *, instead: Fits | None = None) -> Position:
    """Every other player discards so many cards, or one that fits ``instead``; ``given`` says what lies there then.

    A Diin Illusionist comes back, but for a monster's breach; he cannot be two of the cards.
    """
    p = replace(p, given=())
    for seat in range(len(p.others)):
        back: list[str] = []
        for _ in range(amount):
            card = pick(p, seat, source, fits)
            if card is None:
                break
            p = lose(p, seat, card)
            if card == "diin-illusionist" and not is_monster(source):
                back.append(card)
            else:
                p = replace(p, given=(*p.given, (seat, card)))
            if instead is not None and instead(card):
                break
        others = (*p.others[:seat], (*p.others[seat], *back), *p.others[seat + 1 :])
        p = replace(p, others=others)
    return p


def only_others(p: Position, card: int) -> Position:
    """The effects that do nothing but to the others; the Witch has Magic Attack of it where no spell is given up."""
    name, by = p.name(card), p.names[card]
    if name == "redblade-assassin":
        return give_up(p, by, anything, 2, instead=is_hero)
    p = give_up(p, by, has_gold if name == "gangland-heavy" else anything)
    if name == "runespawn-witch" and p.others and not any(of_type("spell")(given) for _, given in p.given):
        p = replace(p, magic=tuple(sorted((*p.magic, (card, 2)))))
    return p


def poisoned(p: Position) -> Position:
    """Delirium Poison: the spells of everybody who cannot show a Foresight Elixir."""
    spell = of_type("spell")
    hands = [hand if "foresight-elixir" in hand else tuple(c for c in hand if not spell(c)) for hand in p.others]
    return replace(p, others=tuple(hands))


def borrowed_from(p: Position, lender: int, *, weapons: bool) -> Iterator[tuple[list[object], Position]]:
    """One of the cards that the others have just given up, for this battle; a weapon in the lender's hand."""
    for seat, name in dict.fromkeys(p.given):
        new = len(p.names)
        q = replace(
            p, names=(*p.names, name), hand=p.hand | {new}, borrowed=p.borrowed | {new}, theirs=p.theirs | {new}
        )
        if weapons:
            if lender not in q.hand or not (q.aura or q.figure(new, "weight") <= q.strength(lender)):
                continue
            q = replace(q, holds=q.holds | {(new, lender)}, armed=True)
            if name == "cursed-mace":
                q = replace(q, gained=(*q.gained, "disease"))
        yield [seat + 2, name], q


def hunted(p: Position, hunters: list[int], types: list[str]) -> Iterator[Position]:
    """After a victory each Hunter may take a monster that he made the others discard, if it shares a type (R6.5)."""
    if not hunters:
        yield p
        return
    yield from hunted(p, hunters[1:], types)
    for who, seat, card in dict.fromkeys(p.hunted):
        vp = CARDS[card].get("vp")
        if who == hunters[0] and vp is not None and vp <= MOST_HUNTED and set(types) & set(CARDS[card]["types"]):
            left = list(p.hunted)
            left.remove((who, seat, card))
            q = say(p, p.names[who], "hunt", ((seat + 2, card),), optional=True)
            yield from hunted(replace(q, hunted=tuple(left), gained=(*q.gained, card)), hunters[1:], types)
