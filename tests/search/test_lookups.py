"""Look-ups written by hand: the share found at once is printed by language and must not fall."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import EXAMPLES, read_toml
from support.measures import read_measure
from thunderref.database.read import open_database
from thunderref.errors import InputError
from thunderref.search.counts import split_count
from thunderref.search.names import search_cards
from thunderref.search.other_boxes import other_card
from thunderref.text.folding import fold_query
from thunderref.text.stems import name_stems, query_stems

FILE = read_toml(EXAMPLES / "lookups.toml")
EVERYDAY = read_measure(Path(__file__).with_name("everyday.toml"))
LEAST, MOST_TAKEN = 0.99, 0.005
"""The least share found at once; the most everyday words that may be taken for a card."""


def found(query: str) -> tuple[list[str], int]:
    """The ids found, best first, and how many of them fit about equally well."""
    try:
        result = search_cards(open_database(), query, more=True)
    except InputError:
        return [], 0
    return [hit.id for hit in result.hits], result.equals


def test_there_are_enough() -> None:
    assert sum(len(rows) for part in FILE.values() for rows in part.values()) >= 300


@pytest.mark.parametrize("lang", FILE["single"])
def test_names_with_one_meaning(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = FILE["single"][lang]
    missed, first, third = [], 0, 0
    for query, want in rows:
        ids, equals = found(query)
        if ids[:1] == [want] and equals == 1:
            first += 1
        else:
            missed.append(f"{query!r}: {want}, not {ids[: max(equals, 3)]}")
        third += want in ids[:3]
    with capsys.disabled():
        print(f"\n{lang}: {len(rows)} look-ups, top-1 {first / len(rows):.1%}, top-3 {third / len(rows):.1%}")
    assert first / len(rows) >= LEAST, "\n".join(missed)


@pytest.mark.parametrize("lang", FILE["several"])
def test_names_with_several_meanings(lang: str) -> None:
    missed = []
    for query, want in FILE["several"][lang]:
        ids, equals = found(query)
        if not set(want) <= set(ids[:equals]) or (len(want) > 1 and equals < 2):
            missed.append(f"{query!r}: {want}, not {ids[:equals]}")
    assert not missed, "\n".join(missed)


@pytest.mark.parametrize("lang", FILE["nothing"])
def test_what_no_card_is_called(lang: str) -> None:
    guessed = {query: ids for query in FILE["nothing"][lang] if (ids := found(query)[0])}
    assert not guessed


@pytest.mark.slow
@pytest.mark.parametrize("part", EVERYDAY)
def test_few_everyday_words_are_taken_for_a_card(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    database = open_database()
    wrong: dict[str, str] = {}
    for lang, text in EVERYDAY[part].items():
        stems = database.query("SELECT stems FROM names WHERE lang = ? AND kind IN ('card', 'family')", lang)
        named = {stem for (found,) in stems for stem in found.replace("|", " ").split()}
        for (alias,) in database.query("SELECT form FROM aliases WHERE lang = ?", lang):
            named.update(stem for word in alias.split() for stem in name_stems(word, lang))
        words = [word for word in text.split() if not named & query_stems(fold_query(word), lang)]
        results = {word: search_cards(database, word) for word in words}
        wrong |= {word: hits[0].id for word, (hits, equals) in results.items() if equals == 1}
    total = sum(len(text.split()) for text in EVERYDAY[part].values())
    with capsys.disabled():
        print(f"\n{total} everyday words ({part}), {len(wrong) / total:.2%} taken for a card")
    assert len(wrong) / total < MOST_TAKEN, wrong if part == "tune" else len(wrong)


def test_every_alias_finds_its_cards_and_is_never_shown() -> None:
    database = open_database()
    meant: dict[str, set[str]] = {}
    for form, card in database.query("SELECT form, card FROM aliases"):
        meant.setdefault(form, set()).add(card)
    shown = {name for (name,) in database.query("SELECT name FROM names WHERE kind = 'card' AND position = 0")}
    results = {form: search_cards(database, form) for form in meant}
    other = {form: hits for form, (hits, _) in results.items() if {hit.id for hit in hits} != meant[form]}
    other = {form: hits for form, hits in other.items() if other_card(database, form) is None}
    assert len(meant) > 2000
    assert not other
    assert not [form for form, (hits, _) in results.items() if not {h.name for h in hits if h.how == "alias"} <= shown]


@pytest.mark.parametrize(
    ("text", "count", "name"),
    [
        ("2 militia", 2, "militia"), ("2x militia", 2, "militia"), ("militia x2", 2, "militia"),
        ("dwie pochodnie", 2, "pochodnie"), ("pięć ochotników", 5, "ochotników"), ("три факела", 3, "факела"),
        ("pair of daggers", 2, "daggers"), ("torch", None, "torch"), ("x2 torch", 2, "torch"),
        ("two", None, "two"), ("horde 5", None, "horde 5"), ("1 torch", 1, "torch"),
    ],
)  # fmt: skip
def test_a_count_before_a_name(text: str, count: int | None, name: str) -> None:
    assert split_count(open_database(), text) == (count, name)
