"""The only source of chance: small, documented and frozen, so that a seed draws the same cards for ever.

SplitMix64 (Steele, Lea, Flood 2014): the state is a 64-bit number that grows by GAMMA at every step; the output is the
state stirred by two multiplications and three shifts, all modulo 2**64. It passes BigCrush, needs no tables and is the
same ten lines in any language. Python's own ``random`` is not used: its methods have changed between versions.

Bounded numbers are drawn by rejection, so all are equally likely. What a stream draws never changes, nor does the
generator behind it: no code and no saved game names a version of it, because both hold what was drawn.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")

SPAN = 2**64
MASK = SPAN - 1
GAMMA = 0x9E3779B97F4A7C15
STREAMS = (
    "classes", "features", "guardians", "heroes", "village", "stones", "deal", "reshuffle", "choice", "games",
    "boxes",
)  # fmt: skip
"""Each kind of card has its own sequence, so that a fourth monster class leaves the village as it was.

The order decides what they draw; add at the end only.
"""


def stir(value: int) -> int:
    """The output function of SplitMix64: a bijection of the 64-bit numbers."""
    value &= MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


class SplitMix64:
    """One sequence of numbers from ``state``, any whole number (:func:`stir` it, so that near ones differ)."""

    __slots__ = ("_state",)

    def __init__(self, state: int) -> None:
        self._state = state & MASK

    def word(self) -> int:
        self._state = value = (self._state + GAMMA) & MASK
        # stir(value), written out: every draw of every game needs it
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
        return value ^ (value >> 31)

    def fraction(self) -> float:
        """A number from 0 to below 1: the top 53 bits of the next word, as many as a float holds."""
        return (self.word() >> 11) * 2.0**-53

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, each equally likely; ``bound`` may be of any size.

        Top words that would make low numbers likelier are thrown away; more than half of all words stay, so on average
        fewer than two are drawn.
        """
        if bound <= 0:
            raise ValueError("there is nothing to draw from")
        if bound <= SPAN:  # one word is enough for most draws
            limit = SPAN - SPAN % bound
            while (value := self.word()) >= limit:
                pass
            return value % bound
        words = -(-(bound - 1).bit_length() // 64)
        span = 1 << (64 * words)
        limit = span - span % bound
        while (value := reduce(lambda high, _: (high << 64) | self.word(), range(words), 0)) >= limit:
            pass
        return value % bound

    def sample(self, pool: Sequence[T], count: int) -> list[T]:
        """``count`` different members of ``pool``, every selection equally likely (a shuffle cut short)."""
        cards = list(pool)
        if count > len(cards):
            raise ValueError("there are not enough to draw")
        for i in range(count):
            j = i + self.below(len(cards) - i)
            cards[i], cards[j] = cards[j], cards[i]
        return cards[:count]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index drawn in proportion to its whole-number weight."""
        sums = [*accumulate(weights)]
        return bisect_right(sums, self.below(sums[-1]))


def open_stream(seed: int, name: str) -> SplitMix64:
    """The stream of this name (of :data:`STREAMS`) for a seed, any whole number from 0."""
    return SplitMix64(stir(stir(seed) + (STREAMS.index(name) + 1) * GAMMA))
