"""The end of a game: the score of every player, how a solo game turned out, and games that can never end.

The rules have an end that need not come: a guardian in rank 0 may destroy every card of every player, and where those
in front of the Thunderstone may not be attacked or moved (Steam Torment, R6.8; Blink Dog without Light, R5.1) nobody
can then do anything that brings it nearer. :func:`stuck` proves that of a position by looking at all that can follow;
such a game is called off.

Where players own cards there is mostly no such proof, for some deck might still beat the monster that holds the hall.
For that there is no rule of the game but one of this program: when nothing has changed for some rounds
(:func:`at_a_standstill`), people are asked whether they go on, and random players stop.
"""

from __future__ import annotations

from typing import NamedTuple

from thunderref.engine import game as rules
from thunderref.engine.moment import Game
from thunderref.engine.places import decks, lost_points, standings
from thunderref.engine.state import Table
from thunderref.engine.values import replace
from thunderref.engine.world import DISEASE
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
    """The score of the players' decks with their penalty cards (R7.2, R7.3, R9.6).

    Alone one wins against the monsters or not at all (R9.5).
    """
    seats = course.game.world.seats
    cards = {player.name: list(deck) for player, deck in zip(course.players, decks(course.game), strict=True)}
    penalties = {p.name: len(s.penalties) for p, s in zip(course.players, seats, strict=True) if s.penalties}
    score = final_score({"players": cards, "penalties": penalties}, words=words, store=course.setup.store)
    alone = solo_result(course)
    if alone is not None and not (course.over and alone.won):
        return score.model_copy(update={"winners": []})
    return score


def solo_result(course: Course) -> Solo | None:
    """The outcome of a solo game; None for a game of several players."""
    if course.setup.content.variant != "solo":
        return None
    mine = standings(course.table, course.game)[0].vp
    theirs = lost_points(course.table, course.game)
    return Solo(mine, theirs, mine > theirs)


ASKED, PATIENCE = 5, 25
"""Rounds without any change after which people are asked whether they go on, and after which random players stop."""


def at_a_standstill(course: Course, rounds: int = PATIENCE) -> bool:
    """True at the beginning of a turn if no card has changed its place for so many rounds.

    Of a player's own cards only what he owns matters, and Disease, XP and gold not at all.
    """
    game = course.game
    return game.phase == "choose" and not game.state.todo and course.still >= rounds * len(course.players)


MOST_POSITIONS = 20_000
"""Positions without any cards of the players that are looked at; the most that a game has come to is about 5,000."""


def stuck(table: Table, game: Game) -> bool:
    """True if the players own no cards but Disease and nothing they can do ever changes that or ends the game.

    Disease is left out of the positions that are looked at: it gives nothing and pays for nothing (R0.5), so whoever
    holds some can do just what he can do without. Then the positions are finitely many, for all that is left to change
    is in which order the monsters that are let go lie in the dungeon deck.
    """
    if game.phase != "choose" or game.state.todo or not _destitute(game):
        return False
    seen = {_without_disease(game)}
    waiting = [*seen]
    while waiting:
        here = waiting.pop()
        for action in rules.legal_actions(table, here):
            after = rules.play(table, here, action)[0]
            while (wanted := rules.shuffle_wanted(after)) is not None:
                if len({*wanted.cards}) > 1:  # nobody knows what comes; there are no such cards
                    return False
                after = rules.shuffled(table, after, wanted.cards)[0]
            if after.phase == "choose" and not after.state.todo:
                if not _destitute(after):
                    return False
                after = _without_disease(after)
            if after.phase == "over" or len(seen) > MOST_POSITIONS:
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True


def _destitute(game: Game) -> bool:
    """True if no player owns a card other than Disease."""
    return all(card == DISEASE for number in range(len(game.world.seats)) for card in game.seat(number).cards)


def _without_disease(game: Game) -> Game:
    """The beginning of a turn of players who own nothing but Disease, without it."""
    world = game.world
    seats = tuple(replace(seat, hand=(), deck=(), discard=()) for seat in world.seats)
    state = replace(game.state, hand=(), deck=(), pile=(), world=replace(world, seats=seats, removed=()))
    return replace(game, turn=state, number=0)
