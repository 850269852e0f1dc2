"""Look-ups: ``card``, ``cards``, ``rule``, ``ask``."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.command import CommandApp, Limit, Query, Question
from thunderref.cli.session import session
from thunderref.database.paths import Game
from thunderref.search.card import card_document, cards_document, list_cards

app = CommandApp()

_MOST_WHOLE = 5
"""Cards that are listed with all their figures where a question in words asks for none of them."""


@app.command("card")
def card_command(query: Query = None, limit: Limit = None) -> None:
    run = session()
    text = " ".join(query or [])
    if not query and not run.json:
        from thunderref.cli.render import shorten_lines, show
        from thunderref.pages.card_page import groups_page
        from thunderref.search.filters import filter_cards

        show(*(shorten_lines(groups_page(words, filter_cards(run.database, ""))) for words in run.tongues))
        return
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
    columns: Annotated[list[str] | None, typer.Option("--columns", metavar="FIELD")] = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
    compare: Annotated[bool, typer.Option("--compare")] = False,
) -> None:
    from thunderref.search.card_query import joined, written
    from thunderref.search.filters import columns_of

    run, text = session(), joined(filters or [])
    keys, names = ([key for entry in option or [] for key in entry.split(",") if key] for option in (sort, columns))
    query, keys, cards = list_cards(run.words, text if filters else None, keys)
    rows = cards[:limit]
    full = written(query) if query else ""
    if run.json:
        run.print_json(cards_document(run.words, full, cards, limit))
        return
    if compare:
        from thunderref.cli.render import show
        from thunderref.pages.card_page import comparison_page

        show(*(comparison_page(words, rows) for words in run.tongues))
        return
    from thunderref.cli.render import fits_screen, shorten_lines, show
    from thunderref.pages.card_page import cards_page, groups_page

    fields = columns_of(run.database, query, keys, names)
    if run.read_as and not fields and len(rows) > _MOST_WHOLE:
        fields = ["cost", "health"]  # so that the names stand close together
    pages = [cards_page(words, rows, len(cards), fields, full) for words in run.tongues]
    if limit is None and not everything and not fits_screen(*pages):
        pages = [shorten_lines(groups_page(words, rows)) for words in run.tongues]
    show(*pages)


@app.command("rule")
def rule_command(query: Query = None, limit: Limit = None) -> None:
    show_rules(query, limit)


@app.command("ask")
def ask_command(question: Question = None, limit: Limit = None) -> None:
    show_answers(question, limit)


def show_rules(query: list[str] | None, limit: int | None, game: Game | None = None) -> None:
    from thunderref.cli.render import columns, show, wrap
    from thunderref.database.paths import FIRST_GAME
    from thunderref.pages.rule_page import contents_page, rule_pages
    from thunderref.search.rules import find_rules, rule_record

    run, text = session(), " ".join(query or [])
    if not text and not run.json:
        show(*(contents_page(words, game or FIRST_GAME) for words in run.tongues))
        return
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
    from thunderref.database.paths import FIRST_GAME
    from thunderref.pages.computed_page import answer_question, computed_page
    from thunderref.pages.rule_page import answer_page
    from thunderref.search.ask import SHOWN, ask_games, meant_by
    from thunderref.search.understand import reader

    run, text, most = session(), " ".join(question or []), limit or SHOWN
    if not question and run.has_a_person:
        text = input(f"{run.words.say('help.value.question')}: ")
    elif not question and not run.json:
        show_rules(None, limit, game)
        return
    line = reader(run.words).parse(text)
    if run.json:
        run.print_json(answer_question(line, limit=most, game=game).model_dump())
        return
    pages = [computed_page(words, line) for words in run.tongues] if game in (None, FIRST_GAME) else [None]
    if None not in pages:
        show(*filter(None, pages))
    else:
        answers = ask_games(run.database, text, game, lang=run.language)
        show(answer_page(run.tongues, answers, most), cut=run.words.say("page.more"))
        run.offers = [] if answers.confident else [match.question for match in meant_by(run.words, answers.answers[0])]
