"""The built database, as somebody with a SQLite shell finds it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from support import ROOT
from support.files import sources
from thunderref.database.build import contents
from thunderref.database.load import read_record
from thunderref.database.paths import FIRST_GAME, GAMES, PUZZLES, game_of_rule, passage_index
from thunderref.database.read import open_database
from thunderref.database.records import GlossaryFile
from thunderref.database.schema import TABLES

LANGUAGES = ("en", "pl", "ru")


def column(database: sqlite3.Connection, sql: str) -> list[object]:
    return [row[0] for row in database.execute(sql)]


def test_it_is_sound(database: sqlite3.Connection) -> None:
    assert column(database, "PRAGMA integrity_check") == ["ok"]
    assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_it_says_which_files_it_was_built_from(tmp_path: Path) -> None:
    for folder in ("db", "glossary"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / PUZZLES).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / PUZZLES, tmp_path / PUZZLES)  # unlike copytree, with a time of its own
    assert contents(tmp_path) == open_database().meta["contents"]
    rules = tmp_path / "db" / "rules.toml"
    written = rules.read_bytes()
    rules.write_bytes(written.replace(b"\n", b"\r\n"))  # as a checkout on Windows may have it
    assert contents(tmp_path) == open_database().meta["contents"]
    rules.write_bytes(written + b"# more\n")
    assert contents(tmp_path) != open_database().meta["contents"]


def test_it_has_the_tables_one_would_look_for(database: sqlite3.Connection) -> None:
    found = set(column(database, "SELECT name FROM sqlite_master WHERE type = 'table'"))
    index = {name for name in found if re.search("_index(_[a-z]+)?$", str(name))}  # full-text search, with its innards
    assert found - index == set(TABLES)
    assert {"cards", "types", "effects", "names", "terms", "texts", "rules", "conflicts", "meta"} <= found


def test_every_table_has_what_its_description_says(database: sqlite3.Connection) -> None:
    for table, spec in TABLES.items():
        assert column(database, f"SELECT name FROM pragma_table_info('{table}')") == list(spec["columns"]), table
        keys = set(database.execute(f"SELECT [from], [table], [to] FROM pragma_foreign_key_list('{table}')"))
        assert keys == set(spec.get("foreign_keys", ())), table
        indexed = [
            column(database, f"SELECT name FROM pragma_index_info('{index}') ORDER BY seqno")
            for index in column(database, f"SELECT name FROM pragma_index_list('{table}')")
        ]
        assert all(columns in indexed for columns in spec["index"]), table


def test_no_table_is_empty(database: sqlite3.Connection) -> None:
    assert [table for table in TABLES if not column(database, f"SELECT 1 FROM [{table}] LIMIT 1")] == []


def test_rules_terms_texts_and_names_say_which_game_they_belong_to(database: sqlite3.Connection) -> None:
    for table in ("rules", "terms", "texts", "passages", "names"):
        assert set(column(database, f"SELECT DISTINCT game FROM {table}")) == set(GAMES), table


def test_games_do_not_mix(database: sqlite3.Connection) -> None:
    """The game of a rule is its letter; texts, passages and names follow the game of what they belong to."""
    for rule, game in database.execute("SELECT id, game FROM rules"):
        assert game_of_rule(rule) == game
    for table, key in (("texts", "t.key"), ("passages", "t.key")):
        wrong = f"SELECT {key} FROM {table} t JOIN rules r ON {key} = 'rule.' || r.id WHERE r.game <> t.game"
        assert column(database, wrong) == [], table
    wrong = "SELECT s.subject FROM names s JOIN terms t ON s.kind = 'term' AND s.subject = t.id WHERE s.game <> t.game"
    assert column(database, wrong) == []
    for game in GAMES:
        rows = column(database, f"SELECT count(*) FROM {passage_index(game)}")
        assert rows == column(database, f"SELECT count(*) FROM passages WHERE game = '{game}'")
        assert rows != [0]


def test_words_of_a_further_game_are_in_its_own_files() -> None:
    for game in GAMES:
        ids = {term.id for term in sources().terms if term.game == game}
        keys = {f"rule.{rule.id}" for rule in sources().rules if rule.game == game} | {f"term.{i}" for i in ids}
        for path in (ROOT / "glossary").glob("*.toml"):
            own = path.stem.partition(".")[2] or FIRST_GAME
            if own != game:
                file = read_record(path, GlossaryFile)
                assert not (ids & set(file.terms)) | (keys & set(file.texts)), path.name


def test_every_subject_has_one_shown_name_a_language(database: sqlite3.Connection) -> None:
    for table, kind in (("cards", "card"), ("families", "family"), ("terms", "term"), ("sets", "set")):
        rows = database.execute(
            f"SELECT s.id, l.lang FROM {table} s CROSS JOIN languages l WHERE NOT EXISTS "
            f"(SELECT 1 FROM names n WHERE n.kind = '{kind}' AND n.subject = s.id AND n.lang = l.lang "
            "AND n.position = 0)"
        ).fetchall()
        assert rows == [], table


def test_ability_texts_exist(database: sqlite3.Connection) -> None:
    assert not database.execute(
        "SELECT e.card, e.id, l.lang FROM effects e CROSS JOIN languages l "
        "WHERE NOT EXISTS (SELECT 1 FROM texts t WHERE t.key = e.text_key AND t.lang = l.lang)"
    ).fetchall()


def test_the_printed_names_of_a_reprint_are_those_of_its_original(database: sqlite3.Connection) -> None:
    assert not database.execute(
        "SELECT c.id, n.lang FROM cards c JOIN names n ON n.kind = 'card' AND n.subject = c.id AND n.lang <> '' "
        "JOIN names o ON o.kind = 'card' AND o.subject = c.reprint_of AND o.lang = n.lang AND o.position = n.position "
        "WHERE n.position = 0 AND n.name <> o.name"
    ).fetchall()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_messages_are_the_same_in_every_language(lang: str) -> None:
    english, other = (set(sources().glossaries[code].messages) for code in ("en", lang))
    assert english - other == set()
    assert other - english == set()


def test_words_of_a_message_and_what_they_stand_for() -> None:
    words = open_database().words("list.words.ordinals", "en")
    assert (words["second"], words["2nd"]) == ("2", "2")
    assert "drugi" not in words
    assert {"second", "drugi", "второи"} <= open_database().words("list.words.ordinals").keys()
    assert open_database().words("list.words.none-such") == {}


def test_no_english_name_is_unofficial() -> None:
    assert [card for card, name in sources().glossaries["en"].cards.items() if not name.official] == []
