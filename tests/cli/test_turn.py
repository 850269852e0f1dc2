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
    basis = found.basis.model_dump(exclude=["values", "hand_now", "hand_then"])
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
        ("en", ["Spear to Thyrian Squire.", "Enter the dungeon.", "Fight Griffon in rank 1."]),
        ("pl", ["Włócznię", "Wejdź do Lochu.", "Zaatakuj Gryfa w szeregu 1."]),
        ("ru", ["Копьё", "Войдите в подземелье.", "Атакуйте Грифона в ряду 1."]),
    ],
)
def test_the_advice_stands_first(cli: Any, lang: str, words: list[str]) -> None:
    answer = cli("turn", *WARRIORS[0].split(), ",", ", ".join(WARRIORS[1:]), "vs", "griffon", "--lang", lang)
    assert answer.status == 0
    lines = answer.out.splitlines()
    assert len(lines) < 23
    assert words[1] in lines[2]
    assert words[2] in lines[3]
    assert any(words[0] in line for line in lines)
    say, card = Language(STORE, lang).say, Language(STORE, lang).card
    do = say("do.equip", card=card("spear"), to=card("thyrian-squire")), say("do.attack", card=card("griffon"), rank=1)
    assert any(line.strip() == " ".join(do) for line in lines), "what to do, and nothing else"
    assert lines[3].strip() == thunderref.turn({"hand": WARRIORS, "hall": ["griffon"]}).because[lang]


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
    bought = STORE.cards[told.village.advised["buy"]]
    name = Language(STORE, "en").card(bought.id)
    assert f"The bot would buy {name} ({bought.cost} gold)" in with_xp
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
