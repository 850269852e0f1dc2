"""``thunderref turn``: battle, purchase and rest side by side, with the advice of the strongest bot."""

from __future__ import annotations

from typing import Any

import pytest

import thunderref
from support.random_games import STORE
from thunderref.database.read import Language
from thunderref.thunderstone.bots.planner import lookahead
from thunderref.thunderstone.bots.turn import view_of, weigh_turn
from thunderref.thunderstone.resolve.documents import TurnDocument
from thunderref.thunderstone.rules.choices import DUNGEON, REST, VILLAGE
from thunderref.thunderstone.rules.legal import legal_actions

WARRIORS = ["2 militia", "thyrian squire", "regian priest", "spear", "torch"]
HALL = ["griffon", "kingdom"]
RICH = ["3 torch", "2 dagger", "disease"]
POOR = ["5 militia", "disease"]
OFFER = ["outlands-warrior", "banish", "short-sword"]
DOCUMENTS: dict[str, dict[str, Any]] = {
    "dungeon": {"hand": WARRIORS, "hall": HALL, "stacks": OFFER},
    "village": {"hand": RICH, "hall": HALL, "stacks": OFFER},
    "rest": {"hand": POOR, "hall": HALL, "stacks": ["banish"]},
}
CHOICES = {"dungeon": DUNGEON, "village": VILLAGE, "rest": REST}


@pytest.mark.parametrize("advice", DOCUMENTS)
def test_the_advice_is_the_bots_own_choice(advice: str) -> None:
    document = DOCUMENTS[advice]
    found = thunderref.turn(document)
    view = view_of(TurnDocument(**document), Language(STORE, "en"))
    assert found.advice == advice
    assert lookahead(view, legal_actions(view.game, view.position)) == CHOICES[advice]
    values = {name: round(verdict.value, 2) for name, verdict in weigh_turn(view).items()}
    assert found.basis.values == {"dungeon": None} | values
    assert max(values, key=lambda name: values[name]) == advice
    basis = found.basis.model_dump(exclude=["values", "alike", "hand_now", "hand_then"])
    assert basis == {
        "by": "lookahead", "games": None, "interval": None,
        "assumed": ["deck_list", "dungeon_size", "others"],
    }  # fmt: skip


def test_battle_and_purchases_are_those_of_resolve_and_village() -> None:
    document = {"hand": ["sage", "trainer", "militia", "2 torch", "thyrian squire"], "hall": HALL, "stacks": OFFER}
    found = thunderref.turn(document)
    battle = thunderref.resolve({key: document[key] for key in ("hand", "hall")} | {"village": OFFER})
    visit = thunderref.village({key: document[key] for key in ("hand", "stacks")})
    assert found.dungeon == next(each for each in battle.targets if each.rank == battle.best)
    assert (found.village.spending, found.village.sparing) == (visit.spending, visit.sparing)
    assert found.village.spending.gold > found.village.sparing.gold
    assert not found.village.sparing.destroyed


def test_resting_names_the_card_that_is_better_gone_or_none() -> None:
    assert thunderref.turn(DOCUMENTS["rest"]).rest.destroy == "disease"
    assert thunderref.turn({"hand": ["outlands-warrior"], "hall": HALL}).rest.destroy is None


@pytest.mark.parametrize("hall", [[], [None, None]])
def test_without_a_hall_there_is_no_battle(hall: list[None]) -> None:
    found = thunderref.turn({"hand": WARRIORS, "hall": hall})
    assert found.dungeon is None
    assert found.basis.values["dungeon"] is None
    assert found.advice != "dungeon"
    assert "stacks" in found.basis.assumed


def test_the_deck_counts() -> None:
    """Another Light is worth less to who has enough of it."""
    hand = ["4 torch", "2 militia"]
    dark = thunderref.turn({"hand": hand, "stacks": ["lightstone-gem"], "deck_list": ["6 militia"], "dungeon_size": 25})
    bright = thunderref.turn({"hand": hand, "stacks": ["lightstone-gem"], "deck_list": ["6 torch"], "dungeon_size": 25})
    village = [each.basis.values["village"] or 0 for each in (dark, bright)]
    assert village[0] > village[1]
    assert dark.basis.assumed == ["others"]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Spear to Thyrian Squire.", "Enter the dungeon.", "Fight Griffon in rank 1. It brings 4 VP and 2 XP."]),
        ("pl", ["Włócznię", "Wejdź do Lochu.", "Zaatakuj Gryfa w szeregu 1. To daje 4 PZ i 2 PD."]),
        ("ru", ["Копьё", "Войдите в подземелье.", "Атакуйте Грифона в ряду 1. Награда: очки 4, опыт 2."]),
    ],
)
def test_the_advice_stands_first(cli: Any, lang: str, words: list[str]) -> None:
    shown = [*WARRIORS[0].split(), ",", ", ".join(WARRIORS[1:]), "vs", "griffon"]
    answer = cli("turn", *shown, "--dungeon-size", "6", "--lang", lang)
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert len(lines) < 23
    assert words[1] in lines[2]
    assert words[2] in lines[3]
    assert any(words[0] in line for line in lines)
    say, card = Language(STORE, lang).say, Language(STORE, lang).card
    do = say("do.equip", card=card("spear"), to=card("thyrian-squire")), say("do.attack", card=card("griffon"), rank=1)
    assert any(line.strip() == " ".join(do) for line in lines), "what to do, and nothing else"
    document = {"hand": WARRIORS, "hall": ["griffon"], "dungeon_size": 6}
    assert lines[3].strip() == thunderref.turn(document).because[lang]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("turn",), "empty-hand"),
        (("turn", "torch", "--hall", "zzzz"), "unknown-card"),
        (("turn", "torch", "--xp", "-1"), "bad-value"),
        (("turn", "torch", "vs", "griffon", "--hall", "griffon"), "two-halls"),
    ],
)
def test_what_is_refused(cli: Any, words: tuple[str, ...], code: str) -> None:
    assert cli(*words, "--json").json["error"]["code"] == code


def test_what_is_advised_stands_on_the_village_lines(cli: Any) -> None:
    asked = ["turn", "3 militia, dagger, torch, iron rations", "vs", "griffon, nixie"]
    with_xp, without = cli(*asked, "--xp", "3").out, cli(*asked).out
    told = thunderref.turn(
        {"hand": ["3 militia", "dagger", "torch", "iron-rations"], "hall": ["griffon", "nixie"], "xp": 3}
    )
    assert told.village.advised["buy"]
    assert f"The bot's choice: {told.village.advised_text['en']}." in with_xp
    assert "Possible level-ups: Militia to a level 1 hero of your choice: 3 XP." in with_xp
    assert "level-ups" not in without


def test_no_guess_stands_beside_what_is_certain() -> None:
    """Pegasus is beaten without a draw; Ebon Fume with any of the deck: the bot alone guesses 95 % of both."""
    sure = ["2 regian bishop", "thyrian knight", "short sword", "iron rations", "blind neophyte"]
    drawn = ["chalice paladin", "regian bishop", "redblade killer", "diin beguiler", "hatchet", "thyrian squire"]
    deck = ["hatchet", "clan champion", "hatchet", "creeping death"]
    won = thunderref.turn({"hand": sure, "hall": ["pegasus", "darkness"], "deck_list": deck})
    assert "a guess" not in won.because["en"]
    deck = ["runespawn siren", "divine prophet", "amazon queen", "hatchet"]
    hoped = thunderref.turn({"hand": drawn, "hall": ["ebon fume", "earth wrath"], "deck_list": deck})
    assert "the chance to win is 100 %" in hoped.because["en"]


STONE = ["famine", "stone of mystery", "griffon"]
LAST = {"hand": ["elf archmage", "fireball", "thyrian squire", "torch"], "hall": STONE, "stacks": ["torch"]}


def test_nobody_is_said_to_lead_where_no_score_is_known() -> None:
    """Beating Famine takes the Thunderstone, 2 and 3 VP; a lost battle is no way to end a game of unknown score."""
    unknown = thunderref.turn(LAST)
    assert unknown.because["en"] == "Fight Famine in rank 1. It brings 5 VP and ends the game."
    behind = thunderref.turn(LAST | {"hand": ["5 militia", "disease"], "hall": ["the prince", *STONE[1:]]})
    assert behind.advice != "dungeon"
    decks = [LAST["hand"] + ["2 griffon"], ["6 militia", "kingdom"]]  # 2 (Archmage) + 8 against 3
    known = thunderref.turn(LAST | {"decks": decks})
    assert known.because["en"].endswith("ends the game. You then lead by 12 VP.")


def test_near_the_end_only_victory_points_count() -> None:
    """The Thunderstone in rank 2 leaves a purchase no turn to be of use: of 4 gold, Goodberries alone bring VP."""
    hand = ["disease", "2 militia", "2 torch"]
    found = thunderref.turn(
        {"hand": hand, "hall": ["the prince", "stone of mystery"], "stacks": ["hatchet", "goodberries"]}
    )
    assert (found.advice, found.village.advised["buy"]) == ("village", ["goodberries"])
    assert found.basis.alike == []


def test_everything_a_visit_brings_is_advised() -> None:
    """12 gold with a Barkeep are two purchases, 5 XP two level-ups; a Pawnbroker makes 8 gold of a Militia."""
    hand = ["barkeep", "nixie", "3 torch", "dagger"]
    found = thunderref.turn({"hand": hand, "stacks": ["3 outlands warrior", "3 lantern"]})
    assert sorted(found.village.advised["buy"]) == ["lantern", "outlands-warrior"]
    assert (
        "Outlands Warrior and Lantern" in found.because["en"] or "Lantern and Outlands Warrior" in found.because["en"]
    )
    heroes = ["regian priest", "redblade poisoner", "torch"]
    raised = thunderref.turn({"hand": heroes, "xp": 6, "stacks": ["regian bishop", "redblade assassin"]})
    assert len(raised.village.advised["level_up"]) == 2
    hand = ["pawnbroker", "2 militia", "iron rations", "torch", "dagger"]
    pawned = thunderref.turn({"hand": hand, "stacks": ["outlands warrior"]})
    assert pawned.because["en"].startswith("Destroy Militia in the village and buy Outlands Warrior.")


def test_estimates_that_are_close_name_no_winner(cli: Any) -> None:
    document = {"hand": ["2 militia", "2 torch", "iron rations", "dagger"], "stacks": ["lightstone gem"]}
    found = thunderref.turn(document)
    assert (found.advice, found.basis.alike) == ("rest", ["village"])
    because = found.because["en"]
    assert because.startswith("About equal")
    assert "Rest and destroy Militia. " in because
    assert "Buy Lightstone Gem. " in because
    assert "    Rest.\n" not in cli("turn", ", ".join(document["hand"]), "--stacks", "lightstone gem").out


def test_the_battle_that_is_advised_is_shown(cli: Any) -> None:
    """Ebon Fume is worth most VP but destroys the Khan; Tyxr is advised."""
    hand = ["outlands khan", "polearm", "2 militia", "griffon", "dagger"]
    found = thunderref.turn({"hand": hand, "hall": ["skaladak", "tyxr the old", "ebon fume"]})
    assert (found.dungeon and found.dungeon.monster, found.fight and found.fight.monster) == (
        "ebon-fume",
        "tyxr-the-old",
    )
    answer = cli("turn", ", ".join(hand), "vs", "skaladak, tyxr the old, ebon fume")
    assert "Attack Tyxr the Old in rank 2." in answer.out
