"""Why a target cannot be beaten: how much is missing at best, and what more would do.

Nothing is a canned phrase: the position is solved again for the highest total, and once more with each thing that a
player can do something about: a point of Light, Strength for one hero, one more card, one Disease less, another rank.
The result names the smallest amount of each that wins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from thunderref.database.card_records import Card, Effect
from thunderref.database.operations import Bonus, Instead
from thunderref.thunderstone.resolve.battles import alike
from thunderref.thunderstone.resolve.budget import Tick
from thunderref.thunderstone.resolve.result import Missing, More, TargetResult
from thunderref.thunderstone.resolve.score import Score
from thunderref.thunderstone.resolve.search import Found, Search
from thunderref.thunderstone.resolve.start import cards_of
from thunderref.thunderstone.rules.cards import STACKED, Cards, CardSpec
from thunderref.thunderstone.rules.choices import Equip
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import RANKS
from thunderref.thunderstone.rules.hand import marked, with_card
from thunderref.thunderstone.rules.legal import targets
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import THROWN, Position, Slot, replace

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.judge import Question

BASIC_CARDS = ("militia", "torch", "iron-rations", "dagger")
"""The stacks of every game (R1.6)."""
MOST_STATES = 1_000
"""States searched with one thing added; a win found later is not reported."""
ALL_STATES = 4_000
"""States searched for what is missing in all; what is not tried by then is not reported."""
MOST_POINTS = 16
FEW = 4
"""Ways reported besides cards: those that need the least."""
BOON = "+boon"
"""The id of what is added: no card, out of reach of every effect (like a thrown weapon), with figures of its own."""
DEFEAT = Found(Score(0, False, sys.maxsize, 0, 0, 0), (), ())
"""Rates above any line that does not win."""
ORDER = ("light", "strength", "magic_attack", "attack", "disease", "rank")


def with_missing(question: Question, result: TargetResult, share: float) -> TargetResult:
    """The result, with what is missing if its target is out of reach, found in this share of the budget."""
    if result.outcome == "victory" or not result.proven:
        return result
    best: tuple[int, int] | None = None
    if question.asked.goal == "max" and result.total is not None:
        best = result.total, result.health
    elif result.can_attack:
        best = _shortfall(question, result.monster, share)
        if best is None:  # winnable, but not with this goal
            return result
    offers = list(BASIC_CARDS) + cards_of(question.asked.village or [], question.find, STACKED)
    offers += [slot.card for slot in question.state.hand if question.game.cards[slot.card].kind in STACKED]
    total, short = (None, None) if best is None else (best[0], max(0, best[1] - best[0]))
    gap = Gap(question, result.monster, short, share)
    helps = gap.helps()
    return replace(result, missing=Missing(best_total=total, short=short, cards=gap.cards(offers), helps=helps))


def _shortfall(question: Question, monster: str, share: float) -> tuple[int, int] | None:
    """The highest total and the Health it falls short of; None if it does not, or if that takes too long."""
    search = Search(question.game, "max", tick=question.budget.searching(share), trims=False)
    search.run(question.state, only=monster)
    question.budget.interrupted |= search.interrupted
    if not search.found or not search.complete or any(found.worth.victory for found in search.found.values()):
        return None
    best = max(search.found.values(), key=lambda found: found.worth)
    return best.worth.total, best.worth.total - best.worth.margin


def least_penalty(game: Game, state: Position, monster: str, rank: int, left: int, tick: Tick) -> int:
    """The least light penalty that any preparation leaves against a monster at this rank, ``left`` if none helps.

    This is also the smallest number of points of Light that lets the monster be attacked there.
    """
    for n in range(1, left):
        search = Search(_with_boon(game, light=n), "max", budget=MOST_STATES, tick=tick, trims=False)
        search.run(_holding_boon(state), only=monster)
        if (monster, rank) in search.found:
            return n
        if not search.complete:
            break
    return left


class Gap:
    """What is missing against one monster; ``short`` is None if it may not be attacked at all."""

    def __init__(self, question: Question, monster: str, short: int | None, share: float) -> None:
        self.game, self.state, self.words = question.game, question.state, question.words
        self.monster, self.short = monster, short
        self.budget, self.tick = question.budget, question.budget.searching(share)
        self.left = ALL_STATES

    def cards(self, cards: Iterable[str]) -> list[str]:
        """The cards of which one more in the hand beats the monster."""
        return [card for card in dict.fromkeys(cards) if self._wins(self.game, with_card(self.state, card))]

    def helps(self) -> list[More]:
        found = [*self._points(), *self._strength(), *self._other()]
        if len(found) > 1:  # as many as the shortfall is no news
            found = [more for more in found if (more.what, more.n) != ("attack", self.short)]
        found.sort(key=lambda more: (more.n, ORDER.index(more.what)))
        return found[:FEW]

    def _more(self, what: Any, n: int = 1, **which: Any) -> More:
        more = More(what=what, n=n, **which, text="")
        key = "missing.strength-for" if more.weapon else f"missing.{what}"
        cards = {"card": self.monster, "hero_card": more.hero or "", "weapon_card": more.weapon or ""}
        names = {field: self.words.card(card) for field, card in cards.items()}
        return replace(more, text=self.words.say(key, n=n, rank=more.rank, **names))

    def _points(self) -> Iterator[More]:
        short = self.short or 0
        ranks = [rank for rank, _, foe in targets(self.state) if foe.card == self.monster]
        penalty = max(ranks, default=0) + self.game.cards[self.monster].light_penalty
        light = self._least("light", -(-short // 2), penalty)
        if light is not None:
            yield self._more("light", light)
        if self.short is None:
            return
        attack = short and (self._least("attack", short, short) or self._least("attack", short + 1, 2 * short + 1))
        if attack:
            yield self._more("attack", attack)
        magic = self._least("magic_attack", 1, (attack or 2 * short + 2) - 1)  # as much as Attack is no news
        if magic is not None:
            yield self._more("magic_attack", magic)

    def _least(self, stat: str, low: int, high: int) -> int | None:
        def won(n: int) -> Found | None:
            return self._wins(_with_boon(self.game, **{stat: n}), _holding_boon(self.state))

        return _smallest(max(1, low), min(high, MOST_POINTS), won)[0]

    def _strength(self) -> Iterator[More]:
        party = party_of(self.game, self.state)
        weapons = {slot.card for slot in self.state.hand} | set(self.state.deck)
        specs = [self.game.cards[card] for card in sorted(weapons) if self.game.cards[card].is_weapon]
        wanted = [spec.weight for spec in specs] + [
            op.when.strength or 0 for spec in specs for op in spec.passive if isinstance(op, Instead)
        ]
        wanted += [getattr(t, "strength_below", None) or 0 for t in self.game.cards[self.monster].traits]
        like = alike(self.state)
        seen = set()
        for hero in party.heroes:
            most = max((n - party.strength(hero) for n in wanted), default=0)
            if most < 1 or like[hero.ref] in seen:
                continue
            seen.add(like[hero.ref])
            stronger = marked(self.state, hero.ref, (BOON, 0))
            least, found = _smallest(1, most, partial(self._won_by_strength, stronger))
            if least is not None and found is not None:
                equips = [choice for choice in found.preparation if isinstance(choice, Equip)]
                held = [equip.weapon[0] for equip in equips if equip.hero == hero.ref]
                yield self._more("strength", least, hero=hero.card, weapon=held[0] if len(held) == 1 else None)

    def _won_by_strength(self, stronger: Position, n: int) -> Found | None:
        return self._wins(_with_boon(self.game, strength=n), stronger, trims=True)

    def _other(self) -> Iterator[More]:
        sick = next((slot for slot in self.state.hand if self.game.cards[slot.card].kind == "disease"), None)
        if sick is not None:
            hand = tuple(slot for slot in self.state.hand if slot != sick)
            if self._wins(self.game, replace(self.state, hand=hand)):
                yield self._more("disease")
        places = [place for place, foe in enumerate(self.state.hall) if foe.card == self.monster]
        for place in range(len(self.state.hall)) if len(places) == 1 else ():
            hall = list(self.state.hall)
            hall[place], hall[places[0]] = hall[places[0]], hall[place]
            if place != places[0] and self._wins(self.game, replace(self.state, hall=tuple(hall))):
                yield self._more("rank", rank=place + 1)
                return

    def _wins(self, game: Game, state: Position, *, trims: bool = False) -> Found | None:
        if self.left <= 0:
            return None
        search = Search(
            game, "win", budget=min(MOST_STATES, self.left), tick=self._goes_on, trims=trims, wins_once=not trims
        )
        search.found = {(self.monster, rank): DEFEAT for rank in range(RANKS + 1)}  # only what may win is tried
        search.run(state, only=self.monster)
        self.left -= search.states
        if search.interrupted:
            self.budget.interrupted, self.left = True, 0
        return next((found for found in search.found.values() if found.worth.victory), None)

    def _goes_on(self, states: int) -> bool:
        if self.tick(states):
            return True
        self.left = 0
        return False


def _smallest(low: int, high: int, won: Callable[[int], Found | None]) -> tuple[int | None, Found | None]:
    """The smallest number from ``low`` to ``high`` that wins, if more never hurts, and how; None if ``high`` fails.

    To prove that nothing helps takes longest, so the highest is tried once, then the lowest, then those between.
    """
    best = won(high) if low <= high else None
    if best is None:
        return None, None
    middle = low
    while low < high:
        found = won(middle)
        low, high, best = (low, middle, found) if found is not None else (middle + 1, high, best)
        middle = (low - 1 + high) // 2
    return high, best


def _holding_boon(state: Position) -> Position:
    return replace(state, hand=(*state.hand, Slot(BOON, flags=THROWN)))


def _with_boon(game: Game, *, light: int = 0, attack: int = 0, magic_attack: int = 0, strength: int = 0) -> Game:
    """The table with something that is no card but gives these figures, or Strength to the hero with its mark."""
    bonus = (Bonus(stat="strength", amount=strength, to="chosen"),) if strength else ()
    gift = Effect(id="boon", timing="passive", do=bonus)
    boon = Card(
        id=BOON, kind="trap", count=1, types=(), light=light, attack=attack, magic_attack=magic_attack, effects=(gift,)
    )
    return game.changed(cards=Cards({**game.cards, BOON: CardSpec(boon)}))
