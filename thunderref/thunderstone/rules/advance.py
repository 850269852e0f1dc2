"""From a position and a choice to the next position, with what happened on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Forgo, Leave, Turn, Use
from thunderref.thunderstone.rules.draws import BY_CHANCE, waits_for_chance
from thunderref.thunderstone.rules.effects.battle import begin
from thunderref.thunderstone.rules.effects.handlers import HANDLERS
from thunderref.thunderstone.rules.effects.other_players import by_will
from thunderref.thunderstone.rules.effects.preparation import armed
from thunderref.thunderstone.rules.end_of_turn import close
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events, Game
from thunderref.thunderstone.rules.hand import find, flagged, replaced
from thunderref.thunderstone.rules.position import FORGONE, SPELL_USED, WEAPON_USED, AnyTask, Position, Task, replace
from thunderref.thunderstone.rules.readings import WHEN_COUNTED, is_counted
from thunderref.thunderstone.rules.village import PHASES, visit_play, with_visit


def play(game: Game, state: Position, choice: Choice, stop: str = "") -> tuple[Position, tuple[Event, ...]]:
    """The position after a legal choice, as :func:`legal_actions` gives it, and the events it caused.

    With ``stop`` it ends before a task of that name: a search need not carry out what follows the outcome.
    """
    events: Events = []
    return advance(game, _played(game, state, choice, events), events, stop), tuple(events)


class Moment(NamedTuple):
    """One choice of a line carried out: the position before and after it, and what happened."""

    before: Position
    choice: Choice
    after: Position
    events: tuple[Event, ...]


Played = tuple[Moment, ...]


def replay(game: Game, state: Position, line: Iterable[Choice]) -> Iterator[Moment]:
    """Carries out a line of legal choices, one after the other."""
    for choice in line:
        after, events = play(game, state, choice)
        yield Moment(state, choice, after, events)
        state = after


def _played(game: Game, state: Position, choice: Choice, events: Events) -> Position:
    if state.todo:
        task = state.todo[0]
        return HANDLERS[task.name][1](game, replace(state, todo=state.todo[1:]), task, choice, events)
    if state.phase == "choose" and isinstance(choice, Turn):
        return game.variant.begin_turn(game, state, choice, events)
    if isinstance(choice, Use):
        return _use(game, state, choice, events)
    if state.phase in PHASES:
        return visit_play(game, state, choice, events)
    if isinstance(choice, Attack):
        return begin(game, state, choice.rank, choice.place, events)
    if isinstance(choice, Equip):
        (weapon, _), (hero, copy) = choice.weapon, choice.hero
        events.append(Event("equipped", weapon, ("R4.3",), (("hero_card", hero), ("hero_copy", copy))))
        return armed(game, state, choice.weapon, choice.hero)
    if isinstance(choice, Forgo):
        events.append(Event("forgone", choice.card[0], ("R5.1",)))
        return flagged(state, choice.card, FORGONE)
    if isinstance(choice, Leave):
        events.append(Event("no-battle", "", ("R4.8",)))
        return replace(state, phase="end")
    raise ValueError(f"{choice} is no choice in phase {state.phase}")


def advance(game: Game, state: Position, events: Events, stop: str = "") -> Position:
    """Carries out tasks until one waits for a choice, is called ``stop`` or none is left: then a game's turn closes."""
    while True:
        while state.todo:
            task = state.todo[0]
            if task.name == stop or (task.name in BY_CHANCE and waits_for_chance(state)):
                return state
            options, apply = HANDLERS[task.name]
            choice = None
            if options is not None:
                found = options(game, state, task)
                if found:
                    choice = by_will(state, task, found, events)
                    if choice is None:
                        return state
            state = apply(game, replace(state, todo=state.todo[1:]), task, choice, events)
        if state.phase not in ("end", "rest") or not state.in_game:
            return state
        state = close(game, state, events)


def _use(game: Game, state: Position, choice: Use, events: Events) -> Position:
    ref, number = choice.card, choice.effect
    slot, _ = find(state, ref)
    if number == 0:
        events.append(Event("trophy", slot.card, ("R8.1",)))
        state = replaced(state, ref, replace(slot, used=(*slot.used, 0)))
        return replace(state, todo=(Task("on", ref, 0), *state.todo))
    spec, visiting = game.cards[slot.face], state.visit is not None
    ability = (spec.village if visiting else spec.dungeon)[number - 1]
    if visiting:
        events.append(Event("effect-used", slot.card, ("R3.1",), (("copy", slot.copy), ("effect", ability.id))))
        state = with_visit(state, paid="")
    else:
        which = (("number", number), ("effect", ability.id), ("face", slot.face))
        events.append(Event("used", slot.card, ability.rules, which))
    state = replaced(state, ref, replace(slot, used=tuple(sorted((*slot.used, number)))))
    tasks: list[AnyTask] = [Task(cost.op, ref, cost) for cost in ability.cost]
    if WHEN_COUNTED in game.readings and any(is_counted(op) for op in ability.lasting):
        tasks.append(Task("count", ref, (slot, number)))
    if ability.chooses_hero:
        tasks.append(Task("on", ref, number))
    tasks += [Task(operation.op, ref, operation) for operation in ability.instant]
    taken = 0 if visiting else SPELL_USED if spec.is_spell else WEAPON_USED if spec.is_weapon else 0
    return replace(state, todo=(*tasks, *state.todo), benefits=state.benefits | taken)
