"""A visit to the village: use effects, count gold, buy, level up (R3), in the manner of the dungeon turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from thunderref.engine.book import Ability, Book, Spec
from thunderref.engine.chance import waits_for_chance
from thunderref.engine.hand import find, removed, replaced
from thunderref.engine.state import Action, Ref, Slot, Table, Task
from thunderref.engine.values import replace
from thunderref.engine.village_effects import apply, options
from thunderref.engine.visit import Visit, gold_in_play, payable, with_turn
from thunderref.engine.world import taken, tops
from thunderref.errors import IllegalStepError
from thunderref.explain.terms import Event
from thunderref.model.effect import Destroy, DestroySelf, DiscardOwn

ENDLESS = 10**6
Problem = tuple[str, str, dict[str, Any]]
"""Why something is illegal: error code, rule, fields."""

# what is allowed


def legal_actions(table: Table, visit: Visit) -> tuple[Action, ...]:
    """Every legal action in canonical order; () only when the visit is over.

    ``use`` (ref, effect), ``choose`` (key, ref) while an effect waits, ``count`` (gold, R3.2), ``buy`` (card, 0),
    ``level_up`` (ref, card), ``end``.
    """
    if visit.turn.todo:
        return tuple(Action("choose", key, value) for key, value in options(table, visit, visit.turn.todo[0]) or ())
    if visit.phase == "effects":
        return (*uses(table, visit), Action("count"))
    if visit.phase == "end":
        return ()
    found: tuple[Action, ...] = ()
    if visit.phase == "buy" and visit.buys:
        found = _purchases(table.book, tuple([card for card, left in visit.offer if left]), visit.gold)
    xp = visit.turn.xp
    if xp:
        found += tuple([Action("level_up", ref, to) for ref, to, _ in level_ups(table, visit, xp)])
    return (*found, END)


END = Action("end")


@lru_cache(maxsize=1024)
def _purchases(book: Book, cards: tuple[str, ...], gold: int) -> tuple[Action, ...]:
    """What can be bought where copies of these cards are left (R3.3): asked again and again in one game."""
    found = tops(book, tuple([(card, 1) for card in cards]))
    return tuple([Action("buy", card, 0) for card in found if book[card].cost <= gold])


def uses(table: Table, visit: Visit) -> Iterator[Action]:
    """The village effects that may be used (R3.1, R2.4)."""
    specs = table.book.specs
    for slot in visit.turn.hand:
        for ability in specs[slot.form or slot.card].village:
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
            other.ref != gone for other in payable(table, visit, cost)
        ):
            return "cannot-pay", "R3.1", card
    return None


def buy_problem(table: Table, visit: Visit, card: str) -> Problem | None:
    """Why the card cannot be bought now (R3.3)."""
    spec, fields = table.book[card], {"card": card}
    if not dict(visit.offer).get(card):
        return "not-on-offer", "R3.3", fields
    if card not in tops(table.book, visit.offer):
        return "not-on-top", "R3.3", fields
    if not visit.buys:
        if visit.after:
            return f"buy-{visit.after[0]}-first", "R3.3", fields
        return "no-purchase-left", "R3.3", {**fields, "n": len(visit.bought)}
    if spec.cost > visit.gold:
        return "too-dear", "R3.3", {**fields, "cost": spec.cost, "gold": visit.gold}
    return None


def level_ups(table: Table, visit: Visit, most: int = ENDLESS) -> Iterator[tuple[Ref, str, int]]:
    """Every hero in play with the card he may become, as far as one is left, and what it costs: ``most`` XP (R3.5)."""
    specs = table.book.specs
    for slot in visit.turn.hand:
        hero = specs[slot.card]
        if not hero.is_hero or not hero.level_cost or hero.level_cost > most:
            continue
        for card, left in visit.offer:
            to = specs[card]
            if left and to.level and is_next(hero, to):
                yield slot.ref, card, hero.level_cost


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
    try:
        problem = _problem(table, visit, action)
    except KeyError:
        card, copy = action.a
        return IllegalStepError("not-in-play", rule="R3.1", card=card, copy=copy)
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
    return carried_out(table, visit, action, events), tuple(events)


def carried_out(table: Table, visit: Visit, action: Action, events: list[Event]) -> Visit:
    """Like :func:`play`; what happens is added to ``events``."""
    if action.kind == "choose":
        task = visit.turn.todo[0]
        visit = apply(table, with_turn(visit, todo=visit.turn.todo[1:]), task, (action.a, action.b), events)
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
        visit = replace(visit, phase="end")
    else:
        raise IllegalStepError("illegal-action", rule="R3.1", action=action.kind)
    return settle(table, visit, events)


def settle(table: Table, visit: Visit, events: list[Event]) -> Visit:
    """Carries out what waits until somebody has to choose or, in a game, to shuffle."""
    while visit.turn.todo:
        task = visit.turn.todo[0]
        if waits_for_chance(visit.turn) or options(table, visit, task):
            break
        visit = apply(table, with_turn(visit, todo=visit.turn.todo[1:]), task, None, events)
    return visit


def _use(table: Table, visit: Visit, ref: Ref, number: int, events: list[Event]) -> Visit:
    slot, _ = find(visit.turn, ref)
    ability = table.book[slot.face].village[number - 1]
    events.append(Event("effect-used", slot.card, ("R3.1",), (("copy", slot.copy), ("effect", ability.id))))
    turn = replaced(visit.turn, ref, replace(slot, used=tuple(sorted((*slot.used, number)))))
    todo = tuple(Task(operation.op, ref, operation) for operation in (*ability.cost, *ability.instant))
    return replace(visit, turn=replace(turn, todo=(*todo, *turn.todo)), paid="")


def _count(table: Table, visit: Visit, events: list[Event]) -> Visit:
    counted = [visit.gold] if visit.gold else []
    copies: dict[str, int] = {}
    for slot in visit.turn.hand:
        copies[slot.card] = copies.get(slot.card, 0) + 1
    specs = table.book.specs
    for card, n in copies.items():
        value = specs[card].gold
        if value:
            key = "card-gold" if n == 1 else "cards-gold"
            events.append(Event(key, card, ("R3.2",), (("gold", n * value), ("n", n), ("value", value))))
            counted.append(n * value)
    visit = replace(visit, phase="buy", gold=visit.gold + gold_in_play(table, visit), paid="")
    numbers = (("total", visit.gold), ("buys", visit.buys), ("counted", tuple(counted)))
    events.append(Event("gold-total", "", ("R3.2", "R3.3"), numbers))
    return visit


def _buy(table: Table, visit: Visit, card: str, events: list[Event]) -> Visit:
    spec = table.book[card]
    left = visit.gold - spec.cost
    events.append(Event("purchased", card, ("R3.3",), (("gold_paid", spec.cost), ("left", left))))
    opened = [kind for kind in visit.after if kind in spec.types]
    for kind in opened:
        events.append(Event(f"extra-buy-opened.{kind}", card, ("R3.3",)))
    return replace(
        visit,
        turn=replace(visit.turn, gained=(*visit.turn.gained, card)),
        gold=left,
        buys=visit.buys - 1 + len(opened),
        after=tuple(kind for kind in visit.after if kind not in opened),
        offer=taken(visit.offer, card),
        bought=(*visit.bought, card),
    )


def _level_up(table: Table, visit: Visit, ref: Ref, to: str, events: list[Event]) -> Visit:
    cost = level_cost(table.book[ref[0]])
    left = visit.turn.xp - cost
    fields = (("to_card", to), ("xp_paid", cost), ("left", left), ("copy", ref[1]))
    events.append(Event("levelled", ref[0], ("R3.5",), fields))
    turn = removed(visit.turn, ref)
    turn = replace(turn, destroyed=(*turn.destroyed, ref), gained=(*turn.gained, to), xp=left)
    return replace(visit, turn=turn, phase="level", offer=taken(visit.offer, to))
