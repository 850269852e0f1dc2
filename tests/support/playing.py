"""Whole games on the engine: a set-up laid out and shuffled, a random driver, a check of every step."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from support.invariants import places, problems
from thunderref.database.read import open_database
from thunderref.thunderstone.rules.cards import load_cards
from thunderref.thunderstone.rules.choices import Choice, kind_of
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import hall_locked, is_monster, must_be_defeated
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Position
from thunderref.thunderstone.rules.turns import begin, shuffle
from thunderref.thunderstone.rules.variants import variant_of
from thunderref.thunderstone.setup.setup import generate_setup

BOOK = load_cards(open_database())
LONGEST = 8000
"""Decisions and shuffles; a game that does not stand still has far fewer."""


def laid_out(rng: random.Random, **asked: Any) -> tuple[Game, Position]:
    """A game of a random set-up, ready to begin."""
    setup = generate_setup(seed=rng.randrange(10**6), **asked)
    document = setup.model_dump()
    shuffles: dict[int, list[str]] = {}
    dungeon: list[str] = []
    for layer in document["dungeon"]["layers"]:
        pool = shuffles.setdefault(layer["shuffle"], [])
        if layer["cards"]:
            pool += [entry["id"] for entry in layer["cards"] for _ in range(entry["count"])]
            rng.shuffle(pool)
        cards = [*(pool.pop() for _ in range(min(layer["drawn"], len(pool)))), *layer["with"]]
        if layer["with"]:
            rng.shuffle(cards)
        dungeon += cards
    decks = []
    for _ in range(document["players"]):
        deck = [entry["id"] for entry in document["player_deck"] for _ in range(entry["count"])]
        rng.shuffle(deck)
        decks.append(deck)
    stacks, horde = [], []
    for stack in document["stacks"]:
        if stack["kind"] == "horde":
            horde = [entry["id"] for entry in stack["cards"] for _ in range(entry["count"])]
        elif stack["kind"] not in ("disease", "xp"):
            stacks += [(entry["id"], entry["count"]) for entry in stack["cards"]]
    game = Game(BOOK, players=document["players"], variant=variant_of(document["variant"], document["level"] or ""))
    return game, begin(game, dungeon, decks, tuple(stacks), horde=horde, hall=document["hall"])


def step(game: Game, position: Position, rng: random.Random) -> Position:
    """One shuffle or one random decision."""
    wanted = shuffle_of(position)
    if wanted is not None:
        order = list(wanted.cards)
        rng.shuffle(order)
        return shuffle(game, position, order)[0]
    return play(game, position, chosen(position, legal_actions(game, position), rng))[0]


def chosen(position: Position, options: tuple[Choice, ...], rng: random.Random) -> Choice:
    """Any action; but whoever may buy buys, and nobody wastes his deck by resting, or some games would never end.

    (A Steam Torment keeps everything in the hall until a party is strong enough, R6.8.)
    """
    if position.phase == "rest":
        return options[0]
    if position.phase == "village":
        options = tuple(a for a in options if kind_of(a) in ("buy", "level_up")) or options
    elif position.phase == "dungeon" and options[0].kind != "choose":
        options = tuple(a for a in options if kind_of(a) == "equip") or options
    return rng.choice(options)


def played(game: Game, position: Position, rng: random.Random, *, checked: bool = True) -> Position:
    """The game at its end."""
    start = places(position)
    for _ in range(LONGEST):
        if position.phase == "over":
            return position
        position = step(game, position, rng)
        if checked:
            wrong = problems(game, position, start)
            assert not wrong, (wrong, position)
    state = position
    fixed = [foe for foe in (*state.hall, *state.rank0) if is_monster(game, foe) and must_be_defeated(game, foe)]
    assert fixed or hall_locked(game, state), "only what must be defeated (R6.8) can keep weak players for ever"
    return position


def total(found: Counter[tuple[str, str]]) -> int:
    """All cards."""
    return sum(found.values())
