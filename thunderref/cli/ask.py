"""``thunderref ask``: a question, and the passages that answer it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, command_app
from thunderref.cli.card import Limit, check_limit
from thunderref.cli.page import Block, Line, Page
from thunderref.cli.session import session
from thunderref.model.games import FIRST_GAME, Game

if TYPE_CHECKING:
    from thunderref.lookup.fulltext import Answer, Quote
    from thunderref.lookup.games import Asked
    from thunderref.store.read import Store
    from thunderref.words.words import Words

app = command_app()
SHOWN = 5
"""How many answers are shown without ``--limit``."""
_CARDS_SHOWN = 8
Langs = Annotated[str | None, typer.Option("--lang", metavar="en|pl|ru|en,pl", help="Output language, or several.")]


@app.command("ask")
def ask_command(
    question: Annotated[list[str] | None, typer.Argument(metavar="QUESTION…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Langs = None,
) -> None:
    """Answer a question from the texts of cards, rules, rulings, terms and conflicts between editions."""
    show_answers(" ".join(question or []), limit)


def show_answers(text: str, limit: int | None, game: Game | None = None) -> None:
    """Prints what the texts of a game say about a question; without ``game``, of the one the question is about."""
    from thunderref.lookup.games import ask_games

    run = session()
    check_limit(limit)
    asked = ask_games(run.store, text, game)
    answers = asked.answers
    shown = answers[: limit or SHOWN]
    if run.json:
        matches = [answer_record(run.store, answer, run.language) for answer in shown]
        elsewhere = asked.elsewhere and {"game": asked.elsewhere.game, "id": asked.elsewhere.id}
        run.print_json(
            {"query": text, "game": asked.game, "count": len(answers), "matches": matches, "elsewhere": elsewhere}
        )
        return
    from thunderref.cli.render import show
    from thunderref.words.words import Words

    show(_page(run.words, [Words(run.store, code) for code in run.languages], text, shown, asked))


def answer_record(store: Store, answer: Answer, lang: str) -> dict[str, Any]:
    """An answer in plain values: names and texts by language, ``lang`` for what comes in one language only."""
    from thunderref.words.words import Words

    words = Words(store, lang)
    return {
        "kind": answer.kind,
        "game": answer.game,
        "id": answer.id,
        "score": answer.score,
        "name": {code: _name(Words(store, code), answer.kind, answer.id) for code in store.languages},
        "passages": [
            {"key": quote.key, "kind": quote.kind, "id": quote.subject, "text": store.texts(quote.key),
             "rules": list(quote.rules)}
            for quote in answer.quotes
        ],
        "figures": {f: getattr(store.card(answer.id), f) for f in answer.figures},
        "cards": list(answer.cards),
        "why": [{"typed": r.typed, "how": r.how, "name": r.meant or None} for r in answer.why],
        "explanation": _why(words, answer),
    }  # fmt: skip


def _page(words: Words, beside: list[Words], text: str, answers: list[Answer], asked: Asked) -> Page:
    from thunderref.lookup.exact import shorten

    blocks = []
    for number, answer in enumerate(answers, start=1):
        marks = [f"{other.lang} " if len(beside) > 1 else "" for other in beside]
        lines = []
        if answer.figures:
            for other, mark in zip(beside, marks, strict=True):
                lines.append(Line(_figures(other, answer), mark + other.say("ask.label.figures")))
        for quote in answer.quotes:
            lines += [_line(other, quote, mark) for other, mark in zip(beside, marks, strict=True)]
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


def _heading(beside: list[Words], answer: Answer) -> str:
    """Name, kind and the id that can be typed to follow it."""
    names = " / ".join(dict.fromkeys(_name(words, answer.kind, answer.id) for words in beside))
    kind = beside[0].say(f"ask.kind.{answer.kind}")
    if answer.kind == "rule":
        return f"{names} ({kind})"
    if answer.kind in ("clarification", "conflict"):
        return f"{kind}: {answer.id}"
    return f"{names} ({kind}: {answer.id})"


def _name(words: Words, kind: str, ident: str) -> str:
    if kind == "card":
        return words.card(ident)
    return words.term(ident) if kind == "term" else ident


def _line(words: Words, quote: Quote, mark: str) -> Line:
    label = ""
    if quote.kind == "effect":
        label = words.say(f"card.timing.{_timing(words.store, quote.key)}")
    elif quote.kind in ("clarify", "conflict"):
        label = words.say(f"ask.label.{quote.kind}")
    return Line(words.text(quote.key) or "", (mark + label).strip(), " ".join(quote.rules))


def _timing(store: Store, key: str) -> str:
    return str(store.query("SELECT timing FROM effects WHERE text_key = ?", key)[0][0])


def _figures(words: Words, answer: Answer) -> str:
    row = words.store.card(answer.id)
    return " · ".join(f"{words.say(f'card.figure.{f}')} {getattr(row, f)}" for f in answer.figures)


def _why(words: Words, answer: Answer) -> str:
    reasons = []
    for reason in answer.why:
        if reason.how == "name":
            reasons.append(words.say("ask.why.name", name=reason.meant))
        elif reason.how == "spelling" and reason.meant:
            reasons.append(words.say("ask.why.spelling", word=reason.typed, name=reason.meant))
        elif reason.how == "spelling":
            reasons.append(words.say("ask.why.respelt", word=reason.typed))
        else:
            reasons.append(words.say("ask.why.word", word=reason.typed))
    return words.say("ask.why", reasons=", ".join(dict.fromkeys(reasons)))
