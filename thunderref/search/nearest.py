"""The names that look like what was typed, for those whom nothing answers."""

from __future__ import annotations

from collections.abc import Set
from itertools import product

from thunderref.database.read import SearchRow
from thunderref.search.index import Index
from thunderref.search.query import MAX_LENGTH, Hit
from thunderref.text.folding import fold_query, join_words, weighty

LEAST = 26
"""How like a name must be what was typed, of 50, to be suggested."""


def nearest_names(index: Index, text: str, allowed: Set[str] | None = None, limit: int = 3) -> list[Hit]:
    """The cards or terms whose names look much like ``text``, or like a word of it."""
    form = fold_query(text[:MAX_LENGTH])
    best: dict[str, tuple[float, SearchRow]] = {}
    for entry in index.entries:
        row, ident = entry.row, entry.row.subject
        wanted = row.kind != "family" and ident not in index.reprints and (allowed is None or ident in allowed)
        if row.position == 0 and wanted:
            score = _likeness(join_words(form), row.joined)
            for word, typed in product(weighty(entry.words), form.split()) if row.kind == "card" else ():
                score = max(score, 0.8 * _likeness(typed, word))
            best[ident] = max(best.get(ident, (score, row)), (score, row), key=lambda found: found[0])
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], index.positions[item[0]]))
    near = [Hit(ident, round(score * 50), "nearest", row.lang, row.name) for ident, (score, row) in ranked[:limit]]
    return [hit for hit in near if hit.score >= LEAST]


def _likeness(a: str, b: str) -> float:
    first, second = ({f" {text}"[i : i + 2] for i in range(len(text))} for text in (a, b))
    pairs = 2 * len(first & second) / max(1, len(first) + len(second))
    return 0.75 * pairs + 0.25 * len(set(a) & set(b)) / max(1, len(set(a) | set(b)))
