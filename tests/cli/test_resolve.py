"""``thunderref resolve``: the rulebook's battle in three languages, the JSON of the contract, and every way in."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support import SNAPSHOTS
from support.terminal import on_a_terminal, plain
from thunderref.database.read import Language, open_database
from thunderref.pages.play_text import play_sentences
from thunderref.thunderstone.resolve import judge

if TYPE_CHECKING:
    from support.command import Run

LANGUAGES = ("en", "pl", "ru")
BATTLE: dict[str, Any] = {
    "hand": ["disease", "banish", "regian-priest", "iron-rations", "thyrian-squire", "polearm"],
    "hall": ["blink-dog", "suffering", "uyril-unending"],
    "deck": ["militia", "disease", "short-sword", "battle-fury"],
    "dungeon": ["kingdom"],
}
PREPARED: list[dict[str, Any]] = [
    {"use": "regian-priest"},
    {"use": "regian-priest", "effect": 2, "destroy": "disease"},
    {"use": "regian-priest", "effect": 2, "destroy": "disease"},
    {"use": "banish", "bottom": "blink-dog", "destroy": "militia"},
    {"use": "battle-fury"},
]
RATIONS_TO_PRIEST = [
    *PREPARED,
    {"use": "iron-rations", "on": "regian-priest"},
    {"equip": "short-sword", "to": "regian-priest"},
    {"equip": "polearm", "to": "thyrian-squire"},
]
RATIONS_TO_SQUIRE = [*RATIONS_TO_PRIEST[:5], {"use": "iron-rations", "on": "thyrian-squire"}, *RATIONS_TO_PRIEST[6:]]
SUFFERING = {**BATTLE, "plan": [*RATIONS_TO_PRIEST, {"attack": 1}]}
UYRIL = {**BATTLE, "plan": [*RATIONS_TO_SQUIRE, {"attack": 2}]}

QUICK = ["resolve", "2 militia, elf wizard, short sword, torch", "--hall", "blink dog, suffering, uyril"]

RESOLUTION_KEYS = {"ruleset", "goal", "targets", "best"}
TARGET_KEYS = {
    "rank", "monster", "can_attack", "reason", "health", "attack", "magic_attack", "light", "light_penalty", "total",
    "margin", "outcome", "destroyed", "gained", "discarded", "xp", "vp", "spoils", "line", "steps", "readings",
    "unknown_draws", "proven",
}  # fmt: skip
STEP_KEYS = {"text", "rules", "card", "attack", "magic_attack", "light"}


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Any], str]:
    return lambda document: write(tmp_path, "battle.json", json.dumps(document, ensure_ascii=False))


ANSWERS: dict[str, Any] = {}


@pytest.fixture
def solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle that is asked for twice in a language is solved once; no test that asks for this has a budget."""
    solve = judge.resolve

    def remembered(scenario: Any, **options: Any) -> Any:
        key = f"{sorted(scenario.items())} {options['words'].lang}"
        ANSWERS[key] = ANSWERS.get(key) or solve(scenario, **options)
        return ANSWERS[key]

    monkeypatch.setattr(judge, "resolve", remembered)


@pytest.fixture
def searched(cli: Run, saved: Callable[[Any], str], solved_once: None) -> dict[str, Any]:
    """The document for the rulebook's battle."""
    found: dict[str, Any] = cli("resolve", "--file", saved(BATTLE), "--json").json
    return found


# the rulebook's battle


@pytest.mark.usefixtures("solved_once")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "battle"), [("suffering", SUFFERING), ("uyril", UYRIL), ("best", BATTLE)])
def test_the_rulebooks_battle(
    cli: Run, saved: Callable[[Any], str], snapshot: Callable[[str, str], None], name: str, battle: Any, lang: str
) -> None:
    answer, whole = (cli("resolve", "--file", saved(battle), *more, "--lang", lang) for more in ((), ("--more",)))
    assert (answer.status, answer.err) == (whole.status, whole.err) == (0, "")
    snapshot(f"resolve.{name}.{lang}", answer.out)
    snapshot(f"resolve.{name}.more.{lang}", whole.out)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_battle_is_told_in_five_parts_and_its_protocol_only_when_asked_for(
    cli: Run, saved: Callable[[Any], str], lang: str
) -> None:
    words = Language(open_database(), lang)
    answer, whole = (cli("resolve", "--file", saved(SUFFERING), *more, "--lang", lang).out for more in ([], ["--more"]))
    monster = words.say("resolve.monster", card=words.card("suffering"))
    parts = [words.say("resolve.do"), words.say("resolve.reckon"), monster, words.say("resolve.after")]
    headings = [line.strip() for line in answer.splitlines() if line.startswith("  ") and line[2] != " "]
    assert headings == parts
    target = cli("resolve", "--file", saved(SUFFERING), "--json", "--lang", lang).json["targets"][0]
    sentences = play_sentences(target["line"], words, "suffering")
    assert [line.strip() for line in answer.splitlines() if line.strip() in sentences] == sentences
    assert all(step["text"] in whole for step in target["steps"])
    assert sum(step["text"] in answer for step in target["steps"]) < len(target["steps"]) / 2
    assert [line for line in answer.splitlines() if line not in whole.splitlines()] == []
    assert re.search(r"#\d|R4\.2|thunderref", answer) is None


@pytest.mark.parametrize(
    ("hand", "monster", "sums"),
    [
        (
            "selurin theurge, fireball, torch",
            "griffon",
            "Selurin Theurge 2 + Fireball 3 = 5; Magic Attack doubled: +5; 10 against Health 7",
        ),
        (
            "fireball, 2 militia",
            "fire wrath",
            "Fireball 3 + Militia 1 + Militia 1 = 5; immunity: −5; 0 against Health 6",
        ),
        ("fireball, elf wizard, disease", "griffon", "Fireball 3 + Elf Wizard 2 = 5; Disease: −1; 4 against Health 7"),
    ],
)
def test_a_sum_names_what_changes_it(cli: Run, hand: str, monster: str, sums: str) -> None:
    """R5.5, R5.6, R5.9: an immunity, a Disease or a doubling is no number among others."""
    assert f"    {sums}" in cli("resolve", hand, "--hall", monster).out


def test_a_sum_names_its_cards_copies_apart(cli: Run) -> None:
    """R5.7, R5.12: what a card gives in all is one number; a second copy is one of its own."""
    assert "    Fireball 3 + Fireball 3 + Elf Wizard 2 + Militia 1 = 9" in cli(*LONG, "--hall", "griffon").out
    assert "    Militia 2 + Militia 2 = 4;" in cli("resolve", "ambrosia, 2 militia", "--hall", "griffon").out


def test_what_a_step_brings_about_stands_right_behind_it(cli: Run, saved: Callable[[Any], str]) -> None:
    """Draws (R2.2) and newcomers (R6.6) behind the effect that causes them; what a step says is not said twice."""
    lines = [line.strip() for line in cli("resolve", "--file", saved(SUFFERING)).out.splitlines()]
    banish = next(place for place, line in enumerate(lines) if line.startswith("Use Banish"))
    assert lines[banish + 1 : banish + 3] == [
        "Kingdom is turned up in rank 3.  R6.6", "You draw Battle Fury (for Banish).  R2.2",
    ]  # fmt: skip
    assert not any(line.startswith("Destroy Militia (for Banish)") for line in lines)


def test_a_health_that_is_not_as_printed_says_why(cli: Run) -> None:
    """Death Sentinel makes the others harder to defeat (R5.14, R6.7); without it the Health is as printed."""
    hand = ("resolve", "3 militia, torch", "--hall", "griffon")
    assert "against Health 7 + 1 = 8" in cli(*hand, "--rank0", "death sentinel").out
    assert "Griffon: Health 7 + 1 (Death Sentinel) = 8." in cli(*hand, "--rank0", "death sentinel").out
    assert "against Health 7  R5.12" in cli(*hand).out


def test_a_hero_who_cannot_attack_is_missed_in_the_sum_and_said_to_be(cli: Run) -> None:
    """R5.4: a golem asks for Strength; a hero strong enough has no such line."""
    assert "Militia gives nothing: this hero needs Strength" in cli("resolve", "militia", "--hall", "stone golem").out
    assert "gives nothing" not in cli("resolve", "militia", "--hall", "griffon").out


def test_a_trap_before_the_battle_stands_before_the_attack(cli: Run, saved: Callable[[Any], str]) -> None:
    """Banish refills the hall at once, and a trap works at once (R6.6)."""
    plan: list[Any] = [{"use": "banish", "bottom": 1}, {"attack": 1}]
    battle = {"hand": ["banish", "fireball", "elf-wizard"], "hall": ["griffon", "haunt", "nixie"], "plan": plan}
    trapped = cli("resolve", "--file", saved({**battle, "dungeon": ["rolling-boulder", "kingdom"]})).out
    do = trapped.partition("The sum")[0]
    assert (
        do.index("Use Banish: ") < do.index("    A trap is turned up: Rolling Boulder.") < do.index("    Attack Haunt")
    )
    assert "A trap is" not in cli("resolve", "--file", saved({**battle, "dungeon": ["kingdom"]})).out


def test_a_lost_battle_says_what_would_have_been_enough(cli: Run) -> None:
    """The headline tells the shortfall once, by total and Health, and what is named makes it good."""
    answer = cli("resolve", "2 militia, torch", "--hall", "griffon")
    assert answer.out.splitlines()[0] == verdict("defeat", "griffon", rank=1, vp=4, xp=2, total=2, health=7, margin=5)
    assert answer.out.splitlines()[0].endswith("2 against Health 7")
    assert "  What would be enough\n" in answer.out
    more = cli("resolve", "2 militia, torch", "--hall", "griffon", "--json").json["targets"][0]["missing"]["helps"]
    assert all(each["text"] in answer.out for each in more if (each["what"], each["n"]) != ("attack", 5))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_suffering_at_ten_against_six_and_every_term_cited(cli: Run, saved: Callable[[Any], str], lang: str) -> None:
    target = cli("resolve", "--file", saved(SUFFERING), "--json", "--lang", lang).json["targets"][0]
    assert (target["monster"], target["total"], target["health"], target["margin"]) == ("suffering", 10, 6, 4)
    assert (target["attack"], target["magic_attack"], target["light_penalty"]) == (10, 2, 1)
    terms = {
        (step["card"], step["attack"], step["magic_attack"]): step
        for step in target["steps"]
        if step["attack"] or step["magic_attack"]
    }
    assert {("regian-priest", 0, 2), ("thyrian-squire", 2, 0), ("short-sword", 4, 0), ("polearm", 2, 0)} <= set(terms)
    assert sum(step["attack"] for step in terms.values()) == 10
    assert all(step["rules"] and step["text"] for step in terms.values())
    assert any("R5.12" in step["rules"] for step in target["steps"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_uyril_at_twelve_against_nine(cli: Run, saved: Callable[[Any], str], lang: str) -> None:
    target = cli("resolve", "--file", saved(UYRIL), "--json", "--lang", lang).json["targets"][0]
    assert (target["monster"], target["total"], target["health"], target["outcome"]) == (
        "uyril-unending", 12, 9, "victory",
    )  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_dog_is_barred_for_want_of_light(cli: Run, saved: Callable[[Any], str], lang: str) -> None:
    battle = {key: value for key, value in BATTLE.items() if key != "dungeon"}
    battle["hand"] = [card for card in battle["hand"] if card != "banish"]
    dog = cli("resolve", "--file", saved(battle), "--json", "--lang", lang).json["targets"][0]
    assert (dog["monster"], dog["outcome"], dog["can_attack"], dog["light_penalty"]) == (
        "blink-dog",
        "barred",
        False,
        2,
    )
    assert dog["reason"]
    assert [dog[key] for key in ("attack", "magic_attack", "total", "margin")] == [None] * 4


def test_no_word_is_left_untranslated(cli: Run, saved: Callable[[Any], str]) -> None:
    """The three languages say the same number of lines, each in its own letters."""
    words = ("resolve", "--file", saved(SUFFERING), "--more", "--lang")
    said = {lang: cli(*words, lang).out.splitlines() for lang in LANGUAGES}
    assert len(said["en"]) == len(said["pl"]) == len(said["ru"])
    for english, polish, russian in zip(said["en"], said["pl"], said["ru"], strict=True):
        if len(english.strip()) > 3:
            assert english != polish
            assert english != russian
            words = russian.split("  R")[0]
            assert sum(letter in "абвгдежзийклмнопрстуфхцчшщъыьэюя" for letter in words.lower()) > 3, russian


# the document and its shape


def test_the_shape_of_the_json(searched: dict[str, Any]) -> None:
    found = searched
    assert set(found) >= RESOLUTION_KEYS
    assert (found["ruleset"], found["goal"]) == ("print", "win")
    assert found["best"] in {target["rank"] for target in found["targets"]}
    for target in found["targets"]:
        assert set(target) >= TARGET_KEYS
        assert target["outcome"] in ("victory", "defeat", "barred")
        assert target["can_attack"] == (target["outcome"] != "barred")
        for key in ("destroyed", "gained", "discarded", "line", "steps", "readings", "spoils"):
            assert isinstance(target[key], list)
        for step in target["steps"]:
            assert set(step) >= STEP_KEYS
            assert isinstance(step["text"], str)
            assert isinstance(step["rules"], list)
        if target["can_attack"]:
            assert target["margin"] == target["total"] - target["health"]


def test_a_line_is_a_plan(cli: Run, saved: Callable[[Any], str], searched: dict[str, Any]) -> None:
    best = max(searched["targets"], key=lambda t: t["margin"] or -99)
    again = cli("resolve", "--file", saved({**BATTLE, "plan": best["line"]}), "--json").json["targets"]
    assert [(t["monster"], t["total"], t["line"]) for t in again] == [(best["monster"], best["total"], best["line"])]


# ways in


def test_quick_syntax_file_and_standard_input_agree(cli: Run, saved: Callable[[Any], str], tmp_path: Path) -> None:
    scenario = {
        "hand": ["2 militia", "elf-wizard", "short-sword", "torch"],
        "hall": ["blink-dog", "suffering", "uyril"],
    }
    quick = cli(
        "resolve", "2 militia, elf wizard, short sword, torch", "--hall", "blink dog, suffering, uyril", "--json"
    ).json
    assert cli("resolve", "--file", saved(scenario), "--json").json == quick
    assert cli("resolve", "--file", "-", "--json", stdin=json.dumps(scenario)).json == quick
    toml = 'hand = ["2 militia", "elf-wizard", "short-sword", "torch"]\nhall = ["blink-dog", "suffering", "uyril"]\n'
    assert cli("resolve", "--file", write(tmp_path, "battle.toml", toml), "--json").json == quick
    assert (
        cli(
            "resolve",
            "2",
            "militia,",
            "elf wizard,",
            "short",
            "sword,",
            "torch",
            "--hall=blink dog,suffering,uyril",
            "--json",
        ).json
        == quick
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_names_in_any_language(cli: Run, lang: str) -> None:
    wanted = cli(*QUICK, "--json").json
    words = Language(open_database(), lang)
    hand = ", ".join([f"2 {words.card('militia')}", *map(words.card, ("elf-wizard", "short-sword", "torch"))])
    hall = "; ".join(map(words.card, ("blink-dog", "suffering", "uyril-unending")))
    assert cli("resolve", hand, "--hall", hall, "--json").json == wanted


@pytest.mark.parametrize(
    ("hand", "hall"),
    [
        ("2 militia, elf-wizard, short-sword, torch", "blink-dog, suffering, uyril-unending"),
        ("2x milita, elf wizrd, shrt sword, tourch", "blnk dog, sufferin, uyrl"),
        ("militia x2; elf wizard; short sword; torch", "blink dog; suffering; uyril"),
        ("militia, militia#2, elf wizard, short sword, torch", "blink dog, suffering, uyril"),
    ],
)
def test_names_with_typos_and_numbers(cli: Run, hand: str, hall: str) -> None:
    assert cli("resolve", hand, "--hall", hall, "--json").json == cli(*QUICK, "--json").json


def test_options_overrule_the_file(cli: Run, saved: Callable[[Any], str]) -> None:
    found = cli(
        "resolve", "--file", saved(BATTLE), "--rank", "2", "--goal", "max", "--ruleset", "yucata", "--json"
    ).json
    assert (found["goal"], found["ruleset"]) == ("max", "yucata")
    assert [target["rank"] for target in found["targets"]]


def test_an_empty_rank(cli: Run, saved: Callable[[Any], str]) -> None:
    found = cli("resolve", "--file", saved({"hand": ["militia"], "hall": [None, "griffon"]}), "--json").json
    assert [target["rank"] for target in found["targets"]] == [2]


@pytest.mark.usefixtures("solved_once")
def test_a_batch_answers_line_by_line(cli: Run, tmp_path: Path) -> None:
    lines = [
        json.dumps(BATTLE),
        "{not json",
        json.dumps({"hand": ["pikachu"], "hall": ["griffon"]}),
        "",
        "[]",
        json.dumps({"hand": ["militia"], "hall": ["griffon"], "plan": [{"attack": 3}]}),
        json.dumps(UYRIL),
    ]
    path = write(tmp_path, "battles.jsonl", "\n".join(lines) + "\n")
    answer = cli("resolve", "--batch", path, "--jobs", "1", "--lang", "pl", "--budget", "0")
    assert (answer.status, answer.err) == (0, "")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert ["targets" in result for result in found] == [True, False, False, False, False, True]
    assert [result["error"]["code"] for result in found if "error" in result][:2] == ["malformed-line", "unknown-card"]
    assert all(result["error"]["message"].strip() for result in found if "error" in result)
    assert found[-1]["targets"][0]["total"] == 12
    assert cli("resolve", "--batch", "-", "--lang", "pl", "--budget", "0", stdin="\n".join(lines)).out == answer.out


def test_a_long_batch_keeps_its_order(cli: Run, tmp_path: Path) -> None:
    hands = [[f"{n} militia"] if n else ["torch"] for n in range(8)]
    lines = [json.dumps({"hand": hand, "hall": ["griffon"]}) for hand in hands] * 6
    path = write(tmp_path, "battles.jsonl", "\n".join(lines))
    alone = cli("resolve", "--batch", path, "--jobs", "1").out
    shared = subprocess.run(
        [sys.executable, "-m", "thunderref", "resolve", "--batch", path, "--jobs", "2", "--lang", "en"],
        capture_output=True, encoding="utf-8", check=True,
    ).stdout  # fmt: skip
    assert shared == alone
    assert len(alone.splitlines()) == len(lines)


# bad input: one sentence each, never a traceback

PLAN = {"hand": ["militia", "militia", "short-sword", "elf-wizard", "dagger"], "hall": ["griffon"]}
ELVES = {"elf-wizard", "elf-sorcerer", "elf-archmage"}
BAD: dict[str, tuple[list[str], Any, int, str]] = {
    # name: words, document of --file, status, code
    "unknown card": (["zxqwv", "--hall", "griffon"], None, 1, "unknown-card"),
    "unknown monster": (["militia", "--hall", "pikachu"], None, 1, "unknown-card"),
    "ambiguous card": (["elf", "--hall", "griffon"], None, 1, "ambiguous-card"),
    "empty hand": (["--hall", "griffon"], None, 2, "empty-hand"),
    "blank hand": (["", "--hall", "griffon"], None, 2, "empty-hand"),
    "empty hall": (["militia"], None, 2, "empty-hall"),
    "blank hall": (["militia", "--hall", ""], None, 2, "empty-hall"),
    "nothing at all": ([], None, 2, "empty-hand"),
    "a fourth rank": (["militia", "--hall", "griffon, griffon, griffon, griffon"], None, 2, "too-many-ranks"),
    "a seventh rank": (["militia", "--hall", "griffon", "--rank", "7"], None, 2, "bad-rank"),
    "a negative rank": (["militia", "--hall", "griffon", "--rank", "-1"], None, 2, "bad-rank"),
    "an empty rank": (["militia", "--hall", "griffon", "--rank", "2"], None, 1, "no-target"),
    "no rank": (["militia", "--hall", "griffon", "--rank", "two"], None, 2, ""),
    "a hand of thirty": (["30 militia", "--hall", "griffon"], None, 2, "too-many-cards"),
    "a hand without end": (["999999999 militia", "--hall", "griffon"], None, 2, "too-many-cards"),
    "a copy without a number": (["militia#x", "--hall", "griffon"], None, 2, "bad-copy"),
    "no copy": (["0 militia", "--hall", "griffon"], None, 2, "zero-copies"),
    "unknown goal": (["militia", "--hall", "griffon", "--goal", "lose"], None, 2, ""),
    "unknown ruleset": (["militia", "--hall", "griffon", "--ruleset", "chess"], None, 2, ""),
    "unknown option": (["militia", "--hell", "griffon"], None, 2, ""),
    "unknown language": (["militia", "--hall", "griffon", "--lang", "de"], None, 2, "unknown-language"),
    "no such file": (["--file", "/no/such/battle.json"], None, 2, "no-file"),
    "a folder": (["--file", "/"], None, 2, "unreadable-file"),
    "no such batch": (["--batch", "/no/such/battles.jsonl"], None, 2, "no-file"),
    "no processes": (["--batch", "-", "--jobs", "0"], None, 2, "bad-jobs"),
    "malformed JSON": ([], '{"hand": ["militia",', 2, "malformed-file"),
    "nested without end": ([], "[" * 100_000, 2, "too-deep"),
    "an empty file": ([], "", 2, "malformed-file"),
    "not an object": ([], ["militia"], 2, "document-not-an-object"),
    "unknown key": ([], {**PLAN, "hands": []}, 2, "unknown-key"),
    "missing key": ([], {"hall": ["griffon"]}, 2, ""),
    "hand of the wrong kind": ([], {**PLAN, "hand": 7}, 2, "no-list"),
    "target out of range": ([], {**PLAN, "target": 9}, 2, ""),
    "players out of range": ([], {**PLAN, "players": 0}, 2, "bad-value"),
    "no step": ([], {**PLAN, "plan": [{"dance": "militia"}]}, 2, "bad-step"),
    "plan that is no list": ([], {**PLAN, "plan": {"attack": 1}}, 2, ""),
    "step that is no object": ([], {**PLAN, "plan": ["attack"]}, 2, ""),
    "weapon too heavy": ([], {**PLAN, "plan": [{"equip": "short-sword", "to": "elf-wizard"}]}, 1, "too-heavy"),
    "one copy twice": (
        [],
        {**PLAN, "plan": [{"equip": "dagger", "to": "militia"}, {"equip": "dagger", "to": "militia#2"}]},
        1,
        "weapon-spent",
    ),
    "a copy that is not there": ([], {**PLAN, "plan": [{"equip": "dagger", "to": "militia#3"}]}, 1, "not-in-play"),
    "a card that is not there": ([], {**PLAN, "plan": [{"use": "banish"}]}, 1, "not-in-play"),
    "an attack on nothing": ([], {**PLAN, "plan": [{"attack": 3}]}, 1, ""),
    "no weapon": ([], {**PLAN, "plan": [{"equip": "militia", "to": "elf-wizard"}]}, 1, "not-a-weapon"),
    "no hero": ([], {**PLAN, "plan": [{"equip": "dagger", "to": "short-sword"}]}, 1, "not-a-hero"),
}
REFUSED = {name for name, (_, document, status, _) in BAD.items() if status == 1 and document is not None}


@pytest.mark.parametrize(("words", "document", "status", "code"), BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_bad_input_is_one_sentence(
    cli: Run, tmp_path: Path, words: list[str], document: Any, status: int, code: str, lang: str
) -> None:
    if document is not None:
        text = document if isinstance(document, str) else json.dumps(document)
        words = [*words, "--file", write(tmp_path, "battle.json", text)]
    if "--lang" not in words:
        words = [*words, "--lang", lang]
    answer = cli("resolve", *words)
    assert (answer.status, answer.out) == (status, "")
    assert answer.err.startswith("thunderref: ")
    assert answer.err.count("\n") == 1
    assert not {"{", "}", "Traceback"} & set(answer.err.split())
    found = cli("resolve", *words, "--json")
    assert (found.status, found.err) == (status, "")
    error = found.json["error"]
    assert set(error) >= {"code", "message", "candidates"}
    assert error["message"] == answer.err.removeprefix("thunderref: ").rstrip("\n")
    if code:
        assert error["code"] == code


def test_malformed_toml_is_one_sentence(cli: Run, tmp_path: Path) -> None:
    answer = cli("resolve", "--file", write(tmp_path, "battle.toml", "hand = [\n"))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_bytes_that_are_no_text_are_one_sentence(cli: Run, tmp_path: Path) -> None:
    path = tmp_path / "battle.json"
    path.write_bytes(b"\xff\xfe\x00{")
    answer = cli("resolve", "--file", str(path))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refused_step_carries_its_rule(cli: Run, tmp_path: Path, name: str) -> None:
    _, document, _, _ = BAD[name]
    answer = cli("resolve", "--file", write(tmp_path, "battle.json", json.dumps(document)))
    assert "R" in answer.err
    assert any(
        word.strip("();:.,").startswith("R") and word.strip("();:.,")[1:2].isdigit() for word in answer.err.split()
    )


def test_candidates_are_listed(cli: Run) -> None:
    assert len(cli("resolve", "elf", "--hall", "griffon", "--json").json["error"]["candidates"]) == len(ELVES)
    assert cli("resolve", "fireblast", "--hall", "griffon", "--json").json["error"]["candidates"] == [
        "Fireball",
        "Firebrand Cyclops",
    ]
    assert cli("resolve", "zxqwv", "--hall", "griffon", "--json").json["error"]["candidates"] == []


# where and how it is shown


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({}, "en"),
        ({"THUNDERREF_LANG": "ru"}, "ru"),
        ({"LC_ALL": "pl_PL.UTF-8", "LANG": "ru_RU.UTF-8"}, "pl"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"THUNDERREF_LANG": "pl", "LC_ALL": "ru_RU.UTF-8"}, "pl"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_language_of_the_environment(cli: Run, env: dict[str, str], lang: str) -> None:
    assert cli(*QUICK, env=env).out == cli(*QUICK, "--lang", lang).out
    assert cli(*QUICK, "--lang", "en", env=env).out == cli(*QUICK, "--lang", "en").out


def shown(columns: int, *words: str) -> str:
    status, text = on_a_terminal(columns, ["thunderref", *words], NO_COLOR="1")
    assert status == 0
    return text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("columns", [40, 80])
def test_it_fits_a_narrow_terminal(columns: int, lang: str) -> None:
    text = shown(columns, *QUICK, "--lang", lang)
    assert max(map(len, text.splitlines())) <= columns
    assert "\x1b" not in text


def test_a_pipe_has_no_colour_and_whole_lines(cli: Run) -> None:
    piped = cli(*QUICK).out
    assert not set(piped) & set("\x1b│┃╭─━")
    longest = max(piped.splitlines(), key=len)
    assert len(longest) > 80  # a sentence is never broken in a pipe
    assert longest.strip() not in shown(40, *QUICK)


def test_from_another_directory(tmp_path: Path) -> None:
    write(tmp_path, "battle.json", json.dumps(UYRIL))
    run = subprocess.run(
        [sys.executable, "-m", "thunderref", "resolve", "--file", "battle.json", "--json"],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    assert json.loads(run.stdout)["targets"][0]["total"] == 12
    assert [path.name for path in tmp_path.iterdir()] == ["battle.json"]


def test_a_barred_target_asked_for_alone_says_nothing_of_the_others(cli: Run) -> None:
    hand, hall = "thyrian squire, polearm, torch", "blink dog, grudgebeast, sphinx"
    assert "R4.8" not in cli("resolve", hand, "--hall", hall, "--rank", "1").out
    assert "R4.8" in cli("resolve", hand, "--hall", "blink dog").out


@pytest.mark.parametrize("rank", [1, 3])
def test_of_two_copies_the_one_at_the_rank_asked_for_is_judged(cli: Run, rank: int) -> None:
    hand, hall = "thyrian knight, short sword, lightstone gem", "griffon, shadow torment, griffon"
    run = cli("resolve", hand, "--hall", hall, "--deck", "thyrian knight", "--rank", str(rank), "--json")
    (target,) = json.loads(run.out)["targets"]
    assert (target["rank"], target["monster"], target["line"][1]) == (rank, "griffon", {"attack": rank})


def test_of_two_monsters_judged_at_one_rank_the_better_is_named(searched: dict[str, Any]) -> None:
    """Banish brings Suffering (4 VP) or Uyril Unending (5 VP) to rank 1, and either can be beaten."""
    found = searched
    at_best = {t["monster"]: (t["vp"], t["xp"]) for t in found["targets"] if (t["rank"], t["can_attack"]) == (1, True)}
    assert (found["best"], len(at_best)) == (1, 2)
    assert at_best[found["best_monster"]] == max(at_best.values()) > min(at_best.values())
    printed = (SNAPSHOTS / "resolve.best.en.txt").read_text("utf-8")
    assert "Best target: Uyril Unending, rank 1." in printed


@pytest.mark.parametrize(
    ("lang", "why"), [("en", "no Magic Attack"), ("pl", "brak Ataku magicznego"), ("ru", "нет магической атаки")]
)
def test_a_total_that_would_do_is_not_said_to_fall_short(cli: Run, lang: str, why: str) -> None:
    """R5.14: without Magic Attack he is not beaten, whatever the total."""
    hand = "clan champion, clan sergeant, spear, warhammer, ambrosia, amulet of power"
    words = Language(open_database(), lang)
    figures = {"rank": 1, "vp": 8, "xp": 3, "total": 17, "health": 10, "margin": 7}
    said = {"card": words.card("archduke-of-pain"), "verdict": words.say("resolve.lost"), **figures}
    told = words.say("resolve.defeat.magic", **said)
    page = cli("resolve", hand, "--hall", "archduke of pain", "--lang", lang).out
    assert page.startswith(f"{told}\n")
    assert why in told
    assert "17" in told
    assert "10" in told


@pytest.mark.parametrize(("lang", "figures"), [("en", "Attack −1"), ("pl", "Atak −1"), ("ru", "атака −1")])
def test_the_bonus_of_a_spell_is_taken_back_where_spells_count_nothing(
    cli: Run, saved: Callable[[Any], str], lang: str, figures: str
) -> None:
    words = Language(open_database(), lang)
    hero, spell = words.card("outlands-khan"), words.card("battle-fury")
    told = f"{words.say('term.immune.spell-gift', card=hero, figures=figures, from_card=spell)}  R5.5"
    plan: list[Any] = [{"use": "battle-fury"}, {"equip": "hatchet", "to": "outlands-khan"}, {"attack": 1}]
    battle = {"hand": ["outlands-khan", "hatchet", "battle-fury", "torch"], "hall": ["fire-wrath"], "plan": plan}
    assert told in cli("resolve", "--file", saved(battle), "--more", "--lang", lang).out
    reckoned = f"{hero} 8 + {words.card('hatchet')} 3 = 11; {words.say('sum.R5.5', off=-1)}; "
    assert reckoned in cli("resolve", "--file", saved(battle), "--lang", lang).out
    assert told not in cli("resolve", "--file", saved({**battle, "hall": ["nixie"]}), "--more", "--lang", lang).out


def test_the_gold_of_the_spoils_says_where_it_comes_from(cli: Run) -> None:
    """R6.4: the revealed cards that survived; Militia's printed 0 adds nothing."""
    words = ("resolve", "chalice paladin, hatchet, militia, 2 torch", "--hall", "nixie")
    told = "Spoils of Chalice Paladin: you may buy one card (village card, hero or basic card) for up to 5 gold"
    assert f"{told} (gold: Hatchet 1 + Torch 2 + Torch 2; R6.4)." in cli(*words).out
    right = cli(*words, "--json").json["targets"][0]["spoils"][0]
    assert right["gold"] == sum(each["gold"] for each in right["gold_from"]) == 5


def verdict(key: str, card: str, **figures: int) -> str:
    """A headline in English, in the program's words."""
    words = Language(open_database(), "en")
    return words.say(f"resolve.{key}", card=words.card(card), verdict=words.say("resolve.sure"), **figures)


LONG = ["resolve", "2 fireball, elf wizard, militia"]
VERDICTS = [
    "Best target: Griffon, rank 2.",
    verdict("victory", "blink-dog", rank=1, vp=2, xp=1, total=8, health=3, margin=5),
    verdict("victory", "griffon", rank=2, vp=4, xp=2, total=8, health=7, margin=1),
    verdict("defeat", "suffering", rank=3, vp=4, xp=2, total=2, health=6, margin=4),
]
SIX = ["resolve", "2 militia, elf wizard, short sword, torch, iron rations", "--hall", "blink dog, griffon, suffering"]


@pytest.mark.parametrize(("options", "sums"), [([], 1), (["--all"], 3), (["--rank", "3"], 1)])
def test_the_verdicts_are_last_on_a_terminal(options: list[str], sums: int) -> None:
    """One line each, below the sum of the best target, so that the last 24 lines hold them; --all shows every sum."""
    status, shown = on_a_terminal(80, ["thunderref", *SIX, *options, "--lang", "en"])
    lines = plain(shown).splitlines()
    assert (status, sum(line.startswith("╭") for line in lines)) == (0, sums)
    if "--rank" not in options:
        assert lines[-4:] == VERDICTS
        assert ("against Health 3" in "".join(lines[:-4])) == (sums == 3)
    else:
        assert lines[-1] == VERDICTS[-1]


def test_a_pipe_gets_every_sum_with_the_best_target_last(cli: Run) -> None:
    out = cli(*SIX).out
    assert out == cli(*SIX, "--all").out
    assert out.splitlines()[-1] == VERDICTS[0]
    assert [line for line in out.splitlines() if line in VERDICTS[1:]] == VERDICTS[1:]
    assert out.count("The sum") == 3


def test_why_not_stands_before_the_verdicts_on_a_terminal() -> None:
    words = [*SIX, "--explain", "why-not", "attack blink dog", "--lang", "en"]
    lines = plain(on_a_terminal(80, ["thunderref", *words])[1]).splitlines()
    assert lines[-4:] == VERDICTS
    assert "The victory is worth 2 VP less." in " ".join(line.strip("│ ") for line in lines)


def test_targets_that_are_all_barred_are_shown_with_what_is_missing() -> None:
    words = ["resolve", "2 militia, thyrian knight", "--hall", "blink dog", "--lang", "en"]
    lines = plain(on_a_terminal(80, ["thunderref", *words])[1]).splitlines()
    assert any("This would be enough" in line for line in lines)
    assert "Blink Dog, rank 1 (2 VP, 1 XP): barred." in lines[-2]


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("win", "No victory is possible; Suffering, rank 2, comes closest."),
        ("max", "No victory is possible; Lord of Death, rank 1, gives the highest total."),
    ],
)
def test_no_victory_says_what_the_best_is_best_at(cli: Run, goal: str, told: str) -> None:
    words = ["resolve", "2 militia, torch", "--hall", "lord of death, suffering", "--goal", goal]
    assert cli(*words).out.splitlines()[-1] == told


def test_nothing_chosen_is_not_an_empty_name(cli: Run, saved: Callable[[Any], str]) -> None:
    """Sphinx shows six cards of the deck, and none of them has to be destroyed (R6.4)."""
    deck = ["militia"] * 8
    battle = {"hand": ["elf-archmage", "elf-archmage", "fireball", "torch", "torch", "torch"], "hall": ["sphinx"]}
    plan = [{"attack": 1}, {"use": "sphinx", "destroy": []}]
    for lang in LANGUAGES:
        told = cli("resolve", "--file", saved({**battle, "deck": deck, "plan": plan}), "--lang", lang)
        assert told.status == 0, told.err
        assert not re.search(r"«»|„”|: destroy \.", told.out)


def test_what_does_not_draw_brings_no_victory_by_a_draw(cli: Run) -> None:
    """R5.5: Ebon Fume is immune to all that this hand has, and nothing here or in the village draws."""
    hand = "diin beguiler, militia, elf archmage"
    answer = cli("resolve", hand, "--hall", "ebon fume", "--village", "regian priest, lantern", "--json")
    assert answer.json["targets"][0]["draws"] is None
