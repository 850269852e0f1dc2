"""Open questions of the rules answered the other way for a whole game."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from random_games import STORE, counted, faults, moves
from random_games import table as random_table

from thunderref.engine.closing import dealt
from thunderref.engine.game import child, legal_actions
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Foe, State, Table
from thunderref.engine.values import replace
from thunderref.engine.world import Seat, World
from thunderref.errors import IllegalStepError, InputError
from thunderref.model.saved import SavedGame, SavedPlayer
from thunderref.play.course import Course, begun, resumed
from thunderref.play.notation import step_of
from thunderref.solve.api import resolve
from thunderref.solve.position import Finder, position, read_scenario
from thunderref.store.catalog import load_book

if TYPE_CHECKING:
    from tests.conftest import Run

CASES = tomllib.loads((Path(__file__).parents[1] / "engine" / "readings.toml").read_text("utf-8"))["case"]
FIND = Finder(STORE, None)
NOBODY = Foe("")
SWITCHES = [f"{switch.name}={switch.other}" for switch in STORE.switches.values()]


def table(*readings: str, variant: str = "normal", ruleset: str = "print") -> Table:
    return Table(load_book(STORE), ruleset, variant=variant, readings=frozenset(readings))


def at_the_table(hand: list[str], hall: list[str], deck: Sequence[str] = ()) -> Game:
    """The first player's turn of a game of two with these cards."""
    foes = [Foe(card or "") for card in hall]
    world = World(0, (Seat(), Seat(("torch",) * 6, ("torch",) * 6)))
    stand = (*foes, *[NOBODY] * (3 - len(foes)))
    return Game("choose", State("choose", dealt(tuple(hand)), stand, (), tuple(deck), (), world=world))


IN_BATTLE = [case for case in CASES if "scenario" in case]


def battle(asked: Table, scenario: dict[str, Any], line: list[dict[str, Any]]) -> int:
    """What a line comes to in a game: at every choice the first part of it that is left and legal."""
    game = at_the_table(scenario["hand"], scenario["hall"], deck=scenario.get("deck", ()))
    game, _ = child(asked, game, Action("dungeon"))
    left = [dict(step) for step in line]
    while True:
        options = [(step_of(game, action), action) for action in legal_actions(asked, game)]
        action = options[0][1]
        for step in left:
            fitting = [(told, a) for told, a in options if all(step.get(k) == v for k, v in told.items() if k != "for")]
            if fitting:
                told, action = fitting[0]
                for key in told:
                    step.pop(key, None)
                break
        else:
            assert len(options) == 1, (left, options)
        game, events = child(asked, game, action)
        for event in events:
            if event.key in ("victory", "defeat"):
                return int(dict(event.params)["outcome"].total)


@pytest.mark.parametrize("case", IN_BATTLE, ids=lambda case: str(case["name"]))
def test_every_reading_of_a_battle_acts_in_a_game(case: dict[str, Any]) -> None:
    start = position(read_scenario(case["scenario"]), STORE, FIND)[1]  # names as ids, "2 dagger" as two cards
    hand, hall = [slot.card for slot in start.hand], [foe.card or None for foe in start.hall]
    scenario = {**case["scenario"], "hand": hand, "hall": hall}
    for readings, total in (((), case["total"]), ((case["switch"],), case.get("other"))):
        if total is None:
            with pytest.raises(IllegalStepError):
                resolve({**scenario, "readings": list(readings)})
            continue
        (found,) = [t for t in resolve({**scenario, "readings": list(readings)}).targets if t.can_attack]
        assert (
            battle(table(*readings, ruleset=scenario.get("ruleset", "print")), scenario, found.line)
            == found.total
            == total
        )


# R4.8: who may enter

DOGS = ["blink-dog", "blink-dog", "blink-dog"]


@pytest.mark.parametrize(
    ("hand", "hall", "may"),
    [
        (["militia"] * 6, ["blink-dog"], False),
        (["militia", "torch"], ["blink-dog"], False),  # rank 1 asks for 1 Light and the dog for 1 more
        (["militia", "torch", "torch"], ["blink-dog"], True),
        (["torch"] * 6, DOGS, True),
        (["militia"], ["blink-dog", "griffon"], True),
        (["militia", "lantern"], ["blink-dog"], True),
        (["thyrian-squire", "flaming-sword", "torch"], ["blink-dog"], True),  # the sword gives Light once it is held
        (["thyrian-squire", "flaming-sword"], ["blink-dog"], False),
        (["militia", "flaming-sword", "torch"], ["blink-dog"], False),  # too heavy for a Militia
        (["militia"], [], False),
        (["militia", "magic-missile"], ["air-wrath"], True),  # by going without the spell
        (["regian-priest", "torch"], ["blink-dog"], False),  # nobody knows what the Priest will draw
    ],
)
def test_nobody_enters_who_can_attack_nothing(hand: list[str], hall: list[str], may: bool) -> None:
    game = at_the_table(hand, hall, deck=["torch"] * 4)
    taken, other = table(), table("no-target")
    assert Action("dungeon") in legal_actions(taken, game)
    assert (Action("dungeon") in legal_actions(other, game)) is may
    assert {"village", "rest"} <= {action.kind for action in legal_actions(other, game)}
    if may:
        return
    with pytest.raises(IllegalStepError) as refusal:
        child(other, game, Action("dungeon"))
    assert (refusal.value.code, refusal.value.rule) == ("no-entry", "R4.8")


@pytest.mark.parametrize(("light", "may"), [(2, True), (1, False)])
def test_a_guardian_may_always_be_attacked_and_a_marauder_asks_for_rank_one(light: int, may: bool) -> None:
    other = table("no-target", variant="marauding")
    game = at_the_table(["torch"] * light, ["blink-dog", "griffon"])
    waiting = replace(game, turn=replace(game.state, hall=(Foe("blink-dog", 0, 2), *game.state.hall[1:])))
    assert [action.kind for action in legal_actions(other, game)] == ["village", "dungeon", "rest"]
    wanted = ["dungeon", "penalty"] if may else ["penalty"]
    assert [action.kind for action in legal_actions(other, waiting)] == wanted
    beside = replace(game, turn=replace(game.state, rank0=(Foe("dark-champion"),), hall=(NOBODY,) * 3))
    assert Action("dungeon") in legal_actions(table("no-target"), beside)


# the course of a game


def part(steps: int, *readings: str) -> Course:
    course = begun(
        STORE, [SavedPlayer(name=n, random=True) for n in "AB"], seed=5, first_game="base", readings=readings
    )
    for _ in moves(course):
        if len(course.moves) >= steps:
            break
    return course


def test_a_game_keeps_its_readings() -> None:
    course = part(80, "R1.5", "no-target=no-entry")
    document = course.saved("test").model_dump()
    assert document["readings"] == {"first-card": "rank-3", "no-target": "no-entry"}
    again = resumed(STORE, SavedGame.model_validate(document))
    assert again.readings == document["readings"]
    assert again.game == course.game
    assert not faults(course, counted(part(0, "R1.5")))
    assert part(0, "first-card").game.state.hall == part(0).game.state.hall[::-1]


@pytest.mark.parametrize("number", range(9))
def test_games_with_every_question_answered_the_other_way_keep_to_the_rules(number: int) -> None:
    asked = random_table(number)
    options = dict(asked.options)
    course = begun(STORE, options.pop("players"), seed=number, readings=[*SWITCHES], **options)
    began = counted(course)
    for move in moves(course):
        assert not faults(course, began), move.step
        if len(course.moves) > 250:
            break
    assert course.table.readings == {*STORE.switches}


@pytest.mark.parametrize(
    "other", [{}, {"first-card": "rank-3"}, {"no-target": "no-entry", "negative-magic": "multiplied"}]
)
def test_other_readings_in_the_file_are_noticed(other: dict[str, str]) -> None:
    document = part(30, "no-target").saved("test").model_dump()
    with pytest.raises(InputError, match="play-order"):
        resumed(STORE, SavedGame.model_validate({**document, "readings": other}))
    with pytest.raises(InputError, match="play-order"):
        resumed(STORE, SavedGame.model_validate({**document, "ruleset": "yucata"}))


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_readings_at_the_command_line(cli: Run, lang: str, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    command = ("play", "--players", "Ann, Bob", "--first-game", "base", "--seed", "5", "--lang", lang)
    first = cli(*command, "--save", file, "--reading", "R4.8", "--reading", "half-attack=after-light", stdin="q\n")
    assert first.status == 0
    assert "no-target=no-entry" in first.out
    assert "half-attack" not in first.out
    again = cli("play", "--resume", file, "--lang", lang, "--reading", "no-target=no-entry", stdin="q\n")
    assert (again.status, "no-target=no-entry" in again.out) == (0, True)
    assert cli("play", "--resume", file, "--json", stdin="q\n").json["readings_chosen"] == {"no-target": "no-entry"}
    for asked, code, status in (
        ("no-target=turn-ends", "play-other-reading", 2), ("half-attack", "play-other-reading", 2),
        ("entry", "unknown-reading", 2), ("R5.4", "unknown-reading", 2),
        ("no-target=never", "unknown-reading-value", 2),
    ):  # fmt: skip
        words = ("play", "--resume", file, "--lang", lang, "--reading", asked)
        answer = cli(*words, "--json", stdin="")
        assert (answer.status, answer.json["error"]["code"]) == (status, code)
        assert cli(*words, stdin="").err.count("\n") == 1
    assert cli(*command, "--reading", "entry", "--json").json["error"]["code"] == "unknown-reading"


def test_a_file_with_a_reading_that_there_is_not(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    document = part(3).saved("test").model_dump()
    file.write_text(json.dumps({**document, "readings": {"entry": "no"}}), "utf-8")
    answer = cli("play", "--resume", str(file))
    assert answer.status == 2
    assert answer.err.startswith(f"thunderref: {file}: ")
    file.write_text(json.dumps({**document, "readings": ["R4.8"]}), "utf-8")
    assert "readings" in cli("play", "--resume", str(file)).err
