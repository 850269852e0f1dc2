"""How long odds take: two draws, from decks of twelve cards of up to twelve kinds, and fresh hands.

    python tests/bench/odds.py [RANDOM]

Each question is asked once in this process, after a first one that loads what is needed. Prints seconds, whether the
answer is exact, and the odds; then median and worst of RANDOM questions (100): a Bishop, who draws two, and up to four
random cards against one monster, with twelve random cards in the deck; first with cards of which no other draws or
moves anything, then with any.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from typing import Any

from best_line import HALLS, HANDS, SEED

from thunderref.database.read import open_database
from thunderref.thunderstone.resolve import odds as chances
from thunderref.thunderstone.rules.cards import load_cards

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
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    cards = load_cards(open_database())
    still = [card for card in HANDS if not any(ability.instant for ability in cards[card].dungeon)]
    some(count, "with two draws and no more", still)
    some(count, "with any cards", [card for card in HANDS if card != "regian-bishop"])
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def some(count: int, name: str, known: list[str]) -> None:
    """Random questions: what they take, the worst ones in full."""
    rng = random.Random(SEED)
    times = []
    for _ in range(count):
        cards = rng.sample(known, 12 + rng.randint(0, 4))
        question = {"hand": ["regian-bishop", *cards[12:]], "deck_list": cards[:12], "hall": [rng.choice(HALLS)]}
        start = time.perf_counter()
        (target,) = chances.odds(question).targets
        times.append((time.perf_counter() - start, target.exact, question))
    times.sort(key=lambda one: one[0])
    exact = sum(one[1] for one in times)
    print(f"{count} random questions {name}: median {times[count // 2][0]:.2f} s, {exact} exact; the worst:")
    for seconds, proven, question in times[-3:]:
        print(f"{seconds:7.2f} s  {'exact' if proven else 'sampled':7}  {question}")


if __name__ == "__main__":
    main()
