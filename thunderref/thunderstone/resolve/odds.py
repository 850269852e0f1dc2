"""``thunderref odds``: a question in, the odds against every target out, and what to expect of the next hand (R2.1).

A deck that runs out in the middle of a draw is made anew from the discard pile with the cards of the turn that ends,
and the draw continues (R2.2): the last cards of the old deck are then in the hand for certain.

The chance to beat a target is weighed exactly through every draw, or sampled where that is too much. Only effects that
draw, move monsters or otherwise change what is known are decided one by one; everything else waits until no more is
drawn, as it can always be done later with more known and the same choices open. The value of a state is 1 if the target
can be beaten now, else the best expectation over the effects that are left.

A sample is a hand and an order of the deck, judged twice. *Foreseen*: could the monster be beaten if the order were
known? This is never below the true chance. *Played*: a fixed way of playing that knows only what a player knows; this
is never above it. The interval reaches from the lower end of the played chance to the upper end of the foreseen one, so
it holds the best play 95 times in 100; where the two agree it is the usual interval (Wilson 1927).

The way of playing aims at winning, and the mean total is its own. It takes every free draw, and else what does best
over a few imagined orders of the unseen cards, always the same in the same position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import ceil, comb, floor, lcm
from typing import Any, NamedTuple

from thunderref.budget import Budget, Tick
from thunderref.database.card_records import HAND_KINDS
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.rng import SplitMix64, stir
from thunderref.statistics import wilson
from thunderref.thunderstone.resolve.battles import Score, distinct_choices
from thunderref.thunderstone.resolve.documents import OddsQuestion, Scenario, read_document
from thunderref.thunderstone.resolve.result import CardChance, NextHand, OddsResult, Probability, TargetOdds
from thunderref.thunderstone.resolve.search import Search, ability_of, branching_moves
from thunderref.thunderstone.resolve.start import Finder, cards_of, check_copies, move_out, notes_on, position, table_of
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Choice, Named
from thunderref.thunderstone.rules.draws import chance_outcomes, take_from_pool
from thunderref.thunderstone.rules.end_of_turn import HAND
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import to_slots
from thunderref.thunderstone.rules.legal import legal_actions, play, targets
from thunderref.thunderstone.rules.position import Position, key_of, replace
from thunderref.thunderstone.rules.readings import other_values

Outcomes = Callable[[Position], Sequence[tuple[str, Fraction]]]
"""What a waiting draw may bring, with probabilities; empty if the state does not wait for chance."""
WIN, TOTAL = 0, 1
IMAGINED = 4


class Bounds(NamedTuple):
    """A value between two numbers; they are equal if everything was weighed."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high


NOTHING = Bounds(Fraction(0), Fraction(0))
ANYTHING = Bounds(Fraction(0), Fraction(1))


class Now(NamedTuple):
    """A position without further draws: whether the monster can be beaten, and the highest total, None if barred."""

    win: bool
    total: int | None


class Judge:
    """Judges positions against one target without further draws; ``bounds`` are those of the chance to win so far."""

    def __init__(self, game: Game, start: Position, rank: int, monster: str) -> None:
        self.game, self.rank, self.monster = game, rank, monster
        self._twins = [foe.card for _, _, foe in targets(start)].count(monster) > 1  # then its rank is meant
        self.around = Surroundings(game, start)
        self.bounds = ANYTHING
        self.expected: Fraction | None = None
        self.sampler: Sampler | None = None
        self.known: dict[Any, Now] = {}
        """What was judged; the monster is barred if it can be attacked in none of these positions (R5.1)."""

    def resume(self, goes: Tick) -> None:
        """Lets ``goes`` end the work: then :attr:`stopped` is True and nothing new is judged."""
        self.goes, self.stopped = goes, False

    def now(self, state: Position) -> Now | None:
        """Whether the monster can be beaten without drawing any more, and the highest total; None if stopped."""
        bare = replace(state, pool=None, pile=())
        key = key_of(bare)
        if key not in self.known and self._may_go_on():
            worths = self._worths(bare, "max")
            win = any(worth.victory for worth in worths)
            if not win and any(worth.margin >= 0 for worth in worths):  # high enough, but not with the magic it takes
                win = any(worth.victory for worth in self._worths(bare, "win"))
            if not self.stopped:
                self.known[key] = Now(win, max((worth.total for worth in worths), default=None))
        return self.known.get(key)

    def _worths(self, state: Position, goal: str) -> list[Score]:
        search = Search(self.game, goal, tick=self._may_go_on)
        search.run(state, only=(self.monster,), informs=False)
        self.stopped = self.stopped or not search.complete
        return [found.worth for (_, rank), found in search.found.items() if not self._twins or rank == self.rank]

    def _may_go_on(self, _: int = 0) -> bool:
        self.stopped = self.stopped or not self.goes(len(self.known))
        return not self.stopped

    def draw(self, state: Position, card: str) -> Position:
        """The position once the waiting draw has brought the card."""
        return play(self.game, take_from_pool(state, card), Named("draw", card))[0]

    def moves(self, state: Position) -> Iterator[Choice]:
        """The moves that change what is known, or that something waits for."""
        if state.phase != "prepare":
            return
        if state.todo:
            yield from distinct_choices(state, legal_actions(self.game, state))
            return
        for action in branching_moves(self.game, state, self.around):
            ability = ability_of(self.game, state, action)
            if self.around.use_protects or self.around.strength_matters or (ability is not None and ability.instant):
                yield action


class Odds:
    """The value of positions over every draw, or over the draws that ``outcomes`` gives."""

    def __init__(self, judge: Judge, outcomes: Outcomes = chance_outcomes) -> None:
        self.judge, self.outcomes = judge, outcomes
        self._known: tuple[dict[Any, Fraction], dict[Any, Fraction]] = ({}, {})

    def value(self, state: Position, what: int = WIN) -> Bounds:
        """The probability of victory, or the expected total, with play that aims at it; 0 if barred."""
        memo = self._known[what]
        key = key_of(state)
        if key in memo:
            return Bounds(memo[key], memo[key])
        if outcomes := self.outcomes(state):
            low = high = Fraction(0)
            for card, p in outcomes:
                value = self.value(self.judge.draw(state, card), what)
                low, high = low + p * value.low, high + p * value.high
            best = Bounds(low, high)
        else:
            best = self._decide(state, what)
        if best.exact and not self.judge.stopped:
            memo[key] = best.low
        return best

    def _decide(self, state: Position, what: int) -> Bounds:
        best = NOTHING
        if not state.todo and state.phase == "prepare":
            now = self.judge.now(state)
            here = Fraction(0 if now is None else now.win if what == WIN else now.total or 0)
            best = ANYTHING if now is None else Bounds(here, here)
        for action in self.judge.moves(state):
            if self.judge.stopped:
                return Bounds(best.low, max(best.high, ANYTHING.high))
            if what == WIN and best.low >= 1:
                break
            value = self.value(play(self.judge.game, state, action)[0], what)
            best = Bounds(max(best.low, value.low), max(best.high, value.high))
        return best


def draw_order(seed: int) -> Outcomes:
    """A known order of chance: the same cards left give the same next card, whatever is done in between."""
    source, following = SplitMix64(stir(seed)), dict[Sequence[tuple[str, Fraction]], str]()

    def outcomes(state: Position) -> Sequence[tuple[str, Fraction]]:
        possible = chance_outcomes(state)
        if possible and possible not in following:
            parts = lcm(*(p.denominator for _, p in possible))
            place = source.weighted([int(p * parts) for _, p in possible])
            following[possible] = possible[place][0]
        return ((following[possible], Fraction(1)),) if possible else ()

    return outcomes


class Sampler:
    """Samples the odds against one monster; ``deals`` makes the hands, the cards behind them not yet in order."""

    def __init__(self, judge: Judge, deals: Callable[[SplitMix64], Position], seed: int) -> None:
        self.judge, self.deals = judge, deals
        self.source = SplitMix64(stir(seed))
        self.played = self.foreseen = self.samples = self.total = 0
        self._choices: dict[Any, Choice | None] = {}

    def step(self) -> bool:
        """Takes one more sample; False, without it, if the work was ended meanwhile."""
        state = self.deals(self.source)
        order = draw_order(self.source.word())
        foreseen = Odds(self.judge, order).value(state).low >= 1
        end = self._play_out(state, order, self._choice if foreseen else self._free_move)
        if self.judge.stopped or end is None:
            return False
        self.samples += 1
        self.foreseen += foreseen
        self.played += end.win
        self.total += end.total or 0
        return True

    def _play_out(self, state: Position, order: Outcomes, choice: Callable[[Position], Choice | None]) -> Now | None:
        while True:
            if outcomes := order(state):
                state = self.judge.draw(state, outcomes[0][0])
            elif action := choice(state):
                state, _ = play(self.judge.game, state, action)
            else:
                break
        return Now(False, None) if state.todo or state.phase != "prepare" else self.judge.now(state)

    def _free_move(self, state: Position) -> Choice | None:
        for action in self.judge.moves(state):
            ability = ability_of(self.judge.game, state, action)
            if ability is not None and not ability.cost and all(op.op == "draw" for op in ability.instant):
                return action
        return next(self.judge.moves(state), None) if state.todo else None

    def _choice(self, state: Position) -> Choice | None:
        """The choice in this position, None for attacking now: always the same, and blind to the order."""
        key = key_of(state)
        if key not in self._choices:
            self._choices[key] = self._think(state, key)
        return self._choices[key]

    def _think(self, state: Position, key: Any) -> Choice | None:
        if not state.todo and state.phase == "prepare":
            now = self.judge.now(state)
            if now is None or now.win:
                return None
        free = None if state.todo else self._free_move(state)
        options = list(self.judge.moves(state)) if free is None else [free]
        if len(options) < 2:
            return options[0] if options else None
        # the same in every run, as hash() is not
        seed = reduce(lambda found, letter: (found * 257 + letter) % 2**64, repr(key).encode(), 0)
        orders = [draw_order(stir(seed + number)) for number in range(IMAGINED)]

        def wins(option: Choice) -> Fraction:
            after, _ = play(self.judge.game, state, option)
            return sum((Odds(self.judge, order).value(after).low for order in orders), Fraction(0))

        return max(options, key=wins)


WEIGHED = 4_000  # positions weighed against one target before odds are sampled
MOST_POSITIONS = 20_000
WEIGHING = 0.5  # the share of the budget in which odds are weighed before they are sampled
KINDS = ("hero", "weapon", "spell", "item", "food", "light", "villager", "monster", "disease")


class HandToDraw(NamedTuple):
    """The cards that come for certain and ``drawn`` more out of ``pool``; ``pile`` is the discard pile after it."""

    certain: tuple[str, ...]
    pool: tuple[str, ...]
    drawn: int
    pile: tuple[str, ...]
    reshuffled: bool = False

    def hand(self, drawn: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted((*self.certain, *drawn))) if drawn else self.certain

    def start(self, state: Position, hand: tuple[str, ...]) -> Position:
        """The position once this hand is drawn."""
        left = Counter((*self.pool, *self.certain)) - Counter(hand)
        return replace(state, hand=to_slots(hand), pool=tuple(sorted(left.elements())), pile=self.pile)


def next_deal(deck: Sequence[str], pile: Sequence[str], hand: Sequence[str]) -> HandToDraw:
    """The draw at the end of a turn: off the deck, then off the discard pile and the hand shuffled together."""
    spent = (*pile, *hand)
    if len(deck) >= HAND:
        return HandToDraw((), tuple(sorted(deck)), HAND, tuple(sorted(spent)))
    count = min(HAND - len(deck), len(spent))
    return HandToDraw(tuple(sorted(deck)), tuple(sorted(spent)), count, (), reshuffled=bool(spent))


def hands_of(deal: HandToDraw) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every different hand with its probability; one that needs no draw in its own order."""
    ways: dict[tuple[str, ...], int] = {(): 1}  # cards drawn -> in how many ways they come
    for card, copies in sorted(Counter(deal.pool).items()):
        ways = {
            (*drawn, *[card] * k): n * comb(copies, k)
            for drawn, n in ways.items()
            for k in range(min(copies, deal.drawn - len(drawn)) + 1)
        }
    total = comb(len(deal.pool), deal.drawn)
    for drawn, n in ways.items():
        if len(drawn) == deal.drawn:
            yield deal.hand(drawn), Fraction(n, total)


def number_of_hands(deal: HandToDraw) -> int:
    """How many different hands :func:`hands_of` gives."""
    ways = [1] + [0] * deal.drawn
    for copies in Counter(deal.pool).values():
        ways = [sum(ways[size - k] for k in range(min(copies, size) + 1)) for size in range(deal.drawn + 1)]
    return ways[deal.drawn]


def _weigh_hands(judge: Judge, state: Position, deal: HandToDraw) -> None:
    odds, low, high, total = Odds(judge), Fraction(0), Fraction(1), Fraction(0)
    for hand, weight in hands_of(deal):
        start = deal.start(state, hand)
        value, expected = odds.value(start), odds.value(start, TOTAL).low
        low, high = low + weight * value.low, high - weight * (1 - value.high)
        total += weight * expected
        judge.bounds = Bounds(low, high)
        if judge.stopped:
            return
    judge.expected = total


def weigh(
    judges: list[Judge], state: Position, asked: OddsQuestion, deal: HandToDraw, budget: Budget, most: int
) -> None:
    """Weighs every target up to ``most`` positions, then samples what was too large; the keyboard may interrupt it."""
    budget.begin()
    may_weigh = budget.searching(WEIGHING, "odds.weighing")
    may_sample = budget.searching(1.0, "odds.sampling", asked.samples)
    refused = False  # True once a limit, and not the player, ended the weighing
    number = 0

    def goes(positions: int) -> bool:
        nonlocal refused
        goes_on = positions < most and may_weigh(positions)
        refused = refused or not goes_on
        return goes_on

    def samples_on(_: int = 0) -> bool:
        return may_sample(number)

    def draw(source: SplitMix64) -> Position:
        return deal.start(state, deal.hand(source.sample(deal.pool, deal.drawn)))

    try:
        for judge in judges:
            judge.resume(goes)
            if number_of_hands(deal) > most:
                refused = True
            else:
                _weigh_hands(judge, state, deal)
            if judge.stopped and not refused:
                return  # the player interrupted it: what is known by now is the answer
            if refused and asked.exact:
                raise NoAnswerError("odds-too-large", n=most)
        sampled = [judge for judge in judges if refused and not judge.bounds.exact]
        for judge in sampled:
            judge.resume(samples_on)
            judge.sampler = Sampler(judge, draw, asked.seed)
        while number < asked.samples:
            if not all(samples_on() and judge.sampler is not None and judge.sampler.step() for judge in sampled):
                return
            number += 1
    except KeyboardInterrupt:
        return


def odds(
    question: OddsQuestion | Mapping[str, Any],
    lang: str | None = None,
    *,
    words: Language | None = None,
    budget: Budget | None = None,
) -> OddsResult:
    """The odds of a question, exact up to :data:`WEIGHED` positions or half the ``budget``, beyond that sampled.

    Raises InputError for a question that cannot be read, NoAnswerError for unknown names, for what cannot be on a
    table (as :func:`position`), and if sampling is refused.
    """
    words = words or Language(open_database(), lang)
    asked, database = read_document(OddsQuestion, question), words.database
    find = Finder(database, words.lang)
    asked = move_out(asked, find)
    deck, pile, hand = (cards_of(cards, find, HAND_KINDS) for cards in (asked.deck_list, asked.discard, asked.hand))
    if asked.first_battle and asked.next_hand:
        raise InputError("two-questions")
    if asked.first_battle and (hand or len(deck) < HAND):
        raise InputError("first-battle-hand", n=HAND)
    owned = Counter((*hand, *deck, *pile))
    check_copies(database, owned.elements())
    draws = asked.first_battle or asked.next_hand
    deal = next_deal(deck, pile, hand) if draws else HandToDraw(tuple(hand), tuple(deck), 0, tuple(sorted(pile)))
    if draws and not (deal.certain or deal.pool):
        raise InputError("empty-hand")
    next_hand = _next_hand(database, deal) if asked.next_hand else None
    table = table_of(find, asked.hand, asked.hall, asked.rank0)
    weighed = MOST_POSITIONS if asked.exact else WEIGHED
    if next_hand is not None and not (asked.hall or asked.rank0):
        return OddsResult(table=table, targets=[], hand=next_hand, seed=asked.seed, weighed=weighed)
    scenario = Scenario(
        ruleset=asked.ruleset, readings=asked.readings, hall=asked.hall, rank0=asked.rank0, dungeon=asked.dungeon,
        target=asked.target, variant=asked.variant, tokens=asked.tokens,
        hand=[*deal.certain, *deal.pool][:HAND] if draws else hand,
    )  # fmt: skip
    game, state = position(scenario, database, find, (owned - Counter(scenario.hand)).elements())
    state = replace(state, pool=tuple(sorted(deck)), pile=tuple(sorted(pile)))
    wanted = [(r, foe) for r, _, foe in targets(state) if is_monster(game, foe) and asked.target in (None, r)]
    if not wanted:
        raise NoAnswerError("no-target", rank=asked.target if asked.target is not None else 1)
    widest = replace(state, pool=(*deal.certain, *deal.pool), pile=deal.pile) if draws else state
    judges = [Judge(game, widest, rank, foe.card) for rank, foe in wanted]
    weigh(judges, state, asked, deal, budget or Budget(), weighed)
    told = [_tell(judge) for judge in judges]
    notes = notes_on(state, game, words)
    return OddsResult(
        table=table, targets=told, hand=next_hand, seed=asked.seed, weighed=weighed,
        readings_chosen=other_values(database, game.readings), notes=notes,
    )  # fmt: skip


def _tell(judge: Judge) -> TargetOdds:
    told = TargetOdds(rank=judge.rank, monster=judge.monster, win=chance_of(judge.bounds.low), expected_total=None)
    if judge.bounds.exact:
        total = None if judge.expected is None else round(float(judge.expected), 2)
        return replace(told, expected_total=total, barred=all(now.total is None for now in judge.known.values()))
    low, high = (float(bound) for bound in judge.bounds)
    sampler = judge.sampler
    if sampler is not None and sampler.samples:
        played, samples = sampler.played, sampler.samples
        low = max(low, wilson(played / samples, samples)[0])
        high = min(high, wilson(sampler.foreseen / samples, samples)[1])
        win = Probability(fraction=f"{played}/{samples}", percent=round(100 * played / samples, 1))
        average = round(sampler.total / samples, 2)
        told = replace(told, win=win, confidence=0.95, samples=samples, expected_total=average)
    interval = [floor(low * 1000) / 10, ceil(high * 1000) / 10]  # rounded away from each other
    return replace(told, exact=False, interval=interval, confidence=told.confidence or 1.0)


def chance_of(value: Fraction) -> Probability:
    """The probability as documents tell it."""
    return Probability(fraction=f"{value.numerator}/{value.denominator}", percent=round(float(value * 100), 1))


def _next_hand(database: Database, deal: HandToDraw) -> NextHand:
    owned = (*deal.certain, *deal.pool)
    cards = [_card_chance(deal, card, [card]) for card in dict.fromkeys(sorted(owned))]
    cards.sort(key=lambda found: (-Fraction(found.chance.fraction), -found.expected, found.id))
    specs = load_cards(database)
    members = {kind: [card for card in dict.fromkeys(owned) if kind in specs[card].kinds] for kind in KINDS}
    kinds = [_card_chance(deal, kind, found) for kind, found in members.items() if found]
    size, certain = len(deal.certain) + deal.drawn, list(deal.certain)
    return NextHand(size=size, reshuffled=deal.reshuffled, certain=certain, cards=cards, kinds=kinds)


def _card_chance(deal: HandToDraw, name: str, cards: list[str]) -> CardChance:
    certain, pool = (sum(card in cards for card in part) for part in (deal.certain, deal.pool))
    size = len(deal.pool)
    chance = Fraction(1) if certain else 1 - Fraction(comb(size - pool, deal.drawn), comb(size, deal.drawn))
    average = certain + Fraction(deal.drawn * pool, size or 1)
    return CardChance(id=name, copies=certain + pool, chance=chance_of(chance), expected=round(float(average), 2))
