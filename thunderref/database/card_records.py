"""The printed cards: figures, types and abilities as effect records (files ``db/cards/*.toml``)."""

from typing import Annotated, Literal

from msgspec import Meta

from thunderref.database.operations import Cost, Operation
from thunderref.database.validation import Record

Kind = Literal["hero", "village", "basic", "monster", "guardian", "trap", "thunderstone", "disease"]
Timing = Literal[
    "passive", "dungeon", "repeat-dungeon", "village", "repeat-village", "village-or-dungeon", "battle", "breach",
    "global", "trait", "trophy", "spoils", "aftermath", "trap", "reveal", "end-of-game",
]  # fmt: skip
"""When an ability works (the printed keywords, R2.4, R5.2, R8)."""

Attested = Literal["printed", "two", "one"]
"""Where a card's facts were seen: on the printed card, in two independent listings, or in one."""

Id = str


class Effect(Record, omit_defaults=True):
    """One printed ability of a card; a ``mandatory`` one cannot be declined (by default always-on ones)."""

    id: Id
    timing: Timing
    mandatory: bool | None = None
    cost: tuple[Cost, ...] = ()
    do: tuple[Operation, ...] = ()
    rules: tuple[Id, ...] = ()

    @property
    def is_mandatory(self) -> bool:
        return self.timing in ALWAYS_ON if self.mandatory is None else self.mandatory


ALWAYS_ON = frozenset({"passive", "battle", "breach", "global", "trait", "trophy", "trap", "end-of-game"})


class Card(Record, kw_only=True):
    """One printed card; a figure it does not have is None; ``count`` is its copies, ``level_cost`` in XP."""

    id: Id
    kind: Kind
    family: Id | None = None
    level: Literal[1, 2, 3] | None = None
    count: Annotated[int, Meta(ge=1, le=60)]
    types: tuple[str, ...]
    cost: Annotated[int, Meta(ge=0, le=20)] | None = None
    gold: Annotated[int, Meta(ge=0, le=10)] | None = None
    light: Annotated[int, Meta(ge=0, le=5)] | None = None
    vp: Annotated[int, Meta(ge=0, le=10)] | None = None
    strength: Annotated[int, Meta(ge=1, le=12)] | None = None
    weight: Annotated[int, Meta(ge=0, le=12)] | None = None
    health: Annotated[int, Meta(ge=0, le=15)] | None = None
    xp: Annotated[int, Meta(ge=0, le=5)] | None = None
    level_cost: Annotated[int, Meta(ge=1, le=5)] | None = None
    light_penalty: Annotated[int, Meta(ge=0, le=5)] | None = None
    attack: Annotated[int, Meta(ge=0, le=12)] | None = None
    magic_attack: Annotated[int, Meta(ge=0, le=12)] | None = None
    reprint_of: Id | None = None
    attested: Attested | None = None
    effects: tuple[Effect, ...] = ()

    @property
    def is_hero(self) -> bool:
        """True for heroes of level 1 to 3 and for Militia (R0.4)."""
        return self.kind == "hero" or "hero" in self.types


class CardFile(Record, kw_only=True):
    """The cards of a set; ``attested`` is the default for its cards."""

    attested: Attested
    card: tuple[Card, ...]
