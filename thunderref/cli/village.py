"""``thunderref village``: gold, purchases and level-ups of a visit to the village."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thunderref.cli.command import Budget, CommandApp, File, Hand
from thunderref.cli.inputs import document_of, entries_of, is_toml, read_file, read_text
from thunderref.cli.session import session
from thunderref.errors import InputError
from thunderref.files import parse_json

if TYPE_CHECKING:
    from thunderref.text.language import Language
    from thunderref.thunderstone.resolve.result import VisitResult

MOST_OPTIONS = 12
"""More options than this are counted, not shown."""
app = CommandApp()


@app.command("village")
def village_command(
    hand: Hand = None,
    deck: Annotated[str | None, typer.Option("--deck", metavar="CARDS")] = None,
    stacks: Annotated[str | None, typer.Option("--stacks", metavar="CARDS")] = None,
    xp: Annotated[int | None, typer.Option("--xp")] = None,
    players: Annotated[int | None, typer.Option("--players")] = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="gold|buy|vp|xp")] = None,
    plan: Annotated[str | None, typer.Option("--plan", metavar="PLAN")] = None,
    file: File = None,
    budget: Budget = None,
) -> None:
    from thunderref.thunderstone.resolve.budget import Budget as Limit
    from thunderref.thunderstone.resolve.documents import VisitDocument
    from thunderref.thunderstone.resolve.visit import visit

    run = session()
    document = document_of(
        VisitDocument, file, hand=entries_of(" ".join(hand)) if hand else None, deck=entries_of(deck),
        stacks=entries_of(stacks), xp=xp, players=players, goal=goal, plan=None if plan is None else _plan(plan),
    )  # fmt: skip
    if "hand" not in document:
        raise InputError("empty-hand")
    if run.tonight is not None and document.get("stacks") is None:
        document["stacks"] = [*run.tonight.stacks]
    with run.progress() as tell:
        result = visit(document, words=run.words, budget=Limit(budget, tell=tell))
    lines = visit_lines(result, run.words, everything=document.get("stacks") is None)
    run.answer(result.model_dump(), [*run.tonight_lines(), *lines])


def _plan(text: str) -> list[Any]:
    """The steps of ``--plan``: JSON text, or the name of a file with JSON or TOML (key ``plan``)."""
    written, steps = text.lstrip().startswith(("[", "{")), None
    if not written and is_toml(text):
        steps = read_file(text)
    else:
        content, name = (text, "--plan") if written else (read_text(text), text)
        steps = parse_json(content, name, lambda *_: InputError("bad-plan"))
    if isinstance(steps, dict):
        steps = steps.get("plan", [steps])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise InputError("bad-plan")
    return steps


def visit_lines(result: VisitResult, words: Language, *, everything: bool) -> Iterator[tuple[int, str]]:
    """The text of a visit as (indent, line); with ``everything`` the stacks on offer were not given."""
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


def _options(result: VisitResult, words: Language, everything: bool) -> Iterator[tuple[int, str]]:
    if not result.options:
        yield 2, words.say("village.no-options")
        return
    yield 2, words.say("village.options.everything" if everything else "village.options")
    for option in result.options[:MOST_OPTIONS]:
        cards = " + ".join(words.card(card) for card in option.buy)
        key = "village.option-vp" if option.vp else "village.option"
        yield 4, words.say(key, cards=cards, cost=option.cost, left=option.left, vp=option.vp)
    left = len(result.options) - MOST_OPTIONS
    if not result.options_complete:
        yield 4, words.say("village.options-many")
    elif left > 0:
        yield 4, words.say("village.options-more", n=left)
    for kind in sorted(set(result.buys_after)):
        yield 2, words.say(f"village.after.{kind}")


def _level_ups(result: VisitResult, words: Language) -> Iterator[tuple[int, str]]:
    if result.level_ups:
        yield 2, words.say("village.level-ups")
    ways, lines = Counter(one.hero for one in result.level_ups), []
    for one in result.level_ups:
        suffix = "-none-left" if not one.available else "" if result.stacks_known else "-unknown"
        suffix = "-militia" if not result.stacks_known and ways[one.hero] > 1 else suffix
        hero, to = words.card(one.hero), words.card(one.to)
        lines.append(words.say(f"village.level-up{suffix}", hero_card=hero, to_card=to, cost=one.cost))
    yield from ((4, line) for line in dict.fromkeys(lines))  # of Militia once for all ways
