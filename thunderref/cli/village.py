"""``thunderref village``: gold, purchases and level-ups of a visit to the village."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.inputs import entries_of, is_toml, object_of, read_file, read_text
from thunderref.cli.session import session
from thunderref.errors import InputError

app = command_app()


@app.command("village")
def village_command(
    hand: Annotated[list[str] | None, typer.Argument(metavar="HAND…", help="The revealed cards.")] = None,
    deck: Annotated[str | None, typer.Option("--deck", help="Known draws, top first.")] = None,
    stacks: Annotated[str | None, typer.Option("--stacks", help="Cards on offer.")] = None,
    xp: Annotated[int | None, typer.Option("--xp", help="XP at the start of the turn.")] = None,
    players: Annotated[int | None, typer.Option("--players", help="Number of players.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="gold|buy|vp|xp", help="What the best use is.")] = None,
    plan: Annotated[str | None, typer.Option("--plan", help="A plan to check: JSON, or a file.")] = None,
    file: Annotated[str | None, typer.Option("--file", help="Document, JSON or TOML; - reads JSON.")] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Judge a visit to the village: gold, purchases, level-ups."""
    from thunderref.solve.visit import visit

    run = session()
    document: dict[str, Any] = read_file(file) if file is not None else {}
    given = {
        "hand": entries_of(" ".join(hand)) if hand else None,
        "deck": entries_of(deck), "stacks": entries_of(stacks), "xp": xp,
        "players": players, "goal": goal, "plan": None if plan is None else _plan(plan),
    }  # fmt: skip
    document |= {key: value for key, value in given.items() if value is not None}
    if "hand" not in document:
        raise InputError("empty-hand")
    result = visit(document, words=run.words)
    if run.json:
        run.print_json(result.model_dump())
        return
    from thunderref.cli.village_view import print_visit

    print_visit(run, result, everything=document.get("stacks") is None)


def _plan(text: str) -> list[Any]:
    """The steps of ``--plan``: JSON as it stands, or the name of a file with JSON or TOML (key ``plan``)."""
    import json

    steps: Any
    written = text.lstrip().startswith(("[", "{"))
    if not written and is_toml(text):
        steps = read_file(text)
    else:
        source = text if written else read_text(text)
        try:
            steps = json.loads(source.removeprefix("\ufeff"), object_pairs_hook=object_of)
        except (ValueError, RecursionError):
            raise InputError("bad-plan") from None
    if isinstance(steps, dict):
        steps = steps.get("plan", [steps])
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise InputError("bad-plan")
    return steps
