"""How far apart two words are: edits weighed by how easily they are made.

Plain Python on purpose: only a few dozen words pass the letter filter, and importing a compiled library would cost
more than the whole look-up.
"""

from __future__ import annotations

_PAIRS = "ae ei iy ou ij ck sz vw kq cs gj ео еи ао иы бп дт гк зс вф жш шщ еэ ея ую ая"
_ALIKE = frozenset(pair for two in _PAIRS.split() for pair in (two, two[::-1]))
_HALF = 0.5


def letters(word: str) -> int:
    """The set of letters of a word as bits."""
    bits = 0
    for c in word:
        bits |= 1 << (ord(c) & 63)
    return bits


def budget(length: int) -> float:
    """How many edits a word of that many letters may have and still be taken for a typing error."""
    if length <= 5:
        return 1.0
    if length <= 8:
        return 2.0
    return 3.0


def distance(a: str, b: str, limit: float) -> float | None:
    """Edits (insert, delete, replace, swap neighbours) between two words, None if more than ``limit``.

    An edit costs 1; a doubled or undoubled letter and a replacement by a like-sounding letter cost one half.
    """
    reach = int(2 * limit)  # no path within the limit strays further from the diagonal
    if abs(len(a) - len(b)) > reach:
        return None
    put = [_HALF if j and b[j - 1] == b[j] else 1.0 for j in range(len(b))]
    far = limit + 1.0
    before: list[float] = []
    last = [0.0]
    for cost in put:
        last.append(last[-1] + cost)
    for i, ca in enumerate(a):
        drop = _HALF if i and a[i - 1] == ca else 1.0
        first, end = max(0, i - reach), min(len(b), i + reach + 1)
        row = [far] * (len(b) + 1)
        if first == 0:
            row[0] = last[0] + drop
        best = row[0]
        for j in range(first, end):
            cb = b[j]
            if ca == cb:
                cost = last[j]
            else:
                cost = last[j] + (_HALF if ca + cb in _ALIKE else 1.0)
                if i and j and ca == b[j - 1] and a[i - 1] == cb and before[j - 1] + 1.0 < cost:
                    cost = before[j - 1] + 1.0
            if last[j + 1] + drop < cost:
                cost = last[j + 1] + drop
            if row[j] + put[j] < cost:
                cost = row[j] + put[j]
            row[j + 1] = cost
            if cost < best:
                best = cost
        if best > limit:
            return None
        before, last = last, row
    return last[-1] if last[-1] <= limit else None


def likeness(a: str, b: str) -> float:
    """0 to 1: how many pairs of neighbouring letters two texts share, first letters counted too."""
    if not a or not b:
        return 0.0
    first = {f" {a}"[i : i + 2] for i in range(len(a))}
    second = {f" {b}"[i : i + 2] for i in range(len(b))}
    pairs = 2 * len(first & second) / (len(first) + len(second))
    mine, theirs = set(a), set(b)
    return 0.75 * pairs + 0.25 * len(mine & theirs) / len(mine | theirs)
