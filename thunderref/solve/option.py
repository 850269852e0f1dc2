"""How a hero may be used in a battle, as a value."""

from __future__ import annotations

from msgspec import Struct


class Option(Struct, frozen=True, gc=False):
    """One way to use a hero: the weapon's place (-1 none), gifts of Strength and conversions needed, and the gain.

    ``stopped`` for the one hero who is kept from attacking.
    """

    weapon: int
    gifts: int
    converts: int
    gain: int
    stopped: bool = False


Options = tuple[tuple[Option, ...], ...]
"""Of every hero what he may do, of equal gains the cheapest first."""
