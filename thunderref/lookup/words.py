"""How the words of a query match the words of names: equal, inflected, abbreviated, transliterated, mistyped."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.lookup.distance import budget, distance, letters
from thunderref.lookup.index import Lexicon, Shelf, Vocabulary
from thunderref.lookup.normalise import is_cyrillic
from thunderref.lookup.stems import query_stems
from thunderref.lookup.translit import relax, to_cyrillic, to_latin

EXACT, STEM, PREFIX, TRANSLIT, TRANSLIT_STEM, TRANSLIT_PREFIX, FUZZY = range(7)
"""Ranks of a match of two words, best first."""

_STEM_EXTRA = 0.3
_TRANSLIT_EXTRA = 0.3
_PREFIX_EXTRA = 0.7


class WordMatch(NamedTuple):
    """How well a word of the query matches a word of a name; ``cost`` counts typing errors."""

    rank: int
    cost: float


Matches = dict[str, dict[str, WordMatch]]
"""Language -> word of a name -> how a word of the query matches it."""


def plain_matches(lexicon: Lexicon, word: str) -> Matches:
    """Equal, inflected and abbreviated words."""
    found: Matches = {}
    for lang, vocabulary in lexicon.languages.items():
        here: dict[str, WordMatch] = {}
        if not word.isdigit():
            for longer in vocabulary.starting_with(word):
                here[longer] = WordMatch(PREFIX, 0.0)
            for stem in query_stems(word, lang):
                for same in vocabulary.stems.get(stem, ()):
                    here[same] = WordMatch(STEM, 0.0)
        if word in vocabulary.at:
            here[word] = WordMatch(EXACT, 0.0)
        if here:
            found[lang] = here
    return found


def cyrillic_matches(lexicon: Lexicon, word: str) -> Matches:
    """Cyrillic words the (Latin or carelessly spelt Cyrillic) word may stand for: equal, inflected, abbreviated."""
    found: Matches = {}
    variants = [word] if is_cyrillic(word) else to_cyrillic(word)
    for lang, vocabulary in _cyrillic(lexicon):
        here: dict[str, WordMatch] = {}
        for variant in variants:
            spelling = relax(variant)
            if len(spelling) >= 2:
                for longer in _starting_with(vocabulary, spelling):
                    _better(here, longer, WordMatch(TRANSLIT_PREFIX, 0.0))
            for stem in query_stems(variant, lang):
                if len(stem) >= 3 or len(variant) <= 4:
                    for same in vocabulary.relaxed_stems.get(relax(stem), ()):
                        _better(here, same, WordMatch(TRANSLIT_STEM, 0.0))
            for same in vocabulary.relaxed.get(spelling, ()):
                _better(here, same, WordMatch(TRANSLIT, 0.0))
        if here:
            found[lang] = here
    return found


def fuzzy_matches(lexicon: Lexicon, word: str, alone: bool = True) -> Matches:
    """Words within a few typing errors, inflected, abbreviated and transliterated ones included.

    ``alone``: no other word confirms the match, so that short words and first letters must be right.
    """
    found: Matches = {}
    if word.isdigit() or len(word) < (3 if alone else 2):
        return found
    cyrillic = is_cyrillic(word)
    for lang, vocabulary in lexicon.languages.items():
        if _is_cyrillic(vocabulary) != cyrillic:
            continue
        here = _fuzzy_words(vocabulary, word, alone)
        if lang in ("pl", "ru"):
            _fuzzy_stems(vocabulary, word, here, alone)
        if here:
            found[lang] = here
    for lang, vocabulary in _cyrillic(lexicon):
        here = found.setdefault(lang, {})
        for variant in [word] if is_cyrillic(word) else to_cyrillic(word)[:4]:
            spelling = relax(variant)
            limit = budget(len(spelling))
            if limit >= 1:
                for near, cost in _near(spelling, limit, vocabulary.relaxed_shelf, alone):
                    for same in vocabulary.relaxed[near]:
                        _better(here, same, WordMatch(FUZZY, cost + _TRANSLIT_EXTRA))
    if is_cyrillic(word):
        latin = to_latin(word)
        for lang, vocabulary in lexicon.languages.items():
            if not _is_cyrillic(vocabulary):
                here = found.setdefault(lang, {})
                for near, match in _fuzzy_words(vocabulary, latin, alone).items():
                    _better(here, near, WordMatch(FUZZY, match.cost + 2 * _TRANSLIT_EXTRA))
    return found


def merged(first: Matches, second: Matches) -> Matches:
    """Two sets of matches as one, the better match of each word kept."""
    result = {lang: dict(words) for lang, words in first.items()}
    for lang, words in second.items():
        here = result.setdefault(lang, {})
        for word, match in words.items():
            _better(here, word, match)
    return result


def _better(here: dict[str, WordMatch], word: str, match: WordMatch) -> None:
    old = here.get(word)
    if old is None or match < old:
        here[word] = match


def _fuzzy_words(vocabulary: Vocabulary, word: str, alone: bool) -> dict[str, WordMatch]:
    limit = budget(len(word))
    here = {near: WordMatch(FUZZY, cost) for near, cost in _near(word, limit, vocabulary.word_shelf, alone)}
    if len(word) >= 5:
        bits = letters(word)
        for length, others in vocabulary.word_shelf.items():
            if length <= len(word):
                continue
            for longer, its_bits in others:
                if longer[0] == word[0] and (bits & ~its_bits).bit_count() <= 1:
                    for end in (len(word), len(word) + 1, len(word) - 1):
                        cost = distance(word, longer[:end], 1.0)
                        if cost is not None:
                            _better(here, longer, WordMatch(FUZZY, cost + _PREFIX_EXTRA))
    return here


def _fuzzy_stems(vocabulary: Vocabulary, word: str, here: dict[str, WordMatch], alone: bool) -> None:
    for stem in query_stems(word, vocabulary.lang):
        if len(stem) < 4 or stem == word:
            continue
        limit = 2.0 if len(stem) >= 8 else 1.0
        for near, cost in _near(stem, limit, vocabulary.stem_shelf, alone):
            for same in vocabulary.stems[near]:
                _better(here, same, WordMatch(FUZZY, cost + _STEM_EXTRA))


def _near(word: str, limit: float, shelf: Shelf, alone: bool) -> list[tuple[str, float]]:
    bits = letters(word)
    most = 2 * limit + 1
    found = []
    for length in range(max(3 if alone else 2, len(word) - int(2 * limit)), len(word) + int(2 * limit) + 1):
        for other, its_bits in shelf.get(length, ()):
            if (bits ^ its_bits).bit_count() <= most and (not alone or _begins_alike(word, other, limit)):
                cost = distance(word, other, limit)
                if cost is not None:
                    found.append((other, cost))
    return found


def _begins_alike(a: str, b: str, limit: float) -> bool:
    """Typing errors seldom hit the first letter: in a short word it must be there."""
    return limit > 1 or a[0] == b[0] or a[:2] == b[1::-1] or a == b[1:] or a[1:] == b


def _is_cyrillic(vocabulary: Vocabulary) -> bool:
    return bool(vocabulary.words) and is_cyrillic(vocabulary.words[-1])


def _cyrillic(lexicon: Lexicon) -> list[tuple[str, Vocabulary]]:
    return [(lang, vocabulary) for lang, vocabulary in lexicon.languages.items() if _is_cyrillic(vocabulary)]


def _starting_with(vocabulary: Vocabulary, prefix: str) -> list[str]:
    from bisect import bisect_left

    words = vocabulary.relaxed_sorted
    i = bisect_left(words, prefix)
    found: list[str] = []
    while i < len(words) and words[i].startswith(prefix):
        found.extend(vocabulary.relaxed[words[i]])
        i += 1
    return found
