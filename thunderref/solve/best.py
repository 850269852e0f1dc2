"""The best line of play: every preparation, every target, every choice in the battle.

The search walks breadth first over the states of preparation that branch (:mod:`thunderref.solve.moves`), so the first
line of the best worth is found in the same order everywhere. States that differ only in which of several equal copies
is meant are one state; those seen are remembered by 64-bit digests, which in the largest search allowed here take two
states for one with a chance below one in a hundred million. The line found is then freed of every use and weapon that
adds nothing to its worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from thunderref.engine.hall import is_monster
from thunderref.engine.legal import attack_actions, legal_actions, targets
from thunderref.engine.party import party_of
from thunderref.engine.state import Action, Foe, State, Table, key_of
from thunderref.engine.transition import advance, play
from thunderref.engine.values import replace
from thunderref.solve.arming import armings
from thunderref.solve.budget import Tick
from thunderref.solve.ceiling import Ceilings, Place
from thunderref.solve.fights import battles, best_ending, is_calm
from thunderref.solve.late import late_lines
from thunderref.solve.moves import Line, branching_moves
from thunderref.solve.score import Score, foreseen
from thunderref.solve.surroundings import Surroundings

Aim = tuple[str, int]
"""A target: card id and the rank where it is attacked."""
Head = tuple[State, Line]
"""The beginning of a line and the state it leads to."""


class _EnoughError(Exception):
    """The budget is used up, or a line is good enough."""


@dataclass
class Found:
    """The best line against one target so far: preparation, then the attack with the choices before its outcome."""

    worth: Score
    preparation: Line
    battle: Line


@dataclass
class Search:
    """All best lines from one position, by target; ``complete`` is False if ``budget`` states were not enough."""

    table: Table
    goal: str
    budget: int = 200_000
    found: dict[Aim, Found] = field(default_factory=dict)
    """By target: card and the rank where it is attacked."""
    states: int = 0
    complete: bool = True
    tick: Tick | None = None
    accepts: Callable[[Line], bool] | None = None
    """Of the ways a battle may go only those count for which this says True; None for all."""
    shortcuts: bool = True
    """False to look also at lines that cannot be better than the best one found, and to try lasting effects before
    those that happen at once; for tests that nothing is lost without."""
    enough: Callable[[Score], bool] | None = None
    """A line of which this says True ends the search; None to go on to the best."""
    trims: bool = True
    """False to leave in the lines found what adds nothing to them."""
    tidy: Tick | None = None
    """Asked before everything that may be taken out of a line; False leaves the rest in."""
    interrupted: bool = False
    """True once the player has interrupted the search."""
    _fought: set[tuple[int, Foe, int, int]] = field(default_factory=set)

    def run(
        self, start: State, only: str | None = None, *, informs: bool = True, heads: Iterable[Head] | None = None
    ) -> None:
        """Searches from ``start``; with ``only`` just for attacks on that card.

        With ``informs`` False without effects that do something at once, such as drawing or moving monsters. With
        ``heads``, lines that begin in ``start`` and the states they lead to, only lines that go on from one of these;
        each is asked for when those before it are done with.
        An interrupt from the keyboard ends the search with what it has, unproven.
        """
        begun: list[Head] = []
        try:
            self._walk(start, heads, only, informs, begun)
        except (KeyboardInterrupt, _EnoughError) as end:
            self.complete = False
            self.interrupted = isinstance(end, KeyboardInterrupt)
        if self.trims:
            try:
                if not self.complete:
                    self._fight_plainly(begun, only)
                self._trim_all(start, begun)
            except KeyboardInterrupt:
                self.complete, self.interrupted = False, True

    def _fight_plainly(self, begun: Sequence[Head], only: str | None) -> None:
        """Where no line was found in time: what an attack comes to at the first beginning, with nothing more done."""
        for state, line in begun[:1]:
            for rank, _, foe in targets(state) if state.phase == "prepare" and not state.todo else ():
                aim = (foe.card, rank)
                if aim not in self.found and only in (None, foe.card):
                    found = self._fought_from(state, line, aim)
                    if found is not None:
                        self.found[aim] = found

    def _trim_all(self, start: State, begun: Sequence[Head]) -> None:
        for aim, found in self.found.items():
            kept = max(len(line) for _, line in begun if found.preparation[: len(line)] == line)
            self.found[aim] = self._trimmed(start, aim, found, kept)

    def _walk(
        self, start: State, heads: Iterable[Head] | None, only: str | None, informs: bool, begun: list[Head]
    ) -> None:
        """Searches on from every head, one after the other; ``begun`` takes those that were looked at."""
        forced = heads is not None
        around = Surroundings(self.table, start, informs=informs, apart=self.shortcuts, begun=forced)
        around.spills = around.spills or forced  # a weapon may be held already: to lend its hero frees his hands
        self.ceilings = Ceilings(self.table, self.goal, start, only, prunes=self.shortcuts)
        seen: set[int] = set()
        for head in [(start, ())] if heads is None else heads:
            begun.append(head)
            self._walk_on(head, around, only, informs, seen)

    def _walk_on(self, head: Head, around: Surroundings, only: str | None, informs: bool, seen: set[int]) -> None:
        key = hash(key_of(head[0]))
        if key in seen:
            return
        seen.add(key)
        if not around.late_apart and self.shortcuts:  # good lines first: they show what need not be looked at
            state, line = head
            if state.phase == "prepare" and not state.todo:
                fought = set(self._fought)
                around.late_apart = True
                try:
                    self._fight_all(state, line, around, only)
                finally:
                    around.late_apart = False
                self._fought = fought
        stack = [head]
        while stack:
            state, line = stack.pop()
            self._count()
            if state.phase == "end":
                continue
            if not self.ceilings.hopeful(state, self.found):
                continue
            if not state.todo:
                self._fight_all(state, line, around, only)
            following: list[Head] = []
            for action in branching_moves(self.table, state, around, informs=informs):
                after, _ = play(self.table, state, action)
                key = hash(key_of(after))
                if key not in seen:
                    seen.add(key)
                    following.append((after, (*line, action)))
            stack.extend(reversed(following))

    def _fight_all(self, state: State, line: Line, around: Surroundings, only: str | None) -> None:
        """Fights every target from here, with everything used that can only help and the weapons handed out.

        Where nothing that may follow the battle matters, the same hand against the same monster at the same rank is
        fought once, however the rest of the hall lies.
        """
        there = [(foe, rank, place) for rank, place, foe in targets(state)]
        places = [aim for aim in there if is_monster(self.table, aim[0]) and only in (None, aim[0].card)]
        calm = {(rank, place): is_calm(self.table, state, foe) for foe, rank, place in places}
        rest = {False: hash(key_of(state))}
        if any(calm.values()):
            rest[True] = hash(key_of(replace(state, hall=(), dungeon=(), deck=())))
        aims = [(rest[calm[aim[1:]]], *aim) for aim in places]
        fresh = {(rank, place) for key, foe, rank, place in aims if (key, foe, rank, place) not in self._fought}
        self._fought.update(aims)

        def open_aims(node: State, most: int = 99) -> list[tuple[Place, Score]]:
            standing = [(foe, rank, place) for rank, place, foe in targets(node) if (rank, place) in fresh]
            return self.ceilings.open_aims(node, standing, self.found, most, around)

        def hopeful(node: State) -> bool:
            self._count()  # here too, so that a time limit is kept
            return bool(open_aims(node, most=1))

        for ready, uses in late_lines(self.table, state, around, hopeful):
            left = open_aims(ready)
            for armed, equips in armings(self.table, ready, around):
                left = [(aim, most) for aim, most in left if self.ceilings.is_open(aim, most, self.found)]
                if not left:
                    break
                self._count()
                wanted = {(rank, place): foe for (foe, rank, place), _ in left}
                for attack in attack_actions(self.table, armed, party_of(self.table, armed)):
                    foe = wanted.get((attack.a, attack.b))
                    if foe is None:
                        continue
                    for worth, battle in self._fights(armed, attack, calm[attack.a, attack.b]):
                        best = self.found.get((foe.card, attack.a))
                        if best is None or worth > best.worth:
                            self.found[foe.card, attack.a] = Found(worth, (*line, *uses, *equips), battle)

    def _count(self) -> None:
        """One more state; raises _EnoughError where budget or time is used up."""
        self.states += 1
        if self.states > self.budget or (self.tick is not None and not self.tick(self.states)):
            raise _EnoughError

    def _fights(self, state: State, attack: Action, calm: bool) -> Iterator[tuple[Score, Line]]:
        for fought, battle in battles(self.table, state, attack, every=not calm or self.accepts is not None):
            if self.accepts is not None and not self.accepts(battle):
                continue
            if calm:
                yield foreseen(self.table, fought, self.goal), battle
            else:
                after = advance(self.table, fought, [])
                yield best_ending(self.table, after, self.goal)[0], battle

    def _trimmed(self, start: State, aim: Aim, found: Found, kept: int) -> Found:
        """The line without the uses and weapons that add nothing to its worth, later ones taken out first.

        The first ``kept`` actions stay.
        """
        before = [start]  # the state before each action; what is taken out later leaves the earlier ones as they are
        for action in found.preparation[:-1]:
            before.append(play(self.table, before[-1], action)[0])
        place = len(found.preparation) - 1
        while place >= kept and (self.tidy is None or self.tidy(self.states)):
            action = found.preparation[place]
            following = found.preparation[place + 1 : place + 2]
            alone = not (following and following[0].kind == "choose")
            if action.kind in ("use", "equip") and alone:
                again = self._replayed(before[place], found.preparation, place, aim)
                if again is not None and again.worth >= found.worth:
                    found = again
            place -= 1
        return found

    def _replayed(self, state: State, preparation: Line, place: int, aim: Aim) -> Found | None:
        """The line without the action at this place, from the state before it; None if it cannot be played so."""
        for action in preparation[place + 1 :]:
            if action not in legal_actions(self.table, state):
                return None
            state, _ = play(self.table, state, action)
        if state.todo or state.phase != "prepare":
            return None
        return self._fought_from(state, preparation[:place] + preparation[place + 1 :], aim)

    def _fought_from(self, state: State, preparation: Line, aim: Aim) -> Found | None:
        """The best battle against this target in this state; None if it may not be attacked."""
        best: Found | None = None
        for attack in attack_actions(self.table, state, party_of(self.table, state)):
            foe = state.rank0[attack.b] if attack.a == 0 else state.hall[attack.a - 1]
            if (foe.card, attack.a) != aim:
                continue
            for worth, battle in self._fights(state, attack, is_calm(self.table, state, foe)):
                if best is None or worth > best.worth:
                    best = Found(worth, preparation, battle)
        return best


def finished(table: Table, start: State, found: Found, goal: str) -> Line:
    """The whole line to the end of the turn, what follows the outcome played for the goal too."""
    state = start
    for action in (*found.preparation, *found.battle):
        state, _ = play(table, state, action)
    _, rest = best_ending(table, state, goal)
    return (*found.preparation, *found.battle, *rest)
