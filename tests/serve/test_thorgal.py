"""The pages of Thorgal in every language: the game by buttons, a card and its tiles by taps, the documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from starlette.testclient import TestClient

from support.command import Run
from support.systems import keep_in
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.thorgal.game_file import read_steps, write_steps
from thunderref.thorgal.round import GameStep

from .test_pages import Reader

STEPS: list[GameStep] = [
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
        ("/thorgal", 200, 'k-plain t1"'), ("/thorgal?fight=anna+wolf", 200, "5/9"), ("/thorgal?go=1", 200, "5/9"),
        ("/thorgal?fight=wolf&rerolls=1", 200, "43/54"), ("/thorgal?fight=.H1/y.H&tiles=I2,+L3", 200, "T10.11"),
        ("/thorgal?fight=-&go=1", 200, "5/9"), ("/thorgal?fight=bartek", 200, "Bartek"),
        ("/thorgal?enemy=wolf", 200, "5/9"),
        ("/thorgal?pane=card", 200, 'name="put"'), ("/thorgal?enemy=wolf&tiles=I1", 200, "bare"),
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
    assert len(read.ids) == len(set(read.ids))
    assert not re.search("thunderref |thorgal (round|fight|fields)|--[a-z]", re.sub("<[^>]*>", "", answer.text))
    assert table.read_bytes() == before


def test_without_a_game_a_card_can_be_judged(client: TestClient) -> None:
    assert client.get("/thorgal").status_code == 200
    assert "T10.11" in client.get("/thorgal?fight=.H1/y.H&tiles=I2,+L3").text
    assert 'id="tile-L3"' in client.get("/thorgal?fight=.H1/y.H").text
    assert client.get("/thorgal?go=1").status_code == 422
    assert '<a href="/thorgal">' in client.get("/").text


def went(client: TestClient, page: str) -> dict[str, str]:
    """What stands in the address that a tap leads to."""
    answer = client.get(page)
    assert answer.status_code == 303, page
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


@pytest.mark.parametrize(
    ("taps", "card"),
    [
        ("put=0.0.1", ".H/.."), ("put=0.0.1&put=0.0.1", "../.."), ("paint=hole&put=0.0.0", "#./.."),
        ("put=0.0.0&put=0.1.1&size=%2Bcolumn", "H../.H."), ("size=%2Bcard&put=9.9.9", "../..|../.."),
        ("size=-row&size=-row", ".."), ("size=-card&paint=yellow&put=0.1.0", "../Y."), ("put=x&size=zz", "../.."),
    ],
)  # fmt: skip
def test_a_card_is_tapped_field_by_field(client: TestClient, taps: str, card: str) -> None:
    assert went(client, f"/thorgal?fight=../..&pane=card&{taps}")["fight"] == card


@pytest.mark.parametrize(
    ("taps", "tiles"),
    [
        ("add=I2", "I2"), ("tiles=I2,L3&add=I2", "I2,L3,I2"), ("tiles=I2,L3,I2&drop=I2", "I2,L3"),
        ("tiles=2+I2&undo=1", "I2"), ("tiles=I2&drop=L3", "I2"), ("tiles=12+I1&add=I2", ",".join(["I1"] * 12)),
    ],
)  # fmt: skip
def test_tiles_are_tapped(client: TestClient, taps: str, tiles: str) -> None:
    assert went(client, f"/thorgal?fight=.H1/y.H&{taps}") == {"fight": ".H1/y.H", "tiles": tiles}


def test_a_fight_shows_what_covers_what(client: TestClient) -> None:
    """The same arrangement as the document: every field of it is drawn with the letter of its tile."""
    found = client.get("/api/thorgal?fight=.H1/y.H&tiles=I2").json()
    page = client.get("/thorgal?fight=.H1/y.H&tiles=I2").text
    assert len(re.findall(r'<td class="[^"]* t1">', page)) == len(found["tiles"][0]["fields"]) == 2
    assert len(re.findall(r'<td class="[^"]* bare">', page)) == len(found["hearts"]["uncovered"]) == 1


def test_what_a_fight_misses_is_entered_there(client: TestClient, table: Path) -> None:
    """First the dice that a dial shows, then the faces of a die: what is mistyped stays in its field."""

    def send(fields: dict[str, str], noted: str, status: int = 303) -> str:
        answer = client.post("/thorgal", data={**fields, "noted": noted})
        assert answer.status_code == status
        return client.get(answer.headers["location"]).text if status == 303 else answer.text

    def form(page: str, do: str) -> dict[str, str]:
        text = next(text for text in re.findall(r"<form.*?</form>", page, re.DOTALL) if f'value="{do}"' in text)
        return dict(re.findall(r'name="(\w+)" value="([^"]*)"', text))

    write_steps(table, [STEPS[0], STEPS[4]])
    page = client.get("/thorgal?fight=bartek+wolf&go=1").text
    refused = send(form(page, "rolls 1"), "2 grean", 422)
    assert re.search(
        r'value="2 grean" aria-invalid="true"[^>]*>.*?</div>\s*<p class="sentence fault" id="fault">', refused, re.S
    )
    page = send(form(refused, "rolls 1"), "2 green")
    page = send(form(page, "dice"), "2 I2, L3, -, -, I3")
    assert "5/9" in page
    assert 'name="noted"' not in page
    page = client.get("/thorgal").text
    page = send(form(page, "board 0"), "AA../....")
    assert 'k-plain t1"' in page
    assert 'value="board 0"' not in page
    assert 'value="board 1"' in page
    assert [step["do"] for step in read_steps(table)[0]] == ["start", "enemy", "rolls", "dice", "board"]


def test_a_game_begins_with_what_was_typed(client: TestClient, table: Path) -> None:
    typed = {"do": "start 2", "names": "Anna, Bartek, Celina", "row": "1 3 x", "length": "7"}
    page = client.post("/thorgal", data=typed)
    assert page.status_code == 422
    for name in ("names", "row", "length"):
        field = next(tag for tag in re.findall("<input[^>]*>", page.text) if f'name="{name}"' in tag)
        assert f'value="{typed[name]}"' in field
        assert ('aria-invalid="true"' in field) == (name == "row")
    assert client.post("/thorgal", data={**typed, "row": "1 3"}).status_code == 303
    assert read_steps(table)[1].length == 7
    drawn = {"do": "enemy", "name": "7", "cards": ".H1/y.H", "fight": ".H1/y.H", "pane": "card"}
    page = client.post("/thorgal", data=drawn)  # the card stays where it was tapped in
    assert page.text.count('class="field k-heart"') >= 2
    assert re.search(r'name="name"[^>]* value="7" aria-invalid="true"', page.text)


def test_a_game_is_played_by_buttons(client: TestClient, table: Path) -> None:
    def send(do: str, status: int = 303, **more: str) -> None:
        steps = str(len(read_steps(table)[0])) if table.exists() else "0"
        answer = client.post("/thorgal", data={"do": do, "steps": steps, **more})
        assert answer.status_code == status, answer.text

    send("start 2", names="Anna, Bartek", row="1 3")
    assert 'value="act 0 3"' in client.get("/thorgal").text
    for do in ("act 0 3", "act 0 1", "act 0 3", "act 0 1", "events", "threat 1 +2", "skill 0"):
        send(do)
    now = read_steps(table)[1]
    assert (now.round, now.left, [seat.threat for seat in now.seats]) == (2, 4, [0, 2])
    send("undo")
    assert not read_steps(table)[1].seats[0].skill_used
    before = table.read_bytes()
    for wrong, status in (("events", 422), ("act 0 9", 422), ("threat 7 1", 400), ("dance", 400), ("start 2", 422)):
        send(wrong, status)
    assert client.post("/thorgal", data={"do": "act 0 3", "steps": "1"}).status_code == 422  # seen before others played
    assert client.post("/thorgal", data={"do": "won"}, headers={"origin": "http://elsewhere"}).status_code == 403
    assert table.read_bytes() == before
    send("enemy", name="Wolf", cards=".H1/y.H")
    assert "enemy=Wolf" in client.get("/thorgal").text
    send("won")
    assert 'value="start 2"' in client.get("/thorgal").text


ASKED: tuple[tuple[list[str], dict[str, object]], ...] = (
    (["round", "next"], {}), (["fight", "anna", "wolf"], {"fight": "anna wolf"}),
    (["fight", "wolf", "--rerolls", "1"], {"fight": "wolf", "rerolls": 1}),
    (["fight", ".H1/y.H", "--tiles", "I2, L3", "--goal", "safe"],
     {"fight": ".H1/y.H", "tiles": "I2, L3", "goal": "safe"}),
    (["fight", ".H1/y.H", "--dice", "green", "--die", "green: I2, L3, -", "--tiles", "I2", "--rerolls", "1"],
     {"fight": ".H1/y.H", "dice": "green", "die": ["green: I2, L3, -"], "tiles": "I2", "rerolls": 1}),
    (["fight", "zed"], {"fight": "zed"}), (["fight", ".H", "--tiles", "zz"], {"fight": ".H", "tiles": "zz"}),
)  # fmt: skip


@pytest.mark.parametrize(("words", "asked"), ASKED, ids=[" ".join(words) for words, _ in ASKED])
def test_the_api_gives_the_documents_of_the_commands(
    cli: Run, client: TestClient, table: Path, words: list[str], asked: dict[str, object]
) -> None:
    write_steps(table, STEPS)
    said = cli("thorgal", *words, "--json", "--lang", "en")
    got = client.get(f"/api/thorgal?{urlencode({**asked, 'lang': 'en'}, doseq=True)}")
    sent = {**asked, "fight": [asked["fight"]]} if asked else {}
    for answer in (got, client.post("/api/thorgal?lang=en", json=sent)):
        assert (answer.json(), answer.status_code) == (json.loads(said.out), 200 if said.status == 0 else 422)
    assert client.post("/api/thorgal", json={"rerolls": "x"}).json()["error"]["code"] == "bad-value"
