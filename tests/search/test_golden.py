"""Ten questions or lines a language that are understood exactly so: a fault of a reader shows without the measures."""

from __future__ import annotations

import pytest

from support import EXAMPLES, read_toml
from support.asking import answers_to, is_found, is_read, says
from support.measures import LANGUAGES
from thunderref.database.read import Language, open_database
from thunderref.errors import ThunderrefError
from thunderref.search.ask import Answer
from thunderref.search.lists import read_list
from thunderref.search.understand import Understood, understand

GOLDEN = read_toml(EXAMPLES / "understood.toml")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_questions_are_answered_or_refused(lang: str) -> None:
    def is_right(answers: list[Answer], wanted: list[str]) -> bool:
        return says(answers[0], wanted, 3) if answers else not wanted

    assert [question for question, wanted in GOLDEN["ask"][lang] if not is_right(answers_to(question), wanted)] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_are_found_and_other_questions_left_alone(lang: str) -> None:
    words = Language(open_database(), lang)
    for question, cards in GOLDEN["lists"][lang]:
        assert is_found(words, question, cards) if cards else read_list(words, question) is None, question


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_are_read_as_their_kind(lang: str) -> None:
    def read(line: str) -> Understood | None:
        try:
            return understand(Language(open_database(), lang), line)
        except ThunderrefError:
            return None

    for line, kind, *cards in GOLDEN["typed"][lang]:
        found = read(line)
        if found is None:
            assert kind == "nonsense", line
            continue
        assert found.kind == {"list": "query"}.get(kind, kind), line
        assert is_read([line, kind, *cards], found), line
        if kind == "battle":
            assert found.document["hall"] == [None if card == "-" else card for card in cards[1].split(", ")], line
