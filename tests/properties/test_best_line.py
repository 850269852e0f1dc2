"""What must hold for every best line, whatever the cards are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import BASE_HALLS, BASE_HANDS, STORE, opening, scenarios

from thunderref.engine.legal import legal_actions, targets
from thunderref.engine.state import Action, State, Table
from thunderref.engine.transition import play
from thunderref.engine.values import replace
from thunderref.model.result import TargetResult
from thunderref.solve.api import resolve
from thunderref.solve.best import Search
from thunderref.solve.ceiling import Ceilings
from thunderref.solve.fights import battles
from thunderref.solve.score import foreseen

SWITCHES = sorted(STORE.switches)
"""The names of the open questions."""


def worth(result: TargetResult, goal: str) -> tuple[Any, ...]:
    """What the goal compares, from the public figures."""
    if result.outcome == "barred":
        return ("barred",)
    cards = [STORE.cards[card] for card in result.destroyed]
    lost = (-sum(card.vp or 0 for card in cards), -sum(card.cost or 0 for card in cards))
    assert result.margin is not None
    win = (result.outcome == "victory", *lost, result.margin)
    return (result.total, *win) if goal == "max" else win


@given(scenarios(most=5), st.randoms(use_true_random=False))
def test_the_order_of_the_hand_changes_nothing(document: dict[str, Any], shuffled: Any) -> None:
    hand = list(document["hand"])
    shuffled.shuffle(hand)
    goal = document["goal"]
    one = resolve(document)
    other = resolve({**document, "hand": hand})
    assert [(t.rank, t.monster, worth(t, goal)) for t in one.targets] == [
        (t.rank, t.monster, worth(t, goal)) for t in other.targets
    ]
    assert one.best == other.best


@given(scenarios(most=5))
def test_a_best_line_can_be_played_as_a_plan(document: dict[str, Any]) -> None:
    for result in resolve(document).targets:
        if not result.can_attack:
            continue
        (again,) = resolve({**document, "plan": result.line}).targets
        found, wanted = again.model_dump(), result.model_dump()
        for key in ("destroyed", "discarded", "gained"):
            found[key], wanted[key] = sorted(found[key]), sorted(wanted[key])
        for told in (found, wanted):  # the order of a plan is its player's, that of a best line is free (R4.9)
            told["readings"] = [rule for rule in told["readings"] if rule != "R4.9"]
            del told["other_readings"]
        assert found == wanted


@given(scenarios(most=4, hands=BASE_HANDS, halls=BASE_HALLS))
def test_one_more_torch_is_never_a_loss(document: dict[str, Any]) -> None:
    """True of the base set: the only card that a light item hurts is the Blind Grandmaster of Wrath."""
    document = {**document, "goal": "max", "dungeon": []}
    before = {(t.rank, t.monster): t for t in resolve(document).targets}
    after = {(t.rank, t.monster): t for t in resolve({**document, "hand": [*document["hand"], "torch"]}).targets}
    for key, result in before.items():
        if result.can_attack and key in after:
            assert after[key].can_attack
            assert result.total is not None
            assert (after[key].total or 0) >= result.total


@given(scenarios(most=4))
def test_a_plan_is_never_better_than_the_best_line(document: dict[str, Any]) -> None:
    """The plain attack, everything else left to the goal, is one of the lines the search has weighed."""
    goal = document["goal"]
    best = {(t.rank, t.monster): t for t in resolve(document).targets if t.can_attack}
    for plain in resolve({**document, "plan": []}).targets:
        if plain.can_attack and (plain.rank, plain.monster) in best:
            assert worth(best[plain.rank, plain.monster], goal) >= worth(plain, goal)


@given(scenarios(most=5), st.sets(st.sampled_from(SWITCHES), max_size=1))
def test_the_shortcuts_of_the_search_lose_nothing(document: dict[str, Any], readings: set[str]) -> None:
    """Without bounds, and with effects used in any order, the best worth against each monster is the same."""
    table, start = opening(document)
    table = replace(table, readings=frozenset(readings))
    short = Search(table, document["goal"])
    short.run(start)
    full = Search(table, document["goal"], budget=5_000, shortcuts=False)
    full.run(start)
    if full.complete:
        assert short.complete
        assert best_of_each(start, short) == best_of_each(start, full)


@pytest.mark.parametrize(
    ("reading", "goal", "hand", "target"),
    [
        ("idle-weapons", "max", ["divine-chaplain", "cursed-mace"], "stone-golem"),
        ("converted-weapon", "max", ["clan-sergeant", "goodberries", "cursed-mace"], "colossus"),
    ],
)
def test_what_only_a_reading_allows_is_found(reading: str, goal: str, hand: list[str], target: str) -> None:
    """R5.4, R5.8: weapons of a hero who cannot attack, or whose Attack is turned, count; no bound may cut that off."""
    table, start = opening({"goal": goal, "hand": hand, "hall": [target]})
    elsewhere = replace(table, readings=frozenset({reading}))
    worths = []
    for each, shortcuts in ((table, True), (elsewhere, True), (elsewhere, False)):
        search = Search(each, goal, shortcuts=shortcuts)
        search.run(start)
        worths.append(best_of_each(start, search)[target])
    assert worths[1] == worths[2] > worths[0]


def best_of_each(start: State, search: Search) -> dict[str, Any]:
    """The best worth by monster; of twins by rank."""
    twins = {foe.card for foe in start.hall if [other.card for other in start.hall].count(foe.card) > 1}
    found: dict[str, Any] = {}
    for (card, rank), line in search.found.items():
        name = f"{card} at {rank}" if card in twins else card
        found[name] = max(found.get(name, line.worth), line.worth)
    return found


@given(scenarios(most=6), st.data(), st.integers(0, 6), st.sets(st.sampled_from(SWITCHES), max_size=2))
def test_no_battle_exceeds_its_ceiling(
    document: dict[str, Any], data: st.DataObject, n: int, readings: set[str]
) -> None:
    """Whatever is played: what the battle comes to was possible by every bound on the way."""
    table, start = opening(document)
    table = replace(table, readings=frozenset(readings))
    goal = document["goal"]
    states = [start]
    state = start
    for number in range(60):
        options = legal_actions(table, state)
        if not options or state.phase != "prepare":
            break
        if number >= n and not state.todo:
            options = tuple(action for action in options if action.kind in ("attack", "leave"))
        action = options[data.draw(st.integers(0, len(options) - 1))]
        if action.kind in ("attack", "leave"):
            break
        state, _ = play(table, state, action)
        if not state.todo and state.phase == "prepare":
            states.append(state)
    if state.todo or state.phase != "prepare":
        return
    lines = {(foe.card, rank): list(fights(table, state, rank, place, goal)) for rank, place, foe in targets(state)}
    for before in states:
        ceilings = Ceilings(table, goal, start, None)
        for rank, place, foe in targets(state):
            for worth_ in lines[foe.card, rank]:
                ((_, most),) = ceilings.open_aims(before, [(foe, rank, place)], {}) or [(None, ())]
                assert worth_ <= most


def fights(table: Table, state: State, rank: int, place: int, goal: str) -> Iterator[Any]:
    """The worth of every way a battle can go, up to its outcome; none if the target may not be attacked."""
    attack = Action("attack", rank, place)
    if attack in legal_actions(table, state):
        for fought, _ in battles(table, state, attack):
            yield foreseen(table, fought, goal)


def test_an_order_with_unknown_cards_in_the_hall_can_be_played_again() -> None:
    document = {"goal": "max", "hand": ["banish", "banish"], "hall": ["air-wrath"], "deck": ["amazon-archer"] * 2}
    for result in resolve(document).targets:
        assert resolve({**document, "plan": result.line}).targets[0].total == result.total
