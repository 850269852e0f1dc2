"""The planner: from open information only, weighs fights, purchases and rests against each other, in VP."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from thunderref.thunderstone.bots.battle_choice import BattleChoice
from thunderref.thunderstone.bots.bot import Reason, Verdict
from thunderref.thunderstone.bots.outlook import WEIGHTS, Outlook, Weights
from thunderref.thunderstone.bots.shopping import Shopping
from thunderref.thunderstone.bots.view import View
from thunderref.thunderstone.rules.choices import (
    DECLINE,
    DUNGEON,
    PENALTY,
    REST,
    REVEAL,
    VILLAGE,
    Attack,
    Choice,
    Leave,
    Named,
    Pick,
    Rank,
    Several,
    Use,
    cards_of,
)
from thunderref.thunderstone.rules.position import DISEASE

PATIENCE = 6
"""Rounds in which nothing changes, after which a lost battle is worth something: it moves the monsters (R6.1)."""
VAIN = -1.0
"""VP of a battle lost on purpose."""
MOVED = 1.5
"""What each such round adds to that."""
NEVER = -1000.0
"""Less than anything is worth."""
GIVEN_UP = frozenset({"destroy", "discard", "pick", "alone"})
"""Answers by which cards are lost."""


class Planner:
    """The bot; what it counts how much is in ``weights``."""

    name: ClassVar[str] = "planner"

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        self.weights = weights

    def __call__(self, view: View, choices: Sequence[Choice]) -> Choice:
        memory, turn = view.memory, (view.turn, view.seat)
        if memory.get("turn") == turn:
            line: Sequence[Choice] = memory["line"]
            for place, choice in enumerate(line):
                if choice in choices:
                    memory["line"] = line[place + 1 :]
                    return choice
        return self.decide(view, choices).choice

    def why(self, view: View, choices: Sequence[Choice], choice: Choice) -> Reason | None:
        """Why the planner chooses so here."""
        found = self.decide(view, choices)
        return found.reason if found.choice == choice else None

    def decide(self, view: View, choices: Sequence[Choice]) -> Verdict:
        outlook = Outlook(view, self.weights)
        if view.waiting:
            return self._answer(outlook, choices)
        if view.phase == "choose":
            return self._turn(outlook, choices)
        if view.phase == "prepare":
            return self._prepare(outlook, choices)
        return Shopping(outlook).next(choices)

    def _turn(self, outlook: Outlook, choices: Sequence[Choice]) -> Verdict:
        view, found = outlook.view, list[Verdict]()
        if VILLAGE in choices:
            deal = Shopping(outlook).foreseen()
            found.append(Verdict(VILLAGE, deal.value, deal.reason()))
        if REST in choices and view.hand:
            worst = min(view.hand, key=outlook.worth)
            value = -outlook.worth(worst) * self.weights.rest
            found.append(Verdict(REST, value, Reason("rest", (("lost_card", worst),))))
        if PENALTY in choices:
            found.append(Verdict(PENALTY, VAIN - 1, Reason("penalty")))
        other = max(
            found,
            key=lambda verdict: verdict.value,
            default=Verdict(choices[0], NEVER, None),
        )
        if DUNGEON not in choices:
            return other
        battles = BattleChoice(outlook, view.position, must_fight=PENALTY in choices)
        least = max(other.value, self.weights.end) if battles.may_end_ahead() else other.value
        fight = battles.best(least)
        if fight is not None:
            self._remember(view, fight.line)
            return Verdict(DUNGEON, fight.value, fight.reason(other.value))
        if least > other.value:
            return Verdict(DUNGEON, least, Reason("vain-end"))
        vain = VAIN + MOVED * max(0, view.still + 1 - PATIENCE)
        if vain > other.value and (battles.may_attack() or other.value == NEVER):
            return Verdict(DUNGEON, vain, Reason("vain"))
        return other

    def _remember(self, view: View, line: Sequence[Choice]) -> None:
        view.memory["turn"], view.memory["line"] = (view.turn, view.seat), line

    def _prepare(self, outlook: Outlook, choices: Sequence[Choice]) -> Verdict:
        view = outlook.view
        draw = self._draw(outlook, choices)
        if draw is not None:
            view.memory.clear()
            return Verdict(draw, 0, Reason("draw", (("by_card", draw.card[0]),)))
        battles = BattleChoice(outlook, view.position)
        fight = battles.best(self.weights.end if battles.may_end_ahead() else NEVER)
        line = () if fight is None else fight.line
        for place, choice in enumerate(line):
            if fight is not None and choice in choices:
                self._remember(view, line[place + 1 :])
                return Verdict(choice, fight.value, fight.reason(None))
        lost = [(self._harm(battles, choice), choice) for choice in choices if isinstance(choice, Attack)]
        if lost:
            (harm, _), choice = min(lost, key=lambda each: each[0])
            return Verdict(
                choice,
                -harm,
                Reason("vain-end" if -harm > self.weights.end / 2 else "vain"),
            )
        leave = [choice for choice in choices if isinstance(choice, Leave)]
        return Verdict([*leave, *choices][0], VAIN, None)

    def _harm(self, battles: BattleChoice, attack: Attack) -> tuple[float, int]:
        """What a battle lost against this monster costs, least first."""
        foe = next(foe for rank, place, foe in battles.monsters() if (rank, place) == (attack.rank, attack.place))
        spec = battles.game.cards[foe.card]
        return len(spec.battle) - battles.ending(foe, attack.rank, won=False), -(spec.vp or 0)

    def _draw(self, outlook: Outlook, choices: Sequence[Choice]) -> Use | None:
        """An effect that draws cards, for nothing or for a Disease."""
        ill = DISEASE in [slot.card for slot in outlook.view.position.hand]
        for choice in choices:
            if isinstance(choice, Use) and choice.effect:
                ability = outlook.view.cards[choice.card[0]].dungeon[choice.effect - 1]
                draws = any(operation.op == "draw" for operation in ability.instant)
                if draws and (not ability.cost or (ill and ability.cost[0].op == "destroy")):
                    return choice
        return None

    def _answer(self, outlook: Outlook, choices: Sequence[Choice]) -> Verdict:
        """An answer to what waits: what is lost is what is worth least, what is gained what is worth most."""
        best, most = choices[0], NEVER
        for choice in choices:
            value = self._worth(outlook, choice)
            if value > most:
                best, most = choice, value
        given_up = isinstance(best, Pick | Named) and best.key in GIVEN_UP
        return Verdict(
            best,
            most,
            Reason("given-up", (("lost_card", cards_of(best)[0]),)) if given_up else None,
        )

    def _worth(self, outlook: Outlook, choice: Choice) -> float:
        if choice == DECLINE:
            return 0
        if choice == REVEAL:
            return 0.5
        if isinstance(choice, Rank):
            spec = outlook.view.cards.get(outlook.view.hall[choice.value - 1].card)
            vp = (spec.vp or 0) if spec is not None else 0
            return vp if choice.key == "take" else 0.1 * vp - 0.5
        if not isinstance(choice, Pick | Named | Several):
            return 0
        if choice.key in GIVEN_UP:
            return -outlook.loss(cards_of(choice))
        if choice.key == "show":
            return 1
        return sum([outlook.use(card) for card in cards_of(choice)], 1.0)


planner = Planner()
