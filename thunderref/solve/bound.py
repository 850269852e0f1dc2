"""How much a party can make of a battle at most, whatever the rest of its preparation.

The figures are sums of what each card gives by itself at best: every hero the gifts that exist, the weapons as many as
there are hands, food and torches each destroyed for the best taker. What stands against the party (Disease, Judgement,
Haunt) is only taken off where it cannot be escaped. So a bound is never below what a line can reach, and the search
leaves out what cannot be better than the line it has (:mod:`thunderref.solve.best`).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from thunderref.engine.book import Spec
from thunderref.engine.state import FORGONE, Slot
from thunderref.model.effect import (
    Bonus,
    Halve,
    HeroesCannotAttack,
    Immune,
    Instead,
    Operation,
)
from thunderref.solve.holding import KEPT, THROWN_ALREADY, Hero, Holding
from thunderref.solve.matching import best_gain
from thunderref.solve.option import Option

LIGHT = 4
"""What a point of Light counts in the dark, in halves of a point of the total (R5.12)."""
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
    armed_attack: bool
    """Heroes without a weapon do not attack at all."""
    strong: int
    """Heroes below this Strength do not attack."""
    loses: bool
    stops: bool
    light_useless: bool
    armed_bonus: int


class Arm(NamedTuple):
    """A weapon with what it is worth in whose hands; thrown or weightless ones weigh nothing at all."""

    spec: Spec
    weight: int
    attack: int
    magic: int
    liked: tuple[tuple[str, str, int], ...]
    """What it adds in the hands of a hero of some type: type, figure, how much."""
    strong: tuple[int, int] | None
    """In the hands of a hero of so much Strength in the battle it has so much Attack instead."""
    drops: bool
    """It is worth nothing if the hero gets too weak for it in the battle (R5.3)."""
    holder: Slot | None
    """The hero who holds it and may not give it away."""


class Fighter(NamedTuple):
    """A hero who may attack, with what he gives by himself at best."""

    hero: Hero
    attack: int
    magic: int
    light: int
    extra: int
    """Attack more if he holds a weapon."""
    likes: tuple[tuple[str, int], ...]
    """Attack more if he holds a weapon of a kind."""


class Scale(NamedTuple):
    """What a point of Attack and of Magic Attack count in the total, in halves."""

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
        armed_attack=any(t.unequipped for t in stays),
        strong=max((t.strength_below for t in stays if t.strength_below is not None), default=-99),
        loses=any(op.op == "lose-attack" for op in battle),
        stops=any(op.op == "stop-hero" for op in battle),
        light_useless=any(t.op == "light-useless" for t in traits),
        armed_bonus=sum(op.amount for op in battle if isinstance(op, Bonus)),
    )


def most(hand: Holding, aim: Aimed) -> tuple[int, bool] | None:
    """The highest total against the target, and whether any Magic Attack is possible; None if it is barred for sure.

    All that counts is added up with every gift and every food well used; only the weapons, the gifts to chosen heroes
    and the conversions are matched to heroes one by one (:mod:`thunderref.solve.matching`).
    """
    arms = [] if aim.weapon_bar else usable_weapons(hand, aim)
    fighters = [_fighter(hand, hero, aim) for hero in hand.heroes if _may_attack(hand, hero, aim)]
    loose = [_loose(hand, spec, aim) for spec in hand.loose]
    own = sum(one.light for one in fighters) + sum(light for _, _, light in loose)
    shine = own + sum(arm.spec.light for arm in arms)
    if aim.light_bar and _penalty(aim, shine, fighters):
        return None
    doubles = sum(op.op == "double" for one in fighters for op in one.hero.spec.passive)
    doubles = min(doubles, len(arms)) if aim.armed_attack else doubles
    magic = 0 if aim.no_magic else (1 if aim.half_magic else 2) << doubles
    scale = Scale(0 if aim.only_magic else 2, magic)
    turning = hand.converts or hand.armed_converts or any(one.hero.converted for one in fighters)
    rest = sum(a * scale.attack + m * scale.magic for a, m, _ in loose)
    rest += hand.gifts * (max(scale) if turning else scale.attack)
    if not (aim.armed_bonus or aim.half_magic or aim.only_magic or aim.no_magic):
        rest -= 2 * hand.diseases
    spent = partial(_spent, hand, aim, scale if not turning else Scale(max(scale), magic), fighters)
    highest = spent(_matched(hand, aim, fighters, arms, scale, shine) + rest, shine)
    if shine > own and not (aim.light_bar or aim.light_useless) and _penalty(aim, own, fighters):
        # Weapons shine in somebody's hands only. This is too much where more of them shine than it is dark.
        lit = _matched(hand, aim, fighters, arms, scale, own, light=LIGHT) + rest
        highest = min(highest, spent(lit, own))
    possible = not aim.no_magic and (
        bool(turning)
        or any(one.magic for one in fighters)
        or any(m for _, m, _ in loose)
        or any(arm.magic for arm in arms)
        or any(price.stat != "attack" for price in hand.prices)
    )
    for trait in (*aim.foe.traits, *aim.foe.battle):
        if isinstance(trait, Halve) and trait.what == "total":
            spared = {"magic-attack": possible, "weapon": bool(arms)}.get(trait.unless or "", False)
            if not spared and not (trait.unless_hand is not None and hand.count(trait.unless_hand)):
                highest //= 2
    return highest, possible


def _spent(hand: Holding, aim: Aimed, scale: Scale, fighters: list[Fighter], total: int, shine: int) -> int:
    """The total, so far in halves, with food and the like destroyed for the best takers, the light penalty off.

    A light that is destroyed shines no longer: of each number of cards destroyed the best is taken.
    """
    highest = 0
    burnt: list[tuple[int, int]] = [(0, 0)]  # so far: what it gives, how much Light it takes
    for figures, lights in _prices(hand, scale):
        n = min(len(figures), len(lights))
        ways = [(sum(figures[:i]), sum(lights[:i])) for i in range(n + 1)]
        if not any(lights):
            ways = ways[-1:]
        burnt = [(more + gain, less + light) for more, less in burnt for gain, light in ways]
    for more, less in burnt:
        penalty = _penalty(aim, shine - less, fighters)
        if not (penalty and aim.light_bar):
            highest = max(highest, (total + more) // 2 - 2 * penalty)
    return highest


def _may_attack(hand: Holding, hero: Hero, aim: Aimed) -> bool:
    if hero.slot.flags & FORGONE or _idle(hero.spec, aim):
        return False
    return hero.strength - aim.weaken >= aim.strong


def _matched(
    hand: Holding, aim: Aimed, fighters: list[Fighter], arms: list[Arm], scale: Scale, shine: int, light: int = 0
) -> int:
    """What heroes and weapons come to at most, in halves of a point of the total; ``light`` is what Light counts."""
    stops = (
        aim.stops
        and not aim.armed_only
        and any(one.hero.strength - sum(hand.lifts) >= aim.strong + aim.weaken for one in fighters)
    )
    total = 0
    open_: list[tuple[Option, ...]] = []
    for one in fighters:
        options = _options(hand, aim, one, arms, scale, light)
        if stops:
            lost = _penalty(aim, shine - one.light, fighters) - _penalty(aim, shine, fighters)
            options.append(Option(-1, 0, 0, -4 * lost, True))
        first = options[0] if len(options) == 1 else None
        if first is not None and first.weapon < 0 and not first.gifts and not first.converts:
            total += max(0, first.gain)
        elif options:
            open_.append(tuple(options))
    spare = (0,) * len(arms)
    if any(op.op == "many-weapons" for one in fighters for op in one.hero.spec.passive):  # whatever nobody else holds
        turned = hand.converts or hand.armed_converts or any(one.hero.converted for one in fighters)
        dear = max(scale) if turned else scale.attack
        spare = tuple(
            [max(a * dear + m * scale.magic for a, m, _ in _ever(arm)) + light * arm.spec.light for arm in arms]
        )
    return total + best_gain(tuple(open_), spare, len(hand.lifts), hand.converts, stops=stops)


def _options(hand: Holding, aim: Aimed, one: Fighter, arms: list[Arm], scale: Scale, light: int = 0) -> list[Option]:
    """Every way to use a hero: alone, or with one of the weapons, turned into Magic Attack or not."""
    hero = one.hero
    may_turn = hand.converts > 0 and not hero.converted
    tied = may_turn and hand.tied == hand.converts == len(hand.lifts)  # who is given Strength is turned, and who is not
    loses = aim.loses and not (aim.only_magic or aim.no_magic or aim.half_magic)
    strength = hero.strength - sum(hand.lifts)
    found: list[Option] = []

    def add(weapon: int, gifts: int, figures: tuple[int, int, int], least: int) -> None:
        """What his own Attack, the weapon's and the Magic Attack come to, if that is more than ``least``."""
        own, more, magic = figures
        if loses and own >= 1:
            own -= 1
        elif loses and magic >= 1 and not hand.gifts:
            magic -= 1
        plain = (own + more) * scale.attack + magic * scale.magic
        turned = (own + more + magic) * scale.magic
        if hero.converted or (weapon >= 0 and hand.armed_converts and turned > plain):
            plain = turned
        if light and weapon >= 0:
            plain += light * arms[weapon].spec.light
            turned += light * arms[weapon].spec.light
        if plain > least and not (tied and gifts):
            found.append(Option(weapon, gifts, 0, plain))
        if may_turn and turned > least:
            found.append(Option(weapon, max(gifts, 1) if tied else gifts, 1, turned))

    alone = _gifts(hand, strength, aim.strong + aim.weaken)
    if not aim.armed_only and alone is not None:
        add(-1, alone, (one.attack, 0, one.magic), -1)
    bare = max((option.gain for option in found if not (option.gifts or option.converts)), default=0)
    held = [arm for arm in arms if arm.holder is hero.slot]
    fixed = held and not hand.moves and not any(op.op == "many-weapons" for op in hero.spec.passive)
    free = not fixed or any(_leaves(arm) for arm in held)
    for place, arm in enumerate(arms):
        if arm.holder is not hero.slot and (arm.holder is not None or not free):
            continue
        own = one.attack + one.extra
        if one.likes:
            own += sum([amount for kind, amount in one.likes if kind in arm.spec.types])
        for attack, magic, strong in _ever(arm):
            needed = _gifts(hand, strength, max(arm.weight, strong + aim.weaken, aim.strong + aim.weaken))
            if needed is None:
                continue
            if arm.liked and (strong > -99 or not arm.drops):
                for kind, stat, amount in arm.liked:
                    if kind in hero.spec.types:
                        attack += amount if stat == "attack" else 0
                        magic += amount if stat == "magic_attack" else 0
            add(place, needed, (own, attack, one.magic + magic), bare)
    return found


def _ever(arm: Arm) -> list[tuple[int, int, int]]:
    """Attack and Magic Attack that a weapon may have, and the Strength in the battle that each asks for."""
    figures = [(arm.attack, arm.magic, arm.weight if arm.drops else -99)]
    if arm.drops:
        figures.append((0, 0, -99))
    if arm.strong is not None:
        figures.append((arm.strong[1], arm.magic, max(arm.strong[0], arm.weight if arm.drops else -99)))
    return figures


def _leaves(arm: Arm) -> bool:
    """True for a weapon that may be destroyed before the battle, so that its hero's hand is free again."""
    return any(cost.op == "destroy-self" and not cost.stays for ability in arm.spec.dungeon for cost in ability.cost)


def _gifts(hand: Holding, strength: int, wanted: int) -> int | None:
    """How many gifts of Strength that are left to be given make so much of it; None if all are too few."""
    gap = wanted - strength
    if gap <= 0:
        return 0
    for n, lift in enumerate(hand.lifts, 1):
        gap -= lift
        if gap <= 0:
            return n
    return None


def _penalty(aim: Aimed, light: int, fighters: list[Fighter]) -> int:
    if aim.rank == 0 or any(op.op == "ignore-light-penalties" for one in fighters for op in one.hero.spec.passive):
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


def _fighter(hand: Holding, hero: Hero, aim: Aimed) -> Fighter:
    """A hero with all that is given to him."""
    spec = hero.spec
    figures = {"attack": spec.attack, "magic_attack": spec.magic_attack, "light": spec.light, "strength": 0}
    extra = aim.armed_bonus
    likes = []
    for op in hero.own:
        if not _holds(hand, op, aim):
            continue
        amount = op.amount if op.per is None else op.amount * hand.count(op.per)
        if op.when is not None and op.when.wields is not None:
            likes.append((op.when.wields, amount))
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
    attack, magic = max(0, figures["attack"]), max(0, figures["magic_attack"])
    return Fighter(hero, attack, magic, figures["light"], extra, tuple(likes))


def has_magic(hand: Holding, hero: Hero, aim: Aimed) -> bool:
    """True if the hero may have Magic Attack of his own, without a weapon and unless somebody converts his Attack."""
    return hero.converted or hero.pays or hand.armed_converts or _fighter(hand, hero, aim).magic > 0


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
    strongest = max((hero.strength for hero in hand.heroes), default=-99)
    found = []
    for spec, use, holder in hand.weapons:
        thrown = use == THROWN_ALREADY or hand.weightless
        weight = -99 if thrown else spec.weight
        if weight > strongest:
            continue
        usable = [ability for ability in spec.dungeon if use != KEPT or not ability.cost]
        drops = aim.weaken > 0 and not thrown and not any(ability.cost for ability in usable)  # R5.3: not if thrown
        attack, magic, liked, strong = spec.attack, spec.magic_attack, [], None
        for op in (*spec.passive, *(op for ability in usable for op in ability.lasting)):
            if isinstance(op, Instead):
                strong = (op.when.strength or -99, op.amount)
            elif isinstance(op, Bonus) and op.to == "self" and _holds(hand, op, aim):
                if op.when is not None and op.when.holder is not None:
                    liked.append((op.when.holder, op.stat, op.amount))
                elif op.stat == "attack":
                    attack += op.amount
                elif op.stat == "magic_attack":
                    magic += op.amount
        if aim.no_edged and "edged" in spec.types:
            attack, magic, liked, strong = 0, 0, [], None
        found.append(Arm(spec, weight, max(0, attack), max(0, magic), tuple(liked), strong, drops, holder))
    return found


def _prices(hand: Holding, scale: Scale) -> list[tuple[list[int], list[int]]]:
    """What can be had for cards of the hand: of each kind of card what the best takers get for them, in halves, the
    best first, and the Light of these cards, the darkest first."""
    found = []
    for select in dict.fromkeys(price.select for price in hand.prices):
        lights = sorted(spec.light for spec in hand.unused if spec.matches(select))
        figures: list[int] = []
        for price in hand.prices:
            if price.select == select:
                one = price.amount * (scale.attack if price.stat == "attack" else scale.magic)
                figures += [one] * min(price.times, len(lights))
        found.append((sorted(figures, reverse=True)[: len(lights)], lights))
    return found
