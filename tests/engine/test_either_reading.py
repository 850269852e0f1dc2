"""Every open question of the rules answered both ways: where it matters, and where it does not."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from thunderref.engine.game import begin
from thunderref.engine.state import Table
from thunderref.engine.values import replace
from thunderref.errors import IllegalStepError, InputError
from thunderref.model.result import TargetResult
from thunderref.solve.api import resolve
from thunderref.store.catalog import load_book
from thunderref.store.read import open_store

CASES = tomllib.loads((Path(__file__).parent / "readings.toml").read_text(encoding="utf-8"))["case"]
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
    switch = open_store().switches[case["switch"]]
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
    wanted = {(name, matters) for name in open_store().switches for matters in (True, False)}
    left_out = {(name, matters) for name in (*OF_SETUP, "no-target") for matters in (True, False)}
    assert wanted - left_out <= shown


def test_who_can_attack_nothing() -> None:
    scenario = {"hand": ["militia"], "hall": ["blink-dog"]}
    taken, other = resolve(scenario), resolve({**scenario, "readings": {"R4.8": "no-entry"}})
    assert (taken.best, taken.readings_chosen) == (None, {})
    assert [(o.reading, o.outcome) for o in taken.other_readings] == [("no-target", "no-entry")]
    assert (other.best, other.readings_chosen) == (None, {"no-target": "no-entry"})
    assert [(o.reading, o.outcome) for o in other.other_readings] == [("no-target", "no-battle")]
    assert resolve({"hand": ["militia"], "hall": ["griffon"]}).other_readings == []


def test_the_hall_is_dealt_from_either_end() -> None:
    table = Table(load_book(open_store()))
    dungeon, decks = ("griffon", "pit-trap", "nixie", "sphinx", "pegasus"), [("torch",) * 6]
    halls = [
        [foe.card for foe in begin(replace(table, readings=frozenset(readings)), dungeon, decks, ()).state.hall]
        for readings in ((), ("first-card",))
    ]
    assert halls == [["griffon", "nixie", "sphinx"], ["sphinx", "nixie", "griffon"]]


def test_a_second_weapon_after_the_throw() -> None:
    """The hand that threw the Spear is free only if nobody holds it any more."""
    thrown = [{"equip": "spear", "to": "thyrian-squire"}, {"use": "spear"}, {"equip": "dagger", "to": "thyrian-squire"}]
    scenario = {"hand": ["thyrian-squire", "spear", "dagger"], "hall": ["griffon"], "plan": [*thrown, {"attack": 1}]}
    with pytest.raises(IllegalStepError) as refusal:
        resolve(scenario)
    assert (refusal.value.rule, refusal.value.params["step"]) == ("R4.3", 3)
    assert result(scenario, "thrown-spear").total == 2 + 2 + 3 + 1 - 2


SPEAR = {"hand": ["militia"], "hall": ["griffon"]}


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ({}, {}),
        ([], {}),
        ({"thrown-spear": "unarmed"}, {"thrown-spear": "unarmed"}),
        ({"R5.3": "UNARMED"}, {"thrown-spear": "unarmed"}),
        ({"R5.3": "equipped"}, {}),
        (["thrown-spear"], {"thrown-spear": "unarmed"}),
        (["r5.8b", "R5.4=no"], {"idle-weapon-equipped": "no", "counted-spells": "printed"}),
        (["R5.4=count"], {"idle-weapons": "count"}),
    ],
)
def test_how_a_reading_is_asked_for(asked: Any, chosen: dict[str, str]) -> None:
    assert resolve({**SPEAR, "readings": asked}).readings_chosen == chosen


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"R5.1": "other"}, "unknown-reading"),
        (["spear"], "unknown-reading"),
        ([""], "unknown-reading"),
        (["R5.4"], "unknown-reading"),
        (["R5.4=maybe"], "unknown-reading-value"),
        ({"thrown-spear": ""}, None),
        (["R5.3=equipped", "thrown-spear=unarmed"], "reading-twice"),
        ("R5.3", "bad-value"),
    ],
)
def test_a_reading_that_there_is_not(asked: Any, code: str | None) -> None:
    if code is None:
        assert resolve({**SPEAR, "readings": asked}).readings_chosen == {"thrown-spear": "unarmed"}
        return
    with pytest.raises(InputError) as refusal:
        resolve({**SPEAR, "readings": asked})
    assert refusal.value.code in (code, "no-list", "bad-value")
