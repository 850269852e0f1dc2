"""A whole turn in the dungeon: where it begins, what may be attacked, the best there is (R4.8, contract: goals)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .afterwards import endings
from .battle import Battle, Fight, Worth
from .facts import NOT_COVERED, STONES, NotCoveredError, is_monster
from .opponents import worlds
from .position import PLENTY, Key, Position
from .preparation import steps


def first_print(name: str) -> str:
    """The copies of Militia and Disease in the second box are the same cards."""
    return name.removesuffix("-wrath") if name in ("militia-wrath", "disease-wrath") else name


def begin(scenario: dict[str, Any]) -> Position:
    """The position of a scenario document whose names are card ids; a hand may count copies."""
    if scenario.get("readings"):
        raise NotCoveredError("the other readings")
    cards = [name for number, name in map(counted, scenario["hand"]) for _ in range(max(1, number))]
    hall = [*scenario["hall"], None, None, None][:3]
    rank0 = scenario.get("rank0", [])
    players = max(scenario.get("players") or 2, 1 + len(scenario.get("others") or ()))
    players = 1 if scenario.get("variant") == "solo" else players
    for name in cards:
        if name in NOT_COVERED:
            raise NotCoveredError(name)
    return Position(
        names=tuple(map(first_print, cards)),
        hand=frozenset(range(len(cards))),
        deck=tuple(map(first_print, scenario.get("deck") or ())),
        hall=tuple((name, 0, n) if name else None for n, name in enumerate(hall)),
        rank0=tuple((name, 0, 10 + n) for n, name in enumerate(rank0)),
        dungeon=tuple(scenario.get("dungeon") or ()),
        entered=20,
        variant=scenario.get("variant") or "normal",
        bound=scenario.get("tokens") == players,
        freed=tuple(scenario.get("caged") or ()),
        players=players,
        others=tuple(tuple(map(first_print, hand)) for hand in scenario.get("others") or ()),
        village=None
        if scenario.get("village") is None
        else tuple(sorted((name, left) for left, name in map(counted, scenario["village"]))),
        **under(scenario),
        epic=sum(card in STONES for card in (*hall, *(scenario.get("dungeon") or ()))) > 1,
    )


def counted(entry: str) -> tuple[int, str]:
    """``2 dagger`` are two of them, ``dagger`` as many as anybody asks for."""
    number, _, name = entry.rpartition(" ")
    return int(number or PLENTY), name


def under(document: dict[str, Any]) -> dict[str, Any]:
    """What lies below the known cards of the deck and of the dungeon deck, and on the discard pile."""
    deck, known = document.get("deck") or (), document.get("deck_list")
    size, deep = document.get("deck_size"), document.get("dungeon_size")
    found: dict[str, Any] = {"bag": tuple(sorted(map(first_print, known or ())))}
    if known is not None or size is not None:
        found["unseen"] = 0 if known is not None else size - len(deck)
        found["pile"] = tuple(map(first_print, document.get("discard") or ()))
    if deep is not None:
        found["deep"] = deep - len(document.get("dungeon") or ())
    return found


def owed(p: Position) -> list[int]:
    """Clay Golems whose Strength is not given to a hero yet."""
    return [c for c in sorted(p.hand) if p.name(c) == "clay-golem" and (c, 0) not in p.used and p.heroes()]


def fights(p: Position, ruleset: str, *, forgo: bool = True) -> Iterator[Fight]:
    if owed(p):
        return  # the trophy is mandatory: it has to be given first
    for rank, slot in [*((n + 1, s) for n, s in enumerate(p.hall)), *((0, s) for s in p.rank0)]:
        if slot and is_monster(slot[0]):
            if p.bound and slot[2] and any(other and not other[2] for other in p.hall):
                continue  # the monster with all tokens has to be attacked, wherever it was moved to (R9.6)
            if slot[0] in NOT_COVERED:
                raise NotCoveredError(slot[0])
            yield Fight(p, slot, rank, ruleset, forgo=forgo)


@dataclass
class Verdict:
    """What the oracle says: the best battle against each target, and the targets that can never be attacked."""

    best: dict[Key, Battle]
    barred: set[Key]
    positions: int


def judge(scenario: dict[str, Any], *, every_order: bool = False, limit: int | None = None) -> Verdict:
    """Play out everything. ``limit``: give up with NotCoveredError beyond so many positions.

    Where the hands of others are known, each target is judged as it goes where they choose worst for the player.
    """
    goal = scenario.get("goal", "win")
    starts = list(worlds(begin(scenario), ()))
    each = limit and max(1, limit // len(starts))
    verdicts = [judge_from(p, scenario, every_order=every_order, limit=each) for p in starts]
    best: dict[Key, Battle] = {}
    for key in verdicts[0].best:
        ways = [verdict.best.get(key) for verdict in verdicts]
        if None not in ways:
            best[key] = min((way for way in ways if way), key=lambda way: way.worth(goal))
    met = {key for verdict in verdicts for key in (*verdict.best, *verdict.barred)}
    return Verdict(best, met - set(best), sum(verdict.positions for verdict in verdicts))


def judge_from(start: Position, scenario: dict[str, Any], *, every_order: bool, limit: int | None) -> Verdict:
    ruleset, goal = scenario.get("ruleset", "print"), scenario.get("goal", "win")
    best: dict[Key, Battle] = {}
    worths: dict[Key, Worth] = {}
    met: set[Key] = set()
    seen: set[Position] = set()
    positions = 0

    def look(p: Position) -> None:
        nonlocal positions
        if p.over or (p in seen and not every_order):
            return
        seen.add(p)
        positions += 1
        if limit and positions > limit:
            raise NotCoveredError("too large")
        for fight in fights(p, ruleset):
            key = (fight.foe, fight.rank)
            met.add(key)
            if fight.barred():
                continue
            for battle in endings(p, fight):
                worth = battle.worth(goal)
                if key not in best or worth > worths[key]:
                    best[key], worths[key] = battle, worth
        for _, after in steps(p):
            look(after)

    look(start)
    return Verdict(best, met - set(best), positions)
