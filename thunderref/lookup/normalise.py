"""Folding of names and queries to a form in which spelling habits no longer matter."""

from __future__ import annotations

import re
import unicodedata

_SINGLE = str.maketrans({"ł": "l", "ё": "е", "й": "и", "•": " ", "–": "-", "’": "'", "ß": "ss", "ø": "o", "đ": "d"})
_NOT_WORD = re.compile(r"[^\w]+")


def fold(text: str) -> str:
    """Lower case, no diacritics, words separated by single blanks; Cyrillic stays Cyrillic."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SINGLE)
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", text.replace("_", " ")).strip()


def sort_words(folded: str) -> str:
    """The words of a folded text in alphabetical order."""
    return " ".join(sorted(folded.split()))
