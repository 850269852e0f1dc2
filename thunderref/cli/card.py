"""``thunderref card``: one card with all that belongs to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.session import Session, session
from thunderref.errors import InputError, NoAnswerError

if TYPE_CHECKING:
    from thunderref.lookup.exact import Found

app = command_app()

Limit = Annotated[int | None, typer.Option("--limit", metavar="N", help="How many to show, best first.")]


@app.command("card")
def card_command(
    query: Annotated[list[str] | None, typer.Argument(metavar="QUERY…")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Show a card: figures, abilities, clarifications, in the output language."""
    from thunderref.lookup.exact import checked_query, exact_card

    run = session()
    text = " ".join(query or [])
    check_limit(limit)
    asked_for_more = limit is not None and limit > 1
    found = None if asked_for_more else exact_card(run.store, checked_query(text))
    if found is None:
        from thunderref.lookup.search import search_cards, unknown_card

        found = search_cards(run.store, text, more=asked_for_more)
        if not found.hits:
            from thunderref.lookup.passages import cards_by_text

            _refuse_term(run, text)
            found = cards_by_text(run.store, text)
        if not found.hits:
            raise unknown_card(run.store, text, lang=run.language)
    error = None
    if found.equals > 1 and not asked_for_more:
        from thunderref.lookup.search import ambiguous_card

        error = ambiguous_card(run.store, text, found, run.language)
    if run.json:
        _print_json(run, text, found, limit if asked_for_more else None, error)
    if error is not None:
        raise error
    _show(run, text, found, limit or 1)


def _refuse_term(run: Session, text: str) -> None:
    """Raises :class:`NoAnswerError` (``term-not-card``) for a word of the game that is no card: breach, spoils."""
    from thunderref.lookup.exact import checked_query, shorten
    from thunderref.lookup.index import index_of
    from thunderref.lookup.names import TermSearch

    hits = TermSearch(index_of(run.store), checked_query(text), text, None).run(more=False).hits
    if hits and hits[0].score >= 90:
        term = run.words.term(hits[0].id)
        raise NoAnswerError("term-not-card", name=shorten(text), term=term, candidates=[term])


def check_limit(limit: int | None) -> None:
    """Raises :class:`InputError` for a limit below 1."""
    if limit is not None and limit < 1:
        raise InputError("bad-limit", value=limit)


def _print_json(run: Session, text: str, found: Found, limit: int | None, error: NoAnswerError | None) -> None:
    from thunderref.lookup.record import card_record

    lang = run.language
    hits = found.hits[: limit or found.equals]
    document: dict[str, Any] = {"query": text, "matches": [card_record(run.store, hit.id, lang, hit) for hit in hits]}
    if error is not None:
        message = run.words.error(error)
        document["error"] = {"code": error.code, "message": message, "candidates": list(error.candidates)}
    run.print_json(document)
    raise SystemExit(error.status if error is not None else 0)


def _show(run: Session, text: str, found: Found, limit: int) -> None:
    from thunderref.cli.page import side_by_side
    from thunderref.cli.render import show
    from thunderref.cli.views import card_page
    from thunderref.lookup.record import card_record
    from thunderref.words.words import Words

    first = run.words
    beside = [Words(run.store, code) for code in run.languages if code != first.lang]
    for number, hit in enumerate(found.hits[:limit]):
        if number:
            print()
        pages = [card_page(words, card_record(run.store, hit.id, words.lang, hit), text) for words in (first, *beside)]
        show(side_by_side(pages))
