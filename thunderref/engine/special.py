"""Instant operations that few cards have: borrowing, copying, recruiting, conjuring, foreseeing, wounding the hall."""

from __future__ import annotations

from itertools import permutations

from thunderref.engine import hall
from thunderref.engine.hand import equipped, find, next_copy, replaced
from thunderref.engine.party import Party
from thunderref.engine.state import BORROWED, FLEETING, Foe, Slot, State, Table, Task
from thunderref.engine.tasks import Choice, discard, discards, handler, off_the_stack, on_offer
from thunderref.engine.totals import health
from thunderref.explain.terms import Event
from thunderref.model.effect import Select

# Selurin Theurge, Toryn Gladiator


def _lend_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return discards(table, state, task.data.select, BORROWED | FLEETING)


@handler("borrow", _lend_options)
def _lend(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """All players discard one; what the others discard is unknown (R4.11)."""
    events.append(Event("opponents-discard", task.source[0], ("R4.7", "R4.11")))
    if choice is None:
        return state
    lent, _ = find(state, choice[1])
    state = discard(state, choice[1], events)
    return state._replace(todo=(Task("borrow-back", task.source, lent), *state.todo))


def _borrow_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    options: list[Choice] = [("decline", None)]
    spec = table.book[task.data.face]
    if spec.is_weapon:
        party = Party(table, state)
        heroes = [hero for hero in party.heroes if hero.ref == task.source]
        if not heroes or party.strength(heroes[0]) < (0 if party.weightless else spec.weight):
            return tuple(options)
    return (*options, ("borrow", task.data.ref))


@handler("borrow-back", _borrow_options)
def _borrow(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    lent: Slot = task.data  # what was used of it stays used (R2.4)
    events.append(Event("borrowed", lent.card, ("R4.7",), (("by_card", task.source[0]),)))
    discarded = list(state.discarded)
    discarded.remove(lent.ref)
    back = lent._replace(weapons=(), flags=lent.flags | BORROWED)
    state = state._replace(discarded=tuple(discarded), hand=(*state.hand, back))
    return equipped(state, lent.ref, task.source) if table.book[lent.card].is_weapon else state


# Diin Beguiler


def _militia_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("militia", slot.ref) for slot in state.hand if "militia" in table.book[slot.face].types)


@handler("copy-hero", _militia_options)
def _copy_who(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R4.10",)))
        return state
    return state._replace(todo=(Task("copy-of", task.source, choice[1]), *state.todo))


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
    return replaced(state, task.data, militia._replace(form=model.face))


# Diin Enchanter


def _recruit_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    known = on_offer(table, state)
    offered = known if known is not None else tuple(table.book.specs)
    return tuple(("recruit", card) for card in dict.fromkeys(offered) if table.book[card].kind == "hero")


@handler("recruit", _recruit_options)
def _recruit(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    events.append(Event("recruited", choice[1], ("R4.9",), (("by_card", task.source[0]),)))
    hero = Slot(choice[1], next_copy(state, choice[1]), flags=FLEETING)
    return off_the_stack(state, choice[1])._replace(hand=(*state.hand, hero))


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
    party = Party(table, state)
    weight = 0 if party.weightless else table.book[card].weight
    return [hero for hero in party.heroes if party.hand_free(hero) and party.strength(hero) >= weight]


@handler("conjure", _blade_options)
def _conjure(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None:
        events.append(Event("void", task.source[0], ("R2.4",)))
        return state
    return state._replace(todo=(Task("conjure-to", task.source, choice[1]), *state.todo))


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
    state = equipped(state._replace(hand=(*state.hand, slot)), slot.ref, choice[1])
    gains = tuple(Task("gain", slot.ref, op) for op in table.book[card].passive if op.op == "gain-on-equip")
    return state._replace(todo=(*gains, *state.todo))


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
    return state._replace(dungeon=(*choice[1], *state.dungeon[len(choice[1]) :]))


# Creeping Death


@handler("wound-hall")
def _wound(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Every monster of the hall and of rank 0 loses Health; the dead go to the own discard pile without XP (R5.5)."""
    amount = task.data.amount
    locked = hall.hall_locked(table, state)

    def hit(foe: Foe) -> Foe:
        if not hall.is_monster(table, foe) or _immune_to_spells(table, foe):
            return foe
        return foe._replace(wounds=foe.wounds + amount)

    events.append(Event("wounded", task.source[0], ("R5.5", "R5.14"), (("n", amount),)))
    state = state._replace(hall=tuple(hit(foe) for foe in state.hall), rank0=tuple(hit(foe) for foe in state.rank0))
    for rank, foe in enumerate(state.hall, 1):
        if not hall.is_monster(table, foe) or health(table, state, foe) > 0:
            continue
        if locked or hall.must_be_defeated(table, foe):
            events.append(Event("stays", foe.card, ("R6.8",)))
            continue
        events.append(Event("taken", foe.card, ("R4.6",), (("by_card", task.source[0]), ("rank", rank))))
        state = hall.take_out(state, rank)._replace(gained=(*state.gained, foe.card))
    return hall.refill(table, state, events) if any(not foe.card for foe in state.hall) else state


def _immune_to_spells(table: Table, foe: Foe) -> bool:
    return any(trait.op == "immune" and trait.to == "spells" for trait in table.book[foe.card].traits)


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
    state = replaced(state, task.source, weapon._replace(used=(*weapon.used, 1)))
    return hall.take_out(state, choice[1])._replace(gained=(*state.gained, foe.card))


@handler("refill-now")
def _refill_now(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    return hall.turn_up(table, state, events)


# what hangs on the unknown hands of others


@handler("magic-unless-discarded")
def _unknown_magic(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    events.append(Event("unknown-hands", task.source[0], ("R4.11",)))
    return state


MONSTERS = Select(kind="monster")


def _custom_options(table: Table, state: State, task: Task) -> tuple[Choice, ...] | None:
    if task.data.name != "hunt-discard":
        return None
    return discards(table, state, MONSTERS, 0)


@handler("custom", _custom_options)
def _custom(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    events.append(Event("unknown-hands", task.source[0], ("R4.11",)))
    return state if choice is None else discard(state, choice[1], events)
