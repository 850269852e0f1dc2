"""Cyrillic typed in Latin letters, in any way, and text typed with the wrong keyboard layout.

A Latin word becomes the Cyrillic words it may stand for; these are compared with the Cyrillic names after
:func:`relax`, which removes the differences between transliterations.
"""

from __future__ import annotations

import re
from itertools import product

from thunderref.text.folding import is_cyrillic

_GROUPS = (
    "schtsch:щ shch:щ szcz:щ stsch:щ sch:щ/сх shh:щ tsch:ч tch:ч sh:ш sz:ш zh:ж rz:рз/ж ch:ч/х cz:ч/ц kh:х ck:к "
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

_TO_LATIN = str.maketrans({
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "zh", "з": "z", "и": "i", "к": "k", "л": "l",
    "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h", "ц": "c",
    "ч": "ch", "ш": "sh", "щ": "sh", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "u", "я": "a",
})  # fmt: skip

_LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
_CYRILLIC_KEYS = "йцукенгшщзхъфывапролджэячсмитьбюё"
_LAYOUT_TO_CYRILLIC = str.maketrans(_LATIN_KEYS + '{}:"<>~', _CYRILLIC_KEYS + "хъжэбюё")
_LAYOUT_TO_LATIN = str.maketrans(_CYRILLIC_KEYS, _LATIN_KEYS)


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
    return text.translate(_TO_LATIN)


def relax(word: str) -> str:
    """A Cyrillic word without the distinctions that transliterations (and hasty writers) do not make."""
    return _REPEATED.sub(r"\1", word.translate(_RELAX))


def other_layout(text: str) -> str:
    """The same keys on the other keyboard, QWERTY for ЙЦУКЕН and the reverse."""
    text = text.casefold()
    return text.translate(_LAYOUT_TO_LATIN if is_cyrillic(text) else _LAYOUT_TO_CYRILLIC)
