"""``thunderref puzzle``: a puzzle, and on request the right line, its sum and why it is right."""

from __future__ import annotations

import os
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from thunderref.cli.command import CommandApp
from thunderref.cli.render import columns, draws, show, wrap
from thunderref.cli.session import session
from thunderref.database.paths import PUZZLES
from thunderref.database.read import Language, PuzzleRow
from thunderref.errors import InputError, NoAnswerError
from thunderref.pages.page import Block, Line, Page
from thunderref.rng import SplitMix64

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.result import TargetResult

app = CommandApp()


@app.command("puzzle")
def puzzle_command(
    number: Annotated[int | None, typer.Argument(metavar="N")] = None,
    answer: Annotated[bool, typer.Option("--answer")] = False,
) -> None:
    run = session()
    puzzles = run.database.puzzles
    if not puzzles:
        raise InputError("missing-file", file=PUZZLES)
    if number is None:
        number = SplitMix64(int.from_bytes(os.urandom(8))).below(len(puzzles)) + 1
    if not 1 <= number <= len(puzzles):
        raise NoAnswerError("puzzle-number", asked=number, most=len(puzzles))
    puzzle = puzzles[number - 1]
    if run.json:
        document = {"number": number, "id": puzzle.id, "scenario": puzzle.scenario, "rules": puzzle.rules}
        if answer:
            document |= {"solution": puzzle.solution, "result": solve(puzzle, run.words).model_dump()}
            document["text"] = run.database.texts(f"puzzle.{puzzle.id}")
        run.print_json(document)
        return
    show(_question(puzzle, number, run.words))
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
    show(_answer(puzzle, run.words))


def solve(puzzle: PuzzleRow, words: Language) -> TargetResult:
    from thunderref.thunderstone.resolve.judge import resolve

    document = {key: value for key, value in puzzle.scenario.items() if key != "target"}
    return resolve(document | {"plan": puzzle.solution}, words=words).targets[0]


def _question(puzzle: PuzzleRow, number: int, words: Language) -> Page:
    scenario, target = puzzle.scenario, puzzle.scenario.get("target")
    table, asked = list[Line](), Line(words.say("puzzle.goal"))
    for rank, card in (*((0, card) for card in scenario.get("rank0", ())), *enumerate(scenario["hall"], 1)):
        health = words.database.cards[card].health
        key = "play.rank" if health is None else "play.rank-health"
        table.append(Line(words.say(key, rank=rank, card=words.card(card), health=health)))
    for key in ("puzzle.dungeon", "puzzle.village", "puzzle.deck", "play.hand"):
        if cards := scenario.get(key.partition(".")[2]):
            runs = [cards] if key in ("play.hand", "puzzle.village") else [[*run] for _, run in groupby(cards)]
            listed = ", ".join(map(words.listed, runs))  # a deck in its order
            table.append(Line(words.say(key, cards=listed)))
    if target is not None:
        place = scenario["hall"][target - 1] if target else scenario["rank0"][0]
        asked = Line(words.say("puzzle.goal.target", card=words.card(place), rank=target))
    return Page(words.say("puzzle.title", n=number), [], [Block(table), Block([asked, Line(words.say("puzzle.best"))])])


def _answer(puzzle: PuzzleRow, words: Language) -> Page:
    """The page of ``resolve`` for the right plan, and below it the text of the puzzle with its rules."""
    from thunderref.pages.battle_page import target_page

    page = target_page(solve(puzzle, words), words)
    text = Line(words.text(f"puzzle.{puzzle.id}") or "", note=" ".join(puzzle.rules))
    return page._replace(blocks=[*page.blocks, Block([text], words.say("puzzle.why"))])
