"""The evening on phones: one table for all, one tap for a battle or a purchase."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from thunderref.database.read import Language, open_database
from thunderref.errors import InputError
from thunderref.serve.app import Site, make_app
from thunderref.serve.guard import COOKIE, Access
from thunderref.serve.searches import Searches
from thunderref.serve.tiles import SharedSetup
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import read_evening, read_events, version

from .conftest import CODE, TOKEN

WITH_TRAINER = "3336JEJ4HZ2AJ3V4LNG"
HAND = "militia,militia,elf-wizard,short-sword,torch,iron-rations"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """A phone at the table; with a token as its parameter others may come."""
    token = getattr(request, "param", None)
    monkeypatch.setattr("thunderref.files.state_file", lambda name: tmp_path / name)
    site = Site(Access(token), Searches(None), SharedSetup(remembers=False, keeps=True))
    site.table.put(CODE)
    cookies = {COOKIE: token or ""}
    address = "http://127.0.0.1:8765"
    with TestClient(make_app(site), base_url=address, cookies=cookies, follow_redirects=True) as client:
        yield client


def tap(phone: TestClient, **fields: str | list[str]) -> str:
    answer = phone.post("/evening", data={"seen": version(), **fields})
    assert answer.status_code == 200, answer.text
    return answer.text


def buttons(page: str, do: str) -> list[dict[str, str]]:
    """The hidden fields of each form of the page that does so."""
    forms = re.findall(r'<form (?:class="form" )?method="post" action="/evening">(.*?)</form>', page, re.S)
    found = [dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form)) for form in forms]
    return [fields for fields in found if fields.get("do") == do]


def test_the_title_calls_whose_turn_it_is(table: TestClient) -> None:
    """Only on the phone of that player; a phone for everybody is called by nothing."""

    assert "</h1>\n<p>" in table.get("/").text  # what this is

    def is_called() -> bool:
        page = table.get("/").text
        assert ("<title>▶ Your turn · " in page) == (' data-turn="1"' in page)
        return ' data-turn="1"' in page

    tap(table, do="start", players="Ann, Bob")
    assert not is_called()
    assert "</h1>\n<p>" not in table.get("/").text
    tap(table, do="me", name="Bob")
    assert not is_called()
    tap(table, do="next")
    assert is_called()
    tap(table, do="next")
    assert not is_called()


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


def test_a_play_that_is_refused_is_kept_only_as_the_players_saw_it(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1", to="/resolve")
    refused = {"hand": HAND, "pane": "verdict", "plan": ["equip:short-sword,to:elf-wizard", "attack:1"]}
    page = table.get("/resolve", params=refused)
    assert page.status_code == 422
    offered = [fields for fields in buttons(page.text, "battle") if fields["rank"] == "1"]
    assert [fields["result"] for fields in offered] == ["won", "lost"]
    assert {fields["plan"] for fields in offered} == {"attack:1"}
    tap(table, **offered[1] | {"unseen": "1"})
    now = read_evening()
    assert now is not None
    assert [(event.won, event.gained, event.xp) for event in now.events if event.do == "battle"] == [(False, (), 0)]


def test_a_result_that_the_players_saw_is_entered_beside_the_one_of_the_rules(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/resolve", params={"hand": HAND, "hall": "griffon,blink-dog,suffering"}).text
    results = [fields.get("result") for fields in buttons(page, "battle") if fields["rank"] == "1"]
    assert results == [None, "lost"]
    (seen,) = (fields for fields in buttons(page, "battle") if fields["rank"] == "1" and "result" in fields)
    form = page[: page.index('name="result" value="lost"')].rpartition("<form")[2]
    tap(table, **seen | {"plan": re.findall(r'name="plan" value="([^"]*)"', form), "unseen": "1"})
    now = read_evening()
    assert now is not None
    assert (now.events[-1].won, now.events[-1].seen) == (False, True)


def test_whose_turn_it_is_stands_where_cards_are_tapped(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    pages = ("/resolve?pane=hall", "/resolve?pane=hand", f"/resolve?hand={HAND}&hall=griffon", "/village?pane=hand")
    for path in (*pages, f"/village?hand={HAND}"):
        assert "It is Ann’s turn." in table.get(path).text
        assert "Next turn, same hall" not in table.get(path).text


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


def rows(page: str) -> list[tuple[str, str, str]]:
    """What can be marked on the page of a visit: mark or unmark, the step, what is said of it."""
    found = re.findall(r'<button class="offer" name="(mark|unmark)" value="([^"]*)"[^>]*>(.*?)</button>', page, re.S)
    return [(name, step, re.sub(r"<[^>]+>", " ", text).strip()) for name, step, text in found]


def visit(phone: TestClient, hand: str, *marks: str) -> str:
    """The page of a visit once these steps are marked, one after the other."""
    page = phone.get("/village", params={"hand": hand}).text
    for step in marks:
        assert step in [each for name, each, _ in rows(page) if name == "mark"]
        form = re.search(r'<form class="stay" id="marks".*?</form>', page, re.S)
        assert form is not None
        kept = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])
        page = phone.get("/village", params=[*kept, ("mark", step)]).text
    return page


def end_turn(phone: TestClient, page: str) -> str:
    (form,) = (each for each in re.findall(r"<form.*?</form>", page, re.S) if 'name="do" value="visit"' in each)
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form):
        fields.setdefault(name, []).append(value)
    answer = phone.post("/evening", data=fields | {"unseen": "1"})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_visit_is_marked_on_one_page_and_kept_as_one_turn(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="correct", xp="3", player="Ann")
    before = read_evening()
    assert before is not None
    level = "level_up:militia,to:elf-wizard"
    page = visit(table, "militia,torch,torch,dagger,iron-rations,militia", "buy:torch", level)
    assert [step for name, step, _ in rows(page) if name == "unmark"] == ["buy:torch", level]
    assert "Bob, turn 2" in end_turn(table, page)
    now = read_evening()
    assert now is not None
    assert [event.do for event in now.events[2:]] == ["visit"]
    assert now.stacks["torch"] == before.stacks["torch"] - 1
    assert (now.players[0].deck["torch"], now.players[0].deck["militia"]) == (3, 5)
    assert now.players[0].deck.total() == 13
    assert now.players[0].xp == 0
    tap(table, do="undo")
    assert read_events() == before.events


def test_everything_can_be_bought_and_destroying_stands_apart(table: TestClient) -> None:
    assert table.post("/tonight", data={"code": WITH_TRAINER}).status_code == 200
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    now = read_evening()
    assert now is not None
    hand = "trainer,militia,militia,torch,dagger,iron-rations"
    page = visit(table, hand)
    offered = {step.removeprefix("buy:") for _, step, _ in rows(page) if step.startswith("buy:")}
    assert {each for each, left in now.stacks.items() if left} <= offered
    prices = [*map(int, re.findall(r"<small>(\d+) gold", page.partition('id="others"')[0]))]
    assert prices == sorted(prices, reverse=True) != []  # the best first, as without an evening
    assert 'name="buy"' in page
    head, _, tail = page.partition("These destroy cards")
    assert not any("Destroys" in text for _, _, text in rows(head))
    destroying = [step for name, step, text in rows(tail) if name == "mark" and "Destroys" in text]
    assert destroying
    end_turn(table, visit(table, hand, "buy:torch"))
    now = read_evening()
    assert now is not None
    assert now.events[-1].destroyed == ()
    tap(table, do="undo")
    end_turn(table, visit(table, hand, destroying[0]))
    now = read_evening()
    assert now is not None
    assert now.events[-1].destroyed


def test_a_card_that_is_typed_is_bought_and_a_refused_visit_is_not_kept(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    hand = "militia,torch,torch,dagger,iron-rations,militia"
    typed = table.get("/village", params={"hand": hand, "buy": "torch"})
    assert "plan=buy:torch" in str(typed.url)
    assert 'name="do" value="visit"' in typed.text
    dear = table.get("/village", params={"hand": hand, "plan": ["buy:fireball"]})
    assert dear.status_code == 422
    assert 'value="visit"' not in dear.text
    unknown = table.get("/village", params={"hand": hand, "buy": "qqqqq"})
    assert 'value="qqqqq"' in unknown.text
    assert read_events()[-1].do == "start"


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


@pytest.mark.parametrize(("table", "promised"), [(None, 0), (TOKEN, 1)], indirect=["table"])
def test_other_phones_are_spoken_of_only_where_they_may_come(table: TestClient, promised: int) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    pages = {
        "/": ["Invite a phone", "This phone is mine", "for all phones"],
        "/evening?player=Ann": ["This phone is mine"],
        "/resolve?hall=griffon&pane=hall": ["This is the hall, for all phones"],
    }
    for address, promises in pages.items():
        text = table.get(address).text
        assert {promise: text.count(promise) for promise in promises} == dict.fromkeys(promises, promised), address


def test_a_hall_that_was_tapped_in_comes_with_any_event(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    table.get("/resolve", params={"hall": "griffon,blink-dog", "pane": "hall"})
    end_turn(table, table.get("/village", params={"hand": FIRST}).text)
    now = read_evening()
    assert now is not None
    assert (now.hall, now.active.name) == (("griffon", "blink-dog", None), "Bob")
    table.get("/resolve", params={"hall": "nixie,griffon,suffering", "pane": "hall"})
    tap(table, do="hall", hall="blink-dog,griffon,suffering", stays="1")  # another phone
    end_turn(table, table.get("/village", params={"hand": FIRST}).text)
    now = read_evening()
    assert now is not None
    assert now.hall == ("blink-dog", "griffon", "suffering")


def test_a_hall_that_was_tapped_in_comes_with_the_end_of_a_turn(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    table.get("/resolve", params={"hall": "griffon,blink-dog", "pane": "hall"})
    (end,) = buttons(table.get("/").text, "next")
    tap(table, **end)
    now = read_evening()
    assert now is not None
    assert (now.hall, now.active.name) == (("griffon", "blink-dog", None), "Bob")


def test_the_odds_know_the_deck_of_the_evening(table: TestClient) -> None:
    """R2.2: beside the first hand lies the rest of the starting deck; nothing is typed, and nothing more tapped."""
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    drawing = "regian-priest,militia,militia,torch,dagger,iron-rations"
    page = table.get("/odds", params={"hand": drawing}).text
    assert re.search(r"Griffon.*?\d+(\.\d+)?\s?%", page, re.S)
    assert "%" not in table.get("/odds").text.partition("<main")[2]
    for text in (page, table.get("/turn", params={"hand": drawing}).text):
        assert re.search(r'name="deck_list"[^>]*>[^<]*Militia', text)


def test_another_hall_than_the_kept_one_is_told_first(table: TestClient) -> None:
    """Where a battle is refused for its hall, one tap puts the hall right and leads back to the battle."""
    tap(table, do="start", players=["Ann", "Bob"])
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    battle = {"do": "battle", "hand": HAND, "hall": "nixie,griffon,blink-dog", "rank": "1", "plan": ["attack:1"]}
    answer = table.post("/evening", data={"seen": version(), **battle})
    assert (answer.status_code, "Not kept" in answer.text) == (422, False)
    assert "The hall now: Nixie, Griffon and Blink Dog." in answer.text
    (told,) = buttons(answer.text, "hall")
    page = tap(table, **told)
    now = read_evening()
    assert now is not None
    assert now.hall == ("nixie", "griffon", "blink-dog")
    assert [form["rank"] for form in buttons(page, "battle")]
    assert "battle" not in [event.do for event in read_events()]


def test_a_breach_is_said_where_the_hall_was_tapped(table: TestClient) -> None:
    """R6.6: the monster came to rank 1 before anybody named it."""
    monsters = ["abyssal", "enchanted", "undead-doom"]
    made = generate_setup(players=4, require=monsters, seed=3, database=open_database())
    table.post("/tonight", data={"code": made.code})
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=FIRST, hall="griffon", rank="1", plan=["attack:1"])
    page = tap(table, do="hall", hall="archduke-of-pain,blink-dog,suffering", stays="1", to="/resolve")
    assert "It is Bob’s turn. Breach of Archduke of Pain: put right the decks" in page


def test_a_stone_that_was_tapped_in_ends_the_game_before_a_visit(table: TestClient) -> None:
    """R7.1."""
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    table.get("/resolve", params={"hall": "stone-of-mystery,griffon", "pane": "hall"})
    assert "The game is over" in end_turn(table, table.get("/village", params={"hand": FIRST}).text)
    assert [event.do for event in read_events()] == ["start", "hall"]


def test_a_button_acts_once_and_the_answer_is_the_table(table: TestClient) -> None:
    begin = {"do": "start", "seen": version(), "players": "Ann, Bob, Cy, Di"}
    assert [table.post("/evening", data=begin).status_code for _ in range(2)] == [200, 422]
    (end,) = buttons(table.get("/").text, "next")
    answers = [table.post("/evening", data=end) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 422, 422]
    assert all("Bob, turn 2" in answer.text for answer in answers)
    (undo,) = buttons(answers[-1].text, "undo")
    again = [table.post("/evening", data=undo) for _ in range(3)]
    assert all("Ann, turn 1" in answer.text for answer in again)
    assert [event.do for event in read_events()] == ["start"]


def test_the_score_knows_what_was_won(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=HAND, hall="griffon", rank="1", plan=["attack:1"], result="won", unseen="1")
    assert re.search(r"Ann.*?4", table.get("/score").text, re.S)


def test_the_score_of_an_evening_is_its_sheet_and_names_nobody_before_the_end(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=HAND, hall="griffon", rank="1", plan=["attack:1"], result="won", unseen="1")
    assert 'href="/evening"' in table.get("/resolve").text
    running = table.get("/score")
    assert str(running.url).endswith("/evening")
    assert "Winner" not in running.text
    first = table.get("/").text
    assert "Ann beats Griffon" in first
    assert "4 VP" in first


def test_the_winner_is_on_the_first_screen_and_no_turn_follows(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="battle", hand=HAND, hall="griffon", rank="1", plan=["attack:1"], result="won", unseen="1")
    tap(table, do="hall", hall="stone-of-mystery,blink-dog,suffering", stays="1")
    for path in ("/", f"/resolve?hand={HAND}&hall=blink-dog", f"/village?hand={HAND}", "/evening"):
        page = table.get(path).text
        assert re.search(r"The game is over: Ann wins, \d+ VP|Winner: Ann, \d+ VP", page)
        assert not [do for do in ("next", "battle", "visit", "rest") if buttons(page, do)]
    assert "Winner: Ann" in table.get("/score").text
    tap(table, do="undo")
    assert buttons(table.get("/").text, "next")


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
    assert f'href="/resolve?hand={HAND}&amp;pane=hand"' in page  # a slip
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


def test_the_toll_of_a_guardian_is_asked_for(table: TestClient) -> None:
    """R6.7: Dark Champion takes a card of every new hand."""
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    tap(table, do="correct", rank0="dark-champion")
    for do in ({"do": "battle", "rank": "1", "plan": ["attack:1"]}, {"do": "visit"}, {"do": "rest"}):
        page = refusal(table, hand=FIRST, **do)
        assert "Dark Champion takes 1 card of the new hand" in page
        assert "--toll" not in page
        assert re.findall(r'name="toll" value="([^"]*)"', page) == ["dagger", "iron-rations", "militia", "torch", ""]
    assert "The guardian takes: Torch." in tap(table, do="rest", hand=FIRST, toll="torch")
    tap(table, do="rest", hand=FIRST, toll="")
    assert [event.toll for event in read_events()[-2:]] == [("torch",), ()]


def test_what_was_drawn_is_asked_for_or_the_result(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    hand = "regian-priest,militia,militia,torch,dagger,iron-rations"
    battle = {"do": "battle", "hand": hand, "rank": "1", "unseen": "1", "plan": ["use:regian-priest", "attack:1"]}
    page = refusal(table, **battle)
    assert f'href="/resolve?hand={hand}&amp;pane=deck"' in page
    assert re.findall(r'name="result" value="([^"]*)"', page) == ["won", "lost"]
    tap(table, **battle | {"deck": "torch"})
    assert not read_events()[-1].won
    tap(table, do="undo")
    tap(table, **battle | {"result": "won"})
    assert (read_events()[-1].won, read_events()[-1].seen) == (True, True)


@pytest.mark.parametrize("result", ["", "lost"])
def test_a_defeat_that_a_draw_may_have_turned_is_asked_about(table: TestClient, result: str) -> None:
    """R2.2: Regian Priest draws; whether it was used, and what came, only the players know."""
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    tap(table, do="correct", more="regian-priest", player="Ann", stays="1")
    hand = "regian-priest,militia,militia,torch,dagger,iron-rations"
    page = table.get("/resolve", params={"hand": hand}).text
    offered = [fields for fields in buttons(page, "battle") if fields["rank"] == "1" and "result" not in fields]
    assert [fields.get("draws") for fields in offered] == ["1"]
    question = refusal(table, **offered[0] | {"plan": ["attack:1"]})
    assert "Ann may have drawn a card that wins: say what was drawn, or the result." in question
    (form,) = buttons(question, "battle")
    if not result:
        page = table.get("/resolve", params={"hand": hand, "deck": "dagger", "pane": "verdict"}).text
        form = next(fields for fields in buttons(page, "battle") if fields["rank"] == "1" and "result" not in fields)
    tap(table, **form | {"plan": ["attack:1"]} | ({"result": result} if result else {}))
    assert (read_events()[-1].won, Counter(read_events()[-1].hand)["dagger"]) == (False, 1 if result else 2)


def test_no_battle_and_no_visit_without_a_hand(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    for fields in ({"do": "battle", "plan": "attack:1"}, {"do": "battle", "result": "won"}, {"do": "visit"}):
        assert "The hand is empty" in refusal(table, hand="", **fields)


def test_a_name_opens_what_can_be_corrected(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    assert 'href="/evening?player=Bob"' in table.get("/").text
    for name, value, xp, militia, total in (
        ("xp", "1", 1, 6, 12), ("more", "griffon", 1, 6, 13),
        ("less", "militia", 1, 5, 12), ("more", "dagger", 1, 5, 13),
    ):  # fmt: skip
        page = table.get("/evening", params={"player": "Bob"}).text
        assert name == "more" or f'name="{name}" value="{value}"' in page
        (fields,) = [each for each in buttons(page, "correct") if "xp" in each]
        kept = {key: fields[key] for key in ("do", "seen", "stays", "to", "player")}
        answer = table.post("/evening", data=kept | {name: value})
        assert str(answer.url).endswith("/evening?player=Bob")
        now = read_evening()
        assert now is not None
        assert (now.players[1].xp, now.players[1].deck["militia"], now.players[1].deck.total()) == (xp, militia, total)
    assert "Bob" in table.get("/").text
    for _ in range(4):
        tap(table, do="undo")
    assert [event.do for event in read_events()] == ["start"]


def test_what_is_bought_by_a_name_that_nobody_knows_stays_in_its_field(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/village", params={"hand": HAND, "pane": "gold", "buy": "zzzz"}).text
    assert re.search(r'<input id="buy"[^>]* value="zzzz" aria-invalid="true"', page)
    assert page.count("No card is called “zzzz”") == 1
    assert "zzzz" in page.partition('id="fault">')[2].partition("</p>")[0]


@pytest.mark.parametrize("of", ["deck", "penalties"])
def test_a_mistyped_correction_comes_back_with_its_mistake(table: TestClient, of: str) -> None:
    """Beside its field, on the page of that player, from which the next try is kept."""
    code = generate_setup(players=2, sets=["base", "wrath"], variant="marauding", seed=3, database=open_database()).code
    table.post("/tonight", data={"code": code})
    tap(table, do="start", players="Ann, Bob")
    page = table.get("/evening?player=Bob").text
    for typed, status in (("grifon, zzzz", 422), ("griffon", 200)):
        fields = next(form for form in buttons(page, "correct") if form.get("of") == of)
        answer = table.post("/evening", data=fields | {"more": typed})
        page = answer.text
        assert answer.status_code == status
        assert "<h1>Bob</h1>" in page
        field = re.search(rf'<input id="more-{of}"[^>]*>', page)
        assert field is not None
        assert (f'value="{typed}" aria-invalid="true"' in field[0]) == (status == 422)
        assert ("zzzz" in page.partition('id="mistake"')[2].partition("</p>")[0]) == (status == 422)
    now = read_evening()
    assert now is not None
    assert Counter(events.listed_cards(now, now.players[1])[of])["griffon"] == 1


@pytest.mark.parametrize(
    ("options", "at", "of", "card"),
    [
        ({"require": ["dark-champion"]}, "stacks=1", "rank0", "dark-champion"),
        ({"require": ["the-cage"]}, "stacks=1", "caged", "elf-wizard"),
        ({"variant": "solo"}, "stacks=1", "escaped", "griffon"),
        ({"variant": "marauding"}, "player=Ann", "penalties", "griffon"),
    ],
)
def test_what_lies_elsewhere_is_corrected_card_by_card(
    table: TestClient, options: dict[str, Any], at: str, of: str, card: str
) -> None:
    """R6.7, R6.10, R9.5, R9.6: where the set-up has such a place, its cards are added and taken away."""
    wanted = {"players": 1 if options.get("variant") == "solo" else 2, "sets": ["base", "wrath"], "seed": 3}
    table.post("/tonight", data={"code": generate_setup(**wanted | options, database=open_database()).code})
    tap(table, do="start", players="Ann, Bob" if wanted["players"] == 2 else "Ann")
    before = read_events()
    for name, there in (("more", [card]), ("less", [])):
        page = table.get(f"/evening?{at}").text
        assert f'name="{name}" value="{card}"' in page or name == "more"
        fields, *_ = (form for form in buttons(page, "correct") if form.get("of") == of)
        kept = {key: fields[key] for key in ("do", "seen", "stays", "to", "player", "of") if key in fields}
        answer = table.post("/evening", data=kept | {name: card})
        assert str(answer.url).endswith(f"/evening?{at}")
        now = read_evening()
        assert now is not None
        assert list(events.listed_cards(now, now.players[0])[of]) == there
        assert Language(open_database(), "en").card(card) in table.get("/").text or not there
    for _ in range(2):
        tap(table, do="undo")
    assert read_events() == before
    assert 'name="of" value="rank0"' not in table.get(f"/evening?{at}").text or of == "rank0"


def test_tokens_are_corrected_where_monsters_wait(table: TestClient) -> None:
    """R9.6."""
    assert 'name="tokens"' not in table.get("/evening?stacks=1").text
    monsters = ["enchanted", "undead-doom"]
    made = generate_setup(players=2, variant="marauding", require=monsters, seed=3, database=open_database())
    table.post("/tonight", data={"code": made.code})
    tap(table, do="start", players="Ann, Bob")
    tap(table, do="hall", hall="griffon,blink-dog,suffering", stays="1")
    assert 'name="tokens" value="1"' in table.get("/evening?stacks=1").text
    tap(table, do="correct", tokens="1")
    now = read_evening()
    assert now is not None
    assert now.tokens == 1
    assert "Tokens on the rank 1 monster: 1." in table.get("/").text
    assert not buttons(table.get("/").text, "penalty")
    (penalty,) = buttons(tap(table, do="correct", tokens="2"), "penalty")
    assert "Ann, turn 1" in tap(table, **penalty)
    now = read_evening()
    assert now is not None
    assert (now.penalties, now.hall) == ({"Ann": 1}, ("blink-dog", "suffering", None))


def test_a_correction_of_what_is_so_is_no_event(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    for fields in ({}, {"xp": "0"}, {"more": ""}, {"stacks": "7 torch"}, {"rank0": ""}):
        assert "Nothing changes" in refusal(table, do="correct", player="Ann", **fields)


def test_a_stack_opens_its_number(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    page = table.get("/evening?stacks=1").text
    assert 'name="stacks" value="6 torch"' in page
    (fields,) = buttons(page, "correct")
    table.post("/evening", data={key: fields[key] for key in ("do", "seen", "stays", "to")} | {"stacks": "6 torch"})
    now = read_evening()
    assert now is not None
    assert (now.stacks["torch"], now.active.name) == (6, "Ann")
    assert 'href="/resolve?pane=hall"' in table.get("/").text


def test_after_the_end_no_turn_is_taken(table: TestClient) -> None:
    tap(table, do="start", players="Ann, Bob, Cy, Di")
    tap(table, do="hall", hall="griffon,stone-of-mystery,suffering", stays="1")
    tap(table, do="battle", hand=FIRST, rank="1", plan=["attack:1"], result="won")
    assert "The game is over: Ann wins" in table.get("/").text
    assert "The game is over" in refusal(table, do="next")
    tap(table, do="correct", player="Bob", xp="2")
    tap(table, do="end")
    assert "Winner: Ann, 7 VP" in table.get("/evening").text


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (["Ann", "Bob", "Cy", "Di"], ["Ann", "Bob", "Cy", "Di"]),
        (["Ann", "", "Cy", ""], ["Ann", "Player 2", "Cy", "Player 4"]),
        (["", "", "", ""], ["Player 1", "Player 2", "Player 3", "Player 4"]),
        (["Ann, Bob and Cid", "", "", "Di"], ["Ann", "Bob", "Cid", "Di"]),
        (["Ania i Bob; Ян и Ира", "", "", ""], ["Ania", "Bob", "Ян", "Ира"]),
    ],
)
def test_each_player_has_a_field_that_may_stay_empty(table: TestClient, typed: list[str], names: list[str]) -> None:
    assert table.get("/").text.count('name="players"') == 4
    tap(table, do="start", players=typed)
    assert list(read_events()[0].players) == names


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        (["Ann", "Bob", "ann", ""], 2),
        (["Ann", "B" * 60, "Cy", ""], 1),
        (["Ann, Bob, Cy, Di", "", "Ed", ""], 2),
        (["Ann,, Bob", "", "", "Di"], 0),
    ],
)
def test_a_mistake_stands_beside_its_field_and_no_name_is_lost(table: TestClient, typed: list[str], field: int) -> None:
    page = refusal(table, do="start", players=typed)
    fields = re.findall(r'<input name="players".*?>', page)
    assert [re.findall(r'value="([^"]*)"', tag)[0] for tag in fields] == typed
    assert ["aria-invalid" in tag for tag in fields].index(True) == field
    following = page.partition(fields[field])[2].lstrip()
    assert following.startswith('<p class="sentence" id="mistake" role="alert">')
    assert "--" not in (sentence := following.partition("</p>")[0])
    assert "There is no name" in sentence or field
