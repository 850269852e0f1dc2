"""The cards as the engine reads them: figures and operations sorted by when they work."""

from __future__ import annotations

from collections.abc import Set

from msgspec import Struct
from msgspec.json import decode
from msgspec.structs import replace

from thunderref.database import operations as ops
from thunderref.database.card_records import Card
from thunderref.database.operations import Effect
from thunderref.database.read import Database
from thunderref.thunderstone.rules.explanation import Term

LASTING = frozenset((
    "bonus", "instead", "double", "count-magic", "convert", "weightless", "spare-heroes", "shield-heroes",
    "cannot-attack", "many-weapons", "unconfirmed", "ignore-light-penalties", "extra-xp", "spoils",
    "take-before-refill",
))  # fmt: skip
"""Operations that are read when values are added up, not carried out once."""

IN_DUNGEON = frozenset({"dungeon", "repeat-dungeon", "village-or-dungeon"})
IN_VILLAGE = frozenset({"village", "repeat-village", "village-or-dungeon"})


class Ability(Struct, frozen=True, gc=False):
    """An effect that is used: what it costs, what it does at once, what lasts."""

    number: int  # among the card's dungeon (or village) effects, from 1, as plans name them
    id: str
    repeat: bool
    cost: tuple[ops.Cost, ...]
    instant: tuple[ops.Operation, ...]
    lasting: tuple[ops.Operation, ...]
    chooses_hero: bool  # true if a lasting operation goes to one chosen hero
    rules: tuple[str, ...]
    before_refill: bool  # true for an effect that is offered only when the hall is refilled (R6.5)


class CardSpec:
    """A card as the engine reads it; a figure the card does not carry is 0, save ``gold`` and ``vp``.

    Immutable, and equal only to itself. What follows from the figures and operations is worked out once.
    """

    def __init__(self, card: Card, effects: tuple[Effect, ...]) -> None:
        self.id = card.id
        self.kind: str = card.kind
        self.family = card.family or card.id
        self.level: int = card.level or 0
        self.types = frozenset(card.types)
        self.is_hero = card.is_hero
        self.is_monster = card.kind in ("monster", "guardian")
        besides = {"hero": self.is_hero, "monster": self.is_monster}
        self.kinds = self.types.union(kind for kind, fits in besides.items() if fits)
        self.is_weapon = "weapon" in card.types
        self.is_item = "item" in card.types
        self.is_spell = "spell" in card.types
        self.cost = card.cost or 0
        self.gold = card.gold
        self.light = card.light or 0
        self.vp = card.vp
        self.strength = card.strength or 0
        self.weight = card.weight or 0
        self.health = card.health or 0
        self.xp = card.xp or 0
        self.level_cost = card.level_cost
        self.light_penalty = card.light_penalty or 0
        self.attack = card.attack or 0
        self.magic_attack = card.magic_attack or 0
        self.passive = _operations(effects, "passive", "trophy")
        self.dungeon = _abilities(effects, IN_DUNGEON)
        self.village = _abilities(effects, IN_VILLAGE)
        self.traits = _operations(effects, "trait", "global")
        self.battle = _operations(effects, "battle")
        self.breach = _operations(effects, "breach")
        self.trap = _operations(effects, "trap")
        self.spoils = _operations(effects, "spoils")
        self.aftermath = _operations(effects, "aftermath")
        self.reveal = _operations(effects, "reveal")
        self.end_of_game = _operations(effects, "end-of-game")
        self.rules: dict[str, tuple[str, ...]] = {}  # those of its operations, by name
        for effect in effects:
            for operation in effect.do:
                self.rules.setdefault(operation.op, effect.rules)
        bonuses = [op for op in self.passive if isinstance(op, ops.Bonus)]
        self.gift = any(op.to == "chosen" for op in bonuses)  # a trophy that gives something to one hero (R8.1)
        self.usable = bool(self.dungeon) or self.gift
        self.prints_magic = bool(self.magic_attack) or any(op.stat == "magic_attack" for op in bonuses)
        instant = [op for ability in self.dungeon for op in ability.instant]
        # the Magic Attack a hero keeps unless others discard certain cards (R4.7)
        self.unopposed = sum(op.amount for op in instant if isinstance(op, ops.MagicUnlessDiscarded))
        self.many_weapons = any(op.op == "many-weapons" for op in self.passive)
        # when a hero does not attack, and whom a monster keeps from it (R5.4)
        self.idles = tuple(op for op in self.passive if isinstance(op, ops.CannotAttack))
        self.stops = tuple(trait for trait in self.traits if isinstance(trait, ops.HeroesCannotAttack))
        self.immune = frozenset(trait.to for trait in self.traits if isinstance(trait, ops.Immune))
        self.has = frozenset(trait.op for trait in self.traits)
        self.barred = "barred" in self.rules  # a monster that may not always be attacked (R5.1)
        light = 0 if self.is_monster else self.light  # a trophy's Light does not count
        rules = ("R5.7" if self.is_hero else "R4.5",)
        figures = Term("figures", self.id, self.attack, self.magic_attack, light, rules)
        self.figures = (figures,) if self.attack or self.magic_attack or light else ()
        halving = [op for op in (*self.traits, *self.battle) if isinstance(op, ops.Halve)]
        self.halves = tuple(op for op in halving if op.what == "total")  # of the total (R5.13)
        # a monster that treats Magic Attack worse than Attack, or asks which heroes have any
        bare = any(isinstance(op, ops.BattleDestroy) and op.select.bare for op in self.battle)
        self.weighs_magic = bare or "magic-attack" in self.immune or any(op.what == "magic_attack" for op in halving)
        # benefits are not mandatory (R5.1); what is printed is given against whatever target
        self.forgoable = (self.is_spell or self.is_item) and not self.is_weapon and not self.is_hero
        has_effects = self.idles if self.is_hero else self.passive or self.is_weapon or self.is_spell
        self.only_figures = not has_effects and self.kind != "disease"
        # a monster that changes what single heroes give (R5.2, R5.4, R5.5)
        gives_bonus = any(isinstance(op, ops.Bonus) for op in self.battle)
        self.meddles = bool(self.stops) or gives_bonus or "unequipped-heroes" in self.immune
        self.like_others = not self.meddles and not self.immune & {"spells", "edged"}
        """True for a target against which cards give what they give against others."""
        lasting = [op for ability in self.dungeon for op in ability.lasting]
        conditions = [when for op in (*self.passive, *lasting) if (when := getattr(op, "when", None)) is not None]
        self.asks_target = bool(self.idles) or any(when.rank or when.target for when in conditions)
        """True if what the card gives depends on which target it is, or where."""

    def matches(self, select: ops.Select) -> bool:
        """True if the card fits; ``bare`` is for the battle to judge."""
        return (
            (select.kind is None or select.kind in self.kinds)
            and (select.type is None or select.type in self.types)
            and (select.not_type is None or select.not_type not in self.types)
            and (select.level is None or select.level == self.level)
            and (select.gives is None or self.gives(select.gives))
        )

    def gives(self, figure: str) -> bool:
        """True if the card carries Light, a gold value (0 counts, R0.6), victory points or Magic Attack."""
        value = getattr(self, figure)
        return value is not None if figure == "gold" else bool(value)


class Cards(dict[str, CardSpec]):
    """All cards by id; results worked out for one table are remembered by its identity."""

    __hash__ = object.__hash__  # type: ignore[assignment]


def load_cards(database: Database, readings: Set[str] = frozenset()) -> Cards:
    """The cards that are judged, made once for all readings that name the same printings of cards (R0.1)."""
    return database.derived(_cards, frozenset(readings & database.printings.keys()))


def all_cards(database: Database) -> Cards:
    """All cards, those by their figures alone of which no file says what they do: for what is written down of a game.

    No position is judged with them but what the players say came of it.
    """
    return load_cards(database) if not database.unjudged else database.derived(_all_cards)


def _all_cards(database: Database) -> Cards:
    return Cards(load_cards(database) | {card: CardSpec(database.cards[card], ()) for card in database.unjudged})


def _cards(database: Database, printings: frozenset[str]) -> Cards:
    effects = database.all_effects
    if not printings:
        judged = ((name, card) for name, card in database.cards.items() if card.judged)
        return Cards({name: CardSpec(card, effects.get(name, ())) for name, card in judged})
    from thunderref.database.records import Printing

    cards = Cards(load_cards(database))
    for row in (database.printings[name] for name in sorted(printings)):
        printing = decode(row.record, type=Printing)
        changed = {effect.id: effect for effect in printing.effects}
        there = tuple(changed.get(effect.id, effect) for effect in effects.get(row.card, ()))
        cards[row.card] = CardSpec(replace(database.cards[row.card], **printing.figures), there)
    return cards


def _operations(effects: tuple[Effect, ...], *timings: str) -> tuple[ops.Operation, ...]:
    return tuple(operation for effect in effects if effect.timing in timings for operation in effect.do)


def _abilities(effects: tuple[Effect, ...], timings: frozenset[str]) -> tuple[Ability, ...]:
    parsed: list[Ability] = []
    for effect in effects:
        if effect.timing in timings:
            instant = tuple(operation for operation in effect.do if operation.op not in LASTING)
            lasting = tuple(operation for operation in effect.do if operation.op in LASTING)
            aimed = any(isinstance(op, ops.Bonus | ops.Convert) and op.to == "chosen" for op in lasting)
            late = any(operation.op == "take-before-refill" for operation in lasting)
            number, repeat = len(parsed) + 1, effect.timing.startswith("repeat")
            parsed.append(Ability(number, effect.id, repeat, effect.cost, instant, lasting, aimed, effect.rules, late))
    return tuple(parsed)
