"""Builds the SQLite database from the files, in one transaction."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlite_utils import Database

from thunderref.lookup.normalise import fold, join_words, sort_words
from thunderref.lookup.stems import name_stems
from thunderref.model.games import FIRST_GAME, GAMES
from thunderref.model.glossary import Name, Translation, digest, text_of
from thunderref.store.check import check_sources
from thunderref.store.load import Sources, load_sources
from thunderref.store.location import passage_index, signature
from thunderref.store.passages import passage_rows, text_games
from thunderref.store.schema import SCHEMA_VERSION, create_tables

Row = dict[str, Any]
_INDEXED = {"rowid": "id", "tokens": "tokens", "names": "names"}
"""Column of full-text search -> column of ``passages``."""


def build(root: Path, target: Path) -> None:
    """Validates the files below ``root`` and writes the database to ``target``, all or nothing.

    Raises :class:`thunderref.errors.InputError` naming file, key and remedy; an existing ``target`` then stays.
    """
    sources = load_sources(root)
    check_sources(sources)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.new")
    partial.unlink(missing_ok=True)
    try:
        connection = sqlite3.connect(partial, isolation_level=None)
        connection.execute("PRAGMA foreign_keys = ON")
        db = Database(connection)
        connection.execute("BEGIN")
        connection.execute("PRAGMA defer_foreign_keys = ON")
        create_tables(db)
        for table, rows in _tables(sources, signature(root)):
            _insert(connection, table, rows)
        connection.execute("COMMIT")
        connection.execute("VACUUM")
        connection.close()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _insert(connection: sqlite3.Connection, table: str, rows: list[Row]) -> None:
    if not rows:
        return
    columns = list(rows[0])
    marks = ", ".join("?" for _ in columns)
    sql = f"INSERT INTO [{table}] ({', '.join(f'[{c}]' for c in columns)}) VALUES ({marks})"
    connection.executemany(sql, [tuple(row[c] for c in columns) for row in rows])


def _tables(sources: Sources, sign: str) -> Iterator[tuple[str, list[Row]]]:
    yield "meta", [{"key": "schema", "value": str(SCHEMA_VERSION)}, {"key": "signature", "value": sign}]
    yield "sets", [{"id": s.id, "position": i, "boxed": int(s.boxed)} for i, s in enumerate(sources.sets)]
    yield (
        "families",
        [{"id": f.id, "set_id": f.set, "kind": f.kind, "position": i} for i, f in enumerate(sources.families)],
    )
    yield from _card_tables(sources)
    yield from _reference_tables(sources)
    yield from _word_tables(sources)
    yield "search", list(_search_rows(sources))
    passages = [{"id": i, **row} for i, row in enumerate(passage_rows(sources), start=1)]
    yield "passages", passages
    for game in GAMES:
        rows = [{k: row[v] for k, v in _INDEXED.items()} for row in passages if row["game"] == game]
        yield passage_index(game), rows
    yield "setup_records", list(_setup_rows(sources))


def _card_tables(sources: Sources) -> Iterator[tuple[str, list[Row]]]:
    figures = (
        "kind", "family", "level", "count", "cost", "gold", "light", "vp", "strength", "weight", "health", "xp",
        "level_cost", "light_penalty", "attack", "magic_attack", "reprint_of",
    )  # fmt: skip
    yield (
        "cards",
        [
            {"id": card.id, "position": i, "set_id": set_id, **{f: getattr(card, f) for f in figures}}
            for i, (set_id, card) in enumerate(sources.cards)
        ],
    )
    yield (
        "types",
        [
            {"card": card.id, "position": i, "type": kind}
            for _, card in sources.cards
            for i, kind in enumerate(card.types)
        ],
    )
    yield (
        "effects",
        [
            {
                "card": card.id,
                "position": i,
                "id": effect.id,
                "timing": effect.timing,
                "mandatory": int(effect.is_mandatory),
                "record": json.dumps(effect.model_dump(exclude_defaults=True), ensure_ascii=False),
                "text_key": f"card.{card.reprint_of or card.id}.{effect.id}",
            }
            for _, card in sources.cards
            for i, effect in enumerate(card.effects)
        ],
    )
    yield (
        "card_rules",
        [
            {"card": card.id, "rule": rule}
            for _, card in sources.cards
            for rule in dict.fromkeys(rule for effect in card.effects for rule in effect.rules)
        ],
    )


def _reference_tables(sources: Sources) -> Iterator[tuple[str, list[Row]]]:
    yield (
        "rules",
        [
            {"id": r.id, "game": game, "position": i, "status": r.status, "see": json.dumps(r.see)}
            for i, (game, r) in enumerate(sources.rules)
        ],
    )
    switches = [(rule.id, switch) for _, rule in sources.rules for switch in rule.switches]
    yield (
        "switches",
        [
            {"name": s.name, "position": i, "rule": rule, "default": s.default, "other": s.other}
            for i, (rule, s) in enumerate(switches)
        ],
    )
    yield (
        "terms",
        [{"id": t.id, "game": game, "position": i, "grp": t.group} for i, (game, t) in enumerate(sources.terms)],
    )
    yield "term_rules", [{"term": t.id, "rule": r} for _, t in sources.terms for r in t.rules]
    yield (
        "clarifications",
        [
            {"id": c.id, "position": i, "rules": json.dumps(c.rules), "text_key": f"clarify.{c.id}"}
            for i, c in enumerate(sources.clarifications)
        ],
    )
    yield (
        "clarification_cards",
        [{"clarification": c.id, "card": card} for c in sources.clarifications for card in c.cards],
    )
    yield (
        "conflicts",
        [
            {"id": c.id, "game": game, "position": i, "sources": json.dumps(c.sources), "text_key": f"conflict.{c.id}"}
            for i, (game, c) in enumerate(sources.conflicts)
        ],
    )
    yield (
        "conflict_subjects",
        [
            {"conflict": c.id, "kind": kind, "subject": subject}
            for _, c in sources.conflicts
            for kind, subjects in (("card", c.cards), ("rule", c.rules), ("term", c.terms))
            for subject in subjects
        ],
    )


def _word_tables(sources: Sources) -> Iterator[tuple[str, list[Row]]]:
    english = sources.glossaries["en"]
    games = text_games(sources)
    yield (
        "languages",
        [
            {"lang": g.lang, "language": g.language, "plural": g.plural, "position": i}
            for i, g in enumerate(sources.glossaries.values())
        ],
    )
    for table, column, section in (
        ("names", "card", "cards"),
        ("family_names", "family", "families"),
        ("term_names", "term", "terms"),
        ("set_names", "set_id", "sets"),
    ):
        rows: list[Row] = []
        for lang, glossary in sources.glossaries.items():
            entries: dict[str, Name] = getattr(glossary, section)
            for subject, name in entries.items():
                for i, spelling in enumerate([name.name, *name.also]):
                    rows.append(
                        {column: subject, "lang": lang, "position": i, "name": spelling, "official": int(name.official)}
                    )
        yield table, rows
    for table in ("texts", "messages"):
        rows = []
        for lang, glossary in sources.glossaries.items():
            source: dict[str, str | Translation] = getattr(english, table)
            for key, entry in getattr(glossary, table).items():
                row: Row = {"key": key, "lang": lang, "text": text_of(entry)}
                if table == "texts":
                    original = text_of(source[key]) if key in source else ""
                    stale = isinstance(entry, Translation) and entry.of != "" and entry.of != digest(original)
                    row |= {"game": games.get(key, FIRST_GAME), "stale": int(stale)}
                rows.append(row)
        yield table, rows


def _setup_rows(sources: Sources) -> Iterator[Row]:
    groups = (
        ("pool", [(str(pool.version), pool) for pool in sources.setups.pool]),
        ("feature-deck", [(deck.set, deck) for deck in sources.setups.feature_deck]),
        ("variant", [(variant.id, variant) for variant in sources.setups.variant]),
        ("first-game", [(layout.id, layout) for layout in sources.themes.first_game]),
        ("theme", [(layout.id, layout) for layout in sources.themes.theme]),
    )
    for kind, records in groups:
        for i, (name, record) in enumerate(records):
            yield {"kind": kind, "id": name, "position": i, "record": record.model_dump_json()}


def _search_rows(sources: Sources) -> Iterator[Row]:
    games = {term.id: game for game, term in sources.terms}
    for row in _names_to_find(sources):
        yield {**row, "game": games[row["subject"]] if row["kind"] == "term" else FIRST_GAME}


def _names_to_find(sources: Sources) -> Iterator[Row]:
    for lang, glossary in sources.glossaries.items():
        for kind, section in (("card", glossary.cards), ("family", glossary.families), ("term", glossary.terms)):
            for subject, name in section.items():
                for i, spelling in enumerate([name.name, *name.also]):
                    yield _search_row(kind, subject, lang, spelling, preferred=i == 0)
    for _, card in sources.cards:
        yield _search_row("card", card.id, "", card.id, preferred=False)
    for family in sources.families:
        yield _search_row("family", family.id, "", family.id, preferred=False)
    for _, term in sources.terms:
        yield _search_row("term", term.id, "", term.id, preferred=False)


def _search_row(kind: str, subject: str, lang: str, name: str, *, preferred: bool) -> Row:
    form = fold(name)
    stems = " ".join("|".join(sorted(name_stems(word, lang))) for word in form.split())
    return {
        "form": form, "words": sort_words(form), "joined": join_words(form), "stems": stems, "kind": kind,
        "subject": subject, "lang": lang, "name": name, "preferred": int(preferred),
    }  # fmt: skip
