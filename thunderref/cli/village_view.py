"""How a visit to the village reads at the table: the verdict first, then the steps that can be followed aloud."""

from __future__ import annotations

from collections.abc import Iterator

from thunderref.cli.resolve_view import wrapped
from thunderref.cli.session import Session
from thunderref.model.visit import BuyOption, VisitResult
from thunderref.words.words import Words

MOST_OPTIONS = 12
"""More options than this are counted, not shown."""


def print_visit(run: Session, result: VisitResult, *, everything: bool) -> None:
    """Prints a visit; ``everything`` says that the stacks on offer were not given."""
    for indent, text in visit_lines(result, run.words, everything=everything):
        print(wrapped(indent, text))


def visit_lines(result: VisitResult, words: Words, *, everything: bool) -> Iterator[tuple[int, str]]:
    """The text of a visit as (indent, line)."""
    yield 0, words.say("village.headline", gold=result.gold, buys=result.buys, xp=result.xp)
    for part in ("effects", "gold", "buy", "level"):
        steps = [step for step in result.steps if step.part == part]
        if steps:
            yield 2, words.say(f"village.{part}")
            for step in steps:
                yield 4, f"{step.text}  {' '.join(step.rules)}".rstrip()
    if any(step.part in ("buy", "level") for step in result.steps):
        yield 0, words.say("village.headline-left", gold=result.gold_left, xp=result.xp_left)
    else:
        yield from _options(result, words, everything)
        yield from _level_ups(result, words)
    if result.unknown_draws:
        yield 2, words.say("village.unknown-draws", n=result.unknown_draws)
    if result.unknown:
        yield 2, words.say("village.unknown", cards=", ".join(words.card(card) for card in result.unknown))
    if not result.proven:
        yield 2, words.say("village.unproven")


def _options(result: VisitResult, words: Words, everything: bool) -> Iterator[tuple[int, str]]:
    if not result.options:
        yield 2, words.say("village.no-options")
        return
    yield 2, words.say("village.options.everything" if everything else "village.options")
    for option in result.options[:MOST_OPTIONS]:
        yield 4, _option(option, words)
    left = len(result.options) - MOST_OPTIONS
    if not result.options_complete:
        yield 4, words.say("village.options-many")
    elif left > 0:
        yield 4, words.say("village.options-more", n=left)
    for kind in sorted(set(result.buys_after)):
        yield 2, words.say(f"village.after.{kind}")


def _option(option: BuyOption, words: Words) -> str:
    cards = " + ".join(words.card(card) for card in option.buy)
    key = "village.option-vp" if option.vp else "village.option"
    return words.say(key, cards=cards, cost=option.cost, left=option.left, vp=option.vp)


def _level_ups(result: VisitResult, words: Words) -> Iterator[tuple[int, str]]:
    found = result.level_ups
    if not found:
        return
    yield 2, words.say("village.level-ups")
    told: set[str] = set()
    for one in found:
        names = {"hero_card": words.card(one.hero), "to_card": words.card(one.to), "cost": one.cost}
        if not result.stacks_known and sum(other.hero == one.hero for other in found) > 1:
            if one.hero not in told:
                told.add(one.hero)
                yield 4, words.say("village.level-up-militia", hero_card=names["hero_card"], cost=one.cost)
            continue
        suffix = "-none-left" if not one.available else "" if result.stacks_known else "-unknown"
        yield 4, words.say(f"village.level-up{suffix}", **names)
