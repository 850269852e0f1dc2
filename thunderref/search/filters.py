"""Questions over the cards answered: what each field of :mod:`.card_query` asks for, sorting, columns."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable
from time import monotonic
from typing import Any, NamedTuple

from thunderref.database.card_records import Card
from thunderref.database.own_boxes import refuse_off
from thunderref.database.paths import FIGURES
from thunderref.database.read import Database, Language
from thunderref.errors import InputError
from thunderref.search import doings
from thunderref.search.card_query import SIGNS, FieldCondition, PlainWord, Query, combine, conditions, parse
from thunderref.search.names import cards_with_words, find_card
from thunderref.text.folding import fold, fold_query
from thunderref.text.stems import name_stems, query_stems

NUMBERS = (*FIGURES, "level", "count")
_WORDS = ("kind", "type", "set", "family", "timing", "text", "name", "rule")
_ABOUT = ("does", "gives", "holds", "held-by", "immune")
_EQUAL = (":", "=", "!=")
_FILTER = re.compile(r"-?[^\W\d][\w-]*\s*(<=|>=|!=|==|<>|≤|≥|≠|:|<|>|=)")
_NUMBER = re.compile(r"^(<=|>=|!=|<|>|=)?\s*(-?\d+)$")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ":": operator.eq, "<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge, ">": operator.gt,
    "!=": operator.ne,
}  # fmt: skip
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
_BY_EFFECTS = {"does": doings.doings, "gives": doings.gifts, "immune": doings.immunities}
"""Field about what cards do -> what each card does."""
_IN = "-in-"
"""What parts a deed from the time of the effect that does it: ``does:draw-in-village``."""


def filter_cards(database: Database, query: str | Query) -> list[Card]:
    """The cards that meet a query, in the order of the boxes; for an empty one all of them.

    A plain word is part of a name, or a kind or type, which stands for all its cards. The copies of a card in a second
    box are left out unless the query has a condition on boxes. Raises :class:`InputError`:
    ``bad-query``, ``unknown-field``, ``unknown-value``, ``bad-operator``, ``not-a-number``, ``no-tonight``.
    """
    everything, boxes = frozenset(database.cards), False
    met = everything
    if not isinstance(query, str) or query.strip():
        query = parse_query(database, query) if isinstance(query, str) else query
        boxes = has_field(database, query, "set")
        met = combine(query, lambda condition: frozenset(_meeting(database, condition)), everything)
    return [card for card in database.cards.values() if (boxes or card.reprint_of is None) and card.id in met]


def parse_query(database: Database, text: str) -> Query:
    """The query in a line of text, with the words of all languages; raises as :func:`.card_query.parse`."""
    return parse(text, {by: database.words(f"query.words.{by}") for by in ("and", "or", "not")})


def is_filter(database: Database, text: str) -> bool:
    """True if the text has a condition, or if all its words name kinds or types of cards."""
    plain = fold_query(text).split()
    if _FILTER.search(text) and text.strip().lower() not in database.cards:  # of a user's box: ``marsh:imp``
        return True
    return bool(plain and all(cards_of_kind(database, word) for word in plain))


def is_kind(database: Database, word: str) -> bool:
    """True if a word names a kind of cards: trap, hero."""
    return bool(_fitting(database, "kind", fold_query(word)))


def kinds_and_types(database: Database, name: str) -> str | None:
    """The condition that a word for cards is: ``kind:hero``, ``type:weapon``, ``family:elf``, ``timing:trophy``."""
    form = fold_query(name)
    for field in ("kind", "type", "family", "timing"):
        if form and (fits := _fitting(database, field, form)):
            entries = [row for row in database.derived(_closed_list, field) if row[0] in fits]
            alike = max(entries, key=lambda row: sum(a == b for a, b in zip(row[1], form, strict=False)))
            return f"{field}:{alike[0]}"
    return None


def has_field(database: Database, query: str | Query, field: str) -> bool:
    """True if a condition of the query is on this field."""
    query = parse_query(database, query) if isinstance(query, str) else query
    return any(field_named(database, condition.field, condition.place) == field for condition in conditions(query))


def cards_of_kind(database: Database, word: str) -> set[str]:
    """The ids of the cards whose kind or type a folded word names, in any language and case."""
    kinds, types = (_fitting(database, field, word) for field in ("kind", "type"))
    return {card.id for card in database.cards.values() if card.kind in kinds or types.intersection(card.types)}


def known_filters(database: Database) -> list[str]:
    """Filters to choose from: the fields with a closed list and its ids, and the beginnings of all others."""
    listed = [f"{field}:{value}" for field, (ids, _) in _KNOWN.items() for (value,) in database.query(ids)]
    listed += [f"{field}:{value}" for field in _BY_EFFECTS for value in _values(database, field)]
    return [*(f"{field}:" for field in (*_WORDS, *_ABOUT, *NUMBERS)), *listed, "tonight"]


def _values(database: Database, field: str) -> list[str]:
    """What cards do, give or are immune to."""
    return sorted({value for of_card in database.derived(_BY_EFFECTS[field]).values() for value in of_card})


def field_named(database: Database, name: str, position: int | None = None) -> str:
    """The field a word stands for; raises :class:`InputError` (``unknown-field``, with its place in a query)."""
    texts = database.message("search.words.fields").values()
    entries = (entry.partition(":") for text in texts for entry in text.split(";"))
    fields = {fold(word): field.strip() for word, _, field in entries}
    folded = fold(name)
    field = fields.get(folded, folded.replace(" ", "-" if folded.startswith("held") else "_"))
    if field not in NUMBERS and field not in _WORDS and field not in _ABOUT:
        from difflib import get_close_matches

        names = (*_WORDS, *_ABOUT, *NUMBERS)
        near = get_close_matches(field, names, 1, 0.75)
        place = {} if position is None else {"place": position}
        raise InputError("unknown-field", name=name[:40], candidates=list(dict.fromkeys([*near, *names])), **place)
    return field


def _meeting(database: Database, part: FieldCondition | PlainWord) -> set[str]:
    """The cards that meet one condition."""
    if isinstance(part, PlainWord):
        return _with_words(database, part)
    field, sign, value = field_named(database, part.field, part.place), part.sign, part.value
    if field in NUMBERS:
        return _with_figure(database, field, part)
    if sign not in _EQUAL or not (part.is_regex or fold_query(value)) or (part.is_regex and field not in _SPOKEN):
        signs = SIGNS if sign in _EQUAL else _EQUAL
        raise InputError("bad-operator", filter=f"{part.field}{sign}{value}"[:60], place=part.place, candidates=signs)
    if field in _SPOKEN:
        met = _saying(database, field, part)
    elif field in _BY_EFFECTS:
        met = _doing(database, field, part)
    elif field in ("holds", "held-by"):
        met = _holding(database, field, value)
    elif field == "rule":
        met = {row[0] for row in database.query("SELECT card FROM card_rules WHERE rule = ?", value.upper())}
    else:
        met = _listed(database, field, part)
    return met if sign != "!=" else set(database.cards) - met


_SPOKEN = ("text", "name")
"""Fields of words, or of a regular expression."""
_PATIENCE_MS = 500
"""Milliseconds that a regular expression may take."""


def _with_words(database: Database, part: PlainWord) -> set[str]:
    """The cards of a kind or type, or with all these words in a name; those of the table for ``tonight``."""
    form = fold_query(part.text)
    if form in database.words("query.words.tonight"):
        if not database.tonight:
            raise InputError("no-tonight")
        return {*database.tonight}
    if not form:
        raise InputError("bad-query", why="unread", filter=part.text[:40], place=part.place)
    met, names = set(database.cards), list[str]()
    for word in form.split():
        if alike := cards_of_kind(database, word):
            called = database.derived(_folded_names)
            met &= alike | {card for card, name in called if word in name.split()}
        else:
            names.append(word)
    return met & _alike(database, cards_with_words(database, names)) if names else met


def _alike(database: Database, cards: Collection[str]) -> set[str]:
    """These cards, and their copies in other boxes."""
    return {card.id for card in database.cards.values() if (card.reprint_of or card.id) in cards}


def _saying(database: Database, field: str, part: FieldCondition) -> set[str]:
    """The cards with these words in their texts, rulings and names (or names alone), or with what a pattern finds."""
    whole, folded, stems, names = database.derived(_words_of_cards)
    if part.is_regex:
        import regex  # which knows an end: a pattern may take for ever

        end, searched = monotonic() + _PATIENCE_MS / 1000, whole if field == "text" else names
        try:
            pattern = regex.compile(part.value, regex.IGNORECASE)
            return {
                card
                for card, texts in searched.items()
                if any(pattern.search(text, timeout=max(0.001, end - monotonic())) for text in texts)
            }
        except (regex.error, TimeoutError):
            raise InputError("bad-query", why="regex", filter=part.value[:40], place=part.place) from None
    if field == "name":
        return _alike(database, cards_with_words(database, fold_query(part.value).split()))
    words = [(f" {word}", _stems(word, name_stems, database.languages)) for word in fold_query(part.value).split()]
    return {c for c in database.cards if all(start in folded[c] or same & stems[c] for start, same in words)}


def _doing(database: Database, field: str, part: FieldCondition) -> set[str]:
    """The cards that do, give or are immune to something."""
    choices, phrase = _values(database, field), fold(part.value).replace(" ", "-").replace("_", "-")
    synonyms = database.words(f"query.words.{field}")
    phrase, _, place = phrase.partition(_IN) if field == "does" else (phrase, "", "")
    verb, _, noun = phrase.partition("-")
    value = "-".join(filter(None, (synonyms.get(verb, verb), synonyms.get(noun, noun))))
    values = {choice.replace("_", "-"): choice for choice in choices}
    value = phrase if phrase in values else synonyms.get(phrase, value).replace("_", "-")
    if value not in values:
        raise InputError("unknown-value", field=part.field, value=part.value[:40], place=part.place, candidates=choices)
    by_card = database.derived(doings.doings_in, place) if place else database.derived(_BY_EFFECTS[field])
    return {card for card, deeds in by_card.items() if values[value] in deeds}


def _holding(database: Database, field: str, name: str) -> set[str]:
    """The heroes strong enough for a weapon, or the weapons a hero is strong enough for (R4.3)."""
    sort, kinds = ("weapon", {"village", "basic"}) if field == "holds" else ("hero", {"hero", "basic"})
    card = database.cards[find_card(database, name, kinds)]
    heroes = [spec for spec in database.cards.values() if spec.is_hero]
    weapons = [spec for spec in database.cards.values() if "weapon" in spec.types]
    if card not in (weapons if sort == "weapon" else heroes):
        raise InputError("not-held", card=card.id, why=sort)
    if sort == "weapon":
        return {hero.id for hero in heroes if (hero.strength or 0) >= (card.weight or 0)}
    return {weapon.id for weapon in weapons if (card.strength or 0) >= (weapon.weight or 0)}


def _listed(database: Database, field: str, part: FieldCondition) -> set[str]:
    """The cards with a value of a closed list, or without abilities."""
    if field == "timing" and _is_none(database, part.value):
        return {card for card in database.cards if not database.all_effects.get(card)}
    form = fold_query(part.value)
    ids = _fitting(database, field, form) or {
        ident
        for ident, name, _ in database.derived(_closed_list, field)
        if any(word.startswith(form) for word in (name, *name.split()))
    }
    if not ids:
        if field == "set":
            refuse_off(part.value)
        choices = [ident for (ident,) in database.query(_KNOWN[field][0])]
        raise InputError("unknown-value", field=field, value=part.value[:40], place=part.place, candidates=choices)
    if field == "type":
        return {card.id for card in database.cards.values() if ids & set(card.types)}
    if field == "timing":
        effects = ((card, effect) for card, of_card in database.all_effects.items() for effect in of_card)
        return {card for card, effect in effects if effect.timing in ids}
    return {card.id for card in database.cards.values() if getattr(card, _COLUMNS[field]) in ids}


def _with_figure(database: Database, field: str, part: FieldCondition) -> set[str]:
    figures: dict[str, int | None] = {card.id: getattr(card, field) for card in database.cards.values()}
    sign, value = part.sign, part.value
    if _is_none(database, value) and sign in _EQUAL:
        return {card for card, figure in figures.items() if (figure is None) == (sign != "!=")}
    number = _NUMBER.match(value)
    if number is None or part.is_regex or (number[1] and sign != ":"):
        raise InputError("not-a-number", field=field, value=value[:40], place=part.place)
    compare = _COMPARE[number[1] or sign]
    return {card for card, figure in figures.items() if figure is not None and compare(figure, int(number[2]))}


def _is_none(database: Database, value: str) -> bool:
    """Return whether this asks for the cards without a value or ability: a dash, or a word of any language."""
    return value == "-" or fold(value) in map(fold, database.message("query.words.none").values())


def _fitting(database: Database, field: str, form: str) -> set[str]:
    """The ids of a closed list that the (folded) ``form`` names, else those that it names in another case."""
    entries, stems = database.derived(_closed_list, field), _stems(form, query_stems, database.languages)
    exact = {ident for ident, name, _ in entries if name == form}
    return exact or {ident for ident, _, of_name in entries if of_name & stems}


def _closed_list(database: Database, field: str) -> list[tuple[str, str, set[str]]]:
    """Return (id, folded name, its stems) for each name in a closed list, in which the ids are names, too."""
    ids = [ident for (ident,) in database.query(_KNOWN[field][0])]
    pairs = [*zip(ids, ids, strict=True), *(row for row in database.query(_KNOWN[field][1]) if row[0] in ids)]
    return [
        (ident, name, _stems(name, name_stems, database.languages))
        for ident, name in ((ident, fold(name)) for ident, name in pairs)
    ]


def _folded_names(database: Database) -> list[tuple[str, str]]:
    """Return (card, folded name) for each name of each card."""
    return [(card, fold(name)) for card, name in database.query(_NAMES.format("card"))]


def _stems(word: str, stems: Callable[[str, str], frozenset[str]], languages: Iterable[str]) -> set[str]:
    return set().union(*(stems(word, lang) for lang in languages)) if word and " " not in word else set()


def _words_of_cards(
    database: Database,
) -> tuple[dict[str, list[str]], dict[str, str], dict[str, set[str]], dict[str, list[str]]]:
    """Card -> its texts, rulings and names in all languages; -> these folded; -> the texts' stems; -> its names."""
    stems: dict[str, set[str]] = {card: set() for card in database.cards}
    whole: dict[str, list[str]] = {card: [] for card in database.cards}
    names: dict[str, list[str]] = {card: [] for card in database.cards}
    rows = database.query(
        "SELECT e.card, t.lang, t.text FROM effects AS e JOIN texts AS t ON t.key = e.text_key"
        " UNION ALL SELECT cc.card, t.lang, t.text FROM clarification_cards AS cc"
        " JOIN texts AS t ON t.key = 'clarify.' || cc.clarification"
    )
    for card, lang, text in rows:
        whole[card].append(text)
        for word in fold(text).split():
            stems[card] |= query_stems(word, lang)
    for card, name in database.query(_NAMES.format("card")):
        names[card].append(name)
        whole[card].append(name)
    folded = {card: " ".join(f" {fold(text)}" for text in texts) for card, texts in whole.items()}
    return whole, folded, stems, names


def columns_of(database: Database, query: Query | None, sorted_by: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """The fields to show of each card: those ``wanted``, else the figures that the query and its order are about.

    Raises :class:`InputError` (``unknown-field``).
    """
    if fields := [field_named(database, name) for name in wanted]:
        return [field for field in dict.fromkeys(fields) if field in NUMBERS or field in (*_COLUMNS, "type")]
    clauses = conditions(query) if query is not None else []
    names = [clause.value if field_named(database, clause.field) == "gives" else clause.field for clause in clauses]
    figures = (field_named(database, name) for name in (*names, *(key.lstrip("-+") for key in sorted_by)))
    return [field for field in dict.fromkeys(figures) if field in NUMBERS]


def sort_cards(words: Language, cards: list[Card], keys: Iterable[str]) -> list[Card]:
    """Cards by several fields, the first counting most; ``-cost`` descending; cards without the figure come last."""
    for key in reversed(list(keys)):
        field, values = field_named(words.database, key.lstrip("-+")), dict[str, Any]()
        for card in cards:
            column = field if field in NUMBERS else _COLUMNS.get(field)
            value = getattr(card, column) if column else fold(words.card(card.id))
            values[card.id] = value if field in NUMBERS else value or ""
        have = [card for card in cards if values[card.id] is not None]
        lack = [card for card in cards if values[card.id] is None]
        cards = sorted(have, key=lambda card: values[card.id], reverse=key.startswith("-")) + lack
    return cards


class ListQuery(NamedTuple):
    """A query and the order of its cards; for how many of the first the question is, 0 for all, or if for their number.

    ``groups``: whether their families (``family``) or types (``type``) are counted instead.
    """

    query: str
    sort: tuple[str, ...] = ()
    first: int = 0
    counts: bool = False
    groups: str = ""

    def cards(self, words: Language) -> list[Card]:
        """The cards in their order; of a superlative the first, and those that are equally much so as the last."""
        cards = sort_cards(words, filter_cards(words.database, self.query), self.sort)
        if not (self.first and self.sort and cards):
            return cards
        figure, last = self.sort[0].lstrip("-"), cards[: self.first][-1]
        return [
            card for n, card in enumerate(cards) if n < self.first or getattr(card, figure) == getattr(last, figure)
        ]
