"""What cards are worth to one player at this point of a game, in victory points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from thunderref.thunderstone.bots.card_value import CardValue, values_of
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.scoring import holdings, points

HAND = 6


class Weights(NamedTuple):
    """What the planner's sums count, found by playing many games."""

    power: float = 0.16
    """VP for each use of a point of Attack."""
    draw: float = 1.2
    """Points of Attack for a card drawn."""
    gold: float = 0.5
    """Points of Attack for a gold at the beginning of a game; it fades as the dungeon empties."""
    light: float = 1.5
    """Points of Attack for a point of Light where it is short."""
    strength: float = 0.12
    """Points of Attack for a point of Strength."""
    place: float = 2.0
    """Points of Attack that any card costs, because it takes another one's place in the hand."""
    crowd: float = 0.0
    """The same, as a part of what the own cards give on average."""
    xp: float = 0.5
    """VP for an experience point at the beginning of a game."""
    rounds: float = 1.3
    """Rounds for a card of the dungeon, times the players."""
    rest: float = 0.7
    """How much a rest counts beside a fight or a purchase."""
    lost: float = 0.7
    """What a card lost in a battle counts beside one bought."""
    end: float = 30
    """VP for ending the game ahead (or behind, less)."""


WEIGHTS = Weights()
FULL_DUNGEON = 28
"""Cards in the dungeon deck at the beginning, nearly."""
DARK_FOR = 3
"""Rounds in which nothing changes, after which Light is wanted against a monster that may not be attacked."""
NEEDED_HEROES = 1.5
"""Heroes that a hand needs to make use of what strengthens heroes."""
NEEDED_LIGHT = 2.5
"""What a monster takes in points of Light, on average (R5.11)."""


class Outlook:
    """The player's own deck, how long the game may last, and what follows for the value of cards."""

    def __init__(self, view: View, weights: Weights = WEIGHTS) -> None:
        self.view = view
        self.weights = weights
        self.values = values = values_of(view.cards)
        players = len(view.others) + 1
        owned = view.owned
        self.size = max(len(owned), HAND)
        self.fade = min(1.0, view.dungeon_size / FULL_DUNGEON)
        self.rounds = max(1.0, view.dungeon_size * weights.rounds / players, view.still)
        self.uses = HAND * self.rounds / (self.size + 2)
        """How often a card that is bought now will be in the hand."""
        mine = [values[card] for card in owned]
        light = sum([value.light for value in mine], 0.0) * HAND / self.size
        self.light = weights.light * max(0.0, 1 - light / NEEDED_LIGHT)
        if view.still >= DARK_FOR and any(view.cards[foe.card].barred for foe in view.hall if foe.card in view.cards):
            self.light += weights.light  # Light may be what opens the way (R5.1)
        heroes = [value.strength for value in mine if value.is_hero]
        self._strengths = sorted(heroes)
        self.manned = min(1.0, len(heroes) * HAND / self.size / NEEDED_HEROES)
        """The part of the heroes needed in a hand that there is."""
        self._weapons = sum([value.is_weapon for value in mine])
        self._horde = sum([value.is_horde for value in mine])
        self._known: dict[str, float] = {}
        self.mean = sum([self.use(card) for card in owned], 0.0) / self.size
        """What a card of the own deck gives in the hand, on average."""
        self.place = weights.place + weights.crowd * self.mean
        """What a card takes by its place in the hand."""

    def use(self, card: str) -> float:
        """What a card gives in the hand, in points of Attack."""
        found = self._known.get(card)
        if found is None:
            found = self._known[card] = self._use(self.values[card])
        return found

    def _use(self, value: CardValue) -> float:
        weights = self.weights
        power = value.power
        if value.is_weapon:
            able = sum([strength >= value.weight for strength in self._strengths])
            power *= min(1.0, able / (self._weapons + 1))
        elif value.needs_hero:
            power *= self.manned
        return (
            power
            + value.light * self.light
            + value.draws * weights.draw
            + value.gold * weights.gold * self.fade
            + (value.strength * weights.strength if self._weapons else 0)
        )

    def worth(self, card: str) -> float:
        """VP to expect from owning one copy more, less what it takes from the others by its place in the hand."""
        return self.vp(card) + (self.use(card) - self.place) * self.uses * self.weights.power

    def vp(self, card: str) -> int:
        """VP that one copy more brings at the end (R7.2)."""
        value = self.values[card]
        return self._horde * 2 + 1 if value.is_horde else value.vp

    def loss(self, cards: Iterable[str]) -> float:
        """What it costs to lose these cards; less than nothing for cards that only take a place."""
        return sum([self.worth(card) for card in cards], 0.0)

    @property
    def xp(self) -> float:
        """VP for an experience point."""
        return self.weights.xp * self.fade

    def lead(self) -> int:
        """VP by which the player is ahead of the best of the others, by open information (R7.2)."""
        view = self.view
        mine = points(holdings(view.cards, view.owned), len(view.penalties))
        theirs = [points(holdings(view.cards, other.cards), len(other.penalties)) for other in view.others]
        return mine - max(theirs, default=0)

    def mean_power(self) -> float:
        """What a card drawn from the own deck, or the discard pile under it, gives on average."""
        cards = Counter(self.view.deck or self.view.discard)
        total = sum(cards.values())
        drawn = sum([max(0.0, self.values[card].power) * n for card, n in cards.items()], 0.0)
        return drawn / total if total else 0.0
