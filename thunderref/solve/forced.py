"""The best line that holds one given choice: the position solved again with that choice forced.

Every way to come to the choice is tried: whatever could have been done before it that it may depend on, and then every
copy, effect and further choice that the step leaves open. From where the choice was made the search goes on as ever;
what the choice does not depend on can be done there as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.engine.hand import find, revealed
from thunderref.engine.legal import explain_illegal, legal_actions
from thunderref.engine.state import Action, Ref, State, Task, key_of
from thunderref.engine.transition import play
from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.model.effect import Bonus
from thunderref.solve.best import Head, Search
from thunderref.solve.follow import CHOICE_KEYS, Follower, Line, Node
from thunderref.solve.moves import alike, distinct_choices
from thunderref.solve.notation import FindCard, Step, kind_of
from thunderref.solve.surroundings import Surroundings

MOST_STATES = 20_000
"""So many states in which the step may be made are looked at."""
PREPARED = frozenset({"equip", "use", "forgo"})
FOUGHT = frozenset({"disease", "battle"})
FORCED_KINDS = PREPARED | FOUGHT | {"attack"}
"""Kinds of steps that can be forced; what is bought or shown afterwards cannot."""


def forced_search(search: Search, start: State, step: Step, find_card: FindCard, *, only: str | None) -> State:
    """Searches for the best line that holds ``step``; the first state in which the choice is made.

    Raises :class:`IllegalStepError` with the rule if no line can hold it, InputError for a step that is no choice.
    """
    kind = kind_of(step, 1)
    if kind in PREPARED:
        forcing = Forcing(search, find_card, step)
        search.run(start, only=only, heads=forcing.heads(start))
        search.complete = search.complete and forcing.complete
        return start if forcing.first is None else forcing.first
    if kind in FOUGHT:
        key, value = ("disease", step["disease"]) if kind == "disease" else ("pick", step.get("pick", ""))
        wanted = value if kind == "disease" else find_card(str(value).partition("#")[0])
        search.accepts = lambda line: any(
            action.kind == "choose" and action.a == key and wanted in (action.b, action.b[0]) for action in line
        )
    search.run(start, only=only)
    if kind in FOUGHT and not search.found and search.complete:
        raise IllegalStepError("choice-never", rule="R5.6" if kind == "disease" else "R5.2")
    return start


class Forcing(Follower):
    """Makes one step of a plan in every way there is; what the step leaves open is open."""

    def __init__(self, search: Search, find_card: FindCard, step: Step) -> None:
        super().__init__(search.table, find_card)
        self.search = search
        self.step = step
        self.complete = True
        """False if there may be other ways to come to the step than those found."""
        self.first: State | None = None
        """The first state in which the step was made."""
        self._apart = False
        self._problems: list[ThunderrefError] = []

    def heads(self, start: State) -> Iterator[Head]:
        """The beginnings of all lines up to where the step was made, the shortest first.

        What was found from those before is made use of: where no better line can begin, none is looked for. Raises the
        reason if the step can never be made.
        """
        states = 0
        self._apart = self._stands_apart(start)
        level: list[Head] = [(start, ())]
        seen = {hash(key_of(start))}
        while level:
            following: list[Head] = []
            for state, line in level:
                states += 1
                late = self.search.tick is not None and not self.search.tick(states)
                if states > MOST_STATES or (late and states > 1):
                    self.complete = False
                    return
                if state.phase == "end" or (self.first is not None and not state.todo and not self._hopeful(state)):
                    continue
                if not state.todo:
                    for head in self._tried(state, line):
                        self.first = self.first or head[0]
                        yield head
                for action in self._before(state):
                    after, _ = play(self.table, state, action)
                    key = hash(key_of(after))
                    if key not in seen:
                        seen.add(key)
                        following.append((after, (*line, action)))
            level = following
        if self.first is None:
            raise min(self._problems, key=_remoteness)

    def _hopeful(self, state: State) -> bool:
        return self.search.ceilings.hopeful(state, self.search.found)

    def _before(self, state: State) -> Iterator[Action]:
        """What may have to come before the step: whatever changes the hand or the hall, for equipping Strength too."""
        options = legal_actions(self.table, state)
        if state.todo:
            if self._apart:
                heroes = self._copies(state, self.step["to"])
                options = tuple(action for action in options if action.a == "on" and action.b in heroes) or options
            yield from distinct_choices(state, options)
            return
        like = alike(state)
        seen: set[Any] = set()
        for action in options:
            if action.kind not in ("use", "equip") or not self._matters(state, action):
                continue
            key = (action.kind, like[action.a], like[action.b] if action.kind == "equip" else action.b)
            if key not in seen:
                seen.add(key)
                yield action

    def _matters(self, state: State, action: Action) -> bool:
        slot, _ = find(state, action.a)
        spec = self.table.book[slot.face]
        if action.kind == "equip":
            return bool(spec.dungeon) and not self._apart
        ability = spec.dungeon[action.b - 1] if action.b else None
        if ability is not None and not self._apart and (ability.cost or ability.instant):
            unknown = self.table.village is None and any(op.op in ("conjure", "recruit") for op in ability.instant)
            return not unknown
        return self._needs_strength(state) and any(
            isinstance(op, Bonus) and op.stat == "strength" for op in (ability.lasting if ability else spec.passive)
        )

    def _stands_apart(self, start: State) -> bool:
        """True if a hero and a weapon in hand are to be equipped, and all else but his Strength can wait."""
        around = Surroundings(self.table, start)
        if "equip" not in self.step or "to" not in self.step or around.lends or not around.late_apart:
            return False
        try:
            return bool(self._copies(start, self.step["equip"]) and self._copies(start, self.step["to"]))
        except ThunderrefError:
            return False

    def _needs_strength(self, state: State) -> bool:
        """True if the step, or a weapon that may be used before it, depends on the Strength of heroes."""
        played = self.table.book[self.find(str(self.step[kind_of(self.step, 1)]).partition("#")[0])]
        mine = [self.table.book[card] for card in (*(slot.face for slot in revealed(state)), *state.deck)]
        return (
            "equip" in self.step
            or any(op.op in ("conjure", "borrow") for ability in played.dungeon for op in ability.instant)
            or any(spec.is_weapon and spec.dungeon for spec in mine)
        )

    def _tried(self, state: State, line: Line) -> list[Head]:
        found: list[Head] = []
        like = alike(state)
        done: set[Any] = set()
        try:
            actions = list(self._actions(state))
        except ThunderrefError as missing:
            self._problems.append(missing)
            return []
        for action in actions:
            key = (action.kind, like.get(action.a), like.get(action.b, action.b))
            if key in done:
                continue
            done.add(key)
            problem = explain_illegal(self.table, state, action)
            if problem is not None:
                self._problems.append(problem)
                continue
            try:
                after, _ = play(self.table, state, action)
                for node in self._settle(Node(after, (*line, action), open=(1, self.step))):
                    closed = self._close(node)
                    found.append((closed.state, closed.line))
            except ThunderrefError as refusal:
                self._problems.append(refusal)
        return found

    def _actions(self, state: State) -> Iterator[Action]:
        """What the step may mean here, legal or not."""
        kind = kind_of(self.step, 1)
        for ref in self._copies(state, self.step[kind]):
            slot, _ = find(state, ref)
            if kind == "equip":
                heroes = self._copies(state, self.step["to"]) if self.step.get("to") else self._heroes(state)
                yield from (Action("equip", ref, hero) for hero in heroes)
            elif kind == "forgo":
                yield Action("forgo", ref, 0)
            elif self.step.get("effect") is not None:
                yield Action("use", ref, self.step["effect"])
            else:
                numbers = [ability.number for ability in self.table.book[slot.face].dungeon]
                yield from (
                    Action("use", ref, number) for number in (numbers or [0 if self._is_gift(slot.card) else 1])
                )

    def _heroes(self, state: State) -> list[Ref]:
        return [slot.ref for slot in state.hand if self.table.book[slot.face].is_hero]

    def _copies(self, state: State, name: Any) -> list[Ref]:
        """Every copy in play that a name means; raises if there is none."""
        first: Ref = self._value(state, "", name)[0]
        if "#" in str(name):
            return [first]
        return [slot.ref for slot in revealed(state) if slot.card == first[0]]

    def _choices(self, node: Node) -> Iterator[Node]:
        options = legal_actions(self.table, node.state)
        named = self._asked(node, node.state.todo[0], options)
        actions, made = named if named is not None else (options, node.made)
        for action in distinct_choices(node.state, actions):
            yield self._chosen(node, action, made=made)

    def _asked(
        self, node: Node, task: Task, options: tuple[Action, ...]
    ) -> tuple[tuple[Action, ...], tuple[tuple[str, int], ...]] | None:
        """Those of the options that the step names, and what of it is used up then; None if it names none."""
        used = dict(node.made)
        for key in CHOICE_KEYS:
            given = self.step.get(key)
            values = given if isinstance(given, list) and key not in ("order", "top") else [given]
            if given is None or not any(action.a == key for action in options) or used.get(key, 0) >= len(values):
                continue
            value = values[used.get(key, 0)]
            meant = self._value(node.state, key, value)
            if len(meant) == 1 and isinstance(meant[0], tuple) and "#" not in str(value):
                meant += [slot.ref for slot in revealed(node.state) if slot.card == meant[0][0]]
            fitting = tuple(action for action in options if action.a == key and action.b in meant)
            if not fitting:
                self._match(node.state, task, options, key, value, 1)
            return fitting, tuple(sorted({**used, key: used.get(key, 0) + 1}.items()))
        return None


def _remoteness(problem: ThunderrefError) -> tuple[int, int]:
    """How far a choice was from being possible: the least is the reason worth telling."""
    if problem.code == "too-heavy":
        return 0, problem.params["weight"] - problem.params["strength"]
    return (2 if problem.code == "not-in-play" else 1), 0
