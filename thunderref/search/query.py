"""What is typed and what it finds; and the quick way: most look-ups are a card's name or id and need no index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from thunderref.database.read import Database, SearchRow
from thunderref.errors import InputError
from thunderref.text.folding import fold_query, join_words, sort_words

MAX_LENGTH = 200
"""A longer query is refused."""


class Hit(NamedTuple):
    """A card or term found: how well (0 to 100), how (``exact``, ``inflected``, ...), by which name and language."""

    id: str
    score: int
    how: str
    lang: str
    name: str


class Found(NamedTuple):
    """What a query finds, best first; the first ``equals`` hits fit about equally well."""

    hits: tuple[Hit, ...]
    equals: int


def checked_query(text: str) -> str:
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


def exact_card(database: Database, form: str) -> Found | None:
    rows = database.search_exact(form, sort_words(form), join_words(form))
    hits = exact_hits((row for row in rows if row.kind == "card"), database.reprints if rows else {})
    return Found((hits[0],), 1) if len(hits) == 1 else None


def exact_hits(rows: Iterable[SearchRow], reprints: Mapping[str, str]) -> list[Hit]:
    """What exactly matching names stand for; a reprint counts as its base card unless its id was typed."""
    hits: dict[str, Hit] = {}
    for row in rows:
        ident = reprints.get(row.subject, row.subject) if row.lang else row.subject
        if ident not in hits or (row.lang and not hits[ident].lang):
            hits[ident] = Hit(ident, 100, "exact", row.lang, row.name)
    return list(hits.values())
