"""``thunderref db export``: the data for other programs, and what describes it; ``db path --metadata``."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from support import ROOT
from support.files import sources, texts
from thunderref.database.paths import FIGURES
from thunderref.database.read import open_database

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")


@pytest.fixture
def exported(cli: Run) -> dict[str, Any]:
    answer = cli("db", "export")
    assert (answer.status, answer.err) == (0, "")
    found: dict[str, Any] = answer.json
    return found


def printed_cards() -> dict[str, dict[str, Any]]:
    """The cards as db/boxes has them, by id, read by nothing of ours."""
    found = {}
    for path in (ROOT / "db" / "boxes").glob("*/cards.toml"):
        for card in tomllib.loads(path.read_text("utf-8"))["card"]:
            found[card["id"]] = card | {"set": path.parent.name}
    return found


def test_the_figures_are_those_of_the_files(exported: dict[str, Any]) -> None:
    printed = printed_cards()
    assert {card["id"] for card in exported["cards"]} == set(printed)
    keys = (*FIGURES, "kind", "set", "family", "level", "count", "reprint_of")
    for card in exported["cards"]:
        assert {key: card[key] for key in keys} == {key: printed[card["id"]].get(key) for key in keys}
        assert card["types"] == printed[card["id"]]["types"]
        assert [each["timing"] for each in card["abilities"]] == [
            effect["timing"] for effect in printed[card["id"]].get("effects", [])
        ]


def test_everything_is_there_in_every_language(exported: dict[str, Any]) -> None:
    files = sources()
    assert exported["schema_version"] == 1
    assert tuple(exported["languages"]) == LANGUAGES
    wanted = {
        "sets": files.boxes, "families": files.families, "rulings": files.clarifications, "conflicts": files.conflicts,
        "rules": files.rules, "terms": files.terms,
    }  # fmt: skip
    for key, records in wanted.items():
        assert [each["id"] for each in exported[key]] == [record.id for record in records], key
    for lang in LANGUAGES:
        written, glossary = texts(lang), files.glossaries[lang]
        for key, kind in (("rules", "rule"), ("rulings", "clarify"), ("conflicts", "conflict"), ("terms", "term")):
            for each in exported[key]:
                assert each["text"].get(lang) == written.get(f"{kind}.{each['id']}")
        for key, names in (("cards", glossary.cards), ("terms", glossary.terms), ("families", glossary.families)):
            for each in exported[key]:
                assert each["name"][lang] == names[each.get("reprint_of") or each["id"]].name
                assert each["official"][lang] == names[each.get("reprint_of") or each["id"]].official
    for ruling, record in zip(exported["rulings"], files.clarifications, strict=True):
        assert (ruling["cards"], ruling["rules"]) == (list(record.cards), list(record.rules))
        assert [f"{each['book']}: {each['section']}" for each in ruling["sources"]] == list(record.sources)
    for conflict, record in zip(exported["conflicts"], files.conflicts, strict=True):
        assert [conflict[key] for key in ("cards", "rules", "terms", "sources")] == [
            list(each) for each in (record.cards, record.rules, record.terms, record.sources)
        ]


def test_the_schema_describes_the_export_and_nothing_else(cli: Run, exported: dict[str, Any]) -> None:
    schema = cli("db", "export", "--schema").json
    Draft202012Validator.check_schema(schema)
    judge = Draft202012Validator(schema)
    assert list(judge.iter_errors(exported)) == []
    card = exported["cards"][0]
    for wrong in ({**card, "cost": "3"}, {k: v for k, v in card.items() if k != "name"}, {**card, "price": 3}):
        assert not judge.is_valid({**exported, "cards": [wrong]})
    assert not judge.is_valid({key: value for key, value in exported.items() if key != "rulings"})


def test_it_is_the_same_byte_for_byte(tmp_path: Path) -> None:
    for form in ("json", "csv"):
        made = [
            subprocess.run(
                [sys.executable, "-m", "thunderref", "db", "export", "--format", form],
                capture_output=True, check=True, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed},
            ).stdout
            for seed in ("1", "2")
        ]  # fmt: skip
        assert made[0] == made[1] != b""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_has_a_row_a_card_and_its_values_as_numbers(cli: Run, lang: str) -> None:
    rows = list(csv.DictReader(io.StringIO(cli("db", "export", "--format", "csv", "--lang", lang).out)))
    printed = printed_cards()
    assert [row["id"] for row in rows] == list(open_database().cards)
    names, written = sources().glossaries[lang].cards, texts(lang)
    for row in rows:
        card = printed[row["id"]]
        assert {key: int(row[key]) if row[key] else None for key in FIGURES} == {key: card.get(key) for key in FIGURES}
        assert row["types"] == ", ".join(card["types"])
        original = row["reprint_of"] or row["id"]
        assert row["name"] == names[original].name
        said = (written.get(f"card.{original}.{effect['id']}") for effect in card.get("effects", []))
        assert row["text"].strip() == " ".join(filter(None, said))
        assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "-", "@")]


def test_a_spreadsheet_takes_no_text_for_a_formula(cli: Run) -> None:
    """In Russian some abilities begin with “+1”: Excel would show an error where the text is."""
    rows = csv.DictReader(io.StringIO(cli("db", "export", "--format", "csv", "--lang", "ru").out))
    assert [row["text"] for row in rows if row["id"] == "pegasus"] == [" +1 к атаке."]


def test_a_file_of_a_table_is_marked_as_utf8_for_excel(cli: Run, tmp_path: Path) -> None:
    """Without the mark Excel takes Cyrillic for the letters of Windows; a pipe has none, for programs trip over it."""
    file = tmp_path / "cards.csv"
    said = cli("db", "export", "--format", "csv", "--lang", "ru", "--out", str(file))
    assert (said.status, said.err) == (0, "")
    assert str(file) in said.out
    assert file.read_bytes().startswith(b"\xef\xbb\xbfid,name,")
    piped = cli("db", "export", "--format", "csv", "--lang", "ru", "--out", "-").out
    assert file.read_text("utf-8-sig") == piped
    assert "Огненный шар" in piped
    cli("db", "export", "--out", str(tmp_path / "cards.json"))
    assert json.loads((tmp_path / "cards.json").read_text("utf-8")) == cli("db", "export").json


def test_a_file_that_exists_stays_without_force(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "cards.json"
    file.write_text("mine")
    said = cli("db", "export", "--out", str(file), "--json")
    assert (said.status, said.json["error"]["code"]) == (2, "file-exists")
    assert file.read_text() == "mine"
    assert cli("db", "export", "--schema", "--out", str(file), "--force", "--json").json["path"] == str(file)
    assert "$schema" in json.loads(file.read_text("utf-8"))
    assert cli("db", "export", "--out", str(tmp_path / "nowhere" / "cards.json")).status == 2


def test_json_is_one_document(cli: Run) -> None:
    found = cli("db", "export", "--format", "csv", "--json").json
    assert found.pop("tonight") is None
    assert found == cli("db", "export").json
    said = cli("db", "export", "--format", "xml", "--json")
    assert (said.status, said.json["error"]["code"]) == (2, "unknown-format")
    assert said.json["error"]["candidates"] == ["json", "csv"]


@pytest.mark.parametrize(("lang", "word"), [("en", "JSON Schema of"), ("pl", "tabela kart"), ("ru", "таблица карт")])
def test_the_help_is_in_every_language(cli: Run, lang: str, word: str) -> None:
    assert word in " ".join(cli("db", "export", "--help", "--lang", lang).out.split())


def test_the_metadata_for_datasette_lies_beside_the_database(cli: Run) -> None:
    path = Path(cli("db", "path", "--metadata").out.strip())
    assert path.parent == open_database().path.parent
    assert "cards_pl" in json.loads(path.read_text("utf-8"))["databases"][open_database().path.stem]["tables"]
    assert cli("db", "path", "--metadata", "--json").json["path"] == str(path)


def test_missing_metadata_is_said(cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thunderref.cli.db.metadata_path", lambda path: tmp_path / "none.json")
    said = cli("db", "path", "--metadata", "--json")
    assert (said.status, said.json["error"]["code"]) == (2, "no-database")
