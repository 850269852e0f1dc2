"""The texts of a game by their words: full-text search over cards, rulings, rules, terms and conflicts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import log
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, Game, passage_index
from thunderref.database.read import Database
from thunderref.search.names import edits
from thunderref.search.query import Hit, NamesFound
from thunderref.text.stems import small_words, tokens

Tokens = dict[str, float]
"""Token of the full-text index -> how surely (0 to 1) a word means it."""

_UNKNOWN = 2.0
"""A word that no answer has weighs so much more than one that a single answer has."""
_IN_QUESTIONS = 0.5
"""How much a word makes two questions alike, measured by what it says of an answer: there are more questions."""
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


class PassageIndex:
    """The full-text index of a game and its vocabulary; ``size``: its targets, ``asked``: its questions by language."""

    def __init__(self, database: Database, game: Game) -> None:
        self._database = database
        self._game = game
        self._table = passage_index(game)
        answers = "SELECT count(*) FROM passages WHERE kind = 'target' AND lang = 'en' AND game = ?"
        self.size: int = database.query(answers, game)[0][0]
        questions = "SELECT lang, count(*) FROM passages WHERE kind IN ('question', 'told') AND game = ? GROUP BY lang"
        self.asked: dict[str, int] = dict(database.query(questions, game))

    def having(self, asked: Iterable[str], lang: str, kinds: Iterable[str], limit: int = -1) -> list[Passage]:
        """The passages of these kinds with any of these tokens, the best (by BM25) first."""
        match = " OR ".join(f'"{token}"' for token in asked)
        if not match:
            return []
        rows = self._database.query(
            f"SELECT p.key, p.kind, p.subject, p.lang, p.tokens, p.names, bm25({self._table}) AS rank"
            f" FROM {self._table} JOIN passages AS p ON p.id = {self._table}.rowid WHERE {self._table} MATCH ?"
            " AND p.lang = ? AND p.kind IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?",
            match, lang, json.dumps(list(kinds)), limit,
        )  # fmt: skip
        return [Passage(*row) for row in rows]

    def known(self, start: str) -> dict[str, int]:
        """The tokens that begin so, with the number of answers that have them."""
        sql = "SELECT token, targets FROM vocabulary WHERE game = ? AND token >= ? AND token < ?"
        return dict(self._database.query(sql, self._game, start, f"{start}\U0010ffff"))

    def answers(self, token: str) -> int:
        """How many answers have a token; none has one of foreign questions only."""
        return self._counts(token)[0]

    def _counts(self, token: str) -> tuple[int, int]:
        """How many answers and how many questions have a token."""
        rows = self._database.query(
            "SELECT targets, questions FROM vocabulary WHERE token = ? AND game = ?", token, self._game
        )
        return rows[0] if rows else (0, 0)

    def weight(self, token: str) -> float:
        """How much a word says: the more, the fewer answers have it; one that none has speaks against them all."""
        count = self.answers(token)
        return _rarity(count, self.size) * (1 if count else _UNKNOWN)

    def likeness(self, token: str) -> float:
        """How much a word makes a question like another: the more, the fewer questions have it."""
        return _IN_QUESTIONS * _rarity(self._counts(token)[1], self.asked.get(token.partition("·")[0], 0))

    def related(self, token: str) -> Tokens:
        """The token itself, and those that may be other forms of the same word: the same beginning, other endings."""
        lang, _, bare = token.partition("·")
        words = self.known(f"{lang}·{bare[: max(4, len(bare) - 2)]}")
        own = {token: 1.0} if token in words else {}
        if len(bare) < 4 or not bare.isalpha() or (own and lang == "en"):
            return own
        start, longest = token[:-1] if own else "", len(token) + (2 if len(bare) > 5 else 1)
        near = (word for word in words if word.startswith(start) and len(word) <= longest)
        return dict.fromkeys(near, 0.7 if own else 0.4) | own

    def alike(self, token: str, form: str) -> Tokens:
        """The tokens a typing error away from a word: without its ending, or whole if that leaves too little.

        A word of another game is none.
        """
        lang, _, bare = token.partition("·")
        bare = bare if len(bare) >= 4 else form
        elsewhere = "SELECT 1 FROM vocabulary WHERE token = ? AND targets"
        if len(bare) < 4 or not bare.isalpha() or self._database.query(elsewhere, token):
            return {}
        words = [word.partition("·")[2] for word in self.known(f"{lang}·")]
        near = [(words[i], cost) for i, cost in edits(bare, words, 1 if len(bare) < 7 else 2)]
        found = {f"{lang}·{word}": 0.75 - 0.2 * cost for word, cost in near if word[0] == bare[0] and word.isalpha()}
        best = max(found.values(), default=0.0)
        return {word: factor for word, factor in found.items() if factor >= best - 0.11}


def _rarity(count: int, size: int) -> float:
    return log(1 + (size - count + 0.5) / (count + 0.5))


def passages_of(database: Database, game: Game = FIRST_GAME) -> PassageIndex:
    return database.derived(PassageIndex, game)


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
        for passage in passages_of(database, game).having(asked, lang, kinds):
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
