"""Finding cards and terms by name: exact before prefix before fuzzy, in any language, never guessing between equals.

The names are made ready once for each open database, to be searched word by word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache, partial
from itertools import product
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, Game
from thunderref.database.read import FALLBACK, Database, SearchRow
from thunderref.errors import Candidate, NoAnswerError
from thunderref.search.counts import strip_count
from thunderref.search.other_boxes import named_box, other_card
from thunderref.search.query import Hit, NamesFound, check_query, exact_card, exact_hits, is_everyday, shorten
from thunderref.text import folding
from thunderref.text.stems import is_inflected, query_stems

CARDS = ("card", "family")
TERMS = ("term",)
"""Kinds of subjects that are searched together."""
_OTHERS = {CARDS: "term", TERMS: "family"}
"""Kinds that are searched -> the kind whose names are not taken for theirs."""
_ALIKE, _IN_PART = 56, 8
"""Points, of 100, from which a similar name is suggested; those that are taken off where only a word is similar."""
_SUGGESTED = 3
"""The most names that are suggested where nothing is found."""
EXACT, STEM, PREFIX, TRANSLIT, TRANSLIT_STEM, TRANSLIT_PREFIX, FUZZY = range(7)
"""Ranks of a match of two words, best first."""

_PREFIX_EXTRA = 1
_RESPELT_EXTRA = 0.3
"""Typing errors that it counts for that a mistyped word is like a beginning; like a stem or a transliteration."""
_MAX_WORDS, _MAX_ANSWERS = 8, 5000
_AT_TABLE = 76
"""Points of a name that is short for a card of the table."""
_SHORTEST = 2
"""Letters that may stand for a card of the table."""
_MARGIN = 4
_EQUAL, _LIKELY, _SURE, _VAGUE = 88, 75, 69, 60
"""Points of a name as typed, one so near that aliases are not asked, one good for a single word, one among several;
names within the margin below the best are as good as it."""
_SCORES = {
    "inflected": 97, "transliterated": 94, "word": 90, "inflected-word": 88, "family-part": 86, "family": 86,
    "transliterated-word": 84, "alias": 83, "mixed": 82, "abbreviation": 82, "beginning": 78, "initial": 78,
    "transliterated-beginning": 74, "layout": 72, "contained": 70, "spelling": 68,
}  # fmt: skip
_REPEATED = re.compile(r"(.)\1+")
_VOWELS = dict.fromkeys(map(ord, "aeiouyаеиоуыэюя"), "")
_PLAIN_TIERS = ("inflected", "word", "inflected-word")
_TIERS = (
    "inflected", "word", "inflected-word", "transliterated", "family-part", "abbreviation", "beginning",
    "transliterated-word", "transliterated-beginning",
)  # fmt: skip
"""How names match, best first: only the best group is the answer."""
_NAMED, _BEGINNINGS = ("inflected", "alias"), ("beginning", "transliterated-beginning")
_GUESSES = (*_BEGINNINGS, "transliterated-word")
"""How an everyday word matches none: ``king`` is no kingdom."""
_ALIAS = "SELECT card, lang FROM aliases WHERE form = ?"
_FAR_FETCHED = ("spelling", "layout", "contained")


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
        return any(map(folding.is_cyrillic, self.at))

    @cached_property
    def relaxed(self) -> dict[str, set[str]]:
        """Relaxed spelling -> words (Cyrillic)."""
        return _relax_all({word: [word] for word in self.at})

    @cached_property
    def relaxed_stems(self) -> dict[str, set[str]]:
        """Relaxed stem -> words (Cyrillic)."""
        return _relax_all(self.stems)

    def matches(self, word: str, respelt: bool, mistyped: bool, alone: bool) -> Matches:
        """Return the words that match a word of a query: equal, inflected and abbreviated ones.

        ``respelt``: Cyrillic ones too that the (Latin or carelessly spelt Cyrillic) word may stand for. ``mistyped``:
        those within a few typing errors too. ``alone``: no other word confirms the match, so that short words and
        first letters must be right.
        """
        matches: Matches = {}
        if not word.isdecimal():
            _add(matches, [other for other in self.at if other.startswith(word)], PREFIX)
            for stem in query_stems(word, self.lang):
                _add(matches, self.stems.get(stem, ()), STEM)
        if word in self.at:
            matches[word] = WordMatch(EXACT)
        if respelt and self.is_cyrillic:
            for variant in _spellings(word):
                self._add_respelt(matches, variant)
        if mistyped and not word.isdecimal() and len(word) >= (3 if alone else 2):
            self._add_mistyped(matches, word, alone)
        return matches

    def _add_respelt(self, matches: Matches, variant: str) -> None:
        spelling = folding.relax(variant)
        if len(spelling) >= 2:
            for near in (form for form in self.relaxed if form.startswith(spelling)):
                _add(matches, self.relaxed[near], TRANSLIT_PREFIX)
        for stem in query_stems(variant, self.lang):
            if len(stem) >= 3 or len(variant) <= 4:
                _add(matches, self.relaxed_stems.get(folding.relax(stem), ()), TRANSLIT_STEM)
        _add(matches, self.relaxed.get(spelling, ()), TRANSLIT)

    def _add_mistyped(self, matches: Matches, word: str, alone: bool) -> None:
        if self.is_cyrillic == folding.is_cyrillic(word):
            self._add_begun(matches, word, alone, 0.0)
            for stem in query_stems(word, self.lang) if is_inflected(self.lang) else ():
                if len(stem) >= 4 and stem != word:
                    _add_near(matches, stem, self.stems, 2 if len(stem) >= 8 else 1, alone, _RESPELT_EXTRA)
        elif not self.is_cyrillic:
            self._add_begun(matches, folding.to_latin(word), alone, 2 * _RESPELT_EXTRA)
        for variant in _spellings(word)[:4] if self.is_cyrillic else ():
            spelling = folding.relax(variant)
            _add_near(matches, spelling, self.relaxed, budget(len(spelling)), alone, _RESPELT_EXTRA)

    def _add_begun(self, matches: Matches, word: str, alone: bool, extra: float) -> None:
        """The words that are near, and those whose beginning is."""
        _add_near(matches, word, {other: [other] for other in self.at}, budget(len(word)), alone, extra)
        if len(word) >= 5:
            longer = [other for other in self.at if len(other) > len(word) and other[0] == word[0]]
            for end in (len(word), len(word) + 1, len(word) - 1):
                for i, cost in edits(word, [other[:end] for other in longer], 1):
                    _add(matches, [longer[i]], FUZZY, cost + _PREFIX_EXTRA + extra)


def _relax_all(spelt: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
    relaxed: dict[str, set[str]] = {}
    for spelling, words in spelt.items():
        relaxed.setdefault(folding.relax(spelling), set()).update(words)
    return relaxed


def _spellings(word: str) -> list[str]:
    """The Cyrillic spellings that a word may stand for."""
    return [word] if folding.is_cyrillic(word) else folding.to_cyrillic(word)


def _add(matches: Matches, words: Iterable[str], rank: int, cost: float = 0.0) -> None:
    match = WordMatch(rank, cost)
    matches.update({word: min(match, matches.get(word, match)) for word in words})


def word_keys(database: Database, word: str, respelt: bool) -> set[str]:
    """The stems of ``card_words`` that a typed word may have; ``respelt``: also if it stands for a Cyrillic one."""
    typed = folding.is_cyrillic(word)
    spelt = [(form, lang) for form in (_spellings(word)[:4] if respelt or typed else []) for lang in database.cyrillic]
    stems = {stem for form, lang in spelt for stem in query_stems(form, lang) if len(stem) > 2 or len(form) < 5}
    latin = [] if typed else database.languages.keys() - database.cyrillic
    return set(map(folding.relax, stems.union(*(query_stems(word, lang) for lang in latin))))


def budget(length: int) -> int:
    """How many edits a word of that many letters may have and still be taken for a typing error."""
    return 1 if length <= 5 else 2 if length <= 8 else 3


def edits(word: str, others: list[str], limit: int) -> list[tuple[int, int]]:
    """Return (place in ``others``, edits) of those at most ``limit`` edits away (optimal string alignment)."""
    from rapidfuzz.distance import OSA  # costs more than a whole exact look-up
    from rapidfuzz.process import extract

    return [(i, n) for _, n, i in extract(word, others, scorer=OSA.distance, score_cutoff=limit, limit=None)]


def _add_near(
    matches: Matches, word: str, spelt: Mapping[str, Iterable[str]], limit: int, alone: bool, extra: float
) -> None:
    """Adds the words of those spellings that are a few edits away; a lone word has the right first letters."""
    spellings, swapped = list(spelt), word[1::-1]
    for i, cost in edits(word, spellings, limit):
        other = spellings[i]
        same_start = other[:1] == word[:1] or other[:2] == swapped or word == other[1:] or other == word[1:]
        if len(other) >= (3 if alone else 2) and (same_start or not alone or limit > 1):
            _add(matches, spelt[other], FUZZY, cost + extra)


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
        forms = database.query("SELECT form FROM names WHERE kind = ? AND game = ?", _OTHERS[kinds], game)
        self.other_names = {form for (form,) in forms}
        self.noise = database.words("search.words.noise").keys()
        self.search = lru_cache(_MAX_ANSWERS)(partial(_search, self))
        """The names found for a text among the cards of these kinds; of :func:`_search`, cached."""

    @cached_property
    def entries(self) -> list[Entry]:
        names = ((tuple(row.form.split()), row) for row in self.rows if row.lang)
        return [Entry(words, len(folding.weighty(words)), row) for words, row in names]

    @cached_property
    def languages(self) -> dict[str, Vocabulary]:
        vocabularies: dict[str, Vocabulary] = {}
        for number, (words, _, row) in enumerate(self.entries):
            vocabularies.setdefault(row.lang, Vocabulary(row.lang)).add(number, words, row.stems)
        return vocabularies

    @cached_property
    def shown(self) -> dict[tuple[str, str], SearchRow]:
        """The name of a card or term that is shown in a language."""
        return {(row.subject, row.lang): row for row in self.rows if row.position == 0 and row.kind != "family"}

    @cached_property
    def aliases(self) -> list[tuple[str, SearchRow]]:
        """What players call the cards, joined, and the name that is shown for it."""
        rows = self.database.query("SELECT joined, card, lang FROM aliases") if self.cards else []
        return [(joined, self.shown[card, lang]) for joined, card, lang in rows]

    def cards_with(self, keys: Collection[str]) -> dict[str, dict[tuple[int, int], str]]:
        """Card -> alias (0: a printed name) and its size -> language, for all that have a word with one of the keys."""
        sql = f"SELECT card, alias, size, lang FROM card_words WHERE stem IN ({', '.join('?' * len(keys))})"
        cards: dict[str, dict[tuple[int, int], str]] = {}
        for card, alias, size, lang in self.database.query(sql, *keys):
            cards.setdefault(card, {})[alias, size] = lang
        return cards

    def exact(self, form: str) -> list[SearchRow]:
        """The names and ids equal to a folded query but for the order of words and for blanks, the nearest first."""
        words = folding.sort_words(form)
        rows = self.database.search_exact(form, words, folding.join_words(form), self.game)
        rows = [row for row in rows if row.kind in self.kinds]
        return sorted(rows, key=lambda row: (row.form != form, row.words != words))

    def nearest(self, text: str, allowed: Set[str] | None = None) -> list[Hit]:
        """The cards or terms whose names look much like ``text``, or a word of them, for those whom nothing answers."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        spelt: dict[tuple[str, str], SearchRow] = {}
        for words, weight, row in self.entries:
            eligible = row.kind != "family" and row.subject not in self.reprints
            if row.position == 0 and eligible and (allowed is None or row.subject in allowed):
                parts = folding.weighty(words) if row.kind == "card" and weight > 1 else ()
                spelt |= {(form, row.subject): row for form in (row.form, *parts)}
        form, rows, hits = folding.fold_query(text), list(spelt.values()), list[Hit]()
        names = [name for name, _ in spelt]
        for typed in dict.fromkeys((form, *form.split())):
            near = extract(typed, names, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE / 100, limit=None)
            for name, similarity, i in near:
                score = round(100 * similarity) - _IN_PART * ((typed != form) + (name != rows[i].form))
                if score >= _ALIKE:
                    hits.append(Hit(rows[i].subject, score, "nearest", rows[i].lang, rows[i].name))
        return self.group(hits)[:_SUGGESTED]

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


def find_card(database: Database, text: str, kinds: Collection[str] | None = None, *, lang: str | None = None) -> str:
    """The id of the one card, of these ``kinds`` if given, that ``text`` names in any language.

    Raises :class:`NoAnswerError` (``unknown-card``, ``ambiguous-card``; candidates are named in ``lang`` or as found)
    and :class:`InputError` for an empty or an over-long text.
    """
    matches = search_cards(database, text, kinds)
    is_whole = matches.equals > 0 and matches.hits[0].how != "contained"  # else words are left over
    if is_whole and matches.equals == 1:
        return matches.hits[0].id
    if is_whole:
        raise ambiguous_card(database, text, matches, lang)
    raise unknown_card(database, text, kinds, lang)


def ambiguous_card(database: Database, text: str, found: NamesFound, lang: str | None = None) -> NoAnswerError:
    return _refusal("ambiguous-card", database, text, found.hits[: found.equals], lang)


def unknown_card(
    database: Database, text: str, kinds: Collection[str] | None = None, lang: str | None = None
) -> NoAnswerError:
    near = index_of(database).nearest(text, _ids_of(database, kinds))
    if other := other_card(database, text):
        search = index_of(database).search
        hits = search(text, frozenset(kinds) if kinds else None, False).hits or search(text, None, False).hits
        near = [*hits, *(hit for hit in near if hit.id not in {match.id for match in hits})][:_SUGGESTED]
        error = _refusal("other-box", database, other.name, near, lang)
        from thunderref.database.own_boxes import all_boxes  # only a card of a box that is off asks for them

        is_off = other.ident in all_boxes() and not database.query("SELECT 1 FROM sets WHERE id = ?", other.ident)
        why = "off" if is_off else "box" if other.box else "unknown"
        error.params |= {"other": other.box, "own_box": other.ident, "why": why}
        return error
    box = named_box(database, text)
    return (box and box.refusal) or _refusal("unknown-card", database, text, near, lang)


def _refusal(code: str, database: Database, text: str, hits: Iterable[Hit], lang: str | None) -> NoAnswerError:
    names = ((hit, database.names("card", hit.id)) for hit in hits)
    candidates = [Candidate((rows.get(lang or hit.lang) or rows[FALLBACK]).name, hit.id) for hit, rows in names]
    return NoAnswerError(code, name=shorten(text), candidates=candidates)


def search_cards(
    database: Database, text: str, kinds: Collection[str] | None = None, *, more: bool = False
) -> NamesFound:
    """All cards that ``text`` may name, best first; ``more``: worse matches than the best too. Raises InputError."""
    form = check_query(text)
    if kinds is None and not more and (exact := exact_card(database, form)):
        return exact
    if other_card(database, text):
        return NamesFound((), 0)
    return index_of(database).search(text, None if kinds is None else frozenset(kinds), more)


def _search(index: Index, text: str, kinds: frozenset[str] | None, more: bool) -> NamesFound:
    """Search the cards for a name that is none of another box; as :func:`search_cards` otherwise."""
    form, allowed = check_query(text), _ids_of(index.database, kinds)
    return _prefer_table(index, form, NameSearch(index, form, text, allowed).run(more), allowed)


def search_terms(database: Database, text: str, game: Game = FIRST_GAME) -> NamesFound:
    return NameSearch(index_of(database, TERMS, game), check_query(text), text).run()


def cards_with_words(database: Database, words: list[str]) -> set[str]:
    """The ids of all cards with a name (in one language) or a family that has all the folded words or beginnings."""
    form = " ".join(words)
    search = NameSearch(index_of(database), form, form)
    return {hit.id for hit in search.find_matching() or search.find_mistyped(search.words)}


def _ids_of(database: Database, kinds: Collection[str] | None) -> set[str] | None:
    return None if kinds is None else {card.id for card in database.cards.values() if card.kind in kinds}


class _Aligned(NamedTuple):
    """A name, which of its words each word of the query matches, and how; ``is_whole``: no weighty one is left out."""

    entry: Entry
    words: tuple[str, ...]
    matches: tuple[WordMatch, ...]
    worst: int
    cost: float
    is_whole: bool


class NameSearch:
    """One folded query, ``text`` as it was typed, against the names of an index: all, or those of ``allowed`` ids."""

    def __init__(self, index: Index, form: str, text: str, allowed: Set[str] | None = None) -> None:
        self.index = index
        self.form = form
        self.text = text
        self.allowed = allowed
        self.words = tuple(form.split())

    def run(self, more: bool = False) -> NamesFound:
        """What is found; ``more`` adds worse matches behind the best."""
        stripped = tuple(word for word in self.words if word not in self.index.noise)
        best = [] if stripped else self._exact(self.index.exact(self.form))
        for words in dict.fromkeys((self.words, stripped)) if stripped else ():
            readings = dict.fromkeys((words, tuple(strip_count(self.index.database, " ".join(words)).split())))
            best = best or next(filter(None, map(self._best, readings)), [])
            if not best or best[0].score <= _SCORES["beginning"]:
                best = self._other_layout() or best
            best = best or next(filter(None, map(self.find_mistyped, readings)), [])
        best = best or self._find_contained()
        guessed = len(self.words) == 1 and bool(best) and all(hit.how in _GUESSES for hit in best)
        if guessed and self.index.cards and is_everyday(self.index.database, self.form):
            best = []
        further: list[Hit] = []
        if more and len(self.words) <= _MAX_WORDS:
            worse, best_ids = self.find_matching() + self.find_mistyped(self.words), {hit.id for hit in best}
            further = [hit for hit in self.index.group(worse) if hit.id not in best_ids]
        return NamesFound((*best, *further), len(best))

    def find_matching(self) -> list[Hit]:
        return [hit for tier in self._tiers(self.words).values() for hit in tier]

    def _best(self, words: tuple[str, ...], plain: bool = False) -> list[Hit]:
        """What fits best without a typing error; ``plain``: as it is spelt."""
        form = " ".join(words)
        rows = self.index.exact(form)
        exact = self._exact(rows)
        families = [row for row in rows if row.kind == "family"]
        if exact:
            family = self._hits(families, 100, "exact") if len(exact) > 1 else []
            return list({hit.id: hit for hit in (*exact, *family, *exact)}.values())
        if level := self._family_level(words):
            return level
        if len(words) > _MAX_WORDS:
            return []
        aliases = self.index.database.query(_ALIAS, form) if self.index.cards else []
        alias_rows = [self.index.shown[alias] for alias in aliases]
        if called := self.index.group(self._hits(alias_rows, _SCORES["alias"], "alias")):
            return called
        tiers = self._tiers(words, plain)
        if families:
            tiers.setdefault("word", []).extend(self._hits(families, _SCORES["family"], "family"))
        best = next((tier for tier in (_PLAIN_TIERS if plain else _TIERS) if tier in tiers), "")
        if best in _BEGINNINGS and form in self.index.other_names:
            return []
        if best in ("word", "inflected-word"):
            hits = self.index.group([*tiers[best], *tiers.get("transliterated", [])])
            return hits if len(hits) > 1 else self.index.group([*hits, *tiers.get("initial", [])])
        called = self._find_called(words) if best not in ("inflected", "family-part") else []
        called = called or self.index.group(tiers.get(best, []))
        return called or ([] if plain else self._find_called(words, respelt=True))

    def _find_called(self, words: Sequence[str], respelt: bool = False) -> list[Hit]:
        """The cards with an alias of these words, else those with each of several words in any of their names."""
        words = folding.weighty(words) or words
        matched = [self.index.cards_with(word_keys(self.index.database, word, respelt)) for word in words]
        hits: dict[str, list[Hit]] = {"alias": [], "mixed": []}
        for card in set.intersection(*map(set, matched)) if self.index.cards else ():
            names = set.intersection(*(set(cards[card]) for cards in matched))
            how = "alias" if any(alias and size == len(words) for alias, size in names) else "mixed"
            row = self.index.shown[card, matched[0][card].popitem()[1]]
            hits[how] += self._hits([row], _SCORES[how], how)
        return self.index.group(hits["alias"] or (hits["mixed"] if len(words) > 1 else []))

    def _exact(self, rows: Iterable[SearchRow]) -> list[Hit]:
        hits = exact_hits((row for row in rows if row.kind != "family"), self.index.reprints)
        return [hit for hit in hits if self.allowed is None or hit.id in self.allowed]

    def _family_level(self, words: tuple[str, ...]) -> list[Hit]:
        """Return the hero of a family that is named together with a level."""
        family = " ".join(word for word in words if word not in ("1", "2", "3") and word not in self.index.noise)
        levels = [int(word) for word in words if word in ("1", "2", "3")]
        rows = [row for row in self.index.exact(family) if row.kind == "family" and row.form == family]
        hits = self._hits(rows, _SCORES["word"], "family") if len(levels) == 1 else []
        return self.index.group(hit for hit in hits if self.index.cards[hit.id].level == levels[0])

    def _tiers(self, words: tuple[str, ...], plain: bool = False) -> dict[str, list[Hit]]:
        """The names that all words match without a typing error, by how they match; ``plain``: as they are spelt."""
        tiers: dict[str, list[Hit]] = {}
        for name in self._align(words, plain):
            if len(words) == 1 and _is_vague(words[0], name):
                continue
            tier = _tier(words, name)
            how = "beginning" if tier == "initial" else tier
            tiers.setdefault(tier, []).extend(self._hits([name.entry.row], _SCORES[tier], how))
        if "initial" in tiers:
            tiers["beginning"] = tiers.get("beginning", []) + tiers["initial"]
        return tiers

    def find_mistyped(self, words: tuple[str, ...]) -> list[Hit]:
        length = sum(map(len, words))
        scored: list[tuple[float, Entry]] = []
        for name in self._align(words, mistyped=True) if " ".join(words) not in self.index.other_names else ():
            if name.worst == FUZZY and _is_credible(words, name):
                left_out = 0.0 if name.is_whole else 1 - len(words) / name.entry.weight
                soft = sum(match.rank not in (EXACT, FUZZY) for match in name.matches)
                points = _EQUAL - 90 * name.cost / length - 10 * left_out - 2 * soft
                scored.append((points, name.entry))
        sure = scored if len(words) > 1 else [match for match in scored if _is_all_but(words[0], *match)]
        scored = sure or [match for match in scored if match[0] >= _VAGUE]
        floor = max((points for points, _ in scored), default=_VAGUE) - _MARGIN
        good = [match for match in scored if match[0] >= floor]
        if good and not sure:  # perhaps an everyday word: no single card is taken for it
            shared = set.intersection(*(set(entry.words) for _, entry in good))
            several = len({entry.row.subject for _, entry in good}) > 1
            good = good if several and any(_is_slip(words[0], word) for word in shared) else []
        rows = [(points, entry.row) for points, entry in good]
        rows += self._find_joined(words, floor) if floor < _SURE - _MARGIN else []
        return self.index.group(
            hit
            for points, row in sorted(rows, key=lambda item: -item[0])
            for hit in self._hits([row], max(1, min(93, round(points))), "spelling")
        )

    def _find_joined(self, words: tuple[str, ...], floor: float) -> Iterator[tuple[float, SearchRow]]:
        """The names and aliases that are the words but for a slip or two, wherever their blanks are."""
        joined = "".join(words)
        if len(joined) < 6 or any(word.isdecimal() for word in words):
            return
        spelt = [(row.joined, row) for row in self.index.rows if row.lang] + self.index.aliases
        for i, cost in edits(joined, [name for name, _ in spelt], 1 if len(joined) < 9 else 2):
            points = _EQUAL - 90 * cost / len(joined)
            if points > (max(floor, _LIKELY) if len(words) == 1 else floor):
                yield points, spelt[i][1]

    def _other_layout(self) -> list[Hit]:
        form = folding.fold_query(folding.other_layout(self.text))
        words = tuple(form.split()) if len(form) > 2 and form != self.form else ()
        keys = (word_keys(self.index.database, word, False) for word in words)
        has_cards = not self.index.cards or all(map(self.index.cards_with, keys))
        hits = self._best(words, plain=True) if words and has_cards else []
        sure = (hit for hit in hits if len(form) > 3 or hit.how == "exact")
        return [hit._replace(score=_SCORES["layout"], how="layout") for hit in sure]

    def _find_contained(self) -> list[Hit]:
        """The names inside a question."""
        words, used, inside = self.words, set[int](), list[Hit]()
        for size in range(min(5, len(words) - 1), 0, -1):
            for start in range(len(words) - size + 1):
                phrase, spots = words[start : start + size], {*range(start, start + size)}
                if used.isdisjoint(spots) and not self.index.noise >= {*phrase}:
                    sure = ("exact", *_NAMED) if len("".join(phrase)) > 3 else ("exact",)
                    hits = [hit for hit in self._best(phrase, plain=True) if hit.how in sure]
                    used |= spots if hits else set()
                    inside += hits
        if len(words) < 4 and any(word not in self.index.noise for i, word in enumerate(words) if i not in used):
            return []
        return self.index.group(hit._replace(score=_SCORES["contained"], how="contained") for hit in inside)

    def _align(self, words: tuple[str, ...], plain: bool = False, mistyped: bool = False) -> Iterator[_Aligned]:
        """The names in which each word matches a different word: Cyrillic ones too if not all are known as spelt."""
        vocabularies = self.index.languages.values()
        all_known = all(any(word in vocabulary.at for vocabulary in vocabularies) for word in words)
        respelt = not plain and not all_known and " ".join(words) not in self.index.other_names
        for vocabulary in vocabularies if words else ():
            options = [vocabulary.matches(word, respelt, mistyped, len(words) == 1) for word in words]
            numbers = [{number for word in option for number in vocabulary.at[word]} for option in options]
            for number in sorted(set.intersection(*numbers)):
                entry = self.index.entries[number]
                fitting = [[(w, o[w]) for w in dict.fromkeys(entry.words) if w in o] for o in options]
                ways = product(*fitting) if len(words) <= len(entry.words) else ()
                alignments = [tuple(zip(*pairs, strict=True)) for pairs in ways if len(dict(pairs)) == len(words)]
                if alignments:
                    spelt, matches = min(alignments, key=lambda aligned: _quality(aligned[1]))
                    whole = len(folding.weighty(spelt)) >= entry.weight
                    yield _Aligned(entry, spelt, matches, *_quality(matches)[:2], whole)

    def _hits(self, rows: Iterable[SearchRow], score: int, how: str) -> list[Hit]:
        return [
            Hit(ident, score, "family" if row.kind == "family" else how, row.lang, row.name)
            for row in rows
            for ident in self.index.ids(row)
            if self.allowed is None or ident in self.allowed
        ]


def _quality(matches: Sequence[WordMatch]) -> tuple[int, float, int]:
    """The worst rank of some matches, their typing errors, the sum of their ranks."""
    ranks = [match.rank for match in matches]
    return max(ranks), sum(match.cost for match in matches), sum(ranks)


def _tier(words: tuple[str, ...], name: _Aligned) -> str:
    row, worst, whole = name.entry.row, name.worst, name.is_whole
    family = row.kind == "family"
    if worst > TRANSLIT_STEM:
        return "transliterated-beginning"
    if worst > PREFIX:
        return "transliterated" if whole and not family else "transliterated-word"
    if worst == PREFIX:
        if whole and len(words) > 1:
            return "abbreviation"
        is_start = len(words) == 1 and not family and row.form.startswith(words[0])
        return "initial" if is_start else "beginning"
    if whole and worst == STEM and not family:
        return "inflected"
    head, dot, _ = row.name.partition("•")  # a group of monsters has a name of two parts, with a dot between
    is_head = bool(dot) and sorted(folding.fold_query(head).split()) == sorted(name.words)
    if family and not whole and not is_head:
        return "family-part"
    return "word" if worst == EXACT else "inflected-word"


def _is_vague(word: str, name: _Aligned) -> bool:
    """Return whether a single word is too short to stand for a name by its beginning or its transliterated stem."""
    if name.worst in (PREFIX, TRANSLIT_PREFIX):
        return len(word) < 4 + (name.worst == TRANSLIT_PREFIX)
    return name.worst == TRANSLIT_STEM and not name.is_whole


def _is_all_but(word: str, points: float, entry: Entry) -> bool:
    """True if a mistyped word is nearly the whole name, or has letters of one of its words swapped or a vowel lost."""
    name = entry.row.joined
    per_letter = (_EQUAL - points) * len(word) / min(len(word), len(name))
    sounds_alike = len(word) > 5 and _consonants(word) == _consonants(name)
    whole = entry.weight == 1 and (sounds_alike or (per_letter < _EQUAL - _SURE and _is_slip(word, name)))
    lost = [intended for intended in entry.words if word[:2] == intended[:2] and len(word) < len(intended)]
    swapped = sorted(word) in map(sorted, entry.words)
    return whole or (points >= _VAGUE and (swapped or _consonants(word) in map(_consonants, lost)))


def _consonants(word: str) -> str:
    return _REPEATED.sub(r"\1", word.translate(_VOWELS))


def _is_slip(word: str, intended: str) -> bool:
    """True unless a short word has another consonant: it may have letters swapped, lost or added and other vowels."""
    same = sorted(word) == sorted(intended) or _consonants(word) == _consonants(intended)
    return same or len(word) > 5 or len(word) != len(intended)


def _is_credible(words: tuple[str, ...], name: _Aligned) -> bool:
    length = sum(map(len, words))
    if name.cost > max(1.3, 0.3 * length):
        return False
    has_known = any(match.rank <= STEM for match in name.matches)
    sure = name.is_whole and (has_known or (length >= 9 and name.cost <= 2.0))

    def allowance(letters: int) -> float:
        if letters < 4:
            return 1.0 if sure else 0.5
        return 4.0 if name.is_whole else 1.0 if letters < 7 else 1.5 if letters < 10 else 2.3

    pairs = zip(words, name.matches, strict=True)
    return all(match.cost <= allowance(len(word)) for word, match in pairs if match.rank == FUZZY)


def _prefer_table(index: Index, form: str, found: NamesFound, allowed: Set[str] | None) -> NamesFound:
    """What ``found`` means at the table of the database, of the ``allowed`` cards only.

    Among several equals it is those on the table. If there are none, or only a guess at what was mistyped, it is the
    card on the table that the query abbreviates: ``fs`` or ``fl`` for Flaming Sword.
    """
    tonight = index.database.tonight
    cards = tonight if allowed is None else tonight & allowed
    equals = found.hits[: found.equals]
    here = [hit for hit in equals if hit.id in cards]
    if cards and not here and (len(equals) != 1 or equals[0].how in _FAR_FETCHED):
        here = _find_abbreviated(index, form, cards)
    if not here:
        return found
    ids = {hit.id for hit in here}
    return NamesFound((*here, *(hit for hit in found.hits if hit.id not in ids)), len(here))


def _find_abbreviated(index: Index, form: str, cards: Set[str]) -> list[Hit]:
    """The cards with a name, in any language, that begins with ``form`` or has these initials; else a word of it."""
    if len(form) < _SHORTEST or " " in form:
        return []
    names = [entry for entry in index.entries if entry.row.kind == "card" and entry.row.subject in cards]
    read = ((entry, (entry.words, folding.weighty(entry.words))) for entry in names)
    initials = ((entry, {"".join(word[0] for word in words) for words in both}) for entry, both in read)
    entries = [entry for entry, letters in initials if form in letters or entry.words[0].startswith(form)]
    entries = entries or [entry for entry in names if any(word.startswith(form) for word in entry.words)]
    rows = {entry.row.subject: entry.row for entry in reversed(entries)}
    return index.group(Hit(card, _AT_TABLE, "abbreviation", row.lang, row.name) for card, row in rows.items())
