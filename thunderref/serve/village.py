"""A visit to the village by tapping: the hand, what it can buy, whom it can level up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from thunderref.errors import ThunderrefError
from thunderref.serve.battle import FULL, HAND, asking
from thunderref.serve.page import Visitor
from thunderref.serve.taps import MOST_TEXT, TAPS, Reader, address, listed, tapped
from thunderref.serve.tonight import in_hand

FIRST = 6
"""What can be bought is shown so many at once; the rest is one tap away."""
MOST = 40
PANES = ("hand", "gold")


@dataclass(frozen=True)
class Visit:
    """What the address of a visit says; ``rest`` as in a battle."""

    hand: tuple[str, ...] = ()
    xp: str = ""
    pane: str = ""
    rest: str = ""

    @property
    def shown(self) -> str:
        return self.pane or ("hand" if len(self.hand) < FULL else "gold")

    def address(self, **changed: str) -> str:
        parts = {"hand": ",".join(self.hand), "xp": self.xp, "pane": self.pane, "rest": self.rest, **changed}
        return address("/village", parts)


def visit_of(query: QueryParams, reader: Reader) -> Visit:
    pane, xp = query.get("pane", ""), query.get("xp", "")
    pane = pane if pane in PANES else ""
    xp = xp if xp.isascii() and xp.isdecimal() and len(xp) <= 3 else ""
    before, rest = listed(query.get("hand", ""), HAND, reader)
    typed = query.get("rest", "")[:MOST_TEXT]
    if not any(tap in query for tap in TAPS):
        return Visit(tuple(before), xp, pane, ", ".join(rest)[:MOST_TEXT] or typed)
    cards, unclear = tapped(before, query, HAND, reader)
    rest += [*unclear, *([typed] if "add" in query and typed else [])]
    pane = "" if pane == "hand" and not before else pane
    return Visit(tuple(cards), xp, pane, ", ".join(rest)[:MOST_TEXT])


def village_page(visitor: Visitor, query: QueryParams) -> dict[str, Any]:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, made = visitor.words, visitor.made
    reader = Reader(words)
    visit = visit_of(query, reader)
    known = ("hand", "xp", "pane", "rest")
    given = {key: query[key] for key in (*known, *TAPS, "to") if key in query}
    if (to := visit.address()) != address("/village", {**dict.fromkeys(known, ""), **given}):
        return {"go": to}
    found, error = None, None
    document: dict[str, Any] = {"hand": [*visit.hand], "xp": int(visit.xp or 0)}
    if made is not None:
        document["players"] = made.content.players
    if visit.hand:
        try:
            found = visitor.asker.village(document)
        except ThunderrefError as problem:
            error = problem
    pane, gold = visit.shown, "" if found is None else str(found.gold)
    parts = []
    all_steps = [] if found is None else found.steps
    for part in ("effects", "gold", "buy", "level"):
        steps = tuple((step.text, " ".join(step.rules)) for step in all_steps if step.part == part)
        if steps:
            parts.append((words.say(f"village.{part}"), steps))
    return {
        "visit": visit, "pane": pane, "made": made, "found": found,
        **asking(visit.rest, HAND if pane == "hand" else None, reader),
        "sentence": words.error(error) if error else "", "refused": error is not None,
        "groups": in_hand(words, made), "mark": gold, "parts": parts, "first": FIRST,
        "options": [] if found is None else found.options[:MOST],
        "level_ups": [] if found is None else _level_ups(found),
        "at": {"hand": ",".join(visit.hand), "hall": visitor.at.get("hall", "")},
        "line": [step.text for step in all_steps if step.part == "effects" and step.card is not None],
        "steps": [
            (words.say("serve.pane.hand"), str(len(visit.hand)), visit.address(pane="hand", rest=""), pane == "hand"),
            (words.say("serve.pane.gold"), gold, visit.address(pane="gold", rest=""), pane == "gold"),
        ],
        "forward": (gold or words.say("serve.pane.gold"), visit.address(pane="gold", rest="")),
    }  # fmt: skip


def _level_ups(found: Any) -> list[Any]:
    """The level-ups that there are cards for, each once."""
    return list({(one.hero, one.to): one for one in found.level_ups if one.available}.values())
