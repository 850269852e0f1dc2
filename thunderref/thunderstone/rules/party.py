"""What the revealed hand is worth: lasting operations, Strength, who attacks.

What R4.9 counts when the battle begins is read from the hand itself: until the battle ends it does not change.
"""

from __future__ import annotations

from thunderref.database.operations import Bonus, Condition, Convert, Operation, Select
from thunderref.thunderstone.rules import position, readings
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.explanation import Term
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import uses_of
from thunderref.thunderstone.rules.position import FORGONE, THROWN, LastingEffect, Position, Ref, Slot, Target

Aim = tuple[str, int, int | None]
"""A target: its card, its rank, and what it takes off Strength once the battle began."""
ANY_TARGET: Aim = ("", 0, None)


class Party:
    """The revealed hand of one state, read once, each card as it counts now.

    Of ``state`` only the hand, what is ``gone``, rank 0 and ``benefits`` are read (:func:`party_of`).
    """

    def __init__(self, game: Game, state: Position) -> None:
        specs = game.cards
        self.game = game
        self.state = state
        self._specs = specs
        self._at_use = readings.WHEN_COUNTED in game.readings
        self.free: list[tuple[Slot, CardSpec]] = []  # what lies free, as ``heroes`` and ``weapons`` do
        self.cards: list[tuple[Slot, CardSpec]] = []  # every card at all
        self.heroes: list[Slot] = []
        self.weapons: list[Slot] = []
        self.usable: list[tuple[Slot, Slot | None, CardSpec]] = []  # cards with effects, and who holds them
        free, cards, heroes, weapons, usable = self.free, self.cards, self.heroes, self.weapons, self.usable
        self.lasting: list[LastingEffect] = []
        self.strengthening: list[tuple[Bonus, Slot]] = []  # of what is given, what adds to Strength
        self.gifts: list[LastingEffect] = []  # what heroes may get besides
        self.weapon_gifts: list[tuple[Bonus, Slot]] = []  # what belongs to a held weapon
        self._converting: list[Slot] = []
        self.weightless = self.shielding = False
        self.asks_target = False  # True if what it gives may depend on which target it is, or where
        self.terms: dict[Aim, tuple[Term, ...]] = {}  # added up already
        self._gifts_of: dict[Ref, list[tuple[str, int]]] = {}
        for card, numbers in state.gone:
            self.asks_target = self.asks_target or specs[card].asks_target
            self._use(specs[card], numbers, Slot(card, 0))
        for slot in state.hand:
            spec = specs[slot.form or slot.card]
            here = (slot, spec)
            if spec.asks_target or slot.flags:
                self.asks_target = True
            free.append(here)
            cards.append(here)
            if spec.is_hero:
                heroes.append(slot)
            elif spec.is_weapon:
                weapons.append(slot)
            if spec.usable:
                usable.append((slot, None, spec))
            if slot.used and not slot.flags & FORGONE:
                self._use(spec, uses_of(state, slot), slot)
            if spec.passive and not spec.is_weapon and not slot.flags & FORGONE:
                self._give(spec.passive, slot, by_hero=False, used=False)
            for weapon in slot.weapons:
                spec = specs[weapon.form or weapon.card]
                cards.append((weapon, spec))
                if spec.asks_target or weapon.flags:
                    self.asks_target = True
                if spec.usable:
                    usable.append((weapon, slot, spec))
                if not weapon.flags & FORGONE:
                    self._give(spec.passive, weapon, by_hero=True, used=False)
                    self._use(spec, weapon.used, weapon, by_hero=True)

    def aim(self, target: Target) -> Aim:
        """What targets share against which every card gives the same: most are alike to most hands."""
        if target.spec.like_others and not self.asks_target and not target.weaken:
            return ANY_TARGET
        return target.spec.id, target.rank, None if target.battle is None else target.battle.weaken

    def _use(self, spec: CardSpec, numbers: tuple[int, ...], source: Slot, *, by_hero: bool = False) -> None:
        for number in numbers:
            if number:  # 0 stands for a trophy given to a hero
                self._give(spec.dungeon[number - 1].lasting, source, by_hero=by_hero, used=True)

    def _give(self, operations: tuple[Operation, ...], source: Slot, *, by_hero: bool, used: bool) -> None:
        for operation in operations:
            if used and self._at_use and readings.is_counted(operation):
                continue
            effect = LastingEffect(operation, source, used)
            self.lasting.append(effect)
            if isinstance(operation, Bonus):
                if operation.stat == "strength":
                    self.strengthening.append((operation, source))
                elif not by_hero:
                    self.gifts.append(effect)
                if by_hero:
                    self.weapon_gifts.append((operation, source))
            elif isinstance(operation, Convert):
                if operation.to == "armed":
                    self._converting.append(source)
            elif operation.op == "count-magic":
                self.gifts.append(effect)
            elif used and operation.op == "weightless":
                self.weightless = True
            elif operation.op == "shield-heroes":
                self.shielding = True

    def spec(self, slot: Slot) -> CardSpec:
        return self._specs[slot.form or slot.card]

    def count(self, select: Select) -> int:
        return sum([spec.matches(select) for slot, spec in self.cards if not slot.flags & THROWN])

    def gold(self) -> int:
        return sum([spec.gold or 0 for slot, spec in self.cards if not slot.flags & THROWN])

    def strength(self, hero: Slot, weaken: int = 0) -> int:
        strength = self._specs[hero.form or hero.card].strength - weaken
        if self.strengthening or hero.marks or hero.fixed:
            strength += sum([amount for _, amount in self.strength_gifts(hero)])
        return strength

    def strength_gifts(self, hero: Slot) -> list[tuple[str, int]]:
        gifts = self._gifts_of.get(hero.ref)
        if gifts is None:
            gifts = self._gifts_of[hero.ref] = self._gifts_to(hero)
        return gifts

    def _gifts_to(self, hero: Slot) -> list[tuple[str, int]]:
        gifts = [(source.card, op.amount) for op, source in self.strengthening if self.reaches(op, source, hero)]
        if not hero.marks and not hero.fixed:  # the usual case, and asked for in every battle weighed
            return gifts
        effects = [(card, op, 1) for card, number in hero.marks for op in self.marked(card, number)]
        effects += [(fixed[0], self.fixed(fixed), fixed[3]) for fixed in hero.fixed]
        return gifts + [(by, op.amount * n) for by, op, n in effects if isinstance(op, Bonus) and op.stat == "strength"]

    def fixed(self, fixed: position.Fixed) -> Operation:
        card, number, index, _ = fixed
        return self.game.cards[card].dungeon[number - 1].lasting[index]

    def share(self, operation: Operation, source: Slot, hero: Slot) -> int:
        """The number of times a counted operation reaches a hero at this moment (R4.9)."""
        if isinstance(operation, Convert):
            return int(bool(hero.weapons))
        if not isinstance(operation, Bonus) or not self.reaches(operation, source, hero):
            return 0
        nowhere = Target(self.spec(hero), 0, None)
        if operation.when is not None and not self.holds(operation.when, hero, nowhere):
            return 0
        return 1 if operation.per is None else self.count(operation.per)

    def is_armed(self, hero: Slot, target: Target) -> bool:
        """True for a hero with an equipped weapon, if only that matters (R5.4)."""
        if not hero.weapons:
            return False
        return readings.IDLE_WEAPON_EQUIPPED not in self.game.readings or not self.idles(hero, target)

    def any_armed(self, target: Target) -> bool:
        return any(self.is_armed(hero, target) for hero in self.heroes)

    def spares(self, slot: Slot) -> bool:
        """True for a hero whom a battle that would destroy them sends to the owner's discard pile instead (R6.3)."""
        return self.spec(slot).is_hero and any(effect.operation.op == "spare-heroes" for effect in self.lasting)

    def shields(self, slot: Slot) -> bool:
        """True for a hero whom no dungeon or battle effect can destroy, as a printing of a card has it (R0.1)."""
        return self.shielding and self.spec(slot).is_hero

    def falls(self, slot: Slot) -> bool:
        """True for a card that the battle destroys and that nothing spares (R6.3)."""
        return bool(slot.flags & position.DOOMED) and not self.spares(slot)

    def hand_free(self, hero: Slot) -> bool:
        """True if the hero may hold one weapon more (R4.3)."""
        lost = hero.flags & position.DISARMED and readings.LOST_WEAPON in self.game.readings
        return not (lost or hero.weapons) or self.spec(hero).many_weapons

    def weight(self, weapon: Slot) -> int:
        return 0 if self.weightless else self._specs[weapon.form or weapon.card].weight

    def drops(self, weapon: Slot, hero: Slot, weaken: int) -> bool:
        """True if the weapon became too heavy in the battle (R5.3); thrown and weightless weapons never do."""
        if not weaken or weapon.flags & THROWN or self.weightless:
            return False
        return self.spec(weapon).weight > self.strength(hero, weaken)

    def marked(self, card: str, number: int) -> list[Operation]:
        """The operations behind a mark on a hero: the part of an effect that goes to one chosen hero."""
        spec = self.game.cards[card]
        if number == position.UNOPPOSED:
            return []
        if number == 0:  # a trophy given to a chosen hero
            return list(spec.passive)
        return [op for op in spec.dungeon[number - 1].lasting if isinstance(op, (Bonus, Convert)) and op.to == "chosen"]

    def reaches(self, operation: Bonus, source: Slot, hero: Slot) -> bool:
        """True if a bonus of this card goes to this hero."""
        if operation.to == "self":
            return source == hero
        if operation.to == "chosen" or (operation.to == "other-heroes" and source == hero):
            return False
        if operation.to == "other-heroes" and hero.flags & position.UNSURE and source.ref == (hero.face, 0):
            return False  # perhaps it is the hero's own (R2.4)
        if operation.armed and not hero.weapons:
            return False
        return operation.who is None or self.spec(hero).matches(operation.who)

    def converter(self, hero: Slot) -> str | None:
        """The card that turns a hero's Attack into Magic Attack (R5.8)."""
        if self._converting and hero.weapons:
            return self._converting[0].card
        if not hero.fixed and not hero.marks:
            return None
        effects = [(fixed[0], self.fixed(fixed)) for fixed in hero.fixed]
        effects += [(card, op) for card, number in hero.marks for op in self.marked(card, number)]
        return next((card for card, op in effects if isinstance(op, Convert)), None)

    def idle_reason(self, hero: Slot, target: Target) -> tuple[str, tuple[str, ...]] | None:
        """The reason why a hero does not attack (R5.4): message key and rules; None if they do."""
        if hero.flags & FORGONE:
            return "forgone", ("R5.1",)
        if hero.flags & position.STOPPED and target.battle is not None:
            return "stopped", ("R5.4",)
        for operation in self._specs[hero.form or hero.card].idles:
            if self.holds(operation.when, hero, target):
                return "rank", ("R5.4",)
        for trait in target.spec.stops:
            if trait.unequipped and not hero.weapons:
                return "unequipped", ("R5.4",)
            if trait.strength_below is not None and self.strength(hero, target.weaken) < trait.strength_below:
                return "weak", ("R5.4",)
        return None

    def idles(self, slot: Slot, target: Target) -> bool:
        return self.spec(slot).is_hero and self.idle_reason(slot, target) is not None

    def attackers(self, target: Target) -> list[Slot]:
        return [hero for hero in self.heroes if self.idle_reason(hero, target) is None]

    def holds(self, when: Condition | None, hero: Slot | None, target: Target) -> bool:
        """True if a condition is met; ``hero`` holds the card, None for a card that lies free."""
        if when is None:
            return True
        weapons = hero.weapons if hero is not None else ()
        return (
            (when.rank is None or target.rank in when.rank)
            and (when.wields is None or any(when.wields in self.spec(weapon).types for weapon in weapons))
            and (when.strength is None or (hero is not None and self.strength(hero, target.weaken) >= when.strength))
            and (when.holder is None or (hero is not None and when.holder in self.spec(hero).types))
            and (when.target is None or bool(target.spec.types & set(when.target)))
            and (when.hand is None or self.count(when.hand) > 0)
            and (when.no_hand is None or not self.count(when.no_hand))
            and (when.gold is None or self.gold() >= when.gold)
        )


def party_of(game: Game, state: Position) -> Party:
    """The party of a state; that of the last call, if nothing a party is read from has changed since."""
    last: Party | None = game.last_party
    if last is not None:
        read = last.state
        if read is state or (
            read.hand is state.hand
            and read.gone is state.gone
            and read.rank0 is state.rank0
            and read.benefits == state.benefits
        ):
            return last
    party = game.last_party = Party(game, state)
    return party
