"""``thunderref village``: gold, purchases and level-ups of a visit; ``thunderref score``: points and who wins."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.command import (
    CommandApp,
    File,
    Hand,
    Seconds,
    document_of,
    entries_of,
    is_toml,
    options_of,
    read_file,
    read_text,
    takes,
)
from thunderref.cli.render import outline
from thunderref.cli.session import session
from thunderref.errors import InputError
from thunderref.files import parse_json
from thunderref.pages.visit_page import score_pages, visit_pages
from thunderref.thunderstone.resolve.documents import ScoreDocument, VisitDocument, require_hand

app = CommandApp()


@app.command("village")
@takes(visit=options_of(VisitDocument, "deck", "stacks", "xp", "players", "goal"))
def village_command(
    *,
    hand: Hand = None,
    visit: dict[str, Any],
    plan: Annotated[str | None, typer.Option("--plan", metavar="PLAN")] = None,
    file: File = None,
    budget: Seconds = None,
) -> None:
    from thunderref.budget import Budget
    from thunderref.thunderstone.resolve.visit import visit as judge_visit

    run = session()
    held, steps = entries_of(" ".join(hand)) if hand else None, None if plan is None else _plan(plan)
    document = document_of(VisitDocument, file, **visit, hand=held, plan=steps)
    require_hand(document)
    if run.tonight is not None and document.get("stacks") is None:
        document["stacks"] = [*run.tonight.stacks]
    with run.progress() as tell:
        result = judge_visit(document, words=run.words, budget=Budget(budget, tell=tell))
    lines = outline(*visit_pages(result, run.words), apart=False)
    run.answer(result.model_dump(), [*run.tonight_lines(), *lines])


@app.command("score")
def score_command(
    deck: Annotated[list[str] | None, typer.Option("--deck", metavar="PLAYER:CARDS")] = None,
    penalty: Annotated[list[str] | None, typer.Option("--penalty", metavar="PLAYER:N")] = None,
    file: File = None,
) -> None:
    from thunderref.thunderstone.resolve.final_score import final_score, with_decks

    run = session()
    document = with_decks(document_of(ScoreDocument, file), deck or (), penalty or ())
    result = final_score(document, words=run.words)
    lines = outline(*score_pages(run.words, result), apart=False)
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
