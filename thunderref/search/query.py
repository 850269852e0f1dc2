"""A query and its hits; the ways in which a name that is being typed may go on, in a shell and at a prompt.

Most look-ups are a card's name or id and need no index.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from thunderref.database.read import FALLBACK, Database, Language, SearchRow
from thunderref.errors import InputError
from thunderref.text.features import STEM
from thunderref.text.folding import fold, fold_query, is_cyrillic, join_words, other_layout, sort_words
from thunderref.text.stems import stem_of

MAX_LENGTH = 200
"""A longer query is refused."""

_SHORTEST = 3
"""Letters that may stand for a name in full."""
_ASKED = 2
"""Number of questions that a word of the language occurs in at least."""
_FEW = 2
"""Least words of a line that is read as the keys of the other keyboard have it."""
_ENDS = re.compile("[,;:/]")
_WORD = re.compile(r"\S+")


class Hit(NamedTuple):
    """A card or term found: how well (0 to 100), how (``exact``, ``inflected``, ...), by which name and language."""

    id: str
    score: int
    how: str
    lang: str
    name: str


class NamesFound(NamedTuple):
    """What a query finds, best first; the first ``equals`` hits fit about equally well."""

    hits: tuple[Hit, ...]
    equals: int


def check_query(text: str) -> str:
    """The folded query; raises :class:`InputError` (``empty-query``, ``long-query``)."""
    if len(text) > MAX_LENGTH:
        raise InputError("long-query", limit=MAX_LENGTH)
    form = fold_query(text)
    if not form:
        raise InputError("empty-query")
    return form


def shorten(text: str, length: int = 60) -> str:
    """A query as it may be quoted: control characters gone, cut to ``length`` characters."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= length else clean[: length - 1] + "…"


def exact_card(database: Database, form: str) -> NamesFound | None:
    rows = database.search_exact(form, sort_words(form), join_words(form))
    hits = exact_hits((row for row in rows if row.kind == "card"), database.reprints if rows else {})
    return NamesFound((hits[0],), 1) if len(hits) == 1 else None


def begun_card(words: Language, text: str, kinds: Collection[str] | None = None) -> str | None:
    """The one card, of these kinds, whose name in this language begins so: word by word, those of the table first."""
    form, cards = fold_query(text), list[str]()
    typed = form.split()
    distinct = len(form) >= _SHORTEST and (len(typed) > 1 or asked_with(words.database, form, words.lang) < _ASKED)
    for card, name in words.database.derived(_names_in, words.lang) if distinct else ():
        fits = len(typed) <= len(name) and all(word.startswith(start) for start, word in zip(typed, name, strict=False))
        if fits and (kinds is None or words.database.cards[card].kind in kinds):
            cards.append(card)
    cards = [card for card in cards if card in words.database.tonight] or cards
    return cards[0] if len(cards) == 1 else None


def _names_in(database: Database, lang: str) -> list[tuple[str, list[str]]]:
    """Return each card but reprints with the folded words of its name."""
    names = database.names_of("card", lang)
    return [(card, fold(row.name).split()) for card, row in names.items() if database.cards[card].reprint_of is None]


def is_everyday(database: Database, word: str) -> bool:
    """Whether questions that have nothing to do with the games have the word."""
    return bool(database.query("SELECT 1 FROM everyday WHERE word = ?", fold_query(word)))


def asked_with(database: Database, word: str, *languages: str) -> int:
    """How many players' questions in one of these languages, or of all, have the word, in any case."""
    sql, forms = "SELECT asked FROM features WHERE lang = ? AND feature = ?", fold_query(word).split()
    stems = ((lang, STEM + stem_of(form, lang)) for lang in languages or database.languages for form in forms)
    return max((n for stem in stems for (n,) in database.query(sql, *stem)), default=0)


def in_known_letters(database: Database, text: str) -> str:
    """Return a line as the keys of the other keyboard have it, if that has known words only and it has none itself.

    A word alone is left: the index of names finds it.
    """
    words, other = text.split(), other_layout(text)
    letters = [word for word in words if any(map(str.isalpha, word))]
    if len(letters) < _FEW or is_cyrillic(text) or database.is_name(fold_query(text)):
        return text
    if any(_is_known(database, word) for word in letters):
        return text
    typed = [word for word in other.split() if any(map(str.isalpha, word))]
    return other if typed and all(_is_known(database, word, *database.cyrillic) for word in typed) else text


def _is_known(database: Database, word: str, *languages: str) -> bool:
    return bool(asked_with(database, word, *languages)) or database.is_name(fold_query(word))


def exact_hits(rows: Iterable[SearchRow], reprints: Mapping[str, str]) -> list[Hit]:
    """What exactly matching names stand for; a reprint counts as its base card unless its id was typed."""
    hits: dict[str, Hit] = {}
    for row in rows:
        ident = reprints.get(row.subject, row.subject) if row.lang else row.subject
        if ident not in hits or (row.lang and not hits[ident].lang):
            hits[ident] = Hit(ident, 100, "exact", row.lang, row.name)
    return list(hits.values())


def card_names(database: Database, lang: str, kinds: Collection[str] | None = None) -> list[str]:
    """The names of the cards of these kinds in a language, those on the table before all others."""
    names = database.names_of("card", FALLBACK) | database.names_of("card", lang)
    cards = [card for card in database.cards.values() if card.reprint_of is None and (not kinds or card.kind in kinds)]
    cards.sort(key=lambda card: (card.id not in database.tonight, fold(names[card.id].name)))
    return list(dict.fromkeys(names[card.id].name for card in cards))


def continue_name(names: Iterable[str], before: Sequence[str], text: str) -> list[str]:
    """What ``text``, typed after the words ``before``, may become: its last name in full, the names in their order.

    A name may have begun among those words: ``sword`` after ``flaming``. Names that have the last word further back
    count if none begins with what is typed.
    """
    typed = "".join(f"{word} " for word in before) + text
    head = len(typed) - len(text)
    begin = len(typed) - len(_ENDS.split(typed)[-1])
    forms = [(name, fold(name)) for name in names]
    starts = [word.start() for word in _WORD.finditer(typed, begin)]
    for start in starts:
        prefix = fold(typed[start:]) + " " * typed[start:].endswith(" ")
        if prefix.strip() and (matches := [name for name, form in forms if form.startswith(prefix)]):
            return [_rest(name, typed[start:head]) if start < head else typed[head:start] + name for name in matches]
    if not starts or typed[-1].isspace():  # a new name begins
        return [text + name for name, _ in forms]
    prefix = f" {fold(typed[starts[-1] :])}"
    return [typed[head : starts[-1]] + name for name, form in forms if prefix.strip() and prefix in form]


def _rest(name: str, typed: str) -> str:
    """The name without the words that are typed already."""
    words, remaining = name.split(), len(fold(typed).split())
    while remaining or not fold(words[0]):  # a sign between words is none
        remaining -= bool(fold(words.pop(0)))
    return " ".join(words)
