"""Means, percentiles and intervals; all intervals hold what is true in 95 of 100 samples."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import fsum, sqrt
from statistics import NormalDist, quantiles, stdev
from statistics import fmean as mean

__all__ = ["Z", "mean", "mean_interval", "percentile", "round_off", "students_t", "tenths", "widened", "wilson"]

Z = NormalDist().inv_cdf(0.975)
"""The normal distribution lies between -Z and Z in 95 % of all cases."""
DECIMALS = 4
"""Decimals of what is reported."""
_FEW = {1: 12.706204736432095, 2: 4.302652729911275, 3: 3.182446305284263}


def students_t(freedom: int, z: float = Z) -> float:
    """The two-sided point of Student's distribution that ``z`` is of the normal one: 95 %, right to .001.

    A Cornish-Fisher expansion about the normal one (Abramowitz and Stegun 26.7.5), which is poor for one to three.
    """
    if freedom in _FEW and z == Z:
        return _FEW[freedom]
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / float(freedom**power) for power, term in enumerate(terms, 1))


def mean_interval(values: Sequence[float], z: float = Z) -> tuple[float, float] | None:
    """Student's interval of a mean; None for fewer than two values. Another ``z`` makes it another than of 95 %."""
    if len(values) < 2:
        return None
    middle, half = mean(values), students_t(len(values) - 1, z) * stdev(values) / sqrt(len(values))
    return middle - half, middle + half


def wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of a share of ``n`` cases (one at least), each of which may count in part."""
    square = Z * Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = Z * sqrt(max(share * (1 - share), 0.0) / n + square / (4 * n * n)) / (1 + square / n)
    return max(0.0, middle - half) if share else 0.0, min(1.0, middle + half) if share < 1 else 1.0


def widened(n: int) -> float:
    """The factor by which ``n`` intervals widen if all of them are to hold in 95 of 100 samples (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / n) / Z


def tenths(values: Sequence[float]) -> tuple[float, ...]:
    """The nine values below which 10, 20, ... 90 % of the values lie, between two neighbours in proportion."""
    return tuple(quantiles(values, n=10, method="inclusive")) if len(values) > 1 else (*values,) * 9


def percentile(value: float, ordered: Sequence[float]) -> float | None:
    """The percentile rank of a value, half of the equal ones counted; None if there are no values."""
    if not ordered:
        return None
    return 50 * (bisect_left(ordered, value) + bisect_right(ordered, value)) / len(ordered)


def round_off(value: float) -> float:
    """Round a value as it is reported; the result is never minus zero."""
    return round(value, DECIMALS) + 0.0
