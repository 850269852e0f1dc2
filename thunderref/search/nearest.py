"""The subjects that a question is likeliest about: naive Bayes over the questions that players asked before."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from heapq import nlargest
from itertools import product
from math import exp, inf, log, sqrt
from typing import NamedTuple

from thunderref.database.paths import FIRST_GAME, FOREIGN, GAMES, Game
from thunderref.database.read import FALLBACK, Database
from thunderref.search.names import edits
from thunderref.text.features import MOST_WORDS, STEM, STEPS, features_of, rarity, unpack_numbers, weigh
from thunderref.text.folding import fold_query, is_cyrillic, to_cyrillic, weighty
from thunderref.text.stems import stem_of

_KNOWN, _LONG = 8.0, 1.7
"""What it adds to the likelihood of a question for us that all its features are known, and that it has many words."""
_RESPELT = 0.5
"""What a word in other letters or with a typing error counts for the language that has it."""
_SHORTEST, _TWO_SLIPS, _LETTERS, _LONGEST_NAME = 4, 7, 4, 3
"""Letters of a stem that may have one typing error, and two; for how many of a name's letters there may be one; words
of the longest name."""
_MOST, _REMEMBERED = 12, 16
"""Most subjects that are compared; number of questions that are cached, as each game and page reads the same one."""


class Subject(NamedTuple):
    """What a question may be about: its number, its key (``answer.who-wins``), what that is about (``rule.R7.3``)."""

    number: int
    key: str
    about: str
    game: Game


class Reading(NamedTuple):
    """A question as a language reads it: its folded words as ``typed``, and as ``read``, typing errors mended.

    ``respelt`` are the words, by number, with a typing error or in other letters, not those for which another stands.
    ``ours`` says how much likelier it is about a subject of a game than foreign (a log-likelihood), ``nearest`` which
    subjects of the game these are, with their likelihood measured by the first (0 to 1), the likeliest first. ``parts``
    has what each feature of a word adds to each subject: their numbers, ascending, and the steps of a logarithm.
    """

    lang: str
    typed: tuple[str, ...]
    read: tuple[str, ...]
    respelt: frozenset[int]
    ours: dict[Game, float]
    nearest: dict[Game, list[tuple[Subject, float]]]
    parts: list[tuple[int, tuple[list[int], bytes]]]

    def part_of(self, word: int, subject: Subject) -> int:
        """Return what a word, by number, adds to the likelihood of a subject."""
        of_word = (weights for number, weights in self.parts if number == word)
        places = ((numbers, bisect_left(numbers, subject.number), steps) for numbers, steps in of_word)
        return sum(steps[n] for numbers, n, steps in places if numbers[n : n + 1] == [subject.number])


NOTHING_READ = Reading(FALLBACK, (), (), frozenset(), dict.fromkeys(GAMES, -inf), {game: [] for game in GAMES}, [])
"""The reading of a question that has no words, but perhaps the number of a rule."""


class _SpeltWords(NamedTuple):
    """How well the words ``fit`` a language, ``typed`` and as it reads them, and which of them were spelt otherwise."""

    fit: float
    typed: tuple[str, ...]
    read: tuple[str, ...]
    respelt: frozenset[int]


class KnownQuestions:
    """What the database has counted in all questions and texts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        rows = database.query("SELECT number, key, about, game FROM subjects ORDER BY number")
        self.subjects = [Subject(*row) for row in rows]
        self._foreign = next(subject.number for subject in self.subjects if subject.key == FOREIGN)
        ours = [subject for subject in self.subjects if subject.number != self._foreign]
        self._of_game = {game: [subject.number for subject in ours if subject.game == game] for game in GAMES}
        rows = database.query("SELECT lang, texts, logs FROM totals")
        self._totals = {lang: (texts, array("f", logs)) for lang, texts, logs in rows}
        self.read = lru_cache(_REMEMBERED)(self._read_all)
        """How each language that a question may be in reads it; nothing for a question without words."""

    def subject(self, key: str) -> Subject:
        """Return the subject with a key; a family, which nobody has written about, is one of its own."""
        return next((one for one in self.subjects if one.key == key), Subject(self._foreign, key, key, FIRST_GAME))

    def _read_all(self, text: str) -> list[Reading]:
        typed = tuple(fold_query(text).split()[:MOST_WORDS])
        cyrillic = any(map(is_cyrillic, typed))
        languages = [lang for lang in self._database.languages if not cyrillic or lang in self._database.cyrillic]
        counts = dict.fromkeys(languages, 0)
        for lang, word in product(languages, typed):
            stem = stem_of(word, lang)
            counts[lang] += self._is_known(stem, lang) or self._same(stem, lang) is not None
        at_most = {lang: n + (len(typed) - n) * _RESPELT for lang, n in counts.items()}
        may = [lang for lang in languages if typed and at_most[lang] > max(counts.values()) - _RESPELT]
        spelt = [(self._spelt(typed, lang), lang) for lang in may]
        best_fit = max((words.fit for words, _ in spelt), default=0.0)
        return [self._read(words, lang) for words, lang in spelt if words.fit > best_fit - _RESPELT]

    def _spelt(self, typed: tuple[str, ...], lang: str) -> _SpeltWords:
        """Return how many of the words a language knows, and the words in its letters, typing errors mended."""
        pairs, fit, cyrillic = list[tuple[str, str]](), 0.0, lang in self._database.cyrillic
        abroad = self._names_of_others(typed, lang)
        corrections, respelt = self._mistyped_names(typed, lang), set[int]()
        for place, source in enumerate(typed):
            if place in abroad:
                fit += _RESPELT
                pairs += [(source, form) for form in abroad[place].split()]
                continue
            word, n = corrections.get(source, source), len(pairs)
            variants = to_cyrillic(word) if cyrillic and not is_cyrillic(word) else [word]
            spellings = (variant for variant in variants if self._is_known(stem_of(variant, lang), lang))
            match = next(spellings, None) or self._same(stem_of(word, lang), lang)
            if word != source or variants != [word]:
                respelt.add(n)
            if match is not None:
                fit += 1 if variants == [word] else _RESPELT
            elif variants and word.isalpha() and (match := self._mended(stem_of(variants[0], lang), lang)):
                fit += _RESPELT
                respelt.add(n)
            pairs += [(source, form) for form in (match or next(iter(variants), word)).split()]  # "munch": "eat food"
        sources, read = zip(*pairs, strict=True)
        return _SpeltWords(fit, sources, read, frozenset(respelt))

    def _same(self, stem: str, lang: str) -> str | None:
        """Return what the questions of a language say instead of a word that they lack, None if nothing."""
        rows = self._database.query("SELECT said FROM same_words WHERE lang = ? AND stem = ?", lang, stem)
        return rows[0][0] if rows else None

    def _names_of_others(self, typed: tuple[str, ...], lang: str) -> dict[int, str]:
        """Return where the name of a card begins that another language has, with the name in this one; "" within it."""
        translations, cyrillic = dict[int, str](), lang in self._database.cyrillic
        sql = "SELECT other.form FROM names JOIN names AS other USING (kind, subject)"
        sql += " WHERE kind = 'card' AND names.form = ? AND names.lang != other.lang AND other.lang = ?"
        for size, start in product(range(_LONGEST_NAME, 0, -1), range(len(typed))):
            place = range(start, start + size)
            words = typed[start : start + size]
            # A word that both languages have is this one's, if it is written in its letters.
            native = size == 1 and words[0].isascii() != cyrillic and self._is_known(stem_of(words[0], lang), lang)
            if len(words) < size or translations.keys() & {*place} or native:
                continue
            if names := self._database.query(f"{sql} ORDER BY other.position LIMIT 1", " ".join(words), lang):
                translations |= dict.fromkeys(place, "") | {start: names[0][0]}
        return translations

    def _mistyped_names(self, typed: tuple[str, ...], lang: str) -> dict[str, str]:
        """Return words that together are nearly a card's name, though not each by itself, with its words."""
        unknown = {word for word in typed if not self._is_known(stem_of(word, lang), lang)}
        sql = "SELECT form FROM names WHERE kind = 'card' AND lang = ?"
        names = [weighty(form.split()) for (form,) in self._database.query(sql, lang)] if unknown else []
        joined, corrections = ["".join(name) for name in names], dict[str, str]()
        for size, start in product((3, 2), range(len(typed))) if unknown else ():
            words = weighty(typed[start : start + size])
            letters = "".join(words)
            near = edits(letters, joined, len(letters) // _LETTERS) if unknown & {*words} - corrections.keys() else []
            for i, _ in near[:1]:
                longest = len(letters) + len(joined[i])
                corrections |= {word: names[i][edits(word, names[i], longest)[0][0]] for word in words}
        return corrections

    def _is_known(self, stem: str, lang: str) -> bool:
        return stem in self._database.derived(_stems, lang).get(stem[:1], ())

    def _mended(self, stem: str, lang: str) -> str | None:
        """Return the known stem that is a typing error or two away, None if there is none."""
        stems = self._database.derived(_stems, lang).get(stem[:1], ()) if len(stem) >= _SHORTEST else ()
        candidates = [word for word in stems if word.isalpha()]
        near = edits(stem, candidates, 1 if len(stem) < _TWO_SLIPS else 2)
        return candidates[near[0][0]] if near else None

    def _read(self, words: _SpeltWords, lang: str) -> Reading:
        features = features_of(" ".join(words.read), lang)
        counts = Counter(feature.name for feature in features)
        rows = self._database.query(
            "SELECT feature, known, subjects, weights FROM features"
            f" WHERE lang = ? AND feature IN ({', '.join('?' * len(counts))})", lang, *counts,
        )  # fmt: skip
        texts, logs = self._totals[lang]
        weights = weigh(counts, {name: rarity(count, texts) for name, count, *_ in rows})
        total = sum(weights.values()) or 1.0
        scores = [-total * offset for offset in logs]
        steps = {name: ([*unpack_numbers(subjects)], levels) for name, _, subjects, levels in rows}
        for name, weight in weights.items():
            step, (subjects, levels) = weight / STEPS, steps[name]
            for number, n in zip(subjects, levels, strict=True):
                scores[number] += step * n
        root = sqrt(total)
        known_well = _KNOWN * len(rows) / len(counts) + _LONG * log(len(words.typed))
        ours, nearest = dict[Game, float](), dict[Game, list[tuple[Subject, float]]]()
        for game in GAMES:
            first = nlargest(_MOST, self._of_game[game], key=scores.__getitem__)
            best = scores[first[0]]
            ours[game] = (best - scores[self._foreign]) / root + known_well
            nearest[game] = [(self.subjects[number], exp((scores[number] - best) / root)) for number in first]
        parts = [(feature.word, steps[feature.name]) for feature in features if feature.name in steps]
        return Reading(lang, words.typed, words.read, words.respelt, ours, nearest, parts)


def known_questions(database: Database) -> KnownQuestions:
    return database.derived(KnownQuestions)


def _stems(database: Database, lang: str) -> dict[str, list[str]]:
    """Return the stems that a language has by their first letter."""
    by_letter = dict[str, list[str]]()
    rows = "SELECT feature FROM features WHERE lang = ? AND feature >= ? AND feature < ?"
    for (feature,) in database.query(rows, lang, STEM, chr(ord(STEM) + 1)):
        by_letter.setdefault(feature[1:2], []).append(feature[1:])
    return by_letter
