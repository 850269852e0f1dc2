"""Odds that can be worked out by hand."""

from __future__ import annotations

import pytest

from thunderref.errors import InputError, NoAnswerError
from thunderref.solve.chances import odds

STARTING_DECK = ["6 militia", "2 dagger", "2 torch", "2 iron-rations"]


def fractions(question: dict[str, object]) -> list[str]:
    return [target.win.fraction for target in odds(question).targets]


def test_two_draws_against_kingdom() -> None:
    """Priest 2, Militia 1, sword 4, rank 2 without Light: 3 against 5 once the Disease is cured; two cards come.

    A Torch is worth 2, a Militia or a Dagger in a Militia's hand 1: of 66 pairs 21 hold a Torch, 15 are two Militia,
    12 a Militia and a Dagger.
    """
    hand = ["regian-priest", "disease", "militia", "short-sword"]
    question = {"hand": hand, "deck_list": STARTING_DECK, "hall": ["griknack-goblin", "kingdom"]}
    assert fractions(question) == ["1/1", "8/11"]


def test_first_battle_against_blink_dog() -> None:
    """Both Torches (210 of 924 hands), and of the four other cards Attack 3: all but 40 of the 210."""
    question = {"deck_list": STARTING_DECK, "hall": ["blink-dog"], "first_battle": True}
    assert fractions(question) == ["85/462"]


def test_the_discard_pile_is_shuffled_only_when_the_deck_is_empty() -> None:
    """Bishop draws two: the Torch that is left, then one of two discarded cards; only the Fireball wins."""
    question = {
        "hand": ["regian-bishop"],
        "deck_list": ["torch"],
        "discard": ["militia", "fireball"],
        "hall": ["griffon"],
    }
    # Bishop 3 + Fireball 3 = 6 < 7; against Pegasus (6) it is enough
    assert fractions(question) == ["0/1"]
    assert fractions({**question, "hall": ["pegasus"]}) == ["1/2"]


def test_nothing_to_draw_is_certain() -> None:
    assert fractions({"hand": ["fireball", "militia"], "deck_list": ["torch"], "hall": ["griknack-goblin"]}) == ["1/1"]


def test_a_barred_target_cannot_be_won() -> None:
    assert fractions({"hand": ["militia"], "deck_list": ["2 torch"], "hall": ["blink-dog"]}) == ["0/1"]


def test_more_copies_than_exist_are_refused_by_name() -> None:
    with pytest.raises(NoAnswerError) as refusal:
        odds({"hand": ["fireball"], "deck_list": ["8 fireball"], "hall": ["griffon"]})
    assert refusal.value.code == "too-many-copies"
    assert refusal.value.params["card"] == "fireball"


def test_a_first_battle_takes_no_hand() -> None:
    with pytest.raises(InputError):
        odds({"hand": ["militia"], "deck_list": STARTING_DECK, "hall": ["griffon"], "first_battle": True})
