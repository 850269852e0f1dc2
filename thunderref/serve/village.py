"""A visit to the village by tapping: its gold, and in an evening the marks that make it one turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

from thunderref.answers import VILLAGE
from thunderref.database.card_records import STACKED
from thunderref.pages.page import table_line
from thunderref.pages.play_text import play_sentences
from thunderref.pages.visit_page import visit_pages
from thunderref.serve.plan import NONE, read_plan, write_plan
from thunderref.serve.tapped_pages import (
    FULL,
    LIMITS,
    MOST_TEXT,
    Limit,
    TappedLists,
    Unclear,
    given_address,
    read_entry,
    unclear_entry,
)
from thunderref.serve.tiles import in_hand
from thunderref.serve.visitor import Parts, Visitor, address
from thunderref.thunderstone.resolve.result import VisitResult
from thunderref.thunderstone.resolve.visit import in_order
from thunderref.thunderstone.resolve.visit_moves import Moves, next_moves
from thunderref.thunderstone.rules.notation import Step

SOLD = Limit(1, STACKED)
MARKS = ("mark", "unmark", "buy")
"""What a tap on a row sends: a step that is done, one that is not; and the card that is typed."""


class StepRow(NamedTuple):
    """A step that can be marked: its words, how an address has it, its price or what it destroys."""

    text: str
    step: str
    note: str = ""
    marked: bool = False


def village_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The parts of the page; only ``go`` if another address says the same shorter, or a tap led on."""
    words, pane, xp = visitor.words, query.get("pane", ""), query.get("xp", "")
    lists = TappedLists(words, query, {name: query.get(name, "") for name in ("hand", "deck")}, LIMITS)
    pane = pane if pane in ("hand", "gold", "deck") else ""
    if lists.is_tapped:
        pane = "" if pane == "hand" and not lists.cards["hand"] else pane
        lists.tap("deck" if query.get("to") == "deck" else "hand")
    hand, deck = lists.cards.values()
    xp = xp if xp.isascii() and xp.isdecimal() and len(xp) <= 3 else ""
    plan = [] if lists.is_tapped else query.getlist("plan")  # another hand has nothing of this one
    typed: dict[str, Any] = {
        "hand": ",".join(hand), "deck": ",".join(deck), "xp": xp, "pane": pane, "rest": lists.rest, "plan": plan,
    }  # fmt: skip
    link = partial(address, "/village", **typed)
    if (to := link()) != given_address("/village", typed, query):
        return {"go": to}
    document: dict[str, Any] = {"hand": [*hand], "deck": [*deck] or None} | ({"xp": int(xp)} if xp else {})
    if visitor.made is not None:
        document["players"] = visitor.made.content.players
    visit, error = visitor.attempt(lambda: visitor.judge(VILLAGE, document) if hand else None)
    pane, marks = "hand" if lists.rest and pane != "deck" else pane or ("hand" if len(hand) < FULL else "gold"), None
    if visit is not None and visitor.may_act and pane == "gold":
        marks = Marks(visitor, document, query, visit)
        if any(name in query for name in MARKS) and not marks.unclear:
            return {"go": link(plan=marks.steps)}
        visit, error = marks.found or visit, marks.problem
    gold = "" if visit is None else str(visit.gold_left if marks else visit.gold)
    pages = [] if visit is None else visit_pages(visit, words, typed=False, listed=marks is None)
    heading = words.say("serve.pane.gold")
    return {
        "given": typed, "link": link, "pane": pane, "made": visitor.made, "pages": pages, "gold": gold,
        "hand": hand, "cards": deck if pane == "deck" else hand, "marks": marks,
        "sentence": error, "refused": bool(error), "found": visit,
        "understood": table_line(words, visit.table) if visit else "",
        "groups": in_hand(words, visitor.made),
        "at": {"hand": typed["hand"], "hall": visitor.at.get("hall", "")},
        "steps": [
            (words.say("serve.pane.hand"), str(len(hand)), link(pane="hand", rest="", plan=""), pane == "hand"),
            (heading, gold, link(pane="gold", rest=""), pane == "gold"),
        ],
        "forward": (gold or heading, link(pane="gold", rest="")),
        **unclear_entry(words, typed["rest"], LIMITS["hand"]),
    }  # fmt: skip


class Marks:
    """The marked steps of a visit, judged; at first the effects that destroy nothing.

    ``groups`` are headings with their rows and those folded below them, ``problem`` says why the rules refuse it.
    """

    def __init__(self, visitor: Visitor, document: Mapping[str, Any], query: QueryParams, best: VisitResult) -> None:
        self.visitor, texts, words = visitor, query.getlist("plan"), visitor.words
        self.unclear: Unclear | None = None
        plan = [step for step in read_plan(texts) if NONE not in step]
        if not texts and best.sparing is not None:
            plan = [*best.sparing.line]
        plan += read_plan(query.getlist("mark"))
        if typed := query.get("buy", "")[:MOST_TEXT].strip():
            entry = read_entry(words, typed, SOLD)
            self.unclear = entry if isinstance(entry, Unclear) else None
            plan += [] if isinstance(entry, Unclear) else [{"buy": entry[0]}]
        for step in read_plan(query.getlist("unmark")):
            if step in plan:
                plan.remove(step)
        self.plan: list[Step] = in_order(plan)
        visit = {**document, "plan": self.plan}
        visitor.fill(VILLAGE, visit)
        self.found, self.problem = visitor.attempt(lambda: visitor.judge(VILLAGE, visit))
        moves = next_moves(visit, words) if self.found else Moves([], [], [], [])
        if self.unclear:
            self.problem = words.error(self.unclear.error, on_page=True)
        self.groups = self._groups(moves)

    @property
    def steps(self) -> list[str]:
        """The marks as an address has them."""
        return write_plan(self.plan) or [NONE]

    def _groups(self, moves: Moves) -> list[tuple[str, list[StepRow], list[StepRow]]]:
        words, database = self.visitor.words, self.visitor.words.database
        gone = {write_plan([move.step])[0]: move.destroyed for move in (*moves.taken, *moves.uses)}
        marked = [self._row(step, gone) for step in self.plan if "use" in step]
        uses = [*marked, *(self._row(move.step, gone, marked=False) for move in moves.uses)]
        bought = Counter(str(step["buy"]) for step in self.plan if "buy" in step)
        rows, folded = list[StepRow](), list[StepRow]()
        stacks = self.visitor.evening.stacks if self.visitor.evening else {}
        for card in sorted({*stacks, *bought}, key=lambda card: (-(database.cards[card].cost or 0), words.card(card))):
            note = words.say("serve.price", gold=database.cards[card].cost or 0, n=stacks.get(card, 0))
            row = StepRow(words.card(card), f"buy:{card}", note)
            rows += [row._replace(marked=True)] * bought[card]
            if stacks.get(card) and (card in moves.buys or not bought[card]):
                (rows if card in moves.buys else folded).append(row)
        rises = [self._row(step, gone) for step in self.plan if "level_up" in step]
        rises += [self._row(step, gone, marked=False) for step in moves.level_ups]
        return [
            (words.say("village.effects"), [row for row in uses if not row.note], []),
            (words.say("village.buy"), rows, folded),
            (words.say("village.level"), rises, []),
            (words.say("serve.destroying"), [row for row in uses if row.note], []),
        ]

    def _row(self, step: Step, gone: Mapping[str, tuple[str, ...]], *, marked: bool = True) -> StepRow:
        words, written = self.visitor.words, write_plan([step])[0]
        cards = gone.get(written, ())
        note = words.say("serve.destroys", cards=words.listed(cards)) if cards else ""
        return StepRow(play_sentences([step], words, where="village")[0].rstrip("."), written, note, marked)
