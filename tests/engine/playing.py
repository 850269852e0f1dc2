"""Whole games on the engine: a set-up laid out and shuffled, a random driver, a check of every step."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from thunderref.engine.game import begin, legal_actions, play, shuffle_wanted, shuffled
from thunderref.engine.hall import hall_locked, is_monster, must_be_defeated
from thunderref.engine.moment import Game
from thunderref.engine.places import places, problems
from thunderref.engine.state import Action, Table
from thunderref.setup.api import generate_setup
from thunderref.store.catalog import load_book
from thunderref.store.read import open_store

BOOK = load_book(open_store())
LONGEST = 8000
"""Decisions and shuffles; a game that does not stand still has far fewer."""


def laid_out(rng: random.Random, **asked: Any) -> tuple[Table, Game]:
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
    table = Table(BOOK, players=document["players"], variant=document["variant"], level=document["level"] or "")
    return table, begin(table, dungeon, decks, tuple(stacks), horde=horde, hall=document["hall"])


def step(table: Table, game: Game, rng: random.Random) -> Game:
    """One shuffle or one random decision."""
    wanted = shuffle_wanted(game)
    if wanted is not None:
        order = list(wanted.cards)
        rng.shuffle(order)
        return shuffled(table, game, order)[0]
    return play(table, game, chosen(game, legal_actions(table, game), rng))[0]


def chosen(game: Game, options: tuple[Action, ...], rng: random.Random) -> Action:
    """Any action; but whoever may buy buys, and nobody wastes his deck by resting, or some games would never end.

    (A Steam Torment keeps everything in the hall until a party is strong enough, R6.8.)
    """
    if game.phase == "rest":
        return options[0]
    if game.phase == "village":
        options = tuple(a for a in options if a.kind in ("buy", "level_up")) or options
    elif game.phase == "dungeon" and options[0].kind != "choose":
        options = tuple(a for a in options if a.kind == "equip") or options
    return rng.choice(options)


def played(table: Table, game: Game, rng: random.Random, *, checked: bool = True) -> Game:
    """The game at its end."""
    start = places(game)
    for _ in range(LONGEST):
        if game.phase == "over":
            return game
        game = step(table, game, rng)
        if checked:
            wrong = problems(table, game, start)
            assert not wrong, (wrong, game)
    state = game.state
    fixed = [foe for foe in (*state.hall, *state.rank0) if is_monster(table, foe) and must_be_defeated(table, foe)]
    assert fixed or hall_locked(table, state), "only what must be defeated (R6.8) can keep weak players for ever"
    return game


def total(found: Counter[tuple[str, str]]) -> int:
    """All cards."""
    return sum(found.values())
