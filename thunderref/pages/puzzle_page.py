"""A puzzle: found by its number or drawn, shown, solved with why it is right, and a play for it judged."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from thunderref.database.paths import PUZZLES
from thunderref.database.read import Database, Language, PuzzleRow
from thunderref.database.validation import Record
from thunderref.errors import InputError, NoAnswerError
from thunderref.pages.page import Block, Line, Page, links_to_cards
from thunderref.thunderstone.resolve.result import TargetResult
from thunderref.thunderstone.setup.setup import choose_seed


class PuzzleDocument(Record):
    """A puzzle as its command prints it; ``solution``, ``result`` and ``text`` are there if the answer was asked for.

    ``text`` is why the solution is right, by language.
    """

    number: int
    id: str
    scenario: dict[str, Any]
    rules: list[str]
    solution: list[dict[str, Any]] | UnsetType = UNSET
    result: TargetResult | UnsetType = UNSET
    text: dict[str, str] | UnsetType = UNSET


def puzzle_document(number: int, puzzle: PuzzleRow, words: Language, *, answer: bool) -> PuzzleDocument:
    document = PuzzleDocument(number=number, id=puzzle.id, scenario=puzzle.scenario, rules=puzzle.rules)
    if not answer:
        return document
    texts = words.database.texts(f"puzzle.{puzzle.id}")
    return replace(document, solution=puzzle.solution, result=solve(puzzle, words), text=texts)


def find_puzzle(database: Database, text: str) -> tuple[int, PuzzleRow]:
    """The puzzle of this number, of "" one that is drawn; raises NoAnswerError if there is none."""
    if not (puzzles := database.puzzles):
        raise InputError("missing-file", file=PUZZLES)
    text = text or str(choose_seed(None) % len(puzzles) + 1)
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if not 1 <= number <= len(puzzles):
        raise NoAnswerError("puzzle-number", asked=text, most=len(puzzles))
    return number, puzzles[number - 1]


def solve(puzzle: PuzzleRow, words: Language) -> TargetResult:
    """The battle of the right line; like every plan it says itself what it attacks."""
    from thunderref.thunderstone.resolve.judge import resolve

    return resolve(puzzle.scenario | {"target": None, "plan": puzzle.solution}, words=words).targets[0]


def is_solved(puzzle: PuzzleRow, played: TargetResult, words: Language) -> bool:
    """True if a play wins with the least lost, then the most VP, against the one asked for; its margin is its own."""

    def worth(target: TargetResult) -> tuple[int, ...]:
        cards = map(words.database.cards.__getitem__, target.destroyed_own)
        lost = [(card.vp or 0, card.cost or 0, 1) for card in cards]
        return target.outcome == "victory", *(-sum(column) for column in zip((0, 0, 0), *lost, strict=True)), target.vp

    right = solve(puzzle, words)
    is_aimed = "target" not in puzzle.scenario or (played.rank, played.monster) == (right.rank, right.monster)
    return is_aimed and worth(played) >= worth(right)


def ranks_of(puzzle: PuzzleRow) -> dict[int, str]:
    """The monster of each rank, the front one first."""
    return dict([*((0, card) for card in puzzle.scenario.get("rank0", ())), *enumerate(puzzle.scenario["hall"], 1)])


def question_page(puzzle: PuzzleRow, number: int, words: Language) -> Page:
    """The position (the ranks, what else is known, the hand), and the question."""
    scenario, target = puzzle.scenario, puzzle.scenario.get("target")
    table, goal = list[Line](), Line(words.say("puzzle.goal"))
    for rank, card in ranks_of(puzzle).items():
        health = words.database.cards[card].health
        key = "play.rank" if health is None else "play.rank-health"
        table.append(Line(words.say(key, rank=rank, card=words.card(card), health=health)))
    for key in ("puzzle.dungeon", "puzzle.village", "puzzle.deck", "play.hand"):
        if cards := scenario.get(key.partition(".")[2]):
            runs = [cards] if key in ("play.hand", "puzzle.village") else [[*run] for _, run in groupby(cards)]
            listed = ", ".join(map(words.listed, runs))  # a deck in its order
            table.append(Line(words.say(key, cards=listed), links=links_to_cards(words, cards)))
    if target is not None:
        goal = Line(words.say("puzzle.goal.target", card=words.card(ranks_of(puzzle)[target]), rank=target))
    return Page(words.say("puzzle.title", n=number), [], [Block(table), Block([goal, Line(words.say("puzzle.best"))])])


def solution_page(puzzle: PuzzleRow, words: Language) -> Page:
    """The page of ``resolve`` for the right plan, and below it the text of the puzzle with its rules."""
    from thunderref.pages.battle_page import target_page

    page = target_page(solve(puzzle, words), words)
    text = Line(words.text(f"puzzle.{puzzle.id}") or "", note=" ".join(puzzle.rules))
    return page._replace(blocks=[*page.blocks, Block([text], words.say("puzzle.why"))])
