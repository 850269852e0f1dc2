"""What is attacked, or might be."""

from __future__ import annotations

from msgspec import Struct

from thunderref.engine.book import Spec
from thunderref.engine.state import Battle


class Target(Struct, frozen=True, gc=False):
    """The attacked monster with its traits, where it stands, and what the battle took so far (None before it)."""

    spec: Spec
    rank: int
    battle: Battle | None

    def has(self, op: str) -> bool:
        """True if the monster has a trait of this operation."""
        return op in self.spec.has

    def immune_to(self, what: str) -> bool:
        """True once the battle began, if the monster is immune to this (R5.5)."""
        return self.battle is not None and what in self.spec.immune

    @property
    def weaken(self) -> int:
        """What the battle took off every hero's Strength so far (R5.3)."""
        return self.battle.weaken if self.battle is not None else 0
