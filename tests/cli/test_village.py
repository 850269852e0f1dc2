"""``thunderref village`` as users and scripts see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thunderref.database.read import Language, open_database
from thunderref.pages.play_text import play_sentences

HAND = "barkeep, town guard, lorigg thief, the unchained, militia, battle fury"
DECK = "disease, outlands slayer, trainer, torch, dagger"
PAWN = "pawnbroker, battle fury, torch"
STACKS = "short sword, banish, lorigg rogue, outlands khan"
PLAN: list[dict[str, Any]] = [
    {"use": "town guard"},
    {"use": "town guard", "effect": 2},
    {"use": "barkeep"},
    {"use": "trainer", "destroy": "militia"},
    {"use": "trainer", "effect": 2},
    {"use": "barkeep", "effect": 2},
    {"buy": "short sword"},
    {"buy": "banish"},
    {"level_up": "lorigg thief", "to": "lorigg rogue"},
    {"level_up": "outlands slayer", "to": "outlands khan"},
]
EXAMPLE = ("village", HAND, "--deck", DECK, "--xp", "3", "--stacks", STACKS)


def test_the_rulebook_example_without_a_plan(cli: Any) -> None:
    answer = cli(*EXAMPLE, "--json")
    assert answer.status == 0
    result = answer.json
    assert (result["gold"], result["gold_left"], result["buys"], result["xp"]) == (10, 10, 2, 5)
    assert result["options"][0] == {"buy": ["short-sword", "banish"], "cost": 10, "left": 0, "vp": 0}
    assert result["level_ups"] == [
        {"hero": "lorigg-thief", "to": "lorigg-rogue", "cost": 2, "available": True},
        {"hero": "outlands-slayer", "to": "outlands-khan", "cost": 3, "available": True},
    ]
    assert sum(step["gold"] for step in result["steps"]) == 10


def test_the_keys_of_the_outside_contract(cli: Any) -> None:
    result = cli(*EXAMPLE, "--plan", json.dumps(PLAN), "--json").json
    for key in (
        "gold", "gold_left", "buys", "xp", "xp_left", "drawn", "destroyed", "gained", "line", "steps", "options",
        "level_ups",
    ):  # fmt: skip
        assert key in result
    assert {"text", "rules", "card", "gold", "xp"} <= set(result["steps"][0])


@pytest.mark.parametrize("how", ["text", "json file", "toml file", "stdin", "document"])
def test_a_plan_may_come_from_anywhere(cli: Any, tmp_path: Path, how: str) -> None:
    document = {"hand": HAND.split(", "), "deck": DECK.split(", "), "xp": 3, "stacks": STACKS.split(", "), "plan": PLAN}
    path = tmp_path / "plan.json"
    stdin = None
    if how == "text":
        words = (*EXAMPLE, "--plan", json.dumps(PLAN))
    elif how == "json file":
        path.write_text(json.dumps(PLAN))
        words = (*EXAMPLE, "--plan", str(path))
    elif how == "toml file":
        path = tmp_path / "plan.toml"
        rows = (", ".join(f"{key} = {json.dumps(value)}" for key, value in step.items()) for step in PLAN)
        path.write_text("plan = [" + ", ".join(f"{{{row}}}" for row in rows) + "]")
        words = (*EXAMPLE, "--plan", str(path))
    elif how == "stdin":
        words, stdin = ("village", "--file", "-"), json.dumps(document)
    else:
        path.write_text(json.dumps(document))
        words = ("village", "--file", str(path))
    answer = cli(*words, "--json", stdin=stdin)
    assert answer.status == 0, answer.err
    assert answer.json["gold_left"] == 0
    assert answer.json["xp_left"] == 0
    assert answer.json["gained"] == ["short-sword", "banish", "lorigg-rogue", "outlands-khan"]


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        (
            "en",
            [
                "10 gold, 2 purchases, 5 XP; destroys Town Guard, Militia, Trainer and Barkeep (price",
                "Buy Short Sword for 6 gold; 4 gold left.",
                "R3.5",
            ],
        ),
        ("pl", ["10 sztuk złota, 2 zakupy, 5 PD; usuwasz ", "Krótki miecz", "6 sztuk złota", "zostaje 4"]),
        ("ru", ["10 золотых, 2 покупки, 5 жетонов опыта; вы уничтожаете ", "Короткий меч", "остаётся 4", "Лоригг"]),
    ],
)
def test_the_text_follows_the_language(cli: Any, lang: str, expected: list[str]) -> None:
    words = Language(open_database(), lang)
    answer = cli(*EXAMPLE, "--plan", json.dumps(PLAN), "--more", "--lang", lang)
    assert answer.status == 0
    for text in expected:
        assert text in answer.out
    assert answer.err == ""
    bought = words.say("event.purchased", card=words.card("short-sword"), gold_paid=6, left=4)
    assert bought in answer.out
    document = cli(*EXAMPLE, "--plan", json.dumps(PLAN), "--json", "--lang", lang).json
    assert all(step["text"] in answer.out for step in document["steps"])


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_a_visit_is_told_as_what_to_do_and_one_sum(cli: Any, lang: str) -> None:
    """The headline, a line a choice, the gold in one sum, and what is left; each effect only with ``--more``."""
    words = Language(open_database(), lang)
    page = cli(*EXAMPLE, "--plan", json.dumps(PLAN), "--lang", lang).out
    do = play_sentences(cli(*EXAMPLE, "--plan", json.dumps(PLAN), "--json").json["line"], words, where="village")
    assert len(do) == len(PLAN)
    lines = [line.strip() for line in page.splitlines()]
    told = lines[1 : lines.index(words.say("resolve.reckon"))]
    assert [line for line in told if "  R" not in line] == [words.say("resolve.do"), *do]
    drawn = words.say("event.drawn", card=words.card("disease"), by_card=words.card("town-guard"))
    assert told[2] == f"{drawn}  R2.2"
    given = {"trainer": 2, "barkeep": 2, "lorigg-thief": 2, "the-unchained": 1, "torch": 2, "dagger": 1}
    assert " + ".join(f"{words.card(card)} {n}" for card, n in given.items()) + " = 10" in lines[len(told) + 2]
    *left, hand = lines[len(told) + 3 :]
    assert left == [words.say("village.headline-left", gold=0, xp=0)]
    assert hand.startswith(words.say("table.hand", cards=words.card("barkeep")).rstrip("."))


def test_what_can_be_bought_is_listed(cli: Any) -> None:
    out = cli(*EXAMPLE).out
    assert "Short Sword + Banish: 10 gold, 0 gold left over" in out
    assert "Lorigg Thief to Lorigg Rogue: 2 XP" in out
    everything = cli("village", "2 torch, militia", "--xp", "3").out
    assert "--stacks narrows it down" in everything
    assert "Militia to a level 1 hero of your choice: 3 XP" in everything


@pytest.mark.parametrize(
    ("hand", "wanted", "why", "said"),
    [
        ("dagger, torch, iron rations", "lantern", None, "Yes, Lantern: 4 of your 5 gold."),
        ("2 militia, torch", "short sword", "gold", "No, Short Sword: cost 6, and you have 2 gold at most."),
        ("barkeep, feast, torch", "dagger, torch", None, "Yes, Dagger and Torch: 6 of your 7 gold."),
        ("feast, torch, dagger", "dagger, torch", "buys", "No, Dagger and Torch: these are more purchases"),
        ("4 torch", "elf sorcerer", "stack", "Only from the top of a stack, Elf Sorcerer: cost 8"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_judged_first(cli: Any, hand: str, wanted: str, why: str | None, said: str) -> None:
    """R3.2 and R3.3: the gold of the hand against the cost, one purchase a visit, the top of each stack."""
    page = cli("village", hand, "--wanted", wanted).out
    assert page.startswith(said)
    assert json.loads(cli("village", hand, "--wanted", wanted, "--json").out)["wanted"]["why"] == why


def test_a_level_of_which_no_card_is_left_is_not_offered(cli: Any) -> None:
    words = ("village", "lorigg thief", "--xp", "2", "--stacks", "banish")
    assert cli(*words, "--json").json["level_ups"][0]["available"] is False
    assert "level-ups" not in cli(*words).out


def test_unknown_draws_are_named(cli: Any) -> None:
    answer = cli("village", "town guard, torch", "--lang", "pl")
    assert "2 nieznane" in answer.out
    assert cli("village", "town guard, torch", "--json").json["unknown_draws"] == 2


def test_unknown_hands_are_named(cli: Any) -> None:
    document = {"hand": ["tax collector"], "plan": [{"use": "tax collector", "effect": 2}]}
    answer = cli("village", "--file", "-", stdin=json.dumps(document))
    assert answer.status == 0
    assert "R4.11" in answer.out


@pytest.mark.parametrize(
    ("plan", "step", "rule"),
    [
        ([*PLAN[:6], {"use": "barkeep"}], 7, "R3.1"),
        ([*PLAN[:8], {"buy": "banish"}], 9, "R3.3"),
        ([*PLAN[:9], {"buy": "banish"}], 10, "R3.4"),
        ([*PLAN[:9], {"level_up": "lorigg rogue"}], 10, "R3.5"),
        ([{"buy": "short sword"}], 1, "R3.3"),
    ],
)
def test_an_illegal_step_is_named_with_its_rule(cli: Any, plan: list[Any], step: int, rule: str) -> None:
    answer = cli(*EXAMPLE, "--plan", json.dumps(plan))
    assert answer.status == 1
    assert f"Step {step}:" in answer.err
    assert rule in answer.err
    assert answer.out == ""


BAD: list[tuple[tuple[str, ...], int, str]] = [
    (("village",), 2, "empty-hand"),
    (("village", " , "), 2, "empty-hand"),
    (("village", "30 torch"), 2, "too-many-cards"),
    (("village", "0 torch"), 2, "zero-copies"),
    (("village", "no such card"), 1, "unknown-card"),
    (("village", "elf"), 1, "ambiguous-card"),
    (("village", "torch", "--stacks", "blink dog"), 1, "wrong-kind"),
    (("village", "torch", "--goal", "fun"), 2, "not-one-of"),
    (("village", "torch", "--xp", "-1"), 2, "bad-value"),
    (("village", "torch", "--players", "9"), 2, "bad-value"),
    (("village", "torch", "--plan", "[{"), 2, "bad-plan"),
    (("village", "torch", "--plan", "[1]"), 2, "bad-plan"),
    (("village", "torch", "--plan", "nowhere.json"), 2, "no-file"),
    (("village", "torch", "--plan", '[{"sell": "torch"}]'), 2, "bad-step"),
    (("village", "torch", "--plan", '[{"use": "torch", "to": "militia"}]'), 2, "bad-step-key"),
    (("village", "torch", "--plan", '[{"use": 3}]'), 2, "bad-step-value"),
    (("village", "torch", "--plan", '[{"use": "torch", "effect": "two"}]'), 2, "bad-step-value"),
    (("village", "torch", "--plan", '[{"use": "torch"}]'), 1, "no-such-village-effect"),
    (("village", "torch", "--plan", '[{"use": "dagger"}]'), 1, "not-in-play"),
    (("village", "militia", "--xp", "3", "--plan", '[{"level_up": "militia"}]'), 2, "missing-step-key"),
    (("village", "barkeep", "--plan", '[{"use": "barkeep", "destroy": "barkeep"}]'), 1, "unasked-choice"),
    (("village", PAWN, "--plan", '[{"use": "pawnbroker", "destroy": "battle fury"}]'), 1, "illegal-choice"),
    (("village", "--file", "nowhere.json"), 2, "no-file"),
    (("village", "torch", "--colour"), 2, "unknown-option"),
]


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
@pytest.mark.parametrize(("words", "status", "code"), BAD, ids=[" ".join(bad[0][1:]) or "nothing" for bad in BAD])
def test_bad_input_gets_one_sentence(cli: Any, words: tuple[str, ...], status: int, code: str, lang: str) -> None:
    answer = cli(*words, "--json", "--lang", lang)
    assert answer.status == status
    assert answer.json["error"]["code"] == code
    plain = cli(*words, "--lang", lang)
    assert plain.status == status
    assert plain.out == ""
    assert plain.err.startswith("thunderref: ")
    assert plain.err.count("\n") == 1
    assert "{" not in plain.err.replace("[{", "") or code == "bad-plan"


@pytest.mark.parametrize("document", ["[]", "1", '{"hand": 3}', '{"hand": ["torch"], "colour": 1}', "{", "\x00"])
def test_a_broken_document_gets_one_sentence(cli: Any, document: str) -> None:
    answer = cli("village", "--file", "-", stdin=document)
    assert answer.status == 2
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_the_help_page_is_in_the_language_of_the_run(cli: Any, lang: str) -> None:
    answer = cli("village", "--help", "--lang", lang)
    assert answer.status == 0
    assert "--stacks" in answer.out
    assert "thunderref village" in answer.out
    assert ("purchases" in answer.out) == (lang == "en")


def test_a_level_up_where_nobody_said_what_is_on_offer(cli: Any) -> None:
    """Without stacks everything is on offer, so the next level can be had; said in words it is put with care."""
    words = ("village", "lorigg thief, torch", "--xp", "2")
    assert cli(*words, "--json").json["level_ups"] == [
        {"hero": "lorigg-thief", "to": "lorigg-rogue", "cost": 2, "available": True}
    ]
    assert cli(*words, "--json").json["stacks_known"] is False
    assert "if" in cli(*words).out.partition("Lorigg Rogue")[2]


@pytest.mark.parametrize("field", ["hand", "deck", "stacks", "plan", "opponents"])
def test_a_field_of_a_file_has_its_type(cli: Any, tmp_path: Path, field: str) -> None:
    (tmp_path / "visit.json").write_text(json.dumps({"hand": ["militia"], field: 5}), encoding="utf-8")
    words = ["village", "--file", str(tmp_path / "visit.json"), "--xp", "3"]
    answer = cli(*words)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert field in answer.err
