"""``resolve --explain why-not``: another choice in a player's words, weighed against the best line or the plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.terminal import on_a_terminal, plain
from thunderref.database.read import open_database
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.resolve.why_not import ChoiceReader

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
HAND = "regian priest, thyrian squire, polearm, iron rations, torch"
QUICK = ["resolve", HAND, "--hall", "griffon"]
"""Rations to the Squire: Strength 8, Polearm +6, Squire 2, Priest 2 = 10 against 7, Torch against the dark."""

WORDS: list[tuple[str, dict[str, Any]]] = [
    ("short sword on thief", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("Short sword to the Lorigg Thief!", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("shrt sword to theif", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("short sword", {"equip": "short-sword"}),
    ("krótki miecz na złodzieja", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("krótki miecz złodziejowi", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("короткий меч на вора", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("короткий меч вору", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("give the short sword to the thief", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("arm the thief with the short sword", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("daj krótki miecz złodziejowi", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("дать короткий меч вору", {"equip": "short-sword", "to": "lorigg-thief"}),
    ("feed the rations to the priest", {"use": "iron-rations", "on": "regian-priest"}),
    ("nakarm duchownego racjami", {"use": "iron-rations", "on": "regian-priest"}),
    ("накормить жреца припасами", {"use": "iron-rations", "on": "regian-priest"}),
    ("destroy disease with priest", {"use": "regian-priest", "destroy": "disease"}),
    ("usuń chorobę duchownym", {"use": "regian-priest", "destroy": "disease"}),
    ("уничтожить болезнь жрецом", {"use": "regian-priest", "destroy": "disease"}),
    ("don't use the fireball", {"forgo": "fireball"}),
    ("without the fireball", {"forgo": "fireball"}),
    ("nie używaj kuli ognia", {"forgo": "fireball"}),
    ("без огненного шара", {"forgo": "fireball"}),
    ("eat iron rations", {"use": "iron-rations"}),
    ("use iron rations on priest", {"use": "iron-rations", "on": "regian-priest"}),
    ("użyj żelaznych racji na militię#2", {"use": "iron-rations", "on": "militia#2"}),
    ("banish", {"use": "banish"}),
    ("banish bottom blink dog destroy disease", {"use": "banish", "bottom": "blink-dog", "destroy": "disease"}),
    ("regian priest effect 2 destroy disease", {"use": "regian-priest", "effect": 2, "destroy": "disease"}),
    ("forgo fireball", {"forgo": "fireball"}),
    ("zrezygnuj z kuli ognia", {"forgo": "fireball"}),
    ("отказаться от огненного шара", {"forgo": "fireball"}),
    ("attack 2", {"attack": 2}),
    ("rank 3", {"attack": 3}),
    ("atakuj gryfa", {"attack": "griffon"}),
    ("грифон", {"attack": "griffon"}),
    ("disease attack", {"disease": "attack"}),
    ("choroba: magiczny atak", {"disease": "magic_attack"}),
    ("болезнь на атаку", {"disease": "attack"}),
    ('{"use": "banish", "bottom": "blink-dog"}', {"use": "banish", "bottom": "blink-dog"}),
]


@pytest.mark.parametrize(("text", "step"), WORDS, ids=[text for text, _ in WORDS])
def test_words_in_any_language(text: str, step: dict[str, Any]) -> None:
    hand = [
        "lorigg-thief",
        "short-sword",
        "regian-priest",
        "disease",
        "banish",
        "iron-rations",
        "2 militia",
        "fireball",
    ]
    scenario = read_document(Scenario, {"hand": hand, "hall": ["blink-dog", "griffon", "suffering"]})
    find = Finder(open_database(), "en")
    assert ChoiceReader(*position(scenario, open_database(), find), find).read(text) == step


@pytest.mark.parametrize("words", ["eat feast", "zjedz ucztę", "съесть пир", "slayer eats feast"])
def test_food_is_eaten_by_the_hero_who_destroys_it(cli: Run, words: str) -> None:
    """Slayer 5 + 3 + Militia 1 - 2; with the Feast itself 5 + 1 + 1 + 1 - 2."""
    hand = ["resolve", "outlands slayer, feast, militia", "--hall", "nixie", "--explain", "why-not", words, "--json"]
    (why,) = cli(*hand).json["why_not"]
    assert why["step"] == {"use": "outlands-slayer", "destroy": "feast"}
    assert why["targets"][0]["choice"]["total"] == 5 + 3 + 1 - 2


def test_of_two_heroes_who_eat_one_is_asked_for(cli: Run) -> None:
    hand = ["resolve", "outlands slayer, thyrian knight, feast", "--hall", "nixie", "--explain", "why-not", "eat feast"]
    answer = cli(*hand, "--json")
    assert (answer.status, answer.json["error"]["candidates"]) == (1, ["Outlands Slayer", "Thyrian Knight"])


@pytest.mark.parametrize("hand", ["fireball, outlands khan", "2 fireball, outlands khan"])
def test_a_spell_used_against_air_wrath_bars_the_attack(cli: Run, hand: str) -> None:
    """R5.1: the Fireball works by itself, and no spell may have helped."""
    words = ["resolve", hand, "--hall", "air wrath", "--explain", "why-not", "use fireball", "--json"]
    (why,) = cli(*words).json["why_not"]
    assert (why["verdict"], why["rule"], why["code"]) == ("illegal", "R5.1", "barred-spell-used")
    (other,) = cli(*[word.replace("air wrath", "griffon") for word in words]).json["why_not"]
    assert other["rule"] == "R4.1"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_it_loses(cli: Run, snapshot: Callable[[str, str], None], lang: str) -> None:
    """On the Priest the rations lift nothing: Polearm 2, Squire 2, Priest 2 = 6 against 7, and Light 1 at rank 1."""
    answer = cli(*QUICK, "--explain", "why-not", "iron rations on priest", "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    snapshot(f"why-not.{lang}", answer.out)
    whole = cli(*QUICK, "--explain", "why-not", "iron rations on priest", "--more", "--lang", lang)
    assert [line for line in answer.out.splitlines() if line not in whole.out.splitlines()] == []
    (why,) = cli(*QUICK, "--explain", "why-not", "iron rations on priest", "--json", "--lang", lang).json["why_not"]
    (target,) = why["targets"]
    assert (why["verdict"], target["decided_by"]) == ("worse", "victory")
    assert (target["best"]["total"], target["choice"]["total"]) == (10, 6)
    lost, instead = ({step["card"]: step["attack"] for step in target[key]} for key in ("lost", "instead"))
    assert (lost["polearm"], instead["polearm"]) == (6, 2)
    assert all(step["rules"] for key in ("lost", "instead") for step in target[key])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_same_in_any_language(cli: Run, lang: str) -> None:
    said = {"en": "iron rations on priest", "pl": "żelazne racje na duchownego", "ru": "припасы жрецу"}[lang]
    (why,) = cli(*QUICK, "--explain", "why-not", said, "--json").json["why_not"]
    assert why["step"] == {"use": "iron-rations", "on": "regian-priest"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_against_the_rules(cli: Run, lang: str) -> None:
    """Militia: Strength 2, with rations 4; the Polearm weighs 3, the Short Sword 4."""
    words = ["resolve", "militia, warhammer", "--hall", "griffon", "--explain", "why-not", "warhammer on militia"]
    (why,) = cli(*words, "--json", "--lang", lang).json["why_not"]
    assert (why["verdict"], why["rule"], why["code"]) == ("illegal", "R4.3", "too-heavy")
    assert "R4.3" in cli(*words, "--lang", lang).out


def test_the_nearest_to_possible_is_told(cli: Run) -> None:
    """Too heavy even with the rations: Strength 2 + 2 = 4 is told, not the 2 it has without."""
    words = ["resolve", "militia, warhammer, iron rations", "--hall", "griffon"]
    (why,) = cli(*words, "--explain", "why-not", "warhammer on militia", "--json", "--lang", "en").json["why_not"]
    assert "Strength 4" in why["reason"]


def test_nobody_to_hold_a_weapon(cli: Run) -> None:
    words = ["resolve", "spear, torch", "--hall", "griffon", "--explain", "why-not", '{"equip": "spear"}']
    (why,) = cli(*words, "--json").json["why_not"]
    assert (why["verdict"], why["rule"], why["code"]) == ("illegal", "R4.3", "no-hero")


def test_just_as_good(cli: Run) -> None:
    words = ["resolve", "2 militia, dagger", "--hall", "griffon", "--explain", "why-not", "dagger on militia#2"]
    (why,) = cli(*words, "--json").json["why_not"]
    assert why["verdict"] == "equal"
    assert not why["targets"][0]["lost"]


def test_weapon_against_thunder_wrath(cli: Run) -> None:
    words = ["resolve", "outlands warrior, dagger", "--hall", "thunder wrath", "--explain", "why-not", "dagger"]
    (why,) = cli(*words, "--json", "--lang", "en").json["why_not"]
    assert why["verdict"] == "barred"
    assert "weapon" in why["targets"][0]["reason"]


def test_another_target(cli: Run) -> None:
    words = ["resolve", "2 militia, torch", "--hall", "griknack goblin, griffon"]
    answers = cli(*words, "--explain", "why-not", "attack 2", "--explain", "why-not", "griknack goblin", "--json")
    first, second = answers.json["why_not"]
    assert (first["verdict"], first["targets"][0]["monster"], first["targets"][0]["best_rank"]) == (
        "worse",
        "griffon",
        1,
    )
    assert second["verdict"] == "equal"


def test_a_plan_and_its_variant(cli: Run, tmp_path: Path) -> None:
    """The plan feeds the Squire (10); the Priest instead makes it 6, and then the Polearm still fits the Squire."""
    plan = [
        {"use": "iron-rations", "on": "thyrian-squire"},
        {"equip": "polearm", "to": "thyrian-squire"},
        {"attack": 1},
    ]
    battle = tmp_path / "battle.json"
    battle.write_text(json.dumps({"hand": HAND.split(", "), "hall": ["griffon"], "plan": plan}), encoding="utf-8")
    words = ["resolve", "--file", str(battle), "--json", "--explain", "why-not"]
    (why,) = cli(*words, "iron rations on priest").json["why_not"]
    assert (why["plan"], why["targets"][0]["best"]["total"], why["targets"][0]["choice"]["total"]) == (True, 10, 6)
    (why,) = cli(*words, "use thyrian squire").json["why_not"]
    assert (why["plan"], why["code"]) == (True, "cannot-pay"), "the rations are used: they cannot be eaten (R4.2)"
    assert why["targets"][0]["choice"]["total"] == 8, "played freely: Squire 2 + 2, Polearm 2, Priest 2"


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["why-not", ""], 2, "empty-choice"),
        (["why-not", "zxqwv on priest"], 1, "unknown-card"),
        (["why-not", "polearm on elf"], 1, "ambiguous-card"),
        (["why-not", "{oops"], 2, "malformed-choice"),
        (["why-not", '{"dance": 1}'], 2, "bad-step"),
        (["why-not", '{"buy": "torch"}'], 2, "not-a-choice"),
        (["why-not", '{"use": 5}'], 2, "bad-step-value"),
        (["why-not", '{"equip": "polearm", "to": null}'], 2, "bad-step-value"),
        (["why-not", '{"use": "polearm", "effect": "two"}'], 2, "bad-step-value"),
        (["why-not", '{"disease": 7}'], 2, "bad-step-value"),
        (["why-not", '{"battle": "destroy"}'], 2, "missing-step-key"),
        (["why-not", "attack 3"], 1, "no-target"),
        (["why-not", "attack suffering"], 1, "not-here"),
        (["why", "polearm"], 2, "unknown-explanation"),
    ],
)
def test_bad_questions(cli: Run, words: list[str], status: int, code: str) -> None:
    answer = cli(*QUICK, "--explain", *words, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("why_not", 5, "no-list"),
        ("why_not", 0, "no-list"),
        ("why_not", "banish", "no-list"),
        ("why_not", {"equip": "polearm"}, "no-list"),
        ("why_not", [7], "bad-value"),
        ("hand", 5, "no-list"),
        ("hall", {"rank": 1}, "no-list"),
        ("rank0", "griffon", "no-list"),
        ("others", 2, "no-list"),
        ("deck", "torch", "no-list"),
        ("readings", 4, "bad-value"),
        ("plan", 4, "no-list"),
        ("plan", [4], "bad-step"),
        ("xp", "many", "bad-value"),
        ("stacks", 3, "unknown-key"),
    ],
)
def test_a_file_is_checked_before_the_question_is_joined_to_it(
    cli: Run, tmp_path: Path, field: str, value: Any, code: str
) -> None:
    """For every field, whether or not something is joined to it, and with the hall yet to come."""
    battle = tmp_path / "battle.json"
    for more in ({"hall": ["griffon"]}, {}):
        battle.write_text(json.dumps({"hand": ["militia"], **more, field: value}), encoding="utf-8")
        words = ["resolve", "--file", str(battle), "--explain", "why-not", "militia"]
        answer = cli(*words)
        assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
        assert cli(*words, "--json").json["error"]["code"] == code


@pytest.mark.parametrize("lang", LANGUAGES)
def test_forty_columns(lang: str) -> None:
    words = ["thunderref", *QUICK, "--explain", "why-not", "iron rations on priest", "--lang", lang]
    status, shown = on_a_terminal(40, words)
    assert status == 0
    assert all(len(line) <= 40 for line in plain(shown).splitlines())
