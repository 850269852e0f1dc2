"""Questions about the player aid: how many are answered, and that those which everybody asks are."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.asking import answers_to, follows_from, is_about
from support.command import Run
from support.measures import LANGUAGES, Rows, check_floors, read_measure, shares_right
from thunderref.search.ask import Answer

PARTS = read_measure(Path(__file__).with_name("questions.toml"))
LEAST = {"en": (0.94, 0.98), "pl": (0.88, 0.98), "ru": (0.94, 0.98)}
"""Language -> the least share of questions answered first and among three."""


def is_right(answer: Answer, wanted: list[str]) -> bool:
    return is_about(answer, wanted) or not follows_from(answer).isdisjoint(wanted)


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_most_are_answered(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shares(rows: Rows) -> dict[str, float]:
        found = [(answers_to(question, "thorgal")[:3], wanted) for question, wanted in rows[lang]]
        return shares_right([[is_right(answer, wanted) for answer in answers] for answers, wanted in found])

    check_floors(capsys, f"ask thorgal {lang}", PARTS, shares, LEAST[lang])


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("when do we win", ["T12.1"]), ("how do I lay tiles in a fight", ["T10.9"]),
        ("where does a wound go", ["T14.1", "T14.5"]), ("kiedy wygrywamy", ["T12.1"]),
        ("jak układać kafelki w walce", ["T10.9"]), ("gdzie kłaść ranę", ["T14.1", "T14.5"]),
        ("когда мы побеждаем", ["T12.1"]), ("как класть плитки в бою", ["T10.9"]),
        ("куда класть рану", ["T14.1", "T14.5"]),
    ],
)  # fmt: skip
def test_what_everybody_asks_is_answered_first(question: str, wanted: list[str]) -> None:
    assert answers_to(question, "thorgal")[0].id in wanted


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_term_without_a_text_is_explained_by_its_rule(cli: Run, lang: str) -> None:
    answer = cli("thorgal", "how", "do", "I", "win", "--lang", lang, "--json").json["answer"]
    assert answer["rules"] == ["T12.1"]
    assert answer["text"][lang].endswith(".")
