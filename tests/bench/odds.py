"""How long odds take: two draws, from decks of twelve cards of up to twelve kinds, and fresh hands.

    python tests/bench/odds.py

Each question is asked once in this process, after a first one that loads what is needed. Prints seconds, positions
weighed and whether the answer is exact.
"""

from __future__ import annotations

import time
from typing import Any

from thunderref.solve import chances

STARTING = ["6 militia", "2 dagger", "2 torch", "2 iron-rations"]
MIXED = [
    "2 militia", "dagger", "torch", "iron-rations", "short-sword", "fireball", "elf-wizard", "disease", "battle-fury",
    "regian-cleric", "lightstone-gem",
]  # fmt: skip
HAND = ["regian-bishop", "thyrian-squire", "militia", "polearm", "torch", "disease"]
HALL = ["blink-dog", "kingdom", "griffon"]
QUESTIONS: dict[str, dict[str, Any]] = {
    f"two draws, {size} cards in hand, {kinds} deck, {targets} {'targets' if targets > 1 else 'target'}": {
        "hand": HAND[:size], "deck_list": deck, "hall": HALL[:targets],
    }
    for kinds, deck in (("starting", STARTING), ("mixed", MIXED))
    for size in (1, 3, 5)
    for targets in (1, 3)
} | {
    "two draws and a cure, 6 cards in hand, mixed deck, 1 target": {"hand": HAND, "deck_list": MIXED, "hall": HALL[:1]},
    "a fresh hand off the starting deck, 3 targets": {"deck_list": STARTING, "hall": HALL, "first_battle": True},
    "a fresh hand off the mixed deck, 1 target": {"deck_list": MIXED, "hall": HALL[:1], "first_battle": True},
}  # fmt: skip


def main() -> None:
    chances.odds({"hand": ["militia"], "deck_list": ["torch"], "hall": ["griffon"]})
    for name, question in QUESTIONS.items():
        start = time.perf_counter()
        result = chances.odds(question)
        seconds = time.perf_counter() - start
        how = "exact" if all(target.exact for target in result.targets) else "sampled"
        print(f"{seconds:7.2f} s  {how:7}  {name}: {', '.join(target.win.fraction for target in result.targets)}")


if __name__ == "__main__":
    main()
