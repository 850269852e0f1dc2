"""Games for the tests: random set-ups of both boxes and every variant, played at random, and what must always hold.

Two kinds of players play them, game by game in turn: those of the program, who want to win, and careless ones, who do
anything that is legal. The careless get into corners where nobody who wants to win ever comes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from support.invariants import places, problems
from thunderref.database.read import open_database
from thunderref.rng import open_stream
from thunderref.thunderstone.rules.choices import REST, Choice, Pick, kind_of
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import DISEASE, Position
from thunderref.thunderstone.table.ending import at_a_standstill, is_stuck
from thunderref.thunderstone.table.record import CHOICE, GameRecord, Move, begin_game, layout_of, source

STORE = open_database()
VARIANTS = (
    ("normal", None), ("epic", None), ("crossing", None), ("pursuit", None), ("odyssey", None), ("solo", "normal"),
    ("solo", "fighter"), ("solo", "nightmare"), ("marauding", None),
)  # fmt: skip
MOST_STEPS = 20_000
"""Far more than any game that ends has ever taken."""


class Game(NamedTuple):
    """What a numbered random game is played with."""

    options: dict[str, Any]
    seed: int


def game(number: int) -> Game:
    """The ``number``-th random table: variants in turn; boxes, players and rulesets by chance."""
    variant, level = VARIANTS[number % len(VARIANTS)]
    random = open_stream(number, "choice")
    sets = [["base", "wrath"], ["base"], ["wrath"], ["base", "wrath", "promo"]][random.weighted([4, 1, 1, 2])]
    if variant in ("epic", "crossing", "pursuit", "odyssey"):
        sets = [*dict.fromkeys([*sets, "base", "wrath"])]
    players = 1 if variant == "solo" else 2 + random.below(4)
    ruleset = "yucata" if random.below(4) == 0 else "print"
    options: dict[str, Any] = {"variant": variant, "level": level, "sets": sets, "ruleset": ruleset}
    from thunderref.thunderstone.table.record import SavedPlayer

    options["players"] = [SavedPlayer(name=f"P{n}", random=True) for n in range(1, players + 1)]
    return Game(options, number)


def start(number: int) -> GameRecord:
    """The ``number``-th random game before its first step."""
    asked = game(number)
    options = dict(asked.options)
    return begin_game(STORE, options.pop("players"), seed=asked.seed, **options)


CARELESS = {"rest": 1, "forgo": 1, "dungeon": 4, "village": 4}
"""How likely careless players are to do a thing; everything else is :data:`OTHERWISE`."""
OTHERWISE = 2
RID = 6
"""How likely they are to rest with Disease and to destroy it: a game in which nobody does drowns in it."""


def careless(record: GameRecord) -> Choice:
    """Any legal action, resting and going without a card somewhat less likely, or every game would starve."""
    options, random = record.options(), source(record.seed, CHOICE, len(record.moves))
    ill = any(slot.card == DISEASE for slot in record.position.hand)
    weights = [
        RID
        if ill
        and (action == REST or (isinstance(action, Pick) and action.key == "destroy" and action.value[0] == DISEASE))
        else CARELESS.get(kind_of(action), OTHERWISE)
        for action in options
    ]
    return options[random.weighted(weights)]


def moves(record: GameRecord) -> Iterator[Move]:
    """Plays a game at random, shuffles included, one move at a time, until it ends or provably never will.

    Games with an even seed are those of careless players.

    It is left, too, where nothing has changed for many rounds; that is no proof.
    """
    while True:
        yield from record.settle()
        if record.over or is_stuck(record.game, record.position) or at_a_standstill(record):
            return
        if len(record.moves) > MOST_STEPS:
            raise AssertionError(f"no end after {MOST_STEPS} steps")
        yield record.take(record.draw()[0] if record.seed % 2 else careless(record))


def faults(record: GameRecord, began: Counter[tuple[str, str]]) -> list[str]:
    """What is wrong with the position: a card lost or doubled, a stack below nothing, the hall, XP, gold."""
    found = problems(record.game, record.position, began)
    wanted = record.position.phase != "over"
    pass

    options = legal_actions(record.game, record.position)
    if len(set(options)) != len(options):
        found.append("an action is listed twice")
    if wanted and not options and shuffle_of(record.position) is None:
        found.append("nobody can do anything")
    if not wanted and options:
        found.append("there are actions after the end")
    return found


def counted(record: GameRecord) -> Counter[tuple[str, str]]:
    """Where the cards are at the start."""
    return places(record.position)


def in_any_order(position: Position) -> Any:
    """The position without the order of cards whose order is nothing to anybody: hands, discard piles, what is open."""
    found = layout_of(position)
    for player in found["players"]:
        player["hand"].sort()
        player["discard"].sort()
    found["revealed"].sort(key=json.dumps)
    return found
