"""``thunderref.resolve``: a scenario in, every target judged out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thunderref.budget import Budget
from thunderref.database.read import Language, open_database
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.missing import no_entry, with_missing, with_other_readings
from thunderref.thunderstone.resolve.question import Judged, Question, best_of
from thunderref.thunderstone.resolve.report import tell_no_battle
from thunderref.thunderstone.resolve.result import Resolution
from thunderref.thunderstone.resolve.start import Finder, name_wills, position, ways
from thunderref.thunderstone.resolve.why_not import why_not
from thunderref.thunderstone.rules.choices import LEAVE
from thunderref.thunderstone.rules.hall import RANKS
from thunderref.thunderstone.rules.legal import Played, replay
from thunderref.thunderstone.rules.position import replace
from thunderref.thunderstone.rules.readings import NO_TARGET, other_values

MOST_STATES = 2_000
"""Positions searched at most for an attack if only another reading forbids entering without one."""
FIRST = 0.5
"""The share of the budget for the best lines if other choices are weighed too."""


def resolve(
    scenario: Scenario | Mapping[str, Any],
    lang: str | None = None,
    *,
    words: Language | None = None,
    gaps: bool = False,
    budget: Budget | None = None,
) -> Resolution:
    """Judges a battle: the given plan, or the best line against each target.

    With ``gaps`` a target that cannot be beaten says what is missing. The ``budget`` begins with the search; if it runs
    out, the result is what was found by then, and nothing of it counts as proven.

    ``scenario`` is a document of the outside contract. Raises InputError if it is unreadable, NoAnswerError for unknown
    or ambiguous names, IllegalStepError (with the rule's id) for a plan step that the rules forbid.
    """
    words = words or Language(open_database(), lang or "en")
    asked = read_document(Scenario, scenario)
    find = Finder(words.database, words.lang)
    game, start = position(asked, words.database, find)
    start = name_wills(start, asked.plan or [], find)
    tried, all_tried = ways(game, start)
    budget = budget or Budget()
    budget.begin()
    quiet: Played | None = None
    runs = [Question(game, way, asked.goal, asked, find, words, budget) for way in tried]
    question = runs[0]
    share = 0.0 if asked.plan is not None else FIRST if asked.why_not else 1.0
    if asked.plan is None:
        judged = _take_worst([run.best_lines(share * number / len(runs)) for number, run in enumerate(runs, 1)])
    else:
        plans = [run.follow_plan(asked.plan) for run in runs]
        judged = _take_worst([ends for ends, _ in plans])
        quiet = next((played for _, played in plans if played is not None), None)
    judged = [with_other_readings(question, each, searched=asked.plan is None) for each in judged]
    if gaps and asked.plan is None:
        judged = [with_missing(question, each, share) for each in judged]
    if not all_tried:
        judged = [each._replace(result=replace(each.result, proven=False)) for each in judged]
    why = [
        why_not(choice, question, judged, share + (1 - share) * number / len(asked.why_not))
        for number, choice in enumerate(asked.why_not, 1)
    ]
    best = None if quiet is not None else best_of(judged)
    no_battle = quiet is not None or (best is None and asked.target is None)
    if quiet is None and no_battle and NO_TARGET not in game.readings:
        quiet = tuple(replay(game, question.state, (LEAVE,)))
    barring = [step for each in judged for step in each.result.steps]
    turn = {} if quiet is None else tell_no_battle(game, quiet, words, barring)
    barred_from = no_battle
    if no_battle and asked.plan is not None:  # another line may lead to an attack (R4.8)
        search = question.variant(goal="win").search(None, None, MOST_STATES)
        barred_from = search.complete and not search.found
    return Resolution(
        ruleset=asked.ruleset, goal=asked.goal, no_battle=no_battle, why_not=why, **turn,
        targets=[] if quiet is not None and asked.plan is not None else [each.result for each in judged],
        best=None if best is None else best.result.rank, best_monster=None if best is None else best.result.monster,
        readings_chosen=other_values(words.database, game.readings),
        other_readings=no_entry(game, words) if barred_from else [],
    )  # fmt: skip


def _take_worst(runs: list[list[Judged]]) -> list[Judged]:
    """Each target if the other players choose worst for the active one; a barred target is the worst.

    A monster that they can keep out of the hall is no target.
    """

    def worth(judged: Judged) -> tuple[bool, tuple[int, ...]]:
        return judged.worth is not None, judged.worth or ()

    if all(len(run) == 1 for run in runs):  # a plan attacks what is at the rank by then
        return [min((run[0] for run in runs), key=worth)]
    found = []
    aims = [(each.result.monster, each.result.rank) for each in runs[0]]
    for monster, rank in aims:
        ranks = {rank} if [card for card, _ in aims].count(monster) > 1 else range(RANKS + 1)
        like = [[one for one in run if one.result.monster == monster and one.result.rank in ranks] for run in runs]
        if all(like):
            found.append(min((one for run in like for one in run), key=worth))
    return found
