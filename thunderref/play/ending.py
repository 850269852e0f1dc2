"""The end of a game: the score of every player, how a solo game turned out, and games that can never end.

The rules have an end that need not come: a guardian in rank 0 may destroy every card of every player, and where nothing
in the hall may be attacked or moved (Steam Torment, R6.8; the bars of R5.1) nobody can then do anything that changes
anything. :func:`stuck` proves that of a position by looking at all that can follow; such a game is called off.
"""

from __future__ import annotations

from typing import NamedTuple

from thunderref.engine import game as rules
from thunderref.engine.game import Game
from thunderref.engine.places import decks
from thunderref.engine.state import Table
from thunderref.model.visit import ScoreResult
from thunderref.play.course import Course
from thunderref.solve.final_score import final_score
from thunderref.words.words import Words


class Solo(NamedTuple):
    """How a game against the monsters ended (R9.5): own victory points, theirs, and who won."""

    vp: int
    monsters: int
    won: bool


def final(course: Course, words: Words) -> ScoreResult:
    """The score of the players' decks with their penalty cards (R7.2, R7.3, R9.6)."""
    seats = course.game.world.seats
    cards = {player.name: list(deck) for player, deck in zip(course.players, decks(course.game), strict=True)}
    penalties = {p.name: len(s.penalties) for p, s in zip(course.players, seats, strict=True) if s.penalties}
    return final_score({"players": cards, "penalties": penalties}, words=words, store=course.setup.store)


def solo_result(course: Course) -> Solo | None:
    """The outcome of a solo game; None for a game of several players."""
    if course.setup.content.variant != "solo":
        return None
    from thunderref.engine.places import standings

    mine = standings(course.table, course.game)[0].vp
    theirs = sum(course.table.book[card].vp or 0 for card in course.game.world.lost)
    return Solo(mine, theirs, mine > theirs)


MOST_POSITIONS = 2000
"""Positions without any cards of the players that are looked at; there are never nearly as many."""


def stuck(table: Table, game: Game) -> bool:
    """True if the players own no cards and nothing they can do ever changes that or ends the game."""
    seats = (game.seat(number) for number in range(len(game.world.seats)))
    if game.phase != "choose" or any(seat.hand or seat.deck or seat.discard for seat in seats):
        return False
    seen = {game._replace(number=0)}
    waiting = [*seen]
    while waiting:
        here = waiting.pop()
        if len(seen) > MOST_POSITIONS or rules.shuffle_wanted(here) is not None or here.phase == "over":
            return False
        for action in rules.legal_actions(table, here):
            after = rules.play(table, here, action)[0]._replace(number=0)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True
