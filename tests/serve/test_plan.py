"""A battle planned by tapping: a card for another hero, an attack that fails, other plays, cards that were drawn."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from thunderref.database.read import open_database
from thunderref.serve import tapped_pages, typed_pages
from thunderref.serve.plan import read_plan, write_plan
from thunderref.serve.searches import MOST_SECONDS
from thunderref.thunderstone.resolve.result import TargetResult

from .conftest import CODE, Phone
from .test_pages import BATTLE, HALL, PLAN


def opened(page: str) -> str:
    """The target that shows open, without what is folded in it."""
    ends = '<details class="target', '<p class="two', '<ul class="links"><li><a href="/odds'
    found = re.search(rf'<details class="target [^>]* open>(.*?)(?={"|".join(ends)})', page, re.S)
    assert found is not None
    return re.sub(r'<details class="more".*?</details>', "", found[1], flags=re.S)


def words(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def form(page: str, button: str) -> list[tuple[str, str]]:
    """What the form with a button of this name sends beside it."""
    found = next(one for one in re.findall(r"<form.*?</form>", opened(page), re.S) if f'name="{button}"' in one)
    return re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', found)


def tap(client: TestClient, address: str, name: str, value: str) -> str:
    """The address after a tap in the open target, without scripts."""
    page = client.get(address).text
    assert f'name="{name}" value="{value}"' in opened(page)
    answer = client.get("/resolve", params=[*form(page, name), (name, value)])
    return answer.headers["location"] if answer.status_code == 303 else str(answer.url)


def test_every_plan_stands_in_an_address() -> None:
    """Those of the puzzles have steps of every kind: lists, copies, ranks, nothing."""
    plans = [puzzle.solution for puzzle in open_database().puzzles]
    assert len(plans) > 10
    for plan in (*plans, [{"rest": None}, {"use": "x", "order": ["a", None, "b"]}, {"use": "y", "top": ["z"]}]):
        assert read_plan(write_plan(plan)) == plan


def test_a_sword_for_another_hero_is_tapped_with_its_hero(phone: Phone) -> None:
    """Griffon is the best target. The Elf Wizard is too weak for the sword (R4.3); with the rations it would do."""
    client = phone()
    held = tap(client, BATTLE, "held", "short-sword")
    assert "held=short-sword" in held
    address = tap(client, held, "hero", "elf-wizard")
    assert (
        address
        == f"{BATTLE}&pane=verdict&plan=use:iron-rations,on:militia&plan=equip:short-sword,to:elf-wizard&plan=attack:2"
    )
    answer = client.get(address)
    assert answer.status_code == 422
    told = words(opened(answer.text))
    assert "Not allowed" in told
    assert "Short Sword weighs 4, Elf Wizard has Strength 3 ( R4.3 )" in told
    assert "Short Sword → Elf Wizard 8 against 7" in told
    assert "Do this" not in told


def test_without_the_sword_eight_become_four(phone: Phone) -> None:
    client = phone()
    address = tap(client, tap(client, BATTLE, "held", "short-sword"), "hero", "-")
    page = client.get(address)
    assert page.status_code == 200
    told = words(opened(page.text))
    assert "4 against 7 Not beaten, 3 short" in told
    assert "8 → 4" in told
    assert "Short Sword gives nothing: no hero holds it. R4.3" in told
    assert 'href="/resolve?hall=blink-dog,suffering"' in page.text  # the hall after this play


def test_two_moves_make_a_plan_that_is_refused_between_them(phone: Phone) -> None:
    client, address = phone(), BATTLE
    for card in ("short-sword", "iron-rations"):
        address = tap(client, tap(client, address, "held", card), "hero", "elf-wizard")
    told = words(opened(client.get(address).text))
    assert "Give Short Sword to Elf Wizard." in told
    assert "8 against 7 Beaten" in told


def test_another_hand_has_no_plan_of_this_one(phone: Phone) -> None:
    page = phone().get(f"{BATTLE}&{PLAN}&deck=torch&pane=hand").text
    assert 'name="plan"' not in page[page.index('<form id="taps"') :]
    answer = phone().get(f"{BATTLE}&{PLAN}&pane=hand&to=hand&add=torch")
    assert "plan" not in answer.headers["location"]
    assert f'href="/resolve?{HALL}"' in phone().get(f"{BATTLE}&{PLAN}&deck=torch").text  # the next turn, same hall


def test_attack_anyway_says_what_is_lost(phone: Phone) -> None:
    page = phone().get(f"{BATTLE}&plan=attack:3").text
    assert "Suffering 2 against 6 Not beaten, 4 short" in words(opened(page))
    told = words(page).partition("If you attack anyway")[2]
    assert "You gain Disease" in told
    assert "Suffering goes under the dungeon deck." in told
    assert "The hall afterwards: rank 1 Blink Dog, rank 2 Griffon, rank 3 unknown." in told


def test_what_else_beats_the_monster(phone: Phone) -> None:
    client = phone()
    assert "others=1#plan-2" in client.get(BATTLE).text
    page = opened(client.get(f"{BATTLE}&{PLAN}&others=1").text)
    assert "✓ Short Sword → Elf Wizard 8 against 7" in words(page)
    assert "plan=use:iron-rations,on:elf-wizard&amp;plan=equip:short-sword,to:elf-wizard&amp;plan=attack:2" in page


def test_cards_that_were_drawn_are_tapped(phone: Phone) -> None:
    client, address = phone(), f"/resolve?{HALL}&hand=militia,arcane-energies,elf-wizard"
    page = client.get(f"{address}&pane=verdict").text
    assert "Not beaten, 6 short" in words(opened(page))
    assert f'href="{address}&pane=deck"' in unescape(page)
    taps = client.get(f"{address}&pane=deck").text
    assert 'data-list="deck"' in taps
    answer = client.get(f"{address}&pane=deck&to=deck&add=fireball")
    assert answer.headers["location"] == f"{address}&deck=fireball&pane=deck"
    told = words(opened(client.get(f"{address}&deck=fireball&pane=verdict").text))
    assert "You draw Fireball (for Arcane Energies)." in told
    assert "6 against 3 Beaten" in told


@pytest.mark.parametrize(
    "plan",
    [
        "plan=equip:short-sword,to:militia%23x&plan=attack:2&others=1",
        "plan=attack:7",
        "plan=zzz",
        "plan=equip:short-sword&plan=attack:2",
        "plan=use:,on:&plan=attack:1",
    ],
)
def test_a_plan_that_cannot_be_read_is_told_so(phone: Phone, plan: str) -> None:
    client = phone()
    answer = client.get(f"{BATTLE}&{plan}", follow_redirects=True)
    assert answer.status_code == 422
    assert '<p class="sentence">' in answer.text


def test_wishes_and_a_variant_are_drawn_and_one_part_again(phone: Phone) -> None:
    client = phone(None)
    drawn = client.get("/setup?players=4&set=base&set=wrath&variant=epic&require=dwarf,+fireball&exclude=banish")
    page = client.get(drawn.headers["location"]).text
    assert "Epic Campaign" in page
    parts = dict(re.findall(r'href="(/setup\?code=\w+&amp;reroll=([\w-]+))[&"]', page))
    assert {"dwarf", "fireball"} <= {*parts.values()}
    assert "banish" not in parts.values()
    again = client.get(f"{drawn.headers['location']}&reroll=dwarf")
    assert again.status_code == 303
    left = re.findall(r"reroll=([\w-]+)", client.get(again.headers["location"]).text)
    assert {*parts.values()} - {*left} == {"dwarf"}
    refused = client.get("/setup?players=4&require=fireball&exclude=fireball")
    assert refused.status_code == 422
    assert 'value="fireball"' in refused.text


@pytest.mark.parametrize(("lang", "asked"), [("en", "How will"), ("pl", "Jaka to"), ("ru", "Какой будет")])
def test_what_a_set_up_is_like_is_one_tap_away(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, lang: str, asked: str
) -> None:
    monkeypatch.setattr(typed_pages, "SAMPLE_GAMES", 2)
    client = phone(None)
    page = client.get(f"/setup?code={CODE}&lang={lang}").text
    link = re.search(rf'href="([^"]*simulate=1[^"]*)">{asked}', page)
    assert link
    answered = client.get(link[1].replace("&amp;", "&"))
    assert answered.status_code == 200
    assert answered.text.index("planner, planner") < answered.text.index('id="picture"')
    assert f">{asked}" not in answered.text


@pytest.mark.parametrize("cut", ["proven", "missing_proven"])
def test_a_longer_search_is_offered_where_it_may_find_more(
    phone: Phone, monkeypatch: pytest.MonkeyPatch, cut: str
) -> None:
    """Not where the best line and what is missing are proven, and not where the longest search has been made."""
    client, view = phone(), tapped_pages._target_view
    offered = "Search longer"
    assert offered not in client.get(f"{BATTLE}&pane=verdict").text

    def unproven(target: TargetResult, *more: Any, **words: Any) -> Any:
        return view(replace(target, **{cut: False}), *more, **words)

    monkeypatch.setattr(tapped_pages, "_target_view", unproven)
    assert offered in client.get(f"{BATTLE}&pane=verdict").text
    assert offered not in client.get(f"{BATTLE}&pane=verdict&budget={MOST_SECONDS:g}").text
