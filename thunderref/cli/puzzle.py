"""``thunderref puzzle``: a puzzle, and on request the right line, its sum and why it is right."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import columns, draws, show, wrap
from thunderref.cli.session import session
from thunderref.pages.puzzle_page import answer_page, find_puzzle, question_page, solve

app = CommandApp()


@app.command("puzzle")
def puzzle_command(
    number: Annotated[int | None, typer.Argument(metavar="N")] = None,
    answer: Annotated[bool, typer.Option("--answer")] = False,
) -> None:
    run = session()
    number, puzzle = find_puzzle(run.database, "" if number is None else str(number))
    if run.json:
        document = {"number": number, "id": puzzle.id, "scenario": puzzle.scenario, "rules": puzzle.rules}
        if answer:
            document |= {"solution": puzzle.solution, "result": solve(puzzle, run.words).model_dump()}
            document["text"] = run.database.texts(f"puzzle.{puzzle.id}")
        run.print_json(document)
        return
    show(question_page(puzzle, number, run.words))
    if not answer:
        if not run.has_a_person:
            print("", *wrap(run.words.say("puzzle.hint", n=number), columns(), 0, 2), sep="\n")
            return
        print(run.words.say("puzzle.prompt"), end=" ", flush=True)
        if not sys.stdin.readline():
            print()
            return
    if not draws():
        print()
    show(answer_page(puzzle, run.words))
