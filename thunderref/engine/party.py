"""What the revealed hand is worth: lasting operations, Strength, who attacks, Attack and Magic Attack of each card.

Everything given to all heroes, who holds a weapon and what is counted is read when the battle begins (R4.9); the hand
does not change between that moment and the end of the battle, so it is read here from the hand itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from thunderref.engine.book import Spec
from thunderref.engine.hand import in_play, slots
from thunderref.engine.readings import (
    CONVERTED_WEAPON,
    COUNTED_SPELLS,
    IDLE_WEAPON_EQUIPPED,
    IDLE_WEAPONS,
    JUDGEMENT_WEAPON,
    THROWN_SPEAR,
    WHEN_COUNTED,
    Fixed,
    is_counted,
)
from thunderref.engine.state import (
    FORGONE,
    LOST_ATTACK,
    LOST_MAGIC,
    STOPPED,
    THROWN,
    UNOPPOSED,
    Slot,
    State,
    Table,
)
from thunderref.engine.target import Target
from thunderref.explain.terms import Term, fold
from thunderref.model.effect import Bonus, Condition, Convert, Instead, Operation, Select


class Given(NamedTuple):
    """A lasting operation at work: from which card, who holds that card (weapons), and whether it was used.

    What was used stands whatever becomes of its hero; what is printed as always on ends when he cannot attack (R5.4).
    """

    operation: Operation
    source: Slot
    holder: Slot | None
    used: bool


class Party:
    """The revealed hand of one state, read once."""

    def __init__(self, table: Table, state: State) -> None:
        book = table.book
        self.table = table
        self.state = state
        readings = table.readings
        at_use = WHEN_COUNTED in readings
        self._spear_gone = THROWN_SPEAR in readings
        self.specs: dict[Slot, Spec] = {}
        self.heroes: list[Slot] = []
        self.given: list[Given] = []
        self.weightless = False
        for card, numbers in state.gone:
            left = Slot(card, 0)
            for number in numbers:
                for operation in book[card].dungeon[number - 1].lasting:
                    if at_use and is_counted(operation):
                        continue
                    self.given.append(Given(operation, left, None, True))
                    self.weightless = self.weightless or operation.op == "weightless"
        for slot, holder in slots(state):
            spec = book[slot.form or slot.card]
            self.specs[slot] = spec
            if spec.is_hero and holder is None:
                self.heroes.append(slot)
            if slot.flags & FORGONE:
                continue
            for number in filter(None, slot.used):  # 0 stands for a trophy given to a hero
                for operation in spec.dungeon[number - 1].lasting:
                    if at_use and is_counted(operation):
                        continue
                    self.given.append(Given(operation, slot, holder, True))
                    self.weightless = self.weightless or operation.op == "weightless"
            if holder is not None or not spec.is_weapon:
                for operation in spec.passive:
                    self.given.append(Given(operation, slot, holder, False))

    def spec(self, slot: Slot) -> Spec:
        """The card as it counts now."""
        return self.specs[slot]

    def count(self, select: Select) -> int:
        """How many revealed cards still in play match."""
        return sum(1 for slot, spec in self.specs.items() if in_play(slot) and spec.matches(select))

    def gold(self) -> int:
        """The gold values of the revealed cards still in play (R3.2)."""
        return sum(spec.gold or 0 for slot, spec in self.specs.items() if in_play(slot))

    def strength(self, hero: Slot, weaken: int = 0) -> int:
        """A hero's Strength at this moment, ``weaken`` less."""
        return self.spec(hero).strength - weaken + sum(amount for _, amount in self.strength_gifts(hero))

    def strength_gifts(self, hero: Slot) -> list[tuple[str, int]]:
        """What adds to a hero's Strength: (card, amount)."""
        found = []
        for operation, source, _, _ in self.given:
            if isinstance(operation, Bonus) and operation.stat == "strength" and self._reaches(operation, source, hero):
                found.append((source.card, operation.amount))
        for card, number in hero.marks:
            for operation in self._marked(card, number):
                if isinstance(operation, Bonus) and operation.stat == "strength":
                    found.append((card, operation.amount))
        for fixed in hero.fixed:
            gift = self._fixed(fixed)
            if isinstance(gift, Bonus) and gift.stat == "strength":
                found.append((fixed[0], gift.amount * fixed[3]))
        return found

    def _fixed(self, fixed: Fixed) -> Operation:
        card, number, index, _ = fixed
        return self.table.book[card].dungeon[number - 1].lasting[index]

    def share(self, operation: Operation, source: Slot, hero: Slot) -> int:
        """How many times a counted operation reaches a hero at this moment (R4.9)."""
        if isinstance(operation, Convert):
            return int(bool(self.held(hero)))
        if not isinstance(operation, Bonus) or not self._reaches(operation, source, hero):
            return 0
        nowhere = Target(self.spec(hero), 0, None)
        if operation.when is not None and not self._holds(operation.when, hero, None, nowhere):
            return 0
        return 1 if operation.per is None else self.count(operation.per)

    def held(self, hero: Slot) -> tuple[Slot, ...]:
        """The weapons a hero holds (R5.3)."""
        if self._spear_gone:
            return tuple(weapon for weapon in hero.weapons if not weapon.flags & THROWN)
        return hero.weapons

    def is_armed(self, hero: Slot, target: Target) -> bool:
        """True for a hero with an equipped weapon where only that is asked (R5.4)."""
        if not self.held(hero):
            return False
        return IDLE_WEAPON_EQUIPPED not in self.table.readings or not self.idles(hero, target)

    def any_armed(self, target: Target) -> bool:
        """True if a weapon is equipped (R5.4)."""
        return any(self.is_armed(hero, target) for hero in self.heroes)

    def holds_many(self, hero: Slot) -> bool:
        """True for a hero who may hold any number of weapons (R4.3)."""
        return any(operation.op == "many-weapons" for operation in self.spec(hero).passive)

    def hand_free(self, hero: Slot) -> bool:
        """True if the hero may hold one weapon more (R4.3)."""
        return not self.held(hero) or self.holds_many(hero)

    def weight(self, weapon: Slot) -> int:
        """A weapon's weight (R4.4)."""
        return 0 if self.weightless else self.spec(weapon).weight

    def drops(self, weapon: Slot, hero: Slot, weaken: int) -> bool:
        """True if the weapon became too heavy in the battle (R5.3); thrown and weightless weapons never do."""
        if not weaken or weapon.flags & THROWN or self.weightless:
            return False
        return self.spec(weapon).weight > self.strength(hero, weaken)

    def _marked(self, card: str, number: int) -> list[Operation]:
        spec = self.table.book[card]
        if number == UNOPPOSED:
            return []
        if number == 0:  # a trophy given to a chosen hero
            return list(spec.passive)
        return [op for op in spec.dungeon[number - 1].lasting if isinstance(op, Bonus | Convert) and op.to == "chosen"]

    def _reaches(self, operation: Bonus, source: Slot, hero: Slot) -> bool:
        if operation.to == "self":
            return source == hero
        if operation.to == "chosen" or (operation.to == "other-heroes" and source == hero):
            return False
        if operation.armed and not self.held(hero):
            return False
        return operation.who is None or self.spec(hero).matches(operation.who)

    # who attacks

    def idle_reason(self, hero: Slot, target: Target) -> tuple[str, tuple[str, ...]] | None:
        """Why a hero does not attack (R5.4): message key and rules; None if he does."""
        if hero.flags & FORGONE:
            return "forgone", ("R5.1",)
        if hero.flags & STOPPED and target.battle is not None:
            return "stopped", ("R5.4",)
        for operation in self.spec(hero).passive:
            if operation.op == "cannot-attack" and self._holds(operation.when, hero, None, target):
                return "rank", ("R5.4",)
        for trait in target.spec.traits:
            if trait.op != "heroes-cannot-attack":
                continue
            if trait.unequipped and not self.held(hero):
                return "unequipped", ("R5.4",)
            if trait.strength_below is not None:
                weaken = target.battle.weaken if target.battle else 0
                if self.strength(hero, weaken) < trait.strength_below:
                    return "weak", ("R5.4",)
        return None

    def idles(self, slot: Slot, target: Target) -> bool:
        """True for a hero who does not attack; other cards never idle."""
        return self.spec(slot).is_hero and self.idle_reason(slot, target) is not None

    def attackers(self, target: Target) -> list[Slot]:
        """The heroes who attack this target."""
        return [hero for hero in self.heroes if self.idle_reason(hero, target) is None]

    def _holds(self, when: Condition | None, hero: Slot | None, weapon: Slot | None, target: Target) -> bool:
        if when is None:
            return True
        if when.rank is not None and target.rank not in when.rank:
            return False
        if when.wields is not None and (
            hero is None or not any(when.wields in self.spec(held).types for held in self.held(hero))
        ):
            return False
        if when.strength is not None:
            weaken = target.battle.weaken if target.battle else 0
            if hero is None or self.strength(hero, weaken) < when.strength:
                return False
        if when.holder is not None and (hero is None or when.holder not in self.spec(hero).types):
            return False
        if when.target is not None and not target.spec.types & set(when.target):
            return False
        if when.hand is not None and not self.count(when.hand):
            return False
        if when.no_hand is not None and self.count(when.no_hand):
            return False
        return when.gold is None or self.gold() >= when.gold

    # what each card gives

    def hero_terms(self, hero: Slot, target: Target) -> list[Term]:
        """Attack, Magic Attack and Light of a hero and of the weapons he holds, conversions included (R5.3 to R5.8)."""
        spec = self.spec(hero)
        idle = self.idle_reason(hero, target)
        if idle is not None:
            reason, rules = idle
            why = Term(f"idle.{reason}", hero.card, rules=rules, params=(("hero_card", hero.card),))
            if IDLE_WEAPONS not in self.table.readings or reason in ("stopped", "forgone"):
                return [why]
            return [why, *(term for weapon in hero.weapons for term in self.weapon_terms(weapon, hero, target))]
        terms: list[Term] = []
        if spec.attack or spec.magic_attack or spec.light:
            terms.append(Term("figures", hero.card, spec.attack, spec.magic_attack, spec.light, ("R5.7",)))
        for operation, source, holder, used in self.given:
            if holder is not None and source != hero:
                continue
            if not used and source != hero and self.idles(source, target):
                continue
            if isinstance(operation, Bonus) and operation.stat != "strength":
                if not self._reaches(operation, source, hero):
                    continue
                if operation.to == "self" and not self._holds(operation.when, hero, None, target):
                    continue
                terms.append(self._bonus(operation, source, hero))
            elif operation.op == "count-magic" and source == hero:
                n = self._magic_things(target)
                terms.append(Term("count-magic", hero.card, 0, n, 0, ("R5.8b",), (("n", n),)))
        for fixed in hero.fixed:
            gift = self._fixed(fixed)
            if isinstance(gift, Bonus) and gift.stat != "strength":
                n = gift.amount * fixed[3]
                attack, magic, light = (n if gift.stat == stat else 0 for stat in ("attack", "magic_attack", "light"))
                terms.append(Term("bonus", hero.card, attack, magic, light, ("R4.9",), (("from_card", fixed[0]),)))
        n = sum(self.table.book[card].unopposed for card, number in hero.marks if number == UNOPPOSED)
        if n:
            terms.append(Term("bonus", hero.card, 0, n, 0, ("R4.7",), (("from_card", hero.card),)))
        if target.battle is not None:
            for trait in target.spec.battle:
                if isinstance(trait, Bonus) and (not trait.armed or self.held(hero)):
                    terms.append(
                        Term("from-target", hero.card, trait.amount, 0, 0, ("R5.2",), (("from_card", target.spec.id),))
                    )
            if not self.held(hero) and target.immune_to("unequipped-heroes"):
                attack, magic, _ = fold(terms)
                return [*terms, Term("immune.unequipped", hero.card, -attack, -magic, 0, ("R5.5",))]
            if hero.flags & LOST_ATTACK:
                terms.append(Term("lost", hero.card, -1, 0, 0, ("R5.7",), (("from_card", target.spec.id),)))
            if hero.flags & LOST_MAGIC:
                terms.append(Term("lost", hero.card, 0, -1, 0, ("R5.7",), (("from_card", target.spec.id),)))
        own = len(terms)
        for weapon in hero.weapons:
            terms.extend(self.weapon_terms(weapon, hero, target))
        converted = self._converter(hero)
        if converted is not None:
            attack = fold(terms[:own] if CONVERTED_WEAPON in self.table.readings else terms)[0]
            if attack:
                terms.append(Term("convert", converted, -attack, attack, 0, ("R5.8",), (("hero_card", hero.card),)))
        return terms

    def own_attack(self, hero: Slot, target: Target) -> tuple[int, int]:
        """A hero's Attack and Magic Attack with the bonuses given to him, without weapons and conversions (R5.7)."""
        terms = self.hero_terms(hero, target)
        if JUDGEMENT_WEAPON in self.table.readings:
            bare = [t for t in terms if t.key != "convert"]
        else:
            kinds = ("figures", "bonus", "count-magic", "from-target", "lost")
            bare = [t for t in terms if t.key in kinds and t.card == hero.card]
        attack, magic, _ = fold(bare)
        return attack, magic

    def _bonus(self, operation: Bonus, source: Slot, hero: Slot) -> Term:
        n = operation.amount
        if operation.per is not None:
            n *= self.count(operation.per)
        attack, magic, light = (n if operation.stat == stat else 0 for stat in ("attack", "magic_attack", "light"))
        rules = self.table.book[source.face].rules.get("bonus", ())
        return Term("bonus", hero.card, attack, magic, light, rules, (("from_card", source.card),))

    def _converter(self, hero: Slot) -> str | None:
        for operation, source, _, _ in self.given:
            if isinstance(operation, Convert) and operation.to == "armed" and self.held(hero):
                return source.card
        for fixed in hero.fixed:
            if isinstance(self._fixed(fixed), Convert):
                return fixed[0]
        for card, number in hero.marks:
            if any(isinstance(op, Convert) for op in self._marked(card, number)):
                return card
        return None

    def strength_params(self, hero: Slot, weaken: int, by: str) -> tuple[tuple[str, Any], ...]:
        """How a hero's Strength comes about, as fields of a message: printed, gifts, loss, result."""
        gifts = tuple(self.strength_gifts(hero)) + (((by, -weaken),) if weaken else ())
        base = self.spec(hero).strength
        return (("strength", base + sum(n for _, n in gifts)), ("base", base), ("gifts", gifts))

    def weapon_terms(self, weapon: Slot, hero: Slot, target: Target) -> list[Term]:
        """What a held weapon adds; a weapon too heavy in the battle adds nothing (R5.3)."""
        spec = self.spec(weapon)
        weaken = target.battle.weaken if target.battle else 0
        held = (("hero_card", hero.card),)
        numbers = (*self.strength_params(hero, weaken, target.spec.id), ("weight", self.weight(weapon)))
        if self.drops(weapon, hero, weaken):
            return [Term("dropped", weapon.card, rules=("R5.3",), params=(*held, *numbers))]
        attack, magic = spec.attack, spec.magic_attack
        key = "weapon"
        for operation in spec.passive:
            if not isinstance(operation, Instead):
                continue
            numbers = (*numbers, ("needed", operation.when.strength or 0))
            if self._holds(operation.when, hero, weapon, target):
                attack, key = operation.amount, "weapon-instead"
            else:
                key = "weapon-below"
        if "edged" in spec.types and target.immune_to("edged"):
            return [Term("immune.edged", weapon.card, 0, 0, spec.light, ("R5.5",), held)]
        terms = [Term(key, weapon.card, attack, magic, spec.light, ("R4.3",), (*held, *numbers))]
        for operation, source, _, _ in self.given:
            if source != weapon or not isinstance(operation, Bonus) or operation.to != "self":
                continue
            if self._holds(operation.when, hero, weapon, target):
                terms.append(self._bonus(operation, weapon, weapon)._replace(key="weapon-bonus", params=held))
        return terms

    def gives_magic(self, spell: Slot, target: Target) -> bool:
        """True if a spell gives Magic Attack in this battle (R5.8b)."""
        if spell.flags & FORGONE:
            return False
        if COUNTED_SPELLS in self.table.readings:
            return self.spec(spell).prints_magic
        if target.immune_to("spells"):
            return False
        return sum(term.magic for term in self.free_terms(spell, target)) > 0

    def _magic_things(self, target: Target) -> int:
        items = sum(1 for s, spec in self.specs.items() if spec.is_item and not s.flags & FORGONE)
        spells = sum(1 for s, spec in self.specs.items() if spec.is_spell and self.gives_magic(s, target))
        return items + spells

    def free_terms(self, slot: Slot, target: Target) -> list[Term]:
        """What a card gives that no hero holds: spells, items, trophies; an unequipped weapon gives nothing (R4.3)."""
        spec = self.spec(slot)
        if slot.flags & FORGONE:
            return [Term("forgone", slot.card, rules=("R5.1",))]
        if spec.is_weapon:
            return [Term("unequipped", slot.card, rules=("R4.3",))]
        if spec.kind == "disease":
            return []
        terms = []
        light = 0 if spec.is_monster else spec.light
        if spec.attack or spec.magic_attack or light:
            terms.append(Term("figures", slot.card, spec.attack, spec.magic_attack, light, ("R4.5",)))
        for operation in spec.passive:
            if operation.op == "unconfirmed":
                terms.append(Term("unconfirmed", slot.card, rules=("R8.1",)))
            elif isinstance(operation, Bonus) and operation.to == "self" and operation.stat != "strength":
                if self._holds(operation.when, None, None, target):
                    key = "trophy" if spec.is_monster else "figures"
                    terms.append(self._bonus(operation, slot, slot)._replace(key=key))
                else:
                    terms.append(Term("out-of-rank", slot.card, rules=("R5.7",), params=(("rank", target.rank),)))
        if spec.is_spell and target.immune_to("spells"):
            attack, magic, light = fold(terms)
            if attack or magic:
                terms.append(Term("immune.spells", slot.card, -attack, -magic, 0, ("R5.5",)))
        return terms

    def sums(self, target: Target) -> list[Term]:
        """All terms of R5.7 and R5.8, Disease left out."""
        terms: list[Term] = []
        for slot in self.state.hand:
            spec = self.spec(slot)
            if spec.is_hero:
                terms.extend(self.hero_terms(slot, target))
            else:
                terms.extend(self.free_terms(slot, target))
        return terms


def party_of(table: Table, state: State) -> Party:
    """The party of a state; that of the last state asked for, if nothing a party is read from has changed since.

    The last one is held, with its state, so that objects which are the same still mean the same.
    """
    last = _LAST[0]
    if last is not None and last.table is table:
        read = last.state
        if read is state or (
            read.hand is state.hand
            and read.gone is state.gone
            and read.rank0 is state.rank0
            and read.spell_used is state.spell_used
        ):
            return last
    party = _LAST[0] = Party(table, state)
    return party


_LAST: list[Party | None] = [None]
