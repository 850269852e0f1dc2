"""What the planner does: wins what it can, buys and rests with sense, ends the game when ahead, sees nothing hidden."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from support.random_games import STORE, moves, start
from thunderref.rng import SplitMix64
from thunderref.thunderstone.bots import battle_choice
from thunderref.thunderstone.bots.battle_choice import HOPELESS
from thunderref.thunderstone.bots.bot import BotReason, decide
from thunderref.thunderstone.bots.planner import QUIET_ROUNDS, planner
from thunderref.thunderstone.bots.valuation import Valuation
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import DUNGEON, END, REST, VILLAGE, Attack, Buy, Choice, LevelUp, Pick
from thunderref.thunderstone.rules.end_of_turn import open_turn
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Table, replace, table_of

GAME = Game(load_cards(STORE))
COMPILED = not str(battle_choice.__file__).endswith(".py")
HALL = ("griffon", "pegasus", "griffon")
"""Health 7, 6 and 7."""
STRONG = ("outlands-warrior", "thyrian-squire", "fireball", "militia", "militia", "dagger")
WEAK = ("militia", "militia", "torch", "torch", "iron-rations", "iron-rations")
"""Attack 2, gold 8."""
POOR = ("militia", "militia", "militia", "militia", "militia", "disease")


def position(hand: Sequence[str], hall: Sequence[str] = HALL, other: Sequence[str] = (), **stacks: int) -> Position:
    """The beginning of a turn of the first of two players; ``other`` are cards of the second."""
    offer = tuple((card.replace("_", "-"), n) for card, n in stacks.items())
    deck = ("militia", "militia", "dagger", "torch", "iron-rations", "militia")
    table = Table(0, (Seat(tuple(hand), deck), Seat((), tuple(other))))
    begin = Position(
        "choose", (), tuple(Foe(card) for card in hall), (), (), ("griffon",) * 20, stacks=offer, table=table
    )
    return open_turn(begin, table, table.seats, 0, 1)


def seen(position: Position, still: int = 0) -> View:
    return View(GAME, position, lambda: SplitMix64(1), still)


def chosen(position: Position, still: int = 0) -> Choice:
    return decide(planner, seen(position, still), legal_actions(GAME, position))


def turn(position: Position) -> list[Choice]:
    """What the planner chooses until its turn is over or somebody shuffles."""
    found = []
    while position.phase != "over" and table_of(position).turn == 1:
        options = legal_actions(GAME, position)
        if not options:
            break
        choice = decide(planner, seen(position), options)
        found.append(choice)
        position, _ = play(GAME, position, choice)
    return found


def test_it_fights_what_it_can_beat_and_takes_the_best() -> None:
    choices = turn(position(STRONG, ("griknack-goblin", "griffon", "griknack-goblin")))
    assert choices[0] == DUNGEON
    assert Attack(2) in choices


def test_it_buys_where_it_can_beat_nothing() -> None:
    choices = turn(position(WEAK, outlands_warrior=4, torch=4))
    assert choices[0] == VILLAGE
    assert Buy("outlands-warrior") in choices


def test_it_buys_nothing_that_only_takes_room() -> None:
    choices = turn(position(("militia",) * 6, militia=20))
    assert not [choice for choice in choices if isinstance(choice, Buy)]


def test_it_levels_up_a_hero_whom_it_can_pay_for() -> None:
    begin = position(WEAK, thyrian_squire=4)
    table = table_of(begin).with_seat(0, xp=3)
    choices = turn(replace(begin, table=table))
    assert LevelUp(("militia", 1), "thyrian-squire") in choices or Buy("thyrian-squire") in choices


def test_it_rests_to_be_rid_of_disease() -> None:
    choices = turn(position(POOR))
    assert choices[:2] == [REST, Pick("destroy", ("disease", 1))]


def test_it_loses_no_battle_without_need() -> None:
    assert chosen(position(POOR)) != DUNGEON
    assert chosen(position(POOR), QUIET_ROUNDS - 1) != DUNGEON


def test_where_nothing_moves_a_lost_battle_is_better_than_none() -> None:
    assert chosen(position(POOR), QUIET_ROUNDS + 4) == DUNGEON


def test_it_ends_the_game_if_it_is_ahead_and_only_then() -> None:
    hall = ("tyxr-the-old", "stone-of-mystery", "griffon")
    ahead = position(("griffon", *POOR[1:]), hall)
    assert chosen(ahead) == DUNGEON
    assert planner.why(seen(ahead), legal_actions(GAME, ahead), DUNGEON) == BotReason("vain-end")
    behind = position(("griffon", *POOR[1:]), hall, other=["colossus"])
    assert chosen(behind) != DUNGEON


def test_the_first_of_two_stones_ends_nothing() -> None:
    """R9.1: who is ahead gains nothing by bringing it to rank 1; a battle won still takes it."""
    hall = ("tyxr-the-old", "stone-of-mystery", "griffon")
    deck = ("griffon", "stone-of-agony")
    ahead = replace(position(("griffon", *POOR[1:]), hall), dungeon=deck)
    assert chosen(ahead) != DUNGEON
    both = position(("griffon", *POOR[1:]), (*hall[:2], "stone-of-agony"))
    assert chosen(both) == DUNGEON, "one after the other they reach rank 1"
    worth, last = (
        battle_choice.BattleChoice(Valuation(seen(there)), there).prize(Foe("tyxr-the-old"), 1)
        for there in (replace(position(STRONG, each), dungeon=deck) for each in ((hall[0], *HALL[1:]), hall))
    )
    assert last - worth == pytest.approx(STORE.cards["stone-of-mystery"].vp)


def test_a_battle_lost_against_who_must_be_defeated_moves_nothing() -> None:
    """R6.8: a guardian stays where he is, and everyone beside Steam Torment does."""
    for hall in (("steam-torment", "griffon", "pegasus"), ("griffon", "pegasus", "steam-torment")):
        here = position(POOR, hall)
        assert chosen(here, QUIET_ROUNDS + 4) != DUNGEON, hall
        entered = play(GAME, here, DUNGEON)[0]
        found = planner.decide(seen(entered), legal_actions(GAME, entered)).reason
        assert found == BotReason("vain-must")


def test_a_tie_or_a_game_that_stands_still_may_end() -> None:
    hall = ("tyxr-the-old", "stone-of-mystery", "griffon")
    behind = position(POOR, hall, other=["colossus"])
    assert chosen(behind, HOPELESS - QUIET_ROUNDS) != DUNGEON
    assert chosen(behind, HOPELESS) == DUNGEON


def test_it_does_not_win_the_stone_and_lose_the_game() -> None:
    hall = ("griknack-goblin", "stone-of-agony", "pegasus")
    behind = position(STRONG, hall, other=["colossus"] * 4)
    assert Attack(1) not in turn(behind)
    assert Attack(1) in turn(position(STRONG, hall))


def test_it_says_what_a_fight_is_worth() -> None:
    begin = position(STRONG)
    why = planner.why(seen(begin), legal_actions(GAME, begin), DUNGEON)
    assert why is not None
    params = dict(why.params)
    assert why.key == "fight"
    assert params["foe_card"] == "griffon"
    assert params["value"] > params["other"]
    assert planner.why(seen(begin), legal_actions(GAME, begin), REST) is None, "not what it chooses"


@pytest.mark.skipif(COMPILED, reason="nothing can be put in the place of a compiled class")
def test_the_search_is_spared_where_it_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(battle_choice, "Search", lambda *args, **named: asked.append(args))
    assert chosen(position(WEAK, outlands_warrior=4)) == VILLAGE
    assert chosen(position(POOR)) == REST
    assert not asked


def test_light_is_worth_more_to_who_has_none() -> None:
    dark = position(("militia",) * 6)
    light = position(("lantern",) * 6)
    assert Valuation(seen(dark)).use("lantern") > Valuation(seen(light)).use("lantern")


def test_a_weapon_is_worth_nothing_to_who_cannot_hold_it() -> None:
    weak = Valuation(seen(position(("militia",) * 6)))
    strong = Valuation(seen(position(("thyrian-lord",) * 6)))
    assert weak.worth("claymore") < strong.worth("claymore")


def test_gold_fades_as_the_dungeon_empties() -> None:
    begin = position(WEAK)
    late = replace(begin, dungeon=("griffon",) * 3)
    assert Valuation(seen(late)).use("torch") < Valuation(seen(begin)).use("torch")


@pytest.mark.parametrize("number", range(6))
def test_what_is_hidden_plays_no_part(number: int) -> None:
    record = start(number)
    for move in moves(record):
        before, options = record.position, record.options()
        if len(options) < 2 or move.seat < 0 or before.todo:
            continue
        table = table_of(before)
        seats = tuple(
            seat if place == table.active else replace(seat, hand=seat.deck[: len(seat.hand)], deck=seat.hand + rest)
            for place, seat in enumerate(table.seats)
            for rest in [seat.deck[len(seat.hand) :]]
        )
        if any(len(seat.deck) < len(seat.hand) for place, seat in enumerate(table.seats) if place != table.active):
            continue
        other = replace(before, deck=before.deck[::-1], dungeon=before.dungeon[::-1], table=replace(table, seats=seats))
        views = [View(record.game, each, lambda: SplitMix64(1)) for each in (before, other)]
        assert len({decide(planner, view, options) for view in views}) == 1
        hidden = [view.position for view in views]
        assert hidden[0] == hidden[1]
        assert (hidden[0].deck, hidden[0].dungeon, hidden[0].table) == ((), (), None)


def test_an_empty_hand_and_an_empty_village_are_no_trouble() -> None:
    begin = position((), ("", "", ""))
    assert chosen(begin) in legal_actions(GAME, begin)
    visit, _ = play(GAME, begin, VILLAGE)
    while visit.phase in ("village", "buy"):
        options = legal_actions(GAME, visit)
        choice = decide(planner, View(GAME, visit, lambda: SplitMix64(1)), options)
        assert choice in options
        if choice == END:
            break
        visit, _ = play(GAME, visit, choice)
