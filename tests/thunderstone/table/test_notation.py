"""Every action of a game prints as a step that parses back, and wrong steps are refused with a rule."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.choices import choose
from support.random_games import STORE, in_any_order, moves, start
from support.seats import VILLAGE, at_table, child, do, use
from thunderref.cli.terminal import tell_move
from thunderref.database.read import Language
from thunderref.errors import IllegalStepError, InputError
from thunderref.thunderstone.resolve.report import ChoiceTexts
from thunderref.thunderstone.rules.notation import choice_of, refusal, step_of
from thunderref.thunderstone.rules.position import replace
from thunderref.thunderstone.rules.turns import shuffle
from thunderref.thunderstone.table.record import SavedPlayer, begin_game


@pytest.mark.parametrize("number", range(0, 45, 5))
def test_every_legal_action_round_trips(number: int) -> None:
    record = start(number)
    for _ in moves(record):
        options = record.options()
        steps = [json.dumps(step_of(record.position, action)) for action in options]
        assert len(set(steps)) == len(options), steps
        assert not [step for step in steps if "#0" in step], "a card of the hall has its bare name"
        for action, step in zip(options, steps, strict=True):
            assert choice_of(record.game, record.position, json.loads(step)) == action
        if len(record.moves) > 250:
            break


@pytest.mark.parametrize("lang", ["en", "pl", "ru"])
def test_everything_that_happens_can_be_said(lang: str) -> None:
    words = Language(STORE, lang)
    for number in range(9):
        record = start(number)
        names = [player.name for player in record.players]
        for move in moves(record):
            if move.choice is not None:
                label = ChoiceTexts(words, record.game, move.before, names).say_choice(move.choice)
                assert label.strip()
                assert "{" not in label
            assert all(item["text"] for item in tell_move(words, move, names))
            options = ChoiceTexts(words, record.game, record.position, names).options(record.options())
            assert bool(options) == bool(record.options())
            assert len({(option.group, option.label) for option in options}) == len(options)
            if len(record.moves) > 200:
                break


def test_choices_that_read_alike_come_to_the_same() -> None:
    # What the list leaves out must lead to a position that differs from a listed one by numbers of copies at most.
    words = Language(STORE, "en")
    for number in range(0, 27, 3):
        record = start(number)
        for _ in moves(record):
            if len(record.moves) > 120:
                break
            actions = record.options()
            shown = [
                option.choice for option in ChoiceTexts(words, record.game, record.position, "ABCDE").options(actions)
            ]
            ends = [in_any_order(child(record.game, record.position, action)[0]) for action in shown]
            for action in actions:
                if action not in shown:
                    assert in_any_order(child(record.game, record.position, action)[0]) in ends, step_of(
                        record.position, action
                    )


WRONG = [
    ({"turn": "swim"}, "R2.1"), ({"turn": None}, "R2.1"), ({"use": "fireball"}, "R2.1"), ({"attack": 1}, "R2.1"),
    ({"equip": "dagger"}, "R2.1"), ({"destroy": "militia"}, "R2.1"), ({"shuffle": "deck"}, "R2.1"),
]  # fmt: skip


@pytest.mark.parametrize(("step", "rule"), WRONG)
def test_a_step_at_the_wrong_time_cites_a_rule(step: dict[str, Any], rule: str) -> None:
    record = begin_game(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    error = refusal(record.game, record.position, step)
    assert isinstance(error, IllegalStepError)
    assert error.rule.startswith("R")


def test_a_step_that_is_none_is_an_input_error() -> None:
    record = begin_game(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    assert isinstance(refusal(record.game, record.position, {}), InputError)
    assert isinstance(refusal(record.game, record.position, {"jump": 1}), InputError)


@pytest.mark.parametrize("kind", ["village", "dungeon"])
def test_a_turn_under_way_is_not_begun_again(kind: str) -> None:
    """R2.1: one of the three, not a visit and then the dungeon."""
    record = begin_game(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    record.take(choice_of(record.game, record.position, {"turn": kind}))
    for other in ("village", "dungeon", "rest"):
        error = refusal(record.game, record.position, {"turn": other})
        assert isinstance(error, IllegalStepError)
        assert error.rule == "R2.1"


def test_the_rules_against_a_step_are_cited() -> None:
    record = begin_game(STORE, [SavedPlayer(name=n) for n in "AB"], seed=5, first_game="base")
    for step, code, rule in (
        ({"turn": "village"}, None, None),
        ({"count": True}, None, None),
        ({"buy": "elf-wizard"}, "not-on-offer", "R3.3"),
        ({"use": "torch"}, "gold-counted", "R3.2"),
        ({"level_up": "militia", "to": "lorigg-thief"}, "too-little-xp", "R3.5"),
    ):
        if code is None:
            record.take(choice_of(record.game, record.position, step))
            continue
        error = refusal(record.game, record.position, step)
        assert isinstance(error, IllegalStepError)
        assert error.code in (code, "too-dear")
        assert error.rule == rule


@pytest.mark.parametrize(("used", "legal"), [(False, True), (True, False)])
def test_a_saved_game_may_number_a_card_drawn_again_as_another_copy(*, used: bool, legal: bool) -> None:
    """R2.4: what was not used is used now, what was used is refused by the rule; the save calls it the second copy."""
    game, position = at_table("divine-chaplain, tavern-brawl, town-guard", "/ militia")
    position = replace(position, deck=("torch",) if used else ())
    first = [use("divine-chaplain")] if used else []
    fight = [use("tavern-brawl"), choose("discard", ("divine-chaplain", 1)), choose("player", 1)]
    position = do(game, position, VILLAGE, *first, *fight, use("town-guard"))
    position, _ = shuffle(game, position, ("divine-chaplain",))
    step = {"use": "divine-chaplain#2"}
    if legal:
        assert choice_of(game, position, step) == use("divine-chaplain")
        return
    with pytest.raises(IllegalStepError) as refusal:
        choice_of(game, position, step)
    assert (refusal.value.rule, refusal.value.code) == ("R2.4", "used-twice")
