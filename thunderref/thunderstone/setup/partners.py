"""Which cards go with which, derived from figures, types and effect records, never from card names.

A need that one card raises and another settles joins them; so do a weapon and who can hold it, light and the monsters
it is lost against, a type that an effect counts on and the cards of it, and spells and who casts with Magic Attack too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from thunderref.database.read import Database
from thunderref.database.validation import Record
from thunderref.thunderstone.setup.balance import Needs
from thunderref.thunderstone.setup.catalogue import Catalogue

AROUND = 4
"""The least number of partners in a set-up around a favourite, if there are as many."""
_EVERY_GAME = frozenset({"hero", "militia", "disease"})
"""Types that every game has; who counts on them needs no partner."""
_COUNTED_ON = ("type", "kind", "holder", "wields", "target", "buys", "after")
"""Fields of an operation whose value is a type that the effect counts on."""
_AGAINST = ("unless", "no_hand", "not_type", "unless_hand", "unless_destroyed", "safe", "instead")
"""Fields of an operation below which a type stands for what must not be there."""


class Link(NamedTuple):
    """Why two cards go together: ``giver`` has what ``taker`` wants; ``what`` is a need or a type, if any."""

    kind: str
    giver: str
    taker: str
    what: str = ""


class Partners:
    """All links between the classes, families and village cards of a catalogue."""

    def __init__(self, database: Database) -> None:
        self.cat = database.derived(Catalogue)
        self.needs = database.derived(Needs)
        self.database = database
        pool = self.cat.pool
        self.all = frozenset((*pool.classes, *pool.heroes, *pool.village))
        self.cards = {name: self.cat.families.get(name) or [self.cat.cards[name]] for name in self.all}
        self.types = {name: {kind for row in rows for kind in row.types} for name, rows in self.cards.items()}
        self.links = tuple(dict.fromkeys(self._links()))

    def of(self, card: str) -> dict[str, list[Link]]:
        """Partner -> why it goes with the card, in the order of the pool."""
        found: dict[str, list[Link]] = {}
        for link in self.links:
            if card in (link.giver, link.taker):
                found.setdefault(link.taker if card == link.giver else link.giver, []).append(link)
        return found

    def _links(self) -> Iterator[Link]:
        pool, needs = self.cat.pool, self.needs
        common = frozenset.intersection(*needs.lifts.values())  # what everybody can hold says nothing
        for hero in pool.heroes:
            yield from (Link("holds", weapon, hero) for weapon in sorted(needs.lifts[hero] - common))
        for need in needs.needs:
            if need.kind != "weapon":
                for taker in sorted(need.raised_by):
                    yield from (Link("need", giver, taker, need.kind) for giver in sorted(need.village | need.heroes))
        bright = [name for name in (*pool.heroes, *pool.village) if self._has(name, "light")]
        for dark in (name for name in pool.classes if self._has(name, "light_penalty")):
            yield from (Link("light", giver, dark) for giver in bright)
        for taker in (*pool.heroes, *pool.village):
            wanted = {kind for row in self.cards[taker] for kind in self._counted_on(row.id)}
            for kind in sorted(wanted):
                for giver in (name for name in (*pool.classes, *pool.heroes, *pool.village) if name != taker):
                    if kind in self.types[giver] and not self._same_side(kind, giver, taker):
                        yield Link("type", giver, taker, kind)
        for spell in (name for name in pool.village if "spell" in self.types[name] and self._has(name, "magic_attack")):
            yield from (Link("magic", spell, hero) for hero in pool.heroes if self._has(hero, "magic_attack"))

    def _same_side(self, kind: str, giver: str, taker: str) -> bool:
        # Monsters serve only those who fight them, other cards only those who hold them.
        against = kind in self._kinds_of_monsters
        return against != (giver in self.cat.pool.classes)

    @property
    def _kinds_of_monsters(self) -> frozenset[str]:
        return frozenset(kind for name in self.cat.pool.classes for kind in self.types[name])

    def _has(self, name: str, figure: str) -> bool:
        return any((getattr(row, figure) or 0) > 0 for row in self.cards[name])

    def _counted_on(self, card: str) -> Iterator[str]:
        for effect in self.database.all_effects.get(card, ()):
            for operation in (*effect.cost, *effect.do):
                yield from _named(operation)


def _named(part: Record) -> Iterator[str]:
    """The types that an operation, or a part of one, counts on."""
    for key in part.__struct_fields__:
        value = getattr(part, key)
        words = value if isinstance(value, tuple) else (value,)
        if key in _COUNTED_ON:
            yield from (word for word in words if isinstance(word, str) and word not in _EVERY_GAME)
        if key not in _AGAINST and isinstance(value, Record):
            yield from _named(value)
