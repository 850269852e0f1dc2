"""What follows the outcome of a battle: who leaves, spoils, what a victory allows, the refilled hall (R6)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from thunderref.engine import hall
from thunderref.engine.hand import in_play, next_copy, removed, returned, revealed
from thunderref.engine.others import destroyed_open, discard_open, opened_by, turned, world_of
from thunderref.engine.party import Party
from thunderref.engine.state import BORROWED, DOOMED, FLEETING, Battle, Slot, State, Table, Task
from thunderref.engine.target import Target
from thunderref.engine.tasks import Choice, handler, off_the_stack, on_offer
from thunderref.engine.values import replace
from thunderref.engine.variants import is_solo, lost_to_the_village
from thunderref.explain.terms import Event
from thunderref.model.effect import Custom, Operation, Toll

NOBODY = ("", 0)
STACKED = frozenset({"basic", "hero", "village"})
"""Kinds of cards that lie in the village's stacks (R1.6)."""


def casualties(party: Party, state: State) -> list[tuple[Slot, str]]:
    """The cards that leave when the battle ends (R6.3): each ``destroyed``, ``spared`` (discarded) or ``returned``.

    Whatever spares a hero, one from the village is destroyed at the end all the same, and a borrowed one goes back.
    """
    found = []
    for slot in revealed(state):
        if not slot.flags or not in_play(slot):  # a thrown weapon has left already, conjured or borrowed (R5.3)
            continue
        if slot.flags & FLEETING or (slot.flags & DOOMED and not party.spares(slot)):
            found.append((slot, "destroyed"))
        elif slot.flags & BORROWED:
            found.append((slot, "returned"))
        elif slot.flags & DOOMED:
            found.append((slot, "spared"))
    return found


def bury(table: Table, party: Party, state: State, events: list[Event]) -> State:
    """Cards destroyed in the battle leave now (R6.3); borrowed and conjured ones too."""
    for slot, fate in casualties(party, state):
        if fate == "spared":
            events.append(Event("spared", slot.card, ("R6.3",)))
            state = removed(state, slot.ref)
            state = replace(state, discarded=(*state.discarded, slot.ref))
        elif fate == "destroyed":
            events.append(Event("leaves", slot.card, ("R6.3",), (("copy", slot.copy),)))
            state = removed(state, slot.ref)
            state = replace(state, destroyed=(*state.destroyed, slot.ref))
        else:
            spared = slot.flags & DOOMED
            events.append(Event("spared", slot.card, ("R6.3",)) if spared else Event("returned", slot.card, ("R4.7",)))
            state = returned(state, slot)
    return state


def leave(table: Table, state: State, battle: Battle, victory: bool, events: list[Event]) -> State:
    """The beaten monster leaves the hall; another goes under the dungeon deck unless it may not (R6.1, R6.8)."""
    foe = battle.foe
    solo = is_solo(table, state)
    if not victory and (hall.must_be_defeated(table, foe) or (hall.hall_locked(table, state) and not solo)):
        events.append(Event("stays", foe.card, ("R6.8",)))
        return state
    if not victory and not solo:
        events.append(Event("retreats", foe.card, ("R6.1",)))
    if battle.rank == 0:
        rank0 = tuple(other for place, other in enumerate(state.rank0) if place != battle.place)
        state = replace(state, rank0=rank0)
    else:
        state = hall.take_out(state, battle.rank)
    if victory:
        return state
    return lost_to_the_village(state, foe.card, events) if solo else hall.under_the_deck(state, foe.card)


def rights_of(party: Party, attackers: list[Slot], aim: Target) -> list[Task]:
    """What a victory allows: spoils of the heroes that attacked and of the monster (R6.4), then R6.5."""
    found = []
    for hero in attackers:
        found += [Task("spoils", hero.ref, op) for op in party.spec(hero).spoils if op.op == "spoils"]
    found += [Task("spoils", (aim.spec.id, 0), op) for op in aim.spec.spoils if op.op == "spoils"]
    found += [Task("purge", (aim.spec.id, 0)) for op in aim.spec.spoils if is_purge(op)]
    for hero in attackers:
        found += [Task("sorcery", hero.ref, op) for op in party.spec(hero).aftermath if op.op == "bottom-after-victory"]
        found += [Task("hunt-take", hero.ref, aim.spec.id) for op in party.spec(hero).aftermath if is_hunt(op)]
    return found


def gold(table: Table, state: State) -> int:
    """The gold of the revealed cards that survived (R6.4)."""
    return sum(amount for _, amount in gold_from(table, state))


def gold_from(table: Table, state: State) -> list[tuple[str, int]]:
    """Where that gold comes from: (card, gold) for every revealed card that has some."""
    return [
        (slot.card, amount) for slot in revealed(state) if in_play(slot) and (amount := table.book[slot.face].gold or 0)
    ]


def buys(table: Table, kinds: tuple[str, ...], budget: int, village: tuple[str, ...] | None) -> tuple[str, ...]:
    """The cards on offer of these kinds that cost at most ``budget``; none if the village is unknown."""
    if village is None:
        return ()
    found = []
    for card in village:
        spec = table.book[card]
        fits = spec.kind in kinds or any(kind in spec.types for kind in kinds if kind in ("weapon", "food"))
        if fits and spec.cost <= budget and card not in found:
            found.append(card)
    return tuple(found)


@lru_cache(maxsize=1024)
def _for_sale(table: Table, kinds: tuple[str, ...], budget: int) -> tuple[str, ...]:
    """What there may be to buy where nobody said what the village offers."""
    return buys(table, kinds, budget, tuple(card for card, spec in table.book.specs.items() if spec.kind in STACKED))


def _spoils_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    """Decline, or a card on offer; any card at all in a village that nobody knows, as for other effects."""
    known, kinds, budget = on_offer(table, state), tuple(task.data.buys), gold(table, state)
    found = _for_sale(table, kinds, budget) if known is None else buys(table, kinds, budget, known)
    return (("decline", None), *(("buy", card) for card in found))


@handler("spoils", _spoils_options)
def _spoils(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    events.append(Event("bought", choice[1], ("R6.4",), (("by_card", task.source[0]),)))
    return replace(off_the_stack(state, choice[1]), gained=(*state.gained, choice[1]))


def is_hunt(operation: Operation) -> bool:
    """True for the right to one of the monsters that others discarded."""
    return isinstance(operation, Custom) and operation.name == "hunt-take"


TOP_SIX = 6


def is_purge(operation: Operation) -> bool:
    """True for the spoils that sort the own top six cards."""
    return isinstance(operation, Custom) and operation.name == "purge-top-six"


def _purge_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    """Decline, or any of the known top six cards of the own deck to destroy (Sphinx); in a game they are revealed."""
    if state.in_game:
        return (("decline", None), ("reveal", None))
    return (("decline", None), *(("destroy", cards) for cards in _parts(state.deck[:TOP_SIX])))


def _parts(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every choice of some of the cards, equal ones once."""
    return list(dict.fromkeys(tuple(sorted(part)) for n in range(len(cards) + 1) for part in combinations(cards, n)))


def _purge_fate_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return tuple(("destroy", cards) for cards in _parts(opened_by(world_of(state), task.data.seat)))


@handler("purge-fate", _purge_fate_options)
def _purge_fate(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    """Some of the revealed cards are destroyed, the others discarded (R6.4)."""
    for card in choice[1] if choice is not None else ():
        state = destroyed_open(state, task.data.seat, card, task.source[0], events, "R6.4")
    return discard_open(state, task.data.seat)


@handler("purge", _purge_options)
def _purge(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    if state.in_game:
        return turned(state, task.source, TOP_SIX, "purge-fate", None, (world_of(state).active,))
    top = state.deck[:TOP_SIX]
    doomed = list(choice[1])
    events.append(Event("purged", task.source[0], ("R6.4",), (("n", len(doomed)),)))
    state = replace(state, deck=state.deck[TOP_SIX:], unknown_draws=state.unknown_draws + TOP_SIX - len(top))
    for card in top:
        ref = (card, next_copy(state, card))
        if card in doomed:
            doomed.remove(card)
            events.append(Event("leaves", card, ("R6.4",), (("copy", 1),)))
            state = replace(state, destroyed=(*state.destroyed, ref))
        else:
            state = replace(state, discarded=(*state.discarded, ref))
    return state


def _sorcery_options(table: Table, state: State, task: Task) -> tuple[Choice, ...]:
    return (("decline", None), *(("bottom", rank) for rank in hall.movable_ranks(table, state)))


@handler("sorcery", _sorcery_options)
def _sorcery(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if choice is None or choice[0] == "decline":
        return state
    foe = state.hall[choice[1] - 1]
    events.append(Event("to-bottom", foe.card, ("R6.5",), (("by_card", task.source[0]), ("rank", choice[1]))))
    return hall.under_the_deck(hall.take_out(state, choice[1]), foe.card)


@handler("refill")
def _refill(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    state = replace(state, todo=(*state.todo, Task("end-turn", NOBODY)))
    return hall.refill(table, state, events) if any(not foe.card for foe in state.hall) else state


@handler("end-turn")
def _end_turn(table: Table, state: State, task: Task, choice: Choice | None, events: list[Event]) -> State:
    if not state.in_game:  # in a game the new hand is drawn and pays at once
        for foe in state.rank0:
            for operation in table.book[foe.card].breach:
                if isinstance(operation, Toll):
                    events.append(Event("toll-due", foe.card, ("R6.7",), (("n", operation.amount),)))
    return replace(state, phase="end")
