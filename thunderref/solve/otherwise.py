"""What a result would be if an open question were answered the other way.

The very line of the result is played again under the other reading of every question it leans on, and the best line is
searched anew where that is cheap; the result says where total, outcome or legality would change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from thunderref.engine.battle import decided
from thunderref.engine.hand import find
from thunderref.engine.legal import ability_of, legal_actions
from thunderref.engine.readings import NO_TARGET, WHEN_COUNTED, is_counted
from thunderref.engine.state import Action, State, Table
from thunderref.engine.transition import play
from thunderref.engine.values import replace
from thunderref.explain.terms import Totals
from thunderref.model.result import OtherReading, TargetResult
from thunderref.solve.best import Search
from thunderref.solve.budget import Tick
from thunderref.solve.fights import battles
from thunderref.solve.score import foreseen
from thunderref.store.read import SwitchRow
from thunderref.words.words import Words

Line = tuple[Action, ...]
FINISH = "finish"
"""The task that tells the outcome."""
MOST_STATES = 60
"""A best line that needs more states than this is not searched anew."""


def with_other_readings(
    table: Table, start: State, line: Line, result: TargetResult, words: Words, goal: str, tick: Tick | None
) -> TargetResult:
    """The result with every other reading that would change it.

    If its line is the best one, the best under another reading is searched too as long as ``tick`` allows; otherwise,
    without ``tick``, only the line itself is judged.
    """
    leans = set(result.readings)
    counted = list(_counted_uses(table, start, line)) if any(action.kind == "use" for action in line) else []
    switches = [s for s in words.store.switches.values() if s.rule in leans or (counted and s.name == WHEN_COUNTED)]
    if not switches:
        return result
    found: list[OtherReading] = []
    for switch in switches:
        other = _other(table, start, line, counted, result, words, goal, switch, tick)
        if other is not None:
            found.append(other)
            leans.add(switch.rule)
    rules = list(dict.fromkeys(s.rule for s in words.store.switches.values() if s.rule in leans))
    return result.model_copy(update={"other_readings": found, "readings": rules})


def no_entry(table: Table, words: Words) -> list[OtherReading]:
    """What R4.8 read the other way would change where no monster can be attacked: the dungeon may not be entered."""
    switch = words.store.switches[NO_TARGET]
    away = switch.name in table.readings
    value = switch.default if away else switch.other
    text = words.say("other.entry" if away else "other.no-entry", rule=switch.rule)
    return [
        OtherReading(
            reading=switch.name, rule=switch.rule, value=value, legal=away, total=None, margin=None,
            outcome="no-battle" if away else "no-entry", text=text,
        )
    ]  # fmt: skip


def _counted_uses(table: Table, start: State, line: Line) -> Iterator[int]:
    """The places in the line of uses whose worth hangs on when they are read (R4.9)."""
    state = start
    for place, action in enumerate(line):
        if action.kind == "attack":
            return
        if action.kind == "use" and action.b:
            slot, _ = find(state, action.a)
            if any(is_counted(op) for op in ability_of(table, slot, action.b).lasting):
                yield place
        state, _ = play(table, state, action)


def _delayed(line: Line, counted: Iterable[int]) -> Line:
    """The line with these uses as late as can be, those with choices of their own left where they are."""
    late = [place for place in counted if line[place + 1].kind != "choose"]
    attack = next(place for place, action in enumerate(line) if action.kind == "attack")
    early = [action for place, action in enumerate(line[:attack]) if place not in late]
    return (*early, *(line[place] for place in late), *line[attack:])


def _other(
    table: Table, start: State, line: Line, counted: Sequence[int], result: TargetResult, words: Words, goal: str,
    switch: SwitchRow, tick: Tick | None,
) -> OtherReading | None:  # fmt: skip
    """What changes with this question answered the other way than on the table; None if nothing does."""
    readings = table.readings ^ {switch.name}
    value = switch.other if switch.name in readings else switch.default
    elsewhere = replace(table, readings=readings)
    free = tick is not None and switch.name == WHEN_COUNTED  # the order of a best line is free
    was = (result.total, result.outcome == "victory")

    def as_before(end: Totals | None) -> bool:
        return end is not None and (end.total, end.victory) == was

    outcome = outcome_of(elsewhere, start, line, goal, None if tick is not None else table)
    if free and not as_before(outcome):
        outcome = outcome_of(elsewhere, start, _delayed(line, counted), goal)
    same = as_before(outcome)
    best = _best(elsewhere, start, result.monster, goal, tick) if tick is not None and not (same and free) else None
    if (same and best is None) or ((same or free) and as_before(best)):
        return None
    meaning = words.say(f"reading.{switch.name}.{value}")
    told = "illegal" if outcome is None else "victory" if outcome.victory else "defeat"
    total, health = (outcome.total, outcome.health) if outcome is not None else (None, result.health)
    key = "other.same" if same else f"other.{told}"
    text = words.say(key, rule=switch.rule, meaning=meaning, total=total or 0, health=health)
    if best is not None and (total, told) != (best.total, "victory" if best.victory else "defeat"):
        key = "other.best-victory" if best.victory else "other.best-defeat"
        text += " " + words.say(key, total=best.total, health=best.health)
    return OtherReading(
        reading=switch.name,
        rule=switch.rule,
        value=value,
        legal=outcome is not None,
        total=total,
        margin=None if outcome is None else outcome.total - outcome.health,
        outcome=told,
        best_total=None if best is None else best.total,
        best_outcome=None if best is None else "victory" if best.victory else "defeat",
        text=text,
    )


def outcome_of(table: Table, start: State, line: Line, goal: str, here: Table | None = None) -> Totals | None:
    """How the line ends on another table; None if it is not legal there.

    The choices in the battle are made for the goal; with the table ``here`` that the line was played on, they are those
    of the line as long as they are made among the same options.
    """
    state = start
    for place, action in enumerate(line):
        if action not in legal_actions(table, state):
            return None
        if action.kind == "attack":
            kept = None if here is None else _kept(here, table, start, line, place)
            ends = [kept] if kept is not None else [end for end, _ in battles(table, state, action)]
            return decided(table, max(ends, key=lambda end: foreseen(table, end, goal)))[0]
        state, _ = play(table, state, action)
    return None


def _kept(here: Table, there: Table, start: State, line: Line, attack: int) -> State | None:
    """The battle with the choices of the line; None as soon as there are other options than on its own table."""
    mine = yours = start
    for action in line[:attack]:
        mine, yours = play(here, mine, action)[0], play(there, yours, action)[0]
    mine, yours = play(here, mine, line[attack], FINISH)[0], play(there, yours, line[attack], FINISH)[0]
    for action in line[attack + 1 :]:
        if mine.todo[0].name == FINISH or legal_actions(here, mine) != legal_actions(there, yours):
            break
        mine, yours = play(here, mine, action, FINISH)[0], play(there, yours, action, FINISH)[0]
    return yours if mine.todo[0].name == yours.todo[0].name == FINISH else None


def _best(table: Table, start: State, monster: str, goal: str, tick: Tick) -> Totals | None:
    """The outcome of the best line on another table; None if it takes too long to find or there is none."""
    search = Search(table, goal, budget=MOST_STATES, tick=tick, trims=False)
    search.run(start, only=monster)
    if not search.complete or not search.found:
        return None
    found = max(search.found.values(), key=lambda each: each.worth)
    return outcome_of(table, start, (*found.preparation, *found.battle), goal)
