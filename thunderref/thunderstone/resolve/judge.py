"""``thunderref.resolve``: a scenario in, every target judged out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thunderref.database.read import open_database
from thunderref.errors import IllegalStepError, NoAnswerError
from thunderref.search.switches import values_of
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.battles import best_ending
from thunderref.thunderstone.resolve.budget import Budget, Tick
from thunderref.thunderstone.resolve.documents import Scenario, read_document
from thunderref.thunderstone.resolve.missing import least_penalty, with_missing
from thunderref.thunderstone.resolve.other_readings import no_entry, with_other_readings
from thunderref.thunderstone.resolve.plan import Follower, Node, sort_steps
from thunderref.thunderstone.resolve.report import tell_battle, tell_no_battle
from thunderref.thunderstone.resolve.result import Resolution, ResultStep, TargetResult
from thunderref.thunderstone.resolve.score import losses, score
from thunderref.thunderstone.resolve.search import Search
from thunderref.thunderstone.resolve.start import Finder, named_by, position, ways
from thunderref.thunderstone.resolve.why_not import Judged, best_of, why_not
from thunderref.thunderstone.rules.choices import LEAVE
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.figures import bar, health, light_penalty, sums
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.hall import is_monster
from thunderref.thunderstone.rules.legal import Played, replay, targets
from thunderref.thunderstone.rules.notation import Step
from thunderref.thunderstone.rules.party import party_of
from thunderref.thunderstone.rules.position import Foe, Position, Target, replace
from thunderref.thunderstone.rules.readings import NO_TARGET

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
    start = named_by(start, asked.plan or [], find)
    tried, all_tried = ways(game, start)
    budget = budget or Budget()
    budget.begin()
    quiet: Played | None = None
    runs = [Question(game, way, asked, find, words, budget) for way in tried]
    question = runs[0]
    if asked.plan is None:
        share = FIRST if asked.why_not else 1.0
        judged = _worst([run.best_lines(share * number / len(runs)) for number, run in enumerate(runs, 1)])
        if gaps:
            judged = [(worth, with_missing(question, result, share)) for worth, result in judged]
    else:
        share = 0.0
        plans = [run.planned(asked.plan) for run in runs]
        judged = _worst([ends for ends, _ in plans])
        quiet = next((played for _, played in plans if played is not None), None)
    if not all_tried:
        judged = [(worth, replace(result, proven=False)) for worth, result in judged]
    why = [
        why_not(choice, question, judged, share + (1 - share) * number / len(asked.why_not))
        for number, choice in enumerate(asked.why_not, 1)
    ]
    best = None if quiet is not None else best_of(judged)
    no_battle = quiet is not None or (best is None and asked.target is None)
    if quiet is None and no_battle and NO_TARGET not in game.readings:
        quiet = tuple(replay(game, question.state, (LEAVE,)))
    barring = [step for _, result in judged for step in result.steps]
    turn = {} if quiet is None else tell_no_battle(game, quiet, words, barring)
    barred_from = no_battle and (asked.plan is None or question.has_no_target())
    return Resolution(
        ruleset=asked.ruleset,
        goal=asked.goal,
        targets=[] if quiet is not None and asked.plan is not None else [result for _, result in judged],
        best=None if best is None else best[1].rank,
        best_monster=None if best is None else best[1].monster,
        no_battle=no_battle,
        why_not=why,
        readings_chosen=values_of(words.database, game.readings),
        other_readings=no_entry(game, words) if barred_from else [],
        **turn,
    )


def _worst(runs: list[list[Judged]]) -> list[Judged]:
    """Each target if the other players choose worst for the active one; a barred target is the worst.

    A monster that they can keep out of the hall is no target.
    """

    def worth(judged: Judged) -> tuple[bool, tuple[int, ...]]:
        return judged[0] is not None, judged[0] or ()

    if all(len(run) == 1 for run in runs):  # a plan attacks what is at the rank by then
        return [min((run[0] for run in runs), key=worth)]
    found = []
    for _, result in runs[0]:
        twins = sum(other.monster == result.monster for _, other in runs[0]) > 1
        each = [
            [one for one in run if one[1].monster == result.monster and (not twins or one[1].rank == result.rank)]
            for run in runs
        ]
        if all(each):
            found.append(min((one for run in each for one in run), key=worth))
    return found


@dataclass(frozen=True)
class Question:
    """A question about one position, the other players' choices known, and the time for the answer."""

    game: Game
    state: Position
    asked: Scenario
    find: Finder
    words: Language
    budget: Budget

    def new_search(self, share: float) -> Search:
        """A search for the goal, with this share of the budget."""
        return Search(self.game, self.asked.goal, tick=self.budget.searching(share), tidy=self.budget.tidying(share))

    def best_lines(self, share: float) -> list[Judged]:
        search = self.new_search(share)
        search.run(self.state, only=self._wanted(self.state)[0][2].card if self.asked.target is not None else None)
        return self.judged_by(search, self.state)

    def judged_by(self, search: Search, made: Position) -> list[Judged]:
        """The results of a finished search; ``made`` shows what bars a target that no line may attack."""
        self.budget.interrupted |= search.interrupted
        wanted = self._wanted(self.state)
        hall = [foe.card for _, _, foe in targets(self.state)]
        judged: list[Judged] = []
        told: set[str] = set()
        for rank, _, foe in wanted:
            twins = hall.count(foe.card) > 1
            keys = [key for key in search.found if key[0] == foe.card and (not twins or key[1] == rank)]
            if keys:
                judged.append(self._told(search, max(keys, key=lambda k: (search.found[k].worth, k[1] == rank))))
                told.add(foe.card)
            else:
                tick = self.budget.tidying()
                judged.append((None, self._barred(made, rank, foe, proven=search.complete, tick=tick)))
        if self.asked.target is None:
            for card in dict.fromkeys(card for card, _ in search.found if card not in told):
                keys = [key for key in search.found if key[0] == card]
                judged.append(self._told(search, max(keys, key=lambda k: (search.found[k].worth, -k[1]))))
        if search.complete:
            return judged
        return [(worth, replace(result, searched=search.states)) for worth, result in judged]

    def _wanted(self, *states: Position) -> list[tuple[int, int, Foe]]:
        rank = self.asked.target
        wanted: dict[tuple[int, int, str], tuple[int, int, Foe]] = {}
        for there in (target for state in states for target in targets(state)):
            if is_monster(self.game, there[2]) and rank in (None, there[0]):
                wanted.setdefault((*there[:2], there[2].card), there)
        if rank is not None and not wanted:
            raise NoAnswerError("no-target", rank=rank)
        return list(wanted.values())

    def _told(self, search: Search, aim: tuple[str, int]) -> Judged:
        found = search.found[aim]
        played = tuple(replay(self.game, self.state, (*found.preparation, *found.battle)))
        fought = played[-1].after
        after = replay(self.game, fought, best_ending(self.game, fought, search.goal)[1])
        tick = self.budget.tidying() if search.complete else None
        return found.worth, self._result((*played, *after), proven=search.complete, tick=tick)

    def _result(self, played: Played, *, proven: bool, tick: Tick | None) -> TargetResult:
        result = tell_battle(self.game, played, self.words, proven=proven)
        return with_other_readings(self, played, result, tick)

    def _barred(
        self, state: Position, rank: int, foe: Foe, *, proven: bool = True, tick: Tick | None = None, over: bool = False
    ) -> TargetResult:
        """The result for a target that no line may attack (R5.1); with ``tick`` after the best preparation.

        ``over`` is True if the game ends before any attack (R4.6).
        """
        party = party_of(self.game, state)
        aim = Target(self.game.cards[foe.card], rank, None)
        reason = "game-over" if over else bar(party, aim) or ("unreachable" if proven else "not-found")
        light, penalty = fold(sums(party, aim))[2], light_penalty(party, aim)[0]
        if reason == "light-penalty" and tick is not None:
            least = least_penalty(self.game, state, foe.card, rank, penalty, tick)
            light, penalty = light + penalty - least, least
        text = self.words.say(f"barred.{reason}", card=self.words.card(foe.card), penalty=penalty)
        return TargetResult(
            rank=rank, monster=foe.card, can_attack=False, reason=text, health=health(self.game, state, foe),
            light=light, light_penalty=penalty, outcome="barred",
            steps=[ResultStep(text=text, rules=["R4.6" if over else "R5.1"], card=foe.card)], proven=proven,
        )  # fmt: skip

    def planned(self, steps: list[Step]) -> tuple[list[Judged], Played | None]:
        """How a plan ends; without an attack, its result against every target that it leaves to attack.

        Also what is played in a turn that ends without a battle (R4.6, R4.8), None if there is one.
        """
        preparation, attack, rest = sort_steps(steps)
        follower = Follower(self.game, self.find)
        nodes = [Node(self.state, left=tuple(rest))]
        for step in preparation:
            nodes = follower.each(nodes, step, follower.prepare)
        nodes.sort(key=lambda node: losses(self.game, [card for card, _ in node.state.destroyed]))
        if attack is not None:
            return [self._best_end(follower.each(nodes, attack, follower.attack))], None
        going_on = [node for node in nodes if node.state.phase == "prepare"]
        if not going_on:
            if rest:
                raise IllegalStepError("turn-over", rule="R4.6", step=rest[0][0])
            wanted = self._wanted(self.state)
            return [(None, self._barred(self.state, rank, foe, over=True)) for rank, _, foe in wanted], nodes[0].played
        early = [number for number, step in rest if "battle" in step]
        if early:
            raise IllegalStepError("no-attack", rule="R5.1", step=early[0])
        judged: list[Judged] = []
        for rank, place, foe in self._wanted(*(node.state for node in going_on)):
            ends = follower.attack_at(going_on, rank, place, foe.card)
            if ends and all(end.left for end in ends):  # only Diseases may be put down without an attack
                raise IllegalStepError("unasked-step", rule="R5.6", step=ends[0].left[0][0])
            there = next(node.state for node in going_on if (rank, place, foe) in targets(node.state))
            judged.append(self._best_end(ends) if ends else (None, self._barred(there, rank, foe)))
        if self.asked.target is not None or best_of(judged) is not None:
            return judged, None
        if rest:
            raise IllegalStepError("no-attack", rule="R4.8", step=rest[0][0])
        return judged, follower.chosen(going_on[0], LEAVE).played

    def has_no_target(self) -> bool:
        """True if no line leads to an attack (R4.8); False too if that takes long to find out."""
        search = Search(self.game, "win", budget=MOST_STATES, trims=False)
        search.run(self.state)
        return search.complete and not search.found

    def _best_end(self, ends: list[Node]) -> Judged:
        scored = [(score(self.game, end.state, self.asked.goal), end) for end in ends]
        worth, best = max(scored, key=lambda each: each[0])
        return worth, self._result(best.played, proven=True, tick=None)
