"""The dungeon of a whole game: the refilled hall, traps, breaches, the Thunderstone (R6.5 to R6.8, R7.1)."""

from __future__ import annotations

from collections.abc import Callable

from .facts import CARDS, RANKS, STONES, TORMENTS, is_hero
from .hall import suits_torment
from .table import Card, Seat, Table, hero, types_of

SHOWN_BY_TORMENT = 5
HEROES_ROLLED = 3


def set_up(t: Table) -> None:
    """Three cards from the top; a trap goes to the bottom, nothing breaches (R1.5)."""
    while not all(t.hall) and t.dungeon:
        card = t.dungeon.pop(0)
        if CARDS[card.name]["kind"] == "trap":
            t.dungeon.append(card)
        else:
            t.hall[t.hall.index(None)] = stood_in(t, card)


def stood_in(t: Table, card: Card) -> Card:
    """For a placeholder the top card of the Horde deck enters (R1.3)."""
    if card.name != "horde-placeholder":
        return card
    t.destroy(card)
    return t.horde.pop(0)


# --- who may be moved ---


def holds_everyone(t: Table) -> bool:
    """Steam Torment in the hall (R6.8); alone, monsters leave it all the same (R9.5)."""
    return not t.solo and any(card and card.name == "steam-torment" for card in (*t.hall, *t.rank0))


def movable(t: Table) -> list[Card]:
    if holds_everyone(t):
        return []
    return [card for card in t.hall if card and CARDS[card.name]["kind"] == "monster"]


def worth_1_or_2(card: Card) -> bool:
    return CARDS[card.name].get("vp") in (1, 2)


def send_under(t: Table, card: Card) -> None:
    first = t.hall[0]
    t.hall[t.hall.index(card)] = None
    t.dungeon.append(card)
    refill(t, first)


def take(t: Table, card: Card) -> None:
    """Into the own discard pile, without XP."""
    first = t.hall[0]
    t.hall[t.hall.index(card)] = None
    t.active.discard.append(card)
    refill(t, first)


# --- the refill ---


def refill(t: Table, first: Card | None) -> None:
    """Claymores, shift, new cards and their traps, then the breach. ``first``: who stood at rank 1 before."""
    if t.over:
        return
    claymores(t)
    while not t.over:
        standing = [card for card in t.hall if card]
        t.hall = [*standing, *[None] * (RANKS - len(standing))]
        if stone_first(t):  # the shift comes before a card is turned up (R7.1)
            continue
        if all(t.hall):
            break
        card = turned_up(t, 1)
        if card is not None:
            t.hall[t.hall.index(None)] = card
        elif not t.dungeon:
            break
    if not t.over and t.hall[0] is not first:
        breach(t)


def turned_up(t: Table, most: int = 99) -> Card | None:
    """The next card that enters; a trap works at once and is replaced. ``most``: cards to turn up."""
    for _ in range(most):
        if not t.dungeon:
            break
        card = t.dungeon.pop(0)
        if CARDS[card.name]["kind"] != "trap":
            return stood_in(t, card)
        trap(t, card)
    return None


def arrive(t: Table, first: Card | None) -> None:
    """A hall that has been pushed on: a stone or a breach at rank 1."""
    if stone_first(t):
        refill(t, None)
    elif t.hall[0] is not first:
        breach(t)


def stone_first(t: Table) -> bool:
    card = t.hall[0]
    if card is None or card.name not in STONES:
        return False
    stone(t, card)
    return True


def claymores(t: Table) -> None:
    """Each held Claymore may take one monster of the hall worth 1 or 2, once a turn (R6.5)."""
    for weapon in [w for w in t.active.hand if w in t.turn.holds and t.name(w) == "claymore"]:
        if (weapon, 1) in t.turn.used:
            continue
        card = t.choose("take", [c for c in movable(t) if worth_1_or_2(c)], "claymore", optional=True)
        if card is not None:
            t.turn.used.add((weapon, 1))
            t.hall[t.hall.index(card)] = None
            t.active.discard.append(card)


def stone(t: Table, card: Card) -> None:
    """The last stone ends the game (R7.1).

    Who brought it to rank 1 in battle takes it, if no guardian is at rank 0. Of two stones the first goes to whoever
    beat a monster at rank 1 in that turn, whatever brought the stone there (R9.1).
    """
    t.hall[0] = None
    last = not any(c.name in STONES for c in (*t.dungeon, *(c for c in t.hall if c)))
    if (t.turn.won_first if last else t.turn.beat_first) and not t.rank0:
        t.active.discard.append(card)
    else:
        t.destroy(card)
    t.over = last


# --- traps ---


def trap(t: Table, card: Card) -> None:
    """First everybody who can may show a Foresight Elixir, then the trap works on the others."""
    name = card.name
    everyone = [t.active, *t.others]
    met = {"the-cage": [t.active], "delirium-poison": t.others}.get(name, everyone)
    struck = [seat for seat in met if not spared(t, seat, name)]
    if name == "the-cage":
        for seat in struck:
            caught = t.choose("show", heroes(t, seat), name)
            if caught is not None:
                t.leave_hand(caught)
                t.cages.append((card, caught))
                return
    elif name == "rolling-boulder":
        roll(t, [seat for seat in (*t.others, t.active) if seat in struck])
    elif name == "blade-trap":
        blades(t, struck)
    else:
        for seat in struck:
            EACH[name](t, seat)
    t.destroy(card)


def spared(t: Table, seat: Seat, name: str) -> bool:
    """Who shows a Foresight Elixir is left alone; it stays in his hand."""
    shields = [c for c in whole_hand(t, seat) if c.name == "foresight-elixir" and c not in t.turn.forgone]
    card = t.choose("show", shields, name, seat, optional=True) if shields else None
    if card is not None and seat is t.active:
        t.turn.foreseen = True
    return card is not None


def whole_hand(t: Table, seat: Seat) -> list[Card]:
    return t.own() if seat is t.active else seat.hand


def shown_types(t: Table, seat: Seat, card: Card) -> list[str]:
    return t.types(card) if seat is t.active else types_of(card.name)


def heroes(t: Table, seat: Seat) -> list[Card]:
    return [card for card in whole_hand(t, seat) if hero(card)]


def lose(t: Table, seat: Seat, card: Card) -> None:
    if seat is t.active:
        t.leave_hand(card)
    else:
        seat.hand.remove(card)
    t.destroy(card)


def fall(t: Table, seat: Seat) -> None:
    """Pit Trap: a hero is shown, and destroyed unless he is a thief."""
    card = t.choose("show", heroes(t, seat), "pit-trap", seat)
    if card is not None and "thief" not in shown_types(t, seat, card):
        lose(t, seat, card)


def gas(t: Table, seat: Seat) -> None:
    """Poison Gas: a Disease, unless a cleric or a thief is shown."""
    safe = [c for c in heroes(t, seat) if {"cleric", "thief"} & set(shown_types(t, seat, c))]
    if t.choose("show", safe, "poison-gas-trap", seat, optional=True) is None:
        t.gain_disease(seat)


def delirium(t: Table, seat: Seat) -> None:
    for spell in [c for c in seat.hand if "spell" in types_of(c.name)]:
        lose(t, seat, spell)


EACH: dict[str, Callable[[Table, Seat], None]] = {
    "pit-trap": fall,
    "poison-gas-trap": gas,
    "delirium-poison": delirium,
}


def roll(t: Table, rolling: list[Seat]) -> None:
    """Rolling Boulder: from the left neighbour, card by card, until three heroes showed or there is none left.

    The heroes lie apart meanwhile, so none of them comes back with a shuffled deck.
    """
    found = 0
    while rolling:
        for seat in rolling:
            if found == HEROES_ROLLED or not any(hero(c) for s in rolling for c in (*s.deck, *s.discard)):
                return
            card = t.top_card(seat)
            if card is not None and hero(card):
                found += 1
                t.destroy(card)
            elif card is not None:
                seat.discard.append(card)


def blades(t: Table, struck: list[Seat]) -> None:
    """Blade Trap: the weakest hero of the active player; of the top two cards of the other decks all heroes but
    the strongest of them all. The other cards go back.
    """
    if t.active in struck:
        own = heroes(t, t.active)
        least = min((strength(t, card) for card in own), default=0)
        victim = t.choose("show", [card for card in own if strength(t, card) == least], "blade-trap")
        if victim is not None:
            lose(t, t.active, victim)
    tops = [
        (seat, [card for card in (t.top_card(seat), t.top_card(seat)) if card])
        for seat in struck
        if seat is not t.active
    ]
    most = max((CARDS[c.name]["strength"] for _, cards in tops for c in cards if hero(c)), default=0)
    for seat, cards in tops:
        for card in reversed(cards):
            if hero(card) and CARDS[card.name]["strength"] < most:
                t.destroy(card)
            else:
                seat.deck.insert(0, card)


def strength(t: Table, card: Card) -> int:
    from .strife import view

    p, at = view(t)
    return p.strength(at[card])


# --- breaches ---


def breach(t: Table) -> None:
    """Of what has come to rank 1, once."""
    card = t.hall[0]
    if card is None:
        return
    if CARDS[card.name]["kind"] == "guardian":  # R6.7
        t.hall[0] = None
        t.rank0.append(card)
        refill(t, card)
    elif card.name == "tyxr-the-old":
        for seat in (t.active, *t.others):
            for _ in range(2):
                given = t.choose("discard", whole_hand(t, seat), card.name, seat)
                if given is not None and seat is t.active:
                    t.discard_own(given)
                elif given is not None:
                    seat.hand.remove(given)
                    seat.discard.append(given)
    elif card.name == "archduke-of-pain":
        for _ in range(2):
            for name in filter(is_hero, t.on_top()):
                t.destroy(t.sell(name))
    elif card.name in TORMENTS:
        for seat in (t.active, *t.others):
            torment(t, seat, card.name)


def torment(t: Table, seat: Seat, name: str) -> None:
    """The top five cards of a deck are discarded, one that fits is destroyed."""
    cards = []
    for _ in range(SHOWN_BY_TORMENT):
        card = t.top_card(seat)
        if card is not None:
            cards.append(card)
    fitting = [card for card in cards if suits_torment(name, card.name)]
    victim = one_of(t, seat, fitting, name)
    for card in cards:
        if card is victim:
            t.destroy(card)
        else:
            seat.discard.append(card)


def one_of(t: Table, seat: Seat, cards: list[Card], by: str) -> Card | None:
    """Cards that lie open and in no hand are called by their plain names."""
    number = None if seat is t.active else seat.number
    return t.script.choose("destroy", cards, by, lambda card: (card.name,), number)
