"""What must hold in every game, whatever the set-up, the players and their choices."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from support import ROOT, read_toml
from support.random_games import STORE, counted, faults, in_any_order, moves, start
from support.seats import child
from support.several import ASKED, several
from thunderref.errors import IllegalStepError, ThunderrefError
from thunderref.thunderstone.resolve.documents import read_document
from thunderref.thunderstone.rules.choices import (
    COUNT,
    DECLINE,
    END,
    LEAVE,
    Attack,
    Buy,
    Choice,
    Equip,
    Forgo,
    LevelUp,
    Pick,
    Rank,
    Turn,
    Use,
)
from thunderref.thunderstone.rules.draws import shuffle_of
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.hand import to_slots
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.notation import ANSWER_KEYS, HEADS, choice_of, step_of
from thunderref.thunderstone.rules.position import Position, replace
from thunderref.thunderstone.table.record import GameRecord, SavedGame, digest_after, resume_game, text_of

RULES = {rule["id"] for rule in read_toml(ROOT / "db" / "rules.toml")["rule"]}
pytestmark = pytest.mark.thorough


def digest(position: Position) -> str:
    return digest_after("", (), position)


def examples(full: int) -> settings:
    """How many examples, and which."""
    return settings(max_examples=several(full // 8, full), derandomize=not ASKED, deadline=None, database=None)


games = st.integers(0, 10**6)
begun = st.integers(0, 400)
"""Steps that random players take first, so that a property meets games that are well under way."""
STEPS = 30
"""Choices of a property's own."""


def under_way(number: int, steps: int) -> GameRecord:
    """A random game after so many steps, or at its end."""
    record = start(number)
    for _ in islice(moves(record), steps):
        pass
    for _ in record.settle():
        pass
    return record


def chosen(record: GameRecord, data: st.DataObject) -> Choice | None:
    """Any legal action; None at the end of the game."""
    for _ in record.settle():
        pass
    options = record.options()
    return options[data.draw(st.integers(0, len(options) - 1))] if options else None


@examples(160)
@given(games, begun, st.data())
def test_a_legal_play_never_fails_and_every_card_stays_in_one_place(
    number: int, steps: int, data: st.DataObject
) -> None:
    record = under_way(number, steps)
    began = counted(start(number))
    for _ in range(STEPS):
        action = chosen(record, data)
        if action is None:
            assert record.over
            break
        before = record.position
        after, events = child(record.game, before, action)
        move = record.take(action)
        assert (after, events) == (record.position, move.events), "the same action is the same play"
        assert after != before
        assert hash(after) == hash(Position(*astuple(after)))
        assert not faults(record, began), move.step


@examples(160)
@given(games, begun, st.data())
def test_every_battle_is_the_sum_of_its_reasons(number: int, steps: int, data: st.DataObject) -> None:
    record = under_way(number, steps)
    for _ in range(STEPS):
        action = chosen(record, data)
        if action is None:
            break
        for event in record.take(action).events:
            if event.key not in ("victory", "defeat"):
                continue
            outcome = dict(event.params)["outcome"]
            assert fold(outcome.terms) == (outcome.attack, outcome.magic, outcome.light)
            reduced = outcome.attack + outcome.magic + sum(term.attack for term in outcome.reductions)
            assert outcome.total == reduced >= 0
            assert outcome.light_penalty >= 0
            assert outcome.victory == (event.key == "victory")
            assert not outcome.victory or outcome.total >= outcome.health


@examples(100)
@given(games, begun, st.data())
def test_every_action_prints_as_a_step_that_parses_back(number: int, steps: int, data: st.DataObject) -> None:
    record = under_way(number, steps)
    for _ in range(STEPS // 2):
        action = chosen(record, data)
        if action is None:
            break
        told = [json.dumps(step_of(record.position, option)) for option in record.options()]
        assert len({*told}) == len(told)
        option = data.draw(st.integers(0, len(told) - 1))
        assert choice_of(record.game, record.position, json.loads(told[option])) == record.options()[option]
        record.take(action)


@examples(120)
@given(games, begun, st.data())
def test_what_is_not_legal_is_refused_with_a_rule(number: int, steps: int, data: st.DataObject) -> None:
    record = under_way(number, steps)
    position = record.position
    refs = [slot.ref for slot in position.hand] or [("torch", 1)]
    a_card = st.sampled_from([card for card, _ in position.stacks or ()] + ["disease", "sphinx"])
    a_ref = st.one_of(st.sampled_from(refs), st.tuples(a_card, st.integers(0, 2)))
    number_ = st.integers(0, 4)
    actions = st.one_of(
        st.sampled_from(["village", "dungeon", "rest", "penalty", "swim"]).map(Turn),
        st.sampled_from([LEAVE, COUNT, END]),
        st.builds(Use, a_ref, number_),
        st.builds(Equip, a_ref, a_ref),
        st.builds(Forgo, a_ref),
        st.builds(Attack, number_, st.integers(0, 1)),
        st.builds(Buy, a_card),
        st.builds(LevelUp, a_ref, a_card),
        st.builds(Pick, st.sampled_from(ANSWER_KEYS), a_ref),
        st.builds(Rank, st.sampled_from(ANSWER_KEYS), number_),
        st.just(DECLINE),
    )
    legal = record.options()
    for _ in range(12):
        action = data.draw(actions)
        if action in legal:
            child(record.game, position, action)
            continue
        with pytest.raises(IllegalStepError) as refusal:
            child(record.game, position, action)
        assert refusal.value.rule in RULES


words = st.sampled_from([*HEADS, *ANSWER_KEYS, "player", "effect", "for", "copy"])
values = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 10**12), st.text(max_size=6), st.lists(st.integers(0, 3), max_size=2),
    st.sampled_from(["militia", "militia#2", "dagger#", "#1", "torch#x", "sphinx#0", "village", "deck"]),
)  # fmt: skip


@examples(120)
@given(games, begun, st.lists(st.dictionaries(words, values, max_size=3), min_size=10, max_size=10))
def test_a_step_of_any_form_is_an_action_or_one_error(number: int, steps: int, told: list[dict[str, Any]]) -> None:
    record = under_way(number, steps)
    for step in told:
        try:
            action = choice_of(record.game, record.position, step)
        except ThunderrefError:
            continue
        assert step_of(record.position, action) == step


@examples(120)
@given(games, begun, st.randoms(use_true_random=False), st.data())
def test_the_order_of_the_hand_changes_nothing(number: int, steps: int, shuffled: Any, data: st.DataObject) -> None:
    """A turn played with the hand in another order ends where it ends with this one."""
    record = under_way(number, steps)
    position = record.position
    if position.phase != "choose" or position.todo:
        return
    cards = [slot.card for slot in position.hand]
    shuffled.shuffle(cards)
    copies = {slot.ref: slot for slot in position.hand}
    hand = [copies[slot.ref] for slot in to_slots(tuple(cards))]  # copies of one card keep their order
    other = replace(position, hand=tuple(hand))
    for _ in range(STEPS):
        options = legal_actions(record.game, position)
        assert set(options) == set(legal_actions(record.game, other))
        if not options or position.table.turn != record.turn:
            break
        action = options[data.draw(st.integers(0, len(options) - 1))]
        position, events = child(record.game, position, action)
        other, happened = child(record.game, other, action)
        assert Counter(event.key for event in events) == Counter(event.key for event in happened)
        assert in_any_order(position) == in_any_order(other)
        if shuffle_of(position) is not None:
            break


@examples(100)
@given(games, begun, st.data())
def test_what_is_taken_back_is_found_again(number: int, steps: int, data: st.DataObject) -> None:
    record = under_way(number, steps)
    whole = (record.position, digest(record.position), [move.step for move in record.moves], list(record.digests))
    back = data.draw(st.integers(0, len(record.moves)))
    record.back_to(back)
    assert [move.step for move in record.moves] == whole[2][:back]
    for step in whole[2][back:]:
        if "shuffle" in step:
            assert next(record.settle()).step == step, "the seed shuffles as it did before"
        else:
            record.take(choice_of(record.game, record.position, step))
    assert (record.position, digest(record.position), [move.step for move in record.moves], record.digests) == whole


@examples(100)
@given(games, begun)
def test_a_game_as_text_is_the_same_game(number: int, steps: int) -> None:
    record = under_way(number, steps)
    again = resume_game(STORE, read_document(SavedGame, json.loads(text_of(record.saved("test")))))
    assert again.position == record.position
    assert text_of(again.saved("test")) == text_of(record.saved("test"))


@examples(100)
@given(games, st.integers(20, 150), st.data())
def test_a_game_changed_anywhere_is_refused(number: int, steps: int, data: st.DataObject) -> None:
    """Another choice, a step less or more, another order, another mark: noticed, and where."""
    record = under_way(number, steps)
    document = record.saved("test").model_dump()
    at = data.draw(st.integers(0, len(record.moves) - 1))
    before = record.moves[at].before
    others = [step_of(before, action) for action in legal_actions(record.game, before)]
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
        resume_game(STORE, read_document(SavedGame, {**document, "steps": told}))
    assert refusal.value.code
    assert refusal.value.params.get("step", refusal.value.params.get("last", at + 1)) >= min(at, len(told)) or (
        kind == "mark"
    )
