"""The names of the database, ready to be searched word by word; built once for each open store."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

from thunderref.lookup.distance import letters
from thunderref.lookup.translit import relax
from thunderref.model.games import FIRST_GAME, Game
from thunderref.store.read import SearchRow, Store

FILLERS = frozenset(["the", "of", "a", "an", "z", "i", "и", "из"])
"""Small words of names: a name is complete without them."""


class Entry(NamedTuple):
    """A name: its words (folded), how many of them matter, what it names."""

    words: tuple[str, ...]
    weight: int
    row: SearchRow


class CardKey(NamedTuple):
    """What lookup needs to know of a card."""

    id: str
    kind: str
    family: str | None
    level: int | None
    reprint_of: str | None
    position: int


Shelf = dict[int, list[tuple[str, int]]]
"""Length -> words of that length, each with the set of its letters as bits."""


def _shelf(words: Iterable[str]) -> Shelf:
    shelf: Shelf = {}
    for word in words:
        shelf.setdefault(len(word), []).append((word, letters(word)))
    return shelf


class Vocabulary:
    """The words of all names in one language and how to find them by prefix, stem and likeness."""

    def __init__(self, lang: str, entries: list[tuple[int, Entry]]) -> None:
        self.lang = lang
        self.at: dict[str, list[int]] = {}
        stems: dict[str, set[str]] = {}
        for number, entry in entries:
            for word, its_stems in zip(entry.words, entry.row.stems.split(" "), strict=False):
                at = self.at.get(word)
                if at is None:
                    self.at[word] = [number]
                    for stem in its_stems.split("|"):
                        stems.setdefault(stem, set()).add(word)
                elif at[-1] != number:
                    at.append(number)
        self.words = sorted(self.at)
        self.stems = stems

    def starting_with(self, prefix: str) -> list[str]:
        """The words that begin so."""
        i = bisect_left(self.words, prefix)
        found = []
        while i < len(self.words) and self.words[i].startswith(prefix):
            found.append(self.words[i])
            i += 1
        return found

    @cached_property
    def word_shelf(self) -> Shelf:
        """The words by length."""
        return _shelf(self.words)

    @cached_property
    def stem_shelf(self) -> Shelf:
        """The stems by length."""
        return _shelf(self.stems)

    @cached_property
    def relaxed_shelf(self) -> Shelf:
        """The relaxed spellings by length."""
        return _shelf(self.relaxed)

    @cached_property
    def relaxed(self) -> dict[str, set[str]]:
        """Relaxed spelling -> words (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for word in self.words:
            found.setdefault(relax(word), set()).add(word)
        return found

    @cached_property
    def relaxed_sorted(self) -> list[str]:
        """The relaxed spellings in order."""
        return sorted(self.relaxed)

    @cached_property
    def relaxed_stems(self) -> dict[str, set[str]]:
        """Relaxed stem -> words (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for stem, words in self.stems.items():
            found.setdefault(relax(stem), set()).update(words)
        return found


NAMES = frozenset(("card", "family"))
TERMS = frozenset(("term",))
"""Kinds of subjects that are searched together."""


class Lexicon:
    """The names of some kinds of subjects with the words of each language."""

    def __init__(self, rows: Iterable[SearchRow]) -> None:
        self.entries: list[Entry] = []
        by_lang: dict[str, list[tuple[int, Entry]]] = {}
        for row in rows:
            words = tuple(row.form.split())
            entry = Entry(words, sum(word not in FILLERS for word in words), row)
            by_lang.setdefault(row.lang, []).append((len(self.entries), entry))
            self.entries.append(entry)
        self.languages = {lang: Vocabulary(lang, entries) for lang, entries in by_lang.items()}


class Index:
    """All names of cards, families and terms of one game in a store."""

    def __init__(self, store: Store, game: Game = FIRST_GAME) -> None:
        self.cards = {
            row[0]: CardKey(*row)
            for row in store.query("SELECT id, kind, family, level, reprint_of, position FROM cards ORDER BY position")
        }
        self.families: dict[str, list[str]] = {}
        for card in self.cards.values():
            if card.family is not None and card.reprint_of is None:
                self.families.setdefault(card.family, []).append(card.id)
        self.terms: dict[str, int] = dict(store.query("SELECT id, position FROM terms"))
        self.rows = store.search_rows(game=game)
        self.forms: dict[str, list[SearchRow]] = {}
        self.sorted_words: dict[str, list[SearchRow]] = {}
        self.joined: dict[str, list[SearchRow]] = {}
        for row in self.rows:
            self.forms.setdefault(row.form, []).append(row)
            self.sorted_words.setdefault(row.words, []).append(row)
            self.joined.setdefault(row.joined, []).append(row)
        self._lexicons: dict[frozenset[str], Lexicon] = {}

    def lexicon(self, kinds: frozenset[str]) -> Lexicon:
        """The names of these kinds of subjects (:data:`NAMES` or :data:`TERMS`), built on first use."""
        found = self._lexicons.get(kinds)
        if found is None:
            found = self._lexicons[kinds] = Lexicon(row for row in self.rows if row.lang and row.kind in kinds)
        return found

    def exact(self, form: str, words: str, joined: str) -> list[SearchRow]:
        """The names equal to a folded query but for the order of words and for blanks."""
        return self.forms.get(form, []) + self.sorted_words.get(words, []) + self.joined.get(joined, [])

    @cached_property
    def answers(self) -> dict[object, object]:
        """Results of earlier look-ups."""
        return {}


_indexes: WeakKeyDictionary[Store, dict[Game, Index]] = WeakKeyDictionary()


def index_of(store: Store, game: Game = FIRST_GAME) -> Index:
    """The index of a game in a store, built on first use."""
    built = _indexes.setdefault(store, {})
    if game not in built:
        built[game] = Index(store, game)
    return built[game]


def built_index(store: Store) -> Index | None:
    """The index of the game with cards if it has been built already."""
    return _indexes.get(store, {}).get(FIRST_GAME)
