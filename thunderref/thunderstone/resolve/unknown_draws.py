"""What a draw of unknown cards could change: the cards that would beat a target, and the chance of it (R2.2).

A target that no line beats is tried again with every card that may come, drawn first where something draws; what comes
after it gives nothing. Where the deck is known, so are the cards, and the chance is that of ``odds``: it decides
whether a draw can help. Where it is not, a card is any that a deck can hold, or any of those on the table. Then one
card is tried of all, and two together only of a few: what was not tried is never called impossible.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, islice
from typing import Any

from thunderref.database.card_records import HAND_KINDS, RANKS, STACKED
from thunderref.thunderstone.resolve.odds import WEIGHED, Judge, Now, Odds, chance_of
from thunderref.thunderstone.resolve.question import Judged, Question
from thunderref.thunderstone.resolve.result import Draws
from thunderref.thunderstone.resolve.search import WORST_WIN, Aim, Search
from thunderref.thunderstone.resolve.start import cards_of
from thunderref.thunderstone.rules.cards import CardSpec
from thunderref.thunderstone.rules.draws import chance_outcomes
from thunderref.thunderstone.rules.legal import advance, play, targets
from thunderref.thunderstone.rules.position import DISEASE, Position, key_of, replace

MOST_PAIRS = 300  # pairs of cards tried together
MOST_WALKED = 8_000  # positions walked through in all
By = tuple[str, ...]  # the cards that drew
Wins = dict[Aim, dict[tuple[str, ...], By]]
"""For each target the cards that beat it if they are drawn, none of them needless."""


def with_draws(question: Question, judged: list[Judged], drawing: Sequence[str], share: float) -> list[Judged]:
    """The targets, with what the ``drawing`` cards change about those that no line beats, in this share of time."""
    trials = Trials(question, share)
    aims = [(each.result.monster, each.result.rank) for each in judged if each.result.outcome != "victory"]
    # what wins without a draw was not found in time, or is not what the goal wants
    aims = [aim for aim in aims if aim not in trials.beaten(trials.state, aims)]
    trials.draw((), aims)
    if not (trials.by or trials.stopped):
        return judged
    trials.by = trials.by or dict.fromkeys(drawing)
    found = trials.of_any_deck(aims) if trials.pool is None else trials.of_known_deck(aims, trials.pool)
    told = [(each, found.get((each.result.monster, each.result.rank))) for each in judged]
    return [each._replace(result=replace(each.result, draws=draws)) for each, draws in told]


class Trials:
    """Tries what may be drawn; ``more`` is True once something drew more cards than were tried."""

    def __init__(self, question: Question, share: float) -> None:
        asked, start = question.asked, question.state
        self.question, self.game = question, question.game
        self.state = replace(start, pool=None, left=None, pile=())  # so that every draw waits for chance
        listed, pile = (cards_of(cards or [], question.find, HAND_KINDS) for cards in (asked.deck_list, asked.discard))
        whole = asked.deck_list is not None or asked.deck_size == len(start.deck)
        self.pool, self.pile = tuple(sorted(listed)) if whole else None, tuple(sorted(pile))
        self.more = self.stopped = False
        self.deepest = sys.maxsize if asked.deck_size is None else asked.deck_size + len(self.pile)
        self.most = 0  # cards drawn in one line
        self.by: dict[str, None] = {}  # what draws
        self._goes, self._walked = question.budget.searching(share), 0
        monsters = [foe.card for _, _, foe in targets(start)]
        self._twins = {card for card in monsters if monsters.count(card) > 1}
        self._known: dict[Any, dict[Aim, bool]] = {}  # position -> which targets it beats without a draw

    def of_known_deck(self, aims: Sequence[Aim], pool: Sequence[str]) -> dict[Aim, Draws]:
        """The targets that some draw of the deck beats, or may beat if not all were tried."""
        wins: Wins = {aim: {} for aim in aims}
        owned = Counter(pool)
        if len(pool) < self.most:  # the discard pile is shuffled within these draws
            owned += Counter(self.pile)
        self._try_all([(card,) for card in sorted(owned)], aims, wins)
        if self.more:
            pairs = (pair for pair in combinations_with_replacement(sorted(owned), 2) if Counter(pair) <= owned)
            self._try_all(islice(pairs, MOST_PAIRS), aims, wins)
        start = replace(self.state, pool=tuple(pool), pile=self.pile)
        found: dict[Aim, Draws] = {}
        for monster, rank in aims:
            if not (wins[monster, rank] or self.more or self.stopped):  # every draw was tried
                continue
            judge = _WinJudge(self, start, (monster, rank))
            judge.resume(lambda n: n < WEIGHED and self._goes(n))
            value = Odds(judge).value(start)
            if not judge.stopped and value.exact:
                if value.low:
                    found[monster, rank] = replace(self._tell(wins[monster, rank]), chance=chance_of(value.low))
            else:
                found[monster, rank] = self._tell(wins[monster, rank], proven=False)
        return found

    def of_any_deck(self, aims: Sequence[Aim]) -> dict[Aim, Draws]:
        """The same of a deck of which nothing is known."""
        wins: Wins = {aim: {} for aim in aims}
        alike = self._candidates()
        self._try_all([(card,) for card in alike], aims, wins)
        missing, tried = [aim for aim in aims if not wins[aim]], not self.more
        if missing and self.more:
            near = self._near()
            pairs = combinations_with_replacement([card for card in alike if card in near], 2)
            self._try_all(islice(pairs, MOST_PAIRS), missing, wins)
        for won in wins.values():  # what stood for several cards
            for (card, *others), by in list(won.items()):
                won.update({(other, *others): by for other in alike.get(card, ()) if not others})
        proven = tried and not self.stopped
        return {aim: self._tell(won, proven=proven) for aim, won in wins.items() if won or not proven}

    def _candidates(self) -> dict[str, list[str]]:
        """The cards that a deck may hold, each with those that are no different when drawn: villagers, monsters."""
        database = self.question.words.database
        alike: dict[Any, list[str]] = {}
        for card in database.cards.values():
            if card.kind in HAND_KINDS and card.reprint_of is None and card.id in (database.tonight or database.cards):
                alike.setdefault(_signature(self.game.cards[card.id]), []).append(card.id)
        specs, near = self.game.cards, self._near()

        def order(group: list[str]) -> tuple[bool, bool, int]:
            return specs[group[0]].kind not in STACKED, group[0] not in near, specs[group[0]].cost

        return {group[0]: group for group in sorted(alike.values(), key=order)}

    def _near(self) -> set[str]:
        """The cards that first come to mind, and are tried in pairs: basic ones, those in the hand or on offer."""
        basic = {card for card, spec in self.game.cards.items() if spec.kind == "basic"}
        offered = cards_of(self.question.asked.village or [], self.question.find, STACKED)
        return {*basic, *(slot.card for slot in self.state.hand), *offered, *self.question.words.database.tonight}

    def _try_all(self, sets: Iterable[tuple[str, ...]], aims: Sequence[Aim], wins: Wins) -> None:
        for cards in sets:
            if self.stopped:
                return
            open_aims = [aim for aim in aims if not any(Counter(won) <= Counter(cards) for won in wins[aim])]
            for aim, by in self.draw(cards, open_aims).items():
                wins[aim][cards] = by

    def draw(self, cards: tuple[str, ...], aims: Sequence[Aim]) -> dict[Aim, By]:
        """The targets beaten if these cards are drawn, in any order, and nothing after them helps."""
        start = replace(self.state, pool=tuple(sorted(cards)))
        judge, wins, seen = Judge(self.game, start, 0, ""), dict[Aim, By](), set[Any]()
        # with a discard pile, so that a draw after these cards waits, too
        stack: list[tuple[Position, By, int]] = [(replace(start, pile=(DISEASE,)), (), 0)]
        while stack and len(wins) < len(aims) and self._goes_on():
            state, by, n = stack.pop()
            if (key := key_of(state)) in seen:
                continue
            seen.add(key)
            self._walked += 1
            if chance_outcomes(state):
                self.most, by = max(self.most, n + 1), tuple(dict.fromkeys((*by, state.todo[0].source[0])))
                self.by |= {} if cards else dict.fromkeys(by)
                self.more = self.more or (not state.pool and 0 < len(cards) < self.deepest)
                stack += [(judge.draw(state, card), by, n + 1) for card in dict.fromkeys(state.pool or ())]
                if not state.pool:
                    stack.append((advance(self.game, replace(state, todo=state.todo[1:]), []), by, n + 1))
                continue
            if by and not state.todo and state.phase == "prepare":
                wins |= dict.fromkeys(self.beaten(state, [aim for aim in aims if aim not in wins]), by)
            stack += [(play(self.game, state, action)[0], by, n) for action in judge.moves(state)]
        return wins

    def beaten(self, state: Position, aims: Sequence[Aim]) -> list[Aim]:
        """The targets that can be beaten without a draw; of a monster that is there twice, each where it stands."""
        bare = replace(state, pool=None, pile=())
        known = self._known.setdefault(key_of(bare), {})
        while unknown := [aim for aim in aims if aim not in known]:
            twin = next((aim for aim in unknown if aim[0] in self._twins), None)
            tried = unknown if twin is None else [twin]
            search = Search(self.game, "win", tick=self._goes_on, trims=False, wins_once=twin is None)
            search.found = {(card, rank): WORST_WIN for card, _ in tried for rank in range(RANKS + 1)}
            search.run(bare, only={card for card, _ in tried}, informs=False)
            self.stopped = self.stopped or not search.complete
            won = {aim for aim, line in search.found.items() if line.worth.victory}
            monsters = {card for card, _ in won}
            new = {aim: aim in won if twin else aim[0] in monsters for aim in tried}
            known |= {aim: beaten for aim, beaten in new.items() if beaten or not any(new.values())}
        return [aim for aim in aims if known[aim]]

    def _goes_on(self, _: int = 0) -> bool:
        self.stopped = self.stopped or self._walked > MOST_WALKED or not self._goes(self._walked)
        return not self.stopped

    def _tell(self, won: dict[tuple[str, ...], By], *, proven: bool = True) -> Draws:
        drew = {card for by in won.values() for card in by}
        return Draws(
            by=[card for card in self.by if card in drew or not won], proven=proven,
            would_win=[cards[0] if len(cards) == 1 else list(cards) for cards in won],
        )  # fmt: skip


class _WinJudge(Judge):
    """Judges whether one target can be beaten, and no totals; its trials remember what they searched already."""

    def __init__(self, trials: Trials, start: Position, aim: Aim) -> None:
        super().__init__(trials.game, start, aim[1], aim[0])
        self._trials, self._aim = trials, aim

    def now(self, state: Position) -> Now | None:
        key = key_of(replace(state, pool=None, pile=()))
        if key not in self.known and not self._trials.stopped and self.may_go_on():
            won = self._trials.beaten(state, [self._aim])
            if not self._trials.stopped:
                self.known[key] = Now(bool(won), None)
        return super().now(state)


def _signature(spec: CardSpec) -> Any:
    """What a card must share with another to be no different when drawn; its own id if it does anything."""
    does = spec.dungeon or spec.passive or spec.figures or spec.strength or spec.weight
    return spec.kinds, spec.level, spec.gold, spec.light, spec.vp, spec.id if does else ""
