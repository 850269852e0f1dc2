"""The generator is frozen: these numbers never change."""

from __future__ import annotations

import pytest

from thunderref.rng import STREAMS, open_stream, stir


def test_the_published_sequence_of_splitmix64() -> None:
    # SplitMix64 from seed 1234567, as printed with the reference implementation of the algorithm.
    state, found = 1234567, []
    for _ in range(5):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        found.append(stir(state))
    assert found == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


def test_golden_words_of_each_stream() -> None:
    assert {name: open_stream(42, name).word() for name in STREAMS} == GOLDEN


def test_streams_and_seeds_differ() -> None:
    words = [open_stream(seed, name).word() for seed in range(200) for name in STREAMS]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 33, 2**64, 2**64 + 1, 3**90])
def test_bounded_numbers_stay_in_bounds(bound: int) -> None:
    generator = open_stream(5, "village")
    assert all(0 <= generator.below(bound) < bound for _ in range(200))


def test_bounded_numbers_reach_everything() -> None:
    generator = open_stream(5, "village")
    assert {generator.below(12) for _ in range(500)} == set(range(12))


def test_a_rejected_word_is_drawn_again() -> None:
    # with a bound just above half of the words, about half of them are thrown away
    bound = 2**63 + 1
    generator, other = open_stream(1, "heroes"), open_stream(1, "heroes")
    words = iter([other.word() for _ in range(400)])
    for _ in range(100):
        word = next(w for w in words if w < bound)
        assert generator.below(bound) == word


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        open_stream(1, "heroes").below(0)
    with pytest.raises(ValueError, match="not enough"):
        open_stream(1, "heroes").sample("ab", 3)


def test_weights_are_kept() -> None:
    generator = open_stream(3, "features")
    drawn = [generator.weighted([0, 1, 0, 3]) for _ in range(4000)]
    assert set(drawn) == {1, 3}
    assert 2800 < drawn.count(3) < 3200


GOLDEN = {
    "classes": 6168158941143839527,
    "features": 7382028192048325405,
    "guardians": 5860610656741312527,
    "heroes": 17810231480858164991,
    "village": 11861081450691463315,
    "stones": 9575656634451001539,
    "deal": 11830340345065515892,
    "reshuffle": 14997879488065225630,
    "choice": 9665946020925733382,
    "games": 16238603457304000731,
    "boxes": 8853291201386260282,
}
