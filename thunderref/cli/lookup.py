"""Look-ups: ``card``, ``cards``, ``rule``, ``ask``, and a card, rule or term without a command before it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.command import Command, CommandApp, Limit, Query, Question
from thunderref.cli.session import session
from thunderref.database.paths import Game
from thunderref.errors import Candidate, InputError, NoAnswerError
from thunderref.search.card import card_document, card_record
from thunderref.search.query import check_query, exact_card, shorten

app = CommandApp()

SURE = 82
"""Score of a name from which it goes before a command of nearly the same name."""


@app.command("card")
def card_command(query: Query = None, limit: Limit = None) -> None:
    run = session()
    text = " ".join(query or [])
    document, ambiguous = card_document(run.words, text, limit)
    if ambiguous is not None:
        run.fail(ambiguous, **(document if run.json else {}))
    if run.json:
        run.print_json(document)
        return
    from thunderref.cli.render import print_lines, show
    from thunderref.pages.card_page import card_page, family_page

    print_lines(run.tonight_lines())
    if len(document["matches"]) > 1 and (limit or 1) == 1:
        show(*(family_page(words, [match["id"] for match in document["matches"]]) for words in run.tongues))
        return
    for number, record in enumerate(document["matches"]):
        if number:
            print()
        show(*(card_page(words, record, text) for words in run.tongues), cut=run.words.say("page.more"))


@app.command("cards")
def cards_command(
    filters: Annotated[list[str] | None, typer.Argument(metavar="FILTER…")] = None,
    sort: Annotated[list[str] | None, typer.Option("--sort", metavar="FIELD")] = None,
    limit: Limit = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    from thunderref.search.filters import filter_cards, sort_cards

    run, asked = session(), " ".join(filters or [])
    keys = [key for part in sort or [] for key in part.split(",") if key]
    cards = sort_cards(run.words, filter_cards(run.database, filters or []), keys)
    if not cards:
        raise NoAnswerError("no-cards", filters=asked[:200])
    shown = cards[:limit]
    if run.json:
        records = [card_record(run.database, card.id, run.language) for card in shown]
        run.print_json({"query": asked, "count": len(cards), "matches": records})
        return
    from thunderref.cli.render import fits, shorten_lines, show
    from thunderref.pages.card_page import cards_page, groups_page

    pages = [cards_page(words, shown, len(cards)) for words in run.tongues]
    if limit is None and not everything and not fits(*pages):
        pages = [shorten_lines(groups_page(words, shown)) for words in run.tongues]
    show(*pages)


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    show_rules(query, limit)


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    show_answers(question, limit)


def show_rules(query: list[str] | None, limit: int | None, game: Game | None = None) -> None:
    from thunderref.cli.render import columns, show, wrap
    from thunderref.pages.rule_page import rule_pages
    from thunderref.search.rules import find_rules, rule_record

    run, text = session(), " ".join(query or [])
    hits = find_rules(run.database, text, run.language, game)
    if run.json:
        records = [rule_record(run.database, hit, run.language) for hit in hits[:limit]]
        run.print_json({"query": text, "matches": records})
        return
    for number, page in enumerate(rule_pages(run.tongues, hits, limit)):
        if number:
            print()
        show(page, cut=run.words.say("page.more"))
        if page.also:
            also = ", ".join(link.words for link in page.also)
            print("", *wrap(f"{run.words.say('rule.also')} {also}", columns()), sep="\n")


def show_answers(question: list[str] | None, limit: int | None, game: Game | None = None) -> None:
    from thunderref.cli.render import show
    from thunderref.pages.rule_page import answer_page
    from thunderref.search.ask import SHOWN, answer, ask_games

    run, text, most = session(), " ".join(question or []), limit or SHOWN
    if run.json:
        run.print_json(answer(text, limit=most, game=game, words=run.words).model_dump())
    else:
        show(answer_page(run.tongues, ask_games(run.database, text, game), most), cut=run.words.say("page.more"))


class FirstWordCommand(Command):
    """Its help is the list of commands; options of another command show that its name is mistyped."""

    def get_help(self, ctx: Any) -> str:
        return str(ctx.parent.get_help())

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        first = args[0]
        try:
            return super().parse_args(ctx, args)
        except InputError:
            _refuse_slip(ctx, first)
            raise


@app.command("first_word", cls=FirstWordCommand)
def first_word_command(ctx: typer.Context, query: Query = None, limit: Limit = None) -> None:
    run, words = session(), query or []
    text = " ".join(words)
    if exact_card(run.database, check_query(text)) is None:
        from thunderref.search.names import search_cards, unknown_card
        from thunderref.search.rules import RuleHit, find_rules

        cards = search_cards(run.database, text).hits
        rules, near_rules = list[RuleHit](), tuple[Candidate, ...]()
        try:
            rules = [hit for hit in find_rules(run.database, text, run.language) if hit.how != "text"]
        except NoAnswerError as error:
            near_rules = error.candidates
        scores = [hit.score for hit in cards[:1]] + [hit.score for hit in rules[:1]]
        if max(scores, default=0) < SURE:
            _refuse_slip(ctx, words[0])
        if rules and (not cards or rules[0].score > cards[0].score):
            show_rules(query, limit)
            return
        if not cards:
            names = unknown_card(run.database, text, lang=run.language).candidates or near_rules
            raise InputError("unknown-command", why="name", name=shorten(text), candidates=names)
    card_command(query, limit)


def _refuse_slip(ctx: Any, word: str) -> None:
    """Raises :class:`InputError` (``unknown-command``) for what is all but the name of a command."""
    from thunderref.cli.help_pages import find_near

    names = find_near(word, [*ctx.parent.command.list_commands(ctx.parent), "help"])
    if names:
        raise InputError("unknown-command", name=word[:40], candidates=names, command=ctx.parent.command_path)
