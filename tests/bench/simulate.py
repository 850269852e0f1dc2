"""What simulated games cost: 100, 1,000 and 10,000 games on one worker, the same on two, and the memory of each.

    python tests/bench/simulate.py [BOT] [MOST]

Every line is a run of the whole command in a process of its own: seconds, games a second, the memory of the process
that asks and of the largest worker, and whether two workers gave the same document.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from typing import Any

SEED = 7
RUN = """
import json, resource, sys, time
from thunderref.cli.app import main
start = time.time()
try:
    main(sys.argv[1:])
finally:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cost = {"seconds": time.time() - start, "cpu": sum(each.ru_utime + each.ru_stime for each in used)}
    print(json.dumps(cost | {"mb": [each.ru_maxrss / 1024 for each in used]}), file=sys.stderr)
"""


def run(bot: str, games: int, workers: int) -> tuple[dict[str, Any], str]:
    """What the command cost, and the digest of its document."""
    words = ["--seed", str(SEED), "--bots", bot, "--games", str(games), "--workers", str(workers), "--json"]
    done = subprocess.run(
        [sys.executable, "-c", RUN, "simulate", *words], capture_output=True, encoding="utf-8", check=True
    )
    cost: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    return cost, hashlib.sha256(done.stdout.encode()).hexdigest()


def main(bot: str = "planner", most: int = 10_000) -> None:
    games = 100
    while games <= most:
        (one, first), (two, second) = run(bot, games, 1), run(bot, games, 2)
        for workers, cost in ((1, one), (2, two)):
            own, child = cost["mb"]
            print(
                f"{games:6} games, {bot}, {workers} worker(s): {cost['seconds']:.1f} s, processor {cost['cpu']:.1f} s, "
                f"{games / cost['seconds']:.1f} games/s; {own:.0f} MB here, {child:.0f} MB a worker"
            )
        same = "the same" if first == second else "ANOTHER"
        print(f"       two workers: {one['seconds'] / two['seconds']:.2f} times one, {same} document")
        games *= 10


if __name__ == "__main__":
    main(*[int(word) if word.isdecimal() else word for word in sys.argv[1:]])  # type: ignore[arg-type]
