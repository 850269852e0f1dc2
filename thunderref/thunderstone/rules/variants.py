"""The variants as rule objects: each overrides what it changes of a normal game (R9)."""

from __future__ import annotations

from typing import ClassVar

from thunderref.database.card_records import RANKS
from thunderref.thunderstone.rules import hall
from thunderref.thunderstone.rules.choices import DUNGEON, PENALTY, Turn
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events, Game, Handlers, Normal
from thunderref.thunderstone.rules.hall import NOBODY
from thunderref.thunderstone.rules.position import UNKNOWN, Foe, Position, Task, replace, table_of


class Epic(Normal):
    """Two Thunderstones, neither come up yet and one of them not known where: the first ends no game (R9.1)."""

    name: ClassVar[str] = "epic"

    def goes_on(self, game: Game, state: Position) -> bool:
        return True


class Solo(Normal):
    """Alone against monsters that march on the village; ``level`` is normal, fighter or nightmare (R9.5)."""

    name: ClassVar[str] = "solo"
    marches: ClassVar[bool] = True
    worthy_xp: ClassVar[int] = 2  # XP of a monster whose defeat earns a rest at the level of a fighter

    def retreat(self, state: Position, card: str, events: Events) -> Position:
        table = state.table
        events.append(Event("monster-escapes", card, ("R9.5",)))
        return state if table is None else replace(state, table=replace(table, lost=(*table.lost, card)))

    def after_turn(self, game: Game, state: Position, *, entered: bool) -> tuple[Task[None], ...]:
        """The monsters march unless a rest was earned, or a battle took one away; an unbeaten guardian stays (R6.8)."""
        battle, earned = state.battle, Task[None]("rest-earned")
        thinned = battle is not None and (state.victory or not hall.must_be_defeated(game, battle.foe))
        quiet = state.table is not None and state.table.respite
        return (earned,) if quiet or thinned else (Task("march"), earned)


class Marauding(Normal):
    """Monsters at rank 1 that wait too long have to be fought, or taken as penalty cards (R9.6)."""

    name: ClassVar[str] = "marauding"

    def turns(self, game: Game, state: Position) -> tuple[Turn, ...]:
        """Where the monster has waited long enough: fight it, or take it as a penalty card."""
        return (DUNGEON, PENALTY) if self._is_due(game, state) else super().turns(game, state)

    def _is_due(self, game: Game, state: Position) -> bool:
        return bool(state.hall[0].card) and state.hall[0].tokens >= game.players

    def begin_turn(self, game: Game, state: Position, turn: Turn, events: Events) -> Position:
        """A penalty card is taken before the turn is chosen anew; who enters must attack the waiting monster."""
        if turn == PENALTY:
            return _penalty(game, state, Task("penalty"), None, events)
        due = self._is_due(game, state)
        state = super().begin_turn(game, state, turn, events)
        return replace(state, table=replace(table_of(state), due=True)) if due else state

    def may_attack(self, state: Position, rank: int) -> bool:
        """Only the waiting monster may be attacked; a player who cannot may leave, and takes it as a penalty card."""
        waiting = self.waiting(state)
        return waiting is None or (rank > 0 and state.hall[rank - 1] == waiting)

    def waiting(self, state: Position) -> Foe | None:
        """The monster that must be attacked, wherever in the hall it was moved to; None once it has left."""
        table = state.table
        due = self.due if table is None or table.described else table.due
        return next((foe for foe in state.hall if foe.tokens), None) if due else None

    def moved(self, state: Position, foe: Foe) -> Foe:
        """A monster moved off rank 1 waits anew, unless it must be attacked this turn."""
        return foe if not foe.tokens or self.waiting(state) is not None else replace(foe, tokens=0)

    def after_turn(self, game: Game, state: Position, *, entered: bool) -> tuple[Task[None], ...]:
        """Nobody entered the dungeon: the monster at rank 1 gets a token; one still waiting is a penalty card."""
        table = state.table
        if self._is_due(game, state):
            return (Task("penalty"),) if (table.due if state.in_game and table is not None else self.due) else ()
        return () if entered or (table is not None and table.fined) else (Task("token"),)

    def settled(self, foes: tuple[Foe, ...]) -> tuple[Foe, ...]:
        """Only the monster at rank 1 keeps its tokens."""
        return tuple([Foe(foe.card, 0, 0 if place else foe.tokens) for place, foe in enumerate(foes)])


def variant_of(name: str, level: str = "", *, due: bool = False, hidden: bool = False) -> Normal:
    """The rules of a variant that changes how a game is played; of a normal game, if it only changes the set-up.

    ``hidden``: of an epic game not both stones are known.
    """
    kinds: tuple[type[Normal], ...] = (Solo, Marauding, *((Epic,) if hidden else ()))
    return {variant.name: variant for variant in kinds}.get(name, Normal)(level, due=due)


def _rest_earned(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    battle, level = state.battle, game.variant.level
    won = battle is not None and bool(state.victory) and level != "nightmare"
    worthy = battle is None or level != "fighter" or game.cards[battle.foe.card].xp >= Solo.worthy_xp
    if not state.in_game:
        events += [Event("rest-earned", "", ("R9.5",))] if won and worthy else []
        return state
    return replace(state, table=replace(table_of(state), respite=won and worthy))


def _march(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """Puts the next monster at rank 3 and pushes the others on; the first of a full hall escapes.

    Where no monster is left in the dungeon deck nothing pushes them; the traps in it are turned up.
    """
    if state.dungeon_ends and all(card != UNKNOWN and game.cards[card].kind == "trap" for card in state.dungeon):
        state, trap = hall.next_at(game, state, RANKS, events) if state.dungeon else (state, None)
        return state if trap is None else replace(state, todo=(trap, task, *state.todo))
    first, *behind = state.hall
    gap = next((place for place in (2, 1, 0) if not state.hall[place].card), None)
    if gap is None:
        state = game.variant.retreat(state, first.card, events)
        ranks = [*behind, NOBODY]
    else:
        ranks = [*state.hall[:gap], *state.hall[gap + 1 :], NOBODY]
    on = Task("march-on", data=bool(ranks[0].card) and ranks[0] is not first)
    return _march_on(game, replace(state, hall=tuple(ranks)), on, None, events)


def _march_on(game: Game, state: Position, task: Task[bool], choice: None, events: Events) -> Position:
    state, trap = hall.next_at(game, state, RANKS, events)
    if trap is not None:
        return replace(state, todo=(trap, task, *state.todo))
    return replace(state, todo=(Task("arrive"), *state.todo)) if task.data else state


def _token(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    foe = state.hall[0]
    if not hall.is_monster(game, foe):
        return state
    events.append(Event("token", foe.card, ("R9.6",), (("n", foe.tokens + 1),)))
    return replace(state, hall=(replace(foe, tokens=foe.tokens + 1), *state.hall[1:]))


def _penalty(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """The active player takes the monster at rank 1 as a penalty card; the hall is refilled."""
    foe, seat = state.hall[0], 0 if state.table is None else state.table.active
    events.append(Event("penalty", foe.card, ("R9.6",), (("seat", seat),)))
    if not state.in_game:
        return hall.turn_up(game, hall.take_out(state, 1), events)
    table = table_of(state)
    penalties = (*table.seats[table.active].penalties, foe.card)
    table = replace(table.with_seat(table.active, penalties=penalties), due=False, fined=True)
    return hall.turn_up(game, replace(hall.take_out(state, 1), table=table), events)


VARIANT_HANDLERS: Handlers = {
    "rest-earned": (None, _rest_earned),
    "march": (None, _march),
    "march-on": (None, _march_on),
    "token": (None, _token),
    "penalty": (None, _penalty),
}
