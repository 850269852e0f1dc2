"""The planner: from open information only, weighs fights, purchases and rests against each other, in VP."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar

from thunderref.thunderstone.bots.battle_choice import BattleChoice
from thunderref.thunderstone.bots.bot import BotReason, Verdict
from thunderref.thunderstone.bots.learnt import LEARNT
from thunderref.thunderstone.bots.valuation import END_AHEAD, Valuation
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules import choices as moves
from thunderref.thunderstone.rules.choices import DUNGEON, PENALTY, VILLAGE, Attack, Choice, Pick, Use, cards_of
from thunderref.thunderstone.rules.legal import legal_actions, play
from thunderref.thunderstone.rules.position import DISEASE, Position, Slot, Visit, replace
from thunderref.thunderstone.rules.village import begin_visit, visit_of

QUIET_ROUNDS = 6
"""Rounds in which nothing changes, after which a lost battle is worth something: it moves the monsters (R6.1)."""
VAIN = -1.0
"""VP of a battle lost on purpose."""
MOVED = 1.5
"""What each such round adds to that."""
KEPT_XP = 0.5
"""What experience points count that are not spent, beside the VP of those to be won."""
NEVER = -1000.0
"""Less than anything is worth."""
Bargain = moves.Buy | moves.LevelUp
GIVEN_UP = frozenset({"destroy", "discard", "pick", "alone"})
"""Answers by which cards are lost."""


def answer(valuation: Valuation, choices: Sequence[Choice]) -> Verdict:
    """An answer to what waits: what is lost is what is worth least, what is gained what is worth most."""
    values = [_worth(valuation, choice) for choice in choices]
    highest = max(values)
    best = choices[values.index(highest)]
    given_up = isinstance(best, Pick | moves.Named) and best.key in GIVEN_UP
    return Verdict(best, highest, BotReason("given-up", (("lost_card", cards_of(best)[0]),)) if given_up else None)


def _worth(valuation: Valuation, choice: Choice) -> float:
    if choice == moves.DECLINE:
        return 0
    if choice == moves.REVEAL:
        return 0.5
    if isinstance(choice, moves.Rank):
        spec = valuation.view.cards.get(valuation.view.hall[choice.value - 1].card)
        vp = (spec.vp or 0) if spec is not None else 0
        return vp if choice.key == "take" else 0.1 * vp - 0.5
    if not isinstance(choice, Pick | moves.Named | moves.Several):
        return 0
    if choice.key in GIVEN_UP:
        return -valuation.loss(cards_of(choice))
    if choice.key == "show":
        return 1
    return sum([valuation.use(card) for card in cards_of(choice)], 1.0)


class Shopping:
    """A visit to the village as the player sees it."""

    def __init__(self, valuation: Valuation) -> None:
        self.valuation = valuation
        self.cards = valuation.view.cards
        self._counted: Position | None = None

    def foresee(self) -> Verdict:
        """The expected result of a visit with the hand as it is; its first purchase and level-up are the reason."""
        valuation, plan = self.valuation, [self.bargain(choice) for choice in self.plan()]
        found = {bargain.reason.key: bargain.reason for bargain in reversed(plan) if bargain.reason is not None}
        value = sum([bargain.value for bargain in plan], -valuation.loss(self.gone) * valuation.weights.rested)
        reasons = [found[key].params for key in ("buy", "level") if key in found]
        params = [param for reason in reasons for param in reason if param[0] != "value"]
        key = "village-both" if len(found) > 1 else "-".join(["village", *found])
        return Verdict(VILLAGE, value, BotReason(key, (*params, ("value", value)) if found else ()))

    def counted(self) -> Position:
        """The visit once effects are used and gold is counted; a card drawn that nobody knows may give 1 (R3.2)."""
        if self._counted is None:
            view = self.valuation.view
            state = begin_visit(view.hand, (), view.xp, view.stacks, Visit())
            while state.phase == "village":
                choices = legal_actions(view.trial, state)
                verdict = answer(self.valuation, choices) if state.todo else self.next(choices, state.hand)
                state, _ = play(view.trial, state, verdict.choice)
            visit = visit_of(state)
            self._counted = replace(state, visit=replace(visit, gold=visit.gold + state.unknown_draws))
        return self._counted

    @property
    def gone(self) -> list[str]:
        """The cards of the hand that effects of the visit destroy."""
        return [card for card, _ in self.counted().destroyed]

    def offers(self) -> Sequence[Choice]:
        """The purchases and level-ups of a visit with the hand as it is."""
        return legal_actions(self.valuation.view.trial, self.counted())

    def plan(self, *first: Bargain) -> list[Bargain]:
        """Return the purchases and level-ups of a visit with the hand as it is, ``first`` before all others."""
        game, state, done = self.valuation.view.trial, self.counted(), list[Bargain]()
        while state.phase != "end":
            choice = first[0] if first else self.next(legal_actions(game, state), state.hand).choice
            state, first = play(game, state, choice)[0], first[1:]
            done += [choice] if isinstance(choice, Bargain) else []
        return done

    def bargain(self, choice: Bargain) -> Verdict:
        """What the purchase or level-up is worth, in VP."""
        valuation = self.valuation
        if isinstance(choice, moves.Buy):
            value = valuation.worth(choice.card)
            return Verdict(choice, value, BotReason("buy", (("buy_card", choice.card), ("value", value))))
        hero = choice.hero[0]
        cost = self.cards[hero].level_cost or 0
        value = valuation.worth(choice.to) - valuation.worth(hero) - cost * valuation.xp * KEPT_XP
        params = (("hero_card", hero), ("to_card", choice.to), ("value", value))
        return Verdict(choice, value, BotReason("level", params))

    def _bargains(self, choices: Sequence[Choice]) -> list[Verdict]:
        """The best purchase and the best level-up among the choices, if they are worth anything."""
        offers = [self.bargain(choice) for choice in choices if isinstance(choice, Bargain)]
        kinds = [[offer for offer in offers if isinstance(offer.choice, kind)] for kind in (moves.Buy, moves.LevelUp)]
        return [best for best in [max(some, key=attrgetter("value")) for some in kinds if some] if best.value > 0]

    def next(self, choices: Sequence[Choice], hand: Sequence[Slot]) -> Verdict:
        """The next choice of the visit with this revealed ``hand``."""
        for choice in choices:
            if isinstance(choice, Use) and self._is_used(choice, hand):
                return Verdict(choice, 0, BotReason("effect", (("by_card", choice.card[0]),)))
        if moves.COUNT in choices:
            return Verdict(moves.COUNT, 0, None)
        return next(iter(self._bargains(choices)), Verdict(moves.END if moves.END in choices else choices[0], 0, None))

    def _is_used(self, choice: Use, hand: Sequence[Slot]) -> bool:
        """True for an effect that costs nothing, or only a card that is better gone."""
        valuation = self.valuation
        ability = self.cards[choice.card[0]].village[choice.effect - 1]
        if not ability.cost:
            return True
        if any(cost.op != "destroy" for cost in ability.cost):
            return False
        cards = [slot.card for slot in hand if slot.ref != choice.card]
        return DISEASE in cards or any(valuation.worth(card) < 0 for card in cards)


class Planner:
    name: ClassVar[str] = "planner"

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        memory, turn = view.memory, (view.turn, view.seat)
        if memory.get("turn") == turn:
            line: Sequence[Choice] = memory["line"]
            for place, choice in enumerate(line):
                if choice in choices:
                    memory["line"] = line[place + 1 :]
                    return choice
        return self.decide(view, choices).choice

    def why(self, view: View, choices: Sequence[Choice], choice: Choice) -> BotReason | None:
        """The planner's reason for its choice."""
        verdict = self.decide(view, choices)
        return verdict.reason if verdict.choice == choice else None

    def value(self, view: View) -> Valuation:
        return Valuation(view)

    def decide(self, view: View, choices: Sequence[Choice]) -> Verdict:
        valuation = self.value(view)
        if view.waiting:
            return answer(valuation, choices)
        if view.phase == "choose":
            return max(self.weigh(valuation, choices), key=lambda verdict: verdict.value)
        if view.phase == "prepare":
            return self._prepare(valuation, choices)
        return Shopping(valuation).next(choices, view.position.hand)

    def weigh(self, valuation: Valuation, choices: Sequence[Choice], *, every: bool = False) -> list[Verdict]:
        """The value of each kind of turn, the first of the best is chosen; unless ``every``, a battle only if it is.

        ``choices`` are those at the beginning of a turn. A battle to be won is worth what it brings, one that is lost
        on purpose what that does.
        """
        view, verdicts = valuation.view, list[Verdict]()
        if VILLAGE in choices:
            verdicts.append(Shopping(valuation).foresee())
        if moves.REST in choices and view.hand:
            worst = min(sorted(view.hand, key=DISEASE.__ne__), key=lambda card: valuation.loss([card]))
            value = -valuation.loss([worst]) * valuation.weights.rested
            verdicts.append(Verdict(moves.REST, value, BotReason("rest", (("lost_card", worst),))))
        if PENALTY in choices:
            verdicts.append(Verdict(PENALTY, VAIN - 1, BotReason("penalty")))
        verdicts = verdicts or [Verdict(choices[0], NEVER, None)]
        other = max([verdict.value for verdict in verdicts])
        if DUNGEON not in choices:
            return verdicts
        battles = BattleChoice(valuation, view.position, must_fight=PENALTY in choices)
        threshold = max(other, END_AHEAD) if battles.may_end_ahead() else other
        fight = battles.best(NEVER if every else threshold)
        vain = VAIN + MOVED * max(0, view.still + 1 - QUIET_ROUNDS)
        if fight is not None and fight.value > threshold:
            self._remember(view, fight.line)
            verdicts.append(Verdict(DUNGEON, fight.value, fight.reason(other)))
        elif threshold > other:
            verdicts.append(Verdict(DUNGEON, threshold, BotReason("vain-end")))
        elif vain > other and ((moves_on := battles.moves_on()) or other == NEVER):
            verdicts.append(Verdict(DUNGEON, vain, BotReason("vain" if moves_on else "vain-must")))
        elif fight is not None:
            verdicts.append(Verdict(DUNGEON, fight.value, fight.reason(other)))
        return verdicts

    def _remember(self, view: View, line: Sequence[Choice]) -> None:
        view.memory["turn"], view.memory["line"] = (view.turn, view.seat), line

    def _prepare(self, valuation: Valuation, choices: Sequence[Choice]) -> Verdict:
        view = valuation.view
        draw = self._draw(valuation, choices)
        if draw is not None:
            view.memory.clear()
            return Verdict(draw, 0, BotReason("draw", (("by_card", draw.card[0]),)))
        battles = BattleChoice(valuation, view.position)
        fight = battles.best(END_AHEAD if battles.may_end_ahead() else NEVER)
        line = () if fight is None else fight.line
        for place, choice in enumerate(line):
            if fight is not None and choice in choices:
                self._remember(view, line[place + 1 :])
                return Verdict(choice, fight.value, fight.reason(None))
        lost = [(self._harm(battles, choice), choice) for choice in choices if isinstance(choice, Attack)]
        if lost:
            (harm, stays, _), choice = min(lost, key=lambda loss: loss[0])
            why = "vain-end" if -harm > END_AHEAD / 2 else "vain-must" if stays else "vain"
            return Verdict(choice, -harm, BotReason(why))
        leave = [choice for choice in choices if isinstance(choice, moves.Leave)]
        return Verdict([*leave, *choices][0], VAIN, None)

    def _harm(self, battles: BattleChoice, attack: Attack) -> tuple[float, bool, int]:
        """The sort key of a battle to lose, the best first: its cost, whether the monster stays (R6.8), and its VP."""
        foe = next(foe for rank, place, foe in battles.monsters() if (rank, place) == (attack.rank, attack.place))
        spec = battles.game.cards[foe.card]
        harm = len(spec.battle) - battles.ending(foe, attack.rank, won=False)
        return harm, battles.stays(foe), -(spec.vp or 0)

    def _draw(self, valuation: Valuation, choices: Sequence[Choice]) -> Use | None:
        """An effect that draws cards, for nothing or for a Disease."""
        ill = DISEASE in [slot.card for slot in valuation.view.position.hand]
        for choice in choices:
            if isinstance(choice, Use) and choice.effect:
                ability = valuation.view.cards[choice.card[0]].dungeon[choice.effect - 1]
                draws = any(operation.op == "draw" for operation in ability.instant)
                if draws and (not ability.cost or (ill and ability.cost[0].op == "destroy")):
                    return choice
        return None


planner = Planner()


class Lookahead(Planner):
    """The strongest player: the planner with weights learnt from thousands of games."""

    name: ClassVar[str] = "lookahead"

    def value(self, view: View) -> Valuation:
        return Valuation(view, LEARNT)


lookahead = Lookahead()
