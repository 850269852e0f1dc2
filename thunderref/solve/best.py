"""The best line of play: every preparation, every target, every choice in the battle.

The search walks breadth first over the states of preparation, so the first line that reaches a state is its shortest
and, among these, the first in canonical order; the first line of the best worth is the answer everywhere. States that
differ only in which of several equal copies is meant are one state. Weapons without an effect of their own are
handed out last and in one order, because nothing in preparation depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from thunderref.engine.hand import find, slots
from thunderref.engine.legal import attack_actions, legal_actions
from thunderref.engine.party import Party
from thunderref.engine.state import Action, Slot, State, Table, key_of
from thunderref.engine.transition import advance, play
from thunderref.solve.score import Score, foreseen, score

Line = tuple[Action, ...]
Aim = tuple[str, int]
"""A target: card id and the rank where it is attacked."""


@dataclass
class Found:
    """The best line against one target so far."""

    worth: Score
    start: State
    preparation: Line
    battle: Line
    """From the attack to the last choice before the outcome; see :func:`finished`."""


@dataclass
class Search:
    """All best lines from one position, by target; ``complete`` is False if ``budget`` states were not enough."""

    table: Table
    goal: str
    budget: int = 2_000_000
    found: dict[Aim, Found] = field(default_factory=dict)
    """By target: card and the rank where it is attacked."""
    states: int = 0
    complete: bool = True

    def run(self, start: State, only: str | None = None) -> None:
        """Searches from ``start``; with ``only`` just for attacks on that card."""
        level: list[tuple[State, Line, int]] = [(start, (), 0)]
        seen: set[Any] = {(key_of(start), 0)}
        while level:
            following: list[tuple[State, Line, int]] = []
            for state, line, stage in level:
                self.states += 1
                if self.states > self.budget:
                    self.complete = False
                    return
                if state.phase == "end":
                    continue
                if not state.todo:
                    self._fight(state, line, only)
                for action, next_stage in _moves(self.table, state, stage):
                    after, _ = play(self.table, state, action)
                    key = (key_of(after), next_stage)
                    if key not in seen:
                        seen.add(key)
                        following.append((after, (*line, action), next_stage))
            level = following

    def _fight(self, state: State, line: Line, only: str | None) -> None:
        party = Party(self.table, state)
        calm = is_calm(self.table, state)
        for attack in attack_actions(self.table, state, party):
            foe = state.rank0[attack.b] if attack.a == 0 else state.hall[attack.a - 1]
            if only is not None and foe.card != only:
                continue
            for fought, battle in battles(self.table, state, attack):
                if calm:
                    worth = foreseen(self.table, fought, self.goal)
                else:
                    after = advance(self.table, fought, [])
                    worth, _ = best_ending(self.table, after, self.goal)
                aim = (foe.card, attack.a)
                best = self.found.get(aim)
                if best is None or worth > best.worth:
                    self.found[aim] = Found(worth, state, line, battle)


def battles(table: Table, state: State, attack: Action) -> Iterator[tuple[State, Line]]:
    """Every way the battle can go with its choices, up to its outcome."""
    stack: list[tuple[State, Line]] = [(play(table, state, attack, "finish")[0], (attack,))]
    while stack:
        node, line = stack.pop()
        if node.todo[0].name == "finish":
            yield node, line
            continue
        for action in reversed(_distinct_choices(node, legal_actions(table, node))):
            stack.append((play(table, node, action, "finish")[0], (*line, action)))


def finished(table: Table, found: Found, goal: str) -> Line:
    """The whole line to the end of the turn, what follows the outcome played for the goal too."""
    state = found.start
    for action in found.battle:
        state, _ = play(table, state, action)
    _, rest = best_ending(table, state, goal)
    return (*found.preparation, *found.battle, *rest)


def best_ending(table: Table, state: State, goal: str) -> tuple[Score, Line]:
    """The best way on from a battle whose outcome is told: the first among equals, so nothing optional without need."""
    best: tuple[Score, Line] | None = None
    stack: list[tuple[State, Line]] = [(state, ())]
    while stack:
        node, line = stack.pop()
        if node.phase == "end":
            worth = score(table, node, goal)
            if best is None or worth > best[0]:
                best = (worth, line)
            continue
        options = [action for action in legal_actions(table, node) if action.a != "buy"]
        for action in reversed(_distinct_choices(node, tuple(options))):
            stack.append((play(table, node, action)[0], (*line, action)))
    if best is None:
        raise ValueError("the turn does not end")
    return best


def is_calm(table: Table, state: State) -> bool:
    """True if nothing that may follow the outcome can cost the player a card: no trap, no breach that destroys."""
    cards = [foe.card for foe in state.hall if foe.card in table.book] + list(state.dungeon)
    return not any(
        table.book[card].trap or any(op.op == "reveal-top" for op in table.book[card].breach) for card in cards
    )


def _distinct_choices(state: State, options: tuple[Action, ...]) -> list[Action]:
    """The choices without those that only mean another of several equal cards."""
    if len(options) == 1:
        return list(options)
    like = _alike(state)
    seen: set[Any] = set()
    found = []
    for action in options:
        key = (action.kind, action.a, like.get(action.b, action.b) if isinstance(action.b, tuple) else action.b)
        if key not in seen:
            seen.add(key)
            found.append(action)
    return found


def _alike(state: State) -> dict[Any, Any]:
    """Every copy by what it has in common with equal copies in the same situation."""
    found: dict[Any, Any] = {}
    for slot, holder in slots(state):
        found[slot.ref] = (_blind(slot), None if holder is None else _blind(holder))
    return found


def _blind(slot: Slot) -> tuple[Any, ...]:
    weapons = tuple(sorted(_blind(w) for w in slot.weapons)) if slot.weapons else ()
    return (slot.card, slot.used, slot.marks, weapons, slot.flags, slot.form)


def _moves(table: Table, state: State, stage: int) -> Iterator[tuple[Action, int]]:
    """The actions worth trying from here; ``stage`` n > 0: only weapons after the n-th may still be handed out."""
    options = legal_actions(table, state)
    if state.todo:
        for action in _distinct_choices(state, options):
            yield action, stage
        return
    like = _alike(state)
    order = {ref: place for place, ref in enumerate(_plain_weapons(table, state), 1)}
    barred = _some_bar(table, state)
    seen: set[Any] = set()
    for action in options:
        kind = action.kind
        if kind in ("attack", "leave"):
            continue
        if kind == "use" and _is_idle(table, state, action):
            continue
        if kind == "forgo" and not (barred and stage == 0 and table.book[action.a[0]].is_spell):
            continue
        next_stage = 0
        if kind == "equip" and action.a in order:
            next_stage = order[action.a]
            if next_stage <= stage:
                continue
        elif stage:
            continue
        key = (kind, like[action.a], like[action.b] if kind == "equip" else action.b)
        if key not in seen:
            seen.add(key)
            yield action, next_stage


BLIND = frozenset({"opponents-discard", "magic-unless-discarded", "draw"})
"""Operations that may do nothing anybody can foresee."""


def _is_idle(table: Table, state: State, action: Action) -> bool:
    """True for uses that change nothing known: unknown draws, other players' hands, a village of which nothing is known.

    They cost nothing, give nothing and last nothing; a line with one of them is the line without it, made longer.
    """
    if action.b == 0:
        return False
    slot, _ = find(state, action.a)
    ability = table.book[slot.face].dungeon[action.b - 1]
    if table.village is None and any(op.op in ("conjure", "recruit") for op in ability.instant):
        return True
    if ability.cost or ability.lasting:
        return False
    return all(op.op in BLIND and not (op.op == "draw" and state.deck) for op in ability.instant)


def _plain_weapons(table: Table, state: State) -> list[Any]:
    """Free weapons whose equipping enables nothing else, in canonical order."""
    plain = [
        slot.ref
        for slot, _ in slots(state)
        if table.book[slot.card].is_weapon
        and not table.book[slot.card].dungeon
        and not any(op.op == "gain-on-equip" for op in table.book[slot.card].passive)
    ]
    return sorted(plain)


def _some_bar(table: Table, state: State) -> bool:
    cards = [foe.card for foe in (*state.hall, *state.rank0)] + list(state.dungeon)
    return any(
        trait.op == "barred" and trait.when == "spell-used"
        for card in cards
        if card in table.book
        for trait in table.book[card].traits
    )
