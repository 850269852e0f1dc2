"""Word endings of a language, tolerant rather than exact, as its glossary tells them (:class:`.records.Grammar`).

A word of a name has a few stems (of its base form), a word of a query has many (it may be in any case or number).
They are the same word if they share a stem. A word of running text has one token, for the full-text index. Everything
works on folded words, see :mod:`.folding`. What a language says is learnt when a database is built or opened; the words
of one that says nothing have one form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

from thunderref.text.folding import CACHED_WORDS, FILLERS, fold_query

Rewriting = list[tuple[re.Pattern[str], str]]


class _Grammar:
    """The word endings of a language: of names, in running text also of verbs; and its small words."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields
        self.vowels, self.least = fields.get("vowels", ""), fields.get("least", 3)
        self.endings = (*fields.get("endings", "").split(), "")
        self.text_endings = sorted(fields.get("text_endings", "").split(), key=len, reverse=True)
        tails = (entry.partition(":") for entry in fields.get("tails", "").split(";"))
        self.tails = [(tail.strip(), bases.split()) for tail, _, bases in tails if bases]
        self.small = frozenset(fields.get("small", "").split())

    @cached_property
    def suffix(self) -> re.Pattern[str]:
        return re.compile(self.fields.get("suffix") or "$^")

    @cached_property
    def forms(self) -> Rewriting:
        return _compiled(self.fields.get("forms", ()))

    @cached_property
    def name_forms(self) -> Rewriting:
        return [*self.forms, *_compiled(self.fields.get("name_forms", ()))]

    @cached_property
    def text_forms(self) -> Rewriting:
        return _compiled(self.fields.get("text_forms", ()))


def _compiled(rules: Iterable[Iterable[str]]) -> Rewriting:
    return [(re.compile(pattern), replacement) for pattern, replacement in rules]


_GRAMMARS: dict[str, _Grammar] = {}
_UNKNOWN = _Grammar({})


def learn(lang: str, fields: Mapping[str, Any]) -> None:
    """Take the words of a language as its glossary tells them from now on."""
    if _GRAMMARS.get(lang, _UNKNOWN).fields == fields:
        return
    _GRAMMARS[lang] = _Grammar(fields)
    FILLERS.update(fields.get("fillers", "").split())
    query_stems.cache_clear()
    stem_of.cache_clear()


def fault_in(fields: Mapping[str, Any]) -> str:
    """Return what is wrong with a pattern of these words, "" if nothing is."""
    try:
        grammar = _Grammar(fields)
        for pattern, replacement in [(grammar.suffix, ""), *grammar.name_forms, *grammar.text_forms]:
            pattern.sub(replacement, "")
    except (re.error, IndexError) as error:
        return str(error)
    return ""


def is_inflected(lang: str) -> bool:
    """Return whether the names of a language have endings."""
    return len(_GRAMMARS.get(lang, _UNKNOWN).endings) > 1


def name_stems(word: str, lang: str) -> frozenset[str]:
    """The stems of a word of a name."""
    grammar, forms = _GRAMMARS.get(lang, _UNKNOWN), {word}
    if word.isdecimal():
        return frozenset(forms)
    base = grammar.suffix.sub("", word)
    stem = base.rstrip(grammar.vowels)
    if len(stem) >= 3 or (stem == base and len(stem) >= grammar.least):
        forms |= {stem, *_rewritten(base, grammar.name_forms)}
    return frozenset(stem for stem in forms if len(stem) >= 2)


@lru_cache(CACHED_WORDS)
def query_stems(word: str, lang: str) -> frozenset[str]:
    """The stems a typed word may have, if it is a word of that language."""
    grammar, forms = _GRAMMARS.get(lang, _UNKNOWN), {word}
    if word.isdecimal():
        return frozenset(forms)
    base = grammar.suffix.sub("", word)
    forms.update(_rewritten(word, grammar.forms))
    for ending in grammar.endings:
        stem = base.removesuffix(ending)
        if not base.endswith(ending) or len(stem) < grammar.least:
            continue
        bare = stem.rstrip(grammar.vowels)
        forms.update((stem, bare if len(bare) >= grammar.least else stem))
        for tail, bases in grammar.tails if ending else ():
            if stem.endswith(tail):
                forms.update(stem.removesuffix(tail) + other for other in bases)
    return frozenset(forms)


def _rewritten(word: str, rules: Rewriting) -> Iterable[str]:
    """The other forms of a word whose stem itself changes."""
    forms = (pattern.sub(replacement, word) for pattern, replacement in rules)
    return [form for form in forms if form != word]


def tokens(text: str, lang: str) -> list[str]:
    """The words of a text, each without its ending and marked with the language: ``en·attack``."""
    return [f"{lang}·{stem_of(word, lang)}" for word in fold_query(text).split()]


def small_words(lang: str) -> frozenset[str]:
    """The tokens of such words as "the" and "can": they say how a question is put, but little of what it is about."""
    return frozenset(f"{lang}·{stem_of(word, lang)}" for word in _GRAMMARS.get(lang, _UNKNOWN).small)


@lru_cache(CACHED_WORDS)
def stem_of(word: str, lang: str) -> str:
    """Return a word of running text without its ending."""
    grammar = _GRAMMARS.get(lang, _UNKNOWN)
    if len(word) <= 3 or not word.isalpha():
        return word
    endings = (ending for ending in grammar.text_endings if word.endswith(ending))
    word = next((stem for ending in endings if len(stem := word.removesuffix(ending)) >= 3), word)
    for pattern, replacement in grammar.text_forms:
        word = pattern.sub(replacement, word)
    return word
