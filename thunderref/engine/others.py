"""What the other players lose, show and turn up, as far as a game knows their cards (R4.7, R5.2, R6.6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from thunderref.engine.chance import TURN_UP
from thunderref.engine.state import State, Table, Task
from thunderref.engine.tasks import Choice, handler
from thunderref.engine.values import replace
from thunderref.engine.world import For, World, less
from thunderref.explain.terms import Event
from thunderref.model.effect import Select


def world_of(state: State) -> World:
    """The table of a game; ValueError for a described scenario."""
    if state.world is None:
        raise ValueError("this is no game")
    return state.world


def matching(table: Table, cards: Iterable[str], select: Select) -> list[str]:
    """The different cards that match, in order."""
    return sorted({card for card in cards if table.book[card].matches(select)})


def has(table: Table, card: str, op: str) -> bool:
    """True if the card has an operation of this name that is always on."""
    return any(operation.op == op for operation in table.book[card].passive)


def out_of_hand(state: State, seat: int, card: str, *, destroyed: bool) -> State:
    """A card leaves the hand of another player: out of the game, or to his discard pile."""
    world = world_of(state)
    player = world.seats[seat]
    hand = less(player.hand, card)
    if destroyed:
        return replace(state, world=world.with_seat(seat, hand=hand).without((card,)))
    return replace(state, world=world.with_seat(seat, hand=hand, discard=(*player.discard, card)))


def onto_the_pile(state: State, seat: int, cards: Iterable[str]) -> State:
    """Cards go to the discard pile of a player, the active one or another."""
    world = world_of(state)
    if seat == world.active:
        return replace(state, pile=(*state.pile, *cards))
    return replace(state, world=world.with_seat(seat, discard=(*world.seats[seat].discard, *cards)))


def by_will(state: State, task: Task, choices: tuple[Choice, ...], events: list[Event]) -> Choice | None:
    """What another player of a described scenario chooses: what he likes best, else the first; None in a game.

    A choice that nobody named is an assumption, which the result says.
    """
    world = state.world
    if world is None or not world.described or not isinstance(task.data, For) or task.data.seat == world.active:
        return None
    mine = [will for will in world.wills if will[0] == task.data.seat and will[2] in ("", task.source[0])]
    named = [card for _, card, source in mine if source]
    liked = [*named, *(card for _, card, source in mine if not source)]
    found = min(choices, key=lambda choice: liked.index(choice[1]) if choice[1] in liked else len(liked))
    if len(choices) > 1 and found[1] not in named:
        events.append(Event("assumed", found[1], ("R4.7",), (("seat", task.data.seat), ("by_card", task.source[0]))))
    return found


def rule_against_others(table: Table, by: str) -> str:
    """The rule by which a card asks something of players: as a trap or a breach, as spoils, or as a player's own."""
    spec = table.book[by]
    if spec.kind == "trap" or spec.breach:
        return "R6.6"
    return "R6.4" if spec.is_monster else "R4.7"


# discards (R4.7)


def _discard_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    seat, (select, _, instead) = task.data
    hand = world_of(state).seats[seat].hand
    alone = matching(table, hand, instead) if instead is not None else []
    return (
        *(("alone", card) for card in alone),
        *(("discard", card) for card in matching(table, hand, select)),
    )


@handler("other-discards", _discard_options)
def _discards(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Another player discards cards of his choice, or shows that he has none."""
    seat, (select, amount, _) = task.data
    by = task.source[0]
    rules = (rule_against_others(table, by),)
    if choice is None:
        events.append(Event("other-has-none", by, rules, (("seat", seat),)))
        return state
    card = choice[1]
    state = out_of_hand(state, seat, card, destroyed=False)
    if has(table, card, "return-to-hand") and not table.book[by].is_monster:
        events.append(Event("other-keeps", card, rules, (("seat", seat), ("by_card", by))))
        state = replace(state, todo=(Task("other-takes-back", task.source, For(seat, card)), *state.todo))
    else:
        events.append(Event("other-discards", card, rules, (("seat", seat), ("by_card", by))))
        world = world_of(state)
        state = replace(state, world=replace(world, shown=(*world.shown, (seat, card))))
    if choice[0] == "alone" or amount <= 1:
        return state
    again = replace(task, data=For(seat, (select, amount - 1, None)))
    return replace(state, todo=(again, *state.todo))


@handler("other-takes-back")
def _takes_back(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """What comes back to the hand does so when all is discarded: it cannot be two of the cards (R4.7)."""
    seat, card = task.data
    world = world_of(state)
    player = world.seats[seat]
    world = world.with_seat(seat, hand=(*player.hand, card), discard=less(player.discard, card))
    return replace(state, world=world)


# what others destroy


def _destroy_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    seat, select = task.data
    return tuple(("destroy", card) for card in matching(table, world_of(state).seats[seat].hand, select))


@handler("other-destroys", _destroy_options)
def _destroys(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    return other_loses(state, task.data.seat, choice[1], task.source[0], events, "R5.2")


def other_loses(state: State, seat: int, card: str, by: str, events: list[Event], rule: str) -> State:
    """A card in the hand of another player is destroyed."""
    events.append(Event("other-loses", card, (rule,), (("seat", seat), ("by_card", by))))
    return out_of_hand(state, seat, card, destroyed=True)


# cards turned up off a deck


@handler(TURN_UP)
def _turn_up(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The top card of a deck lies open; nothing happens if there is none (an empty deck is shuffled anew before)."""
    seat, world = task.data.seat, world_of(state)
    deck = state.deck if seat == world.active else world.seats[seat].deck
    if not deck:
        return state
    by = task.source[0]
    rules = (rule_against_others(table, by),)
    events.append(Event("turned-off-deck", deck[0], rules, (("seat", seat), ("by_card", by))))
    world = replace(world, open=(*world.open, (seat, deck[0])))
    if seat == world.active:
        return replace(state, deck=deck[1:], world=world)
    return replace(state, world=world.with_seat(seat, deck=deck[1:]))


def opened_by(world: World, seat: int) -> tuple[str, ...]:
    """The cards of a player that lie open."""
    return tuple(card for owner, card in world.open if owner == seat)


def destroyed_open(state: State, seat: int, card: str, by: str, events: list[Event], rule: str = "R6.6") -> State:
    """A card that lies open is destroyed."""
    world = world_of(state)
    events.append(Event("other-loses", card, (rule,), (("seat", seat), ("by_card", by))))
    return replace(state, world=replace(world, open=less(world.open, (seat, card))).without((card,)))


def discard_open(state: State, seat: int) -> State:
    """What a player turned up goes to his discard pile."""
    world = world_of(state)
    cards = opened_by(world, seat)
    world = replace(world, open=tuple(entry for entry in world.open if entry[0] != seat))
    return onto_the_pile(replace(state, world=world), seat, cards)


def turned(state: State, source: Any, amount: int, last: str, data: Any, seats: Iterable[int]) -> State:
    """Puts on the stack: each of these players turns up cards, then ``last`` is done with them."""
    todo: list[Task] = []
    for seat in seats:
        todo += [Task(TURN_UP, source, For(seat))] * amount
        todo.append(Task(last, source, For(seat, data)))
    return replace(state, todo=(*todo, *state.todo))


def _revealed_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    seat, select = task.data
    return tuple(("destroy", card) for card in matching(table, opened_by(world_of(state), seat), select))


@handler("revealed-fate", _revealed_options)
def _revealed(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Of the cards turned up one that matches is destroyed, the rest are discarded (breach)."""
    seat = task.data.seat
    if choice is not None:
        state = destroyed_open(state, seat, choice[1], task.source[0], events)
    return discard_open(state, seat)


def hero_left(table: Table, state: State, seats: Iterable[int]) -> bool:
    """True if one of these players can still turn up a hero."""
    world = world_of(state)
    for seat in seats:
        player = world.seats[seat]
        cards = (*player.deck, *player.discard)
        if seat == world.active:
            cards = (*state.deck, *state.pile, *(card for card, _ in state.discarded), *state.gained)
        if any(table.book[card].is_hero for card in cards):
            return True
    return False


# Tavern Brawl


def _brawl_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("player", seat) for seat in world_of(state).others())


@handler("brawl-player", _brawl_options)
def _brawl_player(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R4.7",)))
        return state
    return _brawl_on(table, state, task.source, choice[1], task.data)


def _brawl_on(table: Table, state: State, source: Any, seat: int, mine: str) -> State:
    """The next card off the deck; if no hero is left to turn up the rest of the deck is turned up for nothing."""
    if hero_left(table, state, (seat,)):
        todo = (Task(TURN_UP, source, For(seat)), Task("brawl-card", source, (seat, mine)))
        return replace(state, todo=(*todo, *state.todo))
    world = world_of(state)
    player = world.seats[seat]
    return replace(state, world=world.with_seat(seat, deck=(), discard=(*player.discard, *player.deck)))


@handler("brawl-card")
def _brawl_card(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """A hero turned up fights the discarded one; a draw destroys nobody. Any other card is discarded."""
    seat, mine = task.data
    (card,) = opened_by(world_of(state), seat)
    spec = table.book[card]
    if not spec.is_hero:
        return _brawl_on(table, discard_open(state, seat), task.source, seat, mine)
    ours = table.book[mine].strength
    fields = (("hero_card", mine), ("other_card", card), ("mine", ours), ("theirs", spec.strength))
    events.append(Event("brawl-won" if ours > spec.strength else "brawl-lost", task.source[0], ("R4.7",), fields))
    if ours <= spec.strength:
        return discard_open(state, seat)
    world = world_of(state)
    world = replace(world, open=tuple(entry for entry in world.open if entry != (seat, card)))
    events.append(Event("xp-gained", task.source[0], ("R3.1",), (("xp", 1),)))
    return replace(state, world=world.without((card,)), xp=state.xp + 1)
