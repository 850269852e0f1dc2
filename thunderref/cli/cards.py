"""``thunderref cards``: a list of cards by filters."""

from __future__ import annotations

from typing import Annotated

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.card import Limit, check_limit
from thunderref.cli.session import session
from thunderref.errors import NoAnswerError

app = command_app()


@app.command("cards")
def cards_command(
    filters: Annotated[list[str] | None, typer.Argument(metavar="FILTER…")] = None,
    sort: Annotated[list[str] | None, typer.Option("--sort", metavar="FIELD")] = None,
    limit: Limit = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """List cards by filters: kind:hero type:weapon set:wrath cost<=5 light>0 timing:breach text:disease."""
    from thunderref.lookup.filters import filtered, read_filters, sort_cards
    from thunderref.lookup.record import card_record

    run = session()
    check_limit(limit)
    conditions, names = read_filters(run.store, filters or [])
    words = run.words
    keys = [key for part in sort or [] for key in part.split(",") if key]
    cards = sort_cards(filtered(run.store, conditions, names), keys, words.card)
    if not cards:
        raise NoAnswerError("no-cards", filters=" ".join(filters or [])[:200])
    shown = cards if limit is None else cards[:limit]
    if run.json:
        records = [card_record(run.store, card.id, words.lang) for card in shown]
        run.print_json({"query": " ".join(filters or []), "count": len(cards), "matches": records})
        return
    from thunderref.cli.page import side_by_side
    from thunderref.cli.render import show
    from thunderref.cli.views import cards_page
    from thunderref.words.words import Words

    tongues = [words, *(Words(run.store, code) for code in run.languages if code != words.lang)]
    show(side_by_side([cards_page(tongue, run.store, shown, len(cards)) for tongue in tongues]))
