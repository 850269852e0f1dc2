"""Answering questions from the texts: the passages that have the words and names asked for, weighed and grouped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from thunderref.database.games import FIRST_GAME, GAMES, Game
from thunderref.database.read import Database
from thunderref.errors import NoAnswerError
from thunderref.search.passages import passages_of
from thunderref.search.query import shorten
from thunderref.search.question import Question, Subject, Unit, read_question
from thunderref.text.folding import fold_query
from thunderref.text.stems import name_stems, query_stems

_LEAST = 0.34
"""A passage that covers less of the question is no answer."""
_BETTER = 0.04
"""By so much another game must answer better than the first to be the one that is meant."""
_WORTH = 0.75
"""The best answer of the other game is worth a mention if it covers that much of the question."""
_SHORT = 14
_KIND = {"effect": 0.03, "clarify": 0.05, "rule": 0.04, "term": 0.0, "conflict": -0.04}
_MOST_QUOTED = 4
_IN_CONFLICT = "SELECT conflict FROM conflict_subjects WHERE kind = '{}' AND subject = ?"
_FAMILY = 0.85
_PRINTED = {"rule": "rules", "clarify": "clarifications"}
_ABOUT = {
    "rule": (
        ("rule", 1.0, "SELECT ?"),
        ("conflict", 0.6, _IN_CONFLICT.format("rule")),
        ("clarify", 0.5, "SELECT c.id FROM clarifications AS c, json_each(c.rules) AS r WHERE r.value = ?"),
        ("rule", 0.8, "SELECT id FROM rules WHERE id LIKE ? || '.%'"),
    ),
    "term": (
        ("term", 1.0, "SELECT ?"),
        ("rule", 0.55, "SELECT rule FROM term_rules WHERE term = ?"),
        ("conflict", 0.7, _IN_CONFLICT.format("term")),
    ),
    "card": (
        ("effect", 1.0, "SELECT text_key FROM effects WHERE card = ?"),
        ("clarify", 1.0, "SELECT clarification FROM clarification_cards WHERE card = ?"),
        ("conflict", 1.0, _IN_CONFLICT.format("card")),
        ("rule", 0.35, "SELECT rule FROM card_rules WHERE card = ?"),
    ),
}
"""What is named -> the passages about it: their kind, how closely they are about it (0 to 1), where they stand."""

Doc = tuple[str, str]
"""(kind of passage, id of its subject); for an effect the text key takes the place of the subject."""


class Quote(NamedTuple):
    """A text that answers: how well, of which parts of the question (by number), the rules a ruling rests on."""

    key: str
    kind: str
    subject: str
    score: float
    units: frozenset[int]
    rules: tuple[str, ...] = ()


class Answer(NamedTuple):
    """One thing found: kind (``card``, ``rule``, ``clarification``, ``term``, ``conflict``), id, 0 to 100.

    ``why`` are the parts of the question it was found by; ``cards`` those a ruling or conflict concerns, or whose texts
    say the same; ``figures`` those asked for; ``strength`` how much of the question it covers, about 1 for all of it.
    """

    kind: str
    id: str
    score: int
    quotes: tuple[Quote, ...]
    why: tuple[Unit, ...]
    cards: tuple[str, ...]
    figures: tuple[str, ...] = ()
    game: Game = FIRST_GAME
    strength: float = 0.0


class Asked(NamedTuple):
    """The game a question is taken to be about, its answers, and the best answer of another game if it is good."""

    game: Game
    answers: list[Answer]
    elsewhere: Answer | None


def ask_games(database: Database, text: str, game: Game | None = None) -> Asked:
    """What the texts say about a question: of ``game``, else of the game it names, else of the one that says most.

    Where two answer about equally well, it is the first. Raises as :func:`ask` does.
    """
    named, rest = _named_game(database, text)
    if game is not None or named is not None:
        chosen = game or named or FIRST_GAME
        return Asked(chosen, ask(database, rest if chosen == named else text, chosen), None)
    found: dict[Game, list[Answer]] = {}
    refusals: list[NoAnswerError] = []
    for one in GAMES:
        try:
            found[one] = ask(database, text, one)
        except NoAnswerError as error:
            refusals.append(error)
    if not found:
        raise refusals[0]
    best = max(found, key=lambda one: found[one][0].strength + _BETTER * (one == FIRST_GAME))
    others = [answers[0] for one, answers in found.items() if one != best and answers[0].strength >= _WORTH]
    return Asked(best, found[best], others[0] if others else None)


def ask(database: Database, text: str, game: Game = FIRST_GAME) -> list[Answer]:
    """What the texts of one game say about a question in any language, best first.

    Raises :class:`InputError` (``empty-query``, ``long-query``) and :class:`NoAnswerError` (``no-passage``).
    """
    question = read_question(database, text, game)
    answers = _Answers(database, question, _weigh(database, question, game), game).answers()
    if not answers:
        raise NoAnswerError("no-passage", name=shorten(text))
    return answers


def rests_on(database: Database, quote: Quote) -> dict[str, Any]:
    """``sources`` and ``reading`` of the rule or ruling quoted; an ability rests on its card, other texts on none."""
    if quote.kind in _PRINTED:
        return database.printed(_PRINTED[quote.kind], quote.subject)
    sources = []
    if quote.kind == "effect":
        name = database.names_of("card", "en")[quote.subject].name
        sources = [{"book": "card", "section": name}]
    return {"sources": sources, "reading": False}


def _named_game(database: Database, text: str) -> tuple[Game | None, str]:
    titles = database.query(
        "SELECT game, lang, stems FROM names WHERE lang != '' AND game != ? AND subject IN"
        " (SELECT id FROM terms WHERE grp = 'title')",
        FIRST_GAME,
    )
    words = text.split()
    for game in GAMES:
        names = {
            (lang, stem) for one, lang, stems in titles if one == game and " " not in stems for stem in stems.split("|")
        }
        rest = []
        for word in words:
            form = fold_query(word)
            stems = {(lang, stem) for lang, _ in names for stem in query_stems(form, lang) | name_stems(form, lang)}
            if " " in form or stems.isdisjoint(names):
                rest.append(word)
        if len(rest) < len(words):
            return game, " ".join(rest) or text
    return None, text


def _weigh(database: Database, question: Question, game: Game) -> list[Quote]:
    near: dict[Doc, dict[int, float]] = {}
    for number, unit in enumerate(question.units):
        for subject in unit.subjects:
            for doc, strength in _about(database, subject):
                links = near.setdefault(doc, {})
                links[number] = max(links.get(number, 0.0), strength)
    keys = [key if kind == "effect" else f"{kind}.{key}" for kind, key in near]
    index = passages_of(database, game)
    rules = {row[0]: tuple(json.loads(row[1])) for row in database.query("SELECT id, rules FROM clarifications")}
    best: dict[str, Quote] = {}
    for lang in question.languages:
        weights = [unit.weight.get(lang, 0.0) for unit in question.units]
        asked = {token for unit in question.units for options in unit.tokens.get(lang, ()) for token in options}
        passages = {p.key: p for p in (*index.with_keys(keys, lang), *index.having(sorted(asked), lang))}
        for passage in passages.values() if any(weights) else ():
            words, names = set(passage.words.split()), set(passage.names.split())
            links = near.get((passage.kind, passage.key if passage.kind == "effect" else passage.subject), {})
            said = [max(links.get(n, 0.0), _said(unit, lang, words, names)) for n, unit in enumerate(question.units)]
            cover = sum(weight * share for weight, share in zip(weights, said, strict=True)) / sum(weights)
            if cover >= _LEAST:
                score = cover + _KIND[passage.kind] + 0.05 * min(1.0, _SHORT / max(1, len(words)))
                used = frozenset(number for number, share in enumerate(said) if share and weights[number])
                cited = rules[passage.subject] if passage.kind == "clarify" else ()
                quote = Quote(passage.key, passage.kind, passage.subject, score, used, cited)
                best[passage.key] = max(best.get(passage.key, quote), quote, key=lambda quote: quote.score)
    return sorted(best.values(), key=lambda passage: (-passage.score, passage.key))


def _about(database: Database, subject: Subject) -> Iterator[tuple[Doc, float]]:
    kind, ident = subject
    if kind == "family":
        for (card,) in database.query("SELECT id FROM cards WHERE family = ?", ident):
            yield from ((doc, _FAMILY * near) for doc, near in _about(database, ("card", card)))
        return
    for doc, near, sql in _ABOUT[kind]:
        for (about,) in database.query(sql, ident):
            yield (doc, about), near


def _quoted(passages: list[Quote]) -> tuple[Quote, ...]:
    order = {"effect": 0, "clarify": 1}
    first = sorted(passages[:_MOST_QUOTED], key=lambda p: (-round(p.score - 0.02, 1), order.get(p.kind, 2)))
    good = {p.key: p for p in reversed(first) if p.key and (p.score >= 0.6 * passages[0].score or p.kind == "effect")}
    return tuple(p for p in first if good.get(p.key) is p)


def _said(unit: Unit, lang: str, words: set[str], names: set[str]) -> float:
    options = unit.tokens.get(lang, ())
    best = [
        max((f * (0.9 if t in words else 0.85) for t, f in tokens.items() if t in words or t in names), default=0.0)
        for tokens in options
    ]
    share = sum(best) / max(1, len(options))
    return 0.3 * share if unit.subjects and len(options) > 1 and share < 0.8 else share


class _Answers:
    def __init__(self, database: Database, question: Question, passages: list[Quote], game: Game) -> None:
        self.database = database
        self.game = game
        self.question = question
        self.passages = passages
        self.named = {
            self._base(ident): number
            for number, unit in enumerate(question.units)
            for kind, ident in unit.subjects
            if kind == "card"
        }
        self.rulings: dict[str, list[str]] = {}
        for ruling, card in database.query("SELECT clarification, card FROM clarification_cards"):
            self.rulings.setdefault(ruling, []).append(self._base(card))

    def _base(self, card: str) -> str:
        return self.database.reprints.get(card, card)

    def answers(self) -> list[Answer]:
        english = dict(self.database.query("SELECT key, text FROM texts WHERE lang = 'en' AND key GLOB 'card.*'"))
        seen: dict[tuple[str, ...], int] = {}
        answers: list[Answer] = []
        scored = self._scored()
        for score, kind, ident, passages in scored:
            if kind == "card" and ident not in self.named:
                said = tuple(sorted(english.get(p.key, p.key) for p in passages))
                if said in seen:
                    old = answers[seen[said]]
                    answers[seen[said]] = old._replace(cards=(*old.cards, ident))
                    continue
                seen[said] = len(answers)
            numbers = sorted(frozenset().union(*(p.units for p in passages[:_MOST_QUOTED])))
            why = tuple(self.question.units[number] for number in numbers)
            points = max(1, min(100, round(100 * score / max(1.0, scored[0][0]))))
            quotes, cards, figures = _quoted(passages), self._cards(kind, ident), self._asked(passages)
            answers.append(Answer(kind, ident, points, quotes, why, cards, figures, self.game, score))
        return answers

    def _scored(self) -> list[tuple[float, str, str, list[Quote]]]:
        groups: dict[tuple[str, str], list[Quote]] = {}
        for passage in self.passages:
            groups.setdefault(self._owner(passage), []).append(passage)
        for card, number in self.named.items():
            passages = groups.setdefault(("card", card), [])
            passages.append(self._figures(card, number))
            passages.sort(key=lambda passage: -passage.score)
        for rule, passage in self._cited().items():
            groups.setdefault(("rule", rule), []).insert(0, passage)
        scored = []
        for (kind, ident), passages in groups.items():
            score = passages[0].score + min(0.06, 0.02 * (len(passages) - 1))
            if kind == "card" and ident in self.named:
                score += 0.06
            if kind == "term" and self._is_all_that_is_asked(ident):
                score += 0.15
            scored.append((score, kind, ident, passages))
        return sorted(scored, key=lambda item: (-item[0], item[1], item[2]))

    def _owner(self, passage: Quote) -> tuple[str, str]:
        if passage.kind == "effect":
            return "card", passage.subject
        if passage.kind != "clarify":
            return passage.kind, passage.subject
        cards = self.rulings.get(passage.subject, [])
        named = [card for card in self.named if card in cards]
        if len(named) == 1 or (named and passage.units):
            return "card", max(named, key=lambda card: self.named[card] in passage.units)
        return ("card", cards[0]) if len(set(cards)) == 1 else ("clarification", passage.subject)

    def _figures(self, card: str, number: int) -> Quote:
        units = self.question.units
        lang = self.question.languages[0]
        asked = {n for n, unit in enumerate(units) if n != number and self._has_any(card, unit.figures)}
        whole = sum(unit.weight.get(lang, 0.0) for unit in units) or 1.0
        score = sum(units[n].weight.get(lang, 0.0) for n in (number, *asked)) / whole
        return Quote("", "figures", card, score + (0.05 if asked else 0.0), frozenset((number, *asked)))

    def _has_any(self, card: str, figures: tuple[str, ...]) -> bool:
        row = self.database.card(card) if figures else None
        return any(getattr(row, figure) is not None for figure in figures)

    def _asked(self, passages: list[Quote]) -> tuple[str, ...]:
        first = next((p for p in passages if p.kind == "figures"), None)
        if first is None or first.score < 0.9 * passages[0].score:
            return ()
        asked = dict.fromkeys(figure for n in sorted(first.units) for figure in self.question.units[n].figures)
        return tuple(figure for figure in asked if self._has_any(first.subject, (figure,)))

    def _is_all_that_is_asked(self, term: str) -> bool:
        named = [("term", term) in unit.subjects for unit in self.question.units if unit.how != "unknown"]
        return bool(named) and all(named)

    def _cited(self) -> dict[str, Quote]:
        own = {p.subject: p.score for p in self.passages if p.kind == "rule"}
        found: dict[str, Quote] = {}
        for ruling in self.passages[:5]:
            for rule in ruling.rules if ruling.score >= 0.6 else ():
                score = max(0.75 * ruling.score, own.get(rule, 0.0) + 0.12)
                found.setdefault(rule, Quote(f"rule.{rule}", "rule", rule, score, ruling.units))
        return found

    def _cards(self, kind: str, ident: str) -> tuple[str, ...]:
        if kind == "clarification":
            return tuple(dict.fromkeys(self.rulings.get(ident, ())))
        if kind != "conflict":
            return ()
        rows = self.database.query(
            "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY subject", ident
        )
        return tuple(dict.fromkeys(self._base(card) for (card,) in rows))
