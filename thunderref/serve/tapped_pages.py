"""Battles and scores by tapping: every page says all of it in its address, and does the tap in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

import thunderref
from thunderref.database.card_records import RANKS
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.pages.battle_page import battle_cost, best_target, draws_text, target_page, verdict
from thunderref.pages.page import Block, Line, Page, table_line
from thunderref.pages.visit_page import score_pages
from thunderref.search.counts import read_count
from thunderref.search.names import find_card
from thunderref.search.query import shorten
from thunderref.search.understand import split_list
from thunderref.serve.api import check_size
from thunderref.serve.plan import Tried, planned, write_plan
from thunderref.serve.searches import LONGEST
from thunderref.serve.tiles import EMPTY, HOLE, IN_A_HAND, WON, in_hall, in_hand, with_points
from thunderref.serve.visitor import Parts, Visitor, address
from thunderref.thunderstone.resolve.result import Resolution, TargetResult

MOST_TEXT = 200
"""Characters of what is typed at once."""
MOST_CANDIDATES = 6
TAPS = ("add", "drop", "undo", "type")
FULL = 6
"""Cards of a usual hand: with so many the verdict is the next page."""
PANES = ("hall", "hand", "verdict")
"""The parts of a battle, in their order."""
MOST_PLAYERS = 5
MOST_NAME = 24
_OF_PLAYERS = ("player", "name", "out")


class Limit(NamedTuple):
    """What a list may hold: so many cards of these kinds, and empty ranks."""

    most: int
    kinds: frozenset[str]
    gaps: bool = False


LIMITS = {"hall": Limit(RANKS, frozenset(WON), gaps=True), "hand": Limit(24, frozenset((*IN_A_HAND, *WON)))}
LIMITS["deck"] = LIMITS["hand"]  # the cards that were drawn
DECK = LIMITS["hand"]._replace(most=99)


class Unclear(NamedTuple):
    """An entry that names no card for sure: why, and the cards it may mean."""

    entry: str
    error: ThunderrefError
    candidates: tuple[str, ...]
    copies: int


def read_entry(words: Language, entry: str, limit: Limit) -> list[str] | Unclear:
    """The card that an entry names, its copies repeated."""
    cards, copies = words.database.cards, 1
    if entry in cards and cards[entry].kind in limit.kinds:
        return [cards[entry].reprint_of or entry]
    if limit.gaps and entry in (EMPTY, "–", "—", HOLE):
        return [HOLE if entry == HOLE else EMPTY]
    try:
        number, name = read_count(words.database, entry)
        copies = number or 1
        return [find_card(words.database, name, limit.kinds, lang=words.lang)] * min(copies, limit.most)
    except ThunderrefError as error:
        near = tuple(each.id for each in error.candidates if each.id in cards)
        return Unclear(entry, error, near[:MOST_CANDIDATES], min(copies, limit.most))


class TappedLists:
    """The lists of an address by name, as texts, and what a tap does to them.

    ``rest`` is what names no card for sure; ``is_tapped`` is True if there is a tap in the address.
    """

    def __init__(self, words: Language, query: QueryParams, texts: Mapping[str, str], limits: Mapping[str, Limit]):
        self._words, self._query, self._limits = words, query, limits
        self._unclear = list[str]()
        self.cards = {name: self._read(str(check_size(text)), limits[name]) for name, text in texts.items()}
        self.is_tapped = any(tap in query for tap in TAPS)
        typed = query.get("rest", "")[:MOST_TEXT]
        if "add" in query:  # what was still unclear beside the card that is now chosen
            self._unclear.append(typed)
        elif not self.is_tapped:
            self._unclear = self._unclear or [typed]

    def _read(self, text: str, limit: Limit, left: Iterable[str] = ()) -> list[str]:
        cards = [*left]
        for entry in split_list(text, self._words):
            found = read_entry(self._words, entry, limit)
            if isinstance(found, Unclear):
                self._unclear.append(entry)
            elif left and HOLE in cards:
                cards[cards.index(HOLE)] = found[0]
            else:
                cards += found
        return cards[: limit.most]

    @property
    def rest(self) -> str:
        return ", ".join(filter(None, self._unclear))[:MOST_TEXT]

    def tap(self, name: str) -> None:
        """Takes the last card out of a list, or another, and puts the cards in that are added or typed.

        In a hall the ranks behind a card that is taken out by its place stay where they are.
        """
        left, query = self.cards[name], self._query
        if "undo" in query:
            del left[-1:]
        for entry in split_list(query.get("drop", "")):
            if self._limits[name].gaps and entry in ("0", "1", "2"):
                left[int(entry) : int(entry) + 1] = [HOLE] * (int(entry) < len(left))
            elif entry in left:
                del left[len(left) - 1 - left[::-1].index(entry)]
        while left[-1:] == [HOLE]:
            left.pop()
        for text in (query.get("add", ""), query.get("type", "")[:MOST_TEXT]):
            left = self._read(text, self._limits[name], left)
        self.cards[name] = left


def unclear_entry(words: Language, rest: str, limit: Limit) -> Parts:
    """What asks for the first entry that is still to be made clear, and the entries beside it."""
    entries = [entry.strip() for entry in rest.split(",") if entry.strip()]
    for place, entry in enumerate(entries):
        found = read_entry(words, entry, limit)
        if isinstance(found, Unclear):
            left = ", ".join((*entries[:place], *entries[place + 1 :]))
            several = words.say("serve.several", query=shorten(entry))
            text = several if found.error.code == "ambiguous-card" else words.error(found.error, on_page=True)
            return {"unclear": found, "unclear_rest": left, "unclear_text": text}
    return {"unclear": None, "unclear_rest": "", "unclear_text": ""}


def given_address(path: str, names: Iterable[str], query: QueryParams) -> str:
    """The address that was asked for, without what no page reads; only the address without its taps stays."""
    taps = [tap for tap in (*TAPS, "to", "hero") if tap in query]
    return address(path, **{name: query.getlist(name) for name in (*names, *taps)})


def battle_address(lists: TappedLists, query: QueryParams, words: Language) -> dict[str, Any]:
    """What the address of a battle says once the tap in it is done; what does not fit is left out."""
    pane, budget = query.get("pane", ""), str(check_size(query.get("budget", "")))
    pane = pane if pane in (*PANES, "deck") else ""
    plan = planned(words, query)
    if lists.is_tapped:
        before = {name: len(cards) - cards.count(HOLE) for name, cards in lists.cards.items()}
        to = query.get("to", shown_pane(lists, pane))
        to = to if to in LIMITS else "hand"
        lists.tap(to)
        full = len(lists.cards["hall"]) == RANKS and HOLE not in lists.cards["hall"]
        is_full = to == "hall" and full and before["hall"] < RANKS  # on to the hand
        is_new = to == "hand" and pane == "hand" and not before["hand"]  # who comes back to change one stays there
        pane, budget = "" if is_full or is_new else pane, ""
        plan = plan if to == "deck" else {}
    texts = {name: ",".join(cards) for name, cards in lists.cards.items()}
    budget = budget if budget.isascii() and budget.isdecimal() else ""
    return {**texts, "pane": pane, "rest": lists.rest, "budget": budget, **plan}


def shown_pane(lists: TappedLists, pane: str) -> str:
    """The part of a battle that shows: the one asked for, or the first that is not filled yet."""
    hall, hand = lists.cards["hall"], lists.cards["hand"]
    lacks = len(hall) < RANKS or HOLE in hall
    return pane or ("hall" if lacks and not hand else "hand" if len(hand) < FULL else "verdict")


def battle_page(visitor: Visitor, query: QueryParams) -> Parts:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words = visitor.words
    shared = hall_of(visitor)
    texts = {name: query.get(name, "") for name in LIMITS}
    lists = TappedLists(words, query, texts | {"hall": texts["hall"] or shared}, LIMITS)
    given = battle_address(lists, query, words)
    at = {"hall": given["hall"].replace(HOLE, EMPTY), "hand": given["hand"]}
    given["hall"] = "" if given["hall"] == shared else given["hall"]  # the page follows the table
    at |= {"draft": given["hall"], "seen": visitor.mark} if visitor.evening else {}
    if (to := address("/resolve", **given)) != given_address("/resolve", given, query):
        return {"go": to}

    def link(**changes: Any) -> str:
        new = {"plan": [], "deck": ""} if "hand" in changes else {}  # another hand has nothing of this one
        return address("/resolve", **{**given, "held": "", "others": "", **new, **changes})

    pane, (hall, hand, deck), budget = shown_pane(lists, given["pane"]), lists.cards.values(), given["budget"]
    ranks = [None if card in (EMPTY, HOLE) else card for card in hall]
    seconds = float(budget[:6]) if budget.strip("0") else None
    is_asked, document = hand and any(ranks), {"hand": [*hand], "hall": ranks, "deck": [*deck] or None}
    if ranks and ranks[0] and words.database.cards[ranks[0]].kind == "guardian":  # nobody can tap rank 0 (R6.7)
        document |= {"hall": ranks[1:], "rank0": ranks[:1]}
    found, error = visitor.attempt(lambda: visitor.resolve(document, seconds) if is_asked else None)
    targets = [] if found is None else [_target_view(target, found, words) for target in found.targets]
    won = sum(each["target"].outcome == "victory" for each in targets)
    sentence = error
    if found is not None and not won:
        none = "serve.none-beaten.draws" if any(t.draws for t in found.targets) else "serve.none-beaten"
        sentence = words.say(none) if best_target(found) else verdict(found, words)
    mark = "" if found is None else f"✓{won}" if won else "✗"
    refused = bool(error)
    if found is not None and pane == "verdict":
        tried = Tried(visitor, document, given, link, seconds)
        targets = tried.shown(targets, partial(_target_view, words=words))
        refused, sentence = bool(tried.problem), tried.astray or sentence
    counts = {"hall": f"{len(hall) - hall.count(HOLE)}/{RANKS}", "hand": str(len(hand)), "verdict": mark}
    following, limit = ("hand", "hall") if pane == "hall" else ("verdict", "hand")
    heading = words.say(f"serve.pane.{following}")
    return {
        "given": given, "link": link, "hand": hand, "pane": pane, "beaten": mark, "won": won, "targets": targets,
        "sentence": sentence, "refused": refused, "cards": lists.cards.get(pane, hand),
        "groups": in_hall(words, visitor.made) if pane == "hall" else in_hand(words, visitor.made),
        "steps": [
            (words.say(f"serve.pane.{each}"), counts[each], link(pane=each, rest=""), each == pane) for each in PANES
        ],
        "forward": ((mark if pane != "hall" else "") or heading, link(pane=following, rest="")),
        "slow": any(not each["target"].proven for each in targets) and budget != f"{LONGEST:g}",
        "understood": "" if found is None else table_line(words, found.table),
        "longest": f"{LONGEST:g}", "at": at, "write_plan": write_plan, "hall": ",".join(hall),
        **unclear_entry(words, given["rest"] if pane != "verdict" else "", LIMITS[limit]),
    }  # fmt: skip


def hall_of(visitor: Visitor) -> str:
    """The hall of the evening as an address has it, "" without one."""
    hall = visitor.evening.hall if visitor.evening else ()
    return ",".join(card or HOLE for card in hall).rstrip(f",{HOLE}")


def _target_view(target: TargetResult, found: Resolution, words: Language) -> Parts:
    """One target among all, and the next turn."""
    after = ",".join(card or EMPTY for card in target.hall_after).rstrip(f",{EMPTY}")
    return target_view(target, words) | {
        "change": None,
        "is_best": (target.rank, target.monster) == (found.best, found.best_monster),
        "next_turn": address("/resolve", hall=after) if target.outcome != "barred" and not target.game_ends else "",
    }


def target_view(target: TargetResult, words: Language) -> Parts:
    """One target: its page, the verdict and its worth in short."""
    page, margin = target_page(target, words), target.margin or 0
    above = [target.reason] if target.outcome == "barred" and target.reason else []
    above += [f"{draws_text(target.draws, words)}."] if target.draws is not None else []
    key = "defeat.magic" if target.outcome == "defeat" and margin >= 0 else target.outcome
    won, under = target.outcome == "victory", words.say("serve.rank", rank=target.rank)
    if won:
        under += " · " + words.say("serve.worth", vp=target.vp, xp=target.xp)
    under += battle_cost(target, words)
    page = page._replace(blocks=[Block([*map(Line, above)]), *page.blocks])
    return {"target": target, "page": page, "verdict": words.say(f"serve.{key}", n=abs(margin)), "under": under}


def read_decks(words: Language, query: QueryParams, players: int) -> tuple[dict[str, list[str]], int, str]:
    """The decks of an address by player, the tap in it done; without any, so many players without cards.

    Then the place of the player whose cards are tapped, and what names no card for sure. A name that is given goes to
    the first who has neither one nor cards; ``name`` renames the player at ``at``, ``out`` takes them out.
    """
    texts = dict[str, str]()
    for text in query.getlist("p")[:MOST_PLAYERS]:
        name, _, cards = text.partition(":")
        if name := _new_name(name, texts):
            texts[name] = cards
    nameless = [words.say("resolve.player", n=n) for n in range(1, MOST_PLAYERS + 1)]
    texts = texts or dict.fromkeys(nameless[:players], "")
    at = query.get("at", "0")
    place = int(at) if at in tuple("01234") and int(at) < len(texts) else 0
    if "out" in query and len(texts) > 1:
        del texts[[*texts][place]]
        place = 0
    here = [*texts][place] if query.get("name") else next((n for n in nameless if texts.get(n) == ""), "")
    new = _new_name((query.get("name") or query.get("player", "")).replace(":", " "), texts)
    if new and (here or len(texts) < MOST_PLAYERS):
        texts = {new if name == here else name: cards for name, cards in texts.items()} | ({} if here else {new: ""})
        place = [*texts].index(new)
    lists = TappedLists(words, query, texts, dict.fromkeys(texts, DECK))
    if new:
        return lists.cards, place, ""
    if lists.is_tapped:
        lists.tap([*texts][place])
    return lists.cards, place, lists.rest


def _new_name(text: str, known: Iterable[str]) -> str:
    """The name of a player as it may stand in an address; "" for none, or for one that is there already."""
    name = " ".join(text.replace(",", " ").split())[:MOST_NAME].strip()
    return "" if name.casefold() in {each.casefold() for each in known} else name


def score_page(visitor: Visitor, query: QueryParams) -> Parts:
    words = visitor.words
    decks, at, rest = read_decks(words, query, visitor.made.content.players if visitor.made else 2)
    texts = [f"{name}:{','.join(cards)}" for name, cards in decks.items()]
    given = {"p": texts, "at": str(at or ""), "rest": rest}
    link = partial(address, "/score", **given)
    asked = any(query.get(name) for name in ("p", *TAPS, "to", *_OF_PLAYERS))
    if not asked and visitor.sheet is not None:
        return {"go": "/evening"}
    if asked and (to := link()) != given_address("/score", (*given, *_OF_PLAYERS), query):
        return {"go": to}
    made = visitor.made.content.variant if visitor.made else ""
    campaign = made if made == "odyssey" else "normal"  # game points need no knowledge of earlier games (R9.4)
    found, error = visitor.attempt(lambda: thunderref.score({"players": decks, "variant": campaign}, visitor.lang))
    *tables, end = [Page("", [], [])] if found is None else score_pages(words, found)
    is_over = len(decks) > 1 and all(decks.values())
    points = [player.vp for player in found.players] if found else []
    names, following = [*decks], (at + 1) % len(decks)
    beside = [link(at=str(place or ""), rest="") for place in range(len(decks))]
    return {
        "given": given, "place": at, "player": names[at], "cards": decks[names[at]], "tables": tables,
        "end": end if is_over and found else None, "sentence": error, "refused": bool(error),
        "groups": with_points(words, visitor.made),
        "steps": [
            (name, (str(points[place]) if decks[name] else "–") if points else "", beside[place], place == at)
            for place, name in enumerate(names)
        ],
        "forward": (names[following], beside[following]),
        "room": len(decks) < MOST_PLAYERS, "at": {"score": link().partition("?")[2] if asked else ""},
        **unclear_entry(words, rest, DECK),
    }  # fmt: skip
