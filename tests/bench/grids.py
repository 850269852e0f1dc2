"""How long the best arrangement of five tiles on a random card of six by six takes.

    python tests/bench/grids.py [cards]

Prints the number of cards, whether all were proven, the mean and the worst time in seconds, the most steps.
"""

from __future__ import annotations

import random
import sys
import time

from thunderref.thorgal.fight import GOALS, best_fight
from thunderref.thorgal.grid import HEART, read_grid
from thunderref.thorgal.laying import DRAWINGS, read_tile

HARM = (0, 2, 4, 8, 16, 30)
SIZES = ("12345", "2345", "345", "45", "5", "34", "23", "3", "4")


def main(cards: int, seed: int = 1) -> None:
    dice = random.Random(seed)
    times: list[float] = []
    steps: list[int] = []
    proven = True
    for _ in range(cards):
        hearts, gains, penalties = dice.choice((1, 3, 5, 10, 15, 25)), dice.choice((0, 3, 6, 10, 20)), dice.choice(HARM)
        weights = (hearts, gains, penalties, dice.choice((0, 0, 2, 5)), 20)
        rows = ["".join(dice.choices("H1y#.", weights)[0] for _ in range(6)) for _ in range(6)]
        card = read_grid("/".join(rows))
        if not card.mask_of(HEART):
            continue
        sizes = dice.choice(SIZES)
        names = [name for name in DRAWINGS if name[1] in sizes]
        tiles = [read_tile(dice.choice(names)) for _ in range(5)]
        begin = time.perf_counter()
        fight = best_fight([card], tiles, mirror=dice.random() < 0.5, goal=dice.choice(GOALS))
        times.append(time.perf_counter() - begin)
        steps.append(fight.steps)
        proven = proven and fight.proven
    print(f"{len(times)} cards, all proven: {proven}", end="; ")
    print(f"mean {sum(times) / len(times):.3f} s, worst {max(times):.3f} s, most steps {max(steps)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
