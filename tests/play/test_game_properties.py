"""What must hold in every game, whatever the set-up, the players and their choices."""

from __future__ import annotations

import json
import os
import tomllib
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from random_games import STORE, counted, faults, in_any_order, moves, start

from thunderref.engine import game as rules
from thunderref.engine.hand import dealt
from thunderref.engine.moment import Game
from thunderref.engine.state import Action
from thunderref.engine.values import replace
from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.explain.terms import fold
from thunderref.model.saved import SavedGame
from thunderref.play.course import Course, resumed
from thunderref.play.notation import CHOICES, KINDS, action_of, step_of
from thunderref.play.position import digest
from thunderref.play.record import text_of

DB = Path(__file__).parents[2] / "db"
RULES = {row["id"] for row in tomllib.loads((DB / "rules.toml").read_text(encoding="utf-8"))["rule"]}
ASKED = os.environ.get("THUNDERREF_EXAMPLES")
"""So many examples of each property, other ones every time; without it a few, always the same."""


def examples(few: int) -> settings:
    """How many examples, and which."""
    return settings(max_examples=int(ASKED or few), derandomize=not ASKED, deadline=None, database=None)


games = st.integers(0, 10**6)
begun = st.integers(0, 400)
"""Steps that random players take first, so that a property meets games that are well under way."""
STEPS = 30
"""Choices of a property's own."""


def under_way(number: int, steps: int) -> Course:
    """A random game after so many steps, or at its end."""
    course = start(number)
    for _ in islice(moves(course), steps):
        pass
    for _ in course.settle():
        pass
    return course


def chosen(course: Course, data: st.DataObject) -> Action | None:
    """Any legal action; None at the end of the game."""
    for _ in course.settle():
        pass
    options = course.options()
    return options[data.draw(st.integers(0, len(options) - 1))] if options else None


@examples(80)
@given(games, begun, st.data())
def test_a_legal_play_never_fails_and_every_card_stays_in_one_place(
    number: int, steps: int, data: st.DataObject
) -> None:
    course = under_way(number, steps)
    began = counted(start(number))
    for _ in range(STEPS):
        action = chosen(course, data)
        if action is None:
            assert course.over
            break
        before = course.game
        after, events = rules.child(course.table, before, action)
        move = course.take(action)
        assert (after, events) == (course.game, move.events), "the same action is the same play"
        assert after != before
        assert hash(after) == hash(Game(*astuple(after)))
        assert not faults(course, began), move.step


@examples(80)
@given(games, begun, st.data())
def test_every_battle_is_the_sum_of_its_reasons(number: int, steps: int, data: st.DataObject) -> None:
    course = under_way(number, steps)
    for _ in range(STEPS):
        action = chosen(course, data)
        if action is None:
            break
        for event in course.take(action).events:
            if event.key not in ("victory", "defeat"):
                continue
            outcome = dict(event.params)["outcome"]
            assert fold(outcome.terms) == (outcome.attack, outcome.magic, outcome.light)
            reduced = outcome.attack + outcome.magic + sum(term.attack for term in outcome.reductions)
            assert outcome.total == reduced >= 0
            assert outcome.light_penalty >= 0
            assert outcome.victory == (event.key == "victory")
            assert not outcome.victory or outcome.total >= outcome.health


@examples(50)
@given(games, begun, st.data())
def test_every_action_prints_as_a_step_that_parses_back(number: int, steps: int, data: st.DataObject) -> None:
    course = under_way(number, steps)
    for _ in range(STEPS // 2):
        action = chosen(course, data)
        if action is None:
            break
        told = [json.dumps(step_of(course.game, option)) for option in course.options()]
        assert len({*told}) == len(told)
        option = data.draw(st.integers(0, len(told) - 1))
        assert action_of(course.table, course.game, json.loads(told[option])) == course.options()[option]
        course.take(action)


@examples(60)
@given(games, begun, st.data())
def test_what_is_not_legal_is_refused_with_a_rule(number: int, steps: int, data: st.DataObject) -> None:
    course = under_way(number, steps)
    game = course.game
    refs = [slot.ref for slot in game.state.hand] or [("torch", 1)]
    a_card = st.sampled_from([card for card, _ in game.stacks] + ["disease", "sphinx"])
    a_ref = st.one_of(st.sampled_from(refs), st.tuples(a_card, st.integers(0, 2)))
    number_ = st.integers(0, 4)
    actions = st.one_of(
        st.sampled_from(["village", "dungeon", "rest", "penalty", "leave", "count", "end", "swim"]).map(Action),
        st.builds(Action, st.just("use"), a_ref, number_),
        st.builds(Action, st.just("equip"), a_ref, a_ref),
        st.builds(Action, st.just("forgo"), a_ref, st.just(0)),
        st.builds(Action, st.just("attack"), number_, st.integers(0, 1)),
        st.builds(Action, st.just("buy"), a_card, st.just(0)),
        st.builds(Action, st.just("level_up"), a_ref, a_card),
        st.builds(Action, st.just("choose"), st.sampled_from(CHOICES), st.one_of(a_ref, number_, st.none())),
    )
    legal = course.options()
    for _ in range(12):
        action = data.draw(actions)
        if action in legal:
            rules.child(course.table, game, action)
            continue
        with pytest.raises(IllegalStepError) as refusal:
            rules.child(course.table, game, action)
        assert refusal.value.rule in RULES


words = st.sampled_from([*KINDS, *CHOICES, "player", "effect", "for", "copy"])
values = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 10**12), st.text(max_size=6), st.lists(st.integers(0, 3), max_size=2),
    st.sampled_from(["militia", "militia#2", "dagger#", "#1", "torch#x", "sphinx#0", "village", "deck"]),
)  # fmt: skip


@examples(60)
@given(games, begun, st.lists(st.dictionaries(words, values, max_size=3), min_size=10, max_size=10))
def test_a_step_of_any_form_is_an_action_or_one_error(number: int, steps: int, told: list[dict[str, Any]]) -> None:
    course = under_way(number, steps)
    for step in told:
        try:
            action = action_of(course.table, course.game, step)
        except ThunderrefError:
            continue
        assert step_of(course.game, action) == step


@examples(60)
@given(games, begun, st.randoms(use_true_random=False), st.data())
def test_the_order_of_the_hand_changes_nothing(number: int, steps: int, shuffled: Any, data: st.DataObject) -> None:
    """A turn played with the hand in another order ends where it ends with this one."""
    course = under_way(number, steps)
    game = course.game
    if game.phase != "choose" or game.state.todo:
        return
    cards = [slot.card for slot in game.state.hand]
    shuffled.shuffle(cards)
    copies = {slot.ref: slot for slot in game.state.hand}
    hand = [copies[slot.ref] for slot in dealt(tuple(cards))]  # copies of one card stay in the order of their numbers
    other = replace(game, turn=replace(game.state, hand=tuple(hand)))
    for _ in range(STEPS):
        options = rules.legal_actions(course.table, game)
        assert set(options) == set(rules.legal_actions(course.table, other))
        if not options or game.number != course.game.number:
            break
        action = options[data.draw(st.integers(0, len(options) - 1))]
        game, events = rules.child(course.table, game, action)
        other, happened = rules.child(course.table, other, action)
        assert Counter(event.key for event in events) == Counter(event.key for event in happened)
        assert in_any_order(game) == in_any_order(other)
        if rules.shuffle_wanted(game) is not None:
            break


@examples(50)
@given(games, begun, st.data())
def test_what_is_taken_back_is_found_again(number: int, steps: int, data: st.DataObject) -> None:
    course = under_way(number, steps)
    whole = (course.game, digest(course.game), [move.step for move in course.moves], list(course.marks))
    back = data.draw(st.integers(0, len(course.moves)))
    course.back_to(back)
    assert [move.step for move in course.moves] == whole[2][:back]
    for step in whole[2][back:]:
        if "shuffle" in step:
            assert next(course.settle()).step == step, "the seed shuffles as it did before"
        else:
            course.take(action_of(course.table, course.game, step))
    assert (course.game, digest(course.game), [move.step for move in course.moves], course.marks) == whole


@examples(50)
@given(games, begun)
def test_a_game_as_text_is_the_same_game(number: int, steps: int) -> None:
    course = under_way(number, steps)
    again = resumed(STORE, SavedGame.model_validate(json.loads(text_of(course.saved("test")))))
    assert again.game == course.game
    assert text_of(again.saved("test")) == text_of(course.saved("test"))


@examples(50)
@given(games, st.integers(20, 150), st.data())
def test_a_game_changed_anywhere_is_refused(number: int, steps: int, data: st.DataObject) -> None:
    """Another choice, a step less or more, another order, another mark: noticed, and where."""
    course = under_way(number, steps)
    document = course.saved("test").model_dump()
    at = data.draw(st.integers(0, len(course.moves) - 1))
    before = course.moves[at].before
    others = [step_of(before, action) for action in rules.legal_actions(course.table, before)]
    kind = data.draw(st.sampled_from(["another", "left out", "twice", "swapped", "mark", "order", "cut"]))
    told = [*document["steps"]]
    if kind == "another":
        told[at] = data.draw(st.sampled_from([*others, {"turn": "rest"}, {"end": True}]))
    elif kind == "left out":
        del told[at]
    elif kind == "twice":
        told.insert(at, told[at])
    elif kind == "swapped":
        told[at - 1], told[at] = told[at], told[at - 1]
    elif kind == "cut":
        told = told[:at]
    elif kind == "order" and "order" in told[at]:
        told[at] = {**told[at], "order": told[at]["order"][::-1]}
    elif kind == "mark":
        place = data.draw(st.integers(0, len(document["turns"]) - 1))
        document["turns"][place] = "0" * 16
    if told == document["steps"] and kind != "mark":
        return
    with pytest.raises(ThunderrefError) as refusal:
        resumed(STORE, SavedGame.model_validate({**document, "steps": told}))
    assert refusal.value.code
    assert refusal.value.params.get("step", refusal.value.params.get("last", at + 1)) >= min(at, len(told)) or (
        kind == "mark"
    )
