"""The state of a visit to the village: a hashable value, like the state of a dungeon turn.

The revealed hand, the deck, what was drawn, destroyed and gained live in the same :class:`State` as in the dungeon,
with an empty hall; a :class:`Visit` adds the gold, the purchases and the stacks on offer.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from thunderref.engine import tasks
from thunderref.engine.hall import NOBODY
from thunderref.engine.hand import dealt
from thunderref.engine.state import Slot, State, Table
from thunderref.engine.values import replace
from thunderref.model.effect import Destroy, DiscardOwn, TopDeck

UNCOUNTED = -1
"""A stack of which only is known that a card is left."""
FOR_SALE = ("basic", "hero", "village")


class Known(Struct, frozen=True, gc=False):
    """What is known of the other players, each figure for the first effect that asks for it (R4.11)."""

    discarded_gold: int | None = None
    """Gold of the cards they discard to a Tax Collector."""
    brawl_hero: str | None = None
    """The hero a player turns up in a Tavern Brawl."""


class Visit(Struct, frozen=True, gc=False):
    """A moment of a visit to the village.

    ``gold`` is what effects gave, from the count on (phase ``buy``) what is left to spend; ``buys`` the purchases left;
    ``after`` the types of which one must be bought first, one entry for each further purchase (Blacksmith); ``offer``
    the stacks as (card, copies left), :data:`UNCOUNTED` for an unknown number. ``paid`` is the card that was destroyed
    or discarded as the cost of the effect under way.
    """

    turn: State
    phase: str = "effects"
    gold: int = 0
    buys: int = 1
    after: tuple[str, ...] = ()
    offer: tuple[tuple[str, int], ...] = ()
    offer_known: bool = False
    """False if nobody said what is on offer: then all stacks count as full."""
    known: Known = Known()
    bought: tuple[str, ...] = ()
    paid: str = ""
    on_deck: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """Cards put on top of the own deck that are still there, each with the numbers of its effects used (R2.4)."""


def visit_of(
    hand: tuple[str, ...],
    deck: tuple[str, ...] = (),
    xp: int = 0,
    offer: tuple[tuple[str, int], ...] = (),
    *,
    offer_known: bool = False,
    known: Known | None = None,
) -> Visit:
    """The beginning of a visit: the cards of the revealed hand, the known cards on top of the deck, the XP owned."""
    turn = State("prepare", dealt(hand), (NOBODY, NOBODY, NOBODY), (), deck, (), xp=xp)
    return Visit(turn, offer=offer, offer_known=offer_known, known=known or Known())


def with_turn(visit: Visit, **changes: Any) -> Visit:
    """The visit with these fields of its turn changed."""
    return replace(visit, turn=replace(visit.turn, **changes))


def payable(table: Table, visit: Visit, cost: Destroy | DiscardOwn | TopDeck) -> list[Slot]:
    """Cards that may be destroyed or discarded: in the village used cards too (R4.2 is the dungeon's)."""
    return tasks.candidates(table, visit.turn, cost.select, None, used_too=True)


def gold_in_play(table: Table, visit: Visit) -> int:
    """The gold of the revealed cards still in play (R3.2)."""
    specs = table.book.specs
    return sum([specs[slot.form or slot.card].gold or 0 for slot in visit.turn.hand])
