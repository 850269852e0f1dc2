"""What cards are worth: as one reads it off them, and to one player at this point of a game, in victory points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from thunderref.database import operations as ops
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.cards import Ability, Cards, CardSpec
from thunderref.thunderstone.rules.position import DISEASE
from thunderref.thunderstone.rules.scoring import holdings, is_horde, points

HAND = 6
HERO = 3
"""How much rather they buy a hero than another card that costs and gives as much."""
WASTE, CHEAP, DEAR = 48, 12, 2
"""How likely they are to part with Disease, with a card that costs nothing, how much less with each gold it costs."""
SOMETIMES = 0.6
"""What a bonus counts that has a condition."""
SEVERAL = 1.5
"""Typical party size and typical number of counted cards, to value effects that scale with them; chosen."""
PAID = {"destroy": 0.4, "destroy-self": 0.25, "discard": 0.5}
"""What an effect counts that costs this."""
AT_ONCE = {
    "move-monster": 0.5, "take-monster": 2.0, "borrow": 1.5, "recruit": 2.0, "conjure": 2.0, "copy-hero": 1.5,
    "opponents-discard": 0.5, "wound-hall": 2.0, "magic-unless-discarded": 1.5, "custom": 1.0,
}  # fmt: skip
"""What effects that act at once are worth, in points of Attack; draws and gold count for themselves."""
LASTING = {"double": 2.5, "count-magic": 2.0, "convert": 0.5, "many-weapons": 0.5, "ignore-light-penalties": 2.0}
DISEASED = -1.5
"""Disease takes 1 off the battle and a place in the hand."""


class Weights(NamedTuple):
    """The weights of the terms of a valuation, tuned by playing many games."""

    power: float = 0.16
    """VP for each use of a point of Attack, in which the others are counted."""
    draw: float = 1.2
    gold: float = 0.5
    light: float = 1.5
    strength: float = 0.12
    """Attack for a card drawn, a gold (it fades as the dungeon empties), Light where it is short, Strength."""
    place: float = 2.0
    """Attack that any card costs, because it takes another one's place in the hand."""
    copies: float = 0.0
    """Attack that one more of a card costs for each that the player owns."""
    balance: float = 0.0
    """Attack that a weapon gains, and a hero loses, for a tenth of heroes more than usual among the own cards."""
    vp: float = 1.0
    """VP for one printed on a card or a monster."""
    xp: float = 0.5
    """VP for an experience point at the beginning of a game."""
    lost: float = 0.7
    """What a card lost in a battle counts beside one bought."""
    rested: float = 0.7
    """How much a rest counts beside a fight or a purchase."""
    cards: Mapping[str, float] = MappingProxyType({})
    """Attack that single cards are worth besides."""


ROUNDS = 1.3
"""Rounds for a card of the dungeon, times the players."""
END_AHEAD = 30.0
"""VP for ending the game ahead (or behind, less)."""
FULL_DUNGEON = 28
"""Cards in the dungeon deck at the beginning, nearly."""
DARK_FOR = 3
"""Rounds in which nothing changes, after which Light is wanted against a monster that may not be attacked."""
HEROES = 0.4
"""The usual part of heroes among a player's cards."""
NEEDED_HEROES = 1.5
"""Heroes that a hand needs to make use of what strengthens heroes."""
NEEDED_LIGHT = 2.5
"""What a monster takes in points of Light, on average (R5.11)."""


@dataclass
class CardValue:
    """Figures of a card, in points of Attack (``power``) and of Light, cards (``draws``) and gold.

    ``free_draws`` and ``paid_draws`` are the cards that its effects in the dungeon draw. ``slack`` is what it may add
    there by effects that cost something or are for one hero, ``at_once`` by those that act at once; ``lifts`` is
    Strength for one hero.

    What it gives at a glance, without anything conditional, is whole: ``attack``, ``magic``, ``sure_light``
    and ``reach``, a hero's Strength or a weapon's weight. ``demand`` is how likely the card is bought
    by such a glance, ``lost`` how likely it is parted with.
    """

    spec: CardSpec
    is_horde: bool
    power: float
    light: float
    gold: float
    draws: float = 0
    needs_hero: bool = False
    """True for what only adds to heroes: food, spells that strengthen them."""
    free_draws: int = 0
    paid_draws: int = 0
    slack: float = 0
    at_once: float = 0
    lifts: int = 0
    attack: int = 0
    magic: int = 0
    sure_light: int = 0
    reach: int = 0
    demand: int = 0
    lost: int = 0


@lru_cache(maxsize=8)
def values_of(cards: Cards) -> dict[str, CardValue]:
    return {spec.id: _value_of(cards, spec) for spec in cards.values()}


def _value_of(cards: Cards, spec: CardSpec) -> CardValue:
    light = 0 if spec.is_monster else spec.light
    value = CardValue(spec, is_horde(cards, spec.id), spec.attack + spec.magic_attack, light, spec.gold or 0)
    if spec.kind == "disease":
        value.power = DISEASED
    for operation in spec.passive:
        _add_lasting(value, spec, operation, 1)
    for ability in spec.dungeon:
        _add_dungeon(value, spec, ability)
    bonuses = [op for ability in spec.dungeon for op in ability.lasting if isinstance(op, ops.Bonus)]
    value.needs_hero = not spec.is_hero and any(bonus.to != "self" for bonus in bonuses)
    for ability in spec.village:
        share = _share(ability)
        for operation in ability.instant:
            _add_visit(value, operation, share)
    _add_glance(value, spec)
    return value


def _add_glance(value: CardValue, spec: CardSpec) -> None:
    amounts = {
        "attack": spec.attack, "magic_attack": spec.magic_attack, "light": 0 if spec.is_monster else spec.light,
        "strength": spec.weight if spec.is_weapon else spec.strength,
    }  # fmt: skip
    for operation in spec.passive:
        if isinstance(operation, ops.Bonus) and operation.when is None:
            amounts[operation.stat] += operation.amount
    value.attack, value.magic, value.sure_light, value.reach = amounts.values()
    gives = max(0, value.attack + value.magic + value.sure_light)
    value.demand = ((1 + spec.cost) * (1 + 2 * gives)) ** 2 * (HERO if spec.is_hero else 1)
    value.lost = WASTE if spec.id == DISEASE else max(1, CHEAP - DEAR * spec.cost)


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


PLAIN = Weights()


class Valuation:
    """The player's own deck, how long the game may last, and what follows for the value of cards."""

    def __init__(self, view: View, weights: Weights = PLAIN) -> None:
        self.view = view
        self.weights = weights
        self.values = values = values_of(view.cards)
        players = len(view.others) + 1
        owned = view.owned
        self.size = max(len(owned), HAND)
        left = self._monsters_left()
        self.fade = min(1.0, left / FULL_DUNGEON)
        self.rounds = max(1.0, left * ROUNDS / players, view.still)
        self.uses = HAND * self.rounds / (self.size + 2)
        """How often a card that is bought now will be in the hand."""
        self.point = self.uses * weights.power
        """VP for a point of Attack on such a card."""
        mine = [values[card] for card in owned]
        light = sum([value.light for value in mine], 0.0) * HAND / self.size
        self.light = weights.light * max(0.0, 1 - light / NEEDED_LIGHT)
        if view.still >= DARK_FOR and any(view.cards[foe.card].barred for foe in view.hall if foe.card in view.cards):
            self.light += weights.light  # Light may be what opens the way (R5.1)
        heroes = [value.spec.strength for value in mine if value.spec.is_hero]
        self._strengths = sorted(heroes)
        self.manned = min(1.0, len(heroes) * HAND / self.size / NEEDED_HEROES)
        """The part of the heroes needed in a hand that there is."""
        self.heroes = 10 * (len(heroes) / max(1, len(owned)) - HEROES)
        """Tenths of heroes among the own cards beyond the usual part."""
        self._weapons = sum([value.spec.is_weapon for value in mine])
        self._horde = sum([value.is_horde for value in mine])
        self._known: dict[str, float] = {}

    def _monsters_left(self) -> int:
        """How many cards must leave the dungeon before the game ends: those ahead of the last Thunderstone (R7.1)."""
        view, cards = self.view, self.view.cards
        kinds = [cards[foe.card].kind if foe.card in cards else "" for foe in view.hall]
        ranks = [place for place, kind in enumerate(kinds) if kind == "thunderstone"]
        return ranks[-1] if ranks and len(ranks) == view.stones else view.dungeon_size

    def use(self, card: str) -> float:
        """The value of a card in the hand, in points of Attack."""
        if card not in self._known:
            self._known[card] = self._use(self.values[card])
        return self._known[card]

    def _use(self, value: CardValue) -> float:
        power = value.power
        if value.spec.is_weapon:
            able = sum([strength >= value.spec.weight for strength in self._strengths])
            power *= min(1.0, able / (self._weapons + 1))
        elif value.needs_hero:
            power *= self.manned
        return (
            power
            + value.light * self.light
            + value.draws * self.weights.draw
            + value.gold * self.weights.gold * self.fade
            + (value.spec.strength * self.weights.strength if self._weapons else 0)
        )

    def worth(self, card: str) -> float:
        """VP to expect from owning one copy more, less what it takes from the others by its place in the hand."""
        weights = self.weights
        use = self.use(card) - weights.place + weights.cards.get(card, 0)
        if weights.copies:
            use -= weights.copies * self.view.owned.count(card)
        if weights.balance:
            spec = self.values[card].spec
            use += weights.balance * self.heroes * (spec.is_weapon - spec.is_hero)
        return self.vp(card) * weights.vp + use * self.point

    def vp(self, card: str) -> int:
        """VP that one copy more brings at the end (R7.2)."""
        value = self.values[card]
        return self._horde * 2 + 1 if value.is_horde else value.spec.vp or 0

    def loss(self, cards: Iterable[str]) -> float:
        """The cost of losing these cards; negative for cards that only take a place.

        No card of the hand is better lost than Disease, however many of it there are.
        """
        worth, hand = self.worth, (DISEASE, *self.view.hand)
        return sum([min(map(worth, hand)) if card == DISEASE else worth(card) for card in cards], 0.0)

    @property
    def xp(self) -> float:
        """VP for an experience point."""
        return self.weights.xp * self.fade

    def lead(self) -> int | None:
        """VP by which the player is ahead of the best of the others (R7.2), None if their cards are only assumed."""
        view = self.view
        if not view.knows_others:
            return None
        mine = points(holdings(view.cards, view.owned), len(view.penalties))
        theirs = [points(holdings(view.cards, other.cards), len(other.penalties)) for other in view.others]
        return mine - max(theirs, default=0)

    def mean_power(self) -> float:
        """The average power of a card drawn from the own deck, or the discard pile under it."""
        cards = Counter(self.view.deck or self.view.discard)
        total = sum(cards.values())
        drawn = sum([max(0.0, self.values[card].power) * n for card, n in cards.items()], 0.0)
        return drawn / total if total else 0.0
