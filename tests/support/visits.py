"""Puts a visit to the village to both adjudicators: random plans, the best use of effects, all purchases."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import thunderref
from thunderref.errors import ThunderrefError

from .oracle import CARDS, visit
from .oracle.visit import Visit, arrive, baskets, ends, purchases, rises, uses

MOVED = ("drawn", "destroyed", "discarded", "gained", "on_deck", "unknown")
FIGURE = {"buy": "cost", "vp": "vp"}
PLAIN = ("gold", "gold_left", "buys", "xp_left", "unknown_draws")


def figures(v: Visit) -> dict[str, Any]:
    p = v.p
    worth = v.worth() if v.phase == "use" else v.gold + sum(CARDS[card].get("cost") or 0 for card in v.bought)
    return {
        "gold": worth,
        "gold_left": worth if v.phase == "use" else v.gold,
        "buys": v.buys(),
        "xp_left": v.xp,
        "unknown_draws": p.unknown,
        "drawn": Counter(v.drawn),
        "destroyed": Counter(p.destroyed),
        "discarded": Counter(p.discarded),
        "gained": Counter(p.gained),
        "on_deck": Counter(p.names[card] for card in v.on_deck),
        "unknown": Counter(v.unknown),
    }


def told(document: dict[str, Any]) -> dict[str, Any] | ThunderrefError:
    try:
        return thunderref.village(document).model_dump()
    except ThunderrefError as refusal:
        return refusal


def random_errand(rng: random.Random, document: dict[str, Any]) -> list[dict[str, Any]]:
    """Effects, purchases, levels: mostly legal ones; now and then one that may not be."""
    v, plan = arrive(document), []
    for kinds, most in ((uses, rng.randint(0, 5)), (purchases, rng.randint(0, 3)), (rises, rng.randint(0, 2))):
        for _ in range(most):
            legal = list(kinds(v))
            if rng.random() < 0.06:
                plan.append(any_step(rng, document))
            if not legal:
                break
            label, w = rng.choice(legal)
            plan.append({key: rng.choice(visit.words(v, key, value)) for key, value in label.items()})
            v = w
    return plan


def any_step(rng: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    card = rng.choice(document["hand"])
    wares = [offer.split()[-1] for offer in document["stacks"]]
    steps: list[dict[str, Any]] = [{"use": card}, {"use": card, "effect": 2}, {"level_up": card}]
    return rng.choice([*steps, *({"buy": ware} for ware in wares[:2])])


def orders(plan: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The plan as it is, then with its purchases, one after the other, in every other order (R3.3)."""
    buys = [place for place, step in enumerate(plan) if "buy" in step]
    if buys and buys[-1] - buys[0] + 1 == len(buys):
        for order in permutations(plan[buys[0] : buys[-1] + 1]):
            yield [*plan[: buys[0]], *order, *plan[buys[-1] + 1 :]]
    else:
        yield plan


def followed(document: dict[str, Any], plan: list[dict[str, Any]]) -> list[Visit]:
    ways = [arrive(document)]
    for step in plan:
        ways = [w for v in ways for w in visit.taken(v, step)]
    return ways


def plan_differences(document: dict[str, Any]) -> list[str]:
    """Is the plan legal, and what does it come to?"""
    ways = next(filter(None, (followed(document, plan) for plan in orders(document["plan"]))), [])
    theirs = told(document)
    if isinstance(theirs, ThunderrefError):
        return [f"refused by the engine, accepted by the oracle: {theirs}"] if ways else []
    if not ways:
        return ["accepted by the engine, refused by the oracle"]
    mine = [figures(v) for v in ways]
    said = {key: theirs[key] for key in PLAIN} | {key: Counter(theirs[key]) for key in MOVED}
    wrong = [
        [f"{key} engine {said[key]}, oracle {each[key]}" for key in said if said[key] != each[key]] for each in mine
    ]
    found = min(wrong, key=len)
    if not found and len(ways) == 1 and ways[0].phase == "use":
        found = [*offer_differences(ways[0], theirs), *level_differences(ways[0], theirs)]
    return found


def offer_differences(v: Visit, theirs: dict[str, Any]) -> list[str]:
    if not theirs["options_complete"]:
        return []
    said = {tuple(sorted(option["buy"])): option["cost"] for option in theirs["options"]}
    mine = baskets(v)
    return [f"options engine {set(said) - set(mine)}, oracle {set(mine) - set(said)}"] if said != mine else []


def level_differences(v: Visit, theirs: dict[str, Any]) -> list[str]:
    said = {(each["hero"], each["to"]) for each in theirs["level_ups"] if each["available"] and each["cost"] <= v.xp}
    mine = {(v.p.names[label["level_up"]], label["to"]) for label, _ in rises(v)}
    return [f"levels engine {said}, oracle {mine}"] if said != mine else []


def best_differences(document: dict[str, Any]) -> list[str]:
    """The most that can be had by the goal, of all ways to use the effects, and of those that destroy nothing."""
    goal, theirs = document["goal"], told(document)
    if isinstance(theirs, ThunderrefError):
        return [f"refused: {theirs}"]
    every = ends(arrive(document))
    spared = [v for v in every if not v.p.destroyed]
    basket = theirs["options"][0] if theirs["options"] else None
    answers = {"": {**theirs, "best": basket}, "sparing": theirs["sparing"]}
    found = []
    for name, ways in (("", every), ("sparing", spared)):
        said = answers[name][goal] if goal in ("gold", "xp") else (answers[name]["best"] or {}).get(FIGURE[goal], 0)
        most = max(valued(v, goal) for v in ways)
        found += [f"{name}: {goal} engine {said}, oracle {most}"] if said != most else []
    most = max(v.worth() for v in every)
    found += [f"engine {theirs['spending']['gold']} gold, oracle {most}"] if theirs["spending"]["gold"] != most else []
    return [*found, *plan_differences({**document, "plan": theirs["line"]})]


def valued(v: Visit, goal: str) -> int:
    if goal in ("gold", "xp"):
        return v.worth() if goal == "gold" else v.xp
    vp = (sum(CARDS[card].get("vp") or 0 for card in bought) for bought in baskets(v))
    return max(baskets(v).values() if goal == "buy" else vp, default=0)
