"""The database as a site: Datasette itself, in this process, with the metadata that lies beside the database."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from thunderref.database.paths import metadata_path
from thunderref.database.read import open_database
from thunderref.database.schema import CARD_COLUMNS, QUERIES, RULING_COLUMNS

datasette = pytest.importorskip("datasette.app")
LANGUAGES = ("en", "pl", "ru")
VIEWS = (*(f"cards_{lang}" for lang in LANGUAGES), "rulings")
RUNNER = asyncio.Runner()
PATIENT = {"facet_time_limit_ms": 20_000, "sql_time_limit_ms": 20_000, "default_allow_sql": True}
"""A test must not hang on the clock of a busy machine."""


def metadata() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(metadata_path(open_database().path).read_text("utf-8"))
    return found


@pytest.fixture(scope="module", autouse=True)
def loop() -> Iterator[None]:
    """One event loop for all sites, which are kept: each would compile its templates anew."""
    yield
    site_of.cache_clear()
    RUNNER.close()


@cache
def site_of(immutable: bool) -> Any:
    """A site with our metadata."""
    path = [str(open_database().path)]
    files = {"files": [], "immutables": path} if immutable else {"files": path}
    site = datasette.Datasette(**files, metadata=metadata(), settings=PATIENT)
    RUNNER.run(site.invoke_startup())
    return site


def pages(addresses: Iterable[str], *, immutable: bool = False) -> list[Any]:
    """The answers of the site; those to an address that ends with .json as plain values."""
    site = site_of(immutable)

    async def get() -> list[Any]:
        answers = [await site.client.get(address, follow_redirects=True) for address in addresses]
        assert [(answer.status_code, str(answer.url)) for answer in answers if answer.status_code != 200] == []
        return [answer.json() if ".json" in str(answer.url) else answer.text for answer in answers]

    return RUNNER.run(get())


@pytest.mark.parametrize("immutable", [False, True])
def test_every_table_view_and_query_opens(*, immutable: bool) -> None:
    [listed] = pages(["/thunderref.json"], immutable=immutable)
    tables = [table["name"] for table in listed["tables"]]
    queries = [query["name"] for query in listed["queries"]]
    assert [view["name"] for view in listed["views"]] == sorted(VIEWS)
    assert queries == [f"{query}_{lang}" for lang in LANGUAGES for query in QUERIES]
    shown = pages(["/", "/thunderref", *(f"/thunderref/{each}" for each in (*tables, *VIEWS))], immutable=immutable)
    assert all("Data license" in page for page in shown)
    titles = [query["title"] for query in metadata()["databases"]["thunderref"]["queries"].values()]
    shown = pages([f"/thunderref/{query}" for query in queries], immutable=immutable)
    assert all(f">{title}</h1>" in " ".join(page.split()) for title, page in zip(titles, shown, strict=True))
    assert all(
        found["rows"] for found in pages([f"/thunderref/{query}.json" for query in queries], immutable=immutable)
    )


def test_only_what_people_look_for_is_listed() -> None:
    [listed] = pages(["/thunderref.json"])
    shown = {table["name"] for table in listed["tables"] if not table["hidden"]}
    assert {"cards", "rules", "conflicts", "texts"} <= shown
    assert not shown & {"meta", "passages", "vocabulary", "everyday", "card_words", "card_index", "passage_index"}
    [front] = pages(["/thunderref"])
    for view in VIEWS:
        assert f'href="thunderref/{view}"' in front
    assert "Karty po polsku" in front


@pytest.mark.parametrize(("asked", "lang"), [("fireball", "en"), ("ognista", "pl"), ("огненный", "ru"), ("шар", "en")])
def test_a_search_finds_the_fireball(asked: str, lang: str) -> None:
    [found] = pages([f"/thunderref/cards_{lang}.json?_search={asked}&_shape=objects"])
    assert "fireball" in [row["id"] for row in found["rows"]]
    assert 0 < found["filtered_table_rows_count"] < 20


@pytest.mark.parametrize("asked", ["fire*ball", "AND", "a:b", "(", "-", "płomienny miecz", "%27", "NEAR("])
def test_no_search_breaks_a_page(asked: str) -> None:
    assert len(pages([f"/thunderref/{view}?_search={asked}&_size=5" for view in VIEWS])) == len(VIEWS)


def test_facets_are_counted() -> None:
    site = "/thunderref"
    cards, rulings = pages([f"{site}/cards_pl.json", f"{site}/rulings.json"])
    [weapons] = pages([f"{site}/cards_ru.json?types__arraycontains=weapon"])
    connection = sqlite3.connect(open_database().path)
    for facet, column in (("kind", "kind"), ("set", "set_id")):
        counted = {each["value"]: each["count"] for each in cards["facet_results"][facet]["results"]}
        assert counted == dict(connection.execute(f"SELECT {column}, count(*) FROM cards GROUP BY 1"))
    types = {each["value"]: each["count"] for each in cards["facet_results"]["types"]["results"]}
    assert types["weapon"] == weapons["filtered_table_rows_count"] == 11
    assert {each["value"] for each in rulings["facet_results"]["lang"]["results"]} == set(LANGUAGES)
    connection.close()


def test_every_column_is_described_and_the_queries_are_named_in_their_language() -> None:
    site = metadata()["databases"]["thunderref"]
    for lang in LANGUAGES:
        columns = site["tables"][f"cards_{lang}"]["columns"]
        assert tuple(columns) == CARD_COLUMNS
        assert all(columns.values())
    assert tuple(site["tables"]["rulings"]["columns"]) == tuple(RULING_COLUMNS)
    assert site["tables"]["cards_en"]["columns"]["cost"] == "Cost, in gold"
    assert site["queries"]["light_pl"]["title"] == "Karty, które dają Światło"
    assert site["queries"]["light_ru"]["title"] == "Карты, которые дают свет"


def test_a_query_asks_for_what_one_can_spend() -> None:
    some, every = pages(["/thunderref/affordable_pl.json?gold=4&_shape=objects", "/thunderref/affordable_pl.json"])
    assert {row["cost"] for row in some["rows"]} == {2, 3, 4}
    assert len(every["rows"]) > len(some["rows"])


def test_nothing_is_written_into_the_database() -> None:
    path = open_database().path
    before = path.read_bytes()
    site_of.cache_clear()
    pages(["/", "/thunderref/cards_en"])
    assert path.read_bytes() == before
