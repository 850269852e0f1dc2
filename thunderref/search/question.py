"""Reading a question: its language, the names and rule ids in it, the words that matter and what they may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database
from thunderref.errors import InputError
from thunderref.search.index import FILLERS
from thunderref.search.matching import budget, edits
from thunderref.search.passages import UNKNOWN, PassageIndex, Tokens, passages_of
from thunderref.text.folding import fold, fold_query, is_cyrillic
from thunderref.text.stems import query_stems, tokens
from thunderref.text.transliteration import to_cyrillic

_LONGEST = 400
_MOST_WORDS = 40
_RULE = re.compile(r"(?<![\w.])([RrРрTtТт])\s?(\d{1,2}[.,]\d{1,2}[a-zA-Z]?|\d{1,2})(?![\w])")
_FAINT = 0.8
_NAME_LEAST = {"card": 4.5, "rule": 5.0, "family": 4.0, "term": 2.5}

Subject = tuple[str, str]
"""(``card``, ``family``, ``term`` or ``rule``, id)."""


class Unit(NamedTuple):
    """A name or a word of the question, with what it names and may be in each language.

    ``how`` is ``name``, ``word``, ``spelling`` (a typing error mended) or ``unknown``; ``meant`` is the name found.
    """

    typed: str
    how: str
    meant: str
    subjects: tuple[Subject, ...]
    tokens: dict[str, tuple[Tokens, ...]]
    weight: dict[str, float]
    figures: tuple[str, ...] = ()


class Question(NamedTuple):
    """What was asked: the parts that matter and the languages it may be in, the likeliest first."""

    units: tuple[Unit, ...]
    languages: tuple[str, ...]


class _Word:
    """A word as typed and folded, the stems and tokens it may have by language, the languages it says nothing in."""

    def __init__(self, typed: str, form: str, languages: Iterable[str]) -> None:
        self.typed = typed
        self.form = form
        self.stems = {lang: query_stems(form, lang) for lang in languages}
        self.stop = {lang for lang in languages if not tokens(form, lang)}
        self.tokens: dict[str, Tokens] = {}
        self.is_mended = False


class _NameHit(NamedTuple):
    positions: tuple[int, ...]
    subject: Subject
    name: str
    lang: str


def read_question(database: Database, text: str, game: Game = FIRST_GAME) -> Question:
    """The parts of a question about a game; raises :class:`InputError` (``empty-query``, ``long-query``)."""
    if len(text) > _LONGEST:
        raise InputError("long-query", limit=_LONGEST)
    rules, rest = _rules(database, text, game)
    forms = fold_query(rest).split()[:_MOST_WORDS]
    if not forms and not rules:
        raise InputError("empty-query")
    words = [_Word(typed, form, database.languages) for typed, form in zip(_as_typed(rest, forms), forms, strict=False)]
    return _Reader(database, words, game).question(rules)


def _rules(database: Database, text: str, game: Game) -> tuple[list[Unit], str]:
    known = {row[0].lower(): row[0] for row in database.query("SELECT id FROM rules WHERE game = ?", game)}
    units: list[Unit] = []
    for found in _RULE.finditer(text):
        letter = "r" if found[1] in "RrРр" else "t"
        rule = known.get(f"{letter}{found[2].replace(',', '.').lower()}")
        if rule is not None:
            weight = dict.fromkeys(database.languages, _NAME_LEAST["rule"])
            units.append(Unit(found[0], "name", rule, (("rule", rule),), {}, weight))
            text = text.replace(found[0], " ", 1)
    return units, text


def _as_typed(text: str, forms: list[str]) -> list[str]:
    typed: list[str] = []
    for word in re.findall(r"[\w'’]+", "".join(c if c.isprintable() else " " for c in text)):
        folded = fold_query(word).split()
        typed += [word] if len(folded) == 1 else folded
    return typed if len(typed) >= len(forms) else forms


class _Hints:
    """What the messages ``ask.words.*`` say of the words of a question, as tokens.

    ``faint``: words that say little; ``same``: word -> words the texts use for the same thing, each game its own;
    ``figures``: word -> the figures of a card it asks for (in the first game only).
    """

    def __init__(self, database: Database, words: Iterable[_Word], game: Game) -> None:
        self.faint: set[str] = set()
        self.same: dict[str, list[str]] = {}
        self.figures: dict[str, list[str]] = {}
        starts = {word.form[:3] for word in words}

        def asked(text: str) -> list[str]:
            """The tokens of the words that begin like a word of the question: an ending leaves three letters."""
            return [token for word in fold(text).split() if word[:3] in starts for token in tokens(word, lang)]

        same = "ask.words.same" if game == FIRST_GAME else f"ask.words.same.{game}"
        for key, lang, text in database.query("SELECT key, lang, text FROM messages WHERE key GLOB 'ask.words.*'"):
            if key == "ask.words.faint":
                self.faint.update(asked(text))
            elif key == same:
                for word, _, others in (entry.partition(":") for entry in text.split(";")):
                    for token in asked(word):
                        self.same.setdefault(token, []).extend(tokens(others, lang))
            elif key.startswith("ask.words.figure.") and game == FIRST_GAME:
                for token in asked(text):
                    self.figures.setdefault(token, []).append(key.rpartition(".")[2])


class _Reader:
    def __init__(self, database: Database, words: list[_Word], game: Game) -> None:
        self.words = words
        self.languages = list(database.languages)
        self.index: PassageIndex = passages_of(database, game)
        self.hints = _Hints(database, words, game)
        self.reprints = database.reprints
        self.names = database.query(
            "SELECT form, stems, kind, subject, lang, name FROM names WHERE lang != '' AND kind != 'set' AND game = ?"
            " AND (kind != 'term' OR subject NOT IN (SELECT id FROM terms WHERE grp IN ('title', 'heading', 'place')))",
            game,
        )
        for word in words:
            options = {lang: self._options(token) for lang in self.languages for token in tokens(word.form, lang)[:1]}
            word.tokens.update({lang: found for lang, found in options.items() if found})

    def _options(self, token: str) -> Tokens:
        found = self.index.related(token)
        for other in self.hints.same.get(token, ()):
            for form, factor in self.index.related(other).items():
                found[form] = max(found.get(form, 0.0), 0.85 * factor)
        return found

    def question(self, rules: list[Unit]) -> Question:
        hits = self._named()
        named = {i for hit in hits for i in hit.positions}
        lost = [word for i, word in enumerate(self.words) if i not in named and not word.stop and not word.tokens]
        if lost:
            self._mend(lost)
            hits = self._named()
        hits += self._parts({i for hit in hits for i in hit.positions})
        languages = tuple(self._ranked(hits))
        units = []
        for unit in (*rules, *self._units(_chosen(hits, self.words))):
            own = [token for lang in languages for token in tokens(unit.typed, lang)]
            figures = dict.fromkeys(figure for token in own for figure in self.hints.figures.get(token, ()))
            units.append(unit._replace(figures=tuple(figures)))
        return Question(tuple(units), languages)

    def _mend(self, lost: list[_Word]) -> None:
        known = {lang: sorted({word for row in self.names if row[4] == lang for word in row[0].split()})
                 for lang in self.languages}  # fmt: skip
        russian = {stem for row in self.names if row[4] == "ru" for stem in re.split(r"[ |]", row[1])}
        for word in lost:
            form = word.form
            if self._mend_latin(word, russian):
                continue
            near = [
                (cost, lang, words[i])
                for lang, words in known.items()
                for i, cost in (edits(form, words, min(budget(len(form)), 2)) if form.isalpha() else ())
                if words[i][0] == form[0] and min(len(words[i]), len(form)) >= 4
            ]
            for cost, lang, other in near:
                if cost == min(near)[0]:
                    word.stems[lang] |= query_stems(other, lang)
                    word.is_mended = True
            for lang in self.languages:
                if alike := self.index.alike(next(iter(tokens(form, lang)), "")):
                    word.tokens[lang] = alike
                    word.is_mended = True

    def _mend_latin(self, word: _Word, known: set[str]) -> bool:
        for variant in to_cyrillic(word.form) if "ru" in self.languages and not is_cyrillic(word.form) else ():
            own = tokens(variant, "ru")
            if not own:
                word.stop.add("ru")
                return True
            related = self.index.related(own[0])
            stems = query_stems(variant, "ru")
            if own[0] in related or stems & known:
                if related:
                    word.tokens["ru"] = {token: 0.9 * factor for token, factor in related.items()}
                word.stems["ru"] = stems
                word.is_mended = True
                return True
        return False

    def _named(self) -> list[_NameHit]:
        at: dict[str, dict[str, list[int]]] = {lang: {} for lang in self.languages}
        for i, word in enumerate(self.words):
            for lang, own in word.stems.items():
                for stem in own:
                    at[lang].setdefault(stem, []).append(i)
        hits = []
        for form, stems, kind, subject, lang, name in self.names:
            places: list[list[int]] = []
            for part, its_stems in zip(form.split(), stems.split(" "), strict=True):
                spots = sorted({i for stem in its_stems.split("|") for i in at[lang].get(stem, ())})
                if spots:
                    places.append(spots)
                elif part not in FILLERS:
                    break
            else:
                chosen = _together(places)
                if any(self.words[i].form not in FILLERS for i in chosen):
                    hits.append(_NameHit(chosen, (kind, subject), name, lang))
        return hits

    def _parts(self, taken: set[int]) -> list[_NameHit]:
        owners: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for _, stems, kind, subject, lang, name in self.names:
            for stem in stems.replace("|", " ").split() if kind == "card" else ():
                owners.setdefault((lang, stem), set()).add((self.reprints.get(subject, subject), name))
        hits = []
        for i, word in enumerate(self.words):
            for lang, own in word.stems.items() if i not in taken and len(word.form) >= 4 else ():
                if lang in word.stop or self._is_faint(word, lang):
                    continue
                meant = {owner for stem in own for owner in owners.get((lang, stem), ())}
                sure = [token for token, factor in word.tokens.get(lang, {}).items() if factor > 0.9]
                said = sum(self.index.counts[lang].get(token, 0) for token in sure)
                if len({card for card, _ in meant}) == 1 and said <= 0.03 * self.index.size:
                    card, name = min(meant)
                    hits.append(_NameHit((i,), ("card", card), name, lang))
        return hits

    def _units(self, groups: list[list[_NameHit]]) -> Iterator[Unit]:
        taken: set[int] = set()
        for group in groups:
            taken.update(group[0].positions)
            words = [self.words[i] for i in group[0].positions]
            least = max(_NAME_LEAST[hit.subject[0]] for hit in group)
            yield Unit(
                " ".join(word.typed for word in words),
                "spelling" if any(word.is_mended for word in words) else "name",
                group[0].name,
                tuple(hit.subject for hit in group),
                {lang: tuple(word.tokens.get(lang, {}) for word in words) for lang in self.languages},
                {lang: max(least, min(6.5, sum(self._weight(w, lang) for w in words))) for lang in self.languages},
            )
        for i, word in enumerate(self.words):
            if i not in taken and len(word.stop) < len(self.languages):
                how = "unknown" if not word.tokens else "spelling" if word.is_mended else "word"
                weight = {lang: self._weight(word, lang) for lang in self.languages}
                weight |= {lang: _FAINT for lang in self.languages if weight[lang] and self._is_faint(word, lang)}
                options: dict[str, tuple[Tokens, ...]] = {lang: (found,) for lang, found in word.tokens.items()}
                yield Unit(word.typed, how, "", (), options, weight)

    def _is_faint(self, word: _Word, lang: str) -> bool:
        return not self.hints.faint.isdisjoint(tokens(word.form, lang))

    def _weight(self, word: _Word, lang: str) -> float:
        known = word.tokens.get(lang)
        if lang in word.stop or not known:
            return 0.0 if lang in word.stop else UNKNOWN
        best = max(known.values())
        return max(self.index.weight(token) for token, factor in known.items() if factor == best)

    def _ranked(self, hits: list[_NameHit]) -> list[str]:
        if not self.words:  # nothing but rule ids, which every language knows
            return self.languages
        scores = dict.fromkeys(self.languages, 0.0)
        for lang in self.languages:
            named = {i for hit in hits if hit.lang == lang for i in hit.positions}
            for i, word in enumerate(self.words):
                if i in named or (lang in word.tokens and lang not in word.stop):
                    scores[lang] += 1.0
                elif lang in word.stop:
                    scores[lang] += 0.5
        best = max(scores.values())
        return [lang for lang in sorted(scores, key=lambda lang: -scores[lang]) if scores[lang] >= max(0.5, 0.7 * best)]


def _together(places: list[list[int]]) -> tuple[int, ...]:
    ways = [sorted(chosen) for chosen in product(*(found[:4] for found in places)) if chosen]
    close = [way for way in ways if len(set(way)) == len(way) and way[-1] - way[0] <= len(way)]
    nearest = min(close, key=lambda way: way[-1] - way[0], default=[])
    return tuple(nearest)


def _chosen(hits: list[_NameHit], words: list[_Word]) -> list[list[_NameHit]]:
    rank = {"card": 0, "family": 1, "term": 2}

    def order(hit: _NameHit) -> tuple[object, ...]:
        mended = any(words[i].is_mended for i in hit.positions)
        return -len(hit.positions), mended, rank[hit.subject[0]], hit.positions

    groups: dict[tuple[int, ...], list[_NameHit]] = {}
    taken: dict[int, tuple[int, ...]] = {}
    for hit in sorted(hits, key=order):
        if all(taken.get(i, hit.positions) == hit.positions for i in hit.positions):
            taken.update(dict.fromkeys(hit.positions, hit.positions))
            group = groups.setdefault(hit.positions, [])
            if all(hit.subject != other.subject for other in group):
                group.append(hit)
    return list(groups.values())
