"""Which moves the search for the best line needs to try.

Three things keep the number of states small, and each is checked against a brute force that knows none of them:

- of several equal copies in the same situation only the first is tried;
- what can only help and costs nothing (Battle Fury, Feast, a count of monsters) is used without branching, after
  everything that branches, so that it never keeps a card from being destroyed for something better (R4.2);
- weapons without an effect of their own are handed out last, as many as can be: Attack, Magic Attack and Light of a
  weapon are never negative, and every later rule rises with them. Where that is not so (Thunder Wrath's bar, weapons
  whose Attack is turned into Magic Attack against an immune target) every way of handing them out is tried.

What this uses too much of is taken out of the finished line again (:mod:`thunderref.solve.best`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thunderref.engine.book import Ability, Spec
from thunderref.engine.hand import equipped, find, slots
from thunderref.engine.legal import legal_actions
from thunderref.engine.party import Party
from thunderref.engine.state import FORGONE, SPENT, Action, Ref, Slot, State, Table
from thunderref.engine.transition import play
from thunderref.model.effect import Bonus, Convert, Operation

Line = tuple[Action, ...]

BLIND = frozenset({"opponents-discard", "magic-unless-discarded", "draw"})
"""Operations that may do nothing anybody can foresee."""


class Surroundings:
    """What of the position decides which shortcuts are sound."""

    def __init__(self, table: Table, start: State) -> None:
        foes = [foe.card for foe in (*start.hall, *start.rank0)] + list(start.dungeon)
        traits = [trait for card in foes if card in table.book for trait in table.book[card].traits]
        mine = {slot.card for slot, _ in slots(start)} | {*start.deck, *(start.pool or ()), *start.pile}
        if table.village is not None:
            mine |= set(table.village)
        specs = [table.book[card] for card in mine]
        self.weapons = any(spec.is_weapon for spec in specs)
        self.spell_bar = any(t.op == "barred" and t.when == "spell-used" for t in traits)
        self.weapon_bar = any(t.op == "barred" and t.when == "weapon-equipped" for t in traits)
        forced = any(op.op == "destroy" for spec in specs for ability in spec.dungeon for op in ability.instant)
        self.spills = any(
            table.book[card].trap or any(op.op == "everyone-discards" for op in table.book[card].breach)
            for card in foes
            if card in table.book
        )
        """A trap or a breach may take cards from the hand, and not all cards alike."""
        self.use_protects = forced and self.spills
        """A forced destruction may come when its own card is gone already: then a card used before is safe (R4.2)."""
        self.strength_matters = any(_needs_strength(spec) for spec in specs)


def _needs_strength(spec: Spec) -> bool:
    """True for cards whose use in preparation depends on the Strength of a hero at that moment."""
    if spec.is_weapon:
        return not is_plain(spec)
    return any(op.op in ("conjure", "borrow") for ability in spec.dungeon for op in ability.instant)


def is_plain(spec: Spec) -> bool:
    """True for a weapon whose equipping enables and causes nothing."""
    return spec.is_weapon and not spec.dungeon and not any(op.op == "gain-on-equip" for op in spec.passive)


def alike(state: State) -> dict[Any, Any]:
    """Every copy by what it has in common with equal copies in the same situation."""
    found: dict[Any, Any] = {}
    for slot, holder in slots(state):
        found[slot.ref] = (_blind(slot), None if holder is None else _blind(holder))
    return found


def _blind(slot: Slot) -> tuple[Any, ...]:
    weapons = tuple(sorted(_blind(w) for w in slot.weapons)) if slot.weapons else ()
    return (slot.card, slot.used, slot.marks, weapons, slot.flags, slot.form)


def distinct_choices(state: State, options: tuple[Action, ...]) -> list[Action]:
    """The choices without those that only mean another of several equal cards."""
    if len(options) == 1:
        return list(options)
    like = alike(state)
    seen: set[Any] = set()
    found = []
    for action in options:
        key = (action.kind, action.a, like.get(action.b, action.b) if isinstance(action.b, tuple) else action.b)
        if key not in seen:
            seen.add(key)
            found.append(action)
    return found


def branching_moves(table: Table, state: State, around: Surroundings, *, informs: bool = True) -> Iterator[Action]:
    """The actions to be tried one by one; with ``informs`` False none that does something at once."""
    options = legal_actions(table, state)
    if state.todo:
        task = state.todo[0]
        if task.name == "borrow-back" and not around.spills and not table.book[task.data.card].is_weapon:
            options = options[:1]  # to lend a hero and take the same one back is not to lend at all, made longer
        yield from distinct_choices(state, options)
        return
    like = alike(state)
    seen: set[Any] = set()
    for action in options:
        kind = action.kind
        if kind in ("attack", "leave"):
            continue
        slot, _ = find(state, action.a)
        spec = table.book[slot.form or slot.card]
        if kind == "use":
            if action.b and not informs and spec.dungeon[action.b - 1].instant:
                continue
            if action.b and _is_free(spec, action.b, around):
                continue
            if action.b and not around.use_protects and _is_idle(table, state, spec.dungeon[action.b - 1], around):
                continue
        elif kind == "forgo":
            if not (around.spell_bar and spec.is_spell):
                continue
        elif is_plain(spec):
            continue
        key = (kind, like[action.a], like[action.b] if kind == "equip" else action.b)
        if key not in seen:
            seen.add(key)
            yield action


def _is_idle(table: Table, state: State, ability: Ability, around: Surroundings) -> bool:
    """True for uses that change nothing known: unknown draws, other hands, a village of which nothing is known.

    They cost nothing, give nothing and last nothing; a line with one of them is the line without it, made longer.
    """
    if table.village is None and any(op.op in ("conjure", "recruit") for op in ability.instant):
        return True
    if ability.cost or any(around.weapons or not _needs_weapons(op) for op in ability.lasting):
        return False
    known = bool(state.deck) or state.pool is not None
    return all(op.op in BLIND and not (op.op == "draw" and known) for op in ability.instant)


def _needs_weapons(operation: Operation) -> bool:
    """True for a lasting operation that does nothing without weapons."""
    return operation.op == "weightless" or (isinstance(operation, Convert) and operation.to == "armed")


def _is_free(spec: Spec, number: int, around: Surroundings) -> bool:
    """True for effects that can only help and ask for nothing."""
    ability = spec.dungeon[number - 1]
    if ability.cost or ability.instant or ability.chooses_hero or ability.repeat or spec.is_weapon:
        return False
    if around.use_protects or (spec.is_spell and around.spell_bar):
        return False
    for op in ability.lasting:
        if op.op == "spare-heroes":
            continue
        if not isinstance(op, Bonus):
            return False
        if op.stat == "strength" and (around.strength_matters or op.to != "heroes"):
            return False
    return True


def free_moves(table: Table, state: State, around: Surroundings) -> tuple[State, Line]:
    """The state with everything used that can only help, and these uses."""
    line: list[Action] = []
    for slot, _ in slots(state):
        if slot.flags & FORGONE:
            continue
        spec = table.book[slot.form or slot.card]
        for ability in spec.dungeon:
            if ability.number not in slot.used and _is_free(spec, ability.number, around):
                action = Action("use", slot.ref, ability.number)
                state, _ = play(table, state, action)
                line.append(action)
    return state, tuple(line)


def armings(table: Table, state: State, around: Surroundings) -> Iterator[tuple[State, Line]]:
    """The ways to hand out the plain weapons; only the fullest ones where more is never worse."""
    party = Party(table, state)
    weapons = sorted(
        slot.ref for slot in state.hand if is_plain(party.spec(slot)) and not slot.flags & (SPENT | FORGONE)
    )
    if not weapons or not party.heroes:
        yield state, ()
        return
    every = around.weapon_bar or any(isinstance(given.operation, Convert) for given in party.given)
    many = {hero.ref for hero in party.heroes if party.holds_many(hero)}
    strengths = {hero.ref: party.strength(hero) for hero in party.heroes}
    weights = {ref: 0 if party.weightless else table.book[ref[0]].weight for ref in weapons}
    able = {ref: [hero for hero, strength in strengths.items() if strength >= weights[ref]] for ref in weapons}
    full = {hero.ref for hero in party.heroes if not party.hand_free(hero)}
    like = alike(state)
    seen: set[Any] = set()
    for pairs in _pairings(weapons, able, full, many, every):
        key = tuple(sorted((like[hero], weapon[0]) for weapon, hero in pairs))
        if len(set(like.values())) < len(like):  # equal heroes: tell apart only what differs
            key = _grouped(pairs, like)
        if key in seen:
            continue
        seen.add(key)
        armed = state
        for weapon, hero in pairs:
            armed = equipped(armed, weapon, hero)
        yield armed, tuple(Action("equip", weapon, hero) for weapon, hero in pairs)


def _grouped(pairs: tuple[tuple[Ref, Ref], ...], like: dict[Any, Any]) -> tuple[Any, ...]:
    """Who holds what, blind to which of several equal heroes it is."""
    held: dict[Ref, list[str]] = {}
    for weapon, hero in pairs:
        held.setdefault(hero, []).append(weapon[0])
    return tuple(sorted((like[hero], tuple(sorted(names))) for hero, names in held.items()))


def _pairings(
    weapons: list[Ref], able: dict[Ref, list[Ref]], full: set[Ref], many: set[Ref], every: bool
) -> Iterator[tuple[tuple[Ref, Ref], ...]]:
    """Every way to give weapons to heroes; with ``every`` False none that leaves a possible one out."""

    def give(place: int, busy: frozenset[Ref], pairs: tuple[tuple[Ref, Ref], ...]) -> Iterator[Any]:
        if place == len(weapons):
            taken = {weapon for weapon, _ in pairs}
            left = [w for w in weapons if w not in taken]
            if every or not any(hero not in busy for weapon in left for hero in able[weapon]):
                yield pairs
            return
        weapon = weapons[place]
        for hero in able[weapon]:
            if hero not in busy:
                now = busy if hero in many else busy | {hero}
                yield from give(place + 1, now, (*pairs, (weapon, hero)))
        yield from give(place + 1, busy, pairs)

    yield from give(0, frozenset(full), ())
