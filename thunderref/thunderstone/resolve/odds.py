"""``thunderref odds``: a question in, the odds against every target out, and what to expect of the next hand (R2.1).

A deck that runs out in the middle of a draw is made anew from the discard pile with the cards of the turn that ends,
and the draw goes on (R2.2): the last cards of the old deck are then in the hand for certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, comb, floor
from typing import Any, NamedTuple

from thunderref.database.read import Database, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64
from thunderref.statistics import wilson
from thunderref.text.language import Language
from thunderref.thunderstone.card_store import load_cards
from thunderref.thunderstone.resolve.budget import Budget
from thunderref.thunderstone.resolve.chance_to_win import ANYTHING, Bounds, Judge, Odds, Sampler
from thunderref.thunderstone.resolve.documents import OddsQuestion, Scenario, read_document
from thunderref.thunderstone.resolve.result import CardChance, Chance, NextHand, OddsResult, TargetOdds
from thunderref.thunderstone.resolve.start import HAND_KINDS, Finder, cards_of, position
from thunderref.thunderstone.rules.end_of_turn import HAND
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import dealt
from thunderref.thunderstone.rules.legal import targets
from thunderref.thunderstone.rules.position import DISEASE, Foe, Position, replace

WEIGHED = 4_000
"""Positions weighed against one target before odds are sampled."""
MOST_POSITIONS = 20_000
WEIGHING = 0.5
"""The share of the budget in which odds are weighed before they are sampled."""
CONFIDENCE = 0.95
KINDS = ("hero", "weapon", "spell", "item", "food", "light", "villager", "monster", "disease")


class Deal(NamedTuple):
    """A hand to draw: the cards that come for certain, ``drawn`` more out of ``pool``, and the rest.

    ``pile`` is the discard pile once the hand is drawn; what is left of ``pool`` is the deck.
    """

    certain: tuple[str, ...]
    pool: tuple[str, ...]
    drawn: int
    pile: tuple[str, ...]
    reshuffled: bool = False


def next_deal(deck: Sequence[str], pile: Sequence[str], hand: Sequence[str]) -> Deal:
    """The draw at the end of a turn: off the deck, then off the discard pile and the hand shuffled together."""
    spent = (*pile, *hand)
    if len(deck) >= HAND:
        return Deal((), tuple(sorted(deck)), HAND, tuple(sorted(spent)))
    count = min(HAND - len(deck), len(spent))
    return Deal(tuple(sorted(deck)), tuple(sorted(spent)), count, (), reshuffled=bool(spent))


def hands_of(deal: Deal) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every different hand with its probability."""
    total = comb(len(deal.pool), deal.drawn)
    for drawn, ways in _drawn(sorted(Counter(deal.pool).items()), deal.drawn):
        yield tuple(sorted((*deal.certain, *drawn))), Fraction(ways, total)


def _drawn(counts: Sequence[tuple[str, int]], n: int) -> Iterator[tuple[tuple[str, ...], int]]:
    # every choice of ``n`` of these cards, and the number of ways it comes
    if n > sum(copies for _, copies in counts):
        return
    if not n:
        yield (), 1
        return
    (card, copies), *others = counts
    for k in range(min(copies, n) + 1):
        for rest, ways in _drawn(others, n - k):
            yield (*[card] * k, *rest), ways * comb(copies, k)


def number_of_hands(deal: Deal) -> int:
    """How many different hands :func:`hands_of` gives."""
    ways = [1] + [0] * deal.drawn
    for copies in Counter(deal.pool).values():
        ways = [sum(ways[size - k] for k in range(min(copies, size) + 1)) for size in range(deal.drawn + 1)]
    return ways[deal.drawn]


@dataclass
class Aim:
    """One target and its odds so far; ``bounds`` of the chance to win."""

    rank: int
    judge: Judge
    bounds: Bounds = ANYTHING
    total: Fraction | None = None
    sampler: Sampler | None = None


@dataclass
class Work:
    """The odds of one question: exact up to ``most`` positions, the rest sampled."""

    game: Game
    state: Position
    asked: OddsQuestion
    deal: Deal | None
    budget: Budget
    most: int
    aims: list[Aim] = field(default_factory=list)
    refused: bool = False
    """True once a limit, and not the player, ended the weighing."""
    number: int = 0

    def run(self, wanted: list[tuple[int, Foe]]) -> None:
        """Weighs every target, then samples those too large to weigh; an interrupt from the keyboard ends it."""
        deal, widest = self.deal, self.state
        if deal is not None:
            widest = replace(widest, pool=(*deal.certain, *deal.pool), pile=deal.pile)
        self.budget.begin()
        self._may_weigh = self.budget.searching(WEIGHING, "odds.weighing")
        self._goes_on = self.budget.searching(1.0, "odds.sampling", self.asked.samples)
        self.aims = [Aim(rank, Judge(self.game, widest, foe.card)) for rank, foe in wanted]
        try:
            for aim in self.aims:
                self._weigh(aim)
                if aim.judge.stopped and not self.refused:
                    return  # the player interrupted it: what is known by now is the answer
                if self.refused and self.asked.exact:
                    raise NoAnswerError("odds-too-large", n=self.most)
            if self.refused:
                self._sample([aim for aim in self.aims if not aim.bounds.exact])
        except KeyboardInterrupt:
            return

    def _goes(self, positions: int) -> bool:
        if positions < self.most and self._may_weigh(positions):
            return True
        self.refused = True
        return False

    def _weigh(self, aim: Aim) -> None:
        aim.judge.resume(self._goes)
        odds, deal = Odds(aim.judge), self.deal
        if deal is not None and number_of_hands(deal) > self.most:
            self.refused = True
            return
        low, high, total = Fraction(0), Fraction(1), Fraction(0)
        here: list[tuple[tuple[str, ...], Fraction]] = [((), Fraction(1))]
        for hand, weight in here if deal is None else hands_of(deal):
            start = self.state if deal is None else self._start(deal, hand)
            value, sum_ = odds.win(start), odds.total(start)
            low, high = low + weight * value.low, high - weight * (1 - value.high)
            total += weight * (sum_ or 0)
            aim.bounds = Bounds(low, high)
            if aim.judge.stopped:
                return
        aim.total = total

    def _start(self, deal: Deal, hand: tuple[str, ...]) -> Position:
        left = Counter((*deal.pool, *deal.certain)) - Counter(hand)
        return replace(self.state, hand=dealt(hand), pool=tuple(sorted(left.elements())), pile=deal.pile)

    def _sample(self, aims: list[Aim]) -> None:
        for aim in aims:
            aim.judge.resume(self._may_sample)
            aim.sampler = Sampler(aim.judge, self._deals, self.asked.seed)
        samplers = [aim.sampler for aim in aims if aim.sampler is not None]
        for number in range(self.asked.samples):
            self.number = number
            if not all(self._may_sample() and sampler.step() for sampler in samplers):
                return

    def _may_sample(self, _: int = 0) -> bool:
        return self._goes_on(self.number)

    def _deals(self, source: SplitMix64) -> Position:
        if self.deal is None:
            return self.state
        hand = (*self.deal.certain, *source.sample(self.deal.pool, self.deal.drawn))
        return self._start(self.deal, tuple(sorted(hand)))


def odds(
    question: OddsQuestion | Mapping[str, Any],
    lang: str | None = None,
    *,
    words: Language | None = None,
    budget: Budget | None = None,
) -> OddsResult:
    """The odds of a question of the outside contract, exact up to :data:`WEIGHED` positions, beyond that sampled.

    Half of the ``budget`` is for weighing positions; what is still open then is sampled. Raises InputError for a
    question that cannot be read, NoAnswerError for unknown names, for more copies of a card than there are, and if
    sampling is refused.
    """
    words = words or Language(open_database(), lang or "en")
    asked, database = read_document(OddsQuestion, question), words.database
    find = Finder(database, words.lang)
    deck, pile, hand = (cards_of(cards, find, HAND_KINDS) for cards in (asked.deck_list, asked.discard, asked.hand))
    if asked.first_battle and asked.next_hand:
        raise InputError("two-questions")
    if asked.first_battle and (hand or len(deck) < HAND):
        raise InputError("first-battle-hand", n=HAND)
    _check_copies(database, [*hand, *deck, *pile])
    deal = next_deal(deck, pile, hand) if asked.first_battle or asked.next_hand else None
    if deal is not None and not (deal.certain or deal.pool):
        raise InputError("empty-hand")
    next_hand = _next_hand(database, deal) if deal is not None and asked.next_hand else None
    weighed = MOST_POSITIONS if asked.exact else WEIGHED
    if next_hand is not None and not (asked.hall or asked.rank0):
        return OddsResult(targets=[], hand=next_hand, seed=asked.seed, weighed=weighed)
    scenario = Scenario(
        ruleset=asked.ruleset, readings=asked.readings, hall=asked.hall, rank0=asked.rank0, dungeon=asked.dungeon,
        target=asked.target, hand=hand if deal is None else [*deal.certain, *deal.pool][:HAND],
    )  # fmt: skip
    game, state = position(scenario, database, find)
    state = replace(state, pool=tuple(sorted(deck)), pile=tuple(sorted(pile)))
    wanted = [(r, foe) for r, _, foe in targets(state) if is_monster(game, foe) and asked.target in (None, r)]
    if not wanted:
        raise NoAnswerError("no-target", rank=asked.target if asked.target is not None else 1)
    work = Work(game, state, asked, deal, budget or Budget(), weighed)
    work.run(wanted)
    return OddsResult(targets=[_told(aim) for aim in work.aims], hand=next_hand, seed=asked.seed, weighed=weighed)


def _told(aim: Aim) -> TargetOdds:
    told = TargetOdds(rank=aim.rank, monster=aim.judge.monster, win=_chance(aim.bounds.low), expected_total=None)
    if aim.bounds.exact:
        total = None if aim.total is None else round(float(aim.total), 2)
        return replace(told, expected_total=total, barred=aim.judge.is_barred())
    low, high = (float(bound) for bound in aim.bounds)
    if aim.sampler is not None and aim.sampler.samples:
        played, samples = aim.sampler.played, aim.sampler.samples
        low = max(low, wilson(played / samples, samples)[0])
        high = min(high, wilson(aim.sampler.foreseen / samples, samples)[1])
        win = Chance(fraction=f"{played}/{samples}", percent=round(100 * played / samples, 1))
        average = round(aim.sampler.total / samples, 2)
        told = replace(told, win=win, confidence=CONFIDENCE, samples=samples, expected_total=average)
    interval = [floor(low * 1000) / 10, ceil(high * 1000) / 10]  # rounded away from each other
    return replace(told, exact=False, interval=interval, confidence=told.confidence or 1.0)


def _chance(value: Fraction) -> Chance:
    return Chance(fraction=f"{value.numerator}/{value.denominator}", percent=round(float(value * 100), 1))


def _next_hand(database: Database, deal: Deal) -> NextHand:
    owned = (*deal.certain, *deal.pool)
    cards = [_card_chance(deal, card, [card]) for card in dict.fromkeys(sorted(owned))]
    cards.sort(key=lambda found: (-Fraction(found.chance.fraction), -found.expected, found.id))
    specs = load_cards(database)
    members = {kind: [card for card in dict.fromkeys(owned) if kind in specs[card].kinds] for kind in KINDS}
    kinds = [_card_chance(deal, kind, found) for kind, found in members.items() if found]
    size, certain = len(deal.certain) + deal.drawn, list(deal.certain)
    return NextHand(size=size, reshuffled=deal.reshuffled, certain=certain, cards=cards, kinds=kinds)


def _card_chance(deal: Deal, name: str, cards: list[str]) -> CardChance:
    certain, pool = (sum(card in cards for card in part) for part in (deal.certain, deal.pool))
    size = len(deal.pool)
    chance = Fraction(1) if certain else 1 - Fraction(comb(size - pool, deal.drawn), comb(size, deal.drawn))
    average = certain + Fraction(deal.drawn * pool, size or 1)
    return CardChance(id=name, copies=certain + pool, chance=_chance(chance), expected=round(float(average), 2))


def _check_copies(database: Database, cards: Sequence[str]) -> None:
    for card, n in Counter(cards).items():
        have = sum(c.count for c in database.cards.values() if card in (c.id, c.reprint_of))
        if card != DISEASE and n > have:  # Diseases never run out (R0.3)
            raise NoAnswerError("too-many-copies", card=card, n=n, most=have)
