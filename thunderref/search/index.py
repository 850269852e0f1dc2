"""The names of the database, ready to be searched word by word; built once for each open database."""

from __future__ import annotations

from typing import NamedTuple

from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database, SearchRow
from thunderref.search.matching import Vocabulary
from thunderref.search.query import Found
from thunderref.text.folding import join_words, sort_words

FILLERS = frozenset(["the", "of", "a", "an", "z", "i", "и", "из"])
"""Small words: a name is complete without them."""
CARDS = ("card", "family")
TERMS = ("term",)
"""Kinds of subjects that are searched together."""


class Entry(NamedTuple):
    """A name: its words (folded), how many of them matter, what it names."""

    words: tuple[str, ...]
    weight: int
    row: SearchRow


class Index:
    """The names of the cards and their families, or of the terms, of one game.

    ``entries`` are the names, ``languages`` their words by language, ``forms`` the names and ids by their folded form;
    ``other_names`` those of terms and families that are not searched for, ``answers`` the results of earlier look-ups.
    """

    def __init__(self, database: Database, kinds: tuple[str, ...], game: Game) -> None:
        self.cards = database.cards if kinds == CARDS else {}
        self.reprints = database.reprints
        self.families: dict[str, list[str]] = {}
        for card in self.cards.values():
            if card.family is not None and card.reprint_of is None:
                self.families.setdefault(card.family, []).append(card.id)
        self.positions: dict[str, int] = dict(database.query(f"SELECT id, position FROM {kinds[0]}s"))
        self.entries: list[Entry] = []
        self.languages: dict[str, Vocabulary] = {}
        self.forms: dict[str, list[SearchRow]] = {}
        self.other_names: set[str] = set()
        self.answers: dict[object, Found] = {}
        for row in database.search_rows(game):
            if row.kind not in kinds:
                if row.kind != "card":
                    self.other_names.add(row.form)
                continue
            self.forms.setdefault(row.form, []).append(row)
            if row.lang:
                words = tuple(row.form.split())
                entry = Entry(words, sum(word not in FILLERS for word in words), row)
                self.languages.setdefault(row.lang, Vocabulary(row.lang)).add(len(self.entries), words, row.stems)
                self.entries.append(entry)

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
