"""Puts one scenario to both adjudicators and says where they differ."""

from __future__ import annotations

from collections import Counter
from typing import Any

from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.result import BattleFigures, Resolution, TargetResult

from . import oracle
from .oracle import Battle
from .oracle.battle import Worth
from .oracle.facts import is_monster
from .replay import RefusedError, Turn, follow

BARRED = "barred"
BASIC = ["dagger", "iron-rations", "militia", "torch"]
"""Cards of the village where nothing else is known of it (R1.6, R4.11)."""


def worth(result: TargetResult | BattleFigures, goal: str, line: list[dict[str, Any]]) -> Worth:
    """The worth of a result, from its public figures only."""
    lost = Counter(name for name in result.destroyed if name != "disease")
    lost -= Counter(step[key] for step in line for key in ("draw", "recruit") if key in step)
    lost -= Counter(step["borrow-from"][1] for step in line if "borrow-from" in step)
    vp = sum(oracle.CARDS[name].get("vp") or 0 for name in lost.elements())
    cost = sum(oracle.CARDS[name].get("cost") or 0 for name in lost.elements())
    taken = Counter(result.gained)
    taken[result.monster] -= result.outcome == "victory"
    prey = sum(oracle.CARDS[name].get("vp") or 0 for name in taken.elements() if is_monster(name))
    assert result.total is not None
    margin = result.total - result.health
    win = (int(result.outcome == "victory"), -vp, -cost, -lost.total(), -result.gained.count("disease"), prey, margin)
    return (result.total, *win) if goal == "max" else win


def differences(
    scenario: dict[str, Any], limit: int | None = None, results: list[TargetResult] | None = None
) -> list[str]:
    """One line for each target on which the two do not agree; raises oracle.NotCoveredError."""
    results = resolve(scenario).targets if results is None else results
    goal = scenario["goal"]
    verdict = oracle.judge({"village": BASIC, **scenario}, limit=limit)
    worths = {key: battle.worth(goal) for key, battle in verdict.best.items()}
    found = []
    for result in results:
        mine = {key: value for key, value in worths.items() if key[0] == result.monster}
        twins = sum(other.monster == result.monster for other in results) > 1
        if twins:
            mine = {key: value for key, value in mine.items() if key[1] == result.rank}
        best = max(mine.values(), default=None)
        barred = result.outcome == BARRED
        said = None if barred else worth(result, goal, result.line)
        name = f"{result.monster} at rank {result.rank}"
        if said != best:
            found.append(f"{name}: engine {said}, oracle {best}")
        elif said is not None and mine.get((result.monster, result.rank)) != said:
            found.append(f"{name}: engine {said}, oracle at this rank {mine.get((result.monster, result.rank))}")
    judged = {result.monster for result in results}
    met = {monster for monster, _ in (*verdict.best, *verdict.barred)}
    if met - judged:
        attackable = Counter(monster for monster, _ in verdict.best)
        missing = [monster for monster in met - judged if monster in attackable]
        found += [f"{monster}: not judged by the engine" for monster in missing]
    return found


# --- figures of a line ---

FIGURES = ("health", "attack", "magic_attack", "light", "light_penalty", "total", "margin", "outcome", "xp", "vp")
HALL = ("hall_after", "rank0_after", "game_ends", "unknown_draws")
CARDS_MOVED = ("destroyed", "gained", "discarded", "caged")


def figures(told: TargetResult | Battle, *, offers: bool) -> dict[str, Any]:
    """All that is said of the end of a turn, so that two of them can be compared."""
    found: dict[str, Any] = {key: getattr(told, key) for key in (*FIGURES, *HALL)}
    found |= {key: Counter(getattr(told, key)) for key in CARDS_MOVED}
    return found | {"spoils": Counter(spoils(told, offers=offers))}


def spoils(told: TargetResult | Battle, *, offers: bool) -> list[tuple[str, int, tuple[str, ...]]]:
    """Who allows a purchase, for how much gold; and if asked what could be bought, where the village is known."""
    if isinstance(told, Battle):
        rights = [(right.card, right.gold, right.options()) for right in told.rights]
    else:
        rights = [(right.card, right.gold, [*right.options, *right.options_perhaps]) for right in told.spoils]
    return [(card, gold, tuple(sorted(options)) if offers else ()) for card, gold, options in rights]


def unlike(result: TargetResult, ways: list[Battle], goal: str) -> list[str]:
    """The figures in which a result differs from every way to end the turn that is worth the most."""
    offers = not any("buy" in step for step in result.line)  # what is bought is no longer on offer
    mine = figures(result, offers=offers)
    wrong: list[list[str]] = []
    most = max(battle.worth(goal) for battle in ways)
    for battle in (battle for battle in ways if battle.worth(goal) == most):
        theirs = figures(battle, offers=offers)
        wrong.append([f"{key} engine {mine[key]}, oracle {theirs[key]}" for key in mine if mine[key] != theirs[key]])
    return min(wrong, key=len)


def doubtful_lines(scenario: dict[str, Any], results: list[TargetResult] | None = None) -> tuple[int, list[str]]:
    """Plays the engine's lines through the oracle: how many could be, and where a figure of the result differs."""
    played, found = 0, []
    for result in resolve(scenario).targets if results is None else results:
        if result.outcome == BARRED:
            continue
        name = f"{result.monster} at rank {result.rank}"
        try:
            battles = follow({**scenario, "plan": result.line}).battles
        except oracle.NotCoveredError:
            continue
        except RefusedError as refusal:
            found.append(f"{name}: {result.line} is refused: {refusal}")
            continue
        played += 1
        ways = battles.get((result.monster, result.rank))
        wrong = unlike(result, ways, scenario["goal"]) if ways else ["the oracle attacks something else"]
        found += [f"{name}: {result.line}: {line}" for line in wrong]
    return played, found


# --- plans ---


def answer(scenario: dict[str, Any]) -> Resolution | ThunderrefError:
    """What the program says to a plan."""
    try:
        return resolve(scenario)
    except ThunderrefError as refusal:
        return refusal


def plan_differences(scenario: dict[str, Any]) -> list[str]:
    """Is the plan legal, and what does it come to? One line for each answer on which the two do not agree."""
    theirs = answer(scenario)
    try:
        mine: Turn | RefusedError = follow(scenario)
    except RefusedError as refusal:
        mine = refusal
    if isinstance(mine, RefusedError):
        if isinstance(theirs, Resolution):
            return [f"accepted by the engine, refused by the oracle: {mine} ({mine.rule})"]
        rule = theirs.params.get("rule")
        if mine.rule is not None and isinstance(theirs, IllegalStepError) and str(rule).rstrip("y") != mine.rule:
            return [f"refused by {rule} in the engine, by {mine.rule} in the oracle"]
        return []
    if isinstance(theirs, ThunderrefError):
        return [f"refused by the engine, accepted by the oracle: {theirs}"]
    if mine.quiet and not mine.battles:
        return quiet_differences(theirs.model_dump(), mine.quiet)
    told = {(result.monster, result.rank): result for result in theirs.targets if result.outcome != BARRED}
    if not told.keys() <= mine.battles.keys() or bool(told) != bool(mine.battles):  # one of them, where it is open
        return [f"engine attacks {sorted(told)}, oracle {sorted(mine.battles)}"]
    goal = scenario["goal"]
    return [f"{aim}: {line}" for aim, result in told.items() for line in unlike(result, mine.battles[aim], goal)]


def quiet_differences(theirs: dict[str, Any], ends: list[oracle.Position]) -> list[str]:
    """A turn that ends without an attack: the contract names these keys."""
    said = {key: theirs.get(key) for key in ("targets", "best", "no_battle", "game_ends", "hall_after")}
    ways = [
        {
            "targets": [],
            "best": None,
            "no_battle": True,
            "game_ends": p.over,
            "hall_after": [slot[0] if slot and slot[0] != "?" else None for slot in p.hall],
        }
        for p in ends
    ]
    return [] if said in ways else [f"engine {said}, oracle {ways}"]
