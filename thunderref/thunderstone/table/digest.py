"""A position of a game as a document, and its digest: two runs in the same place have the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from typing import Any

from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.notation import Step
from thunderref.thunderstone.rules.position import DISEASE, Position, Seat, Slot, table_of
from thunderref.thunderstone.rules.turns import kind_of_turn, stacks_of

DIGITS = 16


def layout_of(position: Position) -> dict[str, Any]:
    """Where every card is, hidden ones too; piles are top first, the hall rank 1 first."""
    table = table_of(position)
    document: dict[str, Any] = {
        "turn": table.turn,
        "phase": kind_of_turn(position),
        "player": table.active + 1,
        "hall": [foe.card or None for foe in position.hall],
        "rank0": [foe.card for foe in position.rank0],
        "dungeon": list(position.dungeon),
        "horde": list(table.horde),
        "cages": [list(cage) for cage in table.cages],
        "lost": list(table.lost),
        "tokens": [foe.tokens for foe in position.hall],
        "due": table.due,
        "respite": table.respite,
        "removed": sorted((*table.removed, *(card for card, _ in position.destroyed))),
        "stacks": dict(stacks_of(position)),
        "players": [
            {
                "hand": list(seat.hand), "deck": list(seat.deck), "discard": list(seat.discard), "xp": seat.xp,
                "penalties": list(seat.penalties),
            }
            for seat in _seats(position)
        ],
        "revealed": [_shown(slot) for slot in position.hand],
        "waiting": [task.name for task in position.todo],
    }  # fmt: skip
    if position.visit is not None:
        document |= {"gold": position.visit.gold, "buys": position.visit.buys}
    return document


def _seats(position: Position) -> list[Seat]:
    return [seat_of(position, number) for number in range(len(table_of(position).seats))]


def _shown(slot: Slot) -> dict[str, Any]:
    weapons = [weapon.card for weapon in slot.weapons]
    shown = {"card": slot.card, "weapons": weapons, "used": list(slot.used), "copy_of": slot.form}
    return {key: value for key, value in shown.items() if value}


def digest_after(before: str, steps: Sequence[Step], position: Position) -> str:
    """The digest of a game so far: the one before these steps, the steps, and the position they led to."""
    text = json.dumps([before, list(steps), layout_of(position)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def placement_of(position: Position) -> tuple[Hashable, ...]:
    """Where the cards are that bring a game nearer to its end: the hall, the dungeon, the village, who owns what.

    The order of a player's own cards, Disease, XP and gold are left out: they may change for ever without progress.
    """
    table = table_of(position)
    owned = [
        tuple(sorted(card for pile in (seat.hand, seat.deck, seat.discard) for card in pile if card != DISEASE))
        for seat in _seats(position)
    ]
    hall = tuple(foe.card for foe in (*position.hall, *position.rank0))
    return (hall, position.dungeon, table.horde, stacks_of(position), *owned)
