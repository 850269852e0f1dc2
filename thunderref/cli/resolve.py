"""``thunderref resolve``: the battle math at the table: a verdict for each target, the line, and its sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from thunderref.cli.command import (
    Budget,
    Command,
    CommandApp,
    File,
    Scheduler,
    checked_workers,
    given_options,
    read_battle,
    takes,
)
from thunderref.cli.inputs import document_of, entries_of
from thunderref.cli.render import draws, is_terminal, print_lines, show
from thunderref.cli.session import Session, session
from thunderref.errors import InputError
from thunderref.pages.page import Block, Line, Page
from thunderref.text.language import Language

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.result import (
        BattleFigures,
        Comparison,
        Resolution,
        ResultStep,
        TargetResult,
        WhyNot,
    )

app = CommandApp()


class ResolveCommand(Command):
    """``--explain`` takes two words: what to explain, and its subject."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for parameter in self.params:
            if parameter.name == "explain":
                parameter.nargs = 2


@app.command("resolve", cls=ResolveCommand)
@takes(battle=read_battle)
def resolve_command(
    ctx: typer.Context,
    battle: dict[str, Any],
    goal: Annotated[str | None, typer.Option("--goal", metavar="win|max")] = None,
    deck: Annotated[str | None, typer.Option("--deck", metavar="CARDS")] = None,
    village: Annotated[str | None, typer.Option("--village", metavar="CARDS")] = None,
    file: File = None,
    others: Annotated[list[str] | None, typer.Option("--other", metavar="HAND")] = None,
    batch: Annotated[str | None, typer.Option("--batch", metavar="FILE")] = None,
    workers: Annotated[
        str | None, typer.Option("--workers", "--jobs", metavar="auto|N", callback=checked_workers)
    ] = None,
    scheduler: Scheduler = None,
    budget: Budget = None,
    explain: Annotated[list[str] | None, typer.Option("--explain", metavar="why-not CHOICE")] = None,
    every: Annotated[bool, typer.Option("--all")] = False,
) -> None:
    run = session()
    if batch is not None:
        alone = given_options(ctx) - {"--batch", "--workers", "--scheduler", "--budget"}
        if alone:
            raise InputError("batch-alone", option=min(alone))
        from thunderref.cli.batch import run_batch
        from thunderref.workers import PROCESSES, number_of_workers

        run_batch(run, batch, number_of_workers(workers), scheduler or PROCESSES, budget)
        return
    from thunderref.thunderstone.resolve.documents import Scenario

    document = document_of(
        Scenario, file, **battle, goal=goal, deck=entries_of(deck), village=entries_of(village),
        others=[entries_of(hand) for hand in others] if others else None,
    )  # fmt: skip
    if run.has_a_person and file is None and not document.keys() & {"hand", "hall", "rank0"}:
        from thunderref.cli.battle_prompt import BattlePrompt

        prompt = BattlePrompt(run)
        try:
            document |= {"hand": prompt.hand(), "hall": prompt.hall()}
        except EOFError:  # Ctrl-D
            raise typer.Exit(1) from None
    if "hand" not in document:
        raise InputError("empty-hand")
    if "hall" not in document:
        if not document.get("rank0"):
            raise InputError("empty-hall")
        document["hall"] = []
    for topic, choice in cast("list[tuple[str, str]]", explain or []):  # see ResolveCommand
        if topic != "why-not":
            raise InputError("unknown-explanation", value=topic[:40])
        document["why_not"] = [*(document.get("why_not") or []), choice]
    from thunderref.thunderstone.resolve.budget import Budget as Limit
    from thunderref.thunderstone.resolve.judge import resolve

    with run.progress() as tell:
        resolution = resolve(document, words=run.words, gaps=True, budget=Limit(budget, tell=tell))
    if run.json:
        run.print_json(resolution.model_dump())
    else:
        print_resolution(run, resolution, every)


def print_resolution(run: Session, resolution: Resolution, every: bool = False) -> None:
    """Prints the sums, and what is to say of all targets together: panels in a terminal, in a pipe lines to search.

    A terminal gets only the sum of the best target unless ``every``, and all verdicts last, where they stay in sight.
    """
    words, terminal = run.words, is_terminal()
    targets, best = resolution.targets, best_target(resolution)
    shown = [best] if terminal and best is not None and not every else targets
    pages, whys = battle_pages(resolution, shown, words), why_pages(resolution, words)
    last = list(closing(resolution, words))
    print_lines(run.tonight_lines())
    if draws():
        for page in (*pages, *whys):
            show(page)
    else:
        print_lines(_lines(pages))
        for page in whys if terminal else ():
            print()
            show(page)
        if last:
            print()
    print_lines((0, text) for text in last)
    if terminal:
        print_lines((0, headline(target, words)) for target in targets)
    for page in () if terminal else whys:
        print()
        show(page)


def battle_pages(resolution: Resolution, shown: Sequence[TargetResult], words: Language) -> list[Page]:
    """A page for each target shown; for a turn without any, one for what was done in it."""
    if not shown and resolution.steps:
        return [_turn_page(resolution, words)]
    return [target_page(target, words) for target in shown]


def why_pages(resolution: Resolution, words: Language) -> list[Page]:
    return [_why_page(why, resolution, words) for why in resolution.why_not]


def target_page(target: TargetResult, words: Language) -> Page:
    """One target as a page: the verdict and what is missing, the line and the sum part by part, remarks last."""
    blocks = [Block([Line(headline(target, words)), *(Line(text) for text in _missing(target, words))])]
    for part in ("prepare", "battle", "sum", "after") if target.outcome != "barred" else ():
        lines = _steps(step for step in target.steps if step.part == part)
        if part == "after":
            lines += [Line(text) for text in (*_spoils(target, words), *_hall_after(target, words))]
        blocks.append(Block(lines, words.say(f"resolve.{part}")))
    blocks.append(Block([Line(text) for text in _remarks(target, words)]))
    return Page(words.card(target.monster), [], blocks)


def _turn_page(resolution: Resolution, words: Language) -> Page:
    """A turn without a battle: what was done, why it ends, and the hall it leaves."""
    steps = resolution.steps or ()
    before, after = (_steps(step for step in steps if step.part == part) for part in ("prepare", "after"))
    after += map(Line, _hall_after(resolution, words))
    parts = [Block(before, words.say("resolve.prepare")), Block(after, words.say("resolve.turn-end"))]
    remarks = Block([*map(Line, _open_ends(resolution, words))])
    return Page(words.say("resolve.no-battle"), [], [Block([]), *parts, remarks])


def _lines(pages: Sequence[Page]) -> Iterator[tuple[int, str]]:
    for number, page in enumerate(pages):
        if number:
            yield 0, ""
        verdict, *parts, remarks = page.blocks
        yield 0, verdict.lines[0].text if verdict.lines else page.title
        yield from ((2, line.text) for line in verdict.lines[1:])
        for block in parts:
            if block.lines:
                yield 2, block.heading
            yield from ((4, f"{line.text}  {line.note}".rstrip()) for line in block.lines)
        yield from ((2, line.text) for line in remarks.lines)


def _steps(steps: Iterable[ResultStep]) -> list[Line]:
    return [Line(step.text, note=" ".join(step.rules)) for step in steps]


def closing(resolution: Resolution, words: Language) -> Iterator[str]:
    """The lines about all targets together: the best one, and the chosen readings."""
    if resolution.best is not None or resolution.no_battle:
        yield verdict(resolution, words)
    yield from (other.text for other in resolution.other_readings)
    for name, value in resolution.readings_chosen.items():
        rule, meaning = words.database.switches[name].rule, words.say(f"reading.{name}.{value}")
        yield words.say("resolve.chosen", name=name, value=value, rule=rule, meaning=meaning)


def headline(target: TargetResult, words: Language) -> str:
    spec, won = words.database.cards[target.monster], target.outcome == "victory"
    monster = {
        "card": words.card(target.monster), "rank": target.rank, "vp": target.vp if won else spec.vp or 0,
        "xp": target.xp if won else spec.xp or 0,
    }  # fmt: skip
    if target.outcome == "barred":
        return words.say("resolve.barred", **monster, reason=target.reason or "")
    key, margin = f"resolve.{target.outcome}", target.margin or 0
    if target.outcome == "defeat" and margin >= 0:  # enough, but lost: the monster demands Magic Attack (R5.14)
        key += ".magic"
    return words.say(key, **monster, total=target.total, health=target.health, margin=abs(margin))


def best_target(resolution: Resolution) -> TargetResult | None:
    chosen = (resolution.best, resolution.best_monster)
    return next((t for t in resolution.targets if t.can_attack and (t.rank, t.monster) == chosen), None)


def verdict(resolution: Resolution, words: Language) -> str:
    best = best_target(resolution)
    if best is None:
        none = "resolve.no-entry" if "no-target" in resolution.readings_chosen else "resolve.none"
        return words.say("resolve.ended" if resolution.game_ends else none)
    hopeless = "resolve.hopeless.max" if resolution.goal == "max" else "resolve.hopeless"
    key = "resolve.best" if best.outcome == "victory" else hopeless
    return words.say(key, card=words.card(best.monster), rank=best.rank)


def _missing(target: TargetResult, words: Language) -> Iterator[str]:
    missing = target.missing
    if missing is None:
        return
    if missing.best_total is not None:
        key = "resolve.short" if missing.short else "resolve.never"
        yield words.say(key, total=missing.best_total, health=target.health, n=missing.short or 0)
    news = [more for more in missing.helps if (more.what, more.n) != ("attack", missing.short)]
    if news:
        yield words.say("missing.enough", helps=words.say("missing.or").join(more.text for more in news))
    if missing.cards:
        key = "resolve.one-more" if len(missing.cards) > 1 else "resolve.one-more.only"
        yield words.say(key, cards=", ".join(words.card(card) for card in missing.cards))


def _spoils(target: TargetResult, words: Language) -> Iterator[str]:
    for right in target.spoils:
        kinds = ", ".join(words.say(f"spoils.{kind}") for kind in right.buys)
        parts = " + ".join(f"{words.card(each.card)} {each.gold}" for each in right.gold_from)
        why = f"{parts}; R6.4" if parts else "R6.4"
        yield words.say("resolve.spoils", card=words.card(right.card), kinds=kinds, gold=right.gold, why=why)
        if right.options:
            yield words.say("resolve.spoils-options", cards=", ".join(words.card(card) for card in right.options))


def _hall_after(told: TargetResult | Resolution, words: Language) -> Iterator[str]:
    hall, rank0 = told.hall_after or (), told.rank0_after or ()
    if told.game_ends or not any((*hall, *rank0)):
        return
    places = [*((0, card) for card in rank0), *enumerate(hall, 1)]
    named = [
        words.say("resolve.rank", rank=rank, card=words.card(card) if card else words.say("resolve.unknown-card"))
        for rank, card in places
    ]
    yield words.say("resolve.hall-after", ranks=", ".join(named))


def _remarks(target: TargetResult, words: Language) -> Iterator[str]:
    if target.outcome != "barred":
        yield from _open_ends(target, words)
        yield from (other.text for other in target.other_readings)
    if not target.proven:
        yield words.say("resolve.unproven", n=target.searched or 0)


def _open_ends(told: TargetResult | Resolution, words: Language) -> Iterator[str]:
    if told.unknown_draws:
        yield words.say("resolve.unknown-draws", n=told.unknown_draws)
    if told.readings:
        yield words.say("resolve.readings", rules=", ".join(told.readings))


def _why_page(why: WhyNot, resolution: Resolution, words: Language) -> Page:
    """Another choice: what it gives against every target, and where it loses against the best one."""
    first: list[Line] = []
    if why.reason is not None:
        key, rule = "why-not.illegal.plan" if why.plan else "why-not.illegal", why.rule or ""
        first.append(Line(words.say(key, reason=why.reason), note="" if rule in why.reason else rule))
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


def _main(why: WhyNot, resolution: Resolution) -> Comparison | None:
    chosen = (resolution.best, resolution.best_monster)
    differing = [comparison for comparison in why.targets if comparison.verdict not in ("equal", "barred")]
    return max(differing, key=lambda each: (each.rank, each.monster) == chosen, default=None)


def _result(figures: BattleFigures, words: Language) -> str:
    return words.say(f"why-not.{figures.outcome}", total=figures.total, health=figures.health)


def _sentence(comparison: Comparison, why: WhyNot, words: Language) -> str:
    params = {
        "card": words.card(comparison.monster), "rank": comparison.rank, "result": _result(comparison.choice, words),
        "best": _result(comparison.best, words), "best_card": words.card(comparison.best.monster),
        "best_rank": comparison.best_rank,
    }  # fmt: skip
    if (comparison.best_rank, comparison.best.monster) == (comparison.rank, comparison.monster):
        key = "why-not.best-target"
    elif comparison.best_rank is not None and comparison.verdict != "equal":
        key = "why-not.worse.target"
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


def _numbers(comparison: Comparison, words: Language) -> Iterator[str]:
    for stat in ("attack", "magic_attack", "light_penalty", "total", "health"):
        now, best = getattr(comparison.choice, stat), getattr(comparison.best, stat)
        if now != best and now is not None and best is not None:
            yield words.say("why-not.figure", stat=words.say(f"stat.{stat}"), now=now, best=best)
