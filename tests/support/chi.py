"""Chi-square tests without scipy."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, lgamma, log


def tail(statistic: float, freedom: int) -> float:
    """Chance that a chi-square variable is at least this large (regularised upper incomplete gamma function)."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - total * exp(-x + a * log(x) - lgamma(a))
    b = x + 1 - a
    c = 1e300
    d = h = 1 / b
    for i in range(1, 500):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
    return h * exp(-x + a * log(x) - lgamma(a))


def goodness(observed: Mapping[object, int], expected: Mapping[object, Fraction]) -> float:
    """p value of a draw of single outcomes against their chances."""
    n = sum(observed.values())
    assert set(observed) <= {key for key, chance in expected.items() if chance}
    statistic = sum((observed.get(key, 0) - n * p) ** 2 / (n * p) for key, p in expected.items() if p)
    return tail(float(statistic), sum(1 for p in expected.values() if p) - 1)


def evenness(observed: Mapping[str, int], pool: tuple[str, ...], count: int, draws: int) -> float:
    """p value of drawing ``count`` different ones of ``pool`` each time, all alike.

    The counts of drawing without replacement hang together; (N - 1) / N corrects the sum for it.
    """
    n, p = len(pool), count / len(pool)
    statistic = sum((observed.get(card, 0) - draws * p) ** 2 for card in pool) / (draws * p * (1 - p))
    return tail(statistic * (n - 1) / n, n - 1)
