"""What must hold for every best line, whatever the cards are."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tables import BASE_HALLS, BASE_HANDS, STORE, scenarios

from thunderref.model.result import TargetResult
from thunderref.solve.api import resolve


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
