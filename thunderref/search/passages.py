"""The texts of a game by their words: full-text search over cards, rulings, rules and terms."""

from __future__ import annotations

import json
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, Game, passage_index
from thunderref.database.read import Database
from thunderref.search.query import Hit, NamesFound
from thunderref.text.stems import small_words, tokens

_MOST_CARDS = 8
"""The most cards that are found by their texts."""


class Passage(NamedTuple):
    """A row of the table ``passages``."""

    kind: str
    subject: str
    lang: str


def telling(text: str, lang: str) -> list[str]:
    """The tokens of a text without the small words, each once."""
    small = small_words(lang)
    return [token for token in dict.fromkeys(tokens(text, lang)) if token not in small]


def find_passages(
    database: Database, text: str, kinds: tuple[str, ...], limit: int, game: Game = FIRST_GAME
) -> list[tuple[Passage, float]]:
    """The texts of a game, of these kinds, with most words of ``text``, and the share of its words they have (0 to 1).

    The best comes first, of equals the best by BM25. Only texts with at least half of the words count, and with two of
    them if there are as many.
    """
    table, best = passage_index(game), dict[tuple[str, str], tuple[float, float, Passage]]()
    for lang in database.languages:
        stems = telling(text, lang)[:12]
        rows = database.query(
            f"SELECT p.kind, p.subject, p.tokens, bm25({table}) FROM {table} JOIN passages AS p ON p.id = {table}.rowid"
            f" WHERE {table} MATCH ? AND p.lang = ? AND p.kind IN (SELECT value FROM json_each(?))",
            " OR ".join(f'"{token}"' for token in stems), lang, json.dumps(kinds),
        ) if stems else []  # fmt: skip
        for kind, subject, words, rank in rows:
            present = len({*stems}.intersection(words.split()))
            if 2 * present >= len(stems) and present >= min(2, len(stems)):
                hit = -present / len(stems), rank, Passage(kind, subject, lang)
                best[kind, subject] = min(hit, best.get((kind, subject), hit))
    return [(passage, -share) for share, _, passage in sorted(best.values(), key=lambda item: item[:2])[:limit]]


def find_whole(
    database: Database, text: str, kinds: tuple[str, ...], limit: int, game: Game = FIRST_GAME
) -> list[Passage]:
    """The texts that have every telling word of ``text``, if there are two at least, as :func:`find_passages`."""
    passages = find_passages(database, text, kinds, limit, game)
    return [passage for passage, share in passages if share == 1 and len(telling(text, passage.lang)) > 1]


def cards_by_text(database: Database, text: str) -> NamesFound:
    """The cards whose texts or rulings have all words of ``text`` (two at least): for questions that name no card."""
    hits: dict[str, Hit] = {}
    for passage in find_whole(database, text, ("effect", "clarify"), 20):
        sql = "SELECT card FROM clarification_cards WHERE clarification = ?"
        for (card,) in database.query(sql if passage.kind == "clarify" else "SELECT ?", passage.subject):
            name = database.names("card", card).get(passage.lang)
            hits.setdefault(card, Hit(card, 45, "text", passage.lang, name.name if name else card))
    return NamesFound(tuple(hits.values())[:_MOST_CARDS], min(len(hits), _MOST_CARDS))
