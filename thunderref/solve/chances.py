"""``thunderref odds``: a question in, the odds against every target out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any, Protocol

from thunderref.chance import Source
from thunderref.engine.hall import is_monster
from thunderref.engine.hand import dealt
from thunderref.engine.legal import targets
from thunderref.engine.state import Foe, State, Table
from thunderref.engine.values import replace
from thunderref.errors import InputError, NoAnswerError
from thunderref.model.odds import CardChance, Chance, NextHand, OddsQuestion, OddsResult, TargetOdds
from thunderref.model.scenario import Scenario
from thunderref.solve.documents import read_document
from thunderref.solve.hands import (
    HAND,
    Deal,
    at_least_one,
    expected,
    hands_of,
    left_in,
    next_deal,
    number_of_hands,
)
from thunderref.solve.odds import ANYTHING, Bounds, Judge, Odds
from thunderref.solve.position import HAND_KINDS, Finder, cards_of, position
from thunderref.solve.sampling import Sampler
from thunderref.store.catalog import load_book
from thunderref.store.read import Store, open_store

UNLIMITED = "disease"
WEIGHED = 4_000
"""So many positions are weighed against one target before odds are sampled."""
MOST_POSITIONS = 20_000
"""So many are weighed where sampling is refused."""
CONFIDENCE = 0.95
KINDS = ("hero", "weapon", "spell", "item", "food", "light", "villager", "monster", "disease")
"""Kinds of cards of which the next hand is told."""


class Watching(Protocol):
    """Told how far the work is; False ends it."""

    def weighing(self, positions: int) -> bool:
        """While positions are weighed; False: no more of that, sample."""

    def sampling(self, samples: int, most: int) -> bool:
        """While samples are dealt; False: no more of them."""


@dataclass
class Aim:
    """One target with what is known of it so far; ``bounds`` of the chance to win."""

    rank: int
    judge: Judge
    bounds: Bounds = ANYTHING
    total: Fraction | None = None
    sampler: Sampler | None = None


@dataclass
class Work:
    """The odds of one question: exact as far as they can be weighed, the rest sampled."""

    table: Table
    state: State
    asked: OddsQuestion
    deal: Deal | None
    watch: Watching | None
    aims: list[Aim] = field(default_factory=list)
    refused: bool = False
    """True once a limit, and not the player, ended the weighing."""
    number: int = 0
    """The sample being dealt."""

    @property
    def most(self) -> int:
        """How many positions may be weighed against one target."""
        return MOST_POSITIONS if self.asked.exact else WEIGHED

    def run(self, wanted: list[tuple[int, Foe]]) -> None:
        """Weighs every target, then samples those that were too much; an interrupt from the keyboard ends it."""
        self.aims = [Aim(rank, Judge(self.table, self._widest(), foe.card)) for rank, foe in wanted]
        try:
            for aim in self.aims:
                self._weigh(aim)
                if aim.judge.stopped and not self.refused:
                    return  # the player interrupted it: what there is by now is the answer
                if self.refused and self.asked.exact:
                    raise NoAnswerError("odds-too-large", n=self.most)
            open_aims = [aim for aim in self.aims if not aim.bounds.exact]
            if self.refused and open_aims:
                self._sample(open_aims)
        except KeyboardInterrupt:
            return

    def _widest(self) -> State:
        """A state in which every card that may come is to be seen."""
        if self.deal is None:
            return self.state
        return replace(self.state, pool=(*self.deal.certain, *self.deal.pool), pile=self.deal.pile)

    def _goes(self, positions: int) -> bool:
        if positions < self.most and (self.watch is None or self.watch.weighing(positions)):
            return True
        self.refused = True
        return False

    def _weigh(self, aim: Aim) -> None:
        aim.judge.resume(self._goes)
        odds = Odds(aim.judge)
        if self.deal is None:
            aim.bounds, aim.total = odds.win(self.state), odds.total(self.state)
            return
        if number_of_hands(self.deal) > self.most:
            self.refused = True
            return
        low, high, total = Fraction(0), Fraction(1), Fraction(0)
        for hand, weight in hands_of(self.deal):
            start = self._start(self.deal, hand)
            value, sum_ = odds.win(start), odds.total(start)
            low, high = low + weight * value.low, high - weight * (1 - value.high)
            total += weight * (sum_ or 0)
            aim.bounds = Bounds(low, high)
            if aim.judge.stopped:
                return
        aim.total = total

    def _start(self, deal: Deal, hand: tuple[str, ...]) -> State:
        return replace(self.state, hand=dealt(hand), pool=left_in(deal, hand), pile=deal.pile)

    def _sample(self, aims: list[Aim]) -> None:
        for aim in aims:
            aim.judge.resume(lambda _: self._may_sample())
            aim.sampler = Sampler(aim.judge, self._deals, self.asked.seed)
        for number in range(self.asked.samples):
            self.number = number
            for aim in aims:
                if aim.sampler is None or not self._may_sample() or not aim.sampler.step():
                    return

    def _may_sample(self) -> bool:
        return self.watch is None or self.watch.sampling(self.number, self.asked.samples)

    def _deals(self, source: Source) -> State:
        if self.deal is None:
            return self.state
        hand = (*self.deal.certain, *source.sample(self.deal.pool, self.deal.drawn))
        return self._start(self.deal, tuple(sorted(hand)))


def odds(
    question: OddsQuestion | Mapping[str, Any],
    lang: str | None = None,
    *,
    store: Store | None = None,
    watch: Watching | None = None,
) -> OddsResult:
    """The odds of a question of the outside contract, exact up to :data:`WEIGHED` positions, beyond that sampled.

    ``watch`` may end the weighing, and the sampling, earlier. Raises InputError for a question that cannot be read,
    NoAnswerError for unknown names, for more copies of a card than there are, and where sampling is refused.
    """
    store = store or open_store()
    asked = read_document(OddsQuestion, question)
    find = Finder(store, lang)
    deck = cards_of(asked.deck_list, find, HAND_KINDS)
    pile = cards_of(asked.discard, find, HAND_KINDS)
    hand = cards_of(asked.hand, find, HAND_KINDS)
    if asked.first_battle and asked.next_hand:
        raise InputError("two-questions")
    if asked.first_battle and (hand or len(deck) < HAND):
        raise InputError("first-battle-hand", n=HAND)
    _check_copies(store, [*hand, *deck, *pile])
    deal = next_deal(deck, pile, hand) if asked.first_battle or asked.next_hand else None
    if deal is not None and not (deal.certain or deal.pool):
        raise InputError("empty-hand")
    told = _next_hand(store, deal) if deal is not None and asked.next_hand else None
    weighed = MOST_POSITIONS if asked.exact else WEIGHED
    if told is not None and not (asked.hall or asked.rank0):
        return OddsResult(targets=[], hand=told, seed=asked.seed, weighed=weighed)
    first = hand if deal is None else [*deal.certain, *deal.pool][:HAND]
    scenario = Scenario(
        ruleset=asked.ruleset,
        readings=asked.readings,
        hand=first,
        hall=asked.hall,
        rank0=asked.rank0,
        dungeon=asked.dungeon,
        target=asked.target,
    )
    table, state = position(scenario, store, find)
    state = replace(state, pool=tuple(sorted(deck)), pile=tuple(sorted(pile)))
    wanted = [(r, foe) for r, _, foe in targets(state) if is_monster(table, foe) and asked.target in (None, r)]
    if not wanted:
        raise NoAnswerError("no-target", rank=asked.target if asked.target is not None else 1)
    work = Work(table, state, asked, deal, watch)
    work.run(wanted)
    return OddsResult(targets=[_told(aim) for aim in work.aims], hand=told, seed=asked.seed, weighed=weighed)


def _told(aim: Aim) -> TargetOdds:
    rank, monster = aim.rank, aim.judge.monster
    if aim.bounds.exact:
        total = None if aim.total is None else round(float(aim.total), 2)
        return TargetOdds(rank=rank, monster=monster, win=_chance(aim.bounds.low), expected_total=total)
    low, high = (float(bound) for bound in aim.bounds)
    if aim.sampler is None or not aim.sampler.samples:
        return TargetOdds(
            rank=rank, monster=monster, win=_chance(aim.bounds.low), exact=False, interval=_percents(low, high),
            confidence=1.0, expected_total=None,
        )  # fmt: skip
    found = aim.sampler.result()
    share = Chance(fraction=f"{found.played}/{found.samples}", percent=round(100 * found.played / found.samples, 1))
    return TargetOdds(
        rank=rank, monster=monster, win=share, exact=False,
        interval=_percents(max(low, found.low), min(high, found.high)), confidence=CONFIDENCE, samples=found.samples,
        expected_total=round(found.total, 2),
    )  # fmt: skip


def _chance(value: Fraction) -> Chance:
    return Chance(fraction=f"{value.numerator}/{value.denominator}", percent=round(float(value * 100), 1))


def _percents(low: float, high: float) -> list[float]:
    """Two shares in percent, rounded away from each other."""
    return [floor(low * 1000) / 10, ceil(high * 1000) / 10]


def _next_hand(store: Store, deal: Deal) -> NextHand:
    owned = (*deal.certain, *deal.pool)
    cards = [_card_chance(deal, card, [card]) for card in dict.fromkeys(sorted(owned))]
    cards.sort(key=lambda found: (-Fraction(found.chance.fraction), -found.expected, found.id))
    book = load_book(store)
    kinds = []
    for kind in KINDS:
        members = [card for card in dict.fromkeys(owned) if book[card].is_kind(kind)]
        if members:
            kinds.append(_card_chance(deal, kind, members))
    return NextHand(
        size=len(deal.certain) + deal.drawn,
        reshuffled=deal.reshuffled,
        certain=list(deal.certain),
        cards=cards,
        kinds=kinds,
    )


def _card_chance(deal: Deal, name: str, cards: list[str]) -> CardChance:
    copies = sum(card in cards for card in (*deal.certain, *deal.pool))
    return CardChance(
        id=name,
        copies=copies,
        chance=_chance(at_least_one(deal, cards)),
        expected=round(float(expected(deal, cards)), 2),
    )


def _check_copies(store: Store, cards: list[str]) -> None:
    """Refuses more copies of a card than both boxes hold; Diseases never run out (R0.3)."""
    for card in dict.fromkeys(cards):
        have = sum(c.count for c in store.cards.values() if card in (c.id, c.reprint_of))
        if card != UNLIMITED and cards.count(card) > have:
            raise NoAnswerError("too-many-copies", card=card, n=cards.count(card), most=have)
