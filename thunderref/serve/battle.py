"""A battle by tapping: the hall, the hand, the verdict; every page says all of it in its address."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from thunderref.errors import ThunderrefError
from thunderref.search.query import shorten
from thunderref.serve.api import bounded
from thunderref.serve.guard import LONGEST
from thunderref.serve.page import Visitor
from thunderref.serve.taps import EMPTY, MOST_TEXT, TAPS, Limit, Reader, Unclear, address, listed, tapped
from thunderref.serve.tonight import IN_A_HAND, WON, in_hall, in_hand
from thunderref.text.language import Language

RANKS = 3
FULL = 6
"""Cards of a usual hand: with so many the verdict is the next page."""
HALL = Limit(RANKS, frozenset(WON), gaps=True)
HAND = Limit(24, frozenset((*IN_A_HAND, *WON)))
LIMITS: Mapping[str, Limit] = {"hall": HALL, "hand": HAND}
PANES = ("hall", "hand", "verdict")
"""The parts of a battle, in their order."""


@dataclass(frozen=True)
class Battle:
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

    @property
    def ranks(self) -> list[str | None]:
        return [None if card == EMPTY else card for card in self.hall]

    def address(self, **changed: Any) -> str:
        parts = {
            "hall": ",".join(self.hall), "hand": ",".join(self.hand), "pane": self.pane, "rest": self.rest,
            "budget": self.budget, **changed,
        }  # fmt: skip
        return address("/resolve", parts)


def battle_of(query: QueryParams, reader: Reader) -> Battle:
    """The battle of an address, the tap in it done; what does not fit is left out."""
    pane = query.get("pane", "")
    pane = pane if pane in PANES else ""
    lists, rest = dict[str, tuple[str, ...]](), list[str]()
    for name, limit in LIMITS.items():
        cards, unclear = listed(query.get(name, ""), limit, reader)
        lists[name] = tuple(cards)
        rest += unclear
    budget = str(bounded(query.get("budget", "")))
    now = Battle(lists["hall"], lists["hand"], pane, budget=budget if budget.isascii() and budget.isdecimal() else "")
    typed = query.get("rest", "")[:MOST_TEXT]
    if not any(tap in query for tap in TAPS):
        rest = rest or [typed]
        return Battle(now.hall, now.hand, now.pane, ", ".join(filter(None, rest))[:MOST_TEXT], now.budget)
    to = query.get("to", now.shown)
    to = to if to in LIMITS else "hand"
    cards, unclear = tapped(lists[to], query, LIMITS[to], reader)
    lists[to] = tuple(cards)
    if "add" in query:
        unclear += [typed]  # what was still unclear beside the card that is now chosen
    if to == "hall" and len(cards) == RANKS and len(now.hall) < RANKS:
        pane = ""  # the hall is full: on to the hand
    if to == "hand" and pane == "hand" and not now.hand:
        pane = ""  # a new hand; who comes back to change one stays there
    rest = [*rest, *filter(None, unclear)]
    return Battle(lists["hall"], lists["hand"], pane, ", ".join(rest)[:MOST_TEXT])


@dataclass(frozen=True)
class Row:
    """One target as a row of the verdict."""

    rank: int
    card: str
    outcome: str
    total: int | None
    health: int
    verdict: str
    worth: str
    is_best: bool
    line: tuple[str, ...]
    parts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    missing: tuple[str, ...]
    help_cards: tuple[str, ...]
    remarks: tuple[str, ...]
    next_turn: str


def judged(battle: Battle, visitor: Visitor) -> tuple[Any, ThunderrefError | None]:
    """The verdict, or why there is none."""
    if not battle.hand or not any(battle.ranks):
        return None, None
    seconds = float(battle.budget[:6]) if battle.budget.strip("0") else None
    document = {"hand": [*battle.hand], "hall": battle.ranks}
    try:
        return visitor.asker.resolve(document, seconds), None
    except ThunderrefError as error:
        return None, error


def rows(battle: Battle, found: Any, words: Language) -> list[Row]:
    chosen = (found.best, found.best_monster)
    return [_row(battle, target, words, (target.rank, target.monster) == chosen) for target in found.targets]


def _row(battle: Battle, target: Any, words: Language, is_best: bool) -> Row:
    won, margin = target.outcome == "victory", target.margin or 0
    key = target.outcome
    if key == "defeat":
        key = "defeat.magic" if margin >= 0 else "defeat"
    verdict = words.say(f"serve.{key}", n=abs(margin))
    worth = words.say("serve.worth", vp=target.vp, xp=target.xp) if won else ""
    barred = target.outcome == "barred"
    parts = []
    for part in ("prepare", "battle", "sum", "after") if not barred else ():
        steps = tuple((step.text, " ".join(step.rules)) for step in target.steps if step.part == part)
        if steps:
            parts.append((words.say(f"resolve.{part}"), steps))
    after = [card or EMPTY for card in target.hall_after]
    while after and after[-1] == EMPTY:
        after.pop()
    following = Battle(tuple(after)).address() if won and not target.game_ends else ""
    return Row(
        target.rank, target.monster, target.outcome, target.total, target.health, verdict, worth, is_best,
        () if barred else short_line(target.steps), tuple(parts), tuple(_missing(target, words)),
        tuple(target.missing.cards) if target.missing is not None else (), tuple(_remarks(target, words)), following,
    )  # fmt: skip


def short_line(steps: Sequence[Any]) -> tuple[str, ...]:
    """The player's choices in a few words each."""
    chosen = [step for step in steps if getattr(step, "short", None)]
    if chosen:
        return tuple(step.short.replace("->", "→") for step in chosen)
    return tuple(step.text for step in steps if step.part in ("prepare", "battle"))


def _missing(target: Any, words: Language) -> Iterable[str]:
    if target.outcome == "barred" and target.reason:
        yield target.reason
    missing = target.missing
    if missing is None:
        return
    news = [more.text for more in missing.helps if (more.what, more.n) != ("attack", missing.short)]
    if not news and not missing.cards:
        news = [more.text for more in missing.helps]
    if news:
        yield words.say("missing.enough", helps=words.say("missing.or").join(news))


def _remarks(target: Any, words: Language) -> Iterable[str]:
    if target.unknown_draws:
        yield words.say("resolve.unknown-draws", n=target.unknown_draws)
    if target.readings:
        yield words.say("resolve.readings", rules=", ".join(target.readings))
    yield from (other.text for other in target.other_readings)
    for right in target.spoils:
        kinds = ", ".join(words.say(f"spoils.{kind}") for kind in right.buys)
        yield words.say("resolve.spoils", card=words.card(right.card), kinds=kinds, gold=right.gold, why="R6.4")
    if not target.proven:
        yield words.say("resolve.unproven", n=target.searched or 0)


def asking(rest: str, limit: Limit | None, reader: Reader) -> dict[str, Any]:
    """What asks for the first entry that is still to be made clear; with no limit nothing is asked for."""
    entries = [entry.strip() for entry in rest.split(",") if entry.strip()] if limit is not None else []
    for place, entry in enumerate(entries):
        found = reader.entry(entry, limit or HAND)
        if isinstance(found, Unclear):
            left = ", ".join((*entries[:place], *entries[place + 1 :]))
            ambiguous = found.error.code == "ambiguous-card"
            text = (
                reader.words.say("serve.several", query=shorten(entry))
                if ambiguous
                else reader.words.error(found.error)
            )
            return {"unclear": found, "unclear_rest": left, "unclear_text": text}
    return {"unclear": None, "unclear_rest": "", "unclear_text": ""}


def battle_page(visitor: Visitor, query: QueryParams) -> dict[str, Any]:
    """What the page shows; only ``go`` if another address says the same shorter, or a tap led on."""
    words, made = visitor.words, visitor.made
    reader = Reader(words)
    battle = battle_of(query, reader)
    if (to := battle.address()) != address("/resolve", _given(query)):
        return {"go": to}
    shown = battle.shown
    found, error = judged(battle, visitor)
    verdicts = [] if found is None else rows(battle, found, words)
    won = sum(row.outcome == "victory" for row in verdicts)
    sentence = ""
    if error is not None:
        sentence = words.error(error)
    elif found is not None and not won:
        best = next((row for row in verdicts if row.is_best), None)
        key = "resolve.ended" if found.game_ends else "resolve.none"
        sentence = words.say("serve.none-beaten") if best else words.say(key)
    mark = "" if found is None else f"✓{won}" if won else "✗"
    slow = any(not target.proven for target in found.targets) if found is not None else False
    return {
        "battle": battle, "pane": shown, "made": made, "mark": mark, "won": won, "rows": verdicts,
        "sentence": sentence, "refused": error is not None, **asking(battle.rest, LIMITS.get(shown), reader),
        "groups": in_hall(words, made) if shown == "hall" else in_hand(words, made),
        "steps": _steps(battle, words, mark, shown), "slow": slow, "longest": f"{LONGEST:g}",
        "forward": _forward(battle, words, mark, shown),
        "at": {"hall": ",".join(battle.hall), "hand": ",".join(battle.hand)},
    }  # fmt: skip


def _given(query: QueryParams) -> dict[str, str]:
    known = ("hall", "hand", "pane", "rest", "budget")
    return {key: query.get(key, "") for key in known} | {key: query[key] for key in (*TAPS, "to") if key in query}


def _steps(battle: Battle, words: Language, mark: str, shown: str) -> list[tuple[str, str, str, bool]]:
    counts = {"hall": f"{len(battle.hall)}/{RANKS}", "hand": str(len(battle.hand)), "verdict": mark}
    return [
        (words.say(f"serve.pane.{pane}"), counts[pane], battle.address(pane=pane, rest=""), pane == shown)
        for pane in PANES
    ]


def _forward(battle: Battle, words: Language, mark: str, shown: str) -> tuple[str, str]:
    if shown == "hall":
        return words.say("serve.pane.hand"), battle.address(pane="hand", rest="")
    return mark or words.say("serve.pane.verdict"), battle.address(pane="verdict", rest="")
