"""A position of a game as a document, and its digest: what two runs must share to be in the same place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Sequence
from typing import Any

from thunderref.engine.moment import Game
from thunderref.engine.state import Slot
from thunderref.engine.visit import Visit
from thunderref.engine.world import DISEASE
from thunderref.solve.notation import Step

DIGITS = 16
"""Hexadecimal digits of a digest."""


def position(game: Game) -> dict[str, Any]:
    """Where every card is, hidden ones too, in the words of the rules; piles are top first, the hall rank 1 first."""
    world, state = game.world, game.state
    seats = [game.seat(number) for number in range(len(world.seats))]
    document: dict[str, Any] = {
        "turn": game.number,
        "phase": game.phase,
        "player": game.active + 1,
        "hall": [foe.card or None for foe in state.hall],
        "rank0": [foe.card for foe in state.rank0],
        "dungeon": list(state.dungeon),
        "horde": list(world.horde),
        "cages": [list(cage) for cage in world.cages],
        "lost": list(world.lost),
        "tokens": [foe.tokens for foe in state.hall],
        "due": world.due,
        "respite": world.respite,
        "removed": sorted((*world.removed, *(card for card, _ in state.destroyed))),
        "stacks": dict(game.stacks),
        "players": [
            {
                "hand": list(seat.hand), "deck": list(seat.deck), "discard": list(seat.discard), "xp": seat.xp,
                "penalties": list(seat.penalties),
            }
            for seat in seats
        ],
        "revealed": [_shown(slot) for slot in state.hand],
        "waiting": [task.name for task in state.todo],
    }  # fmt: skip
    if isinstance(game.turn, Visit):
        document |= {"gold": game.turn.gold, "buys": game.turn.buys}
    return document


def _shown(slot: Slot) -> dict[str, Any]:
    """A revealed card of the active player: what it holds, what of it was used, what it counts as."""
    shown: dict[str, Any] = {"card": slot.card}
    if slot.weapons:
        shown["weapons"] = [weapon.card for weapon in slot.weapons]
    if slot.used:
        shown["used"] = list(slot.used)
    if slot.form:
        shown["copy_of"] = slot.form
    return shown


def digest(game: Game) -> str:
    """A digest of the position, the same on every machine."""
    return _digest(position(game))


def mark(before: str, steps: Sequence[Step], game: Game) -> str:
    """The digest of a game so far: the mark before these steps, the steps, and the position they led to."""
    return _digest([before, list(steps), position(game)])


def _digest(document: Any) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def lies(game: Game) -> tuple[Hashable, ...]:
    """Where the cards lie by which a game comes nearer to its end: the hall, the dungeon, the village, who owns what.

    Left out is what goes round in a circle without that: the order of a player's own cards, Disease, XP, gold.
    """
    world, state = game.world, game.state
    owned = [
        tuple(sorted(card for pile in (seat.hand, seat.deck, seat.discard) for card in pile if card != DISEASE))
        for seat in map(game.seat, range(len(world.seats)))
    ]
    hall = tuple(foe.card for foe in (*state.hall, *state.rank0))
    return (hall, state.dungeon, world.horde, game.stacks, *owned)
