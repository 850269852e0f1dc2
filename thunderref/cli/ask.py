"""``thunderref ask``: a question, and the passages that answer it."""

from __future__ import annotations

from thunderref.cli.command import CommandApp, Limit, Question
from thunderref.cli.render import show
from thunderref.cli.session import session
from thunderref.database.games import FIRST_GAME, Game
from thunderref.pages.page import Block, Line, Page
from thunderref.search.answers import SHOWN, told, why_of
from thunderref.search.ask import Answer, Asked, Quote, ask_games, name_of, rests_on
from thunderref.search.query import shorten
from thunderref.text.language import Language

app = CommandApp()
_CARDS_SHOWN = 8
_WIDTH = 60


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    show_answers(" ".join(question or []), limit)


def show_answers(text: str, limit: int | None, game: Game | None = None) -> None:
    run = session()
    asked = ask_games(run.database, text, game)
    if run.json:
        run.print_json(told(run.words, text, asked, limit or SHOWN).model_dump())
    else:
        show(_page(run.tongues, text, asked.answers[: limit or SHOWN], asked))


def _page(beside: list[Language], text: str, answers: list[Answer], asked: Asked) -> Page:
    """The best answer in full, the others in a line each."""
    words = beside[0]
    marked = [(other, f"{other.lang} " if len(beside) > 1 else "") for other in beside]
    best = answers[0]
    lines = []
    if best.figures:
        lines += [Line(_figures(other, best), mark + other.say("ask.label.figures")) for other, mark in marked]
    for quote in best.quotes:
        lines += [_line(other, quote, mark) for other, mark in marked]
    if best.cards:
        listed = ", ".join(words.card(card) for card in best.cards[:_CARDS_SHOWN])
        if len(best.cards) > _CARDS_SHOWN:
            listed += f" {words.say('ask.more', n=len(best.cards) - _CARDS_SHOWN)}"
        lines.append(Line(words.say("ask.concerns", cards=listed)))
    blocks = [Block([*lines, Line(why_of(words, best.why))], _heading(beside, best))]
    if len(answers) > 1:
        others = [Line(_first_text(words, answer), _heading(beside, answer)) for answer in answers[1:]]
        blocks.append(Block(others, words.say("ask.others")))
    small = [] if asked.confident else [words.say("ask.unsure")]
    if asked.game != FIRST_GAME:
        small.insert(0, words.say(f"game.{asked.game}"))
    if len(answers) < len(asked.answers):
        small.append(words.say("ask.rest", n=len(asked.answers) - len(answers), all=len(asked.answers)))
    if asked.elsewhere is not None:
        name = name_of(words, asked.elsewhere.kind, asked.elsewhere.id)
        small.append(words.say("ask.elsewhere", game=words.say(f"game.{asked.elsewhere.game}"), name=name))
    return Page(words.say("ask.title", question=shorten(text)), small, blocks)


def _first_text(words: Language, answer: Answer) -> str:
    """The first sentence of an answer, cut where it does not fit a line."""
    text = words.text(answer.quotes[0].key) if answer.quotes else None
    return shorten((text or "").partition(". ")[0], _WIDTH)


def _heading(beside: list[Language], answer: Answer) -> str:
    names = " / ".join(dict.fromkeys(name_of(words, answer.kind, answer.id) for words in beside))
    kind = beside[0].say(f"ask.kind.{answer.kind}")
    if answer.kind == "rule":
        return f"{names} ({kind})"
    if answer.kind in ("clarification", "conflict"):
        return f"{kind}: {answer.id}"
    return f"{names} ({kind}: {answer.id})"


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
