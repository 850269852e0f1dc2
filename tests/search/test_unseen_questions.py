"""Questions that nobody who wrote the texts had seen: how many are answered, and how many foreign ones refused.

Weights and thresholds are set by those of calibration.toml; those of questions.toml are measured.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support import read_toml
from support.asking import follows_from
from thunderref.database.read import open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.ask import Answer, ask_games, quotes_of

FILES = {name: read_toml(Path(__file__).with_name(f"{name}.toml")) for name in ("calibration", "questions")}
pytestmark = pytest.mark.slow
LEAST = {"en": (0.925, 0.975, 0.94), "pl": (0.93, 0.965, 0.925), "ru": (0.92, 0.955, 0.93)}
"""Language -> the least share of questions answered by what is said and among three, of foreign ones refused."""
SAID = 3
"""Sentences that are said at most."""


def answers(question: str) -> list[Answer]:
    try:
        asked = ask_games(open_database(), question)
    except (NoAnswerError, InputError):
        return []
    return asked.answers


def is_right(answer: Answer, wanted: list[str], most: int) -> bool:
    """True if it is about one of the ids, or follows from it, or is the card that quotes the ruling first."""
    rulings = [quote["id"] for quote in quotes_of(open_database(), answer) if quote["kind"] == "clarify"]
    return not {answer.id, *rulings[:1], *follows_from(answer, most)}.isdisjoint(wanted)


def measured(file: dict[str, Any], lang: str) -> tuple[float, float, float]:
    """The share of questions answered by what is said, of those answered among three, of foreign ones refused."""
    found = [(answers(question), wanted) for question, wanted in file[lang]]
    said, three = (
        sum(any(is_right(answer, wanted, SAID) for answer in got[:most]) for got, wanted in found) / len(found)
        for most in (1, 3)
    )
    return said, three, sum(not answers(question) for question in file["foreign"][lang]) / len(file["foreign"][lang])


@pytest.mark.parametrize("lang", LEAST)
def test_most_are_answered_and_foreign_ones_refused(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name, file in FILES.items():
        shares = measured(file, lang)
        with capsys.disabled():
            print("\nask {} {}: said {:.1%}, among three {:.1%}, refused {:.1%}".format(lang, name, *shares))
    assert all(share >= least for share, least in zip(shares, LEAST[lang], strict=True)), shares


@pytest.mark.parametrize("lang", LEAST)
def test_no_question_is_taken_for_one_about_the_other_game(lang: str) -> None:
    games = [{answer.question.game for answer in answers(question)} for question, _ in FILES["questions"][lang]]
    assert games.count({"thorgal"}) <= 1
