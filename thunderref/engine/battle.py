"""The battle: Disease, battle effects and the outcome (R5)."""

from __future__ import annotations

from thunderref.engine.aftermath import NOBODY, bury, casualties, leave, rights_of
from thunderref.engine.chance import REVEAL_AT_RANDOM
from thunderref.engine.hand import find, in_play, removed, replaced, revealed
from thunderref.engine.party import Party, party_of
from thunderref.engine.readings import DISEASE_SUMS
from thunderref.engine.state import (
    DOOMED,
    LOST_ATTACK,
    LOST_MAGIC,
    STOPPED,
    Battle,
    Ref,
    Slot,
    State,
    Table,
    Task,
)
from thunderref.engine.target import Target
from thunderref.engine.tasks import Choice, destroy, discard, each_other, handler, hero_options
from thunderref.engine.totals import disease_options, target_of, totals
from thunderref.engine.traps import released
from thunderref.engine.values import replace
from thunderref.engine.worth import hero_terms, own_attack
from thunderref.explain.terms import Event, Totals, fold
from thunderref.model.effect import Select


def begin(table: Table, state: State, rank: int, place: int, events: list[Event]) -> State:
    """Declares the attack: first the Diseases in hand (R5.6), then the target's battle effects, then the outcome."""
    foe = state.rank0[place] if rank == 0 else state.hall[rank - 1]
    if foe.tokens:
        foe = replace(foe, tokens=0)  # the clock of a marauding monster that is attacked starts anew (R9.6)
        state = replace(state, hall=tuple(foe if r == rank else other for r, other in enumerate(state.hall, 1)))
    specs = table.book.specs
    spec = specs[foe.card]
    events.append(Event("attacked", foe.card, ("R5.1",), (("rank", rank),)))
    tasks, diseases = [], []
    for slot in state.hand:
        own = specs[slot.card]
        if own.gift and 0 not in slot.used:
            tasks.append(Task("trophy-gift", slot.ref))
        elif own.kind == "disease":
            diseases.append(Task("disease", slot.ref))
    late = DISEASE_SUMS in table.readings and table.ruleset == "print"
    tasks += [] if late else diseases
    for index, operation in enumerate(spec.battle):
        if operation.op not in ("bonus", "halve"):
            tasks.append(Task(f"battle:{operation.op}", (foe.card, index), operation))
    tasks += diseases if late else []
    tasks.append(Task("finish", NOBODY))
    return replace(state, phase="battle", battle=Battle(foe, rank, place), todo=tuple(tasks))


def battle_of(state: State) -> Battle:
    """The battle under way; ValueError if there is none."""
    if state.battle is None:
        raise ValueError("no battle is under way")
    return state.battle


def target(table: Table, state: State) -> Target:
    """The attacked monster."""
    battle = battle_of(state)
    return target_of(table, battle.foe, battle.rank, battle)


def value(table: Table, state: State) -> Totals:
    """The battle value at this moment of the battle."""
    return totals(party_of(table, state), target(table, state), battle_of(state).foe)


@handler("trophy-gift", hero_options)
def _gift(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    hero, _ = find(state, choice[1])
    events.append(Event("given", task.source[0], ("R8.1",), (("hero_card", hero.card), ("hero_copy", hero.copy))))
    state = replaced(state, hero.ref, replace(hero, marks=tuple(sorted((*hero.marks, (task.source[0], 0))))))
    trophy, _ = find(state, task.source)
    return replaced(state, task.source, replace(trophy, used=(*trophy.used, 0)))


# before the battle effects


def _disease_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    where = disease_options(party_of(table, state), target(table, state), battle_of(state))
    return tuple(("disease", stat) for stat in where)


@handler("disease", _disease_options)
def _disease(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    battle = battle_of(state)
    if choice is None:
        events.append(Event("disease-void", "disease", ("R5.6",)))
        return state
    rule = "R5.6y" if table.ruleset == "yucata" else "R5.6"
    events.append(Event(f"disease.{choice[1]}", "disease", (rule,)))
    if choice[1] == "attack":
        return replace(state, battle=replace(battle, disease_attack=battle.disease_attack + 1))
    return replace(state, battle=replace(battle, disease_magic=battle.disease_magic + 1))


# battle effects


@handler("battle:weaken")
def _weaken(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    battle = battle_of(state)
    events.append(Event("weaken", task.source[0], ("R5.3",), (("n", task.data.amount),)))
    state = replace(state, battle=replace(battle, weaken=battle.weaken + task.data.amount))
    party = party_of(table, state)
    for hero in party.heroes:
        for weapon in hero.weapons:
            if party.drops(weapon, hero, battle_of(state).weaken):
                events.append(Event("drops", weapon.card, ("R5.3",), (("hero_card", hero.card),)))
    return state


@handler("battle:gain")
def _gain(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    card, amount = task.data.card, task.data.amount
    events.append(Event("gained", card, ("R5.2",), (("by_card", task.source[0]), ("n", amount))))
    return replace(state, gained=(*state.gained, *(card for _ in range(amount))))


def _victims(table: Table, state: State, task: Task) -> list[Slot]:
    """Cards a destroying battle effect may take: in play, not yet doomed."""
    party = party_of(table, state)
    operation = task.data
    if operation.unarmed_party and party.any_armed(target(table, state)):
        return []
    found = [
        slot
        for slot in revealed(state)
        if in_play(slot) and not slot.flags & DOOMED and _fits(party, slot, operation.select, state, table)
    ]
    if operation.strongest and found:
        weaken = battle_of(state).weaken
        best = max(party.strength(slot, weaken) for slot in found)
        found = [slot for slot in found if party.strength(slot, weaken) == best]
    return found


def _fits(party: Party, slot: Slot, select: Select, state: State, table: Table) -> bool:
    if not party.spec(slot).matches(select):
        return False
    if not select.bare:
        return True
    aim = target(table, state)
    return not party.is_armed(slot, aim) and fold(hero_terms(party, slot, aim))[1] < 1


def _destroy_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    if task.data.all:
        return None
    return tuple(("pick", slot.ref) for slot in _victims(table, state, task))


@handler("battle:battle-destroy", _destroy_options)
def _battle_destroy(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    refs = [slot.ref for slot in _victims(table, state, task)] if task.data.all else [choice[1]] if choice else []
    if not refs and not _destroys_else(state, task, events):
        events.append(Event("battle-void", task.source[0], ("R5.2",)))
    for ref in refs:
        slot, _ = find(state, ref)
        events.append(Event("doomed", slot.card, ("R5.2", "R6.3"), (("by_card", task.source[0]), ("copy", slot.copy))))
        state = replaced(state, ref, replace(slot, flags=slot.flags | DOOMED))
    return state


def _destroys_else(state: State, task: Task, events: list[Event]) -> bool:
    """True if the same effect names other cards that it destroyed, or that are still to be looked for."""
    if any(event.key == "doomed" and dict(event.params)["by_card"] == task.source[0] for event in events):
        return True
    return any(other.name == task.name and other.source[0] == task.source[0] for other in state.todo)


@handler("battle:lose-attack")
def _lose_attack(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    party = party_of(table, state)
    heroes = tuple(Task("lose", hero.ref, task.source[0]) for hero in party.attackers(target(table, state)))
    return replace(state, todo=(*heroes, *state.todo))


def _lose_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    party = party_of(table, state)
    hero, _ = find(state, task.source)
    attack, magic = own_attack(party, hero, target(table, state))
    return tuple(("from", stat) for stat, n in (("attack", attack), ("magic_attack", magic)) if n >= 1)


@handler("lose", _lose_options)
def _lose(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    hero, _ = find(state, task.source)
    events.append(Event(f"loses.{choice[1]}", hero.card, ("R5.7",), (("by_card", task.data), ("copy", hero.copy))))
    flag = LOST_ATTACK if choice[1] == "attack" else LOST_MAGIC
    return replaced(state, task.source, replace(hero, flags=hero.flags | flag))


def _stop_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("pick", hero.ref) for hero in party_of(table, state).attackers(target(table, state)))


@handler("battle:stop-hero", _stop_options)
def _stop(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("battle-void", task.source[0], ("R5.4",)))
        return state
    hero, _ = find(state, choice[1])
    events.append(Event("stopped", hero.card, ("R5.4",), (("by_card", task.source[0]), ("copy", hero.copy))))
    return replaced(state, hero.ref, replace(hero, flags=hero.flags | STOPPED))


@handler("battle:destroy-weak")
def _destroy_weak(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return doom_the_weak(table, state, events, task.source[0], ("R6.9",))


def doom_the_weak(table: Table, state: State, events: list[Event], by: str, rules: tuple[str, ...]) -> State:
    """Marks every hero whose Strength is 0 or less for destruction (R6.9, R6.9y)."""
    party = party_of(table, state)
    for hero in party.heroes:
        strength = party.strength(hero, battle_of(state).weaken)
        if strength <= 0 and not hero.flags & DOOMED:
            numbers = (("by_card", by), ("copy", hero.copy), ("strength", strength))
            events.append(Event("too-weak", hero.card, rules, numbers))
            state = replaced(state, hero.ref, replace(hero, flags=hero.flags | DOOMED))
    return state


@handler("battle:destroy-random")
def _destroy_random(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    events.append(Event("random-destroy", task.source[0], ("R5.2",)))
    return replace(state, todo=(*state.todo, Task("random-fate", task.source, task.data)))


@handler("random-fate")
def _random_fate(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The card revealed at random, where every card would meet the same fate; otherwise it is left to chance."""
    if state.in_game:
        return replace(state, todo=(Task(REVEAL_AT_RANDOM, task.source, task.data), *state.todo))
    fates = set()
    for slot in revealed(state):
        spec = table.book[slot.face]
        fates.add("" if spec.matches(task.data.unless) or spec.kind == "disease" else slot.card)
    if len(fates) != 1 or fates == {""}:
        return state
    ref = min(slot.ref for slot in revealed(state))
    events.append(Event("leaves", ref[0], ("R5.2",), (("copy", ref[1]),)))
    return replace(removed(state, ref), destroyed=(*state.destroyed, ref))


@handler(REVEAL_AT_RANDOM)
def _nothing_to_reveal(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Reached only with an empty hand: otherwise the hand is shuffled and the task becomes ``revealed``."""
    return state


@handler("revealed")
def _revealed(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The card that came up in the shuffled hand is destroyed unless it matches; Disease is immune (R0.5).

    It is a battle effect: a hero whom such effects only discard is discarded here too (R6.3).
    """
    card, operation = task.data
    slot = next(slot for slot in revealed(state) if slot.card == card and in_play(slot))
    events.append(Event("revealed", card, ("R5.2",), (("by_card", task.source[0]),)))
    spec = table.book[slot.face]
    if spec.matches(operation.unless) or spec.kind == "disease":
        return state
    if party_of(table, state).spares(slot):
        events.append(Event("spared", card, ("R6.3",)))
        return discard(state, slot.ref, events)
    return destroy(table, state, slot.ref, events, task.source[0], ("R5.2",))


def _each_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    party = party_of(table, state)
    return tuple(
        ("pick", slot.ref)
        for slot in revealed(state)
        if in_play(slot) and not slot.flags & DOOMED and party.spec(slot).matches(task.data.select)
    )


@handler("battle:each-player-destroys", _each_options)
def _each_destroys(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if state.world is None:
        events.append(Event("opponents-destroy", task.source[0], ("R5.2",)))
    others = each_other(state, "other-destroys", task.source, task.data.select)
    state = replace(state, todo=(*others, *state.todo))
    if choice is None:
        return state
    slot, _ = find(state, choice[1])
    events.append(Event("doomed", slot.card, ("R5.2", "R6.3"), (("by_card", task.source[0]), ("copy", slot.copy))))
    return replaced(state, slot.ref, replace(slot, flags=slot.flags | DOOMED))


# the outcome


def decided(table: Table, state: State) -> tuple[Totals, list[Ref]]:
    """The outcome of a battle that waits for it, and the cards of the player's that are then destroyed."""
    if table.ruleset == "yucata":
        state = doom_the_weak(table, state, [], "", ("R6.9y",))
    party = party_of(table, state)
    lost = [slot.ref for slot, fate in casualties(party, state) if fate == "destroyed"]
    return totals(party, target(table, state), battle_of(state).foe), lost


@handler("finish")
def _finish(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if table.ruleset == "yucata":
        state = doom_the_weak(table, state, events, "", ("R6.9y",))
    battle = battle_of(state)
    party = party_of(table, state)
    aim = target(table, state)
    result = totals(party, aim, battle.foe)
    attackers = party.attackers(aim)
    spec = aim.spec
    after: list[Task] = []
    if result.victory:
        more = [
            op.amount
            for hero in attackers
            for op in party.spec(hero).aftermath
            if op.op == "extra-xp" and (op.when.rank is None or battle.rank in op.when.rank)
        ]
        xp = spec.xp + sum(more)
        events.append(Event("victory", spec.id, ("R5.14", "R6.2"), (("xp", xp), ("outcome", result))))
        state = replace(state, outcome=result, victory=True, xp=xp, gained=(*state.gained, spec.id))
        state = released(state, events)
        after += rights_of(party, attackers, aim)
    else:
        state = replace(state, outcome=result, victory=False)
        events.append(Event("defeat", spec.id, ("R6.1",), (("outcome", result),)))
    state = bury(table, party, state, events)
    state = leave(table, state, battle, result.victory, events)
    return replace(state, phase="after", todo=(*state.todo, *after, Task("refill", NOBODY)))
