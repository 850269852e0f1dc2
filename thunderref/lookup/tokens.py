"""Words of running text without their endings, for the full-text index."""

from __future__ import annotations

from thunderref.lookup.normalise import fold

_POLISH = (
    "owaniem", "owania", "owanie", "iejszy", "owego", "owemu", "owych", "owymi", "aniem", "eniem", "ania", "anie",
    "enia", "enie", "owie", "iami", "iach", "iego", "iemu", "ymi", "imi", "ami", "ach", "ego", "emu", "owi", "ych",
    "ich", "iom", "iow", "iem", "iej", "ale", "uje", "ujesz", "asz", "esz", "isz", "ysz", "aja", "uja", "ac", "ic",
    "yc", "ec", "om", "ow", "em", "ym", "im", "ej", "ia", "ie", "iu", "ii", "a", "e", "i", "o", "u", "y",
)  # fmt: skip
_RUSSIAN = (
    "иями", "ениями", "ениями", "ания", "ение", "ения", "ению", "ении", "ями", "ами", "ого", "его", "ому", "ему",
    "ыми", "ими", "ете", "аете", "ите", "ают", "яют", "уют", "ать", "ять", "ить", "еть", "ает", "яет", "ует", "ыи",
    "ии", "ои", "еи", "ею", "ою", "ая", "яя", "ое", "ее", "ые", "ие", "ую", "юю", "ых", "их", "ым", "им", "ов", "ев",
    "ом", "ем", "ам", "ям", "ах", "ях", "ья", "ью", "ет", "ит", "ат", "ят", "а", "я", "у", "ю", "е", "и", "ы", "о",
    "ь",
)  # fmt: skip
_ENGLISH = ("ings", "ing", "edly", "ed", "ers", "er", "ly", "ies", "es", "s")
_ENDINGS = {
    "en": tuple(sorted(_ENGLISH, key=len, reverse=True)),
    "pl": tuple(sorted(_POLISH, key=len, reverse=True)),
    "ru": tuple(sorted(_RUSSIAN, key=len, reverse=True)),
}
_COMMON = {
    "en": "the a an of is are be do does to in on at it its you your and or if for by with from as can may this that "
    "has have not no where why many much what how when who which i my me will would there then than so any all",
    "pl": "w we z ze na do i a o po od u za nie sie to jest sa co jak czy jego jej twoj twoja swoj dla ktory ktora "
    "ktore gdy jesli przy oraz lub albo moge mozna ma te ten ta tej tego tym kiedy gdzie ile dlaczego mam",
    "ru": "в во на с со и а о об по от у за не это есть что как ли его ее вы ваш ваша свои для которыи если при или "
    "можно может ни к ко из когда то же бы он она они я мы где почему сколько",
}
_STOP = {lang: frozenset(words.split()) for lang, words in _COMMON.items()}


def tokens(text: str, lang: str) -> list[str]:
    """The words that matter, each without its ending and marked with the language: ``en·attack``."""
    stop = _STOP.get(lang, frozenset())
    return [f"{lang}·{_stem(word, lang)}" for word in fold(text).split() if word not in stop]


def _stem(word: str, lang: str) -> str:
    if len(word) <= 3 or not word.isalpha():
        return word
    for ending in _ENDINGS.get(lang, ()):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if lang == "en" and word.endswith(("e", "y")) and len(word) > 3:
        word = word[:-1]
    if lang == "en" and len(word) > 4 and word[-1] == word[-2] and word[-1] not in "ls":
        word = word[:-1]
    return word
