"""Means, percentiles and intervals; all intervals hold what is true in 95 of 100 samples."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import fsum, sqrt

Z = 1.959963984540054
"""The normal distribution lies between -Z and Z in 95 % of all cases."""
DIGITS = 4
"""Decimals of what is reported."""
_FEW = {1: 12.706204736432095, 2: 4.302652729911275, 3: 3.182446305284263}


def mean(values: Sequence[float]) -> float:
    """The sum, whatever the order, by the number of values (one at least)."""
    return fsum(values) / len(values)


def deviation(values: Sequence[float]) -> float:
    """The standard deviation of a sample of two values or more."""
    middle = mean(values)
    return sqrt(fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def students_t(freedom: int) -> float:
    """The two-sided 95 % point of Student's distribution, right to .001 for any degrees of freedom.

    A Cornish-Fisher expansion about the normal one (Abramowitz and Stegun 26.7.5), which is poor for one to three.
    """
    if freedom in _FEW:
        return _FEW[freedom]
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + fsum(term / float(freedom**power) for power, term in enumerate(terms, 1))


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Student's interval of a mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    middle, half = mean(values), students_t(len(values) - 1) * deviation(values) / sqrt(len(values))
    return middle - half, middle + half


def wilson(share: float, n: int) -> tuple[float, float] | None:
    """Wilson's score interval of a share of ``n`` cases, each of which may count in part; None for no case."""
    if not n:
        return None
    weight = Z * Z / n
    middle = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * sqrt(max(share * (1 - share), 0.0) / n + weight / (4 * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value below which ``part`` of the values lie, between two neighbours in proportion."""
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def percentile(value: float, ordered: Sequence[float]) -> float | None:
    """How many in a hundred values are smaller; half of the equal ones count; None if there are no values."""
    if not ordered:
        return None
    return 50 * (bisect_left(ordered, value) + bisect_right(ordered, value)) / len(ordered)


def rounded(value: float) -> float:
    """As it is reported; never minus zero."""
    return round(value, DIGITS) + 0.0
