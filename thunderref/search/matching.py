"""The words of names, and how a word of a query matches them: equal, inflected, abbreviated, mistyped, ..."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from thunderref.text.folding import is_cyrillic
from thunderref.text.stems import query_stems
from thunderref.text.transliteration import relax, to_cyrillic, to_latin

EXACT, STEM, PREFIX, TRANSLIT, TRANSLIT_STEM, TRANSLIT_PREFIX, FUZZY = range(7)
"""Ranks of a match of two words, best first."""

_STEM_EXTRA = 0.3
_TRANSLIT_EXTRA = 0.3
_PREFIX_EXTRA = 0.7


class WordMatch(NamedTuple):
    """How well a word of the query matches a word of a name; ``cost`` counts typing errors."""

    rank: int
    cost: float = 0.0


Matches = dict[str, WordMatch]
"""Word of a name -> how a word of the query matches it."""


class Vocabulary:
    """The words of all names in one language: ``at``, word -> the numbers of its names; ``stems``, stem -> words."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.at: dict[str, list[int]] = {}
        self.stems: dict[str, set[str]] = {}

    def add(self, number: int, words: tuple[str, ...], all_stems: str) -> None:
        """Takes in the words of a name, with their stems as in the table ``search``."""
        for word, stems in zip(words, all_stems.split(" "), strict=True):
            if word not in self.at:
                for stem in stems.split("|"):
                    self.stems.setdefault(stem, set()).add(word)
            self.at.setdefault(word, []).append(number)

    @cached_property
    def is_cyrillic(self) -> bool:
        return is_cyrillic(self.words[-1])

    @cached_property
    def words(self) -> list[str]:
        return sorted(self.at)

    @cached_property
    def relaxed(self) -> dict[str, set[str]]:
        """Relaxed spelling -> words, in the order of the spellings (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for spelling, word in sorted((relax(word), word) for word in self.words):
            found.setdefault(spelling, set()).add(word)
        return found

    @cached_property
    def relaxed_stems(self) -> dict[str, set[str]]:
        """Relaxed stem -> words (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for stem, words in self.stems.items():
            found.setdefault(relax(stem), set()).update(words)
        return found

    def matches(self, word: str, respelt: bool, mistyped: bool, alone: bool) -> Matches:
        """The words that a word of a query may mean: equal, inflected and abbreviated ones.

        ``respelt``: Cyrillic ones too that the (Latin or carelessly spelt Cyrillic) word may stand for. ``mistyped``:
        those within a few typing errors too. ``alone``: no other word confirms the match, so that short words and
        first letters must be right.
        """
        found: Matches = {}
        if not word.isdecimal():
            _add(found, beginning_with(self.words, word), PREFIX)
            for stem in query_stems(word, self.lang):
                _add(found, self.stems.get(stem, ()), STEM)
        if word in self.at:
            found[word] = WordMatch(EXACT)
        if respelt and self.is_cyrillic:
            for variant in [word] if is_cyrillic(word) else to_cyrillic(word):
                self._add_respelt(found, variant)
        if mistyped and not word.isdecimal() and len(word) >= (3 if alone else 2):
            self._add_mistyped(found, word, alone)
        return found

    def _add_respelt(self, found: Matches, variant: str) -> None:
        spelling = relax(variant)
        if len(spelling) >= 2:
            for near in beginning_with(list(self.relaxed), spelling):
                _add(found, self.relaxed[near], TRANSLIT_PREFIX)
        for stem in query_stems(variant, self.lang):
            if len(stem) >= 3 or len(variant) <= 4:
                _add(found, self.relaxed_stems.get(relax(stem), ()), TRANSLIT_STEM)
        _add(found, self.relaxed.get(spelling, ()), TRANSLIT)

    def _add_mistyped(self, found: Matches, word: str, alone: bool) -> None:
        if self.is_cyrillic == is_cyrillic(word):
            self._add_near(found, word, alone, 0.0)
            for stem in query_stems(word, self.lang) if self.lang != "en" else ():
                if len(stem) >= 4 and stem != word:
                    for near, cost in _near(stem, list(self.stems), 2 if len(stem) >= 8 else 1, alone):
                        _add(found, self.stems[near], FUZZY, cost + _STEM_EXTRA)
        elif not self.is_cyrillic:
            self._add_near(found, to_latin(word), alone, 2 * _TRANSLIT_EXTRA)
        if self.is_cyrillic:
            for variant in [word] if is_cyrillic(word) else to_cyrillic(word)[:4]:
                spelling = relax(variant)
                for near, cost in _near(spelling, list(self.relaxed), budget(len(spelling)), alone):
                    _add(found, self.relaxed[near], FUZZY, cost + _TRANSLIT_EXTRA)

    def _add_near(self, found: Matches, word: str, alone: bool, extra: float) -> None:
        for near, cost in _near(word, self.words, budget(len(word)), alone):
            _add(found, [near], FUZZY, cost + extra)
        if len(word) >= 5:
            longer = [other for other in self.words if len(other) > len(word) and other[0] == word[0]]
            for end in (len(word), len(word) + 1, len(word) - 1):
                for i, cost in edits(word, [other[:end] for other in longer], 1):
                    _add(found, [longer[i]], FUZZY, cost + _PREFIX_EXTRA + extra)


def _add(found: Matches, words: Iterable[str], rank: int, cost: float = 0.0) -> None:
    match = WordMatch(rank, cost)
    found.update({word: min(match, found.get(word, match)) for word in words})


def word_keys(word: str, respelt: bool) -> set[str]:
    """The stems of ``card_words`` that a typed word may have; ``respelt``: also if it stands for a Cyrillic one."""
    cyrillic = [word] if is_cyrillic(word) else to_cyrillic(word)[:4] if respelt else []
    found = {relax(stem) for each in cyrillic for stem in query_stems(each, "ru") if len(stem) > 2 or len(each) < 5}
    return found if is_cyrillic(word) else found.union(*(map(relax, query_stems(word, lang)) for lang in ("en", "pl")))


def beginning_with(words: list[str], prefix: str) -> list[str]:
    """The words that begin so, of a sorted list."""
    return words[bisect_left(words, prefix) : bisect_left(words, f"{prefix}\U0010ffff")]


def budget(length: int) -> int:
    """How many edits a word of that many letters may have and still be taken for a typing error."""
    return 1 if length <= 5 else 2 if length <= 8 else 3


def edits(word: str, others: list[str], limit: int) -> list[tuple[int, int]]:
    """(number in ``others``, edits) of those at most ``limit`` edits from ``word``.

    An edit inserts, deletes or replaces a letter or swaps two neighbours.
    """
    from rapidfuzz.distance import OSA  # costs more than a whole exact look-up
    from rapidfuzz.process import extract

    return [(i, n) for _, n, i in extract(word, others, scorer=OSA.distance, score_cutoff=limit, limit=None)]


def _near(word: str, others: list[str], limit: int, alone: bool) -> list[tuple[str, int]]:
    return [
        (other, cost)
        for i, cost in edits(word, others, limit)
        if len(other := others[i]) >= (3 if alone else 2) and (not alone or _begins_alike(word, other, limit))
    ]


def _begins_alike(a: str, b: str, limit: int) -> bool:
    return limit > 1 or a[0] == b[0] or a[:2] == b[1::-1] or a == b[1:] or a[1:] == b
