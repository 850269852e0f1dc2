"""The random generator of set-ups and games: one stream of chance for every kind of card.

A *stream* gives every kind of card its own sequence, so that asking for a fourth monster class leaves the village as
it was. The generator itself is :class:`thunderref.chance.Source`, frozen too.
"""

from __future__ import annotations

from thunderref.chance import GAMMA, Source, stir

GENERATOR_VERSION = 1
"""Never changes what it draws: another generator would be another version."""

STREAMS = ("classes", "features", "guardians", "heroes", "village", "stones", "deal", "reshuffle", "choice")
"""The order is part of the version; add at the end only."""


class Generator(Source):
    """One stream of one seed.

    ``seed`` is any whole number from 0; ``stream`` a name of :data:`STREAMS`.
    """

    __slots__ = ()

    def __init__(self, seed: int, stream: str) -> None:
        super().__init__(stir(stir(seed) + (STREAMS.index(stream) + 1) * GAMMA))
