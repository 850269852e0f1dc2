"""Open questions of the rules answered the other way for a whole game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support import EXAMPLES, read_toml
from support.random_games import STORE, counted, faults, moves
from support.random_games import game as random_table
from support.seats import child
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Turn, kind_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import to_slots
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.notation import step_of
from thunderref.thunderstone.rules.position import Foe, Position, Seat, Table, replace
from thunderref.thunderstone.rules.variants import variant_of
from thunderref.thunderstone.table.record import GameRecord, SavedGame, SavedPlayer, begin_game, resume_game

if TYPE_CHECKING:
    from support.command import Run

CASES = read_toml(EXAMPLES / "readings.toml")["case"]
FIND = Finder(STORE, None)
NOBODY = Foe("")
SWITCHES = [f"{switch.name}={switch.other}" for switch in STORE.switches.values()]


def game(*readings: str, variant: str = "normal", ruleset: str = "print") -> Game:
    return Game(load_cards(STORE), ruleset, variant=variant_of(variant), readings=frozenset(readings))


def at_the_table(hand: list[str], hall: list[str], deck: Sequence[str] = ()) -> Position:
    """The first player's turn of a game of two with these cards."""
    foes = [Foe(card or "") for card in hall]
    table = Table(0, (Seat(), Seat(("torch",) * 6, ("torch",) * 6)))
    stand = (*foes, *[NOBODY] * (3 - len(foes)))
    return Position("choose", to_slots(tuple(hand)), stand, (), tuple(deck), (), table=table)


IN_BATTLE = [case for case in CASES if "scenario" in case]


def battle(asked: Game, scenario: dict[str, Any], line: list[dict[str, Any]]) -> int:
    """What a line comes to in a game: at every choice the first part of it that is left and legal."""
    position = at_the_table(scenario["hand"], scenario["hall"], deck=scenario.get("deck", ()))
    position, _ = child(asked, position, Turn("dungeon"))
    left = [dict(step) for step in line]
    while True:
        options = [(step_of(position, action), action) for action in legal_actions(asked, position)]
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
        position, events = child(asked, position, action)
        for event in events:
            if event.key in ("victory", "defeat"):
                return int(dict(event.params)["outcome"].total)


@pytest.mark.parametrize("case", IN_BATTLE, ids=lambda case: str(case["name"]))
def test_every_reading_of_a_battle_acts_in_a_game(case: dict[str, Any]) -> None:
    start = position(read_document(Scenario, case["scenario"]), STORE, FIND)[1]  # names as ids, "2 dagger" as two cards
    hand, hall = [slot.card for slot in start.hand], [foe.card or None for foe in start.hall]
    scenario = {**case["scenario"], "hand": hand, "hall": hall}
    for readings, total in (((), case["total"]), ((case["switch"],), case.get("other"))):
        if total is None:
            with pytest.raises(IllegalStepError):
                resolve({**scenario, "readings": list(readings)})
            continue
        (found,) = [t for t in resolve({**scenario, "readings": list(readings)}).targets if t.can_attack]
        assert (
            battle(game(*readings, ruleset=scenario.get("ruleset", "print")), scenario, found.line)
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
    position = at_the_table(hand, hall, deck=["torch"] * 4)
    taken, other = game(), game("no-target")
    assert Turn("dungeon") in legal_actions(taken, position)
    assert (Turn("dungeon") in legal_actions(other, position)) is may
    assert {"village", "rest"} <= {kind_of(action) for action in legal_actions(other, position)}
    if may:
        return
    with pytest.raises(IllegalStepError) as refusal:
        child(other, position, Turn("dungeon"))
    assert (refusal.value.code, refusal.value.rule) == ("no-entry", "R4.8")


@pytest.mark.parametrize(("light", "may"), [(2, True), (1, False)])
def test_a_guardian_may_always_be_attacked_and_a_marauder_asks_for_rank_one(light: int, may: bool) -> None:
    other = game("no-target", variant="marauding")
    position = at_the_table(["torch"] * light, ["blink-dog", "griffon"])
    waiting = replace(position, hall=(Foe("blink-dog", 0, 2), *position.hall[1:]))
    assert [kind_of(action) for action in legal_actions(other, position)] == ["village", "dungeon", "rest"]
    wanted = ["dungeon", "penalty"] if may else ["penalty"]
    assert [kind_of(action) for action in legal_actions(other, waiting)] == wanted
    beside = replace(position, rank0=(Foe("dark-champion"),), hall=(NOBODY,) * 3)
    assert Turn("dungeon") in legal_actions(game("no-target"), beside)


# the course of a game


def part(steps: int, *readings: str) -> GameRecord:
    record = begin_game(
        STORE, [SavedPlayer(name=n, random=True) for n in "AB"], seed=5, first_game="base", readings=readings
    )
    for _ in moves(record):
        if len(record.moves) >= steps:
            break
    return record


def test_a_game_keeps_its_readings() -> None:
    record = part(80, "R1.5", "no-target=no-entry")
    document = record.saved("test").model_dump()
    assert document["readings"] == {"first-card": "rank-3", "no-target": "no-entry"}
    again = resume_game(STORE, read_document(SavedGame, document))
    assert again.readings == document["readings"]
    assert again.position == record.position
    assert not faults(record, counted(part(0, "R1.5")))
    assert part(0, "first-card").position.hall == part(0).position.hall[::-1]


@pytest.mark.parametrize("number", range(9))
def test_games_with_every_question_answered_the_other_way_keep_to_the_rules(number: int) -> None:
    asked = random_table(number)
    options = dict(asked.options)
    record = begin_game(STORE, options.pop("players"), seed=number, readings=[*SWITCHES], **options)
    began = counted(record)
    for move in moves(record):
        assert not faults(record, began), move.step
        if len(record.moves) > 250:
            break
    assert record.game.readings == {*STORE.switches}


@pytest.mark.parametrize(
    "other", [{}, {"first-card": "rank-3"}, {"no-target": "no-entry", "negative-magic": "multiplied"}]
)
def test_other_readings_in_the_file_are_noticed(other: dict[str, str]) -> None:
    document = part(30, "no-target").saved("test").model_dump()
    with pytest.raises(InputError, match="play-order"):
        resume_game(STORE, read_document(SavedGame, {**document, "readings": other}))
    with pytest.raises(InputError, match="play-order"):
        resume_game(STORE, read_document(SavedGame, {**document, "ruleset": "yucata"}))


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
    assert f"{file.name if hasattr(file, 'name') else file}: " in answer.err
    file.write_text(json.dumps({**document, "readings": ["R4.8"]}), "utf-8")
    assert "readings" in cli("play", "--resume", str(file)).err
