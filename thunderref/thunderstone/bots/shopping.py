"""What a visit to the village is worth: effects, the best purchase, the best level-up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thunderref.database import operations as ops
from thunderref.thunderstone.bots.bot import Reason, Verdict
from thunderref.thunderstone.bots.outlook import Outlook
from thunderref.thunderstone.rules.choices import COUNT, END, Buy, Choice, LevelUp, Use
from thunderref.thunderstone.rules.position import DISEASE, tops

KEPT_XP = 0.5
"""What experience points count that are not spent, beside the VP of those to be won."""


class Deal(NamedTuple):
    """What a visit would bring: a card to buy, a hero to level up ("" for none), and VP."""

    value: float
    buy: str = ""
    hero: str = ""
    to: str = ""

    def reason(self) -> Reason:
        """Why to go to the village."""
        value = ("value", self.value)
        buy, level = ("buy_card", self.buy), (("hero_card", self.hero), ("to_card", self.to))
        if self.buy and self.hero:
            return Reason("village-both", (buy, *level, value))
        if self.buy:
            return Reason("village-buy", (buy, value))
        return Reason("village-level", (*level, value)) if self.hero else Reason("village")


class Shopping:
    """A visit to the village as the player sees it."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.cards = outlook.view.cards

    def foreseen(self) -> Deal:
        """What the visit would bring with the hand as it is."""
        view = self.outlook.view
        value, buy = self._best_buy(self._gold())
        gain, hero, to = self._best_level(view.hand, view.xp)
        return Deal(value + gain, buy, hero, to)

    def _gold(self) -> int:
        """The gold of the hand, with what its effects surely give (R3.2)."""
        gold, players = 0, len(self.outlook.view.others) + 1
        hand = self.outlook.view.hand
        for card in hand:
            spec = self.cards[card]
            gold += spec.gold or 0
            for ability in spec.village:
                if ability.cost:
                    continue
                for operation in ability.instant:
                    if isinstance(operation, ops.Gold):
                        times = 1
                        if operation.per is not None:
                            times = sum([self.cards[other].matches(operation.per) for other in hand])
                            times -= operation.other
                        gold += operation.amount * times
                    elif isinstance(operation, ops.GoldPerPlayer):
                        gold += operation.amount * players
                    elif isinstance(operation, ops.Draw):
                        gold += operation.amount if operation.per is None else 1
        return gold

    def _best_buy(self, gold: int) -> tuple[float, str]:
        best, found = 0.0, ""
        for card in tops(self.cards, self.outlook.view.stacks):
            if self.cards[card].cost <= gold:
                worth = self.outlook.worth(card)
                if worth > best:
                    best, found = worth, card
        return best, found

    def _best_level(self, hand: Sequence[str], xp: int) -> tuple[float, str, str]:
        best, hero, to = 0.0, "", ""
        left = [card for card, n in self.outlook.view.stacks if n]
        for card in dict.fromkeys(hand):
            spec = self.cards[card]
            if not spec.is_hero or not spec.level_cost or spec.level_cost > xp:
                continue
            for other in left:
                next_ = self.cards[other]
                fits = next_.level == spec.level + 1 and (not spec.level or next_.family == spec.family)
                if fits and next_.is_hero and next_.level:
                    gain = self._gain(card, other)
                    if gain > best:
                        best, hero, to = gain, card, other
        return best, hero, to

    def _gain(self, hero: str, to: str) -> float:
        outlook = self.outlook
        cost = self.cards[hero].level_cost or 0
        return outlook.worth(to) - outlook.worth(hero) - cost * outlook.xp * KEPT_XP

    def next(self, choices: Sequence[Choice]) -> Verdict:
        """The next choice of the visit."""
        outlook = self.outlook
        for choice in choices:
            if isinstance(choice, Use) and self._is_used(choice):
                return Verdict(choice, 0, Reason("effect", (("by_card", choice.card[0]),)))
        if COUNT in choices:
            return Verdict(COUNT, 0, None)
        buys = [_bought(choice, outlook.worth(choice.card)) for choice in choices if isinstance(choice, Buy)]
        levels = [
            _levelled(choice, self._gain(choice.hero[0], choice.to))
            for choice in choices
            if isinstance(choice, LevelUp)
        ]
        for verdicts in (buys, levels):
            best = max(verdicts, key=lambda verdict: verdict.value, default=None)
            if best is not None and best.value > 0:
                return best
        return Verdict(END if END in choices else choices[0], 0, None)

    def _is_used(self, choice: Use) -> bool:
        """True for an effect that costs nothing, or only a card that is better gone."""
        outlook = self.outlook
        ability = self.cards[choice.card[0]].village[choice.effect - 1]
        if not ability.cost:
            return True
        if any(cost.op != "destroy" for cost in ability.cost):
            return False
        others = [slot.card for slot in outlook.view.position.hand if slot.ref != choice.card]
        return DISEASE in others or any(outlook.worth(card) < 0 for card in others)


def _bought(choice: Buy, value: float) -> Verdict:
    return Verdict(choice, value, Reason("buy", (("buy_card", choice.card), ("value", value))))


def _levelled(choice: LevelUp, value: float) -> Verdict:
    params = (("hero_card", choice.hero[0]), ("to_card", choice.to), ("value", value))
    return Verdict(choice, value, Reason("level", params))
