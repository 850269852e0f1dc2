"""How much a party can make of a battle at most, whatever the rest of its preparation.

The figures are sums of what each card gives by itself at best: every hero the gifts that exist, the weapons as many as
there are hands, food and torches each destroyed for the best taker. What stands against the party (Disease, Judgement,
Haunt) is only taken off where it cannot be escaped. So a bound is never below what a line can reach, and the search
leaves out what cannot be better than the line it has (:mod:`thunderref.solve.best`).
"""

from __future__ import annotations

from typing import NamedTuple

from thunderref.engine.book import Spec
from thunderref.engine.state import FORGONE
from thunderref.model.effect import (
    Bonus,
    Halve,
    HeroesCannotAttack,
    Immune,
    Instead,
    Operation,
)
from thunderref.solve.holding import KEPT, THROWN_ALREADY, Hero, Holding

Figures = tuple[int, int]
"""Attack and Magic Attack."""


class Aimed(NamedTuple):
    """What matters of one target at one rank."""

    foe: Spec
    rank: int
    weaken: int
    only_magic: bool
    no_magic: bool
    half_magic: bool
    no_spells: bool
    no_edged: bool
    spell_bar: bool
    weapon_bar: bool
    light_bar: bool
    armed_only: bool
    """Heroes without a weapon give nothing."""
    strong: int
    """Heroes below this Strength do not attack."""
    loses: bool
    stops: bool
    light_useless: bool
    armed_bonus: int


class Arm(NamedTuple):
    """A weapon with what it may be worth; thrown or weightless ones weigh nothing at all."""

    spec: Spec
    weight: int
    attack: int
    magic: int


def aimed(foe: Spec, rank: int) -> Aimed:
    """The target at the rank."""
    traits, battle = foe.traits, foe.battle
    immune = {t.to for t in traits if isinstance(t, Immune)}
    bars = {t.when for t in traits if t.op == "barred"}
    stays = [t for t in traits if isinstance(t, HeroesCannotAttack)]
    return Aimed(
        foe=foe,
        rank=rank,
        weaken=sum(op.amount for op in battle if op.op == "weaken"),
        only_magic=any(t.op == "only-magic" for t in traits),
        no_magic="magic-attack" in immune,
        half_magic=any(isinstance(t, Halve) and t.what == "magic_attack" for t in traits),
        no_spells="spells" in immune,
        no_edged="edged" in immune,
        spell_bar="spell-used" in bars,
        weapon_bar="weapon-equipped" in bars,
        light_bar="light-penalty" in bars,
        armed_only="unequipped-heroes" in immune or any(t.unequipped for t in stays),
        strong=max((t.strength_below for t in stays if t.strength_below is not None), default=-99),
        loses=any(op.op == "lose-attack" for op in battle),
        stops=any(op.op == "stop-hero" for op in battle),
        light_useless=any(t.op == "light-useless" for t in traits),
        armed_bonus=sum(op.amount for op in battle if isinstance(op, Bonus)),
    )


def most(hand: Holding, aim: Aimed) -> tuple[int, bool] | None:
    """The highest total against the target, and whether any Magic Attack is possible; None if it is barred for sure."""
    weapons = [] if aim.weapon_bar else usable_weapons(hand, aim)
    fighting = [
        hero
        for hero in hand.heroes
        if not hero.slot.flags & FORGONE and not _idle(hero.spec, aim) and hero.strength - aim.weaken >= aim.strong
    ]
    many = any(op.op == "many-weapons" for hero in fighting for op in hero.spec.passive)
    each = [[a.attack for a in weapons], [a.magic for a in weapons], [a.attack + a.magic for a in weapons]]
    held = len(weapons)
    if many or not weapons:
        arms = [sum(figures) for figures in each]
    else:
        best = _carried(hand, weapons, each[0])
        magical = any(each[1])
        sets = [best, *(_carried(hand, weapons, figures) if magical else best for figures in each[1:])]
        arms = [sum(figures[i] for i in taken) for figures, taken in zip(each, sets, strict=True)]
        held = len(best)
    armed = min(held, len(fighting))
    kinds = {kind for arm in weapons for kind in arm.spec.types}
    values = [own_figures(hand, hero, aim, kinds) for hero in fighting]
    loose = [_loose(hand, spec, aim) for spec in hand.loose]
    own = [(attack, magic) for attack, magic, *_ in values]
    if aim.loses and not (aim.only_magic or aim.no_magic or aim.half_magic):
        own = [(a - 1, m) if a >= 1 else (a, max(0, m - 1)) for a, m in own]
    least = 1 if aim.stops and own else 0
    able = armed if aim.armed_only else len(own)
    parts = [  # of each: the best so many
        (own, min(able, len(own) - least)),
        ([(extra, 0) for _, _, _, extra, _ in values], armed),
        ([(wield, 0) for *_, wield in values], min(held, sum("edged" in arm.spec.types for arm in weapons))),
        ([(a, m) for a, m, _ in loose], len(loose)),
        *_prices(hand),
        ([(hand.gifts, 0)], 1),
    ]
    attack, magic, both = arms
    for figures, n in parts:
        if figures and n > 0:
            attack += _top([a for a, _ in figures], n)
            magic += _top([m for _, m in figures], n)
            both += _top([a + m for a, m in figures], n)
    turned = _turned(hand, fighting, values, weapons, held, attack)
    doubles = sum(op.op == "double" for hero in fighting for op in hero.spec.passive)
    light = sum(shine for _, _, shine, _, _ in values) + sum(shine for _, _, shine in loose)
    light += _top([arm.spec.light for arm in weapons], held)
    penalty = _penalty(aim, light, fighting)
    if penalty and aim.light_bar:
        return None
    diseases = 0 if aim.armed_bonus or aim.half_magic else hand.diseases
    if aim.no_magic:
        total, turned, magic = attack, 0, 0
    elif aim.only_magic:
        total = _multiplied(magic + turned, doubles, half=aim.half_magic)
    elif not doubles and not aim.half_magic:
        total = both - diseases
    else:
        plain = attack + _multiplied(magic, doubles, half=aim.half_magic)
        other = attack - turned + _multiplied(magic + turned, doubles, half=aim.half_magic)
        total = max(plain, other) - diseases
    possible = magic + turned >= 1
    total = max(0, total - 2 * penalty)
    for trait in (*aim.foe.traits, *aim.foe.battle):
        if isinstance(trait, Halve) and trait.what == "total":
            spared = {"magic-attack": possible, "weapon": bool(weapons)}.get(trait.unless or "", False)
            if not spared and not (trait.unless_hand is not None and hand.count(trait.unless_hand)):
                total //= 2
    return total, possible


def _top(numbers: list[int], n: int) -> int:
    return sum(numbers) if n >= len(numbers) else sum(sorted(numbers, reverse=True)[:n])


def _multiplied(magic: int, doubles: int, *, half: bool) -> int:
    magic <<= doubles
    return magic // 2 if half else magic


def _penalty(aim: Aimed, light: int, fighting: list[Hero]) -> int:
    if aim.rank == 0 or any(op.op == "ignore-light-penalties" for hero in fighting for op in hero.spec.passive):
        return 0
    return max(0, aim.rank + aim.foe.light_penalty - (0 if aim.light_useless else light))


def _idle(spec: Spec, aim: Aimed) -> bool:
    return any(
        op.op == "cannot-attack" and op.when.rank is not None and aim.rank in op.when.rank for op in spec.passive
    )


def _holds(hand: Holding, operation: Bonus, aim: Aimed) -> bool:
    """False only if the condition of a bonus cannot hold with this hand against this target at this rank."""
    when = operation.when
    if when is None:
        return True
    if when.rank is not None and aim.rank not in when.rank:
        return False
    if when.hand is not None and not hand.count(when.hand):
        return False
    if when.gold is not None and sum(spec.gold or 0 for spec in hand.cards) < when.gold:
        return False
    return when.target is None or bool(aim.foe.types & set(when.target))


def own_figures(hand: Holding, hero: Hero, aim: Aimed, kinds: set[str]) -> tuple[int, int, int, int, int]:
    """Attack, Magic Attack and Light of his own, and Attack more if he holds a weapon, or one of a kind he likes."""
    spec = hero.spec
    figures = {"attack": spec.attack, "magic_attack": spec.magic_attack, "light": spec.light, "strength": 0}
    extra, wield = aim.armed_bonus, 0
    for op in hero.own:
        if not _holds(hand, op, aim):
            continue
        amount = op.amount if op.per is None else op.amount * hand.count(op.per)
        if op.when is not None and op.when.wields is not None:
            wield += amount if op.when.wields in kinds else 0
        else:
            figures[op.stat] += amount
    for op, source in hand.everybody:
        if op.to == "other-heroes" and source is hero.slot:
            continue
        if op.who is not None and not spec.matches(op.who):
            continue
        amount = op.amount if op.per is None else op.amount * hand.count(op.per)
        if op.armed and op.stat == "attack":
            extra += amount
        else:
            figures[op.stat] += amount
    if any(op.op == "count-magic" for op in spec.passive):
        figures["magic_attack"] += sum(one.is_item or _loose(hand, one, aim)[1] > 0 for one in hand.loose)
    return max(0, figures["attack"]), max(0, figures["magic_attack"]), figures["light"], extra, wield


def _loose(hand: Holding, spec: Spec, aim: Aimed) -> tuple[int, int, int]:
    """Attack, Magic Attack and Light of a spell, item or trophy."""
    if spec.is_spell and aim.spell_bar:
        return 0, 0, 0
    light = 0 if spec.is_monster else spec.light
    figures = {"attack": spec.attack, "magic_attack": spec.magic_attack, "light": light, "strength": 0}
    _add_own(hand, figures, spec.passive, aim)
    if spec.is_spell and aim.no_spells:
        return 0, 0, figures["light"]
    return max(0, figures["attack"]), max(0, figures["magic_attack"]), figures["light"]


def _add_own(hand: Holding, figures: dict[str, int], operations: tuple[Operation, ...], aim: Aimed) -> None:
    for op in operations:
        if isinstance(op, Bonus) and op.to == "self" and _holds(hand, op, aim):
            figures[op.stat] += op.amount


def usable_weapons(hand: Holding, aim: Aimed) -> list[Arm]:
    """Every weapon that some hero can be given, with what it is worth in the battle at best (R5.3, R5.5)."""
    strongest = max((hero.strength for hero in hand.heroes), default=None)
    if strongest is None:
        return []
    types = {kind for hero in hand.heroes for kind in hero.spec.types}
    found = []
    for spec, use in hand.weapons:
        thrown = use == THROWN_ALREADY
        weight = -99 if thrown or hand.weightless else spec.weight
        if weight > strongest:
            continue
        usable = [ability for ability in spec.dungeon if use != KEPT or not ability.cost]
        drops = weight > strongest - aim.weaken and not any(ability.cost for ability in usable)  # R5.3: not if thrown
        if drops or (aim.no_edged and "edged" in spec.types):
            found.append(Arm(spec, weight, 0, 0))
            continue
        figures = {"attack": spec.attack, "magic_attack": spec.magic_attack, "light": 0, "strength": 0}
        for op in (*spec.passive, *(op for ability in usable for op in ability.lasting)):
            if isinstance(op, Instead):
                if op.when.strength is None or strongest - aim.weaken >= op.when.strength:
                    figures["attack"] = max(figures["attack"], op.amount)
            elif isinstance(op, Bonus) and op.to == "self" and _holds(hand, op, aim):
                holder = None if op.when is None else op.when.holder
                figures[op.stat] += op.amount if holder is None or holder in types else 0
        found.append(Arm(spec, weight, max(0, figures["attack"]), max(0, figures["magic_attack"])))
    return found


def _carried(hand: Holding, weapons: list[Arm], values: list[int]) -> list[int]:
    """Places of the best weapons that the heroes can carry together at most, one each (R4.3).

    Who can bear a weight is a matter of Strength alone, so the best set is found by taking the best weapon that still
    goes with those taken. As many heroes as there are gifts of Strength left may carry anything.
    """
    strengths = sorted((hero.strength - hand.strength for hero in hand.heroes), reverse=True)
    weights: list[int] = []
    taken: list[int] = []
    for place in sorted(range(len(weapons)), key=lambda i: -values[i]):
        trial = sorted((*weights, weapons[place].weight), reverse=True)
        if len(trial) <= len(strengths) and len(trial) - _borne(trial, strengths) <= hand.strength_gifts:
            weights = trial
            taken.append(place)
    return taken


def _borne(weights: list[int], strengths: list[int]) -> int:
    """How many of the weights, heaviest first, heroes of these Strengths, strongest first, can bear, one each."""
    borne = 0
    for weight in weights:
        if borne < len(strengths) and strengths[borne] >= weight:
            borne += 1
    return borne


def _prices(hand: Holding) -> list[tuple[list[Figures], int]]:
    """What can be had for cards of the hand: of each kind of card the best takers, as often as there are cards."""
    found = []
    for select in dict.fromkeys(price.select for price in hand.prices):
        there = sum(spec.matches(select) for spec in hand.unused)
        figures: list[Figures] = []
        for price in hand.prices:
            if price.select == select:
                one = (price.amount, 0) if price.stat == "attack" else (0, price.amount)
                figures += [one] * min(price.times, there)
        found.append((figures, there))
    return found


def _turned(
    hand: Holding,
    fighting: list[Hero],
    values: list[tuple[int, int, int, int, int]],
    weapons: list[Arm],
    held: int,
    attack: int,
) -> int:
    """The Attack that can be turned into Magic Attack at most (R5.8)."""
    number = hand.converts + sum(hero.converted for hero in fighting)
    if hand.armed_converts:
        number += held
    if not number:
        return 0
    arms = sorted((arm.attack for arm in weapons), reverse=True)
    paid = sum(_top([a for a, _ in figures], n) for figures, n in _prices(hand))
    each = []
    for hero, (own, _, _, extra, wield) in zip(fighting, values, strict=True):
        many = any(op.op == "many-weapons" for op in hero.spec.passive)
        weapon = sum(arms) if many else sum(arms[:1])
        each.append(own + extra + wield + weapon + (paid if hero.pays else 0))
    return min(attack, _top(each, number) + hand.gifts)
