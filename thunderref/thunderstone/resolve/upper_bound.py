"""The most that a position can reach, read off the engine's own figures of a relaxed position.

In the relaxed position every lasting effect that may still be used is on, its cost not paid; every hero has every gift;
the known cards of the deck are in hand; only the automatic part of the battle is carried out. The engine says what each
hero gives with each weapon, and the weapons go where they give most. No rule is written here a second time: terms,
Strength and totals are the engine's. A few plain cards out of the village are in hand, too; if effects bring others,
nothing is ruled out.

Why no line is worth more than this ceiling, so that what cannot beat the best line found may be left out:

- More effects, gifts and cards only raise a figure, but for what may lower one (:func:`may_lower`, and cards that
  weaken heroes from the hand): that is taken both ways, and of a hero's figures the highest count. So every hero, with
  any one weapon, and every other card give at least what they give in any line.
- A total never falls with Attack, Magic Attack or Light; the engine gives the worth of a point of each where there are
  very many. The sum over cards, each at its highest, is at least the total of any line.
- In a line each weapon is in one hand, and most heroes hold one: the best matching of weapons and heroes is at least
  what the weapons add there. A card that is gone takes what it added with it.
- What is lost is at least what is lost so far, the smallest loss that paying or moving the monster takes, and the
  cheapest of the cards of which the battle destroys one, if more of them are there than may leave the hand undestroyed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from typing import Any, cast

from thunderref.database.card_records import RANKS
from thunderref.database.operations import CardKind, TakeBeforeRefill, TakeMonster
from thunderref.thunderstone.resolve.battles import NOTHING, Loss, battles, losses, own_losses, prey
from thunderref.thunderstone.resolve.waiting import Influence, Surroundings, may_lower, pay
from thunderref.thunderstone.rules.cards import Ability, CardSpec
from thunderref.thunderstone.rules.choices import Attack, Equip
from thunderref.thunderstone.rules.effects.battle import decide_battle
from thunderref.thunderstone.rules.explanation import Term, Totals, fold
from thunderref.thunderstone.rules.figures import bar, free_terms, health, hero_terms, light_penalty, totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import all_slots, in_play, next_slots, remove_card
from thunderref.thunderstone.rules.legal import advance, legal_actions, play, targets
from thunderref.thunderstone.rules.party import Party
from thunderref.thunderstone.rules.position import (
    FLEETING,
    FORGONE,
    SPENT,
    UNKNOWN,
    Foe,
    Position,
    Ref,
    Slot,
    Target,
    replace,
)

Likeness = tuple[str, str, bool]
"""A card of the hand, the card it copies, and whether it holds a weapon; cards with the same likeness are equal."""
Figures = tuple[int, int, int]  # Attack, Magic Attack and Light
MANY = 1024  # points of a figure beside which nothing else counts; a power of two, because totals are halved
Effect = tuple[str, int]  # a card and the number of its effect
MOST_FETCHED = 4  # cards out of the village that are counted in a relaxed hand: with more it is open
FETCHES: dict[str, CardKind] = {"conjure": "weapon", "recruit": "hero"}
"""Operation -> the kind of cards that it brings out of the village."""
DESTROYING = frozenset({"destroy", "destroy-self"})
KEPT = 64  # hands kept ready to compute what they reach: all of them would fill the memory


class Relaxation:
    """What the positions of one search can reach."""

    def __init__(self, game: Game, around: Surroundings, *, wins_only: bool = False) -> None:
        self.game, self.around, self.wins_only = game, around, wins_only
        self._hands: dict[Any, Relaxed] = {}
        self._alike: dict[Any, Relaxed] = {}  # what the relaxation leaves of a hand -> the relaxed hand
        self._paid: dict[Any, list[tuple[frozenset[Ref], Loss]]] = {}
        self.armed: list[Relaxed] = []
        self._targets: dict[tuple[str, int], tuple[Target, bool]] = {}
        self._prey_of: tuple[Position, int] | None = None

    def cards(self, state: Position) -> frozenset[Ref]:
        """The cards in the hand or known to come."""
        return frozenset([slot.ref for slot in (*all_slots(state), *next_slots(state, self.to_come(state)))])

    def to_come(self, state: Position) -> tuple[str, ...]:
        """The cards that an effect may bring into the hand: those known of the deck, and those that others may lend."""
        if not self.around.informs:
            return ()
        table = state.table
        return state.deck if table is None else (*state.deck, *chain(*(table.seats[n].hand for n in table.others())))

    def prospects(self, state: Position) -> Iterator[tuple[int, Foe, Relaxed, frozenset[Ref] | None, Loss]]:
        """The targets now or later: rank, monster, a hand that reaches as much as any line, cards left or all, loss."""
        hand = self.relax(state)
        hands: list[tuple[Relaxed, frozenset[Ref] | None, Loss]] = [(hand, None, NOTHING)]
        if hand.loss is not None:
            costly = self.relax(state, costly=True)
            hands += [(costly, left, lost) for left, lost in self._payments(state)]
        places = {(rank, foe): NOTHING for rank, _, foe in targets(state)}
        hurt = [foe for foe in state.hall if hand.wounds and is_monster(self.game, foe)]
        dies = any(health(self.game, state, foe) <= hand.wounds for foe in hurt)
        moving = NOTHING if dies else hand.moving
        if moving is not None:
            for at, foe in (*enumerate(state.hall, 1), *((RANKS, Foe(card)) for card in state.dungeon)):
                steps_out = is_monster(self.game, foe) and self.game.cards[foe.card].kind == "guardian"
                nearest = 0 if steps_out else max(1, at - hand.steps)
                for rank in range(nearest, 1 + (RANKS if self.around.retreats else at)):
                    places.setdefault((rank, foe), moving)
        for each, left, lost in hands:
            for (rank, foe), moved in places.items():
                if is_monster(self.game, foe):
                    yield rank, foe, each, left, max(moved, lost)

    def _payments(self, state: Position) -> list[tuple[frozenset[Ref], Loss]]:
        """What destroying one card for a lasting effect leaves, and the loss."""
        key = (state.hand, self.to_come(state))
        if key not in self._paid:
            whole = replace(state, hand=(*state.hand, *next_slots(state, self.to_come(state))), deck=())
            found: dict[frozenset[Ref], Loss] = {}
            for slot in all_slots(whole):
                spec = self.game.cards[slot.face]
                for ability in spec.dungeon if not slot.flags & FORGONE else ():
                    used = ability.number in slot.used and not ability.repeat
                    if ability.lasting and not used and self.around.influences.of(spec, ability).price != NOTHING:
                        ends = [after for cost in ability.cost for after in pay(self.game, whole, slot.ref, cost)]
                        found |= {self.cards(after): own_losses(self.game, after, whole) for after in ends}
            self._paid[key] = list(found.items())
        return self._paid[key]

    def most_prey(self, state: Position) -> int:
        """The most VP of monsters, the target aside, that a line from here brings without a loss that may be spared."""
        if not self.around.preys:
            return prey(self.game, state)
        if self._prey_of is None or self._prey_of[0] is not state:  # asked again and again for the same
            self._prey_of = state, self._count_prey(state)
        return self._prey_of[1]

    def _count_prey(self, state: Position) -> int:
        taken, specs, table = prey(self.game, state), self.game.cards, state.table
        foes = [foe.card for foe in (*state.hall, *state.rank0) if is_monster(self.game, foe)]
        there = [specs[card].vp or 0 for card in (*foes, *state.dungeon) if card != UNKNOWN]
        others = () if table is None else (*chain(*(seat.hand for seat in table.seats)), *(h[2] for h in table.hunted))
        held = [specs[card].vp or 0 for card in others if specs[card].is_monster]
        # a card paid for it is no loss if it was never the player's, or if something else may destroy it anyway
        spares = self.around.destroys or any(slot.flags & FLEETING for slot in state.hand)
        for slot in (*all_slots(state), *next_slots(state, state.deck)):
            for ability in specs[slot.face].dungeon:
                free = spares or self.around.influences.of(specs[slot.face], ability).price == NOTHING
                used = ability.number in slot.used or not free
                for op in (*ability.instant, *ability.lasting):
                    if op.op == "wound-hall" and not used:
                        taken += sum(there)
                    elif isinstance(op, TakeMonster | TakeBeforeRefill) and not used:
                        taken += max((vp for vp in there if vp in op.vp), default=0)
                    elif op.op == "custom":
                        taken += max(held, default=0)
        return taken

    def target(self, foe: Foe, rank: int) -> tuple[Target, bool]:
        """The target with what the battle does by itself, and whether it asks heroes one by one."""
        key = (foe.card, rank)
        if key not in self._targets:
            ends, own = self.fight(self.around.influences.whole, foe, rank)
            self._targets[key] = Target(self.game.cards[foe.card], rank, ends[0].battle), own
        return self._targets[key]

    def fight(self, state: Position, foe: Foe, rank: int) -> tuple[list[Position], bool]:
        """The battle before its outcome; with True two, if heroes choose, by their first and last choice."""
        there = replace(state, phase="prepare", todo=(), hall=(foe,) * RANKS, rank0=(foe,))
        begun, _ = play(self.game, there, Attack(rank, 0), "finish")
        heroes = {slot.ref for slot in state.hand if self.game.cards[slot.face].is_hero}
        ends: list[Position] = []
        asks = False
        for pick in (0, -1):
            node = begun
            while node.todo[0].name != "finish":
                if node.todo[0].source in heroes:
                    asks = True
                    node, _ = play(self.game, node, legal_actions(self.game, node)[pick], "finish")
                else:
                    node = advance(self.game, replace(node, todo=node.todo[1:]), [], "finish")
            ends.append(node)
            if not asks:
                break
        return ends, asks

    def relax(self, state: Position, *, follows: bool = True, costly: bool = False) -> Relaxed:
        """The relaxed hand: what is used in any case; if it ``follows`` all that may be; if ``costly`` at a loss."""
        key = (follows, costly, state.hand, self.to_come(state) if follows else (), state.gone, state.benefits)
        if key not in self._hands:
            hand = Relaxed(self, state, follows=follows, costly=costly)
            self._hands[key] = self._alike.setdefault(hand.alike, hand)
        return self._hands[key]


class Relaxed:
    """A relaxed hand: what each hero gives with each weapon against any target."""

    def __init__(self, relaxation: Relaxation, state: Position, *, follows: bool, costly: bool) -> None:
        self.relaxation, self.game = relaxation, relaxation.game
        self.follows, self.costly = follows, costly
        self.open = False  # True if unknown cards may come
        self.loss = cast("Loss | None", None)  # a plain None would be compiled as one for good
        """The smallest loss if anything costly is used; None if nothing is costly."""
        self.moving: Loss | None = None  # the smallest loss to move monsters; None if they stay where they are
        self._spares = any(slot.flags & FLEETING for slot in all_slots(state))
        """True if there are cards that were never the player's, so that destroying them is no loss."""
        self.wounds = 0
        self.gifts: list[Effect] = []
        self._doubtful: dict[Effect, None] = {}
        self._flags: dict[str, int] = {}  # card -> the flags that paying gives it
        self.leaving = 0  # the most cards that may leave the hand before a battle
        self.escaping = 0  # of these the most that are not destroyed
        self.steps = RANKS if relaxation.around.leaps else 0  # by how many ranks a monster may come nearer
        self._movers: list[tuple[Influence, int]] = []
        """Effects that move monsters, and the most cards that leave the hand at once for each."""
        self._restless = False  # True if cards may still leave the hand, or weapons may change hands
        self._stacks = state.stacks or ()
        self._fetched: list[str] = []  # cards that may come from the village
        cards = (*state.hand, *next_slots(state, relaxation.to_come(state))) if follows else state.hand
        hand = [self._use(slot) for slot in cards]
        fetched = [Slot(card, -n, flags=FLEETING) for n, card in enumerate(self._fetched, 1)]
        self.fetched = frozenset([slot.ref for slot in fetched])
        self.whole = replace(state, hand=(*hand, *fetched))
        """The relaxed hand, every weapon with the hero who holds it."""
        self.refs = frozenset([slot.ref for slot in all_slots(self.whole)])
        if self._movers:
            self.moving = self._least_for_moving(state)
        given = tuple(self.gifts), tuple(self._doubtful), tuple(self._flags.items())
        figures = self.open, self.loss, self.moving, self.wounds, self.leaving, self.escaping, self._restless
        self.alike = (follows, costly, self.whole.hand, state.gone, state.benefits, given, figures, self.steps)
        self._reached: dict[tuple[str, int], Reach] = {}
        self.parties: list[list[Party]] = []
        """Bounds with what makes heroes weaker in hand, then without, by the doubtful effects left unused and by the
        weapon that every hero holds."""
        self.armed: list[Party] = []
        """Every hero holds all weapons; first with all cards in hand, then without those that make heroes weaker."""

    def arm(self) -> None:
        """Puts the weapons into all hands, once what the hand reaches is needed; few hands at a time are kept."""
        if self.armed:
            return
        others = self.relaxation.armed
        others.append(self)
        if len(others) > KEPT:
            others[0].parties, others.pop(0).armed = [], []
        self.state = self._lay_down_weapons() if self._restless else self.whole
        heroes = [slot for slot in self.state.hand if self.game.cards[slot.face].is_hero]
        barred = FORGONE if self._restless else FORGONE | SPENT
        free = [slot for slot in self.state.hand if not slot.flags & barred]
        self.weapons = [slot for slot in free if self.game.cards[slot.face].is_weapon]
        if self._restless:
            self.weapons += [weapon for hero in heroes for weapon in hero.weapons]
        self._kinds = kinds = tuple({replace(weapon, copy=1): weapon for weapon in self.weapons}.values())
        alike = [replace(weapon, copy=1) for weapon in kinds]
        self.columns = [1 + alike.index(replace(weapon, copy=1)) for weapon in self.weapons]
        """The place of each weapon among the different ones, counted from 1; 0 is no weapon."""
        held = [(), *((weapon,) for weapon in kinds)]
        subsets = [off for n in range(len(self._doubtful) + 1) for off in combinations(self._doubtful, n)]
        lightened = self._lighten() if self.follows else self.state
        hands = [self.state] if lightened is self.state else [self.state, lightened]
        self._ways = [(hand, off) for hand in hands for off in subsets]
        self.parties = [[self._party(hand, off, weapons) for weapons in held] for hand, off in self._ways]
        self.armed = [self._party(hand, (), kinds) for hand in hands]
        conditions = [getattr(given.operation, "when", None) for given in self.armed[0].lasting]
        self.asks_rank = any(when is not None and when.rank is not None for when in conditions)
        """True if what a card gives may depend on the target's rank."""
        self.heroes = [hero.ref for hero in heroes]
        self.many = [self.armed[0].spec(hero).many_weapons for hero in heroes]
        self.able: list[list[int]] = [[0] for _ in heroes]  # hero -> the weapons they may hold
        equipping = self.parties[0]
        if self.gifts and not self.follows:  # what the attack brings comes too late for equipping (R4.3, R8.1)
            equipping = [self._party(self.state, tuple(self.gifts), weapons) for weapons in held]
        for place, hero in enumerate(heroes):
            if self._restless or self.parties[0][0].hand_free(hero):
                for n, party in enumerate(equipping[1:], 1):
                    if party.strength(party.heroes[place]) >= party.weight(kinds[n - 1]):
                        self.able[place].append(n)

    def reach(self, foe: Foe, rank: int) -> Reach:
        """What this hand reaches against the target."""
        key = (foe.card, rank)
        if key not in self._reached:
            self.arm()
            same = not (self.asks_rank or self.game.cards[foe.card].barred)
            like = [each for (card, _), each in self._reached.items() if same and card == foe.card]
            self._reached[key] = like[0] if like else Reach(self, foe, rank)
        return self._reached[key]

    def _least_for_moving(self, state: Position) -> Loss:
        """A loss due after the move is escaped if every card is used or gone by then; some cards cannot be used."""
        if self._spares:
            return NOTHING
        plain = sum([in_play(slot) and not self.game.cards[slot.face].usable for slot in all_slots(state)])
        spills = self.relaxation.around.spills
        return min(
            (does.price or NOTHING) if spills and plain <= self.leaving - spent else does.loss
            for does, spent in self._movers
        )

    def _lay_down_weapons(self) -> Position:
        """The hand with weapons that may still change hands held by nobody."""
        hand: list[Slot] = []
        for slot in self.whole.hand:
            free = [weapon for weapon in slot.weapons if not weapon.flags & SPENT]
            kept = tuple([weapon for weapon in slot.weapons if weapon.flags & SPENT])
            hand += [replace(slot, weapons=kept), *free] if free else [slot]
        return replace(self.whole, hand=tuple(hand))

    def _lighten(self) -> Position:
        """The position without the cards that weaken heroes from the hand; their used effects stand."""
        state = self.state
        for slot in state.hand:
            spec = self.game.cards[slot.face]
            if not spec.is_hero and any(map(spec.matches, self.relaxation.around.unwelcome)):
                state = remove_card(state, slot.ref)
        return state

    def arm_others(self, hero: Ref) -> list[Party]:
        """The :attr:`parties` with every other hero holding all weapons."""
        return [self._party(hand, off, self._kinds, hero) for hand, off in self._ways]

    def _party(
        self, state: Position, off: tuple[Effect, ...], weapons: tuple[Slot, ...], unarmed: Ref | None = None
    ) -> Party:
        gifts = [gift for gift in self.gifts if gift not in off]
        taken = {weapon.ref for weapon in weapons if not self._flags.get(weapon.face)}
        hand = []
        for place, slot in enumerate(state.hand):
            if off:
                slot = replace(slot, used=tuple(n for n in slot.used if (slot.face, n) not in off))
            if (weapons or gifts) and self.game.cards[slot.face].is_hero:
                # all hold their own copies: a result for one holds for no other
                held = [
                    replace(one, copy=MANY * place + one.copy, flags=one.flags | self._flags.get(one.face, 0))
                    for one in weapons
                    if slot.ref != unarmed
                ]
                slot = replace(slot, weapons=(*slot.weapons, *held), marks=tuple(sorted((*slot.marks, *gifts))))
            if slot.ref not in taken:
                hand.append(slot)
        return Party(self.game, replace(state, hand=tuple(hand)))

    def _use(self, slot: Slot) -> Slot:
        """The card with every usable effect used, its gift to a hero noted."""
        spec = self.game.cards[slot.face]
        if slot.weapons:
            slot = replace(slot, weapons=tuple([self._use(weapon) for weapon in slot.weapons]))
        if not spec.usable or slot.flags & FORGONE:
            return slot
        if spec.gift and 0 not in slot.used:
            self.gifts.append((slot.card, 0))
        used = [
            ability.number
            for ability in spec.dungeon
            if not ability.before_refill and (ability.repeat or ability.number not in slot.used)
            for _ in range(self._times(spec, ability))
        ]
        lasting = [number for number in slot.used if not number or spec.dungeon[number - 1].lasting]
        return replace(slot, used=tuple(sorted((*lasting, *used)))) if slot.used or used else slot

    def _times(self, spec: CardSpec, ability: Ability) -> int:
        around = self.relaxation.around
        in_any_case = around.is_free(spec, ability) or (spec.is_weapon and not ability.instant)
        does = around.influences.of(spec, ability)
        if does.price is None or not (self.follows or in_any_case):
            return 0
        if not around.is_tried(spec, ability, around.influences.whole):
            return 0
        if ability.instant or ability.cost:
            self._restless = self.follows
            fetched = self._fetch(ability) * does.times if does.brings and not does.turns else []
            if fetched and len(fetched) <= MOST_FETCHED:
                self._fetched += fetched
                self._spares = True
            else:
                # an effect that only arms a hero is bounded, too, but then shown where to equip is worth the same
                arms = does.changes and not (does.turns or self.relaxation.wins_only)
                lends = all(op.op == "borrow" for op in ability.instant)  # then it brings what is counted as to come
                self.open = self.open or (does.brings and not lends) or does.turns or arms
            self.wounds += does.wounds * (MANY if ability.repeat else 1)
            spent = len(ability.cost) + (len(ability.instant) if does.spends else 0)
            spilled = around.spills if does.moves or does.wounds else 0
            self.leaving += spent * does.times + spilled
            kept = sum(cost.op not in DESTROYING for cost in ability.cost) + does.discards
            self.escaping += kept * does.times + spilled
            self.steps += does.moves * does.times
            if does.moves:
                self._movers.append((does, (spent - len(ability.cost)) * does.times))
        if not ability.lasting:
            return 0
        if does.price != NOTHING:
            self.loss = NOTHING if self._spares else does.price if self.loss is None else min(self.loss, does.price)
            if not self.costly:
                return 0
            self._flags[spec.id] = does.flags
        if may_lower(ability):
            self._doubtful[spec.id, ability.number] = None
        if ability.chooses_hero:
            self.gifts.append((spec.id, ability.number))
        return does.times

    def _fetch(self, ability: Ability) -> list[str]:
        """The cards out of the village that an effect may bring; none if one of them does more than give figures."""
        kinds = {FETCHES.get(op.op, "") for op in ability.instant} - {""}
        specs = [self.game.cards[card] for card, left in self._stacks if left]
        there = [spec for spec in specs if spec.kinds & kinds]
        return [] if any(spec.dungeon or spec.passive for spec in there) else [spec.id for spec in there]


class Reach:
    """What a relaxed hand reaches against one target, weapons in anybody's hands.

    A total rises with Attack, Magic Attack and Light: the engine says what a point is worth where there are very many.
    """

    def __init__(self, hand: Relaxed, foe: Foe, rank: int) -> None:
        self.hand, self.foe = hand, foe
        self.target, self._asks = hand.relaxation.target(foe, rank)
        self._lost: tuple[Loss, dict[Likeness, Loss]] | None = None
        self._left: dict[frozenset[Ref], float] = {}  # cards left -> what to add to the total with no weapon held
        free, given, light = self._weigh_cards()
        heroic = [figures for own in given for ways in own.values() for figures in ways]
        possible = any(figures[1] > 0 for figures in (*free.values(), *heroic))
        top = MANY if possible else 0
        self._many = (MANY, top, light)
        start = self._total(rank, MANY, top, light)
        self.victory = start.victory  # True if a high enough total wins
        self._most_light = light
        point = (self._total(rank, 2 * MANY, top, light).total - start.total) / MANY
        magic_point = (self._total(rank, MANY, 2 * top, light).total - start.total) / MANY if possible else 0.0
        values = [
            {n: max([point * a + magic_point * m for a, m, _ in ways]) for n, ways in own.items()} for own in given
        ]
        parts = {ref: point * a + magic_point * m for ref, (a, m, _) in free.items()}
        self._parts = parts | {hero: own[0] for hero, own in zip(hand.heroes, values, strict=True)}
        """Card -> what it adds with no weapon held, if it is a hero."""
        self._more = sum(self._parts.values()) - point * MANY - magic_point * top
        self._bases = {rank: start.total + self._more}
        self.gains = [{n: value - own[0] for n, value in own.items() if n} for own in values]
        """Hero -> what each kind of weapon adds."""

    def base(self, rank: int) -> float:
        """The total with no weapon held."""
        if rank not in self._bases:
            self.hand.arm()
            self._bases[rank] = self._total(rank, *self._many).total + self._more
        return self._bases[rank]

    def _weigh_cards(self) -> tuple[dict[Ref, Figures], list[dict[int, list[Figures]]], int]:
        hand, target = self.hand, self.target
        bare = hand.parties[0][0]
        barring, forgone = self._find_barring() if target.spec.barred else (set(), set())
        parties = [self._fight([way[n] for way in hand.parties]) for n in range(len(hand.parties[0]))]
        helped = len(bare.attackers(target)) < len(hand.armed[0].attackers(target))  # the armed may help others
        given = [
            {
                n: [
                    fold(hero_terms(party, party.heroes[i], target))
                    for party in (self._fight(hand.arm_others(hand.heroes[i])) if helped and not n else parties[n])
                ]
                for n in able
                if n not in barring
            }
            for i, able in enumerate(hand.able)
        ]
        there = [slot for slot, spec in bare.free if not spec.is_hero and slot.ref not in forgone]
        free = {slot.ref: fold(free_terms(bare, slot, target)) for slot in there}
        light = sum([figures[2] for figures in free.values()])
        light += sum([max(figures[2] for figures in own[0]) for own in given])
        for n in hand.columns:
            light += max([own[n][0][2] - own[0][0][2] for own in given if n in own], default=0)
        return free, given, light

    def _find_barring(self) -> tuple[set[int], set[Ref]]:
        """The weapons and the cards that alone bar the target."""
        hand, target = self.hand, Target(self.target.spec, self.target.rank, None)

        def is_barred(n: int, kept: Ref | None = None) -> bool:
            state = hand.parties[0][n].state
            slots = [
                replace(slot, flags=slot.flags | FORGONE)
                if hand.game.cards[slot.face].forgoable and slot.ref != kept
                else slot
                for slot in state.hand
            ]
            return bar(Party(hand.game, replace(state, hand=tuple(slots))), target) is not None

        if is_barred(0):
            return set(), set()
        cards = [slot.ref for slot, spec in hand.parties[0][0].free if spec.forgoable]
        return set(filter(is_barred, hand.columns)), {ref for ref in cards if is_barred(0, ref)}

    def _fight(self, parties: list[Party]) -> list[Party]:
        if not self._asks:
            return parties
        fight, rank = self.hand.relaxation.fight, self.target.rank
        return [Party(party.game, end) for party in parties for end in fight(party.state, self.foe, rank)[0]]

    def too_dark(self) -> bool:
        """True if no line has the Light without which the target may not be attacked (R5.1)."""
        asked = any(getattr(trait, "when", None) == "light-penalty" for trait in self.target.spec.traits)
        if not asked:
            return False
        self.hand.arm()
        return light_penalty(self.hand.armed[0], self.target, self._most_light)[0] > 0

    def _total(self, rank: int, attack: int, magic: int, light: int) -> Totals:
        party, target = self.hand.armed[0], self.hand.relaxation.target(self.foe, rank)[0]
        party.terms[party.aim(target)] = (Term("figures", "", attack, magic, light),)
        return totals(party, target, self.foe)

    def lost(self, state: Position, before: Loss = NOTHING) -> Loss:
        """The least that is lost of the hand of ``state``, from which this hand was made: ``before`` and in the battle.

        A victim of the battle that is destroyed before it is no less a loss, but then one and the same.
        """
        if self._lost is None:
            self._lost = self._weigh_losses()
        least, victims = self._lost
        if not (self.hand.follows or self.hand.costly):
            return before.plus(least)
        if self.hand.fetched:  # what was never the player's may be destroyed instead
            return before
        there = [slot for slot in all_slots(state) if in_play(slot) and not slot.flags & FLEETING]
        number = sum([_likeness(slot) in victims for slot in there])
        if number > self.hand.leaving:
            return before.plus(min(victims.values()))
        return max(before, min(victims.values())) if number > self.hand.escaping else before

    def _weigh_losses(self) -> tuple[Loss, dict[Likeness, Loss]]:
        """The least that this hand loses in the battle; card -> loss, for the cards of which it loses at least one."""
        hand, game = self.hand, self.hand.game
        if hand.relaxation.around.strongest and (hand.follows or hand.gifts):  # not known yet who that is
            return NOTHING, {}
        hand.arm()
        attack = Attack(self.target.rank, 0)
        ends = [
            decide_battle(game, end)[1]
            for party in (hand.armed if hand.heroes else [hand.parties[0][0]])
            for end, _ in battles(game, replace(party.state, hall=(self.foe,) * RANKS, rank0=(self.foe,)), attack)
        ]
        before = {slot.ref: _likeness(slot) for slot in all_slots(hand.whole)}
        lost = {ref for refs in ends for ref in refs} if all(ends) else set()
        victims = {before.get(ref, (ref[0], "", False)): losses(game, [ref]) for ref in lost}
        return min(losses(game, refs) for refs in ends), victims

    def most(self, rank: int, cards: frozenset[Ref] | None = None) -> float:
        """The total with the weapons where they give most, as if all but ``cards`` were gone, unless some are new."""
        if cards is None or not cards <= self.hand.refs:
            cards = self.hand.refs
        cards |= self.hand.fetched
        if cards not in self._left:
            gone = [value for ref, value in self._parts.items() if ref not in cards]
            self._left[cards] = self._match_weapons(cards) - sum(gone)
        return self.base(rank) + self._left[cards]

    def _match_weapons(self, cards: frozenset[Ref]) -> float:
        """The most that these weapons add in the hands of these heroes."""
        best = {0: 0.0}  # by the weapons given so far
        spare = [0.0] * len(self.hand.columns)
        there = [(place, n) for place, n in enumerate(self.hand.columns) if self.hand.weapons[place].ref in cards]
        for hero, own, many in zip(self.hand.heroes, self.gains, self.hand.many, strict=True):
            gains = [(place, own[n]) for place, n in there if own.get(n, 0) > 0] if hero in cards else []
            if many:
                for place, gain in gains:
                    spare[place] = max(spare[place], gain)
                continue
            following = dict(best)
            for taken, value in best.items():
                for place, gain in gains:
                    now = taken | 1 << place
                    if now != taken and value + gain > following.get(now, -1):
                        following[now] = value + gain
            best = following
        left = [value + sum([n for w, n in enumerate(spare) if not taken >> w & 1]) for taken, value in best.items()]
        return max(left)

    def armings(self, rank: int, is_wanted: Callable[[float], bool]) -> Iterator[list[Equip]]:
        """The ways to hand out the weapons whose total is wanted, each weapon first to the hero whom it helps most."""
        hand = self.hand
        rows: list[list[tuple[float, int]]] = []
        for n in hand.columns:
            gains = [(own[n], i) for i, own in enumerate(self.gains) if n in own]
            rows.append(sorted([*gains, (0.0, -1)], key=lambda each: (-each[0], each[1] < 0)))
        rest = [sum([row[0][0] for row in rows[place:]]) for place in range(len(rows) + 1)]

        def give(place: int, busy: frozenset[int], equips: list[Equip], total: float) -> Iterator[list[Equip]]:
            if not is_wanted(total + rest[place]):
                return
            if place == len(rows):
                yield equips
                return
            for gain, hero in rows[place]:
                if hero < 0:
                    yield from give(place + 1, busy, equips, total)
                elif hero not in busy:
                    now = busy if hand.many[hero] else busy | {hero}
                    equip = Equip(hand.weapons[place].ref, hand.heroes[hero])
                    yield from give(place + 1, now, [*equips, equip], total + gain)

        yield from give(0, frozenset(), [], self.base(rank))


def is_barred_for_good(game: Game, state: Position, card: str, rank: int) -> bool:
    """True if a benefit that was taken bars the target, whatever is done after it (R5.1)."""
    spec = game.cards[card]
    if not (spec.barred and state.benefits):
        return False
    return bar(Party(game, replace(state, hand=())), Target(spec, rank, None)) in ("spell-used", "weapon-equipped")


def _likeness(slot: Slot) -> Likeness:
    return slot.card, slot.form, bool(slot.weapons)
