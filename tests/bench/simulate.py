"""What simulated games cost: 100, 1,000 and 10,000 games on one worker, the same on two, and the memory of each.

    python tests/bench/simulate.py [BOT] [MOST]
    python tests/bench/simulate.py cluster [BOT] [MOST]   on a Dask cluster of four: 20,000 games, and a tenth of them

Every line is a run of the whole command in a process of its own: seconds, games a second, the memory of the process
that asks and of the largest worker, and whether two workers gave the same document. That of the fewer games on a
cluster is held against one process; bytes are all that went over the loopback, whoever used it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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


def run(bot: str, games: int, *who: str) -> tuple[dict[str, Any], str]:
    """What the command cost, and the digest of its document."""
    words = ["--seed", str(SEED), "--bots", bot, "--games", str(games), "--json", *who]
    done = subprocess.run(
        [sys.executable, "-c", RUN, "simulate", *words], capture_output=True, encoding="utf-8", check=True
    )
    cost: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    return cost, hashlib.sha256(done.stdout.encode()).hexdigest()


def main(bot: str = "planner", most: int = 10_000) -> None:
    games = 100
    while games <= most:
        (one, first), (two, second) = run(bot, games, "--workers", "1"), run(bot, games, "--workers", "2")
        for workers, cost in ((1, one), (2, two)):
            own, child = cost["mb"]
            print(
                f"{games:6} games, {bot}, {workers} worker(s): {cost['seconds']:.1f} s, processor {cost['cpu']:.1f} s, "
                f"{games / cost['seconds']:.1f} games/s; {own:.0f} MB here, {child:.0f} MB a worker"
            )
        same = "the same" if first == second else "ANOTHER"
        print(f"       two workers: {one['seconds'] / two['seconds']:.2f} times one, {same} document")
        games *= 10


@contextmanager
def dask(*words: str) -> Iterator[str]:
    """The address that is told by what is started, a scheduler or workers; these keep no profile, which would grow."""
    command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
    environ = {**os.environ, "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8", env=environ) as process:
        assert process.stderr is not None
        try:
            yield next(found[1] for line in process.stderr if (found := re.search(r" at: +'?(tcp:[^'\s]+)", line)))
        finally:
            process.terminate()


def loopback() -> int:
    """The bytes that this machine has sent to itself."""
    return int(Path("/proc/net/dev").read_text("utf-8").partition("lo:")[2].split()[0])


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cluster(bot: str = "greedy", most: int = 20_000) -> None:
    from distributed import Client

    games = most // 10
    alone, expected = run(bot, games, "--workers", "1")
    print(f"{games:6} games, {bot}, one process: {games / alone['seconds']:.1f} games/s, {alone['mb'][0]:.0f} MB")
    with (
        dask("scheduler", "--host", "127.0.0.1", "--port", "0") as address,
        dask("worker", address, "--nworkers", "4", "--nthreads", "1"),
        Client(address) as client,
    ):
        client.wait_for_workers(4)
        for games in (most // 10, most):
            before = loopback()
            cost, digest = run(bot, games, "--scheduler", address)
            sent, most_mb = (loopback() - before) / games, max(client.run(peak).values())
            same = "" if games == most else f"; {'the same' if digest == expected else 'ANOTHER'} document"
            print(
                f"{games:6} games, {bot}, four workers: {games / cost['seconds']:.1f} games/s; {cost['mb'][0]:.0f} MB "
                f"and {1000 * cost['cpu'] / games:.2f} ms a game here, {most_mb:.0f} MB a worker; {sent:.0f} bytes "
                f"a game sent{same}",
                flush=True,
            )


if __name__ == "__main__":
    given = [int(word) if word.isdecimal() else word for word in sys.argv[1:]]
    if given[:1] == ["cluster"]:
        cluster(*given[1:])  # type: ignore[arg-type]
    else:
        main(*given)  # type: ignore[arg-type]
