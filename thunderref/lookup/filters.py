"""The filters of ``thunderref cards``: conditions on figures, types, sets, timing words and texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.lookup.normalise import fold, fold_query
from thunderref.lookup.record import FIGURES
from thunderref.lookup.stems import name_stems, query_stems
from thunderref.store.read import CardRow, Store

NUMBERS = (*FIGURES, "level", "count")
WORDS = ("kind", "type", "set", "family", "timing", "text", "name", "rule")
SIGNS = (":", "<", "<=", "=", ">=", ">", "!=")
_TERM = re.compile(r"^([^\W\d][\w-]*)\s*(<=|>=|!=|==|<>|≤|≥|≠|:|<|>|=)\s*(.*)$", re.DOTALL)
_SAME_SIGN = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!="}
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b, ":": lambda a, b: a == b,
    ">=": lambda a, b: a >= b, ">": lambda a, b: a > b, "!=": lambda a, b: a != b,
}  # fmt: skip
FIELD_WORDS: dict[str, str] = {
    "magic": "magic_attack", "ma": "magic_attack", "price": "cost", "class": "type", "race": "family", "points": "vp",
    "penalty": "light_penalty", "str": "strength", "box": "set", "copies": "count", "ability": "timing",
    "rodzaj": "kind", "typ": "type", "klasa": "type", "zestaw": "set", "pudelko": "set", "rodzina": "family",
    "poziom": "level", "tresc": "text", "tekst": "text", "nazwa": "name", "koszt": "cost", "zloto": "gold",
    "swiatlo": "light", "pz": "vp", "sila": "strength", "ciezar": "weight", "waga": "weight", "zdrowie": "health",
    "pd": "xp", "atak": "attack", "atak_magiczny": "magic_attack", "kara": "light_penalty", "liczba": "count",
    "zasada": "rule", "kiedy": "timing",
    "вид": "kind", "тип": "type", "класс": "type", "набор": "set", "коробка": "set", "семеиство": "family",
    "раса": "family", "уровень": "level", "текст": "text", "название": "name", "имя": "name", "цена": "cost",
    "стоимость": "cost", "золото": "gold", "доход": "gold", "свет": "light", "очки": "vp", "по": "vp",
    "сила": "strength", "вес": "weight", "здоровье": "health", "опыт": "xp", "атака": "attack",
    "магическая_атака": "magic_attack", "штраф": "light_penalty", "количество": "count", "правило": "rule",
    "когда": "timing",
}  # fmt: skip
"""Other words for the fields, folded."""


class Condition(NamedTuple):
    """One filter: a field, a sign and what it is compared with (ids of values for ``kind``, ``type``, ...)."""

    field: str
    sign: str
    values: frozenset[str]
    number: float | None = None


def read_filters(store: Store, filters: Iterable[str]) -> tuple[list[Condition], list[str]]:
    """The conditions of ``cards`` and the plain words among them, which filter by name.

    Raises :class:`InputError`: ``unknown-field``, ``unknown-value``, ``bad-operator``, ``not-a-number``.
    """
    conditions: list[Condition] = []
    names: list[str] = []
    for text in filters:
        found = _TERM.match(text.strip())
        if found is None:
            if any(sign in text for sign in "<>=:!"):
                raise InputError("bad-operator", filter=text, candidates=SIGNS)
            names.extend(fold_query(text).split())
            continue
        conditions.append(_condition(store, text, *found.groups()))
    return conditions, names


def field_of(name: str) -> str:
    """The field a word stands for; raises :class:`InputError` (``unknown-field``)."""
    folded = fold(name).replace(" ", "_").replace("-", "_")
    field = FIELD_WORDS.get(folded, folded)
    if field not in NUMBERS and field not in WORDS:
        from difflib import get_close_matches

        near = get_close_matches(field, [*WORDS, *NUMBERS], 1, 0.75)
        raise InputError("unknown-field", name=name, candidates=list(dict.fromkeys([*near, *WORDS, *NUMBERS])))
    return field


def _condition(store: Store, text: str, name: str, sign: str, value: str) -> Condition:
    field = field_of(name)
    sign = _SAME_SIGN.get(sign, sign)
    value = value.strip()
    if field in NUMBERS:
        inner = re.match(r"^(<=|>=|!=|<|>|=)?\s*(-?\d+)$", value)
        if value.casefold() in ("none", "-", "brak", "нет") and sign in (":", "=", "!="):
            return Condition(field, sign, frozenset())
        if inner is None or (inner[1] and sign != ":"):
            raise InputError("not-a-number", field=field, value=value[:40])
        return Condition(field, inner[1] or sign, frozenset(), float(inner[2]))
    if sign not in (":", "=", "!="):
        raise InputError("bad-operator", filter=text[:60], candidates=(":", "=", "!="))
    if not value:
        raise InputError("bad-operator", filter=text[:60], candidates=SIGNS)
    if field in ("text", "name", "rule"):
        return Condition(field, sign, frozenset((value,)))
    return Condition(field, sign, _values(store, field, value))


def _values(store: Store, field: str, value: str) -> frozenset[str]:
    """The ids that ``value`` names, in any language; an id, a name or the beginning of one."""
    known = _known(store, field)
    asked = fold_query(value)
    for fits in (
        lambda name: name == asked,
        lambda name: bool(_stems(name) & _stems(asked, query=True)),
        lambda name: any(word.startswith(asked) for word in (name, *name.split())),
    ):
        found = {ident for ident, names in known.items() if any(fits(name) for name in names)}
        if found:
            return frozenset(found)
    raise InputError("unknown-value", field=field, value=value[:40], candidates=list(known))


def _stems(text: str, query: bool = False) -> set[str]:
    if " " in text or not text:
        return set()
    stems = query_stems if query else name_stems
    return set().union(*(stems(text, lang) for lang in ("en", "pl", "ru")))


def _known(store: Store, field: str) -> dict[str, list[str]]:
    """Id -> its folded names in all languages, for the fields whose values are a closed list."""
    if field == "family":
        rows = store.query("SELECT family, name FROM family_names")
        known = {row[0]: [fold(row[0])] for row in store.query("SELECT id FROM families ORDER BY position")}
    elif field == "set":
        rows = store.query("SELECT set_id, name FROM set_names")
        known = {row[0]: [fold(row[0])] for row in store.query("SELECT id FROM sets ORDER BY position")}
    else:
        column = {"kind": "SELECT DISTINCT kind FROM cards", "type": "SELECT DISTINCT type FROM types ORDER BY type",
                  "timing": "SELECT DISTINCT timing FROM effects ORDER BY timing"}[field]  # fmt: skip
        prefixes = {"kind": ("card.kind.", "kind."), "type": ("card.type.",), "timing": ("card.timing.",)}[field]
        known = {row[0]: [fold(row[0])] for row in store.query(column)}
        rows = [
            (key.removeprefix(prefix), text)
            for prefix in prefixes
            for key, text in store.query("SELECT key, text FROM messages WHERE key GLOB ?", f"{prefix}*")
        ]
    for ident, name in rows:
        if ident in known:
            known[ident].append(fold(name))
    return known


def filtered(store: Store, conditions: Iterable[Condition], names: list[str]) -> list[CardRow]:
    """The cards that meet all conditions and have all words in a name, in the order of the boxes.

    The copies of a card in a second box are left out unless a box is asked for.
    """
    conditions = list(conditions)
    boxes = any(c.field == "set" for c in conditions)
    cards = [card for card in store.cards.values() if boxes or card.reprint_of is None]
    named = _named(store, names) if names else None
    texts = _Texts(store) if any(c.field == "text" for c in conditions) else None
    return [
        card
        for card in cards
        if (named is None or (card.reprint_of or card.id) in named)
        and all(_meets(store, card, c, texts) for c in conditions)
    ]


def _named(store: Store, names: list[str]) -> set[str]:
    from thunderref.lookup.search import cards_with_words

    return cards_with_words(store, names)


def _meets(store: Store, card: CardRow, condition: Condition, texts: _Texts | None) -> bool:
    if condition.field in NUMBERS:
        figure = getattr(card, condition.field)
        if condition.number is None:
            return (figure is None) == (condition.sign != "!=")
        return figure is not None and _COMPARE[condition.sign](figure, condition.number)
    wanted = condition.values
    if condition.field == "text" and texts is not None:
        met = texts.has(card.id, next(iter(wanted)))
    elif condition.field == "name":
        met = card.id in _named(store, fold_query(next(iter(wanted))).split())
    elif condition.field == "rule":
        rule = next(iter(wanted)).upper()
        met = any(row[0] == rule for row in store.query("SELECT rule FROM card_rules WHERE card = ?", card.id))
    else:
        met = bool(wanted & _values_of(store, card, condition.field))
    return met != (condition.sign == "!=")


def _values_of(store: Store, card: CardRow, field: str) -> set[str]:
    if field == "kind":
        return {card.kind}
    if field == "type":
        return set(store.all_types.get(card.id, ()))
    if field == "set":
        return {card.set_id}
    if field == "family":
        return {card.family} if card.family else set()
    return {effect.timing for effect in store.all_effects.get(card.id, ())}


class _Texts:
    """The texts of cards, folded and by their words' stems."""

    def __init__(self, store: Store) -> None:
        self.words: dict[str, set[str]] = {}
        self.whole: dict[str, str] = {}
        rows = store.query(
            "SELECT e.card, t.lang, t.text FROM effects AS e JOIN texts AS t ON t.key = e.text_key"
            " UNION ALL SELECT cc.card, t.lang, t.text FROM clarification_cards AS cc"
            " JOIN clarifications AS c ON c.id = cc.clarification JOIN texts AS t ON t.key = c.text_key"
        )
        for card, lang, text in rows:
            folded = fold(text)
            self.whole[card] = f"{self.whole.get(card, '')}\n {folded} "
            stems = self.words.setdefault(card, set())
            for word in folded.split():
                stems |= query_stems(word, lang)
        names = store.query("SELECT card, name FROM names")
        for card, name in names:
            self.whole[card] = f"{self.whole.get(card, '')}\n {fold(name)} "

    def has(self, card: str, text: str) -> bool:
        """True if every word of ``text`` (in any ending) is in a text of the card."""
        whole, stems = self.whole.get(card, ""), self.words.get(card, set())
        return all(
            f" {word}" in whole or any(name_stems(word, lang) & stems for lang in ("en", "pl", "ru"))
            for word in fold_query(text).split()
        )


def sort_cards(cards: list[CardRow], keys: Iterable[str], name_of: Callable[[str], str]) -> list[CardRow]:
    """Cards by several fields, the first counting most; ``-cost`` descending; cards without the figure come last."""
    for key in reversed(list(keys)):
        down = key.startswith("-")
        field = field_of(key.lstrip("-+"))
        if field in NUMBERS:
            have = [card for card in cards if getattr(card, field) is not None]
            lack = [card for card in cards if getattr(card, field) is None]
            cards = sorted(have, key=lambda card: getattr(card, field), reverse=down) + lack
        else:
            cards = sorted(cards, key=lambda card: _word_key(card, field, name_of), reverse=down)
    return cards


def _word_key(card: CardRow, field: str, name_of: Callable[[str], str]) -> str:
    if field in ("name", "text", "rule", "timing", "type"):
        return fold(name_of(card.id))
    return str({"kind": card.kind, "set": card.set_id, "family": card.family or ""}[field])
