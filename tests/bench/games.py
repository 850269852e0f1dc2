"""Whole games per second beside pyminion (two of its BigMoney bots), states per second, and one given plan.

    python tests/bench/games.py [games]

Run it with an installation that is compiled (.github/CONTRIBUTING.md, "Builds") too; it says which it is.
Everything in one process and one run, because machines differ and absolute times lie: read the ratios. A turn here is
far richer than one of pyminion's bots, so games are compared and decisions are. Every time is the processor's.

Two kinds of players are told apart: uniform ones, who take any legal action with the same chance, and the program's own
random players, who rest less and go without a card less often, so that their games come to an end.

Games at random need not end: a guardian in rank 0 may destroy every card of every player. Those are told apart: called
off where the program calls them off, or left, unproven, after very many decisions.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from support.seats import child
from thunderref.database.read import open_database
from thunderref.thunderstone.bots.beginners import draw_choice
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.start import Finder, position
from thunderref.thunderstone.rules import turns as rules
from thunderref.thunderstone.rules.choices import Choice
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.table.ending import is_stuck
from thunderref.thunderstone.table.record import GameRecord, SavedPlayer, begin_game

GAMES = 100
MOST_DECISIONS = 20_000
"""A game that has not ended by then is left."""
ASKED_EVERY = 50
"""Turns after which it is asked whether the game can still end."""
PLAN = {
    "hand": ["disease", "banish", "regian-priest", "iron-rations", "thyrian-squire", "polearm"],
    "hall": ["blink-dog", "suffering", "uyril-unending"],
    "deck": ["militia", "disease", "short-sword", "battle-fury"],
    "plan": [
        {"equip": "polearm", "to": "thyrian-squire"},
        {"use": "iron-rations", "on": "thyrian-squire"},
        {"attack": 2},
    ],
}
SECONDS_OF_PLAN = 0.002
STATES = 20_000


def seconds(call: Callable[[], Any], times: int) -> float:
    """The median of ``times`` calls."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return sorted(taken)[times // 2]


def states_per_second(turns: int = 2000) -> float:
    """``legal_actions`` and ``child`` along random dungeon turns of six cards."""
    database = open_database()
    rng = random.Random(20240601)
    kinds = ("hero", "village", "basic", "disease")
    pool = [c.id for c in database.cards.values() if c.kind in kinds and not c.reprint_of]
    hall = [c.id for c in database.cards.values() if c.kind == "monster" and c.health]
    find = Finder(database, "en")
    openings: list[tuple[Game, Position]] = []
    for _ in range(turns):
        scenario = {"hand": rng.choices(pool, k=6), "hall": rng.sample(hall, 3), "village": []}
        openings.append(position(read_document(Scenario, scenario), database, find))
    seen = 0
    start = time.process_time()
    for game, state in openings:
        while options := legal_actions(game, state):
            state, _ = child(game, state, options[rng.randrange(len(options))])
            seen += 1
    return seen / (time.process_time() - start)


class Played(NamedTuple):
    """A game: how it came out (``ended``, ``called off``, ``left``), seconds, decisions and turns."""

    outcome: str
    seconds: float
    decisions: int
    turns: int


Chooser = Callable[[Game, Position, Sequence[Choice]], Choice]


def uniform(seed: int = 1) -> Chooser:
    """Any legal action."""
    rng = random.Random(seed)
    return lambda _table, _game, options: options[int(rng.random() * len(options))]


def as_in_play(seed: int = 1) -> Chooser:
    """What the random players of ``thunderref play`` do."""
    rng = random.Random(seed)
    return lambda game, position, options: draw_choice(game, position, options, rng.random)


def played(record: GameRecord, rng: random.Random, choose: Chooser) -> Played:
    """A game in which everybody decides at random; ``rng`` shuffles."""
    game, position = record.game, record.position
    outcome, decisions, turn = "left", 0, 0
    start = time.process_time()
    while decisions < MOST_DECISIONS:
        wanted = shuffle_of(position)
        if wanted is not None:
            order = list(wanted.cards)
            rng.shuffle(order)
            position, _ = rules.shuffle(game, position, tuple(order))
            continue
        options = legal_actions(game, position)
        if not options:
            outcome = "ended"
            break
        if position.table.turn >= turn + ASKED_EVERY and position.phase == "choose":
            turn = position.table.turn
            if is_stuck(game, position):
                outcome = "called off"
                break
        position, _ = play(game, position, choose(game, position, options))
        decisions += 1
    return Played(outcome, time.process_time() - start, decisions, position.table.turn)


def thunderstone(games: int, choose: Chooser) -> tuple[float, float, float, dict[str, list[Played]]]:
    """Random games a second of two players with random set-ups of the base set; decisions and turns a game.

    Counted are the games that ended; all of them, sorted by how they came out, come last.
    """
    database = open_database()
    gc.collect()
    gc.freeze()  # as the program does: what was read in stays, and needs no looking through
    players = [SavedPlayer(name=name, random=True) for name in "ab"]
    openings = [begin_game(database, players, seed=seed) for seed in range(games)]
    rng = random.Random(1)
    found: dict[str, list[Played]] = {"ended": [], "called off": [], "left": []}
    for record in openings:
        one = played(record, rng, choose)
        found[one.outcome].append(one)
    ended = found["ended"]
    n = len(ended)
    return (
        n / sum(g.seconds for g in ended),
        sum(g.decisions for g in ended) / n,
        sum(g.turns for g in ended) / n,
        found,
    )


class Rates(NamedTuple):
    """How fast games are played: games a second, decisions and turns a game."""

    games: float
    decisions: float
    turns: float

    def beside(self, other: Rates) -> str:
        """Games, turns and decisions a second as multiples of the other's."""
        games = self.games / other.games
        turns, decisions = games * self.turns / other.turns, games * self.decisions / other.decisions
        return f"{games:.3f} in games/s, {turns:.2f} in turns/s, {decisions:.2f} in decisions/s"


def pyminion(games: int) -> Rates | None:
    """Two BigMoney bots with the base set; None if it is not installed."""
    try:
        from pyminion.bots.bot import BotDecider
        from pyminion.bots.examples import BigMoney
        from pyminion.expansions.base import base_set
        from pyminion.game import Game as PyminionGame
    except ImportError:
        return None

    def one() -> int:
        game = PyminionGame(players=[BigMoney("a"), BigMoney("b")], expansions=[base_set], log_stdout=False)
        game.play()
        return sum(player.turns for player in game.players)

    random.seed(1)
    one()
    start = time.process_time()
    turns = sum(one() for _ in range(games))
    rate = games / (time.process_time() - start)
    asked = 0

    def counted(decide: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **named: Any) -> Any:
            nonlocal asked
            asked += 1
            return decide(*arguments, **named)

        return wrapper

    for name in [name for name in dir(BotDecider) if name.endswith("_decision")]:
        setattr(BotDecider, name, counted(getattr(BotDecider, name)))
    for _ in range(games // 5 or 1):
        one()
    return Rates(rate, asked / (games // 5 or 1), turns / games)


def main(games: int = GAMES) -> None:
    print("rules and search: " + ("as they stand" if str(rules.__file__).endswith(".py") else "compiled"))
    resolve(PLAN)
    plan = seconds(lambda: resolve(PLAN), 101)
    states = states_per_second()
    print(f"resolve of a given plan: {plan * 1000:.2f} ms = {plan / SECONDS_OF_PLAN:.2f} x its budget")
    print(f"legal_actions + child: {states:,.0f} states/s = {states / STATES:.2f} x the goal")
    rates = []
    for name, choose in (("uniform players", uniform()), ("players of the program", as_in_play())):
        rate, decisions, turns, found = thunderstone(games, choose)
        rates.append((name, Rates(rate, decisions, turns)))
        print(
            f"thunderref, {name}: {rate:.1f} games/s, {decisions:.0f} decisions and {turns:.0f} turns a game, "
            f"{rate * decisions:,.0f} decisions/s; {len(found['ended'])} of {games} games ended"
        )
        for outcome in ("called off", "left"):
            for one in found[outcome]:
                print(f"  besides, {outcome}: {one.decisions:,} decisions, {one.turns:,} turns in {one.seconds:.2f} s")
    peer = pyminion(games * 3)
    if peer is None:
        print("pyminion is not installed: pip install -e '.[bench]' in the checkout brings it.")
        return
    print(
        f"pyminion: {peer.games:.0f} games/s, {peer.decisions:.0f} decisions and {peer.turns:.0f} turns a game, "
        f"{peer.games * peer.decisions:,.0f} decisions/s"
    )
    for name, ours in rates:
        print(f"thunderref, {name} / pyminion: {ours.beside(peer)}")


if __name__ == "__main__":
    main(*[int(word) for word in sys.argv[1:]])
