"""Odds where there is too much to weigh: sampled, with an interval that holds the true chance 95 times in 100.

A sample is a hand and an order of the deck. It is judged twice. *Foreseen*: could the monster be beaten if the order
were known? That is never less than the truth. *Played*: a fixed way of playing that knows only what a player knows;
that is never more. The interval reaches from the lower end for the one to the upper end for the other, so it holds
whatever the best play may be, and where the two agree it is the usual one (Wilson 1927).

The way of playing draws what there is to draw for nothing, and where there is a choice takes what would have done best
over a few imagined orders of the cards not seen, always the same in the same position. The mean total is that of this
way of playing, which aims at winning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm, sqrt
from typing import Any, NamedTuple

from thunderref.chance import Source, stir
from thunderref.engine.chance import chance_outcomes
from thunderref.engine.hand import find
from thunderref.engine.state import Action, State, key_of
from thunderref.engine.transition import play
from thunderref.solve.odds import Judge, Now, Odds

Z = 1.959963984540054
"""97.5 % of a normal distribution lie below."""
IMAGINED = 4
"""Orders imagined before a decision."""
Deals = Callable[[Source], State]
"""One hand, the cards behind it not yet in order."""


class Sampled(NamedTuple):
    """``played`` and ``foreseen`` wins of ``samples``, the share that was played, its interval, and the mean total."""

    samples: int
    played: int
    foreseen: int
    low: float
    high: float
    total: float

    @property
    def share(self) -> Fraction:
        """The share of samples won."""
        return Fraction(self.played, self.samples)


def wilson(wins: int, samples: int) -> tuple[float, float]:
    """The 95 % interval for a share of which ``wins`` out of ``samples`` were seen."""
    share, square = wins / samples, Z * Z
    middle = (share + square / (2 * samples)) / (1 + square / samples)
    reach = Z * sqrt(share * (1 - share) / samples + square / (4 * samples * samples)) / (1 + square / samples)
    low = 0.0 if wins == 0 else max(0.0, middle - reach)
    high = 1.0 if wins == samples else min(1.0, middle + reach)
    return low, high


class Order:
    """What comes next, known beforehand: for the same cards left the same card, whatever is done in between."""

    def __init__(self, seed: int) -> None:
        self._source = Source(stir(seed))
        self._next: dict[tuple[tuple[str, Fraction], ...], str] = {}

    def outcomes(self, state: State) -> Sequence[tuple[str, Fraction]]:
        """The one card that a waiting draw brings."""
        possible = chance_outcomes(state)
        if not possible:
            return ()
        if possible not in self._next:
            parts = lcm(*(p.denominator for _, p in possible))
            place = self._source.weighted([int(p * parts) for _, p in possible])
            self._next[possible] = possible[place][0]
        return ((self._next[possible], Fraction(1)),)


class Sampler:
    """Samples the odds against one monster; ``deals`` makes the hands, ``seed`` decides everything."""

    def __init__(self, judge: Judge, deals: Deals, seed: int) -> None:
        self.judge = judge
        self.deals = deals
        self.source = Source(stir(seed))
        self.played = self.foreseen = self.samples = 0
        self._total = 0
        self._choices: dict[Any, Action | None] = {}

    def step(self) -> bool:
        """One sample more; False, without it, if the work was ended meanwhile."""
        state = self.deals(self.source)
        order = Order(self.source.word())
        foreseen = Odds(self.judge, order.outcomes).win(state).low >= 1
        end = self._played(state, order, self._choice if foreseen else self._free_move)
        if self.judge.stopped or end is None:
            return False
        self.samples += 1
        self.foreseen += foreseen
        self.played += end.win
        self._total += end.total or 0
        return True

    def result(self) -> Sampled:
        """What the samples say; ValueError if there are none."""
        if not self.samples:
            raise ValueError("nothing was sampled")
        low, _ = wilson(self.played, self.samples)
        _, high = wilson(self.foreseen, self.samples)
        return Sampled(self.samples, self.played, self.foreseen, low, high, self._total / self.samples)

    def _played(self, state: State, order: Order, choice: Callable[[State], Action | None]) -> Now | None:
        """How a turn ends that is played without knowing the order; None if the work was ended."""
        while True:
            outcomes = order.outcomes(state)
            if outcomes:
                state = self.judge.draw(state, outcomes[0][0])
                continue
            action = choice(state)
            if action is None:
                break
            state, _ = play(self.judge.table, state, action)
        if state.todo or state.phase != "prepare":
            return Now(False, None)
        return self.judge.now(state)

    def _free_move(self, state: State) -> Action | None:
        """A move that costs nothing and asks for no choice: what there is to draw for nothing is drawn."""
        for action in self.judge.moves(state):
            if action.kind == "use" and action.b:
                slot, _ = find(state, action.a)
                ability = self.judge.table.book[slot.face].dungeon[action.b - 1]
                if not ability.cost and all(op.op == "draw" for op in ability.instant):
                    return action
        return next(self.judge.moves(state), None) if state.todo else None

    def _choice(self, state: State) -> Action | None:
        """What is done in this position, None for attacking now: always the same, and blind to the order."""
        key = key_of(state)
        if key not in self._choices:
            self._choices[key] = self._chosen(state)
        return self._choices[key]

    def _chosen(self, state: State) -> Action | None:
        if not state.todo and state.phase == "prepare":
            now = self.judge.now(state)
            if now is None or now.win:
                return None
        free = self._free_move(state)
        if free is not None and not state.todo:
            return free
        options = list(self.judge.moves(state))
        if len(options) < 2:
            return options[0] if options else None
        orders = [Order(stir(hash_of(state) + number)) for number in range(IMAGINED)]
        worths = [sum(self._imagined(state, option, order) for order in orders) for option in options]
        return options[max(range(len(options)), key=lambda place: (worths[place], -place))]

    def _imagined(self, state: State, option: Action, order: Order) -> Fraction:
        after, _ = play(self.judge.table, state, option)
        return Odds(self.judge, order.outcomes).win(after).low


def hash_of(state: State) -> int:
    """A number that depends on the position and on nothing else, the same in every run."""
    found = 0
    for letter in repr(key_of(state)).encode():
        found = (found * 257 + letter) % 2**64
    return found
