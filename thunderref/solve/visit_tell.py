"""From the line of a visit to its result: the line replayed, every event put into words."""

from __future__ import annotations

from itertools import islice

from thunderref.engine.state import Action, Table
from thunderref.engine.values import replace
from thunderref.engine.village import level_ups, play
from thunderref.engine.visit import UNCOUNTED, Visit
from thunderref.explain.terms import Event
from thunderref.model.visit import BuyOption, LevelUp, VisitDocument, VisitResult, VisitStep
from thunderref.solve.notation import LineWriter, name_of
from thunderref.solve.purchases import MOST_OPTIONS, Market
from thunderref.solve.tell import fields_of
from thunderref.solve.visit_search import Line
from thunderref.words.words import Words

PARTS = {"use": "effects", "choose": "effects", "count": "gold", "buy": "buy", "level_up": "level", "end": "level"}


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
    options = list(
        islice(market.options(counted_visit.gold, counted_visit.buys, counted_visit.after), MOST_OPTIONS + 1)
    )
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
        on_deck=[card for card, _ in visit.on_deck],
        line=writer.steps,
        steps=[_told(event, kind, words) for kind, event in events],
        options=[BuyOption(buy=list(o.cards), cost=o.cost, left=counted_visit.gold - o.cost, vp=o.vp) for o in options],
        options_complete=complete,
        level_ups=level_ups_of(table, counted_visit),
        stacks_known=start.offer_known,
        unknown_draws=visit.turn.unknown_draws,
        unknown=sorted({event.card for event in happenings if event.key in ("brawl-unknown", "tax-unknown")}),
        proven=proven,
    )


def level_ups_of(table: Table, visit: Visit) -> list[LevelUp]:
    """The heroes whom the XP can level up, equal ones once; a level of which no card is left is listed too."""
    everything = dict(visit.offer)
    for slot in visit.turn.hand:
        for card, spec in table.book.specs.items():
            if spec.level and spec.family == table.book[slot.card].family:
                everything.setdefault(card, 0)
    every = replace(visit, offer=tuple((card, UNCOUNTED) for card in everything))
    left = dict(visit.offer)
    found: dict[tuple[str, str], LevelUp] = {}
    for (hero, _), to, cost in level_ups(table, every):
        if cost <= visit.turn.xp:
            found[hero, to] = LevelUp(hero=hero, to=to, cost=cost, available=bool(left.get(to)))
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
