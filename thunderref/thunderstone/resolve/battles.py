"""The ways a task or a battle can go, and which of them need to be tried.

Of several equal copies in the same situation only the first is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from thunderref.thunderstone.resolve.score import Score, score
from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Forgo, Named, Pick, Several, Use
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import slots
from thunderref.thunderstone.rules.legal import advance, legal_actions, play
from thunderref.thunderstone.rules.position import AnyTask, Foe, Position, key_of_slot, replace

Line = tuple[Choice, ...]
Choose = Callable[[Position, Sequence[Choice]], Sequence[Choice]]
Chosen = TypeVar("Chosen", bound=Choice)
LOSSES = frozenset({"disease", "lose"})
"""Tasks that take 1 Attack or 1 Magic Attack, Attack named first."""


def alike(state: Position) -> dict[Any, Any]:
    """Copy -> what it has in common with equal copies in the same situation."""
    return {s.ref: (key_of_slot(s), None if holder is None else key_of_slot(holder)) for s, holder in slots(state)}


def distinct_choices(state: Position, options: Sequence[Chosen]) -> list[Chosen]:
    """The choices without those that only mean another of several equal cards."""
    if len(options) == 1:
        return list(options)
    like = alike(state)
    return list({_likeness(choice, like): choice for choice in reversed(options)}.values())[::-1]


def endings(
    game: Game, state: Position, choose: Choose = distinct_choices, *, line: Line = (), stop: str = ""
) -> Iterator[tuple[Position, Line]]:
    """Every way to go on until no task waits, or the task ``stop`` does, with the choices that ``choose`` leaves."""
    stack = [(state, line)]
    while stack:
        node, line = stack.pop()
        if not node.todo or node.todo[0].name == stop:
            yield node, line
            continue
        for choice in reversed(choose(node, legal_actions(game, node))):
            stack.append((play(game, node, choice, stop)[0], (*line, choice)))


def outcomes(game: Game, state: Position, task: AnyTask) -> Iterator[Position]:
    """Every state that the task alone may lead to."""
    begun = advance(game, replace(state, todo=(task,)), [])
    return (after for after, _ in endings(game, begun, lambda _, options: options[::-1]))


def _likeness(choice: Choice, like: dict[Any, Any]) -> Any:
    """What a choice has in common with those that only mean another of several equal cards."""
    if isinstance(choice, Pick):
        return Pick, choice.key, like.get(choice.value, choice.value)
    if isinstance(choice, Use):
        return Use, like.get(choice.card, choice.card), choice.effect
    if isinstance(choice, Equip):
        return Equip, like.get(choice.weapon, choice.weapon), like.get(choice.hero, choice.hero)
    return (Forgo, like.get(choice.card, choice.card)) if isinstance(choice, Forgo) else choice


def battles(game: Game, state: Position, attack: Attack, *, every: bool = True) -> Iterator[tuple[Position, Line]]:
    """Every way the battle can go with its choices, up to its outcome.

    With ``every`` False, 1 Attack is lost rather than 1 Magic Attack: that is never worse, except against what treats
    Magic Attack worse or asks which heroes have any.
    """
    every = every or bool(game.readings)

    def choose(node: Position, options: Sequence[Choice]) -> Sequence[Choice]:
        weighs = every or node.battle is None or game.cards[node.battle.foe.card].weighs_magic
        return options[:1] if node.todo[0].name in LOSSES and not weighs else distinct_choices(node, options)

    return endings(game, play(game, state, attack, "finish")[0], choose, line=(attack,), stop="finish")


def best_ending(game: Game, state: Position, goal: str) -> tuple[Score, Line]:
    """The best way on from a battle with a known outcome: the first among equals, so nothing optional without need."""

    def choose(node: Position, options: Sequence[Choice]) -> Sequence[Choice]:
        return distinct_choices(node, [action for action in options if not _in_vain(action)])

    ends = ((score(game, node, goal), line) for node, line in endings(game, state, choose))
    return max(ends, key=lambda each: each[0])


def _in_vain(action: Choice) -> bool:
    """True for an answer to spoils that no goal rewards: to buy, or to destroy and not only discard."""
    buys = isinstance(action, Named) and action.key == "buy"
    return buys or (isinstance(action, Several) and action.key == "destroy" and bool(action.value))


def is_calm(game: Game, state: Position, foe: Foe) -> bool:
    """True if nothing that follows the battle can cost a card: no trap, random loss, breach at the known deck."""
    tells = bool(state.deck) or state.pool is not None or state.table is not None
    cards = [foe.card for foe in state.hall if foe.card in game.cards] + list(state.dungeon)
    specs = [game.cards[card] for card in cards]
    if any(spec.trap or (tells and any(op.op == "reveal-top" for op in spec.breach)) for spec in specs):
        return False
    return not any(op.op == "destroy-random" for op in game.cards[foe.card].battle)
