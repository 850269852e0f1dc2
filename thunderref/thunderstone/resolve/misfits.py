"""Why a value of a step is none of those that a waiting task offers: the rule that decides, in one sentence."""

from __future__ import annotations

from typing import Any

from thunderref.database.operations import Select
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.choices import Order, Rank
from thunderref.thunderstone.rules.effects.after_battle import gold
from thunderref.thunderstone.rules.effects.preparation import ORDERS, is_safe, on_offer
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import (
    RANKS,
    hall_locked,
    immune_to_spells,
    is_known,
    is_monster,
    must_be_defeated,
)
from thunderref.thunderstone.rules.hand import find as slot_of
from thunderref.thunderstone.rules.notation import FindCard, means, ref_of
from thunderref.thunderstone.rules.position import Position

Misfit = tuple[str | None, str, dict[str, Any]]
"""Which sentence of ``error.illegal-choice`` (None: the one that fits everything), the rule, the fields."""
RULES_OF_KEYS = {
    "destroy": "R4.2", "borrow-from": "R4.7", "hunt": "R6.5", "disease": "R5.6", "pick": "R5.2", "from": "R5.7",
    "bottom": "R6.8", "order": "R6.8", "take": "R6.8", "buy": "R6.4", "draw": "R4.3", "to": "R4.3",
    "militia": "R4.10", "copy": "R4.10", "borrow": "R4.7", "recruit": "R3.3", "show": "R6.6",
}  # fmt: skip
"""The rule that a choice of this key breaks when what asks for it finds nothing of the kind; else it is R4.1."""
HERO = Select(kind="hero")
WANTED = {
    "on": HERO, "to": HERO, "show": HERO, "recruit": HERO, "copy": HERO, "draw": Select(kind="weapon"),
    "militia": Select(type="militia"), "custom": Select(kind="monster"),
}  # fmt: skip
"""What is asked for under a key, whatever asks; the only effect of its own that asks for a card is Gohlen Hunter's."""


def misfit(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Misfit:
    """Why the task that waits does not take this value.

    Raises IllegalStepError for a card that is not in play, and whatever ``find`` raises.
    """
    task, rule = state.todo[0], RULES_OF_KEYS.get(key, "R4.1")
    if key in ("bottom", "take", "order"):
        return _misplaced(game, state, key, value, find)
    if key in ("disease", "from"):
        return "low", game.rules.disease_rule if key == "disease" else rule, {}
    if key == "top":
        return "top", rule, {}
    if not isinstance(value, str):
        return None, rule, {}
    chosen = find(value.partition("#")[0].strip())
    spec, fields = game.cards[chosen], {"chosen_card": chosen}
    if key == "buy":
        return _unsold(game, state, spec)
    by = game.cards[task.source[0]] if task.source[0] else None
    if by is not None and (by.kind == "trap" or by.is_monster) and state.phase != "battle":
        return _not_shown(task.name, key, spec)
    if key == "borrow":
        return "lent", rule, fields
    if key in ("draw", "recruit"):
        return _not_fetched(game, state, key, spec)
    slot, _ = slot_of(state, ref_of(state, value, find))
    spec = game.cards[slot.face]
    if key == "pick":
        if task.name == "battle:stop-hero":
            return ("stopped", "R5.4", fields) if spec.is_hero else _of_another_type(HERO, spec, "R5.4")
        if spec.kind == "disease":
            return "disease", "R0.5", fields
    select = WANTED.get(task.name if task.name in WANTED else key, getattr(task.data, "select", None))
    rule = "R4.1" if key == "destroy" else rule
    if select is not None and not spec.matches(Select(kind=select.kind, type=select.type)):
        return _of_another_type(select, spec, rule)
    if key == "destroy" and is_safe(game, slot):
        return "used", "R4.2", fields
    if key in ("to", "copy"):
        return f"no-{key}", rule, fields
    return ("strongest" if getattr(task.data, "strongest", False) else "other"), rule, fields


def _of_another_type(select: Select, spec: CardSpec, rule: str) -> Misfit:
    wanted = select.type if select.type is not None and select.type not in spec.types else select.kind
    return "type", rule, {"chosen_card": spec.id, "asked_type": wanted}


def _not_shown(task: str, key: str, spec: CardSpec) -> Misfit:
    # to a trap or a breach, or among the cards that a Sphinx turns up
    rule, fields = "R6.4" if task == "purge" else "R6.6", {"chosen_card": spec.id}
    if key == "destroy":
        return "turned-up", rule, fields
    if key == "show" and not spec.is_hero:
        return _of_another_type(HERO, spec, rule)
    return ("weakest" if task == "trap:destroy-weakest" else "other"), rule, fields


def _not_fetched(game: Game, state: Position, key: str, spec: CardSpec) -> Misfit:
    fields = {"chosen_card": spec.id}
    if not spec.matches(WANTED[key]):
        return _of_another_type(WANTED[key], spec, "R4.1")
    known = on_offer(game, state)
    if key == "recruit" or (known is not None and spec.id not in known):
        return "not-on-offer", "R3.3", fields
    return "too-heavy", "R4.3", fields


def _unsold(game: Game, state: Position, spec: CardSpec) -> Misfit:
    known, budget, fields = on_offer(game, state), gold(game, state), {"chosen_card": spec.id}
    if known is not None and spec.id not in known:
        return "not-on-offer", "R3.3", fields
    if spec.cost > budget:
        return "too-dear", "R6.4", {**fields, "cost": spec.cost, "gold": budget}
    return "ware", "R6.4", fields


def _misplaced(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Misfit:
    after, task = state.phase == "after", state.todo[0]
    if key == "order":
        orders = [order for order in ORDERS if means(state, Order(order), value, find)]
        places = [place for order in orders for place, source in enumerate(order) if place != source]
    else:
        orders, places = [], [place for place in range(RANKS) if means(state, Rank(key, place + 1), value, find)]
    if not (orders or places):  # nothing of that name stands in the hall, or not these cards
        return ("no-order" if key == "order" else "not-in-hall"), "R6.5" if after else "R4.6", {}
    moved = [state.hall[place] for place in places if is_known(state.hall[place])]
    if hall_locked(game, state):
        return "locked", "R6.8", {}
    if task.name == "move-monster" and game.cards[task.source[0]].is_spell:
        for foe in moved:
            if immune_to_spells(game, foe):
                return "immune", "R5.5", {"monster_card": foe.card}
    for foe in moved:
        if must_be_defeated(game, foe):
            return "bound", "R6.8", {"monster_card": foe.card}
    if key == "take" and any(is_monster(game, foe) for foe in moved):
        return "worth", "R6.5", {"monster_card": moved[0].card}
    return ("gap" if key == "order" else "stays"), RULES_OF_KEYS[key], {}
