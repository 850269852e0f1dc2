"""The ways a battle can go once the attack is declared, and which of them need to be tried."""

from __future__ import annotations

from collections.abc import Iterator

from thunderref.engine.hand import find, revealed
from thunderref.engine.legal import legal_actions
from thunderref.engine.party import party_of
from thunderref.engine.state import FLEETING, Action, Foe, State, Table
from thunderref.engine.transition import play
from thunderref.model.effect import BattleDestroy, Halve, Immune
from thunderref.solve.moves import Line, distinct_choices
from thunderref.solve.score import Score, score

LOSSES = frozenset({"disease", "lose"})
"""Tasks that take 1 Attack or 1 Magic Attack, Attack named first."""
VICTIMS = frozenset({"battle:battle-destroy", "battle:each-player-destroys"})
"""Tasks that take one card, which counts until the battle ends (R5.2)."""


def battles(table: Table, state: State, attack: Action, *, every: bool = True) -> Iterator[tuple[State, Line]]:
    """Every way the battle can go with its choices, up to its outcome.

    With ``every`` False, for who asks for the worth of the outcome only, without ways that come to no more than one
    before them.
    """
    every = every or bool(table.readings)
    stack: list[tuple[State, Line]] = [(play(table, state, attack, "finish")[0], (attack,))]
    while stack:
        node, line = stack.pop()
        if node.todo[0].name == "finish":
            yield node, line
            continue
        options = distinct_choices(node, legal_actions(table, node))
        if len(options) > 1 and not every:
            options = _telling(table, node, options)
        for action in reversed(options):
            stack.append((play(table, node, action, "finish")[0], (*line, action)))


def _telling(table: Table, node: State, options: list[Action]) -> list[Action]:
    """Of the choices of a task in the battle those that may come to more than the ones before them.

    One Attack less is never worse than one Magic Attack less, except against what treats Magic Attack worse or asks
    which heroes have any. Of cards of which one is destroyed at the end, after all choices, the one that costs least.
    """
    task = node.todo[0]
    if task.name in LOSSES:
        foe = table.book[node.battle.foe.card] if node.battle is not None else None
        spared = foe is None or any(
            (isinstance(t, Immune) and t.to == "magic-attack")
            or (isinstance(t, Halve) and t.what == "magic_attack")
            or (isinstance(t, BattleDestroy) and t.select.bare)
            for t in (*foe.traits, *foe.battle)
        )
        return options if spared else options[:1]
    last = task.name in VICTIMS and node.todo[1].name == "finish" and table.ruleset == "print"
    if not last or any(slot.flags & FLEETING for slot in revealed(node)):
        return options
    party = party_of(table, node)

    def price(action: Action) -> tuple[int, int]:
        slot, _ = find(node, action.b)
        if party.spares(slot):
            return 0, 0
        spec = table.book[slot.card]
        return spec.vp or 0, spec.cost

    return [min(options, key=price)]


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
        if node.todo[0].name == "purge":  # worth nothing to the goals
            options = options[:1]
        for action in reversed(distinct_choices(node, tuple(options))):
            stack.append((play(table, node, action)[0], (*line, action)))
    if best is None:
        raise ValueError("the turn does not end")
    return best


def is_calm(table: Table, state: State, foe: Foe) -> bool:
    """True if nothing that follows the battle against this monster can cost a card.

    That is no trap, no random loss, no breach that destroys a card off a deck of which something is known.
    """
    tells = bool(state.deck) or state.pool is not None or state.world is not None
    cards = [foe.card for foe in state.hall if foe.card in table.book] + list(state.dungeon)
    specs = [table.book[card] for card in cards]
    if any(spec.trap or (tells and any(op.op == "reveal-top" for op in spec.breach)) for spec in specs):
        return False
    return not any(op.op == "destroy-random" for op in table.book[foe.card].battle)
