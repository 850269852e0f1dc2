"""``thunderref.solve.visit.visit``: a visit to the village in, gold, purchases and level-ups out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thunderref.engine.state import Table
from thunderref.engine.visit import FOR_SALE, UNCOUNTED, Known, Visit, visit_of
from thunderref.errors import InputError
from thunderref.model.visit import VisitDocument, VisitResult
from thunderref.solve.documents import read_document
from thunderref.solve.position import HAND_KINDS, MOST_CARDS, Finder, cards_of, counted
from thunderref.solve.purchases import Market
from thunderref.solve.visit_plan import STEP_KEYS, Follower
from thunderref.solve.visit_search import Search
from thunderref.solve.visit_tell import tell
from thunderref.store.catalog import load_book
from thunderref.store.read import Store, open_store
from thunderref.words.words import Words

LANGUAGE = "en"
STOCK = frozenset(FOR_SALE)


def visit(
    document: VisitDocument | Mapping[str, Any],
    lang: str | None = None,
    *,
    store: Store | None = None,
    words: Words | None = None,
) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of village effects.

    ``document`` is one of the outside contract. Raises InputError for one that cannot be read, NoAnswerError for
    unknown or ambiguous names, IllegalStepError (with the rule's id) for a plan step that the rules forbid.
    """
    store = store or open_store()
    words = words or Words(store, lang or LANGUAGE)
    asked = read_document(VisitDocument, document, STEP_KEYS)
    find = Finder(store, words.lang)
    table, start = opening(asked, store, find)
    market = Market(table, start)
    if asked.plan is None:
        search = Search(table, market, asked.goal)
        line, proven = search.run(start), search.complete
    else:
        line, proven = Follower(table, market, find, asked.goal).follow(start, asked.plan), True
    return tell(table, start, line, asked, market, words, proven=proven)


def opening(asked: VisitDocument, store: Store, find: Finder) -> tuple[Table, Visit]:
    """The table and the beginning of the visit; raises :class:`InputError` for a hand that cannot be one."""
    book = load_book(store)
    hand = cards_of(asked.hand, find, HAND_KINDS)
    if not hand:
        raise InputError("empty-hand")
    if len(hand) > MOST_CARDS:
        raise InputError("too-many-cards", n=len(hand), most=MOST_CARDS)
    deck = cards_of(asked.deck or [], find, HAND_KINDS)
    hero = asked.opponents.brawl_hero
    known = Known(asked.opponents.discarded_gold, None if hero is None else find(hero, frozenset(("hero", "basic"))))
    start = visit_of(
        tuple(hand), tuple(deck), asked.xp, offer_of(asked.stacks, store, find),
        offer_known=asked.stacks is not None, known=known,
    )  # fmt: skip
    return Table(book, asked.ruleset, None, asked.players), start


def offer_of(stacks: list[str] | None, store: Store, find: Finder) -> tuple[tuple[str, int], ...]:
    """The stacks as (card, copies left); None is every card that can be on offer."""
    if stacks is None:
        return tuple(
            (card.id, UNCOUNTED) for card in store.cards.values() if card.kind in STOCK and card.reprint_of is None
        )
    offer: dict[str, int] = {}
    for entry in stacks:
        count, name = counted(entry)
        card = find(name.partition("#")[0].strip(), STOCK)
        if name == entry.strip() and card not in offer:
            offer[card] = UNCOUNTED
        else:
            offer[card] = count + (1 if offer.get(card) == UNCOUNTED else offer.get(card, 0))
    return tuple(offer.items())
