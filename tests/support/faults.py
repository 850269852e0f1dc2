"""What the program gets wrong today: a rule, the smallest turn that shows it, and how to see that it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A rule that the program breaks, the smallest turn that shows it, and which random turns may stumble over it.

    Whoever mends one deletes its entry: the random turns then put the rule to the program as well.
    """

    rule: str
    why: str
    scenario: dict[str, Any]
    wrong: Callable[[dict[str, Any]], list[str]]
    touches: Callable[[dict[str, Any]], bool]
    best_only: bool = False
    """Only the best line is another one; what it says of that line is right."""


FAULTS: tuple[Fault, ...] = ()


def known_fault(scenario: dict[str, Any], *, best: bool = False) -> bool:
    """May the program get this turn wrong for a reason that is known? ``best``: if it has to find the best line."""
    return any(fault.touches(scenario) for fault in FAULTS if best or not fault.best_only)
