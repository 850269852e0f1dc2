"""The best line of play: every preparation, every target, every choice in the battle.

The search continues where the ceiling (:mod:`upper_bound`) is highest, over the states of preparation that branch
(:func:`branching_moves`), always in the same order; of lines of equal worth the first found stays. States that differ
only in which of several equal copies they use are one state. Those seen are remembered by 64-bit digests, which in the
largest search allowed here take two states for one with a chance below one in a hundred million. Every use and weapon
that adds nothing to the worth of the line found is then taken out.

Two things besides equal copies (:mod:`battles`) keep the number of states small, and each is checked against a brute
force that knows none of them:

- what only adds to something and costs nothing (Battle Fury, Feast, a count of monsters) is used before every battle
  without branching, after everything that takes cards from the hand, so that it never keeps a card from being destroyed
  for something better (R4.2);
- weapons with which nothing happens at once are handed out last (:mod:`upper_bound`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from thunderref.budget import Tick
from thunderref.database.card_records import RANKS
from thunderref.database.operations import Destroy
from thunderref.thunderstone.resolve.battles import (
    Line,
    Loss,
    Score,
    distinct_choices,
    endings,
    fights,
    own_losses,
    rate,
)
from thunderref.thunderstone.resolve.upper_bound import Reach, Relaxation, is_barred_for_good
from thunderref.thunderstone.resolve.waiting import Surroundings, takes_late
from thunderref.thunderstone.rules.cards import Ability
from thunderref.thunderstone.rules.choices import Answer, Attack, Choice, Equip, Forgo, Use
from thunderref.thunderstone.rules.figures import health
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import all_slots, find, slots
from thunderref.thunderstone.rules.legal import attack_actions, legal_actions, play, targets
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import DISARMED, DISEASE, FORGONE, Foe, Position, key_of, replace
from thunderref.thunderstone.rules.readings import LOST_WEAPON

MOST_SEARCHED = 200_000
Aim = tuple[str, int]  # a target: card id and the rank where it is attacked
Head = tuple[Position, Line]  # the beginning of a line and the state it leads to
Reasons = dict[Reach, int]
"""Hands, one of which reaches at least as much as any line does, and what each needs to win."""
Hopes = dict[tuple[int, str], tuple[Score, Reasons]]
"""Highest worth of a line, and why, by rank and the monster there now or later."""


class _EnoughError(Exception):
    """The budget is used up, or the answer is known."""


@dataclass
class Found:
    """The best line against one target so far: preparation, then the attack with the choices before its outcome."""

    worth: Score
    preparation: Line
    battle: Line


WORST_WIN = Found(Score(0, False, sys.maxsize, 0, 0, 0, 0, 0), (), ())
"""Rates above any line that does not win, and below any that does: found before, only what may win is tried."""


@dataclass
class Search:
    """All best lines from one position, by target; ``complete`` is False if ``budget`` states were not enough."""

    game: Game
    goal: str
    budget: int = MOST_SEARCHED
    found: dict[Aim, Found] = field(default_factory=dict)  # the best line against each target
    states: int = 0
    complete: bool = True
    tick: Tick | None = None
    accepts: Callable[[Line], bool] | None = None  # True for the ways a battle may go that count; None for all
    trims: bool = True  # False to keep what adds nothing in the lines found
    wins_once: bool = False  # True to end once every target asked for is beaten, even if not by the best line
    wins_only: bool = False  # True to try nothing that cannot win
    undrawn: int | None = None  # with so many cards on the deck nothing is beaten, so no fight is tried
    rank: int | None = None  # the rank where alone the attack may be; None for any
    tidy: Tick | None = None  # called before each thing that may be taken out of a line; False keeps the rest
    interrupted: bool = False  # True once the player has interrupted the search
    _fought: set[tuple[int, Foe, int, int]] = field(default_factory=set)
    _looked: tuple[Position, bool, bool] | None = None  # what was looked around from last, and how

    def run(
        self,
        start: Position,
        only: Collection[str] | None = None,
        *,
        informs: bool = True,
        heads: Iterable[Head] | None = None,
    ) -> None:
        """Searches from ``start``, with ``only`` for attacks on these cards; an interrupt ends it with what it has.

        A search that runs again from the same start keeps what it knows of it, and the lines found.
        Without ``informs`` no effect that does something at once, such as drawing or moving monsters; with ``heads``,
        lines and the states they lead to, only what continues these, each requested once those before are done.
        """
        begun: list[Head] = []
        try:
            self._walk(start, heads, only, informs, begun)
        except (KeyboardInterrupt, _EnoughError) as end:
            self.complete = self.has_won
            self.interrupted = isinstance(end, KeyboardInterrupt)
        if not self.trims:
            return
        try:
            if not self.complete:
                self._fight_plainly(begun, only)
            for aim, found in self.found.items():
                kept = max(len(line) for _, line in begun if found.preparation[: len(line)] == line)
                self.found[aim] = self._cure_line(start, aim, self._trim_line(start, aim, found, kept))
        except KeyboardInterrupt:
            self.complete, self.interrupted = False, True

    def _fight_plainly(self, begun: Sequence[Head], only: Collection[str] | None) -> None:
        """If no line was found in time: fights from the first beginning, with nothing more done."""
        for state, line in begun[:1]:
            for rank, _, foe in targets(state) if state.phase == "prepare" and not state.todo else ():
                if (foe.card, rank) not in self.found and (only is None or foe.card in only):
                    found = self._fight_from(state, line, (foe.card, rank))
                    self.found |= {} if found is None else {(foe.card, rank): found}

    def _walk(
        self,
        start: Position,
        heads: Iterable[Head] | None,
        only: Collection[str] | None,
        informs: bool,
        begun: list[Head],
    ) -> None:
        """Searches on from every head, one after the other; ``begun`` collects the heads searched."""
        self._only = only
        if self._looked is None or self._looked[0] is not start or self._looked[1:] != (informs, heads is not None):
            self._look_around(start, informs, begun=heads is not None)
        seen: set[int] = set()
        for head in [(start, ())] if heads is None else heads:
            begun.append(head)
            self._walk_on(head, seen)

    def _look_around(self, start: Position, informs: bool, *, begun: bool) -> None:
        around = self._around = Surroundings(self.game, start, informs=informs)
        around.spills += begun  # a weapon may be held already: to lend frees the hands
        self.relaxation = Relaxation(self.game, around, wins_only=self.wins_only)
        unseen = start.pool is not None or start.left is not None  # then cards may come back out of a new deck (R2.2)
        returns = unseen or start.table is not None  # a hero may leave the hand and come back (R2.4)
        self._forgets = not (returns or LOST_WEAPON in self.game.readings)
        wins_once = self.wins_once and self.wins_only  # what cards of others are lost, or hunted, makes no difference
        described = start.table is None or (wins_once and start.table.described)
        self._prunes = described and not around.in_order
        self._prunes = self._prunes and not (unseen and (around.draws or around.brings))
        standing = [(foe.card, rank) for rank, _, foe in targets(start)]
        self._home = {card: rank for card, rank in standing if [card for card, _ in standing].count(card) == 1}
        self._twins = {card for card, _ in standing} - {*self._home}
        self._looked = (start, informs, begun)

    def _walk_on(self, head: Head, seen: set[int]) -> None:
        """Continue first where most may be reached, among equals from the longest line, so good ones come early."""
        queue: list[tuple[list[int], int, int, Head, Hopes | None]] = [([], 0, 0, head, None)]
        number = 0
        while queue:
            _, _, _, (state, line), among = heappop(queue)
            state = self._rearm(state)
            key = hash(key_of(state))
            if key in seen or state.phase == "end":
                continue
            seen.add(key)
            if drawn := self._draw_first(state):
                heappush(queue, ([], 0, 0, (drawn[0], (*line, *drawn[1])), among))
                continue
            among = self._keep_hopeful(state, among)
            if among == {}:
                continue
            self._count()
            begins = among is None and not state.todo
            if begins and (among := self.hopes(state, None)) == {}:
                continue
            moves = branching_moves(self.game, state, self._around)
            if not state.todo:
                among = self.hopes(state, among) if moves and not begins else among
                if among != {} and (self.undrawn is None or len(state.deck) < self.undrawn):
                    self._fight_all(state, line, among)
                    among = self._keep_hopeful(state, among)
            if among != {}:
                most = [] if not among else [-n for n in max(worth for worth, _ in among.values())]
                for after, way in self._make(state, moves):
                    number += 1
                    heappush(queue, (most, -len(line), number, (after, (*line, *way)), among))

    def _rearm(self, state: Position) -> Position:
        """The state blind to who lost a weapon, if that decides nothing: one of these states stands for all."""
        if not self._forgets or not any(slot.flags & DISARMED for slot in state.hand):
            return state
        return replace(state, hand=tuple([replace(slot, flags=slot.flags & ~DISARMED) for slot in state.hand]))

    def _draw_first(self, state: Position) -> Head | None:
        """Where an effect leads that only draws, if cards are awaited: to use it before any other is never worse."""
        waits = self.undrawn is not None and len(state.deck) >= self.undrawn and not state.todo
        for use in legal_actions(self.game, state) if waits else ():
            if isinstance(use, Use) and (ability := ability_of(self.game, state, use)) is not None:
                spec = self.game.cards[find(state, use.card)[0].face]
                if self._around.only_draws(spec, ability):
                    return play(self.game, state, use)[0], (use,)
        return None

    def _make(self, state: Position, moves: Iterable[Choice]) -> Iterator[Head]:
        """Where these moves lead; a weapon's immediate effects are tried as soon as a hero holds it."""
        game, around = self.game, self._around
        for action in moves:
            after, _ = play(game, state, action)
            if not isinstance(action, Equip) or around.in_order:
                yield after, (action,)
                continue
            then = [choice for choice in branching_moves(game, after, around) if isinstance(choice, Use)]
            if any(ability.before_refill for ability in game.cards[action.weapon[0]].dungeon):
                yield after, (action,)
            yield from ((play(game, after, use)[0], (action, use)) for use in then if use.card == action.weapon)

    def _keep_hopeful(self, state: Position, among: Hopes | None) -> Hopes | None:
        """The targets for which there is still hope with the cards that are left."""
        if among is None:
            return None
        among = {
            (rank, card): hope
            for (rank, card), hope in among.items()
            if self._is_better(hope[0], card, rank) and not is_barred_for_good(self.game, state, card, rank)
        }
        if state.todo:  # cards may still come back
            return among
        cards, lost, most = self.relaxation.cards(state), own_losses(self.game, state), self._most_prey(state)
        return {
            (rank, card): (worth, told)
            for (rank, card), (worth, told) in among.items()
            if any(
                self._is_better(self._highest(reach, reach.most(rank, cards), needed, lost, most), card, rank)
                for reach, needed in told.items()
            )
        }

    def hopes(self, state: Position, among: Hopes | None) -> Hopes | None:
        """The targets, at the ranks they may reach, against which a better line may follow; None: no telling."""
        if not self._prunes or self.relaxation.relax(state).open:
            return among
        found: Hopes = {}
        for rank, foe, hand, left, lost in self.relaxation.prospects(state):
            place = (rank, foe.card)
            if (among is None or place in among) and self._is_asked(foe, rank):
                if is_barred_for_good(self.game, state, foe.card, rank):
                    continue
                reach = hand.reach(foe, rank)
                if self.wins_only and reach.too_dark():
                    continue
                ceiling = self._hope(state, foe, rank, reach, reach.most(rank, left), lost)
                if among is not None:
                    ceiling = min(ceiling, among[place][0])
                if self._is_better(ceiling, foe.card, rank):
                    worth, told = found.get(place, (ceiling, {}))
                    told[reach] = health(self.game, state, foe) - reach.hand.wounds
                    found[place] = max(ceiling, worth), told
        return found

    def _hope(self, state: Position, foe: Foe, rank: int, reach: Reach, total: float, lost: Loss) -> Score:
        """The ceiling; what the battle destroys is computed only if it matters."""
        ceiling = self.ceiling(state, foe, reach, total, lost)
        if self.wins_once or not self._is_better(ceiling, foe.card, rank):
            return ceiling
        return self.ceiling(state, foe, reach, total, reach.lost(state, lost))

    def ceiling(self, state: Position, foe: Foe, reach: Reach, total: float, lost: Loss) -> Score:
        """The worth of a battle with this total, and this loss from here on."""
        needed = health(self.game, state, foe) - reach.hand.wounds
        lost = own_losses(self.game, state).plus(lost)
        return self._highest(reach, total, needed, lost, self._most_prey(state))

    def _most_prey(self, state: Position) -> int:
        return 0 if self.wins_once else self.relaxation.most_prey(state)  # then only whether it wins counts

    def _highest(self, reach: Reach, total: float, needed: int, lost: Loss, taken: int) -> Score:
        most = max(0, int(total))
        return rate(most, most >= needed and reach.victory, lost, taken, most - needed, self.goal)

    def _is_better(self, ceiling: Score, card: str, rank: int) -> bool:
        """True if better than the best line against this monster, at any rank if it moves, else at its own."""
        if self.wins_only and not ceiling.victory:
            return False
        for other in (rank,) if card in self._twins else range(RANKS + 1):
            best = self.found.get((card, other))
            preferred = other != rank and rank == self._home.get(card)
            if best is not None and self.wins_once and best.worth.victory:
                return False
            if best is not None and (ceiling < best.worth or (ceiling == best.worth and not preferred)):
                return False
        return True

    def _fight_all(self, state: Position, line: Line, among: Hopes | None) -> None:
        """Fights every target (of ``among``) with all that only adds used and the weapons handed out."""
        ready, uses = use_free(self.game, state, self._around)
        for rank, place, foe in targets(ready):
            hoped = self._is_asked(foe, rank) if among is None else (rank, foe.card) in among
            if not (hoped and is_monster(self.game, foe)):
                continue
            calm = is_calm(self.game, state, foe)  # then the rest of the hall makes no difference
            rest = replace(state, hall=(), dungeon=(), deck=()) if calm else state
            key = (hash(key_of(rest)), foe, rank, place)
            if key in self._fought:
                continue
            self._fought.add(key)
            attack = Attack(rank, place)
            for armed, equips in self._armings(ready, foe, rank):
                self._count()
                if attack not in attack_actions(self.game, armed, party_of(self.game, armed)):
                    continue
                for worth, battle in fights(self.game, armed, attack, self.goal, self.accepts, calm=calm):
                    best = self.found.get((foe.card, rank))
                    if best is None or worth > best.worth:
                        self.found[foe.card, rank] = Found(worth, (*line, *uses, *equips), battle)
                        if self.has_won:
                            raise _EnoughError

    def _is_asked(self, foe: Foe, rank: int) -> bool:
        return (self._only is None or foe.card in self._only) and self.rank in (None, rank)

    @property
    def has_won(self) -> bool:
        """True if the search ends with one winning line against each target asked for, and has them."""
        if not self.wins_once:
            return False
        beaten = {card for (card, _), found in self.found.items() if found.worth.victory}
        return bool(beaten) and (self._only is None or beaten.issuperset(self._only))

    def _armings(self, state: Position, foe: Foe, rank: int) -> Iterator[Head]:
        plain = self.relaxation.relax(state, follows=False)
        for costly, price in ((False, Loss()), (True, plain.loss)):
            if price is None:
                continue
            hand = self.relaxation.relax(state, follows=False, costly=True) if costly else plain
            reach = hand.reach(foe, rank)

            def is_wanted(total: float, reach: Reach = reach, price: Loss = price) -> bool:
                hope = self._hope(state, foe, rank, reach, total, price)
                return self._is_better(hope, foe.card, rank)

            for equips in reach.armings(rank, is_wanted):
                head: Head = (state, ())
                for action in equips:
                    head = (play(self.game, head[0], action)[0], (*head[1], action))
                yield from use_held(self.game, head, costly=costly)

    def _count(self) -> None:
        """Counts one more state; raises _EnoughError if budget or time is used up."""
        self.states += 1
        if self.states > self.budget or (self.tick is not None and not self.tick(self.states)):
            raise _EnoughError

    def _trim_line(self, start: Position, aim: Aim, found: Found, kept: int) -> Found:
        """The line without uses and weapons that add nothing, the last first; the first ``kept`` actions stay."""
        before = [start]  # the state before each action; what is taken out later leaves the earlier ones as they are
        for action in found.preparation[:-1]:
            before.append(play(self.game, before[-1], action)[0])
        end = place = len(found.preparation)
        while place > kept and (self.tidy is None or self.tidy(self.states)):
            place -= 1
            action = found.preparation[place]
            if isinstance(action, Use | Equip):
                again = self._replay_without(before[place], found.preparation, place, end, aim)
                if again is not None and again.worth >= found.worth:
                    found = again
            if not isinstance(action, Answer):
                end = place
        return found

    def _cure_line(self, start: Position, aim: Aim, found: Found) -> Found:
        """The line with every Disease destroyed that an effect destroys for nothing else: the deck is better for it."""
        state, line = start, found.preparation
        for action in line if any(slot.card == DISEASE for slot in all_slots(start)) else ():
            state, _ = play(self.game, state, action)
        while head := next(_cures(self.game, state, line), None):
            state, line = head
            again = self._fight_from(state, line, aim)
            if again is None or again.worth < found.worth:
                break
            found = again
        return found

    def _replay_without(self, state: Position, preparation: Line, place: int, end: int, aim: Aim) -> Found | None:
        """The line without the actions from ``place`` to before ``end``; None if that cannot be played."""
        for action in preparation[end:]:
            if action not in legal_actions(self.game, state):
                return None
            state, _ = play(self.game, state, action)
        if state.todo or state.phase != "prepare":
            return None
        return self._fight_from(state, preparation[:place] + preparation[end:], aim)

    def _fight_from(self, state: Position, preparation: Line, aim: Aim) -> Found | None:
        """The best battle against this target in this state; None if it may not be attacked."""
        best: Found | None = None
        for attack in attack_actions(self.game, state, party_of(self.game, state)):
            foe = state.rank0[attack.place] if attack.rank == 0 else state.hall[attack.rank - 1]
            if (foe.card, attack.rank) != aim:
                continue
            calm = is_calm(self.game, state, foe)
            for worth, battle in fights(self.game, state, attack, self.goal, self.accepts, calm=calm):
                if best is None or worth > best.worth:
                    best = Found(worth, preparation, battle)
        return best


def _cures(game: Game, state: Position, line: Line) -> Iterator[Head]:
    """The ways to pay one Disease, and nothing else, for an effect, and the lines to there."""
    for use in legal_actions(game, state) if any(slot.card == DISEASE for slot in state.hand) else ():
        ability = ability_of(game, state, use)
        kinds = [cost.select.kind for cost in ability.cost if isinstance(cost, Destroy)] if ability else []
        if kinds == ["disease"]:
            heads = endings(game, play(game, state, use)[0], line=(*line, use))
            yield from (head for head in heads if head[0].phase == "prepare")


def branching_moves(game: Game, state: Position, around: Surroundings) -> list[Choice]:
    """The actions to be tried one by one."""
    options = legal_actions(game, state)
    if state.todo:
        task = state.todo[0]
        alone = task.name == "borrow-any" and state.table is None
        if alone and not around.spills and not game.cards[task.data.card].is_weapon:
            options = options[:1]  # to lend a hero and take the same one back is a longer way not to lend
    else:
        options = tuple(action for action in options if _is_tried(game, state, action, around))
    return distinct_choices(state, options)


def ability_of(game: Game, state: Position, choice: Choice) -> Ability | None:
    """The effect that a choice uses; None if it uses none."""
    if not isinstance(choice, Use) or not choice.effect:
        return None
    return game.cards[find(state, choice.card)[0].face].dungeon[choice.effect - 1]


def _is_tried(game: Game, state: Position, action: Choice, around: Surroundings) -> bool:
    if isinstance(action, Equip):
        return not around.is_handed_last(game.cards[find(state, action.weapon)[0].face])
    if not isinstance(action, Use | Forgo):
        return False
    slot, holder = find(state, action.card)
    spec = game.cards[slot.face]
    if isinstance(action, Forgo):
        return around.in_order or (around.spell_bar and spec.is_spell and bool(spec.figures or spec.passive))
    if not action.effect:
        return True
    ability = spec.dungeon[action.effect - 1]
    if (holder is not None and around.is_handed_last(spec)) or around.can_wait(spec, ability):
        return False
    return around.is_tried(spec, ability, state)


def use_free(game: Game, state: Position, around: Surroundings) -> tuple[Position, Line]:
    """The state after using every effect that only adds to something, and these uses."""
    line: list[Choice] = []
    for slot in all_slots(state):
        for ability in game.cards[slot.face].dungeon if not slot.flags & FORGONE else ():
            if ability.number not in slot.used and around.is_free(game.cards[slot.face], ability):
                action = Use(slot.ref, ability.number)
                state, _ = play(game, state, action)
                line.append(action)
    return state, tuple(line)


def use_held(game: Game, head: tuple[Position, Line], *, costly: bool) -> list[tuple[Position, Line]]:
    """The state after using the free effects of held weapons; if ``costly`` also every way to pay for one."""
    ways = [head]
    for slot, holder in slots(head[0]):
        for ability in game.cards[slot.face].dungeon if holder is not None else ():
            if not (ability.instant or ability.before_refill or ability.number in slot.used):
                action = Use(slot.ref, ability.number)
                used = [(play(game, state, action)[0], (*line, action)) for state, line in ways]
                ways = [*ways, *used] if ability.cost else used
    return ways[1:] if costly else ways[:1]


def is_calm(game: Game, state: Position, foe: Foe) -> bool:
    """True if nothing that follows the battle costs or brings a card: no trap, chance, breach at the deck, hunt."""
    tells = bool(state.deck) or state.pool is not None or state.left is not None or state.table is not None
    cards = [*(foe.card for foe in state.hall), *state.dungeon]
    specs = [game.cards[card] for card in cards if card in game.cards]
    held = {slot.face for slot in all_slots(state)}
    if any(takes_late(game.cards[card]) for card in held):
        return False
    if any(spec.trap or (tells and any(op.op == "reveal-top" for op in spec.breach)) for spec in specs):
        return False
    return not any(op.op == "destroy-random" for op in game.cards[foe.card].battle)
