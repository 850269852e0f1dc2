"""What a relaxed hand reaches against one target, with the weapons where they give most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from thunderref.thunderstone.resolve.battles import battles
from thunderref.thunderstone.resolve.objective import NOTHING, Loss, losses
from thunderref.thunderstone.rules.battle_value import bar, totals
from thunderref.thunderstone.rules.choices import Attack
from thunderref.thunderstone.rules.effects.battle import decided
from thunderref.thunderstone.rules.explanation import Term, Totals, fold
from thunderref.thunderstone.rules.figures import free_terms, hero_terms
from thunderref.thunderstone.rules.hall import RANKS
from thunderref.thunderstone.rules.hand import in_play, revealed
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import FLEETING, FORGONE, Foe, Position, Ref, Slot, Target
from thunderref.thunderstone.rules.values import replace

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.relaxation import Relaxed

Likeness = tuple[str, str, bool]
"""A card of the hand, the card it copies, and whether it holds a weapon; cards with the same likeness are equal."""
Figures = tuple[int, int, int]
"""Attack, Magic Attack and Light."""
Pairs = tuple[tuple[Ref, Ref], ...]
"""Weapons and the heroes they are given to."""
MANY = 1024
"""Points of a figure beside which nothing else counts; a power of two, because totals are halved."""


class Reach:
    """What a relaxed hand reaches against one target, weapons in anybody's hands.

    A total rises with Attack, Magic Attack and Light, so the worth of one point of each gives it: the engine computes
    the total of very many points, and of twice as many.
    """

    def __init__(self, hand: Relaxed, foe: Foe, rank: int) -> None:
        self.hand = hand
        self.foe = foe
        self.target, self._asks = hand.relaxation.target(foe, rank)
        self._lost: tuple[Loss, dict[Likeness, Loss]] | None = None
        self._left: dict[frozenset[Ref], float] = {}
        """Cards that are left -> what to add to the total with no weapon held."""
        free, given, light = self._added()
        heroic = [figures for own in given for ways in own.values() for figures in ways]
        possible = any(figures[1] > 0 for figures in (*free.values(), *heroic))
        top = MANY if possible else 0
        self._many = (MANY, top, light)
        start = self._total(rank, MANY, top, light)
        self.victory = start.victory
        """True if a high enough total wins."""
        point = (self._total(rank, 2 * MANY, top, light).total - start.total) / MANY
        magic_point = (self._total(rank, MANY, 2 * top, light).total - start.total) / MANY if possible else 0.0
        values = [
            {n: max([point * a + magic_point * m for a, m, _ in ways]) for n, ways in own.items()} for own in given
        ]
        parts = {ref: point * a + magic_point * m for ref, (a, m, _) in free.items()}
        self._parts = parts | {hero: own[0] for hero, own in zip(hand.heroes, values, strict=True)}
        """Card -> what it adds with no weapon held, if it is a hero."""
        self._more = sum(self._parts.values()) - point * MANY - magic_point * top
        self._bases = {rank: start.total + self._more}
        self.gains = [{n: value - own[0] for n, value in own.items() if n} for own in values]
        """Hero -> what each kind of weapon adds."""

    def base(self, rank: int) -> float:
        """The total with no weapon held."""
        if rank not in self._bases:
            self.hand.arm()
            self._bases[rank] = self._total(rank, *self._many).total + self._more
        return self._bases[rank]

    def _added(self) -> tuple[dict[Ref, Figures], list[dict[int, list[Figures]]], int]:
        hand, target = self.hand, self.target
        bare = hand.parties[0][0]
        barring, forgone = self._barring() if target.spec.barred else (set(), set())
        parties = [self._fought([way[n] for way in hand.parties]) for n in range(len(hand.parties[0]))]
        helped = len(bare.attackers(target)) < len(hand.armed[0].attackers(target))  # the armed may help others
        given = [
            {
                n: [
                    fold(hero_terms(party, party.heroes[i], target))
                    for party in (self._fought(hand.others_armed(hand.heroes[i])) if helped and not n else parties[n])
                ]
                for n in able
                if n not in barring
            }
            for i, able in enumerate(hand.able)
        ]
        free = {
            slot.ref: fold(free_terms(bare, slot, target))
            for slot, spec in bare.free
            if not spec.is_hero and slot.ref not in forgone
        }
        light = sum([figures[2] for figures in free.values()])
        light += sum([max(figures[2] for figures in own[0]) for own in given])
        for n in hand.columns:
            light += max([own[n][0][2] - own[0][0][2] for own in given if n in own], default=0)
        return free, given, light

    def _barring(self) -> tuple[set[int], set[Ref]]:
        """The weapons and the cards that alone bar the target."""
        hand, target = self.hand, Target(self.target.spec, self.target.rank, None)

        def is_barred(n: int, kept: Ref | None = None) -> bool:
            state = hand.parties[0][n].state
            slots = [
                replace(slot, flags=slot.flags | FORGONE)
                if hand.game.cards[slot.face].forgoable and slot.ref != kept
                else slot
                for slot in state.hand
            ]
            return bar(Party(hand.game, replace(state, hand=tuple(slots))), target) is not None

        if is_barred(0):
            return set(), set()
        cards = [slot.ref for slot, spec in hand.parties[0][0].free if spec.forgoable]
        return set(filter(is_barred, hand.columns)), {ref for ref in cards if is_barred(0, ref)}

    def _fought(self, parties: list[Party]) -> list[Party]:
        if not self._asks:
            return parties
        fought, rank = self.hand.relaxation.fought, self.target.rank
        return [Party(party.game, end) for party in parties for end in fought(party.state, self.foe, rank)[0]]

    def _total(self, rank: int, attack: int, magic: int, light: int) -> Totals:
        party, target = self.hand.armed[0], self.hand.relaxation.target(self.foe, rank)[0]
        weaken = None if target.battle is None else target.battle.weaken
        party.terms[target.spec.id, target.rank, weaken] = (Term("figures", "", attack, magic, light),)
        return totals(party, target, self.foe)

    def lost(self, state: Position) -> Loss:
        """The least that the battle destroys of the hand of ``state``, from which this hand was made."""
        if self._lost is None:
            self._lost = self._losing()
        least, victims = self._lost
        if not (self.hand.follows or self.hand.costly):
            return least
        there = sum(
            [_likeness(slot) in victims and in_play(slot) and not slot.flags & FLEETING for slot in revealed(state)]
        )
        return min(victims.values()) if there > self.hand.leaving else NOTHING

    def _losing(self) -> tuple[Loss, dict[Likeness, Loss]]:
        """The least that this hand loses in the battle; card -> loss, for the cards of which it loses at least one."""
        hand, game = self.hand, self.hand.game
        if hand.relaxation.around.strongest and (hand.follows or hand.gifts):  # not known yet who that is
            return NOTHING, {}
        hand.arm()
        attack = Attack(self.target.rank, 0)
        ends = [
            decided(game, end)[1]
            for party in (hand.armed if hand.heroes else [hand.parties[0][0]])
            for end, _ in battles(game, replace(party.state, hall=(self.foe,) * RANKS, rank0=(self.foe,)), attack)
        ]
        before = {slot.ref: _likeness(slot) for slot in revealed(hand.whole)}
        lost = {ref for refs in ends for ref in refs} if all(ends) else set()
        victims = {before.get(ref, (ref[0], "", False)): losses(game, ref[:1]) for ref in lost}
        return min(losses(game, [card for card, _ in refs]) for refs in ends), victims

    def most(self, rank: int, cards: frozenset[Ref] | None = None) -> float:
        """The total with the weapons where they give most; with ``cards`` as if all others were gone.

        If some of ``cards`` are new, all cards count.
        """
        if cards is None or not cards <= self.hand.refs:
            cards = self.hand.refs
        if cards not in self._left:
            gone = [value for ref, value in self._parts.items() if ref not in cards]
            self._left[cards] = self._matched(cards) - sum(gone)
        return self.base(rank) + self._left[cards]

    def _matched(self, cards: frozenset[Ref]) -> float:
        """The most that these weapons add in the hands of these heroes."""
        best = {0: 0.0}  # by the weapons given so far
        spare = [0.0] * len(self.hand.columns)
        there = [(place, n) for place, n in enumerate(self.hand.columns) if self.hand.weapons[place].ref in cards]
        for hero, own, many in zip(self.hand.heroes, self.gains, self.hand.many, strict=True):
            gains = [(place, own[n]) for place, n in there if own.get(n, 0) > 0] if hero in cards else []
            if many:
                for place, gain in gains:
                    spare[place] = max(spare[place], gain)
                continue
            following = dict(best)
            for taken, value in best.items():
                for place, gain in gains:
                    now = taken | 1 << place
                    if now != taken and value + gain > following.get(now, -1):
                        following[now] = value + gain
            best = following
        left = [value + sum([n for w, n in enumerate(spare) if not taken >> w & 1]) for taken, value in best.items()]
        return max(left)

    def armings(self, rank: int, is_wanted: Callable[[float], bool]) -> Iterator[Pairs]:
        """The ways to hand out the weapons whose total is wanted, each weapon first to the hero whom it helps most."""
        hand = self.hand
        rows: list[list[tuple[float, int]]] = []
        for n in hand.columns:
            gains = [(own[n], i) for i, own in enumerate(self.gains) if n in own]
            rows.append(sorted([*gains, (0.0, -1)], key=lambda each: (-each[0], each[1] < 0)))
        rest = [sum([row[0][0] for row in rows[place:]]) for place in range(len(rows) + 1)]

        def give(place: int, busy: frozenset[int], pairs: Pairs, total: float) -> Iterator[Pairs]:
            if not is_wanted(total + rest[place]):
                return
            if place == len(rows):
                yield pairs
                return
            for gain, hero in rows[place]:
                if hero < 0:
                    yield from give(place + 1, busy, pairs, total)
                elif hero not in busy:
                    now = busy if hand.many[hero] else busy | {hero}
                    pair = (hand.weapons[place].ref, hand.heroes[hero])
                    yield from give(place + 1, now, (*pairs, pair), total + gain)

        yield from give(0, frozenset(), (), self.base(rank))


def _likeness(slot: Slot) -> Likeness:
    return slot.card, slot.form, bool(slot.weapons)
