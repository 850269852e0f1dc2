"""Exact odds: the chance to beat a target with best play through every draw.

Only effects that draw, move monsters or otherwise change what is known are decided one by one; everything else
(rations, equipment, the battle itself) waits until no more is drawn, because it can always be done later with more
known and with the same choices open. The value of a state is 1 if the target can be beaten now, else the best
expectation over the effects that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from thunderref.engine.chance import chance_outcomes, drawn
from thunderref.engine.hand import find
from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, Slot, State, Table, key_of
from thunderref.engine.tasks import HANDLERS
from thunderref.engine.transition import advance, play
from thunderref.errors import NoAnswerError
from thunderref.solve.best import Search
from thunderref.solve.moves import branching_moves, distinct_choices
from thunderref.solve.surroundings import Surroundings

MOST_POSITIONS = 20_000


class Odds:
    """The odds against one monster of the hall; remembers every position it has judged."""

    def __init__(self, table: Table, start: State, monster: str) -> None:
        self.table = table
        self.monster = monster
        self.around = Surroundings(table, start)
        self._wins: dict[Any, Fraction] = {}
        self._totals: dict[Any, Fraction] = {}
        self._now: dict[Any, tuple[bool, int | None]] = {}

    def win(self, state: State) -> Fraction:
        """The probability of victory with best play; 0 if the monster cannot be attacked."""
        return self._value(state, self._wins, lambda s: Fraction(int(self.now(s)[0])), Fraction(1))

    def total(self, state: State) -> Fraction:
        """The expected battle value with play that aims at the highest one; 0 where no attack is possible."""
        return self._value(state, self._totals, lambda s: Fraction(self.now(s)[1] or 0), None)

    def _value(self, state: State, memo: dict[Any, Fraction], now: Any, enough: Fraction | None) -> Fraction:
        key = key_of(state)
        if key in memo:
            return memo[key]
        if len(memo) > MOST_POSITIONS:
            raise NoAnswerError("odds-too-large", n=MOST_POSITIONS)
        outcomes = chance_outcomes(state)
        if outcomes:
            best = sum(
                (p * self._value(self._draw(state, card), memo, now, enough) for card, p in outcomes), Fraction(0)
            )
        else:
            best = Fraction(0) if state.todo or state.phase != "prepare" else now(state)
            for action in self._moves(state):
                if enough is not None and best >= enough:
                    break
                after, _ = play(self.table, state, action)
                best = max(best, self._value(after, memo, now, enough))
        memo[key] = best
        return best

    def _draw(self, state: State, card: str) -> State:
        ready, card = drawn(state, card)
        task = ready.todo[0]
        after = HANDLERS[task.name][1](self.table, ready._replace(todo=ready.todo[1:]), task, ("draw", card), [])
        return advance(self.table, after, [])

    def _moves(self, state: State) -> Iterator[Action]:
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

    def now(self, state: State) -> tuple[bool, int | None]:
        """Whether the monster can be beaten without drawing any more, and the highest total; None if it is barred."""
        key = key_of(state)
        if key not in self._now:
            known = state._replace(pool=None)
            search = Search(self.table, "max")
            search.run(known, only=self.monster, informs=False)
            worths = [found.worth for found in search.found.values()]
            win = any(worth[1] for worth in worths)
            if not win and worths:
                search = Search(self.table, "win")
                search.run(known, only=self.monster, informs=False)
                win = any(found.worth[0] for found in search.found.values())
            self._now[key] = (win, max((worth[0] for worth in worths), default=None))
        return self._now[key]


def first_hands(deck: list[str], size: int = 6) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every different opening hand of ``size`` cards from a shuffled deck with its probability."""
    counts = sorted(Counter(deck).items())
    total = comb(len(deck), size)
    for numbers in product(*(range(n + 1) for _, n in counts)):
        if sum(numbers) != size:
            continue
        ways = 1
        for (_, n), k in zip(counts, numbers, strict=True):
            ways *= comb(n, k)
        hand = tuple(card for (card, _), k in zip(counts, numbers, strict=True) for _ in range(k))
        yield hand, Fraction(ways, total)


def dealt(hand: tuple[str, ...]) -> tuple[Slot, ...]:
    """Cards as the slots of a revealed hand."""
    copies: Counter[str] = Counter()
    slots = []
    for card in hand:
        copies[card] += 1
        slots.append(Slot(card, copies[card]))
    return tuple(slots)
