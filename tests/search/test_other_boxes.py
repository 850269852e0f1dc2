"""A card of another box is never taken for one of ours, and nothing is asserted about it."""

from __future__ import annotations

from pathlib import Path

import pytest

import thunderref
from support.own_box import write_box
from support.systems import keep_in
from thunderref.database import own_boxes
from thunderref.database.read import Language, open_database
from thunderref.errors import NoAnswerError
from thunderref.search.other_boxes import named_box, other_card
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


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path)
    write_box(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("question", "lang", "holds"),
    [
        ("what is in marsh", "en", "Marsh of Lanterns: 37 cards"),
        ("what does the marsh of lanterns hold?", "en", "heroes 6"),
        ("co jest w marsh", "pl", "Bagno Latarni: 37 kart"), ("co zawiera pudełko Bagno Latarni", "pl", "Potwory 10"),
        ("что в коробке marsh", "ru", "Болото фонарей: 37 карт"), ("что лежит в marsh?", "ru", "монстры 10"),
        ("what is in doomgate legion", "en", "Doomgate Legion: 287 cards"),
    ],
)  # fmt: skip
def test_what_a_box_holds_is_said_and_how_to_switch_it_on(question: str, lang: str, holds: str) -> None:
    box = "doomgate" if "doomgate" in question else "marsh"
    for is_on in (False, True):
        own_boxes.switch(box, on=is_on)
        read, told = thunderref.understand(question, lang=lang), thunderref.ask(question)
        assert (read.kind, told.confident, told.answer["query"]) == ("question", True, f"set:{box}" if is_on else None)
        text = told.answer["text"][lang]
        assert (holds in text, f"thunderref box on {box}" in text) == (True, not is_on)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("line", "box"),
    [
        ("heroes of doomgate", "doomgate"), ("bohaterowie doomgate", "doomgate"), ("герои doomgate", "doomgate"),
        ("which monsters are in marsh of lanterns", "marsh"), ("marsh", "marsh"),
        ("cheapest weapon in doomgate", "doomgate"),
    ],
)  # fmt: skip
def test_a_box_that_is_off_is_named_in_the_place_of_another_list(line: str, box: str) -> None:
    for call in (thunderref.understand, thunderref.ask):
        with pytest.raises(NoAnswerError, match=f"thunderref box on {box}") as raised:
            call(line)
        assert raised.value.code == "box-off"
    own_boxes.switch(box, on=True)
    assert thunderref.understand(line).kind == "query"


@pytest.mark.usefixtures("home")
def test_no_other_list_answers_for_a_box_that_nobody_has_here() -> None:
    for call in (thunderref.understand, thunderref.ask):
        with pytest.raises(NoAnswerError, match="thunderref box new dragonspire") as raised:
            call("which monsters come with dragonspire")
        assert raised.value.code == "unknown-box"


def test_a_box_takes_no_word_of_ours(home: Path) -> None:
    for box in ("griffon", "weapons", "magic", "cards"):
        write_box(home, box=box)
    database = open_database()
    assert not [line for line in ("griffon", "magic weapons", "which cards cost 5") if named_box(database, line)]
