"""The pages of a phone with a box of the user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.own_box import write_box
from support.systems import keep_in
from thunderref.database import own_boxes

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
