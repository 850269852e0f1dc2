"""The page of Thorgal: the game under way and fights in it, in every language, without changing anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.systems import keep_in
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access, Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.thorgal.game_file import write_steps
from thunderref.thorgal.round import Step

from .test_pages import Reader

STEPS: list[Step] = [
    {"do": "start", "names": ["Anna", "Bartek"], "solo": False, "adventure": "<b>", "length": 3, "row": [1, 3],
     "first": 0},
    {"do": "board", "seat": 0, "board": "AA../...."}, {"do": "rolls", "seat": 0, "dice": "green, green"},
    {"do": "dice", "colour": "green", "faces": "2 I2, L3, -, -, I3"},
    {"do": "enemy", "name": "wolf", "cards": ".H1/y.H"},
]  # fmt: skip


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    keep_in(monkeypatch, tmp_path)
    (tmp_path / "thunderref").mkdir()
    return tmp_path / "thunderref" / "thorgal-round.json"


@pytest.fixture(params=["en", "pl", "ru"])
def client(request: pytest.FixtureRequest, table: Path) -> Iterator[TestClient]:
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False), lang=request.param)
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765", follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize(
    ("page", "status", "shown"),
    [
        ("/thorgal", 200, "A  A"), ("/thorgal?fight=anna+wolf", 200, "5/9"), ("/thorgal?go=1", 200, "5/9"),
        ("/thorgal?fight=wolf&rerolls=1", 200, "43/54"), ("/thorgal?fight=.H1/y.H&tiles=I2,+L3", 200, "T10.11"),
        ("/thorgal?fight=-&go=1", 200, "5/9"), ("/thorgal?fight=bartek", 422, "Bartek"),
        ("/thorgal?fight=<zed>", 422, "&lt;zed&gt;"), ("/thorgal?fight=wolf&rerolls=x", 422, "class=\"sentence\""),
        ("/thorgal?tiles=zz", 422, "zz"),
    ],
)  # fmt: skip
def test_a_page(client: TestClient, table: Path, page: str, status: int, shown: str) -> None:
    write_steps(table, STEPS)
    before = table.read_bytes()
    answer = client.get(page)
    assert (answer.status_code, shown in answer.text) == (status, True), answer.text
    read = Reader()
    read.feed(answer.text)
    assert (read.open, read.headings[0]) == ([], 1)
    assert table.read_bytes() == before


def test_without_a_game_a_card_can_be_judged(client: TestClient) -> None:
    assert client.get("/thorgal").status_code == 200
    assert "T10.11" in client.get("/thorgal?fight=.H1/y.H&tiles=I2,+L3").text
    assert client.get("/thorgal?fight=.H1/y.H").status_code == 422
    assert client.get("/thorgal?go=1").status_code == 422
    assert '<a href="/thorgal">' in client.get("/").text
