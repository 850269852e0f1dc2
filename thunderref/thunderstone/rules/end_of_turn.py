"""The end of a turn: everything is discarded, six cards are drawn, the next player begins (R2.1); the rest too."""

from __future__ import annotations

from collections.abc import Sequence

from thunderref.database.operations import Toll
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.choices import DECLINE, Pick
from thunderref.thunderstone.rules.draws import DRAW_UP
from thunderref.thunderstone.rules.effects.preparation import destroy_chosen
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events, Game, Handlers, on_choice
from thunderref.thunderstone.rules.hand import all_slots, destroy_card, in_play, return_card, to_slots
from thunderref.thunderstone.rules.position import AnyTask, Position, Seat, Table, Task, replace, table_of, without

HAND = 6  # cards drawn at the end of a turn (R2.1)
Pile = tuple[str, ...]


def open_turn(state: Position, table: Table, seats: Sequence[Seat], seat: int, turn: int) -> Position:
    """The beginning of the turn of the player at ``seat``; ``seats`` are everybody's cards, hall and dungeon stay."""
    mine = seats[seat]
    seated = (*seats[:seat], Seat(xp=mine.xp, penalties=mine.penalties), *seats[seat + 1 :])
    table = replace(table, active=seat, seats=seated, turn=turn, due=False, fined=False, shown=(), lent=(), hunted=())
    return Position(
        "choose", to_slots(mine.hand), state.hall, state.rank0, mine.deck, state.dungeon, pile=mine.discard,
        stacks=state.stacks, table=table,
    )  # fmt: skip


def seat_of(state: Position, seat: int) -> Seat:
    """The cards a player owns at this moment, whether active or not; borrowed and conjured cards left out."""
    table = table_of(state)
    if seat != table.active:
        return table.seats[seat]
    hand = tuple([slot.card for slot in all_slots(state) if not slot.flags & (position.THROWN | position.FLEETING)])
    for (card, _), _owner in table.lent:
        hand = without(hand, card)
    mine = table.seats[seat]
    return Seat(hand, state.deck, state.discard_pile, state.xp if state.visit else mine.xp, mine.penalties)


def seats_of(state: Position) -> tuple[Seat, ...]:
    """The cards each player owns at this moment (:func:`seat_of`)."""
    return tuple(seat_of(state, number) for number in range(len(table_of(state).seats)))


def give_back(state: Position) -> Position:
    """The position without cards that were only lent: conjured ones are destroyed, borrowed ones go to their owners."""
    for slot in all_slots(state):
        if not slot.flags or not slot.flags & (position.FLEETING | position.BORROWED) or not in_play(slot):
            continue
        state = destroy_card(state, slot.ref) if slot.flags & position.FLEETING else return_card(state, slot)
    return state


def close(game: Game, state: Position, events: Events) -> Position:
    """The position in which the turn is over, its XP are paid, and its end is to be carried out."""
    visited, table = state.visit is not None, table_of(state)
    entered = state.phase == "end" and not visited
    if state.visit is not None:
        table = table.with_seat(table.active, xp=state.xp)
        state = replace(state, gone=(), visit=None, table=table, xp=0)
    elif state.xp:
        table = table.with_seat(table.active, xp=table.seats[table.active].xp + state.xp)
        state = replace(state, table=table, xp=0)
    if state.ended:
        return replace(state, phase="over")
    before = game.variant.after_turn(game, state, entered=entered)
    tidy: Task[None] = Task("tidy")
    if not before:
        return _tidy(game, state, tidy, None, events)
    hand = tuple([position.Slot(*slot.ref) for slot in state.hand]) if visited else state.hand  # its uses are over
    return replace(state, phase="close", hand=hand, todo=(*before, tidy))


def _tidy(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    """What acts on the new hand of six cards comes before the next player's turn."""
    state = give_back(state)
    table = table_of(state)
    if state.destroyed:
        table = table.without([card for card, _ in state.destroyed])
    pile = (*state.discard_pile, *[slot.card for slot in all_slots(state) if not slot.flags & position.THROWN])
    drawn, deck = state.deck[:HAND], state.deck[HAND:]
    lacking = HAND - len(drawn)
    n = min(HAND, len(drawn) + len(pile))
    rules = ("R2.1",) if n == HAND else ("R2.1", "R2.2")
    events.append(Event("turn-ends", "", rules, (("n", n), ("seat", table.active))))
    hall, rank0 = game.variant.settled(state.hall), game.variant.settled(state.rank0)
    dues = [(foe.card, op.amount) for foe in rank0 for op in game.cards[foe.card].breach if isinstance(op, Toll)]
    if not dues and not lacking:
        return _pass_on(replace(state, hall=hall, rank0=rank0), table, drawn, deck, pile)
    todo: list[AnyTask] = [Task(DRAW_UP, data=lacking)] if lacking else []
    todo += [Task("toll", (card, 1)) for card, amount in dues for _ in range(amount)]
    todo.append(Task("next-player"))
    hand = to_slots(drawn)
    return Position(
        "close", hand, hall, rank0, deck, state.dungeon, todo=tuple(todo), pile=pile, stacks=state.stacks, table=table
    )


def _next(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    mine = seat_of(state, table_of(state).active)
    table = table_of(state).without([card for card, _ in state.destroyed])
    return _pass_on(state, table, mine.hand, mine.deck, mine.discard)


def _pass_on(state: Position, table: Table, hand: Pile, deck: Pile, discard: Pile) -> Position:
    seats, active = [*table.seats], table.active
    seats[active] = replace(seats[active], hand=hand, deck=deck, discard=discard)
    return open_turn(state, table, seats, (active + 1) % len(seats), table.turn + 1)


def _different(game: Game, state: Position, task: Task[None]) -> tuple[Pick, ...]:
    picks = {slot.card: Pick("destroy", slot.ref) for slot in reversed(state.hand)}
    return tuple(picks[card] for card in sorted(picks))


def _idle(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    events += [] if state.in_game else [Event("rested-idle", "", ("R2.3",))]
    return state


def _destroy_at_rest(game: Game, state: Position, task: Task[None], choice: Pick, events: Events) -> Position:
    events.append(Event("rested", choice.value[0], ("R2.3",)))
    return destroy_card(state, choice.value)


END_OF_TURN_HANDLERS: Handlers = {
    "tidy": (None, _tidy),
    "next-player": (None, _next),
    "toll": (_different, on_choice(destroy_chosen)),
    "rest": (lambda game, state, task: (DECLINE, *_different(game, state, task)), on_choice(_destroy_at_rest, _idle)),
}
