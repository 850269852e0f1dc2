"""What is given back for a question: the answers in plain values."""

from __future__ import annotations

from typing import Any

from thunderref.database.read import open_database
from thunderref.database.validation import Record
from thunderref.search.ask import Answer, Asked, Reason, ask_games, name_of, rests_on
from thunderref.text.language import Language

SHOWN = 5
"""How many answers are given unless more are asked for."""


class AskResult(Record):
    """The answers to a question, best first: of ``count`` found as many as were asked for.

    ``game`` is the one the question is taken to be about, ``elsewhere`` the best answer of another; ``confident`` is
    False if nothing is sure enough to be called the answer.
    """

    query: str
    game: str
    confident: bool
    count: int
    matches: list[dict[str, Any]]
    elsewhere: dict[str, str] | None


def answer(question: str, lang: str | None = None, limit: int = SHOWN) -> AskResult:
    """The passages that answer a question in any language; ``lang`` is that of what comes in one language only.

    Raises :class:`InputError` for an empty or overlong question or an unknown language, :class:`NoAnswerError` where
    nothing answers.
    """
    words = Language(open_database(), lang or "en")
    return told(words, question, ask_games(words.database, question), limit)


def told(words: Language, text: str, asked: Asked, limit: int) -> AskResult:
    elsewhere = asked.elsewhere and {"game": asked.elsewhere.game, "id": asked.elsewhere.id}
    matches = [_record(words, each) for each in asked.answers[:limit]]
    return AskResult(
        query=text, game=asked.game, confident=asked.confident, count=len(asked.answers), matches=matches,
        elsewhere=elsewhere,
    )  # fmt: skip


def _record(words: Language, answer: Answer) -> dict[str, Any]:
    """An answer in plain values: names and texts by language, ``words`` for what comes in one language only."""
    database = words.database
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
        "text": passages[0]["text"] if passages else {},
        "rules": [answer.id] if answer.kind == "rule" else sorted({rule for p in passages for rule in p["rules"]}),
        "passages": passages,
        "sources": [place for i, place in enumerate(places) if place not in places[:i]],
        "reading": any(passage["reading"] for passage in passages),
        "figures": {f: getattr(database.card(answer.id), f) for f in answer.figures},
        "cards": list(answer.cards),
        "why": [{"typed": r.typed, "how": r.how, "name": r.meant or None} for r in answer.why],
        "explanation": why_of(words, answer.why),
    }  # fmt: skip


def why_of(words: Language, reasons: tuple[Reason, ...]) -> str:
    keys = ["respelt" if one.how == "spelling" and not one.meant else one.how for one in reasons]
    said = [words.say(f"ask.why.{k}", word=one.typed, name=one.meant) for k, one in zip(keys, reasons, strict=True)]
    return words.say("ask.why", reasons=", ".join(dict.fromkeys(said)))
