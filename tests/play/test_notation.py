"""Every action of a game prints as a step that parses back, and wrong steps are refused with a rule."""

from __future__ import annotations

import json
from typing import Any

import pytest
from random_games import STORE, in_any_order, moves, start

from thunderref.engine.game import child
from thunderref.errors import IllegalStepError, InputError
from thunderref.model.saved import SavedPlayer
from thunderref.play.course import begun
from thunderref.play.notation import action_of, refusal, step_of
from thunderref.play.say import options_of, said, told
from thunderref.words.words import Words


@pytest.mark.parametrize("number", range(0, 45, 5))
def test_every_legal_action_round_trips(number: int) -> None:
    course = start(number)
    for _ in moves(course):
        options = course.options()
        steps = [json.dumps(step_of(course.game, action)) for action in options]
        assert len(set(steps)) == len(options), steps
        assert not [step for step in steps if "#0" in step], "a card of the hall has its bare name"
        for action, step in zip(options, steps, strict=True):
            assert action_of(course.table, course.game, json.loads(step)) == action
        if len(course.moves) > 250:
            break


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_everything_that_happens_can_be_said(lang: str) -> None:
    words = Words(STORE, lang)
    for number in range(9):
        course = start(number)
        names = [player.name for player in course.players]
        for move in moves(course):
            if move.action is not None:
                label = said(words, course.table, move.before, move.action, names)
                assert label.strip()
                assert "{" not in label
            assert all(item.text for item in told(words, move, names))
            options = options_of(words, course.table, course.game, course.options(), names)
            assert bool(options) == bool(course.options())
            assert len({(option.group, option.label) for option in options}) == len(options)
            if len(course.moves) > 200:
                break


def test_choices_that_read_alike_come_to_the_same() -> None:
    # What the list leaves out must lead to a position that differs from a listed one by numbers of copies at most.
    words = Words(STORE, "en")
    for number in range(0, 27, 3):
        course = start(number)
        for _ in moves(course):
            if len(course.moves) > 120:
                break
            actions = course.options()
            shown = [option.action for option in options_of(words, course.table, course.game, actions, "ABCDE")]
            ends = [in_any_order(child(course.table, course.game, action)[0]) for action in shown]
            for action in actions:
                if action not in shown:
                    assert in_any_order(child(course.table, course.game, action)[0]) in ends, step_of(
                        course.game, action
                    )


WRONG = [
    ({"turn": "swim"}, "R2.1"), ({"turn": None}, "R2.1"), ({"use": "fireball"}, "R2.1"), ({"attack": 1}, "R2.1"),
    ({"equip": "dagger"}, "R2.1"), ({"destroy": "militia"}, "R2.1"), ({"shuffle": "deck"}, "R2.1"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "rule"), WRONG)
def test_a_step_at_the_wrong_time_cites_a_rule(step: dict[str, Any], rule: str) -> None:
    course = begun(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    error = refusal(course.table, course.game, step)
    assert isinstance(error, IllegalStepError)
    assert error.rule.startswith("R")


def test_a_step_that_is_none_is_an_input_error() -> None:
    course = begun(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    assert isinstance(refusal(course.table, course.game, {}), InputError)
    assert isinstance(refusal(course.table, course.game, {"jump": 1}), InputError)


def test_the_rules_against_a_step_are_cited() -> None:
    course = begun(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    for step, code, rule in (
        ({"turn": "village"}, None, None),
        ({"count": True}, None, None),
        ({"buy": "elf-wizard"}, "not-on-offer", "R3.3"),
        ({"use": "torch"}, "gold-counted", "R3.2"),
        ({"level_up": "militia", "to": "lorigg-thief"}, "too-little-xp", "R3.5"),
    ):
        if code is None:
            course.take(action_of(course.table, course.game, step))
            continue
        error = refusal(course.table, course.game, step)
        assert isinstance(error, IllegalStepError)
        assert error.code in (code, "too-dear")
        assert error.rule == rule
