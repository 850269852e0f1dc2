"""Why another choice was not made: what it would give, compared number by number with the best line or the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from thunderref.engine.hall import is_known
from thunderref.engine.legal import targets
from thunderref.engine.state import State, Table
from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.model.result import Comparison, Figures, ResultStep, TargetResult, WhyNot
from thunderref.solve.best import Search
from thunderref.solve.budget import Budget
from thunderref.solve.choices import read_choice
from thunderref.solve.forced import FORCED_KINDS, forced_search
from thunderref.solve.notation import Step, kind_of
from thunderref.solve.position import Finder
from thunderref.solve.score import Score
from thunderref.words.words import Words

Judged = tuple[Score | None, TargetResult]
Verdict = tuple[str, str | None, int]
"""Better, equal, worse or barred; which figure decides; by how much."""

FIGURES = ("attack", "magic_attack", "light_penalty", "total", "health")
DECIDERS = {"win": ("victory", "vp", "cost", "margin"), "max": ("total", "victory", "vp", "cost", "margin")}
"""What the worth of a line is made of, in the order in which it is compared."""
UNNAMED = ("effect", "from", "disease", "attack", "battle", "top", "order", "breach")


class Asked(NamedTuple):
    """What the choices are compared with, and how others like it are found."""

    table: Table
    state: State
    goal: str
    target: int | None
    plan: list[Step] | None
    judged: Sequence[Judged]
    """The best lines, or the plan, against every target."""
    judge: Callable[[Search, State], list[Judged]]
    """The results of a finished search; of a target that is barred, the reason in this state."""
    follow: Callable[[list[Step]], list[Judged]]
    """The results of another plan."""
    find: Finder
    words: Words


def why_not(choice: Any, asked: Asked, budget: Budget, share: float = 1.0) -> WhyNot:
    """One choice weighed against what was judged best, until its share of the budget is over.

    ``choice`` is a plan step or a few words. Raises InputError for one that cannot be read, NoAnswerError for unknown
    or ambiguous names; a choice against the rules is an answer too.
    """
    step = _with_ids(read_choice(choice, asked.table, asked.state, asked.find), asked.find)
    kind = kind_of(step, 1)
    if kind not in FORCED_KINDS or step.get("battle") == "lose":
        raise InputError("not-a-choice", kind=kind)
    answer = WhyNot(asked=choice, step=step, text=describe(step, asked.words), verdict="illegal")
    broken: dict[str, Any] = {}
    try:
        if kind == "attack":
            return _other_target(answer, asked, step)
        if asked.plan is not None and not (kind == "equip" and "to" not in step):
            try:
                variant = asked.follow(_swapped(asked.plan, step, asked.find))
                return _compared(answer, asked, variant, plan=True)
            except IllegalStepError as refusal:
                broken = _refused(refusal, asked.words) | {"plan": True}
        search, made = _search(asked, step, budget, share)
        variant = asked.judge(search, made)
        if not search.complete:
            broken |= {"searched": search.states}
        return _compared(answer, asked, variant, plan=False, proven=search.complete).model_copy(update=broken)
    except IllegalStepError as refusal:
        if not broken:
            refusal.params.pop("step", None)
        return answer.model_copy(update=broken or _refused(refusal, asked.words))


def _refused(refusal: IllegalStepError, words: Words) -> dict[str, Any]:
    return {"reason": words.error(refusal), "rule": refusal.rule, "code": refusal.code}


def _search(asked: Asked, step: Step, budget: Budget, share: float) -> tuple[Search, State]:
    only = None
    if asked.target is not None:
        only = next((foe.card for rank, _, foe in targets(asked.state) if rank == asked.target), None)
    search = Search(asked.table, asked.goal, tick=budget.searching(share), tidy=budget.tidying(share))
    made = forced_search(search, asked.state, step, asked.find, only=only)
    if search.interrupted:
        budget.end()
    return search, made


def _compared(answer: WhyNot, asked: Asked, variant: Sequence[Judged], *, plan: bool, proven: bool = True) -> WhyNot:
    found = []
    for worth, best in asked.judged:
        same = [pair for pair in variant if (pair[1].rank, pair[1].monster) == (best.rank, best.monster)]
        pair = same[0] if same else next((p for p in variant if p[1].monster == best.monster), None)
        if pair is not None:
            found.append(_comparison(asked, (worth, best), pair))
    order = ("better", "worse", "barred", "equal")
    verdicts = [comparison.verdict for comparison in found]
    most = max((pair for pair in asked.judged if pair[0] is not None), key=lambda p: (p[0], -p[1].rank), default=None)
    main = None
    if most is not None:
        main = next((c for c in found if (c.rank, c.monster) == (most[1].rank, most[1].monster)), None)
    verdict = main.verdict if main else min(verdicts, key=order.index, default="equal")
    return answer.model_copy(update={"verdict": verdict, "targets": found, "plan": plan, "proven": proven})


def _comparison(asked: Asked, best: Judged, variant: Judged) -> Comparison:
    verdict, by, n = _weighed(asked.goal, best[0], variant[0])
    first, other = best[1], variant[1]
    lost, instead = ([], []) if verdict == "equal" else _differences(first, other)
    return Comparison(
        rank=first.rank, monster=first.monster, verdict=verdict, decided_by=by, by=n, best=_figures(first),
        choice=_figures(other), reason=other.reason, line=other.line, lost=lost, instead=instead,
    )  # fmt: skip


def _other_target(answer: WhyNot, asked: Asked, step: Step) -> WhyNot:
    """Another target: its best line against that of the best target."""
    rank, card = _aim(step, asked.state)
    judged = [pair for pair in asked.judged if pair[1].monster == card]
    if not judged:
        raise NoAnswerError("not-here", card=card)
    chosen = next((pair for pair in judged if pair[1].rank == rank), judged[0])
    result = chosen[1]
    if chosen[0] is None:
        return answer.model_copy(update={"reason": result.reason, "rule": "R5.1", "code": "barred"})
    best = max((pair for pair in asked.judged if pair[0] is not None), key=lambda p: (p[0], -p[1].rank))
    verdict, by, n = _weighed(asked.goal, best[0], chosen[0])
    comparison = Comparison(
        rank=result.rank, monster=result.monster, verdict=verdict, decided_by=by, by=n, best=_figures(best[1]),
        best_rank=best[1].rank, choice=_figures(result), line=result.line,
    )  # fmt: skip
    return answer.model_copy(update={"verdict": verdict, "targets": [comparison], "proven": result.proven})


def _weighed(goal: str, best: Score | None, variant: Score | None) -> Verdict:
    """Which is better, what decides it, and by how much."""
    if best is None or variant is None:
        if best == variant:
            return "equal", None, 0
        return ("barred" if variant is None else "better"), None, 0
    for name, mine, other in zip(DECIDERS[goal], best, variant, strict=True):
        if mine != other:
            return ("better" if other > mine else "worse"), name, abs(mine - other)
    return "equal", None, 0


def _figures(result: TargetResult) -> Figures:
    return Figures(
        monster=result.monster, outcome=result.outcome, destroyed=result.destroyed,
        **{name: getattr(result, name) for name in FIGURES},
    )  # fmt: skip


def _differences(best: TargetResult, other: TargetResult) -> tuple[list[ResultStep], list[ResultStep]]:
    """The steps that only the one line has and those that only the other has; sums are left out."""
    return _only_in(best, other), _only_in(other, best)


def _only_in(result: TargetResult, other: TargetResult) -> list[ResultStep]:
    there = Counter(step.text for step in other.steps)
    found = []
    for step in result.steps:
        if there[step.text]:
            there[step.text] -= 1
        elif step.card is not None and step.part != "after":
            found.append(step)
    return found


def _aim(step: Step, state: State) -> tuple[int | None, str]:
    """The rank and the monster an attack asks for; raises NoAnswerError for a rank where none stands."""
    aim: int | str = step["attack"]
    if isinstance(aim, str):
        return None, aim
    cards = [foe.card for rank, _, foe in targets(state) if rank == aim and is_known(foe)]
    if not cards:
        raise NoAnswerError("no-target", rank=aim)
    return aim, step.get("monster", cards[0])


def _swapped(plan: list[Step], step: Step, find: Finder) -> list[Step]:
    """The plan with ``step`` for the one that plays the same card, or before the attack if there is none."""
    kind = kind_of(step, 1)

    def same(old: Step) -> bool:
        if kind == "disease":
            return "disease" in old
        if kind == "battle":
            return bool(old.get("battle") == step["battle"])
        played = old.get("equip", old.get("use", old.get("forgo")))
        if played is None:
            return False
        card: str = step[kind]
        return find(str(played).partition("#")[0]) == card.partition("#")[0]

    places = [place for place, old in enumerate(plan) if same(old)]
    if places:
        return [*plan[: places[0]], step, *plan[places[0] + 1 :]]
    attack = next((place for place, old in enumerate(plan) if "attack" in old), len(plan))
    place = attack if kind not in ("disease", "battle") else attack + 1
    return [*plan[:place], step, *plan[place:]]


# the choice in words


def _with_ids(step: Step, find: Finder) -> Step:
    """The step with card ids for names; raises InputError for a value that can be none."""
    for key, value in step.items():
        known = ("attack", "magic_attack") if key == "disease" else None
        rank = key == "bottom" and type(value) is int
        wrong = key not in UNNAMED and not rank and not isinstance(value, str | list)
        if wrong or (known is not None and value not in known):
            raise InputError("bad-step-value", step=1, key=key, value=str(value))
    if "battle" in step and "pick" not in step:
        raise InputError("missing-step-key", step=1, key="pick")

    def named(value: Any) -> Any:
        if isinstance(value, list):
            return [named(one) for one in value]
        if not isinstance(value, str):
            return value
        name, mark, copy = value.partition("#")
        return find(name.strip()) + mark + copy.strip()

    kept = {key: value if key in UNNAMED else named(value) for key, value in step.items()}
    if isinstance(step.get("attack"), str):
        kept["attack"] = named(step["attack"])
    return kept


def describe(step: Step, words: Words) -> str:
    """The choice as a heading."""

    def name(value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(name(one) for one in value)
        card, _, copy = str(value).partition("#")
        return f"{words.card(card)} #{copy}" if copy else words.card(card)

    kind = kind_of(step, 1)
    if kind == "disease":
        stat = "magic_attack" if step["disease"] == "magic_attack" else "attack"
        return words.say(f"why-not.disease.{stat}")
    if kind == "attack":
        if isinstance(step["attack"], str):
            return words.say("why-not.attack", card=name(step["attack"]))
        return words.say("why-not.attack-rank", n=step["attack"])
    if kind == "battle":
        key = "stopped" if step["battle"] == "cannot-attack" else "doomed"
        return words.say(f"why-not.{key}", card=name(step.get("pick", "")))
    if kind == "equip":
        return words.say("why-not.equip", card=name(step["equip"]), hero_card=name(step["to"]) if "to" in step else "…")
    text = words.say(f"why-not.{kind}", card=name(step[kind]))
    parts = [text]
    for key, value in step.items():
        if key in ("on", "to"):
            parts[0] = words.say("why-not.equip", card=parts[0], hero_card=name(value))
        elif key == "effect":
            parts.append(words.say("why-not.effect", n=value))
        elif key in ("destroy", "bottom"):
            parts.append(words.say(f"why-not.{key}", card=value if isinstance(value, int) else name(value)))
        elif key != kind:
            parts.append(name(value))
    return ", ".join(parts)
