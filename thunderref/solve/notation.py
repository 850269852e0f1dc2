"""Plan notation: actions as steps that can be written down, and steps as actions (both ways)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from thunderref.engine.hall import is_known
from thunderref.engine.hand import revealed
from thunderref.engine.legal import not_in_play
from thunderref.engine.state import Action, Ref, State, Table, Task
from thunderref.errors import InputError

Step = dict[str, Any]
FindCard = Callable[[str], str]
"""Name in any language -> card id."""

STEP_KEYS = {
    "equip": {"equip", "to"},
    "use": {"use", "effect", "destroy", "on", "bottom", "order", "take", "discard", "borrow", "draw", "to", "militia",
            "copy", "recruit", "top", "show", "others",
            "borrow-from", "hunt"},
    "forgo": {"forgo"},
    "disease": {"disease"},
    "attack": {"attack", "monster"},
    "battle": {"battle", "pick", "hero", "from"},
    "buy": {"buy"},
    "discard": {"discard"},
    "show": {"show"},
    "breach": {"breach", "destroy"},
}  # fmt: skip
"""The first key of a step says what it is; these keys may stand in it."""
LISTS = ("order", "top", "borrow-from", "hunt")
"""Keys whose value is a list by itself: cards in order, or a player's number and his card."""


def kind_of(step: Step, number: int, kinds: Mapping[str, set[str]] = STEP_KEYS) -> str:
    """Which of ``kinds`` this step is; raises :class:`InputError` naming the step for one that is none."""
    for kind, keys in kinds.items():
        if kind in step:
            unknown = set(step) - keys
            if unknown:
                raise InputError("bad-step-key", step=number, key=sorted(unknown)[0], known=", ".join(sorted(keys)))
            return kind
    raise InputError("bad-step", step=number, found=", ".join(step) or "-", known=", ".join(kinds))


def name_of(ref: Ref) -> str:
    """``militia`` for the first copy, ``militia#2`` for the second; a card of no hand (copy 0) has its bare name."""
    card, copy = ref
    return card if copy < 2 else f"{card}#{copy}"


def ref_of(state: State, text: Any, find: FindCard) -> Ref:
    """The copy that a name means: ``#n`` names one, a bare name the first copy still in play.

    Raises :class:`thunderref.errors.IllegalStepError` (R4.2) if no such copy is in play.
    """
    name, _, number = str(text).partition("#")
    card = find(name.strip())
    copies = sorted(slot.copy for slot in revealed(state) if slot.card == card)
    if number.strip():
        if not number.strip().isdigit():
            raise InputError("bad-copy", name=str(text))
        ref = (card, int(number))
        if int(number) not in copies:
            raise not_in_play(ref)
        return ref
    if not copies:
        raise not_in_play((card, 1))
    return card, copies[0]


def hall_name(state: State, rank: int) -> str | int:
    """A hall card by its name, by its rank if the name stands there twice."""
    card = state.hall[rank - 1].card
    return card if sum(foe.card == card for foe in state.hall) == 1 else rank


class LineWriter:
    """Writes the actions of a line as plan steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._open: Step | None = None

    def add(self, table: Table, state: State, action: Action) -> None:
        """Adds an action taken in ``state``."""
        if action.kind == "choose":
            self._choice(state, state.todo[0], action)
            return
        step = write_action(table, state, action)
        self._open = step
        if step:
            self.steps.append(step)

    def _choice(self, state: State, task: Task, action: Action) -> None:
        key, value = action.a, action.b
        if key == "decline":
            return
        if state.phase == "prepare" and self._open is not None:
            self._put(self._open, key, write_value(state, key, value))
            return
        self._open = None
        self.steps.append(write_battle_choice(state, task, key, value))

    @staticmethod
    def _put(step: Step, key: str, value: Any) -> None:
        if key not in step:
            step[key] = value
        elif isinstance(step[key], list) and key not in LISTS:
            step[key] = [*step[key], value]
        else:
            step[key] = [step[key], value]


def write_action(table: Table, state: State, action: Action) -> Step:
    """A step for an action that is no choice; {} for leaving without a battle."""
    if action.kind == "use":
        step: Step = {"use": name_of(action.a)}
        if action.b > 1:
            step["effect"] = action.b
        return step
    if action.kind == "equip":
        return {"equip": name_of(action.a), "to": name_of(action.b)}
    if action.kind == "forgo":
        return {"forgo": name_of(action.a)}
    if action.kind == "attack":
        step = {"attack": action.a}
        if action.a == 0 and len(state.rank0) > 1:
            step["monster"] = state.rank0[action.b].card
        return step
    return {}


def write_value(state: State, key: str, value: Any) -> Any:
    """The value of a choice as plans write it."""
    if key in ("bottom", "take"):
        return hall_name(state, value)
    if key == "top":
        return list(value)
    if key in ("borrow-from", "hunt"):
        return [value[0] + 1, value[1]]
    if key == "order":
        return [state.hall[place].card if is_known(state.hall[place]) else None for place in value]
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
        return name_of((value[0], value[1]))
    return value


def write_battle_choice(state: State, task: Task, key: str, value: Any) -> Step:
    """The step for a choice made in or after the battle."""
    if key == "disease":
        return {"disease": value}
    if key == "pick":
        what = "cannot-attack" if task.name == "battle:stop-hero" else "destroy"
        return {"battle": what, "pick": name_of(value)}
    if key == "from":
        return {"battle": "lose", "hero": name_of(task.source), "from": value}
    if key == "buy":
        return {"buy": value}
    if key in ("discard", "show"):
        return {key: name_of(value)}
    if task.name == "purge":
        return {"use": task.source[0], key: list(value)}
    if task.name == "reveal-destroy":
        return {"breach": task.source[0], "destroy": value}
    return {"use": name_of(task.source), key: write_value(state, key, value)}
