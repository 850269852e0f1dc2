"""``turn --games``: ways to begin a turn, compared by games played on from it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import astuple

import thunderref
from support.random_games import STORE
from thunderref.budget import Budget
from thunderref.database.read import Language
from thunderref.errors import InputError
from thunderref.rng import SplitMix64
from thunderref.thunderstone.bots.turn import average_hands, view_of
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.resolve.documents import TurnDocument
from thunderref.thunderstone.rules.choices import VILLAGE, Buy
from thunderref.thunderstone.rules.position import replace, table_of
from thunderref.thunderstone.setup.setup import generate_setup
from thunderref.thunderstone.simulate.advice import (
    behind,
    compare,
    deals_of,
    first_turns,
    play_deals,
    with_dungeon,
)
from thunderref.thunderstone.table import runner
from thunderref.thunderstone.table.record import deal, open_game

LAST: dict[str, Any] = {
    "hand": ["2 militia", "thyrian squire", "regian priest", "spear", "torch"],
    "hall": ["griffon", "stone-of-mystery", "kingdom"], "stacks": ["banish", "short sword"], "dungeon_size": 12,
}  # fmt: skip
"""To beat the Griffon brings the stone to rank 1, with more VP than the other has."""
RICH: dict[str, Any] = {
    "hand": ["3 torch", "2 dagger", "disease"], "hall": ["griffon", "kingdom", "skaladak"],
    "stacks": ["6 outlands warrior"], "dungeon_size": 28,
}  # fmt: skip
"""The only card on offer is a good hero, and nothing in the hall can be beaten."""


def test_who_wins_the_game_at_once_fights() -> None:
    found = thunderref.turn(LAST, games=60, bot="greedy")
    games = found.basis.games
    assert games is not None
    best, *others = games.choices
    assert (found.advice, games.stopped, best.win_rate) == ("dungeon", "clear", 1)
    assert best.choice == {"turn": "dungeon", "monster": "griffon", "rank": 1}
    assert (best.difference, best.difference_interval) == (None, None)
    assert {each.choice["turn"] for each in others} == {"village", "rest"}
    for each in others:
        assert each.difference is not None
        assert each.difference_interval is not None
        assert each.difference_interval[1] < 0
        assert each.difference == pytest.approx(each.win_rate - 1, abs=1e-3)
    assert found.basis.by == "games"
    assert found.basis.interval == best.interval
    assert found.because["en"].startswith("Fight Griffon in rank 1: that wins 100 % of the games played on from here;")


def test_a_good_hero_is_bought() -> None:
    found = thunderref.turn(RICH, games=400, bot="greedy")
    games = found.basis.games
    assert games is not None
    assert (found.advice, games.stopped) == ("village", "clear")
    assert games.choices[0].choice["buy"] == ["outlands-warrior"]
    assert games.games == sum(each.games for each in games.choices)
    assert found.basis.assumed == ["deck_list", "others", "dungeon"]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_same_document_has_the_same_answer(workers: int) -> None:
    found = (thunderref.turn(RICH, games=15, workers=n, bot="greedy") for n in (workers, 1))
    assert next(found) == next(found)


def test_without_time_it_answers_with_what_there_is() -> None:
    games = thunderref.turn(RICH, games=5000, budget=1e-6).basis.games
    assert games is not None
    assert games.stopped == "time"
    assert {each.games for each in games.choices} == {5}


@pytest.mark.parametrize("games", [0, -1, 100_001])
def test_the_number_of_games_has_limits(games: int, cli: Any) -> None:
    with pytest.raises(InputError, match="ask for 1 to 100000"):
        thunderref.turn(RICH, games=games)
    answer = cli("turn", "3 torch", "--games", str(games))
    assert answer.status == 2
    assert "ask for 1 to 100000" in answer.err


def test_a_bot_that_there_is_not() -> None:
    with pytest.raises(InputError, match="nobody"):
        thunderref.turn(RICH, games=5, bot="nobody")


def test_the_level_up_is_weighed_too() -> None:
    document = RICH | {"hand": ["3 torch", "2 dagger", "thyrian squire"], "xp": 4}
    document |= {"stacks": ["3 thyrian knight", "6 outlands warrior"]}
    turns = first_turns(view_of(TurnDocument(**document), Language(STORE, "en")))
    told = [each.summary for each in turns if each.summary["turn"] == "village"]
    assert {"turn": "village", "buy": ["outlands-warrior"], "destroy": [], "level_up": []} in told
    assert any(each["level_up"] == [("thyrian-squire", "thyrian-knight")] for each in told)
    assert all(each.line[:2] == (VILLAGE, Buy(each.summary["buy"][0])) for each in turns if each.summary.get("buy"))


def test_hidden_order_plays_no_part() -> None:
    setup = generate_setup(database=STORE, seed=5, players=2, sets=["base"])
    game, position = open_game(setup, deal(setup, 1))
    other = replace(position, dungeon=position.dungeon[::-1], deck=position.deck[::-1])
    views = [View(game, each, lambda: SplitMix64(1)) for each in (position, other)]
    lines = [each.line for each in first_turns(views[0])]
    one, two = (compare(view, lines, 10, "greedy", Budget(), 1) for view in views)
    assert one == two


def test_the_dungeon_is_that_of_the_set_up() -> None:
    """What is not seen of it, and no more: the hall, what somebody owns and Horde cards are gone."""
    setup = generate_setup(database=STORE, code=None, seed=2, players=2, sets=["wrath"], require=["horde"])
    game, position = open_game(setup, deal(setup, 1))
    whole = Counter([*position.dungeon, *(foe.card for foe in position.hall)])
    asked = TurnDocument(hand=["torch"], hall=[foe.card for foe in position.hall], decks=[["torch"], ["militia"]])
    view = with_dungeon(view_of(asked, Language(STORE, "en")), setup, None)
    assert Counter([*view.dungeon, *(foe.card for foe in view.hall)]) == whole
    assert (view.hall, view.table.horde) == (position.hall, table_of(position).horde)
    monster = next(card for card in position.dungeon if game.cards[card].kind == "monster" and "horde" not in card)
    asked = replace(asked, decks=[["torch"], ["militia", monster]], dungeon_size=20, hall=[])
    view = with_dungeon(view_of(asked, Language(STORE, "en")), setup, 20)
    assert view.dungeon_size == 20
    assert view.dungeon.count(monster) < whole[monster]
    assert all(foe.card for foe in view.hall)


@pytest.mark.parametrize(("variant", "players"), [("solo", 1), ("marauding", 3), ("epic", 3), ("normal", 3)])
def test_the_variant_of_the_set_up_is_played(variant: str, players: int) -> None:
    setup = generate_setup(database=STORE, seed=3, players=players, variant=variant)
    asked = {"hand": ["6 militia"], "hall": ["griffon", "suffering", "sphinx"], "code": setup.code}
    words = Language(STORE, "en")
    view = with_dungeon(view_of(TurnDocument(**asked, players=players), words), setup, None)
    assert view.game.variant.name == (variant if variant in ("solo", "marauding") else "normal")
    assert len(view.others) == players - 1
    assert sum(view.cards[card].kind == "thunderstone" for card in view.dungeon) == (2 if variant == "epic" else 1)
    found = thunderref.turn(asked, games=4)
    unknown = {"deck_list", "stacks", *(["others"] if players > 1 else []), variant} - {"epic", "normal"}
    assert {*found.basis.assumed} == unknown
    assert found.basis.games is not None
    assert found.basis.games.bot == "lookahead"


def test_of_two_stones_the_other_is_still_to_come() -> None:
    epic, normal = (generate_setup(database=STORE, seed=3, players=3, variant=each) for each in ("epic", "normal"))
    first, second = epic.content.stones
    (only,) = normal.content.stones
    (other,) = {first, second} - {only}
    for setup, stone, left in (
        (epic, first, [second]),
        (epic, second, [first]),
        (normal, only, []),
        (normal, other, []),
    ):
        asked = TurnDocument(hand=["torch"], hall=[None, stone], code=setup.code, players=3)
        view = with_dungeon(view_of(asked, Language(STORE, "en")), setup, None)
        assert [card for card in view.dungeon if view.cards[card].kind == "thunderstone"] == left


def test_alone_a_game_called_off_is_not_won(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = generate_setup(database=STORE, seed=3, players=1, variant="solo")
    asked = TurnDocument(hand=["torch"], hall=["griffon"], code=setup.code, players=1)
    view = with_dungeon(view_of(asked, Language(STORE, "en")), setup, None)
    lines = [each.line for each in first_turns(view)]
    task = deals_of(view, "greedy")._replace(lines=tuple(lines), size=1)
    monkeypatch.setattr(runner, "ROUNDS", 1)
    assert play_deals(task) == [[0.0] * len(lines)]


def test_few_games_that_end_alike_prove_nothing() -> None:
    low, high = behind([0.0] * 40, [0.0] * 40)
    assert low < -0.02
    assert high > 0.02
    assert behind([1.0] * 40, [0.0] * 40, 2.58)[1] < 0


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ["Fight Griffon in rank 1: 100 % (91 to 100), 40 games"]),
        ("pl", ["Zaatakuj Gryfa w szeregu 1: 100% (od 91 do 100), 40 gier"]),
        ("ru", ["Атакуйте Грифона в ряду 1: 100 % (от 91 до 100), партий: 40"]),
    ],
)
def test_the_chances_stand_below_the_advice(cli: Any, lang: str, said: list[str]) -> None:
    words = ("turn", ", ".join(LAST["hand"]), "--hall", ", ".join(LAST["hall"]), "--stacks", "banish, short sword")
    answer = cli(*words, "--dungeon-size", "12", "--games", "40", "--lang", lang)
    assert answer.status == 0
    assert all(each in answer.out for each in said)
    assert thunderref.turn(LAST, games=40).because[lang] in answer.out.replace("\n    ", " ")


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_on_a_terminal_the_advice_of_games_stays_in_sight(cli: Any, monkeypatch: Any, lang: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    words = ("turn", "2 militia, torch, dagger, iron rations, elf wizard vs griffon, suffering, sphinx", "--lang", lang)
    say = Language(STORE, lang).say
    shown, whole, quick = (cli(*words, *more).out for more in (("--games", "4"), ("--games", "4", "--more"), ()))
    for key in ("dungeon", "village", "rest"):  # that battle cannot be won
        assert [f"  {say(f'turn.{key}')}\n" in each for each in (shown, whole, quick)] == [False, True, True]
    assert say("turn.advice") in shown
    assert [each.rstrip().endswith(say("page.more")) for each in (shown, whole, quick)] == [True, False, False]
    assert len(shown.splitlines()) <= 23
    won = cli("turn", ", ".join(LAST["hand"]), "--hall", ", ".join(LAST["hall"]), "--games", "4", "--lang", lang).out
    keys = ("dungeon.most", "village", "rest")
    assert [f"  {say(f'turn.{key}')}\n" in won for key in keys] == [True, False, False]


AVERAGES = {
    "the starting deck without a Militia": (
        {"hand": ["4 militia", "dagger", "torch"]}, {"destroy": ["militia"]},
        (5, 4, 1), (5.45, 3.82, 1.09),
    ),
    "with a Polearm bought": (
        {"hand": ["4 militia", "dagger", "torch"]}, {"buy": ["polearm"]}, (5, 4, 1), (6, 4.62, 0.92),
    ),
    "with a Militia levelled up": (
        {"hand": ["4 militia", "dagger", "torch"]}, {"level_up": [("militia", "elf-wizard")]},
        (5, 4, 1), (5, 4.5, 1.5),
    ),
    "fewer than six cards": (
        {"hand": ["torch"], "deck_list": ["militia"]}, {"destroy": ["militia"]}, (2, 1, 1), (2, 0, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "choice", "now", "then"), AVERAGES.values(), ids=AVERAGES)
def test_the_reason_is_what_an_average_hand_gains(
    document: dict[str, Any], choice: dict[str, Any], now: tuple[float, ...], then: tuple[float, ...]
) -> None:
    view = view_of(TurnDocument(**document), Language(STORE, "en"))
    hands = average_hands(view, choice, [])
    assert [tuple(round(value, 2) for value in astuple(hand)) for hand in hands] == [now, then]
    level_ups = choice.get("level_up", [])
    left = [*view.owned, *choice.get("buy", []), *(to for _, to in level_ups)]
    for card in [*choice.get("destroy", []), *(hero for hero, _ in level_ups)]:
        left.remove(card)
    drawn = [*combinations(left, min(6, len(left)))]
    gold = sum(STORE.cards[card].gold or 0 for hand in drawn for card in hand) / len(drawn)
    assert hands[1].gold == pytest.approx(gold, abs=1e-3)


def test_a_battle_that_is_won_changes_the_average_hand() -> None:
    found = thunderref.turn({"hand": ["4 elf wizard", "2 torch"], "deck_list": ["6 militia"], "hall": ["griffon"]})
    assert (found.advice, found.dungeon and found.dungeon.outcome) == ("dungeon", "victory")
    assert found.basis.hand_now != found.basis.hand_then
    assert "instead of" in found.because["en"]


def test_the_page_says_where_games_advise_another_turn() -> None:
    found = thunderref.turn(RICH, games=15, bot="greedy")
    planned = thunderref.turn(RICH)
    assert ("Without these games the advice is another" in found.because["en"]) == (planned.advice != found.advice)
    other = thunderref.turn(RICH | {"stacks": ["dagger"]}, games=5, bot="random")
    assert other.advice == thunderref.turn(RICH | {"stacks": ["dagger"]}).advice or "another" in other.because["en"]
