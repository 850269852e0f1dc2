"""Why another choice was not made: what it gives, compared number by number with the best line or the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thunderref.errors import IllegalStepError, InputError, NoAnswerError
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.plan import step_kind
from thunderref.thunderstone.resolve.required import FOUGHT, REQUIRED_KINDS, search_with
from thunderref.thunderstone.resolve.result import Comparison, Figures, ResultStep, TargetResult, WhyNot
from thunderref.thunderstone.resolve.score import Score
from thunderref.thunderstone.resolve.spoken import read_choice
from thunderref.thunderstone.resolve.start import Finder
from thunderref.thunderstone.rules.hall import is_known
from thunderref.thunderstone.rules.legal import targets
from thunderref.thunderstone.rules.notation import Step
from thunderref.thunderstone.rules.position import replace

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.judge import Question

Judged = tuple[Score | None, TargetResult]
"""The worth of the best line against a target, None if it is barred, and the result."""

LOST = ("vp", "cost", "number")
Merits = dict[str, int]
"""What is compared, most important first."""
UNNAMED = ("effect", "from", "disease", "attack", "battle", "top", "order", "breach")


def why_not(choice: Any, question: Question, judged: Sequence[Judged], share: float = 1.0) -> WhyNot:
    """Weighs a choice against the best lines until this share of the budget is over.

    ``choice`` is a plan step or a few words, ``judged`` the best lines, or the plan, against every target. Raises
    InputError for an unreadable choice, NoAnswerError for unknown or ambiguous names; an illegal choice is an answer
    too.
    """
    find, words, plan = question.find, question.words, question.asked.plan
    step = _with_ids(read_choice(choice, question.game, question.state, find), find)
    kind = step_kind(step, 1)
    if kind not in REQUIRED_KINDS or step.get("battle") == "lose":
        raise InputError("not-a-choice", kind=kind)
    answer = WhyNot(asked=choice, step=step, text=describe(step, words), verdict="illegal")
    broken: dict[str, Any] = {}
    try:
        if kind == "attack":
            return _other_target(answer, question, judged, step)
        if plan is not None and not (kind == "equip" and "to" not in step):
            try:
                variant = question.planned(_swapped(plan, step, find))[0]
                return _compared(answer, judged, variant, plan=True)
            except IllegalStepError as refusal:
                broken = _refused(refusal, words) | {"plan": True}
        search = question.new_search(share)
        target = question.asked.target
        only = next((foe.card for rank, _, foe in targets(question.state) if rank == target), None)
        made = search_with(search, question.state, step, find, only=only)
        variant = question.judged_by(search, made)
        compared = _compared(answer, judged, variant, plan=False)
        searched = None if search.complete else search.states
        return replace(compared, proven=search.complete, searched=searched, **broken)
    except IllegalStepError as refusal:
        if not broken:
            refusal.params.pop("step", None)
        return replace(answer, **(broken or _refused(refusal, words)))


def _refused(refusal: IllegalStepError, words: Language) -> dict[str, Any]:
    return {"reason": words.error(refusal), "rule": refusal.rule, "code": refusal.code}


def best_of(judged: Sequence[Judged]) -> Judged | None:
    """The best target that can be attacked, the front one among equals; None if there is none (contract: ``best``)."""
    attackable = [pair for pair in judged if pair[0] is not None]
    return max(attackable, key=lambda pair: (*_merits(pair).values(), -pair[1].rank), default=None)


def _merits(pair: Judged) -> Merits:
    """What makes a target better than others: a victory worth more VP, then XP, then as under ``win``.

    Without a victory the total under ``max``, then the smaller shortfall.
    """
    worth, result = _worth(pair), pair[1]
    lost = {name: worth[name] for name in LOST}
    if worth["victory"]:
        return {"victory": 1, "worth": result.vp, "xp": result.xp, **lost, "margin": worth["margin"]}
    return {"victory": 0, "total": worth["total"], "margin": worth["margin"], **lost}


def _worth(pair: Judged) -> Merits:
    return {} if pair[0] is None else pair[0]._asdict()


def _compared(answer: WhyNot, judged: Sequence[Judged], variant: Sequence[Judged], *, plan: bool) -> WhyNot:
    twins = [(best, _against(variant, best[1].rank, best[1].monster)) for best in judged]
    found = [_comparison(best, twin, _worth) for best, twin in twins if twin is not None]
    most, order = best_of(judged), ("better", "worse", "barred", "equal")
    aims = [c for c in found if most is not None and (c.rank, c.monster) == (most[1].rank, most[1].monster)]
    verdict = min((comparison.verdict for comparison in aims[:1] or found), key=order.index, default="equal")
    return replace(answer, verdict=verdict, targets=found, plan=plan)


def _against(judged: Sequence[Judged], rank: int | None, monster: str) -> Judged | None:
    like = [pair for pair in judged if pair[1].monster == monster]
    return next((pair for pair in like if pair[1].rank == rank), like[0] if like else None)


def _comparison(best: Judged, variant: Judged, measure: Callable[[Judged], Merits]) -> Comparison:
    verdict, by, n = _weighed(measure(best), measure(variant))
    first, other = best[1], variant[1]
    same = verdict == "equal"
    return Comparison(
        rank=first.rank, monster=first.monster, verdict=verdict, decided_by=by, by=n, best=_figures(first),
        choice=_figures(other), reason=other.reason, line=other.line,
        lost=[] if same else _only_in(first, other), instead=[] if same else _only_in(other, first),
    )  # fmt: skip


def _other_target(answer: WhyNot, question: Question, judged: Sequence[Judged], step: Step) -> WhyNot:
    rank: int | None = None
    card: Any = step["attack"]
    if not isinstance(card, str):
        rank = card
        cards = [foe.card for place, _, foe in targets(question.state) if place == rank and is_known(foe)]
        if not cards:
            raise NoAnswerError("no-target", rank=rank)
        card = step.get("monster", cards[0])
    chosen = _against(judged, rank, card)
    if chosen is None:
        raise NoAnswerError("not-here", card=card)
    result, best = chosen[1], best_of(judged)
    if chosen[0] is None or best is None:
        return replace(answer, reason=result.reason, rule="R5.1", code="barred")
    comparison = replace(
        _comparison(best, chosen, _merits), rank=result.rank, monster=result.monster,
        best_rank=best[1].rank, lost=[], instead=[],
    )  # fmt: skip
    return replace(answer, verdict=comparison.verdict, targets=[comparison], proven=result.proven)


def _weighed(best: Merits, variant: Merits) -> tuple[str, str | None, int]:
    # better, equal, worse or barred; the figure that decides; by how much
    if not (best and variant):
        return ("equal" if best == variant else "barred" if best else "better"), None, 0
    for name, mine in best.items():
        if mine != variant[name]:
            return ("better" if variant[name] > mine else "worse"), name, abs(mine - variant[name])
    return "equal", None, 0


def _figures(result: TargetResult) -> Figures:
    return Figures(**{name: getattr(result, name) for name in Figures.__struct_fields__})


def _only_in(result: TargetResult, other: TargetResult) -> list[ResultStep]:
    there = [step.text for step in other.steps]
    found = []
    for step in result.steps:
        if step.text in there:
            there.remove(step.text)
        elif step.card is not None and step.part != "after":
            found.append(step)
    return found


def _swapped(plan: list[Step], step: Step, find: Finder) -> list[Step]:
    """The plan with ``step`` in place of the one for the same card, or before the attack if there is none."""
    kind = step_kind(step, 1)

    def same(old: Step) -> bool:
        if kind in FOUGHT:
            return kind in old and (kind == "disease" or bool(old[kind] == step[kind]))
        played = old.get("equip", old.get("use", old.get("forgo")))
        return played is not None and find(str(played).partition("#")[0]) == str(step[kind]).partition("#")[0]

    for place, old in enumerate(plan):
        if same(old):
            return [*plan[:place], step, *plan[place + 1 :]]
    attack = next((place for place, old in enumerate(plan) if "attack" in old), len(plan))
    place = attack + (kind in FOUGHT)
    return [*plan[:place], step, *plan[place:]]


def _with_ids(step: Step, find: Finder) -> Step:
    for key, value in step.items():
        rank = key == "bottom" and type(value) is int
        wrong = key not in UNNAMED and not rank and not isinstance(value, str | list)
        wrong = wrong or (key == "effect" and type(value) not in (int, type(None)))
        if wrong or (key == "disease" and value not in ("attack", "magic_attack")):
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


def describe(step: Step, words: Language) -> str:
    def name(value: Any) -> str:
        if isinstance(value, list):
            return ", ".join(name(one) for one in value)
        card, _, copy = str(value).partition("#")
        return f"{words.card(card)} #{copy}" if copy else words.card(card)

    kind = step_kind(step, 1)
    what = step[kind]
    if kind == "disease":
        return words.say(f"play.choose.disease.{what}")
    if kind == "attack":
        named = isinstance(what, str)
        return words.say("why-not.attack", card=name(what)) if named else words.say("why-not.attack-rank", n=what)
    if kind == "battle":
        key = "stop" if what == "cannot-attack" else "destroy"
        return words.say(f"play.choose.{key}", card=name(step["pick"]))
    if kind == "equip":
        return words.say("play.equip", card=name(what), hero=name(step["to"]) if "to" in step else "…")
    parts = [words.say("play.forgo", card=name(what)) if kind == "forgo" else name(what)]
    for key, value in step.items():
        if key in ("on", "to"):
            parts[0] = words.say("play.equip", card=parts[0], hero=name(value))
        elif key == "effect":
            parts.append(words.say("play.effect", n=value))
        elif key in ("destroy", "bottom"):
            parts.append(words.say(f"play.choose.{key}", card=value if isinstance(value, int) else name(value)))
        elif key != kind:
            parts.append(name(value))
    return ", ".join(parts)
