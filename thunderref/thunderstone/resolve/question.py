"""A question about one position, and its answer: the best line against each target, or how a plan ends.

Only facts: whatever explains them asks the same battle with something changed (:meth:`Question.variant`).
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any, NamedTuple

from thunderref.budget import Budget, Tick
from thunderref.database.card_records import Card
from thunderref.database.operations import Bonus, Effect
from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError, NoAnswerError, ThunderrefError
from thunderref.thunderstone.resolve.battles import Score, best_ending, losses, score
from thunderref.thunderstone.resolve.documents import Scenario, is_rest
from thunderref.thunderstone.resolve.plan import Follower, LineWriter, Node, sort_steps
from thunderref.thunderstone.resolve.report import tell_battle, worth_of
from thunderref.thunderstone.resolve.result import ResultStep, TargetResult
from thunderref.thunderstone.resolve.search import MOST_SEARCHED, Found, Search
from thunderref.thunderstone.resolve.start import Finder
from thunderref.thunderstone.resolve.upper_bound import FETCHES
from thunderref.thunderstone.rules.cards import Cards, CardSpec, load_cards
from thunderref.thunderstone.rules.choices import DECLINE, LEAVE, REST, Attack, Pick
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.figures import bar, health, light_penalty, sums
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.hand import mark_hero
from thunderref.thunderstone.rules.legal import Played, legal_actions, may_enter, replay, targets
from thunderref.thunderstone.rules.notation import Step, ref_of
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import (
    THROWN,
    UNCOUNTED,
    UNKNOWN,
    Foe,
    Position,
    Ref,
    Slot,
    Stacks,
    Target,
    Task,
    replace,
)
from thunderref.thunderstone.rules.readings import NO_TARGET

MOST_STATES = 1_000  # positions searched with one thing changed; what would be found later is not reported
BOON = "+boon"
"""The id of what is added: no card, out of reach of every effect (like a thrown weapon), with figures of its own."""
Merits = dict[str, int]  # what is compared, most important first


class Judged(NamedTuple):
    """One target: the worth of the line against it and what was played, None and nothing if it is barred."""

    worth: Score | None
    result: TargetResult
    played: Played = ()

    @property
    def merits(self) -> Merits:
        """The parts of the worth by name; none for a barred target."""
        return {} if self.worth is None else self.worth._asdict()

    @property
    def rating(self) -> Merits:
        """What makes a target better: a victory by VP, XP, then as under ``win``; a defeat by chance, then shortfall.

        The shortfall is the smallest that is known, also where the line shown spares cards and falls further short.
        """
        merits, result, missing = self.merits, self.result, self.result.missing
        lost = {name: merits[name] for name in ("vp", "cost", "number", "diseases", "prey")}
        if merits["victory"]:
            return {"victory": 1, "worth": result.gained_vp, "xp": result.xp, **lost, "margin": merits["margin"]}
        margin = merits["margin"] if missing is None or missing.short is None else -missing.short
        known = None if result.draws is None else result.draws.chance
        chance, total, shown = 0 if known is None else round(known.percent), merits["total"], merits["margin"]
        return {"victory": 0, "chance": chance, "total": total, "margin": margin, "shown": shown, **lost}


def dungeon_ops(spec: CardSpec) -> set[str]:
    """What the dungeon effects of a card do at once."""
    return {op.op for ability in spec.dungeon for op in ability.instant}


def with_basics(game: Game, stacks: Stacks | None) -> Stacks:
    """The stacks, those of every game if they are unknown (R1.6)."""
    basic = tuple([(card, UNCOUNTED) for card, spec in game.cards.items() if spec.kind == "basic"])
    return basic if stacks is None else stacks


def unknown_cards(question: Question) -> list[str]:
    """The player's cards with effects that hang on cards of which nothing is known, used or not (R4.11)."""
    state = question.state
    unknown = set[str]()
    unknown |= {"borrow", "magic-unless-discarded", "custom"} if state.table is None else set()
    unknown |= {*FETCHES} if state.stacks is None else set()
    refill = state.dungeon[0] == UNKNOWN if state.dungeon else not state.counted
    unknown |= {"move-monster", "take-monster", "wound-hall"} if refill else set()
    return [card for card in question.mine if unknown & dungeon_ops(question.game.cards[card])]


def best_of(judged: list[Judged]) -> Judged | None:
    """The best target that can be attacked, the front one among equals; None if there is none (contract: ``best``)."""
    attackable = [each for each in judged if each.worth is not None]
    return max(attackable, key=lambda each: (*each.rating.values(), -each.result.rank), default=None)


def compare(best: Merits, variant: Merits) -> tuple[str, str | None, int]:
    """Whether the variant is better, equal, worse or barred; the figure that decides; by how much."""
    if not (best and variant):
        return ("equal" if best == variant else "barred" if best else "better"), None, 0
    for name, mine in best.items():
        if mine != variant[name]:
            return ("better" if variant[name] > mine else "worse"), name, abs(mine - variant[name])
    return "equal", None, 0


@dataclasses.dataclass(frozen=True)
class Question:
    """A question about one position, the other players' choices known, and the time for the answer."""

    game: Game
    state: Position
    goal: str
    asked: Scenario
    find: Finder
    words: Language
    budget: Budget

    def variant(self, **changes: Any) -> Question:
        """The same question with something changed: the ``game``, the ``state`` or the ``goal``."""
        return dataclasses.replace(self, **changes)

    def with_boon(self, hero: Ref | None = None, **figures: int) -> Question:
        """The same with something more in the hand that is no card but gives these figures, Strength to the hero."""
        bonus = (Bonus(stat="strength", amount=figures.pop("strength"), to="chosen"),) if hero is not None else ()
        gift = Effect(id="boon", timing="passive", do=bonus)
        boon = Card(id=BOON, kind="trap", count=1, types=(), **dict[str, Any](figures))
        hand = (*self.state.hand, Slot(BOON, flags=THROWN))
        state = replace(self.state, hand=hand) if hero is None else mark_hero(self.state, hero, (BOON, 0))
        cards = Cards({**self.game.cards, BOON: CardSpec(boon, (gift,))})
        return self.variant(game=self.game.changed(cards=cards), state=state)

    def search(self, monster: str | None, tick: Tick | None, most: int = MOST_SEARCHED, **how: Any) -> Search:
        """A search for lines against this monster, None for all, until ``tick`` or ``most`` positions end it."""
        search = Search(self.game, self.goal, most, tick=tick, **({"trims": False} | how))
        search.run(self.searched, only=None if monster is None else (monster,))
        self.budget.interrupted |= search.interrupted
        return search

    def new_search(self, share: float) -> Search:
        """A search for the goal, with this share of the budget."""
        return Search(self.game, self.goal, tick=self.budget.searching(share), tidy=self.budget.tidying(share))

    @property
    def searched(self) -> Position:
        """The position to be searched: in a village that nobody named lie at least the basic stacks (R4.11)."""
        fetches = any(FETCHES.keys() & dungeon_ops(self.game.cards[card]) for card in self.mine)
        return replace(self.state, stacks=with_basics(self.game, self.state.stacks)) if fetches else self.state

    @property
    def mine(self) -> list[str]:
        """The cards in the hand, and those of the deck if one of these draws, each once."""
        hand = [slot.face for slot in self.state.hand]
        drawn = self.state.to_come if any("draw" in dungeon_ops(self.game.cards[card]) for card in hand) else ()
        return list(dict.fromkeys((*hand, *drawn)))

    def line_of(self, found: Found) -> list[Step]:
        """A line that was found, in plan notation."""
        writer = LineWriter()
        for now in replay(self.game, self.state, (*found.preparation, *found.battle)):
            writer.add(now.before, now.choice)
        return writer.steps

    def best_lines(self, share: float) -> list[Judged]:
        search = self.new_search(share)
        aimed = None if self.asked.target is None else [self._aims(self.state)[0][2].card]
        search.run(self.searched, only=aimed)
        return self.judge(search, self.state)

    def judge(self, search: Search, made: Position) -> list[Judged]:
        """The results of a finished search; ``made`` shows what bars a target that no line may attack."""
        self.budget.interrupted |= search.interrupted
        hall, found = [foe.card for _, _, foe in targets(self.state)], search.found
        judged: list[Judged] = []
        for rank, _, foe in self._aims(self.state):
            keys = [key for key in found if key[0] == foe.card and (hall.count(foe.card) == 1 or key[1] == rank)]
            if keys:
                judged.append(self._judge_line(search, max(keys, key=lambda k: (found[k].worth, k[1] == rank))))
            else:
                judged.append(self._bar(made, rank, foe, proven=search.complete, tick=self.budget.tidying()))
        told = {each.result.monster for each in judged if each.played}
        for card in dict.fromkeys(card for card, _ in found if card not in told and self.asked.target is None):
            keys = [key for key in found if key[0] == card]
            judged.append(self._judge_line(search, max(keys, key=lambda k: (found[k].worth, -k[1]))))
        if search.complete:
            return judged
        return [each._replace(result=replace(each.result, searched=search.states)) for each in judged]

    def _aims(self, *states: Position) -> list[tuple[int, int, Foe]]:
        rank = self.asked.target
        wanted: dict[tuple[int, int, str], tuple[int, int, Foe]] = {}
        for there in (target for state in states for target in targets(state)):
            if is_monster(self.game, there[2]) and rank in (None, there[0]):
                wanted.setdefault((*there[:2], there[2].card), there)
        if rank is not None and not wanted:
            raise NoAnswerError("no-target", rank=rank)
        return list(wanted.values())

    def _judge_line(self, search: Search, aim: tuple[str, int]) -> Judged:
        found = search.found[aim]
        played = tuple(replay(self.game, self.state, (*found.preparation, *found.battle)))
        after = replay(self.game, played[-1].after, best_ending(self.game, played[-1].after, search.goal)[1])
        played = (*played, *after)
        return Judged(found.worth, tell_battle(self.game, played, self.words, proven=search.complete), played)

    def _bar(
        self, state: Position, rank: int, foe: Foe, *, proven: bool = True, tick: Tick | None = None, over: bool = False
    ) -> Judged:
        """The result for a target that no line may attack (R5.1), after the best preparation if there is a ``tick``."""
        party = party_of(self.game, state)
        aim = Target(self.game.cards[foe.card], rank, None)
        reason = "game-over" if over else bar(party, aim) or ("unreachable" if proven else "not-found")
        variant = self.game.variant
        waits = None if over or variant.may_attack(state, rank) else variant.waiting(state)
        reason = "waiting" if waits else reason
        light, penalty = fold(sums(party, aim))[2], light_penalty(party, aim)[0]
        if reason == "light-penalty" and tick is not None:
            least = self.variant(state=state)._least_penalty(foe.card, rank, penalty, tick)
            light, penalty = light + penalty - least, least
        text = self.words.say(f"barred.{reason}", card=self.words.card((waits or foe).card), penalty=penalty)
        step = ResultStep(text=text, rules=["R9.6" if waits else "R4.6" if over else "R5.1"], card=foe.card)
        return Judged(None, TargetResult(
            rank=rank, monster=foe.card, can_attack=False, reason=text, health=health(self.game, state, foe),
            light=light, light_penalty=penalty, outcome="barred",
            worth=worth_of(self.game, self.state, foe.card), steps=[step], proven=proven,
        ))  # fmt: skip

    def _least_penalty(self, monster: str, rank: int, left: int, tick: Tick) -> int:
        """The least light penalty that preparation leaves at this rank: the number of Light missing; else ``left``."""
        for n in range(1, left):
            search = self.variant(goal="max").with_boon(light=n).search(monster, tick, MOST_STATES)
            if (monster, rank) in search.found:
                return n
            if not search.complete:
                break
        return left

    def follow_plan(self, steps: list[Step]) -> tuple[list[Judged], Played | None]:
        """How a plan ends, without an attack at every target left; and the turn, if it ends without a battle.

        An IllegalStepError that rests on an open question has the answer that allows the step as ``reading``.
        """
        try:
            return self._follow(steps)
        except IllegalStepError as error:
            if reading := self._allowing(steps, error.params.get("step", 0)):
                error.params["reading"] = reading
            raise

    def _allowing(self, steps: list[Step], step: int) -> str:
        """``name=value`` of an open question that, answered the other way, does not forbid this step; "" for none."""
        readings, database = self.game.readings, self.words.database
        for name, switch in database.choices.items():
            other = readings ^ {name}
            try:
                self.variant(game=self.game.changed(readings=other, cards=load_cards(database, other)))._follow(steps)
            except IllegalStepError as error:
                if error.params.get("step", 0) <= step:
                    continue
            except ThunderrefError:
                continue
            return f"{name}={switch.default if name in readings else switch.other}"
        return ""

    def _follow(self, steps: list[Step]) -> tuple[list[Judged], Played | None]:
        preparation, attack, rest = sort_steps(steps)
        follower = Follower(self.game, self.find)
        if is_rest(steps):
            return [], follower.each([Node(self.state)], partial(self._rest, steps), 1)[0].played
        nodes = [Node(self.state, left=tuple(rest))]
        for step in preparation:
            nodes = follower.each(nodes, partial(follower.prepare, *step), step[0])
        nodes.sort(key=lambda node: losses(self.game, node.state.destroyed))
        if attack is not None:
            end = self._best_end(follower.each(nodes, partial(follower.attack, *attack), attack[0]))
            aimed = [foe.card for rank, _, foe in targets(self.state) if rank == self.asked.target]
            if self.asked.target not in (None, end.result.rank) and end.result.monster not in aimed:
                raise InputError("other-target", step=attack[0], rank=self.asked.target, card=end.result.monster)
            return [end], None
        going_on = [node for node in nodes if node.state.phase == "prepare"]
        if rest and not going_on:
            raise IllegalStepError("turn-over", rule="R4.6", step=rest[0][0])
        if not going_on:
            aims = self._aims(self.state)
            return [self._bar(self.state, rank, foe, over=True) for rank, _, foe in aims], nodes[0].played
        possible = any(isinstance(one, Attack) for node in going_on for one in legal_actions(self.game, node.state))
        why = {"rule": "R5.1"} if possible else {"rule": "R4.8", "why": "none"}
        for number in [number for number, step in rest if "battle" in step or not possible]:
            raise IllegalStepError("no-attack", step=number, **why)
        judged: list[Judged] = []
        for rank, place, foe in self._aims(*(node.state for node in going_on)):
            ends = follower.attack_at(going_on, rank, place, foe.card)
            there = next(node.state for node in going_on if (rank, place, foe) in targets(node.state))
            judged.append(self._best_end(ends) if ends else self._bar(there, rank, foe))
        if self.asked.target is not None or best_of(judged) is not None:
            return judged, None
        if NO_TARGET in self.game.readings and not may_enter(self.game, self.state):
            raise IllegalStepError("no-entry", rule="R4.8")
        return judged, follower.choose(going_on[0], LEAVE).played

    def _rest(self, steps: list[Step], node: Node) -> list[Node]:
        """A turn of resting (R2.3); raises IllegalStepError for steps of another turn, or a card not in hand."""
        if len(steps) > 1:
            other = next((number for number, step in enumerate(steps, 1) if "rest" not in step), 2)
            raise IllegalStepError("rest-alone", rule="R2.1", step=other)
        if REST not in self.game.variant.turns(self.game, self.state):
            raise IllegalStepError("barred-waiting", rule="R9.6", why="rest", card=self.state.hall[0].card)
        state, named = replace(node.state, phase="rest", todo=(Task("rest"), Task("end-turn"))), steps[0]["rest"]
        ref = None if named is None else ref_of(state, named, self.find, "R2.3")
        picks = {one.value[0]: one for one in legal_actions(self.game, state) if isinstance(one, Pick)}
        return [Node(state, tuple(replay(self.game, state, (DECLINE if ref is None else picks[ref[0]],))))]

    def _best_end(self, ends: list[Node]) -> Judged:
        worth, best = max(((score(self.game, end.state, self.goal), end) for end in ends), key=lambda each: each[0])
        return Judged(worth, tell_battle(self.game, best.played, self.words), best.played)
