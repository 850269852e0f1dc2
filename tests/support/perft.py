"""How many legal lines of n decisions there are from fixed positions, as chess engines count them ("perft").

    python -m tests.support.perft            counts again and compares with tests/examples/perft.json
    python -m tests.support.perft --write    writes the counts of today: only after a change of the rules that is meant

A line is a sequence of legal actions, whoever decides; what has to be shuffled on the way is shuffled as the game's
seed says. A game that is over has no further lines. The positions were reached by random players and are kept as
set-up code, seed and steps, so that they stay the same when random players change.

The counts are made twice: by walking every line, and by adding up over positions that are each looked at once. The two
must agree, or a position is not the value it should be.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from thunderref.database.read import open_database
from thunderref.thunderstone.rules import turns as rules
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.notation import choice_of
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.table.record import RESHUFFLE, GameRecord, SavedPlayer, begin_game, shuffle_cards, source

from . import EXAMPLES

DATA = EXAMPLES / "perft.json"


def reached(position: dict[str, Any]) -> GameRecord:
    """The game at the position."""
    database = open_database()
    players = [SavedPlayer(name=str(n)) for n in range(position["players"])]
    record = begin_game(database, players, seed=position["seed"], code=position["code"], ruleset=position["ruleset"])
    for step in position["steps"]:
        if "shuffle" in step:
            record.shuffle(step["order"])
        else:
            record.take(choice_of(record.game, record.position, step))
    for _ in record.settle():
        pass
    return record


def settled(record: GameRecord, position: Position, shuffles: int) -> tuple[Position, int]:
    """The game once everything is shuffled, and how many shuffles there were by then."""
    while (wanted := shuffle_of(position)) is not None:
        order = shuffle_cards(wanted.cards, source(record.seed, RESHUFFLE, shuffles))
        position, shuffles = rules.shuffle(record.game, position, order)[0], shuffles + 1
    return position, shuffles


def walked(record: GameRecord, depth: int) -> int:
    """Legal lines of ``depth`` decisions, each walked."""

    def walk(position: Position, shuffles: int, left: int) -> int:
        actions = legal_actions(record.game, position)
        if left == 1:
            return len(actions)
        return sum(
            walk(*settled(record, play(record.game, position, action)[0], shuffles), left - 1) for action in actions
        )

    return walk(record.position, 0, depth)


def added(record: GameRecord, depth: int) -> int:
    """The same, every position looked at once."""
    known: dict[tuple[Position, int, int], int] = {}

    def add(position: Position, shuffles: int, left: int) -> int:
        key = (position, shuffles, left)
        if key not in known:
            actions = legal_actions(record.game, position)
            if left == 1:
                known[key] = len(actions)
            else:
                known[key] = sum(
                    add(*settled(record, play(record.game, position, action)[0], shuffles), left - 1)
                    for action in actions
                )
        return known[key]

    return add(record.position, 0, depth)


def positions() -> list[dict[str, Any]]:
    """The positions with their counts."""
    found: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["positions"]
    return found


def main(write: bool) -> int:
    """Counts every position to the depths that are kept."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    wrong = 0
    for position in document["positions"]:
        record = reached(position)
        counts = [walked(record, depth) for depth in range(1, len(position["lines"]) + 1)]
        again = [added(record, depth) for depth in range(1, len(position["lines"]) + 1)]
        agree = counts == again and (write or counts == position["lines"])
        wrong += not agree
        note = "" if agree else f"kept: {position['lines']}, added up: {again}"
        print(f"{position['name']:40} {counts} {note}".rstrip())
        position["lines"] = counts
    if write and not wrong:
        DATA.write_text(text_of(document), encoding="utf-8", newline="\n")
    return int(wrong > 0)


def text_of(document: dict[str, Any]) -> str:
    """The file with a position a line."""
    rows = ",\n".join("  " + json.dumps(position, ensure_ascii=False) for position in document["positions"])
    return f'{{\n "how": {json.dumps(document["how"])},\n "positions": [\n{rows}\n ]\n}}\n'


if __name__ == "__main__":
    raise SystemExit(main("--write" in sys.argv[1:]))
