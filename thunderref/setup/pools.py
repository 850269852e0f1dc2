"""What there is to draw from: the frozen pools, the variants and the fixed layouts, read from the database once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from thunderref.store.read import CardRow, Store

BASIC = ("militia", "torch", "iron-rations", "dagger")
"""The four basic stacks (R1.6)."""
DECK = (("militia", 6), ("dagger", 2), ("iron-rations", 2), ("torch", 2))
"""A player's deck at the start (R1.7)."""
DISEASE = "disease"
MILITIA = "militia"
PLACEHOLDER_TIMING = "reveal"
HERO_STACKS = 4
VILLAGE_STACKS = 8
BOXES = ("base", "wrath")
PROMO = "promo"
GUARDIAN = "guardian"
PICK_TWO = "pick-two"


@dataclass(frozen=True)
class Pool:
    """The cards a code version can name, in the order it counts them."""

    version: int
    classes: tuple[str, ...]
    heroes: tuple[str, ...]
    village: tuple[str, ...]
    features: tuple[str, ...]
    guardians: tuple[str, ...]
    stones: tuple[str, ...]


@dataclass(frozen=True)
class Variant:
    """A way to play (R9)."""

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
class Layout:
    """A first game or a themed dungeon: all its cards are given."""

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


@dataclass(frozen=True, eq=False, repr=False)
class Catalogue:
    """Everything set-ups are made of. ``set_of`` knows every class, family, feature and card."""

    pool: Pool
    variants: dict[str, Variant]
    first_games: dict[str, Layout]
    themes: dict[str, Layout]
    question_marks: dict[str, int]
    """Set -> dungeon-feature randomizers among its monsters (R1.2)."""
    feature_pile: tuple[str, ...]
    set_of: dict[str, str]
    cards: dict[str, CardRow]
    families: dict[str, tuple[CardRow, ...]]
    """Family -> its cards in the order of the files."""
    numbered: dict[str, tuple[CardRow, ...]]
    """Class -> its cards that lie face up beside the hall, in order, where it has any (the Horde, R1.3)."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Room for what is computed from the catalogue once, by whoever computes it."""

    def cards_of(self, family: str, sets: tuple[str, ...]) -> list[tuple[str, int]]:
        """(card, copies) that a class or trap class brings into the dungeon deck; numbered Horde cards stay out."""
        beside = {card.id for card in self.numbered.get(family, ())}
        return [(c.id, c.count) for c in self.families[family] if c.id not in beside and c.set_id in sets]


_catalogues: WeakKeyDictionary[Store, Catalogue] = WeakKeyDictionary()


def catalogue(store: Store) -> Catalogue:
    """The catalogue of a database, read once."""
    if store not in _catalogues:
        _catalogues[store] = _read(store)
    return _catalogues[store]


def _read(store: Store) -> Catalogue:
    records: dict[str, dict[str, dict[str, Any]]] = {}
    for kind, name, record in store.query("SELECT kind, id, record FROM setup_records ORDER BY kind, position"):
        records.setdefault(kind, {})[name] = json.loads(record)
    newest = max(records["pool"].values(), key=lambda r: int(r["version"]))
    kinds = ("classes", "heroes", "village", "features", "guardians", "stones")
    pool = Pool(newest["version"], *(tuple(newest[key]) for key in kinds))
    families: dict[str, list[CardRow]] = {}
    for card in store.cards.values():
        if card.family is not None:
            families.setdefault(card.family, []).append(card)
    set_of: dict[str, str] = dict(store.query("SELECT id, set_id FROM families"))
    set_of |= {card.id: card.set_id for card in store.cards.values()}
    numbered: dict[str, tuple[CardRow, ...]] = {}
    timings = {(e.card, e.timing) for effects in store.all_effects.values() for e in effects}
    for name in pool.classes:
        if any((card.id, PLACEHOLDER_TIMING) in timings for card in families[name]):
            loose = [card for card in families[name] if (card.id, PLACEHOLDER_TIMING) not in timings]
            numbered[name] = tuple(sorted(loose, key=lambda card: card.health or 0))
    decks = records["feature-deck"]
    return Catalogue(
        pool=pool,
        variants={name: _variant(r) for name, r in records["variant"].items()},
        first_games={name: _layout("first-game", r) for name, r in records["first-game"].items()},
        themes={name: _layout("theme", r) for name, r in records["theme"].items()},
        question_marks={name: r["question_marks"] for name, r in decks.items()},
        feature_pile=tuple(card for r in decks.values() for card in r["pile"]),
        set_of=set_of,
        cards=store.cards,
        families={name: tuple(cards) for name, cards in families.items()},
        numbered=numbered,
    )


def _variant(r: dict[str, Any]) -> Variant:
    return Variant(
        id=r["id"], term=r["term"], rules=tuple(r["rules"]), players=(r["players"][0], r["players"][1]),
        classes=(r["classes"][0], r["classes"][1]), dungeon=r["dungeon"], stones=r["stones"], campaign=r["campaign"],
        levels=tuple(r["levels"]), without=frozenset(r["without"]),
    )  # fmt: skip


def _layout(kind: str, r: dict[str, Any]) -> Layout:
    return Layout(
        kind=kind, id=r["id"], term=r["term"], rules=tuple(r["rules"]), sets=tuple(r["sets"]),
        classes=tuple(r["classes"]), features=tuple(r["features"]), guardians=tuple(r["guardians"]), stone=r["stone"],
        heroes=tuple(r["heroes"]), village=tuple(r["village"]), readings=tuple(r["readings"]),
    )  # fmt: skip
