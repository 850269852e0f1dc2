"""Answering questions: what is told about a rule, card, ruling, term or conflict, by the words and names asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from math import sqrt
from typing import Any, NamedTuple

from thunderref.database.games import FIRST_GAME, FOREIGN, GAMES, Game
from thunderref.database.read import Database
from thunderref.errors import Candidate, NoAnswerError
from thunderref.search.index import index_of
from thunderref.search.nearest import nearest_names
from thunderref.search.passages import Passage, passages_of
from thunderref.search.query import shorten
from thunderref.search.question import Named, Question, read_question
from thunderref.text.folding import fold_query
from thunderref.text.language import Language
from thunderref.text.stems import name_stems, query_stems, tokens

_LEAST = {"en": 1.04, "pl": 0.76, "ru": 0.7}
"""What a question must come to in a language to be answered: English words mean more things."""
SURE, _LESS = 1.3, 0.25
"""Measured by that: an answer as strong is called the answer; a game that is named answers with as little."""
_BESIDE, _NEAREST = 0.5, 3
"""What is shown beside the first is so strong, measured by the first; how many topics stand in a refusal."""
_CANDIDATES, _QUESTIONS = 100, 200
_OFTEN, _LONG, _USUAL = 1.0, 0.4, 32.0
"""BM25: how soon a repeated word says no more (``k``), how much length takes (``b``), the usual length."""
_IN_NAMES = 1.2
_ASKED, _AGAIN = 0.8, 0.4
"""What it adds that a player's question is like the one asked, and what a second one counts, measured by the first."""
_APART = 2.0
"""How much it counts that a question is liker to players' questions than to foreign ones."""
_KIND = {"rule": 1.05, "section": 0.7, "clarification": 0.9, "term": 0.9, "card": 0.85, "conflict": 0.5}
_NAMED, _CALLED, _ALONE = 0.5, 0.2, 0.6
"""What it adds that the question is nothing but the name of a card, or of a term; what that is worth at least."""
_CITED = 2.0
"""What a rule is worth whose number is in the question."""
_SHORT = 10.0
"""The weight of a short question: the longer one is, the more surely its answers are told apart."""
_BETTER, _ENOUGH = 1.11, 0.8
"""How well, measured by the first, another game must answer to be meant; and where the first one has no answer."""
_MOST_QUOTED = 4
_PRINTED = {"rule": "rules", "clarify": "clarifications"}


class Quote(NamedTuple):
    """A text that answers, and the rules a ruling rests on; ``subject`` is its card, rule, ruling, term or conflict."""

    key: str
    kind: str
    subject: str
    rules: tuple[str, ...] = ()


class Reason(NamedTuple):
    """A word or name of the question an answer was found by; ``how``: ``name``, ``word`` or ``spelling``."""

    typed: str
    how: str
    meant: str


class Answer(NamedTuple):
    """One thing found: kind (``card``, ``rule``, ``clarification``, ``term``, ``conflict``), id, 0 to 100.

    ``cards`` are those a ruling or conflict concerns; ``figures`` those asked for; ``strength`` says how well it fits.
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


class Asked(NamedTuple):
    """The game a question is taken to be about, its answers, and the best answer of another game if it is good."""

    game: Game
    answers: list[Answer]
    elsewhere: Answer | None

    @property
    def confident(self) -> bool:
        """False if nothing is sure enough to be called the answer."""
        return self.answers[0].strength >= SURE


def ask_games(database: Database, text: str, game: Game | None = None) -> Asked:
    """What is told about a question: of ``game``, else of the one it names, else of the first.

    Another game answers only where it fits clearly better than the first. Raises as :func:`ask` does, and
    :class:`NoAnswerError` if the question names a game that thunderref does not know.
    """
    if names_unknown_game(database, text):
        raise NoAnswerError("no-answer", name=shorten(text))
    named, rest = _named_game(database, text)
    if game is not None or named is not None:
        chosen = game or named or FIRST_GAME
        return Asked(chosen, ask(database, rest if chosen == named else text, chosen), None)
    found: dict[Game, list[Answer]] = {}
    for one in GAMES:
        with suppress(NoAnswerError):
            found[one] = ask(database, text, one)
    first = [answer.strength for answer in found.get(FIRST_GAME, ())]
    least = _BETTER * max(first) if first else _ENOUGH
    others = [(answers[0].strength, one) for one, answers in found.items() if one != FIRST_GAME]
    strength, other = max(others, default=(0.0, FIRST_GAME))
    if strength > least:
        return Asked(other, found[other], found[FIRST_GAME][0] if FIRST_GAME in found else None)
    elsewhere = found[other][0] if strength >= 1 else None
    return Asked(FIRST_GAME, found.get(FIRST_GAME) or ask(database, text), elsewhere)


def ask(database: Database, text: str, game: Game = FIRST_GAME) -> list[Answer]:
    """What the texts of one game say about a question in any language, best first.

    Raises :class:`InputError` (``empty-query``, ``long-query``) and :class:`NoAnswerError` (``no-answer``, the nearest
    topics as candidates).
    """
    best: dict[str, _Found] = {}
    for question in read_question(database, text, game):
        for target, found in _weigh(database, question, game).items():
            best[target] = max(found, best.get(target, found), key=lambda found: found.strength)
    ranked = sorted(best.items(), key=lambda item: (-item[1].strength, item[0]))
    if not ranked or ranked[0][1].evidence < (1 if game == FIRST_GAME else _LESS):
        words = [Language(database, found.question.lang) for _, found in ranked[:1]]
        near = [_topic(words[0], *target.split(".", 1)) for target, _ in ranked[:_NEAREST]]
        near = near or [Candidate(hit.name, hit.id) for hit in nearest_names(index_of(database), text)]
        raise NoAnswerError("no-answer", name=shorten(text), candidates=near)
    top = ranked[0][1].strength
    return _answers(database, game, [item for item in ranked if item[1].strength >= _BESIDE * top])


def rests_on(database: Database, quote: Quote) -> dict[str, Any]:
    """``sources`` and ``reading`` of the rule or ruling quoted; an ability rests on its card, other texts on none."""
    if quote.kind in _PRINTED:
        return database.printed(_PRINTED[quote.kind], quote.subject)
    cards = [quote.subject] if quote.kind == "effect" else []
    sources = [{"book": "card", "section": database.names_of("card", "en")[card].name} for card in cards]
    return {"sources": sources, "reading": False}


def _named_game(database: Database, text: str) -> tuple[Game | None, str]:
    """The further game that a question names, and the question without the name."""
    names = "SELECT game, lang, stems FROM names WHERE subject IN (SELECT id FROM terms WHERE grp = 'title')"
    forms = {word: fold_query(word) for word in text.split()}
    for game, lang, stems in database.query(f"{names} AND lang != '' AND game != ?", FIRST_GAME):
        known = frozenset(stems.split("|"))
        rest = [word for word, form in forms.items() if not known & (query_stems(form, lang) | name_stems(form, lang))]
        if len(rest) < len(forms):
            return game, " ".join(rest) or text
    return None, text


def names_unknown_game(database: Database, text: str) -> bool:
    """True if a game that thunderref does not know is named, but for a comparison: "a curse, as in Dominion"."""
    sql, forms = "SELECT lang, text FROM messages WHERE key = ?", fold_query(text).split()
    alike = {word for _, words in database.query(sql, "ask.words.as-in") for word in words.split()}
    for lang, games in database.query(sql, "ask.words.unknown-games"):
        asked = tokens(text, lang)
        for name in (tokens(game, lang) for game in games.split(";")):
            starts = (at for at in range(len(asked)) if asked[at : at + len(name)] == name)
            if any(alike.isdisjoint(forms[1:at]) for at in starts):
                return True
    return False


def name_of(words: Language, kind: str, ident: str) -> str:
    if kind == "card":
        return words.card(ident)
    return words.term(ident) if kind == "term" else ident


def _topic(words: Language, kind: str, ident: str) -> Candidate:
    return Candidate(name_of(words, kind, ident), ident)


class _Found(NamedTuple):
    """How well something answers a question, by which of its words (by number); what the likest one is about.

    ``meant``: how much liker it is to players' questions than to foreign ones; 1 if as like.
    """

    strength: float
    question: Question
    words: frozenset[int]
    similar: str = ""
    meant: float = 1.0

    @property
    def evidence(self) -> float:
        """How surely it answers, 1 being the least: one word in common may be chance."""
        words = [i for i in self.words if not self.question.words[i].small]
        return self.meant * self.strength * sqrt(max(1, len(words))) / _LEAST.get(self.question.lang, 0.55)


def _weigh(database: Database, question: Question, game: Game) -> dict[str, _Found]:
    """What may answer (``rule.R5.4``) -> how well, by the words of the question and the names in it."""
    found = {f"rule.{rule}": _Found(_CITED, question, frozenset()) for rule in question.rules}
    telling = [word for word in question.words if not word.small] or question.words
    asked = dict.fromkeys(token for word in telling for token in word.tokens)
    index = passages_of(database, game)
    alike: dict[str, list[tuple[float, str]]] = {}
    for passage in index.having(asked, question.lang, ("question",), _QUESTIONS):
        alike.setdefault(passage.subject, []).append((_likeness(question, passage), passage.key))
    for passage in index.having(asked, question.lang, ("answer",), _CANDIDATES):
        likest = sorted(alike.get(passage.subject, [(0.0, "")]), reverse=True)
        found.setdefault(passage.subject, _by_words(question, passage, likest))
    ours = max((max(likest)[0] for likest in alike.values()), default=0.0)
    said = sum(word.weight for word in telling) or 1.0
    for hit in question.named:
        target, weight = f"{hit.kind}.{hit.id}", sum(question.words[i].weight for i in hit.words)
        if hit.kind == "card":  # its name is as much ours as a question
            ours = max(ours, weight / sqrt(len(hit.words)))
        share = min(1.0, weight / (question.subject if hit.kind == "card" else said))
        found[target] = _by_name(found.get(target, _Found(0.0, question, hit.words)), hit, share)
    foreign = index.having(asked, question.lang, (FOREIGN,), _QUESTIONS)
    theirs = max((_likeness(question, passage) for passage in foreign), default=0.0)
    meant = max(0.0, 1 + _APART * (ours - theirs) / _most(question))
    return {target: answer._replace(meant=meant) for target, answer in found.items()}


def _by_words(question: Question, passage: Passage, likest: list[tuple[float, str]]) -> _Found:
    """How well a text answers: by BM25, and by the questions about it that are likest, of the most there can be."""
    words: Counter[str] = Counter(passage.words.split())
    words.update(dict.fromkeys(passage.names.split(), _IN_NAMES))
    often = _OFTEN * (1 - _LONG + _LONG * words.total() / _USUAL)
    shares = [
        max((sure * words[t] / (words[t] + often) for t, sure in word.tokens.items()), default=0)
        for word in question.words
    ]
    kind, _, ident = passage.subject.partition(".")
    kind = "section" if kind == "rule" and "." not in ident else kind
    said = sum(word.weight * share for word, share in zip(question.words, shares, strict=True))
    likeness = sum(part * like for part, (like, _) in zip((1, _AGAIN), likest, strict=False))
    strength = _KIND[kind] * (said + _ASKED * likeness) / _most(question)
    return _Found(strength, question, frozenset(i for i, share in enumerate(shares) if share), likest[0][1])


def _by_name(found: _Found, hit: Named, share: float) -> _Found:
    """The same, as its name is ``share`` of what is asked."""
    strength = max(found.strength, _ALONE * share) + (_NAMED if hit.kind == "card" else _CALLED) * share**2
    used = frozenset(range(len(found.question.words))) if share == 1 else found.words | hit.words
    return found._replace(strength=strength, words=used)


def _most(question: Question) -> float:
    """The most that the words of a question can come to."""
    return sqrt(_SHORT * sum(word.weight for word in question.words) or 1.0)


def _likeness(question: Question, passage: Passage) -> float:
    """How like a question asked before is: small words add to that, but make neither longer."""
    theirs = set(passage.words.split())
    likeness = sum(max((word.like[t] for t in word.like if t in theirs), default=0.0) for word in question.words)
    return likeness / sqrt(max(1, len(theirs - question.small)))


def _asked(database: Database, question: Question, kind: str, ident: str) -> tuple[str, ...]:
    """The figures asked for that the card has."""
    row = database.card(ident) if kind == "card" else None
    return tuple(figure for figure in question.figures if getattr(row, figure, None) is not None)


def _answers(database: Database, game: Game, ranked: list[tuple[str, _Found]]) -> list[Answer]:
    """The answers made of what was found, best first."""
    top = ranked[0][1]
    best = top.strength * max(1.0, SURE / top.evidence)
    answers = []
    for target, found in ranked:
        kind, _, ident = target.partition(".")
        points = max(1, min(100, round(100 * found.strength / best)))
        quotes, figures = _quotes(database, kind, ident, found), _asked(database, found.question, kind, ident)
        why, cards = tuple(_why(found)), _cards(database, kind, ident)
        answers.append(Answer(kind, ident, points, quotes, why, cards, figures, game, found.evidence))
    return answers


def _quotes(database: Database, kind: str, ident: str, found: _Found) -> tuple[Quote, ...]:
    """The texts to show: of a card its abilities, and those of its rulings that fit the question best."""
    if kind not in ("card", "clarification"):
        return (Quote(f"{kind}.{ident}", kind, ident),) if database.texts(f"{kind}.{ident}") else ()
    effects = database.query("SELECT text_key FROM effects WHERE card = ? ORDER BY position", ident)
    quotes = [Quote(key, "effect", ident) for (key,) in effects if kind == "card"]
    rows = database.query(
        "SELECT DISTINCT r.id, r.rules, p.tokens FROM clarifications AS r LEFT JOIN clarification_cards AS c"
        " ON c.clarification = r.id JOIN passages AS p ON p.subject = r.id AND p.kind = 'clarify' AND p.lang = ?"
        f" WHERE {'c.card' if kind == 'card' else 'r.id'} = ? ORDER BY r.position",
        found.question.lang, ident,
    )  # fmt: skip
    asked = {token for word in found.question.words for token in word.tokens}
    rows.sort(key=lambda row: (f"clarify.{row[0]}" != found.similar, -len(asked.intersection(row[2].split()))))
    rulings = [Quote(f"clarify.{each}", "clarify", each, tuple(json.loads(rules))) for each, rules, _ in rows]
    return (*quotes, *rulings[: max(1, _MOST_QUOTED - len(quotes))])


def _why(found: _Found) -> Iterator[Reason]:
    words = found.question.words
    yield from (Reason(rule, "name", rule) for rule in found.question.rules)
    named = {hit.words: hit.name for hit in reversed(found.question.named) if hit.words <= found.words}
    for parts, name in sorted(named.items(), key=lambda item: min(item[0])):
        mended = any(words[i].how == "spelling" for i in parts)
        yield Reason(" ".join(words[i].typed for i in sorted(parts)), "spelling" if mended else "name", name)
    for i in sorted(found.words.difference(*named)):
        if not words[i].small:
            yield Reason(words[i].typed, words[i].how, "")


def _cards(database: Database, kind: str, ident: str) -> tuple[str, ...]:
    """The cards that a ruling or conflict concerns."""
    sql = {
        "clarification": "SELECT card FROM clarification_cards WHERE clarification = ?",
        "conflict": "SELECT subject FROM conflict_subjects WHERE conflict = ? AND kind = 'card' ORDER BY subject",
    }.get(kind)
    rows = database.query(sql, ident) if sql else []
    return tuple(dict.fromkeys(database.reprints.get(card, card) for (card,) in rows))
