"""Every open question of the rules answered both ways: where it matters, and where it does not."""

from __future__ import annotations

from typing import Any

import pytest

from support import EXAMPLES, read_toml
from thunderref.database.read import Language, open_database
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.report import sum_line
from thunderref.thunderstone.resolve.result import TargetResult
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.turns import begin

CASES = read_toml(EXAMPLES / "readings.toml")["case"]
IN_BATTLE = [case for case in CASES if "scenario" in case]
OF_SETUP = {"first-card", "pick-two"}


def ids(cases: list[dict[str, Any]]) -> list[str]:
    return [case["name"] for case in cases]


def result(scenario: dict[str, Any], *readings: str) -> TargetResult:
    return resolve({**scenario, "readings": list(readings)}).targets[0]


@pytest.mark.parametrize("case", IN_BATTLE, ids=ids(IN_BATTLE))
def test_either_way(case: dict[str, Any]) -> None:
    switch, scenario = case["switch"], case["scenario"]
    assert result(scenario).total == case["total"], case["why"]
    if "other" not in case:
        with pytest.raises(Exception, match=case["refused"]):
            result(scenario, switch)
        return
    other = result(scenario, switch)
    assert other.total == case["other"], case["why"]
    assert sum(step.attack for step in other.steps) == other.attack
    assert sum(step.magic_attack for step in other.steps) == other.magic_attack
    assert (other.attack or 0) + (other.magic_attack or 0) + sum(step.total for step in other.steps) == other.total


@pytest.mark.parametrize("case", IN_BATTLE, ids=ids(IN_BATTLE))
def test_the_result_says_what_the_other_reading_changes(case: dict[str, Any]) -> None:
    switch = open_database().switches[case["switch"]]
    told = [other for other in result(case["scenario"]).other_readings if other.reading == switch.name]
    if case["total"] == case.get("other"):
        assert told == []
        return
    assert [(other.total, other.legal) for other in told] == [(case.get("other"), "other" in case)]
    assert (told[0].rule, told[0].value) == (switch.rule, switch.other)
    assert switch.rule in told[0].text
    assert switch.rule in result(case["scenario"]).readings
    if "other" in case:
        back = [o for o in result(case["scenario"], switch.name).other_readings if o.reading == switch.name]
        assert [(other.total, other.value) for other in back] == [(case["total"], switch.default)]


def test_every_question_has_a_case_where_it_matters_and_one_where_it_does_not() -> None:
    shown = {(case["switch"], case["total"] != case.get("other")) for case in IN_BATTLE}
    wanted = {(name, matters) for name in open_database().switches for matters in (True, False)}
    apart = (*OF_SETUP, "no-target", "fallen-heroes", "stone-with-help", "stone-at-shift")
    left_out = {(name, matters) for name in apart for matters in (True, False)}
    assert wanted - left_out - {("used-cards", True), ("weapon-gone", True)} <= shown


def test_who_can_attack_nothing() -> None:
    scenario = {"hand": ["militia"], "hall": ["blink-dog"]}
    taken, other = resolve(scenario), resolve({**scenario, "readings": {"R4.8": "no-entry"}})
    assert (taken.best, taken.readings_chosen) == (None, {})
    assert [(o.reading, o.outcome) for o in taken.other_readings] == [("no-target", "no-entry")]
    assert (other.best, other.readings_chosen) == (None, {"no-target": "no-entry"})
    assert [(o.reading, o.outcome) for o in other.other_readings] == [("no-target", "no-battle")]
    assert resolve({"hand": ["militia"], "hall": ["griffon"]}).other_readings == []


def test_a_hero_who_was_destroyed_acts_only_by_the_other_reading() -> None:
    """R6.3: Mythlurian destroys the Sorcerer, who may put a monster under the deck if she still acts."""
    plan = [{"attack": 1}, {"battle": "destroy", "pick": "elf-sorcerer"}]
    scenario = {"hand": ["elf-sorcerer", "fireball", "elf-wizard"], "hall": ["mythlurian", "nixie"], "plan": plan}
    taken = result(scenario)
    other = result({**scenario, "plan": [*plan, {"use": "elf-sorcerer", "bottom": "nixie"}]}, "fallen-heroes")
    assert (taken.total, taken.readings, other.readings) == (8, ["R6.3"], ["R6.3"])
    assert ("nixie" in taken.hall_after, "nixie" in other.hall_after) == (True, False)
    assert [(o.reading, o.value) for o in taken.other_readings] == [("fallen-heroes", "act")]
    spared = {**scenario, "plan": [plan[0], {"battle": "destroy", "pick": "elf-wizard"}]}
    assert result(spared).readings == []


def test_what_was_used_may_be_destroyed_only_by_the_other_reading() -> None:
    """Khan 7 less 2: Battle Fury is the cheapest loss for Banish, used before only if that does not spare it."""
    hand, hall = ["battle-fury", "banish", "outlands-khan"], ["griffon", "sphinx", "nixie"]
    scenario = {"hand": hand, "hall": hall, "dungeon": ["pegasus", "kingdom"], "target": 3}
    taken, other = result(scenario), result(scenario, "used-cards")
    assert (taken.total, other.total) == (7 - 2, 7 + 1 - 2)
    assert taken.destroyed == other.destroyed == ["battle-fury"]
    assert "R4.2" in taken.readings
    assert "R4.2" in other.readings
    with pytest.raises(IllegalStepError) as refusal:
        resolve({**scenario, "target": None, "plan": other.line})
    assert refusal.value.rule == "R4.2"


def test_a_weapon_that_is_gone_bars_thunder_wrath_only_by_the_reading_taken() -> None:
    """Wizard 2, Light 1 at rank 2: the Magi Staff that sent Nixie under the deck is destroyed before the attack."""
    plan = [{"equip": "magi-staff", "to": "elf-wizard"}, {"use": "magi-staff", "bottom": "nixie"}, {"attack": 2}]
    hall, dungeon = ["nixie", "griffon", "thunder-wrath"], ["ghost"]
    scenario = {"hand": ["elf-wizard", "magi-staff"], "hall": hall, "dungeon": dungeon, "plan": plan}
    with pytest.raises(IllegalStepError) as refusal:
        resolve(scenario)
    assert (refusal.value.rule, refusal.value.code) == ("R5.1", "barred-weapon-equipped")
    other = result(scenario, "weapon-gone")
    assert (other.magic_attack, other.light_penalty, other.total) == (2, 1, 0)
    assert other.readings == ["R5.1"]
    assert [(o.reading, o.value, o.legal) for o in other.other_readings] == [("weapon-gone", "bars", False)]
    held = {**scenario, "plan": [plan[0], {"attack": 3}]}
    for readings in ((), ("weapon-gone",)):  # what is equipped at the attack bars it in any case
        with pytest.raises(IllegalStepError):
            result(held, *readings)


CLAYMORE = [{"use": "feast"}, {"equip": "claymore", "to": "outlands-khan"}, {"attack": 1}]


@pytest.mark.parametrize(
    ("hall", "taken", "readings", "after"),
    [
        (["griffon", "nixie", "stone-of-mystery"], "nixie", ["R7.1"], ["griffon", "nixie"]),
        (["griffon", "stone-of-mystery", "nixie"], "nixie", [], ["griffon", "nixie", "stone-of-mystery"]),
        (["griffon", "stone-of-mystery", "sphinx"], None, [], ["griffon", "stone-of-mystery"]),
    ],
    ids=["the Claymore makes way", "the victory alone does", "there is no Claymore's doing"],
)
def test_a_claymore_helps_the_stone_to_rank_1(
    hall: list[str], taken: str | None, readings: list[str], after: list[str]
) -> None:
    plan = [*CLAYMORE, {"use": "claymore", "take": taken}] if taken else CLAYMORE
    scenario = {"hand": ["outlands-khan", "claymore", "feast", "torch"], "hall": hall, "plan": plan}
    counts, alone = result(scenario), result(scenario, "stone-with-help")
    assert counts.gained == [*dict.fromkeys([*after, "stone-of-mystery"])]
    assert alone.gained == after
    assert counts.game_ends
    assert alone.game_ends
    assert counts.readings == alone.readings == readings
    told = [[(o.reading, o.rule, o.value, o.total) for o in each.other_readings] for each in (counts, alone)]
    values = ("lost", "taken") if readings else ()
    assert told == ([[("stone-with-help", "R7.1", value, 13)] for value in values] or [[], []])


@pytest.mark.parametrize("trap", [True, False])
def test_the_game_ends_before_or_after_the_refill(trap: bool) -> None:
    dungeon = ["pit-trap", "ghost"] if trap else ["ghost"]
    scenario = {"hand": ["outlands-khan", "militia"], "hall": ["nixie", "stone-of-mystery"], "dungeon": dungeon}
    plan = {**scenario, "goal": "win", "plan": [{"attack": 1}]}
    at_once, later = result(plan), result(plan, "stone-at-shift")
    assert (at_once.destroyed, later.destroyed) == ([], ["militia"] if trap else [])
    assert at_once.readings == later.readings == (["R7.1"] if trap else [])
    told = [[(o.reading, o.value) for o in each.other_readings] for each in (at_once, later)]
    assert told == [[("stone-at-shift", value)] if trap else [] for value in ("after-refill", "at-once")]


def test_the_hall_is_dealt_from_either_end() -> None:
    game = Game(load_cards(open_database()))
    dungeon, decks = ("griffon", "pit-trap", "nixie", "sphinx", "pegasus"), [("torch",) * 6]
    halls = [
        [foe.card for foe in begin(game.changed(readings=frozenset(readings)), dungeon, decks, ()).hall]
        for readings in ((), ("first-card",))
    ]
    assert halls == [["griffon", "nixie", "sphinx"], ["sphinx", "nixie", "griffon"]]


def test_no_second_weapon_after_the_throw() -> None:
    """R5.3: a thrown Spear stays equipped, which is no reading."""
    thrown = [{"equip": "spear", "to": "thyrian-squire"}, {"use": "spear"}, {"equip": "dagger", "to": "thyrian-squire"}]
    scenario = {"hand": ["thyrian-squire", "spear", "dagger"], "hall": ["griffon"], "plan": [*thrown, {"attack": 1}]}
    with pytest.raises(IllegalStepError) as refusal:
        resolve(scenario)
    assert (refusal.value.rule, refusal.value.params["step"]) == ("R4.3", 3)
    threw = result({**scenario, "plan": [*thrown[:2], {"attack": 1}]})
    assert (threw.total, threw.readings, threw.other_readings) == (2 + 2 + 3 - 2, [], [])


@pytest.mark.parametrize(
    ("reading", "sums"),
    [
        ([], "missing Light 1 × 2 = −2; half for Succubus, rounded down: 4; 4 against"),
        (["half-attack"], "half for Succubus, rounded down: 5; missing Light 1 × 2 = −2; 3 against"),
    ],
)
def test_the_sum_is_told_in_the_order_of_the_reading(reading: list[str], sums: str) -> None:
    """R5.13: Khan 7 and Knight 4 without Magic Attack, in the dark of rank 1."""
    target = result({"hand": ["outlands-khan", "thyrian-knight"], "hall": ["succubus"]}, *reading)
    assert sums in sum_line(target, Language(open_database(), "en"))
    total = "11 + Magic Attack 0 − 6 − light penalty 2" if reading else "11 + Magic Attack 0 − light penalty 2 − 5"
    assert any(total in step.text for step in target.steps)


MILITIA = {"hand": ["militia"], "hall": ["griffon"]}


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ({}, {}),
        ([], {}),
        ({"lost-weapon": "none"}, {"lost-weapon": "none"}),
        ({"R5.3": "NONE"}, {"lost-weapon": "none"}),
        ({"R5.3": "another"}, {}),
        (["lost-weapon"], {"lost-weapon": "none"}),
        (["r5.8b", "R5.4=no"], {"idle-weapon-equipped": "no", "counted-spells": "printed"}),
        (["R5.4=count"], {"idle-weapons": "count"}),
    ],
)
def test_how_a_reading_is_asked_for(asked: Any, chosen: dict[str, str]) -> None:
    assert resolve({**MILITIA, "readings": asked}).readings_chosen == chosen


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"R9.7": "other"}, "unknown-reading"),
        (["thrown-spear"], "unknown-reading"),
        ([""], "unknown-reading"),
        (["R5.4"], "unknown-reading"),
        (["R5.4=maybe"], "unknown-reading-value"),
        ({"lost-weapon": ""}, None),
        (["R5.3=another", "lost-weapon=none"], "reading-twice"),
        ("R5.3", "bad-value"),
    ],
)
def test_a_reading_that_there_is_not(asked: Any, code: str | None) -> None:
    if code is None:
        assert resolve({**MILITIA, "readings": asked}).readings_chosen == {"lost-weapon": "none"}
        return
    with pytest.raises(InputError) as refusal:
        resolve({**MILITIA, "readings": asked})
    assert refusal.value.code in (code, "no-list", "bad-value")


@pytest.mark.parametrize("readings", [[], ["when-counted"]])
def test_what_makes_a_hero_strong_enough_is_named_however_it_is_counted(readings: list[str]) -> None:
    """R4.9, R5.3: the Amulet was used before the weapon was handed out."""
    plan = [{"use": "amulet-of-power"}, {"equip": "polearm", "to": "thyrian-squire"}, {"attack": 1}]
    scenario = {"hand": ["thyrian-squire", "polearm", "amulet-of-power"], "hall": ["griffon"], "plan": plan}
    told = " ".join(step.text for step in result(scenario, *readings).steps)
    assert "(Strength 6 + 3 (Amulet of Power) = 9): Attack +6" in told
