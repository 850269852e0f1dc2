"""Finding rules: by id, by section, by the name of a trait, keyword or procedure, by the words of their texts."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.lookup.distance import likeness
from thunderref.lookup.exact import checked_query, shorten
from thunderref.lookup.index import TERMS, index_of
from thunderref.lookup.names import TermSearch
from thunderref.lookup.normalise import fold_query, join_words
from thunderref.lookup.passages import find_passages
from thunderref.lookup.record import conflicts_of, rule_order
from thunderref.store.read import SearchRow, Store

_ID = re.compile(r"^[rр]?\s*(\d{1,2})(?:\s*[.,]\s*(\d{1,2})\s*([a-zу])?)?$", re.IGNORECASE)
READINGS = frozenset(("readings", "reading", "odczytania", "odczytanie", "толкования", "толкование", "трактовки"))
"""Words that ask for the list of open questions."""


class RuleHit(NamedTuple):
    """A rule or term found: how well (0 to 100) and how (``id``, ``exact``, ..., ``text``)."""

    kind: str
    id: str
    score: int
    how: str


def find_rules(store: Store, text: str, lang: str | None = None) -> list[RuleHit]:
    """The rules and terms that ``text`` asks for, best first; a section brings all its rules, a term those it cites.

    Raises :class:`InputError` for an empty or an over-long text, :class:`NoAnswerError` (``unknown-rule``, the nearest
    terms named in ``lang``) where nothing fits.
    """
    rules = {row[0]: row[1] for row in store.query("SELECT id, status FROM rules ORDER BY position")}
    form = checked_query(text)
    if form in READINGS:
        return [RuleHit("rule", rule, 100, "id") for rule, status in rules.items() if status == "reading"]
    number = _ID.match(text.strip())
    if number is not None:
        found = _by_id(rules, number)
        if not found:
            near = [rule for rule in rules if rule.startswith(f"R{number[1]}.")] or [r for r in rules if "." not in r]
            raise NoAnswerError("unknown-rule", name=shorten(text), candidates=near)
        return found
    hits = _by_name(store, form, text)
    hits += _by_text(store, text, {(hit.kind, hit.id) for hit in hits}, bool(hits))
    if not hits:
        raise NoAnswerError("unknown-rule", name=shorten(text), candidates=nearest_terms(store, text, lang=lang))
    return hits


def _by_id(rules: dict[str, str], number: re.Match[str]) -> list[RuleHit]:
    section, rule, letter = number[1], number[2], (number[3] or "").lower().replace("у", "y")
    if rule is None:
        inside = [name for name in rules if name == f"R{section}" or name.startswith(f"R{section}.")]
        return [RuleHit("rule", name, 100 if name == f"R{section}" else 90, "id") for name in inside]
    wanted = f"R{section}.{rule}{letter}"
    found = [RuleHit("rule", wanted, 100, "id")] if wanted in rules else []
    others = [name for name in rules if name != wanted and re.fullmatch(rf"R{section}\.{rule}[a-z]?", name)]
    return found + [RuleHit("rule", name, 80, "id") for name in others] if found else []


def _by_name(store: Store, form: str, text: str) -> list[RuleHit]:
    index = index_of(store)
    found = TermSearch(index, form, text, None).run(more=False)
    explained = [hit for hit in found.hits if _matters(store, hit.id)] or list(found.hits)
    hits = [RuleHit("term", hit.id, hit.score, hit.how) for hit in explained[:10]]
    cited: dict[str, int] = {}
    for hit in explained[:3]:
        for (rule,) in store.query("SELECT rule FROM term_rules WHERE term = ?", hit.id):
            cited.setdefault(rule, max(1, hit.score - 5))
    return hits + [RuleHit("rule", rule, cited[rule], "term") for rule in sorted(cited, key=rule_order)]


def _matters(store: Store, term: str) -> bool:
    """False for titles and headings of the booklets, which no one asks for if a term of the game has the same name."""
    group = store.query("SELECT grp FROM terms WHERE id = ?", term)
    return bool(group) and group[0][0] not in ("title", "heading", "place")


def _by_text(store: Store, text: str, known: set[tuple[str, str]], named: bool) -> list[RuleHit]:
    hits = []
    for passage in find_passages(store, text, ("rule", "term"), 8):
        if (passage.kind, passage.subject) not in known:
            score = round(60 * passage.share) if not named else round(40 * passage.share)
            hits.append(RuleHit(passage.kind, passage.subject, score, "text"))
    return hits


def nearest_terms(store: Store, text: str, limit: int = 3, lang: str | None = None) -> list[str]:
    """The names of terms that look most like ``text``, in ``lang`` or whatever language they were found in."""
    form = join_words(fold_query(text[:200]))
    scored: dict[str, tuple[float, SearchRow]] = {}
    for entry in index_of(store).lexicon(TERMS).entries:
        row = entry.row
        if row.kind == "term" and row.preferred:
            score = likeness(form, row.joined)
            if row.subject not in scored or score > scored[row.subject][0]:
                scored[row.subject] = (score, row)
    best = sorted(scored.values(), key=lambda item: -item[0])[:limit]
    if lang is None:
        return [row.name for _, row in best]
    names = store.names_of("term", lang)
    return [names[row.subject].name if row.subject in names else row.name for _, row in best]


def rule_record(store: Store, hit: RuleHit, lang: str) -> dict[str, Any]:
    """A rule or term in plain values: ``name`` and ``text`` by language (a rule's name is its id), ``status``, the
    ``rules`` of a term or of a section, ``cards`` that cite it, ``conflicts`` in ``lang``, ``see``."""
    if hit.kind == "term":
        rows = store.query("SELECT lang, name FROM term_names WHERE term = ? AND position = 0", hit.id)
        names = {row[0]: row[1] for row in rows}
        name = {code: names.get(code) for code in store.languages}
        rules = sorted(
            (r[0] for r in store.query("SELECT rule FROM term_rules WHERE term = ?", hit.id)), key=rule_order
        )
        status, see, cards = None, [], _cards_of_term(store, hit.id)
    else:
        name = dict.fromkeys(store.languages, hit.id)
        row = store.query("SELECT status, see FROM rules WHERE id = ?", hit.id)[0]
        status, see = row[0], json.loads(row[1])
        inside = store.query("SELECT id FROM rules WHERE id LIKE ? ORDER BY position", f"{hit.id}.%")
        rules = [r[0] for r in inside] if "." not in hit.id else []
        cards = _cards_of_rule(store, hit.id)
    return {
        "id": hit.id,
        "kind": hit.kind,
        "score": hit.score,
        "name": name,
        "text": store.texts(f"{hit.kind}.{hit.id}"),
        "status": status,
        "rules": rules,
        "cards": cards,
        "conflicts": conflicts_of(store, hit.kind, hit.id, lang),
        "see": see,
        "matched": {"how": hit.how},
    }


def _cards_of_rule(store: Store, rule: str) -> list[str]:
    rows = store.query(
        "SELECT c.id FROM card_rules AS r JOIN cards AS c ON c.id = r.card"
        " WHERE r.rule = ? AND c.reprint_of IS NULL ORDER BY c.position",
        rule,
    )
    return [row[0] for row in rows]


def _cards_of_term(store: Store, term: str) -> list[str]:
    """The cards with the term on their type line or as the timing word of an ability."""
    kind = {"class-militia": "militia", "light-item": "light"}.get(term, term.removeprefix("class-"))
    rows = store.query(
        "SELECT c.id FROM cards AS c WHERE c.reprint_of IS NULL AND (c.id IN (SELECT card FROM types WHERE type = ?)"
        " OR c.id IN (SELECT card FROM effects WHERE timing = ?)) ORDER BY c.position",
        kind,
        kind.removesuffix("-effect").removesuffix("-keyword"),
    )
    return [row[0] for row in rows]
