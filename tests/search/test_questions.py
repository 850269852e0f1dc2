"""Questions in three languages: the share answered by the first and the first three answers is printed."""

from __future__ import annotations

import pytest

import thunderref
from support import EXAMPLES, read_toml
from support.asking import answers_to, is_about
from support.files import sources
from support.measures import LANGUAGES, Rows, check_floors, read_measure, shares_right
from thunderref.database.read import open_database
from thunderref.errors import InputError, NoAnswerError
from thunderref.search.ask import ask, ask_games
from thunderref.search.names import search_cards
from thunderref.search.other_boxes import names_unknown_game

FILE = EXAMPLES / "questions.toml"
LEAST = {"en": (0.69, 0.84), "pl": (0.8, 0.9), "ru": (0.88, 0.88)}
"""Language -> the least share of questions answered first and among the first three."""


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_answer_is_among_the_first_three(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    def shares(rows: Rows) -> dict[str, float]:
        found = [(answers_to(question, "thunderstone")[:3], wanted) for question, wanted in rows[lang]]
        return shares_right([[is_about(answer, wanted) for answer in answers] for answers, wanted in found])

    check_floors(capsys, f"known questions {lang}", read_measure(FILE), shares, LEAST[lang])


@pytest.mark.parametrize("question", read_toml(FILE)["nonsense"])
def test_nonsense_has_no_answer(question: str) -> None:
    with pytest.raises((NoAnswerError, InputError)):
        ask(open_database(), question)


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("roling bolder, who loses what", "rolling-boulder"), ("amulett of powr and light", "amulet-of-power"),
        ("how does the pwn broker work", "pawnbroker"), ("катящийся волун кто теряет", "rolling-boulder"),
        ("pit trap вора убьёт?", "pit-trap"), ("sage: спалил героя, опыт будет?", "sage"),
        ("colossus moge bic magią?", "colossus"), ("где стоит dark champion после прорыва", "dark-champion"),
    ],
)  # fmt: skip
def test_a_mistyped_name_in_a_question_finds_its_card(question: str, card: str) -> None:
    answer = ask(open_database(), question)[0]
    assert card in (answer.id, *(hit.id for hit in answer.question.mentions))


@pytest.mark.parametrize(
    ("question", "is_sure"),
    [
        ("can claymore grab a horde", True), ("solo can i use banish", True), ("wypędzenie usunie samo siebie", True),
        ("can griffon hold dagger", False), ("can torch hold dagger", False),
    ],
)  # fmt: skip
def test_what_rests_on_one_rule_is_sure_and_what_lacks_a_named_card_is_not(question: str, is_sure: bool) -> None:
    assert ask(open_database(), question)[0].confident == is_sure


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("kto podniesie miecz dwuręczny", "claymore-who-can-hold"),
        ("ktoś ginie od szarego śluzu po rzucie włócznią", "ooze-thrown-spear"),
        ("mędrcem usuwam ochotnika, będzie pd", "sage-destroys-hero"),
        ("z kowalem kupię dwie bronie", "blacksmith-two-weapons"),
        ("nikt u mnie nie ma broni, a biję szary śluz", "ooze-unarmed-party"),
        ("mędrzec: w jakiej kolejności użyć jego efektów", "sage-order-of-effects"),
    ],
)
def test_a_question_is_told_its_own_answer(question: str, said: str) -> None:
    first = [subject.key for subject in ask(open_database(), question)[0].subjects[:1]]
    assert first == [f"answer.{said}"]


@pytest.mark.parametrize(
    ("word", "same"),
    [
        ("what is the health of a beast", "what is the health of a monster"),
        ("can I obliterate a card", "can I destroy a card"), ("ile mam forsy", "ile mam złota"),
        ("сколько у меня деньжат", "сколько у меня золота"),
    ],
)  # fmt: skip
def test_a_strange_word_finds_what_the_usual_one_does(word: str, same: str) -> None:
    strange, usual = ({answer.id for answer in ask(open_database(), question)[:3]} for question in (word, same))
    assert strange & usual


@pytest.mark.parametrize(
    "question",
    ["can a hero carry two weapons in Gloomhaven", "ilu graczy może grać w Monopoly", "сколько карт брать в покере"],
)
def test_a_question_about_an_unknown_game_is_refused(question: str) -> None:
    with pytest.raises(NoAnswerError):
        ask_games(open_database(), question)
    assert ask_games(open_database(), question.rsplit(maxsplit=2)[0]).answers


@pytest.mark.parametrize("compared", ["is the disease like a curse in Dominion", "choroba to klątwa jak w Dominionie"])
def test_a_comparison_with_an_unknown_game_is_answered(compared: str) -> None:
    assert "disease" in [answer.id.partition("-")[0] for answer in ask_games(open_database(), compared).answers]


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_question_of_the_glossaries_is_about_an_unknown_game(lang: str) -> None:
    glossary = sources().glossaries[lang]
    asked = {target: texts for target, texts in glossary.ask.items() if target != "foreign"}
    assert not [each for texts in asked.values() for each in texts if names_unknown_game(open_database(), each)]


def test_no_name_of_an_unknown_game_means_a_card() -> None:
    listed = open_database().query("SELECT text FROM messages WHERE key = 'ask.words.unknown-games'")
    games = [name.strip() for (text,) in listed for name in text.split(";")]
    assert not [name for name in games if search_cards(open_database(), name).hits]


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("можно колдовать если на руке ни одного героя", "ru"),
        ("already ate the provisions, can my barbarian munch the same ones for his bonus as well", "en"),
    ],
)
def test_a_word_that_stands_for_two_is_explained_by_itself(question: str, lang: str) -> None:
    reading = ask(open_database(), question)[0].question
    assert len(reading.words) == len(reading.reading.read) > max(reading.telling)  # type: ignore[union-attr]
    assert thunderref.ask(question, lang).matches


@pytest.mark.parametrize(
    ("question", "lang", "said"),
    [
        ("kogo zabija książę", "pl", ["Usuń 1 swojego Wojownika"]),
        ("катящийся валун сколько героев давит", "ru", ["Когда откроются три героя"]),
        ("what is a rank", "en", ["light penalty"]),
        ("whats breach", "en", ["when it reaches rank 1"]),
    ],
)
def test_a_card_or_term_is_told_whole(question: str, lang: str, said: list[str]) -> None:
    text = thunderref.ask(question, lang).answer["text"][lang]
    assert all(each in text for each in said)


@pytest.mark.parametrize(
    ("line", "lang", "begin"),
    [
        ("torch on the table", "en", "1: Torch – Cost 3"),
        ("кинжал на стене", "ru", "1: Кинжал – Цена 3"),
    ],
)
def test_where_nothing_is_sure_the_card_that_is_named_comes_first(line: str, lang: str, begin: str) -> None:
    asked = thunderref.ask(line, lang)
    assert not asked.confident
    assert asked.answer["text"][lang].split("\n")[1].startswith(begin)


def test_two_cards_without_a_sure_answer_are_offered_all_the_same() -> None:
    assert ask(open_database(), "can a Chalice Paladin use Short Sword?")[0].subjects


@pytest.mark.parametrize(
    ("question", "lang", "verdict"),
    [
        ("red jelly light when does it count", "en", None), ("does the light on red jelly count for me", "en", "yes"),
    ],
)  # fmt: skip
def test_a_question_that_asks_when_or_how_gets_no_yes(question: str, lang: str, verdict: str | None) -> None:
    assert thunderref.ask(question, lang).answer["verdict"] == verdict


@pytest.mark.parametrize(
    ("question", "lang", "said"),
    [
        ("trofeum, o co chodzi", "pl", ["term.trophy"]), ("łupy czyli co", "pl", ["term.spoils"]),
        ("spoils meaning", "en", ["term.spoils"]), ("dark champion что за карта", "ru", ["card.dark-champion"]),
        ("трофей и добыча в чем разница", "ru", ["term.trophy", "term.spoils"]),
    ],
)  # fmt: skip
def test_what_is_named_is_explained(question: str, lang: str, said: list[str]) -> None:
    answer = ask(open_database(), question, lang=lang)[0]
    assert answer.is_certain
    assert [subject.key for subject in answer.subjects] == said


@pytest.mark.parametrize(("question", "lang"), [("how does horde score", "en"), ("horda zawsze warta 5 pz", "pl")])
def test_a_question_about_the_horde_is_about_none_of_its_cards(question: str, lang: str) -> None:
    text = thunderref.ask(question, lang).answer["text"][lang]
    assert "10 cards 50" in text or "10 kart 50" in text
