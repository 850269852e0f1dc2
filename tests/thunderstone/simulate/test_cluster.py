"""A Dask cluster gives the same, byte for byte, even if a worker is killed; workers of another version are refused."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import IO

import pytest

from support.systems import needs_posix
from thunderref.errors import InputError
from thunderref.thunderstone.simulate.run import simulate

pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, needs_posix]
DASK = [sys.executable, "-m", "dask"]
PATIENCE = 60.0
OTHER_VERSION = """
from importlib import metadata
ours = metadata.version
metadata.version = lambda name: "99.0" if name == "thunderref" else ours(name)
"""
NO_THUNDERREF = """
import sys
sys.modules["thunderref"] = None
"""
"""What a worker does before anything else, as its ``sitecustomize``."""


def said(stream: IO[str], pattern: str) -> str:
    """The first group of the first line that fits; the rest is read and thrown away, so that nobody waits."""
    lines: Queue[str] = Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in stream], daemon=True).start()
    seen = []
    try:
        while not (found := re.search(pattern, seen[-1] if seen else "")):
            seen.append(lines.get(timeout=PATIENCE))
    except Empty:
        pytest.fail("".join(seen))
    return found.group(1)


@contextmanager
def started(*words: str, before: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """A process of Dask; modules in the folder ``before`` come before all others."""
    paths = os.pathsep.join(filter(None, [str(before or ""), os.environ.get("PYTHONPATH")]))
    environ = {**os.environ, "PYTHONPATH": paths}
    with subprocess.Popen([*DASK, *words], stderr=subprocess.PIPE, encoding="utf-8", env=environ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def cluster(*befores: Path | None) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler and its two workers, each with a folder that comes before its others, if any."""
    with started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as scheduler:
        assert scheduler.stderr is not None
        address = said(scheduler.stderr, r"Scheduler at:\s+(tcp://\S+)")
        worker = ("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny")
        one, two = befores or (None, None)
        with started(*worker, before=one) as first, started(*worker, before=two) as second:
            for each in (first, second):
                assert each.stderr is not None
                said(each.stderr, r"Registered to:\s+(tcp://\S+)")
            yield address, [first, second]


@pytest.mark.parametrize("bots", ["planner", "planner, greedy"])
def test_a_cluster_gives_the_same_though_a_worker_is_killed(bots: str) -> None:
    alone, two = (simulate(games=60, bots=bots, seed=5, workers=workers) for workers in (1, 2))
    with cluster() as (address, workers):

        def kill(played: int, _: int) -> None:
            if played >= 15 and workers[0].poll() is None:
                workers[0].send_signal(signal.SIGKILL)
                workers[0].wait()

        found = simulate(games=60, bots=bots, seed=5, scheduler=address, progress=kill)
        assert workers[0].poll() is not None
        assert workers[1].poll() is None
    assert len({json.dumps(each.model_dump()) for each in (alone, two, found)}) == 1


@pytest.mark.parametrize(
    ("first", "why"), [(OTHER_VERSION, {"theirs"}), (NO_THUNDERREF, {"why"})], ids=["other version", "none"]
)
def test_a_worker_of_another_version_is_refused(tmp_path: Path, first: str, why: set[str]) -> None:
    (tmp_path / "sitecustomize.py").write_text(first, encoding="utf-8")
    with cluster(None, tmp_path) as (address, _), pytest.raises(InputError, match="workers-differ") as caught:
        simulate(games=60, bots="greedy", seed=5, scheduler=address)
    assert why <= {*caught.value.params}
    assert caught.value.params.get("theirs", "99.0").startswith("99.0")


def test_a_batch_on_a_cluster_prints_the_same(tmp_path: Path) -> None:
    path = tmp_path / "battles.jsonl"
    hands = (["militia"], ["2 militia"], ["torch", "fireball"], ["zxqwv"], ["elf wizard"])
    lines = [json.dumps({"hand": hands[n % len(hands)], "hall": ["griffon"]}) for n in range(100)]
    path.write_text("\n".join([*lines, "{oops"]), "utf-8")
    command = [sys.executable, "-m", "thunderref", "resolve", "--batch", str(path)]
    with cluster() as (address, _):
        found = {
            words: subprocess.run([*command, *words], capture_output=True, check=True, timeout=120).stdout
            for words in (("--workers", "1"), ("--jobs", "2"), ("--scheduler", address))
        }
    assert len(set(found.values())) == 1
    assert len(found["--workers", "1"].splitlines()) == 101
