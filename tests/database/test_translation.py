"""A further language is one file and no code; the check tells its translator what is left to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import ROOT
from support.files import copy_sources
from thunderref.database.build import build
from thunderref.database.read import Database, Language, open_database
from thunderref.database.records import digest
from thunderref.database.translation import GlossaryFault, coverage, review
from thunderref.search.ask import ask
from thunderref.search.names import find_card

GERMAN = """lang = "de"
language = "Deutsch"
draft = true
plural = "n != 1"

[cards]
fireball = { name = "Feuerball" }
militia = { name = "Miliz" }
flaming-sword = { name = "Flammenschwert", official = false }

[texts]
"rule.R0.2" = "Jede Hälfte wird abgerundet."

[messages]
"kind.hero" = "Helden"
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Database:
    root = tmp_path_factory.mktemp("tree")
    copy_sources(root)
    (root / "glossary" / "de.toml").write_text(GERMAN, encoding="utf-8")
    build(root, root / "built.sqlite")
    return Database(root / "built.sqlite")


def test_a_fourth_language_needs_one_file(german: Database) -> None:
    assert "de" in german.languages
    assert find_card(german, "feuerball") == "fireball"
    assert find_card(german, "Flamenschwert") == "flaming-sword"
    words = Language(german, "de")
    assert words.card("fireball") == "Feuerball"
    assert words.text("rule.R0.2") == "Jede Hälfte wird abgerundet."
    assert words.card("torch") == "Torch"
    assert words.say("kind.hero") == "Helden"
    assert not words.card_is_official("flaming-sword")


def test_questions_in_a_fourth_language(german: Database) -> None:
    assert ask(german, "halfte abgerundet")[0].id == "R0.2"
    assert ask(german, "Feuerball")[0].id == "fireball"


def test_coverage_counts_a_fourth_language(german: Database) -> None:
    messages = next(row for row in coverage(german) if row.what == "messages")
    assert messages.have["de"] == 1
    assert not messages.complete


def test_our_languages_have_everything() -> None:
    lacking = [row for row in coverage(open_database()) if not row.complete]
    assert lacking == []


def checked(folder: Path, text: str) -> dict[str, list[GlossaryFault]]:
    path = folder / "de.toml"
    path.write_text(text, encoding="utf-8")
    found: dict[str, list[GlossaryFault]] = {}
    for finding in review(open_database(), [path]).findings:
        found.setdefault(finding.problem, []).append(finding)
    return found


def test_the_check_names_what_is_missing(tmp_path: Path) -> None:
    keys = {finding.key for finding in checked(tmp_path, GERMAN)["missing"]}
    assert {"cards.torch", "texts.rule.R5.4", "messages.kind.monster", "sets.base"} <= keys
    assert not {"cards.fireball", "texts.rule.R0.2", "messages.kind.hero"} & keys


@pytest.mark.parametrize(
    ("line", "problem", "key"),
    [
        ('[texts]\n"rule.R0.2" = { text = "Alt.", of = "00000000" }', "stale", "texts.rule.R0.2"),
        ('[texts]\n"rule.R0.2" = "Every half is rounded down."', "untranslated", "texts.rule.R0.2"),
        ('[texts]\n"rule.R99.9" = "Nichts."', "unknown", "texts.rule.R99.9"),
        ('[messages]\n"ask.more" = "und {m} mehr"', "fields", "messages.ask.more"),
        ('[messages]\n"ask.more" = "und {n"', "malformed", "messages.ask.more"),
        ('[messages]\n"ask.title" = "{n} {n:a|b|c} {question}"', "plural", "messages.ask.title"),
        (
            '[vocabulary]\nhero = { word = "Held", avoid = ["Figur*"] }\n[messages]\n"kind.hero" = "Alle Figuren"',
            "wording",
            "messages.kind.hero",
        ),
        ('[cards]\ntorch = { nam = "Fackel" }', "malformed", "cards.torch"),
        ('[texts\n"rule.R0.2" = "x"', "malformed", "de.toml"),
    ],
)
def test_the_check_finds(tmp_path: Path, line: str, problem: str, key: str) -> None:
    found = checked(tmp_path, f'lang = "de"\n{line}\n')
    assert key in {finding.key for finding in found.get(problem, [])}


def test_a_translation_of_todays_english_is_not_stale(tmp_path: Path) -> None:
    english = open_database().texts("rule.R0.2")["en"]
    line = f'"rule.R0.2" = {{ text = "Abgerundet.", of = "{digest(str(english))}" }}'
    assert "stale" not in checked(tmp_path, f'lang = "de"\n[texts]\n{line}\n')


def test_a_word_that_only_begins_like_one_to_avoid_is_fine(tmp_path: Path) -> None:
    words = 'hero = { word = "Held", avoid = ["Figur"] }'
    assert "wording" not in checked(
        tmp_path, f'lang = "de"\n[vocabulary]\n{words}\n[messages]\n"kind.hero" = "Figuren"\n'
    )


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_our_translations_pass_the_check(lang: str) -> None:
    paths = sorted((ROOT / "glossary").glob(f"{lang}*.toml"))
    assert review(open_database(), paths).findings == []
