"""The metadata that makes the built database a site for browsing in Datasette, in the words of each language."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from thunderref.database.records import SOURCE_LANGUAGE, GlossaryFile, text_of
from thunderref.database.schema import TABLES
from thunderref.database.views import CARD_COLUMNS, RULING_COLUMNS, said, view_of

SHOWN = {
    "cards": "What is printed on each card. The views of a language (cards_en, …) have its name and texts too.",
    "conflicts": "What the editions disagree on; each text is in texts as conflict.<id>.",
    "effects": "The abilities of the cards; record is the ability as the program reads it.",
    "families": "The cards of one randomizer: a hero race, a monster class, a trap class, guardians.",
    "names": "Every spelling of a card, family, term or set in every language; position 0 is the one shown.",
    "rules": "The rules by number; each text is in texts as rule.<id>.",
    "sets": "The boxes.",
    "terms": "Words of the game; each text is in texts as term.<id>.",
    "texts": "Every text in every language; stale if its English has changed since.",
}
"""The tables that are listed; the others serve look-ups."""
_RULINGS = dict(zip(RULING_COLUMNS, (
    "Stable id", "Language of the text", "The ruling, in words of our own", "Ids of the cards it is about; may be none",
    "Ids of the rules it rests on", "Printed places it rests on: book and section",
    "1 where the printed sources leave the question open", "Place in the order of the rulings",
), strict=True))  # fmt: skip
_PAGE = 100
"""Rows on a page."""
_STYLE = (
    "<style>dl.column-descriptions {max-height: 8rem; overflow-y: auto}"
    " dl.column-descriptions dt, dl.column-descriptions dd {line-height: 1.5; margin: 0}"
    " dl.column-descriptions dt {float: left; clear: left; margin-right: .5rem} .col-text {min-width: 18rem}</style>"
)
"""Keeps what there is to say about two dozen columns from pushing the cards out of sight, and their texts wide."""
QUERIES = {
    "light": "SELECT id, name, kind, light, text FROM {cards} AND light > 0 ORDER BY light DESC, name",
    "weapons": "SELECT id, name, weight, attack, magic_attack, cost, text FROM {cards} AND EXISTS"
    " (SELECT 1 FROM json_each(types) WHERE value = 'weapon') ORDER BY weight, name",
    "affordable": "SELECT id, name, cost, types, text FROM {cards} AND kind = 'village'"
    " AND (:gold = '' OR cost <= CAST(:gold AS INTEGER)) ORDER BY cost DESC, name",
    "monsters": "SELECT id, name, health, vp, xp, text FROM {cards} AND kind = 'monster' ORDER BY health DESC, name",
    "breach": "SELECT id, name, kind, text FROM {cards} AND id IN (SELECT card FROM effects WHERE timing = 'breach')"
    " ORDER BY name",
    "rules": "SELECT id, {rule} AS text, game, status, sources FROM rules ORDER BY game, position",
    "conflicts": "SELECT id, {conflict} AS text, sources FROM conflicts ORDER BY position",
}
"""Query -> its SQL, with the cards and texts of a language to be filled in; its title is ``site.query.<query>``."""


def metadata(glossaries: Mapping[str, GlossaryFile], database: str) -> dict[str, Any]:
    """The metadata of Datasette 0.65 for a database of that name; units stand in the columns' descriptions."""
    hidden: dict[str, Any] = {table: {"hidden": True} for table in TABLES if table not in SHOWN}
    tables = hidden | {table: {"description": about, "size": _PAGE} for table, about in SHOWN.items()}
    searched = {"sort": "position", "size": _PAGE, "facet_size": 10, "fts_pk": "position"}
    facets = {"facets": ["lang", "reading", {"array": "rules"}], "fts_table": "ruling_index"}
    about = f"What players ask and no rule says in so many words.{_STYLE}"
    tables["rulings"] = {"description_html": about, "columns": _RULINGS, **searched, **facets}
    queries: dict[str, Any] = {}
    links = [f'<a href="{database}/rulings">Rulings</a>']
    for lang in glossaries:
        columns = {
            column: _say(glossaries, lang, f"site.column.{column}", f"card.figure.{column}") for column in CARD_COLUMNS
        }
        facets = {"facets": ["kind", "set", {"array": "types"}], "fts_table": "card_index"}
        about = _say(glossaries, lang, "site.cards")
        tables[view_of(lang)] = {"title": about, "description_html": _STYLE, "columns": columns, **searched, **facets}
        links.insert(-1, f'<a href="{database}/{view_of(lang)}">{escape(about)}</a>')
        filled = {kind: said(f"'{kind}.' || id", lang) for kind in ("rule", "conflict")}
        filled["cards"] = f"{view_of(lang)} WHERE reprint_of IS NULL"
        for query, sql in QUERIES.items():
            title = _say(glossaries, lang, f"site.query.{query}")
            queries[f"{query}_{lang}"] = {"title": title, "sql": sql.format_map(filled), "hide_sql": True}
    greeting = "".join(f"<p>{escape(_say(glossaries, lang, 'site.about'))}</p>" for lang in glossaries)
    front = {"description_html": f"{greeting}<p>{' · '.join(links)}</p>"}
    return {
        "title": "thunderref",
        **front,
        "license": "MIT",
        "license_url": "https://opensource.org/license/mit",
        "source": "thunderref db export",
        "databases": {database: {**front, "tables": tables, "queries": queries}},
    }


def _say(glossaries: Mapping[str, GlossaryFile], lang: str, *keys: str) -> str:
    """The first message of these keys that there is, in a language or else in English."""
    found = (glossaries[code].messages.get(key) for key in keys for code in (lang, SOURCE_LANGUAGE))
    return next(text_of(message) for message in found if message)
