"""The ways a task or a battle can go, and which of them need to be tried.

Of several equal copies in the same situation only the first is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from thunderref.thunderstone.resolve.score import NOTHING, Loss, Score, losses, score
from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Forgo, Named, Pick, Several, Use
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import all_slots, find, slots
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import BORROWED, FLEETING, NO_CARD, Foe, Position, key_of_slot

Line = tuple[Choice, ...]
Choose = Callable[[Position, Sequence[Choice]], Sequence[Choice]]
Chosen = TypeVar("Chosen", bound=Choice)
LOSSES = frozenset({"disease", "lose"})
"""Tasks that take 1 Attack or 1 Magic Attack, Attack named first."""
VICTIMS = frozenset({"battle:battle-destroy", "battle:each-player-destroys"})
"""Tasks that take one card, which counts until the battle ends (R5.2)."""


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

    With ``every`` False only those whose outcome may be worth more than that of the ones before.
    """
    every = every or bool(game.readings)

    def choose(node: Position, options: Sequence[Choice]) -> Sequence[Choice]:
        found = distinct_choices(node, options)
        return found if every or len(found) < 2 else _telling(game, node, found)

    return endings(game, play(game, state, attack, "finish")[0], choose, line=(attack,), stop="finish")


def _telling(game: Game, node: Position, options: list[Choice]) -> list[Choice]:
    """The choices of a battle task that may give more than the ones before them.

    Losing 1 Attack is never worse than losing 1 Magic Attack, except against what treats Magic Attack worse or asks
    which heroes have any. Where one card is destroyed at the end, after all choices, it is the one that costs least.
    """
    task = node.todo[0]
    if task.name in LOSSES:
        return options if node.battle is None or game.cards[node.battle.foe.card].weighs_magic else options[:1]
    last = task.name in VICTIMS and node.todo[1].name == "finish" and game.ruleset == "print"
    if not last or any(slot.flags & (BORROWED | FLEETING) for slot in all_slots(node)):
        return options
    party = party_of(game, node)

    def price(answer: Choice) -> Loss:
        slot, _ = find(node, answer.value if isinstance(answer, Pick) else NO_CARD)
        return NOTHING if party.spares(slot) else losses(game, (slot.card,))

    return [min(options, key=price)]


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
