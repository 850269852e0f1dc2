"""Word endings of English, Polish and Russian, tolerant rather than exact.

A word of a name has a few stems (of its base form), a word of a query has many (it may be in any case or number).
They are the same word if they share a stem. A word of running text has one token, for the full-text index. Everything
works on folded words, see :mod:`.folding`: no diacritics, ``й`` is ``и``, ``ё`` is ``е``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from thunderref.text.folding import WORDS, fold_query


class _Grammar:
    """The word endings of a language: of names, in running text also of verbs; and its small words."""

    def __init__(self, vowels: str, least: int, fleeting: str, endings: str, token_endings: str, common: str) -> None:
        self.vowels, self.least, self.fleeting = vowels, least, re.compile(fleeting)
        self.endings = (*endings.split(), "")
        self.token_endings = sorted(token_endings.split(), key=len, reverse=True)
        self.common = frozenset(common.split())


_GRAMMARS = {
    "en": _Grammar(
        "", 3, "$^", "", "ings ing edly ed ers er ly ies es s",
        "the a an of is are be do does to in on at it its you your and or if for by with from as can may this that has "
        "have not no where why many much what how when who which i my me will would there then than so any all was "
        "were s t",
    ),
    "pl": _Grammar(
        "aeiouy", 3, "(?<=[^aeiouy])i?e(?=[^aeiouy]$)",
        "owie iami iach iego iemu ami ach ego emu owi ymi imi iom iow iem iej ych ich om ow em ym im ej ia ie iu ii a "
        "e i o u y",
        "owaniem owania owanie iejszy owego owemu owych owymi aniem eniem ania anie enia enie owie iami iach iego iemu "
        "ymi imi ami ach ego emu owi ych ich iom iow iem iej ale uje ujesz asz esz isz ysz aja uja ac ic yc ec om ow "
        "em ym im ej ia ie iu ii a e i o u y",
        "w we z ze na do i a o po od u za nie sie to jest sa co jak czy jego jej twoj twoja swoj dla ktory ktora ktore "
        "gdy jesli przy oraz lub albo moge mozna ma te ten ta tej tego tym kiedy gdzie ile dlaczego mam",
    ),
    "ru": _Grammar(
        "аеиоуыэюяьъ", 2, "(?<=[^аеиоуыэюя])[еоь]+(?=[^аеиоуыэюяь]$)",
        "иями ями ами ьями ого его ому ему ыми ими ыи ии ои еи ею ою ая яя ое ее ые ие ую юю ых их ым им ов ев ом ем "
        "ам ям ах ях ья ью ье ьев ьи иям иях ией а я у ю е и ы о ь",
        "иями ениями ания ение ения ению ении ями ами ого его ому ему ыми ими ете аете ите ают яют уют ать ять ить еть "
        "ает яет ует ыи ии ои еи ею ою ая яя ое ее ые ие ую юю ых их ым им ов ев ом ем ам ям ах ях ья ью ет ит ат ят а "
        "я у ю е и ы о ь",
        "в во на с со и а о об по от у за не это есть что как ли его ее вы ваш ваша свои для которыи если при или "
        "можно может ни к ко из когда то же бы он она они я мы где почему сколько",
    ),
}  # fmt: skip
_TAILS = (
    ("rz", ("r",)), ("dz", ("d", "g")), ("sz", ("ch", "s")), ("cz", ("k",)), ("sc", ("st",)), ("dl", ("d",)),
    ("c", ("k", "t")), ("z", ("g",)),
)  # fmt: skip
"""End of a Polish stem before an ending -> its possible ends in the base form."""


def name_stems(word: str, lang: str) -> frozenset[str]:
    """The stems of a word of a name."""
    if word.isdecimal() or lang not in ("pl", "ru"):
        return _english(word)
    grammar = _GRAMMARS[lang]
    base = _not_reflexive(word)
    stem = base.rstrip(grammar.vowels)
    forms = {word}
    if len(stem) >= 3 or (stem == base and len(stem) >= grammar.least):
        forms.add(stem)
        short = grammar.fleeting.sub("", stem)
        if stem == base or base.endswith("ь"):
            forms.update((short, short.replace("rzc", "rc")))
        if base.endswith("iec"):
            forms.add(base[:-3] + ("nc" if base.endswith("niec") else "c"))
        if base.endswith(("ец", "ек")):
            forms.add(base[:-2] + ("" if base[-3] not in grammar.vowels else "и") + base[-1])
    return frozenset(stem for stem in forms if len(stem) >= 2)


@lru_cache(WORDS)
def query_stems(word: str, lang: str) -> frozenset[str]:
    """The stems a typed word may have, if it is a word of that language."""
    if word.isdecimal() or lang not in ("pl", "ru"):
        return _english(word)
    grammar = _GRAMMARS[lang]
    forms = {word, grammar.fleeting.sub("", word)}
    prince, _, ending = word.partition("ksiec")  # księcia, księciem: książę
    if ending.startswith("i"):
        forms.add(f"{prince}ksiaz")
    base = _not_reflexive(word)
    for ending in grammar.endings:
        stem = base.removesuffix(ending)
        if not base.endswith(ending) or len(stem) < grammar.least:
            continue
        bare = stem.rstrip(grammar.vowels)
        forms.update((stem, bare if len(bare) >= grammar.least else stem))
        for tail, bases in _TAILS if ending else ():
            if stem.endswith(tail):
                forms.update(stem.removesuffix(tail) + other for other in bases)
    return frozenset(forms)


def tokens(text: str, lang: str) -> list[str]:
    """The words of a text, each without its ending and marked with the language: ``en·attack``."""
    return [f"{lang}·{stem_of(word, lang)}" for word in fold_query(text).split()]


def small_words(lang: str) -> frozenset[str]:
    """The tokens of such words as "the" and "can": they say how a question is put, but little of what it is about."""
    common = _GRAMMARS[lang].common if lang in _GRAMMARS else ()
    return frozenset(f"{lang}·{stem_of(word, lang)}" for word in common)


@lru_cache(WORDS)
def stem_of(word: str, lang: str) -> str:
    """Return a word of running text without its ending."""
    if len(word) <= 3 or not word.isalpha() or lang not in _GRAMMARS:
        return word
    endings = (ending for ending in _GRAMMARS[lang].token_endings if word.endswith(ending))
    word = next((stem for ending in endings if len(stem := word.removesuffix(ending)) >= 3), word)
    if lang != "en":
        return word
    if len(word) >= 5:
        word = word.removesuffix("er")  # slaughter, slaughtered
    if word.endswith(("e", "y")) and len(word) > 3:
        word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word


def _english(word: str) -> frozenset[str]:
    forms = {word}
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        forms.add(word[:-1])
        if word.endswith(("ies", "ves")):
            forms.add(word[:-3] + ("y" if word.endswith("ies") else "f"))
        elif word.endswith("es") and len(word) > 4:
            forms.add(word[:-2])
    return frozenset(forms)


def _not_reflexive(word: str) -> str:
    return word[:-2] if word.endswith(("ся", "сь")) and len(word) > 6 else word
