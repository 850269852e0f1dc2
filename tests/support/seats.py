"""Short ways to lay out a moment of a game and to play on from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from support.invariants import places, problems
from thunderref.thunderstone.rules.choices import Attack, Choice, Turn, Use
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play, why_illegal
from thunderref.thunderstone.rules.position import Position, decider
from thunderref.thunderstone.rules.turns import begin, shuffle
from thunderref.thunderstone.rules.variants import variant_of

from .choices import choose as choose
from .playing import BOOK

HALL = ("nixie", "griffon", "sphinx")
STACKS = (("militia", 20), ("short-sword", 8), ("fireball", 8), ("elf-wizard", 6), ("elf-sorcerer", 4), ("torch", 9))


def at_table(
    *hands: str,
    hall: Sequence[str] = HALL,
    dungeon: str = "",
    stacks: Any = STACKS,
    horde: str = "",
    variant: str = "normal",
    level: str = "",
    **more: Any,
) -> tuple[Game, Position]:
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
    game = Game(BOOK, players=len(hands), variant=variant_of(variant, level), **more)
    cards = [*hall, *split(dungeon)]
    return game, begin(game, cards, decks, tuple(stacks), horde=split(horde), hall=len(hall))


def split(text: str) -> list[str]:
    """The cards of ``2 torch, militia``, one by one."""
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        number, _, card = part.rpartition(" ")
        found += [card] * int(number or 1)
    return found


def do(game: Game, position: Position, *actions: Choice) -> Position:
    """The game after the actions; each must be legal and lose no card."""
    return told(game, position, *actions)[0]


def told(game: Game, position: Position, *actions: Choice) -> tuple[Position, list[Event]]:
    """The game after the actions and all that happened."""
    found: list[Event] = []
    for action in actions:
        before = places(position)
        position, events = child(game, position, action)
        assert not problems(game, position, before)
        found += events
    return position, found


def use(card: str, number: int = 1, copy: int = 1) -> Choice:
    return Use((card, copy), number)


def attack(rank: int) -> Choice:
    return Attack(rank, 0)


def asked(game: Game, position: Position) -> tuple[int, list[tuple[str, Any]]]:
    """Who is asked, and what he may answer."""
    return decider(position), [(action.key, action.value) for action in legal_actions(game, position)]


def passed_on(game: Game, position: Position) -> Position:
    """The game at the next turn; whatever is asked gets its first answer, shuffled piles stay as they are."""
    number = position.table.turn
    while position.table.turn == number and position.phase != "over":
        wanted = shuffle_of(position)
        if wanted is not None:
            position, _ = shuffle(game, position, wanted.cards)
        else:
            position = do(game, position, legal_actions(game, position)[0])
    return position


DUNGEON = Turn("dungeon")
VILLAGE = Turn("village")
REST = Turn("rest")


def child(game: Game, state: Position, choice: Choice) -> tuple[Position, tuple[Event, ...]]:
    """The position after a choice and the events it caused; raises the error of one that is not legal."""
    problem = why_illegal(game, state, choice)
    if problem is not None:
        raise problem
    return play(game, state, choice)
