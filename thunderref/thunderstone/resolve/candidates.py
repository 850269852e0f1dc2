"""Which moves the search for the best line needs to try.

Three things keep the number of states small, and each is checked against a brute force that knows none of them:

- of several equal copies in the same situation only the first is tried;
- what only adds to something and costs nothing (Battle Fury, Feast, a count of monsters) is used before every battle
  without branching, after everything that takes cards from the hand, so that it never keeps a card from being destroyed
  for something better (R4.2);
- weapons with which nothing happens at once are handed out last (:mod:`relaxation`).

Superfluous uses are taken out of the finished line again (:mod:`search`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from thunderref.thunderstone.resolve.independence import Surroundings
from thunderref.thunderstone.rules.advance import play
from thunderref.thunderstone.rules.cards import Ability
from thunderref.thunderstone.rules.choices import Choice, Equip, Forgo, Pick, Use
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import find, revealed, slots
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import FORGONE, Position, key_of_slot

Line = tuple[Choice, ...]
Choose = Callable[[Position, Sequence[Choice]], Sequence[Choice]]
Chosen = TypeVar("Chosen", bound=Choice)


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


def following(
    game: Game, state: Position, moves: Iterable[Choice], around: Surroundings
) -> Iterator[tuple[Position, Line]]:
    """The states that these moves lead to.

    Immediate effects of a weapon are tried as soon as a hero holds it: before that they could wait.
    """
    for action in moves:
        after, _ = play(game, state, action)
        if isinstance(action, Equip) and not around.in_order:
            spec = game.cards[action.weapon[0]]
            waiting = [
                other
                for other in branching_moves(game, after, around)
                if isinstance(other, Use) and other.card == action.weapon
            ]
            if any(ability.before_refill for ability in spec.dungeon):
                yield after, (action,)
            yield from ((play(game, after, use)[0], (action, use)) for use in waiting)
        else:
            yield after, (action,)


def branching_moves(game: Game, state: Position, around: Surroundings) -> list[Choice]:
    """The actions to be tried one by one."""
    options = legal_actions(game, state)
    if state.todo:
        task = state.todo[0]
        alone = task.name == "borrow-any" and state.table is None
        if alone and not around.spills and not game.cards[task.data.card].is_weapon:
            options = options[:1]  # to lend a hero and take the same one back is a longer way not to lend
    else:
        options = tuple(action for action in options if _is_tried(game, state, action, around))
    return distinct_choices(state, options)


def ability_of(game: Game, state: Position, choice: Choice) -> Ability | None:
    """The effect that a choice uses; None if it uses none."""
    if not isinstance(choice, Use) or not choice.effect:
        return None
    return game.cards[find(state, choice.card)[0].face].dungeon[choice.effect - 1]


def _is_tried(game: Game, state: Position, action: Choice, around: Surroundings) -> bool:
    if isinstance(action, Equip):
        return not around.is_handed_last(game.cards[find(state, action.weapon)[0].face])
    if not isinstance(action, Use | Forgo):
        return False
    slot, holder = find(state, action.card)
    spec = game.cards[slot.face]
    if isinstance(action, Forgo):
        return around.in_order or (around.spell_bar and spec.is_spell and bool(spec.figures or spec.passive))
    if not action.effect:
        return True
    ability = spec.dungeon[action.effect - 1]
    if (holder is not None and around.is_handed_last(spec)) or around.can_wait(spec, ability):
        return False
    return around.is_tried(spec, ability, state)


def free_moves(game: Game, state: Position, around: Surroundings) -> tuple[Position, Line]:
    """The state after using every effect that only adds to something, and these uses."""
    line: list[Choice] = []
    for slot in revealed(state):
        for ability in game.cards[slot.face].dungeon if not slot.flags & FORGONE else ():
            if ability.number not in slot.used and around.is_free(game.cards[slot.face], ability):
                action = Use(slot.ref, ability.number)
                state, _ = play(game, state, action)
                line.append(action)
    return state, tuple(line)


def held_uses(game: Game, head: tuple[Position, Line], *, costly: bool) -> list[tuple[Position, Line]]:
    """The state after using the free effects of held weapons; if ``costly`` also every way to pay for one."""
    ways = [head]
    for slot, holder in slots(head[0]):
        for ability in game.cards[slot.face].dungeon if holder is not None else ():
            if not (ability.instant or ability.before_refill or ability.number in slot.used):
                action = Use(slot.ref, ability.number)
                used = [(play(game, state, action)[0], (*line, action)) for state, line in ways]
                ways = [*ways, *used] if ability.cost else used
    return ways[1:] if costly else ways[:1]
