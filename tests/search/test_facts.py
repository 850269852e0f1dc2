"""What is asked of one card is answered from the card, and a value that it lacks is said to be lacking."""

from __future__ import annotations

import pytest

import thunderref
from thunderref.database.read import Language, open_database
from thunderref.search.facts import read_fact


@pytest.mark.parametrize(
    ("question", "lang", "said"),
    [
        ("how much does a dagger weigh", "en", "Dagger: Weight 2."),
        ("griffon health", "en", "Griffon: Health 7."),
        ("strength of outlands khan?", "en", "Outlands Khan: Strength 8."),
        ("how much does a torch weigh", "en", "Torch has no Weight: it is a basic card, Item • Light."),
        ("ile waży pochodnia?", "pl", "Pochodnia nie ma wartości „Ciężar”. To karta podstawowa, Przedmiot • Światło."),
        ("сколько здоровья у грифона", "ru", "Грифон: Здоровье 7."),
        ("is a torch an item?", "en", "Yes. Torch is a basic card, Item • Light."),
        ("is warhammer edged", "en", "No. Warhammer is a village card, Weapon • Blunt."),
        ("czy ochotnik to bohater", "pl", "Tak. Ochotnik to karta podstawowa, Ochotnik • Bohater."),
        ("how many militia are in the box", "en", "Militia: Thunderstone 30 copies, Wrath of the Elements 30 copies."),
        ("how much xp for thyrian lord", "en", "Thyrian Lord has no Level cost (XP): it is a hero, Fighter."),
    ],
)
def test_a_card_says_it(question: str, lang: str, said: str) -> None:
    answer = thunderref.ask(question, lang).answer
    assert (answer["kind"], answer["text"][lang]) == ("card", said)
    assert answer["verdict"] == {"Yes": "yes", "Tak": "yes", "No.": "no"}.get(said[:3])


@pytest.mark.parametrize(
    "question",
    [
        "horde 8 points", "lord mortis light", "how many points do 6 horde cards give", "what does haunt do to my hero",
        "can militia hold polearm", "torch", "griffon", "does polearm help militia", "halabarda ile daje",
    ],
)  # fmt: skip
def test_another_question_is_not_answered_by_a_value(question: str) -> None:
    assert read_fact(Language(open_database(), "en"), question) is None
