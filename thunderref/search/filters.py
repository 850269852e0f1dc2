"""The filters of ``thunderref cards``: conditions on figures, types, sets, timing words and texts."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from thunderref.database.card_records import Card
from thunderref.database.paths import FIGURES
from thunderref.database.read import Database, Language
from thunderref.errors import InputError
from thunderref.search.names import cards_with_words
from thunderref.text.folding import fold, fold_query
from thunderref.text.stems import name_stems, query_stems

_NUMBERS = (*FIGURES, "level", "count")
_WORDS = ("kind", "type", "set", "family", "timing", "text", "name", "rule")
_EQUAL = (":", "=", "!=")
_FILTER = re.compile(r"^([^\W\d][\w-]*)\s*(<=|>=|!=|==|<>|≤|≥|≠|:|<|>|=)\s*(.*)$", re.DOTALL)
_SIGN = re.compile(r"\s*(<=|>=|!=|==|<>|≤|≥|≠|:|<|>|=)\s*")
_PART = re.compile(r'(?:[^\s,"]|"[^"]*")+')
_NUMBER = re.compile(r"^(<=|>=|!=|<|>|=)?\s*(-?\d+)$")
_SAME_SIGN = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ":": operator.eq, "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt,
    "!=": operator.ne,
}  # fmt: skip
_SIGNS = tuple(_COMPARE)
_COLUMNS = {"kind": "kind", "set": "set_id", "family": "family"}
_MESSAGES = "SELECT substr(key, length('{0}') + 2), text FROM messages WHERE key GLOB '{0}.*'"
_NAMES = "SELECT subject, name FROM names WHERE kind = '{}' AND lang != ''"
_KNOWN = {
    "family": ("SELECT id FROM families ORDER BY position", _NAMES.format("family")),
    "set": ("SELECT id FROM sets ORDER BY position", _NAMES.format("set")),
    "kind": (
        "SELECT DISTINCT kind FROM cards",
        _MESSAGES.format("card.kind") + " UNION ALL " + _MESSAGES.format("kind"),
    ),
    "type": ("SELECT DISTINCT type FROM types ORDER BY type", _MESSAGES.format("card.type")),
    "timing": ("SELECT DISTINCT timing FROM effects ORDER BY timing", _MESSAGES.format("card.timing")),
}
"""Field whose values are a closed list -> its ids, and the names of each in all languages."""


def filter_cards(database: Database, filters: Iterable[str]) -> list[Card]:
    """The cards that meet all filters, in the order of the boxes; plain words among them filter by name.

    A plain word that names a kind or a type means all cards of it too: ``weapon``. The copies of a card in a second box
    are left out unless a box is asked for. Raises :class:`InputError`: ``unknown-field``, ``unknown-value``,
    ``bad-operator``, ``not-a-number``.
    """
    meeting: list[set[str]] = []
    names: list[str] = []
    boxes = False
    for text in filters:
        found = _FILTER.match(text.strip())
        if found is not None:
            field, sign = _field(database, found[1]), _SAME_SIGN.get(found[2], found[2])
            boxes = boxes or field == "set"
            meeting.append(_meeting(database, text, field, sign, found[3].strip()))
        elif any(sign in text for sign in "<>=:!") or not fold_query(text):
            raise InputError("bad-operator", filter=text, candidates=_SIGNS)
        else:
            for word in fold_query(text).split():
                if alike := cards_of_kind(database, word):
                    called = database.derived(_folded_names)
                    meeting.append(alike | {card for card, name in called if word in name.split()})
                else:
                    names.append(word)
    named = cards_with_words(database, names) if names else None
    return [
        card
        for card in database.cards.values()
        if (boxes or card.reprint_of is None)
        and (named is None or (card.reprint_of or card.id) in named)
        and all(card.id in met for met in meeting)
    ]


def split_filters(text: str) -> list[str]:
    """The filters in one line of text: ``hero, cost <= 6`` and ``hero cost<=6`` are two. Quotes keep words together."""
    joined = _SIGN.sub(r"\1", text)
    return [part.replace('"', "") for part in _PART.findall(joined)]


def is_filter(database: Database, text: str) -> bool:
    """True if the text has a condition, or if all its words name kinds or types of cards."""
    parts = split_filters(text)
    plain = [word for part in parts for word in fold_query(part).split()]
    return any(_FILTER.match(part) for part in parts) or bool(
        plain and all(cards_of_kind(database, word) for word in plain)
    )


def is_kind(database: Database, word: str) -> bool:
    """True if a word names a kind of cards: trap, hero."""
    return any(_fitting(database, "kind", fold_query(word))[:2])


def has_field(database: Database, text: str, field: str) -> bool:
    """True if a condition in one line of text is on this field."""
    conditions = filter(None, map(_FILTER.match, split_filters(text)))
    return any(_field(database, found[1]) == field for found in conditions)


def cards_of_kind(database: Database, word: str) -> set[str]:
    """The ids of the cards whose kind or type a folded word names, in any language and case."""
    kinds, types = (next(filter(None, _fitting(database, field, word)[:2]), set()) for field in ("kind", "type"))
    return {card.id for card in database.cards.values() if card.kind in kinds or types.intersection(card.types)}


def known_filters(database: Database) -> list[str]:
    """Filters to choose from: the fields with a closed list and its ids, and the beginnings of all others."""
    listed = (f"{field}:{value}" for field, (ids, _) in _KNOWN.items() for (value,) in database.query(ids))
    return [*(f"{field}:" for field in (*_WORDS, *_NUMBERS)), *listed]


def _field(database: Database, name: str) -> str:
    """The field a word stands for; raises :class:`InputError` (``unknown-field``)."""
    entries = (entry.partition(":") for text in database.message("search.words.fields") for entry in text.split(";"))
    fields = {fold(word): field.strip() for word, _, field in entries}
    folded = fold(name)
    field = fields.get(folded, folded.replace(" ", "_"))
    if field not in _NUMBERS and field not in _WORDS:
        from difflib import get_close_matches

        near = get_close_matches(field, [*_WORDS, *_NUMBERS], 1, 0.75)
        raise InputError("unknown-field", name=name, candidates=list(dict.fromkeys([*near, *_WORDS, *_NUMBERS])))
    return field


def _meeting(database: Database, text: str, field: str, sign: str, value: str) -> set[str]:
    if field in _NUMBERS:
        return _with_figure(database, field, sign, value)
    if sign not in _EQUAL or not fold_query(value):
        raise InputError("bad-operator", filter=text[:60], candidates=_SIGNS if sign in _EQUAL else _EQUAL)
    wanted = set[str]()
    if field in _KNOWN:
        wanted = next(filter(None, _fitting(database, field, fold_query(value))), wanted)
        if not wanted:
            known = [ident for (ident,) in database.query(_KNOWN[field][0])]
            raise InputError("unknown-value", field=field, value=value[:40], candidates=known)
    if field == "text":
        whole, stems = database.derived(_words_of_cards)
        words = [(f" {word}", _stems(word, name_stems)) for word in fold_query(value).split()]
        met = {c for c in database.cards if all(begun in whole[c] or same & stems[c] for begun, same in words)}
    elif field == "name":
        met = cards_with_words(database, fold_query(value).split())
    elif field == "rule":
        met = {row[0] for row in database.query("SELECT card FROM card_rules WHERE rule = ?", value.upper())}
    elif field == "type":
        met = {card.id for card in database.cards.values() if wanted & set(card.types)}
    elif field == "timing":
        met = {card for card, effects in database.all_effects.items() if wanted & {effect.timing for effect in effects}}
    else:
        met = {card.id for card in database.cards.values() if getattr(card, _COLUMNS[field]) in wanted}
    return met if sign != "!=" else set(database.cards) - met


def _with_figure(database: Database, field: str, sign: str, value: str) -> set[str]:
    figures: dict[str, int | None] = {card.id: getattr(card, field) for card in database.cards.values()}
    if value.casefold() in ("none", "-", "brak", "нет") and sign in _EQUAL:
        return {card for card, figure in figures.items() if (figure is None) == (sign != "!=")}
    number = _NUMBER.match(value)
    if number is None or (number[1] and sign != ":"):
        raise InputError("not-a-number", field=field, value=value[:40])
    compare = _COMPARE[number[1] or sign]
    return {card for card, figure in figures.items() if figure is not None and compare(figure, int(number[2]))}


def _fitting(database: Database, field: str, asked: str) -> list[set[str]]:
    """The ids of a closed list that are ``asked`` (folded), that are it in another case, and that begin with it."""
    known, stems = database.derived(_closed_list, field), _stems(asked, query_stems)
    return [
        {ident for ident, name, _ in known if name == asked},
        {ident for ident, _, of_name in known if of_name & stems},
        {ident for ident, name, _ in known if any(word.startswith(asked) for word in (name, *name.split()))},
    ]


def _closed_list(database: Database, field: str) -> list[tuple[str, str, set[str]]]:
    """(id, folded name, its stems) for each name of what is in a closed list; the ids themselves are names, too."""
    ids = [ident for (ident,) in database.query(_KNOWN[field][0])]
    named = [*zip(ids, ids, strict=True), *(row for row in database.query(_KNOWN[field][1]) if row[0] in ids)]
    return [(ident, name, _stems(name, name_stems)) for ident, name in ((ident, fold(name)) for ident, name in named)]


def _folded_names(database: Database) -> list[tuple[str, str]]:
    """(card, folded name) for each name of each card."""
    return [(card, fold(name)) for card, name in database.query(_NAMES.format("card"))]


def _stems(word: str, stems: Callable[[str, str], frozenset[str]]) -> set[str]:
    return set().union(*(stems(word, lang) for lang in ("en", "pl", "ru"))) if word and " " not in word else set()


def _words_of_cards(database: Database) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Card -> its folded texts, rulings and names in all languages; card -> the stems of these texts."""
    stems: dict[str, set[str]] = {card: set() for card in database.cards}
    whole = dict.fromkeys(database.cards, "")
    rows = database.query(
        "SELECT e.card, t.lang, t.text FROM effects AS e JOIN texts AS t ON t.key = e.text_key"
        " UNION ALL SELECT cc.card, t.lang, t.text FROM clarification_cards AS cc"
        " JOIN texts AS t ON t.key = 'clarify.' || cc.clarification"
    )
    for card, lang, said in rows:
        folded = fold(said)
        whole[card] += f" {folded}"
        for word in folded.split():
            stems[card] |= query_stems(word, lang)
    for card, name in database.derived(_folded_names):
        whole[card] += f" {name}"
    return whole, stems


def sort_cards(words: Language, cards: list[Card], keys: Iterable[str]) -> list[Card]:
    """Cards by several fields, the first counting most; ``-cost`` descending; cards without the figure come last."""
    for key in reversed(list(keys)):
        field, values = _field(words.database, key.lstrip("-+")), dict[str, Any]()
        for card in cards:
            column = field if field in _NUMBERS else _COLUMNS.get(field)
            value = getattr(card, column) if column else fold(words.card(card.id))
            values[card.id] = value if field in _NUMBERS else value or ""
        have = [card for card in cards if values[card.id] is not None]
        lack = [card for card in cards if values[card.id] is None]
        cards = sorted(have, key=lambda card: values[card.id], reverse=key.startswith("-")) + lack
    return cards
