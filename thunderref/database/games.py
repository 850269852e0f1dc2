"""The games the referee knows; nothing heavy is imported here, because every look-up uses it."""

from __future__ import annotations

from typing import Literal, get_args

Game = Literal["thunderstone", "thorgal"]
"""A game by its id."""
GAMES: tuple[Game, ...] = get_args(Game)
"""All games; rule ids are unique among them, by their first letter (:data:`LETTERS`)."""
FIRST_GAME: Game = "thunderstone"
"""The game that has cards, and the default game."""
FOREIGN = "foreign"
"""What players' questions are about that no game answers."""
LETTERS: dict[Game, str] = {"thunderstone": "R", "thorgal": "T"}
"""Game -> the letter its rule ids begin with."""


def game_of_rule(rule: str) -> Game:
    """The game of a rule id, by its letter; KeyError for an id of no game."""
    return {letter: game for game, letter in LETTERS.items()}[rule[:1]]
