"""What is counted in a question to find what players asked before: its words, pairs of neighbours, three letters.

Stems find the same word in another form, pairs tell "hold two" from "two hold", letters find a mistyped word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import log, sqrt
from typing import NamedTuple

from thunderref.text.folding import CACHED_WORDS, fold_query
from thunderref.text.stems import stem_of

MOST_WORDS = 40
"""The most words of a question that are read."""
STEPS = 12.0
"""How many steps a logarithm of 1 has; a weight is kept as a whole number of them, in a byte."""
STEM, PAIR, LETTERS = "s", "p", "l"
"""Sign that a feature of a kind begins with."""


class Feature(NamedTuple):
    """A feature, and the word of the question it begins in, by number."""

    name: str
    word: int


def features_of(text: str, lang: str) -> list[Feature]:
    """Return the features of a text as a language has them."""
    words = fold_query(text).split()[:MOST_WORDS]
    analysed = [_of_word(word, lang) for word in words]
    stems = [stem for stem, _ in analysed]
    features = [Feature(name, i) for i, (stem, letters) in enumerate(analysed) for name in (STEM + stem, *letters)]
    neighbours = zip(["^", *stems], [*stems, "$"], strict=True)
    return features + [Feature(f"{PAIR}{one} {other}", max(0, i - 1)) for i, (one, other) in enumerate(neighbours)]


@lru_cache(CACHED_WORDS)
def _of_word(word: str, lang: str) -> tuple[str, tuple[str, ...]]:
    """Return the stem of a word, and the features that are three of its letters or of its edge."""
    spaced = f" {word} "
    return stem_of(word, lang), tuple(LETTERS + spaced[start : start + 3] for start in range(len(word)))


def rarity(holders: int, texts: int) -> float:
    """Return how much a feature says which ``holders`` of the texts have: the fewer, the more (inverse frequency)."""
    return log((1 + texts) / (1 + holders)) + 1


def weigh(counts: Counter[str], rarities: dict[str, float]) -> dict[str, float]:
    """Return the weight of each known feature of a text: how often (damped) times how rare; of length 1 in all."""
    weights = {name: (1 + log(n)) * rarities[name] for name, n in counts.items() if name in rarities}
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {name: weight / length for name, weight in weights.items()}


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Return ascending numbers as the gaps between them, each a character in UTF-8: small gaps take one byte."""
    return "".join(chr(number - before) for before, number in pairwise((0, *numbers))).encode()


def unpack_numbers(packed: bytes) -> Iterator[int]:
    """Yield the numbers that :func:`pack_numbers` packed."""
    return accumulate(map(ord, packed.decode()))
