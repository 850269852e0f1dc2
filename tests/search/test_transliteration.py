"""Every Russian name typed in Latin letters, in the habits people have, finds its card."""

from __future__ import annotations

import pytest

from thunderref.database.read import open_database
from thunderref.search.names import search_cards

CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"


def habit(latin: str) -> dict[str, str]:
    """Letter by letter as in :data:`CYRILLIC`; a dot leaves the letter out."""
    return dict(zip(CYRILLIC, ("" if c == "." else c for c in latin.split(" ")), strict=True))


HABITS = {
    "english": habit("a b v g d e zh z i y k l m n o p r s t u f kh ts ch sh shch . y . e yu ya yo"),
    "passport": habit("a b v g d e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y . e iu ia e"),
    "library": habit("a b v g d e zh z i j k l m n o p r s t u f h c ch sh shh . y . e ju ja jo"),
    "scholarly": habit("a b v g d e ž z i j k l m n o p r s t u f x c č š šč . y . e ju ja ë"),
    "polish": habit("a b w g d e ż z i j k ł m n o p r s t u f ch c cz sz szcz . y . e ju ja jo"),
    "german": habit("a b w g d e sh s i j k l m n o p r s t u f ch z tsch sch schtsch . y . e ju ja jo"),
    "hasty": habit("a b v g d e zh z i i k l m n o p r s t u f h c ch sh sch . y . e u a e"),
}

LEAST = {"polish": 0.96, "german": 0.935}
"""Habit -> the least share of names found at once, if it is less than of the others."""


@pytest.mark.parametrize("name", HABITS)
def test_russian_in_latin_letters(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    database = open_database()
    names = {
        ident: row.name for ident, row in database.names_of("card", "ru").items() if ident not in database.reprints
    }
    missed = []
    for card, russian in names.items():
        letters = HABITS[name]
        typed = "".join(letters.get(c, c) for c in russian.lower())
        found = search_cards(database, typed)
        if found.equals != 1 or found.hits[0].id != card:
            missed.append((typed, card, [hit.id for hit in found.hits[: found.equals]]))
    share = 1 - len(missed) / len(names)
    with capsys.disabled():
        print(f"\n{name}: {len(names)} names, found at once {share:.1%}")
    assert share >= LEAST.get(name, 0.98), missed
