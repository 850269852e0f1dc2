"""The texts of a game by their words: full-text search over cards, rulings, rules and terms."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, Game, passage_index
from thunderref.database.read import Database
from thunderref.search.query import Hit, NamesFound
from thunderref.text.stems import small_words, tokens

_MOST_CARDS = 8
"""The most cards that are found by their texts."""


class Passage(NamedTuple):
    """A row of the table ``passages``; the lower ``rank``, the better."""

    key: str
    kind: str
    subject: str
    lang: str
    words: str
    names: str
    rank: float = 0.0


def _having(database: Database, game: Game, asked: Iterable[str], lang: str, kinds: Iterable[str]) -> list[Passage]:
    """Return the passages of these kinds with any of these tokens, the best (by BM25) first."""
    match, table = " OR ".join(f'"{token}"' for token in asked), passage_index(game)
    if not match:
        return []
    rows = database.query(
        f"SELECT p.key, p.kind, p.subject, p.lang, p.tokens, p.names, bm25({table}) AS rank"
        f" FROM {table} JOIN passages AS p ON p.id = {table}.rowid WHERE {table} MATCH ?"
        " AND p.lang = ? AND p.kind IN (SELECT value FROM json_each(?)) ORDER BY rank",
        match, lang, json.dumps([*kinds]),
    )  # fmt: skip
    return [Passage(*row) for row in rows]


def telling(text: str, lang: str) -> list[str]:
    """The tokens of a text without the small words, each once."""
    small = small_words(lang)
    return [token for token in dict.fromkeys(tokens(text, lang)) if token not in small]


def find_passages(
    database: Database, text: str, kinds: tuple[str, ...], limit: int = 10, game: Game = FIRST_GAME
) -> list[tuple[Passage, float]]:
    """The texts of a game, of these kinds, with most words of ``text``, and the share of its words they have (0 to 1).

    The best comes first. Only texts with at least half of the words count, and with two of them if there are as many.
    """
    found: dict[tuple[str, str], tuple[float, float, Passage]] = {}
    for lang in database.languages:
        asked = telling(text, lang)[:12]
        for passage in _having(database, game, asked, lang, kinds):
            present = len(set(asked) & set(passage.words.split()))
            share = present / len(asked)
            if share >= 0.5 and present >= min(2, len(asked)):
                about = passage.kind, passage.subject
                hit = (-share, passage.rank, passage)
                found[about] = min(hit, found.get(about, hit))
    return [(passage, -share) for share, _, passage in sorted(found.values(), key=lambda item: item[:2])[:limit]]


def cards_by_text(database: Database, text: str) -> NamesFound:
    """The cards whose texts or rulings have all words of ``text`` (two at least): for questions that name no card."""
    hits: dict[str, Hit] = {}
    for passage, share in find_passages(database, text, ("effect", "clarify"), 20):
        if share < 1 or len(telling(text, passage.lang)) < 2:
            continue
        sql = "SELECT card FROM clarification_cards WHERE clarification = ?"
        for (card,) in database.query(sql if passage.kind == "clarify" else "SELECT ?", passage.subject):
            name = database.names("card", card).get(passage.lang)
            hits.setdefault(card, Hit(card, 45, "text", passage.lang, name.name if name else card))
    return NamesFound(tuple(hits.values())[:_MOST_CARDS], min(len(hits), _MOST_CARDS))
