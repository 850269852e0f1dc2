"""Plural rules by name, as the CLDR defines them for whole numbers."""

from __future__ import annotations

from collections.abc import Callable


def _one_other(n: int) -> int:
    return 0 if n == 1 else 1


def _polish(n: int) -> int:
    if n == 1:
        return 0
    return 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


def _east_slavic(n: int) -> int:
    if n % 10 == 1 and n % 100 != 11:
        return 0
    return 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURAL_RULES: dict[str, tuple[int, Callable[[int], int]]] = {
    "none": (1, lambda n: 0),
    "one-other": (2, _one_other),
    "polish": (3, _polish),
    "east-slavic": (3, _east_slavic),
}
"""Name -> (number of forms, number -> index of its form)."""
