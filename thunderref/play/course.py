"""The course of a game: how it began and every move since; played on, taken back, written down, taken up again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from thunderref.engine import game as rules
from thunderref.engine.moment import Game
from thunderref.engine.state import Action, Table
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.explain.terms import Event
from thunderref.lookup.switches import Asked, other_readings, values_of
from thunderref.model.saved import FORMAT, SavedBefore, SavedGame, SavedPlayer, SavedStart
from thunderref.play.deal import CHOICE, RESHUFFLE, Deal, deal, shuffled, source
from thunderref.play.notation import Step, action_of, shuffle_step, step_of
from thunderref.play.players import people
from thunderref.play.position import lies, mark
from thunderref.play.random_player import drawn
from thunderref.setup.api import generate_setup
from thunderref.setup.result import Setup
from thunderref.store.catalog import load_book
from thunderref.store.read import Store
from thunderref.words.words import Words

NOBODY = -1
"""The seat of a shuffle: chance decides."""


class Move(NamedTuple):
    """One step of a game: the position before it, who decided (a seat, :data:`NOBODY` for chance), what happened."""

    before: Game
    seat: int
    action: Action | None
    step: Step
    events: tuple[Event, ...]


class Course:
    """A game under way. ``game`` is the position now, ``moves`` what led to it, ``start`` the cards as dealt."""

    def __init__(
        self,
        setup: Setup,
        players: Sequence[SavedPlayer],
        seed: int,
        ruleset: str,
        start: Deal,
        readings: frozenset[str] = frozenset(),
        before: SavedBefore | None = None,
    ) -> None:
        content = setup.content
        self.setup = setup
        self.players = tuple(players)
        self.seed = seed
        self.start = start
        self.before = before
        self.table = Table(
            load_book(setup.store), ruleset, None, content.players, content.variant, content.level or "", readings
        )
        self.game = rules.begin(
            self.table, start.dungeon, start.decks, stacks_of(setup), horde=start.horde, hall=setup.table.hall
        )
        self.moves: list[Move] = []
        told = [player.model_dump() for player in players]
        earlier = None if before is None else before.model_dump()
        terms = json.dumps([setup.code, seed, ruleset, sorted(readings), told, earlier], ensure_ascii=True)
        self.marks = [mark(terms, (), self.game)]
        """Digests of the game at the beginning of each turn, each made with the one before."""
        self.played_on = 0
        """The turn in which the people last said that they play on though nothing changes any more; 0 for never."""
        self._lay = [lies(self.game)]
        self._first = 0
        self._shuffles = 0

    @property
    def over(self) -> bool:
        """True once the game has ended (R7.1)."""
        return self.game.phase == "over"

    @property
    def readings(self) -> dict[str, str]:
        """The open questions answered the other way than by default, with their values."""
        return values_of(self.setup.store, self.table.readings)

    @property
    def decider(self) -> int:
        """The seat of the player who has to decide."""
        return rules.decider(self.game)

    @property
    def still(self) -> int:
        """Turns that have gone by since the cards last lay otherwise (:func:`thunderref.play.position.lies`)."""
        now = self._lay[-1]
        return next((n for n, lay in enumerate(reversed(self._lay)) if lay != now), len(self._lay)) - 1

    def options(self) -> tuple[Action, ...]:
        """The legal actions now; () when the game is over."""
        return rules.legal_actions(self.table, self.game)

    def take(self, action: Action) -> Move:
        """Carries out a legal action."""
        after, events = rules.play(self.table, self.game, action)
        return self._moved(Move(self.game, self.decider, action, step_of(self.game, action), events), after)

    def settle(self) -> Iterator[Move]:
        """Shuffles what has to be shuffled before anybody can go on; each shuffle is drawn from the seed."""
        while (wanted := rules.shuffle_wanted(self.game)) is not None:
            yield self.shuffle(shuffled(wanted.cards, source(self.seed, RESHUFFLE, self._shuffles)))

    def shuffle(self, order: Sequence[str]) -> Move:
        """Carries out the wanted shuffle with this order; ValueError if these are not the cards."""
        wanted = rules.shuffle_wanted(self.game)
        if wanted is None:
            raise ValueError("nothing is to be shuffled")
        after, events = rules.shuffled(self.table, self.game, tuple(order))
        self._shuffles += 1
        return self._moved(Move(self.game, NOBODY, None, shuffle_step(wanted.seat, wanted.what, order), events), after)

    def draw(self) -> Action:
        """What a random player does here: drawn from the seed and the number of moves."""
        return drawn(self.table, self.game, self.options(), source(self.seed, CHOICE, len(self.moves)).fraction)

    def undo(self) -> bool:
        """Takes back the last choice of a person and all that followed; False if there is none."""
        chosen = [n for n, move in enumerate(self.moves) if move.seat != NOBODY and not self.players[move.seat].random]
        if not chosen:
            return False
        self.back_to(chosen[-1])
        return True

    def back_to(self, step: int) -> None:
        """Takes back everything after that many steps."""
        if step >= len(self.moves):
            return
        self.game = self.moves[step].before
        self._shuffles -= sum(move.seat == NOBODY for move in self.moves[step:])
        del self.moves[step:]
        del self.marks[self.game.number :]
        del self._lay[self.game.number :]
        if self.played_on > self.game.number:
            self.played_on = 0
        self._first = next((n for n, move in enumerate(self.moves) if move.before.number == self.game.number), step)

    def _moved(self, move: Move, after: Game) -> Move:
        self.moves.append(move)
        begins = after.number != self.game.number
        self.game = after
        if begins:
            self.marks.append(self.mark())
            self._lay.append(lies(after))
            self._first = len(self.moves)
        return move

    def mark(self) -> str:
        """The digest of the game as it is now."""
        return mark(self.marks[-1], [move.step for move in self.moves[self._first :]], self.game)

    def saved(self, program: str) -> SavedGame:
        """The game as a document; ``program`` is the version that writes it."""
        start = self.start
        return SavedGame(
            format=FORMAT,
            program=program,
            code=self.setup.code,
            seed=self.seed,
            ruleset="yucata" if self.table.ruleset == "yucata" else "print",
            readings=self.readings,
            players=list(self.players),
            before=self.before,
            start=SavedStart(
                dungeon=list(start.dungeon), horde=list(start.horde), decks=[list(deck) for deck in start.decks]
            ),
            steps=[move.step for move in self.moves],
            turns=list(self.marks),
            end=self.mark(),
            played_on=self.played_on,
        )


def stacks_of(setup: Setup) -> tuple[tuple[str, int], ...]:
    """The cards for sale with their copies (R1.6)."""
    kinds = ("basic", "hero", "village")
    return tuple((card, n) for stack in setup.table.stacks if stack.kind in kinds for card, n in stack.cards)


def with_remains(setup: Setup, remains: Sequence[str]) -> Setup:
    """The set-up with the cards left of an earlier dungeon named (R9.3)."""
    return replace(setup, remains=tuple(sorted(Counter(remains).items())))


def begun(
    store: Store,
    players: Sequence[SavedPlayer] | None,
    *,
    seed: int,
    ruleset: str = "print",
    code: str | None = None,
    readings: Asked = (),
    **options: Any,
) -> Course:
    """A new game; ``players`` None for people without names. ``options`` are those of a set-up.

    ``seed`` draws the set-up, unless a code brings it, and everything that is shuffled. ``readings`` answers open
    questions of the rules.

    Raises the errors of :func:`generate_setup`, those of :func:`answers <thunderref.lookup.switches.answers>`, and
    :class:`InputError` for players that are not as many as the set-up is for.
    """
    chosen = other_readings(store, readings)
    if code is None:
        options |= {"seed": seed, "players": None if players is None else len(players)}
    setup = generate_setup(code=code, store=store, **options)
    wanted = setup.content.players
    if players is None:
        players = people(wanted, Words(store, options.get("lang", "en")))
    if len(players) != wanted:
        raise InputError("play-number", players=wanted, n=len(players))
    return Course(setup, players, seed, ruleset, deal(setup, seed), chosen)


def resumed(store: Store, saved: SavedGame, lang: str = "en") -> Course:
    """The game of a document, replayed and checked step by step.

    Raises the error of what is wrong, with the number of the step if it is one: :class:`IllegalStepError` for a play
    the rules forbid, :class:`InputError` for cards or positions that are not those of this game.
    """
    setup = generate_setup(code=saved.code, store=store, lang=lang)
    before = saved.before
    if before is not None:
        _check_before(setup, before)
        setup = with_remains(setup, before.remains)
    if len(saved.players) != setup.content.players:
        raise InputError("play-seats", n=len(saved.players), players=setup.content.players, code=saved.code)
    start = Deal(tuple(saved.start.dungeon), tuple(saved.start.horde), tuple(tuple(deck) for deck in saved.start.decks))
    _check_start(setup, start, deal(setup, saved.seed, before.heroes if before is not None else ()))
    readings = other_readings(store, saved.readings)
    course = Course(setup, saved.players, saved.seed, saved.ruleset, start, readings, before)
    if saved.turns[:1] != course.marks:
        raise InputError("play-order")
    first = 1
    for number, step in enumerate(saved.steps, 1):
        turn = course.game.number
        try:
            _replay(course, step)
        except ThunderrefError as error:
            error.params.setdefault("step", number)
            raise
        if course.game.number != turn:
            _check_turn(course, saved, turn, first, number)
            first = number + 1
    if len(course.marks) != len(saved.turns):
        raise InputError("play-turns", n=len(saved.turns), turns=len(course.marks))
    if course.mark() != saved.end:
        raise InputError("play-changed-end", last=len(saved.steps), turn=course.game.number)
    if saved.played_on > course.game.number:
        raise InputError("bad-value", key="played_on", value=saved.played_on)
    course.played_on = saved.played_on
    return course


def _check_before(setup: Setup, before: SavedBefore) -> None:
    """Raises :class:`InputError` if the set-up is of no later game, or of one with other things left over."""
    later, players = setup.content.later, setup.content.players
    cards = (*before.remains, *(card for heroes in before.heroes for card in heroes))
    fits = (
        later is not None
        and len(before.remains) == later.left
        and len(before.heroes) in (0, players)
        and len(before.scores) in (0, players)
        and all(card in setup.store.cards for card in cards)
    )
    if not fits:
        raise InputError("play-start", part="before", code=setup.code)


def _replay(course: Course, step: Step) -> None:
    wanted = rules.shuffle_wanted(course.game)
    if wanted is not None:
        order = step.get("order")
        if "shuffle" not in step:
            raise IllegalStepError("play-no-shuffle", rule="R2.2")
        if not isinstance(order, list) or step != shuffle_step(wanted.seat, wanted.what, order):
            raise IllegalStepError("play-shuffle", rule="R2.2")
        if not all(isinstance(card, str) for card in order) or tuple(sorted(order)) != tuple(sorted(wanted.cards)):
            raise IllegalStepError("play-shuffle", rule="R2.2")
        course.shuffle(order)
        return
    if course.over:
        raise IllegalStepError("play-over", rule="R7.1")
    if "shuffle" in step:
        raise IllegalStepError("play-shuffle", rule="R2.2")
    course.take(action_of(course.table, course.game, step))


def _check_turn(course: Course, saved: SavedGame, turn: int, first: int, last: int) -> None:
    """Compares the mark of the turn that begins with that of the file; ``turn`` is the one just replayed."""
    if turn < len(saved.turns) and saved.turns[turn] != course.marks[turn]:
        raise InputError("play-changed", turn=turn, first=first, last=last)


def _check_start(setup: Setup, start: Deal, dealt: Deal) -> None:
    """Raises :class:`InputError` if the cards at the start are not those that the set-up lays out."""
    piles = [("dungeon", start.dungeon, dealt.dungeon), ("horde", start.horde, dealt.horde)]
    if len(start.decks) != len(dealt.decks):
        raise InputError("play-start", part="decks", code=setup.code)
    piles += [
        (f"decks {n}", mine, theirs) for n, (mine, theirs) in enumerate(zip(start.decks, dealt.decks, strict=True), 1)
    ]
    for part, mine, theirs in piles:
        if Counter(mine) != Counter(theirs):
            raise InputError("play-start", part=part, code=setup.code)
