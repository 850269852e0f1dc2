"""What a card is good for, as one reads it off the card: power, Light, draws, gold, Strength."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from thunderref.database import operations as ops
from thunderref.thunderstone.rules.cards import Ability, Cards, CardSpec
from thunderref.thunderstone.rules.scoring import is_horde

SOMETIMES = 0.6
"""What a bonus counts that has a condition."""
SEVERAL = 1.5
"""To how many heroes a bonus for all of them goes, and how many cards are counted where cards are counted."""
PAID = {"destroy": 0.4, "destroy-self": 0.25, "discard": 0.5}
"""What an effect counts that costs this."""
AT_ONCE = {
    "move-monster": 0.5, "take-monster": 2.0, "borrow": 1.5, "recruit": 2.0, "conjure": 2.0, "copy-hero": 1.5,
    "opponents-discard": 0.5, "wound-hall": 2.0, "magic-unless-discarded": 1.5, "custom": 1.0,
}  # fmt: skip
"""What effects that act at once are worth, in points of Attack; draws and gold count for themselves."""
LASTING = {
    "double": 2.5,
    "count-magic": 2.0,
    "convert": 0.5,
    "many-weapons": 0.5,
    "ignore-light-penalties": 2.0,
}
DISEASED = -1.5
"""Disease takes 1 off the battle and a place in the hand."""


@dataclass
class CardValue:
    """Figures of a card, in points of Attack (``power``), cards (``draws``) and as printed.

    ``light`` is in points of Light; ``weight`` is that of a weapon, ``strength`` that of a hero. ``free_draws`` and
    ``paid_draws`` are the cards that its effects in the dungeon draw. ``slack`` is what it may add there by effects
    that cost something or are for one hero, ``at_once`` by those that act at once; ``lifts`` is Strength for one hero.
    """

    power: float = 0
    light: float = 0
    draws: float = 0
    gold: float = 0
    strength: int = 0
    weight: int = 0
    vp: int = 0
    is_hero: bool = False
    is_weapon: bool = False
    is_horde: bool = False
    needs_hero: bool = False
    """True for what only adds to heroes: food, spells that strengthen them."""
    free_draws: int = 0
    paid_draws: int = 0
    slack: float = 0
    at_once: float = 0
    lifts: int = 0


@lru_cache(maxsize=8)
def values_of(cards: Cards) -> dict[str, CardValue]:
    return {spec.id: _value_of(cards, spec) for spec in cards.values()}


def _value_of(cards: Cards, spec: CardSpec) -> CardValue:
    value = CardValue(
        power=spec.attack + spec.magic_attack,
        light=0 if spec.is_monster else spec.light,
        gold=spec.gold or 0,
        strength=spec.strength,
        weight=spec.weight,
        vp=spec.vp or 0,
        is_hero=spec.is_hero,
        is_weapon=spec.is_weapon,
        is_horde=is_horde(cards, spec.id),
    )
    if spec.kind == "disease":
        value.power = DISEASED
    for operation in spec.passive:
        _add_lasting(value, spec, operation, 1)
    for ability in spec.dungeon:
        _add_dungeon(value, spec, ability)
    given = [op for ability in spec.dungeon for op in ability.lasting if isinstance(op, ops.Bonus)]
    value.needs_hero = not spec.is_hero and any(bonus.to != "self" for bonus in given)
    for ability in spec.village:
        share = _share(ability)
        for operation in ability.instant:
            _add_visit(value, operation, share)
    return value


def _share(ability: Ability) -> float:
    return min([PAID[cost.op] for cost in ability.cost], default=1.0)


def _add_dungeon(value: CardValue, spec: CardSpec, ability: Ability) -> None:
    share = _share(ability)
    for operation in ability.lasting:
        before = value.power + 2 * value.light
        _add_lasting(value, spec, operation, share)
        if ability.cost or ability.chooses_hero:
            value.slack += (value.power + 2 * value.light - before) / share
        if isinstance(operation, ops.Bonus) and operation.stat == "strength":
            value.lifts += operation.amount
    for operation in ability.instant:
        if isinstance(operation, ops.Draw):
            value.draws += operation.amount * share
            if ability.cost:
                value.paid_draws += operation.amount
            else:
                value.free_draws += operation.amount
        else:
            value.power += AT_ONCE.get(operation.op, 0) * share
            value.at_once += AT_ONCE.get(operation.op, 0)


def _add_lasting(value: CardValue, spec: CardSpec, operation: ops.Operation, share: float) -> None:
    if isinstance(operation, ops.Bonus):
        amount = operation.amount * share
        if operation.when is not None:
            amount *= SOMETIMES
        if operation.per is not None or operation.to in ("heroes", "other-heroes"):
            amount *= SEVERAL
        if operation.stat == "light":
            value.light += amount
        elif operation.stat == "strength":
            value.power += 0.2 * amount
        else:
            value.power += amount
    elif isinstance(operation, ops.Instead):
        value.power += SOMETIMES * (operation.amount - spec.attack)
    elif operation.op == "gain-on-equip":
        value.power += DISEASED
    else:
        value.power += LASTING.get(operation.op, 0) * share


def _add_visit(value: CardValue, operation: ops.Operation, share: float) -> None:
    if isinstance(operation, ops.Gold | ops.GoldPerPlayer):
        several = SEVERAL if isinstance(operation, ops.GoldPerPlayer) or operation.per is not None else 1
        value.gold += operation.amount * several * share
    elif isinstance(operation, ops.Draw):
        value.draws += operation.amount * share * 0.7
    elif isinstance(operation, ops.GainXp):
        value.power += operation.amount * share
    elif isinstance(operation, ops.ExtraBuy):
        value.gold += share
