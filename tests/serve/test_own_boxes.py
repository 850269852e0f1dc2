"""The pages of a phone with a box of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

import thunderref
from support.own_box import write_box
from support.systems import keep_in
from thunderref.database import own_boxes
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.thunderstone.table.evening import version

from .conftest import Phone


@pytest.fixture
def marsh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_in(monkeypatch, tmp_path)
    write_box(tmp_path)
    own_boxes.switch("marsh", on=True)


@pytest.mark.usefixtures("marsh")
@pytest.mark.parametrize(("lang", "mark"), [("en", "Not judged"), ("pl", "nieoceniana"), ("ru", "не судится")])
def test_its_cards_stand_on_the_pages(phone: Phone, lang: str, mark: str) -> None:
    visitor = phone(lang=lang)
    assert mark in visitor.get("/card", params={"q": "sinkhole"}).text
    assert "Reed Spear" in visitor.get("/card", params={"q": "set:marsh"}).text
    found = visitor.get("/q", params={"text": "reed cutter"}, follow_redirects=True)
    assert (found.status_code, "Reed" in found.text or "Trzciny" in found.text or "Косарь" in found.text) == (200, True)


@pytest.mark.usefixtures("marsh")
def test_a_set_up_says_what_comes_from_which_box(phone: Phone) -> None:
    visitor = phone()
    assert "Marsh of Lanterns" in visitor.get("/setup").text
    wishes = {"players": "2", "set": ["base", "marsh"], "require": "bog, reed", "seed": "3"}
    place = visitor.get("/setup", params=wishes).headers["location"]
    page = visitor.get(place).text
    assert "What comes from which box" in page
    assert "Leech tokens" in page
    assert "counts 1 question mark among" in page


@pytest.mark.usefixtures("marsh")
def test_a_battle_is_judged_or_refused_by_name(phone: Phone) -> None:
    visitor = phone(None)
    won = {"hand": "reed cutter, reed spear, torch", "hall": "bog imp"}
    assert visitor.get("/api/resolve", params=won).json()["targets"][0]["outcome"] == "victory"
    refused = visitor.get("/api/resolve", params={**won, "hand": "will-o-wisp, reed cutter"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "not-judged")
    asked = {**won, "hand": "will-o-wisp, reed cutter", "pane": "verdict"}
    page = visitor.get("/resolve", params=asked, follow_redirects=True)
    assert "is not judged" in page.text


@pytest.mark.usefixtures("marsh")
def test_a_battle_that_is_not_judged_is_kept_by_two_buttons() -> None:
    code = thunderref.generate_setup(sets=["base", "marsh"], require=["bog", "will-o-wisp"], seed=3).code
    site = Site(Access(None), Searches(None), SharedSetup(remembers=False, keeps=True))
    site.table.put(code)
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765") as visitor:

        def send(do: str, **fields: str) -> str:
            return visitor.post("/evening", data={"do": do, "seen": version(), **fields}, follow_redirects=True).text

        send("start", players="Ann, Bob")
        send("hall", hall=", ".join(["marsh:bog-imp"] * 3))
        shown = visitor.get(
            "/resolve", params={"hand": "militia,militia,torch", "pane": "verdict"}, follow_redirects=True
        )
        assert (shown.text.count('value="attack:2"'), 'value="won"' in shown.text) == (2, True)
        told = {"hand": "militia,militia,torch", "rank": "2", "plan": "attack:2"}
        assert "say who won" in send("battle", **told)
        assert "as you saw it" in send("battle", **told, result="won")
