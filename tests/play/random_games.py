"""Games for the tests: random set-ups of both boxes and every variant, played at random, and what must always hold.

Two kinds of players play them, game by game in turn: those of the program, who want to win, and careless ones, who do
anything that is legal. The careless get into corners where nobody who wants to win ever comes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from thunderref.engine.moment import Game
from thunderref.engine.places import places, problems
from thunderref.engine.state import Action
from thunderref.engine.world import DISEASE
from thunderref.play.course import Course, Move, begun
from thunderref.play.deal import CHOICE, source
from thunderref.play.ending import at_a_standstill, stuck
from thunderref.play.position import position
from thunderref.setup.generator import Generator
from thunderref.store.read import open_store

STORE = open_store()
VARIANTS = (
    ("normal", None), ("epic", None), ("crossing", None), ("pursuit", None), ("odyssey", None), ("solo", "normal"),
    ("solo", "fighter"), ("solo", "nightmare"), ("marauding", None),
)  # fmt: skip
MOST_STEPS = 20_000
"""Far more than any game that ends has ever taken."""


class Table(NamedTuple):
    """What a numbered random game is played with."""

    options: dict[str, Any]
    seed: int


def table(number: int) -> Table:
    """The ``number``-th random table: variants in turn; boxes, players and rulesets by chance."""
    variant, level = VARIANTS[number % len(VARIANTS)]
    random = Generator(number, "choice")
    sets = [["base", "wrath"], ["base"], ["wrath"], ["base", "wrath", "promo"]][random.weighted([4, 1, 1, 2])]
    if variant in ("epic", "crossing", "pursuit", "odyssey"):
        sets = [*dict.fromkeys([*sets, "base", "wrath"])]
    players = 1 if variant == "solo" else 2 + random.below(4)
    ruleset = "yucata" if random.below(4) == 0 else "print"
    options: dict[str, Any] = {"variant": variant, "level": level, "sets": sets, "ruleset": ruleset}
    from thunderref.model.saved import SavedPlayer

    options["players"] = [SavedPlayer(name=f"P{n}", random=True) for n in range(1, players + 1)]
    return Table(options, number)


def start(number: int) -> Course:
    """The ``number``-th random game before its first step."""
    asked = table(number)
    options = dict(asked.options)
    return begun(STORE, options.pop("players"), seed=asked.seed, **options)


CARELESS = {"rest": 1, "forgo": 1, "dungeon": 4, "village": 4}
"""How likely careless players are to do a thing; everything else is :data:`OTHERWISE`."""
OTHERWISE = 2
RID = 6
"""How likely they are to rest with Disease and to destroy it: a game in which nobody does drowns in it."""


def careless(course: Course) -> Action:
    """Any legal action, resting and going without a card somewhat less likely, or every game would starve."""
    options, random = course.options(), source(course.seed, CHOICE, len(course.moves))
    ill = any(slot.card == DISEASE for slot in course.game.state.hand)
    weights = [
        RID
        if ill and (action.kind == "rest" or (action.a == "destroy" and action.b[0] == DISEASE))
        else CARELESS.get(action.kind, OTHERWISE)
        for action in options
    ]
    return options[random.weighted(weights)]


def moves(course: Course) -> Iterator[Move]:
    """Plays a game at random, shuffles included, one move at a time, until it ends or provably never will.

    Games with an even seed are those of careless players.

    It is left, too, where nothing has changed for many rounds; that is no proof.
    """
    while True:
        yield from course.settle()
        if course.over or stuck(course.table, course.game) or at_a_standstill(course):
            return
        if len(course.moves) > MOST_STEPS:
            raise AssertionError(f"no end after {MOST_STEPS} steps")
        yield course.take(course.draw() if course.seed % 2 else careless(course))


def faults(course: Course, began: Counter[tuple[str, str]]) -> list[str]:
    """What is wrong with the position: a card lost or doubled, a stack below nothing, the hall, XP, gold."""
    found = problems(course.table, course.game, began)
    wanted = course.game.phase != "over"
    from thunderref.engine.game import legal_actions, shuffle_wanted

    options = legal_actions(course.table, course.game)
    if len(set(options)) != len(options):
        found.append("an action is listed twice")
    if wanted and not options and shuffle_wanted(course.game) is None:
        found.append("nobody can do anything")
    if not wanted and options:
        found.append("there are actions after the end")
    return found


def counted(course: Course) -> Counter[tuple[str, str]]:
    """Where the cards are at the start."""
    return places(course.game)


def in_any_order(game: Game) -> Any:
    """The position without the order of cards whose order is nothing to anybody: hands, discard piles, what is open."""
    found = position(game)
    for player in found["players"]:
        player["hand"].sort()
        player["discard"].sort()
    found["revealed"].sort(key=json.dumps)
    return found
