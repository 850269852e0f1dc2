"""How long ``resolve --batch`` takes: random battles of six cards of both boxes, on one core and on all.

    python tests/bench/batch.py [LINES]

Prints seconds of the whole command, start included, the same output twice or not, and the memory of a process at most.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from best_line import SEED, random_battle

GOAL = 30
"""Seconds for 1,000 lines on one core."""


def run(path: Path, jobs: list[str]) -> tuple[float, str]:
    start = time.perf_counter()
    command = [sys.executable, "-m", "thunderref", "resolve", "--batch", str(path), *jobs]
    output = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    return time.perf_counter() - start, output


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.jsonl"
        path.write_text("\n".join(json.dumps(random_battle(rng, 6)) for _ in range(lines)), "utf-8")
        alone, first = run(path, ["--jobs", "1"])
        shared, second = run(path, [])
    results = [json.loads(line) for line in first.splitlines()]
    proven = sum(all(target["proven"] for target in result.get("targets", [])) for result in results)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{lines} lines: {alone:.1f} s on one core (goal for 1,000: {GOAL} s), {shared:.1f} s on all")
    print(f"{'the same' if first == second else 'NOT the same'} output; {proven} of {len(results)} proven")
    print(f"memory of a process at most: {memory:.0f} MB")


if __name__ == "__main__":
    main()
