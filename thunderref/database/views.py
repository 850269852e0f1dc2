"""The views of the built database: the cards of each language and the rulings, in the words of the JSON of commands."""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.database.paths import FIGURES
from thunderref.database.records import SOURCE_LANGUAGE

CARD_COLUMNS = (
    "id", "name", "official", "kind", "set", "family", "level", "count", "types", *FIGURES, "text", "attested",
    "reprint_of", "position",
)  # fmt: skip
"""The columns of the view ``cards_<lang>``; ``types`` is a JSON list, the ``text`` that of all abilities."""
RULING_COLUMNS = ("id", "lang", "text", "cards", "rules", "sources", "reading", "position")
"""The columns of the view ``rulings``, a row a ruling and language; ``cards``, ``rules`` and ``sources`` are lists."""
SEARCHED = {
    "card_index": """
        SELECT c.position, group_concat(said.words, ' ') FROM cards AS c JOIN (
            SELECT kind, subject, name || ' ' || form AS words FROM names
            UNION ALL SELECT 'card', card, form FROM aliases
            UNION ALL SELECT 'card', e.card, t.text FROM effects AS e JOIN texts AS t ON t.key = e.text_key
        ) AS said ON said.subject IN (c.id, c.reprint_of) AND said.kind = 'card'
            OR said.subject = c.family AND said.kind = 'family'
        GROUP BY c.position ORDER BY c.position""",
    "ruling_index": """
        SELECT c.position, group_concat(t.text, ' ') FROM clarifications AS c JOIN texts AS t
        ON t.key = 'clarify.' || c.id GROUP BY c.position ORDER BY c.position""",
}
"""Full-text table for people -> its rows: the ``position`` of a card or ruling, its names and texts in all languages.

The names are there as written and as folded (“Płomienny” and “plomienny”).
"""


def view_of(lang: str) -> str:
    return f"cards_{lang}"


def said(key: str, lang: str) -> str:
    """SQL for the text of a key (SQL too) in a language, or else in English."""
    wanted = f"lang IN ('{lang}', '{SOURCE_LANGUAGE}') ORDER BY lang = '{SOURCE_LANGUAGE}' LIMIT 1"
    return f"(SELECT text FROM texts WHERE key = {key} AND {wanted})"


def views(languages: Iterable[str]) -> dict[str, str]:
    """View -> its SELECT: ``cards_<lang>`` for each language, and ``rulings``."""
    made = {view_of(lang): _cards(lang) for lang in languages}
    return made | {"rulings": _RULINGS}


def _cards(lang: str) -> str:
    named = (
        "FROM names AS n WHERE n.kind = 'card' AND n.subject = c.id AND n.position = 0"
        f" AND n.lang IN ('{lang}', '{SOURCE_LANGUAGE}') ORDER BY n.lang = '{SOURCE_LANGUAGE}' LIMIT 1"
    )
    effects = f"SELECT {said('e.text_key', lang)} AS text FROM effects AS e WHERE e.card = c.id ORDER BY e.position"
    types = "SELECT t.type FROM types AS t WHERE t.card = c.id ORDER BY t.position"
    sources = {
        "name": f"(SELECT n.name {named})", "official": f"(SELECT n.official {named})", "set": "c.set_id",
        "types": f"(SELECT json_group_array(type) FROM ({types}))",
        "text": f"(SELECT group_concat(text, ' ') FROM ({effects}))",
    }  # fmt: skip
    columns = (f"{sources.get(column, f'c.{column}')} AS [{column}]" for column in CARD_COLUMNS)
    return f"SELECT {', '.join(columns)} FROM cards AS c ORDER BY c.position"


_RULINGS = (
    "SELECT c.id AS id, l.lang AS lang, t.text AS text, (SELECT json_group_array(card) FROM (SELECT k.card FROM"
    " clarification_cards AS k WHERE k.clarification = c.id ORDER BY k.rowid)) AS cards, c.rules AS rules,"
    " c.sources AS sources, c.reading AS reading, c.position AS position FROM clarifications AS c"
    " JOIN texts AS t ON t.key = 'clarify.' || c.id JOIN languages AS l ON l.lang = t.lang"
    " ORDER BY c.position, l.position"
)
