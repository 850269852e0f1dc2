"""The best use of village effects.

Goals, each with what decides between equals:

- ``gold``: the most gold; then the most purchases, then as little VP destroyed as possible, then XP less the cost of
  what was destroyed, then XP, Diseases got rid of, and cards drawn though nobody knows which.
- ``buy``: the dearest purchase that the stacks allow; ``vp``: the most VP bought, less what was destroyed; ``xp``: the
  most XP. Then as for ``gold``, with the gold itself last for ``buy``, so that nothing is destroyed for idle gold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from thunderref.engine.state import Action, Table
from thunderref.engine.village import legal_actions, play, uses
from thunderref.engine.visit import Visit, gold_in_play
from thunderref.solve.purchases import Market

Line = tuple[Action, ...]
Worth = tuple[int, ...]


def worth(table: Table, market: Market, visit: Visit, goal: str) -> Worth:
    """The worth of counting gold now, the larger the better; see the head of this file."""
    gold = visit.gold + gold_in_play(table, visit)
    lost = [table.book[card] for card, _ in visit.turn.destroyed]
    vp, cost = sum(spec.vp or 0 for spec in lost), sum(spec.cost for spec in lost)
    diseases = sum(spec.kind == "disease" for spec in lost)
    xp, buys = visit.turn.xp, visit.buys + len(visit.after)
    rest = (-vp, xp - cost, xp, diseases - len(lost) + diseases, visit.turn.unknown_draws)
    if goal == "xp":
        return (xp, gold, buys, *rest)
    if goal in ("buy", "vp"):
        dearest, richest = market.best(gold, visit.buys, visit.after)
        return (dearest, *rest, buys, gold) if goal == "buy" else (richest - vp, dearest, buys, *rest, gold)
    return (gold, buys, *rest)


@dataclass
class Search:
    """Walks breadth first over the ways to use village effects; ``complete`` is False if the budget ran out.

    Then it goes on from the best state it saw, one effect at a time, as long as each makes the state better.

    Effects that cost nothing and cannot come too early (draws, further purchases, gold for each player) are used at
    once, in that order; states that differ only in which equal copy is meant are one state.
    """

    table: Table
    market: Market
    goal: str
    budget: int = 12_000
    complete: bool = True
    states: int = 0
    _deck_matters: bool = field(default=False, init=False)

    def run(self, start: Visit) -> Line:
        """The line to the best state, without counting the gold."""
        cards = {*(slot.card for slot in start.turn.hand), *start.turn.deck}
        self._deck_matters = any(
            op.op == "top-deck" for card in cards for ability in self.table.book[card].village for op in ability.instant
        )
        best: tuple[Worth, Line] = (worth(self.table, self.market, start, self.goal), ())
        best_visit = start
        level: list[tuple[Visit, Line]] = [(start, ())]
        seen = {_key(self.table, start)}
        while level:
            following: list[tuple[Visit, Line]] = []
            for visit, line in level:
                for action in self._moves(visit):
                    for after, actions in settled(self.table, visit, action):
                        key = _key(self.table, after)
                        if key in seen:
                            continue
                        self.states += 1
                        if self.states > self.budget:
                            self.complete = False
                            return self._climbed(best_visit, best)
                        seen.add(key)
                        value = worth(self.table, self.market, after, self.goal)
                        if value > best[0]:
                            best, best_visit = (value, (*line, *actions)), after
                        following.append((after, (*line, *actions)))
            level = following
        return best[1]

    def _climbed(self, visit: Visit, best: tuple[Worth, Line]) -> Line:
        """The line of ``best`` with every further effect that helps by itself; ends, since worth only rises."""
        better = True
        while better:
            better = False
            base = best[1]
            for action in self._moves(visit):
                for after, actions in settled(self.table, visit, action):
                    value = worth(self.table, self.market, after, self.goal)
                    if value > best[0]:
                        best, following, better = (value, (*base, *actions)), after, True
            if better:
                visit = following
        return best[1]

    def _moves(self, visit: Visit) -> list[Action]:
        moves: dict[Any, tuple[int, Action]] = {}
        for action in uses(self.table, visit):
            rank = self._rank(visit, action)
            if rank < IDLE:
                slot = next(slot for slot in visit.turn.hand if slot.ref == action.a)
                moves.setdefault((slot.card, slot.used, action.b), (rank, action))
        ordered = sorted(moves.values(), key=lambda move: move[0])
        if ordered and ordered[0][0] <= AT_ONCE:
            return [ordered[0][1]]
        return [action for _, action in ordered]

    def _rank(self, visit: Visit, action: Action) -> int:
        """0 and 1: to be used at once; 2: free; 3 and 4: at a cost; :data:`IDLE`: gives nothing that is known."""
        ability = self.table.book[action.a[0]].village[action.b - 1]
        names = {op.op if op.op != "custom" else op.name for op in ability.instant}
        blind = {"opponents-discard"}
        blind |= {"brawl"} if visit.known.brawl_hero is None else set()
        blind |= {"tax"} if visit.known.discarded_gold is None else set()
        if names <= blind:
            return IDLE
        if ability.cost:
            return 3 if "draw" in names else 4
        if "draw" in names:
            early = not self._deck_matters and not any(getattr(op, "per", None) for op in ability.instant)
            return 0 if early else 2
        return 1 if names <= {"extra-buy", "gold-per-player"} else 2


AT_ONCE = 1
IDLE = 9


def settled(table: Table, visit: Visit, action: Action) -> Iterator[tuple[Visit, Line]]:
    """Every way an action can go with its choices; of equal cards only the first is chosen."""
    stack: list[tuple[Visit, Line]] = [(play(table, visit, action)[0], (action,))]
    while stack:
        node, line = stack.pop()
        if not node.turn.todo:
            yield node, line
            continue
        for choice in reversed(distinct(node, legal_actions(table, node))):
            stack.append((play(table, node, choice)[0], (*line, choice)))


def distinct(visit: Visit, options: tuple[Action, ...]) -> list[Action]:
    """The choices without those that only mean another of several equal cards."""
    like = {slot.ref: (slot.card, slot.used) for slot in visit.turn.hand}
    return list({like[action.b]: action for action in reversed(options)}.values())[::-1]


def _key(table: Table, visit: Visit) -> Any:
    """What decides how a visit can go on and what it is worth."""
    turn = visit.turn
    lost = [table.book[card] for card, _ in turn.destroyed]
    return (
        tuple(sorted((slot.card, slot.used) for slot in turn.hand)), turn.deck, visit.gold, visit.buys, visit.after,
        visit.known, turn.xp, turn.unknown_draws, len(lost), sum(spec.cost for spec in lost),
        sum(spec.vp or 0 for spec in lost), sum(spec.kind == "disease" for spec in lost),
    )  # fmt: skip
