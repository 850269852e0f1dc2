"""``thunderref thorgal fight``, ``wander``, ``gather``, ``wounds`` and ``fields`` as users and scripts see them."""

from __future__ import annotations

import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from thunderref import thorgal
from thunderref.database.read import Language, open_database
from thunderref.thorgal.grid import SIGNS
from thunderref.thorgal.wander import ways

LANGUAGES = ("en", "pl", "ru")
CARD = ".H1./y.HH/..t."
FIGHT = ("thorgal", "fight", CARD, "--tiles", "I2, L3")
WANDER = ("thorgal", "wander", "X.1y/X..t/..2./--^-", "--tiles", "I2, L3", "--actions", "2")
GATHER = ("thorgal", "gather", "X.1y/X.[y2]t", "--actions", "2")
BOARD = "AA../.A.B/...B"
DICE = ("thorgal", "fight", "H.H|.H.", "--dice", "2 green", "--die", "green: I2, 2 L3, I3, -, -", "--rerolls", "1")
ANSWERED = {
    "best fight": FIGHT,
    "given fight": (*FIGHT, "--lay", ".AA./..BB/..B."),
    "lost fight": ("thorgal", "fight", "HHHH/####", "--tiles", "I2", "--threat", "4"),
    "joined fight": ("thorgal", "fight", "H##", "##H", "--tiles", "I2"),
    "chance": DICE,
    "upgraded": (*DICE[:-2], "--die", "yellow: 6 I3", "--upgrades", "1"),
    "advice": (*DICE, "--tiles", "I2, -"),
    "wander": WANDER,
    "given wander": (*WANDER, "--lay", ".AAB/...B"),
    "gather": GATHER,
    "wounds": ("thorgal", "wounds", BOARD),
    "new wounds": ("thorgal", "wounds", BOARD, "--add", "L3, 2, 3"),
    "heal": ("thorgal", "wounds", BOARD, "--heal", "2"),
    "fields": ("thorgal", "fields"),
}
ENDLESS = "?" * 60


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("what", ANSWERED)
def test_every_question_has_an_answer(cli: Any, what: str, lang: str) -> None:
    answer = cli(*ANSWERED[what], "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    assert "thorgal." not in answer.out
    document = cli(*ANSWERED[what], "--lang", lang, "--json").json
    assert document["game"] == "thorgal"
    if what != "fields":
        assert document["rules"]
        assert document["readings"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("what", ANSWERED)
def test_forty_columns_are_enough(cli: Any, what: str, lang: str) -> None:
    answer = cli(*ANSWERED[what], "--lang", lang, env={"COLUMNS": "40"})
    assert max(map(len, answer.out.splitlines())) <= 40
    plain = cli(*ANSWERED[what], "--lang", lang)
    assert "\x1b" not in plain.out


@pytest.mark.parametrize("what", ["best fight", "wander", "gather", "wounds"])
def test_colours_change_nothing_that_can_be_read(cli: Any, what: str) -> None:
    drawn = cli(*ANSWERED[what], env={"FORCE_COLOR": "1", "COLUMNS": "80"}).out
    assert "\x1b[" in drawn
    seen = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip("│ ").strip() for line in drawn.splitlines()]
    rows = [line.strip() for line in cli(*ANSWERED[what]).out.splitlines() if re.match(r" +[1-4]  ", line)]
    assert len(rows) >= 2
    assert set(rows) <= set(seen)


def test_a_picture_shows_tiles_and_what_they_cover(cli: Any) -> None:
    rows = cli(*FIGHT).out.splitlines()[2:6]
    assert [row.split() for row in rows] == [
        ["1", "2", "3", "4"],
        ["1", ".", "AH", "A1", "."],
        ["2", "Y", ".", "BH", "BH"],
        ["3", ".", ".", "BT", "."],
    ]


def test_the_fight_document(cli: Any) -> None:
    document = cli(*FIGHT, "--json").json
    assert (document["outcome"], document["proven"], document["left_out"]) == ("won", True, [])
    assert document["hearts"] == {"total": 3, "covered": 3, "uncovered": []}
    assert document["picture"] == ".AA./..BB/..B."
    assert document["tiles"][0] == {"letter": "A", "tile": "I2", "fields": [[1, 2], [1, 3]]}
    assert [(e["kind"], e["row"], e["column"], e["rules"]) for e in document["effects"]] == [
        ("wood", 1, 3, ["T5.9"]),
        ("torch", 3, 3, ["T5.9"]),
    ]
    lost = cli(*ANSWERED["lost fight"], "--json").json
    assert (lost["outcome"], lost["threat"]) == ("lost", {"held": 4, "taken": 1, "wound": 2})


def test_the_chance_document(cli: Any) -> None:
    document = cli(*DICE, "--json").json
    assert document["win"] == {"fraction": "43/216", "percent": 19.9}
    assert document["without"]["fraction"] == "1/12"
    advice = cli(*ANSWERED["advice"], "--json").json["advice"]
    assert [(a["die"], a["face"], a["win"]["fraction"]) for a in advice] == [
        ("green", "-", "1/6"),
        ("green", "I2", "0"),
    ]


def test_the_wander_document(cli: Any) -> None:
    document = cli(*WANDER, "--json", "--limit", "2").json
    assert (document["count"], len(document["ways"]), document["complete"]) == (103, 2, True)
    assert document["proven"]
    first = document["ways"][0]
    assert (first["benefits"], first["penalties"], first["rhombus"]) == (4, 0, [3])
    assert len(cli(*WANDER, "--json", "--limit", "0").json["ways"]) == 103


@pytest.mark.parametrize("lang", LANGUAGES)
def test_ways_too_many_to_list_are_called_best_only_if_proven(
    cli: Any, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Language(open_database(), lang)
    for budget, title in ((10**6, "thorgal.wander.count-best"), (0, "thorgal.wander.count-some")):
        monkeypatch.setattr("thunderref.cli.thorgal.cards.ways", partial(ways, limit=50, budget=budget))
        document = cli(*WANDER, "--json").json
        assert (document["complete"], document["proven"]) == (False, budget > 0)
        page = cli(*WANDER, "--lang", lang).out
        assert " ".join(page.split()).startswith(words.say(title, shown=3))


def test_drawn_tiles_are_as_many_as_the_actions(cli: Any) -> None:
    """One, if not given, for the best ways and for a drawing alike."""
    two = cli("thorgal", "wander", "X...", "--tiles", "I1", "--lay", ".AB.", "--json")
    assert (two.status, two.json["error"]["code"]) == (1, "thorgal-more-actions")
    assert cli("thorgal", "wander", "X...", "--lay", ".AB.").status == 0


@pytest.mark.parametrize("want", ["wood", "drewno", "древесина", "1", "DREWNO", "drew"])
def test_a_resource_by_any_name(cli: Any, want: str) -> None:
    document = cli(*GATHER, "--want", want, "--json").json
    assert [(f["resource"], f["row"], f["column"], f["amount"]) for f in document["fields"]] == [("wood", 1, 3, 2)]


def test_the_wounds_document(cli: Any) -> None:
    document = cli("thorgal", "wounds", BOARD, "--json").json
    assert document["capacity"][1] == {
        "wound": "2", "most": 3, "most_proven": True, "surely": 2, "surely_proven": True,
    }  # fmt: skip
    assert cli(*ANSWERED["new wounds"], "--json").json["taken"]["dies"] == 2
    assert cli(*ANSWERED["heal"], "--json").json["heals"] == [{"letter": "B", "tile": "I2", "size": 2}]


def test_cards_may_come_from_the_input(cli: Any) -> None:
    answer = cli("thorgal", "fight", "-", "--tiles", "I2", "--json", stdin="H##\n...\n\n##H\n...\n")
    assert answer.json["order"] == [2, 1]
    assert cli("thorgal", "wounds", "-", "--json", stdin="AA.\n...\n").json["rows"] == 2


def test_the_signs_are_listed(cli: Any) -> None:
    listed = cli("thorgal", "fields").out
    assert all(sign in listed for signs in SIGNS.values() for sign in signs)


BAD = {
    "no card": (("fight",), 2),
    "ragged": (("fight", "H./...", "--tiles", "I2"), 2),
    "unknown sign": (("fight", "Hq", "--tiles", "I2"), 2),
    "no heart": (("fight", "..", "--tiles", "I2"), 2),
    "no tiles": (("fight", "H."), 2),
    "a list with two meanings": (("fight", "H.", "--tiles", "L3 x5"), 2),
    "blanks in a row": (("fight", "H. .", "--tiles", "I2"), 2),
    "an empty row": (("fight", "H.//..", "--tiles", "I2"), 2),
    "tile apart": (("fight", "H.", "--tiles", "#./.#"), 2),
    "tile unknown": (("fight", "H.", "--tiles", ENDLESS), 2),
    "size only": (("fight", "H.", "--tiles", "4"), 2),
    "heights": (("fight", "H.", "H/H", "--tiles", "I2"), 2),
    "five cards": (("fight", "H", "H", "H", "H", "H", "--tiles", "I2"), 2),
    "threat": (("fight", "H", "--tiles", "I2", "--threat", "6"), 2),
    "goal": (("fight", "H", "--tiles", "I2", "--goal", "win"), 2),
    "outside": (("fight", "H.", "--tiles", "I2", "--lay", ".AA"), 1),
    "overlap": (("fight", "H..", "--tiles", "2 I2", "--lay", "A[AB]B"), 1),
    "no touch": (("fight", "H....", "--tiles", "2 I2", "--lay", "AA.BB"), 1),
    "hole": (("fight", "H#.", "--tiles", "I2", "--lay", "AA."), 1),
    "more tiles": (("fight", "H...", "--tiles", "I2", "--lay", "AABB"), 1),
    "wrong shape": (("fight", "H...", "--tiles", "I2", "--lay", "AAA"), 1),
    "mirrored": (("fight", "H../...", "--tiles", "S4", "--lay", "AA./.AA"), 1),
    "left out": (("fight", "H...", "--tiles", "2 I2", "--lay", "AA.."), 1),
    "nothing drawn": (("fight", "H...", "--tiles", "2 I2", "--lay", "...."), 2),
    "letter apart": (("fight", "H...", "--tiles", "2 I2", "--lay", "A..A"), 1),
    "die without dice": (("fight", "H", "--tiles", "I2", "--rerolls", "1"), 2),
    "no faces": (("fight", "H", "--dice", "red"), 2),
    "no colour": (("fight", "H", "--dice", "pink"), 2),
    "empty die": (("fight", "H", "--dice", "red", "--die", "red:"), 2),
    "die twice": (("fight", "H", "--dice", "red", "--die", "red: I2", "--die", "red: I3"), 2),
    "late upgrade": (("fight", "H", "--dice", "red", "--die", "red: I2", "--tiles", "I2", "--upgrades", "1"), 2),
    "roll": (("fight", "H", "--dice", "2 red", "--die", "red: I2", "--tiles", "I2"), 2),
    "not on the die": (("fight", "H", "--dice", "red", "--die", "red: I2", "--tiles", "I3", "--rerolls", "1"), 2),
    "too many dice": (("fight", "H", "--dice", "99 red", "--die", "red: I2"), 2),
    "wander touch": (("wander", "X...", "--tiles", "I2", "--lay", "..AA"), 1),
    "wander column": (("wander", ".X./...", "--tiles", "I2", "--lay", ".../AA."), 1),
    "card not there": (("wander", "X./--", "--tiles", "I2", "--next", "..", "--lay", "..AA"), 1),
    "too many actions": (("wander", "X.", "--tiles", "I2", "--actions", "99"), 2),
    "no room": (("wander", "X#", "--tiles", "I2"), 1),
    "column rule": (("wander", "X..", "--tiles", "I2", "--column", "some"), 2),
    "negative limit": (("wander", "X..", "--tiles", "I2", "--limit", "-1"), 2),
    "two cards": (("wander", "X..", "X..", "--tiles", "I2"), 2),
    "rhombus": (("wander", "X../---^", "--tiles", "I2"), 2),
    "more than actions": (("wander", "X..", "--tiles", "I1", "--actions", "1", "--lay", ".AB"), 1),
    "fewer than actions": (("wander", "X..", "--tiles", "I1", "--actions", "2", "--lay", ".A."), 1),
    "covered": (("wander", "X..", "--tiles", "I1", "--lay", "A.."), 1),
    "nothing to gather": (("gather", "..y"), 1),
    "no resource": (("gather", "1", "--want", "gold"), 2),
    "no board": (("wounds",), 2),
    "board sign": (("wounds", "A!"), 2),
    "wound apart": (("wounds", "A.A"), 2),
    "wound size": (("wounds", "A.", "--add", "9"), 2),
    "heal what": (("wounds", "A.", "--heal", "much"), 2),
    "heal nothing": (("wounds", "A.", "--heal", "0"), 2),
    "no wound": (("wounds", "..", "--heal", "2"), 1),
    "too large a wound": (("wounds", "AA", "--heal", "1"), 1),
    "a number": (("fight", "H", "--tiles", "I2", "--threat", "many"), 2),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_sentence(cli: Any, what: str, lang: str) -> None:
    words, status = BAD[what]
    answer = cli("thorgal", *words, "--lang", lang)
    assert (answer.status, answer.out) == (status, ""), answer
    assert answer.err.startswith("thunderref: ")
    assert answer.err.endswith(".\n")
    assert answer.err.count("\n") == 1
    assert "{" not in answer.err
    document = cli("thorgal", *words, "--lang", lang, "--json")
    assert document.status == status
    error = document.json["error"]
    assert error["message"] in answer.err
    assert error["code"].startswith(("thorgal-", "bad-number"))
    if status == 1 and "--lay" in words:
        assert error["rule"] in error["message"]
        assert error["rule"].startswith("T")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["fight", "wander", "gather", "wounds", "fields"])
def test_help_pages(cli: Any, command: str, lang: str) -> None:
    answer = cli("thorgal", command, "--help", "--lang", lang)
    assert (answer.status, answer.err) == (0, "")
    options = [line for line in answer.out.splitlines() if line.strip().startswith("--")]
    assert all(len(line.split()) > 2 for line in options), options
    assert f"thunderref thorgal {command}" in answer.out


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("command", ["fight", "wander", "gather", "wounds"])
def test_the_examples_of_the_help_pages_have_answers(cli: Any, command: str, lang: str) -> None:
    page = cli("thorgal", command, "--help", "--lang", lang).out
    examples = [shlex.split(line)[1:] for line in page.splitlines() if line.startswith("    thunderref ")]
    assert examples
    for words in examples:
        answer = cli(*words, "--lang", lang)
        assert (answer.status, answer.err) == (0, ""), words


def test_every_rule_cited_is_a_rule() -> None:
    database = open_database()
    sources = "".join(path.read_text("utf-8") for path in Path(thorgal.__path__[0]).glob("*.py"))
    cited = set(re.findall(r'"(T\d+\.\d+)"', sources))
    assert len(cited) > 30
    missing = {rule for rule in cited if "en" not in database.texts(f"rule.{rule}")}
    assert not missing
