"""Set-ups: the one on the table, a new one, and the chances of a battle."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import QueryParams

from thunderref.errors import ThunderrefError
from thunderref.serve.api import PARAMETERS, document_of, setup
from thunderref.serve.page import THEMES, Visitor
from thunderref.serve.tonight import in_hall, in_hand
from thunderref.thunderstone.setup import sheet
from thunderref.thunderstone.setup.catalogue import BOXES

PLAYERS = range(2, 6)


def tonight_page(visitor: Visitor) -> dict[str, Any]:
    words, made = visitor.words, visitor.made
    groups = [] if made is None else [*in_hand(words, made)[1:3], *in_hall(words, made)]
    return {"made": made, "groups": groups, "code": "" if made is None else made.code}


def setup_page(visitor: Visitor, query: QueryParams) -> dict[str, Any]:
    """The form, or a set-up with its steps; ``go`` to the code of what is drawn: an address stays what it is."""
    words = visitor.words
    parts: dict[str, Any] = {
        "players": PLAYERS, "boxes": [(box, words.set_name(box)) for box in BOXES], "made": None, "sections": [],
        "sentence": "", "given": query, "tonight": visitor.now and visitor.now.code, "heading": "",
    }  # fmt: skip
    asked = QueryParams([pair for pair in query.multi_items() if pair not in (("theme", each) for each in THEMES)])
    if not any(asked.get(each.name) for each in PARAMETERS["setup"]):
        return parts
    try:
        made = setup(document_of("setup", asked), words)
    except ThunderrefError as error:
        return parts | {"sentence": words.error(error), "refused": True}
    if asked.get("code") != made.code:
        return {"go": visitor.link("/setup", code=made.code)}
    return parts | {"made": made, "sections": sheet.sections(made), "heading": sheet.heading(made)}


def odds_page(visitor: Visitor, query: QueryParams) -> dict[str, Any]:
    """The form, and the chances if it is filled."""
    words = visitor.words
    parts: dict[str, Any] = {
        "given": query,
        "found": None,
        "sentence": "",
        "hand": query.get("hand") or visitor.at.get("hand", ""),
        "hall": query.get("hall") or visitor.at.get("hall", ""),
    }
    if not query.get("deck_list"):
        return parts
    try:
        document = document_of("odds", query)
        seconds = document.pop("budget", None)
        return parts | {"found": visitor.asker.odds(document, seconds)}
    except ThunderrefError as error:
        return parts | {"sentence": words.error(error), "refused": True}
