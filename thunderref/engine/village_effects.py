"""What the operations of village effects do: each task waits for a choice or happens by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thunderref.engine import tasks
from thunderref.engine.hand import find, removed
from thunderref.engine.state import Ref, State, Table, Task
from thunderref.engine.values import replace
from thunderref.engine.visit import Visit, payable, with_turn
from thunderref.explain.terms import Event
from thunderref.model.effect import Custom, Select


def options(table: Table, visit: Visit, task: Task) -> tuple[tasks.Choice, ...] | None:
    """The choices of a task as (key, card); None (or none at all) if it happens by itself."""
    if task.name not in EFFECTS:  # what is the same in the village and in the dungeon
        return tasks.HANDLERS[task.name][0](table, visit.turn, task)
    key = {"destroy": "destroy", "discard": "discard", "top-deck": "hero"}.get(task.name)
    if key is None:
        return None
    return tuple((key, slot.ref) for slot in payable(table, visit, task.data))


def apply(table: Table, visit: Visit, task: Task, choice: tasks.Choice | None, events: list[Event]) -> Visit:
    """Carries out a task that has been taken off the stack; ``choice`` is None if there was nothing to choose."""
    if task.name not in EFFECTS:
        return replace(visit, turn=tasks.HANDLERS[task.name][1](table, visit.turn, task, choice, events))
    return EFFECTS[task.name](table, visit, task, None if choice is None else choice[1], events)


Effect = Callable[[Table, Visit, Task, Ref | None, list[Event]], Visit]


def _destroy(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    ref = task.source if task.name == "destroy-self" else choice
    if ref is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    turn = tasks.destroy(table, visit.turn, ref, events, task.source[0], ("R0.3",))
    return replace(visit, turn=turn, paid=visit.paid if task.name == "destroy-self" else ref[0])


def _discard(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if choice is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    return replace(visit, turn=tasks.discard(visit.turn, choice, events), paid=choice[0])


def _draw(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    amount = task.data.amount
    if task.data.per is not None:
        amount *= len(tasks.candidates(table, visit.turn, task.data.per, None, used_too=True))
        if not amount:
            events.append(Event("void", task.source[0], ("R2.2",)))
    if visit.turn.world is not None:
        todo = (*(Task(tasks.DRAW_ONE, task.source) for _ in range(amount)), *visit.turn.todo)
        return with_turn(visit, todo=todo)
    return _drawn_again(visit, tasks.draw(visit.turn, amount, events, task.source[0]))


def _draw_one(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    return _drawn_again(visit, tasks.HANDLERS[task.name][1](table, visit.turn, task, None, events))


def _drawn_again(visit: Visit, turn: State) -> Visit:
    """The visit after a draw; of a card that was put on the deck this turn what was used stays used (R2.4)."""
    if not visit.on_deck:
        return replace(visit, turn=turn)
    first = len(visit.turn.hand)
    hand = list(turn.hand)
    back = list(zip(range(first, len(hand)), visit.on_deck, strict=False))
    for place, (_, used) in back:
        hand[place] = replace(hand[place], used=used)
    return replace(visit, turn=replace(turn, hand=tuple(hand)), on_deck=visit.on_deck[len(back) :])


def _top_deck(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if choice is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    fields = (("by_card", task.source[0]), ("copy", choice[1]))
    events.append(Event("top-decked", choice[0], ("R3.2",), fields))
    hero, _ = find(visit.turn, choice)
    turn = removed(visit.turn, choice)
    on_deck = ((choice[0], hero.used), *visit.on_deck)
    return replace(visit, turn=replace(turn, deck=(choice[0], *turn.deck)), on_deck=on_deck)


def _gold(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    operation, card = task.data, task.source[0]
    gold, key = operation.amount, "gold-gained"
    fields: tuple[tuple[str, Any], ...] = ()
    if operation.value_of_destroyed:
        value = table.book[visit.paid].gold or 0
        key, fields = "gold-of-destroyed", (("base", gold), ("value", value), ("destroyed_card", visit.paid))
        gold += value
    elif operation.per is not None:
        found = tasks.candidates(table, visit.turn, operation.per, None, used_too=True)
        n = sum(slot.ref != task.source for slot in found) if operation.other else len(found)
        key, fields = "gold-for-each", (("n", n),)
        gold *= n
    events.append(Event(key, card, ("R3.2",), (("gold", gold), *fields)))
    return replace(visit, gold=visit.gold + gold)


def _gold_per_player(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    gold = task.data.amount * table.players
    events.append(Event("gold-per-player", task.source[0], ("R3.2",), (("gold", gold), ("n", table.players))))
    return replace(visit, gold=visit.gold + gold)


def _extra_buy(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if task.data.after is None:
        events.append(Event("extra-buy", task.source[0], ("R3.3",)))
        return replace(visit, buys=visit.buys + 1)
    events.append(Event(f"extra-buy.{task.data.after}", task.source[0], ("R3.3",)))
    return replace(visit, after=tuple(sorted((*visit.after, task.data.after))))


def _gain_xp(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    withheld = task.data.unless_destroyed
    if withheld is not None and visit.paid and table.book[visit.paid].matches(withheld):
        events.append(Event("xp-withheld", task.source[0], ("R3.1",), (("destroyed_card", visit.paid),)))
        return visit
    return _xp(visit, task.data.amount, task.source[0], events)


def _xp(visit: Visit, amount: int, card: str, events: list[Event]) -> Visit:
    events.append(Event("xp-gained", card, ("R3.1",), (("xp", amount),)))
    return with_turn(visit, xp=visit.turn.xp + amount)


def _opponents_discard(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    return replace(visit, turn=tasks.HANDLERS[task.name][1](table, visit.turn, task, None, events))


def _custom(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    operation: Custom = task.data
    return CUSTOM[operation.name](table, visit, task, choice, events)


def _brawl(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    """Tavern Brawl: the discarded hero against the one that a player turns up; a draw destroys nobody."""
    if visit.turn.world is not None:
        return with_turn(visit, todo=(Task("brawl-player", task.source, visit.paid), *visit.turn.todo))
    other = visit.known.brawl_hero
    if other is None:
        events.append(Event("brawl-unknown", task.source[0], ("R4.11",)))
        return visit
    visit = replace(visit, known=replace(visit.known, brawl_hero=None))
    mine, theirs = table.book[visit.paid].strength, table.book[other].strength
    fields = (("hero_card", visit.paid), ("other_card", other), ("mine", mine), ("theirs", theirs))
    events.append(Event("brawl-won" if mine > theirs else "brawl-lost", task.source[0], ("R4.7",), fields))
    return _xp(visit, 1, task.source[0], events) if mine > theirs else visit


def _tax(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    """Tax Collector: the gold of what the other players discard."""
    if visit.turn.world is not None:
        turn = replace(visit.turn, todo=(Task("tax-take", task.source), *visit.turn.todo))
        return replace(visit, turn=tasks.others_discard(turn, task.source, (Select(gives="gold"), 1, None)))
    gold = visit.known.discarded_gold
    if gold is None:
        events.append(Event("tax-unknown", task.source[0], ("R4.11",)))
        return visit
    events.append(Event("tax", task.source[0], ("R4.7",), (("gold", gold),)))
    return replace(visit, gold=visit.gold + gold, known=replace(visit.known, discarded_gold=None))


def _tax_take(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    shown = visit.turn.world.shown if visit.turn.world is not None else ()
    gold = sum(table.book[card].gold or 0 for _, card in shown)
    events.append(Event("tax", task.source[0], ("R4.7",), (("gold", gold),)))
    return replace(visit, gold=visit.gold + gold)


EFFECTS: dict[str, Effect] = {
    "destroy": _destroy,
    "destroy-self": _destroy,
    "discard": _discard,
    "draw": _draw,
    tasks.DRAW_ONE: _draw_one,
    "top-deck": _top_deck,
    "gold": _gold,
    "gold-per-player": _gold_per_player,
    "extra-buy": _extra_buy,
    "gain-xp": _gain_xp,
    "opponents-discard": _opponents_discard,
    "custom": _custom,
    "tax-take": _tax_take,
}
"""Operation -> what it does on a visit."""
CUSTOM: dict[str, Effect] = {"brawl": _brawl, "tax": _tax}
"""Named handlers of ``custom`` operations."""
