"""The measuring files are parted by their seed, and no row of them has been seen by what is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from support import EXAMPLES, ROOT, read_toml
from support.measures import LANGUAGES, Rows, draw_place, read_measure
from thunderref.text.folding import fold

SEARCH = Path(__file__).parent
QUESTIONS = SEARCH / "questions.toml"
HALVES: dict[Path, Callable[[Any], str]] = {
    SEARCH / "lists.toml": lambda row: row[1],
    SEARCH / "typed.toml": lambda row: row[1].partition("|")[0],
    SEARCH / "everyday.toml": lambda row: "",
    SEARCH.parent / "thorgal" / "questions.toml": lambda row: "",
    EXAMPLES / "questions.toml": lambda row: "",
    EXAMPLES / "thorgal_questions.toml": lambda row: "",
}
"""File -> the kind of a row: the rows of a kind in a language were parted by themselves."""


def rows_of(rows: Rows, lang: str) -> list[Any]:
    listed = rows[lang].split() if isinstance(rows[lang], str) else rows[lang]
    return [*listed, *rows.get("foreign", {}).get(lang, [])]


def text_of(row: Any) -> str:
    return row if isinstance(row, str) else row[0]


@pytest.mark.parametrize("path", HALVES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_halves_are_those_of_the_seed(path: Path) -> None:
    """The test holds whatever rows are taken out, and says where a new one belongs."""
    parts, kind_of = read_measure(path), HALVES[path]
    for lang in LANGUAGES:
        places: dict[str, dict[str, list[str]]] = {part: {} for part in parts}
        for part, rows in parts.items():
            for row in rows_of(rows, lang):
                places[part].setdefault(kind_of(row), []).append(draw_place(text_of(row)))
        for kind in places["tune"].keys() & places["held"].keys():
            assert max(places["tune"][kind]) < min(places["held"][kind]), (lang, kind)


@pytest.mark.parametrize("path", [QUESTIONS, *HALVES], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_row_is_in_both_parts(path: Path) -> None:
    parts = read_measure(path)
    for lang in LANGUAGES:
        tune, held = ({fold(text_of(row)) for row in rows_of(rows, lang)} for rows in parts.values())
        assert tune & held <= {""}, lang


def test_no_row_is_a_question_of_the_glossaries() -> None:
    """One that has moved there measures nothing any more: take it out of its file."""
    glossaries = [read_toml(ROOT / "glossary" / f"{lang}.ask.toml")["ask"].values() for lang in LANGUAGES]
    known = {fold(question) for questions in chain(*glossaries) for question in questions}
    assert {text: path.name for path, text in texts() if fold(text) in known} == {}


def texts() -> Iterator[tuple[Path, str]]:
    """Yield the questions and lines of all files with their file; everyday words are none."""
    for path in (QUESTIONS, *HALVES):
        if path.stem != "everyday":
            for rows in read_measure(path).values():
                yield from ((path, text_of(row)) for lang in LANGUAGES for row in rows_of(rows, lang))
