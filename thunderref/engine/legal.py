"""What a player may do: the legal actions of a state, and why another is not one of them."""

from __future__ import annotations

from typing import Any

from thunderref.engine.book import Ability, Spec
from thunderref.engine.hall import is_monster
from thunderref.engine.hand import find, in_play
from thunderref.engine.party import Party, party_of
from thunderref.engine.state import FORGONE, SPENT, Action, Foe, Ref, Slot, State, Table, Task
from thunderref.engine.target import Target
from thunderref.engine.tasks import HANDLERS, choices
from thunderref.engine.totals import bar, target_of
from thunderref.errors import IllegalStepError


def legal_actions(table: Table, state: State) -> tuple[Action, ...]:
    """Every legal action in canonical order; () only when the turn is over.

    While a task waits these are its choices. In preparation: use (R4.1), equip (R4.3), forgo (R5.1), attack (R5.1); to
    leave without a battle is possible only if no monster may be attacked (R4.8).
    """
    last = _LAST[0]
    if last[1] is state and last[0] is table:  # who lists the actions mostly hands one of them to ``child`` next
        return last[2]
    actions = _legal_actions(table, state)
    _LAST[0] = (table, state, actions)
    return actions


_LAST: list[tuple[Table | None, State | None, tuple[Action, ...]]] = [(None, None, ())]
"""The last answer: it hangs on nothing but the two values it was asked for, so it is never out of date."""


def _legal_actions(table: Table, state: State) -> tuple[Action, ...]:
    if state.todo:
        return tuple([Action("choose", key, value) for key, value in choices(table, state) or ()])
    if state.phase != "prepare":
        return ()
    party = party_of(table, state)
    actions = [*_uses(table, state, party), *equips(state, party)] if party.usable or party.weapons else []
    actions += [
        Action("forgo", (slot.card, slot.copy), 0)
        for slot, spec in party.cards
        if spec.forgoable and may_forgo(spec, slot)
    ]
    attacks = attack_actions(table, state, party)
    return (*actions, *(attacks or (Action("leave"),)))


def attack_actions(table: Table, state: State, party: Party) -> tuple[Action, ...]:
    """The attacks that no bar forbids (R5.1)."""
    found = []
    specs = table.book.specs
    for rank, place, foe in targets(state):
        spec = specs.get(foe.card)  # an empty rank and an unknown card have none
        if spec is None or not spec.is_monster:
            continue
        if not spec.barred or bar(party, Target(spec, rank, None)) is None:
            found.append(Action("attack", rank, place))
    return tuple(found)


def targets(state: State) -> list[tuple[int, int, Foe]]:
    """Rank, place within rank 0, and card of everything that stands in the hall, rank 0 first."""
    return [(0, i, foe) for i, foe in enumerate(state.rank0)] + [(r, 0, foe) for r, foe in enumerate(state.hall, 1)]


def ability_of(table: Table, slot: Slot, number: int) -> Ability:
    """The card's dungeon effect of that number; IndexError if it has none."""
    abilities = table.book[slot.form or slot.card].dungeon
    if not 1 <= number <= len(abilities):
        raise IndexError(number)
    return abilities[number - 1]


def _uses(table: Table, state: State, party: Party) -> list[Action]:
    found: list[Action] = []
    for slot, holder, spec in party.usable:
        found += _uses_of(table, state, slot, holder, spec)
    return found


def _uses_of(table: Table, state: State, slot: Slot, holder: Slot | None, spec: Spec) -> list[Action]:
    found = [
        Action("use", slot.ref, ability.number)
        for ability in spec.dungeon
        if _use_problem(table, state, slot, holder, ability) is None
    ]
    if may_choose_for_trophy(table, state, slot, spec):
        found.append(Action("use", slot.ref, 0))
    return found


def may_choose_for_trophy(table: Table, state: State, slot: Slot, spec: Spec) -> bool:
    """True for a trophy whose gift to one hero is not yet given (Clay Golem)."""
    if not spec.gift or 0 in slot.used:
        return False
    return _has_hero(table, state)


def _has_hero(table: Table, state: State) -> bool:
    specs = table.book.specs
    return any(specs[slot.form or slot.card].is_hero for slot in state.hand)


def _use_problem(
    table: Table, state: State, slot: Slot, holder: Slot | None, ability: Ability
) -> tuple[str, str] | None:
    """Why an effect cannot be used: error code and rule."""
    if ability.before_refill:
        return "not-yet", "R6.5"
    if slot.flags & FORGONE:
        return "card-forgone", "R5.1"
    if holder is None and table.book.specs[slot.form or slot.card].is_weapon:
        return "weapon-not-held", "R4.3"
    if not in_play(slot) or (not ability.repeat and ability.number in slot.used):
        return "used-twice", "R2.4"
    for cost in ability.cost:
        options = HANDLERS[cost.op][0](table, state, Task(cost.op, slot.ref, cost))
        if options is not None and not options:
            return "cannot-pay", "R4.2"
    if ability.chooses_hero and not _has_hero(table, state):
        return "no-hero", "R4.1"
    return None


def is_usable(table: Table, state: State, slot: Slot, holder: Slot | None, ability: Ability) -> bool:
    """True if this effect of a card of the hand can be used now (R2.4, R4.1, R4.2)."""
    return _use_problem(table, state, slot, holder, ability) is None


def equips(state: State, party: Party) -> list[Action]:
    """Every legal way to give one free weapon to a hero (R4.3)."""
    return [
        Action("equip", weapon.ref, hero.ref)
        for weapon in party.weapons
        for hero in party.heroes
        if _equip_problem(party, weapon, hero) is None
    ]


def _equip_problem(party: Party, weapon: Slot, hero: Slot) -> tuple[str, str, dict[str, Any]] | None:
    strength, weight = party.strength(hero), party.weight(weapon)
    free = party.hand_free(hero)
    if free and weight <= strength and not weapon.flags & (SPENT | FORGONE):
        return None
    names = {"card": weapon.card, "hero_card": hero.card}
    if weapon.flags & (SPENT | FORGONE):
        return "weapon-spent", "R4.3", names
    if not free:
        return "already-armed", "R4.3", {**names, "held_card": hero.weapons[0].card}
    return "too-heavy", "R4.3", {**names, "strength": strength, "weight": weight}


def may_forgo(spec: Spec, slot: Slot) -> bool:
    """Benefits of cards that are not mandatory and not yet taken may be forgone (R5.1)."""
    return spec.forgoable and not slot.flags and not slot.used


def explain_illegal(table: Table, state: State, action: Action) -> IllegalStepError | None:
    """None if the action is legal, else the error that names the rule against it."""
    if action in legal_actions(table, state):
        return None
    if state.todo:
        return _illegal_choice(state, action)
    if state.phase != "prepare":
        return IllegalStepError("turn-over", rule="R2.1")
    if action.kind == "attack":
        return _illegal_attack(table, state, action.a, action.b)
    if action.kind == "leave":
        return IllegalStepError("must-attack", rule="R4.8")
    if action.kind not in ("use", "equip", "forgo"):
        return IllegalStepError("illegal-action", rule="R4.1", action=action.kind)
    try:
        slot, holder = find(state, action.a)
        other = find(state, action.b) if action.kind == "equip" else None
    except KeyError as missing:
        return not_in_play(missing.args[0])
    problem: tuple[str, str, dict[str, Any]] | None = None
    if action.kind == "use":
        try:
            if action.b == 0 and table.book[slot.face].gift:
                why: tuple[str, str] | None = ("used-twice", "R2.4") if 0 in slot.used else ("no-hero", "R4.1")
            else:
                why = _use_problem(table, state, slot, holder, ability_of(table, slot, action.b))
            problem = None if why is None else (*why, {"card": slot.card})
        except IndexError:
            problem = "no-such-effect", "R4.1", {"card": slot.card, "number": action.b}
    elif action.kind == "equip" and other is not None:
        problem = _no_equip(table, state, slot, holder, other[0])
    elif action.kind == "forgo":
        problem = "cannot-forgo", "R5.1", {"card": slot.card}
    if problem is None:
        return IllegalStepError("illegal-action", rule="R4.1", action=action.kind)
    code, rule, params = problem
    return IllegalStepError(code, rule=rule, **params)


def _no_equip(
    table: Table, state: State, weapon: Slot, holder: Slot | None, hero: Slot
) -> tuple[str, str, dict[str, Any]] | None:
    party = party_of(table, state)
    if not party.spec(weapon).is_weapon:
        return "not-a-weapon", "R4.3", {"card": weapon.card}
    if not party.spec(hero).is_hero:
        return "not-a-hero", "R4.3", {"card": hero.card}
    if holder is not None:
        return "weapon-spent", "R4.3", {"card": weapon.card, "hero_card": holder.card}
    return _equip_problem(party, weapon, hero)


def _illegal_attack(table: Table, state: State, rank: int, place: int) -> IllegalStepError:
    foe = next((foe for r, p, foe in targets(state) if (r, p) == (rank, place)), None)
    if foe is None or not is_monster(table, foe):
        return IllegalStepError("no-target", rule="R5.1", rank=rank)
    reason = bar(party_of(table, state), target_of(table, foe, rank))
    return IllegalStepError(f"barred-{reason}", rule="R5.1", card=foe.card, rank=rank)


def _illegal_choice(state: State, action: Action) -> IllegalStepError:
    task = state.todo[0]
    rule = "R4.2" if task.name in ("destroy", "destroy-self") else "R5.2" if state.phase == "battle" else "R4.1"
    return IllegalStepError("illegal-choice", rule=rule, card=task.source[0], value=str(action.b))


def not_in_play(ref: Ref) -> IllegalStepError:
    """The error for a card that is not in the revealed hand (any more)."""
    return IllegalStepError("not-in-play", rule="R4.2", card=ref[0], copy=ref[1])
