"""The end of a game: the score of every player, how a solo game turned out, and games that can never end.

A guardian in rank 0 may destroy every card. If then the monsters in front of the Thunderstone may not be attacked or
moved (Steam Torment, R6.8; Blink Dog without Light, R5.1), nobody can bring the end nearer. :func:`is_stuck` proves
that; such a game is called off. Without a proof, people are asked and random players stop (:func:`at_a_standstill`).
"""

from __future__ import annotations

from typing import NamedTuple

from thunderref.text.language import Language
from thunderref.thunderstone.resolve.final_score import final_score
from thunderref.thunderstone.resolve.result import ScoreResult
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.end_of_turn import seat_of
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import DISEASE, Position, replace, table_of
from thunderref.thunderstone.rules.turns import decks, lost_points, shuffle, standings
from thunderref.thunderstone.table.record import GameRecord

ASKED, PATIENCE = 5, 25
"""Rounds without any change after which people are asked whether to go on, and after which random players stop."""
MOST_POSITIONS = 20_000
"""Positions without any cards of the players tried at most; the most any game has had is about 5,000."""


class SoloResult(NamedTuple):
    """How a game against the monsters ended (R9.5), in victory points."""

    vp: int
    monsters: int
    won: bool


def final(record: GameRecord, words: Language) -> ScoreResult:
    """The score with penalty cards (R7.2, R7.3, R9.6); a solo player wins against the monsters or not at all (R9.5)."""
    seats = table_of(record.position).seats
    cards = {player.name: list(deck) for player, deck in zip(record.players, decks(record.position), strict=True)}
    penalties = {p.name: len(s.penalties) for p, s in zip(record.players, seats, strict=True) if s.penalties}
    score = final_score({"players": cards, "penalties": penalties}, words=words)
    alone = solo_result(record)
    if alone is not None and not (record.over and alone.won):
        return replace(score, winners=[])
    return score


def solo_result(record: GameRecord) -> SoloResult | None:
    """The outcome of a solo game; None for a game of several players."""
    if record.setup.content.variant != "solo":
        return None
    mine = standings(record.game, record.position)[0].vp
    theirs = lost_points(record.game, record.position)
    return SoloResult(mine, theirs, mine > theirs)


def at_a_standstill(record: GameRecord, rounds: int = PATIENCE) -> bool:
    """True at the beginning of a turn if no card has changed its place for ``rounds`` rounds."""
    position = record.position
    return position.phase == "choose" and not position.todo and record.still >= rounds * len(record.players)


def is_stuck(game: Game, position: Position) -> bool:
    """True if the players own only Disease and nothing they can do ever changes that or ends the game.

    Disease is left out of the positions: it gives nothing and pays for nothing (R0.5). Then they are finitely many:
    only the order of the monsters under the dungeon deck can change.
    """
    if position.phase != "choose" or position.todo or not _destitute(position):
        return False
    seen = {_without_disease(position)}
    waiting = [*seen]
    while waiting:
        here = waiting.pop()
        for action in legal_actions(game, here):
            after = play(game, here, action)[0]
            while (wanted := shuffle_of(after)) is not None:
                if len({*wanted.cards}) > 1:  # unknown cards; there are none in a game
                    return False
                after = shuffle(game, after, wanted.cards)[0]
            if after.phase == "choose" and not after.todo:
                if not _destitute(after):
                    return False
                after = _without_disease(after)
            if after.phase == "over" or len(seen) > MOST_POSITIONS:
                return False
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return True


def _destitute(position: Position) -> bool:
    seats = range(len(table_of(position).seats))
    return all(card == DISEASE for number in seats for card in seat_of(position, number).cards)


def _without_disease(position: Position) -> Position:
    table = table_of(position)
    seats = tuple(replace(seat, hand=(), deck=(), discard=()) for seat in table.seats)
    table = replace(table, seats=seats, removed=(), turn=0)
    return replace(position, hand=(), deck=(), pile=(), table=table)
