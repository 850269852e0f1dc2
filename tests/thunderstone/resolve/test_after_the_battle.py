"""What the result says of the end of the turn: the hall, guardians, heroes in a Cage, what stays unknown, spoils."""

from __future__ import annotations

from typing import Any

import pytest

from thunderref.errors import IllegalStepError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.odds import odds
from thunderref.thunderstone.resolve.result import TargetResult

JANISSARY: dict[str, Any] = {"hand": ["dwarf-janissary", "dagger", "2 torch"], "village": ["flaming-sword", "fireball"]}
SQUIRE: dict[str, Any] = {"hand": ["thyrian-squire", "short-sword", "torch"], "hall": ["nixie", "griffon", "sphinx"]}


def first(scenario: dict[str, Any]) -> TargetResult:
    return resolve({**scenario, "target": 1}).targets[0]


def keys(result: TargetResult, rule: str) -> list[str]:
    return [step.text for step in result.steps if rule in step.rules]


def test_the_hall_afterwards_and_what_the_spoils_can_buy() -> None:
    result = first({**JANISSARY, "hall": ["griffon", "nixie"], "dungeon": ["pegasus"]})
    assert result.hall_after == ["nixie", "pegasus", None]
    assert [(right.gold, right.options) for right in result.spoils] == [(5, ["flaming-sword"])]
    assert (result.xp, result.vp, result.game_ends) == (2, 4, False)


def test_a_trap_comes_before_the_card_that_replaces_it() -> None:
    result = first({**SQUIRE, "dungeon": ["pit-trap", "pegasus"]})
    told = [step.card for step in result.steps if "R6.6" in step.rules]
    assert told == ["pit-trap", "thyrian-squire", "pegasus"]
    assert result.destroyed == ["thyrian-squire"]


def test_a_hero_in_a_cage_is_named() -> None:
    result = first({**SQUIRE, "dungeon": ["the-cage", "pegasus"]})
    assert (result.caged, result.destroyed) == (["thyrian-squire"], [])
    assert first(SQUIRE).caged == []


def test_a_guardian_steps_out_and_takes_his_toll_of_the_new_hand() -> None:
    result = first({**SQUIRE, "hall": ["nixie", "dark-champion", "griffon"]})
    assert (result.rank0_after, result.hall_after) == (["dark-champion"], ["griffon", None, None])
    assert len(keys(result, "R6.7")) == 2
    sentinel = first({**SQUIRE, "hall": ["nixie", "death-sentinel", "griffon"]})
    assert sentinel.rank0_after == ["death-sentinel"]
    assert len(keys(sentinel, "R6.7")) == 1


def test_what_hangs_on_cards_nobody_knows_is_listed() -> None:
    witch = {"hand": ["runespawn-witch", "torch"], "hall": ["griffon"]}
    plan = [{"use": "runespawn-witch", "effect": 2}, {"attack": 1}]
    assert resolve({**witch, "plan": plan}).targets[0].unknown == ["runespawn-witch"]
    assert resolve({**witch, "plan": plan, "others": [["torch"]]}).targets[0].unknown == []


def test_the_end_of_the_game_is_part_of_the_result() -> None:
    result = first({**SQUIRE, "hall": ["nixie", "stone-of-mystery", "sphinx"]})
    assert result.game_ends
    assert result.gained == ["nixie", "stone-of-mystery"]
    assert len(keys(result, "R7.1")) == 2


SHOWN: dict[str, Any] = {"hand": ["foresight-elixir", "runespawn-adept", "elf-wizard"], "hall": ["griffon"]}


@pytest.mark.parametrize(
    ("trap", "show", "spared", "gained"),
    [
        ("pit-trap", [{"show": "foresight-elixir"}], True, []),
        ("pit-trap", [{"show": None}, {"show": "elf-wizard"}], False, []),
        ("pit-trap", [{"show": "elf-wizard"}], False, []),
        ("pit-trap", [{"show": "runespawn-adept"}], True, []),
        ("poison-gas-trap", [{"show": "runespawn-adept"}], True, []),
        ("poison-gas-trap", [{"show": None}, {"show": None}], True, ["disease"]),
        ("poison-gas-trap", [], True, []),
    ],
)
def test_a_plan_says_what_is_shown_to_a_trap(
    trap: str, show: list[dict[str, Any]], spared: bool, gained: list[str]
) -> None:
    """R6.6: a Foresight Elixir may be shown, a cleric or thief too; nobody must."""
    plan = [{"attack": 1}, *show]
    (result,) = resolve({**SHOWN, "dungeon": [trap, "nixie"], "target": 1, "plan": plan}).targets
    assert (result.destroyed, result.gained) == ([] if spared else ["elf-wizard"], gained)
    (again,) = resolve({**SHOWN, "dungeon": [trap, "nixie"], "target": 1, "plan": result.line}).targets
    assert (again.line, again.destroyed, again.gained) == (result.line, result.destroyed, result.gained)


def test_what_no_trap_asks_for_is_not_shown() -> None:
    plan = [{"attack": 1}, {"show": "elf-wizard"}]
    with pytest.raises(IllegalStepError, match="unasked-step"):
        resolve({**SHOWN, "dungeon": ["rolling-boulder", "nixie"], "target": 1, "plan": plan})


PALADIN = {"hand": ["chalice-paladin", "outlands-khan", "torch", "battle-fury"], "hall": ["thunder-wrath"]}


def test_spoils_after_a_card_that_chance_destroys_are_not_certain() -> None:
    """R5.2, R6.4: Thunder Wrath takes one of four different cards before the spoils: the Paladin's right, or the gold.

    Torch 2 is all the gold there is; a Militia costs nothing.
    """
    scenario = {**PALADIN, "village": ["militia", "torch", "dagger"], "target": 1}
    found = resolve(scenario).targets[0]
    (right,) = found.spoils
    assert (right.gold, right.gold_least, right.perhaps) == (2, 0, True)
    assert right.options == ["militia"]
    assert found.unknown == ["thunder-wrath"]
    for buy, lang, words in (("militia", "en", "not certain"), ("militia", "pl", "nie jest pewne")):
        told = resolve({**scenario, "plan": [{"attack": 1}, {"buy": buy}]}, lang=lang).targets[0]
        assert any(words in step.text for step in told.steps)


def test_spoils_are_certain_where_chance_takes_nothing() -> None:
    """R6.4: the same party against Griffon, who destroys nothing."""
    found = resolve({**PALADIN, "hall": ["griffon"], "village": ["militia"], "target": 1}).targets[0]
    (right,) = found.spoils
    assert (right.gold, right.gold_least, right.perhaps, right.options_perhaps) == (2, 2, False, [])
    assert (found.unknown, found.chance_loss) == ([], None)


def test_a_toll_and_an_unseen_deck_cost_cards_that_nobody_knows() -> None:
    """R6.6, R6.7: Smoke Torment reveals five unknown cards, Dark Champion takes one of the new hand."""
    scenario = {"hand": ["militia", "torch"], "hall": ["nixie", "smoke-torment"], "target": 1}
    assert resolve(scenario).targets[0].unknown == ["smoke-torment"]
    guarded = resolve({**scenario, "rank0": ["dark-champion"]}).targets[0]
    assert guarded.unknown == ["dark-champion", "smoke-torment"]
    known = {**scenario, "deck": ["torch", "torch", "dagger", "dagger", "torch"]}
    assert resolve(known).targets[0].unknown == []


@pytest.mark.parametrize(("lang", "words"), [("en", "top Horde card"), ("pl", "karta Hordy"), ("ru", "карта орды")])
def test_an_unknown_horde_card_is_said_wherever_the_dungeon_deck_is_read(lang: str, words: str) -> None:
    """R1.3: nobody named the Horde deck, so its top card stands in rank 3 unknown."""
    scenario = {"hand": ["outlands-khan", "torch"], "hall": ["nixie", "griffon", "sphinx"], "dungeon": ["placeholder"]}
    resolved = resolve(scenario, lang=lang)
    (note,) = resolved.notes
    assert words in note
    assert "horde-5" in note
    found = resolved.targets[0]
    assert (found.hall_after, found.unknown) == (["griffon", "sphinx", None], ["horde-placeholder"])
    assert any("R1.3" in step.rules and words in step.text for step in found.steps)
    assert odds({**scenario, "hand": ["militia"], "deck_list": ["torch"]}, lang=lang).notes == [note]
    assert resolve({**scenario, "dungeon": ["horde-5"]}, lang=lang).notes == []
