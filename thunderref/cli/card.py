"""``thunderref card``, one card with all that belongs to it, and ``thunderref cards``, a list by filters."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp, Limit, Query
from thunderref.cli.session import session
from thunderref.errors import NoAnswerError
from thunderref.search.card import card_record, find_cards

app = CommandApp()


@app.command("card")
def card_command(query: Query = None, limit: Limit = None) -> None:
    run = session()
    text = " ".join(query or [])
    more = limit is not None and limit > 1
    found = find_cards(run.words, text, more=more)
    document: dict[str, Any] = {}
    if run.json:
        hits = found.hits[: limit if more else found.equals]
        document = {"query": text, "matches": [card_record(run.database, hit.id, run.language, hit) for hit in hits]}
    if found.equals > 1 and not more:
        from thunderref.search.names import ambiguous_card

        run.fail(ambiguous_card(run.database, text, found, run.language), **document)
    if run.json:
        run.print_json(document)
        return
    from thunderref.cli.render import print_lines, show
    from thunderref.pages.card_page import card_page

    print_lines(run.tonight_lines())
    for number, hit in enumerate(found.hits[: limit or 1]):
        if number:
            print()
        show(*(card_page(words, card_record(run.database, hit.id, words.lang, hit), text) for words in run.tongues))


@app.command("cards")
def cards_command(
    filters: Annotated[list[str] | None, typer.Argument(metavar="FILTER…")] = None,
    sort: Annotated[list[str] | None, typer.Option("--sort", metavar="FIELD")] = None,
    limit: Limit = None,
    everything: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    from thunderref.search.filters import filter_cards, sort_cards

    run = session()
    keys = [key for part in sort or [] for key in part.split(",") if key]
    cards = sort_cards(run.words, filter_cards(run.database, filters or []), keys)
    asked = " ".join(filters or [])
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
