"""Start-up of look-ups as ratios to an empty Python, measured in one run: ``python tests/bench/startup.py``.

The last column is what the same costs, in times of that, with a box of 80 cards of the user's own switched on.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

RUNS = 15
MOST_WITH_BOX = 1.2
CARDS = 80
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


def write_box(folder: Path) -> None:
    """Writes a box of many village cards, switched on, into a data folder."""
    rows = (f"Bench Card {number},village,8,item,{number % 9},A text of card {number}.\n" for number in range(CARDS))
    (folder / "thunderref" / "boxes").mkdir(parents=True)
    (folder / "thunderref" / "boxes" / "bench.csv").write_text("name,kind,count,types,cost,text\n" + "".join(rows))
    (folder / "thunderref" / "boxes.json").write_text('{"on": ["bench"]}')


def main() -> int:
    """Prints the ratios; exit status 1 if one is above its budget."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder))
        return measure({"XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder})


def measure(with_box: dict[str, str]) -> int:
    taken: dict[tuple[str, bool], list[float]] = {(name, box): [] for name in CASES for box in (False, True)}
    for run in range(RUNS + 1):
        for (name, box), times in taken.items():
            arguments, environment, _ = CASES[name]
            given = {**os.environ, **environment, **(with_box if box else {})}
            start = time.perf_counter()
            subprocess.run([sys.executable, *arguments], env=given, capture_output=True, check=False)
            if run:  # the first one merges the box
                times.append(time.perf_counter() - start)
    empty = statistics.median(taken["python3 -c pass", False])
    print(f"python3 -c pass: {empty * 1000:.1f} ms")
    slow = 0
    for name, (_, _, budget) in CASES.items():
        plain, boxed = (statistics.median(taken[name, box]) for box in (False, True))
        slow += plain / empty > budget or boxed / plain > MOST_WITH_BOX
        print(f"{name:34} {plain / empty:5.2f} x (at most {budget:g}), with a box {boxed / plain:4.2f} of that")
    return int(slow > 0)


if __name__ == "__main__":
    raise SystemExit(main())
