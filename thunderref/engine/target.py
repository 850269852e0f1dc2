"""What is attacked, or might be."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.engine.book import Spec
from thunderref.engine.state import Battle
from thunderref.engine.values import value


@value
class Target(NamedTuple):
    """The attacked monster with its traits, where it stands, and what the battle took so far (None before it)."""

    spec: Spec
    rank: int
    battle: Battle | None

    def has(self, op: str) -> bool:
        """True if the monster has a trait of this operation."""
        return any(trait.op == op for trait in self.spec.traits)

    def immune_to(self, what: str) -> bool:
        """True once the battle began, if the monster is immune to this (R5.5)."""
        if self.battle is None:
            return False
        return any(trait.op == "immune" and trait.to == what for trait in self.spec.traits)
