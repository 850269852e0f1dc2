"""A battle as one types it: the words that part cards, and those before the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from support.several import several
from thunderref.database.read import Language, open_database
from thunderref.search.understand import reader, split_hall, split_list

if TYPE_CHECKING:
    from support.command import Run

JOINING = {"and", "i", "и", "vs", "with", "z"}
LANGUAGES = ("en", "pl", "ru")
QUOTED = ("resolve", "2 militia, elf wizard, torch", "--hall", "blink dog, griffon")


@pytest.mark.parametrize(
    "typed",
    [
        "2 militia, elf wizard and torch vs blink dog, griffon",
        "2 militia and elf wizard and torch vs. blink dog and griffon",
        "2 militia, elf wizard, torch / blink dog, griffon",
        "2 militia + elf wizard & torch VS blink dog + griffon",
        "2 ochotników i elf czarodziej oraz pochodnia kontra migopies i gryf",
        "2 ополченца, эльф-волшебник и факел против мерцающего пса и грифона",
        "--hall blink_dog,griffon 2 militia, elf wizard and torch",
    ],
)
def test_a_battle_needs_no_quotes(cli: Run, typed: str) -> None:
    words = [word.replace("_", " ") for word in typed.split(" ")]
    assert cli("resolve", *words, "--json").json["targets"] == cli(*QUOTED, "--json").json["targets"]
    assert cli("resolve", typed.replace("--hall blink_dog,griffon ", ""), *words[:2][: 2 * ("--hall" in typed)]) == cli(
        *QUOTED
    )


def test_the_village_and_the_odds_part_cards_by_the_same_words(cli: Run) -> None:
    for typed in ("2 militia and torch", "2 ochotników i pochodnia", "2 ополченца и факел"):
        assert cli("village", *typed.split(), "--json") == cli("village", "2 militia, torch", "--json")
    decks = ("--deck-list", "dagger and torch", "--json")
    assert cli("odds", "2 militia and torch", "vs griffon", *decks) == cli(
        "odds", "2 militia, torch", "--hall", "griffon", *decks
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("militia vs griffon --hall griffon", "two-halls"), ("vs griffon", "empty-hand"), ("militia vs", "empty-hall"),
        ("militia", "empty-hall"), ("militia vs griffon vs griffon", "two-halls"),
        ("militia / griffon / griffon", "two-halls"),
    ],
)  # fmt: skip
def test_half_a_battle_is_one_sentence(cli: Run, typed: str, code: str, lang: str) -> None:
    answer = cli("resolve", *typed.split(), "--lang", lang)
    assert (answer.status > 0, answer.out, len(answer.err.splitlines())) == (True, "", 1)
    assert cli("resolve", *typed.split(), "--json").json["error"]["code"] == code


def test_a_dash_before_a_comma_is_an_empty_rank(cli: Run) -> None:
    quoted: Any = cli("resolve", "2 militia", "--hall", "-, griffon", "--json").json
    assert cli("resolve", "2", "militia", "vs", "-,", "griffon", "--json").json == quoted
    assert quoted["targets"][0]["rank"] == 2


@pytest.mark.thorough
def test_no_name_of_a_card_is_parted() -> None:
    """Names, ids and what players call a card, in all languages: «Зверь злобы и обид» has a joining word."""
    database = open_database()
    words = Language(database, "en")
    names = [name for (name,) in database.query("SELECT name FROM names WHERE kind = 'card'")]
    aliases = [alias for (alias,) in database.query("SELECT form FROM aliases")]
    known = [*names, *aliases, *database.cards]
    joined = [name for name in known if not JOINING.isdisjoint(name.casefold().split())]
    assert "зверь злобы и обид" in joined
    for name in dict.fromkeys((*joined, *known[:: len(known) // several(40, len(known))])):
        assert reader(words).split_battle(name) == (name, None, {}), name
        for entry in (name, f"2 {name}"):
            assert split_list(entry, words) == [entry]
            if "(" not in name:  # brackets part words
                assert split_list(f"{entry} and torch и {entry}", words) == [entry, "torch", entry]
    assert split_hall("griffon and -, sphinx,", words) == ["griffon", "-", "sphinx"]
    assert reader(words).split_battle("and vs i") == ("and", "i", {})
    assert reader(words).split_battle("2 vsevolod, contravs") == ("2 vsevolod, contravs", None, {})
    assert reader(words).split_battle("militia vs - griffon rank 2") == ("militia", "- griffon", {"target": 2})
    assert split_list("and, i band", words) == ["and", "i band"]
    assert split_list("3 militia 2 dagger torch, elf with sword", words) == [
        "3 militia", "2 dagger", "torch", "elf", "sword",
    ]  # fmt: skip
