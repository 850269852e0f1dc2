"""The random generator of set-ups and games: one stream of chance for every kind of card.

A *stream* gives every kind of card its own sequence, so that asking for a fourth monster class leaves the village as
it was. What a stream draws never changes, nor does :class:`thunderref.chance.Source` behind it: no code and no saved
game names a version of it, for both hold what was drawn.
"""

from __future__ import annotations

from thunderref.chance import GAMMA, Source, stir

STREAMS = ("classes", "features", "guardians", "heroes", "village", "stones", "deal", "reshuffle", "choice")
"""The order is part of what they draw; add at the end only."""


class Generator(Source):
    """One stream of one seed.

    ``seed`` is any whole number from 0; ``stream`` a name of :data:`STREAMS`.
    """

    __slots__ = ()

    def __init__(self, seed: int, stream: str) -> None:
        super().__init__(stir(stir(seed) + (STREAMS.index(stream) + 1) * GAMMA))
