"""Reading a question: its language, the names and rule ids in it, the words that matter and what they may stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database
from thunderref.errors import InputError
from thunderref.search.matching import edits
from thunderref.search.passages import Tokens, passages_of
from thunderref.text.folding import fold, fold_query, is_cyrillic, weighty
from thunderref.text.stems import query_stems, small_words, tokens
from thunderref.text.transliteration import to_cyrillic

_LONGEST = 400
_MOST_WORDS = 40
_SAME = 0.7
"""How surely a word means what its synonym does."""
_UNSURE = 0.7
"""How much a word that may be another one weighs as an unknown one."""
_SLIP, _LETTERS = 0.75, 4
"""How surely a word is the one of a card's name it is like; how many letters of a name have one error."""
_RARE = 2
"""A word that no more answers have may be a mistyped one."""
_RULE = re.compile(r"(?<![\w.])([RrРрTtТт])\s?(\d{1,2}[.,]\d{1,2}[a-zA-Z]?|\d{1,2})(?![\w])")


class Word(NamedTuple):
    """A word of the question, with the tokens and stems it may have, and how much it says; a ``small`` one says little.

    ``like``: how much each token makes a question like another that has it. ``how`` is ``name``, ``word``, ``spelling``
    (a typing error mended) or ``unknown``.
    """

    typed: str
    how: str
    tokens: Tokens
    stems: frozenset[str]
    weight: float
    like: Tokens
    small: bool


class Named(NamedTuple):
    """A card, family or term that is named, by which words of the question (by number)."""

    kind: str
    id: str
    name: str
    words: frozenset[int]


class Question(NamedTuple):
    """What was asked, read in one language: its words, the rules and the names in it, the figures asked for.

    ``subject`` is the weight of its words but for those that only ask what something does or costs, ``small`` the small
    words of the language.
    """

    lang: str
    words: tuple[Word, ...]
    rules: tuple[str, ...]
    named: tuple[Named, ...]
    figures: tuple[str, ...]
    subject: float = 1.0
    small: frozenset[str] = frozenset()


def read_question(database: Database, text: str, game: Game = FIRST_GAME) -> list[Question]:
    """A question about a game in each language it may be in; raises :class:`InputError` (``empty-query``,
    ``long-query``)."""
    if len(text) > _LONGEST:
        raise InputError("long-query", limit=_LONGEST)
    known = {row[0].lower(): row[0] for row in database.query("SELECT id FROM rules WHERE game = ?", game)}
    rules = []
    for found in _RULE.finditer(text):
        rule = known.get(f"{'r' if found[1] in 'RrРр' else 't'}{found[2].replace(',', '.').lower()}")
        if rule is not None:
            rules.append(rule)
            text = text.replace(found[0], " ", 1)
    forms = fold_query(text).split()[:_MOST_WORDS]
    if not forms and not rules:
        raise InputError("empty-query")
    if not forms:
        return [Question("en", (), tuple(rules), (), ())]
    seen = re.findall(r"[\w'’]+", text)
    typed = dict(zip(forms, seen if len(seen) == len(forms) else forms, strict=False))
    readers = [_Reader(database, typed, lang, game) for lang in database.languages]
    best = max(reader.fit for reader in readers)
    return [reader.question(tuple(rules)) for reader in readers if reader.fit >= 0.75 * best]


class _Reader:
    """The words of a question in one language; ``fit``: how many of them it knows."""

    def __init__(self, database: Database, forms: dict[str, str], lang: str, game: Game) -> None:
        self.database, self.lang, self.game = database, lang, game
        self.index = passages_of(database, game)
        self.same = self._synonyms({form[:3] for form in forms})
        self.words: list[tuple[str, str, bool, Tokens]] = []
        self.fit = 0.0
        for form, typed in forms.items():
            respelt = to_cyrillic(form) if lang == "ru" and not is_cyrillic(form) else []
            for variant in (form, *respelt):
                (token,) = tokens(variant, lang)
                found = self._meanings(token)
                if found:
                    break
            known = max(found.values(), default=0.0)
            self.fit += known if variant == form else 0.8 * known
            self.words.append((typed, variant if found else form, variant == form, found))

    def _meanings(self, token: str) -> Tokens:
        others = [self.index.related(other) for other in self.same.get(token, ())]
        return {form: _SAME * sure for found in others for form, sure in found.items()} | self.index.related(token)

    def question(self, rules: tuple[str, ...]) -> Question:
        words, meant, small = [], self._mistyped_names(), small_words(self.lang)
        for typed, form, as_typed, known in self.words:
            (token,) = tokens(form, self.lang)
            name = meant.get(form, "")
            found = dict.fromkeys(tokens(name, self.lang), _SLIP) | known or self.index.alike(token, form)
            how = "unknown" if not found else "word" if known and as_typed and not name else "spelling"
            weights = {each: sure for each, sure in found.items() if self.index.answers(each)}
            best = max(weights.values(), default=0.0)
            most = max((self.index.weight(each) for each, sure in weights.items() if sure == best), default=0.0)
            unknown = self.index.weight(token) * (0.5 if len(form) < 4 else 1)
            weight = best * most + (1 - best) * _UNSURE * unknown if best else unknown
            sure = {each for each in found if each == token or each not in self.same.get(token, ())}
            like = {each: share * self.index.likeness(each) for each, share in found.items()}
            stems = query_stems(name or form, self.lang) | sure
            words.append(Word(typed, how, found, stems, weight, like, token in small))
        said = "SELECT text FROM messages WHERE lang = ? AND (key = 'ask.words.about' OR key GLOB 'ask.words.figure.*')"
        about = self.database.query(said, self.lang)
        idle = small.union(token for (text,) in about for token in tokens(text, self.lang))
        subject = sum(word.weight for word in words if not idle & {t for t, sure in word.tokens.items() if sure == 1})
        named, figures = tuple(self._named(words)), tuple(self._figures(words))
        return Question(self.lang, tuple(words), rules, named, figures, subject or 1.0, small)

    def _mistyped_names(self) -> dict[str, str]:
        """Word of the question -> the word of a card's name it stands for, where two or three make one."""
        found: dict[str, str] = {}
        unknown = {f for _, f, _, known in self.words if all(self.index.answers(each) <= _RARE for each in known)}
        sql = "SELECT form FROM names WHERE kind = 'card' AND lang = ? AND game = ?"
        rows = self.database.query(sql, self.lang, self.game) if unknown else []
        names = [weighty(form.split()) for (form,) in rows]
        joined = ["".join(name) for name in names]
        for size, start in product((3, 2), range(len(self.words))) if unknown else ():
            part = [form for _, form, _, _ in self.words[start : start + size]]
            if unknown.isdisjoint(part) or not found.keys().isdisjoint(part):
                continue
            length = len("".join(part))
            for i, _ in edits("".join(part), joined, length // _LETTERS)[:1]:
                found |= {form: names[i][edits(form, names[i], length + len(joined[i]))[0][0]] for form in part}
        return found

    def _synonyms(self, starts: set[str]) -> dict[str, list[str]]:
        """Token -> tokens of the words that the texts use for the same thing, each game its own."""
        key = "ask.words.same" if self.game == FIRST_GAME else f"ask.words.same.{self.game}"
        found: dict[str, list[str]] = {}
        for (text,) in self.database.query("SELECT text FROM messages WHERE key = ? AND lang = ?", key, self.lang):
            for said, _, others in (entry.partition(":") for entry in text.split(";")):
                asked = [word for word in said.split() if fold(word)[:3] in starts]
                for token in tokens(" ".join(asked), self.lang) if asked else ():
                    found.setdefault(token, []).extend(tokens(others, self.lang))
        return found

    def _figures(self, words: list[Word]) -> Iterator[str]:
        """The figures of a card that the question asks for."""
        messages = "SELECT key, text FROM messages WHERE key GLOB 'ask.words.figure.*' AND lang = ?"
        asked = {token for word in words for token, sure in word.tokens.items() if sure == 1}
        for key, text in self.database.query(messages, self.lang) if self.game == FIRST_GAME else ():
            if not asked.isdisjoint(tokens(text, self.lang)):
                yield key.rpartition(".")[2]

    def _named(self, words: list[Word]) -> Iterator[Named]:
        """The names in the question, the longest first; a word is part of one only."""
        at = {stem: i for i, word in reversed(list(enumerate(words))) for stem in word.stems}
        rows = self.database.query(
            "SELECT kind, subject, name, parts FROM names WHERE lang = ? AND kind != 'set' AND game = ? AND parts != ''"
            " AND (kind != 'term' OR subject NOT IN (SELECT id FROM terms WHERE grp IN ('title', 'heading', 'place')))",
            self.lang, self.game,
        )  # fmt: skip
        hits = []
        for kind, subject, name, parts in rows:
            spots = [next((at[stem] for stem in part.split("|") if stem in at), -1) for part in parts.split(" ")]
            if -1 not in spots and len(set(spots)) == len(spots):
                hits.append(Named(kind, self.database.reprints.get(subject, subject), name, frozenset(spots)))
        taken: dict[int, frozenset[int]] = {}
        for hit in sorted(hits, key=lambda hit: (-len(hit.words), ("card", "family", "term").index(hit.kind))):
            if all(taken.setdefault(i, hit.words) == hit.words for i in hit.words):
                yield hit
