"""The evening on the phone: what is shown of it, and what one tap adds to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from starlette.datastructures import QueryParams

from thunderref.errors import InputError
from thunderref.pages.evening_page import figures_of, log_page, sheet_pages, told
from thunderref.search.understand import split_list
from thunderref.serve.plan import read_plan
from thunderref.serve.tiles import EMPTY, HOLE
from thunderref.serve.visitor import Parts, Visitor
from thunderref.thunderstone.resolve.result import VisitResult
from thunderref.thunderstone.rules.notation import Step
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import Evening, EveningEvent, begin, evening_with, keep, take_back, version

EVERY, ALIVE = 0.5, 15.0
"""Seconds between two looks for something new, and after which a silent connection says that it is there."""
MOST_OFFERS, LAST = 8, 5
Sent = Mapping[str, Sequence[str]]


def table_parts(visitor: Visitor) -> Parts:
    """What Tonight shows of the evening: whose turn, hall, players, what was done last."""
    now, words = visitor.evening, visitor.words
    if now is None:
        return {"evening": None, "sheet": _latest(visitor) is not None}
    done = [told(event, words) for event in reversed(now.events[-LAST:])]
    players = [(each.name, figures_of(each, words)) for each in now.players]
    return {"evening": now, "players": players, "done": done}


def sheet_page(visitor: Visitor, _: QueryParams) -> Parts:
    """The sheet of the evening with the set-up on the table, under way or over; the first page without one."""
    now = _latest(visitor)
    if now is None:
        return {"go": "/"}
    return {"pages": sheet_pages(now, visitor.words), "happened": log_page(now, visitor.words)}


def _latest(visitor: Visitor) -> Evening | None:
    return evening_with(visitor.now.code, over=True) if visitor.now is not None and visitor.keeps else None


def offers(visitor: Visitor, found: VisitResult) -> list[tuple[str, str, str]]:
    """What can be bought with one tap: ids, their names, the gold afterwards and how many are left."""
    now, words = visitor.evening, visitor.words
    if now is None:
        return []
    left = {",".join(each.buy): min(now.stacks.get(card, 0) for card in each.buy) for each in found.options}
    return [
        (ids := ",".join(each.buy), words.listed(each.buy), words.say("serve.offer", gold=each.left, n=left[ids]))
        for each in found.options[:MOST_OFFERS]
    ]


def change(visitor: Visitor, sent: Sent) -> str:
    """Adds to the evening what was tapped; the address to go on with.

    Raises :class:`InputError` (``evening-moved``) if the table is another than the one that was seen, and what the
    rules say against it.
    """
    words, do = visitor.words, _one(sent, "do")
    hand = split_list(_one(sent, "hand"), words)
    ends = _one(sent, "stays") == ""

    def event(now: Evening) -> EveningEvent:
        _check_seen(sent)
        ranks = [None if card in (EMPTY, HOLE) else card for card in split_list(_one(sent, "hall"), words)]
        if do == "hall":
            return events.hall(words, ranks)
        if do == "battle":
            rank = _one(sent, "rank")
            battle = {
                "hand": hand, "target": int(rank) if rank in ("0", "1", "2", "3") else None, "plan": plan(),
                "hall": ranks, "deck": split_list(_one(sent, "deck"), words),
            }  # fmt: skip
            given = {key: value for key, value in battle.items() if value not in (None, [])}
            return events.battle(now, words, given, ends=ends, budget=visitor.threads.budget())
        if do == "visit":
            visit = {
                "hand": hand,
                "deck": split_list(_one(sent, "deck"), words) or None,
                "plan": [*plan(), *({"buy": card} for card in split_list(_one(sent, "buy")))],
            }
            return events.village(now, words, visit, ends=ends, budget=visitor.threads.budget())
        if do == "level":
            return events.level_up(now, words, _one(sent, "hero"), _one(sent, "into") or None, visitor.player)
        if do == "rest":
            return events.rest(now, words, _one(sent, "card") or None, hand=hand or None, ends=ends)
        if do == "next":
            return EveningEvent(do="next", ends=True)
        if do == "end":
            return EveningEvent(do="end")
        raise InputError("not-one-of", key="do", allowed="", value=do[:40])

    def plan() -> list[Step]:
        return read_plan(sent.get("plan", ()))

    if do == "start":
        made = visitor.made
        if made is None:
            raise InputError("no-tonight")
        begin(events.start(made, events.seats(_one(sent, "players") or None, words), words))
        return "/"
    if do == "undo":
        _check_seen(sent)
        take_back()
        return _one(sent, "to") or "/"
    keep(event)
    return "/" if ends else _one(sent, "to") or "/"


def _one(sent: Sent, name: str) -> str:
    return sent.get(name, [""])[0]


def _check_seen(sent: Sent) -> None:
    if _one(sent, "seen") != version():
        raise InputError("evening-moved")


async def changes() -> AsyncIterator[str]:
    """The stream of server-sent events: a mark of the evening now, and again whenever it changes."""
    mark, quiet = None, 0.0
    while True:
        if (now := version()) != mark:
            mark, quiet = now, 0.0
            yield f"data: {now}\n\n"
        elif quiet >= ALIVE:
            quiet = 0.0
            yield ":\n\n"
        await asyncio.sleep(EVERY)
        quiet += EVERY
