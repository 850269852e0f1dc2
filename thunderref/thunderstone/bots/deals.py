"""Deals that are possible from what a player sees: every card somewhere it may lie, to play on from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from thunderref.rng import SplitMix64
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.position import Position, replace

PILE = 10
"""Cards among which a Thunderstone, or a guardian, is shuffled (R1.4)."""
DEEP = ("thunderstone", "guardian")
"""What has a pile of its own in the dungeon deck, the lowest first."""


def sample_deal(view: View, random: SplitMix64) -> Position:
    """The position with everything drawn that the player does not see: decks, the hands of others, the dungeon.

    It depends on the view and ``random`` alone. Every order is equally likely, but a Thunderstone or a guardian lies
    only where it may be by now. Which monsters went under the dungeon deck, and which cards of others lie on a discard
    pile, is not remembered: they may be anywhere among theirs.
    """
    known, table = view.position, view.table
    seats, deck = [*table.seats], _shuffled(view.deck, random)
    if view.seat != table.active:  # an effect of the active player asks
        seats[view.seat] = replace(seats[view.seat], hand=view.hand, deck=deck, discard=view.discard)
    for other in view.others:
        if other.seat == table.active:
            open_cards = seat_of(replace(known, table=table), other.seat).cards
            deck = _shuffled([*(Counter(other.cards) - Counter(open_cards)).elements()], random)
            continue
        cards = random.sample(other.cards, len(other.cards))
        for owner, card in (*table.shown, *[entry[1:] for entry in table.hunted]):
            if owner == other.seat:  # it lies on the discard pile
                cards.remove(card)
                cards.append(card)
        held, left = other.hand_size, other.hand_size + other.deck_size
        piles = tuple(cards[:held]), tuple(cards[held:left]), tuple(cards[left:])
        seats[other.seat] = replace(seats[other.seat], hand=piles[0], deck=piles[1], discard=piles[2])
    table = replace(table, seats=tuple(seats))
    return replace(known, deck=deck, dungeon=_dungeon(view, random), stacks=view.stacks, table=table)


def _shuffled(cards: Sequence[str], random: SplitMix64) -> tuple[str, ...]:
    return tuple(random.sample(cards, len(cards)))


def _dungeon(view: View, random: SplitMix64) -> tuple[str, ...]:
    """The dungeon deck: below are the cards that went under it, on these the piles (R1.4), on these the rest."""
    cards, deep, rest = view.cards, list[str](), list[str]()
    for card in view.dungeon:
        (deep if card in cards and cards[card].kind in DEEP else rest).append(card)
    deep = sorted(random.sample(deep, len(deep)), key=lambda card: DEEP.index(cards[card].kind))
    upwards, low = random.sample(rest, len(rest)), view.table.under
    for card in deep:
        low = min(low, len(upwards))
        upwards.insert(low + random.below(min(PILE, len(upwards) - low) + 1), card)
        low += PILE + 1
    return tuple(upwards[::-1])
