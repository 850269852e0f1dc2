"""What the effects of a hand may do, and so which of them must be tried and which can wait.

To see what an effect may do, the engine carries it out with every card there that may come. No operation is named: the
positions show what draws, moves monsters, takes cards from the hand or brings others, and the figures of the heroes
show what an effect turns into something else. Every answer is about the whole turn: all cards that are revealed or may
still be drawn, all monsters in the hall or known to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from thunderref.database.card_records import RANKS
from thunderref.database.operations import Operation
from thunderref.thunderstone.resolve.battles import NOTHING, Loss, outcomes, own_losses
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import NOBODY
from thunderref.thunderstone.rules.hand import add_card, all_slots, next_slots
from thunderref.thunderstone.rules.position import EMPTY, UNKNOWN, Foe, Position, Ref, Slot, Task, replace
from thunderref.thunderstone.rules.readings import USED_CARDS, WHEN_COUNTED

HELPFUL = frozenset({"weightless", "spare-heroes", "shield-heroes"})
"""Lasting operations without an amount that are never worse than nothing."""


TAKING = frozenset({"take-monster", "wound-hall", "custom"})
"""Operations that bring other monsters than the target."""


class Influence(NamedTuple):
    """What using an effect may do, whenever it is used."""

    price: Loss | None = NOTHING  # the smallest loss its cost can be; None if that can never be paid
    loss: Loss = NOTHING  # the smallest loss with all it does at once
    times: int = 1  # how often it can be paid
    flags: int = 0  # flags that paying gives the card itself, if it stays
    acts: bool = False  # its immediate part changes something foreseeable, draws aside
    draws: bool = False
    brings: bool = False  # it brings cards from elsewhere than the own deck
    changes: bool = False  # it turns cards of the hand into others, or puts weapons into hands
    turns: bool = False  # it turns cards of the hand into others
    moves: int = 0  # its parts that move a monster, or settle which will come
    retreats: bool = False  # it may put a monster at a higher rank
    wounds: int = 0
    spends: frozenset[str] = frozenset()  # cards that leave the hand for it at once
    discards: int = 0  # its parts that take a card from the hand without destroying it, moves of monsters aside


_NO_INFLUENCE = Influence()


class Influences:
    """What the effects of all cards that are there or may come may do."""

    def __init__(self, game: Game, start: Position) -> None:
        self.game = game
        seats = start.table.seats if start.table is not None else ()
        perhaps = dict.fromkeys([*(start.pool or ()), *start.pile, *(card for seat in seats for card in seat.hand)])
        hand = (*start.hand, *next_slots(start, (*start.deck, *perhaps)))
        dungeon = [card for card in start.dungeon if card != UNKNOWN]
        foes = [*(foe.card for foe in (*start.hall, *start.rank0)), *dungeon]
        self.arriving = [game.cards[card] for card in foes if card in game.cards]
        """Every copy in the hall or known to come, traps too."""
        self.foes = list(dict.fromkeys(self.arriving))
        monsters = tuple(card for card in dungeon if not game.cards[card].trap)  # a trap is sprung only once
        standing = [foe for foe in start.hall if foe.card != EMPTY]
        hall = (*standing, *map(Foe, monsters), *[Foe(UNKNOWN)] * RANKS)[:RANKS]
        self._start = start
        self.whole = replace(
            start, phase="prepare", hand=hand, deck=(), hall=hall, dungeon=monsters, pool=None, left=None, todo=()
        )
        """The position with every card in hand that may become known there, a full hall and no trap to come."""
        self._known: dict[tuple[str, int], Influence] = {}
        self._poor: Influences | None = None  # the same with nothing on offer in the village, if that is unknown

    def of(self, spec: CardSpec, ability: Ability) -> Influence:
        if not (ability.cost or ability.instant):
            return _NO_INFLUENCE
        key = (spec.id, ability.number)
        if key not in self._known:
            self._known[key] = self._try(spec, ability)
        return self._known[key]

    def asks_village(self, spec: CardSpec, ability: Ability) -> bool:
        """True for an effect that brings a card from an unknown village."""
        if self._start.stacks is not None or not self.of(spec, ability).brings:
            return False
        self._poor = self._poor or Influences(self.game, replace(self._start, stacks=()))
        return not self._poor.of(spec, ability).brings

    def find_lent(self, spec: CardSpec, ability: Ability) -> set[str]:
        """What may leave the hand for it even if it was used before."""
        if not self.of(spec, ability).spends:
            return set()
        used = replace(self.whole, hand=tuple([replace(slot, used=(0,)) for slot in self.whole.hand]))
        source = next(slot.ref for slot in all_slots(used) if slot.face == spec.id)
        tasks = [Task(operation.op, source, operation) for operation in ability.instant]
        ends = [_by_ref(after).keys() | {source} for task in tasks for after in outcomes(self.game, used, task)]
        return {slot.face for slot in used.hand for kept in ends if slot.ref not in kept}

    def count_spilled(self, spec: CardSpec) -> int:
        """How many cards the card may take from the hand when it is turned up or reaches rank 1."""
        there = replace(self.whole, hall=(Foe(spec.id),) * RANKS)
        after = next(outcomes(self.game, there, Task("arrive"))) if spec.breach else there
        return bool(spec.trap) + len(all_slots(there)) - len(all_slots(after))

    def _try(self, spec: CardSpec, ability: Ability) -> Influence:
        ref = next((slot.ref for slot in all_slots(self.whole) if slot.face == spec.id), None)
        before = self.whole if ref is not None else add_card(self.whole, spec.id)
        ref = ref or before.hand[-1].ref
        found = Influence()
        for cost in ability.cost:
            paid = pay(self.game, before, ref, cost)
            if not paid:
                return Influence(price=None)
            price = found.loss.plus(min(own_losses(self.game, after, before) for after in paid))
            flags = max((slot.flags for after in paid for slot in all_slots(after) if slot.ref == ref), default=0)
            found = Influence(price, price, len(paid) if ability.repeat else 1, flags)
        for operation in ability.instant:
            ends: list[tuple[Position, Position]] = []
            losses: list[Loss] = []
            hands: list[tuple[dict[Ref, Slot], dict[Ref, Slot]]] = []
            kept_whole = True
            for now in chain((before,), self._later(before)):
                there = list(outcomes(self.game, now, Task(operation.op, ref, operation)))
                losses += [own_losses(self.game, after, now) for after in there]
                changed = [(now, after) for after in there if after != now]
                ends += changed
                mine = _by_ref(now)
                for after in (after for _, after in changed if after.hand != now.hand):
                    hands.append((mine, _by_ref(after)))
                    kept_whole = kept_whole and mine.keys() <= hands[-1][1].keys() | {*after.destroyed}
                if changed and not (now is before and before.hall != self._start.hall):
                    break
            moved = [(was, now) for was, now in (tuple(map(_standing, each)) for each in ends) if was != now]
            foes = [pair for was, now in moved for pair in zip_longest(was, now, fillvalue=NOBODY)]
            kept = [(now[ref], after[ref]) for now, after in hands for ref in now.keys() & after.keys()]
            turns = any((was.form, was.marks) != (slot.form, slot.marks) for was, slot in kept)
            arms = any(len(was.weapons) != len(slot.weapons) for was, slot in kept)
            brings = any(after.keys() - now.keys() for now, after in hands)
            found = found._replace(
                loss=found.loss.plus(min(losses)),
                acts=found.acts or bool(moved or hands),
                draws=found.draws or any(after.unknown_draws > now.unknown_draws for now, after in ends),
                brings=found.brings or brings,
                discards=found.discards + (not moved and not kept_whole),
                changes=found.changes or turns or arms,
                turns=found.turns or turns,
                moves=found.moves + any(was.card != foe.card for was, foe in foes),
                retreats=found.retreats or any(was.hall != now.hall and _may_retreat(was, now) for was, now in ends),
                wounds=found.wounds + max((foe.wounds - was.wounds for was, foe in foes), default=0),
                spends=found.spends.union(now[ref].face for now, after in hands for ref in now.keys() - after.keys()),
            )
        return found

    def _later(self, before: Position) -> Iterator[Position]:
        """Later positions of the turn, for effects with nothing to do yet: gaps, traps, strong heroes, other foes."""
        yield replace(before, hall=self._start.hall, dungeon=self._start.dungeon)
        cards = self.game.cards
        gifts: list[tuple[str, int]] = []
        hand: list[Slot] = []
        for slot in before.hand:
            dungeon = cards[slot.face].dungeon
            gifts += [(slot.face, ability.number) for ability in dungeon if ability.chooses_hero]
            gifts += [(slot.face, 0)] * cards[slot.face].gift
            hand.append(replace(slot, used=(*slot.used, *(ability.number for ability in dungeon))))
        using = [replace(slot, marks=(*slot.marks, *gifts)) if cards[slot.face].is_hero else slot for slot in hand]
        yield replace(before, hand=tuple(using))
        yield from (replace(before, hall=(Foe(foe.id),) * RANKS) for foe in self.foes if foe.is_monster)


class Surroundings:
    """What decides which effects are tried and when; without ``informs`` none acts."""

    def __init__(self, game: Game, start: Position, *, informs: bool = True) -> None:
        self.game, self.informs = game, informs
        self._hunts = start.table is not None  # else nobody knows what the others hold
        self.influences = Influences(game, start)
        foes = self.influences.foes
        traits = [trait for spec in foes for trait in (*spec.traits, *spec.battle)]
        mine = {slot.face: game.cards[slot.face] for slot in all_slots(self.influences.whole)}
        conditions = [getattr(op, "when", None) for spec in mine.values() for op in spec.passive]
        self.unwelcome = [when.no_hand for when in conditions if when is not None and when.no_hand is not None]
        """What makes heroes weaker while it is in hand."""
        self._victims = [getattr(op, "select", None) for op in traits if "destroy" in op.op]
        """What a monster destroys, None for any card."""
        self.in_order = bool(game.readings & {WHEN_COUNTED, USED_CARDS})
        """Nothing can wait: counted on use (the other reading of R4.9), a hand free after a throw (R5.3), used cards
        that may be destroyed (R4.2)."""
        self.unknown = start.table is None and start.stacks is None  # unknown cards may come from elsewhere
        self.spills = sum(map(self.influences.count_spilled, self.influences.arriving))
        """How many cards traps and breaches may take from the hand, and not all cards alike."""
        self.destroys = self.spills > 0 or any("destroy" in op.op for op in traits)
        """True if a monster, a trap or a breach may destroy cards of the hand."""
        self.spell_bar = any(getattr(trait, "when", None) == "spell-used" for trait in traits)
        """A monster bars a party that used a spell."""
        acting = [(spec, one) for spec in mine.values() for one in spec.dungeon if one.instant or one.cost]
        does = [self.influences.of(spec, ability) for spec, ability in acting]
        self.moves = any(one.moves or one.wounds for one in does)
        self.retreats = any(one.retreats for one in does)
        """A monster may come to a higher rank than it stands at."""
        taking = any(one.before_refill for spec in mine.values() for one in spec.dungeon)
        gaps = taking or NOBODY in start.hall or any(spec.kind in ("guardian", "thunderstone") for spec in foes)
        self.leaps = gaps or any(one.wounds or one.retreats for one in does)
        """Monsters may come nearer by more ranks than effects move monsters."""
        self.use_protects = self.spills > 0 and any(one.price is not None and one.loss > one.price for one in does)
        """A forced destruction may come when its own card is gone: then a card used before is safe (R4.2)."""
        self.draws = any(one.draws for one in does)
        self.gains = any(one.brings or one.changes for one in does)
        self.brings = not self.unknown and self.gains
        """Unknown cards may come, or cards may change."""
        tried = [(spec, ability) for spec, ability in acting if self.is_tried(spec, ability, start)]
        self.lent = {face for spec, ability in tried for face in self.influences.find_lent(spec, ability)}
        """What may leave the hand after it was used."""
        self.lends = any(game.cards[face].is_hero for face in self.lent)
        """A hero may leave the hand after use, and what they gave others stands (R5.4)."""
        weapons = [spec for spec in mine.values() if spec.is_weapon]
        self.strength_matters = self.lends or self.brings or not all(map(self.is_handed_last, weapons))
        """A hero's Strength may matter before the last weapons are handed out."""
        self.preys = any(self._takes_prey(ability) for spec in mine.values() for ability in spec.dungeon)
        """Effects may bring the player other monsters than the target."""
        self.strongest = any(getattr(trait, "strongest", False) for trait in traits)
        """More Strength may hurt: it decides which hero is lost."""

    def is_free(self, spec: CardSpec, ability: Ability) -> bool:
        """True for effects that only add to something and have no choices: they are used before every battle."""
        if self.in_order or ability.cost or ability.instant or ability.repeat or ability.chooses_hero:
            return False
        lowers = any(getattr(op, "amount", -1) < 0 for op in ability.lasting)
        if spec.is_weapon or (spec.is_spell and self.spell_bar) or lowers:
            return False
        return not ((self.strongest or self.spills) and any(to != "heroes" for to in _made_stronger(ability)))

    def only_draws(self, spec: CardSpec, ability: Ability) -> bool:
        """True for an effect that draws, costs nothing and bars nothing: whatever is done after it still can be."""
        if self.in_order or self.spills or self.strongest or spec.is_weapon or (spec.is_spell and self.spell_bar):
            return False
        does = self.influences.of(spec, ability)
        return does.draws and not (ability.cost or does.acts or may_lower(ability) or ability.chooses_hero)

    def can_wait(self, spec: CardSpec, ability: Ability) -> bool:
        """True for a free effect that nothing earlier in the preparation depends on."""
        if not self.is_free(spec, ability) or self.use_protects:
            return False
        leaves = (self.lends and spec.is_hero) or (self.moves and self.spills)  # then what it gave others stands (R5.4)
        if leaves and any(getattr(op, "to", "self") != "self" for op in ability.lasting):
            return False
        return not (self.strength_matters and _made_stronger(ability))

    def is_handed_last(self, spec: CardSpec) -> bool:
        """True for a weapon that has no immediate effects: a hero gets it when all else is done."""
        if self.in_order or (spec.dungeon and ((self.brings and spec.id in self.lent) or (self.moves and self.spills))):
            return False
        return not any(ability.instant or (ability.before_refill and self.moves) for ability in spec.dungeon)

    def is_tried(self, spec: CardSpec, ability: Ability, state: Position) -> bool:
        """False for uses that change nothing known, or only give away a card that no hero is better off without."""
        if ability.instant and not self.informs:
            return False
        does = self.influences.of(spec, ability)
        if does.brings and (self.unknown or self.influences.asks_village(spec, ability)):
            return False
        if self._takes_prey(ability):
            return True
        known = does.draws and (bool(state.deck) or state.pool is not None or state.left is not None)
        if known or ability.lasting or ability.cost or self.use_protects or does.brings or does.changes or does.moves:
            return True
        feeds = self.draws and state.left is not None  # what is discarded may be drawn again (R2.2)
        return does.acts and (feeds or self.spills > 0 or not does.spends or any(map(self._may_harm, does.spends)))

    def _takes_prey(self, ability: Ability) -> bool:
        """True for an effect that may bring its player a monster that is not attacked."""
        taking = TAKING if self._hunts else TAKING - {"custom"}
        return ability.before_refill or any(op.op in taking for op in ability.instant)

    def _may_harm(self, face: str) -> bool:
        spec = self.game.cards[face]
        if spec.kind == "disease" or self.game.ruleset == "yucata" or self.in_order:
            return True
        return any(select is None or spec.matches(select) for select in (*self.unwelcome, *self._victims))


def takes_late(spec: CardSpec) -> bool:
    """True for a card that may bring a monster once the battle is over."""
    return any(ability.before_refill for ability in spec.dungeon) or any(op.op == "custom" for op in spec.aftermath)


def pay(game: Game, state: Position, card: Ref, cost: Operation) -> list[Position]:
    """Every state that paying this cost of a card may lead to."""
    return [after for after in outcomes(game, state, Task(cost.op, card, cost)) if after.hand != state.hand]


def may_lower(ability: Ability) -> bool:
    """True for an effect whose lasting part may lower a figure, for example when it turns one into another."""
    return any(getattr(op, "amount", -1) < 0 and op.op not in HELPFUL for op in ability.lasting)


def _by_ref(state: Position) -> dict[Ref, Slot]:
    return {slot.ref: slot for slot in all_slots(state)}


def _standing(state: Position) -> list[Foe]:
    return [*state.hall, *state.rank0, NOBODY, *map(Foe, state.dungeon)]


def _may_retreat(was: Position, now: Position) -> bool:
    """True unless what now stands in the hall stood there, or lay in the deck, in the same order, and none returns."""
    line = iter([*(foe.card for foe in was.hall), *was.dungeon])
    return was.dungeon_ends or not all(foe.card in line for foe in now.hall if foe.card not in (EMPTY, UNKNOWN))


def _made_stronger(ability: Ability) -> list[str]:
    return [getattr(op, "to", "self") for op in ability.lasting if getattr(op, "stat", "") == "strength"]
