"""The Thunderstones of a set-up: which may be in the dungeon, how many, and what left no choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from thunderref.rng import open_stream
from thunderref.thunderstone.setup.catalogue import Catalogue

if TYPE_CHECKING:
    from thunderref.thunderstone.setup.codes import Content
    from thunderref.thunderstone.setup.request import Request, Wish


class Stones(NamedTuple):
    """``number`` stones of ``pool``, the deepest first; ``cause`` says what left no choice, as in a reason."""

    pool: tuple[str, ...]
    number: int = 1
    cause: str | None = None

    def draw(self, seed: int) -> tuple[str, ...]:
        if self.number == len(self.pool) and self.cause != "variant":
            return self.pool
        return tuple(open_stream(seed, "stones").sample(self.pool, self.number))  # an epic game draws their order too


def stones_of(req: Request, cat: Catalogue) -> Stones | None:
    """The stones that a request leaves; None if there are none for it."""
    out = _named(req.wishes, "exclude")
    owned = cat.owned(cat.pool.stones, req.sets)
    free = tuple(stone for stone in owned if stone not in out)
    wanted = [stone for stone in free if stone in _named(req.wishes, "require")]
    if len(wanted) < len(_named(req.wishes, "require")) or len(free) < req.variant.stones:
        return None
    named = [stone for stone in free if stone.endswith(req.stone)]
    if req.variant.dungeon == "epic":
        return Stones(free, 2, "variant")
    if req.variant.campaign:  # which one comes first; the other one is in the next game
        first = named or (wanted if len(wanted) == 1 else [])
        return Stones(tuple(first), 1, "require") if first else Stones(free)
    if req.stone == "both" or len(wanted) > 1:
        return Stones(free, 2, "require") if len(free) > 1 and not named else None
    if wanted or req.stone != "random":
        asked = [stone for stone in wanted or named if not named or stone in named]
        return Stones(tuple(asked), 1, "require") if asked else None
    if req.fixed is not None and req.fixed.stone in free:
        return Stones((req.fixed.stone,), 1, req.fixed.kind)
    return Stones(free, 1, None if len(free) > 1 else "box" if free == owned else "exclude")


def stones_in_code(content: Content, cat: Catalogue) -> Stones:
    """The stones that the game of a code is played with, as far as the code tells how they came."""
    owned, variant = cat.owned(cat.pool.stones, content.sets), cat.variants[content.variant]
    fixed = cat.fixed[content.layout[0]][content.layout[1]] if content.layout else None
    stones, count = content.stones, len(content.stones)
    if content.later is not None or variant.dungeon == "epic":
        return Stones(stones, count, "variant")
    if count > 1:  # no draw brings both unasked
        return Stones(stones, count, "require")
    if fixed is not None and fixed.stone in owned and not variant.campaign:
        return Stones(stones, 1, fixed.kind if stones == (fixed.stone,) else "require")
    return Stones(owned, 1, "box" if len(owned) == 1 else None)


def _named(wishes: Sequence[Wish], kind: str) -> set[str]:
    return {wish.card for wish in wishes if wish.slot == "stones" and wish.kind == kind}
