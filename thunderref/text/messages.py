"""Fills in messages: plural forms and signed numbers."""

from __future__ import annotations

from collections.abc import Callable
from string import Formatter
from typing import Any


def _slavic(one: bool, n: int) -> int:
    return 0 if one else 1 if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else 2


PLURAL_RULES: dict[str, tuple[int, Callable[[int], int]]] = {
    "none": (1, lambda n: 0),
    "one-other": (2, lambda n: 0 if n == 1 else 1),
    "polish": (3, lambda n: _slavic(n == 1, n)),
    "east-slavic": (3, lambda n: _slavic(n % 10 == 1 and n % 100 != 11, n)),
}
"""Name, as the CLDR has it for whole numbers -> (number of forms, number -> index of its form)."""


class MessageFormatter(Formatter):
    """``{n:karta|karty|kart}`` writes the plural form for ``n`` without the number; ``{n:+}`` a signed number."""

    def __init__(self, plural: str) -> None:
        self.forms, self.index = PLURAL_RULES[plural]

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return format_spec.split("|")[self.index(abs(int(value)))]
        if format_spec == "+":
            return f"{value:+d}".replace("-", "\N{MINUS SIGN}") if value else "0"
        if isinstance(value, int) and not format_spec:
            return str(value).replace("-", "\N{MINUS SIGN}")
        return str(super().format_field(value, format_spec))
