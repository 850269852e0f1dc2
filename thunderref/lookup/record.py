"""A card as look-ups return it: the JSON shape of the outside contract, in plain values."""

from __future__ import annotations

import json
from typing import Any

from thunderref.lookup.exact import Hit
from thunderref.store.read import Store

FIGURES = (
    "cost", "gold", "light", "vp", "strength", "weight", "health", "xp", "level_cost", "light_penalty", "attack",
    "magic_attack",
)  # fmt: skip
"""The figures a card may carry, in the order they are shown."""


def card_record(store: Store, card_id: str, lang: str, hit: Hit | None = None) -> dict[str, Any]:
    """All about a card; texts in every language, ``conflicts`` in ``lang`` (English where it lacks them).

    Keys beyond those of the contract: ``official`` (language -> False for a name of our own), ``reprints`` (set and
    count of the copies in another box), ``levels`` (the other levels of the same hero), ``rules``, and how the query
    found it. Figures the card lacks are None. Raises KeyError for an unknown id.
    """
    card = store.card(card_id)
    names = store.names(card_id)
    abilities: list[dict[str, Any]] = [
        {"timing": effect.timing, "mandatory": effect.mandatory, "text": store.texts(effect.text_key)}
        for effect in store.effects(card_id)
    ]
    clarifications = _clarifications(store, card.reprint_of or card_id)
    conflicts = _conflicts(store, "card", card.reprint_of or card_id, lang)
    rules = [row[0] for row in store.query("SELECT rule FROM card_rules WHERE card = ?", card_id)]
    rules += [rule for clarification in clarifications for rule in clarification["rules"]]
    record: dict[str, Any] = {
        "id": card_id,
        "score": hit.score if hit else 100,
        "name": {code: names[code].name if code in names else None for code in store.languages},
        "official": {code: row.official for code, row in names.items()},
        "set": card.set_id,
        "kind": card.kind,
        "family": card.family,
        "level": card.level,
        "count": card.count,
        "reprints": [
            {"id": row[0], "set": row[1], "count": row[2]}
            for row in store.query("SELECT id, set_id, count FROM cards WHERE reprint_of = ?", card_id)
        ],
        "types": list(store.types(card_id)),
    }
    for figure in FIGURES:
        record[figure] = getattr(card, figure)
    record |= {
        "text": _whole_text(abilities, list(store.languages)),
        "clarifications": clarifications,
        "conflicts": conflicts,
        "abilities": abilities,
        "levels": _levels(store, card_id, card.kind, card.family),
        "rules": sorted(dict.fromkeys(rules), key=rule_order),
    }
    if hit is not None:
        record["matched"] = {"how": hit.how, "lang": hit.lang or None, "name": hit.name}
    return record


def rule_order(rule: str) -> tuple[int, int, str]:
    """Sorts rule ids as the rules are numbered: R5.2 before R5.11."""
    section, _, number = rule[1:].partition(".")
    digits = "".join(c for c in number if c.isdigit())
    return (int(section) if section.isdigit() else 99, int(digits or 0), number)


def conflicts_of(store: Store, kind: str, subject: str, lang: str) -> list[dict[str, Any]]:
    """What the editions disagree on about a ``card``, ``rule`` or ``term``."""
    return _conflicts(store, kind, subject, lang)


def _whole_text(abilities: list[dict[str, Any]], languages: list[str]) -> dict[str, str | None]:
    """The texts of all abilities of a card by language; None where the card has no ability."""
    found: dict[str, str | None] = {}
    for code in languages:
        texts = [ability["text"].get(code) or ability["text"].get("en") for ability in abilities]
        found[code] = " ".join(text for text in texts if text) or None
    return found


def _clarifications(store: Store, card_id: str) -> list[dict[str, Any]]:
    rows = store.query(
        "SELECT c.id, c.rules, t.lang, t.text FROM clarification_cards AS cc"
        " JOIN clarifications AS c ON c.id = cc.clarification JOIN texts AS t ON t.key = c.text_key"
        " JOIN languages AS l ON l.lang = t.lang WHERE cc.card = ? ORDER BY c.position, l.position",
        card_id,
    )
    return [{"id": row[0], "lang": row[2], "text": row[3], "rules": json.loads(row[1])} for row in rows]


def _conflicts(store: Store, kind: str, subject: str, lang: str) -> list[dict[str, Any]]:
    rows = store.query(
        "SELECT c.id, c.sources, c.text_key FROM conflict_subjects AS s JOIN conflicts AS c ON c.id = s.conflict"
        " WHERE s.kind = ? AND s.subject = ? ORDER BY c.position",
        kind,
        subject,
    )
    found = []
    for name, sources, key in rows:
        texts = store.texts(key)
        text = texts.get(lang) or texts.get("en")
        if text:
            cards = store.query(
                "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY rowid", name
            )
            about = [card for (card,) in cards]
            found.append({"id": name, "cards": about, "text": text, "texts": texts, "sources": json.loads(sources)})
    return found


def _levels(store: Store, card_id: str, kind: str, family: str | None) -> list[dict[str, Any]]:
    if kind != "hero" or family is None:
        return []
    rows = store.query("SELECT id, level FROM cards WHERE family = ? AND kind = 'hero' ORDER BY level", family)
    return [{"id": row[0], "level": row[1]} for row in rows if row[0] != card_id]
