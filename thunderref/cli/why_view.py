"""How another choice is weighed at the table: the verdict, the figures that differ, the steps that differ."""

from __future__ import annotations

from collections.abc import Iterator

from thunderref.cli.page import Block, Line, Page
from thunderref.model.result import Comparison, Figures, Resolution, ResultStep, WhyNot
from thunderref.words.words import Words

STATS = ("attack", "magic_attack", "light_penalty", "total", "health")


def why_pages(resolution: Resolution, words: Words) -> list[Page]:
    """A page for every choice asked about."""
    return [why_page(why, resolution, words) for why in resolution.why_not]


def why_page(why: WhyNot, resolution: Resolution, words: Words) -> Page:
    """The choice, what it gives against every target, and where it loses against the best one."""
    first: list[Line] = []
    if why.reason is not None:
        key = "why-not.illegal.plan" if why.plan else "why-not.illegal"
        first.append(Line(words.say(key, reason=why.reason), note="" if _cited(why) else why.rule or ""))
    if why.plan and why.reason is not None and why.targets:
        first.append(Line(words.say("why-not.otherwise")))
    first += [Line(_sentence(comparison, why, words)) for comparison in why.targets]
    if not why.proven:
        first.append(Line(words.say("resolve.unproven", n=why.searched or 0)))
    blocks = [Block(first)]
    main = _main(why, resolution)
    if main is not None:
        place = words.say("why-not.place", card=words.card(main.monster), rank=main.rank)
        blocks.append(Block([Line(text) for text in _numbers(main, words)], place if len(why.targets) > 1 else ""))
        blocks.append(Block(_steps(main.instead), words.say("why-not.instead")))
        blocks.append(Block(_steps(main.lost), words.say("why-not.lost.plan" if why.plan else "why-not.lost")))
    return Page(words.say("why-not.title", choice=why.text), [], blocks)


def _cited(why: WhyNot) -> bool:
    return why.rule is not None and why.rule in (why.reason or "")


def _main(why: WhyNot, resolution: Resolution) -> Comparison | None:
    """The comparison to be shown in full: that of the best target, if anything differs there."""
    differing = [comparison for comparison in why.targets if comparison.verdict not in ("equal", "barred")]
    chosen = (resolution.best, resolution.best_monster)
    at_best = [comparison for comparison in differing if (comparison.rank, comparison.monster) == chosen]
    return next(iter((*at_best, *differing)), None)


def _result(figures: Figures, words: Words) -> str:
    return words.say(f"why-not.{figures.outcome}", total=figures.total, health=figures.health)


def _sentence(comparison: Comparison, why: WhyNot, words: Words) -> str:
    params = {
        "card": words.card(comparison.monster), "rank": comparison.rank, "result": _result(comparison.choice, words),
        "best": _result(comparison.best, words), "best_card": words.card(comparison.best.monster),
        "best_rank": comparison.best_rank,
    }  # fmt: skip
    if comparison.best_rank is not None:
        key = "why-not.best-target" if comparison.verdict == "equal" else "why-not.worse.target"
    elif comparison.verdict == "equal":
        key = "why-not.equal"
    else:
        key = f"why-not.{'better' if comparison.verdict == 'better' else 'worse'}{'.plan' if why.plan else ''}"
    text = words.say(key, **params)
    if comparison.verdict == "worse" and comparison.decided_by is not None:
        text += " " + words.say(f"why-not.by.{comparison.decided_by}", n=comparison.by)
    if comparison.reason and comparison.verdict == "barred":
        text += " " + comparison.reason
    return text


def _numbers(comparison: Comparison, words: Words) -> Iterator[str]:
    for stat in STATS:
        now, best = getattr(comparison.choice, stat), getattr(comparison.best, stat)
        if now != best and now is not None and best is not None:
            yield words.say("why-not.figure", stat=words.say(f"stat.{stat}"), now=now, best=best)


def _steps(steps: list[ResultStep]) -> list[Line]:
    return [Line(step.text, note=" ".join(step.rules)) for step in steps]
