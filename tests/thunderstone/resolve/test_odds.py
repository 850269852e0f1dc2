"""Odds that can be worked out by hand."""

from __future__ import annotations

import pytest

from thunderref.budget import Budget, Tick
from thunderref.errors import InputError, NoAnswerError
from thunderref.statistics import wilson
from thunderref.thunderstone.resolve import odds as chances
from thunderref.thunderstone.resolve.odds import hands_of, next_deal, number_of_hands, odds

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


# the hand to come


def test_the_next_hand_off_a_deck_that_lasts() -> None:
    """6 of 8 cards: no Torch in C(6,6) = 1 of C(8,6) = 28 hands; the Fireball in 6 of 8; Torches 6 x 2 / 8 = 1.5."""
    question = {"hand": ["2 militia"], "deck_list": ["4 militia", "2 torch", "dagger", "fireball"], "next_hand": True}
    hand = odds(question).hand
    assert hand is not None
    found = {card.id: (card.copies, card.chance.fraction, card.expected) for card in hand.cards}
    assert found == {
        "militia": (4, "1/1", 3.0), "torch": (2, "27/28", 1.5),
        "dagger": (1, "3/4", 0.75), "fireball": (1, "3/4", 0.75),
    }  # fmt: skip
    kinds = {kind.id: (kind.copies, kind.chance.fraction) for kind in hand.kinds}
    assert kinds["hero"] == (4, "1/1"), "Militia is a hero (R0.4)"
    assert (kinds["weapon"], kinds["spell"], kinds["light"]) == ((1, "3/4"), (1, "3/4"), (2, "27/28"))
    assert not hand.reshuffled


def test_the_next_hand_when_the_deck_runs_out() -> None:
    """Four cards of the deck for certain, then 2 of the 7 of pile and hand."""
    question = {
        "hand": ["militia", "fireball", "disease"], "deck_list": ["3 torch", "elf-wizard"],
        "discard": ["2 militia", "2 dagger"], "next_hand": True,
    }  # fmt: skip
    hand = odds(question).hand
    assert hand is not None
    assert (hand.size, hand.reshuffled, hand.certain) == (6, True, ["elf-wizard", "torch", "torch", "torch"])
    found = {card.id: (card.chance.fraction, card.expected) for card in hand.cards}
    # Militia: 1 - C(4,2) / C(7,2) = 1 - 6/21 = 5/7; Dagger: 1 - C(5,2) / C(7,2) = 1 - 10/21 = 11/21
    assert found == {
        "torch": ("1/1", 3.0), "elf-wizard": ("1/1", 1.0), "militia": ("5/7", 0.86), "dagger": ("11/21", 0.57),
        "fireball": ("2/7", 0.29), "disease": ("2/7", 0.29),
    }  # fmt: skip


def test_fewer_than_six_cards_are_all_drawn() -> None:
    hand = odds({"hand": ["militia"], "deck_list": ["torch"], "discard": ["dagger"], "next_hand": True}).hand
    assert hand is not None
    assert (hand.size, {card.chance.fraction for card in hand.cards}) == (3, {"1/1"})


def test_what_the_next_hand_beats() -> None:
    """Fireball 3 and Warrior 3 beat Pegasus (6): both among 6 of 7 cards in C(5,4) of C(7,6) hands, 5 of 7."""
    question = {"deck_list": ["fireball", "outlands-warrior", "5 torch"], "hall": ["pegasus"], "next_hand": True}
    assert fractions(question) == ["5/7"]


def test_what_the_next_hand_beats_after_a_shuffle() -> None:
    """Fireball and four Torches for certain; the Warrior is one of two discarded cards, one of which is drawn."""
    question = {
        "deck_list": ["fireball", "4 torch"], "hand": ["outlands-warrior"], "discard": ["disease"],
        "hall": ["pegasus"], "next_hand": True,
    }  # fmt: skip
    assert fractions(question) == ["1/2"]


def test_every_hand_once_and_all_together_one() -> None:
    deal = next_deal([*["militia"] * 4, *["torch"] * 3, "dagger", "disease", "disease"], [], [])
    hands = list(hands_of(deal))
    assert len({hand for hand, _ in hands}) == len(hands) == number_of_hands(deal)
    assert sum(weight for _, weight in hands) == 1
    assert all(len(hand) == 6 for hand, _ in hands)


# sampling


def test_the_interval_of_wilson() -> None:
    """5 of 10: (0.5 + 3.8415/20 -+ 1.96 sqrt(0.025 + 3.8415/400)) / (1 + 0.38415) = 0.2366 and 0.7634."""
    assert [round(bound, 4) for bound in wilson(0.5, 10)] == [0.2366, 0.7634]
    assert [round(bound, 4) for bound in wilson(0, 10)] == [0, 0.2775]
    assert [round(bound, 4) for bound in wilson(1, 10)] == [0.7225, 1]


FIRST = {"deck_list": STARTING_DECK, "hall": ["blink-dog"], "first_battle": True, "samples": 400}
"""85/462 = 18.4 % (see above)."""


def test_sampled_only_past_the_budget_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    (exact,) = odds(FIRST).targets
    assert (exact.exact, exact.interval, exact.samples, exact.confidence) == (True, None, None, None)
    monkeypatch.setattr(chances, "WEIGHED", 20)
    (sampled,) = odds(FIRST).targets
    assert (sampled.exact, sampled.samples, sampled.confidence) == (False, 400, 0.95)
    assert sampled.win.fraction.endswith("/400")
    assert sampled.interval is not None
    low, high = sampled.interval
    assert low < 18.4 < high
    assert high - low < 10
    assert odds(FIRST).targets == [sampled], "the same seed deals the same samples"
    assert odds({**FIRST, "seed": 1}).targets != [sampled]


def test_exact_refuses_rather_than_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "MOST_POSITIONS", 20)
    with pytest.raises(NoAnswerError) as refusal:
        odds({**FIRST, "exact": True})
    assert (refusal.value.code, refusal.value.params["n"]) == ("odds-too-large", 20)


class Impatient(Budget):
    """Ends, or interrupts, the weighing after some positions."""

    def __init__(self, most: int, *, interrupts: bool) -> None:
        super().__init__()
        self.most = most
        self.interrupts = interrupts

    def searching(self, share: float = 1.0, message: str = "", most: int | None = None) -> Tick:
        return self.weighing if message == "odds.weighing" else self.sampling

    def weighing(self, positions: int) -> bool:
        if positions >= self.most and self.interrupts:
            raise KeyboardInterrupt
        return positions < self.most

    def sampling(self, samples: int) -> bool:
        assert not self.interrupts, "an interrupt ends all work"
        return samples < 50


def test_an_interrupt_leaves_certain_limits() -> None:
    (target,) = odds(FIRST, budget=Impatient(10, interrupts=True)).targets
    assert (target.exact, target.samples, target.confidence, target.expected_total) == (False, None, 1.0, None)
    assert target.interval is not None
    low, high = target.interval
    assert 0 <= low <= 18.4 <= high <= 100
    assert high - low < 100, "what was weighed counts"


def test_time_for_weighing_and_then_for_samples() -> None:
    (target,) = odds(FIRST, budget=Impatient(10, interrupts=False)).targets
    assert (target.samples, target.confidence) == (50, 0.95)


@pytest.mark.parametrize(
    "question",
    [
        {"hand": ["fireball"], "deck_list": ["militia"], "discard": ["8 fireball"], "hall": ["griffon"]},
        {"hand": ["5 fireball"], "deck_list": ["4 fireball"], "hall": ["griffon"]},
        {"deck_list": ["9 fireball"], "hall": ["griffon"], "first_battle": True},
        {"hand": ["4 fireball"], "deck_list": ["2 fireball"], "discard": ["3 fireball"], "next_hand": True},
    ],
    ids=["pile", "hand", "first battle", "next hand"],
)
def test_more_copies_than_exist_wherever_they_are(question: dict[str, object]) -> None:
    with pytest.raises(NoAnswerError) as refusal:
        odds(question)
    assert (refusal.value.code, refusal.value.params["n"], refusal.value.params["most"]) == ("too-many-copies", 9, 8)
