"""``thunderref ask`` as users and scripts see it."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.database.read import Language, open_database

LANGUAGES = ("en", "pl", "ru")


def test_an_answer_quotes_the_texts_and_says_why(cli: Any) -> None:
    question = ("ask", "can", "militia", "use", "battle", "fury", "--lang", "en")
    answer = cli(*question)
    assert (answer.status, answer.err) == (0, "")
    whole = cli(*question, "--more")
    assert whole.status == 0
    assert "Battle Fury (card)" in whole.out
    assert "Militia counts as a hero here. [R0.4]" in whole.out
    assert "Found by: name “Militia”, name “Battle Fury”" in whole.out


def test_the_answer_is_one_and_nothing_that_was_not_asked(cli: Any) -> None:
    """What it rests on, how it was found and what else was found come only with ``--more``."""
    for words in (("can", "militia", "use", "battle", "fury"), ("R5.4",), ("when", "does", "the", "game", "end")):
        page, whole = cli("ask", *words, "--lang", "en").out, cli("ask", *words, "--more", "--lang", "en").out
        assert whole.startswith(page)
        assert len(whole) > len(page)
        for scholarly in ("Found by", "Sources: ", "See also", "--limit", "battle-fury", "(card)", "Ruling:"):
            assert scholarly not in page, (words, scholarly)
        assert "Found by" in whole


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_what_the_document_calls_the_answer(cli: Any, lang: str) -> None:
    for words in (("can", "militia", "use", "battle", "fury"), ("what", "does", "banish", "do"), ("light", "penalty")):
        told = cli("ask", *words, "--json").json["answer"]
        assert set(told) >= {"kind", "verdict", "text", "rules", "cards", "query"}
        assert set(told["text"]) == set(LANGUAGES)
        page = cli("ask", *words, "--lang", lang).out
        assert all(line in page for line in told["text"][lang].split("\n"))
        assert all(rule in page for rule in told["rules"][:3])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_is_in_the_output_language(cli: Any, lang: str) -> None:
    words = Language(open_database(), lang)
    assert words.text("card.battle-fury.dungeon") in cli("ask", "battle fury", "--lang", lang).out
    out = cli("ask", "battle fury", "--more", "--lang", lang).out
    assert {"en": "Battle Fury", "pl": "Szał Bitewny", "ru": "Боевая ярость"}[lang] in out


def test_two_languages_side_by_side(cli: Any) -> None:
    question = ("ask", "battle fury", "--lang", "pl,ru", "--limit", "1")
    page = cli(*question).out
    for lang in ("pl", "ru"):
        words = Language(open_database(), lang)
        assert words.card("battle-fury") in page
        assert str(words.text("card.battle-fury.dungeon")) in " ".join(page.split())
    assert "Szał Bitewny / Боевая ярость" in page


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
    for more in ((), ("--more",)):
        out = cli("ask", "can militia use battle fury", "--lang", "pl", *more, env={"COLUMNS": "40"}).out
        assert max(map(len, out.splitlines())) <= 40


def test_limits(cli: Any) -> None:
    assert cli("ask", "light", "--limit", "0").status == 2
    page = cli("ask", "light", "--more").out
    others = page.partition("See also:\n")[2].splitlines()
    assert len(others) == 5, "the others in a line each, then how many more there are"
    assert "--limit" in others[-1]
    assert "See also" not in cli("ask", "light", "--more", "--limit", "1").out
    assert "See also" not in cli("ask", "light").out


def test_what_a_card_does_begins_with_its_effect(cli: Any) -> None:
    for question in ("What does Banish do", "banish", "co robi wypędzenie", "что делает изгнание"):
        document = cli("ask", question, "--json").json
        assert (document["matches"][0]["id"], document["confident"]) == ("banish", True)
        assert document["matches"][0]["passages"][0]["kind"] == "effect"
        assert document["matches"][0]["text"] == document["matches"][0]["passages"][0]["text"]


def test_near_topics_are_named_in_the_language_of_the_answer(cli: Any) -> None:
    refused = cli("ask", "the bloodless xp", "--lang", "en", "--json").json["error"]
    assert "If you win" in str(refused["candidates"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_about_something_else_is_refused_with_the_nearest_topics(cli: Any, lang: str) -> None:
    answer = cli("ask", "what is the best pizza in the town village", "--lang", lang, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (1, "no-answer")
    assert answer.json["error"]["candidates"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_nothing_is_sure_the_page_says_so(cli: Any, lang: str) -> None:
    asked = ("stone at the wall", "torch on the table", "how to clean the cards", "light at night", "card at the wall")
    documents = {question: cli("ask", question, "--json").json for question in asked}
    question, found = next(each for each in documents.items() if each[1].get("confident") is False)
    assert found["answer"]["verdict"] is None
    page = cli("ask", question, "--lang", lang).out
    assert {"en": "Did you mean", "pl": "Może chodzi o to", "ru": "Возможно, вы спрашиваете"}[lang] in page
    assert [line[:4] for line in page.splitlines() if line[2:3].isdigit()] == ["  1:", "  2:", "  3:"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how much does fireball cost", "Fireball: Cost 9."), ("what health has griffon", "Griffon: Health 7."),
        ("ile zdrowia ma gryf", "Griffon: Health 7."), ("сколько здоровья у грифона", "Griffon: Health 7."),
    ],
)  # fmt: skip
def test_a_value_that_is_asked_for_of_a_named_card_is_the_answer(cli: Any, question: str, said: str) -> None:
    assert cli("ask", question, "--json").json["answer"]["text"]["en"] == said


@pytest.mark.parametrize(
    ("question", "rule"),
    [("weapon too heavy", "R4.3"), ("extra light bonus", "R5.11"), ("rank 0 light penalty", "R5.11")],
)
def test_a_rule_that_is_asked_for_is_no_value_of_some_card(cli: Any, question: str, rule: str) -> None:
    """Though the words stand on the page of a card that is not named."""
    assert rule in cli("ask", question, "--json").json["answer"]["rules"]


def test_what_is_said_nearly_as_well_stands_below_and_has_no_verdict(cli: Any) -> None:
    """A verdict stands only before a sentence that is alone."""
    several = cli("ask", "how many hero cards in a stack", "--json").json["answer"]
    assert several["verdict"] is None
    lines = several["text"]["en"].split("\n")
    page = cli("ask", "how many hero cards in a stack").out
    assert 1 < len(lines) <= 3
    assert all(line in " ".join(page.split()) for line in lines)
    assert "Or, if you mean something else:" in page
    alone = cli("ask", "can I level up a hero I just bought", "--json").json["answer"]
    assert (alone["verdict"], alone["text"]["en"].count("\n")) == ("no", 0)
    assert alone["text"]["en"].startswith("No. ")


def test_a_verdict_stands_only_where_it_answers(cli: Any) -> None:
    """R3.2: Disease has gold 0: "how much" has no yes or no for an answer, "does it" has; no verdict is said twice."""
    assert "  No" not in (told := cli("ask", "how much gold for a disease").out)
    assert "  Disease has no Gold: it is a Disease." in told
    assert "  No. Disease has no Gold" in cli("ask", "is a disease worth money").out
    assert cli("ask", "two claymores on a toryn").out.count("epends") == 1


def test_what_says_the_same_is_said_once(cli: Any) -> None:
    """R4.3, R6.8: two sentences with the same words are one answer."""
    assert cli("ask", "can a guy carry two swords").out.count("only a Toryn may hold") == 1
    assert "Or, if you mean" not in cli("ask", "banish and steam torment").out


@pytest.mark.parametrize("family", ["elf", "horde", "doomknight", "dwarf"])
def test_a_family_alone_is_answered(cli: Any, family: str) -> None:
    answer = cli("ask", family, "--json")
    assert answer.status == 0
    assert answer.json["answer"]["text"]["en"].strip()
    for more in ((), ("--more",)):
        assert cli("ask", family, *more).status == 0


def test_many_cards_are_told_by_their_names_and_the_value_in_question(cli: Any) -> None:
    told = cli("ask", "which heroes have magic attack").out
    assert "Chalice Defender +3, Chalice Paladin +4, Elf Wizard +2" in " ".join(told.split())
    assert "Strength" not in told
    assert "  Dagger: Cost 3" in cli("ask", "weapons under 5 gold").out.splitlines()
