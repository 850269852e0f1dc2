"""A whole game between bots, from a set-up or a dealt position to its end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from thunderref.errors import NoAnswerError
from thunderref.thunderstone.bots.bot import Bot, bot_name, decide
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules import turns
from thunderref.thunderstone.rules.choices import Choice
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import Position, decider, table_of
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table.ending import PATIENCE, is_stuck
from thunderref.thunderstone.table.record import (
    CHOICE,
    RESHUFFLE,
    Opening,
    deal,
    have_moved,
    open_game,
    shuffle_cards,
    source,
)

ROUNDS, CHOICES = 400, 1000
"""After how many rounds a game is called off, and the most that one player may choose in one turn."""
COUNTED = frozenset(("victory", "purchased", "bought", "levelled"))
CalledOff = Literal["", "endless", "standstill", "rounds"]
"""Why a game ended before its end: proven never to end, nothing changed for long, too many rounds; "" if it ended."""


class SeatPlayed(NamedTuple):
    """The result of the player at a seat: the bot's name, victory points, monsters defeated, the first round of that.

    ``share`` is 1 for the winner, a part of it for a shared victory, 0 for the others and in a game called off.
    ``took`` are the cards taken from the village, each once.
    """

    bot: str
    vp: int
    share: float
    victories: int
    first_victory: int | None
    stone: bool
    took: tuple[str, ...]


class PlayedGame(NamedTuple):
    """A game that was played: whether it ended or why it was called off, its length, and what came of each seat.

    ``choices`` counts what was decided, single choices included; ``first`` is the place among the ``seats`` of the one
    who began, ``first_victory`` a round.
    """

    called_off: CalledOff
    rounds: int
    turns: int
    choices: int
    seats: tuple[SeatPlayed, ...]
    first: int = 0

    @property
    def victories(self) -> int:
        return sum(seat.victories for seat in self.seats)

    @property
    def first_victory(self) -> int | None:
        return min((seat.first_victory for seat in self.seats if seat.first_victory is not None), default=None)


def play_game(opening: Setup | Opening, bots: Sequence[Bot], seed: int) -> PlayedGame:
    """Plays a game to its end: bots sit in the order given, the first begins.

    ``seed`` (any whole number from 0) deals a set-up, shuffles, and is the chance of bots: the same opening, bots and
    seed give the same game. ValueError if there are not as many bots as players. Raises :class:`NoAnswerError` for a
    bot that raises, chooses what is not legal, or does not end its turn.
    """
    if isinstance(opening, Setup):
        opening = open_game(opening, deal(opening, seed))
    if len(table_of(opening.position).seats) != len(bots):
        raise ValueError("there are not as many bots as players")
    return Run(opening, bots, seed).play()


class Run:
    """A game under way."""

    def __init__(self, opening: Opening, bots: Sequence[Bot], seed: int) -> None:
        self.game, self.position = opening
        self.bots = bots
        self.seed = seed
        self.choices = self.shuffles = 0
        self.turn = self.round = self.begun = self.changed = 0
        self.placed = self.position
        self.memories: list[dict[str, Any]] = [{} for _ in bots]
        self.happened: list[tuple[int, int, Event]] = []
        """What seats do is counted by: the active seat, the round, the event."""

    def play(self) -> PlayedGame:
        called_off: CalledOff = ""
        while not called_off:
            if due := shuffle_of(self.position):
                order = shuffle_cards(due.cards, source(self.seed, RESHUFFLE, self.shuffles))
                self.shuffles += 1
                self._go_on(turns.shuffle(self.game, self.position, order))
                continue
            options = legal_actions(self.game, self.position)
            if not options:
                break
            if table_of(self.position).turn != self.turn:
                called_off = self._next_turn()
            if not called_off:
                choice = options[0] if len(options) == 1 else self.ask_bot(options)
                self.choices += 1
                self._go_on(play(self.game, self.position, choice))
        standings, best = turns.result(self.game, self.position)
        seats: list[SeatPlayed] = []
        for seat, (bot, standing) in enumerate(zip(self.bots, standings, strict=True)):
            mine = [(number, event) for who, number, event in self.happened if who == seat]
            won = [number for number, event in mine if event.key == "victory"]
            took = {dict(event.params).get("to_card", event.card) for _, event in mine if event.key != "victory"}
            share = 0.0 if called_off or seat not in best else 1 / len(best)
            first, cards = min(won, default=None), tuple(sorted(took))
            seats.append(SeatPlayed(bot_name(bot), standing.vp, share, len(won), first, standing.stone, cards))
        return PlayedGame(called_off, self.round, max(self.turn, 1), self.choices, tuple(seats))

    def _next_turn(self) -> CalledOff:
        self.turn, self.begun = table_of(self.position).turn, self.choices
        self.round = (self.turn - 1) // len(self.bots) + 1
        if have_moved(self.placed, self.position):
            self.placed, self.changed = self.position, self.turn
            if is_stuck(self.game, self.position):  # a long proof, and always the same until something changes
                return "endless"
        if self._still() >= PATIENCE:
            return "standstill"
        return "rounds" if self.round > ROUNDS else ""

    def _still(self) -> int:
        return (self.turn - max(self.changed, 1)) // len(self.bots)

    def ask_bot(self, options: Sequence[Choice]) -> Choice:
        seat, number = decider(self.position), self.choices
        bot = self.bots[seat]
        if number - self.begun >= CHOICES:
            raise NoAnswerError("bot-endless", bot=bot_name(bot), turn=self.turn, n=CHOICES)
        chance = partial(source, self.seed, CHOICE, number)
        return decide(bot, View(self.game, self.position, chance, self._still(), self.memories[seat]), options)

    def _go_on(self, after: tuple[Position, Sequence[Event]]) -> None:
        seat = table_of(self.position).active
        self.position, events = after
        self.happened += [(seat, self.round, event) for event in events if event.key in COUNTED]
