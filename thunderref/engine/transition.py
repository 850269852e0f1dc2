"""From a state and an action to the next state, with what happened on the way."""

from __future__ import annotations

from thunderref.engine import breaches, special, traps  # noqa: F401  (registers their handlers)
from thunderref.engine.battle import begin
from thunderref.engine.chance import BY_CHANCE, waits_for_chance
from thunderref.engine.hand import equipped, find, replaced, revealed
from thunderref.engine.legal import ability_of, explain_illegal
from thunderref.engine.others import by_will
from thunderref.engine.party import party_of
from thunderref.engine.readings import WHEN_COUNTED, fixed_by_use, is_counted
from thunderref.engine.state import FORGONE, Action, Ref, State, Table, Task
from thunderref.engine.tasks import HANDLERS, Choice, automatic, choices, handler
from thunderref.engine.values import replace
from thunderref.errors import IllegalStepError
from thunderref.explain.terms import Event


def child(table: Table, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after ``action`` and the events it caused.

    Raises :class:`thunderref.errors.IllegalStepError` with the rule's id if the action is not legal.
    """
    problem = explain_illegal(table, state, action)
    if problem is not None:
        raise problem
    return play(table, state, action)


def play(table: Table, state: State, action: Action, stop: str = "") -> tuple[State, tuple[Event, ...]]:
    """Like :func:`child` for an action known to be legal, as :func:`thunderref.engine.legal.legal_actions` gives it.

    With ``stop`` it ends before a task of that name: a search need not carry out what follows the outcome.
    """
    events: list[Event] = []
    return carried_out(table, state, action, events, stop), tuple(events)


def carried_out(table: Table, state: State, action: Action, events: list[Event], stop: str = "") -> State:
    """Like :func:`play`; what happens is added to ``events``."""
    if action.kind == "choose":
        task = state.todo[0]
        state = replace(state, todo=state.todo[1:])
        state = HANDLERS[task.name][1](table, state, task, (action.a, action.b), events)
    elif action.kind == "use":
        state = _use(table, state, action.a, action.b, events)
    elif action.kind == "equip":
        state = _equip(table, state, action.a, action.b, events)
    elif action.kind == "forgo":
        slot, _ = find(state, action.a)
        events.append(Event("forgone", slot.card, ("R5.1",)))
        state = replaced(state, action.a, replace(slot, flags=slot.flags | FORGONE))
    elif action.kind == "attack":
        state = begin(table, state, action.a, action.b, events)
    elif action.kind == "leave":
        events.append(Event("no-battle", "", ("R4.8",)))
        state = replace(state, phase="end")
    else:
        raise IllegalStepError("illegal-action", rule="R4.1", action=action.kind)
    return advance(table, state, events, stop)


def advance(table: Table, state: State, events: list[Event], stop: str = "") -> State:
    """Carries out tasks until one waits for a choice, is called ``stop``, or none is left."""
    while state.todo:
        task = state.todo[0]
        if task.name == stop or (task.name in BY_CHANCE and waits_for_chance(state)):
            return state
        options, apply = HANDLERS[task.name]
        choice = None
        if options is not automatic:
            found = choices(table, state)
            if found:
                choice = by_will(state, task, found, events)
                if choice is None:
                    return state
        state = apply(table, replace(state, todo=state.todo[1:]), task, choice, events)
    return state


def _use(table: Table, state: State, ref: Ref, number: int, events: list[Event]) -> State:
    slot, _ = find(state, ref)
    if number == 0:
        events.append(Event("trophy", slot.card, ("R8.1",)))
        state = replaced(state, ref, replace(slot, used=(*slot.used, 0)))
        return replace(state, todo=(Task("on", ref, 0), *state.todo))
    ability = ability_of(table, slot, number)
    which = (("number", number), ("effect", ability.id), ("face", slot.face))
    events.append(Event("used", slot.card, ability.rules, which))
    state = replaced(state, ref, replace(slot, used=tuple(sorted((*slot.used, number)))))
    tasks = [Task(cost.op, ref, cost) for cost in ability.cost]
    if WHEN_COUNTED in table.readings and any(is_counted(op) for op in ability.lasting):
        tasks.append(Task("count", ref, (slot, number)))
    if ability.chooses_hero:
        tasks.append(Task("on", ref, number))
    tasks += [Task(operation.op, ref, operation) for operation in ability.instant]
    spell = state.spell_used or table.book[slot.face].is_spell
    return replace(state, todo=(*tasks, *state.todo), spell_used=spell)


@handler("count")
def _count(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Fixes what the effect gives each hero, its cost paid (the other reading of R4.9)."""
    used, number = task.data
    party = party_of(table, state)
    source = next((slot for slot in revealed(state) if slot.ref == used.ref), used)
    for hero, gifts in fixed_by_use(party, source, number).items():
        slot, _ = find(state, hero)
        state = replaced(state, hero, replace(slot, fixed=tuple(sorted((*slot.fixed, *gifts)))))
    return state


def _equip(table: Table, state: State, weapon: Ref, hero: Ref, events: list[Event]) -> State:
    events.append(Event("equipped", weapon[0], ("R4.3",), (("hero_card", hero[0]), ("hero_copy", hero[1]))))
    state = equipped(state, weapon, hero)
    tasks = tuple(
        Task("gain", weapon, operation)
        for operation in table.book[weapon[0]].passive
        if operation.op == "gain-on-equip"
    )
    return replace(state, todo=(*tasks, *state.todo)) if tasks else state
