"""How many legal lines of n decisions there are from fixed positions, as chess engines count them ("perft").

    python -m tests.play.perft            counts again and compares with tests/play/perft.json
    python -m tests.play.perft --write    writes the counts of today: only after a change of the rules that is meant

A line is a sequence of legal actions, whoever decides; what has to be shuffled on the way is shuffled as the game's
seed says. A game that is over has no further lines. The positions were reached by random players and are kept as
set-up code, seed and steps, so that they stay the same when random players change.

The counts are made twice: by walking every line, and by adding up over positions that are each looked at once. The two
must agree, or a position is not the value it should be.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from thunderref.engine import game as rules
from thunderref.engine.moment import Game
from thunderref.model.saved import SavedPlayer
from thunderref.play.course import Course, begun
from thunderref.play.deal import RESHUFFLE, shuffled, source
from thunderref.play.notation import action_of
from thunderref.store.read import open_store

DATA = Path(__file__).with_name("perft.json")


def reached(position: dict[str, Any]) -> Course:
    """The game at the position."""
    store = open_store()
    players = [SavedPlayer(name=str(n)) for n in range(position["players"])]
    course = begun(store, players, seed=position["seed"], code=position["code"], ruleset=position["ruleset"])
    for step in position["steps"]:
        if "shuffle" in step:
            course.shuffle(step["order"])
        else:
            course.take(action_of(course.table, course.game, step))
    for _ in course.settle():
        pass
    return course


def settled(course: Course, game: Game, shuffles: int) -> tuple[Game, int]:
    """The game once everything is shuffled, and how many shuffles there were by then."""
    while (wanted := rules.shuffle_wanted(game)) is not None:
        order = shuffled(wanted.cards, source(course.seed, RESHUFFLE, shuffles))
        game, shuffles = rules.shuffled(course.table, game, order)[0], shuffles + 1
    return game, shuffles


def walked(course: Course, depth: int) -> int:
    """Legal lines of ``depth`` decisions, each walked."""

    def walk(game: Game, shuffles: int, left: int) -> int:
        actions = rules.legal_actions(course.table, game)
        if left == 1:
            return len(actions)
        return sum(
            walk(*settled(course, rules.play(course.table, game, action)[0], shuffles), left - 1) for action in actions
        )

    return walk(course.game, 0, depth)


def added(course: Course, depth: int) -> int:
    """The same, every position looked at once."""
    known: dict[tuple[Game, int, int], int] = {}

    def add(game: Game, shuffles: int, left: int) -> int:
        key = (game, shuffles, left)
        if key not in known:
            actions = rules.legal_actions(course.table, game)
            if left == 1:
                known[key] = len(actions)
            else:
                known[key] = sum(
                    add(*settled(course, rules.play(course.table, game, action)[0], shuffles), left - 1)
                    for action in actions
                )
        return known[key]

    return add(course.game, 0, depth)


def positions() -> list[dict[str, Any]]:
    """The positions with their counts."""
    found: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["positions"]
    return found


def main(write: bool) -> int:
    """Counts every position to the depths that are kept."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    wrong = 0
    for position in document["positions"]:
        course = reached(position)
        counts = [walked(course, depth) for depth in range(1, len(position["lines"]) + 1)]
        again = [added(course, depth) for depth in range(1, len(position["lines"]) + 1)]
        agree = counts == again and (write or counts == position["lines"])
        wrong += not agree
        note = "" if agree else f"kept: {position['lines']}, added up: {again}"
        print(f"{position['name']:40} {counts} {note}".rstrip())
        position["lines"] = counts
    if write and not wrong:
        DATA.write_text(text_of(document), encoding="utf-8")
    return int(wrong > 0)


def text_of(document: dict[str, Any]) -> str:
    """The file with a position a line."""
    rows = ",\n".join("  " + json.dumps(position, ensure_ascii=False) for position in document["positions"])
    return f'{{\n "how": {json.dumps(document["how"])},\n "positions": [\n{rows}\n ]\n}}\n'


if __name__ == "__main__":
    raise SystemExit(main("--write" in sys.argv[1:]))
