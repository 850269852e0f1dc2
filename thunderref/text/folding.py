"""Folds names and queries so that spelling habits no longer matter, nor alphabets and keyboards.

A Latin word becomes the Cyrillic words it may stand for, transliterated in any way; these are compared with the
Cyrillic names after :func:`relax`, which removes the differences between transliterations.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product

CACHED_WORDS = 1 << 15
"""Different words that the caches remember: more than all texts and questions have."""
_SINGLE = str.maketrans(
    {"ł": "l", "ё": "е", "й": "и", "•": " ", "–": "-", "’": "'", "ß": "ss", "ø": "o", "đ": "d", "\xad": ""}
)
_NOT_WORD = re.compile(r"[^\w]+")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)['’ʹʼ`´](?=\w)")
_WORD_AND_NUMBER = re.compile(r"^([^\W\d]+)(\d+)$")


class _Bare(dict[int, int | None]):
    """Table for ``translate`` that leaves out the signs that only mark a letter."""

    def __missing__(self, sign: int) -> int | None:
        self[sign] = None if unicodedata.combining(chr(sign)) else sign
        return self[sign]


_BARE = _Bare()


def fold(text: str) -> str:
    """Lower case, no diacritics, words separated by single blanks; Cyrillic stays Cyrillic."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SINGLE)
    text = unicodedata.normalize("NFD", text).translate(_BARE)
    return _NOT_WORD.sub(" ", text.replace("_", " ")).strip()


def sort_words(folded: str) -> str:
    return " ".join(sorted(folded.split()))


def join_words(folded: str) -> str:
    """A folded text without its blanks: “short sword” and “shortsword” are the same."""
    return folded.replace(" ", "")


FILLERS = set[str]()
"""The small words of all languages that a name is complete without, as the glossaries tell them."""


def weighty(words: Sequence[str]) -> list[str]:
    """The folded words without the small ones, for a name is complete without them."""
    return [word for word in words if word not in FILLERS]


_LATIN = "aceopxyktmhb"
_CYRILLIC = "асеорхуктмнв"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)


def is_cyrillic(word: str) -> bool:
    return any("\u0400" <= c <= "\u04ff" for c in word)


@lru_cache(CACHED_WORDS)
def _one_script(word: str) -> str:
    """A word that mixes look-alike letters of two scripts, in the script of most of its letters."""
    cyrillic = sum("\u0400" <= c <= "\u04ff" for c in word)
    latin = sum("a" <= c <= "z" for c in word)
    if not cyrillic or not latin:
        return word
    return word.translate(_TO_CYRILLIC if cyrillic >= latin else _TO_LATIN)


_SCHOLARLY = str.maketrans({"č": "ch", "š": "sh", "ž": "zh", "Č": "ch", "Š": "sh", "Ž": "zh"})


@lru_cache(CACHED_WORDS)
def fold_query(text: str) -> str:
    """Folds typed text: as :func:`fold`, apostrophes inside words dropped, each word in one script."""
    words: list[str] = []
    text = text.encode("utf-8", "replace").decode().translate(_SCHOLARLY)
    for word in fold(_INNER_APOSTROPHE.sub("", text)).split():
        one = _one_script(word)
        number = _WORD_AND_NUMBER.match(one)
        words.extend(number.groups() if number and len(number[1]) > 1 else (one,))
    return " ".join(words)


_GROUPS = (
    "schtsch:щ shch:щ szcz:щ stsch:щ sch:щ/сх shh:щ tsch:ч tch:ч sh:ш sz:ш rzh:рж zh:ж rz:рз/ж ch:ч/х cz:ч/ц kh:х ck:к "
    "ts:ц/тс tz:ц th:т ph:ф dzh:дж yo:е/ио jo:е/ио io:ио/е ye:е je:е ie:ие/е yu:ю ju:ю iu:ю ya:я ja:я ia:я ee:и oo:у "
    "yj:ии ij:ии yy:ии iy:ии yi:ии ii:ии a:а b:б c:ц/к/ч d:д e:е f:ф g:г h:х i:и j:и/ж k:к l:л m:м n:н o:о p:п q:к "
    "r:р s:с t:т u:у v:в w:в x:кс/х y:и z:з 4:ч 6:ш"
)
"""Latin letters -> the Cyrillic ones they may stand for, likeliest first."""
_BY_TEXT = {latin: tuple(letters.split("/")) for latin, _, letters in (g.partition(":") for g in _GROUPS.split())}
_TOKEN = re.compile("|".join(sorted(_BY_TEXT, key=len, reverse=True)))
_MAX_VARIANTS = 12

_RELAX = str.maketrans({"ы": "и", "э": "е", "ё": "е", "й": "и", "щ": "ш", "ю": "у", "я": "а", "ь": "", "ъ": ""})
_REPEATED = re.compile(r"([а-я])\1+")

_IN_LATIN = str.maketrans({
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "к": "k", "л": "l",
    "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h", "ц": "c",
    "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "u", "я": "a",
})  # fmt: skip

_LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_CYRILLIC_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё"
_LAYOUT_TO_CYRILLIC = str.maketrans(_LATIN_KEYS + '{}:"<>~', _CYRILLIC_KEYS + "хъжэбюё")
_LAYOUT_IN_LATIN = str.maketrans(_CYRILLIC_KEYS, _LATIN_KEYS)


def word_values(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield (folded word, value) of messages such as ``kill kills: destroy; draw: draw``; a value may be missing."""
    for words, _, value in (entry.partition(":") for text in texts for entry in text.split(";")):
        yield from ((word, value.strip()) for word in fold_query(words).split())


def to_cyrillic(word: str) -> list[str]:
    """The Cyrillic words a folded Latin word may stand for, likeliest first; none if it has other signs."""
    pieces = _TOKEN.findall(word)
    if "".join(pieces) != word or word.isdecimal():
        return []
    options = [_BY_TEXT[piece] for piece in pieces]
    free = 1
    for i, option in enumerate(options):
        if free * len(option) > _MAX_VARIANTS:
            options[i] = option[:1]
        free *= len(options[i])
    return ["".join(letters) for letters in product(*options)]


def to_latin(text: str) -> str:
    return text.translate(_IN_LATIN)


def relax(word: str) -> str:
    """A Cyrillic word without the distinctions that transliterations (and hasty writers) do not make.

    A word of one letter, again and again, stays: short, it would be a name's preposition.
    """
    plain = word.translate(_RELAX)
    short = _REPEATED.sub(r"\1", plain)
    return short if len(short) > 1 else plain


def other_layout(text: str) -> str:
    """The same keys on the other keyboard, QWERTY for ЙЦУКЕН and the reverse."""
    text = text.casefold()
    return text.translate(_LAYOUT_IN_LATIN if is_cyrillic(text) else _LAYOUT_TO_CYRILLIC)
