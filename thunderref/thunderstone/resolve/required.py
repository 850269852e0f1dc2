"""The best line that holds one given choice: the position solved again with that choice made.

Every way to reach the choice is tried: all that it may depend on before it, then every copy, effect and further choice
that the step leaves open. After the choice the search goes on as usual; what the choice does not depend on can be done
there as well.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from thunderref.database.operations import Bonus
from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.thunderstone.resolve.battles import Line, distinct_choices
from thunderref.thunderstone.resolve.plan import PREPARED, Follower, Node, step_kind
from thunderref.thunderstone.resolve.search import Head, Search, ability_of
from thunderref.thunderstone.resolve.waiting import Surroundings
from thunderref.thunderstone.rules.choices import Choice, Equip, Forgo, Pick, Stat, Use
from thunderref.thunderstone.rules.hand import find, revealed
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.notation import FindCard, Step, ref_of
from thunderref.thunderstone.rules.position import Position, Ref, key_of

MOST_STATES = 20_000
"""States tried at most in which the step may be made."""
FOUGHT = frozenset({"disease", "battle"})
REQUIRED_KINDS = PREPARED | FOUGHT | {"attack"}
"""Kinds of steps that can be required; purchases and cards shown after the battle cannot."""


def search_with(search: Search, start: Position, step: Step, find_card: FindCard, *, only: str | None) -> Position:
    """Searches for the best line that holds ``step``; returns the first state in which the choice is made.

    Raises :class:`IllegalStepError` with the rule if no line can hold it, InputError if the step is not a choice.
    """
    kind = step_kind(step, 1)
    if kind in PREPARED:
        maker = StepMaker(search, find_card, step)
        search.run(start, only=only, heads=maker.heads(start))
        search.complete = search.complete and maker.complete
        return start if maker.first is None else maker.first
    if kind == "disease":
        search.accepts = lambda line: Stat("disease", step["disease"]) in line
    elif kind == "battle":
        card = find_card(str(step.get("pick", "")).partition("#")[0])
        search.accepts = lambda line: any(
            isinstance(choice, Pick) and choice.key == "pick" and choice.value[0] == card for choice in line
        )
    search.run(start, only=only)
    if kind in FOUGHT and not search.found and search.complete:
        raise IllegalStepError("choice-never", rule="R5.6" if kind == "disease" else "R5.2")
    return start


class StepMaker(Follower):
    """Makes one step of a plan in every way that it leaves open."""

    any_copy: ClassVar[bool] = True

    def __init__(self, search: Search, find_card: FindCard, step: Step) -> None:
        super().__init__(search.game, find_card)
        self.search, self.step = search, step
        self.kind = step_kind(step, 1)
        self.complete = True
        """False if there may be ways to the step besides those found."""
        self.first: Position | None = None
        self._apart = False
        self._problems: list[ThunderrefError] = []

    def heads(self, start: Position) -> Iterator[Head]:
        """The beginnings of all lines up to the step, the shortest first, where a line better than those found may
        begin. Raises the reason if the step can never be made.
        """
        states = 0
        self._around = Surroundings(self.game, start)
        self._apart = self._stands_apart(start)
        waiting: deque[Head] = deque([(start, ())])
        seen = {hash(key_of(start))}
        while waiting:
            state, line = waiting.popleft()
            states += 1
            late = self.search.tick is not None and not self.search.tick(states)
            if states > MOST_STATES or (late and states > 1):
                self.complete = False
                return
            if state.phase == "end" or (self.first is not None and not self.search.is_hopeful(state)):
                continue
            if not state.todo:
                for head in self._tried(state, line):
                    self.first = self.first or head[0]
                    yield head
            for choice in self._before(state):
                after, _ = play(self.game, state, choice)
                key = hash(key_of(after))
                if key not in seen:
                    seen.add(key)
                    waiting.append((after, (*line, choice)))
        if self.first is None:
            never = IllegalStepError("no-hero", rule="R4.3", card=str(self.step[self.kind]).partition("#")[0])
            raise min(self._problems, key=_remoteness, default=never)

    def _before(self, state: Position) -> Iterator[Choice]:
        # What may have to come before the step: all that changes the hand or the hall, for equipping Strength too.
        options: Sequence[Choice] = legal_actions(self.game, state)
        if state.todo:
            if self._apart:
                heroes = [Pick("on", hero) for hero in self._copies(state, self.step["to"])]
                options = [answer for answer in options if answer in heroes] or options
        else:
            options = [choice for choice in options if isinstance(choice, Use | Equip) and self._matters(state, choice)]
        yield from distinct_choices(state, options)

    def _matters(self, state: Position, choice: Use | Equip) -> bool:
        if isinstance(choice, Equip):
            return bool(self.game.cards[find(state, choice.weapon)[0].face].dungeon) and not self._apart
        spec, ability = self.game.cards[find(state, choice.card)[0].face], ability_of(self.game, state, choice)
        if ability is not None and not self._apart and (ability.cost or ability.instant):
            return not self._around.influences.asks_village(spec, ability)
        return self._needs_strength(state) and any(
            isinstance(op, Bonus) and op.stat == "strength" for op in (ability.lasting if ability else spec.passive)
        )

    def _stands_apart(self, start: Position) -> bool:
        # True if a hero and a weapon in hand are to be equipped, and all else but the hero's Strength can wait.
        around = self._around
        tangled = around.lends or around.in_order or (around.moves and around.spills) or around.strength_matters
        if "equip" not in self.step or "to" not in self.step or tangled:
            return False
        try:
            return bool(self._copies(start, self.step["equip"]) and self._copies(start, self.step["to"]))
        except ThunderrefError:
            return False

    def _needs_strength(self, state: Position) -> bool:
        # True if the step, or a weapon that may be used before it, depends on the Strength of heroes.
        played = self.game.cards[self.find(str(self.step[self.kind]).partition("#")[0])]
        does = [self._around.influences.of(played, ability) for ability in played.dungeon]
        mine = [self.game.cards[card] for card in (*(slot.face for slot in revealed(state)), *state.deck)]
        return (
            "equip" in self.step
            or any(one.brings or one.changes for one in does)
            or any(spec.is_weapon and spec.dungeon for spec in mine)
        )

    def _tried(self, state: Position, line: Line) -> list[Head]:
        found: list[Head] = []
        try:
            choices = distinct_choices(state, list(self._meant(state)))
        except ThunderrefError as missing:
            self._problems.append(missing)
            return []
        for choice in choices:
            try:
                for node in self.begin(Node(state), choice, (1, self.step)):
                    closed = self.closed(node)
                    found.append((closed.state, (*line, *[now.choice for now in closed.played])))
            except ThunderrefError as refusal:
                self._problems.append(refusal)
        return found

    def _meant(self, state: Position) -> Iterator[Choice]:
        for ref in self._copies(state, self.step[self.kind]):
            spec = self.game.cards[find(state, ref)[0].face]
            if self.kind == "equip":
                heroes = [slot.ref for slot in state.hand if self.game.cards[slot.face].is_hero]
                named = self.step.get("to")
                yield from (Equip(ref, hero) for hero in (self._copies(state, named) if named else heroes))
            elif self.kind == "forgo":
                yield Forgo(ref)
            elif self.step.get("effect") is not None:
                yield Use(ref, self.step["effect"])
            else:
                numbers = [ability.number for ability in spec.dungeon] or [0 if spec.gift else 1]
                yield from (Use(ref, number) for number in numbers)

    def _copies(self, state: Position, name: Any) -> list[Ref]:
        first = ref_of(state, name, self.find)
        every = [slot.ref for slot in revealed(state) if slot.card == first[0]]
        return [first] if "#" in str(name) else every


def _remoteness(problem: ThunderrefError) -> tuple[int, int]:
    # how far a choice was from being possible: the nearest gives the reason
    if problem.code == "too-heavy":
        return 0, problem.params["weight"] - problem.params["strength"]
    return (2 if problem.code == "not-in-play" else 1), 0
