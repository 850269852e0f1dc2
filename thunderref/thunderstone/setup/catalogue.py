"""What set-ups are drawn from: the frozen pools, the variants and the fixed set-ups, read from the database once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.json import decode
from msgspec.structs import replace

from thunderref.database.card_records import Card
from thunderref.database.read import Database
from thunderref.database.records import SETUPS, Beside, BoxRecord, FirstGame, FixedSetup, Pool, Theme, Variant

BASIC = ("militia", "torch", "iron-rations", "dagger")  # the four stacks of R1.6
DECK = (("militia", 6), ("dagger", 2), ("iron-rations", 2), ("torch", 2))  # of a player at the start (R1.7)
DISEASE = "disease"
MILITIA = "militia"
STACKS = {"heroes": 4, "village": 8}
GUARDIAN = "guardian"
PICK_TWO = "pick-two"
SLOT_KINDS = ("classes", "features", "heroes", "village", "stones")
"""Kinds of slots."""


def in_order(cards: Iterable[str], pool: tuple[str, ...]) -> tuple[str, ...]:
    members = set(cards)
    return tuple(card for card in pool if card in members)


def slots_of(*cards: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Kind of slot -> the cards of that kind, which are listed in this order."""
    return dict(zip(SLOT_KINDS, cards, strict=True))


class Catalogue:
    """All that set-ups are made of; there is one per database, as ``database.derived(Catalogue)``.

    ``sets`` are all boxes and what is mixed into them, ``boxes`` the boxes alone, ``basic_box`` the one with the basic
    stacks. ``digests`` are those of users' boxes. The ``frozen`` pool is what codes rest on; ``pool`` has the boxes of
    users, too. ``slots`` are the cards of the ``pool`` by kind, ``places`` the slot of each, basic ones too; ``fixed``
    the fixed set-ups by kind and id, ``feature_decks`` the dungeon-feature randomizers by box (R1.2), ``families`` the
    cards of a class or family. ``numbered`` are the cards of a class that lie face up beside the hall, in order, if any
    (the Horde, R1.3), for the ``placeholders`` in it. ``breaching`` are the classes with a breach,
    ``piles`` what may lie beside the stacks.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self.cards = database.cards
        records: dict[str, dict[str, Any]] = {}
        sql = "SELECT kind, id, record FROM setup_records WHERE kind != 'other-box' ORDER BY kind, position"
        for kind, name, record in database.query(sql):
            records.setdefault(kind, {})[name] = decode(record, type=SETUPS[kind])
        boxes: dict[str, BoxRecord] = records["box"]
        self.records = boxes
        self.sets = tuple(boxes)
        self.boxes = tuple(name for name, box in boxes.items() if box.boxed)
        self.basic_box = next(name for name, box in boxes.items() if box.basic)
        self.feature_decks = {name: box.feature_deck for name, box in boxes.items() if box.feature_deck}
        self.frozen: Pool = max(records["pool"].values(), key=lambda pool: pool.version)
        self.digests: dict[str, str] = dict(database.query("SELECT id, digest FROM sets"))
        pool = self.pool = self.pool_with(self.user_boxes(boxes))
        self.piles = {pile.id: pile for box in boxes.values() for pile in box.beside}
        features = (*pool.features, *pool.guardians)
        self.slots = slots_of(pool.classes, features, pool.heroes, pool.village, pool.stones)
        places = self.slots | {"features": (*features, GUARDIAN, PICK_TWO), "basic": (*BASIC, DISEASE)}
        self.places = {card: (slot, card) for slot, cards in places.items() for card in cards}
        self.variants: dict[str, Variant] = records["variant"]
        self.fixed: dict[str, dict[str, FixedSetup]] = {kind: records[kind] for kind in (FirstGame.kind, Theme.kind)}
        self.set_of: dict[str, str] = dict(database.query("SELECT id, set_id FROM families"))
        self.families: dict[str, list[Card]] = {}
        for card in self.cards.values():
            self.set_of[card.id] = card.set_id
            if card.family is not None:
                self.families.setdefault(card.family, []).append(card)
        timings = set(database.query("SELECT card, timing FROM effects"))
        self.breaching = {n for n in pool.classes if any((c.id, "breach") in timings for c in self.families[n])}
        self.numbered: dict[str, list[Card]] = {}
        for name in pool.classes:
            loose = [card for card in self.families[name] if (card.id, "reveal") not in timings]
            if len(loose) < len(self.families[name]):
                self.numbered[name] = sorted(loose, key=lambda card: card.health or 0)
        self.placeholders = [c.id for n, beside in self.numbered.items() for c in self.families[n] if c not in beside]

    def user_boxes(self, sets: Iterable[str]) -> tuple[str, ...]:
        """Return the boxes among these that a user brought, in their order."""
        members = set(sets)
        return tuple(name for name in self.records if name in members and self.digests[name])

    def pool_with(self, user_boxes: Sequence[str]) -> Pool:
        """The frozen pool, and behind it what the boxes of users bring, in the order of their files."""
        cards = [card for card in self.cards.values() if card.set_id in user_boxes and card.reprint_of is None]
        families = [family for name in user_boxes for family in self.records[name].family]
        brought = {
            "boxes": [name for name in user_boxes if self.records[name].boxed],
            "extras": [name for name in user_boxes if not self.records[name].boxed],
            "classes": [family.id for family in families if family.kind == "monster"],
            "heroes": [family.id for family in families if family.kind == "hero"],
            "village": [card.id for card in cards if card.kind == "village"],
            "features": [family.id for family in families if family.kind in ("trap", "treasure")],
            "guardians": [card.id for card in cards if card.kind == "guardian"],
            "stones": [card.id for card in cards if card.kind == "thunderstone"],
        }
        return replace(self.frozen, **{kind: (*getattr(self.frozen, kind), *names) for kind, names in brought.items()})

    def piles_of(self, sets: Iterable[str], names: Iterable[str]) -> list[Beside]:
        """Return the piles beside the stacks of a set-up with these boxes and these classes, families and cards."""
        members = {*names}
        members |= {card.id for name in members if name in self.families for card in self.families[name]}
        piles = (pile for pile in self.piles.values() if pile.set_id in sets)
        return [pile for pile in piles if not pile.needed_by or not members.isdisjoint(pile.needed_by)]

    def question_marks(self, sets: Iterable[str]) -> int:
        """The dungeon-feature randomizers among the monsters of these boxes."""
        return sum(deck.question_marks for name, deck in self.feature_decks.items() if name in sets)

    def feature_pile(self, sets: Iterable[str]) -> tuple[str, ...]:
        return tuple(card for name, deck in self.feature_decks.items() if name in sets for card in deck.pile)

    def members(self, name: str) -> list[Card]:
        """The cards of a class or family, or the card itself."""
        return self.families.get(name) or [self.cards[name]]

    def fixed_setup(self, layout: tuple[str, str] | None) -> FixedSetup | None:
        return self.fixed[layout[0]][layout[1]] if layout else None

    def cards_of(self, family: str, sets: tuple[str, ...]) -> list[tuple[str, int]]:
        """Return (card, copies) that a class of monsters or traps brings into the dungeon; no numbered Horde card."""
        beside = self.numbered.get(family, ())
        return [(c.id, c.count) for c in self.families[family] if c not in beside and c.set_id in sets]

    def is_mixed(self, family: str, sets: Iterable[str]) -> bool:
        """True if another of these sets than its own has cards of the family."""
        return any(card.set_id in sets and card.set_id != self.set_of[family] for card in self.families[family])

    def owned(self, cards: tuple[str, ...], sets: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(card for card in cards if self.set_of[card] in sets)

    def campaign_stones(self, sets: Iterable[str]) -> tuple[str, ...]:
        """The two Thunderstones that the games of a campaign are about: the first ones of its boxes (R9.2)."""
        return self.owned(self.pool.stones, tuple(sets))[:2]

    def slot_of(self, card: str) -> tuple[str, str] | None:
        """Return (kind of slot, id within it) of a card: for a hero the family, for a monster or trap the class."""
        row = self.cards.get(card)
        if row is not None:
            of_family = row.kind in ("hero", "monster", "trap")
            card = row.family if of_family and row.family else row.reprint_of or card
        return self.places.get(card)
