"""A picture of the table: where each stack lies, the dungeon first, as rows that the sheet and a terminal show."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from thunderref.thunderstone.setup.finished import Setup
from thunderref.thunderstone.setup.layout import HALL


class Place(NamedTuple):
    """A place on the table: the name on its stack and how many cards lie there, "" if that is not fixed."""

    name: str
    copies: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} {self.copies}".rstrip()


def rows(made: Setup) -> list[tuple[str, list[Place]]]:
    """Heading and places of each part: dungeon deck and ranks (R1.5), heroes, village and basic stacks (R1.6)."""
    say, naming = made.naming.say, made.naming
    size = sum(layer.size for layer in made.table.layers)
    ranks = [
        say("setup.picture.rank", n=rank) for rank in range(HALL, -1 if made.content.features.guardians else 0, -1)
    ]
    dungeon = [Place(say("setup.picture.deck"), str(size)), *map(Place, ranks)]
    stacks: dict[str, list[Place]] = {}
    for stack in made.table.stacks:
        count = sum(n for _, n in stack.cards)
        if count or not stack.cards:
            stacks.setdefault(stack.kind, []).append(Place(naming.marked(stack.id), str(count or "")))
    dungeon += stacks.pop("horde", [])
    stacks["basic"] += stacks.pop("disease") + stacks.pop("xp")
    parts = [("dungeon", dungeon), *((kind, stacks[kind]) for kind in ("hero", "village", "basic"))]
    return [(say(f"setup.picture.{part}"), places) for part, places in parts]


def picture(made: Setup, width: int) -> str:
    """The table in lines of at most ``width`` columns: ``[Banish         8]``."""
    return "\n".join(line for heading, places in rows(made) for line in (heading, *_lines(places, width)))


def _lines(places: list[Place], width: int) -> Iterator[str]:
    wide = max(len(place.label) for place in places)
    needed = ceil(len(places) / max(1, (width + 1) // (wide + 3)))
    across = ceil(len(places) / needed)
    for start in range(0, len(places), across):
        row = places[start : start + across]
        yield " ".join(f"[{place.name}{place.copies:>{wide - len(place.name)}}]" for place in row)
