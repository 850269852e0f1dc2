"""Exact odds: the chance to beat a target with best play through every draw.

Only effects that draw, move monsters or otherwise change what is known are decided one by one; everything else
(rations, equipment, the battle itself) waits until no more is drawn, because it can always be done later with more
known and with the same choices open. The value of a state is 1 if the target can be beaten now, else the best
expectation over the effects that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from thunderref.engine.chance import chance_outcomes, drawn
from thunderref.engine.hand import find
from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, State, Table, key_of
from thunderref.engine.tasks import HANDLERS
from thunderref.engine.transition import advance, play
from thunderref.engine.values import replace
from thunderref.solve.best import Search
from thunderref.solve.moves import branching_moves, distinct_choices
from thunderref.solve.surroundings import Surroundings

Outcomes = Callable[[State], Sequence[tuple[str, Fraction]]]
"""What a waiting draw may bring, with probabilities; nothing if the state does not wait for chance."""
Goes = Callable[[int], bool]
"""Called with the number of positions judged so far; False ends the work."""
WIN, TOTAL = 0, 1


class Bounds(NamedTuple):
    """A value that lies between two numbers; they are equal if everything was weighed."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """True for a value that is known."""
        return self.low == self.high


def known(value: Fraction) -> Bounds:
    """A value that is known."""
    return Bounds(value, value)


NOTHING = known(Fraction(0))
ANYTHING = Bounds(Fraction(0), Fraction(1))


class Now(NamedTuple):
    """A position without further draws: whether the monster can be beaten, and the highest total, None if barred."""

    win: bool
    total: int | None


class Judge:
    """What positions are worth against one monster when no more is drawn; remembers all it has judged.

    ``goes`` may end the work: then :attr:`stopped` is True and nothing new is judged.
    """

    def __init__(self, table: Table, start: State, monster: str, goes: Goes | None = None) -> None:
        self.table = table
        self.monster = monster
        self.around = Surroundings(table, start)
        self.goes = goes
        self.stopped = False
        self._now: dict[Any, Now] = {}

    def resume(self, goes: Goes | None) -> None:
        """Takes up work again, to be ended by ``goes``."""
        self.goes = goes
        self.stopped = False

    @property
    def positions(self) -> int:
        """How many positions were judged."""
        return len(self._now)

    def now(self, state: State) -> Now | None:
        """Whether the monster can be beaten without drawing any more, and the highest total; None if stopped."""
        bare = replace(state, pool=None, pile=())
        key = key_of(bare)
        if key not in self._now:
            if self.stopped or not self._may_go_on(0):
                return None
            found = self._judged(bare)
            if found is None:
                return None
            self._now[key] = found
        return self._now[key]

    def _judged(self, state: State) -> Now | None:
        search = self._searched(state, "max")
        if search is None:
            return None
        worths = [found.worth for found in search.found.values()]
        win = any(worth[1] for worth in worths)
        if not win and any(worth[-1] >= 0 for worth in worths):  # high enough, but not with the magic it takes
            search = self._searched(state, "win")
            if search is None:
                return None
            win = any(found.worth[0] for found in search.found.values())
        return Now(win, max((worth[0] for worth in worths), default=None))

    def _searched(self, state: State, goal: str) -> Search | None:
        search = Search(self.table, goal, tick=self._may_go_on)
        search.run(state, only=self.monster, informs=False)
        if not search.complete:
            self.stopped = True
            return None
        return search

    def _may_go_on(self, _: int) -> bool:
        if not self.stopped and self.goes is not None and not self.goes(self.positions):
            self.stopped = True
        return not self.stopped

    def draw(self, state: State, card: str) -> State:
        """The state after the waiting draw brought ``card``."""
        ready, card = drawn(state, card)
        task = ready.todo[0]
        after = HANDLERS[task.name][1](self.table, replace(ready, todo=ready.todo[1:]), task, ("draw", card), [])
        return advance(self.table, after, [])

    def moves(self, state: State) -> Iterator[Action]:
        """The moves that change what is known, or that something waits for."""
        if state.phase != "prepare":
            return
        if state.todo:
            yield from distinct_choices(state, legal_actions(self.table, state))
            return
        for action in branching_moves(self.table, state, self.around):
            if self.around.use_protects or self.around.strength_matters or self._informs(state, action):
                yield action

    def _informs(self, state: State, action: Action) -> bool:
        if action.kind != "use" or action.b == 0:
            return False
        slot, _ = find(state, action.a)
        return bool(self.table.book[slot.face].dungeon[action.b - 1].instant)


class Odds:
    """The value of positions through every draw, or through the draws that ``outcomes`` tells of."""

    def __init__(self, judge: Judge, outcomes: Outcomes = chance_outcomes) -> None:
        self.judge = judge
        self.outcomes = outcomes
        self._known: tuple[dict[Any, Fraction], dict[Any, Fraction]] = ({}, {})

    def win(self, state: State) -> Bounds:
        """The probability of victory with best play; 0 if the monster cannot be attacked."""
        return self._value(state, WIN)

    def total(self, state: State) -> Fraction | None:
        """The expected battle value with play that aims at the highest one, 0 where no attack is possible.

        None if the work was ended before.
        """
        value = self._value(state, TOTAL)
        return value.low if value.exact and not self.judge.stopped else None

    def _value(self, state: State, what: int) -> Bounds:
        memo = self._known[what]
        key = key_of(state)
        if key in memo:
            return known(memo[key])
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

    def _decided(self, state: State, what: int) -> Bounds:
        """The best of attacking now and of every move that is left."""
        best = NOTHING if state.todo or state.phase != "prepare" else self._standing(state, what)
        for action in self.judge.moves(state):
            if self.judge.stopped:
                return Bounds(best.low, max(best.high, ANYTHING.high))
            if what == WIN and best.low >= 1:
                break
            value = self._value(play(self.judge.table, state, action)[0], what)
            best = Bounds(max(best.low, value.low), max(best.high, value.high))
        return best

    def _standing(self, state: State, what: int) -> Bounds:
        now = self.judge.now(state)
        if now is None:
            return ANYTHING
        return known(Fraction(int(now.win) if what == WIN else now.total or 0))
