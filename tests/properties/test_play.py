"""Random legal plays: nothing legal fails, no card is lost, every number is the sum of its reasons."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple
from tables import RULES, monster_cards, opening, own_cards, refused_unless_legal, scenarios

from thunderref.engine.legal import legal_actions
from thunderref.engine.state import Action, State, Table, key_of
from thunderref.engine.transition import child
from thunderref.explain.terms import fold
from thunderref.solve.api import resolve
from thunderref.solve.notation import LineWriter

LONGEST = 120
"""Far more actions than any turn of seven cards can have."""


def random_play(table: Table, state: State, data: st.DataObject, patience: int) -> list[tuple[State, Action, State]]:
    """A legal play to the end of the turn; after ``patience`` actions it attacks as soon as it can."""
    play = []
    for number in range(LONGEST):
        options = legal_actions(table, state)
        if not options:
            return play
        if number >= patience and not state.todo:
            options = tuple(a for a in options if a.kind in ("attack", "leave")) or options
        action = options[data.draw(st.integers(0, len(options) - 1))]
        after, _ = child(table, state, action)
        play.append((state, action, after))
        state = after
    raise AssertionError("the turn does not end")


@given(scenarios(), st.data(), st.integers(0, 12))
def test_a_legal_play_never_fails_and_loses_no_card(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    table, start = opening(document)
    play = random_play(table, start, data, n)
    for before, action, after in play:
        assert before != after, action
        assert hash(after) == hash(State(*astuple(after)))
        assert not own_cards(start) - own_cards(after), action
        conjured = own_cards(after) - own_cards(start)
        assert conjured.keys() <= set(document["village"]), "cards of the village are gone when the battle ends"
        assert monster_cards(table, after) <= monster_cards(table, start)
        options = legal_actions(table, after)
        assert len(set(options)) == len(options)
        assert (options == ()) == (after.phase == "end")
    assert play[-1][2].phase == "end"


@given(scenarios(), st.data(), st.integers(0, 12))
def test_every_number_is_the_sum_of_its_reasons(document: dict[str, Any], data: st.DataObject, n: int) -> None:
    table, start = opening(document)
    for _, _, after in random_play(table, start, data, n):
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
    table, start = opening(document)
    play = random_play(table, start, data, n)
    end = play[-1][2]
    if end.outcome is None:
        return
    writer = LineWriter()
    for before, action, _ in play:
        writer.add(table, before, action)
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
    table, state = opening(document)
    for before, _, _ in islice(random_play(table, state, data, 12), n, n + 1):
        state = before
    refs = [(card, copy) for card in dict.fromkeys(document["hand"]) for copy in (1, 2)]
    a_ref = st.sampled_from(refs)
    number = st.integers(0, 4)
    actions = st.one_of(
        st.builds(Action, st.just("use"), a_ref, number),
        st.builds(Action, st.just("equip"), a_ref, a_ref),
        st.builds(Action, st.just("forgo"), a_ref, st.just(0)),
        st.builds(Action, st.just("attack"), number, st.integers(0, 1)),
        st.just(Action("leave")),
    )
    refused_unless_legal(data, actions, legal_actions(table, state), partial(child, table, state))


@given(scenarios(), st.randoms(use_true_random=False))
def test_equal_hands_are_one_position_in_any_order(document: dict[str, Any], shuffled: Any) -> None:
    _, state = opening(document)
    hand = list(document["hand"])
    shuffled.shuffle(hand)
    _, other = opening({**document, "hand": hand})
    assert key_of(state) == key_of(other)
    assert hash(key_of(state)) == hash(key_of(other))
