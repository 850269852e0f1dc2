"""Every action of a game as a plan step that can be written down, and every such step as the action it means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thunderref.engine.game import child, decider, legal_actions
from thunderref.engine.legal import not_in_play
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Ref, Table
from thunderref.engine.visit import Visit
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.solve.notation import hall_name, name_of, write_action

Step = dict[str, Any]

WAYS = ("village", "dungeon", "rest", "penalty")
KINDS = ("turn", "use", "equip", "forgo", "attack", "leave", "count", "buy", "level_up", "end", "shuffle")
"""First keys of the steps that are no choices in mid-effect."""
CHOICES = (
    "battle", "disease", "destroy", "discard", "on", "bottom", "order", "take", "borrow", "draw", "to", "militia",
    "copy", "recruit", "top", "show", "hero", "alone", "hunt", "seat", "reveal",
    "decline",
)  # fmt: skip
"""Keys by which a choice in mid-effect is known; ``for`` then names the card that asks."""


def step_of(game: Game, action: Action) -> Step:
    """The step for an action that is legal in ``game``; a player who is not the active one is named by his number."""
    step = _step(game, action)
    seat = decider(game)
    return {"player": seat + 1, **step} if seat != game.active else step


def _step(game: Game, action: Action) -> Step:
    kind, state = action.kind, game.state
    if kind == "choose":
        return _choice(game, action.a, action.b)
    if kind in WAYS:
        return {"turn": kind}
    if kind in ("leave", "count", "end"):
        return {kind: True}
    if kind == "buy":
        return {"buy": action.a}
    if kind == "level_up":
        return {"level_up": name_of(action.a), "to": action.b}
    step = write_action(_NO_TABLE, state, action)
    if kind == "use" and action.b == 0:
        step["effect"] = 0
    return step


_NO_TABLE: Any = None
"""What an action is called does not depend on the table."""


def _choice(game: Game, key: str, value: Any) -> Step:
    task = game.state.todo[0]
    if key == "disease":
        return {"disease": value}
    if key == "from":
        return {"battle": "lose", "hero": name_of(task.source), "from": value}
    if key == "pick":
        what = "cannot-attack" if task.name == "battle:stop-hero" else "destroy"
        return {"battle": what, "pick": written(game, key, value)}
    if key == "player":  # whom an effect is about; "player" in a step is who decides
        return {"seat": value + 1, "for": name_of(task.source)}
    if key == "borrow-from":
        return {"borrow": value[1], "seat": value[0] + 1, "for": name_of(task.source)}
    if key == "hunt":
        return {"hunt": value[1], "seat": value[0] + 1, "for": name_of(task.source)}
    step: Step = {key: True if key in ("decline", "reveal") else written(game, key, value)}
    return {**step, "for": name_of(task.source)} if task.source[0] else step


def written(game: Game, key: str, value: Any) -> Any:
    """The value of a choice as steps write it: cards and copies by name, ranks of the hall by what stands there."""
    if key in ("bottom", "take") and isinstance(value, int):
        return hall_name(game.state, value)
    if key == "order":
        return [game.state.hall[place].card or None for place in value]
    if isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int):
            return name_of((value[0], value[1]))
        return [written(game, key, part) for part in value]
    return value


def action_of(table: Table, game: Game, step: Step) -> Action:
    """The legal action that a step means.

    Raises :class:`IllegalStepError` with the rule that forbids it, :class:`InputError` for a step that is none.
    """
    for action in legal_actions(table, game):
        if step_of(game, action) == step:
            return action
    raise refusal(table, game, step)


def shuffle_step(seat: int, what: str, order: Sequence[str]) -> Step:
    """The step for a shuffle: whose cards, which, and their new order, top first."""
    return {"shuffle": what, "player": seat + 1, "order": list(order)}


# why not


def refusal(table: Table, game: Game, step: Step) -> ThunderrefError:
    """Why a step that no legal action is written as cannot be taken."""
    kind = next((key for key in (*KINDS, *CHOICES) if key in step), None)
    if kind is None:
        known = ", ".join((*KINDS, *CHOICES))
        return InputError("bad-step", found=", ".join(map(str, step)) or "-", known=known)
    found = ", ".join(f"{key}: {value}" for key, value in step.items())[:60]
    try:
        child(table, game, _attempt(table, game, step, kind))
    except IllegalStepError as error:
        if error.code not in ("illegal-action", "illegal-choice"):
            return error
        return IllegalStepError("play-illegal", rule=error.rule, found=found)
    except (KeyError, IndexError, TypeError, ValueError):
        pass
    return IllegalStepError("play-illegal", rule="R2.1", found=found)


def _attempt(table: Table, game: Game, step: Step, kind: str) -> Action:
    """The action that the step would be; IllegalStepError for a card that is not there."""
    if kind == "turn":
        return Action(str(step["turn"]))
    if kind in ("leave", "count", "end"):
        return Action(kind)
    if kind in ("use", "forgo"):
        return Action(kind, _ref(table, game, step[kind]), int(step.get("effect", 1)) if kind == "use" else 0)
    if kind == "equip":
        return Action(kind, _ref(table, game, step["equip"]), _ref(table, game, step["to"]))
    if kind == "attack":
        return Action(kind, int(step["attack"]), 0)
    if kind == "buy" and isinstance(game.turn, Visit):
        return Action(kind, str(step["buy"]), 0)
    if kind == "level_up":
        return Action(kind, _ref(table, game, step["level_up"]), str(step.get("to")))
    return Action("choose", kind, step[kind])


def _ref(table: Table, game: Game, name: Any) -> Ref:
    card, _, copy = str(name).partition("#")
    ref = (card, int(copy or 1))
    if card not in table.book:
        raise IllegalStepError("play-illegal", rule="R4.1", found=str(name)[:60])
    held = {weapon.ref for slot in game.state.hand for weapon in slot.weapons}
    if ref not in held | {slot.ref for slot in game.state.hand}:
        raise not_in_play(ref)
    return ref
