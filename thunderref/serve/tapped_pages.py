"""Battles, scores, puzzles and visits by tapping: every page says all of it in its address, and does the tap in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams

import thunderref
from thunderref.answers import RESOLVE, VILLAGE
from thunderref.database.card_records import RANKS, STACKED
from thunderref.database.read import Language
from thunderref.errors import ThunderrefError
from thunderref.pages.battle_page import battle_cost, best_target, draws_text, target_page, verdict
from thunderref.pages.page import Block, Line, Page, table_line
from thunderref.pages.play_text import play_sentences
from thunderref.pages.puzzle_page import find_puzzle, is_solved, question_page, ranks_of, solution_page, solve
from thunderref.pages.visit_page import score_pages, visit_pages
from thunderref.search.counts import read_count
from thunderref.search.names import find_card
from thunderref.search.query import shorten
from thunderref.search.understand import split_list
from thunderref.serve.api import check_size
from thunderref.serve.plan import NONE, Trial, other_taps, planned, read_plan, tiles, write_plan
from thunderref.serve.searches import MOST_SECONDS
from thunderref.serve.tiles import EMPTY_RANK, HOLE, IN_A_HAND, WON, in_hall, in_hand, with_points
from thunderref.serve.visitor import Parts, Visitor, address
from thunderref.thunderstone.resolve.result import Resolution, TargetResult, VisitResult
from thunderref.thunderstone.resolve.visit import Moves, in_order, next_moves
from thunderref.thunderstone.rules.notation import Step

MOST_TEXT = 200
"""Characters of what is typed at once."""
MOST_CANDIDATES = 6
TAPS = ("add", "drop", "undo", "type")
FULL = 6
"""Cards of a usual hand: once it is full, the verdict is the next page."""
PANES = ("hall", "hand", "verdict")
"""The parts of a battle, in their order."""
MOST_PLAYERS = 5
MOST_NAME = 24
_OF_PLAYERS = ("player", "name", "out")


class Limit(NamedTuple):
    """The limits of a list: at most ``maximum`` cards of these kinds, and whether it may hold empty ranks."""

    maximum: int
    kinds: frozenset[str]
    gaps: bool = False


LIMITS = {"hall": Limit(RANKS, frozenset(WON), gaps=True), "hand": Limit(24, frozenset((*IN_A_HAND, *WON)))}
LIMITS["deck"] = LIMITS["hand"]  # the cards that were drawn
DECK = LIMITS["hand"]._replace(maximum=99)


class Unclear(NamedTuple):
    """An entry that names no card for sure: why, and the candidates."""

    entry: str
    error: ThunderrefError
    candidates: tuple[str, ...]
    copies: int


def read_entry(words: Language, entry: str, limit: Limit) -> list[str] | Unclear:
    """The card that an entry names, its copies repeated."""
    cards, copies = words.database.cards, 1
    if entry in cards and cards[entry].kind in limit.kinds:
        return [cards[entry].reprint_of or entry]
    if limit.gaps and entry in (EMPTY_RANK, "–", "—", HOLE):
        return [HOLE if entry == HOLE else EMPTY_RANK]
    try:
        number, name = read_count(words.database, entry)
        copies = number or 1
        return [find_card(words.database, name, limit.kinds, lang=words.lang)] * min(copies, limit.maximum)
    except ThunderrefError as error:
        near = tuple(candidate.id for candidate in error.candidates if candidate.id in cards)
        return Unclear(entry, error, near[:MOST_CANDIDATES], min(copies, limit.maximum))


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

    def _read(self, text: str, limit: Limit, start: Iterable[str] = ()) -> list[str]:
        cards = [*start]
        try:
            entries = split_list(text, self._words)
        except ThunderrefError:  # each entry says for itself what is wrong with it
            entries = [*filter(None, map(str.strip, text.split(",")))]
        for entry in entries:
            read = read_entry(self._words, entry, limit)
            if isinstance(read, Unclear):
                self._unclear.append(entry)
            elif start and HOLE in cards:
                cards[cards.index(HOLE)] = read[0]
            else:
                cards += read
        return cards[: limit.maximum]

    @property
    def rest(self) -> str:
        return ", ".join(filter(None, self._unclear))[:MOST_TEXT]

    def tap(self, name: str) -> None:
        """Takes the last card out of a list, or another, and puts the cards in that are added or typed.

        In a hall the ranks behind a card that is taken out by its place stay where they are.
        """
        cards, query = self.cards[name], self._query
        if "undo" in query:
            del cards[-1:]
        for entry in split_list(query.get("drop", "")):
            if self._limits[name].gaps and entry in ("0", "1", "2"):
                cards[int(entry) : int(entry) + 1] = [HOLE] * (int(entry) < len(cards))
            elif entry in cards:
                del cards[len(cards) - 1 - cards[::-1].index(entry)]
        while cards[-1:] == [HOLE]:
            cards.pop()
        for text in (query.get("add", ""), query.get("type", "")[:MOST_TEXT]):
            cards = self._read(text, self._limits[name], cards)
        self.cards[name] = cards


def unclear_entry(words: Language, typed: str, limit: Limit) -> Parts:
    """The parts that ask about the first unclear entry, and the entries beside it."""
    entries = [entry.strip() for entry in typed.split(",") if entry.strip()]
    for place, entry in enumerate(entries):
        read = read_entry(words, entry, limit)
        if isinstance(read, Unclear):
            remaining = ", ".join((*entries[:place], *entries[place + 1 :]))
            several = words.say("serve.several", query=shorten(entry))
            text = several if read.error.code == "ambiguous-card" else words.error(read.error, on_page=True)
            return {"unclear": read, "unclear_rest": remaining, "unclear_text": text}
    return {"unclear": None, "unclear_rest": "", "unclear_text": ""}


def given_address(path: str, names: Iterable[str], query: QueryParams) -> str:
    """The address that was asked for, without what no page reads; only the address without its taps stays."""
    taps = [tap for tap in (*TAPS, "to", "hero") if tap in query]
    return address(path, **{name: query.getlist(name) for name in (*names, *taps)})


def battle_address(lists: TappedLists, query: QueryParams, words: Language) -> dict[str, Any]:
    """The fields of a battle's address once the tap in it is done; what does not fit is left out."""
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
    """The part of a battle that shows: the one asked for, or the first that is not filled yet.

    There is no verdict before every card is understood.
    """
    hall, hand = lists.cards["hall"], lists.cards["hand"]
    lacks = len(hall) < RANKS or HOLE in hall
    pane = pane or ("hall" if lacks and not hand else "hand" if len(hand) < FULL else "verdict")
    return "hand" if pane == "verdict" and lists.rest else pane


def battle_page(visitor: Visitor, query: QueryParams) -> Parts:
    """The parts of the page; only ``go`` if another address says the same shorter, or a tap led on."""
    words = visitor.words
    shared = hall_of(visitor)
    texts = {name: query.get(name, "") for name in LIMITS}
    lists = TappedLists(words, query, texts | {"hall": texts["hall"] or shared}, LIMITS)
    fields = battle_address(lists, query, words)
    seen = {"hall": fields["hall"].replace(HOLE, EMPTY_RANK), "hand": fields["hand"]}
    fields["hall"] = "" if fields["hall"] == shared else fields["hall"]  # the page follows the table
    seen |= {"draft": fields["hall"], "seen": visitor.mark} if visitor.evening else {}
    if (to := address("/resolve", **fields)) != given_address("/resolve", fields, query):
        return {"go": to}

    def link(**changes: Any) -> str:
        new = {"plan": [], "deck": ""} if "hand" in changes else {}  # another hand has nothing of this one
        return address("/resolve", **{**fields, "held": "", "others": "", **new, **changes})

    pane, (hall, hand, deck), budget = shown_pane(lists, fields["pane"]), lists.cards.values(), fields["budget"]
    ranks = [None if card in (EMPTY_RANK, HOLE) else card for card in hall]
    is_asked, document = hand and any(ranks), {"hand": [*hand], "hall": ranks, "deck": [*deck] or None}
    document["budget"] = float(budget[:6]) if budget.strip("0") else None
    if ranks and ranks[0] and words.database.cards[ranks[0]].kind == "guardian":  # nobody can tap rank 0 (R6.7)
        document |= {"hall": ranks[1:], "rank0": ranks[:1]}
    resolution, error = visitor.attempt(lambda: visitor.judge(RESOLVE, document) if is_asked else None)
    targets = [] if resolution is None else [_target_view(target, resolution, words) for target in resolution.targets]
    won = sum(view["target"].outcome == "victory" for view in targets)
    sentence = error
    if resolution is not None and not won:
        none = "serve.none-beaten.draws" if any(t.draws for t in resolution.targets) else "serve.none-beaten"
        sentence = words.say(none) if best_target(resolution) else verdict(resolution, words)
    mark = "" if resolution is None else f"✓{won}" if won else "✗"
    refused, table = bool(error), {*hand, *ranks, *(visitor.evening.stacks if visitor.evening else ())}
    if resolution is not None and pane == "verdict":
        trial = Trial(visitor, document, fields, link)
        targets = trial.apply_plan(targets, partial(_target_view, words=words))
        refused, sentence = bool(trial.problem), trial.astray or sentence
    complete = all(view["target"].proven and view["target"].missing_proven for view in targets)
    counts = {"hall": f"{len(hall) - hall.count(HOLE)}/{RANKS}", "hand": str(len(hand)), "verdict": mark}
    following, limit = ("hand", "hall") if pane == "hall" else ("verdict", "hand")
    heading = words.say(f"serve.pane.{following}")
    return {
        "given": fields, "link": link, "hand": hand, "pane": pane, "beaten": mark, "won": won, "targets": targets,
        "sentence": sentence, "refused": refused, "cards": lists.cards.get(pane, hand),
        "told": [(n, words.card(card)) for n, card in enumerate(ranks, 1) if card and words.database.unjudged & table],
        "groups": in_hall(words, visitor.made) if pane == "hall" else in_hand(words, visitor.made),
        "steps": [
            (words.say(f"serve.pane.{name}"), counts[name], link(pane=name, rest=""), name == pane) for name in PANES
        ],
        "forward": ((mark if pane != "hall" else "") or heading, link(pane=following, rest="")),
        "slow": budget != f"{MOST_SECONDS:g}" and not complete,
        "understood": "" if resolution is None else table_line(words, resolution.table),
        "longest": f"{MOST_SECONDS:g}", "at": seen, "write_plan": write_plan, "hall": ",".join(hall),
        **unclear_entry(words, fields["rest"], LIMITS[limit]),
    }  # fmt: skip


def hall_of(visitor: Visitor) -> str:
    """The hall of the evening as an address has it, "" without one."""
    hall = visitor.evening.hall if visitor.evening else ()
    return ",".join(card or HOLE for card in hall).rstrip(f",{HOLE}")


def _target_view(target: TargetResult, resolution: Resolution, words: Language) -> Parts:
    """One target among all, and the next turn; of one that is lost for sure, ``lost`` is what an attack would do."""
    after = ",".join(card or EMPTY_RANK for card in target.hall_after).rstrip(f",{EMPTY_RANK}")
    view, lost = target_view(target, words), None
    if target.outcome == "defeat" and target.draws is None:
        above, doing, reckoned, monster, follows, *following = view["page"].blocks
        view["page"] = view["page"]._replace(blocks=[above, reckoned, *following])
        lost = Page(doing.heading, [], [doing._replace(heading=""), monster, follows])
    return view | {
        "change": None,
        "lost": lost,
        "is_best": (target.rank, target.monster) == (resolution.best, resolution.best_monster),
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
    """Return the decks of an address by player, the tap in it done; without any, ``players`` empty ones.

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
    index = query.get("at", "0")
    place = int(index) if index in tuple("01234") and int(index) < len(texts) else 0
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


def _new_name(text: str, names: Iterable[str]) -> str:
    """The name of a player as it may stand in an address; "" for none, or for one that is there already."""
    name = " ".join(text.replace(",", " ").split())[:MOST_NAME].strip()
    return "" if name.casefold() in {other.casefold() for other in names} else name


def deck_texts(decks: Mapping[str, Iterable[str]]) -> list[str]:
    """Return decks by player as the addresses of scores have them: "Ann:griffon,2 torch"."""
    return [f"{name}:{','.join(cards)}" for name, cards in decks.items()]


def score_page(visitor: Visitor, query: QueryParams) -> Parts:
    words = visitor.words
    decks, index, unclear = read_decks(words, query, visitor.made.content.players if visitor.made else 2)
    fields = {"p": deck_texts(decks), "at": str(index or ""), "rest": unclear}
    link = partial(address, "/score", **fields)
    is_tapped = any(query.get(name) for name in ("p", *TAPS, "to", *_OF_PLAYERS))
    if not is_tapped and visitor.sheet is not None:
        return {"go": "/evening"}
    if is_tapped and (to := link()) != given_address("/score", (*fields, *_OF_PLAYERS), query):
        return {"go": to}
    variant = visitor.made.content.variant if visitor.made else ""
    campaign = variant if variant == "odyssey" else "normal"  # game points need no knowledge of earlier games (R9.4)
    result, error = visitor.attempt(lambda: thunderref.score({"players": decks, "variant": campaign}, visitor.lang))
    *tables, end = [Page("", [], [])] if result is None else score_pages(words, result)
    is_over = len(decks) > 1 and all(decks.values())
    points = [player.vp for player in result.players] if result else []
    names, following = [*decks], (index + 1) % len(decks)
    beside = [link(at=str(place or ""), rest="") for place in range(len(decks))]
    return {
        "given": fields, "place": index, "player": names[index], "cards": decks[names[index]], "tables": tables,
        "end": end if is_over and result else None, "sentence": error, "refused": bool(error),
        "groups": with_points(words, visitor.made),
        "steps": [
            (name, (str(points[place]) if decks[name] else "–") if points else "", beside[place], place == index)
            for place, name in enumerate(names)
        ],
        "forward": (names[following], beside[following]),
        "room": len(decks) < MOST_PLAYERS, "at": {"score": link().partition("?")[2] if is_tapped else ""},
        **unclear_entry(words, unclear, DECK),
    }  # fmt: skip


def puzzle_page(visitor: Visitor, query: QueryParams) -> Parts:
    """A puzzle with what is tapped for it; ``go`` once a tap is done, or to a puzzle that is drawn."""
    visitor = replace(visitor, now=None)  # nothing of the table is part of a puzzle
    words, attack = visitor.words, query.get("attack", "")
    numbered, error = visitor.attempt(lambda: find_puzzle(words.database, shorten(query.get("n", ""))))
    if numbered is None:
        return {"template": "refused.html", "said": [(visitor.lang, error)], "again": False, "refused": True}
    number, puzzle = numbered
    hand, deck, ranks = puzzle.scenario["hand"], puzzle.scenario.get("deck", ()), ranks_of(puzzle)
    aims = {str(rank): card for rank, card in ranks.items() if puzzle.scenario.get("target") in (None, rank)}
    fields = planned(words, query) | {"n": str(number), "others": "", "answer": "1" if query.get("answer") else ""}
    plan = read_plan(fields["plan"])
    if attack in aims:
        plan = [*(step for step in plan if "attack" not in step), {"attack": int(attack)}]
    fields["plan"], link = write_plan(plan), partial(address, "/puzzle", **(fields | {"plan": write_plan(plan)}))
    if not query.get("n") or attack or "hero" in query:
        return {"go": link()}
    view, sentence, aimed = None, "", [str(step["attack"]) for step in plan if "attack" in step]
    if fields["answer"]:
        view = target_view(solve(puzzle, words), words) | {"page": solution_page(puzzle, words)}
    elif aimed:
        trial = Trial(visitor, puzzle.scenario | {"target": None}, fields, link)
        sentence = trial.problem
        if trial.judged is not None and not sentence:
            played = trial.judged.targets[0]
            view = target_view(played, words)
            sentence = words.say("serve.puzzle.solved" if is_solved(puzzle, played, words) else "serve.puzzle.better")
            sentence += " " + words.say("serve.puzzle.open") if played.line != plan else ""
    movable, heroes = tiles(words, [*hand, *deck], plan, every=True)
    in_deck = words.say("serve.puzzle.deck")
    cards = [tile if n < len(hand) or tile.does else tile._replace(does=in_deck) for n, tile in enumerate(movable)]
    tile_held = next((tile for tile in cards if tile.value == fields["held"]), None)
    taps = other_taps(words, tile_held.value, plan) if tile_held else []
    return {
        "given": fields, "link": link, "sentence": sentence, "refused": bool(sentence) and view is None, "each": view,
        "question": question_page(puzzle, number, words), "ranks": ranks, "aims": aims, "aimed": aimed, "hand": hand,
        "on": {"cards": cards, "heroes": heroes, "held": tile_held, "taps": taps, "steps": fields["plan"]},
    }  # fmt: skip


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
