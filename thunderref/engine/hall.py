"""The dungeon hall: leaving, shifting, refilling, arriving at rank 1 (R6.6 to R6.8, R7.1)."""

from __future__ import annotations

from thunderref.engine.book import Spec
from thunderref.engine.party import party_of
from thunderref.engine.state import EMPTY, UNKNOWN, Foe, State, Table, Task
from thunderref.engine.target import Target
from thunderref.engine.values import replace
from thunderref.explain.terms import Event

RANKS = 3
NOBODY = Foe(EMPTY)


def is_known(foe: Foe) -> bool:
    """True for a hall card with a face."""
    return foe.card not in (EMPTY, UNKNOWN)


def is_monster(table: Table, foe: Foe) -> bool:
    """True for a monster or guardian, False for a Thunderstone, an empty rank or an unknown card."""
    return is_known(foe) and table.book.specs[foe.card].is_monster


def must_be_defeated(table: Table, foe: Foe) -> bool:
    """True for a monster that leaves the hall in no other way (R6.8)."""
    return "must-be-defeated" in table.book.specs[foe.card].has


def hall_locked(table: Table, state: State) -> bool:
    """True while a monster in the hall keeps all others there (Steam Torment)."""
    specs = table.book.specs
    for foe in (*state.hall, *state.rank0):
        spec = specs.get(foe.card)  # an empty rank and an unknown card have none
        if spec is not None and "hall-locked" in spec.has:
            return True
    return False


def immune_to_spells(table: Table, foe: Foe) -> bool:
    """True for a monster that no spell can affect (R5.5)."""
    return is_known(foe) and "spells" in table.book.specs[foe.card].immune


def movable_ranks(table: Table, state: State, by: str = "") -> tuple[int, ...]:
    """The ranks whose monsters an effect may move (R6.8); a spell, if ``by`` is one, none that is immune (R5.5)."""
    if hall_locked(table, state):
        return ()
    spell = bool(by) and table.book.specs[by].is_spell
    return tuple(
        rank
        for rank, foe in enumerate(state.hall, 1)
        if is_monster(table, foe) and not must_be_defeated(table, foe) and not (spell and immune_to_spells(table, foe))
    )


def is_placeholder(spec: Spec) -> bool:
    """True for a card that the top card of the Horde deck replaces (R1.3)."""
    return any(op.op == "from-horde-deck" for op in spec.reveal)


def under_the_deck(state: State, card: str) -> State:
    """The monster lies at the bottom of the dungeon deck; of a deck that is not known whole nothing is remembered."""
    return state if not state.in_game else replace(state, dungeon=(*state.dungeon, card))


def take_out(state: State, rank: int) -> State:
    """The hall with an empty place at ``rank``."""
    return replace(state, hall=(*state.hall[: rank - 1], NOBODY, *state.hall[rank:]))


def refill(table: Table, state: State, events: list[Event]) -> State:
    """Closes the gaps towards rank 1 and turns cards up; traps and breaches so caused are put on the stack.

    A monster that was not at rank 1 before and is now has arrived there. With a Thunderstone at rank 1 the game ends.
    """
    offers = _offers(table, state)
    if offers:
        return replace(state, todo=(*offers, Task("refill-now", ("", 0)), *state.todo))
    return turn_up(table, state, events)


def _offers(table: Table, state: State) -> tuple[Task, ...]:
    """Weapons that may take a monster just before the hall is refilled, once each (R6.5)."""
    specs = table.book.specs
    held = [specs[weapon.card] for hero in state.hand if hero.weapons for weapon in hero.weapons]
    if not any(ability.before_refill for spec in held for ability in spec.dungeon):
        return ()
    party = party_of(table, state)
    battle = state.battle
    aim = Target(table.book.specs[battle.foe.card], battle.rank, battle) if battle is not None else None
    found = []
    for hero in party.heroes:
        if aim is not None and party.idles(hero, aim):
            continue
        for weapon in hero.weapons:
            if battle is not None and party.drops(weapon, hero, battle.weaken):
                continue
            for ability in table.book.specs[weapon.card].dungeon:
                for operation in ability.lasting:
                    if operation.op == "take-before-refill" and ability.number not in weapon.used:
                        found.append(Task("take-before-refill", weapon.ref, operation.vp))
    return tuple(found)


def turn_up(table: Table, state: State, events: list[Event], *, arriving: bool | None = None) -> State:
    """Closes the gaps and turns cards up, without anything happening before.

    A trap resolves before the next card is turned up (R6.6); ``arriving`` is then handed on: whether what stands at
    rank 1 in the end has just come there, None to see for oneself.
    """
    if arriving is None:
        arriving = state.hall[0].card == EMPTY
    standing = [foe for foe in state.hall if foe.card != EMPTY]
    tasks: list[Task] = []
    state = replace(state, hall=(*standing, *[NOBODY] * (RANKS - len(standing))))
    for rank in range(len(standing) + 1, RANKS + 1):
        if state.dungeon and table.book.specs[state.dungeon[0]].kind == "trap":
            state, trap = sprung(state, events)
            return replace(state, todo=(*tasks, trap, Task("turn-on", ("", 0), arriving), *state.todo))
        state, traps = next_at(table, state, rank, events)
        tasks += traps
    if arriving:
        tasks.append(Task("arrive", ("", 0)))
    return replace(state, todo=(*tasks, *state.todo)) if tasks else state


def sprung(state: State, events: list[Event]) -> tuple[State, Task]:
    """The trap on top of the dungeon deck is turned up."""
    trap, world = state.dungeon[0], state.world
    events.append(Event("trap", trap, ("R6.6",)))
    if world is not None:
        world = world.without((trap,))
    return replace(state, dungeon=state.dungeon[1:], world=world), Task("trap", (trap, 1))


def next_at(table: Table, state: State, rank: int, events: list[Event]) -> tuple[State, tuple[Task, ...]]:
    """The next card of the dungeon deck that is no trap stands at the empty ``rank``; the traps on the way are tasks.

    If there is none the rank stays empty in a game; in a described scenario nobody knows what comes.
    """
    dungeon = list(state.dungeon)
    world = state.world
    tasks: list[Task] = []
    foe = NOBODY if state.in_game else Foe(UNKNOWN)
    while dungeon:
        card = dungeon.pop(0)
        spec = table.book.specs[card]
        if is_placeholder(spec):
            if world is None or world.described:
                break
            world = world.without((card,))
            if not world.horde:
                continue
            card, world = world.horde[0], replace(world, horde=world.horde[1:])
        elif spec.kind == "trap":
            events.append(Event("trap", card, ("R6.6",)))
            tasks.append(Task("trap", (card, 1)))
            if world is not None:
                world = world.without((card,))
            continue
        events.append(Event("turned-up", card, ("R6.6",), (("rank", rank),)))
        foe = Foe(card)
        break
    ranks = (*state.hall[: rank - 1], foe, *state.hall[rank:])
    return replace(state, hall=ranks, dungeon=tuple(dungeon), world=world), tuple(tasks)


def arrive(table: Table, state: State, events: list[Event]) -> State:
    """What happens when a new card stands at rank 1: a breach, a guardian's step to rank 0, or the end of the game."""
    first = state.hall[0]
    if not is_known(first):
        return state
    spec = table.book.specs[first.card]
    if spec.kind == "thunderstone":
        return _stone(table, state, first.card, events)
    if spec.kind == "guardian":
        events.append(Event("to-rank-0", first.card, ("R6.7",)))
        state = replace(take_out(state, 1), rank0=(*state.rank0, first))
        return refill(table, state, events)
    if spec.breach:
        events.append(Event("breach", first.card, ("R6.6",)))
        tasks = tuple(Task("breach", (first.card, i)) for i in range(len(spec.breach)))
        return replace(state, todo=(*tasks, *state.todo))
    return state


def _stone(table: Table, state: State, stone: str, events: list[Event]) -> State:
    """A Thunderstone at rank 1: the game ends (R7.1), or goes on if another is still to come (R9.1)."""
    battle, world = state.battle, state.world if state.in_game else None
    taken = state.victory and battle is not None and battle.rank == 1 and not state.rank0
    below = (*(foe.card for foe in state.hall[1:] if is_known(foe)), *state.dungeon)
    more = world is not None and any(table.book.specs[card].kind == "thunderstone" for card in below)
    rules = ("R9.1",) if more else ("R7.1",)
    events.append(Event("first-stone" if more else "game-ends", stone, rules))
    if taken:
        events.append(Event("stone-taken", stone, rules))
        state = replace(state, gained=(*state.gained, stone))
    else:
        events.append(Event("stone-untaken", stone, rules))
    if world is not None:
        state = replace(take_out(state, 1), world=world if taken else world.without((stone,)))
    if more:
        return refill(table, state, events)
    return replace(state, ended=True, todo=(), phase="end")
