"""The views: what the commands print as JSON, as rows for any SQLite shell; and the full-text tables for people."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest

from thunderref.database.paths import FIGURES
from thunderref.database.read import open_database
from thunderref.database.schema import CARD_COLUMNS, RULING_COLUMNS
from thunderref.search.card import card_record

LANGUAGES = ("en", "pl", "ru")


def rows(database: sqlite3.Connection, view: str) -> list[dict[str, Any]]:
    found = database.execute(f"SELECT * FROM {view}")
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_row_is_the_card_that_the_command_prints(database: sqlite3.Connection, lang: str) -> None:
    found = rows(database, f"cards_{lang}")
    assert [row["id"] for row in found] == list(open_database().cards)
    for row in found:
        assert tuple(row) == CARD_COLUMNS
        record = card_record(open_database(), row["id"], lang)
        plain = ("id", "kind", "set", "family", "level", "count", "attested", *FIGURES)
        assert {key: row[key] for key in plain} == {key: record[key] for key in plain}
        assert json.loads(row["types"]) == record["types"]
        for key in ("name", "official", "text"):
            assert row[key] == record[key][lang], row["id"]


def test_figures_are_typed_columns(database: sqlite3.Connection) -> None:
    for lang in LANGUAGES:
        types = dict(database.execute(f"SELECT name, type FROM pragma_table_info('cards_{lang}')").fetchall())
        assert {types[column] for column in (*FIGURES, "level", "count")} == {"INTEGER"}


def test_a_reprint_is_a_row_of_its_own_that_names_the_card(database: sqlite3.Connection) -> None:
    found = database.execute('SELECT id, "set", reprint_of FROM cards_en WHERE reprint_of IS NOT NULL').fetchall()
    assert found == [("militia-wrath", "wrath", "militia"), ("disease-wrath", "wrath", "disease")]


def test_the_rulings_are_those_the_cards_show(database: sqlite3.Connection) -> None:
    found = rows(database, "rulings")
    assert {tuple(row) for row in found} == {tuple(RULING_COLUMNS)}
    assert len(found) == len(LANGUAGES) * database.execute("SELECT count(*) FROM clarifications").fetchone()[0]
    reprints = open_database().reprints
    shown: dict[tuple[str, str], set[str]] = {}
    told = {(row["id"], row["lang"]): row for row in found}
    for card in open_database().cards:
        for ruling in card_record(open_database(), card, "en")["clarifications"]:
            row = told[ruling["id"], ruling["lang"]]
            as_printed = {key: json.loads(row[key]) for key in ("rules", "sources")} | {"reading": bool(row["reading"])}
            assert {key: row[key] for key in ("id", "lang", "text")} | as_printed == ruling
            shown.setdefault((ruling["id"], ruling["lang"]), set()).add(reprints.get(card, card))
    named = {key: {reprints.get(card, card) for card in json.loads(row["cards"])} for key, row in told.items()}
    assert shown == {key: cards for key, cards in named.items() if cards}


@pytest.mark.parametrize(
    ("asked", "card"),
    [
        ("fireball", "fireball"), ("ognista", "fireball"), ("огненный", "fireball"), ("шар", "fireball"),
        ("płomienny", "flaming-sword"), ("plomienny", "flaming-sword"), ("zelazne racje", "iron-rations"),
        ("humanoid", "firebrand-cyclops"),
    ],
)  # fmt: skip
def test_cards_are_found_by_a_name_in_any_language(database: sqlite3.Connection, asked: str, card: str) -> None:
    found = "SELECT id FROM cards_en WHERE position IN (SELECT rowid FROM card_index WHERE card_index MATCH ?)"
    assert card in [row[0] for row in database.execute(found, [asked])]
    assert database.execute(found, ["qqqq"]).fetchall() == []


def test_rulings_are_found_by_their_words(database: sqlite3.Connection) -> None:
    found = (
        "SELECT DISTINCT id FROM rulings WHERE position IN (SELECT rowid FROM ruling_index WHERE ruling_index MATCH ?)"
    )
    assert ("chalice-defender-items",) in database.execute(found, ["latarnia"]).fetchall()
    assert 0 < len(database.execute(found, ["latarnia"]).fetchall()) < 20
