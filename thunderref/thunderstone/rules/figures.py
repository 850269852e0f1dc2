"""The battle value against one target: what each revealed card gives, term by term, and the sums (R5.3 to R5.14)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from thunderref.database.operations import Barred, Bonus, Halve, Instead, OthersHealthier
from thunderref.thunderstone.rules import position, readings
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.explanation import Term, Totals, fold
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import Battle, Foe, Position, Slot, Target, replace

Params = tuple[tuple[str, Any], ...]


def sums(party: Party, target: Target) -> tuple[Term, ...]:
    """All terms of R5.7 and R5.8, Disease left out; what Disease takes changes none of them."""
    aim = party.aim(target)
    cached = party.terms.get(aim)
    if cached is not None:
        return cached
    terms: list[Term] = []
    alone = not party.gifts and not target.spec.meddles
    for slot, spec in party.free:
        altered = slot.weapons or slot.flags or slot.marks or slot.form or slot.fixed
        if spec.only_figures and (alone or not spec.is_hero) and not altered:
            terms += spec.figures  # the result of the long way below, and the usual case
        elif spec.is_hero:
            terms += hero_terms(party, slot, target)
        else:
            terms += free_terms(party, slot, target)
    result = party.terms[aim] = tuple(terms)
    return result


def hero_terms(party: Party, hero: Slot, target: Target) -> list[Term]:
    """Attack, Magic Attack and Light of a hero and of the weapons they hold, conversions included (R5.3 to R5.8)."""
    idle = party.idle_reason(hero, target)
    if idle is not None:
        reason, rules = idle
        numbers: Params = ()
        if reason == "weak":
            threshold = max(trait.strength_below or 0 for trait in target.spec.stops)
            numbers = (*_strength(party, hero, target), ("needed", threshold))
        why = Term(f"idle.{reason}", hero.card, rules=rules, params=(("rank", target.rank), *numbers))
        if readings.IDLE_WEAPONS not in party.game.readings or reason in ("stopped", "forgone"):
            return [why]
        return [why, *[term for weapon in hero.weapons for term in weapon_terms(party, weapon, hero, target)]]
    terms = _printed(party.spec(hero), hero)
    for gift in party.gifts:
        operation, source = gift.operation, gift.source
        if not gift.used and source != hero and party.idles(source, target):
            continue
        if isinstance(operation, Bonus):
            if not party.reaches(operation, source, hero):
                continue
            if operation.to == "self" and not party.holds(operation.when, hero, target):
                continue
            terms += _gift_to(hero, _bonus(party, operation, source, hero), party.spec(source), target)
        elif source == hero:  # what is counted is Magic Attack
            n = _magic_things(party, target)
            terms.append(Term("count-magic", hero.card, 0, n, 0, ("R5.8b",), (("n", n),)))
    if hero.fixed or hero.marks:
        terms += _given_once(party, hero, target)
    if target.battle is not None:
        by = (("from_card", target.spec.id),)
        for trait in target.spec.battle:
            if isinstance(trait, Bonus) and (not trait.armed or hero.weapons):
                n = len(hero.weapons) if trait.each_weapon else 1
                terms.append(Term("from-target", hero.card, n * trait.amount, 0, 0, ("R5.2",), by))
        if "unequipped-heroes" in target.spec.immune and not hero.weapons:
            attack, magic, _ = fold(terms)
            return [*terms, Term("immune.unequipped", hero.card, -attack, -magic, 0, ("R5.5",))]
        if hero.flags & position.LOST_ATTACK:
            terms.append(Term("lost", hero.card, -1, 0, 0, ("R5.7",), by))
        if hero.flags & position.LOST_MAGIC:
            terms.append(Term("lost", hero.card, 0, -1, 0, ("R5.7",), by))
    own_count = len(terms)
    for weapon in hero.weapons:
        terms += weapon_terms(party, weapon, hero, target)
    converted = party.converter(hero)
    if converted is not None:
        attack = fold(terms[:own_count] if readings.CONVERTED_WEAPON in party.game.readings else terms)[0]
        if attack:
            terms.append(Term("convert", converted, -attack, attack, 0, ("R5.8",), (("hero_card", hero.card),)))
    return terms


def _printed(spec: CardSpec, slot: Slot) -> list[Term]:
    return [replace(term, card=slot.card) for term in spec.figures] if slot.form else [*spec.figures]


@lru_cache(maxsize=1024)
def _nothing(key: str, card: str, rule: str) -> Term:
    return Term(key, card, rules=(rule,))


def _out_of_rank(spec: CardSpec, target: Target) -> Term:
    ranks = [str(rank) for op in spec.passive if isinstance(op, Bonus) and op.when for rank in op.when.rank or ()]
    return Term("out-of-rank", spec.id, 0, 0, 0, ("R5.7",), (("rank", target.rank), ("ranks", ", ".join(ranks))))


def _gift_to(hero: Slot, bonus: Term, giver: CardSpec, target: Target) -> list[Term]:
    if giver.is_spell and (bonus.attack or bonus.magic) and target.immune_to("spells"):
        by = (("from_card", giver.id),)
        return [bonus, Term("immune.spell-gift", hero.card, -bonus.attack, -bonus.magic, 0, ("R5.5",), by)]
    return [bonus]


def _given_once(party: Party, hero: Slot, target: Target) -> list[Term]:
    """The terms that uses gave the hero for good, by the other reading of R4.9, and those nobody opposed (R4.7)."""
    terms: list[Term] = []
    for fixed in hero.fixed:
        gift = party.fixed(fixed)
        if isinstance(gift, Bonus) and gift.stat != "strength":
            attack, magic, light = _figures(gift, gift.amount * fixed[3])
            term = Term("bonus", hero.card, attack, magic, light, ("R4.9",), (("from_card", fixed[0]),))
            terms += _gift_to(hero, term, party.game.cards[fixed[0]], target)
    n = sum([party.game.cards[card].unopposed for card, number in hero.marks if number == position.UNOPPOSED])
    if n:
        terms.append(Term("bonus", hero.card, 0, n, 0, ("R4.7",), (("from_card", hero.card),)))
    return terms


def own_attack(party: Party, hero: Slot, target: Target) -> tuple[int, int]:
    """A hero's Attack and Magic Attack with the bonuses for this hero, without weapons and conversions (R5.7)."""
    terms = hero_terms(party, hero, target)
    if readings.JUDGEMENT_WEAPON in party.game.readings:
        return fold(t for t in terms if t.key != "convert")[:2]
    kinds = ("figures", "bonus", "count-magic", "from-target", "immune.spell-gift", "lost")
    return fold(t for t in terms if t.key in kinds and t.card == hero.card)[:2]


def _bonus(party: Party, operation: Bonus, source: Slot, to: Slot, key: str = "bonus", params: Params = ()) -> Term:
    n = operation.amount
    if operation.per is not None:
        count = party.count(operation.per)
        n *= count
        params = (*params, ("from_card", source.card), ("n", count), ("per", operation.per.kind))
    attack, magic, light = _figures(operation, n)
    rules = party.spec(source).rules.get("bonus", ())
    return Term(key, to.card, attack, magic, light, rules, params or (("from_card", source.card),))


def _figures(bonus: Bonus, n: int) -> tuple[int, int, int]:
    stat = bonus.stat
    return n if stat == "attack" else 0, n if stat == "magic_attack" else 0, n if stat == "light" else 0


def weapon_terms(party: Party, weapon: Slot, hero: Slot, target: Target) -> list[Term]:
    """The figures that a held weapon adds; a weapon too heavy in the battle adds nothing (R5.3)."""
    spec = party.spec(weapon)
    holder, dropped = (("hero_card", hero.card),), party.drops(weapon, hero, target.weaken)
    if not dropped and "edged" in spec.types and target.immune_to("edged"):
        return [Term("immune.edged", weapon.card, 0, 0, spec.light, ("R5.5",), holder)]
    numbers = _weight_params(party, weapon, hero, target)
    if dropped:
        return [Term("dropped", weapon.card, rules=("R5.3",), params=(*holder, *numbers))]
    attack, key = spec.attack, "weapon"
    for operation in spec.passive:
        if isinstance(operation, Instead):
            numbers, key = (*numbers, ("needed", operation.when.strength or 0)), "weapon-below"
            if party.holds(operation.when, hero, target):
                attack, key = operation.amount, "weapon-instead"
    more = [
        _bonus(party, bonus, weapon, weapon, "weapon-bonus", holder)
        for bonus, source in party.weapon_gifts
        if source == weapon and bonus.to == "self" and party.holds(bonus.when, hero, target)
    ]
    if not (attack or spec.magic_attack or spec.light):  # what it gives depends on where the target is
        key = "weapon-bare"
        more = more or [_out_of_rank(spec, target)]
    return [Term(key, weapon.card, attack, spec.magic_attack, spec.light, ("R4.3",), (*holder, *numbers)), *more]


def with_cause(party: Party, term: Term, target: Target) -> Term:
    """The term, for a weapon that no hero holds with what keeps every hero from it: weight or weapons held (R4.3)."""
    if term.key != "unequipped" or not party.heroes:
        return term
    weapon = next(slot for slot in party.weapons if slot.card == term.card)
    hero = max(party.heroes, key=lambda hero: party.strength(hero, target.weaken))
    numbers = (("hero_card", hero.card), *_weight_params(party, weapon, hero, target))
    able = [one for one in party.heroes if party.strength(one, target.weaken) >= party.weight(weapon)]
    if any(party.hand_free(one) for one in able):
        return term
    return replace(term, key="unequipped.armed" if able else "unequipped.weak", params=numbers)


def _weight_params(party: Party, weapon: Slot, hero: Slot, target: Target) -> Params:
    return (*_strength(party, hero, target), ("weight", party.weight(weapon)))


def _strength(party: Party, hero: Slot, target: Target) -> Params:
    gifts = tuple(party.strength_gifts(hero))
    if target.weaken:
        gifts = (*gifts, (target.spec.id, -target.weaken))
    base = party.spec(hero).strength
    return (("strength", base + sum([n for _, n in gifts])), ("base", base), ("gifts", gifts))


def _magic_things(party: Party, target: Target) -> int:
    """The number of items, and of spells that give Magic Attack in this battle, none forgone (R5.8b)."""
    used = [(slot, spec) for slot, spec in party.cards if not slot.flags & position.FORGONE]
    items, spells = sum([spec.is_item for _, spec in used]), [(slot, spec) for slot, spec in used if spec.is_spell]
    if readings.COUNTED_SPELLS in party.game.readings:
        return items + sum([spec.prints_magic for _, spec in spells])
    if target.immune_to("spells"):
        return items
    return items + sum([fold(free_terms(party, slot, target))[1] > 0 for slot, _ in spells])


def free_terms(party: Party, slot: Slot, target: Target) -> list[Term]:
    """The figures of a card that no hero holds: spells, items, trophies; an unequipped weapon gives nothing (R4.3)."""
    spec = party.spec(slot)
    if slot.flags & position.FORGONE:
        return [_nothing("forgone", slot.card, "R5.1")]
    if spec.is_weapon:
        return [_nothing("unequipped", slot.card, "R4.3")]
    if spec.kind == "disease":
        return []
    terms = _printed(spec, slot)
    for operation in spec.passive:
        if operation.op == "unconfirmed":
            terms.append(_nothing("unconfirmed", slot.card, "R8.1"))
        elif isinstance(operation, Bonus) and operation.to == "self" and operation.stat != "strength":
            if party.holds(operation.when, None, target):
                terms.append(_bonus(party, operation, slot, slot, "trophy" if spec.is_monster else "figures"))
            else:
                terms.append(_out_of_rank(spec, target))
    if spec.is_spell and target.immune_to("spells"):
        attack, magic, _ = fold(terms)
        if attack or magic:
            terms.append(Term("immune.spells", slot.card, -attack, -magic, 0, ("R5.5",)))
    return terms


def health(game: Game, state: Position, foe: Foe) -> int:
    """A monster's Health with wounds taken and what guardians in rank 0 add (R5.14)."""
    more = sum(amount for _, amount in _guardians(game, state, foe)) if state.rank0 else 0
    return game.cards[foe.card].health - foe.wounds + more


def _guardians(game: Game, state: Position, foe: Foe) -> list[tuple[str, int]]:
    cards = [guardian.card for guardian in state.rank0 if guardian is not foe]
    return [(card, op.amount) for card in cards for op in game.cards[card].breach if isinstance(op, OthersHealthier)]


def light_penalty(party: Party, target: Target, light: int | None = None) -> tuple[int, tuple[Term, ...]]:
    """The light penalty of R5.11 in points of Light, and how it comes about; ``light`` if it is added up already."""
    if target.rank == 0:
        return 0, (Term("no-penalty", target.spec.id, rules=("R5.11",)),)
    own_penalty = target.spec.light_penalty
    for effect in party.lasting:
        if effect.operation.op == "ignore-light-penalties" and not party.idles(effect.source, target):
            return 0, (Term("ignored-penalty", effect.source.card, rules=("R5.11",)),)
    key = "penalty"
    if "light-useless" in target.spec.has:
        key, light = "penalty-fixed", 0
    elif light is None:
        light = fold(sums(party, target))[2]
    penalty = max(0, target.rank + own_penalty - light)
    numbers = (("rank", target.rank), ("own", own_penalty), ("light", light), ("penalty", penalty))
    return penalty, (Term(key, target.spec.id, -2 * penalty, rules=("R5.11", "R5.12"), params=numbers),)


def disease_options(party: Party, target: Target, battle: Battle) -> tuple[str, ...]:
    """The sums that the next Disease may reduce (R5.6, R5.6y): ``attack``, ``magic_attack``, both or neither."""
    if party.game.any_loss:
        return ("attack", "magic_attack")
    if readings.DISEASE_SUMS in party.game.readings:
        _, (attack, magic, _) = _multiply(party, target, [*sums(party, target)])
    else:
        attack, magic, _ = fold(sums(party, replace(target, battle=None)))
    remaining = (("attack", attack - battle.disease_attack), ("magic_attack", magic - battle.disease_magic))
    return tuple(stat for stat, n in remaining if n >= 1)


def bar(party: Party, target: Target) -> str | None:
    """The bar to attacking the target (R5.1): ``light-penalty``, ``spell-used``, ``weapon-equipped`` or None."""
    for trait in target.spec.traits:
        if not isinstance(trait, Barred):
            continue
        if trait.when == "light-penalty" and light_penalty(party, target)[0] > 0:
            return "light-penalty"
        if trait.when == "spell-used" and (party.state.benefits & position.SPELL_USED or spells_at_work(party, target)):
            return "spell-used"
        if trait.when == "weapon-equipped":
            gone = party.state.benefits & position.WEAPON_USED and readings.WEAPON_GONE not in party.game.readings
            if gone or party.any_armed(target):
                return "weapon-equipped"
    return None


def spells_at_work(party: Party, target: Target) -> list[Slot]:
    """The spells that give their value without being used, unless forgone (R5.1)."""
    spells = [slot for slot, spec in party.cards if spec.is_spell and not slot.flags & position.FORGONE]
    return [spell for spell in spells if any(fold(free_terms(party, spell, target)))]


def totals(party: Party, target: Target, foe: Foe) -> Totals:
    """The value of the battle under way: every term, the sums, the penalty, the total and whether it wins.

    Raises ValueError for a target whose battle has not begun.
    """
    if target.battle is None:
        raise ValueError("there is no battle to add up")
    losses = ((target.battle.disease_attack, 0), (0, target.battle.disease_magic))
    disease = [Term("disease", "disease", -attack, -magic, 0, ("R5.6",)) for attack, magic in losses if attack or magic]
    if readings.DISEASE_SUMS in party.game.readings and not party.game.any_loss:
        terms, _ = _multiply(party, target, [*sums(party, target)])
        terms += disease
        return _against(party, target, foe, terms, fold(terms))
    return _against(party, target, foe, *_multiply(party, target, [*sums(party, target), *disease]))


def _multiply(party: Party, target: Target, terms: list[Term]) -> tuple[list[Term], tuple[int, int, int]]:
    """The terms with immunity to Magic Attack, multipliers and Magic Attack Only (R5.5, R5.9, R5.10), and the sums."""
    attack, magic, light = fold(terms)
    below = readings.NEGATIVE_MAGIC in party.game.readings
    if target.immune_to("magic-attack") and (magic or any(t.magic for t in terms)):
        terms.append(Term("immune.magic", target.spec.id, 0, -magic, 0, ("R5.5",)))
        magic = 0
    for effect in party.lasting:
        if (magic > 0 or below) and effect.operation.op == "double" and not party.idles(effect.source, target):
            terms.append(Term("double", effect.source.card, 0, magic, 0, ("R5.9",)))
            magic *= 2
    for trait in target.spec.traits:
        if isinstance(trait, Halve) and trait.what == "magic_attack" and (magic > 0 or below):
            less = magic - magic // 2
            terms.append(Term("halve-magic", target.spec.id, 0, -less, 0, ("R5.9", "R0.2")))
            magic -= less
    if "only-magic" in target.spec.has:
        terms.append(Term("only-magic", target.spec.id, -attack, 0, 0, ("R5.10",)))
        attack = 0
    return terms, (attack, magic, light)


def _against(party: Party, target: Target, foe: Foe, terms: list[Term], values: tuple[int, int, int]) -> Totals:
    attack, magic, light = values
    penalty, reductions = light_penalty(party, target, light)
    needed = health(party.game, party.state, foe)
    total = attack + magic
    steps: list[Term] = []
    halves = [trait for trait in target.spec.halves if not _spared(party, trait, target, magic)]
    if readings.HALF_ATTACK in party.game.readings:
        total = _halve(total, halves, target, steps)
        halves = []
    steps += reductions
    total -= 2 * penalty
    if total < 0:
        steps.append(Term("below-zero", target.spec.id, -total, rules=("R5.12",)))
        total = 0
    total = _halve(total, halves, target, steps)
    if needed != target.spec.health or foe.wounds:
        changes = (("", -foe.wounds),) if foe.wounds else ()
        numbers = (("base", target.spec.health), ("changes", (*changes, *_guardians(party.game, party.state, foe))))
        steps.append(Term("needed", target.spec.id, rules=("R5.14",), params=numbers))
    victory = total >= needed
    if victory and magic < 1 and "needs-magic" in target.spec.has:
        steps.append(Term("needs-magic", target.spec.id, rules=("R5.14",)))
        victory = False
    return Totals(tuple(terms), attack, magic, light, penalty, tuple(steps), total, needed, victory)


def _halve(total: int, halves: list[Halve], target: Target, steps: list[Term]) -> int:
    for trait in halves:
        if total >= 0:
            less = total - total // 2
            steps.append(Term(f"halve.{trait.unless or 'hand'}", target.spec.id, -less, rules=("R5.13", "R0.2")))
            total -= less
    return total


def _spared(party: Party, trait: Halve, target: Target, magic: int) -> bool:
    if trait.unless == "magic-attack":
        return magic >= 1
    if trait.unless == "weapon":
        return party.any_armed(target)
    return trait.unless_hand is not None and party.count(trait.unless_hand) > 0
