"""The revealed hand, and what may still be drawn, as bounds read it (:mod:`thunderref.solve.bound`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from thunderref.engine.book import Ability, Spec
from thunderref.engine.hand import in_play, slots
from thunderref.engine.state import FORGONE, SPENT, THROWN, Slot, State, Table
from thunderref.engine.tasks import candidates
from thunderref.model.effect import (
    BattleDestroy,
    Bonus,
    Borrow,
    Convert,
    Destroy,
    DiscardOwn,
    EachPlayerDestroys,
    MoveMonster,
    Operation,
    Select,
)
from thunderref.solve.surroundings import MOVES

THROWABLE, THROWN_ALREADY, KEPT = range(3)
FAR = 3
"""As many ranks as there are."""
Usable = Callable[[Spec, Ability], bool]
"""Says of a card's effect whether it may still be used."""
BRINGS = frozenset({"conjure", "recruit"})
"""Operations that bring cards nobody has in hand."""


@dataclass
class Hero:
    """A hero with what is his alone: his own effects, used or still usable, and the gifts given to him."""

    spec: Spec
    slot: Slot
    strength: int
    own: list[Bonus] = field(default_factory=list)
    converted: bool = False
    pays: bool = False
    """True if one of his effects asks for a card of the hand to be destroyed."""


@dataclass
class Price:
    """What destroying a card of some kind can give at most: its figure, how much, how often."""

    select: Select
    stat: str
    amount: int
    times: int


@dataclass
class Holding:
    """Everything in a hand that may count in a battle, each thing as if it were used as well as can be."""

    heroes: list[Hero] = field(default_factory=list)
    weapons: list[tuple[Spec, int, Slot | None]] = field(default_factory=list)
    """Weapons that are held or may be, whether they may be thrown, are thrown or kept, and who holds them for good."""
    loose: list[Spec] = field(default_factory=list)
    """Spells, items and trophies."""
    cards: list[Spec] = field(default_factory=list)
    present: list[Spec] = field(default_factory=list)
    """Of the cards those revealed by now."""
    unused: list[Spec] = field(default_factory=list)
    everybody: list[tuple[Bonus, Slot]] = field(default_factory=list)
    """What is given to all heroes, and by which card."""
    prices: list[Price] = field(default_factory=list)
    gifts: int = 0
    """Attack that a chosen hero may still get."""
    lifts: list[int] = field(default_factory=list)
    """Gifts of Strength that chosen heroes may still get, the largest first."""
    converts: int = 0
    """Heroes whose Attack may still be turned into Magic Attack."""
    tied: int = 0
    """How many gifts of Strength turn the Attack of the same hero into Magic Attack."""
    armed_converts: bool = False
    weightless: bool = False
    diseases: int = 0
    """Diseases that nothing takes from the hand."""
    wounds: int = 0
    """Health that the monsters may still lose before the battle."""
    moves: bool = False
    """True if monsters may still be moved."""
    paid: list[tuple[Spec, tuple[int, int], tuple[int, int]]] = field(default_factory=list)
    """What each effect that moves one costs at least, victory points and purchase cost of what is destroyed: in any
    case, and if a card is left to be destroyed; and whose effect it is."""
    spell_used: bool = False
    pending: tuple[int, int] = (0, 0)
    """What is lost at least with a card that is about to be destroyed."""
    orders: bool = False
    """True if they may be put in any order."""
    shifts: int = 0
    """How many ranks nearer a monster may still come."""
    movers: int = 0
    """How many effects may still move one; repeated ones count as many."""
    inert: int = 0
    """Cards that can always be destroyed, because nothing uses them."""
    inert_heroes: int = 0
    """How many of these are heroes."""
    splurges: bool = False
    """True if something may still be destroyed for its effect."""
    frugal: bool = True
    """False if something without worth may be destroyed for a gain."""
    discards: list[tuple[Select, int]] = field(default_factory=list)
    """What may still be taken from the hand without being destroyed, and how many such cards."""
    spares: bool = False
    """True if heroes destroyed in the battle may be discarded instead."""
    copies: bool = False
    """True if a Militia may still become another hero."""
    open: bool = False
    """True if cards may come that are not in hand, others may lend one: then there is no bound."""

    def count(self, select: Select) -> int:
        """How many cards match."""
        return sum(spec.matches(select) for spec in self.cards)

    def escapes(self, specs: list[Spec]) -> int:
        """How many of these cards at most may leave the hand without being destroyed."""
        return sum(n for select, n in self.discards if any(spec.matches(select) for spec in specs))

    def strength_beside(self, hero: Hero, other: Hero) -> int:
        """The Strength that a hero may have at most if the other has his printed one and what both are given."""
        mine = sum(op.amount for op in hero.own if op.stat == "strength") + sum(self.lifts)
        for op, source in self.everybody:
            if op.stat == "strength" and _reaches(op, source, hero) and not _reaches(op, source, other):
                mine += op.amount
        return hero.spec.strength + mine

    def without_weapon(self, spec: Spec) -> Holding:
        """The hand without one such weapon."""
        weapons, cards = list(self.weapons), [list(cards) for cards in (self.cards, self.present, self.unused)]
        del weapons[[one for one, _, _ in weapons].index(spec)]
        for some in cards:
            if spec in some:
                some.remove(spec)
        return replace(self, weapons=weapons, cards=cards[0], present=cards[1], unused=cards[2])

    def move_cost(self, spilled: int, *, stays: bool) -> tuple[int, int]:
        """The least that moving a monster costs if so many cards may leave the hand, but no hero if each ``stays``."""
        certain = not spilled or self.inert > spilled + sum(n for _, n in self.discards)
        certain = certain or (stays and self.inert_heroes > 0)
        return min((first[0] + certain * then[0], first[1] + certain * then[1]) for _, first, then in self.paid)


def holding(table: Table, state: State, *, kills: bool = True, settled: Usable | None = None) -> Holding:
    """The hand of a state in preparation as bounds read it; ``kills`` False if no wound can kill a monster.

    With ``settled`` no card is drawn any more, and of the effects that are left only those it says True of are used.
    """
    book = table.book
    hand = Holding(open=state.pool is not None or state.world is not None, spell_used=state.spell_used)
    cards = [(slot, holder, book[slot.face]) for slot, holder in slots(state)]
    if settled is None:
        cards += [(Slot(card, 0), None, book[card]) for card in state.deck]
    lends = False
    cures = bool(state.todo)  # what waits to be destroyed or discarded may be a Disease
    leaving = [task for task in state.todo if task.name == "discard-any"]
    hand.discards += [(Select(), 1) for _ in leaving]
    for task in state.todo:
        doomed = candidates(table, state, task.data.select, task.source) if task.name == "destroy" else []
        if len(doomed) > len(leaving):
            hand.pending = min(price_of(book[slot.card]) for slot in doomed)
    movers: list[tuple[Spec, Ability]] = []
    idle = {"foresee"} if kills else {"foresee", "wound-hall"}
    for slot, holder, spec in cards:
        if slot.form:  # what is lost with it is the card it is, not the one it counts as
            spec = replace(spec, vp=book[slot.card].vp, cost=book[slot.card].cost)
        if in_play(slot):
            hand.cards.append(spec)
            if slot.copy:
                hand.present.append(spec)
            if not slot.used:
                hand.unused.append(spec)
                inert = bool(slot.copy) and not spec.dungeon and not spec.is_monster
                hand.inert += inert
                hand.inert_heroes += inert and spec.is_hero
        hero = _sorted_in(table, hand, slot, holder, spec)
        if slot.flags & FORGONE or (spec.is_weapon and holder is None and slot.flags & SPENT):
            continue
        if not spec.is_weapon:
            for op in spec.passive:
                _lasts(hand, op, slot, hero)
        for ability in spec.dungeon:
            usable = settled is None or settled(spec, ability)
            if not usable and ability.number not in slot.used:
                if ability.cost and spec.is_weapon:
                    hand.weapons = [(one, KEPT if one is spec else use, who) for one, use, who in hand.weapons]
                continue
            spent = not usable or (ability.number in slot.used and not ability.repeat)
            if not spent:
                cures = _at_once(table, hand, ability) or cures
                lends = lends or any(op.op == "borrow" for op in ability.instant)
                if any(op.op in MOVES - idle for op in ability.instant):
                    movers.append((spec, ability))
                    hand.shifts += FAR if ability.repeat or any(op.op == "wound-hall" for op in ability.instant) else 1
            if any(op.op == "take-before-refill" for op in ability.lasting):
                hand.shifts += FAR
            if not spec.is_weapon:
                _used(hand, ability, slot, hero, spent=spent)
    for card, numbers in state.gone:
        for number in numbers:
            for op in book[card].dungeon[number - 1].lasting:
                _lasts(hand, op, Slot(card, 0), None)
    if cures:
        hand.diseases = 0
    if lends:  # whoever is lent lays his weapon down, and a weapon that is lent goes to another hero
        hand.weapons = [(spec, use, None) for spec, use, _ in hand.weapons]
    hand.paid = [
        (spec, _least_paid(hand, spec, ability.cost), _least_paid(hand, spec, ability.instant))
        for spec, ability in movers
    ]
    hand.moves = bool(movers)
    hand.movers = sum(99 if ability.repeat else 1 for _, ability in movers)
    hand.frugal = not any(
        price_of(spec) == (0, 0) and spec.matches(price.select) for price in hand.prices for spec in hand.unused
    )
    hand.open = hand.open or (hand.copies and any("militia" in spec.types for spec in hand.cards))
    hand.splurges = bool(hand.prices) or any(use == THROWABLE and _is_thrown(spec) for spec, use, _ in hand.weapons)
    hand.lifts.sort(reverse=True)
    for who in hand.heroes:
        who.strength += sum(hand.lifts) + sum(op.amount for op in who.own if op.stat == "strength")
        who.strength += sum(
            op.amount for op, source in hand.everybody if op.stat == "strength" and _reaches(op, source, who)
        )
    return hand


def _reaches(operation: Bonus, source: Slot, hero: Hero) -> bool:
    """True if what a card gives to heroes is given to this one."""
    if operation.to == "other-heroes" and source is hero.slot:
        return False
    return operation.who is None or hero.spec.matches(operation.who)


def frugal(hand: Holding, foe: Spec) -> Holding:
    """The hand if nothing of worth is destroyed for its effect from now on, save what the foe may destroy anyway."""
    doomed = [op.select for op in foe.battle if isinstance(op, BattleDestroy | EachPlayerDestroys)]

    def spared(spec: Spec) -> bool:
        return not any(spec.matches(select) for select in doomed)

    kept = [
        (spec, KEPT if use == THROWABLE and spec.cost and spared(spec) else use, holder)
        for spec, use, holder in hand.weapons
    ]
    at_risk = [spec for spec in hand.unused if not spared(spec)]
    prices = [price for price in hand.prices if any(spec.matches(price.select) for spec in at_risk)]
    return replace(hand, weapons=kept, prices=prices)


def one_less(hand: Holding) -> Iterator[tuple[Holding, list[Spec]]]:
    """The hand if one thing less is destroyed for its effect, and all that would have to be if that is too little."""
    names = [spec.id if use == THROWABLE and _is_thrown(spec) else "" for spec, use, _ in hand.weapons]
    for place, (spec, _, holder) in enumerate(hand.weapons):
        if names[place] and names[place] not in names[:place]:
            kept = [*hand.weapons[:place], (spec, KEPT, holder), *hand.weapons[place + 1 :]]
            yield replace(hand, weapons=kept), [spec] * names.count(spec.id)
    for select in dict.fromkeys(price.select for price in hand.prices):
        there = [spec for spec in hand.unused if spec.matches(select)]
        if there:
            left = [spec for spec in hand.unused if not spec.matches(select)]
            yield replace(hand, unused=[*left, *there[1:]]), there


def without_one_hero(hand: Holding) -> Iterator[Holding]:
    """The hands that are left when one hero leaves."""
    seen: list[Hero] = []
    for place, hero in enumerate(hand.heroes):
        alike = [one for one in seen if one.spec is hero.spec and one.own == hero.own and one.strength == hero.strength]
        if not alike:
            seen.append(hero)
            yield replace(hand, heroes=[*hand.heroes[:place], *hand.heroes[place + 1 :]])


def _is_thrown(spec: Spec) -> bool:
    return any(cost.op == "destroy-self" for ability in spec.dungeon for cost in ability.cost)


def price_of(spec: Spec) -> tuple[int, int]:
    """What is lost with a card: victory points and purchase cost."""
    return spec.vp or 0, spec.cost


def _least_paid(hand: Holding, spec: Spec, operations: Iterable[Operation]) -> tuple[int, int]:
    """The least that these operations of a card destroy."""
    vp = cost = 0
    for op in operations:
        paid = (0, 0)
        if isinstance(op, Destroy):
            paid = min((price_of(one) for one in hand.cards if one.matches(op.select)), default=(0, 0))
        elif op.op == "destroy-self":
            paid = price_of(spec)
        vp, cost = vp + paid[0], cost + paid[1]
    return vp, cost


def _sorted_in(table: Table, hand: Holding, slot: Slot, holder: Slot | None, spec: Spec) -> Hero | None:
    if spec.is_hero and holder is None:
        hero = Hero(spec, slot, spec.strength)
        for card, number in slot.marks:
            giver = table.book[card]
            for op in giver.passive if number == 0 else giver.dungeon[number - 1].lasting:
                if isinstance(op, Bonus) and (op.to == "chosen" or number == 0):
                    hero.own.append(op)
                hero.converted = hero.converted or isinstance(op, Convert)
        hand.heroes.append(hero)
        return hero
    if spec.is_weapon:
        if holder is not None or not slot.flags & (SPENT | FORGONE):
            hand.weapons.append((spec, THROWN_ALREADY if slot.flags & THROWN else THROWABLE, holder))
    elif spec.kind == "disease":
        hand.diseases += bool(slot.copy)  # one that lies in the deck may stay there
    elif not slot.flags & FORGONE:
        hand.loose.append(spec)
    return None


def _at_once(table: Table, hand: Holding, ability: Ability) -> bool:
    """Notes what an effect may still do at once; True if it may take a Disease from the hand."""
    times = 99 if ability.repeat else 1
    for op in ability.instant:
        hand.open = hand.open or (op.op in BRINGS and table.village is not None)
        hand.copies = hand.copies or op.op == "copy-hero"
        if op.op == "wound-hall":
            hand.wounds += op.amount
        if op.op == "custom":
            hand.discards.append((Select(kind="monster"), times))
        if isinstance(op, MoveMonster) and "order" in op.ways:
            hand.orders = True
    leaving = [op for op in (*ability.cost, *ability.instant) if isinstance(op, Borrow | DiscardOwn)]
    hand.discards += [(op.select, times) for op in leaving]
    takes = [op.select for op in (*ability.cost, *ability.instant) if op.op in ("destroy", "discard")]
    return any(select.kind in (None, "disease") and select.type is None for select in takes)


def _used(hand: Holding, ability: Ability, slot: Slot, hero: Hero | None, *, spent: bool) -> None:
    """Notes what an effect of a card that is no weapon gives, used or not yet."""
    times = slot.used.count(ability.number)
    chosen = [op for op in ability.lasting if getattr(op, "to", "") == "chosen"]
    hand.tied += (
        not spent
        and any(isinstance(op, Convert) for op in chosen)
        and any(isinstance(op, Bonus) and op.stat == "strength" for op in chosen)
    )
    for op in ability.lasting:
        if isinstance(op, Convert) and op.to == "chosen":
            hand.converts += not spent
        elif isinstance(op, Bonus) and op.to == "chosen":
            if not spent and op.stat == "strength":
                hand.lifts.append(op.amount)
            elif not spent:
                hand.gifts += op.amount
        elif ability.cost and isinstance(op, Bonus) and hero is not None and op.to == "self":
            hero.own += [op] * times
            for cost in ability.cost:
                if spent:
                    continue
                hero.pays = True
                if cost.op == "destroy":
                    hand.prices.append(Price(cost.select, op.stat, op.amount, 99 if ability.repeat else 1))
                else:
                    hand.open = True
        else:
            _lasts(hand, op, slot, hero)


def _lasts(hand: Holding, op: Operation, slot: Slot, hero: Hero | None) -> None:
    """Notes an operation that asks for nothing."""
    if isinstance(op, Bonus):
        if op.to == "self" and hero is not None:
            hero.own.append(op)
        elif op.to in ("heroes", "other-heroes"):
            hand.everybody.append((op, slot))
        elif op.to == "chosen" and op.stat == "strength":
            hand.lifts.append(op.amount)
        elif op.to == "chosen":
            hand.gifts += op.amount
    elif isinstance(op, Convert):
        hand.armed_converts = True
    elif op.op == "spare-heroes":
        hand.spares = True
    elif op.op == "weightless":
        hand.weightless = True
