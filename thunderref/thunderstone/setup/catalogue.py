"""What there is to draw from: the frozen pools, the variants and the fixed set-ups, read from the database once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.database.read import CardRow, Database

if TYPE_CHECKING:
    from thunderref.thunderstone.setup.draw import Space

BASIC = ("militia", "torch", "iron-rations", "dagger")  # the four stacks of R1.6
DECK = (("militia", 6), ("dagger", 2), ("iron-rations", 2), ("torch", 2))  # of a player at the start (R1.7)
DISEASE = "disease"
MILITIA = "militia"
HERO_STACKS = 4
VILLAGE_STACKS = 8
BOXES = ("base", "wrath")
PROMO = "promo"
GUARDIAN = "guardian"
PICK_TWO = "pick-two"


def slots_of(*cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Kind of slot -> the cards of that kind, which are listed in this order."""
    return dict(zip(("classes", "features", "heroes", "village", "stones"), cards, strict=True))


class Pool(NamedTuple):
    """The cards a code version can name, in the order it counts them."""

    version: int
    classes: tuple[str, ...]
    heroes: tuple[str, ...]
    village: tuple[str, ...]
    features: tuple[str, ...]
    guardians: tuple[str, ...]
    stones: tuple[str, ...]

    @property
    def slots(self) -> dict[str, tuple[str, ...]]:
        return slots_of(self.classes, (*self.features, *self.guardians), self.heroes, self.village, self.stones)


class Variant(NamedTuple):
    """A way to play (R9): least and most ``players`` and ``classes``, Thunderstones, cards it is played ``without``."""

    id: str
    term: str | None
    rules: tuple[str, ...]
    players: tuple[int, int]
    classes: tuple[int, int]
    dungeon: str
    stones: int
    campaign: bool
    levels: tuple[str, ...]
    without: frozenset[str]


@dataclass(frozen=True)
class FixedSetup:
    """A ``first-game`` or a ``theme``, a themed dungeon: all its cards are given (R1.8, R9.7)."""

    kind: str
    id: str
    term: str | None
    rules: tuple[str, ...]
    sets: tuple[str, ...]
    classes: tuple[str, ...]
    features: tuple[str, ...]
    guardians: tuple[str, ...]
    stone: str | None
    heroes: tuple[str, ...]
    village: tuple[str, ...]
    readings: tuple[str, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.classes, *self.features, *self.guardians, *self.heroes, *self.village)


class Catalogue:
    """Everything set-ups are made of; one a database, as ``database.derived(Catalogue)``.

    ``fixed`` has the fixed set-ups by kind and id, ``question_marks`` the dungeon-feature randomizers among the
    monsters of a set (R1.2), ``families`` the cards of a class or family. ``numbered`` are the cards of a class that
    lie face up beside the hall, in order, where it has any (the Horde, R1.3). ``spaces`` are kept for the next draw
    from the same.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.cards = database.cards
        self.spaces: dict[object, Space] = {}
        records: dict[str, dict[str, dict[str, Any]]] = {}
        for kind, name, record in database.query("SELECT kind, id, record FROM setup_records ORDER BY kind, position"):
            figures = json.loads(record).items()
            read = {key: tuple(value) if isinstance(value, list) else value for key, value in figures}
            records.setdefault(kind, {})[name] = read
        decks = records["feature-deck"]
        self.pool = Pool(**max(records["pool"].values(), key=lambda pool: int(pool["version"])))
        for record in records["variant"].values():
            record["without"] = frozenset(record["without"])
        self.variants = {name: Variant(**record) for name, record in records["variant"].items()}
        self.fixed = {
            kind: {name: FixedSetup(kind, **record) for name, record in records[kind].items()}
            for kind in ("first-game", "theme")
        }
        self.question_marks = {name: deck["question_marks"] for name, deck in decks.items()}
        self.feature_pile: tuple[str, ...] = tuple(card for deck in decks.values() for card in deck["pile"])
        self.set_of: dict[str, str] = dict(database.query("SELECT id, set_id FROM families"))
        self.families: dict[str, list[CardRow]] = {}
        for card in self.cards.values():
            self.set_of[card.id] = card.set_id
            if card.family is not None:
                self.families.setdefault(card.family, []).append(card)
        placeholders = {card for (card,) in database.query("SELECT card FROM effects WHERE timing = 'reveal'")}
        self.numbered: dict[str, list[CardRow]] = {}
        for name in self.pool.classes:
            loose = [card for card in self.families[name] if card.id not in placeholders]
            if len(loose) < len(self.families[name]):
                self.numbered[name] = sorted(loose, key=lambda card: card.health or 0)

    def cards_of(self, family: str, sets: tuple[str, ...]) -> list[tuple[str, int]]:
        """(card, copies) that a class or trap class brings into the dungeon deck; numbered Horde cards stay out."""
        beside = self.numbered.get(family, ())
        return [(c.id, c.count) for c in self.families[family] if c not in beside and c.set_id in sets]

    def owned(self, cards: tuple[str, ...], sets: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(card for card in cards if self.set_of[card] in sets)

    def slot_of(self, card: str) -> tuple[str, str] | None:
        """(kind of slot, id within it) of a card: of a hero their family, of a monster or trap its class."""
        row = self.cards.get(card)
        if row is not None:
            of_family = row.kind in ("hero", "monster", "trap")
            card = row.family if of_family and row.family else row.reprint_of or card
        if card in (GUARDIAN, PICK_TWO):
            return "features", card
        slots = self.pool.slots | {"basic": (*BASIC, DISEASE)}
        return next(((slot, card) for slot, cards in slots.items() if card in cards), None)
