"""A card of another box is never taken for one of ours, and nothing is asserted about it."""

from __future__ import annotations

import pytest

import thunderref
from thunderref.database.read import Language, open_database
from thunderref.errors import NoAnswerError
from thunderref.search.other_boxes import other_card
from thunderref.search.understand import understand


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("Greatsword", "Claymore"), ("great sword", "Claymore"), ("pike", "Polearm"), ("titan", "Colossus"),
        ("short spear", "Spear"), ("stone of avarice", "Stone of Mystery"),
    ],
)  # fmt: skip
def test_the_nearest_of_our_cards_is_named(typed: str, nearest: str) -> None:
    with pytest.raises(NoAnswerError) as raised:
        thunderref.lookup(typed)
    assert raised.value.code == "other-box"
    assert str(raised.value.candidates[0]) == nearest


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize(
    "typed",
    [
        "emerald dragon", "emerld dragon", "Guardian of Torment", "2 militia, greatsword vs griffon",
        "fireball, torch vs medusa", "does the greatsword work on militia?", "soul gem, 3 militia", "is medusa immune",
    ],
)  # fmt: skip
def test_every_door_names_the_box(typed: str, lang: str) -> None:
    words = Language(open_database(), lang)
    with pytest.raises(NoAnswerError) as raised:
        understand(words, typed)
    error = raised.value
    assert error.code == "other-box"
    assert (error.params["other"] or str(error.params["name"])) in words.error(error)


@pytest.mark.parametrize(
    "name", ["Disease", "Water Wrath", "spear", "thug", "assassin", "Stone of Agony", "torch", "militia"]
)
def test_our_names_stay_ours(name: str) -> None:
    assert other_card(open_database(), name) is None


def test_no_printed_name_of_ours_belongs_to_another_box() -> None:
    database = open_database()
    names = database.query("SELECT DISTINCT name FROM names WHERE lang != ''")
    assert not [name for (name,) in names if other_card(database, name)]
