"""Instant operations that few cards have: borrowing, copying, recruiting, conjuring, foreseeing, wounding the hall."""

from __future__ import annotations

from itertools import permutations

from thunderref.engine import hall
from thunderref.engine.book import Spec
from thunderref.engine.hand import equipped, find, next_copy, replaced
from thunderref.engine.party import party_of
from thunderref.engine.state import BORROWED, FLEETING, UNOPPOSED, Foe, Ref, Slot, State, Table, Task
from thunderref.engine.tasks import Choice, discard, discards, handler, off_the_stack, on_offer, others_discard
from thunderref.engine.totals import health
from thunderref.engine.values import replace
from thunderref.engine.world import less
from thunderref.explain.terms import Event
from thunderref.model.effect import Select

# Selurin Theurge, Toryn Gladiator


def _lend_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return discards(table, state, task.data.select, BORROWED | FLEETING)


@handler("borrow", _lend_options)
def _lend(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """All players discard one; in a described scenario what the others discard is unknown (R4.11)."""
    rules = ("R4.7", "R4.11") if state.world is None else ("R4.7",)
    events.append(Event("opponents-discard", task.source[0], rules))
    lent = find(state, choice[1])[0] if choice is not None else None
    if choice is not None:
        state = discard(state, choice[1], events)
    if state.world is not None:
        state = replace(state, todo=(Task("borrow-any", task.source, lent), *state.todo))
        return others_discard(state, task.source, (task.data.select, 1, None))
    return state if lent is None else replace(state, todo=(Task("borrow-back", task.source, lent), *state.todo))


def _any_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    """Decline, the own card, or one that another player has just discarded."""
    own = _borrow_options(table, state, task)[1:] if task.data is not None else ()
    shown = dict.fromkeys(state.world.shown if state.world is not None else ())
    others = tuple(
        ("borrow-from", entry) for entry in shown if _may_hold(table, state, task.source, table.book[entry[1]])
    )
    return (("decline", None), *own, *others) if own or others else ()


@handler("borrow-any", _any_options)
def _borrow_any(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] != "borrow-from" or state.world is None:
        return state if choice is None else _borrow(table, state, task, choice, events)
    seat, card = choice[1]
    ref = (card, next_copy(state, card))
    events.append(Event("borrowed", card, ("R4.7",), (("by_card", task.source[0]),)))
    world = state.world.with_seat(seat, discard=less(state.world.seats[seat].discard, card))
    world = replace(world, lent=(*world.lent, (ref, seat)))
    state = replace(state, hand=(*state.hand, Slot(*ref, flags=BORROWED)), world=world)
    if not table.book[card].is_weapon:
        return state
    gains = tuple(Task("gain", ref, op) for op in table.book[card].passive if op.op == "gain-on-equip")
    return replace(equipped(state, ref, task.source), todo=(*gains, *state.todo))


def _may_hold(table: Table, state: State, source: Ref, spec: Spec) -> bool:
    """True for a hero, and for a weapon that the borrowing hero can hold."""
    if not spec.is_weapon:
        return True
    party = party_of(table, state)
    heroes = [hero for hero in party.heroes if hero.ref == source]
    return bool(heroes) and party.strength(heroes[0]) >= (0 if party.weightless else spec.weight)


def _borrow_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    options: list[Choice] = [("decline", None)]
    if not _may_hold(table, state, task.source, table.book[task.data.face]):
        return tuple(options)
    return (*options, ("borrow", task.data.ref))


@handler("borrow-back", _borrow_options)
def _borrow(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    lent: Slot = task.data  # what was used of it stays used (R2.4), and stands by itself no longer
    events.append(Event("borrowed", lent.card, ("R4.7",), (("by_card", task.source[0]),)))
    back = replace(lent, weapons=(), flags=lent.flags | BORROWED)
    used = tuple(number for number in lent.used if number)
    gone = less(state.gone, (lent.face, used)) if used else state.gone
    state = replace(state, discarded=less(state.discarded, lent.ref), hand=(*state.hand, back), gone=gone)
    return equipped(state, lent.ref, task.source) if table.book[lent.card].is_weapon else state


# Diin Beguiler


def _militia_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("militia", slot.ref) for slot in state.hand if "militia" in table.book[slot.face].types)


@handler("copy-hero", _militia_options)
def _copy_who(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R4.10",)))
        return state
    return replace(state, todo=(Task("copy-of", task.source, choice[1]), *state.todo))


def _model_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    beguiler, _ = find(state, task.source)
    return tuple(
        ("copy", slot.ref)
        for slot in state.hand
        if table.book[slot.face].is_hero and slot.ref != task.data and slot.face != beguiler.face
    )


@handler("copy-of", _model_options)
def _copy_of(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R4.10",)))
        return state
    model, _ = find(state, choice[1])
    militia, _ = find(state, task.data)
    events.append(Event("copied", militia.card, ("R4.10",), (("hero_card", model.face), ("copy", militia.copy))))
    return replaced(state, task.data, replace(militia, form=model.face))


# Diin Enchanter


def _recruit_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    known = on_offer(table, state)
    offered = known if known is not None else tuple(table.book.specs)
    return tuple(("recruit", card) for card in dict.fromkeys(offered) if table.book[card].is_hero)


@handler("recruit", _recruit_options)
def _recruit(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    events.append(Event("recruited", choice[1], ("R4.9",), (("by_card", task.source[0]),)))
    hero = Slot(choice[1], next_copy(state, choice[1]), flags=FLEETING)
    return replace(off_the_stack(state, choice[1]), hand=(*state.hand, hero))


# Illusory Blade


def _blade_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    known = on_offer(table, state)
    found = []
    for card in dict.fromkeys(known if known is not None else tuple(table.book.specs)):
        spec = table.book[card]
        if spec.is_weapon and spec.kind in ("village", "basic") and _holders(table, state, card):
            found.append(("draw", card))
    return tuple(found)


def _holders(table: Table, state: State, card: str) -> list[Slot]:
    """The heroes strong enough for the weapon, with a hand free (R4.3)."""
    party = party_of(table, state)
    weight = 0 if party.weightless else table.book[card].weight
    return [hero for hero in party.heroes if party.hand_free(hero) and party.strength(hero) >= weight]


@handler("conjure", _blade_options)
def _conjure(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    return replace(state, todo=(Task("conjure-to", task.source, choice[1]), *state.todo))


def _holder_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("to", hero.ref) for hero in _holders(table, state, task.data))


@handler("conjure-to", _holder_options)
def _conjure_to(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        return state
    card = task.data
    slot = Slot(card, next_copy(state, card), flags=FLEETING)
    events.append(Event("conjured", card, ("R4.3",), (("hero_card", choice[1][0]), ("by_card", task.source[0]))))
    state = off_the_stack(state, card)
    state = equipped(replace(state, hand=(*state.hand, slot)), slot.ref, choice[1])
    gains = tuple(Task("gain", slot.ref, op) for op in table.book[card].passive if op.op == "gain-on-equip")
    return replace(state, todo=(*gains, *state.todo))


# Foresight Elixir


def _foresee_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    known = state.dungeon[: task.data.amount]
    if len(set(known)) < 2:
        return None
    return tuple(("top", order) for order in dict.fromkeys(permutations(known)))


@handler("foresee", _foresee_options)
def _foresee(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    events.append(Event("foreseen", task.source[0], ("R4.1",), (("n", task.data.amount),)))
    if choice is None:
        return state
    return replace(state, dungeon=(*choice[1], *state.dungeon[len(choice[1]) :]))


# Creeping Death


@handler("wound-hall")
def _wound(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Every monster of the hall and of rank 0 loses Health; the dead go to the own discard pile without XP (R5.5)."""
    amount = task.data.amount
    locked = hall.hall_locked(table, state)

    def hit(foe: Foe) -> Foe:
        if not hall.is_monster(table, foe) or hall.immune_to_spells(table, foe):
            return foe
        return replace(foe, wounds=foe.wounds + amount)

    events.append(Event("wounded", task.source[0], ("R5.5", "R5.14"), (("n", amount),)))
    for foe in state.hall:
        if hall.immune_to_spells(table, foe):
            events.append(Event("untouched", foe.card, ("R5.5",)))
    state = replace(state, hall=tuple(hit(foe) for foe in state.hall), rank0=tuple(hit(foe) for foe in state.rank0))
    for rank, foe in enumerate(state.hall, 1):
        if not hall.is_monster(table, foe) or health(table, state, foe) > 0:
            continue
        if locked or hall.must_be_defeated(table, foe):
            events.append(Event("stays", foe.card, ("R6.8",)))
            continue
        events.append(Event("taken", foe.card, ("R4.6",), (("by_card", task.source[0]), ("rank", rank))))
        state = replace(hall.take_out(state, rank), gained=(*state.gained, foe.card))
    return hall.refill(table, state, events) if any(not foe.card for foe in state.hall) else state


# Claymore


def _claymore_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return (
        ("decline", None),
        *(
            ("take", rank)
            for rank in hall.movable_ranks(table, state)
            if table.book[state.hall[rank - 1].card].vp in task.data
        ),
    )


@handler("take-before-refill", _claymore_options)
def _claymore(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    foe = state.hall[choice[1] - 1]
    events.append(Event("taken", foe.card, ("R6.5",), (("by_card", task.source[0]), ("rank", choice[1]))))
    weapon, _ = find(state, task.source)
    state = replaced(state, task.source, replace(weapon, used=(*weapon.used, 1)))
    return replace(hall.take_out(state, choice[1]), gained=(*state.gained, foe.card))


@handler("refill-now")
def _refill_now(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return hall.turn_up(table, state, events)


@handler("turn-on")
def _turn_on(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """The hall is filled up further, a trap having done what it does."""
    return hall.turn_up(table, state, events, arriving=task.data)


# what hangs on the unknown hands of others


@handler("magic-unless-discarded")
def _magic(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Known discards without such a card give the hero his Magic Attack; unknown ones nothing (R4.11)."""
    if state.world is None:
        events.append(Event("unknown-hands", task.source[0], ("R4.11",)))
        return state
    if any(table.book[card].matches(task.data.select) for _, card in state.world.shown):
        events.append(Event("void", task.source[0], ("R4.7",)))
        return state
    hero, _ = find(state, task.source)
    mark = (hero.face, UNOPPOSED)
    events.append(Event("unopposed", task.source[0], ("R4.7",), (("n", task.data.amount),)))
    return replaced(state, hero.ref, replace(hero, marks=tuple(sorted((*hero.marks, mark)))))


MONSTERS = Select(kind="monster")
MOST_HUNTED = 5
"""Victory points of a monster that may be taken after a hunt."""


def _custom_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    if task.data.name != "hunt-discard":
        return None
    return discards(table, state, MONSTERS, BORROWED)


@handler("custom", _custom_options)
def _hunt(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Gohlen Hunter: every player discards a monster card."""
    if state.world is None:
        events.append(Event("unknown-hands", task.source[0], ("R4.11",)))
    else:
        state = replace(state, todo=(Task("hunted", task.source), *state.todo))
        state = others_discard(state, task.source, (MONSTERS, 1, None))
    return state if choice is None else discard(state, choice[1], events)


@handler("hunted")
def _hunted(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    world = state.world
    if world is None:
        return state
    found = tuple((task.source, seat, card) for seat, card in world.shown)
    return replace(state, world=replace(world, hunted=(*world.hunted, *found)))


def _hunt_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    """Decline, or a monster that another player discarded to this hero and that shares a type with the defeated one."""
    world = state.world
    if world is None:
        return ()
    types = table.book[task.data].types
    found = {
        (seat, card): None
        for ref, seat, card in world.hunted
        if ref == task.source and card in world.seats[seat].discard
        if table.book[card].types & types and _worth_hunting(table.book[card].vp)
    }
    return (("decline", None), *(("hunt", entry) for entry in found)) if found else ()


def _worth_hunting(vp: int | None) -> bool:
    """True up to five victory points; a card without printed ones (Horde) is worth no number of them."""
    return vp is not None and vp <= MOST_HUNTED


@handler("hunt-take", _hunt_options)
def _hunt_take(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline" or state.world is None:
        return state
    seat, card = choice[1]
    events.append(Event("hunt-taken", card, ("R6.5",), (("by_card", task.source[0]), ("seat", seat))))
    world = state.world.with_seat(seat, discard=less(state.world.seats[seat].discard, card))
    return replace(state, world=world, gained=(*state.gained, card))
