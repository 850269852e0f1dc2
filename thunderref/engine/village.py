"""A visit to the village as values: use effects, count gold, buy, level up (R3), in the manner of the dungeon turn.

The revealed hand, the deck, what was drawn, destroyed and gained live in the same :class:`State` as in the dungeon,
with an empty hall; a :class:`Visit` adds the gold, the purchases and the stacks on offer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from thunderref.engine import tasks
from thunderref.engine.book import Ability, Spec
from thunderref.engine.hall import NOBODY
from thunderref.engine.hand import find, removed, replaced
from thunderref.engine.state import Action, Ref, Slot, State, Table, Task, key_of
from thunderref.errors import IllegalStepError
from thunderref.explain.terms import Event
from thunderref.model.effect import Custom, Destroy, DestroySelf, DiscardOwn

UNCOUNTED = -1
"""A stack of which only is known that a card is left."""
FOR_SALE = ("basic", "hero", "village")
PHASES = ("effects", "buy", "level", "end")

Problem = tuple[str, str, dict[str, Any]]
"""Why something is illegal: error code, rule, fields."""


class Known(NamedTuple):
    """What is known of the other players, each figure for the first effect that asks for it (R4.11)."""

    discarded_gold: int | None = None
    """Gold of the cards they discard to a Tax Collector."""
    brawl_hero: str | None = None
    """The hero a player turns up in a Tavern Brawl."""


class Visit(NamedTuple):
    """A moment of a visit to the village.

    ``gold`` is what effects gave, from the count on (phase ``buy``) what is left to spend; ``buys`` the purchases left;
    ``after`` the types of which one must be bought first, one entry for each further purchase (Blacksmith); ``offer``
    the stacks as (card, copies left), :data:`UNCOUNTED` for an unknown number. ``paid`` is the card that was destroyed
    or discarded as the cost of the effect under way.
    """

    turn: State
    phase: str = "effects"
    gold: int = 0
    buys: int = 1
    after: tuple[str, ...] = ()
    offer: tuple[tuple[str, int], ...] = ()
    offer_known: bool = False
    """False if nobody said what is on offer: then all stacks count as full."""
    known: Known = Known()
    bought: tuple[str, ...] = ()
    paid: str = ""
    on_deck: tuple[str, ...] = ()
    """Cards put on top of the own deck that are still there."""


def visit_of(
    hand: tuple[str, ...],
    deck: tuple[str, ...] = (),
    xp: int = 0,
    offer: tuple[tuple[str, int], ...] = (),
    *,
    offer_known: bool = False,
    known: Known | None = None,
) -> Visit:
    """The beginning of a visit: the cards of the revealed hand, the known cards on top of the deck, the XP owned."""
    copies: dict[str, int] = {}
    slots = []
    for card in hand:
        copies[card] = copies.get(card, 0) + 1
        slots.append(Slot(card, copies[card]))
    turn = State("prepare", tuple(slots), (NOBODY, NOBODY, NOBODY), (), deck, (), xp=xp)
    return Visit(turn, offer=offer, offer_known=offer_known, known=known or Known())


def key_of_visit(visit: Visit) -> tuple[Any, ...]:
    """What two visits must share to have the same future and the same worth, blind to the numbers of copies."""
    return (*visit[1:], key_of(visit.turn), visit.turn.xp)


# what is allowed


def legal_actions(table: Table, visit: Visit) -> tuple[Action, ...]:
    """Every legal action in canonical order; () only when the visit is over.

    ``use`` (ref, effect), ``choose`` (key, ref) while an effect waits, ``count`` (gold, R3.2), ``buy`` (card, 0),
    ``level_up`` (ref, card), ``end``.
    """
    if visit.turn.todo:
        return tuple(Action("choose", key, value) for key, value in _options(table, visit, visit.turn.todo[0]) or ())
    if visit.phase == "effects":
        return (*uses(table, visit), Action("count"))
    found = []
    if visit.phase == "buy":
        found += [Action("buy", card, 0) for card, _ in visit.offer if buy_problem(table, visit, card) is None]
    if visit.phase in ("buy", "level"):
        found += [Action("level_up", ref, to) for ref, to, cost in level_ups(table, visit) if cost <= visit.turn.xp]
        found.append(Action("end"))
    return tuple(found)


def uses(table: Table, visit: Visit) -> Iterator[Action]:
    """The village effects that may be used (R3.1, R2.4)."""
    for slot in visit.turn.hand:
        for ability in table.book[slot.face].village:
            if _use_problem(table, visit, slot, ability) is None:
                yield Action("use", slot.ref, ability.number)


def _use_problem(table: Table, visit: Visit, slot: Slot, ability: Ability) -> Problem | None:
    card = {"card": slot.card}
    if not ability.repeat and ability.number in slot.used:
        return "used-twice", "R2.4", card
    gone: Ref | None = None
    for cost in ability.cost:
        if isinstance(cost, DestroySelf):
            gone = slot.ref
        elif isinstance(cost, Destroy | DiscardOwn) and not any(
            other.ref != gone for other in _payable(table, visit, cost)
        ):
            return "cannot-pay", "R3.1", card
    return None


def _payable(table: Table, visit: Visit, cost: Destroy | DiscardOwn) -> list[Slot]:
    """Cards that may be destroyed or discarded: in the village used cards too (R4.2 is the dungeon's)."""
    return tasks.candidates(table, visit.turn, cost.select, None, used_too=True)


def on_top(table: Table, visit: Visit, card: str) -> bool:
    """True if the card lies on top of its stack: no lower level of the family is left (R1.6, R3.3)."""
    spec = table.book[card]
    return not spec.level or not any(
        left and table.book[other].family == spec.family and 0 < table.book[other].level < spec.level
        for other, left in visit.offer
    )


def buy_problem(table: Table, visit: Visit, card: str) -> Problem | None:
    """Why the card cannot be bought now (R3.3)."""
    spec, fields = table.book[card], {"card": card}
    if not dict(visit.offer).get(card):
        return "not-on-offer", "R3.3", fields
    if not on_top(table, visit, card):
        return "not-on-top", "R3.3", fields
    if not visit.buys:
        if visit.after:
            return f"buy-{visit.after[0]}-first", "R3.3", fields
        return "no-purchase-left", "R3.3", {**fields, "n": len(visit.bought)}
    if spec.cost > visit.gold:
        return "too-dear", "R3.3", {**fields, "cost": spec.cost, "gold": visit.gold}
    return None


def level_ups(table: Table, visit: Visit) -> Iterator[tuple[Ref, str, int]]:
    """Every hero in play with the card he may become, as far as one is left, and what it costs in XP (R3.5)."""
    for slot in visit.turn.hand:
        for card, left in visit.offer:
            if left and is_next(table.book[slot.card], table.book[card]):
                yield slot.ref, card, level_cost(table.book[slot.card])


def is_next(hero: Spec, to: Spec) -> bool:
    """True if ``to`` is what ``hero`` becomes: the next level of his family, of a Militia any level 1 hero."""
    if to.kind != "hero" or not hero.is_hero:
        return False
    if "militia" in hero.types:
        return to.level == 1
    return bool(hero.level) and to.family == hero.family and to.level == hero.level + 1


def level_cost(hero: Spec) -> int:
    """The XP that the hero's next level costs; 0 if he has none."""
    return hero.level_cost or 0


def level_problem(table: Table, visit: Visit, ref: Ref, to: str) -> Problem | None:
    """Why the hero cannot be levelled up to that card now (R3.5); KeyError if he is not in play."""
    hero, aim = table.book[find(visit.turn, ref)[0].card], table.book[to]
    fields = {"card": ref[0], "to_card": to}
    if not level_cost(hero):
        return "no-next-level", "R3.5", fields
    if not is_next(hero, aim):
        return "wrong-level", "R3.5", fields
    if not dict(visit.offer).get(to):
        return "level-not-left", "R3.5", fields
    if level_cost(hero) > visit.turn.xp:
        return "too-little-xp", "R3.5", {**fields, "cost": level_cost(hero), "xp": visit.turn.xp}
    return None


def explain_illegal(table: Table, visit: Visit, action: Action) -> IllegalStepError | None:
    """None if the action is legal, else the error that names the rule against it."""
    problem = _problem(table, visit, action)
    if problem is None:
        return None
    code, rule, params = problem
    return IllegalStepError(code, rule=rule, **params)


def _problem(table: Table, visit: Visit, action: Action) -> Problem | None:
    kind = action.kind
    if visit.turn.todo or kind == "choose":
        if action in legal_actions(table, visit):
            return None
        source = visit.turn.todo[0].source[0] if visit.turn.todo else ""
        return "illegal-choice", "R3.1", {"card": source, "key": str(action.a), "value": str(action.b)}
    if kind in ("use", "count") and visit.phase != "effects":
        return "gold-counted", "R3.2", {}
    if kind == "buy" and visit.phase == "effects":
        return "gold-not-counted", "R3.2", {}
    if kind == "buy" and visit.phase != "buy":
        return "buy-before-level-up", "R3.4", {"card": action.a}
    if kind == "level_up" and visit.phase == "effects":
        return "gold-not-counted", "R3.2", {}
    if kind == "end" and visit.phase in ("effects", "end"):
        return "gold-not-counted", "R3.2", {}
    if kind == "use":
        slot, _ = find(visit.turn, action.a)
        numbers = {ability.number: ability for ability in table.book[slot.face].village}
        if action.b not in numbers:
            return "no-such-village-effect", "R3.1", {"card": slot.card, "number": action.b}
        return _use_problem(table, visit, slot, numbers[action.b])
    if kind == "buy":
        return buy_problem(table, visit, action.a)
    if kind == "level_up":
        return level_problem(table, visit, action.a, action.b)
    return None if kind in ("count", "end") else ("illegal-action", "R3.1", {"action": kind})


# what happens


def child(table: Table, visit: Visit, action: Action) -> tuple[Visit, tuple[Event, ...]]:
    """The visit after ``action`` and the events it caused; raises :class:`IllegalStepError` if it is not legal."""
    problem = explain_illegal(table, visit, action)
    if problem is not None:
        raise problem
    return play(table, visit, action)


def play(table: Table, visit: Visit, action: Action) -> tuple[Visit, tuple[Event, ...]]:
    """Like :func:`child` for an action known to be legal."""
    events: list[Event] = []
    if action.kind == "choose":
        task = visit.turn.todo[0]
        visit = _apply(table, _turn(visit, todo=visit.turn.todo[1:]), task, action.b, events)
    elif action.kind == "use":
        visit = _use(table, visit, action.a, action.b, events)
    elif action.kind == "count":
        visit = _count(table, visit, events)
    elif action.kind == "buy":
        visit = _buy(table, visit, action.a, events)
    elif action.kind == "level_up":
        visit = _level_up(table, visit, action.a, action.b, events)
    elif action.kind == "end":
        if visit.gold:
            events.append(Event("gold-lost", "", ("R3.3",), (("left", visit.gold),)))
        visit = visit._replace(phase="end")
    else:
        raise IllegalStepError("illegal-action", rule="R3.1", action=action.kind)
    while visit.turn.todo and not _options(table, visit, visit.turn.todo[0]):
        task = visit.turn.todo[0]
        visit = _apply(table, _turn(visit, todo=visit.turn.todo[1:]), task, None, events)
    return visit, tuple(events)


def _turn(visit: Visit, **changes: Any) -> Visit:
    return visit._replace(turn=visit.turn._replace(**changes))


def _use(table: Table, visit: Visit, ref: Ref, number: int, events: list[Event]) -> Visit:
    slot, _ = find(visit.turn, ref)
    ability = table.book[slot.face].village[number - 1]
    events.append(Event("effect-used", slot.card, ("R3.1",), (("copy", slot.copy), ("effect", ability.id))))
    turn = replaced(visit.turn, ref, slot._replace(used=tuple(sorted((*slot.used, number)))))
    todo = tuple(Task(operation.op, ref, operation) for operation in (*ability.cost, *ability.instant))
    return visit._replace(turn=turn._replace(todo=(*todo, *turn.todo)), paid="")


def _options(table: Table, visit: Visit, task: Task) -> tuple[tuple[str, Ref], ...] | None:
    """The choices of a task; None (or none at all) if it happens by itself."""
    key = {"destroy": "destroy", "discard": "discard", "top-deck": "hero"}.get(task.name)
    if key is None:
        return None
    return tuple((key, slot.ref) for slot in _payable(table, visit, task.data))


def _apply(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    return EFFECTS[task.name](table, visit, task, choice, events)


Effect = Callable[[Table, Visit, Task, Ref | None, list[Event]], Visit]


def _destroy(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    ref = task.source if task.name == "destroy-self" else choice
    if ref is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    turn = tasks.destroy(table, visit.turn, ref, events, task.source[0], ("R0.3",))
    return visit._replace(turn=turn, paid=visit.paid if task.name == "destroy-self" else ref[0])


def _discard(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if choice is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    return visit._replace(turn=tasks.discard(visit.turn, choice, events), paid=choice[0])


def _draw(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    amount = task.data.amount
    if task.data.per is not None:
        amount *= len(tasks.candidates(table, visit.turn, task.data.per, None, used_too=True))
        if not amount:
            events.append(Event("void", task.source[0], ("R2.2",)))
    visit = visit._replace(turn=tasks.draw(visit.turn, amount, events, task.source[0]))
    return visit._replace(on_deck=visit.on_deck[amount:]) if visit.on_deck else visit


def _top_deck(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if choice is None:
        events.append(Event("void", task.source[0], ("R3.1",)))
        return visit
    fields = (("by_card", task.source[0]), ("copy", choice[1]))
    events.append(Event("top-decked", choice[0], ("R3.2",), fields))
    turn = removed(visit.turn, choice)
    on_deck = (choice[0], *visit.on_deck)
    return visit._replace(turn=turn._replace(deck=(choice[0], *turn.deck)), on_deck=on_deck)


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
    return visit._replace(gold=visit.gold + gold)


def _gold_per_player(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    gold = task.data.amount * table.players
    events.append(Event("gold-per-player", task.source[0], ("R3.2",), (("gold", gold), ("n", table.players))))
    return visit._replace(gold=visit.gold + gold)


def _extra_buy(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    if task.data.after is None:
        events.append(Event("extra-buy", task.source[0], ("R3.3",)))
        return visit._replace(buys=visit.buys + 1)
    events.append(Event(f"extra-buy.{task.data.after}", task.source[0], ("R3.3",)))
    return visit._replace(after=tuple(sorted((*visit.after, task.data.after))))


def _gain_xp(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    withheld = task.data.unless_destroyed
    if withheld is not None and visit.paid and table.book[visit.paid].matches(withheld):
        events.append(Event("xp-withheld", task.source[0], ("R3.1",), (("destroyed_card", visit.paid),)))
        return visit
    return _xp(visit, task.data.amount, task.source[0], events)


def _xp(visit: Visit, amount: int, card: str, events: list[Event]) -> Visit:
    events.append(Event("xp-gained", card, ("R3.1",), (("xp", amount),)))
    return _turn(visit, xp=visit.turn.xp + amount)


def _opponents_discard(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    events.append(Event("opponents-discard", task.source[0], ("R4.7",)))
    return visit


def _custom(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    operation: Custom = task.data
    return CUSTOM[operation.name](table, visit, task, choice, events)


def _brawl(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    """Tavern Brawl: the discarded hero against the one that a player turns up; a draw destroys nobody."""
    other = visit.known.brawl_hero
    if other is None:
        events.append(Event("brawl-unknown", task.source[0], ("R4.11",)))
        return visit
    visit = visit._replace(known=visit.known._replace(brawl_hero=None))
    mine, theirs = table.book[visit.paid].strength, table.book[other].strength
    fields = (("hero_card", visit.paid), ("other_card", other), ("mine", mine), ("theirs", theirs))
    events.append(Event("brawl-won" if mine > theirs else "brawl-lost", task.source[0], ("R4.7",), fields))
    return _xp(visit, 1, task.source[0], events) if mine > theirs else visit


def _tax(table: Table, visit: Visit, task: Task, choice: Ref | None, events: list[Event]) -> Visit:
    """Tax Collector: the gold of what the other players discard."""
    gold = visit.known.discarded_gold
    if gold is None:
        events.append(Event("tax-unknown", task.source[0], ("R4.11",)))
        return visit
    events.append(Event("tax", task.source[0], ("R4.7",), (("gold", gold),)))
    return visit._replace(gold=visit.gold + gold, known=visit.known._replace(discarded_gold=None))


EFFECTS: dict[str, Effect] = {
    "destroy": _destroy,
    "destroy-self": _destroy,
    "discard": _discard,
    "draw": _draw,
    "top-deck": _top_deck,
    "gold": _gold,
    "gold-per-player": _gold_per_player,
    "extra-buy": _extra_buy,
    "gain-xp": _gain_xp,
    "opponents-discard": _opponents_discard,
    "custom": _custom,
}
"""Operation -> what it does on a visit."""
CUSTOM: dict[str, Effect] = {"brawl": _brawl, "tax": _tax}
"""Named handlers of ``custom`` operations."""


def gold_in_play(table: Table, visit: Visit) -> int:
    """The gold of the revealed cards still in play (R3.2)."""
    return sum(table.book[slot.face].gold or 0 for slot in visit.turn.hand)


def _count(table: Table, visit: Visit, events: list[Event]) -> Visit:
    copies: dict[str, int] = {}
    for slot in visit.turn.hand:
        copies[slot.card] = copies.get(slot.card, 0) + 1
    for card, n in copies.items():
        value = table.book[card].gold
        if value:
            key = "card-gold" if n == 1 else "cards-gold"
            events.append(Event(key, card, ("R3.2",), (("gold", n * value), ("n", n), ("value", value))))
    visit = visit._replace(phase="buy", gold=visit.gold + gold_in_play(table, visit), paid="")
    events.append(Event("gold-total", "", ("R3.2", "R3.3"), (("total", visit.gold), ("buys", visit.buys))))
    return visit


def _taken(offer: tuple[tuple[str, int], ...], card: str) -> tuple[tuple[str, int], ...]:
    return tuple((other, left - 1 if other == card and left > 0 else left) for other, left in offer)


def _buy(table: Table, visit: Visit, card: str, events: list[Event]) -> Visit:
    spec = table.book[card]
    left = visit.gold - spec.cost
    events.append(Event("purchased", card, ("R3.3",), (("gold_paid", spec.cost), ("left", left))))
    opened = [kind for kind in visit.after if kind in spec.types]
    for kind in opened:
        events.append(Event(f"extra-buy-opened.{kind}", card, ("R3.3",)))
    return visit._replace(
        turn=visit.turn._replace(gained=(*visit.turn.gained, card)),
        gold=left,
        buys=visit.buys - 1 + len(opened),
        after=tuple(kind for kind in visit.after if kind not in opened),
        offer=_taken(visit.offer, card),
        bought=(*visit.bought, card),
    )


def _level_up(table: Table, visit: Visit, ref: Ref, to: str, events: list[Event]) -> Visit:
    cost = level_cost(table.book[ref[0]])
    left = visit.turn.xp - cost
    fields = (("to_card", to), ("xp_paid", cost), ("left", left), ("copy", ref[1]))
    events.append(Event("levelled", ref[0], ("R3.5",), fields))
    turn = removed(visit.turn, ref)
    turn = turn._replace(destroyed=(*turn.destroyed, ref), gained=(*turn.gained, to), xp=left)
    return visit._replace(turn=turn, phase="level", offer=_taken(visit.offer, to))
