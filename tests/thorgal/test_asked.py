"""A hundred questions a language about the player aid: how many are answered; none of them is a phrasing searched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support import read_toml
from support.asking import follows_from
from thunderref.database.read import open_database
from thunderref.errors import NoAnswerError
from thunderref.search.ask import Answer, ask, quotes_of
from thunderref.text.folding import fold_query

FILE = read_toml(Path(__file__).with_name("questions.toml"))
GLOSSARY = Path(__file__).parents[2] / "glossary"
LEAST = {"en": (0.93, 1.0), "pl": (0.88, 0.97), "ru": (0.89, 0.96)}
"""Language -> the least share of questions answered first and among three."""


def answers(question: str) -> list[Answer]:
    try:
        return ask(open_database(), question, "thorgal")
    except NoAnswerError:
        return []


def is_right(answer: Answer, wanted: list[str]) -> bool:
    follows = {answer.id, *follows_from(answer)}
    follows.update(quote["id"] for quote in quotes_of(open_database(), answer))
    return not follows.isdisjoint(wanted)


def plain(question: str) -> str:
    return " ".join(re.findall(r"\w+", fold_query(question)))


@pytest.mark.parametrize("lang", LEAST)
def test_most_are_answered(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(FILE[lang]) == 100
    ranks = [[is_right(answer, wanted) for answer in answers(question)[:3]] for question, wanted in FILE[lang]]
    first, three = sum(right[:1] == [True] for right in ranks) / 100, sum(map(any, ranks)) / 100
    with capsys.disabled():
        print(f"\nask thorgal {lang}: first {first:.0%}, first three {three:.0%}")
    assert all(share >= least for share, least in zip((first, three), LEAST[lang], strict=True)), (first, three)


@pytest.mark.parametrize("lang", LEAST)
def test_no_question_is_searched_as_it_stands(lang: str) -> None:
    phrasings = read_toml(GLOSSARY / f"{lang}.ask.toml")["ask"]
    searched = {plain(each) for subject in phrasings.values() for each in subject}
    assert searched.isdisjoint(plain(question) for question, _ in FILE[lang])


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
    assert answers(question)[0].id in wanted
