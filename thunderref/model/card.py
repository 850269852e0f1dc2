"""The printed cards: figures, types and abilities as effect records (files ``db/cards/*.toml``)."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from thunderref.model.base import Record
from thunderref.model.effect import Cost, Operation

Kind = Literal["hero", "village", "basic", "monster", "guardian", "trap", "thunderstone", "disease"]
Timing = Literal[
    "passive", "dungeon", "repeat-dungeon", "village", "repeat-village", "village-or-dungeon", "battle", "breach",
    "global", "trait", "trophy", "spoils", "aftermath", "trap", "reveal", "end-of-game",
]  # fmt: skip
"""When an ability works (the printed keywords, R2.4, R5.2, R8)."""

Id = str


class Effect(Record):
    """One printed ability of a card.

    ``id`` is unique on the card; the texts are the glossary keys ``card.<card id>.<effect id>``. ``mandatory`` says
    that the owner may not decline it; by default what is always on (passive, trait, trophy, battle, ...) is
    mandatory and what is used (dungeon, village, spoils, ...) is not.
    """

    id: Id
    timing: Timing
    mandatory: bool | None = None
    cost: list[Cost] = Field(default_factory=list)
    do: list[Operation] = Field(default_factory=list)
    rules: list[Id] = Field(default_factory=list)

    @property
    def is_mandatory(self) -> bool:
        """True if the owner may not decline the effect."""
        if self.mandatory is not None:
            return self.mandatory
        return self.timing in ALWAYS_ON


ALWAYS_ON = frozenset({"passive", "battle", "breach", "global", "trait", "trophy", "trap", "end-of-game"})


class Card(Record):
    """One distinct printed card with its figures; a figure the card does not carry is None.

    Units: ``cost`` and ``gold`` in gold, ``vp`` in victory points, ``xp`` and ``level_cost`` in experience points,
    ``light`` in points of Light, ``count`` in copies in its box.
    """

    id: Id
    kind: Kind
    family: Id | None = None
    level: Literal[1, 2, 3] | None = None
    count: int = Field(ge=1, le=60)
    types: list[str]
    cost: int | None = Field(default=None, ge=0, le=20)
    gold: int | None = Field(default=None, ge=0, le=10)
    light: int | None = Field(default=None, ge=0, le=5)
    vp: int | None = Field(default=None, ge=0, le=10)
    strength: int | None = Field(default=None, ge=1, le=12)
    weight: int | None = Field(default=None, ge=0, le=12)
    health: int | None = Field(default=None, ge=0, le=15)
    xp: int | None = Field(default=None, ge=0, le=5)
    level_cost: int | None = Field(default=None, ge=1, le=5)
    light_penalty: int | None = Field(default=None, ge=0, le=5)
    attack: int | None = Field(default=None, ge=0, le=12)
    magic_attack: int | None = Field(default=None, ge=0, le=12)
    reprint_of: Id | None = None
    effects: list[Effect] = Field(default_factory=list)

    @model_validator(mode="after")
    def _figures_fit_the_kind(self) -> Self:
        if (self.kind == "hero") != (self.level is not None):
            raise ValueError("a hero has a level 1 to 3 and nothing else has one")
        if "weapon" in self.types and self.weight is None:
            raise ValueError("a weapon has a weight")
        if self.kind in ("hero", "monster", "guardian", "trap", "thunderstone") and self.family is None:
            raise ValueError(f"a {self.kind} belongs to a family")
        if self.is_hero and self.strength is None:
            raise ValueError("a hero has a strength")
        if self.kind in ("monster", "guardian") and (self.health is None or self.xp is None):
            raise ValueError("a monster has health and xp")
        ids = [effect.id for effect in self.effects]
        if len(ids) != len(set(ids)):
            raise ValueError("the ids of a card's effects are unique")
        return self

    @property
    def is_hero(self) -> bool:
        """True for heroes of level 1 to 3 and for Militia (R0.4)."""
        return self.kind == "hero" or "hero" in self.types


class CardFile(Record):
    """One file of ``db/cards``: all cards of one set."""

    card: list[Card]
