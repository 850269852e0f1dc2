"""Battles, visits and scores by tapping: every page says all of it in its address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

import thunderref
from thunderref.database.read import Language
from thunderref.pages.battle_page import best_target, spoils, target_page, verdict
from thunderref.pages.page import Block, Line, Page
from thunderref.pages.visit_page import score_pages, visit_pages
from thunderref.serve.api import check_size
from thunderref.serve.guard import LONGEST
from thunderref.serve.tapping import (
    EMPTY,
    TAPS,
    CardNames,
    Limit,
    TappedLists,
    address,
    given_address,
    unclear_entry,
)
from thunderref.serve.tiles import IN_A_HAND, WON, in_hall, in_hand, with_points
from thunderref.serve.visitor import Visitor
from thunderref.thunderstone.resolve.result import Resolution, TargetResult

RANKS = 3
FULL = 6
"""Cards of a usual hand: with so many the verdict is the next page."""
HALL = Limit(RANKS, frozenset(WON), gaps=True)
HAND = Limit(24, frozenset((*IN_A_HAND, *WON)))
LIMITS = {"hall": HALL, "hand": HAND}
DECK = Limit(99, HAND.kinds)
PANES = ("hall", "hand", "verdict")
"""The parts of a battle, in their order."""
MOST_PLAYERS = 5
MOST_NAME = 24
Parts = dict[str, Any]


@dataclass(frozen=True)
class BattleAddress:
    """What the address of a battle says; ``rest`` is what was typed and names no card for sure."""

    hall: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    pane: str = ""
    rest: str = ""
    budget: str = ""

    @property
    def shown(self) -> str:
        """The part that shows: the one asked for, or the first that is not filled yet."""
        if self.pane:
            return self.pane
        if len(self.hall) < RANKS and not self.hand:
            return "hall"
        return "hand" if len(self.hand) < FULL else "verdict"

    def address(self, **changed: Any) -> str:
        return address("/resolve", {**vars(self), "hall": ",".join(self.hall), "hand": ",".join(self.hand), **changed})


def battle_address(query: QueryParams, names: CardNames) -> BattleAddress:
    """The battle of an address, the tap in it done; what does not fit is left out."""
    pane, budget = query.get("pane", ""), str(check_size(query.get("budget", "")))
    lists = TappedLists({name: query.get(name, "") for name in LIMITS}, LIMITS, query, names)
    hall, hand = lists.cards["hall"], lists.cards["hand"]
    now = BattleAddress(hall, hand, pane if pane in PANES else "")
    if not lists.is_tapped:
        budget = budget if budget.isascii() and budget.isdecimal() else ""
        return replace(now, rest=lists.rest, budget=budget)
    to = query.get("to", now.shown)
    to = to if to in LIMITS else "hand"
    lists.tap(to)
    now = replace(now, hall=lists.cards["hall"], hand=lists.cards["hand"], rest=lists.rest)
    is_full = to == "hall" and len(now.hall) == RANKS > len(hall)  # on to the hand
    is_new = to == "hand" and now.pane == "hand" and not hand  # who comes back to change one stays there
    return replace(now, pane="") if is_full or is_new else now


class TargetView(NamedTuple):
    """One target: its page, the verdict and its worth in short, the player's choices, the next turn."""

    target: TargetResult
    page: Page
    verdict: str
    under: str
    is_best: bool
    line: tuple[str, ...]
    next_turn: str


def battle_page(visitor: Visitor, query: QueryParams) -> Parts:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, names = visitor.words, CardNames(visitor.words)
    battle = battle_address(query, names)
    if (to := battle.address()) != given_address("/resolve", ("hall", "hand", "pane", "rest", "budget"), query):
        return {"go": to}
    pane, cards = battle.shown, battle.hall if battle.shown == "hall" else battle.hand
    ranks = [None if card == EMPTY else card for card in battle.hall]
    seconds = float(battle.budget[:6]) if battle.budget.strip("0") else None
    is_asked, document = battle.hand and any(ranks), {"hand": [*battle.hand], "hall": ranks}
    found, error = visitor.attempt(lambda: visitor.asker.resolve(document, seconds) if is_asked else None)
    targets = [] if found is None else [_target_view(target, found, words) for target in found.targets]
    won = sum(each.target.outcome == "victory" for each in targets)
    sentence = error
    if found is not None and not won:
        sentence = words.say("serve.none-beaten") if best_target(found) else verdict(found, words)
    mark = "" if found is None else f"✓{won}" if won else "✗"
    counts = {"hall": f"{len(battle.hall)}/{RANKS}", "hand": str(len(battle.hand)), "verdict": mark}
    following, limit = ("hand", HALL) if pane == "hall" else ("verdict", HAND)
    heading = words.say(f"serve.pane.{following}")
    return {
        "battle": battle, "pane": pane, "mark": mark, "won": won, "targets": targets,
        "sentence": sentence, "refused": bool(error), "cards": cards,
        "groups": in_hall(words, visitor.made) if pane == "hall" else in_hand(words, visitor.made),
        "steps": [
            (words.say(f"serve.pane.{each}"), counts[each], battle.address(pane=each, rest=""), each == pane)
            for each in PANES
        ],
        "forward": ((mark if pane == "hand" else "") or heading, battle.address(pane=following, rest="")),
        "slow": any(not each.target.proven for each in targets) and battle.budget != f"{LONGEST:g}",
        "longest": f"{LONGEST:g}", "at": {"hall": ",".join(battle.hall), "hand": ",".join(battle.hand)},
        **unclear_entry(battle.rest if pane != "verdict" else "", limit, names),
    }  # fmt: skip


def _target_view(target: TargetResult, found: Resolution, words: Language) -> TargetView:
    page, missing, margin = target_page(target, words), target.missing, target.margin or 0
    first, *parts, remarks = page.blocks
    if target.outcome == "barred" and target.reason:
        first.lines.insert(0, Line(target.reason))
    elif missing is not None and missing.helps and not missing.cards and len(first.lines) == 1:
        helps = words.say("missing.or").join(more.text for more in missing.helps)
        first.lines.append(Line(words.say("missing.enough", helps=helps)))
    page = page._replace(blocks=[first, *parts, Block([*remarks.lines, *spoils(target, words)])])
    key = "defeat.magic" if target.outcome == "defeat" and margin >= 0 else target.outcome
    won, under = target.outcome == "victory", words.say("serve.rank", rank=target.rank)
    if won:
        under += " · " + words.say("serve.worth", vp=target.vp, xp=target.xp)
    chosen = tuple(line.short for part in parts for line in part.lines if line.short)
    chosen = chosen or tuple(line.text for part in parts[:2] for line in part.lines)
    after = ",".join(card or EMPTY for card in target.hall_after).rstrip(f",{EMPTY}")
    next_turn = address("/resolve", {"hall": after}) if won and not target.game_ends else ""
    is_best = (target.rank, target.monster) == (found.best, found.best_monster)
    return TargetView(target, page, words.say(f"serve.{key}", n=abs(margin)), under, is_best, chosen, next_turn)


@dataclass(frozen=True)
class VisitAddress:
    """What the address of a visit says; ``rest`` as in a battle."""

    hand: tuple[str, ...] = ()
    xp: str = ""
    pane: str = ""
    rest: str = ""

    @property
    def shown(self) -> str:
        return self.pane or ("hand" if len(self.hand) < FULL else "gold")

    def address(self, **changed: str) -> str:
        return address("/village", {**vars(self), "hand": ",".join(self.hand), **changed})


def visit_address(query: QueryParams, names: CardNames) -> VisitAddress:
    pane, xp = query.get("pane", ""), query.get("xp", "")
    pane = pane if pane in ("hand", "gold") else ""
    xp = xp if xp.isascii() and xp.isdecimal() and len(xp) <= 3 else ""
    lists = TappedLists({"hand": query.get("hand", "")}, LIMITS, query, names)
    if lists.is_tapped:
        pane = "" if pane == "hand" and not lists.cards["hand"] else pane
        lists.tap("hand")
    return VisitAddress(lists.cards["hand"], xp, pane, lists.rest)


def village_page(visitor: Visitor, query: QueryParams) -> Parts:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, names = visitor.words, CardNames(visitor.words)
    visit = visit_address(query, names)
    if (to := visit.address()) != given_address("/village", ("hand", "xp", "pane", "rest"), query):
        return {"go": to}
    document: dict[str, Any] = {"hand": [*visit.hand], "xp": int(visit.xp or 0)}
    if visitor.made is not None:
        document["players"] = visitor.made.content.players
    found, error = visitor.attempt(lambda: visitor.asker.village(document) if visit.hand else None)
    pane, gold = visit.shown, "" if found is None else str(found.gold)
    pages = [] if found is None else visit_pages(found, words, typed=False)
    heading = words.say("serve.pane.gold")
    return {
        "visit": visit, "pane": pane, "made": visitor.made, "cards": visit.hand, "pages": pages, "mark": gold,
        "line": [line.short for page in pages for block in page.blocks for line in block.lines if line.short],
        "sentence": error, "refused": bool(error),
        "groups": in_hand(words, visitor.made),
        "at": {"hand": ",".join(visit.hand), "hall": visitor.at.get("hall", "")},
        "steps": [
            (words.say("serve.pane.hand"), str(len(visit.hand)), visit.address(pane="hand", rest=""), pane == "hand"),
            (heading, gold, visit.address(pane="gold", rest=""), pane == "gold"),
        ],
        "forward": (gold or heading, visit.address(pane="gold", rest="")),
        **unclear_entry(visit.rest if pane == "hand" else "", HAND, names),
    }  # fmt: skip


@dataclass(frozen=True)
class DecksAddress:
    """The decks of an address by player; ``at`` is the place of the player whose cards are tapped."""

    players: tuple[tuple[str, tuple[str, ...]], ...]
    at: int = 0
    rest: str = ""

    @property
    def decks(self) -> list[str]:
        return [f"{name}:{','.join(cards)}" for name, cards in self.players]

    def address(self, **changed: Any) -> str:
        at = str(self.at) if self.at else ""
        return address("/score", {"p": self.decks, "at": at, "rest": self.rest, **changed})

    def beside(self, place: int) -> str:
        """The address at which another player's cards are tapped."""
        return self.address(at=str(place) if place else "", rest="")


def decks_address(query: QueryParams, names: CardNames, players: int) -> DecksAddress:
    """The decks of an address, the tap in it done; without any, so many players without cards."""
    texts = dict[str, str]()
    for text in query.getlist("p")[:MOST_PLAYERS]:
        name, _, cards = text.partition(":")
        if name := _new_name(name, texts):
            texts[name] = cards
    new = _new_name(query.get("player", "").replace(":", " "), texts) if len(texts) < MOST_PLAYERS else ""
    if new:
        texts[new] = ""
    elif not texts:
        texts = {names.words.say("resolve.player", n=n): "" for n in range(1, players + 1)}
    lists = TappedLists(texts, dict.fromkeys(texts, DECK), query, names)
    if new:
        return DecksAddress(tuple(lists.cards.items()), len(texts) - 1)
    at = query.get("at", "0")
    place = int(at) if at in tuple("01234") and int(at) < len(texts) else 0
    if lists.is_tapped:
        lists.tap([*texts][place])
    return DecksAddress(tuple(lists.cards.items()), place, lists.rest)


def _new_name(text: str, known: Iterable[str]) -> str:
    """The name of a player as it may stand in an address; "" for none, or for one that is there already."""
    name = " ".join(text.replace(",", " ").split())[:MOST_NAME].strip()
    return "" if name.casefold() in {each.casefold() for each in known} else name


def score_page(visitor: Visitor, query: QueryParams) -> Parts:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, names = visitor.words, CardNames(visitor.words)
    now = decks_address(query, names, visitor.made.content.players if visitor.made else 2)
    asked = any(query.get(name) for name in ("p", *TAPS, "to", "player"))
    if asked and (to := now.address()) != given_address("/score", ("p", "at", "rest", "player"), query):
        return {"go": to}
    decks = {name: [*cards] for name, cards in now.players}
    found, error = visitor.attempt(lambda: thunderref.score({"players": decks}, visitor.lang))
    name, cards = now.players[now.at]
    *tables, end = [Page("", [], [])] if found is None else score_pages(words, found)
    is_over = len(now.players) > 1 and all(cards for _, cards in now.players)
    points = [player.vp for player in found.players] if found else []
    following = (now.at + 1) % len(now.players)
    return {
        "scores": now, "player": name, "cards": cards, "tables": tables, "end": end if is_over else None,
        "sentence": error, "refused": bool(error),
        "groups": with_points(words, visitor.made),
        "steps": [
            (each, (str(points[place]) if deck else "–") if points else "", now.beside(place), place == now.at)
            for place, (each, deck) in enumerate(now.players)
        ],
        "forward": (now.players[following][0], now.beside(following)),
        "room": len(now.players) < MOST_PLAYERS,
        **unclear_entry(now.rest, DECK, names),
    }  # fmt: skip
