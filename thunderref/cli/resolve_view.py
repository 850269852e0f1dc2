"""How a resolution reads at the table: one verdict a target, then the line and the sum that can be followed aloud."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator

from thunderref.cli.page import Block, Line, Page
from thunderref.cli.session import Session
from thunderref.model.result import Resolution, ResultStep, TargetResult
from thunderref.words.words import Words

WIDEST = 100


def print_resolution(run: Session, resolution: Resolution) -> None:
    """Prints every target, the best last line of all: panels in a terminal, in a pipe lines that can be searched."""
    from thunderref.cli.render import draws, show

    if not draws():
        for indent, text in resolution_lines(resolution, run.words):
            print(wrapped(indent, text))
    else:
        for target in resolution.targets:
            show(target_page(target, run.words))
        for text in closing(resolution, run.words):
            print(wrapped(0, text))
    if resolution.why_not:
        from thunderref.cli.why_view import why_pages

        for page in why_pages(resolution, run.words):
            if not draws():
                print()
            show(page)


def target_page(target: TargetResult, words: Words) -> Page:
    """One target as a page: the verdict, what is missing, then the line and the sum."""
    first = [Line(headline(target, words)), *(Line(text) for _, text in _missing(target, words))]
    blocks = [Block(first)]
    for part in ("prepare", "battle", "sum", "after"):
        lines = [Line(step.text, note=" ".join(step.rules)) for step in target.steps if step.part == part]
        if part == "after":
            lines += [Line(text) for text in (*_spoils(target, words), *_hall_after(target, words))]
        if target.outcome != "barred":
            blocks.append(Block(lines, words.say(f"resolve.{part}")))
    blocks.append(Block([Line(text) for text in _remarks(target, words)]))
    return Page(words.card(target.monster), [], blocks)


def resolution_lines(resolution: Resolution, words: Words) -> Iterator[tuple[int, str]]:
    """The text of a resolution as (indent, line)."""
    for number, target in enumerate(resolution.targets):
        if number:
            yield 0, ""
        yield 0, headline(target, words)
        yield from _details(target, words)
    for number, text in enumerate(closing(resolution, words)):
        if not number:
            yield 0, ""
        yield 0, text


def closing(resolution: Resolution, words: Words) -> Iterator[str]:
    """What is said of all targets together: the best one, and which readings were asked for."""
    if resolution.best is not None or resolution.no_battle:
        yield verdict(resolution, words)
    for other in resolution.other_readings:
        yield other.text
    for name, value in resolution.readings_chosen.items():
        rule = words.store.switches[name].rule
        yield words.say(
            "resolve.chosen", name=name, value=value, rule=rule, meaning=words.say(f"reading.{name}.{value}")
        )


def headline(target: TargetResult, words: Words) -> str:
    """One sentence: who, where, and how it ends."""
    name = words.card(target.monster)
    if target.outcome == "barred":
        return words.say("resolve.barred", card=name, rank=target.rank, reason=target.reason or "")
    key = "resolve.victory" if target.outcome == "victory" else "resolve.defeat"
    margin = target.margin or 0
    if key == "resolve.defeat" and margin >= 0:  # enough, and yet lost: the monster asks for Magic Attack (R5.14)
        key += ".magic"
    margin = abs(margin)
    return words.say(key, card=name, rank=target.rank, total=target.total, health=target.health, margin=margin)


def verdict(resolution: Resolution, words: Words) -> str:
    """Which target is best, or that none can be attacked."""
    chosen = (resolution.best, resolution.best_monster)
    best = next((t for t in resolution.targets if t.can_attack and (t.rank, t.monster) == chosen), None)
    if best is None:
        return words.say("resolve.no-entry" if "no-target" in resolution.readings_chosen else "resolve.none")
    key = "resolve.best" if best.outcome == "victory" else "resolve.hopeless"
    return words.say(key, card=words.card(best.monster), rank=best.rank)


def _missing(target: TargetResult, words: Words) -> Iterator[tuple[int, str]]:
    if target.missing is None:
        return
    if target.missing.best_total is not None:
        short = target.missing.short or 0
        key = "resolve.short" if short else "resolve.never"
        yield 2, words.say(key, total=target.missing.best_total, health=target.health, n=short)
    news = [more for more in target.missing.helps if (more.what, more.n) != ("attack", target.missing.short)]
    if news:
        yield 2, words.say("missing.enough", helps=words.say("missing.or").join(more.text for more in news))
    if target.missing.cards:
        yield 2, words.say("resolve.one-more", cards=", ".join(words.card(card) for card in target.missing.cards))


def _details(target: TargetResult, words: Words) -> Iterator[tuple[int, str]]:
    yield from _missing(target, words)
    if target.outcome == "barred":
        if not target.proven:
            yield 2, words.say("resolve.unproven", n=target.searched or 0)
        return
    for part in ("prepare", "battle", "sum", "after"):
        steps = [step for step in target.steps if step.part == part]
        if not steps:
            continue
        yield 2, words.say(f"resolve.{part}")
        for step in steps:
            yield 4, _step(step)
    for text in (*_spoils(target, words), *_hall_after(target, words)):
        yield 4, text
    for text in _remarks(target, words):
        yield 2, text


def _spoils(target: TargetResult, words: Words) -> Iterator[str]:
    for right in target.spoils:
        kinds = ", ".join(words.say(f"spoils.{kind}") for kind in right.buys)
        parts = " + ".join(f"{words.card(each.card)} {each.gold}" for each in right.gold_from)
        why = f"{parts}; R6.4" if parts else "R6.4"
        yield words.say("resolve.spoils", card=words.card(right.card), kinds=kinds, gold=right.gold, why=why)
        if right.options:
            yield words.say("resolve.spoils-options", cards=", ".join(words.card(card) for card in right.options))


def _hall_after(target: TargetResult, words: Words) -> Iterator[str]:
    """What stands in the hall when the turn ends; nothing if the game is over or nobody knows any of it."""
    if target.game_ends or not any((*target.hall_after, *target.rank0_after)):
        return
    places = [(0, card) for card in target.rank0_after]
    places += [(rank, card or "") for rank, card in enumerate(target.hall_after, 1)]
    named = [
        words.say("resolve.rank", rank=rank, card=words.card(card) if card else words.say("resolve.unknown-card"))
        for rank, card in places
    ]
    yield words.say("resolve.hall-after", ranks=", ".join(named))


def _remarks(target: TargetResult, words: Words) -> Iterator[str]:
    """What the result leans on: unknown draws, readings, a search cut short."""
    if target.unknown_draws:
        yield words.say("resolve.unknown-draws", n=target.unknown_draws)
    if target.readings:
        yield words.say("resolve.readings", rules=", ".join(target.readings))
    for other in target.other_readings:
        yield other.text
    if not target.proven:
        yield words.say("resolve.unproven", n=target.searched or 0)


def _step(step: ResultStep) -> str:
    return f"{step.text}  {' '.join(step.rules)}".rstrip()


def wrapped(indent: int, text: str) -> str:
    """Wraps for a terminal; in a pipe every line stays whole, so that it can be searched."""
    if not sys.stdout.isatty():
        return " " * indent + text if text else ""
    width = max(20, min(WIDEST, shutil.get_terminal_size().columns))
    pad = " " * indent
    return textwrap.fill(
        text, width, initial_indent=pad, subsequent_indent=pad + "  ", break_long_words=False, break_on_hyphens=False
    )
