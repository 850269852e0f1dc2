"""Answering questions from the texts: which cards, rules, rulings, terms and conflicts say most about what was asked.

No language model: the words and names of the question are looked up in the full-text index (:mod:`.question`), the
passages that have them are weighed (rare words say more than common ones, a text about a card that is named more than
one that mentions a word), and passages about the same card are put together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.lookup.exact import shorten
from thunderref.lookup.question import Question, Subject, Unit, read_question
from thunderref.model.games import FIRST_GAME, Game
from thunderref.store.location import passage_index
from thunderref.store.read import Store

LEAST = 0.34
"""A passage that covers less of the question is no answer."""
_SHORT = 14
_KIND = {"effect": 0.03, "clarify": 0.05, "rule": 0.04, "term": 0.0, "conflict": -0.04}
_FAR = {"family": 0.85, "term-rule": 0.55, "card-rule": 0.35, "conflict-rule": 0.6, "conflict-term": 0.7}
_MOST_QUOTED = 4

Doc = tuple[str, str]
"""(kind of passage, id of its subject); for an effect the text key takes the place of the subject."""


class Reason(NamedTuple):
    """Why something was found: what was typed, ``name``, ``word`` or ``spelling``, and the name it was taken for."""

    typed: str
    how: str
    meant: str


class Quote(NamedTuple):
    """A text that answers: its key, kind (``effect``, ``clarify``, ``rule``, ``term``, ``conflict``), id, rules."""

    key: str
    kind: str
    subject: str
    score: float
    rules: tuple[str, ...]


class Answer(NamedTuple):
    """One thing found: kind (``card``, ``rule``, ``clarification``, ``term``, ``conflict``), id, 0 to 100.

    ``cards`` are the cards a ruling or conflict concerns, or those whose texts say the same as this card's;
    ``figures`` the figures of the card that were asked for; ``strength`` says how much of the question it covers,
    about 1 for all of it, and can be compared between games.
    """

    kind: str
    id: str
    score: int
    quotes: tuple[Quote, ...]
    why: tuple[Reason, ...]
    cards: tuple[str, ...]
    figures: tuple[str, ...] = ()
    game: Game = FIRST_GAME
    strength: float = 0.0


class _Passage(NamedTuple):
    key: str
    kind: str
    subject: str
    score: float
    units: frozenset[int]


def ask(store: Store, text: str, game: Game = FIRST_GAME) -> list[Answer]:
    """What the texts of one game say about a question in any language, best first.

    Raises :class:`thunderref.errors.InputError` (``empty-query``, ``long-query``) and :class:`NoAnswerError`
    (``no-passage``) if nothing has enough to do with it.
    """
    question = read_question(store, text, game)
    passages = _Search(store, question, game).passages()
    answers = _Grouping(store, question, passages, game).answers()
    if not answers:
        raise NoAnswerError("no-passage", name=shorten(text))
    return answers


class _Search:
    """Weighs the passages for one question."""

    def __init__(self, store: Store, question: Question, game: Game) -> None:
        self.store = store
        self.index = passage_index(game)
        self.question = question
        self.near: dict[Doc, dict[int, float]] = {}
        for number, unit in enumerate(question.units):
            for subject in unit.subjects:
                for doc, strength in _about(store, subject):
                    links = self.near.setdefault(doc, {})
                    links[number] = max(links.get(number, 0.0), strength)

    def passages(self) -> list[_Passage]:
        """The passages that cover enough of the question, best first."""
        best: dict[str, _Passage] = {}
        for lang in self.question.languages:
            for passage in self._in_language(lang):
                old = best.get(passage.key)
                if old is None or passage.score > old.score:
                    best[passage.key] = passage
        return sorted(best.values(), key=lambda passage: (-passage.score, passage.key))

    def _in_language(self, lang: str) -> Iterator[_Passage]:
        units = self.question.units
        weights = [unit.weight.get(lang, 0.0) for unit in units]
        whole = sum(weights)
        if not whole:
            return
        for key, kind, subject, body, names in self._candidates(lang):
            words, titles = set(body.split()), set(names.split())
            links = self.near.get((kind, key if kind == "effect" else subject), {})
            got, used = 0.0, set()
            for number, unit in enumerate(units):
                said = max(links.get(number, 0.0), _said(unit, lang, words, titles))
                if said and weights[number]:
                    got += weights[number] * said
                    used.add(number)
            cover = got / whole
            if cover >= LEAST:
                score = cover + _KIND[kind] + 0.05 * min(1.0, _SHORT / max(1, len(words)))
                yield _Passage(key, kind, subject, score, frozenset(used))

    def _candidates(self, lang: str) -> list[tuple[str, str, str, str, str]]:
        """The passages with any word of the question, and those about what it names."""
        asked = {t for unit in self.question.units for options in unit.tokens.get(lang, ()) for t in options}
        columns = "p.key, p.kind, p.subject, p.tokens, p.names"
        rows: dict[str, tuple[str, str, str, str, str]] = {}
        if asked:
            match = " OR ".join(f'"{token}"' for token in sorted(asked))
            for row in self.store.query(
                f"SELECT {columns} FROM {self.index} JOIN passages AS p ON p.id = {self.index}.rowid"
                f" WHERE {self.index} MATCH ? AND p.lang = ?", match, lang,
            ):  # fmt: skip
                rows[row[0]] = (row[0], row[1], row[2], row[3], row[4])
        keys = [key if kind == "effect" else f"{kind}.{key}" for kind, key in self.near]
        lost = json.dumps([key for key in keys if key not in rows])
        for row in self.store.query(
            f"SELECT {columns} FROM passages AS p WHERE p.lang = ? AND p.key IN (SELECT value FROM json_each(?))",
            lang, lost,
        ):  # fmt: skip
            rows[row[0]] = (row[0], row[1], row[2], row[3], row[4])
        return list(rows.values())


def _said(unit: Unit, lang: str, words: set[str], titles: set[str]) -> float:
    """0 to 1: how surely a passage with these words, and names, speaks of a part of the question."""
    options = unit.tokens.get(lang, ())
    if not options:
        return 0.0
    total = 0.0
    for tokens in options:
        total += max(
            (f * (0.9 if token in words else 0.85) for token, f in tokens.items() if token in words or token in titles),
            default=0.0,
        )
    share = total / len(options)
    if unit.subjects and len(options) > 1 and share < 0.8:
        return 0.3 * share
    return share


def _about(store: Store, subject: Subject) -> Iterator[tuple[Doc, float]]:
    """The passages about a card, family, term or rule, and how closely (0 to 1)."""
    kind, ident = subject
    if kind == "rule":
        yield ("rule", ident), 1.0
        for (conflict,) in _rows(
            store, "SELECT conflict FROM conflict_subjects WHERE kind = 'rule' AND subject = ?", ident
        ):
            yield ("conflict", conflict), _FAR["conflict-rule"]
        for clarification, rules in store.query("SELECT id, rules FROM clarifications"):
            if ident in json.loads(rules):
                yield ("clarify", clarification), 0.5
        section = f"{ident}.%"
        for (rule,) in _rows(store, "SELECT id FROM rules WHERE id LIKE ?", section):
            yield ("rule", rule), 0.8
    elif kind == "term":
        yield ("term", ident), 1.0
        for (rule,) in _rows(store, "SELECT rule FROM term_rules WHERE term = ?", ident):
            yield ("rule", rule), _FAR["term-rule"]
        for (conflict,) in _rows(
            store, "SELECT conflict FROM conflict_subjects WHERE kind = 'term' AND subject = ?", ident
        ):
            yield ("conflict", conflict), _FAR["conflict-term"]
    else:
        cards = [(ident,)] if kind == "card" else _rows(store, "SELECT id FROM cards WHERE family = ?", ident)
        near = 1.0 if kind == "card" else _FAR["family"]
        for (card,) in cards:
            for (key,) in _rows(store, "SELECT text_key FROM effects WHERE card = ?", card):
                yield ("effect", key), near
            for (c,) in _rows(store, "SELECT clarification FROM clarification_cards WHERE card = ?", card):
                yield ("clarify", c), near
            for (c,) in _rows(
                store, "SELECT conflict FROM conflict_subjects WHERE kind = 'card' AND subject = ?", card
            ):
                yield ("conflict", c), near
            for (rule,) in _rows(store, "SELECT rule FROM card_rules WHERE card = ?", card):
                yield ("rule", rule), _FAR["card-rule"] * near


def _rows(store: Store, sql: str, value: str) -> list[tuple[str]]:
    return [(row[0],) for row in store.query(sql, value)]


class _Grouping:
    """Puts the passages about the same card together and the answers in order."""

    def __init__(self, store: Store, question: Question, passages: Iterable[_Passage], game: Game) -> None:
        self.store = store
        self.game = game
        self.question = question
        self.passages = list(passages)
        reprints = dict(store.query("SELECT id, reprint_of FROM cards WHERE reprint_of IS NOT NULL"))
        self.named = {
            reprints.get(ident, ident): number
            for number, unit in enumerate(question.units)
            for kind, ident in unit.subjects
            if kind == "card"
        }
        self.reprints = reprints
        self.rulings: dict[str, list[str]] = {}
        for ruling, card in store.query("SELECT clarification, card FROM clarification_cards"):
            self.rulings.setdefault(ruling, []).append(reprints.get(card, card))
        self.ruling_rules = {
            row[0]: tuple(json.loads(row[1])) for row in store.query("SELECT id, rules FROM clarifications")
        }

    def answers(self) -> list[Answer]:
        """The answers, best first."""
        groups: dict[tuple[str, str], list[_Passage]] = {}
        for passage in self.passages:
            groups.setdefault(self._owner(passage), []).append(passage)
        for card, number in self.named.items():
            passages = groups.setdefault(("card", card), [])
            passages.append(self._figures(card, number))
            passages.sort(key=lambda passage: -passage.score)
        cited = self._cited()
        for rule, passage in cited.items():
            groups.setdefault(("rule", rule), []).insert(0, passage)
        scored = []
        for (kind, ident), passages in groups.items():
            score = passages[0].score + min(0.06, 0.02 * (len(passages) - 1))
            if kind == "card" and ident in self.named:
                score += 0.06
            if kind == "term":
                score += self._definition(ident)
            scored.append((score, kind, ident, passages))
        scored.sort(key=lambda item: (-item[0], item[1], item[2]))
        return self._merged(scored)

    def _figures(self, card: str, number: int) -> _Passage:
        """The figures of a named card, as far as the question asks for figures."""
        units = self.question.units
        lang = self.question.languages[0]
        asked = {n for n in self.question.figures if n != number and self._has_figure(card, self.question.figures[n])}
        whole = sum(unit.weight.get(lang, 0.0) for unit in units) or 1.0
        score = sum(units[n].weight.get(lang, 0.0) for n in (number, *asked)) / whole
        return _Passage("", "figures", card, score + (0.05 if asked else 0.0), frozenset((number, *asked)))

    def _has_figure(self, card: str, figures: Iterable[str]) -> bool:
        row = self.store.card(card)
        return any(getattr(row, figure) is not None for figure in figures)

    def _definition(self, term: str) -> float:
        """A term is the best answer where nothing but its name was asked."""
        named = [unit for unit in self.question.units if ("term", term) in unit.subjects]
        others = [unit for unit in self.question.units if unit not in named and unit.how != "unknown"]
        return 0.15 if named and not others else 0.0

    def _owner(self, passage: _Passage) -> tuple[str, str]:
        if passage.kind == "effect":
            return "card", passage.subject
        if passage.kind == "clarify":
            cards = self.rulings.get(passage.subject, [])
            named = [card for card in self.named if card in cards]
            if len(named) == 1 or (named and passage.units):
                return "card", max(named, key=lambda card: (self.named[card] in passage.units, -len(cards)))
            if len(set(cards)) == 1:
                return "card", cards[0]
            return "clarification", passage.subject
        return passage.kind, passage.subject

    def _cited(self) -> dict[str, _Passage]:
        """The rules that the best rulings rest on: they are part of the answer."""
        own = {p.subject: p.score for p in self.passages if p.kind == "rule"}
        found: dict[str, _Passage] = {}
        for ruling in self.passages[:5]:
            if ruling.kind == "clarify" and ruling.score >= 0.6:
                for rule in self.ruling_rules.get(ruling.subject, ()):
                    score = max(0.75 * ruling.score, own.get(rule, 0.0) + 0.12)
                    if rule not in found:
                        found[rule] = _Passage(f"rule.{rule}", "rule", rule, score, ruling.units)
        return found

    def _merged(self, scored: list[tuple[float, str, str, list[_Passage]]]) -> list[Answer]:
        """The answers; cards that were not named and say the same as a better one are added to that."""
        english = dict(self.store.query("SELECT key, text FROM texts WHERE lang = 'en' AND key GLOB 'card.*'"))
        seen: dict[tuple[str, ...], int] = {}
        answers: list[Answer] = []
        top = scored[0][0] if scored else 1.0
        for score, kind, ident, passages in scored:
            if kind == "card" and ident not in self.named:
                said = tuple(sorted(english.get(p.key, p.key) for p in passages))
                if said in seen:
                    old = answers[seen[said]]
                    answers[seen[said]] = old._replace(cards=(*old.cards, ident))
                    continue
                seen[said] = len(answers)
            quotes = tuple(self._quotes(passages))
            units = sorted(frozenset().union(*(p.units for p in passages[:_MOST_QUOTED])))
            why = tuple(Reason(unit.typed, unit.how, unit.meant) for unit in (self.question.units[n] for n in units))
            points = max(1, min(100, round(100 * score / max(1.0, top))))
            cards, asked = self._cards(kind, ident), self._asked(passages)
            answers.append(Answer(kind, ident, points, quotes, why, cards, asked, self.game, score))
        return answers

    def _asked(self, passages: list[_Passage]) -> tuple[str, ...]:
        """The figures asked for, if that is what the answer is about."""
        first = next((p for p in passages if p.kind == "figures"), None)
        if first is None or first.score < 0.9 * passages[0].score:
            return ()
        row = self.store.card(first.subject)
        asked = [f for n in sorted(first.units) for f in self.question.figures.get(n, ())]
        return tuple(figure for figure in dict.fromkeys(asked) if getattr(row, figure) is not None)

    def _quotes(self, passages: list[_Passage]) -> Iterator[Quote]:
        best = passages[0].score
        quoted: set[str] = {""}
        order = {"effect": 0, "clarify": 1}
        for p in sorted(passages[:_MOST_QUOTED], key=lambda p: (-round(p.score - 0.02, 1), order.get(p.kind, 2))):
            if p.key not in quoted and (p.score >= 0.6 * best or p.kind == "effect"):
                rules = self.ruling_rules.get(p.subject, ()) if p.kind == "clarify" else ()
                quoted.add(p.key)
                yield Quote(p.key, p.kind, p.subject, p.score, rules)

    def _cards(self, kind: str, ident: str) -> tuple[str, ...]:
        if kind == "clarification":
            return tuple(dict.fromkeys(self.rulings.get(ident, ())))
        if kind == "conflict":
            rows = self.store.query(
                "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY subject", ident
            )
            return tuple(dict.fromkeys(self.reprints.get(row[0], row[0]) for row in rows))
        return ()
