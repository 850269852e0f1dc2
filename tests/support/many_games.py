"""Many random games over random set-ups, with what must always hold checked after every step.

    python -m tests.support.many_games 2000 [first]

Prints a line for each game that goes wrong, how to see it again, and how the games went in the end. The exit status is
1 if any went wrong.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter

from thunderref.thunderstone.table.ending import PATIENCE, is_stuck

from .random_games import counted, faults, moves, start


def wrong(number: int) -> tuple[str, int, int, str, str]:
    """What is wrong with a game ("" for nothing), its steps, its turns, its variant, and how it came to an end."""
    record = start(number)
    began = counted(record)
    problem = ""
    try:
        for move in moves(record):
            found = faults(record, began)
            if found:
                problem = f"after step {len(record.moves)} {move.step}: {found[0]}"
                break
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"after step {len(record.moves)}: {type(error).__name__}: {error} ({place.name}, line {place.lineno})"
    content = record.setup.content
    return (
        problem,
        len(record.moves),
        record.turn,
        f"{content.variant} {content.level or ''}".strip(),
        "over" if record.over else "endless" if is_stuck(record.game, record.position) else "still",
    )


def main(games: int, first: int = 0) -> int:
    """Plays them; 1 if one went wrong."""
    begin = time.perf_counter()
    steps, turns, failed = Counter[str](), Counter[str](), 0
    played, ends = Counter[str](), Counter[str]()
    longest = (0, 0)
    for number in range(first, first + games):
        problem, n, t, variant, end = wrong(number)
        if not problem:
            ends[end] += 1
        if end == "still" and not problem:
            print(f"game {number} ({variant}): at a standstill in turn {t}", flush=True)
        if problem:
            failed += 1
            print(f"game {number} ({variant}): {problem}", flush=True)
        played[variant] += 1
        steps[variant] += n
        turns[variant] += t
        longest = max(longest, (n, number))
    taken = time.perf_counter() - begin
    for variant, n in sorted(played.items()):
        print(
            f"{variant:16} {n:5} games, {steps[variant] / n:7.0f} steps and {turns[variant] / n:6.0f} turns on average"
        )
    print(
        f"{games} games, {sum(steps.values())} steps in {taken:.0f} s; longest: {longest[0]} steps, game {longest[1]}"
    )
    print(f"{ends['over']} came to their end, {ends['endless']} provably never will, ", end="")
    print(f"{ends['still']} were left with nothing changed for {PATIENCE} rounds")
    print(f"{failed} went wrong")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main(*[int(word) for word in sys.argv[1:]]))
