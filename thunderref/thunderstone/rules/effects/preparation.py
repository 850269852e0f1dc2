"""Instant operations of the dungeon and the village: destroy, discard, draw, gain, move and take monsters."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from itertools import permutations
from typing import Any

from thunderref.database import operations as ops
from thunderref.database.card_records import RANKS, STACKED
from thunderref.thunderstone.rules import hall, hand, position
from thunderref.thunderstone.rules.cards import Cards
from thunderref.thunderstone.rules.choices import Choice, Named, Order, Pick, Rank
from thunderref.thunderstone.rules.draws import DRAW_ONE, DRAW_UP, turn_unseen
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Answers, Events, Game, Handlers, Options, on_choice, void
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import Foe, For, Position, Ref, Slot, Task, replace, tops
from thunderref.thunderstone.rules.readings import USED_CARDS

ORDERS = tuple(permutations(range(RANKS)))
Demand = tuple[ops.Select, int, ops.Select | None]  # what others must discard: which, how many, or one of which instead
VOID = void()
OTHERS_CARD = position.BORROWED | position.FLEETING  # flags of cards that are not the player's own


def candidates(game: Game, state: Position, select: ops.Select, source: Ref | None) -> list[Slot]:
    """Revealed cards that match; in the dungeon an effect of ``source`` destroys no other used one (R4.2)."""
    used_too = source is None or state.visit is not None
    there = [slot for slot in hand.all_slots(state) if not slot.flags & position.THROWN]
    matches = [slot for slot in there if game.cards[slot.form or slot.card].matches(select)]
    return [slot for slot in matches if used_too or slot.ref == source or not is_safe(game, slot)]


def unpaid(game: Game, state: Position, cost: ops.Cost, card: str) -> tuple[str, str, dict[str, Any]]:
    """The reason why a cost cannot be paid: what could pay was used or is gone (R4.2), or no card fits the cost."""
    select, visiting = getattr(cost, "select", None) or ops.Select(), state.visit is not None
    used = [] if visiting else [slot.face for slot in hand.all_slots(state) if slot.used]
    if any(game.cards[one].matches(select) for one in (*used, *(gone for gone, _ in state.destroyed))):
        return "cannot-pay", "R3.1" if visiting else "R4.2", {"card": card, "why": "spent"}
    required = select.type or select.kind
    params = {} if required is None else {"why": "type", "asked_type": required}
    return "cannot-pay", "R3.1" if visiting else "R4.1", {"card": card, **params}


def is_safe(game: Game, slot: Slot) -> bool:
    """True for a card whose own effect was used, so that no other card's destroys it (R4.2)."""
    return bool(slot.used) and (USED_CARDS not in game.readings or "food" in game.cards[slot.face].types)


def asks_what_was_used(game: Game, state: Position, choice: Choice) -> bool:
    """True if R4.2 decides as a card is destroyed: one that was used, but no food, is spared, or might have been."""
    task = state.todo[0] if state.todo and state.visit is None else None
    if task is None or task.name != "destroy" or not isinstance(choice, Pick):
        return False
    targets = [slot for slot in candidates(game, state, task.data.select, None) if slot.ref != task.source]
    specs = {slot.ref: game.cards[slot.face] for slot in targets if "food" not in game.cards[slot.face].types}
    spared = any(slot.used for slot in targets if slot.ref in specs)
    return spared or (choice.value in specs and bool(specs[choice.value].dungeon))


def destroy(state: Position, ref: Ref, events: Events, by: str, rules: tuple[str, ...]) -> Position:
    """Takes a card out of the game for good, Disease back to its stack (R0.3)."""
    events.append(Event("destroyed", ref[0], rules, (("by_card", by), ("copy", ref[1]))))
    return hand.destroy_card(state, ref)


def perhaps_on_offer(game: Game, state: Position) -> tuple[str, ...]:
    """The cards on top of the village's stacks; every card that may lie there if they are unknown."""
    offers = on_offer(game, state)
    return _stacked(game.cards) if offers is None else offers


@lru_cache(maxsize=8)
def _stacked(cards: Cards) -> tuple[str, ...]:
    return tuple(card for card, spec in cards.items() if spec.kind in STACKED)


def on_offer(game: Game, state: Position) -> tuple[str, ...] | None:
    """The cards on top of the village's stacks; None if unknown."""
    return None if state.stacks is None else tops(game.cards, state.stacks)


def _destroy_options(game: Game, state: Position, task: Task[ops.Destroy]) -> Answers:
    targets = candidates(game, state, task.data.select, task.source)
    if state.visit is None and (party := party_of(game, state)).shielding:
        targets = [slot for slot in targets if not party.shields(slot)]
    return tuple(Pick("destroy", slot.ref) for slot in targets)


def destroy_chosen(game: Game, state: Position, task: Task[Any], choice: Pick, events: Events) -> Position:
    rule = "R6.7" if task.name == "toll" else _rule(state)
    return _paid(destroy(state, choice.value, events, task.source[0], (rule,)), choice)


def _rule(state: Position) -> str:
    return "R4.2" if state.visit is None else "R0.3"


def _paid(state: Position, choice: Pick) -> Position:
    return state if state.visit is None else replace(state, visit=replace(state.visit, paid=choice.value[0]))


def _destroy_self(game: Game, state: Position, task: Task[ops.DestroySelf], choice: None, events: Events) -> Position:
    slot, holder = hand.find(state, task.source)
    if not task.data.stays:
        return destroy(state, task.source, events, task.source[0], (_rule(state),))
    events.append(Event("thrown", slot.card, ("R5.3",), (("hero_card", holder.card if holder else ""),)))
    state = hand.note_destroyed(state, slot)
    return hand.end_loan(hand.flag_card(state, task.source, position.THROWN), task.source)


def own_cards(key: str, excluded: int = 0, select: ops.Select | None = None) -> Options:
    """Every revealed card that matches ``select``, or the operation's, but not those with a flag of ``excluded``."""

    def options(game: Game, state: Position, task: Task[Any]) -> Answers:
        criteria = select or task.data.select
        there = [slot for slot in hand.all_slots(state) if not slot.flags & (position.THROWN | excluded)]
        return tuple([Pick(key, slot.ref) for slot in there if game.cards[slot.face].matches(criteria)])

    return options


def _discard(game: Game, state: Position, task: Task[Any], choice: Pick, events: Events) -> Position:
    rule = "R6.6" if task.name == "discard-any" else "R0.3"
    return _paid(discard(state, choice.value, events, rule), choice)


def discard(state: Position, ref: Ref, events: Events, rule: str = "R0.3") -> Position:
    events.append(Event("discarded", ref[0], (rule,), (("copy", ref[1]),)))
    return hand.discard_card(state, ref)


def _draw(game: Game, state: Position, task: Task[ops.Draw], choice: None, events: Events) -> Position:
    amount = task.data.amount
    if task.data.per is not None:
        amount *= len(candidates(game, state, task.data.per, None))
        if not amount and state.visit is not None:
            events.append(Event("void", task.source[0], ("R2.2",)))
    if state.in_game or (state.pool is not None and state.left is None):
        return replace(state, todo=(*(Task(DRAW_ONE, task.source) for _ in range(amount)), *state.todo))
    return draw(state, amount, events, task.source[0])


def _draw_one(game: Game, state: Position, task: Task[None], choice: Named | None, events: Events) -> Position:
    """One card: a known one off the top, else the one that chance gave; nothing if deck and discard pile are empty."""
    if choice is not None:
        return _into_hand(state, choice.value, 1 + (state.pool or ()).count(choice.value), events, task.source[0])
    return draw(state, 1, events, task.source[0]) if state.deck else state


def _draw_up(game: Game, state: Position, task: Task[int], choice: None, events: Events) -> Position:
    """Reached with a deck that is not empty, or with nothing left to shuffle (R2.2)."""
    cards = state.deck[: task.data]
    lacking = task.data - len(cards)
    todo = (replace(task, data=lacking), *state.todo) if lacking and cards else state.todo
    return replace(state, hand=(*state.hand, *hand.next_slots(state, cards)), deck=state.deck[task.data :], todo=todo)


def draw(state: Position, amount: int, events: Events, by: str) -> Position:
    """Draws known cards off the deck; beyond them a draw is unknown, as far as it is, and gives nothing (R2.2)."""
    for card in state.deck[:amount]:
        state = _into_hand(state, card, state.deck.count(card), events, by)
        state, amount = replace(state, deck=state.deck[1:]), amount - 1
    state, certain, unknown = turn_unseen(state, amount, by, events)
    for card, copies in certain:
        state = _into_hand(state, card, copies, events, by)
    events += [Event("drawn-unknown", by, ("R2.2",))] * unknown
    if unknown < 0:
        events.append(Event("drawn-before", by, ("R2.2",), (("n", -unknown),)))
    return replace(state, unknown_draws=state.unknown_draws + unknown) if unknown else state


def _into_hand(state: Position, card: str, copies: int, events: Events, by: str) -> Position:
    """The state with the card drawn, one of ``copies`` in the deck; where it may be a used one the state notes it."""
    events.append(Event("drawn", card, ("R2.2",), (("by_card", by),)))
    state, slot = hand.come_back(state, card, copies)
    if slot.flags & position.UNSURE:
        events.append(Event("drawn-unsure", card, ("R2.4",)))
    return replace(state, hand=(*state.hand, slot))


hero_options = own_cards("on", select=ops.Select(kind="hero"))


def _on(game: Game, state: Position, task: Task[int], choice: Pick, events: Events) -> Position:
    card, copy = choice.value
    events.append(Event("given", task.source[0], ("R4.1",), (("hero_card", card), ("hero_copy", copy))))
    return hand.mark_hero(state, choice.value, (hand.find(state, task.source)[0].face, task.data))


def _move_options(game: Game, state: Position, task: Task[ops.MoveMonster]) -> Answers:
    options: list[Rank | Order] = []
    if "bottom" in task.data.ways:
        options += [Rank("bottom", rank) for rank in hall.removable_ranks(game, state, task.source[0])]
    if "order" in task.data.ways:
        movable = hall.movable_ranks(game, state, task.source[0])
        fixed_ranks = {rank for rank, foe in enumerate(state.hall, 1) if hall.is_monster(game, foe)}.difference(movable)
        stuck = [place for place, foe in enumerate(state.hall) if not foe.card or place + 1 in fixed_ranks]
        distinct = dict[tuple[Foe, ...], Order]()
        for order in ORDERS:
            if all(order[place] == place for place in stuck):
                distinct.setdefault(tuple(state.hall[rank] for rank in order), Order(order))
        options += distinct.values()
    return tuple(options)


def move(game: Game, state: Position, task: Task[Any], choice: Rank | Order, events: Events) -> Position:
    if isinstance(choice, Rank):
        rule, destination = "R4.6" if state.battle is None else "R6.5", "taken" if choice.key == "take" else "under"
        state = hall.take_away(game, state, choice.value, task.source[0], rule, destination, events)
        return hall.refill(game, state, events)
    first, *behind = (state.hall[place] for place in choice.value)
    state = replace(state, hall=(first, *(game.variant.moved(state, foe) for foe in behind)))
    order = tuple(zip("abc", (foe.card for foe in state.hall), strict=True))
    events.append(Event("reordered", task.source[0], ("R4.6",), order))
    return state if choice.value[0] == 0 else replace(state, todo=(Task("arrive"), *state.todo))


def takeable(game: Game, state: Position, vp: Container[int | None]) -> Answers:
    """The monsters of the hall with these victory points that may be taken."""
    ranks = hall.removable_ranks(game, state)
    return tuple(Rank("take", rank) for rank in ranks if game.cards[state.hall[rank - 1].card].vp in vp)


def arm(game: Game, state: Position, weapon: Ref, hero: Ref) -> Position:
    """A hero holds the weapon; what that gives at once is still to be done (R4.3)."""
    gains = tuple(Task("gain", weapon, op) for op in game.cards[weapon[0]].passive if op.op == "gain-on-equip")
    return replace(hand.equip(state, weapon, hero), todo=(*gains, *state.todo))


def each_other(state: Position, name: str, source: Ref, data: Any) -> tuple[Task[For[Any]], ...]:
    """One task for each other player, in turn order; none in a described scenario."""
    seats = () if state.table is None else state.table.others()
    return tuple(Task(name, source, For(seat, data)) for seat in seats)


def _discards(game: Game, state: Position, task: Task[ops.OpponentsDiscard], choice: None, events: Events) -> Position:
    events.append(Event("opponents-discard", task.source[0], ("R4.7",)))
    select = task.data.select or ops.Select()
    return others_discard(state, task.source, (select, task.data.amount, task.data.instead))


def others_discard(state: Position, source: Ref, demand: Demand) -> Position:
    """Puts on the stack that every other player discards: (which cards, how many, or one of which instead)."""
    if state.table is None:
        return state
    state = replace(state, table=replace(state.table, shown=()))
    return replace(state, todo=(*each_other(state, "other-discards", source, demand), *state.todo))


def gain_cards(game: Game, state: Position, task: Task[ops.Gain], choice: None, events: Events) -> Position:
    card, amount, table = task.data.card, task.data.amount, state.table
    if task.data.who != "opponents":
        return gain(state, card, amount, task.source[0], "R0.3" if task.name == "gain" else "R5.2", events)
    events.append(Event("opponents-gain", task.source[0], ("R4.7",), (("gained_card", card),)))
    if table is not None:
        for seat in table.others():
            table = table.onto_pile(seat, *[card] * amount)
    return replace(state, table=table)


def gain(state: Position, card: str, amount: int, by: str, rule: str, events: Events) -> Position:
    """Puts ``amount`` copies of the card on the player's discard pile."""
    events.append(Event("gained", card, (rule,), (("by_card", by), ("n", amount))))
    return replace(state, gained=(*state.gained, *[card] * amount))


PREPARATION_HANDLERS: Handlers = {
    "destroy": (_destroy_options, on_choice(destroy_chosen, VOID)),
    "destroy-self": (None, _destroy_self),
    "discard": (own_cards("discard", position.BORROWED), on_choice(_discard, VOID)),
    "draw": (None, _draw),
    DRAW_ONE: (None, _draw_one),
    DRAW_UP: (None, _draw_up),
    "on": (hero_options, on_choice(_on, VOID)),
    "move-monster": (_move_options, on_choice(move, void("R6.8"))),
    "take-monster": (lambda game, state, task: takeable(game, state, task.data.vp), on_choice(move, VOID)),
    "discard-any": (own_cards("discard", OTHERS_CARD, ops.Select()), on_choice(_discard)),
    "opponents-discard": (None, _discards),
    "gain": (None, gain_cards),
}
