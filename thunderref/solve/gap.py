"""Why a target cannot be beaten: how much is missing at best, and what more would do.

Nothing is a canned phrase: the position is solved again for the highest total, and once more with each thing added
that a player can do something about: a point of Light, Strength for one hero, one card more, a Disease less, another
rank. Of each the smallest amount that wins is told.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from thunderref.engine.book import Book
from thunderref.engine.hall import RANKS
from thunderref.engine.hand import replaced, with_card
from thunderref.engine.legal import targets
from thunderref.engine.party import party_of
from thunderref.engine.state import THROWN, Ref, Slot, State, Table
from thunderref.engine.values import replace
from thunderref.model.effect import Bonus, Instead
from thunderref.solve.best import Found, Search
from thunderref.solve.budget import Budget, Tick
from thunderref.solve.moves import alike
from thunderref.solve.score import Score

MOST_STATES = 1_000
"""With one thing added this many states are searched; a win found later than that is not told."""
ALL_STATES = 4_000
"""All the searches for what is missing together; what is not tried by then is not told."""
MOST_POINTS = 16
FEW = 4
"""So many ways besides cards are told, those that ask for the least."""
BOON = "+boon"
"""The id of what is added: no card, out of reach of every effect (as a thrown weapon is), with figures of its own."""
NOTHING = "disease"
"""A card without figures and effects: what a boon is made from."""
DEFEAT = Found((0, sys.maxsize), (), ())
"""Better than any line that does not win."""
ORDER = ("light", "strength", "magic_attack", "attack", "disease", "rank")


class Help(NamedTuple):
    """One thing more that would win: ``n`` points of ``what``, for a hero and his weapon, or another ``rank``."""

    what: str
    n: int = 1
    hero: str | None = None
    weapon: str | None = None
    rank: int | None = None


def shortfall(table: Table, state: State, monster: str, budget: Budget, share: float = 1.0) -> tuple[int, int] | None:
    """The highest total against a monster and its Health at that moment; None if it cannot be attacked or is beaten.

    None too if that takes longer than its share of the budget.
    """
    search = Search(table, "max", tick=budget.searching(share), trims=False)
    search.run(state, only=monster)
    if search.interrupted:
        budget.end()
    if not search.found or not search.complete or any(found.worth[1] for found in search.found.values()):
        return None
    best = max(search.found.values(), key=lambda found: found.worth)
    return best.worth[0], best.worth[0] - best.worth[-1]


def least_penalty(table: Table, state: State, monster: str, rank: int, left: int, tick: Tick) -> int:
    """The least light penalty that any preparation leaves against a monster at this rank, ``left`` if none helps.

    So many points of Light as are left would do: the smallest number that lets him be attacked there.
    """
    for n in range(1, left):
        search = Search(_with_boon(table, light=n), "max", budget=MOST_STATES, tick=tick, trims=False)
        search.run(replace(state, hand=(*state.hand, Slot(BOON, flags=THROWN))), only=monster)
        if (monster, rank) in search.found:
            return n
        if not search.complete:
            break
    return left


class Gap:
    """What is missing against one monster; ``short`` is None where it may not be attacked at all."""

    def __init__(
        self, table: Table, state: State, monster: str, short: int | None, budget: Budget, share: float = 1.0
    ) -> None:
        self.table = table
        self.state = state
        self.monster = monster
        self.short = short
        self.budget = budget
        self.tick = budget.searching(share)
        self.left = ALL_STATES

    def cards(self, cards: Iterable[str]) -> list[str]:
        """Those of ``cards`` of which one more in the hand beats the monster."""
        return [card for card in dict.fromkeys(cards) if self._wins(self.table, with_card(self.state, card))]

    def helps(self) -> list[Help]:
        """What else would win, the least first."""
        found = [*self._points(), *self._strength(), *self._other()]
        if len(found) > 1:  # as many as are short is no news
            found = [more for more in found if (more.what, more.n) != ("attack", self.short)]
        found.sort(key=lambda more: (more.n, ORDER.index(more.what)))
        return found[:FEW]

    # one more of a figure

    def _points(self) -> Iterator[Help]:
        short = self.short or 0
        ranks = [rank for rank, _, foe in targets(self.state) if foe.card == self.monster]
        penalty = max(ranks, default=0) + self.table.book[self.monster].light_penalty
        light = self._least("light", -(-short // 2), penalty)
        if light is not None:
            yield Help("light", light)
        if self.short is None:
            return
        attack = self._least("attack", short, 2 * short + 1) if short else None
        if attack is not None:
            yield Help("attack", attack)
        magic = self._least("magic_attack", 1, max(1, min(attack or MOST_POINTS, 2 * short + 1)))
        if magic is not None and magic != attack:
            yield Help("magic_attack", magic)

    def _least(self, stat: str, low: int, high: int) -> int | None:
        """The smallest number of points from ``low`` to ``high`` that wins; None if ``high`` does not."""
        return _smallest(max(1, low), min(high, MOST_POINTS), lambda n: self._wins_with(stat, n))

    def _wins_with(self, stat: str, n: int) -> bool:
        table = _with_boon(self.table, **{stat: n})
        return bool(self._wins(table, replace(self.state, hand=(*self.state.hand, Slot(BOON, flags=THROWN)))))

    # Strength for one hero

    def _strength(self) -> Iterator[Help]:
        party = party_of(self.table, self.state)
        weapons = {slot.card for slot in self.state.hand} | set(self.state.deck)
        specs = [self.table.book[card] for card in sorted(weapons) if self.table.book[card].is_weapon]
        wanted = [spec.weight for spec in specs] + [
            op.when.strength or 0 for spec in specs for op in spec.passive if isinstance(op, Instead)
        ]
        wanted += [getattr(t, "strength_below", None) or 0 for t in self.table.book[self.monster].traits]
        like = alike(self.state)
        seen = set()
        for hero in party.heroes:
            most = max((n - party.strength(hero) for n in wanted), default=0)
            if most < 1 or like[hero.ref] in seen:
                continue
            seen.add(like[hero.ref])
            lines: dict[int, Found] = {}
            least = _smallest(1, most, partial(self._wins_stronger, hero.ref, lines))
            if least is not None:
                held = [
                    action.a[0]
                    for action in lines[least].preparation
                    if action.kind == "equip" and action.b == hero.ref
                ]
                yield Help("strength", least, hero.card, held[0] if len(held) == 1 else None)

    def _wins_stronger(self, ref: Ref, lines: dict[int, Found], n: int) -> bool:
        table = _with_boon(self.table, strength=n)
        hero = next(slot for slot in self.state.hand if slot.ref == ref)
        stronger = replace(hero, marks=tuple(sorted((*hero.marks, (BOON, 0)))))
        found = self._wins(table, replaced(self.state, ref, stronger), trims=True)
        if found is not None:
            lines[n] = found
        return found is not None

    # other things

    def _other(self) -> Iterator[Help]:
        sick = next((slot for slot in self.state.hand if self.table.book[slot.card].kind == "disease"), None)
        if sick is not None:
            hand = tuple(slot for slot in self.state.hand if slot != sick)
            if self._wins(self.table, replace(self.state, hand=hand)):
                yield Help("disease")
        places = [rank for rank, foe in enumerate(self.state.hall, 1) if foe.card == self.monster]
        for rank in range(1, len(self.state.hall) + 1) if len(places) == 1 else ():
            if rank != places[0] and self._wins(self.table, _swapped(self.state, places[0], rank)):
                yield Help("rank", 1, rank=rank)
                return

    def _wins(self, table: Table, state: State, *, trims: bool = False) -> Found | None:
        """A line that beats the monster, the first one found; None if none was found within the limits."""
        if self.left <= 0:
            return None
        search = Search(
            table, "win", budget=min(MOST_STATES, self.left), tick=self._goes_on, enough=_beats, trims=trims
        )
        search.found = {(self.monster, rank): DEFEAT for rank in range(RANKS + 1)}  # only what may win is looked at
        search.run(state, only=self.monster)
        self.left -= search.states
        if search.interrupted:
            self.budget.end()
            self.left = 0
        return next((found for found in search.found.values() if _beats(found.worth)), None)

    def _goes_on(self, states: int) -> bool:
        """False once the time is up: then nothing more is tried."""
        if self.tick(states):
            return True
        self.left = 0
        return False


def _beats(worth: Score) -> bool:
    return bool(worth[0])


def _smallest(low: int, high: int, wins: Callable[[int], bool]) -> int | None:
    """The smallest number from ``low`` to ``high`` that wins, if more never hurts; None if ``high`` does not win."""
    if low > high or not wins(high):  # to see that nothing helps is the dearest: once is enough
        return None
    if low == high or wins(low):
        return low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wins(middle) else (middle, high)
    return high


def _swapped(state: State, rank: int, other: int) -> State:
    hall = list(state.hall)
    hall[rank - 1], hall[other - 1] = hall[other - 1], hall[rank - 1]
    return replace(state, hall=tuple(hall))


def _with_boon(table: Table, *, light: int = 0, attack: int = 0, magic_attack: int = 0, strength: int = 0) -> Table:
    """The table with something that is no card but gives these figures, or Strength to the hero who bears its mark."""
    bonus = (Bonus(op="bonus", stat="strength", amount=strength, to="chosen"),) if strength else ()
    boon = dataclasses.replace(
        table.book[NOTHING],
        id=BOON,
        kind="boon",
        types=frozenset(),
        passive=bonus,
        light=light,
        attack=attack,
        magic_attack=magic_attack,
    )
    book = Book([])
    book.specs = {**table.book.specs, BOON: boon}
    return replace(table, book=book)
