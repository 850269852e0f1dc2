"""``thunderref.resolve``: a scenario in, every target judged out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from thunderref.engine.hall import is_monster
from thunderref.engine.legal import targets
from thunderref.engine.party import party_of
from thunderref.engine.state import Foe, State, Table
from thunderref.engine.totals import bar, health, light_penalty, target_of
from thunderref.engine.values import replace
from thunderref.engine.world import Will
from thunderref.engine.worth import sums
from thunderref.errors import IllegalStepError, NoAnswerError
from thunderref.explain.terms import fold
from thunderref.lookup.switches import values_of
from thunderref.model.result import Missing, More, Resolution, TargetResult
from thunderref.model.scenario import Scenario
from thunderref.solve.best import Search, finished
from thunderref.solve.budget import Budget, Tick, unlimited
from thunderref.solve.follow import Follower, Node, read_plan
from thunderref.solve.gap import Gap, Help, least_penalty, shortfall
from thunderref.solve.notation import Step
from thunderref.solve.otherwise import no_entry, with_other_readings
from thunderref.solve.position import Finder, cards_of, position, read_scenario
from thunderref.solve.score import Score, score
from thunderref.solve.tell import tell_barred, tell_battle
from thunderref.solve.why_not import Asked, why_not
from thunderref.solve.wills import named_by, ways
from thunderref.store.read import Store, open_store
from thunderref.words.words import Words

Judged = tuple[Score | None, TargetResult]
LANGUAGE = "en"
FIRST = 0.5
"""The share of the budget for the best lines where other choices are to be weighed too."""
BASIC_CARDS = ("militia", "torch", "iron-rations", "dagger")
"""The stacks of every game (R1.6)."""


def resolve(
    scenario: Scenario | Mapping[str, Any],
    lang: str | None = None,
    *,
    store: Store | None = None,
    words: Words | None = None,
    gaps: bool = False,
    budget: Budget | None = None,
) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target.

    With ``gaps`` a target that cannot be beaten says what is missing. The ``budget`` begins with the search; where it
    does not last, what there is by then is told, and nothing of it counts as proven.

    ``scenario`` is a document of the outside contract. Raises InputError for one that cannot be read, NoAnswerError for
    unknown or ambiguous names, IllegalStepError (with the rule's id) for a plan step that the rules forbid.
    """
    store = store or open_store()
    words = words or Words(store, lang or LANGUAGE)
    asked = read_scenario(scenario)
    find = Finder(store, words.lang)
    table, start = position(asked, store, find)
    start = named_by(start, asked.plan or [], find)
    tried, all_tried = ways(table, start)
    state, *more = [_willing(start, way) for way in tried]
    budget = budget or unlimited()
    budget.begin()
    judge = partial(_judged_by, table, state, asked, words, budget)
    if asked.plan is None:
        share = FIRST if asked.why_not else 1.0
        judged = judge(_searched(table, state, asked, budget, share / len(tried)), state)
        runs = [judged]
        for number, other in enumerate(more, 2):
            search = _searched(table, other, asked, budget, share * number / len(tried))
            runs.append(_judged_by(table, other, asked, words, budget, search, other))
        judged = _worst(runs)
        if gaps:
            judged = [
                (worth, _with_gap(table, state, asked, find, words, budget, share, result)) for worth, result in judged
            ]
    else:
        judged = _worst([_planned(table, other, asked, find, words) for other in (state, *more)])
    if not all_tried:
        judged = [(worth, result.model_copy(update={"proven": False})) for worth, result in judged]
    why = []
    if asked.why_not:
        follow = partial(_following, table, state, asked, find, words)
        compared = Asked(table, state, asked.goal, asked.target, asked.plan, judged, judge, follow, find, words)
        first = FIRST if asked.plan is None else 0.0
        for number, choice in enumerate(asked.why_not, 1):
            share = first + (1 - first) * number / len(asked.why_not)
            why.append(why_not(choice, compared, budget, share))
    attackable = [(worth, -result.rank, result) for worth, result in judged if worth is not None]
    best = max(attackable, key=lambda each: each[:2])[2] if attackable else None
    no_battle = best is None and asked.target is None
    return Resolution(
        ruleset=asked.ruleset,
        goal=asked.goal,
        targets=[result for _, result in judged],
        best=None if best is None else best.rank,
        best_monster=None if best is None else best.monster,
        no_battle=no_battle,
        why_not=why,
        readings_chosen=values_of(store, table.readings),
        other_readings=no_entry(table, words) if no_battle else [],
    )


def _willing(state: State, wills: tuple[Will, ...]) -> State:
    return state if state.world is None else replace(state, world=replace(state.world, wills=wills))


def _worst(runs: list[list[Judged]]) -> list[Judged]:
    """Each target as it goes where the other players choose worst for the active one; a barred one is the worst."""
    first, *others = runs
    found = []
    for judged in first:
        twins = [judged]
        for run in others:
            twins += [
                other for other in run if (other[1].monster, other[1].rank) == (judged[1].monster, judged[1].rank)
            ]
        found.append(min(twins, key=lambda each: (each[0] is not None, each[0] or ())))
    return found


def _wanted(table: Table, state: State, asked: Scenario) -> list[tuple[int, int, Foe]]:
    """The targets to judge: every monster in the hall and in rank 0, or the one at the rank asked for."""
    standing = [t for t in targets(state) if is_monster(table, t[2])]
    if asked.target is None:
        return standing
    chosen = [t for t in standing if t[0] == asked.target]
    if not chosen:
        raise NoAnswerError("no-target", rank=asked.target)
    return chosen


def _with_gap(
    table: Table, state: State, asked: Scenario, find: Finder, words: Words, budget: Budget, share: float,
    result: TargetResult,
) -> TargetResult:  # fmt: skip
    """The result of a target that is out of reach with what is missing; others as they are."""
    if result.outcome == "victory" or not result.proven:
        return result
    best: tuple[int, int] | None = None
    if asked.goal == "max" and result.total is not None:
        best = result.total, result.health
    elif result.can_attack:
        best = shortfall(table, state, result.monster, budget, share)
        if best is None:  # it can be won, but not with this goal
            return result
    offers = list(BASIC_CARDS) + cards_of(asked.village or [], find, frozenset({"hero", "village", "basic"}))
    offers += [slot.card for slot in state.hand if table.book[slot.card].kind in ("hero", "village", "basic")]
    total = None if best is None else best[0]
    short = None if best is None else max(0, best[1] - best[0])
    gap = Gap(table, state, result.monster, short, budget, share)
    helps = [More(**more._asdict(), text=_in_words(more, result.monster, words)) for more in gap.helps()]
    missing = Missing(best_total=total, short=short, cards=gap.cards(offers), helps=helps)
    return result.model_copy(update={"missing": missing})


def _in_words(more: Help, monster: str, words: Words) -> str:
    key = "missing.strength-for" if more.weapon else f"missing.{more.what}"
    names = {"card": words.card(monster), "hero_card": words.card(more.hero or ""), "rank": more.rank}
    return words.say(key, n=more.n, weapon_card=words.card(more.weapon or ""), **names)


def _searched(table: Table, state: State, asked: Scenario, budget: Budget, share: float) -> Search:
    search = Search(table, asked.goal, tick=budget.searching(share), tidy=budget.tidying(share))
    wanted = _wanted(table, state, asked)
    search.run(state, only=wanted[0][2].card if asked.target is not None else None)
    if search.interrupted:
        budget.end()
    return search


def _judged_by(
    table: Table, state: State, asked: Scenario, words: Words, budget: Budget, search: Search, made: State
) -> list[Judged]:
    """The results of a search from ``state``; what bars a target that no line may attack is read from ``made``."""
    wanted = _wanted(table, state, asked)
    judged: list[Judged] = []
    told: set[tuple[str, int]] = set()
    for rank, _, foe in wanted:
        twins = sum(other.card == foe.card for _, _, other in wanted) > 1
        keys = [k for k in search.found if k[0] == foe.card and (not twins or k[1] == rank)]
        if not keys:
            tick = budget.tidying()
            judged.append((None, _barred(table, made, rank, foe, words, proven=search.complete, tick=tick)))
            continue
        key = max(keys, key=lambda k: (search.found[k].worth, k[1] == rank))
        judged.append(_tell(table, state, search, key, words, budget))
        told |= {key, *keys}
    if asked.target is None:
        newcomers = dict.fromkeys(card for card, _ in search.found if not any(card == known for known, _ in told))
        for card in newcomers:
            keys = [key for key in search.found if key[0] == card]
            key = max(keys, key=lambda k: (search.found[k].worth, -k[1]))
            judged.append(_tell(table, state, search, key, words, budget))
    if search.complete:
        return judged
    return [(worth, result.model_copy(update={"searched": search.states})) for worth, result in judged]


def _tell(table: Table, state: State, search: Search, key: tuple[str, int], words: Words, budget: Budget) -> Judged:
    found = search.found[key]
    line = finished(table, state, found, search.goal)
    result = tell_battle(table, state, line, words, proven=search.complete)
    tick = budget.tidying() if search.complete else None
    return found.worth, with_other_readings(table, state, line, result, words, search.goal, tick)


def _barred(
    table: Table, state: State, rank: int, foe: Foe, words: Words, *, proven: bool, tick: Tick | None = None
) -> TargetResult:
    """The result for a target that may not be attacked in ``state``; with ``tick`` after the best preparation."""
    party = party_of(table, state)
    aim = target_of(table, foe, rank)
    reason = bar(party, aim) or ("unreachable" if proven else "not-found")
    light, penalty = fold(sums(party, aim))[2], light_penalty(party, aim)[0]
    if reason == "light-penalty" and tick is not None:
        least = least_penalty(table, state, foe.card, rank, penalty, tick)
        light, penalty = light + penalty - least, least
    return tell_barred(foe.card, rank, health(table, state, foe), (light, penalty), reason, words, proven=proven)


def _following(
    table: Table, state: State, asked: Scenario, find: Finder, words: Words, plan: list[Step]
) -> list[Judged]:
    return _planned(table, state, asked.model_copy(update={"plan": plan}), find, words)


def _planned(table: Table, state: State, asked: Scenario, find: Finder, words: Words) -> list[Judged]:
    plan = read_plan(asked.plan or [])
    follower = Follower(table, find)
    nodes = follower.prepare(state, plan)
    if plan.attack is not None:
        number, step = plan.attack
        ends = follower.attack(nodes, number, step)
        return [_best_end(table, state, ends, asked, words)]
    open_nodes = [node for node in nodes if node.state.phase == "prepare"]
    if not open_nodes:
        raise IllegalStepError("turn-over", rule="R4.6")
    if plan.battle or plan.after:
        raise IllegalStepError("no-attack", rule="R5.1", step=(plan.battle or plan.after)[0][0])
    judged: list[Judged] = []
    for rank, place, foe in _wanted(table, open_nodes[0].state, asked):
        judged.append(_against(table, state, follower, open_nodes, (rank, place, foe), asked, words))
    return judged


def _against(
    table: Table,
    state: State,
    follower: Follower,
    nodes: list[Node],
    aim: tuple[int, int, Foe],
    asked: Scenario,
    words: Words,
) -> Judged:
    rank, place, foe = aim
    ends = follower.attack_at(nodes, rank, place)
    if ends and all(end.diseases for end in ends):
        raise IllegalStepError("unasked-step", rule="R5.6", step=ends[0].diseases[0][0])
    if not ends:
        return None, _barred(table, nodes[0].state, rank, foe, words, proven=True)
    return _best_end(table, state, ends, asked, words)


def _best_end(table: Table, state: State, ends: list[Node], asked: Scenario, words: Words) -> Judged:
    worths = [score(table, end.state, asked.goal) for end in ends]
    best = max(range(len(ends)), key=lambda i: (worths[i], -i))
    line = ends[best].line
    result = tell_battle(table, state, line, words, proven=True)
    return worths[best], with_other_readings(table, state, line, result, words, asked.goal, None)
