"""Which monster to attack, and how: a plain line first, the proven search only where that may bring more."""

from __future__ import annotations

from typing import Any, NamedTuple

from thunderref.database.operations import Bonus, Instead
from thunderref.thunderstone.bots.bot import BotReason
from thunderref.thunderstone.bots.valuation import END_AHEAD, Valuation
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.rules.choices import Attack, Choice, Equip, Pick, Use, cards_of
from thunderref.thunderstone.rules.effects.battle import decide_battle
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.figures import health, sums
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import hall_locked, is_monster, must_be_defeated
from thunderref.thunderstone.rules.hand import all_slots
from thunderref.thunderstone.rules.legal import attack_actions, legal_actions, play, targets
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import DISEASE, Foe, Position, Target, replace

STATES = 60
"""States that the search may look at."""
HOPELESS = 12
"""Rounds in which nothing changes, after which a game that is lost may as well end."""
NEARER = 3.0
"""VP for bringing the Thunderstone next to rank 1 when ahead, or less when behind."""
BattleLine = tuple[Choice, ...]


class PlannedBattle(NamedTuple):
    """A battle to fight: the monster, what it is worth in VP, the chance to win it, and the choices up to its end."""

    card: str
    rank: int
    value: float
    chance: float
    line: BattleLine
    ends: bool = False
    """True if the game ends with it."""

    def reason(self, other: float | None) -> BotReason:
        """The reason to fight it; ``other`` is what the best of the rest is worth, None if that is past."""
        monster: tuple[tuple[str, Any], ...] = (("foe_card", self.card), ("rank", self.rank))
        if self.ends and self.value > 0:
            return BotReason("end", monster)
        if self.chance < 1:
            return BotReason("fight-maybe", (*monster, ("percent", round(self.chance * 100)), ("value", self.value)))
        if other is None:
            return BotReason("attack", (*monster, ("value", self.value)))
        return BotReason("fight", (*monster, ("value", self.value), ("other", max(0.0, other))))


class Prepared(NamedTuple):
    """A hand made ready: the line there, the attacks then possible, and what draws and the search may add."""

    state: Position
    line: BattleLine
    attacks: tuple[Attack, ...]
    drawn: float
    slack: float


class BattleChoice:
    """The battles that the player may fight from here, on the turn ``position`` in preparation."""

    def __init__(self, valuation: Valuation, position: Position, *, must_fight: bool = False) -> None:
        self.valuation = valuation
        self.must_fight = must_fight
        """True if only rank 1 may be attacked (R9.6)."""
        self.game: Game = valuation.view.trial
        self.start = replace(position, phase="prepare")
        self._ready: Prepared | None = None
        self._search: Search | None = None

    def best(self, floor: float) -> PlannedBattle | None:
        """The fight worth most, if it is worth more than ``floor``."""
        best, threshold = None, floor
        hopes = [(self.prize(foe, rank), rank, place, foe) for rank, place, foe in self.monsters()]
        for prize, rank, place, foe in sorted(hopes, key=lambda hope: (-hope[0], hope[1], hope[2])):
            if prize <= threshold:
                break
            fight = self._fight(prize, rank, place, foe)
            if fight is not None and fight.value > threshold:
                best, threshold = fight, fight.value
        return best

    def monsters(self) -> list[tuple[int, int, Foe]]:
        """Rank, place within rank 0, and card of those that may be attacked, as far as no card bars it."""
        ranks = (1,) if self.valuation.view.due or self.must_fight else (0, 1, 2, 3)
        return [there for there in targets(self.start) if there[0] in ranks and is_monster(self.game, there[2])]

    def prize(self, foe: Foe, rank: int) -> float:
        """VP of the monster, its XP and what it is worth as a trophy; what it means that the game ends, or nears it."""
        valuation, spec = self.valuation, self.game.cards[foe.card]
        if self.ends(rank):
            return valuation.vp(foe.card) + self.ending(foe, rank, won=True)
        worth = valuation.worth(foe.card) + valuation.xp * spec.xp
        if rank in (1, 2) and self._is_stone(3) and valuation.view.stones == 1:
            lead = valuation.lead()
            worth += 0 if lead is None else NEARER if lead > 0 else -NEARER
        return worth + self._stone_vp(rank)

    def ending(self, foe: Foe, rank: int, *, won: bool) -> float:
        """The value of the game ending with a battle against this monster (R7.1); 0 if it does not."""
        if not self.ends(rank) or (not won and self.stays(foe)):
            return 0
        stone = self._stone_vp(rank)
        lead = self.valuation.lead()
        if lead is None:
            return stone if won else 0
        lead += stone + self.valuation.vp(foe.card) if won else 0
        end = END_AHEAD
        if lead <= 0 and (lead == 0 or self.valuation.view.still >= HOPELESS):
            end = 0.0
        return (stone if won else 0) + (end if lead > 0 else -end)

    def may_end_ahead(self) -> bool:
        """True if a lost battle ends the game and leaves the player ahead, and nothing bars the attack (R5.1)."""
        if not self.ends(1) or Attack(1) not in self.attacks():
            return False
        return self.ending(self.start.hall[0], 1, won=False) > 0

    def stays(self, foe: Foe) -> bool:
        """True for a monster that stays where it is if the battle is lost (R6.1, R6.8)."""
        return must_be_defeated(self.game, foe) or hall_locked(self.game, self.start)

    def moves_on(self) -> bool:
        """True if the player may attack a monster whose victory moves the others on (R6.1)."""
        foes = {(rank, place): foe for rank, place, foe in self.monsters()}
        may = [foes[attack.rank, attack.place] for attack in self.attacks() if (attack.rank, attack.place) in foes]
        return not all(map(self.stays, may))

    def attacks(self) -> tuple[Attack, ...]:
        """The attacks that nothing bars, whether they win or not (R5.1)."""
        return attack_actions(self.game, self.start, party_of(self.game, self.start))

    def ends(self, rank: int) -> bool:
        """True if the game ends when the monster at this rank has left: no other stone is to come (R7.1, R9.1)."""
        return 0 < len(self._stones(rank)) == self.valuation.view.stones

    def _stones(self, rank: int) -> tuple[int, ...]:
        """The ranks of the Thunderstones that reach rank 1, one by one, when the monster at ``rank`` leaves."""
        if rank != 1 or not self._is_stone(2):
            return ()
        return (2, 3) if self._is_stone(3) else (2,)

    def _stone_vp(self, rank: int) -> int:
        """VP of these stones; 0 while a guardian in rank 0 keeps everybody from them (R6.7)."""
        stones = () if self.start.rank0 else self._stones(rank)
        return sum([self.game.cards[self.start.hall[place - 1].card].vp or 0 for place in stones])

    def _is_stone(self, rank: int) -> bool:
        spec = self.game.cards.get(self.start.hall[rank - 1].card)
        return spec is not None and spec.kind == "thunderstone"

    def ready(self) -> Prepared:
        """The position after all that costs nothing, the weapons handed out; how to come there, and what may follow."""
        if self._ready is None:
            state, line = _prepare(self.game, self.start)
            attacks = attack_actions(self.game, state, party_of(self.game, state))
            self._ready = Prepared(state, line, attacks, self._expected_draws(), self._slack(state))
        return self._ready

    def _expected_draws(self) -> float:
        """The likely power of the cards that the hand may draw for nothing, or for Disease."""
        ill = sum([slot.card == DISEASE for slot in self.start.hand])
        unused = [self.valuation.values[slot.face] for slot in all_slots(self.start) if not slot.used]
        paid = [value.paid_draws for value in unused if value.paid_draws][:ill]
        return (sum([value.free_draws for value in unused]) + sum(paid)) * self.valuation.mean_power()

    def _slack(self, state: Position) -> float:
        """What the search may find that the plain line leaves: effects that cost something, or are for one hero."""
        values = self.valuation.values
        hand = [values[slot.face] for slot in all_slots(state)]
        slack = sum([value.slack + value.at_once for value in hand], 0.0)
        if any(value.lifts for value in hand):
            weapons = [values[slot.face] for slot in state.hand if values[slot.face].spec.is_weapon]
            slack += sum([weapon.power for weapon in weapons], 0.0)
        return slack

    def _fight(self, prize: float, rank: int, place: int, foe: Foe) -> PlannedBattle | None:
        game, valuation = self.game, self.valuation
        state, line, attacks, drawn, slack = self.ready()
        party = party_of(game, state)
        spec = game.cards[foe.card]
        attack, magic, _ = fold(sums(party, Target(spec, rank, None)))
        attack = 0 if "only-magic" in spec.has else attack
        magic = 0 if "magic-attack" in spec.immune else magic
        needed = health(game, state, foe)
        if attack + 2 * magic + slack + drawn * 2 < needed:  # magic may be doubled
            return None
        choice = Attack(rank, place)
        short = needed
        if choice in attacks:
            end, steps = _fight_out(game, play(game, state, choice, "finish")[0], valuation)
            outcome, lost = decide_battle(game, end)
            if outcome.victory:
                value = prize - self._costs(end, lost)
                return PlannedBattle(foe.card, rank, value, 1, (*line, choice, *steps), self.ends(rank))
            short = needed - outcome.total
        if slack and short <= slack:
            fight = self._look_for(prize, rank, foe)
            if fight is not None:
                return fight
        if drawn and short <= drawn * 2:
            chance = min(0.95, max(0.1, 0.5 + 0.25 * (drawn - short)))
            return PlannedBattle(foe.card, rank, prize * chance, chance, (), False)
        return None

    def _look_for(self, prize: float, rank: int, foe: Foe) -> PlannedBattle | None:
        if self._search is None:
            self._search = Search(self.game, "win", trims=False, wins_only=True)
        search = self._search
        acts = any(self.valuation.values[slot.face].at_once for slot in all_slots(self.ready().state))
        search.rank, search.budget = rank, search.states + STATES
        search.run(self.start, {foe.card}, informs=acts)  # what acts at once, draws aside, must be tried too
        result = search.found.get((foe.card, rank))
        if result is None or not result.worth.victory:
            return None
        cost = max(0.0, -result.worth.cost * 0.25)
        line = (*result.preparation, *result.battle)
        return PlannedBattle(foe.card, rank, prize - cost, 1, line, self.ends(rank))

    def _costs(self, end: Position, lost: list[tuple[str, int]]) -> float:
        """The cost of the battle: cards destroyed, Disease gained."""
        valuation = self.valuation
        gained = end.gained[len(self.start.gained) :]
        gone = [card for card, _ in (*end.destroyed[len(self.start.destroyed) :], *lost)]
        return valuation.weights.lost * valuation.loss(gone) - sum(map(valuation.worth, gained))


def _prepare(game: Game, state: Position) -> tuple[Position, BattleLine]:
    line: list[Choice] = []
    for choice in legal_actions(game, state):
        if isinstance(choice, Use) and choice.effect:
            ability = game.cards[choice.card[0]].dungeon[choice.effect - 1]
            if ability.cost or ability.instant or ability.before_refill or ability.chooses_hero:
                continue
            state, _ = play(game, state, choice)
            line.append(choice)
    while equips := [choice for choice in legal_actions(game, state) if isinstance(choice, Equip)]:
        party = party_of(game, state)
        strength = {hero.ref: party.strength(hero) for hero in party.heroes}
        best = max(equips, key=lambda choice: _fit(game, choice, strength[choice.hero]))
        state, _ = play(game, state, best)
        line.append(best)
    return state, tuple(line)


def _fit(game: Game, choice: Equip, strength: int) -> tuple[int, bool, int]:
    """What the hero gives with the weapon, whether they give more with such a one, and how little Strength is lost."""
    weapon, hero = game.cards[choice.weapon[0]], game.cards[choice.hero[0]]
    figure = weapon.attack + weapon.magic_attack
    for operation in weapon.passive:
        if isinstance(operation, Instead) and (operation.when.strength or 0) <= strength:
            figure = operation.amount
    wields = [op.when.wields for op in hero.passive if isinstance(op, Bonus) and op.when is not None]
    return figure, any(kind in weapon.types for kind in wields), -strength


def _fight_out(game: Game, state: Position, valuation: Valuation) -> tuple[Position, BattleLine]:
    """The battle up to its outcome, with the cheapest answers."""
    line: list[Choice] = []
    while state.todo and state.todo[0].name != "finish":
        options = legal_actions(game, state)
        if not options:
            break
        choice = options[0]
        if isinstance(choice, Pick):
            choice = min(options, key=lambda option: valuation.loss(cards_of(option)))
        line.append(choice)
        state, _ = play(game, state, choice, "finish")
    return state, tuple(line)
