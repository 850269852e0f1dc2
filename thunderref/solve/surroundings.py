"""What of a position decides which shortcuts of the search are sound (:mod:`thunderref.solve.best`).

Every answer is about the whole turn: all cards that are revealed or may still be drawn, the village where it can lend
a card, all monsters that stand in the hall or are known to come.
"""

from __future__ import annotations

from thunderref.engine.book import Ability, Spec
from thunderref.engine.hall import is_monster
from thunderref.engine.hand import revealed
from thunderref.engine.readings import THROWN_SPEAR, WHEN_COUNTED
from thunderref.engine.state import Foe, State, Table
from thunderref.model.effect import BattleDestroy, Bonus, Borrow, Convert, EachPlayerDestroys, Gain, Operation

BLIND = frozenset({"opponents-discard", "magic-unless-discarded", "draw"})
"""Operations that may do nothing anybody can foresee."""
MOVES = frozenset({"move-monster", "take-monster", "wound-hall", "foresee"})
"""Operations that move monsters, or settle which will come."""
LENT = ("hero", "weapon")
"""Kinds of cards that are lent."""
MAGIC_TELLS = frozenset({"only-magic", "needs-magic"})
"""Traits that treat Attack and Magic Attack differently, so that turning one into the other matters."""


class Surroundings:
    """What of the position decides which shortcuts are sound."""

    def __init__(
        self, table: Table, start: State, *, informs: bool = True, apart: bool = True, begun: bool = False
    ) -> None:
        self.table = table
        self._blind = BLIND if start.world is None else BLIND - {"magic-unless-discarded"}
        self._informs = informs
        self._draws_nothing = informs and not start.deck and start.pool is None
        foes = [foe.card for foe in (*start.hall, *start.rank0)] + list(start.dungeon)
        known = [table.book[card] for card in foes if card in table.book]
        traits = [trait for spec in known for trait in (*spec.traits, *spec.battle)]
        mine = {slot.card for slot in revealed(start)} | {*start.deck, *(start.pool or ()), *start.pile}
        if start.world is not None:  # what others show may be borrowed
            mine |= {card for seat in start.world.seats for card in seat.hand}
        specs = [table.book[card] for card in sorted(mine)]
        instant = [op for spec in specs for op in _instant(spec)]
        if any(op.op in ("conjure", "recruit") for op in instant):
            specs += [table.book[card] for card in table.village or () if card not in mine]
            instant = [op for spec in specs for op in _instant(spec)]
        self.weapons = any(spec.is_weapon for spec in specs)
        self.spell_bar = any(t.op == "barred" and t.when == "spell-used" for t in traits)
        self.weapon_bar = any(t.op == "barred" and t.when == "weapon-equipped" for t in traits)
        forced = any(op.op == "destroy" for op in instant)
        self.wounds_move = wounds_kill(table, start)
        """Wounds to the hall may move monsters; otherwise they only help."""
        idle = set() if self.wounds_move else {"wound-hall"}
        moves = any(op.op in MOVES - idle for op in instant)
        self.spills = any(spec.trap or any(op.op == "everyone-discards" for op in spec.breach) for spec in known)
        """A trap or a breach may take cards from the hand, and not all cards alike; after the battle too."""
        self.use_protects = forced and self.spills
        """A forced destruction may come when its own card is gone already: then a card used before is safe (R4.2)."""
        self._vain = (
            set()
            if self.spills or begun or not apart
            else {kind for kind in LENT if self._stays_put(kind, start, specs, known)}
        )
        """Kinds of cards of which it helps nobody to have one discarded and borrowed back, or not."""
        lending = [op for op in instant if isinstance(op, Borrow) and op.select.kind not in self._vain]
        self.lends = bool(lending)
        """A hero may leave the hand after he was used, and what he gave others stands (R5.4)."""
        self.strength_matters = self.lends or any(_needs_strength(spec) for spec in specs)
        self.strongest = any(isinstance(t, BattleDestroy) and t.strongest for t in traits)
        """Strength may hurt: the strongest hero is destroyed."""
        self.strength_counts = (
            self.weapons
            or self.spills
            or self.strongest
            or table.ruleset == "yucata"
            or any(op.op == "conjure" for op in instant)
            or self.lends
            or any(getattr(t, "strength_below", None) is not None or t.op == "destroy-weak" for t in traits)
        )
        """False if no hero's Strength is ever asked for."""
        self.magic_counts = (
            any(t.op in MAGIC_TELLS or (t.op == "immune" and t.to == "magic-attack") for t in traits)
            or any(t.op == "halve" and (t.what == "magic_attack" or t.unless == "magic-attack") for t in traits)
            or any(isinstance(t, BattleDestroy) and t.select.bare for t in traits)
            or any(op.op == "double" for spec in specs for op in spec.passive)
        )
        """False if Attack and Magic Attack are worth the same throughout."""
        gifts = any(isinstance(op, Bonus) and op.to == "chosen" for spec in specs for op in spec.passive)
        discards_gifts = gifts and any(op.op == "custom" for op in instant)
        self.order_matters = bool(table.readings & {WHEN_COUNTED, THROWN_SPEAR})
        """Counted on use (the other reading of R4.9), or a hand free again after a throw (R5.3): nothing can wait."""
        before_battle = self.order_matters or any(
            _asks_before_battle(table, spec, self._vain, moves=moves) for spec in specs
        )
        self.late_apart = apart and not ((moves and self.spills) or discards_gifts or before_battle)
        """True if effects that last can all be used after those that happen at once: nothing that happens at once asks
        for Strength, weapons held or what was used before."""

    def is_late(self, spec: Spec, ability: Ability) -> bool:
        """True for an effect that can wait until everything that happens at once is over."""
        if not self.late_apart or not all(self._draws_nothing and op.op in self._blind for op in ability.instant):
            return False
        if self.lends and spec.is_hero and _gives_others(ability):
            return False
        return all(cost.op == "destroy" or (cost.op == "destroy-self" and cost.stays) for cost in ability.cost)

    def is_free(self, spec: Spec, ability: Ability) -> bool:
        """True for effects that can only help and ask for nothing."""
        if ability.cost or ability.chooses_hero or ability.repeat or spec.is_weapon:
            return False
        if ability.instant and not (self._informs and all(self._only_wounds(op) for op in ability.instant)):
            return False
        if self.use_protects or self.order_matters or (spec.is_spell and self.spell_bar):
            return False
        if self.lends and spec.is_hero and _gives_others(ability):
            return False
        return all(op.op == "spare-heroes" or self._only_helps(op) for op in ability.lasting)

    def waits(self, spec: Spec, ability: Ability) -> bool:
        """True for what may be used when everything that happens at once is over."""
        return self.is_free(spec, ability) or self.is_late(spec, ability)

    def _only_wounds(self, operation: Operation) -> bool:
        """True for wounds that move no monster, and for what only the others gain while nobody knows them."""
        if operation.op == "wound-hall":
            return not self.wounds_move
        return isinstance(operation, Gain) and operation.who == "opponents"

    def _only_helps(self, operation: Operation) -> bool:
        if not isinstance(operation, Bonus):
            return False
        if operation.stat != "strength":
            return True
        if operation.to == "heroes":
            return self.late_apart or not self.strength_matters
        return operation.to == "other-heroes" and self.late_apart and not (self.strongest or self.spills)

    def is_idle(self, ability: Ability, state: State) -> bool:
        """True for uses that change nothing known: unknown draws, other hands, a village of which nothing is known.

        They cost nothing, give nothing and last nothing; a line with one of them is the line without it, made longer.
        """
        if self.asks_village(ability):
            return True
        if ability.cost or any(not self._is_void(op) for op in ability.lasting):
            return False
        known = bool(state.deck) or state.pool is not None
        return all(
            (op.op in self._blind and not (op.op == "draw" and known))
            or (isinstance(op, Borrow) and op.select.kind in self._vain)
            for op in ability.instant
        )

    def _stays_put(self, kind: str, start: State, specs: list[Spec], known: list[Spec]) -> bool:
        """True if a card of this kind does no harm in the hand and nobody else is known to lend one.

        Then to have one discarded and borrowed back, a weapon into the hero's hands, is no more than to hold it there
        at once.
        """
        if start.world is not None or start.pool is not None or self.table.ruleset == "yucata" or self.table.readings:
            return False
        lent = [spec for spec in specs if spec.is_kind(kind)]
        for op in (op for spec in known for op in (*spec.battle, *spec.traits)):
            if op.op in ("destroy-weak", "destroy-random"):
                return False
            if isinstance(op, BattleDestroy | EachPlayerDestroys) and any(spec.matches(op.select) for spec in lent):
                return False
        bonuses = [op for spec in specs for ability in spec.dungeon for op in ability.lasting if isinstance(op, Bonus)]
        bonuses += [op for spec in specs for op in spec.passive if isinstance(op, Bonus)]
        return not any(
            op.amount < 0
            or (op.when is not None and op.when.no_hand and any(one.matches(op.when.no_hand) for one in lent))
            for op in bonuses
        )

    def asks_village(self, ability: Ability) -> bool:
        """True for an effect that asks for a card of the village while nothing is known of that."""
        return self.table.village is None and any(op.op in ("conjure", "recruit") for op in ability.instant)

    def _is_void(self, operation: Operation) -> bool:
        """True for a lasting operation that does nothing here."""
        if operation.op == "weightless":
            return not self.weapons
        if isinstance(operation, Convert):
            return not self.magic_counts or (operation.to == "armed" and not self.weapons)
        return isinstance(operation, Bonus) and operation.stat == "strength" and not self.strength_counts


def wounds_kill(table: Table, start: State) -> bool:
    """True if effects that wound the hall may come to move monsters: one is killed, or an empty rank is refilled."""
    if start.world is not None or start.pool is not None or not all(foe.card for foe in start.hall):
        return True
    mine = [slot.card for slot in revealed(start)] + list(start.deck)
    abilities = [ability for card in mine for ability in table.book[card].dungeon]
    wounds = [(ability.repeat, op.amount) for ability in abilities for op in ability.instant if op.op == "wound-hall"]
    if any(repeat for repeat, _ in wounds):
        return True
    foes = [*start.hall, *(Foe(card) for card in start.dungeon)]
    left = [table.book[foe.card].health - foe.wounds for foe in foes if is_monster(table, foe)]
    return min(left, default=1) <= sum(amount for _, amount in wounds)


def _instant(spec: Spec) -> list[Operation]:
    return [op for ability in spec.dungeon for op in ability.instant]


def _gives_others(ability: Ability) -> bool:
    return any(getattr(op, "to", "self") not in ("self",) for op in ability.lasting)


def _needs_strength(spec: Spec) -> bool:
    """True for cards whose use in preparation depends on the Strength of a hero at that moment."""
    if spec.is_weapon:
        return not is_plain(spec)
    return any(op.op == "conjure" for op in _instant(spec))


def _asks_before_battle(table: Table, spec: Spec, vain: set[str], *, moves: bool) -> bool:
    """True for cards whose effect at once hangs on what heroes hold or can carry; ``moves`` if monsters are moved."""
    for op in _instant(spec):
        if op.op == "conjure" and table.village is not None:
            return True
        if isinstance(op, Borrow) and op.select.kind != "hero" and op.select.kind not in vain:
            return True
    if not spec.is_weapon:
        return False
    refills = moves and any(op.op == "take-before-refill" for ability in spec.dungeon for op in ability.lasting)
    return refills or any(ability.instant for ability in spec.dungeon)


def is_plain(spec: Spec) -> bool:
    """True for a weapon whose equipping enables and causes nothing."""
    return spec.is_weapon and not spec.dungeon and not any(op.op == "gain-on-equip" for op in spec.passive)
