"""The printed card: its figures and types. What its abilities do is in :class:`.operations.Effect`."""

from typing import Annotated, Literal

from msgspec import Meta

from thunderref.database.validation import Record

Kind = Literal["hero", "village", "basic", "monster", "guardian", "trap", "treasure", "thunderstone", "disease"]
Attested = Literal["printed", "two", "one"]
"""Where a card's facts were seen: on the printed card, in two independent listings, or in one."""

Id = str

HAND_KINDS = frozenset({"hero", "village", "basic", "monster", "guardian", "disease", "thunderstone"})
"""Kinds of cards that may be in a hand."""
HALL_KINDS = frozenset({"monster", "guardian", "thunderstone"})
"""Kinds of cards that may be in the hall."""
STACKED = frozenset({"basic", "hero", "village"})
"""Kinds of cards of which the village has stacks (R1.6)."""
RANKS = 3  # of the hall (R1.5)


class Card(Record, kw_only=True):
    """One printed card; a figure it does not have is None; ``count`` is its copies, ``level_cost`` in XP."""

    id: Id
    set_id: Id = ""
    """Its box, by the name of the box's folder."""
    kind: Kind
    family: Id | None = None
    level: Literal[1, 2, 3] | None = None
    count: Annotated[int, Meta(ge=1, le=60)]
    types: tuple[str, ...]
    cost: Annotated[int, Meta(ge=0, le=20)] | None = None
    gold: Annotated[int, Meta(ge=0, le=10)] | None = None
    light: Annotated[int, Meta(ge=0, le=5)] | None = None
    vp: Annotated[int, Meta(ge=-10, le=10)] | None = None
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
    judged: bool | None = None
    """False for a card of which is not known what it does: no position with it is judged."""

    @property
    def is_hero(self) -> bool:
        """True for heroes of level 1 to 3 and for Militia (R0.4)."""
        return self.kind == "hero" or "hero" in self.types

    def text_key(self, effect: Id) -> str:
        """The key of an ability's text, which a reprint shares with the card it reprints."""
        return f"card.{self.reprint_of or self.id}.{effect}"
