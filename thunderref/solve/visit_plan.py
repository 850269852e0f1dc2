"""Following a given plan of a visit to the village; what it leaves open is chosen by the goal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.engine.state import Action, Ref, Table
from thunderref.engine.village import child, legal_actions, level_ups, play
from thunderref.engine.visit import FOR_SALE, Visit
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.solve.notation import Step, kind_of, ref_of
from thunderref.solve.position import Finder
from thunderref.solve.purchases import Market
from thunderref.solve.visit_search import Line, Worth, distinct, worth

STEP_KEYS = {"use": {"use", "effect", "destroy", "discard", "hero"}, "buy": {"buy"}, "level_up": {"level_up", "to"}}
"""The first key of a step says what it is; these keys may stand in it."""
CHOICES = ("destroy", "discard", "hero")
STOCK = frozenset(FOR_SALE)


class Follower:
    """Follows one plan; what it leaves open is chosen by the goal."""

    def __init__(self, table: Table, market: Market, find: Finder, goal: str) -> None:
        self.table = table
        self.market = market
        self.find = find
        self.goal = goal

    def follow(self, start: Visit, plan: list[Step]) -> Line:
        """The line of the plan; raises the error of the first step that cannot be taken, with its number."""
        nodes: list[tuple[Visit, Line]] = [(start, ())]
        counted_at: list[Worth] = []
        for number, step in enumerate(plan, 1):
            kind = kind_of(step, number, STEP_KEYS)
            found: list[tuple[Visit, Line]] = []
            problem: ThunderrefError | None = None
            if kind != "use" and not counted_at:
                nodes, counted_at = self._counted(nodes)
            for visit, line in nodes:
                try:
                    found += [(after, (*line, *more)) for after, more in self._step(visit, kind, step, number)]
                except ThunderrefError as error:
                    problem = problem or error
            if not found and problem is not None:
                problem.params.setdefault("step", number)
                raise problem
            nodes = found
        if not counted_at:
            nodes, _ = self._counted(nodes)
        return nodes[0][1]

    def _counted(self, nodes: list[tuple[Visit, Line]]) -> tuple[list[tuple[Visit, Line]], list[Worth]]:
        """Counts the gold on every branch, the best first."""
        worths = [worth(self.table, self.market, visit, self.goal) for visit, _ in nodes]
        order = sorted(range(len(nodes)), key=lambda place: worths[place], reverse=True)
        count = Action("count")
        counted_nodes = [(play(self.table, nodes[i][0], count)[0], (*nodes[i][1], count)) for i in order]
        return counted_nodes, [worths[i] for i in order]

    def _step(self, visit: Visit, kind: str, step: Step, number: int) -> Iterator[tuple[Visit, Line]]:
        if kind == "buy":
            action = Action("buy", self.find(_text(step, "buy", number), STOCK), 0)
            yield child(self.table, visit, action)[0], (action,)
            return
        if kind == "level_up":
            ref = self._ref(visit, _text(step, "level_up", number), "R3.5")
            action = Action("level_up", ref, self._next(visit, ref, step, number))
            yield child(self.table, visit, action)[0], (action,)
            return
        effect = step.get("effect", 1)
        if not isinstance(effect, int) or isinstance(effect, bool):
            raise InputError("bad-step-value", step=number, key="effect", value=str(effect))
        if visit.phase != "effects":
            raise IllegalStepError("gold-counted", rule="R3.2")
        action = Action("use", self._ref(visit, _text(step, "use", number), "R3.1"), effect)
        yield from self._chosen(visit, action, step)

    def _chosen(self, visit: Visit, action: Action, step: Step) -> Iterator[tuple[Visit, Line]]:
        """The ways to use an effect: choices as the plan names them, else every possible one."""
        wanted = {key: [str(v) for v in _values(step[key])] for key in CHOICES if key in step}
        stack: list[tuple[Visit, Line, dict[str, int]]] = [(child(self.table, visit, action)[0], (action,), {})]
        problem: ThunderrefError | None = None
        done = False
        while stack:
            node, line, made = stack.pop()
            if not node.turn.todo:
                unused = [key for key in wanted if made.get(key, 0) < len(wanted[key])]
                if unused:
                    problem = problem or IllegalStepError("unasked-choice", rule="R3.1", key=unused[0])
                    continue
                done = True
                yield node, line
                continue
            options = legal_actions(self.table, node)
            key = options[0].a
            n = made.get(key, 0)
            if n < len(wanted.get(key, ())):
                name = wanted[key][n]
                try:
                    choice = Action("choose", key, self._ref(node, name, "R3.1"))
                    if choice not in options:
                        raise IllegalStepError(
                            "illegal-choice", rule="R3.1", card=node.turn.todo[0].source[0], key=key, value=name
                        )
                except ThunderrefError as error:
                    problem = problem or error
                    continue
                branches, made = [choice], {**made, key: n + 1}
            else:
                branches = distinct(node, options)
            for choice in reversed(branches):
                stack.append((play(self.table, node, choice)[0], (*line, choice), made))
        if not done and problem is not None:
            raise problem

    def _ref(self, visit: Visit, name: str, rule: str) -> Ref:
        """The copy that a name means; the error says what became of a card that is not in play any more."""
        try:
            return ref_of(visit.turn, name, self.find)
        except IllegalStepError as error:
            card = str(error.params["card"])
        turn = visit.turn
        if rule == "R3.5" and card in turn.gained:
            raise IllegalStepError("hero-just-gained", rule=rule, card=card)
        if card in (gone for gone, _ in turn.destroyed):
            raise IllegalStepError("destroyed-card", rule="R3.5" if rule == "R3.5" else "R3.1", card=card)
        copy = name.partition("#")[2].strip()
        raise IllegalStepError("not-in-play", rule=rule, card=card, copy=int(copy) if copy.isdigit() else 1)

    def _next(self, visit: Visit, ref: Ref, step: Step, number: int) -> str:
        """What the hero is to become: as the plan says, else the one card he can."""
        if "to" in step:
            return self.find(_text(step, "to", number), frozenset({"hero"}))
        found = {to for other, to, _ in level_ups(self.table, visit) if other == ref}
        if not found:
            spec = self.table.book[ref[0]]
            code = "level-none-left" if spec.is_hero and (spec.level_cost or not spec.level) else "no-next-level"
            raise IllegalStepError(code, rule="R3.5", card=ref[0])
        if len(found) > 1:
            raise InputError("missing-step-key", step=number, key="to")
        return found.pop()


def _text(step: Step, key: str, number: int) -> str:
    if not isinstance(step[key], str) or not step[key].strip():
        raise InputError("bad-step-value", step=number, key=key, value=str(step[key])[:40])
    return str(step[key])


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
