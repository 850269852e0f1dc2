"""How long the best line takes: random hands against three monsters, in one process.

    python tests/bench/best_line.py [hands] [cards]

Prints the median, the slowest hand and the ratio of the slowest to one evaluation of a fixed battle in the same run,
because machines differ and absolute times lie.
"""

from __future__ import annotations

import random
import sys
import time

from thunderref.solve.api import resolve
from thunderref.store.read import open_store

BASELINE = {"hand": ["militia", "torch"], "hall": ["griffon"], "plan": [{"attack": 1}]}


def timed(scenario: dict[str, object]) -> float:
    start = time.perf_counter()
    resolve(scenario)
    return time.perf_counter() - start


def main(hands: int, cards: int) -> None:
    store = open_store()
    rng = random.Random(20240601)
    kinds = ("hero", "village", "basic", "disease")
    pool = [c.id for c in store.cards.values() if c.kind in kinds and not c.reprint_of]
    pool = [c for c in pool if "villager" not in store.types(c)]
    hall = [c.id for c in store.cards.values() if c.kind == "monster" and c.health]
    timed(BASELINE)
    base = sorted(timed(BASELINE) for _ in range(31))[15]
    times = []
    for _ in range(hands):
        scenario = {"hand": rng.choices(pool, k=cards), "hall": rng.sample(hall, 3)}
        times.append((timed(scenario), scenario))
    times.sort(key=lambda pair: pair[0])
    median, (worst, slowest) = times[len(times) // 2][0], times[-1]
    print(f"one given plan: {base * 1000:.2f} ms")
    print(f"{cards} cards, {hands} random hands: median {median * 1000:.1f} ms = {median / base:.0f} x a given plan")
    print(f"slowest: {worst * 1000:.1f} ms = {worst / base:.0f} x a given plan: {slowest}")


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]]
    main(*(arguments or [200, 6]))
