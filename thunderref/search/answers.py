"""What is given back for a question: the answers in plain values."""

from __future__ import annotations

from typing import Any

from thunderref.database.read import Database, open_database
from thunderref.database.validation import Record
from thunderref.errors import InputError
from thunderref.search.ask import Answer, Asked, ask_games, rests_on
from thunderref.text.language import Language

SHOWN = 5
"""How many answers are given unless more are asked for."""


class AskResult(Record):
    """The answers to a question, best first: of ``count`` found as many as were asked for.

    ``game`` is the one the question is taken to be about, ``elsewhere`` the best answer of another.
    """

    query: str
    game: str
    count: int
    matches: list[dict[str, Any]]
    elsewhere: dict[str, str] | None


def answer(question: str, lang: str | None = None, limit: int = SHOWN) -> AskResult:
    """The passages that answer a question in any language; ``lang`` is that of what comes in one language only.

    Raises :class:`InputError` for an empty or overlong question or an unknown language, :class:`NoAnswerError` where
    nothing answers.
    """
    database = open_database()
    if lang is not None and lang not in database.languages:
        raise InputError("unknown-language", lang=lang, candidates=list(database.languages))
    return told(database, question, ask_games(database, question), limit, lang or "en")


def told(database: Database, text: str, asked: Asked, limit: int, lang: str) -> AskResult:
    elsewhere = asked.elsewhere and {"game": asked.elsewhere.game, "id": asked.elsewhere.id}
    matches = [_record(database, each, lang) for each in asked.answers[:limit]]
    return AskResult(query=text, game=asked.game, count=len(asked.answers), matches=matches, elsewhere=elsewhere)


def _record(database: Database, answer: Answer, lang: str) -> dict[str, Any]:
    """An answer in plain values: names and texts by language, ``lang`` for what comes in one language only."""
    passages = [
        {"key": quote.key, "kind": quote.kind, "id": quote.subject, "text": database.texts(quote.key),
         "rules": list(quote.rules), **rests_on(database, quote)}
        for quote in answer.quotes
    ]  # fmt: skip
    places = [place for passage in passages for place in passage["sources"]]
    return {
        "kind": answer.kind,
        "game": answer.game,
        "id": answer.id,
        "score": answer.score,
        "name": {code: name_of(Language(database, code), answer.kind, answer.id) for code in database.languages},
        "passages": passages,
        "sources": [place for i, place in enumerate(places) if place not in places[:i]],
        "reading": any(passage["reading"] for passage in passages),
        "figures": {f: getattr(database.card(answer.id), f) for f in answer.figures},
        "cards": list(answer.cards),
        "why": [{"typed": r.typed, "how": r.how, "name": r.meant or None} for r in answer.why],
        "explanation": why_of(Language(database, lang), answer),
    }  # fmt: skip


def name_of(words: Language, kind: str, ident: str) -> str:
    if kind == "card":
        return words.card(ident)
    return words.term(ident) if kind == "term" else ident


def why_of(words: Language, answer: Answer) -> str:
    reasons = []
    for reason in answer.why:
        how = reason.how if reason.how in ("name", "spelling") else "word"
        key = "respelt" if how == "spelling" and not reason.meant else how
        reasons.append(words.say(f"ask.why.{key}", word=reason.typed, name=reason.meant))
    return words.say("ask.why", reasons=", ".join(dict.fromkeys(reasons)))
