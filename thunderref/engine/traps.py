"""Traps turned up while the hall is refilled, by their operations (R6.6).

In a described scenario only the active player's cards are known; in a game a trap acts on everybody it names.
"""

from __future__ import annotations

from collections.abc import Iterable

from thunderref.engine.chance import TURN_UP
from thunderref.engine.hand import find, in_play, removed, revealed
from thunderref.engine.others import (
    destroyed_open,
    discard_open,
    hero_left,
    matching,
    opened_by,
    other_loses,
    turned,
    world_of,
)
from thunderref.engine.party import party_of
from thunderref.engine.state import BORROWED, FLEETING, FORGONE, Ref, Slot, State, Table, Task
from thunderref.engine.tasks import Choice, destroy, each_other, handler
from thunderref.engine.values import replace
from thunderref.engine.world import For, less
from thunderref.explain.terms import Event
from thunderref.model.effect import (
    DestroyWeakest,
    GainUnlessShown,
    HoldHero,
    Operation,
    OthersLose,
    RevealTops,
    Select,
    ShowHero,
    TurnRound,
)

HEROES = Select(kind="hero")
ON_ACTIVE = (ShowHero, DestroyWeakest, HoldHero, GainUnlessShown, TurnRound)
"""What traps do to the active player."""
ON_OTHERS = (ShowHero, GainUnlessShown, OthersLose, RevealTops, TurnRound)
"""What traps do to the other players."""


MINE = -1
"""Instead of a seat among those who are spared: the active player, whose seat a described scenario does not know."""


def _shields(table: Table, cards: Iterable[str]) -> list[str]:
    """The different cards that spare their owner if he shows one of them from the hand, where it stays."""
    found = {
        card for card in cards if any(getattr(op, "name", "") == "spared-by-traps" for op in table.book[card].reveal)
    }
    return sorted(found)


def _own_shield(table: Table, state: State) -> Slot | None:
    """The first such card of the active player of which the benefit is not forgone (R5.1)."""
    shown = (slot for slot in revealed(state) if not slot.flags & FORGONE and _shields(table, (slot.card,)))
    return next(shown, None)


def _others(state: State, name: str, task: Task) -> tuple[Task, ...]:
    """One task for each other player who is not spared."""
    operation, spared = task.data
    return tuple(other for other in each_other(state, name, task.source, operation) if other.data.seat not in spared)


def _own_heroes(table: Table, state: State) -> list[Slot]:
    return [
        slot
        for slot in state.hand
        if in_play(slot) and table.book[slot.face].is_hero and not slot.flags & (BORROWED | FLEETING)
    ]


@handler("trap")
def _trap(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Who may be spared says so first; then the trap works.

    In a game nobody has to show the card that would spare him. In a described scenario everybody is taken to do so.
    """
    source = task.source
    operations = table.book[source[0]].trap
    asked: list[Task] = []
    if any(isinstance(op, ON_ACTIVE) for op in operations) and _own_shield(table, state) is not None:
        asked.append(Task("trap-shield", source))
    world = state.world
    if world is not None and any(isinstance(op, ON_OTHERS) for op in operations):
        guarded = [seat for seat in world.others() if _shields(table, world.seats[seat].hand)]
        asked += [Task("trap-shield-of", source, For(seat)) for seat in guarded]
    return replace(state, todo=(*asked, Task("trap-works", source, ()), *state.todo))


def _now_spared(state: State, seat: int) -> State:
    """The state in which the trap that is about to work spares this player."""
    place = next(place for place, task in enumerate(state.todo) if task.name == "trap-works")
    works = state.todo[place]
    works = replace(works, data=(*works.data, seat))
    return replace(state, todo=(*state.todo[:place], works, *state.todo[place + 1 :]))


def _shield_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    slot = _own_shield(table, state)
    return (("show", slot.ref), ("decline", None)) if state.in_game and slot is not None else None


@handler("trap-shield", _shield_options)
def _shield(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The active player is spared; what spared him is a benefit of a spell (R5.1)."""
    slot = _own_shield(table, state)
    if slot is None or (choice is not None and choice[0] == "decline"):
        return state
    events.append(Event("trap-spared", task.source[0], ("R6.6",)))
    used = state.spell_used or table.book[slot.card].is_spell
    return _now_spared(replace(state, spell_used=used), MINE)


def _shield_of_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    if not state.in_game:
        return None
    shown = _shields(table, world_of(state).seats[task.data.seat].hand)
    return (*(("show", card) for card in shown), ("decline", None))


@handler("trap-shield-of", _shield_of_options)
def _shield_of(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Another player is spared."""
    seat = task.data.seat
    if choice is not None and choice[0] == "decline":
        return state
    shown = choice[1] if choice is not None else _shields(table, world_of(state).seats[seat].hand)[0]
    events.append(Event("other-escapes", shown, ("R6.6",), (("seat", seat), ("by_card", task.source[0]))))
    return _now_spared(state, seat)


@handler("trap-works")
def _works(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Puts on the stack what the trap does, the active player first; the data are those whom it spares."""
    source, spared = task.source, task.data
    operations = table.book[source[0]].trap
    if MINE not in spared and not state.in_game and all(_is_hidden(state, op) for op in operations):
        events.append(Event("trap-others", source[0], ("R6.6", "R4.11")))
    todo: list[Task] = []
    for operation in operations:
        on_others = Task("", source, (operation, spared))
        if isinstance(operation, ShowHero | DestroyWeakest | HoldHero | GainUnlessShown) and MINE not in spared:
            todo.append(Task(f"trap:{operation.op}", source, operation))
        if isinstance(operation, ShowHero):
            todo += _others(state, "other-shows", on_others)
        elif isinstance(operation, GainUnlessShown):
            todo += _others(state, "other-gains", on_others)
        elif isinstance(operation, OthersLose):
            todo += _others(state, "other-loses", on_others)
        elif isinstance(operation, RevealTops | TurnRound) and state.in_game:
            todo.append(replace(on_others, name=f"trap:{operation.op}"))
    return replace(state, todo=(*todo, *state.todo))


def _is_hidden(state: State, operation: Operation) -> bool:
    """True for what a trap does with cards that nobody knows in a described scenario."""
    return isinstance(operation, TurnRound) or (state.world is None and isinstance(operation, OthersLose))


# a hero is shown and may die


def _show_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    heroes = _own_heroes(table, state)
    if isinstance(task.data, DestroyWeakest):
        party = party_of(table, state)
        least = min((party.strength(hero) for hero in heroes), default=0)
        heroes = [hero for hero in heroes if party.strength(hero) == least]
    if isinstance(task.data, HoldHero):  # who is held is not destroyed, yet gone: the hero worth least comes first
        heroes.sort(key=lambda hero: (table.book[hero.card].vp or 0, table.book[hero.card].cost))
    return tuple(("show", hero.ref) for hero in heroes)


@handler("trap:show-hero", _show_options)
def _show(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    hero, _ = find(state, choice[1])
    if table.book[hero.face].matches(task.data.safe):
        events.append(Event("trap-escaped", hero.card, ("R6.6",), (("by_card", task.source[0]),)))
        return state
    return destroy(table, state, hero.ref, events, task.source[0], ("R6.6",))


def _other_shows_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    hand = world_of(state).seats[task.data.seat].hand
    return tuple(("show", card) for card in matching(table, hand, HEROES))


@handler("other-shows", _other_shows_options)
def _other_shows(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    seat, operation = task.data
    if choice is None:
        events.append(Event("other-has-none", task.source[0], ("R6.6",), (("seat", seat),)))
        return state
    if table.book[choice[1]].matches(operation.safe):
        events.append(Event("other-escapes", choice[1], ("R6.6",), (("seat", seat), ("by_card", task.source[0]))))
        return state
    return other_loses(state, seat, choice[1], task.source[0], events, "R6.6")


@handler("trap:destroy-weakest", _show_options)
def _weakest(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    return destroy(table, state, choice[1], events, task.source[0], ("R6.6",))


# a card is gained, or all of a kind are lost


def _safe_heroes(table: Table, state: State, task: Task) -> list[Slot]:
    types = set(task.data.types)
    return [hero for hero in _own_heroes(table, state) if table.book[hero.face].types & types]


def _gain_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    """In a game nobody must show a hero who would spare him; in a described scenario he is taken to do so."""
    safe = _safe_heroes(table, state, task)
    if not state.in_game or not safe:
        return None
    return (*(("show", hero.ref) for hero in safe), ("decline", None))


@handler("trap:gain-unless-shown", _gain_options)
def _gain(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    safe = _safe_heroes(table, state, task)
    if choice is not None:
        safe = [hero for hero in safe if hero.ref == choice[1]]
    if safe:
        events.append(Event("trap-escaped", safe[0].card, ("R6.6",), (("by_card", task.source[0]),)))
        return state
    events.append(Event("gained", task.data.card, ("R6.6",), (("by_card", task.source[0]), ("n", 1))))
    return replace(state, gained=(*state.gained, task.data.card))


def _other_gain_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    seat, operation = task.data
    types = set(operation.types)
    hand = world_of(state).seats[seat].hand
    safe = [card for card in matching(table, hand, HEROES) if table.book[card].types & types]
    return (*(("show", card) for card in safe), ("decline", None)) if safe else ()


@handler("other-gains", _other_gain_options)
def _other_gains(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    seat, operation = task.data
    world = world_of(state)
    fields = (("seat", seat), ("by_card", task.source[0]))
    if choice is not None and choice[0] == "show":
        events.append(Event("other-escapes", choice[1], ("R6.6",), fields))
        return state
    events.append(Event("other-gains", operation.card, ("R6.6",), fields))
    return replace(state, world=world.with_seat(seat, discard=(*world.seats[seat].discard, operation.card)))


@handler("other-loses")
def _other_loses(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    seat, operation = task.data
    for card in world_of(state).seats[seat].hand:
        if table.book[card].matches(operation.select):
            state = other_loses(state, seat, card, task.source[0], events, "R6.6")
    return state


# a hero is held until the next victory (R6.10)


@handler("trap:hold-hero", _show_options)
def _hold(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    hero, _ = find(state, choice[1])
    events.append(Event("caged", hero.card, ("R6.10",)))
    state = removed(state, hero.ref)
    if not state.in_game:
        return replace(state, caged=(*state.caged, hero.ref))
    world = world_of(state)
    cages = (*world.cages, (task.source[0], hero.card))
    return replace(state, world=replace(world, cages=cages, removed=less(world.removed, task.source[0])))


def released(state: State, events: list[Event]) -> State:
    """A monster was defeated: heroes held in cages go to the victor's discard pile (R6.10)."""
    if not state.in_game:
        for card, _ in state.caged:
            events.append(Event("released", card, ("R6.10",)))
        return replace(state, caged=(), discarded=(*state.discarded, *state.caged)) if state.caged else state
    world = world_of(state)
    for _, hero in world.cages:
        events.append(Event("released", hero, ("R6.10",)))
    if not world.cages:
        return state
    heroes = tuple(hero for _, hero in world.cages)
    world = replace(world, cages=()).without(trap for trap, _ in world.cages)
    return replace(state, world=world, gained=(*state.gained, *heroes))


# cards turned up off decks


@handler("trap:reveal-tops")
def _tops(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    seats = [other.data.seat for other in _others(state, "", task)]
    state = replace(state, todo=(Task("tops-fate", task.source), *state.todo))
    return turned(state, task.source, task.data[0].amount, "no-fate", None, seats)


@handler("no-fate")
def _no_fate(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return state


@handler("tops-fate")
def _tops_fate(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Every hero turned up is destroyed but the strongest, tied ones too; the other cards go back on top."""
    lying = world_of(state).open
    strengths = [table.book[card].strength for _, card in lying if table.book[card].is_hero]
    for seat, card in lying:
        spec = table.book[card]
        if spec.is_hero and spec.strength < max(strengths):
            state = destroyed_open(state, seat, card, task.source[0], events)
    world = world_of(state)
    for seat in world.others():
        world = world.with_seat(seat, deck=(*opened_by(world, seat), *world.seats[seat].deck))
    return replace(state, world=replace(world, open=()))


@handler("trap:turn-round")
def _turn_round(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    operation, spared = task.data
    seats = [other.data.seat for other in _others(state, "", task)]
    if MINE not in spared:
        seats.append(world_of(state).active)
    return _round_on(table, state, task.source, tuple(seats), operation.until)


def _round_on(table: Table, state: State, source: Ref, seats: tuple[int, ...], left: int) -> State:
    """The next player of ``seats`` turns a card up; nobody does once no hero is left to turn up."""
    if not left or not seats or not hero_left(table, state, seats):
        return state
    turn = (Task(TURN_UP, source, For(seats[0])), Task("round-card", source, (seats, left)))
    return replace(state, todo=(*turn, *state.todo))


@handler("round-card")
def _round_card(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    seats, left = task.data
    seat = seats[0]
    for card in opened_by(world_of(state), seat):
        if table.book[card].is_hero:
            left -= 1
            state = destroyed_open(state, seat, card, task.source[0], events)
    state = discard_open(state, seat)
    return _round_on(table, state, task.source, (*seats[1:], seat), left)
