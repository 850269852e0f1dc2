"""The evening on phones: one table for all, one tap for a battle or a purchase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from thunderref.database.read import Language, open_database
from thunderref.errors import InputError
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.thunderstone.table.evening import read_evening, read_events, version

from .conftest import CODE

HAND = "militia,militia,elf-wizard,short-sword,torch,iron-rations"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr("thunderref.files.state_file", lambda name: tmp_path / name)
    site = Site(Access(), Searches(None), SharedSetup(remembers=False, keeps=True))
    site.table.put(CODE)
    with TestClient(make_app(site), base_url="http://127.0.0.1:8765", follow_redirects=True) as client:
        yield client


def tap(phone: TestClient, **fields: str | list[str]) -> str:
    answer = phone.post("/evening", data={"seen": version(), **fields})
    assert answer.status_code == 200, answer.text
    return answer.text


def buttons(page: str, do: str) -> list[dict[str, str]]:
    """The hidden fields of each form of the page that does so."""
    forms = re.findall(r'<form method="post" action="/evening">(.*?)</form>', page, re.S)
    found = [dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form)) for form in forms]
    return [fields for fields in found if fields.get("do") == do]


def test_a_battle_won_is_one_tap_and_the_next_player_sees_the_new_hall(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1", to="/resolve")
    page = table.get("/resolve", params={"hand": HAND}).text
    assert "Griffon" in page
    won = next(fields for fields in buttons(page, "battle") if fields["rank"] == "1")
    form = page[page.index('name="rank" value="1"') :].partition("</form>")[0]
    plan = re.findall(r'name="plan" value="([^"]*)"', form)
    assert plan[-1] == "attack:1"
    tonight = tap(table, **won | {"plan": plan, "unseen": "1"})
    assert "Bob, turn 2" in tonight
    now = read_evening()
    assert now is not None
    assert now.hall == ("blink-dog", "suffering", None)
    assert (now.players[0].xp, now.players[0].deck["griffon"]) == (2, 1)
    assert "Blink Dog" in table.get("/resolve", params={"pane": "hall"}).text


def test_a_tap_on_a_table_that_moved_changes_nothing(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    seen = version()
    tap(table, do="next")
    answer = table.post("/evening", data={"do": "next", "seen": seen})
    assert answer.status_code == 422
    assert "look again" in answer.text
    assert [event.do for event in read_events()] == ["start", "next"]


def test_who_is_not_on_turn_may_not_act(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="me", name="Bob")
    page = table.get("/resolve", params={"hand": HAND, "hall": "griffon"}).text
    assert not buttons(page, "battle")
    assert "It is Ann’s turn." in page
    tap(table, do="me", name="Ann")
    assert buttons(table.get("/resolve", params={"hand": HAND, "hall": "griffon"}).text, "battle")


def test_a_purchase_is_one_tap_and_the_stack_shrinks(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/village", params={"hand": "militia,torch,torch,dagger,iron-rations,militia"}).text
    bought = next(fields for fields in buttons(page, "visit") if fields.get("buy"))
    before = read_evening()
    assert before is not None
    tap(table, **bought)
    now = read_evening()
    assert now is not None
    card = bought["buy"].partition(",")[0]
    assert now.stacks[card] == before.stacks[card] - bought["buy"].split(",").count(card)
    assert now.players[0].deck[card] == before.players[0].deck[card] + bought["buy"].split(",").count(card)
    assert now.active.name == "Bob"
    tap(table, do="undo")
    assert read_events() == before.events


def test_a_hall_of_ones_own_is_a_draft_until_it_is_shared(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/resolve", params={"hall": "griffon", "pane": "hall"}).text
    now = read_evening()
    assert now is not None
    assert now.hall == (None, None, None)
    (shared,) = buttons(page, "hall")
    tap(table, **shared)
    now = read_evening()
    assert now is not None
    assert now.hall == ("griffon", None, None)


def test_the_score_knows_what_was_won(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=HAND, hall="griffon", rank="1", plan=["attack:1"], result="won", unseen="1")
    assert re.search(r"Ann.*?4", table.get("/score").text, re.S)


def test_clearing_asks_and_can_be_put_back(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    cleared = table.post("/tonight", data={"code": ""}).text
    assert "Put it back" in cleared
    assert "Ann, turn 1" not in cleared
    assert "Ann, turn 1" in table.post("/tonight", data={"code": CODE}).text


@pytest.mark.parametrize(
    "fields", [{}, {"do": "dance"}, {"do": "battle", "rank": "x"}, {"do": "hall", "hall": "a,b,c,d,e"}]
)
def test_odd_taps_are_refused_with_a_sentence(table: TestClient, fields: dict[str, str]) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    answer = table.post("/evening", data={"seen": version(), **fields})
    assert answer.status_code == 422
    assert [event.do for event in read_events()] == ["start"]


def test_a_tap_on_a_page_that_others_have_left_behind_is_refused(table: TestClient) -> None:
    old = version()
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    answer = table.post("/evening", data={"seen": old, "do": "hall", "hall": "griffon"})
    assert answer.status_code == 422
    assert escape(Language(open_database(), "en").error(InputError("evening-moved"))) in answer.text
    assert [event.do for event in read_events()] == ["start"]


def test_the_cards_town_guard_drew_are_tapped_in(table: TestClient) -> None:
    hand = "town-guard,militia,militia,militia,torch,dagger"
    page = table.get("/village", params={"hand": hand}).text
    assert "pane=deck" in page
    drawing = table.get("/village", params={"hand": hand, "pane": "deck"}).text
    assert "Tap the cards that were drawn" in drawing
    added = table.get("/village", params={"hand": hand, "pane": "deck", "to": "deck", "add": "torch"})
    assert "deck=torch" in str(added.url)
    known = table.get("/village", params={"hand": hand, "deck": "torch,iron-rations", "pane": "gold"}).text
    assert "unknown draw" not in known
    assert "pane=deck" in known
    assert "pane=deck" not in table.get("/village", params={"hand": "militia,torch", "pane": "gold"}).text


FIRST = "militia,militia,militia,torch,dagger,iron-rations"


def refusal(phone: TestClient, **fields: str | list[str]) -> str:
    """The page that says why not, after which nothing has changed."""
    before = read_events()
    answer = phone.post("/evening", data={"seen": version(), **fields})
    assert answer.status_code == 422
    assert read_events() == before
    return answer.text


def test_a_play_that_is_not_allowed_is_not_kept(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    refusal(table, do="battle", hand=FIRST, rank="1")
    refusal(table, do="battle", hand=FIRST, rank="1", plan=["equip:dagger,to:torch", "attack:1"])
    assert "Bob, turn 2" in tap(table, do="battle", hand=FIRST, rank="1", plan=["attack:1"])


def test_a_visit_buys_and_levels_up_in_one_turn(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="correct", player="Ann", xp="3")
    tap(table, do="visit", hand=FIRST, level=["militia: elf-wizard"], buy="torch", hall="griffon,blink-dog,suffering")
    now = read_evening()
    assert now is not None
    assert (now.players[0].deck.total(), now.players[0].xp, now.active.name) == (13, 0, "Bob")
    assert now.hall == ("griffon", "blink-dog", "suffering")  # tapped in beside the visit, for all phones


@pytest.mark.parametrize(
    ("lang", "button"),
    [
        ("en", "Bought unseen: add it"),
        ("pl", "Kupione bez zapisu: dopisz"),
        ("ru", "Куплено без записи: дописать"),
    ],
)
def test_a_card_that_nobody_owns_is_asked_about(table: TestClient, lang: str, button: str) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon", stays="1")
    table.cookies.set("lang", lang)
    page = refusal(table, do="battle", hand=HAND, rank="1", plan=["attack:1"])
    assert button in page
    (form,) = buttons(page, "battle")
    assert form["unseen"] == "1"
    tap(table, **form | {"plan": ["attack:1"]})
    now = read_evening()
    assert now is not None
    assert now.players[0].deck["elf-wizard"] == 1


def test_another_set_up_asks_first_and_undo_brings_the_evening_back(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon", stays="1")
    other = table.post("/tonight", data={"code": "333792U6NBLVL7VYAAA"})
    assert other.status_code == 422
    assert "Replace it" in other.text
    assert "Ann, turn 1" in table.get("/").text
    assert "Replace it" in refusal(table, do="start", players="Ed, Flo, Gus, Hal")
    table.post("/tonight", data={"code": "333792U6NBLVL7VYAAA", "sure": "1"})
    assert "Ann, turn 1" not in table.get("/").text
    tap(table, do="start", players="Ed, Flo")
    assert "Ann, turn 1" in tap(table, do="undo")


def test_corrections_are_events_that_undo_takes_back(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    before = read_events()
    for fields in ({"xp": "4"}, {"deck": "torch,torch"}, {"stacks": "0 torch"}, {"rank0": "dark-champion"}):
        tap(table, do="correct", player="Bob", **fields)
        assert len(read_events()) == 2
        tap(table, do="undo")
        assert read_events() == before


def test_after_the_end_no_turn_is_taken(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,stone-of-mystery,suffering", stays="1")
    tap(table, do="battle", hand=FIRST, rank="1", plan=["attack:1"], result="won")
    assert "The game is over: Ann wins" in table.get("/").text
    assert "The game is over" in refusal(table, do="next")
    tap(table, do="correct", player="Bob", xp="2")
    tap(table, do="end")
    assert "Winner: Ann, 7 VP" in table.get("/evening").text
