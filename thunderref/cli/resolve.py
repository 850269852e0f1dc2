"""``thunderref resolve``: the battle math at the table: a verdict for each target, the line, and its sum."""

from __future__ import annotations

from typing import Annotated, Any, cast

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
from thunderref.cli.render import draws, is_terminal, outline, print_lines, show
from thunderref.cli.session import Session, session
from thunderref.errors import InputError
from thunderref.pages.battle_page import battle_pages, best_target, closing, headline, why_pages
from thunderref.thunderstone.resolve.result import Resolution

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
        print_lines(outline(*pages))
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
