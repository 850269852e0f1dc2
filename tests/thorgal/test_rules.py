"""The rules of Thorgal: complete, found in three languages, and never mixed with those of the other game."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from support import EXAMPLES
from support.asking import answers_to, is_about
from support.measures import LANGUAGES, Rows, check_floors, read_measure
from thunderref.database.read import open_database
from thunderref.errors import NoAnswerError
from thunderref.search.ask import ask_games
from thunderref.search.rules import all_rules, find_rules

PARTS = read_measure(EXAMPLES / "thorgal_questions.toml")
THUNDERSTONE = read_measure(EXAMPLES / "questions.toml")
LEAST = {"en": (0.93,), "pl": (0.91,), "ru": (0.96,)}
"""Language -> the least share of questions answered among the first three."""
SECTIONS = [f"T{n}" for n in range(22)]


def game_of(question: str) -> str | None:
    with suppress(NoAnswerError):
        return ask_games(open_database(), question).game
    return None


def test_there_is_a_section_for_every_part_of_the_aid() -> None:
    rules = [hit.id for hit in all_rules(open_database(), "thorgal")]
    assert [rule for rule in rules if "." not in rule] == SECTIONS
    for section in SECTIONS:
        assert f"{section}.1" in rules


def test_every_section_is_asked_about() -> None:
    questions = [row for rows in PARTS.values() for lang in LANGUAGES for row in rows[lang]]
    assert set(SECTIONS) <= {rule.partition(".")[0] for _, wanted in questions for rule in wanted}


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_is_among_the_first_three(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shares(rows: Rows) -> dict[str, float]:
        found = [(answers_to(question, "thorgal"), wanted) for question, wanted in rows[lang]]
        assert {answer.question.game for answers, _ in found for answer in answers} == {"thorgal"}
        right = sum(any(is_about(answer, wanted) for answer in answers[:3]) for answers, wanted in found)
        return {"among three": right / len(found)}

    check_floors(capsys, f"known questions thorgal {lang}", PARTS, shares, LEAST[lang])


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_about_the_other_game_is_never_taken_for_one_about_thorgal(lang: str) -> None:
    games = [game_of(question) for rows in THUNDERSTONE.values() for question, _ in rows[lang]]
    assert {*games} == {"thunderstone"}


@pytest.mark.parametrize(
    ("question", "game"),
    [
        ("what does a torch do in Thorgal", "thorgal"),
        ("jak wygrać w Thorgalu", "thorgal"),
        ("как победить в Торгале", "thorgal"),
        ("what does a torch do", "thunderstone"),
        ("what happens if I lose", "thunderstone"),
        ("light penalty", "thunderstone"),
        ("T5.4", "thorgal"),
        ("R5.11", "thunderstone"),
    ],
)
def test_the_game_that_is_named_is_the_one_that_answers(question: str, game: str) -> None:
    asked = ask_games(open_database(), question)
    assert asked.game == game
    assert {answer.question.game for answer in asked.answers} == {game}


def test_the_other_game_is_mentioned_where_it_answers_as_well(cli: Any) -> None:
    document = cli("ask", "po co pochodnia", "--json").json
    assert document["game"] == "thunderstone"
    assert "torch" in [match["id"] for match in document["matches"]]
    assert document["elsewhere"]["game"] == "thorgal"
    assert "Thorgal" in cli("ask", "po co pochodnia", "--lang", "pl", "--more").out


@pytest.mark.parametrize(
    ("query", "first", "among"),
    [
        (["wędrówka"], "wander", "T5.2"), (["wedrowka"], "wander", "T5.2"), (["wandring"], "wander", "T5.2"),
        (["странствие"], "wander", "T5.4"), (["stranstvie"], "wander", "T5.4"), (["threat"], "threat", "T15.1"),
        (["zagrożenia"], "threat", "T15.1"), (["угрозы"], "threat", "T15.1"), (["thret"], "threat", "T15.1"),
        (["T5.2"], "T5.2", "T5.2"), (["t5,2"], "T5.2", "T5.2"), (["Т5.2"], "T5.2", "T5.2"), (["5.2"], "T5.2", "T5.2"),
        (["T10"], "T10", "T10.12"), (["niespełnienie"], "unmet-effect", "T16.1"), (["padlock"], "padlock", "T4.3"),
        (["tarcza", "walki"], "fight-dial", "T10.8"), (["side", "story"], "side-story", "T18.2"),
        (["жетон", "цели"], "goal-token", "T17.4"), (["solo"], "solo-game", "T20.1"), (["trójząb"], "fate", "T13.2"),
        (["bonus", "action"], "bonus-action", "T3.3"), (["leczenie"], "healing", "T14.3"),
    ],
)  # fmt: skip
def test_rules_and_words_are_found(cli: Any, query: list[str], first: str, among: str) -> None:
    found = cli("thorgal", "rule", *query, "--json").json["matches"]
    assert found[0]["id"] == first
    assert among in [match["id"] for match in found]
    assert {match["game"] for match in found} == {"thorgal"}


def test_every_term_is_found_by_each_of_its_names() -> None:
    database = open_database()
    lost = []
    names = "SELECT subject, name FROM names WHERE kind = 'term' AND lang != '' AND game = 'thorgal'"
    for term, name in database.query(names):
        hits = [hit for hit in find_rules(database, name, game="thorgal") if hit.kind == "term"]
        if term not in [hit.id for hit in hits if hit.score == hits[0].score]:
            lost.append((term, name))
    assert lost == []


def test_all_rules_are_listed(cli: Any) -> None:
    listed = [match["id"] for match in cli("thorgal", "rule", "--json").json["matches"]]
    assert listed == [hit.id for hit in all_rules(open_database(), "thorgal")]
    out = cli("thorgal", "rule", "--lang", "pl").out
    assert all(f"{rule}: " in out for rule in listed if "." in rule)


def test_readings(cli: Any) -> None:
    for word in ("readings", "interpretacje", "трактовки"):
        found = cli("thorgal", "rule", word, "--json").json["matches"]
        assert {match["status"] for match in found} == {"reading"}
        assert "T5.5" in [match["id"] for match in found]


@pytest.mark.parametrize("query", ["R5.11", "T99", "T5.99", "zxqwv", "r 1"])
def test_nothing_is_one_sentence(cli: Any, query: str) -> None:
    answer = cli("thorgal", "rule", query, "--lang", "en")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.count("\n") == 1
    assert "T" in answer.err or "zxqwv" in answer.err


def test_the_rule_command_finds_both_games_and_names_the_other(cli: Any) -> None:
    answer = cli("rule", "threat", "--lang", "en")
    assert answer.out.splitlines()[1].strip() == "Thorgal"
    assert cli("rule", "T5.2", "--json").json["matches"][0]["game"] == "thorgal"
    both = cli("rule", "hero", "--json").json["matches"]
    assert (both[0]["game"], {match["game"] for match in both}) == ("thunderstone", {"thunderstone", "thorgal"})
    out = cli("rule", "hero", "--lang", "pl").out
    assert "Thunderstone" in out
    assert "Thorgal" in out
    assert cli("rule", "5.2", "--json").json["matches"][0]["id"] == "R5.2"


def test_names_of_our_own_are_marked(cli: Any) -> None:
    assert "unofficial name" in cli("thorgal", "rule", "threat", "--lang", "en", "--more").out
    assert "nieoficjalna" not in cli("thorgal", "rule", "threat", "--lang", "pl").out.lower()
    record = cli("thorgal", "rule", "threat", "--json").json["matches"][0]
    assert record["official"] == {"en": False, "pl": True, "ru": False}


def test_cards_of_one_game_are_not_looked_for_in_the_other() -> None:
    for word in ("lord mortis", "breach", "immunitet zxq"):
        with pytest.raises(NoAnswerError):
            find_rules(open_database(), word, game="thorgal")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("query", ["wander", "T10", "T5.5", "readings"])
def test_pages(cli: Any, snapshot: Any, query: str, lang: str) -> None:
    answer = cli("thorgal", "rule", query, "--lang", lang, env={"COLUMNS": "40"})
    assert max(map(len, answer.out.splitlines())) <= 40
    snapshot(f"thorgal.rule.{query}.{lang}", answer.out)


def test_several_languages_side_by_side(cli: Any) -> None:
    out = cli("thorgal", "rule", "T15.1", "--lang", "pl,ru").out
    assert "zagrożenia" in out
    assert "угрозы" in out
