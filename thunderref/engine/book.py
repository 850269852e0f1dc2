"""The cards as the engine reads them: figures and operations sorted by when they work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from thunderref.explain.terms import Term
from thunderref.model.card import Card, Effect
from thunderref.model.effect import (
    Bonus,
    CannotAttack,
    Convert,
    Cost,
    Halve,
    HeroesCannotAttack,
    Immune,
    MagicUnlessDiscarded,
    ManyWeapons,
    Operation,
    Select,
)

LASTING = frozenset(
    {
        "bonus", "instead", "double", "count-magic", "convert", "weightless", "spare-heroes", "cannot-attack",
        "many-weapons", "unconfirmed", "ignore-light-penalties", "extra-xp", "spoils", "take-before-refill",
    }
)  # fmt: skip
"""Operations that are read when values are added up, not carried out once."""

IN_DUNGEON = frozenset({"dungeon", "repeat-dungeon", "village-or-dungeon"})
IN_VILLAGE = frozenset({"village", "repeat-village", "village-or-dungeon"})


class Ability(Struct, frozen=True, gc=False):
    """An effect that is used: what it costs, what it does at once, what lasts.

    ``number`` counts the card's dungeon (or village) effects from 1, as plans name them. ``chooses_hero`` is True if a
    lasting operation goes to one chosen hero.
    """

    number: int
    id: str
    repeat: bool
    cost: tuple[Cost, ...]
    instant: tuple[Operation, ...]
    lasting: tuple[Operation, ...]
    chooses_hero: bool
    rules: tuple[str, ...]
    before_refill: bool
    """True for an effect that is offered when the hall is refilled, and never used before (R6.5)."""


@dataclass(eq=False, slots=True)
class Spec:
    """A card as the engine reads it; a figure the card does not carry is 0, save ``gold`` and ``vp``.

    Never changed once it is made, and equal only to itself. What follows from the fields is read off them once.
    """

    id: str
    kind: str
    family: str
    level: int
    types: frozenset[str]
    is_hero: bool
    is_monster: bool
    is_weapon: bool
    is_item: bool
    is_spell: bool
    cost: int
    gold: int | None
    light: int
    vp: int | None
    strength: int
    weight: int
    health: int
    xp: int
    light_penalty: int
    attack: int
    magic_attack: int
    passive: tuple[Operation, ...]
    dungeon: tuple[Ability, ...]
    village: tuple[Ability, ...]
    traits: tuple[Operation, ...]
    battle: tuple[Operation, ...]
    breach: tuple[Operation, ...]
    trap: tuple[Operation, ...]
    spoils: tuple[Operation, ...]
    aftermath: tuple[Operation, ...]
    reveal: tuple[Operation, ...]
    end_of_game: tuple[Operation, ...]
    level_cost: int | None
    barred: bool
    """True for a monster that may not always be attacked (R5.1)."""
    rules: dict[str, tuple[str, ...]]
    """Rules by operation name, for citing."""
    gift: bool = field(init=False)
    """True for a trophy that gives something to one hero, chosen once (R8.1)."""
    usable: bool = field(init=False)
    """True if there is something to use in the dungeon."""
    prints_magic: bool = field(init=False)
    """True for a card that carries Magic Attack, wherever it works (R5.8b)."""
    unopposed: int = field(init=False)
    """The Magic Attack that a hero keeps unless others discard certain cards (R4.7)."""
    many_weapons: bool = field(init=False)
    """True for a hero who may hold any number of weapons (R4.3)."""
    idles: tuple[CannotAttack, ...] = field(init=False)
    """When a hero does not attack (R5.4)."""
    stops: tuple[HeroesCannotAttack, ...] = field(init=False)
    """Which heroes do not attack this monster (R5.4)."""
    immune: frozenset[str] = field(init=False)
    """What a monster is immune to (R5.5)."""
    has: frozenset[str] = field(init=False)
    """The names of a monster's traits."""

    figures: Term | None = field(init=False)
    """The printed Attack, Magic Attack and Light of a card as they count; a trophy's Light does not."""
    halves: tuple[Halve, ...] = field(init=False)
    """What halves the total against this monster (R5.13)."""
    forgoable: bool = field(init=False)
    """True if the card's benefits are not mandatory (R5.1)."""
    only_figures: bool = field(init=False)
    """True for a card that gives what it prints against whatever target, where nothing else changes that."""
    meddles: bool = field(init=False)
    """True for a monster that changes what single heroes give (R5.4, R5.5) or gives them something (R5.2)."""

    def __post_init__(self) -> None:
        bonuses = [op for op in self.passive if isinstance(op, Bonus)]
        self.gift = any(op.to == "chosen" for op in bonuses)
        self.usable = bool(self.dungeon) or self.gift
        self.prints_magic = bool(self.magic_attack) or any(op.stat == "magic_attack" for op in bonuses)
        instant = [op for ability in self.dungeon for op in ability.instant]
        self.unopposed = sum(op.amount for op in instant if isinstance(op, MagicUnlessDiscarded))
        self.many_weapons = any(isinstance(op, ManyWeapons) for op in self.passive)
        self.idles = tuple(op for op in self.passive if isinstance(op, CannotAttack))
        self.stops = tuple(trait for trait in self.traits if isinstance(trait, HeroesCannotAttack))
        self.immune = frozenset(trait.to for trait in self.traits if isinstance(trait, Immune))
        self.has = frozenset(trait.op for trait in self.traits)
        light = 0 if self.is_monster else self.light
        self.figures = None
        if self.attack or self.magic_attack or light:
            rules = ("R5.7" if self.is_hero else "R4.5",)
            self.figures = Term("figures", self.id, self.attack, self.magic_attack, light, rules)
        halving = [op for op in (*self.traits, *self.battle) if isinstance(op, Halve)]
        self.halves = tuple(op for op in halving if op.what == "total")
        self.forgoable = (self.is_spell or self.is_item) and not self.is_weapon and not self.is_hero
        if self.is_hero:
            self.only_figures = not self.idles
        else:
            self.only_figures = not (self.passive or self.is_weapon or self.is_spell or self.kind == "disease")
        given = any(isinstance(op, Bonus) for op in self.battle)
        self.meddles = bool(self.stops) or given or "unequipped-heroes" in self.immune

    def matches(self, select: Select) -> bool:
        """True if the card fits; ``bare`` is for the battle to judge."""
        if select.kind is not None and not self.is_kind(select.kind):
            return False
        if select.type is not None and select.type not in self.types:
            return False
        if select.not_type is not None and select.not_type in self.types:
            return False
        if select.level is not None and select.level != self.level:
            return False
        return select.gives is None or self.gives(select.gives)

    def is_kind(self, kind: str) -> bool:
        """True if the card is a hero, monster, weapon, item, spell, villager or disease."""
        if kind == "hero":
            return self.is_hero
        if kind == "monster":
            return self.is_monster
        if kind == "disease":
            return self.kind == "disease"
        return kind in self.types

    def gives(self, what: str) -> bool:
        """True if the card carries Light, a gold value (0 counts, R0.6), victory points or Magic Attack."""
        if what == "gold":
            return self.gold is not None
        if what == "vp":
            return bool(self.vp)
        return bool(getattr(self, what))


class Book:
    """All cards by id."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.specs: dict[str, Spec] = {card.id: _spec(card) for card in cards}

    def __getitem__(self, card_id: str) -> Spec:
        return self.specs[card_id]

    def __contains__(self, card_id: str) -> bool:
        return card_id in self.specs


def _spec(card: Card) -> Spec:
    types = frozenset(card.types)
    rules: dict[str, tuple[str, ...]] = {}
    for effect in card.effects:
        for operation in effect.do:
            rules.setdefault(operation.op, tuple(effect.rules))
    return Spec(
        id=card.id,
        kind=card.kind,
        family=card.family or card.id,
        level=card.level or 0,
        types=types,
        is_hero=card.is_hero,
        is_monster=card.kind in ("monster", "guardian"),
        is_weapon="weapon" in types,
        is_item="item" in types,
        is_spell="spell" in types,
        cost=card.cost or 0,
        gold=card.gold,
        light=card.light or 0,
        vp=card.vp,
        strength=card.strength or 0,
        weight=card.weight or 0,
        health=card.health or 0,
        xp=card.xp or 0,
        light_penalty=card.light_penalty or 0,
        attack=card.attack or 0,
        magic_attack=card.magic_attack or 0,
        passive=_operations(card, "passive", "trophy"),
        dungeon=_abilities(card, IN_DUNGEON),
        village=_abilities(card, IN_VILLAGE),
        traits=_operations(card, "trait", "global"),
        battle=_operations(card, "battle"),
        breach=_operations(card, "breach"),
        trap=_operations(card, "trap"),
        spoils=_operations(card, "spoils"),
        aftermath=_operations(card, "aftermath"),
        reveal=_operations(card, "reveal"),
        end_of_game=_operations(card, "end-of-game"),
        level_cost=card.level_cost,
        barred="barred" in rules,
        rules=rules,
    )


def _operations(card: Card, *timings: str) -> tuple[Operation, ...]:
    return tuple(operation for effect in card.effects if effect.timing in timings for operation in effect.do)


def _abilities(card: Card, timings: frozenset[str]) -> tuple[Ability, ...]:
    used = [effect for effect in card.effects if effect.timing in timings]
    return tuple(_ability(number, effect) for number, effect in enumerate(used, 1))


def _ability(number: int, effect: Effect) -> Ability:
    lasting = tuple(operation for operation in effect.do if operation.op in LASTING)
    return Ability(
        number=number,
        id=effect.id,
        repeat=effect.timing.startswith("repeat"),
        cost=tuple(effect.cost),
        instant=tuple(operation for operation in effect.do if operation.op not in LASTING),
        lasting=lasting,
        chooses_hero=any(isinstance(op, Bonus | Convert) and op.to == "chosen" for op in lasting),
        rules=tuple(effect.rules),
        before_refill=any(operation.op == "take-before-refill" for operation in lasting),
    )
