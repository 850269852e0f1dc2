"""What an attack would come to if it were declared now, nothing more used: for who chooses a target."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.engine.battle import decided, value
from thunderref.engine.state import Action, State, Table
from thunderref.engine.transition import play


class Preview(NamedTuple):
    """The total of a battle against the monster's Health; ``victory`` None while something is still to be chosen."""

    total: int
    health: int
    victory: bool | None


def preview(table: Table, state: State, attack: Action) -> Preview:
    """The battle that a legal attack begins, with all of it that comes by itself (R5.2 to R5.14); no search.

    It goes as far as the first choice, a player's or that of chance: what comes of it is not known yet.
    """
    battle, _ = play(table, state, attack, stop="finish")
    if battle.todo[0].name == "finish":
        found, _ = decided(table, battle)
        return Preview(found.total, found.health, found.victory)
    found = value(table, battle)
    return Preview(found.total, found.health, None)
