"""The query language over the cards: what it answers, that it refuses with a place, that nothing is reread."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support import read_toml
from support.several import several
from thunderref.database.card_records import Card
from thunderref.database.read import open_database
from thunderref.errors import InputError
from thunderref.search.card_query import Combined, FieldCondition, Query, joined, written
from thunderref.search.filters import filter_cards, parse_query

GOLDEN = read_toml(Path(__file__).with_name("golden.toml"))["golden"]
REFUSALS = {"bad-query", "unknown-field", "unknown-value", "bad-operator", "not-a-number", "long-query"}
FIGURES = ("cost", "light", "vp", "strength", "weight", "health", "xp", "attack")
COMPARE = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b, ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b, "!=": lambda a, b: a != b,
}  # fmt: skip


def ids(query: str) -> list[str]:
    return [card.id for card in filter_cards(open_database(), query)]


@pytest.mark.parametrize(("query", "sql"), GOLDEN)
def test_a_query_is_what_sql_says(query: str, sql: str) -> None:
    assert sorted(ids(query)) == sorted(row[0] for row in open_database().query(sql))


@pytest.mark.parametrize(
    ("query", "met"),
    [
        ("does:destroy-wizard", ["archduke-of-pain"]),
        ("does:destroy-disease level=1", ["chalice-quester", "regian-cleric", "divine-healer"]),
        ("gives:light kind:hero level=1", ["elf-wizard", "feayn-archer", "lorigg-thief"]),
        ("gives:light timing:trophy", ["red-jelly", "fire-wrath", "stone-of-agony"]),
        ("immune:magic", ["ebon-fume", "colossus"]),
        ("immune:edged", ["noxious-slag"]),
        ("robi:zabija-czarodzieja", ["archduke-of-pain"]),
        ("does:double", ["selurin-warlock", "selurin-theurge"]),
        ("held-by:militia", ["dagger", "polearm"]),
        ('held-by:"elf wizard" cost<4', ["dagger"]),
    ],
)
def test_what_cards_do_is_told_by_their_effects(query: str, met: list[str]) -> None:
    assert sorted(ids(query)) == sorted(met)


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ("kind:hero or", "bad-query", 13), ("kind:hero ((cost<3)", "bad-query", 11), ("kind:hero )", "bad-query", 11),
        ("or kind:hero", "bad-query", 1), ("kind:hero beauty<3", "unknown-field", 11),
        ("cost<many", "not-a-number", 1), ("kind:hero does:frob", "unknown-value", 11), ("a=<3", "bad-query", 1),
        ("text:/(/", "bad-query", 1), ("cost:/3/", "not-a-number", 1), ("kind<hero", "bad-operator", 1),
        ("type:weapon family:frob", "unknown-value", 13), ("holds:torch", "not-held", None),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_refused_with_its_place(query: str, code: str, place: int | None) -> None:
    with pytest.raises(InputError) as raised:
        ids(query)
    assert raised.value.code == code
    assert place is None or raised.value.params.get("place") == place


def test_a_pattern_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thunderref.search.filters._PATIENCE_MS", 1)  # no machine is faster than that
    with pytest.raises(InputError, match="bad-query"):
        ids(r"text:/(.*)(.*)(.*)(.*)(.*)(.*)[~#]{2}/")


def test_the_full_form_of_a_pattern_is_the_same() -> None:
    assert written(parse_query(open_database(), "name:/^the / or text:/a b/")) == "name:/^the / or text:/a b/"


def test_a_value_of_several_words_needs_no_second_quotes() -> None:
    assert joined(["held-by:elf wizard", "cost<4"]) == 'held-by:"elf wizard" cost<4'
    assert joined(["kind:hero or cost<4"]) == "kind:hero or cost<4"


def naive(query: Query, card: Card) -> bool:
    """What a query says of one card, in the plainest way."""
    if isinstance(query, Combined):
        parts = [naive(each, card) for each in query.of]
        return not parts[0] if query.by == "not" else all(parts) if query.by == "and" else any(parts)
    assert isinstance(query, FieldCondition)
    if query.field == "kind":
        return (card.kind == query.value) == (query.sign != "!=")
    if query.field == "type":
        return (query.value in card.types) == (query.sign != "!=")
    figure = getattr(card, query.field)
    return figure is not None and COMPARE[query.sign](figure, int(query.value))


def draw_query(rng: random.Random, depth: int = 0) -> str:
    if depth < 3 and rng.random() < 0.5:
        parts = [draw_query(rng, depth + 1) for _ in range(rng.randint(2, 3))]
        return f"({rng.choice((' ', ' or ', ' and ', ', ')).join(parts)})"
    if rng.random() < 0.25:
        return f"{rng.choice(('-', 'not '))}{draw_query(rng, depth + 1)}"
    if rng.random() < 0.4:
        field, values = rng.choice(
            (("kind", "hero monster village basic trap"), ("type", "weapon wizard spell dragon"))
        )
        return f"{field}{rng.choice((':', '!='))}{rng.choice(values.split())}"
    return f"{rng.choice(FIGURES)}{rng.choice([*COMPARE])}{rng.randint(0, 9)}"


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(several(1, 10)))
def test_random_queries_are_a_naive_filter(seed: int) -> None:
    rng, database = random.Random(seed), open_database()
    own = [card for card in database.cards.values() if card.reprint_of is None]
    for _ in range(several(250, 500)):
        text = draw_query(rng)
        query = parse_query(database, text)
        assert filter_cards(database, text) == [card for card in own if naive(query, card)], text
        assert parse_query(database, written(query)) is not None
        assert filter_cards(database, written(query)) == filter_cards(database, query), text


def code_of(text: str) -> str:
    """How a query is refused, nothing if it is answered."""
    try:
        filter_cards(open_database(), text)
    except InputError as error:
        return error.code
    return ""


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(several(1, 10)))
def test_what_is_broken_is_answered_or_refused(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(500):
        text = list(draw_query(rng))
        for _ in range(rng.randint(1, 3)):
            text.insert(rng.randrange(len(text) + 1), rng.choice('():<>=!-" ,/orandnot&|'))
        assert code_of("".join(text)) in {*REFUSALS, ""}, "".join(text)
