"""``thunderref.visit``: a visit to the village in, gold, purchases and level-ups out.

Goals, each with what decides between equals:

- ``gold``: the most gold; then the most purchases, then as little VP destroyed as possible, then XP less the cost of
  what was destroyed, then XP, Diseases got rid of, and cards drawn though nobody knows which.
- ``buy``: the dearest purchase that the stacks allow; ``vp``: the most VP bought, less what was destroyed; ``xp``: the
  most XP. Then as for ``gold``, with the gold itself last for ``buy``, so that nothing is destroyed for idle gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from thunderref.engine.state import Action, Ref, State, Table
from thunderref.engine.village import (
    FOR_SALE,
    UNCOUNTED,
    Known,
    Visit,
    child,
    gold_in_play,
    legal_actions,
    level_ups,
    play,
    uses,
    visit_of,
)
from thunderref.errors import IllegalStepError, InputError, ThunderrefError
from thunderref.explain.terms import Event
from thunderref.model.visit import BuyOption, LevelUp, VisitDocument, VisitResult, VisitStep
from thunderref.solve.documents import read_document
from thunderref.solve.notation import LineWriter, Step, kind_of, name_of, ref_of
from thunderref.solve.position import HAND_KINDS, MOST_CARDS, Finder, cards_of, counted
from thunderref.solve.purchases import MOST_OPTIONS, Market
from thunderref.solve.tell import fields_of
from thunderref.store.catalog import load_book
from thunderref.store.read import Store, open_store
from thunderref.words.words import Words

LANGUAGE = "en"
STEP_KEYS = {"use": {"use", "effect", "destroy", "discard", "hero"}, "buy": {"buy"}, "level_up": {"level_up", "to"}}
"""The first key of a step says what it is; these keys may stand in it."""
CHOICES = ("destroy", "discard", "hero")
STOCK = frozenset(FOR_SALE)
PARTS = {"use": "effects", "choose": "effects", "count": "gold", "buy": "buy", "level_up": "level", "end": "level"}

Line = tuple[Action, ...]
Worth = tuple[int, ...]


def visit(
    document: VisitDocument | Mapping[str, Any],
    lang: str | None = None,
    *,
    store: Store | None = None,
    words: Words | None = None,
) -> VisitResult:
    """Judges a visit to the village: the given plan, or the best use of village effects.

    ``document`` is one of the outside contract. Raises InputError for one that cannot be read, NoAnswerError for
    unknown or ambiguous names, IllegalStepError (with the rule's id) for a plan step that the rules forbid.
    """
    store = store or open_store()
    words = words or Words(store, lang or LANGUAGE)
    asked = read_document(VisitDocument, document)
    find = Finder(store, words.lang)
    table, start = opening(asked, store, find)
    market = Market(table, start)
    if asked.plan is None:
        search = Search(table, market, asked.goal)
        line, proven = search.run(start), search.complete
    else:
        line, proven = Follower(table, market, find, asked.goal).follow(start, asked.plan), True
    return tell(table, start, line, asked, market, words, proven=proven)


def opening(asked: VisitDocument, store: Store, find: Finder) -> tuple[Table, Visit]:
    """The table and the beginning of the visit; raises :class:`InputError` for a hand that cannot be one."""
    book = load_book(store)
    hand = cards_of(asked.hand, find, HAND_KINDS)
    if not hand:
        raise InputError("empty-hand")
    if len(hand) > MOST_CARDS:
        raise InputError("too-many-cards", n=len(hand), most=MOST_CARDS)
    deck = cards_of(asked.deck or [], find, HAND_KINDS)
    hero = asked.opponents.brawl_hero
    known = Known(asked.opponents.discarded_gold, None if hero is None else find(hero, frozenset(("hero", "basic"))))
    start = visit_of(
        tuple(hand), tuple(deck), asked.xp, offer_of(asked.stacks, store, find),
        offer_known=asked.stacks is not None, known=known,
    )  # fmt: skip
    return Table(book, asked.ruleset, None, asked.players), start


def offer_of(stacks: list[str] | None, store: Store, find: Finder) -> tuple[tuple[str, int], ...]:
    """The stacks as (card, copies left); None is every card that can be on offer."""
    if stacks is None:
        return tuple(
            (card.id, UNCOUNTED) for card in store.cards.values() if card.kind in STOCK and card.reprint_of is None
        )
    offer: dict[str, int] = {}
    for entry in stacks:
        count, name = counted(entry)
        card = find(name.partition("#")[0].strip(), STOCK)
        if name == entry.strip() and card not in offer:
            offer[card] = UNCOUNTED
        else:
            offer[card] = count + (1 if offer.get(card) == UNCOUNTED else offer.get(card, 0))
    return tuple(offer.items())


# the best use of village effects


def worth(table: Table, market: Market, visit: Visit, goal: str) -> Worth:
    """The worth of counting gold now, the larger the better; see the head of this module."""
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

    Effects that cost nothing and cannot come too early (draws, further purchases, gold for each player) are used at
    once, in that order; states that differ only in which equal copy is meant are one state.
    """

    table: Table
    market: Market
    goal: str
    budget: int = 40_000
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
                            return best[1]
                        seen.add(key)
                        value = worth(self.table, self.market, after, self.goal)
                        if value > best[0]:
                            best = (value, (*line, *actions))
                        following.append((after, (*line, *actions)))
            level = following
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
        for choice in reversed(_distinct(node, legal_actions(table, node))):
            stack.append((play(table, node, choice)[0], (*line, choice)))


def _distinct(visit: Visit, options: tuple[Action, ...]) -> list[Action]:
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


# a given plan


class Follower:
    """Follows one plan; what it leaves open is chosen by the goal."""

    def __init__(self, table: Table, market: Market, find: Finder, goal: str) -> None:
        self.table = table
        self.market = market
        self.find = find
        self.goal = goal

    def follow(self, start: Visit, plan: list[Step]) -> Line:
        """The line of the plan; raises the error of the first step that cannot be taken, with its number."""
        nodes: list[tuple[Visit, Line]] = [(start, ())]
        counted_at: list[Worth] = []
        for number, step in enumerate(plan, 1):
            kind = kind_of(step, number, STEP_KEYS)
            found: list[tuple[Visit, Line]] = []
            problem: ThunderrefError | None = None
            if kind != "use" and not counted_at:
                nodes, counted_at = self._counted(nodes)
            for visit, line in nodes:
                try:
                    found += [(after, (*line, *more)) for after, more in self._step(visit, kind, step, number)]
                except ThunderrefError as error:
                    problem = problem or error
            if not found and problem is not None:
                problem.params.setdefault("step", number)
                raise problem
            nodes = found
        if not counted_at:
            nodes, _ = self._counted(nodes)
        return nodes[0][1]

    def _counted(self, nodes: list[tuple[Visit, Line]]) -> tuple[list[tuple[Visit, Line]], list[Worth]]:
        """Counts the gold on every branch, the best first."""
        worths = [worth(self.table, self.market, visit, self.goal) for visit, _ in nodes]
        order = sorted(range(len(nodes)), key=lambda place: worths[place], reverse=True)
        count = Action("count")
        counted_nodes = [(play(self.table, nodes[i][0], count)[0], (*nodes[i][1], count)) for i in order]
        return counted_nodes, [worths[i] for i in order]

    def _step(self, visit: Visit, kind: str, step: Step, number: int) -> Iterator[tuple[Visit, Line]]:
        if kind == "buy":
            action = Action("buy", self.find(_text(step, "buy", number), STOCK), 0)
            yield child(self.table, visit, action)[0], (action,)
            return
        if kind == "level_up":
            ref = self._ref(visit, _text(step, "level_up", number), "R3.5")
            action = Action("level_up", ref, self._next(visit, ref, step, number))
            yield child(self.table, visit, action)[0], (action,)
            return
        effect = step.get("effect", 1)
        if not isinstance(effect, int) or isinstance(effect, bool):
            raise InputError("bad-step-value", step=number, key="effect", value=str(effect))
        if visit.phase != "effects":
            raise IllegalStepError("gold-counted", rule="R3.2")
        action = Action("use", self._ref(visit, _text(step, "use", number), "R3.1"), effect)
        yield from self._chosen(visit, action, step)

    def _chosen(self, visit: Visit, action: Action, step: Step) -> Iterator[tuple[Visit, Line]]:
        """The ways to use an effect: choices as the plan names them, else every possible one."""
        wanted = {key: [str(v) for v in _values(step[key])] for key in CHOICES if key in step}
        stack: list[tuple[Visit, Line, dict[str, int]]] = [(child(self.table, visit, action)[0], (action,), {})]
        problem: ThunderrefError | None = None
        done = False
        while stack:
            node, line, made = stack.pop()
            if not node.turn.todo:
                unused = [key for key in wanted if made.get(key, 0) < len(wanted[key])]
                if unused:
                    problem = problem or IllegalStepError("unasked-choice", rule="R3.1", key=unused[0])
                    continue
                done = True
                yield node, line
                continue
            options = legal_actions(self.table, node)
            key = options[0].a
            n = made.get(key, 0)
            if n < len(wanted.get(key, ())):
                name = wanted[key][n]
                try:
                    choice = Action("choose", key, self._ref(node, name, "R3.1"))
                    if choice not in options:
                        raise IllegalStepError(
                            "illegal-choice", rule="R3.1", card=node.turn.todo[0].source[0], key=key, value=name
                        )
                except ThunderrefError as error:
                    problem = problem or error
                    continue
                branches, made = [choice], {**made, key: n + 1}
            else:
                branches = _distinct(node, options)
            for choice in reversed(branches):
                stack.append((play(self.table, node, choice)[0], (*line, choice), made))
        if not done and problem is not None:
            raise problem

    def _ref(self, visit: Visit, name: str, rule: str) -> Ref:
        """The copy that a name means; the error says what became of a card that is not in play any more."""
        try:
            return ref_of(visit.turn, name, self.find)
        except IllegalStepError as error:
            card = str(error.params["card"])
        turn = visit.turn
        if rule == "R3.5" and card in turn.gained:
            raise IllegalStepError("hero-just-gained", rule=rule, card=card)
        if card in (gone for gone, _ in turn.destroyed):
            raise IllegalStepError("destroyed-card", rule="R3.5" if rule == "R3.5" else "R3.1", card=card)
        copy = name.partition("#")[2].strip()
        raise IllegalStepError("not-in-play", rule=rule, card=card, copy=int(copy) if copy.isdigit() else 1)

    def _next(self, visit: Visit, ref: Ref, step: Step, number: int) -> str:
        """What the hero is to become: as the plan says, else the one card he can."""
        if "to" in step:
            return self.find(_text(step, "to", number), frozenset({"hero"}))
        found = {to for other, to, _ in level_ups(self.table, visit) if other == ref}
        if not found:
            spec = self.table.book[ref[0]]
            code = "level-none-left" if spec.is_hero and (spec.level_cost or not spec.level) else "no-next-level"
            raise IllegalStepError(code, rule="R3.5", card=ref[0])
        if len(found) > 1:
            raise InputError("missing-step-key", step=number, key="to")
        return found.pop()


def _text(step: Step, key: str, number: int) -> str:
    if not isinstance(step[key], str) or not step[key].strip():
        raise InputError("bad-step-value", step=number, key=key, value=str(step[key])[:40])
    return str(step[key])


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# putting it into words


class VisitWriter(LineWriter):
    """Writes the actions of a visit as plan steps."""

    def put(self, table: Table, visit: Visit, action: Action) -> None:
        """Adds an action taken in ``visit``."""
        if action.kind == "buy":
            self.steps.append({"buy": action.a})
        elif action.kind == "level_up":
            self.steps.append({"level_up": name_of(action.a), "to": action.b})
        else:
            self.add(table, visit.turn, action)


def tell(
    table: Table, start: Visit, line: Line, asked: VisitDocument, market: Market, words: Words, *, proven: bool
) -> VisitResult:
    """The result of a line: replayed, every event put into words."""
    if Action("count") not in line:
        line = (*line, Action("count"))
    writer = VisitWriter()
    events: list[tuple[str, Event]] = []
    if asked.xp:
        events.append(("use", Event("xp-owned", "", ("R3.4",), (("xp", asked.xp),))))
    counted_visit = visit = start
    bought = len([action for action in line if action.kind == "buy"])
    for action in (*line, Action("end")):
        writer.put(table, visit, action)
        visit, happened = play(table, visit, action)
        events += [(action.kind, event) for event in happened if event.key != "gold-lost" or bought]
        if action.kind == "count":
            counted_visit = visit
    options = list(_first(market.options(counted_visit.gold, counted_visit.buys, counted_visit.after)))
    complete = len(options) <= MOST_OPTIONS
    options = options[:MOST_OPTIONS]
    if asked.goal == "vp":
        options.sort(key=lambda option: (-option.vp, -option.cost, len(option.cards)))
    happenings = [event for _, event in events]
    return VisitResult(
        goal=asked.goal,
        gold=counted_visit.gold,
        gold_left=visit.gold,
        buys=visit.buys + len(visit.bought),
        buys_after=list(visit.after),
        xp=counted_visit.turn.xp,
        xp_left=visit.turn.xp,
        drawn=[event.card for event in happenings if event.key == "drawn"],
        destroyed=[card for card, _ in visit.turn.destroyed],
        discarded=[card for card, _ in visit.turn.discarded],
        gained=list(visit.turn.gained),
        on_deck=list(visit.on_deck),
        line=writer.steps,
        steps=[_told(event, kind, words) for kind, event in events],
        options=[BuyOption(buy=list(o.cards), cost=o.cost, left=counted_visit.gold - o.cost, vp=o.vp) for o in options],
        options_complete=complete,
        level_ups=level_ups_of(table, counted_visit),
        unknown_draws=visit.turn.unknown_draws,
        unknown=sorted({event.card for event in happenings if event.key in ("brawl-unknown", "tax-unknown")}),
        proven=proven,
    )


def _first(options: Iterator[Any]) -> Iterator[Any]:
    for _, option in zip(range(MOST_OPTIONS + 1), options, strict=False):
        yield option


def level_ups_of(table: Table, visit: Visit) -> list[LevelUp]:
    """The heroes whom the XP can level up, equal ones once; a level of which no card is left is listed too."""
    everything = dict(visit.offer)
    for slot in visit.turn.hand:
        for card, spec in table.book.specs.items():
            if spec.level and spec.family == table.book[slot.card].family:
                everything.setdefault(card, 0)
    every = visit._replace(offer=tuple((card, UNCOUNTED) for card in everything))
    left = dict(visit.offer)
    found: dict[tuple[str, str], LevelUp] = {}
    for (hero, _), to, cost in level_ups(table, every):
        if cost <= visit.turn.xp:
            available = bool(left.get(to)) if visit.offer_known else None
            found[hero, to] = LevelUp(hero=hero, to=to, cost=cost, available=available)
    return list(found.values())


def _told(event: Event, kind: str, words: Words) -> VisitStep:
    params = dict(event.params)
    name = words.card(event.card) if event.card else ""
    if params.get("copy", 1) > 1:
        name = f"{name} #{params['copy']}"
    fields = {"card": name, **fields_of(event.params, words)}
    if "effect" in params:
        fields["text"] = words.text(f"card.{event.card}.{params['effect']}") or ""
    text = words.say(f"event.{event.key}", **fields)
    figures = {key: params.get(key, 0) for key in ("gold", "xp", "gold_paid", "xp_paid")}
    return VisitStep(text=text, part=PARTS[kind], rules=list(event.rules), card=event.card or None, **figures)


__all__ = ["Follower", "Search", "State", "visit"]
