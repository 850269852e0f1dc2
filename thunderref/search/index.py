"""The names of the database, ready to be searched word by word; built once for each open database."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database, SearchRow
from thunderref.search.matching import Vocabulary
from thunderref.search.query import Found
from thunderref.text.folding import fold, join_words, sort_words, weighty

CARDS = ("card", "family")
TERMS = ("term",)
"""Kinds of subjects that are searched together."""
_OTHERS = {CARDS: "term", TERMS: "family"}
"""Kinds that are searched -> the kind whose names are not taken for theirs."""


class Entry(NamedTuple):
    """A name: its words (folded), how many of them matter, what it names."""

    words: tuple[str, ...]
    weight: int
    row: SearchRow


class Index:
    """The names of the cards and their families, or of the terms, of one game.

    ``entries`` are the names, ``languages`` their words by language, ``forms`` the names and ids by their folded form;
    ``other_names`` those of terms and families that are not searched for, ``noise`` words of a question that are part
    of no name, ``answers`` the results of earlier look-ups.
    """

    def __init__(self, database: Database, kinds: tuple[str, ...], game: Game) -> None:
        self.cards = database.cards if kinds == CARDS else {}
        self.database, self.reprints = database, database.reprints
        self.families: dict[str, list[str]] = {}
        for card in self.cards.values():
            if card.family is not None and card.reprint_of is None:
                self.families.setdefault(card.family, []).append(card.id)
        self.positions: dict[str, int] = dict(database.query(f"SELECT id, position FROM {kinds[0]}s"))
        self.rows = database.search_rows(kinds, game)
        self.forms: dict[str, list[SearchRow]] = {}
        for row in self.rows:
            self.forms.setdefault(row.form, []).append(row)
        others = database.query("SELECT form FROM names WHERE kind = ? AND game = ?", _OTHERS[kinds], game)
        self.other_names = {form for (form,) in others}
        self.noise = frozenset(fold(" ".join(database.message("search.words.noise"))).split())
        self.answers: dict[object, Found] = {}

    @cached_property
    def entries(self) -> list[Entry]:
        names = ((tuple(row.form.split()), row) for row in self.rows if row.lang)
        return [Entry(words, len(weighty(words)), row) for words, row in names]

    @cached_property
    def languages(self) -> dict[str, Vocabulary]:
        found: dict[str, Vocabulary] = {}
        for number, (words, _, row) in enumerate(self.entries):
            found.setdefault(row.lang, Vocabulary(row.lang)).add(number, words, row.stems)
        return found

    @cached_property
    def shown(self) -> dict[tuple[str, str], SearchRow]:
        """The name of a card or term that is shown in a language."""
        return {(row.subject, row.lang): row for row in self.rows if row.position == 0 and row.kind != "family"}

    @cached_property
    def aliases(self) -> list[tuple[str, SearchRow]]:
        """What players call the cards, joined, and the name that is shown for it."""
        rows = self.database.query("SELECT joined, card, lang FROM aliases") if self.cards else []
        return [(joined, self.shown[card, lang]) for joined, card, lang in rows]

    def called(self, form: str) -> list[SearchRow]:
        """The shown names of the cards with exactly this alias."""
        rows = self.database.query("SELECT card, lang FROM aliases WHERE form = ?", form) if self.cards else []
        return [self.shown[row] for row in rows]

    def is_everyday(self, word: str) -> bool:
        """True if a question that has nothing to do with the games has the word."""
        return bool(self.cards and self.database.query("SELECT 1 FROM everyday WHERE word = ?", word))

    def cards_with(self, keys: Collection[str]) -> dict[str, dict[tuple[int, int], str]]:
        """Card -> alias (0: a printed name) and its size -> language, for all that have a word with one of the keys."""
        sql = f"SELECT card, alias, size, lang FROM card_words WHERE stem IN ({', '.join('?' * len(keys))})"
        found: dict[str, dict[tuple[int, int], str]] = {}
        for card, alias, size, lang in self.database.query(sql, *keys):
            found.setdefault(card, {})[alias, size] = lang
        return found

    def exact(self, form: str) -> list[SearchRow]:
        """The names and ids equal to a folded query but for the order of words and for blanks, the nearest first."""
        words, joined = sort_words(form), join_words(form)
        rows = [
            row for rows in self.forms.values() if rows[0].words == words or rows[0].joined == joined for row in rows
        ]
        return sorted(rows, key=lambda row: (row.form != form, row.words != words))

    def ids(self, row: SearchRow) -> list[str]:
        if row.kind == "family":
            return self.families.get(row.subject, [])
        return [self.reprints.get(row.subject, row.subject)]


def index_of(database: Database, kinds: tuple[str, ...] = CARDS, game: Game = FIRST_GAME) -> Index:
    return database.derived(Index, kinds, game)
