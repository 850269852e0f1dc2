"""The whole game: turns of all players over one table (R1 to R7).

A driver asks :func:`shuffle_of` first and answers with :func:`shuffle`; if nothing is to be shuffled, :func:`decider`
decides among the legal actions, and :func:`play` carries one out.
"""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.database.card_records import RANKS
from thunderref.thunderstone.rules.draws import shuffle_of, with_shuffled
from thunderref.thunderstone.rules.end_of_turn import HAND, give_back, open_turn, seats_of
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import NOBODY, is_placeholder, next_numbered
from thunderref.thunderstone.rules.legal import advance
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Stacks, Table, table_of
from thunderref.thunderstone.rules.readings import FIRST_CARD
from thunderref.thunderstone.rules.scoring import Standing, holdings, points, winners

Deck = Sequence[str]


def begin(
    game: Game, dungeon: Deck, decks: Sequence[Deck], stacks: Stacks, *, horde: Deck = (), hall: int = RANKS
) -> Position:
    """The first turn of a game, its decks shuffled already, the top card first; ValueError for no players.

    ``hall`` cards are turned up; a trap goes to the bottom of the dungeon deck, nothing else happens (R1.5).
    """
    if not decks:
        raise ValueError("a game needs a player")
    cards, waiting = list(dungeon), list(horde)
    ranks: list[Foe] = []
    gone, under = list[str](), list[str]()
    while cards and len(ranks) < hall:
        card = cards.pop(0)
        if game.cards[card].kind == "trap":
            under.append(card)
        elif is_placeholder(game.cards[card]):
            gone.append(card)
            if numbered := next_numbered(game, game.cards[card], waiting):
                waiting.remove(numbered)
                ranks.append(Foe(numbered))
        else:
            ranks.append(Foe(card))
    if FIRST_CARD in game.readings:
        ranks.reverse()
    ranks += [NOBODY] * (RANKS - len(ranks))
    seats = tuple(Seat(tuple(deck[:HAND]), tuple(deck[HAND:])) for deck in decks)
    table = Table(0, seats, horde=tuple(waiting), removed=tuple(gone), under=len(under))
    state = Position("choose", (), tuple(ranks), (), (), (*cards, *under), stacks=stacks, table=table)
    return open_turn(state, table, seats, 0, 1)


def shuffle(game: Game, state: Position, order: Sequence[str]) -> tuple[Position, tuple[Event, ...]]:
    """The position after the wanted shuffle; ValueError if ``order`` is not of exactly the wanted cards."""
    due = shuffle_of(state)
    if due is None:
        raise ValueError("nothing is to be shuffled")
    events: list[Event] = []
    if due.pile == "deck":
        events.append(Event("reshuffled", "", ("R2.2",), (("seat", due.seat), ("n", len(order)))))
    return advance(game, with_shuffled(state, due, tuple(order)), events), tuple(events)


def kind_of_turn(state: Position) -> str:
    """``choose``, ``dungeon``, ``village``, ``rest``, ``close`` or ``over``: what the phase belongs to."""
    if state.phase in ("prepare", "battle", "after", "end"):
        return "dungeon"
    return "village" if state.phase in ("buy", "level") else state.phase


def decks(position: Position) -> tuple[tuple[str, ...], ...]:
    return tuple(seat.cards for seat in seats_of(give_back(position)))


def standings(game: Game, position: Position) -> tuple[Standing, ...]:
    """The victory points of each player, penalty cards taken off, and whether they hold a Thunderstone (R7.2)."""
    rows = []
    for deck, seat in zip(decks(position), table_of(position).seats, strict=True):
        vp = points(holdings(game.cards, deck), len(seat.penalties))
        rows.append(Standing(vp, any(game.cards[card].kind == "thunderstone" for card in deck)))
    return tuple(rows)


def lost_points(game: Game, position: Position) -> int:
    """The VP of the monsters that reached the village in a solo game (R9.5)."""
    return points(holdings(game.cards, table_of(position).lost))


def result(game: Game, position: Position) -> tuple[tuple[Standing, ...], tuple[int, ...]]:
    """The standings and the seats of the winners (R7.3); a solo player wins with more than the monsters have (R9.5)."""
    final = standings(game, position)
    if game.variant.marches:
        return final, (0,) if final[0].vp > lost_points(game, position) else ()
    return final, winners(final)[0]
