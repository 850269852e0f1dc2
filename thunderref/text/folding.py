"""Folds names and queries so that spelling habits no longer matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_SINGLE = str.maketrans({"ł": "l", "ё": "е", "й": "и", "•": " ", "–": "-", "’": "'", "ß": "ss", "ø": "o", "đ": "d"})
_NOT_WORD = re.compile(r"[^\w]+")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)['’ʹʼ`´](?=\w)")
_WORD_AND_NUMBER = re.compile(r"^([^\W\d]+)(\d+)$")


def fold(text: str) -> str:
    """Lower case, no diacritics, words separated by single blanks; Cyrillic stays Cyrillic."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SINGLE)
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", text.replace("_", " ")).strip()


def sort_words(folded: str) -> str:
    return " ".join(sorted(folded.split()))


def join_words(folded: str) -> str:
    """A folded text without its blanks: “short sword” and “shortsword” are the same."""
    return folded.replace(" ", "")


_FILLERS = frozenset(["the", "of", "a", "an", "z", "i", "и", "из"])


def weighty(words: Sequence[str]) -> list[str]:
    """The folded words without the small ones, for a name is complete without them."""
    return [word for word in words if word not in _FILLERS]


_LATIN = "aceopxyktmhb"
_CYRILLIC = "асеорхуктмнв"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)


def is_cyrillic(word: str) -> bool:
    return any("\u0400" <= c <= "\u04ff" for c in word)


def _one_script(word: str) -> str:
    """A word that mixes look-alike letters of two scripts, in the script of most of its letters."""
    cyrillic = sum("\u0400" <= c <= "\u04ff" for c in word)
    latin = sum("a" <= c <= "z" for c in word)
    if not cyrillic or not latin:
        return word
    return word.translate(_TO_CYRILLIC if cyrillic >= latin else _TO_LATIN)


_SCHOLARLY = str.maketrans({"č": "ch", "š": "sh", "ž": "zh", "Č": "ch", "Š": "sh", "Ž": "zh"})


def fold_query(text: str) -> str:
    """Folds typed text: as :func:`fold`, apostrophes inside words dropped, each word in one script."""
    words: list[str] = []
    text = text.encode("utf-8", "replace").decode().translate(_SCHOLARLY)
    for word in fold(_INNER_APOSTROPHE.sub("", text)).split():
        one = _one_script(word)
        number = _WORD_AND_NUMBER.match(one)
        words.extend(number.groups() if number and len(number[1]) > 1 else (one,))
    return " ".join(words)
