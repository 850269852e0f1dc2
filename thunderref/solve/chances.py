"""``thunderref odds``: a question in, the odds against every target out."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from thunderref.engine.hall import is_monster
from thunderref.engine.legal import targets
from thunderref.engine.state import Foe, State, Table
from thunderref.errors import InputError, NoAnswerError
from thunderref.model.odds import Chance, OddsQuestion, OddsResult, TargetOdds
from thunderref.model.scenario import Scenario
from thunderref.solve.documents import read_document
from thunderref.solve.odds import Odds, dealt, first_hands
from thunderref.solve.position import HAND_KINDS, Finder, cards_of, position
from thunderref.store.read import Store, open_store

HAND = 6
UNLIMITED = "disease"


def odds(
    question: OddsQuestion | Mapping[str, Any], lang: str | None = None, *, store: Store | None = None
) -> OddsResult:
    """The exact odds of a question of the outside contract.

    Raises InputError for one that cannot be read, NoAnswerError for unknown names, for more copies of a card than there
    are, and for a question with too many positions.
    """
    store = store or open_store()
    asked = read_document(OddsQuestion, question)
    find = Finder(store, lang)
    deck = cards_of(asked.deck_list, find, HAND_KINDS)
    pile = cards_of(asked.discard, find, HAND_KINDS)
    if asked.first_battle and (asked.hand or len(deck) < HAND):
        raise InputError("first-battle-hand", n=HAND)
    hand = asked.hand if not asked.first_battle else deck[:HAND]
    scenario = Scenario(
        ruleset=asked.ruleset, hand=hand, hall=asked.hall, rank0=asked.rank0, dungeon=asked.dungeon, target=asked.target
    )
    table, state = position(scenario, store, find)
    in_hand = [] if asked.first_battle else [slot.card for slot in state.hand]
    _check_copies(store, [*in_hand, *deck, *pile])
    state = state._replace(pool=tuple(sorted(deck)), pile=tuple(sorted(pile)))
    wanted = [t for t in targets(state) if is_monster(table, t[2]) and asked.target in (None, t[0])]
    if not wanted:
        raise NoAnswerError("no-target", rank=asked.target if asked.target is not None else 1)
    return OddsResult(
        targets=[_target(table, state, rank, foe, deck if asked.first_battle else None) for rank, _, foe in wanted]
    )


def _target(table: Table, state: State, rank: int, foe: Foe, whole: list[str] | None) -> TargetOdds:
    win, total = Fraction(0), Fraction(0)
    judge = Odds(table, state, foe.card)
    hands = [(tuple(slot.card for slot in state.hand), Fraction(1))] if whole is None else first_hands(whole, HAND)
    for hand, weight in hands:
        start = state
        if whole is not None:
            left = list(whole)
            for card in hand:
                left.remove(card)
            start = state._replace(hand=dealt(hand), pool=tuple(sorted(left)))
        win += weight * judge.win(start)
        total += weight * judge.total(start)
    return TargetOdds(
        rank=rank,
        monster=foe.card,
        win=Chance(fraction=f"{win.numerator}/{win.denominator}", percent=round(float(win * 100), 1)),
        expected_total=round(float(total), 2),
    )


def _check_copies(store: Store, cards: list[str]) -> None:
    """Refuses more copies of a card than both boxes hold; Diseases never run out (R0.3)."""
    for card in dict.fromkeys(cards):
        have = sum(c.count for c in store.cards.values() if card in (c.id, c.reprint_of))
        if card != UNLIMITED and cards.count(card) > have:
            raise NoAnswerError("too-many-copies", card=card, n=cards.count(card), most=have)
