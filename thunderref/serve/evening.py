"""The evening on the phone: what is shown of it, and what one tap adds to it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from starlette.datastructures import QueryParams

from thunderref.database.card_records import RANKS
from thunderref.database.read import Language
from thunderref.errors import InputError, ThunderrefError
from thunderref.pages.evening_page import correction_title, event_text, figures_of, log_page, sheet_pages, title_of
from thunderref.search.understand import split_list
from thunderref.serve.plan import NONE, read_plan
from thunderref.serve.tiles import EMPTY_RANK, HOLE
from thunderref.serve.visitor import Parts, Visitor
from thunderref.thunderstone.setup.codes import Features
from thunderref.thunderstone.setup.memory import Tonight
from thunderref.thunderstone.setup.setup import Setup
from thunderref.thunderstone.table import evening_events as events
from thunderref.thunderstone.table.evening import (
    Evening,
    EveningEvent,
    EveningPlayer,
    begin,
    find_cards,
    keep,
    latest_evening,
    require_no_evening,
    take_back,
    version,
)
from thunderref.thunderstone.table.record import people

ANYWAY = {"evening-unseen": ("unseen", "serve.unseen"), "evening-running": ("sure", "serve.replace")}
"""Error that a player may override -> the field of the form that does so, and the words of its button."""
EVERY, ALIVE = 0.5, 15.0
"""Seconds between two looks for something new, and after which a silent connection says that it is there."""
Sent = Mapping[str, Sequence[str]]


def table_parts(visitor: Visitor) -> Parts:
    """The parts of the page Tonight about the evening: whose turn, hall, players, what was done, the last first."""
    now, words = visitor.evening, visitor.words
    if now is None:
        return {"evening": None, "sheet": visitor.sheet is not None}
    players = [(player.name, figures_of(player, words)) for player in now.players]
    sentences = [event_text(event, words) for event in reversed(now.events)]
    return {"evening": now, "title": title_of(now, words), "players": players, "done": sentences}


def sheet_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The sheet of the evening with the set-up on the table, under way or over; the first page without one.

    Of an evening under way also what can be corrected: a ``player``, or the ``stacks``.
    """
    now, words = visitor.sheet, visitor.words
    if now is None:
        return {"go": "/"}
    player = next((player for player in now.players if player.name == query.get("player")), None)
    if not now.over and (player or query.get("stacks")):
        counts = sorted((player.deck if player else now.stacks).items(), key=lambda count: words.card(count[0]))
        return {
            "template": "correct.html", "title": player.name if player else words.say("serve.put-right"),
            "player": player, "cards": counts, "places": _places(visitor, now, player),
            "tokens": None if player or now.variant != "marauding" else now.tokens, "mistake": (None, ""), "typed": "",
        }  # fmt: skip
    return {"pages": sheet_pages(now, words), "happened": log_page(now, words)}


def _places(
    visitor: Visitor, now: Evening, player: EveningPlayer | None
) -> list[tuple[str, str, list[tuple[str, int]]]]:
    """Where cards may lie besides decks and stacks, by this set-up: the name, its words, and the cards there."""
    features = visitor.made.content.features if visitor.made else Features()
    there = {
        "penalties": player is not None and now.variant == "marauding", "rank0": not player and features.guardians,
        "caged": not player and features.traps, "escaped": not player and now.variant == "solo",
    }  # fmt: skip
    cards = events.listed_cards(now, player or now.active)
    return [
        (name, correction_title(name, visitor.words), [*Counter(cards[name]).items()])
        for name, is_there in there.items()
        if is_there or (cards[name] and (name == "penalties") == bool(player))
    ]


def code_to_put_back(tonight: Tonight | None) -> str | None:
    """The set-up of the evening under way, if another one is on the table; else None."""
    now = latest_evening()
    return now.code if now is not None and not now.over and (tonight is None or tonight.code != now.code) else None


def change(visitor: Visitor, sent: Sent) -> str:
    """Adds to the evening what was tapped; the address to go on with.

    Raises :class:`InputError` (``evening-moved``) if the table is another than the one that was seen, and what the
    rules say against it.
    """
    words, do, to = visitor.words, _one(sent, "do"), _one(sent, "to") or "/"
    ends = _one(sent, "stays") == ""

    def entries(name: str) -> list[str]:
        return split_list(_one(sent, name), words)

    def event(now: Evening) -> EveningEvent:
        _check_seen(sent)
        ranks = [{EMPTY_RANK: "-", HOLE: None}.get(card, card) for card in entries("hall")]
        hand, dungeon, player = entries("hand"), entries("dungeon") or None, _one(sent, "player") or None
        budget = visitor.threads.budget()
        options: dict[str, Any] = {"player": player, "ends": ends, "unseen": bool(_one(sent, "unseen")), "asks": True}
        options |= {"toll": entries("toll")} if "toll" in sent else {}
        match do:
            case "hall":
                return events.hall(now, words, [*ranks, *[None] * (RANKS - len(ranks))])
            case "battle":
                rank, won = _one(sent, "rank"), {"won": True, "lost": False}.get(_one(sent, "result"))
                battle: dict[str, Any] = {"hand": hand, "plan": read_plan(sent.get("plan", ()))}
                battle |= {"target": int(rank)} if rank in ("0", "1", "2", "3") else {}
                battle |= {key: cards for key in ("deck", "dungeon") if (cards := entries(key))}
                battle |= {"hall": ranks} if ranks else {}
                options |= {name: bool(_one(sent, name)) for name in ("draws", "drawn")}
                return events.battle(now, words, battle, won=won, budget=budget, **options)
            case "visit":
                steps = events.steps_of(words, entries("buy"), sent.get("level", ()))
                marked = [step for step in read_plan(sent.get("plan", ())) if NONE not in step]
                visit = {"hand": hand, "deck": entries("deck") or None, "plan": [*marked, *steps]}
                ended = events.village(now, words, visit, budget=budget, dungeon=dungeon, **options)
            case "level":
                return events.level_up(now, words, _one(sent, "hero"), _one(sent, "into") or None, visitor.player)
            case "rest":
                card = _one(sent, "card") or None
                ended = events.rest(now, words, card, hand=hand or None, dungeon=dungeon, **options)
            case "penalty":
                return events.penalty(now, words, player=player, dungeon=dungeon)
            case "correct":
                places, of = events.listed_cards(now, now.player(player)), _one(sent, "of") or "deck"
                right: dict[str, Any] = {key: entries(key) for key in ("stacks", *places) if key in sent}
                right |= {key: int(text) for key in ("xp", "tokens") if (text := _one(sent, key)[:3]).isdecimal()}
                if {"more", "less"} & sent.keys() and of in places:
                    owned = Counter(places[of])
                    owned.update(find_cards(words, entries("more")))
                    owned.subtract(find_cards(words, entries("less")))
                    right[of] = [f"{n} {card}" for card, n in owned.items() if n > 0]
                return events.correct(now, words, player=player, **right)
            case "next":
                ended = events.next_turn(now)
            case "end":
                return EveningEvent(do="end")
            case _:
                raise InputError("not-one-of", key="do", allowed="", value=do[:40])
        return _with_hall(now, words, ended, ranks)

    if do not in ("start", "undo"):
        keep(event)
        return "/" if ends else to
    _check_seen(sent)
    if do == "undo":
        take_back()
        return to
    if visitor.made is None:
        raise InputError("no-tonight")
    if "sure" not in sent:
        require_no_evening(visitor.now)
    begin(events.start(visitor.made, _read_names(visitor.made, sent.get("players", ()), words), words))
    return "/"


def _read_names(setup: Setup, fields: Sequence[str], words: Language) -> tuple[str, ...]:
    """The names typed, a field for each player: an empty one is optional, several names in one are several players.

    Raises the errors of :func:`events.seats`, with the place of the ``field`` that is at fault.
    """
    names, players = tuple[str, ...](), setup.content.players
    usual = [seat.name for seat in people(players, words)]
    for place, text in enumerate((*fields, *[""] * (players - len(fields)))):
        if text.strip() or len(names) <= place:
            try:
                names = events.seats(", ".join((*names, text.strip() or usual[place])), words) or ()
                if len(names) > players:
                    raise InputError("play-number", players=players, n=len(names))
            except InputError as error:
                error.params["field"] = place
                raise
    return names


def _with_hall(now: Evening, words: Language, event: EveningEvent, ranks: Sequence[str | None]) -> EveningEvent:
    """The event with the hall that was tapped in beside it, which all phones are to see.

    A Thunderstone in it came before what is told, and may have ended the game: then it alone is kept.
    """
    if event.hall is not None or not any(ranks):
        return event
    there = events.hall(now, words, ranks)
    return there if there.stone else replace(event, hall=there.hall, rank0=there.rank0, breach=there.breach)


def answers_to(visitor: Visitor, error: ThunderrefError, sent: Sent) -> list[tuple[str, str, str]]:
    """The possible answers to a tap that lacks one: field, value and the words of its button."""
    words, now = visitor.words, visitor.evening
    if error.code in ANYWAY:
        name, label = ANYWAY[error.code]
        return [(name, "1", words.say(label))]
    if error.code == "evening-other-hall":
        ranks = [words.card(card) for card in split_list(_one(sent, "hall"), words) if card in words.database.cards]
        return [("stays", "1", words.say("evening.hall-is", cards=words.listed(ranks)))]
    if error.code == "evening-draw":
        name = str(error.params["name"])
        return [("result", result, words.say(f"serve.seen.{result}", name=name)) for result in ("won", "lost")]
    if error.code == "evening-toll" and now is not None:
        owned = {*now.player(_one(sent, "player") or None).deck, *split_list(_one(sent, "hand"), words)}
        cards = sorted((words.card(card), card) for card in owned if card in words.database.cards)
        return [*(("toll", card, name) for name, card in cards), ("toll", "", words.say("serve.toll-none"))]
    return []


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
