"""What may still be done in a visit to the village, after the steps of a plan."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from thunderref.budget import Budget
from thunderref.database.read import Language
from thunderref.thunderstone.resolve.battles import Line, endings
from thunderref.thunderstone.resolve.documents import VisitDocument, read_document
from thunderref.thunderstone.resolve.plan import LineWriter
from thunderref.thunderstone.resolve.start import Finder
from thunderref.thunderstone.resolve.visit import Market, VillageSearch, VisitFollower, opening
from thunderref.thunderstone.rules import village
from thunderref.thunderstone.rules.choices import COUNT
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import play, replay
from thunderref.thunderstone.rules.notation import Step, copy_name
from thunderref.thunderstone.rules.position import Position

MOST_USES = 40
"""Ways to use village effects that are listed at most."""


class VisitMove(NamedTuple):
    """A step of a plan and the cards that it destroys."""

    step: Step
    destroyed: tuple[str, ...] = ()


class Moves(NamedTuple):
    """The steps ``taken``, and those that may follow: effects before the gold is counted, purchases, level-ups."""

    taken: list[VisitMove]
    uses: list[VisitMove]
    buys: list[str]
    level_ups: list[Step]


def next_moves(document: Mapping[str, Any], words: Language) -> Moves:
    """What the rules allow after the plan of a visit; raises the errors of :func:`visit` for the plan itself."""
    asked, find = read_document(VisitDocument, document), Finder(words.database, words.lang)
    game, start = opening(asked, words.database, find)
    search = VillageSearch(game, Market(game, start.stacks or ()), asked.goal, Budget().searching())
    line = VisitFollower(search, find).follow(start, list(asked.plan or ()))
    counted = next(before for before, choice, _, _ in replay(game, start, line) if choice == COUNT)
    taken, end = _played(game, start, line)
    uses = [
        move
        for choice in search.moves(counted)
        for _, choices in endings(game, play(game, counted, choice)[0], line=(choice,))
        for move in _played(game, counted, choices)[0]
    ]
    rises = {(hero[0], to): copy_name(hero) for hero, to, _ in reversed([*village.level_ups(game, end, end.xp)])}
    return Moves(
        taken, list(islice(uses, MOST_USES)),
        [card for card, left in end.stacks or () if left and village.buy_problem(game, end, card) is None],
        [{"level_up": hero, "to": to} for (_, to), hero in rises.items()],
    )  # fmt: skip


def _played(game: Game, start: Position, line: Line) -> tuple[list[VisitMove], Position]:
    """The steps of a line, each with what it destroys but for a hero who rises, and where it leads."""
    writer, gone, state = LineWriter(), list[list[str]](), start
    for before, choice, after, _ in replay(game, start, line):
        writer.add(before, choice)
        gone += [[] for _ in writer.steps[len(gone) :]]
        if gone and "level_up" not in writer.steps[-1]:
            gone[-1] += [card for card, _ in after.destroyed[len(before.destroyed) :]]
        state = after
    return [VisitMove(step, tuple(cards)) for step, cards in zip(writer.steps, gone, strict=True)], state
