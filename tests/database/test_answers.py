"""Answers are data: each follows from a rule or ruling, says it without its verdict, and has its questions."""

from __future__ import annotations

import re
from collections import Counter
from math import comb
from pathlib import Path

import pytest

from support import ROOT, examples_of, read_toml
from support.files import sources, texts
from thunderref.database.paths import FIRST_GAME, TOLD
from thunderref.database.read import Language, open_database

LANGUAGES = ("en", "pl", "ru")
LEAST = 2
"""Questions of an answer in each language."""


def test_each_follows_from_a_rule_or_a_ruling() -> None:
    """That these exist is checked when the files are read: an answer whose rule goes is refused."""
    assert not [each.id for each in sources().answers if not (each.rules or each.rulings)]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_its_sentence_stands_without_the_verdict(lang: str) -> None:
    """The verdict is put before it only where the question is asked that way round."""
    words = Language(open_database(), lang)
    verdicts = tuple(words.say(f"ask.verdict.{each}").rstrip(".") for each in ("yes", "no"))
    said = {key: text for key, text in texts(lang).items() if key.startswith("answer.")}
    assert len(said) == len(sources().answers)
    assert not [key for key, text in said.items() if text.startswith(tuple(f"{v}{m}" for v in verdicts for m in ".,:"))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_is_asked_for_and_no_question_has_two(lang: str) -> None:
    asked = sources().glossaries[lang].ask
    keys = {each.id: (f"answer.{each.id}", f"answer.{each.id}{TOLD}") for each in sources().answers}
    few = [each for each, both in keys.items() if sum(len(asked.get(key, ())) for key in both) < LEAST]
    counted = Counter(question.lower() for questions in asked.values() for question in questions)
    assert not [question for question, n in counted.items() if n > 1]
    assert not few


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_what_has_a_verdict_has_questions_that_it_does_not_answer(lang: str) -> None:
    judged = {f"answer.{each.id}{TOLD}" for each in sources().answers if each.verdict}
    assert {key for key in sources().glossaries[lang].ask if key.endswith(TOLD)} <= judged


def test_each_verdict_names_what_would_fail_if_it_were_otherwise() -> None:
    proofs, examples = read_toml(Path(__file__).with_name("verdicts.toml")), examples_of("**/*.toml")
    names = {f"{table}: {example['name']}" for table, example in examples}
    judged = {each.id for each in sources().answers if each.verdict and each.game == FIRST_GAME}
    assert proofs["proved"].keys() | proofs["unshown"].keys() == judged
    assert not proofs["proved"].keys() & proofs["unshown"].keys()
    missing = {answer: name for answer, shown in proofs["proved"].items() for name in shown if name not in names}
    assert not missing
    assert all(proofs["proved"].values())
    assert len(proofs["unshown"]) <= 0.03 * len(judged), "what no engine can show is seldom"


def test_each_verdict_on_thorgal_names_tests() -> None:
    """Far more of that game is left to its players: what the engine does not play has the reason."""
    proofs = read_toml(Path(__file__).with_name("verdicts.toml"))
    proved, unshown = proofs["thorgal"], proofs["thorgal-unshown"]
    judged = {each.id for each in sources().answers if each.verdict and each.game != FIRST_GAME}
    assert proved.keys() | unshown.keys() == judged
    assert not proved.keys() & unshown.keys()
    for test in {name for names in proved.values() for name in names}:
        path, _, function = test.partition("::")
        assert f"def {function}(" in (ROOT / path).read_text(encoding="utf-8"), test
    assert len(unshown) <= 0.4 * len(judged)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_odds_of_the_first_hand_are_those_of_six_cards_of_twelve(lang: str) -> None:
    def percent(copies: int, least: int, most: int) -> float:
        ways = sum(comb(copies, n) * comb(12 - copies, 6 - n) for n in range(least, most + 1))
        return 100 * ways / comb(12, 6)

    said = {key: [float(each.replace(",", ".")) for each in re.findall(r"(\d+(?:[.,]\d)?)\s?%", texts(lang)[key])]
            for key in ("answer.opening-hand-odds", "answer.opening-hand-militia")}  # fmt: skip
    pair = [percent(2, 1, 2), percent(2, 2, 2), percent(2, 0, 0)]
    militia = [percent(6, n, n) for n in (3, 2, 1)]
    assert said["answer.opening-hand-odds"] == [round(each) for each in pair]
    assert said["answer.opening-hand-militia"] == [
        *map(round, militia),
        round(percent(6, 6, 6), 1),
        round(percent(6, 4, 6)),
    ]
