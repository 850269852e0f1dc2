"""``thunderref ask``: a question, and the passages that answer it."""

from __future__ import annotations

from typing import Any

from thunderref.cli.command import CommandApp, Limit, Question
from thunderref.cli.render import Block, Line, Page, show
from thunderref.cli.session import session
from thunderref.database.games import FIRST_GAME, Game
from thunderref.database.read import Database
from thunderref.search.ask import Answer, Asked, Quote, ask_games, rests_on
from thunderref.search.query import shorten
from thunderref.text.language import Language

app = CommandApp()
SHOWN = 5
"""How many answers are shown without ``--limit``."""
_CARDS_SHOWN = 8


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    show_answers(" ".join(question or []), limit)


def show_answers(text: str, limit: int | None, game: Game | None = None) -> None:
    run = session()
    asked = ask_games(run.database, text, game)
    answers = asked.answers
    shown = answers[: limit or SHOWN]
    if run.json:
        matches = [answer_record(run.database, answer, run.language) for answer in shown]
        elsewhere = asked.elsewhere and {"game": asked.elsewhere.game, "id": asked.elsewhere.id}
        document = {"query": text, "game": asked.game, "count": len(answers), "matches": matches}
        run.print_json({**document, "elsewhere": elsewhere})
    else:
        show(_page(run.tongues, text, shown, asked))


def answer_record(database: Database, answer: Answer, lang: str) -> dict[str, Any]:
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
        "name": {code: _name(Language(database, code), answer.kind, answer.id) for code in database.languages},
        "passages": passages,
        "sources": [place for i, place in enumerate(places) if place not in places[:i]],
        "reading": any(passage["reading"] for passage in passages),
        "figures": {f: getattr(database.card(answer.id), f) for f in answer.figures},
        "cards": list(answer.cards),
        "why": [{"typed": r.typed, "how": r.how, "name": r.meant or None} for r in answer.why],
        "explanation": _why(Language(database, lang), answer),
    }  # fmt: skip


def _page(beside: list[Language], text: str, answers: list[Answer], asked: Asked) -> Page:
    words = beside[0]
    marked = [(other, f"{other.lang} " if len(beside) > 1 else "") for other in beside]
    blocks = []
    for number, answer in enumerate(answers, start=1):
        lines = []
        if answer.figures:
            lines += [Line(_figures(other, answer), mark + other.say("ask.label.figures")) for other, mark in marked]
        for quote in answer.quotes:
            lines += [_line(other, quote, mark) for other, mark in marked]
        if answer.cards:
            listed = ", ".join(words.card(card) for card in answer.cards[:_CARDS_SHOWN])
            if len(answer.cards) > _CARDS_SHOWN:
                listed += f" {words.say('ask.more', n=len(answer.cards) - _CARDS_SHOWN)}"
            lines.append(Line(words.say("ask.same" if answer.kind == "card" else "ask.concerns", cards=listed)))
        lines.append(Line(_why(words, answer)))
        blocks.append(Block(lines, f"{number}. {_heading(beside, answer)}"))
    total = len(asked.answers)
    small = [words.say("ask.rest", n=total - len(answers), all=total)] if len(answers) < total else []
    if asked.game != FIRST_GAME:
        small.insert(0, words.say(f"game.{asked.game}"))
    if asked.elsewhere is not None:
        name = _name(words, asked.elsewhere.kind, asked.elsewhere.id)
        small.append(words.say("ask.elsewhere", game=words.say(f"game.{asked.elsewhere.game}"), name=name))
    return Page(words.say("ask.title", n=total, question=shorten(text)), small, blocks)


def _heading(beside: list[Language], answer: Answer) -> str:
    names = " / ".join(dict.fromkeys(_name(words, answer.kind, answer.id) for words in beside))
    kind = beside[0].say(f"ask.kind.{answer.kind}")
    if answer.kind == "rule":
        return f"{names} ({kind})"
    if answer.kind in ("clarification", "conflict"):
        return f"{kind}: {answer.id}"
    return f"{names} ({kind}: {answer.id})"


def _name(words: Language, kind: str, ident: str) -> str:
    if kind == "card":
        return words.card(ident)
    return words.term(ident) if kind == "term" else ident


def _line(words: Language, quote: Quote, mark: str) -> Line:
    label = ""
    printed = words.printed(quote.subject, rests_on(words.database, quote)) if quote.kind in ("rule", "clarify") else ()
    if quote.kind == "effect":
        rows = words.database.query("SELECT timing FROM effects WHERE text_key = ?", quote.key)
        label = words.say(f"card.timing.{rows[0][0]}")
    elif quote.kind in ("clarify", "conflict"):
        label = words.say(f"ask.label.{quote.kind}")
    return Line(words.text(quote.key) or "", (mark + label).strip(), " ".join(quote.rules), printed[:1])


def _figures(words: Language, answer: Answer) -> str:
    row = words.database.card(answer.id)
    return " · ".join(f"{words.say(f'card.figure.{f}')} {getattr(row, f)}" for f in answer.figures)


def _why(words: Language, answer: Answer) -> str:
    reasons = []
    for reason in answer.why:
        how = reason.how if reason.how in ("name", "spelling") else "word"
        key = "respelt" if how == "spelling" and not reason.meant else how
        reasons.append(words.say(f"ask.why.{key}", word=reason.typed, name=reason.meant))
    return words.say("ask.why", reasons=", ".join(dict.fromkeys(reasons)))
