"""How long the best line and the whole answer take: random hands of both boxes against three monsters, in one process.

    python tests/bench/best_line.py [HANDS] [HUNT] [CARDS...]   cost by cards, 6 to 12 if none are given: HANDS random
                                                                hands of each size, searched and then answered whole
                                                                (what is missing, what would win if drawn), and a hunt
                                                                of HUNT steps for bad hands that changes the worst
    python tests/bench/best_line.py oracle [HANDS]              beside the brute force of tests/oracle, nine cards

Every time is given beside one evaluation of a fixed battle in the same run, because machines differ; it is the time of
this process, so that whatever else the machine does counts little. The hands are the same for the same numbers.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

from support.boxes import possible
from thunderref.budget import Budget
from thunderref.database.read import open_database
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.position import Position

SEED = 20240601
SIZES = (6, 7, 8, 9, 10, 11, 12)
GOALS_MS = {6: 50, 9: 100, 12: 1000}
ANSWER_GOALS_MS = {6: 150, 9: 300, 12: 1500}
BASELINE = {"hand": ["militia", "torch"], "hall": ["griffon"], "plan": [{"attack": 1}]}
STORE = open_database()
FIND = Finder(STORE, None)
KINDS = ("hero", "village", "basic", "disease")
HANDS = [
    card.id
    for card in STORE.cards.values()
    if card.kind in KINDS and not card.reprint_of and "villager" not in card.types
]
HALLS = [card.id for card in STORE.cards.values() if card.kind == "monster" and card.health and not card.reprint_of]

LONGEST = 60.0
"""Seconds after which a search is stopped, so that one hand does not stop the bench."""

Document = dict[str, Any]
Timed = tuple[float, int, bool, Document]
"""Milliseconds, states, whether proven, and the scenario."""


def opened(document: Document) -> tuple[Game, Position]:
    return position(read_document(Scenario, document), STORE, FIND)


def timed(document: Document) -> Timed:
    """The search for the best line against every target, nothing told of it."""
    game, state = opened(document)
    end = time.monotonic() + LONGEST  # the processor's own clock is too slow to be asked at every state
    search = Search(game, document["goal"], tick=lambda _: time.monotonic() < end)
    start = time.process_time()
    search.run(state)
    return (time.process_time() - start) * 1000, search.states, search.complete, document


def answered(document: Document) -> Timed:
    """The whole answer, without a search's number of states; proven if no part of it was cut short."""
    start = time.process_time()
    result = resolve(document, gaps=True, budget=Budget(LONGEST))
    took = (time.process_time() - start) * 1000
    whole = all(target.proven and (target.draws is None or target.draws.proven) for target in result.targets)
    return took, 0, whole, document


def given_plan() -> float:
    """Milliseconds of one evaluation of a fixed battle, the median of 31."""
    times = []
    for _ in range(31):
        start = time.process_time()
        resolve(BASELINE)
        times.append((time.process_time() - start) * 1000)
    return sorted(times)[15]


def random_battle(rng: random.Random, cards: int) -> Document:
    goal = rng.choice(("win", "max"))
    return possible({"goal": goal, "hand": rng.choices(HANDS, k=cards), "hall": rng.sample(HALLS, 3)})


def changed(rng: random.Random, document: Document) -> Document:
    """The battle with one or two cards, a monster or the goal changed."""
    hand, hall, goal = list(document["hand"]), list(document["hall"]), document["goal"]
    for _ in range(rng.randint(1, 2)):
        hand[rng.randrange(len(hand))] = rng.choice(HANDS)
    if rng.random() < 0.4:
        hall[rng.randrange(3)] = rng.choice(HALLS)
    if rng.random() < 0.1:
        goal = "max" if goal == "win" else "win"
    return possible({"goal": goal, "hand": hand, "hall": hall}) if len(set(hall)) == 3 else document


def hunted(rng: random.Random, worst: Timed, steps: int) -> Timed:
    """The worst battle that so many changes of the worst so far find."""
    for _ in range(steps):
        worst = max(worst, timed(changed(rng, worst[3])), key=lambda one: one[0])
    return worst


def growth(hands: int, hunt: int, sizes: list[int]) -> None:
    base = given_plan()
    print(f"one given plan: {base:.2f} ms; times in ms, in brackets as so many given plans")
    print(
        f"{'cards':>5} {'median':>9} {'95 %':>9} {'worst':>16} {'states':>7} {'hunted':>16} {'states':>7} {'goal':>5}"
    )
    for cards in sizes or SIZES:
        rng = random.Random(SEED + cards)
        battles = [random_battle(rng, cards) for _ in range(hands)]
        times = sorted(map(timed, battles), key=lambda one: one[0])
        worst = times[-1]
        hunter = hunted(rng, worst, hunt)
        proven = "" if all(one[2] for one in (*times, hunter)) else "  not all proven"
        print(
            f"{cards:>5} {times[len(times) // 2][0]:>9.1f} {times[len(times) * 95 // 100][0]:>9.1f} "
            f"{worst[0]:>9.1f} ({worst[0] / base:>4.0f}) {worst[1]:>7} "
            f"{hunter[0]:>9.1f} ({hunter[0] / base:>4.0f}) {hunter[1]:>7} {GOALS_MS.get(cards, ''):>5}{proven}",
            flush=True,
        )
        print(f"      worst: {worst[3]}\n      hunted: {hunter[3]}", flush=True)
        report_answers(list(map(answered, battles)), base, ANSWER_GOALS_MS.get(cards, ""))
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def report_answers(answers: list[Timed], base: float, goal: int | str) -> None:
    times, worst = sorted(each[0] for each in answers), max(answers, key=lambda one: one[0])
    print(
        f"  all {times[len(times) // 2]:>9.1f} {times[len(times) * 95 // 100]:>9.1f} {worst[0]:>9.1f} "
        f"({worst[0] / base:>4.0f})  mean {sum(times) / len(times):.1f}  goal {goal}, "
        f"{sum(not each[2] for each in answers)} cut\n      worst: {worst[3]}",
        flush=True,
    )


def beside_oracle(hands: int) -> None:
    """The brute force and the search on the same nine-card hands of the base set."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from support import oracle
    from support.scenarios import scenario

    slow = quick = 0.0
    compared = given_up = 0
    for seed in range(SEED, SEED + hands):
        document = scenario(seed, size=(9, 9))
        document.pop("deck", None)
        milliseconds, _, complete, _ = timed(document)
        start = time.process_time()
        try:
            oracle.judge(document, limit=60_000)
        except oracle.NotCoveredError:
            given_up += 1
            continue
        slow += (time.process_time() - start) * 1000
        quick += milliseconds
        compared += complete
    print(
        f"{compared} hands of nine cards: oracle {slow:.0f} ms, search {quick:.0f} ms: {slow / quick:.0f} times faster"
    )
    print(f"{given_up} more hands were too large for the oracle (60,000 positions) or are not covered by it")


if __name__ == "__main__":
    if sys.argv[1:2] == ["oracle"]:
        beside_oracle(int((*sys.argv[2:], "40")[0]))
    else:
        numbers = [int(word) for word in sys.argv[1:]] + [100, 100][len(sys.argv) - 1 :]
        growth(numbers[0], numbers[1], numbers[2:])
