"""Intervals beside printed tables, and how often they hold the truth."""

from __future__ import annotations

import random

import pytest

from thunderref.statistics import mean, mean_interval, percentile, round_off, students_t, tenths, widened, wilson

TABLE = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 10: 2.228, 20: 2.086, 30: 2.042, 60: 2.000, 120: 1.980}
"""Degrees of freedom -> the two-sided 95 % point of Student's distribution, as tables print it."""


@pytest.mark.parametrize(("freedom", "point"), TABLE.items())
def test_students_t_is_that_of_the_tables(freedom: int, point: float) -> None:
    assert students_t(freedom) == pytest.approx(point, abs=0.002)


def test_the_interval_of_a_mean() -> None:
    values = [12.0, 15.0, 11.0, 14.0, 13.0]
    assert mean(values) == 13.0
    low, high = mean_interval(values) or (0, 0)
    assert (low, high) == (
        pytest.approx(13 - 1.963, abs=2e-3),
        pytest.approx(13 + 1.963, abs=2e-3),
    )  # 2.776 * s / sqrt(5)
    assert mean_interval([3.0]) is None
    assert mean_interval([3.0, 3.0]) == (3.0, 3.0)


@pytest.mark.parametrize(
    ("wins", "n", "interval"),
    [(81, 263, (0.2553, 0.3662)), (0, 20, (0.0, 0.1611)), (15, 148, (0.0624, 0.1605)), (1, 29, (0.0061, 0.1718))],
)
def test_wilsons_interval_is_that_of_newcombe(wins: int, n: int, interval: tuple[float, float]) -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3."""
    assert wilson(wins / n, n) == pytest.approx(interval, abs=1e-4)


def test_wilsons_interval_at_the_ends() -> None:
    low, high = wilson(1.0, 4)
    assert (low, high) == (pytest.approx(0.5101, abs=1e-4), 1.0)


def test_intervals_hold_the_truth_in_95_of_100_samples() -> None:
    rng, held = random.Random(20), {"mean": 0, "share": 0}
    for _ in range(2000):
        values = [rng.gauss(20, 6) for _ in range(8)]
        low, high = mean_interval(values) or (0, 0)
        held["mean"] += low <= 20 <= high
        low, high = wilson(sum(rng.random() < 0.3 for _ in range(40)) / 40, 40)
        held["share"] += low <= 0.3 <= high
    assert held["mean"] / 2000 == pytest.approx(0.95, abs=0.015)
    assert held["share"] / 2000 == pytest.approx(0.95, abs=0.025)


@pytest.mark.parametrize(("n", "point"), [(1, 1.960), (2, 2.241), (5, 2.576), (10, 2.807), (25, 3.090)])
def test_intervals_of_many_are_as_wide_as_tables_of_bonferroni_have_them(n: int, point: float) -> None:
    assert widened(n) * 1.959964 == pytest.approx(point, abs=0.001)


def test_quantiles_and_percentiles() -> None:
    assert tenths([1, 2, 3, 4, 5])[::4] == pytest.approx((1.4, 3, 4.6))
    assert tenths([7]) == (7,) * 9
    assert [percentile(value, [1, 2, 2, 3]) for value in (0, 1, 2, 2.5, 9)] == [0, 12.5, 50, 75, 100]
    assert str(round_off(-0.00001)) == "0.0"
