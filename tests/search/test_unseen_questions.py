"""Questions that nobody who wrote the texts had seen: how many are answered, and how many foreign ones refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.asking import answers_to, says
from support.measures import LANGUAGES, Rows, check_floors, read_measure

PARTS = read_measure(Path(__file__).with_name("questions.toml"))
pytestmark = pytest.mark.slow
LEAST = {"en": (0.948, 0.953, 0.89, 0.99), "pl": (0.95, 0.95, 0.96, 0.99), "ru": (0.958, 0.975, 0.96, 0.99)}
"""Language -> the least share of questions answered by what is said and among three, of foreign ones refused, and of
questions that are not taken for one about the other game."""
SAID = 3
"""Sentences that are said at most."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_most_are_answered_and_foreign_ones_refused(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shares(rows: Rows) -> dict[str, float]:
        found, foreign = [(answers_to(question), wanted) for question, wanted in rows[lang]], rows["foreign"][lang]
        said, three = (
            sum(any(says(answer, wanted, SAID) for answer in got[:most]) for got, wanted in found) / len(found)
            for most in (1, 3)
        )
        refused = sum(not answers_to(question) for question in foreign) / len(foreign)
        other = sum({answer.question.game for answer in got} == {"thorgal"} for got, _ in found) / len(found)
        return {"said": said, "among three": three, "refused": refused, "of this game": 1 - other}

    check_floors(capsys, f"ask {lang}", PARTS, shares, LEAST[lang])
