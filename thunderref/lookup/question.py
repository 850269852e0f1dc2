"""Reading a question: its language, the names and rule ids in it, the words that matter and what they may stand for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from itertools import product
from math import log
from typing import NamedTuple

from thunderref.errors import InputError
from thunderref.lookup.distance import budget, distance
from thunderref.lookup.index import FILLERS
from thunderref.lookup.normalise import fold, fold_query, is_cyrillic
from thunderref.lookup.stems import query_stems
from thunderref.lookup.tokens import tokens
from thunderref.lookup.translit import to_cyrillic
from thunderref.model.games import FIRST_GAME, Game
from thunderref.store.location import passage_index
from thunderref.store.read import Store

LONGEST = 400
"""A longer question is refused."""
_MOST_WORDS = 40
_RULE = re.compile(r"(?<![\w.])([RrРрTtТт])\s?(\d{1,2}[.,]\d{1,2}[a-zA-Z]?|\d{1,2})(?![\w])")
_UNKNOWN = 3.0
_FAINT = 0.8
_NAME_LEAST = {"card": 4.5, "rule": 5.0, "family": 4.0, "term": 2.5}

Subject = tuple[str, str]
"""(``card``, ``family``, ``term`` or ``rule``, id)."""
Tokens = dict[str, float]
"""Token of the full-text index -> how surely (0 to 1) a word of the question means it."""


class Unit(NamedTuple):
    """A name or a word of the question: as typed, how much it says, what it names, what it may be in each language.

    ``how`` is ``name``, ``word``, ``spelling`` (a typing error mended) or ``unknown``; ``meant`` is the name found.
    """

    typed: str
    how: str
    meant: str
    subjects: frozenset[Subject]
    tokens: dict[str, tuple[Tokens, ...]]
    weight: dict[str, float]


class Question(NamedTuple):
    """What was asked: the parts that matter and the languages it may be in, the likeliest first.

    ``figures``: number of a part -> the figures of a card it may ask for.
    """

    text: str
    units: tuple[Unit, ...]
    languages: tuple[str, ...]
    figures: dict[int, tuple[str, ...]]


class Vocabulary:
    """The tokens of the full-text index by language, with the number of texts that have them."""

    def __init__(self, store: Store, game: Game = FIRST_GAME) -> None:
        words = f"{game}_passage_words"
        store.query(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{words} USING fts5vocab('main', '{passage_index(game)}', 'row')"
        )
        self.counts: dict[str, dict[str, int]] = {lang: {} for lang in store.languages}
        for token, count in store.query(f"SELECT term, doc FROM {words}"):
            self.counts.setdefault(token.partition("·")[0], {})[token] = count
        self.size = max(1, store.query("SELECT count(*) FROM passages WHERE lang = 'en' AND game = ?", game)[0][0])

    def weight(self, token: str) -> float:
        """How much a token says: a rare one more than a common one."""
        count = self.counts.get(token.partition("·")[0], {}).get(token, 0)
        return log(1 + self.size / count) if count else _UNKNOWN

    @cached_property
    def _sorted(self) -> dict[str, list[str]]:
        return {lang: sorted(counts) for lang, counts in self.counts.items()}

    def related(self, token: str) -> Tokens:
        """The token itself, and those that may be other forms of the same word: the same beginning, other endings."""
        lang, _, bare = token.partition("·")
        known = token in self.counts.get(lang, {})
        found: Tokens = {token: 1.0} if known else {}
        if len(bare) < 4 or not bare.isalpha() or (lang == "en" and known):
            return found
        cut = 1 if known else 2
        start = f"{lang}·{bare[: max(4, len(bare) - cut)]}"
        words = self._sorted[lang]
        for word in words[bisect_left(words, start) :]:
            if not word.startswith(start):
                break
            if word != token and len(word) <= len(token) + 2:
                found[word] = 0.7 if known else 0.6
        return found

    def alike(self, token: str) -> Tokens:
        """The tokens a typing error away."""
        lang, _, bare = token.partition("·")
        if len(bare) < 4 or not bare.isalpha():
            return {}
        limit = 1.0 if len(bare) < 7 else 2.0
        found = {}
        for word in self.counts.get(lang, {}):
            other = word.partition("·")[2]
            if other[0] == bare[0] and abs(len(other) - len(bare)) <= limit and other.isalpha():
                cost = distance(bare, other, limit)
                if cost is not None:
                    found[word] = 0.75 - 0.2 * cost
        best = max(found.values(), default=0.0)
        return {word: factor for word, factor in found.items() if factor >= best - 0.11}


class Hints:
    """What the messages ``ask.words.*`` say of the words of questions, as tokens.

    ``faint``: words that say little. ``same``: word -> words the texts use for the same thing. ``figures``: word ->
    the figures of a card it asks for. A game other than the first has words of its own, ``ask.words.same.<game>``, and
    no figures.
    """

    def __init__(self, store: Store, words: Iterable[str], game: Game = FIRST_GAME) -> None:
        self.faint: set[str] = set()
        self.same: dict[str, list[str]] = {}
        self.figures: dict[str, list[str]] = {}
        self._starts = {word[:3] for word in words}
        for key, lang, text in store.query("SELECT key, lang, text FROM messages WHERE key GLOB 'ask.words.*'"):
            if key == "ask.words.faint":
                self.faint.update(self._tokens(text, lang))
            elif key.startswith("ask.words.same"):
                if key.removeprefix("ask.words.same").strip(".") != ("" if game == FIRST_GAME else game):
                    continue
                for entry in text.split(";"):
                    word, _, others = entry.partition(":")
                    for token in self._tokens(word, lang):
                        self.same.setdefault(token, []).extend(tokens(others, lang))
            elif game == FIRST_GAME:
                for token in self._tokens(text, lang):
                    self.figures.setdefault(token, []).append(key.rpartition(".")[2])

    def _tokens(self, text: str, lang: str) -> list[str]:
        """The tokens of those words that begin like a word of the question: an ending leaves three letters."""
        return [token for word in fold(text).split() if word[:3] in self._starts for token in tokens(word, lang)]


class _NameHit(NamedTuple):
    positions: tuple[int, ...]
    subject: Subject
    name: str
    lang: str
    mended: bool


def read_question(store: Store, text: str, game: Game = FIRST_GAME) -> Question:
    """The parts of a question about a game; raises :class:`InputError` (``empty-query``, ``long-query``)."""
    if len(text) > LONGEST:
        raise InputError("long-query", limit=LONGEST)
    rules, rest = _rules(store, text, game)
    words = fold_query(rest).split()[:_MOST_WORDS]
    if not words and not rules:
        raise InputError("empty-query")
    return _Reader(store, text, words, _as_typed(rest, words), rules, game).question()


def _as_typed(text: str, words: list[str]) -> list[str]:
    """The folded words as they were typed."""
    typed: list[str] = []
    for word in re.findall(r"[\w'’]+", "".join(c if c.isprintable() else " " for c in text)):
        folded = fold_query(word).split()
        typed += [word] if len(folded) == 1 else folded
    return typed if len(typed) >= len(words) else words


def _rules(store: Store, text: str, game: Game) -> tuple[list[Unit], str]:
    """The rules named by id, and the text without them."""
    known = {row[0].lower(): row[0] for row in store.query("SELECT id FROM rules WHERE game = ?", game)}
    units: list[Unit] = []
    langs = list(store.languages)
    for found in _RULE.finditer(text):
        letter = "r" if found[1] in "RrРр" else "t"
        rule = known.get(f"{letter}{found[2].replace(',', '.').lower()}")
        if rule is not None:
            weight = dict.fromkeys(langs, _NAME_LEAST["rule"])
            units.append(Unit(found[0], "name", rule, frozenset({("rule", rule)}), {}, weight))
            text = text.replace(found[0], " ", 1)
    return units, text


class _Reader:
    """Takes one question apart."""

    def __init__(
        self, store: Store, text: str, words: list[str], typed: list[str], rules: list[Unit], game: Game
    ) -> None:
        self.text = text
        self.words = words
        self.typed = typed
        self.rules = rules
        self.languages = list(store.languages)
        self.vocabulary = Vocabulary(store, game)
        self.reprints = dict(store.query("SELECT id, reprint_of FROM cards WHERE reprint_of IS NOT NULL"))
        self.names = store.query(
            "SELECT form, stems, kind, subject, lang, name FROM search WHERE lang != '' AND NOT (kind = 'term'"
            " AND subject IN (SELECT id FROM terms WHERE grp IN ('title', 'heading', 'place'))) AND game = ?",
            game,
        )
        self.hints = Hints(store, words, game)
        self.stop: list[set[str]] = []
        self.tokens: list[dict[str, Tokens]] = []
        self.mended: set[int] = set()
        for word in words:
            found = {lang: tokens(word, lang) for lang in self.languages}
            self.stop.append({lang for lang, own in found.items() if not own})
            self.tokens.append(
                {lang: related for lang, own in found.items() if own and (related := self._options(own[0]))}
            )

    def _options(self, token: str) -> Tokens:
        """The tokens a word may mean: its own forms, and words of the texts for the same thing."""
        found = self.vocabulary.related(token)
        for other in self.hints.same.get(token, ()):
            for form, factor in self.vocabulary.related(other).items():
                found[form] = max(found.get(form, 0.0), 0.85 * factor)
        return found

    def question(self) -> Question:
        """The question taken apart."""
        stems = [{lang: query_stems(word, lang) for lang in self.languages} for word in self.words]
        hits = self._names(stems, self.mended)
        named = {i for hit in hits for i in hit.positions}
        lost = [i for i in range(len(self.words)) if i not in named and not self.stop[i] and not self.tokens[i]]
        if lost:
            self._mend(lost, stems)
            hits = self._names(stems, self.mended)
        hits += self._parts(stems, {i for hit in hits for i in hit.positions})
        units = (*self.rules, *self._units(_chosen(hits)))
        languages = tuple(self._ranked(hits))
        figures = {}
        for number, unit in enumerate(units):
            own = [t for lang in languages for t in tokens(unit.typed, lang)]
            asked = tuple(dict.fromkeys(figure for token in own for figure in self.hints.figures.get(token, ())))
            if asked:
                figures[number] = asked
        return Question(self.text, units, languages, figures)

    def _mend(self, lost: list[int], stems: list[dict[str, frozenset[str]]]) -> None:
        """What words nobody knows may stand for: Cyrillic in Latin letters, else typing errors."""
        vocabulary = {lang: {word for row in self.names if row[4] == lang for word in row[0].split()}
                      for lang in self.languages}  # fmt: skip
        russian = {stem for row in self.names if row[4] == "ru" for word in row[1].split() for stem in word.split("|")}
        for i in lost:
            word = self.words[i]
            if self._from_latin(i, stems, russian):
                continue
            limit = min(budget(len(word)), 2.0)
            near: list[tuple[float, str, str]] = []
            if len(word) >= 4 and word.isalpha():
                near = [
                    (cost, lang, other)
                    for lang, known in vocabulary.items()
                    for other in known
                    if other[0] == word[0] and len(other) >= 4 and (cost := distance(word, other, limit)) is not None
                ]
            best = min((cost for cost, _, _ in near), default=9.0)
            for cost, lang, other in near:
                if cost <= best + 0.01:
                    stems[i][lang] = stems[i][lang] | query_stems(other, lang)
                    self.mended.add(i)
            for lang in self.languages:
                alike = self.vocabulary.alike(next(iter(tokens(word, lang)), ""))
                if alike:
                    self.tokens[i][lang] = alike
                    self.mended.add(i)

    def _from_latin(self, i: int, stems: list[dict[str, frozenset[str]]], known: set[str]) -> bool:
        """True if the word is Russian in Latin letters."""
        if "ru" not in self.languages or is_cyrillic(self.words[i]):
            return False
        for variant in to_cyrillic(self.words[i]):
            own = tokens(variant, "ru")
            if not own:
                self.stop[i].add("ru")
                return True
            related = self.vocabulary.related(own[0])
            meant = query_stems(variant, "ru")
            if own[0] in related or meant & known:
                if related:
                    self.tokens[i]["ru"] = {token: 0.9 * factor for token, factor in related.items()}
                stems[i]["ru"] = meant
                self.mended.add(i)
                return True
        return False

    def _names(self, stems: list[dict[str, frozenset[str]]], mended: set[int]) -> list[_NameHit]:
        """Every name with all its words (small ones aside) next to each other in the question."""
        at: dict[str, dict[str, list[int]]] = {lang: {} for lang in self.languages}
        for i, by_lang in enumerate(stems):
            for lang, found in by_lang.items():
                for stem in found:
                    at[lang].setdefault(stem, []).append(i)
        hits = []
        for form, its_stems, kind, subject, lang, name in self.names:
            here = at[lang]
            places: list[list[int]] = []
            for word, alternatives in zip(form.split(), its_stems.split(" "), strict=True):
                spots = sorted({i for stem in alternatives.split("|") for i in here.get(stem, ())})
                if spots:
                    places.append(spots)
                elif word not in FILLERS:
                    break
            else:
                chosen = _together(places)
                if chosen and not all(self.words[i] in FILLERS for i in chosen):
                    hits.append(_NameHit(chosen, (kind, subject), name, lang, bool(mended & set(chosen))))
        return hits

    def _parts(self, stems: list[dict[str, frozenset[str]]], taken: set[int]) -> list[_NameHit]:
        """Single words that only one card has in its name, and that the texts hardly use: “mortis”, “grandmaster”."""
        owners: dict[str, dict[str, set[tuple[str, str]]]] = {lang: {} for lang in self.languages}
        for _, its_stems, kind, subject, lang, name in self.names:
            if kind == "card":
                for alternatives in its_stems.split():
                    for stem in alternatives.split("|"):
                        owners[lang].setdefault(stem, set()).add((self.reprints.get(subject, subject), name))
        hits = []
        for i, by_lang in enumerate(stems):
            if i in taken or len(self.words[i]) < 4:
                continue
            for lang, found in by_lang.items():
                if lang in self.stop[i] or self._faint(i, lang):
                    continue
                meant = {owner for stem in found for owner in owners[lang].get(stem, ())}
                said = sum(
                    self.vocabulary.counts[lang].get(t, 0) for t, f in self.tokens[i].get(lang, {}).items() if f > 0.9
                )
                if len({card for card, _ in meant}) == 1 and said <= 0.03 * self.vocabulary.size:
                    card, name = sorted(meant)[0]
                    hits.append(_NameHit((i,), ("card", card), name, lang, i in self.mended))
        return hits

    def _faint(self, i: int, lang: str) -> bool:
        return bool(set(tokens(self.words[i], lang)) & self.hints.faint)

    def _units(self, groups: list[list[_NameHit]]) -> Iterable[Unit]:
        taken: set[int] = set()
        for group in groups:
            positions = group[0].positions
            taken.update(positions)
            first = group[0]
            weight = {}
            for lang in self.languages:
                own = sum(self._weight(i, lang) for i in positions)
                least = max(_NAME_LEAST[hit.subject[0]] for hit in group)
                weight[lang] = max(least, min(own, 6.5))
            yield Unit(
                " ".join(self.typed[i] for i in positions), "spelling" if first.mended else "name", first.name,
                frozenset(hit.subject for hit in group),
                {lang: tuple(self.tokens[i].get(lang, {}) for i in positions) for lang in self.languages}, weight,
            )  # fmt: skip
        for i in range(len(self.words)):
            if i in taken or len(self.stop[i]) == len(self.languages):
                continue
            how = "unknown" if not self.tokens[i] else "spelling" if i in self.mended else "word"
            weight = {
                lang: 0.0 if lang in self.stop[i] else _FAINT if self._faint(i, lang) else self._weight(i, lang)
                for lang in self.languages
            }
            options: dict[str, tuple[Tokens, ...]] = {lang: (found,) for lang, found in self.tokens[i].items()}
            yield Unit(self.typed[i], how, "", frozenset(), options, weight)

    def _weight(self, i: int, lang: str) -> float:
        known = self.tokens[i].get(lang)
        if not known:
            return 0.0 if lang in self.stop[i] else _UNKNOWN
        return max(self.vocabulary.weight(token) for token, f in known.items() if f == max(known.values()))

    def _ranked(self, hits: list[_NameHit]) -> list[str]:
        """The languages in which most words are known; those that know far fewer are left out."""
        if not self.words:  # nothing but rule ids, which every language knows
            return self.languages
        scores = {}
        for lang in self.languages:
            named = {i for hit in hits if hit.lang == lang for i in hit.positions}
            known = [i for i in range(len(self.words)) if i in named or lang in self.stop[i] or lang in self.tokens[i]]
            scores[lang] = sum(0.5 if lang in self.stop[i] and i not in named else 1.0 for i in known)
        best = max(scores.values())
        return [lang for lang in sorted(scores, key=lambda lang: -scores[lang]) if scores[lang] >= max(0.5, 0.7 * best)]


def _together(places: list[list[int]]) -> tuple[int, ...]:
    """One place for each word of a name such that they stand close to each other; () if they do not."""
    if not places:
        return ()
    best: tuple[int, ...] = ()
    for chosen in product(*(found[:4] for found in places)):
        span = max(chosen) - min(chosen)
        if len(set(chosen)) == len(chosen) and span <= len(chosen) and (not best or span < max(best) - min(best)):
            best = tuple(sorted(chosen))
    return best


def _chosen(hits: list[_NameHit]) -> list[list[_NameHit]]:
    """The names that stand in the question: the longest first, none inside or across another, equals together."""
    rank = {"card": 0, "family": 1, "term": 2}
    hits = sorted(hits, key=lambda hit: (-len(hit.positions), hit.mended, rank[hit.subject[0]], hit.positions))
    groups: dict[tuple[int, ...], list[_NameHit]] = {}
    taken: dict[int, tuple[int, ...]] = {}
    for hit in hits:
        if any(taken.get(i, hit.positions) != hit.positions for i in hit.positions):
            continue
        taken.update(dict.fromkeys(hit.positions, hit.positions))
        group = groups.setdefault(hit.positions, [])
        if all(hit.subject != other.subject for other in group):
            group.append(hit)
    return list(groups.values())
