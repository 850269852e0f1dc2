"""``thunderref ask`` as users and scripts see it."""

from __future__ import annotations

from typing import Any

import pytest

LANGUAGES = ("en", "pl", "ru")


def test_an_answer_quotes_the_texts_and_says_why(cli: Any) -> None:
    answer = cli("ask", "can", "militia", "use", "battle", "fury", "--lang", "en")
    assert answer.status == 0
    assert "Battle Fury (card: battle-fury)" in answer.out
    assert "Militia counts as a hero here. [R0.4]" in answer.out
    assert "Found by: name “Battle Fury”" in answer.out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_is_in_the_output_language(cli: Any, lang: str) -> None:
    out = cli("ask", "battle fury", "--lang", lang).out
    assert {"en": "Battle Fury", "pl": "Szał Bitewny", "ru": "Боевая ярость"}[lang] in out


def test_two_languages_side_by_side(cli: Any) -> None:
    out = cli("ask", "battle fury", "--lang", "pl,ru", "--limit", "1").out
    assert "Szał Bitewny / Боевая ярость" in out
    assert "pl Loch:" in out
    assert "ru Подземелье:" in out


def test_several_languages_only_where_they_work(cli: Any) -> None:
    answer = cli("db", "path", "--lang", "en,pl")
    assert answer.status == 2
    assert "one language at a time" in answer.err
    assert cli("ask", "fireball", "--lang", "en,xx").status == 2


def test_json(cli: Any) -> None:
    document = cli("ask", "how much does fireball cost", "--json", "--lang", "ru", "--limit", "2").json
    assert document["count"] >= len(document["matches"]) == 2
    best = document["matches"][0]
    assert (best["kind"], best["id"], best["score"]) == ("card", "fireball", 100)
    assert best["figures"] == {"cost": 6} or set(best["figures"]) == {"cost"}
    assert set(best["name"]) == set(LANGUAGES)
    assert all(set(passage["text"]) == set(LANGUAGES) for passage in best["passages"])
    assert {reason["typed"] for reason in best["why"]} >= {"fireball"}


@pytest.mark.parametrize(
    "question",
    [
        'fireball" OR 1=1', "NEAR(fireball, 3)", "fireball AND (", "tokens:light*", "-fireball", "^fire*ball",
        "'; DROP TABLE cards; --", "fire\x00ball", "\x1b[31mfireball", "fireball огненный шар kula",
        "ﬁreball", "R5.4 R99.9",
    ],
)  # fmt: skip
def test_signs_have_no_meaning(cli: Any, question: str) -> None:
    answer = cli("ask", "--lang", "en", "--", question)
    assert answer.status in (0, 1)
    assert "\x1b" not in answer.out + answer.err
    assert answer.out or answer.err.count("\n") == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("question", "code", "status"),
    [
        ("", "empty-query", 2),
        ("?!.", "empty-query", 2),
        ("a" * 10_000, "long-query", 2),
        ("zxqwv brk", "no-answer", 1),
    ],
)
def test_no_answer_is_one_sentence(cli: Any, question: str, code: str, status: int, lang: str) -> None:
    answer = cli("ask", question, "--lang", lang)
    assert (answer.status, answer.out) == (status, "")
    assert answer.err.count("\n") == 1
    assert cli("ask", question, "--lang", lang, "--json").json["error"]["code"] == code


def test_a_narrow_page(cli: Any) -> None:
    out = cli("ask", "can militia use battle fury", "--lang", "pl", env={"COLUMNS": "40"}).out
    assert max(map(len, out.splitlines())) <= 40


def test_limits(cli: Any) -> None:
    assert cli("ask", "light", "--limit", "0").status == 2
    page = cli("ask", "light").out
    assert len(page.partition("See also:\n")[2].splitlines()) == 4, "the others in a line each"
    assert "See also" not in cli("ask", "light", "--limit", "1").out


def test_what_a_card_does_begins_with_its_effect(cli: Any) -> None:
    for question in ("What does Banish do", "banish", "co robi wypędzenie", "что делает изгнание"):
        document = cli("ask", question, "--json").json
        assert (document["matches"][0]["id"], document["confident"]) == ("banish", True)
        assert document["matches"][0]["passages"][0]["kind"] == "effect"
        assert document["matches"][0]["text"] == document["matches"][0]["passages"][0]["text"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_about_something_else_is_refused_with_the_nearest_topics(cli: Any, lang: str) -> None:
    answer = cli("ask", "how do I tap mana", "--lang", lang, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "no-answer")
    assert answer.json["error"]["candidates"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_nothing_is_sure_the_page_says_so(cli: Any, lang: str) -> None:
    question = "what is better a spear or a hatchet"
    assert cli("ask", question, "--json").json["confident"] is False
    said = {"en": "nearest topics", "pl": "najbliższe tematy", "ru": "ближайшие темы"}[lang]
    assert said in cli("ask", question, "--lang", lang).out
