"""``thunderref.thunderstone.resolve.visit.visit``: a visit to the village in, gold, purchases and level-ups out.

The line is a given plan, or the best use of village effects; the goal decides what that leaves open. The goals, each
with what decides between equals:

- ``buy``, the default: the dearest purchase that the stacks allow; then as little VP destroyed as possible, then XP
  less the cost of what was destroyed, then XP, Diseases got rid of, unknown cards drawn, purchases, and the gold
  itself. So nothing is destroyed for gold that buys nothing dearer.
- ``gold``: the most gold, whether it buys anything or not; then the most purchases, then as for ``buy``.
- ``vp``: the most VP bought, less what was destroyed; ``xp``: the most XP. Then as for ``buy`` and ``gold``.

Beside the best line stand the most gold (``spending``) and the best that destroys nothing (``sparing``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby, islice, permutations
from typing import Any, Literal, NamedTuple

from msgspec import structs

from thunderref.budget import Budget, Tick
from thunderref.database.card_records import STACKED
from thunderref.database.operations import Custom
from thunderref.database.read import Database, Language, open_database
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.thunderstone.resolve.battles import Line, endings, losses
from thunderref.thunderstone.resolve.documents import VISIT_KEYS, VisitDocument, read_document
from thunderref.thunderstone.resolve.plan import Follower, LineWriter, Node, head_of, step_kind
from thunderref.thunderstone.resolve.report import tell_event
from thunderref.thunderstone.resolve.result import BuyOption, NextLevel, VisitResult, VisitStep, VisitWay, WantedCards
from thunderref.thunderstone.resolve.start import (
    Finder,
    cards_of,
    check_copies,
    copies_of,
    hand_of,
    stacks_of,
    table_of,
    with_deck,
)
from thunderref.thunderstone.rules import village
from thunderref.thunderstone.rules.choices import COUNT, END, Buy, Use, kind_of
from thunderref.thunderstone.rules.explanation import Event
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hand import find
from thunderref.thunderstone.rules.legal import play, replay
from thunderref.thunderstone.rules.notation import Step, copy_name, ref_of
from thunderref.thunderstone.rules.position import (
    DISEASE,
    ON_DECK,
    UNCOUNTED,
    Known,
    Position,
    Stacks,
    Visit,
    key_of_slot,
    replace,
    tops,
)
from thunderref.thunderstone.rules.readings import other_readings, other_values
from thunderref.thunderstone.rules.village import visit_of

SPARING = "sparing"
Reached = tuple[Position, tuple[int, ...], Line]
"""A state, its worth, and the line to it."""
MOST_OPTIONS = 5000  # combinations listed at most, the best first
MOST_ORDERS = 720  # orders of a plan's purchases tried at most: those of six


class Market:
    """The stacks of a visit, as they stand before anything is bought."""

    def __init__(self, game: Game, stacks: Stacks) -> None:
        self.game = game
        self.left = {card: left for card, left in stacks if left}
        by_cost = sorted(self.left, key=lambda card: (-game.cards[card].cost, card))
        on_top = tops(game.cards, stacks)
        self.on_top = [card for card in by_cost if card in on_top]
        specs = {card: game.cards[card] for card in by_cost}
        self.above = {
            card: [
                (other, left)
                for other, left in self.left.items()
                if specs[other].family == spec.family and 0 < specs[other].level < spec.level
            ]
            for card, spec in specs.items()
        }
        self.cards = [card for card in by_cost if all(left != UNCOUNTED for _, left in self.above[card])]
        """Cards that can be bought at all: on top, or under cards that can be bought first."""
        self._known: dict[tuple[str, int, int], tuple[int, int]] = {}

    def options(self, gold: int, buys: int, after: tuple[str, ...]) -> Iterator[BuyOption]:
        """What ``gold`` buys, the dearest first, then by VP, then the shorter; ``after`` opens purchases (R3.3)."""
        for total in range(gold, -1, -1):
            baskets = filter(None, self._costing(total, 0, buys + len(after)))
            found = (self.option(cards, gold, buys, after) for cards in baskets)
            listed = islice((option for option in found if option is not None), MOST_OPTIONS + 1)
            yield from sorted(listed, key=lambda option: (-option.vp, len(option.buy), option.buy))

    def _costing(self, total: int, start: int, most: int) -> Iterator[tuple[str, ...]]:
        # the multisets of at most ``most`` cards from ``start`` on that cost exactly ``total``
        if total == 0:
            yield ()
        for place in range(start, len(self.cards) if most else 0):
            card = self.cards[place]
            cost = self.game.cards[card].cost
            if cost * most < total:  # cards are sorted by cost: what follows is cheaper still
                return
            copies = self.left[card] if self.left[card] != UNCOUNTED else most
            for n in range(1, min(copies, most, total // cost if cost else most) + 1):
                for others in self._costing(total - n * cost, place + 1, most - n):
                    yield (*(card,) * n, *others)

    def option(self, cards: tuple[str, ...], gold: int, buys: int, after: tuple[str, ...]) -> BuyOption | None:
        specs = self.game.cards
        if any(cards.count(other) != left for card in set(cards) for other, left in self.above[card]):
            return None  # not on top, and not all cards on it are bought
        if len(cards) > buys:
            opened = sum(any(kind in specs[card].types for card in cards) for kind in after)
            if len(cards) > buys + opened:
                return None
            cards = tuple(sorted(cards, key=lambda card: not specs[card].types & set(after)))
        if not all(card in self.on_top for card in cards):
            cards = tuple(sorted(cards, key=lambda card: specs[card].level))
        cost, vp = sum(specs[card].cost for card in cards), sum(specs[card].vp or 0 for card in cards)
        return BuyOption(buy=list(cards), cost=cost, left=gold - cost, vp=vp)

    def best(self, gold: int, buys: int, after: tuple[str, ...]) -> tuple[int, int]:
        """The highest cost and, apart from it, the most VP that ``gold`` buys from the tops of the stacks."""
        ways = (("", buys), *((kind, buys + after.count(kind)) for kind in set(after)))
        found = [self._reach(kind, most, gold) for kind, most in ways]
        return max(cost for cost, _ in found), max(vp for _, vp in found)

    def _reach(self, kind: str, most: int, gold: int) -> tuple[int, int]:
        """The highest cost, and the most VP, of at most ``most`` cards, one of them of ``kind`` if given."""
        key = (kind, most, gold)
        if key not in self._known:
            # by (number of cards, a card of the kind is there): cost -> VP
            table: dict[tuple[int, bool, int], int] = {(0, not kind, 0): 0}
            for card in self.on_top:
                spec = self.game.cards[card]
                copies = self.left[card] if self.left[card] != UNCOUNTED else most
                for (n, has, cost), vp in list(table.items()):
                    for k in range(1, min(copies, most - n) + 1):
                        if cost + k * spec.cost > gold:
                            break
                        place = (n + k, has or kind in spec.types, cost + k * spec.cost)
                        worth = vp + k * (spec.vp or 0)
                        if worth > table.get(place, -1):
                            table[place] = worth
            ends = [(cost, vp) for (_, has, cost), vp in table.items() if has] or [(0, 0)]
            self._known[key] = max(cost for cost, _ in ends), max(vp for _, vp in ends)
        return self._known[key]


@dataclass
class VillageSearch:
    """Walks breadth first over the ways to use village effects; ``complete`` is False if it was stopped.

    Then it continues from the best state seen, one effect at a time, as long as each makes it better. Effects that cost
    nothing and cannot come too early (draws, purchases, gold for each player) are used at once, in that order.
    """

    game: Game
    market: Market
    goal: str
    goes_on: Tick
    complete: bool = True
    states: int = 0
    spending: Line = ()
    """After the run: the line to the most gold."""
    sparing: Line = ()
    """After the run: the best line on which nothing is destroyed."""
    _deck_matters: bool = field(default=False, init=False)

    def run(self, start: Position) -> Line:
        """The line to the best state, without counting the gold."""
        cards = {*(slot.card for slot in start.hand), *start.to_come}
        self._deck_matters = start.left is not None or any(
            op.op == "top-deck" for card in cards for ability in self.game.cards[card].village for op in ability.instant
        )
        best: dict[str, Reached] = {name: (start, value, ()) for name, value in self._values(start).items()}
        waiting: deque[tuple[Position, Line]] = deque([(start, ())])
        seen = {_key(self.game, start)}
        while waiting and self.complete:
            state, line = waiting.popleft()
            for after, choices in self._onward(state):
                key = _key(self.game, after)
                if key in seen:
                    continue
                self.states += 1
                if not self.goes_on(self.states):
                    self.complete = False
                    break
                seen.add(key)
                for name, value in self._values(after).items():
                    if value > best[name][1]:
                        best[name] = (after, value, (*line, *choices))
                waiting.append((after, (*line, *choices)))
        ends = {name: reached[2] if self.complete else self._climb(name, *reached) for name, reached in best.items()}
        self.spending, self.sparing = ends["gold"], ends[SPARING]
        return ends[self.goal]

    def _climb(self, name: str, state: Position, reached: tuple[int, ...], line: Line) -> Line:
        """The line with every further effect that helps on its own; ends, since worth only rises."""
        onward = [
            (values[name], after, choices)
            for after, choices in self._onward(state)
            if name in (values := self._values(after))
        ]
        value, after, choices = max(onward, key=lambda each: each[0], default=(reached, state, ()))
        return line if value <= reached else self._climb(name, after, value, (*line, *choices))

    def _values(self, state: Position) -> dict[str, tuple[int, ...]]:
        """What the state is worth to each of the lines looked for, as far as it can be one of them."""
        value = self.worth(state)
        most = value if self.goal == "gold" else self.worth(state, "gold")
        return {self.goal: value, "gold": most} | ({} if state.destroyed else {SPARING: value})

    def worth(self, state: Position, goal: str = "") -> tuple[int, ...]:
        """The worth of counting gold now, the larger the better; see the head of this file."""
        goal = goal or self.goal
        visit = visit_of(state)
        gold = visit.gold + village.gold_in_play(self.game, state)
        vp, cost, number, diseases = _count_lost(self.game, state)
        xp, buys = state.xp, visit.buys + len(visit.after)
        rest = (-vp, xp - cost, xp, diseases - number, state.unknown_draws)
        if goal == "xp":
            return (xp, gold, buys, *rest)
        if goal in ("buy", "vp"):
            dearest, richest = self.market.best(gold, visit.buys, visit.after)
            return (dearest, *rest, buys, gold) if goal == "buy" else (richest - vp, dearest, buys, *rest, gold)
        return (gold, buys, *rest)

    def moves(self, state: Position) -> list[Use]:
        """The uses of effects that give something known, equal ones once, the most urgent first."""
        moves: dict[Any, tuple[int, Use]] = {}
        for choice in village.uses(self.game, state):
            slot, rank = find(state, choice.card)[0], self._rank(state, choice)
            if rank is not None:
                moves.setdefault((slot.card, slot.used, choice.effect), (rank, choice))
        return [choice for _, choice in sorted(moves.values(), key=lambda move: move[0])]

    def _onward(self, state: Position) -> Iterator[tuple[Position, Line]]:
        ordered = self.moves(state)
        at_once = bool(ordered) and (self._rank(state, ordered[0]) or 0) <= 1
        for choice in ordered[: 1 if at_once else None]:
            yield from endings(self.game, play(self.game, state, choice)[0], line=(choice,))

    def _rank(self, state: Position, choice: Use) -> int | None:
        """0 and 1: used at once; 2: free; 3 and 4: at a cost; None: gives nothing known."""
        ability, known = self.game.cards[choice.card[0]].village[choice.effect - 1], visit_of(state).known
        names = {op.name if isinstance(op, Custom) else op.op for op in ability.instant}
        secrets = {"opponents-discard": None, "brawl": known.brawl_hero, "tax": known.discarded_gold}
        if state.left is None and all(name in secrets and secrets[name] is None for name in names):
            return None  # at the end of a deck, what is discarded may be drawn again (R2.2)
        if ability.cost:
            return 3 if "draw" in names else 4
        if "draw" in names:
            early = not (self._deck_matters or any(getattr(op, "per", None) for op in ability.instant))
            early = early and state.left is None
            return 0 if early else 2
        return 1 if names <= {"extra-buy", "gold-per-player"} else 2


def _key(game: Game, state: Position) -> Any:
    visit = visit_of(state)
    return (
        tuple(sorted((slot.card, slot.used) for slot in state.hand)), state.deck, visit.gold, visit.buys, visit.after,
        visit.known, state.xp, state.unknown_draws, state.left, state.pool, tuple(sorted(state.discard_pile)),
        tuple(map(key_of_slot, state.away)), *_count_lost(game, state),
    )  # fmt: skip


def in_order(plan: Iterable[Step]) -> list[Step]:
    """Return the steps of a visit as the rules take them, however they were told: uses, purchases, level-ups (R3.4)."""
    return sorted(plan, key=lambda step: ("buy" in step) + 2 * ("level_up" in step))


def _count_lost(game: Game, state: Position) -> tuple[int, int, int, int]:
    """Return the VP, cost and number of the cards destroyed but for Disease, and how many Diseases."""
    lost = losses(game, state.destroyed)
    return lost.vp, lost.cost, lost.number, sum(card == DISEASE for card, _ in state.destroyed)


class VisitFollower(Follower):
    """Follows one plan of a visit; the gold is counted before the first purchase or level-up (R3.2)."""

    def __init__(self, search: VillageSearch, find: Finder) -> None:
        super().__init__(search.game, find)
        self.find_kind, self.search = find, search

    def follow(self, start: Position, plan: list[Step]) -> Line:
        """The line of the plan; raises the error of the first step that cannot be taken, with its number."""
        nodes = [Node(start)]
        kinds = [(step_kind(step, number, VISIT_KEYS), number, step) for number, step in enumerate(plan, 1)]
        for kind, steps in groupby(kinds, key=lambda entry: entry[0]):
            if kind != "use":
                nodes = self._count_gold(nodes)
            nodes = self._in_some_order(nodes, [step for _, *step in steps], kind)
        return tuple(now.choice for now in self._count_gold(nodes)[0].played)

    def _in_some_order(self, nodes: list[Node], steps: list[Any], kind: str) -> list[Node]:
        """Take the steps one after the other, purchases in any order that is legal (R3.3); else raise for this one."""
        refusal: IllegalStepError | None = None
        for order in islice(permutations(steps), MOST_ORDERS if kind == "buy" else 1):
            after = nodes
            try:
                for number, step in order:
                    after = self.each(after, partial(self._visit_step, number, step), number)
                return after
            except IllegalStepError as illegal:
                refusal = refusal or illegal
        raise refusal or ValueError("no steps")

    def _count_gold(self, nodes: list[Node]) -> list[Node]:
        if nodes[0].state.phase != "village":
            return nodes
        nodes = sorted(nodes, key=lambda node: self.search.worth(node.state), reverse=True)
        return [self.choose(node, COUNT) for node in nodes]

    def _visit_step(self, number: int, step: Step, node: Node) -> list[Node]:
        kinds = {"buy": STACKED, "to": frozenset({"hero"})}
        head = step | {key: self.find_kind(step[key], kinds[key]) for key in kinds if key in step}
        if "level_up" in step and "to" not in step:
            head["to"] = self._next(node.state, step, number)
        if "use" in step:
            if node.state.phase != "village":
                raise IllegalStepError("gold-counted", rule="R3.2")
            head = head_of(self.game, node.state, {"effect": 1, **head}, self.find)
        return self.take(node, number, step, head)

    def _next(self, state: Position, step: Step, number: int) -> str:
        hero = ref_of(state, step["level_up"], self.find, "R3.5")
        found = {to for other, to, _ in village.level_ups(self.game, state) if other == hero}
        if not found:
            spec = self.game.cards[hero[0]]
            code = "level-none-left" if spec.is_hero and (spec.level_cost or not spec.level) else "no-next-level"
            raise IllegalStepError(code, rule="R3.5", card=hero[0], **({} if spec.is_hero else {"why": "no-hero"}))
        if len(found) > 1:
            raise InputError("missing-step-key", step=number, key="to")
        return found.pop()


def visit(
    document: VisitDocument | Mapping[str, Any],
    lang: str | None = None,
    *,
    words: Language | None = None,
    budget: Budget | None = None,
    for_record: bool = False,
) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of village effects found within the ``budget``.

    With ``for_record`` cards that are not judged count by their figures. Raises InputError for an unreadable
    ``document``, NoAnswerError for names, IllegalStepError for forbidden steps.
    """
    words = words or Language(open_database(), lang)
    asked = read_document(VisitDocument, document)
    find = Finder(words.database, words.lang, for_record=for_record)
    game, start = opening(asked, words.database, find)
    market, budget = Market(game, start.stacks or ()), budget or Budget()
    budget.begin()
    search = VillageSearch(game, market, asked.goal, budget.searching())
    line = search.run(start) if asked.plan is None else VisitFollower(search, find).follow(start, asked.plan)
    lines = () if asked.plan is not None else (search.spending, search.sparing)
    ways = [_way(market, start, each, asked.goal) for each in lines]
    result = _tell(market, start, line, asked, words, ways, proven=search.complete)
    wanted = sorted(cards_of(asked.wanted, find, STACKED))
    return structs.replace(result, wanted=_wanted(market, result, wanted)) if wanted else result


def _wanted(market: Market, result: VisitResult, cards: list[str]) -> WantedCards:
    """Return whether one of the ways to shop pays for these cards together (R3.3), and else what is missing."""
    cost = sum(market.game.cards[card].cost for card in cards)
    ways = [way for way in (result, result.spending, result.sparing) if way is not None]
    gold, buys = (max(getattr(way, key) for way in ways) for key in ("gold", "buys"))
    left = [market.left.get(card, 0) for card in cards]
    there = all(n == UNCOUNTED or n >= cards.count(card) for card, n in zip(cards, left, strict=True))
    baskets = [market.option(tuple(cards), way.gold, way.buys, tuple(way.buys_after)) for way in ways if there]
    why: Literal["gold", "buys", "stack"] | None = None
    if not any(basket and basket.left >= 0 for basket in baskets):
        why = "gold" if cost > gold else "buys" if len(cards) > buys else "stack"
    return WantedCards(cards=cards, cost=cost, gold=gold, buys=buys, why=why)


def _way(market: Market, start: Position, line: Line, goal: str) -> VisitWay:
    """What the line to the counting of the gold brings, what that buys at best, and what it costs."""
    state, writer, game = start, LineWriter(), market.game
    for before, choice, after, _ in replay(game, start, (*line, COUNT)):
        writer.add(before, choice)
        state = after
    purse, gone = visit_of(state), [card for card, _ in state.destroyed]
    return VisitWay(
        gold=purse.gold, buys=purse.buys, buys_after=list(purse.after), xp=state.xp, destroyed=gone,
        destroyed_cost=sum(game.cards[card].cost for card in gone), line=writer.steps,
        best=next(iter(_options(market, purse, goal)), None), unknown_draws=state.unknown_draws,
    )  # fmt: skip


def _options(market: Market, purse: Visit, goal: str) -> list[BuyOption]:
    """What can be bought, best first; one more than :data:`MOST_OPTIONS` if there are more than that."""
    options = list(islice(market.options(purse.gold, purse.buys, purse.after), MOST_OPTIONS + 1))
    if goal == "vp":
        options[:MOST_OPTIONS] = sorted(options[:MOST_OPTIONS], key=lambda one: (-one.vp, -one.cost, len(one.buy)))
    return options


def opening(asked: VisitDocument, database: Database, find: Finder) -> tuple[Game, Position]:
    """The table and the beginning of the visit; raises as :func:`hand_of` and :func:`check_copies`."""
    hand = hand_of(asked.hand, find)
    hero = asked.opponents.brawl_hero
    known = Known(asked.opponents.discarded_gold, None if hero is None else find(hero, frozenset(("hero", "basic"))))
    readings = other_readings(database, asked.readings)
    game = Game(find.specs(readings), asked.ruleset, asked.players, None, readings)
    if known.brawl_hero is not None and not game.cards[known.brawl_hero].is_hero:
        raise NoAnswerError("wrong-kind", card=known.brawl_hero, why="hero", rule="R0.4")
    stacks = offer_of(asked.stacks, database, find)
    start, named = with_deck(asked, village.begin_visit(tuple(hand), (), asked.xp, stacks, Visit(known=known)), find)
    check_copies(database, (*hand, *named, *copies_of(stacks)))
    return game, start


def offer_of(stacks: list[str] | None, database: Database, find: Finder) -> Stacks:
    """The cards on offer with the copies left, as :func:`stacks_of`; None is every card that is judged."""
    rows = (card for card in database.cards.values() if card.kind in STACKED and card.judged)
    sold = [card.id for card in rows if card.reprint_of is None]
    return stacks_of(sold if stacks is None else stacks, find)


PARTS: dict[str, Literal["effects", "gold", "buy", "level"]] = {
    "use": "effects", "choose": "effects", "count": "gold", "buy": "buy", "level_up": "level", "end": "level",
}  # fmt: skip


def _tell(
    market: Market,
    start: Position,
    line: Line,
    asked: VisitDocument,
    words: Language,
    ways: list[VisitWay],
    *,
    proven: bool,
) -> VisitResult:
    game, writer, counted = market.game, LineWriter(), start
    events = [("use", Event("xp-owned", "", ("R3.4",), (("xp", asked.xp),)))] if asked.xp else []
    bought = any(isinstance(choice, Buy) for choice in line)
    for before, choice, state, happened in replay(game, start, (*line, *(() if COUNT in line else (COUNT,)), END)):
        writer.add(before, choice)
        events += [(kind_of(choice), event) for event in happened if event.key != "gold-lost" or bought]
        if choice == COUNT:
            counted = state
    visit, purse = visit_of(state), visit_of(counted)
    options = _options(market, purse, asked.goal)
    steps = [
        VisitStep(
            text=tell_event(event, words), part=PARTS[kind], rules=list(event.rules), card=event.card or None,
            short=str(words.card(event.card)) if event.key == "effect-used" else None,
            **{key: dict(event.params).get(key, 0) for key in ("gold", "xp", "gold_paid", "xp_paid")},
        )
        for kind, event in events
    ]  # fmt: skip
    return VisitResult(
        table=table_of(
            Finder(words.database, words.lang, for_record=True), asked.hand,
            deck=asked.deck, xp=asked.xp, players=asked.players,
        ),
        readings_chosen=other_values(words.database, game.readings),
        goal=asked.goal, gold=purse.gold, gold_left=visit.gold, buys=visit.buys + len(visit.bought),
        buys_after=list(visit.after), xp=counted.xp, xp_left=state.xp, gained=list(state.gained),
        drawn=[event.card for _, event in events if event.key == "drawn"], line=writer.steps, proven=proven,
        destroyed=[card for card, _ in state.destroyed],
        discarded=[card for card, _ in state.discarded],
        on_deck=[slot.card for slot in state.away if slot.flags & ON_DECK], steps=steps,
        options=options[:MOST_OPTIONS], options_complete=len(options) <= MOST_OPTIONS,
        level_ups=_level_ups(game, counted), stacks_known=asked.stacks is not None, unknown_draws=state.unknown_draws,
        unknown=sorted({event.card for _, event in events if event.key in ("brawl-unknown", "tax-unknown")}),
        spending=ways[0] if ways else None, sparing=ways[1] if ways else None,
    )  # fmt: skip


def _level_ups(game: Game, state: Position) -> list[NextLevel]:
    """The heroes whom the XP can level up, equal ones once; also levels without cards left."""
    left = dict(state.stacks or ())
    families = [game.cards[slot.card].family for slot in state.hand]
    levels = [card for family in families for card, s in game.cards.items() if s.level and s.family == family]
    every = replace(state, stacks=tuple((card, UNCOUNTED) for card in dict.fromkeys((*left, *levels))))
    found: dict[tuple[str, str], NextLevel] = {}
    for (hero, _), to, cost in village.level_ups(game, every):
        if cost <= state.xp:
            found[hero, to] = NextLevel(hero=hero, to=to, cost=cost, available=bool(left.get(to)))
    return list(found.values())


MOST_USES = 40
"""Ways to use village effects that are listed at most."""


class VisitMove(NamedTuple):
    """A step of a plan and the cards that it destroys."""

    step: Step
    destroyed: tuple[str, ...] = ()


class Moves(NamedTuple):
    """The steps ``taken``, and those that may follow: effects before the gold is counted, purchases, level-ups."""

    taken: list[VisitMove]
    uses: list[VisitMove]
    buys: list[str]
    level_ups: list[Step]


def next_moves(document: Mapping[str, Any], words: Language) -> Moves:
    """What the rules allow after the plan of a visit; raises the errors of :func:`visit` for the plan itself."""
    asked, find = read_document(VisitDocument, document), Finder(words.database, words.lang)
    game, start = opening(asked, words.database, find)
    search = VillageSearch(game, Market(game, start.stacks or ()), asked.goal, Budget().searching())
    line = VisitFollower(search, find).follow(start, list(asked.plan or ()))
    counted = next(before for before, choice, _, _ in replay(game, start, line) if choice == COUNT)
    taken, end = _played(game, start, line)
    uses = [
        move
        for choice in search.moves(counted)
        for _, choices in endings(game, play(game, counted, choice)[0], line=(choice,))
        for move in _played(game, counted, choices)[0]
    ]
    rises = {(hero[0], to): copy_name(hero) for hero, to, _ in reversed([*village.level_ups(game, end, end.xp)])}
    return Moves(
        taken, list(islice(uses, MOST_USES)),
        [card for card, left in end.stacks or () if left and village.buy_problem(game, end, card) is None],
        [{"level_up": hero, "to": to} for (_, to), hero in rises.items()],
    )  # fmt: skip


def _played(game: Game, start: Position, line: Line) -> tuple[list[VisitMove], Position]:
    """The steps of a line, each with what it destroys but for a hero who rises, and where it leads."""
    writer, gone, state = LineWriter(), list[list[str]](), start
    for before, choice, after, _ in replay(game, start, line):
        writer.add(before, choice)
        gone += [[] for _ in writer.steps[len(gone) :]]
        if gone and "level_up" not in writer.steps[-1]:
            gone[-1] += [card for card, _ in after.destroyed[len(before.destroyed) :]]
        state = after
    return [VisitMove(step, tuple(cards)) for step, cards in zip(writer.steps, gone, strict=True)], state
