"""Plays a given plan through the oracle, so that the examples of the cards can be put to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import oracle
from oracle import Battle, Fight, NotCoveredError, Position

KEYS = {"use", "effect", "equip", "to", "on", "destroy", "bottom", "order", "take", "top", "discard", "borrow", "draw"}
KEYS |= {"recruit", "militia", "copy"}
CARD_KEYS = ("use", "equip", "to", "on", "destroy", "discard", "borrow", "militia", "copy")


class RefusedError(Exception):
    """The oracle finds no legal way to follow the plan."""


def copies(p: Position, name: str) -> list[int]:
    return [card for card, known in enumerate(p.names) if known == name]


def named(p: Position, text: str) -> int:
    """The copy a plan means: ``#n`` the n-th, a bare name the first one still in play."""
    name, _, number = text.partition("#")
    found = copies(p, name)
    if number:
        if int(number) > len(found):
            raise RefusedError(text)
        return found[int(number) - 1]
    there = [card for card in found if card in p.hand]
    if not there:
        raise RefusedError(text)
    return there[0]


def follow_one(p: Position, step: dict[str, Any]) -> list[Position]:
    if "forgo" in step:
        return [replace(p, forgone=p.forgone | {named(p, step["forgo"])})]
    if not step.keys() <= KEYS:
        raise NotCoveredError(str(step))
    if "take" in step and ("bottom" in step or "order" in step):
        raise NotCoveredError("a Claymore's choice within another card's step")
    if any(isinstance(step.get(key), list | int) for key in ("bottom", "take", *CARD_KEYS)):
        raise NotCoveredError(str(step))
    if any(isinstance(rank, int) for rank in step.get("order", ())) or "#" in str(step.get("bottom", "")):
        raise NotCoveredError("monsters named by where they stand")
    if "destroy" in step and step["use"].partition("#")[0] == "elf-archmage":
        raise NotCoveredError("a breach's choice within another card's step")
    wanted = {key: named(p, value) if key in CARD_KEYS else value for key, value in step.items()}
    if "use" in wanted:
        wanted.setdefault("effect", 0 if p.name(wanted["use"]) == "clay-golem" else 1)
    return [
        q
        for label, q in oracle.steps(p)
        if all(label.get(key) == value for key, value in wanted.items())
        and ("borrow" in wanted) >= ("borrow" in label)
        and q.forgone == p.forgone
    ]


def given_away(p: Position) -> list[Position]:
    """The trophies that the plan leaves open, given in every way."""
    golems = oracle.owed(p)
    if not golems:
        return [p]
    step = {"use": golems[0], "effect": 0}
    after = [q for label, q in oracle.steps(p) if all(label.get(key) == value for key, value in step.items())]
    return [r for q in after for r in given_away(q)]


def chosen(fight: Fight, battle: Battle, steps: Iterable[dict[str, Any]]) -> bool:
    """Does this way of fighting make the choices that the plan names?"""
    p, choices = fight.p, battle.choices
    diseases = [step["disease"] for step in steps if "disease" in step]
    if list(choices["disease"][: len(diseases)]) != diseases:
        return False
    for step in steps:
        if step.get("battle") == "cannot-attack" and choices["haunt"] != named(p, step["pick"]):
            return False
        if step.get("battle") == "destroy" and choices["destroy"] != named(p, step["pick"]):
            return False
        if step.get("battle") == "lose" and choices["losses"].get(named(p, step["hero"])) != step["from"]:
            return False
    return True


def replay(scenario: dict[str, Any]) -> Battle:
    """The battle of a plan, what it leaves open played for the goal. Raises RefusedError for an illegal plan."""
    goal = scenario.get("goal", "win")
    positions = [oracle.begin(scenario)]
    plan = scenario["plan"]
    if not any("attack" in step for step in plan):
        raise NotCoveredError("a plan without an attack")
    rank = next(step["attack"] for step in plan if "attack" in step)
    after = next(n for n, step in enumerate(plan) if "attack" in step) + 1
    if any("use" in step or "buy" in step for step in plan[after:]):
        raise NotCoveredError("after the battle")
    choices = [step for step in plan if "disease" in step or "battle" in step]
    for step in plan[: after - 1]:
        if step not in choices:
            positions = [q for p in positions for q in follow_one(p, step)]
    ways = [
        battle
        for q in positions
        for p in given_away(q)
        if not p.over
        for fight in oracle.fights(p, scenario.get("ruleset", "print"), forgo=False)
        if fight.rank == rank and not fight.barred()
        for battle in oracle.endings(p, fight)
        if chosen(fight, battle, choices)
    ]
    if not ways:
        raise RefusedError("no way to follow the plan")
    return max(ways, key=lambda battle: battle.worth(goal))
