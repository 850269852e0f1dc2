"""Random legal plays: nothing legal fails, no card is lost, every number is the sum of its reasons."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple

from support.seats import child
from support.tables import RULES, monster_cards, opening, own_cards, refused_unless_legal, scenarios
from thunderref.thunderstone.resolve.judge import resolve
from thunderref.thunderstone.resolve.plan import LineWriter
from thunderref.thunderstone.rules.choices import LEAVE, Attack, Choice, Equip, Forgo, Use, kind_of
from thunderref.thunderstone.rules.explanation import fold
from thunderref.thunderstone.rules.game import Game
from thunderref.thunderstone.rules.legal import legal_actions
from thunderref.thunderstone.rules.position import Position, key_of

pytestmark = pytest.mark.thorough

LONGEST = 120
"""Far more actions than any turn of seven cards can have."""


def random_play(
    game: Game, state: Position, data: st.DataObject, patience: int
) -> list[tuple[Position, Choice, Position]]:
    """A legal play to the end of the turn; after ``patience`` actions it attacks as soon as it can."""
    play = []
    for number in range(LONGEST):
        options = legal_actions(game, state)
        if not options:
            return play
        if number >= patience and not state.todo:
            options = tuple(a for a in options if kind_of(a) in ("attack", "leave")) or options
        action = options[data.draw(st.integers(0, len(options) - 1))]
        after, _ = child(game, state, action)
        play.append((state, action, after))
        state = after
    raise AssertionError("the turn does not end")


@given(scenarios(), st.data(), st.integers(0, 12))
def test_a_legal_play_never_fails_and_loses_no_card(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    game, start = opening(document)
    play = random_play(game, start, data, n)
    for before, action, after in play:
        assert before != after, action
        assert hash(after) == hash(Position(*astuple(after)))
        lost = own_cards(start) - own_cards(after)
        assert not lost or ("rolling-boulder" in document["dungeon"] and lost <= Counter(start.deck)), action
        conjured = own_cards(after) - own_cards(start)
        assert conjured.keys() <= set(document["village"]), "cards of the village are gone when the battle ends"
        assert monster_cards(game, after) <= monster_cards(game, start)
        options = legal_actions(game, after)
        assert len(set(options)) == len(options)
        assert (options == ()) == (after.phase == "end")
    assert play[-1][2].phase == "end"


@given(scenarios(), st.data(), st.integers(0, 12))
def test_every_number_is_the_sum_of_its_reasons(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    game, start = opening(document)
    for _, _, after in random_play(game, start, data, n):
        outcome = after.outcome
        if outcome is None:
            continue
        assert fold(outcome.terms) == (outcome.attack, outcome.magic, outcome.light)
        reduced = outcome.attack + outcome.magic + sum(term.attack for term in outcome.reductions)
        assert outcome.total == reduced
        assert outcome.total >= 0
        assert outcome.light_penalty >= 0
        for term in (*outcome.terms, *outcome.reductions):
            assert set(term.rules) <= RULES


@given(scenarios(), st.data(), st.integers(0, 12))
def test_a_play_written_as_a_plan_is_the_same_play(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    game, start = opening(document)
    play = random_play(game, start, data, n)
    end = play[-1][2]
    if end.outcome is None:
        return
    writer = LineWriter()
    for before, action, _ in play:
        writer.add(before, action)
    (result,) = resolve({**document, "plan": writer.steps}).targets
    assert (result.attack, result.magic_attack, result.light, result.total) == (
        end.outcome.attack, end.outcome.magic, end.outcome.light, end.outcome.total,
    )  # fmt: skip
    assert sorted(result.destroyed) == sorted(card for card, _ in end.destroyed)
    assert sorted(result.discarded) == sorted(card for card, _ in end.discarded)
    assert sorted(result.gained) == sorted(end.gained)
    assert result.line == writer.steps


@given(scenarios(), st.data(), st.integers(0, 6))
def test_what_is_not_legal_is_refused_with_a_rule(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    game, state = opening(document)
    for before, _, _ in islice(random_play(game, state, data, 12), n, n + 1):
        state = before
    refs = [(card, copy) for card in dict.fromkeys(document["hand"]) for copy in (1, 2)]
    a_ref = st.sampled_from(refs)
    number = st.integers(0, 4)
    actions = st.one_of(
        st.builds(Use, a_ref, number),
        st.builds(Equip, a_ref, a_ref),
        st.builds(Forgo, a_ref),
        st.builds(Attack, number, st.integers(0, 1)),
        st.just(LEAVE),
    )
    refused_unless_legal(data, actions, legal_actions(game, state), partial(child, game, state))


@given(scenarios(), st.randoms(use_true_random=False))
def test_equal_hands_are_one_position_in_any_order(document: dict[str, Any], shuffled: Any) -> None:
    _, state = opening(document)
    hand = list(document["hand"])
    shuffled.shuffle(hand)
    _, other = opening({**document, "hand": hand})
    assert key_of(state) == key_of(other)
    assert hash(key_of(state)) == hash(key_of(other))
