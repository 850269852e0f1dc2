"""Answers to tasks by key and value, as tests write them."""

from __future__ import annotations

from typing import Any

from thunderref.thunderstone.rules.choices import (
    DECLINE,
    REVEAL,
    Answer,
    Named,
    Order,
    Pick,
    Player,
    Rank,
    Several,
    Stat,
    Theirs,
)


def choose(key: str, value: Any = None) -> Answer:
    """The answer of that key; the shape of the value says which kind it is."""
    if key in ("decline", "reveal"):
        return DECLINE if key == "decline" else REVEAL
    if key == "order":
        return Order(value)
    if key == "player":
        return Player(value)
    if key in ("disease", "from"):
        return Stat(key, value)
    if isinstance(value, int):
        return Rank(key, value)
    if isinstance(value, str):
        return Named(key, value)
    if key in ("borrow-from", "hunt"):
        return Theirs(key, value)
    if len(value) == 2 and isinstance(value[1], int):
        return Pick(key, value)
    return Several(key, value)
