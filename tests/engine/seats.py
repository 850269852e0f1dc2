"""Short ways to lay out a moment of a game and to play on from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playing import BOOK

from thunderref.engine.game import begin, child, decider, legal_actions, shuffle_wanted, shuffled
from thunderref.engine.moment import Game
from thunderref.engine.places import places, problems
from thunderref.engine.state import Action, Table
from thunderref.explain.terms import Event

HALL = ("nixie", "griffon", "sphinx")
STACKS = (("militia", 20), ("short-sword", 8), ("fireball", 8), ("elf-wizard", 6), ("elf-sorcerer", 4), ("torch", 9))


def at_table(
    *hands: str,
    hall: Sequence[str] = HALL,
    dungeon: str = "",
    stacks: Any = STACKS,
    horde: str = "",
    variant: str = "normal",
    **more: Any,
) -> tuple[Table, Game]:
    """A game about to begin.

    ``torch, militia / fireball`` is a hand, filled up with Torches, and after the stroke what lies below it: without
    a stroke six Daggers.
    """
    decks = []
    for hand in hands:
        top, stroke, rest = hand.partition("/")
        cards = split(top)
        rest = rest if stroke else ", ".join(["dagger"] * 6)
        decks.append((*cards, *["torch"] * (6 - len(cards)), *split(rest)))
    table = Table(BOOK, players=len(hands), variant=variant, **more)
    cards = [*hall, *split(dungeon)]
    return table, begin(table, cards, decks, tuple(stacks), horde=split(horde), hall=len(hall))


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def do(table: Table, game: Game, *actions: Action) -> Game:
    """The game after the actions; each must be legal and lose no card."""
    return told(table, game, *actions)[0]


def told(table: Table, game: Game, *actions: Action) -> tuple[Game, list[Event]]:
    """The game after the actions and all that happened."""
    found: list[Event] = []
    for action in actions:
        before = places(game)
        game, events = child(table, game, action)
        assert not problems(table, game, before)
        found += events
    return game, found


def use(card: str, number: int = 1, copy: int = 1) -> Action:
    return Action("use", (card, copy), number)


def choose(key: str, value: Any = None) -> Action:
    return Action("choose", key, value)


def attack(rank: int) -> Action:
    return Action("attack", rank, 0)


def asked(table: Table, game: Game) -> tuple[int, list[tuple[str, Any]]]:
    """Who is asked, and what he may answer."""
    return decider(game), [(action.a, action.b) for action in legal_actions(table, game)]


def passed_on(table: Table, game: Game) -> Game:
    """The game at the next turn; whatever is asked gets its first answer, shuffled piles stay as they are."""
    number = game.number
    while game.number == number and game.phase != "over":
        wanted = shuffle_wanted(game)
        if wanted is not None:
            game, _ = shuffled(table, game, wanted.cards)
        else:
            game = do(table, game, legal_actions(table, game)[0])
    return game


DUNGEON = Action("dungeon")
VILLAGE = Action("village")
REST = Action("rest")
