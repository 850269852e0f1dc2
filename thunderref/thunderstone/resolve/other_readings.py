"""What a result would be if an open question were answered the other way.

The line of the result is played again under the other reading of every question it depends on, and the best line is
searched anew where that is cheap; the result says where total, outcome or legality would change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from thunderref.database.read import SwitchRow
from thunderref.text.language import Language
from thunderref.thunderstone.resolve.battles import Line, battles
from thunderref.thunderstone.resolve.budget import Tick
from thunderref.thunderstone.resolve.result import OtherReading, TargetResult
from thunderref.thunderstone.resolve.score import foresee
from thunderref.thunderstone.resolve.search import Search, ability_of
from thunderref.thunderstone.rules.choices import Answer, Attack
from thunderref.thunderstone.rules.effects.battle import decided
from thunderref.thunderstone.rules.explanation import Totals
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import Played, legal_actions, play
from thunderref.thunderstone.rules.position import Position, replace
from thunderref.thunderstone.rules.readings import NO_TARGET, STONE_WITH_HELP, WHEN_COUNTED, is_counted

if TYPE_CHECKING:
    from thunderref.thunderstone.resolve.judge import Question

MOST_STATES = 60
"""States after which the search for a new best line is given up."""


def with_other_readings(question: Question, played: Played, result: TargetResult, tick: Tick | None) -> TargetResult:
    """The result with every other reading that would change it.

    With ``tick`` the line is the best one: then the best under another reading is searched too, as long as ``tick``
    allows. Without ``tick`` only the line itself is judged.
    """
    line = tuple(now.choice for now in played)
    used = [ability_of(question.game, now.before, now.choice) for now in played]
    counted = [place for place, one in enumerate(used) if one is not None and any(map(is_counted, one.lasting))]
    switches = question.words.database.switches.values()
    asked = [s for s in switches if s.rule in result.readings or (counted and s.name == WHEN_COUNTED)]
    if not asked:
        return result
    others = [_other(question, line, counted, result, switch, tick) for switch in asked]
    found = [other for other in others if other is not None]
    leans = {*result.readings, *(other.rule for other in found)}
    rules = list(dict.fromkeys(s.rule for s in switches if s.rule in leans))
    return replace(result, other_readings=found, readings=rules)


def no_entry(game: Game, words: Language) -> list[OtherReading]:
    """What R4.8 read the other way changes where no monster can be attacked: the dungeon may not be entered."""
    switch = words.database.switches[NO_TARGET]
    away = switch.name in game.readings
    value = switch.default if away else switch.other
    text = words.say("other.entry" if away else "other.no-entry", rule=switch.rule)
    return [
        OtherReading(
            reading=switch.name, rule=switch.rule, value=value, legal=away, total=None, margin=None,
            outcome="no-battle" if away else "no-entry", text=text,
        )
    ]  # fmt: skip


def _delayed(line: Line, counted: Iterable[int]) -> Line:
    """The line with these uses as late as possible; uses with choices of their own stay where they are."""
    late = [place for place in counted if not isinstance(line[place + 1], Answer)]
    attack = next(place for place, action in enumerate(line) if isinstance(action, Attack))
    early = [action for place, action in enumerate(line[:attack]) if place not in late]
    return (*early, *(line[place] for place in late), *line[attack:])


def _other(
    question: Question, line: Line, counted: Sequence[int], result: TargetResult, switch: SwitchRow, tick: Tick | None
) -> OtherReading | None:
    game, start, goal, words = question.game, question.state, question.asked.goal, question.words
    readings = game.readings ^ {switch.name}
    value = switch.other if switch.name in readings else switch.default
    if switch.name == STONE_WITH_HELP:
        return _stone(words, result, switch, value)
    elsewhere = game.changed(readings=readings)
    free = tick is not None and switch.name == WHEN_COUNTED  # the order of a best line is free
    was = (result.total, result.outcome == "victory")

    def as_before(end: Totals | None) -> bool:
        return end is not None and (end.total, end.victory) == was

    outcome = outcome_of(elsewhere, start, line, goal, None if tick is not None else game)
    if free and not as_before(outcome):
        outcome = outcome_of(elsewhere, start, _delayed(line, counted), goal)
    same = as_before(outcome)
    best = _best(elsewhere, start, result.monster, goal, tick) if tick is not None and not (same and free) else None
    if (same and best is None) or ((same or free) and as_before(best)):
        return None
    meaning = words.say(f"reading.{switch.name}.{value}")
    ends = "illegal" if outcome is None else _ending(outcome)
    total, health = (outcome.total, outcome.health) if outcome is not None else (None, result.health)
    key = "other.same" if same else f"other.{ends}"
    text = words.say(key, rule=switch.rule, meaning=meaning, total=total or 0, health=health)
    if best is not None and (total, ends) != (best.total, _ending(best)):
        text += " " + words.say(f"other.best-{_ending(best)}", total=best.total, health=best.health)
    return OtherReading(
        reading=switch.name, rule=switch.rule, value=value, legal=outcome is not None, total=total,
        margin=None if total is None else total - health, outcome=ends, text=text,
        best_total=None if best is None else best.total, best_outcome=None if best is None else _ending(best),
    )  # fmt: skip


def _stone(words: Language, result: TargetResult, switch: SwitchRow, value: str) -> OtherReading:
    """The same battle, but somebody, or nobody, takes the Thunderstone (R7.1)."""
    key = "other.stone-taken" if value == switch.default else "other.stone-untaken"
    text = words.say(key, rule=switch.rule, meaning=words.say(f"reading.{switch.name}.{value}"))
    return OtherReading(
        reading=switch.name, rule=switch.rule, value=value, legal=True, total=result.total, margin=result.margin,
        outcome=result.outcome, text=text,
    )  # fmt: skip


def _ending(outcome: Totals) -> Literal["victory", "defeat"]:
    return "victory" if outcome.victory else "defeat"


def outcome_of(game: Game, start: Position, line: Line, goal: str, here: Game | None = None) -> Totals | None:
    """How the line ends on another table; None if it is not legal there.

    The choices in the battle follow the goal; with the table ``here`` that the line was played on, they are those of
    the line as long as the options are the same.
    """
    state = start
    for place, action in enumerate(line):
        if action not in legal_actions(game, state):
            return None
        if isinstance(action, Attack):
            kept = None if here is None else _kept(here, game, start, line, place)
            ends = [kept] if kept is not None else [end for end, _ in battles(game, state, action)]
            return decided(game, max(ends, key=lambda end: foresee(game, end, goal)))[0]
        state, _ = play(game, state, action)
    return None


def _kept(here: Game, there: Game, start: Position, line: Line, attack: int) -> Position | None:
    """The battle with the choices of the line; None once the options differ from those on its own table."""
    mine = yours = start
    for place, action in enumerate(line):
        if place > attack and (
            mine.todo[0].name == "finish" or legal_actions(here, mine) != legal_actions(there, yours)
        ):
            break
        stop = "finish" if place >= attack else ""
        mine, yours = play(here, mine, action, stop)[0], play(there, yours, action, stop)[0]
    return yours if mine.todo[0].name == yours.todo[0].name == "finish" else None


def _best(game: Game, start: Position, monster: str, goal: str, tick: Tick) -> Totals | None:
    search = Search(game, goal, budget=MOST_STATES, tick=tick, trims=False)
    search.run(start, only=monster)
    if not search.complete or not search.found:
        return None
    found = max(search.found.values(), key=lambda each: each.worth)
    return outcome_of(game, start, (*found.preparation, *found.battle), goal)
