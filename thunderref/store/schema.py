"""The tables of the built database, as sqlite-utils creates them; readable in any SQLite shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thunderref.model.games import GAMES
from thunderref.store.location import SCHEMA_VERSION as SCHEMA_VERSION
from thunderref.store.location import passage_index

if TYPE_CHECKING:
    from sqlite_utils import Database

TABLES: dict[str, dict[str, Any]] = {
    "meta": {"columns": {"key": str, "value": str}, "pk": "key"},
    "sets": {"columns": {"id": str, "position": int, "boxed": int}, "pk": "id"},
    "families": {
        "columns": {"id": str, "set_id": str, "kind": str, "position": int},
        "pk": "id",
        "foreign_keys": [("set_id", "sets", "id")],
    },
    "rules": {"columns": {"id": str, "game": str, "position": int, "status": str, "see": str}, "pk": "id"},
    "switches": {
        "columns": {"name": str, "position": int, "rule": str, "default": str, "other": str},
        "pk": "name",
        "foreign_keys": [("rule", "rules", "id")],
    },
    "cards": {
        "columns": {
            "id": str,
            "position": int,
            "set_id": str,
            "kind": str,
            "family": str,
            "level": int,
            "count": int,
            "cost": int,
            "gold": int,
            "light": int,
            "vp": int,
            "strength": int,
            "weight": int,
            "health": int,
            "xp": int,
            "level_cost": int,
            "light_penalty": int,
            "attack": int,
            "magic_attack": int,
            "reprint_of": str,
        },
        "pk": "id",
        "foreign_keys": [("set_id", "sets", "id"), ("family", "families", "id"), ("reprint_of", "cards", "id")],
        "index": ["set_id", "kind", "family"],
    },
    "types": {
        "columns": {"card": str, "position": int, "type": str},
        "pk": ("card", "position"),
        "foreign_keys": [("card", "cards", "id")],
        "index": ["type"],
    },
    "effects": {
        "columns": {
            "card": str,
            "position": int,
            "id": str,
            "timing": str,
            "mandatory": int,
            "record": str,
            "text_key": str,
        },
        "pk": ("card", "id"),
        "foreign_keys": [("card", "cards", "id")],
        "index": ["timing"],
    },
    "names": {
        "columns": {"card": str, "lang": str, "position": int, "name": str, "official": int},
        "pk": ("card", "lang", "position"),
        "foreign_keys": [("card", "cards", "id")],
        "index": ["name"],
    },
    "family_names": {
        "columns": {"family": str, "lang": str, "position": int, "name": str, "official": int},
        "pk": ("family", "lang", "position"),
        "foreign_keys": [("family", "families", "id")],
    },
    "set_names": {
        "columns": {"set_id": str, "lang": str, "position": int, "name": str, "official": int},
        "pk": ("set_id", "lang", "position"),
        "foreign_keys": [("set_id", "sets", "id")],
    },
    "terms": {"columns": {"id": str, "game": str, "position": int, "grp": str}, "pk": "id"},
    "term_names": {
        "columns": {"term": str, "lang": str, "position": int, "name": str, "official": int},
        "pk": ("term", "lang", "position"),
        "foreign_keys": [("term", "terms", "id")],
    },
    "term_rules": {
        "columns": {"term": str, "rule": str},
        "pk": ("term", "rule"),
        "foreign_keys": [("term", "terms", "id"), ("rule", "rules", "id")],
    },
    "card_rules": {
        "columns": {"card": str, "rule": str},
        "pk": ("card", "rule"),
        "foreign_keys": [("card", "cards", "id"), ("rule", "rules", "id")],
    },
    "clarifications": {
        "columns": {"id": str, "position": int, "rules": str, "text_key": str},
        "pk": "id",
    },
    "clarification_cards": {
        "columns": {"clarification": str, "card": str},
        "pk": ("clarification", "card"),
        "foreign_keys": [("clarification", "clarifications", "id"), ("card", "cards", "id")],
        "index": ["card"],
    },
    "conflicts": {
        "columns": {"id": str, "game": str, "position": int, "sources": str, "text_key": str},
        "pk": "id",
    },
    "conflict_subjects": {
        "columns": {"conflict": str, "kind": str, "subject": str},
        "pk": ("conflict", "kind", "subject"),
        "foreign_keys": [("conflict", "conflicts", "id")],
        "index": ["subject"],
    },
    "texts": {
        "columns": {"key": str, "lang": str, "game": str, "text": str, "stale": int},
        "pk": ("key", "lang"),
    },
    "messages": {"columns": {"key": str, "lang": str, "text": str}, "pk": ("key", "lang")},
    "languages": {"columns": {"lang": str, "language": str, "plural": str, "position": int}, "pk": "lang"},
    "setup_records": {
        "columns": {"kind": str, "id": str, "position": int, "record": str},
        "pk": ("kind", "id"),
    },
    "passages": {
        "columns": {
            "id": int,
            "key": str,
            "game": str,
            "kind": str,
            "subject": str,
            "lang": str,
            "tokens": str,
            "names": str,
        },
        "pk": "id",
        "index": ["subject"],
    },
    "search": {
        "columns": {
            "form": str,
            "words": str,
            "joined": str,
            "stems": str,
            "kind": str,
            "subject": str,
            "lang": str,
            "name": str,
            "preferred": int,
            "game": str,
        },
        "index": ["form", "words", "joined"],
    },
}
"""Table -> columns, primary key, foreign keys and indexes.

``search`` is what lookup reads: one row a name (or id, then ``lang`` is empty), ``form`` normalised by
:func:`thunderref.lookup.normalise.fold`, ``words`` the same with its words sorted, ``joined`` without blanks, ``stems``
the stems of each word: words separated by blanks, stems by ``|`` (:mod:`thunderref.lookup.stems`). ``passages`` are
the texts as full-text search sees them (``tokens``: words without endings; ``names``: those of what the text is about),
indexed by one FTS5 table a game (:func:`thunderref.store.location.passage_index`).
"""


def create_tables(db: Database) -> None:
    """Creates every table, its foreign keys and its indexes."""
    tables = {name: db[name] for name in TABLES}
    for name, spec in TABLES.items():
        tables[name].create(spec["columns"], pk=spec.get("pk"), foreign_keys=spec.get("foreign_keys"))  # type: ignore[union-attr]
    for name, spec in TABLES.items():
        for column in spec.get("index", []):
            tables[name].create_index([column])  # type: ignore[union-attr]
    tokenizer = "unicode61 tokenchars '·'"
    for game in GAMES:
        columns = f"tokens, names, content='', tokenize=\"{tokenizer}\""
        db.execute(f"CREATE VIRTUAL TABLE {passage_index(game)} USING fts5({columns})")
