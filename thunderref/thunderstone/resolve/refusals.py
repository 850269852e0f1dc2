"""Why nothing asks for a step of a plan, or for one of its values: the rule that decides, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile
from typing import Any, NamedTuple

from thunderref.database import operations as ops
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.thunderstone.rules import hall
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.choices import Attack, Named, Order, Rank
from thunderref.thunderstone.rules.effects.battle import battle_of, gold, target
from thunderref.thunderstone.rules.effects.preparation import ORDERS, is_safe, on_offer
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import all_slots, not_in_play, slots
from thunderref.thunderstone.rules.hand import find as slot_of
from thunderref.thunderstone.rules.legal import Played, play, why_illegal
from thunderref.thunderstone.rules.notation import FindCard, Step, means, ranks_of, read_choice, ref_of
from thunderref.thunderstone.rules.party import Party, party_of
from thunderref.thunderstone.rules.position import SPENT, Position, Slot, Target

Why = tuple[str | None, str, dict[str, Any]]
"""Which sentence of the error (None: the general one), the rule, and the fields of the sentence."""
RULES_OF_KEYS = {
    "destroy": "R4.2", "borrow-from": "R4.7", "hunt": "R6.5", "disease": "R5.6", "pick": "R5.2", "from": "R5.7",
    "bottom": "R6.8", "order": "R6.8", "take": "R6.8", "buy": "R6.4", "draw": "R4.3", "to": "R4.3",
    "militia": "R4.10", "copy": "R4.10", "borrow": "R4.7", "recruit": "R3.3", "show": "R6.6",
}  # fmt: skip
"""Key -> the rule that its choice breaks if the effect finds nothing of the kind; else it is R4.1."""
HERO = ops.Select(kind="hero")
WANTED = {
    "on": HERO, "to": HERO, "show": HERO, "recruit": HERO, "copy": HERO, "draw": ops.Select(kind="weapon"),
    "militia": ops.Select(type="militia"), "custom": ops.Select(kind="monster"),
}  # fmt: skip
"""What a key asks for, whatever the effect; the only custom effect that asks for a card is Gohlen Hunter's."""
ASKED_BY = {
    "destroy": ("destroy",), "discard": ("discard", "borrow", "custom"), "bottom": ("move-monster",),
    "order": ("move-monster",), "take": ("take-monster",), "draw": ("conjure",), "to": ("conjure",),
    "militia": ("copy-hero",), "copy": ("copy-hero",), "recruit": ("recruit",), "top": ("foresee",),
    "borrow": ("borrow",), "borrow-from": ("borrow",),
}  # fmt: skip
"""Key of a step -> the operations that ask for it; ``on`` is for an effect on one hero."""
BATTLE_OPS = {
    "destroy": ("battle-destroy", "each-player-destroys"), "cannot-attack": ("stop-hero",), "lose": ("lose-attack",)
}  # fmt: skip
"""Kind of step -> the battle effects that it answers (R5.2)."""
LATER_RULES = {"buy": "R6.4", "discard": "R6.6", "show": "R6.6", "breach": "R6.6"}
"""Kind of step -> the rule by which it comes only after the battle."""


def unasked_choice(game: Game, state: Position, step: Step, number: int, key: str, find: FindCard) -> IllegalStepError:
    """The error for a value of a step of the preparation, or of a visit, that nothing asked for."""
    if state.visit is not None:
        return IllegalStepError("unasked-choice", rule="R3.1", step=number, key=key)
    card = find(str(step["use"]).partition("#")[0]) if "use" in step else ""
    asks = bool(card) and _asks(game.cards[card], step.get("effect", 1), key)
    if key == "show":
        return IllegalStepError("unasked-choice", rule="R6.6", step=number, key=key, why="trap")
    if not asks:
        waiting = [(slot, holder, one) for slot, holder in slots(state) for one in game.cards[slot.face].dungeon]
        claymore = next((each for each in waiting if key == "take" and each[2].before_refill), None)
        if claymore is not None:
            why, rule, fields = _claymore(_Late(game, state, state, step, find), *claymore)
            return IllegalStepError("unasked-step", rule=rule, step=number, why=why, **fields)
        return IllegalStepError("unasked-choice", rule="R4.1", step=number, key=key, why="card", card=card or "-")
    if key in ("bottom", "order", "take"):
        if hall.hall_locked(game, state):
            return IllegalStepError("unasked-choice", rule="R6.8", step=number, key=key, why="locked")
        if key == "take" and hall.movable_ranks(game, state):
            return IllegalStepError("unasked-choice", rule="R6.5", step=number, key=key, why="worth", card=card)
        if "order" in step and "bottom" in step:
            return IllegalStepError("unasked-choice", rule="R4.1", step=number, key=key, why="either", card=card)
    rule = RULES_OF_KEYS.get(key, "R4.1")
    return IllegalStepError("unasked-choice", rule=rule, step=number, key=key, why="void", card=card)


def _asks(spec: CardSpec, number: Any, key: str) -> bool:
    if not isinstance(number, int) or not 0 < number <= len(spec.dungeon):
        return False
    ability = spec.dungeon[number - 1]
    if key == "on":
        return ability.chooses_hero
    asking = [op for op in (*ability.cost, *ability.instant) if op.op in ASKED_BY.get(key, ())]
    return any(not isinstance(op, ops.MoveMonster) or key in op.ways for op in asking)


def unasked_step(game: Game, played: Played, step: Step, number: int, find: FindCard) -> IllegalStepError:
    """The error for a step after the attack that nothing asked for, in a turn that was ``played`` to its end."""
    try:
        why, rule, fields = _why(game, played, step, find)
    except ThunderrefError as error:
        error.params["step"] = number
        raise
    return IllegalStepError("unasked-step", rule=rule, step=number, why=why, **fields)


def head_of(game: Game, state: Position, step: Step, find: FindCard) -> Step:
    """A step that uses or equips, with its effect: by default the first, or a trophy's gift if it has none.

    Raises InputError for an effect that is not a number and for a weapon without a hero.
    """
    if "equip" in step and "to" not in step:
        raise InputError("missing-step-key", key="to")
    effect = step.get("effect")
    if effect is None and "use" in step:
        spec = game.cards[ref_of(state, step["use"], find)[0]]
        effect = 1 if spec.dungeon or not spec.gift else 0
    if effect is not None and (not isinstance(effect, int) or isinstance(effect, bool)):
        raise InputError("bad-step-value", key="effect", value=str(effect))
    return {**step, "effect": effect or 0}


def _too_late(game: Game, before: Position, step: Step, find: FindCard, rule: str) -> Why:
    """A step of the preparation; raises what forbids it if it was not legal before the attack either."""
    problem = why_illegal(game, before, read_choice(before, head_of(game, before, step, find), find))
    if problem is not None:
        raise problem
    return "too-late", rule, {}


def _why(game: Game, played: Played, step: Step, find: FindCard) -> Why:
    end = played[-1].after
    battle, aim, party = battle_of(end), target(game, end), party_of(game, end)
    before = next(now.before for now in played if isinstance(now.choice, Attack))
    if "use" in step:
        late = _Late(game, _refilled(game, played), end, step, find)
        return _late_use(late, before) or _too_late(game, before, step, find, "R4.1")
    if "equip" in step:
        weapon, _ = ref_of(before, step["equip"], find)
        for slot, holder in slots(end):
            if slot.card == weapon and holder is not None and party.drops(slot, holder, battle.weaken):
                return "dropped", "R5.3", {"card": weapon}
        why = _too_late(game, before, step, find, "R4.3")
        ref_of(end, step["equip"], find)
        return why
    if "forgo" in step:
        return _too_late(game, before, step, find, "R5.1")
    if "disease" in step:
        diseases = sum(game.cards[slot.card].kind == "disease" for slot in all_slots(end))
        void = battle.disease_attack + battle.disease_magic < diseases
        return ("disease-void" if void else "no-disease"), game.rules.disease_rule, {}
    if "battle" in step:
        return _battle(party, aim, step, end, find)
    if "buy" in step:
        bought = sum(isinstance(now.choice, Named) and now.choice.key == "buy" for now in played)
        sellers = party_of(game, before).heroes
        return _no_purchase(game, sellers, aim, _refilled(game, played), bought, find(str(step["buy"])))
    return ("game-over", "R7.1", {}) if end.ended else ("no-trap", "R6.6", {})


def _battle(party: Party, aim: Target, step: Step, end: Position, find: FindCard) -> Why:
    fields = {"card": aim.spec.id}
    wanted = BATTLE_OPS.get(str(step["battle"]), ())
    if not any(op.op in wanted for op in aim.spec.battle):
        return "battle-none", "R5.2", fields
    if step["battle"] == "lose" and "hero" in step:
        hero, _ = slot_of(end, ref_of(end, step["hero"], find))
        why, rule = ("idle", "R5.4") if party.idles(hero, aim) else ("nothing-to-lose", "R5.7")
        return why, rule, {"hero_card": hero.card}
    return "battle-void", "R5.4" if step["battle"] == "cannot-attack" else "R5.2", fields


def _no_purchase(game: Game, heroes: Iterable[Slot], aim: Target, end: Position, bought: int, card: str) -> Why:
    # heroes: those in hand when the attack was declared; end: the position before the hall is refilled
    if not end.victory:
        return "defeat", "R6.4", {}
    party = party_of(game, end)
    idles = [hero.ref for hero in party.heroes if party.idles(hero, aim)]
    sellers = [hero for hero in heroes if any(op.op == "spoils" for op in game.cards[hero.face].spoils)]
    idle = next((hero for hero in sellers if hero.ref in idles), None)
    rights = sum(op.op == "spoils" for op in aim.spec.spoils) + sum(hero.ref not in idles for hero in sellers)
    if bought < rights:
        known = on_offer(game, end)
        if known and card not in known:
            return "not-on-offer", "R3.3", {"chosen_card": card}
        return "no-ware", "R6.4", {"gold": gold(game, end)}
    if rights:
        return "spoils-used", "R6.4", {}
    return ("no-spoils", "R6.4", {}) if idle is None else ("idle", "R5.4", {"hero_card": idle.card})


def _refilled(game: Game, played: Played) -> Position:
    """The position in which the hall is about to be refilled after the battle; the last one if it never is."""
    fought = dropwhile(lambda now: not isinstance(now.choice, Attack), played)
    ends = (play(game, now.before, now.choice, "refill")[0] for now in fought)
    return next((end for end in ends if end.todo and end.todo[0].name == "refill"), played[-1].after)


class _Late(NamedTuple):
    """A step of a card that works after the battle: the position in which it would work, and the end of the turn."""

    game: Game
    there: Position
    end: Position
    step: Step
    find: FindCard

    def idles(self, hero: Slot) -> bool:
        """True if the hero does not attack in the battle (R5.4)."""
        there = self.there
        return there.battle is not None and party_of(self.game, there).idles(hero, target(self.game, there))


def _late_use(late: _Late, before: Position) -> Why | None:
    # None for an effect that works in preparation only
    name, _, copy = str(late.step["use"]).partition("#")
    card, end = late.find(name.strip()), late.end
    spec, battle = late.game.cards[card], end.battle
    if battle is not None and any(isinstance(op, ops.Custom) for op in spec.spoils):
        if battle.foe.card != card:
            return "not-target", "R6.4", {"card": card}
        return ("defeat", "R6.4", {}) if not end.victory else ("once", "R6.4", {"card": card})
    ref_of(before, late.step["use"], late.find)
    found = [pair for pair in slots(late.there) if pair[0].card == card and copy.strip() in ("", str(pair[0].copy))]
    claymore = next((ability for ability in spec.dungeon if ability.before_refill), None)
    if claymore is not None and found:
        return _claymore(late, *found[0], claymore)
    follows = any(not isinstance(op, ops.ExtraXp) for op in spec.aftermath)
    if not found and not (follows and any(gone == card for gone, _ in end.destroyed)):
        raise not_in_play(end, (card, int(copy or 1)))
    return _aftermath(late, card, found[0][0] if found else None) if follows else None


def _aftermath(late: _Late, card: str, hero: Slot | None) -> Why:
    if not late.end.victory:
        return "defeat", "R6.5", {}
    if hero is not None and late.idles(hero):
        return "idle", "R5.4", {"hero_card": card}
    if any(isinstance(op, ops.Custom) for op in late.game.cards[card].aftermath):
        return ("unknown", "R4.11", {"card": card}) if late.there.table is None else ("no-prey", "R6.5", {"card": card})
    return _stuck(late, card, "bottom") or ("once", "R6.5", {"card": card})


def _claymore(late: _Late, weapon: Slot, holder: Slot | None, ability: Ability) -> Why:
    fields = {"card": weapon.card}
    battle, there = late.there.battle, late.there
    if holder is None:
        return ("holder-gone", "R6.3", fields) if weapon.flags & SPENT else ("not-held", "R4.3", fields)
    if late.idles(holder):
        return "idle", "R5.4", {"hero_card": holder.card}
    if battle is not None and party_of(late.game, there).drops(weapon, holder, battle.weaken):
        return "dropped", "R5.3", fields
    if ability.number in weapon.used:
        return "once", "R6.5", fields
    locked = hall.hall_locked(late.game, there)
    if battle is not None and all(foe.card for foe in there.hall):
        stays = locked or hall.must_be_defeated(late.game, battle.foe)
        return "no-refill", "R6.8" if stays and not late.end.victory else "R6.6", fields
    if battle is None and not locked:
        return "no-refill", "R6.6", fields
    return _stuck(late, weapon.card, "take") or ("no-prey", "R6.5", fields)


def _stuck(late: _Late, card: str, key: str) -> Why | None:
    """Why the monster named, or any at all, cannot leave the hall (R6.8)."""
    game, ranked, value = late.game, late.there.hall, late.step.get(key)
    if hall.hall_locked(game, late.there):
        return "locked", "R6.8", {}
    if key not in late.step:
        raise InputError("missing-step-key", key=key)
    ranks = [value] if isinstance(value, int) else ranks_of(late.there, value, late.find) if value else []
    standing = [ranked[rank - 1] for rank in ranks if 1 <= rank <= len(ranked) and ranked[rank - 1].card]
    if value and not standing:
        return "not-in-hall", "R6.5", {}
    if any(hall.must_be_defeated(game, foe) for foe in standing):
        return "must-be-defeated", "R6.8", {"monster_card": standing[0].card}
    return None if hall.movable_ranks(game, late.there) else ("no-prey", "R6.5", {"card": card})


def misfit(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Why:
    """Why the waiting task does not take this value.

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
    if select is not None and not spec.matches(ops.Select(kind=select.kind, type=select.type)):
        return _of_another_type(select, spec, rule)
    if key == "destroy" and is_safe(game, slot):
        return "used", "R4.2", fields
    if key in ("to", "copy"):
        return f"no-{key}", rule, fields
    return ("strongest" if getattr(task.data, "strongest", False) else "other"), rule, fields


def _of_another_type(select: ops.Select, spec: CardSpec, rule: str) -> Why:
    wanted = select.type if select.type is not None and select.type not in spec.types else select.kind
    return "type", rule, {"chosen_card": spec.id, "asked_type": wanted}


def _not_shown(task: str, key: str, spec: CardSpec) -> Why:
    # for a trap or a breach, or among the cards that a Sphinx turns up
    rule, fields = "R6.4" if task == "purge" else "R6.6", {"chosen_card": spec.id}
    if key == "destroy":
        return "turned-up", rule, fields
    if key == "show" and not spec.is_hero:
        return _of_another_type(HERO, spec, rule)
    return ("weakest" if task == "trap:destroy-weakest" else "other"), rule, fields


def _not_fetched(game: Game, state: Position, key: str, spec: CardSpec) -> Why:
    fields = {"chosen_card": spec.id}
    if not spec.matches(WANTED[key]):
        return _of_another_type(WANTED[key], spec, "R4.1")
    known = on_offer(game, state)
    if key == "recruit" or (known is not None and spec.id not in known):
        return "not-on-offer", "R3.3", fields
    return "too-heavy", "R4.3", fields


def _unsold(game: Game, state: Position, spec: CardSpec) -> Why:
    known, budget, fields = on_offer(game, state), gold(game, state), {"chosen_card": spec.id}
    if known is not None and spec.id not in known:
        return "not-on-offer", "R3.3", fields
    if spec.cost > budget:
        return "too-dear", "R6.4", {**fields, "cost": spec.cost, "gold": budget}
    return "ware", "R6.4", fields


def _misplaced(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Why:
    after, task = state.phase == "after", state.todo[0]
    if key == "order":
        orders = [order for order in ORDERS if means(state, Order(order), value, find)]
        places = [place for order in orders for place, source in enumerate(order) if place != source]
    else:
        orders, places = (
            [],
            [place for place in range(len(state.hall)) if means(state, Rank(key, place + 1), value, find)],
        )
    if not (orders or places):  # no such name in the hall, or not these cards
        return ("no-order" if key == "order" else "not-in-hall"), "R6.5" if after else "R4.6", {}
    moved = [state.hall[place] for place in places if hall.is_known(state.hall[place])]
    if hall.hall_locked(game, state):
        return "locked", "R6.8", {}
    if task.name == "move-monster" and game.cards[task.source[0]].is_spell:
        for foe in moved:
            if hall.immune_to_spells(game, foe):
                return "immune", "R5.5", {"monster_card": foe.card}
    for foe in moved:
        if hall.must_be_defeated(game, foe):
            return "bound", "R6.8", {"monster_card": foe.card}
    if key == "take" and any(hall.is_monster(game, foe) for foe in moved):
        return "worth", "R6.5", {"monster_card": moved[0].card}
    return ("gap" if key == "order" else "stays"), RULES_OF_KEYS[key], {}
