"""The quick way: a query that is a card's name or id. Most look-ups end here and need no index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.lookup.normalise import fold_query, join_words, sort_words
from thunderref.store.read import SearchRow, Store

MAX_LENGTH = 200
"""A longer query is refused."""


class Hit(NamedTuple):
    """A card found: how well (0 to 100), how (``exact``, ``inflected``, ...), by which name in which language."""

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


def exact_card(store: Store, form: str) -> Found | None:
    """The one card whose name or id is the folded query, in any language and order of words; else None."""
    rows = store.search_exact(form, sort_words(form), join_words(form))
    reprints = dict(store.query("SELECT id, reprint_of FROM cards WHERE reprint_of IS NOT NULL")) if rows else {}
    hits = exact_hits(rows, reprints)
    return Found((hits[0],), 1) if len(hits) == 1 else None


def exact_hits(rows: Iterable[SearchRow], reprints: dict[str, str]) -> list[Hit]:
    """The cards among exactly matching names; a reprint counts as its base card unless its id was given."""
    hits: dict[str, Hit] = {}
    for row in rows:
        if row.kind == "card":
            card = reprints.get(row.subject, row.subject) if row.lang else row.subject
            old = hits.get(card)
            if old is None or (old.lang == "" and row.lang):
                hits[card] = Hit(card, 100, "exact", row.lang, row.name)
    return list(hits.values())


def shorten(text: str, length: int = 60) -> str:
    """A query as it may be quoted: control characters gone, cut to ``length`` characters."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    clean = " ".join(clean.split())
    return clean if len(clean) <= length else clean[: length - 1] + "…"
