"""Plays a given plan step by step and checks each step; branches over what the plan leaves open."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.thunderstone.resolve.battles import distinct_choices
from thunderref.thunderstone.resolve.documents import STEP_KEYS
from thunderref.thunderstone.resolve.refusals import LATER_RULES, head_of, misfit, unasked_choice, unasked_step
from thunderref.thunderstone.rules import notation
from thunderref.thunderstone.rules.choices import DECLINE, Answer, Attack, Choice, Count, End, Leave
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import Moment, Played, legal_actions, play, targets, why_illegal
from thunderref.thunderstone.rules.notation import FindCard, Step
from thunderref.thunderstone.rules.position import Position

Numbered = tuple[int, Step]
"""A step and its place in the plan, from 1."""

LISTS = frozenset(("order", "top", "borrow-from", "hunt"))
"""Keys whose single value is a list: cards in order, or a player's number and a card."""
PREPARED = frozenset(("equip", "use", "forgo"))
HEADS = frozenset(("use", "equip", "effect", "forgo", "others", "buy", "level_up"))


def step_kind(step: Any, number: int, kinds: Mapping[str, set[str]] = STEP_KEYS) -> str:
    """Which of ``kinds`` this step is; raises :class:`InputError` naming the step if it is none of them."""
    for kind, keys in kinds.items():
        if kind in step:
            unknown = set(step) - keys
            if unknown:
                raise InputError("bad-step-key", step=number, key=sorted(unknown)[0], known=", ".join(sorted(keys)))
            return kind
    raise InputError("bad-step", step=number, found=", ".join(step) or "-", known=", ".join(kinds))


class LineWriter:
    """Writes the choices of a line as plan steps: answers in preparation become part of the step they belong to."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._open: Step | None = None

    def add(self, state: Position, choice: Choice) -> None:
        if isinstance(choice, Leave | Count | End):
            self._open = None
        elif not isinstance(choice, Answer):
            self._open = notation.step_of(state, choice)
            if self._open.get("effect") == 0:  # a trophy has one use only
                del self._open["effect"]
            self.steps.append(self._open)
        elif choice != DECLINE and state.phase in ("prepare", "village") and self._open is not None:
            key, value = choice.key, notation.value_of(state, choice)
            self._open[key] = [*values_of(self._open, key), value] if key in self._open else value
        elif choice != DECLINE:
            self._open, task = None, state.todo[0]
            head = {"breach" if task.name == "reveal-destroy" else "use": notation.name_of(task.source)}
            asking = {} if choice.key in ("buy", "discard", "show") else head
            step = notation.battle_step(state, choice)
            self.steps.append(step or {**asking, choice.key: notation.value_of(state, choice)})


def sort_steps(steps: Sequence[Step]) -> tuple[list[Numbered], Numbered | None, list[Numbered]]:
    """The steps of the preparation, the attack, and those of the battle and after it; raises for an unreadable one."""
    preparation: list[Numbered] = []
    rest: list[Numbered] = []
    attack: Numbered | None = None
    for number, step in enumerate(steps, 1):
        kind = step_kind(step, number)
        if kind == "attack":
            if attack is not None:
                raise IllegalStepError("second-attack", rule="R2.1", step=number)
            attack = (number, step)
        elif kind in ("disease", "battle") or attack is not None:
            rest.append((number, step))
        else:
            preparation.append((number, step))
    return preparation, attack, rest


@dataclass(frozen=True)
class Node:
    """A point of a plan being followed: the position, what was played to get there, and the steps not yet used."""

    state: Position
    played: Played = ()
    open: Numbered | None = None
    made: tuple[str, ...] = ()
    """The keys of the open step used so far, one entry for each value."""
    left: tuple[Numbered, ...] = ()
    """The steps for the battle and what follows that are not yet used."""


class Follower:
    """Follows one plan of one game; ``find`` turns names into card ids."""

    any_copy: ClassVar[bool] = False
    """True to take a bare name for any copy, and to branch over whatever the steps leave open."""

    def __init__(self, game: Game, find: FindCard) -> None:
        self.game, self.find = game, find
        self._misfits: dict[int, IllegalStepError] = {}
        """Why steps for after the battle did not fit the choices there, by their number."""

    def attack_at(self, nodes: list[Node], rank: int, place: int, card: str) -> list[Node]:
        """Attacks that card at a rank, on every branch where it is there and the attack is legal."""
        attack = Attack(rank, place)
        there = [
            node for node in nodes if (rank, place, card) in [(r, p, foe.card) for r, p, foe in targets(node.state)]
        ]
        legal = [node for node in there if attack in legal_actions(self.game, node.state)]
        return [end for node in legal for end in self.settle(self.chosen(node, attack))]

    def each(self, nodes: list[Node], step: Numbered, do: Callable[[int, Step, Node], list[Node]]) -> list[Node]:
        """The results of ``do`` on every branch; the first error, with the step's number, if no branch can go on."""
        found: list[Node] = []
        problem: ThunderrefError | None = None
        for node in nodes:
            try:
                found += do(*step, node)
            except ThunderrefError as error:
                problem = problem or error
        if not found and problem is not None:
            problem.params.setdefault("step", step[0])
            raise problem
        return found

    def prepare(self, number: int, step: Step, node: Node) -> list[Node]:
        """Carries out a step of the preparation; raises what forbids it."""
        if node.state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        kind = step_kind(step, number)
        if kind not in PREPARED:
            why = {} if kind == "buy" else {"why": "refill"}
            raise IllegalStepError("too-early", rule=LATER_RULES[kind], step=number, kind=kind, **why)
        return self.take(node, number, step, head_of(self.game, node.state, step, self.find))

    def take(self, node: Node, number: int, step: Step, head: Step) -> list[Node]:
        """Carries out what ``head`` means, with the answers that ``step`` names; raises what forbids it."""
        choice = notation.read_choice(node.state, head, self.find, number)
        return [self.closed(end) for end in self.begin(node, choice, (number, step))]

    def begin(self, node: Node, choice: Choice, opened: Numbered | None) -> list[Node]:
        """Makes the choice that begins a step and all that follow from it; raises what forbids it."""
        problem = why_illegal(self.game, node.state, choice)
        if problem is not None:
            raise problem
        return self.settle(self.chosen(node, choice, open=opened, made=()))

    def closed(self, node: Node) -> Node:
        """Ends the open step; raises for values in it that nothing asked for, unless the game ended first (R4.6)."""
        if node.open is not None and node.state.phase in ("prepare", "village"):
            number, step = node.open
            for key in step:
                head = key not in node.made and (key in HEADS or (key == "to" and "use" not in step))
                if not head and node.made.count(key) < len(values_of(step, key)):
                    raise unasked_choice(self.game, node.state, step, number, key, self.find)
        return replace(node, open=None, made=())

    def attack(self, number: int, step: Step, node: Node) -> list[Node]:
        """Declares the attack of a plan step and fights the battle; raises if steps are left that nothing asked for."""
        if node.state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        settled = self.begin(node, notation.read_choice(node.state, step, self.find, number), None)
        fitting = [end for end in settled if not end.left]
        if settled and not fitting:
            end = settled[0]
            first, unasked = min(end.left, key=lambda left: ("disease" not in left[1], "battle" not in left[1]))
            if first in self._misfits:
                raise self._misfits[first]
            raise unasked_step(self.game, end.played, unasked, first, self.find)
        return fitting

    def settle(self, node: Node) -> list[Node]:
        """Makes the waiting choices: those the plan names, else every possible one."""
        done: list[Node] = []
        waiting = [node]
        problem: ThunderrefError | None = None
        while waiting:
            node = waiting.pop()
            if not node.state.todo:
                done.append(node)
                continue
            try:
                waiting += reversed(list(self._choices(node)))
            except ThunderrefError as error:
                problem = problem or error
        if not done and problem is not None:
            raise problem
        return done

    def _choices(self, node: Node) -> Iterator[Node]:
        options = [option for option in legal_actions(self.game, node.state) if isinstance(option, Answer)]
        named, changes = self._named(node, options)
        if named:
            options = named if self.any_copy else named[:1]
        elif DECLINE in options and not self.any_copy:
            options = [DECLINE]
        if self.any_copy or node.state.visit is not None:
            options = distinct_choices(node.state, options)
        for answer in options:
            yield self.chosen(node, answer, **changes)

    def chosen(self, node: Node, choice: Choice, **changes: Any) -> Node:
        after, events = play(self.game, node.state, choice)
        moment = Moment(node.state, choice, after, events)
        return replace(node, state=after, played=(*node.played, moment), **changes)

    def _named(self, node: Node, options: list[Answer]) -> tuple[list[Answer], dict[str, Any]]:
        keys = {option.key for option in options}
        if node.open is not None:
            number, step = node.open
            kept = self._kept(node.state, step)
            for key in step:
                values, used = values_of(step, key), node.made.count(key)
                if key in keys and used < len(values) - kept[key]:
                    return self._fitting(node, options, key, values[used], number), {"made": (*node.made, key)}
            return [], {}
        for place, (number, step) in enumerate(node.left):
            asked = self._asked_of(node.state, step, keys)
            if asked is None or asked not in step:
                continue
            left = (*node.left[:place], *node.left[place + 1 :])
            try:
                return self._fitting(node, options, asked, step[asked], number), {"left": left}
            except IllegalStepError as misfit:
                if "disease" in step or "battle" in step:
                    raise
                self._misfits.setdefault(number, misfit)  # another monster's spoils may be meant
        return [], {}

    def _kept(self, state: Position, step: Step) -> Counter[str]:
        # How many values of each key the played card itself still needs while another card's effect comes first: after
        # a breach or a trap that Banish lets in (R4.6), Banish still destroys a card.
        asking, *waiting = state.todo
        card = self.find(str(step["use"]).partition("#")[0]) if "use" in step else ""
        return Counter(task.name for task in waiting if task.source[0] == card != asking.source[0])

    def _asked_of(self, state: Position, step: Step, keys: set[str]) -> str | None:
        task = state.todo[0]
        if "battle" in step:
            what = step["battle"]
            if "pick" in keys:
                return "pick" if what == ("cannot-attack" if task.name == "battle:stop-hero" else "destroy") else None
            hero = "from" in keys and what == "lose" and notation.ref_of(state, step.get("hero", ""), self.find)
            return "from" if hero == task.source else None
        for head in ("use", "breach"):
            key = next((key for key in ("bottom", "take", "on", "destroy", "hunt") if key in keys), None)
            if head in step and key is not None and (head == "use" or key == "destroy"):
                return key if self.find(str(step[head]).partition("#")[0]) == task.source[0] else None
        return next((key for key in ("disease", "buy", "discard", "show") if key in step and key in keys), None)

    def _fitting(self, node: Node, options: list[Answer], key: str, value: Any, number: int) -> list[Answer]:
        state = node.state
        asked = [option for option in options if option.key == key]
        found = [option for option in asked if notation.means(state, option, value, self.find, any_copy=self.any_copy)]
        if found:
            return found
        card = state.todo[0].source[0]
        if state.visit is not None:
            raise IllegalStepError("illegal-choice", rule="R3.1", step=number, card=card, key=key, value=str(value))
        why, rule, fields = misfit(self.game, state, key, value, self.find)
        raise IllegalStepError(
            "illegal-choice", rule=rule, step=number, card=card or "-", value=_written(value),
            candidates=[_written(notation.value_of(state, option)) for option in asked],
            **fields, **({} if why is None else {"why": why}),
        )  # fmt: skip


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def values_of(step: Step, key: str) -> list[Any]:
    value = step[key]
    return value if isinstance(value, list) and key not in LISTS else [value]
