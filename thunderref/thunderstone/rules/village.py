"""A visit to the village: use effects, count gold, buy, level up (R3); and what only village effects do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from thunderref.database import operations as ops
from thunderref.database.card_records import RANKS
from thunderref.thunderstone.rules import position
from thunderref.thunderstone.rules.cards import Ability, Cards, CardSpec
from thunderref.thunderstone.rules.choices import COUNT, END, Answer, Buy, Choice, Count, End, LevelUp, Pick, Use
from thunderref.thunderstone.rules.effects.preparation import VOID, candidates, others_discard, own_cards, unpaid
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Events, Game, Handlers, on_choice, void
from thunderref.thunderstone.rules.hall import NOBODY
from thunderref.thunderstone.rules.hand import destroy_card, find, put_away, to_slots
from thunderref.thunderstone.rules.position import Position, Ref, Slot, Stacks, Task, Visit, replace, table_of

Earning = ops.Gold | ops.GoldPerPlayer
PHASES = frozenset(("village", "buy", "level"))
Problem = tuple[str, str, dict[str, Any]]  # why something is illegal: error code, rule, fields


def visit_of(state: Position) -> Visit:
    """The visit under way; ValueError outside the village."""
    if state.visit is None:
        raise ValueError("this is no visit to the village")
    return state.visit


def with_visit(state: Position, **changes: Any) -> Position:
    return replace(state, visit=replace(visit_of(state), **changes))


def _earned(state: Position, gold: int) -> Position:
    return with_visit(state, gold=visit_of(state).gold + gold)


def begin_visit(hand: tuple[str, ...], deck: tuple[str, ...], xp: int, stacks: Stacks, visit: Visit) -> Position:
    """The beginning of a described visit: the revealed hand, the known top of the deck, the XP owned, the offer."""
    return Position("village", to_slots(hand), (NOBODY,) * RANKS, (), deck, (), xp=xp, stacks=stacks, visit=visit)


def gold_in_play(game: Game, state: Position) -> int:
    """The gold of the revealed cards still in play (R3.2)."""
    return sum([game.cards[slot.form or slot.card].gold or 0 for slot in state.hand])


def visit_choices(game: Game, state: Position) -> tuple[Choice, ...]:
    """Every legal choice of a visit in which no effect waits, in canonical order."""
    if state.phase == "village":
        return (*uses(game, state), COUNT)
    visit = visit_of(state)
    choices: tuple[Choice, ...] = ()
    if state.phase == "buy" and visit.buys:
        priced = _priced(game.cards, tuple([card for card, copies in state.stacks or () if copies]))
        choices = tuple([buy for cost, buy in priced if cost <= visit.gold])
    if state.xp:
        choices += tuple([LevelUp(ref, to) for ref, to, _ in level_ups(game, state, state.xp)])
    return (*choices, END)


@lru_cache(maxsize=4096)
def _priced(cards: Cards, offer: tuple[str, ...]) -> tuple[tuple[int, Buy], ...]:
    return tuple([(cards[card].cost, Buy(card)) for card in position.tops(cards, tuple([(card, 1) for card in offer]))])


def uses(game: Game, state: Position) -> Iterator[Use]:
    """The village effects that may be used (R3.1, R2.4)."""
    for slot in state.hand:
        for ability in game.cards[slot.form or slot.card].village:
            if _use_problem(game, state, slot, ability) is None:
                yield Use(slot.ref, ability.number)


def _use_problem(game: Game, state: Position, slot: Slot, ability: Ability) -> Problem | None:
    card = {"card": slot.card}
    if not ability.repeat and ability.number in slot.used:
        return "used-twice", "R2.4", card
    for cost in ability.cost:
        if isinstance(cost, ops.Destroy | ops.DiscardOwn) and not candidates(game, state, cost.select, None):
            return unpaid(game, state, cost, slot.card)
    return None


def buy_problem(game: Game, state: Position, card: str) -> Problem | None:
    """The reason why the card cannot be bought now (R3.3)."""
    visit, spec, fields = visit_of(state), game.cards[card], {"card": card}
    if not dict(state.stacks or ()).get(card):
        return "not-on-offer", "R3.3", fields
    if card not in position.tops(game.cards, state.stacks or ()):
        return "not-on-top", "R3.3", fields
    if not visit.buys:
        if visit.after:
            return f"buy-{visit.after[0]}-first", "R3.3", fields
        return "no-purchase-left", "R3.3", {**fields, "n": len(visit.bought)}
    if spec.cost > visit.gold:
        return "too-dear", "R3.3", {**fields, "cost": spec.cost, "gold": visit.gold}
    return None


def level_ups(game: Game, state: Position, budget: int = 10**6) -> Iterator[tuple[Ref, str, int]]:
    """Every hero in play with a card left that they may become, and its cost, at most ``budget`` XP (R3.5)."""
    for slot in state.hand:
        hero = game.cards[slot.card]
        if not hero.is_hero or not hero.level_cost or hero.level_cost > budget:
            continue
        for card, copies in state.stacks or ():
            to = game.cards[card]
            if copies and to.level and is_next(hero, to):
                yield slot.ref, card, hero.level_cost


def is_next(hero: CardSpec, to: CardSpec) -> bool:
    """True if ``to`` is what ``hero`` becomes: the next level of the family, for a Militia any level 1 hero."""
    if to.kind != "hero" or not hero.is_hero:
        return False
    if "militia" in hero.types:
        return to.level == 1
    return bool(hero.level) and to.family == hero.family and to.level == hero.level + 1


def level_problem(game: Game, state: Position, ref: Ref, to: str) -> Problem | None:
    """The reason why the hero cannot be levelled up to that card now (R3.5); KeyError if they are not in play."""
    hero, aim = game.cards[find(state, ref)[0].card], game.cards[to]
    fields = {"card": ref[0], "to_card": to}
    if not hero.level_cost:
        return "no-next-level", "R3.5", fields if hero.is_hero else {**fields, "why": "no-hero"}
    if not is_next(hero, aim):
        return "wrong-level", "R3.5", fields
    if not dict(state.stacks or ()).get(to):
        return "level-not-left", "R3.5", fields
    if hero.level_cost > state.xp:
        return "too-little-xp", "R3.5", {**fields, "cost": hero.level_cost, "xp": state.xp}
    return None


def visit_problem(game: Game, state: Position, choice: Choice) -> Problem | None:
    """The reason why a choice is not legal; KeyError for a card that is not in play."""
    phase = state.phase
    if state.todo or isinstance(choice, Answer):
        source = state.todo[0].source[0] if state.todo else ""
        key, value = (choice.key, choice.value) if isinstance(choice, Answer) else ("", "")
        return "illegal-choice", "R3.1", {"card": source, "key": key, "value": str(value)}
    if isinstance(choice, Use | Count) and phase != "village":
        return "gold-counted", "R3.2", {}
    if isinstance(choice, Buy | LevelUp | End) and phase == "village":
        return "gold-not-counted", "R3.2", {}
    if isinstance(choice, Buy):
        if phase != "buy":
            return "buy-before-level-up", "R3.4", {"card": choice.card}
        return buy_problem(game, state, choice.card)
    if isinstance(choice, Use):
        slot, _ = find(state, choice.card)
        abilities = game.cards[slot.face].village
        if not 1 <= choice.effect <= len(abilities):
            why = {} if abilities else {"why": "none"}
            return "no-such-village-effect", "R3.1", {"card": slot.card, "number": choice.effect, **why}
        return _use_problem(game, state, slot, abilities[choice.effect - 1])
    return level_problem(game, state, choice.hero, choice.to) if isinstance(choice, LevelUp) else None


def visit_play(game: Game, state: Position, choice: Choice, events: Events) -> Position:
    """The position after a legal choice of a visit, what it puts on the stack still to be done."""
    if isinstance(choice, Count):
        return _count(game, state, events)
    if isinstance(choice, Buy):
        return _buy(game, state, choice.card, events)
    if isinstance(choice, LevelUp):
        (card, copy), cost = choice.hero, game.cards[choice.hero[0]].level_cost or 0
        fields = (("to_card", choice.to), ("xp_paid", cost), ("left", state.xp - cost), ("copy", copy))
        events.append(Event("levelled", card, ("R3.5",), fields))
        state, gained = position.off_the_stack(state, choice.to), (*state.gained, choice.to)
        return replace(destroy_card(state, choice.hero), phase="level", gained=gained, xp=state.xp - cost)
    gold = visit_of(state).gold
    if gold:
        events.append(Event("gold-lost", "", ("R3.3",), (("left", gold),)))
    return replace(state, phase="end")


def _count(game: Game, state: Position, events: Events) -> Position:
    visit = visit_of(state)
    amounts = [visit.gold] if visit.gold else []
    cards = [slot.card for slot in state.hand]
    for card in dict.fromkeys(cards):
        n, value = cards.count(card), game.cards[card].gold
        if value:
            key = "card-gold" if n == 1 else "cards-gold"
            events.append(Event(key, card, ("R3.2",), (("gold", n * value), ("n", n), ("value", value))))
            amounts.append(n * value)
    gold = visit.gold + gold_in_play(game, state)
    numbers = (("total", gold), ("buys", visit.buys), ("counted", tuple(amounts)))
    events.append(Event("gold-total", "", ("R3.2", "R3.3"), numbers))
    return replace(state, phase="buy", visit=replace(visit, gold=gold, paid=""))


def _buy(game: Game, state: Position, card: str, events: Events) -> Position:
    visit, spec = visit_of(state), game.cards[card]
    remaining = visit.gold - spec.cost
    events.append(Event("purchased", card, ("R3.3",), (("gold_paid", spec.cost), ("left", remaining))))
    opened = [kind for kind in visit.after if kind in spec.types]
    events += [Event(f"extra-buy-opened.{kind}", card, ("R3.3",)) for kind in opened]
    after = tuple(kind for kind in visit.after if kind not in opened)
    visit = replace(visit, gold=remaining, after=after, bought=(*visit.bought, card))
    visit = replace(visit, buys=visit.buys - 1 + len(opened))
    return replace(position.off_the_stack(state, card), visit=visit, gained=(*state.gained, card))


def _top_deck(game: Game, state: Position, task: Task[ops.TopDeck], choice: Pick, events: Events) -> Position:
    card, copy = choice.value
    events.append(Event("top-decked", card, ("R3.2",), (("by_card", task.source[0]), ("copy", copy))))
    return replace(put_away(state, choice.value, position.ON_DECK), deck=(card, *state.deck))


def _gold(game: Game, state: Position, task: Task[Earning], choice: None, events: Events) -> Position:
    operation, card, paid = task.data, task.source[0], visit_of(state).paid
    gold, key = operation.amount, "gold-gained"
    fields: tuple[tuple[str, Any], ...] = ()
    if isinstance(operation, ops.GoldPerPlayer):
        key, fields, gold = "gold-per-player", (("n", game.players),), gold * game.players
    elif operation.value_of_destroyed:
        value = game.cards[paid].gold or 0
        key, fields = "gold-of-destroyed", (("base", gold), ("value", value), ("destroyed_card", paid))
        gold += value
    elif operation.per is not None:
        matches = candidates(game, state, operation.per, None)
        n = sum(slot.ref != task.source for slot in matches) if operation.other else len(matches)
        key, fields, gold = "gold-for-each", (("n", n),), gold * n
    events.append(Event(key, card, ("R3.2",), (("gold", gold), *fields)))
    return _earned(state, gold)


def _extra_buy(game: Game, state: Position, task: Task[ops.ExtraBuy], choice: None, events: Events) -> Position:
    visit, after = visit_of(state), task.data.after
    events.append(Event("extra-buy" if after is None else f"extra-buy.{after}", task.source[0], ("R3.3",)))
    if after is None:
        return with_visit(state, buys=visit.buys + 1)
    return with_visit(state, after=tuple(sorted((*visit.after, after))))


def _gain_xp(game: Game, state: Position, task: Task[ops.GainXp], choice: None, events: Events) -> Position:
    withheld, paid = task.data.unless_destroyed, visit_of(state).paid
    if withheld is not None and paid and game.cards[paid].matches(withheld):
        events.append(Event("xp-withheld", task.source[0], ("R3.1",), (("destroyed_card", paid),)))
        return state
    return with_xp(state, task.data.amount, task.source[0], events)


def with_xp(state: Position, amount: int, card: str, events: Events) -> Position:
    events.append(Event("xp-gained", card, ("R3.1",), (("xp", amount),)))
    return replace(state, xp=state.xp + amount)


def tax(game: Game, state: Position, task: Task[ops.Custom], choice: None, events: Events) -> Position:
    """Tax Collector: the gold of what the other players discard."""
    if state.table is not None:
        state = replace(state, todo=(Task("tax-take", task.source), *state.todo))
        return others_discard(state, task.source, (ops.Select(gives="gold"), 1, None))
    facts = visit_of(state).known
    if facts.discarded_gold is None:
        return void("R4.11", "tax-unknown")(game, state, task, choice, events)
    events.append(Event("tax", task.source[0], ("R4.7",), (("gold", facts.discarded_gold),)))
    return _earned(with_visit(state, known=replace(facts, discarded_gold=None)), facts.discarded_gold)


def _tax_take(game: Game, state: Position, task: Task[None], choice: None, events: Events) -> Position:
    gold = sum(game.cards[card].gold or 0 for _, card in table_of(state).shown)
    events.append(Event("tax", task.source[0], ("R4.7",), (("gold", gold),)))
    return _earned(state, gold)


VILLAGE_HANDLERS: Handlers = {
    "top-deck": (own_cards("hero"), on_choice(_top_deck, VOID)),
    "gold": (None, _gold),
    "gold-per-player": (None, _gold),
    "extra-buy": (None, _extra_buy),
    "gain-xp": (None, _gain_xp),
    "tax-take": (None, _tax_take),
}
