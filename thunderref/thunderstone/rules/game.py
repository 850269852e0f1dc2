"""What stays the same while a game is played: the cards, the rules in force; and how tasks are carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.choices import DUNGEON, REST, VILLAGE, Answer, Choice, Decline, Turn
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.position import Foe, Position, Task, Visit, replace, table_of, under_the_deck

Events = list[Event]
Answers = tuple[Answer, ...]
Options = Callable[["Game", Position, Task[Any]], Answers | None]
"""The choices of a task; None or () if it happens by itself."""
Apply = Callable[["Game", Position, Task[Any], Any, Events], Position]
"""Carries a task out that has been taken off the stack; the answer is None if there was nothing to choose (R2.4)."""
Handlers = dict[str, tuple[Options | None, Apply]]


class Normal:
    """A game without a variant."""

    name: ClassVar[str] = "normal"
    marches: ClassVar[bool] = False
    """True if monsters march on the village, so that nobody holds another in the hall (R9.5)."""

    def __init__(self, level: str = "", *, due: bool = False) -> None:
        self.level = level
        self.due = due
        """True in a described scenario if the rank 1 monster must be attacked (R9.6)."""

    def turns(self, game: Game, state: Position) -> tuple[Turn, ...]:
        """The kinds of turn that the active player may take (R2.1)."""
        return VILLAGE, DUNGEON, REST

    def begin_turn(self, game: Game, state: Position, turn: Turn, events: Events) -> Position:
        """The position at the beginning of the turn that the active player chose."""
        table = table_of(state)
        events.append(Event(f"turn.{turn.kind}", "", ("R2.1",), (("seat", table.active), ("number", table.turn))))
        if turn == VILLAGE:
            return replace(state, phase="village", xp=table.seats[table.active].xp, visit=Visit())
        if turn == REST:
            return replace(state, phase="rest", todo=(Task("rest"),))
        return replace(state, phase="prepare")

    def may_attack(self, state: Position, rank: int) -> bool:
        return True

    def waiting(self, state: Position) -> Foe | None:
        return None

    def moved(self, state: Position, foe: Foe) -> Foe:
        return foe

    def retreat(self, state: Position, card: str, events: Events) -> Position:
        events.append(Event("retreats", card, ("R6.1",)))
        return under_the_deck(state, card)

    def after_turn(self, game: Game, state: Position, *, entered: bool) -> tuple[Task[None], ...]:
        """The end of a turn, before the hand is discarded; ``entered`` is True if the player entered the dungeon."""
        return ()

    def end_turn(self, game: Game, state: Position) -> Position:
        """The end of a dungeon turn or a rest; what is due after it happens now unless in a game, where it closes."""
        after = () if state.in_game else self.after_turn(game, state, entered=state.phase != "rest")
        return replace(state, phase="end", todo=(*state.todo, *after))

    def settled(self, foes: tuple[Foe, ...]) -> tuple[Foe, ...]:
        """The hall, or rank 0, at the end of a turn: wounds heal."""
        return tuple([Foe(foe.card) if foe.wounds else foe for foe in foes]) if foes else foes

    def goes_on(self, game: Game, state: Position) -> bool:
        """True if the game continues although a Thunderstone is in rank 1: another is still to come (R7.1, R9.1)."""
        to_come = (*(foe.card for foe in state.hall[1:]), *state.dungeon)
        return any(card in game.cards and game.cards[card].kind == "thunderstone" for card in to_come)


class Game:
    """The cards, the ruleset and the variant in force, the number of players.

    ``readings`` names the open questions answered the other way than by default. In a described
    scenario ``toll`` are the cards of a new hand that guardians take (R6.7), ``hordes`` cards owned and not named.
    """

    def __init__(
        self, cards: Cards, ruleset: str = "print", players: int = 2, variant: Normal | None = None,
        readings: Iterable[str] = (), toll: tuple[str, ...] = (), hordes: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        if ruleset not in ("print", "yucata"):
            raise ValueError(f"{ruleset} is no ruleset")
        self.cards = cards
        self.ruleset = ruleset
        self.any_loss = self.weak_heroes_die = ruleset == "yucata"
        """True if Disease is taken off either sum, at 0 too (R5.6y), and heroes of Strength 0 are destroyed (R6.9y)."""
        self.disease_rule = "R5.6y" if self.any_loss else "R5.6"
        self.players = players
        self.readings = frozenset(readings)
        self.variant = variant or Normal()
        self.toll, self.hordes = toll, hordes
        # the last answers: the same question often comes again; they depend only on the position asked about
        self.last_party: Any = None
        self.last_choices: tuple[Position | None, tuple[Choice, ...]] = (None, ())

    def changed(self, **changes: Any) -> Game:
        """The same game with other cards, or other open questions answered the other way."""
        attributes = ("cards", "ruleset", "players", "variant", "readings", "toll", "hordes")
        return Game(**{name: getattr(self, name) for name in attributes} | changes)


def do_nothing(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
    return state


def void(rule: str = "", key: str = "void") -> Apply:
    """Says that nothing happens, because there is nothing to choose: by default as effects say it (R2.4, R3.1)."""

    def say_so(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
        events.append(Event(key, task.source[0], (rule or ("R2.4" if state.visit is None else "R3.1"),)))
        return state

    return say_so


def on_choice(apply: Apply, otherwise: Apply = do_nothing) -> Apply:
    """Carries out what was chosen; ``otherwise`` happens if there was nothing to choose, or the player declined."""

    def carried_out(game: Game, state: Position, task: Task[Any], choice: Any, events: Events) -> Position:
        if choice is None or isinstance(choice, Decline):
            return otherwise(game, state, task, None, events)
        return apply(game, state, task, choice, events)

    return carried_out
