"""How often the bots beat each other, with intervals, and how fast they play, beside pyminion's two bots.

    python tests/bench/bots.py [GAMES]       GAMES a pair, 200 if not given; 1000 take half an hour
    python tests/bench/bots.py rates [GAMES] only how fast they play

Each pair plays on 40 random set-ups of both boxes for two players; every game is played twice, with the seats changed
and the same shuffles. A shared victory is half a one for each. Intervals are Student's for these deals, of 95 %; beside
them stands Wilson's, as if every game had a deal of its own. The time is this process's; run it with an installation
that is compiled (.github/CONTRIBUTING.md, "Builds") to see what that brings.
"""

from __future__ import annotations

import gc
import resource
import sys
import time

from games import Rates, pyminion

from thunderref.database.read import open_database
from thunderref.statistics import mean, mean_interval, wilson
from thunderref.thunderstone.bots.registry import BOTS
from thunderref.thunderstone.rules import turns
from thunderref.thunderstone.setup.setup import Setup, generate_setup
from thunderref.thunderstone.table.runner import PlayedGame, play_game

GAMES, SETUPS, FIRST_SEED = 200, 40, 7000
BOXES = {"base": ["base"], "both boxes": ["base", "wrath"]}
PAIRS = (
    ("lookahead", "planner", 0.6), ("planner", "greedy", 0.97), ("planner", "dearest", 0.7), ("greedy", "random", 0.5),
)  # fmt: skip
"""Bot, opponent, and how often the first is to win at least."""


def setups(boxes: list[str]) -> list[Setup]:
    database = open_database()
    return [generate_setup(database=database, seed=FIRST_SEED + n, players=2, sets=boxes) for n in range(SETUPS)]


def pair(one: str, other: str, least: float, games: int) -> None:
    drawn = setups(BOXES["both boxes"])
    shares, rounds, off = list[float](), 0, 0
    for number in range(games):
        seat = number % 2
        bots = [BOTS[one], BOTS[other]] if not seat else [BOTS[other], BOTS[one]]
        played = play_game(drawn[number // 2 % SETUPS], bots, number // 2)
        shares.append(played.seats[seat].share)
        rounds += played.rounds
        off += bool(played.called_off)
    rate = mean(shares)
    low, high = mean_interval([mean(shares[n : n + 2]) for n in range(0, games, 2)]) or (0, 1)
    own_low, own_high = wilson(rate, games)
    print(
        f"{one} against {other}: {rate:.1%} ({low:.1%} to {high:.1%}, Wilson {own_low:.1%} to {own_high:.1%}) "
        f"of {games} games, at least {least:.0%} wanted; {rounds / games:.1f} rounds, {off} called off",
        flush=True,
    )


def rates(games: int) -> None:
    gc.collect()
    gc.freeze()
    peer = pyminion(games)
    for name, boxes in BOXES.items():
        drawn = setups(boxes)
        for bot in BOTS:
            bots, found = [BOTS[bot]] * 2, list[PlayedGame]()
            play_game(drawn[0], bots, 0)
            start = time.process_time()
            for number in range(games):
                found.append(play_game(drawn[number % SETUPS], bots, number))
            rate = games / (time.process_time() - start)
            own = Rates(rate, mean([each.choices for each in found]), mean([each.turns for each in found]))
            beside = "" if peer is None else f"; as parts of pyminion's {own.beside(peer)}"
            print(
                f"{bot}, {name}: {rate:.1f} games/s, {rate * own.turns:,.0f} turns/s, {rate * own.decisions:,.0f} "
                f"choices/s; {own.turns:.0f} turns and {own.decisions:.0f} choices a game{beside}",
                flush=True,
            )
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if peer is None:
        print("pyminion is not installed: pip install -e '.[bench]' in the checkout brings it.")
    else:
        print(f"pyminion: {peer.games:.0f} games/s, {peer.decisions:.0f} choices and {peer.turns:.0f} turns a game")


def main(words: list[str]) -> None:
    games = int(next((word for word in words if word.isdigit()), GAMES))
    print("rules: " + ("as they stand" if str(turns.__file__).endswith(".py") else "compiled"))
    if "rates" not in words:
        for one, other, least in PAIRS:
            pair(one, other, least, games)
    rates(min(games, 100))


if __name__ == "__main__":
    main(sys.argv[1:])
