"""The names of the database, ready to be searched word by word, and how a word of a query matches one of them.

Equal, inflected, abbreviated, mistyped, ...; built once for each open database.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cached_property
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, Game
from thunderref.database.read import Database, SearchRow
from thunderref.search.query import MAX_LENGTH, Hit, NamesFound
from thunderref.text.folding import (
    fold,
    fold_query,
    is_cyrillic,
    join_words,
    relax,
    sort_words,
    to_cyrillic,
    to_latin,
    weighty,
)
from thunderref.text.stems import query_stems

CARDS = ("card", "family")
TERMS = ("term",)
"""Kinds of subjects that are searched together."""
_OTHERS = {CARDS: "term", TERMS: "family"}
"""Kinds that are searched -> the kind whose names are not taken for theirs."""
_ALIKE, _IN_PART = 0.56, 0.9
"""How like a name must be what was typed to be suggested; what it counts that only a word is like it."""

EXACT, STEM, PREFIX, TRANSLIT, TRANSLIT_STEM, TRANSLIT_PREFIX, FUZZY = range(7)
"""Ranks of a match of two words, best first."""

_STEM_EXTRA = 0.3
_TRANSLIT_EXTRA = 0.3
_PREFIX_EXTRA = 0.7


class WordMatch(NamedTuple):
    """How well a word of the query matches a word of a name; ``cost`` counts typing errors."""

    rank: int
    cost: float = 0.0


Matches = dict[str, WordMatch]
"""Word of a name -> how a word of the query matches it."""


class Vocabulary:
    """The words of all names in one language: ``at``, word -> the numbers of its names; ``stems``, stem -> words."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.at: dict[str, list[int]] = {}
        self.stems: dict[str, set[str]] = {}

    def add(self, number: int, words: tuple[str, ...], all_stems: str) -> None:
        """Takes in the words of a name, with their stems as in the table ``search``."""
        for word, stems in zip(words, all_stems.split(" "), strict=True):
            if word not in self.at:
                for stem in stems.split("|"):
                    self.stems.setdefault(stem, set()).add(word)
            self.at.setdefault(word, []).append(number)

    @cached_property
    def is_cyrillic(self) -> bool:
        return is_cyrillic(self.words[-1])

    @cached_property
    def words(self) -> list[str]:
        return sorted(self.at)

    @cached_property
    def relaxed(self) -> dict[str, set[str]]:
        """Relaxed spelling -> words, in the order of the spellings (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for spelling, word in sorted((relax(word), word) for word in self.words):
            found.setdefault(spelling, set()).add(word)
        return found

    @cached_property
    def relaxed_stems(self) -> dict[str, set[str]]:
        """Relaxed stem -> words (Cyrillic)."""
        found: dict[str, set[str]] = {}
        for stem, words in self.stems.items():
            found.setdefault(relax(stem), set()).update(words)
        return found

    def matches(self, word: str, respelt: bool, mistyped: bool, alone: bool) -> Matches:
        """The words that a word of a query may mean: equal, inflected and abbreviated ones.

        ``respelt``: Cyrillic ones too that the (Latin or carelessly spelt Cyrillic) word may stand for. ``mistyped``:
        those within a few typing errors too. ``alone``: no other word confirms the match, so that short words and
        first letters must be right.
        """
        found: Matches = {}
        if not word.isdecimal():
            _add(found, beginning_with(self.words, word), PREFIX)
            for stem in query_stems(word, self.lang):
                _add(found, self.stems.get(stem, ()), STEM)
        if word in self.at:
            found[word] = WordMatch(EXACT)
        if respelt and self.is_cyrillic:
            for variant in _spellings(word):
                self._add_respelt(found, variant)
        if mistyped and not word.isdecimal() and len(word) >= (3 if alone else 2):
            self._add_mistyped(found, word, alone)
        return found

    def _add_respelt(self, found: Matches, variant: str) -> None:
        spelling = relax(variant)
        if len(spelling) >= 2:
            for near in beginning_with(list(self.relaxed), spelling):
                _add(found, self.relaxed[near], TRANSLIT_PREFIX)
        for stem in query_stems(variant, self.lang):
            if len(stem) >= 3 or len(variant) <= 4:
                _add(found, self.relaxed_stems.get(relax(stem), ()), TRANSLIT_STEM)
        _add(found, self.relaxed.get(spelling, ()), TRANSLIT)

    def _add_mistyped(self, found: Matches, word: str, alone: bool) -> None:
        if self.is_cyrillic == is_cyrillic(word):
            self._add_begun(found, word, alone, 0.0)
            for stem in query_stems(word, self.lang) if self.lang != "en" else ():
                if len(stem) >= 4 and stem != word:
                    _add_near(found, stem, self.stems, 2 if len(stem) >= 8 else 1, alone, _STEM_EXTRA)
        elif not self.is_cyrillic:
            self._add_begun(found, to_latin(word), alone, 2 * _TRANSLIT_EXTRA)
        for variant in _spellings(word)[:4] if self.is_cyrillic else ():
            spelling = relax(variant)
            _add_near(found, spelling, self.relaxed, budget(len(spelling)), alone, _TRANSLIT_EXTRA)

    def _add_begun(self, found: Matches, word: str, alone: bool, extra: float) -> None:
        """The words that are near, and those whose beginning is."""
        _add_near(found, word, {each: [each] for each in self.words}, budget(len(word)), alone, extra)
        if len(word) >= 5:
            longer = [other for other in self.words if len(other) > len(word) and other[0] == word[0]]
            for end in (len(word), len(word) + 1, len(word) - 1):
                for i, cost in edits(word, [other[:end] for other in longer], 1):
                    _add(found, [longer[i]], FUZZY, cost + _PREFIX_EXTRA + extra)


def _spellings(word: str) -> list[str]:
    """The Cyrillic spellings that a word may stand for."""
    return [word] if is_cyrillic(word) else to_cyrillic(word)


def _add(found: Matches, words: Iterable[str], rank: int, cost: float = 0.0) -> None:
    match = WordMatch(rank, cost)
    found.update({word: min(match, found.get(word, match)) for word in words})


def word_keys(word: str, respelt: bool) -> set[str]:
    """The stems of ``card_words`` that a typed word may have; ``respelt``: also if it stands for a Cyrillic one."""
    cyrillic = _spellings(word)[:4] if respelt or is_cyrillic(word) else []
    found = {relax(stem) for each in cyrillic for stem in query_stems(each, "ru") if len(stem) > 2 or len(each) < 5}
    return found if is_cyrillic(word) else found.union(*(map(relax, query_stems(word, lang)) for lang in ("en", "pl")))


def beginning_with(words: list[str], prefix: str) -> list[str]:
    """The words that begin so, of a sorted list."""
    return words[bisect_left(words, prefix) : bisect_left(words, f"{prefix}\U0010ffff")]


def budget(length: int) -> int:
    """How many edits a word of that many letters may have and still be taken for a typing error."""
    return 1 if length <= 5 else 2 if length <= 8 else 3


def edits(word: str, others: list[str], limit: int) -> list[tuple[int, int]]:
    """(number in ``others``, edits) of those at most ``limit`` edits from ``word``.

    An edit inserts, deletes or replaces a letter or swaps two neighbours.
    """
    from rapidfuzz.distance import OSA  # costs more than a whole exact look-up
    from rapidfuzz.process import extract

    return [(i, n) for _, n, i in extract(word, others, scorer=OSA.distance, score_cutoff=limit, limit=None)]


def _add_near(
    found: Matches, word: str, spelt: Mapping[str, Iterable[str]], limit: int, alone: bool, extra: float
) -> None:
    """Adds the words of those spellings that are a few edits away; a lone word has the right first letters."""
    others, swapped = list(spelt), word[1::-1]
    for i, cost in edits(word, others, limit):
        other = others[i]
        begun = other[0] == word[0] or other[:2] == swapped or word == other[1:] or other == word[1:]
        if len(other) >= (3 if alone else 2) and (begun or not alone or limit > 1):
            _add(found, spelt[other], FUZZY, cost + extra)


class Entry(NamedTuple):
    """A name: its words (folded), how many of them matter, what it names."""

    words: tuple[str, ...]
    weight: int
    row: SearchRow


class Index:
    """The names of the cards and their families, or of the terms, of one game.

    ``entries`` are the names, ``languages`` their words by language; ``other_names`` those of terms and families that
    are not searched for, ``noise`` words of a question that are part of no name, ``answers`` those of earlier look-ups.
    """

    def __init__(self, database: Database, kinds: tuple[str, ...], game: Game) -> None:
        self.cards = database.cards if kinds == CARDS else {}
        self.database, self.reprints = database, database.reprints
        self.families: dict[str, list[str]] = {}
        for card in self.cards.values():
            if card.family is not None and card.reprint_of is None:
                self.families.setdefault(card.family, []).append(card.id)
        self.positions: dict[str, int] = dict(database.query(f"SELECT id, position FROM {kinds[0]}s"))
        self.rows, self.kinds, self.game = database.search_rows(kinds, game), kinds, game
        others = database.query("SELECT form FROM names WHERE kind = ? AND game = ?", _OTHERS[kinds], game)
        self.other_names = {form for (form,) in others}
        self.noise = frozenset(fold(" ".join(database.message("search.words.noise"))).split())
        self.answers: dict[object, NamesFound] = {}

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

    def cards_with(self, keys: Collection[str]) -> dict[str, dict[tuple[int, int], str]]:
        """Card -> alias (0: a printed name) and its size -> language, for all that have a word with one of the keys."""
        sql = f"SELECT card, alias, size, lang FROM card_words WHERE stem IN ({', '.join('?' * len(keys))})"
        found: dict[str, dict[tuple[int, int], str]] = {}
        for card, alias, size, lang in self.database.query(sql, *keys):
            found.setdefault(card, {})[alias, size] = lang
        return found

    def exact(self, form: str) -> list[SearchRow]:
        """The names and ids equal to a folded query but for the order of words and for blanks, the nearest first."""
        words = sort_words(form)
        rows = self.database.search_exact(form, words, join_words(form), self.game)
        rows = [row for row in rows if row.kind in self.kinds]
        return sorted(rows, key=lambda row: (row.form != form, row.words != words))

    def nearest(self, text: str, allowed: Set[str] | None = None, limit: int = 3) -> list[Hit]:
        """The cards or terms whose names look much like ``text``, or a word of them, for those whom nothing answers."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        spelt: dict[tuple[str, str], SearchRow] = {}
        for words, weight, row in self.entries:
            wanted = row.kind != "family" and row.subject not in self.reprints
            if row.position == 0 and wanted and (allowed is None or row.subject in allowed):
                spelt[row.form, row.subject] = row
                if row.kind == "card" and weight > 1:
                    spelt |= {(word, row.subject): row for word in weighty(words)}
        form, names, rows, hits = fold_query(text[:MAX_LENGTH]), [name for name, _ in spelt], list(spelt.values()), []
        for typed in dict.fromkeys((form, *form.split())):
            near = extract(typed, names, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=None)
            for name, like, i in near:
                score = like * _IN_PART ** ((typed != form) + (name != rows[i].form))
                if score >= _ALIKE:
                    hits.append(Hit(rows[i].subject, round(100 * score), "nearest", rows[i].lang, rows[i].name))
        return self.group(hits)[:limit]

    def group(self, hits: Iterable[Hit]) -> list[Hit]:
        """The best hit of each card or term, best first; a name of its own before that of its family."""
        best: dict[str, Hit] = {}
        for hit in hits:
            old = best.get(hit.id)
            if old is None or (hit.score, hit.how != "family") > (old.score, old.how != "family"):
                best[hit.id] = hit
        return sorted(best.values(), key=lambda hit: (-hit.score, self.positions[hit.id]))

    def ids(self, row: SearchRow) -> list[str]:
        if row.kind == "family":
            return self.families.get(row.subject, [])
        return [self.reprints.get(row.subject, row.subject)]


def index_of(database: Database, kinds: tuple[str, ...] = CARDS, game: Game = FIRST_GAME) -> Index:
    return database.derived(Index, kinds, game)
