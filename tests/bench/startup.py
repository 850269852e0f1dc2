"""Start-up of look-ups as ratios to an empty Python, measured in one run: ``python tests/bench/startup.py``."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

RUNS = 15
RICH = {"FORCE_COLOR": "1"}
HAND = "2 militia, elf wizard, short sword, torch"
CASES: dict[str, tuple[list[str], dict[str, str], float]] = {
    "python3 -c pass": (["-c", "pass"], {}, 1.0),
    "card fireball --json": (["-m", "thunderref", "card", "fireball", "--json"], {}, 7.0),
    "card flam sw --json": (["-m", "thunderref", "card", "flam", "sw", "--json"], {}, 12.0),
    "misspelt name, drawn": (["-m", "thunderref", "card", "flamming", "swrod"], RICH, 12.0),
    "misspelt inflected name, drawn": (["-m", "thunderref", "card", "mahonowemu", "opraowi"], RICH, 12.0),
    "Cyrillic in Latin letters, drawn": (["-m", "thunderref", "card", "ogennyi", "shar", "--lang", "ru"], RICH, 12.0),
    "nonsense": (["-m", "thunderref", "card", "zxqwv"], RICH, 12.0),
    "ask, drawn": (["-m", "thunderref", "ask", "can", "militia", "use", "battle", "fury"], RICH, 12.0),
    "ask, misspelt, drawn": (["-m", "thunderref", "ask", "does", "a", "dropped", "wepon", "give", "light"], RICH, 12.0),
    "resolve": (["-m", "thunderref", "resolve", HAND, "--hall", "blink dog, griffon"], {}, 14.0),
    "resolve --json": (["-m", "thunderref", "resolve", HAND, "--hall", "blink dog, griffon", "--json"], {}, 14.0),
    "a battle without a command": (["-m", "thunderref", HAND, "vs", "blink dog, griffon"], {}, 16.0),
    "village": (["-m", "thunderref", "village", HAND], {}, 14.0),
    "setup --json": (["-m", "thunderref", "setup", "--json"], {}, 14.0),
    "rule light penalty, drawn": (["-m", "thunderref", "rule", "light", "penalty"], RICH, 12.0),
    "ask": (["-m", "thunderref", "ask", "can", "militia", "use", "battle", "fury"], {}, 14.0),
}
"""Name -> arguments, environment, the most it may cost."""


def main() -> int:
    """Prints the ratios; exit status 1 if one is above its budget."""
    taken: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(RUNS):
        for name, (arguments, environment, _budget) in CASES.items():
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, *arguments], env={**os.environ, **environment}, capture_output=True, check=False
            )
            taken[name].append(time.perf_counter() - start)
    empty = statistics.median(taken["python3 -c pass"])
    print(f"python3 -c pass: {empty * 1000:.1f} ms")
    slow = 0
    for name, (_, _, budget) in CASES.items():
        ratio = statistics.median(taken[name]) / empty
        slow += ratio > budget
        print(f"{name:34} {ratio:5.2f} x (at most {budget:g})")
    return int(slow > 0)


if __name__ == "__main__":
    raise SystemExit(main())
