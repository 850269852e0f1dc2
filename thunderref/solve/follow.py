"""Playing a given plan step by step, each step checked; what it leaves open is branched over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from thunderref.engine.hall import hall_locked, immune_to_spells, is_known, movable_ranks
from thunderref.engine.legal import legal_actions, targets
from thunderref.engine.state import Action, State, Table, Task
from thunderref.engine.tasks import ORDERS
from thunderref.engine.transition import child, play
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.solve.notation import LISTS, FindCard, Step, kind_of, ref_of, write_value

Line = tuple[Action, ...]
RULES_OF_KEYS = {
    "destroy": "R4.2", "borrow-from": "R4.7", "hunt": "R6.5",
    "disease": "R5.6", "pick": "R5.2", "from": "R5.7", "bottom": "R6.8", "order": "R6.8",
    "take": "R6.8", "buy": "R6.4", "draw": "R4.3", "to": "R4.3", "on": "R4.1", "militia": "R4.10", "copy": "R4.10",
    "borrow": "R4.7", "recruit": "R3.3", "show": "R6.6",
}  # fmt: skip
"""The rule that a choice of this key breaks when it is not possible."""
CHOICE_KEYS = (
    "bottom", "order", "take", "destroy", "on", "discard", "borrow", "draw", "to", "militia", "copy", "recruit", "top",
    "show", "borrow-from", "hunt",
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """A plan sorted by when its steps are due; each step with its number from 1."""

    preparation: tuple[tuple[int, Step], ...]
    attack: tuple[int, Step] | None
    diseases: tuple[tuple[int, Step], ...]
    battle: tuple[tuple[int, Step], ...]
    after: tuple[tuple[int, Step], ...]


def read_plan(steps: Sequence[Step]) -> Plan:
    """Sorts the steps of a plan; raises :class:`InputError` for one that cannot be read."""
    preparation, diseases, battle, after = [], [], [], []
    attack: tuple[int, Step] | None = None
    for number, step in enumerate(steps, 1):
        kind = kind_of(step, number)
        if kind == "attack":
            if attack is not None:
                raise IllegalStepError("second-attack", rule="R2.1", step=number)
            attack = (number, step)
        elif kind == "disease":
            diseases.append((number, step))
        elif kind == "battle":
            battle.append((number, step))
        elif attack is None:
            preparation.append((number, step))
        else:
            after.append((number, step))
    return Plan(tuple(preparation), attack, tuple(diseases), tuple(battle), tuple(after))


@dataclass(frozen=True)
class Node:
    """A point of a plan being followed: the state, the line that led there, and the steps not yet used."""

    state: State
    line: Line = ()
    open: tuple[int, Step] | None = None
    """The step whose choices are being made."""
    made: tuple[tuple[str, int], ...] = field(default=())
    """How many values of each key of the open step were used."""
    diseases: tuple[tuple[int, Step], ...] = ()
    battle: tuple[tuple[int, Step], ...] = ()
    after: tuple[tuple[int, Step], ...] = ()


class Follower:
    """Follows one plan on one table; ``find`` turns names into card ids."""

    def __init__(self, table: Table, find: FindCard) -> None:
        self.table = table
        self.find = find
        self._misfits: dict[int, IllegalStepError] = {}
        """Why steps for after the battle did not fit what was asked there, by their number."""

    def prepare(self, state: State, plan: Plan) -> list[Node]:
        """Every state that the preparation of the plan may lead to, open choices branched over.

        Raises the error of the first step that no branch can take, with its number.
        """
        nodes = [Node(state, diseases=plan.diseases, battle=plan.battle, after=plan.after)]
        for number, step in plan.preparation:
            nodes = self._each(nodes, number, lambda node, n=number, s=step: self._step(node, n, s))
        return nodes

    def attack(self, nodes: list[Node], number: int, step: Step) -> list[Node]:
        """Declares the attack of a plan step on every branch and fights the battle."""
        return self._each(nodes, number, lambda node: self._attack(node, number, step))

    def attack_at(self, nodes: list[Node], rank: int, place: int) -> list[Node]:
        """Attacks what stands at a rank, on every branch where that is legal."""
        found: list[Node] = []
        for node in nodes:
            action = Action("attack", rank, place)
            if action in legal_actions(self.table, node.state):
                after, _ = play(self.table, node.state, action)
                found += self._settle(replace(node, state=after, line=(*node.line, action), open=None, made=()))
        return found

    def _each(self, nodes: list[Node], number: int, do: Any) -> list[Node]:
        found: list[Node] = []
        problem: ThunderrefError | None = None
        for node in nodes:
            try:
                found += do(node)
            except ThunderrefError as error:
                problem = problem or error
        if not found and problem is not None:
            problem.params.setdefault("step", number)
            raise problem
        return found

    def _step(self, node: Node, number: int, step: Step) -> list[Node]:
        state = node.state
        if state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        kind = kind_of(step, number)
        if kind == "use":
            ref = ref_of(state, step["use"], self.find)
            effect = step.get("effect")
            if effect is None:
                effect = 1 if self.table.book[ref[0]].dungeon or not self._is_gift(ref[0]) else 0
            if not isinstance(effect, int) or isinstance(effect, bool):
                raise InputError("bad-step-value", step=number, key="effect", value=str(effect))
            action = Action("use", ref, effect)
        elif kind == "equip":
            if "to" not in step:
                raise InputError("missing-step-key", step=number, key="to")
            action = Action("equip", ref_of(state, step["equip"], self.find), ref_of(state, step["to"], self.find))
        elif kind == "forgo":
            action = Action("forgo", ref_of(state, step["forgo"], self.find), 0)
        else:
            raise IllegalStepError("too-early", rule="R2.1", step=number, kind=kind)
        after, _ = child(self.table, state, action)
        settled = self._settle(replace(node, state=after, line=(*node.line, action), open=(number, step), made=()))
        return [self._close(node) for node in settled]

    def _is_gift(self, card: str) -> bool:
        return any(getattr(op, "to", "") == "chosen" for op in self.table.book[card].passive)

    def _close(self, node: Node) -> Node:
        """Ends the open step; raises for values in it that nothing asked for, unless the game ended first (R4.6)."""
        if node.open is not None and node.state.phase == "prepare":
            number, step = node.open
            used = dict(node.made)
            for key in step:
                if key in ("use", "equip", "to", "effect", "forgo", "others") and key not in used:
                    if key == "to" and "use" in step:
                        raise IllegalStepError("unasked-choice", rule="R2.4", step=number, key=key)
                    continue
                if used.get(key, 0) < len(_values(step, key)):
                    raise IllegalStepError("unasked-choice", rule=self._rule_of(node.state, key), step=number, key=key)
        return replace(node, open=None, made=())

    def _rule_of(self, state: State, key: str) -> str:
        """The rule by which nobody asked for a choice of this key."""
        if key == "take" and movable_ranks(self.table, state):
            return "R6.5"  # monsters could leave, but none is worth what the effect asks for
        return RULES_OF_KEYS.get(key, "R2.4")

    def _attack(self, node: Node, number: int, step: Step) -> list[Node]:
        if node.state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        rank = step["attack"]
        if not isinstance(rank, int) or isinstance(rank, bool) or not 0 <= rank <= 3:
            raise InputError("bad-rank", rank=str(rank))
        place = 0
        if "monster" in step:
            card = self.find(step["monster"])
            places = [p for r, p, foe in targets(node.state) if r == rank and foe.card == card]
            if not places:
                raise IllegalStepError("no-target", rule="R5.1", rank=rank)
            place = places[0]
        action = Action("attack", rank, place)
        after, _ = child(self.table, node.state, action)
        settled = self._settle(replace(node, state=after, line=(*node.line, action), open=None, made=()))
        for end in settled:
            for left, rule in ((end.diseases, "R5.6"), (end.battle, "R5.2"), (end.after, "R6.5")):
                if left:
                    if left[0][0] in self._misfits:
                        raise self._misfits[left[0][0]]
                    cited = "R6.4" if "buy" in left[0][1] else rule
                    raise IllegalStepError("unasked-step", rule=cited, step=left[0][0])
        return settled

    def _settle(self, node: Node) -> list[Node]:
        """Makes the choices that wait: those the plan names, else every possible one."""
        done: list[Node] = []
        waiting = [node]
        problem: ThunderrefError | None = None
        while waiting:
            node = waiting.pop()
            if not node.state.todo:
                done.append(node)
                continue
            try:
                branches = list(self._choices(node))
            except ThunderrefError as error:
                problem = problem or error
                continue
            waiting += reversed(branches)
        if not done and problem is not None:
            raise problem
        return done

    def _choices(self, node: Node) -> Iterator[Node]:
        state = node.state
        options = legal_actions(self.table, state)
        task = state.todo[0]
        named = self._named(node, task, options)
        if named is not None:
            yield named
            return
        optional = tuple(action for action in options if action.a == "decline")
        for action in optional or options:
            yield self._chosen(node, action)

    def _chosen(self, node: Node, action: Action, **changes: Any) -> Node:
        after, _ = play(self.table, node.state, action)
        return replace(node, state=after, line=(*node.line, action), **changes)

    def _named(self, node: Node, task: Task, options: tuple[Action, ...]) -> Node | None:
        """The choice the plan names for this task; None if it names none; raises if it is not among the options."""
        keys = {action.a for action in options}
        if node.open is not None:
            number, step = node.open
            used, kept = dict(node.made), self._kept(node.state, step)
            for key in CHOICE_KEYS:
                values = _values(step, key)
                if key in step and key in _asked(keys) and used.get(key, 0) < len(values) - kept.get(key, 0):
                    value = values[used.get(key, 0)]
                    made = tuple(sorted({**used, key: used.get(key, 0) + 1}.items()))
                    return self._chosen(node, self._match(node.state, task, options, key, value, number), made=made)
            return None
        if "disease" in keys or task.name == "disease":
            return self._from_queue(node, "diseases", task, options, lambda step: "disease")
        if "pick" in keys:
            what = "cannot-attack" if task.name == "battle:stop-hero" else "destroy"
            return self._from_queue(
                node, "battle", task, options, lambda step: "pick" if step.get("battle") == what else None
            )
        if "from" in keys:
            name = task.source
            return self._from_queue(
                node, "battle", task, options,
                lambda step: "from" if step.get("battle") == "lose" and self._same(node.state, step, name) else None,
            )  # fmt: skip
        return self._from_queue(node, "after", task, options, lambda step: self._after_key(step, task, keys))

    def _kept(self, state: State, step: Step) -> Counter[str]:
        """How many values of each key the played card itself still asks for, while another card's effect asks first.

        A Banish that lets in a breach or a trap (R4.6) has its own card to destroy afterwards.
        """
        asking, *waiting = state.todo
        card = self.find(str(step.get("use", "")).partition("#")[0]) if "use" in step else ""
        return Counter(task.name for task in waiting if task.source[0] == card != asking.source[0])

    def _same(self, state: State, step: Step, hero: Any) -> bool:
        return bool(ref_of(state, step.get("hero", ""), self.find) == hero)

    def _after_key(self, step: Step, task: Task, keys: set[Any]) -> str | None:
        for name, known in (("use", ("bottom", "take", "on", "destroy", "hunt")), ("breach", ("destroy",))):
            for key in known:
                if name in step and key in keys:
                    return key if self.find(str(step[name]).partition("#")[0]) == task.source[0] else None
        for key in ("buy", "discard", "show"):
            if key in step and key in keys:
                return key
        return None

    def _from_queue(self, node: Node, queue: str, task: Task, options: tuple[Action, ...], key_of: Any) -> Node | None:
        steps: tuple[tuple[int, Step], ...] = getattr(node, queue)
        for place, (number, step) in enumerate(steps):
            key = key_of(step)
            if key is None or key not in step:
                continue
            try:
                action = self._match(node.state, task, options, key, step[key], number)
            except IllegalStepError as misfit:
                if queue == "after":  # another monster's spoils may be meant
                    self._misfits.setdefault(number, misfit)
                    continue
                raise
            return self._chosen(node, action, **{queue: steps[:place] + steps[place + 1 :]})
        return None

    def _match(
        self, state: State, task: Task, options: tuple[Action, ...], key: str, value: Any, number: int
    ) -> Action:
        if task.name == "purge":
            cards = value if isinstance(value, list) else [value]
            wanted: list[Any] = [tuple(sorted(self.find(str(card)) for card in cards))]
        elif key == "destroy" and any(isinstance(action.b, str) for action in options):
            wanted = [self.find(str(value))]  # off a deck that a breach laid open, not out of the hand
        else:
            wanted = self._value(state, key, value)
        for action in options:
            if action.a == key and action.b in wanted:
                return action
        cited = RULES_OF_KEYS.get(key, "R2.4")
        if key in ("bottom", "take", "order") and not wanted:
            cited = "R4.6"  # nothing of that name stands in the hall, or not these cards
        elif task.name == "move-monster" and _is_immune(self.table, state, task, wanted):
            cited = "R5.5"
        elif key == "take" and set(wanted) & set(movable_ranks(self.table, state)):
            cited = "R6.5"  # it could leave, but is not worth what the effect asks for
        if key == "pick" and task.name == "battle:stop-hero":
            cited = "R5.4"
        possible = [str(write_value(state, key, action.b)) for action in options if action.a == key]
        raise IllegalStepError(
            "illegal-choice", rule=cited, step=number, card=task.source[0] or "-", value=str(value), candidates=possible
        )

    def _value(self, state: State, key: str, value: Any) -> list[Any]:
        """What a value of a plan may mean among the options."""
        if key in ("bottom", "take"):
            if isinstance(value, int):
                return [value]
            return self._ranks(state, value)
        if key == "order":
            return self._orders(state, value if isinstance(value, list) else [])
        if key in ("disease", "from"):
            return [value]
        if key in ("borrow-from", "hunt"):
            seat, card = value if isinstance(value, list) and len(value) == 2 else (0, "")
            return [(seat - 1, self.find(str(card)))] if isinstance(seat, int) and seat > 1 else []
        if key == "top":
            return [tuple(self.find(str(v)) for v in value)] if isinstance(value, list) else []
        if key in ("buy", "draw", "recruit"):
            return [self.find(str(value))]
        if key == "borrow":  # it lies on the discard pile
            name, _, number = str(value).partition("#")
            card = self.find(name)
            return [(card, int(number))] if number.isdigit() else [ref for ref in state.discarded if ref[0] == card]
        if value is None:
            return [None]
        return [ref_of(state, value, self.find)]

    def _ranks(self, state: State, name: Any) -> list[int]:
        """The ranks of the monsters of that name, of the n-th from rank 1 if it says ``#n``."""
        name, _, number = str(name).partition("#")
        card = self.find(name.strip())
        ranks = [rank for rank, foe in enumerate(state.hall, 1) if foe.card == card]
        if not number.strip():
            return ranks
        return [rank for n, rank in enumerate(ranks, 1) if str(n) == number.strip()]

    def _orders(self, state: State, wanted: list[Any]) -> list[tuple[int, ...]]:
        """The orders of the hall that put there, from rank 1 on, these monsters: names, or the ranks they stand at.

        None is an empty rank; those at the end may be left out.
        """
        wanted = [*wanted, *(None for _ in range(len(wanted), len(state.hall)))]
        places = [
            {wanted_here - 1}
            if isinstance(wanted_here, int) and not isinstance(wanted_here, bool)
            else {rank - 1 for rank in self._ranks(state, wanted_here)}
            if wanted_here
            else {place for place, foe in enumerate(state.hall) if not is_known(foe)}
            for wanted_here in wanted
        ]
        return [
            order
            for order in ORDERS
            if len(places) == len(order) and all(place in there for place, there in zip(order, places, strict=True))
        ]


def _is_immune(table: Table, state: State, task: Task, wanted: list[Any]) -> bool:
    """True if what a plan wants moved stays because the card that should move it is a spell (R5.5)."""
    if hall_locked(table, state) or not table.book[task.source[0]].is_spell:
        return False
    moved = [
        place for order in wanted if isinstance(order, tuple) for place in range(len(order)) if order[place] != place
    ]
    moved += [rank - 1 for rank in wanted if isinstance(rank, int)]
    return any(0 <= place < len(state.hall) and immune_to_spells(table, state.hall[place]) for place in moved)


def _asked(keys: set[Any]) -> set[str]:
    return {str(key) for key in keys}


def _values(step: Step, key: str) -> list[Any]:
    value = step.get(key)
    if key in LISTS:
        return [value]
    return value if isinstance(value, list) else [value]
