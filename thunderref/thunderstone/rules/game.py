"""What stays the same while a game is played: the cards, the rules in force, and what was worked out on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.variants import VARIANTS, Normal

if TYPE_CHECKING:
    from thunderref.thunderstone.rules.choices import Buy, Choice
    from thunderref.thunderstone.rules.party import Party
    from thunderref.thunderstone.rules.position import Position


class Ruleset(NamedTuple):
    """Where the rulesets part."""

    disease_rule: str
    any_loss: bool
    """True if Disease may always be taken off either sum, at 0 or less too (R5.6y)."""
    weak_heroes_die: bool
    """True if every hero whose Strength is 0 or less in a battle is destroyed (R6.9y)."""


RULESETS = {
    "print": Ruleset("R5.6", any_loss=False, weak_heroes_die=False),
    "yucata": Ruleset("R5.6y", any_loss=True, weak_heroes_die=True),
}


class Game:
    """The cards, the ruleset and the variant in force, the village's cards (None if unknown), the number of players.

    ``readings`` names the open questions answered the other way than by default. ``last_party``, ``last_choices``,
    ``sales`` and ``purchases`` keep answers, because the same question often comes again; these depend only on the
    position asked about, so they are never out of date.
    """

    def __init__(
        self,
        cards: Cards,
        ruleset: str = "print",
        village: tuple[str, ...] | None = None,
        players: int = 2,
        variant: str = "normal",
        level: str = "",
        readings: Iterable[str] = (),
    ) -> None:
        self.cards = cards
        self.ruleset = ruleset
        self.village = village
        self.players = players
        self.readings = frozenset(readings)
        self.rules = RULESETS[ruleset]
        self.variant: Normal = VARIANTS.get(variant, Normal)(level)
        self.last_party: Party | None = None
        self.last_choices: tuple[Position | None, tuple[Choice, ...]] = (None, ())
        self.sales: dict[tuple[tuple[str, ...], int], tuple[str, ...]] = {}
        self.purchases: dict[tuple[str, ...], tuple[tuple[int, Buy], ...]] = {}

    def changed(self, **changes: Any) -> Game:
        """The same game with other cards, another village, or other open questions answered the other way."""
        same = {name: getattr(self, name) for name in ("cards", "ruleset", "village", "players", "readings")}
        return Game(**{**same, "variant": self.variant.name, "level": self.variant.level, **changes})
