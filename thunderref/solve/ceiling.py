"""What the search need not look at: positions that cannot lead to a better line than the one it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Protocol

from thunderref.engine.hall import is_monster
from thunderref.engine.legal import targets
from thunderref.engine.readings import COUNTED_SPELLS, THROWN_SPEAR, WHEN_COUNTED
from thunderref.engine.state import Foe, State, Table, hand_key
from thunderref.engine.totals import health
from thunderref.solve.bound import Aimed, aimed, least_loss, most
from thunderref.solve.holding import Holding, holding
from thunderref.solve.score import Score, losses

Place = tuple[Foe, int, int]
"""A target where it stands: the monster, its rank, its place in rank 0."""
ENDLESS = 10**6
UNBOUND = frozenset({COUNTED_SPELLS, THROWN_SPEAR, WHEN_COUNTED})
"""Readings by which a battle may come to more than the bounds allow for."""


class Worthy(Protocol):
    """Whatever has a worth."""

    @property
    def worth(self) -> Score:
        """How good the line is."""
        ...


Lines = Mapping[tuple[str, int], Worthy]
"""The best lines so far by card and rank."""


class Ceilings:
    """The highest worth that can still be reached from a state, against every target it may come to."""

    def __init__(self, table: Table, goal: str, start: State, only: str | None, *, prunes: bool = True) -> None:
        self.table = table
        self.goal = goal
        self.only = only
        self.prunes = prunes and not table.readings & UNBOUND
        standing = [(foe.card, rank) for rank, _, foe in targets(start)]
        cards = Counter(card for card, _ in standing)
        self._home = {card: rank for card, rank in standing if cards[card] == 1}
        """Where a monster stands of which there is one; of twins each is judged for itself."""
        self._twins = {card for card, n in cards.items() if n > 1}
        book = table.book
        coming = [book[card] for card in (*cards, *start.dungeon) if card in book]
        self._spills = sum(
            1 if spec.trap else sum(op.amount for op in spec.breach if op.op == "everyone-discards") for spec in coming
        )
        """Cards that may be lost at most whenever monsters are moved."""
        self._hands: dict[int, Holding] = {}
        self._most: dict[tuple[int, str, int, bool], tuple[int, bool] | None] = {}
        self._aims: dict[tuple[str, int], Aimed] = {}

    def hopeful(self, state: State, found: Lines) -> bool:
        """False if no line through this state of preparation is better than the ones found."""
        if not self.prunes:
            return True
        hand = self._holding(state)[1]
        if hand.open:
            return True
        places: Iterable[Place] = [(foe, rank, place) for rank, place, foe in targets(state)]
        if hand.moves:
            coming = [*state.hall, *(Foe(card) for card in dict.fromkeys(state.dungeon))]
            places = [*places, *((foe, rank, 0) for foe in coming for rank in (1, 2, 3))]
            places += [(foe, 0, 0) for foe in coming if is_monster(self.table, foe)]
        return bool(self.open_aims(state, places, found))

    def open_aims(self, state: State, places: Iterable[Place], found: Lines) -> list[tuple[Place, Score]]:
        """Those of the targets against which a better line may come, each with the worth it cannot exceed."""
        left = []
        for foe, rank, place in dict.fromkeys(places):
            if not is_monster(self.table, foe) or self.only not in (None, foe.card):
                continue
            ceiling = self._ceiling(state, foe, rank)
            if ceiling is not None and self.is_open((foe, rank, place), ceiling, found):
                left.append(((foe, rank, place), ceiling))
        return left

    def is_open(self, aim: Place, ceiling: Score, found: Lines) -> bool:
        """True if a line worth as much as the ceiling would be a better one against this target.

        Of a monster that can be met at several ranks only the best rank counts, among equals the one where it stands.
        """
        card, rank = aim[0].card, aim[1]
        here = found.get((card, rank))
        if here is not None and ceiling <= here.worth:
            return False
        if card in self._twins:
            return True
        for other in range(4):
            there = found.get((card, other))
            if there is not None and (
                ceiling < there.worth or (ceiling == there.worth and rank != self._home.get(card))
            ):
                return False
        return True

    def _holding(self, state: State) -> tuple[int, Holding]:
        key = hash((hand_key(state), state.deck, state.gone, state.pool))
        hand = self._hands.get(key)
        if hand is None:
            hand = self._hands[key] = holding(self.table, state)
        return key, hand

    def _ceiling(self, state: State, foe: Foe, rank: int) -> Score | None:
        """The worth that no line from here exceeds against this target; None if it cannot be attacked."""
        key, hand = self._holding(state)
        if hand.open or not self.prunes:
            return (ENDLESS,)
        highest = self._highest(key, hand, foe, rank, frugal=False)
        if highest is None:
            return None
        moved = hand.moves and all((there, other) != (rank, foe) for there, _, other in targets(state))
        needed = health(self.table, state, foe) - hand.wounds
        vp, cost = losses(self.table, (card for card, _ in state.destroyed))
        more = least_loss(hand, self.table.book[foe.card], moved=moved, spilled=self._spills * hand.movers)
        vp, cost = vp + more[0], cost + more[1]
        total, victory = self._judged(highest, needed, foe)
        if self.goal == "max":
            return (total, victory, -vp, -cost, total - needed)
        if hand.frugal:
            saving = self._highest(key, hand, foe, rank, frugal=True)
            if saving is not None:
                saved, saved_victory = self._judged(saving, needed, foe)
                if saved_victory or not victory:
                    return (saved_victory, -vp, -cost, saved - needed)
        return (victory, -vp, -cost, total - needed)

    def _judged(self, highest: tuple[int, bool], needed: int, foe: Foe) -> tuple[int, int]:
        total, magic = highest
        needs_magic = any(trait.op == "needs-magic" for trait in self.table.book[foe.card].traits)
        return total, int(total >= needed and (magic or not needs_magic))

    def _highest(self, key: int, hand: Holding, foe: Foe, rank: int, *, frugal: bool) -> tuple[int, bool] | None:
        place = (key, foe.card, rank, frugal)
        if place not in self._most:
            if (foe.card, rank) not in self._aims:
                self._aims[foe.card, rank] = aimed(self.table.book[foe.card], rank)
            self._most[place] = most(hand, self._aims[foe.card, rank], frugal=frugal)
        return self._most[place]
