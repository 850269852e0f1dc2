"""What a player may do: the legal choices of a position, why another is not one of them, and where each leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from thunderref.database.operations import Bonus, ExtraXp
from thunderref.errors import IllegalStepError
from thunderref.thunderstone.rules import choices, end_of_turn, position, variants, village
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.choices import LEAVE, Answer, Attack, Choice, Equip, Forgo, Leave, Turn, Use
from thunderref.thunderstone.rules.draws import BY_CHANCE, waits_for_chance
from thunderref.thunderstone.rules.effects import all_players, battle, preparation, special
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.figures import bar, light_penalty, spells_at_work
from thunderref.thunderstone.rules.game import Events, Game, Handlers
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import find, flag_card, not_in_play, replace_card
from thunderref.thunderstone.rules.party import Party, party_of
from thunderref.thunderstone.rules.position import AnyTask, Foe, Position, Slot, Target, Task, key_of, replace
from thunderref.thunderstone.rules.readings import NO_TARGET, WHEN_COUNTED, is_counted
from thunderref.thunderstone.rules.village import PHASES, Problem

HANDLERS: Handlers = {
    **preparation.PREPARATION_HANDLERS, **special.SPECIAL_HANDLERS, **village.VILLAGE_HANDLERS,
    **battle.BATTLE_HANDLERS, **all_players.ALL_PLAYERS_HANDLERS, **end_of_turn.END_OF_TURN_HANDLERS,
    **variants.VARIANT_HANDLERS,
}  # fmt: skip
"""Every task by name, with what there is to choose and what happens then."""


def legal_actions(game: Game, state: Position) -> tuple[Choice, ...]:
    """Every legal choice in canonical order; () when the turn or the game is over, or chance decides next.

    While a task waits these are its answers. In preparation one leaves only if no monster may be attacked (R4.8).
    """
    last_state, actions = game.last_choices
    if last_state is not state:  # whoever lists the choices mostly asks next whether one is legal
        actions = _legal_actions(game, state)
        game.last_choices = (state, actions)
    return actions


def _legal_actions(game: Game, state: Position) -> tuple[Choice, ...]:
    if state.todo:
        options = None if waits_for_chance(state) else HANDLERS[state.todo[0].name][0]
        return () if options is None else options(game, state, state.todo[0]) or ()
    phase = state.phase
    if phase == "prepare":
        return _preparation(game, state)
    if phase in PHASES:
        return village.visit_choices(game, state)
    turns = game.variant.turns(game, state) if phase == "choose" else ()
    rank = 1 if choices.PENALTY in turns else None
    if turns and NO_TARGET in game.readings and not may_enter(game, state, rank=rank):
        return tuple(turn for turn in turns if turn != choices.DUNGEON)
    return turns


def may_enter(game: Game, state: Position, *, rank: int | None = None) -> bool:
    """True if some preparation leads to an attack, with ``rank`` to one on that rank (the other reading of R4.8).

    Only what the player knows counts. The preparations of a hand are finitely many; none is looked at twice.
    """
    waiting = [replace(state, phase="prepare", deck=(), dungeon=(), pile=(), table=None)]
    seen = set()
    while waiting:
        here = waiting.pop()
        if here.phase != "prepare" or key_of(here) in seen:
            continue
        seen.add(key_of(here))
        for choice in _legal_actions(game, here):
            if isinstance(choice, Attack):
                if rank in (None, choice.rank):
                    return True
            elif not isinstance(choice, Leave):
                waiting.append(play(game, here, choice)[0])
    return False


def _preparation(game: Game, state: Position) -> tuple[Choice, ...]:
    party = party_of(game, state)
    actions: list[Choice] = []
    for slot, holder, spec in party.usable:
        for ability in spec.dungeon:
            if _use_problem(game, state, slot, holder, ability) is None:
                actions.append(Use(slot.ref, ability.number))
        if spec.gift and 0 not in slot.used and party.heroes:
            actions.append(Use(slot.ref, 0))
    for weapon in party.weapons:
        heroes = [hero for hero in party.heroes if _equip_problem(party, weapon, hero) is None]
        actions += [Equip((weapon.card, weapon.copy), (hero.card, hero.copy)) for hero in heroes]
    benefits = [slot for slot, spec in party.cards if spec.forgoable and not slot.flags and not slot.used]
    actions += [Forgo((slot.card, slot.copy)) for slot in benefits]
    return (*actions, *(attack_actions(game, state, party) or (LEAVE,)))


def attack_actions(game: Game, state: Position, party: Party) -> tuple[Attack, ...]:
    """The attacks that neither a bar nor the variant forbids (R5.1, R9.6)."""
    attacks = []
    for rank, place, foe in targets(state):
        spec = game.cards.get(foe.card)  # an empty rank and an unknown card have none
        if not spec or not spec.is_monster or (spec.barred and bar(party, Target(spec, rank, None))):
            continue
        if game.variant.may_attack(state, rank):
            attacks.append(Attack(rank, place))
    return tuple(attacks)


def targets(state: Position) -> list[tuple[int, int, Foe]]:
    """Rank, place within rank 0, and card of everything in the hall, rank 0 first."""
    there = [(rank, 0, foe) for rank, foe in enumerate(state.hall, 1)]
    return [*((0, place, foe) for place, foe in enumerate(state.rank0)), *there] if state.rank0 else there


def _use_problem(game: Game, state: Position, slot: Slot, holder: Slot | None, ability: Ability) -> Problem | None:
    card = {"card": slot.card}
    if slot.flags & position.FORGONE:
        return "card-forgone", "R5.1", card
    if holder is None and game.cards[slot.form or slot.card].is_weapon:
        return "weapon-not-held", "R4.3", card
    if ability.before_refill:
        return "not-yet", "R6.5", card
    if holder is not None:  # a weapon may work for heroes of another class only (Short Bow)
        gifts = [operation.when for operation in ability.lasting if isinstance(operation, Bonus)]
        classes = (None, *game.cards[holder.face].types)
        other_classes = [when.holder for when in gifts if when is not None and when.holder not in classes]
        if other_classes and len(other_classes) == len(gifts):
            return "wrong-holder", "R4.1", {**card, "hero_card": holder.card, "asked_type": other_classes[0]}
    if slot.flags & position.THROWN or (not ability.repeat and ability.number in slot.used):
        return "used-twice", "R2.4", card
    for cost in ability.cost:
        options = HANDLERS[cost.op][0]
        if options is not None and not options(game, state, Task(cost.op, slot.ref, cost)):
            return preparation.unpaid(game, state, cost, slot.card)
    if ability.chooses_hero and not party_of(game, state).heroes:
        return "no-hero", "R4.1", card
    return None


def _no_effect(spec: CardSpec, number: int) -> Problem:
    """The problem with such a dungeon effect: it works at another time or by itself, or the card has fewer."""
    card = {"card": spec.id}
    if spec.dungeon:
        return "no-such-effect", "R4.1", {**card, "number": number}
    if any(not isinstance(operation, ExtraXp) for operation in spec.aftermath):
        return "not-yet", "R6.5", {**card, "why": "victory"}
    if spec.is_monster and spec.passive:
        return "no-such-effect", "R8.1", {**card, "why": "trophy"}
    if spec.village:
        return "no-such-effect", "R2.1", {**card, "why": "village"}
    return "no-such-effect", "R4.1", {**card, "why": "none"}


def _equip_problem(party: Party, weapon: Slot, hero: Slot) -> Problem | None:
    more: dict[str, Any] = {}
    if weapon.flags & (position.SPENT | position.FORGONE):
        code = "weapon-spent"
    elif not party.hand_free(hero):
        if not hero.weapons:
            lost = [card for card, _ in party.state.destroyed if party.game.cards[card].is_weapon]
            return "already-armed", "R5.3", {"why": "lost", "hero_card": hero.card, "held_card": lost[-1]}
        code, more = "already-armed", {"held_card": hero.weapons[0].card}
    else:
        strength, weight = party.strength(hero), party.weight(weapon)
        if weight <= strength:
            return None
        code, more = "too-heavy", {"strength": strength, "weight": weight}
    return code, "R4.3", {"card": weapon.card, "hero_card": hero.card, **more}


def why_illegal(game: Game, state: Position, choice: Choice) -> IllegalStepError | None:
    """None if the choice is legal, else the error that names the rule against it."""
    if choice in legal_actions(game, state):
        return None
    try:
        problem = _problem(game, state, choice)
    except KeyError as missing:
        return not_in_play(state, missing.args[0])
    if problem is None:
        turn = isinstance(choice, Turn) or state.phase in ("choose", "over")
        rule = "R2.1" if turn else "R4.1" if state.visit is None else "R3.1"
        return IllegalStepError("illegal-action", rule=rule, action=choices.kind_of(choice))
    code, rule, params = problem
    return IllegalStepError(code, rule=rule, **params)


def _problem(game: Game, state: Position, choice: Choice) -> Problem | None:
    if waits_for_chance(state) or state.phase == "over":
        return None
    if isinstance(choice, Turn) and state.phase != "choose":  # one a turn
        return None
    if state.phase in PHASES:
        return village.visit_problem(game, state, choice)
    if state.todo:
        task = state.todo[0]
        rule = "R4.2" if task.name in ("destroy", "destroy-self") else "R5.2" if state.phase == "battle" else "R4.1"
        value = choice.value if isinstance(choice, Answer) else None
        return "illegal-choice", rule, {"card": task.source[0], "value": str(value)}
    if state.phase == "choose":
        return ("no-entry", "R4.8", {}) if choice == choices.DUNGEON else None
    if state.phase != "prepare":
        return "turn-over", "R2.1", {}
    if isinstance(choice, Attack):
        return _attack_problem(game, state, choice)
    if isinstance(choice, Leave):
        return "must-attack", "R4.8", {}
    if isinstance(choice, Use):
        slot, holder = find(state, choice.card)
        spec = game.cards[slot.face]
        if choice.effect == 0 and spec.gift:
            code, rule = ("used-twice", "R2.4") if 0 in slot.used else ("no-hero", "R4.1")
            return code, rule, {"card": slot.card}
        if not 1 <= choice.effect <= len(spec.dungeon):
            return _no_effect(spec, choice.effect)
        return _use_problem(game, state, slot, holder, spec.dungeon[choice.effect - 1])
    if isinstance(choice, Equip):
        (weapon, holder), (hero, _), party = find(state, choice.weapon), find(state, choice.hero), party_of(game, state)
        if not party.spec(weapon).is_weapon:
            return "not-a-weapon", "R4.3", {"card": weapon.card}
        if not party.spec(hero).is_hero:
            return "not-a-hero", "R4.3", {"hero_card": hero.card}
        if holder is not None:
            return "weapon-spent", "R4.3", {"card": weapon.card, "hero_card": holder.card}
        return _equip_problem(party, weapon, hero)
    if isinstance(choice, Forgo):
        slot, _ = find(state, choice.card)
        spec, card = game.cards[slot.face], choice.card[0]
        if (spec.is_monster and spec.passive) or spec.kind == "disease":
            return "cannot-forgo", "R8.1" if spec.is_monster else "R4.1", {"card": card, "why": "mandatory"}
        why = {"why": "forgone" if slot.flags & position.FORGONE else "taken"} if spec.forgoable else {}
        return "cannot-forgo", "R5.1", {"card": card, **why}
    return None


def _attack_problem(game: Game, state: Position, choice: Attack) -> Problem:
    rank = choice.rank
    foe = next((foe for r, p, foe in targets(state) if (r, p) == (rank, choice.place)), None)
    if foe is None or not is_monster(game, foe):
        there = "" if foe is None else foe.card
        why = {position.EMPTY: {}, position.UNKNOWN: {"why": "unknown"}}.get(there, {"why": "stone"})
        return "no-target", "R5.1", {"rank": rank, **why}
    waiting = game.variant.waiting(state)
    if waiting is not None and not game.variant.may_attack(state, rank):
        return "barred-waiting", "R9.6", {"card": waiting.card}
    party, target = party_of(game, state), Target(game.cards[foe.card], rank, None)
    reason = bar(party, target)
    fields: dict[str, Any] = {"card": foe.card, "rank": rank}
    if reason == "light-penalty":
        fields |= {"why": "left", "penalty": light_penalty(party, target)[0]}
    elif reason == "spell-used" and not state.benefits & position.SPELL_USED:
        spell, n = spells_at_work(party, target)[0].ref
        fields |= {"why": "unforgone" if n == 1 else "unforgone-copy", "spell_card": spell, "n": n}
    return f"barred-{reason}", "R5.1", fields


def play(game: Game, state: Position, choice: Choice, stop: str = "") -> tuple[Position, tuple[Event, ...]]:
    """The position after a legal choice and the events it caused; ``stop`` ends it before a task of that name."""
    events: Events = []
    return advance(game, _carry_out(game, state, choice, events), events, stop), tuple(events)


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


def _carry_out(game: Game, state: Position, choice: Choice, events: Events) -> Position:
    if state.todo:
        task = state.todo[0]
        return HANDLERS[task.name][1](game, replace(state, todo=state.todo[1:]), task, choice, events)
    if state.phase == "choose" and isinstance(choice, Turn):
        return game.variant.begin_turn(game, state, choice, events)
    if isinstance(choice, Use):
        return _use(game, state, choice, events)
    if state.phase in PHASES:
        return village.visit_play(game, state, choice, events)
    if isinstance(choice, Attack):
        return battle.begin_battle(game, state, choice.rank, choice.place, events)
    if isinstance(choice, Equip):
        (weapon, _), (hero, copy) = choice.weapon, choice.hero
        events.append(Event("equipped", weapon, ("R4.3",), (("hero_card", hero), ("hero_copy", copy))))
        return preparation.arm(game, state, choice.weapon, choice.hero)
    if isinstance(choice, Forgo):
        events.append(Event("forgone", choice.card[0], ("R5.1",)))
        return flag_card(state, choice.card, position.FORGONE)
    if isinstance(choice, Leave):
        events.append(Event("no-battle", "", ("R4.8",)))
        return replace(state, todo=(Task("end-turn"),))
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
                answers = options(game, state, task)
                if answers:
                    choice = all_players.choose_by_will(state, task, answers, events)
                    if choice is None:
                        return state
            state = apply(game, replace(state, todo=state.todo[1:]), task, choice, events)
        if state.phase not in ("end", "rest") or not state.in_game:
            return state
        state = end_of_turn.close(game, state, events)


def _use(game: Game, state: Position, choice: Use, events: Events) -> Position:
    ref, number = choice.card, choice.effect
    slot, _ = find(state, ref)
    if number == 0:
        events.append(Event("trophy", slot.card, ("R8.1",)))
        state = replace_card(state, ref, replace(slot, used=(*slot.used, 0)))
        return replace(state, todo=(Task("on", ref, 0), *state.todo))
    spec, visiting = game.cards[slot.face], state.visit is not None
    ability = (spec.village if visiting else spec.dungeon)[number - 1]
    if visiting:
        events.append(Event("effect-used", slot.card, ("R3.1",), (("copy", slot.copy), ("effect", ability.id))))
        state = village.with_visit(state, paid="")
    else:
        which = (("number", number), ("effect", ability.id), ("face", slot.face))
        events.append(Event("used", slot.card, ability.rules, which))
    state = replace_card(state, ref, replace(slot, used=tuple(sorted((*slot.used, number)))))
    tasks: list[AnyTask] = [Task(cost.op, ref, cost) for cost in ability.cost]
    if WHEN_COUNTED in game.readings and any(is_counted(op) for op in ability.lasting):
        tasks.append(Task("count", ref, (slot, number)))
    if ability.chooses_hero:
        tasks.append(Task("on", ref, number))
    tasks += [Task(operation.op, ref, operation) for operation in ability.instant]
    benefit = 0 if visiting else position.SPELL_USED if spec.is_spell else position.WEAPON_USED if spec.is_weapon else 0
    return replace(state, todo=(*tasks, *state.todo), benefits=state.benefits | benefit)
