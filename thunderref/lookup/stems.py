"""Word endings of English, Polish and Russian, tolerant rather than exact.

A word of a name has a few stems (of its base form), a word of a query has many (it may stand in any case or number).
They are the same word if they share a stem. Everything works on folded words, see :mod:`.normalise`: no diacritics,
``й`` is ``и``, ``ё`` is ``е``.
"""

from __future__ import annotations

import re

_POLISH_ENDINGS = (
    "owie", "iami", "iach", "iego", "iemu", "ami", "ach", "ego", "emu", "owi", "ymi", "imi", "iom", "iow", "iem",
    "iej", "ych", "ich", "om", "ow", "em", "ym", "im", "ej", "ia", "ie", "iu", "ii",
    "a", "e", "i", "o", "u", "y", "",
)  # fmt: skip
_RUSSIAN_ENDINGS = (
    "иями", "ями", "ами", "ьями", "ого", "его", "ому", "ему", "ыми", "ими", "ыи", "ии", "ои", "еи", "ею", "ою", "ая",
    "яя", "ое", "ее", "ые", "ие", "ую", "юю", "ых", "их", "ым", "им", "ов", "ев", "ом", "ем", "ам", "ям", "ах", "ях",
    "ья", "ью", "ье", "ьев", "ьи", "иям", "иях", "ией", "а", "я", "у", "ю", "е", "и", "ы", "о", "ь", "",
)  # fmt: skip
_TAILS = (
    ("rz", ("r",)), ("dz", ("d", "g")), ("sz", ("ch", "s")), ("cz", ("k",)), ("sc", ("st",)), ("dl", ("d",)),
    ("c", ("k", "t")), ("z", ("g",)),
)  # fmt: skip
_POLISH_FLEETING = re.compile(r"(?<=[^aeiouy])i?e(?=[^aeiouy]$)")
_RUSSIAN_FLEETING = re.compile(r"(?<=[^аеиоуыэюя])[еоь]+(?=[^аеиоуыэюяь]$)")
_MIN = 3


def name_stems(word: str, lang: str) -> frozenset[str]:
    """The stems of a word as it stands in a name."""
    if word.isdigit():
        return frozenset((word,))
    if lang == "pl":
        return _polish_name(word)
    if lang == "ru":
        return _russian_name(word)
    return _english(word)


def query_stems(word: str, lang: str) -> frozenset[str]:
    """The stems a typed word may have, if it is a word of that language."""
    if word.isdigit():
        return frozenset((word,))
    if lang == "pl":
        return _polish_query(word)
    if lang == "ru":
        return _russian_query(word)
    return _english(word)


def _english(word: str) -> frozenset[str]:
    found = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        found.add(word[:-1])
        if word.endswith("ies"):
            found.add(word[:-3] + "y")
        elif word.endswith("ves"):
            found.add(word[:-3] + "f")
        elif word.endswith("es") and len(word) > 4:
            found.add(word[:-2])
    return frozenset(found)


def _polish_name(word: str) -> frozenset[str]:
    stem = word.rstrip("aeiouy")
    found = {word}
    if len(stem) >= _MIN or len(stem) == len(word):
        found.add(stem)
        if stem == word:
            short = _POLISH_FLEETING.sub("", word)
            found.update((short, short.replace("rzc", "rc")))
            if stem.endswith("iec"):
                found.add(stem[:-3] + "nc" if stem.endswith("niec") else stem[:-3] + "c")
    return frozenset(s for s in found if len(s) >= 2)


def _polish_query(word: str) -> frozenset[str]:
    found = {word, _POLISH_FLEETING.sub("", word)}
    prince, _, ending = word.partition("ksiec")  # księcia, księciem: książę
    if ending.startswith("i"):
        found.add(f"{prince}ksiaz")
    for ending in _POLISH_ENDINGS:
        if not word.endswith(ending) or len(word) - len(ending) < _MIN:
            continue
        stem = word[: len(word) - len(ending)]
        found.add(stem)
        found.add(stem.rstrip("aeiouy") if len(stem.rstrip("aeiouy")) >= _MIN else stem)
        if ending:
            for tail, bases in _TAILS:
                if stem.endswith(tail):
                    found.update(stem[: -len(tail)] + base for base in bases)
    return frozenset(found)


def _russian_name(word: str) -> frozenset[str]:
    base = word[:-2] if word.endswith(("ся", "сь")) and len(word) > 6 else word
    stem = base.rstrip("аеиоуыэюяьъ")
    found = {word}
    if len(stem) >= _MIN or (stem == base and len(stem) >= 2):
        found.add(stem)
        short = _RUSSIAN_FLEETING.sub("", stem)
        if base == stem or base.endswith("ь"):
            found.add(short)
        if base.endswith("ец"):
            found.add(base[:-2] + ("ц" if base[-3] not in "аеиоуыэюя" else "иц"))
    return frozenset(s for s in found if len(s) >= 2)


def _russian_query(word: str) -> frozenset[str]:
    found = {word, _RUSSIAN_FLEETING.sub("", word)}
    base = word[:-2] if word.endswith(("ся", "сь")) and len(word) > 6 else word
    for ending in _RUSSIAN_ENDINGS:
        if not base.endswith(ending) or len(base) - len(ending) < 2:
            continue
        stem = base[: len(base) - len(ending)]
        found.add(stem)
        bare = stem.rstrip("аеиоуыэюяьъ")
        if len(bare) >= 2:
            found.add(bare)
    return frozenset(found)
