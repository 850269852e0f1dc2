"""Numbers with their reasons: a total is the fold of its terms and nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct


class Term(Struct, frozen=True, gc=False):
    """One contribution to the battle value, or the reason why something contributes nothing.

    ``key`` is the message ``term.<key>``, ``params`` its fields; the names of those that are cards end in ``card``.
    """

    key: str
    card: str
    attack: int = 0
    magic: int = 0
    light: int = 0
    rules: tuple[str, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()


class Event(Struct, frozen=True, gc=False):
    """Something that happened: the message ``event.<key>`` with its fields."""

    key: str
    card: str
    rules: tuple[str, ...] = ()
    params: tuple[tuple[str, Any], ...] = ()


class Totals(Struct, frozen=True, gc=False):
    """The battle value against one target (R5.7 to R5.14)."""

    terms: tuple[Term, ...]
    attack: int  # with ``magic`` and ``light`` the fold of ``terms``, as they enter R5.12
    magic: int
    light: int
    light_penalty: int
    reductions: tuple[Term, ...]  # from the sums to the total
    total: int
    health: int
    victory: bool


def fold(terms: Iterable[Term]) -> tuple[int, int, int]:
    """The sums (Attack, Magic Attack, Light) of the terms."""
    attack = magic = light = 0
    for term in terms:
        attack += term.attack
        magic += term.magic
        light += term.light
    return attack, magic, light
