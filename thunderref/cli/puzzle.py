"""``thunderref puzzle``: a puzzle, a play for it judged, and on request the right line, its sum and why it is right."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import columns, draws, print_lines, show, wrap
from thunderref.cli.session import Session, session
from thunderref.database.read import PuzzleRow
from thunderref.errors import InputError, ThunderrefError
from thunderref.pages.puzzle_page import find_puzzle, is_solved, puzzle_document, question_page, ranks_of, solution_page
from thunderref.search.plays import read_play

app = CommandApp()


@app.command("puzzle")
def puzzle_command(
    number: Annotated[int | None, typer.Argument(metavar="N")] = None,
    play: Annotated[list[str] | None, typer.Argument(metavar="PLAY")] = None,
    answer: Annotated[bool, typer.Option("--answer")] = False,
) -> None:
    run = session()
    number, puzzle = find_puzzle(run.database, "" if number is None else str(number))
    typed = " ".join(play or [])
    if run.json:
        judged = {"play": judge(run, puzzle, typed)} if typed else {}
        run.print_json(puzzle_document(number, puzzle, run.words, answer=answer).model_dump() | judged)
        return
    if not typed:
        show(question_page(puzzle, number, run.words))
        if not (answer or run.has_a_person):
            print("", *wrap(run.words.say("puzzle.hint", n=number), columns(), 0, 2), sep="\n")
            return
    if typed:
        print_verdict(run, judge(run, puzzle, typed))
    elif not answer:
        answer = not _solves(run, puzzle)
    if answer:
        if not draws():
            print()
        show(solution_page(puzzle, run.words))


def _solves(run: Session, puzzle: PuzzleRow) -> bool:
    """Reads plays and judges them until one is right; False for an empty line, which asks for the answer."""
    while True:
        print(run.words.say("puzzle.prompt"), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise typer.Exit
        if not (typed := line.strip()):
            return False
        try:
            verdict = judge(run, puzzle, typed)
        except ThunderrefError as error:
            print_lines([(0, run.words.error(error))])
            continue
        print_verdict(run, verdict)
        if verdict["solved"]:
            return True


def judge(run: Session, puzzle: PuzzleRow, typed: str) -> dict[str, Any]:
    """A typed play and what comes of it; raises as the engine does for a plan, and for what is no play."""
    from thunderref.thunderstone.resolve.judge import resolve

    plan = [*read_play(run.database, ranks_of(puzzle), typed)]
    targets = resolve(puzzle.scenario | {"target": None, "plan": plan}, words=run.words).targets
    if not targets:  # the turn ends without a battle
        raise InputError("no-play")
    result = targets[0]
    return {"plan": plan, "solved": is_solved(puzzle, result, run.words), "result": result.model_dump()}


def print_verdict(run: Session, document: dict[str, Any]) -> None:
    """Print the sum of a play, and whether it solves the puzzle."""
    steps = [step["text"] for step in document["result"]["steps"]]
    verdict = "serve.puzzle.solved" if document["solved"] else "serve.puzzle.better"
    print_lines([*((2, text) for text in steps), (0, run.words.say(verdict))])
