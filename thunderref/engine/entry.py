"""Who may enter the dungeon under the other reading of R4.8: only who can attack something there."""

from __future__ import annotations

from thunderref.engine.legal import attack_actions, legal_actions
from thunderref.engine.party import party_of
from thunderref.engine.state import State, Table, key_of
from thunderref.engine.transition import play
from thunderref.engine.values import replace


def may_enter(table: Table, state: State, *, rank: int | None = None) -> bool:
    """True if some preparation with the hand of ``state`` leads to an attack; with ``rank``, to one on that rank.

    Only what the player knows counts: cards not drawn yet, cards under the deck and the hands of others bring nothing.
    The preparations of a hand are finitely many, and no position is looked at twice.
    """
    start = replace(state, phase="prepare", deck=(), dungeon=(), pile=(), world=None)
    seen = {key_of(start)}
    waiting = [start]
    while waiting:
        here = waiting.pop()
        if not here.todo and any(
            rank in (None, attack.a) for attack in attack_actions(table, here, party_of(table, here))
        ):
            return True
        for action in legal_actions(table, here):
            if action.kind in ("attack", "leave"):
                continue
            after, _ = play(table, here, action)
            key = key_of(after)
            if key not in seen and after.phase == "prepare":
                seen.add(key)
                waiting.append(after)
    return False
