"""Plays a given plan step by step and checks each step; branches over what the plan leaves open.

Where nothing asks for a step or for one of its values, the rule that decides is found and told in one sentence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile
from typing import Any, ClassVar, NamedTuple

from thunderref.database import operations as ops
from thunderref.database.card_records import RANKS, STACKED
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.search.counts import is_counted
from thunderref.thunderstone.resolve.battles import distinct_choices
from thunderref.thunderstone.resolve.documents import STEP_KEYS
from thunderref.thunderstone.rules import choices, hall, hand, notation
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.choices import DECLINE, Answer, Attack, Choice, Count, End, Leave, Named, Order, Rank
from thunderref.thunderstone.rules.effects.battle import battle_of, gold, target
from thunderref.thunderstone.rules.effects.preparation import ORDERS, is_safe, on_offer
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import Moment, Played, legal_actions, play, targets, why_illegal
from thunderref.thunderstone.rules.notation import FindCard, Step, means, ranks_of, read_choice, ref_of
from thunderref.thunderstone.rules.party import Party, party_of
from thunderref.thunderstone.rules.position import FLEETING, SPENT, AnyTask, Position, Slot, Target
from thunderref.thunderstone.rules.readings import FALLEN_HEROES

Why = tuple[str | None, str, dict[str, Any]]
"""Which sentence of the error (None: the general one), the rule, and the fields of the sentence."""
Values = Sequence[tuple[str, Any]]  # keys of a step with one value each
HERO = ops.Select(kind="hero")


class StepKey(NamedTuple):
    """What a key of a step chooses."""

    rule: str = "R4.1"  # the rule that its choice breaks if the effect finds nothing of the kind
    by: tuple[str, ...] = ()  # the operations that ask for it; ``on`` is for an effect on one hero
    select: ops.Select | None = None  # the cards it chooses from, whatever the effect


KEYS = defaultdict(StepKey, {
    "on": StepKey(select=HERO), "destroy": StepKey("R4.2", ("destroy",)),
    "discard": StepKey(by=("discard", "borrow", "custom")), "bottom": StepKey("R6.8", ("move-monster",)),
    "order": StepKey("R6.8", ("move-monster",)),
    "take": StepKey("R6.8", ("take-monster",)), "draw": StepKey("R4.3", ("conjure",), ops.Select(kind="weapon")),
    "to": StepKey("R4.3", ("conjure",), HERO), "militia": StepKey("R4.10", ("copy-hero",), ops.Select(type="militia")),
    "copy": StepKey("R4.10", ("copy-hero",), HERO), "recruit": StepKey("R3.3", ("recruit",), HERO),
    "top": StepKey(by=("foresee",)), "borrow": StepKey("R4.7", ("borrow",)), "hunt": StepKey("R6.5"),
    "borrow-from": StepKey("R4.7", ("borrow",)), "show": StepKey("R6.6", select=HERO), "disease": StepKey("R5.6"),
    "hero": StepKey(by=("top-deck",)), "pick": StepKey("R5.2"), "from": StepKey("R5.7"), "buy": StepKey("R6.4"),
})  # fmt: skip
"""What the keys of steps choose; what is not here is a choice of R4.1."""
BATTLE_OPS = {
    "destroy": ("battle-destroy", "each-player-destroys"), "cannot-attack": ("stop-hero",), "lose": ("lose-attack",)
}  # fmt: skip
"""Kind of step -> the battle effects that it answers (R5.2)."""
WORDS = {**dict.fromkeys(("disease", "from"), ("attack", "magic_attack")), "battle": tuple(BATTLE_OPS)}
"""The keys whose values are words, with those words."""


def unasked_choice(game: Game, state: Position, step: Step, values: Values, find: FindCard) -> IllegalStepError:
    """The error for the first of the ``values`` of a step that nothing asked for."""
    key, visiting = values[0][0], state.visit is not None
    spec, asked = game.cards[find(step["use"].partition("#")[0])], KEYS[key].rule
    asking = [ability.number for ability in (spec.village if visiting else spec.dungeon) if _asks(ability, key)]
    asks = step.get("effect", 1) in asking
    reasons = (
        (key == "show", "trap", asked),
        (len(values_of(step, key)) > sum(key == other for other, _ in values), "many", "R4.1"),
        (not asks and asking, "effect", "R4.1"),
        (not asks, "card", "R4.1"),
        (key in ("bottom", "take") and hall.hall_locked(game, state), "locked", "R6.8"),
        (key == "take" and hall.removable_ranks(game, state), "worth", "R6.5"),
        ("order" in step and "bottom" in step, "either", "R4.1"),
    )
    why, rule = next(((why, rule) for holds, why, rule in reasons if holds), ("void", asked))
    rule, number = "R3.1" if visiting else rule, next(iter(asking), 0)
    return IllegalStepError("unasked-choice", rule=rule, key=key, why=why, card=spec.id, number=number)


def _asks(ability: Ability, key: str) -> bool:
    if key == "on":
        return ability.chooses_hero
    asking = [op for op in (*ability.cost, *ability.instant) if op.op in KEYS[key].by]
    return any(not isinstance(op, ops.MoveMonster) or key in op.ways for op in asking)


def head_of(game: Game, state: Position, step: Step, find: FindCard) -> Step:
    """A step that uses or equips, with its effect: by default the first, or a trophy's gift; raises InputError."""
    if "equip" in step and "to" not in step:
        raise InputError("missing-step-key", key="to")
    spec = game.cards[ref_of(state, step["use"], find)[0]] if "use" in step else None
    return {"effect": 0 if spec is not None and spec.gift and not spec.dungeon else 1, **step}


def _too_late(game: Game, before: Position, step: Step, find: FindCard, rule: str) -> Why:
    """A step of the preparation; raises what forbids it if it was not legal before the attack either."""
    if problem := why_illegal(game, before, read_choice(before, head_of(game, before, step, find), find)):
        raise problem
    return "too-late", rule, {}


def why_unasked(game: Game, played: Played, step: Step, find: FindCard) -> Why:
    """Why nothing asked for a step in a turn ``played`` to its end; raises what forbids the step itself."""
    end = played[-1].after
    battle, aim, party = battle_of(end), target(game, end), party_of(game, end)
    before = next(now.before for now in played if isinstance(now.choice, Attack))
    if "use" in step:
        late = _Late(game, _find_refill(game, played), end, step, find)
        return _late_use(late, before) or _too_late(game, before, step, find, "R4.1")
    if "equip" in step:
        weapon, _ = ref_of(before, step["equip"], find)
        for slot, holder in hand.slots(end):
            if slot.card == weapon and holder is not None and party.drops(slot, holder, battle.weaken):
                return "dropped", "R5.3", {"card": weapon}
        return _too_late(game, before, step, find, "R4.3")
    if "forgo" in step:
        return _too_late(game, before, step, find, "R5.1")
    if "disease" in step:
        diseases = sum(game.cards[slot.card].kind == "disease" for slot in hand.all_slots(end))
        void = battle.disease_attack + battle.disease_magic < diseases
        return ("disease-void" if void else "no-disease"), game.disease_rule, {}
    if "battle" in step:
        return _battle(party, aim, step, end, find)
    if "buy" in step:
        bought = sum(isinstance(now.choice, Named) and now.choice.key == "buy" for now in played)
        sellers = party_of(game, before).heroes
        return _no_purchase(game, sellers, aim, _find_refill(game, played), bought, find(str(step["buy"])))
    return ("game-over", "R7.1", {}) if end.ended else ("no-trap", "R6.6", {})


def _battle(party: Party, aim: Target, step: Step, end: Position, find: FindCard) -> Why:
    fields = {"card": aim.spec.id}
    if not any(op.op in BATTLE_OPS[step["battle"]] for op in aim.spec.battle):
        return "battle-none", "R5.2", fields
    if step["battle"] == "lose":
        hero, _ = hand.find(end, ref_of(end, step["hero"], find))
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
    fallen = [hero for hero in sellers if hero.ref in end.destroyed and not hero.flags & FLEETING]
    idle = next((hero for hero in sellers if hero.ref in idles), None)
    able = [hero for hero in sellers if hero.ref not in idles and hero not in fallen]
    rights = sum(op.op == "spoils" for op in aim.spec.spoils) + len(able)
    if bought < rights:
        if game.cards[card].kind not in STACKED:
            return "not-for-sale", "R3.3", {"chosen_card": card}
        if end.stacks and card not in (on_offer(game, end) or ()):
            return "not-on-offer", "R3.3", {"chosen_card": card}
        return "no-ware", "R6.4", {"gold": gold(game, end)}
    if rights:
        return "spoils-used", "R6.4", {}
    if fallen:
        return "fallen", "R6.4", {"hero_card": fallen[0].card}
    return ("no-spoils", "R6.4", {}) if idle is None else ("idle", "R5.4", {"hero_card": idle.card})


def _find_refill(game: Game, played: Played) -> Position:
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
    there = [(slot, holder) for slot, holder in hand.slots(late.there) if slot.card == card]
    found = [(slot, holder) for slot, holder in there if copy.strip() in ("", str(slot.copy))]
    claymore = next((ability for ability in spec.dungeon if ability.before_refill), None)
    if claymore is not None and found:
        return _claymore(late, *found[0], claymore)
    follows = any(not isinstance(op, ops.ExtraXp) for op in spec.aftermath)
    if not follows and claymore is None:
        return None
    if not found and not (follows and any(gone == card for gone, _ in end.destroyed)):
        raise hand.not_in_play(end, (card, int(copy or 1)))
    if not end.victory:
        return "defeat", "R6.5", {}
    if found and late.idles(found[0][0]):
        return "idle", "R5.4", {"hero_card": card}
    if not found and FALLEN_HEROES not in late.game.readings:
        return "fallen", "R6.3", {"hero_card": card}
    if any(isinstance(op, ops.Custom) for op in spec.aftermath):
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
    ranks = [value] if isinstance(value, int) else ranks_of(late.there, value, late.find) if value else []
    standing = [ranked[rank - 1] for rank in ranks if 1 <= rank <= len(ranked) and hall.is_known(ranked[rank - 1])]
    standing += [
        foe
        for foe in late.there.rank0
        if value and not standing and foe.card == late.find(str(value).partition("#")[0])
    ]
    if value and not standing:
        return "not-in-hall", "R6.5", {}
    if any(game.cards[foe.card].kind == "thunderstone" for foe in standing):
        return "stone", "R6.5", {"card": card, "monster_card": standing[0].card}
    if any(hall.must_be_defeated(game, foe) for foe in standing):
        return "must-be-defeated", "R6.8", {"monster_card": standing[0].card}
    return None if hall.removable_ranks(game, late.there) else ("no-prey", "R6.5", {"card": card})


def misfit(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Why:
    """Why the waiting task does not take this value; raises for a card that is not in play."""
    task, rule = state.todo[0], KEYS[key].rule
    if task.name == "purge":
        shown = max(map(choices.cards_of, legal_actions(game, state)), key=len)
        extra = Counter(map(find, values_of({key: value}, key))) - Counter(shown)
        return "turned-up", "R6.4", {"chosen_card": min(extra)}
    if isinstance(value, list) and key not in LISTS:
        return "one", rule, {}
    if key in ("bottom", "take", "order"):
        return _misplaced(game, state, key, value, find)
    if key in ("disease", "from", "top"):
        return ("top" if key == "top" else "low"), game.disease_rule if key == "disease" else rule, {}
    if not isinstance(value, str):
        return None, rule, {}
    chosen = find(value.partition("#")[0].strip())
    spec, fields = game.cards[chosen], {"chosen_card": chosen}
    if key in ("buy", "draw", "recruit"):
        return _not_fetched(game, state, key, spec)
    by = game.cards[task.source[0]] if task.source[0] else None
    if by is not None and (by.kind == "trap" or by.is_monster) and state.phase != "battle":
        return _not_shown(game, task, key, spec)
    if key == "borrow":
        return "lent", rule, fields
    slot, _ = hand.find(state, ref_of(state, value, find))
    spec = game.cards[slot.face]
    if key == "pick" and not hand.in_play(slot):
        return "thrown", "R5.3", fields
    if key == "pick":
        if task.name == "battle:stop-hero":
            return ("stopped", "R5.4", fields) if spec.is_hero else _mismatch(HERO, spec, "R5.4")
        if spec.kind == "disease":
            return "disease", "R0.5", fields
    prey = ops.Select(kind="monster") if task.name == "custom" else None  # Gohlen Hunter's
    select = prey or KEYS[task.name].select or KEYS[key].select or getattr(task.data, "select", None)
    rule = "R4.1" if key == "destroy" else rule
    if select is not None and not spec.matches(ops.Select(kind=select.kind, type=select.type)):
        return _mismatch(select, spec, rule)
    if key == "destroy" and state.visit is None and is_safe(game, slot):
        return "used", "R4.2", fields
    if key in ("to", "copy"):
        full = key == "to" and not party_of(game, state).hand_free(slot)
        return "full" if full else f"no-{key}", rule, fields
    return ("strongest" if getattr(task.data, "strongest", False) else "other"), rule, fields


def _mismatch(select: ops.Select, spec: CardSpec, rule: str) -> Why:
    fields = {"chosen_card": spec.id}
    if spec.matches(ops.Select(kind=select.kind, type=select.type)) and select.level is not None:
        return "level", rule, {**fields, "n": select.level}
    wanted = select.type if select.type is not None and select.type not in spec.types else select.kind
    return "type", rule, {**fields, "asked_type": wanted}


def _not_shown(game: Game, task: AnyTask, key: str, spec: CardSpec) -> Why:
    fields, breach = {"chosen_card": spec.id}, game.cards[task.source[0]].breach
    asked = next((op.select for op in breach if isinstance(op, ops.RevealTop)), HERO)
    if key in ("show", "destroy") and not spec.matches(asked):
        return _mismatch(asked, spec, "R6.6")
    whys = {"trap:destroy-weakest": "weakest", "trap:gain-unless-shown": "spare", "reveal-destroy": "turned-up"}
    return whys.get(task.name, "other"), "R6.6", fields


def _not_fetched(game: Game, state: Position, key: str, spec: CardSpec) -> Why:
    # a card of the village, to draw, recruit or buy
    known, select, fields = on_offer(game, state), KEYS[key].select, {"chosen_card": spec.id}
    if key == "buy" and spec.kind not in STACKED:
        return "not-for-sale", "R3.3", fields
    if select is not None and not spec.matches(select):
        return _mismatch(select, spec, "R4.1")
    if key == "recruit" or (known is not None and spec.id not in known):
        return "not-on-offer", "R3.3", fields
    if key == "draw":
        return "too-heavy", "R4.3", fields
    if spec.cost > (budget := gold(game, state)):
        return "too-dear", "R6.4", {**fields, "cost": spec.cost, "gold": budget}
    return "ware", "R6.4", fields


def _misplaced(game: Game, state: Position, key: str, value: Any, find: FindCard) -> Why:
    task, ranks = state.todo[0], range(len(state.hall))
    orders = [order for order in ORDERS if key == "order" and means(state, Order(order), value, find)]
    places = [place for place in ranks if key != "order" and means(state, Rank(key, place + 1), value, find)]
    places += [place for order in orders for place, source in enumerate(order) if place != source]
    rule = "R6.5" if state.phase == "after" else "R4.6"
    if not (orders or places) and key == "order":  # not these cards
        return "no-order", rule, {}
    if not places and not orders:  # no such name in ranks 1 to 3
        card = find(str(value).partition("#")[0].strip())
        if any(foe.card == card for foe in state.rank0):
            return "bound", "R6.8", {"monster_card": card}
        return "not-in-hall", rule, {"chosen_card": card}
    if key != "order" and all(not state.hall[place].card for place in places):
        return "empty", rule, {"rank": places[0] + 1}
    moved = [state.hall[place] for place in places if hall.is_known(state.hall[place])]
    stone = next((foe.card for foe in moved if game.cards[foe.card].kind == "thunderstone"), None)
    if key != "order" and stone is not None:
        return "stone", "R4.6" if state.phase == "prepare" and key == "bottom" else "R6.5", {"monster_card": stone}
    if key != "order" and hall.hall_locked(game, state):
        return "locked", "R6.8", {}
    if task.name == "move-monster" and game.cards[task.source[0]].is_spell:
        for foe in moved:
            if hall.immune_to_spells(game, foe):
                return "immune", "R5.5", {"monster_card": foe.card}
    for foe in moved:
        if hall.must_be_defeated(game, foe):
            return "fixed" if key == "order" else "bound", "R6.8", {"monster_card": foe.card}
    if key == "take" and any(hall.is_monster(game, foe) for foe in moved):
        return "worth", "R6.5", {"monster_card": moved[0].card}
    return ("gap" if key == "order" else "stays"), KEYS[key].rule, {}


Numbered = tuple[int, Step]  # a step and its place in the plan, from 1

LISTS = frozenset(("order", "top", "borrow-from", "hunt", "others"))
"""Keys whose single value is a list: cards in order, a player's number and a card, a card for each player."""
PREPARED = frozenset(("equip", "use", "forgo"))
SPARING = frozenset(("trap-shield", "trap:gain-unless-shown"))
"""Tasks for which a plan shows a card that spares unless it says ``{"show": null}``."""
HEADS = frozenset(("use", "equip", "effect", "forgo", "others", "buy", "level_up"))
NEEDED = {"breach": {"destroy"}, "destroy": {"pick"}, "cannot-attack": {"pick"}, "lose": {"hero", "from"}}
"""Kinds of steps, or of battle effects -> the keys that they have, neither more nor fewer."""
COPIED = frozenset(("used-twice", "card-forgone", "cannot-forgo", "weapon-spent", "weapon-not-held", "already-armed"))
"""Problems of one copy of a card that another copy need not have."""


def step_kind(step: Any, number: int, kinds: Mapping[str, set[str]] = STEP_KEYS) -> str:
    """Which of ``kinds`` this step is; raises :class:`InputError` naming the step for keys and values that none has."""
    for kind, keys in kinds.items():
        if kind in step:
            _check_values(step, number)
            needed = NEEDED.get(step[kind] if kind == "battle" else kind, set())
            known = {kind, *needed} if needed else keys
            for key in sorted((set(step) - known) | (needed - set(step))):
                code = "bad-step-key" if key in step else "missing-step-key"
                raise InputError(code, step=number, key=key, known=", ".join(sorted(known)))
            return kind
    raise InputError("bad-step", step=number, found=", ".join(step) or "-", known=", ".join(kinds))


def _check_values(step: Step, number: int) -> None:
    """Raises :class:`InputError` for a value that its key never has, whatever the effect."""
    for key, value in step.items():
        several = isinstance(value, list) and "use" in step and key not in LISTS and key not in ("use", "effect")
        for one in value if several else [value]:
            named = isinstance(one, str) and bool(one.strip()) and not is_counted(one)
            takes = (  # the keys, what they take, whether this is it
                (key in WORDS, "word", one in (words := WORDS.get(key, ()))),
                (key == "effect", "number", type(one) is int),
                (key in ("bottom", "take"), "monster", named or (type(one) is int and 0 < one <= RANKS)),
                (key not in LISTS and key != "attack", "name", named or (one is None and key in ("show", "rest"))),
            )
            why, fits = next(((why, fits) for asked, why, fits in takes if asked), ("", True))
            if not fits:
                raise InputError(
                    "bad-step-value", step=number, key=key, value=notation.write_value(one), why=why, candidates=words
                )


class LineWriter:
    """Writes the choices of a line as plan steps: answers in preparation become part of the step they belong to."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._open: Step | None = None

    def add(self, state: Position, choice: Choice) -> None:
        if isinstance(choice, Leave | Count | End):
            self._open = None
        elif isinstance(choice, Answer) and state.phase == "rest":
            self.steps.append({"rest": None if choice == DECLINE else notation.value_of(state, choice)})
        elif not isinstance(choice, Answer):
            self._open = notation.step_of(state, choice)
            if self._open.get("effect") == 0:  # a trophy has one use only
                del self._open["effect"]
            self.steps.append(self._open)
        elif choice != DECLINE or state.todo[0].name in SPARING:
            key, value = ("show", None) if choice == DECLINE else (choice.key, notation.value_of(state, choice))
            if state.phase in ("prepare", "village") and self._open is not None:
                self._open[key] = [*values_of(self._open, key), value] if key in self._open else value
                return
            self._open, task = None, state.todo[0]
            head = {"breach" if task.name == "reveal-destroy" else "use": notation.copy_name(task.source)}
            asking = {} if key in ("buy", "discard", "show") else head
            step = None if choice == DECLINE else notation.battle_step(state, choice)
            self.steps.append(step or {**asking, key: value})


def sort_steps(steps: Sequence[Step]) -> tuple[list[Numbered], Numbered | None, list[Numbered]]:
    """The steps of the preparation, the attack, and those of the battle and after it; raises for an unreadable one."""
    preparation, attacks, rest = list[Numbered](), list[Numbered](), list[Numbered]()
    for number, step in enumerate(steps, 1):
        kind = step_kind(step, number)
        if kind == "attack" and attacks:
            raise IllegalStepError("second-attack", rule="R2.1", step=number)
        later = kind in ("disease", "battle") or bool(attacks)
        (attacks if kind == "attack" else rest if later else preparation).append((number, step))
    return preparation, attacks[0] if attacks else None, rest


@dataclass(frozen=True)
class Node:
    """A point of a plan being followed: the position, what was played to get there, and the steps not yet used."""

    state: Position
    played: Played = ()
    open: Numbered | None = None
    values: Values = ()  # the keys and values of the open step that are not yet used
    left: tuple[Numbered, ...] = ()  # the steps for the battle and what follows that are not yet used


class Follower:
    """Follows one plan of one game; ``find`` turns names into card ids."""

    any_copy: ClassVar[bool] = False
    """True to take a bare name for any copy, and to branch over whatever the steps leave open."""

    def __init__(self, game: Game, find: FindCard) -> None:
        self.game, self.find = game, find
        self._misfits: dict[int, IllegalStepError] = {}  # why steps for after the battle did not fit, by number

    def attack_at(self, nodes: list[Node], rank: int, place: int, card: str) -> list[Node]:
        """Attacks that card at a rank, on every branch where it is there and the attack is legal."""
        attack, aim = Attack(rank, place), (rank, place, card)
        there = [node for node in nodes if aim in [(r, p, foe.card) for r, p, foe in targets(node.state)]]
        legal = [node for node in there if attack in legal_actions(self.game, node.state)]
        return self._all_used([end for node in legal for end in self.settle(self.choose(node, attack))])

    def each(self, nodes: Iterable[Node], do: Callable[[Node], list[Node]], number: int | None = None) -> list[Node]:
        """The results of ``do`` on every branch; the first error, with the step's number, if no branch can go on."""
        found: list[Node] = []
        problem: ThunderrefError | None = None
        for node in nodes:
            try:
                found += do(node)
            except ThunderrefError as error:
                problem = problem or error
        if not found and problem is not None:
            if number is not None:
                problem.params.setdefault("step", number)
            raise problem
        return found

    def prepare(self, number: int, step: Step, node: Node) -> list[Node]:
        """Carries out a step of the preparation; raises what forbids it."""
        if node.state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        kind = step_kind(step, number)
        if kind not in PREPARED:
            rule, why = ("R6.4", {}) if kind == "buy" else ("R6.6", {"why": "refill"})
            raise IllegalStepError("too-early", rule=rule, step=number, kind=kind, **why)
        return self.take(node, number, step, head_of(self.game, node.state, step, self.find))

    def take(self, node: Node, number: int, step: Step, head: Step) -> list[Node]:
        """Carries out what ``head`` means, with the answers that ``step`` names; raises what forbids it."""
        choice = notation.read_choice(node.state, head, self.find, number)
        return [self.close_step(end) for end in self.begin(node, choice, (number, step))]

    def begin(self, node: Node, choice: Choice, opened: Numbered | None) -> list[Node]:
        """Makes the choice that begins a step and all that follow from it; raises what forbids it."""
        if problem := why_illegal(self.game, node.state, choice):
            raise self._name_copy(problem, node.state, choice)
        values: list[tuple[str, Any]] = []
        if opened is not None:
            step = opened[1]
            keys = [key for key in step if key not in HEADS and (key != "to" or "use" in step)]
            values = [(key, value) for key in keys for value in values_of(step, key)]
        return self.settle(self.choose(node, choice, open=opened, values=tuple(values)))

    def _name_copy(self, problem: IllegalStepError, state: Position, choice: Choice) -> IllegalStepError:
        """The problem; another copy of the card that does not have it is the remedy."""
        named, cards = notation.step_of(state, choice), choices.cards_of(choice)
        legal = legal_actions(self.game, state) if problem.code in COPIED else ()
        for other in [notation.step_of(state, one) for one in legal if choices.cards_of(one) == cards]:
            unlike = [key for key in other if other[key] != named.get(key)]
            if other.keys() == named.keys() and len(unlike) == 1 and unlike != ["effect"]:
                problem.params |= {"why": "copy", "n": int(other[unlike[0]].partition("#")[2] or 1)}
                break
        return problem

    def close_step(self, node: Node) -> Node:
        """Ends the open step; raises for values in it that nothing asked for, unless the game ended first (R4.6)."""
        if node.open is not None and node.values and node.state.phase in ("prepare", "village"):
            raise unasked_choice(self.game, node.state, node.open[1], node.values, self.find)
        return replace(node, open=None, values=())

    def attack(self, number: int, step: Step, node: Node) -> list[Node]:
        """Declares the attack of a plan step and fights the battle; raises if steps are left that nothing asked for."""
        if node.state.phase != "prepare":
            raise IllegalStepError("turn-over", rule="R4.6", step=number)
        return self._all_used(self.begin(node, notation.read_choice(node.state, step, self.find, number), None))

    def _all_used(self, settled: list[Node]) -> list[Node]:
        """The ends at which no step is left; raises if there are only others."""
        fitting = [end for end in settled if not end.left]
        if settled and not fitting:
            end = settled[0]
            first, unasked = min(end.left, key=lambda left: ("disease" not in left[1], "battle" not in left[1]))
            if first in self._misfits:
                raise self._misfits[first]
            try:
                why, rule, fields = why_unasked(self.game, end.played, unasked, self.find)
            except ThunderrefError as error:
                error.params["step"] = first
                raise
            raise IllegalStepError("unasked-step", rule=rule, step=first, why=why, **fields)
        return fitting

    def settle(self, node: Node) -> list[Node]:
        """Makes the waiting choices: those the plan names, else every possible one."""
        if not node.state.todo:
            return [node]
        options = [option for option in legal_actions(self.game, node.state) if isinstance(option, Answer)]
        named, changes = self._find_named(node, options)
        if named:
            options = named if self.any_copy else named[:1]
        elif DECLINE in options and not self.any_copy:
            later = "show" in dict(node.values) or any("show" in step for _, step in node.left)
            spared = [option for option in options if option.key == "show" and not later][:1]
            free = node.state.battle is not None  # before, a spell that is shown may bar the target (R5.1)
            options = spared if spared and free else [*spared, DECLINE]
        if self.any_copy or node.state.visit is not None:
            options = distinct_choices(node.state, options)
        return self.each([self.choose(node, answer, **changes) for answer in options], self.settle)

    def choose(self, node: Node, choice: Choice, **changes: Any) -> Node:
        after, events = play(self.game, node.state, choice)
        moment = Moment(node.state, choice, after, events)
        return replace(node, state=after, played=(*node.played, moment), **changes)

    def _find_named(self, node: Node, options: list[Answer]) -> tuple[list[Answer], dict[str, Any]]:
        keys = {option.key for option in options}
        if node.open is not None:
            number, step = node.open
            card = self.find(str(step["use"]).partition("#")[0]) if "use" in step else ""
            asking, *waiting = node.state.todo
            # What the played card itself still needs while another card's effect comes first: after a breach or a trap
            # that Banish lets in (R4.6), Banish still destroys a card.
            kept = Counter(task.name for task in waiting if task.source[0] == card != asking.source[0])
            unused = Counter(key for key, _ in node.values)
            for place, (key, value) in enumerate(node.values):
                if key in keys and unused[key] > kept[key] and not self._is_for_the_trap(node.state, options, value):
                    rest = (*node.values[:place], *node.values[place + 1 :])
                    return self._fit(node, options, key, value, number), {"values": rest}
            return [], {}
        for place, (number, step) in enumerate(node.left):
            try:
                asked = self._find_key(node.state, step, keys)
                if asked is None or self._is_for_the_trap(node.state, options, step.get(asked)):
                    continue
                if asked not in step:
                    raise InputError("missing-step-key", key=asked)
                for extra in [key for key in step if "use" in step and key not in ("use", "effect", asked)]:
                    values = [(extra, value) for value in values_of(step, extra)]
                    raise unasked_choice(self.game, node.state, step, values, self.find)
                left = (*node.left[:place], *node.left[place + 1 :])
                return self._fit(node, options, asked, step[asked], number), {"left": left}
            except ThunderrefError as misfit:
                misfit.params.setdefault("step", number)
                if not isinstance(misfit, IllegalStepError) or "disease" in step or "battle" in step:
                    raise
                self._misfits.setdefault(number, misfit)  # another monster's spoils may be meant
        return [], {}

    def _is_for_the_trap(self, state: Position, options: list[Answer], value: Any) -> bool:
        """True if the player could show a card that spares from the trap, but the plan shows what the trap asks for."""
        if state.todo[0].name != "trap-shield" or value is None:
            return False
        return not any(notation.means(state, option, value, self.find) for option in options)

    def _find_key(self, state: Position, step: Step, keys: set[str]) -> str | None:
        task = state.todo[0]
        if "battle" in step:
            what = step["battle"]
            if "pick" in keys:
                return "pick" if what == ("cannot-attack" if task.name == "battle:stop-hero" else "destroy") else None
            hero = "from" in keys and what == "lose" and notation.ref_of(state, step["hero"], self.find)
            return "from" if hero == task.source else None
        for head in ("use", "breach"):
            key = next((key for key in ("bottom", "take", "on", "destroy", "hunt") if key in keys), None)
            if head in step and key is not None and (head == "use" or key == "destroy"):
                return key if self.find(str(step[head]).partition("#")[0]) == task.source[0] else None
        return next((key for key in ("disease", "buy", "discard", "show") if key in step and key in keys), None)

    def _fit(self, node: Node, options: list[Answer], key: str, value: Any, number: int) -> list[Answer]:
        state = node.state
        if value is None and DECLINE in options:
            return [DECLINE]
        asked = [option for option in options if option.key == key]
        whole = not isinstance(value, list) or key in LISTS or isinstance(asked[0], choices.Several)
        found = [option for option in asked if whole and means(state, option, value, self.find, any_copy=self.any_copy)]
        if found:
            return found
        why, rule, fields = misfit(self.game, state, key, value, self.find)
        several = [option for option in asked if isinstance(option, choices.Several) and key != "top"]
        raise IllegalStepError(
            "illegal-choice", rule=rule if state.visit is None else "R3.1", step=number,
            card=state.todo[0].source[0] or "-", value=notation.write_value(value),
            candidates=[one.value[0] for one in several if len(one.value) == 1]
            or [notation.write_value(notation.value_of(state, option)) for option in asked],
            **fields, **({} if why is None else {"why": why}),
        )  # fmt: skip


def values_of(step: Step, key: str) -> list[Any]:
    value = step[key]
    return value if isinstance(value, list) and key not in LISTS else [value]
