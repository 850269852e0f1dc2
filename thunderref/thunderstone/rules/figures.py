"""What each revealed card gives against a target: Attack, Magic Attack and Light, term by term (R5.3 to R5.8)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from thunderref.database.operations import Bonus, Instead
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.explanation import Term, fold
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import FORGONE, LOST_ATTACK, LOST_MAGIC, UNOPPOSED, Slot, Target, replace
from thunderref.thunderstone.rules.readings import CONVERTED_WEAPON, COUNTED_SPELLS, IDLE_WEAPONS, JUDGEMENT_WEAPON

Params = tuple[tuple[str, Any], ...]


def sums(party: Party, target: Target) -> tuple[Term, ...]:
    """All terms of R5.7 and R5.8, Disease left out; what Disease takes changes none of them."""
    aim = (target.spec.id, target.rank, None if target.battle is None else target.battle.weaken)
    known = party.terms.get(aim)
    if known is not None:
        return known
    terms: list[Term] = []
    alone = not party.gifts and not target.spec.meddles
    for slot, spec in party.free:
        altered = slot.weapons or slot.flags or slot.marks or slot.form or slot.fixed
        if spec.only_figures and (alone or not spec.is_hero) and not altered:
            if spec.figures is not None:  # the result of the long way below, and the usual case
                terms.append(spec.figures)
        elif spec.is_hero:
            terms += hero_terms(party, slot, target)
        else:
            terms += free_terms(party, slot, target)
    found = party.terms[aim] = tuple(terms)
    return found


def hero_terms(party: Party, hero: Slot, target: Target) -> list[Term]:
    """Attack, Magic Attack and Light of a hero and of the weapons they hold, conversions included (R5.3 to R5.8)."""
    idle = party.idle_reason(hero, target)
    if idle is not None:
        reason, rules = idle
        numbers: Params = ()
        if reason == "weak":
            least = max(trait.strength_below or 0 for trait in target.spec.stops)
            numbers = (*_strength(party, hero, target), ("needed", least))
        why = Term(f"idle.{reason}", hero.card, rules=rules, params=(("rank", target.rank), *numbers))
        if IDLE_WEAPONS not in party.game.readings or reason in ("stopped", "forgone"):
            return [why]
        return [why, *[term for weapon in hero.weapons for term in weapon_terms(party, weapon, hero, target)]]
    terms = _printed(party.spec(hero), hero)
    for given in party.gifts:
        operation, source = given.operation, given.source
        if not given.used and source != hero and party.idles(source, target):
            continue
        if isinstance(operation, Bonus):
            if not party.reaches(operation, source, hero):
                continue
            if operation.to == "self" and not party.holds(operation.when, hero, target):
                continue
            terms += _given_to(hero, _bonus(party, operation, source, hero), party.spec(source), target)
        elif source == hero:  # what is counted is Magic Attack
            n = _magic_things(party, target)
            terms.append(Term("count-magic", hero.card, 0, n, 0, ("R5.8b",), (("n", n),)))
    if hero.fixed or hero.marks:
        terms += _given_once(party, hero, target)
    if target.battle is not None:
        for trait in target.spec.battle:
            if isinstance(trait, Bonus) and (not trait.armed or party.held(hero)):
                by = (("from_card", target.spec.id),)
                terms.append(Term("from-target", hero.card, trait.amount, 0, 0, ("R5.2",), by))
        if "unequipped-heroes" in target.spec.immune and not party.held(hero):
            attack, magic, _ = fold(terms)
            return [*terms, Term("immune.unequipped", hero.card, -attack, -magic, 0, ("R5.5",))]
        if hero.flags & LOST_ATTACK:
            terms.append(Term("lost", hero.card, -1, 0, 0, ("R5.7",), (("from_card", target.spec.id),)))
        if hero.flags & LOST_MAGIC:
            terms.append(Term("lost", hero.card, 0, -1, 0, ("R5.7",), (("from_card", target.spec.id),)))
    own = len(terms)
    for weapon in hero.weapons:
        terms += weapon_terms(party, weapon, hero, target)
    converted = party.converter(hero)
    if converted is not None:
        attack = fold(terms[:own] if CONVERTED_WEAPON in party.game.readings else terms)[0]
        if attack:
            terms.append(Term("convert", converted, -attack, attack, 0, ("R5.8",), (("hero_card", hero.card),)))
    return terms


def _printed(spec: CardSpec, slot: Slot) -> list[Term]:
    figures = spec.figures
    if figures is None:
        return []
    return [figures if not slot.form else replace(figures, card=slot.card)]


@lru_cache(maxsize=1024)
def _nothing(key: str, card: str, rule: str) -> Term:
    return Term(key, card, rules=(rule,))


def _out_of_rank(spec: CardSpec, target: Target) -> Term:
    ranks = [str(rank) for op in spec.passive if isinstance(op, Bonus) and op.when for rank in op.when.rank or ()]
    return Term("out-of-rank", spec.id, 0, 0, 0, ("R5.7",), (("rank", target.rank), ("ranks", ", ".join(ranks))))


def _given_to(hero: Slot, bonus: Term, giver: CardSpec, target: Target) -> list[Term]:
    if giver.is_spell and (bonus.attack or bonus.magic) and target.immune_to("spells"):
        by = (("from_card", giver.id),)
        return [bonus, Term("immune.spell-gift", hero.card, -bonus.attack, -bonus.magic, 0, ("R5.5",), by)]
    return [bonus]


def _given_once(party: Party, hero: Slot, target: Target) -> list[Term]:
    """What uses gave the hero once and for all, under the other reading of R4.9, and what nobody opposed (R4.7)."""
    terms: list[Term] = []
    for fixed in hero.fixed:
        gift = party.fixed(fixed)
        if isinstance(gift, Bonus) and gift.stat != "strength":
            attack, magic, light = _figures(gift, gift.amount * fixed[3])
            term = Term("bonus", hero.card, attack, magic, light, ("R4.9",), (("from_card", fixed[0]),))
            terms += _given_to(hero, term, party.game.cards[fixed[0]], target)
    n = sum([party.game.cards[card].unopposed for card, number in hero.marks if number == UNOPPOSED])
    if n:
        terms.append(Term("bonus", hero.card, 0, n, 0, ("R4.7",), (("from_card", hero.card),)))
    return terms


def own_attack(party: Party, hero: Slot, target: Target) -> tuple[int, int]:
    """A hero's Attack and Magic Attack with the bonuses for this hero, without weapons and conversions (R5.7)."""
    terms = hero_terms(party, hero, target)
    if JUDGEMENT_WEAPON in party.game.readings:
        return fold(t for t in terms if t.key != "convert")[:2]
    kinds = ("figures", "bonus", "count-magic", "from-target", "immune.spell-gift", "lost")
    return fold(t for t in terms if t.key in kinds and t.card == hero.card)[:2]


def _bonus(party: Party, operation: Bonus, source: Slot, to: Slot, key: str = "bonus", params: Params = ()) -> Term:
    n = operation.amount
    if operation.per is not None:
        counted = party.count(operation.per)
        n *= counted
        params = (*params, ("from_card", source.card), ("n", counted), ("per", operation.per.kind))
    attack, magic, light = _figures(operation, n)
    rules = party.spec(source).rules.get("bonus", ())
    return Term(key, to.card, attack, magic, light, rules, params or (("from_card", source.card),))


def _figures(bonus: Bonus, n: int) -> tuple[int, int, int]:
    stat = bonus.stat
    return n if stat == "attack" else 0, n if stat == "magic_attack" else 0, n if stat == "light" else 0


def weapon_terms(party: Party, weapon: Slot, hero: Slot, target: Target) -> list[Term]:
    """What a held weapon adds; a weapon too heavy in the battle adds nothing (R5.3)."""
    spec = party.spec(weapon)
    held = (("hero_card", hero.card),)
    if party.drops(weapon, hero, target.weaken):
        numbers = _weighed(party, weapon, hero, target)
        return [Term("dropped", weapon.card, rules=("R5.3",), params=(*held, *numbers))]
    if "edged" in spec.types and target.immune_to("edged"):
        return [Term("immune.edged", weapon.card, 0, 0, spec.light, ("R5.5",), held)]
    numbers = _weighed(party, weapon, hero, target)
    attack, key = spec.attack, "weapon"
    for operation in spec.passive:
        if isinstance(operation, Instead):
            numbers, key = (*numbers, ("needed", operation.when.strength or 0)), "weapon-below"
            if party.holds(operation.when, hero, target):
                attack, key = operation.amount, "weapon-instead"
    more = [
        _bonus(party, bonus, weapon, weapon, "weapon-bonus", held)
        for bonus, source in party.weapon_gifts
        if source == weapon and bonus.to == "self" and party.holds(bonus.when, hero, target)
    ]
    if not (attack or spec.magic_attack or spec.light):  # what it gives depends on where the target is
        key = "weapon-bare"
        more = more or [_out_of_rank(spec, target)]
    return [Term(key, weapon.card, attack, spec.magic_attack, spec.light, ("R4.3",), (*held, *numbers)), *more]


def with_cause(party: Party, term: Term, target: Target) -> Term:
    """The term, for a weapon that no hero holds with what keeps every hero from it: weight or weapons held (R4.3)."""
    if term.key != "unequipped" or not party.heroes:
        return term
    weapon = next(slot for slot in party.weapons if slot.card == term.card)
    hero = max(party.heroes, key=lambda hero: party.strength(hero, target.weaken))
    numbers = (("hero_card", hero.card), *_weighed(party, weapon, hero, target))
    able = [one for one in party.heroes if party.strength(one, target.weaken) >= party.weight(weapon)]
    if any(party.hand_free(one) for one in able):
        return term
    return replace(term, key="unequipped.armed" if able else "unequipped.weak", params=numbers)


def _weighed(party: Party, weapon: Slot, hero: Slot, target: Target) -> Params:
    return (*_strength(party, hero, target), ("weight", party.weight(weapon)))


def _strength(party: Party, hero: Slot, target: Target) -> Params:
    gifts = tuple(party.strength_gifts(hero))
    if target.weaken:
        gifts = (*gifts, (target.spec.id, -target.weaken))
    base = party.spec(hero).strength
    return (("strength", base + sum([n for _, n in gifts])), ("base", base), ("gifts", gifts))


def gives_magic(party: Party, spell: Slot, target: Target) -> bool:
    """True if a spell gives Magic Attack in this battle (R5.8b)."""
    if spell.flags & FORGONE:
        return False
    if COUNTED_SPELLS in party.game.readings:
        return party.spec(spell).prints_magic
    if target.immune_to("spells"):
        return False
    return sum([term.magic for term in free_terms(party, spell, target)]) > 0


def _magic_things(party: Party, target: Target) -> int:
    items = sum([spec.is_item and not slot.flags & FORGONE for slot, spec in party.cards])
    spells = sum([spec.is_spell and gives_magic(party, slot, target) for slot, spec in party.cards])
    return items + spells


def free_terms(party: Party, slot: Slot, target: Target) -> list[Term]:
    """What a card gives that no hero holds: spells, items, trophies; an unequipped weapon gives nothing (R4.3)."""
    spec = party.spec(slot)
    if slot.flags & FORGONE:
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
