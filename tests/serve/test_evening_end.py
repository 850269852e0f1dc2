"""The end of an evening on a phone: the battle that brings it, and the sheet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .test_evening import HAND, buttons, tap
from .test_evening import table as table

if TYPE_CHECKING:
    from starlette.testclient import TestClient


def test_the_battle_that_brings_the_stone_to_the_front_is_the_last(table: TestClient) -> None:
    """R7.1: its button says so beforehand, and nobody's turn follows."""
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/resolve", params={"hand": HAND, "hall": "griffon,stone-of-mystery,suffering"}).text
    open_target = page[page.index('id="target-1" open') :].partition("</form>")[0]
    assert "Ann won: the game is over" in open_target
    assert "next turn" not in open_target.lower()
    (won,) = (fields for fields in buttons(page, "battle") if fields["rank"] == "1" and "result" not in fields)
    told = tap(table, **won | {"plan": re.findall(r'name="plan" value="([^"]*)"', open_target), "unseen": "1"})
    assert "The game is over" in told
    assert "turn 2" not in told
    for page in (told, table.get("/").text):
        assert not [do for do in ("next", "battle", "visit", "rest") if buttons(page, do)]


def test_a_shared_victory_is_said_once(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob")
    tap(table, do="end")
    assert table.get("/evening").text.partition("<main")[2].count("victory") == 1


def test_the_sheet_names_a_monster_once_and_counts_what_has_points(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=HAND, hall="griffon", rank="1", plan=["attack:1"], result="won", unseen="1")
    tap(table, do="end")
    sheet = re.sub(r"(<[^>]+>|\s)+", " ", table.get("/evening").text.partition("<main")[2])
    of_ann = sheet.partition("Ann: 4 VP ")[2].partition("Bob:")[0]
    assert of_ann == "Monsters beaten: 1. 4 Griffon 14 cards without VP "
