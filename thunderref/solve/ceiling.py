"""What the search need not look at: positions that cannot lead to a better line than the one it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from thunderref.engine.hall import is_monster
from thunderref.engine.legal import targets
from thunderref.engine.readings import CONVERTED_WEAPON, COUNTED_SPELLS, IDLE_WEAPONS, THROWN_SPEAR, WHEN_COUNTED
from thunderref.engine.state import Foe, State, Table, hand_key
from thunderref.engine.totals import health
from thunderref.solve.bound import Aimed, aimed, most
from thunderref.solve.holding import FAR, Holding, frugal, holding
from thunderref.solve.sacrifice import least_loss, least_splurge, most_without, needed_losses
from thunderref.solve.score import Score, losses
from thunderref.solve.surroundings import Surroundings, wounds_kill

Place = tuple[Foe, int, int]
"""A target where it stands: the monster, its rank, its place in rank 0."""
ENDLESS = 10**6
HARMLESS = frozenset({"discard-any", "destroy", "draw"})
"""Tasks that only take cards from the hand or add known ones, so that a bound on the hand holds while they wait."""
UNBOUND = frozenset({CONVERTED_WEAPON, COUNTED_SPELLS, IDLE_WEAPONS, THROWN_SPEAR, WHEN_COUNTED})
"""Readings by which a battle may come to more than the bounds allow for."""


class Reach(NamedTuple):
    """What a hand can come to against a target at most, whatever its Health, and what that costs at least."""

    total: int
    magic: bool
    """True if it may have the Magic Attack that a victory needs."""
    saved: int
    """The total if nothing of worth is destroyed for it."""
    saved_magic: bool
    lost: tuple[int, int]
    splurge: tuple[int, int]
    """What is lost beside at least with the first thing of worth destroyed."""
    without: int
    """The total if a card leaves the hand that would be lost or matters."""
    kept: tuple[int, int]
    """What is lost at least if none does."""


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
        self.prunes = prunes and start.world is None and not table.readings & UNBOUND
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
        self._kills = wounds_kill(table, start)
        self._guarded = any(spec.kind == "guardian" for spec in coming)
        """A guardian steps out of the hall by itself, so more than one rank may fall free."""
        self._hands: dict[int, Holding] = {}
        self._reaches: dict[tuple[int, str, int, bool], Reach | None] = {}
        self._aims: dict[tuple[str, int], Aimed] = {}
        self._places: dict[Any, tuple[Place, ...]] = {}
        self._last: Place | None = None

    def hopeful(self, state: State, found: Lines) -> bool:
        """False if no line through this state of preparation is better than the ones found."""
        if not self.prunes or not all(task.name in HARMLESS for task in state.todo):
            return True
        hand = self._holding(state)[1]
        if hand.open:
            return True
        places = self._may_come(state, hand)
        if self._last in places:  # where there was hope before there may be some still
            places = (self._last, *places)
        left = self.open_aims(state, places, found, most=1)
        if left:
            self._last = left[0][0]
        return bool(left)

    def _may_come(self, state: State, hand: Holding) -> tuple[Place, ...]:
        """The targets that may be attacked now or, if monsters may still be moved, later."""
        shifts = (FAR if self._guarded else hand.shifts) if hand.moves else -1
        key = (state.hall, state.rank0, state.dungeon, shifts, hand.orders)
        if key not in self._places:
            places = [(foe, rank, place) for rank, place, foe in targets(state)]
            if shifts >= 0:
                for there, foe in enumerate(state.hall, 1):
                    ranks = (1, 2, 3) if hand.orders else range(there - 1, max(0, there - 1 - shifts), -1)
                    places += [(foe, rank, 0) for rank in ranks]
                places += [(Foe(card), rank, 0) for card in dict.fromkeys(state.dungeon) for rank in (3, 2, 1)]
                if self._guarded:
                    places += [(foe, 0, 0) for foe in (*state.hall, *(Foe(card) for card in state.dungeon))]
            wanted = [place for place in dict.fromkeys(places) if is_monster(self.table, place[0])]
            self._places[key] = tuple(place for place in wanted if self.only in (None, place[0].card))
        return self._places[key]

    def open_aims(
        self, state: State, places: Iterable[Place], found: Lines, most: int = 99, settled: Surroundings | None = None
    ) -> list[tuple[Place, Score]]:
        """Those of the targets, so many at most, against which a better line may come, each with its ceiling.

        With ``settled``, the surroundings, nothing is used any more but what can wait until everything that happens at
        once is over.
        """
        key, hand = self._holding(state, settled)
        if hand.open or not self.prunes:
            return [(place, (ENDLESS,)) for place in places]
        standing = {(rank, foe) for rank, _, foe in targets(state)}
        lost = losses(self.table, (card for card, _ in state.destroyed))
        left = []
        for aim in places:
            foe, rank, _ = aim
            reach = self._reach(key, hand, foe, rank, moved=hand.moves and (rank, foe) not in standing)
            if reach is None:
                continue
            ceiling = self._ceiling(reach, health(self.table, state, foe) - hand.wounds, lost)
            if self.is_open(aim, ceiling, found):
                left.append((aim, ceiling))
                if len(left) == most:
                    break
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

    def _holding(self, state: State, settled: Surroundings | None = None) -> tuple[int, Holding]:
        deck = state.deck if settled is None else settled.late_apart
        waiting = tuple(task.name for task in state.todo)
        key = hash((hand_key(state), deck, state.gone, state.pool, state.spell_used, waiting))
        hand = self._hands.get(key)
        if hand is None:
            waits = None if settled is None else settled.waits
            hand = self._hands[key] = holding(self.table, state, kills=self._kills, settled=waits)
        return key, hand

    def _ceiling(self, reach: Reach, needed: int, lost: tuple[int, int]) -> Score:
        """The worth that no line exceeds."""
        victory = int(reach.total >= needed and reach.magic)
        if self.goal == "max":
            vp, cost = reach.kept if reach.without < reach.total else reach.lost
            return (reach.total, victory, -vp - lost[0], -cost - lost[1], reach.total - needed)
        saved_victory = int(reach.saved >= needed and reach.saved_magic)
        vp, cost = reach.kept
        margin = reach.saved - needed
        if victory and not saved_victory:
            vp, cost = vp + reach.splurge[0], cost + reach.splurge[1]
            margin = reach.total - needed
        ceiling = (victory, -vp - lost[0], -cost - lost[1], margin)
        if reach.kept == reach.lost:
            return ceiling
        other = int(reach.without >= needed and reach.magic)
        return max(ceiling, (other, -reach.lost[0] - lost[0], -reach.lost[1] - lost[1], reach.without - needed))

    def _reach(self, key: int, hand: Holding, foe: Foe, rank: int, *, moved: bool) -> Reach | None:
        place = (key, foe.card, rank, moved)
        if place not in self._reaches:
            spec = self.table.book[foe.card]
            if (foe.card, rank) not in self._aims:
                self._aims[foe.card, rank] = aimed(spec, rank)
            self._reaches[place] = self._reached_by(hand, self._aims[foe.card, rank], moved=moved)
        return self._reaches[place]

    def _reached_by(self, hand: Holding, aim: Aimed, *, moved: bool) -> Reach | None:
        """What the hand can come to; where only weapons that go with it move the monster, without one of them."""
        kinds = list(dict.fromkeys(spec for spec, _, _ in hand.paid))
        if not moved or not all(spec.is_weapon for spec in kinds):
            return self._reached(hand, aim, moved=moved)
        ways = [self._reached(hand.without_weapon(spec), aim, moved=True) for spec in kinds]
        found = [way for way in ways if way is not None]
        if len(found) < 2:
            return found[0] if found else None
        return Reach(
            max(way.total for way in found),
            any(way.magic for way in found),
            max(way.saved for way in found),
            any(way.saved_magic for way in found),
            min(way.lost for way in found),
            min(way.splurge for way in found),
            max(way.without for way in found),
            min(way.kept for way in found),
        )

    def _reached(self, hand: Holding, aim: Aimed, *, moved: bool) -> Reach | None:
        if aim.spell_bar and (hand.spell_used or (moved and all(spec.is_spell for spec, *_ in hand.paid))):
            return None
        highest = most(hand, aim)
        if highest is None:
            return None
        saving, needed, splurge, without = highest, [], (0, 0), highest[0]
        spilled = self._spills * hand.movers
        if self.goal == "win" and hand.frugal and hand.splurges:
            saving = most(frugal(hand, aim.foe), aim) or (0, False)
            splurge = least_splurge(hand, aim.foe)
        elif self.goal == "max":
            needed = needed_losses(hand, aim, highest[0])
        lost, kept = (
            least_loss(hand, aim, moved=moved, spilled=spilled, stays=stays, needed=needed) for stays in (False, True)
        )
        if lost != kept:
            without = most_without(hand, aim, highest[0], spilled)
        needs = any(trait.op == "needs-magic" for trait in aim.foe.traits)
        return Reach(
            highest[0], highest[1] or not needs, saving[0], saving[1] or not needs, lost, splurge, without, kept
        )
