"""Puzzles on the phone: tapped card by card as a player would, without scripts, and judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.several import first
from thunderref.database.read import Language, open_database

from .conftest import Phone
from .test_plan import words as said

PUZZLES = open_database().puzzles
SOLVED, BETTER = "Solved: no play is better.", "Not solved yet: another play is better."
LEFT_OPEN = "What you left open was chosen for you"


def tap(client: TestClient, address: str, name: str, value: str) -> str:
    """The address after a tap on a button that is there."""
    page = client.get(address).text
    form = next(
        (one for one in re.findall(r"<form.*?</form>", page, re.S) if f'name="{name}" value="{value}"' in one), ""
    )
    assert form, (address, name, value)
    fields = [(key, unescape(text)) for key, text in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)]
    answer = client.get("/puzzle", params=[*fields, (name, value)])
    return answer.headers["location"] if answer.status_code == 303 else str(answer.url)


def played(client: TestClient, number: int, taps: Iterable[tuple[str, str]], rank: int) -> str:
    """The address after cards were tapped, each with what to do with it, then the monster."""
    address = f"/puzzle?n={number}"
    for card, to in taps:
        address = tap(client, tap(client, address, "held", card), "hero", to)
    return tap(client, address, "attack", str(rank))


def taps_of(solution: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """What somebody taps for a solution; what the tiles do not ask for, the engine chooses as well as it can."""
    found, fought = list[tuple[str, str]](), False
    for step in solution:
        fought = fought or "attack" in step  # what comes after the battle is not tapped
        if "forgo" in step:
            found.append((step["forgo"], "!"))
        elif "equip" in step:
            found.append((step["equip"], step["to"]))
        elif "use" in step and not fought:
            found.append((step["use"], step.get("on") or ("2" if "effect" in step else "+")))
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("number", first(range(1, len(PUZZLES) + 1), 12))
def test_a_puzzle_is_solved_by_tapping(phone: Phone, number: int) -> None:
    solution = PUZZLES[number - 1].solution
    [rank] = [step["attack"] for step in solution if "attack" in step]
    page = phone().get(played(phone(), number, taps_of(solution), rank))
    assert page.status_code == 200
    assert SOLVED in said(page.text)


def test_a_play_that_loses_is_judged_with_its_sum(phone: Phone) -> None:
    """Eaten, the rations give 2 + 2 + 2 = 6 against 7 (the text of the first puzzle)."""
    client = phone()
    page = client.get(played(client, 1, [("thyrian-squire", "+"), ("polearm", "thyrian-squire")], 1))
    assert page.status_code == 200
    told = said(page.text)
    assert BETTER in told
    assert SOLVED not in told
    assert "6 against 7 Not beaten, 1 short" in told
    assert "4 + Polearm 2 = 6 against Health 7" in told
    assert LEFT_OPEN in told  # what the Squire eats


def test_a_play_that_is_all_chosen_leaves_nothing_open(phone: Phone) -> None:
    taps = [("iron-rations", "thyrian-squire"), ("polearm", "thyrian-squire")]
    told = said(phone().get(played(phone(), 1, taps, 1)).text)
    assert SOLVED in told
    assert LEFT_OPEN not in told
    assert "Thyrian Squire 2 + Polearm 6 = 8 against Health 7" in told


def test_a_card_in_the_deck_is_told_apart(phone: Phone) -> None:
    page = said(phone().get("/puzzle?n=40").text)
    assert "Dagger in the deck" in page
    assert "Short Sword in the deck" not in page


def test_a_victory_that_loses_too_much_is_no_solution(phone: Phone) -> None:
    """All three lights burnt: it wins, with one item less than need be."""
    page = said(phone().get(played(phone(), 43, [("blind-neophyte", "+")] * 3, 1)).text)
    assert "Beaten" in page
    assert BETTER in page


def test_another_monster_than_the_one_asked_for_is_no_solution(phone: Phone) -> None:
    client, puzzle = phone(), PUZZLES[40]
    assert puzzle.scenario["target"] == 3
    page = client.get("/puzzle?n=41").text
    assert 'name="attack" value="3"' in page
    assert 'name="attack" value="1"' not in page
    assert SOLVED not in said(client.get("/puzzle?n=41&plan=attack:1").text)
    assert client.get("/puzzle?n=41&attack=1").headers["location"] == "/puzzle?n=41"


def test_what_the_rules_forbid_is_refused_with_the_rule(phone: Phone) -> None:
    client = phone()
    page = client.get(played(client, 14, [("short-bow", "elf-sorcerer")], 1))
    assert page.status_code == 422
    assert "Short Bow weighs 4, Elf Sorcerer has Strength 3 ( R4.3 )" in said(page.text)
    assert SOLVED not in page.text


def test_a_card_is_left_out_again(phone: Phone) -> None:
    client = phone()
    address = tap(client, tap(client, "/puzzle?n=1", "held", "polearm"), "hero", "thyrian-squire")
    assert address == "/puzzle?plan=equip:polearm,to:thyrian-squire&n=1"
    assert "→ Thyrian Squire" in said(client.get(address).text)
    assert tap(client, tap(client, address, "held", "polearm"), "hero", "-") == "/puzzle?n=1"


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_answer_only_where_it_is_asked_for(phone: Phone, lang: str) -> None:
    client, words = phone(lang=lang), Language(open_database(), lang)
    why = words.text("puzzle.conjure-the-polearm")
    assert why is not None
    page = client.get("/puzzle?n=12")
    assert why[:40] not in said(page.text)
    assert 'class="target' not in page.text
    assert 'href="/puzzle?n=12&amp;answer=1"' in page.text
    told = said(client.get("/puzzle?n=12&answer=1").text)
    assert why[:40] in told
    assert "10" in told
    assert words.say("serve.puzzle.back") in told


def test_the_answer_keeps_what_was_tapped(phone: Phone) -> None:
    page = unescape(phone().get("/puzzle?n=1&plan=equip:polearm,to:thyrian-squire&answer=1").text)
    assert 'href="/puzzle?plan=equip:polearm,to:thyrian-squire&n=1"' in page


@pytest.mark.parametrize("n", ["0", "61", "-1", "x", "<b>", "9" * 300, "²"])
def test_a_number_that_no_puzzle_has(phone: Phone, n: str) -> None:
    answer = phone().get("/puzzle", params={"n": n})
    assert answer.status_code == 422
    assert "choose a number from 1 to 60" in said(answer.text)
    assert "<b>" not in answer.text.partition("<main")[2].partition("</main>")[0]


@pytest.mark.parametrize("plan", ["attack:x", "zzz", "attack:1&plan=attack:1", "equip:polearm&plan=attack:1", "rest:-"])
def test_a_plan_that_cannot_be_read(phone: Phone, plan: str) -> None:
    answer = phone().get(f"/puzzle?n=1&plan={plan}&held=zzz")
    assert answer.status_code in (200, 422)
    assert SOLVED not in answer.text


def test_one_is_drawn_and_stands_in_the_address(phone: Phone) -> None:
    client = phone()
    assert 'href="/puzzle"' in client.get("/").text
    drawn = {client.get("/puzzle").headers["location"] for _ in range(30)}
    assert len(drawn) > 5
    assert drawn <= {f"/puzzle?n={number}" for number in range(1, 61)}
