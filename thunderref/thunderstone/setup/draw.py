"""The space of all set-ups that fit a request: whether it is empty, draws from it, and how likely each card is.

Without wishes that join several cards the kinds of cards are drawn apart, by the printed procedure. With them (see
:mod:`~thunderref.thunderstone.setup.counted`) every set-up that meets them stays as likely as the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from thunderref.rng import SplitMix64, open_stream
from thunderref.thunderstone.setup.balance import Needs
from thunderref.thunderstone.setup.counted import Chances, Counted, Drawn, Quota
from thunderref.thunderstone.setup.features import Weighted, draw_features, feature_chances, in_order

DRAWN_APART = ("classes", "heroes", "village")
"""The kinds that are drawn apart, each from the stream of its name."""


@dataclass(frozen=True)
class Slots:
    """Cards of one kind: how many to draw from ``pool`` (in its order), the ``given`` ones included."""

    count: int
    pool: tuple[str, ...]
    given: frozenset[str] = frozenset()

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(card for card in self.pool if card not in self.given)

    @property
    def possible(self) -> bool:
        return self.given <= set(self.pool) and len(self.given) <= self.count <= len(self.pool)

    def draw(self, random: SplitMix64) -> tuple[str, ...]:
        return in_order({*self.given, *random.sample(self.open, self.count - len(self.given))}, self.pool)

    def chances(self) -> dict[str, Fraction]:
        cards = self.open
        chance = Fraction(self.count - len(self.given), len(cards)) if cards else Fraction(0)
        return {card: Fraction(1) if card in self.given else chance for card in self.pool}

    def hands(self) -> Iterator[tuple[str, ...]]:
        """Every selection, each in the order of drawing: the given cards first."""
        given = in_order(self.given, self.pool)
        return (given + rest for rest in combinations(self.open, self.count - len(given)))


@dataclass(frozen=True)
class Space:
    """All fitting set-ups: ``features`` are the fitting outcomes, ``needs`` is None without ``balanced``."""

    classes: Slots
    features: Weighted
    heroes: Slots
    village: Slots
    needs: Needs | None = None
    quotas: tuple[Quota, ...] = ()

    @property
    def drawn_apart(self) -> dict[str, Slots]:
        return {kind: getattr(self, kind) for kind in DRAWN_APART}

    @property
    def possible(self) -> bool:
        slots = all(slots.possible for slots in self.drawn_apart.values())
        return slots and bool(self.features) and (self.counted is None or self.counted.total > 0)

    def draw(self, seed: int) -> Drawn:
        """The set-up of a seed; ValueError if the space is empty."""
        if self.counted is not None:
            return self.counted.draw(seed)
        cards = {kind: slots.draw(open_stream(seed, kind)) for kind, slots in self.drawn_apart.items()}
        return Drawn(features=draw_features(self.features, seed), **cards)

    def chances(self) -> Chances:
        if self.counted is not None:
            return self.counted.chances()
        chances = {kind: slots.chances() for kind, slots in self.drawn_apart.items()}
        return chances | {"features": feature_chances(self.features)}

    @cached_property
    def counted(self) -> Counted | None:
        if self.needs is None and not self.quotas:
            return None
        return Counted(self.drawn_apart, self.features, self.needs, self.quotas)
