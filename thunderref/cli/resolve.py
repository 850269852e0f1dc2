"""``thunderref resolve``: the battle math at the table."""

from __future__ import annotations

from typing import Annotated, Any, cast

import typer
from typer.core import TyperCommand

from thunderref.cli.app import Json, Lang, command_app
from thunderref.cli.inputs import entries_of, ranks_of, read_file
from thunderref.cli.session import Session, session
from thunderref.errors import InputError

app = command_app()

WHY_NOT = "why-not"


class ResolveCommand(TyperCommand):
    """``--explain`` takes two words: what is to be explained, and about what."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for parameter in self.params:
            if parameter.name == "explain":
                parameter.nargs = 2
                parameter.multiple = True


@app.command("resolve", cls=ResolveCommand)
def resolve_command(
    hand: Annotated[list[str] | None, typer.Argument(metavar="HAND…", help="The cards of the hand.")] = None,
    hall: Annotated[str | None, typer.Option("--hall", help="The monsters, rank 1 first.")] = None,
    rank0: Annotated[str | None, typer.Option("--rank0", help="Guardians in rank 0.")] = None,
    rank: Annotated[int | None, typer.Option("--rank", help="Judge this rank only.")] = None,
    goal: Annotated[str | None, typer.Option("--goal", metavar="win|max", help="What the best line is.")] = None,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="print|yucata", help="The rules to use.")] = None,
    deck: Annotated[str | None, typer.Option("--deck", help="Known draws, top first.")] = None,
    dungeon: Annotated[str | None, typer.Option("--dungeon", help="Known refills, top first.")] = None,
    village: Annotated[str | None, typer.Option("--village", help="Cards on offer.")] = None,
    file: Annotated[str | None, typer.Option("--file", help="Scenario, JSON or TOML; - reads JSON.")] = None,
    others: Annotated[
        list[str] | None, typer.Option("--other", metavar="HAND", help="The hand of another player.")
    ] = None,
    readings: Annotated[
        list[str] | None, typer.Option("--reading", metavar="NAME=VALUE", help="Answers an open question.")
    ] = None,
    batch: Annotated[str | None, typer.Option("--batch", help="One JSON scenario a line; - reads input.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", help="Processes for --batch.")] = None,
    budget: Annotated[float | None, typer.Option("--budget", help="Seconds the search may take.")] = None,
    explain: Annotated[
        list[str] | None, typer.Option("--explain", metavar="why-not CHOICE", help="Weigh another choice.")
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> None:
    """Compute a battle: can this hand beat anything in the hall, and how?"""
    run = session()
    if jobs is not None and jobs < 1:
        raise InputError("bad-jobs", jobs=jobs)
    if budget is not None and not budget > 0:
        raise InputError("bad-budget", budget=f"{budget:g}")
    if batch is not None:
        alone = {
            "HAND…": hand, "--hall": hall, "--rank0": rank0, "--rank": rank, "--goal": goal, "--ruleset": ruleset,
            "--deck": deck, "--dungeon": dungeon, "--village": village, "--file": file, "--other": others,
            "--reading": readings, "--explain": explain,
        }  # fmt: skip
        for option, value in alone.items():
            if value:
                raise InputError("batch-alone", option=option)
        from thunderref.cli.batch import run_batch

        run_batch(run, batch, jobs, budget)
        return
    document: dict[str, Any] = read_file(file) if file is not None else {}
    given = {
        "hand": entries_of(" ".join(hand)) if hand else None,
        "hall": ranks_of(hall), "rank0": entries_of(rank0), "target": rank, "goal": goal, "ruleset": ruleset,
        "deck": entries_of(deck), "dungeon": entries_of(dungeon), "village": entries_of(village),
        "readings": readings or None, "others": [entries_of(hand) for hand in others] if others else None,
    }  # fmt: skip
    document |= {key: value for key, value in given.items() if value is not None}
    if "hand" not in document:
        raise InputError("empty-hand")
    if "hall" not in document:
        if not document.get("rank0"):
            raise InputError("empty-hall")
        document["hall"] = []
    if rank is not None and not 0 <= rank <= 3:
        raise InputError("bad-rank", rank=str(rank))
    for topic, choice in cast("list[tuple[str, str]]", explain or []):  # see ResolveCommand
        if topic != WHY_NOT:
            raise InputError("unknown-explanation", value=topic[:40])
        document["why_not"] = [*(document.get("why_not") or []), choice]
    answer(run, document, budget)


def answer(run: Session, document: dict[str, Any], budget: float | None = None) -> None:
    """Resolves one scenario and prints the result; the search ends after ``budget`` seconds with what it has."""
    from thunderref.cli.watch import Watch
    from thunderref.solve.api import resolve
    from thunderref.solve.budget import Budget

    watch = Watch(run.words, budget)
    try:
        limit = Budget(budget, watch.clock, watch.searching)
        resolution = resolve(document, words=run.words, gaps=True, budget=limit)
    finally:
        watch.done()
    if run.json:
        run.print_json(resolution.model_dump())
        return
    from thunderref.cli.resolve_view import print_resolution

    print_resolution(run, resolution)
