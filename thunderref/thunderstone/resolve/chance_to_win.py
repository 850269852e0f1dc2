"""The chance to beat a target: weighed exactly through every draw, or sampled where that is too much.

Only effects that draw, move monsters or otherwise change what is known are decided one by one; everything else
(rations, equipment, the battle itself) waits until no more is drawn, because it can always be done later with more
known and the same choices open. The value of a state is 1 if the target can be beaten now, else the best expectation
over the effects that are left.

A sample is a hand and an order of the deck. It is judged twice. *Foreseen*: could the monster be beaten if the order
were known? This is never below the true chance. *Played*: a fixed way of playing that knows only what a player knows;
this is never above it. The interval reaches from the lower end of the played chance to the upper end of the foreseen
one, so it holds the best play 95 times in 100; where the two agree it is the usual interval (Wilson 1927).

The way of playing takes every free draw. Among other choices it takes what does best over a few imagined orders of the
unseen cards, always the same in the same position. The mean total is that of this way of playing; it aims at winning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import lcm
from typing import Any, NamedTuple

from thunderref.rng import SplitMix64, stir
from thunderref.thunderstone.resolve.battles import distinct_choices
from thunderref.thunderstone.resolve.budget import Tick
from thunderref.thunderstone.resolve.score import Score
from thunderref.thunderstone.resolve.search import Search, ability_of, branching_moves
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.choices import Choice, Named
from thunderref.thunderstone.rules.draws import chance_outcomes, take_from_pool
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Position, key_of, replace

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
    """What positions are worth against one monster without further draws; remembers all it has judged."""

    def __init__(self, game: Game, start: Position, monster: str) -> None:
        self.game = game
        self.monster = monster
        self.around = Surroundings(game, start)
        self._now: dict[Any, Now] = {}

    def resume(self, goes: Tick) -> None:
        """Lets ``goes`` end the work: then :attr:`stopped` is True and nothing new is judged."""
        self.goes = goes
        self.stopped = False

    def now(self, state: Position) -> Now | None:
        """Whether the monster can be beaten without drawing any more, and the highest total; None if stopped."""
        bare = replace(state, pool=None, pile=())
        key = key_of(bare)
        if key not in self._now and self._may_go_on():
            worths = self._worths(bare, "max")
            win = any(worth.victory for worth in worths)
            if not win and any(worth.margin >= 0 for worth in worths):  # high enough, but not with the magic it takes
                win = any(worth.victory for worth in self._worths(bare, "win"))
            if not self.stopped:
                self._now[key] = Now(win, max((worth.total for worth in worths), default=None))
        return self._now.get(key)

    def is_barred(self) -> bool:
        """True if the monster can be attacked in none of the positions judged (R5.1)."""
        return all(now.total is None for now in self._now.values())

    def _worths(self, state: Position, goal: str) -> list[Score]:
        search = Search(self.game, goal, tick=self._may_go_on)
        search.run(state, only=self.monster, informs=False)
        self.stopped = self.stopped or not search.complete
        return [found.worth for found in search.found.values()]

    def _may_go_on(self, _: int = 0) -> bool:
        self.stopped = self.stopped or not self.goes(len(self._now))
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
        self.judge = judge
        self.outcomes = outcomes
        self._known: tuple[dict[Any, Fraction], dict[Any, Fraction]] = ({}, {})

    def win(self, state: Position) -> Bounds:
        """The probability of victory with best play; 0 if the monster cannot be attacked."""
        return self._value(state, WIN)

    def total(self, state: Position) -> Fraction | None:
        """The expected battle value with play that aims at the highest one, 0 where no attack is possible.

        None if the work was ended before.
        """
        value = self._value(state, TOTAL)
        return value.low if value.exact and not self.judge.stopped else None

    def _value(self, state: Position, what: int) -> Bounds:
        memo = self._known[what]
        key = key_of(state)
        if key in memo:
            return Bounds(memo[key], memo[key])
        outcomes = self.outcomes(state)
        if outcomes:
            low = high = Fraction(0)
            for card, p in outcomes:
                value = self._value(self.judge.draw(state, card), what)
                low, high = low + p * value.low, high + p * value.high
            best = Bounds(low, high)
        else:
            best = self._decided(state, what)
        if best.exact and not self.judge.stopped:
            memo[key] = best.low
        return best

    def _decided(self, state: Position, what: int) -> Bounds:
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
            value = self._value(play(self.judge.game, state, action)[0], what)
            best = Bounds(max(best.low, value.low), max(best.high, value.high))
        return best


class Order:
    """A known order of chance: the same cards left give the same next card, whatever is done in between."""

    def __init__(self, seed: int) -> None:
        self._source = SplitMix64(stir(seed))
        self._next: dict[tuple[tuple[str, Fraction], ...], str] = {}

    def outcomes(self, state: Position) -> Sequence[tuple[str, Fraction]]:
        possible = chance_outcomes(state)
        if possible and possible not in self._next:
            parts = lcm(*(p.denominator for _, p in possible))
            place = self._source.weighted([int(p * parts) for _, p in possible])
            self._next[possible] = possible[place][0]
        return ((self._next[possible], Fraction(1)),) if possible else ()


class Sampler:
    """Samples the odds against one monster.

    ``deals`` makes the hands, the cards behind them not yet in order; ``seed`` decides everything.
    """

    def __init__(self, judge: Judge, deals: Callable[[SplitMix64], Position], seed: int) -> None:
        self.judge = judge
        self.deals = deals
        self.source = SplitMix64(stir(seed))
        self.played = self.foreseen = self.samples = 0
        self.total = 0
        self._choices: dict[Any, Choice | None] = {}

    def step(self) -> bool:
        """Takes one more sample; False, without it, if the work was ended meanwhile."""
        state = self.deals(self.source)
        order = Order(self.source.word())
        foreseen = Odds(self.judge, order.outcomes).win(state).low >= 1
        end = self._played(state, order, self._choice if foreseen else self._free_move)
        if self.judge.stopped or end is None:
            return False
        self.samples += 1
        self.foreseen += foreseen
        self.played += end.win
        self.total += end.total or 0
        return True

    def _played(self, state: Position, order: Order, choice: Callable[[Position], Choice | None]) -> Now | None:
        while True:
            if outcomes := order.outcomes(state):
                state = self.judge.draw(state, outcomes[0][0])
            elif action := choice(state):
                state, _ = play(self.judge.game, state, action)
            else:
                break
        if state.todo or state.phase != "prepare":
            return Now(False, None)
        return self.judge.now(state)

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
            self._choices[key] = self._chosen(state)
        return self._choices[key]

    def _chosen(self, state: Position) -> Choice | None:
        if not state.todo and state.phase == "prepare":
            now = self.judge.now(state)
            if now is None or now.win:
                return None
        free = None if state.todo else self._free_move(state)
        options = list(self.judge.moves(state)) if free is None else [free]
        if len(options) < 2:
            return options[0] if options else None
        # the same in every run, as hash() is not
        seed = reduce(lambda found, letter: (found * 257 + letter) % 2**64, repr(key_of(state)).encode(), 0)
        orders = [Order(stir(seed + number)) for number in range(IMAGINED)]

        def wins(option: Choice) -> Fraction:
            after, _ = play(self.judge.game, state, option)
            return sum((Odds(self.judge, order.outcomes).win(after).low for order in orders), Fraction(0))

        return max(options, key=wins)
